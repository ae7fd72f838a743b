//! Who plays in a match.

use std::str::FromStr;
use std::time::Duration;
use xinqi_engine::Limits;
use xinqi_kernel::Seat;
use xinqi_registry::{Play, Rules};

/// An engine as `xinqi match` names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// The rule set's own engine.
    Own(Budget),
    /// `baseline:NAME/BUDGET`: one of the players that the rule set's engine is measured against.
    Baseline(String, Budget),
    /// `random`: some legal action.
    Random,
}

/// What an engine may spend on one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// `level:N`, 1 to 10.
    Level(u8),
    /// `nodes:N`: all there is, within so many positions.
    Nodes(u64),
    /// `movetime:MS`: all there is, within so many milliseconds.
    Time(u64),
}

/// An engine text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContestantError {
    /// Not of the form.
    #[error("engine {0:?}: use level:1 to level:10, nodes:N, movetime:MS, baseline:NAME/BUDGET or random")]
    Form(String),
    /// A baseline that the rule set does not have.
    #[error("{rules} has no baseline {name:?}; it has: {known}")]
    Baseline {
        /// The rule set's text.
        rules: String,
        /// What was asked for.
        name: String,
        /// Those there are.
        known: String,
    },
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        if text == "random" {
            return Ok(Contestant::Random);
        }
        if let Some((name, budget)) = text
            .strip_prefix("baseline:")
            .and_then(|rest| rest.split_once('/'))
        {
            return Ok(Contestant::Baseline(name.to_owned(), budget.parse()?));
        }
        text.parse().map(Contestant::Own)
    }
}

impl FromStr for Budget {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Budget, ContestantError> {
        let error = || ContestantError::Form(text.chars().take(60).collect());
        let (kind, number) = text.split_once(':').ok_or_else(error)?;
        let number: u64 = number.parse().map_err(|_| error())?;
        match (kind, number) {
            ("level", 1..=10) => Ok(Budget::Level(number as u8)),
            ("nodes", 1..) => Ok(Budget::Nodes(number)),
            ("movetime", 1..) => Ok(Budget::Time(number)),
            _ => Err(error()),
        }
    }
}

impl Budget {
    /// The bounds of one decision whose chance is `seed`.
    #[must_use]
    pub fn limits(self, seed: u64) -> Limits {
        match self {
            Budget::Level(level) => Limits::level(level, seed),
            Budget::Nodes(nodes) => Limits {
                nodes,
                seed,
                ..Limits::default()
            },
            Budget::Time(ms) => Limits {
                time: Some(Duration::from_millis(ms)),
                seed,
                ..Limits::default()
            },
        }
    }
}

impl Contestant {
    /// Whether it can play by `rules`.
    ///
    /// # Errors
    /// A baseline that the rule set does not have.
    pub fn check(&self, rules: &dyn Rules) -> Result<(), ContestantError> {
        match self {
            Contestant::Baseline(name, _) if !rules.baselines().contains(&name.as_str()) => {
                Err(ContestantError::Baseline {
                    rules: rules.text().to_owned(),
                    name: name.clone(),
                    known: rules.baselines().join(", "),
                })
            }
            _ => Ok(()),
        }
    }

    /// What it does for `seat`, which is to act; the same seed gives the same choice unless time decides.
    ///
    /// # Panics
    /// When a seat that is to act can do nothing, which no rule set allows, or the rule set has no such baseline.
    #[must_use]
    pub fn decide(&self, play: &dyn Play, seat: Seat, seed: u64) -> String {
        match self {
            Contestant::Own(budget) => play.think(seat, &budget.limits(seed), &mut |_| {}),
            Contestant::Baseline(name, budget) => play.baseline(name, seat, &budget.limits(seed)),
            Contestant::Random => play.sample(seat, &mut xinqi_kernel::rng(seed)),
        }
        .expect("a seat that is to act can act")
    }
}
