//! Transactions, LOCK TABLES, XA.
#![allow(missing_docs)] // see ast/mod.rs

use super::{TableName, VarScope};

/// BEGIN [WORK] and START TRANSACTION.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StartTransaction {
    pub consistent_snapshot: bool,
    pub access: Option<AccessMode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessMode {
    ReadWrite,
    ReadOnly,
}

/// `None` = not written: the variable completion_type decides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Completion {
    pub chain: Option<bool>,
    pub release: Option<bool>,
}

/// SET [scope] TRANSACTION; scope `Default` = the next transaction only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetTransaction {
    pub scope: VarScope,
    pub isolation: Option<Isolation>,
    pub access: Option<AccessMode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

#[derive(Clone, Copy, Debug)]
pub struct LockTable<'a> {
    pub table: TableName<'a>,
    pub alias: Option<&'a str>,
    pub mode: TableLockMode,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableLockMode {
    Read,
    ReadLocal,
    /// also LOW_PRIORITY WRITE
    Write,
}

#[derive(Clone, Copy, Debug)]
pub enum Xa<'a> {
    /// XA START|BEGIN
    Start {
        xid: Xid<'a>,
        join: bool,
        resume: bool,
    },
    End {
        xid: Xid<'a>,
        suspend: bool,
        for_migrate: bool,
    },
    Prepare(Xid<'a>),
    Commit {
        xid: Xid<'a>,
        one_phase: bool,
    },
    Rollback(Xid<'a>),
    Recover {
        convert_xid: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Xid<'a> {
    pub gtrid: &'a [u8],
    pub bqual: &'a [u8],
    /// 1 when not written
    pub format_id: u64,
}
