//! GRANT and REVOKE of privileges and of PROXY.
//!
//! A statement changes all the accounts it names or none. REVOKE of what is not granted is an error (1141, 1147, 1403, for everything at once
//! 1269); with IF EXISTS what there is of it goes, and a warning says so; IGNORE UNKNOWN USER makes warnings of missing accounts (3162).
//!
//! Partial revokes (manual, "Privilege Restriction Using Partial Revokes"): with `partial_revokes` REVOKE on a database also takes what is
//! granted globally, as a restriction of the account; GRANT there lifts it, and so does REVOKE of the global privilege. A global GRANT gives
//! no more than the grantor has: its own restrictions go along ([`give`]).
//!
//! Roles: `roles.rs`. Tested: golden `grants`, `tests/clients/test_roles.py`.

use crate::accounts::rules::Act;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::{self, RoleName};
use catalog::accounts::{Account, DYNAMIC, Privileges, Privs, Proxy};
use catalog::sysvar::Var;
use executor::gate::{Inside, MayKnow};
use parser::ast::{self, GrantWhat, ObjectKind, PrivLevel, SetRole};
use std::sync::Arc;
use storage::dict::ProgramKind;
use value::Level;

enum Target {
    Global,
    Database(String),
    Table(String, String),
    /// Schema, name in lower case, a function.
    Routine(String, String, bool),
}

/// 3619: dynamic privileges are given on everything only. MySQL names them, but on a table the table.
fn illegal_level(target: &Target, wanted: &Wanted) -> SqlError {
    let what = match target {
        Target::Table(_, name) => name.clone(),
        _ => wanted.dynamic.join(","),
    };
    SqlError::new(ErrorCode::ILLEGAL_PRIVILEGE_LEVEL, &[&what])
}

/// What a list of privileges says.
#[derive(Default)]
struct Wanted {
    whole: Privs,
    /// ALL was written.
    all: bool,
    dynamic: Vec<String>,
    columns: Vec<(String, Privs)>,
}

/// The privileges there are on columns.
const OF_COLUMNS: Privs = Privs(Privs::SELECT.0 | Privs::INSERT.0 | Privs::UPDATE.0 | Privs::REFERENCES.0);

/// 1144.
fn illegal() -> SqlError {
    SqlError::with_message(
        ErrorCode::ILLEGAL_GRANT_FOR_TABLE,
        "Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be used",
    )
}

/// What REVOKE says of an account that lacks what it names, or that does not exist.
fn none_on(target: &Target, (user, host): &RoleName) -> SqlError {
    match target {
        Target::Table(_, t) => SqlError::new(ErrorCode::NONEXISTING_TABLE_GRANT, &[user, host, t]),
        Target::Routine(_, r, _) => SqlError::new(ErrorCode::NONEXISTING_PROC_GRANT, &[user, host, r]),
        _ => SqlError::new(ErrorCode::NONEXISTING_GRANT, &[user, host]),
    }
}

fn none_at_all(_: &RoleName) -> SqlError {
    SqlError::new(ErrorCode::REVOKE_GRANTS, &[])
}

