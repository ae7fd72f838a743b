//! What a position is worth: material and standing, tapered from middle game to endgame, mobility, and how safe the
//! kings are. The numbers stand in `weights.txt` (docs/tuning.md).

use super::Position;
use super::weights::Weights;
use crate::tapered::Tapered;
use std::sync::{Arc, LazyLock};
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks};
use xinqi_kernel::Weights as _;

/// What a board of xiangqi's kind is worth by given weights.
#[derive(Debug)]
pub(crate) struct Evaluation {
    pub(crate) weights: Weights,
    /// What each piece is worth on each point.
    values: [[Tapered; Point::COUNT]; Piece::COUNT],
}

/// Who stands where, on a board of xiangqi's kind.
pub(crate) trait Men {
    /// The points of `side`'s pieces of `kind`.
    fn men(&self, side: Side, kind: Kind) -> PointSet;
    /// All points of `side`.
    fn all(&self, side: Side) -> PointSet;
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

/// How much of the middle game each piece stands for.
const PHASE: [i32; Kind::COUNT] = [0, 2, 1, 1, 0, 0, 0];
/// What all of them make at the start.
const FULL_PHASE: i32 = 16;
/// No palace is in more danger than this.
const MOST_DANGER: i32 = 350;

/// The evaluation by the weights that come with the game.
pub(super) static OWN: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation::new(Weights::complete(include_str!("weights.txt")))));

impl Evaluation {
    pub(crate) fn new(weights: Weights) -> Evaluation {
        let mut values = [[Tapered::default(); Point::COUNT]; Piece::COUNT];
        for (side, kind) in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
            for point in Point::all() {
                let seen = if side == Side::Red { point } else { point.turned() };
                let from_edge = seen.file().min(Point::FILES - 1 - seen.file());
                values[Piece { side, kind }.index()][point.index()] =
                    weights.material[kind.index()] + weights.standing[kind.index()][seen.rank()][from_edge];
            }
        }
        Evaluation { weights, values }
    }

    /// How much better a piece stands on `to` than on `from`, as long as there are many pieces.
    pub(crate) fn improvement(&self, piece: Piece, from: Point, to: Point) -> i32 {
        let values = &self.values[piece.index()];
        values[to.index()].0 - values[from.index()].0
    }

    /// Static value of `board` for `us`, which is to move.
    pub(crate) fn balance(&self, board: &impl Men, us: Side) -> i32 {
        let (own, own_phase) = self.value_of(board, us);
        let (theirs, their_phase) = self.value_of(board, us.other());
        let phase = (own_phase + their_phase).min(FULL_PHASE);
        (own - theirs).at(phase, FULL_PHASE) + self.weights.tempo
    }

    /// What all that `side` has is worth, and its part of the phase.
    fn value_of(&self, board: &impl Men, side: Side) -> (Tapered, i32) {
        let weights = &self.weights;
        let own = board.all(side);
        let occupied = own | board.all(side.other());
        let palace = PointSet::palace(side.other());
        let (mut value, mut phase) = (Tapered(0, 0), 0);
        let (mut danger, mut attackers) = (0, 0);
        for kind in Kind::ALL {
            for point in board.men(side, kind) {
                value += self.values[Piece { side, kind }.index()][point.index()];
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
                    value += weights.mobility[kind.index()][reach.len() as usize];
                }
                let hits = (looks_at & palace).len() as i32;
                if hits > 0 {
                    let [by_itself, by_point] = weights.threat[kind.index()];
                    danger += by_itself + by_point * hits;
                    attackers += 1;
                }
            }
        }
        let missing_advisors = 2 - board.men(side.other(), Kind::Advisor).len() as i32;
        let missing_elephants = 2 - board.men(side.other(), Kind::Elephant).len() as i32;
        if attackers > 1 {
            let [always, by_advisor, by_elephant] = weights.holes;
            let holes = always + by_advisor * missing_advisors + by_elephant * missing_elephants;
            let danger = (danger * danger * holes / 64).min(MOST_DANGER);
            value += Tapered(danger, danger / 2);
        }
        let count = |kind| board.men(side, kind).len() as i32;
        value += (count(Kind::Rook) * missing_advisors) * weights.rook_without_advisor;
        value += (count(Kind::Cannon) * missing_elephants) * weights.cannon_without_elephant;
        value += self.lines_of(board, side);
        (value, phase)
    }

    /// What the cannons, rooks and pawns of `side` have of the files they stand on.
    fn lines_of(&self, board: &impl Men, side: Side) -> Tapered {
        let weights = &self.weights;
        let own = board.all(side);
        let occupied = own | board.all(side.other());
        let king = board.men(side.other(), Kind::King).first();
        let pawns = board.men(side, Kind::Pawn);
        let mut value = Tapered(0, 0);
        for cannon in board.men(side, Kind::Cannon) {
            if let Some(king) = king.filter(|king| king.file() == cannon.file()) {
                match (attacks::between(king, cannon) & occupied).len() {
                    0 => value += weights.bare_file,
                    2 => value += weights.pinned_screens,
                    _ => {}
                }
            }
            if cannon.rank() == (if side == Side::Red { 9 } else { 0 }) {
                value += weights.bottom_cannon;
            }
        }
        for rook in board.men(side, Kind::Rook) {
            if !PointSet::file(rook.file()).meets(pawns) {
                value += weights.open_file;
            }
        }
        let crossed = pawns & PointSet::home(side.other());
        for pawn in crossed {
            if pawn.offset(1, 0).is_some_and(|beside| crossed.contains(beside)) {
                value += weights.linked_pawns;
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
