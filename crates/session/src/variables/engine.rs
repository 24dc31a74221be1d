//! Global variables of which the storage engine keeps its own copy: SET GLOBAL carries them there, and so does the start.
//!
//! The engine is changed first: what it refuses (a buffer pool that cannot be had) is the statement's error, and the variable
//! keeps its value.

use base::SqlResult;
use catalog::sysvar::{GlobalVars, Var};
use storage::engine::Engine;
use storage::table::StatsSetting;
use storage::txn::Durability;

/// The variables that [`apply`] knows.
const ENGINE: [Var; 23] = [
    Var::innodb_buffer_pool_size,
    Var::innodb_deadlock_detect,
    Var::innodb_fill_factor,
    Var::innodb_flush_log_at_timeout,
    Var::innodb_flush_log_at_trx_commit,
    Var::innodb_io_capacity,
    Var::innodb_max_dirty_pages_pct,
    Var::innodb_max_purge_lag,
    Var::innodb_old_blocks_pct,
    Var::innodb_old_blocks_time,
    Var::innodb_print_ddl_logs,
    Var::innodb_spin_wait_delay,
    Var::innodb_spin_wait_pause_multiplier,
    Var::innodb_stats_auto_recalc,
    Var::innodb_stats_include_delete_marked,
    Var::innodb_stats_method,
    Var::innodb_stats_persistent,
    Var::innodb_stats_persistent_sample_pages,
    Var::innodb_stats_transient_sample_pages,
    Var::innodb_sync_spin_loops,
    Var::innodb_thread_concurrency,
    Var::innodb_undo_log_truncate,
    Var::performance_schema_max_digest_sample_age,
];

/// Gives the engine the variable's new value `n` (a double: its bits). Variables that are not the engine's are no error.
pub(crate) fn apply(engine: &Engine, globals: &GlobalVars, var: Var, n: u64) -> SqlResult<()> {
    let small = u32::try_from(n).unwrap_or(u32::MAX);
    let tuning = engine.store().tuning();
    match var {
        Var::innodb_buffer_pool_size => {
            sched::blocking_wait(probe::WaitClass::PageWrite, || engine.store().pool().resize(n))?
        }
        Var::innodb_deadlock_detect => engine.locks().set_deadlock_detect(n != 0),
        Var::innodb_flush_log_at_timeout => tuning.set_flush_log_at_timeout(small),
        Var::innodb_flush_log_at_trx_commit => engine.set_durability(match n {
            0 => Durability::Lazy,
            2 => Durability::Written,
            _ => Durability::Synced,
        }),
        Var::innodb_io_capacity => tuning.set_io_capacity(n, globals.num(Var::innodb_io_capacity_max)),
        Var::innodb_io_capacity_max => tuning.set_io_capacity(globals.num(Var::innodb_io_capacity), n),
        Var::innodb_max_dirty_pages_pct => tuning.set_max_dirty_pages_pct(f64::from_bits(n)),
        Var::innodb_old_blocks_pct => engine.store().pool().set_old_blocks_pct(small),
        Var::innodb_old_blocks_time => engine.store().pool().set_old_blocks_time(small),
        Var::innodb_print_ddl_logs => engine.set_print_ddl_logs(n != 0),
        Var::innodb_thread_concurrency => sched::set_thread_concurrency(small),
        Var::innodb_sync_spin_loops => cap_spins(globals, Some(n), None, None),
        Var::innodb_spin_wait_delay => cap_spins(globals, None, Some(n), None),
        Var::innodb_spin_wait_pause_multiplier => cap_spins(globals, None, None, Some(n)),
        Var::innodb_undo_log_truncate | Var::innodb_max_undo_log_size | Var::innodb_purge_rseg_truncate_frequency => {
            let of = |v: Var| if v == var { n } else { globals.num(v) };
            let frequency = u32::try_from(of(Var::innodb_purge_rseg_truncate_frequency)).unwrap_or(u32::MAX);
            let on = of(Var::innodb_undo_log_truncate) != 0;
            engine.set_undo_truncation(on, of(Var::innodb_max_undo_log_size), frequency);
        }
        Var::innodb_fill_factor => tuning.set_fill_factor(small),
        Var::innodb_max_purge_lag => engine.set_max_purge_lag(n, globals.num(Var::innodb_max_purge_lag_delay)),
        Var::innodb_max_purge_lag_delay => engine.set_max_purge_lag(globals.num(Var::innodb_max_purge_lag), n),
        Var::innodb_stats_auto_recalc => engine.set_statistics(StatsSetting::AutoRecalc, n),
        Var::innodb_stats_include_delete_marked => engine.set_statistics(StatsSetting::IncludeDeleteMarked, n),
        Var::innodb_stats_method => engine.set_statistics(StatsSetting::Method, n),
        Var::innodb_stats_persistent => engine.set_statistics(StatsSetting::Persistent, n),
        Var::innodb_stats_persistent_sample_pages => engine.set_statistics(StatsSetting::PersistentPages, n),
        Var::innodb_stats_transient_sample_pages => engine.set_statistics(StatsSetting::TransientPages, n),
        Var::performance_schema_max_digest_sample_age => probe::statements::set_sample_age(n),
        _ => {}
    }
    Ok(())
}

/// InnoDB spins `loops` rounds of at most `delay` times `multiplier` PAUSEs: no latch spins longer. One of the three is the new value.
fn cap_spins(globals: &GlobalVars, loops: Option<u64>, delay: Option<u64>, multiplier: Option<u64>) {
    let or = |new: Option<u64>, var| new.unwrap_or_else(|| globals.num(var));
    let pauses = or(loops, Var::innodb_sync_spin_loops)
        .saturating_mul(or(delay, Var::innodb_spin_wait_delay))
        .saturating_mul(or(multiplier, Var::innodb_spin_wait_pause_multiplier));
    latch::set_spin_cap(u32::try_from(latch::pauses_ns(pauses)).unwrap_or(u32::MAX));
}

/// The start: everything the options say. The pool has its size already.
pub(crate) fn apply_all(engine: &Engine, globals: &GlobalVars) {
    crate::variables::metrics::at_start(engine, globals);
    for var in ENGINE {
        if var != Var::innodb_buffer_pool_size {
            // only the pool can refuse
            let _ = apply(engine, globals, var, globals.num(var));
        }
    }
}
