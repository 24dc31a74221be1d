//! `+ - * / DIV %`, unary minus, bit operators.
//!
//! BIGINT arithmetic that leaves its range is error 1690, never a wrapped number; DECIMAL keeps MySQL's scales; division by
//! zero is NULL with warning 1365 (an error where data is changed in strict mode).

use base::{ErrorCode, SqlError, SqlResult};
use planner::expr::Expr;
use planner::func::family::{Arithmetic, Bits};
use planner::types::{NumClass, num_class};
use value::{Decimal, TypeKind, Value, convert};

use super::{Args, numbers};
use crate::eval::Cx;

#[cold]
fn out_of_range<T>(what: &str, e: &Expr) -> SqlResult<T> {
    Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&what, &planner::explain::print(e)]))
}

fn int_range<T>(a: &Args<'_>, e: &Expr) -> SqlResult<T> {
    out_of_range(if a.ty.unsigned { "BIGINT UNSIGNED" } else { "BIGINT" }, e)
}

/// Integer operand as its mathematical value.
fn wide(a: &Args<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<i128>> {
    let v = a.number(i, cx)?;
    Ok(match v {
        Value::Null => None,
        Value::Int(n) => Some(n as i128),
        Value::UInt(n) => Some(n as i128),
        v => {
            let e = a.expr(i)?;
            let bits = e.ty.unsigned && !e.ty.kind.is_temporal();
            Some(numbers::read_whole(e, cx, |conv| match bits {
                true => i128::from(convert::to_u64(v, &e.ty, conv)),
                false => i128::from(convert::to_i64(v, &e.ty, conv)),
            }))
        }
    })
}

/// A BIGINT result, signed or unsigned as the result type says.
fn fit<'a>(n: i128, a: &Args<'a>, e: &Expr) -> SqlResult<Value<'a>> {
    if a.ty.unsigned {
        u64::try_from(n).map_or_else(|_| int_range(a, e), |n| Ok(Value::UInt(n)))
    } else {
        i64::try_from(n).map_or_else(|_| int_range(a, e), |n| Ok(Value::Int(n)))
    }
}

/// Arithmetic operators.
pub(super) fn arithmetic<'a>(f: Arithmetic, a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let class = match a.ty.kind {
        TypeKind::Decimal => NumClass::Decimal,
        k if k.is_float() => NumClass::Double,
        _ => NumClass::Int,
    };
    match (f, class) {
        (Arithmetic::Neg, NumClass::Int) => match wide(a, 0, cx)? {
            None => Ok(Value::Null),
            Some(n) => fit(-n, a, e),
        },
        (Arithmetic::Neg, NumClass::Decimal) => Ok(a.decimal(0, cx)?.map_or(Value::Null, |d| a.dec(d.neg()))),
        (Arithmetic::Neg, NumClass::Double) => Ok(a.double(0, cx)?.map_or(Value::Null, |d| Value::Double(-d))),
        (Arithmetic::IntDiv, _) => int_div(a, e, cx),
        (_, NumClass::Int) => {
            let (Some(x), Some(y)) = (wide(a, 0, cx)?, wide(a, 1, cx)?) else { return Ok(Value::Null) };
            match f {
                Arithmetic::Add => fit(x + y, a, e),
                Arithmetic::Sub => fit(x - y, a, e),
                Arithmetic::Mul => x.checked_mul(y).map_or_else(|| int_range(a, e), |n| fit(n, a, e)),
                Arithmetic::Mod => {
                    if y == 0 {
                        cx.env.conv.division_by_zero()?;
                        return Ok(Value::Null);
                    }
                    fit(x % y, a, e)
                }
                // of integers it is a DECIMAL; the others stand above
                Arithmetic::Div | Arithmetic::IntDiv | Arithmetic::Neg => Err(SqlError::unsupported(f.name())),
            }
        }
        (_, NumClass::Decimal) => {
            let Some((x, y)) = decimals(a, cx)? else { return Ok(Value::Null) };
            let r = match f {
                Arithmetic::Add => x.add(&y).map(Some),
                Arithmetic::Sub => x.sub(&y).map(Some),
                Arithmetic::Mul => x.mul(&y).map(Some),
                Arithmetic::Div => {
                    x.div(&y, cx.env.vars.num(catalog::sysvar::Var::div_precision_increment).min(30) as u8)
                }
                Arithmetic::Mod => x.rem(&y),
                Arithmetic::IntDiv | Arithmetic::Neg => return Err(SqlError::unsupported(f.name())),
            };
            match r {
                Ok(Some(d)) => Ok(a.dec(d)),
                Ok(None) => {
                    cx.env.conv.division_by_zero()?;
                    Ok(Value::Null)
                }
                Err(_) => out_of_range("DECIMAL", e),
            }
        }
        (_, NumClass::Double) => {
            let (Some(x), Some(y)) = (a.double(0, cx)?, a.double(1, cx)?) else { return Ok(Value::Null) };
            let r = match f {
                Arithmetic::Add => x + y,
                Arithmetic::Sub => x - y,
                Arithmetic::Mul => x * y,
                Arithmetic::Div | Arithmetic::Mod if y == 0.0 => {
                    cx.env.conv.division_by_zero()?;
                    return Ok(Value::Null);
                }
                Arithmetic::Div => x / y,
                Arithmetic::Mod => x % y,
                Arithmetic::IntDiv | Arithmetic::Neg => return Err(SqlError::unsupported(f.name())),
            };
            if r.is_finite() { Ok(Value::Double(r)) } else { out_of_range("DOUBLE", e) }
        }
    }
}

