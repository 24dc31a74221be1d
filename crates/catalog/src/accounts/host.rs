//! Host patterns of account names: `%`, `_`, names, addresses, `address/netmask`, `address/bits`.

use std::cmp::Reverse;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Sort key: the account to try first comes first. Exact hosts, then netmasks by length, then patterns by the place of their first
/// wildcard, `%` and the empty host last; within a host, named users before the anonymous one.
pub fn rank(host: &str, user: &str) -> (u8, Reverse<usize>, bool, String) {
    let wild = host.find(['%', '_']);
    let (class, specific) = match wild {
        _ if host.is_empty() || host == "%" => (3, 0),
        Some(at) => (2, at),
        None if host.contains('/') => (1, mask_bits(host)),
        None => (0, 0),
    };
    (class, Reverse(specific), user.is_empty(), host.to_owned())
}

fn mask_bits(host: &str) -> usize {
    match parse_mask(host) {
        Some((_, IpAddr::V4(m))) => u32::from(m).count_ones() as usize,
        Some((_, IpAddr::V6(m))) => u128::from(m).count_ones() as usize,
        None => 0,
    }
}

/// `address/netmask` or `address/bits`.
fn parse_mask(pattern: &str) -> Option<(IpAddr, IpAddr)> {
    let (net, mask) = pattern.split_once('/')?;
    let net: IpAddr = net.parse().ok()?;
    if let Ok(mask) = mask.parse::<IpAddr>() {
        return Some((net, mask));
    }
    let bits: u32 = mask.parse().ok()?;
    let mask = match net {
        IpAddr::V4(_) if bits <= 32 => IpAddr::V4(u32::MAX.checked_shl(32 - bits).unwrap_or(0).into()),
        IpAddr::V6(_) if bits <= 128 => IpAddr::V6(u128::MAX.checked_shl(128 - bits).unwrap_or(0).into()),
        _ => return None,
    };
    Some((net, mask))
}

/// Whether a pattern admits an address.
pub fn matches_ip(pattern: &str, ip: IpAddr) -> bool {
    if let Some((net, mask)) = parse_mask(pattern) {
        return match (net, mask, ip) {
            (IpAddr::V4(n), IpAddr::V4(m), IpAddr::V4(i)) => u32::from(i) & u32::from(m) == u32::from(n),
            (IpAddr::V6(n), IpAddr::V6(m), IpAddr::V6(i)) => u128::from(i) & u128::from(m) == u128::from(n),
            _ => false,
        };
    }
    if let Ok(p) = pattern.parse::<IpAddr>() {
        return p.to_canonical() == ip;
    }
    matches_name(pattern, &ip.to_string())
}

/// Whether a pattern admits a host name (or an address as text). An empty pattern means `%`.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    pattern.is_empty() || like(pattern.to_ascii_lowercase().as_bytes(), name.to_ascii_lowercase().as_bytes())
}

/// LIKE with `%`, `_` and `\`, bytewise, without recursion.
pub fn like(pattern: &[u8], s: &[u8]) -> bool {
    let (mut p, mut i) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while i < s.len() {
        let c = s.get(i);
        match pattern.get(p) {
            Some(b'%') => {
                back = Some((p + 1, i));
                p += 1;
                continue;
            }
            Some(b'\\') if pattern.get(p + 1) == c => {
                p += 2;
                i += 1;
                continue;
            }
            Some(b'_') => {
                p += 1;
                i += 1;
                continue;
            }
            other if other == c && other != Some(&b'\\') => {
                p += 1;
                i += 1;
                continue;
            }
            _ => {}
        }
        match back {
            Some((bp, bi)) => {
                p = bp;
                i = bi + 1;
                back = Some((bp, bi + 1));
            }
            None => return false,
        }
    }
    pattern.get(p..).unwrap_or(&[]).iter().all(|c| *c == b'%')
}

/// Whether MySQL calls this address `localhost`: 127.0.0.1 and ::1, not the others of the loopback's network.
pub fn is_localhost(ip: IpAddr) -> bool {
    ip == IpAddr::V4(Ipv4Addr::LOCALHOST) || ip == IpAddr::V6(Ipv6Addr::LOCALHOST)
}

/// Whether a pattern admits loopback clients only.
pub fn is_local_only(pattern: &str) -> bool {
    pattern.eq_ignore_ascii_case("localhost")
        || pattern.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let ip = |s: &str| s.parse::<IpAddr>().unwrap();
        assert!(
            matches_ip("%", ip("1.2.3.4")) && matches_ip("1.2.%", ip("1.2.3.4")) && !matches_ip("1.2.%", ip("1.3.3.4"))
        );
        assert!(matches_ip("1.2.0.0/16", ip("1.2.3.4")) && !matches_ip("1.2.0.0/16", ip("1.3.3.4")));
        assert!(matches_ip("0.0.0.0/0", ip("1.3.3.4")) && matches_ip("::1", ip("::1")));
        assert!(matches_name("%.example.com", "a.b.EXAMPLE.com") && !matches_name("localhost", "local"));
        assert!(
            like(b"a%b%c", b"axxbyybzzc") && !like(b"a%b%c", b"axxbyybzz") && like(b"\\%", b"%") && !like(b"\\%", b"x")
        );
        assert!(is_localhost(ip("127.0.0.1")) && is_localhost(ip("::1")) && !is_localhost(ip("127.0.0.8")));
        assert!(is_local_only("127.0.0.1") && !is_local_only("127.0.%"));
    }
}
