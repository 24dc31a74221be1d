//! [`RwLock`]: data behind a latch word, for paths that are read often and seldom written but not hot enough to need anything better (a
//! read costs two atomic operations on a shared line: not for the path of a point select).

#![allow(unsafe_code)]

use crate::{LatchClass, PageLatch};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Many readers or one writer around `T`. Not poisoned; waiting writers keep new readers out, so never read twice in one thread.
pub struct RwLock<T: ?Sized> {
    raw: PageLatch,
    class: &'static LatchClass,
    data: UnsafeCell<T>,
}

// SAFETY: the latch keeps readers and the writer apart.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above; readers share `&T`.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

impl<T> RwLock<T> {
    /// Unlocked, in a class of the table in [`crate::class`].
    #[cfg(not(loom))]
    pub const fn new(class: &'static LatchClass, value: T) -> RwLock<T> {
        RwLock { raw: PageLatch::new(), class, data: UnsafeCell::new(value) }
    }
    /// Unlocked, in a class of the table in [`crate::class`].
    #[cfg(loom)]
    pub fn new(class: &'static LatchClass, value: T) -> RwLock<T> {
        RwLock { raw: PageLatch::new(), class, data: UnsafeCell::new(value) }
    }
    /// The value.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits and takes it shared.
    #[inline]
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.raw.lock_shared_as(self.class);
        RwLockReadGuard { lock: self, _not_send: PhantomData }
    }
    /// Waits and takes it exclusively.
    #[inline]
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.raw.lock_exclusive_as(self.class);
        RwLockWriteGuard { lock: self, _not_send: PhantomData }
    }
    /// Shared, if that is possible at once.
    pub fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        self.raw.try_lock_shared_as(self.class).then(|| RwLockReadGuard { lock: self, _not_send: PhantomData })
    }
    /// Exclusively, if that is possible at once.
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, T>> {
        self.raw.try_lock_exclusive_as(self.class).then(|| RwLockWriteGuard { lock: self, _not_send: PhantomData })
    }
    /// The value, without locking: the caller owns the lock.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }
}

impl<T: ?Sized + std::fmt::Debug> std::fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.try_read() {
            Some(g) => f.debug_tuple("RwLock").field(&&*g).finish(),
            None => f.write_str("RwLock(<locked>)"),
        }
    }
}

/// Shared hold of a [`RwLock`].
#[must_use]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    _not_send: PhantomData<*const ()>,
}

/// Exclusive hold of a [`RwLock`].
#[must_use]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    _not_send: PhantomData<*const ()>,
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: held shared, nobody writes.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.raw.unlock_shared_as(self.lock.class);
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: held exclusively.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: held exclusively.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.raw.unlock_exclusive_as(self.lock.class);
    }
}
