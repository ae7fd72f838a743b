//! Portable Game Notation: chess in SAN, xiangqi-like games with the tags `Variant` and `FEN`.

use crate::telling::{Telling, position};
use crate::{Action, Format, Read, Record, RecordError, Stated, Why, Written};
use encoding_rs::{GB18030, WINDOWS_1252};
use std::fmt::Write as _;
use xinqi_kernel::{Outcome, Reason, Seat};
use xinqi_registry::Play;

/// Portable Game Notation.
#[derive(Clone, Copy, Debug)]
pub struct Pgn;

/// The roster that every PGN begins with, by our names of tags; the result is told by the game.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "event"),
    ("Site", "place"),
    ("Date", "date"),
    ("Round", "round"),
    ("White", "first"),
    ("Black", "second"),
    ("Result", ""),
];
/// Tags that follow from the game and are written anew.
const DERIVED: [&str; 9] = [
    "Result",
    "Variant",
    "Game",
    "Rules",
    "SetUp",
    "FEN",
    "Termination",
    "Reason",
    "PlyCount",
];
/// What PGN calls rule sets; of one rule set the first name is written.
const VARIANTS: [(&str, &str); 7] = [
    ("", "chess"),
    ("Standard", "chess"),
    ("From Position", "chess"),
    ("Chess960", "chess(chess960=true)"),
    ("Fischerandom", "chess(chess960=true)"),
    ("Xiangqi", "xiangqi"),
    ("Chinese Chess", "xiangqi"),
];
/// Characters that end a token or begin something other than a ply.
const SPECIAL: [char; 8] = ['(', ')', '{', '}', ';', '$', '[', ']'];
/// Notations preferred to plain text in PGN.
const PREFERRED: [&str; 2] = ["san", "iccs"];
const WIDTH: usize = 80;

impl Format for Pgn {
    fn extensions(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn read(&self, file: &[u8]) -> Result<Read, RecordError> {
        let old = match is_chess(file) {
            true => WINDOWS_1252,
            false => GB18030,
        };
        read(&crate::decode(file, old)?)
    }

    fn write(&self, record: &Record) -> Result<Written, RecordError> {
        let rules = record.rules();
        if rules.mechanism().is_some() || !matches!(rules.family(), "chess" | "xiangqi") {
            return Err(RecordError(format!(
                "PGN is for chess and xiangqi-like games, not for {}; .json keeps every game",
                rules.text()
            )));
        }
        let mut lost = Vec::new();
        let mut text = tags(record, &mut lost);
        text.push('\n');
        let mut tokens = movetext(record)?;
        tokens.push(result(record).to_owned());
        wrap(&tokens, &mut text);
        Ok(Written { text, lost })
    }
}

fn result(record: &Record) -> &'static str {
    match record.play().outcome() {
        Some(Outcome::Win(Seat::FIRST, _)) => "1-0",
        Some(Outcome::Win(..)) => "0-1",
        Some(Outcome::Draw(_)) => "1/2-1/2",
        Some(Outcome::Void(_)) | None => "*",
    }
}

fn tags(record: &Record, lost: &mut Vec<String>) -> String {
    let mut text = String::new();
    let mut tag = |key: &str, value: &str| {
        let value = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace(['\n', '\r'], " ");
        let _ = writeln!(text, "[{key} \"{value}\"]");
    };
    for (key, own) in ROSTER {
        match (key, record.tags.get(own)) {
            ("Result", _) => tag(key, result(record)),
            ("Date", Some(date)) => tag(key, &date.replace('-', ".")),
            ("Date", None) => tag(key, "????.??.??"),
            (_, Some(value)) => tag(key, value),
            (_, None) => tag(key, "?"),
        }
    }
    let rules = record.rules();
    let variant = VARIANTS
        .iter()
        .find(|(_, text)| *text == rules.text())
        .map(|(name, _)| *name);
    let usual = variant == Some("");
    if !usual {
        tag("Variant", variant.unwrap_or_else(|| rules.board()));
    }
    if variant.is_none() {
        tag("Rules", rules.text());
    }
    if let Some(fen) = position(&*record.start()).filter(|_| !usual || record.fen().is_some()) {
        tag("SetUp", "1");
        tag("FEN", &fen);
    }
    if let Some(outcome) = record.play().outcome() {
        let timeout = outcome.reason() == Reason::Timeout;
        tag("Termination", if timeout { "time forfeit" } else { "normal" });
        tag("Reason", outcome.reason().as_str());
    }
    for (key, value) in &record.tags {
        if ROSTER.iter().any(|(_, own)| own == key) {
            continue;
        }
        let begins = key.starts_with(|c: char| c.is_ascii_uppercase());
        match begins && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            true => tag(key, value),
            false => lost.push(format!("the tag {key:?}")),
        }
    }
    text
}

