//! Engines at tables: a bounded number think at once, each knowing what its seat may know.

use crate::engines::{Engines, Question, failure};
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinError;
use xinqi_engine::{Limits, Stop};
use xinqi_kernel::{Pace, Seat, Turn, Voice};
use xinqi_protocol::Fault;
use xinqi_registry::Play;
use xinqi_table::{Failure, Player, Table, What};

/// Levels that wait a little before they answer, as people do.
const HUMAN_LEVELS: u8 = 4;
/// Of the time it has left a bot takes one part in this many for a decision, at most.
const SHARE_OF_CLOCK: u64 = 30;
/// In company a bot speaks and votes about so many times a day.
const TURNS_A_DAY: u32 = 3;
/// The longest mean pause in company, and the one when no person is left alive, in parts of the usual delay.
const SLOWEST: u32 = 6;
const UNWATCHED: u32 = 3;

/// A bot takes a draw when it thinks no better of its game than this, in hundredths of a pawn.
const DRAWISH: i32 = 20;

/// The least that an engine of the operator's is given, however little is left.
const LEAST: Duration = Duration::from_millis(20);

pub(crate) struct Bots {
    thinkers: Arc<Semaphore>,
    delay: Duration,
    engines: Engines,
}

/// A seat that an engine holds.
#[derive(Clone, Copy)]
struct Bot<'a> {
    seat: Seat,
    level: u8,
    /// The operator's engine that plays there, by its name.
    engine: Option<&'a str>,
}

