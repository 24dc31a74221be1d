//! CREATE/ALTER/DROP/RENAME USER. GRANT and REVOKE: `granting.rs`, `roles.rs`.

use crate::accounts::passwords::{self, NewPassword};
use crate::accounts::rules::Act;
use crate::kernel::identity::Generated;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::roles::RoleName;
use catalog::accounts::{Account, AuthPlugin, TlsRequirement, hash_password};
use catalog::sysvar::Var;
use parser::ast::{self, Require, Secret, Statement};
use parser::secrets::Hidden;

impl Session {
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
        if !plugin.is_enabled() {
            return Err(plugin.not_loaded());
        }
        let rounds = self.env.shared.globals.num(Var::caching_sha2_password_digest_rounds) as u32;
        let mut random = String::new();
        let (auth_string, plain) = match auth.secret {
            Secret::None => (String::new(), None),
            Secret::Password(Hidden(p)) => (hash_password(plugin, p, rounds)?, Some(p)),
            Secret::RandomPassword => {
                random = self.random_password()?;
                (hash_password(plugin, random.as_bytes(), rounds)?, Some(random.as_bytes()))
            }
            Secret::Hash(Hidden(h)) => {
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
            made.push(Generated { user: a.user.clone(), host: a.host.clone(), password: Hidden(random) });
        }
        Ok(())
    }

    fn set_options(&self, a: &mut Account, o: &ast::UserOptions<'_>) -> SqlResult<()> {
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
        passwords::set_attribute(a, o, &|b| crate::text::in_utf8(&self.env, b))
    }

    fn create_user(&mut self, c: &ast::CreateUser<'_>) -> SqlResult<()> {
        let names: Vec<_> = c.users.iter().map(|u| self.account_name(&u.account)).collect();
        let defaults: Vec<_> = c.default_roles.iter().map(|r| self.account_name(r)).collect();
        self.may(&Act::Create { users: &names, defaults: &defaults })?;
        let new: Vec<_> = names.into_iter().filter(|(u, h)| self.server.accounts.get(u, h).is_none()).collect();
        self.check_definers("CREATE USER", &new)?;
        let mut made = Vec::new();
        let mut generated = Vec::new();
        for spec in c.users {
            let (user, host) = self.account_name(&spec.account);
            let mut a = Account::new(user, host);
            a.password.changed = Some(crate::kernel::identity::now_seconds());
            // the rules count for the first password too
            passwords::set_policy(&mut a, &c.options)?;
            self.set_auth(&mut a, spec, &mut generated)?;
            self.set_options(&mut a, &c.options)?;
            made.push(a);
        }
        if let Some((u, h)) = defaults.iter().find(|(u, h)| self.server.accounts.get(u, h).is_none()) {
            return Err(SqlError::new(ErrorCode::USER_DOES_NOT_EXIST, &[&format_args!("`{u}`@`{h}`")]));
        }
        let mut notes = Vec::new();
        self.server.accounts.change(|all| {
            for mut a in made {
                // a default role is granted along with it
                a.privileges.roles.extend(defaults.iter().map(|r| (r.clone(), false)));
                a.privileges.default_roles.extend(defaults.iter().cloned());
                if all.get(&a.user, &a.host).is_some() {
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
        self.running.made_passwords = generated;
        Ok(())
    }

    fn alter_user(&mut self, s: &ast::AlterUser<'_>) -> SqlResult<()> {
        if let Some(roles) = &s.default_roles {
            let users: Vec<ast::Account<'_>> = s.users.iter().map(|u| u.account).collect();
            return self.set_default_role(roles, &users);
        }
        let me = (self.env.security.account.user.clone(), self.env.security.account.host.clone());
        let names: Vec<_> = s.users.iter().map(|u| self.account_name(&u.account)).collect();
        let own_password = |(spec, name): (&ast::UserSpec<'_>, &RoleName)| *name == me && only_password(s, spec);
        if !s.users.iter().zip(&names).all(own_password) {
            self.may(&Act::Alter(&names))?;
        }
        for (spec, _) in s.users.iter().zip(&names).filter(|x| own_password(*x)) {
            self.may_alter_own(spec)?;
        }
        let (this, mut made, mut missing) = (&*self, Vec::new(), Vec::new());
        this.server.accounts.change(|all| {
            for (spec, name) in s.users.iter().zip(&names) {
                let Some(a) = all.get_mut(&name.0, &name.1) else {
                    missing.push(format!("'{}'@'{}'", name.0, name.1));
                    continue;
                };
                if let Some(auth) = &spec.auth {
                    this.check_replaced(a, *name == me, auth.replace.map(|r| r.0))?;
                }
                this.set_auth(a, spec, &mut made)?;
                // a plugin without a password: one has to be chosen
                a.expired |= matches!(spec.auth, Some(ast::Auth { secret: Secret::None, .. }));
                this.set_options(a, &s.options)?;
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
            self.identity.sandbox = self.server.accounts.get(&me.0, &me.1).is_some_and(|a| a.expired);
        }
        self.running.made_passwords.append(&mut made);
        Ok(())
    }

    /// Everybody may change their own password; to drop or retain the old one needs APPLICATION_PASSWORD_ADMIN.
    fn may_alter_own(&self, spec: &ast::UserSpec<'_>) -> SqlResult<()> {
        let old = spec.discard_old_password || spec.auth.is_some_and(|a| a.retain_current);
        if old { self.may_keep_two_passwords() } else { Ok(()) }
    }

    fn drop_users(&mut self, if_exists: bool, users: &[ast::Account<'_>]) -> SqlResult<()> {
        let names = self.names(users);
        self.may(&Act::DropUsers(&names))?;
        self.drop_accounts("DROP USER", if_exists, &names)
    }

    fn rename_users(&mut self, pairs: &[(ast::Account<'_>, ast::Account<'_>)]) -> SqlResult<()> {
        let names: Vec<_> = pairs.iter().map(|(a, b)| (self.account_name(a), self.account_name(b))).collect();
        let old: Vec<_> = names.iter().map(|(old, _)| old.clone()).collect();
        let both: Vec<_> = old.iter().cloned().chain(names.iter().map(|(_, new)| new.clone())).collect();
        self.may(&Act::Rename(&both))?;
        self.check_definers("RENAME USER", &old)?;
        self.server.accounts.change(|all| {
            for ((u, h), (nu, nh)) in &names {
                let failed = || SqlError::new(ErrorCode::CANNOT_USER, &[&"RENAME USER", &format_args!("'{u}'@'{h}'")]);
                if all.get(nu, nh).is_some() {
                    return Err(failed());
                }
                let is_role = |a: &Account| a.privileges.roles.contains_key(&(u.clone(), h.clone()));
                if all.iter().any(is_role) {
                    return Err(SqlError::new(ErrorCode::RENAME_ROLE, &[]));
                }
                let a = all.get_mut(u, h).ok_or_else(failed)?;
                (a.user, a.host) = (nu.clone(), nh.clone());
                crate::accounts::roles::rename(all, &(u.clone(), h.clone()), &(nu.clone(), nh.clone()));
            }
            Ok(())
        })
    }
}

/// Whether ALTER USER says no more of an account than what its new password is.
fn only_password(s: &ast::AlterUser<'_>, spec: &ast::UserSpec<'_>) -> bool {
    s.options == ast::UserOptions::default()
        && (spec.auth.is_some_and(|a| a.plugin.is_none()) || spec.discard_old_password)
}
