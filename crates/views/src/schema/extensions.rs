//! Tables beside the standard's: KEYWORDS, the *_EXTENSIONS, USER_ATTRIBUTES, and those of what Evenkeel has none of (spatial reference
//! systems, resource groups, tablespaces by name, stored functions in views, profiles, traces): with MySQL's columns, empty.
//!
//! Tested in `tests/sql/golden/system_tables.sql`.

use super::column_types::{ASCII, BIN4};
use super::tables::{all_columns, all_tables, base_tables, hides_key};
use super::{Columns, Hints, NULL, Row, SessionView, Spec, T, i, none, s};
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
    Spec {
        schema: IS,
        name: "VIEW_ROUTINE_USAGE",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("SPECIFIC_CATALOG", T::Bin(64), false),
            ("SPECIFIC_SCHEMA", T::Bin(64), false),
            ("SPECIFIC_NAME", T::S(64), false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "RESOURCE_GROUPS",
        columns: &[
            ("RESOURCE_GROUP_NAME", T::S(64), false),
            ("RESOURCE_GROUP_TYPE", T::Enum(&["SYSTEM", "USER"]), false),
            ("RESOURCE_GROUP_ENABLED", T::Bool, false),
            ("VCPU_IDS", T::Blob, true),
            ("THREAD_PRIORITY", T::Int, false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "ST_GEOMETRY_COLUMNS",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), true),
            ("SRS_NAME", T::S(80), true),
            ("SRS_ID", T::UInt, true),
            ("GEOMETRY_TYPE_NAME", T::Text, true),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "ST_SPATIAL_REFERENCE_SYSTEMS",
        columns: &[
            ("SRS_NAME", T::S(80), false),
            ("SRS_ID", T::UInt, false),
            ("ORGANIZATION", T::S(256), true),
            ("ORGANIZATION_COORDSYS_ID", T::UInt, true),
            ("DEFINITION", T::Bin(4096), false),
            ("DESCRIPTION", T::Bin(2048), true),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "ST_UNITS_OF_MEASURE",
        columns: &[
            ("UNIT_NAME", T::Wide(255), true),
            ("UNIT_TYPE", T::Wide(7), true),
            ("CONVERSION_FACTOR", T::Double, true),
            ("DESCRIPTION", T::Wide(255), true),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "OPTIMIZER_TRACE",
        columns: &[
            ("QUERY", T::S(65535), false),
            ("TRACE", T::S(65535), false),
            ("MISSING_BYTES_BEYOND_MAX_MEM_SIZE", T::Int, false),
            ("INSUFFICIENT_PRIVILEGES", T::Bool, false),
        ],
        rows: none,
    },
    Spec { schema: IS, name: "PROFILING", columns: PROFILING, rows: none },
];

const PROFILING: Columns = &[
    ("QUERY_ID", T::Int, false),
    ("SEQ", T::Int, false),
    ("STATE", T::S(30), false),
    ("DURATION", T::Decimal(9, 6), false),
    ("CPU_USER", T::Decimal(9, 6), true),
    ("CPU_SYSTEM", T::Decimal(9, 6), true),
    ("CONTEXT_VOLUNTARY", T::Int, true),
    ("CONTEXT_INVOLUNTARY", T::Int, true),
    ("BLOCK_OPS_IN", T::Int, true),
    ("BLOCK_OPS_OUT", T::Int, true),
    ("MESSAGES_SENT", T::Int, true),
    ("MESSAGES_RECEIVED", T::Int, true),
    ("PAGE_FAULTS_MAJOR", T::Int, true),
    ("PAGE_FAULTS_MINOR", T::Int, true),
    ("SWAPS", T::Int, true),
    ("SOURCE_FUNCTION", T::S(30), true),
    ("SOURCE_FILE", T::S(20), true),
    ("SOURCE_LINE", T::Int, true),
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
    let all = all_columns(v, hints)?;
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
