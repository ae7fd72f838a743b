//! What a table does by itself: closing what is overdue, letting bots act, leaving memory when nobody needs it.

use crate::app::{App, GRACE};
use crate::live::Live;
use std::sync::Arc;
use std::time::Duration;

/// How long a table stays in memory when nobody holds it.
const KEPT: Duration = Duration::from_secs(60);
/// The same where another node has taken it up.
const KEPT_BESIDE: Duration = Duration::from_secs(1);

/// Keeps `live` until it is let go.
pub(crate) async fn keep(app: App, live: Arc<Live>) {
    let mut tables = live.watch();
    let mut closing = app.closing.clone();
    loop {
        let table = tables.borrow_and_update().clone();
        let deadline = table.deadline();
        let follows = live.follows();
        let heard = app.time.now();
        let bots = async {
            // The node that wrote last is at work on it.
            if follows {
                app.time.until(heard + GRACE).await;
            }
            app.bots.decide(live.id(), &table, app.time.now()).await
        };
        tokio::pin!(bots);
        loop {
            let done = tokio::select! {
                () = closing.wait() => return,
                changed = tables.changed() => match changed {
                    Err(_) => return,
                    // People coming and going do not disturb a bot.
                    Ok(()) if Arc::ptr_eq(&table, &tables.borrow_and_update()) => continue,
                    Ok(()) => break,
                },
                what = &mut bots => live.bot_acts(&app, &table, what).await,
                () = app.time.until(deadline.unwrap_or(u64::MAX)), if deadline.is_some() => {
                    live.close_overdue(&app).await
                }
                () = tokio::time::sleep(if follows && live.is_deserted() { KEPT_BESIDE } else { KEPT }) => {
                    if (follows || !crate::bots::due(&table)) && app.release(&live) {
                        return;
                    }
                    continue;
                }
            };
            if let Err(problem) = done {
                tracing::error!(
                    table = live.id(),
                    ?problem,
                    "a table could not go on by itself; trying again"
                );
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            break;
        }
    }
}
