//! The worked examples, endings, refusals.

use super::{legal, load, play, start, to_move, zuyi, zuyi_with};
use proptest::prelude::*;
use xinqi_kernel::{Code, Committable, Ending, Events, Game, Outcome, Reason, Seat};

/// The plies of a position that begin with `from`.
fn legal_from(fen: &str, from: &str) -> Vec<String> {
    let all = legal(&load(fen).unwrap());
    all.into_iter().filter(|ply| ply.starts_with(from)).collect()
}

fn refusal(fen: Option<&str>, text: &str) -> String {
    let mut state = fen.map_or_else(start, |fen| load(fen).unwrap());
    let before = state.fen();
    let reject = play(&zuyi(), &mut state, text).unwrap_err();
    assert_eq!((reject.code, state.fen()), (Code::Illegal, before));
    reject.message
}

#[test]
fn worked_examples_from_the_start() {
    let mut state = start();
    play(&zuyi(), &mut state, "h2h0").unwrap();
    assert!(state.fen().contains("RNBAKAB[NC]R b"), "{}", state.fen());
    play(&zuyi(), &mut state, "i6i5").unwrap();
    let next = legal(&state);
    for ply in [
        "h0g2", "h0i2", "h0g2:N", "h0i2:N", "h0h1", "h0h1:C", "h0h9", "h0h9:C",
    ] {
        assert!(next.contains(&ply.to_owned()), "{ply}");
    }
    assert!(!next.contains(&"h0g2:C".to_owned()));

    let plies = legal(&start());
    for ply in ["h2h0/N", "b2h2", "a0b0", "a0b0/N", "b2b0/N"] {
        assert!(plies.contains(&ply.to_owned()), "{ply}");
    }
    for (ply, rows) in [
        ("h2h0/N", "P1P1P1P1P/1C5N1/9/RNBAKABCR b"),
        ("b2h2", "P1P1P1P1P/7[CC]1/9/RNBAKABNR b"),
        ("a0b0", "P1P1P1P1P/1C5C1/9/1[RN]BAKABNR b"),
        ("a0b0/N", "P1P1P1P1P/1C5C1/9/NRBAKABNR b"),
    ] {
        let mut state = start();
        assert_eq!(play(&zuyi(), &mut state, ply).as_deref(), Ok(ply));
        assert!(state.fen().contains(rows), "{ply}: {}", state.fen());
    }
    assert_eq!(
        refusal(None, "b2h2/C"),
        "b2h2/C: the position would stay as it is"
    );
}

#[test]
fn worked_examples_of_parts() {
    let advisor = "4k4/9/9/9/9/4P4/9/9/9/3[RA]1K3 w - - 0 1";
    let plies = legal_from(advisor, "d0");
    assert!(plies.contains(&"d0e1".to_owned()) && plies.contains(&"d0e1:A".to_owned()));
    assert_eq!(
        refusal(Some(advisor), "d0e1:R"),
        "d0e1:R: none of R reaches e1 from d0"
    );
    assert!(plies.contains(&"d0d1:R".to_owned()));
    assert_eq!(
        refusal(Some(advisor), "d0d1"),
        "d0d1: advisor may not stand on d1"
    );
    assert_eq!(
        refusal(Some(advisor), "d0d1:A"),
        "d0d1:A: none of A reaches d1 from d0"
    );

    let king = "3k5/9/9/9/9/9/9/9/9/4[KR]4 w - - 0 1";
    let whole: Vec<_> = legal_from(king, "e0")
        .into_iter()
        .filter(|p| !p.ends_with(":R"))
        .collect();
    // d0 faces the other king. The king alone may step, leaving the rook.
    assert_eq!(whole, ["e0e1", "e0e1:K", "e0e2", "e0f0", "e0f0:K"]);
    assert_eq!(
        legal_from(king, "e0")
            .iter()
            .filter(|p| p.ends_with(":R"))
            .count(),
        17
    );

    let far = "3k5/9/9/9/4R4/9/9/9/9/4K4 w - - 0 1";
    assert!(legal_from(far, "e5").contains(&"e5e0".to_owned()));
    assert_eq!(refusal(Some(far), "e5e0/K"), "e5e0/K: king may not stand on e5");
}

