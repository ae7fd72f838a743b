//! Engines of other people, run as processes of their own and driven in their protocol.

use crate::spelling::{Ranks, Spelling};
use crate::{Protocol, rules_text};
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use xinqi_engine::Stop;
use xinqi_kernel::{Seat, Setup, Viewer};
use xinqi_registry::Rules;

/// An engine as a command line names it: `uci:COMMAND?OPTION=VALUE&OPTION=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    text: String,
    protocol: Protocol,
    program: String,
    arguments: Vec<String>,
    options: Vec<(String, String)>,
    ranks: Ranks,
}

/// An engine text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("engine {text:?}: {why}")]
pub struct EngineError {
    text: String,
    why: String,
}

/// What an engine may spend on one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// So many positions.
    Nodes(u64),
    /// So much time.
    Movetime(Duration),
    /// The clocks as they stand, and what a ply adds.
    Clock {
        /// Of the first seat and the second.
        left: [Duration; 2],
        /// Added with each ply.
        increment: Duration,
    },
}

/// What an engine is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position that the game began from, where that is not the start.
    pub fen: Option<&'a str>,
    /// What was done since.
    pub actions: &'a [(Seat, String)],
    /// Who is to act.
    pub seat: Seat,
    /// What the answer may cost.
    pub budget: Budget,
    /// Calls it off.
    pub stop: &'a Stop,
}

/// Why an engine has no ply to give.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("{0} cannot be started: {1}")]
    Start(String, String),
    /// It has ended by itself.
    #[error("{0} has ended by itself")]
    Crash(String),
    /// It was killed, for it did not answer in time.
    #[error("{0} did not answer in {1} ms")]
    Silence(String, u64),
    /// It was called off.
    #[error("{0} was called off")]
    Stopped(String),
    /// It gives the game up.
    #[error("{0} resigns")]
    Resigns(String),
    /// It cannot play by these rules.
    #[error("{0}: {1}")]
    Unable(String, String),
}

impl Fault {
    /// Whether the process is gone, or of no more use.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Fault::Start(..) | Fault::Crash(_) | Fault::Silence(..))
    }
}

/// The option that says how xiangqi's ranks are counted; for engines that do not have it, too.
const RANKS: &str = "Ranks";
/// The option that chess960 is played with.
const CHESS960: &str = "UCI_Chess960";
/// Bytes of a line that an engine says; one that says longer ones is out of its mind.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines that wait to be heard.
const BACKLOG: usize = 1024;

/// How long an engine may take to get ready.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long after its time is up it is taken for dead.
const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked whether it has been called off.
const LOOK: Duration = Duration::from_millis(20);
/// How long it may take where no time is set.
const LONGEST: Duration = Duration::from_secs(300);

