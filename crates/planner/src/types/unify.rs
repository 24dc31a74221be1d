//! Common type of alternatives.

use base::{ErrorCode, SqlError, SqlResult};
use value::types::NOT_FIXED_DEC;
use value::{CollationId, SqlType, TypeKind};

use super::{
    TypeCtx, chars_in, decimal_parts, decimal_type, int_chars, lob_type, mix_collations, result_collation, string_type,
    text_chars,
};
use crate::expr::{Coercibility, Expr, ExprKind};

/// Common type of several alternatives: CASE, IF, COALESCE, UNION, GREATEST.
pub fn unify(args: &[&Expr], cx: &TypeCtx, what: &str) -> SqlResult<(SqlType, Coercibility)> {
    let nullable = args.iter().any(|e| e.ty.nullable);
    let real: Vec<&&Expr> = args.iter().filter(|e| e.ty.kind != TypeKind::Null).collect();
    let Some(first) = real.first() else {
        return Ok((SqlType::new(TypeKind::Null), Coercibility::Ignorable));
    };
    let same_kind = real.iter().all(|e| e.ty.kind == first.ty.kind);
    let all = |p: &dyn Fn(TypeKind) -> bool| real.iter().all(|e| p(e.ty.kind));
    // what pads numbers with zeros has more digits than it shows
    let shown = |t: &SqlType| if t.zerofill && t.kind.is_integer() { int_chars(t) } else { t.length };
    let max_len = real.iter().map(|e| shown(&e.ty)).max().unwrap_or(0);
    // beside nothing but NULL the column of a set operation keeps its members
    let member = matches!(first.ty.kind, TypeKind::Enum | TypeKind::Set) && !matches!(first.kind, ExprKind::Const(_));
    if what == "UNION" && real.len() == 1 && member {
        return Ok((first.ty.clone().nullable(nullable), first.coer));
    }
    // GREATEST and LEAST compare the texts of JSON values
    let compared = matches!(what, "greatest" | "least");
    let fsp = real.iter().map(|e| e.ty.decimals).max().unwrap_or(0);
    let mut coer = Coercibility::Numeric;
    let mut t = if same_kind
        && (first.ty.kind.is_temporal()
            || first.ty.kind == TypeKind::Year
            || first.ty.kind == TypeKind::Json && !compared)
    {
        let mut t = SqlType::temporal_or_same(&first.ty, fsp);
        // where a branch is a column its text has four digits
        t.own_digits = real.iter().all(|e| e.ty.own_digits);
        t
    } else if all(&|k| k.is_temporal()) {
        // a TIME among them gets the current date
        SqlType::temporal(TypeKind::DateTime, fsp)
    } else if all(&|k| k.is_integer() || k == TypeKind::Year) {
        let mut t = merged_integer(&real);
        t.length = if t.kind == TypeKind::Decimal { t.length } else { max_len };
        t
    } else if !all(&|k| k.is_numeric()) {
        let (t, k) = merged_text(&real, cx, what, compared)?;
        coer = k;
        t
    } else if real.iter().any(|e| e.ty.kind.is_float()) {
        merged_real(&real, max_len, what)
    } else if same_kind && first.ty.kind == TypeKind::Bit {
        let mut t = first.ty.clone();
        t.length = max_len;
        t
    } else {
        merged_decimal(&real)
    };
    t.nullable = nullable;
    Ok((t, coer))
}

/// The text that strings, and values of several families, make together. What is `compared` has the collation of a comparison, a set operation one that its
/// rows can be compared in.
fn merged_text(types: &[&&Expr], cx: &TypeCtx, what: &str, compared: bool) -> SqlResult<(SqlType, Coercibility)> {
    let refs: Vec<&Expr> = types.iter().map(|e| **e).collect();
    let (c, coer) = if compared { mix_collations(&refs, cx, what)? } else { result_collation(&refs, cx, what)? };
    if coer == Coercibility::None && matches!(what, "UNION" | "VALUES") {
        return Err(SqlError::new(ErrorCode::CANT_AGGREGATE_NCOLLATIONS, &[&what]));
    }
    // ENUM and SET are text, even where all have the same members
    let chars = types.iter().map(|e| chars_in(&e.ty, c)).max().unwrap_or(0);
    if what != "?" && types.iter().any(|e| e.ty.kind.is_lob()) {
        return Ok((lob_type(chars, c), coer));
    }
    let mut t = string_type(chars, c);
    if what != "?" && chars <= MAX_CHAR && is_fixed(types) {
        t.kind = if c == CollationId::BINARY { TypeKind::Binary } else { TypeKind::Char };
    }
    Ok((t, coer))
}

/// The FLOAT or DOUBLE of numbers one of which is one.
fn merged_real(types: &[&&Expr], max_len: u32, what: &str) -> SqlType {
    let kinds = types.iter().map(|e| e.ty.kind);
    let mut t = SqlType::new(if stays_float(kinds) { TypeKind::Float } else { TypeKind::Double });
    // what is shown with as many digits as it takes has more than any other
    t.decimals = types.iter().map(|e| e.ty.decimals).max().unwrap_or(NOT_FIXED_DEC);
    t.length = match t.decimals {
        NOT_FIXED_DEC => max_len.max(t.length),
        decimals => fixed_length(types, decimals, t.kind, what),
    };
    t
}

