//! `range_analysis` of the optimizer trace: which indexes could serve the conditions on a table alone, with which
//! ranges, at what cost.

use hashbrown::HashSet;

use super::access::{Choice, is_ref};
use super::sarg::sargs;
use super::traced::Names;
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{Access, PartCond};
use crate::trace::Json;
use crate::trace_object;
use storage::dict::{IndexDef, TableDef};

/// The condition on an index part, as a range.
fn part(column: &str, c: &PartCond, names: &Names) -> String {
    let sign = |inclusive: bool| if inclusive { "<=" } else { "<" };
    match c {
        PartCond::Eq { value, .. } => format!("{column} = {}", names.text(value)),
        PartCond::In(l) => l.iter().map(|e| format!("{column} = {}", names.text(e))).collect::<Vec<_>>().join(" OR "),
        PartCond::Any => format!("any {column}"),
        PartCond::NotNull => format!("NULL < {column}"),
        PartCond::NotIn(l) => {
            let l: Vec<String> = l.iter().map(|e| names.text(e)).collect();
            format!("{column} not in ({})", l.join(","))
        }
        PartCond::Like { pattern, .. } => format!("{column} like {}", names.text(pattern)),
        PartCond::Range { low, high } => {
            let low = match (low, high) {
                (Some((e, i)), _) => format!("{} {} ", names.text(e), sign(*i)),
                (None, _) => "NULL < ".to_owned(),
            };
            let high = high.as_ref().map_or(String::new(), |(e, i)| format!(" {} {}", sign(*i), names.text(e)));
            format!("{low}{column}{high}")
        }
    }
}

/// The ranges of an access path, as the trace and EXPLAIN write them.
fn ranges(def: &TableDef, index: &IndexDef, access: &Access, names: &Names) -> Vec<Json> {
    let column = |i: usize| {
        let at = index.parts.get(i).map_or(0, |p| usize::from(p.column));
        def.columns.get(at).map_or(String::new(), |c| c.name.clone())
    };
    match access {
        Access::Point(k) => {
            let all = k.iter().enumerate().map(|(i, e)| format!("{} = {}", column(i), names.text(e)));
            vec![all.collect::<Vec<_>>().join(" AND ").into()]
        }
        Access::Ranges(list) => list
            .iter()
            .flat_map(|conds| match conds.as_slice() {
                [PartCond::In(l)] => l.iter().map(|e| format!("{} = {}", column(0), names.text(e)).into()).collect(),
                conds => {
                    let all = conds.iter().enumerate().map(|(i, c)| part(&column(i), c, names));
                    vec![Json::from(all.collect::<Vec<_>>().join(" AND "))]
                }
            })
            .collect(),
        Access::Full | Access::Merge { .. } => Vec::new(),
    }
}

/// What was weighed for a table that some index can find rows of.
pub(super) fn range_analysis(
    def: &TableDef,
    conds: &[&Expr],
    slot: SlotId,
    scan: Json,
    usable: &[&Choice],
    names: &Names,
) -> Json {
    let known = |e: &Expr| !mentions(e, slot);
    let tested: HashSet<u16> = conds.iter().flat_map(|c| sargs(c, slot, &known)).map(|s| s.column).collect();
    let mut potential = Vec::new();
    for x in &def.indexes {
        let first = x.parts.first().map_or(u16::MAX, |p| p.column);
        if !tested.contains(&first) && !usable.iter().any(|c| def.indexes.get(c.index).is_some_and(|i| i.id == x.id)) {
            potential.push(trace_object! {"index": x.name.as_str(), "usable": false, "cause": "not_applicable"});
            continue;
        }
        let name = |c: u16| def.columns.get(usize::from(c)).map_or("", |c| c.name.as_str());
        let clustered =
            def.primary_key().unwrap_or(&[]).iter().filter(|k| x.parts.iter().all(|p| p.column != k.column));
        let parts: Vec<Json> = x.parts.iter().chain(clustered).map(|p| name(p.column).into()).collect();
        potential.push(trace_object! {"index": x.name.as_str(), "usable": true, "key_parts": parts});
    }
    let best = usable.iter().map(|c| c.cost).fold(f64::INFINITY, f64::min);
    let mut alternatives = Vec::new();
    let mut summary = None;
    for c in usable {
        let Some(x) = def.indexes.get(c.index) else { continue };
        let chosen = c.cost <= best;
        let list = ranges(def, x, &c.access, names);
        if chosen && summary.is_none() {
            summary = Some(trace_object! {
                "range_access_plan": trace_object! {
                    "type": "range_scan", "index": x.name.as_str(), "rows": c.rows, "ranges": list.clone()
                },
                "rows_for_plan": c.rows, "cost_for_plan": c.cost, "chosen": true
            });
        }
        let mut m = vec![
            ("index", x.name.as_str().into()),
            ("ranges", list.into()),
            ("index_dives_for_eq_ranges", true.into()),
            ("rowid_ordered", (c.index == 0 || is_ref(&c.access)).into()),
            ("using_mrr", false.into()),
            ("index_only", c.covering.into()),
            ("rows", c.rows.into()),
            ("cost", c.cost.into()),
            ("chosen", chosen.into()),
        ];
        if !chosen {
            m.push(("cause", "cost".into()));
        }
        alternatives.push(Json::Object(m));
    }
    let mut m = vec![
        ("table_scan", scan),
        ("potential_range_indexes", potential.into()),
        ("setup_range_conditions", Vec::<Json>::new().into()),
        ("analyzing_range_alternatives", trace_object! {"range_scan_alternatives": alternatives}),
    ];
    if let Some(s) = summary {
        m.push(("chosen_range_access_summary", s));
    }
    m.into()
}

fn mentions(e: &Expr, slot: SlotId) -> bool {
    e.any(&mut |x| matches!(x.kind, ExprKind::Column { slot: s, .. } if s == slot))
}
