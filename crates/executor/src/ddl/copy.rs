//! Rebuilding a table: its rows, converted to the new definition, into a table that nobody else knows yet.
//!
//! Rows go into the new clustered index in bulk, in key order where the key stays the same and sorted otherwise; the secondary
//! indexes are built afterwards ([`TableLoader`]). If the statement fails, the whole new tablespace goes, so nothing is undone
//! row by row. Whether others may use the table meanwhile is [`super::online`]'s matter. Transactions whose snapshot is older get
//! 1412 afterwards.

use super::alter_values::recast;
use super::keys::indexed;
use super::{DdlContext, storage_error};
use crate::dml::Nulls;
use crate::dml::table_exprs::Stored;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use probe::Stage;
use std::sync::Arc;
use storage::StorageError;
use storage::dict::{ColumnDefault, IndexPart, TableDef};
use storage::table::{BuildOptions, Direction, KeyRange, ReadMode, Steps, Table, TableCursor, TableLoader};
use value::convert::{convert_for_column, implicit_default, null_replacement};
use value::temporal::TimeZone;
use value::temporal::parse::truncate_datetime;
use value::{ConvCtx, OwnedValue, SqlMode, SqlType, TypeKind, Value};

/// Sort buffers of one statement; more goes to temporary files.
pub(super) const SORT_MEMORY: usize = 64 << 20;

/// That much, or `innodb_ddl_buffer_size` where it is more.
pub(super) fn sort_memory(ctx: &mut DdlContext<'_>) -> usize {
    let wanted = ctx.locks.env().vars.num(catalog::sysvar::Var::innodb_ddl_buffer_size);
    SORT_MEMORY.max(usize::try_from(wanted).unwrap_or(SORT_MEMORY))
}

/// What a new column's rows get.
enum Fill {
    /// Column of the old table and its type there, and whether the bytes can be taken as they are.
    Old(usize, SqlType, bool),
    /// Same value in every row.
    Value(OwnedValue),
    /// The next AUTO_INCREMENT value.
    AutoIncrement,
    /// An expression: evaluated when the rest of the row is known.
    Computed,
}

/// Turns rows of the old table into rows of the new one.
pub(super) struct Copier {
    target: Arc<Table>,
    fills: Vec<Fill>,
    computed: Option<Expressions>,
    conv: ConvCtx,
    /// Hands out AUTO_INCREMENT values; writes nothing.
    counter: storage::txn::Trx,
    keys: Keys,
    rows: u64,
}

/// How the clustered keys of the two tables belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keys {
    /// The same primary key, copied as it is.
    Same,
    /// Hidden row ids, which rows keep.
    RowIds,
    /// Another primary key: that of the converted row.
    Converted,
    /// Row ids that rows get as they come: nobody can say which row became which.
    Fresh,
}

impl Copier {
    /// `source[i]` is the old column that column `i` of the new table continues. `validated`: generated columns that stay are computed anew, and
    /// what is wrong with them is an error, as where MySQL copies.
    pub(super) fn new(
        ctx: &mut DdlContext<'_>,
        old: &TableDef,
        target: &Arc<Table>,
        source: &[Option<usize>],
        validated: bool,
    ) -> SqlResult<Copier> {
        let mut fills = fills(ctx, old, &target.def, source)?;
        let kept = if validated { Vec::new() } else { kept(old, &target.def, source) };
        for (c, from) in &kept {
            if let (Some(fill), Some(ty)) = (fills.get_mut(*c as usize), old.columns.get(*from).map(|o| o.ty.clone())) {
                *fill = Fill::Old(*from, ty, true);
            }
        }
        let kept: Vec<u16> = kept.into_iter().map(|(c, _)| c).collect();
        let mut conv = ConvCtx::new(ctx.sql_mode);
        conv.strict = ctx.sql_mode.is_strict();
        conv.time_zone = ctx.time_zone.clone();
        conv.now = ctx.now;
        Ok(Copier {
            keys: keys(old, &target.def, source, &fills),
            computed: Expressions::of(ctx, &target.def, &fills, &kept)?,
            counter: ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?,
            target: target.clone(),
            fills,
            conv,
            rows: 0,
        })
    }

