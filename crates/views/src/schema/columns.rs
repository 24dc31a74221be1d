//! COLUMNS: the columns of tables and views, also of virtual ones.
//!
//! Tested: `tests/sql/golden/information_schema_columns.sql`, `tests/clients/test_show_metadata.py`.

use super::column_types::is_filled;
use super::tables::{IS, Shown, hides_key, visible_tables};
use super::{Hints, NULL, Row, SessionView, Spec, T, hint, passes, s, u, virtual_schema_tables};
use crate::create::{column_type, default_text, escaped, extra, type_name};
use base::SqlResult;
use catalog::accounts::Privs;
use std::sync::Arc;
use storage::dict::{ColumnDef, ColumnDefault, IndexDef, IndexKind, TableDef};
use value::{OwnedValue, SqlType, TypeKind};

pub(super) const TABLES: &[Spec] = &[Spec {
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
}];

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

pub(super) fn columns(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
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
    let filled = is_filled(&t.schema, &t.name);
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
    let mut row = vec![
        s("def"),
        s(&t.schema),
        s(&t.name),
        s(&c.name),
        u(i as u64 + 1),
        default,
        s(if c.ty.nullable { "YES" } else { "NO" }),
        s(type_name(c.ty.kind)),
    ];
    row.extend(type_columns(&c.ty, filled));
    row.extend([
        s(column_type(&c.ty)),
        s(column_key(t, i)),
        extra,
        s(may.names().collect::<Vec<_>>().join(",").to_lowercase()),
        s(&c.comment),
        s(c.generated.as_ref().map_or(String::new(), |g| escaped(&g.expr))),
        NULL,
    ]);
    row
}

/// CHARACTER_MAXIMUM_LENGTH to COLLATION_NAME of a type; `filled`: of a table that MySQL fills itself.
pub(super) fn type_columns(ty: &SqlType, filled: bool) -> [OwnedValue; 7] {
    let k = ty.kind;
    let (chars, bytes) = if k.is_string() || matches!(k, TypeKind::Enum | TypeKind::Set) {
        let width = u64::from(ty.charset().max_len());
        let length = u64::from(ty.length);
        // of a TEXT MySQL shows as many characters as it holds if they are short
        let (chars, bytes) =
            if k.is_lob() { (length / u64::from(ty.charset().min_len()), length) } else { (length, length * width) };
        // MySQL takes the length of what it fills itself for bytes
        let (chars, bytes) = if filled && !k.is_lob() { (length / width, length) } else { (chars, bytes) };
        (OwnedValue::Int(chars as i64), OwnedValue::Int(bytes as i64))
    } else {
        (NULL, NULL)
    };
    let (precision, scale) = if filled { (NULL, NULL) } else { numeric(ty) };
    let fsp = !filled && matches!(k, TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp);
    let (charset, collation) =
        if ty.is_character() { (s(ty.charset().name()), s(ty.collation.get().name)) } else { (NULL, NULL) };
    let fsp = if fsp { u(u64::from(ty.decimals)) } else { NULL };
    [chars, bytes, precision, scale, fsp, charset, collation]
}

/// NUMERIC_PRECISION and NUMERIC_SCALE.
fn numeric(ty: &SqlType) -> (OwnedValue, OwnedValue) {
    let fixed = |p: u64| (u(p), u(0));
    match ty.kind {
        TypeKind::TinyInt => fixed(3),
        TypeKind::SmallInt => fixed(5),
        TypeKind::MediumInt => fixed(7),
        TypeKind::Int => fixed(10),
        TypeKind::BigInt if ty.unsigned => fixed(20),
        TypeKind::BigInt => fixed(19),
        TypeKind::Decimal => (u(u64::from(ty.length)), u(u64::from(ty.decimals))),
        TypeKind::Float | TypeKind::Double => {
            let scale = if ty.decimals == value::types::NOT_FIXED_DEC { NULL } else { u(u64::from(ty.decimals)) };
            (u(u64::from(ty.length)), scale)
        }
        TypeKind::Bit => (u(u64::from(ty.length)), NULL),
        _ => (NULL, NULL),
    }
}
