//! Statements about what this server has not: tablespaces, log file groups, resource groups, spatial reference systems,
//! servers, components and plugins, replication. They are read as MySQL reads them and refused with 1235; PURGE BINARY
//! LOGS is not refused and stands beside them.
//!
//! Nothing is kept. Tested in `tests/statements.rs` and by golden `syntax_errors`.

use super::{PResult, Parser};
use crate::ast::{PurgeBinaryLogs, Statement};
use crate::lexer::{Kw, Tk};

/// Sizes among the options of tablespaces and log file groups.
const SIZES: [&str; 6] =
    ["INITIAL_SIZE", "EXTENT_SIZE", "MAX_SIZE", "FILE_BLOCK_SIZE", "REDO_BUFFER_SIZE", "UNDO_BUFFER_SIZE"];

fn refused<'a>(feature: &'static str) -> PResult<Statement<'a>> {
    Ok(Statement::Unsupported { feature })
}

impl<'a> Parser<'a, '_> {
    /// CREATE, ALTER, DROP of TABLESPACE, UNDO TABLESPACE and LOGFILE GROUP, from the object's word on.
    pub(super) fn tablespace(&mut self, verb: Kw) -> PResult<Statement<'a>> {
        let logfile = self.accept_kw(Kw::LOGFILE);
        let undo = !logfile && self.accept_kw(Kw::UNDO);
        self.expect_kw(if logfile { Kw::GROUP } else { Kw::TABLESPACE })?;
        self.ident()?;
        match (verb, logfile, undo) {
            (Kw::CREATE, true, _) => self.added_file(Kw::UNDOFILE)?,
            (Kw::CREATE, _, true) => self.added_file(Kw::DATAFILE)?,
            (Kw::CREATE, ..) => {
                if self.is_kw(Kw::ADD) {
                    self.added_file(Kw::DATAFILE)?;
                }
                if self.accept_kws(&[Kw::USE, Kw::LOGFILE, Kw::GROUP]) {
                    self.ident()?;
                }
            }
            (Kw::ALTER, true, _) => self.added_file(Kw::UNDOFILE)?,
            (Kw::ALTER, _, true) => {
                self.expect_kw(Kw::SET)?;
                if !self.accept_words(&["ACTIVE", "INACTIVE"]) {
                    return self.fail();
                }
            }
            (Kw::ALTER, ..) => match self.kw() {
                Kw::ADD => self.added_file(Kw::DATAFILE)?,
                Kw::DROP => {
                    self.advance();
                    self.expect_kw(Kw::DATAFILE)?;
                    self.string()?;
                }
                Kw::RENAME => {
                    self.advance();
                    self.expect_kw(Kw::TO)?;
                    self.ident()?;
                }
                _ => {
                    if !self.space_option(undo)? {
                        return self.fail();
                    }
                }
            },
            _ => {}
        }
        while self.accept(Tk::Comma) || self.space_option(undo)? {}
        refused(match verb {
            Kw::CREATE if logfile => "CREATE LOGFILE GROUP",
            Kw::CREATE => "CREATE TABLESPACE",
            Kw::ALTER if logfile => "ALTER LOGFILE GROUP",
            Kw::ALTER => "ALTER TABLESPACE",
            _ if logfile => "DROP LOGFILE GROUP",
            _ => "DROP TABLESPACE",
        })
    }

    fn added_file(&mut self, kind: Kw) -> PResult<()> {
        self.expect_kws(&[Kw::ADD, kind])?;
        self.string()?;
        Ok(())
    }

    fn space_option(&mut self, undo: bool) -> PResult<bool> {
        match self.kw() {
            Kw::ENGINE | Kw::STORAGE => {
                self.accept_kw(Kw::STORAGE);
                self.expect_kw(Kw::ENGINE)?;
                self.accept_eq();
                self.ident_or_text()?;
                return Ok(true);
            }
            _ if undo => return Ok(false),
            Kw::AUTOEXTEND_SIZE => {
                self.advance();
                self.accept_eq();
                self.size()?;
            }
            Kw::WAIT => self.advance(),
            Kw::COMMENT | Kw::ENCRYPTION | Kw::ENGINE_ATTRIBUTE => {
                self.advance();
                self.accept_eq();
                self.string()?;
            }
            _ if self.accept_words(&SIZES) => {
                self.accept_eq();
                self.size()?;
            }
            _ if self.accept_word("NODEGROUP") => {
                self.accept_eq();
                self.number(true)?;
            }
            _ => return Ok(self.accept_word("NO_WAIT")),
        }
        Ok(true)
    }

    /// CREATE [OR REPLACE] and DROP SPATIAL REFERENCE SYSTEM, from SPATIAL on.
    pub(super) fn reference_system(&mut self, create: bool) -> PResult<Statement<'a>> {
        self.expect_kws(&[Kw::SPATIAL, Kw::REFERENCE, Kw::SYSTEM])?;
        if create {
            self.if_not_exists()?
        } else {
            self.if_exists()?
        };
        self.number(false)?;
        if create {
            while self.reference_system_part()? {}
        }
        refused(if create { "CREATE SPATIAL REFERENCE SYSTEM" } else { "DROP SPATIAL REFERENCE SYSTEM" })
    }

    fn reference_system_part(&mut self) -> PResult<bool> {
        if self.accept_kw(Kw::NAME) || self.accept_kw(Kw::DESCRIPTION) || self.accept_word("DEFINITION") {
            self.string()?;
        } else if self.accept_word("ORGANIZATION") {
            self.string()?;
            self.expect_kws(&[Kw::IDENTIFIED, Kw::BY])?;
            self.number(false)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// CREATE and ALTER RESOURCE GROUP, from RESOURCE on.
    pub(super) fn resource_group(&mut self, create: bool) -> PResult<Statement<'a>> {
        self.expect_kws(&[Kw::RESOURCE, Kw::GROUP])?;
        self.ident()?;
        if create {
            self.expect_kw(Kw::TYPE)?;
            self.accept_eq();
            if !self.accept_kw(Kw::USER) {
                self.expect_kw(Kw::SYSTEM)?;
            }
        }
        if self.accept_word("VCPU") {
            self.accept_eq();
            self.comma_list(|p| {
                p.number(false)?;
                if p.accept(Tk::Minus) {
                    p.number(false)?;
                }
                Ok(())
            })?;
        }
        if self.accept_word("THREAD_PRIORITY") {
            self.accept_eq();
            if !self.accept(Tk::Minus) {
                self.accept(Tk::Plus);
            }
            self.number(false)?;
        }
        if !self.accept_kw(Kw::ENABLE) {
            self.accept_kw(Kw::DISABLE);
        }
        self.accept_kw(Kw::FORCE);
        refused(if create { "CREATE RESOURCE GROUP" } else { "ALTER RESOURCE GROUP" })
    }

    /// INSTALL and UNINSTALL of components and plugins.
    pub(super) fn install(&mut self) -> PResult<Statement<'a>> {
        let install = self.is_kw(Kw::INSTALL);
        self.advance();
        if self.accept_kw(Kw::PLUGIN) {
            let name = self.ident()?;
            let mut library = None;
            if install {
                self.expect_kw(Kw::SONAME)?;
                library = Some(self.string()?);
            }
            return Ok(Statement::Plugin { name, library });
        }
        self.expect_kw(Kw::COMPONENT)?;
        self.comma_list(|p| p.string())?;
        if install && self.accept_kw(Kw::SET) {
            self.no_subquery = true;
            self.comma_list(|p| {
                if !p.accept_kw(Kw::GLOBAL) {
                    p.accept_kw(Kw::PERSIST);
                }
                if p.scope_word(p.cur).is_some() {
                    return p.fail();
                }
                p.var_name_from(p.cur.start)?;
                p.assign_op()?;
                if matches!(p.kw(), Kw::ON | Kw::ALL | Kw::BINARY | Kw::ROW | Kw::SYSTEM) {
                    p.advance();
                } else {
                    p.expr()?;
                }
                Ok(())
            })?;
            self.no_subquery = false;
        }
        refused(if install { "INSTALL COMPONENT" } else { "UNINSTALL COMPONENT" })
    }

    /// PURGE BINARY LOGS {TO '..' | BEFORE expr}
    pub(super) fn purge(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        self.expect_kws(&[Kw::BINARY, Kw::LOGS])?;
        if self.accept_kw(Kw::TO) {
            return Ok(Statement::PurgeBinaryLogs(PurgeBinaryLogs::To(self.string()?)));
        }
        self.expect_kw(Kw::BEFORE)?;
        self.no_subquery = true;
        let before = self.expr()?;
        self.no_subquery = false;
        // in the session's time zone
        let args = self.alloc(before);
        let before = self.call(before.span.start, before.span, "unix_timestamp", std::slice::from_ref(args));
        Ok(Statement::PurgeBinaryLogs(PurgeBinaryLogs::Before(before)))
    }

    /// STOP REPLICA, STOP GROUP_REPLICATION
    pub(super) fn stop(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        if self.accept_kw(Kw::GROUP_REPLICATION) {
            return refused("STOP GROUP_REPLICATION");
        }
        self.stop_replica()
    }

    /// ALTER INSTANCE
    pub(super) fn alter_instance(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::INSTANCE)?;
        match self.kw() {
            Kw::ROTATE => {
                self.advance();
                if !self.accept_word("InnoDB") {
                    self.expect_kw(Kw::BINLOG)?;
                }
                self.expect_kws(&[Kw::MASTER, Kw::KEY])?;
            }
            Kw::RELOAD => {
                self.advance();
                if self.accept_word("KEYRING") {
                    return refused("ALTER INSTANCE RELOAD KEYRING");
                }
                if !self.accept_word("TLS") {
                    return self.fail();
                }
                let mut channel = None;
                if self.accept_kws(&[Kw::FOR, Kw::CHANNEL]) {
                    channel = Some(self.ident()?);
                }
                let no_rollback = self.accept_kws(&[Kw::NO, Kw::ROLLBACK, Kw::ON, Kw::ERROR]);
                return Ok(Statement::ReloadTls { channel, no_rollback });
            }
            _ => {
                self.one_of(&[Kw::ENABLE, Kw::DISABLE])?;
                if !self.accept_word("INNODB") || !self.accept_word("REDO_LOG") {
                    return self.fail();
                }
            }
        }
        refused("ALTER INSTANCE")
    }
}
