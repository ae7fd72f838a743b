//! The vocabulary that every rule set, mechanism, table and engine shares. It knows no game and does no I/O.

mod evaluate;
mod event;
mod game;
mod options;
mod outcome;
mod reject;
mod seat;
mod weights;

pub use evaluate::{Evaluate, Step};
pub use event::{Audience, Event, Events};
pub use game::{
    Change, Committable, Game, Hint, Pace, Redeal, RuleSet, Setup, SetupError, Tree, Turn, Viewer, Voice,
    perft, rng,
};
pub use options::{Kind, OptionError, OptionSpec, Options};
pub use outcome::{Ending, Outcome, Reason};
pub use reject::{Code, Reject};
pub use seat::{Seat, SeatSet};
pub use weights::{Tunable, Weights};
