//! Grant tables that a dump of MySQL's schema `mysql` has made and filled: FLUSH PRIVILEGES puts them in force.
//!
//! Until then they are tables like others: what accounts may do is not asked of them. FLUSH PRIVILEGES makes
//! accounts of their rows ([`catalog::accounts::rows`]) and drops them, so that the computed ones are seen again. A
//! table that is there decides its part of all accounts, as in MySQL: whom a loaded `user` does not have is gone.
//! It takes an account that could give all of that one by one: all privileges WITH GRANT OPTION and SYSTEM_USER.
//! Refused is a `user` in which nobody could make accounts: it would leave the server without an administrator.
//!
//! Locks: the tables' metadata locks, X, in the order of their names; then those of a change of accounts. A crash
//! in the middle: accounts change first, and the drop brings the statement's event along; if the log has no such
//! event the next start takes the change back (`catalog::accounts::place`), and the tables are still there to be
//! flushed again. Without a binary log the change stays; flushing again makes the same of it. Tested:
//! `tests/clients/test_dump_of_accounts.py`.

use crate::kernel::identity::SYSTEM_USER;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::rows::{Row, Tables, accounts};
use catalog::accounts::{Account, Edit, Privs};
use executor::gate::{Inside, MayKnow};
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::Statement;
use planner::GRANT_TABLES;
use storage::dict::{Relation, TableDef};
use value::{Level, OwnedValue, TypeKind};

/// The number of the error log's lines about accounts that are left out.
const LEFT_OUT: u32 = 10_000;

impl Session {
    /// FLUSH PRIVILEGES: takes the grant tables that a dump has made, if there are any.
    pub(crate) fn take_loaded_grants(&mut self) -> SqlResult<()> {
        let there: Vec<&'static str> =
            GRANT_TABLES.into_iter().filter(|n| self.env.shared_identity("mysql", n).is_some()).collect();
        if there.is_empty() {
            return Ok(());
        }
        let p = &self.env.security.account.privileges;
        if !p.has_global(Privs::ALL) || !p.holds_dynamic(SYSTEM_USER) {
            let needed = "ALL PRIVILEGES WITH GRANT OPTION and SYSTEM_USER, for the loaded grant tables";
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&needed]));
        }
        self.commit_for_ddl()?;
        self.check_read_only()?;
        self.check_locked_accounts()?;
        let deadline = self.ddl_deadline();
        for name in &there {
            self.env.mdl.acquire(&MdlKey::table("mysql", name), MdlType::X, Duration::Transaction, deadline)?;
        }
        self.lock_accounts()?;
        let mut tables = Tables::new();
        for name in &there {
            tables.insert((*name).to_owned(), self.rows_loaded(name)?);
        }
        // after a crash it is looked for as a statement on accounts
        self.env.binlog.defines_in("mysql");
        let place = self.log_place()?;
        let left_out =
            catalog::accounts::place::within(place, || self.server.accounts.change(|all| replace(all, &tables)))?;
        for why in left_out {
            let text = format!("An account of the loaded table mysql.user is left out: {why}");
            probe::errorlog::say("Warning", "Server", LEFT_OUT, &text);
            self.env.conv.push(Level::Warning, SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text));
        }
        let (done, mut warnings) = self.with_ddl(b"", |ctx| executor::ddl::drop::taken(ctx, "mysql", &there));
        self.env.conv.warning_count += warnings.len() as u64;
        self.env.conv.warnings.append(&mut warnings);
        self.end_definition(done)
    }

    /// The rows of a table of `mysql`.
    fn rows_loaded(&mut self, name: &str) -> SqlResult<Vec<Row>> {
        let may = MayKnow::inside("mysql", name, Inside::Grants);
        let Some(Relation::Table(def)) = self.env.shared_relation(may) else { return Ok(Vec::new()) };
        let text = query(&def);
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, parser::Mode::default());
        let arena = bumpalo::Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        let Statement::Query(query) = parsed.statement else { return Err(SqlError::new(ErrorCode::SYNTAX_ERROR, &[])) };
        let rows = self.rows_of_query(text.as_bytes(), query)?;
        let row = |values: Vec<OwnedValue>| {
            Row::new(def.columns.iter().map(|c| c.name.clone()).zip(values.into_iter().map(text_of)))
        };
        Ok(rows.into_iter().map(row).collect())
    }
}

/// All rows of a table with its columns as texts, times as seconds since 1970. The limit stands there because
/// `sql_select_limit` would otherwise.
fn query(def: &TableDef) -> String {
    let column = |c: &storage::dict::ColumnDef| {
        let name = format!("`{}`", c.name.replace('`', "``"));
        match c.ty.kind {
            TypeKind::Timestamp => format!("CAST(UNIX_TIMESTAMP({name}) AS SIGNED)"),
            _ => format!("CONVERT({name} USING utf8mb4)"),
        }
    };
    let columns: Vec<String> = def.columns.iter().map(column).collect();
    format!("SELECT {} FROM mysql.`{}` LIMIT 18446744073709551615", columns.join(", "), def.name)
}

fn text_of(v: OwnedValue) -> Option<String> {
    match v {
        OwnedValue::Null => None,
        OwnedValue::Str(b) => Some(String::from_utf8_lossy(&b).into_owned()),
        OwnedValue::Int(n) => Some(n.to_string()),
        OwnedValue::UInt(n) => Some(n.to_string()),
        _ => None,
    }
}

/// Puts what the tables say in place of the accounts; whom they leave out.
fn replace(all: &mut Edit, tables: &Tables) -> SqlResult<Vec<String>> {
    let (new, left_out) = accounts(tables, all.iter().cloned().collect());
    let administers = |a: &Account| {
        a.plugin.is_enabled() && !a.locked && a.privileges.global.has(Privs::CREATE_USER.with(Privs::GRANT_OPTION))
    };
    if !new.iter().any(administers) {
        let text = "mysql.user as it was loaded has no account that could make accounts; nothing was changed";
        return Err(SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text));
    }
    all.retain(|a| new.iter().any(|n| n.is_named(&a.user, &a.host)));
    for a in new {
        // who is as before is not written again
        if all.get(&a.user, &a.host) != Some(&a) {
            all.retain(|o| !o.is_named(&a.user, &a.host));
            all.push(a);
        }
    }
    Ok(left_out)
}
