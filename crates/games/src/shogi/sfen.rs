//! SFEN. A diagram may lack kings (problems do); what no game could show is refused by name.

use super::moves::{HAND, attackers};
use haitaka::{Board, Color, File, Move, Piece, Rank, Square, king_attacks};
use std::fmt::Write as _;
use xinqi_kernel::SetupError;

/// What a diagram shows.
struct Diagram {
    pieces: Vec<(Square, Piece, Color)>,
    hands: [[u8; Piece::NUM]; Color::NUM],
    side: Color,
}

/// Reads a position and its move number. All fields after the side may be missing.
///
/// # Errors
/// Names the field that cannot be.
pub(super) fn read(text: &str) -> Result<(Board, u32), SetupError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.is_empty() || fields.len() > 4 {
        return Err(wrong(format!("{} fields, not 1 to 4", fields.len())));
    }
    let field = |n: usize, default| fields.get(n).copied().unwrap_or(default);
    let side = match field(1, "b") {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(wrong(format!("side {other:?} is neither b nor w"))),
    };
    let diagram = Diagram {
        pieces: read_placement(fields[0])?,
        hands: read_hands(field(2, "-"))?,
        side,
    };
    diagram.check_pieces()?;
    let number = match fields.get(3).map(|text| (text, text.parse::<u32>())) {
        None => 1 + u32::from(side == Color::White),
        Some((_, Ok(number @ 1..=99_999))) => number,
        Some((text, _)) => return Err(wrong(format!("move number {text:?} is no number from 1 to 99999"))),
    };
    Ok((diagram.build()?, number))
}

fn wrong(what: impl std::fmt::Display) -> SetupError {
    SetupError::new(format!("SFEN: {what}"))
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "sente",
        Color::White => "gote",
    }
}

fn read_placement(text: &str) -> Result<Vec<(Square, Piece, Color)>, SetupError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != Rank::NUM {
        return Err(wrong(format!("{} ranks, not 9", rows.len())));
    }
    let mut pieces = Vec::new();
    for (row, &rank) in rows.iter().zip(&Rank::ALL) {
        let mut passed = 0;
        let mut promoted = false;
        for c in row.chars() {
            if let (Some(gap @ 1..=9), false) = (c.to_digit(10), promoted) {
                passed += gap as usize;
                continue;
            }
            if c == '+' && !promoted {
                promoted = true;
                continue;
            }
            let Some((piece, color)) = Piece::try_from_char(c) else {
                return Err(wrong(format!("rank {rank} ({row}): {c:?} is no piece")));
            };
            if promoted && !piece.is_promotable() {
                return Err(wrong(format!("rank {rank} ({row}): {c} cannot be promoted")));
            }
            let piece = if promoted { piece.promote() } else { piece };
            promoted = false;
            if let Some(file) = 8usize.checked_sub(passed).and_then(File::try_index) {
                pieces.push((Square::new(file, rank), piece, color));
            }
            passed += 1;
        }
        if promoted {
            return Err(wrong(format!("rank {rank} ({row}): nothing follows the last +")));
        }
        if passed != File::NUM {
            return Err(wrong(format!("rank {rank} ({row}) has {passed} squares, not 9")));
        }
    }
    Ok(pieces)
}

fn read_hands(text: &str) -> Result<[[u8; Piece::NUM]; Color::NUM], SetupError> {
    let mut hands = [[0; Piece::NUM]; Color::NUM];
    if text == "-" {
        return Ok(hands);
    }
    let cannot = |what: String| wrong(format!("hands {text:?}: {what}"));
    let mut count = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            count.push(c);
            continue;
        }
        let (piece, color) = match Piece::try_from_char(c) {
            Some(found) if found.0 != Piece::King => found,
            _ => return Err(cannot(format!("{c:?} cannot be held in hand"))),
        };
        let held = match count.as_str() {
            "" => 1,
            digits => match digits.parse() {
                Ok(n @ 1..=18) => n,
                _ => return Err(cannot(format!("{digits} is no number from 1 to 18"))),
            },
        };
        count.clear();
        let slot = &mut hands[color as usize][piece as usize];
        if *slot != 0 {
            return Err(cannot(format!("{c} is given twice")));
        }
        *slot = held;
    }
    match count.as_str() {
        "" => Ok(hands),
        _ => Err(cannot("no piece follows the last number".to_owned())),
    }
}

