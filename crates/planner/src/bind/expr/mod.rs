//! Binding of expressions: the dispatch over the syntax tree; one file per family below.

mod aggregate;
pub(crate) use aggregate::Below;
mod cast;
mod column;
mod compare;
mod control;
mod derive;
mod early;
pub(crate) mod fulltext;
pub(super) mod hex_number;
mod literal;
mod operator;
mod subquery;
pub(in crate::bind) mod temporal_text;
mod variable;
mod wide;
mod year;

pub(crate) use compare::cmp_op;
pub(crate) use control::{convert_branch, json_number, member_text, result_branch};
pub(crate) use literal::own_digits;
pub use literal::temporal_literal;

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind as A, IsTest};
use value::{CollationId, SqlType, TypeKind};

use super::{Binder, uncalled};
use crate::expr::{Coercibility, Expr, ExprKind, SubqueryUse};
use crate::func::FuncId;
use crate::types;

/// Deepest nesting the recursive walkers bear.
const MAX_DEPTH: u32 = 400;

pub(in crate::bind) fn boolean(kind: ExprKind, nullable: bool) -> Expr {
    let mut ty = types::longlong(1);
    ty.nullable = nullable;
    Expr { kind, ty, coer: Coercibility::Numeric }
}

/// Charset by name, or error 1115.
pub(crate) fn charset(name: &str) -> SqlResult<value::Charset> {
    value::Charset::by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&name]))
}

