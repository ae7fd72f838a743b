//! FEN-like text: ten rows from rank 9 down, then side, two fields that a game may use, and two counters.

use super::{Kind, Piece, Point, Side};
use std::fmt;
use xinqi_kernel::SetupError;

const MAX_LEN: usize = 512;
const MAX_COUNT: u32 = 99_999;

/// A FEN taken apart; the rows and the third field are the game's to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fen<'a> {
    /// The ten rows, joined by slashes.
    pub rows: &'a str,
    /// The side to move.
    pub side: Side,
    /// The third field: runs, rights, or `-`.
    pub extra: &'a str,
    /// Plies since the last capture.
    pub captureless: u32,
    /// The move number, from 1.
    pub number: u32,
}

impl<'a> Fen<'a> {
    /// Takes `text` apart. Trailing fields may be missing; `r` is read as Red to move.
    ///
    /// # Errors
    /// Names the field that is wrong.
    pub fn parse(text: &'a str) -> Result<Fen<'a>, SetupError> {
        if text.len() > MAX_LEN {
            return Err(SetupError::new(format!("FEN: longer than {MAX_LEN} bytes")));
        }
        let mut fields = text.split_ascii_whitespace();
        let Some(rows) = fields.next() else {
            return Err(SetupError::new("FEN: empty"));
        };
        let side = match fields.next() {
            Some("w" | "r") => Side::Red,
            Some("b") => Side::Black,
            Some(other) => {
                return Err(SetupError::new(format!(
                    "FEN: side to move is w or b, not {}",
                    quote(other)
                )));
            }
            None => return Err(SetupError::new("FEN: side to move is missing")),
        };
        let extra = fields.next().unwrap_or("-");
        if let Some(other) = fields.next().filter(|&f| f != "-") {
            return Err(SetupError::new(format!(
                "FEN: fourth field is -, not {}",
                quote(other)
            )));
        }
        let captureless = count("plies since the last capture", fields.next(), 0)?;
        let number = count("move number", fields.next(), 1)?;
        if let Some(other) = fields.next() {
            return Err(SetupError::new(format!(
                "FEN: more than six fields, from {}",
                quote(other)
            )));
        }
        Ok(Fen {
            rows,
            side,
            extra,
            captureless,
            number,
        })
    }
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Red => 'w',
            Side::Black => 'b',
        };
        let Fen {
            rows,
            extra,
            captureless,
            number,
            ..
        } = self;
        write!(f, "{rows} {side} {extra} - {captureless} {number}")
    }
}

fn count(what: &str, field: Option<&str>, least: u32) -> Result<u32, SetupError> {
    let Some(field) = field else { return Ok(least) };
    let digits = field.bytes().all(|b| b.is_ascii_digit());
    match field.parse::<u32>() {
        Ok(n) if digits && (least..=MAX_COUNT).contains(&n) => Ok(n),
        _ => {
            let field = quote(field);
            Err(SetupError::new(format!(
                "FEN: {what} is a number from {least} to {MAX_COUNT}, not {field}"
            )))
        }
    }
}

/// The text in quotes, shortened to what fits in a message.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("{:?}", text.chars().take(16).collect::<String>())
}

/// Reads the rows and hands each token to `place`: a letter (`R`), a stack (`[RNC]`), two faces (`{RN}`), each with a
/// `+` before it or not.
///
/// # Errors
/// Names the rank that is wrong; passes on the errors of `place`.
pub fn read_rows(
    rows: &str,
    mut place: impl FnMut(Point, &str) -> Result<(), SetupError>,
) -> Result<(), SetupError> {
    let count = rows.split('/').count();
    if count != Point::RANKS {
        return Err(SetupError::new(format!(
            "FEN: {count} rows instead of {}",
            Point::RANKS
        )));
    }
    for (row, rank) in rows.split('/').zip((0..Point::RANKS).rev()) {
        let wrong = |what: String| Err(SetupError::new(format!("FEN, rank {rank}: {what}")));
        let mut rest = row;
        let mut file = 0;
        while let Some(c) = rest.chars().next() {
            if let Some(skip @ 1..) = c.to_digit(10) {
                file += skip as usize;
                rest = &rest[1..];
            } else {
                let Some((token, after)) = split_token(rest) else {
                    return wrong(format!("{} is no piece", quote(rest)));
                };
                if file < Point::FILES {
                    place(Point::new(file, rank), token)?;
                }
                file += 1;
                rest = after;
            }
        }
        if file != Point::FILES {
            return wrong(format!("{file} points instead of {}", Point::FILES));
        }
    }
    Ok(())
}

fn split_token(text: &str) -> Option<(&str, &str)> {
    let bare = text.strip_prefix('+').unwrap_or(text);
    let close = match bare.chars().next()? {
        '[' => Some(']'),
        '{' => Some('}'),
        c if c.is_ascii_alphabetic() => None,
        _ => return None,
    };
    let len = match close {
        Some(close) => bare.find(close)? + 1,
        None => 1,
    };
    let inside_is_plain = bare[1..]
        .chars()
        .take(len.saturating_sub(2))
        .all(|c| c.is_ascii_alphanumeric() || c == '?');
    inside_is_plain.then(|| text.split_at(text.len() - bare.len() + len))
}

/// Reads a token that is a lone piece.
///
/// # Errors
/// When it is anything else.
pub fn read_piece(point: Point, token: &str) -> Result<Piece, SetupError> {
    let mut letters = token.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err(SetupError::new(format!(
            "FEN: {} on {point} is no piece",
            quote(token)
        ))),
    }
}

