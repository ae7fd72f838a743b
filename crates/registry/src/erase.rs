//! The bridge from typed games to [`Rules`] and [`Play`].

use crate::play::{Play, Rules, Told, Tuning, Wire};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use xinqi_engine::{Info, Lesson, Limits, Method, SelfPlay, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Code, Ending, Events, Game, Outcome, Pace, Reject, Seat, SeatSet, Setup, SetupError, Tree,
    Turn, Viewer, Voice, perft, rng,
};

/// A rule set as the registry keeps it.
pub(crate) struct Erased<G: Game> {
    game: G,
    text: String,
    board: &'static str,
    family: &'static str,
    mechanism: Option<&'static str>,
    tree: Option<TreeCalls<G>>,
    plies: Option<Plies<G>>,
}

/// The legal plies of the position that a state shows.
type Plies<G> = fn(&G, &<G as Game>::State) -> Vec<String>;

/// Leaf nodes behind each ply.
type Divide<G> = fn(&G, &<G as Game>::State, u32) -> Vec<(String, u64)>;

/// The position-level calls, kept as plain functions so that games without a tree need none.
struct TreeCalls<G: Game> {
    perft: Divide<G>,
    playouts: fn(&G, &G::State, u64, u64) -> u64,
}

impl<G: Game> Erased<G> {
    /// `board` is the id of the rule set (for a mechanism of its base) and its family.
    pub(crate) fn new(
        game: G,
        text: String,
        (board, family): (&'static str, &'static str),
        mechanism: Option<&'static str>,
    ) -> Self {
        Erased {
            game,
            text,
            board,
            family,
            mechanism,
            tree: None,
            plies: None,
        }
    }

    /// For a mechanism: asks its base for the plies of a position.
    pub(crate) fn with_plies(mut self, plies: Plies<G>) -> Self {
        self.plies = Some(plies);
        self
    }
}

impl<G: Tree> Erased<G> {
    pub(crate) fn with_tree(mut self) -> Self {
        self.tree = Some(TreeCalls {
            perft: divide::<G>,
            playouts: playouts::<G>,
        });
        self.with_plies(plies::<G>)
    }
}

/// The legal plies of a position, which looks at no history.
pub(crate) fn plies<G: Tree>(game: &G, state: &G::State) -> Vec<String> {
    let position = game.position(state);
    let (mut moves, side) = (Vec::new(), game.side(&position));
    game.moves(&position, &mut moves);
    let text = |mv| game.text(state, side, &game.action(&position, mv));
    moves.into_iter().map(text).collect()
}

fn divide<G: Tree>(game: &G, state: &G::State, depth: u32) -> Vec<(String, u64)> {
    let mut position = game.position(state);
    let (mut moves, side) = (Vec::new(), game.side(&position));
    game.moves(&position, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let text = game.text(state, side, &game.action(&position, mv));
            let undo = game.make(&mut position, mv);
            let nodes = perft(game, &mut position, depth - 1);
            game.unmake(&mut position, mv, undo);
            (text, nodes)
        })
        .collect()
}

/// Longest single random game, in plies: shuffling endgames are cut there, since positions know no history.
const LONGEST_PLAYOUT: u32 = 400;

fn playouts<G: Tree>(game: &G, state: &G::State, plies: u64, seed: u64) -> u64 {
    let mut chance = rng(seed);
    let (mut played, mut moves) = (0, Vec::with_capacity(256));
    let start = game.position(state);
    while played < plies {
        let mut position = start.clone();
        for _ in 0..LONGEST_PLAYOUT {
            moves.clear();
            game.moves(&position, &mut moves);
            if game.terminal(&position, !moves.is_empty()).is_some() {
                break;
            }
            let Some(&mv) = moves.choose(&mut chance) else {
                break;
            };
            game.make(&mut position, mv);
            played += 1;
        }
        if game.terminal(&start, true).is_some() {
            break;
        }
    }
    played
}

impl<G: Thinks> Rules for Erased<G> {
    fn text(&self) -> &str {
        &self.text
    }

    fn board(&self) -> &'static str {
        self.board
    }

    fn family(&self) -> &'static str {
        self.family
    }

    fn mechanism(&self) -> Option<&'static str> {
        self.mechanism
    }

    fn seats(&self) -> usize {
        G::SEATS
    }

    fn start(self: Arc<Self>, setup: &Setup<'_>) -> Result<Box<dyn Play>, SetupError> {
        let state = self.game.start(setup)?;
        Ok(Box::new(Live { rules: self, state }))
    }

    fn usual_position(&self) -> Option<&'static str> {
        self.game.usual_position()
    }

    fn baselines(&self) -> Vec<&'static str> {
        G::BASELINES.iter().map(|baseline| baseline.name).collect()
    }

    fn tuning(self: Arc<Self>) -> Option<Box<dyn Tuning>> {
        let tuner = G::TUNER?;
        Some(Box::new(Tuned { rules: self, tuner }))
    }

    fn notations(&self) -> &'static [&'static str] {
        self.game.notations()
    }

    fn seat(&self, name: &Value) -> Option<Seat> {
        (0..G::SEATS as u8)
            .map(Seat)
            .find(|&s| self.game.seat_name(s) == *name)
    }

    fn seat_name(&self, seat: Seat) -> Value {
        self.game.seat_name(seat)
    }

    fn result(&self, outcome: Outcome) -> Value {
        let reason = outcome.reason().as_str();
        match outcome {
            Outcome::Win(side, _) => json!({"win": self.game.side_name(side), "reason": reason}),
            Outcome::Draw(_) => json!({"draw": reason}),
            Outcome::Void(_) => json!({"void": reason}),
        }
    }
}