impl Session {
    pub(crate) fn grant(&mut self, g: &ast::Grant<'_>) -> SqlResult<()> {
        let names = self.names(g.to);
        let (list, object, level) = match g.what {
            GrantWhat::Roles(list) => return self.grant_roles(list, g.to, g.with_option),
            GrantWhat::Proxy(of) => return self.grant_proxy(&of, &names, g.with_option),
            GrantWhat::AllAndGrantOption => return Err(illegal()),
            GrantWhat::Privileges { privileges, object, level } => (privileges, object, level),
        };
        if object != ObjectKind::Table {
            return self.grant_routine(g, list, level, object == ObjectKind::Function, &names);
        }
        let target = self.target(level)?;
        if g.as_user.is_some() && !matches!(target, Target::Global) {
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_USE_OF_GRANT_AS, &[]));
        }
        let mut wanted = wanted(list, &target)?;
        self.may_name_all(&target, &wanted)?;
        // who may create a table may be told so before there is one
        let early = wanted.whole.has(Privs::CREATE) && wanted.columns.is_empty();
        if let Target::Table(schema, name) = &target
            && !early
            && views::virtual_table(schema, name).is_none()
            && self.env.shared_identity(schema, name).is_none()
        {
            self.may_grant(&target, &wanted)?;
            return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[schema, name]));
        }
        if !wanted.dynamic.is_empty() && !matches!(target, Target::Global) {
            return Err(illegal_level(&target, &wanted));
        }
        if wanted.dynamic.iter().any(|d| !DYNAMIC.contains(&d.as_str())) {
            return Err(SqlError::new(ErrorCode::SYNTAX_ERROR, &[]));
        }
        if g.with_option {
            wanted.whole = wanted.whole.with(Privs::GRANT_OPTION);
        }
        self.may_grant(&target, &wanted)?;
        self.check_column_grant(&target, &wanted.columns)?;
        self.may(&Act::Grant(&names))?;
        if wanted.all {
            let mine = &self.env.security.account.privileges;
            wanted.dynamic.retain(|d| mine.dynamic.get(d) == Some(&true));
        }
        self.may_give_dynamic(&wanted.dynamic)?;
        if wanted.whole == Privs::GRANT_OPTION && !wanted.dynamic.is_empty() && !list.iter().any(|p| p.name == "usage")
        {
            // theirs, not that of the static privileges
            wanted.whole = Privs::NONE;
        }
        if wanted.dynamic.iter().any(|d| d == crate::kernel::identity::SYSTEM_USER) {
            self.keep_mandatory(&names)?;
        }
        let grantor = self.grantor(g)?;
        if g.as_user.is_some() && !self.may_give_as(&grantor, wanted.whole) {
            return Err(SqlError::new(ErrorCode::UNKNOWN_GRANT_AS_AUTHID, &[]));
        }
        self.each_granted(&names, |a| give(a, &target, &wanted, &grantor, g.with_option))
    }

    /// Not every privilege can be had on performance_schema: 1044 for ALL.
    fn may_name_all(&self, target: &Target, wanted: &Wanted) -> SqlResult<()> {
        match target {
            Target::Database(d) if wanted.all && d.eq_ignore_ascii_case("performance_schema") => {
                Err(self.database_denied(d))
            }
            _ => Ok(()),
        }
    }

    /// Whose restrictions a GRANT hands on: the session's, or those of the account and roles of its AS clause (3836).
    fn grantor(&mut self, g: &ast::Grant<'_>) -> SqlResult<Privileges> {
        let Some((account, set)) = &g.as_user else { return Ok(self.env.security.account.privileges.clone()) };
        let refused = || SqlError::new(ErrorCode::UNKNOWN_GRANT_AS_AUTHID, &[]);
        let (user, host) = self.account_name(account);
        let table = self.server.accounts.table();
        let Some(a) = table.get(&user, &host) else {
            self.env.conv.push(Level::Error, SqlError::new(ErrorCode::NO_SUCH_USER, &[&user, &host]));
            return Err(refused());
        };
        let granted = roles::granted(&table, a, &self.mandatory_roles());
        let active: Vec<RoleName> = match set {
            None | Some(SetRole::None) => Vec::new(),
            Some(SetRole::All) => granted.into_iter().collect(),
            Some(SetRole::Default) => granted.into_iter().filter(|r| a.privileges.default_roles.contains(r)).collect(),
            Some(SetRole::AllExcept(list)) => {
                let without = self.names(list);
                granted.into_iter().filter(|r| !without.contains(r)).collect()
            }
            Some(SetRole::Roles(list)) => {
                let wanted = self.names(list);
                if wanted.iter().any(|r| !granted.contains(r)) {
                    return Err(refused());
                }
                wanted
            }
        };
        Ok(roles::effective(&table, a, &active).privileges)
    }

    pub(crate) fn revoke(&mut self, r: &ast::Revoke<'_>) -> SqlResult<()> {
        let names = self.names(r.from);
        let (list, object, level) = match r.what {
            GrantWhat::Roles(list) => return self.revoke_roles(list, r),
            GrantWhat::Proxy(of) => return self.revoke_proxy(&of, &names, r),
            GrantWhat::AllAndGrantOption => return self.revoke_all(&names, r),
            GrantWhat::Privileges { privileges, object, level } => (privileges, object, level),
        };
        if object != ObjectKind::Table {
            return self.revoke_routine(r, list, level, object == ObjectKind::Function, &names);
        }
        let target = self.target(level)?;
        let mut wanted = wanted(list, &target)?;
        self.may_name_all(&target, &wanted)?;
        if wanted.all && matches!(target, Target::Global) {
            return self.revoke_all(&names, r);
        }
        let misplaced = !wanted.dynamic.is_empty() && !matches!(target, Target::Global);
        if misplaced {
            let e = illegal_level(&target, &wanted);
            if !r.if_exists {
                return Err(e);
            }
            self.env.conv.push(Level::Warning, e);
            wanted.dynamic.clear();
        }
        for d in wanted.dynamic.iter().filter(|d| !DYNAMIC.contains(&d.as_str())) {
            self.env.conv.warn(ErrorCode::DYNAMIC_PRIVILEGE_NOT_REGISTERED, &[d]);
        }
        wanted.dynamic.retain(|d| DYNAMIC.contains(&d.as_str()));
        self.may_grant(&target, &wanted)?;
        self.may(&Act::Grant(&names))?;
        self.may_give_dynamic(&wanted.dynamic)?;
        // dynamic privileges alone have a rule of their own, above
        if matches!(target, Target::Global) && (wanted.dynamic.is_empty() || !wanted.whole.is_none()) {
            self.may_take(&names, wanted.whole)?;
        }
        let partial = self.env.shared.globals.bool(Var::partial_revokes);
        let none = |name: &RoleName| none_on(&target, name);
        self.each_revoked(&names, r, &none, &none, |a| take(a, &target, &wanted, partial))
    }

    /// REVOKE ALL: on every level, GRANT OPTION too; roles and PROXY stay, which are revoked by name.
    fn revoke_all(&mut self, names: &[RoleName], r: &ast::Revoke<'_>) -> SqlResult<()> {
        self.may(&Act::RevokeAll(names))?;
        self.may_take(names, Privs::ALL)?;
        self.each_revoked(names, r, &none_at_all, &none_at_all, |a| {
            let p = std::mem::take(&mut a.privileges);
            let Privileges { roles, default_roles, proxies, .. } = p;
            a.privileges = Privileges { roles, default_roles, proxies, ..Privileges::default() };
            true
        })
    }

    // ---- PROXY

    /// One may lend oneself, and what one has WITH GRANT OPTION: 1698.
    fn may_proxy(&self, of: &RoleName) -> SqlResult<()> {
        let own = &self.env.security.account;
        let anybody = (String::new(), String::new());
        let lent = |name: &RoleName| own.privileges.proxies.get(name).is_some_and(|p| p.grantable);
        if (&own.user, &own.host) == (&of.0, &of.1) || lent(&anybody) || lent(of) {
            return Ok(());
        }
        let (user, host) = self.env.security.refused();
        Err(SqlError::new(ErrorCode::ACCESS_DENIED_NO_PASSWORD_ERROR, &[&user, &host]))
    }

    fn grant_proxy(&mut self, of: &ast::Account<'_>, names: &[RoleName], grantable: bool) -> SqlResult<()> {
        let of = self.account_name(of);
        self.may_proxy(&of)?;
        self.may(&Act::Grant(names))?;
        let own = &self.env.security.account;
        let proxy = Proxy { grantable, grantor: format!("{}@{}", own.user, own.host) };
        self.each_granted(names, |a| {
            a.privileges.proxies.insert(of.clone(), proxy.clone());
            // so does MySQL
            if grantable {
                a.privileges.global = a.privileges.global.with(Privs::GRANT_OPTION);
            }
        })
    }

    fn revoke_proxy(&mut self, of: &ast::Account<'_>, names: &[RoleName], r: &ast::Revoke<'_>) -> SqlResult<()> {
        let of = self.account_name(of);
        self.may_proxy(&of)?;
        self.may(&Act::Grant(names))?;
        let none = |name: &RoleName| none_on(&Target::Global, name);
        self.each_revoked(names, r, &none, &none, |a| a.privileges.proxies.remove(&of).is_some())
    }

    // ---- what is named

    /// The level of a statement. Nobody has anything to give on `information_schema`, in whatever letters: 1044.
    fn target(&self, level: PrivLevel<'_>) -> SqlResult<Target> {
        let no_db = || SqlError::new(ErrorCode::NO_DB_ERROR, &[]);
        let target = match level {
            PrivLevel::Global => Target::Global,
            PrivLevel::Database(d) => Target::Database(d.to_owned()),
            PrivLevel::CurrentDatabase => Target::Database(self.env.schema.as_deref().ok_or_else(no_db)?.to_owned()),
            PrivLevel::Table(t) => {
                let schema = t.schema.or(self.env.schema.as_deref()).ok_or_else(no_db)?;
                Target::Table(schema.to_owned(), t.name.to_owned())
            }
        };
        match &target {
            Target::Database(d) | Target::Table(d, _) if d.eq_ignore_ascii_case("information_schema") => {
                Err(self.database_denied(d))
            }
            _ => Ok(target),
        }
    }

    /// The routine of a statement and what it says of it: 1144, 1046, 1370.
    fn routine_target(
        &self,
        list: &[ast::Privilege<'_>],
        level: PrivLevel<'_>,
        function: bool,
    ) -> SqlResult<(Target, Wanted)> {
        let PrivLevel::Table(t) = level else { return Err(illegal()) };
        let no_db = || SqlError::new(ErrorCode::NO_DB_ERROR, &[]);
        let schema = t.schema.or(self.env.schema.as_deref()).ok_or_else(no_db)?.to_owned();
        let known = ["all", "all privileges", "usage", "execute", "alter routine", "grant option"];
        if list.iter().any(|p| !p.columns.is_empty() || !known.contains(&p.name)) {
            return Err(illegal());
        }
        let target = Target::Routine(schema, t.name.to_lowercase(), function);
        let wanted = wanted(list, &target)?;
        Ok((target, wanted))
    }

    fn grant_routine(
        &mut self,
        g: &ast::Grant<'_>,
        list: &[ast::Privilege<'_>],
        level: PrivLevel<'_>,
        function: bool,
        names: &[RoleName],
    ) -> SqlResult<()> {
        let (target, mut wanted) = self.routine_target(list, level, function)?;
        if g.as_user.is_some() {
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_USE_OF_GRANT_AS, &[]));
        }
        if g.with_option {
            wanted.whole = wanted.whole.with(Privs::GRANT_OPTION);
        }
        self.may_grant(&target, &wanted)?;
        if let (Target::Routine(schema, name, _), PrivLevel::Table(t)) = (&target, level) {
            let kind = if function { ProgramKind::Function } else { ProgramKind::Procedure };
            if self.env.program_identity(kind, schema, name).is_none() {
                return Err(SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&kind.name(), &t.name]));
            }
        }
        self.may(&Act::Grant(names))?;
        let grantor = self.env.security.account.privileges.clone();
        self.each_granted(names, |a| give(a, &target, &wanted, &grantor, g.with_option))
    }

    fn revoke_routine(
        &mut self,
        r: &ast::Revoke<'_>,
        list: &[ast::Privilege<'_>],
        level: PrivLevel<'_>,
        function: bool,
        names: &[RoleName],
    ) -> SqlResult<()> {
        let (target, wanted) = self.routine_target(list, level, function)?;
        self.may_grant(&target, &wanted)?;
        self.may(&Act::Grant(names))?;
        let none = |name: &RoleName| none_on(&target, name);
        self.each_revoked(names, r, &none, &none, |a| take(a, &target, &wanted, false))
    }

    /// Column privileges are for existing columns of a base table or view: 1144, 1054.
    fn check_column_grant(&self, target: &Target, columns: &[(String, Privs)]) -> SqlResult<()> {
        let Some((first, _)) = columns.first() else { return Ok(()) };
        let Target::Table(schema, name) = target else { return Err(illegal()) };
        let def = match self.env.shared_relation(MayKnow::inside(schema, name, Inside::Grant)) {
            Some(storage::dict::Relation::Table(t)) => t,
            Some(storage::dict::Relation::View(v)) => Arc::new(self.described(&v)?.def),
            None => return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[first, name])),
        };
        match columns.iter().find(|(c, _)| def.named_column(c).is_none()) {
            Some((c, _)) => Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[c, name])),
            None => Ok(()),
        }
    }

    /// The grantor has GRANT OPTION and what it grants at that level: 1045, 1044, 1142, 1143.
    fn may_grant(&self, target: &Target, w: &Wanted) -> SqlResult<()> {
        let mine = &self.env.security.account.privileges;
        let need = w.whole.with(Privs::GRANT_OPTION);
        let (user, host) = self.env.security.refused();
        let (user, host) = (&user, &host);
        match target {
            Target::Global if mine.global.has(need) => Ok(()),
            // each of these has a GRANT OPTION of its own
            Target::Global if w.whole.is_none() && !w.dynamic.is_empty() => Ok(()),
            Target::Global => {
                let a = &self.env.security.account;
                let using = if a.auth_string.is_empty() { "NO" } else { "YES" };
                Err(SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&a.user, &a.host, &using]))
            }
            Target::Database(d) if mine.on_database(d).has(need) => Ok(()),
            Target::Database(d) => Err(self.database_denied(d)),
            Target::Routine(d, r, function) => {
                let missing = need.without(mine.on_routine(d, r, *function));
                if missing.is_none() {
                    return Ok(());
                }
                let parts = [(Privs::EXECUTE, "execute"), (Privs::ALTER_ROUTINE, "alter routine")];
                let first = parts.iter().find(|(p, _)| missing.has(*p)).map_or("grant", |(_, n)| n);
                Err(self.routine_denied(first, d, r))
            }
            Target::Table(d, t) => {
                // columns are asked for below, if anything is held there at all
                let some = w.columns.iter().fold(Privs::NONE, |all, (_, p)| all.with(*p));
                let have = mine.on_table(d, t);
                let missing = need.with(some).without(have.with(mine.on_any_column(d, t).and(some)));
                if !missing.is_none() {
                    let names: Vec<&str> =
                        missing.names().map(|n| if n == "GRANT OPTION" { "GRANT" } else { n }).collect();
                    let e = &[&names.join(", ") as &dyn std::fmt::Display, user, host, t];
                    return Err(SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, e));
                }
                match w.columns.iter().find(|(c, p)| !mine.on_column(d, t, c).has(*p)) {
                    None => Ok(()),
                    Some((c, p)) => {
                        let what = p.names().next().unwrap_or_default();
                        Err(SqlError::new(ErrorCode::COLUMNACCESS_DENIED_ERROR, &[&what, user, host, c, t]))
                    }
                }
            }
        }
    }

    // ---- the accounts

    /// 1410 for an account that does not exist.
    fn each_granted(&mut self, names: &[RoleName], f: impl Fn(&mut Account)) -> SqlResult<()> {
        self.server.accounts.change(|all| {
            for (u, h) in names {
                let found = all.get_mut(u, h);
                f(found.ok_or_else(|| SqlError::new(ErrorCode::CANT_CREATE_USER_WITH_GRANT, &[]))?);
            }
            Ok(())
        })?;
        // the session's own privileges may have changed
        self.refresh_account();
        Ok(())
    }

    /// `f` takes what there is and says whether that was all that was to be taken.
    fn each_revoked(
        &mut self,
        names: &[RoleName],
        r: &ast::Revoke<'_>,
        absent: &dyn Fn(&RoleName) -> SqlError,
        not_granted: &dyn Fn(&RoleName) -> SqlError,
        f: impl Fn(&mut Account) -> bool,
    ) -> SqlResult<()> {
        let mut warnings = Vec::new();
        let done = self.server.accounts.change(|all| {
            for name in names {
                let Some(a) = all.get_mut(&name.0, &name.1) else {
                    if !r.ignore_unknown_user {
                        return Err(absent(name));
                    }
                    warnings.push(SqlError::new(ErrorCode::USER_DOES_NOT_EXIST, &[&name.0]));
                    continue;
                };
                if f(a) {
                    continue;
                }
                if !r.if_exists {
                    return Err(not_granted(name));
                }
                warnings.push(not_granted(name));
            }
            Ok(())
        });
        warnings.into_iter().for_each(|w| self.env.conv.push(Level::Warning, w));
        done?;
        self.refresh_account();
        Ok(())
    }
}

