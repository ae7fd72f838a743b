//! Bots beat random play from either camp, by what their views show alone.

use crate::table::rules;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use xinqi_games::mafia::action::Action;
use xinqi_games::mafia::bot::{Level, decide, standing};
use xinqi_games::mafia::{Mafia, State};
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
        let mut seats: Vec<Seat> = game.turn(&state).seats().iter().collect();
        seats.shuffle(&mut chance);
        for seat in seats {
            if !game.turn(&state).seats().contains(seat) {
                continue;
            }
            match players[game.side_of(&state, seat).index()] {
                None => act(
                    game,
                    &mut state,
                    seat,
                    |_, chance, state| game.sample(state, seat, chance),
                    &mut chance,
                ),
                Some(level) => act(
                    game,
                    &mut state,
                    seat,
                    |view, chance, _| {
                        let wanted = decide(view, level, chance);
                        wanted.into_iter().next().or_else(|| standing(view))
                    },
                    &mut chance,
                ),
            }
        }
    }
}

fn act(
    game: &Mafia,
    state: &mut State,
    seat: Seat,
    choose: impl Fn(&xinqi_games::mafia::View, &mut ChaCha8Rng, &State) -> Option<Action>,
    chance: &mut ChaCha8Rng,
) {
    let view = game.view(state, Viewer::Seat(seat));
    let action = choose(&view, chance, state).expect("the living always have an answer");
    assert_eq!(game.check(state, seat, &action), Ok(()), "{action:?}");
    game.apply(state, seat, &action, &mut Events::ignore());
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
