//! What a position is worth to the side to move: material by place, and stacks for what they risk.

use super::game::State;
use super::{Members, Ply, Position, Undo, Zuyi};
use crate::repetition::verdict_on_checks;
use crate::xiangqi::evaluate::{Evaluation as Board, Men};
use crate::xiangqi::search::CHEAPEST_FIRST;
use crate::xiangqi::Weights as BoardWeights;
use std::sync::{Arc, LazyLock};
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks};
use xinqi_engine::exchange_wins;
use xinqi_kernel::{Evaluate, Outcome, Seat, Step, Tunable, Weights as _};

/// What a position is judged by: the board as in xiangqi, each kind counted once a point, and stacks.
#[derive(Clone, Default, Debug)]
pub struct Weights {
    board: BoardWeights,
    /// A second member of a kind on one point.
    twin: [i32; Kind::COUNT],
    /// Each member of a stack more than one: together they look at fewer points than they would apart.
    crowd: i32,
    /// Each kind in a stack more than one: it can be split in more ways.
    variety: i32,
    /// Hundredths of what an attacked stack may lose that count while its owner has the move, and while not.
    exposure: [i32; 2],
}

impl xinqi_kernel::Weights for Weights {
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
        self.board.each(line);
        for kind in &Kind::ALL[1..] {
            line(&format!("twin.{}", kind.name()), vec![&mut self.twin[kind.index()]]);
        }
        line("crowd", vec![&mut self.crowd]);
        line("variety", vec![&mut self.variety]);
        line("exposure", self.exposure.iter_mut().collect());
    }
}

/// What a position is worth by given weights.
#[derive(Debug)]
pub(super) struct Evaluation {
    board: Board,
    weights: Weights,
}

/// The evaluation by the weights that come with the game.
pub(super) static OWN: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation::new(Weights::complete(include_str!("weights.txt")))));

impl Evaluation {
    fn new(weights: Weights) -> Evaluation {
        Evaluation {
            board: Board::new(weights.board.clone()),
            weights,
        }
    }

    /// What stacks add to the worth of their members, of whom each kind is counted once a point elsewhere.
    fn stacks(&self, position: &Position, side: Side) -> i32 {
        let weights = &self.weights;
        let [moving, waiting] = weights.exposure;
        let exposure = if position.side() == side { moving } else { waiting };
        let mut sum = 0;
        for point in position.of(side) {
            let stack = position.stack(point);
            if stack.len() < 2 {
                continue;
            }
            let (mut twins, mut kinds) = (0, 0);
            for kind in stack.iter_kinds() {
                twins += (stack.count(kind) as i32 - 1) * weights.twin[kind.index()];
                kinds += 1;
            }
            sum += twins + (kinds - 1) * weights.variety + (stack.len() as i32 - 1) * weights.crowd;
            sum += at_stake(position, side, point) * exposure / 100;
        }
        sum
    }
}

/// What a piece is worth, in hundredths of a pawn across the river or so.
const VALUE: [i32; Kind::COUNT] = [0, 900, 430, 450, 200, 200, 100];

/// A king adds nothing to what a stack risks: to attack it is check, and answered.
fn value(members: Members) -> i32 {
    members.iter().map(|kind| VALUE[kind.index()]).sum()
}

/// The points of `side` from which some member could capture on `point`.
fn attackers(position: &Position, side: Side, point: Point) -> PointSet {
    let occupied = position.occupied();
    let (slides, hops) = attacks::lines(point, occupied);
    slides & position.with(side, Kind::Rook)
        | hops & position.with(side, Kind::Cannon)
        | attacks::horse_attackers(point, occupied) & position.with(side, Kind::Horse)
        | attacks::pawn_attackers(side, point) & position.with(side, Kind::Pawn)
        | attacks::elephant(point, occupied) & position.with(side, Kind::Elephant)
        | attacks::advisor(point) & position.with(side, Kind::Advisor)
        | attacks::king(point) & position.with(side, Kind::King)
}

/// What the attack on a stack of `side` may cost: the whole stack falls at once, so one that is guarded is lost as
/// well but for the piece that takes it, and only its owner's having the move makes that a threat instead of a loss.
fn at_stake(position: &Position, side: Side, point: Point) -> i32 {
    let enemy = attackers(position, side.other(), point);
    if enemy.is_empty() {
        return 0;
    }
    let guarded = !attackers(position, side, point).is_empty();
    let price = match guarded {
        true => enemy.into_iter().map(|p| cheapest(position.stack(p))).min().unwrap_or(0),
        false => 0,
    };
    (value(position.stack(point)) - price).max(0)
}

/// The least that has to leave the stack to take something: one member, whichever reaches.
fn cheapest(stack: Members) -> i32 {
    stack.iter_kinds().map(|kind| VALUE[kind.index()]).min().unwrap_or(0)
}

impl Men for Position {
    fn men(&self, side: Side, kind: Kind) -> PointSet {
        self.with(side, kind)
    }

    fn all(&self, side: Side) -> PointSet {
        self.of(side)
    }
}

