//! SYSTEM_USER: accounts that have it are changed only by accounts that have it too (manual, "Account Categories"), whatever else these
//! may do: 1227.
//!
//! Asked for ALTER USER, DROP USER, DROP ROLE, RENAME USER, SET PASSWORD, GRANT and REVOKE, and for a view's definer. Only what was granted
//! to the account itself makes it such a one, not its roles; a session is one by its active roles too, and KILL asks for that
//! ([`crate::admin`]). Tested: `tests/clients/test_dynamic_privileges.py`.

use crate::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Account;

pub(crate) const SYSTEM_USER: &str = "SYSTEM_USER";

impl Session {
    /// 1227 if one of the accounts is a system user and this one is none. Accounts that do not exist are no matter.
    pub(crate) fn may_touch(&self, names: &[(String, String)]) -> SqlResult<()> {
        let is = |a: &Account| a.privileges.holds_dynamic(SYSTEM_USER);
        if is(&self.env.account) || !names.iter().any(|(u, h)| self.server.accounts.get(u, h).is_some_and(|a| is(&a))) {
            return Ok(());
        }
        Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&SYSTEM_USER]))
    }
}
