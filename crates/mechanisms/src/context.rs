//! What a mechanism adds to the identity of a position.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Hashes what stands beside the base's position; 0 when there is nothing, so that the base's start is its own
/// first occurrence.
pub(crate) fn context<T: Hash>(committed: &[T], reward: bool) -> u64 {
    if committed.is_empty() && !reward {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    committed.hash(&mut hasher);
    reward.hash(&mut hasher);
    hasher.finish()
}
