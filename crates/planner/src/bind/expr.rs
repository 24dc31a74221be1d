//! Binding of expressions.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, BinaryOp, ExprKind as A, IsTest, LitValue, UnaryOp};
use value::compare::Comparator;
use value::{CollationId, Decimal, OwnedValue, SqlType, TypeKind};

use super::scope::Clause;
use super::{Binder, add_agg, unsupported};
use crate::expr::{
    AggCall, AggFunc, CmpOp, Coercibility, DATE_CONSTANT, DATETIME_CONSTANT, Expr, ExprKind, SubqueryUse, VarScope,
};
use crate::func::{FuncId, Unit};
use crate::plan::SubPlan;
use crate::types;

/// Deepest nesting the recursive walkers bear.
const MAX_DEPTH: u32 = 400;

fn boolean(kind: ExprKind, nullable: bool) -> Expr {
    let mut ty = types::longlong(1);
    ty.nullable = nullable;
    Expr { kind, ty, coer: Coercibility::Numeric }
}

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

/// Unit of the syntax tree.
pub(crate) fn unit(u: ast::IntervalUnit) -> Unit {
    use ast::IntervalUnit as I;
    match u {
        I::Microsecond => Unit::Microsecond,
        I::Second => Unit::Second,
        I::Minute => Unit::Minute,
        I::Hour => Unit::Hour,
        I::Day => Unit::Day,
        I::Week => Unit::Week,
        I::Month => Unit::Month,
        I::Quarter => Unit::Quarter,
        I::Year => Unit::Year,
        I::SecondMicrosecond => Unit::SecondMicrosecond,
        I::MinuteMicrosecond => Unit::MinuteMicrosecond,
        I::MinuteSecond => Unit::MinuteSecond,
        I::HourMicrosecond => Unit::HourMicrosecond,
        I::HourSecond => Unit::HourSecond,
        I::HourMinute => Unit::HourMinute,
        I::DayMicrosecond => Unit::DayMicrosecond,
        I::DaySecond => Unit::DaySecond,
        I::DayMinute => Unit::DayMinute,
        I::DayHour => Unit::DayHour,
        I::YearMonth => Unit::YearMonth,
    }
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
            return Err(SqlError::new(ErrorCode::STACK_OVERRUN, &[&"400", &"400", &"400"]));
        }
        let r = self.expr_inner(e);
        self.st.depth -= 1;
        r
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
            A::Param(i) => {
                let ty = self.param_types.get(i as usize).cloned().unwrap_or(SqlType::new(TypeKind::Null));
                let coer = if ty.kind.is_string() { Coercibility::Coercible } else { Coercibility::Ignorable };
                Ok(Expr { kind: ExprKind::Param(i), ty, coer })
            }
            A::UserVar(name) => {
                self.st.notes.uncacheable = true;
                let name = name.to_lowercase();
                let ty = self
                    .r
                    .user_variable(&name)
                    .unwrap_or_else(|| types::string_type(65_535 / 4, self.tcx.connection).nullable(true));
                Ok(Expr { kind: ExprKind::UserVar(name.into()), ty: ty.nullable(true), coer: Coercibility::Implicit })
            }
            A::AssignUserVar { name, value } => {
                self.st.notes.uncacheable = true;
                let v = self.scalar(value)?;
                let (ty, coer) = (v.ty.clone(), v.coer);
                Ok(Expr { kind: ExprKind::AssignUserVar(name.to_lowercase().into(), Box::new(v)), ty, coer })
            }
            A::SysVar(v) => {
                let scope = match v.scope {
                    ast::VarScope::Default => VarScope::Default,
                    ast::VarScope::Session => VarScope::Session,
                    _ => VarScope::Global,
                };
                let name = match v.name.base {
                    Some(b) => format!("{b}.{}", v.name.name),
                    None => v.name.name.to_owned(),
                };
                let name = name.to_lowercase();
                let ty = self.r.system_variable(scope, &name)?;
                Ok(Expr { kind: ExprKind::SysVar(scope, name.into()), ty, coer: Coercibility::SysConst })
            }
            A::Unary { op, expr } => self.unary(op, expr),
            A::Binary { op, left, right } => self.binary(op, left, right),
            A::And(list) => self.logic(list, true),
            A::Or(list) => self.logic(list, false),
            A::Is { expr, test, negated } => {
                let x = self.scalar(expr)?;
                Ok(match test {
                    IsTest::Null | IsTest::Unknown => boolean(ExprKind::IsNull(Box::new(x), negated), false),
                    IsTest::True => boolean(ExprKind::IsTruth(Box::new(x), true, negated), false),
                    IsTest::False => boolean(ExprKind::IsTruth(Box::new(x), false, negated), false),
                })
            }
            A::Between { expr, low, high, negated } => {
                let (x, lo, hi) = (self.scalar(expr)?, self.scalar(low)?, self.scalar(high)?);
                self.between(x, lo, hi, negated)
            }
            A::InList { expr, list, negated } => self.in_list(expr, list, negated),
            A::InSubquery { expr, query, negated } => self.in_subquery(expr, query, negated),
            A::Exists(query) => {
                let (id, _) = self.subquery(query)?;
                Ok(boolean(ExprKind::Subquery(id, SubqueryUse::Exists), false))
            }
            A::Subquery(query) => {
                let (id, types) = self.subquery(query)?;
                let [one] = types.as_slice() else {
                    return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
                };
                let ty = one.clone().nullable(true);
                Ok(Expr { kind: ExprKind::Subquery(id, SubqueryUse::Scalar), ty, coer: Coercibility::Implicit })
            }
            A::Quantified { op, all, left, query } => {
                let l = self.scalar(left)?;
                let (id, types) = self.subquery(query)?;
                let [one] = types.as_slice() else {
                    return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
                };
                let op = cmp_op(op).ok_or_else(|| SqlError::unsupported("quantified comparison"))?;
                let right = Expr::column(0, 0, one.clone());
                let (l, _, cmp) = self.comparable(l, right, op.symbol())?;
                let u = SubqueryUse::Quantified { left: Box::new(l), op, all, cmp: Box::new(cmp) };
                Ok(boolean(ExprKind::Subquery(id, u), true))
            }
            A::Row(list) => {
                let items = list.iter().map(|x| self.expr(x)).collect::<SqlResult<Vec<_>>>()?;
                Ok(boolean(ExprKind::Row(items.into()), true))
            }
            A::Like { expr, pattern, escape, negated } => self.like(expr, pattern, escape, negated),
            A::Regexp { expr, pattern, negated } => {
                let args = vec![self.scalar(expr)?, self.scalar(pattern)?];
                let c = self.call(FuncId::Rlike, args)?;
                Ok(if negated { boolean(ExprKind::Not(Box::new(c)), true) } else { c })
            }
            A::Case(c) => self.case(c),
            A::Cast(c) => self.cast(c),
            A::ConvertUsing { expr, charset: name } => {
                let x = self.scalar(expr)?;
                let collation = if name.eq_ignore_ascii_case("binary") {
                    CollationId::BINARY
                } else {
                    charset(name)?.default_collation()
                };
                let ty = types::string_type(types::text_chars(&x.ty), collation).nullable(true);
                Ok(Expr { kind: ExprKind::Cast(Box::new(x)), ty, coer: Coercibility::Implicit })
            }
            A::Collate { expr, collation } => {
                let x = self.scalar(expr)?;
                let id = value::collation::by_name(collation)
                    .ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&collation]))?
                    .id;
                if x.ty.kind.is_string() && x.ty.charset() != id.charset() {
                    return Err(SqlError::new(
                        ErrorCode::COLLATION_CHARSET_MISMATCH,
                        &[&collation, &x.ty.charset().name()],
                    ));
                }
                let mut ty = x.ty.clone();
                if !ty.kind.is_string() {
                    ty = types::string_type(types::text_chars(&x.ty), id).nullable(x.ty.nullable);
                }
                ty.collation = id;
                let kind = ExprKind::Call(FuncId::Collate, Box::new([x]));
                Ok(Expr { kind, ty, coer: Coercibility::Explicit })
            }
            A::Extract { unit: u, expr } => {
                let x = self.scalar(expr)?;
                self.call(FuncId::Extract(unit(u)), vec![x])
            }
            A::Trim { side, remove, expr } => {
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
            A::DateArith { expr, value, unit: u, subtract } => {
                let args = vec![self.scalar(expr)?, self.scalar(value)?];
                let f = if subtract { FuncId::DateSub(unit(u)) } else { FuncId::DateAdd(unit(u)) };
                self.call(f, args)
            }
            A::TimestampAdd { unit: u, value, expr } => {
                let args = vec![self.scalar(expr)?, self.scalar(value)?];
                self.call(FuncId::TimestampAdd(unit(u)), args)
            }
            A::TimestampDiff { unit: u, from, to } => {
                let args = vec![self.scalar(from)?, self.scalar(to)?];
                self.call(FuncId::TimestampDiff(unit(u)), args)
            }
            A::Char { args, charset: name } => {
                let args = args.iter().map(|x| self.scalar(x)).collect::<SqlResult<Vec<_>>>()?;
                let mut c = self.call(FuncId::Char, args)?;
                if let Some(n) = name
                    && !n.eq_ignore_ascii_case("binary")
                {
                    c.ty = types::string_type(c.ty.length as u64, charset(n)?.default_collation()).nullable(true);
                }
                Ok(c)
            }
            A::WeightString { expr, cast: None, .. } => {
                let x = self.scalar(expr)?;
                self.call(FuncId::WeightString, vec![x])
            }
            A::Values(c) => self.inserted_value(c),
            A::Default(None) => Ok(Expr { kind: ExprKind::DefaultValue, ..Expr::null() }),
            A::Default(Some(c)) => self.default_of(c),
            A::Func(f) => self.function(f),
            A::Aggregate(g) => self.aggregate(g),
            A::WindowFunc(_) => unsupported("window functions"),
            A::GetFormat { .. } => unsupported("GET_FORMAT"),
            A::Match { .. } => unsupported("MATCH ... AGAINST"),
            A::MemberOf { .. } => unsupported("MEMBER OF"),
            A::JsonValue(_) => unsupported("JSON_VALUE"),
            A::JsonArrow { .. } => unsupported("JSON path operators"),
            A::WeightString { .. } => unsupported("WEIGHT_STRING ... AS"),
        }
    }

    fn literal(&mut self, l: &ast::Literal<'a>) -> SqlResult<Expr> {
        let lifted = self.lift && l.lit != ast::NOT_LIFTED;
        let (v, ty, coer) = self.literal_value(&l.value)?;
        let parameter = lifted
            && !self.pinning
            && matches!(
                l.value,
                LitValue::Int(_) | LitValue::Decimal(_) | LitValue::Float(_) | LitValue::Str { charset: None, .. }
            );
        if parameter {
            return Ok(Expr { kind: ExprKind::Param(l.lit), ty, coer });
        }
        if lifted {
            let text = l.span.text(self.sql);
            if !self.st.notes.pinned.iter().any(|(n, _)| *n == l.lit) {
                self.st.notes.pinned.push((l.lit, text.into()));
            }
        }
        Ok(Expr { kind: ExprKind::Const(v), ty, coer })
    }

    /// Value and static type of a literal.
    pub(crate) fn literal_value(&self, l: &LitValue<'_>) -> SqlResult<(OwnedValue, SqlType, Coercibility)> {
        let num = Coercibility::Ignorable;
        let string = |b: &[u8], cs: Option<&str>| -> SqlResult<(OwnedValue, SqlType, Coercibility)> {
            let collation = match cs {
                None => self.tcx.connection,
                Some("binary") => CollationId::BINARY,
                Some(n) => charset(n)?.default_collation(),
            };
            let chars =
                if collation == CollationId::BINARY { b.len() } else { types::char_count(collation.charset(), b) };
            let ty = types::string_type(chars as u64, collation).nullable(false);
            Ok((OwnedValue::Str(b.into()), ty, Coercibility::Coercible))
        };
        let temporal = |b: &[u8], kind: TypeKind| -> SqlResult<(OwnedValue, SqlType, Coercibility)> {
            let text = String::from_utf8_lossy(b).into_owned();
            let mut ctx = value::ConvCtx::new(self.mode);
            let s = types::string_type(b.len() as u64, CollationId::UTF8MB4_0900_AI_CI);
            let v = value::Value::Str(b);
            let name = match kind {
                TypeKind::Date => "DATE",
                TypeKind::Time => "TIME",
                _ => "DATETIME",
            };
            let fsp = b.iter().position(|c| *c == b'.').map_or(0, |p| (b.len() - p - 1).min(6)) as u8;
            let out = match kind {
                TypeKind::Date => value::convert::to_date(v, &s, &mut ctx).map(OwnedValue::Date),
                TypeKind::Time => value::convert::to_time(v, &s, &mut ctx).map(OwnedValue::Time),
                _ => value::convert::to_datetime(v, &s, &mut ctx).map(OwnedValue::DateTime),
            };
            match out {
                Some(o) if ctx.warning_count == 0 => {
                    let ty = SqlType::temporal(kind, if kind == TypeKind::Date { 0 } else { fsp }).nullable(false);
                    Ok((o, ty, num))
                }
                _ => Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&name, &text])),
            }
        };
        Ok(match *l {
            LitValue::Null => (OwnedValue::Null, SqlType::new(TypeKind::Null), Coercibility::Ignorable),
            LitValue::Bool(b) => {
                let mut t = types::longlong(1);
                t.nullable = false;
                (OwnedValue::Int(i64::from(b)), t, num)
            }
            LitValue::Int(n) => {
                let v = i64::try_from(n).map_or(OwnedValue::UInt(n), OwnedValue::Int);
                (v, types::int_literal(n), num)
            }
            LitValue::Decimal(s) => {
                let d = Decimal::parse(s.as_bytes())
                    .ok_or_else(|| SqlError::new(ErrorCode::ILLEGAL_VALUE_FOR_TYPE, &[&"decimal", &s]))?;
                let t = SqlType::decimal(d.precision().max(d.scale()), d.scale()).nullable(false);
                (OwnedValue::Decimal(Box::new(d)), t, num)
            }
            LitValue::Float(s) => {
                let v: f64 = s
                    .parse()
                    .ok()
                    .filter(|v: &f64| v.is_finite())
                    .ok_or_else(|| SqlError::new(ErrorCode::ILLEGAL_VALUE_FOR_TYPE, &[&"double", &s]))?;
                (OwnedValue::Double(v), SqlType::double().nullable(false), num)
            }
            LitValue::Str { bytes, charset } => string(bytes, charset)?,
            LitValue::Hex { bytes, charset } | LitValue::Bit { bytes, charset } => {
                string(bytes, Some(charset.unwrap_or("binary")))?
            }
            LitValue::Date(b) => temporal(b, TypeKind::Date)?,
            LitValue::Time(b) => temporal(b, TypeKind::Time)?,
            LitValue::Timestamp(b) => temporal(b, TypeKind::DateTime)?,
        })
    }

    /// Hexadecimal and bit literals are numbers where a number is wanted.
    fn numeric_operand(&mut self, e: &ast::Expr<'a>) -> SqlResult<Expr> {
        if let A::Literal(l) = e.unparen().kind
            && let LitValue::Hex { bytes, charset: None } | LitValue::Bit { bytes, charset: None } = l.value
            && bytes.len() <= 8
        {
            self.literal(l)?; // pins it
            let n = bytes.iter().fold(0u64, |n, b| n << 8 | *b as u64);
            let mut ty = types::int_literal(n);
            ty.unsigned = true;
            return Ok(Expr { kind: ExprKind::Const(OwnedValue::UInt(n)), ty, coer: Coercibility::Ignorable });
        }
        self.scalar(e)
    }

    fn unary(&mut self, op: UnaryOp, expr: &ast::Expr<'a>) -> SqlResult<Expr> {
        match op {
            UnaryOp::Plus => self.scalar(expr),
            UnaryOp::Not => {
                let x = self.scalar(expr)?;
                let nullable = x.ty.nullable;
                Ok(boolean(ExprKind::Not(Box::new(x)), nullable))
            }
            UnaryOp::BitNot => {
                let x = self.numeric_operand(expr)?;
                self.call(FuncId::BitNot, vec![x])
            }
            UnaryOp::Neg => {
                // -9223372036854775808 is a BIGINT; what lies below it, and its own negation, are DECIMAL
                if let A::Literal(l) = expr.unparen().kind
                    && let LitValue::Int(n) = l.value
                    && n >= 1 << 63
                {
                    let pin = std::mem::replace(&mut self.pinning, true);
                    let pinned = self.literal(l);
                    self.pinning = pin;
                    pinned?;
                    return Ok(if n == 1 << 63 { Expr::int(i64::MIN) } else { decimal_const(-i128::from(n)) });
                }
                let x = self.numeric_operand(expr)?;
                if let ExprKind::Const(OwnedValue::Int(i64::MIN)) = x.kind {
                    return Ok(decimal_const(1 << 63));
                }
                self.call(FuncId::Neg, vec![x])
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &ast::Expr<'a>, right: &ast::Expr<'a>) -> SqlResult<Expr> {
        if let Some(c) = cmp_op(op) {
            let hex = |e: &ast::Expr<'_>| matches!(e.unparen().kind, A::Literal(l) if matches!(l.value, LitValue::Hex { .. } | LitValue::Bit { .. }));
            let (l, r) = match (hex(left), hex(right)) {
                (false, true) => {
                    let l = self.expr(left)?;
                    let r = if l.ty.kind.is_numeric() { self.numeric_operand(right)? } else { self.expr(right)? };
                    (l, r)
                }
                (true, false) => {
                    let r = self.expr(right)?;
                    let l = if r.ty.kind.is_numeric() { self.numeric_operand(left)? } else { self.expr(left)? };
                    (l, r)
                }
                _ => (self.expr(left)?, self.expr(right)?),
            };
            return self.compare(c, l, r);
        }
        let f = match op {
            BinaryOp::Add => FuncId::Add,
            BinaryOp::Sub => FuncId::Sub,
            BinaryOp::Mul => FuncId::Mul,
            BinaryOp::Div => FuncId::Div,
            BinaryOp::IntDiv => FuncId::IntDiv,
            BinaryOp::Mod => FuncId::Mod,
            BinaryOp::BitAnd => FuncId::BitAnd,
            BinaryOp::BitOr => FuncId::BitOr,
            BinaryOp::BitXor => FuncId::BitXor,
            BinaryOp::Shl => FuncId::Shl,
            BinaryOp::Shr => FuncId::Shr,
            BinaryOp::Concat => FuncId::Concat,
            BinaryOp::Xor => {
                let (l, r) = (self.scalar(left)?, self.scalar(right)?);
                let nullable = l.ty.nullable || r.ty.nullable;
                return Ok(boolean(ExprKind::Xor(Box::new([l, r])), nullable));
            }
            BinaryOp::SoundsLike => {
                let l = self.scalar(left)?;
                let r = self.scalar(right)?;
                let (l, r) = (self.call(FuncId::Soundex, vec![l])?, self.call(FuncId::Soundex, vec![r])?);
                return self.compare(CmpOp::Eq, l, r);
            }
            _ => return unsupported("operator"),
        };
        if f == FuncId::Concat {
            let args = vec![self.scalar(left)?, self.scalar(right)?];
            return self.call(f, args);
        }
        let (l, r) = (self.numeric_operand(left)?, self.numeric_operand(right)?);
        let bit = matches!(f, FuncId::BitAnd | FuncId::BitOr | FuncId::BitXor | FuncId::Shl | FuncId::Shr);
        let binary = |t: &SqlType| t.kind.is_binary_string();
        if bit && binary(&l.ty) && (binary(&r.ty) || matches!(f, FuncId::Shl | FuncId::Shr)) {
            return unsupported("bit operations on binary strings");
        }
        self.call(f, vec![l, r])
    }

    fn logic(&mut self, list: &[ast::Expr<'a>], and: bool) -> SqlResult<Expr> {
        let items = list.iter().map(|x| self.scalar(x)).collect::<SqlResult<Vec<_>>>()?;
        let nullable = items.iter().any(|e| e.ty.nullable);
        let mut flat = Vec::with_capacity(items.len());
        for e in items {
            match (and, e.kind) {
                (true, ExprKind::And(l)) => flat.extend(l),
                (false, ExprKind::Or(l)) => flat.extend(l),
                (_, kind) => flat.push(Expr { kind, ty: e.ty, coer: e.coer }),
            }
        }
        let kind = if and { ExprKind::And(flat.into()) } else { ExprKind::Or(flat.into()) };
        Ok(boolean(kind, nullable))
    }

    /// Makes two operands comparable: converts character sets, constants to temporal values; chooses the comparator.
    pub(crate) fn comparable(&mut self, l: Expr, r: Expr, what: &str) -> SqlResult<(Expr, Expr, Comparator)> {
        let (mut l, mut r) = (l, r);
        if matches!(l.kind, ExprKind::Row(_)) || matches!(r.kind, ExprKind::Row(_)) {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1]));
        }
        let stringy = |t: &SqlType| t.kind.is_string() || matches!(t.kind, TypeKind::Enum | TypeKind::Set);
        let (mut lt, mut rt) = (l.ty.clone(), r.ty.clone());
        if stringy(&l.ty) && stringy(&r.ty) {
            let (c, _) = types::mix_collations(&[&l, &r], &self.tcx, what)?;
            l = self.in_charset(l, c);
            r = self.in_charset(r, c);
            lt = l.ty.clone();
            rt = r.ty.clone();
            if lt.collation != CollationId::BINARY && rt.collation != CollationId::BINARY {
                lt.collation = c;
                rt.collation = c;
            } else {
                // comparison of bytes
                for t in [&mut lt, &mut rt] {
                    if t.kind.is_string() {
                        t.collation = CollationId::BINARY;
                        if !t.kind.is_binary_string() {
                            t.kind = TypeKind::VarBinary;
                        }
                    }
                }
            }
        } else {
            l = temporal_constant(l, &rt);
            r = temporal_constant(r, &lt);
            lt = l.ty.clone();
            rt = r.ty.clone();
        }
        let mut cmp = Comparator::new(&lt, &rt)?;
        let column = |e: &Expr| matches!(e.kind, ExprKind::Column { .. }) && e.ty.kind.is_integer();
        let constant = |e: &Expr| matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_)) && e.ty.kind.is_string();
        cmp.exact_integers = column(&l) && constant(&r) || constant(&l) && column(&r);
        Ok((l, r, cmp))
    }

    /// Converts a string to the character set of a collation if it is of another.
    pub(crate) fn in_charset(&self, e: Expr, c: CollationId) -> Expr {
        let text = e.ty.is_character() && e.ty.kind.is_string();
        if !text || c == CollationId::BINARY || e.ty.charset() == c.charset() {
            return e;
        }
        // a lifted literal may be longer the next time
        let lifted = !self.pinning && e.any(&mut |x| matches!(x.kind, ExprKind::Param(_)));
        let chars = if lifted { LIFTED_CHARS } else { types::text_chars(&e.ty) };
        let ty = types::string_type(chars, c).nullable(e.ty.nullable);
        Expr { coer: e.coer, ty, kind: ExprKind::Cast(Box::new(e)) }
    }

    /// Binds `l op r`, rows included.
    pub(crate) fn compare(&mut self, op: CmpOp, l: Expr, r: Expr) -> SqlResult<Expr> {
        let nullable = op != CmpOp::NullSafeEq && (l.ty.nullable || r.ty.nullable);
        match (l.kind, r.kind) {
            (ExprKind::Row(a), ExprKind::Row(b)) => {
                if a.len() != b.len() {
                    return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&a.len()]));
                }
                let (mut left, mut right, mut cmp) = (Vec::new(), Vec::new(), Vec::new());
                for (x, y) in a.into_vec().into_iter().zip(b.into_vec()) {
                    let (x, y, c) = self.comparable(x, y, op.symbol())?;
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
                let (l, r, cmp) = self.comparable(l, r, op.symbol())?;
                Ok(boolean(ExprKind::Compare { op, args: Box::new([l, r]), cmp: Box::new(cmp) }, nullable))
            }
        }
    }

    fn between(&mut self, x: Expr, lo: Expr, hi: Expr, negated: bool) -> SqlResult<Expr> {
        let nullable = x.ty.nullable || lo.ty.nullable || hi.ty.nullable;
        // a string column between a temporal and something else: all three compare as the common domain
        let (x1, lo, c1) = self.comparable(x, lo, "between")?;
        let (x2, hi, c2) = self.comparable(x1, hi, "between")?;
        Ok(boolean(ExprKind::Between { negated, args: Box::new([x2, lo, hi]), cmp: Box::new([c1, c2]) }, nullable))
    }

    fn in_list(&mut self, expr: &ast::Expr<'a>, list: &[ast::Expr<'a>], negated: bool) -> SqlResult<Expr> {
        let x = self.expr(expr)?;
        let (mut items, mut cmps) = (Vec::new(), Vec::new());
        let mut nullable = x.ty.nullable;
        let mut left = match x.kind {
            ExprKind::Row(l) => l.into_vec(),
            kind => vec![Expr { kind, ty: x.ty, coer: x.coer }],
        };
        for e in list {
            let y = if left.len() == 1 && left.first().is_some_and(|l| l.ty.kind.is_numeric()) {
                self.numeric_operand(e)?
            } else {
                self.expr(e)?
            };
            nullable |= y.ty.nullable;
            let members = match y.kind {
                ExprKind::Row(m) => m.into_vec(),
                kind => vec![Expr { kind, ty: y.ty, coer: y.coer }],
            };
            if members.len() != left.len() {
                return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&left.len()]));
            }
            for (l, m) in left.iter_mut().zip(members) {
                let old = std::mem::replace(l, Expr::null());
                let (l2, m, c) = self.comparable(old, m, "in")?;
                *l = l2;
                items.push(m);
                cmps.push(c);
            }
        }
        let kind = ExprKind::InList { negated, left: left.into(), list: items.into(), cmp: cmps.into() };
        Ok(boolean(kind, nullable))
    }

    fn in_subquery(&mut self, expr: &ast::Expr<'a>, query: &ast::QueryExpr<'a>, negated: bool) -> SqlResult<Expr> {
        let x = self.expr(expr)?;
        let left = match x.kind {
            ExprKind::Row(l) => l.into_vec(),
            kind => vec![Expr { kind, ty: x.ty, coer: x.coer }],
        };
        let (id, types) = self.subquery(query)?;
        if types.len() != left.len() {
            return Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&left.len()]));
        }
        let (mut ls, mut cmps) = (Vec::new(), Vec::new());
        for (l, t) in left.into_iter().zip(types) {
            let (l, r, c) = self.comparable(l, Expr::column(0, 0, t), "in")?;
            if !matches!(r.kind, ExprKind::Column { .. }) {
                return unsupported("IN (subquery) between character sets");
            }
            ls.push(l);
            cmps.push(c);
        }
        let u = SubqueryUse::In { left: ls.into(), cmp: cmps.into() };
        let e = boolean(ExprKind::Subquery(id, u), true);
        Ok(if negated { boolean(ExprKind::Not(Box::new(e)), true) } else { e })
    }

    /// Plans a subquery; its number and column types.
    pub(crate) fn subquery(&mut self, q: &ast::QueryExpr<'a>) -> SqlResult<(u16, Vec<SqlType>)> {
        self.st.select_no += 1;
        let select_id = self.st.select_no + 1;
        let pinning = std::mem::replace(&mut self.pinning, false);
        let bound = self.query(q);
        self.pinning = pinning;
        let mut bound = bound?;
        let types = bound.columns.iter().map(|c| c.ty.clone()).collect();
        let mut refs = Vec::new();
        let subs = &self.st.subs;
        crate::visit::query_exprs_mut(&mut bound.plan, &mut |e| {
            e.walk(&mut |x| match x.kind {
                ExprKind::Column { slot, column } => refs.push((slot, column)),
                ExprKind::Subquery(id, _) => {
                    refs.extend(subs.get(id as usize).into_iter().flat_map(|s| s.refs.iter().copied()));
                }
                _ => {}
            });
        });
        refs.sort_unstable();
        refs.dedup();
        self.st.subs.push(SubPlan { query: bound.plan, correlated: bound.correlated, select_id, refs });
        Ok(((self.st.subs.len() - 1) as u16, types))
    }

    fn like(
        &mut self,
        expr: &ast::Expr<'a>,
        pattern: &ast::Expr<'a>,
        escape: Option<&ast::Expr<'a>>,
        negated: bool,
    ) -> SqlResult<Expr> {
        let (x, p) = (self.scalar(expr)?, self.scalar(pattern)?);
        let nullable = x.ty.nullable || p.ty.nullable;
        let (collation, _) = types::mix_collations(&[&x, &p], &self.tcx, "like")?;
        let (x, p) = (self.in_charset(x, collation), self.in_charset(p, collation));
        let no_backslash = self.mode.has(value::SqlMode::NO_BACKSLASH_ESCAPES);
        let escape = match escape {
            None if no_backslash => 0,
            None => b'\\' as u32,
            Some(e) => {
                let A::Literal(l) = e.unparen().kind else { return unsupported("LIKE ... ESCAPE expression") };
                let pin = std::mem::replace(&mut self.pinning, true);
                self.literal(l)?;
                self.pinning = pin;
                let LitValue::Str { bytes, .. } = l.value else {
                    return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"]));
                };
                let mut chars = std::str::from_utf8(bytes).unwrap_or("??").chars();
                match (chars.next(), chars.next()) {
                    (None, _) => 0,
                    (Some(c), None) => c as u32,
                    _ => return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"])),
                }
            }
        };
        Ok(boolean(ExprKind::Like { args: Box::new([x, p]), escape, negated, collation }, nullable))
    }

    fn case(&mut self, c: &ast::Case<'a>) -> SqlResult<Expr> {
        let mut operand = c.operand.as_ref().map(|o| self.scalar(o)).transpose()?;
        let (mut branches, mut cmps) = (Vec::new(), Vec::new());
        for (when, then) in c.whens {
            let mut w = self.scalar(when)?;
            if let Some(o) = operand.take() {
                let (o2, w2, cmp) = self.comparable(o, w, "case")?;
                operand = Some(o2);
                w = w2;
                cmps.push(cmp);
            }
            branches.push((w, self.scalar(then)?));
        }
        let otherwise = c.otherwise.as_ref().map(|o| self.scalar(o)).transpose()?;
        let results: Vec<&Expr> = branches.iter().map(|b| &b.1).chain(otherwise.iter()).collect();
        let (mut ty, coer) = types::unify(&results, &self.tcx, "case")?;
        ty.nullable |= otherwise.is_none();
        let mut branches: Vec<(Expr, Expr)> = branches.into_iter().map(|(w, t)| (w, convert_branch(t, &ty))).collect();
        branches.shrink_to_fit();
        let otherwise = otherwise.map(|o| Box::new(convert_branch(o, &ty)));
        let kind =
            ExprKind::Case { operand: operand.map(Box::new), branches: branches.into(), cmp: cmps.into(), otherwise };
        Ok(Expr { kind, ty, coer })
    }

    fn cast(&mut self, c: &ast::Cast<'a>) -> SqlResult<Expr> {
        use ast::CastType as T;
        if c.array {
            return unsupported("CAST ... AS ARRAY");
        }
        if c.at_time_zone.is_some() {
            return unsupported("CAST ... AT TIME ZONE");
        }
        let numeric = matches!(c.ty, T::Signed | T::Unsigned | T::Decimal { .. } | T::Float(_) | T::Double | T::Real);
        let x = if numeric { self.numeric_operand(&c.expr)? } else { self.scalar(&c.expr)? };
        let text = types::text_chars(&x.ty);
        let mut coer = Coercibility::Numeric;
        let mut ty = match c.ty {
            T::Signed => SqlType::bigint(),
            T::Unsigned => SqlType::bigint_unsigned(),
            T::Binary(len) => {
                coer = Coercibility::Implicit;
                let mut t = types::string_type(len.unwrap_or(x.ty.max_bytes().max(text)), CollationId::BINARY);
                if len.is_some() && t.kind == TypeKind::VarBinary {
                    t.kind = TypeKind::Binary;
                }
                t
            }
            T::Char { length, charset: name, binary } => {
                coer = Coercibility::Implicit;
                let mut collation = match name {
                    Some(n) if n.eq_ignore_ascii_case("binary") => CollationId::BINARY,
                    Some(n) => charset(n)?.default_collation(),
                    None => self.tcx.connection,
                };
                if binary {
                    collation = collation.charset().bin_collation();
                }
                types::string_type(length.unwrap_or(text), collation)
            }
            T::Date => SqlType::new(TypeKind::Date),
            T::Time(f) => SqlType::temporal(TypeKind::Time, check_fsp(f)?),
            T::DateTime(f) => SqlType::temporal(TypeKind::DateTime, check_fsp(f)?),
            T::Year => SqlType::new(TypeKind::Year),
            T::Decimal { length, decimals } => {
                let scale = decimals.unwrap_or(0);
                let precision = length.unwrap_or(10);
                if scale > 30 {
                    return Err(SqlError::new(ErrorCode::TOO_BIG_SCALE, &[&scale, &self.text(c.expr.span), &30]));
                }
                if precision > 65 {
                    return Err(SqlError::new(
                        ErrorCode::TOO_BIG_PRECISION,
                        &[&precision, &self.text(c.expr.span), &65],
                    ));
                }
                if precision != 0 && u64::from(scale) > precision {
                    return Err(SqlError::new(ErrorCode::M_BIGGER_THAN_D, &[&""]));
                }
                SqlType::decimal(if precision == 0 { 10 } else { precision as u8 }, scale as u8)
            }
            T::Float(Some(p)) if p > 24 => SqlType::double(),
            T::Float(_) => SqlType::new(TypeKind::Float),
            T::Double => SqlType::double(),
            T::Real if self.mode.has(value::SqlMode::REAL_AS_FLOAT) => SqlType::new(TypeKind::Float),
            T::Real => SqlType::double(),
            T::Json => return unsupported("CAST ... AS JSON"),
            T::Geometry(_) => return unsupported("spatial types"),
        };
        ty.nullable = x.ty.nullable || ty.kind.is_temporal() || ty.kind == TypeKind::Year;
        Ok(Expr { kind: ExprKind::Cast(Box::new(x)), ty, coer })
    }

    fn aggregate(&mut self, g: &ast::Aggregate<'a>) -> SqlResult<Expr> {
        use ast::AggFunc as G;
        if g.over.is_some() {
            return unsupported("window functions");
        }
        let func = match g.func {
            G::Count if g.args.is_empty() => AggFunc::CountStar,
            G::Count => AggFunc::Count,
            G::Sum => AggFunc::Sum,
            G::Avg => AggFunc::Avg,
            G::Min => AggFunc::Min,
            G::Max => AggFunc::Max,
            G::BitAnd => AggFunc::BitAnd,
            G::BitOr => AggFunc::BitOr,
            G::BitXor => AggFunc::BitXor,
            G::StddevPop => AggFunc::StddevPop,
            G::StddevSamp => AggFunc::StddevSamp,
            G::VarPop => AggFunc::VarPop,
            G::VarSamp => AggFunc::VarSamp,
            G::GroupConcat => AggFunc::GroupConcat,
            G::AnyValue => AggFunc::AnyValue,
            G::JsonArrayagg | G::JsonObjectagg => return unsupported("JSON aggregates"),
            G::StCollect => return unsupported("ST_COLLECT"),
        };
        let scope = self.scope()?;
        if !scope.agg_ok || scope.in_agg {
            return Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[]));
        }
        scope.in_agg = true;
        let clause = scope.clause.replace(Clause::Fields);
        let bound = self.agg_args(g);
        let scope = self.scope()?;
        scope.in_agg = false;
        scope.clause = clause;
        let (args, order) = bound?;
        let (ty, coer) = self.agg_type(func, &args)?;
        let separator = g.separator.unwrap_or(b",").into();
        let distinct = g.distinct && !matches!(func, AggFunc::Min | AggFunc::Max | AggFunc::AnyValue);
        let call = AggCall { func, distinct, args: args.into(), order: order.into(), separator, ty: ty.clone() };
        let i = add_agg(&mut self.scope()?.aggs, call);
        Ok(Expr { kind: ExprKind::Agg(i), ty, coer })
    }

    #[allow(clippy::type_complexity)]
    fn agg_args(&mut self, g: &ast::Aggregate<'a>) -> SqlResult<(Vec<Expr>, Vec<(Expr, bool)>)> {
        let mut args = g.args.iter().map(|x| self.scalar(x)).collect::<SqlResult<Vec<_>>>()?;
        if g.func == ast::AggFunc::GroupConcat {
            let refs: Vec<&Expr> = args.iter().collect();
            let (c, _) = types::mix_collations(&refs, &self.tcx, "group_concat")?;
            args = args.into_iter().map(|e| self.in_charset(e, c)).collect();
        }
        let mut order = Vec::new();
        for o in g.order_by {
            let e = match o.expr.unparen().kind {
                A::Literal(l) => match l.value {
                    LitValue::Int(n) => args
                        .get((n as usize).wrapping_sub(1))
                        .cloned()
                        .ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&n, &"order clause"]))?,
                    _ => continue,
                },
                _ => self.scalar(&o.expr)?,
            };
            order.push((e, o.desc));
        }
        Ok((args, order))
    }

    fn agg_type(&self, func: AggFunc, args: &[Expr]) -> SqlResult<(SqlType, Coercibility)> {
        let a = args.first().map(|e| e.ty.clone()).unwrap_or_else(SqlType::bigint);
        let class = types::num_class(&a);
        let (int, scale) = types::decimal_parts(&a);
        let num = Coercibility::Numeric;
        Ok(match func {
            AggFunc::CountStar | AggFunc::Count => (types::longlong(21).nullable(false), num),
            AggFunc::Sum => match class {
                types::NumClass::Double => (SqlType::double(), num),
                _ => (types::decimal_type(int as u32 + 22, scale as u32), num),
            },
            AggFunc::Avg => match class {
                types::NumClass::Double => (SqlType::double(), num),
                _ => (
                    types::decimal_type(
                        int as u32 + self.tcx.div_increment as u32,
                        scale as u32 + self.tcx.div_increment as u32,
                    ),
                    num,
                ),
            },
            AggFunc::StddevPop | AggFunc::StddevSamp | AggFunc::VarPop | AggFunc::VarSamp => (SqlType::double(), num),
            AggFunc::BitAnd | AggFunc::BitOr | AggFunc::BitXor => {
                if a.kind.is_binary_string() {
                    return unsupported("bit aggregates of binary strings");
                }
                let mut t = SqlType::bigint_unsigned().nullable(false);
                t.length = 21;
                (t, num)
            }
            AggFunc::Min | AggFunc::Max | AggFunc::AnyValue => (a.nullable(true), args.first().map_or(num, |e| e.coer)),
            AggFunc::GroupConcat => {
                let refs: Vec<&Expr> = args.iter().collect();
                let (c, k) = types::mix_collations(&refs, &self.tcx, "group_concat")?;
                let max = self.r.setting("group_concat_max_len").max(4);
                (types::string_type(max / c.charset().max_len().max(1) as u64, c).nullable(true), k)
            }
        })
    }

    fn inserted_value(&mut self, c: &ast::ColumnRef<'a>) -> SqlResult<Expr> {
        let Some(slot) = self.values_slot else {
            return Ok(Expr::null());
        };
        let e = self.column(c)?;
        match e.kind {
            ExprKind::Column { column, .. } => {
                Ok(Expr { kind: ExprKind::Column { slot, column }, ty: e.ty.nullable(true), coer: e.coer })
            }
            _ => unsupported("VALUES() of an expression"),
        }
    }

    fn default_of(&mut self, c: &ast::ColumnRef<'a>) -> SqlResult<Expr> {
        let e = self.column(c)?;
        let ExprKind::Column { slot, column } = e.kind else { return unsupported("DEFAULT() of an expression") };
        let def = match self.st.slots.get(slot as usize) {
            Some(crate::plan::SlotDef::Table(t)) => self.st.tables.get(*t as usize).map(|t| t.def.clone()),
            // the row that INSERT builds
            Some(crate::plan::SlotDef::Tuple(_)) if self.insert_slots.contains(&slot) => {
                self.st.tables.first().map(|t| t.def.clone())
            }
            _ => None,
        };
        let Some(col) = def.as_ref().and_then(|d| d.columns.get(column as usize)) else {
            return unsupported("DEFAULT() of a derived column");
        };
        match &col.default {
            storage::dict::ColumnDefault::Value(v) => Ok(Expr { kind: ExprKind::Const(v.clone()), ..e }),
            storage::dict::ColumnDefault::None => Err(SqlError::new(ErrorCode::NO_DEFAULT_FOR_FIELD, &[&col.name])),
            _ => unsupported("DEFAULT() of an expression default"),
        }
    }
}

