//! Which plies are tried first: what has proved good lately, by the kind of ply and by what it answers.

use xinqi_kernel::Seat;

/// A ply to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Higher is tried sooner.
    pub(super) rank: i32,
    pub(super) tactical: bool,
    pub(super) trace: u16,
    /// What history says of it.
    pub(super) history: i32,
    /// It has been searched, not passed over.
    pub(super) tried: bool,
}

/// The best ply known from the table.
pub(super) const HASH: i32 = 1 << 30;
/// Tactical plies that do not lose material.
pub(super) const GOOD: i32 = 1 << 28;
pub(super) const KILLER: i32 = 1 << 26;
/// Tactical plies that lose material come last.
pub(super) const BAD: i32 = -(1 << 28);

/// The limit of a history value.
const MOST: i32 = 16_384;

/// Moves the most promising of the plies from `i` on to `i`.
pub(super) fn pick<M: Copy>(list: &mut [Candidate<M>], i: usize) -> Candidate<M> {
    let mut best = i;
    for j in i + 1..list.len() {
        if list[j].rank > list[best].rank {
            best = j;
        }
    }
    list.swap(i, best);
    list[i]
}

/// What plies have proved, and which ply refuted which.
#[derive(Debug)]
pub(crate) struct History {
    traces: usize,
    /// By side, of quiet plies and of tactical ones.
    plain: [Vec<i16>; 2],
    /// Of quiet plies by the ply before, and by the own ply before that.
    follow: [Vec<i16>; 2],
    /// Codes of refutations; 0 where none is known.
    counters: Vec<u32>,
}

/// The traces of the last two plies, where there were any.
pub(super) type Before = [Option<u16>; 2];

impl History {
    /// Of a game with so many kinds of plies.
    pub(super) fn new(traces: usize) -> Self {
        History {
            traces,
            plain: std::array::from_fn(|_| vec![0; 2 * traces]),
            follow: std::array::from_fn(|_| vec![0; traces * traces]),
            counters: vec![0; traces],
        }
    }

    /// Whether it is of a game with so many kinds of plies.
    pub(super) fn fits(&self, traces: usize) -> bool {
        self.traces == traces
    }

    fn at(&self, side: Seat, trace: u16) -> usize {
        side.index() * self.traces + trace as usize
    }

    /// Of a quiet ply.
    pub(super) fn quiet(&self, side: Seat, before: Before, trace: u16) -> i32 {
        let mut value = i32::from(self.plain[0][self.at(side, trace)]);
        for (table, before) in self.follow.iter().zip(before) {
            if let Some(before) = before {
                value += i32::from(table[before as usize * self.traces + trace as usize]);
            }
        }
        value
    }

    /// Of a tactical ply.
    pub(super) fn tactical(&self, side: Seat, trace: u16) -> i32 {
        i32::from(self.plain[1][self.at(side, trace)])
    }

    pub(super) fn update(&mut self, side: Seat, before: Before, trace: u16, tactical: bool, bonus: i32) {
        let nudge = |value: &mut i16| {
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / MOST) as i16;
        };
        let at = self.at(side, trace);
        nudge(&mut self.plain[usize::from(tactical)][at]);
        if tactical {
            return;
        }
        for (table, before) in self.follow.iter_mut().zip(before) {
            if let Some(before) = before {
                nudge(&mut table[before as usize * self.traces + trace as usize]);
            }
        }
    }

    pub(super) fn counter(&self, before: Before) -> u32 {
        before[0].map_or(0, |before| self.counters[before as usize])
    }

    pub(super) fn set_counter(&mut self, before: Before, code: u32) {
        if let Some(before) = before[0] {
            self.counters[before as usize] = code;
        }
    }
}
