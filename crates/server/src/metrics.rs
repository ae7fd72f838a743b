//! Figures for the operator, in the text form that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub(crate) struct Metrics {
    /// Commands written to a log.
    pub(crate) commands: AtomicU64,
    /// Commands refused.
    pub(crate) refusals: AtomicU64,
    /// Connections open now.
    pub(crate) sockets: AtomicU64,
    /// Decisions made by bots.
    pub(crate) bot_decisions: AtomicU64,
    /// Seats of the operator's engines that our own engine went on at.
    pub(crate) engine_failures: AtomicU64,
}

impl Metrics {
    /// `bus`: whether that is connected, where there is one.
    pub(crate) fn text(&self, tables: usize, bus: Option<bool>) -> String {
        let mut text = String::new();
        let rows = [
            (
                "xinqi_commands_total",
                "counter",
                "commands written",
                self.commands.load(Ordering::Relaxed),
            ),
            (
                "xinqi_refusals_total",
                "counter",
                "commands refused",
                self.refusals.load(Ordering::Relaxed),
            ),
            (
                "xinqi_bot_decisions_total",
                "counter",
                "decisions made by bots",
                self.bot_decisions.load(Ordering::Relaxed),
            ),
            (
                "xinqi_engine_failures_total",
                "counter",
                "games in which an engine of the operator's failed",
                self.engine_failures.load(Ordering::Relaxed),
            ),
            (
                "xinqi_sockets",
                "gauge",
                "connections open",
                self.sockets.load(Ordering::Relaxed),
            ),
            ("xinqi_tables", "gauge", "tables in memory", tables as u64),
        ];
        let bus = bus.map(|up| {
            (
                "xinqi_bus_connected",
                "gauge",
                "1 while the bus is connected",
                u64::from(up),
            )
        });
        for (name, kind, help, value) in rows.into_iter().chain(bus) {
            let _ = write!(
                text,
                "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"
            );
        }
        text
    }
}

/// Counts one, somewhere.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
