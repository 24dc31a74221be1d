//! GROUP BY ... WITH ROLLUP: each row counts in its group and in one group for every shorter prefix of the group expressions.
//!
//! A key is, for each live group expression, 0 and the value's sort key, then 1 if some are rolled up: in key order the total of a prefix
//! follows the groups it sums up, which is the order of the output.

use base::SqlResult;

use super::{AggOp, update};
use crate::context::Cx;
use crate::eval::eval;
use crate::keys;

impl<'e> AggOp<'e> {
    /// Reads the input into groups and puts them in order.
    pub(super) fn open_rollup(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let n = self.group.len();
        let (mut all, mut key, mut ends) = (Vec::new(), Vec::new(), Vec::with_capacity(n));
        while self.input.next(cx)? {
            self.arena.reset();
            all.clear();
            ends.clear();
            for e in self.group {
                let v = eval(e, cx, &self.arena)?;
                all.push(0);
                keys::put(v, &e.ty, false, &mut all);
                ends.push(all.len());
            }
            for live in (0..=n).rev() {
                let end = live.checked_sub(1).and_then(|i| ends.get(i)).copied().unwrap_or(0);
                key.clear();
                key.extend_from_slice(all.get(..end).unwrap_or(&all));
                if live < n {
                    key.push(1);
                }
                let at = match self.index.get(key.as_slice()) {
                    Some(at) => *at,
                    None => {
                        let g = self.new_group(cx, false, live)?;
                        let size = key.len() + g.head.len() + 96 + g.accs.len() * 64;
                        self.kept += size;
                        cx.keep(size)?;
                        self.groups.push(g);
                        let at = (self.groups.len() - 1) as u32;
                        self.index.insert(key.as_slice().into(), at);
                        at
                    }
                };
                if let Some(g) = self.groups.get_mut(at as usize) {
                    self.kept += update(g, self.aggs, cx, &self.arena)?;
                }
            }
            cx.tick()?;
        }
        let mut order: Vec<(Box<[u8]>, u32)> = self.index.drain().collect();
        order.sort_unstable();
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        self.groups = order.iter().filter_map(|(_, at)| groups.get_mut(*at as usize).and_then(Option::take)).collect();
        Ok(())
    }
}
