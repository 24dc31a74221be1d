//! Semijoins in EXPLAIN: the words that MySQL's traditional format has about their strategies in Extra, and who is called what.
//!
//! A subquery that is materialized first is a table `<subqueryN>` and a block of its own; its tables' columns are that table's outside.

use super::{Explainer, in_order};
use crate::expr::{Expr, SlotId};
use crate::plan::{Node, Plan, Unique};

/// Name of a table in a slot.
pub(super) fn alias(plan: &Plan, slot: SlotId) -> &str {
    match plan.slots.get(slot as usize) {
        Some(crate::plan::SlotDef::Table(t)) => plan.tables.get(*t as usize).map_or("", |t| &*t.alias),
        _ => "",
    }
}

/// Name of the index that gives the rows of a loose scan in their order.
pub(super) fn index_of<'p>(plan: &'p Plan, n: &Node) -> &'p str {
    match n {
        Node::Scan(s) => {
            let def = plan.tables.get(s.table as usize).map(|t| &t.def);
            def.and_then(|d| d.indexes.get(s.index as usize)).map_or("", |i| &*i.name)
        }
        Node::NestedLoop { outer: n, .. } | Node::HashJoin { outer: n, .. } | Node::Filter { input: n, .. } => {
            index_of(plan, n)
        }
        _ => "",
    }
}

impl<'p> Explainer<'p> {
    /// A semijoin whose duplicates are removed.
    pub(super) fn unique(&mut self, input: &'p Node, by: &'p Unique, kind: &'static str, id: u32, above: &str) {
        let from = self.out.len();
        match by {
            Unique::Values { keys, select } => self.materialized(input, keys, *select, kind, id, above),
            Unique::Runs(_) => {
                self.node(input, kind, id, above);
                self.add_extra(from, "LooseScan");
            }
            Unique::Rows { inner, .. } => {
                self.node(input, kind, id, above);
                let end = self.out.len();
                let start = (from..end).find(|r| self.row_slots.get(r).is_some_and(|s| inner.contains(s)));
                self.add_extra(start.unwrap_or(from), "Start temporary");
                self.add_extra(end.saturating_sub(1), "End temporary");
            }
        }
    }

    fn materialized(
        &mut self,
        input: &'p Node,
        keys: &'p [Expr],
        select: u32,
        kind: &'static str,
        id: u32,
        above: &str,
    ) {
        let nullable = keys.iter().any(|k| k.ty.nullable);
        let words = [if nullable { "Using where" } else { "" }, above];
        let extra = words.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join("; ");
        let extra = (!extra.is_empty()).then(|| in_order(&extra));
        let cells = vec![Some("ALL".into()), None, None, None, None, None, Some("100.00".into()), extra];
        let kind = if id > 1 || self.targets.is_empty() { kind } else { self.main };
        self.push(id, kind, Some(format!("<subquery{select}>")), cells);
        self.selects.push(select);
        let mut slots = Vec::new();
        crate::visit::slots_of(input, &mut slots);
        self.made.extend(slots.into_iter().map(|s| (s, select)));
        self.pending.push((input, "MATERIALIZED", select));
    }

    /// The next number of a block.
    pub(super) fn next_select(&mut self) -> u32 {
        loop {
            self.next_id += 1;
            if !self.selects.contains(&self.next_id) {
                return self.next_id;
            }
        }
    }

    /// Name of the last table so far that is not inside a semijoin.
    pub(super) fn last_table(&self) -> Option<String> {
        let rows = self.out.iter().enumerate().rev();
        let c = rows.filter(|(i, _)| !self.matched.contains(i)).map(|r| r.1).next();
        c.and_then(|c| c.get(2).cloned().flatten())
    }

    /// Adds to the Extra of a row.
    pub(super) fn add_extra(&mut self, row: usize, word: &str) {
        let Some(cell) = self.out.get_mut(row).and_then(|c| c.get_mut(11)) else { return };
        let mut words: Vec<&str> = cell.as_deref().map_or_else(Vec::new, |c| c.split("; ").collect());
        let early = |w: &&str| *w == "Using where" || *w == "Using index condition";
        let at = if word == "Not exists" { words.iter().rposition(early).map_or(0, |i| i + 1) } else { words.len() };
        words.insert(at, word);
        let text = in_order(&words.join("; "));
        *cell = Some(text);
    }
}
