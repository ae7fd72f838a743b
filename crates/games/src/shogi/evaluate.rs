//! Hand evaluation: material on the board and in hand, how near the pieces stand to both kings, and what they attack. The
//! numbers stand in `weights.txt` (docs/tuning.md).

use super::{SENNICHITE, Shogi, State, seat_of, verdict};
use haitaka::{BitBoard, Board, Color, Move, Piece, Square, prom_zone};
use super::moves::{HAND, attackers, attacks};
use super::weights::{BREACHES, REACHED, Weights};
use std::sync::{Arc, LazyLock};
use xinqi_engine::exchange_wins;
use xinqi_kernel::{Evaluate, Outcome, Step, Tunable, Weights as _};

/// What a position is worth by given weights.
#[derive(Debug)]
pub(super) struct Evaluation {
    weights: Weights,
    /// The squares one step, two and three from each.
    rings: [[BitBoard; REACHED]; Square::NUM],
}

/// The evaluation by the weights that come with the game.
pub(super) static OWN: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation::new(Weights::complete(include_str!("weights.txt")))));

/// The squares that a side attacks.
#[derive(Clone, Copy)]
struct Reach {
    /// With its king.
    king: BitBoard,
    /// With another piece at least, and with two.
    once: BitBoard,
    twice: BitBoard,
    /// Where its rooks and bishops could promote.
    promoting: BitBoard,
}

impl Reach {
    fn any(self) -> BitBoard {
        self.once | self.king
    }
}

impl Evaluation {
    fn new(weights: Weights) -> Evaluation {
        let ring = |king, steps| Square::ALL.into_iter().filter(|&square| distance(square, king) == steps).collect();
        let rings = Square::ALL.map(|king| std::array::from_fn(|n| ring(king, n + 1)));
        Evaluation { weights, rings }
    }

    /// What the pieces that `color` has are worth each, and what they attack.
    fn value_of(&self, board: &Board, color: Color) -> (i32, Reach) {
        let weights = &self.weights;
        let mut value = 0;
        let own = board.colors(color);
        let occupied = board.occupied();
        let own_king = king(board, color);
        let enemy_king = king(board, !color);
        let mut reach = Reach {
            king: own_king.map_or(BitBoard::EMPTY, |king| self.rings[king as usize][0]),
            once: BitBoard::EMPTY,
            twice: BitBoard::EMPTY,
            promoting: BitBoard::EMPTY,
        };
        for piece in Piece::ALL {
            let at = piece as usize;
            let held = board.num_in_hand(color, piece);
            value += i32::from(held) * weights.in_hand[at];
            if held > 0 {
                value += weights.first_in_hand[at];
            }
            if piece == Piece::King {
                continue;
            }
            let slides = matches!(
                piece,
                Piece::Lance | Piece::Bishop | Piece::Rook | Piece::PBishop | Piece::PRook
            );
            for square in board.colored_pieces(color, piece) {
                value += weights.on_board[at];
                value += enemy_king.map_or(0, |king| weights.attack[at][distance(square, king)]);
                let near = own_king.and_then(|king| weights.defence[at].get(distance(square, king)));
                value += near.copied().unwrap_or(0);
                if piece == Piece::Pawn {
                    value += weights.advance[advance(square, color)];
                }
                let attacked = attacks(piece, color, square, occupied);
                reach.twice |= reach.once & attacked;
                reach.once |= attacked;
                if matches!(piece, Piece::Rook | Piece::Bishop) {
                    reach.promoting |= attacked & prom_zone(color) & !own;
                }
                if slides {
                    value += weights.mobility[at][(attacked & !own).len() as usize];
                }
            }
        }
        value += own_king.map_or(0, |king| {
            let aside = (king.file() as usize).abs_diff(4);
            weights.aside[aside] + weights.gone[advance(king, color)]
        });
        (value, reach)
    }

    /// What it is worth to `color` how the king of the other side stands, by what both attack.
    fn siege(&self, board: &Board, color: Color, attack: Reach, defence: Reach) -> i32 {
        let weights = &self.weights;
        let Some(king) = king(board, !color) else { return 0 };
        let rings = &self.rings[king as usize];
        let close = |pieces: BitBoard| (pieces & (rings[0] | rings[1])).len() as i32;
        let kings = board.pieces(Piece::King);
        let besiegers = close(board.colors(color) & !kings);
        let guards = close(board.colors(!color) & !kings & !board.pieces(Piece::Pawn));
        let ready: i32 = HAND.iter().map(|&piece| i32::from(board.num_in_hand(color, piece).min(2))).sum();
        let ready = ready.min(5);
        let mut value = (besiegers * (weights.siege * besiegers + weights.ready * ready) + weights.guard * guards).max(0);
        for (steps, &ring) in rings.iter().enumerate() {
            let count = |reach: Reach, [once, twice]: [i32; 2]| {
                (reach.once & ring).len() as i32 * once + (reach.twice & ring).len() as i32 * twice
            };
            value += count(attack, weights.pressure[steps]) - count(defence, weights.cover[steps]);
        }
        let weak = (rings[0] & attack.once & !defence.once).len();
        let flights = (rings[0] & !attack.once & !board.colors(!color)).len();
        value + weights.weak[weak as usize] + weak as i32 * ready * weights.drop + weights.flight[flights as usize]
    }

