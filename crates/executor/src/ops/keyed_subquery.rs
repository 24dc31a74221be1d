//! Correlated scalar subqueries looked up by key ([`planner::plan::Keyed`]).
//!
//! The first evaluations run the subquery as it was written; once that has cost (by the planner's estimates) as much as computing all its
//! groups, they are computed and kept, and every further evaluation is one look into a hash table. If that fails, or needs more memory than
//! `tmp_table_size` and `max_heap_table_size` allow, the subquery goes on as written.

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use hashbrown::HashMap;
use planner::plan::Keyed;
use probe::held::Held;
use value::{OwnedValue, Value};

use super::Operators;
use super::subquery::Sub;
use crate::eval::Cx;
use crate::eval::eval;
use crate::rows::keys;

/// What is known so far.
#[derive(Default)]
pub struct State {
    runs: f64,
    given_up: bool,
    rows: Option<Rows>,
    /// For performance_schema: what they take.
    held: Held,
}

/// The values by key.
type Rows = HashMap<Box<[u8]>, OwnedValue, foldhash::fast::RandomState>;

/// The value for the present rows outside, or nothing if the subquery is to be run.
pub(super) fn value<'a, 'e>(sub: Sub<'_, 'e>, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<Option<Value<'a>>> {
    let Some(k) = sub.plan.keyed.as_deref() else { return Ok(None) };
    if sub.state(|s| s.keyed.given_up) {
        return Ok(None);
    }
    let mut state = sub.state(|s| std::mem::take(&mut s.keyed));
    if state.rows.is_none() {
        state.runs += 1.0;
        if state.runs * sub.plan.query.cost < k.query.cost {
            sub.state(|s| s.keyed = state);
            return Ok(None);
        }
        // an error may belong to a group that is never asked for
        match rows(k, sub.ops, cx) {
            Ok(Some((r, kept))) => {
                state.rows = Some(r);
                state.held.set(kept);
            }
            Ok(None) => state.given_up = true,
            Err(e) => {
                cx.check_killed()?;
                drop(e);
                state.given_up = true;
            }
        }
    }
    let found = match &state.rows {
        Some(r) => look_up(k, r, cx, arena).map(Some),
        None => Ok(None),
    };
    sub.state(|s| s.keyed = state);
    found
}

/// All groups and their bytes, or nothing if they are too many.
fn rows<'e>(k: &'e Keyed, ops: &Operators<'e>, cx: &mut Cx<'e>) -> SqlResult<Option<(Rows, usize)>> {
    let limit = cx.spill_limit(Var::tmp_table_size).min(cx.spill_limit(Var::max_heap_table_size));
    let mut out = HashMap::default();
    let (mut kept, mut full) = (0, false);
    let mut key = Vec::new();
    let mut op = ops.build(&k.query.root, cx);
    super::each_row(&mut op, &k.query, cx, &mut |cx, row| {
        let Some((v, inner)) = row.split_first() else { return Ok(false) };
        key.clear();
        for (w, part) in inner.iter().zip(&k.keys) {
            if !keys::put_compared(*w, &part.cmp.right, part.cmp.kind, &mut cx.env.conv, &mut key) {
                return Ok(true); // NULL is equal to nothing
            }
        }
        kept += key.len() + 96;
        full = kept > limit;
        out.insert(Box::<[u8]>::from(key.as_slice()), v.to_owned());
        Ok(!full)
    })?;
    if full {
        return Ok(None);
    }
    cx.keep(kept)?;
    Ok(Some((out, kept)))
}

fn look_up<'a>(k: &Keyed, rows: &Rows, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let inner = Bump::new();
    let mut key = smallvec::SmallVec::<[u8; 64]>::new();
    let mut part_key = Vec::new();
    let mut null = false;
    for part in &k.keys {
        let v = eval(&part.outer, cx, &inner)?;
        part_key.clear();
        null |= !keys::put_compared(v, &part.cmp.left, part.cmp.kind, &mut cx.env.conv, &mut part_key);
        key.extend_from_slice(&part_key);
    }
    if !null && let Some(v) = rows.get(key.as_slice()) {
        return Ok(v.as_value().copy_into(arena));
    }
    let values: Vec<Value<'_>> = k.empty.iter().map(OwnedValue::as_value).collect();
    cx.slot(k.slot)?.set_values(&values);
    match k.query.items.first() {
        Some(e) => Ok(eval(e, cx, &inner)?.copy_into(arena)),
        None => Ok(Value::Null),
    }
}