impl Diagram {
    fn check_pieces(&self) -> Result<(), SetupError> {
        for piece in HAND {
            let held: u32 = self.hands.iter().map(|hand| u32::from(hand[piece as usize])).sum();
            let shown = self.pieces.iter().filter(|(_, p, _)| p.unpromote() == piece).count() as u32;
            let most = Piece::MAX_HAND[piece as usize];
            if held + shown > most.into() {
                let letter = piece.to_str(Color::Black);
                return Err(wrong(format!("{} of {letter}, more than {most}", held + shown)));
            }
        }
        for color in Color::ALL {
            let own = || self.pieces.iter().filter(move |(_, _, c)| *c == color);
            let kings = own().filter(|(_, piece, _)| *piece == Piece::King).count();
            if kings > 1 {
                return Err(wrong(format!("{} has {kings} kings, more than 1", name(color))));
            }
            let mut files = [false; File::NUM];
            for (square, piece, _) in own() {
                if piece.must_promote(color, *square) {
                    let letter = piece.to_str(color);
                    return Err(wrong(format!("{letter} on {square} could never move")));
                }
                if *piece == Piece::Pawn && std::mem::replace(&mut files[square.file() as usize], true) {
                    let file = square.file();
                    return Err(wrong(format!("{} has two pawns on file {file}", name(color))));
                }
            }
        }
        Ok(())
    }

    /// The crate reads no diagram that lacks kings, and sets checks and pins only by playing a ply. So the last ply is
    /// played here: the piece that checks by a step, if there is one, is put down last.
    fn build(&self) -> Result<Board, SetupError> {
        let mut shown = self.filled(blank(self.side));
        let king = |color| {
            let is_king = |&&(_, piece, c): &&(_, Piece, Color)| piece == Piece::King && c == color;
            self.pieces.iter().find(is_king).map(|(square, ..)| *square)
        };
        let kings = shown.pieces(Piece::King);
        if kings.into_iter().any(|king| !(king_attacks(Color::Black, king) & kings).is_empty()) {
            return Err(wrong("the kings touch"));
        }
        let mut last = self.pieces.iter().find(|(_, _, color)| *color != self.side);
        if let Some(square) = king(self.side) {
            let (steps, slides) = attackers(&shown, square, !self.side);
            if steps.len() > 1 || (steps | slides).len() > 2 {
                return Err(wrong("no ply could give all these checks at once"));
            }
            let step = steps.into_iter().next();
            let checks = |(square, ..): &&(Square, Piece, Color)| Some(*square) == step;
            last = self.pieces.iter().find(checks).or(last);
        }
        if let Some(&(to, piece, color)) = last {
            shown = self.filled(blank(color));
            shown.unchecked_put(color, piece, to);
            shown.take_in_hand(color, piece);
            shown.play_unchecked(Move::Drop { piece, to });
        }
        shown.set_move_number(1);
        Ok(shown)
    }

    fn filled(&self, mut board: Board) -> Board {
        for &(square, piece, color) in &self.pieces {
            board.unchecked_put(color, piece, square);
        }
        for color in Color::ALL {
            for piece in HAND {
                board.unchecked_set_hand(color, piece, self.hands[color as usize][piece as usize]);
            }
        }
        board
    }
}

/// An empty board with `side` to move. The crate turns the side over only where there is a king.
fn blank(side: Color) -> Board {
    let board = Board::default();
    if side == Color::Black {
        return board;
    }
    let mut turned = board;
    let at = Square::E5;
    turned.unchecked_put(Color::Black, Piece::King, at);
    let Some(mut turned) = turned.null_move() else {
        unreachable!("a lone king is not in check")
    };
    turned.unchecked_put(Color::Black, Piece::King, at);
    turned
}

/// Writes a position in its one form.
pub(super) fn write(board: &Board, number: u32) -> String {
    let mut text = String::with_capacity(100);
    for rank in Rank::ALL {
        let mut gap = 0;
        for file in File::ALL.into_iter().rev() {
            let Some(shown) = board.colored_piece_on(Square::new(file, rank)) else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                let _ = write!(text, "{gap}");
                gap = 0;
            }
            text.push_str(&shown.piece.to_str(shown.color));
        }
        if gap > 0 {
            let _ = write!(text, "{gap}");
        }
        text.push(if rank == Rank::I { ' ' } else { '/' });
    }
    text.push(board.side_to_move().into());
    text.push(' ');
    let before = text.len();
    for color in [Color::Black, Color::White] {
        for piece in HAND {
            match board.num_in_hand(color, piece) {
                0 => {}
                1 => text.push_str(&piece.to_str(color)),
                n => {
                    let _ = write!(text, "{n}{}", piece.to_str(color));
                }
            }
        }
    }
    if text.len() == before {
        text.push('-');
    }
    let _ = write!(text, " {number}");
    text
}
