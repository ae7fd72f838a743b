//! What `uci`, `ucci` and `usi` have in common: a position, options, and at most one search.

use crate::search::{Output, Search, Task, Telling};
use crate::spelling::Spelling;
use crate::{Protocol, ServeError};
use rand::RngExt;
use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;
use xinqi_engine::{Clock, Info, Limits, Memory};
use xinqi_kernel::{Outcome, Seat, Setup, Turn, Viewer};
use xinqi_registry::{Play, Rules};

/// An engine's end of a conversation.
pub(crate) struct Session {
    pub(crate) rules: Arc<dyn Rules>,
    pub(crate) spelling: Spelling,
    pub(crate) settings: Settings,
    output: Output,
    play: Box<dyn Play>,
    /// Who played the last ply, where one was played.
    mover: Option<Seat>,
    /// What searches remember of those before.
    memory: Memory,
    /// Plies that the next answers may not be, as their texts.
    banned: Vec<String>,
    search: Option<Search>,
    /// What to think about when the ply that is pondered on is played.
    pondering: Option<Go>,
}

/// The options that every dialect has, under its own names for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// 1 to 10, as everywhere; 10 is all there is.
    pub(crate) level: u8,
    pub(crate) multipv: usize,
    pub(crate) threads: usize,
    /// Kept back from every clock, for a GUI that hears late.
    pub(crate) overhead: Duration,
}

impl Settings {
    /// Megabytes.
    pub(crate) const HASH: std::ops::RangeInclusive<u64> = 1..=65_536;
    pub(crate) const HASH_DEFAULT: usize = 16;
    pub(crate) const LEVELS: std::ops::RangeInclusive<u64> = 1..=10;
    pub(crate) const MULTIPV: std::ops::RangeInclusive<u64> = 1..=64;
    pub(crate) const THREADS: std::ops::RangeInclusive<u64> = 1..=64;
    pub(crate) const OVERHEAD: std::ops::RangeInclusive<u64> = 0..=5000;
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            level: 10,
            multipv: 1,
            threads: 1,
            overhead: Duration::ZERO,
        }
    }
}

/// Whether to go on listening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Listen,
    Quit,
}

/// One dialect: what it makes of a line.
pub(crate) trait Dialect {
    /// Does what a line says.
    ///
    /// # Errors
    /// What is wrong with it, in one line; nothing has changed then.
    fn obey(&mut self, words: &[&str]) -> Result<Next, String>;
    /// Begins the search that `go` asks for.
    ///
    /// # Errors
    /// Why it cannot begin; nothing has changed then.
    fn begin(&mut self, go: &Go) -> Result<(), String>;
    /// Tells of an error in the dialect's way.
    fn complain(&self, error: &str) -> String;
    fn session(&mut self) -> &mut Session;

    /// Does what a line says that means the same in every dialect.
    ///
    /// # Errors
    /// What is wrong with it, in one line; nothing has changed then.
    fn obey_as_all(&mut self, words: &[&str]) -> Result<Next, String> {
        match words {
            ["isready"] => self.session().say("readyok"),
            ["stop"] => self.session().stop(),
            ["ponderhit"] => {
                let go = self.session().ponder_hit()?;
                self.begin(&go)?;
            }
            ["quit"] => {
                self.session().stop();
                return Ok(Next::Quit);
            }
            _ => return Err(format!("unknown command {}", shorten(&words.join(" ")))),
        }
        Ok(Next::Listen)
    }

    /// Obeys until the input ends or says to quit. At the end of the input a search that will answer may do so.
    fn run(mut self, mut input: impl BufRead) -> std::io::Result<()>
    where
        Self: Sized,
    {
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            let words: Vec<&str> = text.split_whitespace().collect();
            if !words.is_empty() {
                match self.obey(&words) {
                    Ok(Next::Listen) => {}
                    Ok(Next::Quit) => break,
                    Err(error) => {
                        let error = self.complain(&error);
                        self.session().output.line(&error);
                    }
                }
            }
            if line.last() != Some(&b'\n') {
                line.clear();
                break;
            }
            line.clear();
        }
        self.session().end();
        Ok(())
    }
}

/// Plies beyond a mate that is asked for: search leaves out lines that seem to lead nowhere, the fewer the deeper it looks.
const PATIENCE: u32 = 10;

/// Most plies up to which no line is left out, which takes a second or so.
const WIDEST: u32 = 5;

/// What a `go` asks for; times belong to the first seat and the second.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Go {
    pub(crate) depth: Option<u32>,
    /// Ends with a mate in so many moves.
    pub(crate) mate: Option<u32>,
    /// A mate is asked for, in however many moves.
    pub(crate) mating: bool,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) left: [Option<Duration>; 2],
    pub(crate) increment: [Duration; 2],
    pub(crate) moves_to_go: Option<u32>,
    /// Time for each ply once the clock has run down.
    pub(crate) byoyomi: Option<Duration>,
    /// The only plies to choose from, as texts; empty for all.
    pub(crate) among: Vec<String>,
    pub(crate) infinite: bool,
    pub(crate) ponder: bool,
}