/// Static privileges on the whole, dynamic ones, and those on columns: 1144, 1221.
fn wanted(list: &[ast::Privilege<'_>], target: &Target) -> SqlResult<Wanted> {
    let every = match target {
        Target::Global => Privs::ALL,
        Target::Database(_) => Privs::DB_ALL,
        Target::Table(..) => Privs::TABLE_ALL,
        Target::Routine(..) => Privs::ROUTINE_ALL,
    };
    let mut w = Wanted::default();
    for x in list {
        match x.name {
            _ if !x.columns.is_empty() => {
                let p = Privs::by_name(x.name).filter(|p| OF_COLUMNS.has(*p)).ok_or_else(illegal)?;
                w.columns.extend(x.columns.iter().map(|c| ((*c).to_owned(), p)));
            }
            "all" | "all privileges" => {
                w.all = true;
                if matches!(target, Target::Global) {
                    w.dynamic.extend(DYNAMIC.iter().map(|d| (*d).to_owned()));
                }
                w.whole = w.whole.with(every.without(Privs::GRANT_OPTION));
            }
            "usage" => {}
            n => match Privs::by_name(&n.to_ascii_uppercase()) {
                Some(one) => w.whole = w.whole.with(one),
                None => w.dynamic.push(n.to_ascii_uppercase().replace(' ', "_")),
            },
        }
    }
    // on its own level only
    match target {
        Target::Database(_) if !w.whole.without(every.with(Privs::GRANT_OPTION)).is_none() => {
            Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"DB GRANT", &"GLOBAL PRIVILEGES"]))
        }
        Target::Table(..) if !w.whole.without(every.with(Privs::GRANT_OPTION)).is_none() => Err(illegal()),
        _ => Ok(w),
    }
}

