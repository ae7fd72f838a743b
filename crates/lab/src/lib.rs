//! The laboratory: games between engines, and what they say.

mod contest;
mod contestant;
mod statistics;

pub use contest::{Contest, Game, play_game};
pub use contestant::{Budget, Contestant, ContestantError};
pub use statistics::{Score, wilson};
