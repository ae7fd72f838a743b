//! The calls over HTTP.

use crate::address::Address;
use crate::app::App;
use crate::bus::Bus;
use crate::guest::Guest;
use crate::live::{acting_seat, host, human, new_table, seats_of};
use crate::problem::Problem;
use crate::wire::{view, viewer};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use rand::RngExt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use xinqi_kernel::{Kind, OptionSpec, Seat, Setup, Turn, Viewer};
use xinqi_table::{Opening, Player};

/// Longest name, in characters.
const LONGEST_NAME: usize = 24;
/// The level of our own engine that goes on where one of the operator's fails.
const STAND_IN: u8 = 10;
/// Longest body that is read.
pub(crate) const LONGEST_BODY: usize = 16 * 1024;
/// Longest position text.
const LONGEST_FEN: usize = 4096;
/// Most plies that a stateless position is asked for with.
const MOST_PLIES: usize = 600;
/// Most tables in my list.
const MOST_TABLES: i64 = 50;

/// A JSON body; what cannot be read is answered like every other error.
pub(crate) struct Body<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|error| Problem::new(error.status(), "malformed", error.body_text()))?;
        let read = serde_json::from_slice(&bytes);
        read.map(Body)
            .map_err(|error| Problem::malformed(format!("the body cannot be read: {error}")))
    }
}

type Answer = Result<Json<Value>, Problem>;

