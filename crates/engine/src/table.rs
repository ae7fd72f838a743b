//! The transposition table.

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found at a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<M> {
    key: u64,
    pub(crate) best: Option<M>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// A table of fixed size; a deeper or newer find replaces what stands in its slot.
pub(crate) struct Transpositions<M> {
    slots: Vec<Option<Slot<M>>>,
    mask: usize,
}

impl<M: Copy> Transpositions<M> {
    /// A table of `2^bits` slots.
    pub(crate) fn new(bits: u32) -> Self {
        Transpositions {
            slots: vec![None; 1 << bits],
            mask: (1 << bits) - 1,
        }
    }

    pub(crate) fn get(&self, key: u64) -> Option<&Slot<M>> {
        self.slots[key as usize & self.mask]
            .as_ref()
            .filter(|slot| slot.key == key)
    }

    pub(crate) fn put(&mut self, key: u64, best: Option<M>, score: i32, depth: i32, bound: Bound) {
        let slot = &mut self.slots[key as usize & self.mask];
        let kept = slot.as_ref().filter(|old| old.key == key);
        let best = best.or(kept.and_then(|old| old.best));
        if kept.is_none_or(|old| depth >= old.depth || bound == Bound::Exact) {
            *slot = Some(Slot {
                key,
                best,
                score,
                depth,
                bound,
            });
        }
    }
}
