//! 备选池: candidate pools, two forms (rules: `pool.md`).

mod stage;

use crate::baseline::{choice, variation};
use crate::context::context;
use crate::plan::{ADVICE, Planned, across, plan, sampled};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::{Value, json};
use stage::Branch;
use xinqi_engine::{Baseline, Info, Judge, Limits, Method, Thinks};
use xinqi_kernel::{
    Audience, Code, Committable, Ending, Events, Game, Hint, Kind, OptionSpec, Options, Outcome, Pace,
    Redeal, Reject, Seat, Setup, SetupError, Turn, Viewer,
};

/// The options of `pool` and `pool-opponent`.
pub const POOL_OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "auto",
        default: "true",
        kind: Kind::Bool,
    },
    OptionSpec {
        key: "pool",
        default: "5",
        kind: Kind::Int { min: 1, max: 20 },
    },
    OptionSpec {
        key: "spent",
        default: "reward",
        kind: Kind::Choice(&["reward", "redeclare", "free"]),
    },
];

/// Who picks among a seat's legal candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooser {
    /// `pool`: the seat itself.
    Owner,
    /// `pool-opponent`: the other seat.
    Opponent,
}

/// A game in which plies come from pools declared in the open.
#[derive(Clone, Debug)]
pub struct Pool<G> {
    base: G,
    chooser: Chooser,
    size: usize,
    spent: Spent,
    auto: bool,
}

/// What follows when no candidate is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spent {
    Reward,
    Redeclare,
    Free,
}

/// The base's state and both pools.
#[derive(Clone)]
pub struct State<G: Committable> {
    base: G::State,
    pools: [Vec<G::Intent>; 2],
    /// The number of a ply for which its seat owes any legal ply and nothing else.
    free: Option<u32>,
    /// The candidates that are legal now, while a pick is owed.
    picks: Vec<G::Intent>,
}

/// What a seat does.
#[derive(Clone, PartialEq, Debug)]
pub enum Action<I, A> {
    /// A ply for now and candidates for later.
    Declare(I, Vec<I>),
    /// A candidate, for oneself or for the other side.
    Pick(I),
    /// A ply alone, after a spent pool.
    Free(I),
    /// What the base asks for beside plies.
    Base(A),
}

/// What is owed for the ply that is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owed {
    Declare,
    Pick,
    Free,
}

/// The base's view with both pools.
#[derive(Serialize)]
pub struct View<V> {
    #[serde(flatten)]
    base: V,
    pools: Value,
    owes: Value,
    picks: Value,
}

impl<G: Committable> Pool<G> {
    /// The mechanism over `base` with settled options.
    pub fn new(base: G, chooser: Chooser, options: &Options) -> Self {
        let spent = match options.text("spent") {
            "redeclare" => Spent::Redeclare,
            "free" => Spent::Free,
            _ => Spent::Reward,
        };
        Pool {
            base,
            chooser,
            size: options.int("pool") as usize,
            spent,
            auto: options.flag("auto"),
        }
    }

