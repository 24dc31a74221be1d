//! Optimizer hints `/*+ ... */` (manual, "Optimizer Hints").
//!
//! What acts: JOIN_FIXED_ORDER, JOIN_ORDER, JOIN_PREFIX, JOIN_SUFFIX, the INDEX family, NO_RANGE_OPTIMIZATION, NO_BNL and NO_HASH_JOIN (no hash
//! join into these tables), NO_ICP, SEMIJOIN and NO_SEMIJOIN with their strategies, MAX_EXECUTION_TIME, SET_VAR (the session does it, before it plans), QB_NAME with `@name` everywhere
//! ([`super::blocks`]). Hints about algorithms that the planner does not have are read and change nothing. What cannot be read is a warning and
//! ends the list; what cannot be resolved, and what contradicts an earlier hint, is a warning too, as in MySQL.

use base::SqlResult;
use value::{Level, Warning};

use super::semi::Strategies;
use super::{Binder, Leaf, LeafKind};
use crate::expr::SlotId;

/// ER_WARN_OPTIMIZER_HINT_SYNTAX_ERROR and its kin.
const SYNTAX: u16 = 1064;
const EXECUTION_TIME: u16 = 3125;
const CONFLICT: u16 = 3126;
const NO_BLOCK: u16 = 3127;
const UNRESOLVED: u16 = 3128;

/// Hints that are known and need no action.
const NO_ACTION: &[&str] = &[
    "BKA",
    "NO_BKA",
    "BNL",
    "HASH_JOIN",
    "MERGE",
    "NO_MERGE",
    "MRR",
    "NO_MRR",
    "SKIP_SCAN",
    "NO_SKIP_SCAN",
    "SEMIJOIN",
    "NO_SEMIJOIN",
    "SUBQUERY",
    "RESOURCE_GROUP",
];

/// A hint as written: name in upper case, words between its parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
    /// What stands between the parentheses.
    pub(crate) body: String,
}

/// Splits the text between `/*+` and `*/`; also the rest that could not be read.
pub(crate) fn read(text: &[u8]) -> (Vec<Hint>, Option<String>) {
    let text = String::from_utf8_lossy(text);
    let mut rest = text.trim_start();
    let mut out = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let after = after.trim_start();
        let body = after.strip_prefix('(').and_then(closing);
        let (Some((body, next)), false) = (body, name.is_empty()) else { return (out, Some(rest.to_owned())) };
        let (name, list) = (name.to_ascii_uppercase(), words(body));
        if name.ends_with("SEMIJOIN")
            && let Some(w) = list.iter().find(|w| !w.starts_with('@') && !Strategies::is_name(w))
        {
            let from = after.find(w.as_str()).and_then(|at| after.get(at..)).unwrap_or(after);
            return (out, Some(from.to_owned()));
        }
        out.push(Hint { name, words: list, body: body.to_owned() });
        rest = next.trim_start();
    }
    (out, None)
}

/// Splits at the closing parenthesis that is in no quotes.
fn closing(s: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (i, c) in s.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None if c == ')' => return Some((s.get(..i)?, s.get(i + 1..)?)),
            None => {}
        }
    }
    None
}

