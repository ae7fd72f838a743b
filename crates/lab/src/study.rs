//! A design measured by self-play: who wins, how, how long it takes, how much there is to choose from.

use crate::contest::Pace;
use crate::contest::Turns;
use crate::contestant::{Budget, ContestantError, Given};
use crate::statistics::{Mean, Score};
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use xinqi_engine::Memory;
use xinqi_kernel::{Outcome, Reason, Seat, Setup, Turn};
use xinqi_registry::Rules;

/// Games of the rule set's own engine against itself.
#[derive(Clone)]
pub struct Study {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// A position instead of the usual start.
    pub fen: Option<String>,
    /// What a decision may cost.
    pub budget: Budget,
    /// Random plies that begin each game: without them an engine plays one game over and over.
    pub opening: u32,
    /// Actions after which a game is cut off.
    pub longest: u32,
    /// All chance but that of time.
    pub seed: u64,
}

/// A lead, in hundredths of a pawn, that decides a game where it is not lost again.
pub const DECISIVE: i32 = 200;

/// One game of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number, from 0.
    pub number: u64,
    /// How it ended; `None` when it was cut off.
    pub outcome: Option<Outcome>,
    /// Plies; in a game without plies, actions.
    pub length: u32,
    /// The first ply.
    pub first: String,
    /// At each ply that was due, how many there were to choose from.
    pub choices: Vec<u32>,
    /// What the engine thought of the first side's game: ply and hundredths of a pawn.
    pub scores: Vec<(u32, i32)>,
    /// What happened, how often, by the kinds of events.
    pub events: BTreeMap<&'static str, u32>,
}

impl Played {
    /// The ply from which on the winner led by [`DECISIVE`].
    #[must_use]
    pub fn decided(&self) -> Option<u32> {
        let Some(Outcome::Win(winner, _)) = self.outcome else {
            return None;
        };
        let lead = |score: i32| if winner == Seat::FIRST { score } else { -score };
        let held = self
            .scores
            .iter()
            .rev()
            .take_while(|(_, score)| lead(*score) >= DECISIVE);
        held.last().map(|(ply, _)| *ply)
    }

    /// How often the lead, of a pawn at least, went over to the other side.
    #[must_use]
    pub fn turns(&self) -> u32 {
        let leads = self
            .scores
            .iter()
            .map(|(_, score)| *score)
            .filter(|score| score.abs() >= 100);
        let sides: Vec<bool> = leads.map(|score| score > 0).collect();
        sides.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
    }
}

impl Study {
    /// Plays `games` games on `threads` threads; `tell` hears of each as it ends.
    ///
    /// # Errors
    /// A position that cannot be taken.
    pub fn run(
        &self,
        games: u64,
        threads: usize,
        mut tell: impl FnMut(&Played),
    ) -> Result<Findings, ContestantError> {
        let setup = self.setup(0);
        let start = self.rules.clone().start(&setup);
        start.map_err(|e| ContestantError::Position(e.to_string()))?;
        let (next, mut played) = (AtomicU64::new(0), Vec::new());
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for _ in 0..threads.max(1) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games || send.send(self.play(number)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for game in receive {
                tell(&game);
                played.push(game);
            }
        });
        played.sort_by_key(|game| game.number);
        Ok(Findings {
            sides: [Seat::FIRST, Seat::SECOND].map(|side| self.side_name(side)),
            study: self.clone(),
            played,
        })
    }

    fn setup(&self, number: u64) -> Setup<'_> {
        Setup {
            fen: self.fen.as_deref(),
            seed: self.seed.wrapping_add(number),
        }
    }

    fn side_name(&self, side: Seat) -> String {
        let result = self.rules.result(Outcome::Win(side, Reason::Resignation));
        let name = &result["win"];
        name.as_str().map_or_else(|| name.to_string(), str::to_owned)
    }

    /// Plays game `number`; the position has been checked.
    fn play(&self, number: u64) -> Played {
        let setup = self.setup(number);
        let mut chance = xinqi_kernel::rng(setup.seed);
        let mut play = match self.rules.clone().start(&setup) {
            Ok(play) => play,
            Err(_) => unreachable!("checked before the study"),
        };
        let memories = [Memory::new(16), Memory::new(16)];
        let begins = play.ply().unwrap_or(0);
        let longest = self.longest * self.rules.seats() as u32 / 2;
        let mut game = Played {
            number,
            outcome: None,
            length: 0,
            first: String::new(),
            choices: Vec::new(),
            scores: Vec::new(),
            events: BTreeMap::new(),
        };
        let (mut turns, mut actions) = (Turns::default(), 0);
        while play.outcome().is_none()
            && actions < longest
            && let Some(seat) = turns.next(&*play)
        {
            let ply = play.ply();
            if matches!(play.turn(), Turn::Ply(_)) {
                game.choices.push(play.legal(seat).len() as u32);
            }
            let random = ply.is_some_and(|ply| ply < begins + self.opening);
            let seed = chance.random();
            let thought = match random {
                true => None,
                false => {
                    let side = play.side_of(seat);
                    let limits = self.budget.limits(&Given {
                        // A study's budget is always one of its own.
                        pace: Pace::Nodes(1),
                        clock: None,
                        memory: Some(memories[side.index()].clone()),
                        seed,
                    });
                    let mut score = None;
                    let text = play.think(seat, &limits, &mut |info| {
                        if info.multipv == 1 {
                            score = Some(info.score);
                        }
                    });
                    if let (Some(score), Some(ply)) = (score, ply) {
                        let score = if side == Seat::FIRST { score } else { -score };
                        game.scores.push((ply + 1, score));
                    }
                    text
                }
            };
            let text = thought
                .or_else(|| play.sample(seat, &mut xinqi_kernel::rng(seed)))
                .expect("a seat that is to act can act");
            let told = match play.act(seat, &text) {
                Ok(told) => told,
                Err(error) => panic!("{}: {text:?} was refused: {error}", self.rules.text()),
            };
            for event in told {
                *game.events.entry(event.kind()).or_default() += 1;
            }
            if actions == 0 {
                game.first = text;
            }
            actions += 1;
        }
        game.outcome = play.outcome();
        game.length = play.ply().map_or(actions, |ply| ply - begins);
        game
    }
}

