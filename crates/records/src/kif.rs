//! KIF, the format of Japanese shogi programs. Reads what Kifu for Windows and its like write, and KI2, whose plies have
//! neither numbers nor origins; writes KIF in UTF-8.

mod diagram;

use crate::telling::{Telling, position};
use crate::{Action, Format, Read, Record, RecordError, Stated, Why, Written};
use std::fmt::Write as _;
use xinqi_kernel::{Outcome, Reason, Seat};

/// KIF.
#[derive(Clone, Copy, Debug)]
pub struct Kif;

/// The rule sets whose records these are, by the kind of board.
const FAMILY: &str = "shogi";
/// What KIF calls the tags of a record.
const HEADERS: [(&str, &str); 6] = [
    ("開始日時", "date"),
    ("棋戦", "event"),
    ("場所", "place"),
    ("先手", "first"),
    ("後手", "second"),
    ("備考", "Annotator"),
];
/// What stands before plies where they have no numbers (KI2).
const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];
/// Handicap games call the players otherwise.
const LOWER: &str = "下手";
const UPPER: &str = "上手";
/// Handicaps by name; in all but the even game gote, who gives the odds, begins.
const HANDICAPS: [(&str, &str); 13] = [
    (
        "平手",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    ),
    (
        "香落ち",
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "右香落ち",
        "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "角落ち",
        "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "飛車落ち",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "飛香落ち",
        "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "二枚落ち",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "三枚落ち",
        "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "四枚落ち",
        "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "五枚落ち",
        "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "六枚落ち",
        "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "八枚落ち",
        "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
    (
        "十枚落ち",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    ),
];
/// Any other start.
const OTHER: &str = "その他";
/// What ends a list of plies.
const ENDS: [&str; 12] = [
    "投了",
    "詰み",
    "切れ負け",
    "反則勝ち",
    "反則負け",
    "入玉勝ち",
    "千日手",
    "持将棋",
    "中断",
    "不戦敗",
    "不戦勝",
    "不詰",
];

impl Format for Kif {
    fn extensions(&self) -> &'static [&'static str] {
        &["kif", "kifu"]
    }

    fn read(&self, file: &[u8]) -> Result<Read, RecordError> {
        read(&crate::decode(file, encoding_rs::SHIFT_JIS)?)
    }

    fn write(&self, record: &Record) -> Result<Written, RecordError> {
        let rules = record.rules();
        if rules.mechanism().is_some() || rules.family() != FAMILY {
            return Err(RecordError(format!(
                "KIF is for shogi, not for {}; .json keeps every game",
                rules.text()
            )));
        }
        let mut lost = Vec::new();
        let mut text = headers(record, &mut lost);
        text.push_str("手数----指手---------消費時間--\n");
        let mut play = record.start();
        let mut number = 0;
        for action in record.actions() {
            let Action::By(seat, told) = action else { continue };
            let cannot = |why: &str| RecordError(format!("{told:?}: {why}"));
            // What is no ply is told by the end: resignation, agreement, declaration.
            let Ok(Some(kif)) = play.notate(*seat, told, "kif") else {
                continue;
            };
            number += 1;
            let _ = writeln!(text, "{number:>4} {kif}");
            play.act(*seat, told).map_err(|error| cannot(&error.message))?;
        }
        let outcome = record.play().outcome();
        let mover = Seat((record.play().ply().unwrap_or_default() % 2) as u8);
        let (word, kept) = ending(outcome, mover);
        if let (false, Some(outcome)) = (kept, outcome) {
            lost.push(format!(
                "that the game ended by {}: written as {word}",
                outcome.reason().as_str()
            ));
        }
        let _ = writeln!(text, "{:>4} {word}", number + 1);
        Ok(Written { text, lost })
    }
}

