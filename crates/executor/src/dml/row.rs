//! Building the row that will be stored.

use crate::context::Cx;
use crate::eval::eval;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind, SlotId};
use planner::plan::TableExprs;
use storage::dict::{ColumnDef, ColumnDefault, TableDef};
use value::convert::{convert_for_column, implicit_default};
use value::{Level, SqlMode, SqlType, TypeKind, Value};

/// Type of what NOW() gives to a column.
static NOW: SqlType = SqlType::temporal(TypeKind::DateTime, 6);

/// Value of an assignment's right side, converted to the column.
pub(super) fn assigned<'a>(
    e: &'a Expr,
    c: &'a ColumnDef,
    row: u64,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if matches!(e.kind, ExprKind::DefaultValue) {
        return default_value(c, cx, arena);
    }
    let v = eval(e, cx, arena)?;
    convert_for_column(v, &e.ty, &c.ty, &mut cx.env.conv, &c.name, row, arena)
}

/// DEFAULT of a column without a default expression; 1364 where there is none.
pub(super) fn default_value<'a>(c: &'a ColumnDef, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match &c.default {
        ColumnDefault::Value(v) => Ok(v.as_value()),
        ColumnDefault::Now => {
            let now = Value::DateTime(cx.env.now());
            convert_for_column(now, &NOW, &c.ty, &mut cx.env.conv, &c.name, 1, arena)
        }
        // evaluated later, when the rest of the row is known
        ColumnDefault::Expr(_) => Ok(Value::Null),
        ColumnDefault::None if c.auto_increment || c.generated.is_some() => Ok(Value::Null),
        ColumnDefault::None if c.ty.nullable => Ok(Value::Null),
        ColumnDefault::None => {
            cx.env.conv.fail_or_warn(ErrorCode::NO_DEFAULT_FOR_FIELD, &[&c.name])?;
            Ok(implicit_default(&c.ty))
        }
    }
}

/// Current time for ON UPDATE CURRENT_TIMESTAMP.
pub(super) fn now_for<'a>(c: &ColumnDef, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let now = Value::DateTime(cx.env.now());
    convert_for_column(now, &NOW, &c.ty, &mut cx.env.conv, &c.name, 1, arena)
}

/// Evaluates expression defaults (`wanted`: columns that got no value) and generated columns into the row.
pub(super) fn complete<'a>(
    values: &mut [Value<'a>],
    def: &'a TableDef,
    stored: &'a TableExprs,
    slot: SlotId,
    wanted: &dyn Fn(u16) -> bool,
    row: u64,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<()> {
    if stored.defaults.is_empty() && stored.generated.is_empty() {
        return Ok(());
    }
    let defaults = stored.defaults.iter().filter(|(c, _)| wanted(*c));
    for (column, e) in defaults.chain(&stored.generated) {
        cx.slot(slot)?.set_values(values);
        let Some(c) = def.columns.get(*column as usize) else { continue };
        let v = eval(e, cx, arena)?;
        let v = convert_for_column(v, &e.ty, &c.ty, &mut cx.env.conv, &c.name, row, arena)?;
        if let Some(place) = values.get_mut(*column as usize) {
            *place = v;
        }
    }
    Ok(())
}

/// CHECK constraints: 3819 for the first that is false.
pub(super) fn check(
    values: &[Value<'_>],
    stored: &TableExprs,
    slot: SlotId,
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<()> {
    if stored.checks.is_empty() {
        return Ok(());
    }
    cx.slot(slot)?.set_values(values);
    for (name, e) in &stored.checks {
        if crate::eval::truth(e, cx, arena)? == Some(false) {
            return Err(SqlError::new(ErrorCode::CHECK_CONSTRAINT_VIOLATED, &[name]));
        }
    }
    Ok(())
}

/// TIMESTAMP values of the row go to UTC: the form in which they are stored.
pub(super) fn to_stored(values: &mut [Value<'_>], def: &TableDef, cx: &Cx<'_>) {
    for (v, c) in values.iter_mut().zip(&def.columns) {
        if c.ty.kind == TypeKind::Timestamp
            && let Value::DateTime(d) = v
        {
            *v = Value::DateTime(cx.env.conv.time_zone.local_to_utc(*d));
        }
    }
}

/// Gives the AUTO_INCREMENT column its value: a fresh one for NULL and 0, otherwise the counter moves past it.
pub(super) fn auto_increment(
    values: &mut [Value<'_>],
    table: &storage::table::Table,
    column: usize,
    explicit: &mut u64,
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    let Some(c) = table.def.columns.get(column) else { return Ok(()) };
    let Some(v) = values.get_mut(column) else { return Ok(()) };
    let zero_is_value = cx.env.conv.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO);
    let given = match *v {
        Value::Null => None,
        Value::Int(0) | Value::UInt(0) if !zero_is_value => None,
        Value::Double(d) if d == 0.0 && !zero_is_value => None,
        v => Some(v),
    };
    if let Some(v) = given {
        let n = match v {
            Value::Int(n) => u64::try_from(n).unwrap_or(0),
            Value::UInt(n) => n,
            Value::Double(d) if d > 0.0 => d as u64,
            _ => 0,
        };
        if n > 0 {
            cx.env.trx.autoinc_observe(table, n);
            *explicit = n;
        }
        return Ok(());
    }
    let n = if cx.env.insert_id != 0 {
        let n = std::mem::take(&mut cx.env.insert_id);
        cx.env.trx.autoinc_observe(table, n);
        n
    } else {
        use catalog::sysvar::Var;
        let increment = cx.env.vars.num(Var::auto_increment_increment).max(1);
        let offset = cx.env.vars.num(Var::auto_increment_offset).max(1);
        let max = if c.ty.kind.is_integer() { u64::try_from(c.ty.int_range().1).unwrap_or(u64::MAX) } else { 1 << 53 };
        match cx.env.trx.autoinc_reserve(table, 1, increment, offset, max) {
            Ok(n) => n,
            // used up: the largest value again, which is a duplicate, as in MySQL
            Err(storage::StorageError::NotFound) if max < u64::MAX => max,
            Err(storage::StorageError::NotFound) => return Err(SqlError::new(ErrorCode::AUTOINC_READ_FAILED, &[])),
            Err(e) => return Err(e.into()),
        }
    };
    *v = if c.ty.kind.is_float() {
        Value::Double(n as f64)
    } else if c.ty.unsigned {
        Value::UInt(n)
    } else {
        Value::Int(n as i64)
    };
    if cx.first_insert_id == 0 {
        cx.first_insert_id = n;
    }
    Ok(())
}

/// A row's error under IGNORE: a warning, and the row is left out. Errors that end the transaction stay errors.
pub(super) fn ignored(e: SqlError, ignore: bool, cx: &mut Cx<'_>) -> SqlResult<()> {
    let about_the_row = [
        ErrorCode::DUP_ENTRY,
        ErrorCode::BAD_NULL_ERROR,
        ErrorCode::CHECK_CONSTRAINT_VIOLATED,
        ErrorCode::NO_REFERENCED_ROW_2,
        ErrorCode::ROW_IS_REFERENCED_2,
        ErrorCode::SUBQUERY_NO_1_ROW,
    ];
    if ignore && about_the_row.iter().any(|c| e.is(*c)) {
        cx.env.conv.push(Level::Warning, e);
        return Ok(());
    }
    Err(e)
}
