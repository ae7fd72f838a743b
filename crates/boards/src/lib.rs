//! Geometry shared by the boards: points, look-ups, FEN-like text; no rules of any one game.

pub mod stones;
pub mod xiangqi;
