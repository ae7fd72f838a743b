//! Hand evaluation: material on the board and in hand, and how near the pieces stand to both kings.

use super::{SENNICHITE, Shogi, State, seat_of, verdict};
use haitaka::{BitBoard, Board, Color, Move, Piece, Square};
use super::moves::{HAND, attackers};
use xinqi_engine::exchange_wins;
use xinqi_kernel::{Evaluate, Outcome, Step};

const ON_BOARD: [i32; Piece::NUM] = [
    90, 230, 250, 370, 570, 640, 440, 0, 530, 490, 510, 490, 830, 950,
];
/// In hand a piece can go anywhere.
const IN_HAND: [i32; Piece::NUM] = [100, 250, 270, 390, 630, 700, 470, 0, 0, 0, 0, 0, 0, 0];
/// What a step nearer to the enemy king is worth.
const ATTACK: [i32; Piece::NUM] = [1, 1, 3, 5, 3, 3, 6, 0, 7, 6, 6, 6, 6, 7];
/// What a step nearer to the own king is worth, within three.
const DEFENCE: [i32; Piece::NUM] = [3, 2, 2, 8, 0, 0, 11, 0, 4, 4, 4, 6, 9, 4];

impl Evaluate for Shogi {
    const TRACES: usize = Piece::NUM * Square::NUM;
    const OCCURRENCES: usize = SENNICHITE;

    fn evaluate(&self, board: &Board) -> i32 {
        let mut sum = 0;
        for color in Color::ALL {
            let sign = if color == board.side_to_move() { 1 } else { -1 };
            let mut value = 0;
            let own_king = king(board, color);
            let enemy_king = king(board, !color);
            for piece in Piece::ALL {
                let at = piece as usize;
                value += i32::from(board.num_in_hand(color, piece)) * IN_HAND[at];
                for square in board.colored_pieces(color, piece) {
                    value += ON_BOARD[at];
                    value += enemy_king.map_or(0, |king| ATTACK[at] * (8 - distance(square, king)));
                    value += own_king.map_or(0, |king| DEFENCE[at] * (3 - distance(square, king)).max(0));
                    if piece == Piece::Pawn {
                        value += 3 * advance(square, color);
                    }
                }
            }
            value += own_king.map_or(0, |king| shelter(king, color));
            value += enemy_king.map_or(0, |king| siege(board, king, color));
            sum += sign * value;
        }
        sum
    }

    fn promise(&self, board: &Board, mv: Move) -> i32 {
        let color = board.side_to_move();
        let near = |square: Square| king(board, !color).map_or(0, |king| 8 - distance(square, king));
        match mv {
            Move::Drop { piece, to } => ATTACK[piece as usize] * near(to) - 60,
            Move::BoardMove { from, to, promotion } => {
                let Some(piece) = board.piece_on(from) else {
                    return i32::MIN;
                };
                let mover = ON_BOARD[piece as usize];
                let gain = if promotion { ON_BOARD[piece.promote() as usize] - mover } else { 0 };
                match board.piece_on(to) {
                    Some(victim) => 1000 + 16 * ON_BOARD[victim as usize] - mover / 16 + gain,
                    None if promotion => gain,
                    None => ATTACK[piece as usize] * (near(to) - near(from)),
                }
            }
        }
    }

    fn is_tactical(&self, board: &Board, mv: Move) -> bool {
        match mv {
            Move::Drop { .. } => false,
            Move::BoardMove { to, promotion, .. } => promotion || board.occupied().has(to),
        }
    }

    fn code(&self, mv: Move) -> u32 {
        match mv {
            Move::Drop { piece, to } => 1 << 16 | (piece as u32) << 7 | to as u32,
            Move::BoardMove { from, to, promotion } => {
                1 << 17 | u32::from(promotion) << 14 | (from as u32) << 7 | to as u32
            }
        }
    }