struct Tuned<G: Game> {
    rules: Arc<Erased<G>>,
    tuner: Tuner<G>,
}

impl<G: Game> Tuning for Tuned<G> {
    fn weights(&self) -> Vec<i32> {
        (self.tuner.weights)(&self.rules.game)
    }

    fn names(&self) -> Vec<String> {
        (self.tuner.names)(&self.rules.game)
    }

    fn text(&self, weights: &[i32]) -> String {
        (self.tuner.text)(weights)
    }

    fn play(&self, weights: &[i32], plan: &SelfPlay) -> Vec<Lesson> {
        (self.tuner.play)(&self.rules.game, weights, plan)
    }
}

struct Live<G: Game> {
    rules: Arc<Erased<G>>,
    state: G::State,
}

impl<G: Thinks> Live<G> {
    fn game(&self) -> &G {
        &self.rules.game
    }

    /// Names the events for the wire and adds `end` when the game has just ended.
    fn tell(&self, events: Events) -> Vec<Told> {
        let mut events = events;
        if let Some(outcome) = self.outcome() {
            events.push(Audience::All, "end", || [("result", self.rules.result(outcome))]);
        }
        events
            .into_vec()
            .into_iter()
            .map(|e| Told::new(e, |s| self.game().seat_name(s)))
            .collect()
    }

    fn judge(&self, seat: Seat, text: &str) -> Result<G::Action, Reject> {
        if self.outcome().is_some() {
            return Err(Reject::new(Code::GameOver, "the game is over"));
        }
        let parsed = self.game().parse(&self.state, seat, text);
        let action = parsed.map_err(|error| self.unless_known(text, error))?;
        self.game().check(&self.state, seat, &action)?;
        Ok(action)
    }

    /// What does not parse may be a ply that went wrong, or begin with a word that no action begins with.
    fn unless_known(&self, text: &str, error: Reject) -> Reject {
        let word = text.split_whitespace().next().unwrap_or_default();
        let is_word = word.len() > 2 && word.bytes().all(|b| b.is_ascii_alphabetic());
        match error.code == Code::Malformed && is_word && !self.game().knows(word) {
            true => Reject::new(Code::UnknownAction, error.message),
            false => error,
        }
    }
}

impl<G: Thinks> Play for Live<G> {
    fn rules(&self) -> Arc<dyn Rules> {
        self.rules.clone()
    }

    fn fork(&self) -> Box<dyn Play> {
        Box::new(Live {
            rules: self.rules.clone(),
            state: self.state.clone(),
        })
    }

    fn turn(&self) -> Turn {
        self.game().turn(&self.state)
    }

    fn owing(&self) -> SeatSet {
        self.game().owing(&self.state)
    }

    fn pace(&self) -> Pace {
        self.game().pace(&self.state)
    }

    fn ply(&self) -> Option<u32> {
        self.game().ply(&self.state)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game().outcome(&self.state)
    }

    fn can_win(&self, seat: Seat) -> bool {
        self.game().can_win(&self.state, seat)
    }

    fn voice(&self, seat: Seat) -> Option<Voice> {
        self.game().voice(&self.state, seat)
    }

    fn side_of(&self, seat: Seat) -> Seat {
        self.game().side_of(&self.state, seat)
    }

    fn disclosures(&self) -> u32 {
        self.game().disclosures(&self.state)
    }

    fn check(&self, seat: Seat, text: &str) -> Result<String, Reject> {
        let action = self.judge(seat, text)?;
        Ok(self.game().text(&self.state, seat, &action))
    }

    fn is_secret(&self, seat: Seat, text: &str) -> bool {
        let action = self.game().parse(&self.state, seat, text);
        action.is_ok_and(|a| self.game().is_secret(&self.state, seat, &a))
    }

    fn act(&mut self, seat: Seat, text: &str) -> Result<Vec<Told>, Reject> {
        let action = self.judge(seat, text)?;
        let mut events = Events::keep();
        self.rules.game.apply(&mut self.state, seat, &action, &mut events);
        Ok(self.tell(events))
    }

