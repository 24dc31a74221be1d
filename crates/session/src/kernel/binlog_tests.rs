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
use value::json::diff::Diff;

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
        // what stands for a spill is no event: it has no room for a checksum
        let whole = |b: &[u8]| event::Header::read(b).is_ok_and(|h| h.kind != transaction::SPILLED);
        let (mut rest, mut at) = (bytes, offset);
        while whole(rest) {
            let size = event::Header::read(rest).unwrap().size as usize;
            let (one, next) = rest.split_at_mut(size);
            event::place(one, at, true);
            (rest, at) = (next, at + size as u64);
        }
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
    fn found(&self, _: Place, _: &[u8], _: Lsn) -> storage::Result<()> {
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
            Server::new(engine, globals, Arc::new(Connections::default()), Arc::new(accounts), Box::new(|_| ()));
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
        let frame = |l: &String| {
            l == "GTID" || l == "BEGIN" || l == "XID" || l.starts_with("MAP") || l.starts_with("SAVEPOINT")
        };
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
        EventType::WriteRows | EventType::UpdateRows | EventType::PartialUpdateRows | EventType::DeleteRows => {
            let map = maps[&rows::read_table_id(e.body).unwrap()].clone();
            let read = rows::Rows::read(kind, e.body, &map).unwrap();
            let name = String::from_utf8_lossy(&map.table).into_owned();
            let what = match kind {
                EventType::WriteRows => "INSERT",
                EventType::UpdateRows | EventType::PartialUpdateRows => "UPDATE",
                _ => "DELETE",
            };
            let mut text = format!("{what} {name}");
            let flags = read.flags;
            for r in read {
                let r = r.unwrap();
                text += &format!(" ({}", image(&r.before));
                let steps = |d: &Diff| format!(" {:?} {}", d.what, String::from_utf8_lossy(&d.path));
                let mut differs = String::new();
                for (n, list) in r.diffs.iter().filter(|(_, l)| !l.is_empty()) {
                    differs += &format!(" {}:{}", n + 1, list.iter().map(steps).collect::<String>().trim_start());
                }
                text += &r.after.map_or(")".into(), |s| format!(" -> {}{differs})", image(&s)));
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

#[test]
fn definitions() {
    let h = House::new("definitions");
    let mut s = h.session();
    let mut one = |sql: &str, logged: &str| {
        s.go(sql);
        let all = h.taken();
        let wanted = if logged.is_empty() { vec![] } else { vec!["GTID".to_owned(), logged.to_owned()] };
        assert_eq!(all, wanted, "{sql}");
    };
    let same = "CREATE TABLE t (a INT PRIMARY KEY)";
    one(same, same);
    let same = "CREATE TABLE IF NOT EXISTS t (a INT)";
    one(same, same);
    one(" ALTER TABLE t ADD b INT DEFAULT 3 ; ", "ALTER TABLE t ADD b INT DEFAULT 3");
    one("CREATE TEMPORARY TABLE u (a INT DEFAULT 2)", "");
    one("ALTER TABLE u ADD b INT", "");
    one("TRUNCATE u", "");
    one(
        "CREATE TABLE l LIKE u",
        "CREATE TABLE `l` (\n  `a` int DEFAULT '2',\n  `b` int DEFAULT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 \
         COLLATE=utf8mb4_0900_ai_ci",
    );
    one("DROP TABLE u, l", "DROP TABLE `l` /* generated by server */");
    one("DROP TABLE IF EXISTS x, d2.y", "DROP TABLE IF EXISTS `x`,`d2`.`y` /* generated by server */");
    one(
        "CREATE VIEW v (c) AS SELECT a FROM t WITH CHECK OPTION",
        "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `v` (`c`) AS SELECT a FROM t WITH \
         CHECK OPTION",
    );
    one("DROP VIEW IF EXISTS v, w", "DROP VIEW IF EXISTS v, w");
    one("create procedure p() select 1", "CREATE DEFINER=`root`@`localhost` procedure p() select 1");
    one("DROP PROCEDURE IF EXISTS nothing", "DROP PROCEDURE IF EXISTS nothing");
    one("CREATE ROLE r", "CREATE ROLE r");
    one("GRANT SELECT ON t TO r", "GRANT SELECT ON t TO r");
    one("ANALYZE TABLE t", "ANALYZE TABLE t");
    one("ANALYZE LOCAL TABLE t", "");
    one("CHECK TABLE t", "");
    one("SET sql_log_bin = 0", "");
    one("DROP TABLE t", "");
}

#[test]
fn passwords_are_logged_as_hashes() {
    let h = House::new("passwords");
    let mut s = h.session();
    for (sql, begins, ends) in [
        (
            "CREATE USER a@localhost IDENTIFIED BY 'secret', b ACCOUNT LOCK",
            "CREATE USER 'a'@'localhost' IDENTIFIED",
            "",
        ),
        (
            "ALTER USER b IDENTIFIED BY 'secret' PASSWORD EXPIRE",
            "ALTER USER 'b'@'%' IDENTIFIED WITH",
            "PASSWORD EXPIRE",
        ),
        ("SET PASSWORD FOR b = 'secret'", "ALTER USER 'b'@'%' IDENTIFIED WITH 'caching_sha2_password' AS '$A$", "'"),
        ("ALTER USER USER() IDENTIFIED BY 'secret'", "ALTER USER 'root'@'localhost' IDENTIFIED WITH", "'"),
    ] {
        s.go(sql);
        let all = h.taken();
        let [gtid, text] = all.as_slice() else { panic!("{sql}: {all:?}") };
        assert_eq!(gtid, "GTID");
        assert!(text.starts_with(begins) && text.ends_with(ends) && !text.contains("secret"), "{sql}: {text}");
    }
}

/// A reader opens a statement's tables at its first row: those that programs change are named before it.
#[test]
fn programs() {
    let h = House::new("programs");
    let mut s = h.session();
    s.go("CREATE TABLE t (a INT PRIMARY KEY)");
    s.go("CREATE TABLE u (a INT PRIMARY KEY)");
    s.go("CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW INSERT INTO u VALUES (NEW.a)");
    s.go("CREATE FUNCTION f(x INT) RETURNS INT DETERMINISTIC BEGIN INSERT INTO u VALUES (x); RETURN x; END");
    s.go("CREATE FUNCTION k(x INT) RETURNS INT DETERMINISTIC BEGIN DECLARE CONTINUE HANDLER FOR 1062 BEGIN END; \
         INSERT INTO u VALUES (x), (x + 1); RETURN x; END");
    h.taken();
    s.go("INSERT INTO t VALUES (1), (2)");
    let rows = ["INSERT t (@1=1)", "INSERT u (@1=1)", "INSERT t (@1=2)", "INSERT u (@1=2) end"];
    let all = h.taken();
    assert_eq!(all.get(..4).unwrap(), ["GTID", "BEGIN", "MAP d.t", "MAP d.u"]);
    assert_eq!(all.get(4..8).unwrap(), rows);
    s.go("SELECT f(10), f(11)");
    assert_eq!(h.changes(), ["INSERT u (@1=10) (@1=11) end"]);
    s.go("INSERT INTO t SELECT f(20) + 1");
    assert_eq!(h.taken().get(2..5).unwrap(), ["MAP d.t", "MAP d.u", "INSERT u (@1=20)"]);
    // a statement that a handler forgives leaves nothing
    s.go("DELETE FROM u");
    h.taken();
    s.go("INSERT INTO u VALUES (101)");
    h.taken();
    s.go("SELECT k(50), k(100), k(60)");
    assert_eq!(h.changes(), ["INSERT u (@1=50) (@1=51) (@1=60) (@1=61) end"]);
    assert!(s.go_or("INSERT INTO t VALUES (300), (300)").is_err());
    assert!(h.taken().is_empty());
    s.go("SET @x = f(70)");
    assert_eq!(h.changes(), ["INSERT u (@1=70) end"]);
}

#[test]
fn branches() {
    let h = House::new("branches");
    let (mut s, mut other) = (h.session(), h.session());
    s.go("CREATE TABLE t (a INT PRIMARY KEY)");
    h.taken();
    let start = "XA START X'61',X'62',7";
    let end = "XA END X'61',X'62',7";
    let rows = ["GTID", start, "MAP d.t", "INSERT t (@1=1) end", end, "XA_PREPARE"];
    for sql in ["XA START 'a', 'b', 7", "INSERT INTO t VALUES (1)", "XA END 'a', 'b', 7", "XA PREPARE 'a', 'b', 7"] {
        s.go(sql);
    }
    assert_eq!(h.taken(), rows);
    other.go("XA ROLLBACK 'a', 'b', 7");
    assert_eq!(h.taken(), ["GTID", "XA ROLLBACK X'61',X'62',7"]);
    for sql in
        ["XA START 'a', 'b', 7", "INSERT INTO t VALUES (1)", "XA END 'a', 'b', 7", "XA COMMIT 'a', 'b', 7 ONE PHASE"]
    {
        s.go(sql);
    }
    assert_eq!(h.taken(), rows);
    for sql in ["XA START 'r'", "SELECT * FROM t", "XA END 'r'", "XA PREPARE 'r'"] {
        s.go(sql);
    }
    other.go("XA COMMIT 'r'");
    assert!(h.taken().is_empty());
    s.go("INSERT INTO t VALUES (2)");
    assert_eq!(h.taken().get(1).unwrap(), "BEGIN");
}

#[test]
fn settings() {
    let h = House::new("settings");
    let mut s = h.session();
    s.go("CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c INT DEFAULT 5)");
    h.taken();
    s.go("SET binlog_rows_query_log_events = 1");
    s.go("INSERT INTO t VALUES (1, 'x', 1);");
    assert_eq!(h.taken().get(2).unwrap(), "# INSERT INTO t VALUES (1, 'x', 1)");
    s.go("SET binlog_rows_query_log_events = 0, binlog_transaction_compression = 1");
    s.go("INSERT INTO t VALUES (2, REPEAT('x', 200), 1)");
    let inside = "PAYLOAD [BEGIN, MAP d.t, INSERT t (@1=2 @2=200 bytes @3=1) end, XID]";
    assert_eq!(h.taken(), ["GTID", inside]);
    s.go("SET binlog_transaction_compression = 0, binlog_row_image = MINIMAL");
    s.go("INSERT INTO t (a) VALUES (3)");
    s.go("UPDATE t SET c = 7 WHERE a = 1");
    s.go("DELETE FROM t WHERE a = 1");
    assert_eq!(h.changes(), ["INSERT t (@1=3) end", "UPDATE t (@1=1 -> @3=7) end", "DELETE t (@1=1) end"]);
    s.go("SET binlog_row_image = NOBLOB");
    s.go("UPDATE t SET c = 8 WHERE a = 2");
    assert_eq!(h.changes(), ["UPDATE t (@1=2 @3=1 -> @1=2 @3=8) end"]);
    s.go("CREATE TABLE w (a INT) SELECT 1 AS a");
    let all = h.taken();
    assert_eq!((all[1].as_str(), all[4].as_str()), ("BEGIN", "INSERT w (@1=1) end"));
    assert!(all[2].starts_with("CREATE TABLE `w` (") && all[2].ends_with(" START TRANSACTION"), "{all:?}");
}

/// Rows whose images differ in the last column alone do not share an event.
#[test]
fn images_that_differ_in_the_last_column() {
    let h = House::new("last_column");
    let mut s = h.session();
    s.go("CREATE TABLE m (a INT PRIMARY KEY, b INT, g INT AS (b DIV 10) STORED)");
    s.go("INSERT INTO m (a, b) VALUES (1, 5), (2, 15)");
    s.go("SET binlog_row_image = MINIMAL");
    h.taken();
    s.go("UPDATE m SET b = b + IF(a = 1, 5, 1)");
    assert_eq!(h.changes(), ["UPDATE m (@1=1 -> @2=10 @3=1)", "UPDATE m (@1=2 -> @2=16) end"]);
}

/// Differences of JSON columns, where an UPDATE gives them; a column that stays as it is has none.
#[test]
fn partial_json() {
    let h = House::new("partial_json");
    let mut s = h.session();
    s.go("CREATE TABLE t (a INT PRIMARY KEY, j JSON, b INT, k JSON)");
    s.go("INSERT INTO t VALUES (1, '{\"x\": 1, \"long\": \"........................\"}', 1, '[1, 2, 3, 4, 5]')");
    s.go("SET binlog_row_value_options = 'PARTIAL_JSON', binlog_row_image = MINIMAL");
    h.taken();
    s.go("UPDATE t SET j = JSON_SET(j, '$.x', 2, '$.y', JSON_SET('{\"q\": 1}', '$.q', 2)), b = 2");
    let change = "UPDATE t (@1=1 -> @2=NULL @3=2 2:Replace $.x Insert $.y) end";
    assert_eq!(h.changes(), [change]);
    s.go("UPDATE t SET j = JSON_REMOVE(JSON_SET(j, '$.x', 3), '$.y'), k = JSON_REPLACE(k, '$[last]', 6)");
    let change = "UPDATE t (@1=1 -> @2=NULL @4=NULL 2:Replace $.x Remove $.y 4:Replace $[last]) end";
    assert_eq!(h.changes(), [change]);
    // as whole documents: another column's, of several tables, shorter than the differences
    s.go("UPDATE t SET j = JSON_SET(k, '$[0]', 3)");
    s.go("UPDATE t JOIN t AS u USING (a) SET t.j = JSON_SET(t.j, '$[0]', 4)");
    s.go("UPDATE t SET k = '[1]'");
    s.go("UPDATE t SET k = JSON_SET(k, '$[0]', 2)");
    assert!(h.changes().iter().all(|c| !c.contains('$')));
}