    /// How rows of the old table are found in the new one.
    pub(super) fn keys(&self) -> Keys {
        self.keys
    }

    /// The primary key in the new table of a row that has been converted before.
    pub(super) fn key_of(&mut self, ctx: &mut DdlContext<'_>, row: &storage::table::Row<'_>) -> SqlResult<Vec<u8>> {
        // what there was to warn of was said when it came
        let (warned, rows) = (self.conv.warnings.len(), self.rows);
        let target = self.target.clone();
        let arena = Bump::new();
        let values = self.row(ctx, row, &arena)?;
        let key = ctx.engine.built_key(&target, &values).map_err(storage_error)?;
        self.conv.warnings.truncate(warned);
        self.rows = rows;
        Ok(key)
    }

    /// The row of the new table. Errors: conversion errors under the session's sql_mode.
    pub(super) fn row<'a>(
        &'a mut self,
        ctx: &mut DdlContext<'_>,
        row: &storage::table::Row<'a>,
        arena: &'a Bump,
    ) -> SqlResult<Vec<Value<'a>>> {
        self.rows += 1;
        let def = &self.target.def;
        let mut values: Vec<Value<'_>> = Vec::with_capacity(self.fills.len());
        for (fill, c) in self.fills.iter().zip(&def.columns) {
            values.push(match fill {
                Fill::Old(i, _, true) => row.column(*i, arena).map_err(storage_error)?,
                Fill::Old(i, ty, false) => {
                    let v = row.column(*i, arena).map_err(storage_error)?;
                    if v.is_null()
                        && !c.ty.nullable
                        && c.ty.kind == TypeKind::Timestamp
                        && !(self.conv.strict && same_but_null(ty, c))
                    {
                        // NULL in a TIMESTAMP NOT NULL was the current time, and still is here
                        let now = default_now(c, &mut self.conv, arena)?;
                        values.push(now);
                        continue;
                    }
                    if v.is_null() && !c.ty.nullable && !c.auto_increment {
                        null_into_not_null(ty, c, &mut self.conv, self.rows)?;
                        values.push(null_replacement(&c.ty));
                        continue;
                    }
                    convert_stored(v, ty, c, &mut self.conv, self.rows, arena)?
                }
                Fill::Value(v) => v.as_value(),
                Fill::AutoIncrement | Fill::Computed => Value::Null,
            });
        }
        for (v, (fill, c)) in values.iter_mut().zip(self.fills.iter().zip(&def.columns)) {
            if c.auto_increment {
                let fresh = matches!(fill, Fill::AutoIncrement);
                auto_increment(&mut self.counter, &self.target, v, fresh, c)?;
            }
        }
        if let Some(c) = &self.computed {
            c.complete(ctx, &mut values, self.rows, arena)?;
        }
        Ok(values)
    }

    /// Copies all rows that the reader sees, and builds the secondary indexes. Returns the number of rows. Errors: 1062, conversion
    /// errors, 1317.
    pub(super) fn copy(
        &mut self,
        ctx: &mut DdlContext<'_>,
        from: &Arc<Table>,
        reader: &mut storage::txn::Trx,
    ) -> SqlResult<u64> {
        let _at = probe::stage::enter(Stage::CopyToTmpTable);
        let target = self.target.clone();
        let memory = super::copy::sort_memory(ctx);
        let opts = BuildOptions { memory, interrupted: ctx.interrupted };
        let in_order = matches!(self.keys, Keys::Same | Keys::RowIds);
        let row_ids = self.keys == Keys::RowIds;
        let mut loader = TableLoader::new(ctx.engine, &target, in_order, opts).map_err(storage_error)?;
        let mut cursor = TableCursor::open(from, 0, ReadMode::Consistent, false);
        cursor.seek(reader, KeyRange::ALL, Direction::Forward).map_err(storage_error)?;
        let mut arena = Bump::new();
        let (estimate, mut copied) = (from.row_estimate(), 0u64);
        while let Some(row) = cursor.next(reader).map_err(storage_error)? {
            copied += 1;
            if copied.is_multiple_of(1024) {
                probe::stage::progress(copied, estimate);
            }
            {
                let values = self.row(ctx, &row, &arena)?;
                let id = row_ids.then(|| row.key());
                loader.add(&values, id).map_err(|e| load_error(ctx, &target, e))?;
            }
            arena.reset();
        }
        probe::stage::progress(copied, copied);
        loader.finish().map_err(|e| load_error(ctx, &target, e))
    }

    /// The warnings of the conversions.
    pub(super) fn finish(mut self, ctx: &mut DdlContext<'_>) {
        ctx.warnings.append(&mut self.conv.warnings);
    }
}

