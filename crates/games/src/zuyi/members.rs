//! Multisets of piece kinds: a stack, the part of one that moves, or the part that comes back.

use std::fmt;
use xinqi_boards::xiangqi::Kind;

const fn shift(kind: Kind) -> u32 {
    match kind {
        Kind::King => 0,
        kind => 2 * kind as u32 - 1,
    }
}

/// The kind's field in a [`Members`], all bits set: one bit for the king, three for the pawns, two for the others.
const fn field(kind: Kind) -> u16 {
    match kind {
        Kind::King => 1,
        Kind::Pawn => 0b111 << shift(kind),
        kind => 0b11 << shift(kind),
    }
}

/// A set of kinds, laid out as the fields of [`Members`] so that one `&` asks whether any member is of a kind in it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Kinds(u16);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);

    /// One kind alone.
    #[must_use]
    pub const fn one(kind: Kind) -> Kinds {
        Kinds(field(kind))
    }

    /// These kinds and those of `other`.
    #[must_use]
    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Whether `kind` is in the set.
    #[must_use]
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & field(kind) != 0
    }
}

/// At most four members, counted by kind: a field of bits for each, so that joining and parting are `+` and `-`.
///
/// No field can overflow: no side has more pieces of a kind than its [`Kind::full_count`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Members(u16);

/// The most members that a point holds.
pub const MOST: u32 = 4;

// What each bit of a field counts: one, two, four.
const LOW: u16 = bit_of_each_field(0);
const MIDDLE: u16 = bit_of_each_field(1);
const TOP: u16 = bit_of_each_field(2);

const fn bit_of_each_field(bit: u32) -> u16 {
    let (mut bits, mut i) = (0, 0);
    while i < Kind::COUNT {
        let kind = Kind::ALL[i];
        bits |= (1 << bit << shift(kind)) & field(kind);
        i += 1;
    }
    bits
}

impl Members {
    /// Nobody.
    pub const NONE: Members = Members(0);

    /// A lone member.
    #[must_use]
    pub const fn one(kind: Kind) -> Members {
        Members(1 << shift(kind))
    }

    /// As a number below 2¹⁴, for hashing.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether nobody is there.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many members there are.
    #[must_use]
    pub const fn len(self) -> u32 {
        let (low, middle, top) = (self.0 & LOW, self.0 & MIDDLE, self.0 & TOP);
        low.count_ones() + 2 * middle.count_ones() + 4 * top.count_ones()
    }

    /// How many members are of `kind`.
    #[must_use]
    pub const fn count(self, kind: Kind) -> u32 {
        ((self.0 & field(kind)) >> shift(kind)) as u32
    }

    /// Whether some member is of `kind`.
    #[must_use]
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & field(kind) != 0
    }

    /// Whether some member is of a kind in `kinds`.
    #[must_use]
    pub const fn any(self, kinds: Kinds) -> bool {
        self.0 & kinds.0 != 0
    }

    /// Whether every member is of a kind in `kinds`.
    #[must_use]
    pub const fn all(self, kinds: Kinds) -> bool {
        self.0 & !kinds.0 == 0
    }

    /// The kinds that have a member.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        let low = (self.0 | self.0 >> 1 & (LOW & !1) | self.0 >> 2 & (TOP >> 2)) & LOW;
        Kinds(low | low << 1 & MIDDLE | low << 2 & TOP)
    }

    /// The only member's kind, when there is exactly one.
    #[must_use]
    pub const fn lone(self) -> Option<Kind> {
        if !self.0.is_power_of_two() || self.0 & LOW == 0 {
            return None;
        }
        Some(Kind::ALL[self.0.trailing_zeros().div_ceil(2) as usize])
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Members) -> Members {
        Members(self.0 + other.0)
    }

    /// These without `other`, who are all among them.
    #[must_use]
    pub const fn without(self, other: Members) -> Members {
        Members(self.0 - other.0)
    }

    /// Whether all of `other` are among these.
    #[must_use]
    pub fn contains(self, other: Members) -> bool {
        Kind::ALL.iter().all(|&k| other.count(k) <= self.count(k))
    }

    /// What both have in common.
    #[must_use]
    pub fn common(self, other: Members) -> Members {
        Kind::ALL.iter().fold(Members::NONE, |common, &k| {
            Members(common.0 | (self.count(k).min(other.count(k)) as u16) << shift(k))
        })
    }

    /// The members' kinds in member order, each as often as it is there.
    pub fn iter(self) -> impl Iterator<Item = Kind> + Clone {
        Kind::ALL
            .into_iter()
            .flat_map(move |k| std::iter::repeat_n(k, self.count(k) as usize))
    }

    /// The kinds that have a member, in member order, each once.
    #[inline]
    pub fn iter_kinds(self) -> impl Iterator<Item = Kind> + Clone {
        let mut low = self.kinds().0 & LOW;
        std::iter::from_fn(move || {
            let kind = *Kind::ALL.get((low.trailing_zeros() as usize).div_ceil(2))?;
            low &= low - 1;
            Some(kind)
        })
    }

    /// Every part of these, nobody first and everybody last.
    #[must_use]
    pub fn parts(self) -> &'static [Members] {
        let start = PARTS.start[self.0 as usize] as usize;
        let len = PARTS.list[start].0 as usize;
        &PARTS.list[start + 1..=start + len]
    }

    /// Reads letters of `KRNCBAP` in any order.
    ///
    /// # Errors
    /// Says which letter is none, which kind is there more often than a side has it, or that they are too many.
    pub fn parse(text: &str) -> Result<Members, String> {
        let mut members = Members::NONE;
        for letter in text.chars() {
            let Some(kind) = Kind::from_letter(letter) else {
                return Err(format!("{letter:?} is no member; members are K R N C B A P"));
            };
            if members.count(kind) == kind.full_count() {
                return Err(format!("no side has more than {} {letter}", kind.full_count()));
            }
            if members.len() == MOST {
                return Err(format!("a point holds at most {MOST} members"));
            }
            members = members.with(Members::one(kind));
        }
        Ok(members)
    }
}

