//! How long and how well to think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bounds on one decision; whichever is met first ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Positions looked at.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// Wall time.
    pub time: Option<Duration>,
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
            depth: 99,
            time: None,
            noise: 0,
            seed: 0,
            stop: Stop::default(),
        }
    }
}

impl Limits {
    /// The bounds of a level from 1 (loses to a beginner who knows the moves) to 10 (all there is).
    #[must_use]
    pub fn level(level: u8, seed: u64) -> Limits {
        let (nodes, depth, noise) = match level {
            0 | 1 => (200, 1, 250),
            2 => (1_000, 1, 120),
            3 => (4_000, 2, 60),
            4 => (10_000, 3, 30),
            5 => (30_000, 4, 15),
            6 => (100_000, 6, 0),
            7 => (300_000, 99, 0),
            8 => (1_000_000, 99, 0),
            9 => (3_000_000, 99, 0),
            _ => (10_000_000, 99, 0),
        };
        Limits {
            nodes,
            depth,
            noise,
            seed,
            time: Some(Duration::from_secs(5)),
            ..Limits::default()
        }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.time.map(|time| Instant::now() + time)
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