    /// The game underneath and where it stands.
    pub fn base<'a>(&'a self, state: &'a State<G>) -> (&'a G, &'a G::State) {
        (&self.base, &state.base)
    }

    fn due(&self, state: &State<G>) -> u32 {
        self.base.ply(&state.base).unwrap_or(0) + 1
    }

    /// What is owed, by whom, and for whose ply; `None` while no ply is due.
    fn owes(&self, state: &State<G>) -> Option<(Owed, Seat, Seat)> {
        let Turn::Ply(owner) = self.base.turn(&state.base) else {
            return None;
        };
        Some(if state.free == Some(self.due(state)) {
            (Owed::Free, owner, owner)
        } else if state.pools[owner.index()].is_empty() {
            (Owed::Declare, owner, owner)
        } else {
            match self.chooser {
                Chooser::Owner => (Owed::Pick, owner, owner),
                Chooser::Opponent => (Owed::Pick, owner.other(), owner),
            }
        })
    }

    /// Brings the ply that is due to the point where somebody must decide; the only legal candidate plays itself.
    fn settle(&self, state: &mut State<G>, events: &mut Events) {
        state.picks.clear();
        while let Some((Owed::Pick, _, owner)) = self.owes(state) {
            // All are judged before anything is witnessed.
            let pool = &state.pools[owner.index()];
            let works = |intent: &G::Intent| self.base.resolve(&state.base, owner, intent).is_some();
            let legal: Vec<G::Intent> = pool.iter().filter(|intent| works(intent)).cloned().collect();
            for intent in pool {
                self.base
                    .witness(&mut state.base, owner, intent, legal.contains(intent));
            }
            match legal.as_slice() {
                [] => self.spend(state, owner, events),
                [only] if self.auto => self.play(state, owner, only, events),
                _ => {
                    state.picks = legal;
                    return;
                }
            }
        }
    }

    /// No candidate of `owner` is legal.
    fn spend(&self, state: &mut State<G>, owner: Seat, events: &mut Events) {
        events.push(Audience::All, "pool", || {
            [("seat", self.seat_name(owner)), ("candidates", json!([]))]
        });
        let due = self.due(state);
        match self.spent {
            Spent::Reward => {
                state.pools.iter_mut().for_each(Vec::clear);
                state.free = Some(due + 1);
            }
            Spent::Redeclare => state.pools[owner.index()].clear(),
            Spent::Free => state.free = Some(due),
        }
    }

    /// Plays a candidate or ply of `owner` that is known to be legal.
    fn play(&self, state: &mut State<G>, owner: Seat, intent: &G::Intent, events: &mut Events) {
        let Some(action) = self.base.resolve(&state.base, owner, intent) else {
            unreachable!("only legal plies are played")
        };
        if state.free != Some(self.due(state)) {
            state.pools[owner.index()].retain(|c| c != intent);
        }
        let context = self.context(state);
        self.base.play(&mut state.base, owner, &action, context, events);
    }

    /// Both pools, without order, and whether the next ply is free.
    fn context(&self, state: &State<G>) -> u64 {
        let pools = state.pools.iter().enumerate();
        let committed = pools.flat_map(|(seat, pool)| pool.iter().map(move |candidate| (seat, candidate)));
        context(committed, state.free == Some(self.due(state) + 1))
    }

    fn texts(&self, intents: &[G::Intent]) -> Vec<String> {
        intents.iter().map(|c| self.base.intent_text(c)).collect()
    }

    fn check_pool(&self, candidates: &[G::Intent]) -> Result<(), Reject> {
        if candidates.len() != self.size {
            return Err(Reject::malformed(format!(
                "{} candidates are due, but {} came",
                self.size,
                candidates.len()
            )));
        }
        let mut numbered = candidates.iter().enumerate();
        match numbered.find(|(i, candidate)| candidates[..*i].contains(candidate)) {
            Some((_, twice)) => Err(Reject::malformed(format!(
                "candidate {} is named twice",
                self.base.intent_text(twice)
            ))),
            None => Ok(()),
        }
    }

    fn check_legal(&self, state: &State<G>, owner: Seat, intent: &G::Intent) -> Result<(), Reject> {
        match self.base.resolve(&state.base, owner, intent) {
            Some(_) => Ok(()),
            None => Err(Reject::illegal(format!(
                "{} is no legal ply now",
                self.base.intent_text(intent)
            ))),
        }
    }
}

impl<G: Committable> Game for Pool<G> {
    type State = State<G>;
    type Action = Action<G::Intent, G::Action>;
    type View = View<G::View>;

    fn start(&self, setup: &Setup<'_>) -> Result<State<G>, SetupError> {
        let base = self.base.start(setup)?;
        Ok(State {
            base,
            pools: Default::default(),
            free: None,
            picks: Vec::new(),
        })
    }

