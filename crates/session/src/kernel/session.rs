//! [`Session`]: one client's state and the wire's calls.

use crate::kernel::diagnostics::Diagnostics;
use crate::kernel::identity::Identity;
use crate::kernel::locks::HeldTables;
use crate::kernel::nested::Nested;
use crate::kernel::parts::{Client, Running};
use crate::kernel::plans::SessionPlans;
use crate::kernel::prepared::Statements;
use crate::kernel::server::Server;
use crate::kernel::track::Tracked;
use crate::kernel::txn::TxnState;
use crate::kernel::virtual_tables::{SessionTables, client_texts};
use crate::logs::SessionLog;
use crate::variables::shown::ShownValues;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{Capabilities, SessionContext, StatusFlags};
use catalog::connections::Kill;
use catalog::sysvar::{Raw, SessionVars, Var};
use executor::Env;
use executor::env::{Clock, Counts, Kernel, Rand, SecurityContext};
use std::sync::Arc;
use value::{CollationId, ConvCtx, TimeZone};

/// One client's session. One thread at a time uses it; where a part is shared beyond that, the part says so.
pub struct Session {
    /// What all sessions share.
    pub(crate) server: Arc<Server>,
    /// The state that executing statements reads and changes.
    pub(crate) env: Env,
    /// How the session waits, is told to stop and counts; shared with the thread that serves it and with KILL.
    pub(crate) sched: Arc<sched::Session>,
    pub(crate) client: Client,
    pub(crate) identity: Identity,
    pub(crate) running: Running,
    pub(crate) txn: TxnState,
    pub(crate) tables: HeldTables,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) tracked: Tracked,
    /// Plans of its own, beside those of its thread and the server.
    pub(crate) plans: SessionPlans,
    /// Prepared statements and their cursors.
    pub(crate) statements: Statements,
    /// Its part of the logs.
    pub(crate) log: SessionLog,
    /// What BINLOG statements have said so far.
    pub(crate) applier: crate::kernel::binary_log::Applier,
    /// Bytes it keeps between statements.
    pub(crate) memory: base::memory::Kept,
    /// Copies of its variables that others may read.
    pub(crate) values: Arc<ShownValues>,
}

