//! JSON_SCHEMA_VALID and JSON_SCHEMA_VALIDATION_REPORT: JSON Schema, draft 4 (manual, "JSON Schema Validation Functions").
//!
//! Schemas are read as they are used; keywords with a value of a wrong type are ignored, references to other documents are error 1235.

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::family::JsonSchema as F;
use std::cell::RefCell;
use value::json::order::compare;
use value::json::{Dom, Kind, Ref, convert as conv};
use value::{Decimal, Value};

use super::document;
use crate::eval::Args;
use crate::eval::Cx;

/// Deepest recursion through schemas (`$ref` can go round in circles).
const MAX_STEPS: usize = 256;

/// What failed first: keyword, place in the schema, place in the document.
struct Failure {
    keyword: &'static str,
    schema: String,
    document: String,
}

type Check = SqlResult<Result<(), Failure>>;

pub(in crate::eval) fn call<'a>(f: F, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(schema) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
    let schema = Ref::trusted(schema);
    if !schema.is_object() {
        return Err(SqlError::new(ErrorCode::INVALID_JSON_TYPE, &[&1, &f.name(), &"object"]));
    }
    let Some(d) = document(a, 1, f, cx)? else { return Ok(Value::Null) };
    let v = Validator { root: schema, cx: RefCell::new(cx) };
    let done = v.check(schema, Ref::trusted(d), &mut "#".to_owned(), &mut "#".to_owned(), 0)?;
    match f {
        F::JsonSchemaValid => Ok(Value::from_bool(done.is_ok())),
        F::JsonSchemaValidationReport => report(done, a),
    }
}

fn report<'a>(done: Result<(), Failure>, a: &Args<'a>) -> SqlResult<Value<'a>> {
    let s = |s: &str| Dom::Str(s.as_bytes().to_vec().into());
    let report = match done {
        Ok(()) => vec![("valid", Dom::Bool(true))],
        Err(e) => {
            let reason = format!(
                "The JSON document location '{}' failed requirement '{}' at JSON Schema location '{}'",
                e.document, e.keyword, e.schema
            );
            vec![
                ("valid", Dom::Bool(false)),
                ("reason", s(&reason)),
                ("schema-location", s(&e.schema)),
                ("document-location", s(&e.document)),
                ("schema-failed-keyword", s(e.keyword)),
            ]
        }
    };
    conv::to_value(&Dom::object(report.into_iter().map(|(k, v)| (k.as_bytes().into(), v)).collect()), a.arena)
}

struct Validator<'s, 'c, 'x> {
    root: Ref<'s>,
    /// Keeps the patterns that are compiled; borrowed for one search at a time.
    cx: RefCell<&'c mut Cx<'x>>,
}

/// A key as part of a JSON pointer in a URI fragment.
fn token(key: &[u8]) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(key).chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c if c.is_ascii_alphanumeric() || "-._!$&'()*+,;=:@".contains(c) => out.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| out.push_str(&format!("%{b:02X}"))),
        }
    }
    out
}

fn exact(r: Ref<'_>) -> Option<Decimal> {
    match r.kind() {
        Kind::Int(n) => Some(Decimal::from_i64(n)),
        Kind::UInt(n) => Some(Decimal::from_u64(n)),
        Kind::Double(f) => Decimal::from_f64(f).ok(),
        Kind::Decimal(d) => Some(d),
        _ => None,
    }
}

fn size(r: Option<Ref<'_>>) -> Option<usize> {
    r.and_then(Ref::number).filter(|n| *n >= 0.0).map(|n| n as usize)
}

fn is_true(r: Option<Ref<'_>>) -> bool {
    matches!(r.map(|r| r.kind()), Some(Kind::Bool(true)))
}

/// Runs `f` with `part` appended to a pointer.
fn within<T>(pointer: &mut String, part: &str, f: impl FnOnce(&mut String) -> T) -> T {
    let n = pointer.len();
    pointer.push('/');
    pointer.push_str(part);
    let r = f(pointer);
    pointer.truncate(n);
    r
}

fn has_type(d: Ref<'_>, name: &[u8]) -> bool {
    match d.kind() {
        Kind::Null => name == b"null",
        Kind::Bool(_) => name == b"boolean",
        Kind::Int(_) | Kind::UInt(_) => name == b"integer" || name == b"number",
        Kind::Double(_) | Kind::Decimal(_) => name == b"number",
        Kind::Array => name == b"array",
        Kind::Object => name == b"object",
        _ => name == b"string",
    }
}

/// Evaluates `?`-like on the inner result: returns early with a failure.
macro_rules! hold {
    ($e:expr) => {
        if let Err(f) = $e? {
            return Ok(Err(f));
        }
    };
}

