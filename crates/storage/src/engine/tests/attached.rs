//! Bytes that travel with commits, and power cuts: the sink's file holds exactly the committed transactions, in the
//! order in which they became visible, whole or not at all.
//!
//! Every transaction raises the counter of one row, which it locks, and inserts a row of its own; it attaches the
//! counter and its row's id. So the file must name 1, 2, 3 ... and exactly the rows that are there. Some transactions
//! are attached alone, and now and then the file changes.

use super::support::*;
use crate::attached::{CommitSink, Place};
use crate::engine::{Engine, EngineConfig};
use crate::file::sim::{Rng, SimFs};
use crate::file::{DataFile, FileKind, FileSystem, OpenMode};
use crate::table::{ReadMode, Table};
use crate::txn::Isolation;
use base::Lsn;
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use value::Value;

const HOT: i64 = 1_000_000;
const RECORD: usize = 24;

/// Files of records, written as far as the log is durable.
struct Sink {
    fs: Arc<SimFs>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    at: Place,
    waiting: VecDeque<(Place, Vec<u8>, Lsn)>,
    files: BTreeMap<u32, Arc<dyn DataFile>>,
}

impl Sink {
    fn new(fs: &Arc<SimFs>) -> Arc<Sink> {
        Arc::new(Sink { fs: fs.boot(), state: Mutex::default() })
    }

    fn write(&self, st: &mut State, place: Place, bytes: &[u8]) -> crate::Result<()> {
        let file = match st.files.get(&place.file) {
            Some(f) => f.clone(),
            None => {
                let name = format!("log.{}", place.file);
                let mode = if self.fs.exists(&name) { OpenMode::ReadWrite } else { OpenMode::CreateNew };
                let f = self.fs.open(&name, mode, FileKind::Log)?;
                st.files.insert(place.file, f.clone());
                f
            }
        };
        file.write_at(place.offset, bytes)
    }

    /// As the writer thread: what is durable gets written.
    fn write_out(&self, durable: Lsn) -> crate::Result<()> {
        let mut st = self.state.lock();
        while st.waiting.front().is_some_and(|w| w.2 <= durable) {
            let Some((place, bytes, _)) = st.waiting.pop_front() else { break };
            self.write(&mut st, place, &bytes)?;
        }
        Ok(())
    }

    fn sync(&self) -> crate::Result<()> {
        self.state.lock().files.values().try_for_each(|f| f.sync_data())
    }

    /// All records of all files, in order.
    fn records(&self) -> Vec<[u8; RECORD]> {
        let mut all = Vec::new();
        for n in 0.. {
            let name = format!("log.{n}");
            if !self.fs.exists(&name) {
                return all;
            }
            let f = self.fs.open(&name, OpenMode::ReadWrite, FileKind::Log).unwrap();
            let mut bytes = vec![0; f.len().unwrap() as usize];
            f.read_at(0, &mut bytes).unwrap();
            assert_eq!(bytes.len() % RECORD, 0);
            all.extend(bytes.as_chunks::<RECORD>().0);
        }
        all
    }
}

impl CommitSink for Sink {
    fn place(&self, bytes: &mut [u8]) -> Place {
        let mut st = self.state.lock();
        let place = st.at;
        // as positions are: known only now
        bytes[16..24].copy_from_slice(&place.offset.to_le_bytes());
        st.at.offset += bytes.len() as u64;
        place
    }
    fn logged(&self, place: Place, bytes: &[u8], end: Lsn) {
        self.state.lock().waiting.push_back((place, bytes.to_vec(), end));
    }
    fn before_checkpoint(&self, lsn: Lsn) -> crate::Result<()> {
        self.write_out(lsn)?;
        self.sync()
    }
    fn found(&self, place: Place, bytes: &[u8], _: Lsn) -> crate::Result<()> {
        self.write(&mut self.state.lock(), place, bytes)
    }
    fn recovered(&self) -> crate::Result<()> {
        self.sync()?;
        let mut st = self.state.lock();
        while self.fs.exists(&format!("log.{}", st.at.file + 1)) {
            st.at.file += 1;
        }
        let name = format!("log.{}", st.at.file);
        if self.fs.exists(&name) {
            st.at.offset = self.fs.open(&name, OpenMode::ReadWrite, FileKind::Log)?.len()?;
        }
        Ok(())
    }
}

fn open_with(fs: &Arc<SimFs>, sink: &Arc<Sink>) -> crate::Result<Arc<Engine>> {
    let mut config = EngineConfig::on(fs.boot());
    config.redo_capacity = 4 << 20;
    config.lock_wait_timeout = Duration::from_millis(300);
    config.sink = Some(sink.clone());
    Engine::open(config)
}

fn record(counter: i64, id: i64) -> Vec<u8> {
    let mut bytes = counter.to_le_bytes().to_vec();
    bytes.extend_from_slice(&id.to_le_bytes());
    bytes.resize(RECORD, 0);
    bytes
}

