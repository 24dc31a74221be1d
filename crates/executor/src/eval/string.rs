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
    let cs = a.ty(i)?.text_collation().charset();
    Ok((!cs.is_single_byte()).then_some(cs))
}

/// Number of characters; `None`: of bytes.
pub(super) fn count(cs: Option<Charset>, s: &[u8]) -> SqlResult<usize> {
    let Some(cs) = cs else { return Ok(s.len()) };
    if s.len() < base::interrupt::SHARE {
        return Ok(cs.char_count(s));
    }
    pieces(cs, s).map(|piece| Ok(cs.char_count(piece?))).sum()
}

/// Where the character number `chars` begins.
fn offset(cs: Option<Charset>, s: &[u8], chars: usize) -> SqlResult<usize> {
    let Some(cs) = cs else { return Ok(chars.min(s.len())) };
    if s.len() < base::interrupt::SHARE {
        return Ok(cs.char_offset(s, chars).min(s.len()));
    }
    let (mut at, mut left) = (0, chars);
    for piece in pieces(cs, s) {
        let piece = piece?;
        let end = cs.char_offset(piece, left);
        if end < piece.len() {
            return Ok(at + end);
        }
        left -= cs.char_count(piece);
        at += piece.len();
    }
    Ok(at)
}

/// A long text in pieces of whole characters; between them it is asked whether the statement is to stop.
pub(super) fn pieces(cs: Charset, s: &[u8]) -> impl Iterator<Item = SqlResult<&[u8]>> {
    cs.pieces(s).map(|piece| base::interrupt::worked(piece.len()).map(|()| piece))
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
    let end = offset(charset(a, 0)?, s, n)?;
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
        F::CharLength => Value::Int(count(cs, s)? as i64),
        F::BitLength => Value::Int(s.len() as i64 * 8),
        F::Upper | F::Lower => change_case(f, s, a)?,
        F::Left | F::Right => end_of(f, s, cs, a, cx)?,
        F::Substring => substring(s, cs, a, cx)?,
        F::SubstringIndex => {
            let (Some(d), Some(n)) = (a.text(1, cx)?, a.count(2, cx)?) else { return Ok(Value::Null) };
            Value::Str(substring_index(s, d, n)?)
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
        F::Reverse => reverse(s, cs, a)?,
        F::Insert => insert(s, counted(cs, a), a, cx)?,
    })
}

/// UPPER and LOWER.
fn change_case<'a>(f: Text, s: &'a [u8], a: &Args<'a>) -> SqlResult<Value<'a>> {
    let (t, c) = (a.ty(0)?, a.ty(0)?.text_collation());
    if c == CollationId::BINARY {
        // numbers have no case; binary strings are left alone
        return Ok(if t.kind.is_string() { Value::Str(s) } else { a.str(s) });
    }
    let mut out = Vec::with_capacity(s.len());
    let (cs, turkish) = (c.charset(), c.get().is_turkish());
    for piece in pieces(cs, s) {
        let piece = piece?;
        if turkish {
            cs.turkish_case(piece, f == Text::Upper, &mut out)
        } else if f == Text::Upper {
            cs.upper(piece, &mut out)
        } else {
            cs.lower(piece, &mut out)
        }
    }
    a.long(&out)
}

/// LEFT and RIGHT.
fn end_of<'a>(f: Text, s: &'a [u8], cs: Option<Charset>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(n) = a.count(1, cx)? else { return Ok(Value::Null) };
    let n = n.max(0) as usize;
    if f == Text::Left {
        return Ok(Value::Str(cut(s, 0, offset(cs, s, n)?)));
    }
    let total = count(cs, s)?;
    Ok(Value::Str(cut(s, offset(cs, s, total.saturating_sub(n))?, s.len())))
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
    let mut out = bumpalo::collections::Vec::with_capacity_in(s.len() * n, a.arena);
    repeated(s, n, &mut out)?;
    Ok(Value::Str(out.into_bump_slice()))
}

/// Appends a text `n` times.
fn repeated(s: &[u8], n: usize, out: &mut bumpalo::collections::Vec<'_, u8>) -> SqlResult<()> {
    // many short ones at once
    let at_once = (1_usize << 16).div_ceil(s.len().max(1)).min(n).max(1);
    let many = s.repeat(at_once);
    for _ in 0..n / at_once {
        base::interrupt::worked(many.len())?;
        out.extend_from_slice_copy(&many);
    }
    out.extend_from_slice_copy(cut(&many, 0, n % at_once * s.len()));
    Ok(())
}

/// REVERSE.
fn reverse<'a>(s: &[u8], cs: Option<Charset>, a: &Args<'a>) -> SqlResult<Value<'a>> {
    base::memory::reserve(s.len())?;
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
                base::interrupt::worked(one.len())?;
            }
        }
    }
    Ok(Value::Str(out))
}

/// INSERT.
fn insert<'a>(s: &'a [u8], cs: Option<Charset>, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(pos), Some(len), Some(new)) = (a.int(1, cx)?, a.int(2, cx)?, a.text(3, cx)?) else {
        return Ok(Value::Null);
    };
    let total = count(cs, s)? as i64;
    if pos < 1 || pos > total {
        return Ok(Value::Str(s));
    }
    let end = if len < 0 { total } else { (pos - 1).saturating_add(len).min(total) };
    let (i, j) = (offset(cs, s, (pos - 1) as usize)?, offset(cs, s, end as usize)?);
    if !fits(i + new.len() + (s.len() - j), Text::Insert, cx)? {
        return Ok(Value::Null);
    }
    a.join(&[cut(s, 0, i), new, cut(s, j, s.len())], i + new.len() + (s.len() - j))
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
    a.join(&parts, len)
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
    a.join(&parts, len)
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
    let total = count(cs, s)? as i64;
    let start = if pos > 0 { pos - 1 } else { total.saturating_add(pos) };
    if pos == 0 || len <= 0 || start < 0 || start >= total {
        return Ok(Value::Str(b""));
    }
    let end = start.saturating_add(len).min(total);
    Ok(Value::Str(cut(s, offset(cs, s, start as usize)?, offset(cs, s, end as usize)?)))
}

