//! Passwords and limits of accounts: what ALTER USER, CREATE USER and SET PASSWORD say about them, and what a session may do whose password
//! has expired or whose account has used up its hour (manual, "Password Management", "Server Handling of Expired Passwords",
//! "Setting Account Resource Limits"). The rules themselves are in `catalog::accounts::policy`. Tested: `tests/clients/test_password_policy.py`.

use crate::kernel::identity::now_seconds;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, AuthPlugin, attribute, password};
use catalog::sysvar::Var;
use parser::ast::{self, PasswordExpire, RequireCurrent};
use parser::secrets::Hidden;

/// A new authentication string for an account.
pub(crate) struct NewPassword<'a> {
    pub(crate) plugin: AuthPlugin,
    pub(crate) auth_string: String,
    /// The password itself, where it is known.
    pub(crate) plain: Option<&'a [u8]>,
    /// RETAIN CURRENT PASSWORD
    pub(crate) retain: bool,
}

impl Session {
    /// PASSWORD HISTORY and PASSWORD REUSE INTERVAL as they count for an account.
    fn reuse_rules(&self, a: &Account) -> (u32, u32) {
        let global = |v: Var| self.env.shared.globals.num(v).min(u64::from(u32::MAX)) as u32;
        let history = a.password.history.unwrap_or_else(|| global(Var::password_history));
        (history, a.password.reuse_days.unwrap_or_else(|| global(Var::password_reuse_interval)))
    }

    /// Gives an account a password. 3638 if it had it lately; 3878, 3894, 3895 where the present one cannot be retained.
    pub(crate) fn set_new_password(&self, a: &mut Account, new: NewPassword<'_>) -> SqlResult<()> {
        let (history, days) = self.reuse_rules(a);
        let now = now_seconds();
        if let Some(plain) = new.plain.filter(|p| !p.is_empty())
            && new.plugin == a.plugin
            && a.password.used_lately(new.plugin, plain, now, history, days)
        {
            return Err(SqlError::new(ErrorCode::CREDENTIALS_CONTRADICT_TO_HISTORY, &[&a.user, &a.host]));
        }
        if new.retain {
            let refused = |code| Err(SqlError::new(code, &[&a.user, &a.host]));
            if new.plugin != a.plugin {
                return refused(ErrorCode::PASSWORD_CANNOT_BE_RETAINED_ON_PLUGIN_CHANGE);
            }
            if new.auth_string.is_empty() {
                return refused(ErrorCode::CURRENT_PASSWORD_CANNOT_BE_RETAINED);
            }
            if a.auth_string.is_empty() {
                return refused(ErrorCode::SECOND_PASSWORD_CANNOT_BE_EMPTY);
            }
            a.password.retained = std::mem::take(&mut a.auth_string);
        } else if new.plugin != a.plugin || new.auth_string.is_empty() {
            a.password.retained.clear();
        }
        if new.plugin != a.plugin {
            a.password.former.clear();
        }
        a.plugin = new.plugin;
        a.auth_string = Hidden(new.auth_string);
        a.password.set(now, &a.auth_string, if a.auth_string.is_empty() { 0 } else { history }, days);
        a.expired = false;
        Ok(())
    }

    /// REPLACE 'current': 3893 for another account, 3891 if it is not the present password, 3892 if it is missing and required.
    pub(crate) fn check_replaced(&self, a: &Account, own: bool, replace: Option<&[u8]>) -> SqlResult<()> {
        match replace {
            Some(_) if !own => Err(SqlError::new(ErrorCode::CURRENT_PASSWORD_NOT_REQUIRED, &[])),
            Some(given) if password::matches(a.plugin, given, &a.auth_string) => Ok(()),
            Some(_) => Err(SqlError::new(ErrorCode::INCORRECT_CURRENT_PASSWORD, &[])),
            None => {
                let required = a
                    .password
                    .require_current
                    .unwrap_or_else(|| self.env.shared.globals.bool(Var::password_require_current));
                let exempt = self.env.security.account.privileges.has_global(catalog::accounts::Privs::CREATE_USER);
                if own && required && !exempt && !a.auth_string.is_empty() {
                    return Err(SqlError::new(ErrorCode::MISSING_CURRENT_PASSWORD, &[]));
                }
                Ok(())
            }
        }
    }
}

/// The options of CREATE USER and ALTER USER that are about passwords and limits.
pub(crate) fn set_policy(a: &mut Account, o: &ast::UserOptions<'_>) -> SqlResult<()> {
    let wrong = |what: &str, n: u64| Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&what, &n]));
    let limit = |to: &mut u32, n: Option<u64>| {
        if let Some(n) = n {
            *to = n.min(u64::from(u32::MAX)) as u32;
        }
    };
    limit(&mut a.limits.queries, o.max_queries_per_hour);
    limit(&mut a.limits.updates, o.max_updates_per_hour);
    limit(&mut a.limits.connections, o.max_connections_per_hour);
    limit(&mut a.max_user_connections, o.max_user_connections);
    match o.password_expire {
        None => {}
        Some(PasswordExpire::Now) => a.expired = true,
        Some(PasswordExpire::Default) => a.password.lifetime = None,
        Some(PasswordExpire::Never) => a.password.lifetime = Some(0),
        Some(PasswordExpire::Days(n)) => match u16::try_from(n) {
            Ok(days) if days > 0 => a.password.lifetime = Some(days),
            _ => return wrong("DAY", n),
        },
    }
    let count = |n: Option<u64>| n.map(|n| n.min(u64::from(u32::MAX)) as u32);
    if let Some(n) = o.password_history {
        a.password.history = count(n);
    }
    if let Some(n) = o.password_reuse_days {
        a.password.reuse_days = count(n);
    }
    match o.password_require_current {
        None => {}
        Some(RequireCurrent::Default) => a.password.require_current = None,
        Some(RequireCurrent::Required) => a.password.require_current = Some(true),
        Some(RequireCurrent::Optional) => a.password.require_current = Some(false),
    }
    if let Some(n) = o.failed_login_attempts {
        a.password.failed_attempts = match u16::try_from(n) {
            Ok(n) if n <= 32_767 => n,
            _ => return wrong("FAILED_LOGIN_ATTEMPTS", n),
        };
    }
    match o.password_lock_time {
        None => {}
        Some(None) => a.password.lock_days = Some(-1),
        Some(Some(n)) if n <= 32_767 => a.password.lock_days = Some(n as i32),
        Some(Some(n)) => return wrong("PASSWORD_LOCK_TIME", n),
    }
    Ok(())
}

