//! Status variables `Com_xxx`: which of them a statement counts in. A statement is counted once it has been parsed, whether it
//! succeeds or not (manual, "Server Status Variables"); a repeated statement whose plan is known is counted by its plan. Counts of the
//! binary protocol (`Com_stmt_xxx`) are made where its commands arrive (`session.rs`, `wire`). Tested: `tests/clients/test_status.py`.

use parser::ast::{
    self, AdminKind, DeleteTarget, EngineWhat, GrantWhat, HandlerAction, ProgramKind, ReplicaStatement, SetItem, Show,
    Statement, TableRef, Xa,
};
use planner::plan::{Body, InsertSource, OnDuplicate};
use probe::Counter;

/// The counter of a statement that has no plan; None for one that has, and for what is refused as unsupported.
pub(crate) fn of_statement(s: &Statement<'_>) -> Option<Counter> {
    use Counter::*;
    Some(match s {
        Statement::Query(_) => ComSelect,
        Statement::LoadData(_) => ComLoad,
        Statement::Do(_) => ComDo,
        Statement::Call(_) => ComCallProcedure,
        Statement::Handler(h) => match h.action {
            HandlerAction::Open { .. } => ComHaOpen,
            HandlerAction::Close => ComHaClose,
            HandlerAction::Read { .. } => ComHaRead,
        },
        Statement::CreateTable(_) => ComCreateTable,
        Statement::AlterTable(_) => ComAlterTable,
        Statement::DropTable(_) => ComDropTable,
        Statement::TruncateTable(_) => ComTruncate,
        Statement::RenameTable(_) => ComRenameTable,
        Statement::CreateIndex(_) => ComCreateIndex,
        Statement::DropIndex(_) => ComDropIndex,
        Statement::CreateDatabase(_) => ComCreateDb,
        Statement::AlterDatabase(_) => ComAlterDb,
        Statement::DropDatabase { .. } => ComDropDb,
        Statement::CreateView(_) => ComCreateView,
        Statement::DropView(_) => ComDropView,
        Statement::CreateProgram(c) => match c.kind {
            ProgramKind::Procedure => ComCreateProcedure,
            ProgramKind::Function => ComCreateFunction,
            ProgramKind::Trigger => ComCreateTrigger,
            ProgramKind::Event => ComCreateEvent,
        },
        Statement::AlterRoutine(a) if a.kind == ProgramKind::Procedure => ComAlterProcedure,
        Statement::AlterRoutine(_) => ComAlterFunction,
        Statement::AlterEvent(_) => ComAlterEvent,
        Statement::DropProgram { kind, .. } => match kind {
            ProgramKind::Procedure => ComDropProcedure,
            ProgramKind::Function => ComDropFunction,
            ProgramKind::Trigger => ComDropTrigger,
            ProgramKind::Event => ComDropEvent,
        },
        Statement::Begin(_) => ComBegin,
        Statement::Commit(_) => ComCommit,
        Statement::Rollback(_) => ComRollback,
        Statement::Savepoint(_) => ComSavepoint,
        Statement::RollbackTo(_) => ComRollbackToSavepoint,
        Statement::ReleaseSavepoint(_) => ComReleaseSavepoint,
        Statement::LockTables(_) => ComLockTables,
        Statement::UnlockTables => ComUnlockTables,
        Statement::LockInstance => ComLockInstance,
        Statement::CloneData(_) => ComClone,
        Statement::UnlockInstance => ComUnlockInstance,
        Statement::Xa(x) => xa(x),
        Statement::Set([SetItem::Password { .. }]) => ComSetPassword,
        Statement::Set(_) | Statement::SetTransaction(_) => ComSetOption,
        Statement::Show(show) => return self::show(show),
        Statement::Use(_) => ComChangeDb,
        // EXPLAIN counts as what it explains, DESCRIBE as the SHOW that it is
        Statement::Explain(_) => ComSelect,
        Statement::Describe { .. } => ComShowFields,
        Statement::Kill(_) => ComKill,
        Statement::Flush(_) => ComFlush,
        Statement::TableAdmin(a) => match a.kind {
            AdminKind::Analyze => ComAnalyze,
            AdminKind::Check => ComCheck,
            AdminKind::Optimize => ComOptimize,
            AdminKind::Repair => ComRepair,
            AdminKind::Checksum => ComChecksum,
        },
        Statement::Prepare(_) => ComPrepareSql,
        Statement::Execute { .. } => ComExecuteSql,
        Statement::Deallocate(_) => ComDeallocSql,
        Statement::Shutdown => ComShutdown,
        Statement::Restart => ComRestart,
        Statement::Help(_) => ComHelp,
        Statement::Replica { what, .. } => match what {
            ReplicaStatement::Change { .. } => ComChangeReplicationSource,
            ReplicaStatement::Filter { .. } => ComChangeReplicationFilter,
            ReplicaStatement::Start { .. } => ComReplicaStart,
            ReplicaStatement::Stop { .. } => ComReplicaStop,
        },
        Statement::ResetPersist { .. } | Statement::Reset { .. } => ComReset,
        Statement::Binlog(_) => ComBinlog,
        Statement::Plugin { library: Some(_), .. } => ComInstallPlugin,
        Statement::Plugin { library: None, .. } => ComUninstallPlugin,
        Statement::PurgeBinaryLogs(ast::PurgeBinaryLogs::To(_)) => ComPurge,
        Statement::PurgeBinaryLogs(ast::PurgeBinaryLogs::Before(_)) => ComPurgeBeforeDate,
        Statement::CreateUser(_) => ComCreateUser,
        Statement::AlterUser(a) if a.default_roles.is_some() => ComAlterUserDefaultRole,
        Statement::AlterUser(_) => ComAlterUser,
        Statement::DropUser { .. } => ComDropUser,
        Statement::RenameUser(_) => ComRenameUser,
        Statement::Grant(g) if matches!(g.what, GrantWhat::Roles(_)) => ComGrantRoles,
        Statement::Grant(_) => ComGrant,
        Statement::Revoke(r) => match r.what {
            GrantWhat::Roles(_) => ComRevokeRoles,
            GrantWhat::AllAndGrantOption => ComRevokeAll,
            _ => ComRevoke,
        },
        Statement::CreateRole { .. } => ComCreateRole,
        Statement::DropRole { .. } => ComDropRole,
        Statement::SetRole(_) => ComSetRole,
        Statement::SetDefaultRole { .. } => ComAlterUserDefaultRole,
        Statement::ReloadTls { .. } => ComAlterInstance,
        Statement::Empty => ComEmptyQuery,
        // counted by their plans
        Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => return None,
        Statement::Signal(s) if s.again => ComResignal,
        Statement::Signal(_) => ComSignal,
        Statement::GetDiagnostics(_) => ComGetDiagnostics,
        Statement::Unsupported { .. } => return None,
    })
}

