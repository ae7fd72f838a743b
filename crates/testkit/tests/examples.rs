//! The examples of `examples/`: what an independent program answered.

use serde_json::{Value, json};
use xinqi_kernel::{Seat, Setup, Viewer};
use xinqi_registry::{Play, Told};
use xinqi_table::{Opening, Table};

fn rows(text: &'static str) -> impl Iterator<Item = Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("an example is JSON"))
}

fn open(row: &Value) -> Table {
    let text = |key: &str| row[key].as_str().map(str::to_owned);
    let opening = Opening {
        rules: text("rules").unwrap(),
        fen: text("fen"),
        seed: 0,
        clock: "none".to_owned(),
        host: None,
    };
    Table::open(opening).unwrap_or_else(|e| panic!("{}: {e}", row["note"]))
}

fn truth(table: &Table) -> Value {
    table.view(Viewer::Truth).into_json()
}

#[test]
fn legal() {
    for row in rows(include_str!("../examples/legal.jsonl")) {
        let note = format!("{} {}", row["rules"], row["note"]);
        let table = open(&row);
        let play: &dyn Play = table.play();
        let seat = play.turn().seats().iter().next().unwrap();
        assert_eq!(json!(play.legal(seat)), row["legal"], "{note}");
        assert_eq!(truth(&table)["fen"], row["fen"], "{note}");
        assert_eq!(truth(&table)["check"], row["check"], "{note}");
        if let Some(nodes) = row["perft2"].as_u64() {
            let counted: u64 = play.perft(2).unwrap().iter().map(|(_, n)| n).sum();
            assert_eq!(counted, nodes, "{note}");
        }
    }
}

/// Checks one game against its steps; `also` looks at what the mechanism adds.
fn follow(row: &Value, also: impl Fn(&Value, &Table, &[Value])) {
    let mut table = open(row);
    let steps = row["expect"]["steps"].as_array().unwrap();
    for (i, (action, step)) in row["do"].as_array().unwrap().iter().zip(steps).enumerate() {
        let note = format!("{} {} step {i} {action}", row["rules"], row["note"]);
        let seat = table.rules().seat(&action[0]).unwrap();
        let text = action[1].as_str().unwrap();
        let done = table.act(seat, text, 0);
        assert_eq!(json!(done.is_ok()), step["ok"], "{note}: {:?}", done.err());
        match done {
            Err(error) => {
                let codes = step["code"].as_array().unwrap();
                assert!(codes.contains(&error.code.as_str().into()), "{note}: {error}");
            }
            Ok(told) => {
                let events: Vec<Value> = told.iter().map(Told::with_audience).collect();
                if let Some(text) = step.get("text") {
                    let ply = events.iter().find(|e| e["kind"] == "ply").unwrap();
                    assert_eq!(&ply["text"], text, "{note}");
                    assert_eq!(truth(&table)["check"], step["check"], "{note}");
                }
                if let Some(dark) = step.get("dark") {
                    let told: Vec<Value> = events
                        .iter()
                        .filter(|e| e["kind"] == "dark")
                        .map(|e| {
                            let to = if e["to"] == "all" {
                                e["to"].clone()
                            } else {
                                e["to"][0].clone()
                            };
                            json!({"to": to, "point": e["point"], "upper": e["upper"], "dark": e["dark"]})
                        })
                        .collect();
                    assert_eq!(&json!(told), dark, "{note}");
                }
                also(step, &table, &events);
            }
        }
        for (viewer, expected) in step["views"].as_object().into_iter().flatten() {
            let who = match viewer.as_str() {
                "first" => Viewer::Seat(Seat::FIRST),
                "second" => Viewer::Seat(Seat::SECOND),
                "spectator" => Viewer::Spectator,
                _ => Viewer::Truth,
            };
            let view = table.view(who).into_json();
            assert_eq!(view["fen"], expected["fen"], "{note}: {viewer}");
            if let Some(possible) = expected.get("possible") {
                assert_eq!(&view["possible"], possible, "{note}: {viewer}");
            }
        }
        if step["fen"].is_string() {
            assert_eq!(truth(&table)["fen"], step["fen"], "{note}");
        }
        if let Some(result) = step.get("result") {
            assert_eq!(&truth(&table)["result"], result, "{note}");
        }
    }
}

