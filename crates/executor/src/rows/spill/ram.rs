//! Memory that all internal temporary tables of the server share: `temptable_max_ram`.
//!
//! A table claims what it holds in steps; short ones claim nothing. One counter, written once for 256 KB of rows. A claim is given
//! back when the table goes, so an error on the way leaves nothing behind.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes claimed by all tables.
static CLAIMED: AtomicUsize = AtomicUsize::new(0);
/// Below it a table claims nothing.
const FREE: usize = 64 << 10;
/// Bytes claimed at a time.
const STEP: usize = 256 << 10;

/// What one table has claimed.
#[derive(Debug, Default)]
pub struct Claim(usize);

impl Claim {
    /// Whether the table may hold `size` bytes when all tables together may hold `most`.
    #[inline]
    pub fn covers(&mut self, size: usize, most: u64) -> bool {
        size <= self.0.max(FREE) || self.grow(size, most)
    }

    #[cold]
    fn grow(&mut self, size: usize, most: u64) -> bool {
        let more = size.next_multiple_of(STEP) - self.0;
        let before = CLAIMED.fetch_add(more, Ordering::Relaxed);
        if (before + more) as u64 > most {
            CLAIMED.fetch_sub(more, Ordering::Relaxed);
            return false;
        }
        self.0 += more;
        true
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.0 > 0 {
            CLAIMED.fetch_sub(self.0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_share_the_memory() {
        let (mut a, mut b) = (Claim::default(), Claim::default());
        assert!(a.covers(1000, 0), "short tables claim nothing");
        assert!(a.covers(FREE + 1, 1 << 40));
        assert!(!b.covers(FREE + 1, STEP as u64), "the other one has it all");
        drop(a);
        assert!(b.covers(FREE + 1, 1 << 40));
    }
}
