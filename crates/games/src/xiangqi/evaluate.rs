//! What a position is worth: material and standing, tapered from middle game to endgame, mobility, and how safe the
//! kings are.

use super::Position;
use std::ops::{Add, AddAssign, Mul, Sub};
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks};

/// A value in the middle game and in the endgame, in hundredths of a pawn or so.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tapered(i32, i32);

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0, self.1 - other.1)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Mul<Tapered> for i32 {
    type Output = Tapered;
    fn mul(self, value: Tapered) -> Tapered {
        Tapered(self * value.0, self * value.1)
    }
}

/// What a piece is worth in an exchange.
#[must_use]
pub(crate) const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Rook => 900,
        Kind::Cannon => 450,
        Kind::Horse => 400,
        Kind::Elephant | Kind::Advisor => 200,
        Kind::Pawn => 80,
    }
}

const MATERIAL: [Tapered; Kind::COUNT] = [
    Tapered(0, 0),
    Tapered(900, 920),
    Tapered(400, 440),
    Tapered(450, 430),
    Tapered(190, 190),
    Tapered(200, 190),
    Tapered(80, 100),
];

/// How much of the middle game each piece stands for.
const PHASE: [i32; Kind::COUNT] = [0, 2, 1, 1, 0, 0, 0];
/// What all of them make at the start.
const FULL_PHASE: i32 = 16;

/// A point more or less to go to.
const MOBILITY: [Tapered; Kind::COUNT] = [
    Tapered(0, 0),
    Tapered(4, 5),
    Tapered(9, 8),
    Tapered(2, 3),
    Tapered(0, 0),
    Tapered(0, 0),
    Tapered(0, 0),
];

/// Points that are usual: no more no less than what the piece's worth counts on.
const USUAL_REACH: [i32; Kind::COUNT] = [0, 9, 4, 9, 0, 0, 0];

/// How much a piece that looks into the enemy palace adds to the danger there, by itself and by point it looks at.
const THREAT: [(i32, i32); Kind::COUNT] = [(0, 0), (8, 3), (7, 3), (5, 2), (0, 0), (0, 0), (6, 2)];

/// A cannon that faces the enemy king with nothing between: every move to the file before it is a check to come.
const BARE_FILE: Tapered = Tapered(70, 40);
/// A cannon that faces it past two others, of which one may not move.
const PINNED_SCREENS: Tapered = Tapered(18, 12);
/// A cannon on the enemy's first rank, from where guards cannot chase it.
const BOTTOM_CANNON: Tapered = Tapered(14, 0);
/// A rook on a file with no own pawn.
const OPEN_FILE: Tapered = Tapered(12, 6);
/// Pawns across the river side by side.
const LINKED_PAWNS: Tapered = Tapered(14, 22);
/// To have the move.
const TEMPO: i32 = 12;

/// What standing on `point` adds to a piece's worth.
const fn standing_value(piece: Piece, point: Point) -> Tapered {
    let point = match piece.side {
        Side::Red => point,
        Side::Black => point.turned(),
    };
    let (file, rank) = (point.file() as i32, point.rank() as i32);
    let from_edge = if file < 4 { file } else { 8 - file };
    match piece.kind {
        // A king on its first rank is the safest; on the middle file it watches the other.
        Kind::King => Tapered(-22 * rank, if file == 4 { 14 } else { 0 } - 8 * rank),
        Kind::Rook => {
            let value = 4 * from_edge + if rank > 4 { 12 } else { 2 * rank };
            Tapered(value, value / 2)
        }
        // Horses want the middle and the enemy's half, not the rim, their first rank or the enemy's.
        Kind::Horse => {
            let advance = if rank > 7 { 14 - rank } else { rank };
            Tapered(8 * from_edge + 6 * advance - 20, 8 * from_edge + 5 * advance - 14)
        }
        // The middle file and the rear, from where screens are many.
        Kind::Cannon => Tapered(
            6 * from_edge + if rank > 6 && rank < 9 { -10 } else { 0 },
            3 * from_edge - 2 * rank,
        ),
        Kind::Elephant | Kind::Advisor => {
            let middle = (file == 4) as i32;
            Tapered(12 * middle, 10 * middle)
        }
        // A pawn across the river is worth two; on the last rank hardly more than one at home.
        Kind::Pawn => match rank {
            3 | 4 => Tapered(4 * from_edge, 2 * from_edge + 10 * (rank - 3)),
            5..=8 => Tapered(50 + 11 * from_edge + 8 * (rank - 5), 80 + 10 * from_edge + 4 * (rank - 5)),
            _ => Tapered(20 * (from_edge > 2) as i32, 20 * (from_edge > 2) as i32),
        },
    }
}

