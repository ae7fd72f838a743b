//! Victory by continuous fours: each ply threatens five in a row, so that each answer is forced.

use super::evaluate::{all_lines, rows};
use super::position::{DIRECTIONS, Position, on_board, run};
use super::{Gomoku, Point};
use xinqi_kernel::Seat;

/// Positions that are remembered to lead nowhere.
const REMEMBERED: usize = 64;
/// The longest run of fours looked at.
const LONGEST: u32 = 24;

struct Hunt {
    /// Positions that may still be looked at.
    left: u32,
    /// Keys of positions without a victory.
    barren: [u64; REMEMBERED],
}

impl Gomoku {
    /// The points where `seat` would make five in a row now.
    pub(super) fn fives(&self, position: &Position, seat: Seat) -> impl Iterator<Item = Point> {
        all_lines(position.size()).flat_map(move |(direction, x, y)| self.fives_of(position, seat, direction, x, y))
    }

    /// Those of one line, given by any of its points.
    fn fives_of(
        &self,
        position: &Position,
        seat: Seat,
        direction: usize,
        x: usize,
        y: usize,
    ) -> impl Iterator<Item = Point> + use<> {
        let mine = position.stones(seat).line(direction, x, y).0;
        let theirs = position.stones(seat.other()).line(direction, x, y).0;
        let exact = self.rule.exact(seat);
        let four = match mine.count_ones() {
            0..4 => 0,
            _ => rows(mine, theirs, on_board(direction, x, y, position.size())).four,
        };
        let size = position.size();
        bits(four).filter_map(move |start| {
            let place = (0x1f << start & !mine).trailing_zeros();
            let fits = !exact || run(mine | 1 << place, place) == 5;
            fits.then(|| point_of(size, direction, x, y, place))
        })
    }

    /// A win of the side to move by fours alone: its first ply, and how many plies it takes. Looks at `most` positions.
    pub(super) fn victory_by_fours(&self, position: &mut Position, most: u32) -> Option<(Point, u32)> {
        if position.winner().is_some() {
            return None;
        }
        let mut left = most;
        // With time to look, short ways come first.
        let first = if most > 1000 { 1 } else { LONGEST };
        (first..=LONGEST).find_map(|longest| {
            let mut hunt = Hunt {
                left,
                barren: [0; REMEMBERED],
            };
            let found = self.hunt(position, &mut hunt, longest);
            left = hunt.left;
            found
        })
    }

    fn hunt(&self, position: &mut Position, hunt: &mut Hunt, longest: u32) -> Option<(Point, u32)> {
        let us = position.side();
        if let Some(point) = self.fives(position, us).next() {
            return Some((point, 1));
        }
        let key = position.key();
        let remembered = key as usize % REMEMBERED;
        if hunt.left == 0 || longest == 0 || hunt.barren[remembered] == key {
            return None;
        }
        hunt.left -= 1;
        let block = {
            let mut threats = self.fives(position, us.other());
            let block = threats.next();
            if threats.any(|other| Some(other) != block) {
                return None;
            }
            block
        };
        for (direction, x, y) in all_lines(position.size()) {
            let mine = position.stones(us).line(direction, x, y).0;
            if mine.count_ones() < 3 {
                continue;
            }
            let theirs = position.stones(us.other()).line(direction, x, y).0;
            let board = on_board(direction, x, y, position.size());
            for start in bits(rows(mine, theirs, board).three) {
                for place in bits(0x1f << start & !mine) {
                    let point = point_of(position.size(), direction, x, y, place);
                    if block.is_some_and(|block| block != point) || self.forbidden(position, point) {
                        continue;
                    }
                    if let Some(plies) = self.four(position, hunt, longest, point) {
                        return Some((point, plies));
                    }
                }
            }
        }
        hunt.barren[remembered] = key;
        None
    }

    /// How many plies the win takes that begins with this four, if it does.
    fn four(&self, position: &mut Position, hunt: &mut Hunt, longest: u32, point: Point) -> Option<u32> {
        let us = position.side();
        let (x, y) = position.xy(point);
        let undo = position.make(point, self.rule);
        let mut goals = (0..DIRECTIONS).flat_map(|direction| self.fives_of(position, us, direction, x, y));
        let answer = goals.next();
        let unstoppable = answer.is_some_and(|first| goals.any(|other| other != first));
        drop(goals);
        let plies = match answer {
            None => None,
            // There is another point besides, or the only answer is forbidden.
            Some(answer) if unstoppable || self.forbidden(position, answer) => Some(3),
            Some(answer) => {
                let reply = position.make(answer, self.rule);
                let found = match position.winner() {
                    Some(_) => None,
                    None => self.hunt(position, hunt, longest - 1),
                };
                position.unmake(answer, reply);
                found.map(|(_, plies)| plies + 2)
            }
        };
        position.unmake(point, undo);
        plies
    }
}

fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let low = set.trailing_zeros();
            set &= set - 1;
            low
        })
    })
}

/// The point at `place` of the line through `x`, `y`.
fn point_of(size: usize, direction: usize, x: usize, y: usize, place: u32) -> Point {
    let place = place as usize;
    let (x, y) = match direction {
        0 => (place, y),
        1 => (x, place),
        2 => (place, y + place - x),
        _ => (place, x + y - place),
    };
    (y * size + x) as Point
}
