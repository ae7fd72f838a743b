//! Positions with what is to be found in them.

use super::*;
use xinqi_kernel::{Evaluate, Tree};

/// The fields of a line of a suite, which ` | ` parts; lines that begin with `#` are comments.
fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split(" | ").collect())
}

#[test]
fn mates_are_found_and_are_mates() {
    for line in lines(include_str!("mates.txt")) {
        let [id, fen, plies] = line[..] else {
            panic!("{line:?}")
        };
        for_rules!(id, mates(fen, plies.parse().unwrap()));
    }
}

fn mates<G: RuleSet + Thinks>(fen: &str, plies: i32) {
    let game: G = rules("");
    let mut state = start(&game, fen);
    let side = to_move(&game, &state);
    let (best, told) = think(&game, &state, &nodes(60_000));
    let last = told.last().expect("something is told");
    let mate = last
        .mate
        .unwrap_or_else(|| panic!("{}: no mate found in {fen}: {last:?}", G::ID));
    assert!((1..=plies).contains(&mate), "{}: {mate} in {fen}", G::ID);
    assert_eq!(best, last.line[0]);
    for ply in &last.line {
        play(&game, &mut state, ply);
    }
    assert_eq!(
        last.line.len(),
        mate as usize,
        "{}: {fen}: {:?}",
        G::ID,
        last.line
    );
    assert_eq!(winner(game.outcome(&state)), Some(side), "{}: {fen}", G::ID);
}

#[test]
fn continuous_fours_win_whatever_is_answered() {
    for line in lines(include_str!("fours.txt")) {
        let [options, fen, plies] = line[..] else {
            panic!("{line:?}")
        };
        let game: Gomoku = rules(options);
        let state = start(&game, fen);
        let (_, told) = think(&game, &state, &nodes(1000));
        let found = told.last().and_then(|info| info.mate);
        if plies == "none" {
            let first = game.forced_win(&mut game.position(&state), 64);
            assert_eq!(first, None, "{options} {fen}");
            continue;
        }
        assert_eq!(found, Some(plies.parse().unwrap()), "{options} {fen}");
        let position = game.position(&state);
        assert!(wins(&game, &position, to_move(&game, &state)), "{options} {fen}");
    }
}

/// Whether the ply that is proposed wins for `us` against every answer, by brute force.
fn wins(game: &Gomoku, position: &<Gomoku as Tree>::Position, us: Seat) -> bool {
    let mut position = position.clone();
    let Some((mv, _)) = game.forced_win(&mut position, 64) else {
        return false;
    };
    game.make(&mut position, mv);
    let mut answers = Vec::new();
    game.moves(&position, &mut answers);
    if let Some(outcome) = game.terminal(&position, !answers.is_empty()) {
        return winner(Some(outcome)) == Some(us);
    }
    answers.into_iter().all(|answer| {
        let mut after = position.clone();
        game.make(&mut after, answer);
        game.terminal(&after, true).is_none() && wins(game, &after, us)
    })
}
