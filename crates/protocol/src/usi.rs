//! USI, the universal shogi interface.

use crate::search::{Found, Telling};
use crate::session::{Dialect, Go, Next, Session, Settings, milliseconds, number, progress, shorten};
use crate::spelling::Spelling;
use crate::{Protocol, ServeError};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use xinqi_engine::Info;
use xinqi_registry::Rules;

pub(crate) struct Usi {
    session: Session,
}

impl Usi {
    pub(crate) fn new(rules: Arc<dyn Rules>, output: Box<dyn Write + Send>) -> Result<Usi, ServeError> {
        Ok(Usi {
            session: Session::new(Protocol::Usi, rules, output)?,
        })
    }

    fn introduce(&self) {
        let say = |line: &str| self.session.say(line);
        say(concat!("id name Xinqi ", env!("CARGO_PKG_VERSION")));
        say("id author the Xinqi authors");
        let spin = |name: &str, default: u64, range: std::ops::RangeInclusive<u64>| {
            let (min, max) = range.into_inner();
            say(&format!(
                "option name {name} type spin default {default} min {min} max {max}"
            ));
        };
        spin("USI_Hash", Settings::HASH_DEFAULT as u64, Settings::HASH);
        spin("Threads", 1, Settings::THREADS);
        spin("MultiPV", 1, Settings::MULTIPV);
        spin("Level", 10, Settings::LEVELS);
        spin("ByoyomiMargin", 0, Settings::OVERHEAD);
        say("usiok");
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, value) = match words {
            ["name", name, "value", value] => (*name, *value),
            _ => return Err("setoption: name NAME value VALUE is expected".to_owned()),
        };
        let settings = &mut self.session.settings;
        match name.to_ascii_lowercase().as_str() {
            "threads" => settings.threads = number(name, value, Settings::THREADS)? as usize,
            "multipv" => settings.multipv = number(name, value, Settings::MULTIPV)? as usize,
            "level" => settings.level = number(name, value, Settings::LEVELS)? as u8,
            "byoyomimargin" => {
                settings.overhead = Duration::from_millis(number(name, value, Settings::OVERHEAD)?);
            }
            // Every GUI sends these two, whether the engine has offered them or not.
            "usi_ponder" if matches!(value, "true" | "false") => {}
            "usi_hash" => {
                let megabytes = number(name, value, Settings::HASH)?;
                self.session.set_hash(megabytes)?;
            }
            _ => return Err(format!("no such option: {}", shorten(name))),
        }
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let mut go = Go::default();
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
                "mate" => {
                    go.mating = true;
                    match value()? {
                        "infinite" => {}
                        ms => go.time = Some(milliseconds(key, ms)?),
                    }
                }
                "depth" => go.depth = Some(number(key, value()?, 1..=u64::from(u32::MAX))? as u32),
                "nodes" => go.nodes = Some(number(key, value()?, 1..=u64::MAX)?),
                "movetime" => go.time = Some(milliseconds(key, value()?)?),
                "btime" => go.left[0] = Some(milliseconds(key, value()?)?),
                "wtime" => go.left[1] = Some(milliseconds(key, value()?)?),
                "binc" => go.increment[0] = milliseconds(key, value()?)?,
                "winc" => go.increment[1] = milliseconds(key, value()?)?,
                "byoyomi" => go.byoyomi = Some(milliseconds(key, value()?)?),
                _ => return Err(format!("go: unknown word {}", shorten(key))),
            }
        }
        go.infinite |= go.is_unbounded() && !go.mating;
        self.search(&go)
    }

    fn search(&mut self, go: &Go) -> Result<(), String> {
        let spelling = self.session.spelling;
        // A declaration wins at once where the rules have one.
        let wins = self
            .session
            .due()
            .is_some_and(|(seat, play)| play.check(seat, "declare").is_ok());
        self.session.search(
            go,
            Words {
                spelling,
                wins,
                mating: go.mating,
            },
        )
    }
}

impl Dialect for Usi {
    fn obey(&mut self, words: &[&str]) -> Result<Next, String> {
        match words {
            ["usi"] => self.introduce(),
            ["setoption", rest @ ..] => self.set_option(rest)?,
            ["usinewgame"] => self.session.begin_game()?,
            ["position", rest @ ..] => self.session.read_position("sfen", rest)?,
            ["go", rest @ ..] => self.go(rest)?,
            ["gameover", "win" | "lose" | "draw"] => self.session.hush(),
            _ => return self.obey_as_all(words),
        }
        Ok(Next::Listen)
    }

    fn begin(&mut self, go: &Go) -> Result<(), String> {
        self.search(go)
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
    /// The side to move may declare that it has won.
    wins: bool,
    /// A mate is asked for, not a ply.
    mating: bool,
}

impl Telling for Words {
    const ASIDE: &'static str = "info string";

    fn progress(&self, info: &Info) -> Option<String> {
        Some(progress(info, info.mate, self.spelling))
    }

    fn answer(&self, found: &Found) -> String {
        if self.mating {
            return match &found.info {
                Some(info) if info.mate.is_some_and(|plies| plies > 0) => {
                    let words: Vec<_> = info.line.iter().map(|text| self.spelling.write(text)).collect();
                    format!("checkmate {}", words.join(" "))
                }
                _ => "checkmate timeout".to_owned(),
            };
        }
        match found.words(self.spelling) {
            _ if self.wins => "bestmove win".to_owned(),
            None => "bestmove resign".to_owned(),
            Some((best, None)) => format!("bestmove {best}"),
            Some((best, Some(next))) => format!("bestmove {best} ponder {next}"),
        }
    }
}
