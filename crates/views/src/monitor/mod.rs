//! The text of SHOW ENGINE INNODB STATUS, which is InnoDB's monitor too (`innodb_status_output`), and the one about a deadlock.
//!
//! Made by whoever asks, from copies: nothing is stopped. Locks of rows are named by their keys, as there are no pages in a lock's name.
//! Tested: `tests/clients/test_monitor.py`.

use crate::schema::perf::locks::{self, Objects};
use catalog::connections::Connections;
use std::fmt::Write;
use std::sync::Arc;
use storage::dict::TableDef;
use storage::engine::Engine;
use storage::rowlock::{Deadlock, LockInfo, LockKind, LockMode};
use storage::txn::TrxInfo;

/// Locks of one transaction that are printed.
const MOST_LOCKS: usize = 10;

/// `2026-11-25 03:04:05`, in UTC.
fn stamp(us: u64) -> String {
    let at = value::TimeZone::UTC.from_unix((us / 1_000_000) as i64, 0);
    let mut out = Vec::new();
    value::temporal::format::format_datetime(at, 0, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn lock_mode(l: &LockInfo) -> &'static str {
    match (l.mode, l.kind, l.key.is_none()) {
        (LockMode::IS, ..) => "lock mode IS",
        (LockMode::IX, ..) => "lock mode IX",
        (LockMode::AutoInc, ..) => "lock mode AUTO-INC",
        (LockMode::S, LockKind::Table, _) => "lock mode S",
        (LockMode::X, LockKind::Table, _) => "lock mode X",
        (LockMode::S, LockKind::Record, _) => "lock mode S locks rec but not gap",
        (LockMode::X, LockKind::Record, _) => "lock_mode X locks rec but not gap",
        (_, LockKind::InsertIntention, true) => "lock_mode X insert intention",
        (_, LockKind::InsertIntention, false) => "lock_mode X locks gap before rec insert intention",
        (LockMode::S, LockKind::Gap, false) => "lock mode S locks gap before rec",
        (LockMode::X, LockKind::Gap, false) => "lock_mode X locks gap before rec",
        (LockMode::S, ..) => "lock mode S",
        (LockMode::X, ..) => "lock_mode X",
    }
}

/// A lock as InnoDB's monitor prints one, and the record it is on.
fn lock(out: &mut String, l: &LockInfo, place: Option<&(Arc<TableDef>, Option<usize>)>) {
    let waiting = if l.waiting { " waiting" } else { "" };
    let (table, index) = match place {
        Some((t, n)) => {
            let index = n.and_then(|n| t.indexes.get(n)).map_or("", |i| i.name.as_str());
            (format!("`{}`.`{}`", t.schema, t.name), index)
        }
        None => (format!("(dropped, id {})", l.object), ""),
    };
    let mode = lock_mode(l);
    if l.table {
        let _ = writeln!(out, "TABLE LOCK table {table} trx id {} {mode}{waiting}", l.trx_id);
        return;
    }
    let _ = writeln!(out, "RECORD LOCKS index {index} of table {table} trx id {} {mode}{waiting}", l.trx_id);
    let _ = match &l.key {
        Some(k) => writeln!(out, "Record lock, key {}", locks::hex(k)),
        None => writeln!(out, "Record lock, supremum"),
    };
}

fn transaction(out: &mut String, t: &TrxInfo, connections: &Connections, waiting: bool) {
    let now = sys::clock::wall_micros();
    let state = if t.rolling_back { "ROLLING BACK" } else { "ACTIVE" };
    let seconds = now.saturating_sub(t.started_us) / 1_000_000;
    let _ = writeln!(out, "TRANSACTION {}, {state} {seconds} sec", t.id);
    let wait = if waiting { "LOCK WAIT " } else { "" };
    let _ = writeln!(out, "{wait}{} row lock(s) and changes, undo log entries {}", t.weight, t.rows_modified);
    let Some(c) = connections.get(t.session) else { return };
    let row = c.row();
    let _ = writeln!(out, "MySQL thread id {}, {} {} {}", t.session, row.who.host, row.who.user, row.state);
    if let Some(sql) = row.info {
        let _ = writeln!(out, "{}", String::from_utf8_lossy(&sql));
    }
}

/// The two or more transactions of a deadlock, what each waits for and what each holds in the others' way.
pub fn deadlock(engine: &Engine, connections: &Connections, d: &Deadlock) -> String {
    let transactions = engine.transactions();
    let put = |out: &mut String, l: &LockInfo| lock(out, l, engine.lock_place(l).as_ref());
    let mut out = format!("{}\n", stamp(sys::clock::wall_micros()));
    let mut rolled_back = 0;
    let places = engine.locks().in_deadlock(d);
    for (number, (owner, (wanted, held))) in (1..).zip(d.members.iter().zip(&places)) {
        let owner = owner.id();
        if owner == d.victim {
            rolled_back = number;
        }
        let _ = writeln!(out, "*** ({number}) TRANSACTION:");
        match transactions.iter().find(|t| t.lock_owner == owner) {
            Some(t) => transaction(&mut out, t, connections, true),
            None => out.push_str("(ended)\n"),
        }
        let _ = writeln!(out, "\n*** ({number}) HOLDS THE LOCK(S):");
        held.iter().for_each(|l| put(&mut out, l));
        let _ = writeln!(out, "\n*** ({number}) WAITING FOR THIS LOCK TO BE GRANTED:");
        wanted.iter().for_each(|l| put(&mut out, l));
        out.push('\n');
    }
    let _ = writeln!(out, "*** WE ROLL BACK TRANSACTION ({rolled_back})");
    out
}

/// MySQL's sections, as far as there is something to say. `with_locks`: `innodb_status_output_locks`.
pub fn text(engine: &Engine, connections: &Connections, with_locks: bool) -> String {
    let e = engine.status();
    let mut t = format!(
        "\n=====================================\n{} EVENKEEL INNODB MONITOR OUTPUT\n=====================================\n",
        stamp(sys::clock::wall_micros())
    );
    if let Some(d) = engine.locks().latest_deadlock() {
        let _ = writeln!(t, "------------------------\nLATEST DETECTED DEADLOCK\n------------------------\n{d}");
    }
    let _ = writeln!(
        t,
        "------------\nTRANSACTIONS\n------------\nTrx id counter {}\nHistory list length {}\nActive transactions {}, read views {}\nLock waits now {}, deadlocks since start {}",
        e.next_trx_id, e.history_list_length, e.active_transactions, e.read_views, e.lock_waiting, e.deadlocks
    );
    let all = engine.locks().list();
    let objects = if with_locks { locks::objects(engine) } else { Objects::new() };
    for trx in engine.transactions() {
        let own = || all.iter().filter(|l| l.owner == trx.lock_owner);
        let wanted = own().find(|l| l.waiting);
        t.push_str("---");
        transaction(&mut t, &trx, connections, wanted.is_some());
        if let Some(l) = wanted {
            t.push_str("------- TRX IS WAITING FOR THIS LOCK TO BE GRANTED:\n");
            lock(&mut t, l, engine.lock_place(l).as_ref());
            t.push_str("------------------\n");
        }
        if with_locks {
            own().take(MOST_LOCKS).for_each(|l| lock(&mut t, l, objects.get(&(l.table, l.object))));
            let more = own().count().saturating_sub(MOST_LOCKS);
            if more > 0 {
                let _ = writeln!(t, "{more} MORE LOCKS PRINTED FOR THIS TRX: SUPPRESSED");
            }
        }
    }
    let p = &e.pool;
    let _ = writeln!(
        t,
        "----------------------\nBUFFER POOL AND MEMORY\n----------------------\nBuffer pool size   {}\nFree buffers       {}\nDatabase pages     {}\nOld database pages {}\nModified db pages  {}",
        p.frames,
        p.free,
        p.frames - p.free.min(p.frames),
        p.old,
        p.dirty
    );
    let _ = writeln!(
        t,
        "---\nLOG\n---\nLog sequence number          {}\nLog flushed up to            {}\nLast checkpoint at           {}",
        e.lsn, e.flushed_lsn, e.checkpoint_lsn
    );
    t.push_str("----------------------------\nEND OF INNODB MONITOR OUTPUT\n============================\n");
    t
}
