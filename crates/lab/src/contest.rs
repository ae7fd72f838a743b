//! Games and matches.

use crate::contestant::{Contestant, ContestantError, Given};
use crate::opening::{Opening, balanced};
use rand::RngExt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use xinqi_engine::{Clock, Memory, Stop};
use xinqi_kernel::{Outcome, Seat, Setup, Turn};
use xinqi_protocol::{Budget, External, Fault, Question};
use xinqi_records::Record;
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
    /// What contestants that bring no budget of their own may spend.
    pub pace: Pace,
    /// How each pair of games begins.
    pub opening: Opening,
    /// Actions after which a game is called a draw.
    pub longest: u32,
    /// All chance but that of time.
    pub seed: u64,
}

/// What a decision may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// So many positions.
    Nodes(u64),
    /// So much time.
    Movetime(Duration),
    /// So much for the game, and so much more with each decision; everybody's clock runs then.
    Clock {
        /// At the start.
        base: Duration,
        /// Added with each decision.
        increment: Duration,
    },
}

/// How late an answer may come after the flag: what passes between two processes on a busy machine.
const LAG: Duration = Duration::from_millis(100);

/// Megabytes that a player of ours may remember: what other engines take by themselves.
const MEMORY: usize = 16;

/// One game that was played.
pub struct Game {
    /// Its number, from 0; even: A had the first seat.
    pub number: u64,
    /// What was done; a contestant that failed stands there as having resigned.
    pub record: Record,
    /// Why it ended, where the rules alone did not end it.
    pub note: Option<String>,
    /// Points of A: 1, ½ or 0.
    pub points: f64,
}

impl Contest {
    /// Starts every contestant once; gives what they could not make use of.
    ///
    /// # Errors
    /// A position that cannot be taken, a contestant that cannot play.
    pub fn check(&self) -> Result<Vec<String>, ContestantError> {
        let play = self
            .rules
            .clone()
            .start(&self.setup(0))
            .map_err(|e| ContestantError::Position(e.to_string()))?;
        let mut warnings = Vec::new();
        for contestant in &self.contestants {
            contestant.check(&*self.rules)?;
            if let Contestant::External(engine) = contestant {
                if !matches!(play.turn(), Turn::Ply(_)) {
                    let why = format!("{} begins with something else than a ply", self.rules.text());
                    return Err(Fault::Unable(engine.to_string(), why).into());
                }
                let mut warn = |warning: &str| warnings.push(warning.to_owned());
                External::start(engine, &self.rules, &mut warn)?.begin_game(self.fen.as_deref())?;
            }
        }
        Ok(warnings)
    }

