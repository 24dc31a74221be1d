//! INNODB_TRX and INNODB_METRICS.

use super::{Hints, NULL, Row, SessionView, Spec, T, datetime, s, u};
use base::SqlResult;
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
            u(t.tables_locked),
            u(t.lock_structs),
            u(t.lock_bytes),
            u(t.rows_locked),
            u(t.rows_modified),
            u(0),
            s(isolation(t.isolation)),
            super::i(1),
            super::i(1),
            NULL,
            super::i(0),
            u(0),
            super::i(i64::from(t.read_only)),
            super::i(i64::from(t.non_locking)),
            NULL,
        ]);
    }
    Ok(out)
}

/// MySQL's metrics, and behind them what the latches did (Evenkeel's own, always on).
fn metrics(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let whole = |n: Option<i64>| n.map_or(NULL, super::i);
    let mut rows = Vec::new();
    for (m, r) in crate::metrics::read(&v.engine, v.uptime) {
        let level = matches!(m.kind.name(), "value" | "set_owner");
        let average = |n: i64, from: u64| match r.since(from) {
            Some(seconds) if !level => value::OwnedValue::Double(n as f64 / seconds.max(1) as f64),
            _ => NULL,
        };
        let mut row = vec![s(m.name), s(m.subsystem), super::i(r.count), whole(r.high), whole(r.low)];
        row.extend([average(r.count, r.started), super::i(r.count_reset), whole(r.high_reset), whole(r.low_reset)]);
        row.extend([average(r.count_reset, r.reset_at), datetime(v, r.started)]);
        row.push(if r.on { NULL } else { datetime(v, r.stopped) });
        row.push(whole(r.since(r.started).map(|s| s as i64)));
        row.push(if r.on { datetime(v, r.reset_at) } else { NULL });
        row.extend([s(if r.on { "enabled" } else { "disabled" }), s(m.kind.name()), s(m.comment)]);
        rows.push(row);
    }
    latches(v, &mut rows);
    Ok(rows)
}

fn latches(v: &SessionView, rows: &mut Vec<Row>) {
    let started = datetime(v, sys::clock::wall_seconds().saturating_sub(v.uptime));
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
            let average = value::OwnedValue::Double(n as f64 / v.uptime.max(1) as f64);
            let average = if kind == "counter" { average } else { NULL };
            let n = super::i(n as i64);
            let name = format!("latch_{class}_{what}");
            let mut row = vec![s(name), s("latch"), n.clone(), NULL, NULL, average.clone(), n, NULL, NULL, average];
            row.extend([started.clone(), NULL, super::i(v.uptime as i64), NULL, s("enabled"), s(kind), s(text)]);
            rows.push(row);
        }
    }
}
