//! Derived condition pushdown (manual, "Derived Condition Pushdown Optimization"): conditions on the columns of a derived table, view or common
//! table expression that keeps rows of its own move into its query: into WHERE, or into HAVING where they concern aggregates; into every SELECT
//! of a UNION.
//!
//! What may move is known when a block's FROM and WHERE are bound, and the queries in its FROM are planned by then. So the block is bound a
//! second time ([`Step::Again`], after [`Mark`] took back the first) and tells those queries what is asked of them ([`Asked`]); each answers which
//! conditions it took whole, and these leave the WHERE around it. A condition that only helps (of ON, or above the inner side of an outer
//! join whose NULL rows it rejects) stays as well.
//!
//! A condition moves only if it means the same inside. It compares columns with constants and cannot warn about a row's value. Below
//! grouping, DISTINCT, windows or UNION, where one row stands for all equal ones, strings must be compared by the collation they were grouped by.
//! Columns of windowed rows must be in PARTITION BY of every window. Nothing moves into a query with LIMIT, locks, variables or functions such as RAND.
//!
//! Tested: `tests/sql/golden/derived_pushdown.sql`, `tests/sql/derived_random.py`.

use base::SqlResult;
use parser::ast::{self, QueryBody};
use value::compare::{Comparator, ComparisonKind};
use value::{CollationId, SqlType, TypeKind};

use super::Binder;
use super::expr::convert_branch;
use super::merge_derived::NO_SLOT;
use super::query::BoundQuery;
use super::window::{BoundCall, BoundWindow};
use crate::block::predicates::rejects_null;
use crate::block::{JoinTree, Leaf, LeafKind};
use crate::expr::{Coercibility, Expr, ExprKind, SlotId};

/// Bit of `optimizer_switch`.
const PUSHDOWN: u64 = 1 << 25;
/// Blocks that are bound twice, in one statement.
const MOST_AGAIN: u32 = 16;
/// Parts of an expression that is put in the place of a column's name.
const MOST_PARTS: usize = 200;

/// Conditions that the rows of a query in FROM must fulfil.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Over columns of the slot [`NO_SLOT`].
    conds: Vec<Expr>,
    /// Types of the columns.
    types: Vec<SqlType>,
    /// In a UNION: columns are converted to `types`.
    converts: bool,
    /// A UNION removes duplicates.
    distinct: bool,
}

impl Asked {
    /// The same, of a query of a UNION.
    pub(super) fn of_union(&self, distinct: bool) -> Asked {
        Asked { converts: true, distinct: self.distinct || distinct, ..self.clone() }
    }
}

/// What is asked of the queries in a block's FROM, by their keys ([`LeafKind::Derived`]).
pub(crate) type Requests = Vec<(usize, Asked)>;

/// What became of a block.
pub(crate) enum Step {
    Bound(Box<BoundQuery>),
    /// It is to be bound once more, with these requests.
    Again(Requests),
}

/// The clauses of a block that decide where a condition goes.
pub(super) struct Clauses<'c> {
    pub(super) items: &'c [Expr],
    pub(super) group: &'c [Expr],
    pub(super) aggregated: bool,
    pub(super) rollup: bool,
    pub(super) distinct: bool,
    pub(super) windows: &'c [BoundWindow],
    pub(super) calls: &'c [BoundCall],
}

/// A condition that may move: what to ask for, and its place among the block's conditions if it may leave them.
struct Movable {
    cond: Expr,
    at: Option<usize>,
}

/// Whether conditions can move into a query at all.
pub(super) fn is_receptive(q: &ast::QueryExpr<'_>) -> bool {
    q.limit.is_none() && q.into.is_none() && q.locking.is_empty() && is_receptive_body(&q.body)
}

fn is_receptive_body(b: &QueryBody<'_>) -> bool {
    match b {
        QueryBody::Select(_) => true,
        QueryBody::Paren(q) => is_receptive(q),
        QueryBody::SetOp(s) => {
            let union = |t: &ast::SetOpTerm<'_>| t.op == ast::SetOpKind::Union && is_receptive_body(&t.body);
            is_receptive_body(&s.first) && s.rest.iter().all(union)
        }
        _ => false,
    }
}

