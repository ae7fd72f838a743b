//! Look-ups: where each kind of piece goes from a point, given the set of occupied points.
//!
//! Lines are looked up by the occupancy of one rank (9 bits, shifted out) or file (10 bits, gathered by a multiplication);
//! legs and eyes by the occupancy of four neighbours (4 bits, gathered likewise). All tables together are about 190 KB,
//! of which a search touches a part that stays in the nearest cache.

use super::{Kind, Point, PointSet, Side};

/// The points that a rook reaches: along each line up to and including the first piece.
#[inline]
#[must_use]
pub const fn rook(from: Point, occupied: PointSet) -> PointSet {
    let rank = RANK[from.file()][rank_bits(from, occupied)].slide;
    let file = FILE[from.rank()][file_bits(from, occupied)].slide;
    on_rank(from, rank).or(on_file(from, file))
}

/// The points that a cannon captures on: on each line the second piece, the first being its screen.
///
/// From an empty point too: where a cannon would have to stand to capture there.
#[inline]
#[must_use]
pub const fn cannon_hops(from: Point, occupied: PointSet) -> PointSet {
    let rank = RANK[from.file()][rank_bits(from, occupied)].hop;
    let file = FILE[from.rank()][file_bits(from, occupied)].hop;
    on_rank(from, rank).or(on_file(from, file))
}

/// [`rook`] and [`cannon_hops`] at once.
#[inline]
#[must_use]
pub const fn lines(from: Point, occupied: PointSet) -> (PointSet, PointSet) {
    let rank = RANK[from.file()][rank_bits(from, occupied)];
    let file = FILE[from.rank()][file_bits(from, occupied)];
    (
        on_rank(from, rank.slide).or(on_file(from, file.slide)),
        on_rank(from, rank.hop).or(on_file(from, file.hop)),
    )
}

/// The points that a horse reaches past free legs.
#[inline]
#[must_use]
pub const fn horse(from: Point, occupied: PointSet) -> PointSet {
    HORSE[from.index()][orthogonal_bits(from, occupied)]
}

/// The points from which a horse reaches `to` past free legs.
#[inline]
#[must_use]
pub const fn horse_attackers(to: Point, occupied: PointSet) -> PointSet {
    HORSE_ATTACKERS[to.index()][diagonal_bits(to, occupied)]
}

/// The point that must be free for a horse to go from `from` to `to`, which is a horse's leap away.
#[inline]
#[must_use]
pub const fn leg(from: Point, to: Point) -> Point {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let leg = match (files, ranks) {
        (_, 2) => from.offset(0, 1),
        (_, -2) => from.offset(0, -1),
        (2, _) => from.offset(1, 0),
        _ => from.offset(-1, 0),
    };
    leg.expect("between two points of the board")
}

/// The points that an elephant standing on `from` reaches past free eyes; it stays on its bank of the river. Where no
/// elephant can stand, none.
#[inline]
#[must_use]
pub const fn elephant(from: Point, occupied: PointSet) -> PointSet {
    ELEPHANT[from.index()][diagonal_bits(from, occupied)]
}

/// The points that an advisor standing on `from` reaches. Where no advisor can stand, none.
#[inline]
#[must_use]
pub const fn advisor(from: Point) -> PointSet {
    ADVISOR[from.index()]
}

/// The points that a king standing on `from` reaches inside its palace. Outside the palaces, none.
#[inline]
#[must_use]
pub const fn king(from: Point) -> PointSet {
    KING[from.index()]
}

/// The points that a pawn of `side` reaches.
#[inline]
#[must_use]
pub const fn pawn(side: Side, from: Point) -> PointSet {
    PAWN[side.index()][from.index()]
}

/// The points from which a pawn of `side` reaches `to`.
#[inline]
#[must_use]
pub const fn pawn_attackers(side: Side, to: Point) -> PointSet {
    PAWN_ATTACKERS[side.index()][to.index()]
}

/// Where a piece of `kind` and `side` on `from` can capture, enemy pieces being there.
#[inline]
#[must_use]
pub const fn captures(kind: Kind, side: Side, from: Point, occupied: PointSet) -> PointSet {
    match kind {
        Kind::Cannon => cannon_hops(from, occupied),
        _ => reach(kind, side, from, occupied),
    }
}

/// Where a piece of `kind` and `side` on `from` can go without capturing, as far as points are free; a point that is
/// not may be included.
#[inline]
#[must_use]
pub const fn reach(kind: Kind, side: Side, from: Point, occupied: PointSet) -> PointSet {
    match kind {
        Kind::King => king(from),
        Kind::Rook | Kind::Cannon => rook(from, occupied),
        Kind::Horse => horse(from, occupied),
        Kind::Elephant => elephant(from, occupied),
        Kind::Advisor => advisor(from),
        Kind::Pawn => pawn(side, from),
    }
}

