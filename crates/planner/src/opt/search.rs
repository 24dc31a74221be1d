//! The cheapest join order of a few tables: all left-deep orders, by the sets of tables that begin them.
//!
//! Of two orders that begin with the same tables the dearer one is given up (dynamic programming over sets, as in System R), and so is what costs
//! more than the greedy order that is known already. Greedy orders go wrong where a small table looks cheap beside rows it has
//! little to do with: in TPC-H's query 5, `supplier` and `customer` of one nation. Tables that no condition joins to those before them wait as long as
//! there are others: with few rows estimated before them, reading them for each row looks cheap. The sets of n tables are 2^n: beyond [`MOST`] tables the
//! greedy order stays, and joins inside outer joins and semijoins stay greedy too. Estimates err, so an order must be a good
//! deal cheaper to be taken ([`GAIN`]).

use hashbrown::HashSet;

use base::SqlResult;

use super::joins::{Planner, Unit, UnitKind};
use super::memo::Cond;
use crate::block::Wanted;
use crate::expr::SlotId;

/// Most units whose orders are all looked at; fewer with a smaller `optimizer_search_depth`.
const MOST: usize = 8;
/// What a better order may cost beside the greedy one.
pub(super) const GAIN: f64 = 0.8;

/// An order of some of the units.
struct Begin {
    set: u32,
    order: Vec<usize>,
    rows: f64,
    cost: f64,
}

impl Begin {
    fn score(&self) -> f64 {
        self.cost + self.rows * 0.1
    }
}

/// Keeps the cheaper of two orders of the same set.
fn keep(list: &mut Vec<Begin>, b: Begin) {
    match list.iter_mut().find(|o| o.set == b.set) {
        Some(old) if old.score() <= b.score() => {}
        Some(old) => *old = b,
        None => list.push(b),
    }
}

impl Planner<'_> {
    /// The cheapest order with its rows and cost, if its score is below `bound`. The parameters are those of `order`.
    pub(super) fn search(
        &self,
        units: &[Unit],
        conds: &[Cond<'_>],
        wanted: &Wanted,
        before: &HashSet<SlotId>,
        bound: f64,
    ) -> SqlResult<Option<(Vec<usize>, f64, f64)>> {
        // 0: as many as are thought right
        let depth = match self.cx.r.setting("optimizer_search_depth") {
            0 => MOST,
            n => usize::try_from(n).map_or(MOST, |n| n.min(MOST)),
        };
        let few = (3..=depth).contains(&units.len());
        if !few || self.effort.is_spent() || units.iter().any(|u| matches!(u.kind, UnitKind::Group(..))) {
            return Ok(None);
        }
        let mut begins = vec![Begin { set: 0, order: Vec::new(), rows: 1.0, cost: 0.0 }];
        for n in 0..units.len() {
            let mut longer = Vec::new();
            for b in &begins {
                let mut placed = before.clone();
                placed.extend(b.order.iter().filter_map(|i| units.get(*i)).flat_map(|u| u.slots.iter().copied()));
                let may = |u: &Unit| u.deps.is_subset(&placed) && (n > 0 || u.outer.is_none());
                let mut next: Vec<(usize, &Unit)> =
                    units.iter().enumerate().filter(|(i, u)| b.set & 1 << i == 0 && may(u)).collect();
                let joined = |u: &Unit| {
                    let links = |s: &HashSet<SlotId>| {
                        s.iter().any(|x| u.slots.contains(x)) && s.iter().any(|x| placed.contains(x))
                    };
                    u.outer.is_some() || conds.iter().any(|c| links(&c.slots))
                };
                if next.iter().any(|(_, u)| joined(u)) {
                    next.retain(|(_, u)| joined(u));
                }
                for (i, u) in next {
                    if self.effort.is_spent() {
                        return Ok(None);
                    }
                    let first = (n == 0).then_some(wanted);
                    let p = self.place(u, conds, &placed, first, b.rows)?;
                    let rows = if n == 0 { p.rows } else { (b.rows * p.rows).max(0.01) };
                    let cost = b.cost + p.cost + if n == 0 { Self::sorting(&p, wanted) } else { 0.0 };
                    if cost < bound {
                        let order = b.order.iter().copied().chain([i]).collect();
                        keep(&mut longer, Begin { set: b.set | 1 << i, order, rows, cost });
                    }
                }
            }
            begins = longer;
        }
        Ok(begins.into_iter().find(|b| b.score() < bound).map(|b| (b.order, b.rows, b.cost)))
    }
}
