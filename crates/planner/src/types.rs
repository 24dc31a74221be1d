//! Result types of operators and functions: kind, signedness, length, decimals, collation.
//!
//! The lengths and decimals follow what MySQL 8.4 reports in result set metadata for the common functions (manual, "Expression
//! Evaluation and Type Conversion" per function); a length is never too small for a value.

use base::{ErrorCode, SqlError, SqlResult};
use value::types::NOT_FIXED_DEC;
use value::{CollationId, SqlType, TypeKind};

use crate::expr::{Coercibility, Expr};
use crate::func::FuncId;

/// Largest length MySQL reports for a string expression before it becomes a LONGTEXT.
const MAX_VARCHAR_BYTES: u64 = 65_535;

/// Settings that decide types.
#[derive(Clone, Copy, Debug)]
pub struct TypeCtx {
    /// collation_connection.
    pub connection: CollationId,
    /// div_precision_increment.
    pub div_increment: u8,
    /// NO_UNSIGNED_SUBTRACTION.
    pub no_unsigned_subtraction: bool,
}

/// Integer type of `digits` digits.
pub fn int_type(digits: u32) -> SqlType {
    let mut t = SqlType::bigint();
    t.length = digits;
    if digits <= 10 {
        t.kind = TypeKind::Int;
        t.length = digits;
    }
    t
}

/// BIGINT as most functions that count return it (metadata length 21 for signed 64 bits).
pub fn longlong(length: u32) -> SqlType {
    let mut t = SqlType::bigint();
    t.length = length;
    t
}

/// A string of at most `chars` characters: VARCHAR, or a TEXT kind when that is too long.
pub fn string_type(chars: u64, collation: CollationId) -> SqlType {
    let bytes = chars * collation.charset().max_len().max(1) as u64;
    if bytes <= MAX_VARCHAR_BYTES {
        return SqlType::varchar(chars as u32, collation);
    }
    let binary = collation == CollationId::BINARY;
    let kind = match (bytes <= 16_777_215, binary) {
        (true, true) => TypeKind::MediumBlob,
        (true, false) => TypeKind::MediumText,
        (false, true) => TypeKind::LongBlob,
        (false, false) => TypeKind::LongText,
    };
    let mut t = SqlType::new(kind);
    t.collation = collation;
    t.length = bytes.min(u32::MAX as u64) as u32;
    t
}

/// Longest text of a value of the type, in characters.
pub fn text_chars(t: &SqlType) -> u64 {
    match t.kind {
        TypeKind::Null => 0,
        TypeKind::Decimal => t.length as u64 + 1 + u64::from(t.decimals > 0) + u64::from(t.length == t.decimals as u32),
        TypeKind::Float => 12,
        TypeKind::Double => 23,
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::MediumInt | TypeKind::Int | TypeKind::BigInt => {
            let min = match t.kind {
                TypeKind::TinyInt => 4,
                TypeKind::SmallInt => 6,
                TypeKind::MediumInt => 8,
                TypeKind::Int => 11,
                _ => 20,
            };
            u64::from(t.length.max(1)).min(min.max(1)).max(t.length as u64)
        }
        TypeKind::Bit => (t.length as u64).div_ceil(8),
        k if k.is_lob() => t.length as u64 / t.charset().max_len().max(1) as u64,
        _ => t.length as u64,
    }
}

/// Decimal digits a value of the type needs: (digits before the point, scale).
pub fn decimal_parts(t: &SqlType) -> (u8, u8) {
    match t.kind {
        TypeKind::Decimal => ((t.length as u8).saturating_sub(t.decimals), t.decimals),
        TypeKind::TinyInt => (3, 0),
        TypeKind::SmallInt => (5, 0),
        TypeKind::MediumInt => (8, 0),
        TypeKind::Int => (t.length.clamp(1, 10) as u8, 0),
        TypeKind::BigInt => (t.length.clamp(1, 20) as u8, 0),
        TypeKind::Year => (4, 0),
        TypeKind::Date => (8, 0),
        TypeKind::Time => (7, t.decimals),
        TypeKind::DateTime | TypeKind::Timestamp => (14, t.decimals),
        TypeKind::Bit => (20, 0),
        TypeKind::Null => (0, 0),
        _ => (35, 30),
    }
}