/// The plies with their numbers.
fn movetext(record: &Record) -> Result<Vec<String>, RecordError> {
    let known = record.rules().notations();
    let notation = PREFERRED
        .into_iter()
        .find(|n| known.contains(n))
        .unwrap_or("text");
    let mut play = record.start();
    let mut numbers = Numbers::new(&*play);
    let mut tokens = Vec::new();
    for action in record.actions() {
        let (seat, text) = match action {
            Action::By(seat, text) => (seat, text),
            Action::Close(seed) => {
                play.close(*seed);
                match play.outcome() {
                    Some(_) => continue,
                    None => {
                        let what =
                            "PGN cannot tell what came by chance when a time ran out; .json keeps every game";
                        return Err(RecordError::new(what));
                    }
                }
            }
        };
        if matches!(text.as_str(), "resign" | "abort") || text.starts_with("draw ") {
            continue;
        }
        let cannot = |why: &str| RecordError(format!("{text:?}: {why}"));
        let told = play
            .notate(*seat, text, notation)
            .map_err(|error| cannot(&error.message))?;
        let told = told.filter(|told| !told.contains(SPECIAL) && !told.contains(char::is_whitespace));
        let told = told.ok_or_else(|| cannot("PGN has no plies of this kind; .json keeps every game"))?;
        tokens.extend(numbers.next());
        tokens.push(told);
        play.act(*seat, text).map_err(|error| cannot(&error.message))?;
    }
    Ok(tokens)
}

/// Move numbers before plies.
struct Numbers {
    number: u32,
    second: bool,
    first_token: bool,
}

impl Numbers {
    fn new(start: &dyn Play) -> Numbers {
        let number = position(start).and_then(|fen| fen.split_whitespace().last()?.parse().ok());
        Numbers {
            number: number.unwrap_or(1),
            second: start.ply() == Some(1),
            first_token: true,
        }
    }

    /// The number to be written before the next ply.
    fn next(&mut self) -> Option<String> {
        let first = std::mem::replace(&mut self.first_token, false);
        let number = self.number;
        self.number += u32::from(self.second);
        self.second = !self.second;
        match !self.second {
            false => Some(format!("{number}.")),
            true => first.then(|| format!("{number}...")),
        }
    }
}

fn wrap(tokens: &[String], text: &mut String) {
    let mut width = 0;
    for token in tokens {
        let long = token.chars().count();
        if width > 0 && width + 1 + long > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(token);
        width += long;
    }
    text.push('\n');
}

/// The rules that PGN calls `name`.
fn variant(name: &str) -> String {
    let plain = |name: &str| name.to_lowercase().replace([' ', '-', '_'], "");
    let known = VARIANTS.iter().find(|(variant, _)| plain(variant) == plain(name));
    known.map_or_else(|| name.to_lowercase(), |(_, rules)| (*rules).to_owned())
}

/// Whether a file whose encoding is not known yet holds chess: old files of chess are in the West's encoding, those of
/// xiangqi in China's.
fn is_chess(file: &[u8]) -> bool {
    let tags = file.split(|&b| b == b'\n').filter_map(|line| {
        let line = String::from_utf8_lossy(line);
        read_tag(line.trim()).map(|(tag, _)| tag)
    });
    let mut named = tags.filter(|(key, _)| matches!(key.as_str(), "Variant" | "Game" | "Rules"));
    named.all(|(_, value)| variant(&value).starts_with("chess"))
}