/// A DECIMAL constant without a fraction.
fn decimal_const(n: i128) -> Expr {
    let d = value::Decimal::from_i128(n, 0);
    let ty = SqlType::decimal(d.precision(), 0).nullable(false);
    Expr { kind: ExprKind::Const(OwnedValue::Decimal(Box::new(d))), ty, coer: Coercibility::Ignorable }
}

/// Characters that a parameter is given room for where its type converts it (any statement's text is shorter).
const LIFTED_CHARS: u64 = 1 << 28;

fn check_fsp(f: Option<u32>) -> SqlResult<u8> {
    match f {
        None => Ok(0),
        Some(n) if n <= 6 => Ok(n as u8),
        Some(n) => Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&n, &"CAST", &6])),
    }
}

/// A result branch converted to the common type where the values' representations differ.
pub(crate) fn convert_branch(e: Expr, ty: &SqlType) -> Expr {
    if e.ty.kind == TypeKind::Null || same_representation(&e.ty, ty) {
        return e;
    }
    let mut to = ty.clone();
    to.nullable = e.ty.nullable || to.nullable;
    Expr { coer: e.coer, ty: to, kind: ExprKind::Cast(Box::new(e)) }
}

/// Whether a value of type `a` is already a value of type `b` (same `Value` variant, same character set, same scale).
pub(crate) fn same_representation(a: &SqlType, b: &SqlType) -> bool {
    if a.kind.is_integer() && b.kind.is_integer() {
        return a.unsigned == b.unsigned && !a.zerofill;
    }
    if a.kind.is_string() && b.kind.is_string() {
        return a.collation == CollationId::BINARY || b.collation == CollationId::BINARY || a.charset() == b.charset();
    }
    if a.kind == TypeKind::Decimal && b.kind == TypeKind::Decimal {
        return true;
    }
    if a.kind.is_float() && b.kind == TypeKind::Double {
        return true;
    }
    if a.kind.has_date() && b.kind.has_date() {
        return (a.kind == TypeKind::Date) == (b.kind == TypeKind::Date);
    }
    a.kind == b.kind && a.members == b.members
}

/// A constant string that will be compared with a date or time is converted once.
fn temporal_constant(e: Expr, other: &SqlType) -> Expr {
    let string = e.ty.kind.is_string() && e.is_const();
    if !string || !other.kind.is_temporal() || other.kind == TypeKind::Time {
        return e;
    }
    let ty = SqlType::temporal(TypeKind::DateTime, 6).nullable(true);
    let coer = if other.kind == TypeKind::Date { DATE_CONSTANT } else { DATETIME_CONSTANT };
    Expr { kind: ExprKind::Cast(Box::new(e)), ty, coer }
}
