//! What can be prepared, what of it has a plan, and where `?` may stand (manual, "PREPARE Statement"). Tested: golden `prepared`.

use crate::kernel::statement_kinds::file_target;
use parser::Lexed;
use parser::ast::{AdminKind, Show, Statement};
use parser::lexer::{Tk, Token};

/// Statements whose plan is made at PREPARE.
pub(super) fn has_plan(s: &Statement<'_>) -> bool {
    match s {
        Statement::Query(q) => file_target(q).is_none(),
        Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => true,
        _ => false,
    }
}

/// Features that MySQL prepares and this server has not.
pub(super) const PREPARED_ELSEWHERE: [&str; 8] = [
    "ALTER EVENT",
    "BINLOG",
    "CACHE INDEX",
    "CHANGE REPLICATION FILTER",
    "CREATE EVENT",
    "EXPLAIN FOR SCHEMA",
    "LOAD INDEX INTO CACHE",
    "RESET BINARY LOGS AND GTIDS",
];

/// Whether `@@warning_count` or `@@error_count` is read: what they tell of would be the preparation itself.
pub(super) fn asks_for_diagnostics(sql: &[u8], lexed: &Lexed) -> bool {
    let word = |t: Option<&Token>| {
        let text = t.and_then(|t| sql.get(t.start as usize..t.end as usize)).unwrap_or(&[]);
        let bare = text.strip_prefix(b"`").and_then(|b| b.strip_suffix(b"`")).unwrap_or(text);
        bare.eq_ignore_ascii_case(b"warning_count") || bare.eq_ignore_ascii_case(b"error_count")
    };
    let tokens = lexed.tokens();
    tokens.iter().enumerate().any(|(i, t)| {
        let scoped = tokens.get(i + 2).is_some_and(|t| t.kind == Tk::Dot);
        t.kind == Tk::AtAt && word(tokens.get(i + if scoped { 3 } else { 1 }))
    })
}

/// What MySQL does not prepare (manual, "PREPARE Statement").
pub(super) fn refused(s: &Statement<'_>) -> bool {
    match s {
        Statement::Prepare(_) | Statement::Execute { .. } | Statement::Deallocate(_) => true,
        Statement::Begin(_) | Statement::Savepoint(_) | Statement::RollbackTo(_) | Statement::ReleaseSavepoint(_) => {
            true
        }
        Statement::LockTables(_) | Statement::UnlockTables | Statement::LockInstance | Statement::UnlockInstance => {
            true
        }
        Statement::LoadData(_) | Statement::Handler(_) | Statement::Use(_) | Statement::Help(_) | Statement::Xa(_) => {
            true
        }
        Statement::AlterDatabase(_) | Statement::CreateRole { .. } | Statement::DropRole { .. } => true,
        Statement::Shutdown | Statement::Restart | Statement::CloneData(_) => true,
        Statement::Signal(_) | Statement::GetDiagnostics(_) => true,
        Statement::CreateView(v) => v.alter,
        Statement::CreateTable(c) => c.starts_transaction(),
        Statement::CreateProgram(c) => c.kind != parser::ast::ProgramKind::Event,
        Statement::DropProgram { kind, .. } => *kind != parser::ast::ProgramKind::Event,
        Statement::AlterRoutine(_) => true,
        // what is not offered says so where it could be prepared
        Statement::Unsupported { feature } => !PREPARED_ELSEWHERE.contains(feature),
        Statement::TableAdmin(t) => matches!(t.kind, AdminKind::Check),
        Statement::Show(s) => {
            matches!(s, Show::Warnings(_) | Show::Errors(_) | Show::CountWarnings | Show::CountErrors)
        }
        _ => false,
    }
}

/// Statements without plan whose expressions may be `?`; anywhere else that is a syntax error.
pub(super) fn takes_parameters(s: &Statement<'_>) -> bool {
    match s {
        Statement::Do(_) | Statement::Set(_) | Statement::Query(_) | Statement::Explain(_) => true,
        Statement::Kill(_) | Statement::Show(_) | Statement::Call(_) => true,
        Statement::CreateTable(c) => c.select.is_some(),
        _ => false,
    }
}
