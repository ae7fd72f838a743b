//! Mafia's rules made executable.

mod examples;
mod laws;
mod nights;
mod rules;
mod second;
mod secrets;
mod table;