impl Go {
    /// Plies to look ahead at most.
    fn depth(&self) -> Option<u32> {
        self.depth.or(self.mate.map(|moves| 2 * moves - 1 + PATIENCE))
    }

    /// Plies up to which no line is left out: as far as the mate that is asked for, if that is near.
    fn wide(&self) -> u32 {
        match self.mate {
            Some(moves) => (2 * moves - 1).min(WIDEST),
            None if self.mating => 3,
            None => 0,
        }
    }

    /// Whether it says nothing of when to end.
    pub(crate) fn is_unbounded(&self) -> bool {
        let timed = self.time.or(self.left[0]).or(self.left[1]).or(self.byoyomi);
        timed.is_none() && self.depth().is_none() && self.nodes.is_none() && !self.ponder
    }
}

impl Session {
    pub(crate) fn new(
        protocol: Protocol,
        rules: Arc<dyn Rules>,
        output: Box<dyn std::io::Write + Send>,
    ) -> Result<Session, ServeError> {
        let play = start(&rules, None).map_err(ServeError::Rules)?;
        Ok(Session {
            spelling: Spelling::usual(protocol, &rules),
            rules,
            settings: Settings::default(),
            output: Output::new(output),
            play,
            mover: None,
            memory: Memory::new(Settings::HASH_DEFAULT),
            banned: Vec::new(),
            search: None,
            pondering: None,
        })
    }

    pub(crate) fn say(&self, line: &str) {
        self.output.line(line);
    }

    /// Other rules, at their start.
    pub(crate) fn change_rules(&mut self, protocol: Protocol, text: &str) -> Result<(), String> {
        let rules = xinqi_registry::parse(text).map_err(|e| e.to_string())?;
        let play = start(&rules, None)?;
        self.forget()?;
        self.play = play;
        self.mover = None;
        self.banned.clear();
        self.spelling = Spelling::usual(protocol, &rules);
        self.rules = rules;
        Ok(())
    }

    /// Sets up `fen`, or the start, and plays `words` there; what was there stays where that cannot be.
    pub(crate) fn set_position(&mut self, fen: Option<&str>, words: &[&str]) -> Result<(), String> {
        let mut play = start(&self.rules, fen)?;
        let mut mover = None;
        for (i, word) in words.iter().enumerate() {
            let wrong = |what: &str| format!("move {} {}: {what}", i + 1, shorten(word));
            let text = self
                .spelling
                .read(word)
                .ok_or_else(|| wrong("no move is written so"))?;
            if is_draw(&*play) {
                play = restart(&*play)?;
            }
            let Some(seat) = due(&*play) else {
                return Err(wrong("the game is over"));
            };
            play.act(seat, &text).map_err(|e| wrong(&e.message))?;
            mover = Some(seat);
        }
        self.play = play;
        self.mover = mover;
        self.banned.clear();
        Ok(())
    }

    /// `position`, where positions are given as `startpos` or after the word `fen`.
    pub(crate) fn read_position(&mut self, fen: &str, words: &[&str]) -> Result<(), String> {
        let split = words.iter().position(|w| *w == "moves").unwrap_or(words.len());
        let moves = words.get(split + 1..).unwrap_or_default();
        match &words[..split] {
            ["startpos"] => self.set_position(None, moves),
            [word, text @ ..] if *word == fen && !text.is_empty() => {
                self.set_position(Some(&text.join(" ")), moves)
            }
            _ => Err(format!("position: startpos or {fen} POSITION is expected")),
        }
    }