/// Ends the search when nobody waits for it any more.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Bots {
    /// Bots that think on all cores but one; low levels wait `delay` or up to twice as long before they answer.
    pub(crate) fn new(delay: Duration, engines: Engines) -> Bots {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Bots {
            thinkers: Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))),
            delay,
            engines,
        }
    }

    /// What some bot at the table `id` does next; waits for ever when none has anything to do. Dropping the future ends
    /// the thinking.
    pub(crate) async fn decide(&self, id: &str, table: &Table, now: u64) -> What {
        if let Pace::Phase(seconds) = table.play().pace() {
            return self.in_company(table, seconds).await;
        }
        for bot in bots(table) {
            let Bot { seat, level, .. } = bot;
            if table.undo_ask() == Some(seat.other()) && table.judge(seat, "undo accept").is_ok() {
                return acted(seat, "undo accept".to_owned());
            }
            if !table.play().owing().contains(seat) {
                continue;
            }
            if table.draw_offer() == Some(seat.other()) {
                let score = self.assess(table, seat, level, now).await;
                let answer = match score.is_some_and(|score| score <= DRAWISH) {
                    true => "draw accept",
                    false => "draw decline",
                };
                if table.judge(seat, answer).is_ok() {
                    return acted(seat, answer.to_owned());
                }
            }
            // Protocols have no word for what both may decide: our own engine does it.
            let shared = matches!(table.play().turn(), Turn::Choice(seats) if seats.iter().count() > 1);
            if let Some(engine) = bot.engine.filter(|_| !shared) {
                return self.ask(id, table, bot, engine, now).await;
            }
            if let Some(text) = self.think(table, seat, level, now).await {
                return acted(seat, text);
            }
        }
        std::future::pending().await
    }

    /// In a phase that all share bots act one by one, in no order, at a human pace: they take up about half of the
    /// phase, the night's answers much less. Once no person is left alive nobody has to keep up with them.
    ///
    /// The pauses have no memory (they are drawn from an exponential distribution), so that people who talk and vote
    /// meanwhile, and so wake this anew each time, neither hasten nor hold up the bots.
    async fn in_company(&self, table: &Table, seconds: u32) -> What {
        let play = table.play();
        let bots = bots(table);
        let lives = |seat: Seat| play.turn().seats().contains(seat);
        let people = (0..).map(Seat).zip(table.players());
        let watched = people
            .filter(|(_, p)| matches!(p, Some(Player::Human { .. })))
            .any(|(s, _)| lives(s));
        loop {
            let talks = |seat: Seat| play.voice(seat) == Some(Voice::Open);
            let owing: Vec<_> = bots
                .iter()
                .filter(|bot| play.owing().contains(bot.seat))
                .collect();
            // Who has answered may think again while there is talk.
            let free: Vec<_> = bots
                .iter()
                .filter(|bot| lives(bot.seat) && talks(bot.seat))
                .collect();
            let (pool, owes) = if owing.is_empty() {
                (&free, false)
            } else {
                (&owing, true)
            };
            let Some(&&Bot { seat, level, .. }) = pool.choose(&mut rand::rng()) else {
                return std::future::pending().await;
            };
            let phase = Duration::from_secs(u64::from(seconds));
            let mean = match (watched, owes, talks(seat)) {
                (false, ..) => self.delay / UNWATCHED,
                (true, true, true) => {
                    (phase / 2 / (TURNS_A_DAY * bots.len() as u32)).min(self.delay * SLOWEST)
                }
                (true, true, false) => (phase / 4 / bots.len() as u32).min(self.delay),
                (true, false, _) => (phase / 12).clamp(self.delay, self.delay * 2 * SLOWEST),
            };
            let mean = if self.delay.is_zero() {
                Duration::ZERO
            } else {
                mean
            };
            if !owes && mean.is_zero() {
                return std::future::pending().await;
            }
            let pause = -rand::rng().random_range(f64::MIN_POSITIVE..1.0_f64).ln();
            tokio::time::sleep(mean.mul_f64(pause.min(4.0))).await;
            if let Some(text) = self.consider(table, seat, level, owes).await {
                return acted(seat, text);
            }
        }
    }

    /// What a seat in company would do; one that owes nothing may find nothing to do.
    async fn consider(&self, table: &Table, seat: Seat, level: u8, owes: bool) -> Option<String> {
        let seed = rand::rng().random();
        let limits = Limits::level(level, seed);
        let permit = self.thinkers.clone().acquire_owned().await.ok()?;
        let play = table.play().fork();
        let thinking = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let thought = play.think(seat, &limits, &mut |_| {});
            thought.or_else(|| owes.then(|| play.sample(seat, &mut xinqi_kernel::rng(seed)))?)
        });
        thinking.await.unwrap_or_else(|error| {
            tracing::error!(%error, rules = table.rules().text(), "a bot failed");
            owes.then(|| table.play().sample(seat, &mut xinqi_kernel::rng(seed)))?
        })
    }

    async fn think(&self, table: &Table, seat: Seat, level: u8, now: u64) -> Option<String> {
        let seed = rand::rng().random();
        let (limits, share) = limits(table, seat, level, seed, now);
        let delay = match level {
            ..=HUMAN_LEVELS => self.delay.mul_f64(rand::rng().random_range(1.0..2.0)),
            _ => Duration::ZERO,
        };
        let delay = share.map_or(delay, |share| delay.min(share));
        let thinking = self.run(table, limits, move |play, limits| {
            let thought = play.think(seat, limits, &mut |_| {});
            thought.or_else(|| play.sample(seat, &mut xinqi_kernel::rng(seed)))
        });
        let (text, ()) = tokio::join!(thinking, tokio::time::sleep(delay));
        match text? {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(%error, rules = table.rules().text(), "a bot failed");
                table.play().sample(seat, &mut xinqi_kernel::rng(seed))
            }
        }
    }

    /// What the operator's engine `name` plays for the bot; or that, and why, it plays no further.
    async fn ask(&self, id: &str, table: &Table, bot: Bot<'_>, name: &str, now: u64) -> What {
        let (seat, rules) = (bot.seat, table.rules());
        let failed = |why| What::Failed { seat: seat.0, why };
        let Some(engine) = self.engines.find(name, rules.text()) else {
            return failed(Failure::Missing);
        };
        let (limits, _) = limits(table, seat, bot.level, 0, now);
        let actions = table.actions().map(|(seat, text)| (seat, text.to_owned()));
        let question = Question {
            table: id.to_owned(),
            fen: table.opening().fen.clone(),
            actions: actions.collect(),
            seat,
            time: limits.time.unwrap_or(LEAST).max(LEAST),
        };
        let asking = self.run(table, limits, move |_, limits| {
            engine.decide(&question, &limits.stop)
        });
        let (why, fault) = match asking.await {
            Some(Ok(Ok(text))) => match table.play().check(seat, &text) {
                Ok(_) => return acted(seat, text),
                Err(reject) => (Failure::Refused, format!("{text:?} was refused: {reject}")),
            },
            Some(Ok(Err(Fault::Resigns(_)))) => return acted(seat, "resign".to_owned()),
            Some(Ok(Err(fault))) => (failure(&fault), fault.to_string()),
            Some(Err(error)) => (Failure::Ended, error.to_string()),
            None => (Failure::Ended, "the server closes".to_owned()),
        };
        tracing::warn!(
            table = id,
            engine = name,
            rules = rules.text(),
            fault,
            "an engine failed"
        );
        failed(why)
    }

    /// What the game is worth to `seat`, in hundredths of a pawn, where its engine says so.
    async fn assess(&self, table: &Table, seat: Seat, level: u8, now: u64) -> Option<i32> {
        let (limits, _) = limits(table, seat, level, rand::rng().random(), now);
        // A low level may misjudge plies, but not an offer.
        let limits = Limits { noise: 0, ..limits };
        let assessing = self.run(table, limits, move |play, limits| {
            let mut score = None;
            play.think(seat, limits, &mut |info| score = Some(info.score));
            score
        });
        assessing.await?.ok()?
    }

    /// Lets an engine work on a fork of the game, when it is its turn among those that think. It is stopped when the
    /// future is dropped.
    async fn run<T: Send + 'static>(
        &self,
        table: &Table,
        limits: Limits,
        work: impl FnOnce(&dyn Play, &Limits) -> T + Send + 'static,
    ) -> Option<Result<T, JoinError>> {
        let _stop = StopOnDrop(limits.stop.clone());
        let permit = self.thinkers.clone().acquire_owned().await.ok()?;
        let play = table.play().fork();
        let working = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&*play, &limits)
        });
        Some(working.await)
    }
}

