//! What EXPLAIN says about an index merge.

use super::part_len;
use crate::plan::{Access, PartCond, Scan};
use storage::dict::TableDef;

/// The columns of the traditional format.
pub(super) struct Text {
    pub(super) keys: String,
    pub(super) lengths: String,
    /// `Using union(a,b)` and its kin.
    pub(super) extra: String,
}

/// Whether every index is asked for single whole keys, whose rows come in the order of the clustered key.
fn sorted(parts: &[(u16, Access)], def: &TableDef) -> bool {
    parts.iter().all(|(i, a)| match a {
        Access::Ranges(l) => {
            let n = def.indexes.get(*i as usize).map_or(0, |x| x.parts.len());
            l.iter().all(|c| c.len() == n && c.iter().all(|p| matches!(p, PartCond::Eq { .. })))
        }
        _ => true,
    })
}

/// The texts of an index merge; `None` for other scans.
pub(super) fn text(s: &Scan, def: &TableDef) -> Option<Text> {
    let Access::Merge { parts, all } = &s.access else { return None };
    let name = |i: &u16| def.indexes.get(*i as usize).map_or("", |x| x.name.as_str());
    let length = |(i, a): &(u16, Access)| {
        let used = match a {
            Access::Point(k) => k.len(),
            Access::Ranges(l) => l.iter().map(Vec::len).max().unwrap_or(0),
            Access::Full | Access::Merge { .. } => 0,
        };
        let ix = def.indexes.get(*i as usize);
        ix.iter().flat_map(|x| x.parts.iter().take(used)).map(|p| part_len(def, p)).sum::<u32>().to_string()
    };
    let keys = parts.iter().map(|p| name(&p.0)).collect::<Vec<_>>().join(",");
    let how = match (*all, sorted(parts, def)) {
        (true, _) => "intersect",
        (false, true) => "union",
        (false, false) => "sort_union",
    };
    let lengths = parts.iter().map(length).collect::<Vec<_>>().join(",");
    Some(Text { extra: format!("Using {how}({keys})"), keys, lengths })
}
