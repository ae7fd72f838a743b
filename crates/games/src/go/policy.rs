//! How a playout picks its next stone.

use super::board::EMPTY;
use super::light::{Cell, Light, NONE};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A stone for a playout: next to the last one take, save, make or spoil an eye, or make a shape; otherwise anywhere.
pub(super) fn light_choice(board: &Light, chance: &mut ChaCha8Rng) -> Cell {
    if board.last != NONE {
        if chance.random_range(0..10) > 0
            && let Some(cell) = answer_atari(board, chance)
        {
            return cell;
        }
        if let Some(cell) = vital_near(board) {
            return cell;
        }
        if chance.random_range(0..20) > 0
            && let Some(cell) = shape_near(board, chance)
        {
            return cell;
        }
    }
    random_choice(board, chance, true)
}

/// The vital point of a small room beside the last stone.
fn vital_near(board: &Light) -> Option<Cell> {
    let rooms = board.around(board.last).into_iter().filter(|&n| board.color(n) == EMPTY && board.is_narrow(n));
    rooms.filter_map(|n| board.vital(n)).find(|&vital| board.may_play(vital, board.side))
}

/// Takes the chain just played to or one that the own last stone put in atari, or saves one that is in atari now.
fn answer_atari(board: &Light, chance: &mut ChaCha8Rng) -> Option<Cell> {
    let side = board.side;
    if let Some(take) = board.atari(board.last)
        && board.may_play(take, side)
    {
        return Some(take);
    }
    if board.before != NONE {
        for n in board.around(board.before) {
            if board.color(n) == 1 - side
                && let Some(take) = board.atari(n)
                && board.may_play(take, side)
            {
                return Some(take);
            }
        }
    }
    let (mut ways, mut count) = ([NONE; 8], 0);
    for n in board.around(board.last) {
        if board.color(n) != side {
            continue;
        }
        let Some(liberty) = board.atari(n) else { continue };
        let takes = board.chain(n).flat_map(|s| board.around(s)).filter(|&m| board.color(m) == 1 - side);
        for take in takes.filter_map(|m| board.atari(m)).take(2) {
            if count < ways.len() && board.may_play(take, side) {
                ways[count] = take;
                count += 1;
            }
        }
        if count < ways.len() && board.may_play(liberty, side) && !board.is_self_atari(liberty, side) {
            ways[count] = liberty;
            count += 1;
        }
    }
    (count > 0).then(|| ways[chance.random_range(0..count)])
}

/// A shape among the eight cells about the last stone.
fn shape_near(board: &Light, chance: &mut ChaCha8Rng) -> Option<Cell> {
    let (mut ways, mut count) = ([NONE; 8], 0);
    for n in board.ring(board.last) {
        if board.color(n) == EMPTY
            && board.makes_shape(n)
            && board.may_play(n, board.side)
            && !board.is_self_atari(n, board.side)
        {
            ways[count] = n;
            count += 1;
        }
    }
    (count > 0).then(|| ways[chance.random_range(0..count)])
}

/// Any cell but own eyes; `careful`: seldom one where the stone could be taken at once. [`NONE`] where there is none.
pub(super) fn random_choice(board: &Light, chance: &mut ChaCha8Rng, careful: bool) -> Cell {
    let empty = board.empty();
    if empty.is_empty() {
        return NONE;
    }
    let start = chance.random_range(0..empty.len());
    for &cell in empty[start..].iter().chain(&empty[..start]) {
        if !board.may_play(cell, board.side) || board.is_eye(cell, board.side) {
            continue;
        }
        if careful && board.is_self_atari(cell, board.side) && chance.random_range(0..4) > 0 {
            continue;
        }
        return cell;
    }
    NONE
}
