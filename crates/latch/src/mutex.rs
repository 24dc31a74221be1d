//! [`Mutex`]: data behind a latch word. Not poisoned by a panic: the guard is dropped while unwinding and the next one comes in, so
//! code under a mutex must leave data valid at every point that can panic.

#![allow(unsafe_code)]

use crate::{LatchClass, PageLatch};
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};

/// Mutual exclusion around `T`; 8 bytes of latch, one pointer to the class.
pub struct Mutex<T: ?Sized> {
    raw: PageLatch,
    class: &'static LatchClass,
    data: UnsafeCell<T>,
}

// SAFETY: the latch lets one thread at a time reach the data.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    /// Unlocked, in a class of the table in [`crate::class`].
    #[cfg(not(loom))]
    pub const fn new(class: &'static LatchClass, value: T) -> Mutex<T> {
        Mutex { raw: PageLatch::new(), class, data: UnsafeCell::new(value) }
    }
    /// Unlocked, in a class of the table in [`crate::class`].
    #[cfg(loom)]
    pub fn new(class: &'static LatchClass, value: T) -> Mutex<T> {
        Mutex { raw: PageLatch::new(), class, data: UnsafeCell::new(value) }
    }
    /// The value.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until it is free and takes it.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.raw.lock_exclusive_as(self.class);
        MutexGuard { mutex: self, _not_send: std::marker::PhantomData }
    }
    /// Takes it if it is free.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.raw
            .try_lock_exclusive_as(self.class)
            .then(|| MutexGuard { mutex: self, _not_send: std::marker::PhantomData })
    }
    /// The value, without locking: the caller owns the mutex.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }
    /// Whether somebody holds it (stale at once).
    pub fn is_locked(&self) -> bool {
        self.raw.is_exclusive()
    }
    /// Its class.
    pub fn class(&self) -> &'static LatchClass {
        self.class
    }
}

impl<T: ?Sized + std::fmt::Debug> std::fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.try_lock() {
            Some(g) => f.debug_tuple("Mutex").field(&&*g).finish(),
            None => f.write_str("Mutex(<locked>)"),
        }
    }
}

/// Holds a [`Mutex`].
#[must_use]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    // The order check is per thread, so guards stay on theirs.
    _not_send: std::marker::PhantomData<*const ()>,
}

// SAFETY: a shared guard only gives out `&T`.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// Runs `f` with the mutex released and takes it again.
    pub fn unlocked<R>(guard: &mut MutexGuard<'a, T>, f: impl FnOnce() -> R) -> R {
        struct Relock<'m, T: ?Sized>(&'m Mutex<T>);
        impl<T: ?Sized> Drop for Relock<'_, T> {
            fn drop(&mut self) {
                self.0.raw.lock_exclusive_as(self.0.class);
            }
        }
        guard.mutex.raw.unlock_exclusive_as(guard.mutex.class);
        let _again = Relock(guard.mutex);
        f()
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the guard holds the latch exclusively.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard holds the latch exclusively.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.mutex.raw.unlock_exclusive_as(self.mutex.class);
    }
}

impl<T: ?Sized + std::fmt::Debug> std::fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
