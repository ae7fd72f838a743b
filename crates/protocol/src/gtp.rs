//! GTP, the Go text protocol (version 2), for Go and gomoku. It never listens while it thinks.

use crate::search::{Task, think};
use crate::session::{Settings, number, shorten};
use crate::spelling::Spelling;
use crate::{ServeError, rules_text};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xinqi_boards::stones::{Diagram, Letters, parse_point, point_text};
use xinqi_engine::{Clock, Limits};
use xinqi_kernel::{Outcome, Seat, Setup, Turn, Viewer};
use xinqi_registry::{Play, Rules};

/// An engine's end of the conversation.
pub(crate) struct Gtp {
    game: Board,
    level: u8,
    time: Option<Time>,
}

/// What a command does: answers, or says in one line why not; nothing has changed then.
type Command = fn(&mut Gtp, &[&str]) -> Result<String, String>;

const COMMANDS: [(&str, Command); 22] = [
    ("boardsize", Gtp::set_size),
    ("clear_board", Gtp::clear),
    ("final_score", Gtp::final_score),
    ("final_status_list", Gtp::final_status_list),
    ("fixed_handicap", Gtp::fixed_handicap),
    ("genmove", |gtp, words| gtp.generate(words, true)),
    ("known_command", Gtp::known_command),
    ("komi", Gtp::set_komi),
    ("level", Gtp::set_level),
    ("list_commands", Gtp::list_commands),
    ("name", |_, words| no_more(words, "Xinqi")),
    ("place_free_handicap", Gtp::place_free_handicap),
    ("play", Gtp::play),
    ("protocol_version", |_, words| no_more(words, "2")),
    ("quit", |_, words| no_more(words, "")),
    ("reg_genmove", |gtp, words| gtp.generate(words, false)),
    ("set_free_handicap", Gtp::set_free_handicap),
    ("showboard", Gtp::show_board),
    ("time_left", Gtp::set_time_left),
    ("time_settings", Gtp::set_time),
    ("undo", Gtp::undo),
    ("version", |_, words| no_more(words, env!("CARGO_PKG_VERSION"))),
];

/// What a decision may take where no time has been set.
const UNTIMED: Duration = Duration::from_secs(1);
/// Playouts, or positions, that it takes to tell dead stones from living ones.
const AGREEING: u64 = 2000;
/// Kept back from every decision, for the answer's way.
const LAG: Duration = Duration::from_millis(30);

impl Gtp {
    pub(crate) fn new(rules: Arc<dyn Rules>) -> Result<Gtp, ServeError> {
        let stones = ["go", "gomoku"].contains(&rules.board());
        if !stones || rules.mechanism().is_some() {
            let text = rules.text();
            return Err(ServeError::Rules(format!(
                "gtp speaks of Go and gomoku, not of {text}"
            )));
        }
        Ok(Gtp {
            game: Board::new(rules, None).map_err(ServeError::Rules)?,
            level: 10,
            time: None,
        })
    }

