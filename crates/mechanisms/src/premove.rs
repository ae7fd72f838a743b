//! 预走棋: compulsory, visible premoves (rules: `premove.md`).

mod stage;

use crate::baseline::{choice, variation};
use crate::context::context;
use crate::plan::{Planned, across, plan, sampled};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::{Value, json};
use stage::Branch;
use std::collections::VecDeque;
use xinqi_engine::{Baseline, Info, Judge, Limits, Method, Thinks};
use xinqi_kernel::{
    Audience, Code, Committable, Ending, Events, Game, Hint, Kind, OptionSpec, Options, Outcome, Pace,
    Redeal, Reject, Seat, Setup, SetupError, Turn, Viewer,
};

/// The options of `premove`.
pub const PREMOVE_OPTIONS: &[OptionSpec] = &[OptionSpec {
    key: "ahead",
    default: "3",
    kind: Kind::Odd { min: 1, max: 15 },
}];

/// A game in which nearly every decision also commits its seat, in the open, to plies further ahead.
#[derive(Clone, Debug)]
pub struct Premove<G> {
    base: G,
    ahead: u32,
}

/// The base's state and what is committed over it.
#[derive(Clone)]
pub struct State<G: Committable> {
    base: G::State,
    /// Each seat's committed plies not yet played, with their numbers.
    queues: [VecDeque<(u32, G::Intent)>; 2],
    last_failure: Option<Failure<G>>,
}

#[derive(Clone, Debug)]
struct Failure<G: Committable> {
    ply: u32,
    seat: Seat,
    intent: G::Intent,
}

/// What a seat does: submit plies, or an action of the base that is no ply (a layout).
#[derive(Clone, PartialEq, Debug)]
pub enum Action<I, A> {
    /// Plies from the one that is due, in order.
    Submit(Vec<I>),
    /// What the base asks for beside plies.
    Base(A),
}

/// The base's view with both queues.
#[derive(Serialize)]
pub struct View<V> {
    #[serde(flatten)]
    base: V,
    queues: Value,
    owes: Value,
    failed: Value,
}

impl<G: Committable> Premove<G> {
    /// The mechanism over `base` with settled options.
    pub fn new(base: G, options: &Options) -> Self {
        Premove {
            base,
            ahead: options.int("ahead") as u32,
        }
    }

    /// The game underneath and where it stands.
    pub fn base<'a>(&'a self, state: &'a State<G>) -> (&'a G, &'a G::State) {
        (&self.base, &state.base)
    }

    /// The number of the ply that is due.
    fn due(&self, state: &State<G>) -> u32 {
        self.base.ply(&state.base).unwrap_or(0) + 1
    }

    /// Who owes plies, from which number up to which (rules b and c); `None` while no ply is due.
    fn owes(&self, state: &State<G>) -> Option<(Seat, u32, u32)> {
        let Turn::Ply(seat) = self.base.turn(&state.base) else {
            return None;
        };
        let due = self.due(state);
        let failed = state.last_failure.as_ref().map(|f| f.ply);
        let to = if failed == Some(due) {
            due + 2
        } else if failed == Some(due - 1) {
            due
        } else {
            let opponents_last = state.queues[seat.other().index()]
                .back()
                .map_or(due - 1, |(n, _)| *n);
            opponents_last + self.ahead
        };
        Some((seat, due, to))
    }

    /// Plays what is committed until a submission is owed, a commitment fails, or the base asks for something else.
    fn settle(&self, state: &mut State<G>, events: &mut Events) {
        while let Turn::Ply(seat) = self.base.turn(&state.base) {
            let due = self.due(state);
            let queue = &mut state.queues[seat.index()];
            let Some((_, intent)) = queue.pop_front_if(|(n, _)| *n == due) else {
                return;
            };
            let action = self.base.resolve(&state.base, seat, &intent);
            self.base
                .witness(&mut state.base, seat, &intent, action.is_some());
            match action {
                Some(action) => {
                    let context = self.context(state, due);
                    self.base.play(&mut state.base, seat, &action, context, events);
                }
                None => {
                    state.queues.iter_mut().for_each(VecDeque::clear);
                    events.push(Audience::All, "failed", || {
                        let text = self.base.intent_text(&intent);
                        [
                            ("ply", due.into()),
                            ("seat", self.seat_name(seat)),
                            ("text", text.into()),
                        ]
                    });
                    state.last_failure = Some(Failure {
                        ply: due,
                        seat,
                        intent,
                    });
                    return;
                }
            }
        }
    }

    /// What is committed once ply `played` stands on the board, numbered from the next one.
    fn context(&self, state: &State<G>, played: u32) -> u64 {
        let queues = state.queues.iter().enumerate();
        let committed =
            queues.flat_map(|(seat, queue)| queue.iter().map(move |(n, intent)| (seat, n - played, intent)));
        let reward = state.last_failure.as_ref().is_some_and(|f| f.ply == played);
        context(committed, reward)
    }
}

