//! Values in the types of a program's variables, parameters and results.
//!
//! A conversion is strict where the statement that waits for the value is (`executor::strictness`), whatever statement
//! of the engine runs at that moment. Pure functions over the session's conversion state; tested by the goldens
//! `programs_strictness` and `programs_together`.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use executor::Env;
use storage::dict::Parameter;
use value::{OwnedValue, SqlType, Value, convert};

use crate::host::Evaluated;

/// Stores a value in a place of a program. Warnings and errors name it as MySQL names it: a column of row 1.
///
/// # Errors
/// Those of the conversion.
pub fn store(v: Value<'_>, from: &SqlType, to: &SqlType, name: &str, env: &mut Env) -> SqlResult<OwnedValue> {
    let strict = env.assigns_strictly();
    store_as(v, (from, to), name, strict, env)
}

/// The same, strict or not.
pub(crate) fn store_as(
    v: Value<'_>,
    (from, to): (&SqlType, &SqlType),
    name: &str,
    strict: bool,
    env: &mut Env,
) -> SqlResult<OwnedValue> {
    match v {
        Value::Null => return Ok(OwnedValue::Null),
        Value::Int(n) if to.kind == value::TypeKind::BigInt && !to.unsigned => return Ok(OwnedValue::Int(n)),
        Value::Int(n) if to.kind == value::TypeKind::Int && !to.unsigned && i32::try_from(n).is_ok() => {
            return Ok(OwnedValue::Int(n));
        }
        _ => {}
    }
    let arena = Bump::new();
    let lenient = !strict && env.warns_strictly();
    let outer = (env.conv.strict, env.conv.lenient);
    (env.conv.strict, env.conv.lenient) = (strict, lenient);
    let stored = convert::assign_to_column(v, from, to, &mut env.conv, (name, 1), &arena).map(|v| v.to_owned());
    (env.conv.strict, env.conv.lenient) = outer;
    base::memory::check()?;
    stored
}

/// What a place holds behind a value that did not fit: a variable NULL, a column of NEW (`column`) what is kept of the
/// value without strict mode. `None`: what it had, as a DECIMAL column does where text is no number.
pub(crate) fn left(
    v: Value<'_>,
    (from, to): (&SqlType, &SqlType),
    e: &SqlError,
    column: bool,
    env: &mut Env,
) -> Option<OwnedValue> {
    if !column {
        return Some(OwnedValue::Null);
    }
    let is_text = from.is_character() && e.is(ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD);
    if is_text && to.kind == value::TypeKind::Decimal {
        return None;
    }
    let mark = env.conv.warned();
    let kept = store_as(v, (from, to), "", false, env);
    env.conv.forget_since(mark);
    Some(kept.unwrap_or_default())
}

/// Whether an argument fits its parameter, asked before the next is evaluated. (Its warnings are told in the program.)
///
/// # Errors
/// Those of the conversion.
pub fn fits((v, from): &Evaluated, p: &Parameter, env: &mut Env) -> SqlResult<()> {
    if !env.assigns_strictly() {
        return Ok(());
    }
    let mark = env.conv.warned();
    store(v.as_value(), from, &p.ty, &p.name, env)?;
    env.conv.forget_since(mark);
    Ok(())
}
