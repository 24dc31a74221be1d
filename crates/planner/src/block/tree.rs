//! FROM as a tree of joins, with what stands at its leaves.

use std::rc::Rc;
use std::sync::Arc;

use storage::dict::TableDef;

use super::hints::Strategies;
use super::within::Within;
use crate::expr::{Expr, SlotId};
use crate::plan::{Ctes, QueryPlan, Shared};
use crate::resolve::VirtualTable;

/// What a leaf of the join tree reads.
pub(crate) enum LeafKind {
    /// A base table (index into the statement's tables).
    Base {
        table: u16,
        def: Arc<TableDef>,
        /// Index numbers allowed (USE/FORCE), `None` = all; and whether a table scan is a last resort only.
        allowed: Option<Vec<usize>>,
        force: bool,
        ignored: Vec<usize>,
        /// What index hints say about ORDER BY and GROUP BY, if they do.
        sorts: Option<Box<[SortIndexes; 2]>>,
    },
    Virtual(Arc<dyn VirtualTable>),
    Derived {
        query: Option<Box<QueryPlan>>,
        /// Reads tables to its left.
        lateral: bool,
        /// It reads columns of enclosing blocks (or of tables to the left).
        correlated: bool,
        /// What it is known by where conditions may move into it (`bind/pushdown.rs`), else 0.
        key: usize,
        /// It is a reference of a common table expression.
        shared: Option<Box<Shared>>,
        /// Common table expressions inside it.
        inside: Ctes,
        /// Which of its columns determine which.
        within: Option<Rc<Within>>,
    },
}

/// Indexes whose order may be used (index hints with FOR ORDER BY or FOR GROUP BY).
#[derive(Clone, Default)]
pub(crate) struct SortIndexes {
    pub(crate) allowed: Option<Vec<usize>>,
    pub(crate) ignored: Vec<usize>,
}

impl SortIndexes {
    /// Whether the order of index `i` may be used.
    pub(crate) fn usable(&self, i: usize) -> bool {
        !self.ignored.contains(&i) && self.allowed.as_ref().is_none_or(|a| a.contains(&i))
    }
}

/// A table of the FROM clause.
pub(crate) struct Leaf {
    pub(crate) slot: SlotId,
    pub(crate) alias: String,
    pub(crate) kind: LeafKind,
    pub(crate) columns: usize,
}

/// Joins as written, RIGHT turned into LEFT.
#[derive(Clone, Debug)]
pub(crate) enum JoinTree {
    /// Index into the leaves.
    Leaf(usize),
    Inner {
        parts: Vec<JoinTree>,
        conds: Vec<Expr>,
        straight: bool,
    },
    Left {
        left: Box<JoinTree>,
        right: Box<JoinTree>,
        conds: Vec<Expr>,
    },
    /// A part of [`JoinTree::Inner`]: rows of the other parts with a match (`anti`: without one) in `right`.
    Semi {
        right: Box<JoinTree>,
        conds: Vec<Expr>,
        anti: bool,
        may: Strategies,
        /// Number of the subquery's SELECT.
        select: u32,
    },
}

impl JoinTree {
    /// Leaves below that an outer join may lack; `inner`: this is the inner side of one.
    pub(crate) fn lacking(&self, inner: bool, out: &mut Vec<usize>) {
        match self {
            JoinTree::Leaf(i) if inner => out.push(*i),
            JoinTree::Leaf(_) | JoinTree::Semi { .. } => {}
            JoinTree::Inner { parts, .. } => parts.iter().for_each(|p| p.lacking(inner, out)),
            JoinTree::Left { left, right, .. } => {
                left.lacking(inner, out);
                right.lacking(true, out);
            }
        }
    }

    /// Leaves below.
    pub(crate) fn leaves(&self, out: &mut Vec<usize>) {
        match self {
            JoinTree::Leaf(i) => out.push(*i),
            JoinTree::Inner { parts, .. } => parts.iter().for_each(|p| p.leaves(out)),
            JoinTree::Left { left, right, .. } => {
                left.leaves(out);
                right.leaves(out);
            }
            JoinTree::Semi { right, .. } => right.leaves(out),
        }
    }

    /// Outer joins in it.
    pub(crate) fn lefts(&self) -> usize {
        match self {
            JoinTree::Inner { parts, .. } => parts.iter().map(JoinTree::lefts).sum(),
            JoinTree::Left { left, right, .. } => 1 + left.lefts() + right.lefts(),
            JoinTree::Leaf(_) | JoinTree::Semi { .. } => 0,
        }
    }
}