impl FromStr for Engine {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Engine, EngineError> {
        let error = |why: &str| EngineError {
            text: text.chars().take(80).collect(),
            why: why.to_owned(),
        };
        let known = Protocol::ALL
            .map(|(name, _)| format!("{name}:COMMAND"))
            .join(", ");
        let (protocol, rest) = text
            .split_once(':')
            .and_then(|(name, rest)| Some((name.parse().ok()?, rest)))
            .ok_or_else(|| error(&format!("use one of {known}")))?;
        let (command, pairs) = rest.rsplit_once('?').unwrap_or((rest, ""));
        let mut words = split_words(command)
            .ok_or_else(|| error("a quote is not closed"))?
            .into_iter();
        let program = words.next().ok_or_else(|| error("the command is missing"))?;
        let mut engine = Engine {
            text: text.to_owned(),
            protocol,
            program,
            arguments: words.collect(),
            options: Vec::new(),
            ranks: Ranks::FromOne,
        };
        for pair in pairs.split('&').filter(|p| !p.is_empty()) {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| error(&format!("{pair:?} is no OPTION=VALUE")))?;
            if name == RANKS {
                engine.ranks = Ranks::named(value).ok_or_else(|| error("Ranks is 1-10 or 0-9"))?;
            }
            engine.options.push((name.to_owned(), value.to_owned()));
        }
        Ok(engine)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The words of a command; quotes keep spaces in one.
fn split_words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// An engine that runs.
pub struct External {
    engine: Engine,
    rules: Arc<dyn Rules>,
    spelling: Spelling,
    /// Where a game begins that nobody set up, unless it is where `startpos` is.
    array: Option<String>,
    process: Process,
    /// Of the present game, the actions that stand on its board (GTP alone keeps one).
    heard: Vec<(Seat, String)>,
}

impl External {
    /// Starts the engine and makes it ready to play by `rules`; `warn` hears of options that it does not have.
    ///
    /// # Errors
    /// Why it is not ready.
    pub fn start(
        engine: &Engine,
        rules: &Arc<dyn Rules>,
        warn: &mut dyn FnMut(&str),
    ) -> Result<External, Fault> {
        let spelling = match (Spelling::usual(engine.protocol, rules), engine.ranks) {
            (Spelling::FromOne, Ranks::FromZero) => Spelling::Own,
            (usual, _) => usual,
        };
        let mut external = External {
            spelling,
            array: array(rules),
            process: Process::start(engine)?,
            engine: engine.clone(),
            rules: rules.clone(),
            heard: Vec::new(),
        };
        match engine.protocol {
            Protocol::Gtp => external.greet_gtp(warn)?,
            Protocol::Uci => external.greet("uci", warn)?,
            Protocol::Ucci => external.greet("ucci", warn)?,
            Protocol::Usi => external.greet("usi", warn)?,
        }
        Ok(external)
    }

    /// Tells it that a game begins, from `fen` or the start.
    ///
    /// # Errors
    /// Why it is not ready.
    pub fn begin_game(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        match self.engine.protocol {
            Protocol::Uci => self.process.say("ucinewgame")?,
            Protocol::Usi => self.process.say("usinewgame")?,
            Protocol::Ucci => {}
            Protocol::Gtp => return self.set_up(fen),
        }
        self.get_ready()
    }

