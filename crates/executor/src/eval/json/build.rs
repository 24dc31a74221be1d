//! Making JSON values, their text and their measures.

use std::borrow::Cow;

use base::{ErrorCode, SqlError, SqlResult};
use planner::func::family::JsonMade as F;
use value::json::{Dom, Kind, Ref, convert as conv, print};
use value::{Charset, TypeKind, Value};

use super::{at_path, document, element, is_text_or_json};
use crate::eval::Args;
use crate::eval::Cx;

pub(in crate::eval) fn call<'a>(f: F, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        F::JsonArray => {
            let list = (0..a.len()).map(|i| element(a, i, cx)).collect::<SqlResult<Vec<_>>>()?;
            conv::to_value(&Dom::Array(list), a.arena)
        }
        F::JsonObject => object(a, cx),
        F::JsonBool => {
            let v = a.value(0, cx)?;
            Ok(match value::convert::to_bool(v, a.ty(0)?, &mut cx.env.conv) {
                Some(b) => conv::to_value(&Dom::Bool(b), a.arena)?,
                None => Value::Null,
            })
        }
        F::JsonQuote => quote(a, cx),
        F::JsonUnquote => unquote(a, cx),
        F::JsonValid => valid(a, cx),
        F::JsonLength => {
            let Some(d) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
            Ok(at_path(d, a, 1, cx)?.map_or(Value::Null, |r| Value::Int(r.len() as i64)))
        }
        F::JsonPretty => {
            let Some(d) = document(a, 0, f, cx)? else { return Ok(Value::Null) };
            let mut out = Vec::new();
            print::pretty(Ref::trusted(d), 0, &mut out);
            Ok(a.str(&out))
        }
        F::JsonType => of(a, f, cx, |r| Value::Str(r.type_name().as_bytes())),
        F::JsonDepth => of(a, f, cx, |r| Value::Int(r.depth() as i64)),
        F::JsonStorageSize => of(a, f, cx, |r| Value::Int(r.document_size() as i64)),
        // a document is always written anew: no space is left over
        F::JsonStorageFree => of(a, f, cx, |_| Value::Int(0)),
    }
}

/// What is computed of a document.
fn of<'a>(a: &Args<'a>, f: F, cx: &mut Cx<'_>, compute: fn(Ref<'a>) -> Value<'a>) -> SqlResult<Value<'a>> {
    Ok(document(a, 0, f, cx)?.map_or(Value::Null, |d| compute(Ref::trusted(d))))
}

/// A member's name: text of any scalar; error 3158 for NULL.
pub(crate) fn key<'a>(v: Value<'a>, ty: &value::SqlType, arena: &'a bumpalo::Bump) -> SqlResult<Cow<'a, [u8]>> {
    match v {
        Value::Null => Err(SqlError::new(ErrorCode::JSON_DOCUMENT_NULL_KEY, &[])),
        Value::Json(d) => {
            let mut out = Vec::new();
            print::unquoted(Ref::trusted(d), &mut out);
            Ok(Cow::Owned(out))
        }
        v => match crate::eval::text_of(v, ty, arena) {
            Some(s) => conv::utf8(s, ty),
            None => Err(SqlError::new(ErrorCode::JSON_DOCUMENT_NULL_KEY, &[])),
        },
    }
}

fn object<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let mut members = Vec::with_capacity(a.len() / 2);
    for i in (0..a.len()).step_by(2) {
        let k = a.value(i, cx)?;
        let k = key(k, a.ty(i)?, a.arena)?;
        members.push((k, element(a, i + 1, cx)?));
    }
    conv::to_value(&Dom::object(members), a.arena)
}

/// 3064 for arguments that are neither text nor JSON.
fn need_text(a: &Args<'_>, name: &str) -> SqlResult<()> {
    if is_text_or_json(a.ty(0)?) {
        return Ok(());
    }
    Err(SqlError::new(ErrorCode::INCORRECT_TYPE, &[&1, &name]))
}

fn quote<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    // a document is not text, be it a string; NULL of any type is NULL
    let ty = a.ty(0)?;
    let text = is_text_or_json(ty) && ty.kind != TypeKind::Json;
    if !text && !matches!(ty.kind, TypeKind::Enum | TypeKind::Set) {
        let null = a.value(0, cx)?.is_null();
        return if null {
            Ok(Value::Null)
        } else {
            Err(SqlError::new(ErrorCode::INCORRECT_TYPE, &[&1, &"json_quote"]))
        };
    }
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let text = conv::utf8(s, a.ty(0)?)?;
    if !crate::eval::string::fits(text.len(), F::JsonQuote, cx)? {
        return Ok(Value::Null);
    }
    let mut out = Vec::with_capacity(text.len() + 2);
    print::quoted(&text, &mut out);
    Ok(a.str(&out))
}

fn unquote<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    need_text(a, "json_unquote")?;
    match a.value(0, cx)? {
        Value::Null => Ok(Value::Null),
        Value::Json(d) => {
            let r = Ref::trusted(d);
            if let Kind::Str(s) = r.kind() {
                return Ok(Value::Str(s));
            }
            let mut out = Vec::new();
            print::unquoted(r, &mut out);
            Ok(a.str(&out))
        }
        v => {
            let Some(s) = crate::eval::text_of(v, a.ty(0)?, a.arena) else { return Ok(Value::Null) };
            let text = conv::utf8(s, a.ty(0)?)?;
            if text.len() < 2 || !text.starts_with(b"\"") || !text.ends_with(b"\"") {
                return Ok(a.str(&text));
            }
            match value::json::parse(&text).map_err(|e| conv::parse_error(e, 1, "json_unquote"))? {
                Dom::Str(s) => Ok(a.str(&s)),
                _ => Ok(a.str(&text)),
            }
        }
    }
}

fn valid<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let ty = a.ty(0)?;
    Ok(match a.value(0, cx)? {
        // what is neither text nor JSON is not looked at
        Value::Null if ty.kind.is_string() || matches!(ty.kind, TypeKind::Json | TypeKind::Null) => Value::Null,
        Value::Json(_) => Value::Int(1),
        Value::Str(_) if ty.charset() == Charset::Binary => Value::Int(0),
        Value::Str(s) => match conv::utf8(s, ty) {
            Ok(text) => match value::json::check(&text) {
                Err(e @ (value::json::Error::TooDeep | value::json::Error::Stopped)) => {
                    return Err(conv::parse_error(e, 1, "json_valid"));
                }
                r => Value::from_bool(r.is_ok()),
            },
            Err(_) => Value::Int(0),
        },
        _ => Value::Int(0),
    })
}
