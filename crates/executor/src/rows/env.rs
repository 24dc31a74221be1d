//! [`Env`]: everything of a session that executing statements reads or changes.
//!
//! Owned by the session, passed `&mut` to the executor; one thread at a time. What it shares with other sessions is in
//! [`Shared`], and [`Client::connection`]: their own modules say how they are locked.

use super::programs::{NestedStatements, RunningProgram};
use super::user_vars::UserVars;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Accounts};
use catalog::connections::{Connection, Connections};
use catalog::sysvar::{GlobalVars, SessionVars, Var, VarValue};
use hashbrown::HashMap;
use mdl::MdlSession;
use std::sync::Arc;
use std::time::Instant;
use storage::dict::{TableDef, TempTables};
use storage::engine::Engine;
use storage::table::Table;
use storage::txn::Trx;
use value::{ConvCtx, DateTime, OwnedValue, TimeZone};

/// Hints, and the columns that are read.
pub type Asked<'a> = (&'a [(u16, OwnedValue)], &'a [u16]);

/// Reads virtual tables (information_schema, performance_schema, the tables of accounts): who knows their rows stands
/// above this crate, and is given to each session when it is opened.
pub trait VirtualTables: Send + Sync {
    /// All rows of a table as the session may see them, or at least those that satisfy the hints (column = value). The
    /// values of columns that are not read are of no meaning: what is costly to find out need not be looked for.
    ///
    /// # Errors
    /// 1142 for a table that the account may not read; 1317 and its like when the statement is told to stop.
    fn rows(&self, table: &Arc<TableDef>, asked: Asked<'_>, env: &Env) -> SqlResult<Vec<Vec<OwnedValue>>>;
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
    /// The first AUTO_INCREMENT value that the running statement has taken, maybe in a trigger; 0: none. The binary log
    /// names it where the statement is logged as text.
    pub taken: u64,
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

/// What all sessions of the server share. Each says itself how it is locked.
#[derive(Clone)]
pub struct Shared {
    /// The engine.
    pub engine: Arc<Engine>,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// All connections.
    pub connections: Arc<Connections>,
    /// All accounts.
    pub accounts: Arc<Accounts>,
}

/// As whom the session acts: what the gate asks. While a program with SQL SECURITY DEFINER runs, the account and the
/// roles are its definer's.
#[derive(Clone, Debug)]
pub struct SecurityContext {
    /// The account (CURRENT_USER()), with the privileges of the active roles.
    pub account: Arc<Account>,
    /// Active roles, sorted (CURRENT_ROLE()).
    pub active_roles: Vec<(String, String)>,
    /// User as the client called itself, and the host it comes from (USER()). The client's, whoever the account is.
    pub user: (String, String),
    /// A program runs with its definer's rights.
    pub as_definer: bool,
}

impl SecurityContext {
    /// User and host that a refusal names: the client's, or the definer's account where a program runs with its rights
    /// (what is refused there is refused to the definer: `SELECT command denied to user 'dev'@'%'`).
    pub fn refused(&self) -> (&str, &str) {
        match self.as_definer {
            true => (&self.account.user, &self.account.host),
            false => (&self.user.0, &self.user.1),
        }
    }
}

/// The client behind the session, as far as it matters to what statements do.
pub struct Client {
    /// Its connection: KILL arrives here, and others see here what it does.
    pub connection: Arc<Connection>,
    /// Affected rows count matched rows (CLIENT_FOUND_ROWS).
    pub found_rows: bool,
}

/// What holds for the running statement alone. The session sets and clears it; the errors are emptied where a statement
/// begins.
#[derive(Default, Debug)]
pub struct StatementState {
    /// What SHOW WARNINGS lists behind the error that the statement failed with.
    pub further: Vec<(value::Level, SqlError)>,
    /// What SIGNAL gave the error that a function or trigger has ended with.
    signalled: Option<Box<(SqlError, SignalItems)>>,
    /// It is one that EXECUTE names, not one of the binary protocol.
    pub executed_by_name: bool,
    /// information_schema shows the session's temporary tables (SHOW COLUMNS, SHOW INDEX).
    pub shows_temporary: bool,
    /// It may name hidden columns (CHECKSUM TABLE).
    pub names_hidden: bool,
    /// Types of the variables of the program whose statement without a plan it is; their values are its parameters.
    pub slots: Vec<value::SqlType>,
    /// A program has set system variables: who keeps copies of them has to look again.
    pub settings_changed: bool,
    /// The error on its way is a function's, which IGNORE does not make a warning.
    pub failed_in_function: bool,
    /// What makes its warnings errors, where it stands in another one.
    pub strictness: super::strictness::Strictness,
    /// Tables that its expressions read, where these are planned one by one but are one statement (the arguments of a
    /// CALL, the items of a SET): functions among them must not change these (1442).
    pub beside: Vec<base::TableId>,
}

/// Items of a condition that SIGNAL gives beside its number and text.
pub type SignalItems = Vec<(parser::ast::ConditionItem, String)>;

impl StatementState {
    /// An error that a function or trigger ends with has these items of a SIGNAL, or none.
    pub fn keep_items(&mut self, e: &SqlError, items: Option<SignalItems>) {
        self.signalled = items.map(|items| Box::new((e.clone(), items)));
    }

    /// The items of an error, if it is the one that they were kept for.
    pub fn take_items(&mut self, e: &SqlError) -> Option<SignalItems> {
        self.signalled.take().filter(|s| s.0 == *e).map(|s| s.1)
    }
}

/// How far a replica has applied its source's log.
pub trait SourceWait: Send + Sync {
    /// Waits until it has applied what stands before a place there, not longer than to `deadline`: the times that the
    /// position moved meanwhile, -1 where the time is over. `None`: nothing is applied, or it is no place, or there is
    /// no such channel.
    ///
    /// # Errors
    /// 3079: no channel is named, and there are several.
    fn wait(
        &self,
        channel: Option<&str>,
        at: (&str, i64),
        deadline: Option<std::time::Instant>,
        stop: &dyn Fn() -> bool,
    ) -> base::SqlResult<Option<i64>>;
}

/// The ways to what stands above this crate.
pub struct Kernel {
    /// The replica's applier.
    pub replica: Option<Arc<dyn SourceWait>>,
    /// Reads virtual tables for this session.
    pub virtual_tables: Arc<dyn VirtualTables>,
    /// Runs statements of programs.
    pub nested: Arc<dyn NestedStatements>,
    /// Programs that run now, the outermost first.
    pub programs: Vec<RunningProgram>,
    /// Rows of a binary log are being applied: triggers have done their work where they come from.
    pub applies_rows: bool,
    /// A channel with REQUIRE_ROW_FORMAT: as `require_row_format`, whatever that is set to.
    pub rows_only: bool,
    /// What performance_schema is told of their steps.
    pub steps: probe::steps::Steps,
}

/// See [`Env::thread_id`].
pub(super) fn thread_id(vars: &SessionVars, client: &Client) -> u64 {
    match vars.num(Var::pseudo_thread_id) {
        0 => client.connection.id(),
        said => said,
    }
}

/// A session's state as the executor sees it, in parts.
pub struct Env {
    /// What all sessions share.
    pub shared: Shared,
    /// The session's transactions.
    pub trx: Trx,
    /// The session's metadata locks.
    pub mdl: MdlSession,
    /// The session's temporary tables.
    pub temp: TempTables,
    /// The client.
    pub client: Client,
    /// As whom the session acts.
    pub security: SecurityContext,
    /// Session variables.
    pub vars: SessionVars,
    /// User variables by lower-case name.
    pub user_vars: UserVars,
    /// Default schema.
    pub schema: Option<Arc<str>>,
    /// Conversion context of the running statement: modes, time zone, warnings.
    pub conv: ConvCtx,
    /// What holds for the running statement alone.
    pub statement: StatementState,
    /// The running statement's time.
    pub clock: Clock,
    /// AUTO_INCREMENT values that statements tell each other.
    pub insert_ids: InsertIds,
    /// The tables it has used last.
    pub handles: super::handles::Handles,
    /// What functions tell of the statement before.
    pub counts: Counts,
    /// RAND()'s sequences.
    pub rand: Rand,
    /// Traces of its last statements.
    pub traces: super::traces::Traces,
    /// The ways to what stands above this crate.
    pub kernel: Kernel,
    /// Its part of the binary log.
    pub binlog: super::binlog::Binlog,
}

impl std::fmt::Debug for Env {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Env({})", self.client.connection.id())
    }
}

impl Env {
    /// 1317 or 1053 if the statement has been killed. Cheap enough for every row.
    #[inline]
    pub fn check_killed(&self) -> SqlResult<()> {
        self.client.connection.check_killed()
    }

