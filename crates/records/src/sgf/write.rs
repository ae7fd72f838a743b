//! Writing SGF.

use super::tree::escape;
use super::{GAMES, TAGS, point_text};
use crate::{Action, Record, RecordError, Stated, Why, Written};
use serde_json::Value;
use std::fmt::Write;
use xinqi_boards::stones::{Diagram, Letters, parse_point};
use xinqi_kernel::{Seat, Turn, Viewer};
use xinqi_registry::Play;

/// Nodes on one line of the file.
const NODES: usize = 12;

pub(super) fn write(record: &Record) -> Result<Written, RecordError> {
    let rules = record.rules();
    let game = GAMES
        .iter()
        .find(|(_, id)| *id == rules.board() && rules.mechanism().is_none());
    let Some((number, id)) = game else {
        return Err(RecordError(format!(
            "SGF is written for go and gomoku, not for {}",
            rules.text()
        )));
    };
    let mut play = record.start();
    let board = diagram(&*play)?;
    let mut writer = Writer {
        is_go: *id == "go",
        size: board.size,
        lost: Vec::new(),
        nodes: 0,
        proposals: 0,
        text: String::new(),
    };
    let _ = write!(
        writer.text,
        "(;FF[4]GM[{number}]CA[UTF-8]AP[xinqi]SZ[{}]",
        board.size
    );
    writer.rules(rules.text());
    writer.setup(record, &board);
    for (name, tag) in TAGS {
        if let Some(value) = record.tags.get(*tag) {
            let _ = write!(writer.text, "{name}[{}]", escape(value));
        }
    }
    for key in record
        .tags
        .keys()
        .filter(|k| TAGS.iter().all(|(_, tag)| tag != k))
    {
        writer.lost.push(format!("left out: the tag {key:?}"));
    }
    writer.result(record);
    for (i, action) in record.actions().iter().enumerate() {
        let last = i + 1 == record.actions().len();
        writer.action(&*play, action, last);
        let done = match action {
            Action::Close(seed) => {
                play.close(*seed);
                Ok(())
            }
            Action::By(seat, text)
                if matches!(play.turn(), Turn::Ply(_) | Turn::Choice(_)) && !is_ending(text) =>
            {
                play.act(*seat, text).map(|_| ())
            }
            Action::By(..) => Ok(()),
        };
        done.map_err(|e| RecordError(e.message))?;
    }
    writer.territory(&record.play().view(Viewer::Truth).into_json());
    if writer.proposals > 0 {
        writer.lost.push(format!(
            "left out: {} proposals about dead stones",
            writer.proposals
        ));
    }
    writer.text.push_str(")\n");
    Ok(Written {
        text: writer.text,
        lost: writer.lost,
    })
}

/// The table's words that end a game.
fn is_ending(text: &str) -> bool {
    matches!(text, "resign" | "abort" | "draw accept" | "draw offer")
}

fn diagram(play: &dyn Play) -> Result<Diagram, RecordError> {
    let view = play.view(Viewer::Truth);
    let fen = view.json()["fen"].as_str().unwrap_or_default();
    let size = fen.split('/').count();
    Diagram::parse(fen, size).map_err(RecordError)
}

struct Writer {
    is_go: bool,
    size: usize,
    lost: Vec<String>,
    nodes: usize,
    /// Proposals about dead stones.
    proposals: usize,
    text: String,
}

impl Writer {
    /// The options, from the rules' canonical text.
    fn rules(&mut self, rules: &str) {
        let inner = rules
            .split_once('(')
            .map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let options: Vec<_> = inner
            .split(',')
            .filter_map(|pair| pair.trim().split_once('='))
            .collect();
        let option = |key: &str| options.iter().find(|(k, _)| *k == key).map(|(_, v)| *v);
        let _ = if self.is_go {
            let handicap = option("handicap");
            let usual = if handicap.is_some() { "0.5" } else { "7.5" };
            let rules = if option("rules").is_some() {
                "Tromp-Taylor"
            } else {
                "Chinese"
            };
            let _ = write!(self.text, "RU[{rules}]KM[{}]", option("komi").unwrap_or(usual));
            handicap.map_or(Ok(()), |n| write!(self.text, "HA[{n}]"))
        } else {
            write!(self.text, "RU[{}]", option("rule").unwrap_or("freestyle"))
        };
    }

