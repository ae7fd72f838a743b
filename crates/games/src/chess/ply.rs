//! The text of a ply: from, to and a promotion piece.

use cozy_chess::{Piece, Square};
use std::fmt;
use std::str::FromStr;
use xinqi_kernel::Reject;

/// A ply as its text has it: castling is the king's step of two (`e1g1`), in chess960 king takes rook.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Piece>,
}

impl FromStr for Ply {
    type Err = Reject;

    fn from_str(text: &str) -> Result<Ply, Reject> {
        let malformed = |what: &str| Reject::malformed(format!("{text:?}: {what}"));
        if !text.is_ascii() || !matches!(text.len(), 4 | 5) {
            return Err(malformed("a move is two squares, and q, r, b or n for a promotion"));
        }
        let square = |part: &str| {
            part.parse::<Square>()
                .map_err(|_| malformed(&format!("{part} is no square of a1…h8")))
        };
        let (from, to) = (square(&text[..2])?, square(&text[2..4])?);
        if from == to {
            return Err(malformed("a move goes to another square"));
        }
        let promotion = match &text[4..] {
            "" => None,
            "q" => Some(Piece::Queen),
            "r" => Some(Piece::Rook),
            "b" => Some(Piece::Bishop),
            "n" => Some(Piece::Knight),
            other => return Err(malformed(&format!("a pawn cannot become {other:?}, only q, r, b or n"))),
        };
        Ok(Ply { from, to, promotion })
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(piece) => write!(f, "{piece}"),
            None => Ok(()),
        }
    }
}
