//! How games end.

use crate::Seat;

/// Why a game ended; the text form is part of the records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each variant is its own text")]
pub enum Reason {
    Checkmate,
    Stalemate,
    Resignation,
    Timeout,
    Agreement,
    Repetition,
    PerpetualCheck,
    PerpetualChase,
    NoProgress,
    InsufficientMaterial,
    Impasse,
    Five,
    Score,
    BoardFull,
    Grinding,
    KingKilled,
    KingExecuted,
    Negotiation,
    Points,
    BothKings,
    DayLimit,
    Abort,
}

impl Reason {
    /// The reason's text: lower-case words joined by hyphens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Resignation => "resignation",
            Reason::Timeout => "timeout",
            Reason::Agreement => "agreement",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual-check",
            Reason::PerpetualChase => "perpetual-chase",
            Reason::NoProgress => "no-progress",
            Reason::InsufficientMaterial => "insufficient-material",
            Reason::Impasse => "impasse",
            Reason::Five => "five",
            Reason::Score => "score",
            Reason::BoardFull => "board-full",
            Reason::Grinding => "grinding",
            Reason::KingKilled => "king-killed",
            Reason::KingExecuted => "king-executed",
            Reason::Negotiation => "negotiation",
            Reason::Points => "points",
            Reason::BothKings => "both-kings",
            Reason::DayLimit => "day-limit",
            Reason::Abort => "abort",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won. In a board game the side is its seat; in mafia it is the camp (0 White, 1 Black).
    Win(Seat, Reason),
    /// Nobody won.
    Draw(Reason),
    /// The game does not count.
    Void(Reason),
}

impl Outcome {
    /// Why the game ended.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Outcome::Win(_, r) | Outcome::Draw(r) | Outcome::Void(r) => r,
        }
    }
}

/// An ending that the table, not the rules, brings about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The seat gives up.
    Resign,
    /// The seat's time has run out.
    Timeout,
    /// Both agreed on a draw.
    Agreement,
    /// The game is called off.
    Abort,
}
