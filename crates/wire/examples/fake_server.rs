//! A server with a handful of canned statements, for trying clients against `wire` alone: `cargo run --example fake_server PORT SOCKET DIR`.

// Test code: a failed step may panic.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Accounts, AuthPlugin, ClientAddr, MemoryStore, hash_password};
use catalog::client::row::{begin_binary, put_bin_i64, put_lenenc_str, put_text_u64, set_binary_null};
use catalog::client::*;
use catalog::connections::{Connections, Kill};
use catalog::sysvar::{GlobalVars, Raw, Var};
use parking_lot::RwLock;
use std::collections::HashMap;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use wire::{PasswordCache, RsaKey, Socket, TlsFiles, WireServer};

struct Fake {
    ctx: SessionContext,
    next: u32,
    statements: HashMap<u32, String>,
    cursors: HashMap<u32, u64>,
}

fn column(name: &str, ty: FieldType) -> ColumnDef {
    let charset = if ty == FieldType::VarString { 255 } else { 63 };
    ColumnDef::expression(name, ty, charset, 1024)
}

fn rows_meta() -> ResultMeta {
    ResultMeta::new(vec![column("n", FieldType::LongLong), column("s", FieldType::VarString)])
}

impl Fake {
    fn status(&self) -> StatusFlags {
        StatusFlags(StatusFlags::AUTOCOMMIT)
    }
    fn row(&self, out: &mut dyn ResultSink, n: u64) -> SqlResult<()> {
        let binary = out.format() == RowFormat::Binary;
        let b = out.row();
        if binary {
            begin_binary(b, 2);
            put_bin_i64(b, n as i64);
        } else {
            put_text_u64(b, n);
        }
        put_lenenc_str(b, b"some text");
        out.end_row()
    }
    fn one(&self, out: &mut dyn ResultSink, name: &str, value: &[u8], more: bool) -> SqlResult<()> {
        out.begin(&ResultMeta::new(vec![column(name, FieldType::VarString)]))?;
        put_lenenc_str(out.row(), value);
        out.end_row()?;
        let status = self.status().with(if more { StatusFlags::MORE_RESULTS } else { 0 });
        out.end_rows(&EndRows { status, warnings: 0, state: &[] })
    }
}

