//! INNODB_TABLES, INNODB_COLUMNS, INNODB_VIRTUAL, INNODB_INDEXES, INNODB_FIELDS, INNODB_FOREIGN, INNODB_FOREIGN_COLS: the dictionary by ids (manual,
//! "INFORMATION_SCHEMA InnoDB Tables"); INNODB_FT_DEFAULT_STOPWORD. They need PROCESS (1227).

use super::{Hints, Row, SessionView, Spec, T, s, u};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use std::sync::Arc;
use storage::dict::{ColumnDef, FkAction, ForeignKeyDef, IndexDef, IndexKind, Relation, TableDef};
use value::{CollationId, SqlType, TypeKind};

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec { schema: IS, name: "INNODB_FT_DEFAULT_STOPWORD", columns: &[("value", T::S(18), false)], rows: stopwords },
    Spec {
        schema: IS,
        name: "INNODB_TABLES",
        columns: &[
            ("TABLE_ID", T::U, false),
            ("NAME", T::S(655), false),
            ("FLAG", T::Int, false),
            ("N_COLS", T::Int, false),
            ("SPACE", T::I, false),
            ("ROW_FORMAT", T::S(12), true),
            ("ZIP_PAGE_SIZE", T::UInt, false),
            ("SPACE_TYPE", T::S(10), true),
            ("INSTANT_COLS", T::Int, false),
            ("TOTAL_ROW_VERSIONS", T::Int, false),
        ],
        rows: tables,
    },
    Spec {
        schema: IS,
        name: "INNODB_COLUMNS",
        columns: &[
            ("TABLE_ID", T::U, false),
            ("NAME", T::S(193), false),
            ("POS", T::U, false),
            ("MTYPE", T::Int, false),
            ("PRTYPE", T::Int, false),
            ("LEN", T::Int, false),
            ("HAS_DEFAULT", T::Int, false),
            ("DEFAULT_VALUE", T::Short, true),
        ],
        rows: columns,
    },
    Spec {
        schema: IS,
        name: "INNODB_VIRTUAL",
        columns: &[("TABLE_ID", T::U, false), ("POS", T::UInt, false), ("BASE_POS", T::UInt, false)],
        rows: virtual_columns,
    },
    Spec {
        schema: IS,
        name: "INNODB_INDEXES",
        columns: &[
            ("INDEX_ID", T::U, false),
            ("NAME", T::S(193), false),
            ("TABLE_ID", T::U, false),
            ("TYPE", T::Int, false),
            ("N_FIELDS", T::Int, false),
            ("PAGE_NO", T::Int, false),
            ("SPACE", T::Int, false),
            ("MERGE_THRESHOLD", T::Int, false),
        ],
        rows: indexes,
    },
    Spec {
        schema: IS,
        name: "INNODB_FIELDS",
        columns: &[("INDEX_ID", T::Bytes(256), true), ("NAME", T::Lower(64), false), ("POS", T::Or(&T::U, "0"), false)],
        rows: fields,
    },
    Spec {
        schema: IS,
        name: "INNODB_FOREIGN",
        columns: &[
            ("ID", T::Bin(129), true),
            ("FOR_NAME", T::Bin(129), true),
            ("REF_NAME", T::Bin(129), true),
            ("N_COLS", T::Or(&T::I, "0"), false),
            ("TYPE", T::Or(&T::U, "0"), false),
        ],
        rows: foreign,
    },
    Spec {
        schema: IS,
        name: "INNODB_FOREIGN_COLS",
        columns: &[
            ("ID", T::Bin(129), true),
            ("FOR_COL_NAME", T::Lower(64), false),
            ("REF_COL_NAME", T::Lower(64), false),
            ("POS", T::UInt, false),
        ],
        rows: foreign_cols,
    },
];

/// Base tables of all schemas, in order of id.
pub(super) fn base_tables(v: &SessionView) -> SqlResult<Vec<Arc<TableDef>>> {
    check_process(v)?;
    let dict = v.engine.dict();
    let mut out: Vec<Arc<TableDef>> = dict
        .schemas()
        .iter()
        .flat_map(|s| dict.relations(&s.name))
        .filter_map(|r| match r {
            Relation::Table(t) => Some(t),
            Relation::View(_) => None,
        })
        .collect();
    out.sort_by_key(|t| t.id.0);
    Ok(out)
}

