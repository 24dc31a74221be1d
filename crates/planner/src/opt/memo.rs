//! The memo of the search for a join order: what has been estimated while other orders were tried.
//!
//! The same table is placed behind the same others in very many orders, and in every arrangement of semijoins ([`super::strategy`]). What it costs depends on the
//! conditions that can be used there and on how many rows are before it; the second only by a factor. So the choice of an access path is made once for
//! a table and a list of conditions ([`Memo::leaf`]), and the order inside the inner side of an outer join or semijoin once for the tables it names that
//! are there already ([`Memo::group`]). Conditions are known by number: copies of one that [`Expr::same`] takes for the same have the same. One with
//! a function that gives another value each time is the same as none and has no number; nothing is kept with it.
//!
//! It belongs to one query block's planner and one thread. Tested by the plans of the golden files, and `tests/sql/plan_random.py`.

use std::cell::RefCell;

use hashbrown::{HashMap, HashSet};

use crate::expr::{Expr, SlotId};

/// A condition while orders are tried.
pub(super) struct Cond<'c> {
    pub(super) expr: &'c Expr,
    /// The tables that it names.
    pub(super) slots: HashSet<SlotId>,
    pub(super) number: Option<u32>,
}

/// A table beside others by its best access path.
#[derive(Clone, Copy)]
pub(super) struct Estimate {
    /// Rows for one row outside, and what reading them costs.
    pub(super) rows: f64,
    pub(super) cost: f64,
    /// The path needs values of the tables before it.
    pub(super) dependent: bool,
    /// Cost of reading it into a hash table, and the rows there.
    pub(super) built: Option<(f64, f64)>,
}

impl Estimate {
    /// What a hash join costs, where it is the better one; `must` where hints leave nothing else.
    pub(super) fn hash_cost(&self, outer: Outer, must: bool) -> Option<f64> {
        let (cost, kept) = self.built.filter(|_| outer.rows > 1.5)?;
        // estimates err: a lookup that costs little more is the safer choice
        let margin = if self.dependent { 0.6 } else { 1.0 };
        let hash = Hash { built: cost + kept * 0.2, look: 0.12 };
        (must || hash.is_better(self.cost, outer, margin)).then(|| hash.cost(outer.rows))
    }
}

/// The rows that come to a join from outside.
#[derive(Clone, Copy)]
pub(super) struct Outer {
    pub(super) rows: f64,
    /// Those that a LIMIT lets through, where nothing keeps the first ones from leaving before the last ones come.
    pub(super) read: f64,
}

impl Outer {
    pub(super) fn all(rows: f64) -> Outer {
        Outer { rows, read: rows }
    }
}

/// What a hash join costs: once, and for each row outside.
pub(super) struct Hash {
    pub(super) built: f64,
    pub(super) look: f64,
}

/// How much dearer than a hash join a nested loop may be if the LIMIT does not stop it early: how many rows will match is a guess.
const REGRET: f64 = 10.0;

impl Hash {
    pub(super) fn cost(&self, rows: f64) -> f64 {
        self.built + rows * self.look
    }
    /// Whether it is better than a nested loop that costs so much for a row.
    pub(super) fn is_better(&self, each: f64, outer: Outer, margin: f64) -> bool {
        let (all, nested) = (self.cost(outer.rows), outer.rows * each);
        let early = outer.read * each < self.cost(outer.read) * margin && nested <= all * REGRET;
        all < nested * margin && !(early && outer.read < outer.rows)
    }
}

/// Rows and cost of an order.
pub(super) type Sum = (f64, f64);

/// A table: its position, whether its conditions are those of an outer join or semijoin, else their numbers.
type LeafKey = (usize, bool, Vec<u32>);
/// A group: its tables, those before it that it names, and whether nothing of those is used (a hash table).
pub(super) type GroupKey = (Vec<SlotId>, Vec<SlotId>, bool);

/// First and last of a condition's tables, and how many there are: few conditions have all three in common.
type Tables = (Option<SlotId>, Option<SlotId>, usize);

/// See the module.
#[derive(Default)]
pub(super) struct Memo {
    numbers: RefCell<HashMap<Tables, Vec<(u32, Expr)>>>,
    leaves: RefCell<HashMap<LeafKey, Estimate>>,
    groups: RefCell<HashMap<GroupKey, Sum>>,
}

impl Memo {
    /// The condition with its number.
    pub(super) fn cond<'c>(&self, expr: &'c Expr, slots: HashSet<SlotId>) -> Cond<'c> {
        let mut all = self.numbers.borrow_mut();
        let count: usize = all.values().map(Vec::len).sum();
        let list = all.entry((slots.iter().min().copied(), slots.iter().max().copied(), slots.len())).or_default();
        let number = match list.iter().find(|(_, e)| e.same(expr)) {
            Some((n, _)) => Some(*n),
            None if expr.same(expr) => {
                let n = u32::try_from(count).ok();
                list.extend(n.map(|n| (n, expr.clone())));
                n
            }
            None => None,
        };
        Cond { expr, slots, number }
    }

    /// The estimate of a table under these conditions; `None` for `conds`: those of its outer join or semijoin.
    pub(super) fn leaf(
        &self,
        leaf: usize,
        conds: Option<&[&Cond<'_>]>,
        make: impl FnOnce() -> Option<Estimate>,
    ) -> Option<Estimate> {
        let numbers: Option<Vec<u32>> = conds.unwrap_or_default().iter().map(|c| c.number).collect();
        let Some(numbers) = numbers else { return make() };
        let key = (leaf, conds.is_none(), numbers);
        if let Some(e) = self.leaves.borrow().get(&key) {
            return Some(*e);
        }
        let made = make()?;
        self.leaves.borrow_mut().insert(key, made);
        Some(made)
    }

    /// What was found for a group of tables beside those of `outside`.
    pub(super) fn group(&self, key: &GroupKey) -> Option<Sum> {
        self.groups.borrow().get(key).copied()
    }

    /// Keeps that.
    pub(super) fn keep_group(&self, key: GroupKey, sum: Sum) {
        self.groups.borrow_mut().insert(key, sum);
    }

    /// The key of a group of tables.
    pub(super) fn group_key(
        slots: &HashSet<SlotId>,
        named: &HashSet<SlotId>,
        placed: &HashSet<SlotId>,
        hash: bool,
    ) -> GroupKey {
        let sorted = |s: &mut dyn Iterator<Item = SlotId>| {
            let mut v: Vec<SlotId> = s.collect();
            v.sort_unstable();
            v
        };
        let outside = if hash { Vec::new() } else { sorted(&mut named.iter().copied().filter(|s| placed.contains(s))) };
        (sorted(&mut slots.iter().copied()), outside, hash)
    }
}
