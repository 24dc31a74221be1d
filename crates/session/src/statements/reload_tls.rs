//! ALTER INSTANCE RELOAD TLS: new connections use the certificate and key that the files hold now.
//!
//! Connections that are open keep theirs. What is read and how is the server's ([`catalog::connections::Connections::on_reload_tls`]).
//! Tested: `tests/clients/test_reload_tls.py`.

use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};

impl Session {
    pub(crate) fn reload_tls(&mut self, channel: Option<&str>, no_rollback: bool) -> SqlResult<Outcome> {
        if !self.env.security.account.privileges.holds_dynamic("CONNECTION_ADMIN") {
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"CONNECTION_ADMIN"]));
        }
        if channel.is_some_and(|c| c != "mysql_main") {
            return Err(SqlError::unsupported("ALTER INSTANCE RELOAD TLS for this channel"));
        }
        let failed = |e: String| SqlError::new(ErrorCode::DA_SSL_LIBRARY_ERROR, &[&e]);
        match self.server.connections.reload_tls(!no_rollback) {
            Ok(()) => {}
            Err(e) if no_rollback => self.env.conv.push(value::Level::Warning, failed(e)),
            Err(e) => return Err(failed(e)),
        }
        Ok(Outcome::ok())
    }
}
