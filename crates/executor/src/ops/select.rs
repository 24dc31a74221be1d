//! Running a SELECT: rows go from the operators (or straight from the storage engine's rows) into the connection's buffer.

use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use planner::plan::{Access, Body, InsertSource, LockMode, Node, Plan, QueryPlan, Scan};
use storage::table::{TableCursor, TableHandle};
use value::{OwnedValue, SqlType, Value};

use crate::eval::Cx;
use crate::eval::{eval, is_field};
use crate::gate::Cleared;
use crate::ops::first_row::{FirstRow, first_row};
use crate::ops::ranges;
use crate::ops::timed::Measures;
use crate::ops::{Op, Operators, begin, begin_measured, context, each_row, scan};
use crate::rows::env::Env;
use crate::rows::output::Writer;
use crate::rows::user_vars::UserVar;

/// Opens the plan's tables. The session holds their metadata locks, so definitions cannot change any more.
pub(crate) fn open_tables(plan: Cleared<'_>, env: &Env) -> SqlResult<Vec<TableHandle>> {
    let plan = plan.plan();
    let mut out = Vec::with_capacity(plan.tables.len());
    for t in &plan.tables {
        if let Some(opened) = t.opened.get().filter(|o| !o.is_obsolete()) {
            out.push(env.handles.of(opened));
            continue;
        }
        match env.open_table(&t.def)? {
            Ok(opened) => {
                // A session's own table ends with it, the plan may not.
                if t.def.is_temporary() {
                    out.push(opened.into());
                    continue;
                }
                let _ = t.opened.set(opened.clone());
                out.push(env.handles.of(&opened));
            }
            Err(_) => return Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[])),
        }
    }
    Ok(out)
}

fn query(plan: &Plan) -> SqlResult<&QueryPlan> {
    match &plan.body {
        Body::Select(q) => Ok(q),
        _ => Err(SqlError::unsupported("running this plan as a query")),
    }
}

/// Runs a query: calls `begin`, then one row after the other; the caller sends the end of the result. Sets FOUND_ROWS().
pub fn select(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env, out: &mut dyn ResultSink) -> SqlResult<()> {
    let plan = cleared.plan();
    let q = query(plan)?;
    let tables = open_tables(cleared, env)?;
    let results = env.vars.collation(Var::character_set_results);
    if !q.direct.is_empty()
        && let Node::Scan(s) = &q.root
        && s.filter.is_none()
        && s.pushed.is_none()
        && let Some(t) = tables.first().cloned()
    {
        let mut w = Writer::new(plan.column_types.iter(), results, out.format());
        crate::ops::status::selected_one(s);
        return direct(cleared, q, s, &t, params, tables, env, &mut w, out);
    }
    let mut w = Writer::new(plan.column_types.iter(), results, out.format());
    crate::ops::status::selected(plan, q);
    let (mut cx, ops) = begin(cleared, params, tables, env);
    crate::ops::early_constants::read(&mut cx)?;
    (cx.counting, cx.sending) = (plan.calc_found_rows, true);
    let mut op = ops.build(&q.root, &cx);
    op.count_rows(plan.calc_found_rows);
    cx.reading(|cx| op.open(cx))?;
    out.begin(&plan.columns)?;
    let mut arena = Bump::new();
    let mut rows = 0u64;
    while cx.reading(|cx| op.next(cx))? {
        // before the row is sent: what its own select list is interrupted in does not take it back
        cx.tick()?;
        {
            let buf = out.row();
            let at = w.begin(buf);
            for (i, e) in q.items.iter().enumerate() {
                let v = match eval(e, &mut cx, &arena) {
                    Ok(v) => v,
                    Err(e) => {
                        out.abandon_row();
                        return Err(e);
                    }
                };
                w.put(at, i, v, buf);
            }
        }
        out.end_row()?;
        rows += 1;
        cx.env.conv.row += 1;
        arena.reset();
        base::memory::check()?;
    }
    let found = op.found(rows);
    drop(op);
    (cx.env.counts.found_rows, cx.env.counts.rows_sent) = (found, rows);
    Ok(())
}

