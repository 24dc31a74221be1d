//! What a program has from its creation while it runs (sql_mode, character sets, schema, and with SQL SECURITY DEFINER
//! the definer's account), and the caller's afterwards, also after an error.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::RoleName;
use catalog::accounts::{Account, Privs};
use catalog::sysvar::{Raw, Var};
use executor::Env;
use executor::gate::Gate;
use std::sync::Arc;
use storage::dict::{ProgramDefinition, ProgramKind};
use value::SqlMode;

/// Variables that a program has from its creation.
const CREATED_WITH: [Var; 4] =
    [Var::sql_mode, Var::character_set_client, Var::collation_connection, Var::collation_database];

/// The caller's.
pub(crate) struct Context {
    vars: [u64; 4],
    mode: (SqlMode, bool),
    schema: Option<Arc<str>>,
    account: Arc<Account>,
    active_roles: Vec<RoleName>,
    as_definer: bool,
}

/// Sets a program's variables only: to read its text.
pub(crate) fn with_settings<T>(env: &mut Env, d: &ProgramDefinition, f: impl FnOnce(&mut Env) -> T) -> T {
    let before = CREATED_WITH.map(|v| env.vars.num(v));
    settings(env, d);
    let done = f(env);
    for (v, n) in CREATED_WITH.into_iter().zip(before) {
        env.vars.store(v, Raw::Num(n));
    }
    done
}

fn settings(env: &mut Env, d: &ProgramDefinition) {
    let of = |c: value::CollationId| u64::from(c.0);
    for (v, n) in CREATED_WITH.into_iter().zip([d.sql_mode, of(d.client), of(d.connection), of(d.database)]) {
        env.vars.store(v, Raw::Num(n));
    }
}

/// Puts up a program's context.
///
/// # Errors
/// 1449 for a definer that is no more, 1370 for one that may not run it.
pub(crate) fn enter(env: &mut Env, d: &ProgramDefinition) -> SqlResult<Context> {
    let definer = match d.invoker {
        true => None,
        false => {
            let (user, host) = &d.definer;
            let missing = || SqlError::new(ErrorCode::NO_SUCH_USER, &[user, host]);
            Some(Gate::new(env).definer(user, host).ok_or_else(missing)?)
        }
    };
    let caller = Context {
        vars: CREATED_WITH.map(|v| env.vars.num(v)),
        mode: (env.conv.sql_mode, env.conv.strict),
        schema: env.schema.clone(),
        account: env.security.account.clone(),
        active_roles: env.security.active_roles.clone(),
        as_definer: env.security.as_definer,
    };
    let current = &env.security.account;
    // who calls what is its own keeps the roles that it has set, as in MySQL
    if let Some(a) = definer.filter(|a| (&a.user, &a.host) != (&current.user, &current.host)) {
        may_run_own(&a, d)?;
        env.security.active_roles = a.privileges.default_roles.iter().cloned().collect();
        env.security.account = a;
        env.security.as_definer = true;
    }
    settings(env, d);
    env.conv.sql_mode = env.vars.sql_mode();
    env.conv.strict = false;
    env.schema = Some(d.schema.as_str().into());
    Ok(caller)
}

/// Who a routine runs as needs EXECUTE on it, too: 1370.
fn may_run_own(a: &Account, d: &ProgramDefinition) -> SqlResult<()> {
    let function = d.kind == ProgramKind::Function;
    let routine = function || d.kind == ProgramKind::Procedure;
    if !routine || a.privileges.on_routine(&d.schema, &d.name, function).has(Privs::EXECUTE) {
        return Ok(());
    }
    let full = format!("{}.{}", d.schema, d.name);
    Err(SqlError::new(ErrorCode::PROCACCESS_DENIED_ERROR, &[&"execute", &a.user, &a.host, &full]))
}

impl Context {
    /// Puts the caller's back.
    pub(crate) fn leave(self, env: &mut Env) {
        for (v, n) in CREATED_WITH.into_iter().zip(self.vars) {
            env.vars.store(v, Raw::Num(n));
        }
        (env.conv.sql_mode, env.conv.strict) = self.mode;
        (env.schema, env.security.account, env.security.active_roles) = (self.schema, self.account, self.active_roles);
        env.security.as_definer = self.as_definer;
    }
}
