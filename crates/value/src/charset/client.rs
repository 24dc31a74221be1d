//! Text of clients: statements are read in utf8mb4.
//!
//! In big5, gbk, sjis, cp932 and gb18030 the second byte of a character may be a backslash or a quote, and swe7 has letters in place of
//! brackets: statements in them become utf8mb4 when they arrive ([`arrive`]). Bytes that are no characters become private characters (U+F0000
//! and the byte), so that the bytes of a literal can be had back ([`depart`]).

use std::borrow::Cow;

use super::Charset;

/// First of the private characters that stand for bytes.
const BYTES: u32 = 0xF_0000;

/// A statement's text in utf8mb4; as it is for sets in which it can be read. `escapes`: a backslash takes the next byte, be it the first of a
/// character (not under NO_BACKSLASH_ESCAPES). That is how mysql_real_escape_string keeps a byte from making a character of the backslash behind it
/// (`\\ BF \\ '` in gbk): taken for a character, it would leave the quote open.
pub fn arrive(cs: Charset, s: &[u8], escapes: bool) -> Cow<'_, [u8]> {
    if !cs.hides_ascii() || (cs.has_ascii() && s.is_ascii()) {
        return Cow::Borrowed(s);
    }
    let mut out = Vec::with_capacity(s.len() * 2);
    let mut rest = s;
    while !rest.is_empty() {
        if escapes
            && cs.has_ascii()
            && let [b'\\', b, tail @ ..] = rest
        {
            out.push(b'\\');
            // a backslash that is escaped itself escapes nothing
            if *b >= 0x80 {
                Charset::Utf8mb4.encode(BYTES + u32::from(*b), &mut out);
            } else {
                out.push(*b);
            }
            rest = tail;
            continue;
        }
        let n = cs.char_len(rest).max(1);
        let (head, tail) = rest.split_at_checked(n).unwrap_or((rest, b""));
        let private = BYTES..BYTES + 256;
        match cs.decode(head).filter(|(p, _)| !private.contains(p)) {
            Some((p, _)) => {
                Charset::Utf8mb4.encode(p, &mut out);
            }
            None => {
                for b in head {
                    Charset::Utf8mb4.encode(BYTES + u32::from(*b), &mut out);
                }
            }
        }
        rest = tail;
    }
    Cow::Owned(out)
}

/// The bytes that [`arrive`] made this text of.
pub fn depart(cs: Charset, s: &[u8]) -> Cow<'_, [u8]> {
    if !cs.hides_ascii() || (cs.has_ascii() && s.is_ascii()) {
        return Cow::Borrowed(s);
    }
    let mut out = Vec::with_capacity(s.len());
    let mut rest = s;
    while let Some(&b) = rest.first() {
        let n = match Charset::Utf8mb4.decode(rest) {
            Some((p, n)) => {
                if (BYTES..BYTES + 256).contains(&p) {
                    out.push(p as u8);
                } else if !cs.encode(p, &mut out) {
                    out.push(b'?');
                }
                n
            }
            None => {
                out.push(b);
                1
            }
        };
        rest = rest.get(n..).unwrap_or(b"");
    }
    Cow::Owned(out)
}

/// A string literal of a client with this set in the character set of the connection.
pub fn literal(client: Charset, connection: Charset, s: &[u8]) -> Cow<'_, [u8]> {
    let s = depart(client, s);
    let same = client == connection
        || client == Charset::Binary
        || connection == Charset::Binary
        || (client.is_utf8() && connection.is_utf8())
        || (client.has_ascii() && connection.has_ascii() && s.is_ascii());
    if same {
        return s;
    }
    let mut out = Vec::with_capacity(s.len() * 2);
    super::convert(&s, client, connection, &mut out);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn backslashes_inside_characters() {
        // 誠 of gbk and 表 of sjis end in 5C
        assert_eq!(&*arrive(Charset::Gbk, b"'\xD5\x5C'", true), "'誠'".as_bytes());
        assert_eq!(&*arrive(Charset::Sjis, b"'\x95\x5C\\n'", true), "'表\\n'".as_bytes());
        // an escaped byte is no character with what follows it
        let escaped = b"'\\\xBF\\''";
        let there = arrive(Charset::Gbk, escaped, true);
        assert!(there.ends_with(b"\\''") && &*depart(Charset::Gbk, &there) == escaped);
        // a backslash that is escaped leaves the character behind it whole
        assert_eq!(&*arrive(Charset::Sjis, b"'\\\\\x95\x5C'", true), "'\\\\表'".as_bytes());
        assert_eq!(&*arrive(Charset::Gbk, b"'\\\\\\\\\xD5\x5C\\''", true), "'\\\\\\\\誠\\''".as_bytes());
        assert!(arrive(Charset::Gbk, escaped, false).ends_with("縗''".as_bytes()));
        assert_eq!(&*arrive(Charset::Gb18030, b"\x94\x39\xFC\x36", true), "😀".as_bytes());
        assert_eq!(&*arrive(Charset::Swe7, b"[\\]", true), "ÄÖÅ".as_bytes());
        assert_eq!(&*literal(Charset::Gbk, Charset::Utf16, "誠".as_bytes()), b"\x8A\xA0");
        assert_eq!(&*literal(Charset::Utf8mb4, Charset::Ucs2, b"a"), b"\0a");
        assert_eq!(&*literal(Charset::Latin1, Charset::Utf8mb4, b"\xE4"), "ä".as_bytes());
    }

    proptest! {
        #[test]
        fn bytes_come_back(s in proptest::collection::vec(any::<u8>(), 0..30)) {
            for cs in [Charset::Big5, Charset::Gbk, Charset::Sjis, Charset::Cp932, Charset::Gb18030] {
                let there = arrive(cs, &s, false).into_owned();
                prop_assert!(std::str::from_utf8(&there).is_ok());
                let back = depart(cs, &there).into_owned();
                // codes that share a code point with another become that one
                if back != s {
                    prop_assert_eq!(arrive(cs, &back, false).into_owned(), there, "{:?}", cs);
                }
            }
        }
    }
}
