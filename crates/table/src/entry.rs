//! The entries of a table's log.

use serde::{Deserialize, Serialize};

/// One entry: what happened, when, and by whose command.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Milliseconds since the epoch, by the server's clock.
    pub at: u64,
    /// The command's id, so that it is never applied twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What an entry says. Seats are counted from 0.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    /// The table was opened; always the first entry and only there.
    Opened(Opening),
    /// A player took a seat, or the seat was handed to another.
    Joined {
        /// The seat.
        seat: u8,
        /// Who sits there now.
        player: Player,
    },
    /// A seat acted: the game's own actions and the table's (`resign`, `draw offer`, …).
    Acted {
        /// The seat.
        seat: u8,
        /// The action's text, as it was sent.
        text: String,
    },
    /// The time for what was to be decided ran out; `seed` is the only chance in what follows.
    Closed {
        /// Seed for what the rules do by chance then.
        seed: u64,
    },
    /// The server was away this long: the running clock gets it back.
    Credited {
        /// Milliseconds.
        ms: u64,
    },
    /// The host ordered something: `fill 3`, `pause`, …
    Hosted {
        /// The id of who ordered it.
        by: String,
        /// The order, as it was sent.
        text: String,
    },
    /// Somebody seated took over from a host who was away.
    TookOver {
        /// The person's id.
        by: String,
    },
    /// Somebody said something in free words.
    Spoke {
        /// The person's id.
        by: String,
        /// The person's name.
        name: String,
        /// The words.
        text: String,
    },
    /// Somebody without a seat asks to hear the dead.
    Asked {
        /// The person's id.
        by: String,
        /// The person's name.
        name: String,
    },
    /// The operator's engine on a seat plays no further: our own goes on in its place.
    Failed {
        /// The seat.
        seat: u8,
        /// Why.
        why: Failure,
    },
    /// A rematch was agreed on.
    Rematched {
        /// The new table's id.
        table: String,
    },
}

/// Why an engine of the operator's plays no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The operator has no such engine any more.
    Missing,
    /// It could not be started, or ended by itself.
    Ended,
    /// It did not answer in time.
    Silent,
    /// It played what the rules refuse.
    Refused,
    /// It cannot play from this position.
    Unable,
}

/// How a table was opened.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// Rule-set text.
    pub rules: String,
    /// A position text instead of the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The only source of chance in dealing.
    pub seed: u64,
    /// Clock text.
    pub clock: String,
    /// Who opened it and so keeps order; counts at tables of more than two seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
}

/// Who keeps order at a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Host {
    /// The account's or guest's id; never shown to others.
    pub id: String,
    /// The name that is shown.
    pub name: String,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person.
    Human {
        /// The account's or guest's id; never shown to others.
        id: String,
        /// The name that is shown.
        name: String,
    },
    /// An engine.
    Bot {
        /// How strong our own is, from 1 (weakest) to 10.
        level: u8,
        /// The name of the operator's engine that plays instead; ours goes on at `level` where that fails.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        engine: Option<String>,
    },
}

impl Player {
    /// Our own engine.
    #[must_use]
    pub fn bot(level: u8) -> Player {
        Player::Bot { level, engine: None }
    }

    /// What a record calls it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Player::Human { name, .. } => name.clone(),
            Player::Bot {
                engine: Some(engine), ..
            } => engine.clone(),
            Player::Bot { level, .. } => format!("level:{level}"),
        }
    }
}
