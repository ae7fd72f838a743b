//! The universal chess interface.

use crate::search::{Found, Telling};
use crate::session::{self, Dialect, Go, Next, Session, Settings, milliseconds, number, shorten};
use crate::spelling::{Ranks, Spelling};
use crate::{Protocol, ServeError};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use xinqi_engine::Info;
use xinqi_registry::Rules;

/// The words that `go` knows.
const KEYS: [&str; 12] = [
    "searchmoves",
    "infinite",
    "ponder",
    "depth",
    "mate",
    "nodes",
    "movestogo",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
];

pub(crate) struct Uci {
    session: Session,
    ranks: Ranks,
}

impl Uci {
    pub(crate) fn new(rules: Arc<dyn Rules>, output: Box<dyn Write + Send>) -> Result<Uci, ServeError> {
        Ok(Uci {
            session: Session::new(Protocol::Uci, rules, output)?,
            ranks: Ranks::FromOne,
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
        spin("Hash", Settings::HASH_DEFAULT as u64, Settings::HASH);
        spin("Threads", 1, Settings::THREADS);
        spin("MultiPV", 1, Settings::MULTIPV);
        spin("Level", 10, Settings::LEVELS);
        spin("Move Overhead", 0, Settings::OVERHEAD);
        say("option name Clear Hash type button");
        say("option name Ponder type check default false");
        let board = |rules: &xinqi_registry::Listing| rules.base;
        let variants: Vec<_> = xinqi_registry::list()
            .iter()
            .filter(|r| board(r))
            .map(|r| r.id)
            .collect();
        let text = self.session.rules.text();
        say(&format!(
            "option name UCI_Variant type combo default {text} var {}",
            variants.join(" var ")
        ));
        if let Some(is_960) = self.chess960() {
            say(&format!("option name UCI_Chess960 type check default {is_960}"));
        }
        if self.counts_ranks() {
            say("option name Ranks type combo default 1-10 var 1-10 var 0-9");
        }
        say("uciok");
    }

    /// Whether castling is written as in chess960; `None` where there is none.
    fn chess960(&self) -> Option<bool> {
        let rules = &self.session.rules;
        let chess = rules.board() == "chess" && rules.mechanism().is_none();
        chess.then(|| rules.text().contains("chess960=true"))
    }

    fn counts_ranks(&self) -> bool {
        Spelling::usual(Protocol::Uci, &self.session.rules) == Spelling::FromOne
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let words = words
            .strip_prefix(&["name"])
            .ok_or("setoption: name is missing")?;
        let split = words.iter().position(|w| *w == "value").unwrap_or(words.len());
        let (name, value) = (
            words[..split].join(" "),
            words.get(split + 1..).unwrap_or_default().join(" "),
        );
        let settings = &mut self.session.settings;
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let megabytes = number("Hash", &value, Settings::HASH)?;
                self.session.set_hash(megabytes)?;
            }
            "threads" => settings.threads = number("Threads", &value, Settings::THREADS)? as usize,
            "multipv" => settings.multipv = number("MultiPV", &value, Settings::MULTIPV)? as usize,
            "level" => settings.level = number("Level", &value, Settings::LEVELS)? as u8,
            "move overhead" => {
                let ms = number("Move Overhead", &value, Settings::OVERHEAD)?;
                settings.overhead = Duration::from_millis(ms);
            }
            "ponder" => _ = check("Ponder", &value)?,
            "clear hash" if value.is_empty() => self.session.forget()?,
            "uci_variant" => self.change_rules(&value)?,
            "uci_chess960" => {
                let (wanted, is) = (check("UCI_Chess960", &value)?, self.chess960());
                match is.ok_or("UCI_Chess960: only chess has it")? {
                    is if is == wanted => {}
                    _ if wanted => self.change_rules("chess(chess960=true)")?,
                    _ => self.change_rules("chess")?,
                }
            }
            "ranks" if self.counts_ranks() => {
                self.ranks = Ranks::named(&value)
                    .ok_or_else(|| format!("Ranks {}: 1-10 or 0-9 is expected", shorten(&value)))?;
                self.respell();
            }
            _ => return Err(format!("no such option: {}", shorten(&name))),
        }
        Ok(())
    }

    fn change_rules(&mut self, text: &str) -> Result<(), String> {
        self.session.change_rules(Protocol::Uci, text)?;
        self.respell();
        Ok(())
    }

    fn respell(&mut self) {
        self.session.spelling = match (Spelling::usual(Protocol::Uci, &self.session.rules), self.ranks) {
            (Spelling::FromOne, Ranks::FromZero) => Spelling::Own,
            (usual, _) => usual,
        };
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let mut go = Go::default();
        let mut words = words.iter();
        while let Some(&key) = words.next() {
            if key == "searchmoves" {
                let rest = words.as_slice();
                let end = rest.iter().position(|word| KEYS.contains(word));
                let (plies, rest) = rest.split_at(end.unwrap_or(rest.len()));
                go.among = self.session.read_plies(plies)?;
                words = rest.iter();
                continue;
            }
            let mut value = || {
                words
                    .next()
                    .copied()
                    .ok_or_else(|| format!("go {key}: a number is missing"))
            };
            match key {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "depth" => go.depth = Some(number(key, value()?, 1..=u64::from(u32::MAX))? as u32),
                "mate" => go.mate = Some(number(key, value()?, 1..=1000)? as u32),
                "nodes" => go.nodes = Some(number(key, value()?, 1..=u64::MAX)?),
                // 0 is how some say that it is not known.
                "movestogo" => {
                    let moves = number(key, value()?, 0..=10_000)? as u32;
                    go.moves_to_go = Some(moves).filter(|&moves| moves > 0);
                }
                "movetime" => go.time = Some(milliseconds(key, value()?)?),
                "wtime" => go.left[0] = Some(milliseconds(key, value()?)?),
                "btime" => go.left[1] = Some(milliseconds(key, value()?)?),
                "winc" => go.increment[0] = milliseconds(key, value()?)?,
                "binc" => go.increment[1] = milliseconds(key, value()?)?,
                _ => return Err(format!("go: unknown word {}", shorten(key))),
            }
        }
        go.infinite |= go.is_unbounded();
        self.begin(&go)
    }
}

impl Dialect for Uci {
    fn obey(&mut self, words: &[&str]) -> Result<Next, String> {
        match words {
            ["uci"] => self.introduce(),
            ["setoption", rest @ ..] => self.set_option(rest)?,
            ["ucinewgame"] => self.session.begin_game()?,
            ["position", rest @ ..] => self.session.read_position("fen", rest)?,
            ["go", rest @ ..] => self.go(rest)?,
            ["debug", "on" | "off"] => {}
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

fn check(what: &str, text: &str) -> Result<bool, String> {
    text.parse()
        .map_err(|_| format!("{what} {}: true or false is expected", shorten(text)))
}

struct Words {
    spelling: Spelling,
}

impl Telling for Words {
    const ASIDE: &'static str = "info string";

    fn progress(&self, info: &Info) -> Option<String> {
        Some(session::progress(
            info,
            info.mate.map(session::in_moves),
            self.spelling,
        ))
    }

    fn answer(&self, found: &Found) -> String {
        match found.words(self.spelling) {
            None => "bestmove (none)".to_owned(),
            Some((best, None)) => format!("bestmove {best}"),
            Some((best, Some(next))) => format!("bestmove {best} ponder {next}"),
        }
    }
}