    fn setup(&mut self, record: &Record, board: &Diagram) {
        for (name, color) in [("AB", 0), ("AW", 1)] {
            let stones: Vec<_> = (0..board.points.len())
                .filter(|&p| board.points[p] == Some(color))
                .collect();
            self.points(name, &stones);
        }
        if record.fen().is_some() || board.side == 1 {
            let _ = write!(self.text, "PL[{}]", ["B", "W"][board.side as usize]);
        }
        if board.passes > 0 {
            self.lost.push(format!(
                "left out: {} passes before the first position",
                board.passes
            ));
        }
        if board.captures != [0, 0] {
            self.lost
                .push("left out: the stones captured before the first position".into());
        }
    }

    fn points(&mut self, name: &str, points: &[usize]) {
        if !points.is_empty() {
            self.text.push_str(name);
            for &point in points {
                let _ = write!(self.text, "[{}]", point_text(self.size, point));
            }
        }
    }

    fn result(&mut self, record: &Record) {
        let view = record.play().view(Viewer::Truth).into_json();
        let margin = || Some((view["score"]["first"].as_f64()? - view["score"]["second"].as_f64()?).abs());
        let text = match record.stated() {
            None => return,
            Some(Stated::Draw) => "0".to_owned(),
            Some(Stated::Void) => "Void".to_owned(),
            Some(Stated::Win(seat, why)) => {
                let how = match why {
                    Why::Resignation => "R".to_owned(),
                    Why::Timeout => "T".to_owned(),
                    Why::Rules | Why::Unknown => margin().map_or(String::new(), |m| m.to_string()),
                };
                format!("{}+{how}", ["B", "W"][seat.index()])
            }
        };
        let _ = write!(self.text, "RE[{text}]");
    }

    fn action(&mut self, play: &dyn Play, action: &Action, last: bool) {
        match (play.turn(), action) {
            (Turn::Ply(_), Action::By(seat, text)) if !is_ending(text) => self.ply(*seat, text),
            (Turn::Choice(_), Action::By(_, text)) if text == "dead resume" && last => {
                self.lost
                    .push("left out: the seats play on, but no ply follows".into());
            }
            (Turn::Choice(_), Action::By(_, text)) if text == "dead agree" => self.proposals -= 1,
            (Turn::Choice(_), Action::By(_, text)) if text.starts_with("dead") && text != "dead resume" => {
                self.proposals += 1;
            }
            (Turn::Choice(_), Action::Close(_)) => {
                self.lost
                    .push("left out: the count was taken because the time for agreeing ran out".into());
            }
            _ => {}
        }
    }

    fn ply(&mut self, seat: Seat, text: &str) {
        let letters = if self.is_go { Letters::Gtp } else { Letters::Plain };
        let point = parse_point(letters, self.size, text).map(|p| point_text(self.size, p));
        if self.nodes.is_multiple_of(NODES) {
            self.text.push('\n');
        }
        self.nodes += 1;
        let _ = write!(
            self.text,
            ";{}[{}]",
            ["B", "W"][seat.index()],
            point.unwrap_or_default()
        );
    }

    /// Whose the points are in the end; stones inside the other's are the dead ones.
    fn territory(&mut self, view: &Value) {
        let sides = [("TB", "first"), ("TW", "second")];
        let lists = sides.map(|(name, seat)| {
            let points = view["territory"][seat].as_array().cloned().unwrap_or_default();
            let points = points.iter().filter_map(Value::as_str);
            let points: Vec<_> = points
                .filter_map(|p| parse_point(Letters::Gtp, self.size, p))
                .collect();
            (name, points)
        });
        if lists.iter().any(|(_, points)| !points.is_empty()) {
            self.text.push_str("\n;");
            lists.iter().for_each(|(name, points)| self.points(name, points));
        }
        let shown = lists.iter().flat_map(|(_, points)| points);
        let shown: std::collections::BTreeSet<_> = shown.copied().collect();
        let dead = view["dead"]["points"].as_array().cloned().unwrap_or_default();
        let dead = dead.iter().filter_map(Value::as_str);
        let hidden = dead
            .filter_map(|p| parse_point(Letters::Gtp, self.size, p))
            .filter(|p| !shown.contains(p))
            .count();
        if hidden > 0 {
            self.lost
                .push(format!("left out: {hidden} dead stones in nobody's territory"));
        }
    }
}
