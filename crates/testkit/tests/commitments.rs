//! Commitments that meet what was not foreseen (premove.md, pool.md): what comes of them, with positions of each game.

use serde_json::{Value, json};
use xinqi_kernel::{Seat, Setup, Viewer};
use xinqi_testkit::rules;

/// A case: rules, position, who sent what in turn, and what the spectator's view then holds.
struct Case {
    what: &'static str,
    rules: &'static str,
    fen: Option<&'static str>,
    sent: &'static [(Seat, &'static str)],
    view: Value,
}

const FIRST: Seat = Seat::FIRST;
const SECOND: Seat = Seat::SECOND;

/// Red's rook on a0 is gone: his dark rooks may turn up.
const ROOK_LOST: &str = "{rn}{nr}bakab{nc}{rc}/9/1{cr}5{cn}1/p1p1p1p1p/9/9/P1P1P1P1P/1{CR}5{CN}1/9/1{NR}BAKAB{NC}{RC} w 0.0,0.0 - 0 1";

/// What is owed for ply `from` on.
fn owes(seat: &str, from: u32, to: u32) -> Value {
    json!({"seat": seat, "from": from, "to": to})
}

fn failed(seat: &str, ply: u32, text: &str) -> Value {
    json!({"ply": ply, "seat": seat, "text": text})
}

fn check(cases: Vec<Case>) {
    for case in cases {
        let setup = Setup {
            fen: case.fen,
            seed: 0,
        };
        let mut play = rules(case.rules).start(&setup).unwrap();
        for (seat, text) in case.sent {
            if let Err(error) = play.act(*seat, text) {
                panic!("{}: {text}: {error}", case.what);
            }
        }
        let view = play.view(Viewer::Spectator).into_json();
        for (key, expected) in case.view.as_object().unwrap() {
            assert_eq!(&view[key], expected, "{}: {key}", case.what);
        }
    }
}

#[test]
fn premoves() {
    check(vec![
        Case {
            what: "mate with queues pending ends the game",
            rules: "premove(xiangqi)",
            fen: Some("3k5/9/9/9/9/4R4/9/9/9/R3K4 w - - 0 1"),
            sent: &[(FIRST, "a0a1 e4d4"), (SECOND, "d9d8 d8e8 e8d8")],
            view: json!({
                "result": {"win": "first", "reason": "checkmate"}, "owes": null,
                "queues": {"first": [], "second": [[4, "d8e8"], [6, "e8d8"]]}
            }),
        },
        Case {
            what: "a premove that leaves the kings facing fails",
            rules: "premove(xiangqi)",
            fen: Some("4k4/9/9/9/4n4/4N4/9/9/9/R3K4 w - - 0 1"),
            sent: &[(FIRST, "a0a1 e4c5"), (SECOND, "e5c4 c4e3 e3c4")],
            view: json!({
                "failed": failed("first", 3, "e4c5"), "owes": owes("first", 3, 5),
                "queues": {"first": [], "second": []}
            }),
        },
        Case {
            what: "promotion, then castling",
            rules: "premove(chess)",
            fen: Some("4k3/P7/8/8/8/8/8/4K2R w K - 0 1"),
            sent: &[(FIRST, "a7a8q e1g1"), (SECOND, "e8d7 d7c7 c7d7")],
            view: json!({"fen": "Q7/2k5/8/8/8/8/8/5RK1 w - - 3 3", "failed": null}),
        },
        Case {
            what: "castling, then promotion",
            rules: "premove(chess)",
            fen: Some("4k3/P7/8/8/8/8/8/4K2R w K - 0 1"),
            sent: &[(FIRST, "e1g1 a7a8q"), (SECOND, "e8d7 d7c7 c7d7")],
            view: json!({"fen": "Q7/2k5/8/8/8/8/8/5RK1 w - - 1 3", "failed": null}),
        },
        Case {
            what: "a piece is dropped that was not yet in hand",
            rules: "premove(shogi)",
            fen: Some("4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1"),
            sent: &[(FIRST, "5f5e P*1e"), (SECOND, "5a4a 4a5a 5a4a")],
            view: json!({"fen": "4k4/9/9/9/4P3P/9/9/9/4K4 b - 5", "failed": null}),
        },
        Case {
            what: "a drop that has become nifu fails",
            rules: "premove(shogi)",
            fen: Some("4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1"),
            sent: &[(FIRST, "5f5e P*5d"), (SECOND, "5a4a 4a5a 5a4a")],
            view: json!({"failed": failed("first", 3, "P*5d"), "owes": owes("first", 3, 5)}),
        },
        Case {
            what: "an occupied point is free once its stone has been taken",
            rules: "premove(go(size=5))",
            fen: Some("5/5/5/B4/W4 b"),
            sent: &[(FIRST, "b1 a1"), (SECOND, "pass pass pass")],
            view: json!({"fen": "5/5/5/B4/BB3 b 1 1,0", "failed": null}),
        },
        Case {
            what: "an occupied point that stays occupied fails",
            rules: "premove(go(size=5))",
            fen: Some("5/5/5/B4/W4 b"),
            sent: &[(FIRST, "e5 a1"), (SECOND, "pass pass pass")],
            view: json!({"failed": failed("first", 3, "A1"), "owes": owes("first", 3, 5)}),
        },
        Case {
            what: "committed passes end a game of Go",
            rules: "premove(go(size=5))",
            fen: None,
            sent: &[(FIRST, "c3 pass"), (SECOND, "pass pass pass")],
            view: json!({"result": {"win": "first", "reason": "score"}, "owes": null}),
        },
        Case {
            what: "a committed flip turns the face up, and spends its rights",
            rules: "premove(qixi)",
            fen: Some(ROOK_LOST),
            sent: &[(FIRST, "c3c4 b0=R"), (SECOND, "c6c5 b9c7 c7b9")],
            view: json!({
                "fen": "{r?}1bakab{n?}{r?}/9/1{c?}{n?}4{c?}1/p3p1p1p/2p6/2P6/P3P1P1P/1{C?}5{C?}1/9/1{RN}BAKAB{N?}{R?} w 2.1,0.0 - 1 3",
                "failed": null
            }),
        },
        Case {
            what: "a committed flip to a face that is not there fails",
            rules: "premove(qixi)",
            fen: Some(ROOK_LOST),
            sent: &[(FIRST, "c3c4 b0=C"), (SECOND, "c6c5 b9c7 c7b9")],
            view: json!({"failed": failed("first", 3, "b0=C"), "owes": owes("first", 3, 5)}),
        },
    ]);
}

