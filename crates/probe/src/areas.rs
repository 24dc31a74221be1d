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
    /// User variables of a session.
    UserVariables,
    /// Texts of a session's prepared statements.
    PreparedStatements,
}

impl Memory {
    /// All of them.
    pub const ALL: &[Memory] =
        &[Memory::BufferPool, Memory::LogBuffer, Memory::Plans, Memory::UserVariables, Memory::PreparedStatements];

    /// MySQL's name, or one of its form.
    pub const fn name(self) -> &'static str {
        match self {
            Memory::BufferPool => "memory/innodb/buf_buf_pool",
            Memory::LogBuffer => "memory/innodb/log_buffer_memory",
            Memory::Plans => "memory/sql/plan_cache",
            Memory::UserVariables => "memory/sql/user_var_entry::value",
            Memory::PreparedStatements => "memory/sql/Prepared_statement::infrastructure",
        }
    }

    /// Whether sessions hold it, not the server.
    pub const fn is_session(self) -> bool {
        matches!(self, Memory::UserVariables | Memory::PreparedStatements)
    }
}
