//! Mafia's rules made executable.

mod examples;
mod nights;
mod second;
mod table;