/// Copies all rows of a table that nobody else changes into `target`. Returns the number of rows. Errors: as [`Copier::copy`].
pub(super) fn copy_rows(
    ctx: &mut DdlContext<'_>,
    old: &TableDef,
    target: &Arc<Table>,
    source: &[Option<usize>],
) -> SqlResult<u64> {
    let from = opened(ctx, old)?;
    let mut reader = ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?;
    let mut copier = Copier::new(ctx, old, target, source, true)?;
    let rows = copier.copy(ctx, &from, &mut reader)?;
    reader.commit().map_err(storage_error)?;
    copier.finish(ctx);
    Ok(rows)
}

/// The opened table of a definition, which may be a temporary one.
pub(super) fn opened(ctx: &DdlContext<'_>, def: &TableDef) -> SqlResult<Arc<Table>> {
    if let Some(t) = ctx.temp.by_id(def.id) {
        return Ok(t.clone());
    }
    let table = ctx.dict().open_table(ctx.engine, &def.schema, &def.name).map_err(storage_error)?;
    table.ok_or_else(|| SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&def.schema, &def.name]))
}

/// The stored expressions of the definition to come, where rows need them.
struct Expressions {
    stored: Stored,
    /// Columns that get their expression default.
    missing: Vec<u16>,
    strict: bool,
}

impl Expressions {
    /// `kept`: generated columns that have their values.
    fn of(
        ctx: &mut DdlContext<'_>,
        def: &Arc<TableDef>,
        fills: &[Fill],
        kept: &[u16],
    ) -> SqlResult<Option<Expressions>> {
        let strict = ctx.sql_mode.is_strict();
        let mut stored = Stored::new(def, ctx.locks.env())?;
        stored.exprs.generated.retain(|(c, _)| !kept.contains(c));
        let e = &stored.exprs;
        let defaults = e.defaults.iter().map(|(c, _)| *c);
        let missing: Vec<u16> = defaults.filter(|c| matches!(fills.get(*c as usize), Some(Fill::Computed))).collect();
        let nothing = e.generated.is_empty() && e.checks.is_empty() && missing.is_empty();
        Ok((!nothing).then_some(Expressions { stored, missing, strict }))
    }

    fn complete<'a>(
        &'a self,
        ctx: &mut DdlContext<'_>,
        row: &mut [Value<'a>],
        n: u64,
        arena: &'a Bump,
    ) -> SqlResult<()> {
        let mut cx = self.stored.context(ctx.locks.env());
        cx.env.conv.strict = self.strict;
        let done = self.stored.complete(row, &self.missing, (n, Nulls::Told), &mut cx, arena);
        cx.env.conv.strict = false;
        done?;
        if self.strict
            && let Some(e) = cx.env.conv.take_strict_error(0)
        {
            return Err(e);
        }
        Ok(())
    }
}

/// Whether the table has a row.
pub fn has_rows(ctx: &mut DdlContext<'_>, def: &Arc<TableDef>) -> SqlResult<bool> {
    let table = Arc::new(Table::new(ctx.engine, def.clone()));
    let mut trx = ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?;
    let mut cursor = TableCursor::open(&table, 0, ReadMode::Consistent, false);
    cursor.seek(&mut trx, KeyRange::ALL, Direction::Forward).map_err(storage_error)?;
    let found = cursor.next(&mut trx).map_err(storage_error)?.is_some();
    trx.commit().map_err(storage_error)?;
    Ok(found)
}

