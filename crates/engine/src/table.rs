//! The transposition table: shared by threads without locks, kept from one decision to the next.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

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
}

/// Decisions ago that an entry was made, modulo this.
const AGES: u64 = 64;

/// Two words an entry: what was found, and the key with the former mixed in, so that halves of two entries, written by
/// two threads at once, are no entry.
#[derive(Default, Debug)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

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
    pub(crate) fn new(bits: u32) -> Self {
        let buckets = (1usize << bits).div_ceil(size_of::<Bucket>() / size_of::<Slot>());
        Transpositions {
            buckets: std::iter::repeat_with(Bucket::default).take(buckets).collect(),
            age: 1,
        }
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
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key && data != 0).then(|| unpack(data))
        })
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
            let old = unpack(data);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
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
        replaced.data.store(data, Ordering::Relaxed);
        replaced.check.store(key ^ data, Ordering::Relaxed);
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

fn unpack(data: u64) -> Found {
    Found {
        best: (data >> 32) as u32,
        score: i32::from((data >> 16) as u16 as i16),
        depth: (data >> 8 & 0xff) as i32,
        bound: match data & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            _ => Bound::AtMost,
        },
    }
}

fn age(data: u64) -> u64 {
    data >> 2 & (AGES - 1)
}

/// What an engine remembers from one decision of a game to the next. Clones share it; use one for each seat and game.
#[derive(Clone, Debug)]
pub struct Memory {
    kept: Arc<Mutex<Option<Transpositions>>>,
    bits: u32,
}

impl Memory {
    /// As much as goes into so many megabytes; at least one.
    #[must_use]
    pub fn new(megabytes: usize) -> Memory {
        let entries = megabytes.clamp(1, 1 << 16) * (1 << 20) / size_of::<Slot>();
        Memory {
            kept: Arc::default(),
            bits: entries.ilog2(),
        }
    }

    /// Forgets all.
    pub fn clear(&self) {
        *self.lock() = None;
    }

    /// The table as it was left, or an empty one.
    pub(crate) fn take(&self) -> Transpositions {
        match self.lock().take() {
            Some(mut table) => {
                table.grow_older();
                table
            }
            None => Transpositions::new(self.bits),
        }
    }

    /// Keeps the table for the next decision.
    pub(crate) fn keep(&self, table: Transpositions) {
        *self.lock() = Some(table);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Transpositions>> {
        self.kept
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
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
        }
    }

    #[test]
    fn what_is_put_is_got() {
        let table = Transpositions::new(8);
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
        let mut table = Transpositions::new(2);
        for key in 1..=4 {
            table.put(key, found(1, 0, 10 * key as i32, Bound::Exact));
        }
        table.put(5, found(1, 0, 1, Bound::Exact));
        assert_eq!(table.get(1), None);
        assert!((2..=5).all(|key| table.get(key).is_some()));
        for _ in 0..9 {
            table.grow_older();
        }
        table.put(6, found(1, 0, 1, Bound::Exact));
        table.put(7, found(1, 0, 2, Bound::Exact));
        assert!(table.get(6).is_some() && table.get(7).is_some());
    }

    #[test]
    fn the_best_ply_outlives_a_find_without_one() {
        let table = Transpositions::new(4);
        table.put(9, found(42, 5, 3, Bound::AtLeast));
        table.put(9, found(0, -5, 3, Bound::AtMost));
        assert_eq!(table.get(9).map(|found| found.best), Some(42));
    }
}
