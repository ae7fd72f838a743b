//! Plies as people say them: Chinese, WXF, ICCS (docs/notation.md).
//!
//! A reader takes a text apart into [`Spoken`] and asks which legal plies fit; a writer puts one together. Both stand on
//! points and sets alone, so that the rest of the family can add its own endings.

pub(crate) mod chinese;
pub(crate) mod wxf;

use super::{Move, Position};
use xinqi_boards::xiangqi::fen::quote;
use xinqi_boards::xiangqi::{Kind, Point, PointSet, Side};
use xinqi_kernel::Reject;

/// The notations by name.
pub(crate) const NAMES: &[&str] = &["chinese", "chinese-trad", "wxf", "iccs"];

/// A ply as it is said: which piece, and how it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spoken {
    /// What moves; a writing that leaves it out means a pawn.
    pub(crate) kind: Kind,
    /// Which of its kind.
    pub(crate) which: Which,
    /// Which way it goes.
    pub(crate) way: Way,
    /// Steps along its file, else the file where it arrives, from the mover's right.
    pub(crate) number: usize,
}

/// Which piece of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// The one on this file, counted from the mover's right.
    File(usize),
    /// The foremost of a file that holds several.
    Front,
    /// One between the foremost and the rearmost.
    Middle,
    /// The rearmost of a file that holds several.
    Rear,
    /// Of all that share a file with another: by file from the right, then from the front.
    Nth(usize),
    /// The place from the front on this file.
    NthOn(usize, usize),
}

/// Which way a ply goes, as its side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// 进, `+`
    Advance,
    /// 退, `-`
    Retreat,
    /// 平, `.`
    Traverse,
}

impl Spoken {
    /// How a ply is said; `same` are the points where the mover has pieces of that kind, and `crowded` names one of
    /// several on a file.
    pub(crate) fn of(
        kind: Kind,
        side: Side,
        mv: Move,
        same: PointSet,
        crowded: impl Fn(&Place) -> Which,
    ) -> Spoken {
        let place = Place::of(side, mv.from, same);
        let (way, number) = reckon(side, mv);
        Spoken {
            kind,
            which: match kind {
                // Two of one file cannot go the same way.
                Kind::Advisor | Kind::Elephant => Which::File(place.file),
                _ => place.which(crowded),
            },
            way,
            number,
        }
    }

    /// Whether the ply can be meant.
    pub(crate) fn fits(&self, kind: Kind, side: Side, mv: Move, same: PointSet) -> bool {
        kind == self.kind
            && (self.way, self.number) == reckon(side, mv)
            && Place::of(side, mv.from, same).is(self.which)
    }
}

/// Where a piece stands among those of its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Its file from the mover's right, from 1.
    file: usize,
    /// How many stand on its file, itself included.
    on_file: usize,
    /// Which of these it is from the front, from 1.
    nth: usize,
    /// How many files hold several.
    crowded_files: usize,
    /// Its number among all on such files, by file from the right and from the front.
    overall: usize,
}

impl Place {
    /// Its name: by its file where it is alone there; `crowded` names one of several.
    pub(crate) fn which(&self, crowded: impl Fn(&Place) -> Which) -> Which {
        if self.on_file == 1 { Which::File(self.file) } else { crowded(self) }
    }

    /// Whether `which` can mean it.
    pub(crate) fn is(&self, which: Which) -> bool {
        let crowded = self.on_file > 1;
        match which {
            Which::File(file) => file == self.file,
            Which::Front => crowded && self.nth == 1,
            Which::Middle => crowded && self.nth > 1 && self.nth < self.on_file,
            Which::Rear => crowded && self.nth == self.on_file,
            Which::Nth(n) => crowded && n == self.overall,
            Which::NthOn(n, file) => crowded && (n, file) == (self.nth, self.file),
        }
    }