    /// Plies of the side to move, by their words, as texts.
    pub(crate) fn read_plies(&self, words: &[&str]) -> Result<Vec<String>, String> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let (seat, play) = self.due().ok_or("the game is over")?;
        let read = |word: &&str| {
            let text = self
                .spelling
                .read(word)
                .ok_or_else(|| format!("{}: no move is written so", shorten(word)))?;
            play.check(seat, &text)
                .map_err(|e| format!("{}: {}", shorten(word), e.message))
        };
        words.iter().map(read).collect()
    }

    /// Says which plies may not be played from here; at least one is left.
    pub(crate) fn ban(&mut self, words: &[&str]) -> Result<(), String> {
        let banned = self.read_plies(words)?;
        let (seat, play) = self.due().ok_or("the game is over")?;
        if play.legal(seat).iter().all(|text| banned.contains(text)) {
            return Err("no move is left".to_owned());
        }
        self.banned = banned;
        Ok(())
    }

    /// The seat that is to move, and the position it moves in.
    pub(crate) fn due(&self) -> Option<(Seat, Box<dyn Play>)> {
        if is_draw(&*self.play) {
            let again = restart(&*self.play).ok()?;
            return Some((due(&*again)?, again));
        }
        Some((due(&*self.play)?, self.play.fork()))
    }

    /// So many megabytes for what searches remember.
    ///
    /// # Errors
    /// When there are not so many: then all stays as it was, but nothing is remembered.
    pub(crate) fn set_hash(&mut self, megabytes: u64) -> Result<(), String> {
        self.memory.clear();
        let memory = Memory::new(megabytes as usize);
        memory
            .prepare()
            .map_err(|_| format!("{megabytes} megabytes: there is not so much memory"))?;
        self.memory = memory;
        Ok(())
    }

    /// Nothing is remembered of the searches before.
    pub(crate) fn forget(&self) -> Result<(), String> {
        self.memory.prepare().map_err(|e| e.to_string())
    }

    /// A game begins: nothing is remembered of the last.
    pub(crate) fn begin_game(&mut self) -> Result<(), String> {
        self.stop();
        self.forget()?;
        self.set_position(None, &[])
    }

    /// Whether a search goes on.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(Search::is_on)
    }

    /// Begins the search that `go` asks for.
    pub(crate) fn search(&mut self, go: &Go, telling: impl Telling) -> Result<(), String> {
        if self.is_searching() {
            return Err("a search is on; stop it first".to_owned());
        }
        if let Some(search) = self.search.take() {
            search.wait();
        }
        if !go.among.is_empty() && self.rules.mechanism().is_some() {
            return Err(
                "searchmoves: whole submissions are planned, which cannot be kept to some".to_owned(),
            );
        }
        let due = self.due();
        if let (None, Some(line)) = (&due, self.verdict().and_then(|info| telling.progress(&info))) {
            self.output.line(&line);
        }
        let seat = due.as_ref().map_or(Seat::FIRST, |(seat, _)| *seat);
        let mut banned = self.banned.clone();
        if let (Some((seat, play)), false) = (&due, go.among.is_empty()) {
            banned.extend(
                play.legal(*seat)
                    .into_iter()
                    .filter(|text| !go.among.contains(text)),
            );
        }
        let task = Task {
            limits: Limits {
                banned,
                wide: go.wide(),
                ..self.limits(go, seat)
            },
            due,
            mate: go.mate.map(|moves| 2 * moves as i32 - 1),
            endless: go.infinite || go.ponder,
        };
        let search = Search::begin(task, telling, self.output.clone());
        self.search = Some(search);
        self.pondering = go.ponder.then(|| go.clone());
        Ok(())
    }

    /// The ply that is pondered on has been played: ends the search without an answer, for the one to begin now.
    fn ponder_hit(&mut self) -> Result<Go, String> {
        let go = self.pondering.take().ok_or("ponderhit: nothing is pondered on")?;
        self.hush();
        Ok(Go { ponder: false, ..go })
    }

    /// Ends the search, if one is on: it answers.
    pub(crate) fn stop(&mut self) {
        self.pondering = None;
        if let Some(search) = self.search.take() {
            search.stop();
        }
    }

    /// Ends the search, if one is on, without an answer.
    pub(crate) fn hush(&mut self) {
        if let Some(search) = self.search.take() {
            search.hush();
        }
    }

    /// Waits for an answer that will come, for so long at most, and ends a search that would not.
    fn end(&mut self) {
        match self.search.take() {
            Some(search) if search.is_endless() => search.stop(),
            Some(search) => search.wait_at_most(PARTING),
            None => {}
        }
    }

    /// What there is to say where the game is over: the side to move is mated or as good as that, or drawn.
    fn verdict(&self) -> Option<Info> {
        let mated = match self.play.outcome()? {
            // Against a ply that the rules forbid, such as the third of a perpetual check, the side to move has won.
            Outcome::Win(winner, _) if self.mover.is_some_and(|mover| mover != winner) => return None,
            Outcome::Win(..) => true,
            Outcome::Draw(_) | Outcome::Void(_) => false,
        };
        Some(Info {
            multipv: 1,
            depth: 0,
            score: 0,
            mate: mated.then_some(0),
            nodes: 0,
            time: Duration::ZERO,
            line: Vec::new(),
        })
    }

    fn limits(&self, go: &Go, seat: Seat) -> Limits {
        let seed = rand::rng().random();
        let level = match self.settings.level {
            10 => Limits {
                seed,
                ..Limits::default()
            },
            level => Limits::level(level, seed),
        };
        let (left, byoyomi) = (go.left[seat.index()], go.byoyomi.unwrap_or_default());
        let left = left.map(|left| left + byoyomi);
        // With little more than the period itself, all of that may be spent: it comes back.
        let last_period = go
            .byoyomi
            .filter(|&period| left.is_none_or(|left| left < period * 2));
        let reserve = self.settings.overhead + LAG;
        let time = match last_period {
            Some(period) => Some(left.unwrap_or(period).saturating_sub(reserve)),
            None => go.time,
        };
        let clock = left.filter(|_| last_period.is_none()).map(|left| Clock {
            remaining: left.saturating_sub(self.settings.overhead),
            increment: go.increment[seat.index()] + byoyomi,
            moves_to_go: go.moves_to_go,
        });
        Limits {
            depth: level.depth.min(go.depth().unwrap_or(u32::MAX)),
            nodes: level.nodes.min(go.nodes.unwrap_or(u64::MAX)),
            time: match (time.filter(|_| !go.ponder), level.time) {
                (Some(time), Some(most)) => Some(time.min(most)),
                (time, most) => time.or(most),
            },
            clock: clock.filter(|_| !go.ponder),
            multipv: self.settings.multipv,
            threads: self.settings.threads,
            // What was found in passing may hide the mate that is asked for.
            memory: (go.wide() == 0).then(|| self.memory.clone()),
            ..level
        }
    }
}

