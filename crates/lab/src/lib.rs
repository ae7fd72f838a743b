//! The laboratory: games between engines, and what they say.

mod contest;
mod contestant;
mod journal;
mod opening;
mod report;
mod statistics;
mod study;
mod tune;

pub use contest::{Contest, Game, Pace};
pub use contestant::{Budget, Contestant, ContestantError, Given};
pub use journal::{Journal, JournalError};
pub use opening::Opening;
pub use statistics::{Mean, Pairs, Score, Sprt, Verdict, wilson};
pub use study::{DECISIVE, Findings, Played, Share, Study};
pub use tune::{Tune, TuneError, Tuned};
