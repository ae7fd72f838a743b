//! Rule sets and games in progress without their types.

use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::{Map, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use xinqi_engine::{Info, Lesson, Limits, SelfPlay};
use xinqi_kernel::{
    Audience, Ending, Event, Outcome, Pace, Reject, Seat, SeatSet, Setup, SetupError, Turn, Viewer, Voice,
};

/// A rule set with its options settled.
pub trait Rules: Send + Sync {
    /// The canonical text.
    fn text(&self) -> &str;
    /// The id of the rule set; for a mechanism that of its base.
    fn board(&self) -> &'static str;
    /// The kind of board it is drawn on.
    fn family(&self) -> &'static str;
    /// The mechanism's id, where there is one.
    fn mechanism(&self) -> Option<&'static str>;
    /// Places at the table.
    fn seats(&self) -> usize;
    /// A game at its start.
    ///
    /// # Errors
    /// A position text that cannot be, by name.
    fn start(self: Arc<Self>, setup: &Setup<'_>) -> Result<Box<dyn Play>, SetupError>;
    /// The position that tools take instead of a start at which something else than a ply is due.
    fn usual_position(&self) -> Option<&'static str>;
    /// The names of the players that its engine is measured against.
    fn baselines(&self) -> Vec<&'static str>;
    /// The weights of its evaluation, to be tuned; `None` where it has none.
    fn tuning(self: Arc<Self>) -> Option<Box<dyn Tuning>>;
    /// The notations besides `text`.
    fn notations(&self) -> &'static [&'static str];
    /// A seat by its name in JSON.
    fn seat(&self, name: &Value) -> Option<Seat>;
    /// The name of a seat in JSON.
    fn seat_name(&self, seat: Seat) -> Value;
    /// A result as in an `end` event.
    fn result(&self, outcome: Outcome) -> Value;
}

/// An evaluation's weights, and what playing by others teaches.
pub trait Tuning: Send + Sync {
    /// The weights as they are.
    fn weights(&self) -> Vec<i32>;
    /// For each weight the name of the line in which it stands.
    fn names(&self) -> Vec<String>;
    /// Weights as the text in which the rule set keeps them.
    fn text(&self, weights: &[i32]) -> String;
    /// What a game of the engine with itself teaches that plays by `weights`; the same plan gives the same game.
    fn play(&self, weights: &[i32], plan: &SelfPlay) -> Vec<Lesson>;
}

/// A game in progress.
pub trait Play: Send + Sync {
    /// The rules it is played by.
    fn rules(&self) -> Arc<dyn Rules>;
    /// A second game at the same point.
    fn fork(&self) -> Box<dyn Play>;
    /// Who may decide now.
    fn turn(&self) -> Turn;
    /// Of those who may decide now, the seats that are still waited for; for tools, since it may be a secret.
    fn owing(&self) -> SeatSet;
    /// Whom the free words of `seat` reach now.
    fn voice(&self, seat: Seat) -> Option<Voice>;
    /// Whose time runs.
    fn pace(&self) -> Pace;
    /// Plies played; `None` in a game without plies.
    fn ply(&self) -> Option<u32>;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// Whether `seat` could still win.
    fn can_win(&self, seat: Seat) -> bool;
    /// The side that `seat` plays for, as outcomes name it; for tools, since it may be a secret.
    fn side_of(&self, seat: Seat) -> Seat;
    /// How many secrets have been told.
    fn disclosures(&self) -> u32;
    /// Judges an action without doing it and gives its canonical text.
    ///
    /// # Errors
    /// Why it is refused; depends only on what `seat` may know.
    fn check(&self, seat: Seat, text: &str) -> Result<String, Reject>;
    /// Whether an action is to be hidden from all others, its time included.
    fn is_secret(&self, seat: Seat, text: &str) -> bool;
    /// Does an action.
    ///
    /// # Errors
    /// Why it is refused; nothing has changed then.
    fn act(&mut self, seat: Seat, text: &str) -> Result<Vec<Told>, Reject>;
    /// Ends the game (of a match: the present one) for a reason outside the rules of movement.
    fn conclude(&mut self, seat: Seat, ending: Ending) -> Vec<Told>;
    /// The time for what is to be decided has run out; a seat whose flag this is loses.
    fn close(&mut self, seed: u64) -> Vec<Told>;
    /// What `viewer` may know.
    fn view(&self, viewer: Viewer) -> Wire;
    /// What `seat` may play now, sorted by bytes; `[]` when it has nothing to decide.
    fn legal(&self, seat: Seat) -> Vec<String>;
    /// What `seat` may do now, as the board needs it.
    fn hints(&self, seat: Seat) -> Wire;
    /// Some legal action of `seat`.
    fn sample(&self, seat: Seat, rng: &mut ChaCha8Rng) -> Option<String>;
    /// What the engine would do for `seat`, from what `seat` may know alone; `None` when it has nothing to decide.
    fn think(&self, seat: Seat, limits: &Limits, info: &mut dyn FnMut(&Info)) -> Option<String>;
    /// [`Play::think`] for whoever has to go on when an engine fails: he plays something else that is legal.
    ///
    /// # Errors
    /// What an engine that panicked said; the panic has been told on standard error.
    fn attempt(
        &self,
        seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Result<Option<String>, Failed> {
        // Nothing that a decision leaves half done outlives it: a memory it had taken is gone, the game is as it was.
        catch_unwind(AssertUnwindSafe(|| self.think(seat, limits, info))).map_err(|panic| {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Failed(text.unwrap_or("it panicked").to_owned())
        })
    }
    /// Plays `script` from here `times` times as an engine does, without texts and events; the plies played.
    fn replay(&self, script: &[(Seat, String)], times: u32) -> u64;
    /// What the baseline `name` would do for `seat`; for matches alone, since a baseline may see everything. `None` when
    /// it has nothing to decide or there is no such baseline.
    fn baseline(&self, name: &str, seat: Seat, limits: &Limits) -> Option<String>;
    /// An action in another notation; `None` where that cannot say it.
    ///
    /// # Errors
    /// When `text` is no action that parses.
    fn notate(&self, seat: Seat, text: &str, notation: &str) -> Result<Option<String>, Reject>;
    /// The canonical text of a ply given in another notation.
    ///
    /// # Errors
    /// When it fits no legal ply.
    fn read(&self, seat: Seat, text: &str, notation: &str) -> Result<String, Reject>;
    /// The plies of the position alone, sorted by bytes, whether the game goes on or not; for a mechanism those of its
    /// base. Empty where plies are not plain.
    fn plies(&self) -> Vec<String>;
    /// Leaf nodes of perft behind each ply, `depth` ≥ 1 plies deep; `None` where plies are not plain.
    fn perft(&self, depth: u32) -> Option<Vec<(String, u64)>>;
    /// Random play at position level from here, over and over until `plies` have been played; gives how many were.
    fn playouts(&self, plies: u64, seed: u64) -> Option<u64>;
}

impl Clone for Box<dyn Play> {
    fn clone(&self) -> Self {
        self.fork()
    }
}

/// An engine has failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engine failed: {0}")]
pub struct Failed(String);

/// What may go on the wire to one reader. It can only be made from a view, hints or a filtered event.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Wire(Value);

impl Wire {
    pub(crate) fn new(value: Value) -> Wire {
        Wire(value)
    }

    /// The JSON that is sent.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.0
    }

    /// The JSON that is sent, by value.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.0
    }
}

/// An event with its audience, named for the rule set's seats.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    audience: Audience,
    to: Value,
    kind: &'static str,
    fields: Map<String, Value>,
}

impl Told {
    pub(crate) fn new(event: Event, seat_name: impl Fn(Seat) -> Value) -> Told {
        let to = match event.to {
            Audience::All => "all".into(),
            Audience::Seats(seats) => seats.iter().map(seat_name).collect(),
        };
        Told {
            audience: event.to,
            to,
            kind: event.kind,
            fields: event.fields,
        }
    }

    /// What happened, by its kind alone.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The event as `viewer` receives it; `None` when it is not for that viewer.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Option<Wire> {
        self.audience.includes(viewer).then(|| {
            let mut object = Map::new();
            object.insert("kind".to_owned(), self.kind.into());
            object.extend(self.fields.clone());
            Wire(Value::Object(object))
        })
    }

    /// The event with its audience: for the referee, who knows all.
    #[must_use]
    pub fn with_audience(&self) -> Value {
        let mut object = Map::new();
        object.insert("to".to_owned(), self.to.clone());
        object.insert("kind".to_owned(), self.kind.into());
        object.extend(self.fields.clone());
        Value::Object(object)
    }
}
