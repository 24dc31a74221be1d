//! The row of the one table that UPDATE or DELETE reads and changes.
//!
//! MySQL finds such rows with its range optimizer alone: a key that is compared with constants is a range, with `const` for every part; UPDATE
//! without a key walks the primary key where there is one. `filtered` is 100. Tested in `tests/sql/golden/explain.sql`.

use storage::dict::TableDef;

use super::fulltext::Cells;
use super::{Node, part_len};
use crate::plan::{Access, Body, Plan, Scan};

/// See the module.
pub(super) struct Lone {
    update: bool,
    /// All rows are found before the first is changed, because the index that finds them changes.
    buffered: bool,
    /// DELETE of everything.
    all: bool,
}

/// What there is to say about a statement that changes the one table it reads.
pub(super) fn lone(plan: &Plan) -> Option<Lone> {
    let (source, multi, lone) = match &plan.body {
        Body::Update(u) => {
            let sorted = !u.order.is_empty();
            (&u.source, u.multi, Lone { update: true, buffered: u.buffered && !sorted, all: false })
        }
        Body::Delete(d) => {
            let all = matches!(&d.source, Node::Scan(s) if s.filter.is_none() && matches!(s.access, Access::Full))
                && d.limit.is_none()
                && d.order.is_empty();
            (&d.source, d.multi, Lone { update: false, buffered: false, all })
        }
        _ => return None,
    };
    (!multi && reads_one(source)).then_some(lone)
}

fn reads_one(n: &Node) -> bool {
    match n {
        Node::Scan(_) => true,
        Node::Filter { input, .. } | Node::Sort { input, .. } | Node::Limit { input, .. } => reads_one(input),
        _ => false,
    }
}

impl Lone {
    /// Changes the row's cells; `used`: how many key parts are compared.
    pub(super) fn cells(&self, s: &Scan, def: &TableDef, used: usize, row: &mut Cells) {
        match row.access.as_str() {
            "const" | "ref" | "range" if s.loose == 0 => {
                row.access = "range".into();
                row.refs = Some(vec!["const"; used].join(","));
            }
            "ALL" if self.update => {
                if let Some(key) = def.primary_key() {
                    row.access = "index".into();
                    row.key = Some("PRIMARY".into());
                    row.key_len = Some(key.iter().map(|p| part_len(def, p)).sum::<u32>().to_string());
                }
            }
            _ => {}
        }
    }

    /// Changes Extra.
    pub(super) fn extra(&self, s: &Scan, access: &str, extra: &mut Vec<&str>) {
        if self.all {
            *extra = vec!["Deleting all rows"];
            return;
        }
        extra.retain(|e| !matches!(*e, "Using index condition" | "Using index"));
        let bounded = !matches!(s.access, Access::Full);
        if (bounded || s.filter.is_some() || s.pushed.is_some()) && !extra.contains(&"Using where") {
            extra.insert(usize::from(access == "index_merge"), "Using where");
        }
        if self.buffered && (bounded || access == "index" && s.index != 0) {
            extra.push("Using temporary");
        }
    }
}
