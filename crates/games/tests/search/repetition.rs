//! Search judges repetition as the rules do, over what was played before it and its own line.

use super::*;
use xinqi_kernel::{Evaluate, Step};

/// Rule set, position, plies of which the last completes a repetition that ends the game (cases C-5 and C-11, and the
/// like for the others).
const CYCLES: [(&str, &str, &str); 10] = [
    // A cannon chases a rook.
    (
        "xiangqi",
        "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w - - 0 1",
        "c2a2 a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 b7a7 b2a2",
    ),
    // A pawn may chase.
    (
        "xiangqi",
        "2bakabr1/9/9/r1p1p1p2/p7R/P8/9/9/9/1C1AKA3 w - - 0 1",
        "a4a5 a6b6 a5b5 b6a6 b5a5 a6b6 a5b5 b6a6 b5a5",
    ),
    // A pawn checks for ever.
    (
        "xiangqi",
        "3k5/9/9/9/9/5p3/9/5p3/5K3/5C3 w - - 0 1",
        "f1e1 f2e2 e1f1 e2f2 f1e1 f2e2 e1f1 e2f2",
    ),
    // Both check for ever.
    (
        "xiangqi",
        "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 0 1",
        "e3d3 d6e6 d3e3 e6d6 e3d3 d6e6 d3e3 e6d6",
    ),
    // A horse is chased without a protector, and with one.
    (
        "xiangqi",
        "3k5/9/9/9/9/9/3r5/9/9/3NK4 w - - 0 1",
        "d0c2 d3c3 c2d0 c3d3 d0c2 d3c3 c2d0 c3d3",
    ),
    (
        "xiangqi",
        "3k5/9/9/3n5/9/9/3r5/9/9/3NK4 w - - 0 1",
        "d0c2 d3c3 c2d0 c3d3 d0c2 d3c3 c2d0 c3d3",
    ),
    (
        "shogi",
        "",
        "5g5f 5c5d 2h5h 5a5b 5f5e 5b5c 5h5f 5c6d 5f6f 6d7d 6f7f 7d6d 7f6f 6d7d 6f7f 7d6d 7f6f 6d7d 6f7f 7d6d 7f6f",
    ),
    ("chess", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
    // In zuyi and wangqi nobody is chased, but a rook checks for ever.
    (
        "zuyi",
        "4k4/9/9/9/9/9/9/9/4p4/R2K5 w - - 0 1",
        "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9",
    ),
    (
        "wangqi",
        "3+k5/9/9/9/9/9/9/9/9/R3+K4 w -,- - 0 1",
        "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9",
    ),
];

#[test]
fn search_judges_a_repetition_as_the_game_does() {
    for (id, fen, plies) in CYCLES {
        for_rules!(id, same_verdict(fen, plies));
    }
}

/// The state before the last of `plies`, and that last ply.
fn before_the_last<'a, G: RuleSet>(game: &G, fen: &str, plies: &'a str) -> (G::State, &'a str) {
    let mut state = start(game, fen);
    let plies: Vec<&str> = plies.split(' ').collect();
    let (last, before) = plies.split_last().expect("there are plies");
    for ply in before {
        play(game, &mut state, ply);
        assert_eq!(game.outcome(&state), None, "{fen}: {ply}");
    }
    (state, last)
}

fn same_verdict<G: RuleSet + Evaluate<Action: PartialEq>>(fen: &str, plies: &str) {
    let game: G = rules("");
    let (mut state, last) = before_the_last(&game, fen, plies);
    let mut past = game.past(&state);
    let mut position = game.position(&state);
    let seat = to_move(&game, &state);
    let action = game.parse(&state, seat, last).unwrap();
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mv = moves
        .into_iter()
        .find(|&mv| game.action(&position, mv) == action)
        .unwrap();
    assert!(!game.is_final(&position, mv));
    game.make(&mut position, mv);
    past.push(Step {
        key: game.identity(&position),
        check: game.must_answer(&position),
        mv: Some(mv),
    });
    play(&game, &mut state, last);
    let key = game.identity(&position);
    let first = past.iter().position(|step| step.key == key).unwrap();
    let occurrences = past.iter().filter(|step| step.key == key).count();
    assert_eq!(occurrences, G::OCCURRENCES, "{} {plies}", G::ID);
    let verdict = game.repetition(&position, &past[first + 1..]);
    assert_eq!(Some(verdict), game.outcome(&state), "{} {plies}", G::ID);
}

#[test]
fn nobody_repeats_into_a_loss() {
    for (id, fen, plies) in [CYCLES[0], CYCLES[6]] {
        for_rules!(id, avoids(fen, plies));
    }
}

fn avoids<G: RuleSet + Thinks>(fen: &str, plies: &str) {
    let game: G = rules("");
    let (state, last) = before_the_last(&game, fen, plies);
    let seat = to_move(&game, &state);
    let mut repeated = state.clone();
    play(&game, &mut repeated, last);
    assert_eq!(
        winner(game.outcome(&repeated)),
        Some(seat.other()),
        "{last} loses"
    );
    let (best, _) = think(&game, &state, &nodes(5000));
    assert_ne!(best, last, "{}", G::ID);
}

#[test]
fn whoever_is_lost_checks_for_ever_where_that_draws() {
    let game = Chess::default();
    let state = start(&game, "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1");
    let (best, told) = think(&game, &state, &nodes(60_000));
    assert_eq!(best, "h5e8");
    assert_eq!(told.last().map(|info| info.score), Some(0));
}
