//! Mates proved by the rules alone: some ply, whatever is answered, until the game is won.

use super::suites::lines;
use super::*;

/// Longer mates are left to the engine's word: trying everything costs a hundredfold for two plies more.
const CHEAP: u32 = 5;

#[test]
fn mates_are_forced() {
    for line in lines(include_str!("mates.txt")) {
        let [id, fen, plies] = line[..] else {
            panic!("{line:?}")
        };
        let plies: u32 = plies.parse().unwrap();
        if plies <= CHEAP {
            for_rules!(id, forced(fen, plies));
        }
    }
}

fn forced<G: RuleSet>(fen: &str, plies: u32) {
    let game: G = rules("");
    let state = start(&game, fen);
    assert!(
        wins(&game, &state, plies),
        "{}: {fen} is no mate in {plies}",
        G::ID
    );
    let sooner = plies > 2 && wins(&game, &state, plies - 2);
    assert!(!sooner, "{}: {fen} is a mate in fewer than {plies}", G::ID);
}

/// Whether the side to move can win within so many plies.
fn wins<G: Game>(game: &G, state: &G::State, plies: u32) -> bool {
    let side = to_move(game, state);
    let won = |state: &G::State| winner(game.outcome(state)) == Some(side);
    let mut after = all_after(game, state);
    if after.iter().any(won) {
        return true;
    }
    if plies <= 2 {
        return false;
    }
    after.retain(|next| game.outcome(next).is_none());
    let mut answered: Vec<_> = after.iter().map(|next| all_after(game, next)).collect();
    // The fewer the answers, the sooner it is known.
    answered.sort_by_key(Vec::len);
    answered.iter().any(|answers| {
        let lost = |answer| match game.outcome(answer) {
            None => wins(game, answer, plies - 2),
            Some(_) => won(answer),
        };
        answers.iter().all(lost)
    })
}

fn all_after<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let side = to_move(game, state);
    let mut plies = Vec::new();
    game.actions(state, side, &mut plies);
    let after = |ply| {
        let mut state = state.clone();
        game.apply(&mut state, side, ply, &mut Events::ignore());
        state
    };
    plies.iter().map(after).collect()
}
