//! The traits a rule set implements.

use crate::{Code, Ending, Events, OptionError, OptionSpec, Options, Outcome, Reason, Reject, Seat, SeatSet};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Debug;
use std::hash::Hash;

/// A game: rules with their options settled. States are its positions together with all history that the rules look at.
///
/// Architecture invariant: neither states nor actions can be serialized. What leaves a table is a view, an event
/// filtered by its audience, a hint or a refusal, and each of them depends only on what its reader may know.
pub trait Game: Clone + Send + Sync + 'static {
    /// Places at the table.
    const SEATS: usize = 2;
    /// A position and its history.
    type State: Clone + Send + Sync;
    /// What a seat may do, parsed.
    type Action: Clone + PartialEq + Debug + Send + Sync;
    /// What one viewer may know, besides the fields that every view has (`rules`, `ply`, `to_act`, `result`).
    type View: Serialize;

    /// The state before anything has happened.
    ///
    /// # Errors
    /// A position text that is malformed or shows what cannot be, by name.
    fn start(&self, setup: &Setup<'_>) -> Result<Self::State, SetupError>;

    /// The position that tools take instead of a start at which something else than a ply is due (secret layouts).
    fn usual_position(&self) -> Option<&'static str> {
        None
    }

    /// Who may decide now, and what about.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Of those who may decide now, the seats that have not answered yet: who is still waited for. A secret where all
    /// may act at once.
    fn owing(&self, state: &Self::State) -> SeatSet {
        self.turn(state).seats()
    }

    /// Plies played so far (1 where the second side began); `None` in a game without plies.
    fn ply(&self, state: &Self::State) -> Option<u32>;

    /// How the game ended, if it has.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Reads an action as `seat` would send it, in any form that the rules read.
    ///
    /// # Errors
    /// `malformed` or `unknown-action`; may depend only on what `seat` may know.
    fn parse(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Action, Reject>;

    /// Whether `word` begins an action that is no ply: any other word is an unknown action.
    fn knows(&self, word: &str) -> bool {
        let _ = word;
        false
    }

    /// The canonical text of an action.
    fn text(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> String;

    /// Whether `seat` may do `action` now. The caller has made sure that the game is not over.
    ///
    /// # Errors
    /// `not-your-turn`, `not-available` or `illegal`; may depend only on what `seat` may know.
    fn check(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Result<(), Reject>;

    /// Does an action that [`Game::check`] has let pass.
    fn apply(&self, state: &mut Self::State, seat: Seat, action: &Self::Action, events: &mut Events);

    /// All that `seat` may do now among what `legal` lists (plies, picks, layouts; not demands, draws, resignation).
    fn actions(&self, state: &Self::State, seat: Seat, out: &mut Vec<Self::Action>);

    /// Some legal action of a seat that is to act, for laws and random play; never `None` while the seat owes one.
    fn sample(&self, state: &Self::State, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Self::Action> {
        use rand::seq::IndexedRandom;
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.choose(rng).cloned()
    }

    /// Whether that `seat` does `action` is to be hidden from all others, its time included (a layout, a night order).
    fn is_secret(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> bool {
        let _ = (state, seat, action);
        false
    }

    /// What `viewer` may know.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// What `seat` may do now, as the board needs it. The default knows only the texts.
    fn hints(&self, state: &Self::State, seat: Seat) -> Vec<Hint> {
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.iter()
            .map(|a| Hint::new(self.text(state, seat, a), [], ""))
            .collect()
    }

    /// Sets the result; used by [`Game::conclude`].
    fn finish(&self, state: &mut Self::State, outcome: Outcome);

    /// Ends the game for a reason outside the rules of movement (in a match: the present game of it).
    fn conclude(&self, state: &mut Self::State, seat: Seat, ending: Ending, events: &mut Events) {
        let _ = events;
        let winner = seat.other();
        let outcome = match ending {
            Ending::Resign => Outcome::Win(winner, Reason::Resignation),
            Ending::Timeout if self.can_win(state, winner) => Outcome::Win(winner, Reason::Timeout),
            Ending::Timeout => Outcome::Draw(Reason::InsufficientMaterial),
            Ending::Agreement => Outcome::Draw(Reason::Agreement),
            Ending::Abort => Outcome::Void(Reason::Abort),
        };
        self.finish(state, outcome);
    }

    /// Whether `seat` could still win by some play; decides what a fallen flag means.
    fn can_win(&self, state: &Self::State, seat: Seat) -> bool {
        let _ = (state, seat);
        true
    }

    /// How many secrets have been told or turned up so far; taking back past one is refused.
    fn disclosures(&self, state: &Self::State) -> u32 {
        let _ = state;
        0
    }

    /// Whom the free words of `seat` reach now; `None` where the rules want silence. May depend only on what all know.
    fn voice(&self, state: &Self::State, seat: Seat) -> Option<Voice> {
        let _ = (state, seat);
        None
    }

    /// Whose time runs.
    fn pace(&self, state: &Self::State) -> Pace {
        match self.turn(state) {
            Turn::Ply(seat) => Pace::Clock(seat),
            Turn::Choice(_) => Pace::Aside,
            Turn::Over => Pace::Stopped,
        }
    }

    /// The time for what is to be decided has run out. Does what the rules say then (a random layout, the standing
    /// proposal, the end of a night) and gives `None`, or gives the seat that loses on time. `seed` is the only chance.
    fn close(&self, state: &mut Self::State, seed: u64, events: &mut Events) -> Option<Seat> {
        let _ = (seed, events);
        match self.turn(state) {
            Turn::Ply(seat) => Some(seat),
            Turn::Choice(seats) => seats.iter().next(),
            Turn::Over => None,
        }
    }

    /// A seat as JSON: `"first"`, `"second"`; in games of more seats its number from 1.
    fn seat_name(&self, seat: Seat) -> Value {
        match (Self::SEATS, seat.0) {
            (2, 0) => "first".into(),
            (2, _) => "second".into(),
            (_, n) => (n + 1).into(),
        }
    }

    /// The side that `seat` plays for, as outcomes name it: itself, or its camp where camps win. A secret there.
    fn side_of(&self, state: &Self::State, seat: Seat) -> Seat {
        let _ = state;
        seat
    }

    /// A winner as JSON: its seat, or its camp where camps win.
    fn side_name(&self, side: Seat) -> Value {
        self.seat_name(side)
    }

    /// The notations besides `text` that plies can be written and read in.
    fn notations(&self) -> &'static [&'static str] {
        &[]
    }

    /// An action in `notation` (one of [`Game::notations`]); `None` where the notation cannot say it.
    fn notate(
        &self,
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
        notation: &str,
    ) -> Option<String> {
        let _ = (state, seat, action, notation);
        None
    }

    /// Reads a ply in `notation` (one of [`Game::notations`]).
    ///
    /// # Errors
    /// What does not parse, fits no legal ply, or fits more than one.
    fn read(
        &self,
        state: &Self::State,
        seat: Seat,
        text: &str,
        notation: &str,
    ) -> Result<Self::Action, Reject> {
        let _ = (state, seat, text);
        Err(Reject::new(
            Code::UnknownAction,
            format!("this game has no notation {notation:?}"),
        ))
    }
}

/// A game that the registry can build from rule-set text.
pub trait RuleSet: Game {
    /// The id in rule-set text.
    const ID: &'static str;
    /// The name in simplified Chinese.
    const NAME_ZH: &'static str;
    /// The name in English.
    const NAME_EN: &'static str;
    /// The kind of board it is drawn on: the id of the rule set that the board comes from.
    const FAMILY: &'static str = Self::ID;

    /// The options it takes.
    fn options() -> &'static [OptionSpec] {
        &[]
    }

    /// The rules with `options` settled; may rewrite texts into their one form and move dependent defaults.
    ///
    /// # Errors
    /// Names what does not go together.
    fn build(options: &mut Options) -> Result<Self, OptionError>;
}

/// A two-seat, one-ply-at-a-time game whose plies can be committed to before they are due: what mechanisms wrap.
///
/// A commitment is an intent, not an action: `h2h0` in zuyi means the whole stack as it will be then.
pub trait Committable: Game {
    /// A conceivable ply, kept as it was sent.
    type Intent: Clone + PartialEq + Hash + Debug + Send + Sync;

    /// The game as it is played under a mechanism (Go scores without talk of dead stones).
    ///
    /// # Errors
    /// Names the option that does not go with a mechanism.
    fn under_mechanism(self) -> Result<Self, OptionError> {
        Ok(self)
    }

    /// How many plies are conceivable, where they are so few that a pool might want more.
    fn conceivable(&self) -> Option<usize> {
        None
    }

    /// Reads a conceivable ply: squares exist, from ≠ to, …; it need not be legal now or ever.
    ///
    /// # Errors
    /// `malformed` when it does not parse or can be no ply on this board.
    fn intent(&self, text: &str) -> Result<Self::Intent, Reject>;

    /// The text of an intent: as sent, with members in order.
    fn intent_text(&self, intent: &Self::Intent) -> String;

    /// The legal ply of `seat` that the intent means now, if it is its turn and there is one.
    fn resolve(&self, state: &Self::State, seat: Seat, intent: &Self::Intent) -> Option<Self::Action>;

    /// Like [`Game::apply`] for a ply, with `context` (a mechanism's queues or pools, hashed; 0 for none) made part
    /// of what repetition compares.
    fn play(
        &self,
        state: &mut Self::State,
        seat: Seat,
        action: &Self::Action,
        context: u64,
        events: &mut Events,
    );

    /// What a preview board shows for the intent: points emptied and filled, without regard to rules.
    fn diagram(&self, intent: &Self::Intent) -> Vec<Change>;

    /// All learn that a commitment of `seat` worked or failed; a game of hidden faces takes note.
    fn witness(&self, state: &mut Self::State, seat: Seat, intent: &Self::Intent, worked: bool) {
        let _ = (state, seat, intent, worked);
    }
}

/// Position-level play without history: what perft counts, playouts run on and engines search. No trait objects and
/// no allocation behind these calls.
pub trait Tree: Game {
    /// All that decides which plies are legal, cheap to copy.
    type Position: Clone + Send;
    /// A ply.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// What [`Tree::unmake`] needs (a copy of the position where that is the cheapest).
    type Undo;

    /// The position of a state.
    fn position(&self, state: &Self::State) -> Self::Position;
    /// The legal plies, added to `out` (cleared by the caller).
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);
    /// How many legal plies there are; override where counting is cheaper than listing.
    fn count(&self, position: &Self::Position) -> u64 {
        let mut out = Vec::with_capacity(128);
        self.moves(position, &mut out);
        out.len() as u64
    }
    /// Plays a legal ply.
    fn make(&self, position: &mut Self::Position, mv: Self::Move) -> Self::Undo;
    /// Takes back the ply just played.
    fn unmake(&self, position: &mut Self::Position, mv: Self::Move, undo: Self::Undo);
    /// The side to move.
    fn side(&self, position: &Self::Position) -> Seat;
    /// A hash of the position, kept up to date incrementally.
    fn key(&self, position: &Self::Position) -> u64;
    /// Whether the side to move is in check (false in games without).
    fn in_check(&self, position: &Self::Position) -> bool;
    /// The end that the position itself is, given whether its side has any legal ply; history is not looked at.
    fn terminal(&self, position: &Self::Position, has_moves: bool) -> Option<Outcome>;
    /// The ply as an action of the game.
    fn action(&self, position: &Self::Position, mv: Self::Move) -> Self::Action;
}

/// What a player may know, typed, and states that fit it: bots get this and never a state of the table.
pub trait Redeal: Game {
    /// All that one viewer may know, public history included. In an open game this is the state.
    type Known: Clone + Send;
    /// What `viewer` knows.
    fn known(&self, state: &Self::State, viewer: Viewer) -> Self::Known;
    /// A state that fits what is known; varies with `rng` where something is hidden.
    fn redeal(&self, known: &Self::Known, rng: &mut ChaCha8Rng) -> Self::State;
}

/// Counts the leaves of the tree of legal plies, `depth` deep, counting the last level in bulk.
pub fn perft<G: Tree>(game: &G, position: &mut G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count(position),
        _ => {
            let mut moves = Vec::with_capacity(128);
            game.moves(position, &mut moves);
            let mut nodes = 0;
            for mv in moves {
                let undo = game.make(position, mv);
                nodes += perft(game, position, depth - 1);
                game.unmake(position, mv, undo);
            }
            nodes
        }
    }
}

