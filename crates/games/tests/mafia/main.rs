//! Mafia's rules made executable.

mod bots;
mod examples;
mod laws;
mod nights;
mod rules;
mod second;
mod secrets;
mod table;
