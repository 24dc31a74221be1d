//! INNODB_TRX and INNODB_METRICS.

use super::{Hints, NULL, Row, SessionView, Spec, T, datetime, s, u};
use base::SqlResult;
use probe::Gauge;
use std::sync::atomic::Ordering::Relaxed;
use storage::txn::Isolation;

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "INNODB_TRX",
        columns: &[
            ("trx_id", T::U, false),
            ("trx_state", T::S(13), false),
            ("trx_started", T::Time, false),
            ("trx_requested_lock_id", T::S(126), true),
            ("trx_wait_started", T::Time, true),
            ("trx_weight", T::U, false),
            ("trx_mysql_thread_id", T::U, false),
            ("trx_query", T::S(1024), true),
            ("trx_operation_state", T::S(64), true),
            ("trx_tables_in_use", T::U, false),
            ("trx_tables_locked", T::U, false),
            ("trx_lock_structs", T::U, false),
            ("trx_lock_memory_bytes", T::U, false),
            ("trx_rows_locked", T::U, false),
            ("trx_rows_modified", T::U, false),
            ("trx_concurrency_tickets", T::U, false),
            ("trx_isolation_level", T::S(16), false),
            ("trx_unique_checks", T::Int, false),
            ("trx_foreign_key_checks", T::Int, false),
            ("trx_last_foreign_key_error", T::S(256), true),
            ("trx_adaptive_hash_latched", T::Int, false),
            ("trx_adaptive_hash_timeout", T::U, false),
            ("trx_is_read_only", T::Int, false),
            ("trx_autocommit_non_locking", T::Int, false),
            ("trx_schedule_weight", T::U, true),
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
            ("MAX_COUNT", T::I, true),
            ("MIN_COUNT", T::I, true),
            ("AVG_COUNT", T::Float, true),
            ("COUNT_RESET", T::I, false),
            ("MAX_COUNT_RESET", T::I, true),
            ("MIN_COUNT_RESET", T::I, true),
            ("AVG_COUNT_RESET", T::Float, true),
            ("TIME_ENABLED", T::Time, true),
            ("TIME_DISABLED", T::Time, true),
            ("TIME_ELAPSED", T::I, true),
            ("TIME_RESET", T::Time, true),
            ("STATUS", T::S(193), false),
            ("TYPE", T::S(193), false),
            ("COMMENT", T::S(193), false),
        ],
        rows: metrics,
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
    let locks = v.engine.locks().list();
    let mut out = Vec::new();
    for t in v.engine.transactions() {
        let waits = waiting.contains(&t.lock_owner);
        let state = if waits {
            "LOCK WAIT"
        } else if t.rolling_back {
            "ROLLING BACK"
        } else {
            "RUNNING"
        };
        let connection = v.connections.get(t.session);
        let query = connection.as_ref().and_then(|c| c.row().info);
        let own = || locks.iter().filter(|l| l.owner == t.lock_owner);
        let wanted = own().find(|l| l.waiting).map_or(NULL, |l| s(super::perf::locks::lock_id(l)));
        let since = connection.filter(|_| waits).and_then(|c| c.sched.lock().as_ref()?.waiting());
        let since = since.map(|(_, at)| sys::clock::now_ns().saturating_sub(at) / 1_000_000_000);
        let count = |table: bool| u(own().filter(|l| l.table == table && !l.waiting).count() as u64);
        out.push(vec![
            u(t.id.0),
            s(state),
            datetime(v, t.started_us / 1_000_000),
            if waits { wanted } else { NULL },
            since.map_or(NULL, |ago| datetime(v, sys::clock::wall_seconds().saturating_sub(ago))),
            u(t.weight),
            u(t.session),
            query.map_or(NULL, |q| s(String::from_utf8_lossy(&q))),
            NULL,
            u(0),
            count(true),
            u(own().count() as u64),
            u(0),
            count(false),
            u(t.rows_modified),
            u(0),
            s(isolation(t.isolation)),
            super::i(1),
            super::i(1),
            NULL,
            super::i(0),
            u(0),
            super::i(0),
            super::i(0),
            NULL,
        ]);
    }
    Ok(out)
}

fn metrics(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let e = v.engine.status();
    let started = datetime(v, sys::clock::wall_seconds().saturating_sub(v.uptime));
    let row = |name: &str, subsystem: &str, count: u64, kind: &str, what: &str| {
        let average = value::OwnedValue::Double(count as f64 / v.uptime.max(1) as f64);
        let average = if kind == "counter" { average } else { NULL };
        let n = super::i(count as i64);
        let mut row = vec![s(name), s(subsystem), n.clone(), NULL, NULL, average.clone(), n, NULL, NULL, average];
        row.extend([started.clone(), NULL, super::i(v.uptime as i64), NULL, s("enabled"), s(kind), s(what)]);
        row
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