    fn usual_position(&self) -> Option<&'static str> {
        self.base.usual_position()
    }

    fn turn(&self, state: &State<G>) -> Turn {
        match self.owes(state) {
            Some((Owed::Pick, chooser, _)) => Turn::Choice(xinqi_kernel::SeatSet::one(chooser)),
            Some((_, owner, _)) => Turn::Ply(owner),
            None => self.base.turn(&state.base),
        }
    }

    fn ply(&self, state: &State<G>) -> Option<u32> {
        self.base.ply(&state.base)
    }

    fn outcome(&self, state: &State<G>) -> Option<Outcome> {
        self.base.outcome(&state.base)
    }

    fn parse(&self, state: &State<G>, seat: Seat, text: &str) -> Result<Self::Action, Reject> {
        let text = text.trim();
        if let Some((ply, candidates)) = text.split_once('|') {
            let candidates: Result<_, _> = candidates
                .split_whitespace()
                .map(|c| self.base.intent(c))
                .collect();
            return Ok(Action::Declare(self.base.intent(ply.trim())?, candidates?));
        }
        match text.split_once(char::is_whitespace) {
            Some(("pick", candidate)) => self.base.intent(candidate.trim()).map(Action::Pick),
            None if text == "pick" => Err(Reject::malformed("pick what?")),
            _ => match self.base.intent(text) {
                Ok(ply) => Ok(Action::Free(ply)),
                Err(_) => self.base.parse(&state.base, seat, text).map(Action::Base),
            },
        }
    }

    fn knows(&self, word: &str) -> bool {
        word == "pick" || self.base.knows(word)
    }

    fn text(&self, state: &State<G>, seat: Seat, action: &Self::Action) -> String {
        match action {
            Action::Declare(ply, pool) => {
                format!("{} | {}", self.base.intent_text(ply), self.texts(pool).join(" "))
            }
            Action::Pick(candidate) => format!("pick {}", self.base.intent_text(candidate)),
            Action::Free(ply) => self.base.intent_text(ply),
            Action::Base(action) => self.base.text(&state.base, seat, action),
        }
    }

    fn check(&self, state: &State<G>, seat: Seat, action: &Self::Action) -> Result<(), Reject> {
        if let Action::Base(action) = action {
            return self.base.check(&state.base, seat, action);
        }
        let Some((owed, actor, owner)) = self.owes(state) else {
            return Err(Reject::not_available("no ply is due yet"));
        };
        if seat != actor {
            return Err(Reject::new(Code::NotYourTurn, "the other side is to decide"));
        }
        match (owed, action) {
            (Owed::Declare, Action::Declare(ply, pool)) => {
                self.check_pool(pool)?;
                self.check_legal(state, owner, ply)
            }
            (Owed::Declare, Action::Free(_)) => Err(Reject::malformed(format!(
                "a ply, | and {} candidates are due",
                self.size
            ))),
            (Owed::Pick, Action::Pick(candidate)) if state.picks.contains(candidate) => Ok(()),
            (Owed::Pick, Action::Pick(candidate)) => {
                let picks = self.texts(&state.picks).join(", ");
                let text = self.base.intent_text(candidate);
                Err(Reject::illegal(format!(
                    "{text} cannot be picked now; {picks} can"
                )))
            }
            (Owed::Free, Action::Free(ply)) => self.check_legal(state, owner, ply),
            (Owed::Declare, _) => Err(Reject::not_available("a declaration is due")),
            (Owed::Pick, _) => Err(Reject::not_available("a pick is due")),
            (Owed::Free, _) => Err(Reject::not_available("a ply alone is due")),
        }
    }

    fn apply(&self, state: &mut State<G>, seat: Seat, action: &Self::Action, events: &mut Events) {
        let owner = self.owes(state).map_or(seat, |(_, _, owner)| owner);
        match action {
            Action::Declare(ply, pool) => {
                events.push(Audience::All, "pool", || {
                    [
                        ("seat", self.seat_name(seat)),
                        ("candidates", json!(self.texts(pool))),
                    ]
                });
                let Some(action) = self.base.resolve(&state.base, owner, ply) else {
                    unreachable!("a declared ply has been checked")
                };
                // The ply just played may equal a candidate, which stays.
                state.pools[owner.index()].clone_from(pool);
                let context = self.context(state);
                self.base.play(&mut state.base, owner, &action, context, events);
            }
            Action::Pick(intent) | Action::Free(intent) => self.play(state, owner, intent, events),
            Action::Base(action) => self.base.apply(&mut state.base, seat, action, events),
        }
        self.settle(state, events);
    }

    /// Picks whole; of declarations the plies alone, since whole ones are too many to list.
    fn actions(&self, state: &State<G>, seat: Seat, out: &mut Vec<Self::Action>) {
        match self.owes(state) {
            Some((Owed::Pick, ..)) => out.extend(state.picks.iter().cloned().map(Action::Pick)),
            owed => {
                let mut plies = Vec::new();
                self.base.actions(&state.base, seat, &mut plies);
                out.extend(plies.into_iter().map(|action| {
                    if owed.is_some()
                        && let Ok(intent) = self.base.intent(&self.base.text(&state.base, seat, &action))
                    {
                        return Action::Free(intent);
                    }
                    Action::Base(action)
                }));
            }
        }
    }

    fn sample(&self, state: &State<G>, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Self::Action> {
        let Some((owed, actor, _)) = self.owes(state) else {
            return self.base.sample(&state.base, seat, rng).map(Action::Base);
        };
        if actor != seat {
            return None;
        }
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.retain(|a| !matches!(a, Action::Base(_)));
        if owed != Owed::Declare {
            return all.choose(rng).cloned();
        }
        let mut plies: Vec<_> = all
            .into_iter()
            .filter_map(|a| {
                if let Action::Free(ply) = a {
                    Some(ply)
                } else {
                    None
                }
            })
            .collect();
        let ply = plies.choose(rng)?.clone();
        // Few legal plies may not fill a pool: what the other plies would be after this one does.
        let mut after = state.base.clone();
        for who in [seat, seat.other()].into_iter().cycle().take(64) {
            if plies.len() >= 2 * self.size {
                break;
            }
            let mut more = Vec::new();
            self.base.actions(&after, who, &mut more);
            let Some(step) = more.choose(rng).cloned() else {
                break;
            };
            let texts = more.iter().map(|a| self.base.text(&after, who, a));
            for intent in texts.filter_map(|t| self.base.intent(&t).ok()) {
                if !plies.contains(&intent) {
                    plies.push(intent);
                }
            }
            self.base.play(&mut after, who, &step, 0, &mut Events::ignore());
        }
        // Where hardly anything is left to play, plies of the start fill it.
        let setup = Setup {
            fen: self.base.usual_position(),
            seed: 0,
        };
        if plies.len() < self.size
            && let Ok(start) = self.base.start(&setup)
        {
            let mut more = Vec::new();
            self.base.actions(&start, Seat::FIRST, &mut more);
            let texts = more.iter().map(|a| self.base.text(&start, Seat::FIRST, a));
            for intent in texts.filter_map(|t| self.base.intent(&t).ok()) {
                if !plies.contains(&intent) {
                    plies.push(intent);
                }
            }
        }
        let mut pool = Vec::with_capacity(self.size);
        while pool.len() < self.size && !plies.is_empty() {
            pool.push(plies.swap_remove(rng.random_range(0..plies.len())));
        }
        Some(Action::Declare(ply, pool))
    }

    fn is_secret(&self, state: &State<G>, seat: Seat, action: &Self::Action) -> bool {
        matches!(action, Action::Base(action) if self.base.is_secret(&state.base, seat, action))
    }

    fn view(&self, state: &State<G>, viewer: Viewer) -> View<G::View> {
        let sorted = |intents: &[G::Intent]| {
            let mut texts = self.texts(intents);
            texts.sort_unstable();
            texts
        };
        let owes = self.owes(state);
        View {
            base: self.base.view(&state.base, viewer),
            pools: json!({"first": sorted(&state.pools[0]), "second": sorted(&state.pools[1])}),
            picks: match owes {
                Some((Owed::Pick, ..)) => json!(sorted(&state.picks)),
                _ => Value::Null,
            },
            owes: owes.map_or(Value::Null, |(owed, actor, owner)| {
                let kind = match owed {
                    Owed::Declare => "declare",
                    Owed::Pick => "pick",
                    Owed::Free => "free",
                };
                json!({"seat": self.seat_name(actor), "kind": kind, "for": self.seat_name(owner)})
            }),
        }
    }

    fn hints(&self, state: &State<G>, seat: Seat) -> Vec<Hint> {
        let Some((Owed::Pick, _, owner)) = self.owes(state) else {
            return self.base.hints(&state.base, seat);
        };
        let plies = self.base.hints(&state.base, owner);
        let pick = |candidate: &G::Intent| {
            let text = self.base.intent_text(candidate);
            let resolved = self.base.resolve(&state.base, owner, candidate);
            let canonical = resolved.map(|a| self.base.text(&state.base, owner, &a));
            let mut hint = plies
                .iter()
                .find(|h| canonical.as_ref() == Some(&h.text))
                .cloned()
                .unwrap_or_else(|| Hint::new(String::new(), [], ""));
            hint.text = format!("pick {text}");
            hint
        };
        state.picks.iter().map(pick).collect()
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

    /// The chooser's clock runs.
    fn pace(&self, state: &State<G>) -> Pace {
        match self.owes(state) {
            Some((_, actor, _)) => Pace::Clock(actor),
            None => self.base.pace(&state.base),
        }
    }

    fn close(&self, state: &mut State<G>, seed: u64, events: &mut Events) -> Option<Seat> {
        match self.owes(state) {
            Some((_, actor, _)) => Some(actor),
            None => self.base.close(&mut state.base, seed, events),
        }
    }

    fn notations(&self) -> &'static [&'static str] {
        self.base.notations()
    }

    /// The ply in the base's notation, candidates as sent: no position is known that they will meet.
    fn notate(&self, state: &State<G>, seat: Seat, action: &Self::Action, notation: &str) -> Option<String> {
        let owner = self.owes(state).map_or(seat, |(_, _, owner)| owner);
        let ply = |intent: &G::Intent| {
            let action = self.base.resolve(&state.base, owner, intent)?;
            self.base.notate(&state.base, owner, &action, notation)
        };
        match action {
            Action::Declare(now, pool) => Some(format!("{} | {}", ply(now)?, self.texts(pool).join(" "))),
            Action::Pick(intent) => Some(format!("pick {}", ply(intent)?)),
            Action::Free(intent) => ply(intent),
            Action::Base(action) => self.base.notate(&state.base, seat, action, notation),
        }
    }
}

