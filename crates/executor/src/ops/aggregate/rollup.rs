//! GROUP BY ... WITH ROLLUP: each row counts in its group and in one group for every shorter prefix of the group expressions.
//!
//! A key is, for each live group expression, 0 and the value's sort key, then 1 if some are rolled up: in key order the total of a prefix
//! follows the groups it sums up, which is the order of the output.

use base::SqlResult;

use super::AggOp;
use crate::eval::Cx;
use crate::eval::eval;
use crate::rows::keys;

impl<'e> AggOp<'e> {
    /// Reads the input into groups and puts them in order.
    pub(super) fn open_rollup(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let n = self.group.len();
        let (mut all, mut key, mut ends) = (Vec::new(), Vec::new(), Vec::with_capacity(n));
        while self.input.next(cx)? {
            self.arena.reset();
            all.clear();
            ends.clear();
            self.values.clear();
            for e in self.group {
                let v = eval(e, cx, &self.arena)?;
                all.push(0);
                keys::put(v, &e.ty, false, &mut all);
                if self.moving {
                    self.values.push(v.to_owned());
                }
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
                    None if !self.moving && self.late.is_full(self.kept) => {
                        self.late.keep_row(&key, live, &self.slots, cx)?;
                        continue;
                    }
                    None => self.add_group(&key, live, cx)?,
                };
                self.add_row(at, cx)?;
            }
            cx.tick()?;
        }
        self.finish_distinct(cx)?;
        if self.late.has_rows() {
            return self.late_groups(cx);
        }
        let mut order: Vec<(Box<[u8]>, u32)> = self.index.drain().collect();
        order.sort_unstable();
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        self.groups = order.iter().filter_map(|(_, at)| groups.get_mut(*at as usize).and_then(Option::take)).collect();
        Ok(())
    }
}
