//! Bit operators on binary strings: operands of one length (3513), a result of that length.
//!
//! Pure functions. Tested by `tests/sql/golden/bit_strings.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use planner::expr::AggFunc;
use planner::func::FuncId;
use value::Value;

use super::Args;
use crate::eval::Cx;

/// `& | ^ ~ << >>` whose result is a binary string.
pub(super) fn bits<'a>(f: FuncId, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(x) = a.text(0, cx)? else { return Ok(Value::Null) };
    let out: Vec<u8> = match f {
        FuncId::BitNot => x.iter().map(|b| !b).collect(),
        FuncId::Shl | FuncId::Shr => {
            let Some(n) = a.uint(1, cx)? else { return Ok(Value::Null) };
            shift(x, n, f == FuncId::Shl)
        }
        _ => {
            let Some(y) = a.text(1, cx)? else { return Ok(Value::Null) };
            if x.len() != y.len() {
                return Err(SqlError::new(ErrorCode::INVALID_BITWISE_OPERANDS_SIZE, &[]));
            }
            let pairs = x.iter().zip(y);
            match f {
                FuncId::BitAnd => pairs.map(|(x, y)| x & y).collect(),
                FuncId::BitOr => pairs.map(|(x, y)| x | y).collect(),
                _ => pairs.map(|(x, y)| x ^ y).collect(),
            }
        }
    };
    Ok(a.str(&out))
}

/// One more value of BIT_AND, BIT_OR or BIT_XOR.
pub(crate) fn accumulate(f: AggFunc, sum: &mut [u8], x: &[u8]) -> SqlResult<()> {
    if sum.len() != x.len() {
        return Err(SqlError::new(ErrorCode::INVALID_BITWISE_OPERANDS_SIZE, &[]));
    }
    for (s, b) in sum.iter_mut().zip(x) {
        match f {
            AggFunc::BitAnd => *s &= b,
            AggFunc::BitOr => *s |= b,
            _ => *s ^= b,
        }
    }
    Ok(())
}

/// The string as one number, shifted by `n` bits; what leaves it is lost.
fn shift(x: &[u8], n: u64, left: bool) -> Vec<u8> {
    let len = x.len();
    let bytes = usize::try_from(n / 8).unwrap_or(usize::MAX);
    let rest = (n % 8) as u32;
    let at = |i: Option<usize>| u16::from(i.and_then(|i| x.get(i)).copied().unwrap_or(0));
    (0..len)
        .map(|i| {
            if left {
                let from = i.checked_add(bytes);
                let two = at(from) << 8 | at(from.and_then(|f| f.checked_add(1)));
                ((two << rest) >> 8) as u8
            } else {
                let from = i.checked_sub(bytes);
                let two = at(from.and_then(|f| f.checked_sub(1))) << 8 | at(from);
                (two >> rest) as u8
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::shift;

    #[test]
    fn shifts_cross_bytes() {
        assert_eq!(shift(&[0x01, 0x80], 1, true), [0x03, 0x00]);
        assert_eq!(shift(&[0x01, 0x80], 1, false), [0x00, 0xc0]);
        assert_eq!(shift(&[0x01, 0x80], 9, true), [0x00, 0x00]);
        assert_eq!(shift(&[0x01, 0x80], 8, false), [0x00, 0x01]);
        assert_eq!(shift(&[0xff], 64, true), [0x00]);
        assert!(shift(&[], 3, true).is_empty());
    }
}
