//! Shogi against its rules, other programs' counts, cshogi and python-shogi.

use crate::common::{
    counts, fen, legal, line, mover, play, result, rules, seen, start, start_error, wander, win,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use xinqi_games::shogi::{Action, Shogi, Weights};
use xinqi_kernel::{
    Code, Committable, Ending, Evaluate, Events, Game, Outcome, Reason, Seat, Setup, Tree, Tunable, Viewer,
    Weights as _, perft,
};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// A position with drops, promotions and pins, the crates' usual benchmark.
const TACTICAL: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn shogi() -> Shogi {
    rules(&[])
}

/// The start is the contract's; the others are the field's usual test positions, the last is known for most plies.
#[test]
fn perft_tables() {
    let table: &[(&str, &[u64])] = &[
        ("", &[30, 900, 25_470, 719_731]),
        (TACTICAL, &[207, 28_684, 4_809_015]),
        (
            "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
            &[593, 105_677],
        ),
    ];
    table.iter().for_each(|(fen, nodes)| counts(&shogi(), fen, nodes));
}

/// Every position of the fixture that other programs made.
#[test]
fn agrees_with_peers() {
    let game = shogi();
    let mut positions = 0;
    for row in include_str!("../fixtures/shogi.jsonl").lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let mut state = start(&game, row["start"].as_str().unwrap());
        assert_eq!(fen(&game, &state), row["start"]);
        let told: Vec<_> = row["plies"].as_str().unwrap().split(' ').collect();
        let mut expected = row["positions"].as_array().unwrap().iter().peekable();
        for (n, text) in told.iter().enumerate() {
            if let Some(at) = expected.next_if(|at| at["ply"] == n) {
                agree(&game, &state, at);
                positions += 1;
            }
            play(&game, &mut state, text);
        }
        assert_eq!(fen(&game, &state), row["fen"]);
        assert_eq!(
            result(&game, &state) != Value::Null,
            row["over"],
            "{}",
            row["fen"]
        );
    }
    assert!(positions > 120);
}

fn agree(game: &Shogi, state: &<Shogi as Game>::State, at: &Value) {
    let seat = mover(game, state);
    assert_eq!(fen(game, state), at["fen"]);
    assert_eq!(seen(game, state, "check"), at["check"]);
    assert_eq!(legal(game, state).join(" "), at["legal"], "{}", at["fen"]);
    for (text, kif) in at["kif"].as_object().unwrap() {
        let ply = game.parse(state, seat, text).unwrap();
        assert_eq!(game.notate(state, seat, &ply, "kif").as_deref(), kif.as_str());
    }
}

/// C-9 and its kind: which drops and pushes of a pawn may mate, with kings missing or not.
#[test]
fn uchifuzume() {
    let table = [
        ("8k/9/7+R1/9/9/9/9/9/9 b P 1", "P*1b", false),
        ("8k/9/7+R1/9/9/9/9/9/K8 b P 1", "P*1b", false),
        ("8k/9/7+R1/9/9/9/9/9/9 b L 1", "L*1b", true),
        ("7gk/9/8R/9/9/9/9/9/K8 b P 1", "P*1b", true),
        ("8k/9/8G/9/9/9/9/9/K8 b P 1", "P*1b", true),
        ("8k/9/7+RP/9/9/9/9/9/K8 b - 1", "1c1b", true),
        // Not only the first square of a bitboard: the same in the other corner, and for gote.
        ("k8/9/1+R7/9/9/9/9/9/9 b P 1", "P*9b", false),
        ("9/9/9/9/9/9/1+r7/9/K8 w p 1", "P*9h", false),
        ("9/9/9/9/9/9/7+r1/9/8K w p 1", "P*1h", false),
        // The pawn answers a check and would mate: the rook that gave the check is pinned itself.
        ("4k4/3r4K/2B1NG3/9/9/9/9/9/9 b P 1", "P*5b", false),
        ("4k4/3r4K/4NG3/9/9/9/9/9/9 b P 1", "P*5b", true),
        // A gold that is pinned cannot take the pawn; one that the pawn itself frees can.
        ("R6gk/9/7G1/7N1/9/9/9/9/9 b P 1", "P*1b", false),
        ("8k/6G2/8g/7NL/9/9/9/9/9 b P 1", "P*1b", true),
    ];
    let game = shogi();
    for (fen, text, expected) in table {
        let state = start(&game, fen);
        let listed = legal(&game, &state).iter().any(|ply| ply == text);
        assert_eq!(listed, expected, "{fen} {text}");
        let seat = mover(&game, &state);
        let checked = game.check(&state, seat, &game.parse(&state, seat, text).unwrap());
        assert_eq!(checked.is_ok(), expected, "{fen} {text}: check");
    }
}

