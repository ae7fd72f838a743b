//! What alpha-beta search knows about xiangqi.

use super::chase::every_ply_chases;
use super::evaluate::{Evaluation, worth};
use super::{Move, Position, State, Weights, Xiangqi};
use crate::repetition::verdict;
use std::sync::Arc;
use xinqi_boards::xiangqi::{Kind, Point, PointSet, Side, attacks};
use xinqi_engine::exchange_wins;
use xinqi_kernel::{Evaluate, Outcome, Seat, Step, Tunable};

pub(crate) const CHEAPEST_FIRST: [Kind; Kind::COUNT] = [
    Kind::Pawn,
    Kind::Elephant,
    Kind::Advisor,
    Kind::Horse,
    Kind::Cannon,
    Kind::Rook,
    Kind::King,
];

impl Position {
    /// Whether the exchanges on the target of `mv`, pins aside, bring its side at least `least`.
    pub(crate) fn exchange_wins(&self, mv: Move, least: i32) -> bool {
        let taken = self.kind_at(mv.to).map_or(0, worth);
        let Some(mover) = self.kind_at(mv.from) else { return false };
        let occupied = (self.occupied() - PointSet::of(mv.from)) | PointSet::of(mv.to);
        self.exchange_on(mv.to, taken, worth(mover), occupied, least)
    }

    /// Whether its side, having won `taken` by bringing what is worth `risked` to `point`, keeps at least `least` of it in
    /// the exchanges that follow there.
    pub(crate) fn exchange_on(
        &self,
        point: Point,
        taken: i32,
        risked: i32,
        mut occupied: PointSet,
        least: i32,
    ) -> bool {
        let mut side = self.side();
        exchange_wins(taken, risked, least, || {
            side = side.other();
            let own = self.attackers(point, occupied) & self.of(side);
            let kind = CHEAPEST_FIRST.into_iter().find(|&kind| own.meets(self.kind(kind)))?;
            occupied.remove((own & self.kind(kind)).first()?);
            Some(worth(kind))
        })
    }

    /// The pieces of both sides among `occupied` that attack what stands on `point`.
    fn attackers(&self, point: Point, occupied: PointSet) -> PointSet {
        let (slides, hops) = attacks::lines(point, occupied);
        let pawns = self.kind(Kind::Pawn);
        occupied
            & ((slides & self.kind(Kind::Rook))
                | (hops & self.kind(Kind::Cannon))
                | (attacks::horse_attackers(point, occupied) & self.kind(Kind::Horse))
                | (attacks::pawn_attackers(Side::Red, point) & pawns & self.of(Side::Red))
                | (attacks::pawn_attackers(Side::Black, point) & pawns & self.of(Side::Black))
                | (attacks::elephant(point, occupied) & self.kind(Kind::Elephant))
                | (attacks::advisor(point) & self.kind(Kind::Advisor))
                | (attacks::king(point) & self.kind(Kind::King)))
    }
}

impl Evaluate for Xiangqi {
    const TRACES: usize = Kind::COUNT * Point::COUNT;
    /// Kings have few squares and guards are pinned: mates begin with a piece given away.
    const SACRIFICES: bool = true;

    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluation.balance(position, position.side())
    }

    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let Some(piece) = position.piece(mv.from) else { return 0 };
        match position.kind_at(mv.to) {
            // The most valuable victim first, taken by the least valuable attacker.
            Some(victim) => 10 * worth(victim) - worth(piece.kind).min(1_000),
            None => self.evaluation.improvement(piece, mv.from, mv.to),
        }
    }

    fn is_tactical(&self, position: &Position, mv: Move) -> bool {
        position.kind_at(mv.to).is_some()
    }

    fn code(&self, mv: Move) -> u32 {
        (1 + mv.from.index() * Point::COUNT + mv.to.index()) as u32
    }

    fn trace(&self, position: &Position, mv: Move) -> usize {
        position.kind_at(mv.from).map_or(0, |kind| kind.index() * Point::COUNT + mv.to.index())
    }

    fn tactical_moves(&self, position: &Position, out: &mut Vec<Move>) {
        position.for_each_capture(|mv| out.push(mv));
    }

    fn gain(&self, position: &Position, mv: Move) -> i32 {
        position.kind_at(mv.to).map_or(0, worth)
    }

    fn exchange_wins(&self, position: &Position, mv: Move, least: i32) -> bool {
        position.exchange_wins(mv, least)
    }

    /// Zugzwang needs a side with hardly any force.
    fn pass(&self, position: &mut Position) -> Option<Self::Undo> {
        let force = position.kind(Kind::Rook) | position.kind(Kind::Horse) | position.kind(Kind::Cannon);
        (force & position.of(position.side())).is_many().then(|| {
            position.pass();
            None
        })
    }

    fn unpass(&self, position: &mut Position, _: Self::Undo) {
        position.pass();
    }

    fn past(&self, state: &State) -> Vec<Step<Move>> {
        state.history.steps(&state.plies)
    }

    fn is_final(&self, position: &Position, mv: Move) -> bool {
        position.kind_at(mv.to).is_some()
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        (self.no_progress > 0).then(|| self.no_progress.saturating_sub(state.captureless).max(1))
    }

    fn repetition(&self, position: &Position, cycle: &[Step<Move>]) -> Outcome {
        let mover = Seat::from(position.side()).other();
        verdict(mover, Step::every_ply_checks(cycle), || {
            let known = cycle.iter().all(|step| step.mv.is_some());
            match self.chase && known {
                true => every_ply_chases(position, cycle.iter().filter_map(|step| step.mv)),
                false => (false, false),
            }
        })
    }
}

impl Tunable for Xiangqi {
    type Weights = Weights;

    fn weights(&self) -> &Weights {
        &self.evaluation.weights
    }

    fn set_weights(&mut self, weights: Weights) {
        self.evaluation = Arc::new(Evaluation::new(weights));
    }
}
