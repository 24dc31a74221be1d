//! The areas of memory that performance_schema knows (`memory/...`). See [`crate::instruments`].

macro_rules! areas {
    ($($id:ident $name:literal $doc:literal;)*) => {
        /// Areas of memory that are known.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Memory { $(#[doc = $doc] $id,)* }

        impl Memory {
            /// All of them.
            pub const ALL: &[Memory] = &[$(Memory::$id),*];
            /// MySQL's name, or one of its form.
            pub const fn name(self) -> &'static str { match self { $(Memory::$id => $name,)* } }
        }
    };
}

areas! {
    BufferPool "memory/innodb/buf_buf_pool" "The buffer pool.";
    LogBuffer "memory/innodb/log_buffer_memory" "The redo log's buffer.";
    Plans "memory/sql/plan_cache" "Plans that are kept for all sessions.";
    Locks "memory/innodb/lock0lock" "Row locks and table locks.";
    Dictionary "memory/sql/dd::objects" "Definitions of tables.";
    Programs "memory/sql/sp_head::main_mem_root" "Compiled programs of all threads.";
    History "memory/performance_schema/events_statements_history" "Last statements of sessions.";
    HistoryLong "memory/performance_schema/events_statements_history_long" "Last statements of all sessions.";
    TransactionHistory "memory/performance_schema/events_transactions_history" "Last transactions of sessions.";
    TransactionHistoryLong "memory/performance_schema/events_transactions_history_long"
        "Last transactions of all sessions.";
    StageHistory "memory/performance_schema/events_stages_history" "Last stages of sessions.";
    StageHistoryLong "memory/performance_schema/events_stages_history_long" "Last stages of all sessions.";
    WaitHistory "memory/performance_schema/events_waits_history" "Last waits of sessions.";
    WaitHistoryLong "memory/performance_schema/events_waits_history_long" "Last waits of all sessions.";
    Digests "memory/performance_schema/events_statements_summary_by_digest" "Sums by digest.";
    SumsByThread "memory/performance_schema/events_statements_summary_by_thread_by_event_name"
        "Sums by session and kind of statement.";
    ErrorsByThread "memory/performance_schema/events_errors_summary_by_thread_by_error" "Sums of errors by session.";
    ErrorsByAccount "memory/performance_schema/events_errors_summary_by_account_by_error"
        "Sums of errors by account, of sessions that have ended.";
    ErrorsByUser "memory/performance_schema/events_errors_summary_by_user_by_error"
        "Sums of errors by user, of sessions that have ended.";
    ErrorsByHost "memory/performance_schema/events_errors_summary_by_host_by_error"
        "Sums of errors by host, of sessions that have ended.";
    ErrorsGlobal "memory/performance_schema/events_errors_summary_global_by_error"
        "Sums of errors of all sessions that have ended.";
    StagesByThread "memory/performance_schema/events_stages_summary_by_thread_by_event_name"
        "Sums of stages by session.";
    StagesByAccount "memory/performance_schema/events_stages_summary_by_account_by_event_name"
        "Sums of stages by account, of sessions that have ended.";
    StagesByUser "memory/performance_schema/events_stages_summary_by_user_by_event_name"
        "Sums of stages by user, of sessions that have ended.";
    StagesByHost "memory/performance_schema/events_stages_summary_by_host_by_event_name"
        "Sums of stages by host, of sessions that have ended.";
    StagesGlobal "memory/performance_schema/events_stages_summary_global_by_event_name"
        "Sums of stages of all sessions that have ended.";
    StatementsByAccount "memory/performance_schema/events_statements_summary_by_account_by_event_name"
        "Sums of statements by account, of sessions that have ended.";
    StatementsByUser "memory/performance_schema/events_statements_summary_by_user_by_event_name"
        "Sums of statements by user, of sessions that have ended.";
    StatementsByHost "memory/performance_schema/events_statements_summary_by_host_by_event_name"
        "Sums of statements by host, of sessions that have ended.";
    StatementsGlobal "memory/performance_schema/events_statements_summary_global_by_event_name"
        "Sums of statements of all sessions that have ended.";
    TransactionsByThread "memory/performance_schema/events_transactions_summary_by_thread_by_event_name"
        "Sums of transactions by session.";
    TransactionsByAccount "memory/performance_schema/events_transactions_summary_by_account_by_event_name"
        "Sums of transactions by account, of sessions that have ended.";
    TransactionsByUser "memory/performance_schema/events_transactions_summary_by_user_by_event_name"
        "Sums of transactions by user, of sessions that have ended.";
    TransactionsByHost "memory/performance_schema/events_transactions_summary_by_host_by_event_name"
        "Sums of transactions by host, of sessions that have ended.";
    WaitsByThread "memory/performance_schema/events_waits_summary_by_thread_by_event_name" "Sums of waits by session.";
    WaitsByAccount "memory/performance_schema/events_waits_summary_by_account_by_event_name"
        "Sums of waits by account, of sessions that have ended.";
    WaitsByUser "memory/performance_schema/events_waits_summary_by_user_by_event_name"
        "Sums of waits by user, of sessions that have ended.";
    WaitsByHost "memory/performance_schema/events_waits_summary_by_host_by_event_name"
        "Sums of waits by host, of sessions that have ended.";
    MemoryByThread "memory/performance_schema/memory_summary_by_thread_by_event_name" "Sums of memory by session.";
    MemoryByAccount "memory/performance_schema/memory_summary_by_account_by_event_name"
        "Sums of memory by account, of sessions that have ended.";
    MemoryByUser "memory/performance_schema/memory_summary_by_user_by_event_name"
        "Sums of memory by user, of sessions that have ended.";
    MemoryByHost "memory/performance_schema/memory_summary_by_host_by_event_name"
        "Sums of memory by host, of sessions that have ended.";
    MemoryGlobal "memory/performance_schema/memory_summary_global_by_event_name"
        "Sums of memory of all sessions that have ended.";
    Attributes "memory/performance_schema/session_connect_attrs" "Attributes of connections.";
    SetupActors "memory/performance_schema/setup_actors" "Which accounts are recorded.";
    SetupObjects "memory/performance_schema/setup_objects" "Which objects are recorded.";
    UserVariables "memory/sql/user_var_entry::value" "User variables of a session.";
    PreparedStatements "memory/sql/Prepared_statement::infrastructure" "Texts of a session's prepared statements.";
    TemporaryTables "memory/temptable/physical_ram" "Rows of internal temporary tables.";
    Sorts "memory/sql/Filesort_buffer::sort_keys" "Keys and rows that are sorted.";
    Merges "memory/sql/Filesort_info::merge" "Buffers of runs that are merged.";
    HashJoins "memory/sql/hashed_operation" "The inner side of hash joins.";
    NetBuffers "memory/sql/NET::buff" "Commands and answers of connections.";
    Compressed "memory/sql/NET::compress_packet" "The same, compressed.";
}

impl Memory {
    /// Those that are told as they grow ([`crate::held`]); the others are looked up when they are read.
    pub(crate) const TOLD: [Memory; 6] = [
        Memory::TemporaryTables,
        Memory::Sorts,
        Memory::Merges,
        Memory::HashJoins,
        Memory::NetBuffers,
        Memory::Compressed,
    ];

    /// Its place among those that are told.
    pub(crate) fn told(self) -> Option<usize> {
        Memory::TOLD.iter().position(|m| *m == self)
    }

    /// Whether sessions hold it, not the server.
    pub const fn is_session(self) -> bool {
        use Memory::{Compressed, HashJoins, Merges, NetBuffers, PreparedStatements, Sorts, TemporaryTables};
        matches!(
            self,
            Memory::UserVariables
                | PreparedStatements
                | TemporaryTables
                | Sorts
                | Merges
                | HashJoins
                | NetBuffers
                | Compressed
        )
    }
}
