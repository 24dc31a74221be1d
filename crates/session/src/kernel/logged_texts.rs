//! Texts of the binary log that are not what the client wrote: what the statement took from its session stands in them
//! (definer, the definition of a temporary table), and passwords only as hashes.
//!
//! Pieces of the client's text keep its character set; what is added is converted to that. Tested: `binlog_tests.rs`,
//! `tests/binlog`.

use crate::kernel::session::Session;
use executor::Env;
use parser::Span;
use parser::ast::{CreateProgram, CreateTable, CreateView, ProgramKind, UserSpec};
use storage::dict::{TableDef, ViewDef};
use value::Charset;
use views::create::{Shown, create_table, quote};

/// A text between single quotes, as MySQL escapes it.
pub(crate) fn literal(s: &[u8], backslashes: bool) -> Vec<u8> {
    let mut out = vec![b'\''];
    for b in s {
        match (b, backslashes) {
            (b'\'', false) => out.extend_from_slice(b"''"),
            (_, false) => out.push(*b),
            (0, true) => out.extend_from_slice(b"\\0"),
            (b'\n', true) => out.extend_from_slice(b"\\n"),
            (b'\r', true) => out.extend_from_slice(b"\\r"),
            (0x1a, true) => out.extend_from_slice(b"\\Z"),
            (b'\\' | b'\'' | b'"', true) => out.extend([b'\\', *b]),
            (_, true) => out.push(*b),
        }
    }
    out.push(b'\'');
    out
}

/// A text of the server's in the client's character set.
fn for_client(env: &Env, text: &str) -> Vec<u8> {
    let client = crate::text::text_collation(env).charset();
    planner::from_client(text.as_bytes(), Charset::Utf8mb4, client).unwrap_or_else(|| text.as_bytes().to_vec())
}

/// The text that makes a table of this definition.
fn table_text(def: &TableDef, qualified: bool) -> String {
    let shown = Shown { generated_key: true, format: false, ansi: false };
    let text = create_table(def, 0, shown);
    // of a temporary one it says so
    let rest = text.strip_prefix("CREATE ").map(|t| t.strip_prefix("TEMPORARY ").unwrap_or(t));
    let rest = rest.and_then(|t| t.strip_prefix("TABLE ")).unwrap_or_default();
    if qualified { format!("CREATE TABLE {}.{rest}", quote(&def.schema)) } else { format!("CREATE TABLE {rest}") }
}

/// CREATE TABLE with what nobody wrote: a generated primary key.
pub(crate) fn log_created(env: &mut Env, s: &CreateTable<'_>, def: &TableDef) {
    if !env.binlog.is_text_waiting() {
        return;
    }
    let mut text = table_text(def, s.table.schema.is_some());
    if s.if_not_exists {
        text = text.replacen("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ", 1);
    }
    let text = for_client(env, &text);
    env.binlog.rewrite_text(|| text);
}

impl Session {
    fn for_client(&self, text: &str) -> Vec<u8> {
        for_client(&self.env, text)
    }

