//! Chinese, WXF and ICCS, both ways.

use crate::{START, rules, start, wander};
use proptest::prelude::*;
use xinqi_games::xiangqi::State;
use xinqi_kernel::{Code, Committable, Game, Seat, Turn};

const NAMES: [&str; 4] = ["chinese", "chinese-trad", "wxf", "iccs"];

fn write(state: &State, ply: &str, notation: &str) -> String {
    let rules = rules(&[]);
    let mv = rules.intent(ply).unwrap();
    rules
        .check(state, seat(state), &mv)
        .unwrap_or_else(|e| panic!("{ply}: {e}"));
    rules.notate(state, seat(state), &mv, notation).unwrap()
}

fn read(state: &State, text: &str, notation: &str) -> Result<String, Code> {
    let mv = rules(&[]).read(state, seat(state), text, notation);
    mv.map(|mv| mv.to_string()).map_err(|refusal| refusal.code)
}

fn seat(state: &State) -> Seat {
    state.position().side().into()
}

const BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
const TANDEM: &str = "3k1ab2/4R4/9/9/4R4/9/9/9/4A4/2BAK4 w - - 0 1";
/// cases.md C-7: two files of two; three on one file.
const TWO_FILES: &str = "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w - - 0 1";
const THREE: &str = "rnbakabnr/9/1c5c1/p1p1P1p1p/4P4/9/P3P3P/1C5C1/9/RNBAKABNR w - - 0 1";
const TWO: &str = "3k5/9/9/4P4/4P4/9/9/9/9/4K4 w - - 0 1";
const FOUR: &str = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/3AK4 w - - 0 1";
const BLACK_TANDEM: &str = "2bak4/4a4/4b4/3n5/9/2pnp4/2p1p4/9/9/3K5 b - - 0 1";

#[test]
fn plies_are_written_as_usual() {
    for (fen, ply, expected) in [
        (START, "h2e2", ["炮二平五", "炮二平五", "C2.5", "H2-E2"]),
        (START, "h0g2", ["马二进三", "馬二進三", "H2+3", "H0-G2"]),
        (START, "i0i1", ["车一进一", "車一進一", "R1+1", "I0-I1"]),
        (START, "g3g4", ["兵三进一", "兵三進一", "P3+1", "G3-G4"]),
        (START, "g0e2", ["相三进五", "相三進五", "E3+5", "G0-E2"]),
        (BLACK, "h9g7", ["马8进7", "馬8進7", "H8+7", "H9-G7"]),
        (BLACK, "h7e7", ["炮8平5", "砲8平5", "C8.5", "H7-E7"]),
        (BLACK, "d9e8", ["士4进5", "士4進5", "A4+5", "D9-E8"]),
        (BLACK, "e6e5", ["卒5进1", "卒5進1", "P5+1", "E6-E5"]),
        (TANDEM, "e8e9", ["前车进一", "前車進一", "+R+1", "E8-E9"]),
        (TANDEM, "e5a5", ["后车平九", "後車平九", "-R.9", "E5-A5"]),
        (TANDEM, "e1d2", ["仕五进六", "仕五進六", "A5+6", "E1-D2"]),
        (TWO_FILES, "d6e6", ["四兵平五", "四兵平五", "26.5", "D6-E6"]),
        (TWO_FILES, "f5e5", ["二兵平五", "二兵平五", "24.5", "F5-E5"]),
        (TWO_FILES, "h6h7", ["兵二进一", "兵二進一", "P2+1", "H6-H7"]),
        (THREE, "e6d6", ["前兵平六", "前兵平六", "15.6", "E6-D6"]),
        (THREE, "e5d5", ["中兵平六", "中兵平六", "25.6", "E5-D5"]),
        (THREE, "e3e4", ["后兵进一", "後兵進一", "35+1", "E3-E4"]),
        (TWO, "e6e7", ["前兵进一", "前兵進一", "P++1", "E6-E7"]),
        (TWO, "e5f5", ["后兵平四", "後兵平四", "P-.4", "E5-F5"]),
        (FOUR, "e5f5", ["四兵平四", "四兵平四", "45.4", "E5-F5"]),
        (FOUR, "e8d8", ["一兵平六", "一兵平六", "15.6", "E8-D8"]),
        (BLACK_TANDEM, "c4b4", ["2卒平2", "2卒平2", "23.2", "C4-B4"]),
        (BLACK_TANDEM, "e3f3", ["3卒平6", "3卒平6", "15.6", "E3-F3"]),
        (BLACK_TANDEM, "d4e2", ["前马进5", "前馬進5", "+H+5", "D4-E2"]),
    ] {
        let state = start(&rules(&[]), fen);
        for (notation, expected) in NAMES.into_iter().zip(expected) {
            assert_eq!(write(&state, ply, notation), expected, "{ply} in {fen}");
            assert_eq!(
                read(&state, expected, notation),
                Ok(ply.to_owned()),
                "{expected} in {fen}"
            );
        }
    }
}

