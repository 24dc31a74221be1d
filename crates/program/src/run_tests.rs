//! The interpreter on a host that plans expressions, and whose statements do what their texts say: order of the steps,
//! which handler runs and where it goes on, cursors, what a frame gives back.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::accounts::{Account, Accounts, MemoryStore};
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, SessionVars};
use executor::env::{Asked, Client, Clock, Kernel, Rand, SecurityContext, Shared, VirtualTables};
use executor::gate::Cleared;
use executor::programs::{NestedEnd, NestedStatements, Program as Nested};
use executor::{Env, Wanted};
use parser::ast::{Body, Call, Expr, SlotKind, Statement};
use planner::Request;
use planner::expr::VarScope;
use planner::plan::{FunctionUse, Plan};
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use storage::dict::{Parameter, ParameterMode, ProgramDefinition, ProgramKind, TableDef};
use storage::engine::{Engine, EngineConfig};
use value::{CollationId, OwnedValue, SqlMode, SqlType, Value};

use crate::code::{Kept, Kind, Unit};
use crate::compile::compile;
use crate::conditions::Areas;
use crate::host::{Evaluated, Host, Place};
use crate::run::{Argument, Program, function, procedure};

struct Nothing;

impl VirtualTables for Nothing {
    fn rows(&self, _: &Arc<TableDef>, _: Asked<'_>, _: &Env) -> SqlResult<Vec<Vec<OwnedValue>>> {
        Ok(Vec::new())
    }
}

impl NestedStatements for Nothing {
    fn within(&self, _: &Nested<'_>, _: &mut Env, _: &mut dyn FnMut(&mut Env) -> SqlResult<()>) -> SqlResult<()> {
        Ok(())
    }
    fn trigger(
        &self,
        _: &Arc<ProgramDefinition>,
        _: Option<&[OwnedValue]>,
        _: Option<&mut executor::programs::NewRow>,
        _: &Plan,
        _: &mut Env,
    ) -> SqlResult<()> {
        Ok(())
    }
    fn function(&self, _: &FunctionUse, _: &[Evaluated], _: &Plan, _: &mut Env) -> SqlResult<OwnedValue> {
        Ok(OwnedValue::Null)
    }
    fn run(
        &self,
        _: &[u8],
        _: &[Evaluated],
        _: &mut Env,
        _: Option<&mut dyn catalog::client::ResultSink>,
    ) -> SqlResult<NestedEnd> {
        Ok(NestedEnd::default())
    }
}

/// Slots, and nothing else that has a name.
struct Slots<'p>(&'p [SqlType]);

impl Resolver for Slots<'_> {
    fn table(&self, schema: &str, name: &str, _: &Wish<'_>) -> SqlResult<Resolved> {
        Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]))
    }
    fn local(&self, slot: u32) -> Option<SqlType> {
        self.0.get(slot as usize).cloned()
    }
    fn current_schema(&self) -> Option<&str> {
        Some("d")
    }
    fn stats(&self, _: &TableDef) -> TableStats {
        TableStats { rows: 1.0, rec_per_key: Vec::new(), pages: 1.0 }
    }
    fn sql_mode(&self) -> SqlMode {
        SqlMode::default()
    }
    fn connection_collation(&self) -> CollationId {
        CollationId::UTF8MB4_0900_AI_CI
    }
    fn results_collation(&self) -> CollationId {
        CollationId::UTF8MB4_0900_AI_CI
    }
    fn system_variable(&self, _: VarScope, name: &str) -> SqlResult<SqlType> {
        Err(SqlError::new(ErrorCode::UNKNOWN_SYSTEM_VARIABLE, &[&name]))
    }
    fn user_variable(&self, _: &str) -> Option<SqlType> {
        None
    }
    fn setting(&self, _: &str) -> u64 {
        0
    }
}

/// What statements do: `INSERT INTO name ...` writes down the name and the slots, `UPDATE` is a duplicate key, `DELETE`
/// leaves a warning; a query has the numbers from 1 to `rows` as rows.
struct Stage {
    env: Env,
    folder: std::path::PathBuf,
    log: Rc<RefCell<Vec<String>>>,
    rows: i64,
    procedures: Vec<Rc<Program<()>>>,
    steps_left: u32,
}

