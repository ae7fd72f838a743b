//! Players that the engine has to beat, or not to fall for.

use super::faces::{Face, Layout};
use super::negotiation::Demand;
use super::position::{Limits as Rights, Ply};
use super::{Action, Qixi, Sight, Single, State, single};
use xinqi_boards::xiangqi::Side;
use xinqi_engine::{Baseline, Limits, Method, alpha_beta};
use xinqi_kernel::{Game, Redeal, Seat, Turn, Viewer, rng};

pub(super) const BASELINES: &[Baseline<Qixi>] = &[
    Baseline { name: "blind", think: blind },
    Baseline { name: "cheat", think: cheat },
    Baseline { name: "eager", think: eager },
    Baseline { name: "late", think: late },
    Baseline { name: "bluff", think: bluff },
    Baseline { name: "silent", think: silent },
];

/// Takes every piece for what it shows.
fn blind(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    searched(game, &game.without_flips(), state, seat, limits)
}

/// Sees all dark faces.
fn cheat(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    searched(game, game, state, seat, limits)
}

fn searched(game: &Qixi, seen: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let due = game.turn(state) == Turn::Ply(seat);
    let ply = if due { alpha_beta(seen, state, limits, &mut |_| {}) } else { None };
    ply.or_else(|| game.sample(state, seat, &mut rng(limits.seed)))
}

/// The engine, but it always hides the same layout, and flips whenever it may, to a rook first.
fn eager(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let mut actions = Vec::new();
    game.actions(state, seat, &mut actions);
    let usual = Action::Game(single::Action::Layout(Layout::USUAL));
    let to = |action: &Action| match action {
        Action::Game(single::Action::Ply(Ply::Flip(flip))) => Some(flip.to),
        _ => None,
    };
    let flip = actions.iter().filter(|action| to(action).is_some()).min_by_key(|action| to(action) != Some(Face::Rook));
    let at_once = actions.iter().find(|&&action| action == usual).or(flip);
    at_once.copied().or_else(|| think(game, state, seat, limits))
}

/// The engine, but it lets many chances to flip pass before it takes one.
fn late(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let side = Side::from(game.turned(state, seat));
    let passed = state.game.open.pieces[side.index()].iter().flat_map(|piece| piece.declined).max();
    let due = game.turn(state) == Turn::Ply(seat);
    match due && passed < Some(8) {
        true => think(&game.without_flips(), state, seat, limits),
        false => think(game, state, seat, limits),
    }
}

/// The engine, but it demands surrender as soon as it may, and refuses whatever is demanded.
fn bluff(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let demand = Action::Demand(Demand::Surrender);
    match game.check(state, seat, &demand) {
        Ok(()) => Some(demand),
        Err(_) => silent(game, state, seat, limits),
    }
}

/// The engine, but it demands nothing, and refuses whatever is demanded.
fn silent(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let refuse = Action::Answer(false);
    match game.check(state, seat, &refuse) {
        Ok(()) => Some(refuse),
        Err(_) => think(&game.alone(), state, seat, limits),
    }
}

/// What the engine does.
fn think(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    Sight::think(game, &game.known(state, Viewer::Seat(seat)), seat, limits, &mut |_| {})
}

impl Qixi {
    /// The game in which nothing can be turned over.
    fn without_flips(&self) -> Qixi {
        let limits = Rights { rights: 0, ..self.single.limits };
        Qixi { single: Single { limits, ..self.single.clone() }, terms: None }
    }
}
