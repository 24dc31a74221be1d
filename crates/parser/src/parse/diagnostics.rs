//! SIGNAL, RESIGNAL and GET DIAGNOSTICS: read and refused with 1235.

use super::{PResult, Parser};
use crate::ast::Statement;
use crate::lexer::{Kw, Tk};

/// What SIGNAL sets and GET DIAGNOSTICS reads of a condition.
const ITEMS: [&str; 12] = [
    "CLASS_ORIGIN",
    "SUBCLASS_ORIGIN",
    "CONSTRAINT_CATALOG",
    "CONSTRAINT_SCHEMA",
    "CONSTRAINT_NAME",
    "CATALOG_NAME",
    "SCHEMA_NAME",
    "TABLE_NAME",
    "COLUMN_NAME",
    "CURSOR_NAME",
    "MESSAGE_TEXT",
    "MYSQL_ERRNO",
];

impl<'a> Parser<'a, '_> {
    pub(super) fn signal(&mut self) -> PResult<Statement<'a>> {
        let again = self.is_kw(Kw::RESIGNAL);
        self.advance();
        if self.is_kw(Kw::SQLSTATE) {
            self.sqlstate()?;
        } else if !again || (self.is_ident() && !self.is_kw(Kw::SET)) {
            self.ident()?;
        }
        if self.accept_kw(Kw::SET) {
            self.comma_list(|p| {
                if !p.accept_words(&ITEMS) {
                    return p.fail();
                }
                p.expect(Tk::Eq)?;
                p.plain_value()
            })?;
        }
        Ok(Statement::Unsupported { feature: if again { "RESIGNAL" } else { "SIGNAL" } })
    }

    /// A literal, a variable or a name.
    fn plain_value(&mut self) -> PResult<()> {
        match self.cur.kind {
            Tk::At => self.user_var_name().map(|_| ()),
            Tk::AtAt => self.sys_var_name().map(|_| ()),
            Tk::Minus | Tk::Plus | Tk::Param | Tk::LParen => self.fail(),
            _ if self.is_ident() && !self.is_introducer() => {
                self.column_ref()?;
                if self.is(Tk::LParen) { self.fail() } else { Ok(()) }
            }
            _ => self.signed_literal().map(|_| ()),
        }
    }

    pub(super) fn get_diagnostics(&mut self) -> PResult<Statement<'a>> {
        self.advance();
        if matches!(self.kw(), Kw::CURRENT | Kw::STACKED) {
            self.advance();
        }
        self.expect_kw(Kw::DIAGNOSTICS)?;
        let condition = self.accept_kw(Kw::CONDITION);
        if condition {
            self.plain_value()?;
        }
        self.comma_list(|p| {
            if p.is(Tk::At) {
                p.user_var_name()?;
            } else {
                p.ident()?;
            }
            p.expect(Tk::Eq)?;
            let known = if condition {
                p.accept_kw(Kw::RETURNED_SQLSTATE) || p.accept_words(&ITEMS)
            } else {
                p.accept_words(&["NUMBER", "ROW_COUNT"])
            };
            if known { Ok(()) } else { p.fail() }
        })?;
        Ok(Statement::Unsupported { feature: "GET DIAGNOSTICS" })
    }
}
