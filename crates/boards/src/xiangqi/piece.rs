//! Pieces of the xiangqi family.

use super::{Point, PointSet};
use std::fmt;
use xinqi_kernel::Seat;

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// Moves first, upper case in texts, ranks 0–4.
    Red = 0,
    /// Lower case in texts, ranks 5–9.
    Black = 1,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Red, Side::Black];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }

    /// The side as an index into per-side arrays.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side's name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Red => "Red",
            Side::Black => "Black",
        }
    }
}

impl From<Side> for Seat {
    #[inline]
    fn from(side: Side) -> Seat {
        Seat(side as u8)
    }
}

impl From<Seat> for Side {
    /// The side that a seat of a two-seat game plays.
    #[inline]
    fn from(seat: Seat) -> Side {
        if seat == Seat::FIRST {
            Side::Red
        } else {
            Side::Black
        }
    }
}

/// A kind of piece, in the order in which stacks name their members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "each variant says itself")]
pub enum Kind {
    King = 0,
    Rook = 1,
    Horse = 2,
    Cannon = 3,
    Elephant = 4,
    Advisor = 5,
    Pawn = 6,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = 7;
    /// All kinds, in order.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::King,
        Kind::Rook,
        Kind::Horse,
        Kind::Cannon,
        Kind::Elephant,
        Kind::Advisor,
        Kind::Pawn,
    ];

    /// The kind as an index into per-kind arrays.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter: K R N C B A P.
    #[must_use]
    pub const fn letter(self) -> char {
        b"KRNCBAP"[self as usize] as char
    }

    /// The kind of an upper-case letter; `H` and `E` are read for horse and elephant too.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter {
            'K' => Kind::King,
            'R' => Kind::Rook,
            'N' | 'H' => Kind::Horse,
            'C' => Kind::Cannon,
            'B' | 'E' => Kind::Elephant,
            'A' => Kind::Advisor,
            'P' => Kind::Pawn,
            _ => return None,
        })
    }

    /// The kind's name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::King => "king",
            Kind::Rook => "rook",
            Kind::Horse => "horse",
            Kind::Cannon => "cannon",
            Kind::Elephant => "elephant",
            Kind::Advisor => "advisor",
            Kind::Pawn => "pawn",
        }
    }

    /// How many of the kind a side starts with.
    #[must_use]
    pub const fn full_count(self) -> u32 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    /// Whether the kind can give mate: what material draws and fallen flags ask.
    #[must_use]
    pub const fn is_attacker(self) -> bool {
        matches!(self, Kind::Rook | Kind::Horse | Kind::Cannon | Kind::Pawn)
    }

    /// The points where a piece of this kind and side can stand at all.
    #[inline]
    #[must_use]
    pub const fn standing(self, side: Side) -> PointSet {
        STANDING[side as usize][self as usize]
    }
}

static STANDING: [[PointSet; Kind::COUNT]; 2] = {
    let mut table = [[PointSet::ALL; Kind::COUNT]; 2];
    // As Red sees them; the board is symmetric under half a turn.
    let advisors = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)];
    let elephants = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];
    let mut s = 0;
    while s < 2 {
        let side = Side::BOTH[s];
        table[s][Kind::King as usize] = PointSet::palace(side);
        table[s][Kind::Advisor as usize] = turned_for(side, &advisors);
        table[s][Kind::Elephant as usize] = turned_for(side, &elephants);
        let mut pawns = PointSet::home(side.other());
        let mut file = 0;
        while file < Point::FILES {
            pawns.0 |= turned_for(side, &[(file, 3), (file, 4)]).0;
            file += 2;
        }
        table[s][Kind::Pawn as usize] = pawns;
        s += 1;
    }
    table
};

const fn turned_for(side: Side, points: &[(usize, usize)]) -> PointSet {
    let mut set = PointSet::EMPTY;
    let mut i = 0;
    while i < points.len() {
        let point = Point::new(points[i].0, points[i].1);
        set.insert(match side {
            Side::Red => point,
            Side::Black => point.turned(),
        });
        i += 1;
    }
    set
}

/// A piece: a kind and the side it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// How many different pieces there are.
    pub const COUNT: usize = 2 * Kind::COUNT;

    /// A piece of `side` and `kind`.
    #[must_use]
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece { side, kind }
    }

    /// The piece as an index 0..14 into per-piece arrays.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.side as usize * Kind::COUNT + self.kind as usize
    }

    /// The letter in a FEN: upper case for Red.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.side {
            Side::Red => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter; `h`, `e` are read too.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() {
            Side::Red
        } else {
            Side::Black
        };
        match Kind::from_letter(letter.to_ascii_uppercase()) {
            Some(kind) => Some(Piece { side, kind }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side.name(), self.kind.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for side in Side::BOTH {
            for kind in Kind::ALL {
                let piece = Piece::new(side, kind);
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(
            Piece::from_letter('h'),
            Some(Piece::new(Side::Black, Kind::Horse))
        );
        assert_eq!(
            Piece::from_letter('E'),
            Some(Piece::new(Side::Red, Kind::Elephant))
        );
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('é'), None);
    }

    #[test]
    fn each_kind_stands_where_it_may() {
        let counts = [9, 90, 90, 90, 7, 5, 55];
        for side in Side::BOTH {
            for kind in Kind::ALL {
                assert_eq!(
                    kind.standing(side).len(),
                    counts[kind.index()],
                    "{side:?} {kind:?}"
                );
            }
        }
        let pawn = Kind::Pawn.standing(Side::Black);
        assert!(pawn.contains(Point::new(0, 6)) && pawn.contains(Point::new(0, 5)));
        assert!(!pawn.contains(Point::new(1, 6)) && !pawn.contains(Point::new(0, 7)));
        assert!(pawn.contains(Point::new(1, 4)));
    }
}
