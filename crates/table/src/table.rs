//! The fold: a table and what each of its entries does.

mod company;

use crate::clock::{Clock, Control, ControlError};
use crate::entry::{Entry, Failure, Opening, Player, What};
use crate::room::Room;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use xinqi_kernel::{Code, Ending, Outcome, Pace, Reject, Seat, SeatSet, Setup, SetupError, Viewer, Voice};
use xinqi_registry::{Play, Rules, RulesError, Told, Wire};

/// A live table. A copy shares the record with its original, so that an entry can be tried on it before it is written.
#[derive(Clone)]
pub struct Table {
    opening: Opening,
    play: Box<dyn Play>,
    /// Secrets that were told before anybody acted (a position that shows all).
    disclosed_at_start: u32,
    players: Vec<Option<Player>>,
    moves: Vec<Arc<Move>>,
    notes: Vec<Arc<Note>>,
    clock: Clock,
    /// Since when something beside the clocks (layouts, a phase) is awaited.
    aside_since: Option<u64>,
    /// Seats that have played a ply; while one is missing the game can be called off.
    played: SeatSet,
    draw_offer: Option<Seat>,
    undo_ask: Option<Seat>,
    rematch_offer: Option<Seat>,
    rematch: Option<String>,
    /// At tables of more than two seats that somebody opened.
    room: Option<Room>,
}

/// Who reads a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reader {
    /// What the game lets the reader see.
    pub viewer: Viewer,
    /// Whether the reader was let in to listen to the dead.
    pub listens: bool,
}

impl From<Viewer> for Reader {
    fn from(viewer: Viewer) -> Reader {
        Reader {
            viewer,
            listens: false,
        }
    }
}

/// One entry of the record, with what each viewer saw of it.
struct Move {
    seat: Option<Seat>,
    text: String,
    seed: u64,
    /// By the table's own words (`resign`), not the game's.
    of_table: bool,
    secret: bool,
    told: Vec<Told>,
    disclosures: u32,
    notation: Value,
    /// `fen` and `check` after it, by viewer: seats, spectator, truth.
    seen: Vec<(Value, Value)>,
    ply: Option<u32>,
}

impl Move {
    /// Whether it was a submission, declaration, pick or ply: what can be taken back.
    fn decided_a_ply(&self) -> bool {
        self.told
            .iter()
            .any(|t| matches!(t.kind(), "ply" | "submitted" | "pool"))
    }
}

/// Something that happened beside the moves.
struct Note {
    /// How many moves came before it.
    after: usize,
    at: u64,
    voice: Voice,
    event: Value,
}

/// A table that cannot be opened.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OpenError {
    /// The rule-set text.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The position text.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The clock text.
    #[error(transparent)]
    Clock(#[from] ControlError),
    /// The log does not begin with an opening.
    #[error("the log of this table does not begin with its opening")]
    NoOpening,
}

/// The table's own actions, for two seats whatever the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TableAction {
    Resign,
    DrawOffer,
    DrawAccept,
    DrawDecline,
    UndoAsk,
    UndoAccept,
    UndoDecline,
    Abort,
    Rematch,
}

impl TableAction {
    /// `None` when the words are none of the table's.
    fn parse(text: &str) -> Option<Result<TableAction, Reject>> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let action = match words.as_slice() {
            ["resign"] => TableAction::Resign,
            ["abort"] => TableAction::Abort,
            ["rematch"] => TableAction::Rematch,
            ["draw", "offer"] => TableAction::DrawOffer,
            ["draw", "accept"] => TableAction::DrawAccept,
            ["draw", "decline"] => TableAction::DrawDecline,
            ["undo", "ask"] => TableAction::UndoAsk,
            ["undo", "accept"] => TableAction::UndoAccept,
            ["undo", "decline"] => TableAction::UndoDecline,
            ["draw", ..] => return Some(Err(Reject::malformed("draw: offer, accept or decline"))),
            ["undo", ..] => return Some(Err(Reject::malformed("undo: ask, accept or decline"))),
            ["resign" | "abort" | "rematch", ..] => {
                return Some(Err(Reject::malformed(format!("{} stands alone", words[0]))));
            }
            _ => return None,
        };
        Some(Ok(action))
    }
}

