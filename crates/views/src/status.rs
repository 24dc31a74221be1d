//! Status variables that are not counters of `probe`, and the text of SHOW ENGINE INNODB STATUS.

use crate::schema::SessionView;
use std::fmt::Write;

/// SHOW GLOBAL STATUS: name, value; unsorted.
pub fn global(v: &SessionView) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        probe::status(None).into_iter().map(|(n, value)| (n.to_owned(), value.to_string())).collect();
    let e = v.engine.status();
    let running = v.connections.all().iter().filter(|c| c.row().command != "Sleep").count();
    let page = storage::page::PAGE_SIZE as u64;
    let pool = &e.pool;
    let data = (pool.frames - pool.free.min(pool.frames)) as u64;
    let own = [
        ("Uptime", v.uptime),
        ("Uptime_since_flush_status", v.uptime),
        ("Prepared_stmt_count", v.prepared_statements),
        ("Threads_connected", v.connections.len() as u64),
        ("Threads_running", running as u64),
        ("Max_used_connections", u64::from(v.connections.max_used())),
        ("Connections", v.connections.total()),
        ("Innodb_page_size", page),
        ("Innodb_history_list_length", e.history_list_length),
        ("Innodb_buffer_pool_pages_total", pool.frames as u64),
        ("Innodb_buffer_pool_pages_free", pool.free as u64),
        ("Innodb_buffer_pool_pages_data", data),
        ("Innodb_buffer_pool_pages_dirty", pool.dirty as u64),
        ("Innodb_buffer_pool_pages_old", pool.old as u64),
        ("Innodb_buffer_pool_bytes_data", data * page),
        ("Innodb_buffer_pool_bytes_dirty", pool.dirty as u64 * page),
        ("Innodb_redo_log_current_lsn", e.lsn.0),
        ("Innodb_redo_log_flushed_to_disk_lsn", e.flushed_lsn.0),
        ("Innodb_redo_log_checkpoint_lsn", e.checkpoint_lsn.0),
        ("Innodb_redo_log_logical_size", e.checkpoint_age),
    ];
    for (n, value) in own {
        match all.iter_mut().find(|(name, _)| name == n) {
            Some(slot) => slot.1 = value.to_string(),
            None => all.push((n.to_owned(), value.to_string())),
        }
    }
    all
}

/// SHOW ENGINE INNODB STATUS: MySQL's sections, as far as there is something to say.
pub fn innodb(v: &SessionView) -> String {
    let e = v.engine.status();
    let mut t = String::from(
        "\n=====================================\nEVENKEEL INNODB MONITOR OUTPUT\n=====================================\n",
    );
    let _ = writeln!(
        t,
        "------------\nTRANSACTIONS\n------------\nTrx id counter {}\nHistory list length {}\nActive transactions {}, read views {}\nLock waits now {}, deadlocks since start {}",
        e.next_trx_id, e.history_list_length, e.active_transactions, e.read_views, e.lock_waiting, e.deadlocks
    );
    for trx in v.engine.transactions() {
        let state = if trx.rolling_back { "ROLLING BACK" } else { "ACTIVE" };
        let _ = writeln!(
            t,
            "---TRANSACTION {}, {state}\n{} row lock(s) and changes, undo log entries {}\nMySQL thread id {}",
            trx.id, trx.weight, trx.rows_modified, trx.session
        );
    }
    let _ = writeln!(
        t,
        "---\nLOG\n---\nLog sequence number          {}\nLog flushed up to            {}\nLast checkpoint at           {}",
        e.lsn, e.flushed_lsn, e.checkpoint_lsn
    );
    t.push_str("----------------------------\nEND OF INNODB MONITOR OUTPUT\n============================\n");
    t
}