/// Gives an account what is wanted. Of what is granted globally it gets the grantor's restrictions, but not of what it has without them.
fn give(a: &mut Account, target: &Target, w: &Wanted, grantor: &Privileges, with_option: bool) {
    let p = &mut a.privileges;
    match target {
        Target::Global => {
            let held = p.global;
            let mut databases: Vec<String> = p.restrictions.keys().cloned().collect();
            databases.extend(grantor.restrictions.keys().filter(|d| !p.restrictions.contains_key(*d)).cloned());
            for d in databases {
                let old = p.restrictions.get(&d).copied().unwrap_or_default();
                let lent = grantor.restrictions.get(&d).copied().unwrap_or_default().and(w.whole);
                let new = old.without(w.whole).with(lent.without(held)).with(lent.and(old));
                p.restrict(&d, new);
            }
            p.global = held.with(w.whole);
            for d in &w.dynamic {
                *p.dynamic.entry(d.clone()).or_default() |= with_option;
            }
        }
        Target::Database(d) => {
            let restricted = p.restrictions.get(d).copied().unwrap_or_default();
            p.restrict(d, restricted.without(w.whole));
            let rest = w.whole.without(restricted);
            if !rest.is_none() {
                let now = p.databases.entry(d.clone()).or_default();
                *now = now.with(rest);
            }
        }
        Target::Table(d, t) => {
            if w.whole.is_none() && w.columns.is_empty() {
                return;
            }
            let entry = p.tables.entry((d.clone(), t.clone())).or_default();
            entry.table = entry.table.with(w.whole);
            for (c, p) in &w.columns {
                let known = entry.columns.keys().find(|k| k.eq_ignore_ascii_case(c)).cloned();
                let now = entry.columns.entry(known.unwrap_or_else(|| c.clone())).or_default();
                *now = now.with(*p);
            }
        }
        Target::Routine(d, r, function) => {
            if !w.whole.is_none() {
                let now = p.routines.entry((d.clone(), r.clone(), *function)).or_default();
                *now = now.with(w.whole);
            }
        }
    }
}

