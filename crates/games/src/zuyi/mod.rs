//! 组合易位象棋: own pieces may share a point as a stack, and two own stacks may trade members.
//!
//! The kernel's traits stand in [`game`]; the rules proper in `position` and `plies`.

mod evaluate;
mod game;
mod members;
mod notation;
mod plies;
mod position;
mod text;

pub use evaluate::Weights;
pub use game::{State, View, Zuyi};
pub use members::{Kinds, MOST, Members};
pub use plies::Ply;
pub use position::{Position, Undo};
pub use text::Intent;