/// Every row passes the checks with these names: 3819 otherwise. Returns the number of rows.
pub fn check_rows(ctx: &mut DdlContext<'_>, new: &TableDef, names: &[String]) -> SqlResult<u64> {
    let mut bare = new.clone();
    bare.checks.retain(|c| c.enforced && names.contains(&c.name));
    for c in &mut bare.columns {
        c.generated = None;
    }
    let bare = Arc::new(bare);
    let table = Arc::new(Table::new(ctx.engine, Arc::new(new.clone())));
    let checks = Expressions::of(ctx, &bare, &[], &[])?;
    let mut trx = ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?;
    let mut cursor = TableCursor::open(&table, 0, ReadMode::Consistent, false);
    cursor.seek(&mut trx, KeyRange::ALL, Direction::Forward).map_err(storage_error)?;
    let mut rows = 0;
    while let Some(row) = cursor.next(&mut trx).map_err(storage_error)? {
        rows += 1;
        let arena = Bump::new();
        let mut values = (0..new.columns.len())
            .map(|c| row.column(c, &arena))
            .collect::<Result<Vec<_>, _>>()
            .map_err(storage_error)?;
        if let Some(c) = &checks {
            c.complete(ctx, &mut values, rows, &arena)?;
        }
        if rows % 256 == 0 && (ctx.interrupted)() {
            return Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]));
        }
    }
    trx.commit().map_err(storage_error)?;
    Ok(rows)
}

/// NULL in a column that becomes NOT NULL: in strict mode an error, which depends on whether the type changes too; otherwise the
/// type's implicit default with a warning.
fn null_into_not_null(old: &SqlType, c: &storage::dict::ColumnDef, conv: &mut ConvCtx, row: u64) -> SqlResult<()> {
    if conv.strict && same_but_null(old, c) {
        return Err(SqlError::new(ErrorCode::INVALID_USE_OF_NULL, &[]));
    }
    let e = SqlError::new(ErrorCode::WARN_DATA_TRUNCATED, &[&c.name, &row]);
    if conv.strict {
        return Err(e);
    }
    conv.push(value::Level::Warning, e);
    Ok(())
}

/// Generated columns that stay as they are, with their places before: VIRTUAL ones that no index needs, and STORED ones while no column changes its
/// type. Unless it copies, MySQL does not compute them anew either, so that a value that was cut without a strict mode is no error now.
fn kept(old: &TableDef, new: &TableDef, source: &[Option<usize>]) -> Vec<(u16, usize)> {
    let pair = |(c, from): (usize, &Option<usize>)| Some((old.columns.get((*from)?)?, new.columns.get(c)?));
    let but_null = |o: &SqlType, n: &SqlType| o.clone().nullable(n.nullable) == *n;
    let unchanged = source.iter().enumerate().filter_map(pair).all(|(o, n)| but_null(&o.ty, &n.ty));
    let same = |(c, from): (usize, &Option<usize>)| {
        let (o, n) = pair((c, from))?;
        let stays = if n.generated.as_ref()?.stored { unchanged } else { !indexed(new, c) };
        (stays && o.generated == n.generated && o.ty == n.ty).then_some((c as u16, (*from)?))
    };
    source.iter().enumerate().filter_map(same).collect()
}

/// How keys belong together; they are the same where the key has the same parts, copied as they are.
fn keys(old: &TableDef, new: &TableDef, source: &[Option<usize>], fills: &[Fill]) -> Keys {
    let (a, b) = match (old.primary_key(), new.primary_key()) {
        (Some(a), Some(b)) => (a, b),
        (None, None) => return Keys::RowIds,
        (None, Some(_)) => return Keys::Converted,
        (Some(_), None) => return Keys::Fresh,
    };
    let same = |(a, b): (&IndexPart, &IndexPart)| {
        let column = b.column as usize;
        source.get(column).copied().flatten() == Some(a.column as usize)
            && matches!(fills.get(column), Some(Fill::Old(_, _, true)))
            && (a.prefix, a.desc) == (b.prefix, b.desc)
    };
    if a.len() == b.len() && a.iter().zip(b).all(same) { Keys::Same } else { Keys::Converted }
}