static VALUES: [[Tapered; Point::COUNT]; Piece::COUNT] = {
    let mut table = [[Tapered(0, 0); Point::COUNT]; Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT * Point::COUNT {
        let side = Side::BOTH[i / Point::COUNT / Kind::COUNT];
        let kind = Kind::ALL[i / Point::COUNT % Kind::COUNT];
        let piece = Piece { side, kind };
        let point = Point::from_index(i % Point::COUNT).expect("in range");
        let (base, standing) = (MATERIAL[kind.index()], standing_value(piece, point));
        table[piece.index()][point.index()] = Tapered(base.0 + standing.0, base.1 + standing.1);
        i += 1;
    }
    table
};

/// Who stands where, on a board of xiangqi's kind.
pub(crate) trait Men {
    /// The points of `side`'s pieces of `kind`.
    fn men(&self, side: Side, kind: Kind) -> PointSet;
    /// All points of `side`.
    fn all(&self, side: Side) -> PointSet;

    /// Static value for `us`, which is to move.
    fn balance(&self, us: Side) -> i32 {
        let (own, own_phase) = self.value_of(us);
        let (theirs, their_phase) = self.value_of(us.other());
        let phase = (own_phase + their_phase).min(FULL_PHASE);
        let value = own - theirs;
        (value.0 * phase + value.1 * (FULL_PHASE - phase)) / FULL_PHASE + TEMPO
    }

    /// What all that `side` has is worth, and its part of the phase.
    fn value_of(&self, side: Side) -> (Tapered, i32) {
        let own = self.all(side);
        let occupied = own | self.all(side.other());
        let palace = PointSet::palace(side.other());
        let (mut value, mut phase) = (Tapered(0, 0), 0);
        let (mut danger, mut attackers) = (0, 0);
        for kind in Kind::ALL {
            for point in self.men(side, kind) {
                value += VALUES[Piece { side, kind }.index()][point.index()];
                phase += PHASE[kind.index()];
                let (reach, looks_at) = match kind {
                    Kind::Rook | Kind::Horse => {
                        let reach = attacks::reach(kind, side, point, occupied);
                        (reach - own, reach)
                    }
                    Kind::Cannon => {
                        let (slides, hops) = attacks::lines(point, occupied);
                        (slides - occupied, hops)
                    }
                    Kind::Pawn => (PointSet::EMPTY, attacks::pawn(side, point)),
                    Kind::King | Kind::Elephant | Kind::Advisor => continue,
                };
                if kind != Kind::Pawn {
                    value += (reach.len() as i32 - USUAL_REACH[kind.index()]) * MOBILITY[kind.index()];
                }
                let hits = (looks_at & palace).len() as i32;
                if hits > 0 {
                    let (by_itself, by_point) = THREAT[kind.index()];
                    danger += by_itself + by_point * hits;
                    attackers += 1;
                }
            }
        }
        let missing_advisors = 2 - self.men(side.other(), Kind::Advisor).len() as i32;
        let missing_elephants = 2 - self.men(side.other(), Kind::Elephant).len() as i32;
        if attackers > 1 {
            let holes = 4 + 2 * missing_advisors + missing_elephants;
            let danger = (danger * danger * holes / 64).min(350);
            value += Tapered(danger, danger / 2);
        }
        // Rooks profit from missing advisors, cannons from missing elephants.
        let count = |kind| self.men(side, kind).len() as i32;
        value += (count(Kind::Rook) * missing_advisors) * Tapered(14, 10);
        value += (count(Kind::Cannon) * missing_elephants) * Tapered(10, 8);
        value += self.lines_of(side);
        (value, phase)
    }

    /// What the cannons, rooks and pawns of `side` have of the files they stand on.
    fn lines_of(&self, side: Side) -> Tapered {
        let own = self.all(side);
        let occupied = own | self.all(side.other());
        let king = self.men(side.other(), Kind::King).first();
        let pawns = self.men(side, Kind::Pawn);
        let mut value = Tapered(0, 0);
        for cannon in self.men(side, Kind::Cannon) {
            if let Some(king) = king.filter(|king| king.file() == cannon.file()) {
                match (attacks::between(king, cannon) & occupied).len() {
                    0 => value += BARE_FILE,
                    2 => value += PINNED_SCREENS,
                    _ => {}
                }
            }
            if cannon.rank() == (if side == Side::Red { 9 } else { 0 }) {
                value += BOTTOM_CANNON;
            }
        }
        for rook in self.men(side, Kind::Rook) {
            if !PointSet::file(rook.file()).meets(pawns) {
                value += OPEN_FILE;
            }
        }
        let crossed = pawns & PointSet::home(side.other());
        for pawn in crossed {
            if pawn.offset(1, 0).is_some_and(|beside| crossed.contains(beside)) {
                value += LINKED_PAWNS;
            }
        }
        value
    }
}

impl Men for Position {
    #[inline]
    fn men(&self, side: Side, kind: Kind) -> PointSet {
        self.kind(kind) & self.of(side)
    }

    #[inline]
    fn all(&self, side: Side) -> PointSet {
        self.of(side)
    }
}

/// How much better a piece stands on `to` than on `from`, as long as there are many pieces.
pub(crate) fn improvement(piece: Piece, from: Point, to: Point) -> i32 {
    let values = &VALUES[piece.index()];
    values[to.index()].0 - values[from.index()].0
}
