//! memory_summary_global_by_event_name, _by_thread_, _by_account_, _by_user_ and _by_host_by_event_name.
//!
//! Some areas are told as they grow ([`probe::held`]): internal temporary tables, sorts, hash joins, buffers of
//! connections. Of them everything is counted; low and high of an account, a user or a host are the sums of those of
//! its sessions that live, which were perhaps not there at once.
//!
//! The others are looked up when the table is read: the buffer pool, the log's buffer, the plans that are kept, locks,
//! definitions of tables, compiled programs, what performance_schema itself keeps, and of each session its user
//! variables and prepared statements' texts. How often something was taken and given back is not counted there: the
//! counters are as MySQL's are after a TRUNCATE in that moment (COUNT_ALLOC is what is used now, COUNT_FREE 0, low and
//! high are the present). What belongs to nobody stands in the global table alone.
//! Tested: `tests/clients/test_memory_events.py`.

use super::super::{Hints, Row, SessionView, Spec, T, i, s, u};
use super::io_columns::MEMORY;
use super::sums::{Column, account, level, who_columns, who_values};
use super::{PS, is_on, threads};
use base::SqlResult;
use catalog::connections::{Connection, Connections};
use catalog::sysvar::Var;
use probe::events::{Recorder, StatementEvent};
use probe::held::{Freed, LENT, Levels, SUMS};
use probe::instruments::Memory;
use probe::phases::Phase;
use probe::summaries::{Account, Level, Sums};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
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

/// What is shown of an area: pieces and bytes, of each now, least and most; then what was given back.
#[derive(Clone, Copy, Default)]
struct Sum {
    now: [[i64; 3]; 2],
    freed: [u64; 2],
}

impl Sum {
    /// Of what is looked up.
    fn present((pieces, bytes): Used) -> Sum {
        Sum { now: [[pieces as i64; 3], [bytes as i64; 3]], freed: [0; 2] }
    }
    fn add(&mut self, other: &Sum) {
        self.now.iter_mut().flatten().zip(other.now.iter().flatten()).for_each(|(a, b)| *a += b);
        self.freed.iter_mut().zip(other.freed).for_each(|(a, b)| *a += b);
    }
}

/// By area.
type Areas = BTreeMap<Memory, Sum>;

fn add(to: &mut Areas, from: &Areas) {
    from.iter().for_each(|(area, sum)| to.entry(*area).or_default().add(sum));
}

/// What is held now of the areas that are told, and the buffers that connections have while a command runs.
fn told(levels: &Levels, running: u64) -> Areas {
    let of = |area: &Memory| Some((*area, Sum { now: levels.of(*area)?, freed: [0; 2] }));
    let mut all: Areas = Memory::ALL.iter().filter_map(of).collect();
    let [pieces, bytes] = &mut all.entry(Memory::NetBuffers).or_default().now;
    for (level, n) in [(pieces, 2 * running), (bytes, 2 * running * LENT as u64)] {
        let [now, _, most] = level;
        (*now, *most) = (*now + n as i64, *most + n as i64);
    }
    all
}

/// Whether a client's command runs.
fn runs(c: &Connection) -> bool {
    c.idle_since().is_none() && !c.transport.lock().is_empty()
}

/// What a session holds.
fn of_session(c: &Connection) -> Areas {
    let variables = c.values.lock().as_ref().map(|v| v.user_variables()).unwrap_or_default();
    let bytes = variables.iter().map(|(name, value)| name.len() + value.as_ref().map_or(0, Vec::len)).sum::<usize>();
    let prepared = c.prepared.lock();
    let texts = prepared.values().map(|p| p.text.shown().bytes().len()).sum::<usize>();
    let mut all = told(&c.activity.recorder.held, u64::from(runs(c)));
    all.insert(Memory::UserVariables, Sum::present((variables.len() as u64, bytes as u64)));
    all.insert(Memory::PreparedStatements, Sum::present((prepared.len() as u64, texts as u64)));
    all
}

