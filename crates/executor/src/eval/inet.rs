//! Network addresses: as text and numbers ([`ipv4`]) and as bytes ([`ipv6`]).
//!
//! Source: manual, "Miscellaneous Functions". Tested: `tests/sql/golden/functions.sql`.

use base::SqlResult;
use planner::func::family::{Ipv4, Ipv6};
use std::net::{Ipv4Addr, Ipv6Addr};
use value::Value;

use super::{Args, wrong_value};
use crate::eval::Cx;

/// The bytes of `1.2.3.4`. Numbers may have zeros in front, up to three digits (the library's have none).
pub(super) fn v4(text: &str) -> Option<[u8; 4]> {
    let number = |part: &str| {
        let digits = (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if digits { part.parse::<u8>().ok() } else { None }
    };
    let parts: Option<Vec<u8>> = text.split('.').map(number).collect();
    parts?.try_into().ok()
}

/// The bytes of an IPv6 address, whose end may be written as an IPv4 one.
pub(super) fn v6(text: &str) -> Option<[u8; 16]> {
    let address = match text.rsplit_once(':').filter(|(_, end)| end.contains('.')) {
        Some((head, end)) => {
            let [a, b, c, d] = v4(end)?;
            format!("{head}:{:x}:{:x}", u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])).parse::<Ipv6Addr>()
        }
        None => text.parse::<Ipv6Addr>(),
    };
    address.ok().map(|a| a.octets())
}

/// Functions of addresses as text or as a number. What is no address gives NULL and warning 1411 for conversions, 0 for
/// tests.
pub(super) fn ipv4<'a>(f: Ipv4, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    if f == Ipv4::InetNtoa {
        let Some(n) = a.uint(0, cx)? else { return Ok(Value::Null) };
        return Ok(match u32::try_from(n) {
            Ok(n) => a.str(std::net::Ipv4Addr::from(n).to_string().as_bytes()),
            Err(_) => wrong_value("integer", a, f, cx),
        });
    }
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let text = String::from_utf8_lossy(s);
    Ok(match f {
        Ipv4::IsIpv4 => Value::from_bool(v4(&text).is_some()),
        Ipv4::IsIpv6 => Value::from_bool(v6(&text).is_some()),
        Ipv4::InetAton | Ipv4::InetNtoa => match inet_aton(&text) {
            Some(n) => Value::UInt(n),
            None => wrong_value("string", a, f, cx),
        },
    })
}

/// Functions of addresses as bytes. What is no address gives NULL and warning 1411 for conversions, 0 for tests.
pub(super) fn ipv6<'a>(f: Ipv6, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.text(0, cx)? else {
        return Ok(Value::Null);
    };
    Ok(match f {
        Ipv6::Inet6Aton => {
            let text = String::from_utf8_lossy(s);
            let bytes = match (v4(&text), v6(&text)) {
                (Some(v4), _) => v4.to_vec(),
                (_, Some(v6)) => v6.to_vec(),
                _ => return Ok(wrong_value("string", a, f, cx)),
            };
            a.str(&bytes)
        }
        Ipv6::Inet6Ntoa => {
            let binary = a.ty(0)?.collation == value::CollationId::BINARY;
            let text = match (<[u8; 4]>::try_from(s), <[u8; 16]>::try_from(s)) {
                (Ok(b), _) if binary => Ipv4Addr::from(b).to_string(),
                (_, Ok(b)) if binary => shown(b),
                _ => return Ok(wrong_value("string", a, f, cx)),
            };
            a.str(text.as_bytes())
        }
        Ipv6::IsIpv4Compat => {
            Value::from_bool(matches!(<[u8; 16]>::try_from(s), Ok([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, w, x, y, z])
                if u32::from_be_bytes([w, x, y, z]) > 1))
        }
        Ipv6::IsIpv4Mapped => {
            Value::from_bool(matches!(<[u8; 16]>::try_from(s), Ok([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ..])))
        }
    })
}

/// As MySQL prints it: IPv4-compatible addresses with dots too.
fn shown(b: [u8; 16]) -> String {
    let v6 = Ipv6Addr::from(b);
    match b {
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, w, x, y, z] if (w, x) != (0, 0) => {
            format!("::{}", Ipv4Addr::new(w, x, y, z))
        }
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ..] => v6.to_string(),
        _ => compressed(v6.segments()),
    }
}

/// Hexadecimal groups with `::` for the first of the longest runs of zeros, a single zero too (which the library writes
/// out).
fn compressed(groups: [u16; 8]) -> String {
    let (mut best, mut run) = ((0, 0), (0, 0));
    for (i, g) in groups.iter().enumerate() {
        run = if *g == 0 { (run.0, run.1 + 1) } else { (i + 1, 0) };
        if run.1 > best.1 {
            best = run;
        }
    }
    let hex = |g: &[u16]| g.iter().map(|g| format!("{g:x}")).collect::<Vec<_>>().join(":");
    let (head, rest) = groups.split_at_checked(best.0).unwrap_or((&groups, &[]));
    match rest.split_at_checked(best.1) {
        Some((zeros, tail)) if !zeros.is_empty() => format!("{}::{}", hex(head), hex(tail)),
        _ => hex(&groups),
    }
}

/// `a.b.c.d`, also the short forms `a.d` and `a.b.d`.
fn inet_aton(s: &str) -> Option<u64> {
    let parts: Vec<u64> = s.split('.').map(|p| p.parse::<u8>().ok().map(u64::from)).collect::<Option<_>>()?;
    match parts.as_slice() {
        [a] => Some(*a),
        [a, d] => Some(a << 24 | d),
        [a, b, d] => Some(a << 24 | b << 16 | d),
        [a, b, c, d] => Some(a << 24 | b << 16 | c << 8 | d),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inet_forms() {
        assert_eq!(inet_aton("127.0.0.1"), Some(2_130_706_433));
        assert_eq!(inet_aton("127.1"), Some(2_130_706_433));
        assert_eq!(inet_aton("256.1.1.1"), None);
    }
}
