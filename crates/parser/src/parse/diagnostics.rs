//! SIGNAL, RESIGNAL and GET DIAGNOSTICS.

use super::{Fail, PResult, Parser};
use crate::ast::{
    ConditionItem, DiagnosticTarget, Expr, ExprKind, GetDiagnostics, Raises, Signal, Statement, StatementItem, Wanted,
};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

impl<'a> Parser<'a, '_> {
    pub(super) fn signal(&mut self) -> PResult<Statement<'a>> {
        let again = self.is_kw(Kw::RESIGNAL);
        self.advance();
        let raises = if self.is_kw(Kw::SQLSTATE) {
            let state = self.valid_sqlstate()?;
            Raises::Sqlstate(self.arena.alloc_slice_copy(&state))
        } else if !again || (self.is_ident() && !self.is_kw(Kw::SET)) {
            let at = self.cur.start;
            let name = self.ident()?;
            match self.signalled_condition(at, name)? {
                Some(s) => Raises::Sqlstate(self.arena.alloc_slice_copy(&s)),
                None => Raises::Named(name),
            }
        } else {
            Raises::Same
        };
        let mut items: &[(ConditionItem, Expr<'a>)] = &[];
        if self.accept_kw(Kw::SET) {
            items = self.comma_list(|p| {
                let item = p.condition_item()?;
                p.expect(Tk::Eq)?;
                Ok((item, p.plain_value()?))
            })?;
            let twice = items.iter().enumerate().find(|(n, i)| items.iter().take(*n).any(|before| before.0 == i.0));
            if let Some((_, (item, _))) = twice {
                return Err(Fail::Words(ErrorCode::DUP_SIGNAL_SET, item.name()));
            }
        }
        Ok(Statement::Signal(self.alloc(Signal { again, raises, items })))
    }

    fn condition_item(&mut self) -> PResult<ConditionItem> {
        match ConditionItem::SET.into_iter().find(|i| self.accept_word(i.name())) {
            Some(i) => Ok(i),
            None => self.fail(),
        }
    }

    /// A literal, a variable or a name.
    fn plain_value(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        let kind = match self.cur.kind {
            Tk::At => ExprKind::UserVar(self.user_var_name()?),
            Tk::AtAt => {
                let name = self.sys_var_name(true)?;
                ExprKind::SysVar(self.alloc(name))
            }
            Tk::Minus | Tk::Plus | Tk::Param | Tk::LParen => return self.fail(),
            _ if self.is_ident() && !self.is_introducer() => {
                let column = self.column_ref()?;
                if self.is(Tk::LParen) {
                    return self.fail();
                }
                self.column_or_local(column)?
            }
            _ => return self.signed_literal(),
        };
        Ok(Expr { span: self.span_from(start), kind })
    }

    pub(super) fn get_diagnostics(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        let stacked = self.is_kw(Kw::STACKED);
        if matches!(self.kw(), Kw::CURRENT | Kw::STACKED) {
            self.advance();
        }
        self.expect_kw(Kw::DIAGNOSTICS)?;
        let wanted = if self.accept_kw(Kw::CONDITION) {
            let number = self.plain_value()?;
            let items = self.comma_list(|p| {
                let target = p.diagnostic_target()?;
                if p.accept_kw(Kw::RETURNED_SQLSTATE) {
                    return Ok((target, ConditionItem::ReturnedSqlstate));
                }
                Ok((target, p.condition_item()?))
            })?;
            Wanted::Condition { number, items }
        } else {
            Wanted::Statement(self.comma_list(|p| {
                let target = p.diagnostic_target()?;
                if p.accept_word("NUMBER") {
                    return Ok((target, StatementItem::Number));
                }
                if p.accept_word("ROW_COUNT") { Ok((target, StatementItem::RowCount)) } else { p.fail() }
            })?)
        };
        Ok(Statement::GetDiagnostics(self.alloc(GetDiagnostics { stacked, wanted })))
    }

    /// `target =`
    fn diagnostic_target(&mut self) -> PResult<DiagnosticTarget<'a>> {
        if self.is(Tk::AtAt) {
            return Err(Fail::Syntax(self.cur.start + 1));
        }
        let target = if self.is(Tk::At) {
            DiagnosticTarget::UserVar(self.user_var_name()?)
        } else {
            let at = self.cur.start;
            let name = self.ident()?;
            if !self.in_program {
                self.notice(Fail::Name(ErrorCode::SP_UNDECLARED_VAR, at));
            }
            let slot = self.local_slot(name);
            if slot.is_none() && self.in_program {
                return Err(Fail::Name(ErrorCode::SP_UNDECLARED_VAR, at));
            }
            DiagnosticTarget::Local { name, slot }
        };
        self.expect(Tk::Eq)?;
        Ok(target)
    }
}
