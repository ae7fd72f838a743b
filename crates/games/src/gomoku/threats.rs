//! Victory by continuous fours: each ply threatens five in a row, so that each answer is forced.

use super::evaluate::rows;
use super::position::{DIRECTIONS, Position, lines, on_board, run, step};
use super::{Gomoku, Point};
use xinqi_kernel::Seat;

/// Positions that are remembered to lead nowhere.
const REMEMBERED: usize = 64;
/// The longest run of fours looked at.
pub(super) const LONGEST: u32 = 24;

pub(super) struct Hunt {
    /// Positions that may still be looked at.
    pub(super) left: u32,
    /// Keys of positions without a victory.
    barren: [u64; REMEMBERED],
}

impl Hunt {
    pub(super) const fn new(left: u32) -> Hunt {
        let barren = [0; REMEMBERED];
        Hunt { left, barren }
    }
}

/// Where a side would make five in a row: one such point, and whether there is another.
#[derive(Clone, Copy, Default)]
pub(super) struct Fives {
    pub(super) first: Option<Point>,
    pub(super) more: bool,
}

impl Fives {
    fn add(&mut self, point: Point) {
        match self.first {
            None => self.first = Some(point),
            Some(first) => self.more |= first != point,
        }
    }
}

impl Gomoku {
    /// Where `seat` would make five now.
    pub(super) fn fives(&self, position: &Position, seat: Seat) -> Fives {
        let mut fives = Fives::default();
        for line in lines(position.size()) {
            let mine = position.stones(seat).on(line);
            if mine.count_ones() >= 4 {
                let theirs = position.stones(seat.other()).on(line);
                for place in self.five_places(seat, mine, theirs, line.board) {
                    fives.add(line.point(place));
                }
            }
        }
        fives
    }

    /// The same on the lines through `point`.
    fn fives_near(&self, position: &Position, seat: Seat, point: Point) -> Fives {
        let (x, y) = position.xy(point);
        let size = position.size();
        let mut fives = Fives::default();
        for direction in 0..DIRECTIONS {
            let (mine, here) = position.stones(seat).line(direction, x, y);
            let theirs = position.stones(seat.other()).line(direction, x, y).0;
            for place in self.five_places(seat, mine, theirs, on_board(direction, x, y, size)) {
                let steps = place as isize - here as isize;
                fives.add((point as isize + steps * step(direction, size)) as Point);
            }
        }
        fives
    }

    fn five_places(&self, seat: Seat, mine: u32, theirs: u32, board: u32) -> impl Iterator<Item = u32> + use<> {
        let exact = self.rule.exact(seat);
        bits(rows(mine, theirs, board).four)
            .map(move |start| (0x1f << start & !mine).trailing_zeros())
            .filter(move |&place| !exact || run(mine | 1 << place, place) == 5)
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
            let mut hunt = Hunt::new(left);
            let found = self.hunt(position, &mut hunt, longest);
            left = hunt.left;
            found
        })
    }

    /// The first ply of a win by at most `longest` fours, and how many plies it takes.
    pub(super) fn hunt(&self, position: &mut Position, hunt: &mut Hunt, longest: u32) -> Option<(Point, u32)> {
        let us = position.side();
        if let Some(point) = self.fives(position, us).first {
            return Some((point, 1));
        }
        let key = position.key();
        let remembered = key as usize % REMEMBERED;
        if hunt.left == 0 || longest == 0 || hunt.barren[remembered] == key {
            return None;
        }
        hunt.left -= 1;
        let blocks = self.fives(position, us.other());
        if blocks.more {
            return None;
        }
        for line in lines(position.size()) {
            let mine = position.stones(us).on(line);
            if mine.count_ones() < 3 {
                continue;
            }
            let theirs = position.stones(us.other()).on(line);
            for start in bits(rows(mine, theirs, line.board).three) {
                for place in bits(0x1f << start & !mine) {
                    let point = line.point(place);
                    if blocks.first.is_some_and(|block| block != point) || self.forbidden(position, point) {
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
        let undo = position.make(point, self.rule);
        let goals = self.fives_near(position, us, point);
        let plies = match goals.first {
            None => None,
            // Who has no ply at all is not beaten.
            Some(_) if !self.may_move(position) => None,
            // There is another point besides, or the only answer is forbidden.
            Some(answer) if goals.more || self.forbidden(position, answer) => Some(3),
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

pub(super) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let low = set.trailing_zeros();
            set &= set - 1;
            low
        })
    })
}
