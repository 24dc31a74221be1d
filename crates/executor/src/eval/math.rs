//! Mathematical functions.

use base::{ErrorCode, SqlError, SqlResult};
use planner::expr::Expr;
use planner::func::FuncId;
use planner::types::{NumClass, num_class};
use value::{TypeKind, Value};

use super::Args;
use crate::eval::Cx;

fn double<'a>(r: f64, e: &Expr) -> SqlResult<Value<'a>> {
    if r.is_finite() {
        Ok(Value::Double(r))
    } else {
        Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"DOUBLE", &planner::explain::print(e)]))
    }
}

/// NULL with warning 3020 for an argument outside a logarithm's domain.
fn bad_log<'a>(f: FuncId, cx: &mut Cx<'_>) -> Value<'a> {
    let e = SqlError::with_message(ErrorCode::INVALID_ARGUMENT_FOR_LOGARITHM, "Invalid argument for logarithm");
    let _ = f;
    cx.env.conv.push(value::Level::Warning, e);
    Value::Null
}

/// The functions of this family.
pub(super) fn call<'a>(f: FuncId, a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use FuncId as F;
    match f {
        F::Pi => return Ok(Value::Double(std::f64::consts::PI)),
        F::Rand => return rand(a, cx),
        F::Abs => return abs(a, e, cx),
        F::Ceil | F::Floor => return ceil_floor(f, a, cx),
        F::Round | F::Truncate => return round(f, a, e, cx),
        F::Pow | F::Atan2 => {
            let (Some(x), Some(y)) = (a.double(0, cx)?, a.double(1, cx)?) else { return Ok(Value::Null) };
            return double(if f == F::Pow { x.powf(y) } else { x.atan2(y) }, e);
        }
        F::Atan if a.len() == 2 => {
            let (Some(x), Some(y)) = (a.double(0, cx)?, a.double(1, cx)?) else { return Ok(Value::Null) };
            return double(x.atan2(y), e);
        }
        F::Log if a.len() == 2 => {
            let (Some(b), Some(x)) = (a.double(0, cx)?, a.double(1, cx)?) else { return Ok(Value::Null) };
            if b <= 0.0 || x <= 0.0 || b == 1.0 {
                return Ok(bad_log(f, cx));
            }
            return double(x.ln() / b.ln(), e);
        }
        _ => {}
    }
    let Some(x) = a.double(0, cx)? else { return Ok(Value::Null) };
    let r = match f {
        F::Sign => {
            return Ok(Value::Int(if x > 0.0 {
                1
            } else if x < 0.0 {
                -1
            } else {
                0
            }));
        }
        F::Sqrt if x < 0.0 => return Ok(Value::Null),
        F::Sqrt => x.sqrt(),
        F::Exp => x.exp(),
        F::Ln | F::Log | F::Log2 | F::Log10 if x <= 0.0 => return Ok(bad_log(f, cx)),
        F::Ln | F::Log => x.ln(),
        F::Log2 => x.log2(),
        F::Log10 => x.log10(),
        F::Sin => x.sin(),
        F::Cos => x.cos(),
        F::Tan => x.tan(),
        F::Cot => 1.0 / x.tan(),
        F::Asin | F::Acos if !(-1.0..=1.0).contains(&x) => return Ok(Value::Null),
        F::Asin => x.asin(),
        F::Acos => x.acos(),
        F::Atan => x.atan(),
        F::Radians => x.to_radians(),
        F::Degrees => x.to_degrees(),
        _ => return Err(SqlError::unsupported(f.name())),
    };
    double(r, e)
}

fn abs<'a>(a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match num_class(a.ty(0)?) {
        NumClass::Int => match a.value(0, cx)? {
            Value::Null => Ok(Value::Null),
            Value::UInt(n) => Ok(Value::UInt(n)),
            v => match a.to_int(v, 0, cx)? {
                None => Ok(Value::Null),
                Some(n) => n.checked_abs().map(Value::Int).ok_or_else(|| {
                    SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"BIGINT", &planner::explain::print(e)])
                }),
            },
        },
        NumClass::Decimal => Ok(a.decimal(0, cx)?.map_or(Value::Null, |d| a.dec(d.abs()))),
        NumClass::Double => Ok(a.double(0, cx)?.map_or(Value::Null, |d| Value::Double(d.abs()))),
    }
}

fn ceil_floor<'a>(f: FuncId, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match num_class(a.ty(0)?) {
        NumClass::Int => match a.value(0, cx)? {
            v @ (Value::Null | Value::Int(_) | Value::UInt(_)) => Ok(v),
            v => Ok(a.to_int(v, 0, cx)?.map_or(Value::Null, Value::Int)),
        },
        NumClass::Decimal => {
            let Some(d) = a.decimal(0, cx)? else { return Ok(Value::Null) };
            let d = if f == FuncId::Ceil { d.ceil() } else { d.floor() };
            if a.ty.kind == TypeKind::Decimal { Ok(a.dec(d)) } else { Ok(Value::Int(d.to_i64().unwrap_or_else(|n| n))) }
        }
        NumClass::Double => {
            let Some(d) = a.double(0, cx)? else { return Ok(Value::Null) };
            Ok(Value::Double(if f == FuncId::Ceil { d.ceil() } else { d.floor() }))
        }
    }
}

