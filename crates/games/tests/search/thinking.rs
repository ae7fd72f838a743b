//! What a decision depends on, and how levels differ.

use super::*;
use xinqi_engine::Stop;

#[test]
fn one_thread_decides_by_the_seed_alone() {
    for id in ALL {
        for_rules!(id, repeats());
    }
}

fn repeats<G: RuleSet + Thinks>() {
    let game: G = rules("");
    let mut state = start(&game, "");
    for ply in 0..4 {
        let levels = [Limits::level(2, ply), nodes(3000)];
        let [once, again] = [(); 2].map(|()| levels.each_ref().map(|limits| think(&game, &state, limits).0));
        assert_eq!(once, again, "{}", G::ID);
        play(&game, &mut state, &once[1]);
    }
}

#[test]
fn several_best_plies_come_in_order_and_differ() {
    for id in ALL {
        for_rules!(id, several());
    }
}

fn several<G: RuleSet + Thinks>() {
    let game: G = rules("");
    let mut state = start(&game, "");
    for _ in 0..2 {
        let (ply, _) = think(&game, &state, &nodes(500));
        play(&game, &mut state, &ply);
    }
    let limits = Limits {
        multipv: 3,
        depth: 4,
        ..Limits::default()
    };
    let (best, told) = think(&game, &state, &limits);
    assert!(!told.is_empty());
    for three in told.chunks(3) {
        let [a, b, c] = three else {
            panic!("{}: three lines at each depth", G::ID)
        };
        assert_eq!([a.multipv, b.multipv, c.multipv], [1, 2, 3]);
        assert!(a.score >= b.score && b.score >= c.score, "{}: {three:?}", G::ID);
        assert!(a.line[0] != b.line[0] && b.line[0] != c.line[0] && a.line[0] != c.line[0]);
    }
    assert_eq!(best, told[told.len() - 3].line[0]);
}

#[test]
fn what_is_played_was_told_of_last() {
    for id in ALL {
        for_rules!(id, told_of());
    }
}

/// The line that is played is the best one told of, wherever the search is broken off.
fn told_of<G: RuleSet + Thinks>() {
    let game: G = rules("");
    let mut state = start(&game, "");
    for _ in 0..3 {
        let (ply, _) = think(&game, &state, &nodes(300));
        play(&game, &mut state, &ply);
    }
    for multipv in [1, 4] {
        for n in 1..40 {
            let limits = Limits {
                multipv,
                ..nodes(n * 250)
            };
            let (best, told) = think(&game, &state, &limits);
            let last = told.iter().rev().find(|info| info.multipv == 1);
            let last = last.unwrap_or_else(|| panic!("{}: nothing was told", G::ID));
            assert_eq!(best, last.line[0], "{} {n}", G::ID);
        }
    }
}

#[test]
fn what_is_banned_is_not_played() {
    for id in ALL {
        for_rules!(id, banned());
    }
}

fn banned<G: RuleSet + Thinks>() {
    let game: G = rules("");
    let state = start(&game, "");
    let mut limits = nodes(400);
    for _ in 0..5 {
        let (ply, told) = think(&game, &state, &limits);
        assert!(!limits.banned.contains(&ply), "{}: {ply}", G::ID);
        assert!(
            told.iter().all(|info| !limits.banned.contains(&info.line[0])),
            "{}",
            G::ID
        );
        limits.banned.push(ply);
    }
}

#[test]
fn a_search_that_is_stopped_at_once_or_shared_by_threads_still_decides() {
    for id in ALL {
        for_rules!(id, decides());
    }
}

fn decides<G: RuleSet + Thinks>() {
    let game: G = rules("");
    let state = start(&game, "");
    let stop = Stop::default();
    stop.stop();
    let stopped = Limits {
        stop,
        ..Limits::default()
    };
    let shared = Limits {
        threads: 3,
        depth: 5,
        ..Limits::default()
    };
    for limits in [stopped, shared, nodes(1)] {
        let (ply, _) = think(&game, &state, &limits);
        play(&game, &mut state.clone(), &ply);
    }
}

/// A few thousand positions a ply beat level 1, from either seat.
#[test]
fn the_lowest_level_loses() {
    for id in ALL {
        for_rules!(id, beats_level_one());
    }
}

fn beats_level_one<G: RuleSet + Thinks>() {
    let game: G = rules("");
    for strong in [Seat::FIRST, Seat::SECOND] {
        let mut state = start(&game, "");
        for ply in 0..300 {
            if game.outcome(&state).is_some() {
                break;
            }
            let limits = match to_move(&game, &state) == strong {
                true => nodes(3000),
                false => Limits::level(1, ply),
            };
            let (ply, _) = think(&game, &state, &limits);
            play(&game, &mut state, &ply);
        }
        assert_eq!(winner(game.outcome(&state)), Some(strong), "{} {strong:?}", G::ID);
    }
}
