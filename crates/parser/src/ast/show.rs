//! SHOW.
#![allow(missing_docs)] // see ast/mod.rs

use super::{Account, Expr, Limit, TableName, VarScope};

/// `LIKE 'pattern'` or `WHERE expr` (over the columns of the result).
#[derive(Clone, Copy, Debug)]
pub enum ShowFilter<'a> {
    None,
    Like(&'a [u8]),
    Where(&'a Expr<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum Show<'a> {
    Databases(ShowFilter<'a>),
    Tables {
        extended: bool,
        full: bool,
        schema: Option<&'a str>,
        filter: ShowFilter<'a>,
    },
    TableStatus {
        schema: Option<&'a str>,
        filter: ShowFilter<'a>,
    },
    OpenTables {
        schema: Option<&'a str>,
        filter: ShowFilter<'a>,
    },
    /// SHOW [EXTENDED] [FULL] COLUMNS|FIELDS
    Columns {
        extended: bool,
        full: bool,
        table: TableName<'a>,
        filter: ShowFilter<'a>,
    },
    /// SHOW INDEX|INDEXES|KEYS; the filter is never LIKE
    Indexes {
        extended: bool,
        table: TableName<'a>,
        filter: ShowFilter<'a>,
    },
    Triggers {
        full: bool,
        schema: Option<&'a str>,
        filter: ShowFilter<'a>,
    },
    Events {
        schema: Option<&'a str>,
        filter: ShowFilter<'a>,
    },
    ProcedureStatus(ShowFilter<'a>),
    FunctionStatus(ShowFilter<'a>),
    ProcedureCode(TableName<'a>),
    FunctionCode(TableName<'a>),
    /// scope is `Session` (also LOCAL), `Global` or `Default` (= session)
    Variables {
        scope: VarScope,
        filter: ShowFilter<'a>,
    },
    Status {
        scope: VarScope,
        filter: ShowFilter<'a>,
    },
    CharacterSet(ShowFilter<'a>),
    Collation(ShowFilter<'a>),
    CreateTable(TableName<'a>),
    CreateView(TableName<'a>),
    CreateDatabase {
        if_not_exists: bool,
        name: &'a str,
    },
    CreateProcedure(TableName<'a>),
    CreateFunction(TableName<'a>),
    CreateTrigger(TableName<'a>),
    CreateEvent(TableName<'a>),
    CreateUser(Account<'a>),
    Engines,
    /// SHOW ENGINE name STATUS | MUTEX | LOGS; `None` name = ALL
    Engine {
        name: Option<&'a str>,
        what: EngineWhat,
    },
    Plugins,
    Privileges,
    Processlist {
        full: bool,
    },
    Grants {
        user: Option<Account<'a>>,
        using: &'a [Account<'a>],
    },
    Warnings(Option<&'a Limit<'a>>),
    Errors(Option<&'a Limit<'a>>),
    CountWarnings,
    CountErrors,
    Profile {
        /// lower case: "all", "block io", ...
        types: &'a [&'a str],
        query: Option<u64>,
        limit: Option<&'a Limit<'a>>,
    },
    Profiles,
    BinaryLogs,
    BinaryLogStatus,
    BinlogEvents {
        log: Option<&'a [u8]>,
        from: Option<u64>,
        limit: Option<&'a Limit<'a>>,
    },
    RelaylogEvents {
        log: Option<&'a [u8]>,
        from: Option<u64>,
        limit: Option<&'a Limit<'a>>,
        channel: Option<&'a [u8]>,
    },
    ReplicaStatus {
        channel: Option<&'a [u8]>,
    },
    Replicas,
    ParseTree,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineWhat {
    Status,
    Mutex,
    Logs,
}
