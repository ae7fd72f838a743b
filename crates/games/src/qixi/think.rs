//! How the engine thinks: alpha-beta against an enemy that may turn up whatever its pieces can still hide, so that no ply
//! is chosen for what only one world gives.

use super::baselines::BASELINES;
use super::faces::{Face, Layout};
use super::negotiation::Demand;
use super::{Action, Known, Qixi, State, single};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use xinqi_boards::xiangqi::Side;
use xinqi_engine::{Baseline, Info, Limits, Method, Thinks, alpha_beta};
use xinqi_kernel::{Evaluate, Events, Game, Outcome, Redeal, Seat, Tree, Turn, rng};

/// What a mate counts as where odds are made of values.
const MATE: f64 = 3_000.0;

/// How qixi thinks.
#[derive(Clone, Copy, Debug)]
pub struct Sight;

impl Thinks for Qixi {
    type Method = Sight;
    const BASELINES: &'static [Baseline<Qixi>] = BASELINES;
}

impl Method<Qixi> for Sight {
    fn think(
        game: &Qixi,
        known: &Known,
        seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Option<Action> {
        let mut chance = rng(limits.seed);
        let state = game.redeal(known, &mut chance);
        match (game.turn(&state), state.tally.pending) {
            (Turn::Choice(seats), pending) if seats.contains(seat) => match pending {
                None => Some(Action::Game(single::Action::Layout(layout(&mut chance)))),
                Some((by, what)) => Some(Action::Answer(game.grants(known, seat, by, what, limits))),
            },
            (Turn::Ply(mover), _) if mover == seat => game.decide(known, seat, limits, info),
            _ => None,
        }
    }
}

/// A layout drawn by what it is worth, every one now and then: horses are what is kept longest, so they hide rooks best;
/// cannons are exchanged first.
fn layout(chance: &mut ChaCha8Rng) -> Layout {
    let weight = |layout: &Layout| {
        let [.., horse, other, _, _] = layout.0;
        match (horse == Face::Rook, other == Face::Rook) {
            (true, true) => 6,
            (false, false) => 1,
            _ => 2,
        }
    };
    let all: Vec<Layout> = Layout::all().collect();
    *all.choose_weighted(chance, weight).expect("there are ten")
}

impl Qixi {
    /// The game without its match: search ends where the game does.
    pub(super) fn alone(&self) -> Qixi {
        Qixi {
            single: self.single.clone(),
            terms: None,
        }
    }

    /// The state that `seat` thinks in.
    fn sight(&self, known: &Known, seat: Seat) -> State {
        let own = if known.tally.is_turned() { seat.other() } else { seat };
        let enemy = Side::from(own.other());
        State {
            game: known.game.sight(enemy),
            tally: known.tally.clone(),
            outcome: known.outcome,
        }
    }

    fn decide(&self, known: &Known, seat: Seat, limits: &Limits, info: &mut dyn FnMut(&Info)) -> Option<Action> {
        let state = self.sight(known, seat);
        let mut value = f64::from(self.evaluate(&self.position(&state)));
        let found = alpha_beta(&self.alone(), &state, limits, &mut |said| {
            value = points(said);
            info(said);
        });
        match limits.noise {
            0 => self.demand(&state, seat, value).or(found),
            _ => found,
        }
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
            let mut after = state.clone();
            if let Action::Game(action) = self.action(&position, only) {
                // The game alone: the next one of a match does not matter here.
                self.single.apply(&mut after.game, self.turned(state, seat), &action, &mut Events::ignore());
            }
            return -self.value(&after, seat.other(), limits);
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
        let value = -self.value(&self.sight(&known, seat), by, limits);
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
const DRAWN: f64 = 200.0;
/// How much more of it makes the odds e times better.
const SPREAD: f64 = 350.0;

fn points(said: &Info) -> f64 {
    match said.mate {
        Some(plies) if plies > 0 => MATE,
        Some(_) => -MATE,
        None => f64::from(said.score).clamp(-MATE, MATE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xinqi_kernel::{Options, RuleSet, Setup, Viewer};

    fn build(options: &[(&str, &str)]) -> Qixi {
        let pairs: Vec<_> = options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        Qixi::build(&mut Options::settle(Qixi::options(), &pairs).unwrap()).unwrap()
    }

    /// Over games of the engine with itself the true faces are likelier by its beliefs than one layout in ten. Chances to
    /// flip that were not taken add nothing to what is told: how many of each face are hidden is no secret.
    #[test]
    fn beliefs_come_nearer_to_the_truth() {
        let game = build(&[]);
        let (mut believed, mut possible, mut blind) = (0.0, 0.0, 0.0);
        for seed in 0..6 {
            let mut state = game.start(&Setup::default()).unwrap();
            for n in 0..100 {
                let Some(seat) = game.turn(&state).seats().iter().next() else { break };
                let known = game.known(&state, Viewer::Seat(seat));
                let enemy = Side::from(seat.other());
                if let Some(truth) = state.game.dark[enemy.index()].as_ref().filter(|_| state.game.open.is_laid()) {
                    let all = known.game.beliefs(enemy);
                    let (odds, _) = all.iter().find(|(_, dark)| dark == truth).expect("the truth is possible");
                    believed += odds.ln();
                    possible -= (all.len() as f64).ln();
                    blind -= 10_f64.ln();
                }
                let limits = Limits { nodes: 200, seed: seed << 8 | n, ..Limits::default() };
                let action = Sight::think(&game, &known, seat, &limits, &mut |_| {}).unwrap();
                game.apply(&mut state, seat, &action, &mut Events::ignore());
            }
        }
        assert!(believed > 0.8 * blind, "{believed} nats against {blind}");
        assert!((believed - possible).abs() < 1e-6, "{believed} nats against {possible}");
    }

    /// Where only horses may be turned over, who turns up no rook hides it elsewhere.
    #[test]
    fn a_chance_not_taken_tells_where_a_face_is_not() {
        let game = build(&[("from", "N")]);
        let fen = "1{nr}bakab{nc}{rc}/9/1{cr}5{cn}1/p1p1p1p1p/9/9/P1P1P1P1P/1{CR}5{CN}1/9/{RN}{NR}BAKAB{NC}1 b 0.0,0.0 - 0 1";
        let mut state = game.start(&Setup { fen: Some(fen), seed: 0 }).unwrap();
        let rook_on_b9 = |state: &State| -> f64 {
            let known = game.known(state, Viewer::Seat(Seat::FIRST));
            let place = state.game.open.piece_at(Side::Black, "b9".parse().unwrap()).unwrap();
            let all = known.game.beliefs(Side::Black);
            all.iter().filter(|(_, dark)| dark[place] == Face::Rook).map(|(odds, _)| odds).sum()
        };
        let before = rook_on_b9(&state);
        let action = game.parse(&state, Seat::SECOND, "i9i8").unwrap();
        game.apply(&mut state, Seat::SECOND, &action, &mut Events::ignore());
        assert!(rook_on_b9(&state) < before);
    }
}
