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
use binlog::rows::{Columns, put_image};
use catalog::sysvar::Var;
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
        let of = |has: &dyn Fn(usize) -> bool| (0..count).fold(1u64, |h, i| h.rotate_left(5) * 31 + u64::from(has(i)));
        let hash = of(&before).rotate_left(32) ^ of(&after) | 1;
        Chosen { before: Columns::of(count, before), after: Columns::of(count, after), hash }
    }
}

/// Of the values of `binlog_row_image`.
const MINIMAL: u64 = 0;
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
    let tables = cx.tables.clone();
    let changed = cx.plan.tables.iter().zip(&tables).filter(|(t, _)| t.write).map(|(_, t)| t);
    let all: Vec<&LoggedTable> = changed.filter_map(|t| of(t, cx)).collect();
    cx.env.map_tables(logged, all.into_iter())
}

/// A row was inserted. `row`: as it is stored.
pub(super) fn inserted(table: &Table, row: &[Value<'_>], cx: &mut Cx<'_>) -> SqlResult<()> {
    let Some(logged) = of(table, cx).filter(|_| any(cx)) else { return Ok(()) };
    mapped(logged, cx)?;
    let shown = Shown { logged, row, local: None };
    let rows = Rows::of(cx.env);
    let env = &mut *cx.env;
    let (b, zone) = (&mut env.binlog, &env.conv.time_zone);
    let images = Images { before: &logged.all, after: None };
    b.row(EventType::WriteRows, logged, (images, 0), rows, |out| {
        put_image(&logged.map, &logged.all, |i| shown.value(i, zone), out);
    })
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
    })
}

/// Whether the column at this place is in the image before, where `binlog_row_image` is not FULL and there is a key.
fn in_before(logged: &LoggedTable, image: u64, place: usize) -> bool {
    let key = logged.key.contains(&(place as u16));
    key || (image == NOBLOB && !logged.long.contains(&(place as u16)))
}

/// Whose values the rows of an UPDATE are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum As {
    /// The engine's.
    Stored,
    /// Expressions': TIMESTAMP in the session's time zone.
    Expressions,
}

/// A row was changed.
pub(super) fn updated(
    table: &Arc<Table>,
    (old, new): (&[Value<'_>], &[Value<'_>]),
    form: As,
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
        let changed = |i| !same(old.value(i, zone), new.value(i, zone));
        let long = |i: usize| logged.long.contains(&(i as u16));
        let before = |i| logged.key.is_empty() || in_before(logged, image, i);
        let after = |i| if image == MINIMAL { changed(i) } else { !long(i) || changed(i) };
        Chosen::new(logged.map.columns.len(), before, after)
    });
    let all = (&logged.all, &logged.all, 0);
    let (before, after, hash) = chosen.as_ref().map_or(all, |c| (&c.before, &c.after, c.hash));
    let images = Images { before, after: Some(after) };
    let env = &mut *cx.env;
    let (b, zone) = (&mut env.binlog, &env.conv.time_zone);
    b.row(EventType::UpdateRows, logged, (images, hash), rows, |out| {
        put_image(&logged.map, before, |i| old.value(i, zone), out);
        put_image(&logged.map, after, |i| new.value(i, zone), out);
    })
}
