//! Repetition in the xiangqi family: what has been on the board, and who gave check ("Endings").

use xinqi_kernel::{Outcome, Reason, Seat, Step};

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

    /// How many plies ago the present position occurred first, if it occurs for the third time.
    fn cycle(&self) -> Option<usize> {
        let (present, before) = self.positions.split_last()?;
        // The same side is to move every second ply, and no position comes again sooner than after four.
        let mut ago = (1..=before.len()).skip(3).step_by(2);
        let mut earlier = || ago.find(|ago| before[before.len() - ago].key == present.key);
        earlier()?;
        earlier()
    }

    /// The end that a third occurrence of the present position brings where only checks are judged; `mover` played the
    /// last ply.
    pub(crate) fn judge(&self, mover: Seat) -> Option<Outcome> {
        self.judge_with(mover, |_| (false, false))
    }

    /// Like [`History::judge`]; where no side checks for ever, `chase` says of that many last plies whether the mover and
    /// the other side chased with every one of theirs.
    pub(crate) fn judge_with(
        &self,
        mover: Seat,
        chase: impl FnOnce(usize) -> (bool, bool),
    ) -> Option<Outcome> {
        let cycle = self.cycle()?;
        let every_ply = |skip| {
            let plies = self.positions.iter().rev().take(cycle);
            plies.skip(skip).step_by(2).all(|seen| seen.check)
        };
        Some(verdict(mover, (every_ply(0), every_ply(1)), || chase(cycle)))
    }

    /// The positions as search sees them, `plies` being those between them where the game keeps them.
    pub(crate) fn steps<M: Copy>(&self, plies: &[M]) -> Vec<Step<M>> {
        let step = |(n, seen): (usize, &Seen)| Step {
            key: seen.key,
            check: seen.check,
            mv: n.checked_sub(1).and_then(|n| plies.get(n)).copied(),
        };
        self.positions.iter().enumerate().map(step).collect()
    }
}

/// The end of a repetition that `mover` completed, given whether the mover and the other side checked with every ply of
/// the cycle; `chase` is asked for the like where neither did.
pub(crate) fn verdict(mover: Seat, checks: (bool, bool), chase: impl FnOnce() -> (bool, bool)) -> Outcome {
    let (guilty, reason) = match checks {
        (false, false) => (chase(), Reason::PerpetualChase),
        checks => (checks, Reason::PerpetualCheck),
    };
    match guilty {
        (true, false) => Outcome::Win(mover.other(), reason),
        (false, true) => Outcome::Win(mover, reason),
        _ => Outcome::Draw(Reason::Repetition),
    }
}

/// [`verdict`] on a cycle of a search where only checks are judged.
pub(crate) fn verdict_on_checks<M>(mover: Seat, cycle: &[Step<M>]) -> Outcome {
    verdict(mover, Step::every_ply_checks(cycle), || (false, false))
}