impl FromIterator<Kind> for Members {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Members {
        kinds
            .into_iter()
            .fold(Members::NONE, |members, k| members.with(Members::one(k)))
    }
}

impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|kind| write!(f, "{}", kind.letter()))
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// The parts of every multiset: at `list[start[bits]]` their number, then the parts.
struct Parts {
    start: [u16; 1 << 14],
    list: [Members; PARTS_LEN],
}

const PARTS_LEN: usize = 2_699;

static PARTS: Parts = list_parts();

/// Adds one to the count of the first kind that has fewer than `limit` has, and empties those before it: counts
/// through all parts of `limit`, nobody coming after everybody.
const fn next_part(part: Members, limit: Members) -> Members {
    let mut next = part.0;
    let mut i = 0;
    while i < Kind::ALL.len() {
        let kind = Kind::ALL[i];
        if Members(next).count(kind) < limit.count(kind) {
            return Members(next + (1 << shift(kind)));
        }
        next &= !field(kind);
        i += 1;
    }
    Members(next)
}

/// All that a side begins with.
const fn supply() -> Members {
    let (mut all, mut i) = (0, 0);
    while i < Kind::COUNT {
        all += (Kind::ALL[i].full_count() as u16) << shift(Kind::ALL[i]);
        i += 1;
    }
    Members(all)
}

const fn list_parts() -> Parts {
    let mut parts = Parts {
        start: [0; 1 << 14],
        list: [Members(0); PARTS_LEN],
    };
    let supply = supply();
    let mut len = 0;
    let mut whole = Members::NONE;
    loop {
        if whole.len() <= MOST {
            parts.start[whole.0 as usize] = len as u16;
            let first = len;
            let mut part = Members::NONE;
            loop {
                len += 1;
                parts.list[len] = part;
                if part.0 == whole.0 {
                    break;
                }
                part = next_part(part, whole);
            }
            parts.list[first] = Members((len - first) as u16);
            len += 1;
        }
        if whole.0 == supply.0 {
            return parts;
        }
        whole = next_part(whole, supply);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Members {
        Members::parse(text).unwrap()
    }

    #[test]
    fn counts_and_order() {
        let stack = members("PNKP");
        assert_eq!(stack.to_string(), "KNPP");
        assert_eq!((stack.len(), stack.count(Kind::Pawn), stack.count(Kind::Rook)), (4, 2, 0));
        assert_eq!(members("PPPP").len(), 4);
        assert_eq!(stack.without(members("NP")), members("KP"));
        assert_eq!(members("RRN").common(members("RNC")), members("RN"));
        assert!(members("RRN").contains(members("RN")) && !members("RN").contains(members("RR")));
        for kind in Kind::ALL {
            assert_eq!(Members::one(kind).lone(), Some(kind));
            assert!(Members::one(kind).kinds() == Kinds::one(kind));
        }
        assert_eq!((members("PP").lone(), members("RR").lone(), Members::NONE.lone()), (None, None, None));
        assert!(members("RRPPP".get(..4).unwrap()).kinds() == Kinds::one(Kind::Rook).or(Kinds::one(Kind::Pawn)));
        assert!(members("PPPP").kinds() == Kinds::one(Kind::Pawn));
    }

    #[test]
    fn parts_are_the_sub_multisets() {
        for text in ["", "R", "RR", "KRNC", "PPPP", "NNPP", "RRNC", "BBAA"] {
            let whole = members(text);
            let parts = whole.parts();
            let expected: u32 = Kind::ALL.iter().map(|&k| whole.count(k) + 1).product();
            assert_eq!(parts.len() as u32, expected, "{text}");
            assert!(parts.iter().all(|&p| whole.contains(p)), "{text}");
            let distinct: std::collections::HashSet<_> = parts.iter().collect();
            assert_eq!(distinct.len(), parts.len(), "{text}");
            assert_eq!((parts[0], parts[parts.len() - 1]), (Members::NONE, whole), "{text}");
        }
    }

    #[test]
    fn refuses_what_no_side_has() {
        for (text, error) in [
            ("RX", "'X' is no member; members are K R N C B A P"),
            ("r", "'r' is no member; members are K R N C B A P"),
            ("KK", "no side has more than 1 K"),
            ("RRR", "no side has more than 2 R"),
            ("PPPPP", "a point holds at most 4 members"),
        ] {
            assert_eq!(Members::parse(text).unwrap_err(), error);
        }
    }
}
