//! Which statement it is.

use super::{PResult, Parser};
use crate::ast::{
    Account, AdminKind, BinlogText, CloneData, CloneInstance, FirstLog, ResetReplica, StartTransaction, Statement,
};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// One statement and nothing after it.
    pub(super) fn whole_statement(&mut self) -> PResult<Statement<'a>> {
        // Only these have plans that are used again with other literals.
        let lifts = matches!(
            self.kw(),
            Kw::SELECT
                | Kw::INSERT
                | Kw::REPLACE
                | Kw::UPDATE
                | Kw::DELETE
                | Kw::WITH
                | Kw::VALUES
                | Kw::TABLE
                | Kw::DO
                | Kw::CALL
        ) || self.is(Tk::LParen);
        if !lifts {
            self.no_lift = 1;
        }
        let s = self.statement()?;
        if !self.at_end() {
            return self.fail();
        }
        if let Some(fail) = self.later {
            return Err(fail);
        }
        Ok(s)
    }

    pub(super) fn statement(&mut self) -> PResult<Statement<'a>> {
        if self.is(Tk::LParen) {
            return Ok(Statement::Query(self.query_expr()?));
        }
        if !self.is(Tk::Word) {
            return self.fail();
        }
        match self.kw() {
            Kw::SELECT | Kw::VALUES | Kw::TABLE => Ok(Statement::Query(self.query_expr()?)),
            Kw::WITH => self.with_statement(),
            Kw::INSERT | Kw::REPLACE => self.insert(),
            Kw::UPDATE => self.update(None),
            Kw::DELETE => self.delete(None),
            Kw::LOAD => self.load(),
            Kw::DO => self.do_statement(),
            Kw::CALL => self.call_statement(),
            Kw::HANDLER => self.handler(),
            Kw::CREATE => self.create(),
            Kw::ALTER => self.alter(),
            Kw::DROP => self.drop(),
            Kw::TRUNCATE => self.truncate(),
            Kw::RENAME => self.rename(),
            Kw::SET => self.set_statement(),
            Kw::SHOW => self.show(),
            Kw::USE => {
                self.advance();
                let at = self.cur.start;
                let name = self.relation_ident()?;
                // USE `` is about no database (1046)
                if !name.is_empty() {
                    self.check_schema(name, at, false)?;
                }
                Ok(Statement::Use(name))
            }
            Kw::EXPLAIN | Kw::DESCRIBE | Kw::DESC => self.explain(),
            _ => self.other_statement(),
        }
    }

    fn with_statement(&mut self) -> PResult<Statement<'a>> {
        let with = self.with()?;
        match self.kw() {
            Kw::UPDATE => self.update(Some(with)),
            Kw::DELETE => self.delete(Some(with)),
            _ => Ok(Statement::Query(self.query_expr_after_with(Some(with))?)),
        }
    }

    /// Transactions, accounts, administration.
    fn other_statement(&mut self) -> PResult<Statement<'a>> {
        match self.kw() {
            Kw::BEGIN => {
                self.advance();
                self.accept_kw(Kw::WORK);
                Ok(Statement::Begin(StartTransaction::default()))
            }
            Kw::START => self.start(),
            Kw::COMMIT => self.commit(),
            Kw::ROLLBACK => self.rollback(),
            Kw::SAVEPOINT => {
                self.advance();
                Ok(Statement::Savepoint(self.ident()?))
            }
            Kw::RELEASE => {
                self.advance();
                self.expect_kw(Kw::SAVEPOINT)?;
                Ok(Statement::ReleaseSavepoint(self.ident()?))
            }
            Kw::LOCK => self.lock_statement(),
            Kw::UNLOCK => self.unlock(),
            Kw::XA => self.xa(),
            Kw::KILL => self.kill(),
            Kw::FLUSH => self.flush(),
            Kw::ANALYZE => self.table_admin(AdminKind::Analyze),
            Kw::CHECK => self.table_admin(AdminKind::Check),
            Kw::OPTIMIZE => self.table_admin(AdminKind::Optimize),
            Kw::REPAIR => self.table_admin(AdminKind::Repair),
            Kw::CHECKSUM => self.table_admin(AdminKind::Checksum),
            Kw::PREPARE => self.prepare(),
            Kw::EXECUTE => self.execute(),
            Kw::DEALLOCATE => {
                self.advance();
                self.expect_kw(Kw::PREPARE)?;
                Ok(Statement::Deallocate(self.ident()?))
            }
            Kw::SHUTDOWN => {
                self.advance();
                Ok(Statement::Shutdown)
            }
            Kw::RESTART => {
                self.advance();
                Ok(Statement::Restart)
            }
            Kw::HELP => {
                self.not_in_program("HELP");
                self.advance();
                Ok(Statement::Help(self.ident_or_text()?.as_bytes()))
            }
            Kw::GRANT => self.grant(),
            Kw::REVOKE => self.revoke(),
            Kw::RESET => self.reset(),
            Kw::CACHE => self.unsupported("CACHE INDEX"),
            Kw::INSTALL | Kw::UNINSTALL => self.install(),
            Kw::CLONE => self.clone_data(),
            Kw::IMPORT => self.unsupported("IMPORT TABLE"),
            Kw::BINLOG => self.binlog(),
            Kw::PURGE => self.purge(),
            Kw::CHANGE => self.change_replication(),
            Kw::STOP => self.stop(),
            Kw::GET => self.get_diagnostics(),
            Kw::SIGNAL | Kw::RESIGNAL => self.signal(),
            _ => self.fail(),
        }
    }

    /// BINLOG 'base64', or BINLOG @first, @second
    /// `CLONE LOCAL DATA DIRECTORY [=] '..'`, `CLONE INSTANCE FROM user@host:port IDENTIFIED BY '..' ...`
    fn clone_data(&mut self) -> PResult<Statement<'a>> {
        self.not_in_program("CLONE");
        self.advance();
        if self.accept_kw(Kw::LOCAL) {
            let to = self.clone_folder()?;
            return Ok(Statement::CloneData(CloneData::Local { to }));
        }
        self.expect_kws(&[Kw::INSTANCE, Kw::FROM])?;
        let Account::Name { user, host } = self.account()? else { return self.fail() };
        self.expect(Tk::Colon)?;
        let port = self.number(false)?;
        self.expect_kws(&[Kw::IDENTIFIED, Kw::BY])?;
        let password = self.string()?;
        let to = if self.is_kw(Kw::DATA) { Some(self.clone_folder()?) } else { None };
        let mut ssl = None;
        if self.accept_kw(Kw::REQUIRE) {
            ssl = Some(!self.accept_kw(Kw::NO));
            self.expect_kw(Kw::SSL)?;
        }
        Ok(Statement::CloneData(CloneData::Instance(CloneInstance { user, host, port, password, to, ssl })))
    }

    fn clone_folder(&mut self) -> PResult<&'a [u8]> {
        self.expect_kws(&[Kw::DATA, Kw::DIRECTORY])?;
        self.accept(Tk::Eq);
        self.string()
    }

    fn binlog(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        if !self.is(Tk::At) {
            return Ok(Statement::Binlog(BinlogText::Text(self.string()?)));
        }
        let first = self.user_var_name()?;
        self.expect(Tk::Comma)?;
        Ok(Statement::Binlog(BinlogText::Halves(first, self.user_var_name()?)))
    }

    fn reset(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        if !self.accept_kw(Kw::PERSIST) {
            let (mut logs, mut replica) = (None, None);
            loop {
                if self.accept_kw(Kw::REPLICA) {
                    let all = self.accept_kw(Kw::ALL);
                    replica = Some(ResetReplica { all, channel: self.channel()? });
                } else {
                    self.expect_kws(&[Kw::BINARY, Kw::LOGS, Kw::AND, Kw::GTIDS])?;
                    logs = Some(match self.accept_kw(Kw::TO) {
                        true => FirstLog::Number(self.number(false)?),
                        false => FirstLog::Free,
                    });
                }
                if !self.accept(Tk::Comma) {
                    return Ok(Statement::Reset { logs, replica });
                }
            }
        }
        let if_exists = self.if_exists()?;
        let name = if self.at_end() && !if_exists {
            None
        } else {
            let span = self.var_name_from(self.cur.start)?.span;
            Some(self.utf8(span.text(self.sql), self.cur)?)
        };
        Ok(Statement::ResetPersist { if_exists, name })
    }
}
