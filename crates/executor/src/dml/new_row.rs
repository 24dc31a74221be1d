//! The new row of an INSERT or UPDATE: conversion into columns, defaults, generated columns, checks, duplicate-key messages.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use planner::plan::{TableExprs, ViewCheck};
use storage::dict::{ColumnDefault, IndexDef, TableDef};
use storage::table::Table;
use value::json::multi::Bad;
use value::temporal::parse::truncate_datetime;
use value::{Charset, Level, SqlType, TimeZone, TypeKind, Value, convert, json};

use super::fail_strictly;
use crate::eval::Cx;
use crate::eval::cast::{name_json, named_json};
use crate::eval::{eval, is_field, truth};

/// Whether a CHECK constraint lets the present row in: where its condition is not false, and in strict mode warns of nothing.
fn holds(e: &Expr, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<bool> {
    let before = cx.env.conv.warnings.len();
    let truth = truth(e, cx, arena)?;
    let warned = cx.env.conv.strict && cx.env.conv.strict_error_since(before).is_some();
    Ok(truth != Some(false) && !warned)
}

/// Value of `e` converted to column `c`; row numbers are 1-based.
pub(super) fn column_value<'a>(
    e: &'a Expr,
    def: &TableDef,
    c: usize,
    row: u64,
    single: bool,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let mut said = cx.env.conv.warnings.len();
    let v = eval(e, cx, arena)?;
    fail_strictly(&mut said, cx)?;
    if e.ty.kind != TypeKind::Json {
        cx.env.conv.copied = is_field(e, cx.plan);
        let done = convert_value(v, &e.ty, def, c, row, single, cx, arena);
        cx.env.conv.copied = false;
        return done;
    }
    let before = cx.env.conv.warnings.len();
    let done = convert_value(v, &e.ty, def, c, row, single, cx, arena);
    let name = def.columns.get(c).map_or("", |c| &c.name);
    if cx.env.conv.warnings.len() > before {
        name_json(e, (name, row), row, before, cx);
    }
    done.map_err(|error| named_json(error, e, name, row, cx))
}

/// The same for a value that is read, not stored: NULL in a NOT NULL column is its type's default.
pub(crate) fn lenient_value<'a>(
    e: &'a Expr,
    def: &TableDef,
    c: u16,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    column_value(e, def, c as usize, 1, false, cx, arena)
}

/// A value of type `from` converted to column `c`. NULL for a NOT NULL column is error 1048, or the implicit default with a warning
/// where MySQL allows it (`single` false and not strict).
#[allow(clippy::too_many_arguments)]
pub(super) fn convert_value<'a>(
    v: Value<'a>,
    from: &SqlType,
    def: &TableDef,
    c: usize,
    row: u64,
    single: bool,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let Some(col) = def.columns.get(c) else { return Err(SqlError::unsupported("column")) };
    if v.is_null() {
        if col.ty.nullable {
            return Ok(v);
        }
        let e = SqlError::new(ErrorCode::BAD_NULL_ERROR, &[&col.name]);
        if single || cx.env.conv.strict {
            return Err(e);
        }
        let again = cx.told_nulls.as_mut().is_some_and(|told| match told.contains(&c) {
            true => true,
            false => {
                told.push(c);
                false
            }
        });
        if !again {
            cx.env.conv.push(Level::Warning, e);
        }
        return Ok(convert::null_replacement(&col.ty).copy_into(arena));
    }
    match (v, col.ty.kind) {
        // by far the most frequent
        (Value::Int(n), TypeKind::BigInt) if !col.ty.unsigned => return Ok(Value::Int(n)),
        (Value::Int(n), TypeKind::Int) if !col.ty.unsigned && i32::try_from(n).is_ok() => return Ok(Value::Int(n)),
        _ => {}
    }
    if col.ty.kind == TypeKind::Json {
        // messages about JSON name the table too
        let name = format!("{}.{}", def.name, col.name);
        return convert::convert_for_column(v, from, &col.ty, &mut cx.env.conv, &name, row, arena);
    }
    convert::assign_to_column(v, from, &col.ty, &mut cx.env.conv, (&col.name, row), arena)
}

