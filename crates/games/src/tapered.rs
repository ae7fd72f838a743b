//! Values that change from the middle game to the endgame.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A value in the middle game and in the endgame, in hundredths of a pawn or so.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tapered(pub(crate) i32, pub(crate) i32);

impl Tapered {
    /// The value where `phase` of `full` is left of the middle game.
    #[inline]
    pub(crate) const fn at(self, phase: i32, full: i32) -> i32 {
        (self.0 * phase + self.1 * (full - phase)) / full
    }

    /// Both numbers.
    pub(crate) fn both(&mut self) -> Vec<&mut i32> {
        vec![&mut self.0, &mut self.1]
    }

    /// The numbers of many, one pair after the other.
    pub(crate) fn all(values: &mut [Tapered]) -> Vec<&mut i32> {
        values.iter_mut().flat_map(Tapered::both).collect()
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0, self.1 - other.1)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Mul<Tapered> for i32 {
    type Output = Tapered;
    #[inline]
    fn mul(self, value: Tapered) -> Tapered {
        Tapered(self * value.0, self * value.1)
    }
}
