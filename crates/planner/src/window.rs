//! Window functions in plans: what [`Node::Window`](crate::plan::Node::Window) computes.
//!
//! A window node reads all rows of its input, keeps the values that are wanted above as tuples of its slot, sorts them by partition and
//! order, and appends one column for each call. All calls of a node share partitioning and ordering; frames are their own.
//! Expressions here read the node's own slot. Run by `executor::ops::window`.

use value::SqlType;
use value::compare::Comparator;

use crate::expr::{AggCall, Expr};
use crate::plan::SortKey;

/// One partitioning and ordering and what is computed over it.
#[derive(Clone, Debug)]
pub struct WindowPlan {
    /// Values kept of each input row; the first columns of the slot. They read the input's slots.
    pub payload: Vec<Expr>,
    /// PARTITION BY, then ORDER BY; they read the payload.
    pub keys: Vec<SortKey>,
    /// How many of `keys` are the partition.
    pub partition: usize,
    /// Computed columns, behind the payload in the slot.
    pub calls: Vec<WindowCall>,
}

/// A window function call.
#[derive(Clone, Debug)]
pub struct WindowCall {
    /// Function.
    pub func: WindowFunc,
    /// Arguments: columns of the payload, or constants.
    pub args: Vec<Expr>,
    /// Rows it sees; [`Frame::partition`] for functions that ignore the frame.
    pub frame: Frame,
    /// Result type.
    pub ty: SqlType,
}

/// Functions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum WindowFunc {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile,
    /// LEAD (true) or LAG: value, offset, default.
    Lead(bool),
    FirstValue,
    LastValue,
    NthValue,
    /// An aggregate over the frame; its arguments are those of the call.
    Aggregate(Box<AggCall>),
}

impl WindowFunc {
    /// Name as in messages.
    pub fn name(&self) -> &'static str {
        match self {
            WindowFunc::RowNumber => "row_number",
            WindowFunc::Rank => "rank",
            WindowFunc::DenseRank => "dense_rank",
            WindowFunc::PercentRank => "percent_rank",
            WindowFunc::CumeDist => "cume_dist",
            WindowFunc::Ntile => "ntile",
            WindowFunc::Lead(true) => "lead",
            WindowFunc::Lead(false) => "lag",
            WindowFunc::FirstValue => "first_value",
            WindowFunc::LastValue => "last_value",
            WindowFunc::NthValue => "nth_value",
            WindowFunc::Aggregate(a) => a.func.name(),
        }
    }
}

/// A frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// ROWS; otherwise RANGE.
    pub rows: bool,
    /// First row.
    pub start: Bound,
    /// Last row.
    pub end: Bound,
    /// The window's name for messages.
    pub window: Box<str>,
}

/// End of a frame.
#[derive(Clone, Debug)]
pub enum Bound {
    /// UNBOUNDED PRECEDING at the start, UNBOUNDED FOLLOWING at the end.
    Unbounded,
    /// CURRENT ROW: the row itself (ROWS) or its peers (RANGE).
    Current,
    /// `N PRECEDING` or `N FOLLOWING`.
    Offset {
        /// PRECEDING.
        preceding: bool,
        /// N, a constant.
        value: Expr,
        /// RANGE only.
        limit: Option<Box<RangeLimit>>,
    },
}

/// Where a RANGE frame with an offset ends.
#[derive(Clone, Debug)]
pub struct RangeLimit {
    /// The ORDER BY value of a row (a column of the payload).
    pub order: Expr,
    /// ORDER BY ... DESC.
    pub desc: bool,
    /// The current row's value plus or minus N.
    pub bound: Expr,
    /// `order` against `bound`.
    pub cmp: Comparator,
}

impl Frame {
    /// The whole partition.
    pub fn partition() -> Frame {
        Frame { rows: true, start: Bound::Unbounded, end: Bound::Unbounded, window: "".into() }
    }

    /// What a window with ORDER BY has without a frame clause: up to the current row's peers.
    pub fn running() -> Frame {
        Frame { rows: false, start: Bound::Unbounded, end: Bound::Current, window: "".into() }
    }
}
