//! Standard algebraic notation, both ways.

use super::{captured, is_castling};
use cozy_chess::{Board, File, Move, Piece, Rank, Square};
use std::fmt::Write as _;
use xinqi_kernel::Reject;

/// Writes a legal move.
pub(super) fn write(board: &Board, mv: Move) -> String {
    let piece = board.piece_on(mv.from);
    let mut text = String::new();
    if is_castling(board, mv) {
        text.push_str(if mv.from.file() < mv.to.file() { "O-O" } else { "O-O-O" });
    } else {
        let capture = captured(board, mv).is_some();
        match piece {
            Some(Piece::Pawn) | None => {
                if capture {
                    text.push(mv.from.file().into());
                }
            }
            Some(piece) => {
                text.push(letter(piece));
                text.push_str(&origin(board, piece, mv));
            }
        }
        if capture {
            text.push('x');
        }
        let _ = write!(text, "{}", mv.to);
        if let Some(piece) = mv.promotion {
            text.push('=');
            text.push(letter(piece));
        }
    }
    let mut after = board.clone();
    after.play_unchecked(mv);
    if !after.checkers().is_empty() {
        text.push(if after.generate_moves(|_| true) { '+' } else { '#' });
    }
    text
}

/// As much of the square of departure as tells the move from others of like pieces to the same square.
fn origin(board: &Board, piece: Piece, mv: Move) -> String {
    let mut rivals = Vec::new();
    if piece != Piece::King {
        board.generate_moves_for(board.pieces(piece), |moves| {
            if moves.from != mv.from && moves.to.has(mv.to) {
                rivals.push(moves.from);
            }
            false
        });
    }
    let file = rivals.iter().any(|from| from.file() == mv.from.file());
    let rank = rivals.iter().any(|from| from.rank() == mv.from.rank());
    match (rivals.is_empty(), file, rank) {
        (true, ..) => String::new(),
        (false, false, _) => mv.from.file().to_string(),
        (false, true, false) => mv.from.rank().to_string(),
        (false, true, true) => mv.from.to_string(),
    }
}

fn letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}

/// Reads a move as people write it: check marks and glyphs (`+`, `#`, `!?`) may be missing or there, castling may be
/// written with zeros, `=` before the promotion piece and `x` may be missing, the origin may be fuller than needed.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reject> {
    let core = text.trim_end_matches(['!', '?', '+', '#']);
    let core = core.strip_suffix("e.p.").unwrap_or(core).trim_end();
    let wanted = parse(core).ok_or_else(|| Reject::malformed(format!("{text:?} is no move in SAN")))?;
    let mut found = Vec::new();
    board.generate_moves(|moves| {
        let piece = moves.piece;
        found.extend(moves.into_iter().filter(|&mv| wanted.fits(board, piece, mv)));
        false
    });
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(Reject::illegal(format!("{text} is not a legal move here"))),
        _ => Err(Reject::illegal(format!("{text} fits {} legal moves", found.len()))),
    }
}

/// What a SAN text says.
enum Wanted {
    Castling {
        short: bool,
    },
    Move {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Wanted {
    fn fits(&self, board: &Board, mover: Piece, mv: Move) -> bool {
        match *self {
            Wanted::Castling { short } => {
                is_castling(board, mv) && (mv.from.file() < mv.to.file()) == short
            }
            Wanted::Move {
                piece,
                file,
                rank,
                to,
                promotion,
            } => {
                !is_castling(board, mv)
                    && mover == piece
                    && mv.to == to
                    && mv.promotion == promotion
                    && file.is_none_or(|file| file == mv.from.file())
                    && rank.is_none_or(|rank| rank == mv.from.rank())
            }
        }
    }
}

fn parse(text: &str) -> Option<Wanted> {
    match text {
        "O-O" | "0-0" | "o-o" => return Some(Wanted::Castling { short: true }),
        "O-O-O" | "0-0-0" | "o-o-o" => return Some(Wanted::Castling { short: false }),
        _ => {}
    }
    let (text, piece) = match text.chars().next().and_then(piece_of) {
        Some(piece) => (&text[1..], piece),
        None => (text, Piece::Pawn),
    };
    let (text, promotion) = match text.chars().last().and_then(piece_of) {
        Some(piece) => (&text[..text.len() - 1], Some(piece)),
        None => (text, None),
    };
    let text = text.trim_end_matches('=');
    if !text.is_ascii() || text.len() < 2 {
        return None;
    }
    let (origin, to) = text.split_at(text.len() - 2);
    let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
    let (file, rank) = match *origin.as_bytes() {
        [] => (None, None),
        [one] => match char::from(one).try_into() {
            Ok(file) => (Some(file), None),
            Err(_) => (None, Some(char::from(one).try_into().ok()?)),
        },
        [file, rank] => (
            Some(char::from(file).try_into().ok()?),
            Some(char::from(rank).try_into().ok()?),
        ),
        _ => return None,
    };
    Some(Wanted::Move {
        piece,
        file,
        rank,
        to: to.parse().ok()?,
        promotion,
    })
}

fn piece_of(letter: char) -> Option<Piece> {
    match letter {
        'N' => Some(Piece::Knight),
        'B' => Some(Piece::Bishop),
        'R' => Some(Piece::Rook),
        'Q' => Some(Piece::Queen),
        'K' => Some(Piece::King),
        _ => None,
    }
}