/// A duplicate key gets MySQL's text, with the values of the row that the error names.
pub(super) fn load_error(ctx: &DdlContext<'_>, table: &Arc<Table>, e: StorageError) -> SqlError {
    let StorageError::DuplicateKey { index, key } = &e else { return storage_error(e.of_table(&table.def.name)) };
    let read = || -> Result<SqlError, StorageError> {
        let mut trx = ctx.engine.new_trx(ctx.session_id)?;
        let mut cursor = TableCursor::open(table, 0, ReadMode::Consistent, false);
        let Some(row) = cursor.point(&mut trx, key)? else { return Err(e.clone()) };
        let arena = Bump::new();
        let values = (0..table.def.columns.len()).map(|c| row.column(c, &arena)).collect::<Result<Vec<_>, _>>()?;
        Ok(duplicate(&table.def, *index, &values))
    };
    read().unwrap_or_else(storage_error)
}

/// 1062 with MySQL's text for the key.
fn duplicate(def: &TableDef, index: usize, row: &[Value<'_>]) -> SqlError {
    let Some(i) = def.indexes.get(index) else { return SqlError::new(ErrorCode::DUP_UNKNOWN_IN_INDEX, &[&index]) };
    let name = format!("{}.{}", def.name, i.name);
    SqlError::new(ErrorCode::DUP_ENTRY, &[&crate::dml::key_text(def, i, row), &name])
}

fn auto_increment(
    trx: &mut storage::txn::Trx,
    table: &Table,
    v: &mut Value<'_>,
    fresh: bool,
    c: &storage::dict::ColumnDef,
) -> SqlResult<()> {
    let (_, max) = c.ty.int_range();
    let steps = Steps::plain(u64::try_from(max).unwrap_or(u64::MAX));
    if fresh {
        let n = trx.autoinc_reserve(table, 1, steps).map_err(storage_error)?;
        *v = if c.ty.unsigned { Value::UInt(n) } else { Value::Int(n as i64) };
    } else {
        match *v {
            Value::Int(n) if n > 0 => trx.autoinc_observe(table, n as u64, steps),
            Value::UInt(n) => trx.autoinc_observe(table, n, steps),
            _ => {}
        }
    }
    Ok(())
}

fn fills(ctx: &DdlContext<'_>, old: &TableDef, new: &TableDef, source: &[Option<usize>]) -> SqlResult<Vec<Fill>> {
    let mut out = Vec::with_capacity(new.columns.len());
    for (c, s) in new.columns.iter().zip(source) {
        let before = s.and_then(|i| old.columns.get(i).map(|o| (i, o)));
        out.push(match before {
            _ if c.generated.is_some() => Fill::Computed,
            None if matches!(c.default, ColumnDefault::Expr(_)) => Fill::Computed,
            Some((i, o)) => {
                let mut loose = o.ty.clone();
                loose.nullable = c.ty.nullable;
                let same = loose == c.ty && (c.ty.nullable || !o.ty.nullable);
                Fill::Old(i, o.ty.clone(), same)
            }
            None if c.auto_increment => Fill::AutoIncrement,
            None => Fill::Value(default_of(ctx, c)?),
        });
    }
    Ok(out)
}

/// What a row holds of a value of the session: a TIMESTAMP in UTC.
fn stored<'a>(v: Value<'a>, ty: &SqlType, zone: &TimeZone) -> Value<'a> {
    match v {
        Value::DateTime(d) if ty.kind == TypeKind::Timestamp && !d.is_zero() => Value::DateTime(zone.local_to_utc(d)),
        v => v,
    }
}

/// Text and bytes that only get another length: MySQL copies them without storing, and says 1265 instead of 1406.
fn shortened(from: &SqlType, to: &SqlType) -> bool {
    use TypeKind::{Binary, Char, VarBinary, VarChar};
    from.kind == to.kind && from.collation == to.collation && matches!(to.kind, Char | VarChar | Binary | VarBinary)
}