    /// The step of a program that runs is worth a clock.
    #[inline]
    pub fn slow_step(&mut self) {
        self.kernel.steps.slow(&self.client.connection.activity.recorder);
    }

    /// The opened table of a definition a plan was made for; 1146 if it is gone, [`Stale`] if it has changed since.
    pub fn open_table(&self, def: &TableDef) -> SqlResult<Result<Arc<Table>, Stale>> {
        let opened = match self.temp.by_id(def.id) {
            Some(t) => Some(t.clone()),
            None if def.is_temporary() => return Ok(Err(Stale)),
            None => self
                .shared
                .engine
                .dict()
                .open_table(&self.shared.engine, &def.schema, &def.name)
                .map_err(SqlError::from)?,
        };
        match opened {
            None => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&def.schema, &def.name])),
            Some(t) if t.def.version != def.version || t.def.id != def.id => Ok(Err(Stale)),
            Some(t) => Ok(Ok(t)),
        }
    }

    /// The insert id that an UPDATE's client is told, or an INSERT's that generated none: the argument of
    /// `LAST_INSERT_ID(expr)` (manual, "Information Functions"), else 0.
    pub fn given_insert_id(&self) -> u64 {
        if self.insert_ids.given { self.insert_ids.next } else { 0 }
    }

    /// Sets up the per-statement parts of the context.
    pub fn begin_statement(&mut self) {
        self.clock.now_us = self.clock.fixed_us.unwrap_or_else(wall_clock_us);
        self.conv.now_us = self.clock.now_us;
        self.binlog.begin_statement();
        self.insert_ids.taken = 0;
        self.begin_nested_statement();
    }

    /// The same for a statement of a program, for which it is as late as for the statement that called that.
    pub fn begin_nested_statement(&mut self) {
        self.insert_ids.at_start = self.insert_ids.next;
        self.insert_ids.given = false;
        let mode = self.vars.sql_mode();
        self.conv.sql_mode = mode;
        self.conv.strict = self.is_strict_around();
        self.conv.warnings.clear();
        self.conv.warning_count = 0;
        self.conv.row = 1;
        self.rand.states.clear();
        self.statement.further.clear();
        self.statement.signalled = None;
        self.statement.failed_in_function = false;
        self.conv.max_warnings = self.vars.num(Var::max_error_count) as usize;
    }

    /// An expression of a program begins that is no statement: it warns, and whoever waits for its value makes errors
    /// of that, whatever a statement before it was.
    pub fn begin_expression(&mut self) {
        self.conv.strict = false;
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
            return self.shared.globals.get(v);
        }
        match v {
            Var::last_insert_id | Var::identity => VarValue::UInt(self.insert_ids.at_start),
            Var::insert_id => VarValue::UInt(self.insert_ids.wanted),
            Var::warning_count => VarValue::UInt(self.counts.conditions.0),
            Var::error_count => VarValue::UInt(self.counts.conditions.1),
            Var::timestamp => VarValue::Double(self.clock.now_us as f64 / 1e6),
            Var::rand_seed1 | Var::rand_seed2 => VarValue::UInt(0),
            Var::gtid_owned => {
                VarValue::Str(self.binlog.owned_gtid().map(|g| g.to_string()).unwrap_or_default().into())
            }
            Var::pseudo_thread_id => VarValue::UInt(self.thread_id()),
            v => self.vars.get(v, &self.shared.globals),
        }
    }

    /// CONNECTION_ID(): the connection's number, or what `pseudo_thread_id` says, by which `mysqlbinlog` and an applier
    /// name the session whose statement they run.
    pub fn thread_id(&self) -> u64 {
        thread_id(&self.vars, &self.client)
    }

    /// Names mean the temporary tables of that session of that source: as in MySQL, each has its own.
    pub fn own_temporary_tables(&mut self) {
        let source = u64::from(self.binlog.origin().unwrap_or(0));
        self.temp.show_those_of((source, self.thread_id()));
    }

    /// A collation-valued global variable.
    pub fn globals_collation(&self, v: Var) -> value::CollationId {
        value::CollationId(self.shared.globals.num(v) as u16)
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
