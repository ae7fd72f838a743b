//! Hand evaluation: material and squares, tapered from middle game to endgame, with mobility and passed pawns.

use super::{Chess, State, captured};
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use xinqi_engine::exchange_wins;
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
/// How much a piece that reaches a square beside the enemy king adds to the danger there.
const MENACE: [i32; Piece::NUM] = [0, 4, 4, 6, 9, 0];
const OPEN_FILE: Tapered = Tapered(22, 8);
const HALF_OPEN_FILE: Tapered = Tapered(10, 6);
const ISOLATED: Tapered = Tapered(-10, -12);
const DOUBLED: Tapered = Tapered(-5, -10);
/// A pawn before its king, one rank ahead or two.
const SHELTER: [Tapered; 2] = [Tapered(12, 0), Tapered(6, 0)];
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
            let ring = get_king_moves(board.king(!color));
            let (mut danger, mut attackers) = (0, 0);
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    add(MATERIAL[piece as usize]);
                    add(SQUARES[piece as usize][square.relative_to(color) as usize]);
                    let reach = reach(board, piece, square);
                    add(mobility(board, color, piece, reach));
                    if !(reach & ring).is_empty() {
                        danger += MENACE[piece as usize];
                        attackers += 1;
                    }
                    phase += PHASE[piece as usize];
                }
            }
            if board.colored_pieces(color, Piece::Bishop).len() > 1 {
                add(BISHOP_PAIR);
            }
            if attackers > 1 {
                add(Tapered((danger * danger / 2).min(260), danger));
            }
            add(shelter(board, color));
            for rook in board.colored_pieces(color, Piece::Rook) {
                let pawns = rook.file().bitboard() & board.pieces(Piece::Pawn);
                match ((pawns & board.colors(color)).is_empty(), pawns.is_empty()) {
                    (_, true) => add(OPEN_FILE),
                    (true, false) => add(HALF_OPEN_FILE),
                    _ => {}
                }
            }
            let pawns = board.colored_pieces(color, Piece::Pawn);
            for square in pawns {
                if (pawns & square.file().adjacent()).is_empty() {
                    add(ISOLATED);
                }
                if (pawns & square.file().bitboard()).len() > 1 {
                    add(DOUBLED);
                }
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

    fn exchange_wins(&self, board: &Board, mv: Move, least: i32) -> bool {
        let worth = |piece: Piece| match piece {
            Piece::King => 10_000,
            piece => MATERIAL[piece as usize].0,
        };
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

fn mobility(board: &Board, color: Color, piece: Piece, reach: BitBoard) -> Tapered {
    let free = (reach & !board.colors(color)).len() as i32;
    match piece {
        Piece::Knight => Tapered(4 * (free - 4), 4 * (free - 4)),
        Piece::Bishop => Tapered(4 * (free - 6), 4 * (free - 6)),
        Piece::Rook => Tapered(2 * (free - 6), 4 * (free - 6)),
        Piece::Queen => Tapered(free - 12, 2 * (free - 12)),
        Piece::Pawn | Piece::King => Tapered(0, 0),
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

/// The pawns before a king.
fn shelter(board: &Board, color: Color) -> Tapered {
    let king = board.king(color);
    let files = king.file().bitboard() | king.file().adjacent();
    let pawns = board.colored_pieces(color, Piece::Pawn) & files;
    let rank = king.relative_to(color).rank() as usize;
    let mut value = Tapered(0, 0);
    for (ahead, worth) in (rank + 1..).zip(SHELTER) {
        let Some(rank) = Rank::try_index(ahead) else { break };
        let count = (pawns & rank.relative_to(color).bitboard()).len() as i32;
        value.0 += count * worth.0;
        value.1 += count * worth.1;
    }
    value
}

/// Whether no enemy pawn stands ahead of this one, on its file or beside it.
fn is_passed(board: &Board, color: Color, square: Square) -> bool {
    let file: File = square.file();
    let ahead = |other: Square| other.relative_to(color).rank() > square.relative_to(color).rank();
    let watched = file.bitboard() | file.adjacent();
    !(board.colored_pieces(!color, Piece::Pawn) & watched).into_iter().any(ahead)
}
