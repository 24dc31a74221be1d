//! Gauges: values that are set, not counted. Shared words, so for rare changes only; what changes with every statement is a counter of
//! scope `level` in [`crate::counters`].

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

macro_rules! gauges {
    ($($id:ident $name:literal $doc:literal;)*) => {
        /// A gauge; see the table in this file.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Gauge { $(#[doc = $doc] $id,)* }

        impl Gauge {
            /// All, in the order of the table.
            pub const ALL: &[Gauge] = &[$(Gauge::$id),*];
            /// Status name.
            pub const fn name(self) -> &'static str { match self { $(Gauge::$id => $name,)* } }
            /// One line of text.
            pub const fn doc(self) -> &'static str { match self { $(Gauge::$id => $doc,)* } }
        }
        static VALUES: [AtomicI64; Gauge::ALL.len()] = [const { AtomicI64::new(0) }; Gauge::ALL.len()];
    };
}

gauges! {
    PoolPagesTotal "Innodb_buffer_pool_pages_total" "Frames of the buffer pool";
    PoolPagesFree "Innodb_buffer_pool_pages_free" "Frames without a page";
    PoolPagesData "Innodb_buffer_pool_pages_data" "Frames with a page";
    PoolPagesDirty "Innodb_buffer_pool_pages_dirty" "Frames with a changed page";
    PoolPagesMisc "Innodb_buffer_pool_pages_misc" "Frames used for other things";
    PoolPagesOld "Innodb_buffer_pool_pages_old" "Frames in the old part";
    PoolBytesData "Innodb_buffer_pool_bytes_data" "Bytes of pages in the pool";
    PoolBytesDirty "Innodb_buffer_pool_bytes_dirty" "Bytes of changed pages in the pool";
    PageSize "Innodb_page_size" "Bytes per page";
    RowLockTimeMax "Innodb_row_lock_time_max" "Longest wait for a row lock, milliseconds";
    DataPendingReads "Innodb_data_pending_reads" "Reads of data files under way";
    DataPendingWrites "Innodb_data_pending_writes" "Writes of data files under way";
    DataPendingFsyncs "Innodb_data_pending_fsyncs" "fsync() calls on data files under way";
    LogPendingFsyncs "Innodb_os_log_pending_fsyncs" "fsync() calls on the log under way";
    LogPendingWrites "Innodb_os_log_pending_writes" "Writes of the log under way";
    LogMostSyncsWaited "Innodb_log_most_syncs_waited" "Most syncs of the log that a commit has waited for since the start: what it met, and its own (extension)";
    RedoCapacity "Innodb_redo_log_capacity_resized" "Bytes of redo log on disk";
    RedoCurrentLsn "Innodb_redo_log_current_lsn" "End of the log";
    RedoFlushedLsn "Innodb_redo_log_flushed_to_disk_lsn" "Durable up to here";
    RedoCheckpointLsn "Innodb_redo_log_checkpoint_lsn" "Last checkpoint";
    RedoLogicalSize "Innodb_redo_log_logical_size" "Bytes between checkpoint and end of the log";
    RedoPhysicalSize "Innodb_redo_log_physical_size" "Bytes of redo files";
    UndoTablespacesTotal "Innodb_undo_tablespaces_total" "Undo tablespaces";
    UndoTablespacesActive "Innodb_undo_tablespaces_active" "Undo tablespaces in use";
    HistoryListLength "Innodb_history_list_length" "Committed transactions whose undo is not purged (extension)";
    OpenFiles "Open_files" "Files open by the SQL layer";
    OpenTableDefinitions "Open_table_definitions" "Table definitions in the cache";
    ThreadsCached "Threads_cached" "Threads waiting for a connection";
    ConnectAttrsLongest "Performance_schema_session_connect_attrs_longest_seen" "Bytes of the longest connection attributes that a client sent";
    EffectiveCpusMilli "Effective_cpus_milli" "CPUs granted by affinity and quota, thousandths (extension)";
    QuotaCpusMilli "Quota_cpus_milli" "CPU quota in thousandths, 0 without one (extension)";
    CpuN "Innodb_cpu_n" "CPUs granted by affinity and quota, rounded up (extension; INNODB_METRICS cpu_n)";
    CpuUtimeAbs "Innodb_cpu_utime_abs" "User time of the last second in percent of one CPU (extension; INNODB_METRICS cpu_utime_abs)";
    CpuStimeAbs "Innodb_cpu_stime_abs" "System time of the last second in percent of one CPU (extension; INNODB_METRICS cpu_stime_abs)";
    CpuUtimePct "Innodb_cpu_utime_pct" "User time of the last second in percent of the CPUs granted (extension; INNODB_METRICS cpu_utime_pct)";
    CpuStimePct "Innodb_cpu_stime_pct" "System time of the last second in percent of the CPUs granted (extension; INNODB_METRICS cpu_stime_pct)";
    RunTokens "Sched_run_tokens" "Threads that may serve connections at once (extension)";
    RunTokensFree "Sched_run_tokens_free" "Run tokens that no thread has (extension)";
    ParkedConnections "Sched_parked_connections" "Idle connections without a thread (extension)";
    SpinLimitNs "Latch_spin_limit_ns" "Longest spin allowed now (extension)";
    ThrottledPeriods "Cgroup_throttled_periods" "Periods in which the kernel stopped this control group (extension)";
    ThrottledMicros "Cgroup_throttled_usec" "How long it was stopped (extension)";
    MemoryLimit "Cgroup_memory_max" "Memory limit in bytes, 0 without one (extension)";
    ResidentMemory "Process_resident_bytes" "Resident memory (extension)";
}

impl Gauge {
    fn cell(self) -> &'static AtomicI64 {
        static NOWHERE: AtomicI64 = AtomicI64::new(0);
        VALUES.get(self as usize).unwrap_or(&NOWHERE)
    }
    /// Sets it.
    pub fn set(self, v: i64) {
        self.cell().store(v, Relaxed);
    }
    /// Raises it to `v` if it is lower; says whether it did.
    pub fn raise(self, v: i64) -> bool {
        self.cell().fetch_max(v, Relaxed) < v
    }
    /// Adds (a negative number lowers it).
    pub fn add(self, n: i64) {
        self.cell().fetch_add(n, Relaxed);
    }
    /// The value now.
    pub fn get(self) -> i64 {
        self.cell().load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_raise_add() {
        let g = Gauge::PoolPagesMisc;
        g.set(5);
        assert!(!g.raise(4) && g.raise(9));
        g.add(-2);
        assert_eq!(g.get(), 7);
    }
}
