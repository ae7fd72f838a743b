//! A game in progress: what all know, and the dark faces apart from it.

use super::faces::{Face, Seen, completions, possible};
use super::position::{Ply, Position, Spent};
use crate::repetition::History;
use crate::xiangqi;

use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use xinqi_boards::xiangqi::{Point, Side, zobrist};
use xinqi_kernel::{Outcome, Seat, Viewer};

/// A game in progress. The dark faces are the only secret in it.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) open: Open,
    /// Each side's dark faces in the order of its pieces; `None` until its layout is in.
    pub(super) dark: [Option<Vec<Face>>; 2],
    /// Further faces that pieces, by side and place, are taken to hide in search; none at a table.
    pub(super) doubts: Vec<(Side, usize, Face)>,
}

/// What all know.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) board: xiangqi::Position,
    pub(super) spent: [Spent; 2],
    /// Each side's two-faced pieces, captured ones included.
    pub(super) pieces: [Vec<Piece>; 2],
    /// Which layouts are in.
    pub(super) laid: [bool; 2],
    pub(super) captureless: u32,
    pub(super) number: u32,
    pub(super) ply: u32,
    pub(super) history: History,
    /// The like for search, which does not tell pieces of one kind apart.
    pub(super) shown: History,
    pub(super) last: Option<Ply>,
    pub(super) outcome: Option<Outcome>,
    /// How often a dark face was told or turned up.
    pub(super) disclosures: u32,
}

/// A two-faced piece as all see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it started: its name in repetitions.
    pub(super) start: Point,
    /// Where it stands; `None` once captured.
    pub(super) at: Option<Point>,
    /// The face that is up, or was when it was captured.
    pub(super) upper: Face,
    /// Whether it was ever turned over.
    pub(super) flipped: bool,
    pub(super) known: Known,
    /// How often its owner could have turned it to a face, had it hidden that one, and played something else: by face.
    /// All can count that.
    pub(super) declined: [u8; 3],
}

/// Who knows a dark face besides its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Known {
    /// Nobody.
    Owner,
    /// The other side, which captured the piece.
    Capturer,
    /// Everybody can tell, though nobody was told: a commitment worked or failed for this reason alone.
    Deduced,
    /// Everybody was told.
    All,
}

/// How often a side that could turn up a rook plays something else.
const LEAVES_ROOK: f64 = 0.8;
/// The like for a horse or cannon.
const LEAVES_OTHER: f64 = 0.95;
/// Odds below which a dark face is not reckoned with.
const UNLIKELY: f64 = 0.1;

/// What one viewer may know of a game, typed.
#[derive(Clone, Debug)]
pub struct Knowledge {
    open: Open,
    /// Each side's dark faces as far as the viewer knows them.
    dark: [Option<Vec<Option<Face>>>; 2],
}

impl Open {
    /// The piece of `side` that stands on `point`, by its place.
    pub(super) fn piece_at(&self, side: Side, point: Point) -> Option<usize> {
        self.pieces[side.index()].iter().position(|piece| piece.at == Some(point))
    }

    /// Whether the layouts are in and plies are played.
    pub(super) fn is_laid(&self) -> bool {
        self.laid == [true; 2]
    }

    /// What search compares: upper faces and rights.
    pub(super) fn shown_key(&self) -> u64 {
        self.board.key() ^ super::position::spent_key(self.spent)
    }

    /// What a repetition compares: upper faces, rights, and which physical piece stands where.
    pub(super) fn key(&self) -> u64 {
        let standing = self.pieces.iter().flatten().filter_map(|piece| Some((piece.start, piece.at?)));
        standing.fold(self.shown_key(), |key, (start, at)| {
            key ^ zobrist::mix(0x9071_0000 | (start.index() as u64) << 8 | at.index() as u64)
        })
    }
}

impl State {
    /// The position with all its faces; `usual` stands in for a layout that is not in yet.
    pub(super) fn position(&self, usual: &[Face]) -> Position {
        let open = &self.open;
        let hidden = open.pieces.iter().zip(&self.dark).flat_map(|(pieces, dark)| {
            let dark = dark.as_deref().unwrap_or(usual);
            pieces.iter().zip(dark).filter_map(|(piece, &face)| Some((piece.at?, face)))
        });
        let doubts = self.doubts.iter().filter_map(|&(side, place, face)| {
            let piece = &open.pieces[side.index()][place];
            Some((piece.at.filter(|_| !piece.flipped)?, face))
        });
        Position::new(open.board.clone(), open.spent, hidden.chain(doubts))
    }

    /// The dark face of a piece where `viewer` was told it.
    pub(super) fn told(&self, viewer: Viewer, side: Side, place: usize) -> Option<Face> {
        let face = *self.dark[side.index()].as_ref()?.get(place)?;
        if self.open.outcome.is_some() {
            return Some(face);
        }
        let owner = Seat::from(side);
        let known = self.open.pieces[side.index()][place].known;
        let told = self.open.is_laid()
            && match viewer {
                Viewer::Truth => true,
                Viewer::Seat(seat) if seat == owner => true,
                Viewer::Seat(_) => matches!(known, Known::Capturer | Known::All),
                Viewer::Spectator => known == Known::All,
            };
        told.then_some(face)
    }

