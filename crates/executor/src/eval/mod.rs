//! Evaluation of expressions. [`eval`] computes the value of one expression for the current row.
//!
//! It walks the tree that the planner has bound, and calls the function family's file for each SQL function
//! (`string.rs` for CONCAT, `temporal.rs` for DATE_ADD ...). A value borrows its bytes from the arena that was
//! passed in, or from the plan if it is a constant; operators reset their arena after each row, so a value that is
//! to live longer is copied ([`OwnedValue`]). AND, OR, IF, CASE and COALESCE evaluate only the operands that they
//! need.

mod aes;
mod arith;
#[cfg(test)]
mod asks_tests;
pub(crate) mod bitbytes;
pub(crate) mod cast;
mod codes;
pub(crate) mod compare;
mod context;
mod control;
mod crypto;
mod date_format;
mod encoded;
pub(crate) mod fulltext;
mod greatest;
mod gtids;
pub(crate) mod in_set;
mod in_whole;
mod inet;
mod info;
pub(crate) mod json;
mod like;
mod math;
mod md5;
pub(crate) mod numbers;
pub(crate) mod regexp;
mod regexp_engine;
mod regexp_error;
mod regexp_lines;
mod regexp_long;
#[cfg(test)]
mod regexp_long_tests;
mod regexp_match;
#[cfg(test)]
mod regexp_match_tests;
mod regexp_program;
mod regexp_set;
mod regexp_shape;
mod server;
mod stored;
pub(crate) mod string;
pub mod sys_parameters;
mod sys_schema;
mod temporal;
mod user_locks;
mod uuid;
mod variable;
mod zlib;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind, VarScope};
use planner::func::FuncId;
use planner::func::family::{self, Family};
use planner::plan::Plan;
use value::{CollationId, Date, DateTime, Decimal, OwnedValue, SqlType, TypeKind, Value, convert};

use crate::rows::slot::{LARGE, room_for_copy};

pub(crate) use compare::matches as like_matches;
pub use context::{Cx, SharedRows, Subqueries};

/// The arguments of a function call. They are evaluated when they are asked for ([`Args::text`], [`Args::int`]
/// ...).
pub(crate) struct Args<'a> {
    pub(crate) list: &'a [Expr],
    pub(crate) arena: &'a Bump,
    /// The type of the function's result.
    pub(crate) ty: &'a SqlType,
}

/// The moment in UTC that is stored in a TIMESTAMP column, if `e` is such a column of a table's row; `None`
/// otherwise and for NULL. UNIX_TIMESTAMP, ORDER BY and whatever else MySQL bases on the stored moment ask this
/// before they take the column's value: that is a local time, and when clocks go back in autumn one local time
/// (02:30) is two moments.
pub(crate) fn moment(e: &Expr, cx: &Cx<'_>, arena: &Bump) -> SqlResult<Option<value::DateTime>> {
    match &e.kind {
        ExprKind::Column { slot, column } if e.ty.kind == value::TypeKind::Timestamp => {
            cx.moment(*slot, *column, arena)
        }
        _ => Ok(None),
    }
}

/// The value by which rows are ordered: for a TIMESTAMP column its [`moment`], otherwise the expression's value.
/// `e` may be a column of the tuple in `slot`, which keeps the values of the expressions `payload`; then it is
/// ordered as the expression is.
pub(crate) fn order_value<'a>(
    e: &'a Expr,
    (slot, payload): (u16, &[Expr]),
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let origin = match e.kind {
        ExprKind::Column { slot: s, column } if s == slot => payload.get(column as usize).unwrap_or(e),
        _ => e,
    };
    match moment(origin, cx, arena)? {
        Some(d) => Ok(Value::DateTime(d)),
        None => eval(e, cx, arena),
    }
}

/// The value of a parameter whose type is a number, date or time, but for which the client sent a text. The text is
/// converted; a text that is no date gives NULL. Where the parameter is used, a warning follows (an error in a
/// statement that changes rows).
#[cold]
fn no_value<'a>(text: &[u8], ty: &SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    if ty.kind == TypeKind::Date {
        cx.env.conv.truncated_wrong_value("date", text);
        return Ok(Value::Null);
    }
    let from = SqlType::varchar(u32::try_from(text.len()).unwrap_or(u32::MAX), CollationId::UTF8MB4_BIN);
    convert::cast(Value::Str(arena.alloc_slice_copy(text)), &from, ty, &mut cx.env.conv, arena)
}