impl<'s> Validator<'s, '_, '_> {
    fn check(&self, s: Ref<'s>, d: Ref<'_>, sp: &mut String, dp: &mut String, steps: usize) -> Check {
        if steps > MAX_STEPS {
            return Err(SqlError::unsupported("JSON schemas that refer to themselves without end"));
        }
        if let Some(r) = s.member(b"$ref").and_then(Ref::as_str) {
            let (target, mut at) = self.resolve(r)?;
            return match target {
                Some(t) => self.check(t, d, &mut at, dp, steps + 1),
                None => Ok(Ok(())),
            };
        }
        let fail = |keyword: &'static str, sp: &str, dp: &str| {
            Ok(Err(Failure { keyword, schema: sp.to_owned(), document: dp.to_owned() }))
        };
        if let Some(t) = s.member(b"type") {
            let ok = match t.kind() {
                Kind::Str(name) => has_type(d, name),
                Kind::Array => t.elements().filter_map(Ref::as_str).any(|n| has_type(d, n)),
                _ => true,
            };
            if !ok {
                return fail("type", sp, dp);
            }
        }
        if let Some(list) = s.member(b"enum").filter(|l| l.is_array())
            && !list.elements().any(|e| compare(e, d).is_eq())
        {
            return fail("enum", sp, dp);
        }
        if let Some(keyword) = match d.kind() {
            Kind::Str(text) => self.string(s, text)?,
            Kind::Array => self.array_size(s, d),
            Kind::Object => self.object_size(s, d),
            _ => self.number(s, d),
        } {
            return fail(keyword, sp, dp);
        }
        hold!(self.combined(s, d, sp, dp, steps));
        match d.kind() {
            Kind::Array => self.items(s, d, sp, dp, steps),
            Kind::Object => self.members(s, d, sp, dp, steps),
            _ => Ok(Ok(())),
        }
    }

    fn number(&self, s: Ref<'_>, d: Ref<'_>) -> Option<&'static str> {
        let n = d.number()?;
        if let Some(max) = s.member(b"maximum").and_then(Ref::number)
            && (n > max || n == max && is_true(s.member(b"exclusiveMaximum")))
        {
            return Some("maximum");
        }
        if let Some(min) = s.member(b"minimum").and_then(Ref::number)
            && (n < min || n == min && is_true(s.member(b"exclusiveMinimum")))
        {
            return Some("minimum");
        }
        let of = s.member(b"multipleOf").and_then(exact).filter(|m| !m.is_zero())?;
        match exact(d)?.rem(&of) {
            Ok(Some(r)) if !r.is_zero() => Some("multipleOf"),
            _ => None,
        }
    }

    fn string(&self, s: Ref<'_>, text: &[u8]) -> SqlResult<Option<&'static str>> {
        let chars = || String::from_utf8_lossy(text).chars().count();
        if size(s.member(b"maxLength")).is_some_and(|max| chars() > max) {
            return Ok(Some("maxLength"));
        }
        if size(s.member(b"minLength")).is_some_and(|min| chars() < min) {
            return Ok(Some("minLength"));
        }
        match s.member(b"pattern").and_then(Ref::as_str) {
            Some(p) if !self.matches(p, text)? => Ok(Some("pattern")),
            _ => Ok(None),
        }
    }

    fn array_size(&self, s: Ref<'_>, d: Ref<'_>) -> Option<&'static str> {
        if size(s.member(b"maxItems")).is_some_and(|max| d.len() > max) {
            return Some("maxItems");
        }
        if size(s.member(b"minItems")).is_some_and(|min| d.len() < min) {
            return Some("minItems");
        }
        if !is_true(s.member(b"uniqueItems")) {
            return None;
        }
        let mut sorted: Vec<Ref<'_>> = d.elements().collect();
        sorted.sort_by(|a, b| compare(*a, *b));
        let twice = sorted.windows(2).any(|w| matches!(w, [a, b] if compare(*a, *b).is_eq()));
        twice.then_some("uniqueItems")
    }

    fn object_size(&self, s: Ref<'_>, d: Ref<'_>) -> Option<&'static str> {
        if size(s.member(b"maxProperties")).is_some_and(|max| d.len() > max) {
            return Some("maxProperties");
        }
        if size(s.member(b"minProperties")).is_some_and(|min| d.len() < min) {
            return Some("minProperties");
        }
        let required = s.member(b"required")?;
        required.elements().filter_map(Ref::as_str).any(|k| d.member(k).is_none()).then_some("required")
    }

    /// allOf, anyOf, oneOf, not.
    fn combined(&self, s: Ref<'s>, d: Ref<'_>, sp: &str, dp: &mut String, steps: usize) -> Check {
        let fail = |keyword: &'static str, sp: &str, dp: &str| {
            Ok(Err(Failure { keyword, schema: sp.to_owned(), document: dp.to_owned() }))
        };
        let valid = |list: Ref<'s>, dp: &mut String| -> SqlResult<usize> {
            let mut n = 0;
            for x in list.elements() {
                n += usize::from(self.check(x, d, &mut String::new(), dp, steps + 1)?.is_ok());
            }
            Ok(n)
        };
        if let Some(list) = s.member(b"allOf")
            && valid(list, dp)? < list.len()
        {
            return fail("allOf", sp, dp);
        }
        if let Some(list) = s.member(b"anyOf")
            && valid(list, dp)? == 0
        {
            return fail("anyOf", sp, dp);
        }
        if let Some(list) = s.member(b"oneOf")
            && valid(list, dp)? != 1
        {
            return fail("oneOf", sp, dp);
        }
        if let Some(x) = s.member(b"not").filter(|x| x.is_object())
            && self.check(x, d, &mut String::new(), dp, steps + 1)?.is_ok()
        {
            return fail("not", sp, dp);
        }
        Ok(Ok(()))
    }

    fn items(&self, s: Ref<'s>, d: Ref<'_>, sp: &mut String, dp: &mut String, steps: usize) -> Check {
        let Some(items) = s.member(b"items") else { return Ok(Ok(())) };
        let additional = s.member(b"additionalItems");
        for (i, e) in d.elements().enumerate() {
            let (schema, place) = if items.is_array() {
                match (items.element(i), additional) {
                    (Some(x), _) => (x, format!("items/{i}")),
                    (None, Some(x)) if x.is_object() => (x, "additionalItems".to_owned()),
                    (None, Some(x)) if matches!(x.kind(), Kind::Bool(false)) => {
                        let failed = Failure { keyword: "additionalItems", schema: sp.clone(), document: dp.clone() };
                        return Ok(Err(failed));
                    }
                    _ => continue,
                }
            } else {
                (items, "items".to_owned())
            };
            hold!(within(sp, &place, |sp| within(dp, &i.to_string(), |dp| self.check(schema, e, sp, dp, steps + 1))));
        }
        Ok(Ok(()))
    }

    fn members(&self, s: Ref<'s>, d: Ref<'_>, sp: &mut String, dp: &mut String, steps: usize) -> Check {
        let additional = s.member(b"additionalProperties");
        for (k, v) in d.members() {
            let mut known = false;
            if let Some(x) = s.member(b"properties").and_then(|p| p.member(k)) {
                known = true;
                let place = format!("properties/{}", token(k));
                hold!(within(sp, &place, |sp| within(dp, &token(k), |dp| self.check(x, v, sp, dp, steps + 1))));
            }
            for (p, x) in s.member(b"patternProperties").into_iter().flat_map(Ref::members) {
                if self.matches(p, k)? {
                    known = true;
                    let place = format!("patternProperties/{}", token(p));
                    hold!(within(sp, &place, |sp| within(dp, &token(k), |dp| self.check(x, v, sp, dp, steps + 1))));
                }
            }
            match additional {
                Some(x) if !known && matches!(x.kind(), Kind::Bool(false)) => {
                    let failed = Failure { keyword: "additionalProperties", schema: sp.clone(), document: dp.clone() };
                    return Ok(Err(failed));
                }
                Some(x) if !known && x.is_object() => {
                    let place = "additionalProperties";
                    hold!(within(sp, place, |sp| within(dp, &token(k), |dp| self.check(x, v, sp, dp, steps + 1))));
                }
                _ => {}
            }
        }
        for (k, needs) in s.member(b"dependencies").into_iter().flat_map(Ref::members) {
            if d.member(k).is_none() {
                continue;
            }
            if needs.is_array() && needs.elements().filter_map(Ref::as_str).any(|n| d.member(n).is_none()) {
                return Ok(Err(Failure { keyword: "dependencies", schema: sp.clone(), document: dp.clone() }));
            }
            if needs.is_object() {
                let place = format!("dependencies/{}", token(k));
                hold!(within(sp, &place, |sp| self.check(needs, d, sp, dp, steps + 1)));
            }
        }
        Ok(Ok(()))
    }

    /// The schema of a reference within the document, and its place.
    fn resolve(&self, r: &[u8]) -> SqlResult<(Option<Ref<'s>>, String)> {
        let text = String::from_utf8_lossy(r).into_owned();
        let Some(pointer) = text.strip_prefix('#') else {
            return Err(SqlError::unsupported("references to other documents in JSON Schema"));
        };
        let mut at = Some(self.root);
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            at = at.and_then(|x| match x.is_array() {
                true => part.parse().ok().and_then(|i| x.element(i)),
                false => x.member(part.as_bytes()),
            });
        }
        Ok((at, text))
    }

    /// Whether a regular expression finds something in a text.
    fn matches(&self, pattern: &[u8], text: &[u8]) -> SqlResult<bool> {
        crate::eval::regexp::finds(pattern, text, &mut self.cx.borrow_mut())
    }
}
