//! A table in memory: check, append to the log, apply, tell everybody.

use crate::app::{App, new_table_id, to_i64, to_u64};
use crate::guest::Guest;
use crate::metrics::count;
use crate::problem::Problem;
use crate::time::Time;
use rand::RngExt;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use xinqi_kernel::{Reject, Seat};
use xinqi_store::{Append, Appended, NewTable};
use xinqi_table::{Entry, Host, Opening, Player, Table, What};

/// One command frame.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Command {
    /// The client's own id of the command.
    pub(crate) id: String,
    /// The action.
    #[serde(rename = "do")]
    pub(crate) text: String,
    /// The seat it is for, where the guest holds several.
    #[serde(default)]
    pub(crate) seat: Option<Value>,
}

/// A table in memory.
///
/// Architecture invariant: what `table` shows is always a prefix of the log on disk, whole entries applied in order.
/// A new entry is tried on a copy; the copy is shown only after the entry has been written.
pub(crate) struct Live {
    id: String,
    writer: tokio::sync::Mutex<Writer>,
    table: watch::Sender<Arc<Table>>,
    presence: Mutex<Present>,
    time: Arc<dyn Time>,
    /// The last entry of the log that `table` holds.
    seq: AtomicI64,
    /// Whether another node wrote the last entry that was written while the table was in memory.
    follows: AtomicBool,
}

/// Who is connected, and since when whoever was is not.
struct Present {
    /// How many connections each guest has here.
    here: HashMap<Guest, usize>,
    left: HashMap<Guest, u64>,
    /// Since when the table is in memory: before that nobody is known to have been away.
    since: u64,
}

/// What whoever writes needs to know of the log.
struct Writer {
    seq: i64,
    at: u64,
    /// The ids of the commands in the log, with whose they are.
    applied: HashSet<String>,
}

/// What a command comes to.
enum Step {
    /// It is so already.
    Nothing,
    Write(What),
    /// A rematch of both sides' consent: the new table begins with the entry.
    Rematch(Opening, Vec<Option<Player>>),
}

impl Live {
    /// Folds the log of table `id`, and credits the time that no server ran meanwhile.
    pub(crate) async fn load(app: &App, id: &str) -> Result<Live, Problem> {
        let log = app.store.read(id, 1).await?;
        if log.is_empty() {
            return Err(Problem::no_table());
        }
        let entries: Vec<Entry> = log.iter().map(read_entry).collect::<Result<_, _>>()?;
        let writer = Writer {
            seq: log.last().map_or(0, |e| e.seq),
            at: entries.last().map_or(0, |e| e.at),
            applied: entries.iter().filter_map(|e| e.id.clone()).collect(),
        };
        let live = Live {
            id: id.to_owned(),
            writer: tokio::sync::Mutex::new(writer),
            table: watch::Sender::new(Arc::new(Table::fold(&entries)?)),
            presence: Mutex::new(Present {
                here: HashMap::new(),
                left: HashMap::new(),
                since: app.time.now(),
            }),
            time: app.time.clone(),
            seq: AtomicI64::new(log.last().map_or(0, |e| e.seq)),
            follows: AtomicBool::new(false),
        };
        live.credit_outage(app).await?;
        Ok(live)
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The place in the log of the last entry that it holds.
    pub(crate) fn seq(&self) -> i64 {
        self.seq.load(Ordering::Relaxed)
    }

    /// Whether another node has written what was last written, so that its bots are at work there.
    pub(crate) fn follows(&self) -> bool {
        self.follows.load(Ordering::Relaxed)
    }

    /// Whether nobody is connected.
    pub(crate) fn is_deserted(&self) -> bool {
        self.present().here.is_empty()
    }

    /// Takes up what other nodes have written, where there are others.
    pub(crate) async fn look(&self, app: &App) -> Result<(), Problem> {
        if app.bus.is_some() {
            let mut writer = self.writer.lock().await;
            self.catch_up(app, &mut writer).await?;
        }
        Ok(())
    }

    /// The table as it is, and a notice of every change of it or of who is here.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Table>> {
        self.table.subscribe()
    }

    /// The table as it is.
    pub(crate) fn table(&self) -> Arc<Table> {
        self.table.borrow().clone()
    }

