//! User variables in expressions: `@name` and `@name := value`.
//!
//! A statement is resolved with the type that a variable has then. Where a function of the statement assigns to it, its
//! value is read as that type ([`crate::rows::user_vars::read_as`]), but its text is the text of what it holds:
//! `SET @b = 7; SELECT f(), CONCAT(@b, '')`, where `f` sets it to 'seven', gives 'seven', as in MySQL. Tested: golden
//! `programs_variables`, `user_variables`.

use super::{Cx, copied, eval};
use crate::rows::slot::room_for_copy;
use crate::rows::user_vars::{UserVar, read_as};
use base::SqlResult;
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use value::{SqlType, TypeKind, Value};

/// `@name`, as a value of the type `to`.
pub(super) fn read<'a>(name: &str, to: &SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let (value, ty) = held(name, cx, arena)?;
    read_as(value, arena.alloc(ty), to, &mut cx.env.conv, arena)
}

/// What it holds; NULL if nobody has assigned to it.
fn held<'a>(name: &str, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<(Value<'a>, SqlType)> {
    cx.env.binlog.note_user_var(name, &cx.env.user_vars);
    match cx.env.user_vars.get(name) {
        Some(v) => Ok((copied(v.value.as_value(), arena)?, v.ty.clone())),
        None => Ok((Value::Null, SqlType::new(TypeKind::Null))),
    }
}

/// The value of `e` of which the text is wanted. `own`: its type, where that is another than `e`'s, as that of a
/// variable that was a number may be.
#[inline]
pub(super) fn for_text<'a>(
    e: &'a Expr,
    own: &mut Option<SqlType>,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    match &e.kind {
        ExprKind::UserVar(name) if e.ty.kind.is_numeric() => {
            let (v, ty) = held(name, cx, arena)?;
            *own = Some(ty);
            Ok(v)
        }
        _ => eval(e, cx, arena),
    }
}

/// `@name := x`.
pub(super) fn assign<'a>(name: &str, x: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let v = eval(x, cx, arena)?;
    room_for_copy(v)?;
    cx.env.user_vars.insert(name.into(), UserVar::new(v.to_owned(), x.ty.clone()));
    Ok(v)
}