    fn backslashes(&self) -> bool {
        !self.env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES)
    }

    /// The running statement's text from byte `at` of the whole text on.
    fn rest<'s>(&self, sql: &'s [u8], at: usize) -> &'s [u8] {
        let end = self.running.logged.map_or(sql.len(), |s| s.end as usize);
        crate::text::trimmed(sql.get(at..end).unwrap_or_default())
    }

    /// CREATE VIEW with its definer.
    pub(crate) fn log_view(&mut self, sql: &[u8], v: &CreateView<'_>, def: &ViewDef) {
        if !self.env.binlog.is_text_waiting() {
            return;
        }
        let property = |what: &str| views::schema::views::property(def, what).to_owned();
        let definer = property("DEFINER");
        let (user, host) = definer.rsplit_once('@').unwrap_or((definer.as_str(), ""));
        let verb = match (v.alter, v.or_replace) {
            (true, _) => "ALTER",
            (false, true) => "CREATE OR REPLACE",
            (false, false) => "CREATE",
        };
        let name = match v.view.schema {
            Some(s) if Some(s) != self.env.schema.as_deref() => format!("{}.{}", quote(s), quote(v.view.name)),
            _ => quote(v.view.name),
        };
        let columns: Vec<String> = v.columns.iter().map(|c| quote(c)).collect();
        let columns = if columns.is_empty() { String::new() } else { format!(" ({})", columns.join(",")) };
        let head = format!(
            "{verb} ALGORITHM={} DEFINER={}@{} SQL SECURITY {} VIEW {name}{columns} AS ",
            property("ALGORITHM"),
            quote(user),
            quote(host),
            property("SECURITY")
        );
        let mut text = self.for_client(&head);
        // with the CHECK OPTION behind it
        text.extend_from_slice(self.rest(sql, v.query.span.start as usize));
        self.env.binlog.rewrite_text(|| text);
    }

    /// CREATE of a program with its definer.
    pub(crate) fn log_program(&mut self, sql: &[u8], c: &CreateProgram<'_>, definer: &(String, String)) {
        if !self.env.binlog.is_text_waiting() {
            return;
        }
        let word = match c.kind {
            ProgramKind::Procedure => "PROCEDURE",
            ProgramKind::Function => "FUNCTION",
            ProgramKind::Trigger => "TRIGGER",
            ProgramKind::Event => "EVENT",
        };
        let front = sql.get(..c.name.span.start as usize).unwrap_or_default();
        let is_word = |w: &[u8]| w.eq_ignore_ascii_case(word.as_bytes());
        let Some(at) = front.windows(word.len()).rposition(is_word) else { return };
        let mut text = self.for_client(&format!("CREATE DEFINER={}@{} ", quote(&definer.0), quote(&definer.1)));
        text.extend_from_slice(self.rest(sql, at));
        self.env.binlog.rewrite_text(|| text);
    }

    /// CREATE TABLE ... LIKE a temporary table, which nobody else has.
    pub(crate) fn log_like(&mut self, c: &CreateTable<'_>) {
        let Some(like) = c.like.as_ref().filter(|_| self.env.binlog.is_text_waiting()) else { return };
        let Some(t) = self.env.temp.find(&self.schema_of(like), like.name) else { return };
        let mut def = TableDef::clone(&t.def);
        (def.schema, def.name) = (self.schema_of(&c.table), c.table.name.to_owned());
        let qualified = c.table.schema.is_some();
        let text = self.for_client(&table_text(&def, qualified));
        self.env.binlog.rewrite_text(|| text);
    }

    /// What makes the table of a CREATE TABLE ... SELECT, whose rows follow in the same transaction.
    pub(crate) fn log_filled(&self, c: &CreateTable<'_>, def: &TableDef) -> Vec<u8> {
        let text = table_text(def, c.table.schema.is_some());
        self.for_client(&format!("{text} START TRANSACTION"))
    }

    /// CREATE USER or ALTER USER with hashes, which the accounts have by now.
    pub(crate) fn log_users(&mut self, sql: &[u8], users: &[UserSpec<'_>]) {
        let Some(Span { start, .. }) = self.running.logged.filter(|_| self.env.binlog.is_text_waiting()) else {
            return;
        };
        let (mut text, mut at) = (Vec::new(), start as usize);
        for spec in users {
            text.extend_from_slice(sql.get(at..spec.span.start as usize).unwrap_or_default());
            let (user, host) = self.account_name(&spec.account);
            text.extend(self.account_text(&user, &host));
            text.extend(match (&spec.auth, spec.discard_old_password) {
                (_, true) => b" DISCARD OLD PASSWORD".to_vec(),
                (Some(auth), _) => self.auth_text(&user, &host, auth.retain_current),
                (None, _) => Vec::new(),
            });
            at = spec.span.end as usize;
        }
        text.extend_from_slice(self.rest_with_space(sql, at));
        self.env.binlog.rewrite_text(|| text);
    }

    fn rest_with_space<'s>(&self, sql: &'s [u8], at: usize) -> &'s [u8] {
        let end = self.running.logged.map_or(sql.len(), |s| s.end as usize);
        sql.get(at..end).unwrap_or_default().trim_ascii_end()
    }

    fn account_text(&self, user: &str, host: &str) -> Vec<u8> {
        let of = |s: &str| literal(&self.for_client(s), self.backslashes());
        [of(user), b"@".to_vec(), of(host)].concat()
    }

    /// How the account logs in: ` IDENTIFIED WITH ...`.
    fn auth_text(&self, user: &str, host: &str, retain: bool) -> Vec<u8> {
        let Some(a) = self.server.accounts.get(user, host) else { return Vec::new() };
        let mut text = format!(" IDENTIFIED WITH '{}'", a.plugin.name()).into_bytes();
        if !a.auth_string.0.is_empty() {
            text.extend_from_slice(b" AS ");
            text.extend(literal(a.auth_string.0.as_bytes(), self.backslashes()));
        }
        if retain {
            text.extend_from_slice(b" RETAIN CURRENT PASSWORD");
        }
        text
    }

    /// SET PASSWORD, as ALTER USER with the hash.
    pub(crate) fn log_password(&mut self, user: &str, host: &str, retain: bool) {
        if self.env.binlog.is_text_waiting() {
            let of = [b"ALTER USER ".to_vec(), self.account_text(user, host), self.auth_text(user, host, retain)];
            self.env.binlog.rewrite_text(|| of.concat());
        }
    }
}
