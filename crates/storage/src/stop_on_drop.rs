//! For tests whose threads go round until they are told to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// Tells them also when the test fails: else it would wait for them for ever, and nobody would read why it failed.
pub(crate) struct StopOnDrop<'a>(pub &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
