//! DhtmlXQ, the form of Chinese xiangqi sites (dpxq.com and others): read only.

use crate::{Format, Read, Record, RecordError, Stated, Why, Written};
use encoding_rs::GB18030;
use std::collections::BTreeMap;

/// `[DhtmlXQ] … [DhtmlXQ_movelist]7747…[/DhtmlXQ_movelist] … [/DhtmlXQ]`.
#[derive(Clone, Copy, Debug)]
pub struct Dhtmlxq;

/// What DhtmlXQ calls the tags of a record.
const TAGS: &[(&str, &str)] = &[
    ("red", "first"),
    ("redname", "first"),
    ("black", "second"),
    ("blackname", "second"),
    ("redteam", "first-team"),
    ("blackteam", "second-team"),
    ("title", "name"),
    ("event", "event"),
    ("round", "round"),
    ("date", "date"),
    ("place", "place"),
    ("author", "annotator"),
    ("owner", "recorder"),
    ("open", "opening"),
    ("class", "class"),
    ("timerule", "time"),
    ("remark", "remark"),
];

/// Fields that say how a page draws the board, or repeat what is told elsewhere.
const ASIDE: &[&str] = &[
    "ver", "init", "pver", "viewurl", "adddate", "editdate", "sortid", "username", "gametype", "firstnum",
    "length", "type", "hidden", "other", "oldowner", "price", "cardnum",
];

/// The pieces of the field `binit` in its order.
const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// The usual start in that field.
const START: &str = "0919293949596979891777062646668600102030405060708012720323436383";

impl Format for Dhtmlxq {
    fn extensions(&self) -> &'static [&'static str] {
        &["dhtmlxq", "txt"]
    }

    fn read(&self, file: &[u8]) -> Result<Read, RecordError> {
        let text = crate::decode(file, GB18030)?;
        let (fields, games) = fields(&text)?;
        let field = |name: &str| fields.get(name).map(String::as_str).filter(|v| !v.is_empty());
        let (mut lost, mut unknown) = (Vec::new(), Vec::new());
        let plies = plies(field("movelist").unwrap_or_default())?;
        let fen = match field("binit") {
            None | Some(START) => None,
            Some(binit) => Some(position(binit, plies.first())?),
        };
        let mut record = Record::new("xiangqi", fen.as_deref(), 0)?;
        let mut over = 0;
        for (i, ply) in plies.iter().enumerate() {
            if record.play().outcome().is_some() {
                over += 1;
                continue;
            }
            record
                .play_in(ply, "text")
                .map_err(|e| RecordError(format!("movelist, ply {} ({ply}): {}", i + 1, e.message)))?;
        }
        if over > 0 {
            lost.push(format!(
                "left out: {over} plies after the end of the game by our rules"
            ));
        }
        let (mut comments, mut variations) = (0, 0);
        for (name, value) in fields.iter().filter(|(_, v)| !v.is_empty()) {
            let known = TAGS.iter().find(|(n, _)| n == name);
            if let Some((_, tag)) = known {
                record.tags.insert((*tag).to_owned(), value.clone());
            } else if name.starts_with("comment") {
                comments += 1;
            } else if name.starts_with("move_") {
                variations += 1;
            } else if !ASIDE.contains(&name.as_str())
                && !["binit", "movelist", "result"].contains(&name.as_str())
            {
                unknown.push(name.as_str());
            }
        }
        for (count, what) in [
            (comments, "comments"),
            (variations, "variations"),
            (games, "further games"),
        ] {
            if count > 0 {
                lost.push(format!("left out: {count} {what}"));
            }
        }
        if !unknown.is_empty() {
            lost.push(format!("left out: the fields {}", unknown.join(", ")));
        }
        if let Some(result) = field("result") {
            match stated(result) {
                Some(Some(stated)) => record.settle(stated, &mut lost),
                Some(None) => {}
                None => lost.push(format!("left out: the result {result:?} is not understood")),
            }
        }
        Ok(Read { record, lost })
    }

    fn write(&self, _: &Record) -> Result<Written, RecordError> {
        Err(RecordError::new(
            "DhtmlXQ is only read; xiangqi is written as .pgn or .json",
        ))
    }
}

