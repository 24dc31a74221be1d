//! The syntax tree: plain `Copy` data in a `bumpalo` arena, lifetime `'a`.
//!
//! What it is: every type here is `Copy`; children are `&'a T` or `&'a [T]` into the arena or into the statement's text.
//! Dropping the arena drops the tree without running destructors, so no tree is too deep to be dropped.
//!
//! Rules of access:
//! * [`Span`]s are byte offsets into the whole text that was passed to the lexer (not relative to the statement in a
//!   multi-statement text), `span.text(sql)` gives the original words (column names of expressions are that text).
//! * Identifiers are `&'a str` without quotes; string literals are `&'a [u8]`, unescaped, in `character_set_client`.
//! * Long `AND`/`OR`/`XOR`-free chains are n-ary ([`expr::ExprKind::And`], [`expr::ExprKind::Or`]) and set operations are
//!   n-ary; arithmetic chains are left-deep. [`crate::Parsed::depth`] is the height of the deepest expression: a
//!   recursive walker checks it once against what its stack can bear and answers error 1436.
//! * `lit` of a literal is its ordinal in [`crate::Lexed::literals`]; [`NOT_LIFTED`] when its value must stay part of
//!   the plan (ORDER BY 1, type lengths, text that names a column ...), see [`crate::Parsed::fixed`].
//!
//! No locks, nothing persistent. Tested through the parser's tests.
#![allow(missing_docs)] // field names are the words of MySQL's grammar; what is not obvious has a comment

pub mod account;
pub mod admin;
pub mod ddl;
pub mod diagnostics;
pub mod dml;
pub mod expr;
pub mod program;
pub mod select;
pub mod set;
pub mod show;
pub mod txn;

pub use base::IntervalUnit;

pub use account::*;
pub use admin::*;
pub use ddl::*;
pub use diagnostics::*;
pub use dml::*;
pub use expr::*;
pub use program::*;
pub use select::*;
pub use set::*;
pub use show::*;
pub use txn::*;

/// Half-open range of bytes of the statement text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// Range from `start` to before `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }
    /// From the start of `self` to the end of `other`.
    pub const fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
    /// The bytes; empty when the span does not belong to this text.
    pub fn text(self, sql: &[u8]) -> &[u8] {
        sql.get(self.start as usize..self.end as usize).unwrap_or(&[])
    }
}

/// `lit` of a literal that must not become a parameter of a cached plan.
pub const NOT_LIFTED: u32 = u32::MAX;

/// `t` or `db.t`.
#[derive(Clone, Copy, Debug)]
pub struct TableName<'a> {
    pub span: Span,
    pub schema: Option<&'a str>,
    pub name: &'a str,
}

/// Kinds of stored programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramKind {
    Procedure,
    Function,
    Trigger,
    Event,
}

/// One statement. Variants are small; what is large is behind a reference.
#[derive(Clone, Copy, Debug)]
pub enum Statement<'a> {
    /// SELECT, VALUES, TABLE, WITH ... SELECT, parenthesised query expressions.
    Query(&'a QueryExpr<'a>),
    Insert(&'a Insert<'a>),
    Update(&'a Update<'a>),
    Delete(&'a Delete<'a>),
    LoadData(&'a LoadData<'a>),
    Do(&'a [Expr<'a>]),
    Call(&'a Call<'a>),
    Handler(&'a Handler<'a>),

    CreateTable(&'a CreateTable<'a>),
    AlterTable(&'a AlterTable<'a>),
    DropTable(&'a DropTable<'a>),
    TruncateTable(TableName<'a>),
    /// Pairs (old, new) in the order written; they are executed left to right as one atomic statement.
    RenameTable(&'a [(TableName<'a>, TableName<'a>)]),
    CreateIndex(&'a CreateIndex<'a>),
    DropIndex(&'a DropIndex<'a>),
    CreateDatabase(&'a CreateDatabase<'a>),
    AlterDatabase(&'a AlterDatabase<'a>),
    DropDatabase {
        if_exists: bool,
        name: &'a str,
    },
    CreateView(&'a CreateView<'a>),
    DropView(&'a DropView<'a>),
    /// DROP PROCEDURE, FUNCTION, TRIGGER, EVENT.
    DropProgram {
        kind: ProgramKind,
        if_exists: bool,
        name: TableName<'a>,
    },

    CreateProgram(&'a CreateProgram<'a>),
    AlterRoutine(&'a AlterRoutine<'a>),
    AlterEvent(&'a AlterEvent<'a>),

    Begin(StartTransaction),
    Commit(Completion),
    Rollback(Completion),
    Savepoint(&'a str),
    RollbackTo(&'a str),
    ReleaseSavepoint(&'a str),
    SetTransaction(SetTransaction),
    LockTables(&'a [LockTable<'a>]),
    UnlockTables,
    LockInstance,
    UnlockInstance,
    Xa(&'a Xa<'a>),

    /// `SET a = 1, @b := 2, NAMES ...`: executed left to right, all or nothing for system variables.
    Set(&'a [SetItem<'a>]),
    Show(&'a Show<'a>),
    Use(&'a str),
    Explain(&'a Explain<'a>),
    /// `DESCRIBE t [col | 'wild']`: the same as SHOW COLUMNS.
    Describe {
        table: TableName<'a>,
        column: Option<&'a [u8]>,
    },

    Kill(&'a Kill<'a>),
    Flush(&'a Flush<'a>),
    /// ANALYZE / CHECK / OPTIMIZE / REPAIR / CHECKSUM TABLE.
    TableAdmin(&'a TableAdmin<'a>),
    Prepare(&'a Prepare<'a>),
    /// `EXECUTE name USING @a, @b`.
    Execute {
        name: &'a str,
        using: &'a [&'a str],
    },
    Deallocate(&'a str),
    Shutdown,
    Restart,
    Help(&'a [u8]),
    /// RESET REPLICA [ALL], of which there is nothing to forget on a server that is no replica, and RESET BINARY LOGS AND
    /// GTIDS [TO n], with the number of the first file.
    Reset {
        logs: Option<u64>,
    },
    PurgeBinaryLogs(PurgeBinaryLogs<'a>),
    Binlog(BinlogText<'a>),
    ResetPersist {
        if_exists: bool,
        name: Option<&'a str>,
    },

    CreateUser(&'a CreateUser<'a>),
    AlterUser(&'a AlterUser<'a>),
    DropUser {
        if_exists: bool,
        users: &'a [Account<'a>],
    },
    RenameUser(&'a [(Account<'a>, Account<'a>)]),
    Grant(&'a Grant<'a>),
    Revoke(&'a Revoke<'a>),
    CreateRole {
        if_not_exists: bool,
        roles: &'a [Account<'a>],
    },
    DropRole {
        if_exists: bool,
        roles: &'a [Account<'a>],
    },
    SetRole(SetRole<'a>),
    SetDefaultRole {
        roles: SetRole<'a>,
        users: &'a [Account<'a>],
    },

    /// SIGNAL and RESIGNAL
    Signal(&'a Signal<'a>),
    GetDiagnostics(&'a GetDiagnostics<'a>),

    /// Only comments: an OK without effect (a text without even a comment is error 1065).
    Empty,
    /// ALTER INSTANCE RELOAD TLS; `no_rollback`: without good files there is no TLS any more.
    ReloadTls {
        channel: Option<&'a str>,
        no_rollback: bool,
    },
    /// Recognised as MySQL's grammar but not offered yet: answer error 1235 with this feature.
    Unsupported {
        feature: &'a str,
    },
}
