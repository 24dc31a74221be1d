//! What PRIVILEGE_CHECKS_USER may do in an applier's session, and what the server does there in its name.
//!
//! The session is that account's: whatever is not asked for is refused. The server's own rights are lent to two things,
//! for as long as they run ([`Session::lend_rights`]): the settings of a source's statements, whose text the caller has
//! written and whose privileges it has asked for, and the statements that row events become, behind the question
//! whether the account may change those rows ([`crate::kernel::row_gate`]).
//!
//! One thread uses it. Tested: `tests/binlog/test_privilege_checks.py`.

use super::applier::ApplierSession;
use crate::kernel::session::Session;
use base::{SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::client::{Capabilities, SessionHandler, TextRows};
use catalog::sysvar::{Raw, Var};

/// Whether the account of PRIVILEGE_CHECKS_USER may apply anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MayApply {
    /// It may, as far as its other privileges go.
    Yes,
    /// There is no such account.
    Missing,
    /// It has not REPLICATION_APPLIER.
    Refused,
    /// Its password has expired: it may do nothing but change it.
    Expired,
}

impl Session {
    /// Does something that the server itself does in the name of the applier's account, with all rights.
    pub(super) fn as_server<R>(&mut self, f: impl FnOnce(&mut Session) -> R) -> R {
        let lent = self.lend_rights();
        let done = f(self);
        self.return_rights(lent);
        done
    }
}

impl ApplierSession {
    /// Whether its account may apply anything now.
    pub fn may_apply(&mut self) -> MayApply {
        let s = &mut self.0;
        s.refresh_account();
        let (user, host) = s.own_name();
        if s.applier.server.is_none() {
            MayApply::Yes
        } else if s.server.accounts.get(&user, &host).is_none() {
            MayApply::Missing
        } else if !s.env.security.account.privileges.holds_dynamic("REPLICATION_APPLIER") {
            MayApply::Refused
        } else if s.identity.sandbox {
            MayApply::Expired
        } else {
            MayApply::Yes
        }
    }

    /// Whether its account may set restricted variables: 1227.
    ///
    /// # Errors
    /// See above.
    pub fn may_set_restricted(&self) -> SqlResult<()> {
        self.0.may_set_session(Var::sql_require_primary_key)
    }

    /// Whether its account has FILE.
    pub fn may_use_files(&self) -> bool {
        self.0.env.security.account.privileges.has_global(Privs::FILE)
    }

    /// Changes that are no row events are refused from now on.
    pub fn take_rows_only(&mut self, on: bool) {
        self.0.env.kernel.rows_only = on;
    }

    /// Runs SET with what a source's statement was run with. The text is the caller's own: it has nothing of the
    /// source's but numbers and strings in hexadecimal.
    ///
    /// # Errors
    /// The statement's.
    pub fn set(&mut self, text: &[u8]) -> SqlResult<()> {
        let mut nowhere = TextRows::new(Capabilities::default(), |_| Ok(()));
        self.0.as_server(|s| s.query(text, &[], &mut nowhere))
    }

    /// The session of the source whose statement comes next: what CONNECTION_ID() tells, and whose temporary tables it
    /// finds.
    pub fn take_thread(&mut self, id: u32) {
        self.0.env.vars.store(Var::pseudo_thread_id, Raw::Num(u64::from(id)));
        self.0.env.own_temporary_tables();
    }

    /// `default_collation_for_utf8mb4` of the source, for a statement's CHARACTER SET utf8mb4; `None` where it is not
    /// said.
    ///
    /// # Errors
    /// 1235 for other collations than MySQL has there, and for literals `_utf8mb4'...'` where it is not the usual one.
    pub fn set_utf8mb4_collation(&mut self, collation: Option<u16>, text: &[u8]) -> SqlResult<()> {
        const VAR: Var = Var::default_collation_for_utf8mb4;
        const GENERAL: u16 = 45;
        let usual = value::CollationId::UTF8MB4_0900_AI_CI.0;
        let id = collation.unwrap_or(usual);
        if id != usual && (id != GENERAL || has_introducer(text)) {
            let what = if id == GENERAL { " with _utf8mb4'...'".to_owned() } else { format!(" = {id}") };
            return Err(SqlError::unsupported(format!("{}{what}", VAR.name())));
        }
        self.0.env.vars.store(VAR, Raw::Num(u64::from(id)));
        Ok(())
    }
}

/// Whether there may be a literal `_utf8mb4'...'` in a text.
fn has_introducer(text: &[u8]) -> bool {
    text.windows(8).any(|w| w.eq_ignore_ascii_case(b"_utf8mb4"))
}