/// The fields of the first game by name, and how many games follow it.
fn fields(text: &str) -> Result<(BTreeMap<String, String>, usize), RecordError> {
    const OPEN: &str = "[DhtmlXQ";
    if !text.contains("[DhtmlXQ_") {
        return Err(RecordError::new("no DhtmlXQ: there is no [DhtmlXQ_…] field"));
    }
    let first = text.split("[/DhtmlXQ]").next().unwrap_or(text);
    let games = text.matches("[DhtmlXQ]").count().saturating_sub(1);
    let mut fields = BTreeMap::new();
    let mut rest = first;
    while let Some(at) = rest.find("[DhtmlXQ_") {
        rest = &rest[at + OPEN.len() + 1..];
        let Some((name, tail)) = rest.split_once(']') else {
            return Err(RecordError::new("a field's name does not end"));
        };
        let close = format!("[/DhtmlXQ_{name}]");
        let Some((value, tail)) = tail.split_once(close.as_str()) else {
            return Err(RecordError(format!("the field {name} does not end")));
        };
        fields.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        rest = tail;
    }
    Ok((fields, games))
}

/// A point from its digits: the file from Red's left, the rank from the top.
fn point(digits: &[u8]) -> Option<(u8, u8)> {
    match digits {
        &[x @ b'0'..=b'8', y @ b'0'..=b'9'] => Some((x - b'0', 9 - (y - b'0'))),
        _ => None,
    }
}

/// The plies of the field `movelist`: four digits each.
fn plies(list: &str) -> Result<Vec<String>, RecordError> {
    let digits: Vec<u8> = list.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let name = |(x, y): (u8, u8)| format!("{}{y}", (b'a' + x) as char);
    let each = digits.chunks(4).enumerate().map(|(i, ply)| {
        let (from, to) = (
            point(&ply[..2.min(ply.len())]),
            point(ply.get(2..).unwrap_or_default()),
        );
        let shown = String::from_utf8_lossy(ply);
        from.zip(to)
            .map(|(from, to)| name(from) + &name(to))
            .ok_or_else(|| RecordError(format!("movelist, ply {}: {shown:?} is not two points", i + 1)))
    });
    each.collect()
}

/// The FEN of the field `binit`, with the side to move that the first ply shows.
fn position(binit: &str, first: Option<&String>) -> Result<String, RecordError> {
    let digits = binit.as_bytes();
    if digits.len() != 2 * PIECES.len() {
        return Err(RecordError(format!(
            "binit: {} digits where 64 are expected",
            digits.len()
        )));
    }
    let mut board = [[None; 9]; 10];
    for (pair, &piece) in digits.chunks(2).zip(PIECES) {
        if pair == b"99" {
            continue;
        }
        let shown = String::from_utf8_lossy(pair);
        let (x, y) = point(pair).ok_or_else(|| RecordError(format!("binit: {shown:?} is no point")))?;
        let place: &mut Option<u8> = &mut board[y as usize][x as usize];
        if place.replace(piece).is_some() {
            return Err(RecordError(format!("binit: two pieces on {shown:?}")));
        }
    }
    let ranks: Vec<String> = board.iter().rev().map(rank_text).collect();
    let mover = first.and_then(|ply| {
        let &[x, y, ..] = ply.as_bytes() else { return None };
        board[(y - b'0') as usize][(x - b'a') as usize]
    });
    let side = if mover.is_some_and(|piece| piece.is_ascii_lowercase()) {
        'b'
    } else {
        'w'
    };
    Ok(format!("{} {side} - - 0 1", ranks.join("/")))
}

fn rank_text(rank: &[Option<u8>; 9]) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for place in rank.iter().chain([&Some(b'/')]) {
        match place {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(*piece as char);
            }
        }
    }
    text.pop();
    text
}

/// What the field `result` says; `Some(None)` when it says that nothing is known.
fn stated(result: &str) -> Option<Option<Stated>> {
    use xinqi_kernel::Seat;
    let win = |seat| Some(Some(Stated::Win(seat, Why::Unknown)));
    match result.trim() {
        "红胜" | "红方胜" | "红先胜" | "先胜" | "黑负" | "紅勝" | "1-0" => win(Seat::FIRST),
        "黑胜" | "黑方胜" | "红先负" | "先负" | "红负" | "黑勝" | "0-1" => win(Seat::SECOND),
        "和" | "和棋" | "和局" | "红先和" | "先和" | "1/2-1/2" => Some(Some(Stated::Draw)),
        "不定" | "未知" | "未定" | "*" | "?" => Some(None),
        _ => None,
    }
}