/// How a game is set up.
#[derive(Clone, Copy, Default, Debug)]
pub struct Setup<'a> {
    /// A position text instead of the usual start.
    pub fen: Option<&'a str>,
    /// The table's seed: the only source of chance in dealing.
    pub seed: u64,
}

/// A position text that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

impl SetupError {
    /// An error that says `message`.
    pub fn new(message: impl Into<String>) -> SetupError {
        SetupError(message.into())
    }
}

/// The generator that all chance comes from, by seed; its stream is stable across versions.
#[must_use]
pub fn rng(seed: u64) -> ChaCha8Rng {
    use rand::SeedableRng;
    ChaCha8Rng::seed_from_u64(seed)
}

/// Who may decide now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat's ply is due.
    Ply(Seat),
    /// Something other than a ply is to be decided (layouts, dead stones, an answer, a night), by any of these.
    Choice(SeatSet),
    /// The game has ended.
    Over,
}

impl Turn {
    /// The seats that may decide now.
    #[must_use]
    pub const fn seats(self) -> SeatSet {
        match self {
            Turn::Ply(seat) => SeatSet::one(seat),
            Turn::Choice(seats) => seats,
            Turn::Over => SeatSet::EMPTY,
        }
    }
}

/// Whom free words reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// Everybody.
    Open,
    /// Those whom the game has left behind, and whoever was let in to listen to them; never one who is still in it.
    Dead,
}

