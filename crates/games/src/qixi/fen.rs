//! Position text: `{RN}` is a rook that hides a horse; the third field holds what both sides have spent.

use super::faces::{Face, PIECES, UPPER, excess, needs, starting_point};
use super::position::{Limits, Spent};
use super::state::{Known, Open, Piece, State};
use crate::xiangqi;
use crate::repetition::History;
use xinqi_boards::xiangqi::{Point, Side, fen};
use xinqi_kernel::{SetupError, Viewer};

/// The start with the usual layout for both, for tools that ask no layouts.
pub(super) const USUAL: &str =
    "{rn}{nr}bakab{nc}{rc}/9/1{cr}5{cn}1/p1p1p1p1p/9/9/P1P1P1P1P/1{CR}5{CN}1/9/{RN}{NR}BAKAB{NC}{RC} w 0.0,0.0 - 0 1";

fn refuse(what: impl std::fmt::Display) -> SetupError {
    SetupError::new(format!("FEN: {what}"))
}

/// The start, before the layouts are in.
pub(super) fn start() -> State {
    let board = xiangqi::Position::from_rows(xiangqi::Position::START, Side::Red).expect("the start is a position");
    let pieces = Side::BOTH.map(|side| {
        let piece = |place: usize| Piece {
            start: starting_point(side, place),
            at: Some(starting_point(side, place)),
            upper: UPPER[place],
            flipped: false,
            known: Known::Owner,
            declined: [0; 3],
        };
        (0..PIECES).map(piece).collect()
    });
    State {
        open: open(board, [Spent::default(); 2], pieces, 0, 1),
        dark: [None, None],
        doubts: Vec::new(),
    }
}

fn open(
    board: xiangqi::Position,
    spent: [Spent; 2],
    pieces: [Vec<Piece>; 2],
    captureless: u32,
    number: u32,
) -> Open {
    let mut open = Open {
        ply: u32::from(board.side() == Side::Black),
        board,
        spent,
        pieces,
        laid: [false; 2],
        captureless,
        number,
        history: History::new(0),
        shown: History::new(0),
        last: None,
        outcome: None,
        disclosures: 0,
    };
    open.history = History::new(open.key());
    open.shown = History::new(open.shown_key());
    open
}

/// Reads a position that a game could be in, with all its faces.
///
/// # Errors
/// Names what is malformed or cannot be.
pub(super) fn read(text: &str, limits: &Limits) -> Result<State, SetupError> {
    let fields = fen::Fen::parse(text)?;
    let mut letters = vec![None; Point::COUNT];
    let mut pieces: [Vec<Piece>; 2] = Default::default();
    let mut dark: [Vec<Face>; 2] = Default::default();
    fen::read_rows(fields.rows, |point, token| {
        let Some(faces) = token.strip_prefix('{').and_then(|t| t.strip_suffix('}')) else {
            let piece = fen::read_piece(point, token)?;
            if Face::of(piece.kind).is_some() {
                return Err(refuse(format!("the {piece} on {point} has no dark face: write {{RN}}")));
            }
            letters[point.index()] = Some(piece.letter());
            return Ok(());
        };
        let (side, upper, hidden) = read_faces(point, token, faces)?;
        letters[point.index()] = Some(upper.letter_of(side));
        pieces[side.index()].push(Piece {
            start: point,
            at: Some(point),
            upper,
            flipped: false,
            known: Known::Owner,
            declined: [0; 3],
        });
        dark[side.index()].push(hidden);
        Ok(())
    })?;
    let rows = fen::write_rows(|point, out| out.extend(letters[point.index()]));
    let board = xiangqi::Position::from_rows(&rows, fields.side)?;
    for side in Side::BOTH {
        let faces = || pieces[side.index()].iter().map(|piece| piece.upper).zip(dark[side.index()].iter().copied());
        if excess(faces()).is_some() {
            return Err(refuse(format!(
                "{}'s faces would need {}; a side has two each of rook|horse, rook|cannon and horse|cannon",
                side.name(),
                needs(faces())
            )));
        }
    }
    let spent = read_spent(fields.extra, limits)?;
    let mut open = open(board, spent, pieces, fields.captureless, fields.number);
    open.laid = [true; 2];
    Ok(State {
        open,
        dark: dark.map(Some),
        doubts: Vec::new(),
    })
}

fn read_faces(point: Point, token: &str, faces: &str) -> Result<(Side, Face, Face), SetupError> {
    let mut letters = faces.chars();
    let (Some(upper), Some(dark), None) = (letters.next(), letters.next(), letters.next()) else {
        return Err(refuse(format!("{} on {point} has not two faces", fen::quote(token))));
    };
    if dark == '?' {
        return Err(refuse(format!("{token} on {point}: the dark face must be given")));
    }
    let side = if upper.is_ascii_uppercase() { Side::Red } else { Side::Black };
    let face = |letter: char| {
        let found = Face::ALL.into_iter().find(|face| face.letter_of(side) == letter);
        found.ok_or_else(|| refuse(format!("{} on {point} is not two of R, N, C of one side", fen::quote(token))))
    };
    let (upper, dark) = (face(upper)?, face(dark)?);
    if upper == dark {
        return Err(refuse(format!("{token} on {point} has one face twice")));
    }
    Ok((side, upper, dark))
}

fn read_spent(text: &str, limits: &Limits) -> Result<[Spent; 2], SetupError> {
    if text == "-" {
        return Ok([Spent::default(); 2]);
    }
    let wrong = || refuse(format!("{} is not what both sides have spent, such as 0.0,2.1", fen::quote(text)));
    let number = |text: &str| {
        let digits = text.len() < 4 && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u8>().ok().filter(|_| digits).ok_or_else(wrong)
    };
    let (red, black) = text.split_once(',').ok_or_else(wrong)?;
    let one = |side: Side, text: &str| {
        let (rights, rook_flips) = text.split_once('.').ok_or_else(wrong)?;
        let spent = Spent {
            rights: number(rights)?,
            rook_flips: number(rook_flips)?,
        };
        let name = side.name();
        if spent.rights > limits.rights {
            return Err(refuse(format!("{name} has spent {rights} rights of {}", limits.rights)));
        }
        if spent.rook_flips > limits.rook_flips {
            return Err(refuse(format!("{name} has had {rook_flips} flips to rook of {}", limits.rook_flips)));
        }
        let least = u32::from(spent.rook_flips) * u32::from(limits.rook_cost);
        if least > u32::from(spent.rights) {
            return Err(refuse(format!("{name}'s flips to rook cost {least} rights, but {rights} are spent")));
        }
        Ok(spent)
    };
    Ok([one(Side::Red, red)?, one(Side::Black, black)?])
}

/// Writes the position as `viewer` may see it.
pub(super) fn write(state: &State, viewer: Viewer) -> String {
    let open = &state.open;
    let rows = fen::write_rows(|point, out| {
        let Some(piece) = open.board.piece(point) else { return };
        match open.piece_at(piece.side, point) {
            None => out.push(piece.letter()),
            Some(place) => {
                let dark = state.told(viewer, piece.side, place);
                let dark = dark.map_or('?', |face| face.letter_of(piece.side));
                out.extend(['{', piece.letter(), dark, '}']);
            }
        }
    });
    let [red, black] = open.spent.map(|spent| format!("{}.{}", spent.rights, spent.rook_flips));
    fen::Fen {
        rows: &rows,
        side: open.board.side(),
        extra: &format!("{red},{black}"),
        captureless: open.captureless,
        number: open.number,
    }
    .to_string()
}