fn headers(record: &Record, lost: &mut Vec<String>) -> String {
    let mut text = String::new();
    let fen = position(&*record.start()).unwrap_or_default();
    let handicap = HANDICAPS
        .iter()
        .find(|(_, sfen)| *sfen == fen)
        .map(|(name, _)| *name);
    let odds = handicap.is_some_and(|name| name != HANDICAPS[0].0);
    for (header, tag) in HEADERS {
        let header = match header {
            "先手" if odds => LOWER,
            "後手" if odds => UPPER,
            header => header,
        };
        if let Some(value) = record.tags.get(tag) {
            let value = value.replace(['\n', '\r'], " ");
            let value = if tag == "date" {
                value.replace('-', "/")
            } else {
                value
            };
            let _ = writeln!(text, "{header}：{value}");
        }
    }
    let known = |key: &&String| HEADERS.iter().any(|(_, tag)| tag == key);
    let others = record.tags.keys().filter(|key| !known(key));
    lost.extend(others.map(|key| format!("the tag {key:?}")));
    let _ = writeln!(text, "手合割：{}", handicap.unwrap_or(OTHER));
    if handicap.is_none() {
        text.push_str(&diagram::write(&fen));
    }
    text
}

/// The word for an end, and whether it says all; `mover` is the seat that would play the next ply.
fn ending(outcome: Option<Outcome>, mover: Seat) -> (&'static str, bool) {
    match outcome {
        None | Some(Outcome::Void(_)) => ("中断", outcome.is_none()),
        Some(Outcome::Draw(Reason::Repetition)) => ("千日手", true),
        Some(Outcome::Draw(reason)) => ("持将棋", reason == Reason::Agreement),
        Some(Outcome::Win(winner, reason)) => match (reason, winner == mover) {
            (Reason::Checkmate | Reason::Stalemate, false) => ("詰み", true),
            (Reason::Timeout, false) => ("切れ負け", true),
            (Reason::Impasse, true) => ("入玉勝ち", true),
            (Reason::PerpetualCheck, true) => ("反則勝ち", true),
            (Reason::PerpetualCheck, false) => ("反則負け", true),
            (Reason::Resignation, false) => ("投了", true),
            (_, true) => ("反則勝ち", false),
            (_, false) => ("投了", false),
        },
    }
}

/// Reads a record.
fn read(text: &str) -> Result<Read, RecordError> {
    let file = File::scan(text);
    if file.tags.is_empty()
        && file.handicap.is_none()
        && file.diagram.is_empty()
        && file.plies.is_empty()
        && file.end.is_none()
    {
        return Err(RecordError::new("no KIF: there is no header, diagram or ply"));
    }
    let fen = match (&file.diagram[..], file.handicap) {
        ([], None) => None,
        ([], Some((line, name))) => {
            let known = HANDICAPS.iter().find(|(handicap, _)| *handicap == name);
            let (_, sfen) = known.ok_or_else(|| {
                RecordError(format!(
                    "line {line}: the handicap {name:?} is not known, and no diagram shows it"
                ))
            })?;
            Some((*sfen).to_owned())
        }
        (rows, _) => Some(diagram::read(rows)?),
    };
    let mut telling = Telling::new(FAMILY, fen.as_deref())?;
    telling.record.tags.extend(file.tags);
    telling.lost = file.lost;
    for (line, told) in &file.plies {
        telling.ply(told, &["kif"], &format!("line {line}, {told:?}"))?;
    }
    if file.end == Some("千日手") && telling.record.play().outcome().is_none() {
        telling
            .lost
            .push("the plies show no fourth occurrence: read as a draw by agreement".to_owned());
    }
    let mover = telling.mover();
    let other = mover.other();
    let stated = match file.end {
        Some("投了") => Some(Stated::Win(other, Why::Resignation)),
        Some("切れ負け") => Some(Stated::Win(other, Why::Timeout)),
        Some("千日手" | "持将棋") => Some(Stated::Draw),
        Some("詰み" | "反則負け" | "不戦敗") => Some(Stated::Win(other, Why::Unknown)),
        Some("反則勝ち" | "不戦勝") => Some(Stated::Win(mover, Why::Unknown)),
        Some("入玉勝ち") => {
            // Where the declaration does not hold by our rules, the win is kept another way.
            let declared = telling.record.act(mover, "declare").is_ok();
            (!declared).then_some(Stated::Win(mover, Why::Unknown))
        }
        Some(_) => None,
        None => file.winner.map(|seat| Stated::Win(seat, Why::Unknown)),
    };
    Ok(telling.finish(stated))
}