/// The counter of a query or change that has no plan, since making one failed.
pub(crate) fn of_unplanned(s: &Statement<'_>) -> Option<Counter> {
    Some(match s {
        Statement::Query(_) => Counter::ComSelect,
        Statement::Update(u) => match u.tables {
            [TableRef::Table(_)] => Counter::ComUpdate,
            _ => Counter::ComUpdateMulti,
        },
        Statement::Delete(d) => match d.target {
            DeleteTarget::Single { .. } => Counter::ComDelete,
            DeleteTarget::Multi { .. } => Counter::ComDeleteMulti,
        },
        Statement::Insert(i) => match (i.replace, i.source) {
            (false, ast::InsertSource::Values(_)) => Counter::ComInsert,
            (false, ast::InsertSource::Query(_)) => Counter::ComInsertSelect,
            (true, ast::InsertSource::Values(_)) => Counter::ComReplace,
            (true, ast::InsertSource::Query(_)) => Counter::ComReplaceSelect,
        },
        _ => return None,
    })
}

/// The counter of a statement with a plan.
pub(crate) fn of_plan(body: &Body) -> Counter {
    match body {
        Body::Update(u) if u.multi => Counter::ComUpdateMulti,
        Body::Update(_) => Counter::ComUpdate,
        Body::Delete(d) if d.multi => Counter::ComDeleteMulti,
        Body::Delete(_) => Counter::ComDelete,
        Body::Insert(i) => {
            let select = matches!(i.source, InsertSource::Select(_));
            match (i.on_duplicate == OnDuplicate::Replace, select) {
                (false, false) => Counter::ComInsert,
                (false, true) => Counter::ComInsertSelect,
                (true, false) => Counter::ComReplace,
                (true, true) => Counter::ComReplaceSelect,
            }
        }
        _ => Counter::ComSelect,
    }
}

