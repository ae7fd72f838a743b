//! Laws that every rule set must pass, stated on games without their types, so that a new rule set is under them from
//! its one line in the registry on.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::sync::Arc;
use xinqi_kernel::{Seat, Setup, Viewer};
use xinqi_registry::{Play, Rules};

/// Rule-set texts that cover every entry of the registry: each by itself, and each mechanism over each base.
#[must_use]
pub fn every_rule_set() -> Vec<String> {
    let list = xinqi_registry::list();
    let plain = list.iter().filter(|l| !l.mechanism).map(|l| l.id.to_owned());
    let over = list.iter().filter(|m| m.mechanism).flat_map(|mechanism| {
        let bases = list.iter().filter(|l| l.base);
        bases.map(move |base| format!("{}({})", mechanism.id, base.id))
    });
    plain.chain(over).collect()
}

/// A game of `text` at its start.
///
/// # Panics
/// When the text or the start is refused.
#[must_use]
pub fn start(text: &str, seed: u64) -> Box<dyn Play> {
    rules(text)
        .start(&Setup { fen: None, seed })
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The rules that `text` names.
///
/// # Panics
/// When the text is refused.
#[must_use]
pub fn rules(text: &str) -> Arc<dyn Rules> {
    xinqi_registry::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Every viewer of a game.
pub fn viewers(play: &dyn Play) -> impl Iterator<Item = Viewer> + use<> {
    let seats = (0..play.rules().seats() as u8).map(|s| Viewer::Seat(Seat(s)));
    seats.chain([Viewer::Spectator, Viewer::Truth])
}

/// All views of a game at once.
#[must_use]
pub fn views(play: &dyn Play) -> Vec<Value> {
    viewers(play).map(|v| play.view(v).into_json()).collect()
}

/// One step of random play: an action of some seat that is to act, or now and then the deadline.
///
/// # Panics
/// When a seat that is to act can do nothing.
pub fn random_step(play: &dyn Play, rng: &mut ChaCha8Rng) -> Step {
    let to_act: Vec<Seat> = play.turn().seats().iter().collect();
    let seat = to_act[rng.random_range(0..to_act.len())];
    if play.rules().seats() > 2 && rng.random_ratio(1, 24) {
        return Step::Close(rng.random());
    }
    match play.sample(seat, rng) {
        Some(text) => Step::Act(seat, text),
        None => panic!("{}: {seat:?} is to act but can do nothing", play.rules().text()),
    }
}

/// What happened at one step of random play.
#[derive(Clone, Debug)]
pub enum Step {
    /// A seat acted.
    Act(Seat, String),
    /// The deadline came, with this seed.
    Close(u64),
}

impl Step {
    /// Does the step.
    ///
    /// # Panics
    /// When a sampled action is refused.
    pub fn take(&self, play: &mut dyn Play) {
        match self {
            Step::Act(seat, text) => {
                let done = play.act(*seat, text);
                done.unwrap_or_else(|e| panic!("{}: sampled {text:?} is refused: {e}", play.rules().text()));
            }
            Step::Close(seed) => drop(play.close(*seed)),
        }
    }
}
