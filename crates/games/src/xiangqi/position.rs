//! The position: what stands where and who is to move.

use std::fmt;
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks, fen, zobrist};
use xinqi_kernel::SetupError;

/// A ply: a piece goes from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where it stands.
    pub from: Point,
    /// Where it goes.
    pub to: Point,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What stands where and who is to move: all that decides which plies are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    kinds: [PointSet; Kind::COUNT],
    sides: [PointSet; 2],
    board: [Option<Kind>; Point::COUNT],
    kings: [Point; 2],
    side: Side,
    key: u64,
}

impl Position {
    /// The rows of the usual start.
    pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    /// Reads the rows of a FEN.
    ///
    /// # Errors
    /// What does not parse, and what no game can reach as far as it shows at a glance, by name.
    pub fn from_rows(rows: &str, side: Side) -> Result<Position, SetupError> {
        let mut pieces = Vec::with_capacity(32);
        let mut census = fen::Census::default();
        fen::read_rows(rows, |point, token| {
            let piece = fen::read_piece(point, token)?;
            census.add(piece, point)?;
            pieces.push((point, piece));
            Ok(())
        })?;
        let mut position = Position {
            kinds: [PointSet::EMPTY; Kind::COUNT],
            sides: [PointSet::EMPTY; 2],
            board: [None; Point::COUNT],
            kings: census.finish()?,
            side,
            key: if side == Side::Black { zobrist::BLACK_TO_MOVE } else { 0 },
        };
        for (point, piece) in pieces {
            position.put(point, piece);
        }
        let [red, black] = position.kings;
        if attacks::rook(red, position.occupied()).contains(black) {
            return Err(SetupError::new(format!(
                "FEN: the kings on {red} and {black} face each other"
            )));
        }
        let waiting = side.other();
        if position.attacked(position.king(waiting), position.occupied(), position.of(side)) {
            let (waiting, side) = (waiting.name(), side.name());
            return Err(SetupError::new(format!(
                "FEN: {waiting} is in check, but {side} is to move"
            )));
        }
        Ok(position)
    }

    fn put(&mut self, point: Point, piece: Piece) {
        self.kinds[piece.kind.index()].insert(point);
        self.sides[piece.side.index()].insert(point);
        self.board[point.index()] = Some(piece.kind);
        self.key ^= zobrist::piece(piece, point);
    }

    /// The rows of the FEN.
    #[must_use]
    pub fn rows(&self) -> String {
        fen::write_rows(|point, out| out.extend(self.piece(point).map(Piece::letter)))
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The hash of the position, side to move included.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The points where anything stands.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> PointSet {
        self.sides[0] | self.sides[1]
    }

    /// The points where pieces of `side` stand.
    #[inline]
    #[must_use]
    pub const fn of(&self, side: Side) -> PointSet {
        self.sides[side.index()]
    }

    /// The points where pieces of `kind` stand, of both sides.
    #[inline]
    #[must_use]
    pub const fn kind(&self, kind: Kind) -> PointSet {
        self.kinds[kind.index()]
    }

    /// Where the king of `side` stands.
    #[inline]
    #[must_use]
    pub const fn king(&self, side: Side) -> Point {
        self.kings[side.index()]
    }

    /// What stands on `point`.
    #[inline]
    #[must_use]
    pub fn piece(&self, point: Point) -> Option<Piece> {
        let side = if self.sides[0].contains(point) { Side::Red } else { Side::Black };
        self.board[point.index()].map(|kind| Piece { side, kind })
    }

    /// The kind of what stands on `point`.
    #[inline]
    #[must_use]
    pub fn kind_at(&self, point: Point) -> Option<Kind> {
        self.board[point.index()]
    }

    /// The pieces with their points, by point.
    pub fn pieces(&self) -> impl Iterator<Item = (Point, Piece)> {
        self.occupied().into_iter().filter_map(|point| Some((point, self.piece(point)?)))
    }

    /// Whether neither side has a rook, horse, cannon or pawn.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        Side::BOTH.iter().all(|&side| !self.has_attackers(side))
    }

    /// Whether `side` has a rook, horse, cannon or pawn.
    #[must_use]
    pub fn has_attackers(&self, side: Side) -> bool {
        let attackers = Kind::ALL.into_iter().filter(|kind| kind.is_attacker());
        attackers.fold(PointSet::EMPTY, |set, kind| set | self.kind(kind)).meets(self.of(side))
    }

    /// Gives the turn to the other side.
    pub(crate) fn pass(&mut self) {
        self.side = self.side.other();
        self.key ^= zobrist::BLACK_TO_MOVE;
    }

