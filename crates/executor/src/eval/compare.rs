//! Comparison operators, BETWEEN, IN, row comparison, LIKE.

use std::cmp::Ordering;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{CmpOp, Expr, ExprKind};
use value::compare::{Comparator, ComparisonKind};
use value::{CollationId, TypeKind, Value};

use super::{eval, in_set, in_whole, is_no_date, numbers, text_of};
use crate::eval::Cx;

/// Result of a comparison operator for an ordering (`None`: an operand is NULL).
fn outcome(op: CmpOp, o: Option<Ordering>) -> Value<'static> {
    o.map_or(Value::Null, |o| Value::from_bool(op.holds(o)))
}

/// `a op b`.
#[inline]
pub(super) fn compare<'a>(
    op: CmpOp,
    args: &'a [Expr; 2],
    cmp: &Comparator,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let [l, r] = args;
    let a = numbers::compared(l, cmp, cx, arena)?;
    if a.is_null() && op != CmpOp::NullSafeEq {
        // a constant that is no date is an error even beside NULL
        if let ExprKind::Cast(_) = r.kind
            && r.is_const()
        {
            eval(r, cx, arena)?;
        }
        return Ok(Value::Null);
    }
    let b = numbers::compared(r, cmp, cx, arena)?;
    if op == CmpOp::NullSafeEq {
        return Ok(Value::from_bool(null_safe((a, l), (b, r), cmp, cx)));
    }
    Ok(outcome(op, compared((a, l), (b, r), cmp, cx)))
}

/// Two values compared, each with its expression.
#[inline]
pub(super) fn compared(
    (a, l): (Value<'_>, &Expr),
    (b, r): (Value<'_>, &Expr),
    cmp: &Comparator,
    cx: &mut Cx<'_>,
) -> Option<Ordering> {
    let before = cx.env.conv.warned();
    let o = cmp.compare(a, b, &mut cx.env.conv);
    if cx.env.conv.warned() != before && !numbers::compared_silently([l, r].into_iter(), cmp, before, cx) {
        warn_once(&[l, r], before.count(), cx);
    }
    o
}

/// The comparison of `operands` has warned. What a constant string that is no number warns about is said once for an execution, not for
/// every row: MySQL converts it once.
#[cold]
fn warn_once(operands: &[&Expr], before: u64, cx: &mut Cx<'_>) {
    let text = |e: &Expr| e.ty.kind.is_string();
    let is_const = |e: &Expr| matches!(e.kind, ExprKind::Once(..)) || e.is_const();
    let constant = operands.iter().any(|e| text(e) && is_const(e));
    if !constant || operands.iter().any(|e| text(e) && !is_const(e)) {
        return;
    }
    let at = operands.first().map_or(0, |e| std::ptr::from_ref(*e) as usize);
    let conv = &mut cx.env.conv;
    if cx.warned.insert(at) {
        // the range of the scan has said it
        let Some(last) = conv.warnings.last() else { return };
        match cx.foretold.iter_mut().find(|f| !f.1 && f.0 == last.message) {
            Some(f) => f.1 = true,
            None => return,
        }
    }
    let added = usize::try_from(conv.warning_count - before).unwrap_or(0);
    if conv.warnings.len() as u64 == conv.warning_count {
        conv.warnings.truncate(conv.warnings.len() - added.min(conv.warnings.len()));
    }
    conv.warning_count = before;
}

/// NULLIF, whose argument is the comparison of its operands: the left one, evaluated once, or NULL.
pub(super) fn null_if<'a>(a: &super::Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let ExprKind::Compare { args, cmp, .. } = &a.expr(0)?.kind else { return Err(SqlError::unsupported("NULLIF")) };
    let [l, r] = args.as_ref();
    let v = eval(l, cx, a.arena)?;
    if v.is_null() {
        return Ok(v);
    }
    let w = numbers::compared(r, cmp, cx, a.arena)?;
    let o = compared((v, l), (w, r), cmp, cx);
    Ok(if o == Some(Ordering::Equal) { Value::Null } else { v })
}

fn null_safe(a: (Value<'_>, &Expr), b: (Value<'_>, &Expr), cmp: &Comparator, cx: &mut Cx<'_>) -> bool {
    match (a.0.is_null(), b.0.is_null()) {
        (true, true) => !is_no_date(a.1, cx) && !is_no_date(b.1, cx),
        (false, false) => compared(a, b, cmp, cx) == Some(Ordering::Equal),
        _ => false,
    }
}

/// `x BETWEEN low AND high`.
pub(super) fn between<'a>(
    negated: bool,
    args: &'a [Expr; 3],
    cmp: &[Comparator; 2],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let [x, low, high] = args;
    let [c1, c2] = cmp;
    let v = if c1.kind == c2.kind { numbers::compared(x, c1, cx, arena)? } else { eval(x, cx, arena)? };
    if v.is_null() {
        return Ok(Value::Null);
    }
    let (lo, hi) = (numbers::compared(low, c1, cx, arena)?, numbers::compared(high, c2, cx, arena)?);
    let before = cx.env.conv.warned();
    let a = numbers::compare((v, x), (lo, low), c1, cx).map(Ordering::is_ge);
    let between = cx.env.conv.warned();
    let b = numbers::compare((v, x), (hi, high), c2, cx).map(Ordering::is_le);
    if between != before && x.ty.kind.is_string() && c2.kind == ComparisonKind::Double {
        // the text has been said to be no number
        cx.env.conv.forget_since(between);
    }
    if cx.env.conv.warned() != before {
        warn_once(&[x, low, high], before.count(), cx);
    }
    Ok(match (a, b) {
        (Some(false), _) | (_, Some(false)) => Value::from_bool(negated),
        (Some(true), Some(true)) => Value::from_bool(!negated),
        _ => Value::Null,
    })
}

