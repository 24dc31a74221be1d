//! Optimizer hints `/*+ ... */` (manual, "Optimizer Hints").
//!
//! What acts: JOIN_FIXED_ORDER, JOIN_ORDER, JOIN_PREFIX, JOIN_SUFFIX, the INDEX family, MAX_EXECUTION_TIME. Hints about algorithms that the planner
//! chooses itself (hash joins, semijoins, merging ...) and QB_NAME are read and change no result. SET_VAR is refused where it could. What cannot be
//! read is a warning and ends the list, as in MySQL.

use base::SqlResult;
use value::{Level, Warning};

use super::{Binder, Leaf, LeafKind, unsupported};
use crate::expr::SlotId;

/// ER_WARN_OPTIMIZER_HINT_SYNTAX_ERROR and its kin.
const SYNTAX: u16 = 1064;
const UNRESOLVED: u16 = 3128;

/// Hints that are known and need no action.
const NO_ACTION: &[&str] = &[
    "QB_NAME",
    "BKA",
    "NO_BKA",
    "BNL",
    "NO_BNL",
    "HASH_JOIN",
    "NO_HASH_JOIN",
    "MERGE",
    "NO_MERGE",
    "DERIVED_CONDITION_PUSHDOWN",
    "NO_DERIVED_CONDITION_PUSHDOWN",
    "INDEX_MERGE",
    "NO_INDEX_MERGE",
    "MRR",
    "NO_MRR",
    "NO_ICP",
    "NO_RANGE_OPTIMIZATION",
    "SKIP_SCAN",
    "NO_SKIP_SCAN",
    "SEMIJOIN",
    "NO_SEMIJOIN",
    "SUBQUERY",
    "RESOURCE_GROUP",
];

/// A hint as written: name in upper case, words between its parentheses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    name: String,
    words: Vec<String>,
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
        let body = after.strip_prefix('(').and_then(|b| b.split_once(')'));
        let (Some((body, next)), false) = (body, name.is_empty()) else { return (out, Some(rest.to_owned())) };
        let words = body
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|w| !w.is_empty())
            .map(|w| w.trim_matches('`').to_owned())
            .collect();
        out.push(Hint { name: name.to_ascii_uppercase(), words });
        rest = next.trim_start();
    }
    (out, None)
}

/// A table's name without its query block.
fn table(word: &str) -> &str {
    word.split_once('@').map_or(word, |w| w.0)
}

/// Order between tables: each slot with those that must come before it.
pub(crate) type Order = Vec<(SlotId, Vec<SlotId>)>;

impl Binder<'_, '_> {
    fn hint_warning(&mut self, code: u16, message: String) {
        self.st.notes.warnings.push(Warning { level: Level::Warning, code, message });
    }

    /// Acts on the hints of a block: whether the join order is fixed, and which tables come before which.
    pub(crate) fn hints(&mut self, text: Option<&[u8]>, leaves: &mut [Leaf]) -> SqlResult<(bool, Order)> {
        let (mut fixed, mut order) = (false, Vec::new());
        let Some(text) = text else { return Ok((fixed, order)) };
        let (hints, bad) = read(text);
        for h in &hints {
            match h.name.as_str() {
                "JOIN_FIXED_ORDER" => fixed = true,
                "JOIN_ORDER" | "JOIN_PREFIX" | "JOIN_SUFFIX" => self.join_order(h, leaves, &mut order),
                "INDEX" | "JOIN_INDEX" | "GROUP_INDEX" | "ORDER_INDEX" => self.index_hint(h, leaves, true),
                "NO_INDEX" | "NO_JOIN_INDEX" | "NO_GROUP_INDEX" | "NO_ORDER_INDEX" => self.index_hint(h, leaves, false),
                "MAX_EXECUTION_TIME" => {
                    // only the outermost block's counts
                    let n = h.words.first().and_then(|w| w.parse().ok());
                    if self.scopes.len() == 1 && self.st.notes.max_execution_time.is_none() {
                        self.st.notes.max_execution_time = n;
                    }
                }
                "SET_VAR" => set_var(h)?,
                name if NO_ACTION.contains(&name) => {}
                name => {
                    let near = format!("Optimizer hint syntax error near '{name}(' at line 1");
                    self.hint_warning(SYNTAX, near);
                    break;
                }
            }
        }
        if let Some(rest) = bad {
            self.hint_warning(SYNTAX, format!("Optimizer hint syntax error near '{} */' at line 1", rest.trim_end()));
        }
        Ok((fixed, order))
    }

    fn hinted_slot(&mut self, word: &str, hint: &str, leaves: &[Leaf]) -> Option<usize> {
        let at = leaves.iter().position(|l| super::scope::same_name(&l.alias, table(word)));
        if at.is_none() {
            self.hint_warning(UNRESOLVED, format!("Unresolved name `{word}`@`select#1` for {hint} hint"));
        }
        at
    }

    fn join_order(&mut self, h: &Hint, leaves: &[Leaf], order: &mut Order) {
        let mut named = Vec::new();
        for w in h.words.iter().filter(|w| !w.starts_with('@')) {
            if let Some(slot) = self.hinted_slot(w, &h.name, leaves).and_then(|i| leaves.get(i)).map(|l| l.slot) {
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

    fn index_hint(&mut self, h: &Hint, leaves: &mut [Leaf], wanted: bool) {
        let mut words = h.words.iter().filter(|w| !w.starts_with('@'));
        let Some(name) = words.next() else { return };
        let Some(at) = self.hinted_slot(name, &h.name, leaves) else { return };
        let Some(LeafKind::Base { def, allowed, force, ignored, .. }) = leaves.get_mut(at).map(|l| &mut l.kind) else {
            return;
        };
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for w in words {
            match def.index(w) {
                Some(i) => found.push(i),
                None => missing.push(w),
            }
        }
        match (wanted, found.is_empty() && missing.is_empty()) {
            (true, true) => *force = true,
            (true, false) if !found.is_empty() => {
                *force = true;
                *allowed = Some(found);
            }
            (true, false) => {}
            (false, true) => *allowed = Some(Vec::new()),
            (false, false) => ignored.extend(found),
        }
        for w in missing {
            self.hint_warning(UNRESOLVED, format!("Unresolved name `{name}`@`select#1` `{w}` for {} hint", h.name));
        }
    }
}

/// Variables that bear on speed alone may be set; with another value of any other the answer could be another.
fn set_var(h: &Hint) -> SqlResult<()> {
    let name = h.words.first().map(|w| w.split('=').next().unwrap_or(w).to_ascii_lowercase()).unwrap_or_default();
    let harmless = name.starts_with("optimizer_")
        || name.ends_with("_buffer_size")
        || matches!(
            name.as_str(),
            "max_heap_table_size" | "tmp_table_size" | "eq_range_index_dive_limit" | "range_optimizer_max_mem_size"
        );
    if harmless { Ok(()) } else { unsupported(format!("SET_VAR({name})")) }
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
        assert_eq!(h.get(1), Some(&Hint { name: "NO_INDEX".into(), words: vec!["t1".into(), "a".into(), "b".into()] }));
        assert_eq!(read(b"BAD HINT(").1, Some("BAD HINT(".into()));
    }
}
