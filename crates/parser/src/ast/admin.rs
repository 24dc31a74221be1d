//! EXPLAIN, KILL, FLUSH, table maintenance, PREPARE.
#![allow(missing_docs)] // see ast/mod.rs

use super::{Expr, Span, Statement, TableName};

#[derive(Clone, Copy, Debug)]
pub struct Explain<'a> {
    pub analyze: bool,
    /// `None`: the variable explain_format.
    pub format: Option<ExplainFormat>,
    pub into: Option<&'a str>,
    pub target: ExplainTarget<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExplainFormat {
    Traditional,
    Json,
    Tree,
}

#[derive(Clone, Copy, Debug)]
pub enum ExplainTarget<'a> {
    Statement(Statement<'a>),
    Connection(u64),
}

#[derive(Clone, Copy, Debug)]
pub struct Kill<'a> {
    /// KILL QUERY; otherwise the connection
    pub query: bool,
    pub id: Expr<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct Flush<'a> {
    /// NO_WRITE_TO_BINLOG or LOCAL
    pub local: bool,
    pub items: &'a [FlushItem<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum FlushItem<'a> {
    Tables { tables: &'a [TableName<'a>], with_read_lock: bool, for_export: bool },
    Logs,
    BinaryLogs,
    EngineLogs,
    ErrorLogs,
    GeneralLogs,
    SlowLogs,
    RelayLogs { channel: Option<&'a [u8]> },
    Privileges,
    Status,
    UserResources,
    OptimizerCosts,
}

/// BINLOG: events in base64.
#[derive(Clone, Copy, Debug)]
pub enum BinlogText<'a> {
    Text(&'a [u8]),
    /// Two user variables that hold the halves.
    Halves(&'a str, &'a str),
}

/// CLONE: a copy of a server's data.
#[derive(Clone, Copy, Debug)]
pub enum CloneData<'a> {
    /// This server's, into a new folder.
    Local { to: &'a [u8] },
    /// Another server's.
    Instance(CloneInstance<'a>),
}

/// CLONE INSTANCE FROM.
#[derive(Clone, Copy, Debug)]
pub struct CloneInstance<'a> {
    pub user: &'a str,
    /// `None`: as if it were `%`.
    pub host: Option<&'a str>,
    pub port: u64,
    pub password: &'a [u8],
    /// `None`: in the place of this server's data.
    pub to: Option<&'a [u8]>,
    /// REQUIRE SSL, REQUIRE NO SSL.
    pub ssl: Option<bool>,
}

/// PURGE BINARY LOGS.
#[derive(Clone, Copy, Debug)]
pub enum PurgeBinaryLogs<'a> {
    To(&'a [u8]),
    Before(Expr<'a>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdminKind {
    Analyze,
    Check,
    Optimize,
    Repair,
    Checksum,
}

#[derive(Clone, Copy, Debug)]
pub struct TableAdmin<'a> {
    pub kind: AdminKind,
    pub local: bool,
    pub tables: &'a [TableName<'a>],
    /// QUICK, EXTENDED, FAST, MEDIUM, CHANGED, FOR UPGRADE, USE_FRM: lower case as written, in order
    pub options: &'a [&'a str],
    pub histogram: Option<Histogram<'a>>,
}

/// `ANALYZE TABLE t UPDATE|DROP HISTOGRAM ON c, ..`.
#[derive(Clone, Copy, Debug)]
pub struct Histogram<'a> {
    pub drop: bool,
    pub columns: &'a [&'a str],
    pub buckets: Option<u64>,
    pub using_data: Option<&'a [u8]>,
    /// `AUTO UPDATE`.
    pub auto: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Prepare<'a> {
    pub name: &'a str,
    pub source: PrepareSource<'a>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum PrepareSource<'a> {
    Text(&'a [u8]),
    UserVar(&'a str),
}
