//! TRANSACTIONS, LATEST DETECTED DEADLOCK and LATEST FOREIGN KEY ERROR.
//!
//! `query id` counts the session's events, as nothing is counted for all sessions together; `OS thread handle` is 0, as
//! a session has no thread of its own.

use super::records::{self, Place};
use super::stamp;
use crate::schema::perf::locks::{self, Objects};
use catalog::connections::Connections;
use std::fmt::Write;
use storage::engine::{Engine, EngineStatus, ForeignKeyError, Refused};
use storage::rowlock::{Deadlock, LockInfo};
use storage::txn::TrxInfo;

/// Locks of one transaction that are printed.
const MOST_LOCKS: usize = 10;
/// Bytes of a statement that are printed in a deadlock or foreign key error.
const MOST_SQL: usize = 3072;

/// What InnoDB calls what a transaction is at.
fn operation(state: &str, waiting: bool) -> &'static str {
    match state {
        "update" => " inserting",
        "updating" if waiting => " starting index read",
        "updating" => " updating or deleting",
        "executing" | "Sending data" | "Creating sort index" if waiting => " starting index read",
        "executing" | "Sending data" | "Creating sort index" => " fetching rows",
        _ => "",
    }
}

fn transaction(out: &mut String, t: &TrxInfo, connections: &Connections, waiting: bool, most_sql: usize) {
    let row = connections.get(t.session).map(|c| (c.row(), c.activity.recorder.statement()));
    let seconds = sys::clock::wall_micros().saturating_sub(t.started_us) / 1_000_000;
    let (state, at) = match (&row, t.rolling_back) {
        (_, true) => ("ACTIVE", " rollback"),
        (Some((r, _)), _) => ("ACTIVE", operation(r.state, waiting)),
        (None, _) => ("ACTIVE", " recovered trx"),
    };
    let _ = writeln!(out, "TRANSACTION {}, {state} {seconds} sec{at}", t.id);
    let running = row.as_ref().is_some_and(|(r, _)| r.info.is_some());
    if running && t.tables_locked > 0 {
        let _ = writeln!(out, "mysql tables in use {0}, locked {0}", t.tables_locked);
    }
    out.push_str(if waiting {
        "LOCK WAIT "
    } else if t.rolling_back {
        "ROLLING BACK "
    } else {
        ""
    });
    let _ = write!(out, "{} lock struct(s), heap size {}, {} row lock(s)", t.lock_structs, t.lock_bytes, t.rows_locked);
    if t.rows_modified > 0 {
        let _ = write!(out, ", undo log entries {}", t.rows_modified);
    }
    out.push('\n');
    let Some((row, query)) = row else { return };
    let host = row.who.host.rsplit_once(':').map_or(row.who.host.as_str(), |(host, _)| host);
    let state = if row.state.is_empty() { String::new() } else { format!(" {}", row.state) };
    let _ = writeln!(
        out,
        "MySQL thread id {}, OS thread handle 0, query id {query} {host} {}{state}",
        t.session, row.who.user
    );
    if let Some(sql) = row.info {
        let _ = writeln!(out, "{}", String::from_utf8_lossy(sql.get(..most_sql).unwrap_or(&sql)));
    }
}

/// The two or more transactions of a deadlock, what each waits for and what each holds in the others' way.
pub fn deadlock(engine: &Engine, connections: &Connections, d: &Deadlock) -> String {
    let transactions = engine.transactions();
    let mut before = String::new();
    let mut put = |out: &mut String, l: &LockInfo| {
        records::lock(out, engine, l, engine.lock_place(l).as_ref(), &mut before);
    };
    let mut out = format!("{} {}\n", stamp(sys::clock::wall_micros()), sys::thread::tid());
    let mut rolled_back = 0;
    let places = engine.locks().in_deadlock(d);
    for (number, (owner, (wanted, held))) in (1..).zip(d.members.iter().zip(&places)) {
        let owner = owner.id();
        if owner == d.victim {
            rolled_back = number;
        }
        let _ = writeln!(out, "*** ({number}) TRANSACTION:");
        match transactions.iter().find(|t| t.lock_owner == owner) {
            Some(t) => transaction(&mut out, t, connections, true, MOST_SQL),
            None => out.push_str("(ended)\n"),
        }
        let _ = writeln!(out, "\n*** ({number}) HOLDS THE LOCK(S):");
        held.iter().take(MOST_LOCKS).for_each(|l| put(&mut out, l));
        let _ = writeln!(out, "\n*** ({number}) WAITING FOR THIS LOCK TO BE GRANTED:");
        wanted.iter().for_each(|l| put(&mut out, l));
        if number < d.members.len() {
            out.push('\n');
        }
    }
    let _ = writeln!(out, "*** WE ROLL BACK TRANSACTION ({rolled_back})");
    out
}

