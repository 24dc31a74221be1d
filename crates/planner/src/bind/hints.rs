//! Optimizer hints `/*+ ... */` (manual, "Optimizer Hints").
//!
//! What acts: JOIN_FIXED_ORDER, JOIN_ORDER, JOIN_PREFIX, JOIN_SUFFIX, the INDEX family, NO_RANGE_OPTIMIZATION, NO_BNL
//! and NO_HASH_JOIN (no hash join into these tables), NO_ICP, MERGE and NO_MERGE, SEMIJOIN and NO_SEMIJOIN with their
//! strategies, MAX_EXECUTION_TIME, SET_VAR (the session does it, before it plans), QB_NAME with `@name` everywhere
//! ([`blocks`]). Hints about algorithms that the planner does not have are read and change nothing. What cannot be read
//! is a warning and ends the list ([`read`]); what cannot be resolved, and what contradicts an earlier hint, is a
//! warning too, as in MySQL ([`tree`]).

pub(crate) mod blocks;
pub(crate) mod read;
pub(crate) mod tree;

use std::sync::Arc;

use base::SqlResult;
use storage::dict::TableDef;
use value::{Level, Warning};

use super::Binder;
use crate::block::hints::Order;
use crate::block::hints::SemiTold;
use crate::block::hints::Strategies;
use crate::block::hints::before;
use crate::block::{Leaf, LeafKind};
use crate::expr::SlotId;
use read::{Kind, Name};
use tree::Act;

/// ER_PARSE_ERROR, ER_UNRESOLVED_HINT_NAME.
const SYNTAX: u16 = 1064;
const UNRESOLVED: u16 = 3128;
/// Bit of `optimizer_switch`.
const DERIVED_MERGE: u64 = 1 << 18;

