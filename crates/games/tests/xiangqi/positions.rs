//! Legal plies, counts, texts.

use crate::board::{Board, name, points, read};
use crate::{START, rules, start, wander};
use proptest::prelude::*;
use xinqi_games::xiangqi::State;
use xinqi_kernel::{Committable, Game, Seat, Setup, Tree, Turn, perft};

/// Positions in which much can go wrong: checks, pins by line, screen and leg, bare palaces.
const POSITIONS: [&str; 12] = [
    START,
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1",
    "4k4/9/9/9/9/9/9/9/4N4/4K4 w - - 0 1",
    "3k5/9/9/9/9/4p4/4N4/9/9/4K4 w - - 0 1",
    "3k5/9/9/9/9/2B6/1p7/4B4/9/4K4 w - - 0 1",
    "4k4/4C4/9/9/4C4/9/9/9/9/3K5 b - - 0 1",
    "3ak4/9/9/9/4P4/9/9/9/9/5K3 w - - 0 1",
    "3k1a3/4a4/3P1P3/9/2n3n2/9/3p1p3/5A3/4A4/4K4 w - - 0 1",
    "r1bakab1r/9/1cn4c1/p1p1C1p1p/5n3/9/P1P1P1P1P/1C4N2/9/RNBAKAB1R b - - 0 8",
    "3akab2/9/4b4/9/9/2B1c4/9/B3C4/4r4/3AKA3 w - - 0 1",
    "2bak4/4a4/4b4/9/4c1n2/4C4/9/3AB1N2/4A4/2B1K4 w - - 0 1",
];

#[test]
fn perft_agrees_with_two_other_generators() {
    // base-games.md and cases.md C-1.
    for (fen, counts) in [
        (START, &[44, 1_920, 79_666, 3_290_240][..]),
        (POSITIONS[1], &[49, 2_265, 100_326, 4_485_547]),
        (POSITIONS[2], &[13, 272, 3_707, 92_741]),
        ("4k4/9/9/9/9/9/9/4N4/9/4K4 w - - 0 1", &[3, 7, 55]),
        (POSITIONS[4], &[8, 40, 373]),
        (POSITIONS[5], &[5, 22, 123]),
        (POSITIONS[6], &[2, 45]),
        (POSITIONS[7], &[5, 12, 58]),
    ] {
        let rules = rules(&[]);
        let mut position = rules.position(&start(&rules, fen));
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(
                perft(&rules, &mut position, depth),
                count,
                "{fen} at depth {depth}"
            );
        }
    }
}

/// The legal plies read literally: what reaches, takes no own piece, leaves the king unattacked and not facing.
fn literal(fen: &str) -> (Vec<String>, bool) {
    let mut board = Board([[None; 9]; 10]);
    read(fen, |point, token| board.put(point, token.chars().next()));
    let red = fen.split(' ').nth(1) == Some("w");
    let own = |c: char| c.is_ascii_uppercase() == red;
    let attacked = |board: &Board| board.in_check(red, |_| true);
    let mut plies = Vec::new();
    for from in points().filter(|&p| board.at(p).is_some_and(own)) {
        for to in points().filter(|&p| p != from && !board.at(p).is_some_and(own)) {
            if board.reaches(from, to) {
                let mut after = board.clone();
                after.put(to, board.at(from));
                after.put(from, None);
                if !attacked(&after) && !after.kings_face() {
                    plies.push(name(from) + &name(to));
                }
            }
        }
    }
    plies.sort();
    let check = attacked(&board);
    (plies, check)
}

