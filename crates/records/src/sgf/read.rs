//! Reading SGF.

use super::tree::{self, Node};
use super::{GAMES, TAGS, parse_point};
use crate::{Read, Record, RecordError, Stated, Why};
use encoding_rs::{Encoding, WINDOWS_1252};
use serde_json::Value;
use std::collections::BTreeMap;
use xinqi_boards::stones::{Diagram, Letters, point_text};
use xinqi_kernel::{Seat, Turn, Viewer};

/// The text of a file, by its own word for the encoding where it is not UTF-8.
pub(super) fn decode(file: &[u8]) -> Result<String, RecordError> {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    if let Ok(text) = std::str::from_utf8(file) {
        return Ok(text.to_owned());
    }
    let label = file
        .windows(3)
        .position(|w| w == b"CA[")
        .map(|at| &file[at + 3..]);
    let label = label.and_then(|rest| rest.split(|&b| b == b']').next());
    let encoding = label.and_then(Encoding::for_label).unwrap_or(WINDOWS_1252);
    encoding
        .decode_without_bom_handling_and_without_replacement(file)
        .map(std::borrow::Cow::into_owned)
        .ok_or_else(|| RecordError(format!("the file is neither UTF-8 nor {}", encoding.name())))
}

/// A game in the making.
struct Reader {
    record: Record,
    lost: Vec<String>,
    is_go: bool,
    size: usize,
    /// Plies told after the end of the game by our rules.
    surplus: usize,
    /// The points that the file calls Black's and White's at the end.
    territory: [Vec<usize>; 2],
    /// How often each property came that is not kept.
    others: BTreeMap<String, usize>,
}

pub(super) fn read(text: &str) -> Result<Read, RecordError> {
    let file = tree::parse(text)?;
    let root = &file.nodes[0];
    let mut reader = Reader::open(root, &file.nodes)?;
    for (i, node) in file.nodes.iter().enumerate() {
        reader.node(i, node)?;
    }
    if file.variations > 0 {
        reader
            .lost
            .push(format!("left out: {} variations", file.variations));
    }
    if file.games > 0 {
        reader
            .lost
            .push(format!("left out: {} further games", file.games));
    }
    reader.finish(value(root, "RE").unwrap_or_default())
}

fn value<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    let found = node.iter().find(|(n, _)| n == name)?;
    found.1.first().map(|v| v.trim())
}

/// What the root says of the rules, in rule-set text.
fn rules(root: &Node, lost: &mut Vec<String>) -> Result<(bool, usize, String), RecordError> {
    let number = value(root, "GM").unwrap_or("1");
    let game = GAMES.iter().find(|(n, _)| *n == number).map(|(_, id)| *id);
    let game =
        game.ok_or_else(|| RecordError(format!("GM[{number}]: only Go (1) and gomoku (4) are read")))?;
    let is_go = game == "go";
    let size = match value(root, "SZ") {
        None if is_go => 19,
        None => 15,
        Some(text) => {
            let (x, y) = text.split_once(':').unwrap_or((text, text));
            let size = if x == y { x.parse().ok() } else { None };
            size.ok_or_else(|| RecordError(format!("SZ[{text}]: the size of a square board is expected")))?
        }
    };
    let mut options = vec![format!("size={size}")];
    let named = value(root, "RU").unwrap_or_default();
    let plain = named.to_ascii_lowercase().replace([' ', '_'], "-");
    if is_go {
        let (rules, exact) = match plain.as_str() {
            "" | "chinese" => ("chinese", true),
            "tromp-taylor" => ("tromp-taylor", true),
            _ => ("chinese", false),
        };
        if !exact {
            lost.push(format!("RU[{named}] is not kept: read as rules={rules}"));
        }
        options.push(format!("rules={rules}"));
        match value(root, "KM") {
            None => lost.push("no komi is given: the usual one is taken".into()),
            Some(text) => match text
                .parse::<f64>()
                .ok()
                .filter(|km| km.abs() <= (size as f64).powi(2) && (km * 2.0).fract() == 0.0)
            {
                Some(komi) => options.push(format!("komi={komi}")),
                None => lost.push(format!(
                    "KM[{text}] is no komi in half points: the usual one is taken"
                )),
            },
        }
    } else {
        match plain.as_str() {
            "" => {}
            "freestyle" | "standard" | "renju" => options.push(format!("rule={plain}")),
            _ => lost.push(format!("RU[{named}] is not kept: read as rule=freestyle")),
        }
    }
    Ok((is_go, size, format!("{game}({})", options.join(", "))))
}

