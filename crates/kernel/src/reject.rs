//! Why an action was refused.

use std::fmt;

/// The kind of a refusal; its text form is part of the command line's contract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// The text does not parse, or has the wrong number of plies.
    Malformed,
    /// The first word names no action of this game.
    UnknownAction,
    /// Another seat is to act.
    NotYourTurn,
    /// It parses, but is not asked for now.
    NotAvailable,
    /// It is asked for, but is no legal ply.
    Illegal,
    /// The game has ended.
    GameOver,
}

impl Code {
    /// The code's text: lower-case words joined by hyphens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::Malformed => "malformed",
            Code::UnknownAction => "unknown-action",
            Code::NotYourTurn => "not-your-turn",
            Code::NotAvailable => "not-available",
            Code::Illegal => "illegal",
            Code::GameOver => "game-over",
        }
    }
}

/// A refusal: nothing has changed. The message may depend only on what the actor may know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reject {
    /// The kind, for programs.
    pub code: Code,
    /// One line of English, for people at a terminal.
    pub message: String,
}

impl Reject {
    /// A refusal of kind `code` that says `message`.
    pub fn new(code: Code, message: impl Into<String>) -> Reject {
        Reject {
            code,
            message: message.into(),
        }
    }

    /// The text does not parse.
    pub fn malformed(message: impl Into<String>) -> Reject {
        Reject::new(Code::Malformed, message)
    }

    /// The ply is not legal.
    pub fn illegal(message: impl Into<String>) -> Reject {
        Reject::new(Code::Illegal, message)
    }

    /// The action is not asked for now.
    pub fn not_available(message: impl Into<String>) -> Reject {
        Reject::new(Code::NotAvailable, message)
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Reject {}
