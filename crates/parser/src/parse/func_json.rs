//! JSON_VALUE and the ON EMPTY / ON ERROR clauses it shares with JSON_TABLE.

use super::deprecated::Old;
use super::{PResult, Parser};
use crate::ast::{Expr, ExprKind, JsonOn, JsonValue};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    pub(super) fn json_value(&mut self) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let doc = self.simple_layer()?;
        self.expect(Tk::Comma)?;
        self.no_lift += 1;
        let path = if self.is_introducer() {
            self.introducer()?
        } else if self.is(Tk::Str) {
            self.string_literal(None)?
        } else {
            return self.fail();
        };
        self.no_lift -= 1;
        let returning = if self.accept_kw(Kw::RETURNING) { Some(self.cast_type()?) } else { None };
        let (on_empty, on_error) = self.json_on()?;
        self.expect(Tk::RParen)?;
        self.height += 1;
        let v = self.alloc(JsonValue { doc, path, returning, on_empty, on_error });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::JsonValue(v) })
    }

    /// The same for JSON_TABLE, where ON ERROR may come first (deprecated).
    pub(super) fn json_table_on(&mut self) -> PResult<(Option<JsonOn<'a>>, Option<JsonOn<'a>>)> {
        let (empty, error) = self.json_on()?;
        if empty.is_some() || error.is_none() || !matches!(self.kw(), Kw::NULL | Kw::ERROR | Kw::DEFAULT) {
            return Ok((empty, error));
        }
        let (empty, second) = self.json_on()?;
        if second.is_some() {
            return self.fail();
        }
        self.old(Old::EmptyAfterError);
        Ok((empty, error))
    }

    /// `[.. ON EMPTY] [.. ON ERROR]`
    pub(super) fn json_on(&mut self) -> PResult<(Option<JsonOn<'a>>, Option<JsonOn<'a>>)> {
        let (mut empty, mut error) = (None, None);
        loop {
            let value = match self.kw() {
                Kw::NULL => {
                    self.advance();
                    JsonOn::Null
                }
                Kw::ERROR => {
                    self.advance();
                    JsonOn::Error
                }
                Kw::DEFAULT => {
                    self.advance();
                    if self.is_kw(Kw::NULL) {
                        return self.fail();
                    }
                    self.no_lift += 1;
                    let e = self.signed_literal();
                    self.no_lift -= 1;
                    JsonOn::Default(e?)
                }
                _ => return Ok((empty, error)),
            };
            self.expect_kw(Kw::ON)?;
            if empty.is_none() && error.is_none() && self.accept_kw(Kw::EMPTY) {
                empty = Some(value);
            } else if error.is_none() && self.accept_kw(Kw::ERROR) {
                error = Some(value);
                return Ok((empty, error));
            } else {
                return self.fail();
            }
        }
    }
}
