//! [`Counting`], an allocator around another one that tells `base::memory` how many bytes each thread holds.
//!
//! Counted is what was asked for, not what the allocator rounds it up to. Memory freed by another thread than allocated it makes the first look poorer
//! and the second richer for good; a statement is measured by differences, so that matters to nobody. Two additions to a word of the thread per
//! allocation; no lock, no shared memory.

#![allow(unsafe_code)]

use base::memory::{allocated, freed};
use std::alloc::{GlobalAlloc, Layout};

/// What jemalloc is told at its start: pages that nobody uses go back to the system after a second, not after ten. A statement that held much and has ended
/// leaves its pages to another thread's arena otherwise, and the process takes twice what its connections may hold. `_RJEM_MALLOC_CONF` in the
/// environment overrides it. Binaries without jemalloc do not look at it.
#[used]
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static MALLOC_CONF: Conf = Conf(c"dirty_decay_ms:1000,muzzy_decay_ms:0".as_ptr());

/// A text of C.
#[repr(transparent)]
#[derive(Debug)]
pub struct Conf(*const std::ffi::c_char);

// SAFETY: it points to a constant, which nobody writes.
unsafe impl Sync for Conf {}

/// Counts what passes through it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting<A>(pub A);

// SAFETY: every call is passed on with the same arguments, and the answer returned as it is; counting touches no allocated memory and does not
// allocate (the counters are words of the thread without a destructor).
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocated(layout.size());
        // SAFETY: the caller keeps `alloc`'s contract, which is the same.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        allocated(layout.size());
        // SAFETY: as above.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: `p` came from the allocator inside, with this layout.
        unsafe { self.0.dealloc(p, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        freed(layout.size());
        allocated(size);
        // SAFETY: as above; `size` is not 0 by the caller's contract.
        unsafe { self.0.realloc(p, layout, size) }
    }
}
