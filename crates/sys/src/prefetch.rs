//! Cache lines asked for ahead of their use.
//!
//! What a repeated statement needs to know of its plan and tables lies in some forty cache lines all over the heap. Read one after the other where the
//! code needs them, each that has gone cold costs its full latency; asked for together they come at once. The addresses are gathered when
//! the plan is first run, which costs a few hundred bytes, and given to the processor at every later run. A hint changes nothing but time: an
//! address whose memory has been freed since is as harmless as any other.
#![allow(unsafe_code)]

use std::sync::Arc;

/// Bytes that come together.
const LINE: usize = 64;
/// More than this (a plan of many tables) is not worth the requests: the processor keeps about as many under way.
const MOST: usize = 96;

/// Collects the lines of parts of data structures.
#[derive(Debug, Default)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// All lines of a value itself, not of what it points to. Empty ones have none.
    pub fn add<T: ?Sized>(&mut self, value: &T) {
        self.add_range(std::ptr::from_ref(value).cast::<u8>().addr(), size_of_val(value));
    }

    /// Takes out again what lies wholly in a part of what has been added.
    pub fn leave_out<T: ?Sized>(&mut self, part: &T) {
        let at = std::ptr::from_ref(part).cast::<u8>().addr();
        let inside = at..at + size_of_val(part);
        self.0.retain(|l| !(inside.contains(l) && l + LINE <= inside.end));
    }

    /// All lines of `size` bytes at an address.
    pub fn add_range(&mut self, at: usize, size: usize) {
        if size > 0 {
            self.0.extend((at / LINE..=(at + size - 1) / LINE).map(|l| l * LINE));
        }
    }

    /// The line with the counts of an `Arc`, which lie before the value.
    pub fn add_counts<T: ?Sized>(&mut self, shared: &Arc<T>) {
        let before = align_of_val(&**shared).max(2 * size_of::<usize>());
        self.0.push((Arc::as_ptr(shared).cast::<u8>().addr() - before) / LINE * LINE);
    }

    /// Runs of neighbouring lines, at most `longest` each: number of the first line (its address divided by 64) and how many.
    pub fn runs(mut self, longest: usize) -> impl Iterator<Item = (usize, usize)> {
        self.0.sort_unstable();
        self.0.dedup();
        let mut out: Vec<(usize, usize)> = Vec::new();
        for l in self.0.iter().map(|l| l / LINE) {
            match out.last_mut() {
                Some((first, n)) if *first + *n == l && *n < longest => *n += 1,
                _ => out.push((l, 1)),
            }
        }
        out.into_iter()
    }

    /// The lines, each once, in the order in which they were added; at most 96.
    pub fn finish(self) -> Box<[usize]> {
        let mut out: Vec<usize> = Vec::with_capacity(MOST);
        for l in self.0 {
            if out.len() < MOST && !out.contains(&l) {
                out.push(l);
            }
        }
        out.into()
    }
}

/// Asks for all of them; does not wait.
#[inline]
pub fn prefetch(lines: &[usize]) {
    for l in lines {
        prefetch_line(*l);
    }
}

/// Asks for the lines of a value itself.
#[inline]
pub fn of<T>(value: &T) {
    let at = std::ptr::from_ref(value).addr();
    run(at / LINE, (at + size_of::<T>()).div_ceil(LINE) - at / LINE);
}

/// Asks for `n` lines from the one with this number on ([`Lines::runs`]).
#[inline]
pub fn run(first: usize, n: usize) {
    for l in first..first.saturating_add(n) {
        prefetch_line(l.wrapping_mul(LINE));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_line(at: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: PREFETCHT0 reads no memory as far as the program can see and never faults, whatever the address (Intel SDM volume 2, PREFETCHh).
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::without_provenance(at)) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn prefetch_line(_at: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_values() {
        #[repr(align(64))]
        struct Aligned([u8; 200]);
        let a = Aligned([1; 200]);
        let at = a.0.as_ptr().addr();
        let mut l = Lines::default();
        l.add(&a.0[70..72]);
        l.add(&a.0);
        l.add(&a.0[63..65]);
        l.add(&a.0[..0]);
        let got = l.finish();
        assert_eq!(*got, [at + 64, at, at + 128, at + 192]);
        prefetch(&got);
        prefetch(&[0, 64, usize::MAX]);
        run(0, 3);
        run(usize::MAX, 2);
        of(&a);
        let mut many = Lines::default();
        many.add(&vec![0u8; 64 * 200][..]);
        assert_eq!(many.finish().len(), 96);
    }

    #[test]
    fn a_part_is_left_out() {
        #[repr(C, align(64))]
        struct Whole([u8; 100], [u8; 300], [u8; 112]);
        let w = Whole([0; 100], [0; 300], [0; 112]);
        let at = w.0.as_ptr().addr() / LINE;
        let mut l = Lines::default();
        l.add(&w);
        l.leave_out(&w.1);
        assert_eq!(l.runs(8).collect::<Vec<_>>(), [(at, 2), (at + 6, 2)]);
        assert_eq!(w.2.len(), 112);
    }

    #[test]
    fn neighbours_are_one_run() {
        let mut l = Lines::default();
        for (at, size) in [(640, 64), (0, 1), (700, 8), (127, 2), (6400, 64 * 5)] {
            l.add_range(at, size);
        }
        assert_eq!(l.runs(3).collect::<Vec<_>>(), [(0, 3), (10, 2), (100, 3), (103, 2)]);
    }
}