/// Reads the first game of a file.
fn read(text: &str) -> Result<Read, RecordError> {
    let mut reader = Reader::default();
    reader.scan(text)?;
    let value = |key: &str| {
        let tag = reader.tags.iter().find(|(k, _)| k == key);
        tag.map(|(_, value)| value.as_str())
    };
    let rules = match (
        value("Rules"),
        value("Variant").or(value("Game")).unwrap_or_default(),
    ) {
        (Some(rules), _) => rules.to_owned(),
        (None, name) => variant(name),
    };
    if reader.tags.is_empty() && reader.plies.is_empty() && reader.result.is_none() {
        return Err(RecordError::new("no PGN: there is neither a tag nor a ply"));
    }
    let mut telling = Telling::new(&rules, value("FEN"))?;
    telling.lost = reader.lost();
    for (key, value) in &reader.tags {
        let unknown = value.is_empty() || value.chars().all(|c| matches!(c, '?' | '.'));
        let own = match ROSTER.iter().find(|(name, _)| name == key) {
            _ if unknown || DERIVED.contains(&key.as_str()) => continue,
            Some((_, "date")) => ("date", value.replace('.', "-")),
            Some((_, own)) => (*own, value.clone()),
            None => (key.as_str(), value.clone()),
        };
        telling.record.tags.insert(own.0.to_owned(), own.1);
    }
    let mut notations = telling.record.rules().notations().to_vec();
    notations.sort_by_key(|name| !PREFERRED.contains(name));
    notations.push("text");
    for (line, token) in &reader.plies {
        telling.ply(token, &notations, &format!("line {line}, {token:?}"))?;
    }
    let forfeit = value("Termination").is_some_and(|text| text.eq_ignore_ascii_case("time forfeit"));
    let why = match value("Reason") {
        Some("resignation") => Why::Resignation,
        Some("timeout") => Why::Timeout,
        _ if forfeit => Why::Timeout,
        _ => Why::Unknown,
    };
    let header = value("Result").filter(|told| *told != "*");
    let told = header.or(reader.result);
    if let (Some(header), Some(end)) = (header, reader.result.filter(|end| *end != "*"))
        && header != end
    {
        telling.lost.push(format!(
            "the plies end with {end}, the tag Result says {header}: the tag is kept"
        ));
    }
    let stated = match told {
        Some("1-0") => Some(Stated::Win(Seat::FIRST, why)),
        Some("0-1") => Some(Stated::Win(Seat::SECOND, why)),
        Some("1/2-1/2") => Some(Stated::Draw),
        _ => None,
    };
    if value("Reason") == Some(Reason::Abort.as_str()) && telling.record.play().outcome().is_none() {
        let mover = telling.mover();
        // Nobody has won, whoever called the game off.
        let _ = telling.record.act(mover, "abort");
    }
    Ok(telling.finish(stated))
}

/// What the first game of a file says.
#[derive(Default)]
struct Reader<'a> {
    tags: Vec<(String, String)>,
    /// Tokens of plies, with their lines.
    plies: Vec<(usize, &'a str)>,
    result: Option<&'a str>,
    comments: usize,
    variations: usize,
    glyphs: usize,
    more: bool,
}