/// Default of a column that gets no value, or DEFAULT as one (`explicit`); `None` for AUTO_INCREMENT (the caller generates) and expression defaults (evaluated later).
pub(super) fn default_value<'a>(
    def: &TableDef,
    c: usize,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
    explicit: bool,
) -> SqlResult<Option<Value<'a>>> {
    let Some(col) = def.columns.get(c) else { return Err(SqlError::unsupported("column")) };
    if col.auto_increment || col.generated.is_some() {
        return Ok(None);
    }
    Ok(Some(match &col.default {
        ColumnDefault::Value(v) => v.as_value().copy_into(arena),
        ColumnDefault::Moment { utc, .. } => Value::DateTime(cx.env.conv.time_zone.utc_to_stored(*utc)),
        ColumnDefault::Now => now_value(&col.ty, cx),
        ColumnDefault::Expr(_) => return Ok(None),
        ColumnDefault::None => {
            // DEFAULT NULL is a default; one that was dropped leaves none though the column may be NULL
            if col.ty.nullable && col.ty.kind == TypeKind::Enum {
                return Ok(Some(Value::Null));
            }
            let e = SqlError::new(ErrorCode::NO_DEFAULT_FOR_FIELD, &[&col.name]);
            if col.ty.kind == TypeKind::Enum {
                return Ok(Some(Value::UInt(1)));
            }
            if cx.env.conv.strict {
                return Err(e);
            }
            // once for a statement, not for each row, unless DEFAULT is written
            if explicit || !cx.env.conv.warnings.iter().any(|w| w.code == e.code() && w.message == e.message()) {
                cx.env.conv.push(Level::Warning, e);
            }
            if col.ty.nullable { Value::Null } else { convert::implicit_default(&col.ty).copy_into(arena) }
        }
    }))
}

/// What a column holds before VALUES gives it something, for expressions that read it: its default, or its type's where it has none.
pub(super) fn readable_default<'a>(def: &TableDef, c: usize, cx: &mut Cx<'_>, arena: &'a Bump) -> Value<'a> {
    let Some(col) = def.columns.get(c) else { return Value::Null };
    match col.default {
        ColumnDefault::None | ColumnDefault::Expr(_) if !col.ty.nullable => {
            convert::implicit_default(&col.ty).copy_into(arena)
        }
        _ => default_value(def, c, cx, arena, false).ok().flatten().unwrap_or(Value::Null),
    }
}

/// CURRENT_TIMESTAMP for a column; for a TIMESTAMP the moment itself, also in the hour that autumn repeats.
pub(super) fn now_value(ty: &SqlType, cx: &Cx<'_>) -> Value<'static> {
    let now = truncate_datetime(cx.env.now(), ty.decimals);
    if ty.kind != TypeKind::Timestamp {
        return Value::DateTime(now);
    }
    let seconds = cx.env.clock.now_us.div_euclid(1_000_000);
    let later = cx.env.conv.time_zone.utc_to_stored(TimeZone::UTC.from_unix(seconds, 0)).is_later();
    Value::DateTime(if later { now.later() } else { now })
}

/// What a computed NULL is in a column that cannot hold it, without strict mode or with IGNORE. In strict mode it is always error 1048.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Nulls {
    /// Error 1048: INSERT of one row.
    Refused,
    /// The type's implicit default, and warning 1048 (once or for each row: [`Cx::told_nulls`]).
    Told,
}

/// Value of a generated column or of an expression default.
fn computed<'a>(
    e: &'a Expr,
    def: &TableDef,
    c: usize,
    (n, nulls): (u64, Nulls),
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    column_value(e, def, c, n, nulls == Nulls::Refused, cx, arena)
}

/// How the expressions of a table are computed of a row. They see the row's values so far through `slot`.
pub(crate) struct Computing<'a, 'd> {
    pub(crate) stored: &'a TableExprs,
    pub(crate) def: &'d TableDef,
    pub(crate) slot: u16,
    /// The row's number, for messages.
    pub(crate) n: u64,
    pub(crate) nulls: Nulls,
}

