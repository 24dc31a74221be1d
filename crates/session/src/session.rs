//! [`Session`]: one client's state and the wire's calls.

use crate::plans::SessionPlans;
use crate::prepared::Statements;
use crate::server::Server;
use crate::track::TransactionTracker;
use crate::txn::TxnState;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{
    Capabilities, ColumnDef, CursorType, NetParams, Param, Prepared, QueryAttribute, ResultSink, SessionContext,
    SessionHandler, StateChanges, StatusFlags,
};
use catalog::connections::Kill;
use catalog::sysvar::{Raw, SessionVars, Var};
use executor::Env;
use sched::pool::Completer;
use std::sync::Arc;
use value::{CollationId, ConvCtx, OwnedValue, SqlType, TimeZone, Warning};

/// Errors and warnings of the last statement that used tables or failed.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    pub(crate) rows: Vec<Warning>,
    /// What the running statement leaves of the one before.
    pub(crate) held: crate::diagnostics::Held,
    /// What SIGNAL gave its condition beside number and text, and that condition's row.
    pub(crate) signalled: Option<(usize, Box<crate::diagnostics::Signalled>)>,
    /// All, also those beyond `max_error_count`.
    pub(crate) count: u64,
    pub(crate) errors: u64,
}

/// One client's session.
pub struct Session {
    pub(crate) server: Arc<Server>,
    pub(crate) env: Env,
    /// Parameters of the running prepared statement that has no plan (SET, DO): value and type.
    pub(crate) arguments: Vec<(OwnedValue, SqlType)>,
    pub(crate) plans: SessionPlans,
    pub(crate) statements: Statements,
    pub(crate) txn: TxnState,
    pub(crate) diagnostics: Diagnostics,
    /// What the running SIGNAL raises.
    pub(crate) signalled: Option<Box<crate::diagnostics::Signalled>>,
    pub(crate) changes: StateChanges,
    pub(crate) tracker: TransactionTracker,
    pub(crate) multi_statements: bool,
    pub(crate) capabilities: Capabilities,
    /// Collation of the handshake, for COM_RESET_CONNECTION.
    collation: u16,
    pub(crate) sched: Arc<sched::Session>,
    /// Tables of LOCK TABLES as (schema, name, write).
    pub(crate) locked_tables: Vec<crate::locks::LockedTable>,
    /// FLUSH TABLES WITH READ LOCK is in force.
    pub(crate) global_read_lock: bool,
    /// Variables have the values of SET_VAR hints.
    pub(crate) hinted: bool,
    /// The running statement is the last of its packet, on a thread that serves many: its commit may leave the wait for the log to the
    /// connection ([`SessionHandler::take_unflushed`]).
    pub(crate) may_finish_later: bool,
    /// SHUTDOWN was answered: the server ends with this connection, not before, so that the client hears it.
    pub(crate) shuts_down: bool,
    /// What the answer to the client must wait for.
    pub(crate) unflushed: Option<(Arc<dyn Completer>, u64)>,
    /// Tables opened by HANDLER.
    pub(crate) handlers: Vec<crate::handler::Open>,
    pub(crate) instrument: crate::instrument::Instrument,
    /// Writes the logs: is in none of them.
    pub(crate) unlogged: bool,
    /// The statement took longer than long_query_time; told with its answer.
    pub(crate) slow: bool,
    /// Passwords that the running statement has made.
    pub(crate) generated: Vec<crate::generated::Generated>,
    /// Has been told of `offline_mode`.
    refused: bool,
    /// Bytes it keeps between statements.
    pub(crate) kept: base::memory::Kept,
    /// The account's password has expired: nothing but changing it is allowed.
    pub(crate) sandbox: bool,
    /// The account as it was at login, whose global privileges the session keeps.
    pub(crate) login: Arc<catalog::accounts::Account>,
    /// Version of the accounts that `env.account` comes from.
    pub(crate) accounts_seen: u64,
}

