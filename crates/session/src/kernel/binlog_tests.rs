//! What sessions write into the binary log: statements run on a server whose log is a model that keeps bytes, and the
//! events are read back. `tests/binlog` compares the same with MySQL, byte by byte; here stands what must not depend on
//! one being there.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use crate::kernel::server::Server;
use crate::kernel::session::{Session, own_context};
use crate::results::collector::Collector;
use base::{Lsn, SqlResult};
use binlog::event::{self, Event, Events};
use binlog::gtid::{Gtid, GtidSet};
use binlog::query::Query;
use binlog::service::{BinaryLog, Own};
use binlog::table_map::TableMap;
use binlog::transaction::{self, GtidEvent};
use binlog::{EventType, payload, rows};
use catalog::accounts::{Accounts, MemoryStore};
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Raw, Var};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Instant;
use storage::attached::{CommitSink, Place};
use storage::engine::{Engine, EngineConfig};
use value::OwnedValue;

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    spills: BTreeMap<u64, File>,
    last_spill: u64,
}

/// A log in memory. Spills are taken in where they were placed.
#[derive(Default)]
struct Model(Mutex<Kept>);

impl CommitSink for Model {
    fn place(&self, bytes: &mut [u8]) -> Place {
        let offset = self.0.lock().bytes.len() as u64;
        event::place(bytes, offset, true);
        Place { file: 1, offset }
    }
    fn logged(&self, place: Place, bytes: &[u8], _: Lsn) {
        let mut k = self.0.lock();
        assert_eq!(place.offset, k.bytes.len() as u64);
        let mut at = bytes;
        while let Ok(h) = event::Header::read(at) {
            let (one, rest) = at.split_at(h.size as usize);
            if h.kind == transaction::SPILLED {
                let (number, length) = transaction::read_spilled(&one[event::HEADER_LEN..]).unwrap();
                let mut events = vec![0; length as usize];
                k.spills.remove(&number).unwrap().read_exact_at(&mut events, 0).unwrap();
                event::place(&mut events, 0, true);
                k.bytes.extend(events);
            } else {
                k.bytes.extend_from_slice(one);
            }
            at = rest;
        }
    }
    fn before_checkpoint(&self, _: Lsn) -> storage::Result<()> {
        Ok(())
    }
    fn found(&self, _: Place, _: &[u8]) -> storage::Result<()> {
        Ok(())
    }
    fn recovered(&self) -> storage::Result<()> {
        Ok(())
    }
}

