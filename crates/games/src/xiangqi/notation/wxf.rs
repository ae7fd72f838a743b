//! WXF notation: `C2.5`, `+R+1`, and for pawns that share a file `P++1` or, where that does not tell, `26.5`: the second
//! from the front on file 6.
//!
//! On reading, `=` is `.`, `N` is `H`, `B` is `E`, small letters are capitals, and a mark may stand on either side of the
//! piece.

use super::{Place, Spoken, Way, Which};
use xinqi_boards::xiangqi::Kind;

/// How the notation names one of several of a kind on a file.
pub(crate) fn name_crowded(place: &Place) -> Which {
    match (place.crowded_files, place.nth, place.on_file) {
        (1, 1, 2) => Which::Front,
        (1, 2, 2) => Which::Rear,
        _ => Which::NthOn(place.nth, place.file),
    }
}

/// The letters by kind.
pub(crate) const LETTERS: [char; Kind::COUNT] = ['K', 'R', 'H', 'C', 'E', 'A', 'P'];

/// Writes a ply.
pub(crate) fn write(spoken: Spoken) -> String {
    let piece = write_piece(spoken.kind, spoken.which);
    let way = match spoken.way {
        Way::Advance => '+',
        Way::Retreat => '-',
        Way::Traverse => '.',
    };
    format!("{piece}{way}{}", spoken.number)
}

/// Writes which piece it is.
pub(crate) fn write_piece(kind: Kind, which: Which) -> String {
    let letter = LETTERS[kind.index()];
    match which {
        Which::File(file) => format!("{letter}{file}"),
        Which::NthOn(n, file) => format!("{n}{file}"),
        mark => {
            let mark = match mark {
                Which::Front => '+',
                Which::Rear => '-',
                Which::Nth(n) => char::from(b'0' + n as u8),
                _ => '.',
            };
            match kind {
                Kind::Pawn => format!("{letter}{mark}"),
                _ => format!("{mark}{letter}"),
            }
        }
    }
}

/// Takes a ply apart; gives what follows it too.
pub(crate) fn parse(text: &str) -> Option<(Spoken, &str)> {
    let mut chars = text.trim().chars();
    let (kind, which) = parse_piece(&mut chars)?;
    let way = match chars.next()? {
        '+' => Way::Advance,
        '-' => Way::Retreat,
        '.' | '=' => Way::Traverse,
        _ => return None,
    };
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
        (Some(kind), None) => (kind, digit_of(second).map(Which::File).or(mark_of(second))?),
        (None, Some(kind)) => (kind, mark_of(first)?),
        (None, None) => (Kind::Pawn, Which::NthOn(digit_of(first)?, digit_of(second)?)),
        _ => return None,
    })
}

/// The kind of a letter.
pub(crate) fn kind_of(c: char) -> Option<Kind> {
    Kind::from_letter(c.to_ascii_uppercase())
}

fn digit_of(c: char) -> Option<usize> {
    c.to_digit(10).filter(|&n| n > 0).map(|n| n as usize)
}

fn mark_of(c: char) -> Option<Which> {
    match c {
        '+' => Some(Which::Front),
        '-' => Some(Which::Rear),
        '.' | '=' => Some(Which::Middle),
        _ => digit_of(c).map(Which::Nth),
    }
}
