//! Chess against the laws of the game, other programs' counts and python-chess.

use crate::common::{counts, fen, legal, line, mover, result, rules, seen, start, start_error, wander, win};
use proptest::prelude::*;
use serde_json::Value;
use xinqi_games::chess::Chess;
use xinqi_kernel::{
    Code, Committable, Ending, Evaluate, Events, Game, Options, Outcome, Reason, RuleSet, Seat, Tree, rng,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn chess() -> Chess {
    rules(&[])
}

fn chess960() -> Chess {
    rules(&[("chess960", "true")])
}

/// The start is the contract's; the others are the usual test positions of the field.
#[test]
fn perft() {
    let table: &[(&str, &[u64])] = &[
        ("", &[20, 400, 8_902, 197_281, 4_865_609]),
        (KIWIPETE, &[48, 2_039, 97_862, 4_085_603]),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2_812, 43_238, 674_624],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9_467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1_486, 62_379, 2_103_487],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2_079, 89_890, 3_894_594],
        ),
    ];
    table.iter().for_each(|(fen, nodes)| counts(&chess(), fen, nodes));
}

#[test]
fn perft_chess960() {
    let table: &[(&str, &[u64])] = &[
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            &[21, 528, 12_189, 326_672],
        ),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            &[21, 807, 18_002, 667_366],
        ),
    ];
    table
        .iter()
        .for_each(|(fen, nodes)| counts(&chess960(), fen, nodes));
}

/// Every position and result of the fixture that python-chess made.
#[test]
fn agrees_with_python_chess() {
    let mut positions = 0;
    for row in include_str!("../fixtures/chess.jsonl").lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let game = if row["chess960"] == true {
            chess960()
        } else {
            chess()
        };
        let mut state = start(&game, row["start"].as_str().unwrap());
        assert_eq!(fen(&game, &state), row["start"]);
        let told: Vec<_> = row["plies"].as_str().unwrap().split(' ').collect();
        let mut expected = row["positions"].as_array().unwrap().iter().peekable();
        for (n, text) in told.iter().enumerate() {
            if let Some(at) = expected.next_if(|at| at["ply"] == n) {
                agree(&game, &state, at);
                positions += 1;
            }
            crate::common::play(&game, &mut state, text);
        }
        assert_eq!(fen(&game, &state), row["fen"]);
        assert_eq!(result(&game, &state), row["result"], "{}", row["fen"]);
    }
    assert!(positions > 150);
}

fn agree(game: &Chess, state: &<Chess as Game>::State, at: &Value) {
    let seat = mover(game, state);
    assert_eq!(fen(game, state), at["fen"]);
    assert_eq!(seen(game, state, "check"), at["check"]);
    assert_eq!(Value::from(legal(game, state)), at["legal"]);
    for (text, san) in at["san"].as_object().unwrap() {
        let ply = game.parse(state, seat, text).unwrap();
        assert_eq!(game.notate(state, seat, &ply, "san").as_deref(), san.as_str());
    }
    for seat in [Seat::FIRST, Seat::SECOND] {
        assert_eq!(
            game.can_win(state, seat),
            at["can_win"][seat.index()],
            "{}",
            at["fen"]
        );
    }
}

