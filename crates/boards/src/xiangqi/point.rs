//! Points of the board.

use std::fmt;
use std::str::FromStr;

/// A point of the board, `a0`…`i9`: file a at Red's left, rank 0 Red's back rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// How many files there are.
    pub const FILES: usize = 9;
    /// How many ranks there are.
    pub const RANKS: usize = 10;
    /// How many points there are.
    pub const COUNT: usize = Self::FILES * Self::RANKS;

    /// The point of `file` 0..9 and `rank` 0..10.
    ///
    /// # Panics
    /// When off the board.
    #[must_use]
    pub const fn new(file: usize, rank: usize) -> Point {
        assert!(file < Self::FILES && rank < Self::RANKS, "off the board");
        Point((rank * Self::FILES + file) as u8)
    }

    /// The point of that index, if there is one: rank by rank from `a0`.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < Self::COUNT {
            Some(Point(index as u8))
        } else {
            None
        }
    }

    /// The index 0..90, rank by rank from `a0`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file 0..9, a to i.
    #[inline]
    #[must_use]
    pub const fn file(self) -> usize {
        self.0 as usize % Self::FILES
    }

    /// The rank 0..10, from Red's back rank.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> usize {
        self.0 as usize / Self::FILES
    }

    /// The point that many files and ranks away, if on the board.
    #[must_use]
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Point> {
        let (file, rank) = (self.file() as i32 + files, self.rank() as i32 + ranks);
        if 0 <= file && file < Self::FILES as i32 && 0 <= rank && rank < Self::RANKS as i32 {
            Some(Point::new(file as usize, rank as usize))
        } else {
            None
        }
    }

    /// The same point as the other side sees it: the board turned by half a turn.
    #[must_use]
    pub const fn turned(self) -> Point {
        Point(Self::COUNT as u8 - 1 - self.0)
    }

    /// All points by index.
    pub fn all() -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Point)
    }

    /// Reads `FROMTO` at the start of a ply's text; gives the two points and what follows them.
    ///
    /// # Errors
    /// When the text does not start with two points.
    pub fn parse_pair(text: &str) -> Result<(Point, Point, &str), ParsePointError> {
        match (text.get(..2), text.get(2..4)) {
            (Some(from), Some(to)) => Ok((from.parse()?, to.parse()?, &text[4..])),
            _ => Err(ParsePointError(text.chars().take(8).collect())),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank())
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no point, shortened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePointError(String);

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no point a0…i9", self.0)
    }
}

impl std::error::Error for ParsePointError {}

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        match text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Ok(Point::new((file - b'a').into(), (rank - b'0').into()))
            }
            _ => Err(ParsePointError(text.chars().take(8).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_for_every_point() {
        for point in Point::all() {
            assert_eq!(point.to_string().parse(), Ok(point));
            assert_eq!(point.turned().turned(), point);
        }
        assert_eq!(Point::new(7, 2).to_string(), "h2");
        assert_eq!(Point::new(0, 0).turned().to_string(), "i9");
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for text in ["", "a", "j0", "a10", "A0", "0a", "é", "aé", "a0 "] {
            assert!(text.parse::<Point>().is_err(), "{text:?}");
        }
        for text in ["", "h2", "h2e", "h2j2", "é2h2", "h2é2", "hé2e2"] {
            assert!(Point::parse_pair(text).is_err(), "{text:?}");
        }
        let pair = Point::parse_pair("h2e2+").unwrap();
        assert_eq!(pair, (Point::new(7, 2), Point::new(4, 2), "+"));
    }
}
