//! The trait through which a connection drives a session.

use super::column::{ColumnDef, ResultMeta};
use super::flags::{Capabilities, StatusFlags};
use super::params::{Param, QueryAttribute};
use super::sink::{PacketSink, ResultSink};
use crate::connections::Connection;
use base::{ErrorCode, SqlError, SqlResult};
use std::sync::Arc;

/// A client's command, as shown by SHOW PROCESSLIST.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Command {
    Sleep = 0x00,
    Quit = 0x01,
    InitDb = 0x02,
    Query = 0x03,
    FieldList = 0x04,
    /// As all that MySQL has no use for (any more), this one is refused: 1047.
    CreateDb = 0x05,
    DropDb = 0x06,
    /// COM_REFRESH: gone from MySQL 8.4, but how MariaDB's mysqladmin and older clients say FLUSH.
    Refresh = 0x07,
    Shutdown = 0x08,
    Statistics = 0x09,
    ProcessInfo = 0x0a,
    Connect = 0x0b,
    ProcessKill = 0x0c,
    Debug = 0x0d,
    Ping = 0x0e,
    Time = 0x0f,
    DelayedInsert = 0x10,
    ChangeUser = 0x11,
    BinlogDump = 0x12,
    TableDump = 0x13,
    ConnectOut = 0x14,
    RegisterReplica = 0x15,
    StmtPrepare = 0x16,
    StmtExecute = 0x17,
    StmtSendLongData = 0x18,
    StmtClose = 0x19,
    StmtReset = 0x1a,
    SetOption = 0x1b,
    StmtFetch = 0x1c,
    /// A thread of the server itself; never sent by a client.
    Daemon = 0x1d,
    BinlogDumpGtid = 0x1e,
    ResetConnection = 0x1f,
    Clone = 0x20,
    SubscribeGroup = 0x21,
    /// A number that means nothing.
    Unknown = 0x22,
}

impl Command {
    /// The command with this number. What a client may not send is answered with 1047 all the same.
    pub const fn from_u8(n: u8) -> Command {
        use Command::*;
        match n {
            0x00 => Sleep,
            0x01 => Quit,
            0x02 => InitDb,
            0x03 => Query,
            0x04 => FieldList,
            0x05 => CreateDb,
            0x06 => DropDb,
            0x07 => Refresh,
            0x08 => Shutdown,
            0x09 => Statistics,
            0x0a => ProcessInfo,
            0x0b => Connect,
            0x0c => ProcessKill,
            0x0d => Debug,
            0x0e => Ping,
            0x0f => Time,
            0x10 => DelayedInsert,
            0x11 => ChangeUser,
            0x12 => BinlogDump,
            0x13 => TableDump,
            0x14 => ConnectOut,
            0x15 => RegisterReplica,
            0x16 => StmtPrepare,
            0x17 => StmtExecute,
            0x18 => StmtSendLongData,
            0x19 => StmtClose,
            0x1a => StmtReset,
            0x1b => SetOption,
            0x1c => StmtFetch,
            0x1d => Daemon,
            0x1e => BinlogDumpGtid,
            0x1f => ResetConnection,
            0x20 => Clone,
            0x21 => SubscribeGroup,
            _ => Unknown,
        }
    }

    /// The `Command` column of SHOW PROCESSLIST.
    pub const fn name(self) -> &'static str {
        use Command::*;
        match self {
            Sleep => "Sleep",
            Quit => "Quit",
            InitDb => "Init DB",
            Query => "Query",
            FieldList => "Field List",
            Refresh => "Refresh",
            Statistics => "Statistics",
            Connect => "Connect",
            ProcessKill => "Kill",
            Debug => "Debug",
            Ping => "Ping",
            ChangeUser => "Change user",
            BinlogDump => "Binlog Dump",
            RegisterReplica => "Register Replica",
            StmtPrepare => "Prepare",
            StmtExecute => "Execute",
            StmtSendLongData => "Long Data",
            StmtClose => "Close stmt",
            StmtReset => "Reset stmt",
            SetOption => "Set option",
            StmtFetch => "Fetch",
            Daemon => "Daemon",
            BinlogDumpGtid => "Binlog Dump GTID",
            ResetConnection => "Reset Connection",
            Clone => "clone",
            CreateDb => "Create DB",
            DropDb => "Drop DB",
            Shutdown => "Shutdown",
            ProcessInfo => "Processlist",
            Time => "Time",
            DelayedInsert => "Delayed insert",
            TableDump => "Table Dump",
            ConnectOut => "Connect Out",
            SubscribeGroup => "Group Replication Data Stream subscription",
            Unknown => "Error",
        }
    }
}