/// Whether two rows are equal, from the orders of their members: `Some(false)` as soon as two differ (what follows is
/// not evaluated), else `None` (unknown) if one of a pair is NULL.
pub(crate) fn rows_equal<E>(orders: impl Iterator<Item = Result<Option<Ordering>, E>>) -> Result<Option<bool>, E> {
    let mut equal = Some(true);
    for order in orders {
        match order? {
            Some(Ordering::Equal) => {}
            Some(_) => return Ok(Some(false)),
            None => equal = None,
        }
    }
    Ok(equal)
}

/// `x IN (list)`, also for rows.
pub(super) fn in_list<'a>(
    negated: bool,
    left: &'a [Expr],
    list: &'a [Expr],
    cmp: &[Comparator],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let uniform = left.len() != 1 || cmp.windows(2).all(|c| c.first().map(|c| c.kind) == c.last().map(|c| c.kind));
    let mut vals = smallvec::SmallVec::<[Value<'a>; 4]>::new();
    for l in left {
        vals.push(if numbers::is_delegated(l) { numbers::listed(l, cmp, cx, arena)? } else { eval(l, cx, arena)? });
    }
    let mut null = false;
    if vals.len() == 1 && vals.iter().all(Value::is_null) {
        in_whole::read_beside_null(left, (list, uniform), cx, arena)?;
        return Ok(Value::Null);
    }
    let mixed = left.iter().any(numbers::is_delegated) && !uniform;
    if let [v] = vals.as_slice()
        && list.len() >= in_set::LONG
        && !mixed
        && let Some(set) = in_set::known(list, cmp, cx, arena)?
        && let Some(found) = numbers::read_all(left, cx, |conv| set.find(*v, conv))
    {
        return among_rest(found, negated, *v, &set, (left, list, cmp), cx, arena);
    }
    let mut said = false;
    let width = left.len().max(1);
    for (n, (items, cmps)) in list.chunks(width).zip(cmp.chunks(width)).enumerate() {
        let members = vals.iter().zip(left).zip(items).zip(cmps);
        let orders = members.map(|(((v, l), e), c)| compare_member((*v, l), left, e, c, &mut said, cx, arena));
        match rows_equal(orders)? {
            Some(true) => {
                if uniform && in_whole::is_read(list, cx) {
                    in_whole::read(list.get((n + 1) * width..).unwrap_or_default(), cx, arena)?;
                }
                return Ok(Value::from_bool(!negated));
            }
            None => null = true,
            Some(false) => {}
        }
    }
    Ok(if null { Value::Null } else { Value::from_bool(negated) })
}

/// `v`, of the left side, compared with a member of the list. A constant that is no value of the left side's type warns once.
/// A text that is no number is converted once for all members (`said`).
fn compare_member<'a>(
    (mut v, l): (Value<'a>, &'a Expr),
    left: &[Expr],
    e: &'a Expr,
    c: &Comparator,
    said: &mut bool,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Option<Ordering>> {
    let w = numbers::compared(e, c, cx, arena)?;
    if numbers::is_delegated(l) {
        v = numbers::compared(l, c, cx, arena)?;
    }
    if w.is_null() && matches!(e.ty.kind, TypeKind::Date | TypeKind::Time) && is_no_date(e, cx) {
        return Ok(Some(Ordering::Greater));
    }
    let before = cx.env.conv.warned();
    let o = numbers::compare((v, l), (w, e), c, cx);
    if cx.env.conv.warned() != before {
        if left.iter().all(|l| !l.ty.kind.is_string()) {
            warn_once(&[e], before.count(), cx);
        } else if left.len() == 1 && c.kind == ComparisonKind::Double && std::mem::replace(said, true) {
            cx.env.conv.forget_since(before);
        }
    }
    Ok(o)
}

