//! What a mechanism adds to the identity of a position.

use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hash};

/// Hashes what stands beside the base's position, whatever the order it is named in; 0 when there is nothing, so that
/// the base's start is its own first occurrence.
pub(crate) fn context<T: Hash>(committed: impl Iterator<Item = T>, reward: bool) -> u64 {
    let hasher = FixedState::default();
    committed
        .map(|one| hasher.hash_one(one))
        .chain(reward.then(|| hasher.hash_one("reward")))
        .fold(0, u64::wrapping_add)
}