fn env(folder: &std::path::Path) -> Env {
    let config = EngineConfig { buffer_pool_size: 8 << 20, ..EngineConfig::new(folder) };
    let engine = Engine::open(config).unwrap();
    let globals = Arc::new(GlobalVars::new());
    let connections = Arc::new(Connections::default());
    let connection = connections.register("localhost");
    let accounts = Arc::new(Accounts::open(Box::new(MemoryStore::default())).unwrap());
    let trx = engine.new_trx(1).unwrap();
    Env {
        trx,
        mdl: mdl::MdlManager::new().session(1),
        temp: Default::default(),
        client: Client { connection, found_rows: false },
        security: SecurityContext {
            account: Arc::new(Account::new("u", "localhost")),
            active_roles: Vec::new(),
            user: ("u".to_owned(), "localhost".to_owned()),
            as_definer: false,
        },
        vars: SessionVars::new(&globals),
        user_vars: Default::default(),
        schema: None,
        conv: Default::default(),
        statement: Default::default(),
        clock: Clock { now_us: 0, fixed_us: None, server_start: std::time::Instant::now() },
        insert_ids: Default::default(),
        counts: Default::default(),
        rand: Rand::default(),
        traces: Default::default(),
        handles: Default::default(),
        kernel: Kernel {
            replica: None,
            virtual_tables: Arc::new(Nothing),
            nested: Arc::new(Nothing),
            programs: Vec::new(),
            applies_rows: false,
            rows_only: false,
            steps: probe::steps::Steps::new(0),
        },
        binlog: executor::binlog::Binlog::new(None),
        shared: Shared { engine, globals, connections, accounts },
    }
}

