//! `xinqi referee`: a table without a server.

use crate::Failure;
use clap::Args;
use rand::{Rng, RngExt};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use xinqi_kernel::{Code, Reject, Seat, Viewer};
use xinqi_registry::Told;
use xinqi_table::{Opening, Table};

/// `xinqi referee`
#[derive(Args)]
pub(crate) struct Referee {
    /// Rule-set text, such as zuyi or premove(go(size=9), ahead=5)
    ruleset: String,
    /// A position instead of the usual start; for mafia the deal or a night's state
    #[arg(long)]
    fen: Option<String>,
    /// Makes all chance repeatable
    #[arg(long)]
    seed: Option<u64>,
}

impl Referee {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let opening = Opening {
            rules: self.ruleset.clone(),
            fen: self.fen.clone(),
            seed: self.seed.unwrap_or_else(|| rand::rng().random()),
            clock: "none".to_owned(),
            host: None,
        };
        let mut chance = xinqi_kernel::rng(opening.seed);
        let mut table = Table::open(opening).map_err(Failure::usage)?;
        let (mut input, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let answer = match answer(&mut table, &line, &mut chance) {
                Ok(fields) => fields,
                Err(error) => json!({
                    "ok": false, "error": {"code": error.code.as_str(), "message": error.message},
                }),
            };
            writeln!(out, "{answer}")?;
            out.flush()?;
            line.clear();
        }
        Ok(())
    }
}

/// Answers one line.
fn answer(table: &mut Table, line: &[u8], chance: &mut impl Rng) -> Result<Value, Reject> {
    let request: Value = serde_json::from_slice(line)
        .map_err(|e| Reject::malformed(format!("not a JSON object on one line: {e}")))?;
    let Some(request) = request.as_object() else {
        return Err(Reject::malformed("not a JSON object"));
    };
    let seat = |name: &Value| -> Result<Seat, Reject> {
        table
            .rules()
            .seat(name)
            .ok_or_else(|| Reject::malformed(format!("no seat {name}")))
    };
    let keys: Vec<&str> = request.keys().map(String::as_str).collect();
    match keys.as_slice() {
        ["seat", "do"] | ["do", "seat"] => {
            let seat = seat(&request["seat"])?;
            let Some(text) = request["do"].as_str() else {
                return Err(Reject::malformed("do: a text is expected"));
            };
            Ok(events(&table.act(seat, text, 0)?))
        }
        ["view"] => {
            let viewer = match request["view"].as_str() {
                Some("spectator") => Viewer::Spectator,
                Some("truth") => Viewer::Truth,
                _ => Viewer::Seat(seat(&request["view"])?),
            };
            Ok(json!({"ok": true, "view": table.view(viewer)}))
        }
        ["legal"] => Ok(json!({"ok": true, "legal": table.play().legal(seat(&request["legal"])?)})),
        ["hints"] => Ok(json!({"ok": true, "hints": table.play().hints(seat(&request["hints"])?)})),
        ["close"] if request["close"] == true => {
            if table.outcome().is_some() {
                return Err(Reject::new(Code::GameOver, "the game is over"));
            }
            Ok(events(&table.close(chance.random(), 0)))
        }
        ["record"] if request["record"] == true => Ok(json!({"ok": true, "record": table.record()})),
        _ => Err(Reject::malformed(
            "one of {\"seat\",\"do\"}, {\"view\"}, {\"legal\"}, {\"hints\"}, {\"close\":true}, {\"record\":true}",
        )),
    }
}

fn events(told: &[Told]) -> Value {
    let events: Vec<Value> = told.iter().map(Told::with_audience).collect();
    json!({"ok": true, "events": events})
}
