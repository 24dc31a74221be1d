//! The text of SHOW ENGINE INNODB STATUS, which is InnoDB's monitor too (`innodb_status_output`): MySQL 8.4's sections,
//! lines
//! and words, because tools parse them.
//!
//! Made by whoever asks, from counters and copies: nothing is stopped. What Evenkeel has none of (change buffer,
//! adaptive hash
//! index, threads that wait for asynchronous reads) is there with 0, or absent where a list has no members. There is
//! one buffer
//! pool; INDIVIDUAL BUFFER POOL INFO shows it as number 0. The log is one file, and no page is read or written by a
//! thread of
//! its own but by the page cleaner and the log's flusher.
//!
//! * [`records`]: locks and records. * [`transactions`]: transactions, deadlocks, foreign key errors. * [`rates`]:
//!   averages.
//!
//! Tested: `tests/clients/test_monitor.py`, `tests/clients/test_innodb_status.py`.

mod rates;
mod records;
mod transactions;

pub use rates::refresh;
pub use transactions::{deadlock, foreign_key};

use catalog::connections::Connections;
use latch::class::classes::PAGE;
use probe::{Counter as C, Gauge};
use rates::Rates;
use std::fmt::Write;
use std::sync::atomic::Ordering::Relaxed;
use storage::engine::{Engine, EngineStatus};
use storage::page::PAGE_SIZE;

/// The text is cut to this many bytes, in the list of transactions (InnoDB's MAX_STATUS_SIZE).
const MOST: usize = 1 << 20;

