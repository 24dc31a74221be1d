//! Column privileges: what an account may do that lacks a privilege on a whole table (manual, "Column Privileges").
//!
//! A statement needs SELECT on the columns it reads, INSERT on those it fills, UPDATE on those it sets. Errors are MySQL's: 1143 names the
//! column; 1142 where all columns are meant (`*`, INSERT without a list) or the account has the privilege on none.
//! Tested by `tests/clients/test_roles.py`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Privileges, Privs};
use planner::plan::{ColumnUse, TableUse, ViewUse};

use super::Gate;

/// A table or view of a plan and the columns of it that the statement names.
pub(super) struct Named<'p> {
    schema: &'p str,
    name: &'p str,
    names: Vec<&'p str>,
    columns: &'p ColumnUse,
    write: bool,
}

impl<'p> Named<'p> {
    pub(super) fn table(t: &'p TableUse) -> Named<'p> {
        let names = t.def.columns.iter().map(|c| c.name.as_str()).collect();
        Named { schema: &t.def.schema, name: &t.def.name, names, columns: &t.columns, write: t.write }
    }

    pub(super) fn view(v: &'p ViewUse) -> Named<'p> {
        let names = v.names.iter().map(String::as_str).collect();
        let changes = Privs::INSERT.with(Privs::UPDATE).with(Privs::DELETE);
        let write = Privs(u64::from(v.privileges)).without(changes) != Privs(u64::from(v.privileges));
        Named { schema: &v.def.schema, name: &v.def.name, names, columns: &v.columns, write }
    }
}

impl Gate<'_> {
    /// Whether column privileges make up for what `have` (of the whole table or view) lacks of what `t` needs.
    pub(super) fn columns(&self, account: &Privileges, t: &Named<'_>, missing: Privs) -> SqlResult<()> {
        let u = t.columns;
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
            let has = |c: &&str| account.on_column(t.schema, t.name, c).has(p);
            let some = t.names.iter().any(has);
            let lacking = columns.iter().filter_map(|c| t.names.get(*c as usize)).find(|c| !has(c));
            match lacking {
                // what INSERT and REPLACE need is asked for at once
                _ if !some && p == Privs::INSERT => {
                    let changes = missing.and(Privs::UPDATE.with(Privs::DELETE));
                    return Err(self.denied(p.with(changes), t.name));
                }
                _ if !some => return Err(self.denied(p, t.name)),
                Some(_) if all => return Err(self.denied(p, t.name)),
                Some(c) => return Err(self.column_denied(p, c, t.name)),
                None => {}
            }
        }
        let others = missing.without(Privs::SELECT.with(Privs::INSERT).with(Privs::UPDATE));
        if others.is_none() { Ok(()) } else { Err(self.denied(others, t.name)) }
    }

    fn column_denied(&self, missing: Privs, column: &str, table: &str) -> SqlError {
        let what = missing.names().next().unwrap_or("SELECT");
        let (user, host) = self.env.security.refused();
        SqlError::new(ErrorCode::COLUMNACCESS_DENIED_ERROR, &[&what, &user, &host, &column, &table])
    }
}
