//! Bots beat random play from either camp, by what their views show alone.

use crate::table::rules;
use rand::seq::IndexedRandom;
use xinqi_games::mafia::Mafia;
use xinqi_games::mafia::bot::{Level, decide};
use xinqi_kernel::{Events, Game, Outcome, Seat, Setup, Viewer, rng};

/// Who plays a camp; `None` plays at random.
type Player = Option<Level>;

/// One game; every action of a bot must be legal when it is its turn to be done.
fn play(game: &Mafia, seed: u64, players: [Player; 2]) -> Outcome {
    let mut state = game.start(&Setup { fen: None, seed }).expect("a deal by seed");
    let mut chance = rng(seed);
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return outcome;
        }
        let owing: Vec<Seat> = game.owing(&state).iter().collect();
        let &seat = owing
            .choose(&mut chance)
            .expect("a phase closes when nobody owes an answer");
        let action = match players[game.side_of(&state, seat).index()] {
            None => game.sample(&state, seat, &mut chance),
            Some(level) => {
                let wanted = decide(&game.view(&state, Viewer::Seat(seat)), level, &mut chance);
                wanted.into_iter().next()
            }
        };
        let action = action.expect("who owes an answer has one");
        assert_eq!(game.check(&state, seat, &action), Ok(()), "{action:?}");
        game.apply(&mut state, seat, &action, &mut Events::ignore());
    }
}

/// Games won by `a` against `b`: each deal twice, camps swapped.
fn won(a: Player, b: Player, pairs: u64) -> (u32, u32) {
    let game = rules(&[]);
    let mut score = (0, 0);
    for seed in 0..pairs {
        for (players, a_side) in [([a, b], Seat::FIRST), ([b, a], Seat::SECOND)] {
            if let Outcome::Win(side, _) = play(&game, seed, players) {
                match side == a_side {
                    true => score.0 += 1,
                    false => score.1 += 1,
                }
            }
        }
    }
    score
}

#[test]
fn bots_beat_random_play() {
    for level in [Level::Quiet, Level::Sharp] {
        let (bot, random) = won(Some(level), None, 25);
        assert!(bot >= 40, "{level:?} won {bot} of 50, random play {random}");
    }
}

#[test]
fn the_sharp_beat_the_quiet() {
    let (sharp, quiet) = won(Some(Level::Sharp), Some(Level::Quiet), 50);
    assert!(sharp > quiet + 10, "sharp {sharp}, quiet {quiet} of 100");
}
