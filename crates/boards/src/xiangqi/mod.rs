//! The board of the xiangqi family: 9 files by 10 ranks, its pieces, their look-ups, FEN text and hash keys.
//!
//! Everything here is a pure function of points and sets of points, so that games whose pieces stack, change faces or
//! carry tokens can use it as they are.

pub mod attacks;
pub mod fen;
mod piece;
mod point;
mod set;
pub mod zobrist;

pub use piece::{Kind, Piece, Side};
pub use point::{ParsePointError, Point};
pub use set::PointSet;