/// Both operands. Unlike those of whole numbers and doubles the second one is not evaluated behind a NULL, as in MySQL.
fn decimals(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<(Decimal, Decimal)>> {
    let Some(x) = a.decimal(0, cx)? else { return Ok(None) };
    Ok(a.decimal(1, cx)?.map(|y| (x, y)))
}

fn int_div<'a>(a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let class = num_class(a.ty(0)?).max(num_class(a.ty(1)?));
    let null = a.ty(0)?.kind == TypeKind::Null || a.ty(1)?.kind == TypeKind::Null;
    if class == NumClass::Int && !null {
        let (Some(x), Some(y)) = (wide(a, 0, cx)?, wide(a, 1, cx)?) else { return Ok(Value::Null) };
        if y == 0 {
            cx.env.conv.division_by_zero()?;
            return Ok(Value::Null);
        }
        return fit(x / y, a, e);
    }
    let Some((x, y)) = decimals(a, cx)? else { return Ok(Value::Null) };
    match x.div_int(&y) {
        Ok(Some(d)) => match d.to_i128() {
            Some(n) => fit(n, a, e),
            None => int_range(a, e),
        },
        Ok(None) => {
            cx.env.conv.division_by_zero()?;
            Ok(Value::Null)
        }
        Err(_) => int_range(a, e),
    }
}

/// An operand of a bit operator: what is no integer is read as a signed one, whose bits count.
fn bit_operand(a: &Args<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<u64>> {
    let v = a.number(i, cx)?;
    Ok(match v {
        Value::Null => None,
        Value::Decimal(_) | Value::Double(_) => Some(convert::to_i64(v, a.ty(i)?, &mut cx.env.conv) as u64),
        _ => {
            let e = a.expr(i)?;
            Some(numbers::read_whole(e, cx, |conv| convert::to_u64(v, &e.ty, conv)))
        }
    })
}

/// Bit operators over unsigned 64-bit integers.
pub(super) fn bits<'a>(f: Bits, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let of_bytes = f == Bits::BitCount && a.ty(0)?.kind.is_binary_string();
    if of_bytes || a.ty.kind.is_binary_string() {
        return super::bitbytes::bits(f, a, cx);
    }
    let Some(x) = bit_operand(a, 0, cx)? else { return Ok(Value::Null) };
    let both: fn(u64, u64) -> u64 = match f {
        Bits::BitNot => return Ok(Value::UInt(!x)),
        Bits::BitCount => return Ok(Value::Int(x.count_ones() as i64)),
        Bits::BitAnd => |x, y| x & y,
        Bits::BitOr => |x, y| x | y,
        Bits::BitXor => |x, y| x ^ y,
        Bits::Shl => |x, y| u32::try_from(y).ok().and_then(|n| x.checked_shl(n)).unwrap_or(0),
        Bits::Shr => |x, y| u32::try_from(y).ok().and_then(|n| x.checked_shr(n)).unwrap_or(0),
    };
    Ok(bit_operand(a, 1, cx)?.map_or(Value::Null, |y| Value::UInt(both(x, y))))
}