/// DECIMAL with at most 65 digits, cutting the integer part last.
pub fn decimal_type(int_digits: u32, scale: u32) -> SqlType {
    let scale = scale.min(30);
    let precision = (int_digits + scale).clamp(1, 65);
    SqlType::decimal(precision as u8, scale.min(precision) as u8)
}

/// How a type takes part in arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NumClass {
    /// 64-bit integers.
    Int,
    /// DECIMAL.
    Decimal,
    /// DOUBLE (also strings).
    Double,
}

/// Numeric class of a type: temporals without fraction count as integers, with fraction as decimals, strings as doubles.
pub fn num_class(t: &SqlType) -> NumClass {
    match t.kind {
        TypeKind::Decimal => NumClass::Decimal,
        TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp if t.decimals > 0 => NumClass::Decimal,
        k if k.is_temporal() || k.is_integer() => NumClass::Int,
        TypeKind::Year | TypeKind::Bit | TypeKind::Null => NumClass::Int,
        _ => NumClass::Double,
    }
}

fn double(nullable: bool) -> SqlType {
    SqlType::double().nullable(nullable)
}

/// Type of `a op b` for the arithmetic and bit operators.
pub fn arithmetic(f: FuncId, a: &SqlType, b: &SqlType, cx: &TypeCtx) -> SqlType {
    let class = num_class(a).max(num_class(b));
    let nullable = a.nullable || b.nullable;
    let ((ai, asc), (bi, bsc)) = (decimal_parts(a), decimal_parts(b));
    let dec = |i: u32, s: u32| decimal_type(i, s);
    let unsigned = a.unsigned || b.unsigned;
    let mut t = match (f, class) {
        (FuncId::BitAnd | FuncId::BitOr | FuncId::BitXor | FuncId::Shl | FuncId::Shr, _) => {
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }
        (FuncId::IntDiv, _) => {
            let mut t = longlong(21);
            t.unsigned = unsigned;
            t
        }
        (FuncId::Div, NumClass::Double) | (_, NumClass::Double) => {
            let mut t = SqlType::double();
            t.length = 23;
            t
        }
        (FuncId::Div, _) => dec(ai as u32 + bsc as u32, asc as u32 + cx.div_increment as u32),
        (FuncId::Mul, NumClass::Decimal) => dec(ai as u32 + bi as u32, asc as u32 + bsc as u32),
        (FuncId::Mod, NumClass::Decimal) => dec(ai.max(bi) as u32, asc.max(bsc) as u32),
        (_, NumClass::Decimal) => dec(ai.max(bi) as u32 + 1, asc.max(bsc) as u32),
        (_, NumClass::Int) => {
            let len = match f {
                FuncId::Mul => a.length + b.length,
                FuncId::Mod => a.length.max(b.length),
                _ => a.length.max(b.length) + 1,
            };
            let mut t = longlong(len.clamp(1, 21));
            t.unsigned = match f {
                FuncId::Mod => a.unsigned,
                FuncId::Sub => unsigned && !cx.no_unsigned_subtraction,
                _ => unsigned,
            };
            t
        }
    };
    t.nullable = nullable || matches!(f, FuncId::Div | FuncId::IntDiv | FuncId::Mod);
    if t.kind == TypeKind::Decimal {
        t.unsigned = a.unsigned && b.unsigned;
    }
    t
}

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

