//! A table to try the rules on: seats by number, actions by text.

use serde_json::{Map, Value, json};
use xinqi_games::mafia::{Mafia, State};
use xinqi_kernel::{Code, Event, Events, Game, Options, Reject, RuleSet, Seat, Setup, Viewer};

/// A game in progress, as the referee would hold it.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) game: Mafia,
    pub(crate) state: State,
}

/// The rules with some options.
pub(crate) fn rules(options: &[(&str, &str)]) -> Mafia {
    let pairs: Vec<(String, String)> = options
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
        .collect();
    let mut options = Options::settle(Mafia::options(), &pairs).expect("known options");
    Mafia::build(&mut options).expect("options that go together")
}

impl Table {
    pub(crate) fn new(options: &[(&str, &str)], fen: &str) -> Table {
        let game = rules(options);
        let setup = Setup {
            fen: Some(fen),
            seed: 0,
        };
        let state = game.start(&setup).expect("a good deal");
        Table { game, state }
    }

    pub(crate) fn dealt(options: &[(&str, &str)], seed: u64) -> Table {
        let game = rules(options);
        let state = game.start(&Setup { fen: None, seed }).expect("a deal by seed");
        Table { game, state }
    }

    /// Does what the referee does with `{"seat","do"}`.
    pub(crate) fn act(&mut self, seat: u8, text: &str) -> Result<Vec<Event>, Reject> {
        let seat = Seat(seat - 1);
        if self.game.outcome(&self.state).is_some() {
            return Err(Reject::new(Code::GameOver, "the game is over"));
        }
        let action = self.game.parse(&self.state, seat, text)?;
        self.game.check(&self.state, seat, &action)?;
        let mut events = Events::keep();
        self.game.apply(&mut self.state, seat, &action, &mut events);
        Ok(events.into_vec())
    }

    /// Like [`Table::act`] for what must be let pass.
    pub(crate) fn must(&mut self, seat: u8, text: &str) -> Vec<Event> {
        self.act(seat, text)
            .unwrap_or_else(|e| panic!("{seat} {text}: {e}"))
    }

    pub(crate) fn close(&mut self) -> Vec<Event> {
        let mut events = Events::keep();
        assert_eq!(self.game.close(&mut self.state, 0, &mut events), None);
        events.into_vec()
    }

    pub(crate) fn view(&self, viewer: Viewer) -> Value {
        serde_json::to_value(self.game.view(&self.state, viewer)).expect("a view is JSON")
    }

    pub(crate) fn truth(&self) -> Value {
        self.view(Viewer::Truth)
    }

    pub(crate) fn result(&self) -> Value {
        use xinqi_kernel::Outcome;
        match self.game.outcome(&self.state) {
            None => Value::Null,
            Some(Outcome::Win(side, reason)) => {
                json!({"win": self.game.side_name(side), "reason": reason.as_str()})
            }
            Some(Outcome::Draw(reason)) => json!({"draw": reason.as_str()}),
            Some(Outcome::Void(reason)) => json!({"void": reason.as_str()}),
        }
    }
}

/// An event as the referee prints it.
pub(crate) fn printed(event: &Event) -> Value {
    let to = match event.to {
        xinqi_kernel::Audience::All => json!("all"),
        xinqi_kernel::Audience::Seats(seats) => seats.iter().map(|s| Value::from(s.0 + 1)).collect(),
    };
    let mut object = Map::new();
    object.insert("to".to_owned(), to);
    object.insert("kind".to_owned(), event.kind.into());
    object.extend(event.fields.clone());
    Value::Object(object)
}

/// Every viewer but the omniscient one.
pub(crate) fn viewers() -> impl Iterator<Item = Viewer> {
    (0..16).map(|s| Viewer::Seat(Seat(s))).chain([Viewer::Spectator])
}
