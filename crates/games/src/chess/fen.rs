//! Forsyth–Edwards notation. Castling rights are read as `KQkq` (in chess960 the outermost rook) or as the rook's file
//! and written as `KQkq` where that says it; an en-passant square is written when a legal capture uses it.

use super::en_passant_square;
use cozy_chess::{
    BitBoard, Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square,
};
use std::fmt::Write as _;
use xinqi_kernel::SetupError;

/// Reads a position. All fields after the side may be missing.
///
/// # Errors
/// Names the field that cannot be.
pub(super) fn read(text: &str, chess960: bool) -> Result<Board, SetupError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.is_empty() || fields.len() > 6 {
        return Err(wrong(format!("{} fields, not 1 to 6", fields.len())));
    }
    let field = |n: usize, default| fields.get(n).copied().unwrap_or(default);
    let mut setup = BoardBuilder::empty();
    read_placement(&mut setup, fields[0])?;
    setup.side_to_move = match field(1, "w") {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(wrong(format!("side {other:?} is neither w nor b"))),
    };
    check_pieces(&setup)?;
    read_castling(&mut setup, field(2, "-"), chess960)?;
    setup.en_passant = match field(3, "-") {
        "-" => None,
        text => Some(
            text.parse()
                .map_err(|_| wrong(format!("en-passant field {text:?} is neither a square nor -")))?,
        ),
    };
    let clock = field(4, "0");
    setup.halfmove_clock = match clock.parse() {
        Ok(n) if n <= 100 => n,
        _ => return Err(wrong(format!("halfmove clock {clock:?} is no number from 0 to 100"))),
    };
    let number = field(5, "1");
    setup.fullmove_number = match number.parse() {
        Ok(n) if n > 0 => n,
        _ => return Err(wrong(format!("move number {number:?} is no number from 1 to {}", u16::MAX))),
    };
    let board = setup.build().map_err(|error| match error {
        BoardBuilderError::InvalidEnPassant => wrong(format!(
            "en-passant field {:?}: no pawn has just passed there",
            field(3, "-")
        )),
        BoardBuilderError::InvalidBoard => wrong("the side that is not to move stands in check"),
        other => wrong(other.to_string()),
    })?;
    match board.checkers().len() {
        0..=2 => Ok(board),
        n => Err(wrong(format!("{n} pieces give check at once"))),
    }
}

fn wrong(what: impl std::fmt::Display) -> SetupError {
    SetupError::new(format!("FEN: {what}"))
}

fn read_placement(setup: &mut BoardBuilder, text: &str) -> Result<(), SetupError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != Rank::NUM {
        return Err(wrong(format!("{} ranks, not 8", rows.len())));
    }
    for (row, rank) in rows.iter().zip(Rank::ALL.iter().rev()) {
        let mut file = 0;
        for c in row.chars() {
            if let Some(gap @ 1..=8) = c.to_digit(10) {
                file += gap as usize;
                continue;
            }
            let piece = Piece::try_from(c.to_ascii_lowercase())
                .map_err(|_| wrong(format!("rank {rank} ({row}): {c:?} is no piece")))?;
            let color = match c.is_ascii_uppercase() {
                true => Color::White,
                false => Color::Black,
            };
            if let Some(at) = File::try_index(file) {
                *setup.square_mut(Square::new(at, *rank)) = Some((piece, color));
            }
            file += 1;
        }
        if file != File::NUM {
            return Err(wrong(format!("rank {rank} ({row}) has {file} squares, not 8")));
        }
    }
    Ok(())
}

