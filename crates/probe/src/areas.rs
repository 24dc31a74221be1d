//! The areas of memory that performance_schema knows (`memory/...`). See [`crate::instruments`].

/// Areas of memory that are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// The buffer pool.
    BufferPool,
    /// The redo log's buffer.
    LogBuffer,
    /// Plans that are kept for all sessions.
    Plans,
    /// Row locks and table locks.
    Locks,
    /// Definitions of tables.
    Dictionary,
    /// Compiled programs of all threads.
    Programs,
    /// Last statements of sessions.
    History,
    /// Last statements of all sessions.
    HistoryLong,
    /// Sums by digest.
    Digests,
    /// Sums by session and kind of statement.
    SumsByThread,
    /// User variables of a session.
    UserVariables,
    /// Texts of a session's prepared statements.
    PreparedStatements,
}

impl Memory {
    /// All of them.
    pub const ALL: &[Memory] = &[
        Memory::BufferPool,
        Memory::LogBuffer,
        Memory::Plans,
        Memory::Locks,
        Memory::Dictionary,
        Memory::Programs,
        Memory::History,
        Memory::HistoryLong,
        Memory::Digests,
        Memory::SumsByThread,
        Memory::UserVariables,
        Memory::PreparedStatements,
    ];

    /// MySQL's name, or one of its form.
    pub const fn name(self) -> &'static str {
        match self {
            Memory::BufferPool => "memory/innodb/buf_buf_pool",
            Memory::LogBuffer => "memory/innodb/log_buffer_memory",
            Memory::Plans => "memory/sql/plan_cache",
            Memory::Locks => "memory/innodb/lock0lock",
            Memory::Dictionary => "memory/sql/dd::objects",
            Memory::Programs => "memory/sql/sp_head::main_mem_root",
            Memory::History => "memory/performance_schema/events_statements_history",
            Memory::HistoryLong => "memory/performance_schema/events_statements_history_long",
            Memory::Digests => "memory/performance_schema/events_statements_summary_by_digest",
            Memory::SumsByThread => "memory/performance_schema/events_statements_summary_by_thread_by_event_name",
            Memory::UserVariables => "memory/sql/user_var_entry::value",
            Memory::PreparedStatements => "memory/sql/Prepared_statement::infrastructure",
        }
    }

    /// Whether sessions hold it, not the server.
    pub const fn is_session(self) -> bool {
        matches!(self, Memory::UserVariables | Memory::PreparedStatements)
    }
}
