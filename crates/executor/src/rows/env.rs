//! [`Env`]: everything of a session that executing statements reads or changes.
//!
//! Owned by the session, passed `&mut` to the executor; one thread at a time. Nothing in it is shared with other sessions but through the
//! `Arc`s, whose own modules say how they are locked.

use super::user_vars::UserVars;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Accounts};
use catalog::client::ResultSink;
use catalog::connections::{Connection, Connections};
use catalog::sysvar::{GlobalVars, SessionVars, Var, VarValue};
use hashbrown::HashMap;
use mdl::MdlSession;
use planner::plan::Plan;
use std::sync::Arc;
use std::time::Instant;
use storage::dict::{Relation, TableDef, TempTables};
use storage::engine::Engine;
use storage::table::Table;
use storage::txn::Trx;
use value::{ConvCtx, DateTime, OwnedValue, SqlType, TimeZone};

/// Reads virtual tables (information_schema, performance_schema, the tables of accounts): who knows their rows stands
/// above this crate, and is given to each session when it is opened.
pub trait VirtualTables: Send + Sync {
    /// All rows of a table as the session may see them, or at least those that satisfy `hints` (column = value).
    ///
    /// # Errors
    /// 1142 for a table that the account may not read; 1317 and its like when the statement is told to stop.
    fn rows(&self, table: &Arc<TableDef>, hints: &[(u16, OwnedValue)], env: &Env) -> SqlResult<Vec<Vec<OwnedValue>>>;
}

/// A stored function or trigger that is called in the middle of a statement, and what it was created with.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    /// FUNCTION or TRIGGER, as errors say it.
    pub kind: &'p str,
    /// SQL SECURITY DEFINER: in whose name it runs (user, host); `None`: in that of who calls.
    pub definer: Option<(&'p str, &'p str)>,
    /// Its database.
    pub schema: &'p str,
    /// sql_mode at its creation.
    pub sql_mode: value::SqlMode,
    /// character_set_client and collation_connection at its creation.
    pub collations: [value::CollationId; 2],
    /// The plan of the statement that calls it: what that uses the program must not change (1442).
    pub caller: &'p Plan,
}

/// What a nested statement did.
#[derive(Clone, Debug, Default)]
pub struct NestedEnd {
    /// Affected rows; ROW_COUNT() of the program's next statement.
    pub row_count: i64,
    /// Its warnings: the program's diagnostics area now, which handlers look at.
    pub conditions: Vec<value::Warning>,
}

/// Runs statements in the middle of another one: the way in which stored functions and triggers reach the kernel, which
/// stands above this crate (as [`crate::ddl::DdlLocks`] does). The whole contract: `docs/nested-statements.md`. In short:
///
/// * One transaction, one read view: nothing here commits, rolls back further than a statement of its own, or opens or
///   closes a snapshot. What the calling statement undoes it undoes with it.
/// * What belongs to the caller's statement (warnings, LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS(), sql_mode, default
///   schema, character sets, account) is the program's own while it runs and the caller's again afterwards, also after
///   an error. User variables, temporary tables and the clock are shared.
/// * Each statement is planned for the program's context and cleared by the gate for the account that it runs as.
/// * KILL and `max_execution_time` are the calling statement's and stop the program with it.
pub trait NestedStatements: Send + Sync {
    /// Runs a program's body in its context and puts the caller's back, whatever happens.
    ///
    /// # Errors
    /// 1449 for a definer that is no more, 1436 when programs call each other too deeply; those of the body.
    fn program(
        &self,
        program: &Program<'_>,
        env: &mut Env,
        body: &mut dyn FnMut(&mut Env) -> SqlResult<()>,
    ) -> SqlResult<()>;

    /// Runs one statement of a program that is running. `values`: its variables, for the `?` of the text. `rows`: where
    /// a query's rows go; without it a query that returns some is 1415. One that fails is undone alone.
    ///
    /// # Errors
    /// 1422 for what would end the transaction, 1336 for PREPARE and its like, 1442 for changing a table that a calling
    /// statement uses, 1792 in a READ ONLY transaction; those of planning and running.
    fn run(
        &self,
        sql: &[u8],
        values: &[(OwnedValue, SqlType)],
        env: &mut Env,
        rows: Option<&mut dyn ResultSink>,
    ) -> SqlResult<NestedEnd>;
}

