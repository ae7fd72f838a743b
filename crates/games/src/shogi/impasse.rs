//! Declaring an impasse (base rules, "Impasse by declaration").

use super::moves::HAND;
use haitaka::{Board, Color, Piece, prom_zone};

/// Pieces besides the king that must stand in the zone.
const COMPANY: u32 = 10;

/// Whether the side to move may declare.
///
/// # Errors
/// Says which condition does not hold.
pub(super) fn may_declare(board: &Board) -> Result<(), String> {
    let color = board.side_to_move();
    let inside = board.colors(color) & prom_zone(color);
    if (inside & board.pieces(Piece::King)).is_empty() {
        return Err("the king is not in the enemy camp".to_owned());
    }
    if !board.checkers().is_empty() {
        return Err("the king is in check".to_owned());
    }
    let company = inside.len() - 1;
    if company < COMPANY {
        return Err(format!("{company} pieces besides the king are in the enemy camp, not {COMPANY}"));
    }
    let wanted = match color {
        Color::Black => 28,
        Color::White => 27,
    };
    let on_board: u32 = Piece::ALL
        .into_iter()
        .map(|piece| (inside & board.pieces(piece)).len() * points(piece))
        .sum();
    let in_hand: u32 = HAND
        .into_iter()
        .map(|piece| u32::from(board.num_in_hand(color, piece)) * points(piece))
        .sum();
    match on_board + in_hand {
        sum if sum >= wanted => Ok(()),
        sum => Err(format!("{sum} points, not {wanted}")),
    }
}

/// Five for a rook or bishop, one for any other piece but the king.
fn points(piece: Piece) -> u32 {
    match piece.unpromote() {
        Piece::King => 0,
        Piece::Rook | Piece::Bishop => 5,
        _ => 1,
    }
}
