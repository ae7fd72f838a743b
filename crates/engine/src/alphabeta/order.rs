//! Which plies are tried first: what has proved good lately, by the kind of ply and by what it answers.

use xinqi_kernel::{Evaluate, Seat};

/// A ply to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Higher is tried sooner.
    pub(super) rank: i32,
    pub(super) tactical: bool,
    pub(super) trace: u16,
    /// What history says of it, 0 of tactical plies.
    pub(super) history: i32,
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

/// What quiet plies have proved, and which ply refuted which.
pub(super) struct History<M> {
    traces: usize,
    plain: Vec<i16>,
    /// By the ply before, and by the own ply before that.
    follow: [Vec<i16>; 2],
    counters: Vec<Option<M>>,
}

/// The traces of the last two plies, where there were any.
pub(super) type Before = [Option<u16>; 2];

impl<M: Copy + PartialEq> History<M> {
    pub(super) fn new<G: Evaluate<Move = M>>() -> Self {
        let traces = G::TRACES;
        History {
            traces,
            plain: vec![0; 2 * traces],
            follow: [vec![0; traces * traces], vec![0; traces * traces]],
            counters: vec![None; traces],
        }
    }

    pub(super) fn value(&self, side: Seat, before: Before, trace: u16) -> i32 {
        let mut value = i32::from(self.plain[side.index() * self.traces + trace as usize]);
        for (table, before) in self.follow.iter().zip(before) {
            if let Some(before) = before {
                value += i32::from(table[before as usize * self.traces + trace as usize]);
            }
        }
        value
    }

    pub(super) fn update(&mut self, side: Seat, before: Before, trace: u16, bonus: i32) {
        let nudge = |value: &mut i16| {
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / MOST) as i16;
        };
        nudge(&mut self.plain[side.index() * self.traces + trace as usize]);
        for (table, before) in self.follow.iter_mut().zip(before) {
            if let Some(before) = before {
                nudge(&mut table[before as usize * self.traces + trace as usize]);
            }
        }
    }

    pub(super) fn counter(&self, before: Before) -> Option<M> {
        self.counters[before[0]? as usize]
    }

    pub(super) fn set_counter(&mut self, before: Before, mv: M) {
        if let Some(before) = before[0] {
            self.counters[before as usize] = Some(mv);
        }
    }
}
