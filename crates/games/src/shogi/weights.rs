//! The numbers of the evaluation, by name.

use super::moves::HAND;
use haitaka::Piece;

/// What a position is judged by.
#[derive(Clone, Default, Debug)]
pub struct Weights {
    /// What a piece is worth on the board, and in hand, where it can go anywhere.
    pub(super) on_board: [i32; Piece::NUM],
    pub(super) in_hand: [i32; Piece::NUM],
    /// What the first of its kind in hand is worth more.
    pub(super) first_in_hand: [i32; Piece::NUM],
    /// What it is worth more by its distance from the enemy king, and from its own.
    pub(super) attack: [[i32; DISTANCES]; Piece::NUM],
    pub(super) defence: [[i32; NEAR]; Piece::NUM],
    /// A pawn by the ranks that it has gone.
    pub(super) advance: [i32; 9],
    /// A king by its distance from the middle file, and by the ranks that it has gone.
    pub(super) aside: [i32; 5],
    pub(super) gone: [i32; 9],
    /// The pieces close to the enemy king, by the square of their number.
    pub(super) siege: i32,
    /// Each of them with each piece in hand to drop beside it.
    pub(super) ready: i32,
    /// Each piece that guards that king.
    pub(super) guard: i32,
    /// The squares one, two and three steps from the enemy king that are attacked, and attacked twice; and from the own.
    pub(super) pressure: [[i32; 2]; REACHED],
    pub(super) cover: [[i32; 2]; REACHED],
    /// The squares beside the enemy king that are attacked and that none but the king guards, by their number, and each of
    /// them with each piece in hand to drop there.
    pub(super) weak: [i32; 9],
    pub(super) drop: i32,
    /// The squares that the enemy king can step to, by their number.
    pub(super) flight: [i32; 9],
    /// The squares where a rook or a bishop could promote unchallenged, by their number.
    pub(super) breach: [i32; BREACHES + 1],
    /// What a piece that slides gains by the squares that it can go to.
    pub(super) mobility: [[i32; MOST_REACH + 1]; Piece::NUM],
    /// A piece attacked and not guarded, its side being to move.
    pub(super) hanging: [i32; Piece::NUM],
    /// To have the move.
    pub(super) tempo: i32,
}

/// Steps of a king between two squares, at most, and those at which guarding matters.
const DISTANCES: usize = 9;
const NEAR: usize = 3;
/// Steps from a king within which attacked squares count.
pub(super) const REACHED: usize = 3;

/// More squares to promote on count no more.
pub(super) const BREACHES: usize = 4;

/// The most squares that a piece can go to.
const MOST_REACH: usize = 20;
/// Pieces that slide, and how far they can reach.
const SLIDING: [(Piece, usize); 5] = [
    (Piece::Lance, 8),
    (Piece::Bishop, 16),
    (Piece::Rook, 16),
    (Piece::PBishop, MOST_REACH),
    (Piece::PRook, MOST_REACH),
];

const fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Lance => "lance",
        Piece::Knight => "knight",
        Piece::Silver => "silver",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Gold => "gold",
        Piece::King => "king",
        Piece::Tokin => "tokin",
        Piece::PLance => "promoted-lance",
        Piece::PKnight => "promoted-knight",
        Piece::PSilver => "promoted-silver",
        Piece::PBishop => "horse",
        Piece::PRook => "dragon",
    }
}

impl xinqi_kernel::Weights for Weights {
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
        let pieces = || Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
        for piece in pieces() {
            line(&format!("board.{}", name(piece)), vec![&mut self.on_board[piece as usize]]);
        }
        for piece in HAND.into_iter().rev() {
            line(&format!("hand.{}", name(piece)), vec![&mut self.in_hand[piece as usize]]);
        }
        for piece in HAND.into_iter().rev() {
            line(&format!("first.{}", name(piece)), vec![&mut self.first_in_hand[piece as usize]]);
        }
        for piece in pieces() {
            let row = &mut self.attack[piece as usize][1..];
            line(&format!("attack.{}", name(piece)), row.iter_mut().collect());
        }
        for piece in pieces() {
            let row = &mut self.defence[piece as usize][1..];
            line(&format!("defence.{}", name(piece)), row.iter_mut().collect());
        }
        line("advance.pawn", self.advance.iter_mut().collect());
        line("aside.king", self.aside.iter_mut().collect());
        line("advance.king", self.gone.iter_mut().collect());
        line("siege", vec![&mut self.siege]);
        line("ready", vec![&mut self.ready]);
        line("guard", vec![&mut self.guard]);
        line("pressure", self.pressure.iter_mut().flatten().collect());
        line("cover", self.cover.iter_mut().flatten().collect());
        line("weak", self.weak.iter_mut().collect());
        line("drop", vec![&mut self.drop]);
        line("flight", self.flight.iter_mut().collect());
        line("breach", self.breach.iter_mut().collect());
        for (piece, most) in SLIDING {
            let row = &mut self.mobility[piece as usize][..=most];
            line(&format!("mobility.{}", name(piece)), row.iter_mut().collect());
        }
        for piece in pieces() {
            line(&format!("hanging.{}", name(piece)), vec![&mut self.hanging[piece as usize]]);
        }
        line("tempo", vec![&mut self.tempo]);
    }
}