    /// Plays the games with these numbers on `threads` threads; `tell` hears of each as it ends and may say to end.
    pub fn run(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        threads: usize,
        mut tell: impl FnMut(&Game) -> ControlFlow<()>,
    ) {
        let (numbers, ended) = (Mutex::new(numbers), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for _ in 0..threads.max(1) {
                let (send, numbers, ended) = (send.clone(), &numbers, &ended);
                scope.spawn(move || {
                    let mut players = self.contestants.each_ref().map(Player::new);
                    while !ended.load(Ordering::Relaxed) {
                        let number = numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(number) = number else { return };
                        if send.send(self.play(number, &mut players)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for game in receive {
                if tell(&game).is_break() {
                    ended.store(true, Ordering::Relaxed);
                    break;
                }
            }
        });
    }

    /// All that games of one match have in common beside rules, position and players.
    pub(crate) fn terms(&self) -> String {
        let pace = match self.pace {
            Pace::Nodes(nodes) => format!("{nodes} nodes"),
            Pace::Movetime(time) => format!("{} ms", time.as_millis()),
            Pace::Clock { base, increment } => {
                format!("{}+{} s", base.as_secs_f64(), increment.as_secs_f64())
            }
        };
        let Opening { plies, nodes } = self.opening;
        format!(
            "{pace}, opening {plies} judged by {nodes}, longest {}",
            self.longest
        )
    }

    fn setup(&self, pair: u64) -> Setup<'_> {
        Setup {
            fen: self.fen.as_deref(),
            seed: self.seed.wrapping_add(pair),
        }
    }

    /// Plays game `number`; the contest has been checked.
    fn play(&self, number: u64, players: &mut [Player<'_>; 2]) -> Game {
        let (pair, swapped) = (number / 2, number % 2 == 1);
        let Setup { fen, seed } = self.setup(pair);
        let mut record = balanced(&self.rules, fen, seed, self.opening);
        let mut chance = xinqi_kernel::rng(seed ^ (number + 1) << 32);
        let names = [0, 1].map(|seat| self.contestants[seat ^ usize::from(swapped)].to_string());
        let tags = ["first", "second"].map(str::to_owned).into_iter().zip(names);
        record.tags.extend(tags);
        record.tags.insert("round".into(), (number + 1).to_string());
        record.tags.insert("event".into(), "xinqi match".into());
        record.tags.insert("terms".into(), self.terms());
        let a = if swapped { Seat::SECOND } else { Seat::FIRST };
        let note = self.play_on(&mut record, swapped, players, &mut chance);
        let points = match record.play().outcome() {
            Some(Outcome::Win(winner, _)) => f64::from(u8::from(winner == a)),
            _ => 0.5,
        };
        if let Some(note) = &note {
            record.tags.insert("termination".into(), note.clone());
        }
        Game {
            number,
            record,
            note,
            points,
        }
    }

    /// Plays to the end; gives why it ended where the rules alone did not end it.
    fn play_on(
        &self,
        record: &mut Record,
        swapped: bool,
        players: &mut [Player<'_>; 2],
        chance: &mut impl rand::Rng,
    ) -> Option<String> {
        let mut left = match self.pace {
            Pace::Clock { base, .. } => [base; 2],
            _ => [Duration::MAX; 2],
        };
        let mut turns = Turns::default();
        let longest = self.longest as usize * self.rules.seats() / 2;
        players.iter_mut().for_each(|player| player.fresh = true);
        while record.play().outcome().is_none() {
            if record.actions().len() >= longest {
                return Some(format!("cut off after {longest} actions"));
            }
            let seat = turns.next(record.play())?;
            let side = record.play().side_of(seat);
            let who = usize::from((side == Seat::SECOND) != swapped);
            let began = Instant::now();
            let decided = players[who].decide(self, record, seat, left, chance.random());
            let fault = match decided {
                Ok(text) => {
                    let spent = began.elapsed();
                    if let Pace::Clock { increment, .. } = self.pace {
                        let clock = &mut left[side.index()];
                        if spent > *clock + LAG {
                            record.close(0);
                            return Some("time".to_owned());
                        }
                        *clock = clock.saturating_sub(spent) + increment;
                    }
                    match record.act(seat, &text) {
                        Ok(()) => continue,
                        Err(error) => format!("{text:?} was refused: {}", error.message),
                    }
                }
                Err(fault) => {
                    if fault.is_final() {
                        players[who].process = None;
                    }
                    fault.to_string()
                }
            };
            // Only what is not ours may fail; ours has been tested.
            assert!(
                matches!(self.contestants[who], Contestant::External(_)),
                "{}: {fault}",
                self.rules.text()
            );
            if record.act(seat, "resign").is_err() {
                unreachable!("the game is not over and has two seats")
            }
            return Some(fault);
        }
        None
    }
}

/// A contestant at one thread's table.
struct Player<'a> {
    contestant: &'a Contestant,
    process: Option<External>,
    memory: Memory,
    /// It has not heard of this game yet.
    fresh: bool,
}

impl<'a> Player<'a> {
    fn new(contestant: &'a Contestant) -> Player<'a> {
        Player {
            contestant,
            process: None,
            memory: Memory::new(MEMORY),
            fresh: true,
        }
    }

    fn decide(
        &mut self,
        contest: &Contest,
        record: &Record,
        seat: Seat,
        left: [Duration; 2],
        seed: u64,
    ) -> Result<String, Fault> {
        let play = record.play();
        let Contestant::External(engine) = self.contestant else {
            let clock = match contest.pace {
                Pace::Clock { increment, .. } => Some(Clock {
                    remaining: left[play.side_of(seat).index()],
                    increment,
                    moves_to_go: None,
                }),
                _ => None,
            };
            if std::mem::take(&mut self.fresh) {
                self.memory.clear();
            }
            let given = Given {
                pace: contest.pace,
                clock,
                memory: Some(self.memory.clone()),
                seed,
            };
            return Ok(self.contestant.decide(play, seat, &given));
        };
        if matches!(play.turn(), Turn::Choice(seats) if seats.iter().count() > 1) {
            // Protocols have no word for it: our own engine agrees on dead stones in its place.
            let limits = xinqi_engine::Limits {
                nodes: 1000,
                seed,
                ..Default::default()
            };
            let text = play.think(seat, &limits, &mut |_| {});
            return text.ok_or_else(|| Fault::Unable(engine.to_string(), "nothing to decide".into()));
        }
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(External::start(engine, &contest.rules, &mut |_| {})?),
        };
        if std::mem::take(&mut self.fresh) {
            process.begin_game(record.fen())?;
        }
        let budget = match contest.pace {
            Pace::Nodes(nodes) => Budget::Nodes(nodes),
            Pace::Movetime(time) => Budget::Movetime(time),
            Pace::Clock { increment, .. } => Budget::Clock { left, increment },
        };
        let said: Vec<(Seat, String)> = record
            .actions()
            .iter()
            .filter_map(|action| match action {
                xinqi_records::Action::By(seat, text) => Some((*seat, text.clone())),
                xinqi_records::Action::Close(_) => None,
            })
            .collect();
        process.decide(&Question {
            fen: record.fen(),
            actions: &said,
            seat,
            budget,
            stop: &Stop::default(),
        })
    }
}

/// Whose turn it is to be asked: where several may act, each in its turn, over and over.
#[derive(Default)]
pub(crate) struct Turns {
    last: Option<Seat>,
}

impl Turns {
    pub(crate) fn next(&mut self, play: &dyn Play) -> Option<Seat> {
        let seats = play.owing();
        let later = seats.iter().find(|s| self.last.is_none_or(|last| *s > last));
        self.last = later.or_else(|| seats.iter().next());
        self.last
    }
}