/// The points strictly between two points of one rank or file; none for others.
#[inline]
#[must_use]
pub const fn between(a: Point, b: Point) -> PointSet {
    let (low, high) = if a.index() < b.index() { (a, b) } else { (b, a) };
    let above_low = PointSet::ALL.0 << low.index() << 1;
    let below_high = (1u128 << high.index()) - 1;
    let span = above_low & below_high;
    if a.rank() == b.rank() {
        PointSet(span)
    } else if a.file() == b.file() {
        PointSet(span & FILE_A << a.file())
    } else {
        PointSet::EMPTY
    }
}

/// The points of the rank and the file of `point`, without itself.
#[inline]
#[must_use]
pub const fn cross(point: Point) -> PointSet {
    let rank = 0x1ff << (point.index() - point.file());
    PointSet((rank | FILE_A << point.file()) ^ 1 << point.index())
}

const FILE_A: u128 = PointSet::file(0).0;

/// What one line gives: bits along the line.
#[derive(Clone, Copy)]
struct Line {
    slide: u16,
    hop: u16,
}

static RANK: [[Line; 1 << Point::FILES]; Point::FILES] = line_table::<9, 512>();
static FILE: [[Line; 1 << Point::RANKS]; Point::RANKS] = line_table::<10, 1024>();

const fn line_table<const LEN: usize, const STATES: usize>() -> [[Line; STATES]; LEN] {
    let mut table = [[Line { slide: 0, hop: 0 }; STATES]; LEN];
    let mut at = 0;
    while at < LEN {
        let mut occupied = 0;
        while occupied < STATES {
            let up = ray::<LEN>(at, 1, occupied);
            let down = ray::<LEN>(at, usize::MAX, occupied);
            table[at][occupied] = Line {
                slide: up.slide | down.slide,
                hop: up.hop | down.hop,
            };
            occupied += 1;
        }
        at += 1;
    }
    table
}

const fn ray<const LEN: usize>(at: usize, step: usize, occupied: usize) -> Line {
    let mut line = Line { slide: 0, hop: 0 };
    let mut screens = 0;
    let mut i = at.wrapping_add(step);
    while i < LEN && screens < 2 {
        let taken = occupied >> i & 1 != 0;
        if screens == 0 {
            line.slide |= 1 << i;
        } else if taken {
            line.hop |= 1 << i;
        }
        screens += taken as u32;
        i = i.wrapping_add(step);
    }
    line
}

#[inline]
const fn rank_bits(point: Point, occupied: PointSet) -> usize {
    (occupied.0 >> (point.index() - point.file())) as usize & 0x1ff
}

#[inline]
const fn on_rank(point: Point, bits: u16) -> PointSet {
    PointSet((bits as u128) << (point.index() - point.file()))
}

// A file has a bit every nine places. Ranks 0–6 lie in the low 63 bits, ranks 7–9 above: either part is gathered into
// neighbouring bits by one multiplication, and spread again by another.
const LOW: usize = 7;
const LOW_MASK: u64 = FILE_A as u64 & ((1 << 63) - 1);

#[inline]
const fn file_bits(point: Point, occupied: PointSet) -> usize {
    // Bit 9k goes to bit 48 + k: the factors are 2^(48 - 8k).
    const GATHER: u64 = 0x0001_0101_0101_0101;
    let file = point.file();
    let low = (occupied.0 as u64 >> file & LOW_MASK).wrapping_mul(GATHER) >> 48 & 0x7f;
    let high = ((occupied.0 >> 63) as u64 >> file & LOW_MASK).wrapping_mul(GATHER) >> 48 & 0x7;
    (low | high << LOW) as usize
}

#[inline]
const fn on_file(point: Point, bits: u16) -> PointSet {
    // Bit k goes to bit 9k: the factors are 2^8k.
    const SPREAD: u64 = 0x0001_0101_0101_0101;
    let file = point.file();
    let low = (((bits as u64 & 0x7f) * SPREAD) & LOW_MASK) << file;
    let high = (((bits as u64 >> LOW) * SPREAD) & LOW_MASK) << file;
    PointSet(low as u128 | (high as u128) << 63)
}

/// The neighbours in the order of [`ORTHOGONAL`].
#[inline]
const fn orthogonal_bits(point: Point, occupied: PointSet) -> usize {
    // Bits 0, 10, 8, 18 go to bits 15, 16, 17, 18; no two products meet.
    let around = (occupied.0 << 9 >> point.index()) as u64 & 0x4_0501;
    (around.wrapping_mul(1 << 15 | 1 << 9 | 1 << 6 | 1) >> 15) as usize & 0xf
}