    /// Answers until the input ends or says to quit.
    pub(crate) fn run(mut self, mut input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let text: String = String::from_utf8_lossy(&line)
                .chars()
                .map(|c| if c == '\t' { ' ' } else { c })
                .take_while(|c| *c != '#')
                .filter(|c| !c.is_control())
                .collect();
            line.clear();
            let mut words: Vec<&str> = text.split_whitespace().collect();
            let id = match words.first() {
                Some(word) if word.bytes().all(|b| b.is_ascii_digit()) => words.remove(0),
                _ => "",
            };
            let Some((name, arguments)) = words.split_first() else {
                continue;
            };
            match self.obey(name, arguments) {
                Ok(answer) => write!(output, "={id} {answer}\n\n")?,
                Err(error) => write!(output, "?{id} {error}\n\n")?,
            }
            output.flush()?;
            if *name == "quit" && arguments.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn obey(&mut self, name: &str, arguments: &[&str]) -> Result<String, String> {
        let known = COMMANDS.iter().find(|(known, _)| *known == name);
        let (_, command) = known.ok_or_else(|| "unknown command".to_owned())?;
        command(self, arguments)
    }

    fn known_command(&mut self, words: &[&str]) -> Result<String, String> {
        let [name] = words else {
            return Err("known_command: one name is expected".to_owned());
        };
        Ok(COMMANDS.iter().any(|(known, _)| known == name).to_string())
    }

    fn list_commands(&mut self, words: &[&str]) -> Result<String, String> {
        no_more(words, &COMMANDS.map(|(name, _)| name).join("\n"))
    }

    fn set_size(&mut self, words: &[&str]) -> Result<String, String> {
        let [size] = words else {
            return Err("boardsize: one number is expected".to_owned());
        };
        let rules = self
            .game
            .with_option("size", size)
            .map_err(|_| "unacceptable size".to_owned())?;
        // GTP has letters for 25 files.
        let board = Board::new(rules, None).map_err(|_| "unacceptable size".to_owned())?;
        if board.size() > 25 {
            return Err("unacceptable size".to_owned());
        }
        self.game = board;
        Ok(String::new())
    }

    fn clear(&mut self, words: &[&str]) -> Result<String, String> {
        no_more(words, "")?;
        self.game = Board::new(self.game.rules.clone(), None)?;
        if let Some(time) = &mut self.time {
            *time = Time::new(time.main, time.period, time.stones);
        }
        Ok(String::new())
    }

    fn set_komi(&mut self, words: &[&str]) -> Result<String, String> {
        let [komi] = words else {
            return Err("komi: one number is expected".to_owned());
        };
        let points: f64 = komi
            .parse()
            .map_err(|_| "komi: a number is expected".to_owned())?;
        if self.game.rules.board() != "go" {
            return Ok(String::new());
        }
        let rules = self.game.with_option("komi", &points.to_string())?;
        self.game = self.game.again(rules)?;
        Ok(String::new())
    }

    fn set_level(&mut self, words: &[&str]) -> Result<String, String> {
        let [level] = words else {
            return Err("level: one number is expected".to_owned());
        };
        self.level = number("level", level, Settings::LEVELS)? as u8;
        Ok(String::new())
    }

    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        let [color, vertex] = words else {
            return Err("play: a color and a vertex are expected".to_owned());
        };
        let seat = color_of(color)?;
        let text = self
            .game
            .spelling
            .read(vertex)
            .ok_or_else(|| format!("{} is no vertex", shorten(vertex)))?;
        self.game
            .play(seat, &text)
            .map_err(|why| format!("illegal move: {why}"))?;
        Ok(String::new())
    }

    fn undo(&mut self, words: &[&str]) -> Result<String, String> {
        no_more(words, "")?;
        self.game.undo()?;
        Ok(String::new())
    }

    fn generate(&mut self, words: &[&str], play: bool) -> Result<String, String> {
        let [color] = words else {
            return Err("genmove: a color is expected".to_owned());
        };
        let seat = color_of(color)?;
        let began = Instant::now();
        let now = self.game.turn_to(seat)?;
        let seed = rand::random();
        let level = match self.level {
            10 => Limits {
                time: Some(UNTIMED),
                seed,
                ..Limits::default()
            },
            level => Limits::level(level, seed),
        };
        let (time, clock) = match &self.time {
            None => (level.time, None),
            Some(time) => time.bound(seat),
        };
        let task = Task {
            due: Some((seat, now)),
            limits: Limits { time, clock, ..level },
            mate: None,
            endless: false,
        };
        let best = think(&task, &mut |_| {}).best.ok_or("there is nothing to play")?;
        if play {
            self.game.play(seat, &best)?;
            if let Some(time) = &mut self.time {
                time.spend(seat, began.elapsed());
            }
        }
        Ok(self.game.spelling.write(&best))
    }

    fn set_time(&mut self, words: &[&str]) -> Result<String, String> {
        let [main, period, stones] = words else {
            return Err("time_settings: main time, byo-yomi time and stones are expected".to_owned());
        };
        let seconds = |what, text| number(what, text, 0..=10_000_000).map(Duration::from_secs);
        let (main, period) = (seconds("main time", main)?, seconds("byo-yomi time", period)?);
        let stones = number("byo-yomi stones", stones, 0..=10_000)? as u32;
        let unlimited = !period.is_zero() && stones == 0;
        self.time = (!unlimited).then(|| Time::new(main, period, stones));
        Ok(String::new())
    }

