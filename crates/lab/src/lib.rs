//! The laboratory: games between engines, and what they say.

mod contest;
mod contestant;
mod journal;
mod opening;
mod statistics;

pub use contest::{Contest, Game, Pace};
pub use contestant::{Budget, Contestant, ContestantError};
pub use journal::{Journal, JournalError};
pub use statistics::{Pairs, Score, Sprt, Verdict, wilson};
