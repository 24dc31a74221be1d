//! Counts the ranges that a plan depends on (see `planner::opt::dive`): its constants are evaluated as for the scan itself, and
//! each range costs two descents of its index.
//!
//! Nothing is told of: warnings of a conversion are the scan's, and what cannot be evaluated or counted has no count.

use base::SqlResult;
use bumpalo::Bump;
use planner::plan::Plan;
use planner::{Dive, RangeKey};
use storage::table::Table;
use value::OwnedValue;

use crate::eval::Cx;
use crate::gate::Cleared;
use crate::ops::ranges;
use crate::ops::select::open_tables;
use crate::rows::env::Env;

/// More ranges than this are not counted.
const MOST: usize = 1000;

/// The counts of [`Plan::dives`], one each; `None`: cannot be had.
pub fn counts(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env) -> Vec<Option<f64>> {
    let plan = cleared.plan();
    let Ok(tables) = open_tables(cleared, env) else { return vec![None; plan.dives.len()] };
    let warned = env.conv.warned();
    let mut cx = super::context(cleared, params, tables, env);
    let counts = plan.dives.iter().map(|d| count(d, &mut cx).ok().flatten()).collect();
    drop(cx);
    env.conv.forget_since(warned);
    counts
}

fn count(d: &Dive, cx: &mut Cx<'_>) -> SqlResult<Option<f64>> {
    let arena = Bump::new();
    let Some(table) = cx.tables.get(d.table as usize).cloned() else { return Ok(None) };
    let index = d.index as usize;
    let Some(list) = ranges::ranges(&d.access, &table, index, cx, &arena)? else { return Ok(None) };
    if list.len() > MOST {
        return Ok(None);
    }
    Ok(list.iter().map(|r| entries(&table, index, r)).sum())
}

fn entries(table: &Table, index: usize, r: &ranges::Range) -> Option<f64> {
    if r.point {
        return Some(1.0);
    }
    let (low, high) = r.ends();
    if high.as_ref().is_some_and(|h| low >= *h) {
        return Some(0.0);
    }
    table.rows_in_range(index, &low, high.as_deref().unwrap_or_default())
}

/// Whether a plan made for other literals (or for none) suits these counts: each range is about as large as it was taken for.
pub fn suits(plan: &Plan, counts: &[Option<f64>]) -> bool {
    let near = |a: f64, b: f64| (a < 20.0 && b < 20.0) || (a <= 4.0 * b && b <= 4.0 * a);
    plan.dives.iter().zip(counts).all(|(d, n)| n.is_none_or(|n| near(n.max(1.0), d.rows)))
}

/// The counts for the next plan of the same statement; `None` where they tell nothing new.
pub fn news(plan: &Plan, counts: &[Option<f64>]) -> Option<Vec<(RangeKey, f64)>> {
    let told = plan.dives.iter().zip(counts);
    let known: Vec<(&Dive, f64)> = told.filter_map(|(d, n)| n.map(|n| (d, n.max(1.0)))).collect();
    let new = known.iter().any(|(d, n)| (d.rows - n).abs() > 0.5);
    new.then(|| known.into_iter().map(|(d, n)| (d.key.clone(), n)).collect())
}