/// What decides plans beside their texts, as one number.
pub(crate) fn settings_key(env: &Env) -> u128 {
    crate::kernel::run::plan_key(env, 0)
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

/// The state that a session begins with, before its settings.
fn new_env(
    server: &Arc<Server>,
    ctx: &SessionContext,
    account: Arc<catalog::accounts::Account>,
    trx: storage::txn::Trx,
    texts: crate::kernel::virtual_tables::Texts,
) -> Env {
    let found_rows = ctx.capabilities.has(Capabilities::FOUND_ROWS);
    Env {
        shared: server.shared(),
        trx,
        mdl: server.mdl.session(ctx.conn.id()),
        temp: Default::default(),
        client: executor::env::Client { connection: ctx.conn.clone(), found_rows },
        security: SecurityContext {
            account,
            active_roles: Vec::new(),
            user: (ctx.user.clone(), ctx.host.clone()),
            as_definer: false,
        },
        vars: SessionVars::new(&server.globals),
        user_vars: Default::default(),
        schema: None,
        conv: ConvCtx::default(),
        statement: Default::default(),
        clock: Clock { now_us: 0, fixed_us: None, server_start: server.started },
        insert_ids: Default::default(),
        counts: Counts { row_count: -1, ..Counts::default() },
        rand: Rand { seeds: seeds(ctx.conn.id()), states: Default::default() },
        traces: Default::default(),
        handles: Default::default(),
        kernel: Kernel {
            replica: server.replica.get().map(|r| r.clone() as _),
            virtual_tables: Arc::new(SessionTables { server: server.clone(), texts }),
            nested: Arc::new(Nested::new(server)),
            programs: Vec::new(),
            applies_rows: false,
            rows_only: false,
            steps: probe::steps::Steps::new(server.globals.num(Var::performance_schema_max_sql_text_length) as usize),
        },
        binlog: executor::binlog::Binlog::new(server.binary_log.get().cloned()),
    }
}

impl Session {
    /// A session for an authenticated client. 1049 and 1044 for a default database that cannot be used.
    pub fn open(server: &Arc<Server>, ctx: SessionContext) -> SqlResult<Session> {
        let account = server
            .accounts
            .get(&ctx.account.0, &ctx.account.1)
            .ok_or_else(|| SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&ctx.user, &ctx.host, &"NO"]))?;
        Session::with_account(server, ctx, account, false)
    }

    /// A session that evaluates for the server itself: no client, no account, in no list of connections.
    pub(crate) fn internal(server: &Arc<Server>) -> SqlResult<Session> {
        let ctx = own_context(server, "mysql.session");
        let account = Arc::new(catalog::accounts::Account::new("mysql.session", "localhost"));
        let mut s = Session::with_account(server, ctx, account, true)?;
        s.leave_binary_log();
        Ok(s)
    }

    pub(crate) fn with_account(
        server: &Arc<Server>,
        ctx: SessionContext,
        account: Arc<catalog::accounts::Account>,
        internal: bool,
    ) -> SqlResult<Session> {
        let id = ctx.conn.id();
        let sched = sched::Session::new(id);
        let trx = server.engine.new_trx(id)?;
        install_kill(&ctx.conn, &sched, &trx);
        *ctx.conn.sched.lock() = Some(sched.clone());
        *ctx.conn.tls.lock() = ctx.tls.as_ref().map(|(version, cipher, _)| (version.clone(), cipher.clone()));
        *ctx.conn.transport.lock() = match (&ctx.tls, ctx.unix_socket) {
            (Some(_), _) => "SSL/TLS",
            (None, true) => "Socket",
            (None, false) => "TCP/IP",
        };
        let mut log = SessionLog::new(&server.log, &sched, &server.globals);
        log.unlogged = internal;
        let texts = client_texts(&ctx);
        let env = new_env(server, &ctx, account.clone(), trx, texts.clone());
        let values = Arc::new(ShownValues::new(&env));
        let mut s = Session {
            server: server.clone(),
            env,
            sched,
            plans: SessionPlans::default(),
            statements: Statements::new(ctx.conn.clone()),
            client: Client::of(&ctx, texts),
            identity: Identity::new(account, !internal),
            running: Running::default(),
            txn: TxnState::default(),
            tables: HeldTables::default(),
            diagnostics: Diagnostics::default(),
            tracked: Tracked::default(),
            log,
            applier: Default::default(),
            memory: Default::default(),
            values,
        };
        s.values.store(&s.env.vars);
        *s.env.client.connection.values.lock() = Some(s.values.clone());
        if !internal {
            s.log_in();
        }
        s.enter_sandbox();
        s.activate_login_roles();
        s.arm_big_selects();
        s.set_from_handshake();
        s.apply_settings();
        if let Some(db) = ctx.database.as_deref().filter(|d| !d.is_empty()) {
            s.use_schema(db)?;
            s.tracked.changes.clear();
        }
        Ok(s)
    }

    /// Settings that the client's handshake decides.
    fn set_from_handshake(&mut self) {
        self.set_handshake_collation(self.client.collation);
        if self.client.capabilities.has(Capabilities::INTERACTIVE) {
            let n = self.env.shared.globals.num(Var::interactive_timeout);
            self.env.vars.store(Var::wait_timeout, Raw::Num(n));
        }
        if self.client.capabilities.has(Capabilities::IGNORE_SPACE) {
            let mode = self.env.vars.sql_mode().0 | value::SqlMode::IGNORE_SPACE.0;
            self.env.vars.store(Var::sql_mode, Raw::Num(mode));
        }
    }

    fn set_handshake_collation(&mut self, collation: u16) {
        let cs = CollationId(collation).charset();
        let known = CollationId(collation).is_known() && !cs.is_wide();
        let server = self.env.shared.globals.num(Var::collation_server) as u16;
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
        self.values.store(&self.env.vars);
        self.env.binlog.switch(self.env.vars.bool(Var::sql_log_bin));
        self.env.own_temporary_tables();
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
        if shown != "information_schema" && !self.env.security.account.privileges.can_use_database(shown) {
            let a = &self.env.security.account;
            return Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[&a.user, &a.host, &shown]));
        }
        let (name, collation) = match virtual_name {
            Some(v) => (v.to_owned(), CollationId(33)),
            None => {
                // who may not use it is not told whether there is one
                if !self.env.security.account.privileges.can_see_database(name) {
                    return Err(self.database_denied(name));
                }
                let def = self.server.engine.dict().schema(name);
                let def = def.ok_or_else(|| SqlError::new(ErrorCode::BAD_DB_ERROR, &[&name]))?;
                (def.name.clone(), def.collation)
            }
        };
        self.env.vars.store(Var::collation_database, Raw::Num(u64::from(collation.0)));
        self.values.store(&self.env.vars);
        self.env.client.connection.set_db(Some(&name));
        self.track_schema(&name);
        self.env.schema = Some(name.into());
        Ok(())
    }

    /// The schema that a table's name means: its own or the default one; empty: there is none.
    pub(crate) fn schema_of(&self, t: &parser::ast::TableName<'_>) -> String {
        t.schema.or(self.env.schema.as_deref()).unwrap_or("").to_owned()
    }

    /// Whether `init_connect` and `offline_mode` do not concern the account, or what an applier does.
    pub(crate) fn is_administrator(&self) -> bool {
        let p = &self.env.security.account.privileges;
        p.has_dynamic("CONNECTION_ADMIN") || self.env.binlog.origin().is_some()
    }

    /// `offline_mode`: 3032 for those who are not administrators, and the end of their connection if they go on.
    #[inline]
    pub(crate) fn check_online(&mut self) -> SqlResult<()> {
        if self.env.shared.globals.bool(Var::offline_mode) && !self.is_administrator() {
            if std::mem::replace(&mut self.client.told_offline, true) {
                self.env.client.connection.end_after_answer();
            }
            return Err(SqlError::new(ErrorCode::SERVER_OFFLINE_MODE, &[]));
        }
        Ok(())
    }

    /// The default schema is gone.
    pub(crate) fn forget_schema(&mut self) {
        self.env.schema = None;
        self.env.client.connection.set_db(None);
        let server = self.env.shared.globals.num(Var::collation_server);
        self.env.vars.store(Var::collation_database, Raw::Num(server));
        self.values.store(&self.env.vars);
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

    /// COM_RESET_CONNECTION, COM_CHANGE_USER: nothing of what the session was told is left.
    pub(crate) fn begin_anew(&mut self) -> SqlResult<()> {
        self.end_transaction_for_reset()?;
        self.env.temp.remove_all(&self.server.engine);
        self.tables.exported = None;
        self.env.mdl.release_all();
        self.tables.locked.clear();
        self.tables.handlers.clear();
        self.tables.global_read_lock = false;
        self.statements.drop_all(&self.server);
        self.plans.clear();
        self.env.user_vars.clear();
        self.settings_from_start();
        self.apply_settings();
        self.diagnostics = Diagnostics::default();
        self.env.client.connection.activity.recorder.forget_profiles();
        (self.env.counts.conditions, self.env.clock.fixed_us) = ((0, 0), None);
        (self.env.insert_ids.next, self.env.insert_ids.wanted) = (0, 0);
        (self.env.counts.found_rows, self.env.counts.row_count) = (0, 0);
        self.txn = TxnState::default();
        self.apply_transaction_settings();
        self.activate_login_roles();
        Ok(())
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
            self.values.store(&self.env.vars);
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

impl Drop for Session {
    fn drop(&mut self) {
        self.log.general(&self.env, "Quit", b"");
        self.env.client.connection.set_waker(None);
        self.env.binlog.clear();
        self.env.binlog.end_gtid();
        let _ = self.env.trx.rollback();
        self.forget_branch();
        self.env.temp.remove_all(&self.server.engine);
        self.tables.exported = None;
        self.env.mdl.release_all();
        self.statements.drop_all(&self.server);
        self.log_out();
        let own = self.env.client.connection.sched.lock().take_if(|s| Arc::ptr_eq(s, &self.sched));
        drop(own);
        if self.client.shuts_down {
            (self.server.on_shutdown)(&self.env.security.user.0);
        }
    }
}
