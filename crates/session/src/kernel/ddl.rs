//! What a DDL statement runs under: its metadata locks ([`executor::ddl::DdlLocks`]) and the context that it is given.
//!
//! The session's environment and its temporary tables are lent to it for its length.

use crate::kernel::global_intention::enter_definition;
use crate::kernel::logged_texts;
use crate::kernel::session::Session;
use base::SqlResult;
use catalog::sysvar::Var;
use executor::ddl::online::Sharing;
use executor::ddl::{DdlContext, DdlLocks};
use mdl::{Duration, MdlKey, MdlType, Namespace, Ticket};
use parser::ast::CreateTable;
use sched::Deadline;
use std::time::Duration as Time;
use storage::dict::programs::folded;
use storage::dict::{ProgramKind, TableDef};

/// Exclusive locks for DDL, held to the end of the statement (released with the transaction).
pub(crate) struct DdlLockContext<'m> {
    pub(crate) env: &'m mut executor::Env,
    pub(crate) deadline: Deadline,
    /// Tables with their exclusive locks, which ALTER TABLE lowers for a time.
    pub(crate) exclusive: Vec<(MdlKey, Ticket)>,
}

/// The metadata lock of a program.
pub(crate) fn program_key(kind: ProgramKind, schema: &str, name: &str) -> MdlKey {
    let namespace = match kind {
        ProgramKind::Procedure => Namespace::Procedure,
        ProgramKind::Function => Namespace::Function,
        ProgramKind::Trigger => Namespace::Trigger,
        ProgramKind::Event => Namespace::Event,
    };
    MdlKey::new(namespace, schema, &folded(name))
}

impl DdlLocks for DdlLockContext<'_> {
    fn schema_intention(&mut self, schema: &str) -> SqlResult<()> {
        enter_definition(&mut self.env.mdl, Duration::Statement, self.deadline)?;
        self.env.mdl.acquire(&MdlKey::schema(schema), MdlType::Ix, Duration::Transaction, self.deadline)?;
        Ok(())
    }
    fn schema_exclusive(&mut self, schema: &str) -> SqlResult<()> {
        enter_definition(&mut self.env.mdl, Duration::Statement, self.deadline)?;
        self.env.mdl.acquire(&MdlKey::schema(schema), MdlType::X, Duration::Transaction, self.deadline)?;
        Ok(())
    }
    fn table_exclusive(&mut self, schema: &str, table: &str) -> SqlResult<()> {
        let key = MdlKey::table(schema, table);
        if self.exclusive.iter().any(|(k, _)| *k == key) {
            return Ok(());
        }
        let ticket = self.env.mdl.acquire(&key, MdlType::X, Duration::Transaction, self.deadline)?;
        self.exclusive.push((key, ticket));
        Ok(())
    }
    fn table_kept(&mut self, schema: &str, table: &str) -> SqlResult<()> {
        let key = MdlKey::table(schema, table);
        self.env.mdl.acquire(&key, MdlType::S, Duration::Transaction, self.deadline)?;
        Ok(())
    }
    fn program_exclusive(&mut self, kind: ProgramKind, schema: &str, name: &str) -> SqlResult<()> {
        let key = program_key(kind, schema, name);
        self.env.mdl.acquire(&key, MdlType::X, Duration::Transaction, self.deadline)?;
        // it goes with its schema, and what is granted on it stays, as in MySQL: it is no proof of that any more
        match kind {
            ProgramKind::Procedure => self.env.shared.accounts.settle_routine(schema, &folded(name), false),
            ProgramKind::Function => self.env.shared.accounts.settle_routine(schema, &folded(name), true),
            ProgramKind::Trigger | ProgramKind::Event => Ok(()),
        }
    }
    fn table_upgradable(&mut self, schema: &str, table: &str) -> SqlResult<()> {
        let su = MdlKey::table(schema, table);
        self.env.mdl.acquire(&su, MdlType::Su, Duration::Transaction, self.deadline)?;
        self.table_exclusive(schema, table)
    }
    fn table_shared(&mut self, schema: &str, table: &str, sharing: Sharing) -> bool {
        let to = match sharing {
            Sharing::Exclusive => return false,
            Sharing::Readers => MdlType::Snw,
            Sharing::Writers => MdlType::Su,
        };
        match self.exclusive.iter().find(|(k, _)| (k.db(), k.object()) == (schema, table)) {
            Some((_, ticket)) => {
                self.env.mdl.downgrade(*ticket, to);
                true
            }
            None => false,
        }
    }
    fn table_unshared(&mut self, schema: &str, table: &str) -> SqlResult<()> {
        match self.exclusive.iter().find(|(k, _)| (k.db(), k.object()) == (schema, table)) {
            Some((key, ticket)) => {
                // the wait begins now, however long the statement has worked already
                let seconds = self.env.vars.num(Var::lock_wait_timeout);
                let deadline = Deadline::after(Time::from_secs(seconds));
                Ok(self.env.mdl.upgrade(key, *ticket, MdlType::X, deadline)?)
            }
            None => self.table_exclusive(schema, table),
        }
    }
    fn log_created(&mut self, s: &CreateTable<'_>, def: &TableDef) {
        logged_texts::log_created(self.env, s, def);
    }
    fn env(&mut self) -> &mut executor::Env {
        self.env
    }
}

