//! The transposition table: shared by threads without locks, kept from one decision to the next.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The code of the best ply; 0 where none is known.
    pub(crate) best: u32,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// The static value; none in check.
    pub(crate) eval: Option<i32>,
}

/// Decisions ago that an entry was made, modulo this.
const AGES: u64 = 64;

/// Two words an entry: what was found, and the upper part of the key above the static value, with the former mixed in,
/// so that halves of two entries, written by two threads at once, are no entry.
#[derive(Default, Debug)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// What is known of `key`: both words, if the entry is about it.
    fn read(&self, key: u64) -> Option<(u64, u16)> {
        let data = self.data.load(Ordering::Relaxed);
        let checked = self.check.load(Ordering::Relaxed) ^ data;
        ((checked ^ key) >> EVAL_BITS == 0 && data != 0).then_some((data, checked as u16))
    }
}

/// The lowest bits of a key, which choose the bucket, make room for the static value.
const EVAL_BITS: u32 = 16;
/// Stands for no static value.
const NO_EVAL: i16 = i16::MIN;

/// Where the entries of a key are: one line of the cache.
#[derive(Default, Debug)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

#[derive(Debug)]
pub(crate) struct Transpositions {
    buckets: Vec<Bucket>,
    age: u64,
}

impl Transpositions {
    /// A table of `2^bits` entries.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub(crate) fn new(bits: u32) -> Result<Self, TryReserveError> {
        let count = (1usize << bits).div_ceil(size_of::<Bucket>() / size_of::<Slot>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Transpositions { buckets, age: 1 })
    }

    /// The logarithm of how many entries go into so many bytes.
    pub(crate) fn bits(bytes: usize) -> u32 {
        (bytes / size_of::<Slot>()).ilog2()
    }

    fn bucket(&self, key: u64) -> &[Slot; 4] {
        // The number of buckets is a power of two.
        &self.buckets[key as usize & (self.buckets.len() - 1)].0
    }

    /// A new decision: what is in the table is older from now on.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    pub(crate) fn get(&self, key: u64) -> Option<Found> {
        let (data, eval) = self.bucket(key).iter().find_map(|slot| slot.read(key))?;
        Some(unpack(data, eval as i16))
    }

    pub(crate) fn put(&self, key: u64, mut found: Found) {
        let mut replaced = &self.bucket(key)[0];
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                replaced = slot;
                least = i32::MIN;
                continue;
            }
            let old = unpack(data, NO_EVAL);
            if slot.read(key).is_some() {
                if found.best == 0 {
                    found.best = old.best;
                }
                let fresh = age(data) == self.age;
                if fresh && found.bound != Bound::Exact && found.depth + 3 < old.depth {
                    return;
                }
                replaced = slot;
                break;
            }
            let years = (self.age + AGES - age(data)) % AGES;
            let worth = old.depth - 8 * years as i32;
            if worth < least {
                (replaced, least) = (slot, worth);
            }
        }
        let data = pack(found, self.age);
        let eval = found.eval.map_or(NO_EVAL, |eval| eval as i16) as u16;
        let checked = key >> EVAL_BITS << EVAL_BITS | u64::from(eval);
        replaced.data.store(data, Ordering::Relaxed);
        replaced.check.store(checked ^ data, Ordering::Relaxed);
    }
}

/// Code, score, depth, bound (never all zero: it is stored plus one) and age, from the highest bits down.
fn pack(found: Found, age: u64) -> u64 {
    u64::from(found.best) << 32
        | u64::from(found.score as i16 as u16) << 16
        | (found.depth.clamp(0, 255) as u64) << 8
        | age << 2
        | (found.bound as u64 + 1)
}

fn unpack(data: u64, eval: i16) -> Found {
    Found {
        best: (data >> 32) as u32,
        score: i32::from((data >> 16) as u16 as i16),
        depth: (data >> 8 & 0xff) as i32,
        bound: match data & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            _ => Bound::AtMost,
        },
        eval: (eval != NO_EVAL).then_some(i32::from(eval)),
    }
}

fn age(data: u64) -> u64 {
    data >> 2 & (AGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(best: u32, score: i32, depth: i32, bound: Bound) -> Found {
        Found {
            best,
            score,
            depth,
            bound,
            eval: (score != 0).then_some(-score),
        }
    }

    #[test]
    fn what_is_put_is_got() {
        let table = Transpositions::new(8).unwrap();
        for (n, bound) in [Bound::Exact, Bound::AtLeast, Bound::AtMost]
            .into_iter()
            .enumerate()
        {
            for score in [-32_000, -1, 0, 31_999] {
                let entry = found(u32::MAX - n as u32, score, 99, bound);
                table.put(0x1234_5678_9abc_def0 + n as u64, entry);
                assert_eq!(table.get(0x1234_5678_9abc_def0 + n as u64), Some(entry));
            }
        }
        assert_eq!(table.get(77), None);
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_and_oldest_first() {
        let mut table = Transpositions::new(2).unwrap();
        let key = |n: u64| n << EVAL_BITS;
        for n in 1..=4 {
            table.put(key(n), found(1, 0, 10 * n as i32, Bound::Exact));
        }
        table.put(key(5), found(1, 0, 1, Bound::Exact));
        assert_eq!(table.get(key(1)), None);
        assert!((2..=5).all(|n| table.get(key(n)).is_some()));
        for _ in 0..9 {
            table.grow_older();
        }
        table.put(key(6), found(1, 0, 1, Bound::Exact));
        table.put(key(7), found(1, 0, 2, Bound::Exact));
        assert!(table.get(key(6)).is_some() && table.get(key(7)).is_some());
    }

    #[test]
    fn the_best_ply_outlives_a_find_without_one() {
        let table = Transpositions::new(4).unwrap();
        table.put(9, found(42, 5, 3, Bound::AtLeast));
        table.put(9, found(0, -5, 3, Bound::AtMost));
        assert_eq!(table.get(9).map(|found| found.best), Some(42));
    }
}
