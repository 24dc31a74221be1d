//! INNODB_TRX, INNODB_METRICS, performance_schema.data_locks and data_lock_waits.

use super::{Hints, NULL, Row, SessionView, Spec, T, datetime, s, u};
use base::SqlResult;
use probe::Gauge;
use std::sync::atomic::Ordering::Relaxed;
use storage::rowlock::{LockInfo, LockKind, LockMode};
use storage::txn::Isolation;

const IS: &str = "information_schema";
const PS: &str = "performance_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "INNODB_TRX",
        columns: &[
            ("trx_id", T::U, false),
            ("trx_state", T::S(13), false),
            ("trx_started", T::Time, false),
            ("trx_requested_lock_id", T::S(105), true),
            ("trx_wait_started", T::Time, true),
            ("trx_weight", T::U, false),
            ("trx_mysql_thread_id", T::U, false),
            ("trx_query", T::S(1024), true),
            ("trx_rows_modified", T::U, false),
            ("trx_isolation_level", T::S(16), false),
        ],
        rows: trx,
    },
    Spec {
        schema: IS,
        name: "INNODB_METRICS",
        columns: &[
            ("NAME", T::S(193), false),
            ("SUBSYSTEM", T::S(193), false),
            ("COUNT", T::I, false),
            ("STATUS", T::S(193), false),
            ("TYPE", T::S(193), false),
            ("COMMENT", T::S(193), false),
        ],
        rows: metrics,
    },
    Spec {
        schema: PS,
        name: "data_locks",
        columns: &[
            ("ENGINE", T::S(32), false),
            ("ENGINE_TRANSACTION_ID", T::U, true),
            ("OWNER_ID", T::U, false),
            ("OBJECT_SCHEMA", T::S(64), true),
            ("OBJECT_NAME", T::S(64), true),
            ("INDEX_NAME", T::S(64), true),
            ("LOCK_TYPE", T::S(32), false),
            ("LOCK_MODE", T::S(32), false),
            ("LOCK_STATUS", T::S(32), false),
            ("LOCK_DATA", T::S(8192), true),
        ],
        rows: data_locks,
    },
    Spec {
        schema: PS,
        name: "data_lock_waits",
        columns: &[
            ("ENGINE", T::S(32), false),
            ("REQUESTING_OWNER_ID", T::U, false),
            ("BLOCKING_OWNER_ID", T::U, false),
        ],
        rows: data_lock_waits,
    },
];

fn isolation(level: Isolation) -> &'static str {
    match level {
        Isolation::ReadUncommitted => "READ UNCOMMITTED",
        Isolation::ReadCommitted => "READ COMMITTED",
        Isolation::RepeatableRead => "REPEATABLE READ",
        Isolation::Serializable => "SERIALIZABLE",
    }
}

fn trx(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let waiting: Vec<u64> = v.engine.locks().waits().into_iter().map(|(w, _)| w).collect();
    let mut out = Vec::new();
    for t in v.engine.transactions() {
        let state = if waiting.contains(&t.lock_owner) {
            "LOCK WAIT"
        } else if t.rolling_back {
            "ROLLING BACK"
        } else {
            "RUNNING"
        };
        let query = v.connections.get(t.session).and_then(|c| c.row().info);
        out.push(vec![
            u(t.id.0),
            s(state),
            datetime(t.started_us / 1_000_000),
            NULL,
            NULL,
            u(t.weight),
            u(t.session),
            query.map_or(NULL, |q| s(String::from_utf8_lossy(&q))),
            u(t.rows_modified),
            s(isolation(t.isolation)),
        ]);
    }
    Ok(out)
}

