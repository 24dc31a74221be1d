//! Privileges that statements without a plan ask for by name, and their refusals. What a plan or a DDL statement needs
//! the gate asks ([`executor::gate`]). Reads the session's account alone.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use executor::gate::{Gate, MayKnow};

impl Session {
    /// 1142 naming the first missing privilege.
    pub(crate) fn table_denied(&self, missing: Privs, table: &str) -> SqlError {
        Gate::new(&self.env).denied(missing, table)
    }

    /// 1227 unless the account has the privilege on *.*.
    pub(crate) fn require(&self, p: Privs, shown: &str) -> SqlResult<()> {
        if self.env.security.account.privileges.has_global(p) {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&shown]))
    }

    /// 1227 unless the account has this dynamic privilege, or SUPER in its place.
    pub(crate) fn require_dynamic(&self, name: &str, shown: &str) -> SqlResult<()> {
        if self.env.security.account.privileges.has_dynamic(name) {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&shown]))
    }

    /// 1227 unless the account has this dynamic privilege itself; SUPER does not stand for it.
    pub(crate) fn require_held(&self, name: &str) -> SqlResult<()> {
        if self.env.security.account.privileges.holds_dynamic(name) {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&name]))
    }

    /// 1142 unless the account has these privileges on a table, which it then may know.
    pub(crate) fn require_on_table<'n>(&self, p: Privs, schema: &'n str, table: &'n str) -> SqlResult<MayKnow<'n>> {
        Gate::new(&self.env).holds(p, schema, table)
    }

    /// 1044, which names the account where other refusals name the client.
    pub(crate) fn database_denied(&self, schema: &str) -> SqlError {
        let a = &self.env.security.account;
        SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&a.user, &a.host, &schema])
    }

    /// 1044 unless the account has these privileges on a database.
    pub(crate) fn require_on_schema(&self, p: Privs, schema: &str) -> SqlResult<()> {
        if self.env.security.account.privileges.on_database(schema).has(p) {
            return Ok(());
        }
        Err(self.database_denied(schema))
    }

    /// 1370, which names the account; `what` in lower case.
    pub(crate) fn routine_denied(&self, what: &str, schema: &str, name: &str) -> SqlError {
        let a = &self.env.security.account;
        let full = format!("{schema}.{name}");
        SqlError::new(ErrorCode::PROCACCESS_DENIED_ERROR, &[&what, &a.user, &a.host, &full])
    }

    /// 1227, or 3630 for PERSIST_ONLY, unless the account may set global variables.
    pub(crate) fn may_set_global(&self, persist_only: bool) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        if persist_only {
            const BOTH: [&str; 2] = ["SYSTEM_VARIABLES_ADMIN", "PERSIST_RO_VARIABLES_ADMIN"];
            if !BOTH.iter().all(|n| p.holds_dynamic(n)) {
                return Err(SqlError::new(ErrorCode::PERSIST_ONLY_ACCESS_DENIED_ERROR, &[&BOTH.join(" and ")]));
            }
            return Ok(());
        }
        self.require_dynamic("SYSTEM_VARIABLES_ADMIN", "SUPER or SYSTEM_VARIABLES_ADMIN")
    }
}
