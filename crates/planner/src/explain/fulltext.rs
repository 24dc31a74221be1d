//! EXPLAIN of full-text searches: type `fulltext` with the index, as MySQL has it (the tree and JSON show a scan).

use crate::bind::fulltext::{number, search_of};
use crate::plan::{Access, Node, Plan, Scan, SortKey};

/// Cells of a table's row.
pub(super) struct Cells {
    pub(super) access: String,
    pub(super) possible: String,
    pub(super) key: Option<String>,
    pub(super) key_len: Option<String>,
    pub(super) refs: Option<String>,
    pub(super) rows: f64,
}

/// Rows ordered by the rank of the search that finds them: no sort in MySQL, where the index gives that order.
pub(super) fn is_ranking(keys: &[SortKey], input: &Node) -> bool {
    let [SortKey { expr, desc: true }] = keys else { return false };
    number(expr).is_some() && matches!(input, Node::Scan(s) if matches!(s.access, Access::Full) && s.filter.is_some())
}

/// A scan whose condition is a search shows that.
pub(super) fn change(s: &Scan, plan: &Plan, c: &mut Cells) {
    if !matches!(s.access, Access::Full) || s.loose > 0 {
        return;
    }
    let Some(m) = s.filter.as_ref().and_then(|f| search_of(f, plan)) else { return };
    let index = plan.tables.get(m.table as usize).and_then(|t| t.def.fulltext.get(m.index as usize));
    let Some(name) = index.filter(|_| m.slot == s.slot).map(|i| i.name.clone()) else { return };
    c.access = "fulltext".into();
    c.possible = if c.possible.is_empty() { name.clone() } else { format!("{},{name}", c.possible) };
    (c.key, c.key_len, c.refs, c.rows) = (Some(name), Some("0".into()), Some("const".into()), 1.0);
}