impl SessionHandler for Fake {
    fn query(&mut self, sql: &[u8], attrs: &[QueryAttribute<'_>], out: &mut dyn ResultSink) -> SqlResult<()> {
        let text = String::from_utf8_lossy(sql).to_lowercase();
        if let Some(n) = text.strip_prefix("rows ") {
            out.begin(&rows_meta())?;
            for i in 0..n.trim().parse().unwrap_or(1) {
                self.row(out, i)?;
            }
            return out.end_rows(&EndRows { status: self.status(), warnings: 0, state: &[] });
        }
        if let Some(n) = text.strip_prefix("big ") {
            return self.one(out, "big", &vec![b'x'; n.trim().parse().unwrap_or(1)], false);
        }
        if text.starts_with("length ") {
            return self.one(out, "length", sql.len().to_string().as_bytes(), false);
        }
        if text.starts_with("two") {
            self.one(out, "a", b"1", true)?;
            return self.one(out, "b", b"2", false);
        }
        if text.starts_with("panic") {
            panic!("asked to");
        }
        if text.starts_with("error") {
            return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&"test", &"t"]));
        }
        if text.starts_with("attrs") {
            return self.one(out, "attrs", format!("{attrs:?}").as_bytes(), false);
        }
        if text.starts_with("tls") {
            return self.one(out, "tls", format!("{:?}", self.ctx.tls).as_bytes(), false);
        }
        if text.starts_with("user") {
            return self.one(out, "user", format!("{}@{}", self.ctx.account.0, self.ctx.account.1).as_bytes(), false);
        }
        if text.starts_with("sleep") {
            for _ in 0..100 {
                std::thread::sleep(std::time::Duration::from_millis(50));
                self.ctx.conn.check_killed()?;
            }
        }
        if text.starts_with("infile") {
            let mut n = 0;
            out.local_infile(text[7..].trim().as_bytes(), &mut |piece| {
                n += piece.len() as u64;
                Ok(())
            })?;
            return out.ok(&OkInfo { affected_rows: n, status: self.status(), ..OkInfo::default() });
        }
        if text.starts_with("select") {
            return self.one(out, "1", b"1", false);
        }
        let mut state = StateChanges::default();
        state.schema(b"test");
        out.ok(&OkInfo {
            affected_rows: 1,
            info: b"info",
            state: state.bytes(),
            status: self.status(),
            ..OkInfo::default()
        })
    }
    fn init_db(&mut self, _: &[u8]) -> SqlResult<()> {
        Ok(())
    }
    fn prepare(&mut self, sql: &[u8]) -> SqlResult<Prepared> {
        let sql = String::from_utf8_lossy(sql).to_lowercase();
        let params = sql.matches('?').count();
        let columns = if sql.starts_with("rows") {
            rows_meta()
        } else {
            ResultMeta::new(vec![column("p", FieldType::VarString); params])
        };
        self.next += 1;
        self.statements.insert(self.next, sql);
        let params = vec![ColumnDef::expression("?", FieldType::VarString, 63, 0); params];
        Ok(Prepared { id: self.next, params, columns: Arc::new(columns), warnings: 0 })
    }
    fn execute(
        &mut self,
        id: u32,
        params: &[Param<'_>],
        _: &[QueryAttribute<'_>],
        cursor: CursorType,
        out: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let sql = self.statements.get(&id).cloned().unwrap_or_default();
        let end = EndRows { status: self.status(), warnings: 0, state: &[] };
        if let Some(n) = sql.strip_prefix("rows ") {
            let n: u64 = n.trim().parse().unwrap_or(1);
            out.begin(&rows_meta())?;
            if cursor == CursorType::ReadOnly {
                self.cursors.insert(id, n);
                return out.end_cursor_open(&EndRows { status: end.status.with(StatusFlags::CURSOR_EXISTS), ..end });
            }
            for i in 0..n {
                self.row(out, i)?;
            }
            return out.end_rows(&end);
        }
        if params.is_empty() {
            return out.ok(&OkInfo::default());
        }
        out.begin(&ResultMeta::new(vec![column("p", FieldType::VarString); params.len()]))?;
        let b = out.row();
        let bitmap = begin_binary(b, params.len());
        for (i, p) in params.iter().enumerate() {
            match p {
                Param::Null => set_binary_null(b, bitmap, i),
                p => put_lenenc_str(b, format!("{p:?}").as_bytes()),
            }
        }
        out.end_row()?;
        out.end_rows(&end)
    }
    fn fetch(&mut self, id: u32, rows: u32, out: &mut dyn ResultSink) -> SqlResult<()> {
        let left = self.cursors.get(&id).copied().unwrap_or(0);
        let n = left.min(u64::from(rows));
        out.begin_fetch(2)?;
        for i in 0..n {
            self.row(out, i)?;
        }
        self.cursors.insert(id, left - n);
        let last = if left == n { StatusFlags::LAST_ROW_SENT } else { 0 };
        out.end_rows(&EndRows {
            status: self.status().with(StatusFlags::CURSOR_EXISTS | last),
            warnings: 0,
            state: &[],
        })
    }
    fn close_statement(&mut self, id: u32) {
        self.statements.remove(&id);
    }
    fn reset_statement(&mut self, _: u32) -> SqlResult<()> {
        Ok(())
    }
    fn field_list(&mut self, _: &[u8], _: &[u8]) -> SqlResult<Vec<(ColumnDef, Option<Vec<u8>>)>> {
        Ok(vec![(column("n", FieldType::LongLong), None), (column("s", FieldType::VarString), Some(b"d".to_vec()))])
    }
    fn statistics(&mut self) -> String {
        "Uptime: 1  Threads: 1".into()
    }
    fn kill(&mut self, _: u64) -> SqlResult<()> {
        Err(SqlError::new(ErrorCode::KILL_DENIED_ERROR, &[&1]))
    }
    fn debug(&mut self) -> SqlResult<()> {
        Ok(())
    }

    fn refresh(&mut self, _: u8) -> SqlResult<()> {
        Ok(())
    }
    fn set_multi_statements(&mut self, _: bool) {}
    fn reset(&mut self) -> SqlResult<()> {
        self.statements.clear();
        Ok(())
    }
    fn status(&self) -> StatusFlags {
        Fake::status(self)
    }
    fn take_state(&mut self, _: &mut Vec<u8>) {}
    fn net_params(&self) -> NetParams {
        NetParams { wait_timeout: 20, net_read_timeout: 20, net_write_timeout: 20 }
    }
}

struct Factory;
impl SessionFactory for Factory {
    fn open(&self, ctx: SessionContext) -> SqlResult<Box<dyn SessionHandler>> {
        if ctx.database.as_deref() == Some("nix") {
            return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&"nix"]));
        }
        Ok(Box::new(Fake { ctx, next: 0, statements: HashMap::new(), cursors: HashMap::new() }))
    }
}