/// Counts the pieces of a position while it is read: one king a side, no more of a kind than a side has at the start,
/// and each on a point where it can stand.
#[derive(Clone, Default, Debug)]
pub struct Census {
    counts: [u32; Piece::COUNT],
    kings: [Option<Point>; 2],
}

impl Census {
    /// Counts `piece` on `point`.
    ///
    /// # Errors
    /// When it cannot stand there.
    pub fn add(&mut self, piece: Piece, point: Point) -> Result<(), SetupError> {
        if !piece.kind.standing(piece.side).contains(point) {
            return Err(SetupError::new(format!("FEN: a {piece} cannot stand on {point}")));
        }
        self.counts[piece.index()] += 1;
        if piece.kind == Kind::King {
            self.kings[piece.side.index()] = Some(point);
        }
        Ok(())
    }

    /// Where the two kings stand, Red's first.
    ///
    /// # Errors
    /// When a king is missing or there is too much of something.
    pub fn finish(self) -> Result<[Point; 2], SetupError> {
        for side in Side::BOTH {
            for kind in Kind::ALL {
                let (count, most) = (self.counts[Piece { side, kind }.index()], kind.full_count());
                if count > most {
                    let (side, kind_name) = (side.name(), kind.name());
                    return Err(SetupError::new(match kind {
                        Kind::King => format!("FEN: {side} has more than one king"),
                        _ => format!("FEN: {side} has {count} {kind_name}s, more than {most}"),
                    }));
                }
            }
        }
        match self.kings {
            [Some(red), Some(black)] => Ok([red, black]),
            [None, _] => Err(SetupError::new("FEN: Red has no king")),
            [_, None] => Err(SetupError::new("FEN: Black has no king")),
        }
    }
}

/// Writes the rows; `token` appends what stands on a point, or nothing where it is empty.
#[must_use]
pub fn write_rows(mut token: impl FnMut(Point, &mut String)) -> String {
    let mut out = String::with_capacity(80);
    for rank in (0..Point::RANKS).rev() {
        let mut empty = 0;
        for file in 0..Point::FILES {
            let before = out.len();
            token(Point::new(file, rank), &mut out);
            if out.len() == before {
                empty += 1;
            } else if empty > 0 {
                out.insert(before, digit(empty));
                empty = 0;
            }
        }
        if empty > 0 {
            out.push(digit(empty));
        }
        if rank > 0 {
            out.push('/');
        }
    }
    out
}

fn digit(n: u32) -> char {
    char::from_digit(n, 10).expect("at most nine points in a row")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reread(rows: &str) -> Result<String, SetupError> {
        let mut tokens = vec![String::new(); Point::COUNT];
        read_rows(rows, |p, token| {
            tokens[p.index()] = token.to_owned();
            Ok(())
        })?;
        Ok(write_rows(|p, out| out.push_str(&tokens[p.index()])))
    }

    #[test]
    fn rows_round_trip_with_every_kind_of_token() {
        for rows in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
            "[rnc]8/9/9/9/9/9/9/9/9/4K3[RN]",
            "{rn}nba+kabn{r?}/9/9/4+{RN}4/9/9/9/9/9/3+R5",
        ] {
            assert_eq!(reread(rows).as_deref(), Ok(rows));
        }
        assert_eq!(
            reread("45/9/9/9/9/9/9/9/9/9").as_deref(),
            Ok("9/9/9/9/9/9/9/9/9/9")
        );
    }

    #[test]
    fn wrong_rows_are_refused_by_rank() {
        for (rows, error) in [
            ("9", "FEN: 1 rows instead of 10"),
            ("9/9/9/9/9/9/9/9/9/8", "FEN, rank 0: 8 points instead of 9"),
            ("9/9/9/9/9/9/9/9/9/K9", "FEN, rank 0: 10 points instead of 9"),
            ("9/08/9/9/9/9/9/9/9/9", "FEN, rank 8: \"08\" is no piece"),
            ("9/9/[RN/9/9/9/9/9/9/9", "FEN, rank 7: \"[RN\" is no piece"),
            ("9/9/8é/9/9/9/9/9/9/9", "FEN, rank 7: \"é\" is no piece"),
            ("9/9/8[é]/9/9/9/9/9/9/9", "FEN, rank 7: \"[é]\" is no piece"),
            ("9/9/8+/9/9/9/9/9/9/9", "FEN, rank 7: \"+\" is no piece"),
            (
                "9/9/9/9/9/9/9/9/9/99999999999999999999",
                "FEN, rank 0: 180 points instead of 9",
            ),
        ] {
            assert_eq!(reread(rows), Err(SetupError::new(error)));
        }
    }

    #[test]
    fn fields_have_defaults_and_bounds() {
        let fen = Fen::parse("9/9 r").unwrap();
        assert_eq!(
            (fen.side, fen.extra, fen.captureless, fen.number),
            (Side::Red, "-", 0, 1)
        );
        assert_eq!(
            Fen::parse("9/9 b 0.0,2.1 - 7 12").unwrap().to_string(),
            "9/9 b 0.0,2.1 - 7 12"
        );
        for text in [
            "",
            "9/9",
            "9/9 x",
            "9/9 w - KQ",
            "9/9 w - - -1 1",
            "9/9 w - - +1 1",
            "9/9 w - - 0 0",
            "9/9 w - - 0 100000",
            "9/9 w - - 0 1 2",
        ] {
            assert!(Fen::parse(text).is_err(), "{text:?}");
        }
        assert!(Fen::parse(&"9".repeat(600)).is_err());
    }
}
