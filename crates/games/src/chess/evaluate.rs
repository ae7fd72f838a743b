//! Hand evaluation: material and squares, tapered from middle game to endgame, with mobility and passed pawns.

use super::{Chess, State, captured};
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Square, get_bishop_moves, get_knight_moves, get_rook_moves,
};
use xinqi_kernel::{Evaluate, Step};

/// A value in the middle game and in the endgame.
#[derive(Clone, Copy)]
struct Tapered(i32, i32);

const MATERIAL: [Tapered; Piece::NUM] = [
    Tapered(90, 105),
    Tapered(330, 300),
    Tapered(345, 320),
    Tapered(480, 530),
    Tapered(1000, 950),
    Tapered(0, 0),
];
/// How much of the middle game each piece stands for; all together make 24.
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];
const BISHOP_PAIR: Tapered = Tapered(25, 45);
const PASSED: [Tapered; 8] = [
    Tapered(0, 0),
    Tapered(0, 5),
    Tapered(2, 10),
    Tapered(8, 22),
    Tapered(18, 45),
    Tapered(35, 80),
    Tapered(60, 130),
    Tapered(0, 0),
];
const SQUARES: [[Tapered; 64]; Piece::NUM] = squares();

/// What a piece of White is worth more or less on each square.
const fn squares() -> [[Tapered; 64]; Piece::NUM] {
    let mut table = [[Tapered(0, 0); 64]; Piece::NUM];
    let mut at = 0;
    while at < 64 {
        let (file, rank) = (at as i32 % 8, at as i32 / 8);
        let middle = if file < 4 { file } else { 7 - file };
        let centre = middle + if rank < 4 { rank } else { 7 - rank };
        let advance = [0, 0, 2, 6, 14, 24, 40, 0][rank as usize];
        let push = [0, 5, 8, 16, 32, 60, 100, 0][rank as usize];
        let hold = if rank >= 2 && rank <= 4 { 5 * middle - 5 } else { 0 };
        let seventh = if rank == 6 { 18 } else { 0 };
        let shelter = [18, 26, -4, -14][middle as usize];
        table[Piece::Pawn as usize][at] = Tapered(advance + hold, push);
        table[Piece::Knight as usize][at] = Tapered(7 * centre - 26, 6 * centre - 20);
        table[Piece::Bishop as usize][at] = Tapered(3 * centre - 8, 2 * centre - 6);
        table[Piece::Rook as usize][at] = Tapered(2 * middle - 3 + seventh, seventh);
        table[Piece::Queen as usize][at] = Tapered(centre - 3, 4 * centre - 12);
        table[Piece::King as usize][at] = Tapered(shelter - 22 * rank, 9 * centre - 28);
        at += 1;
    }
    table
}

impl Evaluate for Chess {
    const TRACES: usize = Piece::NUM * Square::NUM;

    fn evaluate(&self, board: &Board) -> i32 {
        let mut sum = Tapered(0, 0);
        let mut phase = 0;
        for color in Color::ALL {
            let sign = if color == board.side_to_move() { 1 } else { -1 };
            let mut add = |value: Tapered| {
                sum.0 += sign * value.0;
                sum.1 += sign * value.1;
            };
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    add(MATERIAL[piece as usize]);
                    add(SQUARES[piece as usize][square.relative_to(color) as usize]);
                    add(mobility(board, color, piece, square));
                    phase += PHASE[piece as usize];
                }
            }
            if board.colored_pieces(color, Piece::Bishop).len() > 1 {
                add(BISHOP_PAIR);
            }
            for square in board.colored_pieces(color, Piece::Pawn) {
                if is_passed(board, color, square) {
                    add(PASSED[square.relative_to(color).rank() as usize]);
                }
            }
        }
        let phase = phase.min(24);
        (sum.0 * phase + sum.1 * (24 - phase)) / 24
    }

    fn promise(&self, board: &Board, mv: Move) -> i32 {
        let mover = board.piece_on(mv.from).map_or(0, |piece| piece as usize);
        let color = board.side_to_move();
        let promotion = mv.promotion.map_or(0, |piece| MATERIAL[piece as usize].0);
        match captured(board, mv) {
            Some(victim) => 1000 + 16 * MATERIAL[victim as usize].0 - MATERIAL[mover].0 / 16 + promotion,
            None if promotion > 0 => promotion,
            None => {
                let value = |square: Square| SQUARES[mover][square.relative_to(color) as usize].0;
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
        let worth = |piece: Piece| MATERIAL[piece as usize].0.max(MATERIAL[piece as usize].1);
        captured(board, mv).map_or(0, worth) + mv.promotion.map_or(0, worth)
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
}

fn mobility(board: &Board, color: Color, piece: Piece, square: Square) -> Tapered {
    let occupied = board.occupied();
    let free = |targets: BitBoard| (targets & !board.colors(color)).len() as i32;
    match piece {
        Piece::Knight => {
            let n = free(get_knight_moves(square)) - 4;
            Tapered(4 * n, 4 * n)
        }
        Piece::Bishop => {
            let n = free(get_bishop_moves(square, occupied)) - 6;
            Tapered(4 * n, 4 * n)
        }
        Piece::Rook => {
            let n = free(get_rook_moves(square, occupied)) - 6;
            Tapered(2 * n, 4 * n)
        }
        Piece::Queen => {
            let n = free(get_rook_moves(square, occupied) | get_bishop_moves(square, occupied)) - 12;
            Tapered(n, 2 * n)
        }
        Piece::Pawn | Piece::King => Tapered(0, 0),
    }
}

/// Whether no enemy pawn stands ahead of this one, on its file or beside it.
fn is_passed(board: &Board, color: Color, square: Square) -> bool {
    let file: File = square.file();
    let ahead = |other: Square| other.relative_to(color).rank() > square.relative_to(color).rank();
    let watched = file.bitboard() | file.adjacent();
    !(board.colored_pieces(!color, Piece::Pawn) & watched).into_iter().any(ahead)
}
