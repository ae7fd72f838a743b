//! USI text of plies.

use haitaka::{Move, Piece, Square};
use xinqi_kernel::Reject;

/// Reads a ply: `7g7f`, `8h2b+`, `P*5e`.
///
/// # Errors
/// `malformed`, with what is wrong.
pub(super) fn read(text: &str) -> Result<Move, Reject> {
    let malformed = |what: String| Reject::malformed(format!("{text:?}: {what}"));
    let square = |part: Option<&str>| {
        let part = part.unwrap_or_default();
        part.parse::<Square>()
            .map_err(|_| malformed(format!("{part:?} is no square of 9a…1i")))
    };
    if let Some((piece, to)) = text.split_once('*') {
        let piece = match piece {
            "P" => Piece::Pawn,
            "L" => Piece::Lance,
            "N" => Piece::Knight,
            "S" => Piece::Silver,
            "G" => Piece::Gold,
            "B" => Piece::Bishop,
            "R" => Piece::Rook,
            other => return Err(malformed(format!("{other:?} cannot be dropped, only P, L, N, S, G, B or R"))),
        };
        let to = square(Some(to))?;
        return Ok(Move::Drop { piece, to });
    }
    let (from, to) = (square(text.get(..2))?, square(text.get(2..4))?);
    if from == to {
        return Err(malformed("a move goes to another square".to_owned()));
    }
    let promotion = match &text[4..] {
        "" => false,
        "+" => true,
        other => return Err(malformed(format!("{other:?} after the squares is not +"))),
    };
    Ok(Move::BoardMove {
        from,
        to,
        promotion,
    })
}
