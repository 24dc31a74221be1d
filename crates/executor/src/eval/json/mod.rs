//! JSON functions: reading of arguments, and what the families have in common.
//!
//! A JSON value is a document in `value::json`'s encoding; text in an argument that must be a document is parsed first. NULL arguments
//! give NULL. Source: manual, "JSON Functions". Tested in tests/sql/golden/json*.sql.

pub(super) mod build;
pub(crate) use build::key;
pub(super) mod change;
pub(crate) mod changes;
pub(super) mod schema;
pub(super) mod search;
pub(crate) mod single;

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::FuncId;
use value::json::{Dom, Path, Ref, convert as conv};
use value::{TypeKind, Value};

use super::Args;
use crate::eval::Cx;

/// Argument `i` as a document; `None` = NULL. Errors 3141 (no JSON), 3144 (binary string), 3146 (neither text nor JSON).
pub(crate) fn document<'a>(
    a: &Args<'a>,
    i: usize,
    f: impl Into<FuncId>,
    cx: &mut Cx<'_>,
) -> SqlResult<Option<&'a [u8]>> {
    let (v, ty) = (a.value(i, cx)?, a.ty(i)?);
    document_of(v, ty, i, f.into().name(), a.arena)
}

/// The same for a value at hand.
pub(crate) fn document_of<'a>(
    v: Value<'a>,
    ty: &value::SqlType,
    i: usize,
    name: &str,
    arena: &'a bumpalo::Bump,
) -> SqlResult<Option<&'a [u8]>> {
    match v {
        Value::Null => Ok(None),
        Value::Json(d) => Ok(Some(d)),
        Value::Str(s) => {
            let text = conv::utf8(s, ty)?;
            let d = value::json::parse_document(&text).map_err(|e| conv::parse_error(e, i + 1, name))?;
            Ok(Some(arena.alloc_slice_copy(&d?)))
        }
        _ => Err(SqlError::new(ErrorCode::INVALID_TYPE_FOR_JSON, &[&(i + 1), &name])),
    }
}

/// Argument `i` as a path; `None` = NULL. Errors 3143, and with `plain` 3149 for wildcards.
pub(crate) fn path(a: &Args<'_>, i: usize, plain: bool, cx: &mut Cx<'_>) -> SqlResult<Option<Path>> {
    let Some(s) = a.text(i, cx)? else { return Ok(None) };
    let text = conv::utf8(s, a.ty(i)?)?;
    parse_path(&text, plain).map(Some)
}

/// A path's text.
pub(crate) fn parse_path(text: &[u8], plain: bool) -> SqlResult<Path> {
    let p = Path::parse(text).map_err(|at| SqlError::new(ErrorCode::INVALID_JSON_PATH, &[&at]))?;
    if plain && p.has_wildcard() {
        return Err(SqlError::new(ErrorCode::INVALID_JSON_PATH_WILDCARD, &[]));
    }
    Ok(p)
}

/// Argument `i` as a JSON value of its own: text becomes a string, NULL the null literal.
fn element<'a>(a: &Args<'a>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Dom<'a>> {
    let v = a.value(i, cx)?;
    conv::from_sql(v, a.ty(i)?)
}

/// Whether the argument 'one' or 'all' says 'one'; `None` = NULL. Error 3154.
fn one(a: &Args<'_>, i: usize, f: impl Into<FuncId>, cx: &mut Cx<'_>) -> SqlResult<Option<bool>> {
    let Some(s) = a.text(i, cx)? else { return Ok(None) };
    if s.eq_ignore_ascii_case(b"one") {
        Ok(Some(true))
    } else if s.eq_ignore_ascii_case(b"all") {
        Ok(Some(false))
    } else {
        Err(SqlError::new(ErrorCode::JSON_BAD_ONE_OR_ALL_ARG, &[&f.into().name()]))
    }
}

/// The value at an optional path argument: the root where there is no such argument.
fn at_path<'a>(doc: &'a [u8], a: &Args<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<Ref<'a>>> {
    let root = Ref::trusted(doc);
    if i >= a.len() {
        return Ok(Some(root));
    }
    Ok(path(a, i, true, cx)?.and_then(|p| root.at(&p)))
}

/// Whether a type is text or JSON.
fn is_text_or_json(t: &value::SqlType) -> bool {
    t.kind.is_string() || matches!(t.kind, TypeKind::Json | TypeKind::Null)
}
