//! Engines: mates and tactics as data, repetition as the rules judge it, levels that differ.

mod allocation;
mod progress;
mod proofs;
mod repetition;
mod suites;
mod thinking;
mod threats;

use xinqi_engine::{Info, Limits, Method, Thinks};
use xinqi_games::{chess::Chess, gomoku::Gomoku, shogi::Shogi, wangqi::Wangqi, xiangqi::Xiangqi, zuyi::Zuyi};
use xinqi_kernel::{Events, Game, Options, Outcome, RuleSet, Seat, Setup, Viewer};

/// The rules with `options` as in rule-set text, `key=value, …`.
fn rules<G: RuleSet>(options: &str) -> G {
    let pairs = options.split(',').filter_map(|pair| pair.split_once('='));
    let pairs: Vec<_> = pairs
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect();
    G::build(&mut Options::settle(G::options(), &pairs).unwrap()).unwrap()
}

fn start<G: Game>(game: &G, fen: &str) -> G::State {
    let fen = Some(fen).filter(|fen| !fen.is_empty());
    game.start(&Setup { fen, seed: 0 }).unwrap()
}

fn to_move<G: Game>(game: &G, state: &G::State) -> Seat {
    game.turn(state).seats().iter().next().expect("the game goes on")
}

fn play<G: Game>(game: &G, state: &mut G::State, text: &str) {
    let seat = to_move(game, state);
    let action = game.parse(state, seat, text).unwrap();
    game.check(state, seat, &action).unwrap();
    game.apply(state, seat, &action, &mut Events::ignore());
}

/// The engine's ply, and all it told on the way.
fn think<G: Thinks>(game: &G, state: &G::State, limits: &Limits) -> (String, Vec<Info>) {
    let seat = to_move(game, state);
    let mut told = Vec::new();
    let known = game.known(state, Viewer::Seat(seat));
    let best = G::Method::think(game, &known, seat, limits, &mut |info| told.push(info.clone()));
    (game.text(state, seat, &best.expect("a ply is due")), told)
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes,
        ..Limits::default()
    }
}

fn winner(outcome: Option<Outcome>) -> Option<Seat> {
    match outcome {
        Some(Outcome::Win(seat, _)) => Some(seat),
        _ => None,
    }
}

/// Calls `$call::<GAME>(…)` for the rule set of this id.
macro_rules! for_rules {
    ($id:expr, $call:ident($($argument:expr),*)) => {
        match $id {
            "xiangqi" => $call::<Xiangqi>($($argument),*),
            "chess" => $call::<Chess>($($argument),*),
            "shogi" => $call::<Shogi>($($argument),*),
            "gomoku" => $call::<Gomoku>($($argument),*),
            "zuyi" => $call::<Zuyi>($($argument),*),
            "wangqi" => $call::<Wangqi>($($argument),*),
            other => panic!("no rule set {other:?}"),
        }
    };
}
use for_rules;

const ALL: [&str; 6] = ["xiangqi", "chess", "shogi", "gomoku", "zuyi", "wangqi"];