    /// A guest has connected; undone when the answer is dropped.
    pub(crate) fn arrive(self: &Arc<Self>, guest: &Guest) -> Presence {
        *self.present().here.entry(guest.clone()).or_default() += 1;
        self.table.send_modify(|_| ());
        Presence {
            live: self.clone(),
            guest: guest.clone(),
        }
    }

    /// Whether the person with this id is connected.
    pub(crate) fn is_here(&self, id: &str) -> bool {
        self.present().here.keys().any(|guest| guest.0 == id)
    }

    /// Since when the person with this id is not connected; `None` when it is.
    pub(crate) fn away_since(&self, id: &str) -> Option<u64> {
        let present = self.present();
        if present.here.keys().any(|guest| guest.0 == id) {
            return None;
        }
        let left = present.left.iter().find(|(guest, _)| guest.0 == id);
        Some(left.map_or(present.since, |(_, at)| *at))
    }

    /// When a seat may take over from the host; `None` while the host is here.
    pub(crate) fn host_lapses(&self, table: &Table) -> Option<u64> {
        let since = self.away_since(&table.host()?.id)?;
        Some(since + table.patience())
    }

    /// Does what `guest` asks. On disk when this returns; asked again with the same id it does nothing more.
    pub(crate) async fn command(&self, app: &App, guest: &Guest, command: &Command) -> Result<(), Problem> {
        let id = format!("{}:{}", guest.0, command.id);
        let mut writer = self.writer.lock().await;
        loop {
            if writer.applied.contains(&id) {
                return Ok(());
            }
            if self.close_if_overdue(app, &mut writer).await? {
                continue;
            }
            match self.attempt(app, &mut writer, &id, guest, command).await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                // It may have been judged by what other nodes have left behind.
                Err(_) if app.bus.is_some() && self.catch_up(app, &mut writer).await? => {}
                Err(problem) => return Err(problem),
            }
        }
    }

    /// Judges and writes a command; `false` when somebody else has written meanwhile.
    async fn attempt(
        &self,
        app: &App,
        writer: &mut Writer,
        id: &str,
        guest: &Guest,
        command: &Command,
    ) -> Result<bool, Problem> {
        let (what, then) = match self.judge(app, guest, command).await? {
            Step::Nothing => return Ok(true),
            Step::Write(what) => (what, None),
            Step::Rematch(opening, players) => {
                let table = new_table(app, opening, players)?;
                (
                    What::Rematched {
                        table: table.id.clone(),
                    },
                    Some(Box::new(table)),
                )
            }
        };
        let written = self.write(app, writer, Some(id), what, then).await? == Appended::Written;
        if written {
            count(&app.metrics.commands);
        }
        Ok(written)
    }

    /// What a bot has come to, unless the table has moved on since.
    pub(crate) async fn bot_acts(&self, app: &App, seen: &Arc<Table>, what: What) -> Result<(), Problem> {
        let mut writer = self.writer.lock().await;
        if !Arc::ptr_eq(seen, &self.table()) || self.close_if_overdue(app, &mut writer).await? {
            return Ok(());
        }
        let counter = match what {
            What::Failed { .. } => &app.metrics.engine_failures,
            _ => &app.metrics.bot_decisions,
        };
        if self.write(app, &mut writer, None, what, None).await? == Appended::Written {
            count(counter);
        }
        Ok(())
    }

    /// Closes what has run out of time.
    pub(crate) async fn close_overdue(&self, app: &App) -> Result<(), Problem> {
        let mut writer = self.writer.lock().await;
        self.close_if_overdue(app, &mut writer).await.map(|_| ())
    }

    async fn close_if_overdue(&self, app: &App, writer: &mut Writer) -> Result<bool, Problem> {
        let now = app.time.now().max(writer.at);
        let overdue = self.table().deadline().is_some_and(|deadline| deadline <= now);
        if overdue {
            let seed = rand::rng().random();
            // Taken or written, the table has changed.
            let _ = self.write(app, writer, None, What::Closed { seed }, None).await?;
        }
        Ok(overdue)
    }

    async fn credit_outage(&self, app: &App) -> Result<(), Problem> {
        let mut writer = self.writer.lock().await;
        if self.table().deadline().is_none() {
            return Ok(());
        }
        let now = app.time.now();
        let away = app.store.outage_between(to_i64(writer.at), to_i64(now)).await?;
        if away > 0 {
            let what = What::Credited { ms: to_u64(away) };
            // Taken: another server was quicker to credit it.
            let _ = self.write(app, &mut writer, None, what, None).await?;
        }
        Ok(())
    }

    /// What the command comes to at the table as it is.
    async fn judge(&self, app: &App, guest: &Guest, command: &Command) -> Result<Step, Problem> {
        let table = self.table();
        let text = command.text.trim();
        if let Some(place) = text.strip_prefix("join") {
            return join(app, &table, guest, place.trim()).await;
        }
        if let Some(step) = self.judge_room(app, &table, guest, text).await? {
            return Ok(step);
        }
        let seat = acting_seat(&table, guest, command.seat.as_ref())?;
        let words: Vec<&str> = text.split_whitespace().collect();
        if words == ["rematch"] && table.outcome().is_some() && table.rematch().is_none() {
            let other = seat.other();
            let consents = table.rematch_offer() == Some(other)
                || match &table.players()[other.index()] {
                    Some(Player::Human { id, .. }) => *id == guest.0,
                    Some(Player::Bot { .. }) => true,
                    None => false,
                };
            if consents {
                let opening = Opening {
                    seed: rand::rng().random(),
                    ..table.opening().clone()
                };
                let players = table.players().iter().rev().cloned().collect();
                return Ok(Step::Rematch(opening, players));
            }
        }
        Ok(Step::Write(What::Acted {
            seat: seat.0,
            text: text.to_owned(),
        }))
    }

    /// What a command comes to that belongs to the table of many seats and not to its game; `None`: it is none such.
    async fn judge_room(
        &self,
        app: &App,
        table: &Table,
        guest: &Guest,
        text: &str,
    ) -> Result<Option<Step>, Problem> {
        let Some(host) = table.host() else { return Ok(None) };
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let by = || guest.0.clone();
        let what = match word {
            "chat" => {
                if !app.limits.talk(guest) {
                    return Err(Problem::too_fast());
                }
                What::Spoke {
                    by: by(),
                    name: name_of(app, guest).await?,
                    text: rest.to_owned(),
                }
            }
            "listen" if rest.is_empty() => What::Asked {
                by: by(),
                name: name_of(app, guest).await?,
            },
            "take-over" if rest.is_empty() => {
                if self.host_lapses(table).is_none_or(|at| at > app.time.now()) {
                    return Err(Problem::not_available(
                        "the host has not been away for long enough",
                    ));
                }
                What::TookOver { by: by() }
            }
            "rematch" if rest.is_empty() && table.outcome().is_some() && table.rematch().is_none() => {
                if host.id != guest.0 {
                    return Err(Problem::not_available("the host opens the next game"));
                }
                return Ok(Some(again(table)));
            }
            _ if table.is_host_word(word) => What::Hosted {
                by: by(),
                text: text.to_owned(),
            },
            _ => return Ok(None),
        };
        Ok(Some(Step::Write(what)))
    }

    /// Tries the next entry on a copy of the table, writes it, then shows the copy.
    async fn write(
        &self,
        app: &App,
        writer: &mut Writer,
        id: Option<&str>,
        what: What,
        then: Option<Box<NewTable>>,
    ) -> Result<Appended, Problem> {
        let entry = Entry {
            at: app.time.now().max(writer.at),
            id: id.map(str::to_owned),
            what,
        };
        let mut next = Table::clone(&self.table());
        next.apply(&entry)?;
        let player = match &entry.what {
            What::Joined {
                player: Player::Human { id, .. },
                ..
            } => Some(id.clone()),
            _ => None,
        };
        let append = Append {
            table: self.id.clone(),
            entry: written_entry(writer.seq + 1, &entry)?,
            due: due(&next, entry.at),
            player,
            then,
        };
        let appended = app.store.append(append).await?;
        match appended {
            Appended::Written => {
                writer.note(&entry);
                self.show(writer, next, false);
                if let Some(bus) = &app.bus {
                    bus.tell(&self.id, writer.seq);
                }
            }
            Appended::Taken => {
                if !self.catch_up(app, writer).await? {
                    tracing::error!(
                        table = self.id,
                        seq = writer.seq,
                        "an entry was refused, but its place is free"
                    );
                    return Err(Problem::not_available(
                        "the table could not be written to: try again",
                    ));
                }
            }
        }
        Ok(appended)
    }

    /// Shows the table as it is after what has been written, here or by another node.
    fn show(&self, writer: &Writer, table: Table, follows: bool) {
        self.seq.store(writer.seq, Ordering::Relaxed);
        self.follows.store(follows, Ordering::Relaxed);
        self.table.send_replace(Arc::new(table));
    }

    /// Applies what others have written to the log; `false` when there is nothing.
    async fn catch_up(&self, app: &App, writer: &mut Writer) -> Result<bool, Problem> {
        let later = app.store.read(&self.id, writer.seq + 1).await?;
        if later.is_empty() {
            return Ok(false);
        }
        let mut next = Table::clone(&self.table());
        for stored in later {
            let entry = read_entry(&stored)?;
            // As in a fold: what the table refuses does nothing, on every server alike.
            let _ = next.apply(&entry);
            writer.note(&entry);
        }
        self.show(writer, next, true);
        Ok(true)
    }

    fn present(&self) -> std::sync::MutexGuard<'_, Present> {
        self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writer {
    fn note(&mut self, entry: &Entry) {
        self.seq += 1;
        self.at = entry.at;
        self.applied.extend(entry.id.clone());
    }
}