#[test]
fn other_writings_are_read() {
    for (fen, notation, text, ply) in [
        (START, "chinese", "砲二平五", "h2e2"),
        (START, "chinese", "炮2平5", "h2e2"),
        (START, "chinese-trad", "炮２平５", "h2e2"),
        (START, "chinese", " 傌二進三 ", "h0g2"),
        (START, "chinese-trad", "俥一进一", "i0i1"),
        (BLACK, "chinese", "馬８進７", "h9g7"),
        (BLACK, "chinese", "马八进七", "h9g7"),
        (BLACK, "chinese", "包8平5", "h7e7"),
        (BLACK, "chinese", "兵5进1", "e6e5"),
        (START, "wxf", "C2=5", "h2e2"),
        (START, "wxf", "c2.5", "h2e2"),
        (START, "wxf", "N2+3", "h0g2"),
        (START, "wxf", "B3+5", "g0e2"),
        (TANDEM, "wxf", "R++1", "e8e9"),
        (TWO, "wxf", "+P+1", "e6e7"),
        (TWO_FILES, "wxf", "26=5", "d6e6"),
        (TWO_FILES, "wxf", "24=5", "f5e5"),
        (THREE, "wxf", "15=6", "e6d6"),
        (START, "iccs", "h2e2", "h2e2"),
        (START, "iccs", "H2E2", "h2e2"),
        (FOUR, "chinese", "后兵平四", "e5f5"),
        // Only one of the two on the file can go there.
        (TANDEM, "chinese", "车五进二", "e5e7"),
    ] {
        let state = start(&rules(&[]), fen);
        let read = read(&state, text, notation);
        assert_eq!(read.as_deref(), Ok(ply), "{text} in {fen}");
    }
}

#[test]
fn what_fits_nothing_or_too_much_is_refused() {
    let state = start(&rules(&[]), START);
    for text in [
        "",
        "炮",
        "炮二平",
        "炮二平五王",
        "炮零平五",
        "二炮",
        "前前进一",
        "炮二炮五",
    ] {
        assert_eq!(read(&state, text, "chinese"), Err(Code::Malformed), "{text}");
    }
    for text in [
        "", "C", "C2", "C2.", "C2.5+", "CC.5", "X2.5", "C2?5", "C0.5", "é2.5",
    ] {
        assert_eq!(read(&state, text, "wxf"), Err(Code::Malformed), "{text}");
    }
    for text in ["", "H2", "H2-", "H2-E22", "H2-J2", "é", "Hé-E2"] {
        assert_eq!(read(&state, text, "iccs"), Err(Code::Malformed), "{text}");
    }
    for (text, notation) in [
        ("炮二平二", "chinese"),
        ("前炮进一", "chinese"),
        ("C5.5", "wxf"),
        ("H2-H9", "wxf"),
    ] {
        assert!(read(&state, text, notation).is_err(), "{text}");
    }
    let state = start(&rules(&[]), TWO_FILES);
    assert_eq!(read(&state, "前兵平五", "chinese"), Err(Code::Illegal));
}

#[test]
fn every_legal_ply_reads_back() {
    let rules = rules(&[]);
    let starts = [START, TANDEM, TWO_FILES, THREE, FOUR, BLACK_TANDEM];
    for (seed, fen) in (0..).zip(starts) {
        wander(&rules, fen, seed, 120, |state| {
            let Turn::Ply(seat) = rules.turn(state) else {
                return;
            };
            let mut plies = Vec::new();
            rules.actions(state, seat, &mut plies);
            for notation in NAMES {
                for ply in &plies {
                    let text = rules.notate(state, seat, ply, notation).unwrap();
                    let back = rules.read(state, seat, &text, notation);
                    assert_eq!(back.as_ref(), Ok(ply), "{text} in {}", state.fen());
                }
            }
        });
    }
}

proptest! {
    #[test]
    fn garbage_is_refused_without_a_panic(
        any in "\\PC{0,8}",
        chinese in "[前中后一二8９车炮兵卒进退平]{3,5}",
        latin in "[+.=0-9RHNCPp-]{3,6}",
    ) {
        for fen in [START, BLACK, FOUR] {
            let state = start(&rules(&[]), fen);
            for (text, notation) in [&any, &chinese, &latin].into_iter().flat_map(|t| NAMES.map(|n| (t, n))) {
                if let Ok(ply) = read(&state, text, notation) {
                    prop_assert!(!write(&state, &ply, notation).is_empty());
                }
            }
        }
    }
}