    /// What it plays.
    ///
    /// # Errors
    /// Why it has nothing to play. After [`Fault::is_final`] it is of no more use.
    pub fn decide(&mut self, question: &Question<'_>) -> Result<String, Fault> {
        let word = match self.engine.protocol {
            Protocol::Gtp => self.ask_gtp(question)?,
            _ => self.ask(question)?,
        };
        let usi = self.engine.protocol == Protocol::Usi;
        match word.as_str() {
            "" | "(none)" | "0000" | "NULL" | "resign" | "RESIGN" => {
                Err(Fault::Resigns(self.engine.text.clone()))
            }
            "win" if usi => Ok("declare".to_owned()),
            _ => Ok(self.spelling.read(&word).unwrap_or(word)),
        }
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<String, Fault> {
        let &Question {
            fen,
            actions,
            seat,
            budget,
            stop,
        } = question;
        // One line, whatever stands in the text: a position may come from anybody.
        let fen = fen.or(self.array.as_deref());
        let fen = fen.map(|fen| fen.split_whitespace().collect::<Vec<_>>().join(" "));
        let mut position = match (fen, self.engine.protocol) {
            (None, _) => "position startpos".to_owned(),
            (Some(sfen), Protocol::Usi) => format!("position sfen {sfen}"),
            (Some(fen), _) => format!("position fen {fen}"),
        };
        for (i, (_, text)) in actions.iter().enumerate() {
            position.push_str(if i == 0 { " moves " } else { " " });
            position.push_str(&self.spelling.write(text));
        }
        self.process.say(&position)?;
        self.process.say(&go(self.engine.protocol, budget, seat))?;
        let answer = |line: &str| line.starts_with("bestmove") || line.starts_with("nobestmove");
        let Some(line) = self.process.wait_unless(stop, within(budget, seat), answer)? else {
            self.process.say("stop")?;
            self.process.wait_for(GRACE, answer)?;
            return Err(Fault::Stopped(self.engine.program.clone()));
        };
        Ok(line.split_whitespace().nth(1).unwrap_or_default().to_owned())
    }

    fn greet(&mut self, protocol: &str, warn: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        self.process.say(protocol)?;
        let (mut known, done) = (Vec::new(), format!("{protocol}ok"));
        self.process.wait_for(PATIENCE, |line| {
            if let Some(option) = line.strip_prefix("option ") {
                let option = option.strip_prefix("name ").unwrap_or(option);
                let (name, kind) = option.split_once(" type ").unwrap_or((option, ""));
                known.push((name.trim().to_ascii_lowercase(), kind.to_owned()));
            }
            line.trim() == done
        })?;
        if protocol == "ucci" && known.iter().any(|(name, _)| name == "usemillisec") {
            self.process.say("setoption usemillisec true")?;
        }
        let mut options = self.engine.options.clone();
        if protocol == "uci" && self.array.is_some() {
            options.retain(|(name, _)| !name.eq_ignore_ascii_case(CHESS960));
            options.push((CHESS960.to_owned(), "true".to_owned()));
        }
        for (name, value) in options {
            let kind = known
                .iter()
                .find(|(known, _)| *known == name.to_ascii_lowercase());
            let Some((_, kind)) = kind else {
                if name != RANKS {
                    warn(&format!("{} has no option {name}: left out", self.engine.program));
                }
                continue;
            };
            if !offers(kind, &value) {
                warn(&format!("{} does not offer {name} {value}", self.engine.program));
            }
            if protocol == "ucci" {
                self.process.say(&format!("setoption {name} {value}"))?;
            } else {
                self.process
                    .say(&format!("setoption name {name} value {value}"))?;
            }
        }
        self.get_ready()
    }

    fn get_ready(&mut self) -> Result<(), Fault> {
        self.process.say("isready")?;
        self.process.wait_for(PATIENCE, |line| line.trim() == "readyok")?;
        Ok(())
    }

    /// Sends a GTP command and waits for what it answers.
    fn command(&mut self, command: &str, time: Duration) -> Result<String, Fault> {
        self.process.say(command)?;
        let line = self.process.wait_for(time, |line| line.starts_with(['=', '?']))?;
        match line.strip_prefix('=') {
            Some(answer) => Ok(answer.trim().to_owned()),
            None => Err(self.unable(&format!("{command}: {}", line.trim_start_matches('?').trim()))),
        }
    }

    fn unable(&self, why: &str) -> Fault {
        Fault::Unable(self.engine.program.clone(), why.to_owned())
    }

    /// An option of a GTP engine is a command with its argument.
    fn greet_gtp(&mut self, warn: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        if !matches!(self.spelling, Spelling::Vertices { .. }) {
            return Err(self.unable(&format!("GTP has no words for {}", self.rules.text())));
        }
        for (name, value) in self.engine.options.clone() {
            match self.command(&format!("{name} {value}"), PATIENCE) {
                Err(Fault::Unable(_, why)) => warn(&format!("{}: {why}: left out", self.engine.program)),
                other => _ = other?,
            }
        }
        Ok(())
    }

    fn set_up(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        self.heard.clear();
        if fen.is_some() {
            return Err(self.unable("GTP has no words for a position"));
        }
        let Spelling::Vertices { size, .. } = self.spelling else {
            unreachable!("looked at when it was started")
        };
        let rules = self.rules.clone();
        let given = |key: &str| rules_text::given(rules.text(), key);
        self.command(&format!("boardsize {size}"), PATIENCE)?;
        self.command("clear_board", PATIENCE)?;
        if rules.board() == "go" {
            let usual = if given("handicap").is_some() { "0.5" } else { "7.5" };
            self.command(&format!("komi {}", given("komi").unwrap_or(usual)), PATIENCE)?;
        }
        if let Some(stones) = given("handicap") {
            self.command(&format!("fixed_handicap {stones}"), PATIENCE)?;
        }
        Ok(())
    }

    fn ask_gtp(&mut self, question: &Question<'_>) -> Result<String, Fault> {
        let &Question {
            fen,
            actions,
            seat,
            budget,
            stop,
        } = question;
        let color = |seat: Seat| if seat == Seat::FIRST { "B" } else { "W" };
        if !actions.starts_with(&self.heard) {
            // Something was taken back, or its last stone was not taken.
            self.set_up(fen)?;
        }
        let fresh = self.heard.is_empty();
        for (by, text) in &actions[self.heard.len()..] {
            // GTP has no words for what both sides say of dead stones.
            if !text.starts_with("dead") {
                let word = self.spelling.write(text);
                self.command(&format!("play {} {word}", color(*by)), PATIENCE)?;
            }
            self.heard.push((*by, text.clone()));
        }
        match budget {
            Budget::Nodes(_) => {}
            // Seconds are the smallest that GTP can say.
            Budget::Movetime(time) => {
                let seconds = time.as_secs_f64().ceil();
                self.command(&format!("time_settings 0 {seconds} 1"), PATIENCE)?;
            }
            Budget::Clock { left, increment } => {
                if fresh {
                    let [seconds, more] = [left[seat.index()], increment].map(|t| t.as_secs_f64().ceil());
                    let stones = u8::from(more > 0.0);
                    self.command(&format!("time_settings {seconds} {more} {stones}"), PATIENCE)?;
                }
                let seconds = left[seat.index()].as_secs();
                self.command(&format!("time_left {} {seconds} 0", color(seat)), PATIENCE)?;
            }
        }
        self.process.say(&format!("genmove {}", color(seat)))?;
        let answer = self
            .process
            .wait_unless(stop, within(budget, seat), |line| line.starts_with(['=', '?']))?;
        let Some(answer) = answer else {
            // GTP has no word that calls a decision off.
            return Err(Fault::Crash(self.engine.program.clone()));
        };
        let vertex = match answer.strip_prefix('=') {
            Some(vertex) => vertex.trim().to_owned(),
            None => return Err(self.unable(answer.trim_start_matches('?').trim())),
        };
        let played = self.spelling.read(&vertex).unwrap_or_else(|| vertex.clone());
        self.heard.push((seat, played));
        Ok(vertex)
    }
}

fn go(protocol: Protocol, budget: Budget, seat: Seat) -> String {
    match (budget, protocol) {
        (Budget::Nodes(nodes), _) => format!("go nodes {nodes}"),
        (Budget::Movetime(time), Protocol::Usi) => format!("go btime 0 wtime 0 byoyomi {}", time.as_millis()),
        (Budget::Movetime(time), Protocol::Ucci) => format!("go time {} movestogo 1", time.as_millis()),
        (Budget::Movetime(time), _) => format!("go movetime {}", time.as_millis()),
        (Budget::Clock { left, increment }, _) => {
            let [first, second] = left.map(|time| time.as_millis());
            let (own, other) = if seat == Seat::FIRST {
                (first, second)
            } else {
                (second, first)
            };
            let more = increment.as_millis();
            match protocol {
                Protocol::Ucci => {
                    format!("go time {own} increment {more} opptime {other} oppincrement {more}")
                }
                // In shogi the first player is Black.
                Protocol::Usi => format!("go btime {first} wtime {second} binc {more} winc {more}"),
                _ => format!("go wtime {first} btime {second} winc {more} binc {more}"),
            }
        }
    }
}

/// Whether an option described so takes `value`.
fn offers(kind: &str, value: &str) -> bool {
    let words: Vec<&str> = kind.split_whitespace().collect();
    let bound = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse::<i64>().ok()
    };
    match words.first() {
        Some(&"combo") => kind.split(" var ").skip(1).any(|choice| choice.trim() == value),
        Some(&"check") => matches!(value, "true" | "false"),
        Some(&"spin") => value.parse().is_ok_and(|n| {
            bound("min").is_none_or(|min| min <= n) && bound("max").is_none_or(|max| n <= max)
        }),
        _ => true,
    }
}

/// How long to wait for a ply before the engine is taken for dead.
fn within(budget: Budget, seat: Seat) -> Duration {
    match budget {
        Budget::Nodes(_) => LONGEST,
        Budget::Movetime(time) => time + GRACE,
        Budget::Clock { left, .. } => left[seat.index()] + GRACE,
    }
}

/// The engines that run, by their processes' numbers.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ends all engines and what they have started, for a program that is about to end itself: an interrupt from the
/// terminal does not reach them. Whoever waits for one of them waits for ever; that it is gone is not its fault.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.iter().for_each(|&id| kill_group(id));
    std::mem::forget(running);
}

fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(id as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// A process that is spoken with line by line, and killed when it is no longer wanted.
struct Process {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    fn start(engine: &Engine) -> Result<Process, Fault> {
        let fault = |error: std::io::Error| Fault::Start(engine.program.clone(), error.to_string());
        let mut command = Command::new(&engine.program);
        command
            .args(&engine.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // With all that it starts itself, since the command may be a script.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn().map_err(fault)?;
        running.push(child.id());
        drop(running);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are piped")
        };
        let (send, lines) = sync_channel(BACKLOG);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            let mut line = Vec::new();
            let mut next = |line: &mut Vec<u8>| {
                let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', line);
                read.is_ok_and(|n| n > 0 && n as u64 != LONGEST_LINE)
            };
            while next(&mut line) {
                if send
                    .send(String::from_utf8_lossy(&line).trim_end().to_owned())
                    .is_err()
                {
                    return;
                }
                line.clear();
            }
        });
        Ok(Process {
            name: engine.program.clone(),
            child,
            input,
            lines,
        })
    }

    /// Ends it, and what it has started.
    fn kill(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.kill();
    }

    /// What there is to say when it is gone, unless this program has ended it: see [`end_all`].
    fn crash(&self) -> Fault {
        drop(RUNNING.lock());
        Fault::Crash(self.name.clone())
    }

    fn say(&mut self, line: &str) -> Result<(), Fault> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|_| self.crash())
    }

    /// The first line that is `wanted`; a process that does not say it in time is killed.
    fn wait_for(&mut self, time: Duration, wanted: impl FnMut(&str) -> bool) -> Result<String, Fault> {
        let line = self.wait_unless(&Stop::default(), time, wanted)?;
        line.ok_or_else(|| unreachable!("nobody has called it off"))
    }

    /// The same, or `None` as soon as `stop` is raised.
    fn wait_unless(
        &mut self,
        stop: &Stop,
        time: Duration,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Option<String>, Fault> {
        let deadline = Instant::now() + time;
        while !stop.is_stopped() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) if wanted(&line) => return Ok(Some(line)),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => {
                    self.kill();
                    return Err(Fault::Silence(self.name.clone(), time.as_millis() as u64));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(None)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let id = self.child.id();
        // Its number is another's as soon as it has been waited for.
        RUNNING
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|&running| running != id);
        self.kill();
        let _ = self.child.wait();
    }
}

