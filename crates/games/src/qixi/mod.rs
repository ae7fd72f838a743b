//! 奇袭象棋: two-faced pieces whose dark faces only their owner knows (rules: `qixi.md`).
//!
//! [`Single`] is one game. [`Qixi`] is what is played at a table: one game, or with `negotiation=true` a match of several
//! in which seats may demand surrender or a draw.

mod baselines;
mod faces;
mod fen;
mod negotiation;
mod notation;
mod position;
mod search;
mod single;
mod state;
mod think;

pub use faces::{Face, Layout};
pub use negotiation::Demand;
pub use position::{Flip, Limits, Ply, Position, Spent};
pub use single::Single;
pub use think::Sight;

use negotiation::{Tally, Terms};
use serde::Serialize;
use serde_json::Value;
use single::Captured;
use xinqi_kernel::{
    Audience, Change, Code, Committable, Ending, Events, Game, Hint, Kind, OptionError, OptionSpec, Options,
    Outcome, Pace, Redeal, Reject, RuleSet, Seat, SeatSet, Setup, SetupError, Turn, Viewer,
};

/// The rules of qixi with their options settled.
#[derive(Clone, Debug)]
pub struct Qixi {
    single: Single,
    /// The terms of a negotiation match.
    terms: Option<Terms>,
}

/// A game in progress, and where its match stands.
#[derive(Clone)]
pub struct State {
    game: state::State,
    tally: Tally,
    /// How a match ended.
    outcome: Option<Outcome>,
}

/// What a seat does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Action {
    /// In the game: a layout or a ply.
    Game(single::Action),
    /// Instead of a ply.
    Demand(Demand),
    /// The answer to a demand: whether it is accepted.
    Answer(bool),
}

/// What one viewer may know.
#[derive(Serialize)]
pub struct View {
    #[serde(flatten)]
    game: single::View,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    tally: Option<Value>,
}

/// What one viewer may know, typed.
#[derive(Clone)]
pub struct Known {
    game: state::Knowledge,
    tally: Tally,
    outcome: Option<Outcome>,
}

impl Qixi {
    /// The seat of the game that `seat` of the match has: colours alternate. Its own inverse.
    fn turned(&self, state: &State, seat: Seat) -> Seat {
        match state.tally.is_turned() {
            true => seat.other(),
            false => seat,
        }
    }

    fn turned_viewer(&self, state: &State, viewer: Viewer) -> Viewer {
        match viewer {
            Viewer::Seat(seat) => Viewer::Seat(self.turned(state, seat)),
            other => other,
        }
    }

    fn turned_seats(&self, state: &State, seats: SeatSet) -> SeatSet {
        seats.iter().map(|seat| self.turned(state, seat)).collect()
    }

    fn turned_outcome(&self, state: &State, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Win(seat, reason) => Outcome::Win(self.turned(state, seat), reason),
            other => other,
        }
    }

    /// Lets the game do something and passes its events on for the seats of the match; then, in a match, goes on to
    /// the next game if this one has ended.
    fn in_game<T>(
        &self,
        state: &mut State,
        events: &mut Events,
        act: impl FnOnce(&Single, &mut state::State, &mut Events) -> T,
    ) -> T {
        let mut own = events.like();
        let result = act(&self.single, &mut state.game, &mut own);
        events.extend(own.into_vec().into_iter().map(|mut event| {
            if let Audience::Seats(seats) = event.to {
                event.to = Audience::Seats(self.turned_seats(state, seats));
            }
            if let Some(name) = event.fields.get_mut("seat") {
                let seat = [Seat::FIRST, Seat::SECOND].into_iter().find(|&s| self.seat_name(s) == *name);
                if let Some(seat) = seat {
                    *name = self.seat_name(self.turned(state, seat));
                }
            }
            event
        }));
        self.settle(state, None, events);
        result
    }

    /// In a match: scores a game that has ended and begins the next one, or ends the match.
    fn settle(&self, state: &mut State, accepted: Option<(Seat, Demand)>, events: &mut Events) {
        let (Some(terms), Some(outcome)) = (&self.terms, self.single.outcome(&state.game)) else {
            return;
        };
        if state.outcome.is_some() {
            return;
        }
        let outcome = self.turned_outcome(state, outcome);
        state.tally.score(terms, outcome, accepted);
        let fen = self.single.fen(&state.game);
        let tell = |tally: &Tally, result: Value, events: &mut Events| {
            events.push(Audience::All, "game", || {
                [("game", tally.game.into()), ("result", result), ("score", tally.scores())]
            });
        };
        let result = self.result(outcome);
        events.push(Audience::All, "game", || {
            [
                ("game", state.tally.game.into()),
                ("result", result),
                ("score", state.tally.scores()),
                // The game is over: all see everything.
                ("fen", fen.into()),
            ]
        });
        if state.tally.game == terms.games {
            state.outcome = Some(state.tally.outcome());
            return;
        }
        state.tally.next_game();
        state.game = Single::unlaid();
        tell(&state.tally, Value::Null, events);
    }

    fn result(&self, outcome: Outcome) -> Value {
        let reason = outcome.reason().as_str();
        match outcome {
            Outcome::Win(seat, _) => serde_json::json!({"win": self.seat_name(seat), "reason": reason}),
            Outcome::Draw(_) => serde_json::json!({"draw": reason}),
            Outcome::Void(_) => serde_json::json!({"void": reason}),
        }
    }

    fn check_demand(&self, state: &State, terms: &Terms, seat: Seat) -> Result<(), Reject> {
        match self.turn(state) {
            Turn::Ply(mover) if mover == seat => {}
            Turn::Ply(_) => return Err(Reject::new(Code::NotYourTurn, "it is the other side's turn")),
            _ => return Err(Reject::not_available("nothing can be demanded now")),
        }
        if state.tally.demanded[seat.index()] >= terms.demands {
            return Err(Reject::not_available("no demand is left in this game"));
        }
        match self.single.could_flip(&state.game, self.turned(state, seat)) {
            true => Ok(()),
            false => Err(Reject::not_available(
                "a demand needs rights that can be spent and a two-faced piece that was never turned",
            )),
        }
    }
}

