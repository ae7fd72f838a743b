//! The board as bits along its lines, so that runs are counted by shifting.

use super::Rule;
use std::sync::LazyLock;
use xinqi_kernel::Seat;

/// The largest board.
pub(super) const MAX_SIZE: usize = 26;
const MAX_POINTS: usize = MAX_SIZE * MAX_SIZE;
const MAX_SLANTS: usize = 2 * MAX_SIZE - 1;

/// The four lines through a point: rank, file and the two diagonals.
pub(super) const DIRECTIONS: usize = 4;

/// One side's stones, a word of bits for each line of the board, direction by direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lines([u32; WORDS]);

/// Where the words of each direction begin.
const FIRST: [usize; DIRECTIONS] = [0, MAX_SIZE, 2 * MAX_SIZE, 2 * MAX_SIZE + MAX_SLANTS];
const WORDS: usize = 2 * (MAX_SIZE + MAX_SLANTS);

impl Lines {
    const EMPTY: Lines = Lines([0; WORDS]);

    /// Puts a stone on an empty point or takes it away.
    pub(super) fn flip(&mut self, x: usize, y: usize) {
        for direction in 0..DIRECTIONS {
            let (word, place) = word(direction, x, y);
            self.0[word] ^= 1 << place;
        }
    }

    /// The line through a point in `direction`, and the point's place in it.
    pub(super) fn line(&self, direction: usize, x: usize, y: usize) -> (u32, u32) {
        let (word, place) = word(direction, x, y);
        (self.0[word], place as u32)
    }

    /// The stones on `line`.
    pub(super) fn on(&self, line: &Line) -> u32 {
        self.0[line.word as usize]
    }

    fn has(&self, x: usize, y: usize) -> bool {
        self.0[y] >> x & 1 == 1
    }

    /// Whether a stone on the point, already there, completes a five as `exact` or longer rows allow.
    pub(super) fn makes_five(&self, x: usize, y: usize, exact: bool) -> bool {
        (0..DIRECTIONS).any(|direction| {
            let (line, place) = self.line(direction, x, y);
            let run = run(line, place);
            run == 5 || run > 5 && !exact
        })
    }
}

/// The length of the unbroken row of stones that contains `place`.
pub(super) const fn run(line: u32, place: u32) -> u32 {
    (line >> place).trailing_ones() + (line << (31 - place)).leading_ones() - 1
}

/// The word of the line through a point in `direction`, and the point's place in it.
const fn word(direction: usize, x: usize, y: usize) -> (usize, usize) {
    let (line, place) = match direction {
        0 => (y, x),
        1 => (x, y),
        2 => (x + MAX_SIZE - 1 - y, x),
        _ => (x + y, x),
    };
    (FIRST[direction] + line, place)
}

/// From a point to the next of its line, on a board of `size`.
pub(super) const fn step(direction: usize, size: usize) -> isize {
    let size = size as isize;
    [1, size, size + 1, 1 - size][direction]
}

/// A line of a board.
pub(super) struct Line {
    word: u8,
    /// Its places that are on the board.
    pub(super) board: u32,
    /// The point of place 0, which may be off the board, and from a point to the next.
    origin: isize,
    step: isize,
}

impl Line {
    /// The point at a place of the line.
    pub(super) const fn point(&self, place: u32) -> u16 {
        (self.origin + self.step * place as isize) as u16
    }
}

/// The lines of a board of `size` that are long enough for five.
pub(super) fn lines(size: usize) -> &'static [Line] {
    static LINES: LazyLock<[Vec<Line>; MAX_SIZE + 1]> = LazyLock::new(|| {
        std::array::from_fn(|size| {
            // Ranks and files by their first point, diagonals by where they enter the board.
            let slants = size.saturating_sub(4);
            let straight = (0..size).flat_map(|i| [(0, 0, i), (1, i, 0)]);
            let lower = (0..slants).flat_map(|i| [(2, i, 0), (3, size - 1 - i, 0)]);
            let upper = (1..slants).flat_map(|i| [(2, 0, i), (3, size - 1, i)]);
            let line = |(direction, x, y)| {
                let (word, place) = word(direction, x, y);
                let step = step(direction, size);
                Line {
                    word: word as u8,
                    board: on_board(direction, x, y, size),
                    origin: (y * size + x) as isize - step * place as isize,
                    step,
                }
            };
            straight.chain(lower).chain(upper).map(line).collect()
        })
    });
    &LINES[size]
}

