//! The planner beats what it has to beat, from fixed seeds within fixed numbers of positions.

use std::collections::HashSet;
use std::time::Duration;
use xinqi_engine::{Limits, Method, Thinks};
use xinqi_games::go::Go;
use xinqi_games::qixi::Qixi;
use xinqi_games::xiangqi::Xiangqi;
use xinqi_kernel::{
    Committable, Events, Game, OptionSpec, Options, Outcome, Redeal, RuleSet, Seat, Setup, Viewer, rng,
};
use xinqi_mechanisms::{Chooser, POOL_OPTIONS, PREMOVE_OPTIONS, Planned, Pool, Premove};

fn options(specs: &'static [OptionSpec], pairs: &[(&str, &str)]) -> Options {
    let pairs: Vec<_> = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    Options::settle(specs, &pairs).unwrap()
}

fn base<G: RuleSet + Committable>(pairs: &[(&str, &str)]) -> G {
    G::build(&mut options(G::options(), pairs))
        .unwrap()
        .under_mechanism()
        .unwrap()
}

/// What the planner gets from `pairs` pairs of games against a baseline, when it may look at the first of `nodes`
/// positions a decision and the baseline at the second: 1 for a win, ½ for a draw.
fn points<G: Thinks>(game: &G, baseline: &str, pairs: u64, nodes: [u64; 2]) -> f64 {
    let baseline = G::BASELINES.iter().find(|b| b.name == baseline).unwrap();
    let play = |number: u64| {
        let planner = Seat((number % 2) as u8);
        let mut opening = rng(number / 2);
        let setup = Setup {
            fen: game.usual_position(),
            seed: number / 2,
        };
        let mut state = game.start(&setup).unwrap();
        for decision in 0..300 {
            let Some(seat) = game.turn(&state).seats().iter().next() else {
                break;
            };
            let limits = Limits {
                nodes: nodes[usize::from(seat != planner)],
                seed: decision,
                ..Limits::default()
            };
            let action = if decision < 2 {
                game.sample(&state, seat, &mut opening)
            } else if seat == planner {
                let known = game.known(&state, Viewer::Seat(seat));
                G::Method::think(game, &known, seat, &limits, &mut |_| {})
            } else {
                (baseline.think)(game, &state, seat, &limits)
            };
            let action = action.unwrap();
            assert_eq!(
                game.check(&state, seat, &action),
                Ok(()),
                "{}",
                game.text(&state, seat, &action)
            );
            game.apply(&mut state, seat, &action, &mut Events::ignore());
        }
        match game.outcome(&state) {
            Some(Outcome::Win(winner, _)) => f64::from(u8::from(winner == planner)),
            _ => 0.5,
        }
    };
    (0..2 * pairs).map(play).sum()
}

#[test]
fn premoves_are_planned_better_than_by_the_base_engine() {
    let game: Premove<Xiangqi> = Premove::new(base(&[]), &options(PREMOVE_OPTIONS, &[]));
    for baseline in ["pv", "random-rest"] {
        let points = points(&game, baseline, 2, [2_000; 2]);
        assert!(points >= 3.0, "{points} of 4 against {baseline}");
    }
}

#[test]
fn candidates_are_planned_better_than_by_the_base_engine() {
    for chooser in [Chooser::Owner, Chooser::Opponent] {
        let game: Pool<Xiangqi> = Pool::new(base(&[]), chooser, &options(POOL_OPTIONS, &[]));
        let random = points(&game, "random-rest", 4, [3_000; 2]);
        assert!(random >= 6.0, "{random} of 8 where {chooser:?} picks");
        // Which take about the same time. Two to one is what is expected: fewer games would tell too little.
        let variation = points(&game, "pv", 10, [8_000, 5_000]);
        assert!(variation > 10.0, "{variation} of 20 where {chooser:?} picks");
    }
}

/// What Red does in worlds that differ in how Black lies, when all it may look at is bounded by positions.
fn choices<G: Thinks>(game: &G, actions: &[&str]) -> Vec<String> {
    let choice = |black: &&str| {
        let mut state = game.start(&Setup::default()).unwrap();
        let mut act = |seat: Seat, text: &str| {
            let action = game.parse(&state, seat, text).unwrap();
            assert_eq!(game.check(&state, seat, &action), Ok(()), "{text}");
            game.apply(&mut state, seat, &action, &mut Events::ignore());
        };
        act(Seat::FIRST, "layout NC/RC/RN");
        act(Seat::SECOND, &format!("layout {black}"));
        let mut seats = [Seat::FIRST, Seat::SECOND].into_iter().cycle();
        actions.iter().for_each(|text| act(seats.next().unwrap(), text));
        let known = game.known(&state, Viewer::Seat(Seat::FIRST));
        let limits = Limits {
            nodes: 3_000,
            seed: 7,
            ..Limits::default()
        };
        let action = G::Method::think(game, &known, Seat::FIRST, &limits, &mut |_| {}).unwrap();
        assert_eq!(game.check(&state, Seat::FIRST, &action), Ok(()));
        game.text(&state, Seat::FIRST, &action)
    };
    ["NC/RC/RN", "CN/CR/NR", "NN/CC/RR"].iter().map(choice).collect()
}

#[test]
fn worlds_that_look_alike_get_the_same_choice() {
    let premove: Premove<Qixi> = Premove::new(base(&[]), &options(PREMOVE_OPTIONS, &[]));
    let chosen = choices(&premove, &["h2e2 h0g2", "h9g7 b9c7 a9=N"]);
    assert!(chosen.iter().all(|c| *c == chosen[0]), "{chosen:?}");
}

/// A stone stands where it was played: nothing is promised twice, however little time there is.
#[test]
fn no_stone_is_promised_twice() {
    let base = base::<Go>(&[("size", "9")]);
    let game = Premove::new(base, &options(PREMOVE_OPTIONS, &[("ahead", "15")]));
    let state = game.start(&Setup::default()).unwrap();
    let known = game.known(&state, Viewer::Seat(Seat::FIRST));
    for limits in [
        Limits {
            nodes: 2_000,
            ..Limits::default()
        },
        Limits {
            time: Some(Duration::from_millis(1)),
            ..Limits::default()
        },
    ] {
        let action = Planned::think(&game, &known, Seat::FIRST, &limits, &mut |_| {}).unwrap();
        let text = game.text(&state, Seat::FIRST, &action);
        let stones: HashSet<_> = text.split_whitespace().collect();
        assert_eq!((stones.len(), text.split_whitespace().count()), (8, 8), "{text}");
    }
}

#[test]
fn stones_are_planned_by_playouts() {
    let go = || base::<Go>(&[("size", "9")]);
    let premove = Premove::new(go(), &options(PREMOVE_OPTIONS, &[]));
    let pool = |chooser| Pool::new(go(), chooser, &options(POOL_OPTIONS, &[]));
    let owner = pool(Chooser::Owner);
    for (mechanism, got) in [
        ("premove", points(&premove, "pv", 2, [3_000; 2])),
        ("pool", points(&owner, "pv", 2, [3_000; 2])),
    ] {
        assert!(got >= 3.0, "{got} of 4: {mechanism}");
    }
    assert_eq!(
        points(&pool(Chooser::Opponent), "random-rest", 1, [3_000; 2]),
        2.0
    );
}
