//! Tables beside the standard's: KEYWORDS, the *_EXTENSIONS and USER_ATTRIBUTES.
//!
//! Tested in `tests/sql/golden/system_tables.sql`.

use super::column_types::{ASCII, BIN4};
use super::tables::{all_tables, base_tables, hides_key};
use super::{Hints, NULL, Row, SessionView, Spec, T, i, s};
use base::SqlResult;
use catalog::accounts::Privs;

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "KEYWORDS",
        columns: &[("WORD", T::Wide(128), true), ("RESERVED", T::Int, true)],
        rows: keywords,
    },
    Spec {
        schema: IS,
        name: "SCHEMATA_EXTENSIONS",
        columns: &[
            ("CATALOG_NAME", T::Bin(64), false),
            ("SCHEMA_NAME", T::Bin(64), false),
            ("OPTIONS", T::S(256), true),
        ],
        rows: schemata,
    },
    Spec {
        schema: IS,
        name: "TABLES_EXTENSIONS",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("ENGINE_ATTRIBUTE", T::Json, true),
            ("SECONDARY_ENGINE_ATTRIBUTE", T::Json, true),
        ],
        rows: tables,
    },
    Spec {
        schema: IS,
        name: "COLUMNS_EXTENSIONS",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), true),
            ("ENGINE_ATTRIBUTE", T::Json, true),
            ("SECONDARY_ENGINE_ATTRIBUTE", T::Json, true),
        ],
        rows: columns,
    },
    Spec {
        schema: IS,
        name: "TABLE_CONSTRAINTS_EXTENSIONS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("ENGINE_ATTRIBUTE", T::Json, true),
            ("SECONDARY_ENGINE_ATTRIBUTE", T::Json, true),
        ],
        rows: constraints,
    },
    Spec {
        schema: IS,
        name: "TABLESPACES_EXTENSIONS",
        columns: &[("TABLESPACE_NAME", T::Bin(268), false), ("ENGINE_ATTRIBUTE", T::Json, true)],
        rows: |v, _| {
            let name = |t: &storage::dict::TableDef| vec![s(format!("{}/{}", t.schema, t.name)), NULL];
            Ok(base_tables(v, &[]).iter().map(|t| name(t)).collect())
        },
    },
    Spec {
        schema: IS,
        name: "USER_ATTRIBUTES",
        columns: &[
            ("USER", T::Or(&T::Char(32), ""), false),
            ("HOST", T::Or(&T::In(&T::Char(255), ASCII), ""), false),
            ("ATTRIBUTE", T::In(&T::Text, BIN4), true),
        ],
        rows: user_attributes,
    },
];

/// The words that the parser knows: all reserved ones, and of the others those its grammar has.
fn keywords(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(super::keywords::all().map(|(word, reserved)| vec![s(word), i(i64::from(reserved))]).collect())
}

fn schemata(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(super::tables::schema_names(v).into_iter().map(|n| vec![s("def"), s(n), s("")]).collect())
}

fn tables(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(schema, name): (String, String)| vec![s("def"), s(schema), s(name), NULL, NULL];
    Ok(all_tables(v, hints).into_iter().map(row).collect())
}

fn columns(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = super::columns::columns(v, hints)?;
    Ok(all.into_iter().map(|r| r.into_iter().take(4).chain([NULL, NULL]).collect()).collect())
}

/// Keys only: what has an engine.
fn constraints(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for t in base_tables(v, &[]) {
        // MySQL lists every index here
        let own = t.indexes.iter().skip(usize::from(hides_key(v, &t))).filter(|x| x.name != "GEN_CLUST_INDEX");
        for name in own.map(|x| &x.name).chain(t.fulltext.iter().map(|x| &x.name)) {
            out.push(vec![s("def"), s(&t.schema), s(name), s(&t.name), NULL, NULL]);
        }
    }
    Ok(out)
}

/// All accounts for whoever may read or change mysql.user, otherwise one's own.
fn user_attributes(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let p = &v.account.privileges;
    let on = p.on_database("mysql");
    // who administers accounts sees them, system users only if it is one
    let administers = p.has_global(Privs::CREATE_USER);
    let all = on.has(Privs::SELECT) || on.has(Privs::UPDATE) || administers && p.holds_dynamic("SYSTEM_USER");
    let own = (&v.account.user, &v.account.host);
    let table = v.accounts.table();
    let may = |a: &&std::sync::Arc<catalog::accounts::Account>| {
        all || administers && !a.privileges.holds_dynamic("SYSTEM_USER") || (&a.user, &a.host) == own
    };
    let shown = table.iter().filter(may);
    Ok(shown.map(|a| vec![s(&a.user), s(&a.host), a.attribute.as_ref().map_or(NULL, s)]).collect())
}
