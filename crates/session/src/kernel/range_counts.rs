//! Plans whose ranges are counted: planning in rounds, and whether a plan of the cache suits an execution (see `planner::opt::dive`).
//!
//! The counts are taken before the plan's metadata locks, as statistics are: a table that goes meanwhile gives no count.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use base::SqlResult;
use executor::dives;
use executor::gate::Cleared;
use planner::RangeKey;
use planner::plan::Plan;
use value::OwnedValue;

/// A count may lead to a plan that asks for others.
const ROUNDS: usize = 3;

impl Session {
    /// Makes a plan and makes it again with the counts it asked for. `params`: values of its parameters.
    ///
    /// # Errors
    /// Those of `plan`.
    pub(crate) fn plan_counted(
        &mut self,
        params: &[OwnedValue],
        mut plan: impl FnMut(&SessionResolver<'_>, &[(RangeKey, f64)]) -> SqlResult<Plan>,
    ) -> SqlResult<Plan> {
        let mut counted: Vec<(RangeKey, f64)> = Vec::new();
        let mut made = plan(&SessionResolver(&self.env), &counted)?;
        for _ in 0..ROUNDS {
            if made.dives.is_empty() {
                break;
            }
            let cleared = Cleared::check(&made, &self.env)?;
            let counts = dives::counts(cleared, params, &mut self.env);
            let Some(news) = dives::news(&made, &counts) else { break };
            counted.retain(|(k, _)| news.iter().all(|(n, _)| n != k));
            counted.extend(news);
            made = plan(&SessionResolver(&self.env), &counted)?;
        }
        Ok(made)
    }

    /// Whether a plan that was made for other values does for these.
    pub(crate) fn suits(&mut self, plan: &CachedPlan, params: &[OwnedValue]) -> bool {
        plan.plan.dives.is_empty() || {
            // who may not run it is told so before it is run
            let Ok(cleared) = plan.cleared(&self.env) else { return true };
            let counts = dives::counts(cleared, params, &mut self.env);
            dives::suits(&plan.plan, &counts)
        }
    }
}