/// The DECIMAL of exact numbers: never UNSIGNED, whatever all of them are.
fn merged_decimal(types: &[&&Expr]) -> SqlType {
    let (mut i, mut s) = (0, 0);
    for e in types {
        let (a, b) = match e.ty.kind {
            // as many digits as bits
            TypeKind::Bit => (e.ty.length as u8, 0),
            _ => decimal_parts(&e.ty),
        };
        i = i.max(a);
        s = s.max(b);
    }
    decimal_type(i as u32, s as u32)
}

/// Longest CHAR and BINARY.
const MAX_CHAR: u64 = 255;

/// Whether strings and other values together are a CHAR or BINARY: one of these with anything but VARCHAR is one, as long as none before it have made a
/// VARCHAR already (numbers with dates do, and ENUM and SET with whatever is no CHAR).
fn is_fixed(types: &[&&Expr]) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Is {
        Number,
        Time,
        Member,
        Fixed,
        Varying,
    }
    let of = |e: &Expr| match e.ty.kind {
        // CAST(... AS BINARY(n)) is a VARBINARY
        TypeKind::Binary if is_cast(e) => Is::Varying,
        TypeKind::Char | TypeKind::Binary => Is::Fixed,
        TypeKind::Enum | TypeKind::Set => Is::Member,
        k if k.is_temporal() => Is::Time,
        k if k.is_numeric() || k == TypeKind::Year => Is::Number,
        _ => Is::Varying,
    };
    let merged = types.iter().map(|e| of(e)).reduce(|a, b| match (a, b) {
        (Is::Varying, _) | (_, Is::Varying) => Is::Varying,
        (Is::Fixed, _) | (_, Is::Fixed) => Is::Fixed,
        (a, b) if a == b && a != Is::Member => a,
        _ => Is::Varying,
    });
    merged == Some(Is::Fixed)
}

fn is_cast(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Once(_, inner) => is_cast(inner),
        ExprKind::Cast(_) => true,
        _ => false,
    }
}

/// The M of FLOAT(M,D) and DOUBLE(M,D) for several of them: room for the digits of each before the point. COALESCE, IF, CASE and GREATEST make DOUBLEs as
/// wide as one can be.
fn fixed_length(types: &[&&Expr], decimals: u8, kind: TypeKind, what: &str) -> u32 {
    // of an exact number with its sign and point
    let chars = |t: &SqlType| match t.kind {
        k if k.is_float() => t.length,
        _ => u32::try_from(text_chars(t)).unwrap_or(t.length),
    };
    let whole = types.iter().map(|e| chars(&e.ty).saturating_sub(u32::from(e.ty.decimals))).max().unwrap_or(0);
    let exact = whole + u32::from(decimals);
    match what {
        "coalesce" | "if" | "case" | "greatest" | "least" if kind == TypeKind::Double => {
            exact.max(SqlType::new(TypeKind::Double).length)
        }
        _ => exact,
    }
}

/// The integer type of several: signed and unsigned ones together take the next wider signed type, where the unsigned
/// one is not the narrower of the two. A YEAR among integers is as a SMALLINT of the other's sign.
fn merged_integer(types: &[&&Expr]) -> SqlType {
    const KINDS: [TypeKind; 5] =
        [TypeKind::TinyInt, TypeKind::SmallInt, TypeKind::MediumInt, TypeKind::Int, TypeKind::BigInt];
    let of = |t: &SqlType| match t.kind {
        TypeKind::Year => (1, None),
        k => (KINDS.iter().position(|o| *o == k).unwrap_or(KINDS.len()), Some(t.unsigned)),
    };
    let (rank, unsigned) =
        types.iter().map(|e| of(&e.ty)).fold((0, None), |(rank, unsigned), (r, u)| match (unsigned, u) {
            (Some(a), Some(b)) if a != b => {
                let (of_unsigned, of_signed) = if a { (rank, r) } else { (r, rank) };
                (of_signed.max(of_unsigned + 1), Some(false))
            }
            (a, b) => (rank.max(r), a.or(b)),
        });
    match KINDS.get(rank) {
        Some(k) => SqlType { unsigned: unsigned.unwrap_or(true), ..SqlType::new(*k) },
        None => decimal_type(types.iter().map(|e| u32::from(decimal_parts(&e.ty).0)).max().unwrap_or(20), 0),
    }
}

/// Extension used by [`unify`].
trait TemporalOrSame {
    fn temporal_or_same(t: &SqlType, fsp: u8) -> SqlType;
}

impl TemporalOrSame for SqlType {
    fn temporal_or_same(t: &SqlType, fsp: u8) -> SqlType {
        if t.kind.is_temporal() { SqlType::temporal(t.kind, fsp) } else { t.clone() }
    }
}

/// Whether FLOAT and other numbers are FLOAT together: with small integers, and with BIGINT behind the first FLOAT (so do MySQL's rules of merging two
/// types; INT makes DOUBLE in either order).
fn stays_float(kinds: impl Iterator<Item = TypeKind>) -> bool {
    let mut float = false;
    for k in kinds {
        match k {
            TypeKind::Float => float = true,
            TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::MediumInt | TypeKind::Year => {}
            TypeKind::BigInt if float => {}
            _ => return false,
        }
    }
    float
}