/// Longest action text that is looked at, in bytes.
const LONGEST_ACTION: usize = 2000;
/// The limit beside the clocks: for layouts and dead stones, in live and in slow games.
const ASIDE: u64 = 60_000;
const ASIDE_SLOW: u64 = 86_400_000;

impl Table {
    /// Opens a table.
    ///
    /// # Errors
    /// Rule-set text, position or clock that cannot be taken.
    pub fn open(opening: Opening) -> Result<Table, OpenError> {
        let rules = xinqi_registry::parse(&opening.rules)?;
        let control: Control = opening.clock.parse()?;
        let seats = rules.seats();
        let host = opening.host.clone().filter(|_| seats > 2);
        let play = rules.start(&Setup {
            fen: opening.fen.as_deref(),
            seed: opening.seed,
        })?;
        Ok(Table {
            opening,
            disclosed_at_start: play.disclosures(),
            play,
            players: vec![None; seats],
            moves: Vec::new(),
            notes: Vec::new(),
            clock: Clock::new(control),
            aside_since: None,
            played: SeatSet::EMPTY,
            draw_offer: None,
            undo_ask: None,
            rematch_offer: None,
            rematch: None,
            room: host.map(Room::new),
        })
    }

    /// Folds a whole log.
    ///
    /// # Errors
    /// A log without an opening, or one whose opening cannot be taken.
    pub fn fold(entries: &[Entry]) -> Result<Table, OpenError> {
        let Some((
            Entry {
                what: What::Opened(opening),
                ..
            },
            rest,
        )) = entries.split_first()
        else {
            return Err(OpenError::NoOpening);
        };
        let mut table = Table::open(opening.clone())?;
        for entry in rest {
            // An entry that was judged and refused on the way in is no part of the log; one that loses a race is
            // refused here again, the same on every node.
            let _ = table.apply(entry);
        }
        Ok(table)
    }

    /// Applies an entry.
    ///
    /// # Errors
    /// Why the entry does nothing: the table is unchanged.
    pub fn apply(&mut self, entry: &Entry) -> Result<Vec<Told>, Reject> {
        match &entry.what {
            What::Opened(_) => Err(Reject::not_available("the table is open")),
            What::Joined { seat, player } => {
                let Some(place) = self.players.get_mut(usize::from(*seat)) else {
                    return Err(Reject::malformed(format!("there is no seat {seat}")));
                };
                if let Some(room) = &self.room {
                    room.may_sit(Seat(*seat), player, place.as_ref())?;
                }
                *place = Some(player.clone());
                self.note_joined(Seat(*seat), entry.at);
                self.wind(entry.at);
                Ok(Vec::new())
            }
            What::Acted { seat, text } => self.act(Seat(*seat), text, entry.at),
            What::Closed { seed } => Ok(self.close(*seed, entry.at)),
            What::Credited { ms } => {
                self.clock.credit(*ms);
                self.aside_since = self.aside_since.map(|since| since + ms);
                Ok(Vec::new())
            }
            What::Hosted { by, text } => self.ordered(by, text, entry.at),
            What::TookOver { by } => self.taken_over(by, entry.at),
            What::Spoke { by, name, text } => self.spoken(by, name, text, entry.at),
            What::Asked { by, name } => self.asked(by, name),
            What::Failed { seat, why } => self.failed(Seat(*seat), *why, entry.at),
            What::Rematched { table } => {
                if self.outcome().is_none() || self.rematch.is_some() {
                    return Err(Reject::not_available("there is no rematch to begin"));
                }
                self.rematch_offer = None;
                self.rematch = Some(table.clone());
                Ok(Vec::new())
            }
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> Arc<dyn Rules> {
        self.play.rules()
    }

    /// How the table was opened.
    #[must_use]
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The game, to look at (bots think on a fork of it through their seat's eyes).
    #[must_use]
    pub fn play(&self) -> &dyn Play {
        &*self.play
    }

    /// Who sits on each seat.
    #[must_use]
    pub fn players(&self) -> &[Option<Player>] {
        &self.players
    }

    /// The table of the rematch, once agreed.
    #[must_use]
    pub fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// How the game ended.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.play.outcome()
    }

    /// The seat whose draw offer stands.
    #[must_use]
    pub fn draw_offer(&self) -> Option<Seat> {
        self.draw_offer
    }

    /// The seat that asked to take back.
    #[must_use]
    pub fn undo_ask(&self) -> Option<Seat> {
        self.undo_ask
    }

    /// The seat that offers a rematch.
    #[must_use]
    pub fn rematch_offer(&self) -> Option<Seat> {
        self.rematch_offer
    }

    /// When [`What::Closed`] is due, if nothing happens before.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        if self.room.as_ref().is_some_and(|room| room.paused_at.is_some()) {
            return None;
        }
        self.closes_at()
    }