fn round<'a>(f: FuncId, a: &Args<'a>, e: &Expr, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let places = if a.len() > 1 {
        match a.value(1, cx)? {
            Value::UInt(n) => n.min(400) as i32,
            v => match a.to_int(v, 1, cx)? {
                None => return Ok(Value::Null),
                Some(n) => n.clamp(-400, 400) as i32,
            },
        }
    } else {
        0
    };
    match num_class(a.ty(0)?) {
        NumClass::Int => {
            let v = a.value(0, cx)?;
            if v.is_null() {
                return Ok(Value::Null);
            }
            if places >= 0 {
                return Ok(match v {
                    Value::Int(_) | Value::UInt(_) => v,
                    _ => a.to_int(v, 0, cx)?.map_or(Value::Null, Value::Int),
                });
            }
            let n: i128 = match v {
                Value::UInt(n) => n as i128,
                Value::Int(n) => n as i128,
                _ => a.to_int(v, 0, cx)?.unwrap_or(0) as i128,
            };
            let Some(unit) = 10i128.checked_pow((-places) as u32).filter(|_| places > -30) else { return Ok(zero(a)) };
            let t = n / unit * unit;
            let r = if f == FuncId::Round && (n - t).abs() * 2 >= unit { t + unit * n.signum() } else { t };
            let bad = || {
                let what = if a.ty.unsigned { "BIGINT UNSIGNED" } else { "BIGINT" };
                SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&what, &planner::explain::print(e)])
            };
            if a.ty.unsigned {
                u64::try_from(r).map(Value::UInt).map_err(|_| bad())
            } else {
                i64::try_from(r).map(Value::Int).map_err(|_| bad())
            }
        }
        NumClass::Decimal => {
            let Some(d) = a.decimal(0, cx)? else { return Ok(Value::Null) };
            let places = places.clamp(-65, 30);
            let mut r = if f == FuncId::Round { d.round(places) } else { d.truncate(places) };
            if r.scale() > a.ty.decimals {
                r = r.truncate(a.ty.decimals as i32);
            }
            Ok(a.dec(r))
        }
        NumClass::Double => {
            let Some(d) = a.double(0, cx)? else { return Ok(Value::Null) };
            Ok(Value::Double(round_f64(d, places, f == FuncId::Truncate)))
        }
    }
}

fn zero<'a>(a: &Args<'_>) -> Value<'a> {
    if a.ty.unsigned { Value::UInt(0) } else { Value::Int(0) }
}

/// 10 to the power of `n`, the nearest double (`powi` multiplies, and errs beyond 22).
fn power_of_ten(n: u32) -> Option<f64> {
    static POWERS: std::sync::LazyLock<Vec<f64>> =
        std::sync::LazyLock::new(|| (0..=308).map(|n| format!("1e{n}").parse().unwrap_or(f64::INFINITY)).collect());
    POWERS.get(n as usize).copied()
}

/// Rounds half to even in the platform's way for doubles (manual: ROUND "depends on the C library").
pub(super) fn round_f64(v: f64, places: i32, truncate: bool) -> f64 {
    let Some(p) = power_of_ten(places.unsigned_abs()) else { return if places > 0 { v } else { 0.0 } };
    let scaled = if places >= 0 { v * p } else { v / p };
    if !scaled.is_finite() {
        return v;
    }
    let r = if truncate { scaled.trunc() } else { value::number::rint(scaled) };
    if places >= 0 { r / p } else { r * p }
}

/// MySQL's generator, so that RAND(n) gives MySQL's sequence.
fn rand<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    const MAX: u32 = 0x3fff_ffff;
    let mut seeds = cx.env.rand.seeds;
    if a.len() == 1 {
        let key = a.expr(0)? as *const Expr as usize;
        let n = a.int(0, cx)?.unwrap_or(0) as u32;
        let constant = a.expr(0)?.is_const();
        let start = (n.wrapping_mul(0x10001).wrapping_add(55_555_555) % MAX, n.wrapping_mul(0x1000_0001) % MAX);
        seeds = if constant { *cx.env.rand.states.entry(key).or_insert(start) } else { start };
        let v = step(&mut seeds);
        cx.env.rand.states.insert(key, seeds);
        return Ok(Value::Double(v));
    }
    let v = step(&mut seeds);
    cx.env.rand.seeds = seeds;
    Ok(Value::Double(v))
}

fn step(s: &mut (u32, u32)) -> f64 {
    const MAX: u64 = 0x3fff_ffff;
    let a = (s.0 as u64 * 3 + s.1 as u64) % MAX;
    let b = (a + s.1 as u64 + 33) % MAX;
    *s = (a as u32, b as u32);
    a as f64 / MAX as f64
}
