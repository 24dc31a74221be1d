//! CREATE/ALTER/DROP/RENAME USER, GRANT, REVOKE.

use crate::generated::Generated;
use crate::passwords::{self, NewPassword};
use crate::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, AuthPlugin, Privileges, Privs, TlsRequirement, hash_password};
use catalog::sysvar::Var;
use parser::ast::{self, GrantWhat, ObjectKind, PrivLevel, Require, Secret, Statement};
use std::sync::Arc;

impl Session {
    /// User and host of an account as written.
    pub(crate) fn account_name(&self, a: &ast::Account<'_>) -> (String, String) {
        match a {
            ast::Account::Name { user, host } => ((*user).to_owned(), host.unwrap_or("%").to_ascii_lowercase()),
            ast::Account::CurrentUser => (self.env.account.user.clone(), self.env.account.host.clone()),
        }
    }

    /// Runs an account statement.
    pub(crate) fn account_statement(&mut self, s: &Statement<'_>) -> SqlResult<()> {
        match s {
            Statement::CreateUser(c) => self.create_user(c),
            Statement::AlterUser(a) => self.alter_user(a),
            Statement::DropUser { if_exists, users } => self.drop_users(*if_exists, users),
            Statement::RenameUser(pairs) => self.rename_users(pairs),
            Statement::CreateRole { if_not_exists, roles } => self.create_roles(*if_not_exists, roles),
            Statement::DropRole { if_exists, roles } => self.drop_roles(*if_exists, roles),
            Statement::SetDefaultRole { roles, users } => self.set_default_role(roles, users),
            Statement::Grant(g) => self.grant(g),
            Statement::Revoke(r) => self.revoke(r),
            _ => Err(SqlError::unsupported("this account statement")),
        }
    }

    fn set_auth(&self, a: &mut Account, spec: &ast::UserSpec<'_>, made: &mut Vec<Generated>) -> SqlResult<()> {
        if spec.multi_factor {
            return Err(SqlError::unsupported("multi-factor authentication"));
        }
        if spec.discard_old_password {
            a.password.retained.clear();
        }
        let Some(auth) = &spec.auth else { return Ok(()) };
        let plugin = match auth.plugin {
            None => a.plugin,
            Some(name) => AuthPlugin::by_name(name).ok_or_else(|| {
                SqlError::with_message(ErrorCode::PLUGIN_IS_NOT_LOADED, format!("Plugin '{name}' is not loaded"))
            })?,
        };
        let rounds = self.env.globals.num(Var::caching_sha2_password_digest_rounds) as u32;
        let mut random = String::new();
        let (auth_string, plain) = match auth.secret {
            Secret::None => (String::new(), None),
            Secret::Password(p) => (hash_password(plugin, p, rounds)?, Some(p)),
            Secret::RandomPassword => {
                random = self.random_password()?;
                (hash_password(plugin, random.as_bytes(), rounds)?, Some(random.as_bytes()))
            }
            Secret::Hash(h) => {
                let text = String::from_utf8_lossy(h).into_owned();
                if !plugin.accepts(&text) {
                    return Err(SqlError::with_message(
                        ErrorCode::PASSWORD_FORMAT,
                        "The password hash doesn't have the expected format.",
                    ));
                }
                (text, None)
            }
        };
        self.set_new_password(a, NewPassword { plugin, auth_string, plain, retain: auth.retain_current })?;
        if matches!(auth.secret, Secret::RandomPassword) {
            made.push(Generated { user: a.user.clone(), host: a.host.clone(), password: random });
        }
        Ok(())
    }

    fn set_options(a: &mut Account, o: &ast::UserOptions<'_>) -> SqlResult<()> {
        match o.require {
            None => {}
            Some(Require::None) => a.require = TlsRequirement::None,
            Some(Require::Ssl) => a.require = TlsRequirement::Ssl,
            Some(Require::X509) => a.require = TlsRequirement::X509,
            Some(Require::Attributes { subject, issuer, cipher }) => {
                let text = |t: Option<&[u8]>| t.map(|t| String::from_utf8_lossy(t).into_owned()).unwrap_or_default();
                a.require =
                    TlsRequirement::Specified { subject: text(subject), issuer: text(issuer), cipher: text(cipher) };
            }
        }
        if let Some(l) = o.locked {
            a.locked = l;
        }
        passwords::set_policy(a, o)?;
        passwords::set_attribute(a, o)
    }