/// Whether a comparison with a column of a type gives no warning that depends on the column's value.
fn is_quiet(e: &Expr, kind: ComparisonKind) -> bool {
    match kind {
        _ if e.is_const() => true,
        ComparisonKind::String(_) => e.ty.kind.is_string() || matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set),
        ComparisonKind::Int | ComparisonKind::Decimal | ComparisonKind::Double => {
            e.ty.kind.is_integer() || matches!(e.ty.kind, TypeKind::Decimal | TypeKind::Float | TypeKind::Double)
        }
        ComparisonKind::DateTime => matches!(e.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp),
        ComparisonKind::Time => e.ty.kind == TypeKind::Time,
        ComparisonKind::Json => false,
    }
}

/// Whether a condition on columns of `slot` alone has a form that may move.
fn is_plain(e: &Expr, slot: SlotId) -> bool {
    let operand = |x: &Expr| x.is_const() || matches!(x.kind, ExprKind::Column { slot: s, .. } if s == slot);
    let compared = |x: &Expr, cmp: &Comparator| operand(x) && is_quiet(x, cmp.kind);
    match &e.kind {
        _ if e.is_const() => true,
        ExprKind::Compare { args, cmp, .. } => args.iter().all(|x| compared(x, cmp)),
        ExprKind::Between { args, cmp, .. } => {
            let [x, low, high] = args.as_ref();
            let [first, second] = cmp.as_ref();
            compared(x, first) && compared(x, second) && compared(low, first) && compared(high, second)
        }
        ExprKind::InList { left, list, cmp, .. } => match left.as_ref() {
            [x] => operand(x) && list.iter().zip(cmp).all(|(y, c)| y.is_const() && is_quiet(x, c.kind)),
            _ => false,
        },
        ExprKind::Like { args, .. } => args.iter().all(|x| operand(x) && (x.is_const() || x.ty.kind.is_string())),
        ExprKind::And(l) | ExprKind::Or(l) => l.iter().all(|x| is_plain(x, slot)),
        ExprKind::Xor(l) => l.iter().all(|x| is_plain(x, slot)),
        ExprKind::Not(x) | ExprKind::IsTruth(x, ..) => is_plain(x, slot),
        ExprKind::IsNull(x, _) => operand(x) || is_plain(x, slot),
        _ => false,
    }
}

/// Whether a condition cannot tell rows apart that GROUP BY, DISTINCT and PARTITION BY call equal, with columns of these types.
fn is_of_groups(e: &Expr, types: &[&SqlType]) -> bool {
    let item = |x: &Expr| match x.kind {
        ExprKind::Column { slot: NO_SLOT, column } => types.get(column as usize),
        _ => None,
    };
    // other values that are equal are the same, but for the digits of a DECIMAL, which no comparison sees
    let loose = |x: &Expr| item(x).is_some_and(|i| i.kind.is_string() && i.collation != CollationId::BINARY);
    let by = |x: &Expr, cmp: &Comparator| {
        !loose(x) || item(x).is_some_and(|i| cmp.kind == ComparisonKind::String(i.collation))
    };
    let json = |x: &Expr| item(x).is_some_and(|i| i.kind == TypeKind::Json);
    if e.any(&mut |x| json(x)) {
        return false;
    }
    match &e.kind {
        ExprKind::Compare { args, cmp, .. } => args.iter().all(|x| by(x, cmp)),
        ExprKind::Between { args, cmp, .. } => cmp.iter().all(|c| args.iter().all(|x| by(x, c))),
        ExprKind::InList { left, cmp, .. } => left.iter().all(|x| cmp.iter().all(|c| by(x, c))),
        ExprKind::And(l) | ExprKind::Or(l) => l.iter().all(|x| is_of_groups(x, types)),
        ExprKind::Xor(l) => l.iter().all(|x| is_of_groups(x, types)),
        ExprKind::Not(x) | ExprKind::IsTruth(x, ..) => is_of_groups(x, types),
        ExprKind::IsNull(x, _) => item(x).is_some() || is_of_groups(x, types),
        _ => !e.any(&mut |x| loose(x)),
    }
}

/// The items that a condition's columns stand for.
fn named<'i>(c: &Expr, items: &'i [Expr]) -> Option<Vec<&'i Expr>> {
    let mut out = Some(Vec::new());
    c.walk(&mut |x| {
        if let ExprKind::Column { slot: NO_SLOT, column } = x.kind {
            match (items.get(column as usize), &mut out) {
                (Some(i), Some(list)) => list.push(i),
                _ => out = None,
            }
        }
    });
    out
}

