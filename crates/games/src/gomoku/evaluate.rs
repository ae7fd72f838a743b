//! Knowledge for search: every five points in a row that only one side has stones on are worth something to it.

use super::position::{DIRECTIONS, MAX_SIZE, Position, lines, on_board};
use super::{Gomoku, Point};
use std::sync::LazyLock;
use xinqi_kernel::{Evaluate, Seat, Tree, Tunable, Weights as _};

/// What five points in a row are worth by the number of stones, one to four, of the only side that has any: quarters
/// of a point to the side to move, and to the other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Weights {
    moving: [i32; 4],
    waiting: [i32; 4],
}

impl Weights {
    /// The weights that come with the game.
    pub(super) fn own() -> Weights {
        static OWN: LazyLock<Weights> = LazyLock::new(|| Weights::complete(include_str!("weights.txt")));
        *OWN
    }
}

impl xinqi_kernel::Weights for Weights {
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
        line("rows.moving", self.moving.iter_mut().collect());
        line("rows.waiting", self.waiting.iter_mut().collect());
    }
}

/// What a stone is worth in five points in a row where its side has so many others and the opponent none.
const GAIN: [i32; 5] = [1, 6, 40, 300, 20_000];

/// What it is worth to break five points in a row where only the opponent has stones, so many.
const SPOIL: [i32; 5] = [0, 4, 30, 200, 9_000];

/// A ply that promises at least this makes or breaks a four, or makes more than one open three.
const URGENT: i32 = 600;

/// Of the rows of five of one line that the opponent has no stone on, by their first places: those with one, two, three
/// and four stones.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) one: u32,
    pub(super) two: u32,
    pub(super) three: u32,
    pub(super) four: u32,
}

/// Looks at all rows of five of a line at once: each bit is a row, and stones are counted by adding bits.
pub(super) const fn rows(mine: u32, theirs: u32, board: u32) -> Rows {
    let whole = board & board >> 1 & board >> 2 & board >> 3 & board >> 4;
    let broken = theirs | theirs >> 1 | theirs >> 2 | theirs >> 3 | theirs >> 4;
    let open = whole & !broken;
    let (a, b, c, d, e) = (mine, mine >> 1, mine >> 2, mine >> 3, mine >> 4);
    let (sum, carry) = (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones, other) = (sum ^ d ^ e, sum & d | e & (sum ^ d));
    let (twos, fours) = (carry ^ other, carry & other);
    Rows {
        one: open & ones & !twos & !fours,
        two: open & !ones & twos,
        three: open & ones & twos,
        four: open & !ones & fours,
    }
}

/// What a stone gains and spoils in one line, by the stones of either side on the four places to each side of it; edges
/// are the opponent's stones to whoever is stopped by them.
static PROMISES: LazyLock<Vec<(i16, i16)>> = LazyLock::new(|| {
    let promise = |at: usize| {
        let (mine, theirs) = (spread(at as u32 & 0xff), spread(at as u32 >> 8));
        let (mut gain, mut spoil) = (0, 0);
        for start in 0..5 {
            let count = |stones: u32| (stones >> start & 0x1f).count_ones() as usize;
            match (count(mine), count(theirs)) {
                (n, 0) => gain += GAIN[n],
                (0, n) => spoil += SPOIL[n],
                _ => {}
            }
        }
        (gain.min(30_000) as i16, spoil.min(30_000) as i16)
    };
    (0..1 << 16).map(promise).collect()
});

/// Makes room for the stone in the middle of its eight neighbours.
const fn spread(neighbours: u32) -> u32 {
    neighbours & 0xf | (neighbours & 0xf0) << 1
}

/// The eight places around `place`, without itself.
const fn neighbours(line: u32, place: u32) -> u32 {
    let near = (line as u64) << 4 >> place;
    (near & 0xf | near >> 1 & 0xf0) as u32
}

impl Gomoku {
    /// What a stone on `point` gains or spoils; of whichever matters more in each line, and a bit of the other.
    pub(super) fn urgency(&self, position: &Position, point: Point) -> i32 {
        let (x, y) = position.xy(point);
        let side = position.side();
        let table = &*PROMISES;
        let mut urgency = 0;
        for direction in 0..DIRECTIONS {
            let (mine, place) = position.stones(side).line(direction, x, y);
            let theirs = position.stones(side.other()).line(direction, x, y).0;
            if mine | theirs == 0 {
                urgency += 5;
                continue;
            }
            let edges = !on_board(direction, x, y, position.size());
            let look = |mine: u32, theirs: u32| neighbours(mine, place) | neighbours(theirs, place) << 8;
            // Places before the first are off the board too.
            let before = if place < 4 { 0xf_u32 >> place } else { 0 };
            let gain = table[(look(mine, theirs | edges) | before << 8) as usize].0;
            let spoil = table[(look(mine | edges, theirs) | before) as usize].1;
            urgency += i32::from(gain) + i32::from(spoil);
        }
        urgency
    }
}