fn rows(v: &SessionView, mut f: impl FnMut(&TableDef, &mut Vec<Row>)) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    base_tables(v)?.iter().for_each(|t| f(t, &mut out));
    Ok(out)
}

fn i(n: usize) -> value::OwnedValue {
    super::i(n as i64)
}

fn tables(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    rows(v, |t, out| {
        // InnoDB counts DB_ROW_ID, DB_TRX_ID and DB_ROLL_PTR
        out.push(vec![
            u(t.id.0),
            s(format!("{}/{}", t.schema, t.name)),
            i(33),
            i(t.columns.len() + 3),
            i(t.space.0 as usize),
            s("Dynamic"),
            u(0),
            s("Single"),
            i(0),
            i(t.former.len()),
        ]);
    })
}

/// InnoDB's main type. What is in latin1_swedish_ci has types of its own.
fn mtype(ty: &SqlType) -> usize {
    let latin1 = ty.collation == CollationId::LATIN1_SWEDISH_CI;
    match ty.kind {
        TypeKind::VarChar if latin1 => 1,
        TypeKind::VarChar => 12,
        TypeKind::Char if latin1 => 2,
        TypeKind::Char => 13,
        TypeKind::Binary | TypeKind::Bit | TypeKind::Decimal => 3,
        TypeKind::VarBinary => 4,
        TypeKind::Float => 9,
        TypeKind::Double => 10,
        k if k.is_string() || k == TypeKind::Json => 5,
        TypeKind::DateTime | TypeKind::Timestamp | TypeKind::Time => 3,
        _ => 6,
    }
}

/// InnoDB's precise type: MySQL's type, flags, and above them the collation.
fn prtype(c: &ColumnDef, mtype: usize) -> usize {
    let ty = &c.ty;
    let mysql = match ty.kind {
        TypeKind::Enum | TypeKind::Set => 254,
        k if k.is_lob() => 252,
        TypeKind::VarChar | TypeKind::VarBinary => 15,
        k => usize::from(k.protocol_type()),
    };
    let unsigned = ty.unsigned || matches!(ty.kind, TypeKind::Enum | TypeKind::Set | TypeKind::Year);
    let binary = !ty.is_character() && !matches!(ty.kind, TypeKind::Enum | TypeKind::Set)
        || ty.is_character() && ty.collation == CollationId::BINARY;
    let is_virtual = c.generated.as_ref().is_some_and(|g| !g.stored);
    let long = matches!(ty.kind, TypeKind::VarChar | TypeKind::VarBinary) && ty.max_bytes() > 255;
    let charset = match ty.kind {
        _ if (6..12).contains(&mtype) => 0,
        TypeKind::Json => usize::from(CollationId::UTF8MB4_BIN.0),
        TypeKind::DateTime | TypeKind::Timestamp | TypeKind::Time | TypeKind::Decimal => {
            usize::from(CollationId::LATIN1_SWEDISH_CI.0)
        }
        _ => usize::from(ty.collation.0),
    };
    mysql
        | usize::from(!ty.nullable) << 8
        | usize::from(unsigned) << 9
        | usize::from(binary) << 10
        | usize::from(long) << 12
        | usize::from(is_virtual) << 13
        | charset << 16
}

/// Bytes that InnoDB keeps in the row at most: of a BLOB its length and an address.
fn length(ty: &SqlType) -> usize {
    match ty.kind {
        TypeKind::TinyText | TypeKind::TinyBlob => 9,
        TypeKind::Text | TypeKind::Blob => 10,
        TypeKind::MediumText | TypeKind::MediumBlob => 11,
        k if k.is_lob() || k == TypeKind::Json => 12,
        _ => storage::row::codec::Codec::of(ty).width().unwrap_or(ty.max_bytes() as usize),
    }
}

/// 1227 without PROCESS.
pub(super) fn check_process(v: &SessionView) -> SqlResult<()> {
    if v.account.privileges.global.has(Privs::PROCESS) {
        return Ok(());
    }
    Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"PROCESS"]))
}

fn stopwords(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(value::fulltext::STOPWORDS.iter().map(|w| vec![s(*w)]).collect())
}