    /// Plays a pseudo-legal ply; gives the kind it captured, for [`Position::unplay`].
    #[inline]
    pub fn play(&mut self, Move { from, to }: Move) -> Option<Kind> {
        let us = self.side;
        let them = us.other();
        let kind = self.board[from.index()].take().expect("a piece moves");
        let captured = self.board[to.index()].replace(kind);
        let both = PointSet::of(from) | PointSet::of(to);
        self.kinds[kind.index()] ^= both;
        self.sides[us.index()] ^= both;
        let piece = Piece { side: us, kind };
        self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::BLACK_TO_MOVE;
        if let Some(kind) = captured {
            self.kinds[kind.index()] ^= PointSet::of(to);
            self.sides[them.index()] ^= PointSet::of(to);
            self.key ^= zobrist::piece(Piece { side: them, kind }, to);
        }
        if kind == Kind::King {
            self.kings[us.index()] = to;
        }
        self.side = them;
        captured
    }

    /// Makes the piece on `point` one of `kind` and passes the turn; gives the kind that it was.
    pub(crate) fn turn_up(&mut self, point: Point, kind: Kind) -> Option<Kind> {
        let before = self.piece(point)?;
        let after = Piece { kind, ..before };
        self.board[point.index()] = Some(kind);
        self.kinds[before.kind.index()].remove(point);
        self.kinds[kind.index()].insert(point);
        self.key ^= zobrist::piece(before, point) ^ zobrist::piece(after, point) ^ zobrist::BLACK_TO_MOVE;
        self.side = self.side.other();
        Some(before.kind)
    }

    /// Takes back the ply just played, which captured `captured`.
    #[inline]
    pub fn unplay(&mut self, Move { from, to }: Move, captured: Option<Kind>) {
        let them = self.side;
        let us = them.other();
        let kind = self.board[to.index()].expect("a piece moved");
        self.board[to.index()] = captured;
        self.board[from.index()] = Some(kind);
        let both = PointSet::of(from) | PointSet::of(to);
        self.kinds[kind.index()] ^= both;
        self.sides[us.index()] ^= both;
        let piece = Piece { side: us, kind };
        self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::BLACK_TO_MOVE;
        if let Some(kind) = captured {
            self.kinds[kind.index()] ^= PointSet::of(to);
            self.sides[them.index()] ^= PointSet::of(to);
            self.key ^= zobrist::piece(Piece { side: them, kind }, to);
        }
        if kind == Kind::King {
            self.kings[us.index()] = from;
        }
        self.side = us;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_positions_are_refused_by_name() {
        for (rows, side, error) in [
            ("4k4/9/9/9/9/9/9/9/9/9", Side::Red, "FEN: Red has no king"),
            ("9/9/9/9/9/9/9/9/9/4K4", Side::Red, "FEN: Black has no king"),
            ("4k4/9/9/9/9/9/9/4K4/9/3K5", Side::Red, "FEN: Red has more than one king"),
            ("4k4/9/9/9/9/9/9/9/9/4K4", Side::Red, "FEN: the kings on e0 and e9 face each other"),
            ("4k4/9/9/9/4R4/9/9/9/9/3K5", Side::Red, "FEN: Black is in check, but Red is to move"),
            ("4k4/9/9/9/9/9/9/9/9/3K1B3", Side::Red, "FEN: a Red elephant cannot stand on f0"),
            ("4k4/9/9/9/9/9/9/9/5A3/3K5", Side::Red, "FEN: a Red advisor cannot stand on f1"),
            ("4k4/9/9/9/9/9/1P7/9/9/3K5", Side::Red, "FEN: a Red pawn cannot stand on b3"),
            ("p3k4/9/9/9/9/9/9/9/9/3K5", Side::Red, "FEN: a Black pawn cannot stand on a9"),
            ("9/9/9/4k4/9/9/9/9/9/3K5", Side::Red, "FEN: a Black king cannot stand on e6"),
            ("4k4/9/9/9/9/9/9/9/9/3K1RRR1", Side::Red, "FEN: Red has 3 rooks, more than 2"),
            ("4k4/9/9/9/PPPPPP3/9/9/9/9/3K5", Side::Red, "FEN: Red has 6 pawns, more than 5"),
            ("4k4/9/9/9/9/9/9/9/9/3K1x3", Side::Red, "FEN: \"x\" on f0 is no piece"),
            ("4k4/9/9/9/9/9/9/9/9/3K1[RN]3", Side::Red, "FEN: \"[RN]\" on f0 is no piece"),
            ("4k4/9/9/9/9/9/9/9/9/3K1+R3", Side::Red, "FEN: \"+R\" on f0 is no piece"),
        ] {
            let result = Position::from_rows(rows, side);
            assert_eq!(result, Err(SetupError::new(error)), "{rows}");
        }
        let read = Position::from_rows("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR", Side::Red);
        assert_eq!(read, Position::from_rows(Position::START, Side::Red));
        assert_eq!(read.unwrap().rows(), Position::START);
    }
}
