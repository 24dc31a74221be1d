//! Aggregates (DISTINCT, GROUP_CONCAT's ORDER BY and SEPARATOR, OVER) and window functions.

use super::{Fail, PResult, Parser};
use crate::ast::{AggFunc, Aggregate, Expr, ExprKind, Span, WindowFn, WindowFunc};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

impl<'a> Parser<'a, '_> {
    /// DISTINCT, which may be written DISTINCTROW wherever it stands.
    pub(super) fn accept_distinct(&mut self) -> bool {
        self.accept_kw(Kw::DISTINCT) || self.accept_kw(Kw::DISTINCTROW)
    }

    pub(super) fn aggregate(&mut self, func: AggFunc) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        let name = Span::new(start, self.cur.end);
        self.advance();
        self.expect(Tk::LParen)?;
        let mut agg = Aggregate { func, distinct: false, args: &[], order_by: &[], separator: None, over: None };
        match func {
            AggFunc::Count if self.accept(Tk::Star) => {}
            AggFunc::Count if self.accept_kws(&[Kw::ALL]) && self.accept(Tk::Star) => {}
            AggFunc::Count if self.accept_distinct() => {
                agg.distinct = true;
                agg.args = self.expr_list()?;
            }
            AggFunc::GroupConcat => {
                agg.distinct = self.accept_distinct();
                agg.args = self.expr_list()?;
                if self.accept_kw(Kw::ORDER) {
                    self.expect_kw(Kw::BY)?;
                    agg.order_by = self.order_items()?;
                }
                if self.accept_kw(Kw::SEPARATOR) {
                    agg.separator = Some(self.string_or_hex()?);
                }
            }
            AggFunc::JsonObjectagg => {
                self.accept_kw(Kw::ALL);
                let key = self.expr()?;
                self.expect(Tk::Comma)?;
                self.accept_kw(Kw::ALL);
                let value = self.expr()?;
                agg.args = self.arena.alloc_slice_copy(&[key, value]);
            }
            // a function by its grammar: no ALL, no OVER, and the number of its arguments is counted afterwards
            AggFunc::AnyValue => {
                agg.args = if self.is(Tk::RParen) { &[] } else { self.expr_list()? };
                self.expect(Tk::RParen)?;
                self.height += 1;
                if agg.args.len() != 1 {
                    return Err(Fail::Other(ErrorCode::WRONG_PARAMCOUNT_TO_NATIVE_FCT, name));
                }
                let agg = self.alloc(agg);
                return Ok(Expr { span: self.span_from(start), kind: ExprKind::Aggregate(agg) });
            }
            _ => {
                let may_distinct =
                    matches!(func, AggFunc::Avg | AggFunc::Min | AggFunc::Max | AggFunc::Sum | AggFunc::StCollect);
                agg.distinct = may_distinct && self.accept_distinct();
                self.accept_kw(Kw::ALL);
                agg.args = std::slice::from_ref(self.expr_ref()?);
            }
        }
        self.expect(Tk::RParen)?;
        self.height += 1;
        if self.accept_kw(Kw::OVER) {
            agg.over = Some(self.window_ref()?);
        }
        let agg = self.alloc(agg);
        Ok(Expr { span: self.span_from(start), kind: ExprKind::Aggregate(agg) })
    }

    /// `expr [, n [, default]]`
    fn lead_args(&mut self) -> PResult<&'a [Expr<'a>]> {
        let mut args = self.list();
        args.push(self.expr()?);
        if self.accept(Tk::Comma) {
            args.push(self.stable_integer()?);
            if self.accept(Tk::Comma) {
                args.push(self.expr()?);
            }
        }
        Ok(args.into_bump_slice())
    }

    /// An unsigned integer, a parameter, a user variable or a stored program's.
    fn stable_integer(&mut self) -> PResult<Expr<'a>> {
        if self.is(Tk::At) {
            let start = self.cur.start;
            let name = self.user_var_name()?;
            return Ok(Expr { span: self.span_from(start), kind: ExprKind::UserVar(name) });
        }
        if matches!(self.cur.kind, Tk::Hex | Tk::Bit) {
            return self.fail();
        }
        let t = self.cur;
        if self.is_ident() && !self.in_program {
            let name = Span::new(t.start, t.end);
            self.later.get_or_insert(Fail::Other(ErrorCode::SP_UNDECLARED_VAR, name));
        }
        self.limit_value()
    }

    pub(super) fn window_func(&mut self, func: WindowFn) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let args = match func {
            WindowFn::RowNumber | WindowFn::Rank | WindowFn::DenseRank | WindowFn::PercentRank | WindowFn::CumeDist => {
                &[]
            }
            WindowFn::FirstValue | WindowFn::LastValue => std::slice::from_ref(self.expr_ref()?),
            WindowFn::Ntile => {
                let n = self.stable_integer()?;
                std::slice::from_ref(self.alloc(n))
            }
            WindowFn::NthValue => {
                let first = self.expr()?;
                self.expect(Tk::Comma)?;
                self.arena.alloc_slice_copy(&[first, self.prefixed()?])
            }
            WindowFn::Lead | WindowFn::Lag => self.lead_args()?,
        };
        self.expect(Tk::RParen)?;
        let mut from_last = false;
        if func == WindowFn::NthValue && self.accept_kw(Kw::FROM) {
            from_last = self.accept_kw(Kw::LAST);
            if !from_last {
                self.expect_kw(Kw::FIRST)?;
            }
        }
        let ignore_nulls = self.accept_kws(&[Kw::IGNORE, Kw::NULLS]);
        if !ignore_nulls {
            self.accept_kws(&[Kw::RESPECT, Kw::NULLS]);
        }
        self.expect_kw(Kw::OVER)?;
        let over = self.window_ref()?;
        self.height += 1;
        let f = self.alloc(WindowFunc { func, args, from_last, ignore_nulls, over });
        Ok(Expr { span: self.span_from(start), kind: ExprKind::WindowFunc(f) })
    }
}
