//! Square boards of stones, as Go and gomoku have them: the names of points and the position text.

use std::fmt;

/// How the files of a board are lettered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letters {
    /// `a` to `z`, as in gomoku.
    Plain,
    /// `A` to `Z` without `I`, as in GTP; any case is read.
    Gtp,
}

/// The text of `point` (counted from the lower left corner, rank by rank) on a board of `size`.
#[must_use]
pub fn point_text(letters: Letters, size: usize, point: usize) -> String {
    let file = (point % size) as u8;
    let letter = match letters {
        Letters::Plain => b'a' + file,
        Letters::Gtp if file < 8 => b'A' + file,
        Letters::Gtp => b'B' + file,
    };
    format!("{}{}", letter as char, point / size + 1)
}

/// The point that `text` names on a board of `size`, if there is one.
#[must_use]
pub fn parse_point(letters: Letters, size: usize, text: &str) -> Option<usize> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let letter = letter.to_ascii_lowercase();
    let file = match letters {
        Letters::Plain => letter.checked_sub(b'a')?,
        Letters::Gtp if letter == b'i' => return None,
        Letters::Gtp if letter < b'i' => letter.checked_sub(b'a')?,
        Letters::Gtp => letter - b'b',
    } as usize;
    let plain = matches!(digits, [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']);
    let rank: usize = if plain {
        text[1..].parse().ok()?
    } else {
        return None;
    };
    (file < size && rank <= size).then(|| (rank - 1) * size + file)
}

/// A position of stones as its text shows it: ranks from the top with `B`, `W` and numbers of empty points, the side
/// to move, the passes in a row and the stones each side has captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Points in a rank.
    pub size: usize,
    /// What stands on each point, from the lower left corner: `None`, or 0 for Black, 1 for White.
    pub points: Vec<Option<u8>>,
    /// The side to move: 0 Black, 1 White.
    pub side: u8,
    /// Passes in a row.
    pub passes: u8,
    /// Stones captured by Black and by White.
    pub captures: [u32; 2],
}

impl Diagram {
    /// Reads the text of a board of `size`. Passes and captures may be left out and are 0 then.
    ///
    /// # Errors
    /// Names what does not fit, and where.
    pub fn parse(text: &str, size: usize) -> Result<Diagram, String> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or("the position is empty")?;
        let mut points = vec![None; size * size];
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != size {
            return Err(format!("{} ranks where the board has {size}", ranks.len()));
        }
        for (row, rank) in ranks.iter().enumerate() {
            let y = size - 1 - row;
            read_rank(rank, &mut points[y * size..(y + 1) * size])
                .map_err(|e| format!("rank {}: {e}", y + 1))?;
        }
        let side = match fields.next() {
            Some("b") => 0,
            Some("w") => 1,
            Some(other) => return Err(format!("side to move {other:?}: b or w is expected")),
            None => return Err("the side to move is missing".into()),
        };
        let passes = match fields.next() {
            None => 0,
            Some("0") => 0,
            Some("1") => 1,
            Some("2") => 2,
            Some(other) => return Err(format!("passes in a row {other:?}: 0, 1 or 2 is expected")),
        };
        let captures = match fields.next() {
            None => [0, 0],
            Some(text) => text
                .split_once(',')
                .and_then(|(b, w)| Some([count(b)?, count(w)?]))
                .ok_or_else(|| format!("captures {text:?}: two numbers like 3,0 are expected"))?,
        };
        match fields.next() {
            Some(extra) => Err(format!("unexpected {extra:?} after the captures")),
            None => Ok(Diagram {
                size,
                points,
                side,
                passes,
                captures,
            }),
        }
    }
}

fn count(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

fn read_rank(text: &str, points: &mut [Option<u8>]) -> Result<(), String> {
    let size = points.len();
    let mut x = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let width = match c {
            'B' | 'W' => {
                if x < size {
                    points[x] = Some(u8::from(c == 'W'));
                }
                rest = &rest[1..];
                1
            }
            '1'..='9' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let run = count(&rest[..digits]).ok_or_else(|| format!("{:?} points", &rest[..digits]))?;
                rest = &rest[digits..];
                run as usize
            }
            other => return Err(format!("unexpected {other:?}")),
        };
        x += width;
        if x > size {
            return Err(format!("more than {size} points"));
        }
    }
    if x < size {
        Err(format!("{x} points where the board has {size}"))
    } else {
        Ok(())
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.size).rev() {
            let mut empty = 0;
            for point in &self.points[y * self.size..(y + 1) * self.size] {
                if point.is_some() && empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                match point {
                    None => empty += 1,
                    Some(0) => f.write_str("B")?,
                    Some(_) => f.write_str("W")?,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if y > 0 {
                f.write_str("/")?;
            }
        }
        let side = if self.side == 0 { 'b' } else { 'w' };
        write!(
            f,
            " {side} {} {},{}",
            self.passes, self.captures[0], self.captures[1]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_back() {
        for (letters, sizes) in [(Letters::Plain, 5..=26), (Letters::Gtp, 2..=25)] {
            for size in sizes {
                for point in 0..size * size {
                    let text = point_text(letters, size, point);
                    assert_eq!(parse_point(letters, size, &text), Some(point), "{text}");
                    assert_eq!(
                        parse_point(letters, size, &text.to_lowercase()),
                        Some(point),
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn points_off_the_board_do_not_read() {
        for text in [
            "", "A", "I5", "i5", "K1", "A10", "A0", "A01", "A+1", "5A", "AA1", "Å1", "A1 ",
        ] {
            assert_eq!(parse_point(Letters::Gtp, 9, text), None, "{text}");
        }
        assert_eq!(parse_point(Letters::Gtp, 25, "Z25"), Some(624));
        assert_eq!(parse_point(Letters::Gtp, 19, "T19"), Some(360));
        assert_eq!(parse_point(Letters::Plain, 15, "p1"), None);
        assert_eq!(parse_point(Letters::Plain, 15, "i9"), Some(128));
    }

    #[test]
    fn diagrams_read_and_write_alike() {
        for (size, text) in [
            (2, "BW/2 w 1 0,3"),
            (5, "5/1B3/2W2/B3W/5 b 0 0,0"),
            (15, "15/15/15/15/15/15/15/7B7/15/15/15/15/15/15/W13B w 0 0,0"),
        ] {
            assert_eq!(Diagram::parse(text, size).unwrap().to_string(), text);
        }
        let short = Diagram::parse("5/1B3/2W2/B3W/5 b", 5).unwrap();
        assert_eq!(short.to_string(), "5/1B3/2W2/B3W/5 b 0 0,0");
    }

    #[test]
    fn diagrams_that_cannot_be_are_named() {
        for (text, part) in [
            ("", "empty"),
            ("5/5/5/5 b", "4 ranks"),
            ("5/5/5/5/6 b", "rank 1"),
            ("5/4/5/5/5 b", "rank 4: 4 points"),
            ("5/5/5/5/2X2 b", "'X'"),
            ("5/5/5/5/2b2 b", "'b'"),
            ("5/5/5/5/05 b", "'0'"),
            ("5/5/5/5/99999999999 b", "points"),
            ("5/5/5/5/5", "side to move is missing"),
            ("5/5/5/5/5 x", "\"x\""),
            ("5/5/5/5/5 b 3", "\"3\""),
            ("5/5/5/5/5 b 0 1", "captures"),
            ("5/5/5/5/5 b 0 1,-1", "captures"),
            ("5/5/5/5/5 b 0 1,1 x", "\"x\""),
        ] {
            let error = Diagram::parse(text, 5).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
