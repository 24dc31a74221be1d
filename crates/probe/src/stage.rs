//! What a session is at: the `State` of SHOW PROCESSLIST, in MySQL's words (manual, "General Thread States"; the
//! names of the instruments `stage/sql/...`).
//!
//! The stage lies in the block that the running session has attached to its thread
//! ([`crate::SessionCounters::attach`]): one relaxed store to a line of its own, so [`set`] may stand on the path
//! of every statement. Any crate may say what the session is at, without knowing it. Readers
//! ([`crate::SessionCounters::stage`]) see what was stored last. A wait inside a statement uses [`enter`], which
//! puts back what was there before. What runs without a session stores into its thread's own block, where nobody
//! reads it.

use crate::block;
use crate::events::{Kept, Recorder};
use crate::instruments::Instrument;

macro_rules! stages {
    ($($id:ident $text:literal;)*) => {
        /// A stage; its text is what the process list shows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)] // the text says it
        pub enum Stage { $($id,)* }

        impl Stage {
            /// All of them, by number.
            pub const ALL: &[Stage] = &[$(Stage::$id),*];

            /// MySQL's text.
            pub const fn text(self) -> &'static str {
                match self { $(Stage::$id => $text,)* }
            }
        }
    };
}

stages! {
    Idle "";
    Starting "starting";
    Statistics "statistics";
    Executing "executing";
    Update "update";
    Updating "updating";
    CreatingSortIndex "Creating sort index";
    CreatingTable "creating table";
    AlteringTable "altering table";
    CopyToTmpTable "copy to tmp table";
    AlterRead "alter table (read PK and internal sort)";
    AlterInsert "alter table (insert)";
    AlterLogApply "alter table (log apply index)";
    AlterLogApplyTable "alter table (log apply table)";
    AlterEnd "alter table (end)";
    WaitingForHandlerCommit "waiting for handler commit";
    WaitingForSemiSyncAck "Waiting for semi-sync ACK from replica";
    UserSleep "User sleep";
    UserLock "User lock";
    WaitingGlobalReadLock "Waiting for global read lock";
    WaitingBackupLock "Waiting for backup lock";
    WaitingTablespace "Waiting for tablespace metadata lock";
    WaitingSchema "Waiting for schema metadata lock";
    WaitingTable "Waiting for table metadata lock";
    WaitingFunction "Waiting for stored function metadata lock";
    WaitingProcedure "Waiting for stored procedure metadata lock";
    WaitingTrigger "Waiting for trigger metadata lock";
    WaitingEvent "Waiting for event metadata lock";
    WaitingCommitLock "Waiting for commit lock";
    WaitingAclCache "Waiting for acl cache lock";
    WaitingForeignKey "Waiting for foreign key metadata lock";
    WaitingCheckConstraint "Waiting for check constraint metadata lock";
    WaitingOnEmptyQueue "Waiting on empty queue";
    WaitingForNextActivation "Waiting for next activation";
    SendingBinlogEvent "Sending binlog event to replica";
    SourceHasSentAll "Source has sent all binlog to replica; waiting for more updates";
    ReplicaHasReadAll "Replica has read all relay log; waiting for more updates";
    ReadingRelayLog "Reading event from the relay log";
    WaitingForDelay "Waiting until SOURCE_DELAY seconds after source executed event";
    WaitingForWorkers "Waiting for replica workers to process their queues";
    WaitingForCoordinator "Waiting for an event from Coordinator";
    WaitingForDependent "Waiting for dependent transaction to commit";
    WaitingPreceding "Waiting for preceding transaction to commit";
    ApplyingBatch "Applying batch of row changes";
}

impl Stage {
    /// The instrument's name.
    pub fn instrument_name(self) -> String {
        format!("stage/{}/{}", if self.is_of_engine() { "innodb" } else { "sql" }, self.text())
    }

