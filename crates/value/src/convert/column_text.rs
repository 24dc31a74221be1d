//! Assignment to CHAR, VARCHAR, BINARY, VARBINARY, TEXT and BLOB columns.

use base::{ErrorCode, SqlResult};
use bumpalo::Bump;

use super::column::{Target, convert_for_column};
use super::text::to_text;
use crate::charset::{self, Charset};
use crate::collation::CollationId;
use crate::context::ConvCtx;
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// As [`convert_for_column`], of what an expression has computed: a DOUBLE or FLOAT that is longer as text than a CHAR,
/// VARCHAR, BINARY or VARBINARY is rounded until it fits (`-43.75` in a VARCHAR(4) is `-44`), as MySQL's
/// `Field_str::store(double)` does. 1406, or 1265 without strict mode, where no rounding makes it fit.
///
/// # Errors
/// As [`convert_for_column`].
#[inline]
pub fn assign_to_column<'a>(
    v: Value<'a>,
    from: &SqlType,
    to: &SqlType,
    ctx: &mut ConvCtx,
    (column, row): (&str, u64),
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if let Value::Double(d) = v
        && matches!(to.kind, TypeKind::Char | TypeKind::VarChar | TypeKind::Binary | TypeKind::VarBinary)
        && let Some((text, fits)) = narrow(d, from, to.length as usize)
    {
        if !fits {
            let code = if ctx.strict { ErrorCode::DATA_TOO_LONG } else { ErrorCode::WARN_DATA_TRUNCATED };
            ctx.fail_or_warn(code, &[&column, &row])?;
        }
        let text = Value::Str(arena.alloc_slice_copy(&text));
        let plain = SqlType::varchar(to.length, CollationId::UTF8MB4_BIN);
        return convert_for_column(text, &plain, to, ctx, column, row, arena);
    }
    convert_for_column(v, from, to, ctx, column, row, arena)
}

/// A number that is wider than that as text, rounded until it fits, and whether it does; `None` where it is not.
#[cold]
fn narrow(d: f64, from: &SqlType, width: usize) -> Option<(Vec<u8>, bool)> {
    let mut text = Vec::new();
    to_text(Value::Double(d), from, &mut text);
    if text.len() <= width {
        return None;
    }
    text.clear();
    let fits = crate::number::format_f64_within(d, width, &mut text);
    Some((text, fits))
}

pub(super) fn string<'a>(
    v: Value<'a>,
    from: &SqlType,
    t: &Target<'_>,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let bytes: &'a [u8] = match v {
        Value::Str(s) => s,
        _ => {
            let mut out = Vec::with_capacity(32);
            to_text(v, from, &mut out);
            arena.alloc_slice_copy(&out)
        }
    };
    let target = t.ty.charset();
    let bytes = match v {
        Value::Str(_) if !from.charset().has_ascii() || !target.has_ascii() || !bytes.is_ascii() => {
            in_charset(bytes, from.kind, from.charset(), t, ctx, arena)?
        }
        Value::Str(_) => bytes,
        // a number or a date is ASCII; the members of ENUM and SET are of their column's set
        _ if bytes.is_ascii() && target.has_ascii() && (!from.is_character() || from.charset().has_ascii()) => bytes,
        _ => {
            let source = if from.is_character() { from.charset() } else { Charset::Utf8mb4 };
            in_charset(bytes, from.kind, source, t, ctx, arena)?
        }
    };
    let bytes = match ctx.copied && is_copy(from, t.ty) {
        true => fit_copy(bytes, target, t, ctx)?,
        false => fit(bytes, target, t, ctx)?,
    };
    Ok(Value::Str(match t.ty.kind {
        // CHAR is stored and read without its trailing spaces
        TypeKind::Char => target.without_spaces(bytes),
        TypeKind::Binary if bytes.len() < t.ty.length as usize => {
            arena.alloc_slice_fill_with(t.ty.length as usize, |i| bytes.get(i).copied().unwrap_or(0))
        }
        _ => bytes,
    }))
}

/// Whether MySQL copies a value from a column of the one type to one of the other: VARCHAR of one character set, with
/// as many bytes for their lengths.
fn is_copy(from: &SqlType, to: &SqlType) -> bool {
    let long = |t: &SqlType| t.length.saturating_mul(u32::from(t.charset().max_len())) > 255;
    let both = from.kind == TypeKind::VarChar && to.kind == TypeKind::VarChar;
    both && from.charset() == to.charset() && long(from) == long(to)
}

