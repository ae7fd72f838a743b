//! What the table makes of an action, each with its audience.

use crate::{Seat, SeatSet, Viewer};
use serde_json::{Map, Value};

/// Who may learn of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everybody, spectators included.
    All,
    /// These seats alone.
    Seats(SeatSet),
}

impl Audience {
    /// One seat alone.
    #[must_use]
    pub const fn only(seat: Seat) -> Audience {
        Audience::Seats(SeatSet::one(seat))
    }

    /// Whether `viewer` belongs to the audience.
    #[must_use]
    pub const fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Audience::All, _) | (_, Viewer::Truth) => true,
            (Audience::Seats(set), Viewer::Seat(seat)) => set.contains(seat),
            (Audience::Seats(_), Viewer::Spectator) => false,
        }
    }
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Who may learn of it.
    pub to: Audience,
    /// What happened: `ply`, `failed`, `dark`, …
    pub kind: &'static str,
    /// The kind's own fields.
    pub fields: Map<String, Value>,
}

/// Where a game puts its events. Search and random play hand in a sink that keeps nothing.
#[derive(Default, Debug)]
pub struct Events {
    kept: Option<Vec<Event>>,
}

impl Events {
    /// A sink that keeps all.
    #[must_use]
    pub fn keep() -> Events {
        Events {
            kept: Some(Vec::new()),
        }
    }

    /// A sink that keeps nothing and never builds an event.
    #[must_use]
    pub const fn ignore() -> Events {
        Events { kept: None }
    }

    /// Tells `to` that `kind` happened; `fields` is called only when events are kept.
    pub fn push<const N: usize>(
        &mut self,
        to: Audience,
        kind: &'static str,
        fields: impl FnOnce() -> [(&'static str, Value); N],
    ) {
        if let Some(list) = &mut self.kept {
            let fields = fields().into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
            list.push(Event { to, kind, fields });
        }
    }

    /// Adds an event made elsewhere (a wrapper passing on its base's events).
    pub fn extend(&mut self, events: impl IntoIterator<Item = Event>) {
        if let Some(list) = &mut self.kept {
            list.extend(events);
        }
    }

    /// A fresh sink that keeps events if and only if this one does.
    #[must_use]
    pub fn like(&self) -> Events {
        Events {
            kept: self.kept.as_ref().map(|_| Vec::new()),
        }
    }

    /// The events kept, in order.
    #[must_use]
    pub fn into_vec(self) -> Vec<Event> {
        self.kept.unwrap_or_default()
    }
}