pub(crate) async fn me(State(app): State<App>, guest: Guest) -> Answer {
    let name = app.store.name(&guest.0).await?.unwrap_or_default();
    Ok(Json(json!({"name": name})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name {
    name: String,
}

pub(crate) async fn rename(State(app): State<App>, guest: Guest, Body(body): Body<Name>) -> Answer {
    let name = body.name.trim();
    fit_for_a_name(name).map_err(Problem::malformed)?;
    app.store.set_name(&guest.0, name).await?;
    Ok(Json(json!({"name": name})))
}

/// Whether people may be shown `name` as one.
///
/// # Errors
/// It is too long, or has control characters or such as turn the direction of the text around them.
pub(crate) fn fit_for_a_name(name: &str) -> Result<(), String> {
    let unfit = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    match name.chars().count() > LONGEST_NAME || name.chars().any(unfit) {
        true => Err(format!(
            "a name is at most {LONGEST_NAME} characters long, without control characters"
        )),
        false => Ok(()),
    }
}

pub(crate) async fn rules() -> Json<Value> {
    let listing = |l: xinqi_registry::Listing| {
        let options: Vec<Value> = l.options.iter().map(option).collect();
        json!({
            "id": l.id, "zh": l.zh, "en": l.en, "mechanism": l.mechanism, "base": l.base, "options": options,
        })
    };
    Json(xinqi_registry::list().into_iter().map(listing).collect())
}

fn option(spec: &OptionSpec) -> Value {
    let mut option = Map::new();
    option.insert("key".to_owned(), spec.key.into());
    option.insert("default".to_owned(), spec.default.into());
    let kind = match spec.kind {
        Kind::Bool => "bool",
        Kind::Int { .. } => "int",
        Kind::Odd { .. } => "odd",
        Kind::Choice(_) => "choice",
        Kind::Text { .. } => "text",
    };
    option.insert("kind".to_owned(), kind.into());
    match spec.kind {
        Kind::Int { min, max } | Kind::Odd { min, max } => {
            option.insert("min".to_owned(), min.into());
            option.insert("max".to_owned(), max.into());
        }
        Kind::Choice(words) => {
            option.insert("words".to_owned(), words.into());
        }
        Kind::Bool | Kind::Text { .. } => {}
    }
    Value::Object(option)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    rules: String,
    #[serde(default)]
    fen: Option<String>,
}

pub(crate) async fn check(State(app): State<App>, Body(body): Body<Check>) -> Answer {
    let rules = start(&body.rules, body.fen.as_deref())?.rules();
    let engines: Vec<&str> = app.engines.names(rules.text()).collect();
    Ok(Json(json!({"rules": rules.text(), "engines": engines})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    rules: String,
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    plies: Vec<String>,
}

/// A position that belongs to no table, with what its side may play.
pub(crate) async fn position(Body(body): Body<Position>) -> Answer {
    if body.plies.len() > MOST_PLIES {
        return Err(Problem::malformed(format!("at most {MOST_PLIES} plies")));
    }
    let mut play = start(&body.rules, body.fen.as_deref())?;
    for (n, text) in body.plies.iter().enumerate() {
        let seat = play.turn().seats().iter().next().unwrap_or(Seat::FIRST);
        play.act(seat, text)
            .map_err(|reject| Problem::malformed(format!("ply {} ({text:?}): {reject}", n + 1)))?;
    }
    let hints = match play.turn() {
        Turn::Ply(seat) => play.hints(seat).into_json(),
        Turn::Choice(_) | Turn::Over => json!([]),
    };
    Ok(Json(json!({
        "family": play.rules().family(),
        "view": play.view(Viewer::Spectator).into_json(),
        "hints": hints,
    })))
}

fn start(rules: &str, fen: Option<&str>) -> Result<Box<dyn xinqi_registry::Play>, Problem> {
    if fen.is_some_and(|fen| fen.len() > LONGEST_FEN) {
        return Err(Problem::malformed(format!(
            "a position is at most {LONGEST_FEN} bytes long"
        )));
    }
    let rules = xinqi_registry::parse(rules).map_err(|error| Problem::malformed(error.to_string()))?;
    let setup = Setup { fen, seed: 0 };
    rules
        .start(&setup)
        .map_err(|error| Problem::malformed(error.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    rules: String,
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    clock: Option<String>,
    #[serde(default)]
    seat: Option<Value>,
    opponent: Opponent,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Opponent {
    /// Whoever opens the link.
    Link {},
    /// Our own engine.
    Bot { level: u8 },
    /// An engine of the operator's.
    Engine { name: String },
    /// The same person plays both sides.
    Hotseat {},
}

pub(crate) async fn create(
    State(app): State<App>,
    guest: Guest,
    address: Address,
    Body(body): Body<NewGame>,
) -> Answer {
    if !app.limits.table(address) {
        return Err(Problem::too_fast());
    }
    let game = start(&body.rules, body.fen.as_deref())?.rules();
    let many = game.seats() > 2;
    let random = || Seat(rand::rng().random_range(0..game.seats() as u8));
    let seat = match body.seat.as_ref().and_then(Value::as_str) {
        Some("random") => Some(random()),
        // At a table of many seats who opens it may keep order without playing.
        Some("none") if many => None,
        _ => match &body.seat {
            None => Some(random()),
            Some(name) => Some(game.seat(name).ok_or_else(|| {
                Problem::malformed(format!("\"seat\": {name} is neither a seat nor \"random\""))
            })?),
        },
    };
    let me = human(&app, &guest).await?;
    let others = match body.opponent {
        Opponent::Link {} => None,
        Opponent::Bot {
            level: level @ 1..=10,
        } => Some(Player::bot(level)),
        Opponent::Bot { .. } => return Err(Problem::malformed("\"level\" is from 1 to 10")),
        Opponent::Engine { name } if app.engines.find(&name, game.text()).is_some() => Some(Player::Bot {
            level: STAND_IN,
            engine: Some(name),
        }),
        Opponent::Engine { name } => {
            let names: Vec<&str> = app.engines.names(game.text()).collect();
            let known = match names.is_empty() {
                true => "none".to_owned(),
                false => names.join(", "),
            };
            let message = format!("there is no engine {name:?} for {}; known: {known}", game.text());
            return Err(Problem::malformed(message));
        }
        Opponent::Hotseat {} if many => {
            return Err(Problem::malformed(
                "one person cannot play all seats of this game",
            ));
        }
        Opponent::Hotseat {} => Some(me.clone()),
    };
    let player = |n: u8| match Some(Seat(n)) == seat {
        true => Some(me.clone()),
        false => others.clone(),
    };
    let host = match many {
        true => Some(host(&app, &guest).await?),
        false => None,
    };
    let opening = Opening {
        rules: game.text().to_owned(),
        fen: body.fen,
        seed: rand::rng().random(),
        clock: body.clock.unwrap_or_else(|| "none".to_owned()),
        host,
    };
    let players = (0..game.seats() as u8).map(player).collect();
    let table = new_table(&app, opening, players)?;
    let id = table.id.clone();
    app.store.create(table).await?;
    // A bot that begins is woken at once.
    app.table(&id).await?;
    Ok(Json(json!({"table": id})))
}

pub(crate) async fn my_tables(State(app): State<App>, guest: Guest) -> Answer {
    let mut rows = Vec::new();
    for id in app.store.tables_of(&guest.0, MOST_TABLES).await? {
        let Ok(live) = app.table(&id).await else {
            continue;
        };
        let table = live.table();
        let rules = table.rules();
        let mine = seats_of(&table, &guest);
        let view = view(&table, viewer(&table, &guest));
        let to_act = if view.is_null() {
            json!([])
        } else {
            view["to_act"].clone()
        };
        let opponent = (0..)
            .map(Seat)
            .zip(table.players())
            .filter(|(seat, _)| !mine.contains(seat))
            .find_map(|(_, player)| player.as_ref());
        let opponent = match opponent {
            None => Value::Null,
            Some(Player::Human { name, .. }) => json!({"kind": "human", "name": name}),
            Some(Player::Bot {
                engine: Some(name), ..
            }) => json!({"kind": "bot", "name": name}),
            Some(Player::Bot { level, .. }) => json!({"kind": "bot", "level": level}),
        };
        let you = match mine.as_slice() {
            [] => Value::Null,
            &[seat] => rules.seat_name(seat),
            _ => "both".into(),
        };
        rows.push(json!({
            "table": id,
            "rules": rules.text(),
            "family": rules.family(),
            "you": you,
            "to_act": to_act,
            "result": view["result"],
            "opponent": opponent,
            "ply": view["ply"],
            "fen": view["fen"],
        }));
    }
    Ok(Json(rows.into()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judged {
    #[serde(rename = "do")]
    text: String,
    #[serde(default)]
    seat: Option<Value>,
}

/// Whether the asker could do this now, and if not, why: what a page says beside an answer that it dims. Nothing is done.
pub(crate) async fn judge(
    State(app): State<App>,
    guest: Guest,
    Path(id): Path<String>,
    Body(body): Body<Judged>,
) -> Answer {
    let table = app.table(&id).await?.table();
    let seat = acting_seat(&table, &guest, body.seat.as_ref())?;
    let refused = table.judge(seat, body.text.trim()).err();
    let refused = refused.map(|reject| json!({"code": reject.code.as_str(), "message": reject.message}));
    Ok(Json(json!({"refused": refused})))
}

/// The record: whole once the game is over; before that what the asker may see of it.
pub(crate) async fn record(State(app): State<App>, guest: Guest, Path(id): Path<String>) -> Answer {
    let live = app.table(&id).await?;
    let table = live.table();
    if table.outcome().is_some() {
        return Ok(Json(table.record()));
    }
    let (_, log) = table.log(table.reader(&guest.0, viewer(&table, &guest)), 0);
    let actions = log.iter().filter(|e| e.get("text").is_some());
    let actions: Vec<Value> = actions.map(|e| json!([e["seat"], e["text"]])).collect();
    Ok(Json(json!({
        "format": "xinqi-record", "version": 1, "rules": table.rules().text(), "tags": table.tags(),
        "actions": actions, "result": null,
    })))
}

pub(crate) async fn metrics(State(app): State<App>) -> String {
    let bus = app.bus.as_ref().map(Bus::is_connected);
    app.metrics.text(app.tables_held(), bus)
}