impl Game for Qixi {
    type State = State;
    type Action = Action;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let mut state = State {
            game: self.single.start(setup)?,
            tally: Tally::new(),
            outcome: None,
        };
        self.settle(&mut state, None, &mut Events::ignore());
        Ok(state)
    }

    fn usual_position(&self) -> Option<&'static str> {
        Some(fen::USUAL)
    }

    fn turn(&self, state: &State) -> Turn {
        if state.outcome.is_some() {
            return Turn::Over;
        }
        if let Some((by, _)) = state.tally.pending {
            return Turn::Choice(SeatSet::one(by.other()));
        }
        match self.single.turn(&state.game) {
            Turn::Ply(seat) => Turn::Ply(self.turned(state, seat)),
            Turn::Choice(seats) => Turn::Choice(self.turned_seats(state, seats)),
            Turn::Over => Turn::Over,
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        self.single.ply(&state.game)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        match self.terms {
            Some(_) => state.outcome,
            None => self.single.outcome(&state.game),
        }
    }

    fn parse(&self, state: &State, seat: Seat, text: &str) -> Result<Action, Reject> {
        if self.terms.is_some() {
            let mut words = text.split_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some("demand"), Some("surrender"), None) => return Ok(Action::Demand(Demand::Surrender)),
                (Some("demand"), Some("draw"), None) => return Ok(Action::Demand(Demand::Draw)),
                (Some("demand"), ..) => return Err(Reject::malformed("demand surrender, or demand draw")),
                (Some("accept"), None, None) => return Ok(Action::Answer(true)),
                (Some("refuse"), None, None) => return Ok(Action::Answer(false)),
                _ => {}
            }
        }
        self.single.parse(&state.game, seat, text).map(Action::Game)
    }

    fn knows(&self, word: &str) -> bool {
        self.single.knows(word) || self.terms.is_some() && ["demand", "accept", "refuse"].contains(&word)
    }

    fn text(&self, state: &State, seat: Seat, action: &Action) -> String {
        match action {
            Action::Game(action) => self.single.text(&state.game, seat, action),
            Action::Demand(what) => format!("demand {}", what.as_str()),
            Action::Answer(true) => "accept".to_owned(),
            Action::Answer(false) => "refuse".to_owned(),
        }
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Reject> {
        let pending = state.tally.pending;
        match (action, &self.terms, pending) {
            (Action::Answer(_), _, Some((by, _))) if by != seat => Ok(()),
            (Action::Answer(_), _, Some(_)) => {
                Err(Reject::new(Code::NotYourTurn, "the other side is to answer"))
            }
            (Action::Answer(_), _, None) => Err(Reject::not_available("nothing was demanded")),
            (_, _, Some((by, _))) if by == seat => {
                Err(Reject::new(Code::NotYourTurn, "the other side is to answer"))
            }
            (_, _, Some(_)) => Err(Reject::not_available("an answer is due: accept or refuse")),
            (Action::Demand(_), Some(terms), None) => self.check_demand(state, terms, seat),
            (Action::Demand(_), None, None) => Err(Reject::not_available("this is no negotiation match")),
            (Action::Game(action), _, None) => {
                self.single.check(&state.game, self.turned(state, seat), action)
            }
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action, events: &mut Events) {
        match *action {
            Action::Game(action) => {
                let own = self.turned(state, seat);
                self.in_game(state, events, |single, game, events| single.apply(game, own, &action, events));
            }
            Action::Demand(what) => {
                state.tally.demand(seat, what);
                events.push(Audience::All, "demand", || {
                    [("seat", self.seat_name(seat)), ("what", what.as_str().into())]
                });
            }
            Action::Answer(accept) => {
                events.push(Audience::All, "answer", || {
                    [("seat", self.seat_name(seat)), ("accept", accept.into())]
                });
                match state.tally.pending.filter(|_| accept) {
                    None => state.tally.refuse(),
                    Some((by, what)) => {
                        let outcome = self.turned_outcome(state, what.granted(by));
                        self.single.finish(&mut state.game, outcome);
                        self.settle(state, Some((by, what)), events);
                    }
                }
            }
        }
    }

    fn is_secret(&self, _: &State, _: Seat, action: &Action) -> bool {
        matches!(action, Action::Game(single::Action::Layout(_)))
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if !self.turn(state).seats().contains(seat) {
            return;
        }
        if state.tally.pending.is_some() {
            return out.extend([Action::Answer(true), Action::Answer(false)]);
        }
        let mut actions = Vec::new();
        self.single.actions(&state.game, self.turned(state, seat), &mut actions);
        out.extend(actions.into_iter().map(Action::Game));
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View {
            game: self.single.view(&state.game, self.turned_viewer(state, viewer)),
            tally: self.terms.as_ref().map(|terms| state.tally.view(terms, |seat| self.seat_name(seat))),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        match state.tally.pending {
            Some((by, _)) if by == seat => Vec::new(),
            Some(_) => ["accept", "refuse"].map(|text| Hint::new(text.to_owned(), [], text)).into(),
            None => {
                let mut hints = self.single.hints(&state.game, self.turned(state, seat));
                for demand in [Demand::Surrender, Demand::Draw] {
                    let action = Action::Demand(demand);
                    if self.terms.is_some() && self.check(state, seat, &action).is_ok() {
                        let text = self.text(state, seat, &action);
                        hints.push(Hint::new(text, [], "demand").with("what", demand.as_str()));
                    }
                }
                hints
            }
        }
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        let own = self.turned_outcome(state, outcome);
        self.single.finish(&mut state.game, own);
        if self.terms.is_some() {
            state.outcome = Some(outcome);
        }
    }

    /// Ends the game; an abort, the whole match.
    fn conclude(&self, state: &mut State, seat: Seat, ending: Ending, events: &mut Events) {
        let own = self.turned(state, seat);
        if ending == Ending::Abort {
            self.single.conclude(&mut state.game, own, ending, events);
            state.outcome = self.single.outcome(&state.game);
            return;
        }
        self.in_game(state, events, |single, game, events| single.conclude(game, own, ending, events));
    }

    fn notations(&self) -> &'static [&'static str] {
        notation::NAMES
    }

    fn notate(&self, state: &State, seat: Seat, action: &Action, notation: &str) -> Option<String> {
        match action {
            Action::Game(action) => self.single.notate(&state.game, self.turned(state, seat), action, notation),
            _ => None,
        }
    }

    fn read(&self, state: &State, seat: Seat, text: &str, notation: &str) -> Result<Action, Reject> {
        let own = self.turned(state, seat);
        self.single.read(&state.game, own, text, notation).map(Action::Game)
    }

    fn can_win(&self, state: &State, seat: Seat) -> bool {
        self.single.can_win(&state.game, self.turned(state, seat))
    }

    fn disclosures(&self, state: &State) -> u32 {
        // A game that ended told everything.
        u32::from(state.tally.game) << 16 | self.single.disclosures(&state.game)
    }

    fn pace(&self, state: &State) -> Pace {
        match (self.turn(state), state.tally.pending) {
            (Turn::Over, _) => Pace::Stopped,
            (_, Some((by, _))) => Pace::Clock(by.other()),
            (Turn::Ply(seat), None) => Pace::Clock(seat),
            (Turn::Choice(_), None) => Pace::Aside,
        }
    }

    fn close(&self, state: &mut State, seed: u64, events: &mut Events) -> Option<Seat> {
        if let Some((by, _)) = state.tally.pending {
            return Some(by.other());
        }
        let late = self.in_game(state, events, |single, game, events| single.close(game, seed, events));
        late.map(|seat| self.turned(state, seat))
    }
}

impl RuleSet for Qixi {
    const ID: &'static str = "qixi";
    const NAME_ZH: &'static str = "奇袭象棋";
    const NAME_EN: &'static str = "Qixi (surprise xiangqi)";
    const FAMILY: &'static str = crate::xiangqi::Xiangqi::ID;

    fn options() -> &'static [OptionSpec] {
        const fn spec(key: &'static str, default: &'static str, kind: Kind) -> OptionSpec {
            OptionSpec { key, default, kind }
        }
        const FACES: Kind = Kind::Text {
            expects: "some of the letters R, N, C",
        };
        const OPTIONS: &[OptionSpec] = &[
            spec("captured", "capturer", Kind::Choice(&["capturer", "all", "none"])),
            spec("demands", "1", Kind::Int { min: 1, max: 9 }),
            spec("from", "RNC", FACES),
            spec("games", "4", Kind::Int { min: 1, max: 20 }),
            spec("layouts", "hidden", Kind::Choice(&["public", "hidden"])),
            spec("negotiation", "false", Kind::Bool),
            spec("no_progress", "120", Kind::Int { min: 0, max: 10_000 }),
            spec(
                "points",
                "20-11-21-11-30-12-03",
                Kind::Text {
                    expects: "seven pairs of digits, demander and other",
                },
            ),
            spec("rights", "3", Kind::Int { min: 0, max: 6 }),
            spec("rook_cost", "2", Kind::Int { min: 1, max: 3 }),
            spec("rook_flips", "1", Kind::Int { min: 0, max: 3 }),
            spec("to", "RNC", FACES),
        ];
        OPTIONS
    }

    fn build(options: &mut Options) -> Result<Qixi, OptionError> {
        let mut faces = |key: &'static str| -> Result<[bool; 3], OptionError> {
            let text = options.text(key);
            let mut flags = [false; 3];
            for letter in text.chars() {
                match Face::from_letter(letter) {
                    Some(face) if !flags[face.index()] => flags[face.index()] = true,
                    _ => {
                        return Err(OptionError(format!(
                            "{key}={text}: {key} takes some of the letters R, N, C, each once"
                        )));
                    }
                }
            }
            let canonical = Face::ALL.into_iter().filter(|face| flags[face.index()]).map(Face::letter).collect();
            options.rewrite(key, canonical);
            Ok(flags)
        };
        let (from, to) = (faces("from")?, faces("to")?);
        let negotiation = options.flag("negotiation");
        if let Some(key) = ["demands", "games", "points"].into_iter().find(|key| !options.is_default(key))
            && !negotiation
        {
            return Err(OptionError(format!("{key} belongs to a match: it needs negotiation=true")));
        }
        let terms = Terms::new(options.int("games") as u8, options.int("demands") as u8, options.text("points"))?;
        Ok(Qixi {
            single: Single {
                limits: Limits {
                    rights: options.int("rights") as u8,
                    rook_cost: options.int("rook_cost") as u8,
                    rook_flips: options.int("rook_flips") as u8,
                    from,
                    to,
                },
                public_layouts: options.text("layouts") == "public",
                captured: match options.text("captured") {
                    "all" => Captured::All,
                    "none" => Captured::None,
                    _ => Captured::Capturer,
                },
                no_progress: options.int("no_progress") as u32,
            },
            terms: negotiation.then_some(terms),
        })
    }
}

