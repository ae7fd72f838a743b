//! How the engine thinks: alpha-beta in several worlds that fit what the seat knows, whose candidates are tried in
//! all of them, so that none is chosen for what only one world gives.

use super::faces::{Face, Layout};
use super::negotiation::Demand;
use super::position::Limits as Rights;
use super::{Action, Known, Qixi, Single, State, single};
use rand::seq::IteratorRandom;
use std::cmp::Reverse;
use std::time::Duration;
use xinqi_boards::xiangqi::Side;
use xinqi_engine::{Baseline, Info, Limits, Method, Thinks, alpha_beta};
use xinqi_kernel::{Evaluate, Events, Game, Outcome, Redeal, Seat, Tree, Turn, rng};

/// Worlds looked at in one decision, at most.
const WORLDS: usize = 2;
/// What another ply than the first world's has to be better by, in hundredths of a pawn.
const DOUBT: f64 = 50.0;
/// What a mate counts as where values of worlds are put together.
const MATE: f64 = 3_000.0;

/// How qixi thinks.
#[derive(Clone, Copy, Debug)]
pub struct Worlds;

impl Thinks for Qixi {
    type Method = Worlds;
    const BASELINES: &'static [Baseline<Qixi>] =
        &[Baseline { name: "blind", think: blind }, Baseline { name: "cheat", think: cheat }];
}

/// Takes every piece for what it shows.
fn blind(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let rights = Rights { rights: 0, ..game.single.limits };
    let plain = Qixi { single: Single { limits: rights, ..game.single.clone() }, terms: None };
    baseline(game, &plain, state, seat, limits)
}

/// Sees all dark faces.
fn cheat(game: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    baseline(game, game, state, seat, limits)
}

fn baseline(game: &Qixi, seen: &Qixi, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    let due = game.turn(state) == Turn::Ply(seat);
    let ply = if due { alpha_beta(seen, state, limits, &mut |_| {}) } else { None };
    ply.or_else(|| game.sample(state, seat, &mut rng(limits.seed)))
}

/// A state that may be the true one, and how likely it is.
struct World {
    odds: f64,
    state: State,
}

impl Method<Qixi> for Worlds {
    fn think(
        game: &Qixi,
        known: &Known,
        seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Option<Action> {
        let mut chance = rng(limits.seed);
        let any = game.redeal(known, &mut chance);
        match (game.turn(&any), any.tally.pending) {
            (Turn::Choice(seats), pending) if seats.contains(seat) => match pending {
                // No layout can be told from the others by play that has not begun: each is as good as it is rare.
                None => Layout::all().choose(&mut chance).map(|l| Action::Game(single::Action::Layout(l))),
                Some((by, what)) => Some(Action::Answer(game.grants(known, seat, by, what, limits))),
            },
            (Turn::Ply(mover), _) if mover == seat => game.decide(known, &any, seat, limits, info),
            _ => None,
        }
    }
}

impl Qixi {
    /// The game without its match: search ends where the game does.
    fn alone(&self) -> Qixi {
        Qixi {
            single: self.single.clone(),
            terms: None,
        }
    }

    /// The worlds to look at.
    fn worlds(&self, known: &Known, seat: Seat, most: usize) -> Vec<World> {
        let own = if known.tally.is_turned() { seat.other() } else { seat };
        let enemy = Side::from(own.other());
        let world = |(odds, game)| World {
            odds,
            state: State { game, tally: known.tally.clone(), outcome: known.outcome },
        };
        let mut all: Vec<World> = known.game.worlds(enemy).into_iter().map(world).collect();
        let most = match all.first() {
            Some(world) if self.may_turn(&world.state, own.other()) => most,
            // What the enemy hides cannot come up at once: one world is looked at, but deeper.
            _ => 1,
        };
        // The likeliest first. Equals are told apart by the seat's own faces: the same in every decision of a game, so
        // that plans last, and nothing that the enemy could count on.
        let salt = all.first().map_or(0, |world| world.state.game.pairs_key(enemy.other(), 0));
        all.sort_by_cached_key(|world| {
            (Reverse((world.odds * 1e9) as u64), world.state.game.pairs_key(enemy, salt))
        });
        all.truncate(most);
        let sum: f64 = all.iter().map(|world| world.odds).sum();
        all.iter_mut().for_each(|world| world.odds /= sum);
        all
    }

    /// Whether `own`, a seat of the game, has rights to spend and shows less than two of some kind that it may turn up.
    fn may_turn(&self, state: &State, own: Seat) -> bool {
        let (open, side) = (&state.game.open, Side::from(own));
        let lacks = |face: Face| {
            let shown = open.board.kind(face.kind()) & open.board.of(side);
            !shown.is_many() && self.single.limits.affords(open.spent[side.index()], face)
        };
        self.single.could_flip(&state.game, own) && Face::ALL.into_iter().any(lacks)
    }

