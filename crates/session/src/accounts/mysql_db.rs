//! `DELETE FROM mysql.db ...`: takes away what accounts hold on databases, as the rows of that table say it.
//!
//! `mysql_secure_installation` sends it, and scripts that clean up after a database. The other tables of accounts are only read: CREATE USER, ALTER USER, DROP USER,
//! GRANT and REVOKE change what they show. It needs DELETE on the table, and SYSTEM_USER where an account concerned has it; which rows it means
//! is found by a query with the rest of the statement, so that names and privileges are those of a query. All or nothing, and at once (no FLUSH PRIVILEGES
//! is needed). Tested: `tests/clients/test_admin_tools.py`.

use crate::accounts::rules::Act;
use crate::kernel::computed::computed;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use parser::ast::{Delete, DeleteTarget, Statement, TableName};
use value::OwnedValue;

/// The table of the statement if it is one that [`Session::delete_database_grants`] may run.
pub(crate) fn target<'a>(d: &Delete<'a>) -> Option<TableName<'a>> {
    match d.target {
        DeleteTarget::Single { table, alias: None, partitions: [] } if d.with.is_none() && table.name == "db" => {
            Some(table)
        }
        _ => None,
    }
}

impl Session {
    /// Runs the statement, `end` being where its text ends. `None`: its table is another one.
    pub(crate) fn delete_database_grants(
        &mut self,
        sql: &[u8],
        end: usize,
        table: &TableName<'_>,
    ) -> Option<SqlResult<Outcome>> {
        let own = self.schema_of(table) == "mysql"
            && self.env.temp.find("mysql", table.name).is_none()
            && computed(&self.env, "mysql", table.name).is_some();
        own.then(|| self.delete_grants_in(sql, end, table))
    }

    fn delete_grants_in(&mut self, sql: &[u8], end: usize, table: &TableName<'_>) -> SqlResult<Outcome> {
        self.require_on_table(Privs::DELETE, "mysql", "db")?;
        self.commit_for_ddl()?;
        self.check_read_only()?;
        let rest = sql.get(table.span.end as usize..end).unwrap_or_default().trim_ascii_end();
        let rest = String::from_utf8_lossy(rest.strip_suffix(b";").unwrap_or(rest));
        let rows = self.rows_meant(&rest)?;
        let names: Vec<(String, String)> = rows.iter().map(|(host, _, user)| (user.clone(), host.clone())).collect();
        self.may(&Act::Grant(&names))?;
        if !rows.is_empty() {
            self.lock_accounts()?;
            let place = self.log_place()?;
            let change = |all: &mut catalog::accounts::Edit| {
                for (host, db, user) in &rows {
                    if let Some(a) = all.get_mut(user, host) {
                        a.privileges.databases.remove(db);
                    }
                }
                Ok(())
            };
            let done = catalog::accounts::place::within(place, || self.server.accounts.change(change));
            self.end_definition(done)?;
        }
        self.statement_succeeded()?;
        let affected = rows.len() as u64;
        Ok(Outcome { affected, row_count: affected as i64, ..Outcome::ok() })
    }

    /// Host, database and user of the rows that the rest of the statement means.
    fn rows_meant(&mut self, rest: &str) -> SqlResult<Vec<(String, String, String)>> {
        let row = "CONCAT(HEX(Host), ':', HEX(Db), ':', HEX(User))";
        let text = format!(
            "DO (SELECT CAST(JSON_ARRAYAGG(d.w) AS CHAR) FROM (SELECT {row} AS w FROM mysql.db {rest}\n) AS d)"
        );
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, parser::Mode::default());
        let arena = bumpalo::Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        let Statement::Do(list) = parsed.statement else { return Err(SqlError::new(ErrorCode::SYNTAX_ERROR, &[])) };
        let found = self.scalars(text.as_bytes(), list)?;
        let words = match found.into_iter().next() {
            Some((OwnedValue::Str(text), _)) => String::from_utf8_lossy(&text).into_owned(),
            _ => return Ok(Vec::new()),
        };
        // ["HEX:HEX:HEX", ...]: every second piece between quotes is a row
        let rows = words.split('"').skip(1).step_by(2).map(|w| {
            let mut parts = w.split(':').map(unhex);
            Some((parts.next()??, parts.next()??, parts.next()??))
        });
        rows.collect::<Option<Vec<_>>>().ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_ERROR, &[&"rows of mysql.db"]))
    }
}

fn unhex(s: &str) -> Option<String> {
    String::from_utf8(base::hex::decode(s)?).ok()
}
