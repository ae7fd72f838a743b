//! Repetition in the xiangqi family: what has been on the board, and who gave check ("Endings").

use xinqi_kernel::{Outcome, Reason, Seat};

/// The positions since the last one that cannot come again, the present one last.
#[derive(Clone, Debug)]
pub(crate) struct History {
    positions: Vec<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    key: u64,
    /// Whether the ply that led here gave check.
    check: bool,
}

impl History {
    /// A history of the start alone, its own first occurrence.
    pub(crate) fn new(key: u64) -> History {
        History {
            positions: vec![Seen { key, check: false }],
        }
    }

    /// The ply just played cannot be taken back over the board: no earlier position comes again.
    pub(crate) fn forget(&mut self) {
        self.positions.clear();
    }

    /// Adds the position after a ply.
    pub(crate) fn push(&mut self, key: u64, check: bool) {
        self.positions.push(Seen { key, check });
    }

    /// The end that a third occurrence of the present position brings; `mover` played the last ply.
    pub(crate) fn judge(&self, mover: Seat) -> Option<Outcome> {
        let last = self.positions.last()?;
        let mut occurrences = self
            .positions
            .iter()
            .enumerate()
            .filter(|(_, seen)| seen.key == last.key);
        let (first, _) = occurrences.next()?;
        occurrences.nth(1)?;
        let cycle = &self.positions[first + 1..];
        let all_check = |skip: usize| cycle.iter().rev().skip(skip).step_by(2).all(|seen| seen.check);
        Some(match (all_check(0), all_check(1)) {
            (true, false) => Outcome::Win(mover.other(), Reason::PerpetualCheck),
            (false, true) => Outcome::Win(mover, Reason::PerpetualCheck),
            _ => Outcome::Draw(Reason::Repetition),
        })
    }
}
