//! What an engine keeps from one decision to the next.

use crate::alphabeta::History;
use crate::table::Transpositions;
use std::collections::TryReserveError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What an engine remembers from one decision of a game to the next. Clones share it; use one for each seat and game.
#[derive(Clone, Debug)]
pub struct Memory {
    kept: Arc<Mutex<Option<Kept>>>,
    bits: u32,
}

/// What a decision leaves for the next.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) table: Transpositions,
    /// One for each thread.
    pub(crate) histories: Vec<History>,
}

impl Kept {
    /// A table of `2^bits` entries, and nothing known.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub(crate) fn new(bits: u32) -> Result<Kept, TryReserveError> {
        Ok(Kept {
            table: Transpositions::new(bits)?,
            histories: Vec::new(),
        })
    }
}

impl Memory {
    /// A table of as much as goes into so many megabytes; at least one.
    #[must_use]
    pub fn new(megabytes: usize) -> Memory {
        let bytes = megabytes.clamp(1, 1 << 16) * (1 << 20);
        Memory {
            kept: Arc::default(),
            bits: Transpositions::bits(bytes),
        }
    }

    /// Forgets all.
    pub fn clear(&self) {
        *self.lock() = None;
    }

    /// Forgets all, and has room at hand for what is to come: else the first decision waits until there is.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn prepare(&self) -> Result<(), TryReserveError> {
        let mut kept = self.lock();
        *kept = None;
        *kept = Some(Kept::new(self.bits)?);
        Ok(())
    }

    /// What was left, or nothing known.
    pub(crate) fn take(&self) -> Kept {
        match self.lock().take() {
            Some(mut kept) => {
                kept.table.grow_older();
                kept
            }
            None => Kept::new(self.bits).expect("memory for what is remembered"),
        }
    }

    /// Leaves it for the next decision.
    pub(crate) fn keep(&self, kept: Kept) {
        *self.lock() = Some(kept);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
