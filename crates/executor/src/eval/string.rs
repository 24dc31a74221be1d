//! String functions that build or cut strings. Positions count characters of the argument's character set.

use base::{ErrorCode, SqlError, SqlResult};
use memchr::memmem;
use planner::func::FuncId;
use planner::func::family::{Built, Text};
use smallvec::SmallVec;
use value::{Charset, CollationId, Level, Value};

use super::Args;
use crate::eval::Cx;

/// Character set for counting: binary strings count bytes.
fn charset(a: &Args<'_>, i: usize) -> SqlResult<Option<Charset>> {
    let t = a.ty(i)?;
    Ok((t.is_character() && !t.charset().is_single_byte()).then(|| t.charset()))
}

fn count(cs: Option<Charset>, s: &[u8]) -> usize {
    cs.map_or(s.len(), |c| c.char_count(s))
}

fn offset(cs: Option<Charset>, s: &[u8], chars: usize) -> usize {
    cs.map_or(chars.min(s.len()), |c| c.char_offset(s, chars)).min(s.len())
}

fn cut(s: &[u8], from: usize, to: usize) -> &[u8] {
    s.get(from..to.max(from)).unwrap_or(&[])
}

/// Whether a result of `len` bytes is allowed; warns 1301 otherwise (the function gives NULL then). 4082 if the connection may not hold as much.
pub(crate) fn fits(len: usize, f: impl Into<FuncId>, cx: &mut Cx<'_>) -> SqlResult<bool> {
    let max = cx.env.vars.num(catalog::sysvar::Var::max_allowed_packet) as usize;
    if len <= max {
        return base::memory::reserve(len).map(|()| true);
    }
    let e = SqlError::new(ErrorCode::WARN_ALLOWED_PACKET_OVERFLOWED, &[&f.into().name(), &max]);
    cx.env.conv.push(Level::Warning, e);
    Ok(false)
}

/// CAST AS CHAR(n) or BINARY(n): what is longer is cut, with a warning; bytes are filled with zeros. NULL beyond max_allowed_packet.
fn cast_sized<'a>(binary: bool, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(s), Some(n)) = (a.text(0, cx)?, a.int(1, cx)?) else { return Ok(Value::Null) };
    let n = n.max(0) as usize;
    if !fits(n, FuncId::CastSized(binary), cx)? {
        return Ok(Value::Null);
    }
    let end = offset(charset(a, 0)?, s, n);
    if end < s.len() {
        let what = if binary { "BINARY" } else { "CHAR" };
        cx.env.conv.truncated_wrong_value(&format!("{what}({n})"), s);
        return Ok(Value::Str(cut(s, 0, end)));
    }
    if !binary || s.len() == n {
        return Ok(Value::Str(s));
    }
    let padded = a.arena.alloc_slice_fill_copy(n, 0u8);
    padded.iter_mut().zip(s).for_each(|(to, b)| *to = *b);
    Ok(Value::Str(padded))
}

/// Texts that are built, and places in texts.
pub(super) fn built<'a>(f: Built, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        Built::Concat => concat(a, cx),
        Built::ConcatWs => concat_ws(a, cx),
        Built::Space => {
            let Some(n) = a.count(0, cx)? else { return Ok(Value::Null) };
            let n = n.max(0) as usize;
            Ok(if fits(n, f, cx)? { Value::Str(a.arena.alloc_slice_fill_copy(n, b' ')) } else { Value::Null })
        }
        Built::Locate => locate(0, 1, a, cx),
        Built::Instr => locate(1, 0, a, cx),
        Built::CastSized(binary) => cast_sized(binary, a, cx),
    }
}

/// Functions of a text: its length and parts of it.
pub(super) fn text<'a>(f: Text, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Text as F;
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let cs = charset(a, 0)?;
    Ok(match f {
        F::Length => Value::Int(s.len() as i64),
        F::CharLength => Value::Int(count(cs, s) as i64),
        F::BitLength => Value::Int(s.len() as i64 * 8),
        F::Upper | F::Lower => change_case(f, s, a)?,
        F::Left | F::Right => end_of(f, s, cs, a, cx)?,
        F::Substring => substring(s, cs, a, cx)?,
        F::SubstringIndex => {
            let (Some(d), Some(n)) = (a.text(1, cx)?, a.count(2, cx)?) else { return Ok(Value::Null) };
            Value::Str(substring_index(s, d, n))
        }
        F::Ltrim => Value::Str(cut(s, s.iter().take_while(|b| **b == b' ').count(), s.len())),
        F::Rtrim => Value::Str(cut(s, 0, s.len() - s.iter().rev().take_while(|b| **b == b' ').count())),
        F::TrimBoth | F::TrimLeading | F::TrimTrailing => trim(f, s, a, cx)?,
        F::Lpad | F::Rpad => pad(f, s, counted(cs, a), a, cx)?,
        F::Repeat => repeat(s, a, cx)?,
        F::Replace => {
            // what takes the place is not looked at beside NULL
            let Some(from) = a.text(1, cx)? else { return Ok(Value::Null) };
            let Some(to) = a.text(2, cx)? else { return Ok(Value::Null) };
            replace(s, from, to, a, cx)?
        }
        F::Reverse => reverse(s, cs, a),
        F::Insert => insert(s, counted(cs, a), a, cx)?,
    })
}

