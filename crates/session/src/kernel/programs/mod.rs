//! Stored programs as the kernel runs them: loading and compiling (`load.rs`), the context of a program (`context.rs`),
//! plans of its expressions and statements (`plans.rs`), and the two hosts of the interpreter: [`call::CallHost`] for
//! CALL, whose statements go the way of a client's, and [`inner::InnerHost`] for functions and triggers, whose
//! statements are nested in the statement that calls them.
//!
//! Metadata locks: a routine's is shared, of the transaction, taken before its definition is looked up; whoever changes
//! it waits. Nothing here is shared between threads. `docs/programs.md`. Tested: `tests.rs`, goldens `programs_*`.

pub(crate) mod call;
pub(crate) mod caller;
pub(crate) mod closure;
pub(crate) mod context;
pub(crate) mod inner;
pub(crate) mod lent;
pub(crate) mod load;
pub(crate) mod plans;

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::Env;
use executor::gate::Inside;
use mdl::{Duration, MdlKey, MdlType, Namespace};
use parser::ast::Call;
use sched::Deadline;
use std::rc::Rc;
use std::sync::Arc;
use storage::dict::programs::folded;
use storage::dict::{ProgramDefinition, ProgramKind};

/// A compiled program with the plans made so far.
pub(crate) type Program = program::code::Unit<Arc<ProgramDefinition>, plans::Made>;

/// A routine that the account may run, under its metadata lock, compiled.
///
/// # Errors
/// 1046 without a database, 1370, 1305; those of compiling it.
pub(crate) fn routine(env: &mut Env, kind: ProgramKind, schema: Option<&str>, name: &str) -> SqlResult<Rc<Program>> {
    let d = defined(env, kind, (schema, name), Duration::Transaction)?;
    load::load(env, &d)
}

/// What PREPARE looks at of a CALL, as in MySQL; it is looked at again when it is executed.
///
/// # Errors
/// 1046, 1370, 1305, 1318.
pub(crate) fn check_call(env: &mut Env, call: &Call<'_>) -> SqlResult<()> {
    let d = defined(env, ProgramKind::Procedure, (call.schema, call.name), Duration::Statement)?;
    program::calls::check_arguments(&d, call)
}

/// The definition of a routine that the account may run, under its metadata lock.
fn defined(
    env: &mut Env,
    kind: ProgramKind,
    (schema, name): (Option<&str>, &str),
    locked: Duration,
) -> SqlResult<Arc<ProgramDefinition>> {
    let schema = match schema.or(env.schema.as_deref()) {
        Some(s) => s.to_owned(),
        None => return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[])),
    };
    base::names::routine(Some(&schema), name)?;
    may_execute(env, kind, &schema, name)?;
    let namespace = if kind == ProgramKind::Function { Namespace::Function } else { Namespace::Procedure };
    let key = MdlKey::new(namespace, &schema, &folded(name));
    let deadline = Deadline::after(std::time::Duration::from_secs(env.vars.num(Var::lock_wait_timeout)));
    env.mdl.acquire(&key, MdlType::S, locked, deadline)?;
    env.program(kind, &schema, name, Inside::Program).ok_or_else(|| unknown(kind, &schema, name))
}

/// 1305.
pub(crate) fn unknown(kind: ProgramKind, schema: &str, name: &str) -> SqlError {
    SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&kind.name(), &format!("{schema}.{name}")])
}

/// 1370 for an account without EXECUTE on it.
pub(crate) fn may_execute(env: &Env, kind: ProgramKind, schema: &str, name: &str) -> SqlResult<()> {
    let a = &env.security.account;
    if a.privileges.on_routine(schema, name, kind == ProgramKind::Function).has(Privs::EXECUTE) {
        return Ok(());
    }
    let full = format!("{schema}.{name}");
    Err(SqlError::new(ErrorCode::PROCACCESS_DENIED_ERROR, &[&"execute", &a.user, &a.host, &full]))
}

/// 1456 for a procedure that runs already, beyond `max_sp_recursion_depth`.
pub(crate) fn may_recurse(env: &mut Env, p: &Program) -> SqlResult<()> {
    let limit = env.vars.num(Var::max_sp_recursion_depth);
    if u64::from(p.active.get()) <= limit {
        return Ok(());
    }
    // who looked for it has not found it, says MySQL
    let name = format!("{}.{}", p.definition.schema, p.definition.name);
    let missing = SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&p.definition.kind.name(), &name]);
    env.statement.further.push((value::Level::Error, missing));
    Err(SqlError::new(ErrorCode::SP_RECURSION_LIMIT, &[&limit, &p.definition.name]))
}
