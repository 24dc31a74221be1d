//! Functional key parts: `KEY i ((a + b))`.
//!
//! Each becomes a hidden virtual column at the end of the table, named `!hidden!<index>!<part>!<n>` as in MySQL; from there on it is a
//! key on a generated column. The columns go with the index. Statements cannot see them: they are invisible, and the views
//! over the dictionary leave them out ([`storage::dict::ColumnDef::is_hidden`]).

use super::DdlContext;
use super::keys::KeySpec;
use super::table_expr_rules::{self, Kind};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind, KeyTarget};
use storage::dict::{ColumnDef, ColumnDefault, Generated, IndexKind, TableDef};
use value::{CollationId, SqlType, TypeKind};

/// What a key with functional parts may not be: 3756, 3759, 3760, 3762.
pub fn check_parts(i: &ast::IndexDef<'_>) -> SqlResult<()> {
    for p in i.parts {
        let KeyTarget::Expr(e) = p.target else { continue };
        let code = match i.kind {
            ast::IndexKind::Primary => ErrorCode::FUNCTIONAL_INDEX_PRIMARY_KEY,
            ast::IndexKind::Fulltext => ErrorCode::FULLTEXT_FUNCTIONAL_INDEX,
            ast::IndexKind::Spatial => ErrorCode::SPATIAL_FUNCTIONAL_INDEX,
            _ => {
                let mut e = e;
                while let ExprKind::Paren(inner) = &e.kind {
                    e = inner;
                }
                match e.kind {
                    ExprKind::Column(_) => ErrorCode::FUNCTIONAL_INDEX_ON_FIELD,
                    ExprKind::Row(_) => {
                        let (code, name) = (ErrorCode::FUNCTIONAL_INDEX_ROW_VALUE_IS_NOT_ALLOWED, i.name);
                        return Err(SqlError::new(code, &[&name.unwrap_or("functional_index")]));
                    }
                    _ => continue,
                }
            }
        };
        return Err(SqlError::new(code, &[]));
    }
    Ok(())
}

/// Most characters of an element, as in MySQL.
const MAX_ELEMENT: u64 = 512;

/// For each part the type of the elements if it is a CAST ... ARRAY: one in an index at most, no order (1221), no type but those of
/// the manual's list (1235).
pub fn arrays(ctx: &mut DdlContext<'_>, i: &ast::IndexDef<'_>) -> SqlResult<Vec<Option<SqlType>>> {
    let mut out = Vec::with_capacity(i.parts.len());
    for p in i.parts {
        let KeyTarget::Expr(e) = p.target else {
            out.push(None);
            continue;
        };
        let ExprKind::Cast(ast::Cast { ty, array: true, .. }) = &e.unparen().kind else {
            out.push(None);
            continue;
        };
        if p.ordered {
            return Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"multi-valued index", &"explicit index order"]));
        }
        if out.iter().any(Option::is_some) {
            return Err(SqlError::unsupported("more than one multi-valued key part per index"));
        }
        let ty = element_type(ty)?;
        if ty.kind.is_string() && ty.length == 0 {
            return Err(SqlError::new(ErrorCode::WRONG_KEY_COLUMN_FUNCTIONAL_INDEX, &[&ctx.stored_text(e)]));
        }
        out.push(Some(ty));
    }
    Ok(out)
}

fn element_type(ty: &ast::CastType<'_>) -> SqlResult<SqlType> {
    use ast::CastType as T;
    let no = |what: &str| Err(SqlError::unsupported(format!("CAST-ing data to array of {what}")));
    let digits = |f: Option<u32>| match f.unwrap_or(0) {
        n @ 0..=6 => Ok(n as u8),
        n => Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&n, &"CAST", &6])),
    };
    let string = |n: u64, binary: bool| match n {
        0..=MAX_ELEMENT if binary => Ok(SqlType { length: n as u32, ..SqlType::new(TypeKind::VarBinary) }),
        0..=MAX_ELEMENT => Ok(SqlType::varchar(n as u32, CollationId::UTF8MB4_0900_BIN)),
        _ => no("char/binary BLOBs"),
    };
    let t = match *ty {
        T::Signed => SqlType::bigint(),
        T::Unsigned => SqlType::bigint_unsigned(),
        T::Date => SqlType::new(TypeKind::Date),
        T::Time(f) => SqlType::temporal(TypeKind::Time, digits(f)?),
        T::DateTime(f) => SqlType::temporal(TypeKind::DateTime, digits(f)?),
        T::Decimal { length, decimals } => decimal(length, decimals)?,
        T::Char { length: Some(n), charset: None, binary: false } => string(n, false)?,
        T::Char { length: Some(n), charset: Some(c), binary: false } if c.eq_ignore_ascii_case("binary") => {
            string(n, true)?
        }
        T::Char { charset: None, binary: false, .. } => return no("char/binary BLOBs"),
        T::Char { .. } => return Err(SqlError::unsupported("specifying charset for multi-valued index")),
        T::Binary(Some(n)) => string(n, true)?,
        T::Binary(None) => return no("char/binary BLOBs"),
        T::Json => return no("JSON"),
        T::Year => return no("YEAR"),
        T::Float(_) => return no("FLOAT"),
        T::Double | T::Real => return no("DOUBLE"),
        T::Geometry(_) => return no("GEOMETRY"),
    };
    Ok(t.nullable(true))
}

fn decimal(length: Option<u64>, decimals: Option<u32>) -> SqlResult<SqlType> {
    let (scale, precision) = (decimals.unwrap_or(0), length.unwrap_or(10));
    if scale > 30 {
        return Err(SqlError::new(ErrorCode::TOO_BIG_SCALE, &[&scale, &"CAST", &30]));
    }
    if precision > 65 {
        return Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&precision, &"CAST", &65]));
    }
    let precision = if precision == 0 { 10 } else { precision };
    if u64::from(scale) > precision {
        return Err(SqlError::new(ErrorCode::M_BIGGER_THAN_D, &[&""]));
    }
    Ok(SqlType::decimal(precision as u8, scale as u8))
}

