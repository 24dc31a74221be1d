//! Collation of a result from its operands' (manual, "Collation Coercibility in Expressions").

use base::{ErrorCode, SqlError, SqlResult};
use value::{CollationId, TypeKind};

use super::TypeCtx;
use crate::expr::{Coercibility, Expr};

/// Collation of a string result from string operands: MySQL's rules of coercibility. `None` in the result: illegal mix, which
/// is an error only where a comparison happens.
pub fn mix_collations(args: &[&Expr], cx: &TypeCtx, what: &str) -> SqlResult<(CollationId, Coercibility)> {
    let mut best: Option<(CollationId, Coercibility)> = None;
    for e in args {
        let (c, k) = if e.ty.is_character() || e.ty.kind.is_string() {
            (e.ty.collation, e.coer)
        } else if e.ty.kind == TypeKind::Json {
            (CollationId::UTF8MB4_BIN, Coercibility::Implicit)
        } else if e.ty.kind == TypeKind::Null {
            continue;
        } else {
            (cx.connection, Coercibility::Numeric)
        };
        best = Some(match best {
            None => (c, k),
            Some((bc, bk)) if bc == c => (bc, bk.min(k)),
            Some((bc, bk)) => mix_two((bc, bk), (c, k)).ok_or_else(|| {
                SqlError::with_message(
                    ErrorCode::CANT_AGGREGATE_2COLLATIONS,
                    format!(
                        "Illegal mix of collations ({},{}) and ({},{}) for operation '{}'",
                        bc.name(),
                        coer_name(bk),
                        c.name(),
                        coer_name(k),
                        what
                    ),
                )
            })?,
        });
    }
    Ok(best.unwrap_or((cx.connection, Coercibility::Ignorable)))
}

fn coer_name(k: Coercibility) -> &'static str {
    match k {
        Coercibility::Explicit => "EXPLICIT",
        Coercibility::None => "NONE",
        Coercibility::Implicit => "IMPLICIT",
        Coercibility::SysConst => "SYSCONST",
        Coercibility::Coercible => "COERCIBLE",
        Coercibility::Numeric => "NUMERIC",
        Coercibility::Ignorable => "IGNORABLE",
    }
}

fn mix_two(a: (CollationId, Coercibility), b: (CollationId, Coercibility)) -> Option<(CollationId, Coercibility)> {
    let (ac, ak) = a;
    let (bc, bk) = b;
    if ak != bk {
        // the weaker side is converted, unless it is the only one that can hold both
        let (win, lose) = if ak < bk { (a, b) } else { (b, a) };
        let (wc, lc) = (win.0.charset(), lose.0.charset());
        if wc != lc && lc.is_utf8() && !wc.is_utf8() && win.0 != CollationId::BINARY && lose.1 < Coercibility::Coercible
        {
            return Some(lose);
        }
        return Some(win);
    }
    if ac == CollationId::BINARY || bc == CollationId::BINARY {
        return Some((CollationId::BINARY, ak));
    }
    if ak == Coercibility::Explicit {
        return None;
    }
    let (acs, bcs) = (ac.charset(), bc.charset());
    if acs == bcs {
        let bin = acs.bin_collation();
        if ac == bin || bc == bin {
            return Some((bin, ak));
        }
        return if ak >= Coercibility::SysConst { Some(a) } else { None };
    }
    match (acs.is_utf8(), bcs.is_utf8()) {
        (true, false) => Some(a),
        (false, true) => Some(b),
        (true, true) if acs.max_len() >= bcs.max_len() => Some(a),
        (true, true) => Some(b),
        _ => None,
    }
}
