//! How long and how well to think.

use crate::memory::Memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bounds on one decision; whichever is met first ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Positions looked at.
    pub nodes: u64,
    /// Plies looked ahead; `u32::MAX` for any.
    pub depth: u32,
    /// Plies up to which every line is looked at, however little it promises: a mate as near as that is never missed.
    pub wide: u32,
    /// Wall time.
    pub time: Option<Duration>,
    /// The clock that the seat plays by: the decision takes what share of it is wise.
    pub clock: Option<Clock>,
    /// So many best plies are told of, each with its line.
    pub multipv: usize,
    /// Threads that think together. With one, and no bound on time, the decision depends on the seed alone.
    pub threads: usize,
    /// What is remembered from the decisions before; none starts afresh.
    pub memory: Option<Memory>,
    /// Plies that may not be played, as their canonical texts.
    pub banned: Vec<String>,
    /// Hundredths of a pawn by which a ply may be misjudged: what makes low levels human.
    pub noise: i32,
    /// All chance in the decision.
    pub seed: u64,
    /// Set from outside to end it at once.
    pub stop: Stop,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: u64::MAX,
            depth: u32::MAX,
            wide: 0,
            time: None,
            clock: None,
            multipv: 1,
            threads: 1,
            memory: None,
            banned: Vec::new(),
            noise: 0,
            seed: 0,
            stop: Stop::default(),
        }
    }
}

impl Limits {
    /// Positions that stand for a ply of depth where an engine samples.
    const SAMPLES: u64 = 20_000;

    /// The bounds of a level from 1 (loses to a beginner who knows the moves) to 10 (all there is).
    #[must_use]
    pub fn level(level: u8, seed: u64) -> Limits {
        let (nodes, depth, noise) = match level {
            0 | 1 => (600, 1, 400),
            2 => (1_200, 1, 160),
            3 => (2_500, 2, 70),
            4 => (6_000, 2, 15),
            5 => (10_000, 4, 0),
            6 => (20_000, 5, 0),
            7 => (60_000, u32::MAX, 0),
            8 => (200_000, u32::MAX, 0),
            9 => (800_000, u32::MAX, 0),
            _ => (u64::MAX, u32::MAX, 0),
        };
        // Where positions take long (playouts, rows of five), time alone tells the last two apart.
        let seconds = if level == 9 { 2 } else { 5 };
        Limits {
            nodes,
            depth,
            noise,
            seed,
            time: Some(Duration::from_secs(seconds)),
            ..Limits::default()
        }
    }

    /// The bounds of a part of the decision that takes `share` of it.
    #[must_use]
    pub fn part(&self, share: f64) -> Limits {
        let (soft, hard) = self.budget();
        let time = soft.or(hard).map(|time| time.mul_f64(share));
        // No engine here looks at more positions in a millisecond; a small bound keeps its tables small.
        let most = time.map_or(u64::MAX, |time| 5_000 * (time.as_millis() as u64 + 1));
        Limits {
            nodes: ((self.nodes as f64 * share) as u64).clamp(1, most),
            time,
            clock: None,
            memory: None,
            ..self.clone()
        }
    }

    /// These bounds for an engine that samples instead of looking ahead ply by ply: depth alone, which would never end
    /// it, becomes a bound on positions.
    #[must_use]
    pub fn in_samples(&self) -> Limits {
        let mut limits = self.clone();
        if self.depth < u32::MAX && self.budget() == (None, None) {
            limits.nodes = self.nodes.min(Limits::SAMPLES * u64::from(self.depth));
        }
        limits
    }

    /// The time after which no more is begun, and the time at which all ends, where there are such.
    #[must_use]
    pub fn budget(&self) -> (Option<Duration>, Option<Duration>) {
        let Some(clock) = self.clock else {
            return (None, self.time);
        };
        let (soft, hard) = clock.budget();
        let within = |time: Duration| self.time.map_or(time, |most| time.min(most));
        (Some(within(soft)), Some(within(hard)))
    }
}

/// What a seat's clock shows when its decision is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time that each ply, or a new period, adds.
    pub increment: Duration,
    /// Plies until more time comes, where the control says so.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Plies that a game is taken to go on for, where the control does not say.
    const HORIZON: u32 = 32;
    /// What may pass between a decision and the clock's hearing of it.
    const LAG: Duration = Duration::from_millis(20);

    fn budget(self) -> (Duration, Duration) {
        let plies = self
            .moves_to_go
            .map_or(Clock::HORIZON, |n| n.clamp(1, Clock::HORIZON));
        // On the last ply before more time comes, nothing is left to save for but the lag.
        let usable = self.remaining.saturating_sub(Clock::LAG.min(self.remaining / 2));
        let share = usable / plies + self.increment * 3 / 4;
        let hard = (share * 4).min(usable * 3 / 4);
        (share.mul_f64(0.6).min(hard), hard)
    }
}

/// A flag that ends a decision from another thread.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends every decision that watches this flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been raised.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Progress of a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Which of the best plies this is about, from 1: see [`Limits::multipv`].
    pub multipv: usize,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Value for the seat that thinks, in hundredths of a pawn.
    pub score: i32,
    /// Plies to mate (negative: to being mated), where one was found.
    pub mate: Option<i32>,
    /// Positions looked at so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// The line expected, as canonical ply texts.
    pub line: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_overdrawn() {
        for ms in [0, 1, 15, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let clock = Clock {
                        remaining: Duration::from_millis(ms),
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                    };
                    let limits = Limits {
                        clock: Some(clock),
                        ..Limits::default()
                    };
                    let (Some(soft), Some(hard)) = limits.budget() else {
                        panic!("a clock bounds the time")
                    };
                    assert!(
                        soft <= hard && hard <= clock.remaining,
                        "{clock:?}: {soft:?}, {hard:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn longer_clocks_give_longer_thoughts() {
        let soft = |ms, increment| {
            let clock = Clock {
                remaining: Duration::from_millis(ms),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            };
            clock.budget().0
        };
        assert!(soft(60_000, 0) < soft(120_000, 0));
        assert!(soft(60_000, 0) < soft(60_000, 1_000));
    }
}
