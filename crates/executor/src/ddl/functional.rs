//! Functional key parts: `KEY i ((a + b))`.
//!
//! Each becomes a hidden virtual column at the end of the table, named `!hidden!<index>!<part>!<n>` as in MySQL; from there on it is a
//! key on a generated column. The columns go with the index. Statements cannot see them: they are invisible, and the views
//! over the dictionary leave them out ([`storage::dict::ColumnDef::is_hidden`]).

use super::DdlContext;
use super::exprs::{self, Kind};
use super::keys::KeySpec;
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind, KeyTarget};
use storage::dict::{ColumnDef, ColumnDefault, Generated, IndexKind, TableDef};
use value::{SqlType, TypeKind};

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

/// Names the indexes, adds the hidden columns to `def` and their names to the parts.
pub fn resolve(ctx: &mut DdlContext<'_>, def: &mut TableDef, specs: &mut [KeySpec]) -> SqlResult<()> {
    let mut taken: Vec<String> = def.indexes.iter().map(|i| i.name.clone()).collect();
    taken.extend(def.fulltext.iter().map(|i| i.name.clone()));
    taken.extend(specs.iter().filter_map(|s| s.name.clone()));
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
        for (part, text) in std::mem::take(&mut s.functional) {
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
            });
            let at = def.columns.len() - 1;
            let e = exprs::bind(ctx, def, Kind::Generated(at))?;
            let ty = column_type(&e.ty, &text)?;
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
        let Some(text) = def.columns.get(at).filter(|c| c.is_hidden()).and_then(|c| c.generated.as_ref()) else {
            continue;
        };
        let text = text.expr.clone();
        let ty = column_type(&exprs::bind(ctx, def, Kind::Generated(at))?.ty, &text)?;
        if let Some(c) = def.columns.get_mut(at) {
            c.ty = ty;
        }
    }
    Ok(())
}

/// The type of the column that keeps an expression's values: 3753, 3757, 3761.
fn column_type(ty: &SqlType, text: &str) -> SqlResult<SqlType> {
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
