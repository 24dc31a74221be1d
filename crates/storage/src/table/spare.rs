//! Two buffers that a thread's cursors hand on: one for a row's key, one for the row.
//!
//! A cursor lives for one statement. Reading a row by its key copies the row, so each statement would ask the
//! allocator for two buffers and give them back. The last cursor that ended on this thread leaves its buffers here and
//! the next one begins with them. Cursors that live at once (a join) have buffers of their own, of which the ones that
//! end last stay. Large ones are not kept. No lock, nothing shared; a crash leaves nothing. Tested below.

use std::cell::Cell;

/// Capacity above which a buffer is given back to the allocator, in bytes.
const LARGE: usize = 4096;

thread_local! {
    static SPARE: Cell<(Vec<u8>, Vec<u8>)> = const { Cell::new((Vec::new(), Vec::new())) };
}

/// Two empty buffers.
#[inline]
pub(super) fn take() -> (Vec<u8>, Vec<u8>) {
    SPARE.try_with(Cell::take).unwrap_or_default()
}

/// Leaves them for the next cursor.
#[inline]
pub(super) fn give(mut key: Vec<u8>, mut payload: Vec<u8>) {
    if payload.capacity() == 0 || key.capacity() > LARGE || payload.capacity() > LARGE {
        return;
    }
    key.clear();
    payload.clear();
    // a thread that is ending keeps none
    let _ = SPARE.try_with(|s| s.set((key, payload)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_empty_and_large_ones_do_not() {
        let (mut key, mut payload) = take();
        assert_eq!((key.capacity(), payload.capacity()), (0, 0));
        key.extend_from_slice(b"k");
        payload.extend_from_slice(b"row");
        let place = payload.as_ptr();
        give(key, payload);
        let (key, payload) = take();
        assert_eq!((key.len(), payload.len(), payload.as_ptr()), (0, 0, place));
        give(key, Vec::with_capacity(LARGE + 1));
        assert_eq!(take().1.capacity(), 0);
    }
}
