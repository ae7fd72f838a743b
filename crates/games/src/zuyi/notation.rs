//! Plies as players read them: 炮二退二组马 and, for readers of WXF, `C2-2&H` (docs/notation.md).
//!
//! A text names the stack by all its members and its file, who of them goes, how the first of these that reaches
//! goes as an ordinary piece, and whom they join or who comes back. Reading looks for the legal ply so written.

use super::{Members, Ply, Position};
use crate::xiangqi::notation::{chinese, wxf};
use xinqi_boards::xiangqi::{Kind, Point, Side, fen::quote};
use xinqi_kernel::Reject;

/// The notations by name.
pub(super) const NAMES: &[&str] = &["chinese", "chinese-trad", "wxf"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Simplified,
    Traditional,
    Latin,
}

impl Script {
    fn named(notation: &str) -> Option<Script> {
        Some(match notation {
            "chinese" => Script::Simplified,
            "chinese-trad" => Script::Traditional,
            "wxf" => Script::Latin,
            _ => return None,
        })
    }
}

/// A ply taken apart, in the order in which it is written.
struct Words {
    side: Side,
    /// Which of the equal stacks on the file, from the front, and of how many.
    mark: Option<(usize, usize)>,
    stack: Members,
    file: Option<usize>,
    /// Who goes, unless everybody.
    part: Option<Members>,
    /// Whose going is told, unless it is the first of those who go.
    by: Option<Kind>,
    direction: Direction,
    number: usize,
    meets: Meets,
}

#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Back,
    Sideways,
}

enum Meets {
    Nobody,
    Joins(Members),
    Exchanges(Members),
}

/// `ply`, legal in `position`, in `notation`.
pub(super) fn write(position: &Position, ply: Ply, notation: &str) -> Option<String> {
    let script = Script::named(notation)?;
    Some(words(position, ply).write(script))
}

/// The legal ply that is written so in `notation`; every Chinese notation reads every script.
pub(super) fn read(position: &Position, text: &str, notation: &str) -> Result<Ply, Reject> {
    let script = Script::named(notation)
        .ok_or_else(|| Reject::malformed(format!("no notation {}", quote(notation))))?;
    let wanted = normal(text, script)
        .ok_or_else(|| Reject::malformed(format!("{} is no ply in {notation}", quote(text))))?;
    let mut plies = Vec::new();
    position.plies(&mut plies);
    let written = |ply: &Ply| normal(&words(position, *ply).write(script), script);
    let mut found = plies.into_iter().filter(|ply| written(ply).as_ref() == Some(&wanted));
    match (found.next(), found.next()) {
        (Some(ply), None) => Ok(ply),
        (None, _) => Err(Reject::illegal(format!("{} is no legal ply", quote(text)))),
        _ => Err(Reject::illegal(format!("{} is more than one ply", quote(text)))),
    }
}

fn words(position: &Position, ply: Ply) -> Words {
    let Ply { from, to, go, back } = ply;
    let side = position.side();
    let stack = position.stack(from);
    let reaching = position.reaching(from, to);
    let by = go.iter_kinds().find(|&kind| reaching.has(kind));
    let (mark, file) = locate(position, from);
    let (direction, number) = reckon(side, from, to);
    let meets = match position.of(side).contains(to) {
        false => Meets::Nobody,
        true if back.is_empty() => Meets::Joins(position.stack(to)),
        true => Meets::Exchanges(back),
    };
    Words {
        side,
        mark,
        stack,
        file,
        part: (go != stack).then_some(go),
        by: by.filter(|_| by != go.iter_kinds().next()),
        direction,
        number,
        meets,
    }
}

/// Which of equal stacks on one file stands on `from`, and its file unless the mark tells it.
fn locate(position: &Position, from: Point) -> (Option<(usize, usize)>, Option<usize>) {
    let side = position.side();
    let number = file_number(side, from.file());
    let equal = |file: usize| {
        let own = position.of(side).into_iter();
        own.filter(move |&p| p.file() == file && position.stack(p) == position.stack(from))
    };
    let total = equal(from.file()).count();
    if total == 1 {
        return (None, Some(number));
    }
    let ahead = equal(from.file()).filter(|&p| match side {
        Side::Red => p.rank() > from.rank(),
        Side::Black => p.rank() < from.rank(),
    });
    let files = (0..Point::FILES).filter(|&file| equal(file).count() > 1).count();
    (Some((ahead.count(), total)), (files > 1).then_some(number))
}

