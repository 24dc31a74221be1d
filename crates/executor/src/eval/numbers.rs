//! Values of expressions read as numbers, and what is said about those that are none.
//!
//! `value::convert` warns about every text that is no number. Where the text comes from decides whether MySQL does: a
//! column of a TEXT or BLOB type, COALESCE, GREATEST and LEAST, ANY_VALUE and a subquery that is computed once convert
//! it without a word, a user variable as an integer or a DECIMAL, IF, CASE and NULLIF as the operand that their value
//! is of; a CHAR or VARCHAR column, a literal and everything else warn (1292). As a DECIMAL a column's text without any
//! number is 1366. JSON values that are no number are 3156 with the name of what they come from. What warns makes a
//! change fail in strict mode. (golden `read_numbers`)

use std::cmp::Ordering;

use base::{ErrorCode, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use planner::func::FuncId;
use value::compare::{Comparator, ComparisonKind};
use value::context::{ConvCtx, Warned};
use value::{Decimal, SqlMode, SqlType, TypeKind, Value, convert};

use super::{Args, eval, truth};
use crate::eval::Cx;

/// Value of an operand that is read as a number: IF, CASE and ELT ask the operand that they choose for its number, so that an ENUM, SET or BIT among
/// texts is no text there. (IFNULL, COALESCE, GREATEST and LEAST are the text.) Tested: golden `chosen_operands`.
#[inline]
pub(crate) fn operand<'a>(e: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    if is_delegated(e) { chosen_operand(e, cx, arena) } else { eval(e, cx, arena) }
}

/// Whether [`operand`] of `e` may be another value than `e` has as a text.
#[inline]
pub(crate) fn is_delegated(e: &Expr) -> bool {
    let chooses =
        matches!(e.kind, ExprKind::Call(FuncId::If | FuncId::Elt | FuncId::InCharset, _) | ExprKind::Case { .. });
    chooses && e.ty.kind.is_string()
}

fn chosen_operand<'a>(e: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match &e.kind {
        ExprKind::Call(FuncId::If, args) => match args.as_ref() {
            [condition, yes, no] => {
                let yes_chosen = truth(condition, cx, arena)? == Some(true);
                operand(if yes_chosen { yes } else { no }, cx, arena)
            }
            _ => eval(e, cx, arena),
        },
        ExprKind::Call(FuncId::Elt, args) => {
            let a = Args { list: args, arena, ty: &e.ty };
            match super::codes::elt_number(&a, cx)? {
                Some(n) => operand(a.expr(n)?, cx, arena),
                None => Ok(Value::Null),
            }
        }
        ExprKind::Call(FuncId::InCharset, args) => match args.as_ref() {
            [x] if matches!(x.ty.kind, TypeKind::Enum | TypeKind::Set | TypeKind::Bit) => eval(x, cx, arena),
            _ => eval(e, cx, arena),
        },
        ExprKind::Case { operand: sought, branches, cmp, otherwise } => {
            match super::control::chosen(sought.as_deref(), branches, cmp, cx, arena)?.or(otherwise.as_deref()) {
                Some(x) => operand(x, cx, arena),
                None => Ok(Value::Null),
            }
        }
        _ => eval(e, cx, arena),
    }
}

/// The left side of IN, where one value does for all members.
pub(crate) fn listed<'a>(e: &'a Expr, cmp: &[Comparator], cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match cmp.first() {
        Some(first) if cmp.iter().all(|c| c.kind == first.kind) => compared(e, first, cx, arena),
        _ => eval(e, cx, arena),
    }
}

/// Value of an operand of a comparison.
#[inline]
pub(crate) fn compared<'a>(e: &'a Expr, c: &Comparator, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match c.kind {
        ComparisonKind::Double | ComparisonKind::Decimal | ComparisonKind::Int => operand(e, cx, arena),
        _ => eval(e, cx, arena),
    }
}

/// Whether the text of `e` is read as a number without a warning, whichever kind of number.
fn silent(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Column { .. } => e.ty.kind.is_lob(),
        ExprKind::Subquery(..) => true,
        ExprKind::Call(f, args) => match f {
            FuncId::Coalesce | FuncId::IfNull | FuncId::Greatest | FuncId::Least => true,
            FuncId::If => chosen(args.iter().skip(1)),
            FuncId::NullIf => match args.first().map(|x| &x.kind) {
                Some(ExprKind::Compare { args, .. }) => args.first().is_some_and(silent),
                _ => false,
            },
            _ => false,
        },
        ExprKind::Case { branches, otherwise, .. } => chosen(branches.iter().map(|b| &b.1).chain(otherwise.as_deref())),
        _ => false,
    }
}

/// The same of what IF or CASE chooses among: texts that are read silently, numbers and literals, but not literals alone.
fn chosen<'e>(mut results: impl Iterator<Item = &'e Expr>) -> bool {
    let mut some = false;
    let all = results.all(|x| match &x.kind {
        ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::Once(..) => true,
        ExprKind::Cast(n) if n.ty.kind.is_numeric() => true,
        ExprKind::Call(FuncId::InCharset, of) if of.iter().all(|x| !x.ty.kind.is_string()) => true,
        _ if !x.ty.kind.is_string() => true,
        _ => {
            some = true;
            silent(x)
        }
    });
    all && some
}

