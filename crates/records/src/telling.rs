//! What the readers of text formats share: a game told ply by ply.

use crate::{Read, Record, RecordError, Stated};
use serde_json::Value;
use xinqi_kernel::{Code, Seat, Viewer};
use xinqi_registry::Play;

/// A record in the making.
pub(crate) struct Telling {
    pub(crate) record: Record,
    pub(crate) lost: Vec<String>,
    /// Plies told after the end of the game by our rules.
    surplus: usize,
}

impl Telling {
    /// A record that begins with `rules` and `fen`; the usual position is not kept as a special one.
    pub(crate) fn new(rules: &str, fen: Option<&str>) -> Result<Telling, RecordError> {
        let mut record = Record::new(rules, None, 0)?;
        if fen.is_some() {
            let special = Record::new(rules, fen, 0)?;
            if position(special.play()) != position(record.play()) {
                record = special;
            }
        }
        Ok(Telling {
            record,
            lost: Vec::new(),
            surplus: 0,
        })
    }

    /// Plays a ply told in any of `notations`; `at` says where it stands, for the error.
    pub(crate) fn ply(&mut self, told: &str, notations: &[&str], at: &str) -> Result<(), RecordError> {
        if self.record.play().outcome().is_some() {
            self.surplus += 1;
            return Ok(());
        }
        let mut refusals = Vec::new();
        for notation in notations {
            match self.record.play_in(told, notation) {
                Ok(()) => return Ok(()),
                Err(refusal) => refusals.push(refusal),
            }
        }
        // Of several refusals the one of the notation that could read it says most.
        let readable = refusals.iter().find(|refusal| refusal.code == Code::Illegal);
        let why = readable
            .or(refusals.first())
            .map_or("", |refusal| refusal.message.as_str());
        Err(RecordError(format!("{at}: {why}")))
    }

    /// The seat that would play the next ply, over or not.
    pub(crate) fn mover(&self) -> Seat {
        Seat((self.record.play().ply().unwrap_or_default() % 2) as u8)
    }

    /// The record with the result that the file states.
    pub(crate) fn finish(mut self, stated: Option<Stated>) -> Read {
        if self.surplus > 0 {
            let (surplus, result) = (self.surplus, self.record.result());
            let plies = self.record.play().ply().unwrap_or_default();
            self.lost.push(format!(
                "{surplus} plies after ply {plies}, where the game ends: {result}"
            ));
        }
        if let Some(stated) = stated {
            self.record.settle(stated, &mut self.lost);
        }
        Read {
            record: self.record,
            lost: self.lost,
        }
    }
}

/// The position text of a game, as one who knows all sees it.
pub(crate) fn position(play: &dyn Play) -> Option<String> {
    let view = play.view(Viewer::Truth);
    view.json().get("fen").and_then(Value::as_str).map(str::to_owned)
}
