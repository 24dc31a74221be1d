//! What sessions ask: [`BinaryLog`] for [`Log`].

use super::change::Switch;
use super::spills::{SPILLS, spill_name};
use super::{Log, Order};
use crate::gtid::{Gtid, GtidSet};
use crate::service::{BinaryLog, Own};
use std::fs::File;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use storage::error::StorageError;

/// How often a wait for GTIDs looks whether it is to end.
const LOOK: Duration = Duration::from_millis(100);

fn io(e: StorageError) -> std::io::Error {
    match e {
        StorageError::Io { errno, .. } if errno != 0 => std::io::Error::from_raw_os_error(errno),
        e => std::io::Error::other(e.to_string()),
    }
}

impl Log {
    /// What is executed when every transaction that has a GTID now is visible.
    fn read<T>(&self, f: impl FnOnce(&Order) -> T) -> T {
        let got = f(&self.order.lock());
        self.settle();
        got
    }

    /// Waits until every transaction that has a GTID now is visible, its definitions too.
    fn settle(&self) {
        if let Ok(engine) = self.engine() {
            engine.store().log().order().settle();
            engine.dict().settle();
        }
    }

    /// The file that is written, where the next event goes, and what is executed: the same moment of all three for who
    /// holds the engine's order of commits.
    pub fn state(&self) -> (String, u64, GtidSet) {
        let order = self.order.lock();
        (self.names().shown(order.at.file), order.at.offset, order.executed.clone())
    }

    /// Somebody has got a GTID.
    pub(super) fn tell_executed(&self) {
        if self.executed_waiting.load(Ordering::Relaxed) > 0 {
            drop(self.executed_mutex.lock());
            self.executed_waits.notify_all();
        }
    }
}

impl BinaryLog for Log {
    fn checksum(&self) -> bool {
        self.checksum.load(Ordering::Acquire)
    }

    fn create_spill(&self) -> std::io::Result<(u64, File)> {
        let number = self.next_spill.fetch_add(1, Ordering::Relaxed);
        let fs = self.file_system();
        fs.create_dir(SPILLS).map_err(io)?;
        // its line in the folder is durable before the log names it
        let name = spill_name(number);
        drop(fs.open(&name, storage::file::OpenMode::Truncate, storage::file::FileKind::Log).map_err(io)?);
        Ok((number, File::options().read(true).write(true).open(fs.whole_name(&name))?))
    }

    fn remove_spill(&self, number: u64) {
        let _ = self.file_system().remove(&spill_name(number));
    }

    fn gtid_executed(&self) -> GtidSet {
        self.read(|o| o.executed.clone())
    }

    fn gtid_purged(&self) -> GtidSet {
        self.read(|o| o.purged.clone())
    }

    fn gtid_owned(&self) -> Vec<(Gtid, u64)> {
        let mut all: Vec<_> = self.order.lock().owned.iter().map(|(g, c)| (*g, *c)).collect();
        all.sort_unstable();
        all
    }

    fn own(&self, gtid: Gtid, connection: u64) -> Own {
        let mut order = self.order.lock();
        if order.executed.contains(gtid) {
            return Own::Executed;
        }
        match order.owned.get(&gtid) {
            Some(c) if *c != connection => Own::Busy,
            _ => {
                order.owned.insert(gtid, connection);
                Own::Owned
            }
        }
    }

    fn release(&self, gtid: Gtid) {
        self.order.lock().owned.remove(&gtid);
    }

    fn wait_executed(&self, set: &GtidSet, deadline: Option<Instant>, stop: &dyn Fn() -> bool) -> bool {
        self.executed_waiting.fetch_add(1, Ordering::SeqCst);
        let done = sched::blocking_wait(probe::WaitClass::UserLock, || {
            let mut guard = self.executed_mutex.lock();
            loop {
                if set.is_subset(&self.order.lock().executed) {
                    return true;
                }
                let left = deadline.map_or(LOOK, |d| d.saturating_duration_since(Instant::now()).min(LOOK));
                if left.is_zero() || stop() {
                    return false;
                }
                self.executed_waits.wait_for(&mut guard, left);
            }
        });
        self.executed_waiting.fetch_sub(1, Ordering::SeqCst);
        if done {
            self.settle();
        }
        done
    }

    fn add_purged(&self, set: &GtidSet) -> std::io::Result<()> {
        let _alone = self.changes.lock();
        // a RESET that waits to be written would take them away again
        self.catch_up().map_err(io)?;
        {
            let mut files = self.files.lock();
            files.note.only_here.add_all(set);
            files.note.write(&*files.fs).map_err(io)?;
            let mut order = self.order.lock();
            order.executed.add_all(set);
            order.purged.add_all(set);
        }
        self.switch_file(Switch::Asked).and_then(|()| self.catch_up()).map_err(io)?;
        self.tell_executed();
        Ok(())
    }
}
