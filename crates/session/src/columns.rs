//! Column privileges: what an account may do that lacks a privilege on a whole table (manual, "Column Privileges").
//!
//! A statement needs SELECT on the columns it reads, INSERT on those it fills, UPDATE on those it sets. Errors are MySQL's: 1143 names the
//! column; 1142 where all columns are meant (`*`, INSERT without a list) or the account has the privilege on none.
//! Tested by `tests/clients/test_roles.py`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Privileges, Privs};
use planner::plan::TableUse;

use crate::session::Session;

impl Session {
    /// Whether column privileges make up for what `have` (of the whole table) lacks of what `t` needs.
    pub(crate) fn check_columns(&self, account: &Privileges, t: &TableUse, missing: Privs) -> SqlResult<()> {
        let u = &t.columns;
        for p in [Privs::SELECT, Privs::INSERT, Privs::UPDATE].into_iter().filter(|p| missing.has(*p)) {
            let (columns, all) = match p {
                Privs::SELECT => (&u.reads, u.all_read),
                Privs::INSERT => (&u.inserts, u.all_inserted),
                _ => (&u.updates, false),
            };
            // a row that is only counted, or only changed
            if p == Privs::SELECT && columns.is_empty() && t.write {
                continue;
            }
            let has = |c: &&storage::dict::ColumnDef| account.on_column(&t.def.schema, &t.def.name, &c.name).has(p);
            let some = t.def.columns.iter().any(|c| has(&c));
            let lacking = columns.iter().filter_map(|c| t.def.columns.get(*c as usize)).find(|c| !has(c));
            match lacking {
                _ if !some => return Err(self.table_denied(p, &t.def.name)),
                Some(_) if all => return Err(self.table_denied(p, &t.def.name)),
                Some(c) => return Err(self.column_denied(p, &c.name, &t.def.name)),
                None => {}
            }
        }
        let others = missing.without(Privs::SELECT.with(Privs::INSERT).with(Privs::UPDATE));
        if others.is_none() { Ok(()) } else { Err(self.table_denied(others, &t.def.name)) }
    }

    fn column_denied(&self, missing: Privs, column: &str, table: &str) -> SqlError {
        let what = missing.names().next().unwrap_or("SELECT");
        let (user, host) = &self.env.user;
        SqlError::new(ErrorCode::COLUMNACCESS_DENIED_ERROR, &[&what, user, host, &column, &table])
    }
}
