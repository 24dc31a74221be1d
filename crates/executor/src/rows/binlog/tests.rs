//! A log that keeps nothing but spills, for tests.

#![allow(clippy::unwrap_used)]

use binlog::gtid::{Gtid, GtidSet};
use binlog::service::{BinaryLog, Own};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::time::Instant;

#[derive(Default)]
struct State {
    last: u64,
    spills: BTreeMap<u64, File>,
    named: usize,
}

/// Spills by number; their files have no names.
#[derive(Default)]
pub(crate) struct Files(Mutex<State>);

impl Files {
    /// What is in a spill that a piece has named.
    pub(crate) fn read(&self, number: u64) -> Vec<u8> {
        let mut all = self.0.lock().unwrap();
        all.named += 1;
        let file = all.spills.get(&number).unwrap();
        let mut bytes = vec![0; file.metadata().unwrap().len() as usize];
        file.read_exact_at(&mut bytes, 0).unwrap();
        bytes
    }
    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().spills.len()
    }
    pub(crate) fn named(&self) -> usize {
        self.0.lock().unwrap().named
    }
}

impl BinaryLog for Files {
    fn checksum(&self) -> bool {
        true
    }
    fn create_spill(&self) -> std::io::Result<(u64, File)> {
        let mut all = self.0.lock().unwrap();
        all.last += 1;
        let name = format!("evenkeel-spill-{}-{}-{:p}", std::process::id(), all.last, self);
        let path = std::env::temp_dir().join(name);
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(&path)?;
        let number = all.last;
        all.spills.insert(number, file.try_clone()?);
        Ok((number, file))
    }
    fn remove_spill(&self, number: u64) {
        self.0.lock().unwrap().spills.remove(&number).unwrap();
    }
    fn gtid_executed(&self) -> GtidSet {
        GtidSet::default()
    }
    fn gtid_purged(&self) -> GtidSet {
        GtidSet::default()
    }
    fn gtid_owned(&self) -> Vec<(Gtid, u64)> {
        Vec::new()
    }
    fn own(&self, _: Gtid, _: u64) -> Own {
        Own::Owned
    }
    fn release(&self, _: Gtid) {}
    fn wait_executed(&self, set: &GtidSet, _: Option<Instant>, _: &dyn Fn() -> bool) -> bool {
        set.is_empty()
    }
    fn add_purged(&self, _: &GtidSet) -> std::io::Result<()> {
        Ok(())
    }
}
