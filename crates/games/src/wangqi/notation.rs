//! Plies as people say them: xiangqi's, with 换 or `x` after a swap and 王 or `+` after a taken token
//! (docs/notation.md).

use super::position::{Effect, Move, Position};
use crate::xiangqi;
use crate::xiangqi::notation::chinese::{self, SIMPLIFIED, TRADITIONAL};
use crate::xiangqi::notation::{Spoken, the_one, wxf};
use xinqi_boards::xiangqi::fen::quote;
use xinqi_kernel::Reject;

/// The notations by name.
pub(super) const NAMES: &[&str] = &["chinese", "chinese-trad", "wxf"];

/// The marks of a swap and of the token taken.
struct Marks {
    swap: &'static str,
    token: &'static str,
}

fn marks(notation: &str) -> Option<Marks> {
    let marks = |swap, token| Some(Marks { swap, token });
    match notation {
        "chinese" => marks("换", "王"),
        "chinese-trad" => marks("換", "王"),
        "wxf" => marks("x", "+"),
        _ => None,
    }
}

/// The legal ply in `notation`.
pub(super) fn write(position: &Position, mv: Move, notation: &str) -> Option<String> {
    let marks = marks(notation)?;
    let (side, kind) = (position.side(), position.at(mv.from)?.kind);
    let way = xiangqi::Move { from: mv.from, to: mv.to };
    let same = position.of(side, kind);
    let mut text = match notation {
        "wxf" => wxf::write(Spoken::of(kind, side, way, same, wxf::name_crowded)),
        _ => {
            let script = if notation == "chinese" { &SIMPLIFIED } else { &TRADITIONAL };
            chinese::write(script, side, Spoken::of(kind, side, way, same, chinese::name_crowded))
        }
    };
    if position.effect(mv.to) == Effect::Swap {
        text += marks.swap;
    }
    if mv.token {
        text += marks.token;
    }
    Some(text)
}

/// The legal ply that `text` means in `notation`.
pub(super) fn read(position: &Position, text: &str, notation: &str) -> Result<Move, Reject> {
    let refused = || Reject::malformed(format!("{} is no ply in {notation}", quote(text)));
    let (spoken, rest) = match notation {
        "wxf" => wxf::parse(text),
        _ => chinese::parse(text),
    }
    .filter(|_| marks(notation).is_some())
    .ok_or_else(refused)?;
    let after_swap = rest.strip_prefix(['换', '換', 'x', 'X']);
    let (swaps, token) = match after_swap.unwrap_or(rest) {
        "" => (after_swap.is_some(), false),
        "王" | "+" => (after_swap.is_some(), true),
        _ => return Err(refused()),
    };
    let side = position.side();
    let same = position.of(side, spoken.kind);
    let mut plies = Vec::new();
    position.legal(&mut plies);
    let fits = |mv: &Move| {
        let way = xiangqi::Move { from: mv.from, to: mv.to };
        same.contains(mv.from)
            && spoken.fits(spoken.kind, side, way, same)
            && mv.token == token
            && swaps == (position.effect(mv.to) == Effect::Swap)
    };
    the_one(plies.into_iter().filter(fits), text)
}
