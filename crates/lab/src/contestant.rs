//! Who plays in a match.

use crate::contest::Pace;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use xinqi_engine::{Clock, Limits, Memory};
use xinqi_kernel::Seat;
use xinqi_protocol::{Engine, EngineError, Fault};
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
    /// `uci:COMMAND` and the like: an engine of somebody else's.
    External(Engine),
}

/// What a match gives for one decision.
#[derive(Clone, Debug)]
pub struct Given {
    /// The cost for those that bring no budget of their own.
    pub pace: Pace,
    /// The clock, where there is one; it bounds every budget.
    pub clock: Option<Clock>,
    /// What the player remembers from its decisions before, in this game.
    pub memory: Option<Memory>,
    /// All chance.
    pub seed: u64,
}

/// What an engine may spend on one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// `engine`: what the match gives.
    Given,
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
    #[error(
        "engine {0:?}: use engine, level:1 to level:10, nodes:N, movetime:MS, baseline:NAME/BUDGET, random, or uci:COMMAND, ucci:…, usi:…, gtp:…"
    )]
    Form(String),
    /// An engine of somebody else's, not of the form.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine of somebody else's that does not run.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A position that the rules cannot take.
    #[error("{0}")]
    Position(String),
    /// A baseline that the rule set does not have.
    #[error("{rules} has no baseline {name:?}; it has: {}", if known.is_empty() { "none" } else { known })]
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
        if text
            .split_once(':')
            .is_some_and(|(name, _)| name.parse::<xinqi_protocol::Protocol>().is_ok())
        {
            return Ok(Contestant::External(text.parse()?));
        }
        text.parse().map(Contestant::Own)
    }
}

impl FromStr for Budget {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Budget, ContestantError> {
        let error = || ContestantError::Form(text.chars().take(60).collect());
        if text == "engine" {
            return Ok(Budget::Given);
        }
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

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Own(budget) => budget.fmt(f),
            Contestant::Baseline(name, budget) => write!(f, "baseline:{name}/{budget}"),
            Contestant::Random => f.write_str("random"),
            Contestant::External(engine) => engine.fmt(f),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Given => f.write_str("engine"),
            Budget::Level(level) => write!(f, "level:{level}"),
            Budget::Nodes(nodes) => write!(f, "nodes:{nodes}"),
            Budget::Time(ms) => write!(f, "movetime:{ms}"),
        }
    }
}

impl Budget {
    /// The bounds of one decision.
    #[must_use]
    pub fn limits(self, given: &Given) -> Limits {
        let limits = match (self, given.pace) {
            (Budget::Level(level), _) => Limits::level(level, given.seed),
            (Budget::Nodes(nodes), _) | (Budget::Given, Pace::Nodes(nodes)) => Limits {
                nodes,
                ..Limits::default()
            },
            (Budget::Time(ms), _) => Limits {
                time: Some(Duration::from_millis(ms)),
                ..Limits::default()
            },
            (Budget::Given, Pace::Movetime(time)) => Limits {
                time: Some(time),
                ..Limits::default()
            },
            (Budget::Given, Pace::Clock { .. }) => Limits::default(),
        };
        Limits {
            clock: given.clock,
            memory: given.memory.clone(),
            seed: given.seed,
            ..limits
        }
    }
}

impl Contestant {
    /// Whether it can play by `rules`.
    ///
    /// # Errors
    /// A baseline that the rule set does not have, an engine of somebody else's where there are not two seats.
    pub fn check(&self, rules: &dyn Rules) -> Result<(), ContestantError> {
        match self {
            Contestant::Baseline(name, _) if !rules.baselines().contains(&name.as_str()) => {
                Err(ContestantError::Baseline {
                    rules: rules.text().to_owned(),
                    name: name.clone(),
                    known: rules.baselines().join(", "),
                })
            }
            Contestant::External(engine) if rules.seats() != 2 => {
                Err(Fault::Unable(engine.to_string(), format!("{} has no plies", rules.text())).into())
            }
            _ => Ok(()),
        }
    }

    /// What it does for `seat`, which is to act; the same seed gives the same choice unless time decides. An engine of
    /// ours that fails does something legal.
    ///
    /// # Panics
    /// When a seat that is to act can do nothing, which no rule set allows, or the rule set has no such baseline, or the
    /// contestant is a process, which a match asks itself.
    #[must_use]
    pub fn decide(&self, play: &dyn Play, seat: Seat, given: &Given) -> String {
        let limits = |budget: &Budget| budget.limits(given);
        match self {
            Contestant::Own(budget) => match play.attempt(seat, &limits(budget), &mut |_| {}) {
                Ok(thought) => thought,
                Err(_) => play.sample(seat, &mut xinqi_kernel::rng(given.seed)),
            },
            Contestant::Baseline(name, budget) => play.baseline(name, seat, &limits(budget)),
            Contestant::Random => play.sample(seat, &mut xinqi_kernel::rng(given.seed)),
            Contestant::External(engine) => panic!("{engine} is asked by its match"),
        }
        .expect("a seat that is to act can act")
    }
}