    fn conclude(&mut self, seat: Seat, ending: Ending) -> Vec<Told> {
        let mut events = Events::keep();
        self.rules
            .game
            .conclude(&mut self.state, seat, ending, &mut events);
        self.tell(events)
    }

    fn close(&mut self, seed: u64) -> Vec<Told> {
        let mut events = Events::keep();
        if let Some(seat) = self.rules.game.close(&mut self.state, seed, &mut events) {
            self.rules
                .game
                .conclude(&mut self.state, seat, Ending::Timeout, &mut events);
        }
        self.tell(events)
    }

    fn view(&self, viewer: Viewer) -> Wire {
        let mut view = Map::new();
        view.insert("rules".to_owned(), self.rules.text.as_str().into());
        if let Some(ply) = self.ply() {
            view.insert("ply".to_owned(), ply.into());
        }
        let to_act = self
            .turn()
            .seats()
            .iter()
            .map(|s| self.game().seat_name(s))
            .collect();
        view.insert("to_act".to_owned(), to_act);
        view.insert(
            "result".to_owned(),
            self.outcome().map_or(Value::Null, |o| self.rules.result(o)),
        );
        match serde_json::to_value(self.game().view(&self.state, viewer)) {
            Ok(Value::Object(own)) => view.extend(own),
            other => unreachable!("a view is an object of plain values, not {other:?}"),
        }
        Wire::new(Value::Object(view))
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        let mut texts: Vec<String> = match self.turn().seats().contains(seat) {
            false => Vec::new(),
            true => {
                let mut actions = Vec::new();
                self.game().actions(&self.state, seat, &mut actions);
                actions
                    .iter()
                    .map(|a| self.game().text(&self.state, seat, a))
                    .collect()
            }
        };
        texts.sort_unstable();
        texts
    }

    fn hints(&self, seat: Seat) -> Wire {
        let hints = match self.turn().seats().contains(seat) {
            false => Vec::new(),
            true => self.game().hints(&self.state, seat),
        };
        Wire::new(json!(hints))
    }

    fn sample(&self, seat: Seat, rng: &mut ChaCha8Rng) -> Option<String> {
        let action = self.game().sample(&self.state, seat, rng)?;
        Some(self.game().text(&self.state, seat, &action))
    }

    fn think(&self, seat: Seat, limits: &Limits, info: &mut dyn FnMut(&Info)) -> Option<String> {
        let known = self.game().known(&self.state, Viewer::Seat(seat));
        let action = G::Method::think(self.game(), &known, seat, limits, info)?;
        Some(self.game().text(&self.state, seat, &action))
    }

    fn replay(&self, script: &[(Seat, String)], times: u32) -> u64 {
        let (mut state, mut actions) = (self.state.clone(), Vec::new());
        for (seat, text) in script {
            let Ok(action) = self.game().parse(&state, *seat, text) else {
                break;
            };
            self.game()
                .apply(&mut state, *seat, &action, &mut Events::ignore());
            actions.push((*seat, action));
        }
        let mut plies = 0;
        for _ in 0..times {
            let mut state = self.state.clone();
            for (seat, action) in &actions {
                self.game()
                    .apply(&mut state, *seat, action, &mut Events::ignore());
            }
            plies += u64::from(self.game().ply(&state).unwrap_or(0));
        }
        plies
    }

    fn baseline(&self, name: &str, seat: Seat, limits: &Limits) -> Option<String> {
        let baseline = G::BASELINES.iter().find(|baseline| baseline.name == name)?;
        let action = (baseline.think)(self.game(), &self.state, seat, limits)?;
        Some(self.game().text(&self.state, seat, &action))
    }

    fn notate(&self, seat: Seat, text: &str, notation: &str) -> Result<Option<String>, Reject> {
        let action = self.game().parse(&self.state, seat, text)?;
        match notation {
            "text" => Ok(Some(self.game().text(&self.state, seat, &action))),
            _ => Ok(self.game().notate(&self.state, seat, &action, notation)),
        }
    }

    fn read(&self, seat: Seat, text: &str, notation: &str) -> Result<String, Reject> {
        let action = match notation {
            "text" => self.game().parse(&self.state, seat, text)?,
            _ => self.game().read(&self.state, seat, text, notation)?,
        };
        self.game().check(&self.state, seat, &action)?;
        Ok(self.game().text(&self.state, seat, &action))
    }

    fn plies(&self) -> Vec<String> {
        let list = self.rules.plies.map(|plies| plies(&self.rules.game, &self.state));
        let mut texts = list.unwrap_or_default();
        texts.sort_unstable();
        texts
    }

    fn perft(&self, depth: u32) -> Option<Vec<(String, u64)>> {
        self.rules
            .tree
            .as_ref()
            .map(|t| (t.perft)(&self.rules.game, &self.state, depth))
    }

    fn playouts(&self, plies: u64, seed: u64) -> Option<u64> {
        self.rules
            .tree
            .as_ref()
            .map(|t| (t.playouts)(&self.rules.game, &self.state, plies, seed))
    }
}