impl Stage {
    fn new(name: &str) -> Stage {
        let folder = std::env::temp_dir().join(format!("evenkeel-program-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut env = env(&folder);
        env.begin_statement();
        Stage { env, folder, log: Rc::default(), rows: 0, procedures: Vec::new(), steps_left: 10_000 }
    }

    fn program(&mut self, sql: &str) -> Rc<Program<()>> {
        let (arena, mut lexed) = (Bump::new(), parser::Lexed::new());
        lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
        let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed).unwrap();
        let Statement::CreateProgram(c) = parsed.statement else { panic!("{sql}") };
        let (code, _) = compile(&arena, &c.body);
        let kind = if sql.contains(" FUNCTION ") { ProgramKind::Function } else { ProgramKind::Procedure };
        let mut d = ProgramDefinition::new(kind, "d", sql.split([' ', '(']).nth(2).unwrap());
        for s in c.body.slots.iter().filter(|s| matches!(s.kind, SlotKind::Parameter(_))) {
            let mode = match sql {
                _ if sql.contains(&format!("INOUT {} ", s.name)) => ParameterMode::InOut,
                _ if sql.contains(&format!("OUT {} ", s.name)) => ParameterMode::Out,
                _ => ParameterMode::In,
            };
            d.parameters.push(Parameter { name: s.name.to_owned(), mode, ty: SqlType::bigint() });
        }
        d.result = (kind == ProgramKind::Function).then(SqlType::bigint);
        let types = vec![SqlType::bigint(); code.slots.len()];
        let unit = Rc::new(Unit::new(Arc::new(d), sql.as_bytes().into(), code, types));
        self.procedures.push(unit.clone());
        unit
    }

    /// Runs a procedure without parameters: what was written down, and how it ended.
    fn run(&mut self, body: &str) -> (String, Result<(), u16>) {
        let unit = self.program(&format!("CREATE PROCEDURE p() {body}"));
        let done = procedure(&unit, &[], self, &mut Areas::default());
        assert_eq!(unit.active.get(), 0);
        let log = std::mem::take(&mut *self.log.borrow_mut());
        (log.join(" "), done.map(drop).map_err(|e| e.code()))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn shown(v: &OwnedValue) -> String {
    match v {
        OwnedValue::Null => "-".to_owned(),
        OwnedValue::Int(n) => n.to_string(),
        v => format!("{v:?}"),
    }
}

impl Host for Stage {
    type Plan = ();

    fn env(&mut self) -> &mut Env {
        &mut self.env
    }
    fn procedure(&mut self, call: &Call<'_>) -> SqlResult<Rc<Program<()>>> {
        let found = self.procedures.iter().rev().find(|p| p.definition.name == call.name).cloned();
        let found = found.ok_or_else(|| SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"PROCEDURE", &call.name]))?;
        if found.active.get() > 20 {
            return Err(SqlError::new(ErrorCode::SP_RECURSION_LIMIT, &[&20, &call.name]));
        }
        Ok(found)
    }
    fn within<T>(
        &mut self,
        _: &Arc<ProgramDefinition>,
        body: &mut dyn FnMut(&mut Self) -> SqlResult<T>,
    ) -> SqlResult<T> {
        body(self)
    }
    fn parse<'a>(&mut self, arena: &'a Bump, source: &[u8]) -> SqlResult<Body<'a>> {
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(source, 0, parser::Mode::default());
        match parser::parse(arena, source, &mut lexed)?.statement {
            Statement::CreateProgram(c) => Ok(c.body),
            _ => Err(SqlError::unsupported("this")),
        }
    }
    fn evaluate(
        &mut self,
        place: Place<'_>,
        _: &Kept<()>,
        tree: Option<&Expr<'_>>,
        f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
    ) -> SqlResult<bool> {
        let Some(tree) = tree else { return Ok(false) };
        let resolver = Slots(place.types);
        let plan = planner::plan_scalars(std::slice::from_ref(tree), &Request::plain(place.source, &resolver))?;
        executor::scalar(Cleared::check(&plan, &self.env)?, place.values, &mut self.env, f)?;
        Ok(true)
    }
    fn tables_of(&mut self, _: Place<'_>, _: &[Expr<'_>]) -> SqlResult<Vec<base::TableId>> {
        Ok(Vec::new())
    }
    fn statement(&mut self, place: Place<'_>, _: &Kept<()>, _: Kind, _: Option<&Statement<'_>>) -> SqlResult<bool> {
        self.env.begin_nested_statement();
        let span = place.span.unwrap();
        let text = std::str::from_utf8(place.source.get(span.start as usize..span.end as usize).unwrap()).unwrap();
        let mut words = text.split([' ', '(']);
        match words.next().unwrap() {
            "INSERT" => {
                let values: Vec<String> = place.values.iter().map(shown).collect();
                self.log.borrow_mut().push(format!("{}[{}]", words.nth(1).unwrap(), values.join(",")));
                Ok(true)
            }
            "UPDATE" => Err(SqlError::new(ErrorCode::DUP_ENTRY, &[&"1", &"k"])),
            "DELETE" => {
                self.env.conv.push(value::Level::Warning, SqlError::new(ErrorCode::WARN_DATA_TRUNCATED, &[&"c", &1]));
                Ok(true)
            }
            "TRUNCATE" => Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[])),
            other => panic!("{other}"),
        }
    }
    fn query(
        &mut self,
        _: Place<'_>,
        _: &Kept<()>,
        _: Option<&Statement<'_>>,
        begin: &mut dyn FnMut(&[SqlType]) -> SqlResult<()>,
        wanted: &mut Wanted<'_>,
    ) -> SqlResult<bool> {
        self.env.begin_nested_statement();
        begin(&[SqlType::bigint()])?;
        for n in 1..=self.rows {
            match wanted {
                Wanted::Each(f) => {
                    if !f(&[Value::Int(n)])? {
                        break;
                    }
                }
                Wanted::First(row, _) if row.found == 0 => (row.found, row.values) = (1, vec![OwnedValue::Int(n)]),
                Wanted::First(..) => return Err(SqlError::new(ErrorCode::TOO_MANY_ROWS, &[])),
            }
        }
        Ok(true)
    }
    fn may_handle(&self, e: &SqlError) -> bool {
        !e.is(ErrorCode::QUERY_INTERRUPTED)
    }
    fn told(&mut self, _: &Areas) {}
    fn step(&mut self) -> SqlResult<()> {
        self.steps_left =
            self.steps_left.checked_sub(1).ok_or_else(|| SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]))?;
        Ok(())
    }
}