    fn set_time_left(&mut self, words: &[&str]) -> Result<String, String> {
        let [color, left, stones] = words else {
            return Err("time_left: a color, time and stones are expected".to_owned());
        };
        let seat = color_of(color)?;
        let left = Duration::from_secs(number("time", left, 0..=10_000_000)?);
        let stones = number("stones", stones, 0..=10_000)? as u32;
        let time = self
            .time
            .get_or_insert_with(|| Time::new(left, Duration::ZERO, 0));
        time.left[seat.index()] = (left, stones);
        Ok(String::new())
    }

    fn fixed_handicap(&mut self, words: &[&str]) -> Result<String, String> {
        let [stones] = words else {
            return Err("fixed_handicap: one number is expected".to_owned());
        };
        let stones = number("number of stones", stones, 2..=9)?;
        self.handicap(stones)
    }

    fn place_free_handicap(&mut self, words: &[&str]) -> Result<String, String> {
        let [stones] = words else {
            return Err("place_free_handicap: one number is expected".to_owned());
        };
        let stones = number("number of stones", stones, 2..=624)?;
        // The protocol lets an engine place fewer.
        self.handicap(stones.min(9))
    }

    /// Sets up the star points, and tells them.
    fn handicap(&mut self, stones: u64) -> Result<String, String> {
        self.game.must_be_empty()?;
        let rules = self.game.with_option("handicap", &stones.to_string())?;
        let diagram = Board::new(rules, None)?.diagram(&None)?;
        let vertices: Vec<_> = (0..diagram.points.len())
            .filter(|&point| diagram.points[point].is_some())
            .map(|point| point_text(Letters::Gtp, diagram.size, point))
            .collect();
        self.game = Board::new(self.game.rules.clone(), Some(diagram.to_string()))?;
        Ok(vertices.join(" "))
    }

    fn set_free_handicap(&mut self, words: &[&str]) -> Result<String, String> {
        self.game.must_be_empty()?;
        if self.game.rules.board() != "go" {
            return Err("only Go has handicaps".to_owned());
        }
        let mut diagram = self.game.diagram(&None)?;
        for word in words {
            let point = parse_point(Letters::Gtp, diagram.size, word)
                .filter(|&point| diagram.points[point].is_none())
                .ok_or("bad vertex list")?;
            diagram.points[point] = Some(0);
        }
        if words.len() < 2 || words.len() >= diagram.points.len() {
            return Err("bad vertex list".to_owned());
        }
        diagram.side = 1;
        self.game = Board::new(self.game.rules.clone(), Some(diagram.to_string()))?;
        Ok(String::new())
    }

    fn final_score(&mut self, words: &[&str]) -> Result<String, String> {
        no_more(words, "")?;
        let [black, white] = self.game.agreed()?.score;
        Ok(match black - white {
            lead if lead > 0.0 => format!("B+{lead}"),
            lead if lead < 0.0 => format!("W+{}", -lead),
            _ => "0".to_owned(),
        })
    }

    fn final_status_list(&mut self, words: &[&str]) -> Result<String, String> {
        let [status @ ("alive" | "dead" | "seki")] = words else {
            return Err("final_status_list: alive, dead or seki is expected".to_owned());
        };
        let (dead, diagram) = (self.game.agreed()?.dead, self.game.diagram(&None)?);
        let all = 0..diagram.points.len();
        let stones = all.filter(|&point| diagram.points[point].is_some());
        let names = stones.map(|point| point_text(Letters::Gtp, diagram.size, point));
        let wanted = names.filter(|name| match *status {
            "alive" => !dead.contains(name),
            "dead" => dead.contains(name),
            // Under area scoring stones in seki are alive.
            _ => false,
        });
        Ok(wanted.collect::<Vec<_>>().join("\n"))
    }

