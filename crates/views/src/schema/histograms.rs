//! information_schema.COLUMN_STATISTICS: the histograms of columns for which the account has some privilege. Read from the dictionary's
//! definitions; no locks. Tested in `tests/sql/golden/histograms.sql`.

use super::tables::IS;
use super::{Hints, Row, SessionView, Spec, T, passes, s};
use base::SqlResult;
use catalog::accounts::Privs;
use storage::dict::Relation;
use value::OwnedValue;

pub(super) const TABLES: &[Spec] = &[Spec {
    schema: IS,
    name: "COLUMN_STATISTICS",
    columns: &[
        ("SCHEMA_NAME", T::Bin(64), false),
        ("TABLE_NAME", T::Bin(64), false),
        ("COLUMN_NAME", T::Lower(64), false),
        ("HISTOGRAM", T::Json, false),
    ],
    rows: column_statistics,
}];

pub(super) fn column_statistics(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for schema in v.engine.dict().schemas() {
        if !passes(hints, 0, &schema.name) {
            continue;
        }
        for r in v.engine.dict().relations(&schema.name) {
            let Relation::Table(t) = r else { continue };
            if !passes(hints, 1, &t.name) {
                continue;
            }
            for c in t.columns.iter().filter(|c| !c.is_hidden()) {
                let Some(h) = &c.histogram else { continue };
                let granted = v.account.privileges.on_column(&t.schema, &t.name, &c.name);
                if !granted.and(Privs::TABLE_ALL).is_none() {
                    let doc = OwnedValue::Json(h.to_document()?.into());
                    out.push(vec![s(&t.schema), s(&t.name), s(&c.name), doc]);
                }
            }
        }
    }
    Ok(out)
}
