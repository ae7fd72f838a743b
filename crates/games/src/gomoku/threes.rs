//! Victory by continuous threes and fours: each ply threatens five in a row or a straight four, a four with both ends
//! free, and every answer that could help is tried: those that break all such threats, and fours of the defender's own.

use super::evaluate::rows;
use super::position::{Position, lines};
use super::threats::{Hunt, LONGEST as LONGEST_FOURS, bits};
use super::{Gomoku, Point, Rule, renju};
use xinqi_kernel::Seat;

/// Positions that are remembered.
const REMEMBERED: usize = 512;
/// Positions that each look for a victory by fours alone may take.
const FOURS: u32 = 32;
/// The most threats in a row that are not fours alone.
const LONGEST: u8 = 16;
/// Threats of one position that are tried, and answers.
const MOST: usize = 48;

struct Chase {
    /// Positions that may still be looked at.
    left: u32,
    fours: Hunt,
    seen: [Seen; REMEMBERED],
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy)]
struct Seen {
    key: u64,
    point: Point,
    /// Plies that the victory takes that begins at `point`, 0 where none is known.
    plies: u8,
    /// Where none is known: there is none by so many threats or fewer.
    barren: u8,
}

/// A few points, in the order in which they are tried.
struct Few {
    points: [Point; MOST],
    ranks: [i32; MOST],
    count: usize,
}

impl Few {
    const NONE: Few = Few {
        points: [0; MOST],
        ranks: [0; MOST],
        count: 0,
    };

    fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Adds a point before those of lower rank; the last falls out where there are too many.
    fn add(&mut self, point: Point, rank: i32) {
        let at = self.ranks[..self.count].partition_point(|&other| other >= rank);
        if at == MOST {
            return;
        }
        let kept = self.count.min(MOST - 1);
        self.points.copy_within(at..kept, at + 1);
        self.ranks.copy_within(at..kept, at + 1);
        (self.points[at], self.ranks[at]) = (point, rank);
        self.count = kept + 1;
    }
}

/// Of the rows of six of one line whose ends are free and which hold no stone of the opponent's, by their first
/// places: those with two and with three stones. One stone more between the ends makes a three, or a straight four.
struct Straights {
    two: u32,
    three: u32,
}

const fn straights(mine: u32, theirs: u32, board: u32, exact: bool) -> Straights {
    let clear = board & !theirs;
    let free = clear & !mine;
    let longer = if exact { mine << 1 | mine >> 6 } else { 0 };
    let open = free & free >> 5 & clear >> 1 & clear >> 2 & clear >> 3 & clear >> 4 & !longer;
    let (a, b, c, d) = (mine >> 1, mine >> 2, mine >> 3, mine >> 4);
    let (low, high) = (a ^ b, c ^ d);
    let (lows, highs) = (a & b, c & d);
    Straights {
        two: open & (low & high | lows & !c & !d | highs & !a & !b),
        three: open & (lows & high | highs & low),
    }
}

/// The places of all rows of a `shape` that begin at `starts`.
fn spread(starts: u32, shape: u32) -> u32 {
    bits(starts).fold(0, |places, start| places | shape << start)
}

impl Gomoku {
    /// A win of the side to move by threes and fours: its first ply, and how many plies it takes at most. Looks at
    /// `most` positions.
    pub(super) fn victory_by_threes(&self, position: &mut Position, most: u32) -> Option<(Point, u32)> {
        if position.winner().is_some() {
            return None;
        }
        let mut chase = Chase {
            left: most,
            fours: Hunt::new(0),
            seen: [Seen {
                key: 0,
                point: 0,
                plies: 0,
                barren: 0,
            }; REMEMBERED],
        };
        // Short ways come first.
        (1..=LONGEST).find_map(|longest| self.attack(position, &mut chase, longest))
    }

    /// The only plies of the side to move that may hold against the straight fours that are threatened, added to
    /// `out`; whether there is such a threat. Asked only where neither side can make five.
    pub(super) fn answers(&self, position: &Position, out: &mut Vec<Point>) -> bool {
        let Some(few) = self.defences(position) else {
            return false;
        };
        out.extend(few.points());
        true
    }

    fn attack(&self, position: &mut Position, chase: &mut Chase, longest: u8) -> Option<(Point, u32)> {
        let key = position.key();
        let slot = key as usize % REMEMBERED;
        let seen = chase.seen[slot];
        if seen.key == key {
            if seen.plies > 0 {
                return Some((seen.point, seen.plies.into()));
            } else if seen.barren >= longest {
                return None;
            }
        }
        if chase.left == 0 {
            return None;
        }
        chase.left -= 1;
        let found = if seen.key == key && seen.barren > 0 {
            None
        } else {
            chase.fours.left = FOURS.min(chase.left);
            let before = chase.fours.left;
            let found = self.hunt(position, &mut chase.fours, LONGEST_FOURS);
            chase.left -= before - chase.fours.left;
            found
        };
        let found = match found {
            Some(found) => Some(found),
            None => self.threaten(position, chase, longest),
        };
        if found.is_some() || chase.left > 0 {
            let (point, plies) = found.unwrap_or((0, 0));
            chase.seen[slot] = Seen {
                key,
                point,
                plies: plies as u8,
                barren: longest,
            };
        }
        found
    }

