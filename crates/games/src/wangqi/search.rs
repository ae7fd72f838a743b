//! Position-level play, and what alpha-beta search knows about wangqi.

use super::position::{Effect, Move, Position, Run};
use super::{State, Wangqi, bare, end_of};
use crate::repetition::verdict_on_checks;
use crate::xiangqi::evaluate::worth;
use crate::xiangqi::search::CHEAPEST_FIRST;
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks, zobrist};
use xinqi_engine::exchange_wins;
use xinqi_kernel::{Evaluate, Outcome, Reason, Seat, Step, Tree};

impl Tree for Wangqi {
    type Position = Position;
    type Move = Move;
    type Undo = Position;

    fn position(&self, state: &State) -> Position {
        state.position.clone()
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        position.legal(out);
    }

    fn count(&self, position: &Position) -> u64 {
        position.count_legal()
    }

    fn make(&self, position: &mut Position, mv: Move) -> Position {
        let before = position.clone();
        position.play(mv, self.grind);
        before
    }

    fn unmake(&self, position: &mut Position, _: Move, undo: Position) {
        *position = undo;
    }

    fn side(&self, position: &Position) -> Seat {
        position.side().into()
    }

    /// Runs count only when they are near their end: two ways to one board share what the search knows of it.
    fn key(&self, position: &Position) -> u64 {
        Side::BOTH.iter().fold(position.key(), |key, &side| match position.run(side) {
            Some(Run { point, count }) if self.is_late(count) => {
                key ^ zobrist::mix(0x6717d << 32 | (point.index() as u64) << 16 | u64::from(count) << 8 | side as u64)
            }
            _ => key,
        })
    }

    fn in_check(&self, position: &Position) -> bool {
        position.king_attacked(position.side())
    }

    fn terminal(&self, position: &Position, has_moves: bool) -> Option<Outcome> {
        end_of(position, has_moves)
            .or_else(|| bare(position).then_some(Outcome::Draw(Reason::InsufficientMaterial)))
    }

    fn action(&self, _: &Position, mv: Move) -> Move {
        mv
    }
}

impl Wangqi {
    /// Whether a run is within three plies of its end.
    fn is_late(&self, count: u8) -> bool {
        count + 3 >= self.grind
    }
}

impl Position {
    /// The ordinary pieces among `occupied` that attack what stands on `point`.
    fn attackers(&self, point: Point, occupied: PointSet) -> PointSet {
        let (slides, hops) = attacks::lines(point, occupied);
        let both = |kind| self.of(Side::Red, kind) | self.of(Side::Black, kind);
        let tokens = Side::BOTH.iter().fold(PointSet::EMPTY, |all, &side| all | PointSet::of(self.token(side)));
        let pawns = |side| attacks::pawn_attackers(side, point) & self.of(side, Kind::Pawn);
        let looking = slides & both(Kind::Rook)
            | hops & both(Kind::Cannon)
            | attacks::horse_attackers(point, occupied) & both(Kind::Horse)
            | pawns(Side::Red)
            | pawns(Side::Black)
            | attacks::elephant(point, occupied) & both(Kind::Elephant)
            | attacks::advisor(point) & both(Kind::Advisor)
            | attacks::king(point) & both(Kind::King);
        (looking & occupied) - tokens
    }
}

impl Evaluate for Wangqi {
    const TRACES: usize = 2 * Kind::COUNT * Point::COUNT;
    const SACRIFICES: bool = true;

    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluation.of(position, self.grind)
    }

    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let kind = position.kind(mv.from);
        match position.effect(mv.to) {
            Effect::Capture => 10 * worth(position.kind(mv.to)) - worth(kind).min(1_000),
            Effect::Swap => -10,
            Effect::Quiet => {
                self.evaluation.board.improvement(Piece::new(position.side(), kind), mv.from, mv.to) - 5 * i32::from(mv.token)
            }
        }
    }

    fn exchange_wins(&self, position: &Position, mv: Move, least: i32) -> bool {
        let taken = match position.effect(mv.to) {
            Effect::Capture => worth(position.kind(mv.to)),
            Effect::Quiet => 0,
            Effect::Swap => return true,
        };
        let mut occupied = (position.occupied() - PointSet::of(mv.from)) | PointSet::of(mv.to);
        let mut side = position.side();
        exchange_wins(taken, worth(position.kind(mv.from)), least, || {
            side = side.other();
            let own = position.attackers(mv.to, occupied) & position.pieces(side);
            let kind = CHEAPEST_FIRST.into_iter().find(|&kind| own.meets(position.of(side, kind)))?;
            occupied.remove((own & position.of(side, kind)).first()?);
            Some(worth(kind))
        })
    }

    fn is_tactical(&self, position: &Position, mv: Move) -> bool {
        position.effect(mv.to) == Effect::Capture
    }

    fn code(&self, mv: Move) -> u32 {
        (2 + 2 * (mv.from.index() * Point::COUNT + mv.to.index()) + usize::from(mv.token)) as u32
    }

    fn trace(&self, position: &Position, mv: Move) -> usize {
        let kind = 2 * position.kind(mv.from).index() + usize::from(mv.token);
        kind * Point::COUNT + mv.to.index()
    }

    fn gain(&self, position: &Position, mv: Move) -> i32 {
        worth(position.kind(mv.to))
    }

    /// Runs make zugzwang of their own: whoever is near the end of one has to move, and so has a side of little force.
    fn pass(&self, position: &mut Position) -> Option<Position> {
        let side = position.side();
        let forces = [Kind::Rook, Kind::Horse, Kind::Cannon].map(|kind| position.of(side, kind));
        let points = forces.into_iter().fold(PointSet::EMPTY, |all, set| all | set);
        let grinds = Side::BOTH.iter().any(|&side| position.run(side).is_some_and(|run| self.is_late(run.count)));
        (points.is_many() && !(grinds && self.grind > 0)).then(|| {
            let before = position.clone();
            position.pass();
            before
        })
    }

    fn unpass(&self, position: &mut Position, undo: Position) {
        *position = undo;
    }

    fn past(&self, state: &State) -> Vec<Step<Move>> {
        state.history.steps(&[])
    }

    fn identity(&self, position: &Position) -> u64 {
        position.key()
    }

    fn is_final(&self, position: &Position, mv: Move) -> bool {
        position.effect(mv.to) == Effect::Capture
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        (self.no_progress > 0).then(|| self.no_progress.saturating_sub(state.captureless).max(1))
    }

    fn repetition(&self, position: &Position, cycle: &[Step<Move>]) -> Outcome {
        verdict_on_checks(Seat::from(position.side()).other(), cycle)
    }
}
