//! Comparisons: what makes two operands comparable, BETWEEN, IN.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, BinaryOp};
use value::compare::{Comparator, ComparisonKind, Constant};
use value::{CollationId, SqlType, TypeKind};

use super::super::Binder;
use super::super::scope::Clause;
use super::*;
use crate::expr::{
    CmpOp, Coercibility, DATE_CONSTANT, DATETIME_CONSTANT, Expr, ExprKind, LISTED_DATE, LISTED_DATETIME, SubqueryUse,
    TIMESTAMP_CONSTANT,
};
use crate::types;

/// The planner's comparison operator for a comparison of the syntax tree.
pub(crate) fn cmp_op(op: BinaryOp) -> Option<CmpOp> {
    Some(match op {
        BinaryOp::Eq => CmpOp::Eq,
        BinaryOp::NullSafeEq => CmpOp::NullSafeEq,
        BinaryOp::Ne => CmpOp::Ne,
        BinaryOp::Lt => CmpOp::Lt,
        BinaryOp::Le => CmpOp::Le,
        BinaryOp::Gt => CmpOp::Gt,
        BinaryOp::Ge => CmpOp::Ge,
        _ => return None,
    })
}

/// Characters that a parameter is given room for where its type converts it (any statement's text is shorter).
pub(super) const LIFTED_CHARS: u64 = 1 << 28;

/// A text's type in a comparison of bytes.
fn as_bytes(t: &mut SqlType) {
    if t.kind.is_string() {
        t.collation = CollationId::BINARY;
        if !t.kind.is_binary_string() {
            t.kind = TypeKind::VarBinary;
        }
    }
}

