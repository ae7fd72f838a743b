//! Mechanisms: games over any game whose plies can be committed to. Nothing about any base is known here.

mod baseline;
mod context;
mod plan;
mod pool;
mod premove;

pub use plan::Planned;
pub use pool::{Chooser, POOL_OPTIONS, Pool};
pub use premove::{PREMOVE_OPTIONS, Premove};
