//! CREATE and ALTER of procedures, functions, triggers and events: their heads. Bodies: `body.rs`.
//!
//! Stored programs are read from end to end, so that a mistake in one is a syntax error here too, but nothing is kept: the
//! statement is [`Statement::Unsupported`]. What follows the body is the next statement.
//! Tested in `tests/statements.rs` and by golden `syntax_errors`.

use super::{Fail, PResult, Parser};
use crate::ast::Statement;
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

/// What a body may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Sql,
    Other,
}

impl<'a> Parser<'a, '_> {
    /// Takes everything up to the end of the statement; the rest of it is not checked.
    pub(super) fn unsupported(&mut self, feature: &'static str) -> PResult<Statement<'a>> {
        while !self.at_end() {
            if self.is(Tk::Bad) {
                return self.fail();
            }
            self.advance();
        }
        Ok(Statement::Unsupported { feature })
    }

    /// CREATE PROCEDURE and its kind, from the object's word on.
    pub(super) fn create_program(&mut self) -> PResult<Statement<'a>> {
        let inner = std::mem::replace(&mut self.in_program, true);
        let nested = |what| inner.then_some(Fail::Words(ErrorCode::SP_NO_RECURSIVE_CREATE, what));
        let fail = match self.kw() {
            Kw::PROCEDURE => nested("PROCEDURE"),
            Kw::FUNCTION => nested("FUNCTION"),
            Kw::TRIGGER => nested("TRIGGER"),
            _ => None,
        };
        if let Some(fail) = fail {
            self.notice(fail);
        }
        match self.kw() {
            Kw::PROCEDURE => self.create_routine(false),
            Kw::FUNCTION | Kw::AGGREGATE => self.create_function(),
            Kw::TRIGGER => self.create_trigger(),
            Kw::EVENT => self.create_event(),
            _ => self.fail(),
        }
    }

    fn create_function(&mut self) -> PResult<Statement<'a>> {
        let aggregate = self.accept_kw(Kw::AGGREGATE);
        // `FUNCTION name RETURNS type SONAME` has no parameters
        let mut name = 1;
        if self.peek(1).kw == Kw::IF {
            name = 4;
        }
        let loadable = self.peek(name + 1).kw == Kw::RETURNS;
        if !aggregate && !loadable {
            return self.create_routine(true);
        }
        self.expect_kw(Kw::FUNCTION)?;
        self.if_not_exists()?;
        self.ident()?;
        self.expect_kw(Kw::RETURNS)?;
        if !matches!(self.kw(), Kw::STRING | Kw::REAL | Kw::DECIMAL | Kw::INTEGER | Kw::INT | Kw::DEC | Kw::NUMERIC) {
            return self.fail();
        }
        self.advance();
        self.expect_kw(Kw::SONAME)?;
        self.string()?;
        Ok(Statement::Unsupported { feature: "CREATE FUNCTION ... SONAME" })
    }

    fn create_routine(&mut self, function: bool) -> PResult<Statement<'a>> {
        self.advance();
        self.if_not_exists()?;
        self.program_name()?;
        self.expect(Tk::LParen)?;
        let mut names: Vec<&str> = Vec::new();
        if !self.is(Tk::RParen) {
            self.comma_list(|p| {
                if !function && matches!(p.kw(), Kw::IN | Kw::OUT | Kw::INOUT) {
                    p.advance();
                }
                let at = p.cur.start;
                let name = p.ident()?;
                p.variable_type()?;
                if names.iter().any(|n| n.eq_ignore_ascii_case(name)) {
                    p.notice(Fail::Name(ErrorCode::SP_DUP_PARAM, at));
                }
                names.push(name);
                Ok(())
            })?;
        }
        self.expect(Tk::RParen)?;
        if function {
            self.expect_kw(Kw::RETURNS)?;
            self.variable_type()?;
        }
        let mut language = Language::Sql;
        while self.characteristic(true, &mut language)? {}
        if language == Language::Other {
            self.expect_kw(Kw::AS)?;
            if !self.is(Tk::Str) && !self.is(Tk::Dollar) {
                return self.fail();
            }
            self.advance();
        } else {
            self.program_statement()?;
        }
        Ok(Statement::Unsupported { feature: if function { "CREATE FUNCTION" } else { "CREATE PROCEDURE" } })
    }

    /// The name of a program, with or without its schema.
    pub(super) fn program_name(&mut self) -> PResult<(Option<&'a str>, &'a str)> {
        let mut at = self.cur.start;
        let (mut schema, mut name) = (None, self.ident()?);
        if self.accept(Tk::Dot) {
            self.check_schema(name, at, true)?;
            at = self.cur.start;
            (schema, name) = (Some(name), self.ident()?);
        }
        if name.is_empty() || name.ends_with(' ') {
            return Err(Fail::Name(ErrorCode::SP_WRONG_NAME, at));
        }
        Ok((schema, name))
    }

    /// A parameter's or a variable's type.
    pub(super) fn variable_type(&mut self) -> PResult<()> {
        let ty = self.data_type()?;
        if self.is_kw(Kw::COLLATE) {
            if ty.collation.is_some() {
                return Err(Fail::Says("Multiple COLLATE clauses", self.cur.start));
            }
            self.advance();
            self.collation_name()?;
        }
        Ok(())
    }

    /// One characteristic, if one stands here.
    fn characteristic(&mut self, create: bool, language: &mut Language) -> PResult<bool> {
        match self.kw() {
            Kw::COMMENT => {
                self.advance();
                self.string()?;
            }
            Kw::LANGUAGE => {
                self.advance();
                *language = if self.accept_kw(Kw::SQL) {
                    Language::Sql
                } else {
                    self.ident()?;
                    Language::Other
                };
            }
            Kw::NO => {
                self.advance();
                self.expect_kw(Kw::SQL)?;
            }
            Kw::READS | Kw::MODIFIES => {
                self.advance();
                self.expect_kws(&[Kw::SQL, Kw::DATA])?;
            }
            Kw::SQL => {
                self.advance();
                self.expect_kw(Kw::SECURITY)?;
                self.one_of(&[Kw::DEFINER, Kw::INVOKER])?;
            }
            Kw::DETERMINISTIC if create => self.advance(),
            Kw::NOT if create => {
                self.advance();
                self.expect_kw(Kw::DETERMINISTIC)?;
            }
            _ if self.is_word("CONTAINS") => {
                self.advance();
                self.expect_kw(Kw::SQL)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A word that the lexer does not know.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is(Tk::Word) && self.text(self.cur).eq_ignore_ascii_case(word.as_bytes())
    }

    /// The same, taken if it stands here.
    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let hit = self.is_word(word);
        if hit {
            self.advance();
        }
        hit
    }

    /// One of these words.
    pub(super) fn accept_words(&mut self, words: &[&str]) -> bool {
        words.iter().any(|w| self.accept_word(w))
    }

    /// ALTER PROCEDURE and FUNCTION: characteristics only.
    pub(super) fn alter_routine(&mut self, feature: &'static str) -> PResult<Statement<'a>> {
        self.advance();
        self.program_name()?;
        let mut language = Language::Sql;
        while self.characteristic(false, &mut language)? {}
        Ok(Statement::Unsupported { feature })
    }

    fn create_trigger(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        self.if_not_exists()?;
        self.program_name()?;
        self.one_of(&[Kw::BEFORE, Kw::AFTER])?;
        self.one_of(&[Kw::INSERT, Kw::UPDATE, Kw::DELETE])?;
        self.expect_kw(Kw::ON)?;
        self.table_name()?;
        self.expect_kws(&[Kw::FOR, Kw::EACH, Kw::ROW])?;
        if matches!(self.kw(), Kw::FOLLOWS | Kw::PRECEDES) {
            self.advance();
            self.ident_or_text()?;
        }
        self.program_statement()?;
        Ok(Statement::Unsupported { feature: "CREATE TRIGGER" })
    }

    fn create_event(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        self.if_not_exists()?;
        self.program_name()?;
        self.expect_kws(&[Kw::ON, Kw::SCHEDULE])?;
        self.schedule()?;
        if self.is_kw(Kw::ON) {
            self.on_completion()?;
        }
        self.event_status()?;
        if self.accept_kw(Kw::COMMENT) {
            self.string()?;
        }
        self.expect_kw(Kw::DO)?;
        self.program_statement()?;
        Ok(Statement::Unsupported { feature: "CREATE EVENT" })
    }

    /// `AT expr`, `EVERY expr unit [STARTS expr] [ENDS expr]`
    fn schedule(&mut self) -> PResult<()> {
        if self.accept_kw(Kw::AT) {
            self.expr()?;
            return Ok(());
        }
        self.expect_kw(Kw::EVERY)?;
        self.expr()?;
        self.interval_unit()?;
        if self.accept_word("STARTS") {
            self.expr()?;
        }
        if self.accept_kw(Kw::ENDS) {
            self.expr()?;
        }
        Ok(())
    }

    fn on_completion(&mut self) -> PResult<()> {
        self.expect_kws(&[Kw::ON, Kw::COMPLETION])?;
        self.accept_kw(Kw::NOT);
        self.expect_kw(Kw::PRESERVE)
    }

    fn event_status(&mut self) -> PResult<bool> {
        if self.accept_kw(Kw::ENABLE) {
            return Ok(true);
        }
        if !self.accept_kw(Kw::DISABLE) {
            return Ok(false);
        }
        if self.accept_kw(Kw::ON) && !self.accept_kw(Kw::REPLICA) {
            self.expect_kw(Kw::SLAVE)?;
        }
        Ok(true)
    }

    /// ALTER EVENT changes at least one thing.
    pub(super) fn alter_event(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        self.program_name()?;
        let mut any = false;
        if self.is_kws(&[Kw::ON, Kw::SCHEDULE]) {
            self.advance();
            self.advance();
            self.schedule()?;
            any = true;
        }
        if self.is_kw(Kw::ON) {
            self.on_completion()?;
            any = true;
        }
        if self.accept_kws(&[Kw::RENAME, Kw::TO]) {
            self.program_name()?;
            any = true;
        }
        any |= self.event_status()?;
        if self.accept_kw(Kw::COMMENT) {
            self.string()?;
            any = true;
        }
        if self.accept_kw(Kw::DO) {
            self.program_statement()?;
            any = true;
        }
        if any { Ok(Statement::Unsupported { feature: "ALTER EVENT" }) } else { self.fail() }
    }
}
