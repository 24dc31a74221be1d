//! Literals of a text statement as parameters of its plan.

use bumpalo::Bump;
use parser::Lexed;
use parser::ast::LitValue;
use value::charset::client;
use value::{Charset, Decimal, OwnedValue};

/// The value of a literal as the planner types it.
pub(crate) fn value_of(l: &LitValue<'_>, text: Option<(Charset, Charset)>) -> OwnedValue {
    match *l {
        LitValue::Null => OwnedValue::Null,
        LitValue::Bool(b) => OwnedValue::Int(i64::from(b)),
        LitValue::Int(n) => i64::try_from(n).map_or(OwnedValue::UInt(n), OwnedValue::Int),
        LitValue::Decimal(s) => {
            Decimal::parse(s.as_bytes()).map_or(OwnedValue::Null, |d| OwnedValue::Decimal(Box::new(d)))
        }
        LitValue::Float(s) => OwnedValue::Double(s.parse().unwrap_or(0.0)),
        LitValue::Str { bytes, charset: None } => match text {
            Some((from, to)) => OwnedValue::Str((*client::literal(from, to, bytes)).into()),
            None => OwnedValue::Str(bytes.into()),
        },
        LitValue::Str { bytes, .. } | LitValue::Hex { bytes, .. } | LitValue::Bit { bytes, .. } => {
            OwnedValue::Str(bytes.into())
        }
        LitValue::Date(t) | LitValue::Time(t) | LitValue::Timestamp(t) => OwnedValue::Str(t.into()),
    }
}

/// All literals of the statement, by ordinal, into `out`. `text`: the client's and the connection's character sets, where they differ.
pub(crate) fn parameters(
    lexed: &Lexed,
    sql: &[u8],
    text: Option<(Charset, Charset)>,
    arena: &Bump,
    out: &mut Vec<OwnedValue>,
) {
    out.clear();
    out.extend((0..lexed.literals().len() as u32).map(|i| value_of(&lexed.value(arena, sql, i), text)));
}