/// A guest's connection, as the table counts it.
pub(crate) struct Presence {
    live: Arc<Live>,
    guest: Guest,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut present = self.live.present();
        if let Some(connections) = present.here.get_mut(&self.guest) {
            *connections -= 1;
            if *connections == 0 {
                present.here.remove(&self.guest);
                present.left.insert(self.guest.clone(), self.live.time.now());
            }
        }
        drop(present);
        self.live.table.send_modify(|_| ());
    }
}

/// The next game of a table of many seats: the host and the bots sit where they sat, people come by the link. Cards
/// are dealt anew, from the usual start.
fn again(table: &Table) -> Step {
    let stays = |player: &Player| match player {
        Player::Human { id, .. } => table.host().is_some_and(|host| host.id == *id),
        Player::Bot { .. } => true,
    };
    let players = table.players().iter();
    let players = players.map(|player| player.clone().filter(stays)).collect();
    let opening = Opening {
        seed: rand::rng().random(),
        fen: None,
        host: table.host().cloned(),
        ..table.opening().clone()
    };
    Step::Rematch(opening, players)
}

/// The seats that `guest` holds.
pub(crate) fn seats_of(table: &Table, guest: &Guest) -> Vec<Seat> {
    let held = |player: &Option<Player>| matches!(player, Some(Player::Human { id, .. }) if *id == guest.0);
    let seats = (0..).map(Seat).zip(table.players());
    seats
        .filter(|(_, player)| held(player))
        .map(|(seat, _)| seat)
        .collect()
}

