//! IN with a long list of constants: from the second row on they are found by bisection.
//!
//! The first row of an execution compares with one constant after the other (a single row pays nothing), the second one sorts them by the domain in
//! which each is compared ([`Set`]). What is no constant, and JSON and TIME, stays in the list and is compared one by
//! one. Kept in [`Memo`](super::context::Memo) under the list's address: it belongs to the plan, which outlives the
//! execution. Tested in golden `compare` and `tests/sql/test_large_statements.py`.

use std::cmp::Ordering;
use std::sync::Arc;

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use value::compare::{Comparator, ComparisonKind, Constant};
use value::context::ConvCtx;
use value::{CollationId, DateTime, Decimal, SqlType, TypeKind, Value, convert};

use super::eval;
use crate::eval::Cx;

/// Lists shorter than this are compared one by one.
pub(super) const LONG: usize = 32;

/// What is known about a list.
#[derive(Debug)]
pub enum Known {
    /// One row has been compared with it.
    Seen,
    /// Its constants, sorted.
    Sorted(Arc<Set>),
}

/// Values of one domain in order, and the type of the left operand they are compared with.
#[derive(Debug)]
struct Sorted<T> {
    values: Vec<T>,
    left: Option<SqlType>,
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Sorted { values: Vec::new(), left: None }
    }
}

impl<T> Sorted<T> {
    /// Takes the value in if it is compared with the same type as the others.
    fn take(&mut self, v: T, left: &SqlType) -> bool {
        let same = |t: &SqlType| t.kind == left.kind && t.unsigned == left.unsigned && t.collation == left.collation;
        let fits = self.left.as_ref().is_none_or(same);
        if fits {
            self.left.get_or_insert_with(|| left.clone());
            self.values.push(v);
        }
        fits
    }
}

/// The constants of a list.
#[derive(Debug, Default)]
pub struct Set {
    ints: Sorted<i128>,
    decimals: Sorted<Decimal>,
    doubles: Sorted<f64>,
    dates: Sorted<DateTime>,
    texts: Sorted<Box<[u8]>>,
    collation: Option<CollationId>,
    /// NULL is among them.
    pub(super) null: bool,
    /// Positions of those that are compared one by one.
    pub(super) rest: Vec<u32>,
}

/// The set for a list that has been met before, built when it is met for the second time; `None` at the first time.
pub(super) fn known(list: &[Expr], cmp: &[Comparator], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<Option<Arc<Set>>> {
    let at = list.as_ptr() as usize;
    match cx.memo.in_sets.get(&at) {
        Some(Known::Sorted(set)) => return Ok(Some(set.clone())),
        None => {
            cx.memo.in_sets.insert(at, Known::Seen);
            return Ok(None);
        }
        Some(Known::Seen) => {}
    }
    let mut set = Set::default();
    let before = cx.env.conv.warned();
    for (i, (e, c)) in list.iter().zip(cmp).enumerate() {
        let constant = matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::Once(..));
        if !constant || super::is_no_date(e, cx) || !set.add(eval(e, cx, arena)?, c, &mut cx.env.conv) {
            set.rest.push(i as u32);
        }
    }
    set.sort();
    if cx.env.conv.warned() != before {
        cx.foretell_once(before);
    }
    base::memory::check()?;
    let set = Arc::new(set);
    cx.memo.in_sets.insert(at, Known::Sorted(set.clone()));
    Ok(Some(set))
}

fn int(v: Value<'_>) -> Option<i128> {
    match v {
        Value::Int(n) => Some(i128::from(n)),
        Value::UInt(n) => Some(i128::from(n)),
        _ => None,
    }
}

impl Set {
    /// Takes a constant in; `false` if it must be compared by itself.
    fn add(&mut self, v: Value<'_>, c: &Comparator, conv: &mut ConvCtx) -> bool {
        if v.is_null() {
            self.null = true;
            return true;
        }
        match c.kind {
            ComparisonKind::Int => int(v).is_some_and(|n| self.ints.take(n, &c.left)),
            ComparisonKind::Decimal => self.decimals.take(convert::to_decimal(v, &c.right, conv), &c.left),
            // text beside an integer column may be an integer or a double
            ComparisonKind::Double if c.constant != Constant::Plain || c.within > 0.0 => false,
            ComparisonKind::Double => self.doubles.take(convert::to_f64(v, &c.right, conv), &c.left),
            ComparisonKind::DateTime => {
                let d = convert::to_datetime(v, &c.right, conv);
                d.is_some_and(|d| c.left.kind != TypeKind::Time && self.dates.take(d, &c.left))
            }
            ComparisonKind::String(id) => match v {
                Value::Str(s) if c.left.kind.is_string() && c.left.collation == c.right.collation => {
                    *self.collation.get_or_insert(id) == id && self.texts.take(s.into(), &c.left)
                }
                _ => false,
            },
            ComparisonKind::Time | ComparisonKind::Json => false,
        }
    }

    fn sort(&mut self) {
        self.ints.values.sort_unstable();
        self.decimals.values.sort_unstable();
        self.doubles.values.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        self.dates.values.sort_unstable();
        if let Some(c) = self.collation {
            self.texts.values.sort_unstable_by(|a, b| c.get().compare(a, b));
        }
    }

    /// Whether one of the sorted constants equals `v`, which is not NULL. `None` if `v` is none of the values that its type has.
    pub(super) fn find(&self, v: Value<'_>, conv: &mut ConvCtx) -> Option<bool> {
        if self.ints.left.is_some() && self.ints.values.binary_search(&int(v)?).is_ok() {
            return Some(true);
        }
        if let Some(t) = &self.decimals.left
            && self.decimals.values.binary_search(&convert::to_decimal(v, t, conv)).is_ok()
        {
            return Some(true);
        }
        if let Some(t) = &self.doubles.left {
            let x = convert::to_f64(v, t, conv);
            let order = |y: &f64| y.partial_cmp(&x).unwrap_or(Ordering::Less);
            if self.doubles.values.binary_search_by(order).is_ok() {
                return Some(true);
            }
        }
        if let Some(t) = &self.dates.left
            && self.dates.values.binary_search(&convert::to_datetime(v, t, conv)?).is_ok()
        {
            return Some(true);
        }
        if let Some(c) = self.collation {
            let Value::Str(s) = v else { return None };
            if self.texts.values.binary_search_by(|x| c.get().compare(x, s)).is_ok() {
                return Some(true);
            }
        }
        Some(false)
    }
}