#[test]
fn pawns_stand_at_home_on_their_files_alone() {
    let fen = "3k5/9/9/9/[RP]8/9/9/9/9/4K4 w - - 0 1";
    let plies = legal_from(fen, "a5");
    assert!(plies.contains(&"a5a3".to_owned()) && plies.contains(&"a5a4".to_owned()));
    assert!(!plies.contains(&"a5a2".to_owned()) && plies.contains(&"a5a2:R".to_owned()));
    let rank_four = "3k5/9/9/9/9/[RP]8/9/9/9/4K4 w - - 0 1";
    let plies = legal_from(rank_four, "a4");
    assert!(plies.contains(&"a4c4".to_owned()) && !plies.contains(&"a4b4".to_owned()));
}

#[test]
fn positions_that_cannot_be_are_refused_by_name() {
    for (fen, error) in [
        ("9/9/9/9/9/9/9/9/9/4K4 w", "FEN: no Black king"),
        (
            "3kk4/9/9/9/9/9/9/9/9/5K3 w",
            "FEN: 2 of Black king, a side has at most 1",
        ),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "FEN: the kings face each other"),
        (
            "4[kr]4/9/9/9/9/9/9/9/9/4[KR]4 w",
            "FEN: the kings face each other",
        ),
        (
            "3k5/9/9/9/9/9/9/3R5/9/4K4 w",
            "FEN: Black, not to move, is in check",
        ),
        (
            "3[kr]5/9/9/9/3[PC]5/9/9/3C5/9/4K4 w",
            "FEN: Black, not to move, is in check",
        ),
        ("3k5/9/9/9/9/9/9/9/9/3AK4 w", ""),
        (
            "3k5/9/9/9/9/9/9/9/4[KB]4/9 w",
            "FEN: a Red elephant cannot stand on e1",
        ),
        ("3k5/9/9/9/9/4K4/9/9/9/9 w", "FEN: a Red king cannot stand on e4"),
        (
            "3k5/9/9/9/9/9/1[PR]7/9/9/4K4 w",
            "FEN: a Red pawn cannot stand on b3",
        ),
        (
            "3k5/9/9/9/9/9/9/9/[RP]8/4K4 w",
            "FEN: a Red pawn cannot stand on a1",
        ),
        (
            "3k5/9/9/9/9/9/9/9/[RRNNC]8/4K4 w",
            "FEN, a1: \"[RRNNC]\" has more than 4 members",
        ),
        (
            "3k5/9/9/9/9/9/9/9/[Rn]8/4K4 w",
            "FEN, a1: \"[Rn]\" has members of both sides",
        ),
        (
            "3k5/9/9/9/9/9/9/9/[RRR]8/4K4 w",
            "FEN, a1: a side has at most 2 of Red rook",
        ),
        (
            "3k5/9/9/9/9/9/9/R8/[RR]8/4K4 w",
            "FEN: 3 of Red rook, a side has at most 2",
        ),
        (
            "3k5/9/9/9/9/9/9/9/[R]8/4K4 w",
            "FEN, a1: \"[R]\" is no piece or stack",
        ),
        (
            "3k5/9/9/9/9/9/9/9/[]8/4K4 w",
            "FEN, a1: \"[]\" is no piece or stack",
        ),
        (
            "3k5/9/9/9/9/9/9/9/{RN}8/4K4 w",
            "FEN, a1: \"{RN}\" is no piece or stack",
        ),
        (
            "3k5/9/9/9/9/9/9/9/X8/4K4 w",
            "FEN, a1: \"X\" is no piece or stack",
        ),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w 1", "FEN: third field is -, not \"1\""),
    ] {
        let result = load(fen).map(|_| ()).map_err(|e| e.0);
        let expected = if error.is_empty() {
            Ok(())
        } else {
            Err(error.to_owned())
        };
        assert_eq!(result, expected, "{fen}");
    }
}

#[test]
fn members_are_read_in_any_order_and_by_other_letters() {
    let state = load("3k5/9/9/9/9/9/9/9/[CHR]8/4K4 r").unwrap();
    assert_eq!(state.fen(), "3k5/9/9/9/9/9/9/9/[RNC]8/4K4 w - - 0 1");
}

