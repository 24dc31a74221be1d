//! Changed rows into the binary log: called beside the triggers, once the engine has made the change.
//!
//! A row's values are written straight into the session's cache ([`crate::rows::binlog`]), as the engine stores them
//! (TIMESTAMP in UTC). Which columns: `binlog_row_image`. Rows that cascade from a foreign key come by here no more
//! than by triggers: a replica cascades itself, as with MySQL 8.4. Temporary tables are not logged.
//!
//! Tested: `crates/session/src/kernel/binlog_tests.rs`, `tests/binlog`.

use std::sync::Arc;

use base::SqlResult;
use binlog::EventType;
use binlog::rows::{Columns, put_image, put_partial_image};
use catalog::sysvar::Var;
use storage::dict::ColumnDefault;
use storage::table::Table;
use value::{TimeZone, TypeKind, Value};

use super::new_row::same;
use crate::eval::Cx;
use crate::rows::binlog::{Images, LoggedTable, Rows, wants};

/// Whether the session's changes are logged at all.
#[inline]
pub(super) fn any(cx: &Cx<'_>) -> bool {
    cx.env.binlog.on()
}

/// Whether rows of the table are logged.
#[inline]
pub(super) fn concerns(table: &Table, cx: &Cx<'_>) -> bool {
    any(cx) && of(table, cx).is_some()
}

#[inline]
fn of<'t>(table: &'t Table, cx: &Cx<'_>) -> Option<&'t LoggedTable> {
    LoggedTable::of(table, |schema| wants(cx.env, Some(schema)))
}

/// Which columns the images of a change have: `binlog_row_image`.
struct Chosen {
    before: Columns,
    after: Columns,
    hash: u64,
}

impl Chosen {
    fn new(count: usize, before: impl Fn(usize) -> bool, after: impl Fn(usize) -> bool) -> Chosen {
        let of = |has: &dyn Fn(usize) -> bool| {
            (0..count).fold(1u64, |h, i| h.rotate_left(5).wrapping_mul(31).wrapping_add(u64::from(has(i))))
        };
        // 0 stands for all; each bit counts, so none is set for that
        let hash = (of(&before).rotate_left(32) ^ of(&after)).max(1);
        Chosen { before: Columns::of(count, before), after: Columns::of(count, after), hash }
    }
}

/// Of the values of `binlog_row_image`; 0 is MINIMAL.
const NOBLOB: u64 = 1;
const FULL: u64 = 2;

/// A row as the images of a table show it.
struct Shown<'r, 'v> {
    logged: &'r LoggedTable,
    row: &'r [Value<'v>],
    /// Its TIMESTAMPs are in the session's time zone; the definition's columns.
    local: Option<&'r [storage::dict::ColumnDef]>,
}

impl<'v> Shown<'_, 'v> {
    #[inline]
    fn value(&self, place: usize, zone: &TimeZone) -> Value<'v> {
        let c = self.logged.column(place);
        let v = self.row.get(c).copied().unwrap_or_default();
        let v = match (v, self.local.and_then(|l| l.get(c))) {
            (Value::DateTime(d), Some(column)) if column.ty.kind == TypeKind::Timestamp && !d.is_zero() => {
                Value::DateTime(zone.local_to_utc(d))
            }
            _ => v,
        };
        self.logged.value(place, v)
    }
}

/// Before rows of the table are appended: its TABLE_MAP, and those of the other tables that the statement changes.
#[inline]
fn mapped(logged: &LoggedTable, cx: &mut Cx<'_>) -> SqlResult<()> {
    if cx.env.binlog.is_mapped(logged) {
        return Ok(());
    }
    map_all(logged, cx)
}

#[cold]
fn map_all(logged: &LoggedTable, cx: &mut Cx<'_>) -> SqlResult<()> {
    let foreseen = cx.env.binlog.foreseen();
    if foreseen.is_empty() && cx.plan.tables.iter().filter(|t| t.write).count() < 2 {
        // most statements
        return cx.env.map_tables(logged, std::iter::empty());
    }
    let own = cx.plan.tables.iter().zip(&cx.tables).filter(|(t, _)| t.write && foreseen.is_empty());
    let mut changed: Vec<Arc<Table>> = own.map(|(_, t)| Arc::clone(t)).collect();
    // a reader opens all tables of a statement at its first row, so those that only triggers change are named here
    let engine = &cx.env.shared.engine;
    for (schema, name) in foreseen {
        changed.extend(engine.dict().open_table(engine, schema, name)?);
    }
    let all: Vec<&LoggedTable> = changed.iter().filter_map(|t| of(t, cx)).collect();
    cx.env.map_tables(logged, all.into_iter())
}

/// Whether INSERT must tell which columns it gives values: `binlog_row_image` is not FULL.
#[inline]
pub(super) fn partial(cx: &Cx<'_>) -> bool {
    any(cx) && cx.env.vars.num(Var::binlog_row_image) != FULL
}

