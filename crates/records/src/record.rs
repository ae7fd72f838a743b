//! A game as all forms share it.

use crate::RecordError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use xinqi_kernel::{Ending, Outcome, Reason, Reject, Seat, Setup, Turn};
use xinqi_registry::{Play, Rules};

/// A game that was played, from its start to where it got; every action in it has been judged by the rules.
pub struct Record {
    rules: Arc<dyn Rules>,
    fen: Option<String>,
    seed: u64,
    /// What is known beside the game: `first` and `second` (names), `event`, `place`, `date`, `round`, …
    pub tags: BTreeMap<String, String>,
    actions: Vec<Action>,
    play: Box<dyn Play>,
}

/// One entry of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A seat acted.
    By(Seat, String),
    /// The time for what was to be decided ran out; the seed is the only chance in what the rules did then.
    Close(u64),
}

/// A result as a file states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stated {
    /// A side won.
    Win(Seat, Why),
    /// Nobody won.
    Draw,
    /// The game does not count.
    Void,
}

/// How a side won, as far as a file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// By the rules: mate, five, the count.
    Rules,
    /// The other side gave up.
    Resignation,
    /// The other side's time ran out.
    Timeout,
    /// It does not say.
    Unknown,
}

impl Record {
    /// A game at its start.
    ///
    /// # Errors
    /// Rules or a position that cannot be, by name.
    pub fn new(rules: &str, fen: Option<&str>, seed: u64) -> Result<Record, RecordError> {
        let rules = xinqi_registry::parse(rules).map_err(|e| RecordError(e.to_string()))?;
        let play = rules
            .clone()
            .start(&Setup { fen, seed })
            .map_err(|e| RecordError(format!("fen: {e}")))?;
        Ok(Record {
            rules,
            fen: fen.map(str::to_owned),
            seed,
            tags: BTreeMap::new(),
            actions: Vec::new(),
            play,
        })
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Arc<dyn Rules> {
        &self.rules
    }

    /// The position the game began from, where it was not the usual one.
    #[must_use]
    pub fn fen(&self) -> Option<&str> {
        self.fen.as_deref()
    }

    /// The seed of all chance in dealing.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What happened, in order.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The game where it got.
    #[must_use]
    pub fn play(&self) -> &dyn Play {
        &*self.play
    }

    /// The game at its start again.
    #[must_use]
    pub fn start(&self) -> Box<dyn Play> {
        let setup = Setup {
            fen: self.fen(),
            seed: self.seed,
        };
        match self.rules.clone().start(&setup) {
            Ok(play) => play,
            Err(_) => unreachable!("it has started before"),
        }
    }

    /// The seat whose ply is due.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        match self.play.turn() {
            Turn::Ply(seat) => Some(seat),
            Turn::Choice(_) | Turn::Over => None,
        }
    }

    /// Does what `seat` sent: an action of the game, or the table's word that ended it.
    ///
    /// # Errors
    /// Why it may not; nothing has changed then.
    pub fn act(&mut self, seat: Seat, text: &str) -> Result<(), Reject> {
        let ending = match text {
            _ if self.rules.seats() != 2 => None,
            "resign" => Some(Ending::Resign),
            "draw accept" | "draw offer" => Some(Ending::Agreement),
            "abort" => Some(Ending::Abort),
            _ => None,
        };
        let text = match ending {
            Some(_) if self.play.outcome().is_some() => {
                return Err(Reject::new(xinqi_kernel::Code::GameOver, "the game is over"));
            }
            Some(ending) => {
                self.play.conclude(seat, ending);
                text.to_owned()
            }
            None => {
                let canonical = self.play.check(seat, text)?;
                self.play.act(seat, &canonical)?;
                canonical
            }
        };
        self.actions.push(Action::By(seat, text));
        Ok(())
    }

    /// The time for what was to be decided ran out.
    pub fn close(&mut self, seed: u64) {
        if self.play.outcome().is_none() {
            self.play.close(seed);
            self.actions.push(Action::Close(seed));
        }
    }

    /// Plays a ply written in one of the game's notations (or `text`) for the seat whose ply is due.
    ///
    /// # Errors
    /// Why it is none.
    pub fn play_in(&mut self, ply: &str, notation: &str) -> Result<(), Reject> {
        let Some(seat) = self.to_move() else {
            return Err(Reject::not_available("no ply is due"));
        };
        let text = self.play.read(seat, ply, notation)?;
        self.act(seat, &text)
    }

    /// How the game ended, as in an `end` event; null while it has not.
    #[must_use]
    pub fn result(&self) -> Value {
        self.play.outcome().map_or(Value::Null, |o| self.rules.result(o))
    }

    /// Brings about the result that a file states, where the actions have not; says what had to be assumed.
    pub fn settle(&mut self, stated: Stated, lost: &mut Vec<String>) {
        if let Some(outcome) = self.play.outcome() {
            let agrees = match (stated, outcome) {
                (Stated::Win(seat, _), Outcome::Win(winner, _)) => seat == winner,
                (Stated::Draw, Outcome::Draw(_)) | (Stated::Void, Outcome::Void(_)) => true,
                _ => false,
            };
            if !agrees {
                let result = self.result();
                lost.push(format!(
                    "the stated result is not what the plies give: {result} is kept"
                ));
            }
            return;
        }
        match stated {
            Stated::Void => self.conclude(Seat::FIRST, "abort"),
            Stated::Draw => {
                let seat = self.to_move().unwrap_or(Seat::FIRST);
                self.conclude(seat.other(), "draw accept");
            }
            Stated::Win(winner, Why::Timeout) if self.to_move() == Some(winner.other()) => self.close(0),
            Stated::Win(winner, why) => {
                if why != Why::Resignation {
                    let loser = self.rules.seat_name(winner.other());
                    lost.push(format!(
                        "the plies do not show why {loser} lost: read as resignation"
                    ));
                }
                self.conclude(winner.other(), "resign");
            }
        }
    }

    fn conclude(&mut self, seat: Seat, word: &str) {
        if self.act(seat, word).is_err() {
            unreachable!("the game was not over")
        }
    }

    /// The result as files state it.
    #[must_use]
    pub fn stated(&self) -> Option<Stated> {
        Some(match self.play.outcome()? {
            Outcome::Win(seat, Reason::Resignation) => Stated::Win(seat, Why::Resignation),
            Outcome::Win(seat, Reason::Timeout) => Stated::Win(seat, Why::Timeout),
            Outcome::Win(seat, _) => Stated::Win(seat, Why::Rules),
            Outcome::Draw(_) => Stated::Draw,
            Outcome::Void(_) => Stated::Void,
        })
    }

    /// Does one entry of another record.
    ///
    /// # Errors
    /// Why it may not be done.
    pub fn repeat(&mut self, action: &Action) -> Result<(), Reject> {
        match action {
            Action::By(seat, text) => self.act(*seat, text),
            Action::Close(_) if self.play.outcome().is_some() => {
                Err(Reject::new(xinqi_kernel::Code::GameOver, "the game is over"))
            }
            Action::Close(seed) => {
                self.close(*seed);
                Ok(())
            }
        }
    }
}
