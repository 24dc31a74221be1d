//! Looking into JSON values.

use base::{ErrorCode, SqlError, SqlResult};
use hashbrown::HashSet;
use planner::expr::Coercibility;
use planner::func::family::JsonFound as F;
use value::json::order::compare;
use value::json::{Dom, Kind, Leg, Path, Ref, convert as conv};
use value::{Charset, CollationId, Value};

use super::{at_path, document, one, path};
use crate::eval::Cx;
use crate::eval::{Args, like_matches};

pub(in crate::eval) fn call<'a>(f: F, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        F::JsonExtract => extract(a, cx),
        F::JsonContains => {
            let Some(target) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
            let Some(candidate) = document(a, 1, f, cx)? else { return Ok(Value::Null) };
            let Some(target) = at_path(target, a, 2, cx)? else { return Ok(Value::Null) };
            Ok(Value::from_bool(contains(target, Ref::trusted(candidate), cx)?))
        }
        F::JsonContainsPath => contains_path(a, cx),
        F::JsonKeys => {
            let Some(d) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
            let mut r = Some(Ref::trusted(d));
            if a.len() > 1 {
                r = path(a, 1, true, cx)?.and_then(|p| Ref::trusted(d).at_cells(&p));
            }
            let Some(r) = r.filter(|r| r.is_object()) else { return Ok(Value::Null) };
            let keys = r.members().map(|(k, _)| Dom::str(k)).collect();
            conv::to_value(&Dom::Array(keys), a.arena)
        }
        F::JsonOverlaps => {
            let Some(x) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
            let Some(y) = document(a, 1, f, cx)? else { return Ok(Value::Null) };
            Ok(Value::from_bool(overlaps(Ref::trusted(x), Ref::trusted(y))?))
        }
        F::JsonMemberOf => member_of(a, cx),
        F::JsonSearch => search(a, cx),
        F::InElements => a.value(0, cx),
        F::JsonValue(empty, error) => super::single::json_value(empty, error, a, cx),
    }
}

fn extract<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(d) = document(a, 0, F::JsonExtract, cx)? else { return Ok(Value::Null) };
    let root = Ref::trusted(d);
    let mut found = Vec::new();
    let mut several = a.len() > 2;
    for i in 1..a.len() {
        let Some(p) = path(a, i, false, cx)? else { return Ok(Value::Null) };
        several |= p.has_wildcard();
        if !several {
            return Ok(root.at(&p).map_or(Value::Null, |r| conv::part_value(r, a.arena)));
        }
        // what two paths find is there twice
        let mut here = Vec::new();
        root.find(&p, false, &mut here)?;
        found.append(&mut here);
    }
    if found.is_empty() {
        return Ok(Value::Null);
    }
    conv::to_value(&Dom::Array(found.into_iter().map(Dom::Part).collect()), a.arena)
}