/// A new table that `players` sit at, checked and ready to be written; other seats are open.
pub(crate) fn new_table(
    app: &App,
    opening: Opening,
    players: Vec<Option<Player>>,
) -> Result<NewTable, Problem> {
    let at = app.time.now();
    let mut table = Table::open(opening.clone())?;
    let host = table.host().map(|host| host.id.clone());
    let entry = |what| Entry { at, id: None, what };
    let mut entries = vec![entry(What::Opened(opening))];
    for (seat, player) in (0..).zip(players) {
        if let Some(player) = player {
            let joined = entry(What::Joined { seat, player });
            table.apply(&joined)?;
            entries.push(joined);
        }
    }
    let humans = table
        .players()
        .iter()
        .flatten()
        .filter_map(|player| match player {
            Player::Human { id, .. } => Some(id.clone()),
            Player::Bot { .. } => None,
        });
    let mut humans: Vec<String> = humans.collect();
    humans.extend(host.filter(|host| !humans.contains(host)));
    Ok(NewTable {
        id: new_table_id(),
        at: to_i64(at),
        due: due(&table, at),
        players: humans,
        entries: entries
            .iter()
            .map(|e| written_entry(0, e).map(|e| e.text))
            .collect::<Result<_, _>>()?,
    })
}

/// When the server must look at the table by itself.
fn due(table: &Table, now: u64) -> Option<i64> {
    match crate::bots::due(table) {
        true => Some(to_i64(now)),
        false => table.deadline().map(to_i64),
    }
}

