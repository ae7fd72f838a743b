//! Who plays in a match.

use std::str::FromStr;
use std::time::Duration;
use xinqi_engine::Limits;
use xinqi_kernel::Seat;
use xinqi_registry::Play;

/// An engine as `xinqi match` names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// `level:N`, 1 to 10.
    Level(u8),
    /// `nodes:N`: all there is, within so many positions a decision.
    Nodes(u64),
    /// `movetime:MS`: all there is, within so many milliseconds a decision.
    Time(u64),
    /// `random`: some legal action.
    Random,
}

/// An engine text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("engine {0:?}: use level:1 to level:10, nodes:N, movetime:MS or random")]
pub struct ContestantError(String);

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let error = || ContestantError(text.chars().take(60).collect());
        if text == "random" {
            return Ok(Contestant::Random);
        }
        let (kind, number) = text.split_once(':').ok_or_else(error)?;
        let number: u64 = number.parse().map_err(|_| error())?;
        match (kind, number) {
            ("level", 1..=10) => Ok(Contestant::Level(number as u8)),
            ("nodes", 1..) => Ok(Contestant::Nodes(number)),
            ("movetime", 1..) => Ok(Contestant::Time(number)),
            _ => Err(error()),
        }
    }
}

impl Contestant {
    /// What it does for `seat`, which is to act; the same seed gives the same choice unless time decides.
    ///
    /// # Panics
    /// When a seat that is to act can do nothing, which no rule set allows.
    #[must_use]
    pub fn decide(&self, play: &dyn Play, seat: Seat, seed: u64) -> String {
        let limits = match *self {
            Contestant::Random => {
                let action = play.sample(seat, &mut xinqi_kernel::rng(seed));
                return action.expect("a seat that is to act can act");
            }
            Contestant::Level(level) => Limits::level(level, seed),
            Contestant::Nodes(nodes) => Limits {
                nodes,
                seed,
                ..Limits::default()
            },
            Contestant::Time(ms) => Limits {
                time: Some(Duration::from_millis(ms)),
                seed,
                ..Limits::default()
            },
        };
        play.think(seat, &limits, &mut |_| {})
            .expect("a seat that is to act can act")
    }
}