/// What a viewer may know: the base's part of it, and both pools.
#[derive(Clone)]
pub struct Known<G: Committable + Redeal> {
    base: G::Known,
    pools: [Vec<G::Intent>; 2],
    free: Option<u32>,
    picks: Vec<G::Intent>,
}

impl<G: Committable + Redeal> Redeal for Pool<G> {
    type Known = Known<G>;

    fn known(&self, state: &State<G>, viewer: Viewer) -> Known<G> {
        Known {
            base: self.base.known(&state.base, viewer),
            pools: state.pools.clone(),
            free: state.free,
            picks: state.picks.clone(),
        }
    }

    fn redeal(&self, known: &Known<G>, rng: &mut ChaCha8Rng) -> State<G> {
        State {
            base: self.base.redeal(&known.base, rng),
            pools: known.pools.clone(),
            free: known.free,
            picks: known.picks.clone(),
        }
    }
}

impl<G: Committable + Judge + Thinks> Thinks for Pool<G> {
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

impl<G: Committable + Judge + Thinks> Method<Pool<G>> for Planned {
    fn think(
        game: &Pool<G>,
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
                let picks = matches!(game.owes(&world), Some((Owed::Pick, ..)));
                let advice = if picks { 0.0 } else { ADVICE };
                let root = Branch::root(game, world, seat, &limits.part(advice))?;
                match G::SAMPLED {
                    true => sampled(limits, info, |watch| root.sampled(limits, watch)),
                    false => plan(Box::new(root), seat, &limits.part(1.0 - advice), info),
                }
            },
        )?;
        game.parse(&owed, seat, &text).ok()
    }
}