/// `v IN (list)` whose sorted constants have been looked through; what is none of them is compared one by one.
fn among_rest<'a>(
    found: bool,
    negated: bool,
    v: Value<'a>,
    set: &in_set::Set,
    (left, list, cmp): (&'a [Expr], &'a [Expr], &[Comparator]),
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if found {
        return Ok(Value::from_bool(!negated));
    }
    let [l] = left else { return Ok(Value::Null) };
    let (mut null, mut said) = (set.null, false);
    for i in &set.rest {
        let (Some(e), Some(c)) = (list.get(*i as usize), cmp.get(*i as usize)) else { continue };
        match compare_member((v, l), left, e, c, &mut said, cx, arena)? {
            Some(Ordering::Equal) => return Ok(Value::from_bool(!negated)),
            Some(_) => {}
            None => null = true,
        }
    }
    Ok(if null { Value::Null } else { Value::from_bool(negated) })
}

/// `(a, b) op (c, d)`.
pub(super) fn rows<'a>(
    op: CmpOp,
    left: &'a [Expr],
    right: &'a [Expr],
    cmp: &[Comparator],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let mut null = false;
    for ((l, r), c) in left.iter().zip(right).zip(cmp) {
        let (a, b) = (numbers::compared(l, c, cx, arena)?, numbers::compared(r, c, cx, arena)?);
        if op == CmpOp::NullSafeEq {
            if !null_safe((a, l), (b, r), c, cx) {
                return Ok(Value::Int(0));
            }
            continue;
        }
        match compared((a, l), (b, r), c, cx) {
            Some(Ordering::Equal) => {}
            Some(o) => match op {
                CmpOp::Eq => return Ok(Value::Int(0)),
                CmpOp::Ne => return Ok(Value::Int(1)),
                _ if null => return Ok(Value::Null),
                _ => return Ok(Value::from_bool(op.holds(o))),
            },
            None => {
                if !matches!(op, CmpOp::Eq | CmpOp::Ne) {
                    return Ok(Value::Null);
                }
                null = true;
            }
        }
    }
    Ok(if null { Value::Null } else { Value::from_bool(op.holds(Ordering::Equal)) })
}

/// `a LIKE pattern`.
pub(super) fn like<'a>(
    args: &'a [Expr; 2],
    escape: u32,
    negated: bool,
    collation: CollationId,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let [x, p] = args;
    let v = eval(x, cx, arena)?;
    let Some(s) = text_of(v, &x.ty, arena) else { return Ok(Value::Null) };
    let w = eval(p, cx, arena)?;
    let Some(pattern) = text_of(w, &p.ty, arena) else { return Ok(Value::Null) };
    let escape = char::from_u32(escape).filter(|c| *c != '\0');
    Ok(Value::from_bool(matches(s, pattern, escape, collation, cx)? != negated))
}

/// `a LIKE pattern ESCAPE e` with a computed escape character: none (`''`), one (NULL: the usual one), or error 1210.
pub(super) fn like_escape<'a>(a: &super::Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(s), Some(pattern)) = (a.text(0, cx)?, a.text(1, cx)?) else { return Ok(Value::Null) };
    let cs = a.ty(2)?.charset();
    let escape = match a.text(2, cx)? {
        None => Some('\\'),
        Some([]) => None,
        Some(e) if cs.char_len(e) == e.len() => cs.decode(e).and_then(|(c, _)| char::from_u32(c)),
        Some(_) => return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"ESCAPE"])),
    };
    Ok(Value::from_bool(matches(s, pattern, escape, a.ty(0)?.collation, cx)?))
}

/// LIKE under a collation: characters compare singly. Long texts may take as many steps as the product of both lengths, so KILL is looked at.
pub(crate) fn matches(
    s: &[u8],
    pattern: &[u8],
    escape: Option<char>,
    collation: CollationId,
    cx: &mut Cx<'_>,
) -> SqlResult<bool> {
    matches_watched(s, pattern, escape, collation, || cx.check_killed())
}

/// Steps of LIKE between two looks at KILL.
pub(super) const STEPS: u32 = 1 << 16;

fn matches_watched<E>(
    s: &[u8],
    pattern: &[u8],
    escape: Option<char>,
    collation: CollationId,
    check: impl FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let c = collation.get();
    // an escape character that is not of ASCII cannot occur in a pattern of ASCII; in charsets of ASCII the others are themselves
    let byte = escape.and_then(|e| u8::try_from(e).ok()).filter(u8::is_ascii);
    if collation == CollationId::BINARY && escape.is_none_or(|e| e.is_ascii()) {
        return super::like::matches(s, pattern, byte, |a, b| a == b, check);
    }
    let plain = c.charset.has_ascii() && !c.charset.hides_ascii() && s.is_ascii() && pattern.is_ascii();
    if let (true, Some(same)) = (plain, c.ascii()) {
        let same = |a: u8, b: u8| same.get(usize::from(a)).is_some_and(|row| row >> (b & 127) & 1 != 0);
        return super::like::matches(s, pattern, byte, same, check);
    }
    matches_by_char(s, pattern, escape, collation, check)
}