/// Nothing in Red's pool can be played when it is due: the three forms of `spent`.
#[test]
fn a_pool_of_impossible_plies() {
    const DECLARED: [(Seat, &str); 2] = [
        (FIRST, "h2e2 | a0e5 a0e6 a0e7 a0e8 a0e9"),
        (SECOND, "h7e7 | a9a8 b9c7 c6c5 e6e5 i9i8"),
    ];
    const AGAIN: (Seat, &str) = (FIRST, "b2b4 | a0a1 a0a2 b0c2 c0e2 c3c4");
    let black = ["a9a8", "b9c7", "c6c5", "e6e5", "i9i8"];
    let impossible = ["a0e5", "a0e6", "a0e7", "a0e8", "a0e9"];
    let red = ["a0a1", "a0a2", "b0c2", "c0e2", "c3c4"];
    check(vec![
        Case {
            what: "reward: both pools are void, Red declares anew and Black owes one free ply",
            rules: "pool(xiangqi, spent=reward)",
            fen: None,
            sent: &[DECLARED[0], DECLARED[1], AGAIN],
            view: json!({
                "pools": {"first": red, "second": []}, "picks": null,
                "owes": {"seat": "second", "kind": "free", "for": "second"}
            }),
        },
        Case {
            what: "redeclare: Red declares anew, Black's pool stands",
            rules: "pool(xiangqi, spent=redeclare)",
            fen: None,
            sent: &[DECLARED[0], DECLARED[1], AGAIN],
            view: json!({
                "pools": {"first": red, "second": black}, "picks": black,
                "owes": {"seat": "second", "kind": "pick", "for": "second"}
            }),
        },
        Case {
            what: "free: Red plays one free ply, both pools stand",
            rules: "pool(xiangqi, spent=free)",
            fen: None,
            sent: &[DECLARED[0], DECLARED[1], (FIRST, "b2b4")],
            view: json!({
                "pools": {"first": impossible, "second": black}, "picks": black,
                "owes": {"seat": "second", "kind": "pick", "for": "second"}
            }),
        },
    ]);
}