/// How an ordinary piece that goes there is told: steps along its file, else the file where it arrives.
fn reckon(side: Side, from: Point, to: Point) -> (Direction, usize) {
    let upwards = to.rank() > from.rank();
    let direction = match (from.rank() == to.rank(), upwards == (side == Side::Red)) {
        (true, _) => Direction::Sideways,
        (false, true) => Direction::Forward,
        (false, false) => Direction::Back,
    };
    let number = match from.file() == to.file() {
        true => from.rank().abs_diff(to.rank()),
        false => file_number(side, to.file()),
    };
    (direction, number)
}

/// Files are counted from the mover's right.
fn file_number(side: Side, file: usize) -> usize {
    match side {
        Side::Red => Point::FILES - file,
        Side::Black => file + 1,
    }
}

impl Words {
    fn write(&self, script: Script) -> String {
        let mut out = String::new();
        self.write_mark(&mut out, script);
        self.write_members(&mut out, self.stack, script);
        out.extend(self.file.map(|file| self.digit(file, script)));
        let word = |word: Word| word.char(script);
        if let Some(part) = self.part {
            out.push(word(Word::Part));
            self.write_members(&mut out, part, script);
        }
        if let Some(by) = self.by {
            out.push(word(Word::By));
            out.push(name(self.side, by, script));
        }
        out.push(word(match self.direction {
            Direction::Forward => Word::Forward,
            Direction::Back => Word::Back,
            Direction::Sideways => Word::Sideways,
        }));
        out.push(self.digit(self.number, script));
        let (met, members) = match self.meets {
            Meets::Nobody => return out,
            Meets::Joins(members) => (Word::Joins, members),
            Meets::Exchanges(members) => (Word::Exchanges, members),
        };
        out.push(word(met));
        self.write_members(&mut out, members, script);
        out
    }

    fn write_mark(&self, out: &mut String, script: Script) {
        let word = match self.mark {
            None => return,
            Some((0, 2 | 3)) => Word::Front,
            Some((1, 2) | (2, 3)) => Word::Rear,
            Some((1, 3)) => Word::Middle,
            Some((ahead, _)) => return out.push(self.digit(ahead + 1, script)),
        };
        out.push(word.char(script));
    }

    fn write_members(&self, out: &mut String, members: Members, script: Script) {
        out.extend(members.iter().map(|kind| name(self.side, kind, script)));
    }

    fn digit(&self, number: usize, script: Script) -> char {
        digit(self.side, number, script)
    }
}

/// The words between names and numbers.
#[derive(Clone, Copy)]
enum Word {
    Front,
    Middle,
    Rear,
    Part,
    By,
    Forward,
    Back,
    Sideways,
    Joins,
    Exchanges,
}

/// Each word simplified, traditional and in Latin script.
const WORDS: [[char; 3]; 10] = [
    ['前', '前', '+'],
    ['中', '中', '2'],
    ['后', '後', '-'],
    ['分', '分', ':'],
    ['以', '以', '@'],
    ['进', '進', '+'],
    ['退', '退', '-'],
    ['平', '平', '.'],
    ['组', '組', '&'],
    ['易', '易', '/'],
];

impl Word {
    fn char(self, script: Script) -> char {
        WORDS[self as usize][script as usize]
    }
}

fn name(side: Side, kind: Kind, script: Script) -> char {
    match script {
        Script::Simplified => chinese::SIMPLIFIED.pieces[side.index()][kind.index()],
        Script::Traditional => chinese::TRADITIONAL.pieces[side.index()][kind.index()],
        Script::Latin => wxf::LETTERS[kind.index()],
    }
}

fn digit(side: Side, number: usize, script: Script) -> char {
    match script {
        Script::Latin => chinese::digit(Side::Black, number),
        _ => chinese::digit(side, number),
    }
}

/// The text with every variant of a character made one; `None` where a character belongs to no ply.
fn normal(text: &str, script: Script) -> Option<String> {
    let letters = text.chars().filter(|c| !c.is_whitespace());
    match script {
        Script::Latin => letters.map(normal_latin).collect(),
        _ => letters.map(normal_chinese).collect(),
    }
}

fn normal_latin(c: char) -> Option<char> {
    if let Some(kind) = Kind::from_letter(c.to_ascii_uppercase()) {
        return Some(wxf::LETTERS[kind.index()]);
    }
    match c {
        '=' => Some('.'),
        '1'..='9' => Some(c),
        _ => WORDS.iter().any(|word| word[2] == c).then_some(c),
    }
}

fn normal_chinese(c: char) -> Option<char> {
    if let Some(kind) = chinese::kind_of(c) {
        return Some(wxf::LETTERS[kind.index()]);
    }
    match WORDS.iter().find(|word| word[..2].contains(&c)) {
        Some(word) => Some(word[0]),
        None => chinese::digit_of(c).map(|n| chinese::digit(Side::Red, n)),
    }
}