impl Session {
    /// When DDL gives up waiting for metadata locks.
    pub(crate) fn ddl_deadline(&self) -> Deadline {
        self.deadline()
    }

    /// Runs `f` with what DDL needs of the session; also its notes and warnings, behind those that there were (ALTER
    /// TABLE counts them).
    pub(crate) fn with_ddl<T>(
        &mut self,
        sql: &[u8],
        f: impl FnOnce(&mut DdlContext<'_>) -> SqlResult<T>,
    ) -> (SqlResult<T>, Vec<value::Warning>) {
        ddl_of(&mut self.env, sql, f)
    }
}

/// The same for who has the environment alone.
pub(crate) fn ddl_of<T>(
    env: &mut executor::Env,
    sql: &[u8],
    f: impl FnOnce(&mut DdlContext<'_>) -> SqlResult<T>,
) -> (SqlResult<T>, Vec<value::Warning>) {
    let schema = env.schema.clone();
    let definer = format!("{}@{}", env.security.account.user, env.security.account.host);
    let (connection, now) = (env.client.connection.clone(), env.now());
    let deadline = Deadline::after(Time::from_secs(env.vars.num(Var::lock_wait_timeout)));
    let mut warnings = std::mem::take(&mut env.conv.warnings);
    env.conv.warning_count = env.conv.warning_count.saturating_sub(warnings.len() as u64);
    let server_collation = env.vars.collation(Var::collation_server);
    let engine = env.shared.engine.clone();
    // beside the environment for the length of the statement
    let mut temp = std::mem::take(&mut env.temp);
    let mut locks = DdlLockContext { env, deadline, exclusive: Vec::new() };
    let result = {
        let env = &locks.env;
        let mut ctx = DdlContext {
            engine: &engine,
            session_id: connection.id(),
            sql,
            current_schema: schema.as_deref(),
            sql_mode: env.vars.sql_mode(),
            server_collation,
            utf8mb4_collation: env.vars.collation(Var::default_collation_for_utf8mb4),
            connection_collation: definition_collation(env),
            client: crate::text::text_collation(env).charset(),
            sent_by: env.vars.collation(Var::character_set_client).charset(),
            in_program: !env.statement.slots.is_empty() && !env.statement.executed_by_name,
            time_zone: env.conv.time_zone.clone(),
            now,
            now_unix: env.clock.now_us.max(0) as u64 / 1_000_000,
            require_primary_key: env.vars.bool(Var::sql_require_primary_key),
            generate_primary_key: env.vars.bool(Var::sql_generate_invisible_primary_key),
            foreign_key_checks: env.vars.bool(Var::foreign_key_checks),
            restrict_fk: env.vars.bool(Var::restrict_fk_on_non_standard_key),
            definer: &definer,
            locks: &mut locks,
            temp: &mut temp,
            warnings: &mut warnings,
            interrupted: &|| connection.check_killed().is_err(),
        };
        f(&mut ctx)
    };
    locks.env.temp = temp;
    (result, warnings)
}

/// Collation of the literals of a definition: the connection's, or utf8mb4's where texts are not in the connection's
/// character set.
fn definition_collation(env: &executor::Env) -> value::CollationId {
    let c = env.vars.collation(Var::collation_connection);
    let client = env.vars.collation(Var::character_set_client).charset();
    if client.hides_ascii() || c.charset().is_wide() { value::CollationId::UTF8MB4_0900_AI_CI } else { c }
}