/// `2026-11-25 03:04:05` in the server's time zone.
fn stamp(us: u64) -> String {
    let zone = value::TimeZone::by_name("SYSTEM").unwrap_or(value::TimeZone::UTC);
    let at = zone.from_unix((us / 1_000_000) as i64, 0);
    let mut out = Vec::new();
    value::temporal::format::format_datetime(at, 0, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn title(t: &mut String, name: &str) {
    let line = "-".repeat(name.len());
    let _ = writeln!(t, "{line}\n{name}\n{line}");
}

/// All sections. `with_locks`: `innodb_status_output_locks`. `uptime`: seconds since the server's start.
pub fn text(engine: &Engine, connections: &Connections, with_locks: bool, uptime: f64) -> String {
    let (e, r) = (engine.status(), Rates::look(uptime));
    let mut t = String::from("\n=====================================\n");
    let _ = writeln!(t, "{} {} INNODB MONITOR OUTPUT", stamp(sys::clock::wall_micros()), sys::thread::tid());
    t.push_str("=====================================\n");
    let _ = writeln!(t, "Per second averages calculated from the last {} seconds", r.seconds());
    background(&mut t, &r);
    semaphores(&mut t);
    if let Some(text) = engine.latest_foreign_key_error().text() {
        title(&mut t, "LATEST FOREIGN KEY ERROR");
        t.push_str(&text);
    }
    if let Some(text) = engine.locks().latest_deadlock() {
        title(&mut t, "LATEST DETECTED DEADLOCK");
        t.push_str(&text);
    }
    title(&mut t, "TRANSACTIONS");
    transactions::section(&mut t, engine, &e, connections, with_locks);
    let mut rest = String::new();
    file_io(&mut rest, &r);
    insert_buffer(&mut rest, &r);
    log(&mut rest, engine, &e, &r);
    buffer_pool(&mut rest, engine, &e, &r);
    row_operations(&mut rest, &e, &r);
    rest.push_str("----------------------------\nEND OF INNODB MONITOR OUTPUT\n============================\n");
    if t.len() + rest.len() > MOST {
        let room = MOST.saturating_sub(rest.len() + 32);
        t.truncate(t.floor_char_boundary(room));
        t.push_str("\n... truncated...\n");
    }
    t + &rest
}

fn background(t: &mut String, r: &Rates) {
    title(t, "BACKGROUND THREAD");
    let _ = writeln!(
        t,
        "srv_master_thread loops: {} srv_active, 0 srv_shutdown, {} srv_idle\nsrv_master_thread log flush and writes: {}",
        r.total(C::InnodbMasterActiveLoops),
        r.total(C::InnodbMasterIdleLoops),
        r.total(C::InnodbBackgroundLogSync)
    );
}

/// Latches of pages are InnoDB's rwlocks; those of all classes can make a thread wait.
fn semaphores(t: &mut String) {
    let waits: u64 =
        latch::class::ALL.iter().filter(|c| c.name.starts_with("innodb/")).map(|c| c.waits.snapshot().count).sum();
    title(t, "SEMAPHORES");
    let _ = writeln!(t, "OS WAIT ARRAY INFO: reservation count {waits}\nOS WAIT ARRAY INFO: signal count {waits}");
    let shared = [&PAGE.shared.spins, &PAGE.shared.rounds, &PAGE.shared.os_waits].map(|n| n.load(Relaxed));
    let all = [PAGE.spins.load(Relaxed), PAGE.rounds.load(Relaxed), PAGE.waits.snapshot().count];
    let mut per_wait = Vec::new();
    let exclusive = [0, 1, 2].map(|i| {
        let of = |list: &[u64; 3]| list.get(i).copied().unwrap_or(0);
        of(&all).saturating_sub(of(&shared))
    });
    for (name, [spins, rounds, waits]) in [("RW-shared", shared), ("RW-excl", exclusive), ("RW-sx", [0; 3])] {
        let _ = writeln!(t, "{name} spins {spins}, rounds {rounds}, OS waits {waits}");
        per_wait.push(format!("{:.2} {name}", rounds as f64 / spins.max(1) as f64));
    }
    let _ = writeln!(t, "Spin rounds per wait: {}", per_wait.join(", "));
}

fn file_io(t: &mut String, r: &Rates) {
    title(t, "FILE I/O");
    let log = Gauge::LogPendingWrites.get() + Gauge::LogPendingFsyncs.get() > 0;
    let pages = Gauge::DataPendingWrites.get() > 0;
    for (n, name, busy) in [(0, "log", log), (1, "write", pages)] {
        let state = if busy { "doing file i/o" } else { "waiting for i/o request" };
        let _ = writeln!(t, "I/O thread {n} state: {state} ({name} thread)");
    }
    let pending = |g: Gauge| g.get().max(0);
    let _ = writeln!(
        t,
        "Pending normal aio reads: [{}] , aio writes: [{}] ,\n ibuf aio reads:\nPending flushes (fsync) log: {}; buffer pool: {}",
        pending(Gauge::DataPendingReads),
        pending(Gauge::DataPendingWrites),
        pending(Gauge::LogPendingFsyncs),
        // the log's are among those of all files
        (Gauge::DataPendingFsyncs.get() - Gauge::LogPendingFsyncs.get()).max(0)
    );
    let _ = writeln!(
        t,
        "{} OS file reads, {} OS file writes, {} OS fsyncs",
        r.total(C::InnodbDataReads),
        r.total(C::InnodbDataWrites),
        r.total(C::InnodbDataFsyncs)
    );
    let bytes = r.since(C::InnodbDataRead).checked_div(r.since(C::InnodbDataReads)).unwrap_or(0);
    let _ = writeln!(
        t,
        "{:.2} reads/s, {bytes} avg bytes/read, {:.2} writes/s, {:.2} fsyncs/s",
        r.per_second(C::InnodbDataReads),
        r.per_second(C::InnodbDataWrites),
        r.per_second(C::InnodbDataFsyncs)
    );
}

/// There is neither.
fn insert_buffer(t: &mut String, r: &Rates) {
    title(t, "INSERT BUFFER AND ADAPTIVE HASH INDEX");
    t.push_str(
        "Ibuf: size 0, free list len 0, seg size 0, 0 merges\nmerged operations:\n insert 0, delete mark 0, delete 0\n\
         discarded operations:\n insert 0, delete mark 0, delete 0\nHash table size 0, node heap has 0 buffer(s)\n",
    );
    let _ = writeln!(t, "0.00 hash searches/s, {:.2} non-hash searches/s", r.per_second(C::InnodbBtreeSearches));
}

fn log(t: &mut String, engine: &Engine, e: &EngineStatus, r: &Rates) {
    title(t, "LOG");
    for (name, lsn) in [
        ("Log sequence number", e.lsn),
        ("Log buffer assigned up to", e.lsn),
        ("Log buffer completed up to", e.lsn),
        ("Log written up to", e.written_lsn),
        ("Log flushed up to", e.flushed_lsn),
        ("Added dirty pages up to", e.lsn),
        ("Pages flushed up to", engine.pages_flushed_lsn()),
        ("Last checkpoint at", e.checkpoint_lsn),
    ] {
        let _ = writeln!(t, "{name:<28} {}", lsn.0);
    }
    let _ = writeln!(
        t,
        "Log minimum file id is       0\nLog maximum file id is       0\n{} log i/o's done, {:.2} log i/o's/second",
        r.total(C::InnodbLogWrites),
        r.per_second(C::InnodbLogWrites)
    );
}

fn buffer_pool(t: &mut String, engine: &Engine, e: &EngineStatus, r: &Rates) {
    title(t, "BUFFER POOL AND MEMORY");
    let _ = writeln!(
        t,
        "Total large memory allocated {}\nDictionary memory allocated {}",
        e.pool.frames * PAGE_SIZE,
        engine.dict().memory()
    );
    let mut pool = String::new();
    one_pool(&mut pool, engine, e, r);
    t.push_str(&pool);
    title(t, "INDIVIDUAL BUFFER POOL INFO");
    t.push_str("---BUFFER POOL 0\n");
    t.push_str(&pool);
}

fn one_pool(t: &mut String, engine: &Engine, e: &EngineStatus, r: &Rates) {
    let p = &e.pool;
    let data = p.frames.saturating_sub(p.free);
    let _ = writeln!(
        t,
        "Buffer pool size   {}\nFree buffers       {}\nDatabase pages     {data}\nOld database pages {}\nModified db pages  {}\n\
         Pending reads      {}\nPending writes: LRU 0, flush list {}, single page 0",
        p.frames,
        p.free,
        p.old,
        p.dirty,
        Gauge::DataPendingReads.get().max(0),
        Gauge::DataPendingWrites.get().max(0)
    );
    let (young, not_young) = (C::InnodbBufferPoolPagesMadeYoung, C::InnodbBufferPoolPagesMadeNotYoung);
    let _ = writeln!(
        t,
        "Pages made young {}, not young {}\n{:.2} youngs/s, {:.2} non-youngs/s",
        r.total(young),
        r.total(not_young),
        r.per_second(young),
        r.per_second(not_young)
    );
    let (read, made, written) = (C::InnodbPagesRead, C::InnodbPagesCreated, C::InnodbPagesWritten);
    let _ = writeln!(
        t,
        "Pages read {}, created {}, written {}\n{:.2} reads/s, {:.2} creates/s, {:.2} writes/s",
        r.total(read),
        r.total(made),
        r.total(written),
        r.per_second(read),
        r.per_second(made),
        r.per_second(written)
    );
    let gets = C::InnodbBufferPoolReadRequests;
    if r.since(gets) > 0 {
        let _ = writeln!(
            t,
            "Buffer pool hit rate {} / 1000, young-making rate {} / 1000 not {} / 1000",
            1000 - r.per_thousand(C::InnodbBufferPoolReads, gets).min(1000),
            r.per_thousand(young, gets),
            r.per_thousand(not_young, gets)
        );
    } else {
        t.push_str("No buffer pool page gets since the last printout\n");
    }
    let (sum, now) = engine.store().pool().recent_io();
    let _ = writeln!(
        t,
        "Pages read ahead {:.2}/s, evicted without access {:.2}/s, Random read ahead {:.2}/s\nLRU len: {data}, unzip_LRU len: 0\n\
         I/O sum[{sum}]:cur[{now}], unzip sum[0]:cur[0]",
        r.per_second(C::InnodbBufferPoolReadAhead),
        r.per_second(C::InnodbBufferPoolReadAheadEvicted),
        r.per_second(C::InnodbBufferPoolReadAheadRnd)
    );
}

fn row_operations(t: &mut String, e: &EngineStatus, r: &Rates) {
    title(t, "ROW OPERATIONS");
    let pid = std::process::id();
    let _ = writeln!(
        t,
        "0 queries inside InnoDB, 0 queries in queue\n{} read views open inside InnoDB\n\
         Process ID={pid}, Main thread ID={pid} , state=sleeping",
        e.read_views
    );
    for (name, [inserted, updated, deleted, read]) in [
        ("rows", [C::InnodbRowsInserted, C::InnodbRowsUpdated, C::InnodbRowsDeleted, C::InnodbRowsRead]),
        (
            "system rows",
            [
                C::InnodbSystemRowsInserted,
                C::InnodbSystemRowsUpdated,
                C::InnodbSystemRowsDeleted,
                C::InnodbSystemRowsRead,
            ],
        ),
    ] {
        let _ = writeln!(
            t,
            "Number of {name} inserted {}, updated {}, deleted {}, read {}\n\
             {:.2} inserts/s, {:.2} updates/s, {:.2} deletes/s, {:.2} reads/s",
            r.total(inserted),
            r.total(updated),
            r.total(deleted),
            r.total(read),
            r.per_second(inserted),
            r.per_second(updated),
            r.per_second(deleted),
            r.per_second(read)
        );
    }
}
