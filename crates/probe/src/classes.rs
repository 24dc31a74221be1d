//! The classes of waits: the four a session may make, and those of background work. Each is a static with its statistics.

use crate::wait::WaitStats;

macro_rules! waits {
    ($($id:ident $name:literal $doc:literal;)*) => {
        /// What a thread waits for.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum WaitClass { $(#[doc = $doc] $id,)* }

        impl WaitClass {
            /// All, in the order of the table.
            pub const ALL: &[WaitClass] = &[$(WaitClass::$id),*];
            /// performance_schema's event name.
            pub const fn name(self) -> &'static str { match self { $(WaitClass::$id => $name,)* } }
            /// One line of text.
            pub const fn doc(self) -> &'static str { match self { $(WaitClass::$id => $doc,)* } }
        }
        static STATS: [WaitStats; WaitClass::ALL.len()] = [const { WaitStats::new() }; WaitClass::ALL.len()];
    };
}

waits! {
    Client "wait/io/socket/sql/client_connection" "The next command of the client, or room in its socket";
    RowLock "wait/lock/innodb/row" "A row lock";
    TableLock "wait/lock/table/sql/handler" "A table lock (LOCK TABLES, AUTO-INC)";
    MetadataLock "wait/lock/metadata/sql/mdl" "A metadata lock";
    UserLock "wait/lock/user/sql/get_lock" "GET_LOCK()";
    Sleep "wait/synch/cond/sql/sleep" "SLEEP()";
    LogFlush "wait/io/redo_log_flush" "Durability of the log";
    LogSpace "wait/io/redo_log_space" "Room in the redo log";
    LogWrite "wait/io/file/innodb/log_write" "A write to the log by this thread";
    LogSync "wait/io/file/innodb/log_sync" "A sync of the log by this thread";
    PageRead "wait/io/file/innodb/page_read" "A page from disk";
    PageWrite "wait/io/file/innodb/page_write" "A page to disk";
    DataSync "wait/io/file/innodb/data_sync" "A sync of a data file";
    FreeFrame "wait/synch/cond/innodb/free_frame" "A free frame in the buffer pool";
    TempFile "wait/io/file/sql/temp" "Temporary files of sorts and joins";
    RunToken "wait/synch/cond/sched/run_token" "A run token";
    Background "idle/background" "A background thread without work";
}

impl WaitClass {
    /// Its statistics.
    pub fn stats(self) -> &'static WaitStats {
        static NOWHERE: WaitStats = WaitStats::new();
        STATS.get(self as usize).unwrap_or(&NOWHERE)
    }
    /// Adds one wait that blocked for `ns`.
    pub fn record(self, ns: u64) {
        self.stats().record(ns);
        crate::phases::waited(self, ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_their_own_statistics() {
        WaitClass::TempFile.record(10);
        assert_eq!(WaitClass::TempFile.stats().snapshot().count, 1);
        assert_eq!(WaitClass::ALL[WaitClass::Background as usize], WaitClass::Background);
        assert_eq!(WaitClass::Background.stats().snapshot().count, 0);
    }
}
