//! Result types of functions of codes, number bases and lists, and of encodings.

use value::{CollationId, TypeKind};

use super::super::{longlong, result_collation, string_type, text_bytes};
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::family::{Codes, Encoded};

/// Type and coercibility of a function of character sets, number bases or lists.
pub(super) fn codes(f: Codes, c: &Call<'_>) -> Typed {
    use Codes as F;
    let typed = match f {
        F::Field => c.not_null(longlong(11)),
        F::Char => Ok((
            string_type(c.args.len() as u64 * 4, CollationId::BINARY).nullable(c.nullable),
            Coercibility::Coercible,
        )),
        F::Hex => c.text(match c.arg(0) {
            Some(t) if t.kind.is_numeric() => 16,
            Some(t) => text_bytes(t) * 2,
            None => 0,
        }),
        F::Bin | F::Oct | F::Conv => c.null_text(65),
        F::Elt => {
            let rest = c.refs.get(1..).unwrap_or(&[]);
            let (coll, k) = result_collation(rest, c.cx, "elt")?;
            let chars = (1..c.args.len()).map(|i| c.chars(i)).max().unwrap_or(0);
            Ok((string_type(chars, coll).nullable(true), k))
        }
        F::MakeSet => {
            let rest = c.refs.get(1..).unwrap_or(&[]);
            let (coll, k) = result_collation(rest, c.cx, "make_set")?;
            let chars: u64 = (1..c.args.len()).map(|i| c.chars(i)).sum();
            Ok((string_type(chars + rest.len() as u64 - 1, coll).nullable(c.nullable), k))
        }
        F::ExportSet => {
            let (coll, k) = result_collation(c.refs.get(1..c.refs.len().min(4)).unwrap_or(&[]), c.cx, "export_set")?;
            let between = if c.args.len() > 3 { c.chars(3) } else { 1 };
            Ok((string_type(64 * c.chars(1).max(c.chars(2)) + 63 * between, coll).nullable(c.nullable), k))
        }
        // the number, a separator for every three digits, a sign and thirty decimals
        F::Format => c.text(c.chars(0) + c.chars(0) / 3 + 32),
        F::WeightString => {
            let bytes = c.bytes(0);
            let text = c.arg(0).filter(|t| t.kind.is_string() || t.is_character() || t.kind == TypeKind::Json);
            c.binary(match text {
                Some(t) => t.collation.get().most_weights(bytes).max(8),
                None if c.arg(0).is_some_and(|t| t.kind.is_numeric()) => bytes.max(8),
                None => 8,
            })
        }
        F::Collation | F::Charset => c.sys_text(64, true).map(|(ty, _)| (ty, Coercibility::Coercible)),
        F::CoercibilityFn => c.not_null(longlong(10)),
        F::InCharset | F::Widened => Ok((c.a0(), Coercibility::Coercible)),
        F::Collate => {
            let t = c.a0();
            let nullable = t.nullable || c.cx.strict;
            Ok((t.nullable(nullable), Coercibility::Explicit))
        }
    };
    match f {
        // the server's own names, and texts that are there already
        F::Charset | F::Collation | F::InCharset | F::Widened | F::Collate => typed,
        _ => c.made(typed),
    }
}

/// Type and coercibility of a text's codes and encodings.
pub(super) fn encoded(f: Encoded, c: &Call<'_>) -> Typed {
    use Encoded as F;
    match f {
        F::Ascii => c.num(longlong(4)),
        F::Ord => c.num(longlong(21)),
        F::Unhex => c.binary(c.bytes(0).div_ceil(2)),
        F::FindInSet => c.num(longlong(11)),
        F::Quote => c.like_first((c.chars(0) * 2 + 2).max(4)),
        F::Soundex => c.like_first(c.chars(0).max(4)),
        F::ToBase64 => {
            let digits = c.bytes(0).div_ceil(3) * 4;
            c.text(digits + digits.saturating_sub(1) / 76)
        }
        F::FromBase64 => c.binary(c.bytes(0) * 3 / 4),
    }
}