/// The characters that fit; 1265 for others, whatever they are.
fn fit_copy<'a>(s: &'a [u8], cs: Charset, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<&'a [u8]> {
    let max = t.ty.length as usize;
    let end = if s.len() <= max { s.len() } else { cs.char_offset(s, max) };
    let (head, tail) = s.split_at_checked(end).unwrap_or((s, b""));
    if !tail.is_empty() {
        ctx.fail_or_warn(ErrorCode::WARN_DATA_TRUNCATED, &[&t.column, &t.row])?;
    }
    Ok(head)
}

/// Converted to the column's character set; 1366 "Incorrect string value" for what it lacks or what is malformed.
fn in_charset<'a>(
    s: &'a [u8],
    kind: TypeKind,
    source: Charset,
    t: &Target<'_>,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<&'a [u8]> {
    let target = t.ty.charset();
    let source = if kind == TypeKind::Json { Charset::Utf8mb4 } else { source };
    let unit = usize::from(target.min_len());
    let s: &'a [u8] = if source == Charset::Binary && target.is_wide() && !s.len().is_multiple_of(unit) {
        arena.alloc_slice_copy(&charset::aligned(target, s))
    } else {
        s
    };
    if target == Charset::Binary {
        return Ok(s);
    }
    if source == target || source == Charset::Binary {
        let good = target.valid_prefix(s);
        if good == s.len() {
            return Ok(s);
        }
        t.incorrect("string", &bad_bytes(s.get(good..).unwrap_or(b"")), ctx)?;
        // MySQL keeps the well-formed head
        return Ok(s.get(..good).unwrap_or(b""));
    }
    let (text, outcome) =
        charset::convert_in(s, source, target, arena, base::memory::reserve, base::interrupt::worked)?;
    if outcome.unmappable + outcome.malformed > 0 {
        let at = first_unmappable(s, source, target);
        t.incorrect("string", &bad_bytes(s.get(at..).unwrap_or(b"")), ctx)?;
    }
    Ok(text)
}

fn first_unmappable(s: &[u8], source: Charset, target: Charset) -> usize {
    let mut at = 0;
    let mut scratch = Vec::new();
    while let Some(rest) = s.get(at..).filter(|r| !r.is_empty()) {
        match source.decode(rest) {
            Some((c, n)) if target.encode(c, &mut scratch) => at += n,
            _ => break,
        }
    }
    at
}

/// Up to six bytes as messages show them: `\xE4\xF6abc...`.
fn bad_bytes(s: &[u8]) -> String {
    let mut out = String::new();
    for &b in s.iter().take(6) {
        if (0x20..0x7f).contains(&b) { out.push(b as char) } else { out.push_str(&format!("\\x{b:02X}")) }
    }
    if s.len() > 6 {
        out.push_str("...");
    }
    out
}

/// Cut to the column's length: 1406, or a note when only white space is lost.
fn fit<'a>(s: &'a [u8], cs: Charset, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<&'a [u8]> {
    let max = t.ty.length as usize;
    let end = match t.ty.kind.lob_limit() {
        Some(limit) => {
            // TEXT columns may have been declared with a smaller limit
            let limit = (limit as usize).min(if max == 0 { usize::MAX } else { max });
            if s.len() <= limit {
                return Ok(s);
            }
            // no character may be cut in two
            s.get(..limit).map_or(limit, |head| cs.valid_prefix(head))
        }
        None => {
            if s.len() <= max {
                return Ok(s);
            }
            cs.char_offset(s, max)
        }
    };
    let (head, tail) = s.split_at_checked(end).unwrap_or((s, b""));
    if tail.is_empty() {
        return Ok(s);
    }
    // blanks, tabs and ends of lines, where a character is not wider than they are
    let white = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    let only_spaces = cs != Charset::Binary
        && if cs.has_ascii() { tail.iter().all(white) } else { cs.without_spaces(tail).is_empty() };
    if only_spaces && t.ty.kind == TypeKind::Char {
        // silently, in every mode
    } else if only_spaces {
        t.truncated_note(ctx);
    } else {
        t.too_long(ctx)?;
    }
    Ok(head)
}
