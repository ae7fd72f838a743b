//! Every row of the example file.

use crate::table::{Table, printed};
use serde_json::{Value, json};

fn rows() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/examples/mafia.jsonl");
    let text = std::fs::read_to_string(path).expect("the example file");
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"));
    rows.collect()
}

/// The rows write results with camp letters.
fn result_of(expect: &Value) -> Value {
    let mut result = expect["result"].clone();
    if let Some(win) = result.get_mut("win") {
        *win = match win.as_str() {
            Some("W") => json!("white"),
            _ => json!("black"),
        };
    }
    result
}

fn play(table: &mut Table, actions: &Value) -> Vec<Value> {
    let mut events = Vec::new();
    for action in actions.as_array().expect("a list of actions") {
        let seat = action[0].as_u64().expect("a seat") as u8;
        let told = table.must(seat, action[1].as_str().expect("a text"));
        events.extend(told.iter().map(printed));
    }
    events
}

/// What of a night's expectations the contract fixes.
fn compare(table: &Table, expect: &Value, events: &[Value], name: &str) {
    let truth = table.truth();
    for key in ["dead", "jailed", "tally", "cursed", "pardoned", "promotes"] {
        if let Some(want) = expect.get(key) {
            assert_eq!(&truth["resolved"][key], want, "{name}: {key}");
        }
    }
    compare_public(table, expect, events, name);
}

fn compare_public(table: &Table, expect: &Value, events: &[Value], name: &str) {
    let truth = table.truth();
    assert_eq!(table.result(), result_of(expect), "{name}: result");
    for key in ["kings", "living"] {
        if let Some(want) = expect.get(key) {
            assert_eq!(&truth[key], want, "{name}: {key}");
        }
    }
    let mut secrets: Vec<Value> = Vec::new();
    for event in events {
        let to = &event["to"][0];
        secrets.extend(match event["kind"].as_str().expect("a kind") {
            "role" => Some(json!([to, "role", event["seat"], event["role"]])),
            "castled" if event.get("role").is_some() => Some(json!([to, "castled", event["role"]])),
            "promotion" if event.get("due").is_some() => Some(json!([to, "promotion-due"])),
            _ => None,
        });
    }
    let sorted = |mut list: Vec<Value>| {
        list.sort_by_key(Value::to_string);
        list
    };
    let want = expect["secrets"].as_array().cloned().unwrap_or_default();
    assert_eq!(sorted(secrets), sorted(want), "{name}: secrets");
}

#[test]
fn worked_and_random_nights() {
    let mut seen = 0;
    for row in rows() {
        if row["kind"] == "game" {
            continue;
        }
        let name = row["name"].as_str().expect("a name");
        let mut table = Table::new(&[], &row["state"].to_string());
        let mut events = play(&mut table, &row["orders"]);
        // A night in which all answered has closed by itself.
        if table.truth().get("resolved").is_none() {
            events.extend(table.close().iter().map(printed));
        }
        compare(&table, &row["expect"], &events, name);
        seen += 1;
    }
    assert_eq!(
        seen, 16,
        "the ten worked nights in their variants, and three random ones"
    );
}

#[test]
fn games() {
    let mut seen = 0;
    for row in rows() {
        if row["kind"] != "game" {
            continue;
        }
        let options: Vec<(String, String)> = row["options"]
            .as_object()
            .expect("options")
            .iter()
            .map(|(k, v)| (k.clone(), v.as_str().map_or_else(|| v.to_string(), str::to_owned)))
            .collect();
        let options: Vec<(&str, &str)> = options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let mut table = Table::new(&options, row["deal_text"].as_str().expect("a deal"));
        for phase in row["phases"].as_array().expect("phases") {
            let name = format!("{} {} {}", row["name"], phase["phase"], phase["n"]);
            let before = table.truth();
            assert_eq!(before["phase"], phase["phase"], "{name}");
            assert_eq!(before["day"], phase["n"], "{name}");
            let mut events = play(&mut table, &phase["actions"]);
            if phase["close"] == json!(true) {
                assert_eq!(table.truth()["phase"], phase["phase"], "{name}: closed too soon");
                events.extend(table.close().iter().map(printed));
            }
            let expect = &phase["expect"];
            if phase["phase"] == "night" {
                compare(&table, expect, &events, &name);
            } else {
                compare_public(&table, expect, &events, &name);
                let executed = events.iter().find(|e| e["kind"] == "executed");
                let chosen = executed.map_or(Value::Null, |e| e["seat"].clone());
                assert_eq!(chosen, expect["chosen"], "{name}: chosen");
            }
        }
        assert_eq!(table.result(), result_of(&row), "{}", row["name"]);
        seen += 1;
    }
    assert_eq!(seen, 1);
}
