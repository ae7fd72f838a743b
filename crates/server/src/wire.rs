//! The state as it is sent to one viewer.

use crate::guest::Guest;
use crate::live::{Live, seats_of};
use serde_json::{Map, Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use xinqi_kernel::{Seat, Setup, Viewer, Voice};
use xinqi_table::{Player, Table};

/// What one connection has been sent, so that it is sent nothing twice and nothing that it may not know.
#[derive(Default)]
pub(crate) struct Sent {
    /// The last state, without its log and without what only the passing of time changes.
    state: Value,
    /// A hash of each entry of the log.
    log: Vec<u64>,
}

/// Who looks: the guest's seat; one who plays both sides looks with the one to act.
pub(crate) fn viewer(table: &Table, guest: &Guest) -> Viewer {
    if table.outcome().is_some() {
        return Viewer::Truth;
    }
    match seats_of(table, guest).as_slice() {
        [] => Viewer::Spectator,
        &[seat] => Viewer::Seat(seat),
        several => {
            let to_act = table.play().turn().seats();
            Viewer::Seat(
                several
                    .iter()
                    .copied()
                    .find(|s| to_act.contains(*s))
                    .unwrap_or(several[0]),
            )
        }
    }
}

impl Sent {
    /// The state for `guest`; `None` when nothing has changed for this viewer since the last one.
    pub(crate) fn next(&mut self, live: &Live, table: &Arc<Table>, guest: &Guest, now: u64) -> Option<Value> {
        let viewer = viewer(table, guest);
        let mut state = shown(live, table, guest, viewer, now);
        let steady = without_time(&state, now);
        let (_, log) = table.log(table.reader(&guest.0, viewer), 0);
        let hashes: Vec<u64> = log.iter().map(hash).collect();
        if steady == self.state && hashes == self.log {
            return None;
        }
        let same = hashes.iter().zip(&self.log).take_while(|(a, b)| a == b).count();
        state.insert("log_from".to_owned(), same.into());
        state.insert("log".to_owned(), log.into_iter().skip(same).collect());
        *self = Sent {
            state: steady,
            log: hashes,
        };
        Some(Value::Object(state))
    }
}

fn shown(live: &Live, table: &Table, guest: &Guest, viewer: Viewer, now: u64) -> Map<String, Value> {
    let rules = table.rules();
    let name = |seat: Seat| rules.seat_name(seat);
    let mine = seats_of(table, guest);
    let you = match mine.as_slice() {
        [] => Value::Null,
        &[seat] => name(seat),
        _ => "both".into(),
    };
    let seats = (0..)
        .map(Seat)
        .zip(table.players())
        .map(|(seat, player)| match player {
            None => json!({"seat": name(seat), "name": "", "kind": "open", "here": false}),
            Some(Player::Human { id, name: given }) => {
                let here = live.is_here(id);
                let muted = table.muted().contains(seat).then_some(true);
                json!({"seat": name(seat), "name": given, "kind": "human", "here": here, "muted": muted})
            }
            Some(Player::Bot {
                engine: Some(engine), ..
            }) => {
                json!({"seat": name(seat), "name": engine, "kind": "bot", "here": true})
            }
            Some(Player::Bot { level, .. }) => {
                json!({"seat": name(seat), "name": "", "kind": "bot", "level": level, "here": true})
            }
        });
    let offers = [
        ("draw", table.draw_offer()),
        ("undo", table.undo_ask()),
        ("rematch", table.rematch_offer()),
    ];
    let offers = offers
        .into_iter()
        .filter_map(|(kind, by)| Some(json!({"kind": kind, "by": name(by?)})));
    let hints = match viewer {
        Viewer::Seat(_) if !dealt(table) => json!([]),
        Viewer::Seat(seat) => table.play().hints(seat).into_json(),
        Viewer::Spectator | Viewer::Truth => json!([]),
    };
    let state = json!({
        "table": live.id(),
        "now": now,
        "rules": rules.text(),
        "family": rules.family(),
        "seats": seats.collect::<Vec<_>>(),
        "you": you,
        "clock": clock(table, now),
        "deadline": table.deadline(),
        "offers": offers.collect::<Vec<_>>(),
        "rematch": table.rematch(),
        "start": start(table),
        "room": room(live, table, guest),
        "view": view(table, viewer),
        "hints": hints,
    });
    match state {
        Value::Object(state) => state,
        _ => Map::new(),
    }
}

/// Whether the game shows anything yet: with many seats nobody sees a card, or who is King, before all are taken.
fn dealt(table: &Table) -> bool {
    table.host().is_none() || table.begun()
}

/// The view; null while the cards are not dealt.
pub(crate) fn view(table: &Table, viewer: Viewer) -> Value {
    match dealt(table) {
        true => table.view(viewer).into_json(),
        false => Value::Null,
    }
}

/// What a table of many seats has besides its game, as `guest` may see it; null at others.
fn room(live: &Live, table: &Table, guest: &Guest) -> Value {
    let Some(host) = table.host() else {
        return Value::Null;
    };
    let of_host = Guest(host.id.clone());
    let seat = seats_of(table, &of_host)
        .first()
        .map(|&seat| table.rules().seat_name(seat));
    let is_me = host.id == guest.0;
    let asking = table.asking().filter(|_| is_me);
    json!({
        "begun": table.begun(),
        "paused": table.paused(),
        "host": {"seat": seat, "name": host.name, "you": is_me, "lapses": live.host_lapses(table)},
        "voice": table.voice(&guest.0).map(|voice| match voice {
            Voice::Open => "open",
            Voice::Dead => "dead",
        }),
        "listening": table.listening(&guest.0),
        "asking": asking.map(|(n, name)| json!({"n": n, "name": name})).collect::<Vec<_>>(),
    })
}

/// The position that the game began from, as everybody may see it.
fn start(table: &Table) -> Value {
    let opening = table.opening();
    let setup = Setup {
        fen: opening.fen.as_deref(),
        seed: opening.seed,
    };
    let view = table
        .rules()
        .start(&setup)
        .map(|play| play.view(Viewer::Spectator).into_json());
    view.map_or(Value::Null, |view| view["fen"].clone())
}

fn clock(table: &Table, now: u64) -> Value {
    let (control, running) = table.running();
    let mut clock = Map::new();
    let mut periods = Map::new();
    for seat in [Seat::FIRST, Seat::SECOND] {
        let Some((left, periods_left)) = table.clock(seat, now) else {
            return Value::Null;
        };
        let name = match seat {
            Seat::FIRST => "first",
            _ => "second",
        };
        clock.insert(name.to_owned(), left.into());
        periods.insert(name.to_owned(), periods_left.into());
    }
    clock.insert("text".to_owned(), control.to_string().into());
    clock.insert(
        "running".to_owned(),
        running.map_or(Value::Null, |s| table.rules().seat_name(s)),
    );
    clock.insert("periods".to_owned(), periods.into());
    Value::Object(clock)
}

/// The state with a running clock's time replaced by what does not change while it runs.
fn without_time(state: &Map<String, Value>, now: u64) -> Value {
    let mut steady = state.clone();
    steady.remove("now");
    if let Some(Value::Object(clock)) = steady.get_mut("clock")
        && let Some(running) = clock.get("running").and_then(Value::as_str).map(str::to_owned)
        && let Some(left) = clock.get(&running).and_then(Value::as_u64)
    {
        clock.insert(running, (left + now).into());
    }
    Value::Object(steady)
}

fn hash(entry: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    entry.hash(&mut hasher);
    hasher.finish()
}
