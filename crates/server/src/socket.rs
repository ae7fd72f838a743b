//! One connection to a table.

use crate::app::App;
use crate::guest::Guest;
use crate::live::{Command, Live};
use crate::metrics::count;
use crate::problem::Problem;
use crate::wire::Sent;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// Longest frame that is read; a longer one is answered with an error.
pub(crate) const LONGEST_FRAME: usize = 4096;
/// Longest frame that is taken off the wire at all; a longer one ends the connection.
pub(crate) const LONGEST_MESSAGE: usize = 16 * LONGEST_FRAME;
/// Longest id of a command.
const LONGEST_ID: usize = 64;
/// A sign of life each so often; a client silent for three of them is gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);
/// A client that takes no data for so long is gone.
const SLOWEST: Duration = Duration::from_secs(20);
/// Frames refused in a row, for coming too fast, after which the connection is ended.
const MOST_REFUSED: u32 = 200;

/// Serves a connection until it ends. Whatever happened meanwhile, the latest state is what is sent: a slow client
/// skips states and is never left behind for good.
pub(crate) async fn serve(app: App, live: Arc<Live>, guest: Guest, mut socket: WebSocket) {
    app.metrics.sockets.fetch_add(1, Ordering::Relaxed);
    let presence = live.arrive(&guest);
    let reason = talk(&app, &live, &guest, &mut socket).await;
    drop(presence);
    if let Some((code, reason)) = reason {
        let close = CloseFrame {
            code,
            reason: reason.into(),
        };
        let _ = timeout(SLOWEST, socket.send(Message::Close(Some(close)))).await;
    }
    app.metrics.sockets.fetch_sub(1, Ordering::Relaxed);
}

async fn talk(
    app: &App,
    live: &Arc<Live>,
    guest: &Guest,
    socket: &mut WebSocket,
) -> Option<(u16, &'static str)> {
    let mut tables = live.watch();
    tables.mark_changed();
    let mut closing = app.closing.clone();
    let mut sent = Sent::default();
    let mut heard = Instant::now();
    let mut refused = 0;
    let mut life = interval(SIGN_OF_LIFE);
    life.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let answer = tokio::select! {
            () = closing.wait() => {
                return Some((close_code::RESTART, "the server restarts"));
            }
            changed = tables.changed() => {
                changed.ok()?;
                let table = tables.borrow_and_update().clone();
                match sent.next(live, &table, guest, app.time.now()) {
                    Some(state) => json!({"state": state}),
                    None => continue,
                }
            }
            _ = life.tick() => {
                if heard.elapsed() > 3 * SIGN_OF_LIFE {
                    return Some((close_code::AWAY, "no sign of life"));
                }
                send(socket, Message::Ping(Vec::new().into())).await?;
                json!({"now": app.time.now()})
            }
            message = socket.recv() => {
                heard = Instant::now();
                match message? {
                    Ok(Message::Text(text)) => {
                        let answer = hear(app, live, guest, &text).await;
                        match answer.too_fast {
                            true => refused += 1,
                            false => refused = 0,
                        }
                        if refused > MOST_REFUSED {
                            return Some((close_code::POLICY, "too many frames"));
                        }
                        answer.json
                    }
                    Ok(Message::Binary(_)) => error(&Problem::malformed("a frame is text, not binary")),
                    Ok(Message::Ping(_) | Message::Pong(_)) => continue,
                    Ok(Message::Close(_)) => return None,
                    Err(_) => return Some((close_code::SIZE, "the frame cannot be read or is too long")),
                }
            }
        };
        send(socket, Message::Text(answer.to_string().into())).await?;
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Option<()> {
    timeout(SLOWEST, socket.send(message)).await.ok()?.ok()
}

struct Answer {
    json: Value,
    too_fast: bool,
}

async fn hear(app: &App, live: &Live, guest: &Guest, text: &str) -> Answer {
    let too_fast = !app.limits.command(guest);
    let json = match read(text) {
        Err((id, problem)) => {
            count(&app.metrics.refusals);
            refusal(id, &problem)
        }
        Ok(command) => {
            let done = match too_fast {
                true => Err(Problem::too_fast()),
                false => live.command(app, guest, &command).await,
            };
            match done {
                Ok(()) => json!({"ack": command.id}),
                Err(problem) => {
                    count(&app.metrics.refusals);
                    refusal(Some(command.id), &problem)
                }
            }
        }
    };
    Answer { json, too_fast }
}

/// Reads a frame; of one that cannot be read, the id if it has one.
fn read(text: &str) -> Result<Command, (Option<String>, Problem)> {
    if text.len() > LONGEST_FRAME {
        let message = format!(
            "a frame is at most {LONGEST_FRAME} bytes long, this one is {}",
            text.len()
        );
        return Err((None, Problem::malformed(message)));
    }
    let frame: Value = serde_json::from_str(text)
        .map_err(|error| (None, Problem::malformed(format!("the frame is no JSON: {error}"))))?;
    let id = frame
        .get("id")
        .and_then(Value::as_str)
        .filter(|id| id.len() <= LONGEST_ID);
    let id = id.map(str::to_owned);
    let command: Command = serde_json::from_value(frame).map_err(|error| {
        (
            id.clone(),
            Problem::malformed(format!("the frame is no command: {error}")),
        )
    })?;
    if id.is_none() || command.id.is_empty() {
        let message = format!("a command's id is 1 to {LONGEST_ID} bytes long");
        return Err((None, Problem::malformed(message)));
    }
    Ok(command)
}

fn refusal(id: Option<String>, problem: &Problem) -> Value {
    match id {
        Some(id) => json!({"nack": id, "error": problem.json()}),
        None => error(problem),
    }
}

fn error(problem: &Problem) -> Value {
    json!({"error": problem.json()})
}
