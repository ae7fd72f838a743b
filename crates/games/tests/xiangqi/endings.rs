//! README, "Endings": what ends a game, and in which order.

use crate::board::point;
use crate::{START, outcome, play, rules, start};
use xinqi_kernel::{Ending, Events, Game, Outcome, Reason, Seat, Turn};

/// A line in the coordinates of programs whose ranks count from 1.
fn from_one(plies: &str) -> String {
    let ply = |text: &str| -> String {
        let coordinates = text.split_inclusive(|c: char| c.is_ascii_digit());
        coordinates
            .map(|c| format!("{}{}", &c[..1], point(c).1 - 1))
            .collect::<String>()
            + " "
    };
    plies.split_whitespace().map(ply).collect()
}

fn win(seat: Seat, reason: Reason) -> Option<Outcome> {
    Some(Outcome::Win(seat, reason))
}

#[test]
fn no_legal_ply_loses() {
    let rules = rules(&[]);
    for (fen, expected) in [
        // cases.md C-3: stalemated, and loses.
        ("3k5/4P4/9/9/9/9/9/9/9/4K4 b", win(Seat::FIRST, Reason::Stalemate)),
        // A rook backs a rook.
        (
            "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b",
            win(Seat::FIRST, Reason::Checkmate),
        ),
        // The screen may step away: no mate.
        ("4k4/4a4/9/9/9/9/9/4C4/9/4K4 b", None),
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 w",
            Some(Outcome::Draw(Reason::InsufficientMaterial)),
        ),
    ] {
        let state = start(&rules, fen);
        assert_eq!(rules.outcome(&state), expected, "{fen}");
        assert_eq!(rules.turn(&state) == Turn::Over, expected.is_some(), "{fen}");
    }
}

#[test]
fn perpetual_check_loses_at_the_third_occurrence() {
    // cases.md C-5 c, d, e.
    for (fen, plies, expected) in [
        (
            "3k5/9/9/9/9/5p3/9/5p3/5K3/5C3 w",
            "f2e2 f3e3 e2f2 e3f3 f2e2 f3e3 e2f2 e3f3",
            win(Seat::FIRST, Reason::PerpetualCheck),
        ),
        (
            "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w",
            "e4d4 d7e7 d4e4 e7d7 e4d4 d7e7 d4e4 e7d7",
            Some(Outcome::Draw(Reason::Repetition)),
        ),
        (
            "9/3kc4/3a5/3P5/9/4p4/9/4K4/9/3C5 w",
            "d7e7 e5d5 e7d7 d5e5 d7e7 e5d5 e7d7 d5e5",
            win(Seat::FIRST, Reason::PerpetualCheck),
        ),
    ] {
        for options in [&[][..], &[("chase", "off")]] {
            assert_eq!(outcome(&rules(options), fen, &from_one(plies)), expected, "{fen}");
        }
    }
}

#[test]
fn perpetual_chase_loses_at_the_third_occurrence() {
    // cases.md C-5 a, b, f, g.
    let chase = |loser: Seat| win(loser.other(), Reason::PerpetualChase);
    let draw = Some(Outcome::Draw(Reason::Repetition));
    for (fen, plies, expected) in [
        (
            "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w",
            "c3a3 a8b8 a3b3 b8a8 b3a3 a8b8 a3b3 b8a8 b3a3",
            chase(Seat::FIRST),
        ),
        (
            "2bakabr1/9/9/r1p1p1p2/p7R/P8/9/9/9/1C1AKA3 w",
            "a5a6 a7b7 a6b6 b7a7 b6a6 a7b7 a6b6 b7a7 b6a6",
            draw,
        ),
        (
            "4k4/7n1/9/4pR3/9/9/4P4/9/9/4K4 w",
            "f7h7 h9f8 h7h8 f8g6 h8g8 g6i7 g8g7 i7h9 g7h7 h9f8 h7h8 f8g6 h8g8 g6i7 g8g7 i7h9 g7h7",
            draw,
        ),
        (
            "3k5/9/9/9/9/9/3r5/9/9/3NK4 w",
            "d1c3 d4c4 c3d1 c4d4 d1c3 d4c4 c3d1 c4d4",
            chase(Seat::SECOND),
        ),
        (
            "3k5/9/9/3n5/9/9/3r5/9/9/3NK4 w",
            "d1c3 d4c4 c3d1 c4d4 d1c3 d4c4 c3d1 c4d4",
            draw,
        ),
    ] {
        let plies = from_one(plies);
        assert_eq!(outcome(&rules(&[]), fen, &plies), expected, "{fen}");
        assert_eq!(outcome(&rules(&[("chase", "off")]), fen, &plies), draw, "{fen}");
    }
}