/// The neighbours in the order of [`DIAGONAL`].
#[inline]
const fn diagonal_bits(point: Point, occupied: PointSet) -> usize {
    // Bits 2, 20, 0, 18 go to bits 20, 21, 22, 23; no two products meet.
    let around = (occupied.0 << 10 >> point.index()) as u64 & 0x14_0005;
    (around.wrapping_mul(1 << 22 | 1 << 18 | 1 << 5 | 1 << 1) >> 20) as usize & 0xf
}

const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (1, 0), (-1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(1, -1), (1, 1), (-1, -1), (-1, 1)];

static HORSE: [[PointSet; 16]; Point::COUNT] = {
    let mut table = [[PointSet::EMPTY; 16]; Point::COUNT];
    let mut i = 0;
    while i < Point::COUNT * 16 * 4 {
        let (index, blocked, leg) = (i / 64, i / 4 % 16, i % 4);
        if blocked >> leg & 1 == 0 {
            let (f, r) = ORTHOGONAL[leg];
            let from = Point::from_index(index).expect("in range");
            // Two steps over the leg, one to either side.
            add(&mut table[index][blocked], from, 2 * f + r, 2 * r + f);
            add(&mut table[index][blocked], from, 2 * f - r, 2 * r - f);
        }
        i += 1;
    }
    table
};

static HORSE_ATTACKERS: [[PointSet; 16]; Point::COUNT] = {
    let mut table = [[PointSet::EMPTY; 16]; Point::COUNT];
    let mut i = 0;
    while i < Point::COUNT * 16 * 4 {
        let (index, blocked, leg) = (i / 64, i / 4 % 16, i % 4);
        if blocked >> leg & 1 == 0 {
            let (f, r) = DIAGONAL[leg];
            let to = Point::from_index(index).expect("in range");
            add(&mut table[index][blocked], to, 2 * f, r);
            add(&mut table[index][blocked], to, f, 2 * r);
        }
        i += 1;
    }
    table
};

static ELEPHANT: [[PointSet; 16]; Point::COUNT] = {
    let mut table = [[PointSet::EMPTY; 16]; Point::COUNT];
    let mut i = 0;
    while i < Point::COUNT * 16 * 4 {
        let (index, blocked, eye) = (i / 64, i / 4 % 16, i % 4);
        let from = Point::from_index(index).expect("in range");
        let (f, r) = DIAGONAL[eye];
        let side = side_of(from);
        if blocked >> eye & 1 == 0 && Kind::Elephant.standing(side).contains(from) {
            add(&mut table[index][blocked], from, 2 * f, 2 * r);
        }
        table[index][blocked].0 &= Kind::Elephant.standing(side).0;
        i += 1;
    }
    table
};

static ADVISOR: [PointSet; Point::COUNT] = stepper(Kind::Advisor, &DIAGONAL);
static KING: [PointSet; Point::COUNT] = stepper(Kind::King, &ORTHOGONAL);

const fn stepper(kind: Kind, steps: &[(i32, i32); 4]) -> [PointSet; Point::COUNT] {
    let mut table = [PointSet::EMPTY; Point::COUNT];
    let mut i = 0;
    while i < Point::COUNT * 4 {
        let from = Point::from_index(i / 4).expect("in range");
        let standing = kind.standing(side_of(from));
        if standing.contains(from) {
            let (f, r) = steps[i % 4];
            add(&mut table[i / 4], from, f, r);
            table[i / 4].0 &= standing.0;
        }
        i += 1;
    }
    table
}

static PAWN: [[PointSet; Point::COUNT]; 2] = pawn_table(1);
static PAWN_ATTACKERS: [[PointSet; Point::COUNT]; 2] = pawn_table(-1);