fn xa(x: &Xa<'_>) -> Counter {
    match x {
        Xa::Start { .. } => Counter::ComXaStart,
        Xa::End { .. } => Counter::ComXaEnd,
        Xa::Prepare(_) => Counter::ComXaPrepare,
        Xa::Commit { .. } => Counter::ComXaCommit,
        Xa::Rollback(_) => Counter::ComXaRollback,
        Xa::Recover { .. } => Counter::ComXaRecover,
    }
}

fn show(s: &Show<'_>) -> Option<Counter> {
    use Counter::*;
    Some(match s {
        Show::Databases(_) => ComShowDatabases,
        Show::Tables { .. } => ComShowTables,
        Show::TableStatus { .. } => ComShowTableStatus,
        Show::OpenTables { .. } => ComShowOpenTables,
        Show::Columns { .. } => ComShowFields,
        Show::Indexes { .. } => ComShowKeys,
        Show::Triggers { .. } => ComShowTriggers,
        Show::Events { .. } => ComShowEvents,
        Show::ProcedureStatus(_) => ComShowProcedureStatus,
        Show::FunctionStatus(_) => ComShowFunctionStatus,
        Show::ProcedureCode(_) => ComShowProcedureCode,
        Show::FunctionCode(_) => ComShowFunctionCode,
        Show::Variables { .. } => ComShowVariables,
        Show::Status { .. } => ComShowStatus,
        Show::CharacterSet(_) => ComShowCharsets,
        Show::Collation(_) => ComShowCollations,
        Show::CreateTable(_) | Show::CreateView(_) => ComShowCreateTable,
        Show::CreateDatabase { .. } => ComShowCreateDb,
        Show::CreateProcedure(_) => ComShowCreateProc,
        Show::CreateFunction(_) => ComShowCreateFunc,
        Show::CreateTrigger(_) => ComShowCreateTrigger,
        Show::CreateEvent(_) => ComShowCreateEvent,
        Show::CreateUser(_) => ComShowCreateUser,
        Show::Engines => ComShowStorageEngines,
        Show::Engine { what, .. } => match what {
            EngineWhat::Status => ComShowEngineStatus,
            EngineWhat::Mutex => ComShowEngineMutex,
            EngineWhat::Logs => ComShowEngineLogs,
        },
        Show::Plugins => ComShowPlugins,
        Show::Privileges => ComShowPrivileges,
        Show::Processlist { .. } => ComShowProcesslist,
        Show::Grants { .. } => ComShowGrants,
        Show::Warnings(_) | Show::CountWarnings => ComShowWarnings,
        Show::Errors(_) | Show::CountErrors => ComShowErrors,
        Show::Profile { .. } => ComShowProfile,
        Show::Profiles => ComShowProfiles,
        Show::BinaryLogs => ComShowBinlogs,
        Show::BinaryLogStatus => ComShowBinaryLogStatus,
        Show::BinlogEvents { .. } => ComShowBinlogEvents,
        Show::RelaylogEvents { .. } => ComShowRelaylogEvents,
        Show::ReplicaStatus { .. } => ComShowReplicaStatus,
        Show::Replicas => ComShowReplicas,
        Show::ParseTree => ComShowParseTree,
    })
}