impl Committable for Qixi {
    type Intent = Ply;

    fn under_mechanism(self) -> Result<Qixi, OptionError> {
        match self.terms {
            None => Ok(self),
            Some(_) => Err(OptionError("negotiation=true: no mechanism can stand on a match".to_owned())),
        }
    }

    fn intent(&self, text: &str) -> Result<Ply, Reject> {
        self.single.intent(text)
    }

    fn intent_text(&self, intent: &Ply) -> String {
        self.single.intent_text(intent)
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Ply) -> Option<Action> {
        self.single.resolve(&state.game, seat, intent).map(Action::Game)
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Action, context: u64, events: &mut Events) {
        match action {
            Action::Game(action) => {
                let own = self.turned(state, seat);
                self.in_game(state, events, |single, game, events| {
                    single.play(game, own, action, context, events);
                });
            }
            _ => self.apply(state, seat, action, events),
        }
    }

    fn diagram(&self, intent: &Ply) -> Vec<Change> {
        self.single.diagram(intent)
    }

    fn witness(&self, state: &mut State, seat: Seat, intent: &Ply, worked: bool) {
        self.single.witness(&mut state.game, seat, intent, worked);
    }
}

impl Redeal for Qixi {
    type Known = Known;

    fn known(&self, state: &State, viewer: Viewer) -> Known {
        Known {
            game: self.single.known(&state.game, self.turned_viewer(state, viewer)),
            tally: state.tally.clone(),
            outcome: state.outcome,
        }
    }

    fn redeal(&self, known: &Known, rng: &mut rand_chacha::ChaCha8Rng) -> State {
        State {
            game: self.single.redeal(&known.game, rng),
            tally: known.tally.clone(),
            outcome: known.outcome,
        }
    }
}
