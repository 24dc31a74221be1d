//! Ranges of an index whose entries a plan would rather have counted; see `opt::dive`.

use base::IndexId;

use super::Access;
use crate::expr::SlotId;

/// Which range was counted; the same when the same statement is planned again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeKey {
    pub(crate) slot: SlotId,
    pub(crate) index: IndexId,
    /// Which branch of which disjunction an index merge reads so: two of `a = 1 OR a = 2 OR b = 3` go through one
    /// index with conditions of one kind. 0: no branch.
    pub(crate) branch: u32,
    /// The kinds of its conditions.
    pub(crate) shape: Box<[u8]>,
}

/// A range whose entries are worth counting.
#[derive(Clone, Debug)]
pub struct Dive {
    /// See there.
    pub key: RangeKey,
    /// Index into [`Plan::tables`](crate::plan::Plan::tables).
    pub table: u16,
    /// The index (position in the definition's list).
    pub index: u16,
    /// [`Access::Ranges`] of constants.
    pub access: Access,
    /// What the plan took for its rows.
    pub rows: f64,
}
