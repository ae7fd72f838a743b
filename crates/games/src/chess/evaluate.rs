//! Hand evaluation: material and squares, tapered from middle game to endgame, with mobility, pawns and the safety of
//! kings. The numbers stand in `weights.txt` (docs/tuning.md).

use super::weights::Weights;
use super::{Chess, FIFTY_MOVES, State, captured};
use crate::tapered::Tapered;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use std::sync::{Arc, LazyLock};
use xinqi_engine::exchange_wins;
use xinqi_kernel::{Evaluate, Step, Tunable, Weights as _};

/// What a position is worth by given weights.
#[derive(Debug)]
pub(super) struct Evaluation {
    weights: Weights,
    /// What a piece of White is worth on each square.
    values: [[Tapered; Square::NUM]; Piece::NUM],
}

/// How much of the middle game each piece stands for.
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];
/// What all of them make at the start.
const FULL_PHASE: i32 = 24;
/// No king is in more danger than this.
const MOST_DANGER: i32 = 260;

/// The evaluation by the weights that come with the game.
pub(super) static OWN: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation::new(Weights::complete(include_str!("weights.txt")))));

impl Evaluation {
    fn new(weights: Weights) -> Evaluation {
        let mut values = [[Tapered::default(); Square::NUM]; Piece::NUM];
        for (piece, square) in Piece::ALL.into_iter().flat_map(|piece| Square::ALL.map(|square| (piece, square))) {
            let (file, rank) = (square.file() as usize, square.rank() as usize);
            values[piece as usize][square as usize] =
                weights.material[piece as usize] + weights.standing[piece as usize][rank][file.min(7 - file)];
        }
        Evaluation { weights, values }
    }

    /// What a piece is worth in an exchange.
    fn worth(&self, piece: Piece) -> i32 {
        match piece {
            Piece::King => 10_000,
            piece => self.weights.material[piece as usize].0,
        }
    }

    /// What all that `color` has is worth, and its part of the phase.
    fn value_of(&self, board: &Board, color: Color) -> (Tapered, i32) {
        let weights = &self.weights;
        let (mut value, mut phase) = (Tapered(0, 0), 0);
        let ring = get_king_moves(board.king(!color));
        let (mut danger, mut attackers) = (0, 0);
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                value += self.values[piece as usize][square.relative_to(color) as usize];
                phase += PHASE[piece as usize];
                if matches!(piece, Piece::Pawn | Piece::King) {
                    continue;
                }
                let reach = reach(board, piece, square);
                let free = (reach & !board.colors(color)).len() as usize;
                value += weights.mobility[piece as usize][free];
                if !(reach & ring).is_empty() {
                    danger += weights.menace[piece as usize];
                    attackers += 1;
                }
            }
        }
        if board.colored_pieces(color, Piece::Bishop).len() > 1 {
            value += weights.bishop_pair;
        }
        if attackers > 1 {
            value += Tapered((danger * danger / 2).min(MOST_DANGER), danger);
        }
        value += self.shelter(board, color);
        for rook in board.colored_pieces(color, Piece::Rook) {
            let pawns = rook.file().bitboard() & board.pieces(Piece::Pawn);
            match ((pawns & board.colors(color)).is_empty(), pawns.is_empty()) {
                (_, true) => value += weights.open_file,
                (true, false) => value += weights.half_open_file,
                _ => {}
            }
        }
        let pawns = board.colored_pieces(color, Piece::Pawn);
        for square in pawns {
            if (pawns & square.file().adjacent()).is_empty() {
                value += weights.isolated;
            }
            if (pawns & square.file().bitboard()).len() > 1 {
                value += weights.doubled;
            }
            if is_passed(board, color, square) {
                value += weights.passed[square.relative_to(color).rank() as usize];
            }
        }
        (value, phase)
    }

    /// The pawns before a king.
    fn shelter(&self, board: &Board, color: Color) -> Tapered {
        let king = board.king(color);
        let files = king.file().bitboard() | king.file().adjacent();
        let pawns = board.colored_pieces(color, Piece::Pawn) & files;
        let rank = king.relative_to(color).rank() as usize;
        let mut value = Tapered(0, 0);
        for (ahead, worth) in (rank + 1..).zip(self.weights.shelter) {
            let Some(rank) = Rank::try_index(ahead) else { break };
            value += (pawns & rank.relative_to(color).bitboard()).len() as i32 * worth;
        }
        value
    }
}

impl Evaluate for Chess {
    const TRACES: usize = Piece::NUM * Square::NUM;

    fn evaluate(&self, board: &Board) -> i32 {
        let us = board.side_to_move();
        let (own, own_phase) = self.evaluation.value_of(board, us);
        let (theirs, their_phase) = self.evaluation.value_of(board, !us);
        let phase = (own_phase + their_phase).min(FULL_PHASE);
        (own - theirs).at(phase, FULL_PHASE) + self.evaluation.weights.tempo
    }