    /// The dark face of a piece where `viewer` was told it or all can tell.
    fn seen(&self, viewer: Viewer, side: Side, place: usize) -> Option<Face> {
        self.told(viewer, side, place).or_else(|| {
            let deduced = self.open.pieces[side.index()][place].known == Known::Deduced;
            self.dark[side.index()].as_ref().filter(|_| deduced).map(|dark| dark[place])
        })
    }

    /// What the pieces of `side` may hide as far as `viewer` knows, for those on the board.
    pub(super) fn possible(&self, viewer: Viewer, side: Side) -> BTreeMap<String, Vec<char>> {
        let pieces = &self.open.pieces[side.index()];
        let seen: Vec<Seen> =
            pieces.iter().enumerate().map(|(place, piece)| (piece.upper, self.seen(viewer, side, place))).collect();
        let letters = |flags: [bool; 3]| {
            let faces = Face::ALL.into_iter().filter(|face| flags[face.index()]);
            faces.map(Face::letter).collect::<Vec<_>>()
        };
        let all = pieces.iter().zip(possible(&seen));
        all.filter_map(|(piece, flags)| Some((piece.at?.to_string(), letters(flags)))).collect()
    }

    /// What `viewer` may know.
    pub(super) fn knowledge(&self, viewer: Viewer) -> Knowledge {
        let dark = Side::BOTH.map(|side| {
            let own = viewer == Viewer::Seat(side.into()) || viewer == Viewer::Truth;
            self.dark[side.index()].as_ref().map(|dark| {
                let seen = |place| if own { Some(dark[place]) } else { self.seen(viewer, side, place) };
                (0..dark.len()).map(seen).collect()
            })
        });
        Knowledge {
            open: self.open.clone(),
            dark,
        }
    }
}

impl Knowledge {
    /// Every way in which `side`'s pieces may hide their faces, the likeliest first, and its odds as play so far makes
    /// them: who often leaves a flip undone has probably none to do. That weighs only where some pieces could have been
    /// turned and others not, by `from` or because what was captured stays secret; else all ways explain it alike, since
    /// they hide as many of each face.
    pub(super) fn beliefs(&self, side: Side) -> Vec<(f64, Vec<Face>)> {
        let pieces = &self.open.pieces[side.index()];
        let weighed = |dark: Vec<Face>| {
            let odds = pieces.iter().zip(&dark).map(|(piece, &face)| {
                let declined = i32::from(piece.declined[face.index()]);
                match face {
                    Face::Rook => LEAVES_ROOK.powi(declined),
                    Face::Horse | Face::Cannon => LEAVES_OTHER.powi(declined),
                }
            });
            (odds.product::<f64>(), dark)
        };
        let mut all: Vec<_> = completions(&self.seen(side)).map(weighed).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let sum: f64 = all.iter().map(|(odds, _)| odds).sum();
        all.iter_mut().for_each(|(odds, _)| *odds /= sum);
        all
    }

    /// The state to think in for a seat that knows the dark faces of all but `enemy`: there each piece hides whatever it
    /// may, unless that is hardly likely any more.
    pub(super) fn sight(&self, enemy: Side) -> State {
        let all = self.beliefs(enemy);
        let mut doubts = Vec::new();
        for place in 0..self.open.pieces[enemy.index()].len() {
            for face in Face::ALL {
                let hiding = all.iter().filter(|(_, dark)| dark[place] == face);
                if hiding.map(|(odds, _)| odds).sum::<f64>() > UNLIKELY {
                    doubts.push((enemy, place, face));
                }
            }
        }
        let own = self.dark[enemy.other().index()].as_ref();
        let mut dark = [own.and_then(|dark| dark.iter().copied().collect()), None];
        dark.swap(0, enemy.other().index());
        dark[enemy.index()] = all.into_iter().next().map(|(_, dark)| dark);
        State { open: self.open.clone(), dark, doubts }
    }

    /// What is known of `side`'s pieces.
    fn seen(&self, side: Side) -> Vec<Seen> {
        let pieces = self.open.pieces[side.index()].iter();
        match &self.dark[side.index()] {
            Some(dark) => pieces.zip(dark).map(|(piece, &face)| (piece.upper, face)).collect(),
            None => pieces.map(|piece| (piece.upper, None)).collect(),
        }
    }

    /// A state that fits: dark faces dealt among all that are possible. `playable` tells whether the side to move has
    /// a legal ply, as it must while the game goes on.
    pub(super) fn deal(&self, rng: &mut ChaCha8Rng, playable: impl Fn(&State) -> bool) -> State {
        let mut state = State {
            open: self.open.clone(),
            dark: [None, None],
            doubts: Vec::new(),
        };
        let mover = self.open.board.side();
        // The mover last, so that its faces are tried with all else in place.
        for side in [mover.other(), mover] {
            if self.dark[side.index()].is_none() {
                continue;
            }
            let mut all: Vec<_> = completions(&self.seen(side)).collect();
            if side == mover && self.open.is_laid() && self.open.outcome.is_none() && !self.open.board.has_moves() {
                all.retain(|dark| {
                    state.dark[side.index()] = Some(dark.clone());
                    playable(&state)
                });
            }
            state.dark[side.index()] = all.choose(rng).cloned();
        }
        state
    }
}