/// A server with accounts root (no password), n/native and s/sha2, whose keys are in `dir`.
pub fn server(dir: &std::path::Path) -> Arc<WireServer> {
    std::fs::create_dir_all(dir).unwrap();
    let accounts = Accounts::open(Box::new(MemoryStore::default())).unwrap();
    for (user, plugin, password) in [("n", AuthPlugin::Native, "native"), ("s", AuthPlugin::CachingSha2, "sha2")] {
        let mut a = Account::new(user, "localhost");
        a.plugin = plugin;
        *a.auth_string = hash_password(plugin, password.as_bytes(), 5000).unwrap();
        accounts.create(a).unwrap();
    }
    let globals = GlobalVars::new();
    globals.store(Var::local_infile, Raw::Num(1));
    let tls = TlsFiles {
        ca: dir.join("ca.pem"),
        cert: dir.join("server-cert.pem"),
        key: dir.join("server-key.pem"),
        ca_named: false,
        resume: true,
    };
    tls.create_if_none("here").unwrap();
    Arc::new(WireServer {
        version: "8.4.7-fake".into(),
        globals: Arc::new(globals),
        accounts: Arc::new(accounts),
        connections: Arc::new(Connections::default()),
        factory: Arc::new(Factory),
        tls: RwLock::new(Some(tls.load().unwrap())),
        rsa: Some(RsaKey::open(&dir.join("private_key.pem"), &dir.join("public_key.pem"), true).unwrap()),
        passwords: PasswordCache::default(),
    })
}

/// Serves one socket on a thread of its own.
pub fn spawn(server: &Arc<WireServer>, socket: Socket, addr: ClientAddr) -> std::thread::JoinHandle<wire::End> {
    let server = server.clone();
    std::thread::spawn(move || {
        let conn = server.connections.register("test");
        let s = socket.clone();
        conn.set_closer(Some(Arc::new(move || s.shutdown())));
        wire::greet(&server, socket, addr, "test:1".into(), conn).map_or(wire::End::Refused, wire::Served::run)
    })
}

#[allow(dead_code)]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let s = server(std::path::Path::new(&args[3]));
    let unix = UnixListener::bind(&args[2]).unwrap();
    let tcp = TcpListener::bind(("127.0.0.1", args[1].parse().unwrap())).unwrap();
    let s2 = s.clone();
    std::thread::spawn(move || {
        for c in unix.incoming().flatten() {
            spawn(&s2, Socket::Unix(Arc::new(c)), ClientAddr::Local);
        }
    });
    println!("ready");
    let _ = Kill::No;
    for c in tcp.incoming().flatten() {
        let _ = c.set_nodelay(true);
        let ip = c.peer_addr().unwrap().ip();
        spawn(&s, Socket::Tcp(Arc::new(c)), ClientAddr::Ip(ip));
    }
}
