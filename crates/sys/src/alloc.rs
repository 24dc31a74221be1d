//! [`Counting`], an allocator around another one that tells `base::memory` how many bytes each thread holds.
//!
//! Counted is what was asked for, not what the allocator rounds it up to. Memory freed by another thread than allocated it makes the first look poorer
//! and the second richer for good; a statement is measured by differences, so that matters to nobody. Two additions to a word of the thread per
//! allocation; no lock, no shared memory.

#![allow(unsafe_code)]

use base::memory::{allocated, freed};
use std::alloc::{GlobalAlloc, Layout, System};

/// What jemalloc is told at its start: pages that nobody uses go back to the system after a second, not after ten. A statement that held much and has ended
/// leaves its pages to another thread's arena otherwise, and the process takes twice what its connections may hold. A thread of jemalloc's own sees to that:
/// without it an arena gives pages back only when somebody uses it, and that of an idle connection is used by nobody. `_RJEM_MALLOC_CONF` in the
/// environment overrides it. Binaries without jemalloc do not look at it.
#[used]
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static MALLOC_CONF: Conf = Conf(c"background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0".as_ptr());

/// A text of C.
#[repr(transparent)]
#[derive(Debug)]
pub struct Conf(*const std::ffi::c_char);

// SAFETY: it points to a constant, which nobody writes.
unsafe impl Sync for Conf {}

/// Counts what passes through it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting<A>(pub A);

/// Blocks from here on come from the system and go straight back to it. A text of `max_allowed_packet` is freed as often as it is copied; its pages
/// would wait for a second in the allocator's hands, of each session that has just made one. Growing such a block moves no bytes either (`mremap`).
pub const HUGE: usize = 8 << 20;

/// glibc moves the size from which it maps a block of its own up to what was freed, at most 32 MiB: blocks below that would stay in its heap.
/// To be called once, before there are other threads. Without glibc there is nothing to do.
pub fn keep_no_huge_blocks() {
    #[cfg(target_env = "gnu")]
    // SAFETY: a call without pointers; no other thread runs yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
    }
}

// SAFETY: every call is passed on with the same arguments, and the answer returned as it is, to one of two allocators that the size chooses, so
// that a block goes back to where it came from; counting touches no allocated memory and does not allocate (the counters are words of the thread
// without a destructor).
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocated(layout.size());
        if layout.size() >= HUGE {
            // SAFETY: the caller keeps `alloc`'s contract, which is the same.
            return unsafe { System.alloc(layout) };
        }
        // SAFETY: as above.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        allocated(layout.size());
        if layout.size() >= HUGE {
            // SAFETY: as above.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: as above.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        freed(layout.size());
        if layout.size() >= HUGE {
            // SAFETY: `p` came from the system, with this layout.
            return unsafe { System.dealloc(p, layout) };
        }
        // SAFETY: `p` came from the allocator inside, with this layout.
        unsafe { self.0.dealloc(p, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.size().max(size) >= HUGE {
            // SAFETY: the caller keeps `realloc`'s contract, which is the same.
            return unsafe { self.realloc_huge(p, layout, size) };
        }
        freed(layout.size());
        allocated(size);
        // SAFETY: as above.
        unsafe { self.0.realloc(p, layout, size) }
    }
}

impl<A: GlobalAlloc> Counting<A> {
    /// `realloc` from or to a huge block.
    ///
    /// # Safety
    /// As for [`GlobalAlloc::realloc`].
    #[cold]
    unsafe fn realloc_huge(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.size() >= HUGE && size >= HUGE {
            freed(layout.size());
            allocated(size);
            // SAFETY: `p` came from the system, with this layout.
            return unsafe { System.realloc(p, layout, size) };
        }
        // SAFETY: the caller promises that `size` with this alignment is a layout, and that `size` is not 0.
        let new = unsafe {
            let new = Layout::from_size_align_unchecked(size, layout.align());
            self.alloc(new)
        };
        if !new.is_null() {
            // SAFETY: both blocks have these many bytes and are different ones; the old one is given back with its layout.
            unsafe {
                std::ptr::copy_nonoverlapping(p, new, layout.size().min(size));
                self.dealloc(p, layout);
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_and_shrink_over_the_edge() {
        let a = Counting(System);
        for align in [1, 16, 4096] {
            for (from, to) in
                [(HUGE / 2, HUGE), (HUGE, HUGE * 3), (HUGE * 3, HUGE - 1), (100, 200), (HUGE - 1, HUGE - 2)]
            {
                let layout = Layout::from_size_align(from, align).expect("a layout");
                // SAFETY: blocks are written within their size and given back with the layout they have.
                unsafe {
                    let p = a.alloc(layout);
                    for i in (0..from).step_by(997) {
                        p.add(i).write((i % 251) as u8);
                    }
                    let p = a.realloc(p, layout, to);
                    assert_eq!(p as usize % align, 0);
                    assert!((0..from.min(to)).step_by(997).all(|i| p.add(i).read() == (i % 251) as u8), "{from} {to}");
                    a.dealloc(p, Layout::from_size_align(to, align).expect("a layout"));
                }
            }
        }
    }
}
