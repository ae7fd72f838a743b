//! The rows of the examples that are zuyi's: positions with their plies, games with every answer.

use super::{legal, load, play, start, to_move, zuyi};
use serde_json::{Value, json};
use xinqi_kernel::{Code, Game, Outcome, Reject, Seat, Tree, Turn, perft};

fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/../testkit/examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["rules"] == "zuyi").collect();
    assert!(!rows.is_empty());
    rows
}

fn outcome(outcome: Option<Outcome>) -> Value {
    match outcome {
        None => Value::Null,
        Some(Outcome::Win(seat, reason)) => {
            json!({"win": zuyi().seat_name(seat), "reason": reason.as_str()})
        }
        Some(Outcome::Draw(reason)) => json!({"draw": reason.as_str()}),
        Some(Outcome::Void(reason)) => json!({"void": reason.as_str()}),
    }
}

#[test]
fn positions_have_the_plies_of_the_examples() {
    for row in rows("legal.jsonl") {
        let game = zuyi();
        let state = row["fen"].as_str().map_or_else(start, |fen| load(fen).unwrap());
        let mut position = game.position(&state);
        if let Some(counts) = row["perft"].as_array() {
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(json!(perft(&game, &mut position, depth)), *count, "{row}");
            }
            continue;
        }
        assert_eq!(state.fen(), row["fen"]);
        assert_eq!(json!(game.in_check(&position)), row["check"], "{}", row["note"]);
        assert_eq!(json!(legal(&state)), row["legal"], "{}", row["note"]);
        if !row["perft2"].is_null() {
            assert_eq!(
                json!(perft(&game, &mut position, 2)),
                row["perft2"],
                "{}",
                row["note"]
            );
        }
    }
}

#[test]
fn games_go_as_in_the_examples() {
    for row in rows("games.jsonl") {
        let game = zuyi();
        let mut state = row["fen"].as_str().map_or_else(start, |fen| load(fen).unwrap());
        let steps = row["expect"]["steps"].as_array().unwrap();
        for (step, action) in steps.iter().zip(row["do"].as_array().unwrap()) {
            let seat = if action[0] == "first" {
                Seat::FIRST
            } else {
                Seat::SECOND
            };
            let text = action[1].as_str().unwrap();
            let answer = match game.turn(&state) {
                Turn::Over => Err(Reject::new(Code::GameOver, "over")),
                _ if seat != to_move(&state) => Err(Reject::new(Code::NotYourTurn, "not your turn")),
                _ => play(&game, &mut state, text),
            };
            match answer {
                Ok(canonical) => {
                    assert_eq!(step["text"], canonical, "{action}");
                    assert_eq!(
                        step["check"],
                        json!(game.in_check(&game.position(&state))),
                        "{action}"
                    );
                    assert_eq!(step["result"], outcome(game.outcome(&state)), "{action}");
                }
                Err(reject) => {
                    let codes = step["code"]
                        .as_array()
                        .unwrap_or_else(|| panic!("{action}: {reject}"));
                    assert!(codes.contains(&json!(reject.code.as_str())), "{action}: {reject}");
                }
            }
            if !step["fen"].is_null() {
                assert_eq!(step["fen"], state.fen(), "{action}");
            }
        }
        assert_eq!(
            row["expect"]["result"],
            outcome(game.outcome(&state)),
            "{}",
            row["note"]
        );
        assert_eq!(row["expect"]["fen"], state.fen(), "{}", row["note"]);
    }
}
