//! Sleeping inside a statement: [`blocking_wait`] counts the wait, shows it in the process list and lets another thread serve connections
//! meanwhile (`pool`).

use crate::pool;
use crate::session::with_current;
use latch::order;
use probe::WaitClass;
use sys::clock::now_ns;

/// Whether a thread may hold page latches while it waits for this: reading a page into the frame it has latched, and I/O.
fn may_hold_latches(class: WaitClass) -> bool {
    use WaitClass::{DataSync, FreeFrame, LogSync, LogWrite, PageRead, PageWrite, TempFile};
    matches!(class, PageRead | PageWrite | FreeFrame | LogWrite | LogSync | DataSync | TempFile)
}

/// Runs `f`, which sleeps in the kernel (socket, file, futex), and counts the time under `class`.
pub fn blocking_wait<R>(class: WaitClass, f: impl FnOnce() -> R) -> R {
    /// Counts the wait and tells the pool, also when `f` panics.
    struct Resume {
        class: WaitClass,
        since: u64,
        was_active: bool,
    }
    impl Drop for Resume {
        fn drop(&mut self) {
            self.class.record(now_ns().saturating_sub(self.since));
            with_current(|s| {
                if let Some(s) = s {
                    s.note_running();
                }
            });
            if self.was_active {
                pool::resume(self.class == WaitClass::PageRead);
            }
        }
    }
    if !may_hold_latches(class) {
        order::assert_none_held(class.name());
    }
    let was_active = pool::suspend(class == WaitClass::PageRead);
    let since = now_ns();
    with_current(|s| {
        if let Some(s) = s {
            s.note_waiting(class, since);
        }
    });
    let _resume = Resume { class, since, was_active };
    f()
}