/// Adds what was given back.
fn add_freed(to: &mut Areas, freed: &HashMap<u32, [u64; 2]>) {
    for (area, sum) in to.iter_mut() {
        let more = freed.get(&(*area as u32)).copied().unwrap_or_default();
        sum.add(&Sum { freed: more, ..Sum::default() });
    }
}

/// Of all sessions together.
fn sum(v: &SessionView, of: impl Fn(&Recorder) -> Used) -> Used {
    let all = v.connections.all();
    all.iter().map(|c| of(&c.activity.recorder)).fold((0, 0), |(n, bytes), (m, more)| (n + m, bytes + more))
}

/// What belongs to the server.
fn of_server(v: &SessionView) -> Areas {
    let pool = v.engine.status().pool.frames as u64 * storage::page::PAGE_SIZE as u64;
    let all = [
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
        (Memory::TransactionHistory, sum(v, |r| r.kept().transaction_memory())),
        (Memory::StageHistory, sum(v, |r| r.kept().memory_of(Phase::Stage))),
        (Memory::WaitHistory, sum(v, |r| r.kept().memory_of(Phase::Wait))),
        (Memory::TransactionHistoryLong, probe::transactions::LONG.memory()),
        (Memory::StageHistoryLong, Phase::Stage.shared().long.memory()),
        (Memory::WaitHistoryLong, Phase::Wait.shared().long.memory()),
    ];
    let all = all.into_iter().chain(of_sums(v));
    all.map(|(area, used)| (area, Sum::present(used))).collect()
}

/// What sums need besides those of statements by session, and what is set up.
fn of_sums(v: &SessionView) -> Vec<(Memory, Used)> {
    vec![
        (Memory::ErrorsByThread, sum(v, |r| r.errors.memory())),
        (Memory::ErrorsByAccount, probe::errors::SUMS.memory(Level::Account)),
        (Memory::ErrorsByUser, probe::errors::SUMS.memory(Level::User)),
        (Memory::ErrorsByHost, probe::errors::SUMS.memory(Level::Host)),
        (Memory::ErrorsGlobal, probe::errors::SUMS.memory(Level::Global)),
        (Memory::StagesByThread, sum(v, |r| r.phases.sums(Phase::Stage).memory())),
        (Memory::StagesByAccount, Phase::Stage.shared().sums.memory(Level::Account)),
        (Memory::StagesByUser, Phase::Stage.shared().sums.memory(Level::User)),
        (Memory::StagesByHost, Phase::Stage.shared().sums.memory(Level::Host)),
        (Memory::StagesGlobal, Phase::Stage.shared().sums.memory(Level::Global)),
        (Memory::StatementsByAccount, probe::events::STATEMENT_SUMS.memory(Level::Account)),
        (Memory::StatementsByUser, probe::events::STATEMENT_SUMS.memory(Level::User)),
        (Memory::StatementsByHost, probe::events::STATEMENT_SUMS.memory(Level::Host)),
        (Memory::StatementsGlobal, probe::events::STATEMENT_SUMS.memory(Level::Global)),
        (Memory::TransactionsByThread, sum(v, |r| r.transaction_sums.memory())),
        (Memory::TransactionsByAccount, probe::transactions::SUMS.memory(Level::Account)),
        (Memory::TransactionsByUser, probe::transactions::SUMS.memory(Level::User)),
        (Memory::TransactionsByHost, probe::transactions::SUMS.memory(Level::Host)),
        (Memory::WaitsByThread, sum(v, |r| r.phases.sums(Phase::Wait).memory())),
        (Memory::WaitsByAccount, Phase::Wait.shared().sums.memory(Level::Account)),
        (Memory::WaitsByUser, Phase::Wait.shared().sums.memory(Level::User)),
        (Memory::WaitsByHost, Phase::Wait.shared().sums.memory(Level::Host)),
        (Memory::MemoryByThread, sum(v, |r| r.held.freed.memory())),
        (Memory::MemoryByAccount, SUMS.memory(Level::Account)),
        (Memory::MemoryByUser, SUMS.memory(Level::User)),
        (Memory::MemoryByHost, SUMS.memory(Level::Host)),
        (Memory::MemoryGlobal, SUMS.memory(Level::Global)),
        (Memory::Attributes, attributes(v)),
        (Memory::SetupActors, probe::events::actors(|all| rows_of(all))),
        (Memory::SetupObjects, probe::objects::rules(rows_of)),
    ]
}

