//! What all requests share: the database, the clock, the tables in memory.

use crate::Config;
use crate::bots::Bots;
use crate::bus::{Bus, Hint};
use crate::engines::Engines;
use crate::limits::Limits;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::time::Time;
use rand::RngExt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OnceCell, watch};
use xinqi_store::Store;

/// How often a running server leaves a sign of life: an outage is known to this precision.
const HEARTBEAT: u64 = 1000;
/// Shorter pauses between signs of life are no outage.
const LEAST_OUTAGE: u64 = 2 * HEARTBEAT;
/// How often a node looks by itself what others have written: so late it learns of it where the bus fails.
const BEATS_BETWEEN_LOOKS: u64 = 3;
/// How often whoever has not asked lately is forgotten.
const BEATS_BETWEEN_CLEANING: u64 = 60;
/// Tables taken up at once when their time has come.
const DUE_AT_ONCE: i64 = 1000;
/// A table overdue for so long is in nobody's memory: before that, whoever holds it sees to it. A node that wrote last
/// and does not go on for so long is taken for dead.
pub(crate) const GRACE: u64 = 10_000;

/// Tells when the server shuts down.
#[derive(Clone)]
pub(crate) struct Closing(watch::Receiver<bool>);

impl Closing {
    /// The notice, and what gives it.
    pub(crate) fn new() -> (watch::Sender<bool>, Closing) {
        let (close, closing) = watch::channel(false);
        (close, Closing(closing))
    }

    /// Waits until the server shuts down.
    pub(crate) async fn wait(&mut self) {
        let _ = self.0.wait_for(|&closing| closing).await;
    }
}

/// The state behind every request. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) time: Arc<dyn Time>,
    pub(crate) bots: Bots,
    pub(crate) engines: Engines,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) closing: Closing,
    /// What ties this node to others, where there are others.
    pub(crate) bus: Option<Bus>,
    tables: Mutex<HashMap<String, Arc<OnceCell<Arc<Live>>>>>,
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub(crate) fn new(config: Config, closing: Closing) -> App {
        App(Arc::new(Shared {
            store: config.store,
            time: config.time,
            bots: Bots::new(config.bot_delay, config.engines.clone()),
            engines: config.engines,
            limits: Limits::new(),
            metrics: Metrics::default(),
            closing,
            bus: config.bus,
            tables: Mutex::default(),
        }))
    }

    /// The table `id`, from memory or folded from its log.
    ///
    /// # Errors
    /// When there is none or the store fails.
    pub(crate) async fn table(&self, id: &str) -> Result<Arc<Live>, Problem> {
        let cell = self.tables().entry(id.to_owned()).or_default().clone();
        let loaded = cell
            .get_or_try_init(|| async {
                let live = Arc::new(Live::load(self, id).await?);
                tokio::spawn(crate::keeper::keep(self.clone(), live.clone()));
                Ok(live)
            })
            .await
            .cloned();
        if loaded.is_err() {
            let mut tables = self.tables();
            if tables.get(id).is_some_and(|c| c.get().is_none()) {
                tables.remove(id);
            }
        }
        loaded
    }

    /// Lets go of a table that nobody but its keeper holds; `false` when somebody does.
    pub(crate) fn release(&self, live: &Arc<Live>) -> bool {
        let mut tables = self.tables();
        let Some(cell) = tables.get(live.id()) else {
            return true;
        };
        // One reference in the cell, one at the keeper; whoever asks for the table holds the cell first.
        let unused = Arc::strong_count(cell) == 1 && Arc::strong_count(live) == 2;
        if unused {
            tables.remove(live.id());
        }
        unused
    }

    /// Takes up what other nodes say that they have written, for ever.
    pub(crate) async fn listen(self) {
        let Some(bus) = &self.bus else { return };
        bus.listen(|Hint { table, seq }| self.catch_up_with(&table, seq))
            .await;
    }

    /// Lets a table in memory take up what others have written, if it does not know of entry `seq`.
    fn catch_up_with(&self, id: &str, seq: i64) {
        let live = self.tables().get(id).and_then(|cell| cell.get().cloned());
        let Some(live) = live.filter(|live| live.seq() < seq) else {
            return;
        };
        let app = self.clone();
        tokio::spawn(async move {
            if let Err(problem) = live.look(&app).await {
                tracing::error!(
                    table = live.id(),
                    ?problem,
                    "a table could not take up what others wrote"
                );
            }
        });
    }

    /// Looks what other nodes have written to the tables in memory, of whatever the bus has said.
    async fn look_around(&self) -> Result<(), xinqi_store::StoreError> {
        let held: Vec<String> = self.tables().keys().cloned().collect();
        for (table, seq) in self.store.lengths(&held).await? {
            self.catch_up_with(&table, seq);
        }
        Ok(())
    }

    /// How many tables are in memory.
    pub(crate) fn tables_held(&self) -> usize {
        self.tables().len()
    }

    /// Notes the outage that ends now; then leaves signs of life and takes up tables whose time has come, until the
    /// server closes.
    pub(crate) async fn watch_time(self) {
        let mut closing = self.closing.clone();
        for beat in 1_u64.. {
            let now = self.time.now();
            if let Err(error) = self.store.heartbeat(to_i64(now)).await {
                tracing::error!(%error, "no sign of life could be left");
            }
            match self
                .store
                .due(to_i64(now.saturating_sub(GRACE)), DUE_AT_ONCE)
                .await
            {
                Ok(due) => {
                    for id in due {
                        self.take_up(&id).await;
                    }
                }
                Err(error) => tracing::error!(%error, "the tables whose time has come are unknown"),
            }
            if self.bus.is_some()
                && beat.is_multiple_of(BEATS_BETWEEN_LOOKS)
                && let Err(error) = self.look_around().await
            {
                tracing::error!(%error, "what other nodes have written is unknown");
            }
            if beat.is_multiple_of(BEATS_BETWEEN_CLEANING) {
                self.limits.forget();
            }
            tokio::select! {
                () = self.time.until(now + HEARTBEAT) => {}
                () = closing.wait() => return,
            }
        }
    }

    /// Notes the outage that ends now.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn note_outage(&self) -> Result<(), xinqi_store::StoreError> {
        let now = to_i64(self.time.now());
        self.store.note_outage(now, to_i64(LEAST_OUTAGE)).await
    }

    async fn take_up(&self, id: &str) {
        if let Err(problem) = self.table(id).await {
            tracing::error!(
                table = id,
                ?problem,
                "a table cannot be taken up; it is left alone from now on"
            );
            if let Err(error) = self.store.set_due(id, None).await {
                tracing::error!(%error, "it could not be left alone either");
            }
        }
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<Arc<Live>>>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An id for a new table: 60 random bits, hard to guess, since whoever has the link may come in.
pub(crate) fn new_table_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";
    let mut chance = rand::rng();
    (0..12)
        .map(|_| char::from(LETTERS[chance.random_range(0..LETTERS.len())]))
        .collect()
}

/// Times and sequence numbers as the database has them.
pub(crate) fn to_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Times and sequence numbers as the program has them.
pub(crate) fn to_u64(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}
