//! Functions of a text: its codes and encodings.

use base::SqlResult;
use planner::expr::{Expr, ExprKind};
use planner::func::family::Encoded;
use value::{CollationId, TypeKind, Value};

use super::Args;
use crate::eval::Cx;

/// The functions of this family.
pub(super) fn call<'a>(f: Encoded, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Encoded as F;
    let Some(s) = a.text(0, cx)? else {
        return Ok(if f == F::Quote { Value::Str(b"NULL") } else { Value::Null });
    };
    Ok(match f {
        F::Ascii => Value::Int(s.first().map_or(0, |b| *b as i64)),
        F::Ord => {
            let n = a.ty(0)?.text_collation().charset().char_len(s).min(s.len());
            Value::Int(s.iter().take(n).fold(0, |v, b| v << 8 | *b as i64))
        }
        F::Unhex => match unhex(s)? {
            Some(b) => a.long(&b)?,
            None => super::wrong_value("string", a, f, cx),
        },
        F::FindInSet => {
            let Some(list) = a.text(1, cx)? else { return Ok(Value::Null) };
            let c = a.ty(0)?.text_collation();
            if list.is_empty() || s.contains(&b',') {
                return Ok(Value::Int(0));
            }
            let cs = (c != CollationId::BINARY).then(|| c.charset());
            // without padding: 'a' is not 'a ' in the list
            let equal = |p: &[u8]| p == s || c != CollationId::BINARY && super::string::equal_unpadded(p, s, cs, c);
            let mut hit = None;
            for (i, p) in list.split(|b| *b == b',').enumerate() {
                base::interrupt::worked(p.len() + WEIGHT)?;
                if equal(p) {
                    hit = Some(i);
                    break;
                }
            }
            // a constant in a SET column: the number of the member, which MySQL finds by bits
            let member = match a.list {
                [x, Expr { kind: ExprKind::Column { .. }, ty, .. }] if x.is_const() && ty.kind == TypeKind::Set => hit
                    .and_then(|i| list.split(|b| *b == b',').nth(i))
                    .and_then(|p| ty.members.as_ref()?.iter().position(|m| m.as_ref() == p)),
                _ => None,
            };
            Value::Int(member.or(hit).map_or(0, |i| i as i64 + 1))
        }
        F::Quote => {
            let escaped = s.iter().filter(|b| matches!(b, b'\'' | b'\\' | 0 | 0x1a)).count();
            let len = s.len() + escaped + 2;
            if !super::string::fits(len, f, cx)? {
                return Ok(Value::Null);
            }
            let mut out = Vec::with_capacity(len);
            out.push(b'\'');
            for b in s {
                base::interrupt::worked(1)?;
                match b {
                    b'\'' | b'\\' => out.extend_from_slice(&[b'\\', *b]),
                    0 => out.extend_from_slice(b"\\0"),
                    0x1a => out.extend_from_slice(b"\\Z"),
                    b => out.push(*b),
                }
            }
            out.push(b'\'');
            a.long(&out)?
        }
        F::Soundex => {
            let t = a.ty(0)?;
            let cs = if t.is_character() { t.charset() } else { value::Charset::Utf8mb4 };
            let (mut text, mut out) = (Vec::new(), Vec::new());
            for piece in super::string::pieces(cs, s) {
                value::charset::convert(piece?, cs, value::Charset::Utf8mb4, &mut text);
            }
            value::charset::convert(&soundex(&text)?, value::Charset::Utf8mb4, cs, &mut out);
            a.str(&out)
        }
        F::ToBase64 if !super::string::fits(s.len().div_ceil(3).saturating_mul(4), f, cx)? => Value::Null,
        F::ToBase64 => a.long(&to_base64(s)?)?,
        F::FromBase64 => match value::base64::decode(s) {
            Some(b) => a.long(&b)?,
            None => {
                // it gives up if the statement is to stop, too
                base::interrupt::check()?;
                Value::Null
            }
        },
    })
}

/// A part of a list takes as long as other work on so many bytes.
const WEIGHT: usize = 16;

/// The bytes; `None` if there is another character than hexadecimal digits.
pub(super) fn unhex(s: &[u8]) -> SqlResult<Option<Vec<u8>>> {
    let mut out = Vec::with_capacity(s.len().div_ceil(2));
    let (odd, pairs) = s.split_at(s.len() % 2);
    for piece in std::iter::once(odd).chain(pairs.chunks(base::interrupt::SHARE)) {
        base::interrupt::worked(piece.len())?;
        if unhex_piece(piece, &mut out).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(out))
}

/// An odd digit stands for half a byte.
fn unhex_piece(s: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    for p in s.chunks(2) {
        out.push(match p {
            [h, l] => digit(*h)? << 4 | digit(*l)?,
            [one] => digit(*one)?,
            _ => return None,
        });
    }
    Some(())
}

/// SOUNDEX of UTF-8 text: other characters than letters are left out, letters outside A to Z count as vowels, and vowels do not
/// separate letters of the same sound.
pub(super) fn soundex(s: &[u8]) -> SqlResult<Vec<u8>> {
    let code = |c: char| match c.to_ascii_uppercase() {
        'B' | 'F' | 'P' | 'V' => b'1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => b'2',
        'D' | 'T' => b'3',
        'L' => b'4',
        'M' | 'N' => b'5',
        'R' => b'6',
        _ => b'0',
    };
    let (mut out, mut letters, mut last) = (Vec::new(), 0, b'0');
    for c in String::from_utf8_lossy(s).chars().filter(|c| c.is_ascii_alphabetic() || *c as u32 >= 0xC0) {
        base::interrupt::worked(4)?;
        let sound = code(c);
        if letters == 0 {
            let mut first = [0; 4];
            out.extend_from_slice(c.to_ascii_uppercase().encode_utf8(&mut first).as_bytes());
        } else if sound == b'0' || sound == last {
            continue;
        } else {
            out.push(sound);
        }
        (letters, last) = (letters + 1, sound);
    }
    while letters > 0 && letters < 4 {
        out.push(b'0');
        letters += 1;
    }
    Ok(out)
}

/// Base64 in lines of 76 digits.
pub(super) fn to_base64(s: &[u8]) -> SqlResult<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len() * 4 / 3 + 4);
    for (n, line) in s.chunks(76 / 4 * 3).enumerate() {
        if n > 0 {
            out.push(b'\n');
        }
        base::interrupt::worked(line.len())?;
        value::base64::encode(line, &mut out);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_lines_of_76_digits() {
        assert_eq!(to_base64(&[0; 57]).unwrap(), [b'A'; 76]);
        assert_eq!(to_base64(&[0; 58]).unwrap(), [&[b'A'; 76][..], b"\nAA=="].concat());
    }

    #[test]
    fn soundex_of_names() {
        assert_eq!(soundex(b"Robert").unwrap(), b"R163");
        assert_eq!(soundex(b"Quadratically").unwrap(), b"Q36324");
        assert_eq!(soundex(b"foo.bar.baz").unwrap(), b"F612");
        assert_eq!(soundex("äöü".as_bytes()).unwrap(), "ä000".as_bytes());
    }

    #[test]
    fn unhex_odd_length() {
        assert_eq!(unhex(b"FFF").unwrap().unwrap(), [0x0f, 0xff]);
        assert!(unhex(b"G").unwrap().is_none() && unhex(b"0G0").unwrap().is_none());
    }
}
