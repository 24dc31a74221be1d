//! memory_summary_global_by_event_name, _by_thread_, _by_account_, _by_user_ and _by_host_by_event_name.
//!
//! What is shown is what the server knows when the table is read: the buffer pool, the log's buffer, the plans that are
//! kept, locks, definitions of tables, compiled programs, what performance_schema itself keeps, and of each session its
//! user variables and prepared statements' texts. How often something was taken and given back is not counted: the
//! counters are as MySQL's are after a TRUNCATE in that moment (COUNT_ALLOC is what is used now, COUNT_FREE 0, low and
//! high are the present). What belongs to nobody stands in the global table alone.
//! Tested: `tests/clients/test_memory_events.py`.

use super::super::{Hints, Row, SessionView, Spec, T, i, s, u};
use super::io_columns::MEMORY;
use super::sums::{Column, account, who_columns, who_values};
use super::{PS, is_on, threads};
use base::SqlResult;
use catalog::connections::Connection;
use catalog::sysvar::Var;
use probe::events::{Recorder, StatementEvent};
use probe::instruments::Memory;
use probe::summaries::{Account, Level};
use std::collections::BTreeMap;
use value::OwnedValue;

const BY_THREAD: [Column; 12] = who_columns([("THREAD_ID", T::U, false)], MEMORY);
const BY_ACCOUNT: [Column; 13] = who_columns([threads::USER, threads::HOST], MEMORY);
const BY_USER: [Column; 12] = who_columns([threads::USER], MEMORY);
const BY_HOST: [Column; 12] = who_columns([threads::HOST], MEMORY);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "memory_summary_global_by_event_name", columns: MEMORY, rows: global },
    Spec { schema: PS, name: "memory_summary_by_thread_by_event_name", columns: &BY_THREAD, rows: by_thread },
    Spec {
        schema: PS,
        name: "memory_summary_by_account_by_event_name",
        columns: &BY_ACCOUNT,
        rows: |v, _| Ok(by(v, Level::Account)),
    },
    Spec {
        schema: PS,
        name: "memory_summary_by_user_by_event_name",
        columns: &BY_USER,
        rows: |v, _| Ok(by(v, Level::User)),
    },
    Spec {
        schema: PS,
        name: "memory_summary_by_host_by_event_name",
        columns: &BY_HOST,
        rows: |v, _| Ok(by(v, Level::Host)),
    },
];

/// Pieces and bytes that are used now, of an area.
type Used = (u64, u64);
/// By area.
type Areas = BTreeMap<Memory, Used>;

fn add(to: &mut Areas, from: &Areas) {
    for (area, (pieces, bytes)) in from {
        let sum = to.entry(*area).or_default();
        *sum = (sum.0 + pieces, sum.1 + bytes);
    }
}

/// What a session holds.
fn of_session(c: &Connection) -> Areas {
    let variables = c.values.lock().as_ref().map(|v| v.user_variables()).unwrap_or_default();
    let bytes = variables.iter().map(|(name, value)| name.len() + value.as_ref().map_or(0, Vec::len)).sum::<usize>();
    let prepared = c.prepared.lock();
    let texts = prepared.values().map(|p| p.text.shown().bytes().len()).sum::<usize>();
    [
        (Memory::UserVariables, (variables.len() as u64, bytes as u64)),
        (Memory::PreparedStatements, (prepared.len() as u64, texts as u64)),
    ]
    .into()
}

/// Of all sessions together.
fn sum(v: &SessionView, of: impl Fn(&Recorder) -> Used) -> Used {
    let all = v.connections.all();
    all.iter().map(|c| of(&c.activity.recorder)).fold((0, 0), |(n, bytes), (m, more)| (n + m, bytes + more))
}

/// What belongs to the server.
fn of_server(v: &SessionView) -> Areas {
    let pool = v.engine.status().pool.frames as u64 * storage::page::PAGE_SIZE as u64;
    [
        (Memory::BufferPool, (1, pool)),
        (Memory::LogBuffer, (1, v.globals.num(Var::innodb_log_buffer_size).min(16 << 20))),
        (Memory::Plans, v.kept_plans),
        (Memory::Locks, v.engine.locks().memory()),
        (Memory::Dictionary, (v.engine.dict().counts().0, v.engine.dict().memory())),
        (Memory::Programs, probe::programs::memory()),
        (Memory::HistoryLong, probe::events::STATEMENTS_LONG.memory()),
        (Memory::Digests, probe::statements::memory()),
        (Memory::History, sum(v, |r| r.kept().statements.memory(StatementEvent::hanging))),
        (Memory::SumsByThread, sum(v, |r| r.sums.memory())),
    ]
    .into()
}

/// A row for each area whose instrument is on.
fn rows(who: &[OwnedValue], areas: &Areas, of_all: bool) -> Vec<Row> {
    let shown = Memory::ALL.iter().filter(|m| (of_all || m.is_session()) && m.instrument().enabled());
    let row = |m: &Memory| {
        let (pieces, bytes) = areas.get(m).copied().unwrap_or_default();
        let mut row = who.to_vec();
        row.extend([s(m.name()), u(pieces), u(0), u(bytes), u(0)]);
        row.extend([pieces, pieces, pieces, bytes, bytes, bytes].map(|n| i(n as i64)));
        row
    };
    shown.map(row).collect()
}

fn global(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !is_on(v) {
        return Ok(Vec::new());
    }
    let mut all = of_server(v);
    v.connections.all().iter().for_each(|c| add(&mut all, &of_session(c)));
    Ok(rows(&[], &all, true))
}

fn by_thread(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { v.connections.all() } else { Vec::new() };
    Ok(all.iter().flat_map(|c| rows(&[u(c.id())], &of_session(c), false)).collect())
}

fn by(v: &SessionView, level: Level) -> Vec<Row> {
    let mut all: BTreeMap<Account, Areas> = BTreeMap::new();
    for c in v.connections.all().iter().filter(|_| is_on(v)) {
        let (user, host) = account(c);
        let who = match level {
            Level::User => (user, None),
            Level::Host => (None, host),
            _ => (user, host),
        };
        add(all.entry(who).or_default(), &of_session(c));
    }
    all.into_iter().flat_map(|(who, areas)| rows(&who_values(level, who), &areas, false)).collect()
}

/// TRUNCATE TABLE of one of these tables, after which they are as before; false: it is none of them.
pub(super) fn truncate(table: &str) -> bool {
    table.starts_with("memory_summary_") && table.ends_with("_by_event_name")
}