    /// The place of the piece on `point` among those on `same`.
    pub(crate) fn of(side: Side, point: Point, same: PointSet) -> Place {
        // Turned so that the mover's right file and front come first.
        let seen = |p: Point| match side {
            Side::Red => (Point::FILES - p.file(), Point::RANKS - p.rank()),
            Side::Black => (p.file() + 1, p.rank() + 1),
        };
        let (file, depth) = seen(point);
        let on = |number: usize| same.into_iter().map(seen).filter(move |p| p.0 == number);
        let crowded = |number: &usize| on(*number).count() > 1;
        let nth = on(file).filter(|p| p.1 <= depth).count();
        let before: usize = (1..file).filter(crowded).map(|number| on(number).count()).sum();
        Place {
            file,
            on_file: on(file).count(),
            nth,
            crowded_files: (1..=Point::FILES).filter(crowded).count(),
            overall: before + nth,
        }
    }
}

/// The file from the mover's right, from 1.
pub(crate) fn file_number(side: Side, point: Point) -> usize {
    match side {
        Side::Red => Point::FILES - point.file(),
        Side::Black => point.file() + 1,
    }
}

fn reckon(side: Side, Move { from, to }: Move) -> (Way, usize) {
    let upwards = to.rank() > from.rank();
    let way = match (from.rank() == to.rank(), upwards == (side == Side::Red)) {
        (true, _) => Way::Traverse,
        (false, true) => Way::Advance,
        (false, false) => Way::Retreat,
    };
    let number = match from.file() == to.file() {
        true => from.rank().abs_diff(to.rank()),
        false => file_number(side, to),
    };
    (way, number)
}

/// The legal ply in `notation`.
pub(crate) fn write(position: &Position, mv: Move, notation: &str) -> Option<String> {
    let side = position.side();
    let kind = position.kind_at(mv.from)?;
    let same = position.kind(kind) & position.of(side);
    let spoken = |crowded: fn(&Place) -> Which| Spoken::of(kind, side, mv, same, crowded);
    Some(match notation {
        "chinese" => chinese::write(&chinese::SIMPLIFIED, side, spoken(chinese::name_crowded)),
        "chinese-trad" => chinese::write(&chinese::TRADITIONAL, side, spoken(chinese::name_crowded)),
        "wxf" => wxf::write(spoken(wxf::name_crowded)),
        "iccs" => format!("{}-{}", mv.from, mv.to).to_ascii_uppercase(),
        _ => return None,
    })
}

/// The legal ply that `text` means in `notation`.
pub(crate) fn read(position: &Position, text: &str, notation: &str) -> Result<Move, Reject> {
    let refused = || Reject::malformed(format!("{} is no ply in {notation}", quote(text)));
    if notation == "iccs" {
        return read_iccs(position, text).ok_or_else(refused)?;
    }
    let (spoken, rest) = match notation {
        "chinese" | "chinese-trad" => chinese::parse(text),
        "wxf" => wxf::parse(text),
        _ => None,
    }
    .ok_or_else(refused)?;
    if !rest.is_empty() {
        return Err(refused());
    }
    let side = position.side();
    let same = position.kind(spoken.kind) & position.of(side);
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let fits = |mv: &Move| same.contains(mv.from) && spoken.fits(spoken.kind, side, *mv, same);
    the_one(moves.into_iter().filter(fits), text)
}

/// The only ply of those that a text fits.
pub(crate) fn the_one<M>(mut plies: impl Iterator<Item = M>, text: &str) -> Result<M, Reject> {
    match (plies.next(), plies.next()) {
        (Some(ply), None) => Ok(ply),
        (None, _) => Err(Reject::illegal(format!("{} fits no legal ply", quote(text)))),
        _ => Err(Reject::illegal(format!("{} fits more than one legal ply", quote(text)))),
    }
}

/// ICCS: `H2-E2`, in either case, with the hyphen or without; `None` where it does not parse.
fn read_iccs(position: &Position, text: &str) -> Option<Result<Move, Reject>> {
    let (from, to) = match text.split_once('-') {
        Some(pair) => pair,
        None => text.split_at_checked(2)?,
    };
    let point = |text: &str| text.to_ascii_lowercase().parse().ok();
    let mv = Move {
        from: point(from)?,
        to: point(to)?,
    };
    let legal = position.is_legal(mv);
    Some(the_one(legal.then_some(mv).into_iter(), text))
}