/// The bounds of a level at the clock of its seat, and the share of the clock that a decision may take.
fn limits(table: &Table, seat: Seat, level: u8, seed: u64, now: u64) -> (Limits, Option<Duration>) {
    let mut limits = Limits::level(level, seed);
    let left = table.clock(seat, now).map(|(left, _)| left);
    let share = left.map(|left| Duration::from_millis(left / SHARE_OF_CLOCK));
    if let Some(share) = share {
        limits.time = Some(limits.time.map_or(share, |t| t.min(share)));
    }
    (limits, share)
}

fn acted(seat: Seat, text: String) -> What {
    What::Acted { seat: seat.0, text }
}

/// The seats that bots hold, while the game goes on and is complete.
fn bots(table: &Table) -> Vec<Bot<'_>> {
    let players = table.players();
    if table.outcome().is_some() || table.paused().is_some() || !table.begun() {
        return Vec::new();
    }
    let bot = |(seat, player)| match player {
        &Some(Player::Bot { level, ref engine }) => Some(Bot {
            seat: Seat(seat),
            level,
            engine: engine.as_deref(),
        }),
        _ => None,
    };
    (0..).zip(players).filter_map(bot).collect()
}

/// Whether a bot has something to do.
pub(crate) fn due(table: &Table) -> bool {
    bots(table)
        .iter()
        .any(|bot| table.undo_ask() == Some(bot.seat.other()) || table.play().owing().contains(bot.seat))
}
