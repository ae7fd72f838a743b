//! Plies as players write them.

use super::generators::{scattered, stacked_game};
use super::{load, play, start, to_move, zuyi};
use proptest::prelude::*;
use std::collections::BTreeMap;
use xinqi_games::zuyi::State;
use xinqi_kernel::{Code, Game};

const NOTATIONS: [&str; 3] = ["chinese", "chinese-trad", "wxf"];

fn written(state: &State, text: &str) -> [String; 3] {
    let ply = zuyi().parse(state, to_move(state), text).unwrap();
    NOTATIONS.map(|n| zuyi().notate(state, to_move(state), &ply, n).unwrap())
}

#[test]
fn plies_read_as_players_say_them() {
    let after = |ply: &str| {
        let mut state = start();
        play(&zuyi(), &mut state, ply).unwrap();
        state
    };
    let tall = "3k5/9/9/9/9/[RNC]3[NCPP]4/9/9/9/4K4 w";
    let four = "3k5/4[CP]4/9/9/4[RN]4/9/4[RN]4/9/9/5K3 w";
    let pawns = "3k5/1P5P1/9/1P5P1/9/9/9/9/9/5K3 w";
    let column = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w";
    let three = "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w";
    for (state, ply, expected) in [
        (start(), "h2e2", ["炮二平五", "炮二平五", "C2.5"]),
        (start(), "b0c2", ["马八进七", "馬八進七", "H8+7"]),
        (start(), "h2h0", ["炮二退二组马", "炮二退二組馬", "C2-2&H"]),
        (start(), "h2h0/N", ["炮二退二易马", "炮二退二易馬", "C2-2/H"]),
        (after("h2e2"), "h9g7", ["马8进7", "馬8進7", "H8+7"]),
        (after("h2e2"), "d9e8", ["士4进5", "士4進5", "A4+5"]),
        (after("h2e2"), "e9d9", ["将5平4组士", "將5平4組士", "K5.4&A"]),
        (
            load(tall).unwrap(),
            "a4a9",
            ["车马炮九进五", "車馬炮九進五", "RHC9+5"],
        ),
        (
            load(tall).unwrap(),
            "a4a9:RN",
            ["车马炮九分车马进五", "車馬炮九分車馬進五", "RHC9:RH+5"],
        ),
        (
            load(tall).unwrap(),
            "a4b6",
            ["车马炮九以马进八", "車馬炮九以馬進八", "RHC9@H+8"],
        ),
        (
            load(tall).unwrap(),
            "a4b6:NC",
            ["车马炮九分马炮进八", "車馬炮九分馬炮進八", "RHC9:HC+8"],
        ),
        (
            load(tall).unwrap(),
            "a4e4:C",
            [
                "车马炮九分炮平五组马炮兵兵",
                "車馬炮九分炮平五組馬炮兵兵",
                "RHC9:C.5&HCPP",
            ],
        ),
        (
            load(tall).unwrap(),
            "a4e4:RN/PP",
            [
                "车马炮九分车马平五易兵兵",
                "車馬炮九分車馬平五易兵兵",
                "RHC9:RH.5/PP",
            ],
        ),
        (load(four).unwrap(), "e5a5", ["前车马平九", "前車馬平九", "+RH.9"]),
        (
            load(four).unwrap(),
            "e3a3:R",
            ["后车马分车平九", "後車馬分車平九", "-RH:R.9"],
        ),
        (
            load(pawns).unwrap(),
            "b8b9",
            ["前兵八进一", "前兵八進一", "+P8+1"],
        ),
        (
            load(pawns).unwrap(),
            "h6g6",
            ["后兵二平三", "後兵二平三", "-P2.3"],
        ),
        (load(three).unwrap(), "e7d7", ["中兵平六", "中兵平六", "2P.6"]),
        (load(column).unwrap(), "e5d5", ["四兵平六", "四兵平六", "4P.6"]),
    ] {
        assert_eq!(written(&state, ply), expected, "{ply}");
    }
}

#[test]
fn other_hands_are_read_too() {
    let read = |text: &str, notation: &str| {
        let ply = zuyi().read(&start(), to_move(&start()), text, notation)?;
        Ok(zuyi().text(&start(), to_move(&start()), &ply))
    };
    for (text, notation, ply) in [
        ("砲2退2易傌", "chinese", "h2h0/N"),
        ("包二退２組馬", "chinese", "h2h0"),
        ("炮 二 平 五", "chinese-trad", "h2e2"),
        ("c2=5", "wxf", "h2e2"),
        ("C2-2/N", "wxf", "h2h0/N"),
    ] {
        assert_eq!(read(text, notation), Ok(ply.to_owned()), "{text}");
    }
    for (text, code) in [
        ("炮二平二", Code::Illegal),
        ("车五进一", Code::Illegal),
        ("h2e2", Code::Malformed),
        ("炮二平五！", Code::Malformed),
        ("", Code::Illegal),
    ] {
        let reject: xinqi_kernel::Reject = read(text, "chinese").unwrap_err();
        assert_eq!(reject.code, code, "{text}");
    }
}

/// No two plies of a position are written alike, and each reads back.
fn reads_back(state: &State) {
    let (game, seat) = (zuyi(), to_move(state));
    let mut plies = Vec::new();
    game.actions(state, seat, &mut plies);
    for notation in NOTATIONS {
        let mut texts = BTreeMap::new();
        for ply in &plies {
            let text = game.notate(state, seat, ply, notation).unwrap();
            if let Some(other) = texts.insert(text.clone(), ply) {
                panic!("{}: {text} is {ply:?} and {other:?}", state.fen());
            }
        }
        // Each reading writes all plies anew, so some of them stand for all.
        for (text, ply) in texts.iter().step_by(1 + texts.len() / 4) {
            assert_eq!(
                game.read(state, seat, text, notation).as_ref(),
                Ok(*ply),
                "{}",
                state.fen()
            );
        }
    }
}

#[test]
fn every_ply_reads_back() {
    let mut rng = xinqi_kernel::rng(5);
    for _ in 0..12 {
        stacked_game(&mut rng, 80, reads_back);
    }
    let mut seen = 0;
    while seen < 300 {
        if let Some(state) = scattered(&mut rng) {
            reads_back(&state);
            seen += 1;
        }
    }
}

proptest! {
    #[test]
    fn garbage_is_refused(text in "[前中后兵车马炮帅分以进退平组易一二12RHCP+:&/.@-]{0,9}|\\PC{0,9}") {
        for notation in NOTATIONS {
            if let Ok(ply) = zuyi().read(&start(), to_move(&start()), &text, notation) {
                prop_assert!(zuyi().check(&start(), to_move(&start()), &ply).is_ok());
            }
        }
    }
}
