//! The syntax tree of a statement. Its parts are plain `Copy` data in a `bumpalo` arena with lifetime `'a`.
//!
//! Children are `&'a T` or `&'a [T]`, which point into the arena or into the statement's text. Dropping the arena
//! drops the tree without running destructors, so that a deep tree needs no deep stack to be dropped.
//!
//! What the tree means:
//! * A [`Span`] is a range of byte offsets in the whole text that the lexer got; of `SELECT 1; SELECT 2` the second
//!   statement begins at 10. `span.text(sql)` gives the words as they were written, which name the columns of
//!   results.
//! * Identifiers are `&'a str` without their quotes. String literals are `&'a [u8]`, with escapes resolved, in
//!   `character_set_client`.
//! * `a AND b AND c` is one [`expr::ExprKind::And`] with three operands; so are OR and UNION. `a + b + c` nests to
//!   the left: `(a + b) + c`. Long sums make high trees: code that walks a tree by recursion compares
//!   [`crate::Parsed::depth`] with what its stack can bear, and answers error 1436.
//! * `lit` of a literal is its ordinal in [`crate::Lexed::literals`]. It is [`NOT_LIFTED`] if the value decides the
//!   plan and so may not become a parameter, as in `ORDER BY 1` or `CHAR(10)`; see [`crate::Parsed::fixed`].
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
pub mod replica;
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
pub use replica::*;
pub use select::*;
pub use set::*;
pub use show::*;
pub use txn::*;

/// A range of bytes of the statement's text; `end` is not part of it.
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
    /// The range from the start of this one to the end of `other`.
    pub const fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
    /// The bytes of the range; empty if it lies outside of this text.
    pub fn text(self, sql: &[u8]) -> &[u8] {
        sql.get(self.start as usize..self.end as usize).unwrap_or(&[])
    }
}

/// The `lit` of a literal that may not become a parameter of a cached plan.
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

/// One statement. Parts that are large stand behind a reference, so that all variants are small.
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
    /// RESET REPLICA [ALL], and RESET BINARY LOGS AND GTIDS [TO n], with the number of the first file.
    Reset {
        logs: Option<FirstLog>,
        replica: Option<ResetReplica<'a>>,
    },
    /// CHANGE REPLICATION SOURCE, START REPLICA, STOP REPLICA.
    Replica {
        what: ReplicaStatement<'a>,
        channel: Option<&'a [u8]>,
    },
    PurgeBinaryLogs(PurgeBinaryLogs<'a>),
    CloneData(CloneData<'a>),
    /// INSTALL PLUGIN (`library`: of SONAME), UNINSTALL PLUGIN.
    Plugin {
        name: &'a str,
        library: Option<&'a [u8]>,
    },
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

    /// A text of comments only: it is answered with OK and does nothing. (A text without even a comment is error
    /// 1065.)
    Empty,
    /// ALTER INSTANCE RELOAD TLS. `no_rollback` (NO ROLLBACK ON ERROR): if the new files are bad, TLS is switched
    /// off; otherwise the old ones stay in use.
    ReloadTls {
        channel: Option<&'a str>,
        no_rollback: bool,
    },
    /// MySQL's grammar has it, Evenkeel does not: the answer is error 1235 with this name of the feature.
    Unsupported {
        feature: &'a str,
    },
}