    fn create_user(&mut self, c: &ast::CreateUser<'_>) -> SqlResult<()> {
        self.require(Privs::CREATE_USER, "CREATE USER")?;
        let names: Vec<_> = c.users.iter().map(|u| self.account_name(&u.account)).collect();
        let new: Vec<_> = names.into_iter().filter(|(u, h)| self.server.accounts.get(u, h).is_none()).collect();
        self.check_definers("CREATE USER", &new)?;
        let mut made = Vec::new();
        let mut generated = Vec::new();
        for spec in c.users {
            let (user, host) = self.account_name(&spec.account);
            let mut a = Account::new(user, host);
            a.password.changed = Some(passwords::now_seconds());
            // the rules count for the first password too
            passwords::set_policy(&mut a, &c.options)?;
            self.set_auth(&mut a, spec, &mut generated)?;
            Self::set_options(&mut a, &c.options)?;
            made.push(a);
        }
        let defaults: Vec<_> = c.default_roles.iter().map(|r| self.account_name(r)).collect();
        if let Some((u, h)) = defaults.iter().find(|(u, h)| self.server.accounts.get(u, h).is_none()) {
            return Err(SqlError::new(ErrorCode::UNKNOWN_AUTHID, &[&format_args!("`{u}`@`{h}`")]));
        }
        let mut notes = Vec::new();
        self.server.accounts.change(|all| {
            for mut a in made {
                // a default role is granted along with it
                a.privileges.roles.extend(defaults.iter().map(|r| (r.clone(), false)));
                a.privileges.default_roles.extend(defaults.iter().cloned());
                if all.iter().any(|o| o.user == a.user && o.host == a.host) {
                    if !c.if_not_exists {
                        return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"CREATE USER", &a.quoted()]));
                    }
                    notes.push(format!("Authorization ID {} already exists.", a.quoted()));
                    generated.retain(|g: &Generated| g.user != a.user || g.host != a.host);
                    continue;
                }
                all.push(a);
            }
            Ok(())
        })?;
        for n in notes {
            self.env.conv.push(value::Level::Note, SqlError::with_message(ErrorCode::USER_ALREADY_EXISTS, n));
        }
        self.generated = generated;
        Ok(())
    }

    fn alter_user(&mut self, s: &ast::AlterUser<'_>) -> SqlResult<()> {
        if let Some(roles) = &s.default_roles {
            let users: Vec<ast::Account<'_>> = s.users.iter().map(|u| u.account).collect();
            return self.set_default_role(roles, &users);
        }
        let me = (self.env.account.user.clone(), self.env.account.host.clone());
        let names: Vec<_> = s.users.iter().map(|u| self.account_name(&u.account)).collect();
        for (spec, name) in s.users.iter().zip(&names) {
            self.may_alter(s, spec, *name == me)?;
        }
        self.may_touch(&names)?;
        let (this, mut made, mut missing) = (&*self, Vec::new(), Vec::new());
        this.server.accounts.change(|all| {
            for (spec, name) in s.users.iter().zip(&names) {
                let Some(a) = all.iter_mut().find(|a| a.user == name.0 && a.host == name.1) else {
                    missing.push(format!("'{}'@'{}'", name.0, name.1));
                    continue;
                };
                if let Some(auth) = &spec.auth {
                    this.check_replaced(a, *name == me, auth.replace)?;
                }
                this.set_auth(a, spec, &mut made)?;
                // a plugin without a password: one has to be chosen
                a.expired |= matches!(spec.auth, Some(ast::Auth { secret: Secret::None, .. }));
                Self::set_options(a, &s.options)?;
            }
            if s.if_exists || missing.is_empty() {
                return Ok(());
            }
            Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"ALTER USER", &missing.join(",")]))
        })?;
        for n in missing {
            self.env.conv.push(value::Level::Note, SqlError::new(ErrorCode::USER_DOES_NOT_EXIST, &[&n]));
        }
        if passwords::resets_usage(&s.options) {
            names.iter().for_each(|(u, h)| self.server.accounts.usage().reset(u, h));
        }
        if names.contains(&me) {
            self.sandbox = self.server.accounts.get(&me.0, &me.1).is_some_and(|a| a.expired);
        }
        self.generated.append(&mut made);
        Ok(())
    }

    /// Everybody may change their own password, and drop or retain the old one with APPLICATION_PASSWORD_ADMIN; the rest needs CREATE USER.
    fn may_alter(&self, s: &ast::AlterUser<'_>, spec: &ast::UserSpec<'_>, own: bool) -> SqlResult<()> {
        let nothing_else = s.options == ast::UserOptions::default();
        let password = spec.auth.is_some_and(|a| a.plugin.is_none()) || spec.discard_old_password;
        if !own || !nothing_else || !password {
            return self.require(Privs::CREATE_USER, "CREATE USER");
        }
        let mine = &self.env.account.privileges;
        let old = spec.discard_old_password || spec.auth.is_some_and(|a| a.retain_current);
        if old && !mine.holds_dynamic("APPLICATION_PASSWORD_ADMIN") {
            return self.require(Privs::CREATE_USER, "CREATE USER or APPLICATION_PASSWORD_ADMIN");
        }
        Ok(())
    }

    fn drop_users(&mut self, if_exists: bool, users: &[ast::Account<'_>]) -> SqlResult<()> {
        self.require(Privs::CREATE_USER, "CREATE USER")?;
        self.drop_accounts("DROP USER", if_exists, users)
    }

    fn rename_users(&mut self, pairs: &[(ast::Account<'_>, ast::Account<'_>)]) -> SqlResult<()> {
        self.require(Privs::CREATE_USER, "CREATE USER")?;
        let names: Vec<_> = pairs.iter().map(|(a, b)| (self.account_name(a), self.account_name(b))).collect();
        let old: Vec<_> = names.iter().map(|(old, _)| old.clone()).collect();
        self.may_touch(&old)?;
        self.check_definers("RENAME USER", &old)?;
        self.server.accounts.change(|all| {
            for ((u, h), (nu, nh)) in &names {
                let failed = || SqlError::new(ErrorCode::CANNOT_USER, &[&"RENAME USER", &format_args!("'{u}'@'{h}'")]);
                if all.iter().any(|a| a.user == *nu && a.host == *nh) {
                    return Err(failed());
                }
                let is_role = |a: &Account| a.privileges.roles.contains_key(&(u.clone(), h.clone()));
                if all.iter().any(is_role) {
                    return Err(SqlError::new(ErrorCode::RENAME_ROLE, &[]));
                }
                let a = all.iter_mut().find(|a| a.user == *u && a.host == *h).ok_or_else(failed)?;
                (a.user, a.host) = (nu.clone(), nh.clone());
                crate::roles::rename(all, &(u.clone(), h.clone()), &(nu.clone(), nh.clone()));
            }
            Ok(())
        })
    }

    /// Static privileges on the whole, dynamic ones, and those on columns.
    fn privileges_of(&self, list: &[ast::Privilege<'_>], level_all: Privs) -> SqlResult<Granted> {
        let mut g = Granted::default();
        for x in list {
            match x.name {
                _ if !x.columns.is_empty() => {
                    let p = Privs::by_name(x.name).filter(|p| OF_COLUMNS.has(*p)).ok_or_else(illegal)?;
                    g.columns.extend(x.columns.iter().map(|c| ((*c).to_owned(), p)));
                }
                "all" | "all privileges" => g.whole = g.whole.with(level_all.without(Privs::GRANT_OPTION)),
                "usage" => {}
                n => match Privs::by_name(&n.to_ascii_uppercase()) {
                    Some(one) => g.whole = g.whole.with(one),
                    None => g.dynamic.push(n.to_ascii_uppercase().replace(' ', "_")),
                },
            }
        }
        Ok(g)
    }

    fn grant(&mut self, g: &ast::Grant<'_>) -> SqlResult<()> {
        if g.as_user.is_some() {
            return Err(SqlError::unsupported("GRANT ... AS"));
        }
        self.change_grants(&g.what, g.to, true, g.with_option)
    }

    fn revoke(&mut self, r: &ast::Revoke<'_>) -> SqlResult<()> {
        if let GrantWhat::Roles(list) = r.what {
            return self.revoke_roles(list, r);
        }
        self.change_grants(&r.what, r.from, false, false)
    }

    fn change_grants(
        &mut self,
        what: &GrantWhat<'_>,
        accounts: &[ast::Account<'_>],
        give: bool,
        with_option: bool,
    ) -> SqlResult<()> {
        let names: Vec<_> = accounts.iter().map(|a| self.account_name(a)).collect();
        let (privileges, object, level) = match what {
            GrantWhat::Privileges { privileges, object, level } => (*privileges, *object, *level),
            GrantWhat::AllAndGrantOption => {
                self.require(Privs::CREATE_USER, "CREATE USER")?;
                return self.each_account(&names, give, |a| {
                    // roles are revoked by name
                    let (roles, default_roles) = (a.privileges.roles.clone(), a.privileges.default_roles.clone());
                    a.privileges = Privileges { roles, default_roles, ..Privileges::default() };
                    Ok(())
                });
            }
            GrantWhat::Roles(list) => return self.grant_roles(list, accounts, with_option),
            GrantWhat::Proxy(_) => return Err(SqlError::unsupported("GRANT PROXY")),
        };
        if object != ObjectKind::Table {
            return self.routine_grants(privileges, level, &names, give);
        }
        let target = match level {
            PrivLevel::Global => Target::Global,
            PrivLevel::Database(d) => Target::Database(d.to_owned()),
            PrivLevel::CurrentDatabase => match &self.env.schema {
                Some(s) => Target::Database(s.to_string()),
                None => return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[])),
            },
            PrivLevel::Table(t) => {
                let schema = t.schema.or(self.env.schema.as_deref());
                let schema = schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?;
                let there = views::virtual_table(schema, t.name).is_some();
                if give && !there && self.env.engine.dict().relation(schema, t.name).is_none() {
                    return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &t.name]));
                }
                Target::Table(schema.to_owned(), t.name.to_owned())
            }
        };
        let all = match &target {
            Target::Global => Privs::ALL,
            Target::Database(_) => Privs::DB_ALL,
            Target::Table(..) => Privs::TABLE_ALL,
        };
        let Granted { whole: mut p, dynamic, columns } = self.privileges_of(privileges, all)?;
        self.check_column_grant(&target, &columns)?;
        if !dynamic.is_empty() && !matches!(target, Target::Global) {
            return Err(illegal());
        }
        if with_option {
            p = p.with(Privs::GRANT_OPTION);
        }
        self.may_grant(&target, p, &columns)?;
        self.each_account(&names, give, |a| {
            apply(a, &target, p, give);
            apply_columns(a, &target, &columns, give);
            for d in &dynamic {
                if give {
                    a.privileges.dynamic.insert(d.clone(), with_option);
                } else {
                    a.privileges.dynamic.remove(d);
                }
            }
            Ok(())
        })
    }

    /// GRANT and REVOKE of privileges on routines, of which there are none: 1144, 1305, 1141, 1403.
    fn routine_grants(
        &self,
        list: &[ast::Privilege<'_>],
        level: PrivLevel<'_>,
        names: &[(String, String)],
        give: bool,
    ) -> SqlResult<()> {
        let PrivLevel::Table(t) = level else { return Err(illegal()) };
        if t.schema.is_none() && self.env.schema.is_none() {
            return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[]));
        }
        let known = ["all", "all privileges", "usage", "execute", "alter routine", "grant option"];
        if list.iter().any(|p| !p.columns.is_empty() || !known.contains(&p.name)) {
            return Err(illegal());
        }
        if give {
            return Err(SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"FUNCTION or PROCEDURE", &t.name]));
        }
        match names.iter().find(|(u, h)| self.server.accounts.get(u, h).is_none()) {
            Some((u, h)) => Err(SqlError::new(ErrorCode::NONEXISTING_GRANT, &[u, h])),
            None => {
                let (u, h) = names.first().map_or(("", ""), |(u, h)| (u, h));
                Err(SqlError::new(ErrorCode::NONEXISTING_PROC_GRANT, &[&u, &h, &t.name]))
            }
        }
    }

    /// Column privileges are for existing columns of a base table or view: 1144, 1054.
    fn check_column_grant(&self, target: &Target, columns: &[(String, Privs)]) -> SqlResult<()> {
        let Some((first, _)) = columns.first() else { return Ok(()) };
        let Target::Table(schema, name) = target else { return Err(illegal()) };
        let def = match self.env.engine.dict().relation(schema, name) {
            Some(storage::dict::Relation::Table(t)) => t,
            Some(storage::dict::Relation::View(v)) => {
                Arc::new(planner::view::describe(&v, &crate::resolver::SessionResolver(&self.env))?.def)
            }
            None => return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[first, name])),
        };
        match columns.iter().find(|(c, _)| def.column(c).is_none()) {
            Some((c, _)) => Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[c, name])),
            None => Ok(()),
        }
    }

    /// The grantor has GRANT OPTION and what it grants at that level: 1045, 1044, 1142, 1143.
    fn may_grant(&self, target: &Target, p: Privs, columns: &[(String, Privs)]) -> SqlResult<()> {
        let mine = &self.env.account.privileges;
        let need = p.with(Privs::GRANT_OPTION);
        let (user, host) = &self.env.user;
        match target {
            Target::Global if mine.global.has(need) => Ok(()),
            Target::Global => Err(SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[user, host, &"YES"])),
            Target::Database(d) if mine.on_database(d).has(need) => Ok(()),
            Target::Database(d) => Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[user, host, d])),
            Target::Table(d, t) => {
                self.require_on_table(need, d, t)?;
                match columns.iter().find(|(c, p)| !mine.on_column(d, t, c).has(*p)) {
                    None => Ok(()),
                    Some((c, p)) => {
                        let what = p.names().next().unwrap_or_default();
                        Err(SqlError::new(ErrorCode::COLUMNACCESS_DENIED_ERROR, &[&what, user, host, c, t]))
                    }
                }
            }
        }
    }

    fn each_account(
        &mut self,
        names: &[(String, String)],
        give: bool,
        f: impl Fn(&mut Account) -> SqlResult<()>,
    ) -> SqlResult<()> {
        self.server.accounts.change(|all| {
            for (u, h) in names {
                match all.iter_mut().find(|a| a.user == *u && a.host == *h) {
                    Some(a) => f(a)?,
                    None if give => {
                        return Err(SqlError::with_message(
                            ErrorCode::CANT_CREATE_USER_WITH_GRANT,
                            "You are not allowed to create a user with GRANT",
                        ));
                    }
                    None => return Err(SqlError::new(ErrorCode::NONEXISTING_GRANT, &[u, h])),
                }
            }
            Ok(())
        })?;
        // the session's own privileges may have changed
        self.refresh_account();
        Ok(())
    }
}