/// A diagram may show the side that is not to move in check (C-9 does); its king is not taken.
#[test]
fn kings_are_never_taken() {
    let game = shogi();
    for (fen, plies) in [
        ("7gk/9/8R/9/9/9/9/9/K8 b P 1", 103),
        ("8k/8G/9/9/9/9/9/9/9 b - 1", 3),
    ] {
        let state = start(&game, fen);
        let texts = legal(&game, &state);
        assert_eq!(
            (texts.len(), game.count(&game.position(&state))),
            (plies, plies as u64),
            "{fen}"
        );
        assert!(!texts.iter().any(|text| text[2..4] == *"1a"), "{texts:?}");
        let taking = game.parse(&state, Seat::FIRST, "1b1a").unwrap();
        assert_eq!(
            game.check(&state, Seat::FIRST, &taking).unwrap_err().code,
            Code::Illegal
        );
    }
}

/// Plies that are legal or not, by rule.
#[test]
fn single_plies() {
    let hand = "4k4/9/9/9/4P4/9/9/9/4K4 b PLNG 1";
    let table = [
        // Nifu, whether it interposes or not; a promoted pawn is none.
        (hand, "P*5d", false),
        (hand, "P*4d", true),
        ("4k4/9/9/9/4+P4/9/9/9/4K4 b P 1", "P*5d", true),
        ("4k4/9/9/9/7P1/9/9/9/r7K b P 1", "P*2i", false),
        ("9/9/9/8P/9/8r/9/9/8K b P 1", "P*1g", false),
        ("9/9/9/9/9/8r/9/9/8K b P 1", "P*1g", true),
        // Drops that could never move.
        (hand, "P*1a", false),
        (hand, "L*1a", false),
        (hand, "N*1a", false),
        (hand, "N*1b", false),
        (hand, "N*1c", true),
        (hand, "P*1b", true),
        (hand, "G*1a", true),
        (hand, "G*5e", false),
        (hand, "S*1e", false),
        // Promotion: into, inside and out of the camp; forced where the piece could never move.
        ("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a", false),
        ("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a+", true),
        ("4k4/9/9/8N/9/9/9/9/4K4 b - 1", "1d2b", false),
        ("4k4/9/9/8N/9/9/9/9/4K4 b - 1", "1d2b+", true),
        ("4k4/9/9/9/8N/9/9/9/4K4 b - 1", "1e2c", true),
        ("4k4/9/9/9/8N/9/9/9/4K4 b - 1", "1e2c+", true),
        ("4k4/9/8S/9/9/9/9/9/4K4 b - 1", "1c2d+", true),
        ("4k4/9/9/8S/9/9/9/9/4K4 b - 1", "1d2e+", false),
        ("4k4/9/9/9/9/9/8r/9/4K4 w - 1", "1g1c+", true),
        // What cannot promote does not.
        ("4k4/9/8G/9/9/9/9/9/4K4 b - 1", "1c1b+", false),
        ("4k4/9/8G/9/9/9/9/9/4K4 b - 1", "1c1b", true),
        ("4k4/9/8+R/9/9/9/9/9/4K4 b - 1", "1c1b+", false),
        ("4k4/8K/9/9/9/9/9/9/9 b - 1", "1b1a+", false),
        ("4k4/8K/9/9/9/9/9/9/9 b - 1", "1b1a", true),
        // A lance in front of a pinned knight; a king may not step into check.
        ("4r3k/9/9/9/4N4/9/9/9/4K4 b - 1", "5e4c", false),
        ("4k4/9/9/9/9/9/9/3r5/4K4 b - 1", "5i4i", true),
        ("4k4/9/9/9/9/9/9/3r5/4K4 b - 1", "5i5h", false),
    ];
    let game = shogi();
    for (fen, text, expected) in table {
        let state = start(&game, fen);
        let seat = mover(&game, &state);
        let checked = game.check(&state, seat, &game.parse(&state, seat, text).unwrap());
        assert_eq!(checked.is_ok(), expected, "{fen} {text}");
        assert_eq!(
            legal(&game, &state).iter().any(|ply| ply == text),
            expected,
            "{fen} {text}"
        );
    }
}