impl<'a> Reader<'a> {
    fn scan(&mut self, text: &'a str) -> Result<(), RecordError> {
        let mut rest = text;
        let mut depth = 0usize;
        let line = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
        loop {
            rest = rest.trim_start();
            let Some(c) = rest.chars().next() else { break };
            let starts_line = text[..text.len() - rest.len()]
                .chars()
                .next_back()
                .is_none_or(|c| c == '\n');
            let until = |end: &str| rest.find(end);
            match c {
                '%' if starts_line => rest = &rest[until("\n").unwrap_or(rest.len())..],
                ';' => {
                    self.comments += usize::from(depth == 0);
                    rest = &rest[until("\n").unwrap_or(rest.len())..];
                }
                '{' => {
                    let end = until("}").ok_or_else(|| {
                        RecordError(format!("line {}: a comment is not closed", line(rest)))
                    })?;
                    self.comments += usize::from(depth == 0);
                    rest = &rest[end + 1..];
                }
                '(' => {
                    self.variations += usize::from(depth == 0);
                    depth += 1;
                    rest = &rest[1..];
                }
                ')' => {
                    depth = depth
                        .checked_sub(1)
                        .ok_or_else(|| RecordError(format!("line {}: ) without (", line(rest))))?;
                    rest = &rest[1..];
                }
                '[' if depth == 0 && starts_line && (self.result.is_some() || !self.plies.is_empty()) => {
                    self.more = true;
                    break;
                }
                '[' if depth == 0 => {
                    let (tag, after) = read_tag(rest).ok_or_else(|| {
                        RecordError(format!("line {}: a tag is no [Name \"value\"]", line(rest)))
                    })?;
                    self.tags.push(tag);
                    rest = after;
                }
                _ => {
                    let stops = |c: char| c.is_whitespace() || SPECIAL.contains(&c);
                    // A special character that begins a token (`$1`) belongs to it.
                    let length = rest
                        .char_indices()
                        .skip(1)
                        .find(|(_, c)| stops(*c))
                        .map_or(rest.len(), |(n, _)| n);
                    let (token, after) = rest.split_at(length);
                    if depth == 0 {
                        if self.result.is_some() {
                            self.more = true;
                            break;
                        }
                        self.token(token, line(rest));
                    }
                    rest = after;
                }
            }
        }
        match depth {
            0 => Ok(()),
            _ => Err(RecordError::new("a variation is not closed")),
        }
    }

    fn token(&mut self, token: &'a str, line: usize) {
        if matches!(token, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.result = Some(token);
            return;
        }
        if token.starts_with('$') || token.chars().all(|c| c == '!' || c == '?') {
            self.glyphs += 1;
            return;
        }
        // `12.`, `12...` and `12.e4`.
        let digits = token.trim_start_matches(|c: char| c.is_ascii_digit());
        let ply = match digits.starts_with('.') && digits.len() < token.len() {
            true => digits.trim_start_matches('.'),
            false if digits.is_empty() => "",
            false => token.trim_start_matches('.'),
        };
        if ply == "e.p." {
            return;
        }
        if !ply.is_empty() {
            self.glyphs += usize::from(ply.ends_with(['!', '?']));
            self.plies.push((line, ply.trim_end_matches(['!', '?'])));
        }
    }

    fn lost(&self) -> Vec<String> {
        let counted = [
            (self.comments, "comments"),
            (self.variations, "variations"),
            (self.glyphs, "marks of good and bad plies"),
        ];
        let mut lost: Vec<String> = counted
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{n} {what}"))
            .collect();
        if self.more {
            lost.push("all games of the file but the first".to_owned());
        }
        lost
    }
}

/// `[Name "value"]` at the beginning of a text, and what follows.
fn read_tag(text: &str) -> Option<((String, String), &str)> {
    let inside = text.strip_prefix('[')?.trim_start();
    let (name, rest) = inside.split_once(|c: char| c.is_whitespace() || c == '"')?;
    let rest = inside[name.len()..]
        .trim_start()
        .strip_prefix('"')
        .or(rest.trim_start().strip_prefix('"'))?;
    let mut value = String::new();
    let mut chars = rest.char_indices();
    while let Some((n, c)) = chars.next() {
        match c {
            '"' => {
                let after = rest[n + 1..].trim_start().strip_prefix(']')?;
                return Some(((name.to_owned(), value), after));
            }
            '\\' => value.push(chars.next()?.1),
            '\n' => return None,
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_escapes() {
        let read = |text| read_tag(text).map(|(tag, rest)| (tag.0, tag.1, rest.to_owned()));
        let made = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(
            read(r#"[White "A \"B\" \\ C"] x"#),
            made("White", r#"A "B" \ C"#, " x")
        );
        assert_eq!(read(r#"[ Event  "" ]"#), made("Event", "", ""));
        for wrong in ["[Event]", "[Event \"x]", "[Event \"x\"", "[Event x]", "["] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
