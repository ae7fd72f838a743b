//! Nothing is allocated in the search loop.

use super::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The usual allocator, which counts for each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "an allocator cannot be otherwise")]
// SAFETY: all is handed on to the usual allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of one decision.
fn allocations<G: RuleSet + Thinks>(count: u64) -> u64 {
    let game: G = rules("");
    let state = start(&game, "");
    let before = ALLOCATIONS.get();
    think(&game, &state, &nodes(count));
    ALLOCATIONS.get() - before
}

#[test]
fn more_nodes_take_no_more_allocations() {
    for id in ALL {
        let few = for_rules!(id, allocations(5_000));
        let many = for_rules!(id, allocations(25_000));
        // Each depth that is done is told of, with its line.
        assert!(many < few + 400, "{id}: {few} allocations at first, then {many}");
    }
}
