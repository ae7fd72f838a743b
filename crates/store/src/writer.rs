//! The one task that writes: group commit.

use crate::{Append, Appended, NewTable, StoreError};
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{mpsc, oneshot};

/// Writes that share one transaction at most; bounds how long the first of them waits.
const BATCH: usize = 256;

/// One change to the database, written whole or not at all.
#[derive(Debug)]
pub(crate) enum Write {
    Append(Append),
    Create(NewTable),
    Due { table: String, due: Option<i64> },
    Name { guest: String, name: String },
    Heartbeat(i64),
    Outage { now: i64, least: i64 },
}

type Answer = oneshot::Sender<Result<Appended, StoreError>>;

/// What the task is sent.
#[derive(Debug)]
pub(crate) enum Job {
    Write(Write, Answer),
    Close(oneshot::Sender<()>),
}

/// Starts the task; it ends when every sender is gone or on [`Job::Close`].
pub(crate) fn start(pool: AnyPool, begin: &'static str) -> mpsc::Sender<Job> {
    let (jobs, mut queue) = mpsc::channel(4 * BATCH);
    tokio::spawn(async move {
        let mut taken = Vec::with_capacity(BATCH);
        while queue.recv_many(&mut taken, BATCH).await > 0 {
            let mut closing = Vec::new();
            let mut writes = Vec::with_capacity(taken.len());
            for job in taken.drain(..) {
                match job {
                    Job::Write(write, answer) => writes.push((write, answer)),
                    Job::Close(done) => closing.push(done),
                }
            }
            commit(&pool, begin, writes).await;
            if !closing.is_empty() {
                queue.close();
                closing.into_iter().for_each(|done| {
                    let _ = done.send(());
                });
            }
        }
    });
    jobs
}

/// Writes all in one transaction and answers; when that fails, each alone, so that one bad write harms no other.
async fn commit(pool: &AnyPool, begin: &'static str, mut writes: Vec<(Write, Answer)>) {
    // Every node takes the rows in the same order, so transactions of two nodes cannot wait for each other in a ring.
    writes.sort_by(|(a, _), (b, _)| a.row().cmp(&b.row()));
    let all: Vec<&Write> = writes.iter().map(|(write, _)| write).collect();
    match transact(pool, begin, &all).await {
        Ok(results) => {
            for ((_, answer), result) in writes.into_iter().zip(results) {
                let _ = answer.send(Ok(result));
            }
        }
        Err(error) if writes.len() == 1 => {
            tracing::error!(%error, "a write failed");
            for (_, answer) in writes {
                let _ = answer.send(Err(StoreError::Write(error.to_string())));
            }
        }
        Err(error) => {
            tracing::warn!(%error, writes = writes.len(), "a shared transaction failed; writing one by one");
            for write in writes {
                Box::pin(commit(pool, begin, vec![write])).await;
            }
        }
    }
}

async fn transact(
    pool: &AnyPool,
    begin: &'static str,
    writes: &[&Write],
) -> Result<Vec<Appended>, sqlx::Error> {
    let mut transaction = pool.begin_with(begin).await?;
    let mut results = Vec::with_capacity(writes.len());
    for write in writes {
        results.push(write.run(&mut transaction).await?);
    }
    transaction.commit().await?;
    Ok(results)
}

impl Write {
    /// What it is sorted by.
    fn row(&self) -> (u8, &str, i64) {
        match self {
            Write::Append(append) => (0, &append.table, append.entry.seq),
            Write::Create(table) => (1, &table.id, 0),
            Write::Due { table, .. } => (2, table, 0),
            Write::Name { guest, .. } => (3, guest, 0),
            Write::Heartbeat(_) => (4, "", 0),
            Write::Outage { .. } => (5, "", 0),
        }
    }

    async fn run(&self, db: &mut AnyConnection) -> Result<Appended, sqlx::Error> {
        match self {
            Write::Append(append) => return run_append(db, append).await,
            Write::Create(table) => run_create(db, table).await?,
            Write::Due { table, due } => set_due(db, table, *due).await?,
            Write::Name { guest, name } => {
                sqlx::query(
                    "INSERT INTO guests (id, name) VALUES ($1, $2) \
                     ON CONFLICT (id) DO UPDATE SET name = excluded.name",
                )
                .bind(guest)
                .bind(name)
                .execute(db)
                .await?;
            }
            Write::Heartbeat(at) => beat(db, *at).await?,
            Write::Outage { now, least } => {
                let last: Option<(i64,)> = sqlx::query_as("SELECT at FROM heartbeat WHERE id = 1")
                    .fetch_optional(&mut *db)
                    .await?;
                if let Some((since,)) = last.filter(|(at,)| now - at >= *least) {
                    sqlx::query("INSERT INTO outages (since, until) VALUES ($1, $2) ON CONFLICT DO NOTHING")
                        .bind(since)
                        .bind(now)
                        .execute(&mut *db)
                        .await?;
                }
                beat(db, *now).await?;
            }
        }
        Ok(Appended::Written)
    }
}

async fn run_append(db: &mut AnyConnection, append: &Append) -> Result<Appended, sqlx::Error> {
    let Append {
        table,
        entry,
        due,
        player,
        then,
    } = append;
    let written = sqlx::query(
        "INSERT INTO log (table_id, seq, at, entry) SELECT $1, $2, $3, $4 \
         WHERE EXISTS (SELECT 1 FROM log WHERE table_id = $5 AND seq = $6) \
         ON CONFLICT (table_id, seq) DO NOTHING",
    )
    .bind(table)
    .bind(entry.seq)
    .bind(entry.at)
    .bind(&entry.text)
    .bind(table)
    .bind(entry.seq - 1)
    .execute(&mut *db)
    .await?
    .rows_affected();
    if written == 0 {
        return Ok(Appended::Taken);
    }
    set_due(db, table, *due).await?;
    if let Some(guest) = player {
        seat(db, guest, table).await?;
    }
    if let Some(table) = then {
        run_create(db, table).await?;
    }
    Ok(Appended::Written)
}

async fn run_create(db: &mut AnyConnection, table: &NewTable) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO tables (id, created, due) VALUES ($1, $2, $3)")
        .bind(&table.id)
        .bind(table.at)
        .bind(table.due)
        .execute(&mut *db)
        .await?;
    for (text, seq) in table.entries.iter().zip(1_i64..) {
        sqlx::query("INSERT INTO log (table_id, seq, at, entry) VALUES ($1, $2, $3, $4)")
            .bind(&table.id)
            .bind(seq)
            .bind(table.at)
            .bind(text)
            .execute(&mut *db)
            .await?;
    }
    for guest in &table.players {
        seat(db, guest, &table.id).await?;
    }
    Ok(())
}

async fn seat(db: &mut AnyConnection, guest: &str, table: &str) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO players (guest, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(guest)
        .bind(table)
        .execute(db)
        .await?;
    Ok(())
}

async fn set_due(db: &mut AnyConnection, table: &str, due: Option<i64>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE tables SET due = $1 WHERE id = $2")
        .bind(due)
        .bind(table)
        .execute(db)
        .await?;
    Ok(())
}

async fn beat(db: &mut AnyConnection, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO heartbeat (id, at) VALUES (1, $1) \
         ON CONFLICT (id) DO UPDATE SET at = CASE WHEN heartbeat.at > excluded.at THEN heartbeat.at ELSE excluded.at END",
    )
    .bind(at)
    .execute(db)
    .await?;
    Ok(())
}