fn legal(state: &State) -> Vec<String> {
    let rules = rules(&[]);
    let mut moves = Vec::new();
    rules.moves(state.position(), &mut moves);
    let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// Every claim about one state: plies, count, check, text, key.
fn agrees(state: &State) {
    let rules = rules(&[]);
    let fen = state.fen();
    let position = state.position();
    let (plies, check) = literal(&fen);
    assert_eq!(legal(state), plies, "{fen}");
    assert_eq!(position.count(), plies.len() as u64, "{fen}");
    assert_eq!(position.has_moves(), !plies.is_empty(), "{fen}");
    assert_eq!(position.in_check(), check, "{fen}");
    let scratch = start(&rules, &fen);
    assert_eq!(scratch.position(), position, "{fen}");
    assert_eq!(scratch.fen(), fen);
    for text in &plies {
        let mv = rules.intent(text).unwrap();
        assert!(position.is_legal(mv), "{text} in {fen}");
        let mut after = position.clone();
        let undo = rules.make(&mut after, mv);
        rules.unmake(&mut after, mv, undo);
        assert_eq!(&after, position, "{text} in {fen}");
    }
}

#[test]
fn plies_agree_with_a_literal_reading_of_the_rules() {
    let rules = rules(&[("no_progress", "0")]);
    for (seed, fen) in (0..).zip(POSITIONS) {
        for game in 0..6 {
            wander(&rules, fen, seed * 100 + game, 150, agrees);
        }
    }
}

#[test]
fn every_pair_of_points_is_legal_only_if_listed() {
    for fen in POSITIONS {
        let rules = rules(&[]);
        let state = start(&rules, fen);
        let listed = legal(&state);
        let Turn::Ply(seat) = rules.turn(&state) else {
            continue;
        };
        for (from, to) in points().flat_map(|from| points().map(move |to| (from, to))) {
            let text = name(from) + &name(to);
            match rules.parse(&state, seat, &text) {
                Ok(mv) => assert_eq!(
                    rules.check(&state, seat, &mv).is_ok(),
                    listed.contains(&text),
                    "{text}"
                ),
                Err(_) => assert_eq!(from, to),
            }
        }
    }
}

#[test]
fn input_is_read_in_the_forms_that_others_write() {
    let rules = rules(&[]);
    let forms = [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -",
    ];
    for form in forms {
        assert_eq!(start(&rules, form).fen(), START);
    }
    for (form, error) in [
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 w x - 0 1",
            "FEN: third field is - in xiangqi",
        ),
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 x",
            "FEN: side to move is w or b, not \"x\"",
        ),
        (
            "4k4/9/9/9/4r4/9/9/9/9/4K4 b",
            "FEN: Red is in check, but Black is to move",
        ),
    ] {
        let setup = Setup {
            fen: Some(form),
            seed: 0,
        };
        assert_eq!(rules.start(&setup).map(|s| s.fen()).unwrap_err().0, error);
    }
}

proptest! {
    #[test]
    fn garbage_is_refused_without_a_panic(
        text in "\\PC{0,40}",
        plyish in "[a-j][0-9][a-j][0-9]?\\PC?",
        rows in proptest::collection::vec("[rnbakcpRNBAKCP1-9+]{1,9}", 8..11),
        tail in "( [wbr]( -( -( [0-9]{1,3}( [0-9]{1,3})?)?)?)?)?",
    ) {
        let rules = rules(&[]);
        let state = start(&rules, START);
        for text in [&text, &plyish] {
            if let Ok(mv) = rules.parse(&state, Seat::FIRST, text) {
                prop_assert_eq!(&rules.text(&state, Seat::FIRST, &mv), text);
            }
        }
        for fen in [text, rows.join("/") + &tail] {
            let taken = rules.start(&Setup { fen: Some(&fen), seed: 0 });
            if let Ok(state) = taken {
                prop_assert_eq!(start(&rules, &state.fen()).fen(), state.fen());
            }
        }
    }

    #[test]
    fn scattered_pieces_are_refused_or_playable(
        pieces in proptest::collection::vec(("[RNCBAPrncbap]", 0..90usize), 0..12),
        kings in (0..9usize, 0..9usize),
        red in any::<bool>(),
    ) {
        let mut cells = vec![None; 90];
        for (piece, index) in &pieces {
            cells[*index] = piece.chars().next();
        }
        cells[kings.0 / 3 * 9 + kings.0 % 3 + 3] = Some('K');
        cells[63 + kings.1 / 3 * 9 + kings.1 % 3 + 3] = Some('k');
        let rows: Vec<String> = (0..10).rev().map(|rank| {
            let cell = |file: usize| cells[rank * 9 + file].map_or("1".to_owned(), String::from);
            (0..9).map(cell).collect()
        }).collect();
        let fen = format!("{} {} - - 0 1", rows.join("/"), if red { 'w' } else { 'b' });
        let rules = rules(&[]);
        if let Ok(state) = rules.start(&Setup { fen: Some(&fen), seed: 0 }) {
            agrees(&state);
        }
    }
}
