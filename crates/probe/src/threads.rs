//! Threads of the server that serve no client: their names (`setup_threads`) and which of them are recorded.
//!
//! A thread looks its flags up when it first waits; until then, and for whoever changes them first (UPDATE of table
//! `threads`), they are those of its class at that moment. So `setup_threads` decides about threads that begin, as in
//! MySQL, and `threads` about one that runs. Sessions are another matter: `setup_actors` decides about them
//! ([`crate::events::flags_of`]), whatever their class says, as in MySQL.
//!
//! Locks: the registry, cold. Tested: `tests/clients/test_setup_tables.py`.

use crate::events::{INSTRUMENTED, KEEPS_HISTORY};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// A kind of thread: the kernel's name, MySQL's name, PROPERTIES, and whether it is recorded.
#[derive(Debug)]
pub struct ThreadClass {
    os: &'static str,
    /// NAME of setup_threads and threads.
    pub name: &'static str,
    /// PROPERTIES.
    pub properties: &'static str,
    flags: AtomicU8,
}

macro_rules! classes {
    ($($os:literal $name:literal $properties:literal;)*) => {
        static CLASSES: [ThreadClass; [$($os),*].len()] = [$(ThreadClass {
            os: $os,
            name: $name,
            properties: $properties,
            flags: AtomicU8::new(INSTRUMENTED | KEEPS_HISTORY),
        }),*];
    };
}

classes! {
    "evenkeel" "thread/sql/main" "singleton";
    "conn" "thread/sql/one_connection" "user";
    "listen-tcp" "thread/evenkeel/listen_tcp" "singleton";
    "listen-unix" "thread/evenkeel/listen_unix" "singleton";
    "listen-admin" "thread/sql/admin_interface" "user";
    "srv_notify" "thread/evenkeel/notify" "singleton";
    "evk_monitor" "thread/evenkeel/monitor" "singleton";
    "evk_sched" "thread/evenkeel/scheduler" "singleton";
    "reaper" "thread/evenkeel/reaper" "singleton";
    "event_scheduler" "thread/sql/event_scheduler" "singleton";
    "event_worker" "thread/sql/event_worker" "";
    "evk_timer" "thread/mysys/thread_timer_notifier" "singleton";
    "query-log" "thread/evenkeel/query_log" "singleton";
    "ib_pg_flush" "thread/innodb/page_flush_coordinator_thread" "singleton";
    "ib_log_flush" "thread/innodb/srv_master_thread" "singleton";
    "ib_log_flusher" "thread/innodb/log_flusher_thread" "singleton";
    "ib_log_files_g" "thread/innodb/log_files_governor_thread" "singleton";
    "ib_srv_purge" "thread/innodb/srv_purge_thread" "singleton";
    "srv_monitor" "thread/innodb/srv_monitor_thread" "singleton";
    "ib_buf_dump" "thread/innodb/buf_dump_thread" "singleton";
    "ib_dict_stats" "thread/innodb/dict_stats_thread" "singleton";
    "jemalloc_bg_thd" "thread/evenkeel/allocator" "";
    "other" "thread/evenkeel/other" "";
}

impl ThreadClass {
    /// All of them.
    pub fn all() -> &'static [ThreadClass] {
        &CLASSES
    }

    /// Of a thread by the kernel's name for it.
    pub fn of(os: &str) -> Option<&'static ThreadClass> {
        let os = if os == "worker" || os.starts_with("conn-") { "conn" } else { os };
        CLASSES.iter().find(|c| c.os == os).or(CLASSES.last())
    }

    /// [`INSTRUMENTED`] and [`KEEPS_HISTORY`] of threads that begin.
    pub fn flags(&self) -> u8 {
        self.flags.load(Relaxed)
    }

    /// Sets them.
    pub fn set_flags(&self, flags: u8) {
        self.flags.store(flags, Relaxed);
    }
}

type Flags = Arc<AtomicU8>;
static THREADS: Mutex<BTreeMap<u64, Flags>> = Mutex::new(BTreeMap::new());

fn registry() -> MutexGuard<'static, BTreeMap<u64, Flags>> {
    THREADS.lock().unwrap_or_else(|e| e.into_inner())
}

/// The flags of a thread, by the kernel's number and name.
fn flags_at(tid: u64, os: &str) -> Flags {
    let flags = || ThreadClass::of(os).map_or(0, ThreadClass::flags);
    registry().entry(tid).or_insert_with(|| Arc::new(AtomicU8::new(flags()))).clone()
}

/// The flags of a thread of the server, by the kernel's number and name.
pub fn flags(tid: u64, os: &str) -> u8 {
    let known = registry().get(&tid).map(|f| f.load(Relaxed));
    known.unwrap_or_else(|| ThreadClass::of(os).map_or(0, ThreadClass::flags))
}

/// Sets them, for as long as the thread lives.
pub fn set_flags(tid: u64, flags: u8) {
    let live = sys::thread::all();
    registry().retain(|known, _| live.iter().any(|(tid, _)| tid == known));
    flags_at(tid, "").store(flags, Relaxed);
}

/// Taken out when the thread ends: its number may come again.
struct Mine(u64, Flags);

impl Drop for Mine {
    fn drop(&mut self) {
        registry().remove(&self.0);
    }
}

thread_local! {
    static MINE: OnceCell<Mine> = const { OnceCell::new() };
}

/// Whether waits of this thread are recorded while it serves no session.
pub(crate) fn is_recorded() -> bool {
    let mine = || {
        let tid = u64::from(sys::thread::tid());
        let name = std::thread::current();
        Mine(tid, flags_at(tid, name.name().map_or("other", |n| if n == "main" { "evenkeel" } else { n })))
    };
    MINE.try_with(|m| m.get_or_init(mine).1.load(Relaxed) & INSTRUMENTED != 0).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_decides_until_the_thread_is_known() {
        let c = ThreadClass::of("evk_timer").unwrap();
        assert_eq!(c.name, "thread/mysys/thread_timer_notifier");
        c.set_flags(0);
        assert_eq!(flags(1, "evk_timer"), 0);
        let tid = u64::from(sys::thread::tid());
        set_flags(tid, KEEPS_HISTORY);
        assert_eq!((flags(tid, "evk_timer"), flags(1, "evk_timer")), (KEEPS_HISTORY, 0));
        c.set_flags(INSTRUMENTED | KEEPS_HISTORY);
        assert_eq!(ThreadClass::of("who").unwrap().name, "thread/evenkeel/other");
        let one = std::thread::spawn(|| (is_recorded(), u64::from(sys::thread::tid()))).join().unwrap();
        assert!(one.0 && !registry().contains_key(&one.1), "gone with its thread");
    }
}