/// A row was inserted. `row`: as it is stored; `given`: which columns the statement gives values, as far as anybody
/// asks ([`partial`]).
pub(super) fn inserted(table: &Table, row: &[Value<'_>], given: Option<&[bool]>, cx: &mut Cx<'_>) -> SqlResult<()> {
    let Some(logged) = of(table, cx).filter(|_| any(cx)) else { return Ok(()) };
    mapped(logged, cx)?;
    let shown = Shown { logged, row, local: None };
    let rows = Rows::of(cx.env);
    let image = cx.env.vars.num(Var::binlog_row_image);
    let some = given.filter(|g| image != FULL && g.iter().any(|g| !g));
    let chosen = some.map(|g| {
        // what a reader would not find out by itself
        let has = |place: usize| {
            let c = logged.column(place);
            let made = table.def.columns.get(c).is_some_and(|c| {
                let now = matches!(c.default, ColumnDefault::Now | ColumnDefault::Expr(_));
                c.auto_increment || c.generated.is_some() || now
            });
            g.get(c).copied().unwrap_or(true) || made || (image == NOBLOB && !logged.is_long(place))
        };
        Chosen::new(logged.map.columns.len(), has, |_| false)
    });
    let (after, hash) = chosen.as_ref().map_or((&logged.all, 0), |c| (&c.before, c.hash));
    let env = &mut *cx.env;
    let (b, zone) = (&mut env.binlog, &env.conv.time_zone);
    b.row(EventType::WriteRows, logged, (Images { before: after, after: None }, hash), rows, |out| {
        put_image(&logged.map, after, |i| shown.value(i, zone), out);
    })?;
    b.note_keys(logged, table, |i| shown.value(i, zone), None);
    Ok(())
}

/// A row was deleted, which was stored like this.
pub(super) fn deleted(table: &Table, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    let Some(logged) = of(table, cx).filter(|_| any(cx)) else { return Ok(()) };
    mapped(logged, cx)?;
    let shown = Shown { logged, row, local: None };
    let rows = Rows::of(cx.env);
    let image = cx.env.vars.num(Var::binlog_row_image);
    let chosen = (image != FULL && !logged.key.is_empty())
        .then(|| Chosen::new(logged.map.columns.len(), |i| in_before(logged, image, i), |_| false));
    let (before, hash) = chosen.as_ref().map_or((&logged.all, 0), |c| (&c.before, c.hash));
    let env = &mut *cx.env;
    let (b, zone) = (&mut env.binlog, &env.conv.time_zone);
    b.row(EventType::DeleteRows, logged, (Images { before, after: None }, hash), rows, |out| {
        put_image(&logged.map, before, |i| shown.value(i, zone), out);
    })?;
    b.note_keys(logged, table, |i| shown.value(i, zone), None);
    Ok(())
}

/// Whether the column at this place is in the image before, where `binlog_row_image` is not FULL and there is a key.
fn in_before(logged: &LoggedTable, image: u64, place: usize) -> bool {
    logged.is_key(place) || (image == NOBLOB && !logged.is_long(place))
}

/// Whether the log wants to know how JSON columns of an UPDATE change (`binlog_row_value_options`).
#[inline]
pub(super) fn wants_differences(table: &Table, cx: &Cx<'_>) -> bool {
    any(cx) && cx.env.vars.num(Var::binlog_row_value_options) != 0 && of(table, cx).is_some()
}

/// Whose values the rows of an UPDATE are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum As {
    /// The engine's.
    Stored,
    /// Expressions': TIMESTAMP in the session's time zone.
    Expressions,
}

/// A row was changed; `assigned`: columns of the definition that the statement assigns.
pub(super) fn updated(
    table: &Arc<Table>,
    (old, new): (&[Value<'_>], &[Value<'_>]),
    (form, assigned): (As, &[u16]),
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    let Some(logged) = of(table, cx).filter(|_| any(cx)) else { return Ok(()) };
    mapped(logged, cx)?;
    let local = (form == As::Expressions).then_some(table.def.columns.as_slice());
    let (old, new) = (Shown { logged, row: old, local }, Shown { logged, row: new, local });
    let rows = Rows::of(cx.env);
    let image = cx.env.vars.num(Var::binlog_row_image);
    let zone = &cx.env.conv.time_zone;
    let chosen = (image != FULL).then(|| {
        let changed =
            |i| assigned.contains(&(logged.column(i) as u16)) || !same(old.value(i, zone), new.value(i, zone));
        let before = |i| in_before(logged, image, i);
        let after = |i| changed(i) || (image == NOBLOB && !logged.is_long(i));
        Chosen::new(logged.map.columns.len(), before, after)
    });
    let all = (&logged.all, &logged.all, 0);
    let (mut before, after, hash) = chosen.as_ref().map_or(all, |c| (&c.before, &c.after, c.hash));
    if logged.key.is_empty() {
        before = &logged.all;
    }
    let images = Images { before, after: Some(after) };
    let partial = cx.env.vars.num(Var::binlog_row_value_options) != 0;
    let kind = if partial { EventType::PartialUpdateRows } else { EventType::UpdateRows };
    let changes = &cx.json_changes;
    let env = &mut *cx.env;
    let (b, zone) = (&mut env.binlog, &env.conv.time_zone);
    // a column that stays as it is differs in nothing
    let differs = |i: usize| match new.value(i, zone) {
        v if same(old.value(i, zone), v) => Some(&[][..]),
        v => changes.of(logged.column(i) as u16, v),
    };
    b.row(kind, logged, (images, hash), rows, |out| {
        put_image(&logged.map, before, |i| old.value(i, zone), out);
        match partial {
            true => put_partial_image(&logged.map, after, |i| new.value(i, zone), differs, out),
            false => put_image(&logged.map, after, |i| new.value(i, zone), out),
        }
    })?;
    b.note_keys(logged, table, |i| new.value(i, zone), Some(&|i| old.value(i, zone)));
    Ok(())
}
