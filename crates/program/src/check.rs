//! What a program must not hold, said when it is created (manual, "Restrictions on Stored Programs").
//!
//! What the grammar says itself is said by the parser; here is what depends on the kind of program and of statement.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use parser::ast::{
    BodyKind, BodyStatement, CreateProgram, Into, ProgramKind, SetItem, Statement, SysVarName, VarScope,
};

/// Looks at a whole program. `name`: with its schema, as errors say it.
///
/// # Errors
/// 1320 for a function without RETURN; 1415, 1422, 1336 for what a function or a trigger must not do; 1314 for what no
/// program may.
pub fn check(c: &CreateProgram<'_>, name: &str) -> SqlResult<()> {
    let nested = matches!(c.kind, ProgramKind::Function | ProgramKind::Trigger);
    let word = if c.kind == ProgramKind::Trigger { "trigger" } else { "function" };
    each(&c.body.statement, &mut |s| {
        no_program(s)?;
        if nested { not_nested(s, word) } else { Ok(()) }
    })?;
    if c.kind == ProgramKind::Function && !c.body.has_return {
        return Err(SqlError::new(ErrorCode::SP_NORETURN, &[&name]));
    }
    Ok(())
}

/// Calls `f` with every SQL statement of a body, in the order of the text.
///
/// # Errors
/// Those of `f`.
pub fn each<'a>(s: &BodyStatement<'a>, f: &mut dyn FnMut(&Statement<'a>) -> SqlResult<()>) -> SqlResult<()> {
    sched::stack::check()?;
    let mut all = |list: &[BodyStatement<'a>]| list.iter().try_for_each(|s| each(s, f));
    match &s.kind {
        BodyKind::Block(b) => {
            b.handlers.iter().try_for_each(|h| all(std::slice::from_ref(&h.body)))?;
            all(b.statements)
        }
        BodyKind::If { arms, otherwise } => {
            arms.iter().try_for_each(|a| all(a.then))?;
            all(otherwise)
        }
        BodyKind::Case { arms, otherwise, .. } => {
            arms.iter().try_for_each(|a| all(a.then))?;
            all(otherwise.unwrap_or_default())
        }
        BodyKind::Loop { body, .. } | BodyKind::While { body, .. } | BodyKind::Repeat { body, .. } => all(body),
        BodyKind::Sql(s) => f(s),
        _ => Ok(()),
    }
}

/// What no program may hold.
fn no_program(s: &Statement<'_>) -> SqlResult<()> {
    let never = |what: &str| Err(SqlError::new(ErrorCode::SP_BADSTATEMENT, &[&what]));
    match s {
        Statement::Use(_) => never("USE"),
        Statement::LoadData(_) => never("LOAD DATA"),
        Statement::Handler(_) => never("HANDLER"),
        Statement::LockTables(_) | Statement::UnlockTables => never("LOCK"),
        Statement::Set(items) => items.iter().try_for_each(|i| match i {
            SetItem::Var { name, .. } if name.base.is_none() => Var::find(&name.name.to_ascii_lowercase()).map(drop),
            _ => Ok(()),
        }),
        Statement::Unsupported { feature } => Err(SqlError::unsupported(feature)),
        _ => Ok(()),
    }
}

/// What a function or a trigger may not hold.
fn not_nested(s: &Statement<'_>, word: &str) -> SqlResult<()> {
    let never = |what: &str| Err(SqlError::new(ErrorCode::STMT_NOT_ALLOWED_IN_SF_OR_TRG, &[&what]));
    let rows = || Err(SqlError::new(ErrorCode::SP_NO_RETSET, &[&word]));
    let commits = || Err(SqlError::new(ErrorCode::COMMIT_NOT_ALLOWED_IN_SF_OR_TRG, &[]));
    match s {
        Statement::Query(q) => match q.into {
            Some(Into::Vars(_) | Into::Outfile { .. } | Into::Dumpfile(_)) => Ok(()),
            None => rows(),
        },
        Statement::Show(_) | Statement::Explain(_) | Statement::Describe { .. } | Statement::Help(_) => rows(),
        Statement::TableAdmin(_) | Statement::Xa(parser::ast::Xa::Recover { .. }) => rows(),
        Statement::Prepare(_) | Statement::Execute { .. } | Statement::Deallocate(_) => never("Dynamic SQL"),
        Statement::Flush(_) => never("FLUSH"),
        Statement::ResetPersist { .. } | Statement::Reset { .. } => never("RESET"),
        Statement::Begin(_) | Statement::Commit(_) | Statement::Rollback(_) | Statement::Xa(_) => commits(),
        Statement::Set(items) => items.iter().try_for_each(|i| match i {
            SetItem::Var { scope: VarScope::Default | VarScope::Session, name, .. } if is_autocommit(name) => {
                Err(SqlError::new(ErrorCode::SP_CANT_SET_AUTOCOMMIT, &[]))
            }
            // what MySQL says of it, too
            SetItem::Password { .. } => Err(SqlError::new(ErrorCode::SP_CANT_SET_AUTOCOMMIT, &[])),
            _ => Ok(()),
        }),
        s if commits_implicitly(s) => commits(),
        _ => Ok(()),
    }
}

/// What a procedure holds that makes CALL of it fail in a function and in a trigger, whether it would come to it or
/// not. Of several things the one that MySQL looks at first.
pub fn refused_when_nested(body: &BodyStatement<'_>) -> [Option<SqlError>; 2] {
    let rank = |e: &SqlError| match () {
        () if e.is(ErrorCode::STMT_NOT_ALLOWED_IN_SF_OR_TRG) && e.message().contains("Dynamic SQL") => 0,
        () if e.is(ErrorCode::SP_NO_RETSET) => 1,
        () if e.is(ErrorCode::SP_CANT_SET_AUTOCOMMIT) => 2,
        () if e.is(ErrorCode::COMMIT_NOT_ALLOWED_IN_SF_OR_TRG) => 3,
        () => 4,
    };
    ["function", "trigger"].map(|word| {
        let mut first: Option<SqlError> = None;
        let looked = each(body, &mut |s| {
            if let Err(e) = not_nested(s, word)
                && first.as_ref().is_none_or(|f| rank(&e) < rank(f))
            {
                first = Some(e);
            }
            Ok(())
        });
        looked.err().or(first)
    })
}

fn is_autocommit(name: &SysVarName<'_>) -> bool {
    name.base.is_none() && name.name.eq_ignore_ascii_case("autocommit")
}

/// Whether a statement ends the transaction (manual, "Statements That Cause an Implicit Commit").
pub fn commits_implicitly(s: &Statement<'_>) -> bool {
    match s {
        Statement::CreateTable(c) => !c.temporary,
        Statement::DropTable(d) => !d.temporary,
        Statement::AlterTable(_)
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
        | Statement::SetDefaultRole { .. }
        | Statement::Grant(_)
        | Statement::Revoke(_) => true,
        _ => false,
    }
}
