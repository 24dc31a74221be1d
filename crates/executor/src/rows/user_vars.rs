//! [`UserVars`]: a session's user variables, and the copy of them that others may look at.
//!
//! Lock: the copy's, which nobody else takes but who reads performance_schema's user_variables_by_thread; nothing is
//! taken under it. Tested: golden `user_variables`, `tests/clients/test_mysql_tables.py`.

use base::SqlResult;
use bumpalo::Bump;
use hashbrown::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use value::context::ConvCtx;
use value::decimal::MAX_SCALE;
use value::{OwnedValue, SqlType, TypeKind, Value, convert};

/// A user variable: value and the type it was assigned with.
#[derive(Clone, Debug)]
pub struct UserVar {
    /// Value.
    pub value: OwnedValue,
    /// Type.
    pub ty: SqlType,
}

impl UserVar {
    /// A variable; JSON, dates and times are held as their text, as MySQL does.
    pub fn new(value: OwnedValue, ty: SqlType) -> UserVar {
        let mut text = Vec::new();
        if ty.kind.is_temporal() {
            let mut textual = SqlType::varchar(26, ty.collation);
            textual.collation = value::CollationId::LATIN1_SWEDISH_CI;
            textual.nullable = ty.nullable;
            if value.as_value().is_null() {
                return UserVar { value, ty: textual };
            }
            value::convert::to_text(value.as_value(), &ty, &mut text);
            return UserVar { value: OwnedValue::Str(text.into()), ty: textual };
        }
        if ty.own_digits {
            let value = match value {
                OwnedValue::Decimal(d) if d.scale() > MAX_SCALE => {
                    OwnedValue::Decimal(Box::new(d.round(MAX_SCALE.into())))
                }
                value => value,
            };
            let digits = if let Value::Decimal(d) = value.as_value() { d.scale() } else { ty.decimals };
            return UserVar { ty: SqlType { decimals: digits, own_digits: ty.kind == TypeKind::Year, ..ty }, value };
        }
        let OwnedValue::Json(d) = &value else { return UserVar { value, ty } };
        value::json::print::compact(value::json::Ref::trusted(d), &mut text);
        let ty = value::json::convert::text_type().nullable(ty.nullable);
        UserVar { value: OwnedValue::Str(text.into()), ty }
    }
}

/// Whether a value of type `a` may be used as one of type `b` without conversion.
pub fn is_read_alike(a: &SqlType, b: &SqlType) -> bool {
    let whole = |k: TypeKind| k.is_integer() || matches!(k, TypeKind::Year | TypeKind::Bit);
    let like = a.kind == b.kind
        || whole(a.kind) && whole(b.kind)
        || a.kind.is_float() && b.kind.is_float()
        || a.kind.is_string() && b.kind.is_string();
    like && a.unsigned == b.unsigned && a.collation == b.collation
}

/// More characters than any value that is no text has as text.
const LONGEST_TEXT: u32 = 16_383;

/// A variable's value in the type that it had when the statement was resolved. Where that changes while the statement
/// runs (a function assigns to it) it is read as before, and nothing is said of text that is no number.
///
/// # Errors
/// Those of the conversion.
pub fn read_as<'a>(
    v: Value<'a>,
    from: &'a SqlType,
    to: &SqlType,
    conv: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if v.is_null() || is_read_alike(from, to) {
        return Ok(v);
    }
    let before = conv.warned();
    let strict = std::mem::replace(&mut conv.strict, false);
    // it has a character set, but no length
    let longest = to.length.max(from.length).max(LONGEST_TEXT);
    let roomy = SqlType { length: longest, ..to.clone() };
    let to = if to.kind.is_string() { &roomy } else { to };
    let read = convert::cast(v, from, to, conv, arena);
    conv.strict = strict;
    conv.forget_since(before);
    read
}

/// The types that those of `list` have, which are a user variable's name or nothing, before any of them is evaluated.
pub fn types_of<'n>(list: impl Iterator<Item = Option<&'n str>>, vars: &UserVars) -> Vec<Option<SqlType>> {
    let known = |name: &str| vars.get(name.to_lowercase().as_str()).filter(|v| v.ty.kind != TypeKind::Null);
    list.map(|name| name.and_then(known).map(|v| v.ty.clone())).collect()
}

/// What others may look at of a session's user variables.
pub type ShownUserVars = Arc<Mutex<HashMap<Box<str>, UserVar>>>;

/// A session's user variables by name in lower case. Others see a copy of them ([`UserVars::shown`]), which is
/// written with them: nobody else takes its lock but who reads performance_schema.
#[derive(Default)]
pub struct UserVars {
    own: HashMap<Box<str>, UserVar>,
    shown: ShownUserVars,
}

impl std::ops::Deref for UserVars {
    type Target = HashMap<Box<str>, UserVar>;
    fn deref(&self) -> &HashMap<Box<str>, UserVar> {
        &self.own
    }
}

impl UserVars {
    /// Sets one.
    pub fn insert(&mut self, name: Box<str>, var: UserVar) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        match shown.get_mut(&name) {
            Some(v) => *v = var.clone(),
            None => drop(shown.insert(name.clone(), var.clone())),
        }
        drop(shown);
        self.own.insert(name, var);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.own.clear();
    }

    /// What others may look at.
    pub fn shown(&self) -> &ShownUserVars {
        &self.shown
    }
}