#[test]
fn steps_in_their_order() {
    let mut s = Stage::new("steps");
    let sum = "BEGIN DECLARE i, n INT DEFAULT 0; WHILE i < 4 DO SET i = i + 1, n = n + i; END WHILE; INSERT INTO a VALUES (n); END";
    assert_eq!(s.run(sum), ("a[4,10]".to_owned(), Ok(())));
    let skips = "BEGIN DECLARE i INT DEFAULT 0; l: LOOP SET i = i + 1; IF i = 2 THEN ITERATE l; END IF; IF i > 3 THEN LEAVE l; END IF; \
                 INSERT INTO a VALUES (i); END LOOP; INSERT INTO b VALUES (i); END";
    assert_eq!(s.run(skips).0, "a[1] a[3] b[4]");
    let case = "BEGIN DECLARE i INT DEFAULT 5; CASE i + 1 WHEN 5 THEN INSERT INTO a VALUES (1); WHEN 6 THEN INSERT INTO b VALUES (1); END CASE; \
                CASE WHEN i IS NULL THEN INSERT INTO c VALUES (1); END CASE; END";
    let (log, end) = s.run(case);
    assert!(log.starts_with("b[5,") && !log.contains('c'), "{log}");
    assert_eq!(end, Err(ErrorCode::SP_CASE_NOT_FOUND.number()));
    assert_eq!(s.run("LOOP BEGIN END; END LOOP").1, Err(1317), "an endless loop asks at each round");
}

#[test]
fn handlers_go_on_or_leave() {
    let mut s = Stage::new("handlers");
    let go_on = "BEGIN DECLARE n INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR 1062 SET n = n + 1; UPDATE t SET a = 1; INSERT INTO a VALUES (n); UPDATE t SET a = 1; INSERT INTO b VALUES (n); END";
    assert_eq!(s.run(go_on), ("a[1] b[2]".to_owned(), Ok(())));
    let leave = "BEGIN DECLARE n INT DEFAULT 0; BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SET n = 7; UPDATE t SET a = 1; INSERT INTO a VALUES (n); END; INSERT INTO b VALUES (n); END";
    assert_eq!(s.run(leave), ("b[7]".to_owned(), Ok(())));
    let warned = "BEGIN DECLARE n INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLWARNING SET n = n + 1; DELETE FROM t; INSERT INTO a VALUES (n); END";
    assert_eq!(s.run(warned).0, "a[1]");
    let unhandled = "BEGIN DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN END; INSERT INTO a VALUES (1); UPDATE t SET a = 1; INSERT INTO b VALUES (1); END";
    assert_eq!(s.run(unhandled), ("a[]".to_owned(), Err(1062)));
    let killed = "BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION INSERT INTO b VALUES (1); TRUNCATE TABLE t; INSERT INTO a VALUES (1); END";
    assert_eq!(s.run(killed), (String::new(), Err(1317)), "no handler is for KILL");
    let failing_handler = "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION INSERT INTO outer_one VALUES (1); \
                           BEGIN DECLARE CONTINUE HANDLER FOR 1062 SIGNAL SQLSTATE '45000'; UPDATE t SET a = 1; END; END";
    assert_eq!(
        s.run(failing_handler),
        ("outer_one[]".to_owned(), Ok(())),
        "a handler's error goes to the block around its own"
    );
    let raised = "BEGIN DECLARE EXIT HANDLER FOR 1062 RESIGNAL SET MYSQL_ERRNO = 5000; UPDATE t SET a = 1; END";
    assert_eq!(s.run(raised).1, Err(5000));
}

#[test]
fn a_condition_that_fails_is_handled_behind_its_statement() {
    let mut s = Stage::new("conditions");
    let sql = "BEGIN DECLARE n INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET n = n + 1; \
               IF (SELECT 1 FROM nowhere) THEN INSERT INTO a VALUES (1); END IF; INSERT INTO b VALUES (n); END";
    let (log, end) = s.run(sql);
    assert_eq!(end, Ok(()));
    assert!(log.ends_with("b[1]"), "{log}");
}

