//! Sizes that follow from other options at the start: `innodb_dedicated_server`, and the redo log's older options.
//!
//! Only what nobody has set is changed (manual, "Enabling Automatic InnoDB Configuration for a Dedicated MySQL Server" and "Redo Log").

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

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::sysvar::Origin;

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