/// Whether options begin the account's counts anew.
pub(crate) fn resets_usage(o: &ast::UserOptions<'_>) -> bool {
    let limits = [o.max_queries_per_hour, o.max_updates_per_hour, o.max_connections_per_hour, o.failed_login_attempts];
    limits.iter().any(Option::is_some) || o.password_lock_time.is_some() || o.locked == Some(false)
}

/// COMMENT and ATTRIBUTE: merged into what there is, as JSON_MERGE_PATCH does; `utf8` makes UTF-8 of what the client
/// wrote. 3982 for what is no JSON object.
pub(crate) fn set_attribute(
    a: &mut Account,
    o: &ast::UserOptions<'_>,
    utf8: &dyn Fn(&[u8]) -> String,
) -> SqlResult<()> {
    let patch = match (o.comment, o.attribute) {
        (Some(c), _) => attribute::comment(&utf8(c)).into_bytes(),
        (_, Some(j)) => utf8(j).into_bytes(),
        _ => return Ok(()),
    };
    let merged = attribute::merged(a.attribute.as_deref(), &patch);
    a.attribute = Some(merged.ok_or_else(|| SqlError::new(ErrorCode::INVALID_USER_ATTRIBUTE_JSON, &[]))?);
    Ok(())
}

/// A text as SHOW CREATE USER prints it. `escapes`: a backslash is one that escapes (no NO_BACKSLASH_ESCAPES).
pub(crate) fn quoted(text: &str, escapes: bool) -> String {
    let mut out = "'".to_owned();
    for c in text.chars() {
        match c {
            '\'' if !escapes => out.push_str("''"),
            '\'' => out.push_str("\\'"),
            '\\' if escapes => out.push_str("\\\\"),
            '\n' if escapes => out.push_str("\\n"),
            '\r' if escapes => out.push_str("\\r"),
            '\0' if escapes => out.push_str("\\0"),
            '\u{1a}' if escapes => out.push_str("\\Z"),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// CREATE USER's clauses from WITH on, as SHOW CREATE USER prints them.
pub(crate) fn shown(a: &Account, escapes: bool) -> String {
    use std::fmt::Write;
    let mut s = String::new();
    let limits = [
        ("MAX_QUERIES_PER_HOUR", a.limits.queries),
        ("MAX_UPDATES_PER_HOUR", a.limits.updates),
        ("MAX_CONNECTIONS_PER_HOUR", a.limits.connections),
        ("MAX_USER_CONNECTIONS", a.max_user_connections),
    ];
    if limits.iter().any(|l| l.1 > 0) {
        s.push_str(" WITH");
        for (name, n) in limits.iter().filter(|l| l.1 > 0) {
            let _ = write!(s, " {name} {n}");
        }
    }
    let p = &a.password;
    s.push_str(" PASSWORD EXPIRE");
    let _ = match p.lifetime {
        _ if a.expired => Ok(()),
        None => write!(s, " DEFAULT"),
        Some(0) => write!(s, " NEVER"),
        Some(n) => write!(s, " INTERVAL {n} DAY"),
    };
    s.push_str(if a.locked { " ACCOUNT LOCK" } else { " ACCOUNT UNLOCK" });
    let or_default = |n: Option<u32>, unit: &str| n.map_or("DEFAULT".to_owned(), |n| format!("{n}{unit}"));
    let _ = write!(s, " PASSWORD HISTORY {}", or_default(p.history, ""));
    let _ = write!(s, " PASSWORD REUSE INTERVAL {}", or_default(p.reuse_days, " DAY"));
    s.push_str(match p.require_current {
        None => " PASSWORD REQUIRE CURRENT DEFAULT",
        Some(true) => " PASSWORD REQUIRE CURRENT",
        Some(false) => " PASSWORD REQUIRE CURRENT OPTIONAL",
    });
    if p.failed_attempts > 0 {
        let _ = write!(s, " FAILED_LOGIN_ATTEMPTS {}", p.failed_attempts);
    }
    let _ = match p.lock_days {
        None | Some(0) => Ok(()),
        Some(-1) => write!(s, " PASSWORD_LOCK_TIME UNBOUNDED"),
        Some(n) => write!(s, " PASSWORD_LOCK_TIME {n}"),
    };
    if let Some(text) = &a.attribute {
        let _ = write!(s, " ATTRIBUTE {}", quoted(text, escapes));
    }
    s
}