fn columns(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    rows(v, |t, out| {
        let mut computed = 0;
        for (n, c) in t.columns.iter().enumerate() {
            let is_virtual = c.generated.as_ref().is_some_and(|g| !g.stored);
            computed += u64::from(is_virtual);
            let pos = if is_virtual { computed << 16 | n as u64 } else { n as u64 - computed };
            let mtype = mtype(&c.ty);
            let (prtype, len) = (prtype(c, mtype), length(&c.ty));
            let name = s(&c.name);
            out.push(vec![u(t.id.0), name, u(pos), i(mtype), i(prtype), i(len), i(0), super::NULL]);
        }
    })
}

/// A row for each column that a virtual column is made from. POS: (number of the virtual column in its table + 1) * 65536 + its place.
fn virtual_columns(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    rows(v, |t, out| {
        let generated = t.columns.iter().enumerate().filter_map(|(at, c)| c.generated.as_ref().map(|g| (at, g)));
        for (n, (at, g)) in generated.filter(|(_, g)| !g.stored).enumerate() {
            let named = quoted_names(&g.expr);
            let stored = |c: &&ColumnDef| c.generated.as_ref().is_none_or(|g| g.stored);
            for (base, c) in t.columns.iter().filter(stored).enumerate() {
                if named.iter().any(|name| name.eq_ignore_ascii_case(&c.name)) {
                    out.push(vec![u(t.id.0), u((n as u64 + 1) << 16 | at as u64), u(base as u64)]);
                }
            }
        }
    })
}

/// The names in backticks of an expression's canonical text.
fn quoted_names(expr: &str) -> Vec<String> {
    let (mut out, mut chars) = (Vec::new(), expr.chars().peekable());
    while let Some(quote) = chars.next() {
        if quote != '`' && quote != '\'' {
            continue;
        }
        let mut word = String::new();
        while let Some(c) = chars.next() {
            match c {
                '\\' if quote == '\'' => drop(chars.next()),
                // doubled it is part of the word
                c if c == quote && chars.next_if_eq(&quote).is_none() => break,
                c => word.push(c),
            }
        }
        if quote == '`' {
            out.push(word);
        }
    }
    out
}

/// InnoDB's number of an index's kind.
pub(super) fn index_type(n: usize, x: &IndexDef) -> usize {
    match (n, x.kind) {
        (0, IndexKind::Primary) => 3,
        (0, _) => 1,
        (_, IndexKind::Plain) => 0,
        _ => 2,
    }
}

fn indexes(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    rows(v, |t, out| {
        for (n, x) in t.indexes.iter().enumerate() {
            let kind = index_type(n, x);
            let at = (x.root.0 as usize, t.space.0 as usize);
            let (id, name) = (u(x.id.0), s(&x.name));
            out.push(vec![id, name, u(t.id.0), i(kind), i(x.parts.len()), i(at.0), i(at.1), i(50)]);
        }
    })
}

fn fields(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    rows(v, |t, out| {
        for x in &t.indexes {
            for (n, p) in x.parts.iter().enumerate() {
                let name = t.columns.get(p.column as usize).map_or("", |c| c.name.as_str());
                out.push(vec![u(x.id.0), s(name), u(n as u64)]);
            }
        }
    })
}

fn foreign_id(t: &TableDef, k: &ForeignKeyDef) -> String {
    format!("{}/{}", t.schema, k.name)
}

fn foreign(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let flag = |a: FkAction, cascade: u64, null: u64, none: u64| match a {
        FkAction::Cascade => cascade,
        FkAction::SetNull => null,
        FkAction::NoAction => none,
        FkAction::Restrict | FkAction::SetDefault => 0,
    };
    rows(v, |t, out| {
        for k in &t.foreign_keys {
            let own = s(format!("{}/{}", t.schema, t.name));
            let parent = s(format!("{}/{}", k.parent.0, k.parent.1));
            let kind = flag(k.on_delete, 1, 2, 16) | flag(k.on_update, 4, 8, 32);
            out.push(vec![s(foreign_id(t, k)), own, parent, i(k.columns.len()), u(kind)]);
        }
    })
}

fn foreign_cols(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    rows(v, |t, out| {
        for k in &t.foreign_keys {
            for (n, (c, parent)) in k.columns.iter().zip(&k.parent_columns).enumerate() {
                let name = t.columns.get(*c as usize).map_or("", |c| c.name.as_str());
                out.push(vec![s(foreign_id(t, k)), s(name), s(parent), u(n as u64 + 1)]);
            }
        }
    })
}
