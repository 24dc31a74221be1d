//! Aggregates (DISTINCT, GROUP_CONCAT's ORDER BY and SEPARATOR, OVER) and window functions.

use super::{PResult, Parser};
use crate::ast::{AggFunc, Aggregate, Expr, ExprKind, WindowFn, WindowFunc};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    pub(super) fn aggregate(&mut self, func: AggFunc) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let mut agg = Aggregate { func, distinct: false, args: &[], order_by: &[], separator: None, over: None };
        match func {
            AggFunc::Count if self.accept(Tk::Star) => {}
            AggFunc::Count if self.accept_kws(&[Kw::ALL]) && self.accept(Tk::Star) => {}
            AggFunc::Count if self.accept_kw(Kw::DISTINCT) => {
                agg.distinct = true;
                agg.args = self.expr_list()?;
            }
            AggFunc::GroupConcat => {
                agg.distinct = self.accept_kw(Kw::DISTINCT);
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
            _ => {
                let may_distinct =
                    matches!(func, AggFunc::Avg | AggFunc::Min | AggFunc::Max | AggFunc::Sum | AggFunc::StCollect);
                agg.distinct = may_distinct && self.accept_kw(Kw::DISTINCT);
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

    pub(super) fn window_func(&mut self, func: WindowFn) -> PResult<Expr<'a>> {
        let start = self.cur.start;
        self.advance();
        self.expect(Tk::LParen)?;
        let args = match func {
            WindowFn::RowNumber | WindowFn::Rank | WindowFn::DenseRank | WindowFn::PercentRank | WindowFn::CumeDist => {
                &[]
            }
            WindowFn::Ntile | WindowFn::FirstValue | WindowFn::LastValue => std::slice::from_ref(self.expr_ref()?),
            _ => self.expr_list()?,
        };
        let most = if matches!(func, WindowFn::Lead | WindowFn::Lag) { 3 } else { 2 };
        if args.len() > most || (func == WindowFn::NthValue && args.len() != 2) {
            return self.fail();
        }
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
