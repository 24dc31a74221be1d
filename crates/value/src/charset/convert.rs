//! From one character set to another.
//!
//! A text may be as long as a packet, and four times as long in utf32: what is long is measured first and then made once, at its place, rather than in a
//! buffer that doubles and is copied then.

use super::Charset;
use bumpalo::Bump;

/// Bytes from which a text is measured first.
const LONG: usize = 1 << 16;

/// Bytes of a piece of a long text.
const PIECE: usize = 1 << 14;

/// What [`convert`] had to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ConvertOutcome {
    /// Characters that the target does not have; each became '?'.
    pub unmappable: usize,
    /// Source bytes that were not well-formed; each became '?'.
    pub malformed: usize,
}

/// Appends `s` converted. To or from `binary` copies the bytes, with zeros in front where characters are wider.
pub fn convert(s: &[u8], from: Charset, to: Charset, out: &mut Vec<u8>) -> ConvertOutcome {
    let mut outcome = ConvertOutcome::default();
    let same = from == to || from == Charset::Binary || to == Charset::Binary;
    if from == Charset::Binary && to.is_wide() {
        out.extend_from_slice(&super::aligned(to, s));
        return outcome;
    }
    if same || stays(s, from, to) {
        out.extend_from_slice(s);
        return outcome;
    }
    if s.len() >= LONG {
        let all = |_| Ok::<(), std::convert::Infallible>(());
        out.reserve_exact(converted_len(s, from, to, all).unwrap_or(s.len()));
    }
    let mut rest = s;
    while !rest.is_empty() {
        rest = step(rest, from, to, out, &mut outcome, usize::MAX);
    }
    outcome
}

/// Whether the bytes are the same in both.
fn stays(s: &[u8], from: Charset, to: Charset) -> bool {
    let narrow = from.has_ascii() && to.has_ascii();
    (narrow && s.is_ascii()) || (from == Charset::Utf8mb3 && to == Charset::Utf8mb4)
}

/// Appends the converted front of `s` until there are `enough` bytes; returns what is left.
fn step<'s>(
    s: &'s [u8],
    from: Charset,
    to: Charset,
    out: &mut Vec<u8>,
    outcome: &mut ConvertOutcome,
    enough: usize,
) -> &'s [u8] {
    let mut rest = s;
    while !rest.is_empty() && out.len() < enough {
        let n = match from.decode(rest).or_else(|| undefined(from, rest)) {
            Some((c, n)) => {
                if !to.encode(c, out) {
                    outcome.unmappable += 1;
                    to.encode(u32::from(b'?'), out);
                }
                n
            }
            None => {
                outcome.malformed += 1;
                to.encode(u32::from(b'?'), out);
                1
            }
        };
        rest = rest.get(n..).unwrap_or(b"");
    }
    rest
}

/// Calls `f` for the pieces of `s` converted, one behind the other, until it is `Err`.
fn pieces<E>(
    s: &[u8],
    from: Charset,
    to: Charset,
    mut f: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<ConvertOutcome, E> {
    let (mut piece, mut outcome, mut rest) = (Vec::with_capacity(PIECE + 8), ConvertOutcome::default(), s);
    while !rest.is_empty() {
        piece.clear();
        rest = step(rest, from, to, &mut piece, &mut outcome, PIECE);
        f(&piece)?;
    }
    Ok(outcome)
}

/// Bytes that [`convert`] appends for a text, without making them. `work` is told how many have been counted, and
/// may end that with its error.
pub fn converted_len<E>(
    s: &[u8],
    from: Charset,
    to: Charset,
    work: impl Fn(usize) -> Result<(), E>,
) -> Result<usize, E> {
    if from == Charset::Binary && to.is_wide() {
        return Ok(super::aligned(to, s).len());
    }
    if from == to || from == Charset::Binary || to == Charset::Binary || stays(s, from, to) {
        return Ok(s.len());
    }
    let mut len = 0;
    pieces(s, from, to, |p| {
        len += p.len();
        work(p.len())
    })?;
    Ok(len)
}

/// What [`convert`] makes, in an arena. `Err`: `room` refuses the bytes that it is asked for, or `work`, which is
/// told of bytes that have been worked on, ends it.
pub fn convert_in<'a, E>(
    s: &[u8],
    from: Charset,
    to: Charset,
    arena: &'a Bump,
    room: impl FnOnce(usize) -> Result<(), E>,
    work: impl Fn(usize) -> Result<(), E>,
) -> Result<(&'a [u8], ConvertOutcome), E> {
    if s.len() < LONG || from == Charset::Binary || to == Charset::Binary {
        room(s.len())?;
        let mut out = Vec::with_capacity(s.len() + s.len() / 2);
        let outcome = convert(s, from, to, &mut out);
        return Ok((arena.alloc_slice_copy(&out), outcome));
    }
    let len = converted_len(s, from, to, &work)?;
    room(len)?;
    if from == to || stays(s, from, to) {
        return Ok((arena.alloc_slice_copy(s), ConvertOutcome::default()));
    }
    let out = arena.alloc_slice_fill_copy(len, 0u8);
    let mut free = &mut *out;
    let outcome = pieces(s, from, to, |p| {
        if let Some((place, rest)) = std::mem::take(&mut free).split_at_mut_checked(p.len()) {
            place.copy_from_slice(p);
            free = rest;
        }
        work(p.len())
    })?;
    Ok((out, outcome))
}

/// A character that is formed well but not defined: converted like one that the target lacks.
fn undefined(from: Charset, s: &[u8]) -> Option<(u32, usize)> {
    let n = from.is_multibyte().then(|| super::multibyte::form(from, s)).flatten()?;
    (n > 1).then_some((u32::MAX, n))
}