/// Lines and the way they end.
#[test]
fn endings() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    let table: &[(&str, &str, Option<Outcome>)] = &[
        ("", "f2f3 e7e5 g2g4 d8h4", win(Seat::SECOND, Reason::Checkmate)),
        (
            "7k/8/6Q1/8/8/8/8/K7 w - - 0 1",
            "g6f7",
            Some(Outcome::Draw(Reason::Stalemate)),
        ),
        ("", &shuffle.repeat(2), Some(Outcome::Draw(Reason::Repetition))),
        ("", shuffle, None),
        // The en-passant square after e4 is no difference, for nothing can capture there: the third occurrence.
        (
            "",
            "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1",
            Some(Outcome::Draw(Reason::Repetition)),
        ),
        // Here d4xe3 was possible the first time, so that position has come but twice.
        (
            "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1",
            "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1",
            None,
        ),
        // The capture on e3 would leave the king to the rook: no difference again.
        (
            "3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1",
            "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1",
            Some(Outcome::Draw(Reason::Repetition)),
        ),
        // Losing the right to castle makes the first position another one.
        (
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8",
            None,
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8 a1b1",
            Some(Outcome::Draw(Reason::Repetition)),
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 98 90",
            "a1a2 e8e7",
            Some(Outcome::Draw(Reason::NoProgress)),
        ),
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 99 90", "a2a3", None),
        // Mate on the hundredth ply is mate.
        (
            "7k/8/6K1/8/8/8/8/R7 w - - 99 90",
            "a1a8",
            win(Seat::FIRST, Reason::Checkmate),
        ),
        (
            "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1",
            "e1d2",
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
        (
            "4k3/8/8/8/8/8/3rN3/4K3 w - - 0 1",
            "e1d2",
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
        ("2b1k3/8/8/8/8/8/3r4/2B1K3 w - - 0 1", "c1d2", None),
        (
            "4kb2/8/8/8/8/8/3r4/2B1K3 w - - 0 1",
            "c1d2",
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
        ("4kn2/8/8/8/8/8/3r4/2N1K3 w - - 0 1", "e1d2", None),
    ];
    for (fen, plies, end) in table {
        let game = chess();
        assert_eq!(game.outcome(&line(&game, fen, plies)), *end, "{fen} {plies}");
    }
}

/// Mate, stalemate and dead material are over when loaded; fifty moves and repetition are judged after a ply.
#[test]
fn over_when_loaded() {
    let table = [
        (
            "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1",
            win(Seat::FIRST, Reason::Checkmate),
        ),
        (
            "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
            Some(Outcome::Draw(Reason::Stalemate)),
        ),
        (
            "k7/8/1K6/8/8/8/8/8 b - - 0 1",
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
        ("k7/8/1K6/8/8/8/8/7R b - - 100 80", None),
    ];
    for (fen, end) in table {
        assert_eq!(chess().outcome(&start(&chess(), fen)), end, "{fen}");
    }
}

/// The winner on time must have something to win with.
#[test]
fn flag_fall() {
    let table = [
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            Seat::SECOND,
            win(Seat::FIRST, Reason::Timeout),
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            Seat::FIRST,
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
        // A knight mates beside a pawn that blocks its own king, never beside a queen alone.
        (
            "4k3/4p3/8/8/8/8/8/N3K3 w - - 0 1",
            Seat::SECOND,
            win(Seat::FIRST, Reason::Timeout),
        ),
        (
            "4k3/4q3/8/8/8/8/8/N3K3 w - - 0 1",
            Seat::SECOND,
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
    ];
    for (fen, flagged, end) in table {
        let game = chess();
        let mut state = start(&game, fen);
        game.conclude(&mut state, flagged, Ending::Timeout, &mut Events::ignore());
        assert_eq!(game.outcome(&state), end, "{fen}");
    }
}

/// C-13: en passant is the only answer to check.
#[test]
fn en_passant_answers_check() {
    let start = "8/2R2p1p/4k1p1/6P1/5PKP/r7/8/8 b - - 0 1";
    let game = chess();
    let state = line(&game, start, "h7h5");
    assert_eq!(game.outcome(&state), None);
    assert_eq!(legal(&game, &state), ["g5h6"]);
    assert_eq!(fen(&game, &state), "8/2R2p2/4k1p1/6Pp/5PKP/r7/8/8 w - h6 0 2");
    let state = line(&game, start, "h7h5 g5h6 f7f5 g4g5 a3g3");
    assert_eq!(game.outcome(&state), win(Seat::SECOND, Reason::Checkmate));
}

/// C-15: castling rights, and what stands in the way.
#[test]
fn castling() {
    let game = chess();
    let castles = |fen: &str| {
        let texts = legal(&game, &start(&game, fen));
        let castling = |t: &&str| texts.iter().any(|text| text == t);
        ["e1g1", "e1c1", "e8g8", "e8c8"]
            .into_iter()
            .filter(castling)
            .collect::<Vec<_>>()
    };
    let blocked = "4k1rr/1b1p3p/nn1p4/P3Np2/3P1bp1/6PP/P5R1/1B1K2N1 b k - 1 37";
    assert_eq!(legal(&game, &start(&game, blocked)).len(), 35);
    assert!(castles(blocked).is_empty());
    assert_eq!(castles("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), ["e1c1"]);
    assert!(castles("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1").is_empty());
    assert!(castles("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").is_empty());
    assert_eq!(castles("r3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1"), ["e8g8"]);
    let state = line(&game, "r3k2r/8/8/8/8/8/6b1/R3K2R b KQkq - 0 1", "g2h1");
    assert_eq!(fen(&game, &state), "r3k2r/8/8/8/8/8/8/R3K2b w Qkq - 0 2");
    let state = line(&game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1 e8g8");
    assert_eq!(fen(&game, &state), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
}

/// King takes rook is how chess960 says it, and only there.
#[test]
fn castling_text() {
    let start_fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (game, right, wrong) in [(chess(), "e1g1", "e1h1"), (chess960(), "e1h1", "e1g1")] {
        let state = start(&game, start_fen);
        let check = |text| {
            game.check(
                &state,
                Seat::FIRST,
                &game.parse(&state, Seat::FIRST, text).unwrap(),
            )
        };
        assert_eq!(check(right), Ok(()));
        assert_eq!(check(wrong).unwrap_err().code, Code::Illegal);
        let after = line(&game, start_fen, right);
        assert_eq!(fen(&game, &after), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    }
}

#[test]
fn starting_arrays() {
    let table = [
        ("0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"),
        ("518", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("959", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1"),
    ];
    for (number, array) in table {
        let game: Chess = rules(&[("chess960", "true"), ("start", number)]);
        assert_eq!(fen(&game, &start(&game, "")), array);
    }
    let pairs = [("start".to_owned(), "0".to_owned())];
    let mut options = Options::settle(Chess::options(), &pairs).unwrap();
    assert!(
        Chess::build(&mut options)
            .unwrap_err()
            .0
            .contains("chess960=true")
    );
}

/// What is read otherwise is written in the one form.
#[test]
fn fen_is_canonical() {
    let table = [
        (
            false,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "b KQkq - 0 1",
        ),
        (
            false,
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 3",
            "b KQkq e3 0 3",
        ),
        (false, "4k3/8/8/8/8/8/8/R3K3", "w - - 0 1"),
        (true, "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "w B - 0 1"),
        (true, "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", "w Q - 0 1"),
        (true, "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "w Q - 0 1"),
    ];
    for (variant, read, written) in table {
        let game = if variant { chess960() } else { chess() };
        let text = fen(&game, &start(&game, read));
        assert!(text.ends_with(written), "{read} became {text}");
        assert_eq!(fen(&game, &start(&game, &text)), text);
    }
    assert_eq!(
        chess().ply(&start(&chess(), "4k3/8/8/8/8/8/8/R3K3 b - - 0 9")),
        Some(1)
    );
}

#[test]
fn bad_positions_are_named() {
    let table = [
        ("", "0 fields"),
        ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks"),
        ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "rank 2 (9): '9' is no piece"),
        ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 (7) has 7 squares"),
        (
            "4k3/8/8/8/8/8/ppppppppp/4K3 w - - 0 1",
            "rank 2 (ppppppppp) has 9 squares",
        ),
        ("4k3/8/8/8/8/8/4x3/4K3 w - - 0 1", "'x' is no piece"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "pawn stands on h1"),
        ("4k3/8/8/PPPPPPPP/P7/8/8/4K3 w - - 0 1", "White has 9 pawns"),
        (
            "4k3/8/8/QQQQQQQQ/QQQQQQQQ/8/8/4K3 w - - 0 1",
            "White has 17 pieces",
        ),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side \"x\""),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "not to move stands in check"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right 'K': no rook"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "not on its back rank"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "not on the e-file"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "given twice"),
        ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "none of KQkq"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en-passant field \"e9\""),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 101 1", "halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "7 fields"),
    ];
    for (text, said) in table {
        let error = start_error(&chess(), text);
        assert!(error.contains(said), "{text:?}: {error}");
    }
}

/// Every legal ply of random games is written in SAN and read back, and so is every looser spelling of it.
#[test]
fn san_round_trip() {
    for (game, seed) in [(chess(), 1), (chess(), 2), (chess960(), 3)] {
        wander(&game, "", seed, 120, |state| {
            if game.outcome(state).is_some() {
                return;
            }
            let seat = mover(&game, state);
            let mut plies = Vec::new();
            game.actions(state, seat, &mut plies);
            let mut written = std::collections::HashSet::new();
            for ply in plies {
                let san = game.notate(state, seat, &ply, "san").unwrap();
                assert_eq!(game.read(state, seat, &san, "san"), Ok(ply));
                let loose = san.replace(['x', '+', '#', '='], "").replace('O', "0");
                assert_eq!(
                    game.read(state, seat, &loose, "san"),
                    Ok(ply),
                    "{loose} for {san}"
                );
                assert!(written.insert(san.clone()), "{san} twice");
                let uci = game.notate(state, seat, &ply, "uci").unwrap();
                assert_eq!(uci, ply.to_string());
                assert_eq!(game.read(state, seat, &uci, "uci"), Ok(ply));
            }
        });
    }
}

#[test]
fn san_by_hand() {
    let table = [
        ("", "Nf3", Ok("g1f3")),
        ("", "Ng1-f3!?", Ok("g1f3")),
        ("", "e4", Ok("e2e4")),
        ("", "e2-e4", Ok("e2e4")),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a8=Q", Ok("a7a8q")),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a8N", Ok("a7a8n")),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a8", Err(Code::Illegal)),
        (KIWIPETE, "0-0-0", Ok("e1c1")),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", Err(Code::Illegal)),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rhd1", Ok("h1d1")),
        (
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "dxe3 e.p.",
            Ok("d4e3"),
        ),
        ("", "Ke2", Err(Code::Illegal)),
        ("", "Nf9", Err(Code::Malformed)),
        ("", "", Err(Code::Malformed)),
        ("", "兵三进一", Err(Code::Malformed)),
    ];
    let game = chess();
    for (fen, san, means) in table {
        let state = start(&game, fen);
        let seat = mover(&game, &state);
        let read = game.read(&state, seat, san, "san");
        assert_eq!(
            read.map(|p| p.to_string()).map_err(|e| e.code),
            means.map(str::to_owned),
            "{san}"
        );
    }
}

/// Premoves: what is conceivable, and what a commitment becomes when it is due.
#[test]
fn intents() {
    let game = chess();
    for text in ["e2e4", "e7e8q", "e1g1", "a1a2", "h8a1"] {
        assert_eq!(game.intent_text(&game.intent(text).unwrap()), text);
    }
    for text in [
        "e2e2", "e2e9", "i2e4", "e7e8k", "e7e8p", "e2", "e2e4e5", "", "E2E4", "é2e4", "resign",
    ] {
        assert_eq!(game.intent(text).unwrap_err().code, Code::Malformed, "{text}");
    }
    let due = |fen: &str, plies: &str, text: &str| {
        let state = line(&game, fen, plies);
        let intent = game.intent(text).unwrap();
        game.resolve(&state, mover(&game, &state), &intent).is_some()
    };
    // A premove that takes an own piece now is legal once an enemy stands there.
    assert!(!due("", "", "e4d5"));
    assert!(due("", "e2e4 d7d5", "e4d5"));
    assert!(due("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", "e1g1"));
    assert!(!due("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "", "e1g1"));
    assert!(due("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "", "a7a8n"));
    assert!(!due("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "", "a7a8"));
    let state = start(&game, "");
    assert_eq!(
        game.resolve(&state, Seat::SECOND, &game.intent("e7e5").unwrap()),
        None
    );
}

/// The context of a mechanism is part of what repeats.
#[test]
fn repetition_looks_at_the_context() {
    let game = chess();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let end = |context: fn(usize) -> u64| {
        let mut state = start(&game, "");
        for (n, text) in shuffle.iter().cycle().take(12).enumerate() {
            let seat = mover(&game, &state);
            let ply = game.parse(&state, seat, text).unwrap();
            game.play(&mut state, seat, &ply, context(n), &mut Events::ignore());
            if game.outcome(&state).is_some() {
                return Some(n);
            }
        }
        None
    };
    assert_eq!(end(|_| 0), Some(7));
    assert_eq!(end(|n| n as u64 + 1), None);
}

/// Hints say for each legal ply what the board needs.
#[test]
fn hints() {
    let game = chess();
    let state = start(&game, "r3k2r/6P1/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let hints = game.hints(&state, Seat::FIRST);
    let mut texts: Vec<_> = hints.iter().map(|hint| hint.text.clone()).collect();
    texts.sort();
    assert_eq!(texts, legal(&game, &state));
    let of = |text: &str| {
        let hint = hints.iter().find(|hint| hint.text == text).unwrap();
        serde_json::to_value(hint).unwrap()
    };
    let table = [
        serde_json::json!({"do": "e1g1", "path": ["e1", "g1"], "tag": "castle"}),
        serde_json::json!({"do": "a1a8", "path": ["a1", "a8"], "tag": "capture"}),
        serde_json::json!({"do": "a1b1", "path": ["a1", "b1"], "tag": "move"}),
        serde_json::json!({"do": "g7g8q", "path": ["g7", "g8"], "tag": "move", "promote": "q"}),
        serde_json::json!({"do": "g7h8n", "path": ["g7", "h8"], "tag": "capture", "promote": "n"}),
    ];
    for hint in table {
        assert_eq!(of(hint["do"].as_str().unwrap()), hint);
    }
    assert!(game.hints(&state, Seat::SECOND).is_empty());
}

/// Made and taken back: the position, its key and its value are what they were; the value is the same seen in a mirror.
#[test]
fn search_laws() {
    let game = chess();
    let mut random = rng(7);
    for seed in 0..4 {
        wander(&game, KIWIPETE, seed, 80, |state| {
            let before = game.position(state);
            let mut moves = Vec::new();
            game.moves(&before, &mut moves);
            assert_eq!(moves.len() as u64, game.count(&before));
            let mut position = before.clone();
            for mv in moves {
                let undo = game.make(&mut position, mv);
                game.unmake(&mut position, mv, undo);
                assert_eq!(position, before);
                let capture = game.is_tactical(&before, mv) && mv.promotion.is_none();
                assert!(!capture || game.promise(&before, mv) > 0);
            }
            let text = fen(&game, state);
            let same = game.position(&start(&game, &text));
            assert_eq!(game.key(&before), game.key(&same), "{text}");
            if game.outcome(state).is_none() {
                let ply = game.sample(state, mover(&game, state), &mut random).unwrap();
                assert!(legal(&game, state).contains(&ply.to_string()));
            }
            let mirrored = mirror(&text);
            let other = game.position(&start(&game, &mirrored));
            assert_eq!(
                game.evaluate(&before),
                game.evaluate(&other),
                "{text} and {mirrored}"
            );
        });
    }
}

/// The position with colours exchanged and the board turned.
fn mirror(fen: &str) -> String {
    let fields: Vec<_> = fen.split(' ').collect();
    let swap = |c: char| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    let board: Vec<String> = fields[0]
        .split('/')
        .rev()
        .map(|row| row.chars().map(swap).collect())
        .collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = fields[2].chars().map(swap).collect();
    let passed = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    format!(
        "{} {side} {rights} {passed} {} {}",
        board.join("/"),
        fields[4],
        fields[5]
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_refused(text in "\\PC{0,8}", near in "[a-hKQRBNO0-]{1,2}[x1-9a-h=+#QK-]{0,6}") {
        let game = chess();
        let state = start(&game, KIWIPETE);
        for text in [text, near] {
            if let Ok(ply) = game.parse(&state, Seat::FIRST, &text) {
                prop_assert_eq!(ply.to_string(), text.clone());
            }
            if let Ok(ply) = game.read(&state, Seat::FIRST, &text, "san") {
                prop_assert_eq!(game.check(&state, Seat::FIRST, &ply), Ok(()));
            }
        }
    }

    #[test]
    fn garbage_positions_are_refused(
        text in "\\PC{0,40}",
        near in "([1-8kqrbnpKQRBNP]{1,8}/){7}[1-8kqrbnpKQRBNP]{1,8} [wb] [KQkqAHah-]{1,4} ([a-h][36]|-) [0-9]{1,3} [0-9]{1,5}",
        board in "[kqrp1-8]{3,8}(/8){3}/[1-8Pp]{1,8}(/8){2}/[KQR1-8]{3,8} [wb] [KQkq-]{1,4} ([a-h][36]|-)",
    ) {
        let (game, other) = (chess(), chess960());
        for text in [text, near, board] {
            for game in [&game, &other] {
                if let Ok(state) = game.start(&xinqi_kernel::Setup { fen: Some(&text), seed: 0 }) {
                    let written = fen(game, &state);
                    prop_assert_eq!(fen(game, &start(game, &written)), written);
                }
            }
        }
    }
}
