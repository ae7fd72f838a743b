//! The position with all its faces: xiangqi's, the dark faces under it, and the rights spent.

use super::faces::Face;
use crate::xiangqi;
use std::fmt;
use xinqi_boards::xiangqi::{Point, PointSet, Side, zobrist};

/// A ply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ply {
    /// A move by the upper face.
    Move(xiangqi::Move),
    /// A two-faced piece is turned over where it stands.
    Flip(Flip),
}

/// A piece turned over (翻).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Flip {
    /// Where it stands.
    pub at: Point,
    /// The face that comes up.
    pub to: Face,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::Move(mv) => mv.fmt(f),
            Ply::Flip(flip) => flip.fmt(f),
        }
    }
}

impl fmt::Display for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.at, self.to.letter())
    }
}

/// What limits flips, as the options settle it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rights a side has.
    pub rights: u8,
    /// Rights that a flip to rook costs; any other costs 1.
    pub rook_cost: u8,
    /// Flips to rook a side has.
    pub rook_flips: u8,
    /// Which upper faces may be flipped, by face.
    pub from: [bool; 3],
    /// Which faces may be turned up, by face.
    pub to: [bool; 3],
}

/// What a side has spent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Spent {
    /// Rights.
    pub rights: u8,
    /// Flips to rook.
    pub rook_flips: u8,
}

impl Limits {
    /// What a flip to `face` costs.
    #[inline]
    #[must_use]
    pub const fn cost(&self, face: Face) -> u8 {
        match face {
            Face::Rook => self.rook_cost,
            Face::Horse | Face::Cannon => 1,
        }
    }

    /// Whether a side that has spent so much may still turn up `face`.
    #[inline]
    #[must_use]
    pub const fn affords(&self, spent: Spent, face: Face) -> bool {
        self.to[face.index()]
            && spent.rights + self.cost(face) <= self.rights
            && (!matches!(face, Face::Rook) || spent.rook_flips < self.rook_flips)
    }

    /// What a side has spent after turning up `face`.
    #[inline]
    #[must_use]
    pub const fn spend(&self, spent: Spent, face: Face) -> Spent {
        Spent {
            rights: spent.rights + self.cost(face),
            rook_flips: spent.rook_flips + matches!(face, Face::Rook) as u8,
        }
    }
}

/// All that decides which plies are legal: dark faces too.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    pub(super) board: xiangqi::Position,
    pub(super) spent: [Spent; 2],
    /// Where a piece hides this face, by face.
    dark: [PointSet; 3],
    dark_key: u64,
}

/// What a ply changed beside the board.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: Option<xinqi_boards::xiangqi::Kind>,
    spent: [Spent; 2],
    dark: [PointSet; 3],
    dark_key: u64,
}

impl Position {
    /// The position of a board and what its two-faced pieces hide.
    pub(super) fn new(
        board: xiangqi::Position,
        spent: [Spent; 2],
        hidden: impl IntoIterator<Item = (Point, Face)>,
    ) -> Position {
        let mut position = Position {
            board,
            spent,
            dark: [PointSet::EMPTY; 3],
            dark_key: 0,
        };
        for (point, face) in hidden {
            if !position.dark[face.index()].contains(point) {
                position.dark[face.index()].insert(point);
                position.dark_key ^= dark_key(face, point);
            }
        }
        position
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.board.side()
    }

