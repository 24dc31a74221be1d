//! Data definition: CREATE, ALTER, DROP, TRUNCATE, RENAME of tables, indexes, databases and views.
//!
//! What it is: [`execute`] takes a parsed statement, builds definitions ([`types`], [`columns`], [`keys`], [`define`]), takes
//! exclusive metadata locks through [`DdlLocks`] and runs one atomic [`storage::dict::Ddl`].
//!
//! Rules of access: the session has committed the open transaction before (implicit commit) and holds no row locks. Locks
//! are taken in the order schema (intention) before table, tables sorted by name, so that two DDL statements cannot
//! deadlock on each other; against DML the deadlock detector of `mdl` decides. They are released by the session at the
//! end of the statement.
//!
//! Crash in the middle: the state before or the state after (see `storage::dict`).
//!
//! Tested: unit tests for definitions here, golden `ddl`, `alter_*`, `constraints` and others, `tests/crash`.

mod algorithm;
pub mod alter;
mod alter_values;
mod charset;
mod column_spelling;
pub mod columns;
pub mod copy;
pub mod create;
pub mod define;
pub mod drop;
pub mod foreign;
mod foreign_relatives;
pub mod fulltext;
mod functional;
mod generated_key;
pub mod histogram;
mod instant;
pub mod keys;
pub mod online;
pub mod parser_errors;
mod rename;
pub mod row_format;
pub mod select;
mod size_limits;
pub mod table_expr_rules;
mod tablespace;
mod temporary;
mod transport;
mod transport_match;
pub mod types;

use crate::gate::ClearedDdl;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{Statement, TableName};
use probe::Stage;
use std::sync::Arc;
use storage::StorageError;
use storage::dict::{Ddl, Dict, Relation, SchemaDef, TableDef, TempTables};
use storage::engine::Engine;
use value::{CollationId, DateTime, SqlMode, TimeZone, Warning};

/// Names of schemas that no statement may create, drop or change tables in.
pub const VIRTUAL_SCHEMAS: [&str; 2] = ["information_schema", "performance_schema"];

/// Exclusive metadata locks, taken by the session's lock context.
pub trait DdlLocks {
    /// Intention-exclusive on a schema: something in it is created or dropped.
    fn schema_intention(&mut self, schema: &str) -> SqlResult<()>;
    /// Exclusive on a schema (CREATE, ALTER, DROP DATABASE).
    fn schema_exclusive(&mut self, schema: &str) -> SqlResult<()>;
    /// Exclusive on a table or view.
    fn table_exclusive(&mut self, schema: &str, table: &str) -> SqlResult<()>;
    /// Keeps a table's definition what it is.
    fn table_kept(&mut self, schema: &str, table: &str) -> SqlResult<()>;
    /// Exclusive on a stored program.
    fn program_exclusive(&mut self, kind: storage::dict::ProgramKind, schema: &str, name: &str) -> SqlResult<()>;
    /// A lock on a table that only one statement at a time has, and that lets others use the table: before the exclusive one, so that a
    /// second ALTER TABLE does not keep others out while it waits for the first.
    fn table_upgradable(&mut self, schema: &str, table: &str) -> SqlResult<()>;
    /// The exclusive lock becomes a weaker one for a time. `false`: it stays.
    fn table_shared(&mut self, schema: &str, table: &str, sharing: online::Sharing) -> bool;
    /// It becomes exclusive again. 1205.
    fn table_unshared(&mut self, schema: &str, table: &str) -> SqlResult<()>;
    /// The binary log gets the text that makes this table, whatever the settings of whoever reads it are.
    fn log_created(&mut self, s: &parser::ast::CreateTable<'_>, def: &TableDef);
    /// The session's state, for evaluating expressions.
    fn env(&mut self) -> &mut crate::rows::env::Env;
}

/// What a DDL statement needs from its session.
pub struct DdlContext<'s> {
    /// The engine.
    pub engine: &'s Arc<Engine>,
    /// Connection id.
    pub session_id: u64,
    /// The statement's text.
    pub sql: &'s [u8],
    /// Default schema.
    pub current_schema: Option<&'s str>,
    /// sql_mode.
    pub sql_mode: SqlMode,
    /// `collation_server`: for databases created without one.
    pub server_collation: CollationId,
    /// `default_collation_for_utf8mb4`: of CHARACTER SET utf8mb4 without a collation.
    pub utf8mb4_collation: CollationId,
    /// `collation_connection`: of string literals.
    pub connection_collation: CollationId,
    /// The character set that the statement's text is in.
    pub client: value::Charset,
    /// `character_set_client`, whatever its text became when it arrived.
    pub sent_by: value::Charset,
    /// What the statement has for parameters are variables of the program that it stands in.
    pub in_program: bool,
    /// Session time zone.
    pub time_zone: TimeZone,
    /// Start of the statement in the session's time zone.
    pub now: DateTime,
    /// Start of the statement, seconds since 1970.
    pub now_unix: u64,
    /// `sql_require_primary_key`.
    pub require_primary_key: bool,
    /// `sql_generate_invisible_primary_key`.
    pub generate_primary_key: bool,
    /// `foreign_key_checks`.
    pub foreign_key_checks: bool,
    /// `restrict_fk_on_non_standard_key`.
    pub restrict_fk: bool,
    /// Account that becomes the definer of views, `user@host`.
    pub definer: &'s str,
    /// Metadata locks.
    pub locks: &'s mut dyn DdlLocks,
    /// The session's temporary tables.
    pub temp: &'s mut TempTables,
    /// Notes and warnings of the statement.
    pub warnings: &'s mut Vec<Warning>,
    /// KILL arrived?
    pub interrupted: &'s dyn Fn() -> bool,
}