/// Whose time runs now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// This seat's clock.
    Clock(Seat),
    /// A limit of its own beside the clocks (layouts, dead stones).
    Aside,
    /// A phase that lasts this many seconds unless it closes sooner.
    Phase(u32),
    /// Nobody's.
    Stopped,
}

/// Who looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// Anybody at the table who does not play.
    Spectator,
    /// The omniscient view: for tools, and for everybody once the game is over.
    Truth,
}

/// One thing a seat may do, as the board needs it: the board shows `path` and `tag` and sends `text`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hint {
    /// The action's text.
    #[serde(rename = "do")]
    pub text: String,
    /// The squares to touch, in order (a drop starts with `P*`; a flip has one square).
    pub path: Vec<String>,
    /// What it is: `move`, `capture`, `combine`, `exchange`, `swap`, `flip`, `drop`, `promote`, `pass`, …
    pub tag: &'static str,
    /// More for a choice between actions of one path: `go`, `back`, `token`, `promote`.
    #[serde(flatten)]
    pub detail: serde_json::Map<String, Value>,
}

impl Hint {
    /// A hint without details.
    pub fn new<const N: usize>(text: String, path: [String; N], tag: &'static str) -> Hint {
        Hint {
            text,
            path: path.into(),
            tag,
            detail: serde_json::Map::new(),
        }
    }

    /// The hint with one more detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Hint {
        self.detail.insert(key.to_owned(), value.into());
        self
    }
}

/// One change on a preview board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Change {
    /// The point.
    pub at: String,
    /// The point whose contents (or part `members` of it) come here; `None` empties `at`.
    pub from: Option<String>,
    /// Which members move, or which piece appears (a drop, a stone, a promotion); `None` for all.
    pub members: Option<String>,
}
