//! The metrics of INNODB_METRICS: MySQL 8.4's names, subsystems, kinds, defaults and comments in MySQL's order, and where a value comes from
//! here. A line `@ "module"` begins a module, which SET names as a whole.

use super::{Item, Kind, Metric, Source};
use Source::{Count, Level, Never, Now, Since, Uncounted};
use latch::LatchClass;
use latch::class::classes::PAGE as PAGE_LATCH;
use probe::{Counter as C, Gauge as G};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use storage::engine::EngineStatus;

/// A count of the latches of pages, InnoDB's rwlocks.
fn page(count: fn(&'static LatchClass) -> &'static AtomicU64) -> u64 {
    count(&PAGE_LATCH).load(Relaxed)
}

const PAGE: u64 = storage::page::PAGE_SIZE as u64;

fn frames(e: &EngineStatus) -> u64 {
    e.pool.frames as u64
}

fn data(e: &EngineStatus) -> u64 {
    e.pool.frames.saturating_sub(e.pool.free) as u64
}

/// Milliseconds that a wait for a row lock took on average.
fn row_lock_average() -> u64 {
    let time = super::shown(C::InnodbRowLockTime);
    time.checked_div(super::shown(C::InnodbRowLockWaits)).unwrap_or(0)
}

macro_rules! on {
    (on) => {
        true
    };
    (off) => {
        false
    };
}

macro_rules! items {
    ($(@ $module:literal; $($name:literal $subsystem:literal $kind:ident $on:ident $source:expr, $comment:literal;)*)*) => {
        pub(super) const ITEMS: &[Item] = &[$(
            Item::Module($module),
            $(Item::Metric(Metric { name: $name, subsystem: $subsystem, kind: Kind::$kind, on: on!($on), source: $source, comment: $comment }),)*
        )*];
    };
}

#[rustfmt::skip]
items! {
    @ "module_metadata";
    "metadata_table_handles_opened" "metadata" Counter off Uncounted, "Number of table handles opened";
    "metadata_table_handles_closed" "metadata" Counter off Uncounted, "Number of table handles closed";
    "metadata_table_reference_count" "metadata" Counter off Uncounted, "Table reference counter";
    @ "module_lock";
    "lock_deadlocks" "lock" Counter on Count(C::InnodbDeadlocks), "Number of deadlocks";
    "lock_deadlock_false_positives" "lock" Counter on Never, "Number of times a heuristic found a spurious candidate deadlock cycle in the wait-for graph";
    "lock_deadlock_rounds" "lock" Counter on Count(C::InnodbDeadlockRounds), "Number of times a wait-for graph was scanned in search for deadlocks";
    "lock_threads_waiting" "lock" Value on Now(|e| e.lock_waiting), "Number of query threads sleeping waiting for a lock";
    "lock_timeouts" "lock" Counter on Count(C::InnodbLockTimeouts), "Number of lock timeouts";
    "lock_rec_lock_waits" "lock" Counter off Count(C::InnodbRowLockWaits), "Number of times enqueued into record lock wait queue";
    "lock_table_lock_waits" "lock" Counter off Uncounted, "Number of times enqueued into table lock wait queue";
    "lock_rec_lock_requests" "lock" Counter off Uncounted, "Number of record locks requested";
    "lock_rec_release_attempts" "lock" Counter on Count(C::InnodbRecReleaseAttempts), "Number of times we attempted to release record locks";
    "lock_rec_grant_attempts" "lock" Counter on Count(C::InnodbRecGrantAttempts), "Number of times we attempted to grant locks for a record";
    "lock_rec_lock_created" "lock" Counter off Uncounted, "Number of record locks created";
    "lock_rec_lock_removed" "lock" Counter off Uncounted, "Number of record locks removed from the lock queue";
    "lock_rec_locks" "lock" Counter off Uncounted, "Current number of record locks on tables";
    "lock_table_lock_created" "lock" Counter off Uncounted, "Number of table locks created";
    "lock_table_lock_removed" "lock" Counter off Uncounted, "Number of table locks removed from the lock queue";
    "lock_table_locks" "lock" Counter off Uncounted, "Current number of table locks on tables";
    "lock_row_lock_current_waits" "lock" Status on Now(|e| e.lock_waiting), "Number of row locks currently being waited for (innodb_row_lock_current_waits)";
    "lock_row_lock_time" "lock" Status on Count(C::InnodbRowLockTime), "Time spent in acquiring row locks, in milliseconds (innodb_row_lock_time)";
    "lock_row_lock_time_max" "lock" Value on Level(G::RowLockTimeMax), "The maximum time to acquire a row lock, in milliseconds (innodb_row_lock_time_max)";
    "lock_row_lock_waits" "lock" Status on Count(C::InnodbRowLockWaits), "Number of times a row lock had to be waited for (innodb_row_lock_waits)";
    "lock_row_lock_time_avg" "lock" Value on Now(|_| row_lock_average()), "The average time to acquire a row lock, in milliseconds (innodb_row_lock_time_avg)";
    "lock_schedule_refreshes" "lock" Counter on Never, "Number of times the wait-for graph was analyzed to update schedule weights of transactions";
    @ "module_buffer";
    "buffer_pool_size" "server" Value on Now(|e| frames(e) * PAGE), "Server buffer pool size (all buffer pools) in bytes";
    "buffer_pool_reads" "buffer" Status on Count(C::InnodbBufferPoolReads), "Number of reads directly from disk (innodb_buffer_pool_reads)";
    "buffer_pool_read_requests" "buffer" Status on Count(C::InnodbBufferPoolReadRequests), "Number of logical read requests (innodb_buffer_pool_read_requests)";
    "buffer_pool_write_requests" "buffer" Status on Count(C::InnodbBufferPoolWriteRequests), "Number of write requests (innodb_buffer_pool_write_requests)";
    "buffer_pool_wait_free" "buffer" Status on Count(C::InnodbBufferPoolWaitFree), "Number of times waited for free buffer (innodb_buffer_pool_wait_free)";
    "buffer_pool_read_ahead" "buffer" Status on Count(C::InnodbBufferPoolReadAhead), "Number of pages read as read ahead (innodb_buffer_pool_read_ahead)";
    "buffer_pool_read_ahead_evicted" "buffer" Status on Count(C::InnodbBufferPoolReadAheadEvicted), "Read-ahead pages evicted without being accessed (innodb_buffer_pool_read_ahead_evicted)";
    "buffer_pool_pages_total" "buffer" Value on Now(frames), "Total buffer pool size in pages (innodb_buffer_pool_pages_total)";
    "buffer_pool_pages_misc" "buffer" Value on Never, "Buffer pages for misc use such as row locks or the adaptive hash index (innodb_buffer_pool_pages_misc)";
    "buffer_pool_pages_data" "buffer" Value on Now(data), "Buffer pages containing data (innodb_buffer_pool_pages_data)";
    "buffer_pool_bytes_data" "buffer" Value on Now(|e| data(e) * PAGE), "Buffer bytes containing data (innodb_buffer_pool_bytes_data)";
    "buffer_pool_pages_dirty" "buffer" Value on Now(|e| e.pool.dirty as u64), "Buffer pages currently dirty (innodb_buffer_pool_pages_dirty)";
    "buffer_pool_bytes_dirty" "buffer" Value on Now(|e| e.pool.dirty as u64 * PAGE), "Buffer bytes currently dirty (innodb_buffer_pool_bytes_dirty)";
    "buffer_pool_pages_free" "buffer" Value on Now(|e| e.pool.free as u64), "Buffer pages currently free (innodb_buffer_pool_pages_free)";
    "buffer_pages_created" "buffer" Status on Count(C::InnodbPagesCreated), "Number of pages created (innodb_pages_created)";
    "buffer_pages_written" "buffer" Status on Count(C::InnodbPagesWritten), "Number of pages written (innodb_pages_written)";
    "buffer_pages_read" "buffer" Status on Count(C::InnodbPagesRead), "Number of pages read (innodb_pages_read)";
    "buffer_data_reads" "buffer" Status on Count(C::InnodbDataRead), "Amount of data read in bytes (innodb_data_read)";
    "buffer_data_written" "buffer" Status on Count(C::InnodbDataWritten), "Amount of data written in bytes (innodb_data_written)";
    "buffer_flush_batch_scanned" "buffer" Owner off Uncounted, "Total pages scanned as part of flush batch";
    "buffer_flush_batch_num_scan" "buffer" Member off Uncounted, "Number of times buffer flush list flush is called";
    "buffer_flush_batch_scanned_per_call" "buffer" Member off Uncounted, "Pages scanned per flush batch scan";
    "buffer_flush_batch_total_pages" "buffer" Owner off Count(C::InnodbBufferPoolPagesFlushed), "Total pages flushed as part of flush batch";
    "buffer_flush_batches" "buffer" Member off Uncounted, "Number of flush batches";
    "buffer_flush_batch_pages" "buffer" Member off Uncounted, "Pages queued as a flush batch";
    "buffer_flush_neighbor_total_pages" "buffer" Owner off Never, "Total neighbors flushed as part of neighbor flush";
    "buffer_flush_neighbor" "buffer" Member off Never, "Number of times neighbors flushing is invoked";
    "buffer_flush_neighbor_pages" "buffer" Member off Never, "Pages queued as a neighbor batch";
    "buffer_flush_n_to_flush_requested" "buffer" Counter off Never, "Number of pages requested for flushing.";
    "buffer_flush_n_to_flush_by_dirty_page" "buffer" Counter off Never, "Number of pages targeted by dirty page percentage for flushing.";
    "buffer_flush_n_to_flush_by_age" "buffer" Counter off Never, "Number of pages targeted by LSN Age for flushing.";
    "buffer_flush_adaptive_avg_time_slot" "buffer" Counter off Never, "Avg time (ms) spent for adaptive flushing recently per slot.";
    "buffer_LRU_batch_flush_avg_time_slot" "buffer" Counter off Never, "Avg time (ms) spent for LRU batch flushing recently per slot.";
    "buffer_flush_adaptive_avg_time_thread" "buffer" Counter off Never, "Avg time (ms) spent for adaptive flushing recently per thread.";
    "buffer_LRU_batch_flush_avg_time_thread" "buffer" Counter off Never, "Avg time (ms) spent for LRU batch flushing recently per thread.";
    "buffer_flush_adaptive_avg_time_est" "buffer" Counter off Never, "Estimated time (ms) spent for adaptive flushing recently.";
    "buffer_LRU_batch_flush_avg_time_est" "buffer" Counter off Never, "Estimated time (ms) spent for LRU batch flushing recently.";
    "buffer_flush_avg_time" "buffer" Counter off Never, "Avg time (ms) spent for flushing recently.";
    "buffer_flush_adaptive_avg_pass" "buffer" Counter off Never, "Number of adaptive flushes passed during the recent Avg period.";
    "buffer_LRU_batch_flush_avg_pass" "buffer" Counter off Never, "Number of LRU batch flushes passed during the recent Avg period.";
    "buffer_flush_avg_pass" "buffer" Counter off Never, "Number of flushes passed during the recent Avg period.";
    "buffer_LRU_get_free_loops" "buffer" Counter off Never, "Total loops in LRU get free.";
    "buffer_LRU_get_free_waits" "buffer" Counter off Never, "Total sleep waits in LRU get free.";
    "buffer_flush_avg_page_rate" "buffer" Counter off Never, "Average number of pages at which flushing is happening";
    "buffer_flush_lsn_avg_rate" "buffer" Counter off Never, "Average redo generation rate";
    "buffer_flush_pct_for_dirty" "buffer" Counter off Never, "Percent of IO capacity used to avoid max dirty page limit";
    "buffer_flush_pct_for_lsn" "buffer" Counter off Never, "Percent of IO capacity used to avoid reusable redo space limit";
    "buffer_flush_sync_waits" "buffer" Counter off Never, "Number of times a wait happens due to sync flushing";
    "buffer_flush_adaptive_total_pages" "buffer" Owner off Never, "Total pages flushed as part of adaptive flushing";
    "buffer_flush_adaptive" "buffer" Member off Never, "Number of adaptive batches";
    "buffer_flush_adaptive_pages" "buffer" Member off Never, "Pages queued as an adaptive batch";
    "buffer_flush_sync_total_pages" "buffer" Owner off Never, "Total pages flushed as part of sync batches";
    "buffer_flush_sync" "buffer" Member off Never, "Number of sync batches";
    "buffer_flush_sync_pages" "buffer" Member off Never, "Pages queued as a sync batch";
    "buffer_flush_background_total_pages" "buffer" Owner off Uncounted, "Total pages flushed as part of background batches";
    "buffer_flush_background" "buffer" Member off Uncounted, "Number of background batches";
    "buffer_flush_background_pages" "buffer" Member off Uncounted, "Pages queued as a background batch";
    "buffer_LRU_batch_scanned" "buffer" Owner off Never, "Total pages scanned as part of LRU batch";
    "buffer_LRU_batch_num_scan" "buffer" Member off Never, "Number of times LRU batch is called";
    "buffer_LRU_batch_scanned_per_call" "buffer" Member off Never, "Pages scanned per LRU batch call";
    "buffer_LRU_batch_flush_total_pages" "buffer" Owner off Never, "Total pages flushed as part of LRU batches";
    "buffer_LRU_batches_flush" "buffer" Member off Never, "Number of LRU batches";
    "buffer_LRU_batch_flush_pages" "buffer" Member off Never, "Pages queued as an LRU batch";
    "buffer_LRU_batch_evict_total_pages" "buffer" Owner off Never, "Total pages evicted as part of LRU batches";
    "buffer_LRU_batches_evict" "buffer" Member off Never, "Number of LRU batches";
    "buffer_LRU_batch_evict_pages" "buffer" Member off Never, "Pages queued as an LRU batch";
    "buffer_LRU_single_flush_scanned" "buffer" Owner off Never, "Total pages scanned as part of single page LRU flush";
    "buffer_LRU_single_flush_num_scan" "buffer" Member off Never, "Number of times single page LRU flush is called";
    "buffer_LRU_single_flush_scanned_per_call" "buffer" Member off Never, "Page scanned per single LRU flush";
    "buffer_LRU_single_flush_failure_count" "Buffer" Counter off Never, "Number of times attempt to flush a single page from LRU failed";
    "buffer_LRU_get_free_search" "Buffer" Counter off Never, "Number of searches performed for a clean page";
    "buffer_LRU_search_scanned" "buffer" Owner off Never, "Total pages scanned as part of LRU search";
    "buffer_LRU_search_num_scan" "buffer" Member off Never, "Number of times LRU search is performed";
    "buffer_LRU_search_scanned_per_call" "buffer" Member off Never, "Page scanned per single LRU search";
    "buffer_LRU_unzip_search_scanned" "buffer" Owner off Never, "Total pages scanned as part of LRU unzip search";
    "buffer_LRU_unzip_search_num_scan" "buffer" Member off Never, "Number of times LRU unzip search is performed";
    "buffer_LRU_unzip_search_scanned_per_call" "buffer" Member off Never, "Page scanned per single LRU unzip search";
    @ "module_buffer_page";
    "buffer_page_read_index_leaf" "buffer_page_io" Counter off Uncounted, "Number of Index Leaf Pages read";
    "buffer_page_read_index_non_leaf" "buffer_page_io" Counter off Uncounted, "Number of Index Non-leaf Pages read";
    "buffer_page_read_index_ibuf_leaf" "buffer_page_io" Counter off Never, "Number of Insert Buffer Index Leaf Pages read";
    "buffer_page_read_index_ibuf_non_leaf" "buffer_page_io" Counter off Never, "Number of Insert Buffer Index Non-Leaf Pages read";
    "buffer_page_read_undo_log" "buffer_page_io" Counter off Uncounted, "Number of Undo Log Pages read";
    "buffer_page_read_index_inode" "buffer_page_io" Counter off Uncounted, "Number of Index Inode Pages read";
    "buffer_page_read_ibuf_free_list" "buffer_page_io" Counter off Never, "Number of Insert Buffer Free List Pages read";
    "buffer_page_read_ibuf_bitmap" "buffer_page_io" Counter off Never, "Number of Insert Buffer Bitmap Pages read";
    "buffer_page_read_system_page" "buffer_page_io" Counter off Uncounted, "Number of System Pages read";
    "buffer_page_read_trx_system" "buffer_page_io" Counter off Uncounted, "Number of Transaction System Pages read";
    "buffer_page_read_fsp_hdr" "buffer_page_io" Counter off Uncounted, "Number of File Space Header Pages read";
    "buffer_page_read_xdes" "buffer_page_io" Counter off Uncounted, "Number of Extent Descriptor Pages read";
    "buffer_page_read_blob" "buffer_page_io" Counter off Uncounted, "Number of Uncompressed BLOB Pages read";
    "buffer_page_read_zblob" "buffer_page_io" Counter off Never, "Number of First Compressed BLOB Pages read";
    "buffer_page_read_zblob2" "buffer_page_io" Counter off Never, "Number of Subsequent Compressed BLOB Pages read";
    "buffer_page_read_rseg_array" "buffer_page_io" Counter off Never, "Number of Rollback Segment Array Pages read";
    "buffer_page_read_other" "buffer_page_io" Counter off Never, "Number of other/unknown (old version of InnoDB) Pages read";
    "buffer_page_written_index_leaf" "buffer_page_io" Counter off Uncounted, "Number of Index Leaf Pages written";
    "buffer_page_written_index_non_leaf" "buffer_page_io" Counter off Uncounted, "Number of Index Non-leaf Pages written";
    "buffer_page_written_index_ibuf_leaf" "buffer_page_io" Counter off Never, "Number of Insert Buffer Index Leaf Pages written";
    "buffer_page_written_index_ibuf_non_leaf" "buffer_page_io" Counter off Never, "Number of Insert Buffer Index Non-Leaf Pages written";
    "buffer_page_written_undo_log" "buffer_page_io" Counter off Uncounted, "Number of Undo Log Pages written";
    "buffer_page_written_index_inode" "buffer_page_io" Counter off Uncounted, "Number of Index Inode Pages written";
    "buffer_page_written_ibuf_free_list" "buffer_page_io" Counter off Never, "Number of Insert Buffer Free List Pages written";
    "buffer_page_written_ibuf_bitmap" "buffer_page_io" Counter off Never, "Number of Insert Buffer Bitmap Pages written";
    "buffer_page_written_system_page" "buffer_page_io" Counter off Uncounted, "Number of System Pages written";
    "buffer_page_written_trx_system" "buffer_page_io" Counter off Uncounted, "Number of Transaction System Pages written";
    "buffer_page_written_fsp_hdr" "buffer_page_io" Counter off Uncounted, "Number of File Space Header Pages written";
    "buffer_page_written_xdes" "buffer_page_io" Counter off Uncounted, "Number of Extent Descriptor Pages written";
    "buffer_page_written_blob" "buffer_page_io" Counter off Uncounted, "Number of Uncompressed BLOB Pages written";
    "buffer_page_written_zblob" "buffer_page_io" Counter off Never, "Number of First Compressed BLOB Pages written";
    "buffer_page_written_zblob2" "buffer_page_io" Counter off Never, "Number of Subsequent Compressed BLOB Pages written";
    "buffer_page_written_rseg_array" "buffer_page_io" Counter off Never, "Number of Rollback Segment Array Pages written";
    "buffer_page_written_other" "buffer_page_io" Counter off Never, "Number of other/unknown (old version InnoDB) Pages written";
    "buffer_page_written_on_log_no_waits" "buffer_page_io" Counter off Uncounted, "Number of Waits on redo flushed when flushing pages Pages written";
    "buffer_page_written_on_log_waits" "buffer_page_io" Counter off Uncounted, "Number of Waits on redo flushed when flushing pages Pages written";
    "buffer_page_written_on_log_wait_loops" "buffer_page_io" Counter off Uncounted, "Number of Waits on redo flushed when flushing pages Pages written";
    @ "module_os";
    "os_data_reads" "os" Status on Count(C::InnodbDataReads), "Number of reads initiated (innodb_data_reads)";
    "os_data_writes" "os" Status on Count(C::InnodbDataWrites), "Number of writes initiated (innodb_data_writes)";
    "os_data_fsyncs" "os" Status on Count(C::InnodbDataFsyncs), "Number of fsync() calls (innodb_data_fsyncs)";
    "os_pending_reads" "os" Counter off Level(G::DataPendingReads), "Number of reads pending";
    "os_pending_writes" "os" Counter off Level(G::DataPendingWrites), "Number of writes pending";
    "os_log_bytes_written" "os" Status on Count(C::InnodbOsLogWritten), "Bytes of log written (innodb_os_log_written)";
    "os_log_fsyncs" "os" Status on Count(C::InnodbOsLogFsyncs), "Number of fsync log writes (innodb_os_log_fsyncs)";
    "os_log_pending_fsyncs" "os" Status on Level(G::LogPendingFsyncs), "Number of pending fsync write (innodb_os_log_pending_fsyncs)";
    "os_log_pending_writes" "os" Status on Level(G::LogPendingWrites), "Number of pending log file writes (innodb_os_log_pending_writes)";
    @ "module_trx";
    "trx_rw_commits" "transaction" Counter off Since(|e| e.last_trx_no), "Number of read-write transactions committed";
    "trx_ro_commits" "transaction" Counter off Uncounted, "Number of read-only transactions committed";
    "trx_nl_ro_commits" "transaction" Counter off Uncounted, "Number of non-locking auto-commit read-only transactions committed";
    "trx_commits_insert_update" "transaction" Counter off Uncounted, "Number of transactions committed with inserts and updates";
    "trx_rollbacks" "transaction" Counter off Count(C::InnodbTrxRollbacks), "Number of transactions rolled back";
    "trx_rollbacks_savepoint" "transaction" Counter off Count(C::InnodbTrxRollbacksSavepoint), "Number of transactions rolled back to savepoint";
    "trx_rollback_active" "transaction" Counter off Uncounted, "Number of resurrected active transactions rolled back";
    "trx_active_transactions" "transaction" Counter off Now(|e| e.active_transactions), "Number of active transactions";
    "trx_allocations" "transaction" Counter off Uncounted, "Number of trx_t allocations";
    "trx_on_log_no_waits" "transaction" Counter off Uncounted, "Waits for redo during transaction commits";
    "trx_on_log_waits" "transaction" Counter off Uncounted, "Waits for redo during transaction commits";
    "trx_on_log_wait_loops" "transaction" Counter off Uncounted, "Waits for redo during transaction commits";
    "trx_rseg_history_len" "transaction" Value on Now(|e| e.history_list_length), "Length of the TRX_RSEG_HISTORY list";
    "trx_undo_slots_used" "transaction" Counter off Uncounted, "Number of undo slots used";
    "trx_undo_slots_cached" "transaction" Counter off Uncounted, "Number of undo slots cached";
    "trx_rseg_current_size" "transaction" Value off Uncounted, "Current rollback segment size in pages";
    @ "module_purge";
    "purge_del_mark_records" "purge" Counter off Uncounted, "Number of delete-marked rows purged";
    "purge_upd_exist_or_extern_records" "purge" Counter off Uncounted, "Number of purges on updates of existing records and updates on delete marked record with externally stored field";
    "purge_invoked" "purge" Counter off Uncounted, "Number of times purge was invoked";
    "purge_undo_log_pages" "purge" Counter off Uncounted, "Number of undo log pages handled by the purge";
    "purge_dml_delay_usec" "purge" Value off Never, "Microseconds DML to be delayed due to purge lagging";
    "purge_stop_count" "purge" Value off Never, "Number of times purge was stopped";
    "purge_resume_count" "purge" Value off Never, "Number of times purge was resumed";
    "purge_truncate_history_count" "purge" Counter off Uncounted, "Number of times the purge thread attempted to truncate undo history";
    "purge_truncate_history_usec" "purge" Counter off Uncounted, "Time (in microseconds) the purge thread spent truncating undo history.";
    @ "module_undo";
    "undo_truncate_count" "undo" Counter off Never, "Number of times undo truncation was initiated";
    "undo_truncate_start_logging_count" "undo" Counter off Never, "Number of times during undo truncation a log file was started";
    "undo_truncate_done_logging_count" "undo" Counter off Never, "Number of times during undo truncation a log file was deleted";
    "undo_truncate_usec" "undo" Counter off Never, "Time (in microseconds) spent to process undo truncation";
    @ "module_log";
    "log_lsn_last_flush" "log" Value off Now(|e| e.flushed_lsn.0), "LSN of last flush";
    "log_lsn_last_checkpoint" "log" Value off Now(|e| e.checkpoint_lsn.0), "LSN at last checkpoint";
    "log_lsn_current" "log" Value off Now(|e| e.lsn.0), "Current LSN value";
    "log_lsn_archived" "log" Value off Never, "Archived LSN value";
    "log_lsn_checkpoint_age" "log" Value off Now(|e| e.checkpoint_age), "Current LSN value minus LSN at last checkpoint";
    "log_lsn_buf_dirty_pages_added" "log" Value off Uncounted, "The LSN value up to which all dirty pages have been added";
    "log_lsn_buf_pool_oldest_approx" "log" Value off Uncounted, "Approximation for the oldest modified block LSN in the buffer pool";
    "log_lsn_buf_pool_oldest_lwm" "log" Value off Uncounted, "Low watermark for the oldest modified block LSN in the buffer pool";
    "log_max_modified_age_async" "log" Value off Uncounted, "Maximum LSN difference; when exceeded, start asynchronous preflush";
    "log_max_modified_age_sync" "log" Value off Now(|e| e.max_checkpoint_age), "Maximum LSN difference; when exceeded, start synchronous preflush";
    "log_waits" "log" Status on Count(C::InnodbLogWaits), "Number of log waits due to small log buffer (innodb_log_waits)";
    "log_write_requests" "log" Status on Count(C::InnodbLogWriteRequests), "Number of log write requests (innodb_log_write_requests)";
    "log_writes" "log" Status on Count(C::InnodbLogWrites), "Number of log writes";
    "log_flush_total_time" "log" Counter off Uncounted, "Total time spent on fsync for log files";
    "log_flush_max_time" "log" Counter off Uncounted, "Maximum time spent on fsync for log files (during last innodb_flushing_avg_loops)";
    "log_flush_avg_time" "log" Counter off Uncounted, "Average time spent on fsync for log files (during last innodb_flushing_avg_loops)";
    "log_flush_lsn_avg_rate" "log" Counter off Uncounted, "Average redo flushing rate (during last innodb_flushing_avg_loops)";
    "log_full_block_writes" "log" Counter off Never, "Number of log writes for full (completed) log blocks";
    "log_partial_block_writes" "log" Counter off Never, "Number of log writes for partial (incomplete) log blocks";
    "log_padded" "log" Counter off Uncounted, "Bytes of log padded for log write ahead";
    "log_next_file" "log" Counter off Never, "Number of new log files created.";
    "log_checkpoints" "log" Counter off Count(C::InnodbRedoLogCheckpoints), "Number of checkpoints";
    "log_free_space" "log" Counter off Uncounted, "Free space in redo (emergency when negative).";
    "log_concurrency_margin" "log" Counter off Never, "Current concurrency margin used (may increase).";
    "log_writer_no_waits" "log" Counter off Never, "Waits on task in log_writer thread";
    "log_writer_waits" "log" Counter off Never, "Waits on task in log_writer thread";
    "log_writer_wait_loops" "log" Counter off Never, "Waits on task in log_writer thread";
    "log_writer_on_file_space_waits" "log" Counter off Never, "Waits on free space in log writer";
    "log_writer_on_archiver_waits" "log" Counter off Never, "Waits on redo archiver in log writer";
    "log_flusher_no_waits" "log" Counter off Never, "Waits on task in log_flusher thread";
    "log_flusher_waits" "log" Counter off Never, "Waits on task in log_flusher thread";
    "log_flusher_wait_loops" "log" Counter off Never, "Waits on task in log_flusher thread";
    "log_write_notifier_no_waits" "log" Counter off Never, "Waits on task in log_write_notifier thread";
    "log_write_notifier_waits" "log" Counter off Never, "Waits on task in log_write_notifier thread";
    "log_write_notifier_wait_loops" "log" Counter off Never, "Waits on task in log_write_notifier thread";
    "log_flush_notifier_no_waits" "log" Counter off Never, "Waits on task in log_flush_notifier_thread";
    "log_flush_notifier_waits" "log" Counter off Never, "Waits on task in log_flush_notifier_thread";
    "log_flush_notifier_wait_loops" "log" Counter off Never, "Waits on task in log_flush_notifier_thread";
    "log_write_to_file_requests_interval" "log" Counter off Never, "Average time between consecutive requests to write/flush redo. Measured only for requests signaled during commit of transactions.";
    "log_on_write_no_waits" "log" Counter off Never, "Waits in user threads on log_writer+log_write_notifier";
    "log_on_write_waits" "log" Counter off Never, "Waits in user threads on log_writer+log_write_notifier";
    "log_on_write_wait_loops" "log" Counter off Never, "Waits in user threads on log_writer+log_write_notifier";
    "log_on_flush_no_waits" "log" Counter off Uncounted, "Waits in user threads on log_flusher+log_flush_notifier";
    "log_on_flush_waits" "log" Counter off Uncounted, "Waits in user threads on log_flusher+log_flush_notifier";
    "log_on_flush_wait_loops" "log" Counter off Uncounted, "Waits in user threads on log_flusher+log_flush_notifier";
    "log_on_recent_written_wait_loops" "log" Counter off Never, "Loops of waits in user threads on space in log.recent_written";
    "log_on_recent_closed_wait_loops" "log" Counter off Never, "Loops of waits in user threads on space in innodb_buf_flush_list_added_size";
    "log_on_buffer_space_no_waits" "log" Counter off Uncounted, "Waits in user threads on space in log buffer";
    "log_on_buffer_space_waits" "log" Counter off Uncounted, "Waits in user threads on space in log buffer";
    "log_on_buffer_space_wait_loops" "log" Counter off Uncounted, "Waits in user threads on space in log buffer";
    "log_on_file_space_no_waits" "log" Counter off Uncounted, "Waits in user threads on space in log files";
    "log_on_file_space_waits" "log" Counter off Uncounted, "Waits in user threads on space in log files";
    "log_on_file_space_wait_loops" "log" Counter off Uncounted, "Waits in user threads on space in log files";
    @ "module_compress";
    "compress_pages_compressed" "compression" Counter off Never, "Number of pages compressed";
    "compress_pages_decompressed" "compression" Counter off Never, "Number of pages decompressed";
    "compression_pad_increments" "compression" Counter off Never, "Number of times padding is incremented to avoid compression failures";
    "compression_pad_decrements" "compression" Counter off Never, "Number of times padding is decremented due to good compressibility";
    @ "module_index";
    "index_page_splits" "index" Counter off Count(C::InnodbBtreeSplits), "Number of index page splits";
    "index_page_merge_attempts" "index" Counter off Uncounted, "Number of index page merge attempts";
    "index_page_merge_successful" "index" Counter off Count(C::InnodbBtreeMerges), "Number of successful index page merges";
    "index_page_reorg_attempts" "index" Counter off Uncounted, "Number of index page reorganization attempts";
    "index_page_reorg_successful" "index" Counter off Uncounted, "Number of successful index page reorganizations";
    "index_page_discards" "index" Counter off Uncounted, "Number of index pages discarded";
    @ "module_adaptive_hash";
    "adaptive_hash_searches" "adaptive_hash_index" Status on Never, "Number of successful searches using Adaptive Hash Index";
    "adaptive_hash_searches_btree" "adaptive_hash_index" Status on Count(C::InnodbBtreeSearches), "Number of searches using B-tree on an index search";
    "adaptive_hash_pages_added" "adaptive_hash_index" Counter off Never, "Number of index pages on which the Adaptive Hash Index is built";
    "adaptive_hash_pages_removed" "adaptive_hash_index" Counter off Never, "Number of index pages whose corresponding Adaptive Hash Index entries were removed";
    "adaptive_hash_rows_added" "adaptive_hash_index" Counter off Never, "Number of Adaptive Hash Index rows added";
    "adaptive_hash_rows_removed" "adaptive_hash_index" Counter off Never, "Number of Adaptive Hash Index rows removed";
    "adaptive_hash_rows_deleted_no_hash_entry" "adaptive_hash_index" Counter off Never, "Number of rows deleted that did not have corresponding Adaptive Hash Index entries";
    "adaptive_hash_rows_updated" "adaptive_hash_index" Counter off Never, "Number of Adaptive Hash Index rows updated";
    @ "module_file";
    "file_num_open_files" "file_system" Value on Now(|e| e.open_files), "Number of files currently open (innodb_num_open_files)";
    @ "module_ibuf_system";
    "ibuf_merges_insert" "change_buffer" Status on Never, "Number of inserted records merged by change buffering";
    "ibuf_merges_delete_mark" "change_buffer" Status on Never, "Number of deleted records merged by change buffering";
    "ibuf_merges_delete" "change_buffer" Status on Never, "Number of purge records merged by change buffering";
    "ibuf_merges_discard_insert" "change_buffer" Status on Never, "Number of insert merged operations discarded";
    "ibuf_merges_discard_delete_mark" "change_buffer" Status on Never, "Number of deleted merged operations discarded";
    "ibuf_merges_discard_delete" "change_buffer" Status on Never, "Number of purge merged operations discarded";
    "ibuf_merges" "change_buffer" Status on Never, "Number of change buffer merges";
    "ibuf_size" "change_buffer" Status on Never, "Change buffer size in pages";
    @ "module_innodb";
    "innodb_master_thread_sleeps" "server" Counter off Since(|_| super::shown(C::InnodbMasterActiveLoops) + super::shown(C::InnodbMasterIdleLoops)), "Number of times (seconds) master thread sleeps";
    "innodb_activity_count" "server" Status on Count(C::InnodbActivity), "Current server activity count";
    "innodb_master_active_loops" "server" Counter off Count(C::InnodbMasterActiveLoops), "Number of times master thread performs its tasks when server is active";
    "innodb_master_idle_loops" "server" Counter off Count(C::InnodbMasterIdleLoops), "Number of times master thread performs its tasks when server is idle";
    "innodb_background_drop_table_usec" "server" Counter off Never, "Time (in microseconds) spent to process drop table list";
    "innodb_ibuf_merge_usec" "server" Counter off Never, "Time (in microseconds) spent to process change buffer merge";
    "innodb_mem_validate_usec" "server" Counter off Never, "Time (in microseconds) spent to do memory validation";
    "innodb_master_purge_usec" "server" Counter off Never, "Time (in microseconds) spent by master thread to purge records";
    "innodb_dict_lru_usec" "server" Counter off Never, "Time (in microseconds) spent to process DICT LRU list";
    "innodb_dict_lru_count" "server" Counter off Never, "Number of tables evicted from DICT LRU list";
    "innodb_dblwr_writes" "server" Status on Count(C::InnodbDblwrWrites), "Number of doublewrite operations that have been performed (innodb_dblwr_writes)";
    "innodb_dblwr_pages_written" "server" Status on Count(C::InnodbDblwrPagesWritten), "Number of pages that have been written for doublewrite operations (innodb_dblwr_pages_written)";
    "innodb_page_size" "server" Value on Now(|_| PAGE), "InnoDB page size in bytes (innodb_page_size)";
    "innodb_rwlock_s_spin_waits" "server" Status on Since(|_| page(|p| &p.shared.spins)), "Number of rwlock spin waits due to shared latch request";
    "innodb_rwlock_x_spin_waits" "server" Status on Since(|_| page(|p| &p.spins).saturating_sub(page(|p| &p.shared.spins))), "Number of rwlock spin waits due to exclusive latch request";
    "innodb_rwlock_sx_spin_waits" "server" Status on Never, "Number of rwlock spin waits due to sx latch request";
    "innodb_rwlock_s_spin_rounds" "server" Status on Since(|_| page(|p| &p.shared.rounds)), "Number of rwlock spin loop rounds due to shared latch request";
    "innodb_rwlock_x_spin_rounds" "server" Status on Since(|_| page(|p| &p.rounds).saturating_sub(page(|p| &p.shared.rounds))), "Number of rwlock spin loop rounds due to exclusive latch request";
    "innodb_rwlock_sx_spin_rounds" "server" Status on Never, "Number of rwlock spin loop rounds due to sx latch request";
    "innodb_rwlock_s_os_waits" "server" Status on Since(|_| page(|p| &p.shared.os_waits)), "Number of OS waits due to shared latch request";
    "innodb_rwlock_x_os_waits" "server" Status on Since(|_| PAGE_LATCH.waits.snapshot().count.saturating_sub(page(|p| &p.shared.os_waits))), "Number of OS waits due to exclusive latch request";
    "innodb_rwlock_sx_os_waits" "server" Status on Never, "Number of OS waits due to sx latch request";
    @ "module_dml";
    "dml_reads" "dml" Status off Count(C::InnodbRowsRead), "Number of rows read";
    "dml_inserts" "dml" Status on Count(C::InnodbRowsInserted), "Number of rows inserted";
    "dml_deletes" "dml" Status on Count(C::InnodbRowsDeleted), "Number of rows deleted";
    "dml_updates" "dml" Status on Count(C::InnodbRowsUpdated), "Number of rows updated";
    "dml_system_reads" "dml" Status on Never, "Number of system rows read";
    "dml_system_inserts" "dml" Status on Never, "Number of system rows inserted";
    "dml_system_deletes" "dml" Status on Never, "Number of system rows deleted";
    "dml_system_updates" "dml" Status on Never, "Number of system rows updated";
    @ "module_sampling";
    "sampled_pages_read" "sampling" Status off Never, "Number of sampled pages read";
    "sampled_pages_skipped" "sampling" Status off Never, "Number of sampled pages skipped";
    @ "module_ddl";
    "ddl_background_drop_tables" "ddl" Counter off Never, "Number of tables in background drop table list";
    "ddl_online_create_index" "ddl" Counter off Uncounted, "Number of indexes being created online";
    "ddl_pending_alter_table" "ddl" Counter off Uncounted, "Number of ALTER TABLE, CREATE INDEX, DROP INDEX in progress";
    "ddl_sort_file_alter_table" "ddl" Counter off Uncounted, "Number of sort files created during alter table";
    "ddl_log_file_alter_table" "ddl" Counter off Uncounted, "Number of log files created during alter table";
    @ "module_icp";
    "icp_attempts" "icp" Counter off Uncounted, "Number of attempts for index push-down condition checks";
    "icp_no_match" "icp" Counter off Uncounted, "Index push-down condition does not match";
    "icp_out_of_range" "icp" Counter off Uncounted, "Index push-down condition out of range";
    "icp_match" "icp" Counter off Uncounted, "Index push-down condition matches";
    @ "latch_status";
    "module_cpu" "cpu" Counter off Never, "CPU counters reflecting current usage of CPU";
    "cpu_utime_abs" "cpu" Counter off Level(G::CpuUtimeAbs), "Total CPU user time spent";
    "cpu_stime_abs" "cpu" Counter off Level(G::CpuStimeAbs), "Total CPU system time spent";
    "cpu_utime_pct" "cpu" Counter off Level(G::CpuUtimePct), "Relative CPU user time spent";
    "cpu_stime_pct" "cpu" Counter off Level(G::CpuStimePct), "Relative CPU system time spent";
    "cpu_n" "cpu" Counter off Level(G::CpuN), "Number of cpus";
    "module_page_track" "page_track" Counter off Never, "Counters related to page tracking";
    "page_track_resets" "page_track" Counter off Never, "Number of resets";
    "page_track_partial_block_writes" "page_track" Counter off Never, "Number of partial block writes";
    "page_track_full_block_writes" "page_track" Counter off Never, "Number of full block writes";
    "page_track_checkpoint_partial_flush_request" "page_track" Counter off Never, "Number of partial flush requests made during checkpointing";
    "module_dblwr" "dblwr" Counter off Never, "Counters related to double writes";
    "dblwr_async_requests" "dblwr" Counter off Never, "Total async requests";
    "dblwr_sync_requests" "dblwr" Counter off Uncounted, "Total sync enqueue requests";
    "dblwr_flush_requests" "dblwr" Counter off Uncounted, "Total flush requests";
    "dblwr_flush_wait_events" "dblwr" Counter off Uncounted, "Total flush wait events";
}