fn outcome_after(game: &xinqi_games::zuyi::Zuyi, fen: &str, plies: &str) -> Option<Outcome> {
    let mut state = load(fen).unwrap();
    for ply in plies.split(' ').filter(|p| !p.is_empty()) {
        assert_eq!(game.outcome(&state), None, "before {ply}");
        play(game, &mut state, ply).unwrap();
    }
    game.outcome(&state)
}

#[test]
fn endings() {
    let (red, black) = (Seat::FIRST, Seat::SECOND);
    let twice = |cycle: &str| format!("{cycle} {cycle}");
    for (fen, plies, outcome) in [
        // Over when loaded.
        (
            "3k5/4P4/9/9/9/9/9/9/9/4K4 b",
            String::new(),
            Outcome::Win(red, Reason::Stalemate),
        ),
        (
            "[RN]2k5/R8/9/9/9/9/9/9/9/4K4 b",
            String::new(),
            Outcome::Win(red, Reason::Checkmate),
        ),
        (
            "3[ka]5/9/9/9/9/9/9/4[KB]4/9/9 w",
            String::new(),
            Outcome::Draw(Reason::InsufficientMaterial),
        ),
        // A stack holds the last attackers.
        (
            "3k5/9/9/9/9/9/9/9/4[rn]4/4K4 w",
            "e0e1".into(),
            Outcome::Draw(Reason::InsufficientMaterial),
        ),
        // A stack checks with every ply of the cycle.
        (
            "4k4/9/9/9/9/9/3[RN]5/9/9/5K3 w",
            twice("d3e3 e9d9 e3d3 d9e9"),
            Outcome::Win(black, Reason::PerpetualCheck),
        ),
        // Exchanges come back to the same position as well.
        (
            "3k5/9/9/9/9/9/RN7/9/9/4K4 w",
            twice("a3b3/N d9d8 b3a3/N d8d9"),
            Outcome::Draw(Reason::Repetition),
        ),
        // Splitting and joining.
        (
            "3k5/9/9/9/9/9/[RN]8/9/9/4K4 w",
            twice("a3a5:R d9d8 a5a3 d8d9"),
            Outcome::Draw(Reason::Repetition),
        ),
    ] {
        assert_eq!(outcome_after(&zuyi(), fen, &plies), Some(outcome), "{fen}");
    }
}

#[test]
fn plies_without_a_capture_are_counted() {
    let fen = "3k5/9/9/9/9/9/[RN]8/9/9/4K4 w - - 118 70";
    assert_eq!(outcome_after(&zuyi(), fen, "a3a5:R"), None);
    let drawn = Some(Outcome::Draw(Reason::NoProgress));
    assert_eq!(outcome_after(&zuyi(), fen, "a3a5:R d9d8"), drawn);
    assert_eq!(
        outcome_after(&zuyi_with(&[("no_progress", "0")]), fen, "a3a5:R d9d8"),
        None
    );
    assert_eq!(
        outcome_after(&zuyi_with(&[("no_progress", "119")]), fen, "a3a5:R"),
        drawn
    );
}

#[test]
fn a_fallen_flag_draws_against_no_attackers() {
    let game = zuyi();
    let mut state = load("3k5/9/9/9/9/9/[RN]8/9/9/4K4 w").unwrap();
    game.conclude(&mut state, Seat::FIRST, Ending::Timeout, &mut Events::ignore());
    assert_eq!(
        game.outcome(&state),
        Some(Outcome::Draw(Reason::InsufficientMaterial))
    );
}

#[test]
fn intents_mean_the_stack_as_it_will_be() {
    let game = zuyi();
    let whole = game.intent("h2h0").unwrap();
    let part = game.intent("h2h0:CN/PB").unwrap();
    assert_eq!(game.intent_text(&whole), "h2h0");
    assert_eq!(game.intent_text(&part), "h2h0:NC/BP");
    let state = load("3k5/9/9/9/9/9/9/7[NC]1/9/4K4 w").unwrap();
    let ply = game.resolve(&state, Seat::FIRST, &whole).unwrap();
    assert_eq!(
        (ply.go.to_string(), ply.back.to_string()),
        ("NC".to_owned(), String::new())
    );
    assert_eq!(game.resolve(&state, Seat::SECOND, &whole), None);
    assert_eq!(game.resolve(&state, Seat::FIRST, &part), None);
    assert_eq!(
        game.resolve(&start(), Seat::FIRST, &whole)
            .unwrap()
            .go
            .to_string(),
        "C"
    );
    let changes = serde_json::to_value(game.diagram(&part)).unwrap();
    assert_eq!(
        changes,
        serde_json::json!([
            {"at": "h0", "from": "h2", "members": "NC"},
            {"at": "h2", "from": "h0", "members": "BP"},
        ])
    );
}