impl DdlContext<'_> {
    /// How many warnings the statement has given so far, with those of the expressions that were computed in the session's environment.
    fn warnings_given(&mut self) -> u64 {
        self.warnings.len() as u64 + self.locks.env().conv.warning_count
    }
}

/// Outcome of a DDL statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DdlResult {
    /// Affected rows: rows copied by ALTER TABLE, tables dropped by DROP DATABASE.
    pub affected: u64,
    /// Info string of the OK packet.
    pub info: String,
    /// The default schema was dropped.
    pub dropped_current_schema: bool,
}

/// 3552 for the schema of the grant tables and that of the built-in views, which no statement makes, changes or drops.
fn system_schema(name: &str) -> SqlResult<()> {
    if matches!(name, "mysql" | "sys") {
        return Err(SqlError::new(ErrorCode::NO_SYSTEM_SCHEMA_ACCESS, &[&name]));
    }
    Ok(())
}

/// 3554 for a view that the server brings along: no statement replaces, renames or drops it.
///
/// # Errors
/// That one.
pub fn changeable(r: &Relation) -> SqlResult<()> {
    match r {
        Relation::View(v) if v.is_builtin() => {
            Err(SqlError::new(ErrorCode::NO_SYSTEM_TABLE_ACCESS, &[&"system view", &v.schema, &v.name]))
        }
        _ => Ok(()),
    }
}

/// Runs a DDL statement. Statements of other kinds answer 1235 (a caller's mistake).
pub fn execute(ctx: &mut DdlContext<'_>, cleared: ClearedDdl<'_, '_>) -> SqlResult<DdlResult> {
    match cleared.statement() {
        Statement::CreateTable(_) => probe::stage::set(Stage::CreatingTable),
        Statement::CreateIndex(_) | Statement::DropIndex(_) | Statement::AlterTable(_) => {
            probe::stage::set(Stage::AlteringTable);
        }
        _ => {}
    }
    match cleared.statement() {
        Statement::CreateDatabase(s) => create::database(ctx, s),
        Statement::AlterDatabase(s) => alter::database(ctx, s),
        Statement::DropDatabase { if_exists, name } => drop::database(ctx, *if_exists, name),
        Statement::CreateTable(s) => create::table(ctx, s),
        Statement::CreateIndex(s) => alter::create_index(ctx, s),
        Statement::DropIndex(s) => alter::drop_index(ctx, s),
        Statement::AlterTable(s) => alter::table(ctx, s),
        Statement::DropTable(s) => drop::tables(ctx, s),
        Statement::TruncateTable(t) => drop::truncate(ctx, t),
        Statement::RenameTable(pairs) => rename::rename(ctx, pairs),
        Statement::DropView(s) => drop::views(ctx, s),
        _ => Err(SqlError::unsupported("this statement as DDL")),
    }
}