/// Takes from an account what it has of what is wanted; whether that was all of it.
fn take(a: &mut Account, target: &Target, w: &Wanted, partial: bool) -> bool {
    let p = &mut a.privileges;
    match target {
        Target::Global => {
            p.global = p.global.without(w.whole);
            p.dynamic.retain(|d, _| !w.dynamic.contains(d));
            let left = |(d, r): (&String, &Privs)| (d.clone(), r.without(w.whole));
            for (d, r) in p.restrictions.iter().map(left).collect::<Vec<_>>() {
                p.restrict(&d, r);
            }
            true
        }
        Target::Database(d) => {
            let here = p.databases.get(d).copied().unwrap_or_default().and(w.whole);
            let global = p.global.and(w.whole.without(here));
            // ALL means what is granted there, if anything is
            let restricted = if !partial || w.all && !here.is_none() { Privs::NONE } else { global };
            if let Some(now) = p.databases.get_mut(d) {
                *now = now.without(here);
            }
            p.databases.retain(|_, now| !now.is_none());
            let before = p.restrictions.get(d).copied().unwrap_or_default();
            p.restrict(d, before.with(restricted));
            if w.all && !here.is_none() { true } else { here.with(restricted) == w.whole }
        }
        Target::Table(d, t) => take_on_table(p, &(d.clone(), t.clone()), w),
        Target::Routine(d, r, function) => {
            let key = (d.clone(), r.clone(), *function);
            let Some(now) = p.routines.get_mut(&key) else { return false };
            let complete = w.all || now.has(w.whole);
            *now = now.without(w.whole);
            if now.is_none() {
                p.routines.remove(&key);
            }
            complete
        }
    }
}

fn take_on_table(p: &mut Privileges, key: &(String, String), w: &Wanted) -> bool {
    let Some(entry) = p.tables.get_mut(key) else { return false };
    // a privilege on the table takes those on its columns along
    let there = entry.columns.values().fold(entry.table, |all, c| all.with(*c));
    let of_column = |c: &str| entry.columns.iter().find(|(k, _)| k.eq_ignore_ascii_case(c)).map(|(_, p)| *p);
    let every = w.columns.iter().all(|(c, p)| of_column(c).is_some_and(|have| have.has(*p)));
    let complete = w.all || every && there.has(w.whole);
    entry.table = entry.table.without(w.whole);
    for (name, have) in &mut entry.columns {
        let wanted = w.columns.iter().filter(|(c, _)| c.eq_ignore_ascii_case(name));
        *have = wanted.fold(have.without(w.whole), |left, (_, p)| left.without(*p));
    }
    entry.columns.retain(|_, have| !have.is_none());
    if entry.table.is_none() && entry.columns.is_empty() {
        p.tables.remove(key);
    }
    complete
}