/// 1072 for a part that names a hidden column; the parts of expressions have no name yet.
pub fn check_written(def: &TableDef, spec: &KeySpec) -> SqlResult<()> {
    let hidden = |n: &String| n.starts_with("!hidden!") && def.named_column(n).is_none();
    match spec.parts.iter().find(|(n, ..)| hidden(n)) {
        Some((n, ..)) => Err(SqlError::new(ErrorCode::KEY_COLUMN_DOES_NOT_EXITS, &[n])),
        None => Ok(()),
    }
}

/// Names the indexes, adds the hidden columns to `def` and their names to the parts.
pub fn resolve(ctx: &mut DdlContext<'_>, def: &mut TableDef, specs: &mut [KeySpec]) -> SqlResult<()> {
    let mut taken: Vec<String> = def.indexes.iter().map(|i| i.name.clone()).collect();
    taken.extend(def.fulltext.iter().map(|i| i.name.clone()));
    taken.extend(specs.iter().filter_map(|s| s.name.clone()));
    specs.iter().try_for_each(|s| check_written(def, s))?;
    for s in specs.iter_mut().filter(|s| !s.functional.is_empty()) {
        let free = |n: &String| !taken.iter().any(|t| t.eq_ignore_ascii_case(n));
        let name = match &s.name {
            Some(n) => n.clone(),
            None => {
                let first = "functional_index".to_owned();
                let more = (2..).map(|n| format!("functional_index_{n}"));
                std::iter::once(first).chain(more).find(free).unwrap_or_default()
            }
        };
        taken.push(name.clone());
        s.name = Some(name.clone());
        for (part, text, elements) in std::mem::take(&mut s.functional) {
            let column = format!("!hidden!{name}!{part}!0");
            def.columns.push(ColumnDef {
                name: column.clone(),
                ty: SqlType::bigint(),
                default: ColumnDefault::None,
                on_update_now: false,
                auto_increment: false,
                invisible: true,
                generated: Some(Generated { expr: text.clone(), stored: false }),
                comment: String::new(),
                charset_written: false,
                histogram: None,
                elements: elements.clone(),
            });
            let at = def.columns.len() - 1;
            let e = table_expr_rules::bind(ctx, def, Kind::Generated(at))?;
            let ty = column_type(&e.ty, &text, elements.is_some())?;
            if let Some(c) = def.columns.get_mut(at) {
                c.ty = ty;
            }
            if let Some(p) = s.parts.get_mut(part) {
                p.0 = column;
            }
        }
    }
    Ok(())
}

/// After other columns have changed: the hidden columns get the types that their expressions have now.
pub fn refresh(ctx: &mut DdlContext<'_>, def: &mut TableDef) -> SqlResult<()> {
    for at in 0..def.columns.len() {
        let Some(column) = def.columns.get(at).filter(|c| c.is_hidden()) else { continue };
        let (Some(text), array) = (&column.generated, column.elements.is_some()) else { continue };
        let text = text.expr.clone();
        let ty = column_type(&table_expr_rules::bind(ctx, def, Kind::Generated(at))?.ty, &text, array)?;
        if let Some(c) = def.columns.get_mut(at) {
            c.ty = ty;
        }
    }
    Ok(())
}

/// The type of the column that keeps an expression's values: 3753, 3757, 3761. That of a multi-valued index keeps arrays.
fn column_type(ty: &SqlType, text: &str, array: bool) -> SqlResult<SqlType> {
    if array {
        return Ok(SqlType::new(TypeKind::Json).nullable(true));
    }
    let mut t = ty.clone().nullable(true);
    match ty.kind {
        TypeKind::Json => return Err(SqlError::new(ErrorCode::FUNCTIONAL_INDEX_ON_JSON_OR_GEOMETRY_FUNCTION, &[])),
        TypeKind::Null => return Err(SqlError::new(ErrorCode::WRONG_KEY_COLUMN_FUNCTIONAL_INDEX, &[&text])),
        k if k.is_lob() => return Err(SqlError::new(ErrorCode::FUNCTIONAL_INDEX_ON_LOB, &[])),
        k if k.is_integer() => {
            t.kind = TypeKind::BigInt;
            t.length = 20;
        }
        k if k.is_string() && !matches!(k, TypeKind::Enum | TypeKind::Set) => {
            t.kind = if ty.is_character() { TypeKind::VarChar } else { TypeKind::VarBinary };
            if ty.max_bytes() > 65_535 {
                return Err(SqlError::new(ErrorCode::FUNCTIONAL_INDEX_ON_LOB, &[]));
            }
        }
        TypeKind::Float => t.kind = TypeKind::Double,
        _ => {}
    }
    Ok(t)
}

/// Whether a column is a hidden one of this index.
pub fn belongs_to(column: &str, index: &str) -> bool {
    column.strip_prefix("!hidden!").and_then(|n| n.strip_prefix(index)).is_some_and(|n| n.starts_with('!'))
}

/// A hidden column's name for another name of its index.
pub fn renamed(column: &str, index: &str, new: &str) -> Option<String> {
    let rest = column.strip_prefix("!hidden!")?.strip_prefix(index)?;
    rest.starts_with('!').then(|| format!("!hidden!{new}{rest}"))
}

/// Key specs that only exist for completeness of kinds.
pub fn is_functional(s: &KeySpec) -> bool {
    !s.functional.is_empty() && s.kind != IndexKind::Primary
}
