//! Gomoku's wins by threats, tried against every answer.

use super::suites::lines;
use super::*;
use rand::RngExt;
use std::collections::HashMap;
use xinqi_kernel::{Evaluate, Tree};

type Position = <Gomoku as Tree>::Position;

#[test]
fn threats_win_whatever_is_answered() {
    // Near the leaves fours alone are followed.
    for (suite, depth) in [(include_str!("fours.txt"), 2), (include_str!("threes.txt"), 64)] {
        for line in lines(suite) {
            let [options, fen, plies] = line[..] else {
                panic!("{line:?}")
            };
            let game: Gomoku = rules(options);
            let mut position = game.position(&start(&game, fen));
            let depth = if plies == "none" { depth } else { 64 };
            let found = game.forced_win(&mut position, depth).map(|(_, plies)| plies);
            let Ok(plies) = plies.parse() else {
                assert_eq!(found, None, "{options} {fen}");
                continue;
            };
            assert!(
                found.is_some_and(|found| found <= plies),
                "{options} {fen}: {found:?}"
            );
            let won = wins(&game, &mut position, &mut HashMap::new());
            assert!(won, "{options} {fen}");
        }
    }
}

/// Every win that is claimed in random positions of small boards, where edges and full lines are near.
#[test]
fn the_first_stone_goes_to_the_middle() {
    for (options, middle) in [("", 8u32), ("size=10", 6), ("size=19", 10), ("rule=renju", 8)] {
        let game: Gomoku = rules(options);
        let (ply, _) = think(&game, &start(&game, ""), &nodes(2000));
        let (file, rank) = ply.split_at(1);
        let file = u32::from(file.as_bytes()[0] - b'a') + 1;
        let rank: u32 = rank.parse().expect("a rank");
        assert_eq!((file, rank), (middle, middle), "{options}: {ply}");
    }
}

#[test]
fn claims_hold_in_random_positions() {
    for options in ["rule=freestyle", "rule=standard", "rule=renju"] {
        let game: Gomoku = rules(&format!("size=7,{options}"));
        let mut claims = 0;
        for seed in 0..200 {
            let Some(mut position) = random_position(&game, seed) else {
                continue;
            };
            if game
                .forced_win(&mut position, 64)
                .is_some_and(|(_, plies)| (5..=9).contains(&plies))
            {
                claims += 1;
                let shown = wins(&game, &mut position, &mut HashMap::new());
                assert!(shown, "{options} seed {seed}");
            }
        }
        assert!(claims >= 5, "{options}: {claims}");
    }
}

/// A ply near the stones that is no candidate loses to a four that cannot be stopped.
#[test]
fn what_is_no_candidate_loses() {
    for options in ["rule=freestyle", "rule=standard", "rule=renju"] {
        let game: Gomoku = rules(&format!("size=9,{options}"));
        let mut left_out = 0;
        for seed in 0..300 {
            let Some(mut position) = random_position(&game, seed) else {
                continue;
            };
            let (mut candidates, mut all) = (Vec::new(), Vec::new());
            game.candidates(&position, &mut candidates);
            game.moves(&position, &mut all);
            // Few, but not because few points are near stones.
            let answers = 1..12;
            let five = game
                .forced_win(&mut position, 1)
                .is_some_and(|(_, plies)| plies == 1);
            if five || game.must_answer(&position) || !answers.contains(&candidates.len()) {
                continue;
            }
            for mv in all.into_iter().filter(|mv| !candidates.contains(mv)) {
                let undo = game.make(&mut position, mv);
                let lost = game
                    .forced_win(&mut position, 64)
                    .is_some_and(|(_, plies)| plies <= 3);
                game.unmake(&mut position, mv, undo);
                left_out += u32::from(lost);
                assert!(lost, "{options} seed {seed}: {mv}");
            }
        }
        assert!(left_out >= 100, "{options}: {left_out}");
    }
}

/// A position after random plies, about a third of the board.
fn random_position(game: &Gomoku, seed: u64) -> Option<Position> {
    let mut chance = xinqi_kernel::rng(seed);
    let mut state = start(game, "");
    let points = game.count(&game.position(&state));
    for _ in 0..chance.random_range(points / 8..points / 2) {
        let seat = game.turn(&state).seats().iter().next()?;
        let action = game.sample(&state, seat, &mut chance)?;
        game.apply(&mut state, seat, &action, &mut Events::ignore());
    }
    game.outcome(&state).is_none().then(|| game.position(&state))
}

/// Whether the ply that is proposed wins against every answer, by brute force; `known` by the positions' keys.
fn wins(game: &Gomoku, position: &mut Position, known: &mut HashMap<u64, bool>) -> bool {
    let key = game.key(position);
    if let Some(&won) = known.get(&key) {
        return won;
    }
    let us = game.side(position);
    let Some((mv, _)) = game.forced_win(position, 64) else {
        return false;
    };
    let undo = game.make(position, mv);
    let mut answers = Vec::new();
    game.moves(position, &mut answers);
    let won = match game.terminal(position, !answers.is_empty()) {
        Some(outcome) => winner(Some(outcome)) == Some(us),
        None => answers.into_iter().all(|answer| {
            let undo = game.make(position, answer);
            let won = game.terminal(position, true).is_none() && wins(game, position, known);
            game.unmake(position, answer, undo);
            won
        }),
    };
    game.unmake(position, mv, undo);
    known.insert(key, won);
    won
}
