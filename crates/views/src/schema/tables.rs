//! SCHEMATA, TABLES and PARTITIONS, and which schemas and tables a session may see: columns, indexes and constraints
//! are those of these tables.
//!
//! Monitoring asks these tables at each start. Values that the dictionary does not hold (sizes, counts, whether a view
//! is valid) are made only if their column is read ([`SessionView::reads`]), so that counting tables opens none.
//!
//! Tested: `tests/sql/golden/information_schema_names.sql`, `tests/sql/golden/system_tables.sql`,
//! `tests/clients/test_unread_columns.py`.

use super::column_types::{GENERAL, NO_YES};
use super::{Hints, NULL, Row, SessionView, Spec, T, datetime, look, passes, s, u};
use super::{VIRTUAL_SCHEMAS, virtual_schema_tables};
use base::SqlResult;
use catalog::sysvar::Var;
use std::sync::Arc;
use storage::dict::{Relation, TableDef};
use value::{CollationId, OwnedValue};

pub(super) const IS: &str = "information_schema";

/// Tables whose rows are found by the name of the table that they are about, and its column.
pub(super) const TABLE_NAMES: &[(&str, u16)] = &[
    ("TABLES", 2),
    ("COLUMNS", 2),
    ("STATISTICS", 2),
    ("KEY_COLUMN_USAGE", 5),
    ("TABLE_CONSTRAINTS", 4),
    ("REFERENTIAL_CONSTRAINTS", 9),
    ("PARTITIONS", 2),
    ("VIEWS", 2),
    ("TABLES_EXTENSIONS", 2),
    ("COLUMNS_EXTENSIONS", 2),
];

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "SCHEMATA",
        columns: &[
            ("CATALOG_NAME", T::Bin(64), false),
            ("SCHEMA_NAME", T::Bin(64), false),
            ("DEFAULT_CHARACTER_SET_NAME", T::S(64), false),
            ("DEFAULT_COLLATION_NAME", T::S(64), false),
            ("SQL_PATH", T::Nothing, true),
            ("DEFAULT_ENCRYPTION", NO_YES, false),
        ],
        rows: schemata,
    },
    Spec {
        schema: IS,
        name: "TABLES",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("TABLE_TYPE", T::Enum(&["BASE TABLE", "VIEW", "SYSTEM VIEW"]), false),
            ("ENGINE", T::S(64), true),
            ("VERSION", T::Int, true),
            ("ROW_FORMAT", T::Enum(&["Fixed", "Dynamic", "Compressed", "Redundant", "Compact", "Paged"]), true),
            ("TABLE_ROWS", T::U, true),
            ("AVG_ROW_LENGTH", T::U, true),
            ("DATA_LENGTH", T::U, true),
            ("MAX_DATA_LENGTH", T::U, true),
            ("INDEX_LENGTH", T::U, true),
            ("DATA_FREE", T::U, true),
            ("AUTO_INCREMENT", T::U, true),
            ("CREATE_TIME", T::Stamp(0), false),
            ("UPDATE_TIME", T::Time, true),
            ("CHECK_TIME", T::Time, true),
            ("TABLE_COLLATION", T::S(64), true),
            ("CHECKSUM", T::I, true),
            ("CREATE_OPTIONS", T::S(256), true),
            ("TABLE_COMMENT", T::In(&T::Short, GENERAL), true),
        ],
        rows: tables,
    },
];

/// Its list stands apart because the order of the lists is that of the tables in TABLES.
pub(super) const PARTITIONS: &[Spec] = &[Spec {
    schema: IS,
    name: "PARTITIONS",
    columns: &[
        ("TABLE_CATALOG", T::Bin(64), false),
        ("TABLE_SCHEMA", T::Bin(64), false),
        ("TABLE_NAME", T::Bin(64), false),
        ("PARTITION_NAME", T::Lower(64), true),
        ("SUBPARTITION_NAME", T::Lower(64), true),
        ("PARTITION_ORDINAL_POSITION", T::UInt, true),
        ("SUBPARTITION_ORDINAL_POSITION", T::UInt, true),
        ("PARTITION_METHOD", T::S(13), true),
        ("SUBPARTITION_METHOD", T::S(13), true),
        ("PARTITION_EXPRESSION", T::Bin(2048), true),
        ("SUBPARTITION_EXPRESSION", T::Bin(2048), true),
        ("PARTITION_DESCRIPTION", T::Short, true),
        ("TABLE_ROWS", T::U, true),
        ("AVG_ROW_LENGTH", T::U, true),
        ("DATA_LENGTH", T::U, true),
        ("MAX_DATA_LENGTH", T::U, true),
        ("INDEX_LENGTH", T::U, true),
        ("DATA_FREE", T::U, true),
        ("CREATE_TIME", T::Stamp(0), false),
        ("UPDATE_TIME", T::Time, true),
        ("CHECK_TIME", T::Time, true),
        ("CHECKSUM", T::I, true),
        ("PARTITION_COMMENT", T::Short, false),
        ("NODEGROUP", T::S(256), true),
        ("TABLESPACE_NAME", T::Bin(268), true),
    ],
    rows: partitions,
}];

