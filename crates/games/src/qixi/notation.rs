//! Plies as people say them: xiangqi's by the upper faces, and flips as 马八翻车 or `N8=R` (docs/notation.md).

use super::faces::Face;
use super::position::{Flip, Ply};
use crate::xiangqi::notation::chinese::{self, SIMPLIFIED, TRADITIONAL};
use crate::xiangqi::notation::{Place, the_one, wxf};
use crate::xiangqi::{self, notation};
use xinqi_boards::xiangqi::Side;
use xinqi_boards::xiangqi::fen::quote;
use xinqi_kernel::Reject;

/// The notations by name.
pub(super) const NAMES: &[&str] = notation::NAMES;

/// The legal ply in `notation`.
pub(super) fn write(board: &xiangqi::Position, side: Side, ply: Ply, notation: &str) -> Option<String> {
    let flip = match ply {
        Ply::Move(mv) => return notation::write(board, mv, notation),
        Ply::Flip(flip) => flip,
    };
    let kind = board.kind_at(flip.at)?;
    let place = Place::of(side, flip.at, board.kind(kind) & board.of(side));
    Some(match notation {
        "wxf" => {
            // Flips name faces as layouts do: N for the horse.
            let piece = wxf::write_piece(kind, place.which(wxf::name_crowded)).replace('H', "N");
            format!("{piece}={}", flip.to.letter())
        }
        "iccs" => flip.to_string().to_ascii_uppercase(),
        _ => {
            let script = if notation == "chinese" { &SIMPLIFIED } else { &TRADITIONAL };
            let piece = chinese::write_piece(script, side, kind, place.which(chinese::name_crowded));
            let face = script.pieces[side.index()][flip.to.kind().index()];
            format!("{piece}翻{face}")
        }
    })
}

/// The legal ply that `text` means in `notation`; `flips` are the legal ones.
pub(super) fn read(
    board: &xiangqi::Position,
    side: Side,
    flips: &[Flip],
    text: &str,
    notation: &str,
) -> Result<Ply, Reject> {
    let refused = || Reject::malformed(format!("{} is no ply in {notation}", quote(text)));
    let text = text.trim();
    if notation == "iccs" {
        return match text.split_once('=') {
            Some(_) => {
                let same = |flip: &Flip| flip.to_string().eq_ignore_ascii_case(text);
                the_one(flips.iter().copied().filter(same), text).map(Ply::Flip)
            }
            None => notation::read(board, text, notation).map(Ply::Move),
        };
    }
    let split = match notation {
        "wxf" => text.split_once('=').filter(|(_, face)| !face.starts_with(|c: char| c.is_ascii_digit())),
        _ => text.split_once(['翻', '变', '變']),
    };
    let Some((piece, face)) = split else {
        return notation::read(board, text, notation).map(Ply::Move);
    };
    let mut letters = face.chars();
    let kind = letters.next().and_then(match notation {
        "wxf" => wxf::kind_of,
        _ => chinese::kind_of,
    });
    let to = kind.and_then(Face::of).filter(|_| letters.next().is_none()).ok_or_else(refused)?;
    let mut letters = piece.chars();
    let (kind, which) = match notation {
        "wxf" => wxf::parse_piece(&mut letters),
        _ => chinese::parse_piece(&mut letters),
    }
    .filter(|_| letters.next().is_none())
    .ok_or_else(refused)?;
    let same = board.kind(kind) & board.of(side);
    let fits = |flip: &Flip| flip.to == to && same.contains(flip.at) && Place::of(side, flip.at, same).is(which);
    the_one(flips.iter().copied().filter(fits), text).map(Ply::Flip)
}
