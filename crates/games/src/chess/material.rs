//! Which material can still win.

use cozy_chess::{BitBoard, Board, Color, Piece};

/// Whether some sequence of legal moves could let `color` mate, as far as material alone tells.
pub(super) fn can_win(board: &Board, color: Color) -> bool {
    let own = board.colors(color);
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !(own & heavy).is_empty() {
        return true;
    }
    let knights = board.pieces(Piece::Knight);
    if !(own & knights).is_empty() {
        // A lone knight needs an enemy piece that walls its own king in; a queen never does.
        let walls = board.colors(!color) & !board.pieces(Piece::King) & !board.pieces(Piece::Queen);
        return own.len() > 2 || !walls.is_empty();
    }
    let bishops = board.pieces(Piece::Bishop);
    if (own & bishops).is_empty() {
        return false;
    }
    let one_colour =
        (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
    !one_colour || !board.pieces(Piece::Pawn).is_empty() || !knights.is_empty()
}
