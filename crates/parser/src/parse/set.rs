//! SET.

use super::{Fail, PResult, Parser};
use crate::ast::{LitValue, NOT_LIFTED, SetItem, SetValue, Span, Statement, SysVarName, VarScope};
use crate::lexer::{Kw, Tk};
use crate::secrets::Hidden;

impl<'a> Parser<'a, '_> {
    pub(super) fn set_statement(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::SET)?;
        match self.kw() {
            Kw::TRANSACTION if !matches!(self.peek(1).kind, Tk::Eq | Tk::Assign) => {
                return self.set_transaction(VarScope::Default);
            }
            Kw::ROLE => return self.set_role_statement(),
            Kw::DEFAULT if self.peek(1).kw == Kw::ROLE => return self.set_default_role(),
            Kw::RESOURCE if self.peek(1).kw == Kw::GROUP => return self.unsupported("SET RESOURCE GROUP"),
            Kw::GLOBAL | Kw::SESSION | Kw::LOCAL if self.peek(1).kw == Kw::TRANSACTION => {
                let scope = if self.is_kw(Kw::GLOBAL) { VarScope::Global } else { VarScope::Session };
                self.advance();
                return self.set_transaction(scope);
            }
            _ => {}
        }
        let mut keyword = VarScope::Default;
        // PASSWORD is a clause of its own at the beginning, and a variable's name behind another assignment
        if self.is_kw(Kw::PASSWORD) {
            self.not_shadowed("password")?;
            let item = self.set_password()?;
            return Ok(Statement::Set(std::slice::from_ref(self.alloc(item))));
        }
        Ok(Statement::Set(self.comma_list(|p| p.set_item(&mut keyword))?))
    }

    /// `keyword`: the last GLOBAL, SESSION or PERSIST of the statement, which counts for what follows without one (manual, "Multiple
    /// Variable Assignment").
    fn set_item(&mut self, keyword: &mut VarScope) -> PResult<SetItem<'a>> {
        let next = self.peek(1);
        let assigned = matches!(next.kind, Tk::Eq | Tk::Assign);
        match self.cur.kind {
            Tk::At => {
                let name = self.user_var_name()?;
                self.assign_op()?;
                return Ok(SetItem::UserVar { name, value: self.expr()? });
            }
            Tk::AtAt => {
                let v = self.sys_var_name(false)?;
                return self.set_var(v.scope, v.name);
            }
            _ => {}
        }
        if self.is_kw(Kw::NAMES) && assigned {
            self.not_shadowed("names")?;
        }
        if let Some(item) = self.set_local()? {
            return Ok(item);
        }
        match self.kw() {
            Kw::NAMES if assigned => {
                self.advance();
                let at = self.cur.start;
                self.assign_op()?;
                self.expr()?;
                self.later.get_or_insert(Fail::Syntax(at));
                Ok(SetItem::Names { charset: None, collation: None })
            }
            Kw::NAMES => {
                self.advance();
                if self.accept_kw(Kw::DEFAULT) {
                    return Ok(SetItem::Names { charset: None, collation: None });
                }
                let charset = Some(self.charset_name()?);
                let collation = if self.accept_kw(Kw::COLLATE) { Some(self.collation_name()?) } else { None };
                Ok(SetItem::Names { charset, collation })
            }
            Kw::CHARSET if !assigned => {
                self.advance();
                self.set_charset()
            }
            Kw::CHARACTER | Kw::CHAR => {
                self.advance();
                self.expect_kw(Kw::SET)?;
                self.set_charset()
            }
            _ => {
                if let Some(s) = self.scope_word(self.cur) {
                    // GLOBAL and its kin are no variables' or components' names
                    *keyword = s;
                    self.advance();
                    if assigned || matches!(self.cur.kind, Tk::AtAt | Tk::Dot) || self.scope_word(self.cur).is_some() {
                        return self.fail();
                    }
                }
                let name = self.var_name_from(self.cur.start)?;
                self.set_var(*keyword, name)
            }
        }
    }

    fn set_charset(&mut self) -> PResult<SetItem<'a>> {
        if self.accept_kw(Kw::DEFAULT) {
            return Ok(SetItem::CharacterSet(None));
        }
        Ok(SetItem::CharacterSet(Some(self.charset_word()?)))
    }

    fn set_var(&mut self, scope: VarScope, name: SysVarName<'a>) -> PResult<SetItem<'a>> {
        self.assign_op()?;
        let t = self.cur;
        let value = match t.kw {
            Kw::DEFAULT if self.peek(1).kind != Tk::LParen => {
                self.advance();
                SetValue::Default
            }
            Kw::ON | Kw::ALL | Kw::BINARY | Kw::ROW | Kw::SYSTEM
                if matches!(self.peek(1).kind, Tk::Eof | Tk::Comma | Tk::Semi) =>
            {
                self.advance();
                let bytes = self.arena.alloc_slice_copy(self.text(t));
                let value = LitValue::Str { bytes, charset: None };
                SetValue::Expr(self.make_literal(Span::new(t.start, t.end), NOT_LIFTED, value))
            }
            _ => SetValue::Expr(self.expr()?),
        };
        Ok(SetItem::Var { scope, name, value })
    }

    fn set_password(&mut self) -> PResult<SetItem<'a>> {
        self.advance();
        let user = if self.accept_kw(Kw::FOR) { Some(self.account()?) } else { None };
        let mut password = None;
        if self.accept_kw(Kw::TO) {
            self.expect_kw(Kw::RANDOM)?;
        } else {
            self.assign_op()?;
            password = Some(Hidden(self.string()?));
        }
        let replace = if self.accept_kw(Kw::REPLACE) { Some(Hidden(self.string()?)) } else { None };
        let retain_current = self.accept_kws(&[Kw::RETAIN, Kw::CURRENT, Kw::PASSWORD]);
        Ok(SetItem::Password { user, password, replace, retain_current })
    }

    /// A user variable without `@` (EXECUTE .. USING, PREPARE .. FROM need `@`).
    pub(super) fn at_name(&mut self) -> PResult<&'a str> {
        if !self.is(Tk::At) {
            return Err(Fail::Syntax(self.cur.start));
        }
        self.user_var_name()
    }
}
