//! Knowledge for search: every five points in a row that only one side has stones on are worth something to it.

use super::position::{DIRECTIONS, MAX_SIZE, Position, on_board};
use super::{Gomoku, Point};
use xinqi_kernel::{Evaluate, Seat, Tree};

/// What five points in a row are worth by the number of stones of the only side that has any.
const WORTH: [i32; 6] = [0, 1, 6, 30, 150, 10_000];

/// What a stone is worth in five points in a row where its side has so many others and the opponent none.
const GAIN: [i32; 5] = [1, 6, 40, 300, 20_000];

/// What it is worth to break five points in a row where only the opponent has stones, so many.
const SPOIL: [i32; 5] = [0, 4, 30, 200, 9_000];

/// Calls `each` with the stones of `mine` and `theirs` in all rows of five of one line.
fn windows(mine: u32, theirs: u32, board: u32, mut each: impl FnMut(u32, u32)) {
    let mut window = 0x1F << board.trailing_zeros();
    while window & board == window {
        each((mine & window).count_ones(), (theirs & window).count_ones());
        window <<= 1;
    }
}

impl Evaluate for Gomoku {
    const TRACES: usize = MAX_SIZE * MAX_SIZE;

    fn evaluate(&self, position: &Position) -> i32 {
        let side = position.side();
        let mut value = 0;
        let mut worth = |mine: u32, theirs: u32| match (mine, theirs) {
            (n, 0) => value += WORTH[n as usize] * 5 / 4,
            (0, n) => value -= WORTH[n as usize],
            _ => {}
        };
        let edge = position.size();
        // Each line once: ranks and files by their first point, diagonals by where they enter the board.
        let starts = (0..edge).flat_map(|i| [(0, 0, i), (1, i, 0), (2, 0, i), (3, i, 0)]);
        let more = (1..edge).flat_map(|i| [(2, i, 0), (3, edge - 1, i)]);
        for (direction, x, y) in starts.chain(more) {
            let mine = position.stones(side).line(direction, x, y).0;
            let theirs = position.stones(side.other()).line(direction, x, y).0;
            if mine | theirs != 0 {
                windows(mine, theirs, on_board(direction, x, y, edge), &mut worth);
            }
        }
        value
    }

    fn promise(&self, position: &Position, mv: Point) -> i32 {
        let mut promise = 0;
        around(position, mv, |mine, theirs| match (mine, theirs) {
            (n, 0) => promise += GAIN[n as usize],
            (0, n) => promise += SPOIL[n as usize],
            _ => {}
        });
        promise
    }

    fn is_tactical(&self, position: &Position, mv: Point) -> bool {
        let mut urgent = false;
        around(position, mv, |mine, theirs| urgent |= matches!((mine, theirs), (3.., 0) | (0, 4)));
        urgent && self.terminal(position, true).is_none()
    }

    fn code(&self, mv: Point) -> u32 {
        1 + u32::from(mv)
    }

    fn trace(&self, _: &Position, mv: Point) -> usize {
        mv.into()
    }

    /// Stones stay.
    fn is_final(&self, _: &Position, _: Point) -> bool {
        true
    }
}

/// Calls `each` with the stones of the side to move and of the other in every row of five that contains `point`.
fn around(position: &Position, point: Point, mut each: impl FnMut(u32, u32)) {
    let (x, y) = position.xy(point);
    let side: Seat = position.side();
    for direction in 0..DIRECTIONS {
        let (mine, place) = position.stones(side).line(direction, x, y);
        let theirs = position.stones(side.other()).line(direction, x, y).0;
        let near = (0x1FF_u64 << place >> 4) as u32 & on_board(direction, x, y, position.size());
        if near != 0 {
            windows(mine, theirs, near, &mut each);
        }
    }
}
