//! LIKE where each byte is a character: binary strings, and texts and patterns of ASCII alone. What stands between
//! two `%` is searched for, and
//! what stands behind the last one can only be at the end.
//!
//! Tested: below against the general way (`compare::matches`), and by golden `like_ascii`.

/// What a pattern asks for at a place.
enum Asked {
    /// `%`
    Some,
    /// `_`
    One,
    This(u8),
}

/// What the pattern asks for next, and how many bytes of it that takes.
#[inline]
fn asked(pattern: &[u8], escape: Option<u8>) -> Option<(Asked, usize)> {
    match pattern {
        // an escape character at the end is itself
        [e, c, ..] if Some(*e) == escape => Some((Asked::This(*c), 2)),
        [e] if Some(*e) == escape => Some((Asked::This(*e), 1)),
        [b'%', ..] => Some((Asked::Some, 1)),
        [b'_', ..] => Some((Asked::One, 1)),
        [c, ..] => Some((Asked::This(*c), 1)),
        [] => None,
    }
}

/// How many bytes of the pattern and characters stand before the next `%` or the end, and whether it is the end.
fn until_some(pattern: &[u8], escape: Option<u8>) -> (usize, usize, bool) {
    let (mut at, mut chars) = (0, 0);
    while let Some((what, n)) = asked(pattern.get(at..).unwrap_or(&[]), escape) {
        if matches!(what, Asked::Some) {
            return (at, chars, false);
        }
        at += n;
        chars += 1;
    }
    (at, chars, true)
}

/// Whether the text begins with what a part without `%` asks for.
#[inline]
fn begins(s: &[u8], part: &[u8], escape: Option<u8>, same: &impl Fn(u8, u8) -> bool) -> bool {
    let (mut at, mut rest) = (0, s.iter());
    while let Some((what, n)) = asked(part.get(at..).unwrap_or(&[]), escape) {
        match (rest.next(), what) {
            (Some(a), Asked::This(b)) if same(*a, b) => {}
            (Some(_), Asked::One) => {}
            _ => return false,
        }
        at += n;
    }
    true
}

/// Where the first byte of this kind is. In a long text that may take long: `check` is asked.
#[inline]
fn position<E>(
    s: &[u8],
    wanted: impl Fn(u8) -> bool,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<Option<usize>, E> {
    for (n, piece) in s.chunks(base::interrupt::SHARE).enumerate() {
        if n > 0 {
            check()?;
        }
        if let Some(at) = piece.iter().position(|b| wanted(*b)) {
            return Ok(Some(n * base::interrupt::SHARE + at));
        }
    }
    Ok(None)
}

/// LIKE; `check` is asked now and then.
pub(super) fn matches<E>(
    mut s: &[u8],
    mut pattern: &[u8],
    escape: Option<u8>,
    same: impl Fn(u8, u8) -> bool,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let mut anchored = true;
    let mut steps = 0usize;
    loop {
        let (bytes, chars, last) = until_some(pattern, escape);
        let (part, rest) = pattern.split_at_checked(bytes).unwrap_or((pattern, &[]));
        if chars > s.len() {
            return Ok(false);
        }
        if last {
            // `%` at the end takes everything
            if !anchored && chars == 0 {
                return Ok(true);
            }
            let tail = if anchored { s } else { s.get(s.len() - chars..).unwrap_or(&[]) };
            return Ok(tail.len() == chars && begins(tail, part, escape, &same));
        }
        let first = asked(part, escape).map(|(what, _)| what);
        let mut at = 0;
        loop {
            let here = s.get(at..).unwrap_or(&[]);
            if let (Some(Asked::This(c)), false) = (&first, anchored) {
                let Some(n) = position(here, |a| same(a, *c), &mut check)? else { return Ok(false) };
                at += n;
            }
            let here = s.get(at..).unwrap_or(&[]);
            if here.len() < chars {
                return Ok(false);
            }
            if begins(here, part, escape, &same) {
                break;
            }
            if anchored {
                return Ok(false);
            }
            steps += chars;
            if steps > super::compare::STEPS as usize {
                steps = 0;
                check()?;
            }
            at += 1;
        }
        s = s.get(at + chars..).unwrap_or(&[]);
        // behind the `%`
        pattern = rest.get(1..).unwrap_or(&[]);
        anchored = false;
    }
}
