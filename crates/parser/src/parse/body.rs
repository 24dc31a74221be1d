//! Bodies of stored programs: blocks, loops, conditions, cursors, handlers (manual: "Compound Statement Syntax").
//!
//! Names are resolved while they are read (`program_scope.rs`). What a body may not hold in a function, a trigger or at
//! all is told by crate `program` where no word of the grammar says it. Each `;` that ends a statement of a body is a
//! token of its own here; the lexer ends a text at none of them. Tested in `tests/programs.rs`.

use super::program_scope::{Block, Label, same};
use super::{Fail, PResult, Parser};
use crate::ast::{self, Arm, Body, BodyKind, BodyStatement, ProgramKind, Slot, SlotKind};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

impl<'a> Parser<'a, '_> {
    /// The body of the program that is being read.
    pub(super) fn program_body(&mut self) -> PResult<Body<'a>> {
        let head_end = self.prev_end();
        let statement = self.program_statement()?;
        let span = statement.span;
        let Some(p) = &mut self.program else { return self.fail() };
        let (labels, has_return) = (p.labels, p.has_return);
        let (slots, cursors) = (std::mem::take(&mut p.slots), std::mem::take(&mut p.cursors));
        let (tables, routines) = (std::mem::take(&mut p.tables), std::mem::take(&mut p.routines));
        Ok(Body {
            span,
            head_end,
            statement,
            slots: self.arena.alloc_slice_copy::<Slot<'a>>(&slots),
            cursors: self.arena.alloc_slice_copy(&cursors),
            labels,
            has_return,
            tables: self.arena.alloc_slice_copy(&tables),
            routines: self.arena.alloc_slice_copy(&routines),
        })
    }

    /// A name of the innermost block.
    pub(super) fn declare(&mut self, name: &'a str, kind: SlotKind<'a>) -> u32 {
        let Some(p) = &mut self.program else { return 0 };
        let slot = p.slot(name, kind);
        if let Some(b) = p.blocks.last_mut() {
            b.variables.push((name, slot));
        }
        slot
    }

    /// One statement of a body, without the `;` behind it.
    pub(super) fn program_statement(&mut self) -> PResult<BodyStatement<'a>> {
        self.enter()?;
        let start = self.cur.start;
        let kind = self.program_statement_kind()?;
        Ok(BodyStatement { span: self.span_from(start), kind })
    }

    fn program_statement_kind(&mut self) -> PResult<BodyKind<'a>> {
        if self.peek(1).kind == Tk::Colon && self.may_label() {
            let at = self.cur.start;
            let name = self.ident()?;
            self.advance();
            return match self.kw() {
                Kw::BEGIN | Kw::LOOP | Kw::WHILE | Kw::REPEAT => {
                    if self.program.as_ref().and_then(|p| p.label(name)).is_some() {
                        return Err(Fail::Name(ErrorCode::SP_LABEL_REDEFINE, at));
                    }
                    self.labelled(Some(name))
                }
                _ => self.fail(),
            };
        }
        match self.kw() {
            Kw::BEGIN | Kw::LOOP | Kw::WHILE | Kw::REPEAT => self.labelled(None),
            Kw::IF => self.if_statement(),
            Kw::CASE => self.case_statement(),
            Kw::RETURN => {
                let kind = self.program.as_ref().map(|p| p.kind);
                if kind != Some(ProgramKind::Function) {
                    return Err(Fail::Words(ErrorCode::SP_BADRETURN, ""));
                }
                self.advance();
                let e = self.expr_ref()?;
                if let Some(p) = &mut self.program {
                    p.has_return = true;
                }
                Ok(BodyKind::Return(e))
            }
            Kw::LEAVE | Kw::ITERATE => self.jump(),
            Kw::OPEN => {
                self.advance();
                Ok(BodyKind::Open(self.cursor_name()?))
            }
            Kw::CLOSE => {
                self.advance();
                Ok(BodyKind::Close(self.cursor_name()?))
            }
            Kw::FETCH => self.fetch(),
            // it could have been a label
            Kw::NOT_A_KEYWORD if self.is_ident() => {
                self.advance();
                self.fail()
            }
            _ => {
                let (intos, last) = (self.intos, self.last_into.take());
                let statement = self.statement()?;
                (self.intos, self.last_into) = (intos, last);
                Ok(BodyKind::Sql(self.alloc(statement)))
            }
        }
    }

    /// LEAVE and ITERATE: 1308 without such a label around it; ITERATE wants a loop's.
    fn jump(&mut self) -> PResult<BodyKind<'a>> {
        let leave = self.is_kw(Kw::LEAVE);
        self.advance();
        let at = self.cur.start;
        let name = self.ident()?;
        match self.program.as_ref().and_then(|p| p.label(name)) {
            Some(l) if leave => Ok(BodyKind::Leave(l.number)),
            Some(l) if l.is_loop => Ok(BodyKind::Iterate(l.number)),
            _ => {
                let word = if leave { "LEAVE" } else { "ITERATE" };
                Err(Fail::WordAndName(ErrorCode::SP_LILABEL_MISMATCH, word, at))
            }
        }
    }

    /// 1314 where a statement is one that no body may hold.
    pub(super) fn not_in_program(&mut self, what: &'static str) {
        if self.in_program {
            let fail = Fail::Words(ErrorCode::SP_BADSTATEMENT, what);
            self.notice(fail);
            self.later.get_or_insert(fail);
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
    fn labelled(&mut self, name: Option<&'a str>) -> PResult<BodyKind<'a>> {
        let Some(p) = &mut self.program else { return self.fail() };
        let label = p.labels;
        p.labels += 1;
        let is_loop = !self.is_kw(Kw::BEGIN);
        self.push_block(Block { label: name.map(|name| Label { name, number: label, is_loop }), ..Block::default() });
        let kind = match self.kw() {
            Kw::BEGIN => {
                self.advance();
                self.block_rest(label)?
            }
            Kw::LOOP => {
                self.advance();
                let body = self.statements(&[Kw::END])?;
                self.expect_kws(&[Kw::END, Kw::LOOP])?;
                BodyKind::Loop { label, body }
            }
            Kw::WHILE => {
                self.advance();
                let condition = self.expr_ref()?;
                self.expect_kw(Kw::DO)?;
                let body = self.statements(&[Kw::END])?;
                self.expect_kws(&[Kw::END, Kw::WHILE])?;
                BodyKind::While { label, condition, body }
            }
            _ => {
                self.advance();
                let mut body = self.list();
                loop {
                    body.push(self.ended_statement()?);
                    if self.accept_word("UNTIL") {
                        break;
                    }
                }
                let until = self.expr_ref()?;
                self.expect_kws(&[Kw::END, Kw::REPEAT])?;
                BodyKind::Repeat { label, body: body.into_bump_slice(), until }
            }
        };
        self.pop_block();
        if let Some(name) = name
            && self.may_label()
        {
            let at = self.cur.start;
            let end = self.ident()?;
            if !same(name, end) {
                return Err(Fail::Name(ErrorCode::SP_LABEL_MISMATCH, at));
            }
        }
        Ok(kind)
    }

    /// A block behind its BEGIN.
    fn block_rest(&mut self, label: u32) -> PResult<BodyKind<'a>> {
        let (variables, cursors, handlers) = self.declarations()?;
        let mut statements = self.list();
        while !self.is_kw(Kw::END) {
            statements.push(self.ended_statement()?);
        }
        self.advance();
        let statements = statements.into_bump_slice();
        let b = ast::Block { label, variables, cursors, handlers, statements };
        Ok(BodyKind::Block(self.alloc(b)))
    }

    fn ended_statement(&mut self) -> PResult<BodyStatement<'a>> {
        let s = self.program_statement()?;
        self.expect(Tk::Semi)?;
        Ok(s)
    }

    /// One or more statements, up to one of these words.
    fn statements(&mut self, end: &[Kw]) -> PResult<&'a [BodyStatement<'a>]> {
        let mut all = self.list();
        loop {
            all.push(self.ended_statement()?);
            if end.contains(&self.kw()) {
                return Ok(all.into_bump_slice());
            }
        }
    }

    fn if_statement(&mut self) -> PResult<BodyKind<'a>> {
        let mut arms = self.list();
        loop {
            // IF and ELSEIF
            self.advance();
            let when = self.expr()?;
            self.expect_kw(Kw::THEN)?;
            let then = self.statements(&[Kw::ELSEIF, Kw::ELSE, Kw::END])?;
            arms.push(Arm { when, then });
            if !self.is_kw(Kw::ELSEIF) {
                break;
            }
        }
        let otherwise = if self.accept_kw(Kw::ELSE) { self.statements(&[Kw::END])? } else { &[] };
        self.expect_kws(&[Kw::END, Kw::IF])?;
        Ok(BodyKind::If { arms: arms.into_bump_slice(), otherwise })
    }

    fn case_statement(&mut self) -> PResult<BodyKind<'a>> {
        self.advance();
        let operand = if self.is_kw(Kw::WHEN) { None } else { Some(self.expr_ref()?) };
        if !self.is_kw(Kw::WHEN) {
            return self.fail();
        }
        let mut arms = self.list();
        while self.accept_kw(Kw::WHEN) {
            let when = self.expr()?;
            self.expect_kw(Kw::THEN)?;
            let then = self.statements(&[Kw::WHEN, Kw::ELSE, Kw::END])?;
            arms.push(Arm { when, then });
        }
        let otherwise = if self.accept_kw(Kw::ELSE) { Some(self.statements(&[Kw::END])?) } else { None };
        self.expect_kws(&[Kw::END, Kw::CASE])?;
        Ok(BodyKind::Case { operand, arms: arms.into_bump_slice(), otherwise })
    }

    /// `FETCH [[NEXT] FROM] cursor INTO names`
    fn fetch(&mut self) -> PResult<BodyKind<'a>> {
        self.advance();
        if self.is_kws(&[Kw::NEXT, Kw::FROM]) {
            self.advance();
        }
        self.accept_kw(Kw::FROM);
        let cursor = self.cursor_name()?;
        self.expect_kw(Kw::INTO)?;
        let into = self.comma_list(|p| p.target())?;
        Ok(BodyKind::Fetch { cursor, into })
    }

    /// `SQLSTATE [VALUE] '..'`
    pub(super) fn sqlstate(&mut self) -> PResult<&'a [u8]> {
        self.expect_kw(Kw::SQLSTATE)?;
        self.accept_kw(Kw::VALUE);
        self.string()
    }
}
