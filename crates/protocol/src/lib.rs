//! The protocols between engines and the programs that use them, from both ends: [`serve`] answers as an engine,
//! [`External`] drives an engine of somebody else's.
//!
//! A dialect is a module. `uci`, `ucci` and `usi` share a [`session::Session`]; `gtp` has its own, for it never thinks
//! while it listens.

mod external;
mod gtp;
mod rules_text;
mod search;
mod session;
mod spelling;
mod ucci;
mod uci;
mod usi;

pub use external::{Budget, Engine, EngineError, External, Fault, Question, end_all};

use session::Dialect;
use std::io::{BufRead, Write};
use std::str::FromStr;
use std::sync::Arc;
use xinqi_registry::Rules;

/// A protocol's dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The universal chess interface.
    Uci,
    /// The universal Chinese chess protocol.
    Ucci,
    /// The universal shogi interface.
    Usi,
    /// The Go text protocol.
    Gtp,
}

impl Protocol {
    /// Every protocol with its name.
    pub const ALL: [(&str, Protocol); 4] = [
        ("uci", Protocol::Uci),
        ("ucci", Protocol::Ucci),
        ("usi", Protocol::Usi),
        ("gtp", Protocol::Gtp),
    ];

    /// The protocol that programs for the board of `rules` speak.
    #[must_use]
    pub fn usual(rules: &dyn Rules) -> Protocol {
        match (rules.board(), rules.mechanism()) {
            ("shogi", _) => Protocol::Usi,
            ("go" | "gomoku", None) => Protocol::Gtp,
            _ => Protocol::Uci,
        }
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Protocol, String> {
        let found = Protocol::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, protocol)| *protocol).ok_or_else(|| {
            let known = Protocol::ALL.map(|(name, _)| name);
            format!("unknown protocol {text:?}; known: {}", known.join(", "))
        })
    }
}

/// Answers as an engine for `rules` until the input ends or says to quit.
///
/// # Errors
/// Why these rules cannot be spoken of in this protocol, or what is wrong with the streams.
pub fn serve(
    protocol: Protocol,
    rules: Arc<dyn Rules>,
    input: impl BufRead,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    match protocol {
        Protocol::Uci => uci::Uci::new(rules, Box::new(output))?.run(input)?,
        Protocol::Ucci => ucci::Ucci::new(rules, Box::new(output))?.run(input)?,
        Protocol::Usi => usi::Usi::new(rules, Box::new(output))?.run(input)?,
        Protocol::Gtp => gtp::Gtp::new(rules)?.run(input, output)?,
    }
    Ok(())
}

/// Why an engine cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The protocol has no words for these rules.
    #[error("{0}")]
    Rules(String),
    /// The streams broke.
    #[error(transparent)]
    Streams(#[from] std::io::Error),
}