fn check_pieces(setup: &BoardBuilder) -> Result<(), SetupError> {
    for color in Color::ALL {
        let name = match color {
            Color::White => "White",
            Color::Black => "Black",
        };
        let count = |piece| {
            let same = |p: &&Option<(Piece, Color)>| **p == Some((piece, color));
            setup.board.iter().filter(same).count()
        };
        let total: usize = Piece::ALL.into_iter().map(count).sum();
        match count(Piece::King) {
            1 => {}
            n => return Err(wrong(format!("{name} has {n} kings, not 1"))),
        }
        if count(Piece::Pawn) > 8 {
            return Err(wrong(format!("{name} has {} pawns, more than 8", count(Piece::Pawn))));
        }
        if total > 16 {
            return Err(wrong(format!("{name} has {total} pieces, more than 16")));
        }
    }
    for square in BitBoard::from(Rank::First) | BitBoard::from(Rank::Eighth) {
        if let Some((Piece::Pawn, _)) = setup.square(square) {
            return Err(wrong(format!("a pawn stands on {square}")));
        }
    }
    Ok(())
}

fn read_castling(setup: &mut BoardBuilder, text: &str, chess960: bool) -> Result<(), SetupError> {
    if text == "-" {
        return Ok(());
    }
    for c in text.chars() {
        let cannot = |why: &str| wrong(format!("castling right {c:?}: {why}"));
        let color = match c.is_ascii_uppercase() {
            true => Color::White,
            false => Color::Black,
        };
        let back = Rank::First.relative_to(color);
        let king = File::ALL
            .into_iter()
            .find(|&file| setup.square(Square::new(file, back)) == Some((Piece::King, color)))
            .ok_or_else(|| cannot("the king is not on its back rank"))?;
        let rooks = File::ALL
            .into_iter()
            .filter(|&file| setup.square(Square::new(file, back)) == Some((Piece::Rook, color)));
        let rook = match c.to_ascii_lowercase() {
            'k' => rooks.filter(|&file| file > king).max(),
            'q' => rooks.filter(|&file| file < king).min(),
            c => {
                let named = File::try_from(c).map_err(|_| cannot("it is none of KQkq, a file or -"))?;
                rooks.into_iter().find(|&file| file == named)
            }
        }
        .ok_or_else(|| cannot("no rook stands there"))?;
        let home = king == File::E && matches!(rook, File::A | File::H);
        if !chess960 && !home {
            return Err(cannot("the king is not on the e-file with a rook in the corner"));
        }
        let rights = setup.castle_rights_mut(color);
        let right = match king < rook {
            true => &mut rights.short,
            false => &mut rights.long,
        };
        if right.replace(rook).is_some() {
            return Err(cannot("that side's right is given twice"));
        }
    }
    Ok(())
}

/// Writes a position in its one form.
pub(super) fn write(board: &Board, chess960: bool) -> String {
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        let mut gap = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some(piece) = board.piece_on(square) else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                let _ = write!(text, "{gap}");
                gap = 0;
            }
            let letter = char::from(piece);
            text.push(match board.colors(Color::White).has(square) {
                true => letter.to_ascii_uppercase(),
                false => letter,
            });
        }
        if gap > 0 {
            let _ = write!(text, "{gap}");
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text.push(' ');
    text.push(board.side_to_move().into());
    text.push(' ');
    write_castling(board, chess960, &mut text);
    match en_passant_square(board) {
        Some(square) => {
            let _ = write!(text, " {square}");
        }
        None => text.push_str(" -"),
    }
    let _ = write!(text, " {} {}", board.halfmove_clock(), board.fullmove_number());
    text
}

fn write_castling(board: &Board, chess960: bool, text: &mut String) {
    let before = text.len();
    for color in Color::ALL {
        let back = Rank::First.relative_to(color);
        let rooks = board.colored_pieces(color, Piece::Rook) & BitBoard::from(back);
        let rights = board.castle_rights(color);
        for (right, letter) in [(rights.short, 'k'), (rights.long, 'q')] {
            let Some(file) = right else { continue };
            let outermost = rooks.into_iter().all(|rook| match letter {
                'k' => rook.file() <= file,
                _ => rook.file() >= file,
            });
            let letter = match chess960 && !outermost {
                true => file.into(),
                false => letter,
            };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    if text.len() == before {
        text.push('-');
    }
}
