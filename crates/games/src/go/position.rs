//! A position with the boards it may not come back to.

use super::board::{Board, Cell, Cells, EMPTY, Effect};
use super::{Ply, Point};
use xinqi_kernel::Seat;

/// Every board since the start: what positional superko forbids.
///
/// A ply can bring back an earlier board only if a stone of its colour was taken off its point since, or if it is
/// suicide; then a filter of key bits is asked, then the keys, and in the end the boards themselves.
#[derive(Clone, Debug)]
struct Past {
    keys: Vec<u64>,
    /// The stones of every board: Black's words, then White's.
    boards: Vec<u64>,
    /// A bit for each key's low bits. Taking back leaves bits behind, which only costs a look at the keys.
    filter: [u64; FILTER_WORDS],
    /// Where stones of each colour were ever taken off. Taking back leaves these behind too.
    vacated: [Cells; 2],
}

const FILTER_WORDS: usize = 128;

impl Past {
    fn push(&mut self, board: &Board) {
        let key = board.key();
        self.keys.push(key);
        let words = board.words();
        for stones in board.stones() {
            self.boards.extend_from_slice(stones.words(words));
        }
        self.filter[key as usize / 64 % FILTER_WORDS] |= 1 << (key & 63);
    }

    /// Forgets the last board and gives the one before it.
    fn pop(&mut self, words: usize) -> [Cells; 2] {
        self.keys.pop();
        self.boards.truncate(self.keys.len() * 2 * words);
        self.board(self.keys.len() - 1, words)
    }

    fn may_contain(&self, key: u64) -> bool {
        self.filter[key as usize / 64 % FILTER_WORDS] >> (key & 63) & 1 == 1
    }

    fn board(&self, index: usize, words: usize) -> [Cells; 2] {
        let at = index * 2 * words;
        [at, at + words].map(|at| Cells::from_words(&self.boards[at..at + words]))
    }

    fn contains(&self, key: u64, words: usize, stones: impl Fn() -> [Cells; 2]) -> bool {
        self.may_contain(key)
            && self
                .keys
                .iter()
                .enumerate()
                .rev()
                .any(|(i, &k)| k == key && self.board(i, words) == stones())
    }
}

/// Why a point may not be played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    Occupied,
    Suicide,
    Superko,
}

/// All that decides which plies are legal.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    side: u8,
    passes: u8,
    /// Stones captured by each side.
    captures: [u32; 2],
    past: Past,
}

/// What [`Position::unmake`] needs beside the boards that the position remembers.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    passes: u8,
    captures: [u32; 2],
}

impl Position {
    /// A position of these stones and nothing before it.
    pub(super) fn new(size: usize, stones: &[Option<u8>], side: u8, passes: u8, captures: [u32; 2]) -> Position {
        let mut board = Board::new(size);
        for (point, stone) in stones.iter().enumerate() {
            if let Some(color) = stone {
                board.put(board.cell(point), *color);
            }
        }
        let mut past = Past {
            keys: Vec::with_capacity(512),
            boards: Vec::with_capacity(1024 * board.words()),
            filter: [0; FILTER_WORDS],
            vacated: Default::default(),
        };
        past.push(&board);
        Position { board, side, passes, captures, past }
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn side(&self) -> Seat {
        Seat(self.side)
    }

    pub(super) fn passes(&self) -> u8 {
        self.passes
    }

    pub(super) fn captures(&self) -> [u32; 2] {
        self.captures
    }

    /// Play goes on after two passes.
    pub(super) fn resume(&mut self) {
        self.passes = 0;
    }

    pub(super) fn key(&self) -> u64 {
        self.board.key() ^ KEYS[self.side as usize][self.passes as usize]
    }

    /// Whose stone stands on a point.
    pub(super) fn at(&self, point: Point) -> Option<Seat> {
        let color = self.board.color(self.board.cell(point as usize));
        (color < EMPTY).then_some(Seat(color))
    }

    /// Why the side to move may not play on a point, if so. Suicide is asked about before superko.
    pub(super) fn refusal(&self, point: Point, suicide: bool) -> Option<Refusal> {
        let cell = self.board.cell(point as usize);
        if self.board.color(cell) != EMPTY {
            return Some(Refusal::Occupied);
        }
        let effect = self.board.effect(cell, self.side);
        if effect.suicide && !suicide {
            return Some(Refusal::Suicide);
        }
        self.repeats(cell, &effect).then_some(Refusal::Superko)
    }

    fn repeats(&self, cell: Cell, effect: &Effect) -> bool {
        let may = effect.suicide || self.past.vacated[self.side as usize].contains(cell);
        may && self
            .past
            .contains(effect.key, self.board.words(), || self.board.after(cell, self.side, effect))
    }

    /// Calls `each` with every point that the side to move may play on.
    pub(super) fn plays(&self, suicide: bool, mut each: impl FnMut(Point)) {
        let vacated = &self.past.vacated[self.side as usize];
        let open = self.board.open();
        for cell in self.board.empty().iter() {
            // Such a stone neither dies nor brings back an earlier board.
            let plain = open.contains(cell) && !vacated.contains(cell);
            if !plain {
                let effect = self.board.effect(cell, self.side);
                if effect.suicide && !suicide || self.repeats(cell, &effect) {
                    continue;
                }
            }
            each(self.board.point(cell) as Point);
        }
    }

    /// Whether a point is an eye of the side to move that only a fool fills: own stones on all sides and on enough of
    /// the diagonals.
    pub(super) fn is_own_eye(&self, point: Point) -> bool {
        let cell = self.board.cell(point as usize);
        let color = |c: &Cell| self.board.color(*c);
        let enemy = 1 - self.side;
        let own_around = self.board.neighbours(cell).iter().all(|c| color(c) != EMPTY && color(c) != enemy);
        let diagonals = self.board.diagonals(cell);
        let enemies = diagonals.iter().filter(|c| color(c) == enemy).count();
        let at_edge = self.board.neighbours(cell).iter().any(|c| color(c) > EMPTY);
        own_around && enemies < if at_edge { 1 } else { 2 }
    }

    /// Plays a legal ply.
    pub(super) fn make(&mut self, ply: Ply) -> Undo {
        let undo = Undo { passes: self.passes, captures: self.captures };
        match ply {
            None => self.passes += 1,
            Some(point) => {
                self.passes = 0;
                let cell = self.board.cell(point as usize);
                let [black, white] = self.board.play(cell, self.side, &mut self.past.vacated);
                self.captures[0] += white;
                self.captures[1] += black;
                self.past.push(&self.board);
            }
        }
        self.side ^= 1;
        undo
    }

    /// Takes back the ply just played.
    pub(super) fn unmake(&mut self, ply: Ply, undo: Undo) {
        self.side ^= 1;
        Undo { passes: self.passes, captures: self.captures } = undo;
        if ply.is_some() {
            let before = self.past.pop(self.board.words());
            self.board.reset(&before);
        }
    }
}

/// What the side to move and the passes in a row add to the key of the board.
const KEYS: [[u64; 3]; 2] = [
    [0, 0x9C3B_64AF_13D5_7E01, 0x3F84_D5B5_B547_0917],
    [0x8E22_4A09_D4F1_66C3, 0x51ED_270B_9E3A_7F45, 0xD1B5_4A32_D192_ED03],
];
