//! The rules of wangqi and qixi against literal readings of their definitions.

mod board;
mod negotiation;
mod qixi;
mod table;
mod thinking;
mod wangqi;
