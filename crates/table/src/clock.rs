//! Clocks (rules: `README.md`, Clocks). All times in milliseconds.

use std::fmt;
use std::str::FromStr;
use xinqi_kernel::Seat;

/// How time is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// No limit.
    None,
    /// Time for the game and an increment.
    Increment {
        /// For the game.
        main: u64,
        /// For each accepted decision.
        increment: u64,
    },
    /// 局时/读秒: main time, then periods that last as long as each turn stays within one.
    Byoyomi {
        /// Main time.
        main: u64,
        /// How many periods.
        periods: u32,
        /// Length of a period.
        length: u64,
    },
    /// 步时: a limit for each turn.
    Turn {
        /// The limit.
        limit: u64,
    },
    /// Slow games: days for each turn.
    Days {
        /// The limit.
        limit: u64,
    },
}

const SECOND: u64 = 1000;
const DAY: u64 = 86_400 * SECOND;

/// A clock text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("clock {0:?}: use none, 300+5, 600/3x30, ply:60 or days:3")]
pub struct ControlError(String);

impl FromStr for Control {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Control, ControlError> {
        let error = || ControlError(text.chars().take(40).collect());
        let number = |t: &str, least: u64, most: u64| {
            let digits = !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
            t.parse()
                .ok()
                .filter(|n: &u64| digits && (least..=most).contains(n))
                .ok_or_else(error)
        };
        const LONGEST: u64 = 86_400;
        if text == "none" {
            return Ok(Control::None);
        }
        if let Some(limit) = text.strip_prefix("ply:") {
            return Ok(Control::Turn {
                limit: number(limit, 1, LONGEST)? * SECOND,
            });
        }
        if let Some(days) = text.strip_prefix("days:") {
            return Ok(Control::Days {
                limit: number(days, 1, 30)? * DAY,
            });
        }
        if let Some((main, increment)) = text.split_once('+') {
            let (main, increment) = (number(main, 0, LONGEST)?, number(increment, 0, 3600)?);
            if main + increment == 0 {
                return Err(error());
            }
            return Ok(Control::Increment {
                main: main * SECOND,
                increment: increment * SECOND,
            });
        }
        let (main, rest) = text.split_once('/').ok_or_else(error)?;
        let (periods, length) = rest.split_once('x').ok_or_else(error)?;
        Ok(Control::Byoyomi {
            main: number(main, 0, LONGEST)? * SECOND,
            periods: number(periods, 1, 100)? as u32,
            length: number(length, 1, 3600)? * SECOND,
        })
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Control::None => write!(f, "none"),
            Control::Increment { main, increment } => write!(f, "{}+{}", main / SECOND, increment / SECOND),
            Control::Byoyomi {
                main,
                periods,
                length,
            } => {
                write!(f, "{}/{periods}x{}", main / SECOND, length / SECOND)
            }
            Control::Turn { limit } => write!(f, "ply:{}", limit / SECOND),
            Control::Days { limit } => write!(f, "days:{}", limit / DAY),
        }
    }
}

/// Both seats' clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: Control,
    left: [u64; 2],
    periods: [u32; 2],
    running: Option<(Seat, u64)>,
}

impl Clock {
    /// Full clocks, standing still.
    #[must_use]
    pub fn new(control: Control) -> Clock {
        let (left, periods) = match control {
            Control::None => (0, 0),
            // A game on increment alone still has time for its first turn.
            Control::Increment { main, increment } => (if main == 0 { increment } else { main }, 0),
            Control::Byoyomi { main, periods, .. } => (main, periods),
            Control::Turn { limit } | Control::Days { limit } => (limit, 0),
        };
        Clock {
            control,
            left: [left; 2],
            periods: [periods; 2],
            running: None,
        }
    }

    /// The control.
    #[must_use]
    pub fn control(&self) -> Control {
        self.control
    }