/// Plain columns of one table: from the row's bytes to the wire.
#[allow(clippy::too_many_arguments)]
fn direct(
    cleared: Cleared<'_>,
    q: &QueryPlan,
    s: &Scan,
    t: &TableHandle,
    params: &[OwnedValue],
    tables: Vec<TableHandle>,
    env: &mut Env,
    w: &mut Writer<'_>,
    out: &mut dyn ResultSink,
) -> SqlResult<()> {
    let plan = cleared.plan();
    let mut cx = context(cleared, params, tables, env);
    crate::ops::early_constants::read(&mut cx)?;
    let arena = Bump::new();
    let index = s.index as usize;
    let mut cursor = TableCursor::open(t, index, scan::read_mode(s, plan), s.covering && s.lock == LockMode::None)
        .counted(s.ordered)
        .wanting(&s.columns);
    let mut rows = 0u64;
    if let Access::Point(key) = &s.access {
        let mut k = cursor.key_buffer();
        let found = ranges::point_key(key, t, index, &mut cx, &arena, &mut k)?;
        out.begin(&plan.columns)?;
        if found && let Some(row) = cursor.point_of(&mut cx.env.trx, k)? {
            send(q, &row, &cx.env.conv.time_zone, w, out, &arena)?;
            rows = 1;
        }
        (cx.env.counts.found_rows, cx.env.counts.rows_sent) = (rows, rows);
        return Ok(());
    }
    // a query without a condition of its own has none that a multi-valued index might not tell
    let list = ranges::ranges(&s.access, t, index, &mut cx, &arena)?;
    let mut list = list.ok_or_else(|| SqlError::unsupported("a multi-valued index here"))?;
    if s.reverse {
        list.reverse();
    }
    out.begin(&plan.columns)?;
    let direction = if s.reverse { storage::table::Direction::Backward } else { storage::table::Direction::Forward };
    let mut arena = Bump::new();
    for r in &list {
        if r.point {
            if let std::ops::Bound::Included(k) = &r.lower
                && let Some(row) = cursor.point(&mut cx.env.trx, k)?
            {
                send(q, &row, &cx.env.conv.time_zone, w, out, &arena)?;
                rows += 1;
                arena.reset();
            }
            continue;
        }
        cursor.seek(&mut cx.env.trx, r.key_range(), direction)?;
        while let Some(row) = cursor.next(&mut cx.env.trx)? {
            send(q, &row, &cx.env.conv.time_zone, w, out, &arena)?;
            rows += 1;
            arena.reset();
            if cx.ticks.due() {
                cx.check_killed()?;
            }
        }
    }
    (cx.env.counts.found_rows, cx.env.counts.rows_sent) = (rows, rows);
    Ok(())
}

#[inline]
fn send(
    q: &QueryPlan,
    row: &storage::table::Row<'_>,
    zone: &value::TimeZone,
    w: &mut Writer<'_>,
    out: &mut dyn ResultSink,
    arena: &Bump,
) -> SqlResult<()> {
    let buf = out.row();
    let at = w.begin(buf);
    let mut failed = None;
    for (i, (c, e)) in q.direct.iter().zip(&q.items).enumerate() {
        match row.column(*c as usize, arena) {
            Ok(Value::DateTime(d)) if e.ty.kind == value::TypeKind::Timestamp => {
                w.put(at, i, Value::DateTime(zone.utc_to_local(d)), buf);
            }
            Ok(v) => w.put(at, i, v, buf),
            Err(e) => {
                failed = Some(e);
                break;
            }
        }
    }
    if let Some(e) = failed {
        out.abandon_row();
        return Err(e.into());
    }
    out.end_row()
}

/// SELECT ... INTO @variables: 1172 for more than one row, warning 1329 for none. Rows found.
pub fn select_into(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env) -> SqlResult<u64> {
    let q = query(cleared.plan())?;
    let mut row = FirstRow::default();
    let read = first_row(cleared, params, env, &mut row, &|_, _, v, _| Ok(v.to_owned()));
    // what has been evaluated is assigned, whatever came behind it
    for ((name, v), e) in q.into_vars.iter().zip(row.values).zip(&q.items) {
        env.user_vars.insert(name.clone(), UserVar::new(v, e.ty.clone()));
    }
    read?;
    if row.found == 0 {
        let e =
            SqlError::with_message(ErrorCode::SP_FETCH_NO_DATA, "No data - zero rows fetched, selected, or processed");
        env.conv.push(value::Level::Warning, e);
    }
    Ok(row.found)
}