/// What a study has found.
pub struct Findings {
    /// The study.
    pub study: Study,
    /// The names of the two sides as results have them.
    pub sides: [String; 2],
    /// Its games.
    pub played: Vec<Played>,
}

/// What games have in common, and how many they are.
pub type Share = (String, u64);

impl Findings {
    /// Wins, draws and losses of the first side.
    #[must_use]
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        for game in &self.played {
            score.add(match game.outcome {
                Some(Outcome::Win(Seat::FIRST, _)) => 1.0,
                Some(Outcome::Win(..)) => 0.0,
                _ => 0.5,
            });
        }
        score
    }

    /// Games by who won: the first side, the second, nobody, and those that were cut off.
    #[must_use]
    pub fn results(&self) -> Vec<Share> {
        let count = |wanted: &dyn Fn(Option<Outcome>) -> bool| {
            self.played.iter().filter(|game| wanted(game.outcome)).count() as u64
        };
        let won = |side| count(&|o| matches!(o, Some(Outcome::Win(winner, _)) if winner == side));
        let drawn = count(&|o| matches!(o, Some(Outcome::Draw(_) | Outcome::Void(_))));
        let mut results = vec![
            (format!("{} wins", self.sides[0]), won(Seat::FIRST)),
            (format!("{} wins", self.sides[1]), won(Seat::SECOND)),
            ("draw".to_owned(), drawn),
        ];
        let cut = count(&|o| o.is_none());
        if cut > 0 {
            results.push(("cut off".to_owned(), cut));
        }
        results
    }

    /// Games by side and reason, most frequent first.
    #[must_use]
    pub fn reasons(&self) -> Vec<Share> {
        let ended = self.played.iter().filter_map(|game| game.outcome);
        most_frequent(ended.map(|outcome| match outcome {
            Outcome::Win(side, reason) => {
                format!("{} wins: {}", self.sides[side.index()], reason.as_str())
            }
            Outcome::Draw(reason) => format!("draw: {}", reason.as_str()),
            Outcome::Void(reason) => format!("void: {}", reason.as_str()),
        }))
    }

    /// Events a game, by kind; plies and the end are counted elsewhere.
    #[must_use]
    pub fn events(&self) -> Vec<(&'static str, f64)> {
        let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
        let events = self.played.iter().flat_map(|game| &game.events);
        for (kind, n) in events.filter(|(kind, _)| !["ply", "end"].contains(*kind)) {
            *counts.entry(kind).or_default() += u64::from(*n);
        }
        let games = self.played.len().max(1) as f64;
        counts
            .into_iter()
            .map(|(kind, n)| (kind, n as f64 / games))
            .collect()
    }

    /// The plies, or actions, of each game.
    #[must_use]
    pub fn lengths(&self) -> Vec<f64> {
        self.played.iter().map(|game| f64::from(game.length)).collect()
    }

    /// How many plies there were to choose from, on the average of each game.
    #[must_use]
    pub fn choices(&self) -> Vec<f64> {
        let means = self.played.iter().filter(|game| !game.choices.is_empty());
        let sum = |game: &Played| game.choices.iter().map(|&n| f64::from(n)).sum::<f64>();
        means.map(|game| sum(game) / game.choices.len() as f64).collect()
    }

    /// The plies that decided, of the games that a side won.
    #[must_use]
    pub fn decided(&self) -> Vec<f64> {
        self.played
            .iter()
            .filter_map(Played::decided)
            .map(f64::from)
            .collect()
    }

    /// How often the lead changed, in each game that the engine judged.
    #[must_use]
    pub fn turns(&self) -> Vec<f64> {
        let judged = self.played.iter().filter(|game| !game.scores.is_empty());
        judged.map(|game| f64::from(game.turns())).collect()
    }

    /// First plies, most frequent first, with the first side's score.
    #[must_use]
    pub fn openings(&self) -> Vec<(String, Score)> {
        let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
        for game in &self.played {
            let points = match game.outcome {
                Some(Outcome::Win(Seat::FIRST, _)) => 1.0,
                Some(Outcome::Win(..)) => 0.0,
                _ => 0.5,
            };
            scores.entry(&game.first).or_default().add(points);
        }
        let mut openings: Vec<_> = scores
            .into_iter()
            .map(|(text, score)| (text.to_owned(), score))
            .collect();
        openings.sort_by_key(|(_, score)| std::cmp::Reverse(score.games()));
        openings
    }

    /// What lengths are counted in.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        if self.study.rules.seats() == 2 {
            "plies"
        } else {
            "actions"
        }
    }

    /// The measured means, by name.
    #[must_use]
    pub fn means(&self) -> Vec<(String, Mean)> {
        let unit = self.unit();
        let all = [
            (format!("length, {unit}"), self.lengths()),
            ("choices a ply".to_owned(), self.choices()),
            (
                format!("ply that decided (a lead of {DECISIVE} kept to the end)"),
                self.decided(),
            ),
            ("changes of the lead (a pawn or more)".to_owned(), self.turns()),
        ];
        all.into_iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(name, values)| (name, Mean::of(&values)))
            .collect()
    }
}

fn most_frequent(names: impl Iterator<Item = String>) -> Vec<Share> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let mut counts: Vec<Share> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}
