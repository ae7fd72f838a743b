//! The rules of xiangqi as tables of cases, against a literal second generator and other programs' results.

#[path = "../wangqi_qixi/board.rs"]
mod board;
mod chase;
mod endings;
mod notation;
mod positions;

use xinqi_games::xiangqi::{State, Xiangqi};
use xinqi_kernel::{Events, Game, Options, Outcome, RuleSet, Setup, Turn};

/// The rules with `pairs` of options given.
fn rules(pairs: &[(&str, &str)]) -> Xiangqi {
    let pairs: Vec<_> = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    Xiangqi::build(&mut Options::settle(Xiangqi::options(), &pairs).unwrap()).unwrap()
}

/// The state of a position text.
fn start(rules: &Xiangqi, fen: &str) -> State {
    let setup = Setup {
        fen: Some(fen),
        seed: 0,
    };
    rules
        .start(&setup)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays a line as the table would; nothing may end the game before its last ply.
fn play(rules: &Xiangqi, state: &mut State, plies: &str) {
    for text in plies.split_whitespace() {
        let Turn::Ply(seat) = rules.turn(state) else {
            panic!("over before {text}: {:?}", rules.outcome(state))
        };
        let action = rules.parse(state, seat, text).unwrap();
        if let Err(refusal) = rules.check(state, seat, &action) {
            panic!("{text} in {}: {refusal}", state.fen());
        }
        rules.apply(state, seat, &action, &mut Events::ignore());
    }
}

/// The outcome of a line.
fn outcome(rules: &Xiangqi, fen: &str, plies: &str) -> Option<Outcome> {
    let mut state = start(rules, fen);
    play(rules, &mut state, plies);
    rules.outcome(&state)
}

/// Random play from `fen` by `seed`; `visit` sees each state before its ply.
fn wander(rules: &Xiangqi, fen: &str, seed: u64, plies: usize, mut visit: impl FnMut(&State)) {
    let mut state = start(rules, fen);
    let mut rng = xinqi_kernel::rng(seed);
    for _ in 0..plies {
        visit(&state);
        let Turn::Ply(seat) = rules.turn(&state) else {
            return;
        };
        let action = rules.sample(&state, seat, &mut rng).expect("a ply is due");
        rules.apply(&mut state, seat, &action, &mut Events::ignore());
    }
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