/// How many members of each kind of `side` look at `point`, each point counted once.
fn lookers(position: &Position, side: Side, point: Point) -> [u32; Kind::COUNT] {
    let all = attackers(position, side, point);
    let (slides, hops) = attacks::lines(point, position.occupied());
    let mut count = [0; Kind::COUNT];
    for from in all {
        let looks = |kind: &Kind| match kind {
            Kind::Rook => slides.contains(from),
            Kind::Cannon => hops.contains(from),
            Kind::Horse => attacks::horse_attackers(point, position.occupied()).contains(from),
            Kind::Pawn => attacks::pawn_attackers(side, point).contains(from),
            Kind::Elephant => attacks::elephant(point, position.occupied()).contains(from),
            Kind::Advisor => attacks::advisor(point).contains(from),
            Kind::King => attacks::king(point).contains(from),
        };
        let stack = position.stack(from);
        if let Some(kind) = CHEAPEST_FIRST.iter().find(|kind| stack.has(**kind) && looks(kind)) {
            count[kind.index()] += 1;
        }
    }
    count
}

impl Evaluate for Zuyi {
    const TRACES: usize = Kind::COUNT * Point::COUNT;
    const SACRIFICES: bool = true;
    const SPREAD: i32 = 200;

    fn evaluate(&self, position: &Position) -> i32 {
        let us = position.side();
        let evaluation = &self.evaluation;
        evaluation.board.balance(position, us) + evaluation.stacks(position, us)
            - evaluation.stacks(position, us.other())
    }

    fn promise(&self, position: &Position, ply: Ply) -> i32 {
        if position.is_capture(ply) {
            return 10 * value(position.stack(ply.to)) - value(ply.go).min(1_000);
        }
        // Of the many ways to shift members about, those that move most of them come first.
        let better = |kind| self.evaluation.board.improvement(Piece::new(position.side(), kind), ply.from, ply.to);
        let gain: i32 = ply.go.iter_kinds().map(better).sum();
        gain - 10 * ply.back.len() as i32 - 10 * i32::from(ply.go != position.stack(ply.from))
    }

    fn exchange_wins(&self, position: &Position, ply: Ply, least: i32) -> bool {
        let taken = if position.is_capture(ply) { value(position.stack(ply.to)) } else { 0 };
        let us = position.side();
        let mover = value(ply.go);
        if taken - least >= mover {
            return true;
        }
        let mut left = [us.other(), us].map(|side| lookers(position, side, ply.to));
        for kind in ply.go.iter_kinds() {
            left[1][kind.index()] = left[1][kind.index()].saturating_sub(1);
        }
        let mut turn = 1;
        exchange_wins(taken, mover, least, || {
            turn ^= 1;
            let kind = CHEAPEST_FIRST.into_iter().find(|kind| left[turn][kind.index()] > 0)?;
            left[turn][kind.index()] -= 1;
            Some(if kind == Kind::King { 10_000 } else { VALUE[kind.index()] })
        })
    }

    fn is_tactical(&self, position: &Position, ply: Ply) -> bool {
        position.is_capture(ply)
    }

    fn code(&self, ply: Ply) -> u32 {
        let ends = 1 + ply.from.index() * Point::COUNT + ply.to.index();
        // Fourteen bits a part; who comes back differs little where the rest is the same.
        (ends as u32) << 18 ^ u32::from(ply.go.bits()) << 7 ^ u32::from(ply.back.bits()).wrapping_mul(0x9e5)
    }

    fn trace(&self, _: &Position, ply: Ply) -> usize {
        let carrier = ply.go.iter_kinds().next().map_or(0, Kind::index);
        carrier * Point::COUNT + ply.to.index()
    }

    fn gain(&self, position: &Position, ply: Ply) -> i32 {
        value(position.stack(ply.to))
    }

    /// Zugzwang needs a side with hardly any force.
    fn pass(&self, position: &mut Position) -> Option<Undo> {
        let side = position.side();
        let forces = [Kind::Rook, Kind::Horse, Kind::Cannon].map(|kind| position.with(side, kind));
        let points = forces.into_iter().fold(PointSet::EMPTY, |all, set| all | set);
        points.is_many().then(|| position.pass())
    }

    fn unpass(&self, position: &mut Position, _: Undo) {
        position.pass();
    }

    fn past(&self, state: &State) -> Vec<Step<Ply>> {
        state.history().steps(&[])
    }

    fn is_final(&self, position: &Position, ply: Ply) -> bool {
        position.is_capture(ply)
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        self.plies_left(state)
    }

    fn repetition(&self, position: &Position, cycle: &[Step<Ply>]) -> Outcome {
        verdict_on_checks(Seat::from(position.side()).other(), cycle)
    }
}

impl Tunable for Zuyi {
    type Weights = Weights;

    fn weights(&self) -> &Weights {
        &self.evaluation.weights
    }

    fn set_weights(&mut self, weights: Weights) {
        self.evaluation = Arc::new(Evaluation::new(weights));
    }
}
