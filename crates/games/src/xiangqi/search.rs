//! What alpha-beta search knows about xiangqi.

use super::{Move, Position, Xiangqi};
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks};
use xinqi_kernel::Evaluate;

/// What a piece is worth, in hundredths of a pawn that has crossed the river.
#[must_use]
pub(super) const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Rook => 900,
        Kind::Cannon => 450,
        Kind::Horse => 400,
        Kind::Elephant | Kind::Advisor => 200,
        Kind::Pawn => 80,
    }
}

/// What standing on `point` adds to a piece's worth.
#[must_use]
const fn standing_value(piece: Piece, point: Point) -> i32 {
    let point = match piece.side {
        Side::Red => point,
        Side::Black => point.turned(),
    };
    let (file, rank) = (point.file() as i32, point.rank() as i32);
    let from_edge = if file < 4 { file } else { 8 - file };
    match piece.kind {
        // A king on its first rank is the safest.
        Kind::King => -15 * rank,
        Kind::Rook => 4 * from_edge + if rank > 4 { 10 } else { 2 * rank },
        // Horses want the middle and the enemy's half, not the rim or their first rank.
        Kind::Horse => 8 * from_edge + 6 * if rank > 7 { 14 - rank } else { rank } - 20,
        // The middle file and the rear, from where screens are many.
        Kind::Cannon => 5 * from_edge + if rank > 6 { -10 } else { 0 },
        Kind::Elephant | Kind::Advisor => {
            if file == 4 {
                10
            } else {
                0
            }
        }
        // A pawn across the river is worth two; on the last rank hardly more than one at home.
        Kind::Pawn => match rank {
            3 | 4 => 4 * from_edge,
            5..=8 => 60 + 10 * from_edge + 8 * (rank - 5),
            _ => 20 * (from_edge > 2) as i32,
        },
    }
}

static VALUES: [[i32; Point::COUNT]; Piece::COUNT] = {
    let mut table = [[0; Point::COUNT]; Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT * Point::COUNT {
        let side = Side::BOTH[i / Point::COUNT / Kind::COUNT];
        let kind = Kind::ALL[i / Point::COUNT % Kind::COUNT];
        let piece = Piece { side, kind };
        let point = Point::from_index(i % Point::COUNT).expect("in range");
        table[piece.index()][point.index()] = worth(kind) + standing_value(piece, point);
        i += 1;
    }
    table
};

impl Position {
    /// Material, standing and mobility of one side.
    fn value_of(&self, side: Side) -> i32 {
        let (own, occupied) = (self.of(side), self.occupied());
        let mut value = 0;
        for kind in Kind::ALL {
            for point in self.kind(kind) & own {
                value += VALUES[Piece { side, kind }.index()][point.index()];
                value += match kind {
                    Kind::Rook => 3 * reach(attacks::rook(point, occupied) - own),
                    Kind::Cannon => reach(attacks::rook(point, occupied) - own),
                    Kind::Horse => 6 * reach(attacks::horse(point, occupied) - own),
                    _ => 0,
                };
            }
        }
        value
    }
}

fn reach(points: PointSet) -> i32 {
    points.len() as i32
}

impl Evaluate for Xiangqi {
    fn evaluate(&self, position: &Position) -> i32 {
        let us = position.side();
        position.value_of(us) - position.value_of(us.other())
    }

    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let us = position.side();
        let Some(kind) = position.kind_at(mv.from) else { return 0 };
        let values = &VALUES[Piece { side: us, kind }.index()];
        match position.kind_at(mv.to) {
            // The most valuable victim first, taken by the least valuable attacker.
            Some(victim) => 1_000 + 10 * worth(victim) - worth(kind).min(1_000),
            None => (values[mv.to.index()] - values[mv.from.index()]).min(0),
        }
    }

    fn is_tactical(&self, position: &Position, mv: Move) -> bool {
        position.kind_at(mv.to).is_some()
    }
}