    /// The key of all of it.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.board.key() ^ self.dark_key ^ spent_key(self.spent)
    }

    /// The key of what all see.
    pub(super) fn shown_key(&self) -> u64 {
        self.board.key() ^ spent_key(self.spent)
    }

    /// Whether a piece of `side` hides `face`.
    #[inline]
    #[must_use]
    pub fn hides(&self, side: Side, face: Face) -> bool {
        self.dark[face.index()].meets(self.board.of(side))
    }

    /// The legal flips.
    pub(super) fn flips(&self, limits: &Limits) -> impl Iterator<Item = Flip> {
        let us = self.side();
        let own = self.board.of(us);
        let turnable = Face::ALL.map(|to| {
            // "Flip", 1 and 2.
            let shown = self.board.kind(to.kind()) & own;
            match !shown.is_many() && limits.affords(self.spent[us.index()], to) {
                true => self.dark[to.index()] & own,
                false => PointSet::EMPTY,
            }
        });
        // 3: a flip answers no check. Most often there is nothing to turn, and no need to look.
        let any = turnable.iter().any(|points| !points.is_empty()) && !self.board.in_check();
        let may_turn = move |at: Point| {
            let upper = self.board.kind_at(at).and_then(Face::of);
            upper.is_some_and(|face| limits.from[face.index()])
        };
        let all = Face::ALL.into_iter().zip(turnable).filter(move |_| any);
        all.flat_map(move |(to, points)| {
            points.into_iter().filter(move |&at| may_turn(at)).map(move |at| Flip { at, to })
        })
    }

    /// Adds the legal plies to `out`.
    pub(super) fn plies(&self, limits: &Limits, out: &mut Vec<Ply>) {
        self.board.for_each_piece(|from, targets| {
            out.extend(targets.into_iter().map(|to| Ply::Move(xiangqi::Move { from, to })));
        });
        out.extend(self.flips(limits).map(Ply::Flip));
    }

    /// How many legal plies there are.
    pub(super) fn count(&self, limits: &Limits) -> u64 {
        self.board.count() + self.flips(limits).count() as u64
    }

    /// Whether there is a legal ply.
    pub(super) fn has_plies(&self, limits: &Limits) -> bool {
        self.board.has_moves() || self.flips(limits).next().is_some()
    }

    /// Plays a legal ply.
    pub(super) fn play(&mut self, ply: Ply, limits: &Limits) -> Undo {
        let mut undo = Undo {
            captured: None,
            spent: self.spent,
            dark: self.dark,
            dark_key: self.dark_key,
        };
        match ply {
            Ply::Move(mv) => {
                undo.captured = self.board.play(mv);
                let (from, to) = (PointSet::of(mv.from), PointSet::of(mv.to));
                for face in Face::ALL {
                    let dark = &mut self.dark[face.index()];
                    if dark.meets(to) {
                        *dark -= to;
                        self.dark_key ^= dark_key(face, mv.to);
                    }
                }
                for face in Face::ALL {
                    let dark = &mut self.dark[face.index()];
                    if dark.meets(from) {
                        *dark ^= from | to;
                        self.dark_key ^= dark_key(face, mv.from) ^ dark_key(face, mv.to);
                    }
                }
            }
            Ply::Flip(Flip { at, to }) => {
                let us = self.side().index();
                let upper = self.board.turn_up(at, to.kind()).and_then(Face::of);
                let upper = upper.expect("a two-faced piece is turned");
                for face in Face::ALL {
                    let dark = &mut self.dark[face.index()];
                    if dark.contains(at) != (face == upper) {
                        *dark ^= PointSet::of(at);
                        self.dark_key ^= dark_key(face, at);
                    }
                }
                self.spent[us] = limits.spend(self.spent[us], to);
            }
        }
        undo
    }

    /// Gives the turn to the other side; its own inverse.
    pub(super) fn pass(&mut self) -> Undo {
        self.board.pass();
        Undo {
            captured: None,
            spent: self.spent,
            dark: self.dark,
            dark_key: self.dark_key,
        }
    }

    /// Takes back the ply just played.
    pub(super) fn unplay(&mut self, ply: Ply, undo: Undo) {
        match ply {
            Ply::Move(mv) => self.board.unplay(mv, undo.captured),
            Ply::Flip(Flip { at, to }) => {
                // What lies dark now was up before.
                let hides = |face: &Face| self.dark[face.index()].contains(at);
                let upper = Face::ALL.into_iter().find(hides).unwrap_or(to);
                self.board.turn_up(at, upper.kind());
            }
        }
        self.spent = undo.spent;
        self.dark = undo.dark;
        self.dark_key = undo.dark_key;
    }
}

/// The key of what both sides have spent.
pub(super) fn spent_key(spent: [Spent; 2]) -> u64 {
    let [red, black] = spent.map(|s| u64::from(s.rights) << 8 | u64::from(s.rook_flips));
    zobrist::mix(0x59e7_0000_0000 | red << 16 | black)
}

#[inline]
fn dark_key(face: Face, point: Point) -> u64 {
    DARK[face.index()][point.index()]
}

static DARK: [[u64; Point::COUNT]; 3] = {
    let mut table = [[0; Point::COUNT]; 3];
    let mut i = 0;
    while i < 3 * Point::COUNT {
        table[i / Point::COUNT][i % Point::COUNT] = zobrist::mix(0xda4c_0000 + i as u64);
        i += 1;
    }
    table
};
