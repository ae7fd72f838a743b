//! The project's own form: every rule set writes it, reads it back and gives the same game.

use rand::RngExt;
use serde_json::{Value, json};
use xinqi_kernel::rng;
use xinqi_records::{Action, Format, Json, Record, format_of};

/// A random game of `rules`, given up or closed at times.
fn random_game(rules: &str, seed: u64) -> Record {
    let mut record = Record::new(rules, None, seed).unwrap();
    let mut chance = rng(seed);
    for _ in 0..60 {
        let seats: Vec<_> = record.play().turn().seats().iter().collect();
        let Some(&seat) = seats.get(chance.random_range(0..seats.len().max(1))) else {
            break;
        };
        match chance.random_range(0..60) {
            0 if record.rules().seats() == 2 => record.act(seat, "resign").unwrap(),
            1 | 2 => record.close(chance.random()),
            _ => {
                if let Some(text) = record.play().sample(seat, &mut chance) {
                    record.act(seat, &text).unwrap();
                }
            }
        }
    }
    record
}

#[test]
fn every_rule_set_reads_back() {
    let plain = xinqi_registry::list().into_iter().filter(|l| !l.mechanism);
    let over = ["premove", "pool", "pool-opponent"].map(|m| format!("{m}(gomoku(size=9))"));
    for rules in plain.map(|l| l.id.to_owned()).chain(over) {
        for seed in 0..5 {
            let record = random_game(&rules, seed);
            let text = Json.write(&record).unwrap().text;
            let read = Json
                .read(text.as_bytes())
                .unwrap_or_else(|e| panic!("{rules}: {e}: {text}"));
            assert!(read.lost.is_empty());
            assert_eq!(read.record.actions(), record.actions());
            assert_eq!(read.record.result(), record.result());
            assert_eq!(Json.write(&read.record).unwrap().text, text);
        }
    }
}

#[test]
fn what_is_no_record_is_named() {
    let good = json!({
        "format": "xinqi-record", "version": 1, "rules": "gomoku", "actions": [["first", "h8"], ["second", "resign"]],
        "result": {"win": "first", "reason": "resignation"},
    });
    let read = Json.read(good.to_string().as_bytes()).unwrap();
    assert_eq!(read.record.actions().len(), 2);
    for (key, value, part) in [
        ("format", json!("pgn"), "xinqi-record"),
        ("version", json!(2), "version 2"),
        ("rules", json!("ludo"), "ludo"),
        ("rules", json!(1), "rules 1"),
        ("fen", json!("9/9 b"), "fen"),
        ("seed", json!("x"), "seed"),
        ("tags", json!([]), "tags"),
        ("tags", json!({"first": 1}), "tag \"first\""),
        ("actions", json!({}), "actions"),
        ("actions", json!([["third", "h8"]]), "action 1"),
        ("actions", json!([["first", "h8"], ["second", "h8"]]), "action 2"),
        (
            "actions",
            json!([["first", "resign"], ["second", "resign"]]),
            "action 2",
        ),
        ("actions", json!([{"close": -1}]), "action 1"),
        ("result", Value::Null, "result null"),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        let error = Json.read(bad.to_string().as_bytes()).err().map(|e| e.to_string());
        assert!(
            error.as_ref().is_some_and(|e| e.contains(part)),
            "{bad}: {error:?}"
        );
    }
    let mut more = good.clone();
    more["comment"] = json!("well played");
    let lost = Json.read(more.to_string().as_bytes()).unwrap().lost;
    assert_eq!(lost, ["left out: the field \"comment\""]);
    assert!(Json.read(b"\xff{").is_err());
}

#[test]
fn the_time_that_ran_out_is_part_of_the_game() {
    let mut record = Record::new("go(size=9)", None, 0).unwrap();
    for (seat, ply) in [(0, "E5"), (1, "pass"), (0, "pass")] {
        record.act(xinqi_kernel::Seat(seat), ply).unwrap();
    }
    record.close(7);
    assert_eq!(record.actions().last(), Some(&Action::Close(7)));
    assert_eq!(record.result(), json!({"win": "first", "reason": "score"}));
}

#[test]
fn the_ending_tells_the_format() {
    assert!(format_of("a.game.JSON").is_ok());
    for name in ["game", "game.doc", ".", ""] {
        let error = format_of(name).err().unwrap().to_string();
        assert!(error.contains(".json"), "{error}");
    }
}
