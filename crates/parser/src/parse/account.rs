//! Accounts, CREATE and ALTER USER, GRANT, REVOKE, roles.

use super::deprecated::Old;
use super::{Fail, PResult, Parser};
use crate::ast::Span;
use crate::ast::{
    Account, AlterUser, Auth, CreateUser, Grant, GrantWhat, ObjectKind, PasswordExpire, PrivLevel, Privilege, Require,
    RequireCurrent, Revoke, Secret, SetRole, Statement, UserOptions, UserSpec,
};
use crate::lexer::{Kw, Tk};
use crate::secrets::Hidden;
use base::ErrorCode;

/// The longest name of a user, and of a host.
const USER_CHARS: usize = 32;
const HOST_CHARS: usize = 255;

impl<'a> Parser<'a, '_> {
    pub(super) fn accounts(&mut self) -> PResult<&'a [Account<'a>]> {
        self.comma_list(|p| p.account())
    }

    /// Names of roles.
    pub(super) fn roles(&mut self) -> PResult<&'a [Account<'a>]> {
        self.comma_list(|p| if p.kw().names_no_role() { p.fail() } else { p.named_account() })
    }

    /// `name[@host]`, CURRENT_USER[()].
    pub(super) fn account(&mut self) -> PResult<Account<'a>> {
        if self.accept_kw(Kw::CURRENT_USER) {
            if self.accept(Tk::LParen) {
                self.expect(Tk::RParen)?;
            }
            return Ok(Account::CurrentUser);
        }
        self.named_account()
    }

    fn named_account(&mut self) -> PResult<Account<'a>> {
        let at = self.cur.start;
        let user = self.ident_or_text()?;
        if user.chars().count() > USER_CHARS {
            return Err(Fail::TooLong(at, "user name", USER_CHARS as u32));
        }
        if !self.accept(Tk::At) {
            return Ok(Account::Name { user, host: None });
        }
        let t = self.cur;
        let host = match t.kind {
            Tk::Hostname => {
                self.advance();
                self.utf8(self.text(t), t)?
            }
            _ => self.ident_or_text()?,
        };
        if host.chars().count() > HOST_CHARS {
            return Err(Fail::TooLong(t.start, "host name", HOST_CHARS as u32));
        }
        Ok(Account::Name { user, host: Some(host) })
    }

    /// A string that must be UTF-8.
    fn text_string(&mut self) -> PResult<&'a str> {
        let t = self.cur;
        let b = self.string()?;
        self.utf8(b, t)
    }

    pub(super) fn create_user(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::USER)?;
        let if_not_exists = self.if_not_exists()?;
        let users = self.comma_list(|p| p.user_spec(false))?;
        let default_roles = if self.accept_kws(&[Kw::DEFAULT, Kw::ROLE]) { self.roles()? } else { &[] };
        let options = self.user_options()?;
        let c = CreateUser { if_not_exists, users, default_roles, options };
        Ok(Statement::CreateUser(self.alloc(c)))
    }

    pub(super) fn alter_user(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::USER)?;
        let if_exists = self.if_exists()?;
        if self.is_kw(Kw::USER) && self.peek(1).kind == Tk::LParen {
            return self.alter_myself(if_exists);
        }
        let users = self.comma_list(|p| p.user_spec(true))?;
        let default_roles = if self.accept_kws(&[Kw::DEFAULT, Kw::ROLE]) { Some(self.role_set(false)?) } else { None };
        let options = self.user_options()?;
        let a = AlterUser { if_exists, users, default_roles, options };
        Ok(Statement::AlterUser(self.alloc(a)))
    }

    /// ALTER USER USER() changes authentication only.
    fn alter_myself(&mut self, if_exists: bool) -> PResult<Statement<'a>> {
        let start = self.cur.start;
        self.advance();
        self.advance();
        self.expect(Tk::RParen)?;
        let mut u = UserSpec {
            span: Span::default(),
            account: Account::CurrentUser,
            auth: None,
            multi_factor: false,
            discard_old_password: false,
        };
        if self.accept_kws(&[Kw::DISCARD, Kw::OLD, Kw::PASSWORD]) {
            u.discard_old_password = true;
        } else if self.is(Tk::Int) {
            u.multi_factor = true;
            self.skip_factors()?;
        } else {
            self.expect_kw(Kw::IDENTIFIED)?;
            if !self.is_kw(Kw::BY) {
                return self.fail();
            }
            u.auth = Some(self.auth(true)?);
        }
        u.span = self.span_from(start);
        let users = std::slice::from_ref(self.alloc(u));
        let a = AlterUser { if_exists, users, default_roles: None, options: UserOptions::default() };
        Ok(Statement::AlterUser(self.alloc(a)))
    }

    fn user_spec(&mut self, alter: bool) -> PResult<UserSpec<'a>> {
        let start = self.cur.start;
        let mut u = self.user_spec_at(alter)?;
        u.span = self.span_from(start);
        Ok(u)
    }

    fn user_spec_at(&mut self, alter: bool) -> PResult<UserSpec<'a>> {
        let account = self.account()?;
        let span = Span::default();
        let mut u = UserSpec { span, account, auth: None, multi_factor: false, discard_old_password: false };
        if alter {
            if self.accept_kws(&[Kw::DISCARD, Kw::OLD, Kw::PASSWORD]) {
                u.discard_old_password = true;
                return Ok(u);
            }
            if matches!(self.kw(), Kw::ADD | Kw::MODIFY | Kw::DROP) || self.is(Tk::Int) {
                u.multi_factor = true;
                self.skip_factors()?;
                return Ok(u);
            }
        }
        if self.accept_kw(Kw::IDENTIFIED) {
            u.auth = Some(self.auth(alter)?);
            while self.accept_kws(&[Kw::AND, Kw::IDENTIFIED]) {
                u.multi_factor = true;
                self.auth(false)?;
            }
            if self.accept_kws(&[Kw::INITIAL, Kw::AUTHENTICATION]) {
                u.multi_factor = true;
                self.expect_kw(Kw::IDENTIFIED)?;
                self.auth(false)?;
            }
        }
        Ok(u)
    }

    /// `ADD|MODIFY|DROP n FACTOR ..`, `n FACTOR INITIATE|FINISH|UNREGISTER ..`
    fn skip_factors(&mut self) -> PResult<()> {
        loop {
            let action = self.kw();
            if matches!(action, Kw::ADD | Kw::MODIFY | Kw::DROP) {
                self.advance();
            }
            self.number(false)?;
            self.expect_kw(Kw::FACTOR)?;
            match action {
                Kw::ADD | Kw::MODIFY => {
                    self.expect_kw(Kw::IDENTIFIED)?;
                    self.auth(false)?;
                }
                Kw::DROP => {}
                _ => match self.kw() {
                    Kw::UNREGISTER => self.advance(),
                    Kw::INITIATE => {
                        self.advance();
                        self.expect_kw(Kw::REGISTRATION)?;
                    }
                    _ => {
                        self.expect_kws(&[Kw::FINISH, Kw::REGISTRATION, Kw::SET])?;
                        self.ident()?;
                        self.expect_kw(Kw::AS)?;
                        self.string()?;
                    }
                },
            }
            if !matches!(self.kw(), Kw::ADD | Kw::MODIFY | Kw::DROP) {
                return Ok(());
            }
        }
    }

    /// After IDENTIFIED.
    fn auth(&mut self, alter: bool) -> PResult<Auth<'a>> {
        let mut a = Auth { plugin: None, secret: Secret::None, replace: None, retain_current: false };
        if self.accept_kw(Kw::WITH) {
            a.plugin = Some(self.ident_or_text()?);
        }
        if self.accept_kw(Kw::BY) {
            if self.accept_kws(&[Kw::RANDOM, Kw::PASSWORD]) {
                a.secret = Secret::RandomPassword;
            } else {
                a.secret = Secret::Password(Hidden(self.string()?));
            }
        } else if a.plugin.is_some() && self.accept_kw(Kw::AS) {
            a.secret = Secret::Hash(Hidden(self.string_or_hex()?));
        } else if a.plugin.is_none() {
            return self.fail();
        }
        if alter {
            if self.accept_kw(Kw::REPLACE) {
                a.replace = Some(Hidden(self.string()?));
            }
            a.retain_current = self.accept_kws(&[Kw::RETAIN, Kw::CURRENT, Kw::PASSWORD]);
        }
        Ok(a)
    }

    fn user_options(&mut self) -> PResult<UserOptions<'a>> {
        let mut o = UserOptions::default();
        if self.accept_kw(Kw::REQUIRE) {
            o.require = Some(self.require()?);
        }
        if self.accept_kw(Kw::WITH) {
            let mut any = false;
            loop {
                let slot = match self.kw() {
                    Kw::MAX_QUERIES_PER_HOUR => &mut o.max_queries_per_hour,
                    Kw::MAX_UPDATES_PER_HOUR => &mut o.max_updates_per_hour,
                    Kw::MAX_CONNECTIONS_PER_HOUR => &mut o.max_connections_per_hour,
                    Kw::MAX_USER_CONNECTIONS => &mut o.max_user_connections,
                    _ if any => break,
                    _ => return self.fail(),
                };
                self.advance();
                *slot = Some(self.number(false)?);
                any = true;
            }
        }
        while self.account_option(&mut o)? {}
        if self.accept_kw(Kw::COMMENT) {
            o.comment = Some(self.string()?);
        } else if self.accept_kw(Kw::ATTRIBUTE) {
            o.attribute = Some(self.string()?);
        }
        Ok(o)
    }

    fn require(&mut self) -> PResult<Require<'a>> {
        match self.kw() {
            Kw::NONE => {
                self.advance();
                Ok(Require::None)
            }
            Kw::SSL => {
                self.advance();
                Ok(Require::Ssl)
            }
            Kw::X509 => {
                self.advance();
                Ok(Require::X509)
            }
            _ => {
                let (mut subject, mut issuer, mut cipher) = (None, None, None);
                loop {
                    let slot = match self.kw() {
                        Kw::SUBJECT => &mut subject,
                        Kw::ISSUER => &mut issuer,
                        Kw::CIPHER => &mut cipher,
                        _ => break,
                    };
                    if slot.is_some() {
                        let word = Span { start: self.cur.start, end: self.cur.end };
                        return Err(Fail::Other(ErrorCode::DUP_ARGUMENT, word));
                    }
                    self.advance();
                    *slot = Some(self.string()?);
                    self.accept_kw(Kw::AND);
                }
                if subject.is_none() && issuer.is_none() && cipher.is_none() {
                    return self.fail();
                }
                Ok(Require::Attributes { subject, issuer, cipher })
            }
        }
    }

    fn account_option(&mut self, o: &mut UserOptions<'a>) -> PResult<bool> {
        match self.kw() {
            Kw::ACCOUNT => {
                self.advance();
                o.locked = Some(self.accept_kw(Kw::LOCK));
                if o.locked == Some(false) {
                    self.expect_kw(Kw::UNLOCK)?;
                }
            }
            Kw::FAILED_LOGIN_ATTEMPTS => {
                self.advance();
                o.failed_login_attempts = Some(self.number(false)?);
            }
            Kw::PASSWORD_LOCK_TIME => {
                self.advance();
                o.password_lock_time =
                    Some(if self.accept_kw(Kw::UNBOUNDED) { None } else { Some(self.number(false)?) });
            }
            Kw::PASSWORD => {
                self.advance();
                match self.kw() {
                    Kw::EXPIRE => {
                        self.advance();
                        o.password_expire = Some(self.password_expire()?);
                    }
                    Kw::HISTORY => {
                        self.advance();
                        o.password_history =
                            Some(if self.accept_kw(Kw::DEFAULT) { None } else { Some(self.number(false)?) });
                    }
                    Kw::REUSE => {
                        self.advance();
                        self.expect_kw(Kw::INTERVAL)?;
                        o.password_reuse_days = Some(if self.accept_kw(Kw::DEFAULT) {
                            None
                        } else {
                            let n = self.number(false)?;
                            self.expect_kw(Kw::DAY)?;
                            Some(n)
                        });
                    }
                    _ => {
                        self.expect_kws(&[Kw::REQUIRE, Kw::CURRENT])?;
                        o.password_require_current = Some(if self.accept_kw(Kw::DEFAULT) {
                            RequireCurrent::Default
                        } else if self.accept_kw(Kw::OPTIONAL) {
                            RequireCurrent::Optional
                        } else {
                            RequireCurrent::Required
                        });
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn password_expire(&mut self) -> PResult<PasswordExpire> {
        Ok(match self.kw() {
            Kw::NEVER => {
                self.advance();
                PasswordExpire::Never
            }
            Kw::DEFAULT => {
                self.advance();
                PasswordExpire::Default
            }
            Kw::INTERVAL => {
                self.advance();
                let n = self.number(false)?;
                self.expect_kw(Kw::DAY)?;
                PasswordExpire::Days(n)
            }
            _ => PasswordExpire::Now,
        })
    }

    pub(super) fn rename_user(&mut self) -> PResult<Statement<'a>> {
        let pairs = self.comma_list(|p| {
            let old = p.account()?;
            p.expect_kw(Kw::TO)?;
            Ok((old, p.account()?))
        })?;
        Ok(Statement::RenameUser(pairs))
    }

    // ---- roles

    fn role_set(&mut self, with_default: bool) -> PResult<SetRole<'a>> {
        match self.kw() {
            Kw::DEFAULT if with_default => {
                self.advance();
                Ok(SetRole::Default)
            }
            Kw::NONE => {
                self.advance();
                Ok(SetRole::None)
            }
            Kw::ALL => {
                self.advance();
                if with_default && self.accept_kw(Kw::EXCEPT) {
                    return Ok(SetRole::AllExcept(self.roles()?));
                }
                Ok(SetRole::All)
            }
            _ => Ok(SetRole::Roles(self.roles()?)),
        }
    }

    pub(super) fn set_role_statement(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::ROLE)?;
        Ok(Statement::SetRole(self.role_set(true)?))
    }

    pub(super) fn set_default_role(&mut self) -> PResult<Statement<'a>> {
        self.expect_kws(&[Kw::DEFAULT, Kw::ROLE])?;
        let roles = self.role_set(false)?;
        self.expect_kw(Kw::TO)?;
        Ok(Statement::SetDefaultRole { roles, users: self.accounts()? })
    }

    // ---- GRANT, REVOKE

    pub(super) fn grant(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::GRANT)?;
        let what = self.grant_what(Kw::TO)?;
        self.expect_kw(Kw::TO)?;
        let to = self.accounts()?;
        let mut g = Grant { what, to, with_option: false, as_user: None };
        match what {
            GrantWhat::Roles(_) => g.with_option = self.accept_kws(&[Kw::WITH, Kw::ADMIN, Kw::OPTION]),
            _ => g.with_option = self.accept_kws(&[Kw::WITH, Kw::GRANT, Kw::OPTION]),
        }
        if matches!(what, GrantWhat::Privileges { .. }) && self.accept_kw(Kw::AS) {
            let user = self.account()?;
            let roles = if self.accept_kws(&[Kw::WITH, Kw::ROLE]) { Some(self.role_set(true)?) } else { None };
            g.as_user = Some((user, roles));
        }
        Ok(Statement::Grant(self.alloc(g)))
    }

    pub(super) fn revoke(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::REVOKE)?;
        let if_exists = self.if_exists()?;
        let what = self.grant_what(Kw::FROM)?;
        self.expect_kw(Kw::FROM)?;
        let from = self.accounts()?;
        let ignore_unknown_user = self.is_kw(Kw::IGNORE);
        if ignore_unknown_user {
            self.advance();
            self.expect_kws(&[Kw::UNKNOWN, Kw::USER])?;
        }
        let r = Revoke { if_exists, ignore_unknown_user, what, from };
        Ok(Statement::Revoke(self.alloc(r)))
    }

    /// Privileges have ON before TO or FROM, roles have not.
    fn has_on(&self, end: Kw) -> bool {
        let (mut i, mut depth) = (0, 0usize);
        loop {
            let t = self.peek(i);
            match t.kind {
                Tk::Eof | Tk::Semi => return false,
                Tk::LParen => depth += 1,
                Tk::RParen => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                _ if t.kw == Kw::ON => return true,
                _ if t.kw == end => return false,
                _ => {}
            }
            i += 1;
        }
    }

    fn grant_what(&mut self, end: Kw) -> PResult<GrantWhat<'a>> {
        if self.is_kw(Kw::PROXY) && self.peek(1).kw == Kw::ON {
            self.advance();
            self.advance();
            return Ok(GrantWhat::Proxy(self.account()?));
        }
        if !self.has_on(end) {
            if end == Kw::FROM && self.is_kw(Kw::ALL) {
                self.advance();
                self.accept_kw(Kw::PRIVILEGES);
                self.expect(Tk::Comma)?;
                self.expect_kws(&[Kw::GRANT, Kw::OPTION])?;
                return Ok(GrantWhat::AllAndGrantOption);
            }
            return Ok(GrantWhat::Roles(self.comma_list(|p| {
                if p.kw().names_no_role() {
                    return Err(Fail::Says("Illegal authorization identifier", p.cur.start));
                }
                p.named_account()
            })?));
        }
        let privileges = if self.is_kw(Kw::ALL) {
            self.advance();
            self.accept_kw(Kw::PRIVILEGES);
            std::slice::from_ref(self.alloc(Privilege { name: "all", columns: &[] }))
        } else {
            self.comma_list(|p| p.privilege())?
        };
        self.expect_kw(Kw::ON)?;
        let object = match self.kw() {
            Kw::TABLE => ObjectKind::Table,
            Kw::FUNCTION => ObjectKind::Function,
            Kw::PROCEDURE => ObjectKind::Procedure,
            _ => ObjectKind::Table,
        };
        if matches!(self.kw(), Kw::TABLE | Kw::FUNCTION | Kw::PROCEDURE) {
            self.advance();
        }
        let routine = object != ObjectKind::Table;
        let level = self.priv_level()?;
        if routine && privileges.iter().any(|p| !p.columns.is_empty()) {
            // a syntax error, though the grammar has read the statement to its end
            while !self.at_end() {
                self.advance();
            }
            return self.fail();
        }
        Ok(GrantWhat::Privileges { privileges, object, level })
    }

    fn priv_level(&mut self) -> PResult<PrivLevel<'a>> {
        if self.accept(Tk::Star) {
            if self.accept(Tk::Dot) {
                self.expect(Tk::Star)?;
                return Ok(PrivLevel::Global);
            }
            return Ok(PrivLevel::CurrentDatabase);
        }
        if self.peek(1).kind == Tk::Dot && self.peek(2).kind == Tk::Star {
            let db = self.relation_ident()?;
            self.advance();
            self.advance();
            return Ok(PrivLevel::Database(db));
        }
        Ok(PrivLevel::Table(self.table_name()?))
    }

    fn privilege(&mut self) -> PResult<Privilege<'a>> {
        const MANY: &[&str] = &[
            "alter routine",
            "create routine",
            "create role",
            "create tablespace",
            "create temporary tables",
            "create user",
            "create view",
            "drop role",
            "grant option",
            "lock tables",
            "replication client",
            "replication slave",
            "show databases",
            "show view",
        ];
        let start = self.cur.start;
        let mut name = String::new();
        if self.is(Tk::Str) {
            name.push_str(&self.text_string()?.to_ascii_lowercase());
        } else {
            while matches!(self.cur.kind, Tk::Word | Tk::Backtick) && !self.is_kw(Kw::ON) {
                if !name.is_empty() {
                    name.push(' ');
                }
                name.push_str(self.unquote(self.cur)?);
                self.advance();
            }
        }
        name.make_ascii_lowercase();
        if name.is_empty() || (name.contains(' ') && !MANY.contains(&name.as_str())) {
            return Err(Fail::Syntax(if name.is_empty() { self.cur.start } else { start }));
        }
        if name == "super" {
            self.old(Old::Super);
        }
        let columns = if self.is(Tk::LParen) { self.ident_list()? } else { &[] };
        Ok(Privilege { name: self.arena.alloc_str(&name), columns })
    }
}