/// Whether a text that is no date or time was sent for a parameter that is one. Its value is NULL, but `<=>` does not find
/// it equal to NULL.
pub(crate) fn is_no_date(e: &Expr, cx: &Cx<'_>) -> bool {
    let ExprKind::Param(i) = e.kind else { return false };
    e.ty.kind.is_temporal() && matches!(cx.params.get(i as usize), Some(OwnedValue::Str(_)))
}

/// Whether an expression is a column or a program's variable and nothing more (`ConvCtx::copied`).
#[inline]
pub fn is_field(e: &Expr, plan: &Plan) -> bool {
    match e.kind {
        ExprKind::Column { .. } => true,
        ExprKind::Param(_) => plan.notes.of_program,
        _ => false,
    }
}

/// Value of an expression.
pub fn eval<'a>(e: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match &e.kind {
        ExprKind::Const(v) => Ok(v.as_value()),
        ExprKind::Param(i) => match cx.params.get(*i as usize).map_or(Value::Null, |v| v.as_value()) {
            Value::Str(s) if e.ty.kind.is_numeric() || e.ty.kind.is_temporal() => no_value(s, &e.ty, cx, arena),
            v => copied(v, arena),
        },
        ExprKind::Column { slot, column } => cx.column(*slot, *column, arena),
        ExprKind::Once(n, inner) => {
            if let Some(Some(v)) = cx.once.get(*n as usize) {
                room_for_copy(v.as_value())?;
                return copied(v.as_value(), arena);
            }
            let v = eval(inner, cx, arena)?;
            room_for_copy(v)?;
            if let Some(o) = cx.once.get_mut(*n as usize) {
                *o = Some(v.to_owned());
            }
            Ok(v)
        }
        ExprKind::Compare { op, args, cmp } => compare::compare(*op, args, cmp, cx, arena),
        ExprKind::And(list) => {
            let mut null = false;
            for x in list.iter() {
                match truth(x, cx, arena)? {
                    Some(false) => return Ok(Value::Int(0)),
                    None => null = true,
                    Some(true) => {}
                }
            }
            Ok(if null { Value::Null } else { Value::Int(1) })
        }
        ExprKind::Or(list) => {
            let mut null = false;
            for x in list.iter() {
                match truth(x, cx, arena)? {
                    Some(true) => return Ok(Value::Int(1)),
                    None => null = true,
                    Some(false) => {}
                }
            }
            Ok(if null { Value::Null } else { Value::Int(0) })
        }
        ExprKind::Not(x) => Ok(truth(x, cx, arena)?.map_or(Value::Null, |b| Value::from_bool(!b))),
        ExprKind::Xor(args) => {
            let [a, b] = args.as_ref();
            let (a, b) = (truth(a, cx, arena)?, truth(b, cx, arena)?);
            Ok(match (a, b) {
                (Some(a), Some(b)) => Value::from_bool(a != b),
                _ => Value::Null,
            })
        }
        ExprKind::IsNull(x, negated) => Ok(Value::from_bool(eval(x, cx, arena)?.is_null() != *negated)),
        ExprKind::IsTruth(x, want, negated) => Ok(Value::from_bool((truth(x, cx, arena)? == Some(*want)) != *negated)),
        ExprKind::Between { negated, args, cmp } => compare::between(*negated, args, cmp, cx, arena),
        ExprKind::InList { negated, left, list, cmp } => compare::in_list(*negated, left, list, cmp, cx, arena),
        ExprKind::CompareRow { op, left, right, cmp } => compare::rows(*op, left, right, cmp, cx, arena),
        ExprKind::Like { args, escape, negated, collation } => {
            compare::like(args, *escape, *negated, *collation, cx, arena)
        }
        ExprKind::Case { operand, branches, cmp, otherwise } => {
            control::case(operand.as_deref(), branches, cmp, otherwise.as_deref(), cx, arena)
        }
        ExprKind::Cast(x) => cast::cast(x, e, cx, arena),
        ExprKind::Call(f, args) => match call(*f, Args { list: args, arena, ty: &e.ty }, e, cx) {
            Ok(v @ (Value::Str(s) | Value::Json(s))) if s.len() >= LARGE => {
                base::interrupt::worked(s.len())?;
                base::memory::check().map(|()| v)
            }
            Err(error) if error.is(ErrorCode::DATA_OUT_OF_RANGE) => Err(with_names(error, e, cx)),
            r => r,
        },
        ExprKind::Subquery(id, how) => match cx.subqueries.clone() {
            Some(s) => s.value(*id, how, cx, arena),
            None => Err(SqlError::unsupported("a subquery here")),
        },
        ExprKind::UserVar(name) => variable::read(name, &e.ty, cx, arena),
        ExprKind::AssignUserVar(name, x) => variable::assign(name, x, cx, arena),
        ExprKind::SysVar(scope, name) => info::system_variable(*scope, name, &e.ty, cx, arena),
        ExprKind::Agg { .. } | ExprKind::Win(_) => Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[])),
        ExprKind::InsertedValue(_) => Ok(Value::Null),
        ExprKind::DefaultValue => Err(SqlError::unsupported("DEFAULT in this place")),
        ExprKind::Row(_) => Err(SqlError::new(ErrorCode::OPERAND_COLUMNS, &[&1])),
    }
}

