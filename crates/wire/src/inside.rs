//! Logging in without this protocol: for services of the server itself that take an account's name and password in
//! another way (HTTP's Basic authentication) and then speak SQL.
//!
//! The same rules as for a client, by the same code: which account matches, its password, failed attempts, lock,
//! expiry, REQUIRE and `require_secure_transport`, limits of connections. The visitor is in the registry of
//! connections, so it is seen in the processlist and can be killed. Nothing is sent; errors are those that a client
//! would get.
//!
//! Locks: none. Dropping an [`Inside`] ends the session, then takes it out of the registry. Tested:
//! `tests/clients/test_metrics.py`.

use crate::auth::{AuthError, authenticate_clear};
use crate::serve::{Link, Registered, WireServer, check_account, check_blocked};
use crate::transport::{tls_info, tls_peer};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Candidate, ClientAddr, TlsPeer};
use catalog::client::{Capabilities, Command, ResultSink, SessionContext, SessionHandler};
use catalog::sysvar::Var;
use probe::Counter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Who wants to log in.
pub struct Visitor<'a> {
    /// Name of the user.
    pub user: &'a str,
    /// Password, in clear.
    pub password: &'a [u8],
    /// Where the visitor comes from.
    pub addr: ClientAddr,
    /// The same as shown in the processlist.
    pub host_port: String,
    /// What is known of TLS ([`Visitor::tls_of`]).
    pub tls: Option<((String, String, String), TlsPeer)>,
    /// `program_name` among the connection attributes.
    pub program: &'static str,
}

impl Visitor<'_> {
    /// What [`Visitor::tls`] takes from a connection.
    pub fn tls_of(tls: &rustls::ServerConnection) -> Option<((String, String, String), TlsPeer)> {
        Some((tls_info(tls)?, tls_peer(tls)?))
    }
}

/// A session of a visitor. Its thread must have a stack as `thread_stack` says ([`sched::stack::begin`]).
pub struct Inside {
    // dropped in this order: the session ends before its connection leaves the registry
    handler: Box<dyn SessionHandler>,
    registered: Registered,
}

impl WireServer {
    /// Logs a visitor in.
    ///
    /// # Errors
    /// Those that a client would get: 1045, 3118, 1862, 3955, 1226, 1040, 1053 ...
    pub fn log_in_inside(self: &Arc<Self>, v: Visitor<'_>) -> SqlResult<Inside> {
        let done = self.try_log_in_inside(v);
        if done.is_err() {
            probe::inc(Counter::AbortedConnects);
        }
        done
    }

    fn try_log_in_inside(self: &Arc<Self>, v: Visitor<'_>) -> SqlResult<Inside> {
        if self.connections.ordinary() as u64 > self.globals.num(Var::max_connections) {
            probe::inc(Counter::ConnectionErrorsMaxConnections);
            return Err(SqlError::new(ErrorCode::CON_COUNT_ERROR, &[]));
        }
        let registered = Registered { server: self.clone(), conn: self.connections.register(&v.host_port) };
        let conn = &registered.conn;
        let Candidate { account, proof } = self.accounts.candidate(v.user, &v.addr);
        let proven = if proof {
            authenticate_clear(&self.passwords, &v.addr, account.as_deref(), v.user, v.password)
        } else {
            Ok(())
        };
        check_blocked(self, account.as_deref(), &proven)?;
        match proven {
            Ok(()) => {}
            Err(AuthError::Refused(e)) => return Err(e),
            Err(AuthError::Net(_)) => return Err(SqlError::new(ErrorCode::HANDSHAKE_ERROR, &[])),
        }
        let Some(account) = account else { return Err(SqlError::new(ErrorCode::HANDSHAKE_ERROR, &[])) };
        let (info, peer) = v.tls.unzip();
        let link = Link { secure: info.is_some(), tls: peer };
        let capabilities = Capabilities(Capabilities::PROTOCOL_41);
        check_account(self, &link, &account, (v.user, capabilities), conn)?;
        conn.set_who(v.user, &v.host_port);
        let attributes = vec![("program_name".to_owned(), v.program.to_owned())];
        conn.set_attributes(&attributes, self.globals.num(Var::performance_schema_session_connect_attrs_size) as i64);
        let handler = self.factory.open(SessionContext {
            conn: conn.clone(),
            account: (account.user.clone(), account.host.clone()),
            user: v.user.to_owned(),
            host: v.addr.host_name(),
            database: None,
            collation: value::CollationId::UTF8MB4_0900_AI_CI.0,
            capabilities,
            attributes,
            tls: info,
            unix_socket: false,
        })?;
        conn.end_command();
        Ok(Inside { handler, registered })
    }
}

/// A session of the server's own that looks at it ([`catalog::client::SessionFactory::open_watching`]). Its thread must
/// have a stack as `thread_stack` says.
pub struct Watching(Box<dyn SessionHandler>);

impl WireServer {
    /// Opens a session that looks at the server.
    ///
    /// # Errors
    /// 1053 while the server stops.
    pub fn watch_inside(&self) -> SqlResult<Watching> {
        self.factory.open_watching().map(Watching)
    }
}

impl Watching {
    /// Runs one statement.
    ///
    /// # Errors
    /// The statement's.
    pub fn query(&mut self, sql: &str, out: &mut dyn ResultSink) -> SqlResult<()> {
        guarded(&mut *self.0, sql, out)
    }
}

/// Runs a statement; a panic is its error.
fn guarded(handler: &mut dyn SessionHandler, sql: &str, out: &mut dyn ResultSink) -> SqlResult<()> {
    let run = AssertUnwindSafe(|| handler.query(sql.as_bytes(), &[], out));
    catch_unwind(run).unwrap_or_else(|_| {
        probe::inc(Counter::SessionPanics);
        Err(SqlError::new(ErrorCode::UNKNOWN_ERROR, &[]))
    })
}

impl Inside {
    /// Whether it was killed: it answers nothing any more.
    pub fn ended(&self) -> bool {
        self.registered.conn.killed() == catalog::connections::Kill::Connection
    }

    /// Runs one statement. It must not change rows: nobody here waits for the log as a client's answer does.
    ///
    /// # Errors
    /// The statement's.
    pub fn query(&mut self, sql: &str, out: &mut dyn ResultSink) -> SqlResult<()> {
        self.registered.conn.begin_command(Command::Query);
        let result = guarded(&mut *self.handler, sql, out);
        self.registered.conn.end_command();
        result
    }
}
