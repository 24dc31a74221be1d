//! Transactions, LOCK TABLES, XA.

use super::{PResult, Parser};
use crate::ast::{
    AccessMode, Completion, Isolation, LockTable, SetTransaction, StartTransaction, Statement, TableLockMode, VarScope,
    Xa, Xid,
};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// START TRANSACTION, START REPLICA; GROUP_REPLICATION is recognised.
    pub(super) fn start(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::START)?;
        match self.kw() {
            Kw::REPLICA | Kw::SLAVE => return self.start_replica(),
            Kw::GROUP_REPLICATION => return self.unsupported("START GROUP_REPLICATION"),
            _ => self.expect_kw(Kw::TRANSACTION)?,
        }
        let mut s = StartTransaction::default();
        if !self.at_end() {
            loop {
                if self.accept_kws(&[Kw::WITH, Kw::CONSISTENT, Kw::SNAPSHOT]) {
                    s.consistent_snapshot = true;
                } else if self.is_kw(Kw::READ) && s.access.is_none() {
                    s.access = Some(self.access_mode()?);
                } else {
                    return self.fail();
                }
                if !self.accept(Tk::Comma) {
                    break;
                }
            }
        }
        Ok(Statement::Begin(s))
    }

    fn access_mode(&mut self) -> PResult<AccessMode> {
        self.expect_kw(Kw::READ)?;
        if self.accept_kw(Kw::ONLY) {
            return Ok(AccessMode::ReadOnly);
        }
        self.expect_kw(Kw::WRITE)?;
        Ok(AccessMode::ReadWrite)
    }

    /// `[WORK] [AND [NO] CHAIN] [[NO] RELEASE]`
    fn completion(&mut self) -> PResult<Completion> {
        self.accept_kw(Kw::WORK);
        let mut c = Completion::default();
        if self.accept_kw(Kw::AND) {
            c.chain = Some(!self.accept_kw(Kw::NO));
            self.expect_kw(Kw::CHAIN)?;
        }
        if self.accept_kw(Kw::RELEASE) {
            c.release = Some(true);
        } else if self.accept_kw(Kw::NO) {
            self.expect_kw(Kw::RELEASE)?;
            c.release = Some(false);
        }
        if c.chain == Some(true) && c.release == Some(true) {
            return self.fail();
        }
        Ok(c)
    }

    pub(super) fn commit(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::COMMIT)?;
        Ok(Statement::Commit(self.completion()?))
    }

    pub(super) fn rollback(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::ROLLBACK)?;
        let work = self.is_kw(Kw::WORK) && self.peek(1).kw == Kw::TO;
        if work {
            self.advance();
        }
        if self.accept_kw(Kw::TO) {
            if self.is_kw(Kw::SAVEPOINT) && !matches!(self.peek(1).kind, Tk::Eof | Tk::Semi) {
                self.advance();
            }
            return Ok(Statement::RollbackTo(self.ident()?));
        }
        Ok(Statement::Rollback(self.completion()?))
    }

    /// After SET [scope], at TRANSACTION.
    pub(super) fn set_transaction(&mut self, scope: VarScope) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::TRANSACTION)?;
        let mut s = SetTransaction { scope, isolation: None, access: None };
        loop {
            if self.is_kw(Kw::ISOLATION) && s.isolation.is_none() {
                self.advance();
                self.expect_kw(Kw::LEVEL)?;
                s.isolation = Some(self.isolation()?);
            } else if self.is_kw(Kw::READ) && s.access.is_none() {
                s.access = Some(self.access_mode()?);
            } else {
                return self.fail();
            }
            if !self.accept(Tk::Comma) {
                return Ok(Statement::SetTransaction(s));
            }
        }
    }

    fn isolation(&mut self) -> PResult<Isolation> {
        if self.accept_kws(&[Kw::READ, Kw::UNCOMMITTED]) {
            Ok(Isolation::ReadUncommitted)
        } else if self.accept_kws(&[Kw::READ, Kw::COMMITTED]) {
            Ok(Isolation::ReadCommitted)
        } else if self.accept_kws(&[Kw::REPEATABLE, Kw::READ]) {
            Ok(Isolation::RepeatableRead)
        } else {
            self.expect_kw(Kw::SERIALIZABLE)?;
            Ok(Isolation::Serializable)
        }
    }

    pub(super) fn lock_statement(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::LOCK)?;
        if self.accept_kw(Kw::INSTANCE) {
            self.expect_kws(&[Kw::FOR, Kw::BACKUP])?;
            return Ok(Statement::LockInstance);
        }
        if !self.accept_kw(Kw::TABLE) {
            self.expect_kw(Kw::TABLES)?;
        }
        self.not_in_program("LOCK");
        let all = self.comma_list(|p| {
            let table = p.table_name()?;
            let alias = p.table_alias_before_lock()?;
            let mode = match p.kw() {
                Kw::READ => {
                    p.advance();
                    if p.accept_kw(Kw::LOCAL) { TableLockMode::ReadLocal } else { TableLockMode::Read }
                }
                _ => {
                    p.expect_kw(Kw::WRITE)?;
                    TableLockMode::Write
                }
            };
            Ok(LockTable { table, alias, mode })
        })?;
        Ok(Statement::LockTables(all))
    }

    fn table_alias_before_lock(&mut self) -> PResult<Option<&'a str>> {
        self.table_alias()
    }

    pub(super) fn unlock(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::UNLOCK)?;
        if self.accept_kw(Kw::INSTANCE) {
            return Ok(Statement::UnlockInstance);
        }
        self.not_in_program("UNLOCK");
        if !self.accept_kw(Kw::TABLE) {
            self.expect_kw(Kw::TABLES)?;
        }
        Ok(Statement::UnlockTables)
    }

    pub(super) fn xa(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::XA)?;
        let kw = self.kw();
        self.advance();
        let xa = match kw {
            Kw::START | Kw::BEGIN => {
                let xid = self.xid()?;
                let join = self.accept_kw(Kw::JOIN);
                let resume = !join && self.accept_kw(Kw::RESUME);
                Xa::Start { xid, join, resume }
            }
            Kw::END => {
                let xid = self.xid()?;
                let suspend = self.accept_kw(Kw::SUSPEND);
                let for_migrate = suspend && self.accept_kws(&[Kw::FOR, Kw::MIGRATE]);
                Xa::End { xid, suspend, for_migrate }
            }
            Kw::PREPARE => Xa::Prepare(self.xid()?),
            Kw::COMMIT => {
                let xid = self.xid()?;
                Xa::Commit { xid, one_phase: self.accept_kws(&[Kw::ONE, Kw::PHASE]) }
            }
            Kw::ROLLBACK => Xa::Rollback(self.xid()?),
            Kw::RECOVER => Xa::Recover { convert_xid: self.accept_kws(&[Kw::CONVERT, Kw::XID]) },
            _ => {
                self.rewind(self.pos.saturating_sub(1));
                return self.fail();
            }
        };
        Ok(Statement::Xa(self.alloc(xa)))
    }

    /// At most 64 bytes.
    fn xid_part(&mut self) -> PResult<&'a [u8]> {
        let s = self.string_or_hex()?;
        // found out after the token, as in MySQL
        if s.len() > 64 { Err(super::Fail::Syntax(self.cur.start)) } else { Ok(s) }
    }

    /// `gtrid [, bqual [, formatID]]`
    fn xid(&mut self) -> PResult<Xid<'a>> {
        let gtrid = self.xid_part()?;
        let mut x = Xid { gtrid, bqual: &[], format_id: 1 };
        if self.accept(Tk::Comma) {
            x.bqual = self.xid_part()?;
            if self.accept(Tk::Comma) {
                let at = self.cur.start;
                x.format_id = self.number(false)?;
                if i64::try_from(x.format_id).is_err() {
                    return Err(super::Fail::Syntax(at));
                }
            }
        }
        Ok(x)
    }
}
