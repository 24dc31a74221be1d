//! Hexadecimal and bit literals where a number is needed.
//!
//! `0x41` and `b'1000001'` are binary strings, but "in numeric contexts, MySQL treats a hexadecimal literal like a BIGINT UNSIGNED" (manual,
//! "Hexadecimal Literals", "Bit-Value Literals"): beside a number in BETWEEN, IN, FIELD or a row, as a truth value, as a function's number. Where the
//! syntax alone says that a number is wanted, `Binder::numeric_operand` has made one already; [`adapt`] is called for every bound expression and sees to
//! truth values, [`arguments`] for every call, [`beside_numbers`] for operands of comparisons. Such a literal is known by its type: a VARBINARY that is unsigned, as MySQL's metadata say too. Tested in golden `binary_strings`.

use value::{OwnedValue, TypeKind};

use crate::expr::{Coercibility, Expr, ExprKind as K};
use crate::func::FuncId as F;
use crate::types;

/// Whether the expression is such a literal, of at most eight bytes behind zeros.
fn is(e: &Expr) -> bool {
    e.ty.unsigned
        && e.ty.kind == TypeKind::VarBinary
        && matches!(&e.kind, K::Const(OwnedValue::Str(b)) if b.len() <= 8 || b.iter().rev().skip(8).all(|b| *b == 0))
}

/// The number instead of such a literal.
fn in_place(e: &mut Expr) {
    if is(e)
        && let K::Const(OwnedValue::Str(bytes)) = &e.kind
    {
        let n = bytes.iter().fold(0u64, |n, b| n << 8 | u64::from(*b));
        let mut ty = types::int_literal(n);
        ty.unsigned = true;
        *e = Expr { kind: K::Const(OwnedValue::UInt(n)), ty, coer: Coercibility::Ignorable };
    }
}

/// Which arguments of a function are numbers: the first and how many from there. (BIN and OCT are CONV from base 10; CONV itself reads text.)
fn numbers(f: F) -> Option<(usize, usize)> {
    Some(match f {
        F::DateAdd(u) | F::DateSub(u) if !u.is_compound() => (1, 1),
        // operators on bits have their own rule (`bit_operation`)
        F::BitAnd | F::BitOr | F::BitXor | F::BitNot | F::Shl | F::Shr | F::BitCount => return None,
        f if super::temporal_text::numeric(f) => (0, usize::MAX),
        F::Elt
        | F::MakeSet
        | F::Space
        | F::FromDays
        | F::SecToTime
        | F::InetNtoa
        | F::Sleep
        | F::Rand
        | F::Bin
        | F::Oct
        | F::FromUnixtime
        | F::RandomBytes => (0, 1),
        F::MakeDate | F::PeriodAdd | F::PeriodDiff => (0, 2),
        F::MakeTime => (0, 3),
        F::Left | F::Right | F::Repeat | F::Substring => (1, 2),
        F::Lpad | F::Rpad => (1, 1),
        F::Locate | F::SubstringIndex => (2, 1),
        F::Week | F::YearWeek => (1, 1),
        F::Insert => (1, 2),
        _ => return None,
    })
}

/// Operands that are compared with each other: such literals are numbers beside a number.
pub(super) fn beside_numbers(operands: &mut [&mut Expr]) {
    if operands.iter().any(|e| e.ty.kind.is_numeric()) {
        operands.iter_mut().for_each(|e| in_place(e));
    }
}

/// The arguments of a call: such literals as numbers where the function takes numbers. To be called before the call's type is derived from them.
pub(in crate::bind) fn arguments(f: F, args: &mut [Expr]) {
    let (from, count) = match f {
        F::Field if args.iter().any(|x| x.ty.kind.is_numeric()) => (0, args.len()),
        F::If => (0, 1),
        F::ExportSet => {
            args.iter_mut().skip(4).for_each(in_place);
            (0, 1)
        }
        f => numbers(f).unwrap_or((0, 0)),
    };
    args.iter_mut().skip(from).take(count).for_each(in_place);
}

/// The expression with such literals as numbers, where it takes truth values.
pub(super) fn adapt(mut e: Expr) -> Expr {
    let mut some = false;
    e.children(&mut |c| some |= is(c));
    if !some {
        return e;
    }
    match &mut e.kind {
        K::Not(x) | K::IsTruth(x, ..) => in_place(x),
        K::And(list) | K::Or(list) => list.iter_mut().for_each(in_place),
        K::Xor(args) => args.iter_mut().for_each(in_place),
        K::Case { operand: None, branches, .. } => branches.iter_mut().for_each(|(when, _)| in_place(when)),
        _ => {}
    }
    e
}