/// JSON_CONTAINS' relation (manual, "Functions That Search JSON Values").
fn contains(target: Ref<'_>, candidate: Ref<'_>, cx: &mut Cx<'_>) -> SqlResult<bool> {
    // two long arrays are compared each with each
    let in_array = |c: Ref<'_>, cx: &mut Cx<'_>| {
        for t in target.elements() {
            cx.tick()?;
            if contains(t, c, cx)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    match (target.kind(), candidate.kind()) {
        (Kind::Array, Kind::Array) => {
            for c in candidate.elements() {
                if !in_array(c, cx)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Kind::Array, _) => in_array(candidate, cx),
        (Kind::Object, Kind::Object) => {
            for (k, c) in candidate.members() {
                let Some(t) = target.member(k) else { return Ok(false) };
                if !contains(t, c, cx)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Kind::Object, _) | (_, Kind::Array | Kind::Object) => Ok(false),
        _ => Ok(compare(target, candidate).is_eq()),
    }
}

fn overlaps(a: Ref<'_>, b: Ref<'_>) -> SqlResult<bool> {
    match (a.kind(), b.kind()) {
        (Kind::Array, Kind::Array) => {
            // sorted, so that long arrays are not compared each with each
            let mut sorted: Vec<Ref<'_>> = b.elements().collect();
            sorted.sort_by(|x, y| compare(*x, *y));
            any(a, |e| sorted.binary_search_by(|x| compare(*x, e)).is_ok())
        }
        (Kind::Array, _) => any(a, |e| compare(e, b).is_eq()),
        (_, Kind::Array) => any(b, |e| compare(e, a).is_eq()),
        (Kind::Object, Kind::Object) => {
            Ok(a.members().any(|(k, x)| b.member(k).is_some_and(|y| compare(x, y).is_eq())))
        }
        _ => Ok(compare(a, b).is_eq()),
    }
}

/// Whether some element of an array is so.
fn any(list: Ref<'_>, is: impl Fn(Ref<'_>) -> bool) -> SqlResult<bool> {
    for e in list.elements() {
        base::interrupt::worked(32)?;
        if is(e) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn member_of<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let v = a.value(0, cx)?;
    if v.is_null() {
        return Ok(Value::Null);
    }
    let x = conv::from_sql(v, a.ty(0)?)?.to_document()?;
    let Some(d) = document(a, 1, F::JsonMemberOf, cx)? else { return Ok(Value::Null) };
    let (x, list) = (Ref::trusted(&x), Ref::trusted(d));
    Ok(Value::from_bool(match list.is_array() {
        true => any(list, |e| compare(e, x).is_eq())?,
        false => compare(list, x).is_eq(),
    }))
}

fn contains_path<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let f = F::JsonContainsPath;
    let Some(d) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
    let Some(one) = one(a, 1, f, cx)? else { return Ok(Value::Null) };
    let root = Ref::trusted(d);
    for i in 2..a.len() {
        let Some(p) = path(a, i, false, cx)? else { return Ok(Value::Null) };
        let mut found = Vec::new();
        root.find(&p, true, &mut found)?;
        if found.is_empty() != one {
            return Ok(Value::from_bool(one));
        }
    }
    Ok(Value::from_bool(!one))
}

/// The escape character: `\` if none is given, else exactly one (1210).
fn escape(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<char> {
    if a.len() < 4 {
        return Ok('\\');
    }
    let Some(s) = a.text(3, cx)? else { return Ok('\\') };
    let text = conv::utf8(s, a.ty(3)?)?;
    let mut chars = std::str::from_utf8(&text).unwrap_or("??").chars();
    match (chars.next(), chars.next()) {
        (None, _) => Ok('\\'),
        (Some(c), None) => Ok(c),
        _ => Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"])),
    }
}

/// The collation in which JSON_SEARCH compares: that of the pattern if it is more than a literal's, as for LIKE with a literal.
fn collation(a: &Args<'_>) -> SqlResult<CollationId> {
    let (own, coer) = (a.ty(2)?.collation, a.expr(2)?.coer);
    let decides = a.ty(2)?.is_character() && matches!(coer, Coercibility::Explicit | Coercibility::Implicit);
    Ok(match own {
        c if !decides || c.get().is_binary() => CollationId::UTF8MB4_BIN,
        c if c.charset() == Charset::Utf8mb4 => c,
        _ => CollationId::UTF8MB4_GENERAL_CI,
    })
}

fn search<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let f = F::JsonSearch;
    let Some(d) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
    let Some(one) = one(a, 1, f, cx)? else { return Ok(Value::Null) };
    let escape = escape(a, cx)?;
    let Some(pattern) = a.text(2, cx)? else { return Ok(Value::Null) };
    let pattern = conv::utf8(pattern, a.ty(2)?)?;
    let collation = collation(a)?;
    let mut from = Vec::new();
    for i in 4..a.len() {
        let Some(p) = path(a, i, false, cx)? else { return Ok(Value::Null) };
        from.push(p);
    }
    if from.is_empty() {
        from.push(Path::default());
    }
    let (mut found, mut known): (Vec<Vec<u8>>, HashSet<Vec<u8>>) = Default::default();
    let (mut failed, mut bytes, several) = (None, 0, from.len() > 1);
    let mut visit = |r: Ref<'a>, way: &mut Vec<Leg>| {
        if one && !found.is_empty() || failed.is_some() {
            return;
        }
        let Kind::Str(s) = r.kind() else { return };
        match like_matches(s, &pattern, Some(escape), collation, cx) {
            Ok(true) => {
                let mut text = Vec::new();
                Path { legs: way.clone() }.print(&mut text);
                bytes += text.len();
                if bytes > 1 << 30 {
                    // no document is that large
                    failed = Some(SqlError::new(ErrorCode::JSON_VALUE_TOO_BIG, &[]));
                } else if !several || known.insert(text.clone()) {
                    found.push(text);
                }
            }
            Ok(false) => {}
            Err(e) => failed = Some(e),
        }
    };
    for p in &mut from {
        // the value itself and everything below it
        p.legs.push(Leg::Ellipsis);
        Ref::trusted(d).places(&p.legs, &mut Vec::new(), &mut visit)?;
    }
    if let Some(e) = failed {
        return Err(e);
    }
    let mut list: Vec<Dom<'_>> = found.iter().map(|p| Dom::str(p)).collect();
    match list.len() {
        0 => Ok(Value::Null),
        1 => conv::to_value(&list.pop().unwrap_or(Dom::Null), a.arena),
        _ => conv::to_value(&Dom::Array(list), a.arena),
    }
}
