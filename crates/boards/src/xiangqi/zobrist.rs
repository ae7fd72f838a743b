//! Keys for hashing positions.

use super::{Piece, Point};

/// Spreads a number into a key; the same on every machine and in every version.
#[inline]
#[must_use]
pub const fn mix(n: u64) -> u64 {
    // splitmix64
    let mut z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of Black being to move.
pub const BLACK_TO_MOVE: u64 = mix(0xb1ac);

/// The key of `piece` standing on `point`.
#[inline]
#[must_use]
pub const fn piece(piece: Piece, point: Point) -> u64 {
    PIECES[piece.index()][point.index()]
}

static PIECES: [[u64; Point::COUNT]; Piece::COUNT] = {
    let mut table = [[0; Point::COUNT]; Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT * Point::COUNT {
        table[i / Point::COUNT][i % Point::COUNT] = mix(0x1_0000 + i as u64);
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_distinct() {
        let mut keys: BTreeSet<u64> = PIECES.iter().flatten().copied().collect();
        keys.extend([0, BLACK_TO_MOVE]);
        assert_eq!(keys.len(), Piece::COUNT * Point::COUNT + 2);
    }
}
