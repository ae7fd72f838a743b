//! What the nodes of one database tell each other: that the log of a table has grown.
//!
//! Architecture invariant: the bus only hints. Whoever misses a hint finds out when it writes, when it refuses, when
//! somebody connects, or when it looks by itself ([`crate::app::App::watch_time`]); nothing ever waits for the bus.

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use futures_util::StreamExt;
use std::time::Duration;
use tokio::sync::mpsc;

const SUBJECT: &str = "xinqi.grown";
/// Hints that wait to be told; more are lost, as hints may be.
const WAITING: usize = 4096;
/// The longest pause between two attempts to connect.
const SLOWEST_RETRY: Duration = Duration::from_secs(4);

/// The bus.
#[derive(Clone, Debug)]
pub struct Bus {
    client: Client,
    hints: mpsc::Sender<Hint>,
}

/// A bus that cannot be.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BusError(String);

/// The log of `table` holds entry `seq`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hint {
    pub(crate) table: String,
    pub(crate) seq: i64,
}

impl Bus {
    /// The NATS server at `url`. It need not be there yet: the bus connects, now and whenever it was cut off, by itself.
    ///
    /// # Errors
    /// A URL that cannot be one.
    pub async fn connect(url: &str) -> Result<Bus, BusError> {
        let address: ServerAddr = url.parse().map_err(|error| BusError(format!("{error}")))?;
        let options = ConnectOptions::new()
            .name("xinqi")
            .no_echo()
            .retry_on_initial_connect()
            .reconnect_delay_callback(|attempts| {
                let delay = Duration::from_millis(100 << attempts.min(10));
                delay.min(SLOWEST_RETRY)
            })
            .event_callback(|event| async move {
                match event {
                    Event::Connected => tracing::info!("the bus is connected"),
                    other => tracing::warn!(event = %other, "the bus: nodes hear of each other more slowly"),
                }
            });
        let client = options
            .connect(address)
            .await
            .map_err(|error| BusError(format!("{error}")))?;
        let (hints, mut waiting) = mpsc::channel::<Hint>(WAITING);
        let speaker = client.clone();
        tokio::spawn(async move {
            while let Some(Hint { table, seq }) = waiting.recv().await {
                // What is published while it is cut off would be told late and all at once.
                if speaker.connection_state() == State::Connected {
                    let _ = speaker.publish(SUBJECT, format!("{seq} {table}").into()).await;
                }
            }
        });
        Ok(Bus { client, hints })
    }

    /// Whether it is there now.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Tells the other nodes; never waits.
    pub(crate) fn tell(&self, table: &str, seq: i64) {
        let table = table.to_owned();
        let _ = self.hints.try_send(Hint { table, seq });
    }

    /// Hands what other nodes tell to `heard`, for ever.
    pub(crate) async fn listen(&self, mut heard: impl FnMut(Hint)) {
        let Ok(mut messages) = self.client.subscribe(SUBJECT).await else {
            return tracing::error!("the bus cannot be listened to");
        };
        while let Some(message) = messages.next().await {
            let hint = str::from_utf8(&message.payload).ok().and_then(Hint::read);
            hint.into_iter().for_each(&mut heard);
        }
    }
}

impl Hint {
    fn read(text: &str) -> Option<Hint> {
        let (seq, table) = text.split_once(' ')?;
        Some(Hint {
            table: table.to_owned(),
            seq: seq.parse().ok()?,
        })
    }
}
