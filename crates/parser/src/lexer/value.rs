//! Values of literals.

use super::{Lexed, LiteralKind, LiteralToken};
use crate::ast::LitValue;
use bumpalo::Bump;

impl Lexed {
    /// The value of literal `ordinal`, exactly as the parser puts it into the tree (introducers apart: a literal with an
    /// introducer is never lifted). `Null` when there is no such ordinal.
    pub fn value<'a>(&self, arena: &'a Bump, sql: &[u8], ordinal: u32) -> LitValue<'a> {
        match self.literals.get(ordinal as usize) {
            Some(l) => literal_value(arena, sql, l, self.mode.no_backslash_escapes),
            None => LitValue::Null,
        }
    }
}

pub(crate) fn literal_value<'a>(arena: &'a Bump, sql: &[u8], l: &LiteralToken, no_backslash: bool) -> LitValue<'a> {
    let text = sql.get(l.start as usize..l.end as usize).unwrap_or(&[]);
    match l.kind {
        LiteralKind::Int => match parse_u64(text) {
            Some(v) => LitValue::Int(v),
            None => LitValue::Decimal(copy_digits(arena, text)),
        },
        LiteralKind::Decimal => LitValue::Decimal(copy_digits(arena, text)),
        LiteralKind::Float => LitValue::Float(copy_digits(arena, text)),
        LiteralKind::Str => LitValue::Str { bytes: string_value(arena, text, l.plain, no_backslash), charset: None },
        LiteralKind::NationalStr => LitValue::Str {
            bytes: string_value(arena, text.get(1..).unwrap_or(&[]), l.plain, no_backslash),
            charset: Some("utf8mb3"),
        },
        LiteralKind::Hex => LitValue::Hex { bytes: digits(arena, inner(text), 4), charset: None },
        LiteralKind::Bit => LitValue::Bit { bytes: digits(arena, inner(text), 1), charset: None },
    }
}

fn parse_u64(text: &[u8]) -> Option<u64> {
    if text.len() < 20 {
        // cannot overflow
        return Some(text.iter().fold(0u64, |v, &d| v.wrapping_mul(10).wrapping_add(u64::from(d.wrapping_sub(b'0')))));
    }
    text.iter().try_fold(0u64, |v, &d| v.checked_mul(10)?.checked_add(u64::from(d.wrapping_sub(b'0'))))
}

/// The lexer let only ASCII pass.
fn copy_digits<'a>(arena: &'a Bump, text: &[u8]) -> &'a str {
    std::str::from_utf8(arena.alloc_slice_copy(text)).unwrap_or("0")
}

/// Text between the quotes of a string, unescaped.
fn string_value<'a>(arena: &'a Bump, quoted: &[u8], plain: bool, no_backslash: bool) -> &'a [u8] {
    let body = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or(&[]);
    if plain {
        return arena.alloc_slice_copy(body);
    }
    let mut out = bumpalo::collections::Vec::with_capacity_in(body.len(), arena);
    decode(body, quoted.first().copied().unwrap_or(b'\''), no_backslash, |b| out.push(b));
    out.into_bump_slice()
}

/// Appends the value of a quoted string token (quotes included) to `out`.
pub fn decode_string(quoted: &[u8], no_backslash: bool, out: &mut Vec<u8>) {
    let body = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or(&[]);
    decode(body, quoted.first().copied().unwrap_or(b'\''), no_backslash, |b| out.push(b));
}

fn decode(body: &[u8], quote: u8, no_backslash: bool, mut push: impl FnMut(u8)) {
    let mut bytes = body.iter().copied();
    while let Some(b) = bytes.next() {
        if b == quote {
            // doubled: the lexer would have ended the string otherwise
            bytes.next();
            push(quote);
        } else if b == b'\\' && !no_backslash {
            match bytes.next() {
                Some(b'0') => push(0),
                Some(b'b') => push(8),
                Some(b'n') => push(b'\n'),
                Some(b'r') => push(b'\r'),
                Some(b't') => push(b'\t'),
                Some(b'Z') => push(0x1a),
                // LIKE patterns need these with their backslash
                Some(c @ (b'%' | b'_')) => {
                    push(b'\\');
                    push(c);
                }
                Some(c) => push(c),
                None => push(b'\\'),
            }
        } else {
            push(b);
        }
    }
}

/// Digits of 0x.., x'..', 0b.., b'..'.
fn inner(text: &[u8]) -> &[u8] {
    match text.get(1) {
        Some(b'\'') => text.get(2..text.len().saturating_sub(1)).unwrap_or(&[]),
        _ => text.get(2..).unwrap_or(&[]),
    }
}

/// Packs digits of `width` bits, right-aligned.
fn digits<'a>(arena: &'a Bump, text: &[u8], width: usize) -> &'a [u8] {
    let out = arena.alloc_slice_fill_copy((text.len() * width).div_ceil(8), 0u8);
    for (i, &c) in text.iter().rev().enumerate() {
        let v = (c as char).to_digit(16).unwrap_or(0) as u8;
        let bit = i * width;
        if let Some(b) = out.iter_mut().rev().nth(bit / 8) {
            *b |= v << (bit % 8);
        }
    }
    out
}