    /// The seat whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Seat> {
        self.running.map(|(seat, _)| seat)
    }

    /// Lets the clock of `seat` run from `at` on, or lets both stand; a clock that already runs goes on.
    pub fn run(&mut self, seat: Option<Seat>, at: u64) {
        if self.running() != seat {
            self.charge(at);
            self.running = seat.map(|s| (s, at));
        }
    }

    /// The running seat's decision was accepted: its time is charged, its increment, period or limit given.
    pub fn decided(&mut self, seat: Seat, at: u64) {
        if self.running() != Some(seat) {
            return;
        }
        self.charge(at);
        self.running = None;
        match self.control {
            Control::Increment { increment, .. } => self.left[seat.index()] += increment,
            Control::Turn { limit } | Control::Days { limit } => self.left[seat.index()] = limit,
            Control::None | Control::Byoyomi { .. } => {}
        }
    }

    /// Gives the running seat back the time that the server was away.
    pub fn credit(&mut self, ms: u64) {
        if let Some((_, since)) = &mut self.running {
            *since += ms;
        }
    }

    /// When the running seat's time is out, if nothing is decided before.
    #[must_use]
    pub fn flag_at(&self) -> Option<u64> {
        let (seat, since) = self.running?;
        let reserve = match self.control {
            Control::None => return None,
            Control::Byoyomi { length, .. } => u64::from(self.periods[seat.index()]) * length,
            _ => 0,
        };
        Some(since + self.left[seat.index()] + reserve)
    }

    /// What `seat` has left at `at`: time in the present stretch (main time or period), and periods.
    #[must_use]
    pub fn left(&self, seat: Seat, at: u64) -> (u64, u32) {
        let mut then = self.clone();
        then.charge(at);
        let (left, periods) = (then.left[seat.index()], then.periods[seat.index()]);
        match self.control {
            Control::Byoyomi { length, .. } if left == 0 && periods > 0 => {
                let within = match self.running {
                    Some((s, since)) if s == seat => {
                        at.saturating_sub(since).saturating_sub(self.left[seat.index()]) % length
                    }
                    _ => 0,
                };
                (length - within, periods)
            }
            _ => (left, periods),
        }
    }

    fn charge(&mut self, at: u64) {
        let Some((seat, since)) = &mut self.running else {
            return;
        };
        let spent = at.saturating_sub(*since);
        let left = &mut self.left[seat.index()];
        if let Control::Byoyomi { length, .. } = self.control {
            let over = spent.saturating_sub(*left);
            let used = u32::try_from(over / length).unwrap_or(u32::MAX);
            let periods = &mut self.periods[seat.index()];
            *periods = periods.saturating_sub(used);
        }
        *left = left.saturating_sub(spent);
        *since = at.max(*since);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in ["none", "300+5", "0+3", "600/3x30", "ply:60", "days:3"] {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        for text in [
            "", "5", "0+0", "300+", "+5", "-1+5", "600/0x30", "ply:0", "days:31", "1e3+1", "９+1",
        ] {
            assert!(text.parse::<Control>().is_err(), "{text}");
        }
    }

    #[test]
    fn increment_is_given_once_a_decision() {
        let mut clock = Clock::new("300+5".parse().unwrap());
        clock.run(Some(Seat::FIRST), 0);
        clock.run(Some(Seat::FIRST), 4000);
        clock.decided(Seat::FIRST, 10_000);
        assert_eq!(clock.left(Seat::FIRST, 99_000), (295_000, 0));
        clock.run(Some(Seat::SECOND), 10_000);
        assert_eq!(clock.flag_at(), Some(310_000));
        clock.credit(1000);
        assert_eq!(clock.flag_at(), Some(311_000));
    }

    #[test]
    fn a_period_lasts_while_turns_stay_within_it() {
        let mut clock = Clock::new("10/2x30".parse().unwrap());
        clock.run(Some(Seat::FIRST), 0);
        assert_eq!(clock.flag_at(), Some(70_000));
        assert_eq!(clock.left(Seat::FIRST, 15_000), (25_000, 2));
        clock.decided(Seat::FIRST, 39_999);
        assert_eq!(clock.left(Seat::FIRST, 50_000), (30_000, 2));
        clock.run(Some(Seat::FIRST), 50_000);
        clock.decided(Seat::FIRST, 81_000);
        assert_eq!(clock.left(Seat::FIRST, 90_000), (30_000, 1));
    }
}