impl<G: Committable> Game for Premove<G> {
    type State = State<G>;
    type Action = Action<G::Intent, G::Action>;
    type View = View<G::View>;

    fn start(&self, setup: &Setup<'_>) -> Result<State<G>, SetupError> {
        let base = self.base.start(setup)?;
        Ok(State {
            base,
            queues: Default::default(),
            last_failure: None,
        })
    }

    fn usual_position(&self) -> Option<&'static str> {
        self.base.usual_position()
    }

    fn turn(&self, state: &State<G>) -> Turn {
        self.base.turn(&state.base)
    }

    fn ply(&self, state: &State<G>) -> Option<u32> {
        self.base.ply(&state.base)
    }

    fn outcome(&self, state: &State<G>) -> Option<Outcome> {
        self.base.outcome(&state.base)
    }

    fn parse(&self, state: &State<G>, seat: Seat, text: &str) -> Result<Self::Action, Reject> {
        let plies: Result<Vec<_>, _> = text
            .split_whitespace()
            .map(|word| self.base.intent(word))
            .collect();
        match plies {
            Ok(plies) if !plies.is_empty() => Ok(Action::Submit(plies)),
            Err(error)
                if text
                    .split_whitespace()
                    .next()
                    .is_some_and(|w| self.base.intent(w).is_ok()) =>
            {
                Err(error)
            }
            _ => self.base.parse(&state.base, seat, text).map(Action::Base),
        }
    }

    fn knows(&self, word: &str) -> bool {
        self.base.knows(word)
    }

    fn text(&self, state: &State<G>, seat: Seat, action: &Self::Action) -> String {
        match action {
            Action::Submit(plies) => plies
                .iter()
                .map(|p| self.base.intent_text(p))
                .collect::<Vec<_>>()
                .join(" "),
            Action::Base(action) => self.base.text(&state.base, seat, action),
        }
    }

    fn check(&self, state: &State<G>, seat: Seat, action: &Self::Action) -> Result<(), Reject> {
        let plies = match action {
            Action::Submit(plies) => plies,
            Action::Base(action) => return self.base.check(&state.base, seat, action),
        };
        let Some((owing, from, to)) = self.owes(state) else {
            return Err(Reject::not_available("no ply is due yet"));
        };
        if seat != owing {
            return Err(Reject::new(
                Code::NotYourTurn,
                format!("the other side owes ply {from}"),
            ));
        }
        let wanted = (from..=to).step_by(2);
        if plies.len() != wanted.clone().count() {
            let list: Vec<_> = wanted.map(|n| n.to_string()).collect();
            let given = plies.len();
            return Err(Reject::malformed(format!(
                "you owe plies {}, but sent {given}",
                list.join(", ")
            )));
        }
        match self.base.resolve(&state.base, seat, &plies[0]) {
            Some(_) => Ok(()),
            None => Err(Reject::illegal(format!(
                "{} is no legal ply now",
                self.base.intent_text(&plies[0])
            ))),
        }
    }

    fn apply(&self, state: &mut State<G>, seat: Seat, action: &Self::Action, events: &mut Events) {
        match action {
            Action::Submit(plies) => {
                events.push(Audience::All, "submitted", || {
                    let texts: Value = plies.iter().map(|p| self.base.intent_text(p)).collect();
                    [("seat", self.seat_name(seat)), ("plies", texts)]
                });
                let due = self.due(state);
                let numbered = plies
                    .iter()
                    .enumerate()
                    .map(|(i, p)| (due + 2 * i as u32, p.clone()));
                state.queues[seat.index()].extend(numbered);
            }
            Action::Base(action) => self.base.apply(&mut state.base, seat, action, events),
        }
        self.settle(state, events);
    }

    /// First plies alone: whole submissions are too many to list.
    fn actions(&self, state: &State<G>, seat: Seat, out: &mut Vec<Self::Action>) {
        let mut plies = Vec::new();
        self.base.actions(&state.base, seat, &mut plies);
        let ply_due = matches!(self.base.turn(&state.base), Turn::Ply(_));
        out.extend(plies.into_iter().map(|action| {
            if ply_due && let Ok(intent) = self.base.intent(&self.base.text(&state.base, seat, &action)) {
                return Action::Submit(vec![intent]);
            }
            Action::Base(action)
        }));
    }

    fn sample(&self, state: &State<G>, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Self::Action> {
        let Some((owing, from, to)) = self.owes(state) else {
            return self.base.sample(&state.base, seat, rng).map(Action::Base);
        };
        if owing != seat {
            return None;
        }
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.retain(|a| matches!(a, Action::Submit(_)));
        let mut plies = Vec::new();
        for _ in (from..=to).step_by(2) {
            let Action::Submit(one) = &all[rng.random_range(0..all.len())] else {
                return None;
            };
            plies.extend_from_slice(one);
        }
        Some(Action::Submit(plies))
    }

    fn is_secret(&self, state: &State<G>, seat: Seat, action: &Self::Action) -> bool {
        matches!(action, Action::Base(action) if self.base.is_secret(&state.base, seat, action))
    }

    fn view(&self, state: &State<G>, viewer: Viewer) -> View<G::View> {
        let queue = |seat: Seat| -> Value {
            state.queues[seat.index()]
                .iter()
                .map(|(n, p)| json!([n, self.base.intent_text(p)]))
                .collect()
        };
        let failed = |f: &Failure<G>| json!({"ply": f.ply, "seat": self.seat_name(f.seat), "text": self.base.intent_text(&f.intent)});
        View {
            base: self.base.view(&state.base, viewer),
            queues: json!({"first": queue(Seat::FIRST), "second": queue(Seat::SECOND)}),
            owes: self.owes(state).map_or(
                Value::Null,
                |(seat, from, to)| json!({"seat": self.seat_name(seat), "from": from, "to": to}),
            ),
            failed: state.last_failure.as_ref().map_or(Value::Null, failed),
        }
    }

    fn hints(&self, state: &State<G>, seat: Seat) -> Vec<Hint> {
        self.base.hints(&state.base, seat)
    }

    fn finish(&self, state: &mut State<G>, outcome: Outcome) {
        self.base.finish(&mut state.base, outcome);
    }

    fn conclude(&self, state: &mut State<G>, seat: Seat, ending: Ending, events: &mut Events) {
        self.base.conclude(&mut state.base, seat, ending, events);
    }

    fn can_win(&self, state: &State<G>, seat: Seat) -> bool {
        self.base.can_win(&state.base, seat)
    }

    fn disclosures(&self, state: &State<G>) -> u32 {
        self.base.disclosures(&state.base)
    }

    fn pace(&self, state: &State<G>) -> Pace {
        self.base.pace(&state.base)
    }

    fn close(&self, state: &mut State<G>, seed: u64, events: &mut Events) -> Option<Seat> {
        self.base.close(&mut state.base, seed, events)
    }

    fn notations(&self) -> &'static [&'static str] {
        self.base.notations()
    }

    /// The first ply in the base's notation, the later ones as sent: no position is known that they will meet.
    fn notate(&self, state: &State<G>, seat: Seat, action: &Self::Action, notation: &str) -> Option<String> {
        match action {
            Action::Base(action) => self.base.notate(&state.base, seat, action, notation),
            Action::Submit(plies) => {
                let (first, later) = plies.split_first()?;
                let first = self.base.resolve(&state.base, seat, first)?;
                let first = self.base.notate(&state.base, seat, &first, notation)?;
                let later = later.iter().map(|p| self.base.intent_text(p));
                Some(std::iter::once(first).chain(later).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// What a viewer may know: the base's part of it, and both queues.
#[derive(Clone)]
pub struct Known<G: Committable + Redeal> {
    base: G::Known,
    queues: [VecDeque<(u32, G::Intent)>; 2],
    last_failure: Option<Failure<G>>,
}

impl<G: Committable + Redeal> Redeal for Premove<G> {
    type Known = Known<G>;

    fn known(&self, state: &State<G>, viewer: Viewer) -> Known<G> {
        Known {
            base: self.base.known(&state.base, viewer),
            queues: state.queues.clone(),
            last_failure: state.last_failure.clone(),
        }
    }

    fn redeal(&self, known: &Known<G>, rng: &mut ChaCha8Rng) -> State<G> {
        State {
            base: self.base.redeal(&known.base, rng),
            queues: known.queues.clone(),
            last_failure: known.last_failure.clone(),
        }
    }
}

impl<G: Committable + Judge + Thinks> Thinks for Premove<G> {
    type Method = Planned;
    const BASELINES: &'static [Baseline<Self>] = &[
        Baseline {
            name: "pv",
            think: principal_variation,
        },
        Baseline {
            name: "random-rest",
            think: random_rest,
        },
    ];
}

/// Commits to the base engine's principal variation.
fn principal_variation<G: Committable + Thinks>(
    game: &Premove<G>,
    state: &State<G>,
    seat: Seat,
    limits: &Limits,
) -> Option<Action<G::Intent, G::Action>> {
    let Some((_, from, to)) = game.owes(state) else {
        return choice(&game.base, &state.base, seat, limits).map(|(action, ..)| Action::Base(action));
    };
    let line = variation(&game.base, &state.base, (to - from) as usize + 1, limits);
    let mut plies: Vec<_> = line.into_iter().step_by(2).collect();
    let last = plies.last()?.clone();
    plies.resize((to - from) as usize / 2 + 1, last);
    Some(Action::Submit(plies))
}

/// The base engine's ply, and whatever after it.
fn random_rest<G: Committable + Thinks>(
    game: &Premove<G>,
    state: &State<G>,
    seat: Seat,
    limits: &Limits,
) -> Option<Action<G::Intent, G::Action>> {
    let (action, line, _) = choice(&game.base, &state.base, seat, limits)?;
    let Some(Action::Submit(mut plies)) = game.sample(state, seat, &mut xinqi_kernel::rng(limits.seed))
    else {
        return Some(Action::Base(action));
    };
    plies[0] = game.base.intent(&line[0]).ok()?;
    Some(Action::Submit(plies))
}

impl<G: Committable + Judge + Thinks> Method<Premove<G>> for Planned {
    fn think(
        game: &Premove<G>,
        known: &Known<G>,
        seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Option<Action<G::Intent, G::Action>> {
        let owed = game.redeal(known, &mut xinqi_kernel::rng(limits.seed));
        if game.owes(&owed).is_none() {
            return G::Method::think(&game.base, &known.base, seat, limits, info).map(Action::Base);
        }
        let text = across(
            &G::bounds(limits),
            |chance| game.redeal(known, chance),
            |world| game.base.fingerprint(&world.base),
            |world, limits| {
                let root = Branch::root(game, world, seat)?;
                match G::SAMPLED {
                    true => sampled(limits, info, |watch| root.sampled(limits, watch)),
                    false => plan(Box::new(root), seat, limits, info),
                }
            },
        )?;
        game.parse(&owed, seat, &text).ok()
    }
}
