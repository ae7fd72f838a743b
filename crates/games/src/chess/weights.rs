//! The numbers of the evaluation, by name.

use crate::tapered::Tapered;
use cozy_chess::Piece;

/// What a position is judged by; pairs are for the middle game and the endgame.
#[derive(Clone, Default, Debug)]
pub struct Weights {
    /// What a piece is worth anywhere.
    pub(super) material: [Tapered; Piece::NUM],
    /// What it is worth more or less by its rank, from its side's first, and by its file, from the edge to the middle.
    pub(super) standing: [[[Tapered; FILES]; 8]; Piece::NUM],
    /// What a piece gains by the squares that it can go to.
    pub(super) mobility: [[Tapered; MOST_REACH + 1]; Piece::NUM],
    /// How much a piece that reaches a square beside the enemy king adds to the danger there.
    pub(super) menace: [i32; Piece::NUM],
    pub(super) bishop_pair: Tapered,
    /// A rook on a file with no pawn, and with no own pawn.
    pub(super) open_file: Tapered,
    pub(super) half_open_file: Tapered,
    pub(super) isolated: Tapered,
    pub(super) doubled: Tapered,
    /// A passed pawn by its rank.
    pub(super) passed: [Tapered; 8],
    /// A pawn before its king, one rank ahead or two.
    pub(super) shelter: [Tapered; 2],
    /// To have the move.
    pub(super) tempo: i32,
}

/// Files from the edge to the middle.
pub(super) const FILES: usize = 4;

/// The most squares that a piece can go to.
const MOST_REACH: usize = 27;

/// Pieces whose reach counts, and how far it can be.
const MOBILE: [(Piece, usize); 4] = [
    (Piece::Knight, 8),
    (Piece::Bishop, 13),
    (Piece::Rook, 14),
    (Piece::Queen, MOST_REACH),
];

const fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

impl xinqi_kernel::Weights for Weights {
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
        for piece in &Piece::ALL[..Piece::King as usize] {
            line(&format!("material.{}", name(*piece)), self.material[*piece as usize].both());
        }
        for piece in Piece::ALL {
            let ranks = if piece == Piece::Pawn { 1..7 } else { 0..8 };
            for rank in ranks {
                let row = &mut self.standing[piece as usize][rank];
                line(&format!("standing.{}.{rank}", name(piece)), Tapered::all(row));
            }
        }
        for (piece, most) in MOBILE {
            let row = &mut self.mobility[piece as usize][..=most];
            line(&format!("mobility.{}", name(piece)), Tapered::all(row));
        }
        for (piece, _) in MOBILE {
            line(&format!("menace.{}", name(piece)), vec![&mut self.menace[piece as usize]]);
        }
        for (name, value) in [
            ("bishop-pair", &mut self.bishop_pair),
            ("open-file", &mut self.open_file),
            ("half-open-file", &mut self.half_open_file),
            ("isolated", &mut self.isolated),
            ("doubled", &mut self.doubled),
        ] {
            line(name, value.both());
        }
        line("passed", Tapered::all(&mut self.passed[1..7]));
        line("shelter", Tapered::all(&mut self.shelter));
        line("tempo", vec![&mut self.tempo]);
    }
}
