//! A double of a trigger: while a statement of a session runs, it runs statements of its own through
//! [`executor::programs::NestedStatements`], and each rule of `docs/nested-statements.md` that can be seen is looked at.

#![allow(clippy::unwrap_used)]

use crate::kernel::server::Server;
use crate::kernel::session::{Session, own_context};
use crate::results::collector::Collector;
use base::{SqlError, SqlResult};
use catalog::accounts::{Accounts, MemoryStore};
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Raw, Var};
use executor::Env;
use executor::programs::{NestedEnd, Program};
use planner::plan::Plan;
use std::sync::{Arc, Mutex};
use storage::engine::{Engine, EngineConfig};
use value::{CollationId, OwnedValue, SqlMode, SqlType};

/// Runs where an AFTER trigger would.
pub(crate) type Double = Box<dyn FnMut(&mut Env, &Plan) -> SqlResult<()> + Send>;

impl Session {
    pub(crate) fn run_double(&mut self, plan: &Plan) -> SqlResult<()> {
        match self.running.double.take() {
            Some(mut double) => double(&mut self.env, plan),
            None => Ok(()),
        }
    }
}

/// A server on a folder of its own, which goes with it.
struct House {
    server: Arc<Server>,
    folder: std::path::PathBuf,
}

impl House {
    fn new(name: &str) -> House {
        let folder = std::env::temp_dir().join(format!("evenkeel-nested-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let config = EngineConfig { buffer_pool_size: 8 << 20, ..EngineConfig::new(&folder) };
        let engine = Engine::open(config).unwrap();
        let accounts = Accounts::open(Box::new(MemoryStore::default())).unwrap();
        let globals = Arc::new(GlobalVars::new());
        globals.store(Var::datadir, Raw::Text(Some(folder.to_str().unwrap().into())));
        let connections = Arc::new(Connections::default());
        let server = Server::new(engine, globals, connections, Arc::new(accounts), Box::new(|_| ()));
        let house = House { server, folder };
        let mut root = house.session("root");
        for sql in [
            "CREATE DATABASE d",
            "CREATE TABLE d.t (id INT PRIMARY KEY, v INT)",
            "CREATE TABLE d.log (id INT AUTO_INCREMENT PRIMARY KEY, what INT)",
            "CREATE TABLE d.secret (id INT PRIMARY KEY)",
            "INSERT INTO d.t VALUES (1, 10), (2, 20)",
            "INSERT INTO d.secret VALUES (7)",
            "CREATE USER low@localhost",
            "GRANT SELECT, INSERT ON d.log TO low@localhost",
        ] {
            root.run(sql).unwrap();
        }
        house
    }

    fn session(&self, user: &str) -> Session {
        Session::open(&self.server, own_context(&self.server, user)).unwrap()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.server.stop();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Session {
    /// Runs a statement; its rows as bytes.
    fn run(&mut self, sql: &str) -> SqlResult<Vec<Box<[u8]>>> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let mut rows = Collector::default();
        self.run_text(sql.as_bytes(), &mut rows)?;
        Ok(rows.rows)
    }

    fn count(&mut self, of: &str) -> usize {
        self.run(&format!("SELECT 1 FROM {of}")).unwrap().len()
    }

    /// Runs `sql` with a double that does `body` in its middle.
    fn run_with(
        &mut self,
        sql: &str,
        definer: Option<&'static str>,
        mut body: impl FnMut(&mut Env) -> SqlResult<()> + Send + 'static,
    ) -> SqlResult<Vec<Box<[u8]>>> {
        self.running.double = Some(Box::new(move |env, caller| {
            let utf8 = CollationId::UTF8MB4_0900_AI_CI;
            let program = Program {
                kind: "TRIGGER",
                definer: definer.map(|d| (d, "localhost")),
                schema: "d",
                sql_mode: SqlMode(SqlMode::ANSI_QUOTES.0),
                collations: [utf8, utf8],
                caller,
            };
            let nested = env.kernel.nested.clone();
            nested.within(&program, env, &mut body)
        }));
        self.run(sql)
    }
}

/// Runs a nested statement; its rows as bytes, and its end.
fn nested(env: &mut Env, sql: &str, values: &[i64]) -> SqlResult<(Vec<Box<[u8]>>, NestedEnd)> {
    let values: Vec<_> = values.iter().map(|n| (OwnedValue::Int(*n), SqlType::bigint())).collect();
    let mut rows = Collector::default();
    let through = env.kernel.nested.clone();
    let end = through.run(sql.as_bytes(), &values, env, Some(&mut rows))?;
    Ok((rows.rows, end))
}

fn code<T>(r: SqlResult<T>) -> u16 {
    r.err().map_or(0, |e: SqlError| e.code())
}

#[test]
fn one_transaction_and_one_view() {
    let house = House::new("transaction");
    let mut s = house.session("root");
    s.run("BEGIN").unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    s.run_with("UPDATE d.t SET v = v + 1", None, move |env| {
        // what the calling statement has changed is seen, and the default schema is the program's
        let (rows, _) = nested(env, "SELECT id FROM t WHERE v > ?", &[20])?;
        let (_, end) = nested(env, "INSERT INTO log (what) VALUES (?), (?)", &[1, 2])?;
        told.lock().unwrap().extend([rows.len() as i64, end.row_count, env.counts.row_count]);
        Ok(())
    })
    .unwrap();
    assert_eq!(*seen.lock().unwrap(), [1, 2, 2]);
    assert_eq!(house.session("root").count("d.log"), 0, "the transaction goes on");
    assert_eq!(s.count("d.log"), 2);
    s.run("ROLLBACK").unwrap();
    assert_eq!((s.count("d.log"), s.count("d.t WHERE v > 20")), (0, 0));
}

#[test]
fn a_caller_that_fails_takes_everything_back_and_a_nested_statement_itself_alone() {
    let house = House::new("failure");
    let mut s = house.session("root");
    let failed = s.run_with("UPDATE d.t SET v = 0", None, |env| {
        nested(env, "INSERT INTO log (what) VALUES (1)", &[])?;
        // its first row goes with its second; the statement before it stays
        let twice = code(nested(env, "INSERT INTO log (id, what) VALUES (100, 3), (100, 4)", &[]));
        assert_eq!((twice, nested(env, "SELECT 1 FROM log", &[])?.0.len()), (1062, 1));
        Err(SqlError::unsupported("a program that fails"))
    });
    assert_eq!(code(failed), 1235);
    assert_eq!((s.count("d.log"), s.count("d.t WHERE v = 0")), (0, 0));
}

#[test]
fn what_is_the_callers_stays_the_callers() {
    let house = House::new("caller");
    let mut s = house.session("root");
    s.run("INSERT INTO d.log (id, what) VALUES (40, 0)").unwrap();
    s.run("SELECT LAST_INSERT_ID(5), SQL_CALC_FOUND_ROWS_1 FROM (SELECT 1 AS SQL_CALC_FOUND_ROWS_1) x").unwrap();
    // a note of the calling statement, then many of the program
    s.run_with("UPDATE IGNORE d.t SET v = 'x' WHERE id = 1", None, |env| {
        nested(env, "INSERT INTO log (what) VALUES (1)", &[])?;
        assert_eq!(env.insert_ids.next, 41);
        let (_, end) = nested(env, "SELECT CAST('y' AS SIGNED), CAST('z' AS SIGNED), \"id\" FROM t LIMIT 1", &[])?;
        assert_eq!((end.conditions.len(), env.counts.found_rows), (2, 1));
        Ok(())
    })
    .unwrap();
    let told: Vec<u16> = s.diagnostics.rows.iter().map(|w| w.code).collect();
    assert_eq!(told, [1366], "the caller's own warning and no other");
    assert_eq!((s.env.insert_ids.next, s.env.counts.row_count), (5, 1));
    assert!(s.env.schema.is_none() && !s.env.vars.sql_mode().has(SqlMode::ANSI_QUOTES));
    assert!(s.env.kernel.programs.is_empty());
}

#[test]
fn another_accounts_rights_are_asked_for() {
    let house = House::new("rights");
    let mut root = house.session("root");
    let seen = |env: &mut Env| {
        assert_eq!(code(nested(env, "SELECT id FROM secret", &[])), 1142);
        assert_eq!(code(nested(env, "UPDATE log SET what = 1", &[])), 1142);
        nested(env, "INSERT INTO log (what) VALUES (1)", &[]).map(drop)
    };
    root.run_with("UPDATE d.t SET v = 1", Some("low"), seen).unwrap();
    assert_eq!(root.env.security.account.user, "root");
    root.run("SELECT id FROM d.secret").unwrap();
    let gone = root.run_with("UPDATE d.t SET v = 2", Some("nobody"), |_| Ok(()));
    assert_eq!((code(gone), root.count("d.t WHERE v = 2")), (1449, 0));
    // the other way round: who may do little reaches more through a definer, and no more than that one's body does
    let mut low = house.session("low");
    low.run_with("INSERT INTO d.log (what) VALUES (9)", Some("root"), |env| {
        nested(env, "SELECT id FROM secret", &[]).map(|(rows, _)| assert_eq!(rows.len(), 1))
    })
    .unwrap();
    assert_eq!(code(low.run("SELECT id FROM d.secret")), 1142);
}

#[test]
fn what_a_program_must_not() {
    let house = House::new("refused");
    let mut s = house.session("root");
    s.run_with("UPDATE d.t SET v = 3", None, |env| {
        for (sql, wanted) in [
            ("COMMIT", 1422),
            ("CREATE TABLE x (a INT)", 1422),
            ("DROP USER low@localhost", 1422),
            ("PREPARE p FROM 'SELECT 1'", 1336),
            ("LOCK TABLES log READ", 1336),
            ("UPDATE t SET v = 4", 1442),
            ("DELETE FROM t", 1442),
            ("SELECT nothing FROM t", 1054),
        ] {
            assert_eq!(code(nested(env, sql, &[])), wanted, "{sql}");
        }
        let silent = env.kernel.nested.clone();
        assert_eq!(code(silent.run(b"SELECT 1", &[], env, None)), 1415);
        Ok(())
    })
    .unwrap();
    assert_eq!(s.count("d.t WHERE v = 3"), 2);
    s.run("START TRANSACTION READ ONLY").unwrap();
    let changed =
        s.run_with("SELECT * FROM d.t", None, |env| nested(env, "INSERT INTO log (what) VALUES (1)", &[]).map(drop));
    assert_eq!(code(changed), 1792);
    s.run("ROLLBACK").unwrap();
    // KILL of the calling statement stops the program's
    let killed = s.run_with("UPDATE d.t SET v = 5", None, |env| {
        let id = env.client.connection.id();
        let _ = env.shared.connections.kill(id, catalog::connections::Kill::Query);
        env.client.connection.kill(catalog::connections::Kill::Query);
        nested(env, "INSERT INTO log (what) VALUES (1)", &[]).map(drop)
    });
    assert_eq!((code(killed), s.count("d.t WHERE v = 5"), s.count("d.log")), (1317, 0, 0));
}