/// SUBSTRING_INDEX: everything before (n > 0) the n-th delimiter, or after the |n|-th from the end. Delimiters are counted from the front.
pub(super) fn substring_index<'a>(s: &'a [u8], d: &[u8], n: i64) -> SqlResult<&'a [u8]> {
    if d.is_empty() || n == 0 {
        return Ok(b"");
    }
    let finder = memmem::Finder::new(d);
    let nth = |k: usize| -> SqlResult<Option<usize>> {
        let mut before = 0;
        for (i, p) in finder.find_iter(s).enumerate() {
            base::interrupt::worked(p - before)?;
            before = p;
            if i == k {
                return Ok(Some(p));
            }
        }
        Ok(None)
    };
    if n > 0 {
        return Ok(nth(n as usize - 1)?.map_or(s, |p| cut(s, 0, p)));
    }
    let mut k = 0u64;
    for _ in finder.find_iter(s) {
        base::interrupt::worked(d.len())?;
        k += 1;
    }
    let Some(k) = k.checked_sub(n.unsigned_abs()) else { return Ok(s) };
    Ok(nth(k as usize)?.map_or(s, |p| cut(s, p + d.len(), s.len())))
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
    let (n, have) = (n as usize, count(cs, s)?);
    if n <= have {
        return Ok(Value::Str(cut(s, 0, offset(cs, s, n)?)));
    }
    let unit = count(cs, p)?;
    if unit == 0 {
        return Ok(Value::Str(b""));
    }
    let missing = n - have;
    if !fits(s.len().saturating_add(missing.saturating_mul(p.len()) / unit), f, cx)? {
        return Ok(Value::Null);
    }
    let rest = cut(p, 0, offset(cs, p, missing % unit)?);
    let len = s.len() + p.len() * (missing / unit) + rest.len();
    let mut out = bumpalo::collections::Vec::with_capacity_in(len, a.arena);
    if f == Text::Rpad {
        out.extend_from_slice_copy(s);
    }
    repeated(p, missing / unit, &mut out)?;
    out.extend_from_slice_copy(rest);
    if f == Text::Lpad {
        out.extend_from_slice_copy(s);
    }
    Ok(Value::Str(out.into_bump_slice()))
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
        base::interrupt::worked(p + from.len() - i + to.len())?;
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
    if fits(out.len(), FuncId::Replace, cx)? { a.long(&out) } else { Ok(Value::Null) }
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
    let total = count(cs, text)?;
    if start > total {
        return Ok(Value::Int(0));
    }
    let c = a.ty(ti)?.text_collation();
    if c == CollationId::BINARY || a.ty(ni)?.kind.is_binary_string() {
        // bytes in text are counted as bytes behind the place where the search begins
        let rest = cut(text, offset(cs, text, start)?, text.len());
        return Ok(Value::Int(memmem::find(rest, needle).map_or(0, |n| (start + n) as i64 + 1)));
    }
    Ok(Value::Int(find(text, needle, start, cs, c, || cx.check_killed())?.map_or(0, |n| n as i64 + 1)))
}

/// Bytes compared by LOCATE between two looks at KILL.
const WORK: usize = 1 << 20;

/// Position in characters of `needle` at or after character `start`, under a collation. The time may be the product of both lengths: `check` is
/// called now and then.
fn find(
    text: &[u8],
    needle: &[u8],
    start: usize,
    cs: Option<Charset>,
    c: CollationId,
    mut check: impl FnMut() -> SqlResult<()>,
) -> SqlResult<Option<usize>> {
    if needle.is_empty() {
        return Ok(Some(start));
    }
    let mut work = 0;
    let mut at = offset(cs, text, start)?;
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
        assert_eq!(substring_index(b"www.mysql.com", b".", 2).unwrap(), b"www.mysql");
        assert_eq!(substring_index(b"www.mysql.com", b".", -2).unwrap(), b"mysql.com");
        assert_eq!(substring_index(b"www.mysql.com", b".", 9).unwrap(), b"www.mysql.com");
        assert_eq!(substring_index(b"a", b".", 0).unwrap(), b"");
        assert_eq!(substring_index(b"aaa", b"aa", 1).unwrap(), b"");
        assert_eq!(substring_index(b"aaa", b"aa", -1).unwrap(), b"a");
        assert_eq!(substring_index(b"a.b", b".", i64::MIN).unwrap(), b"a.b");
    }

    #[test]
    fn find_counts_characters() {
        let find =
            |text: &[u8], needle: &[u8], start, cs, c| super::find(text, needle, start, cs, c, || Ok(())).unwrap();
        assert_eq!(
            find("äbc".as_bytes(), b"b", 0, Some(Charset::by_name("utf8mb4").unwrap()), CollationId::BINARY),
            Some(1)
        );
        assert_eq!(find(b"abcabc", b"c", 3, None, CollationId::BINARY), Some(5));
        assert_eq!(find(b"abc", b"x", 0, None, CollationId::BINARY), None);
    }
}
