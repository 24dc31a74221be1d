//! Functions that give a changed document.

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::family::JsonChanged as F;
use value::Value;
use value::json::{Dom, Leg, Ref, convert as conv, modify};

use super::{document, element, path};
use crate::eval::Args;
use crate::eval::Cx;

pub(in crate::eval) fn call<'a>(f: F, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        F::JsonRemove => remove(a, cx),
        F::JsonMerge | F::JsonMergePreserve => merge(f, a, cx),
        F::JsonMergePatch => merge_patch(a, cx),
        F::JsonSet | F::JsonInsert | F::JsonReplace | F::JsonArrayAppend | F::JsonArrayInsert => assign(f, a, cx),
    }
}

/// Functions of a document and pairs of a path and a value.
fn assign<'a>(f: F, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(d) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
    let mut root = Dom::Part(Ref::trusted(d));
    let told = cx.json_changes.concerns(a.list);
    for i in (1..a.len()).step_by(2) {
        let Some(p) = path(a, i, true, cx)? else { return Ok(Value::Null) };
        if f == F::JsonArrayInsert && !matches!(p.legs.last(), Some(Leg::Cell(_))) {
            return Err(SqlError::new(ErrorCode::INVALID_JSON_PATH_ARRAY_CELL, &[]));
        }
        let v = element(a, i + 1, cx)?;
        match f {
            F::JsonArrayAppend => modify::append(&mut root, &p, v),
            F::JsonArrayInsert => modify::array_insert(&mut root, &p, v),
            _ if told => {
                let diff = value::json::diff::set(&mut root, &p, v, f != F::JsonReplace)?;
                cx.json_changes.done.extend(diff);
            }
            _ => modify::set(&mut root, &p, v, f != F::JsonReplace, f != F::JsonInsert),
        }
    }
    conv::to_value(&root, a.arena)
}

fn remove<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(d) = document(a, 0, F::JsonRemove, cx)? else { return Ok(Value::Null) };
    let mut root = Dom::Part(Ref::trusted(d));
    let told = cx.json_changes.concerns(a.list);
    for i in 1..a.len() {
        let Some(p) = path(a, i, true, cx)? else { return Ok(Value::Null) };
        if p.legs.is_empty() {
            return Err(SqlError::new(ErrorCode::JSON_VACUOUS_PATH, &[]));
        }
        match told {
            true => cx.json_changes.done.extend(value::json::diff::remove(&mut root, &p)),
            false => modify::remove(&mut root, &p),
        }
    }
    conv::to_value(&root, a.arena)
}

fn merge<'a>(f: F, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let mut all: Option<Dom<'a>> = None;
    let mut null = false;
    for i in 0..a.len() {
        let Some(d) = document(a, i, f, cx)? else {
            null = true;
            continue;
        };
        let d = Dom::Part(Ref::trusted(d));
        all = Some(match all {
            Some(x) => modify::merge_preserve(x, d),
            None => d,
        });
    }
    match all {
        Some(d) if !null => conv::to_value(&d, a.arena),
        _ => Ok(Value::Null),
    }
}

/// NULL stays unknown until a patch that is no object replaces everything.
fn merge_patch<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let f = F::JsonMergePatch;
    let mut all = document(a, 0, f, cx)?.map(|d| Dom::Part(Ref::trusted(d)));
    for i in 1..a.len() {
        let patch = document(a, i, f, cx)?.map(|d| Dom::Part(Ref::trusted(d)));
        all = match (all, patch) {
            (_, None) => None,
            (_, Some(p)) if !p.is_object() => Some(p),
            (None, Some(_)) => None,
            (Some(x), Some(p)) => Some(modify::merge_patch(x, p)),
        };
    }
    match all {
        Some(d) => conv::to_value(&d, a.arena),
        None => Ok(Value::Null),
    }
}