/// Schemas the account may know of, with their collation; the virtual ones included.
fn visible_schemas(v: &SessionView, hints: Hints<'_>, column: u16) -> Vec<(String, CollationId)> {
    let mut out: Vec<(String, CollationId)> = VIRTUAL_SCHEMAS
        .iter()
        .map(|n| ((*n).to_owned(), CollationId(33)))
        .chain(v.engine.dict().schemas().iter().map(|s| (s.name.clone(), s.collation)))
        .filter(|(n, _)| passes(hints, column, n))
        .filter(|(n, _)| n == "information_schema" || v.account.privileges.can_list_database(n))
        .collect();
    out.sort();
    out
}

fn schemata(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(name, id): (String, CollationId)| {
        // performance_schema has the server's default
        let id = if name == "performance_schema" { CollationId::UTF8MB4_0900_AI_CI } else { id };
        let c = id.get();
        vec![s("def"), s(name), s(c.charset.name()), s(c.name), NULL, s("NO")]
    };
    Ok(visible_schemas(v, hints, 1).into_iter().map(row).collect())
}

/// Something with columns: a base table or a virtual one.
pub(super) enum Shown {
    Base(Arc<TableDef>),
    Virtual(Arc<TableDef>),
    View(Arc<storage::dict::ViewDef>),
}

/// Whether the table has a generated invisible primary key that the session does not want to see.
pub(super) fn hides_key(v: &SessionView, t: &TableDef) -> bool {
    !v.vars.bool(Var::show_gipk_in_create_table_and_information_schema) && t.has_generated_key()
}

/// Tables and views that pass the hints on their schema (column 1) and name (column 2).
pub(super) fn visible_tables(v: &SessionView, hints: Hints<'_>) -> Vec<Shown> {
    let mut out = Vec::new();
    for (schema, _) in visible_schemas(v, hints, 1) {
        if VIRTUAL_SCHEMAS.contains(&schema.as_str()) {
            for t in virtual_schema_tables(&schema) {
                let name = &t.def().name;
                let seen = || {
                    schema == IS || super::perf::open_to_all(name) || v.account.privileges.can_see_table(&schema, name)
                };
                if passes(hints, 2, name) && seen() {
                    out.push(Shown::Virtual(t.def().clone()));
                }
            }
            continue;
        }
        let mine = v.temporary.iter().filter(|t| t.schema == schema && passes(hints, 2, &t.name));
        out.extend(mine.map(|t| Shown::Base(t.clone())));
        for r in v.engine.dict().relations_where(&schema, |name| passes(hints, 2, name)) {
            if v.temporary.iter().any(|t| (t.schema.as_str(), t.name.as_str()) == r.name()) {
                continue;
            }
            if !v.account.privileges.can_see_table(&schema, r.name().1) {
                continue;
            }
            out.push(match r {
                Relation::Table(t) => Shown::Base(t),
                Relation::View(w) => Shown::View(w),
            });
        }
    }
    out
}

fn tables(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    // TABLE_ROWS to INDEX_LENGTH, AUTO_INCREMENT; TABLE_COMMENT
    let (numbers, counter, comment) = (v.reads(&[7, 8, 9, 11]), v.reads(&[13]), v.reads(&[20]));
    let mut out = Vec::new();
    for (n, t) in visible_tables(v, hints).into_iter().enumerate() {
        look(n)?;
        out.push(match t {
            Shown::Base(t) => base_table_row(v, &t, numbers || counter && t.auto_increment_column().is_some()),
            Shown::Virtual(t) if t.schema == super::perf::PS => {
                let mut row = nameplate(v, &t.schema, &t.name, "BASE TABLE", "");
                if let Some(engine) = row.get_mut(4) {
                    *engine = s("PERFORMANCE_SCHEMA");
                }
                row
            }
            Shown::Virtual(t) => nameplate(v, &t.schema, &t.name, "SYSTEM VIEW", ""),
            Shown::View(w) => super::views::table_row(v, &w, comment),
        });
    }
    Ok(out)
}