impl<'a> Computing<'a, '_> {
    /// Nothing is computed of a row, and nothing looks at it afterwards.
    fn is_idle(&self) -> bool {
        let stored = self.stored;
        stored.generated.is_empty() && stored.checks.is_empty() && stored.view_checks.is_empty()
    }

    /// Expression defaults listed in `missing` and generated columns; then CHECK constraints (not those of views).
    pub(crate) fn complete(
        &self,
        row: &mut [Value<'a>],
        missing: &[u16],
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<()> {
        self.compute(row, missing, cx, arena)?;
        check_constraints(self.stored, cx, arena)
    }

    /// The same without the constraints.
    pub(super) fn compute(
        &self,
        row: &mut [Value<'a>],
        missing: &[u16],
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<()> {
        self.fill(row, missing, cx, arena)?;
        self.generate(row, None, cx, arena)
    }

    /// The expression defaults of the columns in `missing`. The row is in the slot afterwards.
    pub(super) fn fill(
        &self,
        row: &mut [Value<'a>],
        missing: &[u16],
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<()> {
        if self.stored.defaults.is_empty() && self.is_idle() {
            return Ok(());
        }
        cx.slot(self.slot)?.set_values(row);
        for (c, e) in &self.stored.defaults {
            if missing.contains(c) {
                let v = computed(e, self.def, *c as usize, (self.n, self.nulls), cx, arena)?;
                set(row, *c, v);
                cx.slot(self.slot)?.set_values(row);
            }
        }
        Ok(())
    }

    /// The generated columns. `changed`: only those that are computed of these columns, for UPDATE: a NULL that IGNORE let in once is
    /// no error of a change that has nothing to do with it. The row is in the slot afterwards, and not before.
    pub(super) fn generate(
        &self,
        row: &mut [Value<'a>],
        changed: Option<&[u16]>,
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<()> {
        if self.is_idle() {
            return Ok(());
        }
        let (def, n) = (self.def, self.n);
        cx.slot(self.slot)?.set_values(row);
        let before = cx.env.conv.warnings.len();
        let mut changed: Option<smallvec::SmallVec<[u16; 8]>> = changed.map(smallvec::SmallVec::from_slice);
        for (c, e) in &self.stored.generated {
            let column = def.columns.get(*c as usize);
            if let Some(changed) = &mut changed {
                if column.is_some_and(|c| !c.ty.nullable) && !computed_of(e, self.slot, changed) {
                    continue;
                }
                changed.push(*c);
            }
            let v = match column.and_then(|c| c.index_of_expression()) {
                Some(index) => match column.and_then(|c| c.elements.as_ref()) {
                    Some(ty) => elements(e, ty, def, index, n, cx, arena)?,
                    None => key_part_value(e, def, *c as usize, index, n, cx, arena)?,
                },
                None => computed(e, def, *c as usize, (n, self.nulls), cx, arena)?,
            };
            set(row, *c, v);
            cx.slot(self.slot)?.set_values(row);
        }
        // what they warn of is an error under a strict mode, before any CHECK
        if cx.env.conv.strict
            && let Some((_, e)) = cx.env.conv.strict_error_since(before)
        {
            return Err(e);
        }
        Ok(())
    }
}

/// Whether an expression reads one of these columns of the row.
fn computed_of(e: &Expr, slot: u16, columns: &[u16]) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        if let ExprKind::Column { slot: s, column } = e.kind {
            found |= s == slot && columns.contains(&column);
        }
    });
    found
}

/// The constraints of a row that is in its slot: CHECK and WITH CHECK OPTION.
pub(super) fn check<'a>(stored: &'a TableExprs, row: &[Value<'a>], cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<()> {
    check_views(stored, row, cx, arena)?;
    check_constraints(stored, cx, arena)
}

/// CHECK constraints of a row that is in its slot.
pub(super) fn check_constraints(stored: &TableExprs, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<()> {
    for (name, e) in &stored.checks {
        if !holds(e, cx, arena)? {
            return Err(SqlError::new(ErrorCode::CHECK_CONSTRAINT_VIOLATED, &[name]));
        }
    }
    Ok(())
}

/// WITH CHECK OPTION of a row that is in its slot.
pub(super) fn check_views<'a>(
    stored: &'a TableExprs,
    row: &[Value<'a>],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<()> {
    for check in &stored.view_checks {
        // a row that the view's condition does not accept, NULL included, would not be in the view
        if !accepts(check, row, cx, arena)? {
            let (schema, name) = check.view.split_once('.').unwrap_or(("", &check.view));
            return Err(SqlError::new(ErrorCode::VIEW_CHECK_FAILED, &[&schema, &name]));
        }
    }
    Ok(())
}

/// The value of a functional key part. What its computation cuts off is told as the index's: 3751 and 3752, errors in strict mode, and only the
/// first of a row.
fn key_part_value<'a>(
    e: &'a Expr,
    def: &TableDef,
    c: usize,
    index: &str,
    n: u64,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    // away for the moment, so that there is room for what this value gives
    let (before, counted) = (std::mem::take(&mut cx.env.conv.warnings), cx.env.conv.warning_count);
    let told = |code: u16| {
        let code = match ErrorCode::from_number(code)? {
            ErrorCode::WARN_DATA_OUT_OF_RANGE => ErrorCode::WARN_DATA_OUT_OF_RANGE_FUNCTIONAL_INDEX,
            ErrorCode::TRUNCATED_WRONG_VALUE
            | ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD
            | ErrorCode::DATA_TOO_LONG
            | ErrorCode::WARN_DATA_TRUNCATED => ErrorCode::WARN_DATA_TRUNCATED_FUNCTIONAL_INDEX,
            _ => return None,
        };
        Some(SqlError::new(code, &[&index, &n]))
    };
    let v = column_value(e, def, c, n, true, cx, arena);
    let given = std::mem::replace(&mut cx.env.conv.warnings, before);
    let v = v.map_err(|e| told(e.code()).unwrap_or(e))?;
    let Some(first) = given.iter().find_map(|w| told(w.code)) else {
        cx.env.conv.warnings.extend(given);
        return Ok(v);
    };
    cx.env.conv.warning_count = counted;
    if cx.env.conv.strict {
        return Err(first);
    }
    cx.env.conv.push(Level::Warning, first);
    Ok(v)
}

/// The array of a multi-valued index: what cannot be an element is an error in every sql_mode, a rounded one gives a note.
fn elements<'a>(
    e: &'a Expr,
    ty: &SqlType,
    def: &TableDef,
    index: &str,
    n: u64,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let v = eval(e, cx, arena)?;
    let Some(doc) = crate::eval::json::document_of(v, &e.ty, 0, "cast_as_array", arena)? else {
        return Ok(Value::Null);
    };
    let made = json::multi::elements(doc, ty, || limits(def), &mut cx.env.conv, arena).map_err(|bad| match bad {
        Bad::Invalid => SqlError::new(ErrorCode::INVALID_JSON_VALUE_FOR_FUNC_INDEX, &[&index]),
        Bad::Range => SqlError::new(ErrorCode::JSON_VALUE_OUT_OF_RANGE_FOR_FUNC_INDEX, &[&index]),
        Bad::OutOfRange => SqlError::new(ErrorCode::WARN_DATA_OUT_OF_RANGE_FUNCTIONAL_INDEX, &[&index, &n]),
        Bad::Truncated => SqlError::new(ErrorCode::WARN_DATA_TRUNCATED_FUNCTIONAL_INDEX, &[&index, &n]),
        Bad::TooLong => SqlError::new(ErrorCode::FUNCTIONAL_INDEX_DATA_IS_TOO_LONG, &[&index]),
        Bad::Nested => SqlError::new(ErrorCode::WRONG_MVI_VALUE, &[&index]),
        Bad::Kind(kind) => SqlError::unsupported(format!("CAST-ing JSON {kind} type to array")),
        Bad::Many(more) => SqlError::new(ErrorCode::EXCEEDED_MV_KEYS_NUM, &[&index, &more]),
        Bad::Size(more) => SqlError::new(ErrorCode::EXCEEDED_MV_KEYS_SPACE, &[&index, &more]),
    })?;
    for _ in 0..made.rounded {
        let note = SqlError::new(ErrorCode::WARN_DATA_TRUNCATED_FUNCTIONAL_INDEX, &[&index, &n]);
        cx.env.conv.push(Level::Note, note);
    }
    Ok(made.array)
}

/// What the arrays of a table's rows may have.
fn limits(def: &TableDef) -> json::multi::Limits {
    let key = match def.indexes.first() {
        Some(ix) if !ix.parts.is_empty() => planner::explain::index_bytes(def, ix) as usize,
        // InnoDB's row id
        _ => 6,
    };
    json::multi::Limits::of_table(key, def.columns.iter().filter_map(|c| c.elements.as_ref()).map(json::multi::width))
}

/// Whether a condition of WITH CHECK OPTION is true of the new row, which takes the old one's place where the condition reads it there.
fn accepts(check: &ViewCheck, row: &[Value<'_>], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<bool> {
    let Some(slot) = check.through else { return Ok(truth(&check.condition, cx, arena)? == Some(true)) };
    let old = cx.save(slot);
    cx.slot(slot)?.set_values(row);
    let met = truth(&check.condition, cx, arena);
    cx.restore(slot, &old);
    Ok(met? == Some(true))
}

fn set<'a>(row: &mut [Value<'a>], c: u16, v: Value<'a>) {
    if let Some(r) = row.get_mut(c as usize) {
        *r = v;
    }
}

/// The value as the storage engine keeps it: TIMESTAMP in UTC.
#[inline]
pub(super) fn stored_value<'a>(v: Value<'a>, ty: &SqlType, cx: &Cx<'_>) -> Value<'a> {
    match v {
        Value::DateTime(d) if ty.kind == TypeKind::Timestamp && !d.is_zero() => {
            Value::DateTime(cx.env.conv.time_zone.local_to_utc(d))
        }
        v => v,
    }
}

/// Error 1062 for a row that collides in index number `index`; `row` holds the new row's values.
pub(super) fn duplicate(table: &Arc<Table>, index: usize, row: &[Value<'_>]) -> SqlError {
    let def = &table.def;
    let Some(ix) = def.indexes.get(index) else { return SqlError::new(ErrorCode::DUP_ENTRY, &[&"", &""]) };
    SqlError::new(ErrorCode::DUP_ENTRY, &[&key_text(def, ix, row), &format!("{}.{}", def.name, ix.name)])
}

/// Bytes of a key's values that a message shows.
const SHOWN: usize = 64;

/// The values of an index's columns as messages show them: text in UTF-8, the bytes of binary strings that are no printable ASCII as
/// `\xHH`, BINARY without the zeros that fill it.
pub(crate) fn key_text(def: &TableDef, ix: &IndexDef, row: &[Value<'_>]) -> String {
    let mut text = String::new();
    for (i, p) in ix.parts.iter().enumerate() {
        if i > 0 {
            text.push('-');
        }
        let (Some(v), Some(c)) = (row.get(p.column as usize), def.columns.get(p.column as usize)) else { continue };
        if v.is_null() {
            text.push_str("NULL");
            continue;
        }
        let mut b = Vec::new();
        convert::to_text(*v, &c.ty, &mut b);
        let character = c.ty.is_character() && c.ty.charset() != Charset::Binary;
        if p.prefix > 0 {
            let prefix = p.prefix as usize;
            b.truncate(if character { c.ty.charset().char_offset(&b, prefix) } else { prefix });
        }
        if character {
            let mut utf8 = Vec::with_capacity(b.len());
            value::charset::convert(&b, c.ty.charset(), Charset::Utf8mb4, &mut utf8);
            text.push_str(&String::from_utf8_lossy(&utf8));
            continue;
        }
        if let Some(ty) = &c.elements {
            // as much of the array as an element has bytes in MySQL's keys
            b.truncate(planner::explain::key_bytes(ty, 0) as usize);
            text.push_str(&String::from_utf8_lossy(&b));
            continue;
        }
        if c.ty.kind == TypeKind::Binary {
            b.truncate(b.iter().rposition(|x| *x != 0).map_or(0, |at| at + 1));
        }
        for x in b {
            match x {
                b' '..=b'~' => text.push(char::from(x)),
                _ => text.push_str(&format!("\\x{x:02X}")),
            }
        }
    }
    let mut end = text.len().min(SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// Whether two stored values are the same bytes (`'a'` and `'A'` are not).
pub(super) fn same(a: Value<'_>, b: Value<'_>) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::UInt(x), Value::UInt(y)) => x == y,
        (Value::Int(x), Value::UInt(y)) | (Value::UInt(y), Value::Int(x)) => u64::try_from(x) == Ok(y),
        (Value::Double(x), Value::Double(y)) => x == y,
        (Value::Decimal(x), Value::Decimal(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Date(x), Value::Date(y)) => x == y,
        (Value::DateTime(x), Value::DateTime(y)) => x == y,
        (Value::Time(x), Value::Time(y)) => x == y,
        (Value::Json(x), Value::Json(y)) => x == y,
        _ => false,
    }
}

/// DEFAULT as an assigned value.
pub(super) fn is_default(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::DefaultValue)
}