/// What a session of the server's own is opened with.
pub(crate) fn own_context(server: &Server, user: &str) -> SessionContext {
    let conn = server.connections.register("localhost");
    server.connections.unregister(conn.id());
    SessionContext {
        conn,
        account: (user.to_owned(), "localhost".to_owned()),
        user: user.to_owned(),
        host: "localhost".to_owned(),
        database: None,
        collation: value::CollationId::UTF8MB4_0900_AI_CI.0,
        capabilities: Capabilities(Capabilities::MULTI_STATEMENTS),
        attributes: Vec::new(),
        tls: None,
        unix_socket: true,
    }
}

impl Session {
    /// A session for an authenticated client. 1049 and 1044 for a default database that cannot be used.
    pub fn open(server: &Arc<Server>, ctx: SessionContext) -> SqlResult<Session> {
        let account = server
            .accounts
            .get(&ctx.account.0, &ctx.account.1)
            .ok_or_else(|| SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&ctx.user, &ctx.host, &"NO"]))?;
        Session::with_account(server, ctx, account)
    }

    /// A session that evaluates for the server itself: no client, no account, in no list of connections.
    pub(crate) fn internal(server: &Arc<Server>) -> SqlResult<Session> {
        let ctx = own_context(server, "mysql.session");
        let account = Arc::new(catalog::accounts::Account::new("mysql.session", "localhost"));
        let mut s = Session::with_account(server, ctx, account)?;
        s.unlogged = true;
        Ok(s)
    }

    fn with_account(
        server: &Arc<Server>,
        ctx: SessionContext,
        account: Arc<catalog::accounts::Account>,
    ) -> SqlResult<Session> {
        let id = ctx.conn.id();
        let sched = sched::Session::new(id);
        let trx = server.engine.new_trx(id)?;
        install_kill(&ctx.conn, &sched, &trx);
        *ctx.conn.sched.lock() = Some(sched.clone());
        *ctx.conn.transport.lock() = match (&ctx.tls, ctx.unix_socket) {
            (Some(_), _) => "SSL/TLS",
            (None, true) => "Socket",
            (None, false) => "TCP/IP",
        };
        let view_server = server.clone();
        let client = client_texts(&ctx);
        let env = Env {
            engine: server.engine.clone(),
            trx,
            mdl: server.mdl.session(id),
            globals: server.globals.clone(),
            vars: SessionVars::new(&server.globals),
            connections: server.connections.clone(),
            connection: ctx.conn.clone(),
            accounts: server.accounts.clone(),
            account: account.clone(),
            active_roles: Vec::new(),
            user: (ctx.user.clone(), ctx.host.clone()),
            schema: None,
            user_vars: Default::default(),
            conv: ConvCtx::default(),
            now_us: 0,
            fixed_now_us: None,
            last_insert_id: 0,
            next_last_insert_id: 0,
            insert_id_given: false,
            insert_id: 0,
            found_rows: 0,
            rows_sent: 0,
            row_count: -1,
            diagnostics: (0, 0),
            rand_seeds: seeds(id),
            rand_states: Default::default(),
            further_errors: Vec::new(),
            client_found_rows: ctx.capabilities.has(Capabilities::FOUND_ROWS),
            executed_by_name: false,
            temp: Default::default(),
            show_temp: false,
            names_hidden: false,
            server_start: server.started,
            view: Arc::new(move |env| Box::new(view(&view_server, env, &client))),
        };
        let mut s = Session {
            server: server.clone(),
            env,
            arguments: Vec::new(),
            plans: SessionPlans::default(),
            statements: Statements::new(ctx.conn.clone()),
            txn: TxnState::default(),
            diagnostics: Diagnostics::default(),
            signalled: None,
            changes: StateChanges::default(),
            tracker: TransactionTracker::default(),
            multi_statements: ctx.capabilities.has(Capabilities::MULTI_STATEMENTS),
            capabilities: ctx.capabilities,
            collation: ctx.collation,
            sched,
            locked_tables: Vec::new(),
            global_read_lock: false,
            hinted: false,
            may_finish_later: false,
            shuts_down: false,
            unflushed: None,
            handlers: Vec::new(),
            instrument: crate::instrument::Instrument::new(&server.globals),
            unlogged: false,
            slow: false,
            generated: Vec::new(),
            refused: false,
            kept: Default::default(),
            sandbox: false,
            login: account,
            accounts_seen: 0,
        };
        s.server.connections.logged_in(&s.env.user.0, &s.env.user.1);
        s.enter_sandbox();
        s.activate_login_roles();
        s.arm_big_selects();
        s.set_from_handshake();
        s.apply_settings();
        if let Some(db) = ctx.database.as_deref().filter(|d| !d.is_empty()) {
            s.use_schema(db)?;
            s.changes.clear();
        }
        Ok(s)
    }

    /// Settings that the client's handshake decides.
    fn set_from_handshake(&mut self) {
        self.set_handshake_collation(self.collation);
        if self.capabilities.has(Capabilities::INTERACTIVE) {
            let n = self.env.globals.num(Var::interactive_timeout);
            self.env.vars.store(Var::wait_timeout, Raw::Num(n));
        }
        if self.capabilities.has(Capabilities::IGNORE_SPACE) {
            let mode = self.env.vars.sql_mode().0 | value::SqlMode::IGNORE_SPACE.0;
            self.env.vars.store(Var::sql_mode, Raw::Num(mode));
        }
    }

    fn set_handshake_collation(&mut self, collation: u16) {
        let cs = CollationId(collation).charset();
        let known = CollationId(collation).is_known() && !cs.is_wide();
        let server = self.env.globals.num(Var::collation_server) as u16;
        // no client has a set without ASCII, whatever the server's is
        let default = if CollationId(server).charset().is_wide() { 255 } else { server };
        let id = if known { collation } else { default };
        for v in [Var::character_set_client, Var::character_set_results, Var::collation_connection] {
            self.env.vars.store(v, Raw::Num(u64::from(id)));
        }
    }

    /// Carries settings that other parts keep copies of to them: after SET and at the start.
    pub(crate) fn apply_settings(&mut self) {
        let tz = self.env.vars.text(Var::time_zone).cloned();
        let name = tz.as_deref().unwrap_or("SYSTEM");
        self.env.conv.time_zone = TimeZone::by_name(name).unwrap_or(TimeZone::UTC);
        self.apply_transaction_settings();
    }

    /// `USE`: 1044 denied, 1049 unknown.
    pub(crate) fn use_schema(&mut self, name: &str) -> SqlResult<()> {
        if name.is_empty() {
            return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[]));
        }
        base::names::short(name)?;
        let name = &*base::names::fold(name);
        let virtual_name = views::VIRTUAL_SCHEMAS.iter().find(|v| v.eq_ignore_ascii_case(name)).copied();
        // before whether there is such a database, which is nobody's business who has nothing there
        let shown = virtual_name.unwrap_or(name);
        if shown != "information_schema" && !self.env.account.privileges.can_use_database(shown) {
            let a = &self.env.account;
            return Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&a.user, &a.host, &shown]));
        }
        let (name, collation) = match virtual_name {
            Some(v) => (v.to_owned(), CollationId(33)),
            None => {
                // who may not use it is not told whether there is one
                if !self.env.account.privileges.can_see_database(name) {
                    return Err(self.database_denied(name));
                }
                let def = self.server.engine.dict().schema(name);
                let def = def.ok_or_else(|| SqlError::new(ErrorCode::BAD_DB_ERROR, &[&name]))?;
                (def.name.clone(), def.collation)
            }
        };
        self.env.vars.store(Var::collation_database, Raw::Num(u64::from(collation.0)));
        self.env.connection.set_db(Some(&name));
        self.track_schema(&name);
        self.env.schema = Some(name.into());
        Ok(())
    }

    /// Whether `init_connect` and `offline_mode` do not concern the account.
    pub(crate) fn is_administrator(&self) -> bool {
        let p = &self.env.account.privileges;
        p.has_global(catalog::accounts::Privs::SUPER) || p.has_dynamic("CONNECTION_ADMIN")
    }

    /// `offline_mode`: 3032 for those who are not administrators, and the end of their connection if they go on.
    #[inline]
    pub(crate) fn check_online(&mut self) -> SqlResult<()> {
        if self.env.globals.bool(Var::offline_mode) && !self.is_administrator() {
            if std::mem::replace(&mut self.refused, true) {
                self.env.connection.end_after_answer();
            }
            return Err(SqlError::new(ErrorCode::SERVER_OFFLINE_MODE, &[]));
        }
        Ok(())
    }

    /// What a new client's session does before the client: a line in the log, `init_connect`.
    pub(crate) fn greet(&mut self) -> SqlResult<()> {
        let (user, host) = &self.env.user;
        let db = self.env.schema.as_deref().unwrap_or("");
        self.log_general("Connect", format!("{user}@{host} on {db} using Socket").as_bytes());
        let text = self.env.globals.string(Var::init_connect);
        if text.is_empty() || self.is_administrator() {
            return Ok(());
        }
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let several = std::mem::replace(&mut self.multi_statements, true);
        let done = self.run_text(text.as_bytes(), &mut crate::prepared::Collector::default());
        self.multi_statements = several;
        done.map_err(|_| {
            let (user, host) = &self.env.user;
            let id = self.env.connection.id();
            let db = self.env.schema.as_deref().unwrap_or("unconnected");
            SqlError::new(ErrorCode::NEW_ABORTING_CONNECTION, &[&id, &db, user, host, &"init_connect command failed"])
        })
    }

    /// The default schema is gone.
    pub(crate) fn forget_schema(&mut self) {
        self.env.schema = None;
        self.env.connection.set_db(None);
        let server = self.env.globals.num(Var::collation_server);
        self.env.vars.store(Var::collation_database, Raw::Num(server));
    }

    /// Status bits after a statement.
    pub(crate) fn status_flags(&self) -> StatusFlags {
        let mut f = StatusFlags::default();
        if self.autocommit() {
            f = f.with(StatusFlags::AUTOCOMMIT);
        }
        if self.in_transaction() {
            f = f.with(StatusFlags::IN_TRANS);
            if self.txn.read_only {
                f = f.with(StatusFlags::IN_TRANS_READONLY);
            }
        }
        if self.env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES) {
            f = f.with(StatusFlags::NO_BACKSLASH_ESCAPES);
        }
        f
    }

    /// Another limit of joins than the default arms the check.
    fn arm_big_selects(&mut self) {
        let unlimited = self.env.vars.num(Var::max_join_size) == u64::MAX;
        self.env.vars.store(Var::sql_big_selects, Raw::Num(u64::from(unlimited)));
    }

    fn settings_from_start(&mut self) {
        self.env.vars.reset(&self.server.globals);
        self.arm_big_selects();
        self.set_from_handshake();
        if let Some(s) = self.env.schema.clone()
            && let Some(def) = self.server.engine.dict().schema(&s)
        {
            self.env.vars.store(Var::collation_database, Raw::Num(u64::from(def.collation.0)));
        }
    }
}

