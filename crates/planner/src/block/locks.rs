//! Row locks of a block's tables, as FOR UPDATE and FOR SHARE ask for them or as the statement itself takes them.

use super::Leaf;
use crate::expr::SlotId;
use crate::plan::{LockMode, LockWait};

/// One locking clause.
pub(crate) struct LockClause {
    pub(crate) mode: LockMode,
    pub(crate) wait: LockWait,
    /// Aliases it is restricted to.
    pub(crate) of: Option<Vec<String>>,
    /// Slots of those tables.
    pub(crate) slots: Option<Vec<SlotId>>,
}

/// Row locks of the block's tables.
#[derive(Default)]
pub(crate) struct Locks {
    pub(crate) clauses: Vec<LockClause>,
}

impl Locks {
    /// Clauses for all tables are for these: not for those of subqueries that become semijoins.
    pub(crate) fn confine(&mut self, leaves: &[Leaf]) {
        for c in &mut self.clauses {
            c.slots.get_or_insert_with(|| leaves.iter().map(|l| l.slot).collect());
        }
    }

    /// Lock of a table.
    pub(crate) fn of(&self, slot: SlotId) -> (LockMode, LockWait) {
        self.clauses.iter().find(|c| c.covers(slot)).map_or((LockMode::None, LockWait::Wait), |c| (c.mode, c.wait))
    }
}

impl LockClause {
    pub(crate) fn covers(&self, slot: SlotId) -> bool {
        self.slots.as_ref().is_none_or(|of| of.contains(&slot))
    }
}