#[test]
fn cursors_give_rows_until_there_are_none() {
    let mut s = Stage::new("cursors");
    s.rows = 3;
    let all = "BEGIN DECLARE v, done INT DEFAULT 0; DECLARE c CURSOR FOR SELECT 1; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; \
               OPEN c; l: LOOP FETCH c INTO v; IF done THEN LEAVE l; END IF; INSERT INTO a VALUES (v); END LOOP; CLOSE c; INSERT INTO b VALUES (v); END";
    assert_eq!(s.run(all).0, "a[1,0] a[2,0] a[3,0] b[3,1]");
    let twice = "BEGIN DECLARE c CURSOR FOR SELECT 1; OPEN c; OPEN c; END";
    assert_eq!(s.run(twice).1, Err(ErrorCode::SP_CURSOR_ALREADY_OPEN.number()));
    let closed = "BEGIN DECLARE v INT; DECLARE c CURSOR FOR SELECT 1; FETCH c INTO v; END";
    assert_eq!(s.run(closed).1, Err(ErrorCode::SP_CURSOR_NOT_OPEN.number()));
    let again = "BEGIN DECLARE i, v INT DEFAULT 0; WHILE i < 2 DO BEGIN DECLARE c CURSOR FOR SELECT 1; OPEN c; FETCH c INTO v; INSERT INTO a VALUES (v); SET i = i + 1; END; END WHILE; END";
    assert_eq!(s.run(again).0, "a[0,1] a[1,1]", "a block that is left closes its cursors");
    let width = "BEGIN DECLARE v, w INT; DECLARE c CURSOR FOR SELECT 1; OPEN c; FETCH c INTO v, w; END";
    assert_eq!(s.run(width).1, Err(ErrorCode::SP_WRONG_NO_OF_FETCH_ARGS.number()));
    s.rows = 2;
    assert_eq!(s.run("BEGIN DECLARE v INT; SELECT 1 INTO v; END").1, Err(ErrorCode::TOO_MANY_ROWS.number()));
}

#[test]
fn frames_are_their_own() {
    let mut s = Stage::new("frames");
    let down = s.program("CREATE PROCEDURE down(n INT, INOUT total INT) BEGIN IF n > 0 THEN SET total = total + n; CALL down(n - 1, total); END IF; INSERT INTO a VALUES (1); END");
    let argument = |n| Argument { value: (OwnedValue::Int(n), SqlType::bigint()), target: None };
    let out = procedure(&down, &[argument(3), argument(100)], &mut s, &mut Areas::default()).unwrap();
    assert_eq!(out.get(1).cloned().flatten().map(|v| shown(&v.0)).as_deref(), Some("106"));
    assert_eq!(s.log.take().join(" "), "a[0,106] a[1,106] a[2,106] a[3,106]");
    let deep = procedure(&down, &[argument(30), argument(0)], &mut s, &mut Areas::default());
    assert_eq!(deep.unwrap_err().code(), ErrorCode::SP_RECURSION_LIMIT.number());
    assert_eq!(down.active.get(), 0, "also behind an error");
}

#[test]
fn functions_return() {
    let mut s = Stage::new("functions");
    let f = s.program("CREATE FUNCTION f(a INT) RETURNS INT BEGIN WHILE TRUE DO IF a > 9 THEN RETURN a; END IF; SET a = a + 1; END WHILE; END");
    let run = |s: &mut Stage, f: &Program<()>, n| {
        let done = function(f, &[(OwnedValue::Int(n), SqlType::bigint())], "f()", s, &mut Areas::default());
        done.map(|v| shown(&v))
    };
    assert_eq!(run(&mut s, &f, 3).unwrap(), "10");
    assert_eq!(run(&mut s, &f, 30).unwrap(), "30");
    let g = s.program("CREATE FUNCTION g(a INT) RETURNS INT BEGIN IF a THEN RETURN 1; END IF; END");
    assert_eq!(run(&mut s, &g, 0).unwrap_err().code(), ErrorCode::SP_NORETURNEND.number());
    let h = s.program("CREATE FUNCTION h(a INT) RETURNS INT BEGIN DECLARE EXIT HANDLER FOR 1062 RETURN -1; UPDATE t SET a = 1; RETURN a; END");
    assert_eq!(run(&mut s, &h, 5).unwrap(), "-1", "RETURN in a handler");
}