/// The cursor a client asks for with COM_STMT_EXECUTE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CursorType {
    /// Send all rows at once.
    None,
    /// Materialize (or keep) the rows for COM_STMT_FETCH.
    ReadOnly,
}

/// Limits of the connection that the session may change with SET.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetParams {
    /// Seconds a connection may be idle: `wait_timeout`, or `interactive_timeout`'s value at connect for interactive clients.
    pub wait_timeout: u32,
    /// Seconds for a read within a command.
    pub net_read_timeout: u32,
    /// Seconds for a write.
    pub net_write_timeout: u32,
}

/// Answer to COM_STMT_PREPARE.
pub struct Prepared {
    /// Statement id, unique in the session, never 0.
    pub id: u32,
    /// One definition per `?`. Mostly `ColumnDef::expression("?", VarString, 63, 0)`.
    pub params: Vec<ColumnDef>,
    /// Columns of the result set; empty for a statement without one.
    pub columns: Arc<ResultMeta>,
    /// Number of warnings.
    pub warnings: u16,
}

/// What is known about a client after the handshake.
pub struct SessionContext {
    /// Entry in the registry: id, kill flag, what SHOW PROCESSLIST shows.
    pub conn: Arc<Connection>,
    /// The account that was matched: `user`@`host` as in `mysql.user` (CURRENT_USER()).
    pub account: (String, String),
    /// User as the client called itself (USER()).
    pub user: String,
    /// Host or address the client comes from.
    pub host: String,
    /// Default database the client asked for.
    pub database: Option<String>,
    /// Collation id of the handshake: character_set_client, _connection, _results and collation_connection follow from it.
    pub collation: u16,
    /// Capabilities both sides agreed on.
    pub capabilities: Capabilities,
    /// Connection attributes (name, value), bounded by the handshake's limit.
    pub attributes: Vec<(String, String)>,
    /// TLS protocol and cipher of the connection, if any (status Ssl_version, Ssl_cipher), and the name of the server that the client asked
    /// for (Tls_sni_server_name).
    pub tls: Option<(String, String, String)>,
    /// Whether the client came over the Unix socket.
    pub unix_socket: bool,
}

/// Opens sessions. Implemented where the engine lives; held by `server`.
pub trait SessionFactory: Send + Sync {
    /// A session for a client that has been authenticated. An error (unknown database 1049, access denied 1044, shutdown 1053) is sent
    /// instead of the handshake's OK and the connection is closed.
    fn open(&self, ctx: SessionContext) -> SqlResult<Box<dyn SessionHandler>>;

    /// A session of the server's own that looks at it: PROCESS and SELECT on performance_schema, nothing more. It is in
    /// no list of connections, and what it does is in no log and no history.
    ///
    /// # Errors
    /// 1053 while the server stops.
    fn open_watching(&self) -> SqlResult<Box<dyn SessionHandler>> {
        Err(SqlError::unsupported("sessions of the server's own"))
    }
}

