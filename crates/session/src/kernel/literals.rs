//! Literals of a text statement as parameters of its plan.

use bumpalo::Bump;
use parser::Lexed;
use parser::ast::LitValue;
use value::{Charset, Decimal, OwnedValue};

/// The value of a literal as the planner types it.
pub(crate) fn value_of(l: &LitValue<'_>) -> OwnedValue {
    match *l {
        LitValue::Null => OwnedValue::Null,
        LitValue::Bool(b) => OwnedValue::Int(i64::from(b)),
        LitValue::Int(n) => i64::try_from(n).map_or(OwnedValue::UInt(n), OwnedValue::Int),
        LitValue::Decimal(s) => {
            Decimal::parse(s.as_bytes()).map_or(OwnedValue::Null, |d| OwnedValue::Decimal(Box::new(d)))
        }
        LitValue::Float(s) => OwnedValue::Double(s.parse().unwrap_or(0.0)),
        LitValue::Str { bytes, .. } | LitValue::Hex { bytes, .. } | LitValue::Bit { bytes, .. } => {
            OwnedValue::Str(bytes.into())
        }
        LitValue::Date(t) | LitValue::Time(t) | LitValue::Timestamp(t) => OwnedValue::Str(t.into()),
    }
}

/// All literals of the statement, by ordinal, into `out`. `sets`: `character_set_client` and the set of `collation_connection`.
pub(crate) fn parameters(lexed: &Lexed, sql: &[u8], arena: &Bump, sets: (Charset, Charset), out: &mut Vec<OwnedValue>) {
    out.clear();
    out.extend((0..lexed.literals().len() as u32).map(|i| value_of(&lexed.value(arena, sql, i))));
    if sets.0 == sets.1 {
        return;
    }
    for (i, v) in out.iter_mut().enumerate() {
        if let LitValue::Str { bytes, charset: None } = lexed.value(arena, sql, i as u32)
            && let Some(converted) = planner::from_client(bytes, sets.0, sets.1)
        {
            *v = OwnedValue::Str(converted.into());
        }
    }
}
