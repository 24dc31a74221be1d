//! SHOW GRANTS and SHOW CREATE USER: an account as statements. Others' need SELECT on `mysql`. Tested:
//! `tests/clients/test_roles.py`, `tests/access`.

use super::identifier_quotes;
use crate::accounts::passwords;
use crate::kernel::session::Session;
use crate::results::table::{Cell, Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Privs, TlsRequirement};
use catalog::sysvar::Var;
use parser::ast;
use std::fmt::Write as _;

impl Session {
    pub(super) fn show_grants(
        &mut self,
        user: Option<&ast::Account<'_>>,
        using: &[ast::Account<'_>],
    ) -> SqlResult<Table> {
        let name = user.map(|a| self.account_name(a));
        let own = (&self.env.security.account.user, &self.env.security.account.host);
        if name.as_ref().is_some_and(|(u, h)| (u, h) != own) {
            self.require_on_table(Privs::SELECT, "mysql", "user")?;
        }
        let own = user.is_none_or(|a| matches!(a, ast::Account::CurrentUser));
        Ok(self.in_quotes(crate::accounts::show_grants::table(&self.account_with_roles(name, own, using)?)))
    }

    /// Names in double quotes, where ANSI_QUOTES wants them.
    fn in_quotes(&self, mut t: Table) -> Table {
        if self.env.vars.sql_mode().has(value::SqlMode::ANSI_QUOTES) {
            for c in t.rows.iter_mut().flatten() {
                if let Cell::Text(text) = c {
                    *text = identifier_quotes::ansi(text);
                }
            }
        }
        t
    }

    pub(super) fn show_create_user(&mut self, a: &ast::Account<'_>) -> SqlResult<Table> {
        let (u, h) = self.account_name(a);
        if !self.is_own(&(u.clone(), h.clone())) {
            self.require_on_schema(Privs::SELECT, "mysql")?;
        }
        let missing = || SqlError::new(ErrorCode::CANNOT_USER, &[&"SHOW CREATE USER", &format_args!("'{u}'@'{h}'")]);
        let as_hex = self.env.vars.bool(Var::print_identified_with_as_hex);
        let escapes = !self.env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES);
        let shown = create_user(&*self.server.accounts.get(&u, &h).ok_or_else(missing)?, as_hex, escapes);
        Ok(self.in_quotes(shown))
    }
}

/// What stands behind REQUIRE.
fn required(a: &Account, escapes: bool) -> String {
    match &a.require {
        TlsRequirement::None => "NONE".to_owned(),
        TlsRequirement::Ssl => "SSL".to_owned(),
        TlsRequirement::X509 => "X509".to_owned(),
        r @ TlsRequirement::Specified { .. } => {
            let parts = ["SUBJECT", "ISSUER", "CIPHER"].into_iter().zip(r.attributes()).filter(|(_, t)| !t.is_empty());
            let text = parts
                .map(|(word, t)| format!("{word} {}", passwords::quoted(t, escapes)))
                .collect::<Vec<_>>()
                .join(" ");
            if text.is_empty() { "SUBJECT ''".to_owned() } else { text }
        }
    }
}

/// A password's hash as a text, or with `print_identified_with_as_hex` in digits.
fn shown_hash(hash: &str, as_hex: bool, escapes: bool) -> String {
    if !as_hex {
        let text = passwords::quoted(hash, escapes);
        return if escapes { text.replace('"', "\\\"") } else { text };
    }
    hash.bytes().fold("0x".to_owned(), |mut out, b| {
        let _ = write!(out, "{b:02X}");
        out
    })
}

/// SHOW CREATE USER; `escapes`: a backslash in a text is one that escapes.
fn create_user(a: &Account, as_hex: bool, escapes: bool) -> Table {
    let as_hex = as_hex && a.plugin.name() == "caching_sha2_password";
    let name = format!("CREATE USER for {}@{}", a.user, a.host);
    let mut t = Table::new(&[(&name, Kind::Text(1024))]);
    let hash = if a.auth_string.is_empty() {
        String::new()
    } else {
        format!(" AS {}", shown_hash(&a.auth_string, as_hex, escapes))
    };
    let roles: Vec<String> = a.privileges.default_roles.iter().map(catalog::accounts::roles::quoted).collect();
    let roles = if roles.is_empty() { String::new() } else { format!(" DEFAULT ROLE {}", roles.join(",")) };
    t.push(vec![
        format!(
            "CREATE USER `{}`@`{}` IDENTIFIED WITH '{}'{hash}{roles} REQUIRE {}{}",
            a.user,
            a.host,
            a.plugin.name(),
            required(a, escapes),
            passwords::shown(a, escapes)
        )
        .into(),
    ]);
    t
}
