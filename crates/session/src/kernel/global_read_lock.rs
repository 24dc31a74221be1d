//! FLUSH TABLES WITH READ LOCK, FLUSH TABLES t WITH READ LOCK, and DDL under LOCK TABLES.
//!
//! The global read lock is two metadata locks: S on GLOBAL, which statements that change tables take as IX for their length, and S on
//! COMMIT, which an explicit transaction that has written takes as IX for its commit. Both are taken in that order and released by UNLOCK
//! TABLES or the end of the connection. The holder's own changes answer 1223.
//!
//! Tested: `tests/sql/golden/locks.sql`.

use crate::kernel::ddl::program_key;
use crate::kernel::global_intention::enter_definition;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{
    AlterAction, Grant, GrantWhat, LockTable, ObjectKind, PrivLevel, Revoke, Statement, TableLockMode, TableName,
};
use storage::dict::ProgramKind;

impl Session {
    /// FLUSH TABLES WITH READ LOCK.
    pub(crate) fn lock_globally(&mut self) -> SqlResult<()> {
        if !self.tables.locked.is_empty() {
            return Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[]));
        }
        self.commit_transaction()?;
        if self.tables.global_read_lock {
            return Ok(());
        }
        let deadline = self.ddl_deadline();
        self.env.mdl.acquire(MdlKey::global(), MdlType::S, Duration::Explicit, deadline)?;
        if let Err(e) = self.env.mdl.acquire(MdlKey::commit(), MdlType::S, Duration::Explicit, deadline) {
            self.env.mdl.release_explicit(|ns| matches!(ns, mdl::Namespace::Global));
            return Err(e.into());
        }
        self.tables.global_read_lock = true;
        Ok(())
    }

    /// FLUSH TABLES a, b WITH READ LOCK: as LOCK TABLES a READ, b READ, which one session can do at a time. 1814 for a
    /// table whose tablespace is discarded. Once done it is executed under the GTID that was given.
    pub(crate) fn flush_and_lock(&mut self, tables: &[TableName<'_>]) -> SqlResult<()> {
        if !self.tables.locked.is_empty() {
            return Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[]));
        }
        for t in tables {
            let schema = self.schema_of(t);
            self.require_on_schema(Privs::LOCK_TABLES, &schema)?;
            self.require_on_table(Privs::SELECT, &schema, t.name)?;
            // it is for files, which views have none of
            if self.env.identity(&schema, t.name).is_some_and(|i| i.is_view) {
                return Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[&schema, &t.name, &"BASE TABLE"]));
            }
        }
        let list: Vec<LockTable<'_>> =
            tables.iter().map(|t| LockTable { table: *t, alias: None, mode: TableLockMode::Read }).collect();
        self.lock_tables(&list, true)?;
        let discarded = tables.iter().try_for_each(|t| self.has_tablespace(t));
        if discarded.is_err() {
            self.release_table_locks();
        }
        discarded.and_then(|()| self.end_gtid(Ok(())))
    }

    /// 1814 for a table whose tablespace is discarded.
    fn has_tablespace(&self, t: &TableName<'_>) -> SqlResult<()> {
        let schema = self.schema_of(t);
        match self.env.shared_relation(self.require_on_table(Privs::SELECT, &schema, t.name)?) {
            Some(storage::dict::Relation::Table(def)) if def.discarded => {
                Err(SqlError::new(ErrorCode::TABLESPACE_DISCARDED, &[&def.name]))
            }
            _ => Ok(()),
        }
    }

    /// 1223 for changes by the holder of the global read lock.
    pub(crate) fn check_global_read_lock(&self) -> SqlResult<()> {
        if self.tables.global_read_lock {
            return Err(SqlError::new(ErrorCode::CANT_UPDATE_WITH_READLOCK, &[]));
        }
        Ok(())
    }

    /// 1223 and 1100 for changes of accounts, which MySQL keeps in tables, under this session's own locks.
    pub(crate) fn check_locked_accounts(&self) -> SqlResult<()> {
        self.check_global_read_lock()?;
        if self.tables.locked.is_empty() { Ok(()) } else { Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&"user"])) }
    }

    /// Before accounts change; others' global read locks and backup locks are waited for, and others' statements on
    /// accounts until they are logged: so they stand in the log in the order in which they were done.
    pub(crate) fn lock_accounts(&mut self) -> SqlResult<()> {
        self.check_locked_accounts()?;
        let deadline = self.ddl_deadline();
        enter_definition(&mut self.env.mdl, Duration::Transaction, deadline)?;
        self.env.mdl.acquire(MdlKey::accounts(), MdlType::X, Duration::Statement, deadline)?;
        Ok(())
    }

    /// The table or routine that GRANT and REVOKE name stays what it is until they are logged. Before
    /// [`Session::lock_accounts`]: nobody else's statement waits for what this one waits for.
    pub(crate) fn lock_granted(&mut self, s: &Statement<'_>) -> SqlResult<()> {
        let (Statement::Grant(Grant { what, .. }) | Statement::Revoke(Revoke { what, .. })) = s else { return Ok(()) };
        let GrantWhat::Privileges { object, level: PrivLevel::Table(t), .. } = what else { return Ok(()) };
        let schema = self.schema_of(t);
        let key = match object {
            ObjectKind::Table => MdlKey::table(&schema, t.name),
            ObjectKind::Function => program_key(ProgramKind::Function, &schema, t.name),
            ObjectKind::Procedure => program_key(ProgramKind::Procedure, &schema, t.name),
        };
        let deadline = self.ddl_deadline();
        self.env.mdl.acquire(&key, MdlType::S, Duration::Statement, deadline)?;
        Ok(())
    }

    /// Waits for another's global read lock before the changes of an explicit transaction become visible.
    pub(crate) fn lock_commit(&mut self) -> SqlResult<()> {
        if self.tables.global_read_lock {
            return Ok(());
        }
        let deadline = self.ddl_deadline();
        self.env.mdl.acquire(MdlKey::commit(), MdlType::Ix, Duration::Transaction, deadline)?;
        Ok(())
    }

    /// Under LOCK TABLES a definition may only be changed of a table locked for writing: 1100, 1099; databases not at all: 1192.
    pub(crate) fn check_locked_ddl(&self, s: &Statement<'_>) -> SqlResult<()> {
        // what only changes the dictionary asks for the table, whatever name it is locked under
        let any_name = matches!(s, Statement::DropTable(_) | Statement::TruncateTable(_) | Statement::RenameTable(_));
        let check = |t: &TableName<'_>| {
            let schema = self.schema_of(t);
            if self.env.temp.find(&schema, t.name).is_some() {
                return Ok(());
            }
            let found = self.tables.locked.iter().filter(|l| l.is(&schema, t.name) && (any_name || l.called(t.name)));
            match found.map(|l| l.write).max() {
                Some(true) => Ok(()),
                Some(false) => Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED_FOR_WRITE, &[&t.name])),
                None => Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&t.name])),
            }
        };
        match s {
            Statement::CreateTable(c) => check(&c.table),
            Statement::AlterTable(a) => check(&a.table),
            Statement::DropTable(d) => d.tables.iter().try_for_each(check),
            Statement::TruncateTable(t) => check(t),
            Statement::RenameTable(pairs) => pairs.iter().try_for_each(|(from, _)| check(from)),
            Statement::CreateIndex(c) => check(&c.table),
            Statement::DropIndex(d) => check(&d.table),
            _ => Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[])),
        }
    }

    /// After DDL under LOCK TABLES: locks follow renamed tables, and those of dropped ones go.
    pub(crate) fn follow_locked_tables(&mut self, s: &Statement<'_>) -> SqlResult<()> {
        let mut renamed: Vec<((String, String), (String, String))> = Vec::new();
        let pair = |t: &TableName<'_>| (self.schema_of(t), t.name.to_owned());
        match s {
            Statement::RenameTable(pairs) => renamed.extend(pairs.iter().map(|(a, b)| (pair(a), pair(b)))),
            Statement::AlterTable(a) => {
                renamed.extend(a.actions.iter().filter_map(|x| match x {
                    AlterAction::RenameTable(to) => Some((pair(&a.table), pair(to))),
                    _ => None,
                }));
            }
            _ => {}
        }
        let deadline = self.ddl_deadline();
        for (from, to) in renamed {
            for l in self.tables.locked.iter_mut().filter(|l| l.is(&from.0, &from.1)) {
                self.env.mdl.acquire(&MdlKey::table(&to.0, &to.1), MdlType::Snrw, Duration::Tables, deadline)?;
                if l.called(&l.name) {
                    l.alias.clone_from(&to.1);
                }
                (l.schema, l.name) = to.clone();
            }
        }
        let env = &self.env;
        self.tables.locked.retain(|l| env.identity(&l.schema, &l.name).is_some());
        Ok(())
    }
}