async fn join(app: &App, table: &Table, guest: &Guest, place: &str) -> Result<Step, Problem> {
    let mine = seats_of(table, guest);
    let open: Vec<Seat> = (0..)
        .map(Seat)
        .zip(table.players())
        .filter(|(_, player)| player.is_none())
        .map(|(seat, _)| seat)
        .collect();
    let rules = table.rules();
    let asked = match place {
        "any" => None,
        name => {
            let name = name
                .parse::<u64>()
                .map_or_else(|_| Value::from(name), Value::from);
            let seat = rules.seat(&name);
            Some(seat.ok_or_else(|| Problem::malformed("join: any, or a seat of this table"))?)
        }
    };
    if let Some(&seat) = mine.first() {
        return match asked {
            Some(other) if other != seat && !mine.contains(&other) => {
                Err(Problem::not_available("you sit on another seat"))
            }
            _ => Ok(Step::Nothing),
        };
    }
    let seat = match asked {
        Some(seat) if open.contains(&seat) => seat,
        Some(_) => return Err(Problem::not_available("the seat is taken")),
        None => *open
            .first()
            .ok_or_else(|| Problem::not_available("all seats are taken"))?,
    };
    Ok(Step::Write(What::Joined {
        seat: seat.0,
        player: human(app, guest).await?,
    }))
}

/// The guest as a player, under the present name.
pub(crate) async fn human(app: &App, guest: &Guest) -> Result<Player, Problem> {
    Ok(Player::Human {
        id: guest.0.clone(),
        name: name_of(app, guest).await?,
    })
}

/// The guest as a host, under the present name.
pub(crate) async fn host(app: &App, guest: &Guest) -> Result<Host, Problem> {
    Ok(Host {
        id: guest.0.clone(),
        name: name_of(app, guest).await?,
    })
}

async fn name_of(app: &App, guest: &Guest) -> Result<String, Problem> {
    Ok(app.store.name(&guest.0).await?.unwrap_or_default())
}

/// The seat a command is for: the one named, the only one held, or of two held the one to act.
pub(crate) fn acting_seat(table: &Table, guest: &Guest, named: Option<&Value>) -> Result<Seat, Problem> {
    let mine = seats_of(table, guest);
    if let Some(name) = named {
        let seat = table.rules().seat(name);
        let seat = seat.ok_or_else(|| Problem::malformed("\"seat\" names no seat of this table"))?;
        return match mine.contains(&seat) {
            true => Ok(seat),
            false => Err(not_seated("you do not hold this seat")),
        };
    }
    match mine.as_slice() {
        [] => Err(not_seated("you do not play at this table")),
        &[seat] => Ok(seat),
        several => {
            let to_act = table.play().turn().seats();
            Ok(several
                .iter()
                .copied()
                .find(|s| to_act.contains(*s))
                .unwrap_or(several[0]))
        }
    }
}

fn not_seated(message: &str) -> Problem {
    Problem::new(axum::http::StatusCode::FORBIDDEN, "not-seated", message)
}

fn read_entry(stored: &xinqi_store::Entry) -> Result<Entry, Problem> {
    serde_json::from_str(&stored.text).map_err(|error| {
        tracing::error!(%error, seq = stored.seq, "an entry of a log cannot be read");
        Problem::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            "unreadable",
            "this table's log cannot be read",
        )
    })
}

fn written_entry(seq: i64, entry: &Entry) -> Result<xinqi_store::Entry, Problem> {
    let text = serde_json::to_string(entry).map_err(|error| Reject::malformed(error.to_string()))?;
    Ok(xinqi_store::Entry {
        seq,
        at: to_i64(entry.at),
        text,
    })
}