/// Forwards for `direction` 1, and backwards for -1 with the sideways steps of the points that they start from.
const fn pawn_table(direction: i32) -> [[PointSet; Point::COUNT]; 2] {
    let mut table = [[PointSet::EMPTY; Point::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Point::COUNT {
        let (s, index) = (i / Point::COUNT, i % Point::COUNT);
        let point = Point::from_index(index).expect("in range");
        let forward = if s == 0 { direction } else { -direction };
        add(&mut table[s][index], point, 0, forward);
        // A sideways step stays on its rank, so that either end has crossed the river when the other has.
        if side_of(point).index() != s {
            add(&mut table[s][index], point, 1, 0);
            add(&mut table[s][index], point, -1, 0);
        }
        i += 1;
    }
    table
}

const fn side_of(point: Point) -> Side {
    if PointSet::home(Side::Red).contains(point) {
        Side::Red
    } else {
        Side::Black
    }
}

const fn add(set: &mut PointSet, from: Point, files: i32, ranks: i32) {
    if let Some(to) = from.offset(files, ranks) {
        set.insert(to);
    }
}

#[cfg(test)]
mod tests {
    use super::super::zobrist::mix;
    use super::*;

    /// Sets of all densities.
    fn samples() -> impl Iterator<Item = PointSet> {
        (0..400u64).map(|n| {
            let dense = u128::from(mix(2 * n)) << 64 | u128::from(mix(2 * n + 1));
            let thin = (0..n % 4).fold(u128::MAX, |set, k| {
                let random = u128::from(mix(9 * n + k));
                set & (random | random << 60)
            });
            PointSet(dense & thin & PointSet::ALL.0)
        })
    }

    fn step(from: Point, (f, r): (i32, i32)) -> impl Iterator<Item = Point> {
        (1..10).map_while(move |n| from.offset(n * f, n * r))
    }

    #[test]
    fn sliders_agree_with_walking() {
        for occupied in samples() {
            for from in Point::all() {
                let (mut slides, mut hops) = (PointSet::EMPTY, PointSet::EMPTY);
                for direction in ORTHOGONAL {
                    let mut screens = 0;
                    for to in step(from, direction) {
                        let taken = occupied.contains(to);
                        if screens == 0 {
                            slides.insert(to);
                        } else if screens == 1 && taken {
                            hops.insert(to);
                        }
                        screens += u32::from(taken);
                    }
                }
                assert_eq!(rook(from, occupied), slides);
                assert_eq!(cannon_hops(from, occupied), hops);
                assert_eq!(lines(from, occupied), (slides, hops));
            }
        }
    }

    #[test]
    fn leapers_agree_with_walking() {
        for occupied in samples() {
            let free = |p: Point, (f, r): (i32, i32)| p.offset(f, r).is_some_and(|q| !occupied.contains(q));
            for from in Point::all() {
                for to in Point::all() {
                    let files = to.file() as i32 - from.file() as i32;
                    let ranks = to.rank() as i32 - from.rank() as i32;
                    let leap = (files.abs(), ranks.abs());
                    let leaps = match leap {
                        (1, 2) | (2, 1) => free(from, (files / 2, ranks / 2)),
                        _ => false,
                    };
                    assert_eq!(horse(from, occupied).contains(to), leaps, "{from}{to}");
                    assert_eq!(horse_attackers(to, occupied).contains(from), leaps, "{from}{to}");
                    if matches!(leap, (1, 2) | (2, 1)) {
                        assert_eq!(Some(leg(from, to)), from.offset(files / 2, ranks / 2));
                    }
                    let stands = |p| Side::BOTH.iter().any(|&s| Kind::Elephant.standing(s).contains(p));
                    let strides = leap == (2, 2)
                        && stands(from)
                        && free(from, (files / 2, ranks / 2))
                        && side_of(from) == side_of(to);
                    assert_eq!(elephant(from, occupied).contains(to), strides, "{from}{to}");
                }
            }
        }
    }

    #[test]
    fn steppers_stay_where_they_may_stand() {
        let count = |table: fn(Point) -> PointSet| Point::all().map(|p| table(p).len()).sum::<u32>();
        assert_eq!(count(king), 2 * 24);
        assert_eq!(count(advisor), 2 * 8);
        let point = |text: &str| text.parse::<Point>().unwrap();
        assert_eq!(pawn(Side::Red, point("e4")), PointSet::of(point("e5")));
        assert_eq!(pawn(Side::Red, point("a5")).len(), 2);
        assert_eq!(pawn(Side::Red, point("i9")), PointSet::of(point("h9")));
        assert_eq!(pawn(Side::Black, point("e4")).len(), 3);
        for side in Side::BOTH {
            for from in Point::all() {
                for to in Point::all() {
                    assert_eq!(
                        pawn(side, from).contains(to),
                        pawn_attackers(side, to).contains(from)
                    );
                }
            }
        }
    }

    #[test]
    fn between_and_cross_agree_with_walking() {
        for a in Point::all() {
            let mut reached = PointSet::EMPTY;
            for direction in ORTHOGONAL {
                let mut passed = PointSet::EMPTY;
                for b in step(a, direction) {
                    assert_eq!(between(a, b), passed, "{a}{b}");
                    passed.insert(b);
                }
                reached |= passed;
            }
            assert_eq!(cross(a), reached);
            for b in !reached {
                assert_eq!(between(a, b), PointSet::EMPTY, "{a}{b}");
            }
        }
    }
}