    fn show_board(&mut self, words: &[&str]) -> Result<String, String> {
        no_more(words, "")?;
        let diagram = self.game.diagram(&None)?;
        let size = diagram.size;
        let letter = |x| point_text(Letters::Gtp, size, x)[..1].to_owned();
        let files: Vec<String> = (0..size).map(letter).collect();
        let files = format!("   {}", files.join(" "));
        let mut lines = vec![String::new(), files.clone()];
        for y in (0..size).rev() {
            let signs: Vec<_> = diagram.points[y * size..(y + 1) * size]
                .iter()
                .map(|point| match point {
                    None => ".",
                    Some(0) => "X",
                    Some(_) => "O",
                })
                .collect();
            lines.push(format!("{:>2} {} {}", y + 1, signs.join(" "), y + 1));
        }
        lines.push(files);
        Ok(lines.join("\n"))
    }
}

fn no_more(words: &[&str], answer: &str) -> Result<String, String> {
    match words {
        [] => Ok(answer.to_owned()),
        [word, ..] => Err(format!("unexpected {}", shorten(word))),
    }
}

fn color_of(word: &str) -> Result<Seat, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Seat::FIRST),
        "w" | "white" => Ok(Seat::SECOND),
        _ => Err(format!("{} is no color", shorten(word))),
    }
}

/// The clocks: a main time, then periods for so many stones each.
struct Time {
    main: Duration,
    period: Duration,
    stones: u32,
    /// Of Black and White: the time left and the stones to play in it; 0 stones in the main time.
    left: [(Duration, u32); 2],
}

impl Time {
    fn new(main: Duration, period: Duration, stones: u32) -> Time {
        let left = if main.is_zero() {
            (period, stones)
        } else {
            (main, 0)
        };
        Time {
            main,
            period,
            stones,
            left: [left; 2],
        }
    }

    /// A time for this decision, or a clock.
    fn bound(&self, seat: Seat) -> (Option<Duration>, Option<Clock>) {
        let (left, stones) = self.left[seat.index()];
        if stones > 0 {
            return (Some((left / stones).saturating_sub(LAG)), None);
        }
        let increment = match self.stones {
            0 => Duration::ZERO,
            stones => self.period / stones,
        };
        let clock = Clock {
            remaining: left + increment,
            increment,
            moves_to_go: None,
        };
        (None, Some(clock))
    }

    fn spend(&mut self, seat: Seat, spent: Duration) {
        let (left, stones) = &mut self.left[seat.index()];
        let over = spent.saturating_sub(*left);
        *left = left.saturating_sub(spent);
        match *stones {
            0 if left.is_zero() && self.stones > 0 => {
                (*left, *stones) = (self.period.saturating_sub(over), self.stones);
            }
            0 => {}
            1 => (*left, *stones) = (self.period, self.stones),
            _ => *stones -= 1,
        }
    }
}

/// A game as GTP has it: the colors need not take turns, plies are taken back, and two passes do not end it.
struct Board {
    rules: Arc<dyn Rules>,
    spelling: Spelling,
    fen: Option<String>,
    plies: Vec<(Seat, String)>,
    play: Box<dyn Play>,
}

impl Board {
    fn new(rules: Arc<dyn Rules>, fen: Option<String>) -> Result<Board, String> {
        let setup = Setup {
            fen: fen.as_deref(),
            seed: 0,
        };
        let play = rules.clone().start(&setup).map_err(|e| e.to_string())?;
        Ok(Board {
            spelling: Spelling::usual(crate::Protocol::Gtp, &rules),
            rules,
            fen,
            plies: Vec::new(),
            play,
        })
    }

    /// The same game by other rules.
    fn again(&self, rules: Arc<dyn Rules>) -> Result<Board, String> {
        let mut board = Board::new(rules, self.fen.clone())?;
        for (seat, text) in &self.plies {
            board.play(*seat, text)?;
        }
        Ok(board)
    }

    /// These rules with one option changed.
    fn with_option(&self, key: &str, value: &str) -> Result<Arc<dyn Rules>, String> {
        let text = rules_text::changed(self.rules.text(), key, value);
        xinqi_registry::parse(&text).map_err(|e| e.to_string())
    }

