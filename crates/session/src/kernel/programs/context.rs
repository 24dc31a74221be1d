//! What a program has from its creation while it runs (sql_mode, character sets, schema, and with SQL SECURITY DEFINER
//! the definer's account), and the caller's afterwards, also after an error.

use crate::kernel::programs::load;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::RoleName;
use catalog::accounts::{Account, Privs};
use catalog::sysvar::{Raw, Var};
use executor::Env;
use executor::gate::Gate;
use hashbrown::HashMap;
use std::cell::RefCell;
use std::rc::Rc;
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
    /// Where the program runs as its definer: whose it was, and whether that was a definer.
    account: Option<(Arc<Account>, Vec<RoleName>, bool)>,
}

/// What is found out about a program once for each version of the accounts.
struct Known {
    accounts: u64,
    schema: Arc<str>,
    /// The definer with its default roles, who may run it. Nobody where the caller's rights count.
    definer: Option<(Arc<Account>, Vec<RoleName>)>,
}

/// So many programs are known to a thread at most; all are worth the same, so it starts over then.
const KNOWN: usize = 256;

thread_local! {
    /// By id and version, and whether the caller is the definer.
    static MINE: RefCell<HashMap<(u64, u64, bool), Rc<Known>>> = RefCell::default();
}

/// What a program runs under. `own`: its definer is who calls. 1449, 1370, 1142 as [`enter`].
fn known(env: &mut Env, d: &Arc<ProgramDefinition>, own: bool) -> SqlResult<Rc<Known>> {
    let accounts = env.shared.accounts.version();
    let key = (d.id, d.version, own);
    if let Some(k) = MINE.with_borrow(|m| m.get(&key).filter(|k| k.accounts == accounts).cloned()) {
        return Ok(k);
    }
    let definer = match d.invoker || own {
        true => None,
        false => {
            let (user, host) = &d.definer;
            let missing = || SqlError::new(ErrorCode::NO_SUCH_USER, &[user, host]);
            let a = Gate::new(env).definer(user, host).ok_or_else(missing)?;
            may_run_own(env, &a, d)?;
            let roles: Vec<RoleName> = a.privileges.default_roles.iter().cloned().collect();
            Some((a, roles))
        }
    };
    // which roles are mandatory is no part of the accounts
    let lasting = definer.as_ref().is_none_or(|(_, roles)| roles.is_empty());
    let k = Rc::new(Known { accounts, schema: d.schema.as_str().into(), definer });
    if lasting {
        MINE.with_borrow_mut(|m| {
            if m.len() >= KNOWN {
                m.clear();
            }
            m.insert(key, k.clone());
        });
    }
    Ok(k)
}

/// Sets a program's variables only: to read its text.
pub(crate) fn with_settings<T>(env: &mut Env, d: &ProgramDefinition, f: impl FnOnce(&mut Env) -> T) -> T {
    let before = CREATED_WITH.map(|v| env.vars.num(v));
    settings(env, d);
    let done = f(env);
    put(env, before);
    done
}

fn settings(env: &mut Env, d: &ProgramDefinition) {
    let of = |c: value::CollationId| u64::from(c.0);
    put(env, [d.sql_mode, of(d.client), of(d.connection), of(d.database)]);
}

/// Sets the variables, which mostly have these values.
#[inline]
fn put(env: &mut Env, values: [u64; 4]) {
    for (v, n) in CREATED_WITH.into_iter().zip(values) {
        if env.vars.num(v) != n {
            env.vars.store(v, Raw::Num(n));
        }
    }
}

/// Puts up a program's context.
///
/// # Errors
/// 1449 for a definer that is no more, 1370 and 1142 for one that may not run it.
pub(crate) fn enter(env: &mut Env, d: &Arc<ProgramDefinition>) -> SqlResult<Context> {
    // who calls what is its own keeps the roles that it has set, as in MySQL
    let own = !d.invoker && env.security.account.is_named(&d.definer.0, &d.definer.1);
    if own && d.trigger.is_some() {
        let present = env.security.account.clone();
        may_run_own(env, &present, d)?;
    }
    let known = known(env, d, own)?;
    let account = known.definer.clone().map(|(a, roles)| {
        let account = std::mem::replace(&mut env.security.account, a);
        let roles = std::mem::replace(&mut env.security.active_roles, roles);
        (account, roles, std::mem::replace(&mut env.security.as_definer, true))
    });
    let caller = Context {
        vars: CREATED_WITH.map(|v| env.vars.num(v)),
        mode: (env.conv.sql_mode, env.conv.strict),
        schema: env.schema.replace(known.schema.clone()),
        account,
    };
    settings(env, d);
    env.conv.sql_mode = env.vars.sql_mode();
    env.conv.strict = false;
    Ok(caller)
}

/// Who a routine runs as needs EXECUTE on it, too: 1370; who a trigger runs as TRIGGER on its table, each time: 1142
/// (manual, "Trigger Syntax and Examples").
fn may_run_own(env: &mut Env, a: &Account, d: &Arc<ProgramDefinition>) -> SqlResult<()> {
    if let Some(t) = &d.trigger {
        if a.privileges.on_table(&d.schema, &t.table).has(Privs::TRIGGER) {
            return may_use_row(env, a, d, &t.table);
        }
        let code = ErrorCode::TABLEACCESS_DENIED_ERROR;
        return Err(SqlError::new(code, &[&"TRIGGER", &a.user, &a.host, &t.table]));
    }
    let function = d.kind == ProgramKind::Function;
    let routine = function || d.kind == ProgramKind::Procedure;
    if !routine || a.privileges.on_routine(&d.schema, &d.name, function).has(Privs::EXECUTE) {
        return Ok(());
    }
    let full = format!("{}.{}", d.schema, d.name);
    Err(SqlError::new(ErrorCode::PROCACCESS_DENIED_ERROR, &[&"execute", &a.user, &a.host, &full]))
}

/// A trigger's definer needs SELECT on the columns of NEW and OLD that it reads, UPDATE on those of NEW that it sets:
/// 1143.
fn may_use_row(env: &mut Env, a: &Account, d: &Arc<ProgramDefinition>, table: &str) -> SqlResult<()> {
    let both = Privs::SELECT.with(Privs::UPDATE);
    if a.privileges.on_table(&d.schema, table).has(both) {
        return Ok(());
    }
    let unit = load::load(env, d)?;
    for s in unit.code.slots.iter().filter(|s| s.row.is_some()) {
        let have = a.privileges.on_column(&d.schema, table, &s.name);
        for (needed, name, used) in [(Privs::SELECT, "SELECT", s.used.0), (Privs::UPDATE, "UPDATE", s.used.1)] {
            if used && !have.has(needed) {
                let code = ErrorCode::COLUMNACCESS_DENIED_ERROR;
                return Err(SqlError::new(code, &[&name, &a.user, &a.host, &s.name, &table]));
            }
        }
    }
    Ok(())
}

impl Context {
    /// Puts the caller's back.
    pub(crate) fn leave(self, env: &mut Env) {
        put(env, self.vars);
        (env.conv.sql_mode, env.conv.strict) = self.mode;
        env.schema = self.schema;
        if let Some(account) = self.account {
            (env.security.account, env.security.active_roles, env.security.as_definer) = account;
        }
    }
}