fn rows_of<R>(all: &[R]) -> Used {
    (all.len() as u64, size_of_val(all) as u64)
}

/// Attributes of connections.
fn attributes(v: &SessionView) -> Used {
    let bytes = |c: &Arc<Connection>| c.attributes().iter().map(|(k, v)| (1, (k.len() + v.len()) as u64)).collect();
    let all: Vec<Vec<Used>> = v.connections.all().iter().map(bytes).collect();
    all.iter().flatten().fold((0, 0), |(n, sum), (m, more)| (n + m, sum + more))
}

/// A row for each area whose instrument is on.
fn rows(who: &[OwnedValue], areas: &Areas, of_all: bool) -> Vec<Row> {
    let shown = Memory::ALL.iter().filter(|m| (of_all || m.is_session()) && m.instrument().enabled());
    let row = |m: &Memory| {
        let Sum { now, freed } = areas.get(m).copied().unwrap_or_default();
        let mut row = who.to_vec();
        row.push(s(m.name()));
        // what was taken is what was given back and what there is
        for ([now, ..], freed) in now.iter().zip(freed) {
            row.extend([u(freed + *now as u64), u(freed)]);
        }
        row.extend(now.iter().flat_map(|[now, least, most]| [i(*least), i(*now), i(*most)]));
        row
    };
    shown.map(row).collect()
}

fn live(connections: &[Arc<Connection>]) -> impl Iterator<Item = (Account, &Sums<Freed>)> {
    connections.iter().map(|c| (account(c), &c.activity.recorder.held.freed))
}

fn global(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !is_on(v) {
        return Ok(Vec::new());
    }
    let open = v.connections.all();
    let mut all = of_server(v);
    for c in &open {
        let mut own = of_session(c);
        own.retain(|area, _| matches!(area, Memory::UserVariables | Memory::PreparedStatements));
        add(&mut all, &own);
    }
    add(&mut all, &told(probe::held::server(), open.iter().filter(|c| runs(c)).count() as u64));
    for (_, freed) in SUMS.read(Level::Global, live(&open)) {
        add_freed(&mut all, &freed);
    }
    add_freed(&mut all, &probe::held::server().freed.all());
    Ok(rows(&[], &all, true))
}

fn by_thread(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { v.connections.all() } else { Vec::new() };
    let of = |c: &Arc<Connection>| {
        let mut areas = of_session(c);
        add_freed(&mut areas, &c.activity.recorder.held.freed.all());
        rows(&[u(c.id())], &areas, false)
    };
    Ok(all.iter().flat_map(of).collect())
}

fn by(v: &SessionView, level: Level) -> Vec<Row> {
    if !is_on(v) {
        return Vec::new();
    }
    let open = v.connections.all();
    let mut all: BTreeMap<Account, Areas> = BTreeMap::new();
    for c in &open {
        let (user, host) = account(c);
        let who = match level {
            Level::User => (user, None),
            Level::Host => (None, host),
            _ => (user, host),
        };
        add(all.entry(who).or_default(), &of_session(c));
    }
    for (who, freed) in SUMS.read(level, live(&open)) {
        let areas = all.entry(who).or_default();
        Memory::ALL.iter().filter(|m| m.is_session()).for_each(|m| _ = areas.entry(*m).or_default());
        add_freed(areas, &freed);
    }
    all.into_iter().flat_map(|(who, areas)| rows(&who_values(level, who), &areas, false)).collect()
}

/// TRUNCATE TABLE of one of these tables: what was given back is forgotten, low and high are the present. False: it is
/// none of them.
pub(super) fn truncate(table: &str, connections: &Connections) -> bool {
    let Some(level) = level(table, "memory_summary_") else { return false };
    let open = connections.all();
    SUMS.truncate(level, live(&open));
    open.iter().for_each(|c| c.activity.recorder.held.begin());
    if level == Level::Global {
        probe::held::server().begin_anew();
    }
    true
}
