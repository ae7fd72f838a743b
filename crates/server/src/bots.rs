//! Engines at tables: a bounded number think at once, each knowing what its seat may know.

use rand::RngExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use xinqi_engine::{Limits, Stop};
use xinqi_kernel::Seat;
use xinqi_table::{Player, Table};

/// Levels that wait a little before they answer, as people do.
const HUMAN_LEVELS: u8 = 4;
/// Of the time it has left a bot takes one part in this many for a decision, at most.
const SHARE_OF_CLOCK: u64 = 30;

pub(crate) struct Bots {
    thinkers: Arc<Semaphore>,
    delay: Duration,
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
    pub(crate) fn new(delay: Duration) -> Bots {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Bots {
            thinkers: Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))),
            delay,
        }
    }

    /// What some bot at the table does next; waits for ever when none has anything to do. Dropping the future ends
    /// the thinking.
    pub(crate) async fn decide(&self, table: &Table, now: u64) -> (Seat, String) {
        for (seat, level) in bots(table) {
            if table.undo_ask() == Some(seat.other()) && table.judge(seat, "undo accept").is_ok() {
                return (seat, "undo accept".to_owned());
            }
            if table.play().owing().contains(seat)
                && let Some(text) = self.think(table, seat, level, now).await
            {
                return (seat, text);
            }
        }
        std::future::pending().await
    }

    async fn think(&self, table: &Table, seat: Seat, level: u8, now: u64) -> Option<String> {
        let seed = rand::rng().random();
        let mut limits = Limits::level(level, seed);
        let mut delay = match level {
            ..=HUMAN_LEVELS => self.delay.mul_f64(rand::rng().random_range(1.0..2.0)),
            _ => Duration::ZERO,
        };
        if let Some((left, _)) = table.clock(seat, now) {
            let share = Duration::from_millis(left / SHARE_OF_CLOCK);
            limits.time = Some(limits.time.map_or(share, |t| t.min(share)));
            delay = delay.min(share);
        }
        let stop = StopOnDrop(limits.stop.clone());
        let permit = self.thinkers.clone().acquire_owned().await.ok()?;
        let play = table.play().fork();
        let thinking = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let thought = play.think(seat, &limits, &mut |_| {});
            thought.or_else(|| play.sample(seat, &mut xinqi_kernel::rng(seed)))
        });
        let (text, ()) = tokio::join!(thinking, tokio::time::sleep(delay));
        drop(stop);
        match text {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(%error, rules = table.rules().text(), "a bot failed");
                table.play().sample(seat, &mut xinqi_kernel::rng(seed))
            }
        }
    }
}

/// The seats that bots hold, with their levels, while the game goes on and is complete.
fn bots(table: &Table) -> Vec<(Seat, u8)> {
    let players = table.players();
    if table.outcome().is_some() || players.iter().any(Option::is_none) {
        return Vec::new();
    }
    let bot = |(seat, player): (u8, &Option<Player>)| match player {
        Some(Player::Bot { level }) => Some((Seat(seat), *level)),
        _ => None,
    };
    (0..).zip(players).filter_map(bot).collect()
}

/// Whether a bot has something to do.
pub(crate) fn due(table: &Table) -> bool {
    bots(table)
        .iter()
        .any(|&(seat, _)| table.undo_ask() == Some(seat.other()) || table.play().owing().contains(seat))
}