/// What a list of privileges says.
#[derive(Default)]
struct Granted {
    whole: Privs,
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

fn apply_columns(a: &mut Account, target: &Target, columns: &[(String, Privs)], give: bool) {
    let Target::Table(d, t) = target else { return };
    if columns.is_empty() {
        return;
    }
    let key = (d.clone(), t.clone());
    let entry = a.privileges.tables.entry(key.clone()).or_default();
    for (c, p) in columns {
        let name = entry.columns.keys().find(|k| k.eq_ignore_ascii_case(c)).cloned().unwrap_or_else(|| c.clone());
        let now = entry.columns.entry(name).or_default();
        *now = if give { now.with(*p) } else { now.without(*p) };
    }
    entry.columns.retain(|_, p| !p.is_none());
    if entry.table.is_none() && entry.columns.is_empty() {
        a.privileges.tables.remove(&key);
    }
}

enum Target {
    Global,
    Database(String),
    Table(String, String),
}

fn apply(a: &mut Account, target: &Target, p: Privs, give: bool) {
    let change = |now: Privs| if give { now.with(p) } else { now.without(p) };
    let privileges = &mut a.privileges;
    match target {
        Target::Global => privileges.global = change(privileges.global),
        Target::Database(d) => {
            let now = privileges.databases.get(d).copied().unwrap_or_default();
            let new = change(now);
            if new.is_none() {
                privileges.databases.remove(d);
            } else {
                privileges.databases.insert(d.clone(), new);
            }
        }
        Target::Table(d, t) => {
            let key = (d.clone(), t.clone());
            let entry = privileges.tables.entry(key.clone()).or_default();
            entry.table = change(entry.table);
            if !give {
                entry.columns.values_mut().for_each(|c| *c = c.without(p));
                entry.columns.retain(|_, c| !c.is_none());
            }
            if entry.table.is_none() && entry.columns.is_empty() {
                privileges.tables.remove(&key);
            }
        }
    }
}
