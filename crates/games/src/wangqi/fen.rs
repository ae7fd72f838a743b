//! Position text: `+` before a letter marks the king piece, the third field holds the runs.

use super::position::{Position, Run};
use xinqi_boards::xiangqi::{Kind, Piece, Point, Side, fen};
use xinqi_kernel::SetupError;

/// The usual start.
pub(super) const START: &str = "rnba+kabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBA+KABNR w -,- - 0 1";

/// A position with its counters.
pub(super) struct Setup {
    pub(super) position: Position,
    pub(super) captureless: u32,
    pub(super) number: u32,
}

/// Reads a position that a game could be in.
///
/// # Errors
/// Names what is malformed or cannot be.
pub(super) fn read(text: &str, grind: u8) -> Result<Setup, SetupError> {
    let fields = fen::Fen::parse(text)?;
    let mut position = Position::empty(fields.side);
    let mut tokens = [None; 2];
    fen::read_rows(fields.rows, |point, token| {
        let bare = token.strip_prefix('+').unwrap_or(token);
        let mut letters = bare.chars();
        let piece = match (letters.next().and_then(Piece::from_letter), letters.next()) {
            (Some(piece), None) => piece,
            _ => return Err(refuse(format!("{} on {point} is no piece", fen::quote(token)))),
        };
        if !piece.kind.standing(piece.side).contains(point) {
            return Err(refuse(format!("a {piece} cannot stand on {point}")));
        }
        position.put(point, piece);
        if bare.len() < token.len() && tokens[piece.side.index()].replace(point).is_some() {
            return Err(refuse(format!("{} has two tokens", piece.side.name())));
        }
        Ok(())
    })?;
    for side in Side::BOTH {
        for kind in Kind::ALL {
            let count = position.of(side, kind).len();
            if count > kind.full_count() {
                return Err(refuse(format!("{count} pieces {}", Piece::new(side, kind))));
            }
        }
        if position.of(side, Kind::King).is_empty() {
            return Err(refuse(format!("{} has no king", side.name())));
        }
        match tokens[side.index()] {
            Some(point) => position.lay_token(side, point),
            None => return Err(refuse(format!("{} has no token (+)", side.name()))),
        }
    }
    if position.kings_face() {
        return Err(refuse("the kings face each other".to_owned()));
    }
    let waiting = position.side().other();
    if position.king_attacked(waiting) {
        return Err(refuse(format!("{} is in check but not to move", waiting.name())));
    }
    let runs = read_runs(fields.extra, &position, grind)?;
    position.set_runs(runs, grind);
    Ok(Setup {
        position,
        captureless: fields.captureless,
        number: fields.number,
    })
}

fn read_runs(text: &str, position: &Position, grind: u8) -> Result<[Option<Run>; 2], SetupError> {
    if text == "-" {
        return Ok([None; 2]);
    }
    let wrong = || refuse(format!("{} is no pair of runs such as h0:3,-", fen::quote(text)));
    let (red, black) = text.split_once(',').ok_or_else(wrong)?;
    let run = |side: Side, text: &str| -> Result<Option<Run>, SetupError> {
        if text == "-" {
            return Ok(None);
        }
        let (point, count) = text.split_once(':').ok_or_else(wrong)?;
        let point: Point = point.parse().map_err(|_| wrong())?;
        let digits = count.bytes().all(|b| b.is_ascii_digit());
        let count: u8 = count.parse().ok().filter(|_| digits).ok_or_else(wrong)?;
        if !(1..=grind).contains(&count) {
            return Err(refuse(format!("run {} has no count from 1 to {grind}", fen::quote(text))));
        }
        if !position.pieces(side).contains(point) {
            return Err(refuse(format!("run {text}: {} has no piece on {point}", side.name())));
        }
        if position.token(side) == point && count < grind {
            return Err(refuse(format!("run {text}: the piece on {point} is a king piece")));
        }
        Ok(Some(Run { point, count }))
    };
    Ok([run(Side::Red, red)?, run(Side::Black, black)?])
}

fn refuse(what: String) -> SetupError {
    SetupError::new(format!("FEN: {what}"))
}

/// Writes a position.
pub(super) fn write(position: &Position, captureless: u32, number: u32) -> String {
    let rows = fen::write_rows(|point, out| {
        if let Some(piece) = position.at(point) {
            if position.token(piece.side) == point {
                out.push('+');
            }
            out.push(piece.letter());
        }
    });
    let run = |side| match position.run(side) {
        Some(Run { point, count }) => format!("{point}:{count}"),
        None => "-".to_owned(),
    };
    fen::Fen {
        rows: &rows,
        side: position.side(),
        extra: &format!("{},{}", run(Side::Red), run(Side::Black)),
        captureless,
        number,
    }
    .to_string()
}