    fn closes_at(&self) -> Option<u64> {
        match self.play.pace() {
            Pace::Stopped => None,
            Pace::Clock(_) => self.clock.flag_at(),
            Pace::Phase(seconds) => self.aside_since.map(|since| since + u64::from(seconds) * 1000),
            Pace::Aside => {
                let limit = match self.clock.control() {
                    Control::None => return None,
                    Control::Days { .. } => ASIDE_SLOW,
                    _ => ASIDE,
                };
                self.aside_since.map(|since| since + limit)
            }
        }
    }

    /// Whether `seat` could do what `text` says.
    ///
    /// # Errors
    /// Why not; depends only on what `seat` may know.
    pub fn judge(&self, seat: Seat, text: &str) -> Result<(), Reject> {
        match self.table_action(text) {
            Some(action) => self.judge_table_action(seat, action?),
            None if text.len() > LONGEST_ACTION => Err(too_long()),
            None => self
                .goes_on()
                .and_then(|()| self.play.check(seat, text))
                .map(|_| ()),
        }
    }

    /// Lets `seat` act at `at` (milliseconds).
    ///
    /// # Errors
    /// Why it may not; nothing has changed then.
    pub fn act(&mut self, seat: Seat, text: &str, at: u64) -> Result<Vec<Told>, Reject> {
        if let Some(action) = self.table_action(text) {
            let action = action?;
            self.judge_table_action(seat, action)?;
            return Ok(self.table_act(seat, action, text, at));
        }
        if text.len() > LONGEST_ACTION {
            return Err(too_long());
        }
        self.goes_on()?;
        let canonical = self.play.check(seat, text)?;
        let notation = self.notation(seat, &canonical);
        let secret = self.play.is_secret(seat, &canonical);
        let told = self.play.act(seat, &canonical)?;
        self.clock.decided(seat, at);
        if self.draw_offer == Some(seat.other()) {
            self.draw_offer = None;
        }
        self.undo_ask = None;
        self.note(
            Some(seat),
            canonical,
            0,
            false,
            secret,
            notation,
            told.clone(),
            at,
        );
        Ok(told)
    }

