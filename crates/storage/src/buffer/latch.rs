//! The page latch of a frame: shared/exclusive with a version for optimistic readers.
//!
//! Stand-in on parking_lot until `latch::PageLatch` is wired in: same contract. The version is odd while held exclusively
//! and grows with every exclusive hold.

#![allow(unsafe_code)]

use parking_lot::RawRwLock;
use parking_lot::lock_api::{RawRwLock as _, RawRwLockDowngrade as _};
use std::sync::atomic::{AtomicU64, Ordering, fence};

pub(crate) struct FrameLatch {
    raw: RawRwLock,
    version: AtomicU64,
}

impl FrameLatch {
    pub(crate) const fn new() -> FrameLatch {
        FrameLatch { raw: RawRwLock::INIT, version: AtomicU64::new(0) }
    }

    #[inline]
    pub(crate) fn lock_shared(&self) {
        self.raw.lock_shared();
    }
    #[inline]
    pub(crate) fn try_lock_shared(&self) -> bool {
        self.raw.try_lock_shared()
    }
    /// The caller must hold it shared.
    #[inline]
    pub(crate) fn unlock_shared(&self) {
        // SAFETY: held shared by the caller (guards only).
        unsafe { self.raw.unlock_shared() }
    }
    #[inline]
    pub(crate) fn lock_exclusive(&self) {
        self.raw.lock_exclusive();
        self.begin();
    }
    #[inline]
    pub(crate) fn try_lock_exclusive(&self) -> bool {
        let ok = self.raw.try_lock_exclusive();
        if ok {
            self.begin();
        }
        ok
    }
    fn begin(&self) {
        self.version.store(self.version.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        // The odd version must be visible before any of the page's bytes change.
        fence(Ordering::Release);
    }
    fn end(&self) {
        self.version.store(self.version.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
    /// The caller must hold it exclusively.
    #[inline]
    pub(crate) fn unlock_exclusive(&self) {
        self.end();
        // SAFETY: held exclusively by the caller (guards only).
        unsafe { self.raw.unlock_exclusive() }
    }
    /// Exclusive becomes shared without a gap.
    pub(crate) fn downgrade(&self) {
        self.end();
        // SAFETY: held exclusively by the caller (guards only).
        unsafe { self.raw.downgrade() }
    }
    /// The version to validate against later; `None` while held exclusively.
    #[inline]
    pub(crate) fn optimistic(&self) -> Option<u64> {
        let v = self.version.load(Ordering::Acquire);
        (v & 1 == 0).then_some(v)
    }
    /// Whether nobody held it exclusively since `version` was read.
    #[inline]
    pub(crate) fn validate(&self, version: u64) -> bool {
        fence(Ordering::Acquire);
        self.version.load(Ordering::Relaxed) == version
    }
}
