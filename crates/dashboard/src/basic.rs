//! Basic authentication: `Authorization: Basic base64(user:password)` (RFC 7617).

/// Name and password out of the header's value. `None`: it is another kind or not well-formed.
pub(crate) fn credentials(header: &[u8]) -> Option<(String, Vec<u8>)> {
    let (scheme, rest) = header.split_at_checked(6)?;
    if !scheme.eq_ignore_ascii_case(b"basic ") {
        return None;
    }
    let plain = decode(rest.trim_ascii())?;
    let colon = plain.iter().position(|b| *b == b':')?;
    let (user, password) = plain.split_at(colon);
    Some((String::from_utf8(user.to_vec()).ok()?, password.get(1..)?.to_vec()))
}

/// The bytes of a base64 text (RFC 4648, with its padding).
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let body = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    if text.len() % 4 != 0 || body.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(body.len() * 3 / 4);
    for four in body.chunks(4) {
        let mut bits = 0u32;
        for c in four {
            let six = match c {
                b'A'..=b'Z' => c - b'A',
                b'a'..=b'z' => c - b'a' + 26,
                b'0'..=b'9' => c - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(six);
        }
        bits <<= 6 * (4 - four.len());
        let [_, a, b, c] = bits.to_be_bytes();
        out.extend([a, b, c].iter().take(four.len() - 1));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{credentials, decode};

    #[test]
    fn headers() {
        assert_eq!(credentials(b"Basic cm9vdDo="), Some(("root".into(), b"".to_vec())));
        assert_eq!(credentials(b"bASIC  YTpiOmM="), Some(("a".into(), b"b:c".to_vec())));
        for wrong in [&b"Bearer cm9vdDo="[..], b"Basic", b"Basic cm9vdA==", b"Basic cm9vdDo", b"Basic cm9v*Do=", b""] {
            assert_eq!(credentials(wrong), None, "{}", String::from_utf8_lossy(wrong));
        }
    }

    #[test]
    fn base64() {
        let texts =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("\u{e9}?>", "w6k/Pg==")];
        for (plain, coded) in texts {
            assert_eq!(decode(coded.as_bytes()).as_deref(), Some(plain.as_bytes()), "{coded}");
        }
    }
}