/// UPPER and LOWER.
fn change_case<'a>(f: Text, s: &'a [u8], a: &Args<'a>) -> SqlResult<Value<'a>> {
    let t = a.ty(0)?;
    if !t.is_character() {
        // numbers have no case; binary strings are left alone
        return Ok(if t.kind.is_string() { Value::Str(s) } else { a.str(s) });
    }
    let mut out = Vec::with_capacity(s.len());
    if t.collation.get().is_turkish() {
        t.charset().turkish_case(s, f == Text::Upper, &mut out)
    } else if f == Text::Upper {
        t.charset().upper(s, &mut out)
    } else {
        t.charset().lower(s, &mut out)
    }
    Ok(a.str(&out))
}

/// LEFT and RIGHT.
fn end_of<'a>(f: Text, s: &'a [u8], cs: Option<Charset>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(n) = a.count(1, cx)? else { return Ok(Value::Null) };
    let n = n.max(0) as usize;
    if f == Text::Left {
        return Ok(Value::Str(cut(s, 0, offset(cs, s, n))));
    }
    let total = count(cs, s);
    Ok(Value::Str(cut(s, offset(cs, s, total.saturating_sub(n)), s.len())))
}

/// TRIM on the sides that its name says.
fn trim<'a>(f: Text, s: &'a [u8], a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let remove = if a.len() > 1 {
        match a.text(1, cx)? {
            None => return Ok(Value::Null),
            Some(r) => r,
        }
    } else {
        b" "
    };
    let mut r = s;
    if !remove.is_empty() {
        if f != Text::TrimTrailing {
            while let Some(rest) = r.strip_prefix(remove) {
                r = rest;
            }
        }
        if f != Text::TrimLeading {
            while let Some(rest) = r.strip_suffix(remove) {
                r = rest;
            }
        }
    }
    Ok(Value::Str(r))
}

/// REPEAT.
fn repeat<'a>(s: &[u8], a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(n) = a.count(1, cx)? else { return Ok(Value::Null) };
    let n = n.max(0) as usize;
    if !fits(s.len().saturating_mul(n), Text::Repeat, cx)? {
        return Ok(Value::Null);
    }
    // made in its place: it may be as large as a packet
    let out = a.arena.alloc_slice_fill_default::<u8>(s.len() * n);
    out.chunks_exact_mut(s.len().max(1)).for_each(|c| c.copy_from_slice(s));
    Ok(Value::Str(out))
}

/// REVERSE.
fn reverse<'a>(s: &[u8], cs: Option<Charset>, a: &Args<'a>) -> Value<'a> {
    let out = a.arena.alloc_slice_copy(s);
    match cs {
        None => out.reverse(),
        Some(c) => {
            // characters come from the front of the text and go to the end of the result
            let (mut rest, mut free) = (s, &mut out[..]);
            while !rest.is_empty() {
                let (one, after) = rest.split_at(c.char_len(rest).clamp(1, rest.len()));
                let (before, place) = free.split_at_mut(free.len() - one.len());
                place.copy_from_slice(one);
                (rest, free) = (after, before);
            }
        }
    }
    Value::Str(out)
}

/// INSERT.
fn insert<'a>(s: &'a [u8], cs: Option<Charset>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(pos), Some(len), Some(new)) = (a.int(1, cx)?, a.int(2, cx)?, a.text(3, cx)?) else {
        return Ok(Value::Null);
    };
    let total = count(cs, s) as i64;
    if pos < 1 || pos > total {
        return Ok(Value::Str(s));
    }
    let end = if len < 0 { total } else { (pos - 1).saturating_add(len).min(total) };
    let (i, j) = (offset(cs, s, (pos - 1) as usize), offset(cs, s, end as usize));
    if !fits(i + new.len() + (s.len() - j), Text::Insert, cx)? {
        return Ok(Value::Null);
    }
    Ok(a.str(&[cut(s, 0, i), new, cut(s, j, s.len())].concat()))
}

