//! [`Handle`]: what all sessions share, as one session holds it.
//!
//! An `Arc` counts its clones beside what it points to, in a cache line that all sessions share. A point select cloned
//! its table's four times and gave it back four times, a change the engine's three times; on many cores sessions would
//! have waited for these lines. A session's handle counts at a place of its own ([`TableHandle`]:
//! `executor::rows::handles`; [`EngineHandle`]: a transaction's). Measured by `scripts/shared_lines.py`;
//! docs/scaling.md.

use crate::engine::Engine;
use crate::table::Table;
use std::ops::Deref;
use std::sync::Arc;

/// Cheap to clone without writing to what other sessions' handles use.
#[derive(Debug)]
#[allow(clippy::redundant_allocation)] // the second count is what it is for
pub struct Handle<T>(Arc<Arc<T>>);

/// A table as one session holds it.
pub type TableHandle = Handle<Table>;
/// The engine as one session's transactions hold it.
pub(crate) type EngineHandle = Handle<Engine>;

impl<T> Clone for Handle<T> {
    #[inline]
    fn clone(&self) -> Handle<T> {
        Handle(self.0.clone())
    }
}

impl<T> Deref for Handle<T> {
    type Target = Arc<T>;

    #[inline]
    fn deref(&self) -> &Arc<T> {
        &self.0
    }
}

/// A handle of its own: for who needs it once, or keeps it.
impl<T> From<Arc<T>> for Handle<T> {
    fn from(shared: Arc<T>) -> Handle<T> {
        Handle(Arc::new(shared))
    }
}

impl<T> From<&Arc<T>> for Handle<T> {
    fn from(shared: &Arc<T>) -> Handle<T> {
        shared.clone().into()
    }
}

impl<T> From<&Handle<T>> for Handle<T> {
    #[inline]
    fn from(handle: &Handle<T>) -> Handle<T> {
        handle.clone()
    }
}