/// A TABLES row of something without storage.
fn nameplate(v: &SessionView, schema: &str, name: &str, kind: &str, comment: &str) -> Row {
    let mut row = vec![s("def"), s(schema), s(name), s(kind), NULL, OwnedValue::Int(10)];
    row.extend(std::iter::repeat_n(NULL, 8));
    row.push(created(v, 0));
    row.extend(std::iter::repeat_n(NULL, 5));
    row.push(s(comment));
    row
}

/// CREATE_TIME, which is never NULL: of what is made anew at each start, and of what an old file does not date, the time of the start.
pub(super) fn created(v: &SessionView, at: u64) -> OwnedValue {
    datetime(v, if at == 0 { v.started } else { at })
}

/// `opens`: what only an open table knows is asked for. UPDATE_TIME is none of it: a table that has been changed since
/// the start is open.
fn base_table_row(v: &SessionView, t: &TableDef, opens: bool) -> Row {
    let dict = v.engine.dict();
    let opened = match opens {
        true => dict.open_table(&v.engine, &t.schema, &t.name).ok().flatten(),
        false => dict.if_open(&t.schema, &t.name),
    };
    let rows = opened.as_ref().map_or(0, |o| o.row_estimate());
    let (data, index) = opened.as_ref().map_or((0, 0), |o| o.size_bytes());
    let next = opened.as_ref().and_then(|o| o.autoinc_value(&v.engine).ok().flatten());
    // NULL where none was given out
    let auto = t.auto_increment_column().filter(|_| !hides_key(v, t)).and(next).filter(|n| *n > 1).map_or(NULL, u);
    let options: Vec<String> = crate::create::shown_options(t);
    vec![
        s("def"),
        s(&t.schema),
        s(&t.name),
        s("BASE TABLE"),
        s("InnoDB"),
        OwnedValue::Int(10),
        s(executor::ddl::row_format::shown(&t.options)),
        u(rows),
        u(data.checked_div(rows).unwrap_or(0)),
        u(data),
        u(0),
        u(index),
        u(0),
        auto,
        created(v, t.created),
        opened.as_ref().and_then(|o| o.update_time()).map_or(NULL, |at| datetime(v, at)),
        NULL,
        s(t.collation.get().name),
        NULL,
        s(options.join(" ")),
        s(&t.comment),
    ]
}

/// The names that [`visible_tables`] has, for other tables of them.
pub(super) fn all_tables(v: &SessionView, hints: Hints<'_>) -> Vec<(String, String)> {
    let name = |t: Shown| match t {
        Shown::Base(t) | Shown::Virtual(t) => (t.schema.clone(), t.name.clone()),
        Shown::View(w) => (w.schema.clone(), w.name.clone()),
    };
    visible_tables(v, hints).into_iter().map(name).collect()
}

/// The schemas that SCHEMATA shows.
pub(super) fn schema_names(v: &SessionView) -> Vec<String> {
    visible_schemas(v, &[], 1).into_iter().map(|(n, _)| n).collect()
}

/// Tables with storage that are not temporary.
pub(super) fn base_tables(v: &SessionView, hints: Hints<'_>) -> Vec<Arc<TableDef>> {
    indexed_tables(v, hints).into_iter().filter(|t| !t.is_temporary()).collect()
}

/// Base tables with their indexes.
pub(super) fn indexed_tables(v: &SessionView, hints: Hints<'_>) -> Vec<Arc<TableDef>> {
    let base = |t: Shown| if let Shown::Base(t) = t { Some(t) } else { None };
    visible_tables(v, hints).into_iter().filter_map(base).collect()
}

fn partitions(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    // tables are not partitioned: a row each, as for such tables in MySQL
    let opens = v.reads(&[12, 13, 14, 16]);
    let row = |t: Arc<TableDef>| {
        let mut row = vec![s("def"), s(&t.schema), s(&t.name)];
        row.extend(std::iter::repeat_n(NULL, 9));
        // TABLE_ROWS to DATA_FREE, then the times
        let table = base_table_row(v, &t, opens);
        row.extend(table.get(7..13).unwrap_or_default().iter().cloned());
        let updated = table.get(15).cloned().unwrap_or(NULL);
        row.extend([created(v, t.created), updated, NULL, NULL, s(""), NULL, NULL]);
        row
    };
    Ok(indexed_tables(v, hints).into_iter().map(row).collect())
}
