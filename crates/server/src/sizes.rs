//! Sizes that follow from other options and from the machine at the start: `innodb_dedicated_server`, the redo log's older options, and how many file
//! descriptors there are for what.
//!
//! Only what nobody has set is changed (manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server" and "Redo Log").

use crate::log;
use catalog::sysvar::{GlobalVars, Raw, Var};

const GIB: u64 = 1 << 30;

fn is_set(g: &GlobalVars, v: Var) -> bool {
    g.origin(v).source != "COMPILED"
}

/// Bytes of the buffer pool for a machine of its own.
fn pool(memory: u64) -> u64 {
    match memory {
        m if m < GIB => 128 << 20,
        m if m <= 4 * GIB => m / 2,
        m => m / 4 * 3,
    }
}

/// Bytes of the redo log for so many processors.
fn redo(cpus: f64) -> u64 {
    ((cpus.ceil() as u64) / 2).clamp(1, 16) * GIB
}

/// Fills in the variables.
pub fn settle(g: &GlobalVars) {
    let store = |v: Var, n: u64| g.store(v, Raw::Num(n));
    if !is_set(g, Var::innodb_redo_log_capacity)
        && (is_set(g, Var::innodb_log_file_size) || is_set(g, Var::innodb_log_files_in_group))
    {
        let bytes = g.num(Var::innodb_log_file_size).saturating_mul(g.num(Var::innodb_log_files_in_group));
        store(Var::innodb_redo_log_capacity, bytes.clamp(8 << 20, 512 * GIB) >> 20 << 20);
    } else if !is_set(g, Var::innodb_redo_log_capacity) && g.bool(Var::innodb_dedicated_server) {
        store(Var::innodb_redo_log_capacity, redo(sys::limits::current().effective_cpus()));
    }
    if g.bool(Var::innodb_dedicated_server) && !is_set(g, Var::innodb_buffer_pool_size) {
        let limits = sys::limits::current();
        let memory = limits.memory_max.unwrap_or(u64::MAX).min(sys::usage::machine_memory());
        store(Var::innodb_buffer_pool_size, pool(memory) >> 20 << 20);
    }
}

/// Descriptors for logs, listening sockets, threads, temporary files and what else is neither a connection nor a table.
const OTHERS: u64 = 64;
/// Tablespace files at least.
const FILES: u64 = 32;

/// How the descriptors are divided.
#[derive(Debug, PartialEq, Eq)]
struct Division {
    max_connections: u64,
    table_open_cache: u64,
    innodb_open_files: u64,
}

/// What mysqld asks the system for.
fn wanted_files(connections: u64, tables: u64, asked: u64) -> u64 {
    (10 + connections + 2 * tables).max(5 * connections).max(if asked > 0 { asked } else { 5000 })
}

/// Of `have` descriptors. As mysqld does it; but each connection that may come finds one, and what is left is for tablespaces.
fn divide(have: u64, connections: u64, tables: u64, files: Option<u64>) -> Division {
    let most = have.saturating_sub(10 + 2 * 400).max(have.saturating_sub(OTHERS + FILES) / 2).max(1);
    let connections = connections.min(most);
    let tables = tables.min((have.saturating_sub(10 + connections) / 2).max(400));
    let left = have.saturating_sub(connections + OTHERS).max(10);
    Division {
        max_connections: connections,
        table_open_cache: tables,
        innodb_open_files: files.unwrap_or(tables).min(left),
    }
}

/// `open_files_limit`: raises the soft limit as far as it goes and fills in what follows from it.
pub fn settle_files(g: &GlobalVars) {
    let set = |v: Var| is_set(g, v).then(|| g.num(v));
    let (connections, tables) = (g.num(Var::max_connections), g.num(Var::table_open_cache));
    let asked = set(Var::open_files_limit).unwrap_or(0);
    let wanted = wanted_files(connections, tables, asked);
    let have = sys::process::raise_open_files(wanted);
    if have < wanted {
        if asked == 0 {
            log::warning(10_139, &format!("Changed limits: max_open_files: {have} (requested {wanted})"));
        } else {
            let text = format!("Could not increase number of max_open_files to more than {have} (request: {wanted})");
            log::warning(10_140, &text);
        }
    }
    g.store(Var::open_files_limit, Raw::Num(have));
    let d = divide(have.min(wanted), connections, tables, set(Var::innodb_open_files));
    let changed = |code: u32, v: Var, name: &str, to: u64| {
        if g.num(v) != to && (v != Var::innodb_open_files || is_set(g, v)) {
            log::warning(code, &format!("Changed limits: {name}: {to} (requested {})", g.num(v)));
        }
        g.store(v, Raw::Num(to));
    };
    changed(10_141, Var::max_connections, "max_connections", d.max_connections);
    changed(10_142, Var::table_open_cache, "table_open_cache", d.table_open_cache);
    changed(10_000, Var::innodb_open_files, "innodb_open_files", d.innodb_open_files);
    crate::computed::sizes(g);
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::sysvar::Origin;

    #[test]
    fn descriptors_are_divided_as_by_mysqld() {
        assert_eq!(wanted_files(151, 4000, 0), 8161);
        assert_eq!((wanted_files(151, 400, 0), wanted_files(5000, 400, 100)), (5000, 25_000));
        let d = |max_connections, table_open_cache, innodb_open_files| Division {
            max_connections,
            table_open_cache,
            innodb_open_files,
        };
        assert_eq!(divide(8161, 151, 4000, None), d(151, 4000, 4000));
        assert_eq!(divide(1024, 151, 4000, None), d(151, 431, 431));
        assert_eq!(divide(1024, 151, 4000, Some(100)), d(151, 431, 100));
        // below what mysqld can do with: half for connections
        assert_eq!(divide(400, 151, 4000, None), d(151, 400, 185));
        assert_eq!(divide(400, 1000, 4000, None), d(152, 400, 184));
        assert_eq!(divide(64, 151, 4000, None), d(1, 400, 10));
    }

    #[test]
    fn sizes_are_the_manuals() {
        assert_eq!((pool(GIB / 2), pool(2 * GIB), pool(16 * GIB)), (128 << 20, GIB, 12 * GIB));
        assert_eq!((redo(0.5), redo(6.0), redo(100.0)), (GIB, 3 * GIB, 16 * GIB));
        let g = GlobalVars::new();
        settle(&g);
        assert_eq!(g.num(Var::innodb_redo_log_capacity), 100 << 20);
        g.store(Var::innodb_log_file_size, Raw::Num(64 << 20));
        g.note(Var::innodb_log_file_size, Origin { source: "COMMAND_LINE", ..Origin::default() });
        settle(&g);
        assert_eq!(g.num(Var::innodb_redo_log_capacity), 128 << 20);
        g.store(Var::innodb_dedicated_server, Raw::Num(1));
        settle(&g);
        assert!(g.num(Var::innodb_buffer_pool_size) >= 128 << 20);
        g.note(Var::innodb_redo_log_capacity, Origin { source: "COMMAND_LINE", ..Origin::default() });
        g.store(Var::innodb_redo_log_capacity, Raw::Num(8 << 20));
        settle(&g);
        assert_eq!(g.num(Var::innodb_redo_log_capacity), 8 << 20);
    }
}