    /// Tries each threat.
    fn threaten(&self, position: &mut Position, chase: &mut Chase, longest: u8) -> Option<(Point, u32)> {
        let us = position.side();
        let blocks = self.fives(position, us.other());
        if blocks.more {
            return None;
        }
        let (threats, longest) = match blocks.first {
            // What is forced is no threat; an earlier one may still stand.
            Some(block) => {
                let mut only = Few::NONE;
                only.add(block, 0);
                (only, longest)
            }
            None => (self.threats(position), longest.checked_sub(1)?),
        };
        for &point in threats.points() {
            if self.forbidden(position, point) {
                continue;
            }
            let undo = position.make(point, self.rule);
            let plies = self.defend(position, chase, longest);
            position.unmake(point, undo);
            if let Some(plies) = plies {
                return Some((point, plies + 1));
            }
            if chase.left == 0 {
                return None;
            }
        }
        None
    }

    /// Tries each answer; how many plies the victory takes, if every one loses.
    fn defend(&self, position: &mut Position, chase: &mut Chase, longest: u8) -> Option<u32> {
        let us = position.side().other();
        if !self.may_move(position) {
            return None;
        }
        let goals = self.fives(position, us);
        let (answers, least) = match goals.first {
            Some(_) if goals.more => return Some(2),
            Some(goal) => {
                let mut only = Few::NONE;
                if !self.forbidden(position, goal) {
                    only.add(goal, 0);
                }
                (only, 2)
            }
            None => (self.defences(position)?, 4),
        };
        let mut most = least;
        for &answer in answers.points() {
            let undo = position.make(answer, self.rule);
            let found = self.attack(position, chase, longest);
            position.unmake(answer, undo);
            let (_, plies) = found?;
            most = most.max(plies + 1);
        }
        Some(most)
    }

    /// The points where the side to move makes a four or a three, the most urgent first.
    fn threats(&self, position: &Position) -> Few {
        let us = position.side();
        let mut few = Few::NONE;
        let mut add = |point| {
            if !few.points().contains(&point) {
                few.add(point, self.urgency(position, point));
            }
        };
        for line in lines(position.size()) {
            let mine = position.stones(us).on(line);
            if mine.count_ones() < 2 {
                continue;
            }
            let theirs = position.stones(us.other()).on(line);
            let fours = rows(mine, theirs, line.board).three;
            let threes = straights(mine, theirs, line.board, self.rule.exact(us)).two;
            for place in bits((spread(fours, 0x1f) | spread(threes, 0x1e)) & !mine) {
                add(line.point(place));
            }
        }
        few
    }

    /// Every legal ply of the side to move that breaks all straight fours that threaten it, or makes a four; nothing
    /// where none threatens. No other ply holds if neither side can make five now.
    fn defences(&self, position: &Position) -> Option<Few> {
        let (us, them) = (position.side(), position.side().other());
        let mut common: Option<[Option<Point>; 3]> = None;
        let mut fours = Few::NONE;
        for line in lines(position.size()) {
            let mine = position.stones(us).on(line);
            let theirs = position.stones(them).on(line);
            if mine.count_ones().max(theirs.count_ones()) < 3 {
                continue;
            }
            for start in bits(straights(theirs, mine, line.board, self.rule.exact(them)).three) {
                let middle = line.point((0x1e << start & !theirs).trailing_zeros());
                if !self.stays_free(position, them, middle) {
                    continue;
                }
                let row = [middle, line.point(start), line.point(start + 5)];
                common = Some(match common {
                    None => row.map(Some),
                    Some(common) => common.map(|point| point.filter(|point| row.contains(point))),
                });
            }
            for place in bits(spread(rows(mine, theirs, line.board).three, 0x1f) & !mine) {
                let point = line.point(place);
                if !fours.points().contains(&point) && !self.forbidden(position, point) {
                    fours.add(point, 0);
                }
            }
        }
        for point in common?.into_iter().flatten() {
            if !fours.points().contains(&point) && !self.forbidden(position, point) {
                fours.add(point, 1);
            }
        }
        Some(fours)
    }

    /// Whether `seat` may play on the empty point whatever the other side does first.
    fn stays_free(&self, position: &Position, seat: Seat, point: Point) -> bool {
        let (x, y) = position.xy(point);
        let stones = |seat| position.stones(seat);
        self.rule != Rule::Renju
            || seat != Seat::FIRST
            || renju::stays_free(stones(Seat::FIRST), stones(Seat::SECOND), position.size(), x, y)
    }
}