impl BinaryLog for Model {
    fn checksum(&self) -> bool {
        true
    }
    fn create_spill(&self) -> std::io::Result<(u64, File)> {
        let mut k = self.0.lock();
        k.last_spill += 1;
        let number = k.last_spill;
        let path = std::env::temp_dir().join(format!("evenkeel-model-{}-{:p}-{number}", std::process::id(), self));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(path)?;
        k.spills.insert(number, file.try_clone()?);
        Ok((number, file))
    }
    fn remove_spill(&self, number: u64) {
        self.0.lock().spills.remove(&number).unwrap();
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
    fn wait_executed(&self, _: &GtidSet, _: Option<Instant>, _: &dyn Fn() -> bool) -> bool {
        true
    }
    fn add_purged(&self, _: &GtidSet) -> std::io::Result<()> {
        Ok(())
    }
}

/// A server with such a log, on a folder of its own, which goes with it.
struct House {
    server: Arc<Server>,
    log: Arc<Model>,
    folder: std::path::PathBuf,
}

impl House {
    fn new(name: &str) -> House {
        let folder = std::env::temp_dir().join(format!("evenkeel-binlog-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let log = Arc::new(Model::default());
        let config = EngineConfig { buffer_pool_size: 8 << 20, sink: Some(log.clone()), ..EngineConfig::new(&folder) };
        let engine = Engine::open(config).unwrap();
        let accounts = Accounts::open(Box::new(MemoryStore::default())).unwrap();
        let globals = Arc::new(GlobalVars::new());
        globals.store(Var::datadir, Raw::Text(Some(folder.to_str().unwrap().into())));
        let server =
            Server::new(engine, globals, Arc::new(Connections::default()), Arc::new(accounts), Box::new(|| ()));
        server.set_binary_log(log.clone(), ("", ""));
        let house = House { server, log, folder };
        let mut root = house.session();
        root.go("CREATE DATABASE d");
        root.go("USE d");
        house.taken();
        house
    }

    fn session(&self) -> Session {
        let mut s = Session::open(&self.server, own_context(&self.server, "root")).unwrap();
        let _ = s.go_or("USE d");
        s
    }

    /// The events since the last call, a line each.
    fn taken(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut self.log.0.lock().bytes);
        assert!(self.log.0.lock().spills.is_empty(), "a spill is left");
        let mut maps = BTreeMap::new();
        Events::new(&bytes, true).map(|e| line(&e.unwrap(), &mut maps)).collect()
    }

    /// The same without what every transaction has.
    fn changes(&self) -> Vec<String> {
        let frame = |l: &String| l == "GTID" || l == "BEGIN" || l == "XID" || l.starts_with("MAP");
        self.taken().into_iter().filter(|l| !frame(l)).collect()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.server.stop();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Session {
    fn go_or(&mut self, sql: &str) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.run_text(sql.as_bytes(), &mut Collector::default())
    }
    fn go(&mut self, sql: &str) {
        self.go_or(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    }
}

fn shown(v: &OwnedValue) -> String {
    match v {
        OwnedValue::Null => "NULL".into(),
        OwnedValue::Int(n) => n.to_string(),
        OwnedValue::UInt(n) => n.to_string(),
        OwnedValue::Str(s) if s.len() > 20 => format!("{} bytes", s.len()),
        OwnedValue::Str(s) => String::from_utf8_lossy(s).into_owned(),
        other => format!("{other:?}"),
    }
}

fn image(i: &rows::Image) -> String {
    let all: Vec<String> = i.iter().map(|(n, v)| format!("@{}={}", n + 1, shown(v))).collect();
    all.join(" ")
}

/// An event as a line. What a statement's rows need is looked at, too: their map stands before, in the same statement.
fn line(e: &Event<'_>, maps: &mut BTreeMap<u64, TableMap>) -> String {
    let kind = e.kind().unwrap();
    match kind {
        EventType::Gtid | EventType::AnonymousGtid => {
            GtidEvent::read(kind, e.body).unwrap();
            assert!(maps.is_empty(), "a statement without an end");
            "GTID".into()
        }
        EventType::Query => {
            let q = Query::read(e.header.flags, e.body).unwrap();
            String::from_utf8_lossy(q.text).into_owned()
        }
        EventType::TableMap => {
            let m = TableMap::read(e.body).unwrap();
            let name = format!("MAP {}.{}", String::from_utf8_lossy(&m.schema), String::from_utf8_lossy(&m.table));
            maps.insert(m.id, m);
            name
        }
        EventType::WriteRows | EventType::UpdateRows | EventType::DeleteRows => {
            let map = maps[&rows::read_table_id(e.body).unwrap()].clone();
            let read = rows::Rows::read(kind, e.body, &map).unwrap();
            let name = String::from_utf8_lossy(&map.table).into_owned();
            let what = match kind {
                EventType::WriteRows => "INSERT",
                EventType::UpdateRows => "UPDATE",
                _ => "DELETE",
            };
            let mut text = format!("{what} {name}");
            let flags = read.flags;
            for r in read {
                let (first, second) = r.unwrap();
                text += &format!(" ({}", image(&first));
                text += &second.map_or(")".into(), |s| format!(" -> {})", image(&s)));
            }
            if flags & rows::STMT_END != 0 {
                maps.clear();
                text += " end";
            }
            text
        }
        EventType::Xid => "XID".into(),
        EventType::RowsQuery => format!("# {}", String::from_utf8_lossy(transaction::read_rows_query(e.body).unwrap())),
        EventType::TransactionPayload => {
            let inside = payload::read(e.body, 1 << 30).unwrap();
            let all: Vec<String> = Events::new(&inside, false).map(|e| line(&e.unwrap(), maps)).collect();
            format!("PAYLOAD [{}]", all.join(", "))
        }
        EventType::XaPrepare => "XA_PREPARE".into(),
        other => format!("{other:?}"),
    }
}

#[test]
fn changes_of_rows() {
    let h = House::new("rows");
    let mut s = h.session();
    s.go("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(10))");
    h.taken();
    s.go("INSERT INTO t VALUES (1, 'x'), (2, NULL)");
    assert_eq!(h.taken(), ["GTID", "BEGIN", "MAP d.t", "INSERT t (@1=1 @2=x) (@1=2 @2=NULL) end", "XID"]);
    s.go("BEGIN");
    s.go("UPDATE t SET b = 'y' WHERE a > 0");
    s.go("DELETE FROM t WHERE a = 2");
    s.go("SELECT * FROM t");
    assert!(h.taken().is_empty());
    s.go("COMMIT");
    let all = [
        "GTID",
        "BEGIN",
        "MAP d.t",
        "UPDATE t (@1=1 @2=x -> @1=1 @2=y) (@1=2 @2=NULL -> @1=2 @2=y) end",
        "MAP d.t",
        "DELETE t (@1=2 @2=y) end",
        "XID",
    ];
    assert_eq!(h.taken(), all);
    s.go("UPDATE t SET b = 'y'");
    s.go("DELETE FROM t WHERE a > 100");
    s.go("INSERT IGNORE INTO t VALUES (1, 'z')");
    assert!(h.taken().is_empty());
    s.go("INSERT INTO t VALUES (1, 'z') ON DUPLICATE KEY UPDATE b = VALUES(b)");
    s.go("REPLACE INTO t VALUES (1, 'r')");
    assert_eq!(h.changes(), ["UPDATE t (@1=1 @2=y -> @1=1 @2=z) end", "UPDATE t (@1=1 @2=z -> @1=1 @2=r) end"]);
}

#[test]
fn what_is_undone_is_not_logged() {
    let h = House::new("undone");
    let mut s = h.session();
    s.go("CREATE TABLE t (a INT PRIMARY KEY)");
    h.taken();
    assert!(s.go_or("INSERT INTO t VALUES (1), (2), (1)").is_err());
    s.go("BEGIN");
    s.go("INSERT INTO t VALUES (1)");
    s.go("ROLLBACK");
    assert!(h.taken().is_empty());
    s.go("BEGIN");
    s.go("SAVEPOINT early");
    s.go("INSERT INTO t VALUES (1)");
    s.go("SAVEPOINT s");
    s.go("INSERT INTO t VALUES (2)");
    assert!(s.go_or("INSERT INTO t VALUES (3), (1)").is_err());
    s.go("SAVEPOINT later");
    s.go("ROLLBACK TO s");
    s.go("INSERT INTO t VALUES (4)");
    s.go("COMMIT");
    assert_eq!(h.changes(), ["INSERT t (@1=1) end", "INSERT t (@1=4) end"]);
    s.go("BEGIN");
    s.go("SAVEPOINT early");
    s.go("INSERT INTO t VALUES (5)");
    s.go("ROLLBACK TO early");
    s.go("COMMIT");
    assert!(h.taken().is_empty());
    s.go("SET sql_log_bin = 0");
    s.go("INSERT INTO t VALUES (6)");
    s.go("SET sql_log_bin = 1");
    s.go("CREATE TEMPORARY TABLE u AS SELECT * FROM t");
    s.go("INSERT INTO u VALUES (1)");
    assert!(h.taken().is_empty());
}

#[test]
fn large_transactions() {
    let h = House::new("large");
    let mut s = h.session();
    s.go("CREATE TABLE t (a INT PRIMARY KEY, b LONGTEXT)");
    h.taken();
    for (n, rows) in [(1, 3), (2, 20), (3, 400)] {
        s.go("BEGIN");
        for i in 0..rows {
            s.go(&format!("INSERT INTO t VALUES ({}, REPEAT('x', 5000))", n * 1000 + i));
            if i % 50 == 20 {
                s.go("SAVEPOINT s");
                s.go("INSERT INTO t SELECT -a, b FROM t WHERE a > 0");
                s.go("ROLLBACK TO s");
            }
        }
        s.go("COMMIT");
        let all = h.changes();
        assert_eq!(all.len(), rows, "{all:?}");
        for (i, l) in all.iter().enumerate() {
            assert_eq!(*l, format!("INSERT t (@1={} @2=5000 bytes) end", n * 1000 + i));
        }
    }
    // rolled back with a spill
    s.go("BEGIN");
    s.go("UPDATE t SET b = REPEAT('y', 6000)");
    s.go("ROLLBACK");
    assert!(h.taken().is_empty());
    s.go("SET GLOBAL max_binlog_cache_size = 40960");
    assert_eq!(s.go_or("UPDATE t SET b = REPEAT('y', 6000)").unwrap_err().code(), 1197);
    assert!(h.taken().is_empty());
}
