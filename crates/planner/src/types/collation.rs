//! Collation of a result from its operands' (manual, "Collation Coercibility in Expressions").

use base::{ErrorCode, SqlError, SqlResult};
use value::collation::Unlike;
use value::{Charset, CollationId, TypeKind};

use super::TypeCtx;
use crate::expr::{Coercibility, Expr};

/// Collation in which the operands of a comparison meet: MySQL's rules of coercibility; 1267, 1270 or 1271 for an illegal mix.
pub fn mix_collations(args: &[&Expr], cx: &TypeCtx, what: &str) -> SqlResult<(CollationId, Coercibility)> {
    match mixed(args, cx) {
        Some((_, Coercibility::None)) | None => Err(illegal(args, cx, what)),
        Some((c, Coercibility::Explicit)) => match kept_beside_explicit(args, c, cx, what) {
            None => Ok((c, Coercibility::Explicit)),
            Some(Some(kept)) => Ok(kept),
            Some(None) => Err(illegal(args, cx, if what == "in" { "=" } else { what })),
        },
        Some(found) => Ok(found),
    }
}

/// An operand of a comparison whose text would have to be converted to the smaller set of the explicit collation `c` of another: it keeps its own where the
/// other is a constant, and is refused (`Some(None)`) where that is none. LIKE, IN lists and functions convert it, or fail at the first character that
/// is missing (3854).
#[allow(clippy::option_option)]
fn kept_beside_explicit(
    args: &[&Expr],
    c: CollationId,
    cx: &TypeCtx,
    what: &str,
) -> Option<Option<(CollationId, Coercibility)>> {
    let two = matches!(what, "=" | "<=>" | "<>" | "!=" | "<" | "<=" | ">" | ">=" | "strcmp" | "in");
    let to = c.charset();
    if to.is_unicode() || !two && what != "between" {
        return None;
    }
    let known = || args.iter().filter_map(|e| Some((e, of(e, cx)?)));
    let (_, own) = known().find(|(_, (o, k))| {
        let from = o.charset();
        from != to && !matches!(from, Charset::Binary | Charset::Ascii) && *k < Coercibility::SysConst
    })?;
    let constant = known().filter(|(_, (_, k))| *k == Coercibility::Explicit).all(|(e, _)| e.is_const());
    match (constant, two) {
        (true, _) => Some(Some(own)),
        (false, true) => Some(None),
        (false, false) => None,
    }
}

/// Collation of a string made from the operands. Two collations of one character set that nothing decides between give the
/// binary one with coercibility 1: an error only where the string is compared.
pub fn result_collation(args: &[&Expr], cx: &TypeCtx, what: &str) -> SqlResult<(CollationId, Coercibility)> {
    mixed(args, cx).ok_or_else(|| illegal(args, cx, what))
}

/// What an operand brings in; `None` for NULL.
fn of(e: &Expr, cx: &TypeCtx) -> Option<(CollationId, Coercibility)> {
    if e.ty.is_character() || e.ty.kind.is_string() {
        return Some((e.ty.collation, e.coer));
    }
    match e.ty.kind {
        TypeKind::Json => Some((e.ty.text_collation(), Coercibility::Implicit)),
        TypeKind::Bit => Some((CollationId::BINARY, Coercibility::Implicit)),
        TypeKind::Null => None,
        _ => Some((cx.connection, Coercibility::Numeric)),
    }
}

fn mixed(args: &[&Expr], cx: &TypeCtx) -> Option<(CollationId, Coercibility)> {
    let mut best: Option<(CollationId, Coercibility)> = None;
    // two character sets have met of which neither holds the other: an explicit collation may still decide
    let mut open = false;
    for (c, k) in args.iter().filter_map(|e| of(e, cx)) {
        best = Some(match best {
            None => (c, k),
            Some((bc, bk)) if bc == c => (bc, bk.min(k)),
            Some((bc, bk)) => match mix_two((bc, bk), (c, k)) {
                Some(mixed) => mixed,
                None if bk == Coercibility::Explicit => return None,
                None => {
                    open = true;
                    (CollationId::BINARY, Coercibility::None)
                }
            },
        });
    }
    match best {
        Some((_, k)) if open && k != Coercibility::Explicit => None,
        best => Some(best.unwrap_or((cx.connection, Coercibility::Ignorable))),
    }
}

/// The error of an illegal mix: two and three operands are shown.
fn illegal(args: &[&Expr], cx: &TypeCtx, what: &str) -> SqlError {
    let shown: Vec<String> = args
        .iter()
        .map(|e| of(e, cx).unwrap_or((CollationId::BINARY, Coercibility::Ignorable)))
        .map(|(c, k)| format!("({},{})", c.name(), coer_name(k)))
        .collect();
    let (code, shown) = match shown.as_slice() {
        [a, b] => (ErrorCode::CANT_AGGREGATE_2COLLATIONS, format!("{a} and {b} ")),
        [a, b, c] => (ErrorCode::CANT_AGGREGATE_3COLLATIONS, format!("{a}, {b}, {c} ")),
        _ => (ErrorCode::CANT_AGGREGATE_NCOLLATIONS, String::new()),
    };
    SqlError::with_message(code, format!("Illegal mix of collations {shown}for operation '{what}'"))
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
        if wc != lc
            && lc.is_unicode()
            && !wc.is_unicode()
            && win.0 != CollationId::BINARY
            && win.1 != Coercibility::Explicit
            && lose.1 < Coercibility::SysConst
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
        return match ac.of_two(bc) {
            Ok(bin) => Some((bin, ak)),
            Err(_) if ac == bc || ak >= Coercibility::SysConst => Some(a),
            Err(Unlike::BothBin) => None,
            Err(Unlike::NeitherBin) => Some((acs.bin_collation(), Coercibility::None)),
        };
    }
    // what is in ASCII is in all sets that hold it
    let holds = |a: Charset, b: Charset| b == Charset::Ascii && a.has_ascii();
    if holds(acs, bcs) || holds(bcs, acs) {
        return Some(if holds(acs, bcs) { a } else { b });
    }
    // of the Unicode sets utf8mb4 and utf32 hold the others, of the two the first the second
    let above = |a: Charset, b: Charset| matches!(a, Charset::Utf8mb4 | Charset::Utf32) && b.is_unicode();
    match (acs.is_unicode(), bcs.is_unicode()) {
        (true, false) => Some(a),
        (false, true) => Some(b),
        (true, true) if above(acs, bcs) => Some(a),
        (true, true) if above(bcs, acs) => Some(b),
        _ => None,
    }
}
