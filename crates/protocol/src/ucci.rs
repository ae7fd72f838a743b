//! UCCI, the universal Chinese chess protocol (version 3).

use crate::search::{Found, Telling};
use crate::session::{Dialect, Go, Next, Session, Settings, milliseconds, number, rate, shorten};
use crate::spelling::Spelling;
use crate::{Protocol, ServeError};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use xinqi_engine::Info;
use xinqi_registry::Rules;

pub(crate) struct Ucci {
    session: Session,
    /// Times are in milliseconds, not in seconds.
    milliseconds: bool,
}

/// The score of a mate at once; one in `n` plies is `n` less.
const MATE: i32 = 30_000;

impl Ucci {
    pub(crate) fn new(rules: Arc<dyn Rules>, output: Box<dyn Write + Send>) -> Result<Ucci, ServeError> {
        Ok(Ucci {
            session: Session::new(Protocol::Ucci, rules, output)?,
            milliseconds: true,
        })
    }

    fn introduce(&self) {
        let say = |line: &str| self.session.say(line);
        say(concat!("id name Xinqi ", env!("CARGO_PKG_VERSION")));
        say("id author the Xinqi authors");
        say("option usemillisec type check default true");
        let spin = |name: &str, default: u64, range: std::ops::RangeInclusive<u64>| {
            let (min, max) = range.into_inner();
            say(&format!(
                "option {name} type spin min {min} max {max} default {default}"
            ));
        };
        spin("hashsize", Settings::HASH_DEFAULT as u64, Settings::HASH);
        spin("threads", 1, Settings::THREADS);
        spin("multipv", 1, Settings::MULTIPV);
        spin("level", 10, Settings::LEVELS);
        say("option newgame type button");
        say("ucciok");
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, value) = match words {
            [name] => (*name, ""),
            [name, value] => (*name, *value),
            _ => return Err("setoption: a name and a value are expected".to_owned()),
        };
        let settings = &mut self.session.settings;
        match name.to_ascii_lowercase().as_str() {
            "usemillisec" => {
                self.milliseconds = value
                    .parse()
                    .map_err(|_| format!("usemillisec {}: true or false is expected", shorten(value)))?;
            }
            "hashsize" => {
                let megabytes = number(name, value, Settings::HASH)?;
                self.session.set_hash(megabytes)?;
            }
            "threads" => settings.threads = number(name, value, Settings::THREADS)? as usize,
            "multipv" => settings.multipv = number(name, value, Settings::MULTIPV)? as usize,
            "level" => settings.level = number(name, value, Settings::LEVELS)? as u8,
            "newgame" if value.is_empty() => self.session.begin_game()?,
            _ => return Err(format!("no such option: {}", shorten(name))),
        }
        Ok(())
    }

    fn time(&self, key: &str, text: &str) -> Result<Duration, String> {
        let time = milliseconds(key, text)?;
        Ok(if self.milliseconds { time } else { time * 1000 })
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let mut go = Go::default();
        let (mut left, mut increment) = (None, Duration::ZERO);
        let mut words = words.iter();
        while let Some(&key) = words.next() {
            let mut value = || {
                words
                    .next()
                    .copied()
                    .ok_or_else(|| format!("go {key}: a number is missing"))
            };
            match key {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                // An offered draw is not for the engine to take.
                "draw" => {}
                "depth" => match value()? {
                    "infinite" => go.infinite = true,
                    depth => go.depth = Some(number(key, depth, 1..=u64::from(u32::MAX))? as u32),
                },
                "nodes" => go.nodes = Some(number(key, value()?, 1..=u64::MAX)?),
                "time" => left = Some(self.time(key, value()?)?),
                "increment" => increment = self.time(key, value()?)?,
                "movestogo" => go.moves_to_go = Some(number(key, value()?, 1..=10_000)? as u32),
                "opptime" | "oppincrement" => _ = self.time(key, value()?)?,
                "oppmovestogo" => _ = number(key, value()?, 1..=10_000)?,
                _ => return Err(format!("go: unknown word {}", shorten(key))),
            }
        }
        // The clock of whoever is to move; nothing depends on the other's.
        go.left = [left; 2];
        go.increment = [increment; 2];
        go.infinite |= go.is_unbounded();
        self.begin(&go)
    }
}

impl Dialect for Ucci {
    fn obey(&mut self, words: &[&str]) -> Result<Next, String> {
        match words {
            ["ucci"] => self.introduce(),
            ["setoption", rest @ ..] => self.set_option(rest)?,
            ["position", rest @ ..] => self.session.read_position("fen", rest)?,
            ["banmoves", rest @ ..] => self.session.ban(rest)?,
            ["go", rest @ ..] => self.go(rest)?,
            // An offered draw is not for the engine to take.
            ["ponderhit", "draw"] => return self.obey_as_all(&words[..1]),
            ["quit"] => {
                let next = self.obey_as_all(words);
                self.session.say("bye");
                return next;
            }
            _ => return self.obey_as_all(words),
        }
        Ok(Next::Listen)
    }

    fn begin(&mut self, go: &Go) -> Result<(), String> {
        let spelling = self.session.spelling;
        self.session.search(go, Words { spelling })
    }

    fn complain(&self, error: &str) -> String {
        Words::complaint(&error)
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

struct Words {
    spelling: Spelling,
}

impl Telling for Words {
    const ASIDE: &'static str = "info message";

    fn progress(&self, info: &Info) -> Option<String> {
        let score = match info.mate {
            Some(plies) if plies > 0 => MATE - plies,
            Some(plies) => -MATE - plies,
            None => info.score,
        };
        let mut line = format!(
            "info depth {} multipv {} score {score} nodes {} nps {} time {}",
            info.depth,
            info.multipv,
            info.nodes,
            rate(info),
            info.time.as_millis()
        );
        if !info.line.is_empty() {
            let words: Vec<_> = info.line.iter().map(|text| self.spelling.write(text)).collect();
            line.push_str(" pv ");
            line.push_str(&words.join(" "));
        }
        Some(line)
    }

    fn answer(&self, found: &Found) -> String {
        match found.words(self.spelling) {
            None => "nobestmove".to_owned(),
            Some((best, None)) => format!("bestmove {best}"),
            Some((best, Some(next))) => format!("bestmove {best} ponder {next}"),
        }
    }
}