/// Clocks of a session. Set where a statement begins ([`Env::begin_statement`]) and by `SET timestamp`.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Start of the running statement, microseconds since 1970 (NOW(); `SET timestamp` overrides it).
    pub now_us: i64,
    /// `SET timestamp = n`: microseconds; `None` = the clock.
    pub fixed_us: Option<i64>,
    /// Start of the server, for uptime.
    pub server_start: Instant,
}

/// AUTO_INCREMENT values that a session's statements tell each other and the client.
#[derive(Clone, Copy, Default, Debug)]
pub struct InsertIds {
    /// LAST_INSERT_ID() as of the start of the statement; `LAST_INSERT_ID(expr)` and inserts change `next`.
    pub at_start: u64,
    /// What LAST_INSERT_ID() gives to the next statement.
    pub next: u64,
    /// The statement called `LAST_INSERT_ID(expr)`: its client is told the argument as insert id.
    pub given: bool,
    /// `SET insert_id`: AUTO_INCREMENT value for the next INSERT.
    pub wanted: u64,
}

/// What functions and variables tell of the statement before.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// FOUND_ROWS().
    pub found_rows: u64,
    /// Rows of the last result, for the slow log.
    pub rows_sent: u64,
    /// ROW_COUNT().
    pub row_count: i64,
    /// `@@warning_count` and `@@error_count`.
    pub conditions: (u64, u64),
}

/// RAND()'s sequences.
#[derive(Clone, Default, Debug)]
pub struct Rand {
    /// Seeds of RAND() without an argument.
    pub seeds: (u32, u32),
    /// Sequences of `RAND(n)` with a constant seed, per place in the running statement; empty when it starts.
    pub states: HashMap<usize, (u32, u32)>,
}

/// A program that is running.
#[derive(Debug)]
pub struct RunningProgram {
    /// FUNCTION or TRIGGER.
    pub kind: String,
    /// Tables that the statement which called it uses.
    pub used: Vec<base::TableId>,
}

/// A session's state as the executor sees it.
pub struct Env {
    /// The engine.
    pub engine: Arc<Engine>,
    /// The session's transactions.
    pub trx: Trx,
    /// The session's metadata locks.
    pub mdl: MdlSession,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// Session variables.
    pub vars: SessionVars,
    /// All connections.
    pub connections: Arc<Connections>,
    /// This one.
    pub connection: Arc<Connection>,
    /// Accounts.
    pub accounts: Arc<Accounts>,
    /// The account the session acts as (CURRENT_USER()).
    pub account: Arc<Account>,
    /// Active roles, sorted (CURRENT_ROLE()); `account` has their privileges.
    pub active_roles: Vec<(String, String)>,
    /// User as the client called itself, and the host it comes from (USER()).
    pub user: (String, String),
    /// Default schema.
    pub schema: Option<Arc<str>>,
    /// User variables by lower-case name.
    pub user_vars: UserVars,
    /// Conversion context of the running statement: modes, time zone, warnings.
    pub conv: ConvCtx,
    /// The running statement's time.
    pub clock: Clock,
    /// AUTO_INCREMENT values that statements tell each other.
    pub insert_ids: InsertIds,
    /// What functions tell of the statement before.
    pub counts: Counts,
    /// RAND()'s sequences.
    pub rand: Rand,
    /// Errors that SHOW WARNINGS lists behind the one that the statement failed with.
    pub further_errors: Vec<SqlError>,
    /// Affected rows count matched rows (CLIENT_FOUND_ROWS).
    pub client_found_rows: bool,
    /// The running statement is one that EXECUTE names, not one of the binary protocol.
    pub executed_by_name: bool,
    /// The session's temporary tables.
    pub temp: TempTables,
    /// information_schema shows them now (SHOW COLUMNS, SHOW INDEX).
    pub show_temp: bool,
    /// The statement being planned may name hidden columns (CHECKSUM TABLE).
    pub names_hidden: bool,
    /// Reads virtual tables for this session.
    pub virtual_tables: Arc<dyn VirtualTables>,
    /// Runs statements of programs.
    pub nested: Arc<dyn NestedStatements>,
    /// Programs that run now, the outermost first.
    pub programs: Vec<RunningProgram>,
}

impl std::fmt::Debug for Env {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Env({})", self.connection.id())
    }
}