    /// What the process list shows: InnoDB's stages are none of its states.
    pub const fn state(self) -> &'static str {
        if self.is_of_engine() { Stage::AlteringTable.text() } else { self.text() }
    }

    const fn is_of_engine(self) -> bool {
        matches!(
            self,
            Stage::AlterRead | Stage::AlterInsert | Stage::AlterLogApply | Stage::AlterLogApplyTable | Stage::AlterEnd
        )
    }

    /// It is long, so that it is recorded without being asked for, and tells how far it has come ([`progress`]).
    pub(crate) const fn is_long(self) -> bool {
        matches!(self, Stage::CopyToTmpTable) || self.is_of_engine()
    }

    /// The stage of a number.
    pub(crate) fn of(n: u64) -> Stage {
        usize::try_from(n).ok().and_then(|n| Stage::ALL.get(n)).copied().unwrap_or(Stage::Idle)
    }
}

/// The running session is at this from now on.
#[inline]
pub fn set(stage: Stage) {
    if block::staged() || Instrument::stage(stage).enabled() {
        block::stage_changes(stage);
    }
    block::stage().store(stage as u64, std::sync::atomic::Ordering::Relaxed);
}

/// The running session is at this from now on, before its statement is an event: the stage is shown and is none.
#[inline]
pub fn show(stage: Stage) {
    block::stage().store(stage as u64, std::sync::atomic::Ordering::Relaxed);
}

/// The statement of the running session, which is `r`'s, begins at `now`, and with it its first stage.
pub fn begin(r: &Recorder, now: u64) {
    if block::staged() || Instrument::stage(Stage::Starting).enabled() {
        block::set_staged(r.changes_to(Stage::Starting, now));
    }
    show(Stage::Starting);
}

/// It has ended at `now` (`sys::clock::now_ns`), and with it the event of its stage.
#[inline(always)]
pub fn over(r: &Recorder, kept: &mut Kept, now: u64) {
    if block::staged() {
        kept.end_stage(r, now);
        block::set_staged(false);
    }
}

/// The running session's statement, which is `r`'s, is profiled from here on: each of its stages is told;
/// [`Recorder::end_profile`] ends that.
pub fn profile(r: &Recorder) {
    r.begin_profile();
    block::set_staged(true);
}

/// How far the stage of the running session has come, if it is an event: WORK_COMPLETED and WORK_ESTIMATED. To be told
/// now and then.
pub fn progress(completed: u64, estimated: u64) {
    if block::staged() {
        block::recorder_or(|r| r.stage_works(completed, estimated.max(completed)), || ());
    }
}

/// The running session is at this until the guard is dropped.
#[must_use]
pub fn enter(stage: Stage) -> Entered {
    let at = block::stage();
    let before = at.load(std::sync::atomic::Ordering::Relaxed);
    set(stage);
    Entered { before: Stage::of(before) }
}

/// See [`enter`].
#[derive(Debug)]
pub struct Entered {
    before: Stage,
}

impl Drop for Entered {
    fn drop(&mut self) {
        set(self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionCounters;

    #[test]
    fn a_stage_belongs_to_the_session_that_is_attached() {
        let (a, b) = (SessionCounters::new(), SessionCounters::new());
        {
            let _a = a.attach();
            set(Stage::Executing);
            {
                let _wait = enter(Stage::WaitingTable);
                assert_eq!((a.stage(), b.stage()), (Stage::WaitingTable, Stage::Idle));
                let _b = b.attach();
                set(Stage::Updating);
            }
            assert_eq!((a.stage(), b.stage()), (Stage::Executing, Stage::Updating));
        }
        set(Stage::UserSleep);
        assert_eq!(a.stage(), Stage::Executing);
        drop(b);
        // a block that is used again begins anew
        assert_eq!(SessionCounters::new().stage(), Stage::Idle);
    }

    #[test]
    fn numbers_and_stages() {
        for (n, s) in Stage::ALL.iter().enumerate() {
            assert_eq!(Stage::of(n as u64), *s);
        }
        assert_eq!(Stage::of(250), Stage::Idle);
    }
}
