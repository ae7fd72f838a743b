//! The weights that come with the games.

use xinqi_games::{chess::Chess, gomoku::Gomoku, shogi::Shogi, wangqi::Wangqi, xiangqi::Xiangqi, zuyi::Zuyi};
use xinqi_kernel::{Options, RuleSet, Setup, Tunable, Weights};

fn game<G: RuleSet>() -> G {
    let mut options = Options::settle(G::options(), &[]).expect("the usual options");
    G::build(&mut options).expect("the usual options")
}

/// The file holds every weight once, as the tuner writes it, and the game goes by it.
fn is_kept<G: RuleSet + Tunable>(file: &str) {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let kept: String = lines.map(|line| format!("{line}\n")).collect();
    assert_eq!(game::<G>().weights().text(), kept, "{}", G::ID);
}

/// Without weights nothing is worth anything, and other weights leave the game's own alone.
fn evaluates_by_what_it_is_given<G: RuleSet + Tunable>(fen: &str) {
    let game = game::<G>();
    let state = game
        .start(&Setup {
            fen: Some(fen),
            seed: 0,
        })
        .expect("a position");
    let position = game.position(&state);
    let value = game.evaluate(&position);
    let nothing = vec![0; game.weights().values().len()];
    let none = game.with_weights(G::Weights::from_values(&nothing));
    assert_eq!(none.evaluate(&position), 0, "{}", G::ID);
    assert!(value.abs() > 300, "{}: {value}", G::ID);
    let same = none.with_weights(game.weights().clone());
    assert_eq!(same.evaluate(&position), value, "{}", G::ID);
}

#[test]
fn every_game_goes_by_the_weights_of_its_folder() {
    is_kept::<Chess>(include_str!("../src/chess/weights.txt"));
    is_kept::<Gomoku>(include_str!("../src/gomoku/weights.txt"));
    is_kept::<Shogi>(include_str!("../src/shogi/weights.txt"));
    is_kept::<Wangqi>(include_str!("../src/wangqi/weights.txt"));
    is_kept::<Xiangqi>(include_str!("../src/xiangqi/weights.txt"));
    is_kept::<Zuyi>(include_str!("../src/zuyi/weights.txt"));
}

#[test]
fn a_rook_more_is_worth_what_the_weights_say() {
    evaluates_by_what_it_is_given::<Chess>("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w - - 0 1");
    evaluates_by_what_it_is_given::<Shogi>("4k4/9/9/9/9/9/9/9/R3K4 b - 1");
    evaluates_by_what_it_is_given::<Wangqi>("3a+k4/9/9/9/9/9/9/9/9/R4+K3 w -,- - 0 1");
    evaluates_by_what_it_is_given::<Xiangqi>("3ak4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1");
    evaluates_by_what_it_is_given::<Zuyi>("3ak4/9/9/9/9/9/9/9/9/[RN]4K3 w - - 0 1");
}
