//! Sets of points.

use super::{Point, Side};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// A set of points: bit *i* is the point of index *i*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PointSet(pub u128);

impl PointSet {
    /// No point.
    pub const EMPTY: PointSet = PointSet(0);
    /// Every point.
    pub const ALL: PointSet = PointSet((1 << Point::COUNT) - 1);

    /// The set of one point.
    #[inline]
    #[must_use]
    pub const fn of(point: Point) -> PointSet {
        PointSet(1 << point.index())
    }

    /// The points of one file.
    #[inline]
    #[must_use]
    pub const fn file(file: usize) -> PointSet {
        const FIRST: u128 = {
            let mut set = 0;
            let mut rank = 0;
            while rank < Point::RANKS {
                set |= 1 << (rank * Point::FILES);
                rank += 1;
            }
            set
        };
        PointSet(FIRST << file)
    }

    /// The points of one rank.
    #[inline]
    #[must_use]
    pub const fn rank(rank: usize) -> PointSet {
        PointSet(0x1ff << (rank * Point::FILES))
    }

    /// The half of the board on a side's own bank of the river.
    #[inline]
    #[must_use]
    pub const fn home(side: Side) -> PointSet {
        const HALF: u128 = (1 << (Point::COUNT / 2)) - 1;
        match side {
            Side::Red => PointSet(HALF),
            Side::Black => PointSet(HALF << (Point::COUNT / 2)),
        }
    }

    /// The nine points of a side's palace.
    #[inline]
    #[must_use]
    pub const fn palace(side: Side) -> PointSet {
        const THREE: u128 = 0b111 << 3;
        const RED: u128 = THREE | THREE << 9 | THREE << 18;
        match side {
            Side::Red => PointSet(RED),
            Side::Black => PointSet(RED << 63),
        }
    }

    /// Whether `point` is a member.
    #[inline]
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.index() & 1 != 0
    }

    /// Adds `point`.
    #[inline]
    pub const fn insert(&mut self, point: Point) {
        self.0 |= 1 << point.index();
    }

    /// Takes `point` out.
    #[inline]
    pub const fn remove(&mut self, point: Point) {
        self.0 &= !(1 << point.index());
    }

    /// The union, where operators cannot be used.
    #[inline]
    #[must_use]
    pub const fn or(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }

    /// How many members there are.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether there is no member.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a point.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: PointSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are at least two members.
    #[inline]
    #[must_use]
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The member of the lowest index.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Point> {
        Point::from_index(self.0.trailing_zeros() as usize)
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        points
            .into_iter()
            .fold(PointSet::EMPTY, |set, p| set | PointSet::of(p))
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    #[inline]
    fn into_iter(self) -> Points {
        Points {
            low: self.0 as u64,
            high: (self.0 >> 64) as u64,
        }
    }
}

/// The members of a set, by index.
#[derive(Clone, Debug)]
pub struct Points {
    low: u64,
    high: u64,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Point::from_index(index as usize)
        } else if self.high != 0 {
            let index = 64 + self.high.trailing_zeros();
            self.high &= self.high - 1;
            Point::from_index(index as usize)
        } else {
            None
        }
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;
    #[inline]
    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(self.0 & other.0)
    }
}

impl BitOr for PointSet {
    type Output = PointSet;
    #[inline]
    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }
}

impl BitXor for PointSet {
    type Output = PointSet;
    #[inline]
    fn bitxor(self, other: PointSet) -> PointSet {
        PointSet(self.0 ^ other.0)
    }
}

impl Sub for PointSet {
    type Output = PointSet;
    #[inline]
    fn sub(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }
}

impl Not for PointSet {
    type Output = PointSet;
    #[inline]
    fn not(self) -> PointSet {
        PointSet(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for PointSet {
    #[inline]
    fn bitand_assign(&mut self, other: PointSet) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: PointSet) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for PointSet {
    #[inline]
    fn bitxor_assign(&mut self, other: PointSet) {
        self.0 ^= other.0;
    }
}

impl SubAssign for PointSet {
    #[inline]
    fn sub_assign(&mut self, other: PointSet) {
        self.0 &= !other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_the_right_points() {
        assert_eq!(PointSet::ALL.len(), 90);
        for side in [Side::Red, Side::Black] {
            assert_eq!(PointSet::palace(side).len(), 9);
            assert_eq!(PointSet::home(side).len(), 45);
            assert_eq!(PointSet::palace(side) - PointSet::home(side), PointSet::EMPTY);
        }
        let black: PointSet = PointSet::palace(Side::Red)
            .into_iter()
            .map(Point::turned)
            .collect();
        assert_eq!(black, PointSet::palace(Side::Black));
        assert_eq!(!PointSet::home(Side::Red), PointSet::home(Side::Black));
        assert_eq!(
            (PointSet::file(4) & PointSet::rank(9)).first(),
            Some(Point::new(4, 9))
        );
    }

    #[test]
    fn iteration_gives_the_members_in_order() {
        let set: PointSet = Point::all().filter(|p| p.index() % 7 == 1).collect();
        let members: Vec<_> = set.into_iter().map(Point::index).collect();
        assert_eq!(members, [1, 8, 15, 22, 29, 36, 43, 50, 57, 64, 71, 78, 85]);
        assert_eq!(set.len() as usize, members.len());
        assert_eq!(PointSet::EMPTY.first(), None);
    }
}