impl<'a> Binder<'a, '_> {
    /// Room for the text of a value that takes so many characters (or bytes) now: a lifted literal in it may be longer the next time.
    pub(super) fn room(&self, e: &Expr, now: u64) -> u64 {
        if !self.pinning && e.has_param() { LIFTED_CHARS } else { now }
    }

    /// Makes two operands comparable: converts character sets, constants to temporal values; chooses the comparator.
    pub(crate) fn comparable(&mut self, l: Expr, r: Expr, what: &str) -> SqlResult<(Expr, Expr, Comparator)> {
        self.comparable_as(l, r, what, None)
    }

    /// Collation in which all operands of BETWEEN, IN or CASE are compared, if all are text or the literal NULL.
    pub(super) fn common_collation(&self, all: &[&Expr], what: &str) -> SqlResult<Option<CollationId>> {
        if all.len() < 3 || !all.iter().all(|e| is_text(&e.ty) || e.ty.kind == TypeKind::Null) {
            return Ok(None);
        }
        types::mix_collations(all, &self.tcx, what).map(|(c, _)| Some(c))
    }

    /// [`Self::comparable`] with the collation given, if it is decided by more operands than these.
    pub(super) fn comparable_as(
        &mut self,
        l: Expr,
        r: Expr,
        what: &str,
        common: Option<CollationId>,
    ) -> SqlResult<(Expr, Expr, Comparator)> {
        let (mut l, mut r) = (l, r);
        if matches!(l.kind, ExprKind::Row(_)) || matches!(r.kind, ExprKind::Row(_)) {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
        }
        self.derive(&mut [&mut l, &mut r]);
        super::hex_number::beside_numbers(&mut [&mut l, &mut r]);
        if !matches!(what, " IN " | "case" | "between") {
            (l, r) = self.time_beside_text(l, r);
            l = self.time_beside_time(l, &r);
            r = self.time_beside_time(r, &l);
        }
        let (mut lt, mut rt) = (l.ty.clone(), r.ty.clone());
        if is_text(&l.ty) && is_text(&r.ty) {
            let c = match common {
                Some(c) => c,
                None => types::mix_collations(&[&l, &r], &self.tcx, what)?.0,
            };
            l = self.as_text_of(l, c);
            r = self.as_text_of(r, c);
            lt = l.ty.clone();
            rt = r.ty.clone();
            if c != CollationId::BINARY && lt.collation != CollationId::BINARY && rt.collation != CollationId::BINARY {
                lt.collation = c;
                rt.collation = c;
            } else {
                [&mut lt, &mut rt].into_iter().for_each(as_bytes);
            }
        } else {
            // a parameter is compared as it is
            let sent = |e: &Expr| self.is_sent(e);
            if !sent(&l) && !sent(&r) && !matches!(what, " IN " | "case") {
                // BETWEEN looks at its first operand only
                if what != "between" {
                    l = super::year::year_constant(l, &r);
                }
                r = super::year::year_constant(r, &l);
            }
            l = super::year::year_beside_date(l, &r);
            r = super::year::year_beside_date(r, &l);
            // a text sent beside a date that was sent is no constant
            if !self.is_sent(&l) {
                l = temporal_constant(l, &rt, what);
            }
            if !self.is_sent(&r) {
                r = temporal_constant(r, &lt, what);
            }
            lt = l.ty.clone();
            rt = r.ty.clone();
        }
        let mut cmp = Comparator::new(&lt, &rt)?;
        let exact = |n: &Expr, x: &Expr| {
            n.ty.kind == TypeKind::Decimal && !n.is_const() && x.ty.kind.is_string() && x.is_const() && !self.is_sent(x)
        };
        if !matches!(what, " IN " | "case" | "between") && (exact(&l, &r) || exact(&r, &l)) {
            cmp = Comparator::with_kind(ComparisonKind::Decimal, &lt, &rt);
        }
        // lists and CASE know no nearness
        if matches!(what, " IN " | "case") {
            cmp.within = 0.0;
        }
        let cmp = self.beside_constant(cmp, (&l, &r), (&lt, &rt), what);
        Ok((l, r, cmp))
    }

    /// What a comparison of a column and a constant has more: the constant is converted for the column once.
    fn beside_constant(
        &self,
        mut cmp: Comparator,
        (l, r): (&Expr, &Expr),
        (lt, rt): (&SqlType, &SqlType),
        what: &str,
    ) -> Comparator {
        let column = |e: &Expr| matches!(e.kind, ExprKind::Column { .. });
        let literal = |e: &Expr| matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_)) && e.ty.kind.is_string();
        let integer = |e: &Expr| column(e) && e.ty.kind.is_integer();
        if what != "case" && (integer(l) && literal(r) || literal(l) && integer(r)) {
            let folded = matches!(self.clause(), Clause::Where | Clause::On | Clause::Having);
            cmp.constant = if folded { Constant::Integer } else { Constant::InRange };
        } else if !matches!(what, " IN " | "case") && (is_stored_time(l, r) || is_stored_time(r, l)) {
            let (column, c) = if is_text(&l.ty) { (r, lt.collation) } else { (l, rt.collation) };
            cmp.constant = Constant::Time(c, self.plain_name(column).into());
        } else if what != "case" && (is_stored_date(l, r) || is_stored_date(r, l)) {
            cmp = Comparator::with_kind(ComparisonKind::DateTime, lt, rt);
            let column = if l.ty.kind.has_date() { l } else { r };
            let named = what != " IN ";
            cmp.constant = Constant::Date(if named { self.plain_name(column).into() } else { Box::default() });
        }
        cmp
    }

    /// A column's name alone, as warnings about a constant beside it show it.
    pub(super) fn plain_name(&self, e: &Expr) -> String {
        let ExprKind::Column { slot, column } = e.kind else { return String::new() };
        if let Some(crate::plan::SlotDef::Table(t)) = self.draft.slots.get(slot as usize)
            && let Some(c) = self.draft.tables.get(*t as usize).and_then(|t| t.def.columns.get(column as usize))
        {
            return c.name.clone();
        }
        let tables = self.scopes.iter().rev().flat_map(|s| &s.tables);
        let derived = tables.filter(|t| t.slot == slot).find_map(|t| t.columns.get(column as usize));
        derived.map_or_else(String::new, |c| c.name.to_string())
    }

    /// A TIME and text are compared as texts, unless the time is a column and the text a constant, which is stored into it first.
    fn time_beside_text(&self, l: Expr, r: Expr) -> (Expr, Expr) {
        let texts = |t: &Expr, x: &Expr| t.ty.kind == TypeKind::Time && is_text(&x.ty) && !is_stored_time(t, x);
        match (texts(&l, &r), texts(&r, &l)) {
            (true, _) => (self.time_text(l, &r.ty), r),
            (_, true) => {
                let r = self.time_text(r, &l.ty);
                (l, r)
            }
            _ => (l, r),
        }
    }

    /// A constant date beside a TIME column is stored into it, which keeps its time of day. (NOW() and the like are no constants there.)
    fn time_beside_time(&self, e: Expr, column: &Expr) -> Expr {
        let time = column.ty.kind == TypeKind::Time && matches!(column.kind, ExprKind::Column { .. });
        let pure = |e: &Expr| !e.any(&mut |x| matches!(&x.kind, ExprKind::Call(f, _) if !f.is_pure()));
        let sent = !self.param_types.is_empty() && e.has_param();
        if !time || !e.ty.kind.has_date() || !e.is_const() || sent || !pure(&e) {
            return e;
        }
        let ty = SqlType::temporal(TypeKind::Time, column.ty.decimals).nullable(true);
        Expr { coer: e.coer, ty, kind: ExprKind::Cast(Box::new(e)) }
    }

    /// A TIME as the text it is shown as, to be compared with text of a type.
    fn time_text(&self, e: Expr, beside: &SqlType) -> Expr {
        if e.ty.kind != TypeKind::Time {
            return e;
        }
        let binary = beside.collation == CollationId::BINARY;
        let c = if binary { self.tcx.connection } else { beside.collation };
        let ty = types::string_type(TIME_CHARS, c).nullable(e.ty.nullable);
        Expr { kind: ExprKind::Cast(Box::new(e)), ty, coer: Coercibility::Numeric }
    }

    /// The operands of BETWEEN of which one is a TIME, one text and none a date or a number. Beside a TIME column constants are stored into it, else all
    /// three are texts.
    fn times_between(&self, args: [Expr; 3]) -> [Expr; 3] {
        let fits = |e: &Expr| is_text(&e.ty) || matches!(e.ty.kind, TypeKind::Time | TypeKind::Null);
        let [x, lo, hi] = &args;
        let text = args.iter().find(|e| is_text(&e.ty)).map(|e| e.ty.clone());
        let column = x.ty.kind == TypeKind::Time && matches!(x.kind, ExprKind::Column { .. });
        let stored = column && [lo, hi].iter().any(|o| is_stored_time(x, o));
        match text {
            Some(t) if !stored && args.iter().all(fits) => args.map(|e| self.time_text(e, &t)),
            _ => args,
        }
    }

    /// Converts a string to the character set of a collation if it is of another. Of a constant nothing may be lost (3854): a comparison with
    /// question marks would find what is not meant. Bytes must be text of it (3854).
    pub(crate) fn in_charset(&self, e: Expr, c: CollationId) -> Expr {
        let member = e.ty.is_character() && matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set);
        if member || may_lose(&e, c) || is_forced(&e, c) || e.ty.kind.is_binary_string() && !self.is_sent(&e) {
            self.in_main(e, c)
        } else {
            self.in_charset_or_marks(e, c)
        }
    }

    /// A parameter of a prepared statement, not a literal that is kept apart from the plan.
    pub(in crate::bind) fn is_sent(&self, e: &Expr) -> bool {
        !self.param_types.is_empty() && matches!(e.kind, ExprKind::Param(_))
    }

    /// A TIME that is sent for a parameter and equal to a column of fewer digits by a condition of WHERE is rounded to them; any other comparison takes
    /// it as it is.
    pub(in crate::bind) fn store_times(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::And(list) | ExprKind::Or(list) => list.iter_mut().for_each(|x| self.store_times(x)),
            ExprKind::Compare { op: CmpOp::Eq, args, .. } => {
                let [l, r] = &mut **args;
                self.store_time(l, r);
                self.store_time(r, l);
            }
            _ => {}
        }
    }

    fn store_time(&self, column: &Expr, value: &mut Expr) {
        let times = column.ty.kind == TypeKind::Time && value.ty.kind == TypeKind::Time;
        let fewer = column.ty.decimals < value.ty.decimals && matches!(column.kind, ExprKind::Column { .. });
        if times && fewer && self.is_sent(value) {
            let ty = SqlType::temporal(TypeKind::Time, column.ty.decimals).nullable(true);
            let coer = value.coer;
            let sent = std::mem::replace(value, Expr::null());
            *value = Expr { kind: ExprKind::Cast(Box::new(sent)), ty, coer };
        }
    }

    /// The same with question marks for what the character set lacks.
    pub(crate) fn in_charset_or_marks(&self, e: Expr, c: CollationId) -> Expr {
        let text = e.ty.is_character() && e.ty.kind.is_string();
        if text { self.converted(e, c, |e| ExprKind::Cast(Box::new(e))) } else { e }
    }

    /// Converts a string to the character set of the one that it goes into or is looked for in; bytes must be text of it (3854).
    pub(crate) fn in_main(&self, e: Expr, c: CollationId) -> Expr {
        let string = is_text(&e.ty) || e.ty.kind == TypeKind::Bit;
        if string { self.converted(e, c, |e| ExprKind::Call(FuncId::InCharset, Box::new([e]))) } else { e }
    }

    /// A string in the character set of a collation: as it is if it is of that set, else what `conversion` makes of it.
    fn converted(&self, e: Expr, c: CollationId, conversion: impl FnOnce(Expr) -> ExprKind) -> Expr {
        if c == CollationId::BINARY || e.ty.charset() == c.charset() {
            return e;
        }
        let e = self.before_widening(e);
        if e.ty.charset() == c.charset() {
            return Expr { ty: SqlType { collation: c, ..e.ty.clone() }, ..e };
        }
        let ty = types::string_type(self.room(&e, types::text_chars(&e.ty)), c).nullable(e.ty.nullable);
        Expr { coer: e.coer, ty, kind: conversion(e) }
    }

    /// A literal as it was before it became one of `collation_connection` (ucs2 may have lost characters: it stays).
    fn before_widening(&self, e: Expr) -> Expr {
        match (e.kind, self.tcx.wide) {
            (ExprKind::Cast(inner), Some(wide))
                if e.ty.collation == wide
                    && wide.charset() != value::Charset::Ucs2
                    && e.coer == Coercibility::Coercible
                    && inner.ty.collation == self.tcx.connection
                    && matches!(inner.kind, ExprKind::Const(_) | ExprKind::Param(_)) =>
            {
                *inner
            }
            (kind, _) => Expr { kind, ..e },
        }
    }

    /// Converts a string to the character set of a collation; bytes must be text of it (those of a set with units of several bytes are filled up
    /// with zeros in front).
    pub(crate) fn as_text_of(&self, e: Expr, c: CollationId) -> Expr {
        self.text_of(e, c, FuncId::InCharset)
    }

    /// The same with bytes taken for text whatever they are.
    pub(crate) fn as_any_text_of(&self, e: Expr, c: CollationId) -> Expr {
        self.text_of(e, c, FuncId::Collate)
    }

    fn text_of(&self, e: Expr, c: CollationId, conversion: FuncId) -> Expr {
        if c == CollationId::BINARY || !e.ty.kind.is_binary_string() {
            return self.in_charset(e, c);
        }
        let ty = types::string_type(e.ty.max_bytes(), c).nullable(e.ty.nullable);
        let coer = e.coer;
        let kind = match e.kind {
            _ if c.charset().is_wide() => ExprKind::Cast(Box::new(e)),
            // a parameter's bytes are taken as they are
            kind @ ExprKind::Param(_) if !self.param_types.is_empty() => kind,
            // as it is, so that an index finds it
            ExprKind::Const(v) if v.as_value().stored_bytes().is_some_and(|s| c.charset().is_valid(s)) => {
                ExprKind::Const(v)
            }
            _ => ExprKind::Call(conversion, Box::new([e])),
        };
        Expr { kind, ty, coer }
    }

    /// Binds `l op r`, rows included.
    pub(crate) fn compare(&mut self, op: CmpOp, l: Expr, r: Expr) -> SqlResult<Expr> {
        let nullable = op != CmpOp::NullSafeEq && (l.ty.nullable || r.ty.nullable);
        match (l.kind, r.kind) {
            (ExprKind::Row(a), ExprKind::Row(b)) => {
                same_shape(&a, &b)?;
                let (mut left, mut right, mut cmp) = (Vec::new(), Vec::new(), Vec::new());
                // a row that a subquery does not have is not even one of NULLs
                for found in [&a, &b].into_iter().filter(|_| op == CmpOp::NullSafeEq).filter_map(|row| has_row(row)) {
                    let one = Expr::int(1);
                    cmp.push(Comparator::with_kind(ComparisonKind::Int, &one.ty, &found.ty));
                    left.push(one);
                    right.push(found);
                }
                let ordered = !matches!(op, CmpOp::Eq | CmpOp::Ne | CmpOp::NullSafeEq);
                for (x, y) in flat(a).into_iter().zip(flat(b)) {
                    if !ordered {
                        self.note_compared(&x, &y);
                    }
                    let (x, y, c) = self.comparable(x, y, op.symbol())?;
                    self.compared_early(&x, &y, &c);
                    left.push(x);
                    right.push(y);
                    cmp.push(c);
                }
                let (left, right, cmp) = (left.into(), right.into(), cmp.into());
                Ok(boolean(ExprKind::CompareRow { op, left, right, cmp }, nullable))
            }
            // the left operand says how many
            (_, ExprKind::Row(_)) => Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1])),
            (ExprKind::Row(a), _) => Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&a.len()])),
            (lk, rk) => {
                let l = Expr { kind: lk, ty: l.ty, coer: l.coer };
                let r = Expr { kind: rk, ty: r.ty, coer: r.coer };
                self.note_compared(&l, &r);
                let (l, r, cmp) = self.comparable(l, r, op.symbol())?;
                self.compared_early(&l, &r, &cmp);
                Ok(boolean(ExprKind::Compare { op, args: Box::new([l, r]), cmp: Box::new(cmp) }, nullable))
            }
        }
    }

    pub(super) fn between(&mut self, x: Expr, lo: Expr, hi: Expr, negated: bool) -> SqlResult<Expr> {
        let (mut x, mut lo, mut hi) = (x, lo, hi);
        self.derive(&mut [&mut x, &mut lo, &mut hi]);
        let nullable = x.ty.nullable || lo.ty.nullable || hi.ty.nullable;
        [x, lo, hi] = self.json_between([x, lo, hi]);
        if among_dates(&x, &lo, &hi) {
            let date = SqlType::temporal(TypeKind::DateTime, 6);
            let args = [x, lo, hi].map(|e| temporal_constant(e, &date, "between"));
            let [x, lo, hi] = &args;
            let cmp = [lo, hi].map(|o| Comparator::with_kind(ComparisonKind::DateTime, &x.ty, &o.ty));
            return Ok(boolean(ExprKind::Between { negated, args: Box::new(args), cmp: Box::new(cmp) }, nullable));
        }
        super::hex_number::beside_numbers(&mut [&mut x, &mut lo, &mut hi]);
        let args = self.times_between([x, lo, hi]);
        if let Some(cmp) = as_numbers(&args) {
            return Ok(boolean(ExprKind::Between { negated, args: Box::new(args), cmp: Box::new(cmp) }, nullable));
        }
        let [x, lo, hi] = args;
        let all = self.common_collation(&[&x, &lo, &hi], "between")?;
        let (x1, lo, c1) = self.comparable_as(x, lo, "between", all)?;
        let (x2, hi, c2) = self.comparable_as(x1, hi, "between", all)?;
        self.between_early(&x2, [&lo, &hi]);
        Ok(boolean(ExprKind::Between { negated, args: Box::new([x2, lo, hi]), cmp: Box::new([c1, c2]) }, nullable))
    }

    /// Warning 1235: JSON values are compared by no rules of their own here.
    pub(crate) fn warn_of_json(&mut self, place: &str) {
        self.warn(&SqlError::unsupported(format!("comparison of JSON in the {place}")));
    }

    /// BETWEEN has no comparison of JSON values: beside a number they are numbers, otherwise texts. Warning 1235.
    fn json_between(&mut self, args: [Expr; 3]) -> [Expr; 3] {
        let json = |e: &Expr| e.ty.kind == TypeKind::Json;
        if !args.iter().any(json) {
            return args;
        }
        self.warn_of_json("BETWEEN operator");
        let other = |e: &&Expr| !json(e) && (e.ty.kind.is_numeric() || e.ty.kind.is_temporal());
        let ty =
            args.iter().find(other).map_or_else(|| SqlType::varchar(1, CollationId::UTF8MB4_BIN), |e| e.ty.clone());
        args.map(|e| super::control::json_operand(e, &ty))
    }

    pub(super) fn in_list(&mut self, expr: &ast::Expr<'a>, list: &[ast::Expr<'a>], negated: bool) -> SqlResult<Expr> {
        let x = self.row_operand(expr)?;
        let (mut items, mut cmps, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        let mut nullable = x.ty.nullable;
        if let [one] = list {
            // `x IN (y)` is `x = y` (ISO SQL 2003, note 184)
            let numbers = x.ty.kind.is_numeric() && !matches!(x.kind, ExprKind::Row(_));
            let y = if numbers { self.numeric_operand(one)? } else { self.row_operand(one)? };
            let (x, y) = self.json_comparison(expr, one, x, y);
            return self.compare(if negated { CmpOp::Ne } else { CmpOp::Eq }, x, y);
        }
        let shape = match &x.kind {
            ExprKind::Row(l) => l.clone(),
            _ => Box::new([x.clone()]),
        };
        let mut left = flat(shape.clone());
        for e in list {
            let y = if left.len() == 1 && left.first().is_some_and(|l| l.ty.kind.is_numeric()) {
                self.numeric_operand(e)?
            } else {
                self.row_operand(e)?
            };
            nullable |= y.ty.nullable;
            bound.push(y);
        }
        if let [one] = left.as_mut_slice() {
            self.derive(&mut std::iter::once(one).chain(&mut bound).collect::<Vec<_>>());
        }
        let all: Vec<&Expr> = left.iter().chain(&bound).collect();
        let common = if left.len() == 1 { self.common_collation(&all, " IN ")? } else { None };
        if self.has_mixed_texts(&shape, &bound)? || has_mixed_constants(&left, &bound) {
            // each pair of rows has its own collation or conversion: the left row is compared as it is with each of them
            let pair = |y: Expr| {
                self.copied(&x)?;
                if matches!(x.kind, ExprKind::Row(_)) {
                    return self.compare(CmpOp::Eq, x.clone(), y);
                }
                // what is no date is the zero date here, no error
                let nullable = x.ty.nullable || y.ty.nullable;
                let (l, r, cmp) = self.comparable(x.clone(), y, " IN ")?;
                let kind = ExprKind::Compare { op: CmpOp::Eq, args: Box::new([l, r]), cmp: Box::new(cmp) };
                Ok(boolean(kind, nullable))
            };
            let rows = bound.into_iter().map(pair).collect::<SqlResult<_>>()?;
            let any = boolean(ExprKind::Or(rows), nullable);
            return Ok(if negated { boolean(ExprKind::Not(Box::new(any)), nullable) } else { any });
        }
        // a date among numbers and texts: with the numbers it is compared as a number
        let dated = matches!(left.as_slice(), [l] if l.ty.kind.has_date());
        let mixed = dated && bound.iter().any(|y| is_text(&y.ty)) && bound.iter().any(|y| y.ty.kind.is_numeric());
        for y in bound {
            let members = match y.kind {
                ExprKind::Row(m) => m,
                kind => Box::new([Expr { kind, ty: y.ty, coer: y.coer }]),
            };
            same_shape(&shape, &members)?;
            let members = flat(members);
            for (l, m) in left.iter_mut().zip(members) {
                self.note_compared(l, &m);
                let old = std::mem::replace(l, Expr::null());
                let (l2, m, mut c) = self.comparable_as(old, m, " IN ", common)?;
                if mixed && m.ty.kind.is_numeric() {
                    c = Comparator::with_kind(ComparisonKind::Decimal, &l2.ty, &m.ty);
                }
                *l = l2;
                items.push(m);
                cmps.push(c);
            }
        }
        self.listed_early(&left, &items, &cmps);
        let kind = ExprKind::InList { negated, left: left.into(), list: items.into(), cmp: cmps.into() };
        Ok(boolean(kind, nullable))
    }

    /// Whether a text of the left row of IN is not compared in the same collation with all rows of the list.
    fn has_mixed_texts(&self, left: &[Expr], list: &[Expr]) -> SqlResult<bool> {
        for (i, l) in left.iter().enumerate().filter(|(_, l)| left.len() > 1 && is_text(&l.ty)) {
            let mut first = None;
            for y in list {
                let ExprKind::Row(members) = &y.kind else { return Ok(false) };
                let Some(m) = members.get(i).filter(|m| is_text(&m.ty)) else { continue };
                let c = types::mix_collations(&[l, m], &self.tcx, " IN ")?.0;
                if *first.get_or_insert(c) != c {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Whether a constant is converted for some of what it is compared with and not for the rest: text to a date beside dates.
pub(super) fn is_converted_for_some<'e>(constant: &Expr, others: impl Iterator<Item = &'e Expr> + Clone) -> bool {
    let text = is_text(&constant.ty);
    let converted = |o: &&Expr| text && o.ty.kind.has_date();
    let kept = |o: &&Expr| !converted(o) && o.ty.kind != TypeKind::Null;
    constant.is_const() && others.clone().any(|o| converted(&o)) && others.clone().any(|o| kept(&o))
}

/// [`is_converted_for_some`] of the left row of IN.
fn has_mixed_constants(left: &[Expr], list: &[Expr]) -> bool {
    if let [one] = left {
        return is_converted_for_some(one, list.iter());
    }
    left.iter().enumerate().any(|(i, l)| {
        let members = list.iter().filter_map(|y| match &y.kind {
            ExprKind::Row(m) => m.get(i),
            _ => None,
        });
        is_converted_for_some(l, members)
    })
}

/// Whether the subquery that a row is has one.
fn has_row(row: &[Expr]) -> Option<Expr> {
    match row.first()?.kind {
        ExprKind::Subquery(id, SubqueryUse::Column(_)) => {
            Some(boolean(ExprKind::Subquery(id, SubqueryUse::Exists), false))
        }
        _ => None,
    }
}

/// 1241 unless two rows have the same number of columns, in rows within them too.
fn same_shape(a: &[Expr], b: &[Expr]) -> SqlResult<()> {
    let columns = |n: usize| Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&n]));
    if a.len() != b.len() {
        return columns(a.len());
    }
    a.iter().zip(b).try_for_each(|(x, y)| match (&x.kind, &y.kind) {
        (ExprKind::Row(m), ExprKind::Row(n)) => same_shape(m, n),
        (ExprKind::Row(m), _) => columns(m.len()),
        (_, ExprKind::Row(_)) => columns(1),
        _ => Ok(()),
    })
}

/// The columns of a row and of the rows within it.
fn flat(row: Box<[Expr]>) -> Vec<Expr> {
    let mut out = Vec::with_capacity(row.len());
    for e in row.into_vec() {
        match e.kind {
            ExprKind::Row(inner) => out.extend(flat(inner)),
            kind => out.push(Expr { kind, ty: e.ty, coer: e.coer }),
        }
    }
    out
}

/// Whether a date among texts and times makes the three operands of BETWEEN dates ("Type Conversion in Expression Evaluation ... applied to
/// all the three arguments", manual), so that a TIME is on the current date even beside a text.
fn among_dates(x: &Expr, lo: &Expr, hi: &Expr) -> bool {
    let dates = lo.ty.kind.has_date() != hi.ty.kind.has_date();
    let fits = |t: &SqlType| is_text(t) || t.kind.is_temporal() || t.kind == TypeKind::Null;
    dates && (x.ty.kind == TypeKind::Time || is_text(&x.ty)) && fits(&lo.ty) && fits(&hi.ty)
}

/// How BETWEEN compares a text with a text and a number: the number makes all three numbers, so that no collation is needed.
pub(super) fn as_numbers(args: &[Expr; 3]) -> Option<[Comparator; 2]> {
    let [x, lo, hi] = args;
    let with_number = is_text(&lo.ty) && hi.ty.kind.is_numeric() || lo.ty.kind.is_numeric() && is_text(&hi.ty);
    (is_text(&x.ty) && with_number)
        .then(|| [lo, hi].map(|o| Comparator::with_kind(ComparisonKind::Double, &x.ty, &o.ty)))
}

/// The longest text of a TIME.
const TIME_CHARS: u64 = 17;

/// Whether MySQL stores the constant text `x` into the TIME column `t` to compare them.
fn is_stored_time(t: &Expr, x: &Expr) -> bool {
    let column = t.ty.kind == TypeKind::Time && matches!(t.kind, ExprKind::Column { .. });
    column && x.ty.kind.is_string() && x.is_const()
}

/// Whether MySQL stores the constant number `x` into the column of dates `d` to compare them.
fn is_stored_date(d: &Expr, x: &Expr) -> bool {
    let number = x.ty.kind.is_integer() || x.ty.kind == TypeKind::Decimal || x.ty.kind.is_float();
    d.ty.kind.has_date() && matches!(d.kind, ExprKind::Column { .. }) && number && x.is_const()
}

/// Strings, ENUM and SET.
pub(super) fn is_text(t: &SqlType) -> bool {
    t.kind.is_string() || matches!(t.kind, TypeKind::Enum | TypeKind::Set)
}

/// A constant string that will be compared with a date or time is converted once.
fn temporal_constant(e: Expr, other: &SqlType, what: &str) -> Expr {
    let string = e.ty.kind.is_string() && e.is_const();
    if !string || !other.kind.is_temporal() || other.kind == TypeKind::Time {
        return e;
    }
    let ty = SqlType::temporal(TypeKind::DateTime, 6).nullable(true);
    let coer = match (other.kind == TypeKind::Date, matches!(what, "between" | " IN " | "case")) {
        (true, false) => DATE_CONSTANT,
        (false, false) if other.kind == TypeKind::Timestamp => TIMESTAMP_CONSTANT,
        (false, false) => DATETIME_CONSTANT,
        (true, true) => LISTED_DATE,
        (false, true) => LISTED_DATETIME,
    };
    Expr { kind: ExprKind::Cast(Box::new(e)), ty, coer }
}

/// Whether text that is no constant goes into a character set that lacks some of its characters: an explicit collation decides so.
pub(crate) fn is_forced(e: &Expr, c: CollationId) -> bool {
    use value::Charset::{Ascii, Binary, Gb18030, Ucs2, Utf8mb3, Utf8mb4, Utf16, Utf16le, Utf32};
    let (from, to) = (e.ty.charset(), c.charset());
    let text = e.ty.is_character() && !matches!(from, Ascii | Binary);
    let all = |cs| matches!(cs, Gb18030 | Utf8mb4 | Utf16 | Utf16le | Utf32);
    let narrower = match to {
        Binary => false,
        Utf8mb3 | Ucs2 => all(from),
        to => !all(to),
    };
    text && from != to && narrower && e.coer < Coercibility::SysConst
}

/// Whether a constant string has perhaps characters that the character set of a collation lacks.
pub(crate) fn may_lose(e: &Expr, c: CollationId) -> bool {
    use value::Charset::{Binary, Gb18030, Utf8mb4, Utf16, Utf16le, Utf32};
    let (from, to) = (e.ty.charset(), c.charset());
    let text = e.ty.is_character() && e.ty.kind.is_string() && from != Binary;
    let all = matches!(to, Binary | Gb18030 | Utf8mb4 | Utf16 | Utf16le | Utf32);
    text && from != to && !all && e.coer >= Coercibility::SysConst && e.is_const()
}
