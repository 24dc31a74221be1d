#![allow(unsafe_code)]
//! Latch guards of pages.

use super::{BufferPool, order};
use crate::page::PageBuf;
use crate::page::racy::RacyPage;
use base::PageId;
use std::ops::Deref;

/// A page latched shared; derefs to its bytes.
pub struct SharedPage<'a> {
    pool: &'a BufferPool,
    frame: u32,
}

impl<'a> SharedPage<'a> {
    pub(super) fn new(pool: &'a BufferPool, frame: u32) -> SharedPage<'a> {
        SharedPage { pool, frame }
    }

    /// Version of the bytes: unchanged as long as [`OptPage`]s of this version validate.
    pub fn version(&self) -> u64 {
        self.pool.frame(self.frame).latch.version().unwrap_or(0)
    }

    /// An optimistic view of the same page, valid beyond this guard.
    pub fn to_optimistic(&self) -> OptPage<'a> {
        OptPage { pool: self.pool, frame: self.frame, version: self.version() }
    }
}

impl Deref for SharedPage<'_> {
    type Target = PageBuf;
    #[inline]
    fn deref(&self) -> &PageBuf {
        // SAFETY: held shared as long as self lives, so nobody changes the bytes.
        unsafe { &*self.pool.page_ptr(self.frame) }
    }
}

impl Drop for SharedPage<'_> {
    #[inline]
    fn drop(&mut self) {
        order::left(self.frame);
        self.pool.frame(self.frame).latch.unlock_shared();
    }
}

/// A page latched exclusively, unchanged so far; derefs to its bytes. Changes go through `Mtr::adopt`.
pub struct ExclPage<'a> {
    pool: &'a BufferPool,
    frame: u32,
}

impl<'a> ExclPage<'a> {
    pub(super) fn new(pool: &'a BufferPool, frame: u32) -> ExclPage<'a> {
        ExclPage { pool, frame }
    }

    /// Gives up the guard without unlatching: the mtr takes over.
    pub(crate) fn into_frame(self) -> u32 {
        let f = self.frame;
        std::mem::forget(self);
        f
    }
}

impl Deref for ExclPage<'_> {
    type Target = PageBuf;
    #[inline]
    fn deref(&self) -> &PageBuf {
        // SAFETY: held exclusively as long as self lives.
        unsafe { &*self.pool.page_ptr(self.frame) }
    }
}

impl Drop for ExclPage<'_> {
    fn drop(&mut self) {
        order::left(self.frame);
        // Nothing was changed through this guard, but the frame may just have been filled from disk: new version.
        self.pool.frame(self.frame).latch.unlock_exclusive();
    }
}

/// A page to copy out of without a latch. Everything read is meaningless until [`OptPage::validate`] said yes.
#[derive(Clone, Copy)]
pub struct OptPage<'a> {
    pool: &'a BufferPool,
    frame: u32,
    version: u64,
}

impl<'a> OptPage<'a> {
    pub(super) fn new(pool: &'a BufferPool, frame: u32, version: u64) -> OptPage<'a> {
        OptPage { pool, frame, version }
    }

    /// The bytes, to be read by copies.
    #[inline]
    pub fn racy(&self) -> RacyPage<'a> {
        // SAFETY: frames are mapped as long as the pool lives, which 'a is within.
        unsafe { RacyPage::new(self.pool.page_ptr(self.frame)) }
    }

    /// Whether nothing changed since this view was made (and the frame still holds the same page).
    #[inline]
    #[must_use]
    pub fn validate(&self) -> bool {
        self.pool.frame(self.frame).latch.validate(self.version)
    }

    /// The version, to compare with [`SharedPage::version`] later.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Latches the page shared if it is still the same version; `None` (no waiting) otherwise.
    pub fn try_shared(&self) -> Option<SharedPage<'a>> {
        let ok = self.pool.frame(self.frame).latch.try_lock_shared_at(self.version);
        ok.then(|| {
            let page = SharedPage::new(self.pool, self.frame);
            order::tried(self.frame, &page);
            page
        })
    }

    /// Latches the page exclusively if it is still the same version; `None` (no waiting) otherwise.
    pub fn try_excl(&self) -> Option<ExclPage<'a>> {
        let ok = self.pool.frame(self.frame).latch.try_lock_exclusive_at(self.version);
        ok.then(|| {
            let page = ExclPage::new(self.pool, self.frame);
            order::tried(self.frame, &page);
            page
        })
    }

    /// The page the frame held when this view was made, if it still validates.
    pub fn id(&self) -> Option<PageId> {
        let id = self.pool.frame(self.frame).id();
        self.validate().then_some(id)
    }
}
