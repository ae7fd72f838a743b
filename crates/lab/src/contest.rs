//! Games and matches.

use crate::contestant::Contestant;
use crate::statistics::Score;
use rand::RngExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use xinqi_kernel::{Outcome, Seat, Setup, SetupError};
use xinqi_registry::{Play, Rules};

/// A match between two contestants: games come in pairs with the same opening and swapped seats.
#[derive(Clone)]
pub struct Contest {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// A position instead of the usual start.
    pub fen: Option<String>,
    /// The contestants, A and B.
    pub contestants: [Contestant; 2],
    /// Random plies that begin each pair of games.
    pub opening: u32,
    /// Actions after which a game is called a draw.
    pub longest: u32,
    /// All chance but that of time.
    pub seed: u64,
}

/// One game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its number, from 0; even: A had the first seat.
    pub number: u64,
    /// How it ended; `None` when it was cut off at the longest.
    pub outcome: Option<Outcome>,
    /// Who did what, in order.
    pub actions: Vec<(Seat, String)>,
    /// Points of A: 1, ½ or 0.
    pub points: f64,
}

impl Contest {
    /// Plays `games` games on `threads` threads; `tell` hears of each as it ends, with the score so far.
    ///
    /// # Errors
    /// A position text that cannot be taken.
    pub fn run(
        &self,
        games: u64,
        threads: usize,
        mut tell: impl FnMut(&Game, &Score),
    ) -> Result<Score, SetupError> {
        self.rules.clone().start(&self.setup(0))?;
        let (next, mut score) = (AtomicU64::new(0), Score::default());
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for _ in 0..threads.max(1) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games || send.send(play_game(self, number)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for game in receive {
                score.add(game.points);
                tell(&game, &score);
            }
        });
        Ok(score)
    }

    fn setup(&self, pair: u64) -> Setup<'_> {
        Setup {
            fen: self.fen.as_deref(),
            seed: self.seed.wrapping_add(pair),
        }
    }
}

/// Plays game `number` of a contest.
///
/// # Panics
/// When the contest's position cannot be taken, or a contestant's action is refused.
#[must_use]
pub fn play_game(contest: &Contest, number: u64) -> Game {
    let (pair, swapped) = (number / 2, number % 2 == 1);
    let setup = contest.setup(pair);
    let mut play = contest
        .rules
        .clone()
        .start(&setup)
        .expect("checked before the match");
    let mut opening = xinqi_kernel::rng(setup.seed);
    let mut chance = xinqi_kernel::rng(setup.seed ^ (number + 1) << 32);
    let mut actions = Vec::new();
    let plies_before = play.ply().unwrap_or(0);
    let longest = contest.longest as usize * contest.rules.seats() / 2;
    let mut turns = Turns::default();
    while play.outcome().is_none() && actions.len() < longest {
        let Some(seat) = turns.next(&*play) else {
            break;
        };
        let in_opening = play.ply().is_some_and(|ply| ply < plies_before + contest.opening);
        let text = if in_opening {
            play.sample(seat, &mut opening)
                .expect("a seat that is to act can act")
        } else {
            let who = usize::from((play.side_of(seat) == Seat::SECOND) != swapped);
            contest.contestants[who].decide(&*play, seat, chance.random())
        };
        if let Err(error) = play.act(seat, &text) {
            panic!("{}: {text:?} was refused: {error}", contest.rules.text());
        }
        actions.push((seat, text));
    }
    let outcome = play.outcome();
    let a = if swapped { Seat::SECOND } else { Seat::FIRST };
    let points = match outcome {
        Some(Outcome::Win(winner, _)) => f64::from(u8::from(winner == a)),
        _ => 0.5,
    };
    Game {
        number,
        outcome,
        actions,
        points,
    }
}

/// Whose turn it is to be asked: where several may act, each in its turn, over and over.
#[derive(Default)]
struct Turns {
    last: Option<Seat>,
}

impl Turns {
    fn next(&mut self, play: &dyn Play) -> Option<Seat> {
        let seats = play.owing();
        let later = seats.iter().find(|s| self.last.is_none_or(|last| *s > last));
        self.last = later.or_else(|| seats.iter().next());
        self.last
    }
}
