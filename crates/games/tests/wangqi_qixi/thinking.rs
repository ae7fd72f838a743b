//! The engine of qixi.

use crate::table::{act, build};
use std::collections::BTreeSet;
use xinqi_engine::{Limits, Method, Thinks};
use xinqi_games::qixi::{Qixi, Sight};
use xinqi_kernel::{Events, Game, Outcome, Redeal, Seat, Setup, Turn, Viewer, rng};

type State = <Qixi as Game>::State;

fn answer(game: &Qixi, state: &State, seat: Seat, nodes: u64, seed: u64) -> String {
    let limits = Limits {
        nodes,
        seed,
        ..Limits::default()
    };
    let known = game.known(state, Viewer::Seat(seat));
    let action = Sight::think(game, &known, seat, &limits, &mut |_| {}).expect("it has something to decide");
    game.check(state, seat, &action).expect("what it does is legal");
    game.text(state, seat, &action)
}

fn start(game: &Qixi, fen: &str) -> State {
    game.start(&Setup {
        fen: Some(fen),
        seed: 0,
    })
    .unwrap()
}

#[test]
fn every_layout_is_chosen_by_some_seed() {
    let game: Qixi = build("qixi");
    let state = game.start(&Setup::default()).unwrap();
    let chosen: BTreeSet<String> = (0..200)
        .map(|seed| answer(&game, &state, Seat::SECOND, 1, seed))
        .collect();
    assert_eq!(chosen.len(), 10);
}

#[test]
fn a_lost_rook_is_replaced_by_a_flip() {
    let game: Qixi = build("qixi");
    // Red has one rook left, and the horse on e4 hides another that attacks at once.
    let state = start(
        &game,
        "3akab2/9/4b4/p3p3p/9/4{NR}4/P7P/4B4/4A4/{RN}1BAK4 w 0.0,0.0 - 0 40",
    );
    for seed in 0..3 {
        assert_eq!(answer(&game, &state, Seat::FIRST, 2_000, seed), "e4=R");
    }
}

/// Red is a rook and a horse ahead; either side hides something that may still come up.
const AHEAD: &str = "3akab2/9/4b4/p3p3p/9/9/P3{RN}3P/4B{NR}3/4A4/2BAK3{CR} w 0.0,0.0 - 0 40";
const EVEN: &str = "3akab2/9/4b{cr}3/p3p3p/9/9/P3P3P/4B{CR}3/4A4/2BAK4 w 0.0,0.0 - 0 40";

#[test]
fn demands_are_answered_by_what_the_game_is_worth() {
    let game: Qixi = build("qixi(negotiation=true)");
    for (fen, demand, right) in [
        (AHEAD, "demand surrender", "accept"),
        (AHEAD, "demand draw", "accept"),
        (EVEN, "demand surrender", "refuse"),
    ] {
        let mut state = start(&game, fen);
        act(&game, &mut state, Seat::FIRST, demand).unwrap();
        assert_eq!(
            answer(&game, &state, Seat::SECOND, 4_000, 1),
            right,
            "{demand} in {fen}"
        );
    }
    // Who is lost gains nothing by a demand that will be refused, and who has won wins more without one.
    for side in ["w", "b"] {
        let state = start(&game, &AHEAD.replace(" w ", &format!(" {side} ")));
        let Turn::Ply(seat) = game.turn(&state) else {
            panic!("a ply is due")
        };
        let found = answer(&game, &state, seat, 4_000, 1);
        assert!(!found.starts_with("demand"), "{found}");
    }
}

#[test]
fn matches_against_random_play_are_won() {
    let game: Qixi = build("qixi(negotiation=true,games=2)");
    let mut state = game.start(&Setup::default()).unwrap();
    let mut chance = rng(3);
    for n in 0..1_000 {
        let Some(seat) = game.turn(&state).seats().iter().next() else {
            break;
        };
        let text = match seat {
            Seat::FIRST => answer(&game, &state, seat, 400, n),
            _ => game.text(&state, seat, &game.sample(&state, seat, &mut chance).unwrap()),
        };
        let action = game.parse(&state, seat, &text).unwrap();
        game.apply(&mut state, seat, &action, &mut Events::ignore());
    }
    assert!(
        matches!(game.outcome(&state), Some(Outcome::Win(Seat::FIRST, _))),
        "{:?}",
        game.outcome(&state)
    );
}

/// A rook of either side is gone, and another may come up at once.
const ROOKS_LOST: &str = "2bakab2/9/2{nr}5{rn}/p3p3p/9/9/P3P3P/{RN}5{NR}2/9/2BAKAB2 w 0.0,0.0 - 0 40";

#[test]
fn flips_win_against_one_who_knows_of_none() {
    let game: Qixi = build("qixi(no_progress=60)");
    let blind = Qixi::BASELINES
        .iter()
        .find(|baseline| baseline.name == "blind")
        .unwrap();
    let mut lead = 0;
    for n in 0..10 {
        let engine = [Seat::FIRST, Seat::SECOND][n as usize % 2];
        let mut chance = rng(n / 2);
        let mut state = start(&game, ROOKS_LOST);
        for ply in 0..300 {
            let Some(seat) = game.turn(&state).seats().iter().next() else {
                break;
            };
            let limits = Limits {
                nodes: 400,
                seed: n << 16 | ply,
                ..Limits::default()
            };
            let known = game.known(&state, Viewer::Seat(seat));
            let action = match seat {
                _ if ply < 2 => game.sample(&state, seat, &mut chance),
                _ if seat == engine => Sight::think(&game, &known, seat, &limits, &mut |_| {}),
                _ => (blind.think)(&game, &state, seat, &limits),
            };
            game.apply(&mut state, seat, &action.unwrap(), &mut Events::ignore());
        }
        lead += match game.outcome(&state) {
            Some(Outcome::Win(winner, _)) if winner == engine => 1,
            Some(Outcome::Win(..)) => -1,
            _ => 0,
        };
    }
    assert!(lead > 1, "{lead} games ahead of ten");
}