/// Calls `f` with every row of a query (SELECT ... INTO OUTFILE); it says whether to go on. Rows it was called with.
///
/// # Errors
/// Those of the query and of `f`.
pub fn each_value_row(
    cleared: Cleared<'_>,
    params: &[OwnedValue],
    env: &mut Env,
    f: &mut dyn FnMut(&[Value<'_>]) -> SqlResult<bool>,
) -> SqlResult<u64> {
    counted_rows(cleared, params, env, |op, q, cx| {
        let mut rows = 0u64;
        each_row(op, q, cx, &mut |_, row| {
            rows += 1;
            f(row)
        })?;
        Ok(rows)
    })
}

/// Lends the operators of a query to `read`, which says how many rows it has had; FOUND_ROWS() follows from that.
pub(super) fn counted_rows(
    cleared: Cleared<'_>,
    params: &[OwnedValue],
    env: &mut Env,
    read: impl for<'e> FnOnce(&mut Op<'e>, &'e QueryPlan, &mut Cx<'e>) -> SqlResult<u64>,
) -> SqlResult<u64> {
    let plan = cleared.plan();
    let q = query(plan)?;
    let tables = open_tables(cleared, env)?;
    crate::ops::status::selected(plan, q);
    let (mut cx, ops) = begin(cleared, params, tables, env);
    crate::ops::early_constants::read(&mut cx)?;
    (cx.counting, cx.sending) = (plan.calc_found_rows, true);
    let mut op = ops.build(&q.root, &cx);
    op.count_rows(plan.calc_found_rows);
    let rows = read(&mut op, q, &mut cx)?;
    cx.env.counts.found_rows = op.found(rows);
    Ok(rows)
}

/// Runs a query for EXPLAIN ANALYZE, or what reads the rows of a change, which is not made: the rows are dropped; what was measured of the
/// plan's nodes.
///
/// # Errors
/// Those of the query.
pub fn analyze(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env) -> SqlResult<Measures> {
    let plan = cleared.plan();
    let tables = open_tables(cleared, env)?;
    let measures = Rc::new(Measures::default());
    let (mut cx, ops) = begin_measured(cleared, params, tables, env, measures.clone());
    crate::ops::early_constants::read(&mut cx)?;
    match &plan.body {
        Body::Select(q) => each_row(&mut ops.build(&q.root, &cx), q, &mut cx, &mut |_, _| Ok(true)).map(drop)?,
        Body::Insert(i) => {
            if let InsertSource::Select(q) = &i.source {
                each_row(&mut ops.build(&q.root, &cx), q, &mut cx, &mut |_, _| Ok(true)).map(drop)?;
            }
        }
        Body::Update(u) => drain(&u.source, &ops, &mut cx)?,
        Body::Delete(d) => drain(&d.source, &ops, &mut cx)?,
    }
    Ok(measures.taken())
}

/// Reads all rows of a node.
fn drain<'e>(source: &'e Node, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<()> {
    let mut op = ops.build(source, cx);
    op.open(cx)?;
    while op.next(cx)? {
        cx.tick()?;
    }
    Ok(())
}

/// Value of the only item of a query without tables, for `f`, with its type.
///
/// # Errors
/// Those of evaluating it, and of `f`.
pub fn scalar(
    cleared: Cleared<'_>,
    params: &[OwnedValue],
    env: &mut Env,
    f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
) -> SqlResult<()> {
    let plan = cleared.plan();
    let e = query(plan)?.items.first().ok_or_else(|| SqlError::unsupported("no value"))?;
    let tables = open_tables(cleared, env)?;
    let mut cx = context(cleared, params, tables, env);
    if !plan.notes.constants.is_empty() {
        crate::ops::early_constants::read(&mut cx)?;
    }
    let arena = Bump::new();
    let v = eval(e, &mut cx, &arena)?;
    cx.env.conv.copied = is_field(e, plan);
    let done = f(v, &e.ty, cx.env);
    cx.env.conv.copied = false;
    done
}

/// Values of a query without tables (SET, DO, KILL), with their types.
pub fn scalars(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env) -> SqlResult<Vec<(OwnedValue, SqlType)>> {
    let plan = cleared.plan();
    let q = query(plan)?;
    let tables = open_tables(cleared, env)?;
    let mut cx = context(cleared, params, tables, env);
    crate::ops::early_constants::read(&mut cx)?;
    let arena = Bump::new();
    let mut out = Vec::with_capacity(q.items.len());
    for e in &q.items {
        let v = eval(e, &mut cx, &arena)?.to_owned();
        out.push((v, e.ty.clone()));
    }
    Ok(out)
}