/// Words apart from white space and commas; backquoted names are one, `t @qb` is `t@qb`.
fn words(body: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut word, mut quoted) = (String::new(), false);
    for c in body.chars() {
        match c {
            '`' => quoted = !quoted,
            c if !quoted && (c.is_whitespace() || c == ',') => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// A hint that applies to the block being bound, with its tables' names alone.
struct Told {
    name: String,
    words: Vec<String>,
}

/// What hints say about a table besides its indexes.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableHints {
    /// No hash join into it.
    pub(crate) no_hash: bool,
    /// NO_ICP: no index condition pushdown, for all indexes (empty) or these.
    pub(crate) no_icp: Option<Vec<usize>>,
    /// No ranges over these indexes; empty: over none.
    pub(crate) no_range: Option<Vec<usize>>,
    /// DERIVED_CONDITION_PUSHDOWN (true) or NO_DERIVED_CONDITION_PUSHDOWN.
    pub(crate) pushdown: Option<bool>,
    /// INDEX_MERGE (true) or NO_INDEX_MERGE.
    pub(crate) merge: Option<bool>,
    /// Indexes hinted so far, with the family of hints: a second word about one is a conflict.
    seen: Vec<(&'static str, Option<usize>)>,
}

/// SEMIJOIN, NO_SEMIJOIN and SUBQUERY about a subquery.
#[derive(Clone, Copy, Default)]
pub(crate) struct SemiTold {
    pub(crate) on: Option<bool>,
    /// The strategies asked for.
    pub(crate) only: Option<Strategies>,
    /// Those forbidden.
    pub(crate) without: Strategies,
}

/// Order between tables: each slot with those that must come before it.
pub(crate) type Order = Vec<(SlotId, Vec<SlotId>)>;

/// The family of a hint: those that contradict each other.
fn family(name: &str) -> &'static str {
    let of: &[(&str, &str)] = &[
        ("JOIN_INDEX", "JOIN_INDEX"),
        ("GROUP_INDEX", "GROUP_INDEX"),
        ("ORDER_INDEX", "ORDER_INDEX"),
        ("INDEX", "INDEX"),
        ("RANGE_OPTIMIZATION", "RANGE"),
        ("INDEX_MERGE", "MERGE"),
    ];
    of.iter().find(|f| name.ends_with(f.0)).map_or("", |f| f.1)
}

impl<'a> Binder<'a, '_> {
    fn hint_warning(&mut self, code: u16, message: String) {
        self.st.notes.warnings.push(Warning { level: Level::Warning, code, message });
    }

    /// The hints for the block that begins at `start` with a hint text of its own: its own and those of other blocks that name it.
    fn told(&mut self, start: usize, text: Option<&[u8]>) -> (Vec<Told>, u32) {
        if self.view_schema.is_some() || self.blocks.is_empty() {
            // a view's text: block names are its own
            let Some(text) = text else { return (Vec::new(), 1) };
            let (hints, bad) = read(text);
            self.bad_hint(bad);
            return (hints.into_iter().map(|h| Told { name: h.name, words: h.words }).collect(), 1);
        }
        let blocks = std::mem::take(&mut self.blocks);
        let Some(own) = blocks.iter().find(|b| b.start == start) else {
            self.blocks = blocks;
            return (Vec::new(), 1);
        };
        let mut out = Vec::new();
        for b in blocks.iter() {
            let mine = b.number == own.number;
            for h in &b.hints {
                if h.name == "QB_NAME" {
                    let name = h.words.first().map_or("", String::as_str);
                    let twice = b.name.as_deref() != Some(name)
                        || blocks.iter().any(|o| o.start < b.start && o.name.as_deref() == Some(name));
                    if mine && twice {
                        self.hint_warning(
                            CONFLICT,
                            format!("Hint QB_NAME(`{name}`) is ignored as conflicting/duplicated"),
                        );
                    }
                    continue;
                }
                let block = h.words.first().and_then(|w| w.strip_prefix('@'));
                let known = |n: &str| blocks.iter().any(|o| o.is(n));
                if let Some(n) = block {
                    if mine && !known(n) {
                        self.hint_warning(NO_BLOCK, format!("Query block name `{n}` is not found for {} hint", h.name));
                    }
                    if own.is(n) {
                        out.push(Told { name: h.name.clone(), words: h.words.iter().skip(1).cloned().collect() });
                    }
                    continue;
                }
                let foreign = h.words.iter().filter_map(|w| w.split_once('@').map(|x| x.1)).find(|n| !known(n));
                if let Some(n) = foreign.filter(|_| h.name != "SET_VAR") {
                    if mine {
                        self.hint_warning(NO_BLOCK, format!("Query block name `{n}` is not found for {} hint", h.name));
                    }
                    continue;
                }
                // tables of this block: those with its name, and without one in its own hints
                let at = |w: &String| w.split_once('@').map_or(mine, |(_, n)| own.is(n));
                let tables = h.words.first().is_some_and(at) || (mine && h.words.is_empty());
                if tables {
                    let bare = |w: &String| w.split_once('@').map_or(w.as_str(), |x| x.0).to_owned();
                    out.push(Told { name: h.name.clone(), words: h.words.iter().map(bare).collect() });
                }
            }
        }
        let (number, bad) = (own.number, own.bad.clone());
        self.blocks = blocks;
        self.bad_hint(bad);
        (out, number)
    }

    /// Warns about what could not be read of the hints of a block that becomes a part of another.
    pub(crate) fn bad_hint_of(&mut self, start: usize) {
        let bad = self.blocks.iter().find(|b| b.start == start).and_then(|b| b.bad.clone());
        self.bad_hint(bad);
    }

    fn bad_hint(&mut self, bad: Option<String>) {
        if let Some(rest) = bad {
            self.hint_syntax(rest.trim_end());
        }
    }

    /// What begins with `rest` is no hint: the warning shows the statement from there on.
    fn hint_syntax(&mut self, rest: &str) {
        let text = String::from_utf8_lossy(self.sql);
        let at = text.find(rest).unwrap_or(0);
        let (before, from) = text.split_at_checked(at).unwrap_or(("", &text));
        let line = before.matches('\n').count() + 1;
        let near: String = from.trim_end_matches([';', ' ', '\n']).chars().take(80).collect();
        self.hint_warning(SYNTAX, format!("Optimizer hint syntax error near '{near}' at line {line}"));
    }

    /// Acts on the hints of UPDATE and DELETE, and of an INSERT without SELECT.
    pub(crate) fn dml_hints(&mut self, text: Option<&[u8]>, leaves: &mut [Leaf]) -> SqlResult<(bool, Order)> {
        let start = self.blocks.iter().find(|b| b.dml).map_or(0, |b| b.start);
        self.hints(start, text, leaves, false)
    }

    /// Whether a hint of another block names the block that begins at `start`: it is then not merged into that one.
    pub(crate) fn is_hinted(&self, start: usize) -> bool {
        let Some(own) = self.blocks.iter().find(|b| b.start == start) else { return false };
        let names = |h: &Hint| h.words.iter().any(|w| w.split_once('@').is_some_and(|(_, n)| own.is(n)));
        self.view_schema.is_none() && self.blocks.iter().any(|b| b.number != own.number && b.hints.iter().any(names))
    }

    /// Acts on the hints of the block whose verb is at `start`: whether the join order is fixed, and which tables come before which. `query`: it
    /// may be limited by MAX_EXECUTION_TIME.
    pub(crate) fn hints(
        &mut self,
        start: usize,
        text: Option<&[u8]>,
        leaves: &mut [Leaf],
        query: bool,
    ) -> SqlResult<(bool, Order)> {
        let (mut fixed, mut order) = (false, Vec::new());
        if text.is_none() && self.blocks.is_empty() {
            return Ok((fixed, order));
        }
        let (hints, number) = self.told(start, text);
        for h in &hints {
            match h.name.as_str() {
                "JOIN_FIXED_ORDER" => fixed = true,
                "JOIN_ORDER" | "JOIN_PREFIX" | "JOIN_SUFFIX" => self.join_order(h, number, leaves, &mut order),
                "INDEX" | "JOIN_INDEX" | "GROUP_INDEX" | "ORDER_INDEX" => self.index_hint(h, number, leaves, true),
                "NO_INDEX" | "NO_JOIN_INDEX" | "NO_GROUP_INDEX" | "NO_ORDER_INDEX" => {
                    self.index_hint(h, number, leaves, false);
                }
                "NO_RANGE_OPTIMIZATION" => self.range_hint(h, number, leaves),
                "INDEX_MERGE" | "NO_INDEX_MERGE" => self.merge_hint(h, number, leaves),
                "NO_ICP" => self.icp_hint(h, number, leaves),
                "DERIVED_CONDITION_PUSHDOWN" | "NO_DERIVED_CONDITION_PUSHDOWN" => self.pushdown_hint(h, number, leaves),
                "NO_BNL" | "NO_HASH_JOIN" => self.hash_hint(h, number, leaves),
                "MAX_EXECUTION_TIME" => self.execution_time(h, query),
                "SET_VAR" => {
                    if self.scopes.len() == 1 {
                        // planned anew each time, with the variables as they are set
                        self.st.notes.uncacheable = true;
                    }
                }
                "QB_NAME" => {}
                name if NO_ACTION.contains(&name) => {}
                name => {
                    let rest = self.written_hint(name);
                    self.hint_syntax(&rest);
                    break;
                }
            }
        }
        Ok((fixed, order))
    }

    /// A hint's name as it is written in the statement.
    fn written_hint(&self, name: &str) -> String {
        let text = String::from_utf8_lossy(self.sql);
        let at = text.to_ascii_uppercase().find(&format!("{name}("));
        at.and_then(|at| text.get(at..at + name.len())).unwrap_or(name).to_owned()
    }

    fn execution_time(&mut self, h: &Told, query: bool) {
        if self.scopes.len() != 1 || !query {
            let text = "MAX_EXECUTION_TIME hint is supported by top-level standalone SELECT statements only";
            return self.hint_warning(EXECUTION_TIME, text.into());
        }
        let n: Option<u64> = h.words.first().and_then(|w| w.parse().ok());
        match (self.st.notes.max_execution_time, n) {
            (None, Some(n)) => self.st.notes.max_execution_time = Some(n),
            (Some(_), Some(n)) => {
                let text = format!("Hint MAX_EXECUTION_TIME({n}) is ignored as conflicting/duplicated");
                self.hint_warning(CONFLICT, text);
            }
            (_, None) => {}
        }
    }

    fn hinted_slot(&mut self, word: &str, hint: &str, number: u32, leaves: &[Leaf]) -> Option<usize> {
        let at = leaves.iter().position(|l| super::scope::same_name(&l.alias, word));
        if at.is_none() {
            self.hint_warning(UNRESOLVED, format!("Unresolved name `{word}`@`select#{number}` for {hint} hint"));
        }
        at
    }

    fn join_order(&mut self, h: &Told, number: u32, leaves: &[Leaf], order: &mut Order) {
        let mut named = Vec::new();
        for w in &h.words {
            if let Some(slot) = self.hinted_slot(w, &h.name, number, leaves).and_then(|i| leaves.get(i)).map(|l| l.slot)
            {
                named.push(slot);
            }
        }
        for (i, s) in named.iter().enumerate() {
            order.push((*s, named.iter().take(i).copied().collect()));
        }
        let others: Vec<SlotId> = leaves.iter().map(|l| l.slot).filter(|s| !named.contains(s)).collect();
        match h.name.as_str() {
            "JOIN_PREFIX" => order.extend(others.iter().map(|s| (*s, named.clone()))),
            "JOIN_SUFFIX" => order.extend(named.iter().map(|s| (*s, others.clone()))),
            _ => {}
        }
    }

    /// No hash joins: into the tables named, or any of the block.
    fn hash_hint(&mut self, h: &Told, number: u32, leaves: &[Leaf]) {
        let mut slots: Vec<SlotId> = Vec::new();
        if h.words.is_empty() {
            slots.extend(leaves.iter().map(|l| l.slot));
        }
        for w in &h.words {
            slots.extend(self.hinted_slot(w, &h.name, number, leaves).and_then(|i| leaves.get(i)).map(|l| l.slot));
        }
        for s in slots {
            self.st.table_hints.entry(s).or_default().no_hash = true;
        }
    }

    /// Conditions move into the tables named, or into any of the block, or not: the first word about a table counts, and one about it more than
    /// one about the block.
    fn pushdown_hint(&mut self, h: &Told, number: u32, leaves: &[Leaf]) {
        let on = h.name == "DERIVED_CONDITION_PUSHDOWN";
        let merged = |b: &Self, w: &str| {
            let tables = b.scopes.last().map_or(&[][..], |s| &s.tables);
            tables.iter().any(|t| t.merged.is_some() && super::scope::same_name(&t.alias, w))
        };
        for w in &h.words {
            if merged(self, w) {
                continue;
            }
            let Some(slot) = self.hinted_slot(w, &h.name, number, leaves).and_then(|i| leaves.get(i)).map(|l| l.slot)
            else {
                continue;
            };
            let told = self.st.table_hints.entry(slot).or_default();
            if told.seen.contains(&("PUSHDOWN", None)) {
                let text = format!("Hint {}(`{w}`@`select#{number}`) is ignored as conflicting/duplicated", h.name);
                self.hint_warning(CONFLICT, text);
                continue;
            }
            told.seen.push(("PUSHDOWN", None));
            told.pushdown = Some(on);
        }
        if h.words.is_empty() {
            for l in leaves {
                let told = self.st.table_hints.entry(l.slot).or_default();
                told.pushdown.get_or_insert(on);
            }
        }
    }

    /// Index merges on or off for a table. The indexes named only make the difference between a table and none.
    fn merge_hint(&mut self, h: &Told, number: u32, leaves: &mut [Leaf]) {
        let Some((slot, _)) = self.hinted_indexes(h, number, leaves) else { return };
        self.st.table_hints.entry(slot).or_default().merge = Some(h.name == "INDEX_MERGE");
    }

    fn icp_hint(&mut self, h: &Told, number: u32, leaves: &mut [Leaf]) {
        let Some((slot, found)) = self.hinted_indexes(h, number, leaves) else { return };
        let t = self.st.table_hints.entry(slot).or_default();
        if found.is_empty() {
            t.no_icp = Some(Vec::new());
        } else if t.no_icp.as_ref().is_none_or(|l| !l.is_empty()) {
            t.no_icp.get_or_insert_default().extend(found);
        }
    }

    /// What hints say about the subquery that begins at `start` becoming a semijoin: nothing if other hints concern it, which need it as a block.
    pub(crate) fn semijoin_hints(&self, start: usize) -> Option<SemiTold> {
        let (mut told, mut first) = (SemiTold::default(), true);
        let Some(own) = self.blocks.iter().find(|b| b.start == start) else { return Some(told) };
        for b in &self.blocks {
            for h in &b.hints {
                let block = h.words.first().and_then(|w| w.strip_prefix('@'));
                let named = h.words.iter().any(|w| w.split_once('@').is_some_and(|(_, n)| own.is(n)));
                let mine = b.number == own.number && block.is_none();
                if !named && !mine {
                    continue;
                }
                let list: Vec<String> =
                    h.words.iter().filter(|w| !w.starts_with('@')).map(|w| w.to_ascii_uppercase()).collect();
                let named = Strategies::named(&list);
                match h.name.as_str() {
                    "QB_NAME" => {}
                    // the first one counts
                    "SUBQUERY" | "NO_SEMIJOIN" | "SEMIJOIN" if !std::mem::take(&mut first) => {}
                    "SUBQUERY" => told.on = Some(false),
                    "NO_SEMIJOIN" if list.is_empty() => told.on = Some(false),
                    "NO_SEMIJOIN" => told.without = named,
                    "SEMIJOIN" => {
                        told.on.get_or_insert(true);
                        if !list.is_empty() {
                            told.only = Some(named);
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some(told)
    }

    fn range_hint(&mut self, h: &Told, number: u32, leaves: &mut [Leaf]) {
        let Some((slot, found)) = self.hinted_indexes(h, number, leaves) else { return };
        let t = self.st.table_hints.entry(slot).or_default();
        if found.is_empty() && h.words.len() == 1 {
            t.no_range = Some(Vec::new());
        } else if t.no_range.as_ref().is_none_or(|l| !l.is_empty()) {
            t.no_range.get_or_insert_default().extend(found);
        }
    }

    /// The table and the indexes that a hint names, as far as there are any and no earlier hint spoke of them.
    fn hinted_indexes(&mut self, h: &Told, number: u32, leaves: &[Leaf]) -> Option<(SlotId, Vec<usize>)> {
        let mut words = h.words.iter();
        let name = words.next()?;
        let leaf = self.hinted_slot(name, &h.name, number, leaves).and_then(|i| leaves.get(i))?;
        let LeafKind::Base { def, .. } = &leaf.kind else { return None };
        let family = family(&h.name);
        let (mut found, mut missing, mut twice) = (Vec::new(), Vec::new(), Vec::new());
        let seen = &mut self.st.table_hints.entry(leaf.slot).or_default().seen;
        for w in words {
            match def.index(w) {
                Some(i) if seen.contains(&(family, Some(i))) || seen.contains(&(family, None)) => twice.push(w),
                Some(i) => {
                    seen.push((family, Some(i)));
                    found.push(i);
                }
                None => missing.push(w),
            }
        }
        let whole = h.words.len() == 1;
        let again = whole && seen.iter().any(|s| s.0 == family);
        if whole && !again {
            seen.push((family, None));
        }
        for w in &missing {
            let text = format!("Unresolved name `{name}`@`select#{number}` `{w}` for {} hint", h.name);
            self.hint_warning(UNRESOLVED, text);
        }
        for w in twice {
            self.hint_warning(
                CONFLICT,
                format!("Hint {}(`{name}`  `{w}`) is ignored as conflicting/duplicated", h.name),
            );
        }
        if again {
            self.hint_warning(CONFLICT, format!("Hint {}(`{name}` ) is ignored as conflicting/duplicated", h.name));
            return None;
        }
        (whole || !found.is_empty()).then_some((leaf.slot, found))
    }

    fn index_hint(&mut self, h: &Told, number: u32, leaves: &mut [Leaf], wanted: bool) {
        let Some((slot, found)) = self.hinted_indexes(h, number, leaves) else { return };
        let leaf = leaves.iter_mut().find(|l| l.slot == slot);
        let Some(LeafKind::Base { allowed, force, ignored, .. }) = leaf.map(|l| &mut l.kind) else { return };
        match (wanted, found.is_empty()) {
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

/// The tables that must come before one.
pub(crate) fn before(order: &Order, slot: SlotId) -> impl Iterator<Item = SlotId> {
    order.iter().filter(move |o| o.0 == slot).flat_map(|o| o.1.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_and_words() {
        let (h, rest) = read(b" JOIN_FIXED_ORDER() no_index(t1 a, `b`) QB_NAME(x) ");
        assert_eq!(rest, None);
        assert_eq!(h.len(), 3);
        let hint = h.get(1).unwrap();
        assert_eq!((hint.name.as_str(), hint.words.join("|").as_str()), ("NO_INDEX", "t1|a|b"));
        let (h, _) = read(b"SET_VAR(sql_mode='a)b,c')");
        assert_eq!(h.first().map(|h| h.body.as_str()), Some("sql_mode='a)b,c'"));
        assert_eq!(read(b"BAD HINT(").1, Some("BAD HINT(".into()));
    }
}
