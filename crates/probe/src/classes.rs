//! The classes of waits: the four a session may make, and those of background work. Those of files are
//! instruments by file ([`crate::files`]); here they only say what a thread does.

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
    };
}

waits! {
    Client "wait/io/socket/sql/client_connection" "The next command of the client, or room in its socket";
    RowLock "wait/lock/innodb/row" "A row lock";
    TableLock "wait/lock/table/sql/handler" "A table lock (LOCK TABLES, AUTO-INC)";
    MetadataLock "wait/lock/metadata/sql/mdl" "A metadata lock";
    UserLock "wait/lock/user/sql/get_lock" "GET_LOCK()";
    Sleep "wait/synch/cond/sql/sleep" "SLEEP()";
    LogFlush "wait/synch/cond/innodb/log_flush" "Durability of the log";
    LogSpace "wait/synch/cond/innodb/log_space" "Room in the redo log";
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
    /// Adds one wait that blocked for `ns`.
    pub fn record(self, ns: u64) {
        if !self.is_file() {
            crate::waits::blocked(self, ns);
        }
    }

    /// What is done with files counts there.
    pub(crate) const fn is_file(self) -> bool {
        use WaitClass::{DataSync, LogSync, LogWrite, PageRead, PageWrite, TempFile};
        matches!(self, LogWrite | LogSync | PageRead | PageWrite | DataSync | TempFile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruments::Instrument;
    use crate::waits::sums;

    #[test]
    fn classes_have_their_own_statistics() {
        let _alone = crate::instruments::switching();
        let of = |c| sums(Instrument::wait(c)).times()[0];
        let before = [WaitClass::FreeFrame, WaitClass::TempFile].map(of);
        WaitClass::FreeFrame.record(10);
        WaitClass::TempFile.record(10);
        assert_eq!([WaitClass::FreeFrame, WaitClass::TempFile].map(of), [before[0] + 1, before[1]]);
        assert_eq!(WaitClass::ALL[WaitClass::Background as usize], WaitClass::Background);
    }
}