/// Puts items in the place of columns.
fn substitute(e: &mut Expr, items: &[Expr], asked: &Asked) {
    if let ExprKind::Column { slot: NO_SLOT, column } = e.kind {
        if let Some(i) = items.get(column as usize) {
            *e = match asked.types.get(column as usize) {
                Some(ty) if asked.converts => convert_branch(i.clone(), ty),
                _ => i.clone(),
            };
        }
        return;
    }
    e.children_mut(&mut |c| substitute(c, items, asked));
}

/// Makes the columns of a slot those of [`NO_SLOT`].
fn detach(e: &mut Expr, of: SlotId) {
    match &mut e.kind {
        ExprKind::Column { slot, .. } if *slot == of => *slot = NO_SLOT,
        _ => e.children_mut(&mut |c| detach(c, of)),
    }
}

/// AND of both.
fn and(a: Option<Expr>, b: Expr) -> Expr {
    let Some(a) = a else { return b };
    let ty = crate::types::longlong(1).nullable(a.ty.nullable || b.ty.nullable);
    Expr { kind: ExprKind::And([a, b].into()), ty, coer: Coercibility::Numeric }
}

/// The conditions above each leaf of a join tree, with their places if they may leave.
type Above<'e> = Vec<(&'e Expr, Option<usize>)>;

/// Calls `f` for each leaf with the conditions that its rows must fulfil.
fn leaves_below<'e>(t: &'e JoinTree, above: &Above<'e>, leaves: &[Leaf], f: &mut dyn FnMut(usize, &Above<'e>)) {
    match t {
        JoinTree::Leaf(i) => f(*i, above),
        JoinTree::Inner { parts, conds, .. } => {
            let mut all = above.clone();
            all.extend(conds.iter().map(|c| (c, None)));
            parts.iter().for_each(|p| leaves_below(p, &all, leaves, f));
        }
        JoinTree::Left { left, right, conds } => {
            leaves_below(left, above, leaves, f);
            let mut l = Vec::new();
            right.leaves(&mut l);
            let slots = l.iter().filter_map(|i| leaves.get(*i)).map(|l| l.slot).collect();
            let rejecting = above.iter().filter(|c| rejects_null(c.0, &slots)).map(|c| (c.0, None));
            let all = conds.iter().map(|c| (c, None)).chain(rejecting).collect();
            leaves_below(right, &all, leaves, f);
        }
        JoinTree::Semi { .. } => {}
    }
}

impl Binder<'_, '_> {
    /// Before a query in FROM is bound: it is asked for what was found for its key.
    pub(super) fn ask(&mut self, key: usize) {
        let at = self.requests.iter().position(|r| r.0 == key);
        self.st.asked = at.map(|i| self.requests.swap_remove(i).1);
    }

    /// After it: keeps its answer; its key, if conditions can move into it.
    pub(super) fn heard(&mut self, key: usize) -> usize {
        let answer = std::mem::take(&mut self.st.answer);
        self.answers.push((key, answer));
        if std::mem::take(&mut self.st.receptive) { key } else { 0 }
    }

    /// The conditions that may move into the queries of a block's FROM, by their keys.
    fn movable(&self, tree: Option<&JoinTree>, leaves: &[Leaf], conds: &[Expr]) -> Vec<(usize, SlotId, Vec<Movable>)> {
        let mut out = Vec::new();
        let key_of = |l: &Leaf| match l.kind {
            LeafKind::Derived { key, lateral: false, .. } => key,
            _ => 0,
        };
        let fit = |l: &Leaf| {
            let told = self.draft.table_hints.get(&l.slot).and_then(|t| t.pushdown);
            let key = key_of(l);
            // a common table expression is merged in two places: which one is meant nobody knows
            let alone = key != 0 && leaves.iter().filter(|o| key_of(o) == key).count() == 1;
            alone && told.unwrap_or(self.switch & PUSHDOWN != 0)
        };
        let (Some(tree), true) = (tree, leaves.iter().any(fit)) else { return out };
        let above: Above<'_> = conds.iter().enumerate().map(|(i, c)| (c, Some(i))).collect();
        leaves_below(tree, &above, leaves, &mut |i, above| {
            let Some(leaf) = leaves.get(i).filter(|l| fit(l)) else { return };
            let movable = |(c, at): &(&Expr, Option<usize>)| {
                let slots = self.draft.expr_slots(c);
                let own = slots.len() == 1 && slots.contains(&leaf.slot);
                (own && is_plain(c, leaf.slot) && c.nodes() <= MOST_PARTS).then(|| {
                    let mut cond = (*c).clone();
                    detach(&mut cond, leaf.slot);
                    Movable { cond, at: *at }
                })
            };
            let list: Vec<Movable> = above.iter().filter_map(movable).collect();
            if !list.is_empty() {
                out.push((key_of(leaf), leaf.slot, list));
            }
        });
        out
    }