/// KILL must reach whatever the session waits for: row locks, metadata locks, sleeps.
pub(crate) fn install_kill(
    conn: &Arc<catalog::connections::Connection>,
    sched: &Arc<sched::Session>,
    trx: &storage::txn::Trx,
) {
    let (handle, at, waits) = (trx.kill_handle(), Arc::downgrade(conn), sched.clone());
    conn.set_waker(Some(Arc::new(move || {
        handle.kill();
        let gone = at.upgrade().is_none_or(|c| c.killed() == Kill::Connection);
        waits.kill(if gone { sched::Kill::Connection } else { sched::Kill::Query });
    })));
}

fn seeds(id: u64) -> (u32, u32) {
    let t = executor::env::wall_clock_us() as u64;
    ((t ^ id.wrapping_mul(0x9e37_79b9)) as u32 & 0x3fff_ffff, (t >> 7 ^ id) as u32 & 0x3fff_ffff)
}

/// Status variables that say how the client is connected.
fn client_texts(ctx: &SessionContext) -> Vec<(&'static str, String)> {
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
    texts
}

fn view(server: &Server, env: &Env, client: &[(&'static str, String)]) -> views::SessionView {
    views::SessionView {
        engine: env.engine.clone(),
        mdl: server.mdl.clone(),
        time_zone: env.conv.time_zone.clone(),
        globals: env.globals.clone(),
        vars: env.vars.clone(),
        connections: env.connections.clone(),
        connection: env.connection.clone(),
        accounts: env.accounts.clone(),
        account: env.account.clone(),
        active_roles: env.active_roles.clone(),
        session_status: probe::session_status(sched::current().counters()),
        session_texts: client.to_vec(),
        server_texts: server.pool_list_status().to_vec(),
        computed: vec![
            ("last_insert_id", env.last_insert_id.to_string()),
            ("identity", env.last_insert_id.to_string()),
            ("insert_id", env.insert_id.to_string()),
            ("warning_count", env.diagnostics.0.to_string()),
            ("error_count", env.diagnostics.1.to_string()),
            ("timestamp", format!("{:.6}", env.now_us as f64 / 1e6)),
            ("pseudo_thread_id", env.connection.id().to_string()),
        ],
        uptime: server.started.elapsed().as_secs(),
        started: server.started_at,
        temporary: if env.show_temp { env.temp.definitions() } else { Vec::new() },
        prepared_statements: server.prepared.load(std::sync::atomic::Ordering::Relaxed),
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.log_general("Quit", b"");
        self.env.connection.set_waker(None);
        let _ = self.env.trx.rollback();
        self.forget_branch();
        self.env.temp.remove_all(&self.server.engine);
        self.env.mdl.release_all();
        self.statements.drop_all(&self.server);
        let (user, host) = &self.env.user;
        self.server.connections.logged_out(user, host, &self.sched.counters().values());
        let own = self.env.connection.sched.lock().take_if(|s| Arc::ptr_eq(s, &self.sched));
        drop(own);
        if self.shuts_down {
            (self.server.on_shutdown)();
        }
    }
}

impl SessionHandler for Session {
    fn lines(&self, to: &mut sys::prefetch::Lines) {
        to.add(self);
        to.leave_out(&self.env.vars);
        self.env.vars.lines(to);
        to.add(&*self.sched);
        let (counters, size) = self.sched.counters().hot();
        to.add_range(counters, size);
        to.add(self.env.schema.as_deref().unwrap_or_default());
        to.add(&*self.env.account);
        self.env.mdl.lines(to);
        self.env.trx.lines(to);
    }

    fn holds_locks(&self) -> bool {
        self.env.trx.may_hold_locks()
    }

    fn query(&mut self, sql: &[u8], _attrs: &[QueryAttribute<'_>], out: &mut dyn ResultSink) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let text = self.arrived(sql);
        self.env.connection.set_text(&self.showable(&text));
        self.run_text(&text, out)
    }

    fn take_unflushed(&mut self) -> Option<(Arc<dyn Completer>, u64)> {
        self.unflushed.take()
    }

    fn results_charset(&self) -> value::Charset {
        Session::results_charset(self)
    }

    fn sends_metadata(&self) -> bool {
        self.env.vars.num(Var::resultset_metadata) != 0
    }

    fn init_db(&mut self, database: &[u8]) -> SqlResult<()> {
        let database = &*self.arrived(database).into_owned();
        let name = std::str::from_utf8(database)
            .map_err(|_| SqlError::new(ErrorCode::BAD_DB_ERROR, &[&String::from_utf8_lossy(database)]))?;
        self.check_sandbox_command()?;
        self.log_general("Init DB", database);
        self.use_schema(name)
    }

    fn prepare(&mut self, sql: &[u8]) -> SqlResult<Prepared> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        let text = self.arrived(sql);
        self.env.connection.set_text(&self.showable(&text));
        self.prepare_binary(&text)
    }

    fn execute(
        &mut self,
        id: u32,
        params: &[Param<'_>],
        _attrs: &[QueryAttribute<'_>],
        cursor: CursorType,
        out: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.may_finish_later = sched::pool::may_finish_later();
        self.execute_binary(id, params, cursor, out)
    }

    fn fetch(&mut self, id: u32, rows: u32, out: &mut dyn ResultSink) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        probe::inc(probe::Counter::ComStmtFetch);
        self.fetch_cursor(id, rows, out)
    }

    fn close_statement(&mut self, id: u32) {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        probe::inc(probe::Counter::ComStmtClose);
        self.statements.close(id, &self.server);
    }

    fn reset_statement(&mut self, id: u32) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        probe::inc(probe::Counter::ComStmtReset);
        self.statements.reset(id)
    }

    fn field_list(&mut self, table: &[u8], wildcard: &[u8]) -> SqlResult<Vec<(ColumnDef, Option<Vec<u8>>)>> {
        let (table, wildcard) = (self.arrived(table).into_owned(), self.arrived(wildcard).into_owned());
        self.check_sandbox_command()?;
        self.list_fields(&table, &wildcard)
    }

    fn statistics(&mut self) -> String {
        let up = self.server.started.elapsed().as_secs();
        let questions = probe::global(probe::Counter::Questions);
        let per_second = questions as f64 / (up.max(1)) as f64;
        format!(
            "Uptime: {up}  Threads: {}  Questions: {questions}  Slow queries: {}  Opens: {}  Flush tables: {}  Open tables: {}  Queries per second avg: {per_second:.3}",
            self.server.connections.len(),
            probe::global(probe::Counter::SlowQueries),
            probe::global(probe::Counter::OpenedTables),
            probe::global(probe::Counter::FlushCommands),
            probe::global(probe::Counter::OpenTables),
        )
    }

    fn kill(&mut self, id: u64) -> SqlResult<()> {
        self.check_sandbox_command()?;
        self.kill_connection(id, false)
    }

    fn debug(&mut self) -> SqlResult<()> {
        self.check_sandbox_command()?;
        self.require(catalog::accounts::Privs::SUPER, "SUPER")
    }

    fn refresh(&mut self, bits: u8) -> SqlResult<()> {
        let sched = self.sched.clone();
        let _attached = sched.attach();
        self.check_sandbox_command()?;
        self.refresh_items(bits)
    }

    fn set_multi_statements(&mut self, on: bool) {
        self.multi_statements = on;
    }

    fn reset(&mut self) -> SqlResult<()> {
        self.end_transaction_for_reset()?;
        self.env.temp.remove_all(&self.server.engine);
        self.env.mdl.release_all();
        self.locked_tables.clear();
        self.handlers.clear();
        self.global_read_lock = false;
        self.statements.drop_all(&self.server);
        self.plans.clear();
        self.env.user_vars.clear();
        self.settings_from_start();
        self.apply_settings();
        self.diagnostics = Diagnostics::default();
        self.env.diagnostics = (0, 0);
        self.env.fixed_now_us = None;
        (self.env.next_last_insert_id, self.env.insert_id) = (0, 0);
        (self.env.found_rows, self.env.row_count) = (0, 0);
        self.txn = TxnState::default();
        self.apply_transaction_settings();
        self.activate_login_roles();
        Ok(())
    }

    fn status(&self) -> StatusFlags {
        self.status_flags()
    }

    fn take_state(&mut self, into: &mut Vec<u8>) {
        into.extend_from_slice(self.changes.bytes());
        self.changes.clear();
    }

    fn net_params(&self) -> NetParams {
        NetParams {
            wait_timeout: self.env.vars.num(Var::wait_timeout) as u32,
            net_read_timeout: self.env.vars.num(Var::net_read_timeout) as u32,
            net_write_timeout: self.env.vars.num(Var::net_write_timeout) as u32,
        }
    }
}