    /// The time for what was to be decided is out.
    pub fn close(&mut self, seed: u64, at: u64) -> Vec<Told> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let told = self.play.close(seed);
        self.note(
            None,
            "close".to_owned(),
            seed,
            false,
            false,
            Value::Null,
            told.clone(),
            at,
        );
        told
    }

    /// What `viewer` may know of the game: the referee's view.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Wire {
        self.play.view(viewer)
    }

    /// What the seat's clock shows at `at`: milliseconds in this stretch, periods left; `None` without a clock.
    #[must_use]
    pub fn clock(&self, seat: Seat, at: u64) -> Option<(u64, u32)> {
        (self.clock.control() != Control::None).then(|| self.clock.left(seat, at))
    }

    /// The clock's text and the seat whose time runs.
    #[must_use]
    pub fn running(&self) -> (Control, Option<Seat>) {
        (self.clock.control(), self.clock.running())
    }

    /// What the seats have done, from the start: the game's own actions.
    pub fn actions(&self) -> impl Iterator<Item = (Seat, &str)> {
        let own = self.moves.iter().filter(|m| !m.of_table);
        own.filter_map(|m| Some((m.seat?, m.text.as_str())))
    }

    /// The log as `reader` may see it, from its entry `since` on: how many entries there are, and the later ones.
    #[must_use]
    pub fn log(&self, reader: impl Into<Reader>, since: usize) -> (usize, Vec<Value>) {
        let Reader { viewer, listens } = reader.into();
        let viewer = if self.outcome().is_some() {
            Viewer::Truth
        } else {
            viewer
        };
        let column = self.column(viewer);
        let mut all = Vec::new();
        let mut notes = self.notes_for(viewer, listens).peekable();
        for (n, m) in self.moves.iter().enumerate() {
            while let Some(note) = notes.next_if(|note| note.after <= n) {
                all.push(self.note_for(note, all.last()));
            }
            all.extend(self.entry_for(m, viewer, column));
        }
        for note in notes {
            all.push(self.note_for(note, all.last()));
        }
        for (n, entry) in all.iter_mut().enumerate() {
            entry["n"] = n.into();
        }
        (all.len(), all.split_off(since.min(all.len())))
    }

    fn entry_for(&self, m: &Move, viewer: Viewer, column: usize) -> Option<Value> {
        let hidden = m.secret && viewer != Viewer::Truth && m.seat.map(Viewer::Seat) != Some(viewer);
        let events: Vec<_> = m.told.iter().filter_map(|t| t.seen_by(viewer)).collect();
        // Of a secret action others see only what came of it (the night that it closed).
        if hidden && events.is_empty() {
            return None;
        }
        let (fen, check) = &m.seen[column];
        let seat = m.seat.filter(|_| !hidden).map(|s| self.rules().seat_name(s));
        let text = (!hidden).then_some(&m.text);
        let notation = (!hidden).then_some(&m.notation);
        Some(json!({
            "seat": seat, "text": text, "ply": m.ply, "fen": fen, "check": check, "notation": notation,
            "events": events,
        }))
    }

    /// A note as an entry of the log; beside a board it shows the position of the entry before.
    fn note_for(&self, note: &Note, before: Option<&Value>) -> Value {
        let mut entry = json!({"at": note.at, "events": [note.event]});
        if self.room.is_none() {
            entry["seat"] = note.event["seat"].clone();
            for key in ["fen", "check"] {
                entry[key] = before.map_or(Value::Null, |before| before[key].clone());
            }
        }
        entry
    }

    /// What was said and ordered as far as `viewer` may hear it.
    fn notes_for(&self, viewer: Viewer, listens: bool) -> impl Iterator<Item = &Note> {
        let hears_dead = listens
            || match viewer {
                Viewer::Truth => true,
                Viewer::Seat(seat) => self.play.voice(seat) == Some(Voice::Dead),
                Viewer::Spectator => false,
            };
        let notes = self.notes.iter().map(|note| &**note);
        notes.filter(move |note| note.voice == Voice::Open || hears_dead)
    }

    /// All that is needed to replay the game. Holds secrets: for the referee, the archive, and games that are over.
    #[must_use]
    pub fn record(&self) -> Value {
        let rules = self.rules();
        let mut record = Map::new();
        record.insert("format".to_owned(), "xinqi-record".into());
        record.insert("version".to_owned(), 1.into());
        record.insert("rules".to_owned(), rules.text().into());
        if let Some(fen) = &self.opening.fen {
            record.insert("fen".to_owned(), fen.as_str().into());
        }
        record.insert("seed".to_owned(), self.opening.seed.into());
        let tags = self.tags();
        if !tags.is_empty() {
            record.insert("tags".to_owned(), Value::Object(tags));
        }
        let moves = self.moves.iter().map(|m| match m.seat {
            Some(seat) => json!([rules.seat_name(seat), m.text]),
            None => json!({"close": m.seed}),
        });
        record.insert("actions".to_owned(), moves.collect());
        if !self.notes.is_empty() {
            let notes = self.notes.iter();
            let notes = notes.map(|n| json!({"after": n.after, "at": n.at, "event": n.event}));
            record.insert("notes".to_owned(), notes.collect());
        }
        record.insert(
            "result".to_owned(),
            self.outcome().map_or(Value::Null, |o| rules.result(o)),
        );
        Value::Object(record)
    }

    /// Who played, where that is two and known.
    #[must_use]
    pub fn tags(&self) -> Map<String, Value> {
        let seats = (0..).map(Seat).zip(&self.players);
        let named = seats.filter_map(|(seat, player)| {
            let name = player
                .as_ref()
                .map(Player::name)
                .filter(|name| !name.is_empty())?;
            Some((self.rules().seat_name(seat).as_str()?.to_owned(), name.into()))
        });
        named.collect()
    }

    fn table_action(&self, text: &str) -> Option<Result<TableAction, Reject>> {
        if self.players.len() == 2 {
            TableAction::parse(text)
        } else {
            None
        }
    }

    fn judge_table_action(&self, seat: Seat, action: TableAction) -> Result<(), Reject> {
        if self.outcome().is_some() && action != TableAction::Rematch {
            return Err(Reject::new(Code::GameOver, "the game is over"));
        }
        let other = Some(seat.other());
        let not_available = |why: &str| Err(Reject::not_available(why));
        match action {
            TableAction::Resign => Ok(()),
            TableAction::Abort if self.played == SeatSet::BOTH => {
                not_available("both sides have played: the game can no longer be called off")
            }
            TableAction::DrawOffer if self.draw_offer == Some(seat) => not_available("your offer stands"),
            TableAction::DrawAccept | TableAction::DrawDecline if self.draw_offer != other => {
                not_available("no draw is offered")
            }
            TableAction::Rematch if self.outcome().is_none() => not_available("the game is not over"),
            TableAction::Rematch if self.rematch.is_some() => not_available("the rematch has begun"),
            TableAction::Rematch if self.rematch_offer == Some(seat) => not_available("your offer stands"),
            TableAction::UndoAsk if self.undo_ask == Some(seat) => not_available("you have asked"),
            TableAction::UndoAccept | TableAction::UndoDecline if self.undo_ask != other => {
                not_available("nobody asks to take back")
            }
            TableAction::UndoAsk => self.undo_to(seat).map(|_| ()),
            TableAction::UndoAccept => self.undo_to(seat.other()).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn table_act(&mut self, seat: Seat, action: TableAction, text: &str, at: u64) -> Vec<Told> {
        let offered = self.draw_offer == Some(seat.other());
        if offered && !matches!(action, TableAction::DrawAccept | TableAction::DrawOffer) {
            self.draw_offer = None;
        }
        let told = match action {
            TableAction::Resign => self.play.conclude(seat, Ending::Resign),
            TableAction::Abort => self.play.conclude(seat, Ending::Abort),
            TableAction::DrawAccept => self.play.conclude(seat, Ending::Agreement),
            // An offer that meets an offer is an agreement.
            TableAction::DrawOffer if offered => self.play.conclude(seat, Ending::Agreement),
            TableAction::DrawOffer => {
                self.draw_offer = Some(seat);
                return Vec::new();
            }
            TableAction::DrawDecline => return Vec::new(),
            TableAction::Rematch => {
                self.rematch_offer = Some(seat);
                return Vec::new();
            }
            TableAction::UndoAsk => {
                self.undo_ask = Some(seat);
                return Vec::new();
            }
            TableAction::UndoDecline => {
                self.undo_ask = None;
                return Vec::new();
            }
            TableAction::UndoAccept => {
                if let Ok(length) = self.undo_to(seat.other()) {
                    self.take_back(length, at);
                }
                return Vec::new();
            }
        };
        self.draw_offer = None;
        self.undo_ask = None;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.note(Some(seat), text, 0, true, false, Value::Null, told.clone(), at);
        told
    }

    /// The operator's engine on `seat` plays no further.
    fn failed(&mut self, seat: Seat, why: Failure, at: u64) -> Result<Vec<Told>, Reject> {
        let Some(Some(Player::Bot { level, engine })) = self.players.get_mut(seat.index()) else {
            return Err(Reject::not_available("no engine sits there"));
        };
        let (level, Some(engine)) = (*level, engine.take()) else {
            return Err(Reject::not_available("our own engine sits there"));
        };
        let seat = self.rules().seat_name(seat);
        let event = json!({"kind": "stand-in", "seat": seat, "engine": engine, "why": why, "level": level});
        self.remark(at, Voice::Open, event);
        Ok(Vec::new())
    }

    /// Notes what happened beside the moves.
    fn remark(&mut self, at: u64, voice: Voice, event: Value) {
        let after = self.moves.len();
        self.notes.push(Arc::new(Note {
            after,
            at,
            voice,
            event,
        }));
    }

    /// How many entries stay when `seat` takes back its last submission, declaration, pick or ply.
    fn undo_to(&self, seat: Seat) -> Result<usize, Reject> {
        let mine = |m: &Arc<Move>| m.seat == Some(seat) && m.decided_a_ply();
        let Some(last) = self.moves.iter().rposition(mine) else {
            return Err(Reject::not_available("you have played nothing yet"));
        };
        let before = match last {
            0 => self.disclosed_at_start,
            _ => self.moves[last - 1].disclosures,
        };
        if self.play.disclosures() != before {
            return Err(Reject::not_available("a face was told or turned since"));
        }
        Ok(last)
    }

    /// Plays the first `length` entries again from the start.
    fn take_back(&mut self, length: usize, at: u64) {
        let setup = Setup {
            fen: self.opening.fen.as_deref(),
            seed: self.opening.seed,
        };
        let Ok(mut play) = self.rules().start(&setup) else {
            unreachable!("it has started before")
        };
        self.moves.truncate(length);
        self.played = SeatSet::EMPTY;
        for m in &self.moves {
            let told = match (m.seat, m.of_table) {
                (Some(seat), false) => play.act(seat, &m.text).unwrap_or_default(),
                (Some(seat), true) => {
                    let ending = if m.text == "resign" {
                        Ending::Resign
                    } else {
                        Ending::Agreement
                    };
                    play.conclude(seat, ending)
                }
                (None, _) => play.close(m.seed),
            };
            self.played = mark_played(self.played, &*play, &told);
        }
        self.play = play;
        self.undo_ask = None;
        self.draw_offer = None;
        self.wind(at);
    }

    fn notation(&self, seat: Seat, text: &str) -> Value {
        let written = |name: &&'static str| {
            let line = self.play.notate(seat, text, name).ok().flatten()?;
            Some(((*name).to_owned(), Value::from(line)))
        };
        Value::Object(self.rules().notations().iter().filter_map(written).collect())
    }

    #[expect(clippy::too_many_arguments, reason = "one call makes one entry of the record")]
    fn note(
        &mut self,
        seat: Option<Seat>,
        text: String,
        seed: u64,
        of_table: bool,
        secret: bool,
        notation: Value,
        told: Vec<Told>,
        at: u64,
    ) {
        self.played = mark_played(self.played, &*self.play, &told);
        let viewers = (0..self.players.len() as u8).map(|s| Viewer::Seat(Seat(s)));
        let seen = viewers.chain([Viewer::Spectator, Viewer::Truth]).map(|viewer| {
            let view = self.play.view(viewer).into_json();
            (view["fen"].clone(), view["check"].clone())
        });
        // Only boards are replayed position by position.
        let seen: Vec<_> = if self.players.len() == 2 {
            seen.collect()
        } else {
            vec![(Value::Null, Value::Null); self.players.len() + 2]
        };
        if told.iter().any(|t| t.kind() == "game") && self.outcome().is_none() {
            self.clock = Clock::new(self.clock.control());
            self.draw_offer = None;
            self.undo_ask = None;
        }
        if told.iter().any(|t| t.kind() == "phase") {
            self.aside_since = None;
        }
        let (ply, disclosures) = (self.play.ply(), self.play.disclosures());
        self.moves.push(Arc::new(Move {
            seat,
            text,
            seed,
            of_table,
            secret,
            told,
            disclosures,
            notation,
            seen,
            ply,
        }));
        self.wind(at);
    }

    fn column(&self, viewer: Viewer) -> usize {
        match viewer {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Spectator => self.players.len(),
            Viewer::Truth => self.players.len() + 1,
        }
    }

    /// Sets the clocks to what is owed now; they start when all seats are taken.
    fn wind(&mut self, at: u64) {
        let begun = self.begun();
        let pace = if begun { self.play.pace() } else { Pace::Stopped };
        self.clock.run(
            if let Pace::Clock(seat) = pace {
                Some(seat)
            } else {
                None
            },
            at,
        );
        self.aside_since = match pace {
            Pace::Aside | Pace::Phase(_) => self.aside_since.or(Some(at)),
            Pace::Clock(_) | Pace::Stopped => None,
        };
    }
}

fn too_long() -> Reject {
    Reject::malformed(format!("an action is at most {LONGEST_ACTION} bytes long"))
}

/// Adds the seats whose plies are among the events.
fn mark_played(mut played: SeatSet, play: &dyn Play, told: &[Told]) -> SeatSet {
    for event in told.iter().filter(|t| t.kind() == "ply") {
        let event = event.with_audience();
        if let Some(seat) = play.rules().seat(&event["seat"]) {
            played.insert(seat);
        }
    }
    played
}
