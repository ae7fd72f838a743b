//! What the tree search thinks of a stone before any playout: by where it lies, and by what reading says.

use super::board::{BORDER, CELLS, EMPTY};
use super::light::{Cell, Light, NONE};
use xinqi_engine::Candidate;

/// Whether playouts are too few for the board to tell much by themselves.
pub(super) fn is_large(board: &Light) -> bool {
    board.size() > 11
}

/// What is thought of a stone by where it lies.
pub(super) fn prior(board: &Light, cell: Cell, far: &[u8; CELLS]) -> Candidate {
    let mut candidate = Candidate { code: cell, wins: 5.0, visits: 10.0 };
    let mut think = |wins: f32, visits: f32| {
        candidate.wins += wins;
        candidate.visits += visits;
    };
    if is_large(board) && is_attachment(board, cell) {
        // Touching a stone that can answer on either side only makes it stronger.
        think(0.0, 15.0);
    } else {
        match far[cell as usize] {
            1 => think(24.0, 24.0),
            2 => think(22.0, 22.0),
            3 => think(8.0, 8.0),
            _ => {}
        }
    }
    let (x, y) = board.place_of(cell);
    let size = board.size() as u16;
    let line = x.min(y).min(size - 1 - x).min(size - 1 - y);
    let lonely = line < 4 && !is_near(board, cell, 3, |color| color < EMPTY);
    if lonely {
        match line {
            0 => think(0.0, 20.0),
            1 => think(0.0, 10.0),
            _ => think(10.0, 10.0),
        }
    }
    if is_large(board) {
        let to_edge = |along: u16| along.min(size - 1 - along);
        let early = 3 * board.empty().len() > 2 * board.size() * board.size();
        let in_corner = to_edge(x).max(to_edge(y)) == 3;
        match line {
            // Crawling along the edge early looks as good to few playouts as anything.
            0 if early => think(0.0, 15.0),
            1 if early => think(0.0, 7.0),
            // Corners first: the star point, and beside it nearer to one edge.
            2.. if lonely && in_corner => think(15.0, 15.0),
            _ => {}
        }
    }
    if board.makes_shape(cell) {
        think(10.0, 10.0);
    }
    if board.is_self_atari(cell, board.side) {
        think(0.0, 20.0);
    }
    candidate
}

/// Whether a stone would touch an enemy of three liberties or more with no friend within two steps.
fn is_attachment(board: &Light, cell: Cell) -> bool {
    let foes = || board.around(cell).into_iter().filter(|&n| board.color(n) == 1 - board.side);
    foes().next().is_some()
        && foes().all(|n| board.liberties::<3>(n).1 == 3)
        && !is_near(board, cell, 2, |color| color == board.side)
}

/// How many steps an empty cell is from the chain of the last stone, chains on the way being one step through; 0 where
/// more than three.
pub(super) fn distances(board: &Light) -> [u8; CELLS] {
    let mut far = [0; CELLS];
    if board.last == NONE || !board.is_stone(board.last) {
        return far;
    }
    let mut front: Vec<Cell> = board.chain(board.last).collect();
    front.iter().for_each(|&stone| far[stone as usize] = 1);
    for step in 1..=3 {
        for at in std::mem::take(&mut front) {
            for n in board.around(at) {
                if far[n as usize] > 0 || board.color(n) == BORDER {
                    continue;
                }
                let before = front.len();
                match board.is_stone(n) {
                    true => front.extend(board.chain(n)),
                    false => front.push(n),
                }
                front[before..].iter().for_each(|&cell| far[cell as usize] = step);
            }
        }
    }
    far
}

/// Whether a cell of such a colour is within so many steps of a point.
fn is_near(board: &Light, cell: Cell, steps: i32, is: impl Fn(u8) -> bool) -> bool {
    let (x, y) = board.place_of(cell);
    let size = board.size() as i32;
    let stride = size + 1;
    (-steps..=steps).any(|dy| {
        let wide = steps - dy.abs();
        (-wide..=wide).any(|dx| {
            let (cx, cy) = (i32::from(x) + dx, i32::from(y) + dy);
            let inside = (0..size).contains(&cx) && (0..size).contains(&cy);
            inside && is(board.color(((cy + 1) * stride + cx + 1) as Cell))
        })
    })
}

/// Adds what reading says: stones that take, save, or catch in a ladder. `all`: of every chain.
pub(super) fn tactics(board: &Light, out: &mut [Candidate], all: bool) {
    let side = board.side;
    let mut think = |cell: Cell, wins: f32, visits: f32| {
        if let Some(candidate) = out.iter_mut().find(|c| c.code == cell) {
            candidate.wins += wins;
            candidate.visits += visits;
        }
    };
    // Ladders are long to read: else only where something has just happened, or where all is new.
    let near = |stone: Cell| {
        all || board.last == NONE
            || board.head(stone) == board.head(board.last)
            || board.around(board.last).into_iter().any(|n| board.is_stone(n) && board.head(n) == board.head(stone))
    };
    for stone in board.cells() {
        if !board.is_stone(stone) || board.head(stone) != stone {
            continue;
        }
        let worth = if is_large(board) { 20.0 } else { 5.0 } * f32::from(board.chain_size(stone).min(6));
        let own = board.color(stone) == side;
        match (board.atari(stone), own) {
            (Some(liberty), true) => {
                let ways = board.ways_out(stone);
                for &way in &ways {
                    think(way, 10.0 + worth, 10.0 + worth);
                }
                if ways.is_empty() {
                    think(liberty, 0.0, 15.0);
                }
            }
            (Some(liberty), false) => match board.escapes(stone) {
                true => think(liberty, 15.0 + worth, 15.0 + worth),
                false => think(liberty, 5.0, 5.0),
            },
            (None, _) if near(stone) => {
                if let Some(point) = board.caught_by(stone) {
                    match own {
                        true => board.ways_out(stone).into_iter().for_each(|way| think(way, 5.0 + worth, 5.0 + worth)),
                        false => think(point, 10.0 + worth, 10.0 + worth),
                    }
                }
            }
            _ => {}
        }
    }
}
