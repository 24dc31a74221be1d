//! How much of the search for a join order is made.
//!
//! Greedy orders are tried for every first table until so many places have been tried; then the best order found is
//! taken, and joins inside outer joins and semijoins are guessed. Forty tables fit. MySQL's manual, "Controlling Query
//! Plan Evaluation", leaves such bounds to the optimizer. Tested in `tests/clients/test_planning.py`.

use std::cell::Cell;

/// Places of the join order that may still be tried.
#[derive(Debug)]
pub(crate) struct Effort(Cell<u32>);

/// For a query block.
const WHOLE: u32 = 30_000;
/// For the order inside an outer join or semijoin, once the outer order is made.
const INSIDE: u32 = 2_000;

impl Effort {
    pub(crate) fn whole() -> Effort {
        Effort(Cell::new(WHOLE))
    }
    /// One place is tried.
    pub(crate) fn spend(&self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
    /// Nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
    /// What every order may cost at least.
    pub(crate) fn renew(&self) {
        self.0.set(self.0.get().max(INSIDE));
    }
}