    fn size(&self) -> usize {
        self.diagram(&None).map_or(0, |diagram| diagram.size)
    }

    /// What stands on the board, with `side` to move where that is given.
    fn diagram(&self, side: &Option<Seat>) -> Result<Diagram, String> {
        let view = self.play.view(Viewer::Truth);
        let fen = view.json()["fen"].as_str().unwrap_or_default();
        let size = fen.split(' ').next().unwrap_or_default().split('/').count();
        let mut diagram = Diagram::parse(fen, size)?;
        if let Some(Seat(side)) = side {
            diagram.side = *side;
        }
        Ok(diagram)
    }

    fn must_be_empty(&self) -> Result<(), String> {
        match self.diagram(&None)?.points.iter().any(Option::is_some) {
            true => Err("board not empty".to_owned()),
            false => Ok(()),
        }
    }

    /// The game with `seat` to move: where it is not, or passes have ended play, from the position alone.
    fn turn_to(&self, seat: Seat) -> Result<Box<dyn Play>, String> {
        let passed = match self.play.turn() {
            Turn::Ply(due) if due == seat => return Ok(self.play.fork()),
            Turn::Ply(_) => false,
            Turn::Choice(_) => true,
            Turn::Over => {
                let counted = matches!(
                    self.play.outcome(),
                    Some(
                        Outcome::Win(_, xinqi_kernel::Reason::Score)
                            | Outcome::Draw(xinqi_kernel::Reason::Score)
                    )
                );
                if !counted {
                    return Err("the game is over".to_owned());
                }
                true
            }
        };
        let mut diagram = self.diagram(&Some(seat))?;
        if passed {
            diagram.passes = 0;
        }
        let fen = diagram.to_string();
        let setup = Setup {
            fen: Some(&fen),
            seed: 0,
        };
        self.rules.clone().start(&setup).map_err(|e| e.to_string())
    }

    fn play(&mut self, seat: Seat, text: &str) -> Result<(), String> {
        let mut play = self.turn_to(seat)?;
        play.act(seat, text).map_err(|e| e.message)?;
        self.play = play;
        self.plies.push((seat, text.to_owned()));
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        let mut shorter = Board::new(self.rules.clone(), self.fen.clone())?;
        let Some((_, earlier)) = self.plies.split_last() else {
            return Err("cannot undo".to_owned());
        };
        for (seat, text) in earlier {
            shorter.play(*seat, text)?;
        }
        *self = shorter;
        Ok(())
    }

    /// The count as our engine would have both sides agree on it, had both passed now.
    fn agreed(&self) -> Result<Count, String> {
        if self.rules.board() != "go" {
            return Err("only Go is counted".to_owned());
        }
        let mut diagram = self.diagram(&None)?;
        diagram.passes = 2;
        let rules = self.with_option("rules", "chinese")?;
        let mut play = Board::new(rules, Some(diagram.to_string()))?.play;
        let limits = Limits {
            nodes: AGREEING,
            ..Limits::default()
        };
        let thought = play.attempt(Seat::FIRST, &limits, &mut |_| {});
        let thought = thought.map_err(|failed| failed.to_string())?;
        let proposal = thought.filter(|text| !["dead agree", "dead resume"].contains(&text.as_str()));
        let proposal = proposal.unwrap_or_else(|| "dead".to_owned());
        let acts = [(Seat::FIRST, proposal.as_str()), (Seat::SECOND, "dead agree")];
        for (seat, text) in acts {
            play.act(seat, text)
                .map_err(|e| format!("cannot score: {}", e.message))?;
        }
        let view = play.view(Viewer::Truth).into_json();
        let points = ["first", "second"].map(|side| view["score"][side].as_f64());
        let [Some(black), Some(white)] = points else {
            return Err("cannot score".to_owned());
        };
        let dead = view["dead"]["points"].as_array().into_iter().flatten();
        Ok(Count {
            score: [black, white],
            dead: dead.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        })
    }
}

/// A count of the board.
struct Count {
    /// The points of Black and White, komi included.
    score: [f64; 2],
    /// The dead stones.
    dead: Vec<String>,
}
