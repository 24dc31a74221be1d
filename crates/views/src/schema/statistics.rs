//! STATISTICS: the parts of indexes, full-text ones included.
//!
//! Tested: `tests/sql/golden/shown_keys.sql`.

use super::tables::{IS, hides_key, indexed_tables};
use super::{Hints, NULL, Row, SessionView, Spec, T, s, u};
use crate::create::escaped;
use base::SqlResult;
use value::OwnedValue;

pub(super) const TABLES: &[Spec] = &[Spec {
    schema: IS,
    name: "STATISTICS",
    columns: &[
        ("TABLE_CATALOG", T::Bin(64), false),
        ("TABLE_SCHEMA", T::Bin(64), false),
        ("TABLE_NAME", T::Bin(64), false),
        ("NON_UNIQUE", T::Or(&T::Int, "0"), false),
        ("INDEX_SCHEMA", T::Bin(64), false),
        ("INDEX_NAME", T::Lower(64), true),
        ("SEQ_IN_INDEX", T::UInt, false),
        ("COLUMN_NAME", T::Lower(64), true),
        ("COLLATION", T::S(1), true),
        ("CARDINALITY", T::I, true),
        ("SUB_PART", T::I, true),
        ("PACKED", T::Nothing, true),
        ("NULLABLE", T::Word(3), false),
        ("INDEX_TYPE", T::Or(&T::Bin(11), ""), false),
        ("COMMENT", T::Word(8), false),
        ("INDEX_COMMENT", T::Bin(2048), false),
        ("IS_VISIBLE", T::Word(3), false),
        ("EXPRESSION", T::Text, true),
    ],
    rows: statistics,
}];

fn statistics(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    // CARDINALITY
    let opens = v.reads(&[9]);
    for t in indexed_tables(v, hints) {
        let open = || v.engine.dict().open_table(&v.engine, &t.schema, &t.name).ok().flatten();
        let opened = opens.then(open).flatten();
        for (n, i) in t.indexes.iter().enumerate().skip(usize::from(hides_key(v, &t))) {
            for (seq, p) in i.parts.iter().enumerate() {
                let Some(c) = t.columns.get(p.column as usize) else { continue };
                let expression = c.generated.as_ref().filter(|_| c.is_hidden()).map_or(NULL, |g| s(escaped(&g.expr)));
                let cardinality = opened.as_ref().map_or(0, |o| o.cardinality(n, seq + 1));
                out.push(vec![
                    s("def"),
                    s(&t.schema),
                    s(&t.name),
                    OwnedValue::Int(i64::from(!i.unique())),
                    s(&t.schema),
                    s(&i.name),
                    u(seq as u64 + 1),
                    if c.is_hidden() { NULL } else { s(&c.name) },
                    s(if p.desc { "D" } else { "A" }),
                    OwnedValue::Int(cardinality as i64),
                    if p.prefix > 0 { OwnedValue::Int(i64::from(p.prefix)) } else { NULL },
                    NULL,
                    s(if c.ty.nullable { "YES" } else { "" }),
                    s("BTREE"),
                    s(""),
                    s(&i.comment),
                    s(if i.visible { "YES" } else { "NO" }),
                    expression,
                ]);
            }
        }
        let rows = opened.as_ref().map_or(0, |o| o.row_estimate());
        for i in &t.fulltext {
            for (seq, c) in i.columns.iter().enumerate() {
                let Some(c) = t.columns.get(*c as usize) else { continue };
                out.push(vec![
                    s("def"),
                    s(&t.schema),
                    s(&t.name),
                    OwnedValue::Int(1),
                    s(&t.schema),
                    s(&i.name),
                    u(seq as u64 + 1),
                    s(&c.name),
                    NULL,
                    OwnedValue::Int(rows as i64),
                    NULL,
                    NULL,
                    s(if c.ty.nullable { "YES" } else { "" }),
                    s("FULLTEXT"),
                    s(""),
                    s(&i.comment),
                    s(if i.visible { "YES" } else { "NO" }),
                    NULL,
                ]);
            }
        }
    }
    Ok(out)
}