impl Env {
    /// 1317 or 1053 if the statement has been killed. Cheap enough for every row.
    #[inline]
    pub fn check_killed(&self) -> SqlResult<()> {
        self.connection.check_killed()
    }

    /// The opened table of a definition a plan was made for; 1146 if it is gone, [`Stale`] if it has changed since.
    pub fn open_table(&self, def: &TableDef) -> SqlResult<Result<Arc<Table>, Stale>> {
        let opened = match self.temp.by_id(def.id) {
            Some(t) => Some(t.clone()),
            None if def.is_temporary() => return Ok(Err(Stale)),
            None => self.engine.dict().open_table(&self.engine, &def.schema, &def.name).map_err(SqlError::from)?,
        };
        match opened {
            None => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&def.schema, &def.name])),
            Some(t) if t.def.version != def.version || t.def.id != def.id => Ok(Err(Stale)),
            Some(t) => Ok(Ok(t)),
        }
    }

    /// What a name means to this session: its temporary table, or the table or view.
    pub fn relation(&self, schema: &str, name: &str) -> Option<Relation> {
        match self.temp.find(schema, name) {
            Some(t) => Some(Relation::Table(t.def.clone())),
            None => self.engine.dict().relation(schema, name),
        }
    }

    /// Opens the table that a name means to this session; `None`: there is none, or it is a view.
    pub fn open_named(&self, schema: &str, name: &str) -> SqlResult<Option<Arc<Table>>> {
        match self.temp.find(schema, name) {
            Some(t) => Ok(Some(t.clone())),
            None => self.engine.dict().open_table(&self.engine, schema, name).map_err(SqlError::from),
        }
    }

    /// The insert id that an UPDATE's client is told, or an INSERT's that generated none: the argument of `LAST_INSERT_ID(expr)` (manual, "Information
    /// Functions"), else 0.
    pub fn given_insert_id(&self) -> u64 {
        if self.insert_ids.given { self.insert_ids.next } else { 0 }
    }

    /// Sets up the per-statement parts of the context.
    pub fn begin_statement(&mut self) {
        self.clock.now_us = self.clock.fixed_us.unwrap_or_else(wall_clock_us);
        self.conv.now_us = self.clock.now_us;
        self.begin_nested_statement();
    }

    /// The same for a statement of a program, for which it is as late as for the statement that called that.
    pub fn begin_nested_statement(&mut self) {
        self.insert_ids.at_start = self.insert_ids.next;
        self.insert_ids.given = false;
        let mode = self.vars.sql_mode();
        self.conv.sql_mode = mode;
        self.conv.strict = false;
        self.conv.warnings.clear();
        self.conv.warning_count = 0;
        self.conv.row = 1;
        self.rand.states.clear();
        self.further_errors.clear();
        self.conv.max_warnings = self.vars.num(Var::max_error_count) as usize;
    }

    /// NOW(6) in the session's time zone.
    pub fn now(&self) -> DateTime {
        self.conv
            .time_zone
            .from_unix(self.clock.now_us.div_euclid(1_000_000), self.clock.now_us.rem_euclid(1_000_000) as u32)
    }

    /// `SELECT @@x`: state of the session for computed variables, otherwise the session's or the global value.
    pub fn system_variable(&self, global: bool, v: Var) -> VarValue {
        if global {
            return self.globals.get(v);
        }
        match v {
            Var::last_insert_id | Var::identity => VarValue::UInt(self.insert_ids.at_start),
            Var::insert_id => VarValue::UInt(self.insert_ids.wanted),
            Var::warning_count => VarValue::UInt(self.counts.conditions.0),
            Var::error_count => VarValue::UInt(self.counts.conditions.1),
            Var::timestamp => VarValue::Double(self.clock.now_us as f64 / 1e6),
            Var::rand_seed1 | Var::rand_seed2 => VarValue::UInt(0),
            Var::pseudo_thread_id => VarValue::UInt(self.connection.id()),
            v => self.vars.get(v, &self.globals),
        }
    }

    /// A collation-valued global variable.
    pub fn globals_collation(&self, v: Var) -> value::CollationId {
        value::CollationId(self.globals.num(v) as u16)
    }

    /// The session's time zone.
    pub fn time_zone(&self) -> &TimeZone {
        &self.conv.time_zone
    }
}

/// The plan was made for another definition of one of its tables: plan again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stale;

/// Microseconds since 1970.
pub fn wall_clock_us() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_micros() as i64)
}