#[test]
fn hints_say_who_goes_and_who_comes_back() {
    let game = zuyi();
    let hints = serde_json::to_value(game.hints(&start(), Seat::FIRST)).unwrap();
    for hint in [
        serde_json::json!({"do": "h2h0", "path": ["h2", "h0"], "tag": "combine", "go": "C", "back": ""}),
        serde_json::json!({"do": "h2h0/N", "path": ["h2", "h0"], "tag": "exchange", "go": "C", "back": "N"}),
        serde_json::json!({"do": "h2h9", "path": ["h2", "h9"], "tag": "capture", "go": "C", "back": ""}),
        serde_json::json!({"do": "h2e2", "path": ["h2", "e2"], "tag": "move", "go": "C", "back": ""}),
    ] {
        assert!(hints.as_array().unwrap().contains(&hint), "{hint}");
    }
    assert_eq!(game.hints(&start(), Seat::SECOND), []);
}

#[test]
fn refusals_name_the_rule() {
    let fours = "3k5/9/9/9/[RRNC]3[NCPP]4/9/9/9/9/4K4 w - - 0 1";
    for (fen, ply, why) in [
        (None, "e5e6", "Red has nobody on e5"),
        (None, "h7h6", "Red has nobody on h7"),
        (None, "h2h0:N", "N is no part of C on h2"),
        (None, "h2h0/R", "R is no part of an own stack on h0"),
        (None, "h2e2/N", "N is no part of an own stack on e2"),
        (None, "h2g4", "none of C reaches g4 from h2"),
        (Some(fours), "a5e5", "more than 4 members would stand on a point"),
        (
            Some("3k5/9/9/9/9/9/9/9/8R/4K4 w"),
            "e0d0",
            "it leaves Red's king attacked or facing the other",
        ),
    ] {
        assert_eq!(refusal(fen, ply), format!("{ply}: {why}"));
    }
    let seat = Seat::SECOND;
    let ply = zuyi().parse(&start(), seat, "h7h6").unwrap();
    assert_eq!(
        zuyi().check(&start(), seat, &ply).unwrap_err().code,
        Code::NotYourTurn
    );
}

proptest! {
    #[test]
    fn garbage_is_no_fen(text in "\\PC{0,60}") {
        prop_assert!(load(&text).is_err());
    }

    #[test]
    fn damaged_fens_are_refused_or_canonical(at in 0usize..70, with in "[\\[\\]rRkKpPnNaA0-9/ {é+wb-]{0,3}") {
        let mut fen = "2b[ka]1ab1r/9/9/p3[nc]1p1p/9/6P[nc]1/[RP]1[CPP]1[rpp]3C/3NB4/9/3[KA]1ABNR b - - 3 16".to_owned();
        fen.replace_range(at..=at, &with);
        if let Ok(state) = load(&fen) {
            prop_assert_eq!(load(&state.fen()).unwrap().fen(), state.fen());
        }
    }

    #[test]
    fn garbage_is_no_ply(text in "\\PC{0,12}") {
        prop_assert_eq!(zuyi().intent(&text).unwrap_err().code, Code::Malformed);
    }

    #[test]
    fn what_looks_like_a_ply_is_refused_or_played(text in "[a-i][0-9][a-i][0-9](:[KRNCBAP]{1,4})?(/[KRNCBAP]{1,4})?") {
        let state = load("2ba1[ka]3/2[nc]6/[rn]8/[cp]1p1p3p/4[PP]1p2/4P3R/6P2/B8/4[KNC]4/1NC[AA]2B2 w - - 26 41").unwrap();
        if let Ok(ply) = zuyi().parse(&state, to_move(&state), &text) {
            let legal_text = zuyi().text(&state, to_move(&state), &ply);
            let is_legal = zuyi().check(&state, to_move(&state), &ply).is_ok();
            prop_assert_eq!(is_legal, legal(&state).contains(&legal_text));
        }
    }
}
