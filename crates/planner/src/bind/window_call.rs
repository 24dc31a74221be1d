//! Calls of window functions: where they may stand, arguments, result types.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, WindowFn};
use value::{Level, SqlType, Warning};

use super::expr::{convert_branch, member_text};
use super::window::BoundCall;
use super::{Binder, unsupported};
use crate::expr::{AggCall, AggFunc, Coercibility, Expr, ExprKind};
use crate::types;
use crate::window::WindowFunc;

impl<'a> Binder<'a, '_> {
    /// 3593 or 3595 where a window function may not stand.
    fn check_window_place(&mut self, name: &str) -> SqlResult<()> {
        let invalid = || Err(SqlError::new(ErrorCode::WINDOW_INVALID_WINDOW_FUNC_USE, &[&name]));
        let Some(scope) = self.scopes.last() else { return invalid() };
        if let Some(w) = &scope.in_spec {
            return Err(SqlError::new(ErrorCode::WINDOW_NESTED_WINDOW_FUNC_USE_IN_WINDOW_SPEC, &[w]));
        }
        if scope.win_ok && !scope.in_agg { Ok(()) } else { invalid() }
    }

    /// Binds arguments, in which no other window function may stand.
    fn window_args(&mut self, args: &[ast::Expr<'a>]) -> SqlResult<Vec<Expr>> {
        let was = std::mem::replace(&mut self.scope()?.win_ok, false);
        let bound = args.iter().map(|e| self.scalar(e)).collect::<SqlResult<Vec<_>>>();
        self.scope()?.win_ok = was;
        bound
    }

    fn push_call(&mut self, mut c: BoundCall, coer: Coercibility) -> SqlResult<Expr> {
        // it is read from a temporary table
        c.ty = types::stored(&c.ty);
        let ty = c.ty.clone();
        let calls = &mut self.scope()?.wins;
        calls.push(c);
        let n = u16::try_from(calls.len() - 1).map_err(|_| SqlError::unsupported("so many window functions"))?;
        Ok(Expr { kind: ExprKind::Win(n), ty, coer })
    }

    /// A window function that is not an aggregate.
    pub(super) fn window_function(&mut self, w: &ast::WindowFunc<'a>) -> SqlResult<Expr> {
        let func = match w.func {
            WindowFn::RowNumber => WindowFunc::RowNumber,
            WindowFn::Rank => WindowFunc::Rank,
            WindowFn::DenseRank => WindowFunc::DenseRank,
            WindowFn::PercentRank => WindowFunc::PercentRank,
            WindowFn::CumeDist => WindowFunc::CumeDist,
            WindowFn::Ntile => WindowFunc::Ntile,
            WindowFn::Lead => WindowFunc::Lead(true),
            WindowFn::Lag => WindowFunc::Lead(false),
            WindowFn::FirstValue => WindowFunc::FirstValue,
            WindowFn::LastValue => WindowFunc::LastValue,
            WindowFn::NthValue => WindowFunc::NthValue,
        };
        self.check_window_place(func.name())?;
        if w.from_last {
            return unsupported("FROM LAST");
        }
        if w.ignore_nulls {
            return unsupported("IGNORE NULLS");
        }
        let mut args = self.window_args(w.args)?;
        let window = self.window_of(&w.over)?;
        let number = match func {
            WindowFunc::Ntile => args.first(),
            WindowFunc::NthValue | WindowFunc::Lead(_) => args.get(1),
            _ => None,
        };
        if let Some(n) = number {
            self.derive_rows(n);
        }
        if let Some(n) = number
            && !(n.is_const() || matches!(n.kind, ExprKind::UserVar(_)))
        {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&func.name()]));
        }
        let mut coer = Coercibility::Numeric;
        let ty = match func {
            WindowFunc::PercentRank | WindowFunc::CumeDist => SqlType::double().nullable(false),
            WindowFunc::Ntile => types::row_count(),
            WindowFunc::Lead(_) => {
                let offset = args.get(1).cloned();
                let mut values: Vec<Expr> =
                    args.into_iter().enumerate().filter(|(i, _)| *i != 1).map(|a| a.1).collect();
                self.derive(&mut values.iter_mut().collect::<Vec<_>>());
                let refs: Vec<&Expr> = values.iter().collect();
                let (ty, c) = types::unify(&refs, &self.tcx, func.name())?;
                coer = c;
                if values.len() > 1 || ty.kind.is_string() {
                    values = values.into_iter().map(|e| convert_branch(e, &ty)).collect();
                }
                let mut values = values.into_iter();
                args = Vec::with_capacity(3);
                args.extend(values.next());
                args.push(offset.unwrap_or_else(|| Expr::int(1)));
                args.extend(values.next());
                // with a default there is a value beyond the partition's ends too
                let never_null = args.len() > 2 && [args.first(), args.get(2)].iter().flatten().all(|a| !a.ty.nullable);
                ty.nullable(!never_null).settled()
            }
            WindowFunc::FirstValue | WindowFunc::LastValue | WindowFunc::NthValue => {
                if let Some(first) = args.first_mut() {
                    *first = member_text(std::mem::replace(first, Expr::null()));
                }
                let first = args.first().cloned().unwrap_or_else(Expr::null);
                coer = first.coer;
                first.ty.nullable(true).settled()
            }
            _ => types::row_count(),
        };
        let ignores = !matches!(func, WindowFunc::FirstValue | WindowFunc::LastValue | WindowFunc::NthValue);
        if ignores && let Some(w) = self.scope()?.windows.get(window).filter(|w| w.frame.is_some()) {
            let e = SqlError::new(ErrorCode::WINDOW_FUNCTION_IGNORES_FRAME, &[&func.name(), &w.name]);
            let note = Warning { level: Level::Note, code: e.code(), message: e.message().to_owned() };
            self.draft.notes.warnings.push(note);
        }
        self.push_call(BoundCall { func, args, window, ty }, coer)
    }

    /// An aggregate with OVER.
    pub(super) fn window_aggregate(
        &mut self,
        g: &ast::Aggregate<'a>,
        func: AggFunc,
        over: &ast::WindowRef<'a>,
    ) -> SqlResult<Expr> {
        self.check_window_place(func.name())?;
        if g.distinct {
            return unsupported("<window function>(DISTINCT ..)");
        }
        if func == AggFunc::GroupConcat {
            return unsupported("group_concat as window function");
        }
        let was = std::mem::replace(&mut self.scope()?.win_ok, false);
        let bound = self.agg_args(g);
        self.scope()?.win_ok = was;
        let (args, _) = bound?;
        let args = self.narrow_args(func, args);
        let window = self.window_of(over)?;
        let (ty, coer) = self.agg_type(func, &args)?;
        let ty = ty.settled();
        let call = AggCall {
            func,
            distinct: false,
            args: args.clone().into(),
            order: Box::default(),
            separator: Box::default(),
            ty: ty.clone(),
        };
        self.push_call(BoundCall { func: WindowFunc::Aggregate(Box::new(call)), args, window, ty }, coer)
    }
}