    /// What it is worth where rooks and bishops can promote unchallenged.
    fn breach(&self, own: Reach, theirs: Reach) -> i32 {
        let open = (own.promoting & !theirs.any()).len() as usize;
        self.weights.breach[open.min(BREACHES)]
    }

    /// What the pieces of the side to move that are attacked and not guarded are worth more or less.
    fn hanging(&self, board: &Board, own: Reach, theirs: Reach) -> i32 {
        let pieces = board.colors(board.side_to_move()) & !board.pieces(Piece::King);
        let worth = |square| board.piece_on(square).map_or(0, |piece| self.weights.hanging[piece as usize]);
        (pieces & theirs.once & !own.any()).into_iter().map(worth).sum()
    }

    /// What a piece is worth on the board.
    fn worth(&self, piece: Piece) -> i32 {
        self.weights.on_board[piece as usize]
    }

    /// How much a piece wants to stand so far from the enemy king.
    fn attack(&self, piece: Piece, distance: usize) -> i32 {
        self.weights.attack[piece as usize][distance]
    }
}

impl Evaluate for Shogi {
    const TRACES: usize = Piece::NUM * Square::NUM;
    const SPREAD: i32 = 300;
    const OCCURRENCES: usize = SENNICHITE;

    fn evaluate(&self, board: &Board) -> i32 {
        let us = board.side_to_move();
        let evaluation = &self.evaluation;
        let (own, reach) = evaluation.value_of(board, us);
        let (theirs, their_reach) = evaluation.value_of(board, !us);
        own - theirs + evaluation.siege(board, us, reach, their_reach) - evaluation.siege(board, !us, their_reach, reach)
            + evaluation.breach(reach, their_reach)
            - evaluation.breach(their_reach, reach)
            + evaluation.hanging(board, reach, their_reach)
            + evaluation.weights.tempo
    }

    fn promise(&self, board: &Board, mv: Move) -> i32 {
        let evaluation = &self.evaluation;
        let enemy_king = king(board, !board.side_to_move());
        let near = |piece, square| enemy_king.map_or(0, |king| evaluation.attack(piece, distance(square, king)));
        match mv {
            Move::Drop { piece, to } => near(piece, to) - 60,
            Move::BoardMove { from, to, promotion } => {
                let Some(piece) = board.piece_on(from) else {
                    return i32::MIN;
                };
                let mover = evaluation.worth(piece);
                let gain = if promotion { evaluation.worth(piece.promote()) - mover } else { 0 };
                match board.piece_on(to) {
                    Some(victim) => 1000 + 16 * evaluation.worth(victim) - mover / 16 + gain,
                    None if promotion => gain,
                    None => near(piece, to) - near(piece, from),
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
            true => self.evaluation.worth(piece.promote()) - self.evaluation.worth(piece),
            false => 0,
        });
        // What is captured changes hands.
        mover + board.piece_on(to).map_or(0, |victim| 2 * self.evaluation.worth(victim))
    }

    fn exchange_wins(&self, board: &Board, mv: Move, least: i32) -> bool {
        // What is taken goes to the hand, and a promoted piece turns back.
        let price = |piece: Piece| match piece {
            Piece::King => 20_000,
            piece => self.evaluation.worth(piece) + self.evaluation.weights.in_hand[piece.unpromote() as usize],
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

/// King's steps between two squares.
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    let ranks = (a.rank() as usize).abs_diff(b.rank() as usize);
    files.max(ranks)
}

/// Ranks gone from the own back rank.
fn advance(square: Square, color: Color) -> usize {
    8 - square.relative_to(color).rank() as usize
}

impl Tunable for Shogi {
    type Weights = Weights;

    fn weights(&self) -> &Weights {
        &self.evaluation.weights
    }

    fn set_weights(&mut self, weights: Weights) {
        self.evaluation = Arc::new(Evaluation::new(weights));
    }
}