/// `info` as UCI and USI have it; `mate` in that protocol's count.
pub(crate) fn progress(info: &Info, mate: Option<i32>, spelling: Spelling) -> String {
    let score = mate.map_or_else(|| format!("cp {}", info.score), |n| format!("mate {n}"));
    let ms = info.time.as_millis();
    let mut line = format!(
        "info depth {} multipv {} score {score} nodes {} nps {} time {ms}",
        info.depth,
        info.multipv,
        info.nodes,
        rate(info)
    );
    if !info.line.is_empty() {
        let words: Vec<_> = info.line.iter().map(|text| spelling.write(text)).collect();
        line.push_str(" pv ");
        line.push_str(&words.join(" "));
    }
    line
}

/// Nodes a second.
pub(crate) fn rate(info: &Info) -> u64 {
    (info.nodes as f64 / info.time.as_secs_f64().max(1e-3)) as u64
}

/// Plies to mate as moves of the side that mates.
pub(crate) fn in_moves(plies: i32) -> i32 {
    (plies + plies.signum()) / 2
}

/// How long a search may go on when nobody is there any more to stop it.
const PARTING: Duration = Duration::from_secs(60);

/// Of a period that is spent whole, what is kept back for the answer's way.
const LAG: Duration = Duration::from_millis(30);

/// A game from `fen`, or from the start that tools take.
fn start(rules: &Arc<dyn Rules>, fen: Option<&str>) -> Result<Box<dyn Play>, String> {
    if rules.seats() != 2 {
        return Err(format!("{} has no plies", rules.text()));
    }
    let fen = fen.or(rules.usual_position());
    let setup = Setup { fen, seed: 0 };
    let play = rules.clone().start(&setup).map_err(|e| e.to_string())?;
    match play.turn() {
        Turn::Choice(seats) if seats.iter().count() > 1 => Err(format!(
            "{} begins with something else than a ply, which engine protocols cannot say",
            rules.text()
        )),
        _ => Ok(play),
    }
}

/// Whose ply, submission or pick is due.
fn due(play: &dyn Play) -> Option<Seat> {
    let mut seats = play.turn().seats().iter();
    seats.next().filter(|_| seats.next().is_none())
}

/// Users of engines go on where our rules see a draw: then the position stands for itself, without its history.
fn is_draw(play: &dyn Play) -> bool {
    matches!(play.outcome(), Some(Outcome::Draw(_))) && play.rules().mechanism().is_none()
}

fn restart(play: &dyn Play) -> Result<Box<dyn Play>, String> {
    let view = play.view(Viewer::Truth);
    let fen = view.json()["fen"].as_str().map(str::to_owned);
    start(&play.rules(), fen.as_deref())
}

/// A whole number in `range`.
pub(crate) fn number(what: &str, text: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let found = text.parse().ok().filter(|n| range.contains(n));
    found.ok_or_else(|| {
        let (low, high) = range.into_inner();
        format!(
            "{what} {}: a number from {low} to {high} is expected",
            shorten(text)
        )
    })
}

/// Milliseconds; GUIs count below zero when a flag hangs.
pub(crate) fn milliseconds(what: &str, text: &str) -> Result<Duration, String> {
    match text.strip_prefix('-') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(Duration::ZERO)
        }
        _ => number(what, text, 0..=u64::from(u32::MAX)).map(Duration::from_millis),
    }
}

/// A word in quotes, shortened to what fits in a message.
pub(crate) fn shorten(word: &str) -> String {
    format!("{:?}", word.chars().take(40).collect::<String>())
}
