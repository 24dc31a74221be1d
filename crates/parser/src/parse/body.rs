//! Bodies of stored programs: blocks, loops, conditions, cursors, handlers (manual: "Compound Statement Syntax").
//!
//! Only the grammar: what MySQL checks besides (labels that match, declarations in their order, statements that a function
//! may not run) has errors of its own, which nobody needs while programs are not offered. Each `;` that ends a statement of a
//! body is a token of its own here; the lexer ends a text at none of them.

use super::{Fail, PResult, Parser};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

impl<'a> Parser<'a, '_> {
    /// One statement of a body, without the `;` behind it.
    pub(super) fn program_statement(&mut self) -> PResult<()> {
        self.enter()?;
        if self.peek(1).kind == Tk::Colon && self.may_label() {
            self.advance();
            self.advance();
            return match self.kw() {
                Kw::BEGIN | Kw::LOOP | Kw::WHILE | Kw::REPEAT => self.labelled(),
                _ => self.fail(),
            };
        }
        match self.kw() {
            Kw::BEGIN | Kw::LOOP | Kw::WHILE => self.labelled(),
            Kw::REPEAT => self.labelled(),
            Kw::IF => self.if_statement(),
            Kw::CASE => self.case_statement(),
            Kw::RETURN => {
                self.advance();
                self.expr()?;
                Ok(())
            }
            Kw::LEAVE | Kw::ITERATE => {
                self.advance();
                self.ident()?;
                Ok(())
            }
            Kw::OPEN | Kw::CLOSE => {
                self.advance();
                self.ident()?;
                Ok(())
            }
            Kw::FETCH => self.fetch(),
            // it could have been a label
            Kw::NOT_A_KEYWORD if self.is_ident() => {
                self.advance();
                self.fail()
            }
            _ => {
                let (intos, last) = (self.intos, self.last_into.take());
                self.statement()?;
                (self.intos, self.last_into) = (intos, last);
                Ok(())
            }
        }
    }

    /// 1314 where a statement is one that no body may hold.
    pub(super) fn not_in_program(&mut self, what: &'static str) {
        if self.in_program {
            self.notice(Fail::Words(ErrorCode::SP_BADSTATEMENT, what));
        }
    }

    /// A label: a name, but none of the words that begin a statement.
    fn may_label(&self) -> bool {
        use Kw::*;
        let begins = matches!(
            self.kw(),
            ASCII
                | BEGIN
                | BYTE
                | CHARSET
                | CHECKSUM
                | CLONE
                | COMMENT
                | COMMIT
                | DEALLOCATE
                | DO
                | END
                | FLUSH
                | FOLLOWS
                | HANDLER
                | HELP
                | IMPORT
                | INSTALL
                | LANGUAGE
                | NO
                | PRECEDES
                | PREPARE
                | REPAIR
                | RESET
                | ROLLBACK
                | SAVEPOINT
                | SIGNED
                | SLAVE
                | START
                | STOP
                | TRUNCATE
                | UNICODE
                | UNINSTALL
                | XA
        );
        self.is_ident() && !begins && !self.is_word("CONTAINS")
    }

    /// A block or a loop, and the label behind its END.
    fn labelled(&mut self) -> PResult<()> {
        match self.kw() {
            Kw::BEGIN => {
                self.advance();
                self.declarations()?;
                while !self.is_kw(Kw::END) {
                    self.ended_statement()?;
                }
                self.advance();
            }
            Kw::LOOP => {
                self.advance();
                self.statements(&[Kw::END])?;
                self.expect_kws(&[Kw::END, Kw::LOOP])?;
            }
            Kw::WHILE => {
                self.advance();
                self.expr()?;
                self.expect_kw(Kw::DO)?;
                self.statements(&[Kw::END])?;
                self.expect_kws(&[Kw::END, Kw::WHILE])?;
            }
            _ => {
                self.advance();
                loop {
                    self.ended_statement()?;
                    if self.accept_word("UNTIL") {
                        break;
                    }
                }
                self.expr()?;
                self.expect_kws(&[Kw::END, Kw::REPEAT])?;
            }
        }
        if self.may_label() {
            self.advance();
        }
        Ok(())
    }

    fn ended_statement(&mut self) -> PResult<()> {
        self.program_statement()?;
        self.expect(Tk::Semi)
    }

    /// One or more statements, up to one of these words.
    fn statements(&mut self, end: &[Kw]) -> PResult<()> {
        loop {
            self.ended_statement()?;
            if end.contains(&self.kw()) {
                return Ok(());
            }
        }
    }

    fn if_statement(&mut self) -> PResult<()> {
        loop {
            // IF and ELSEIF
            self.advance();
            self.expr()?;
            self.expect_kw(Kw::THEN)?;
            self.statements(&[Kw::ELSEIF, Kw::ELSE, Kw::END])?;
            if !self.is_kw(Kw::ELSEIF) {
                break;
            }
        }
        if self.accept_kw(Kw::ELSE) {
            self.statements(&[Kw::END])?;
        }
        self.expect_kws(&[Kw::END, Kw::IF])
    }

    fn case_statement(&mut self) -> PResult<()> {
        self.advance();
        if !self.is_kw(Kw::WHEN) {
            self.expr()?;
        }
        if !self.is_kw(Kw::WHEN) {
            return self.fail();
        }
        while self.accept_kw(Kw::WHEN) {
            self.expr()?;
            self.expect_kw(Kw::THEN)?;
            self.statements(&[Kw::WHEN, Kw::ELSE, Kw::END])?;
        }
        if self.accept_kw(Kw::ELSE) {
            self.statements(&[Kw::END])?;
        }
        self.expect_kws(&[Kw::END, Kw::CASE])
    }

    /// `FETCH [[NEXT] FROM] cursor INTO names`
    fn fetch(&mut self) -> PResult<()> {
        self.advance();
        if self.is_kws(&[Kw::NEXT, Kw::FROM]) {
            self.advance();
        }
        self.accept_kw(Kw::FROM);
        self.ident()?;
        self.expect_kw(Kw::INTO)?;
        self.comma_list(|p| p.ident())?;
        Ok(())
    }

    fn declarations(&mut self) -> PResult<()> {
        while self.accept_kw(Kw::DECLARE) {
            match (self.kw(), self.peek(1).kw) {
                (Kw::EXIT | Kw::CONTINUE, Kw::HANDLER) => {
                    self.advance();
                    self.advance();
                    self.expect_kw(Kw::FOR)?;
                    self.comma_list(|p| p.handled())?;
                    self.program_statement()?;
                }
                (_, Kw::CONDITION) => {
                    self.ident()?;
                    self.advance();
                    self.expect_kw(Kw::FOR)?;
                    if self.is(Tk::Int) {
                        self.number(false)?;
                    } else {
                        self.sqlstate()?;
                    }
                }
                (_, Kw::CURSOR) => {
                    self.ident()?;
                    self.advance();
                    self.expect_kw(Kw::FOR)?;
                    let last = self.last_into.take();
                    self.query_statement()?;
                    self.last_into = last;
                }
                _ => {
                    self.comma_list(|p| p.ident())?;
                    self.variable_type()?;
                    if self.accept_kw(Kw::DEFAULT) {
                        self.expr()?;
                    }
                }
            }
            self.expect(Tk::Semi)?;
        }
        Ok(())
    }

    /// What a handler is for.
    fn handled(&mut self) -> PResult<()> {
        match self.kw() {
            Kw::SQLWARNING | Kw::SQLEXCEPTION => {
                self.advance();
                Ok(())
            }
            Kw::NOT => {
                self.advance();
                self.expect_kw(Kw::FOUND)
            }
            Kw::SQLSTATE => self.sqlstate().map(drop),
            _ if self.is(Tk::Int) => self.number(false).map(|_| ()),
            _ => self.ident().map(|_| ()),
        }
    }

    /// `SQLSTATE [VALUE] '..'`
    pub(super) fn sqlstate(&mut self) -> PResult<&'a [u8]> {
        self.expect_kw(Kw::SQLSTATE)?;
        self.accept_kw(Kw::VALUE);
        self.string()
    }
}