fn concat<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let mut parts = SmallVec::<[&[u8]; 8]>::new();
    let mut len = 0usize;
    for i in 0..a.len() {
        let Some(s) = a.text(i, cx)? else { return Ok(Value::Null) };
        len = len.saturating_add(s.len());
        if !fits(len, FuncId::Concat, cx)? {
            return Ok(Value::Null);
        }
        parts.push(s);
    }
    Ok(a.join(&parts, len))
}

fn concat_ws<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(sep) = a.text(0, cx)? else { return Ok(Value::Null) };
    let mut parts = SmallVec::<[&[u8]; 8]>::new();
    let mut len = 0usize;
    for i in 1..a.len() {
        if let Some(s) = a.text(i, cx)? {
            if !parts.is_empty() {
                parts.push(sep);
                len = len.saturating_add(sep.len());
            }
            parts.push(s);
            len = len.saturating_add(s.len());
            if !fits(len, FuncId::ConcatWs, cx)? {
                return Ok(Value::Null);
            }
        }
    }
    Ok(a.join(&parts, len))
}

fn substring<'a>(s: &'a [u8], cs: Option<Charset>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(pos) = a.count(1, cx)? else { return Ok(Value::Null) };
    let len = if a.len() > 2 {
        match a.count(2, cx)? {
            None => return Ok(Value::Null),
            Some(n) => n,
        }
    } else {
        i64::MAX
    };
    let total = count(cs, s) as i64;
    let start = if pos > 0 { pos - 1 } else { total.saturating_add(pos) };
    if pos == 0 || len <= 0 || start < 0 || start >= total {
        return Ok(Value::Str(b""));
    }
    let end = start.saturating_add(len).min(total);
    Ok(Value::Str(cut(s, offset(cs, s, start as usize), offset(cs, s, end as usize))))
}

/// SUBSTRING_INDEX: everything before (n > 0) the n-th delimiter, or after the |n|-th from the end. Delimiters are counted from the front.
fn substring_index<'a>(s: &'a [u8], d: &[u8], n: i64) -> &'a [u8] {
    if d.is_empty() || n == 0 {
        return b"";
    }
    let finder = memmem::Finder::new(d);
    let nth = |k: usize| finder.find_iter(s).nth(k);
    if n > 0 {
        nth(n as usize - 1).map_or(s, |p| cut(s, 0, p))
    } else {
        let k = finder.find_iter(s).count() as u64;
        k.checked_sub(n.unsigned_abs()).and_then(|k| nth(k as usize)).map_or(s, |p| cut(s, p + d.len(), s.len()))
    }
}

/// The character set that positions are counted in: none (bytes) where text and bytes were put together.
fn counted(cs: Option<Charset>, a: &Args<'_>) -> Option<Charset> {
    // a number is text of UTF-8
    let number = || a.ty(0).is_ok_and(|t| t.kind.is_numeric()).then_some(Charset::Utf8mb4);
    cs.or_else(number).filter(|_| a.ty.is_character())
}

fn pad<'a>(f: Text, s: &'a [u8], cs: Option<Charset>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(n), Some(p)) = (a.int(1, cx)?, a.text(2, cx)?) else { return Ok(Value::Null) };
    if n < 0 {
        return Ok(Value::Null);
    }
    let (n, have) = (n as usize, count(cs, s));
    if n <= have {
        return Ok(Value::Str(cut(s, 0, offset(cs, s, n))));
    }
    let unit = count(cs, p);
    if unit == 0 {
        return Ok(Value::Str(b""));
    }
    let missing = n - have;
    if !fits(s.len().saturating_add(missing.saturating_mul(p.len()) / unit), f, cx)? {
        return Ok(Value::Null);
    }
    let mut fill = p.repeat(missing / unit);
    fill.extend_from_slice(cut(p, 0, offset(cs, p, missing % unit)));
    Ok(a.str(&if f == Text::Lpad { [fill.as_slice(), s].concat() } else { [s, fill.as_slice()].concat() }))
}

/// The result may be as long as the product of two arguments: it is given up as soon as it is too long.
fn replace<'a>(s: &'a [u8], from: &[u8], to: &[u8], a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    if from.is_empty() {
        return Ok(Value::Str(s));
    }
    let limit = cx.env.vars.num(catalog::sysvar::Var::max_allowed_packet) as usize;
    let mut out = Vec::new();
    let mut i = 0;
    for p in memmem::find_iter(s, from) {
        out.extend_from_slice(cut(s, i, p));
        out.extend_from_slice(to);
        i = p + from.len();
        base::memory::check()?;
        if out.len() > limit {
            break;
        }
    }
    if i == 0 {
        return Ok(if fits(s.len(), FuncId::Replace, cx)? { Value::Str(s) } else { Value::Null });
    }
    out.extend_from_slice(cut(s, i, s.len()));
    Ok(if fits(out.len(), FuncId::Replace, cx)? { a.str(&out) } else { Value::Null })
}

