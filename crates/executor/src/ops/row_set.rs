//! The kept rows of an IN of several columns, `(a, b) IN (SELECT ...)`: looked up by a key of all their values. Rows with
//! NULL are compared one by one, and so is a left side with NULL. Tested: golden `hunted_plans`.

use std::convert::Infallible;

use base::SqlResult;
use hashbrown::HashSet;
use probe::held::Held;
use value::compare::Comparator;
use value::{OwnedValue, Value};

use crate::eval::Cx;
use crate::eval::compare::rows_equal;
use crate::rows::keys;

/// The rows of an IN of several columns.
#[derive(Default)]
pub(super) struct RowSet {
    /// All of them.
    rows: Vec<Box<[OwnedValue]>>,
    /// Keys of those without NULL.
    keys: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    /// The others, by number.
    nulls: Vec<usize>,
    /// For performance_schema.
    held: Held,
}

impl RowSet {
    /// Rows with their keys; without keys where the comparison is not equality of keys.
    pub(super) fn new(rows: Vec<Box<[OwnedValue]>>, cmp: &[Comparator], cx: &mut Cx<'_>) -> SqlResult<RowSet> {
        let mut set = RowSet { rows, ..RowSet::default() };
        if !keyed(cmp) {
            return Ok(set);
        }
        let mut key = Vec::new();
        let mut kept = set.rows.iter().map(|r| super::subquery::size_of_row(r.len())).sum::<usize>();
        set.held.set(kept);
        for (n, row) in set.rows.iter().enumerate() {
            if !row_key(row.iter().map(OwnedValue::as_value), cmp, false, cx, &mut key) {
                set.nulls.push(n);
            } else if !set.keys.contains(key.as_slice()) {
                cx.keep(key.len() + 48)?;
                kept += key.len() + 48;
                set.held.set(kept);
                set.keys.insert(Box::from(key.as_slice()));
            }
            cx.tick()?;
        }
        Ok(set)
    }

    /// Whether the values are one of the rows.
    pub(super) fn look_up(&self, values: &[Value<'_>], cmp: &[Comparator], cx: &mut Cx<'_>) -> Value<'static> {
        let mut key = Vec::new();
        if !keyed(cmp) || !row_key(values.iter().copied(), cmp, true, cx, &mut key) {
            // with a NULL on the left any row that is equal in the rest makes it unknown
            among(values, cmp, self.rows.iter(), cx)
        } else if self.keys.contains(key.as_slice()) {
            Value::Int(1)
        } else {
            among(values, cmp, self.nulls.iter().filter_map(|n| self.rows.get(*n)), cx)
        }
    }
}

/// Whether values are equal exactly if their keys are.
fn keyed(cmp: &[Comparator]) -> bool {
    cmp.iter().all(|c| c.within == 0.0)
}

/// The key of a row's values, each with its length in front; `false` where one is NULL. `left`: they stand on the left
/// of IN.
fn row_key<'v>(
    values: impl Iterator<Item = Value<'v>>,
    cmp: &[Comparator],
    left: bool,
    cx: &mut Cx<'_>,
    key: &mut Vec<u8>,
) -> bool {
    key.clear();
    for (v, c) in values.zip(cmp) {
        let at = key.len();
        key.extend_from_slice(&[0; 4]);
        let ty = if left { &c.left } else { &c.right };
        if !keys::put_compared(v, ty, c.kind, &mut cx.env.conv, key) {
            return false;
        }
        let length = (key.len() - at) as u32;
        if let Some(place) = key.get_mut(at..at + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
    }
    true
}

/// Whether the values are a row of these.
fn among<'r>(
    values: &[Value<'_>],
    cmp: &[Comparator],
    rows: impl Iterator<Item = &'r Box<[OwnedValue]>>,
    cx: &mut Cx<'_>,
) -> Value<'static> {
    let mut null = false;
    for r in rows {
        let members = values.iter().zip(r.iter()).zip(cmp);
        let orders = members.map(|((v, w), c)| Ok::<_, Infallible>(c.compare(*v, w.as_value(), &mut cx.env.conv)));
        let Ok(equal) = rows_equal(orders);
        match equal {
            Some(true) => return Value::Int(1),
            None => null = true,
            Some(false) => {}
        }
    }
    if null { Value::Null } else { Value::Int(0) }
}