    /// What a block that has been bound so far asks of the queries in its FROM; nothing if it need not be bound again.
    pub(super) fn requests(&mut self, tree: Option<&JoinTree>, leaves: &[Leaf], conds: &[Expr]) -> Option<Requests> {
        if self.rec.is_some() || self.st.keep_uses || self.st.view_text || self.st.locking {
            return None;
        }
        let found = self.movable(tree, leaves, conds);
        if found.is_empty() || self.st.again >= MOST_AGAIN {
            return None;
        }
        self.st.again += 1;
        let types = |slot: SlotId| match self.draft.slots.get(slot as usize) {
            Some(crate::plan::SlotDef::Tuple(t)) => t.clone(),
            _ => Vec::new(),
        };
        let request = |(key, slot, list): (usize, SlotId, Vec<Movable>)| {
            let conds = list.into_iter().map(|m| m.cond).collect();
            (key, Asked { conds, types: types(slot), converts: false, distinct: false })
        };
        Some(found.into_iter().map(request).collect())
    }

    /// Takes the conditions out of a block's that queries in its FROM took, when it has been bound again.
    pub(super) fn remove_moved(&mut self, tree: Option<&JoinTree>, leaves: &[Leaf], conds: &mut Vec<Expr>) {
        let answers = std::mem::take(&mut self.answers);
        let mut gone = Vec::new();
        for (key, _, list) in self.movable(tree, leaves, conds) {
            let Some((_, taken)) = answers.iter().find(|a| a.0 == key && a.1.len() == list.len()) else { continue };
            gone.extend(list.iter().zip(taken).filter(|(_, t)| **t).filter_map(|(m, _)| m.at));
        }
        let mut at = 0;
        conds.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }

    /// Puts what is asked of a block into its WHERE or HAVING, as far as it means the same there: which of them it took.
    pub(super) fn take_asked(
        &mut self,
        asked: &Asked,
        clauses: &Clauses<'_>,
        leaves: &[Leaf],
        conds: &mut Vec<Expr>,
        having: &mut Option<Expr>,
    ) -> SqlResult<Vec<bool>> {
        let Clauses { items, group, .. } = *clauses;
        let mut taken = vec![false; asked.conds.len()];
        let own = || items.iter().chain(group).chain(conds.iter()).chain(having.iter());
        let args = clauses.calls.iter().flat_map(|c| c.args.iter());
        let all: Vec<Expr> = own().chain(args).cloned().collect();
        if !all.iter().all(|e| self.is_steady(e)) {
            return Ok(taken);
        }
        let own_types: Vec<&SqlType> = items.iter().map(|i| &i.ty).collect();
        let asked_types: Vec<&SqlType> = asked.types.iter().collect();
        for (c, taken) in asked.conds.iter().zip(&mut taken) {
            let Some(list) = named(c, items) else { continue };
            let unfit = |e: &&Expr| {
                e.nodes() > MOST_PARTS
                    || e.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..) | ExprKind::Win(_) | ExprKind::Row(_)))
            };
            let partitions = |w: &BoundWindow| list.iter().all(|e| w.partition.iter().any(|p| p.same(e)));
            let windowed = !clauses.calls.is_empty();
            let careful = clauses.distinct || asked.distinct || windowed;
            let groups = is_of_groups(c, &own_types) && (!asked.distinct || is_of_groups(c, &asked_types));
            if list.iter().any(unfit) || (careful && !groups) || (windowed && !clauses.windows.iter().all(partitions)) {
                continue;
            }
            let of_groups =
                !clauses.rollup && groups && !group.is_empty() && list.iter().all(|e| group.iter().any(|g| g.same(e)));
            let mut inside = c.clone();
            substitute(&mut inside, items, asked);
            self.copied(&inside)?;
            if !clauses.aggregated || of_groups {
                self.use_generated(&mut inside, leaves)?;
                super::from::push_conjuncts(inside, conds);
            } else {
                *having = Some(and(having.take(), inside));
            }
            *taken = true;
        }
        Ok(taken)
    }
}