#[test]
fn games() {
    for row in rows(include_str!("../examples/games.jsonl")) {
        follow(&row, |_, _, _| {});
        if row["twin"].is_array() {
            assert_eq!(received(&row, "do"), received(&row, "twin"), "{}", row["note"]);
        }
    }
}

/// All that the row's seat receives while the actions under `key` are played.
fn received(row: &Value, key: &str) -> String {
    let mut table = open(row);
    let viewer = Viewer::Seat(table.rules().seat(&row["seat"]).unwrap());
    let Viewer::Seat(own) = viewer else { unreachable!() };
    let mut all = String::new();
    for action in row[key].as_array().unwrap() {
        let seat = table.rules().seat(&action[0]).unwrap();
        let told = table.act(seat, action[1].as_str().unwrap(), 0).unwrap();
        for event in told.iter().filter_map(|t| t.seen_by(viewer)) {
            all += &event.json().to_string();
        }
        all += &table.view(viewer).json().to_string();
        all += &format!(
            "{:?} {}\n",
            table.play().legal(own),
            table.play().hints(own).json()
        );
    }
    all
}

fn played(events: &[Value]) -> Value {
    let plies = events.iter().filter(|e| e["kind"] == "ply");
    plies
        .map(|e| json!({"ply": e["ply"], "seat": e["seat"], "text": e["text"]}))
        .collect()
}

fn refused(row: &Value) -> bool {
    let Some(named) = row["expect"]["rules_error"].as_str() else {
        return false;
    };
    let error = xinqi_registry::parse(row["rules"].as_str().unwrap())
        .err()
        .expect("it is refused");
    assert!(error.to_string().contains(named), "{error}");
    true
}

#[test]
fn premove() {
    for row in rows(include_str!("../examples/premove.jsonl")).filter(|row| !refused(row)) {
        follow(&row, |step, table, events| {
            let view = truth(table);
            assert_eq!(played(events), step["plies"], "{}", row["note"]);
            let failed = events.iter().find(|e| e["kind"] == "failed");
            let failed = failed.map(|e| json!({"ply": e["ply"], "seat": e["seat"], "text": e["text"]}));
            assert_eq!(failed.unwrap_or(Value::Null), step["failed"], "{}", row["note"]);
            assert_eq!(view["owes"], step["owes"], "{}", row["note"]);
            if view["result"].is_null() {
                assert_eq!(view["queues"], step["queues"], "{}", row["note"]);
            }
        });
    }
}

#[test]
fn pool() {
    for row in rows(include_str!("../examples/pool.jsonl")) {
        follow(&row, |step, table, events| {
            let view = truth(table);
            assert_eq!(played(events), step["plies"], "{}", row["note"]);
            let spent: Value = events
                .iter()
                .filter(|e| e["kind"] == "pool" && e["candidates"] == json!([]))
                .map(|e| e["seat"].clone())
                .collect();
            assert_eq!(spent, step["spent"], "{}", row["note"]);
            assert_eq!(view["owes"], step["owes"], "{}", row["note"]);
            assert_eq!(view["picks"], step["picks"], "{}", row["note"]);
            if view["result"].is_null() {
                assert_eq!(view["pools"], step["pools"], "{}", row["note"]);
            }
        });
    }
}

#[test]
fn starts_are_playable() {
    for listing in xinqi_registry::list().iter().filter(|l| l.base) {
        let rules = xinqi_registry::parse(listing.id).unwrap();
        let fen = rules.usual_position();
        assert!(rules.start(&Setup { fen, seed: 0 }).is_ok(), "{}", listing.id);
    }
}