/// The beginning of a game of chess960: its protocol knows one array by name.
fn array(rules: &Arc<dyn Rules>) -> Option<String> {
    let play = rules.clone().start(&Setup::default()).ok()?;
    let chess960 = rules.mechanism().is_none() && rules.text().contains("chess960=true");
    let view = play.view(Viewer::Spectator);
    view.json()["fen"]
        .as_str()
        .filter(|_| chess960)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_text_has_a_command_and_options() {
        let engine: Engine = "uci:'/opt/my engine' -x?UCI_Variant=xiangqi&Use NNUE=false&Ranks=0-9"
            .parse()
            .expect("well formed");
        assert_eq!(
            (engine.program.as_str(), engine.arguments.as_slice()),
            ("/opt/my engine", &["-x".to_owned()][..])
        );
        let options = [
            ("UCI_Variant", "xiangqi"),
            ("Use NNUE", "false"),
            ("Ranks", "0-9"),
        ];
        assert_eq!(engine.options, options.map(|(n, v)| (n.to_owned(), v.to_owned())));
        assert_eq!(engine.ranks, Ranks::FromZero);
    }

    #[test]
    fn an_engine_text_that_cannot_be_is_named() {
        for (text, why) in [
            ("xboard:x", "use one of"),
            ("uci:", "command is missing"),
            ("uci:'x", "quote"),
            ("uci:x?y", "OPTION=VALUE"),
            ("uci:x?Ranks=2", "Ranks is"),
        ] {
            let error = text.parse::<Engine>().expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