    fn trace(&self, board: &Board, mv: Move) -> usize {
        let (piece, to) = match mv {
            Move::Drop { piece, to } => (Some(piece), to),
            Move::BoardMove { from, to, .. } => (board.piece_on(from), to),
        };
        piece.map_or(0, |piece| piece as usize) * Square::NUM + to as usize
    }

    fn gain(&self, board: &Board, mv: Move) -> i32 {
        let Move::BoardMove { from, to, promotion } = mv else { return 0 };
        let mover = board.piece_on(from).map_or(0, |piece| match promotion {
            true => ON_BOARD[piece.promote() as usize] - ON_BOARD[piece as usize],
            false => 0,
        });
        // What is captured changes hands.
        mover + board.piece_on(to).map_or(0, |victim| 2 * ON_BOARD[victim as usize])
    }

    fn exchange_wins(&self, board: &Board, mv: Move, least: i32) -> bool {
        // What is taken goes to the hand, and a promoted piece turns back.
        let price = |piece: Piece| match piece {
            Piece::King => 20_000,
            piece => ON_BOARD[piece as usize] + IN_HAND[piece.unpromote() as usize],
        };
        let (mover, to) = match mv {
            Move::Drop { piece, to } => (piece, to),
            Move::BoardMove { from, to, .. } => match board.piece_on(from) {
                Some(piece) => (piece, to),
                None => return true,
            },
        };
        let taken = board.piece_on(to).map_or(0, price);
        if taken - least >= price(mover) {
            return true;
        }
        let own = board.side_to_move();
        // Those behind others are not seen.
        let mut left = [!own, own].map(|color| {
            let (steps, slides) = attackers(board, to, color);
            steps | slides
        });
        if let Move::BoardMove { from, .. } = mv {
            left[1] = left[1].rm(from);
        }
        let mut turn = 1;
        exchange_wins(taken, price(mover), least, || {
            turn ^= 1;
            let takers = left[turn].into_iter().filter_map(|from| Some((price(board.piece_on(from)?), from)));
            let (worth, from) = takers.min_by_key(|&(worth, _)| worth)?;
            left[turn] = left[turn].rm(from);
            Some(worth)
        })
    }

    fn past(&self, state: &State) -> Vec<Step<Move>> {
        let step = |seen: &super::Seen| Step {
            key: seen.key,
            check: seen.check,
            mv: None,
        };
        state.record.iter().map(step).collect()
    }

    fn repetition(&self, board: &Board, cycle: &[Step<Move>]) -> Outcome {
        let (other, side) = Step::every_ply_checks(cycle);
        verdict(seat_of(board.side_to_move()), side, other)
    }
}

fn king(board: &Board, color: Color) -> Option<Square> {
    board.colored_pieces(color, Piece::King).next_square()
}

/// What pieces close to the enemy king are worth together, more with pieces in hand to drop beside them.
fn siege(board: &Board, king: Square, color: Color) -> i32 {
    let close = |pieces: BitBoard| pieces.into_iter().filter(|&square| distance(square, king) <= 2).count() as i32;
    let kings = board.pieces(Piece::King);
    let generals = |color| board.colors(color) & !kings & !board.pieces(Piece::Pawn);
    let besiegers = close(board.colors(color) & !kings);
    let guards = close(generals(!color));
    let ready: i32 = HAND.iter().map(|&piece| i32::from(board.num_in_hand(color, piece).min(2))).sum();
    (besiegers * (6 * besiegers + 5 * ready.min(5)) - 8 * guards).max(0)
}

/// King's steps between two squares.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// Ranks gone from the own back rank.
fn advance(square: Square, color: Color) -> i32 {
    8 - square.relative_to(color).rank() as i32
}

/// A king is safer away from the middle and, until it enters the enemy camp, at home.
fn shelter(king: Square, color: Color) -> i32 {
    let aside = (king.file() as i32 - 4).abs();
    let gone = advance(king, color);
    let entered = if gone >= 6 { 60 } else { 0 };
    8 * aside - 12 * gone.min(5) + entered
}
