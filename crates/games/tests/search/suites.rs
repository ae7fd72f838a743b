//! Positions with what is to be found in them.

use super::*;

/// The fields of a line of a suite, which ` | ` parts; lines that begin with `#` are comments.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
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
fn tactics_are_solved() {
    for line in lines(include_str!("tactics.txt")) {
        let [id, fen, within, best, theme] = line[..] else {
            panic!("{line:?}")
        };
        for_rules!(id, solves(fen, within.parse().unwrap(), best, theme));
    }
}

fn solves<G: RuleSet + Thinks>(fen: &str, within: u64, best: &str, theme: &str) {
    let game: G = rules("");
    let (found, _) = think(&game, &start(&game, fen), &nodes(within));
    let solved = best.split(' ').any(|best| best == found);
    assert!(solved, "{}, {theme}: {found} is not {best} in {fen}", G::ID);
}
