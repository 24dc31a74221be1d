//! Result types of functions of texts, and of regular expressions.

use super::super::{const_int, longlong};
use super::{Call, Typed};
use crate::expr::Expr;
use crate::func::family::{Built, Regexp, Text};

/// Type and coercibility of a text that is built, or of a place in one.
pub(super) fn built(f: Built, c: &Call<'_>) -> Typed {
    use Built as F;
    match f {
        F::Concat => c.like_all(|c, coll| (0..c.args.len()).map(|i| c.chars_in(i, coll)).sum()),
        F::ConcatWs => c.like_all(|c, coll| {
            let n = c.args.len() as u64;
            let total: u64 = (1..c.args.len()).map(|i| c.chars_in(i, coll)).sum();
            total + c.chars_in(0, coll) * n.saturating_sub(2)
        }),
        F::CastSized(_) => {
            let n = const_int(c.args.get(1)).unwrap_or(0).max(0) as u64;
            c.like_first(n)
        }
        F::Space => match const_int(c.args.first()) {
            Some(n) => c.text(n.max(0) as u64),
            None => c.null_text(u32::MAX as u64 / 4),
        },
        F::Locate | F::Instr => c.num(longlong(11)),
    }
}

/// Type and coercibility of a text's length or of a part of it.
pub(super) fn text(f: Text, c: &Call<'_>) -> Typed {
    use Text as F;
    match f {
        F::Length | F::CharLength | F::BitLength => c.num(longlong(11)),
        F::Upper | F::Lower | F::Ltrim | F::Rtrim | F::Reverse | F::SubstringIndex => c.like_first(c.chars(0)),
        F::TrimBoth | F::TrimLeading | F::TrimTrailing => c.like_first(c.chars(0)),
        F::Left | F::Right => c.like_first(at_most(c.chars(0), c.args.get(1))),
        F::Substring => {
            let rest = match const_int(c.args.get(1)) {
                Some(k) if k < 0 => c.chars(0).min(k.unsigned_abs()),
                // what stands before the first character that is taken
                Some(k) => c.chars(0).saturating_sub((k as u64).wrapping_sub(1)),
                None => c.chars(0),
            };
            c.like_first(at_most(rest, c.args.get(2)))
        }
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
            c.like_first(c.chars(0) + if binary { c.bytes(3) } else { c.chars(3) })
        }
    }
}

/// Type and coercibility of what a regular expression finds or replaces.
pub(super) fn regexp(f: Regexp, c: &Call<'_>) -> Typed {
    use Regexp as F;
    match f {
        F::Rlike | F::RegexpLike => c.num(longlong(1)),
        F::RegexpInstr => c.num(longlong(21)),
        F::RegexpSubstr => c.like_first(c.chars(0)).map(|(t, k)| (t.nullable(true), k)),
        F::RegexpReplace => c.like_first(u32::MAX as u64 / 4).map(|(t, k)| (t.nullable(true), k)),
    }
}

/// `chars`, or the constant number of characters that are taken, if that is smaller.
fn at_most(chars: u64, taken: Option<&Expr>) -> u64 {
    const_int(taken).map_or(chars, |k| chars.min(k.max(0) as u64))
}