fn matches_by_char<E>(
    s: &[u8],
    pattern: &[u8],
    escape: Option<char>,
    collation: CollationId,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let c = collation.get();
    let cs = c.charset;
    // by bytes where that is the same thing
    let bytewise = collation == CollationId::BINARY;
    let step = |b: &[u8]| if bytewise { 1.min(b.len()) } else { cs.char_len(b).clamp(1, b.len().max(1)) };
    let equal = |a: &[u8], b: &[u8]| if bytewise { a == b } else { c.same_char(a, b) };
    let escape_bytes = escape.map(|e| {
        let mut buf = Vec::new();
        cs.encode(e as u32, &mut buf);
        buf
    });
    let (mut si, mut pi) = (0usize, 0usize);
    let mut back: Option<(usize, usize)> = None;
    let mut steps = 0u32;
    loop {
        steps += 1;
        if steps == STEPS {
            check()?;
            steps = 0;
        }
        let rest = s.get(si..).unwrap_or(&[]);
        let pat = pattern.get(pi..).unwrap_or(&[]);
        let mut advanced = false;
        if !pat.is_empty() {
            let first = cs.mark(pat);
            // an escape character at the end is itself, a wildcard too
            let escape = escape_bytes.as_ref().filter(|e| !e.is_empty() && pat.starts_with(e));
            if escape.is_none() && first == b'%' {
                pi += step(pat);
                if pi >= pattern.len() {
                    return Ok(true);
                }
                back = Some((si, pi));
                continue;
            }
            if !rest.is_empty() {
                if escape.is_none() && first == b'_' {
                    si += step(rest);
                    pi += step(pat);
                    advanced = true;
                } else {
                    let mut at = pi;
                    let mut p = pat;
                    if let Some(e) = escape
                        && pat.len() > e.len()
                    {
                        at += e.len();
                        p = pattern.get(at..).unwrap_or(&[]);
                    }
                    let (n, m) = (step(rest), step(p));
                    if equal(rest.get(..n).unwrap_or(rest), p.get(..m).unwrap_or(p)) {
                        si += n;
                        pi = at + m;
                        advanced = true;
                    }
                }
            }
        } else if rest.is_empty() {
            return Ok(true);
        }
        if advanced {
            continue;
        }
        match back {
            Some((b, p)) if b < s.len() => {
                let n = step(s.get(b..).unwrap_or(&[]));
                back = Some((b + n, p));
                si = b + n;
                pi = p;
            }
            _ => return Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_patterns() {
        let m = |s: &str, p: &str| {
            let never = || Ok::<(), std::convert::Infallible>(());
            matches_watched(s.as_bytes(), p.as_bytes(), Some('\\'), CollationId::BINARY, never).unwrap()
        };
        assert!(m("abc", "a%"));
        assert!(m("abc", "%c"));
        assert!(m("abc", "a_c"));
        assert!(m("", "%"));
        assert!(m("a%c", "a\\%c"));
        assert!(!m("abc", "a\\%c"));
        assert!(!m("abc", "abcd"));
        assert!(m("aXbXc", "a%b%c"));
        assert!(!m("abc", ""));
        assert!(m("a\\", "a\\"));
    }

    /// Byte by byte and character by character are the same for all short texts and patterns of some characters.
    #[test]
    fn like_by_bytes() {
        let words = |letters: &str, most: u32| -> Vec<String> {
            let n = letters.len();
            (0..=most)
                .flat_map(|len| (0..n.pow(len)).map(move |x| (0..len).map(move |i| x / n.pow(i) % n)))
                .map(|word| word.map(|i| char::from(letters.as_bytes()[i])).collect())
                .collect()
        };
        let never = || Ok::<(), std::convert::Infallible>(());
        for id in [CollationId::BINARY, CollationId::UTF8MB4_0900_AI_CI, CollationId::UTF8MB4_BIN] {
            for p in words("aB%_\\", 4) {
                for s in words("aAb%", 3).iter().chain(&words("ab", 5)) {
                    for escape in [Some('\\'), Some('a'), None] {
                        let (s, p) = (s.as_bytes(), p.as_bytes());
                        assert_eq!(
                            matches_watched(s, p, escape, id, never),
                            matches_by_char(s, p, escape, id, never),
                            "{id:?} {s:?} {p:?} {escape:?}"
                        );
                    }
                }
            }
        }
    }
}