fn locate<'a>(ni: usize, ti: usize, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    // LOCATE(needle, text[, pos]), INSTR(text, needle)
    // what is looked for need not be text beside NULL
    let Some(text) = a.text(ti, cx)? else { return Ok(Value::Null) };
    let Some(needle) = a.text(ni, cx)? else { return Ok(Value::Null) };
    let start = if a.len() > 2 {
        match a.int(2, cx)? {
            None => return Ok(Value::Null),
            Some(n) if n < 1 => return Ok(Value::Int(0)),
            Some(n) => n as usize - 1,
        }
    } else {
        0
    };
    let cs = charset(a, ti)?;
    let total = count(cs, text);
    if start > total {
        return Ok(Value::Int(0));
    }
    let c = if a.ty(ti)?.is_character() { a.ty(ti)?.collation } else { CollationId::BINARY };
    if c == CollationId::BINARY || a.ty(ni)?.kind.is_binary_string() {
        // bytes in text are counted as bytes behind the place where the search begins
        let rest = cut(text, offset(cs, text, start), text.len());
        return Ok(Value::Int(memmem::find(rest, needle).map_or(0, |n| (start + n) as i64 + 1)));
    }
    Ok(Value::Int(find(text, needle, start, cs, c, || cx.check_killed())?.map_or(0, |n| n as i64 + 1)))
}

/// Bytes compared by LOCATE between two looks at KILL.
const WORK: usize = 1 << 20;

/// Position in characters of `needle` at or after character `start`, under a collation. The time may be the product of both lengths: `check` is
/// called now and then.
fn find<E>(
    text: &[u8],
    needle: &[u8],
    start: usize,
    cs: Option<Charset>,
    c: CollationId,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Option<usize>, E> {
    if needle.is_empty() {
        return Ok(Some(start));
    }
    let mut work = 0;
    let mut at = offset(cs, text, start);
    let mut pos = start;
    while at < text.len() {
        let rest = cut(text, at, text.len());
        // what is as many bytes long is compared, as in MySQL: `ss` is found as `ß` in UTF-8, `e` is not found as `é`
        let Some(piece) = rest.get(..needle.len()) else { return Ok(None) };
        if piece == needle || (c != CollationId::BINARY && equal_unpadded(piece, needle, cs, c)) {
            return Ok(Some(pos));
        }
        work += needle.len();
        if work > WORK {
            check()?;
            work = 0;
        }
        at += cs.map_or(1, |c| c.char_len(rest).clamp(1, rest.len()));
        pos += 1;
    }
    Ok(None)
}

/// Whether two texts are equal, whole characters and spaces at the end included.
pub(super) fn equal_unpadded(piece: &[u8], needle: &[u8], cs: Option<Charset>, c: CollationId) -> bool {
    let spaces = |s: &[u8]| s.iter().rev().take_while(|b| **b == b' ').count();
    cs.is_none_or(|cs| cs.is_valid(piece)) && spaces(piece) == spaces(needle) && c.get().compare(piece, needle).is_eq()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substring_index_counts_from_both_ends() {
        assert_eq!(substring_index(b"www.mysql.com", b".", 2), b"www.mysql");
        assert_eq!(substring_index(b"www.mysql.com", b".", -2), b"mysql.com");
        assert_eq!(substring_index(b"www.mysql.com", b".", 9), b"www.mysql.com");
        assert_eq!(substring_index(b"a", b".", 0), b"");
        assert_eq!(substring_index(b"aaa", b"aa", 1), b"");
        assert_eq!(substring_index(b"aaa", b"aa", -1), b"a");
        assert_eq!(substring_index(b"a.b", b".", i64::MIN), b"a.b");
    }

    #[test]
    fn find_counts_characters() {
        let find = |text: &[u8], needle: &[u8], start, cs, c| {
            super::find(text, needle, start, cs, c, || Ok::<(), std::convert::Infallible>(())).unwrap()
        };
        assert_eq!(
            find("äbc".as_bytes(), b"b", 0, Some(Charset::by_name("utf8mb4").unwrap()), CollationId::BINARY),
            Some(1)
        );
        assert_eq!(find(b"abcabc", b"c", 3, None, CollationId::BINARY), Some(5));
        assert_eq!(find(b"abc", b"x", 0, None, CollationId::BINARY), None);
    }
}