/// A violated foreign key: whose transaction, which constraint, the row and what was found in the other table.
pub fn foreign_key(engine: &Engine, connections: &Connections, e: &ForeignKeyError) -> String {
    let mut out = format!("{} {} Transaction:\n", stamp(sys::clock::wall_micros()), sys::thread::tid());
    if let Some(t) = engine.transactions().iter().find(|t| t.session == e.session) {
        transaction(&mut out, t, connections, false, MOST_SQL);
    }
    let name = |t: &storage::table::Table| format!("`{}`.`{}`", t.def.schema, t.def.name);
    let _ = writeln!(out, "Foreign key constraint fails for table {}:\n,\n  {}", name(&e.child), e.clause);
    let (table, n) = (&e.own.0, e.own.1);
    let index = |t: &storage::table::Table, n: usize| t.def.indexes.get(n).map_or_else(String::new, |i| i.name.clone());
    let what = match e.what {
        Refused::Add => "add in child",
        Refused::Delete => "delete in parent",
        Refused::Update => "update in parent",
    };
    let fields = records::entry(&table.def, n, &e.row);
    let _ = writeln!(out, "Trying to {what} table, in index {} tuple:", index(table, n));
    let _ = writeln!(out, "DATA TUPLE: {} fields;", fields.len());
    records::fields(&mut out, &table.def, &fields);
    let Some((other, n, key)) = &e.other else {
        let _ = writeln!(
            out,
            "But the parent table `{}`.`{}`\nor its .ibd file or the required index does not currently exist!",
            e.parent.0, e.parent.1
        );
        return out;
    };
    let near = engine.record_near(other, *n, key, true).ok().flatten();
    let _ = match e.what {
        Refused::Add => writeln!(
            out,
            "But in parent table {}, in index {},\nthe closest match we can find is record:",
            name(other),
            index(other, *n)
        ),
        _ => writeln!(out, "But in child table {}, in index {}, there is a record:", name(other), index(other, *n)),
    };
    if let Some(record) = near {
        records::physical(&mut out, &other.def, &record);
    }
    out
}

/// How long a session has slept for a lock, in seconds.
fn waited(connections: &Connections, session: u64) -> u64 {
    let since = connections.get(session).and_then(|c| c.sched.lock().as_ref()?.waiting());
    since.map_or(0, |(_, at)| sys::clock::now_ns().saturating_sub(at) / 1_000_000_000)
}

/// The section's lines behind its title. `with_locks`: `innodb_status_output_locks`.
pub(super) fn section(t: &mut String, engine: &Engine, e: &EngineStatus, connections: &Connections, with_locks: bool) {
    let purge = if e.history_list_length == 0 { "running but idle" } else { "running" };
    let _ = writeln!(
        t,
        "Trx id counter {}\nPurge done for trx's n:o < {} undo n:o < 0 state: {purge}\nHistory list length {}\n\
         LIST OF TRANSACTIONS FOR EACH SESSION:",
        e.next_trx_id, e.purge_cut, e.history_list_length
    );
    for (_, id) in engine.idle_transactions() {
        let _ = writeln!(t, "---TRANSACTION {id}, not started\n0 lock struct(s), heap size 0, 0 row lock(s)");
    }
    let mut active = engine.transactions();
    active.sort_by_key(|t| std::cmp::Reverse((t.started_us, t.id)));
    let waits: std::collections::HashSet<u64> = engine.locks().waits().into_iter().map(|(w, _)| w).collect();
    let wanted = with_locks || !waits.is_empty();
    let all = if wanted { engine.locks().list() } else { Vec::new() };
    let objects = if with_locks { locks::objects(engine) } else { Objects::new() };
    for trx in active {
        let own = || all.iter().filter(|l| l.owner == trx.lock_owner);
        let wanted = own().find(|l| l.waiting).filter(|_| waits.contains(&trx.lock_owner));
        t.push_str("---");
        transaction(t, &trx, connections, wanted.is_some(), usize::MAX);
        if let Some(l) = wanted {
            let seconds = waited(connections, trx.session);
            let _ = writeln!(t, "------- TRX HAS BEEN WAITING {seconds} SEC FOR THIS LOCK TO BE GRANTED:");
            records::lock(t, engine, l, engine.lock_place(l).as_ref(), &mut String::new());
            t.push_str("------------------\n");
        }
        if with_locks {
            let place = |l: &LockInfo| -> Option<&Place> { objects.get(&(l.table, l.object)) };
            let mut before = String::new();
            let mut list: Vec<&LockInfo> = own().collect();
            list.sort_by_key(|l| (!l.table, l.object, records::lock_mode(l), l.waiting, l.key.clone()));
            list.iter().take(MOST_LOCKS).for_each(|l| records::lock(t, engine, l, place(l), &mut before));
            if list.len() > MOST_LOCKS {
                let _ = writeln!(t, "{MOST_LOCKS} LOCKS PRINTED FOR THIS TRX: SUPPRESSING FURTHER PRINTS");
            }
        }
    }
}
