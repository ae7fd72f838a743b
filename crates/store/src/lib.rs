//! What survives: the log of every table, who plays where, guests' names and the times no server ran.
//!
//! One code path serves SQLite and PostgreSQL. All writes go through one task that commits whatever has queued up
//! meanwhile in one transaction, so that many tables share one sync to disk.

mod writer;

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyPool, AssertSqlSafe, Executor, SqlSafeStr};
use std::path::Path;
use tokio::sync::{mpsc, oneshot};
use writer::{Job, Write};

/// Values bound in one query at most; databases bear many more.
const MOST_BOUND: usize = 500;

/// Something the database would not do. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database itself failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("database schema: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// The database failed while this write shared a transaction with others.
    #[error("database: {0}")]
    Write(String),
    /// The store is being closed.
    #[error("the store is closed")]
    Closed,
}

/// One entry of a table's log, as text that only the table reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its place in the log, from 1 without gaps.
    pub seq: i64,
    /// When it was written, in milliseconds since the epoch.
    pub at: i64,
    /// What it says.
    pub text: String,
}

/// An entry to be written, with what changes in the tables beside the log in the same transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// The table.
    pub table: String,
    /// The entry; its `seq` must be the next one.
    pub entry: Entry,
    /// When the server must next look at the table by itself.
    pub due: Option<i64>,
    /// A guest who plays at the table from now on.
    pub player: Option<String>,
    /// A table that begins because of this entry (a rematch): written if and only if the entry is.
    pub then: Option<Box<NewTable>>,
}

/// A table about to begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTable {
    /// Its id, which nobody else has.
    pub id: String,
    /// When, in milliseconds since the epoch.
    pub at: i64,
    /// The texts of its first entries.
    pub entries: Vec<String>,
    /// When the server must first look at it by itself.
    pub due: Option<i64>,
    /// The guests who play from the start.
    pub players: Vec<String>,
}