/// Common type of several alternatives: CASE, IF, COALESCE, UNION, GREATEST.
pub fn unify(args: &[&Expr], cx: &TypeCtx, what: &str) -> SqlResult<(SqlType, Coercibility)> {
    let nullable = args.iter().any(|e| e.ty.nullable);
    let real: Vec<&&Expr> = args.iter().filter(|e| e.ty.kind != TypeKind::Null).collect();
    let Some(first) = real.first() else {
        return Ok((SqlType::new(TypeKind::Null), Coercibility::Ignorable));
    };
    let same_kind = real.iter().all(|e| e.ty.kind == first.ty.kind && e.ty.members == first.ty.members);
    let all = |p: &dyn Fn(TypeKind) -> bool| real.iter().all(|e| p(e.ty.kind));
    let max_len = real.iter().map(|e| e.ty.length).max().unwrap_or(0);
    let mut coer = Coercibility::Numeric;
    let mut t =
        if same_kind && (first.ty.kind.is_temporal() || matches!(first.ty.kind, TypeKind::Json | TypeKind::Year)) {
            let fsp = real.iter().map(|e| e.ty.decimals).max().unwrap_or(0);
            SqlType::temporal_or_same(&first.ty, fsp)
        } else if all(&|k| k.has_date()) {
            let fsp = real.iter().map(|e| e.ty.decimals).max().unwrap_or(0);
            SqlType::temporal(TypeKind::DateTime, fsp)
        } else if all(&|k| k.is_integer() || k == TypeKind::Year) {
            let widest = real.iter().map(|e| e.ty.kind).filter(|k| k.is_integer()).max_by_key(|k| *k as u8);
            let any_u = real.iter().any(|e| e.ty.unsigned);
            let all_u = real.iter().all(|e| e.ty.unsigned);
            if any_u
                && !all_u
                && widest == Some(TypeKind::BigInt)
                && real.iter().any(|e| e.ty.unsigned && e.ty.kind == TypeKind::BigInt)
            {
                decimal_type(20, 0)
            } else {
                let mut t = SqlType::new(widest.unwrap_or(TypeKind::BigInt));
                if any_u && !all_u {
                    t.kind = TypeKind::BigInt;
                }
                t.unsigned = all_u;
                t.length = max_len;
                t
            }
        } else if all(&|k| k.is_numeric()) {
            if real.iter().any(|e| e.ty.kind.is_float()) {
                let mut t = SqlType::new(if same_kind { first.ty.kind } else { TypeKind::Double });
                t.decimals = real.iter().map(|e| e.ty.decimals).max().unwrap_or(NOT_FIXED_DEC);
                if t.decimals != NOT_FIXED_DEC && real.iter().any(|e| !e.ty.kind.is_float()) {
                    t.decimals = NOT_FIXED_DEC;
                }
                t.length = max_len.max(t.length);
                t
            } else if same_kind && first.ty.kind == TypeKind::Bit {
                let mut t = first.ty.clone();
                t.length = max_len;
                t
            } else {
                let (mut i, mut s) = (0, 0);
                for e in &real {
                    let (a, b) = decimal_parts(&e.ty);
                    i = i.max(a);
                    s = s.max(b);
                }
                let mut t = decimal_type(i as u32, s as u32);
                t.unsigned = real.iter().all(|e| e.ty.unsigned);
                t
            }
        } else {
            let refs: Vec<&Expr> = real.iter().map(|e| **e).collect();
            let (c, k) = mix_collations(&refs, cx, what)?;
            coer = k;
            if same_kind && matches!(first.ty.kind, TypeKind::Enum | TypeKind::Set) {
                let mut t = first.ty.clone();
                t.collation = c;
                t
            } else {
                let chars = real.iter().map(|e| text_chars(&e.ty)).max().unwrap_or(0);
                string_type(chars, c)
            }
        };
    t.nullable = nullable;
    Ok((t, coer))
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

/// Type of an integer literal.
pub fn int_literal(v: u64) -> SqlType {
    let digits = v.checked_ilog10().unwrap_or(0) + 1;
    let mut t = longlong(digits);
    t.unsigned = v > i64::MAX as u64;
    t.nullable = false;
    t
}

/// Type of a temporal function of a value: fsp from an argument's type or a constant precision.
fn with_fsp(kind: TypeKind, fsp: u8) -> SqlType {
    SqlType::temporal(kind, fsp.min(6))
}

/// NOW(7) and its kin: error 1426.
fn check_precision(f: FuncId, args: &[Expr]) -> SqlResult<()> {
    match const_u8(args.first()) {
        n if n > 6 => Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&n, &f.name(), &6])),
        _ => Ok(()),
    }
}