/// A column's value as rows hold it, in another type. A TIMESTAMP becomes the session's date and time in other types, and they
/// a TIMESTAMP; between two TIMESTAMPs it stays the same moment, also where the session's clocks show one time twice.
fn convert_stored<'a>(
    v: Value<'a>,
    from: &SqlType,
    c: &storage::dict::ColumnDef,
    conv: &mut ConvCtx,
    row: u64,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let (was, is) = (from.kind == TypeKind::Timestamp, c.ty.kind == TypeKind::Timestamp);
    let mode = conv.sql_mode;
    if mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL) && from.kind.is_temporal() && c.ty.kind.is_integer() {
        // integers are rounded all the same
        conv.sql_mode = SqlMode(mode.0 & !SqlMode::TIME_TRUNCATE_FRACTIONAL.0);
        let v = convert_stored(v, from, c, conv, row, arena);
        conv.sql_mode = mode;
        return v;
    }
    if !was && !is {
        return recast(v, from, &c.ty, conv, (&c.name, row), arena).map_err(|e| match shortened(from, &c.ty) {
            true if e.is(ErrorCode::DATA_TOO_LONG) => SqlError::new(ErrorCode::WARN_DATA_TRUNCATED, &[&c.name, &row]),
            _ => e,
        });
    }
    if was && is {
        let zone = std::mem::replace(&mut conv.time_zone, TimeZone::Offset(0));
        let v = recast(v, from, &c.ty, conv, (&c.name, row), arena);
        conv.time_zone = zone;
        return v;
    }
    let v = match v {
        Value::DateTime(d) if was && !d.is_zero() => Value::DateTime(conv.time_zone.utc_to_local(d)),
        v => v,
    };
    let v = recast(v, from, &c.ty, conv, (&c.name, row), arena)?;
    Ok(stored(v, &c.ty, &conv.time_zone))
}

/// The current time in a column, as rows hold it: digits that the column does not have are cut off, not rounded, as
/// where a row is inserted.
fn default_now<'a>(c: &storage::dict::ColumnDef, conv: &mut ConvCtx, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let now = SqlType::temporal(TypeKind::DateTime, 6);
    let v = convert_for_column(
        Value::DateTime(truncate_datetime(conv.now, c.ty.decimals)),
        &now,
        &c.ty,
        conv,
        &c.name,
        1,
        arena,
    )?;
    Ok(stored(v, &c.ty, &conv.time_zone))
}

/// Whether a column keeps its type but for NULL.
fn same_but_null(old: &SqlType, c: &storage::dict::ColumnDef) -> bool {
    let mut same = old.clone();
    same.nullable = false;
    same == c.ty
}

/// What existing rows get in an added column, as rows hold it.
pub(super) fn default_of(ctx: &DdlContext<'_>, c: &storage::dict::ColumnDef) -> SqlResult<OwnedValue> {
    match &c.default {
        ColumnDefault::Value(v) => Ok(stored(v.as_value(), &c.ty, &ctx.time_zone).to_owned()),
        ColumnDefault::Moment { utc, .. } => Ok(OwnedValue::DateTime(*utc)),
        ColumnDefault::Now => {
            let arena = Bump::new();
            let mut conv = ConvCtx::new(ctx.sql_mode);
            conv.time_zone = ctx.time_zone.clone();
            conv.now = ctx.now;
            let now = default_now(c, &mut conv, &arena)?;
            let seconds = i64::try_from(ctx.now_unix).unwrap_or_default();
            Ok(match now {
                // the second time that clocks show this hour
                Value::DateTime(d)
                    if c.ty.kind == TypeKind::Timestamp
                        && ctx.time_zone.utc_to_stored(TimeZone::UTC.from_unix(seconds, 0)).is_later() =>
                {
                    stored(Value::DateTime(ctx.time_zone.utc_to_local(d).later()), &c.ty, &ctx.time_zone)
                }
                now => now,
            }
            .to_owned())
        }
        ColumnDefault::Expr(_) => Ok(OwnedValue::Null),
        ColumnDefault::None if c.ty.nullable => Ok(OwnedValue::Null),
        ColumnDefault::None => Ok(implicit_default(&c.ty).to_owned()),
    }
}
