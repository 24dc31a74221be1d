//! What kind of statement a tree is, where the kernel must know before it is planned or run.

use parser::ast::{Expr, ExprKind, Into, QueryExpr, SetItem, Statement};
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

/// Whether a statement changes definitions of tables, schemas, views, programs or accounts. Those of temporary tables
/// do not end the transaction; SET DEFAULT ROLE ends it and changes no definition.
pub(crate) fn changes_definitions(s: &Statement<'_>) -> bool {
    match s {
        Statement::CreateTable(_) | Statement::DropTable(_) => true,
        Statement::SetDefaultRole { .. } => false,
        s => program::commits_implicitly(s),
    }
}

/// Whether an expression reads tables. (The tree's debug text names its kinds of nodes.)
pub(crate) fn names_tables(e: &Expr<'_>) -> bool {
    let leaf = matches!(
        e.unparen().kind,
        ExprKind::Literal(_) | ExprKind::Param(_) | ExprKind::UserVar(_) | ExprKind::SysVar(_) | ExprKind::Local(_)
    );
    !leaf && format!("{e:?}").contains("TableFactor {")
}

/// The query's INTO OUTFILE or DUMPFILE.
pub(crate) fn file_target<'a>(q: &QueryExpr<'a>) -> Option<&'a Into<'a>> {
    q.into.filter(|i| matches!(i, Into::Outfile { .. } | Into::Dumpfile(_)))
}