/// Whether an entry was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Appended {
    /// It is in the log, on disk.
    Written,
    /// Somebody else wrote that place first: read on, judge anew.
    Taken,
}

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Opens the database at `url` (`sqlite:PATH` or `postgres://…`) and brings its schema up to date.
    ///
    /// # Errors
    /// When it cannot be opened or is not ours.
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let sqlite = url.starts_with("sqlite:");
        let pool = AnyPoolOptions::new()
            .max_connections(if sqlite { 4 } else { 8 })
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if sqlite {
                        connection
                            .execute(
                                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;",
                            )
                            .await?;
                    }
                    Ok(())
                })
            })
            .connect(url)
            .await?;
        schema().run(&pool).await?;
        let begin = if sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" };
        let jobs = writer::start(pool.clone(), begin);
        Ok(Store { pool, jobs })
    }

    /// Opens the SQLite file at `path`, made when missing.
    ///
    /// # Errors
    /// When it cannot be opened or is not ours.
    pub async fn open_file(path: &Path) -> Result<Store, StoreError> {
        Store::open(&format!("sqlite:{}?mode=rwc", path.display())).await
    }

    /// Writes an entry at its place, unless somebody was there first. On disk when this returns.
    ///
    /// # Errors
    /// When the database fails; then nothing was written.
    pub async fn append(&self, append: Append) -> Result<Appended, StoreError> {
        self.write(Write::Append(append)).await
    }

    /// Begins a table.
    ///
    /// # Errors
    /// When the database fails; then nothing was written.
    pub async fn create(&self, table: NewTable) -> Result<(), StoreError> {
        self.write(Write::Create(table)).await.map(|_| ())
    }

    /// The log of `table` from `seq` on; empty when there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn read(&self, table: &str, seq: i64) -> Result<Vec<Entry>, StoreError> {
        let rows: Vec<(i64, i64, String)> =
            sqlx::query_as("SELECT seq, at, entry FROM log WHERE table_id = $1 AND seq >= $2 ORDER BY seq")
                .bind(table)
                .bind(seq)
                .fetch_all(&self.pool)
                .await?;
        let entry = |(seq, at, text)| Entry { seq, at, text };
        Ok(rows.into_iter().map(entry).collect())
    }

    /// How many entries the logs of `tables` hold; those that are none are left out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lengths(&self, tables: &[String]) -> Result<Vec<(String, i64)>, StoreError> {
        let mut lengths = Vec::with_capacity(tables.len());
        for tables in tables.chunks(MOST_BOUND) {
            let places: Vec<String> = (1..=tables.len()).map(|n| format!("${n}")).collect();
            let query = format!(
                "SELECT table_id, MAX(seq) FROM log WHERE table_id IN ({}) GROUP BY table_id",
                places.join(", ")
            );
            let query = tables
                .iter()
                .fold(sqlx::query_as(AssertSqlSafe(query)), |query, table| {
                    query.bind(table)
                });
            lengths.extend(query.fetch_all(&self.pool).await?);
        }
        Ok(lengths)
    }

    /// The tables where `guest` plays, newest first, at most `limit`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tables_of(&self, guest: &str, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "SELECT tables.id FROM players JOIN tables ON tables.id = players.table_id \
             WHERE players.guest = $1 ORDER BY tables.created DESC, tables.id LIMIT $2",
        )
        .bind(guest)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The tables that a server must look at by `until` (milliseconds since the epoch), most urgent first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn due(&self, until: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> =
            sqlx::query_as("SELECT id FROM tables WHERE due <= $1 ORDER BY due LIMIT $2")
                .bind(until)
                .bind(limit)
                .fetch_all(&self.pool)
                .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Sets when a server must next look at `table`, without an entry.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_due(&self, table: &str, due: Option<i64>) -> Result<(), StoreError> {
        let table = table.to_owned();
        self.write(Write::Due { table, due }).await.map(|_| ())
    }

    /// The name that `guest` has given, if any.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn name(&self, guest: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT name FROM guests WHERE id = $1")
            .bind(guest)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|(name,)| name))
    }

    /// Names `guest`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_name(&self, guest: &str, name: &str) -> Result<(), StoreError> {
        let (guest, name) = (guest.to_owned(), name.to_owned());
        self.write(Write::Name { guest, name }).await.map(|_| ())
    }

    /// Notes that a server runs at `now`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn heartbeat(&self, now: i64) -> Result<(), StoreError> {
        self.write(Write::Heartbeat(now)).await.map(|_| ())
    }

    /// Notes the outage that ends at `now`: from the last sign of life until now, when that is `least` or longer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_outage(&self, now: i64, least: i64) -> Result<(), StoreError> {
        self.write(Write::Outage { now, least }).await.map(|_| ())
    }

    /// How many milliseconds of `since..until` no server ran.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn outage_between(&self, since: i64, until: i64) -> Result<i64, StoreError> {
        let rows: Vec<(i64, i64)> =
            sqlx::query_as("SELECT since, until FROM outages WHERE until > $1 AND since < $2")
                .bind(since)
                .bind(until)
                .fetch_all(&self.pool)
                .await?;
        let overlap = |(from, to): (i64, i64)| to.min(until) - from.max(since);
        Ok(rows.into_iter().map(overlap).sum())
    }

    /// Finishes what is queued and closes the database.
    pub async fn close(self) {
        let (done, finished) = oneshot::channel();
        if self.jobs.send(Job::Close(done)).await.is_ok() {
            let _ = finished.await;
        }
        self.pool.close().await;
    }

    async fn write(&self, write: Write) -> Result<Appended, StoreError> {
        let (done, answer) = oneshot::channel();
        self.jobs
            .send(Job::Write(write, done))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

/// The migrations, in order; one that has been released is never changed.
fn schema() -> Migrator {
    let files = [("tables", include_str!("../migrations/0001_tables.sql"))];
    let migration = |((name, sql), version): ((&'static str, &'static str), i64)| {
        Migration::new(
            version,
            name.into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    };
    Migrator::with_migrations(files.into_iter().zip(1..).map(migration).collect())
}