/// The points of a property, rectangles spread out.
fn points(node: &Node, name: &str, size: usize) -> Result<Vec<usize>, RecordError> {
    let values = node
        .iter()
        .filter(|(n, _)| n == name)
        .flat_map(|(_, values)| values);
    let mut points = Vec::new();
    for value in values.map(|v| v.trim()).filter(|v| !v.is_empty()) {
        let (a, b) = value.split_once(':').unwrap_or((value, value));
        let (Some(a), Some(b)) = (parse_point(size, a), parse_point(size, b)) else {
            return Err(RecordError(format!(
                "{name}[{value}]: no point of a board of {size}"
            )));
        };
        let span = |a: usize, b: usize| a.min(b)..=a.max(b);
        for y in span(a / size, b / size) {
            points.extend(span(a % size, b % size).map(|x| y * size + x));
        }
    }
    Ok(points)
}

fn board_of(record: &Record) -> Option<String> {
    let view = record.play().view(Viewer::Truth);
    view.json().get("fen").and_then(Value::as_str).map(str::to_owned)
}

impl Reader {
    fn open(root: &Node, nodes: &[Node]) -> Result<Reader, RecordError> {
        let mut lost = Vec::new();
        let (is_go, size, rules) = rules(root, &mut lost)?;
        // The size is checked by the rules before any point is read by it.
        let mut record = Record::new(&rules, None, 0)?;
        let mut stones = vec![None; size * size];
        for (name, stone) in [("AB", Some(0)), ("AW", Some(1)), ("AE", None)] {
            for point in points(root, name, size)? {
                stones[point] = stone;
            }
        }
        let handicap = value(root, "HA").unwrap_or("0");
        let first = nodes.iter().flatten().find(|(n, _)| n == "B" || n == "W");
        let side = match (value(root, "PL"), first) {
            (Some("B" | "b" | "1" | "black" | "Black"), _) => 0,
            (Some(_), _) => 1,
            (None, Some((name, _))) => u8::from(name == "W"),
            (None, None) => u8::from(stones.contains(&Some(0)) && !stones.contains(&Some(1))),
        };
        let special = stones.iter().any(Option::is_some);
        if special || side == 1 {
            let fen = Diagram {
                size,
                points: stones,
                side,
                passes: 0,
                captures: [0, 0],
            }
            .to_string();
            let fixed = rules.replace(")", &format!(", handicap={handicap})"));
            record = match Record::new(&fixed, None, 0) {
                Ok(record) if is_go && handicap != "0" && board_of(&record) == Some(fen.clone()) => record,
                _ => Record::new(&rules, Some(&fen), 0)?,
            };
        }
        if handicap != "0" && !special {
            lost.push(format!("HA[{handicap}] without stones: read as no handicap"));
        } else if handicap != "0" && record.fen().is_some() {
            lost.push(format!(
                "HA[{handicap}] with other stones than our rules place: read as a position"
            ));
        }
        for (name, tag) in TAGS {
            if let Some(text) = value(root, name) {
                record
                    .tags
                    .insert((*tag).to_owned(), text.replace(['\n', '\r'], " "));
            }
        }
        let (territory, others) = Default::default();
        Ok(Reader {
            record,
            lost,
            is_go,
            size,
            surplus: 0,
            territory,
            others,
        })
    }

    fn node(&mut self, index: usize, node: &Node) -> Result<(), RecordError> {
        for (name, values) in node {
            let root = index == 0;
            match name.as_str() {
                "B" | "W" => {
                    let seat = if name == "B" { Seat::FIRST } else { Seat::SECOND };
                    self.ply(seat, values.first().map_or("", |v| v.trim()), index)?;
                }
                "AB" | "AW" | "AE" | "PL" if root => {}
                "AB" | "AW" | "AE" | "PL" => {
                    return Err(RecordError(format!(
                        "node {index} sets up a position ({name}) in the middle of a game"
                    )));
                }
                "TB" => self.territory[0] = points(node, "TB", self.size)?,
                "TW" => self.territory[1] = points(node, "TW", self.size)?,
                "FF" | "GM" | "CA" | "AP" | "ST" | "SZ" | "KM" | "RU" | "HA" | "RE" if root => {}
                _ if root && TAGS.iter().any(|(n, _)| n == name) => {}
                _ => *self.others.entry(name.clone()).or_default() += 1,
            }
        }
        Ok(())
    }

    fn ply(&mut self, seat: Seat, told: &str, index: usize) -> Result<(), RecordError> {
        let failed = |why: String| {
            RecordError(format!(
                "node {index}, {}[{told}]: {why}",
                ["B", "W"][seat.index()]
            ))
        };
        let pass = self.is_go && (told.is_empty() || told == "tt" && self.size <= 19);
        let text = if pass {
            "pass".to_owned()
        } else {
            let letters = if self.is_go { Letters::Gtp } else { Letters::Plain };
            let point = parse_point(self.size, told).ok_or_else(|| failed("no point of the board".into()))?;
            point_text(letters, self.size, point)
        };
        match self.record.play().turn() {
            Turn::Over => {
                self.surplus += 1;
                return Ok(());
            }
            Turn::Choice(_) => self.do_or_fail(seat, "dead resume").map_err(failed)?,
            Turn::Ply(_) => {}
        }
        if self.is_go && self.record.to_move() == Some(seat.other()) {
            self.do_or_fail(seat.other(), "pass").map_err(failed)?;
            self.lost
                .push(format!("node {index}: the other side is skipped: read as a pass"));
        }
        self.do_or_fail(seat, &text).map_err(failed)
    }