fn const_u8(e: Option<&Expr>) -> u8 {
    match e.map(|e| &e.kind) {
        Some(crate::expr::ExprKind::Const(value::OwnedValue::Int(n))) => (*n).clamp(0, 255) as u8,
        Some(crate::expr::ExprKind::Const(value::OwnedValue::UInt(n))) => (*n).min(255) as u8,
        _ => 0,
    }
}

/// A constant integer argument, if it is one.
pub fn const_int(e: Option<&Expr>) -> Option<i64> {
    match e.map(|e| &e.kind) {
        Some(crate::expr::ExprKind::Const(value::OwnedValue::Int(n))) => Some(*n),
        Some(crate::expr::ExprKind::Const(value::OwnedValue::UInt(n))) => i64::try_from(*n).ok(),
        Some(crate::expr::ExprKind::Call(FuncId::Neg, a)) => const_int(a.first()).and_then(i64::checked_neg),
        _ => None,
    }
}

/// Result type and coercibility of a function call.
pub fn function(f: FuncId, args: &[Expr], cx: &TypeCtx) -> SqlResult<(SqlType, Coercibility)> {
    use FuncId as F;
    let nullable = args.iter().any(|e| e.ty.nullable);
    let arg = |i: usize| args.get(i).map(|e| &e.ty);
    let a0 = || arg(0).cloned().unwrap_or(SqlType::new(TypeKind::Null));
    let refs: Vec<&Expr> = args.iter().collect();
    let num = |t: SqlType| Ok((t.nullable(nullable), Coercibility::Numeric));
    let null_num = |t: SqlType| Ok((t.nullable(true), Coercibility::Numeric));
    let conn = cx.connection;
    let text = |chars: u64| Ok((string_type(chars, conn).nullable(nullable), Coercibility::Coercible));
    let null_text = |chars: u64| Ok((string_type(chars, conn).nullable(true), Coercibility::Coercible));
    let binary = |bytes: u64| Ok((string_type(bytes, CollationId::BINARY).nullable(true), Coercibility::Coercible));
    let sys_text = |chars: u64, n: bool| {
        Ok((string_type(chars, CollationId::UTF8MB3_GENERAL_CI).nullable(n), Coercibility::SysConst))
    };
    let chars = |i: usize| arg(i).map_or(0, text_chars);
    // a string function of its first argument
    let like_first = |n: u64| {
        let (c, k) = mix_collations(refs.get(..1).unwrap_or(&[]), cx, f.name())?;
        Ok((string_type(n, c).nullable(nullable), k))
    };
    let like_all = |n: u64| {
        let (c, k) = mix_collations(&refs, cx, f.name())?;
        Ok((string_type(n, c).nullable(nullable), k))
    };
    match f {
        F::Add | F::Sub | F::Mul | F::Div | F::IntDiv | F::Mod | F::BitAnd | F::BitOr | F::BitXor | F::Shl | F::Shr => {
            let b = arg(1).cloned().unwrap_or(SqlType::new(TypeKind::Null));
            let t = arithmetic(f, &a0(), &b, cx);
            Ok((t, Coercibility::Numeric))
        }
        F::BitNot => num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::Neg => num(match num_class(&a0()) {
            NumClass::Int => {
                let mut t = longlong(a0().length + 1);
                if let Some(i) = const_int(args.first()) {
                    t.length = (-(i as i128)).to_string().len() as u32;
                }
                t
            }
            NumClass::Decimal => {
                let (i, s) = decimal_parts(&a0());
                decimal_type(i as u32, s as u32)
            }
            NumClass::Double => {
                let mut t = SqlType::double();
                t.decimals = if a0().kind.is_float() { a0().decimals } else { NOT_FIXED_DEC };
                t.length = 23;
                t
            }
        }),
        F::If => {
            let (mut t, k) = unify(refs.get(1..).unwrap_or(&[]), cx, "if")?;
            t.nullable = args.iter().skip(1).any(|e| e.ty.nullable);
            Ok((t, k))
        }
        F::IfNull | F::Coalesce => {
            let (mut t, k) = unify(&refs, cx, f.name())?;
            t.nullable = args.iter().all(|e| e.ty.nullable);
            Ok((t, k))
        }
        F::Greatest | F::Least => {
            let (mut t, k) = unify(&refs, cx, f.name())?;
            t.nullable = nullable;
            Ok((t, k))
        }
        F::NullIf => {
            let t = a0().nullable(true);
            let k = args.first().map_or(Coercibility::Numeric, |e| e.coer);
            Ok((if t.kind == TypeKind::Timestamp { SqlType::temporal(TypeKind::DateTime, t.decimals) } else { t }, k))
        }
        F::IsNullFn => Ok((longlong(1).nullable(false), Coercibility::Numeric)),
        F::Interval => Ok((longlong(2).nullable(false), Coercibility::Numeric)),
        F::Strcmp => null_num(longlong(2)),
        F::Concat => like_all((0..args.len()).map(chars).sum()),
        F::ConcatWs => {
            let n = args.len() as u64;
            let total: u64 = (1..args.len()).map(chars).sum::<u64>() + chars(0) * n.saturating_sub(2);
            let (t, k) = like_all(total)?;
            Ok((t.nullable(arg(0).is_some_and(|t| t.nullable)), k))
        }
        F::Length | F::CharLength | F::BitLength => num(longlong(10)),
        F::Upper
        | F::Lower
        | F::Left
        | F::Right
        | F::Substring
        | F::Ltrim
        | F::Rtrim
        | F::Reverse
        | F::SubstringIndex => {
            let mut n = chars(0);
            if matches!(f, F::Left | F::Right)
                && let Some(k) = const_int(args.get(1))
            {
                n = n.min(k.max(0) as u64);
            }
            if f == F::Substring
                && let Some(k) = const_int(args.get(2))
            {
                n = n.min(k.max(0) as u64);
            }
            like_first(n)
        }
        F::TrimBoth | F::TrimLeading | F::TrimTrailing => like_first(chars(0)),
        F::Lpad | F::Rpad => {
            let n = const_int(args.get(1)).map_or(u32::MAX as u64 / 4, |n| n.max(0) as u64);
            let (t, k) = like_first(n)?;
            Ok((t.nullable(true), k))
        }
        F::Repeat => {
            let n = const_int(args.get(1)).map_or(u32::MAX as u64 / 4, |n| n.max(0) as u64 * chars(0));
            let (t, k) = like_first(n.min(u32::MAX as u64))?;
            Ok((t.nullable(true), k))
        }
        F::Replace => {
            let grow = if chars(2) > chars(1) { chars(2) / chars(1).max(1) + 1 } else { 1 };
            like_all(chars(0).saturating_mul(grow).min(u32::MAX as u64))
        }
        F::Insert => like_first(chars(0) + chars(3)),
        F::Space => null_text(const_int(args.first()).map_or(u32::MAX as u64 / 4, |n| n.max(0) as u64)),
        F::Quote => like_first(chars(0) * 2 + 2),
        F::Soundex => like_first(chars(0).max(4)),
        F::Locate | F::Instr | F::FindInSet | F::Field => {
            num(longlong(if f == F::Field || f == F::FindInSet { 3 } else { 11 }))
        }
        F::Ascii => num(longlong(3)),
        F::Ord => num(longlong(21)),
        F::Char => {
            Ok((string_type(args.len() as u64 * 4, CollationId::BINARY).nullable(true), Coercibility::Coercible))
        }
        F::Hex => null_text(match arg(0) {
            Some(t) if t.kind.is_numeric() => 16,
            Some(t) => t.max_bytes().max(chars(0)) * 2,
            None => 0,
        }),
        F::Unhex => binary(chars(0).div_ceil(2)),
        F::Bin | F::Oct | F::Conv => null_text(64),
        F::Elt => {
            let rest = refs.get(1..).unwrap_or(&[]);
            let (c, k) = mix_collations(rest, cx, "elt")?;
            Ok((string_type((1..args.len()).map(chars).max().unwrap_or(0), c).nullable(true), k))
        }
        F::MakeSet => {
            let rest = refs.get(1..).unwrap_or(&[]);
            let (c, k) = mix_collations(rest, cx, "make_set")?;
            Ok((string_type((1..args.len()).map(chars).sum::<u64>() + args.len() as u64, c).nullable(true), k))
        }
        F::ExportSet => null_text(64 * (chars(1).max(chars(2)) + chars(3).max(1))),
        F::Format => null_text(chars(0).max(20) * 2 + 31),
        F::ToBase64 => null_text(arg(0).map_or(0, |t| t.max_bytes().max(chars(0))).div_ceil(3) * 4 * 78 / 76 + 4),
        F::FromBase64 => binary(chars(0)),
        F::WeightString => binary(chars(0) * 16),
        F::Collation | F::Charset => sys_text(64, false),
        F::CoercibilityFn => Ok((longlong(10).nullable(false), Coercibility::Numeric)),
        F::RegexpLike | F::Rlike => num(longlong(1)),
        F::RegexpInstr => num(longlong(21)),
        F::RegexpReplace | F::RegexpSubstr => {
            let (t, k) = like_first(u32::MAX as u64 / 4)?;
            Ok((t.nullable(true), k))
        }
        F::Abs => num(match num_class(&a0()) {
            NumClass::Int => {
                let mut t = longlong(a0().length);
                t.unsigned = a0().unsigned;
                t
            }
            NumClass::Decimal => {
                let (i, s) = decimal_parts(&a0());
                decimal_type(i as u32, s as u32)
            }
            NumClass::Double => double(true),
        }),
        F::Ceil | F::Floor => num(match num_class(&a0()) {
            NumClass::Int => {
                let mut t = longlong(a0().length);
                t.unsigned = a0().unsigned;
                t
            }
            NumClass::Decimal => {
                let (i, _) = decimal_parts(&a0());
                if i < 18 { longlong(i as u32 + 2) } else { decimal_type(i as u32 + 1, 0) }
            }
            NumClass::Double => {
                let mut t = double(true);
                t.length = 17;
                t.decimals = 0;
                t
            }
        }),
        F::Round | F::Truncate => {
            let d = if args.len() < 2 { Some(0) } else { const_int(args.get(1)) };
            num(match num_class(&a0()) {
                NumClass::Int => {
                    let mut t = longlong(a0().length + u32::from(f == F::Round && d.unwrap_or(-1) < 0));
                    t.unsigned = a0().unsigned;
                    t
                }
                NumClass::Decimal => {
                    let (i, s) = decimal_parts(&a0());
                    let scale = d.map_or(s as i64, |d| d.clamp(0, s as i64));
                    decimal_type(i as u32 + u32::from(f == F::Round && scale < s as i64), scale as u32)
                }
                NumClass::Double => {
                    let mut t = double(true);
                    t.decimals = d.map_or(NOT_FIXED_DEC, |d| d.clamp(0, 31) as u8);
                    t
                }
            })
        }
        F::Sign => num(longlong(2)),
        F::Sqrt
        | F::Pow
        | F::Exp
        | F::Ln
        | F::Log
        | F::Log2
        | F::Log10
        | F::Sin
        | F::Cos
        | F::Tan
        | F::Cot
        | F::Asin
        | F::Acos
        | F::Atan
        | F::Atan2
        | F::Radians
        | F::Degrees => null_num(SqlType::double()),
        F::Pi => {
            let mut t = SqlType::double().nullable(false);
            t.length = 8;
            t.decimals = 6;
            Ok((t, Coercibility::Numeric))
        }
        F::Rand => Ok((SqlType::double().nullable(false), Coercibility::Numeric)),
        F::Crc32 => num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 10;
            t
        }),
        F::BitCount => num(longlong(2)),
        F::Now | F::Sysdate | F::UtcTimestamp => {
            check_precision(f, args)?;
            Ok((with_fsp(TypeKind::DateTime, const_u8(args.first())).nullable(false), Coercibility::Numeric))
        }
        F::Curdate | F::UtcDate => Ok((SqlType::new(TypeKind::Date).nullable(false), Coercibility::Numeric)),
        F::Curtime | F::UtcTime => {
            check_precision(f, args)?;
            Ok((with_fsp(TypeKind::Time, const_u8(args.first())).nullable(false), Coercibility::Numeric))
        }
        F::UnixTimestamp => match arg(0) {
            None => Ok((longlong(21).nullable(false), Coercibility::Numeric)),
            Some(t) => {
                let fsp = match t.kind {
                    k if k.is_temporal() || k.is_string() => args.first().map_or(0, arg_fsp),
                    _ => 0,
                };
                null_num(if fsp > 0 { decimal_type(12, fsp as u32) } else { longlong(21) })
            }
        },
        F::FromUnixtime => {
            if args.len() > 1 {
                return null_text(chars(1) * 10);
            }
            let fsp = match num_class(&a0()) {
                NumClass::Int => 0,
                NumClass::Decimal => a0().decimals.min(6),
                NumClass::Double => 6,
            };
            null_num(with_fsp(TypeKind::DateTime, fsp))
        }
        F::Year => null_num({
            let mut t = SqlType::new(TypeKind::Year);
            t.zerofill = false;
            t.unsigned = false;
            t.kind = TypeKind::Int;
            t.length = 5;
            t
        }),
        F::Month | F::DayOfMonth | F::Hour | F::Minute | F::Second | F::Quarter | F::Week | F::WeekOfYear => {
            null_num(longlong(3))
        }
        F::DayOfWeek | F::Weekday => null_num(longlong(1)),
        F::DayOfYear | F::MicrosecondFn | F::YearWeek | F::ToDays | F::PeriodAdd | F::PeriodDiff | F::DateDiff => {
            null_num(longlong(if f == F::DateDiff { 9 } else { 7 }))
        }
        F::ToSeconds | F::TimestampDiff(_) => null_num(longlong(21)),
        F::TimeToSec => null_num(longlong(10)),
        F::Extract(u) => null_num(longlong(if u.has_micros() { 20 } else { 11 })),
        F::DayName | F::MonthName => null_text(9),
        F::LastDay | F::Date | F::MakeDate | F::FromDays => null_num(SqlType::new(TypeKind::Date)),
        F::Time => null_num(with_fsp(TypeKind::Time, args.first().map_or(0, arg_fsp))),
        F::Timestamp => {
            let fsp = args.iter().map(arg_fsp).max().unwrap_or(0);
            null_num(with_fsp(TypeKind::DateTime, fsp))
        }
        F::TimeDiff => {
            let fsp = args.iter().map(arg_fsp).max().unwrap_or(0);
            null_num(with_fsp(TypeKind::Time, fsp))
        }
        F::AddTime | F::SubTime => {
            let fsp = args.iter().map(arg_fsp).max().unwrap_or(0);
            null_num(match a0().kind {
                TypeKind::DateTime | TypeKind::Timestamp => with_fsp(TypeKind::DateTime, fsp),
                TypeKind::Time => with_fsp(TypeKind::Time, fsp),
                _ => return null_text(26),
            })
        }
        F::SecToTime => null_num(with_fsp(
            TypeKind::Time,
            match num_class(&a0()) {
                NumClass::Int => 0,
                NumClass::Decimal => a0().decimals.min(6),
                NumClass::Double => 6,
            },
        )),
        F::MakeTime => null_num(with_fsp(
            TypeKind::Time,
            arg(2).map_or(0, |t| if num_class(t) == NumClass::Int { 0 } else { t.decimals.min(6) }),
        )),
        F::DateFormat | F::TimeFormat => null_text(chars(1).saturating_mul(10).min(4_000)),
        F::StrToDate => null_num(match args.get(1).map(|e| &e.kind) {
            Some(crate::expr::ExprKind::Const(value::OwnedValue::Str(p))) => {
                let (date, time, fraction) = format_parts(p);
                let fsp = if fraction { 6 } else { 0 };
                match (date, time) {
                    (true, false) => SqlType::new(TypeKind::Date),
                    (false, true) => with_fsp(TypeKind::Time, fsp),
                    _ => with_fsp(TypeKind::DateTime, fsp),
                }
            }
            _ => with_fsp(TypeKind::DateTime, 6),
        }),
        F::ConvertTz => null_num(with_fsp(TypeKind::DateTime, args.first().map_or(0, arg_fsp))),
        F::DateAdd(u) | F::DateSub(u) | F::TimestampAdd(u) => {
            let micro = if u.has_micros() {
                6
            } else if matches!(u, crate::func::Unit::Second) {
                arg(1).map_or(0, |t| if t.kind == TypeKind::Decimal { t.decimals.min(6) } else { 0 })
            } else {
                0
            };
            let t = a0();
            null_num(match t.kind {
                TypeKind::Date if u.is_date_unit() => SqlType::new(TypeKind::Date),
                TypeKind::Date => with_fsp(TypeKind::DateTime, micro),
                TypeKind::DateTime | TypeKind::Timestamp => with_fsp(TypeKind::DateTime, t.decimals.max(micro)),
                TypeKind::Time => {
                    with_fsp(if !u.is_date_unit() { TypeKind::Time } else { TypeKind::DateTime }, t.decimals.max(micro))
                }
                _ => return null_text(29),
            })
        }
        F::Version => sys_text(60, false),
        F::Database | F::CurrentRole => sys_text(34, true),
        F::User | F::CurrentUser => sys_text(288, false),
        F::ConnectionId => Ok((
            {
                let mut t = SqlType::bigint_unsigned().nullable(false);
                t.length = 21;
                t
            },
            Coercibility::Numeric,
        )),
        F::LastInsertId | F::UuidShort => num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::RowCount | F::FoundRows => Ok((longlong(21).nullable(false), Coercibility::Numeric)),
        F::Sleep | F::Benchmark => null_num(longlong(21)),
        F::Md5 => null_text(32),
        F::Sha1 => null_text(40),
        F::Sha2 => null_text(128),
        F::RandomBytes => binary(1024),
        F::Uuid => Ok((string_type(36, CollationId::UTF8MB3_GENERAL_CI).nullable(false), Coercibility::Coercible)),
        F::UuidToBin => binary(16),
        F::BinToUuid => null_text(36),
        F::IsUuid | F::IsIpv4 | F::IsIpv6 => null_num(longlong(1)),
        F::GetLock | F::ReleaseLock | F::IsFreeLock => null_num(longlong(1)),
        F::ReleaseAllLocks | F::IsUsedLock => null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::InetAton => null_num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::InetNtoa => text(31),
        F::Collate => Ok((a0(), Coercibility::Explicit)),
    }
}