    fn decide(
        &self,
        known: &Known,
        any: &State,
        seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Option<Action> {
        if limits.noise > 0 {
            let world = self.worlds(known, seat, 1).pop()?;
            return alpha_beta(&self.alone(), &world.state, limits, info);
        }
        let worlds = self.worlds(known, seat, WORLDS);
        // Most goes into the first world, some finds what is best in the others, and some compares.
        let others = worlds.len() as u32 - 1;
        let (mut candidates, mut values): (Vec<Action>, Vec<f64>) = (Vec::new(), Vec::new());
        for (n, world) in worlds.iter().enumerate() {
            let limits = match (n, others) {
                (0, 0) => limits.clone(),
                (0, _) => shared(limits, 3, 4),
                _ => shared(limits, 1, 8 * others),
            };
            let mut value = 0.0;
            let found = alpha_beta(&self.alone(), &world.state, &limits, &mut |said| {
                value = points(said);
                info(said);
            });
            values.push(value);
            candidates.extend(found.filter(|found| !candidates.contains(found)));
        }
        let value: f64 = worlds.iter().zip(&values).map(|(world, value)| world.odds * value).sum();
        if let Some(demand) = self.demand(any, seat, value) {
            return Some(demand);
        }
        let first = *candidates.first()?;
        if candidates.len() == 1 {
            return Some(first);
        }
        let share = shared(limits, 1, 8 * (worlds.len() * candidates.len()) as u32);
        let value = |action: &Action| -> f64 {
            let worth = |world: &World| world.odds * self.value_after(&world.state, seat, action, &share);
            worlds.iter().map(worth).sum()
        };
        // The first was looked at longest: another has to be clearly better.
        let ahead = |action: &Action| value(action) - if *action == first { 0.0 } else { DOUBT };
        let seen: Vec<f64> = candidates.iter().map(ahead).collect();
        let best = (0..candidates.len()).max_by(|&a, &b| seen[a].total_cmp(&seen[b]))?;
        Some(candidates[best])
    }

    /// What a ply is worth to `seat`, which plays it, in one world.
    fn value_after(&self, state: &State, seat: Seat, action: &Action, limits: &Limits) -> f64 {
        let mut after = state.clone();
        // The game alone: the next one of a match does not matter here.
        if let Action::Game(action) = action {
            self.single.apply(&mut after.game, self.turned(state, seat), action, &mut Events::ignore());
        }
        -self.value(&after, seat.other(), limits)
    }

    /// What a state is worth to `seat`, which is to move.
    fn value(&self, state: &State, seat: Seat, limits: &Limits) -> f64 {
        match self.single.outcome(&state.game) {
            Some(Outcome::Win(winner, _)) if winner == self.turned(state, seat) => return MATE,
            Some(Outcome::Win(..)) => return -MATE,
            Some(_) => return 0.0,
            None => {}
        }
        let position = self.position(state);
        let mut plies = Vec::new();
        self.moves(&position, &mut plies);
        // Nothing is said of a forced ply.
        if let [only] = plies[..] {
            return self.value_after(state, seat, &self.action(&position, only), limits);
        }
        let mut value = f64::from(self.evaluate(&position));
        alpha_beta(&self.alone(), state, limits, &mut |said| value = points(said));
        value
    }

    /// A demand of surrender, where that is worth more than playing on even if the other answers as it should.
    fn demand(&self, state: &State, seat: Seat, value: f64) -> Option<Action> {
        let terms = self.terms.as_ref()?;
        let action = Action::Demand(Demand::Surrender);
        self.check(state, seat, &action).ok()?;
        let odds = odds(value);
        let refused = terms.expected(seat, odds, Some(seat));
        let gain = refused.min(terms.granted(seat, seat, Demand::Surrender));
        (gain > terms.expected(seat, odds, state.tally.refused) + MARGIN).then_some(action)
    }

    /// Whether `seat` does better to give in to the demand of `by`.
    fn grants(&self, known: &Known, seat: Seat, by: Seat, what: Demand, limits: &Limits) -> bool {
        let Some(terms) = &self.terms else { return false };
        // What comes if it is refused.
        let mut known = known.clone();
        known.tally.refuse();
        let worlds = self.worlds(&known, seat, WORLDS);
        let share = shared(limits, 1, worlds.len() as u32);
        let value: f64 =
            worlds.iter().map(|world| world.odds * -self.value(&world.state, by, &share)).sum();
        terms.granted(seat, by, what) > terms.expected(seat, odds(value), Some(by))
    }
}

/// Points by which a demand must promise more than playing on.
const MARGIN: f64 = 0.1;

/// The chances to win, draw and lose at a value in hundredths of a pawn: logistic, with even games mostly drawn.
fn odds(value: f64) -> [f64; 3] {
    let above = |bar: f64| 1.0 / (1.0 + (-(value - bar) / SPREAD).exp());
    let (win, not_lost) = (above(DRAWN), above(-DRAWN));
    [win, not_lost - win, 1.0 - not_lost]
}

/// A value at which a win is as likely as not.
const DRAWN: f64 = 150.0;
/// How much more of it makes the odds e times better.
const SPREAD: f64 = 130.0;

fn points(said: &Info) -> f64 {
    match said.mate {
        Some(plies) if plies > 0 => MATE,
        Some(_) => -MATE,
        None => f64::from(said.score).clamp(-MATE, MATE),
    }
}

/// So many parts of `all` that may be spent.
fn shared(limits: &Limits, parts: u32, all: u32) -> Limits {
    let (soft, hard) = limits.budget();
    Limits {
        nodes: (limits.nodes / u64::from(all)).saturating_mul(parts.into()).max(1),
        time: soft.or(hard).map(|time: Duration| time * parts / all),
        clock: None,
        ..limits.clone()
    }
}
