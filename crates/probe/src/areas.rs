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
    Digests "memory/performance_schema/events_statements_summary_by_digest" "Sums by digest.";
    SumsByThread "memory/performance_schema/events_statements_summary_by_thread_by_event_name"
        "Sums by session and kind of statement.";
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
