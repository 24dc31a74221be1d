//! CREATE/ALTER/DROP/RENAME USER, GRANT, REVOKE.

use crate::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, AuthPlugin, Privs, hash_password};
use catalog::sysvar::Var;
use parser::ast::{self, GrantWhat, ObjectKind, PrivLevel, Require, Secret, Statement};

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
            Statement::Grant(g) => self.grant(g),
            Statement::Revoke(r) => self.revoke(r),
            _ => Err(SqlError::unsupported("this account statement")),
        }
    }

    fn set_auth(&self, a: &mut Account, spec: &ast::UserSpec<'_>) -> SqlResult<()> {
        if spec.multi_factor {
            return Err(SqlError::unsupported("multi-factor authentication"));
        }
        let Some(auth) = &spec.auth else { return Ok(()) };
        if let Some(name) = auth.plugin {
            a.plugin = AuthPlugin::by_name(name).ok_or_else(|| {
                SqlError::with_message(ErrorCode::PLUGIN_IS_NOT_LOADED, format!("Plugin '{name}' is not loaded"))
            })?;
        }
        let rounds = self.env.globals.num(Var::caching_sha2_password_digest_rounds) as u32;
        match auth.secret {
            Secret::None => a.auth_string.clear(),
            Secret::Password(p) => a.auth_string = hash_password(a.plugin, p, rounds)?,
            Secret::RandomPassword => return Err(SqlError::unsupported("RANDOM PASSWORD")),
            Secret::Hash(h) => {
                let text = String::from_utf8_lossy(h).into_owned();
                if !a.plugin.accepts(&text) {
                    return Err(SqlError::with_message(
                        ErrorCode::PASSWORD_FORMAT,
                        "The password hash doesn't have the expected format.",
                    ));
                }
                a.auth_string = text;
            }
        }
        if auth.retain_current {
            return Err(SqlError::unsupported("RETAIN CURRENT PASSWORD"));
        }
        Ok(())
    }

    fn set_options(a: &mut Account, o: &ast::UserOptions<'_>) -> SqlResult<()> {
        match o.require {
            None => {}
            Some(Require::None) => a.require_ssl = false,
            Some(Require::Ssl) => a.require_ssl = true,
            Some(Require::X509 | Require::Attributes { .. }) => return Err(SqlError::unsupported("REQUIRE X509")),
        }
        let limits = [o.max_queries_per_hour, o.max_updates_per_hour, o.max_connections_per_hour];
        if limits.iter().flatten().any(|n| *n > 0) {
            return Err(SqlError::unsupported("hourly resource limits"));
        }
        if let Some(n) = o.max_user_connections {
            a.max_user_connections = n.min(u64::from(u32::MAX)) as u32;
        }
        if let Some(l) = o.locked {
            a.locked = l;
        }
        match o.password_expire {
            Some(ast::PasswordExpire::Now) => a.expired = true,
            Some(ast::PasswordExpire::Days(_)) => return Err(SqlError::unsupported("PASSWORD EXPIRE INTERVAL")),
            _ => {}
        }
        if let Some(c) = o.comment {
            a.attribute = Some(format!("{{\"comment\": {:?}}}", String::from_utf8_lossy(c)));
        }
        if let Some(c) = o.attribute {
            a.attribute = Some(String::from_utf8_lossy(c).into_owned());
        }
        Ok(())
    }

    fn create_user(&mut self, c: &ast::CreateUser<'_>) -> SqlResult<()> {
        self.require(Privs::CREATE_USER, "CREATE USER")?;
        let mut made = Vec::new();
        for spec in c.users {
            let (user, host) = self.account_name(&spec.account);
            let mut a = Account::new(user, host);
            self.set_auth(&mut a, spec)?;
            Self::set_options(&mut a, &c.options)?;
            made.push(a);
        }
        let mut notes = Vec::new();
        self.server.accounts.change(|all| {
            for a in made {
                if all.iter().any(|o| o.user == a.user && o.host == a.host) {
                    if !c.if_not_exists {
                        return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"CREATE USER", &a.quoted()]));
                    }
                    notes.push(format!("Authorization ID {} already exists.", a.quoted()));
                    continue;
                }
                all.push(a);
            }
            Ok(())
        })?;
        for n in notes {
            self.env.conv.push(value::Level::Note, SqlError::with_message(ErrorCode::USER_ALREADY_EXISTS, n));
        }
        Ok(())
    }

    fn alter_user(&mut self, s: &ast::AlterUser<'_>) -> SqlResult<()> {
        for spec in s.users {
            let (user, host) = self.account_name(&spec.account);
            let own = user == self.env.account.user && host == self.env.account.host;
            if !own {
                self.require(Privs::CREATE_USER, "CREATE USER")?;
            }
            let exists = self.server.accounts.get(&user, &host).is_some();
            if !exists && s.if_exists {
                continue;
            }
            let this = &*self;
            this.server.accounts.update("ALTER USER", &user, &host, |a| {
                if spec.auth.is_some() {
                    a.expired = false;
                }
                this.set_auth(a, spec)?;
                Self::set_options(a, &s.options)
            })?;
        }
        Ok(())
    }

    fn drop_users(&mut self, if_exists: bool, users: &[ast::Account<'_>]) -> SqlResult<()> {
        self.require(Privs::CREATE_USER, "CREATE USER")?;
        let names: Vec<_> = users.iter().map(|a| self.account_name(a)).collect();
        let missing: Vec<String> = names
            .iter()
            .filter(|(u, h)| self.server.accounts.get(u, h).is_none())
            .map(|(u, h)| format!("'{u}'@'{h}'"))
            .collect();
        if !missing.is_empty() && !if_exists {
            return Err(SqlError::new(ErrorCode::CANNOT_USER, &[&"DROP USER", &missing.join(",")]));
        }
        self.server.accounts.change(|all| {
            all.retain(|a| !names.iter().any(|(u, h)| a.user == *u && a.host == *h));
            Ok(())
        })
    }

    fn rename_users(&mut self, pairs: &[(ast::Account<'_>, ast::Account<'_>)]) -> SqlResult<()> {
        self.require(Privs::CREATE_USER, "CREATE USER")?;
        let names: Vec<_> = pairs.iter().map(|(a, b)| (self.account_name(a), self.account_name(b))).collect();
        self.server.accounts.change(|all| {
            for ((u, h), (nu, nh)) in &names {
                let failed = || SqlError::new(ErrorCode::CANNOT_USER, &[&"RENAME USER", &format_args!("'{u}'@'{h}'")]);
                if all.iter().any(|a| a.user == *nu && a.host == *nh) {
                    return Err(failed());
                }
                let a = all.iter_mut().find(|a| a.user == *u && a.host == *h).ok_or_else(failed)?;
                (a.user, a.host) = (nu.clone(), nh.clone());
            }
            Ok(())
        })
    }

    fn privileges_of(&self, list: &[ast::Privilege<'_>], level_all: Privs) -> SqlResult<(Privs, Vec<String>)> {
        let mut p = Privs::NONE;
        let mut dynamic = Vec::new();
        for x in list {
            if !x.columns.is_empty() {
                return Err(SqlError::unsupported("column privileges"));
            }
            match x.name {
                "all" | "all privileges" => p = p.with(level_all.without(Privs::GRANT_OPTION)),
                "usage" => {}
                n => match Privs::by_name(&n.to_ascii_uppercase()) {
                    Some(one) => p = p.with(one),
                    None => dynamic.push(n.to_ascii_uppercase().replace(' ', "_")),
                },
            }
        }
        Ok((p, dynamic))
    }

    fn grant(&mut self, g: &ast::Grant<'_>) -> SqlResult<()> {
        if g.as_user.is_some() {
            return Err(SqlError::unsupported("GRANT ... AS"));
        }
        self.change_grants(&g.what, g.to, true, g.with_option)
    }

    fn revoke(&mut self, r: &ast::Revoke<'_>) -> SqlResult<()> {
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
                    a.privileges = Default::default();
                    Ok(())
                });
            }
            GrantWhat::Roles(_) => return Err(SqlError::unsupported("roles")),
            GrantWhat::Proxy(_) => return Err(SqlError::unsupported("GRANT PROXY")),
        };
        if object != ObjectKind::Table {
            return Err(SqlError::unsupported("privileges on routines"));
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
                if give && self.env.engine.dict().relation(schema, t.name).is_none() {
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
        let (mut p, dynamic) = self.privileges_of(privileges, all)?;
        if !dynamic.is_empty() && !matches!(target, Target::Global) {
            return Err(SqlError::with_message(
                ErrorCode::ILLEGAL_GRANT_FOR_TABLE,
                "Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be used",
            ));
        }
        if with_option {
            p = p.with(Privs::GRANT_OPTION);
        }
        self.may_grant(&target, p)?;
        self.each_account(&names, give, |a| {
            apply(a, &target, p, give);
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

    /// The grantor has GRANT OPTION and what it grants at that level: 1045, 1044, 1142.
    fn may_grant(&self, target: &Target, p: Privs) -> SqlResult<()> {
        let mine = &self.env.account.privileges;
        let need = p.with(Privs::GRANT_OPTION);
        let (user, host) = &self.env.user;
        match target {
            Target::Global if mine.global.has(need) => Ok(()),
            Target::Global => Err(SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[user, host, &"YES"])),
            Target::Database(d) if mine.on_database(d).has(need) => Ok(()),
            Target::Database(d) => Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[user, host, d])),
            Target::Table(d, t) => self.require_on_table(need, d, t),
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
        let own = &self.env.account;
        if let Some(a) = self.server.accounts.get(&own.user, &own.host) {
            self.env.account = a;
        }
        Ok(())
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
            if entry.table.is_none() && entry.columns.is_empty() {
                privileges.tables.remove(&key);
            }
        }
    }
}