    fn promise(&self, board: &Board, mv: Move) -> i32 {
        let Some(mover) = board.piece_on(mv.from) else { return 0 };
        let color = board.side_to_move();
        let promotion = mv.promotion.map_or(0, |piece| self.evaluation.worth(piece));
        match captured(board, mv) {
            Some(victim) => {
                1000 + 16 * self.evaluation.worth(victim) - self.evaluation.worth(mover).min(1_000) / 16 + promotion
            }
            None if promotion > 0 => promotion,
            None => {
                let values = &self.evaluation.values[mover as usize];
                let value = |square: Square| values[square.relative_to(color) as usize].0;
                value(mv.to) - value(mv.from)
            }
        }
    }

    fn is_tactical(&self, board: &Board, mv: Move) -> bool {
        mv.promotion == Some(Piece::Queen) || captured(board, mv).is_some()
    }

    fn code(&self, mv: Move) -> u32 {
        let promotion = mv.promotion.map_or(0, |piece| 1 + piece as u32);
        1 + (promotion << 12 | (mv.from as u32) << 6 | mv.to as u32)
    }

    fn trace(&self, board: &Board, mv: Move) -> usize {
        let piece = board.piece_on(mv.from).map_or(0, |piece| piece as usize);
        piece * Square::NUM + mv.to as usize
    }

    fn gain(&self, board: &Board, mv: Move) -> i32 {
        let material = &self.evaluation.weights.material;
        let worth = |piece: Piece| material[piece as usize].0.max(material[piece as usize].1);
        captured(board, mv).map_or(0, worth) + mv.promotion.map_or(0, worth)
    }

    fn exchange_wins(&self, board: &Board, mv: Move, least: i32) -> bool {
        let worth = |piece: Piece| self.evaluation.worth(piece);
        let Some(mover) = board.piece_on(mv.from) else { return true };
        let mut occupied = board.occupied() & !mv.from.bitboard() | mv.to.bitboard();
        let mut side = board.side_to_move();
        let taken = captured(board, mv).map_or(0, worth);
        exchange_wins(taken, worth(mover), least, || {
            side = !side;
            let own = attackers(board, mv.to, occupied) & board.colors(side);
            let piece = Piece::ALL.into_iter().find(|&piece| !(own & board.pieces(piece)).is_empty())?;
            occupied &= !(own & board.pieces(piece)).next_square()?.bitboard();
            Some(worth(piece))
        })
    }

    /// Zugzwang is for kings and pawns.
    fn pass(&self, board: &mut Board) -> Option<Board> {
        let own = board.colors(board.side_to_move());
        let pieces = own & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
        let passed = if pieces.is_empty() { None } else { board.null_move() };
        passed.map(|passed| std::mem::replace(board, passed))
    }

    fn unpass(&self, board: &mut Board, before: Board) {
        *board = before;
    }

    fn past(&self, state: &State) -> Vec<Step<Move>> {
        let step = |&key: &u64| Step { key, check: false, mv: None };
        let mut past: Vec<_> = state.keys.iter().map(step).collect();
        if let Some(present) = past.last_mut() {
            present.check = !state.board.checkers().is_empty();
        }
        past
    }

    fn is_final(&self, board: &Board, mv: Move) -> bool {
        board.pieces(Piece::Pawn).has(mv.from) || captured(board, mv).is_some()
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        Some(FIFTY_MOVES.saturating_sub(state.ply_without_progress()).max(1).into())
    }
}

/// The squares that a piece attacks, but for pawns and kings.
fn reach(board: &Board, piece: Piece, square: Square) -> BitBoard {
    let occupied = board.occupied();
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_rook_moves(square, occupied) | get_bishop_moves(square, occupied),
        Piece::Pawn | Piece::King => BitBoard::EMPTY,
    }
}

/// The pieces of both sides among `occupied` that attack `square`.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let pieces = |piece| board.pieces(piece);
    let pawns = |color: Color| get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    occupied
        & (get_knight_moves(square) & pieces(Piece::Knight)
            | get_king_moves(square) & pieces(Piece::King)
            | get_bishop_moves(square, occupied) & (pieces(Piece::Bishop) | pieces(Piece::Queen))
            | get_rook_moves(square, occupied) & (pieces(Piece::Rook) | pieces(Piece::Queen))
            | pawns(Color::White)
            | pawns(Color::Black))
}

/// Whether no enemy pawn stands ahead of this one, on its file or beside it.
fn is_passed(board: &Board, color: Color, square: Square) -> bool {
    let file: File = square.file();
    let ahead = |other: Square| other.relative_to(color).rank() > square.relative_to(color).rank();
    let watched = file.bitboard() | file.adjacent();
    !(board.colored_pieces(!color, Piece::Pawn) & watched).into_iter().any(ahead)
}

impl Tunable for Chess {
    type Weights = Weights;

    fn weights(&self) -> &Weights {
        &self.evaluation.weights
    }

    fn set_weights(&mut self, weights: Weights) {
        self.evaluation = Arc::new(Evaluation::new(weights));
    }
}