impl<'a> Binder<'a, '_> {
    /// Binds an expression. Rows come back as [`ExprKind::Row`].
    pub(crate) fn expr(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        self.st.depth += 1;
        if self.st.depth > MAX_DEPTH {
            return Err(sched::stack::overrun());
        }
        let r = self.expr_inner(e);
        self.st.depth -= 1;
        let r = r?;
        let r = self.adapt(r)?;
        Ok(temporal_text::adapt(hex_number::adapt(r)))
    }

    /// Binds an expression that must be a single value (1241 for rows).
    pub(crate) fn scalar(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        let b = self.expr(e)?;
        if matches!(b.kind, ExprKind::Row(_)) {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
        }
        Ok(b)
    }

    fn expr_inner(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        match e.kind {
            A::Paren(inner) => self.expr(inner),
            A::Odbc { expr, .. } => self.expr(expr),
            A::Literal(l) => self.literal(l),
            A::Column(c) => self.column(c),
            A::Param(i) => Ok(self.parameter(i)),
            A::Local(l) => self.local(l),
            A::UserVar(name) => Ok(self.user_variable(name)),
            A::AssignUserVar { name, value } => self.assign_user_variable(name, value),
            A::SysVar(v) => self.system_variable(v),
            A::Unary { op, expr } => self.unary(op, expr),
            A::Binary { op, left, right } => self.binary(op, left, right),
            A::And(list) => self.logic(list, true),
            A::Or(list) => self.logic(list, false),
            A::Is { expr, test, negated } => self.is_test(expr, test, negated),
            A::Between { expr, low, high, negated } => {
                let (x, lo, hi) = (self.scalar(expr)?, self.scalar(low)?, self.scalar(high)?);
                self.between(x, lo, hi, negated)
            }
            A::InList { expr, list, negated } => self.in_list(expr, list, negated),
            A::InSubquery { expr, query, negated } => self.in_subquery(expr, query, negated),
            A::Exists(query) => self.exists(query),
            A::Subquery(query) => self.subquery_value(query),
            A::Quantified { op, all, left, query } => self.quantified(op, all, left, query),
            A::Row(list) => self.row(list),
            A::Like { expr, pattern, escape, negated } => self.like(expr, pattern, escape, negated),
            A::Regexp { expr, pattern, negated } => self.regexp(expr, pattern, negated),
            A::Case(c) => self.case(c),
            A::Cast(c) => self.cast(c),
            A::ConvertUsing { expr, charset } => self.convert_using(expr, charset),
            A::Collate { expr, collation } => self.collate(expr, collation),
            A::Extract { unit: u, expr } => {
                let x = self.scalar(expr)?;
                self.call(FuncId::Extract(u), vec![x])
            }
            A::Trim { side, remove, expr } => self.trim(side, remove, expr),
            A::DateArith { expr, value, unit: u, subtract } => {
                let args = vec![self.scalar(expr)?, self.scalar(value)?];
                let f = if subtract { FuncId::DateSub(u) } else { FuncId::DateAdd(u) };
                self.call(f, args)
            }
            A::TimestampAdd { unit: u, value, expr } => {
                let args = vec![self.scalar(expr)?, self.scalar(value)?];
                self.call(FuncId::TimestampAdd(u), args)
            }
            A::TimestampDiff { unit: u, from, to } => {
                let args = vec![self.scalar(from)?, self.scalar(to)?];
                self.call(FuncId::TimestampDiff(u), args)
            }
            A::Char { args, charset } => self.char_function(args, charset),
            A::WeightString { expr, raw: Some(raw), .. } => self.raw_weight_string(expr, *raw),
            A::WeightString { expr, cast, .. } => self.weight_string(expr, cast),
            A::Values(c) => self.inserted_value(c),
            A::Default(None) => Ok(Expr { kind: ExprKind::DefaultValue, ..Expr::null() }),
            A::Default(Some(c)) => self.default_of(c),
            A::Func(f) => self.function_at(f, e.span),
            A::Aggregate(g) => self.aggregate(g),
            A::WindowFunc(w) => self.window_function(w),
            A::GetFormat { kind, format } => {
                let region = self.scalar(format)?;
                self.call(crate::func::get_format(kind), vec![region])
            }
            A::Match { columns, against, mode } => self.match_against(columns, against, mode),
            A::MemberOf { expr, array } => self.member_of(expr, array),
            A::JsonValue(v) => self.json_value(v),
            A::JsonArrow { document, path, unquote } => self.json_arrow(document, path, unquote),
        }
    }

    /// `?`, or a literal that became a parameter.
    fn parameter(&self, i: u32) -> Expr {
        let ty = self.param_types.get(i as usize).cloned().unwrap_or(SqlType::new(TypeKind::Null));
        let coer = if ty.kind.is_string() { Coercibility::Coercible } else { Coercibility::Ignorable };
        Expr { kind: ExprKind::Param(i), ty, coer }
    }

    /// IS NULL, IS TRUE, IS FALSE, IS UNKNOWN and their negations.
    fn is_test(&mut self, expr: &ast::Expr<'a>, test: IsTest, negated: bool) -> SqlResult<Expr> {
        let mut x = self.scalar(expr)?;
        if matches!(test, IsTest::True | IsTest::False) {
            self.derive_truth(&mut x);
            self.warn_json_condition(&x);
        }
        Ok(match test {
            IsTest::Null | IsTest::Unknown => uncalled::is_null(x, negated),
            IsTest::True => boolean(ExprKind::IsTruth(Box::new(x), true, negated), false),
            IsTest::False => boolean(ExprKind::IsTruth(Box::new(x), false, negated), false),
        })
    }

    /// `(a, b, ...)`.
    fn row(&mut self, list: &[ast::Expr<'a>]) -> SqlResult<Expr> {
        let items = list.iter().map(|x| self.expr(x)).collect::<SqlResult<Vec<_>>>()?;
        Ok(boolean(ExprKind::Row(items.into()), true))
    }

    /// `x REGEXP pattern`.
    fn regexp(&mut self, expr: &ast::Expr<'a>, pattern: &ast::Expr<'a>, negated: bool) -> SqlResult<Expr> {
        let args = vec![self.scalar(expr)?, self.scalar(pattern)?];
        let c = self.call(FuncId::Rlike, args)?;
        Ok(if negated { boolean(ExprKind::Not(Box::new(c)), true) } else { c })
    }

    /// CONVERT(x USING charset).
    fn convert_using(&mut self, expr: &ast::Expr<'a>, name: &str) -> SqlResult<Expr> {
        let x = self.scalar(expr)?;
        let collation =
            if name.eq_ignore_ascii_case("binary") { CollationId::BINARY } else { charset(name)?.default_collation() };
        let chars = self.room(&x, types::chars_in(&x.ty, collation));
        let ty = types::string_type(chars, collation).nullable(true);
        Ok(Expr { kind: ExprKind::Cast(Box::new(x)), ty, coer: Coercibility::Implicit })
    }

    /// `x COLLATE collation`.
    fn collate(&mut self, expr: &ast::Expr<'a>, collation: &str) -> SqlResult<Expr> {
        let x = super::json::json_as_text(self.scalar(expr)?);
        let id = value::collation::by_name(collation)
            .ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&collation]))?
            .id;
        if x.ty.kind.is_string() && x.ty.charset() != id.charset() {
            return Err(SqlError::new(ErrorCode::COLLATION_CHARSET_MISMATCH, &[&collation, &x.ty.charset().name()]));
        }
        let mut ty = x.ty.clone();
        if !ty.kind.is_string() {
            ty = types::string_type(types::text_chars(&x.ty), id).nullable(x.ty.nullable);
        }
        ty.collation = id;
        let kind = ExprKind::Call(FuncId::Collate, Box::new([x]));
        Ok(Expr { kind, ty, coer: Coercibility::Explicit })
    }

    /// TRIM with its sides.
    fn trim(&mut self, side: ast::TrimSide, remove: Option<&ast::Expr<'a>>, expr: &ast::Expr<'a>) -> SqlResult<Expr> {
        let f = match side {
            ast::TrimSide::Both => FuncId::TrimBoth,
            ast::TrimSide::Leading => FuncId::TrimLeading,
            ast::TrimSide::Trailing => FuncId::TrimTrailing,
        };
        let mut args = vec![self.scalar(expr)?];
        if let Some(r) = remove {
            args.push(self.scalar(r)?);
        }
        self.call(f, args)
    }

    /// CHAR(codes USING charset).
    fn char_function(&mut self, args: &[ast::Expr<'a>], name: Option<&str>) -> SqlResult<Expr> {
        let args = args.iter().map(|x| self.numeric_operand(x)).collect::<SqlResult<Vec<_>>>()?;
        let mut c = self.call(FuncId::Char, args)?;
        if let Some(n) = name
            && !n.eq_ignore_ascii_case("binary")
        {
            let cs = charset(n)?;
            c.ty = types::string_type(c.ty.length as u64, cs.default_collation()).nullable(true);
        }
        Ok(c)
    }

    /// EXISTS (query).
    fn exists(&mut self, query: &ast::QueryExpr<'a>) -> SqlResult<Expr> {
        self.st.exists = true;
        let bound = self.members(query);
        self.st.exists = false;
        Ok(boolean(ExprKind::Subquery(bound?.0, SubqueryUse::Exists), false))
    }

    /// A subquery that is a value (1241 for several columns).
    pub(in crate::bind) fn subquery_value(&mut self, query: &ast::QueryExpr<'a>) -> SqlResult<Expr> {
        let (id, types) = self.scalar_subquery(query)?;
        let [one] = types.as_slice() else {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
        };
        let ty = subquery::value_type(query, one.clone());
        let coer = self.output_coercibility(id, 0);
        Ok(Expr { kind: ExprKind::Subquery(id, SubqueryUse::Scalar), ty, coer })
    }
}