fn metrics(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let e = v.engine.status();
    let row = |name: &str, subsystem: &str, count: u64, kind: &str, what: &str| {
        vec![s(name), s(subsystem), super::i(count as i64), s("enabled"), s(kind), s(what)]
    };
    let mut rows = vec![
        row("trx_rseg_history_len", "transaction", e.history_list_length, "value", "Length of the history list"),
        row("trx_active_transactions", "transaction", e.active_transactions, "value", "Number of active transactions"),
        row("lock_deadlocks", "lock", e.deadlocks, "counter", "Number of deadlocks"),
        row("lock_row_lock_current_waits", "lock", e.lock_waiting, "value", "Row locks being waited for"),
        row("log_lsn_current", "log", e.lsn.0, "value", "Current LSN value"),
        row("log_lsn_last_flush", "log", e.flushed_lsn.0, "value", "LSN of last flush"),
        row("log_lsn_last_checkpoint", "log", e.checkpoint_lsn.0, "value", "LSN at last checkpoint"),
    ];
    for (name, gauge, what) in CPU {
        rows.push(row(name, "cpu", gauge.get().max(0) as u64, "value", what));
    }
    for c in latch::class::ALL {
        let waits = c.waits.snapshot();
        let class = c.name.replace('/', "_");
        for (what, n, kind, text) in [
            ("spin_waits", c.spins.load(Relaxed), "counter", "Acquisitions that began to spin"),
            ("spin_successes", c.spin_successes.load(Relaxed), "counter", "Spins that got the latch without parking"),
            ("spin_ns", c.spin_ns.load(Relaxed), "counter", "Time spent spinning, nanoseconds"),
            ("os_waits", waits.count, "counter", "Waits that parked the thread"),
            ("os_wait_ns", waits.total_ns, "counter", "Time parked, nanoseconds"),
            ("handoffs", c.handoffs.load(Relaxed), "counter", "Times the latch was handed to an old waiter"),
            ("spin_budget_ns", u64::from(c.spin_budget_ns()), "value", "How long a spin may last now, nanoseconds"),
        ] {
            rows.push(row(&format!("latch_{class}_{what}"), "latch", n, kind, text));
        }
    }
    Ok(rows)
}

/// MySQL's module_cpu.
const CPU: [(&str, Gauge, &str); 5] = [
    ("cpu_utime_abs", Gauge::CpuUtimeAbs, "Total CPU user time spent"),
    ("cpu_stime_abs", Gauge::CpuStimeAbs, "Total CPU system time spent"),
    ("cpu_utime_pct", Gauge::CpuUtimePct, "Relative CPU user time spent"),
    ("cpu_stime_pct", Gauge::CpuStimePct, "Relative CPU system time spent"),
    ("cpu_n", Gauge::CpuN, "Number of cpus"),
];

fn mode_text(l: &LockInfo) -> String {
    let mode = match l.mode {
        LockMode::S => "S",
        LockMode::X => "X",
        LockMode::IS => "IS",
        LockMode::IX => "IX",
        LockMode::AutoInc => "AUTO_INC",
    };
    let kind = match l.kind {
        LockKind::Record => ",REC_NOT_GAP",
        LockKind::Gap => ",GAP",
        LockKind::InsertIntention => ",INSERT_INTENTION",
        LockKind::NextKey | LockKind::Table => "",
    };
    format!("{mode}{kind}")
}

fn data_locks(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let dict = v.engine.dict();
    let tables: Vec<_> = dict.schemas().iter().flat_map(|s| dict.relations(&s.name)).collect();
    let find = |l: &LockInfo| {
        tables.iter().find_map(|r| match r {
            storage::dict::Relation::Table(t) if l.table && t.id.0 == l.object => Some((t.clone(), None)),
            storage::dict::Relation::Table(t) if !l.table => {
                t.indexes.iter().find(|i| i.id.0 == l.object).map(|i| (t.clone(), Some(i.name.clone())))
            }
            _ => None,
        })
    };
    let mut out = Vec::new();
    for l in v.engine.locks().list() {
        let (schema, name, index) = match find(&l) {
            Some((t, index)) => (s(&t.schema), s(&t.name), index.map_or(NULL, s)),
            None => (NULL, NULL, NULL),
        };
        let data = match &l.key {
            _ if l.table => NULL,
            None => s("supremum pseudo-record"),
            Some(k) => s(k.iter().map(|b| format!("{b:02x}")).collect::<String>()),
        };
        out.push(vec![
            s("INNODB"),
            if l.trx_id > 0 { u(l.trx_id) } else { NULL },
            u(l.owner),
            schema,
            name,
            index,
            s(if l.table { "TABLE" } else { "RECORD" }),
            s(mode_text(&l)),
            s(if l.waiting { "WAITING" } else { "GRANTED" }),
            data,
        ]);
    }
    Ok(out)
}

fn data_lock_waits(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(waiter, blocker)| vec![s("INNODB"), u(waiter), u(blocker)];
    Ok(v.engine.locks().waits().into_iter().map(row).collect())
}