/// Rewrites error 1690 ("value is out of range in '...'") if it is about this very expression, so that it shows
/// names of columns and literals as MySQL does, not those of the plan.
#[cold]
fn with_names(error: SqlError, e: &Expr, cx: &Cx<'_>) -> SqlError {
    let plain = format!("'{}'", planner::explain::print(e));
    match error.message().strip_suffix(plain.as_str()) {
        Some(head) => {
            let text = planner::error_expr::expression(e, cx.plan, cx.params);
            SqlError::with_message(ErrorCode::DATA_OUT_OF_RANGE, format!("{head}'{text}'"))
        }
        None => error,
    }
}

/// Whether a condition is true; false and NULL are the same here. So an AND ends at its first operand that is not true,
/// and errors that later operands would have raised do not occur.
pub(crate) fn holds(e: &Expr, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<bool> {
    match &e.kind {
        ExprKind::And(list) => {
            for x in list.iter() {
                if !holds(x, cx, arena)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(truth(e, cx, arena)? == Some(true)),
    }
}

/// Truth value of a condition; `None` = NULL.
#[inline]
pub fn truth(e: &Expr, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<Option<bool>> {
    Ok(match numbers::operand(e, cx, arena)? {
        Value::Int(n) => Some(n != 0),
        Value::Null => None,
        v => numbers::read(e, cx, |conv| convert::to_bool(v, &e.ty, conv)),
    })
}

impl<'a> Args<'a> {
    /// Expression of argument `i`.
    pub(crate) fn expr(&self, i: usize) -> SqlResult<&'a Expr> {
        self.list.get(i).ok_or_else(|| SqlError::unsupported("missing argument"))
    }
    /// Whether the argument stands as a literal in the statement.
    pub(crate) fn is_literal(&self, i: usize) -> bool {
        self.list.get(i).is_some_and(|e| matches!(e.kind, ExprKind::Const(_)))
    }
    /// Number of arguments.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
    /// Static type of argument `i`.
    pub(crate) fn ty(&self, i: usize) -> SqlResult<&'a SqlType> {
        Ok(&self.expr(i)?.ty)
    }
    /// Value of argument `i`.
    pub(crate) fn value(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
        eval(self.expr(i)?, cx, self.arena)
    }
    /// Value of argument `i`, which is read as a number.
    pub(crate) fn number(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
        numbers::operand(self.expr(i)?, cx, self.arena)
    }
    /// As an integer; `None` = NULL.
    pub(crate) fn int(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<i64>> {
        let v = self.number(i, cx)?;
        self.to_int(v, i, cx)
    }
    /// Value of argument `i` as a number of characters or digits. A value beyond the range of i64 counts as its
    /// largest.
    pub(crate) fn count(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<i64>> {
        match self.number(i, cx)? {
            Value::UInt(n) => Ok(Some(i64::try_from(n).unwrap_or(i64::MAX))),
            v => self.to_int(v, i, cx),
        }
    }
    /// The value that argument `i` had, as an integer. (An argument is evaluated once only: it may have effects, and
    /// nested calls that evaluate twice take exponential time.)
    pub(crate) fn to_int(&self, v: Value<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<i64>> {
        Ok(match v {
            Value::Null => None,
            Value::Int(n) => Some(n),
            v => {
                let e = self.expr(i)?;
                Some(numbers::read_whole(e, cx, |conv| convert::to_i64(v, &e.ty, conv)))
            }
        })
    }
    /// The value that argument `i` had as text.
    pub(crate) fn to_text(&self, v: Value<'a>, i: usize) -> SqlResult<Option<&'a [u8]>> {
        Ok(text_of(v, self.ty(i)?, self.arena))
    }
    /// As an unsigned integer; `None` = NULL.
    pub(crate) fn uint(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<u64>> {
        Ok(match self.number(i, cx)? {
            Value::Null => None,
            Value::UInt(n) => Some(n),
            Value::Int(n) => Some(n as u64),
            // as a signed number whose bits are taken
            v @ Value::Decimal(d) if d.is_negative() => Some(convert::to_i64(v, self.ty(i)?, &mut cx.env.conv) as u64),
            v => {
                let e = self.expr(i)?;
                Some(numbers::read_whole(e, cx, |conv| convert::to_u64(v, &e.ty, conv)))
            }
        })
    }
    /// As a double; `None` = NULL.
    pub(crate) fn double(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<f64>> {
        let v = self.number(i, cx)?;
        self.to_double(v, i, cx)
    }
    /// The value that argument `i` had as a double.
    pub(crate) fn to_double(&self, v: Value<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<f64>> {
        Ok(match v {
            Value::Null => None,
            Value::Double(n) => Some(n),
            v => {
                let e = self.expr(i)?;
                Some(numbers::read(e, cx, |conv| convert::to_f64(v, &e.ty, conv)))
            }
        })
    }
    /// As a decimal; `None` = NULL.
    pub(crate) fn decimal(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<Decimal>> {
        Ok(match self.number(i, cx)? {
            Value::Null => None,
            Value::Decimal(d) => Some(*d),
            v => Some(numbers::decimal(v, self.expr(i)?, cx)),
        })
    }
    /// As text in the argument's character set; `None` = NULL.
    pub(crate) fn text(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<&'a [u8]>> {
        let (e, mut own) = (self.expr(i)?, None);
        let v = variable::for_text(e, &mut own, cx, self.arena)?;
        Ok(text_of(v, own.as_ref().unwrap_or(&e.ty), self.arena))
    }
    /// As DATETIME; `None` = NULL or not a date (with a warning).
    pub(crate) fn datetime(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<DateTime>> {
        let v = self.value(i, cx)?;
        Ok(numbers::read_named(self.expr(i)?, cx, |t, conv| convert::to_datetime(v, t, conv)))
    }
    /// As DATE.
    pub(crate) fn date(&self, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<Date>> {
        let v = self.value(i, cx)?;
        Ok(numbers::read_named(self.expr(i)?, cx, |t, conv| convert::to_date(v, t, conv)))
    }
    /// A string built in the arena.
    pub(crate) fn str(&self, bytes: &[u8]) -> Value<'a> {
        Value::Str(self.arena.alloc_slice_copy(bytes))
    }
    /// The texts one behind the other, `len` bytes in all, built directly in the arena.
    pub(crate) fn join(&self, parts: &[&[u8]], len: usize) -> SqlResult<Value<'a>> {
        joined(parts, len, self.arena).map(Value::Str)
    }
    /// A string in the arena that may be long.
    pub(crate) fn long(&self, bytes: &[u8]) -> SqlResult<Value<'a>> {
        self.join(&[bytes], bytes.len())
    }
    /// A decimal in the arena.
    pub(crate) fn dec(&self, d: Decimal) -> Value<'a> {
        Value::Decimal(self.arena.alloc(d))
    }
}

/// The texts one behind the other. They may be long: between pieces it is asked whether the statement is to stop.
fn joined<'a>(parts: &[&[u8]], len: usize, arena: &'a Bump) -> SqlResult<&'a [u8]> {
    let mut to = bumpalo::collections::Vec::with_capacity_in(len, arena);
    for piece in parts.iter().flat_map(|part| part.chunks(base::interrupt::SHARE)) {
        base::interrupt::worked(piece.len())?;
        to.extend_from_slice_copy(piece);
    }
    Ok(to.into_bump_slice())
}

/// A copy in the arena.
fn copied<'a>(v: Value<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    Ok(match v {
        Value::Str(s) => Value::Str(joined(&[s], s.len(), arena)?),
        Value::Json(s) => Value::Json(joined(&[s], s.len(), arena)?),
        v => v.copy_into(arena),
    })
}

/// NULL, with warning 1411 ("Incorrect ... value"), which shows the first argument as it is written in the
/// statement.
#[cold]
fn wrong_value<'a>(kind: &str, a: &Args<'a>, f: impl Into<FuncId>, cx: &mut Cx<'_>) -> Value<'a> {
    let shown = a.list.first().map(|e| planner::error_expr::expression(e, cx.plan, cx.params)).unwrap_or_default();
    cx.env.conv.warn(ErrorCode::WRONG_VALUE_FOR_TYPE, &[&kind, &shown, &f.into().name()]);
    Value::Null
}

/// Text of a value; `None` for NULL.
pub(crate) fn text_of<'a>(v: Value<'a>, ty: &SqlType, arena: &'a Bump) -> Option<&'a [u8]> {
    match v {
        Value::Null => None,
        Value::Str(s) => Some(s),
        v => {
            let mut out = Vec::with_capacity(32);
            convert::to_text(v, ty, &mut out);
            Some(arena.alloc_slice_copy(&out))
        }
    }
}

/// Calls the function of the family that `f` belongs to. Each family matches its enum without `_`, so that the
/// compiler names the body that a new function lacks.
fn call<'a>(f: FuncId, a: Args<'a>, e: &'a Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f.family() {
        Family::Arithmetic(f) => arith::arithmetic(f, &a, e, cx),
        Family::Bits(f) => arith::bits(f, &a, cx),
        Family::Control(f) => control::call(f, &a, cx),
        Family::Math(f) => math::call(f, &a, e, cx),
        Family::Real(f) => math::real(f, &a, e, cx),
        Family::Built(f) => string::built(f, &a, cx),
        Family::Text(f) => string::text(f, &a, cx),
        Family::Codes(f) => codes::call(f, &a, cx),
        Family::Encoded(f) => encoded::call(f, &a, cx),
        Family::Regexp(f) => regexp::call(f, &a, cx),
        Family::Moment(f) => temporal::moment(f, &a, cx),
        Family::Day(f) => temporal::day(f, &a, cx),
        Family::Session(f) => info::call(f, &a, cx),
        Family::Crypto(f) => crypto::call(f, &a, cx),
        Family::Aes(f) => aes::call(f, &a, cx),
        Family::Zlib(f) => zlib::call(f, &a, cx),
        Family::Uuid(f) => uuid::call(f, &a, cx),
        Family::Locks(f) => user_locks::call(f, &a, cx),
        Family::Gtids(f) => gtids::call(f, &a, cx),
        Family::Ipv4(f) => inet::ipv4(f, &a, cx),
        Family::Ipv6(f) => inet::ipv6(f, &a, cx),
        Family::Server(f) => server::call(f, &a, cx),
        Family::SysSchema(f) => sys_schema::call(f, &a, cx),
        Family::Fulltext(family::Fulltext::Match(n)) => fulltext::call(n, &a, cx),
        Family::JsonMade(f) => json::build::call(f, &a, cx),
        Family::JsonFound(f) => json::search::call(f, &a, cx),
        Family::JsonChanged(f) => json::change::call(f, &a, cx),
        Family::JsonSchema(f) => json::schema::call(f, &a, cx),
        Family::Program(f) => stored::call(f, &a, cx),
    }
}

/// Scope as a word, for messages.
pub(crate) fn is_global(s: VarScope) -> bool {
    s == VarScope::Global
}

/// Whether a type holds text rather than numbers.
pub(crate) fn is_text(t: &SqlType) -> bool {
    t.kind.is_string() || matches!(t.kind, TypeKind::Enum | TypeKind::Set)
}
