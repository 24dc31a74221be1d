//! String functions: result types. One of the families that [`super::call`] asks in turn.

use base::SqlResult;
use value::{CollationId, SqlType};

use super::super::*;
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::FuncId as F;

/// Type and coercibility, `None` for functions of other families.
pub(super) fn types(f: F, c: &Call<'_>) -> SqlResult<Option<(SqlType, Coercibility)>> {
    let t: Typed = match f {
        F::Concat => c.like_all(|c, coll| (0..c.args.len()).map(|i| c.chars_in(i, coll)).sum()),
        F::ConcatWs => c.like_all(|c, coll| {
            let n = c.args.len() as u64;
            let total: u64 = (1..c.args.len()).map(|i| c.chars_in(i, coll)).sum();
            total + c.chars_in(0, coll) * n.saturating_sub(2)
        }),
        F::Length | F::CharLength | F::BitLength => c.num(longlong(11)),
        F::CastSized(_) => {
            let n = const_int(c.args.get(1)).unwrap_or(0).max(0) as u64;
            return c.like_first(n).map(Some);
        }
        F::Upper
        | F::Lower
        | F::Left
        | F::Right
        | F::Substring
        | F::Ltrim
        | F::Rtrim
        | F::Reverse
        | F::SubstringIndex => {
            if f == F::SubstringIndex {
                return c.like_first(c.chars(0)).map(Some);
            }
            let mut n = c.chars(0);
            if matches!(f, F::Left | F::Right)
                && let Some(k) = const_int(c.args.get(1))
            {
                n = n.min(k.max(0) as u64);
            }
            if f == F::Substring
                && let Some(k) = const_int(c.args.get(1))
            {
                // what stands before the first character that is taken
                n = if k < 0 { n.min(k.unsigned_abs()) } else { n.saturating_sub((k as u64).wrapping_sub(1)) };
            }
            if f == F::Substring
                && let Some(k) = const_int(c.args.get(2))
            {
                n = n.min(k.max(0) as u64);
            }
            c.like_first(n)
        }
        F::TrimBoth | F::TrimLeading | F::TrimTrailing if c.args.len() == 1 => c.like_first(c.chars(0)),
        F::TrimBoth | F::TrimLeading | F::TrimTrailing => c.like_first(c.chars(0)),
        F::Lpad | F::Rpad => {
            let n = const_int(c.args.get(1)).map_or(u32::MAX as u64 / 4, |n| n.max(0) as u64);
            let (t, k) = c.like_first(n)?;
            Ok((t.nullable(true), k))
        }
        F::Repeat => {
            let n =
                const_int(c.args.get(1)).map_or(u32::MAX as u64 / 4, |n| (n.max(0) as u64).saturating_mul(c.chars(0)));
            let (t, k) = c.like_first(n.min(u32::MAX as u64))?;
            Ok((t.nullable(true), k))
        }
        F::Replace => {
            let grow = c.chars(2).saturating_sub(1).max(1);
            c.like_first(c.chars(0).saturating_mul(grow).min(u32::MAX as u64))
        }
        F::Insert => {
            let binary = c.arg(0).is_some_and(|t| t.kind.is_string() && !t.is_character());
            c.like_first(c.chars(0) + if binary { bytes(c, 3) } else { c.chars(3) })
        }
        F::Space => match const_int(c.args.first()) {
            Some(n) => c.text(n.max(0) as u64),
            None => c.null_text(u32::MAX as u64 / 4),
        },
        F::Quote => c.like_first((c.chars(0) * 2 + 2).max(4)),
        F::Soundex => c.like_first(c.chars(0).max(4)),
        F::Locate | F::Instr => c.num(longlong(11)),
        F::FindInSet => c.num(longlong(11)),
        F::Field => Ok((longlong(11).nullable(false), Coercibility::Numeric)),
        F::Ascii => c.num(longlong(4)),
        F::Ord => c.num(longlong(21)),
        F::Char => Ok((
            string_type(c.args.len() as u64 * 4, CollationId::BINARY).nullable(c.nullable),
            Coercibility::Coercible,
        )),
        F::Hex => c.text(match c.arg(0) {
            Some(t) if t.kind.is_numeric() => 16,
            Some(t) => text_bytes(t) * 2,
            None => 0,
        }),
        F::Unhex => c.binary(bytes(c, 0).div_ceil(2)),
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
        F::ToBase64 => {
            let digits = bytes(c, 0).div_ceil(3) * 4;
            c.text(digits + digits.saturating_sub(1) / 76)
        }
        F::FromBase64 => c.binary(bytes(c, 0) * 3 / 4),
        F::WeightString => {
            let bytes = bytes(c, 0);
            let text = c.arg(0).filter(|t| t.kind.is_string() || t.is_character() || t.kind == TypeKind::Json);
            c.binary(match text {
                Some(t) => t.collation.get().most_weights(bytes).max(8),
                None if c.arg(0).is_some_and(|t| t.kind.is_numeric()) => bytes.max(8),
                None => 8,
            })
        }
        F::Collation | F::Charset => c.sys_text(64, true).map(|(ty, _)| (ty, Coercibility::Coercible)),
        F::CoercibilityFn => Ok((longlong(10).nullable(false), Coercibility::Numeric)),
        F::RegexpLike | F::Rlike => c.num(longlong(1)),
        F::RegexpInstr => c.num(longlong(21)),
        F::RegexpSubstr => c.like_first(c.chars(0)).map(|(t, k)| (t.nullable(true), k)),
        F::RegexpReplace => {
            let (t, k) = c.like_first(u32::MAX as u64 / 4)?;
            Ok((t.nullable(true), k))
        }
        _ => return Ok(None),
    };
    t.map(Some)
}

/// Longest text of an argument in bytes.
fn bytes(c: &Call<'_>, i: usize) -> u64 {
    c.arg(i).map_or(0, text_bytes)
}
