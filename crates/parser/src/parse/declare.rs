//! The DECLAREs of a block: variables, conditions, cursors, handlers (manual: "DECLARE Statement").
//!
//! Their order and their names are looked at here (1331 to 1333, 1337, 1338, 1413). Tested in `tests/programs.rs`.

use super::program_scope::{Block, same};
use super::{Fail, PResult, Parser};
use crate::ast::{ConditionValue, CursorDecl, HandlerDecl, SlotKind, Span, VariableDecl};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;
use bumpalo::collections::Vec as BVec;

impl<'a> Parser<'a, '_> {
    /// The DECLAREs of a block: variables and conditions, then cursors, then handlers (1337, 1338).
    #[allow(clippy::type_complexity)]
    pub(super) fn declarations(&mut self) -> PResult<(&'a [VariableDecl<'a>], &'a [u32], &'a [HandlerDecl<'a>])> {
        let (mut variables, mut cursors, mut handlers) = (self.list(), self.list(), self.list());
        while self.accept_kw(Kw::DECLARE) {
            match (self.kw(), self.peek(1).kw) {
                (Kw::EXIT | Kw::CONTINUE, Kw::HANDLER) => {
                    let h = self.declare_handler()?;
                    handlers.push(h);
                }
                (_, Kw::CONDITION) => {
                    let late = !cursors.is_empty() || !handlers.is_empty();
                    self.declare_condition(late)?;
                }
                (_, Kw::CURSOR) => {
                    let c = self.declare_cursor(!handlers.is_empty())?;
                    cursors.push(c);
                }
                _ => {
                    let late = !cursors.is_empty() || !handlers.is_empty();
                    self.declare_variables(late, &mut variables)?;
                }
            }
            self.expect(Tk::Semi)?;
        }
        Ok((variables.into_bump_slice(), cursors.into_bump_slice(), handlers.into_bump_slice()))
    }

    /// `DECLARE a, b type [DEFAULT expr]`, behind DECLARE.
    fn declare_variables(&mut self, late: bool, all: &mut BVec<'a, VariableDecl<'a>>) -> PResult<()> {
        let start = self.cur.start;
        let mut names: Vec<(&'a str, u32)> = Vec::new();
        loop {
            let at = self.cur.start;
            names.push((self.ident()?, at));
            if !self.accept(Tk::Comma) {
                break;
            }
        }
        if late {
            return Err(Fail::Words(ErrorCode::SP_VARCOND_AFTER_CURSHNDLR, ""));
        }
        for (n, (name, at)) in names.iter().enumerate() {
            let here = self.block().is_some_and(|b| b.variables.iter().any(|v| same(v.0, name)));
            if here || names.iter().take(n).any(|x| same(x.0, name)) {
                return Err(Fail::Name(ErrorCode::SP_DUP_VAR, *at));
            }
        }
        let ty = self.variable_type()?;
        // the default does not see the names that it is for
        let default = if self.accept_kw(Kw::DEFAULT) { Some(self.expr_ref()?) } else { None };
        let span = self.span_from(start);
        for (name, _) in names {
            let slot = self.declare(name, SlotKind::Variable(ty));
            all.push(VariableDecl { slot, default, span });
        }
        Ok(())
    }

    fn declare_condition(&mut self, late: bool) -> PResult<()> {
        let at = self.cur.start;
        let name = self.ident()?;
        self.advance();
        self.expect_kw(Kw::FOR)?;
        let value = self.condition_value()?;
        if late {
            return Err(Fail::Words(ErrorCode::SP_VARCOND_AFTER_CURSHNDLR, ""));
        }
        let Some(b) = self.block() else { return self.fail() };
        if b.conditions.iter().any(|c| same(c.0, name)) {
            return Err(Fail::Name(ErrorCode::SP_DUP_COND, at));
        }
        b.conditions.push((name, value));
        Ok(())
    }

    /// A number (1525 for 0) or an SQLSTATE (1407).
    fn condition_value(&mut self) -> PResult<ConditionValue> {
        if !self.is(Tk::Int) {
            return self.valid_sqlstate().map(ConditionValue::Sqlstate);
        }
        let at = self.cur.start;
        match u16::try_from(self.number(false)?) {
            Ok(n) if n > 0 => Ok(ConditionValue::Code(n)),
            Ok(_) => Err(Fail::WordAndName(ErrorCode::WRONG_VALUE, "CONDITION", at)),
            // no such number is ever raised
            Err(_) => Ok(ConditionValue::Code(0)),
        }
    }

    pub(super) fn valid_sqlstate(&mut self) -> PResult<[u8; 5]> {
        let at = self.cur.start;
        let given = self.sqlstate()?;
        let name = self.pos.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(at, |t| t.start);
        let right = |s: &[u8; 5]| s.iter().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
        match <[u8; 5]>::try_from(given) {
            Ok(s) if right(&s) && !s.starts_with(b"00") => Ok(s),
            _ => Err(Fail::Name(ErrorCode::SP_BAD_SQLSTATE, name)),
        }
    }

    fn declare_cursor(&mut self, late: bool) -> PResult<u32> {
        let at = self.cur.start;
        let name = self.ident()?;
        self.advance();
        self.expect_kw(Kw::FOR)?;
        if late {
            return Err(Fail::Words(ErrorCode::SP_CURSOR_AFTER_HANDLER, ""));
        }
        if self.block().is_some_and(|b| b.cursors.iter().any(|c| same(c.0, name))) {
            return Err(Fail::Name(ErrorCode::SP_DUP_CURS, at));
        }
        let start = self.cur.start;
        let (intos, last) = (self.intos, self.last_into.take());
        let query = self.query_statement()?;
        if self.intos != intos {
            return Err(Fail::Words(ErrorCode::SP_BAD_CURSOR_SELECT, ""));
        }
        self.last_into = last;
        let span = self.span_from(start);
        let Some(p) = &mut self.program else { return self.fail() };
        let number = p.cursors.len() as u32;
        p.cursors.push(CursorDecl { name, query, span });
        if let Some(b) = p.blocks.last_mut() {
            b.cursors.push((name, number));
        }
        Ok(number)
    }

    fn declare_handler(&mut self) -> PResult<HandlerDecl<'a>> {
        let start = self.cur.start;
        let goes_on = self.is_kw(Kw::CONTINUE);
        self.advance();
        self.advance();
        self.expect_kw(Kw::FOR)?;
        let conditions = self.comma_list(|p| p.handled())?;
        self.push_block(Block { handler: true, ..Block::default() });
        let body = self.program_statement()?;
        self.pop_block();
        Ok(HandlerDecl { goes_on, conditions, body, span: Span::new(start, self.prev_end()) })
    }

    /// What a handler is for: 1413 for what the block handles already.
    fn handled(&mut self) -> PResult<ConditionValue> {
        let value = match self.kw() {
            Kw::SQLWARNING => {
                self.advance();
                ConditionValue::Warning
            }
            Kw::SQLEXCEPTION => {
                self.advance();
                ConditionValue::Exception
            }
            Kw::NOT => {
                self.advance();
                self.expect_kw(Kw::FOUND)?;
                ConditionValue::NotFound
            }
            Kw::SQLSTATE => self.condition_value()?,
            _ if self.is(Tk::Int) => self.condition_value()?,
            _ => {
                let at = self.cur.start;
                let name = self.ident()?;
                let known = self.program.as_ref().and_then(|p| p.condition(name));
                known.ok_or(Fail::Name(ErrorCode::SP_COND_MISMATCH, at))?
            }
        };
        let Some(b) = self.block() else { return self.fail() };
        if b.handled.contains(&value) {
            return Err(Fail::Words(ErrorCode::SP_DUP_HANDLER, ""));
        }
        b.handled.push(value);
        Ok(value)
    }
}