#[test]
fn plain_repetition_draws_and_a_capture_starts_afresh() {
    let shuffle = "b0c2 b9c7 c2b0 c7b9";
    let rules = rules(&[]);
    let mut state = start(&rules, START);
    play(&rules, &mut state, shuffle);
    assert_eq!(rules.outcome(&state), None);
    play(&rules, &mut state, shuffle);
    assert_eq!(rules.outcome(&state), Some(Outcome::Draw(Reason::Repetition)));

    let mut state = start(&rules, START);
    play(&rules, &mut state, shuffle);
    play(&rules, &mut state, "h2h9 i9h9");
    play(&rules, &mut state, shuffle);
    assert_eq!(rules.outcome(&state), None);
    play(&rules, &mut state, shuffle);
    assert_eq!(rules.outcome(&state), Some(Outcome::Draw(Reason::Repetition)));
}

#[test]
fn plies_without_a_capture_run_out() {
    let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 118 60";
    let end = |options: &[(&str, &str)], plies| outcome(&rules(options), fen, plies);
    assert_eq!(end(&[], "e1a1 d9d8"), Some(Outcome::Draw(Reason::NoProgress)));
    assert_eq!(end(&[("no_progress", "0")], "e1a1 d9d8"), None);
    assert_eq!(
        end(&[("no_progress", "119")], "e1a1"),
        Some(Outcome::Draw(Reason::NoProgress))
    );
    // Mate is asked about before the count, and bare material after it.
    let at =
        |rows: &str, captureless, ply| outcome(&rules(&[]), &format!("{rows} w - - {captureless} 60"), ply);
    let mating = "3k5/7R1/9/9/9/9/9/9/R8/5K3";
    assert_eq!(at(mating, 119, "a1a9"), win(Seat::FIRST, Reason::Checkmate));
    assert_eq!(at(mating, 119, "a1a8"), Some(Outcome::Draw(Reason::NoProgress)));
    let last_pawn = "3k5/9/9/9/9/9/9/9/5p3/5K3";
    assert_eq!(
        at(last_pawn, 119, "f0f1"),
        Some(Outcome::Draw(Reason::InsufficientMaterial))
    );
    assert_eq!(at("3k5/9/9/9/9/9/9/4p4/4R4/5K3", 119, "e1e2"), None);
}

#[test]
fn a_fallen_flag_loses_only_to_a_side_that_could_win() {
    let rules = rules(&[]);
    for (fen, loser, expected) in [
        (START, Seat::FIRST, Outcome::Win(Seat::SECOND, Reason::Timeout)),
        (
            "3k5/9/9/9/4P4/9/9/9/9/5K3 w",
            Seat::SECOND,
            Outcome::Win(Seat::FIRST, Reason::Timeout),
        ),
        (
            "3k5/9/9/9/4P4/9/9/9/9/5K3 w",
            Seat::FIRST,
            Outcome::Draw(Reason::InsufficientMaterial),
        ),
        (
            "3k1ab2/9/9/9/9/9/9/9/4R4/5K3 w",
            Seat::FIRST,
            Outcome::Draw(Reason::InsufficientMaterial),
        ),
    ] {
        let mut state = start(&rules, fen);
        rules.conclude(&mut state, loser, Ending::Timeout, &mut Events::ignore());
        assert_eq!(rules.outcome(&state), Some(expected), "{fen}");
    }
}
