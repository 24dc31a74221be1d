//! What the tree of a pattern tells before it is searched for: how it begins, how long it is.

use fancy_regex::{Assertion, Expr};

use super::regexp_program::sets;

fn children(e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Concat(all) | Expr::Alt(all) => all.iter().collect(),
        Expr::Group(e) => vec![e],
        Expr::LookAround(e, _) | Expr::Repeat { child: e, .. } | Expr::AtomicGroup(e) => vec![e],
        _ => Vec::new(),
    }
}

/// How many groups there are.
pub(super) fn groups(e: &Expr) -> usize {
    usize::from(matches!(e, Expr::Group(_))) + children(e).into_iter().map(groups).sum::<usize>()
}

/// Whether it can only match at the beginning of the text.
pub(super) fn anchored(e: &Expr) -> bool {
    match e {
        Expr::Assertion(Assertion::StartText) => true,
        Expr::Concat(all) => all.first().is_some_and(anchored),
        Expr::Alt(all) => all.iter().all(anchored),
        Expr::Group(e) => anchored(e),
        Expr::AtomicGroup(e) => anchored(e),
        _ => false,
    }
}

/// Adds the bytes a match of the expression can begin with; whether it can take nothing.
pub(super) fn begins(e: &Expr, first: &mut [bool; 256]) -> bool {
    let mut add = |c: char| {
        if let Some(b) = first.get_mut(usize::from(c.encode_utf8(&mut [0; 4]).as_bytes().first().copied().unwrap_or(0)))
        {
            *b = true;
        }
    };
    match e {
        Expr::Literal { val, casei: false } => {
            let c = val.chars().next();
            c.into_iter().for_each(add);
            c.is_none()
        }
        Expr::Any { newline: false, .. } | Expr::Delegate { .. } | Expr::Literal { .. } => {
            let sets = sets(e).unwrap_or_default();
            if let Some(set) = sets.first() {
                (0..128).map(|b: u8| b as char).filter(|c| set.has(*c)).for_each(&mut add);
                if set.is_wide() {
                    first.iter_mut().skip(128).for_each(|b| *b = true);
                }
            }
            sets.is_empty()
        }
        Expr::Concat(all) => all.iter().all(|e| begins(e, first)),
        Expr::Alt(all) => all.iter().fold(false, |optional, e| begins(e, first) | optional),
        Expr::Group(e) => begins(e, first),
        Expr::AtomicGroup(e) => begins(e, first),
        Expr::Repeat { child, lo, .. } => begins(child, first) | (*lo == 0),
        // they take nothing, and what stands behind them says more
        Expr::Empty | Expr::Assertion(_) | Expr::LookAround(..) | Expr::ContinueFromPreviousMatchEnd => true,
        _ => {
            first.fill(true);
            true
        }
    }
}

/// The fewest and the most characters of a match; `None`: there is no most.
pub(super) fn width(e: &Expr) -> (usize, Option<usize>) {
    match e {
        Expr::Any { .. } | Expr::Delegate { .. } => (1, Some(1)),
        Expr::Literal { val, .. } => (val.chars().count(), Some(val.chars().count())),
        Expr::GeneralNewline { .. } => (1, Some(2)),
        Expr::Concat(all) => all
            .iter()
            .map(width)
            .fold((0, Some(0)), |a, b| (a.0.saturating_add(b.0), a.1.zip(b.1).map(|(a, b)| a.saturating_add(b)))),
        Expr::Alt(all) => all
            .iter()
            .map(width)
            .fold((usize::MAX, Some(0)), |a, b| (a.0.min(b.0), a.1.zip(b.1).map(|(a, b)| a.max(b)))),
        Expr::Group(e) => width(e),
        Expr::AtomicGroup(e) => width(e),
        Expr::Repeat { child, lo, hi, .. } => {
            let (from, to) = width(child);
            (from.saturating_mul(*lo), to.filter(|_| *hi != usize::MAX).map(|n| n.saturating_mul(*hi)))
        }
        Expr::Backref { .. } => (0, None),
        _ => (0, Some(0)),
    }
}
