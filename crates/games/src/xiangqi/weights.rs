//! The numbers of the evaluation, by name.

use crate::tapered::Tapered;
use xinqi_boards::xiangqi::{Kind, Point};

/// What a board of xiangqi's kind is judged by; pairs are for the middle game and the endgame.
#[derive(Clone, Default, Debug)]
pub struct Weights {
    /// What a piece is worth anywhere.
    pub(crate) material: [Tapered; Kind::COUNT],
    /// What it is worth more or less by its rank, from its side's first, and by its file, from the edge to the middle.
    pub(crate) standing: [[[Tapered; FILES]; Point::RANKS]; Kind::COUNT],
    /// What rooks, horses and cannons gain by the points that they can go to.
    pub(crate) mobility: [[Tapered; MOST_REACH + 1]; Kind::COUNT],
    /// How much a piece that looks into the enemy palace adds to the danger there: by itself, and by point it looks at.
    pub(crate) threat: [[i32; 2]; Kind::COUNT],
    /// How open a palace is: with all guards there, and for each advisor and each elephant that is missing.
    pub(crate) holes: [i32; 3],
    /// What a rook gains by each enemy advisor that is missing, and a cannon by each elephant.
    pub(crate) rook_without_advisor: Tapered,
    pub(crate) cannon_without_elephant: Tapered,
    /// A cannon that faces the enemy king with nothing between: every move to the file before it is a check to come.
    pub(crate) bare_file: Tapered,
    /// A cannon that faces it past two others, of which one may not move.
    pub(crate) pinned_screens: Tapered,
    /// A cannon on the enemy's first rank, from where guards cannot chase it.
    pub(crate) bottom_cannon: Tapered,
    /// A rook on a file with no own pawn.
    pub(crate) open_file: Tapered,
    /// Pawns across the river side by side.
    pub(crate) linked_pawns: Tapered,
    /// To have the move.
    pub(crate) tempo: i32,
}

/// Files from the edge to the middle.
pub(crate) const FILES: usize = 5;

/// The most points that a piece can go to.
pub(crate) const MOST_REACH: usize = 17;

/// Pieces whose reach counts, and how far it can be.
const MOBILE: [(Kind, usize); 3] = [(Kind::Rook, 17), (Kind::Horse, 8), (Kind::Cannon, 17)];

/// Pieces that can be a danger to the palace.
const THREATS: [Kind; 4] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn];

/// Where a piece can stand: ranks from its side's first, and how far from the edge.
const fn places(kind: Kind) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    match kind {
        Kind::King | Kind::Advisor => (0..3, 3..FILES),
        Kind::Elephant => (0..5, 0..FILES),
        Kind::Pawn => (3..Point::RANKS, 0..FILES),
        Kind::Rook | Kind::Horse | Kind::Cannon => (0..Point::RANKS, 0..FILES),
    }
}

impl xinqi_kernel::Weights for Weights {
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
        for kind in &Kind::ALL[1..] {
            line(&format!("material.{}", kind.name()), self.material[kind.index()].both());
        }
        for kind in Kind::ALL {
            let (ranks, files) = places(kind);
            for rank in ranks {
                let row = &mut self.standing[kind.index()][rank][files.clone()];
                line(&format!("standing.{}.{rank}", kind.name()), Tapered::all(row));
            }
        }
        for (kind, most) in MOBILE {
            let row = &mut self.mobility[kind.index()][..=most];
            line(&format!("mobility.{}", kind.name()), Tapered::all(row));
        }
        for kind in THREATS {
            line(&format!("threat.{}", kind.name()), self.threat[kind.index()].iter_mut().collect());
        }
        line("holes", self.holes.iter_mut().collect());
        for (name, value) in [
            ("rook-without-advisor", &mut self.rook_without_advisor),
            ("cannon-without-elephant", &mut self.cannon_without_elephant),
            ("bare-file", &mut self.bare_file),
            ("pinned-screens", &mut self.pinned_screens),
            ("bottom-cannon", &mut self.bottom_cannon),
            ("open-file", &mut self.open_file),
            ("linked-pawns", &mut self.linked_pawns),
        ] {
            line(name, value.both());
        }
        line("tempo", vec![&mut self.tempo]);
    }
}