/// What `read` makes of a value of `e`.
#[inline]
pub(crate) fn read<T>(e: &Expr, cx: &mut Cx<'_>, read: impl FnOnce(&mut ConvCtx) -> T) -> T {
    let before = cx.env.conv.warned();
    let n = whole_rounded(e, cx, read);
    if cx.env.conv.warned() != before {
        settle(e, before, cx);
    }
    n
}

/// The same for what is read as an integer: the text of a user variable is, without a word.
#[inline]
pub(crate) fn read_whole<T>(e: &Expr, cx: &mut Cx<'_>, f: impl FnOnce(&mut ConvCtx) -> T) -> T {
    let before = cx.env.conv.warned();
    let n = read(e, cx, f);
    if cx.env.conv.warned() != before && matches!(e.kind, ExprKind::UserVar(_)) {
        cx.env.conv.forget_since(before);
    }
    n
}

/// Columns of times are rounded to integers whatever TIME_TRUNCATE_FRACTIONAL says.
#[inline]
pub(super) fn whole_rounded<T>(e: &Expr, cx: &mut Cx<'_>, read: impl FnOnce(&mut ConvCtx) -> T) -> T {
    let conv = &mut cx.env.conv;
    let mode = conv.sql_mode;
    if !mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL) || !matches!(e.kind, ExprKind::Column { .. }) {
        return read(conv);
    }
    conv.sql_mode = SqlMode(mode.0 & !SqlMode::TIME_TRUNCATE_FRACTIONAL.0);
    let n = read(conv);
    conv.sql_mode = mode;
    n
}

/// What `read` makes of a value of `e`, no number: JSON values that are none of what is asked for have their names in what is said.
#[inline]
pub(crate) fn read_named<T>(e: &Expr, cx: &mut Cx<'_>, read: impl FnOnce(&SqlType, &mut ConvCtx) -> T) -> T {
    let before = cx.env.conv.warned();
    let v = read(&e.ty, &mut cx.env.conv);
    if e.ty.kind == TypeKind::Json && cx.env.conv.warned() != before {
        settle(e, before, cx);
    }
    v
}

/// The same where the only one of `left` is read.
#[inline]
pub(super) fn read_all<T>(left: &[Expr], cx: &mut Cx<'_>, f: impl FnOnce(&mut ConvCtx) -> T) -> T {
    match left {
        [e] => read(e, cx, f),
        _ => f(&mut cx.env.conv),
    }
}

/// A value of `e` has been read as a number with a warning.
#[cold]
fn settle(e: &Expr, before: Warned, cx: &mut Cx<'_>) {
    if e.ty.kind == TypeKind::Json {
        super::cast::name_json(e, ("", 1), cx.env.conv.row, before.shown(), cx);
    } else if e.ty.kind.is_string() && silent(e) {
        cx.env.conv.forget_since(before);
    }
}

/// Operands have been compared with warnings: whether they are forgotten, as those of texts that are read silently.
#[cold]
pub(super) fn compared_silently<'e>(
    operands: impl Iterator<Item = &'e Expr>,
    c: &Comparator,
    before: Warned,
    cx: &mut Cx<'_>,
) -> bool {
    let silent = c.kind == ComparisonKind::Double && operands.filter(|e| e.ty.kind.is_string()).all(silent);
    if silent {
        cx.env.conv.forget_since(before);
    }
    silent
}

/// Two values compared, each with its expression.
#[inline]
pub(super) fn compare(
    (a, l): (Value<'_>, &Expr),
    (b, r): (Value<'_>, &Expr),
    c: &Comparator,
    cx: &mut Cx<'_>,
) -> Option<Ordering> {
    let before = cx.env.conv.warned();
    let o = c.compare(a, b, &mut cx.env.conv);
    if cx.env.conv.warned() != before {
        compared_silently([l, r].into_iter(), c, before, cx);
    }
    o
}

/// A value of `e` as a DECIMAL.
pub(crate) fn decimal(v: Value<'_>, e: &Expr, cx: &mut Cx<'_>) -> Decimal {
    let before = cx.env.conv.warned();
    let d = convert::to_decimal(v, &e.ty, &mut cx.env.conv);
    if cx.env.conv.warned() != before {
        settle_decimal(v, e, before, cx);
    }
    d
}

/// A value of `e` has been read as a DECIMAL with a warning.
#[cold]
fn settle_decimal(v: Value<'_>, e: &Expr, before: Warned, cx: &mut Cx<'_>) {
    if matches!(e.kind, ExprKind::UserVar(_)) {
        return cx.env.conv.forget_since(before);
    }
    let Value::Str(s) = v else { return settle(e, before, cx) };
    settle(e, before, cx);
    if matches!(e.kind, ExprKind::Column { .. }) && Decimal::parse_prefix(s).consumed == 0 {
        // MySQL says this, and then what is said about other texts
        let said = cx.env.conv.warned() != before;
        cx.env.conv.forget_since(before);
        let (column, row) = ("", "-1");
        cx.env.conv.warn(ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD, &[&"DECIMAL", &"0", &column, &row]);
        if said {
            cx.env.conv.truncated_wrong_value("DECIMAL", s);
        }
    }
}

/// CAST of a value of `e` as a number has warned. As an integer texts of every kind warn.
#[cold]
pub(super) fn settle_cast(v: Value<'_>, e: &Expr, to: TypeKind, before: Warned, cx: &mut Cx<'_>) {
    match to {
        TypeKind::Decimal => settle_decimal(v, e, before, cx),
        k if k.is_float() => settle(e, before, cx),
        _ => {}
    }
}
