//! What `wire` calls: sessions for new connections, and the commands of a connection. The top of the crate: here the
//! parts are put together.

mod applier;
mod applier_begins;
mod applier_rights;
mod applier_texts;
mod dump;
mod dump_replies;
mod dump_request;
mod handler;

pub use applier::ApplierSession;
pub use applier_begins::{SourceTransaction, Unnamed};
pub use applier_rights::MayApply;

use crate::kernel::server::Server;
use crate::kernel::session::Session;
use crate::results::collector::Collector;
use crate::statements::dispatch::Statements;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Accounts;
use catalog::client::{SessionContext, SessionFactory, SessionHandler};
use catalog::connections::Connections;
use catalog::sysvar::{GlobalVars, Var};
use std::sync::Arc;
use storage::engine::Engine;

impl Server {
    /// Puts the parts together. `on_shutdown` is called by the SHUTDOWN statement, with its user.
    pub fn new(
        engine: Arc<Engine>,
        globals: Arc<GlobalVars>,
        connections: Arc<Connections>,
        accounts: Arc<Accounts>,
        on_shutdown: Box<dyn Fn(&str) + Send + Sync>,
    ) -> Arc<Server> {
        Server::assemble(engine, globals, connections, accounts, on_shutdown, &Statements)
    }
}

/// Opens sessions of a server.
pub struct Sessions(pub Arc<Server>);

impl SessionFactory for Sessions {
    fn open(&self, ctx: SessionContext) -> SqlResult<Box<dyn SessionHandler>> {
        if self.0.is_stopping() {
            return Err(SqlError::new(ErrorCode::SERVER_SHUTDOWN, &[]));
        }
        let mut session = Session::open(&self.0, ctx)?;
        session.check_online()?;
        session.greet()?;
        Ok(Box::new(session))
    }

    fn open_watching(&self) -> SqlResult<Box<dyn SessionHandler>> {
        if self.0.is_stopping() {
            return Err(SqlError::new(ErrorCode::SERVER_SHUTDOWN, &[]));
        }
        Ok(Box::new(Session::watching(&self.0)?))
    }
}

impl Session {
    /// What a new client's session does before the client: a line in the log, `init_connect`.
    pub(crate) fn greet(&mut self) -> SqlResult<()> {
        let (user, host) = &self.env.security.user;
        let db = self.env.schema.as_deref().unwrap_or("");
        let way = *self.env.client.connection.transport.lock();
        let way = if way.is_empty() { "Socket" } else { way };
        self.log.general(&self.env, "Connect", format!("{user}@{host} on {db} using {way}").as_bytes());
        let text = self.env.shared.globals.string(Var::init_connect);
        if text.is_empty() || self.is_administrator() {
            return Ok(());
        }
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let several = std::mem::replace(&mut self.client.multi_statements, true);
        let done = self.run_text(text.as_bytes(), &mut Collector::default());
        self.client.multi_statements = several;
        done.map_err(|_| {
            let (user, host) = &self.env.security.user;
            let id = self.env.client.connection.id();
            let db = self.env.schema.as_deref().unwrap_or("unconnected");
            SqlError::new(ErrorCode::NEW_ABORTING_CONNECTION, &[&id, &db, user, host, &"init_connect command failed"])
        })
    }
}