/// Whether the statement's own verb is SELECT: MAX_EXECUTION_TIME limits nothing else.
fn is_query(sql: &[u8]) -> bool {
    let text = sql.trim_ascii_start();
    let end = text.iter().position(|c| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let verb = text.get(..end).unwrap_or(&[]).to_ascii_uppercase();
    matches!(verb.as_slice(), b"" | b"SELECT" | b"EXPLAIN" | b"DESCRIBE" | b"DESC" | b"WITH")
}

impl<'a> Binder<'a, '_> {
    /// Looks at the statement's hints before anything is bound: what counts of them, and the warnings of what does not.
    pub(crate) fn settle_hints(&mut self) {
        if self.blocks.is_empty() {
            return;
        }
        let syntax: Vec<String> =
            self.blocks.iter().flat_map(|b| &b.bad).map(|(at, why)| self.syntax(*at, why)).collect();
        for message in syntax {
            self.draft.notes.warnings.push(Warning { level: Level::Warning, code: SYNTAX, message });
        }
        let query = is_query(self.sql) && !self.blocks.iter().any(|b| b.dml);
        let (tree, warnings) = tree::settle(&self.blocks, query);
        self.draft.notes.warnings.extend(warnings);
        self.told = tree;
    }

    /// What begins at `at` is no hint: the warning shows the statement from there on.
    fn syntax(&self, at: usize, why: &str) -> String {
        let (before, from) = self.sql.split_at_checked(at).unwrap_or((&[], self.sql));
        let line = before.iter().filter(|c| **c == b'\n').count() + 1;
        // where the hints' text ends, nothing follows
        let from = if from.starts_with(b"*/") { "*/".into() } else { String::from_utf8_lossy(from) };
        let near: String = from.trim_end_matches([';', ' ', '\n']).chars().take(80).collect();
        format!("{why} near '{near}' at line {line}")
    }

    /// Number of the block whose verb is at `start`, if the statement has hints.
    fn number_at(&self, start: usize) -> Option<u32> {
        self.blocks.iter().find(|b| b.start == start).map(|b| b.number)
    }

    /// The hints for the block that begins at `start` with a hint text of its own: its own and those of other blocks that name it.
    fn acts(&self, start: usize, text: Option<&[u8]>) -> (Vec<Act>, u32) {
        if self.view_schema.is_some() || self.blocks.is_empty() {
            // a view's text: block names are its own, and what was wrong was told of when the view was made
            let Some(text) = text else { return (Vec::new(), 1) };
            let (hints, _) = read::read(&String::from_utf8_lossy(text), false);
            let block = blocks::Block { start: 0, dml: false, number: 1, hints, bad: Vec::new(), ended: 0 };
            return (tree::settle(&[block], true).0.acts, 1);
        }
        let Some(number) = self.number_at(start) else { return (Vec::new(), 1) };
        (self.told.acts.iter().filter(|a| a.to == number).cloned().collect(), number)
    }

    /// Keeps the names of a block's tables, for the warnings about hints that name others.
    fn keep_names(&mut self, number: u32, leaves: &[Leaf]) {
        if self.view_schema.is_some() || self.blocks.is_empty() {
            return;
        }
        let scope = self.scopes.last().map_or(&[][..], |s| &s.tables);
        let merged = scope.iter().filter(|t| t.merged.is_some()).map(|t| (t.alias.clone(), None));
        let own = leaves.iter().filter(|l| scope.iter().any(|t| t.slot == l.slot)).map(|l| {
            let def = match &l.kind {
                LeafKind::Base { def, .. } => Some(def.clone()),
                _ => None,
            };
            (l.alias.clone(), def)
        });
        let list = merged.chain(own).collect();
        self.st.hinted_tables.push((number, list));
    }

    /// The same of the table of INSERT, which its hints may name too.
    pub(crate) fn keep_target(&mut self, name: &str, def: &Arc<TableDef>) {
        if !self.blocks.is_empty() {
            self.st.hinted_tables.push((1, vec![(name.to_owned(), Some(def.clone()))]));
        }
    }

    /// Warnings about tables and indexes in hints that the blocks do not have.
    pub(crate) fn hint_warnings(&mut self) -> Vec<Warning> {
        let mut numbers: Vec<u32> = self.st.hinted_tables.iter().map(|t| t.0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut out = Vec::new();
        for n in numbers {
            let known = self.st.hinted_tables.iter().filter(|t| t.0 == n).flat_map(|t| &t.1);
            let tables: Vec<_> = known.map(|(name, def)| (name.as_str(), def.as_deref())).collect();
            out.extend(self.told.unresolved(n, &tables));
        }
        out.append(&mut self.st.late_warnings);
        out
    }

    /// What MERGE and NO_MERGE say about the tables of the block whose verb is at `start`.
    pub(crate) fn merges(&self, start: usize, text: Option<&[u8]>) -> Vec<(String, bool)> {
        if text.is_none() && self.blocks.is_empty() {
            return Vec::new();
        }
        let acts = self.acts(start, text).0;
        let merges = acts.iter().filter(|h| matches!(h.kind, Kind::Merge));
        let all = |h: &Act| h.names.is_empty().then(|| (String::new(), h.on));
        merges.flat_map(|h| h.names.iter().map(|n| (n.name.clone(), h.on)).chain(all(h))).collect()
    }

    /// Whether the query in FROM with this name is to be merged where it can be; a word about a table counts more than one about the block.
    pub(crate) fn wants_merge(&self, alias: &str) -> bool {
        let told = self.scopes.last().map_or(&[][..], |s| &s.merges);
        let of = |name: &str| told.iter().find(|m| m.0 == name).map(|m| m.1);
        of(alias).or_else(|| of("")).unwrap_or(self.switch & DERIVED_MERGE != 0)
    }

    /// Acts on the hints of UPDATE and DELETE, and of an INSERT without SELECT.
    pub(crate) fn dml_hints(&mut self, text: Option<&[u8]>, leaves: &mut [Leaf]) -> SqlResult<(bool, Order)> {
        let start = self.blocks.iter().find(|b| b.dml).map_or(0, |b| b.start);
        self.hints(start, text, leaves)
    }

    /// Whether a hint of another block names the block that begins at `start`: it is then not merged into that one.
    pub(crate) fn is_hinted(&self, start: usize) -> bool {
        self.view_schema.is_none() && self.number_at(start).is_some_and(|n| self.told.is_named(n))
    }

    /// Acts on the hints of the block whose verb is at `start`: whether the join order is fixed, and which tables come before which.
    pub(crate) fn hints(&mut self, start: usize, text: Option<&[u8]>, leaves: &mut [Leaf]) -> SqlResult<(bool, Order)> {
        let (mut fixed, mut order) = (false, Vec::new());
        if text.is_none() && self.blocks.is_empty() {
            return Ok((fixed, order));
        }
        let (acts, number) = self.acts(start, text);
        self.keep_names(number, leaves);
        for h in &acts {
            match h.kind {
                Kind::JoinFixedOrder => fixed = true,
                Kind::JoinOrder | Kind::JoinPrefix | Kind::JoinSuffix => self.join_order(h, leaves, &mut order),
                Kind::Index | Kind::JoinIndex | Kind::GroupIndex | Kind::OrderIndex => self.index_hint(h, leaves),
                Kind::NoRange => self.range_hint(h, leaves),
                Kind::IndexMerge => self.merge_hint(h, leaves),
                Kind::Icp => self.icp_hint(h, leaves),
                Kind::Pushdown => self.pushdown_hint(h, leaves),
                Kind::Bnl | Kind::HashJoin if !h.on => self.hash_hint(h, leaves),
                Kind::MaxExecutionTime => {
                    self.draft.notes.max_execution_time = h.names.first().and_then(|n| n.name.parse().ok());
                }
                Kind::SetVar if self.scopes.len() == 1 => {
                    // planned anew each time, with the variables as they are set
                    self.draft.notes.uncacheable = true;
                }
                Kind::SetVar
                | Kind::QbName
                | Kind::Bka
                | Kind::Bnl
                | Kind::HashJoin
                | Kind::Mrr
                | Kind::Merge
                | Kind::SkipScan
                | Kind::Semijoin
                | Kind::Subquery
                | Kind::ResourceGroup => {}
            }
        }
        Ok((fixed, order))
    }

    /// Order between the tables that a hint names; nothing if one of them is not there, which is told of when the plan is made.
    fn join_order(&mut self, h: &Act, leaves: &[Leaf], order: &mut Order) {
        let mut named = Vec::new();
        for n in &h.names {
            let block = n.block.as_deref().and_then(|b| self.told.number(b));
            if block.is_some_and(|b| b != h.to) {
                // a table of a subquery, which is bound later and keeps its own order
                continue;
            }
            match hinted_slot(n, leaves) {
                Some(i) => named.extend(leaves.get(i).map(|l| l.slot)),
                None => {
                    let block = n.block.as_ref().map_or(String::new(), |b| format!("@`{b}`"));
                    let message = format!("Unresolved name `{}`{block} for {} hint", n.name, h.kind.name(h.on));
                    let w = Warning { level: Level::Warning, code: UNRESOLVED, message };
                    if self.view_schema.is_none() && !self.st.late_warnings.contains(&w) {
                        self.st.late_warnings.push(w);
                    }
                    return;
                }
            }
        }
        let mut asked = order.clone();
        for (i, s) in named.iter().enumerate() {
            asked.push((*s, named.iter().take(i).copied().collect()));
        }
        let others: Vec<SlotId> = leaves.iter().map(|l| l.slot).filter(|s| !named.contains(s)).collect();
        match h.kind {
            Kind::JoinPrefix => asked.extend(others.iter().map(|s| (*s, named.clone()))),
            Kind::JoinSuffix => asked.extend(named.iter().map(|s| (*s, others.clone()))),
            _ => {}
        }
        // one that contradicts those before it is passed over
        if !circular(&asked) {
            *order = asked;
        }
    }

    /// No hash joins: into the tables named, or any of the block.
    fn hash_hint(&mut self, h: &Act, leaves: &[Leaf]) {
        for l in leaves.iter().filter(|l| is_about(h, l)) {
            self.draft.table_hints.entry(l.slot).or_default().no_hash = true;
        }
    }

    /// Conditions move into the tables named, or into any of the block, or not; a word about a table counts more than one about the block.
    fn pushdown_hint(&mut self, h: &Act, leaves: &[Leaf]) {
        for l in leaves.iter().filter(|l| is_about(h, l)) {
            self.draft.table_hints.entry(l.slot).or_default().pushdown.get_or_insert(h.on);
        }
    }

    /// Index merges on or off for a table. The indexes named only make the difference between a table and none.
    fn merge_hint(&mut self, h: &Act, leaves: &[Leaf]) {
        let Some((slot, _)) = hinted_indexes(h, leaves) else { return };
        self.draft.table_hints.entry(slot).or_default().merge = Some(h.on);
    }

    fn icp_hint(&mut self, h: &Act, leaves: &[Leaf]) {
        let Some((slot, found)) = hinted_indexes(h, leaves) else { return };
        let t = self.draft.table_hints.entry(slot).or_default();
        if found.is_empty() {
            t.no_icp = Some(Vec::new());
        } else if t.no_icp.as_ref().is_none_or(|l| !l.is_empty()) {
            t.no_icp.get_or_insert_default().extend(found);
        }
    }

    /// What hints say about the subquery that begins at `start` becoming a semijoin: nothing if other hints concern it, which need it as a block.
    pub(crate) fn semijoin_hints(&self, start: usize) -> Option<SemiTold> {
        let mut told = SemiTold::default();
        let Some(number) = self.number_at(start) else { return Some(told) };
        if self.told.joins(number) {
            return None;
        }
        for h in self.told.acts.iter().filter(|a| a.to == number) {
            let named = || Strategies::named(h.names.iter().map(|n| n.name.as_str()));
            match (h.kind, h.on) {
                (Kind::QbName, _) => {}
                (Kind::Subquery, _) => told.on = Some(false),
                (Kind::Semijoin, false) if h.names.is_empty() => told.on = Some(false),
                (Kind::Semijoin, false) => told.without = named(),
                (Kind::Semijoin, true) => {
                    told.on = Some(true);
                    told.only = (!h.names.is_empty()).then(named);
                }
                _ => return None,
            }
        }
        // a name that means nothing is told of where the block is bound as one
        if !self.told.unresolved(number, &[]).is_empty() { None } else { Some(told) }
    }

    fn range_hint(&mut self, h: &Act, leaves: &[Leaf]) {
        let Some((slot, found)) = hinted_indexes(h, leaves) else { return };
        let t = self.draft.table_hints.entry(slot).or_default();
        if found.is_empty() {
            t.no_range = Some(Vec::new());
        } else if t.no_range.as_ref().is_none_or(|l| !l.is_empty()) {
            t.no_range.get_or_insert_default().extend(found);
        }
    }

    fn index_hint(&mut self, h: &Act, leaves: &mut [Leaf]) {
        let Some((slot, found)) = hinted_indexes(h, leaves) else { return };
        let leaf = leaves.iter_mut().find(|l| l.slot == slot);
        let Some(LeafKind::Base { allowed, force, ignored, .. }) = leaf.map(|l| &mut l.kind) else { return };
        match (h.on, found.is_empty()) {
            (true, true) => *force = true,
            (true, false) => {
                *force = true;
                allowed.get_or_insert_default().extend(found);
            }
            (false, true) => *allowed = Some(Vec::new()),
            (false, false) => ignored.extend(found),
        }
    }
}

/// Position of the table that a hint names.
fn hinted_slot(name: &Name, leaves: &[Leaf]) -> Option<usize> {
    leaves.iter().position(|l| super::scope::same_name(&l.alias, &name.name))
}

/// Whether a hint about tables, or about a block's tables if it names none, is about this one.
fn is_about(h: &Act, leaf: &Leaf) -> bool {
    h.names.is_empty() || h.names.iter().any(|n| super::scope::same_name(&leaf.alias, &n.name))
}

/// The table and the indexes that a hint names, as far as there are any.
fn hinted_indexes(h: &Act, leaves: &[Leaf]) -> Option<(SlotId, Vec<usize>)> {
    let leaf = leaves.get(hinted_slot(h.names.first()?, leaves)?)?;
    let LeafKind::Base { def, .. } = &leaf.kind else { return None };
    let found: Vec<usize> = h.keys.iter().filter_map(|k| def.index(k)).collect();
    (h.keys.is_empty() || !found.is_empty()).then_some((leaf.slot, found))
}

/// Whether some table would have to come before itself.
fn circular(order: &Order) -> bool {
    let mut placed: Vec<SlotId> = Vec::new();
    let mut left: Vec<SlotId> = order.iter().map(|o| o.0).collect();
    while !left.is_empty() {
        let count = left.len();
        let waits = |s: SlotId, placed: &[SlotId], left: &[SlotId]| {
            before(order, s).any(|b| left.contains(&b) && !placed.contains(&b))
        };
        let ready: Vec<SlotId> = left.iter().copied().filter(|s| !waits(*s, &placed, &left)).collect();
        left.retain(|s| !ready.contains(s));
        placed.extend(ready);
        if left.len() == count {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_circles() {
        assert!(!circular(&vec![(1, vec![2]), (2, vec![3]), (1, vec![3])]));
        assert!(circular(&vec![(1, vec![2]), (2, vec![3]), (3, vec![1])]));
        assert!(circular(&vec![(1, vec![1])]));
    }
}