/// Transactions until the disk dies; the ids of those that were acknowledged.
fn worker(e: &Arc<Engine>, tab: &Arc<Table>, sink: &Sink, me: i64, round: i64, seed: u64) -> BTreeSet<i64> {
    let (mut rng, mut sure) = (Rng(seed * 31 + me as u64), BTreeSet::new());
    let mut t = e.new_trx(me as u64).unwrap();
    t.set_isolation(Isolation::ReadCommitted);
    for n in 0..120 {
        let id = (round * 3 + me) * 1000 + n;
        t.start();
        let mut run = || -> crate::Result<()> {
            let k = raise(&mut t, tab)?;
            insert(&mut t, tab, &r(id, 0, None, "own"))?;
            if rng.below(10) == 0 {
                t.attach(record(-1, id));
                return t.rollback();
            }
            t.attach(record(k, id));
            t.commit()?;
            sure.insert(id);
            if rng.below(12) == 0 {
                sink.write_out(e.store().log().flushed_lsn())?;
            }
            if rng.below(20) == 0 {
                // the next file begins: under the order of commits
                e.in_commit_order(|_| {
                    let mut st = sink.state.lock();
                    if st.at.offset > 0 {
                        st.at = Place { file: st.at.file + 1, offset: 0 };
                    }
                    Ok(())
                })?;
            }
            if rng.below(10) == 0 {
                e.store().flush_and_checkpoint()?;
            }
            Ok(())
        };
        if run().is_err() {
            std::mem::forget(t);
            return sure;
        }
    }
    sure
}

/// Raises the hot row's counter; its new value.
fn raise(t: &mut crate::txn::Trx, tab: &Arc<Table>) -> crate::Result<i64> {
    let k = 1 + point(t, tab, HOT, ReadMode::FOR_UPDATE)?.unwrap().1;
    update(t, tab, HOT, &[(1, Value::Int(k))])?;
    Ok(k)
}

fn one_seed(seed: u64) {
    let fs = Arc::new(SimFs::new());
    let mut rng = Rng(seed + 77);
    {
        let sink = Sink::new(&fs);
        let e = open_with(&fs, &sink).unwrap();
        let tab = create(&e, standard("a"));
        let mut t = e.new_trx(1).unwrap();
        insert(&mut t, &tab, &r(HOT, 0, None, "hot")).unwrap();
        t.commit().unwrap();
        drop(t);
        e.shutdown(true).unwrap();
    }
    let mut sure = BTreeSet::new();
    for round in 0..3 {
        let sink = Sink::new(&fs);
        // sometimes the power fails during recovery
        if rng.below(3) == 0 {
            fs.power_cut_after(rng.below(40));
            if let Ok(e) = open_with(&fs, &sink) {
                std::mem::forget(e);
            }
            fs.crash(rng.next());
        }
        let sink = Sink::new(&fs);
        let e = open_with(&fs, &sink).unwrap();
        let tab = table(&e, "a");
        verify(&e, &tab, &sink, &sure, seed);
        fs.power_cut_after(rng.below(500) + 5);
        let seen: Vec<_> = std::thread::scope(|s| {
            let start = |me| {
                let (e, tab, sink) = (&e, &tab, &sink);
                s.spawn(move || worker(e, tab, sink, me, round, seed))
            };
            (0..3).map(start).collect::<Vec<_>>().into_iter().map(|w| w.join().unwrap()).collect()
        });
        sure.extend(seen.into_iter().flatten());
        drop(tab);
        std::mem::forget(e);
        fs.crash(rng.next());
    }
    let sink = Sink::new(&fs);
    let e = open_with(&fs, &sink).unwrap();
    verify(&e, &table(&e, "a"), &sink, &sure, seed);
    e.shutdown(true).unwrap();
}

fn verify(e: &Arc<Engine>, tab: &Arc<Table>, sink: &Sink, sure: &BTreeSet<i64>, seed: u64) {
    let mut t = e.new_trx(9).unwrap();
    let rows: BTreeSet<i64> = all(&mut t, tab).into_iter().map(|r| r.0).filter(|id| *id != HOT).collect();
    let number = |b: &[u8]| i64::from_le_bytes(b.try_into().unwrap());
    let records = sink.records();
    let counters: Vec<i64> = records.iter().map(|b| number(&b[..8])).collect();
    assert_eq!(counters, (1..=records.len() as i64).collect::<Vec<_>>(), "seed {seed}");
    let named: BTreeSet<i64> = records.iter().map(|b| number(&b[8..16])).collect();
    assert_eq!(named, rows, "seed {seed}");
    assert!(sure.is_subset(&rows), "seed {seed}: {:?} are gone", sure.difference(&rows));
}

#[test]
fn power_cuts() {
    for seed in 0..15 {
        one_seed(seed);
    }
}

#[test]
fn too_much_is_refused_and_leaves_nothing() {
    let fs = Arc::new(SimFs::new());
    let sink = Sink::new(&fs);
    let e = open_with(&fs, &sink).unwrap();
    assert!(e.attach(&vec![0; crate::attached::MAX_ATTACHED + 1]).is_err());
    let lsn = e.attach(&record(1, 1)).unwrap();
    e.wait_for_commit(lsn, e.durability()).unwrap();
    sink.write_out(e.store().log().flushed_lsn()).unwrap();
    assert_eq!(sink.records().len(), 1);
    e.shutdown(true).unwrap();
}