/// Whether no stone has been played.
fn is_bare(position: &Position) -> bool {
    position.empty().len() == position.size() * position.size()
}

/// How many points it is from the middle.
fn off_middle(position: &Position, point: Point) -> i32 {
    let (x, y) = position.xy(point);
    let middle = position.size() / 2;
    x.abs_diff(middle).max(y.abs_diff(middle)) as i32
}

fn worth(rows: Rows, [one, two, three, four]: [i32; 4]) -> i32 {
    let quarters = one * rows.one.count_ones() as i32
        + two * rows.two.count_ones() as i32
        + three * rows.three.count_ones() as i32
        + four * rows.four.count_ones() as i32;
    quarters / 4
}

impl Evaluate for Gomoku {
    const TRACES: usize = MAX_SIZE * MAX_SIZE;
    const SWING: i32 = 120;
    const SPREAD: i32 = 50;
    /// Each may follow threats a long way.
    const GLANCE: u64 = 16;

    fn evaluate(&self, position: &Position) -> i32 {
        let side = position.side();
        let mut value = 0;
        for line in lines(position.size()) {
            let mine = position.stones(side).on(line);
            let theirs = position.stones(side.other()).on(line);
            if mine | theirs == 0 {
                continue;
            }
            if mine != 0 {
                value += worth(rows(mine, theirs, line.board), self.weights.moving);
            }
            if theirs != 0 {
                value -= worth(rows(theirs, mine, line.board), self.weights.waiting);
            }
        }
        value
    }

    fn promise(&self, position: &Position, mv: Point) -> i32 {
        if is_bare(position) {
            return -off_middle(position, mv);
        }
        self.urgency(position, mv)
    }

    fn is_tactical(&self, position: &Position, mv: Point) -> bool {
        self.urgency(position, mv) >= URGENT
    }

    /// Fours and threes are followed by [`Evaluate::forced_win`].
    fn tactical_moves(&self, _: &Position, _: &mut Vec<Point>) {}

    fn code(&self, mv: Point) -> u32 {
        1 + u32::from(mv)
    }

    fn trace(&self, _: &Position, mv: Point) -> usize {
        mv.into()
    }

    /// Points next to stones or next but one; where five in a row is near, those that make it or prevent it.
    fn candidates(&self, position: &Position, out: &mut Vec<Point>) {
        let side = position.side();
        if let Some(point) = self.fives(position, side).first {
            return out.push(point);
        }
        if let Some(point) = self.fives(position, side.other()).first {
            // Whoever cannot block both, or may not, has lost; any legal ply shows it.
            match self.forbidden(position, point) {
                false => return out.push(point),
                true => return self.moves(position, out),
            }
        }
        if !self.answers(position, out) {
            self.near(position, out);
        }
        if out.is_empty() {
            self.moves(position, out);
            // Where there is no stone to be near to, the middle is.
            if is_bare(position) {
                out.sort_by_key(|&point| off_middle(position, point));
                out.truncate(1);
            }
        }
    }

    /// The opponent has four in a row or so.
    fn must_answer(&self, position: &Position) -> bool {
        position.winner().is_none() && self.fives(position, position.side().other()).first.is_some()
    }

    fn forced_win(&self, position: &mut Position, depth: i32) -> Option<(Point, u32)> {
        let (fours, threes) = match depth {
            ..=0 => return None,
            1..=2 => (100, 0),
            3..=5 => (200, 200),
            6..=63 => (300, 1000),
            _ => (30_000, 10_000),
        };
        self.victory_by_fours(position, fours)
            .or_else(|| self.victory_by_threes(position, threes))
    }

    /// Stones stay.
    fn is_final(&self, _: &Position, _: Point) -> bool {
        true
    }
}

impl Gomoku {
    /// The legal points at most two from a stone.
    fn near(&self, position: &Position, out: &mut Vec<Point>) {
        let size = position.size();
        let whole = (1u32 << size) - 1;
        let rank = |y: usize| {
            let stones = |seat| position.stones(seat).line(0, 0, y).0;
            stones(Seat::FIRST) | stones(Seat::SECOND)
        };
        for y in 0..size {
            let around = (y.saturating_sub(2)..(y + 3).min(size)).fold(0, |all, y| {
                let stones = rank(y);
                all | stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2
            });
            let mut free = around & whole & !rank(y);
            while free != 0 {
                let point = (y * size) as Point + free.trailing_zeros() as Point;
                free &= free - 1;
                if !self.forbidden(position, point) {
                    out.push(point);
                }
            }
        }
    }
}

impl Tunable for Gomoku {
    type Weights = Weights;

    fn weights(&self) -> &Weights {
        &self.weights
    }

    fn set_weights(&mut self, weights: Weights) {
        self.weights = weights;
    }
}
