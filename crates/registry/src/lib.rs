//! The one crate that names every rule set: it reads rule-set text and erases types.
//!
//! Architecture invariant: a state never leaves this crate as anything but a [`Wire`], and a `Wire` is made only from
//! a view, from an event filtered by its audience, or from hints (see [`Play`]).

mod erase;
mod list;
mod play;
mod spec;

pub use list::{Listing, list, parse};
pub use play::{Failed, Play, Rules, Told, Tuning, Wire};

/// A rule-set text that cannot be taken; names the offending part and lists what is known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RulesError(String);

impl RulesError {
    pub(crate) fn new(message: impl Into<String>) -> RulesError {
        RulesError(message.into())
    }
}
