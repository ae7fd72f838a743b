//! Chinese notation: 炮二平五, 前车进一, 一兵平五.
//!
//! Red counts in Chinese digits, Black in plain ones. On reading, both sides' names, simplified, traditional and old
//! characters, Chinese, full-width and plain digits are the same.

use super::{Place, Spoken, Way, Which};
use xinqi_boards::xiangqi::{Kind, Side};

/// The characters to write with.
#[derive(Debug)]
pub(crate) struct Script {
    /// The names of the pieces, by side and kind.
    pub(crate) pieces: [[char; Kind::COUNT]; 2],
    advance: char,
    retreat: char,
    rear: char,
}

/// As written on the mainland.
pub(crate) const SIMPLIFIED: Script = Script {
    pieces: [
        ['帅', '车', '马', '炮', '相', '仕', '兵'],
        ['将', '车', '马', '炮', '象', '士', '卒'],
    ],
    advance: '进',
    retreat: '退',
    rear: '后',
};

/// As written in Taiwan and Hong Kong.
pub(crate) const TRADITIONAL: Script = Script {
    pieces: [
        ['帥', '車', '馬', '炮', '相', '仕', '兵'],
        ['將', '車', '馬', '砲', '象', '士', '卒'],
    ],
    advance: '進',
    retreat: '退',
    rear: '後',
};

const CHINESE_DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Two are 前 and 后, three 前, 中 and 后; more, or pawns on two files, are counted.
pub(crate) fn name_crowded(place: &Place) -> Which {
    match (place.crowded_files, place.nth, place.on_file) {
        (1, 1, 2 | 3) => Which::Front,
        (1, 2, 3) => Which::Middle,
        (1, 2, 2) | (1, 3, 3) => Which::Rear,
        _ => Which::Nth(place.overall),
    }
}

/// How a side writes a number up to nine.
pub(crate) const fn digit(side: Side, n: usize) -> char {
    match side {
        Side::Red => CHINESE_DIGITS[n],
        Side::Black => (b'0' + n as u8) as char,
    }
}

/// Puts a ply into words.
pub(crate) fn write(script: &Script, side: Side, spoken: Spoken) -> String {
    let piece = write_piece(script, side, spoken.kind, spoken.which);
    let way = match spoken.way {
        Way::Advance => script.advance,
        Way::Retreat => script.retreat,
        Way::Traverse => '平',
    };
    format!("{piece}{way}{}", digit(side, spoken.number))
}

/// Puts into words which piece it is.
pub(crate) fn write_piece(script: &Script, side: Side, kind: Kind, which: Which) -> String {
    let piece = script.pieces[side.index()][kind.index()];
    let words = match which {
        Which::File(file) => [piece, digit(side, file)],
        Which::Front => ['前', piece],
        Which::Middle => ['中', piece],
        Which::Rear => [script.rear, piece],
        Which::Nth(n) | Which::NthOn(n, _) => [digit(side, n), piece],
    };
    words.iter().collect()
}

/// Takes the words of a ply apart; gives what follows them too.
pub(crate) fn parse(text: &str) -> Option<(Spoken, &str)> {
    let mut chars = text.trim().chars();
    let (kind, which) = parse_piece(&mut chars)?;
    let way = way_of(chars.next()?)?;
    let number = digit_of(chars.next()?)?;
    let spoken = Spoken {
        kind,
        which,
        way,
        number,
    };
    Some((spoken, chars.as_str()))
}

/// Reads which piece it is.
pub(crate) fn parse_piece(chars: &mut std::str::Chars<'_>) -> Option<(Kind, Which)> {
    let (first, second) = (chars.next()?, chars.next()?);
    Some(match (kind_of(first), kind_of(second)) {
        (Some(kind), None) => (kind, Which::File(digit_of(second)?)),
        (None, Some(kind)) => (kind, place_of(first)?),
        _ => return None,
    })
}

/// The kind that a character names, of either side and in any script.
pub(crate) fn kind_of(c: char) -> Option<Kind> {
    Some(match c {
        '帅' | '帥' | '将' | '將' => Kind::King,
        '车' | '車' | '俥' => Kind::Rook,
        '马' | '馬' | '傌' => Kind::Horse,
        '炮' | '砲' | '包' => Kind::Cannon,
        '相' | '象' => Kind::Elephant,
        '仕' | '士' => Kind::Advisor,
        '兵' | '卒' => Kind::Pawn,
        _ => return None,
    })
}

/// The digit 1…9 that a character is: Chinese, full-width or plain.
pub(crate) fn digit_of(c: char) -> Option<usize> {
    let plain = match c {
        '1'..='9' => c as usize - '0' as usize,
        '１'..='９' => c as usize - '０' as usize,
        _ => CHINESE_DIGITS[1..].iter().position(|&d| d == c)? + 1,
    };
    Some(plain)
}

fn place_of(c: char) -> Option<Which> {
    Some(match c {
        '前' => Which::Front,
        '中' => Which::Middle,
        '后' | '後' => Which::Rear,
        _ => Which::Nth(digit_of(c)?),
    })
}

fn way_of(c: char) -> Option<Way> {
    Some(match c {
        '进' | '進' => Way::Advance,
        '退' => Way::Retreat,
        '平' => Way::Traverse,
        _ => return None,
    })
}
