//! A table: seats, clocks, offers and a game, as a fold over an append-only log of entries.
//!
//! Architecture invariant: a table does no I/O and reads no clock; time and chance come in with its entries, so that
//! the same log always gives the same table.

mod clock;
mod entry;
mod room;
mod table;

pub use clock::{Clock, Control, ControlError};
pub use entry::{Entry, Failure, Host, Opening, Player, What};
pub use table::{OpenError, Reader, Table};
