//! Chess and shogi, which stand on public crates: the rules as tables, other programs' fixtures, and laws.

mod chess;
mod common;
mod shogi;