/// One client's session. `wire` calls one method at a time; dropping it ends the session (rollback, locks released).
pub trait SessionHandler: Send {
    /// COM_QUERY. `sql` may hold several statements when the client has MULTI_STATEMENTS (and COM_SET_OPTION did not turn it off).
    fn query(&mut self, sql: &[u8], attrs: &[QueryAttribute<'_>], out: &mut dyn ResultSink) -> SqlResult<()>;

    /// What the answer to the command that has just run must wait for before the client may see it (a commit's log): handed over once.
    /// Asked after every command.
    fn take_unflushed(&mut self) -> Option<(Arc<dyn sched::pool::Completer>, u64)> {
        None
    }

    /// Where lies what its next command needs, as far as that stays where it is.
    fn lines(&self, to: &mut sys::prefetch::Lines) {
        let _ = to;
    }

    /// Whether the session holds row or table locks between two commands: others may wait for its next one.
    fn holds_locks(&self) -> bool {
        false
    }

    /// The character set of the client's errors: `character_set_results`, binary if nothing is converted.
    fn results_charset(&self) -> value::Charset {
        value::Charset::Utf8mb4
    }

    /// Whether results come with definitions of their columns (`resultset_metadata`); asked for clients that can do without.
    fn sends_metadata(&self) -> bool {
        true
    }

    /// COM_INIT_DB (`USE`). The OK packet is sent by the caller with [`SessionHandler::take_state`].
    fn init_db(&mut self, database: &[u8]) -> SqlResult<()>;

    /// COM_STMT_PREPARE.
    fn prepare(&mut self, sql: &[u8]) -> SqlResult<Prepared>;

    /// COM_STMT_EXECUTE with as many parameters as `prepare` announced. Rows are binary ([`ResultSink::format`]).
    /// With [`CursorType::ReadOnly`] and a statement that returns rows: `begin`, then `end_cursor_open`; otherwise as `query`.
    fn execute(
        &mut self,
        id: u32,
        params: &[Param<'_>],
        attrs: &[QueryAttribute<'_>],
        cursor: CursorType,
        out: &mut dyn ResultSink,
    ) -> SqlResult<()>;

    /// COM_STMT_FETCH: `begin_fetch`, at most `rows` rows, `end_rows` with CURSOR_EXISTS, or LAST_ROW_SENT when the cursor is exhausted.
    fn fetch(&mut self, id: u32, rows: u32, out: &mut dyn ResultSink) -> SqlResult<()>;

    /// COM_STMT_CLOSE (no answer; unknown ids are ignored).
    fn close_statement(&mut self, id: u32);

    /// COM_STMT_RESET: closes the statement's cursor. Unknown id: 1243.
    fn reset_statement(&mut self, id: u32) -> SqlResult<()>;

    /// COM_FIELD_LIST: columns of `table` whose names match `wildcard` (empty = all), each with its default as text.
    fn field_list(&mut self, table: &[u8], wildcard: &[u8]) -> SqlResult<Vec<(ColumnDef, Option<Vec<u8>>)>>;

    /// COM_STATISTICS: one line, `Uptime: 1  Threads: 1  Questions: ...`.
    fn statistics(&mut self) -> String;

    /// COM_REGISTER_SLAVE: what a replica says of itself.
    fn register_replica(&mut self, body: &[u8]) -> SqlResult<()> {
        let _ = body;
        Err(SqlError::new(ErrorCode::UNKNOWN_COM_ERROR, &[]))
    }

    /// COM_BINLOG_DUMP, `with_gtids` COM_BINLOG_DUMP_GTID: sends the binary log. Afterwards the connection ends.
    fn dump(&mut self, with_gtids: bool, body: &[u8], out: &mut dyn PacketSink) -> SqlResult<()> {
        let _ = (with_gtids, body, out);
        Err(SqlError::new(ErrorCode::UNKNOWN_COM_ERROR, &[]))
    }

    /// COM_CLONE: sends a backup as the body asks. Afterwards the connection ends.
    fn send_backup(&mut self, body: &[u8], out: &mut dyn PacketSink) -> SqlResult<()> {
        let _ = (body, out);
        Err(SqlError::new(ErrorCode::UNKNOWN_COM_ERROR, &[]))
    }

    /// COM_PROCESS_KILL.
    fn kill(&mut self, id: u64) -> SqlResult<()>;

    /// COM_REFRESH: what its bits name: 1 grants, 2 logs, 4 tables, 8 hosts, 16 status, 32 threads, 64 replica, 128 source.
    fn refresh(&mut self, bits: u8) -> SqlResult<()>;

    /// COM_DEBUG: 1227 unless the account has SUPER. There is no state that it would have to write to the log.
    fn debug(&mut self) -> SqlResult<()>;

    /// COM_SET_OPTION: multi-statements on or off.
    fn set_multi_statements(&mut self, on: bool);

    /// COM_RESET_CONNECTION: rollback, session variables back to the global values, temporary tables, locks, user variables and prepared
    /// statements gone; user and default database stay.
    fn reset(&mut self) -> SqlResult<()>;

    /// Status for OK packets that `wire` sends itself (COM_PING and so on).
    fn status(&self) -> StatusFlags;

    /// State changes since the last OK packet, appended to `into` (already encoded), and forgotten.
    fn take_state(&mut self, into: &mut Vec<u8>);

    /// A command other than COM_QUERY, COM_STMT_PREPARE and COM_STMT_EXECUTE has ended, with this error or none.
    fn command_ended(&mut self, command: Command, error: Option<&SqlError>) {
        let _ = (command, error);
    }

    /// Timeouts in force; asked before each wait for the client, so it must be cheap.
    fn net_params(&self) -> NetParams;
}
