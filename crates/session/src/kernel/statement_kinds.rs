//! What kind of statement a tree is, where the kernel must know before it is planned or run.

use parser::ast::{Expr, Into, QueryExpr, SetItem, Statement};
use planner::plan::Body;

/// Whether a plan's statement counts against MAX_UPDATES_PER_HOUR.
pub(crate) fn plan_changes(body: &Body) -> bool {
    !matches!(body, Body::Select(_))
}

/// Whether a statement counts against MAX_UPDATES_PER_HOUR.
pub(crate) fn changes_data(s: &Statement<'_>) -> bool {
    changes_definitions(s)
        || matches!(
            s,
            Statement::Insert(_)
                | Statement::Update(_)
                | Statement::Delete(_)
                | Statement::LoadData(_)
                | Statement::Set([SetItem::Password { .. }])
        )
}

/// Whether a statement changes definitions of tables, schemas, views or accounts.
pub(crate) fn changes_definitions(s: &Statement<'_>) -> bool {
    matches!(
        s,
        Statement::CreateTable(_)
            | Statement::AlterTable(_)
            | Statement::DropTable(_)
            | Statement::TruncateTable(_)
            | Statement::RenameTable(_)
            | Statement::CreateIndex(_)
            | Statement::DropIndex(_)
            | Statement::CreateDatabase(_)
            | Statement::AlterDatabase(_)
            | Statement::DropDatabase { .. }
            | Statement::CreateView(_)
            | Statement::DropView(_)
            | Statement::CreateProgram(_)
            | Statement::AlterRoutine(_)
            | Statement::AlterEvent(_)
            | Statement::DropProgram { .. }
            | Statement::CreateUser(_)
            | Statement::AlterUser(_)
            | Statement::DropUser { .. }
            | Statement::RenameUser(_)
            | Statement::CreateRole { .. }
            | Statement::DropRole { .. }
            | Statement::Grant(_)
            | Statement::Revoke(_)
    )
}

/// Whether an expression reads tables. (The tree's debug text names its kinds of nodes.)
pub(crate) fn names_tables(e: &Expr<'_>) -> bool {
    format!("{e:?}").contains("TableFactor {")
}

/// The query's INTO OUTFILE or DUMPFILE.
pub(crate) fn file_target<'a>(q: &QueryExpr<'a>) -> Option<&'a Into<'a>> {
    q.into.filter(|i| matches!(i, Into::Outfile { .. } | Into::Dumpfile(_)))
}