/// C-11: perpetual check is judged over all plies from the first to the fourth occurrence, whoever repeats.
#[test]
fn sennichite() {
    let opening = "5g5f 5c5d 2h5h 5a5b 5f5e 5b5c 5h5f 5c6d";
    let draw = Some(Outcome::Draw(Reason::Repetition));
    let sente_loses = win(Seat::SECOND, Reason::PerpetualCheck);
    let quiet = "7i6h 3a4b 6h7i 4b3a";
    let before_the_check = "lnsg1gsnl/1r5b1/pppp1pppp/3kp4/4P4/2R6/PPPP1PPPP/1B7/LNSGKGSNL b - 13";
    let drops = "ln1skg1nl/1r1sg2b1/ppp1GSppp/3p1p3/9/9/PPPPPPPPP/1B5R1/LN1GK2NL b Sp 1";
    // Start, plies before the cycle, the cycle, how it ends, and after how many plies.
    let table: &[(&str, &str, &str, Option<Outcome>, usize)] = &[
        // The position after the first check comes for the fourth time by a check …
        (
            "",
            &format!("{opening} 5f6f"),
            "6d7d 6f7f 7d6d 7f6f",
            sente_loses,
            21,
        ),
        // … and here the position before it by the king's answer.
        (before_the_check, "", "7f6f 6d7d 6f7f 7d6d", sente_loses, 12),
        // Quiet plies between the first occurrence and the fourth: a draw, though the last eight plies check.
        (
            "",
            &format!("{opening} 5f6f 6d7d 6f7f 7d6d {quiet}"),
            "7f6f 6d7d 6f7f 7d6d",
            draw,
            24,
        ),
        // Checks alternate with quiet drops.
        (drops, "", "4c5b+ 6a5b S*4c S*6a", draw, 13),
        ("", "", "2h3h 8b7b 3h2h 7b8b", draw, 12),
        // Gote checks for ever.
        (
            "4k4/9/9/9/9/9/9/4r4/3K5 w - 1",
            "",
            "5h6h 6i5i 6h5h 5i6i",
            win(Seat::FIRST, Reason::PerpetualCheck),
            12,
        ),
    ];
    let game = shogi();
    for (fen, before, cycle, end, after) in table {
        let mut state = line(&game, fen, before);
        let mut plies = before.split_whitespace().count();
        for text in cycle.split_whitespace().cycle() {
            if game.outcome(&state).is_some() {
                break;
            }
            play(&game, &mut state, text);
            plies += 1;
        }
        assert_eq!(
            (game.outcome(&state), plies),
            (*end, *after),
            "{fen} {before} ({cycle})"
        );
    }
}

/// Mate and no legal ply both lose; also when loaded.
#[test]
fn no_legal_ply_loses() {
    let table = [
        (
            "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
            "G*5b",
            win(Seat::FIRST, Reason::Checkmate),
        ),
        (
            "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
            "",
            win(Seat::FIRST, Reason::Checkmate),
        ),
        // The drop-pawn mate's sister: pushed, it mates.
        (
            "8k/9/7+RP/9/9/9/9/9/K8 b - 1",
            "1c1b",
            win(Seat::FIRST, Reason::Checkmate),
        ),
        (
            "8k/6G2/7G1/9/9/9/9/9/K8 w - 1",
            "",
            win(Seat::FIRST, Reason::Stalemate),
        ),
        ("8k/9/9/9/9/9/9/9/K8 b - 1", "9i9h", None),
    ];
    let game = shogi();
    for (fen, plies, end) in table {
        assert_eq!(game.outcome(&line(&game, fen, plies)), end, "{fen} {plies}");
    }
}

/// The declaration: king and ten more in the camp, not in check, 28 points for sente and 27 for gote.
#[test]
fn declaration() {
    // Ten in the camp with rook and bishop promoted: 18 points there.
    let camp = "K+P+P+P+P4/+P+P+P+P+R4/+B8";
    let rest = "9/9/9/9/9/8k";
    let table = [
        (format!("{camp}/{rest} b RB 1"), true),
        (format!("{camp}/{rest} b 10P 1"), true),
        (format!("{camp}/{rest} b 9P 1"), false),
        (format!("{camp}/{rest} b R4P 1"), false),
        (format!("{camp}/{rest} b R5P 1"), true),
        // What stands outside the camp counts for nothing.
        (format!("{camp}/R8/9/9/9/9/8k b 9P 1"), false),
        // Nine in the camp.
        (format!("K+P+P+P+P4/+P+P+P1+R4/+B8/{rest} b RB9P 1"), false),
        // The king outside, or in check.
        (
            "1+P+P+P+P4/+P+P+P+P+R4/+B8/K8/9/9/9/9/8k b RB9P 1".to_owned(),
            false,
        ),
        (
            "K+P+P+P+P4/1+P+P+P+R4/+B+P7/9/r8/9/9/9/8k b B5P 1".to_owned(),
            true,
        ),
        (
            "K+P+P+P+P4/1+P+P+P+R4/1+B+P6/9/r8/9/9/9/8k b B5P 1".to_owned(),
            false,
        ),
        // Gote needs a point less.
        ("8K/9/9/9/9/9/8+b/4+r+p+p+p+p/4+p+p+p+pk w 9p 2".to_owned(), true),
        ("8K/9/9/9/9/9/8+b/4+r+p+p+p+p/4+p+p+p+pk w 8p 2".to_owned(), false),
    ];
    let game = shogi();
    for (fen, wins) in table {
        let mut state = start(&game, &fen);
        let seat = mover(&game, &state);
        let declare = game.parse(&state, seat, "declare").unwrap();
        assert_eq!(game.text(&state, seat, &declare), "declare");
        let refusal = game
            .check(&state, seat, &declare)
            .err()
            .map(|refusal| refusal.code);
        assert_eq!(refusal, (!wins).then_some(Code::Illegal), "{fen}");
        let late = game.check(&state, seat.other(), &declare).unwrap_err();
        assert_eq!(late.code, Code::NotYourTurn);
        // It is an action at the table, not a ply: never listed, hinted only when it wins, never a premove.
        assert!(!legal(&game, &state).contains(&"declare".to_owned()));
        assert_eq!(
            game.hints(&state, seat).iter().any(|hint| hint.tag == "declare"),
            wins
        );
        if wins {
            let mut events = Events::keep();
            game.apply(&mut state, seat, &declare, &mut events);
            assert_eq!(game.outcome(&state), win(seat, Reason::Impasse));
            assert_eq!(events.into_vec()[0].kind, "declare");
        }
    }
    assert_eq!(game.intent("declare").unwrap_err().code, Code::Malformed);
}

