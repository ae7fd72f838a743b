//! Mechanisms: games over any game whose plies can be committed to. Nothing about any base is known here.

mod context;
mod pool;
mod premove;

pub use pool::{Chooser, POOL_OPTIONS, Pool};
pub use premove::{PREMOVE_OPTIONS, Premove};
