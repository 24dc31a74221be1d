//! A query block on its way from binding to optimizing: what both know, below both.
//!
//! Binding (`bind`) makes a [`JoinTree`] of FROM and a list of conditions of WHERE; optimizing (`opt`) makes the joined
//! rows' part of the plan of them. Neither imports the other: binding asks through [`Optimize`], which it is given, and
//! what the two share stands here. All blocks of a statement add to one [`Draft`] of its plan.
//!
//! * [`tree`]: the join tree and its leaves; [`locks`]: row locks of the leaves; [`hints`]: what optimizer hints say of
//!   them; [`columns`]: result columns; [`within`]: which columns determine which;
//! * [`draft`]: the plan as far as it is there; [`interrupt`]: whether planning must stop;
//! * [`needed_columns`]: which columns of which slot are read; [`predicates`], [`disjunction`]: what conditions say.

mod columns;
pub(crate) mod disjunction;
mod draft;
pub(crate) mod hints;
mod interrupt;
mod locks;
pub(crate) mod needed_columns;
pub(crate) mod predicates;
mod tree;
pub(crate) mod within;

use std::cell::Cell;

use base::SqlResult;
use value::OwnedValue;

pub(crate) use columns::{Origin, OutColumn};
pub(crate) use draft::{Dives, Draft};
pub(crate) use locks::{LockClause, Locks};
pub(crate) use needed_columns::Needed;
pub(crate) use tree::{JoinTree, Leaf, LeafKind, SortIndexes};

use crate::expr::Expr;
use crate::plan::Node;
use crate::resolve::Resolver;

/// FROM and WHERE of a block, to be optimized.
pub(crate) struct Job<'j> {
    pub(crate) tree: Option<JoinTree>,
    pub(crate) leaves: Vec<Leaf>,
    /// Conjuncts of WHERE.
    pub(crate) conds: Vec<Expr>,
    pub(crate) wanted: &'j Wanted,
    pub(crate) locks: &'j Locks,
    pub(crate) needed: &'j Needed,
    /// Tables are joined in the order in which they are written.
    pub(crate) straight: bool,
    /// Table order asked for by hints.
    pub(crate) hinted: hints::Order,
}

/// What optimizing reads of the statement and its session, and adds to its plan.
pub(crate) struct Context<'c> {
    pub(crate) r: &'c dyn Resolver,
    /// `optimizer_switch`.
    pub(crate) switch: u64,
    /// Values of this execution's lifted literals: for estimates only.
    pub(crate) peek: &'c [OwnedValue],
    /// Some of them have decided something.
    pub(crate) peeked: &'c Cell<bool>,
    pub(crate) draft: &'c mut Draft,
}

/// Plans the joined rows of a block: `opt::plan`, given to who binds.
pub(crate) type Optimize = fn(Context<'_>, Job<'_>) -> SqlResult<Joined>;

/// Order the block would like to get its rows in.
#[derive(Default)]
pub(crate) struct Wanted {
    pub(crate) order: Vec<(Expr, bool)>,
    pub(crate) grouping: bool,
    pub(crate) limit: Option<f64>,
    /// Of rows equal in `order` only the first is needed.
    pub(crate) loose: Option<Loose>,
    /// Only the first row in that order is of use: another order is none.
    pub(crate) end: bool,
}

/// The joined tables.
pub(crate) struct Joined {
    pub(crate) node: Node,
    pub(crate) rows: f64,
    pub(crate) cost: f64,
    pub(crate) ordered: bool,
}

/// Only the first row of each group is needed.
#[derive(Clone, Debug)]
pub(crate) struct Loose {
    /// Columns of the table: first those of GROUP BY (so many), whose groups must come one after the other.
    pub(crate) group: Vec<Expr>,
    pub(crate) lead: usize,
    /// The first by this column; descending?
    pub(crate) then: Option<(u16, bool)>,
}
