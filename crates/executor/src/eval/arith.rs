//! `+ - * / DIV %`, unary minus, bit operators.
//!
//! BIGINT arithmetic that leaves its range is error 1690, never a wrapped number; DECIMAL keeps MySQL's scales; division by
//! zero is NULL with warning 1365 (an error where data is changed in strict mode).

use base::{ErrorCode, SqlError, SqlResult};
use planner::expr::Expr;
use planner::func::FuncId;
use planner::types::{NumClass, num_class};
use value::{TypeKind, Value, convert};

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
            Some(numbers::read(e, cx, |conv| match bits {
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
pub(super) fn arithmetic<'a>(f: FuncId, a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let class = match a.ty.kind {
        TypeKind::Decimal => NumClass::Decimal,
        k if k.is_float() => NumClass::Double,
        _ => NumClass::Int,
    };
    match (f, class) {
        (FuncId::Neg, NumClass::Int) => match wide(a, 0, cx)? {
            None => Ok(Value::Null),
            Some(n) => fit(-n, a, e),
        },
        (FuncId::Neg, NumClass::Decimal) => Ok(a.decimal(0, cx)?.map_or(Value::Null, |d| a.dec(d.neg()))),
        (FuncId::Neg, NumClass::Double) => Ok(a.double(0, cx)?.map_or(Value::Null, |d| Value::Double(-d))),
        (FuncId::IntDiv, _) => int_div(a, e, cx),
        (_, NumClass::Int) => {
            let (Some(x), Some(y)) = (wide(a, 0, cx)?, wide(a, 1, cx)?) else { return Ok(Value::Null) };
            match f {
                FuncId::Add => fit(x + y, a, e),
                FuncId::Sub => fit(x - y, a, e),
                FuncId::Mul => x.checked_mul(y).map_or_else(|| int_range(a, e), |n| fit(n, a, e)),
                FuncId::Mod => {
                    if y == 0 {
                        cx.env.conv.division_by_zero()?;
                        return Ok(Value::Null);
                    }
                    fit(x % y, a, e)
                }
                _ => Err(SqlError::unsupported(f.name())),
            }
        }
        (_, NumClass::Decimal) => {
            let (Some(x), Some(y)) = (a.decimal(0, cx)?, a.decimal(1, cx)?) else { return Ok(Value::Null) };
            let r = match f {
                FuncId::Add => x.add(&y).map(Some),
                FuncId::Sub => x.sub(&y).map(Some),
                FuncId::Mul => x.mul(&y).map(Some),
                FuncId::Div => x.div(&y, cx.env.vars.num(catalog::sysvar::Var::div_precision_increment).min(30) as u8),
                FuncId::Mod => x.rem(&y),
                _ => return Err(SqlError::unsupported(f.name())),
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
                FuncId::Add => x + y,
                FuncId::Sub => x - y,
                FuncId::Mul => x * y,
                FuncId::Div | FuncId::Mod if y == 0.0 => {
                    cx.env.conv.division_by_zero()?;
                    return Ok(Value::Null);
                }
                FuncId::Div => x / y,
                FuncId::Mod => x % y,
                _ => return Err(SqlError::unsupported(f.name())),
            };
            if r.is_finite() { Ok(Value::Double(r)) } else { out_of_range("DOUBLE", e) }
        }
    }
}

fn int_div<'a>(a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let class = num_class(a.ty(0)?).max(num_class(a.ty(1)?));
    if class == NumClass::Int {
        let (Some(x), Some(y)) = (wide(a, 0, cx)?, wide(a, 1, cx)?) else { return Ok(Value::Null) };
        if y == 0 {
            cx.env.conv.division_by_zero()?;
            return Ok(Value::Null);
        }
        return fit(x / y, a, e);
    }
    let (Some(x), Some(y)) = (a.decimal(0, cx)?, a.decimal(1, cx)?) else { return Ok(Value::Null) };
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
            Some(numbers::read(e, cx, |conv| convert::to_u64(v, &e.ty, conv)))
        }
    })
}

/// Bit operators over unsigned 64-bit integers.
pub(super) fn bits<'a>(f: FuncId, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    if a.ty.kind.is_binary_string() {
        return super::bitbytes::bits(f, a, cx);
    }
    if f == FuncId::BitCount && a.ty(0)?.kind.is_binary_string() {
        let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
        return Ok(Value::Int(s.iter().map(|b| i64::from(b.count_ones())).sum()));
    }
    let Some(x) = bit_operand(a, 0, cx)? else { return Ok(Value::Null) };
    if f == FuncId::BitNot {
        return Ok(Value::UInt(!x));
    }
    if f == FuncId::BitCount {
        return Ok(Value::Int(x.count_ones() as i64));
    }
    let Some(y) = bit_operand(a, 1, cx)? else { return Ok(Value::Null) };
    Ok(Value::UInt(match f {
        FuncId::BitAnd => x & y,
        FuncId::BitOr => x | y,
        FuncId::BitXor => x ^ y,
        FuncId::Shl => u32::try_from(y).ok().and_then(|n| x.checked_shl(n)).unwrap_or(0),
        FuncId::Shr => u32::try_from(y).ok().and_then(|n| x.checked_shr(n)).unwrap_or(0),
        _ => return Err(SqlError::unsupported(f.name())),
    }))
}
