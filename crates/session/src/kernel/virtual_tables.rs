//! What a session shows to virtual tables (`views`), and how the executor reads those ([`executor::env::VirtualTables`]).
//!
//! The view is made when such a table is read: a copy of what the session has at that moment. Locks: those of the parts
//! that are copied, one after the other.

use crate::kernel::server::Server;
use crate::kernel::session::Session;
use base::SqlResult;
use catalog::client::{Capabilities, SessionContext};
use executor::Env;
use executor::env::{Asked, VirtualTables};
use std::sync::Arc;
use storage::dict::TableDef;
use value::OwnedValue;

/// Status variables of a session that are no counters: name and value.
pub(crate) type Texts = Arc<[(&'static str, String)]>;

/// Reads virtual tables for one session.
pub(crate) struct SessionTables {
    pub(crate) server: Arc<Server>,
    pub(crate) texts: Texts,
}

impl VirtualTables for SessionTables {
    fn rows(&self, table: &Arc<TableDef>, asked: Asked<'_>, env: &Env) -> SqlResult<Vec<Vec<OwnedValue>>> {
        let (hints, columns) = asked;
        let view = views::SessionView { read: Some(columns.into()), ..view(&self.server, env, &self.texts) };
        views::rows(table, &view, hints)
    }
}

impl Session {
    /// What it shows to virtual tables now.
    pub(crate) fn view(&self) -> views::SessionView {
        view(&self.server, &self.env, &self.client.texts)
    }
}

/// Status variables that say how the client is connected.
pub(crate) fn client_texts(ctx: &SessionContext) -> Texts {
    let algorithm = if ctx.capabilities.has(Capabilities::COMPRESS) {
        "zlib"
    } else if ctx.capabilities.has(Capabilities::ZSTD_COMPRESSION_ALGORITHM) {
        "zstd"
    } else {
        ""
    };
    let mut texts = vec![
        ("Compression", if algorithm.is_empty() { "OFF" } else { "ON" }.to_owned()),
        ("Compression_algorithm", algorithm.to_owned()),
    ];
    if let Some((version, cipher, name)) = &ctx.tls {
        texts.push(("Tls_sni_server_name", name.clone()));
        texts.push(("Ssl_version", version.clone()));
        texts.push(("Ssl_cipher", cipher.clone()));
        texts.push(("Ssl_cipher_list", cipher.clone()));
    }
    texts.into()
}

/// Status variables of the server that are no counters.
fn server_texts(server: &Server) -> Vec<(&'static str, String)> {
    let mut all = server.pool_list_status().to_vec();
    if let Some(log) = server.source.log().filter(|l| l.semi_sync.is_installed() || l.semi_sync.is_enabled()) {
        all.extend(log.semi_sync.status());
    }
    all.extend(server.replica.get().map(|r| r.status_variables()).unwrap_or_default());
    all
}

fn view(server: &Server, env: &Env, texts: &[(&'static str, String)]) -> views::SessionView {
    views::SessionView {
        read: None,
        engine: env.shared.engine.clone(),
        mdl: server.mdl.clone(),
        time_zone: env.conv.time_zone.clone(),
        globals: env.shared.globals.clone(),
        vars: env.vars.clone(),
        connections: env.shared.connections.clone(),
        connection: env.client.connection.clone(),
        accounts: env.shared.accounts.clone(),
        account: env.security.account.clone(),
        active_roles: env.security.active_roles.clone(),
        session_status: probe::session_status(sched::current().counters()),
        session_texts: texts.to_vec(),
        server_texts: server_texts(server),
        computed: vec![
            ("last_insert_id", env.insert_ids.at_start.to_string()),
            ("identity", env.insert_ids.at_start.to_string()),
            ("insert_id", env.insert_ids.wanted.to_string()),
            ("warning_count", env.counts.conditions.0.to_string()),
            ("error_count", env.counts.conditions.1.to_string()),
            ("timestamp", format!("{:.6}", env.clock.now_us as f64 / 1e6)),
            ("pseudo_thread_id", env.thread_id().to_string()),
        ],
        uptime: server.started.elapsed().as_secs(),
        started: server.started_at,
        temporary: if env.statement.shows_temporary { env.temp.definitions() } else { Vec::new() },
        replication: server.replica.get().map(|r| r.clone() as _),
        clones: server.clones.clone(),
        traces: env.traces.shown(&env.vars),
        kept_plans: server.plans.size(),
        prepared_statements: server.prepared.load(std::sync::atomic::Ordering::Relaxed),
    }
}