/// Anything but a king can come to be dropped, so only two bare kings are sure to draw when a flag falls.
#[test]
fn flag_fall() {
    let table = [
        (
            "4k4/9/9/9/9/9/9/9/4K4 b - 1",
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
        ("4k4/9/9/9/9/9/9/9/4K4 b p 1", win(Seat::SECOND, Reason::Timeout)),
        (
            "4k4/9/9/4P4/9/9/9/9/4K4 b - 1",
            win(Seat::SECOND, Reason::Timeout),
        ),
    ];
    for (fen, end) in table {
        let game = shogi();
        let mut state = start(&game, fen);
        game.conclude(&mut state, Seat::FIRST, Ending::Timeout, &mut Events::ignore());
        assert_eq!(game.outcome(&state), end, "{fen}");
    }
}

#[test]
fn sfen_is_canonical() {
    let table = [
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", START),
        ("8k/9/9/9/9/9/9/9/9 w", "8k/9/9/9/9/9/9/9/9 w - 2"),
        ("8k/9/9/9/9/9/9/9/9 b pP2r10g4 1", "hands"),
        (
            "8k/9/9/9/9/9/9/9/9 b prR3P1N 40",
            "8k/9/9/9/9/9/9/9/9 b RN3Prp 40",
        ),
        ("1111k/9", "ranks"),
        ("11111111k/9/9/9/9/9/9/9/9 b - 1", "8k/9/9/9/9/9/9/9/9 b - 1"),
    ];
    let game = shogi();
    for (read, written) in table {
        match game.start(&Setup {
            fen: Some(read),
            seed: 0,
        }) {
            Ok(state) => {
                assert_eq!(fen(&game, &state), written);
                assert_eq!(fen(&game, &start(&game, written)), written);
            }
            Err(error) => assert!(error.0.contains(written), "{read}: {error}"),
        }
    }
    assert_eq!(game.ply(&start(&game, "8k/9/9/9/9/9/9/9/9 w")), Some(1));
}

/// Diagrams without kings are playable by either side, with checks and pins as they should be.
#[test]
fn missing_kings() {
    let table = [
        ("8k/9/8G/9/9/9/9/9/9 b - 1", false, 4),
        ("8k/9/8G/9/9/9/9/9/9 w - 1", false, 1),
        ("9/9/9/9/9/9/9/9/9 b - 1", false, 0),
        ("9/9/9/9/4G4/9/9/9/9 w - 1", false, 0),
        ("9/9/9/9/4G4/9/9/9/9 b - 1", false, 6),
        // A rook checks along the file, a lance pins.
        ("8k/9/9/9/9/9/9/9/8R w - 1", true, 2),
        ("8k/9/8s/9/9/9/9/9/8L w - 1", false, 4),
        ("8K/9/8G/9/9/9/9/9/8r b - 1", false, 5),
    ];
    let game = shogi();
    for (fen, check, plies) in table {
        let state = start(&game, fen);
        let position = game.position(&state);
        assert_eq!(
            (game.in_check(&position), game.count(&position)),
            (check, plies),
            "{fen}"
        );
    }
}

#[test]
fn bad_positions_are_named() {
    let table = [
        ("", "0 fields"),
        ("9/9/9/9/9/9/9/9 b - 1", "8 ranks"),
        ("9/9/9/9/9/9/9/9/8 b - 1", "rank i (8) has 8 squares"),
        ("9/9/9/9/9/9/9/9/9P b - 1", "rank i (9P) has 10 squares"),
        ("9/9/9/9/9/9/9/9/8x b - 1", "'x' is no piece"),
        ("9/9/9/9/9/9/9/9/8+G b - 1", "G cannot be promoted"),
        ("9/9/9/9/9/9/9/9/9+ b - 1", "nothing follows the last +"),
        ("9/9/9/9/9/9/9/9/+9 b - 1", "'9' is no piece"),
        ("K7K/9/9/9/9/9/9/9/9 b - 1", "sente has 2 kings"),
        ("P8/9/9/9/9/9/9/9/9 b - 1", "P on 9a could never move"),
        ("9/N8/9/9/9/9/9/9/9 b - 1", "N on 9b could never move"),
        ("9/9/9/9/9/9/9/9/l8 b - 1", "l on 9i could never move"),
        ("9/9/P8/P8/9/9/9/9/9 b - 1", "sente has two pawns on file 9"),
        ("9/9/9/9/9/9/9/9/9 b 3R 1", "3 of R, more than 2"),
        ("9/9/9/9/9/9/9/9/9 b 19P 1", "19 is no number"),
        ("9/9/9/9/9/9/9/9/9 b K 1", "'K' cannot be held"),
        ("9/9/9/9/9/9/9/9/9 b PP 1", "P is given twice"),
        ("9/9/9/9/9/9/9/9/9 b P2 1", "no piece follows"),
        ("9/9/9/9/9/9/9/9/9 x - 1", "side \"x\""),
        ("9/9/9/9/9/9/9/9/9 b - 0", "move number"),
        ("9/9/9/9/9/9/9/9/9 b - 1 1", "5 fields"),
        ("7Kk/9/9/9/9/9/9/9/9 b - 1", "the kings touch"),
        ("8k/7GG/9/9/9/9/9/9/9 w - 1", "no ply could give all these checks"),
    ];
    for (text, said) in table {
        let error = start_error(&shogi(), text);
        assert!(error.contains(said), "{text:?}: {error}");
    }
}

/// Every legal ply of random games is written in KIF and read back, also without its origin where that is plain.
#[test]
fn kif_round_trip() {
    let game = shogi();
    for (fen, seed) in [("", 1), (TACTICAL, 2)] {
        wander(&game, fen, seed, 60, |state| {
            if game.outcome(state).is_some() {
                return;
            }
            let seat = mover(&game, state);
            let mut plies = Vec::new();
            game.actions(state, seat, &mut plies);
            let mut written = std::collections::HashSet::new();
            for ply in plies {
                let kif = game.notate(state, seat, &ply, "kif").unwrap();
                assert_eq!(game.read(state, seat, &kif, "kif"), Ok(ply));
                assert!(written.insert(kif.clone()), "{kif} twice");
                let usi = game.notate(state, seat, &ply, "usi").unwrap();
                assert_eq!(game.read(state, seat, &usi, "usi"), Ok(ply));
            }
        });
    }
}

#[test]
fn kif_by_hand() {
    let game = shogi();
    let table = [
        ("", "", "７六歩(77)", Ok("7g7f")),
        ("", "", "▲7六歩(77)", Ok("7g7f")),
        ("", "", "76歩(77)", Ok("7g7f")),
        ("", "", "７六歩", Ok("7g7f")),
        ("", "7g7f 3c3d", "２二角成(88)", Ok("8h2b+")),
        ("", "7g7f 3c3d", "２二角不成(88)", Ok("8h2b")),
        ("", "7g7f 3c3d 8h2b+", "同　銀(31)", Ok("3a2b")),
        ("", "7g7f 3c3d 8h2b+", "△同銀", Ok("3a2b")),
        ("", "7g7f 3c3d 8h2b+ 3a2b", "５五角打", Ok("B*5e")),
        ("", "7g7f 3c3d 8h2b+ 3a2b", "５五角", Ok("B*5e")),
        // As cshogi writes KI2.
        (
            "9/5r2k/9/9/3S1S3/9/3GGG3/9/3K5 b r 11",
            "",
            "▲５六銀左",
            Ok("6e5f"),
        ),
        (
            "4k4/3+p+p+p3/g2sp4/4s4/7s1/r7r/1+b3K3/9/9 w Bg 25",
            "",
            "△３六飛右",
            Ok("9f3f"),
        ),
        (
            "9/8k/9/2+r3S2/9/3GGK2s/5G3/9/9 b R 33",
            "",
            "▲５五金直",
            Ok("5f5e"),
        ),
        (
            "4k4/3+p+p1+p2/4p4/2s1s1s2/9/2r3r2/4K4/9/9 w B2g 5",
            "",
            "△６三と直",
            Ok("6b6c"),
        ),
        (
            "4r4/8k/9/4S4/5S3/3GG4/4G4/4K4/9 b r 21",
            "",
            "▲４六金上",
            Ok("5g4f"),
        ),
        (
            "9/8k/1+r7/9/5S3/3GG4/5G3/3K5/9 b Rs 27",
            "",
            "▲５七金引",
            Ok("5f5g"),
        ),
        (
            "9/1+S7/9/8k/3G1S3/2G3G2/8K/9/9 b 2R 37",
            "",
            "▲６六金寄",
            Ok("7f6f"),
        ),
        (
            "8k/9/2+R1+R4/9/3S1S3/3G5/3G1G3/5K3/9 b - 5",
            "",
            "▲５六金左上",
            Ok("6g5f"),
        ),
        (
            "1r7/6k2/2+R6/9/3S1S3/4G4/3GG4/9/5K3 b - 9",
            "",
            "▲６六金右上",
            Ok("5g6f"),
        ),
        (
            "9/8k/4+R4/4S1S2/5G3/6G2/3G5/5K3/3+R5 b - 15",
            "",
            "▲４三銀右不成",
            Ok("3d4c"),
        ),
        (
            "1+R6R/6k2/4S4/9/4GS3/9/4GG3/2K6/9 b - 37",
            "",
            "▲４四銀引成",
            Ok("5c4d+"),
        ),
        (
            "9/2r6/9/4SS1k1/9/5G3/3GG4/9/5K3 b r 19",
            "",
            "▲５三銀直成",
            Ok("5d5c+"),
        ),
        ("", "", "５八金右", Ok("4i5h")),
        ("", "", "５八金左上", Ok("6i5h")),
        ("", "", "５八金寄", Err(Code::Illegal)),
        ("", "", "５八金上", Err(Code::Illegal)),
        ("", "", "５八金上左", Err(Code::Malformed)),
        ("", "7g7f 3c3d 8h2b+ 3a2b", "５五角上", Err(Code::Illegal)),
        ("", "7g7f 3c3d 8h2b+ 3a2b", "５五角右打", Err(Code::Malformed)),
        ("", "", "同　歩(77)", Err(Code::Malformed)),
        ("", "", "５八金", Err(Code::Illegal)),
        ("", "", "５八金(49)", Ok("4i5h")),
        ("", "", "７五歩(77)", Err(Code::Illegal)),
        ("", "", "７六歩成(77)", Err(Code::Illegal)),
        ("", "", "７六犬(77)", Err(Code::Malformed)),
        ("", "", "７六歩(70)", Err(Code::Malformed)),
        ("", "", "０六歩(77)", Err(Code::Malformed)),
        ("", "", "投了", Err(Code::Malformed)),
        ("", "", "", Err(Code::Malformed)),
    ];
    for (fen, plies, kif, means) in table {
        let state = line(&game, fen, plies);
        let seat = mover(&game, &state);
        let read = game.read(&state, seat, kif, "kif");
        let read = read
            .map(|ply| game.text(&state, seat, &ply))
            .map_err(|error| error.code);
        assert_eq!(read, means.map(str::to_owned), "{kif}");
    }
}

/// Premoves: what is conceivable, and what a commitment becomes when it is due.
#[test]
fn intents() {
    let game = shogi();
    for text in ["7g7f", "8h2b+", "P*5e", "R*1a", "P*1a", "5i5a+", "1a9i"] {
        assert_eq!(game.intent_text(&game.intent(text).unwrap()), text);
    }
    let wrong = [
        "7g7g", "7g7j", "0g7f", "K*5e", "+P*5e", "p*5e", "P*5", "P*5e+", "7g7f=", "7g7f++", "7g", "", "*5e",
        "P5e", "é2e4", "7g七", "resign",
    ];
    for text in wrong {
        assert_eq!(game.intent(text).unwrap_err().code, Code::Malformed, "{text}");
    }
    let due = |plies: &str, text: &str| {
        let state = line(&game, "", plies);
        let intent = game.intent(text).unwrap();
        game.resolve(&state, mover(&game, &state), &intent)
    };
    // A bishop not yet in hand is dropped once it is, and own pieces may be gone from the square by then.
    assert_eq!(due("", "B*5e"), None);
    assert!(due("7g7f 3c3d 8h2b+ 3a2b", "B*5e").is_some());
    assert_eq!(due("", "2h2c+"), None);
    assert!(due("2g2f 1c1d 2f2e 1d1e", "2e2d").is_some());
    let state = start(&game, "");
    assert_eq!(
        game.resolve(&state, Seat::SECOND, &game.intent("3c3d").unwrap()),
        None
    );
}

/// Hints say for each legal ply what the board needs.
#[test]
fn hints() {
    let game = shogi();
    let state = start(&game, "4k4/8p/8S/9/9/9/9/9/4K4 b P 1");
    let hints = game.hints(&state, Seat::FIRST);
    let mut texts: Vec<_> = hints.iter().map(|hint| hint.text.clone()).collect();
    texts.sort();
    assert_eq!(texts, legal(&game, &state));
    let of = |text: &str| {
        let hint = hints.iter().find(|hint| hint.text == text).unwrap();
        serde_json::to_value(hint).unwrap()
    };
    let table = [
        json!({"do": "5i5h", "path": ["5i", "5h"], "tag": "move"}),
        json!({"do": "1c1b+", "path": ["1c", "1b"], "tag": "capture", "promote": "+"}),
        json!({"do": "1c1b", "path": ["1c", "1b"], "tag": "capture", "promote": ""}),
        json!({"do": "P*5e", "path": ["P*", "5e"], "tag": "drop"}),
    ];
    for hint in table {
        assert_eq!(of(hint["do"].as_str().unwrap()), hint);
    }
    let forced = start(&game, "4k4/8P/9/9/9/9/9/9/4K4 b - 1");
    let hint = game
        .hints(&forced, Seat::FIRST)
        .into_iter()
        .find(|hint| hint.text == "1b1a+");
    assert_eq!(
        serde_json::to_value(hint.unwrap()).unwrap(),
        json!({"do": "1b1a+", "path": ["1b", "1a"], "tag": "move", "promote": "+"})
    );
}

/// The context of a mechanism is part of what repeats.
#[test]
fn repetition_looks_at_the_context() {
    let game = shogi();
    let shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let end = |context: fn(usize) -> u64| {
        let mut state = start(&game, "");
        for (n, text) in shuffle.iter().cycle().take(20).enumerate() {
            let seat = mover(&game, &state);
            let ply = game.parse(&state, seat, text).unwrap();
            game.play(&mut state, seat, &ply, context(n), &mut Events::ignore());
            if game.outcome(&state).is_some() {
                return Some(n);
            }
        }
        None
    };
    assert_eq!(end(|_| 0), Some(11));
    assert_eq!(end(|n| n as u64 + 1), None);
}

/// The view, and the events of a ply.
#[test]
fn views_and_events() {
    let game = shogi();
    let mut state = start(&game, "");
    let mut events = Events::keep();
    let ply = game.parse(&state, Seat::FIRST, "7g7f").unwrap();
    game.apply(&mut state, Seat::FIRST, &ply, &mut events);
    let event = &events.into_vec()[0];
    let told = (event.kind, Value::Object(event.fields.clone()));
    assert_eq!(told, ("ply", json!({"ply": 1, "seat": "first", "text": "7g7f"})));
    assert_eq!(
        serde_json::to_value(game.view(&state, Viewer::Spectator)).unwrap(),
        json!({
            "fen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
            "check": false,
            "last": "7g7f",
        })
    );
}

/// Made and taken back, the position is what it was; built from its text it is the same, checks and pins included;
/// its value is the same seen from the other side.
#[test]
fn search_laws() {
    let game = shogi();
    for (fen_text, seed) in [("", 1), (TACTICAL, 2), (TACTICAL, 3)] {
        wander(&game, fen_text, seed, 60, |state| {
            let before = game.position(state);
            let mut moves = Vec::new();
            game.moves(&before, &mut moves);
            assert_eq!(moves.len() as u64, game.count(&before));
            let mut position = before.clone();
            for mv in moves {
                let undo = game.make(&mut position, mv);
                game.unmake(&mut position, mv, undo);
                assert_eq!(position, before);
                assert_eq!(game.action(&before, mv), Action::Ply(mv));
                let capture = game.is_tactical(&before, mv) && !mv.is_promotion();
                assert!(!capture || game.promise(&before, mv) > 0);
            }
            let text = fen(&game, state);
            let mut same = game.position(&start(&game, &text));
            assert_eq!(game.key(&before), game.key(&same), "{text}");
            assert_eq!(game.in_check(&before), game.in_check(&same), "{text}");
            assert_eq!(before.pinned(), same.pinned(), "{text}");
            assert_eq!(
                perft(&game, &mut before.clone(), 1),
                perft(&game, &mut same, 1),
                "{text}"
            );
            let turned = turn(&text);
            let other = game.position(&start(&game, &turned));
            assert_eq!(
                game.evaluate(&before),
                game.evaluate(&other),
                "{text} and {turned}"
            );
        });
    }
}

/// What a position is worth to the side to move when nothing counts but one line of weights.
fn worth(fen: &str, name: &str, numbers: &str) -> i32 {
    let nothing = vec![0; shogi().weights().values().len()];
    let text = Weights::from_values(&nothing).text();
    let others = |row: &str| row.split(' ').next() != Some(name);
    let lines = text.lines().map(|row| match others(row) {
        true => format!("{row}\n"),
        false => format!("{name} {numbers}\n"),
    });
    let game = shogi().with_weights(Weights::read(&lines.collect::<String>()).unwrap());
    game.evaluate(&game.position(&start(&game, fen)))
}

#[test]
fn what_is_attacked_is_worth_what_the_weights_say() {
    let below = "4k4/R8/9/9/9/9/9/9/4K4 b 2P 1";
    let beside = "4k4/9/9/9/9/9/9/9/R3K4 b - 1";
    let hangs = "4k4/4r4/9/9/4S4/9/9/9/4K4 b - 1";
    let theirs = "4k4/4r4/9/9/4S4/9/9/9/4K4 w - 1";
    let guarded = "4k4/4r4/9/9/4S4/4P4/9/9/4K4 b - 1";
    let doubled = "4k4/R8/9/3N5/9/9/9/9/4K4 b - 1";
    for (fen, name, numbers, value) in [
        // Three squares beside the king, two a step further, two more.
        (below, "pressure", "100 0 10 0 1 0", 322),
        (doubled, "pressure", "0 100 0 10 0 1", 110),
        (beside, "cover", "100 0 10 0 1 0", 111),
        (below, "weak", "0 0 0 7 0 0 0 0 0", 7),
        (below, "drop", "1", 6),
        // Two are left to White's king, five to Black's.
        (below, "flight", "0 0 9 0 0 2 0 0 0", 7),
        (below, "first.pawn", "5", 5),
        (below, "breach", "0 0 0 0 8", 8),
        (beside, "breach", "0 0 0 8 0", 8),
        (beside, "mobility.rook", "0 0 0 0 0 0 0 0 0 0 0 6 0 0 0 0 0", 6),
        (hangs, "hanging.silver", "-30", -30),
        (guarded, "hanging.silver", "-30", 0),
        (theirs, "hanging.silver", "-30", 0),
        (theirs, "hanging.rook", "-30", 0),
    ] {
        assert_eq!(worth(fen, name, numbers), value, "{name} in {fen}");
    }
}

/// The position seen from the other side.
fn turn(sfen: &str) -> String {
    let fields: Vec<_> = sfen.split(' ').collect();
    let swap = |c: char| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    let rank = |row: &str| {
        let mut squares: Vec<String> = Vec::new();
        let mut plus = "";
        for c in row.chars() {
            match c {
                '+' => plus = "+",
                _ => squares.push(format!("{}{}", std::mem::take(&mut plus), swap(c))),
            }
        }
        squares.into_iter().rev().collect::<String>()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(rank).collect();
    let side = if fields[1] == "b" { "w" } else { "b" };
    let hands: String = fields[2].chars().map(swap).collect();
    format!("{} {side} {hands} {}", board.join("/"), fields[3])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_refused(
        text in "\\PC{0,8}",
        near in "[1-9PLNSGBRK+]{1,2}[a-i*][1-9]{1,2}[a-i+]{1,3}",
        kif in "[▲同１-９1-9]{1,2}[一-九1-9　]{0,1}[歩香桂銀金角飛玉と成馬龍]{0,3}[打成不]{0,2}[(（]{0,1}[0-9]{0,2}[)）]{0,1}",
    ) {
        let game = shogi();
        let state = start(&game, TACTICAL);
        for text in [text, near, kif] {
            if let Ok(action) = game.parse(&state, Seat::SECOND, &text) {
                prop_assert_eq!(game.text(&state, Seat::SECOND, &action), text.clone());
                let listed = legal(&game, &state).contains(&text);
                prop_assert_eq!(game.check(&state, Seat::SECOND, &action).is_ok(), listed);
            }
            if let Ok(ply) = game.read(&state, Seat::SECOND, &text, "kif") {
                prop_assert_eq!(game.check(&state, Seat::SECOND, &ply), Ok(()));
            }
        }
    }

    #[test]
    fn garbage_positions_are_refused(
        text in "\\PC{0,40}",
        near in "([1-9+plnsgbrkPLNSGBRK]{1,5}/){8}[1-9+plnsgbrkPLNSGBRK]{1,5} [bw] [1-9PLNSGBRplnsgbr-]{1,6} [0-9]{1,5}",
        board in "[1-4kgrb]{1,4}[5-8](/9){7}/[1-4KGRB]{1,4}[5-8] [bw] [RBGrbg]{1,3}",
    ) {
        let game = shogi();
        for text in [text, near, board] {
            if let Ok(state) = game.start(&Setup { fen: Some(&text), seed: 0 }) {
                let written = fen(&game, &state);
                prop_assert_eq!(fen(&game, &start(&game, &written)), written);
            }
        }
    }
}