/// Declares the base engine's principal variation, and picks what the base engine likes best afterwards.
fn principal_variation<G: Committable + Thinks>(
    game: &Pool<G>,
    state: &State<G>,
    seat: Seat,
    limits: &Limits,
) -> Option<Action<G::Intent, G::Action>> {
    let base = &game.base;
    match game.owes(state) {
        None => choice(base, &state.base, seat, limits).map(|(action, ..)| Action::Base(action)),
        Some((Owed::Free, ..)) => {
            let (_, line, _) = choice(base, &state.base, seat, limits)?;
            base.intent(&line[0]).ok().map(Action::Free)
        }
        Some((Owed::Pick, _, owner)) => {
            let limits = limits.part(1.0 / state.picks.len() as f64);
            let liking = |pick: &G::Intent| {
                let mut after = state.clone();
                game.play(&mut after, owner, pick, &mut Events::ignore());
                let score = match (base.outcome(&after.base), base.turn(&after.base)) {
                    (Some(Outcome::Win(winner, _)), _) if winner == owner => i32::MAX,
                    (None, Turn::Ply(next)) => -choice(base, &after.base, next, &limits).map_or(0, |c| c.2),
                    _ => 0,
                };
                if owner == seat {
                    score
                } else {
                    score.saturating_neg()
                }
            };
            state
                .picks
                .iter()
                .max_by_key(|pick| liking(pick))
                .cloned()
                .map(Action::Pick)
        }
        Some((Owed::Declare, ..)) => {
            let line = variation(base, &state.base, 2 * game.size + 1, limits);
            let mut own = line.into_iter().step_by(2);
            let ply = own.next()?;
            let mut pool: Vec<G::Intent> = Vec::new();
            let Some(Action::Declare(_, spare)) =
                game.sample(state, seat, &mut xinqi_kernel::rng(limits.seed))
            else {
                return None;
            };
            for candidate in own.chain(spare) {
                if pool.len() < game.size && !pool.contains(&candidate) {
                    pool.push(candidate);
                }
            }
            Some(Action::Declare(ply, pool))
        }
    }
}

/// The base engine's ply now, and whatever else.
fn random_rest<G: Committable + Thinks>(
    game: &Pool<G>,
    state: &State<G>,
    seat: Seat,
    limits: &Limits,
) -> Option<Action<G::Intent, G::Action>> {
    let mut action = game.sample(state, seat, &mut xinqi_kernel::rng(limits.seed))?;
    if let Action::Declare(ply, _) | Action::Free(ply) = &mut action {
        let (_, line, _) = choice(&game.base, &state.base, seat, limits)?;
        *ply = game.base.intent(&line[0]).ok()?;
    }
    Some(action)
}