/// Which parts a STR_TO_DATE pattern gives: (date, time, fraction).
fn format_parts(pattern: &[u8]) -> (bool, bool, bool) {
    let (mut d, mut t, mut f) = (false, false, false);
    let mut it = pattern.iter();
    while let Some(b) = it.next() {
        if *b == b'%'
            && let Some(c) = it.next()
        {
            match c {
                b'f' => {
                    t = true;
                    f = true;
                }
                b'H' | b'h' | b'I' | b'i' | b'k' | b'l' | b'p' | b'r' | b'S' | b's' | b'T' => t = true,
                b'%' => {}
                _ => d = true,
            }
        }
    }
    (d, t, f)
}

/// Digits of fraction a temporal reading of the type has.
pub fn fsp_of(t: &SqlType) -> u8 {
    match t.kind {
        k if k.is_temporal() => t.decimals.min(6),
        TypeKind::Decimal => t.decimals.min(6),
        k if k.is_integer() || k == TypeKind::Year => 0,
        TypeKind::Null => 0,
        _ => 6,
    }
}

/// As [`fsp_of`]; a string literal has the fractional digits that are written.
fn arg_fsp(e: &Expr) -> u8 {
    match &e.kind {
        crate::expr::ExprKind::Const(value::OwnedValue::Str(s)) => {
            let digits = |p: usize| s.iter().skip(p + 1).take_while(|b| b.is_ascii_digit()).count().min(6) as u8;
            s.iter().position(|b| *b == b'.').map_or(0, digits)
        }
        _ => fsp_of(&e.ty),
    }
}

/// Characters of `b` in the character set.
pub fn char_count(cs: value::Charset, b: &[u8]) -> usize {
    if cs.is_utf8() {
        b.iter().filter(|c| **c & 0xc0 != 0x80).count()
    } else {
        b.len() / if cs.is_single_byte() { 1 } else { cs.max_len().max(1) as usize }
    }
}