/// The places of a line that are on a board of `size`.
pub(super) const fn on_board(direction: usize, x: usize, y: usize, size: usize) -> u32 {
    let whole = (1u32 << size) - 1;
    match direction {
        0 | 1 => whole,
        // y = x + constant
        2 if x >= y => whole << (x - y) & whole,
        2 => whole >> (y - x),
        // y = constant - x
        _ if x + y < size => (1 << (x + y + 1)) - 1,
        _ => whole << (x + y + 1 - size) & whole,
    }
}

/// A position: the stones, the side to move and whether somebody has won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    size: u8,
    side: Seat,
    winner: Option<Seat>,
    key: u64,
    stones: [Lines; 2],
    /// The empty points, the first `count` of the array, in no order; `place` finds a point in it.
    empty: [u16; MAX_POINTS],
    place: [u16; MAX_POINTS],
    count: u16,
}

/// What [`Position::unmake`] needs: where the point stood in the list of empty points.
#[derive(Clone, Copy, Debug)]
pub struct Undo(u16);

impl Position {
    /// The empty board.
    pub(super) fn new(size: usize) -> Position {
        let order = std::array::from_fn(|i| i as u16);
        Position {
            size: size as u8,
            side: Seat::FIRST,
            winner: None,
            key: 0,
            stones: [Lines::EMPTY; 2],
            empty: order,
            place: order,
            count: (size * size) as u16,
        }
    }

    pub(super) fn side(&self) -> Seat {
        self.side
    }

    pub(super) fn winner(&self) -> Option<Seat> {
        self.winner
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn size(&self) -> usize {
        self.size as usize
    }

    pub(super) fn stones(&self, seat: Seat) -> &Lines {
        &self.stones[seat.index()]
    }

    /// The empty points, in no order.
    pub(super) fn empty(&self) -> &[u16] {
        &self.empty[..self.count as usize]
    }

    pub(super) fn xy(&self, point: u16) -> (usize, usize) {
        let size = self.size as usize;
        (point as usize % size, point as usize / size)
    }

    /// Whose stone stands on the point.
    pub(super) fn at(&self, point: u16) -> Option<Seat> {
        let (x, y) = self.xy(point);
        [Seat::FIRST, Seat::SECOND]
            .into_iter()
            .find(|s| self.stones[s.index()].has(x, y))
    }

    /// Puts a stone of any side without a thought for turns.
    pub(super) fn put(&mut self, point: u16, seat: Seat) -> Undo {
        let (x, y) = self.xy(point);
        self.stones[seat.index()].flip(x, y);
        self.key ^= zobrist(seat, point);
        self.count -= 1;
        let index = self.place[point as usize];
        let moved = self.empty[self.count as usize];
        self.empty[index as usize] = moved;
        self.empty[self.count as usize] = point;
        self.place[moved as usize] = index;
        self.place[point as usize] = self.count;
        Undo(index)
    }

    /// Gives the move to `seat`.
    pub(super) fn set_side(&mut self, seat: Seat) {
        if self.side != seat {
            self.side = seat;
            self.key ^= SIDE;
        }
    }

    /// Declares the winner of a position that was set up.
    pub(super) fn set_winner(&mut self, seat: Seat) {
        self.winner = Some(seat);
    }

    /// Plays on an empty point for the side to move.
    pub(super) fn make(&mut self, point: u16, rule: Rule) -> Undo {
        let seat = self.side;
        let undo = self.put(point, seat);
        let (x, y) = self.xy(point);
        if self.stones[seat.index()].makes_five(x, y, rule.exact(seat)) {
            self.winner = Some(seat);
        }
        self.set_side(seat.other());
        undo
    }

    /// Takes back the ply just played on `point`.
    pub(super) fn unmake(&mut self, point: u16, undo: Undo) {
        let seat = self.side.other();
        self.set_side(seat);
        self.winner = None;
        let (x, y) = self.xy(point);
        self.stones[seat.index()].flip(x, y);
        self.key ^= zobrist(seat, point);
        let moved = self.empty[undo.0 as usize];
        self.empty[self.count as usize] = moved;
        self.place[moved as usize] = self.count;
        self.empty[undo.0 as usize] = point;
        self.place[point as usize] = undo.0;
        self.count += 1;
    }
}

const SIDE: u64 = mix(u64::MAX);

const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn zobrist(seat: Seat, point: u16) -> u64 {
    mix((seat.0 as u64) << 16 | point as u64)
}