    fn do_or_fail(&mut self, seat: Seat, text: &str) -> Result<(), String> {
        self.record.act(seat, text).map_err(|refusal| refusal.message)
    }

    fn finish(mut self, result: &str) -> Result<Read, RecordError> {
        for (name, count) in std::mem::take(&mut self.others) {
            self.lost.push(format!("left out: {name} ({count} times)"));
        }
        if self.surplus > 0 {
            self.lost.push(format!(
                "left out: {} plies after the end of the game",
                self.surplus
            ));
        }
        let (stated, margin) = stated(result, &mut self.lost);
        if let Some(stated) = stated {
            let given_up = matches!(stated, Stated::Win(_, Why::Resignation | Why::Timeout));
            if self.is_go && !given_up {
                self.count(stated, margin)?;
            }
            self.record.settle(stated, &mut self.lost);
        }
        if self.territory.iter().any(|t| !t.is_empty()) && self.record.play().outcome().is_none() {
            self.lost
                .push("left out: the territory (TB, TW), since no result is stated".into());
        }
        Ok(Read {
            record: self.record,
            lost: self.lost,
        })
    }

    /// Ends a game that was counted: missing passes, then the dead stones that the file's territory shows.
    fn count(&mut self, stated: Stated, margin: Option<f64>) -> Result<(), RecordError> {
        let shown = self.territory.iter().any(|t| !t.is_empty());
        let mut added = 0;
        while (margin.is_some() || shown) && self.record.to_move().is_some() {
            self.record
                .play_in("pass", "text")
                .map_err(|e| RecordError(e.message))?;
            added += 1;
        }
        if added > 0 {
            self.lost
                .push(format!("the count follows without passes: {added} added"));
        }
        if let Turn::Choice(_) = self.record.play().turn() {
            let dead = self.dead();
            let mut trial = self.record.play().fork();
            let done = trial
                .act(Seat::FIRST, &dead)
                .and_then(|_| trial.act(Seat::SECOND, "dead agree"));
            let winner = match (done, stated) {
                (Ok(_), Stated::Win(seat, _)) => trial
                    .outcome()
                    .map(|o| o == xinqi_kernel::Outcome::Win(seat, o.reason())),
                (Ok(_), Stated::Draw) => trial
                    .outcome()
                    .map(|o| matches!(o, xinqi_kernel::Outcome::Draw(_))),
                _ => None,
            };
            if winner == Some(true) {
                self.record
                    .act(Seat::FIRST, &dead)
                    .map_err(|e| RecordError(e.message))?;
                self.record
                    .act(Seat::SECOND, "dead agree")
                    .map_err(|e| RecordError(e.message))?;
            }
        }
        let view = self.record.play().view(Viewer::Truth);
        let score = |seat: &str| view.json()["score"][seat].as_f64();
        if let (Some(margin), Some(black), Some(white), Some(_)) = (
            margin,
            score("first"),
            score("second"),
            self.record.play().outcome(),
        ) && (black - white).abs() != margin
        {
            self.lost.push(format!(
                "the count gives {black} to {white}, the file a margin of {margin}"
            ));
        }
        Ok(())
    }

    /// The proposal that the file's territory amounts to: stones inside the other's.
    fn dead(&self) -> String {
        let board = board_of(&self.record).and_then(|fen| Diagram::parse(&fen, self.size).ok());
        let mut text = "dead".to_owned();
        for (color, points) in self.territory.iter().enumerate() {
            for &point in points {
                let stone = board.as_ref().and_then(|b| b.points[point]);
                if stone == Some(1 - color as u8) {
                    text.push(' ');
                    text.push_str(&point_text(Letters::Gtp, self.size, point));
                }
            }
        }
        text
    }
}

/// What `RE` says, and the margin of a count.
fn stated(result: &str, lost: &mut Vec<String>) -> (Option<Stated>, Option<f64>) {
    let plain = result.to_ascii_lowercase();
    let (winner, how) = match plain.split_once('+') {
        Some(("b", how)) => (Seat::FIRST, how),
        Some(("w", how)) => (Seat::SECOND, how),
        _ => {
            return match plain.as_str() {
                "" | "?" => (None, None),
                "0" | "draw" | "jigo" => (Some(Stated::Draw), None),
                "void" => (Some(Stated::Void), None),
                _ => {
                    lost.push(format!("RE[{result}] is not understood"));
                    (None, None)
                }
            };
        }
    };
    let why = match how {
        "r" | "resign" => Why::Resignation,
        "t" | "time" => Why::Timeout,
        _ => match how.parse::<f64>() {
            Ok(margin) => return (Some(Stated::Win(winner, Why::Rules)), Some(margin)),
            Err(_) => Why::Unknown,
        },
    };
    (Some(Stated::Win(winner, why)), None)
}