/// What a file says, line by line.
#[derive(Default)]
struct File<'a> {
    tags: Vec<(String, String)>,
    handicap: Option<(usize, &'a str)>,
    /// The lines that show a position: hands, ranks, side.
    diagram: Vec<(usize, &'a str)>,
    plies: Vec<(usize, &'a str)>,
    end: Option<&'a str>,
    /// Who wins by the last line, where no word ended the plies.
    winner: Option<Seat>,
    lost: Vec<String>,
}

impl<'a> File<'a> {
    fn scan(text: &'a str) -> File<'a> {
        let mut file = File::default();
        let (mut comments, mut times) = (0, 0);
        for (n, line) in text.lines().enumerate() {
            let (n, trimmed) = (n + 1, line.trim());
            if trimmed.starts_with("変化：") {
                file.lost.push(format!("all variations, from line {n} on"));
                break;
            }
            match trimmed.chars().next() {
                None | Some('#') => continue,
                Some('*' | '&') => {
                    comments += 1;
                    continue;
                }
                Some('|' | '+') => {
                    file.diagram.push((n, trimmed));
                    continue;
                }
                Some(_) => {}
            }
            if trimmed.starts_with('９') || trimmed.starts_with("手数") {
                continue;
            }
            if trimmed.starts_with("まで") {
                let wins = |names: [&str; 2]| {
                    names
                        .iter()
                        .any(|name| trimmed.contains(&format!("{name}の勝ち")))
                };
                file.winner = match (wins(["先手", LOWER]), wins(["後手", UPPER])) {
                    (true, _) => Some(Seat::FIRST),
                    (_, true) => Some(Seat::SECOND),
                    _ => None,
                };
                file.end = file.end.or(["千日手", "持将棋"]
                    .into_iter()
                    .find(|word| trimmed.contains(word)));
                continue;
            }
            let digits = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
            if digits.len() < trimmed.len() && digits.starts_with([' ', '　']) {
                if file.end.is_some() {
                    continue;
                }
                let told = digits.trim_start_matches([' ', '　']);
                if let Some(word) = ENDS.into_iter().find(|word| told.starts_with(word)) {
                    file.end = Some(word);
                    continue;
                }
                let (ply, time) = split_time(told);
                times += usize::from(time);
                file.plies.push((n, ply));
                continue;
            }
            if trimmed.starts_with(MARKS) {
                let plies = trimmed.split(MARKS).map(str::trim).filter(|ply| !ply.is_empty());
                file.plies.extend(plies.map(|ply| (n, ply)));
                continue;
            }
            if matches!(trimmed, "後手番" | "上手番" | "先手番" | "下手番") {
                file.diagram.push((n, trimmed));
                continue;
            }
            match trimmed.split_once(['：', ':']) {
                Some((key, value)) => file.header(n, trimmed, key.trim(), value.trim()),
                None => file.lost.push(format!("line {n}: {trimmed:?}")),
            }
        }
        let counted = [(comments, "comments and bookmarks"), (times, "times of plies")];
        let counted = counted.into_iter().filter(|(n, _)| *n > 0);
        file.lost.extend(counted.map(|(n, what)| format!("{n} {what}")));
        file
    }

    fn header(&mut self, n: usize, line: &'a str, key: &str, value: &'a str) {
        if key.ends_with("持駒") {
            self.diagram.push((n, line));
            return;
        }
        if key == "手合割" {
            if value != OTHER {
                self.handicap = Some((n, value));
            }
            return;
        }
        let key = match key {
            LOWER => "先手",
            UPPER => "後手",
            key => key,
        };
        match HEADERS.iter().find(|(header, _)| *header == key) {
            _ if value.is_empty() => {}
            Some((_, "date")) => self.tags.push(("date".to_owned(), value.replace('/', "-"))),
            Some((_, tag)) => self.tags.push(((*tag).to_owned(), value.to_owned())),
            None => self.lost.push(format!("line {n}: {line:?}")),
        }
    }
}

/// A ply without its time, and whether it had one: `７六歩(77)   ( 0:01/00:00:01)`.
fn split_time(told: &str) -> (&str, bool) {
    let told = told.trim_end_matches(['+', ' ', '　']);
    let Some(open) = told.rfind('(') else {
        return (told, false);
    };
    match told[open..].contains(':') {
        true => (told[..open].trim_end(), true),
        false => (told, false),
    }
}
