//! SCHEMATA, TABLES, COLUMNS, STATISTICS, constraints, and the tables of features that have no rows yet.

use super::constraints::{check_constraints, key_column_usage, referential_constraints, table_constraints};
use super::kinds::{GENERAL, INTERVAL, NO_YES, ROUTINE, RULE, SQL_MODES, is_filled};
use super::{Hints, NULL, Row, SessionView, Spec, T, datetime, hint, none, passes, s, u};
use super::{VIRTUAL_SCHEMAS, virtual_schema_tables};
use crate::create::{column_type, default_text, escaped, extra, type_name};
use base::SqlResult;
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use std::sync::Arc;
use storage::dict::{ColumnDef, ColumnDefault, IndexDef, IndexKind, Relation, TableDef};
use value::{CollationId, OwnedValue, TypeKind};

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
    Spec {
        schema: IS,
        name: "COLUMNS",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), true),
            ("ORDINAL_POSITION", T::UInt, false),
            ("COLUMN_DEFAULT", T::Short, true),
            ("IS_NULLABLE", T::Word(3), false),
            ("DATA_TYPE", T::Text, true),
            ("CHARACTER_MAXIMUM_LENGTH", T::I, true),
            ("CHARACTER_OCTET_LENGTH", T::I, true),
            ("NUMERIC_PRECISION", T::U, true),
            ("NUMERIC_SCALE", T::U, true),
            ("DATETIME_PRECISION", T::UInt, true),
            ("CHARACTER_SET_NAME", T::S(64), true),
            ("COLLATION_NAME", T::S(64), true),
            ("COLUMN_TYPE", T::Medium, false),
            ("COLUMN_KEY", T::Enum(&["", "PRI", "UNI", "MUL"]), false),
            ("EXTRA", T::S(256), true),
            ("PRIVILEGES", T::S(154), true),
            ("COLUMN_COMMENT", T::Short, false),
            ("GENERATION_EXPRESSION", T::Text, false),
            ("SRS_ID", T::UInt, true),
        ],
        rows: columns,
    },
    Spec {
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
    },
    Spec {
        schema: IS,
        name: "KEY_COLUMN_USAGE",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), true),
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), true),
            ("ORDINAL_POSITION", T::Or(&T::UInt, "0"), false),
            ("POSITION_IN_UNIQUE_CONSTRAINT", T::UInt, true),
            ("REFERENCED_TABLE_SCHEMA", T::Bin(64), true),
            ("REFERENCED_TABLE_NAME", T::Bin(64), true),
            ("REFERENCED_COLUMN_NAME", T::Lower(64), true),
        ],
        rows: key_column_usage,
    },
    Spec {
        schema: IS,
        name: "TABLE_CONSTRAINTS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), true),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("CONSTRAINT_TYPE", T::Or(&T::Bin(11), ""), false),
            ("ENFORCED", T::Or(&T::Bin(3), ""), false),
        ],
        rows: table_constraints,
    },
    Spec {
        schema: IS,
        name: "REFERENTIAL_CONSTRAINTS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), true),
            ("UNIQUE_CONSTRAINT_CATALOG", T::Bin(64), false),
            ("UNIQUE_CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("UNIQUE_CONSTRAINT_NAME", T::Lower(64), true),
            ("MATCH_OPTION", T::Enum(&["NONE", "PARTIAL", "FULL"]), false),
            ("UPDATE_RULE", RULE, false),
            ("DELETE_RULE", RULE, false),
            ("TABLE_NAME", T::Bin(64), false),
            ("REFERENCED_TABLE_NAME", T::Bin(64), false),
        ],
        rows: referential_constraints,
    },
    Spec {
        schema: IS,
        name: "CHECK_CONSTRAINTS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), false),
            ("CHECK_CLAUSE", T::Text, false),
        ],
        rows: check_constraints,
    },
    Spec {
        schema: IS,
        name: "ROUTINES",
        columns: &[
            ("SPECIFIC_NAME", T::S(64), false),
            ("ROUTINE_CATALOG", T::Bin(64), false),
            ("ROUTINE_SCHEMA", T::Bin(64), false),
            ("ROUTINE_NAME", T::S(64), false),
            ("ROUTINE_TYPE", ROUTINE, false),
            ("DATA_TYPE", T::Text, true),
            ("CHARACTER_MAXIMUM_LENGTH", T::I, true),
            ("CHARACTER_OCTET_LENGTH", T::I, true),
            ("NUMERIC_PRECISION", T::UInt, true),
            ("NUMERIC_SCALE", T::UInt, true),
            ("DATETIME_PRECISION", T::UInt, true),
            ("CHARACTER_SET_NAME", T::S(64), true),
            ("COLLATION_NAME", T::S(64), true),
            ("DTD_IDENTIFIER", T::Text, true),
            ("ROUTINE_BODY", T::Word(8), false),
            ("ROUTINE_DEFINITION", T::Text, true),
            ("EXTERNAL_NAME", T::Nothing, true),
            ("EXTERNAL_LANGUAGE", T::Or(&T::Bin(64), "SQL"), false),
            ("PARAMETER_STYLE", T::Word(3), false),
            ("IS_DETERMINISTIC", T::Word(3), false),
            ("SQL_DATA_ACCESS", T::Enum(&["CONTAINS SQL", "NO SQL", "READS SQL DATA", "MODIFIES SQL DATA"]), false),
            ("SQL_PATH", T::Nothing, true),
            ("SECURITY_TYPE", T::Enum(&["DEFAULT", "INVOKER", "DEFINER"]), false),
            ("CREATED", T::Stamp(0), false),
            ("LAST_ALTERED", T::Stamp(0), false),
            ("SQL_MODE", SQL_MODES, false),
            ("ROUTINE_COMMENT", T::Short, false),
            ("DEFINER", T::Bin(288), false),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
            ("DATABASE_COLLATION", T::S(64), false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "PARAMETERS",
        columns: &[
            ("SPECIFIC_CATALOG", T::Bin(64), false),
            ("SPECIFIC_SCHEMA", T::Bin(64), false),
            ("SPECIFIC_NAME", T::S(64), false),
            ("ORDINAL_POSITION", T::Or(&T::U, "0"), false),
            ("PARAMETER_MODE", T::Bin(5), true),
            ("PARAMETER_NAME", T::S(64), true),
            ("DATA_TYPE", T::Text, true),
            ("CHARACTER_MAXIMUM_LENGTH", T::I, true),
            ("CHARACTER_OCTET_LENGTH", T::I, true),
            ("NUMERIC_PRECISION", T::UInt, true),
            ("NUMERIC_SCALE", T::I, true),
            ("DATETIME_PRECISION", T::UInt, true),
            ("CHARACTER_SET_NAME", T::S(64), true),
            ("COLLATION_NAME", T::S(64), true),
            ("DTD_IDENTIFIER", T::Medium, false),
            ("ROUTINE_TYPE", ROUTINE, false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "TRIGGERS",
        columns: &[
            ("TRIGGER_CATALOG", T::Bin(64), false),
            ("TRIGGER_SCHEMA", T::Bin(64), false),
            ("TRIGGER_NAME", T::S(64), false),
            ("EVENT_MANIPULATION", T::Enum(&["INSERT", "UPDATE", "DELETE"]), false),
            ("EVENT_OBJECT_CATALOG", T::Bin(64), false),
            ("EVENT_OBJECT_SCHEMA", T::Bin(64), false),
            ("EVENT_OBJECT_TABLE", T::Bin(64), false),
            ("ACTION_ORDER", T::UInt, false),
            ("ACTION_CONDITION", T::Nothing, true),
            ("ACTION_STATEMENT", T::Text, false),
            ("ACTION_ORIENTATION", T::Word(3), false),
            ("ACTION_TIMING", T::Enum(&["BEFORE", "AFTER"]), false),
            ("ACTION_REFERENCE_OLD_TABLE", T::Nothing, true),
            ("ACTION_REFERENCE_NEW_TABLE", T::Nothing, true),
            ("ACTION_REFERENCE_OLD_ROW", T::Word(3), false),
            ("ACTION_REFERENCE_NEW_ROW", T::Word(3), false),
            ("CREATED", T::Stamp(2), false),
            ("SQL_MODE", SQL_MODES, false),
            ("DEFINER", T::Bin(288), false),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
            ("DATABASE_COLLATION", T::S(64), false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "EVENTS",
        columns: &[
            ("EVENT_CATALOG", T::Bin(64), false),
            ("EVENT_SCHEMA", T::Bin(64), false),
            ("EVENT_NAME", T::S(64), false),
            ("DEFINER", T::Bin(288), false),
            ("TIME_ZONE", T::Bin(64), false),
            ("EVENT_BODY", T::Word(3), false),
            ("EVENT_DEFINITION", T::Text, false),
            ("EVENT_TYPE", T::Word(9), false),
            ("EXECUTE_AT", T::Time, true),
            ("INTERVAL_VALUE", T::S(256), true),
            ("INTERVAL_FIELD", INTERVAL, true),
            ("SQL_MODE", SQL_MODES, false),
            ("STARTS", T::Time, true),
            ("ENDS", T::Time, true),
            ("STATUS", T::Or(&T::Bin(21), ""), false),
            ("ON_COMPLETION", T::Word(12), false),
            ("CREATED", T::Stamp(0), false),
            ("LAST_ALTERED", T::Stamp(0), false),
            ("LAST_EXECUTED", T::Time, true),
            ("EVENT_COMMENT", T::Bin(2048), false),
            ("ORIGINATOR", T::UInt, false),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
            ("DATABASE_COLLATION", T::S(64), false),
        ],
        rows: none,
    },
    Spec {
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
    },
    Spec {
        schema: IS,
        name: "COLUMN_STATISTICS",
        columns: &[
            ("SCHEMA_NAME", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), false),
            ("HISTOGRAM", T::Json, false),
        ],
        rows: super::histograms::column_statistics,
    },
];

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
enum Shown {
    Base(Arc<TableDef>),
    Virtual(Arc<TableDef>),
    View(Arc<storage::dict::ViewDef>),
}

/// Whether the table has a generated invisible primary key that the session does not want to see.
pub(super) fn hides_key(v: &SessionView, t: &TableDef) -> bool {
    !v.vars.bool(Var::show_gipk_in_create_table_and_information_schema) && t.has_generated_key()
}

/// Tables and views that pass the hints on their schema (column 1) and name (column 2).
fn visible_tables(v: &SessionView, hints: Hints<'_>) -> Vec<Shown> {
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
    let mut out = Vec::new();
    for t in visible_tables(v, hints) {
        out.push(match t {
            Shown::Base(t) => base_table_row(v, &t),
            Shown::Virtual(t) if t.schema == super::perf::PS => {
                let mut row = nameplate(v, &t.schema, &t.name, "BASE TABLE", "");
                if let Some(engine) = row.get_mut(4) {
                    *engine = s("PERFORMANCE_SCHEMA");
                }
                row
            }
            Shown::Virtual(t) => nameplate(v, &t.schema, &t.name, "SYSTEM VIEW", ""),
            Shown::View(w) => super::views::table_row(v, &w),
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

fn base_table_row(v: &SessionView, t: &TableDef) -> Row {
    let opened = v.engine.dict().open_table(&v.engine, &t.schema, &t.name).ok().flatten();
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

/// `PRI`, `UNI`, `MUL` or nothing: what the first index says that the column leads (or, of the one shown as primary, is in).
pub(crate) fn column_key(t: &TableDef, column: usize) -> &'static str {
    let leads = |i: &&IndexDef| i.parts.first().is_some_and(|p| p.column as usize == column);
    let primary = t.candidate_key().and_then(|i| t.indexes.get(i));
    if primary.is_some_and(|k| k.parts.iter().any(|p| p.column as usize == column)) {
        return "PRI";
    }
    match t.indexes.iter().find(leads) {
        Some(i) if i.kind == IndexKind::Unique && i.parts.len() == 1 => "UNI",
        Some(_) => "MUL",
        None if t.fulltext.iter().any(|i| i.columns.first() == Some(&(column as u16))) => "MUL",
        None => "",
    }
}

/// The names that [`visible_tables`] has, for other tables of them.
pub(super) fn all_tables(v: &SessionView, hints: Hints<'_>) -> Vec<(String, String)> {
    let name = |t: Shown| match t {
        Shown::Base(t) | Shown::Virtual(t) => (t.schema.clone(), t.name.clone()),
        Shown::View(w) => (w.schema.clone(), w.name.clone()),
    };
    visible_tables(v, hints).into_iter().map(name).collect()
}

/// Rows of COLUMNS.
pub(super) fn all_columns(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    columns(v, hints)
}

/// The schemas that SCHEMATA shows.
pub(super) fn schema_names(v: &SessionView) -> Vec<String> {
    visible_schemas(v, &[], 1).into_iter().map(|(n, _)| n).collect()
}

/// Tables with storage that are not temporary.
pub(super) fn base_tables(v: &SessionView, hints: Hints<'_>) -> Vec<Arc<TableDef>> {
    indexed_tables(v, hints).into_iter().filter(|t| !t.is_temporary()).collect()
}

fn columns(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    // the grant tables are not in TABLES, for dumps would take them; they can be described
    let grants = virtual_schema_tables("mysql").into_iter().map(|t| Shown::Virtual(t.def().clone()));
    let grants = grants.filter(|t| {
        matches!(t, Shown::Virtual(t) if hint(hints, 1).is_some() && passes(hints, 1, "mysql")
            && hint(hints, 2).is_some() && passes(hints, 2, &t.name) && v.account.privileges.can_see_table("mysql", &t.name))
    });
    for t in visible_tables(v, hints).into_iter().chain(grants) {
        let t = match t {
            Shown::Base(t) | Shown::Virtual(t) => t,
            // an invalid view has no columns; SHOW COLUMNS answers its error
            Shown::View(w) => match super::views::describe(v, &w) {
                Ok(d) => Arc::new(d.def),
                Err(e) if hint(hints, 2).is_some() => return Err(e),
                Err(_) => continue,
            },
        };
        for (i, c) in t.columns.iter().enumerate().skip(usize::from(hides_key(v, &t))) {
            if !passes(hints, 3, &c.name) || c.is_hidden() {
                continue;
            }
            // what is granted counts for performance_schema, the grant tables and temporary tables too, as in MySQL
            let may = match t.schema == IS {
                true => Privs::SELECT,
                false => v.account.privileges.on_column(&t.schema, &t.name, &c.name).and(Privs::COLUMN_ALL),
            };
            if !may.is_none() {
                out.push(column_row(&t, i, c, may));
            }
        }
    }
    Ok(out)
}

fn column_row(t: &TableDef, i: usize, c: &ColumnDef, may: Privs) -> Row {
    let k = c.ty.kind;
    let filled = is_filled(&t.schema, &t.name);
    let (chars, bytes) = if k.is_string() || matches!(k, TypeKind::Enum | TypeKind::Set) {
        let width = u64::from(c.ty.charset().max_len());
        let length = u64::from(c.ty.length);
        // of a TEXT MySQL shows as many characters as it holds if they are short
        let (chars, bytes) =
            if k.is_lob() { (length / u64::from(c.ty.charset().min_len()), length) } else { (length, length * width) };
        // MySQL takes the length of what it fills itself for bytes
        let (chars, bytes) = if filled && !k.is_lob() { (length / width, length) } else { (chars, bytes) };
        (OwnedValue::Int(chars as i64), OwnedValue::Int(bytes as i64))
    } else {
        (NULL, NULL)
    };
    let (precision, scale) = if filled { (NULL, NULL) } else { numeric(c) };
    let fsp = !filled && matches!(k, TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp);
    let (charset, collation) =
        if c.ty.is_character() { (s(c.ty.charset().name()), s(c.ty.collation.get().name)) } else { (NULL, NULL) };
    let default = match &c.default {
        ColumnDefault::None if !filled => NULL,
        ColumnDefault::Expr(e) if t.is_temporary() => s(format!("({})", escaped(e))),
        ColumnDefault::Expr(e) => s(escaped(e)),
        _ if filled => s(""),
        // in hexadecimal, and up to the first zero byte
        ColumnDefault::Value(value::OwnedValue::Str(b))
            if matches!(c.ty.kind, TypeKind::Binary | TypeKind::VarBinary) =>
        {
            let prefix = if b.is_empty() { "" } else { "0x" };
            let shown = b.iter().take_while(|b| **b != 0).map(|b| format!("{b:02X}")).collect::<String>();
            s(format!("{prefix}{shown}"))
        }
        _ => default_text(c).map_or(NULL, s),
    };
    // of temporary tables MySQL says less, and the word where there is nothing to say
    let extra = match extra(c) {
        words if !t.is_temporary() => s(words),
        words => match words.trim_start_matches("DEFAULT_GENERATED").trim_start() {
            "" => s("NULL"),
            words => s(words),
        },
    };
    vec![
        s("def"),
        s(&t.schema),
        s(&t.name),
        s(&c.name),
        u(i as u64 + 1),
        default,
        s(if c.ty.nullable { "YES" } else { "NO" }),
        s(type_name(k)),
        chars,
        bytes,
        precision,
        scale,
        if fsp { u(u64::from(c.ty.decimals)) } else { NULL },
        charset,
        collation,
        s(column_type(&c.ty)),
        s(column_key(t, i)),
        extra,
        s(may.names().collect::<Vec<_>>().join(",").to_lowercase()),
        s(&c.comment),
        s(c.generated.as_ref().map_or(String::new(), |g| escaped(&g.expr))),
        NULL,
    ]
}

/// NUMERIC_PRECISION and NUMERIC_SCALE.
fn numeric(c: &ColumnDef) -> (OwnedValue, OwnedValue) {
    let fixed = |p: u64| (u(p), u(0));
    match c.ty.kind {
        TypeKind::TinyInt => fixed(3),
        TypeKind::SmallInt => fixed(5),
        TypeKind::MediumInt => fixed(7),
        TypeKind::Int => fixed(10),
        TypeKind::BigInt if c.ty.unsigned => fixed(20),
        TypeKind::BigInt => fixed(19),
        TypeKind::Decimal => (u(u64::from(c.ty.length)), u(u64::from(c.ty.decimals))),
        TypeKind::Float | TypeKind::Double => {
            let scale = if c.ty.decimals == value::types::NOT_FIXED_DEC { NULL } else { u(u64::from(c.ty.decimals)) };
            (u(u64::from(c.ty.length)), scale)
        }
        TypeKind::Bit => (u(u64::from(c.ty.length)), NULL),
        _ => (NULL, NULL),
    }
}

/// Base tables with their indexes.
pub(super) fn indexed_tables(v: &SessionView, hints: Hints<'_>) -> Vec<Arc<TableDef>> {
    let base = |t: Shown| if let Shown::Base(t) = t { Some(t) } else { None };
    visible_tables(v, hints).into_iter().filter_map(base).collect()
}

fn statistics(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for t in indexed_tables(v, hints) {
        let opened = v.engine.dict().open_table(&v.engine, &t.schema, &t.name).ok().flatten();
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

fn partitions(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    // tables are not partitioned: a row each, as for such tables in MySQL
    let row = |t: Arc<TableDef>| {
        let mut row = vec![s("def"), s(&t.schema), s(&t.name)];
        row.extend(std::iter::repeat_n(NULL, 9));
        // TABLE_ROWS to DATA_FREE, then the times
        let table = base_table_row(v, &t);
        row.extend(table.get(7..13).unwrap_or_default().iter().cloned());
        let updated = table.get(15).cloned().unwrap_or(NULL);
        row.extend([created(v, t.created), updated, NULL, NULL, s(""), NULL, NULL]);
        row
    };
    Ok(indexed_tables(v, hints).into_iter().map(row).collect())
}