impl DdlContext<'_> {
    fn dict(&self) -> &Dict {
        self.engine.dict()
    }

    /// What the client wrote between quotes, in UTF-8.
    fn text(&self, b: &[u8]) -> String {
        let converted = planner::from_client(b, self.client, value::Charset::Utf8mb4);
        String::from_utf8_lossy(converted.as_deref().unwrap_or(b)).into_owned()
    }

    /// Schema and name of a table as written. 1046, 1049, and 1044 for the virtual schemas.
    fn qualify(&self, t: &TableName<'_>) -> SqlResult<(String, String)> {
        let schema = match t.schema.or(self.current_schema) {
            Some(s) => s,
            None => return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[])),
        };
        self.check_writable_schema(schema)?;
        columns::check_name(t.name, ErrorCode::WRONG_TABLE_NAME)?;
        Ok((schema.to_owned(), t.name.to_owned()))
    }

    /// The text under which an expression of a table is kept: MySQL's canonical one, which means the same in every session.
    fn stored_text(&self, e: &parser::ast::Expr<'_>) -> String {
        parser::print::stored(e, self.connection_collation.charset().name(), planner::sent_by(self.sent_by))
    }

    fn check_writable_schema(&self, schema: &str) -> SqlResult<()> {
        if VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(schema)) {
            let (user, host) = self.definer.split_once('@').unwrap_or((self.definer, ""));
            return Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&user, &host, &schema]));
        }
        Ok(())
    }

    /// Commits; the statement's event for the binary log goes with it, and a replica's position.
    fn commit(&mut self, mut ddl: Ddl) -> SqlResult<()> {
        self.locks.env().attach_statement(&mut ddl)?;
        ddl.commit().map_err(storage_error)
    }

    fn schema(&self, name: &str) -> SqlResult<Arc<SchemaDef>> {
        if let Some(s) = self.dict().schema(name) {
            return Ok(s);
        }
        base::names::short(name)?;
        Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&name]))
    }

    /// The definition of the session's temporary table or of the base table; 1146 if there is none, 1347 for a view. A base table's
    /// metadata lock is taken.
    fn locked_table(&mut self, schema: &str, name: &str) -> SqlResult<Arc<TableDef>> {
        if self.temp.find(schema, name).is_none() {
            self.locks.schema_intention(schema)?;
            self.locks.table_exclusive(schema, name)?;
        }
        self.base_table(schema, name)
    }

    /// The same for ALTER TABLE, which may let others use the table later.
    fn alterable_table(&mut self, schema: &str, name: &str) -> SqlResult<Arc<TableDef>> {
        if self.temp.find(schema, name).is_none() {
            self.locks.schema_intention(schema)?;
            self.locks.table_upgradable(schema, name)?;
        }
        self.base_table(schema, name)
    }

    /// The same without the lock.
    fn base_table(&self, schema: &str, name: &str) -> SqlResult<Arc<TableDef>> {
        if let Some(t) = self.temp.find(schema, name) {
            return Ok(t.def.clone());
        }
        match self.dict().relation(schema, name) {
            Some(Relation::Table(t)) => Ok(t),
            Some(Relation::View(_)) => Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[&schema, &name, &"BASE TABLE"])),
            None if self.dict().schema(schema).is_none() => {
                base::names::short(schema)?;
                Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]))
            }
            None => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
        }
    }

    fn note(&mut self, code: ErrorCode, args: &[&dyn std::fmt::Display]) {
        let e = SqlError::new(code, args);
        let message = e.message().to_owned();
        self.warnings.push(Warning { level: value::Level::Note, code: e.code(), message });
    }

    fn warn(&mut self, code: ErrorCode, args: &[&dyn std::fmt::Display]) {
        self.warned(SqlError::new(code, args));
    }

    fn warned(&mut self, e: SqlError) {
        let message = e.message().to_owned();
        self.warnings.push(Warning { level: value::Level::Warning, code: e.code(), message });
    }
}

/// The storage crate's error as the client's, for statements whose error names no table.
fn storage_error(e: StorageError) -> SqlError {
    SqlError::from(e)
}
