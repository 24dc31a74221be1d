//! Disjunctions that say something about every row or about one table.
//!
//! * `(a AND b) OR (a AND c)` is `a AND (b OR c)`: [`factored`] takes what all branches share out, so that a join
//!   condition repeated in every branch can serve as one.
//! * `(t.x = 1 AND u.y = 2) OR (t.x = 3 AND u.y = 4)` holds only for rows of `t` with `t.x = 1 OR t.x = 3`:
//!   [`for_table`] gives that condition, which can be checked before the join.

use crate::expr::{Expr, ExprKind};

fn split(e: Expr) -> Vec<Expr> {
    match e.kind {
        ExprKind::And(list) => list.into_vec().into_iter().flat_map(split).collect(),
        kind => vec![Expr { kind, ty: e.ty, coer: e.coer }],
    }
}

fn and(mut list: Vec<Expr>, like: &Expr) -> Option<Expr> {
    match list.len() {
        0 | 1 => list.pop(),
        _ => Some(Expr { kind: ExprKind::And(list.into()), ty: like.ty.clone(), coer: like.coer }),
    }
}

/// The conjuncts of a condition, with what all branches of a disjunction share in front of what is left of it.
pub(crate) fn factored(e: Expr, out: &mut Vec<Expr>) {
    let Expr { kind: ExprKind::Or(list), ty, coer } = e else {
        out.push(e);
        return;
    };
    let like = Expr { kind: ExprKind::DefaultValue, ty, coer };
    let shared: Vec<Expr> = {
        let branch = |e: &Expr| -> Vec<Expr> { split(e.clone()) };
        let (first, rest) = match list.split_first() {
            Some((f, r)) => (branch(f), r),
            None => return,
        };
        // cheap in the usual case: the first branch's conjuncts are looked for in the others as they stand
        let has = |b: &Expr, c: &Expr| match &b.kind {
            ExprKind::And(l) => l.iter().any(|x| x.same(c)),
            _ => b.same(c),
        };
        first.into_iter().filter(|c| rest.iter().all(|b| has(b, c))).collect()
    };
    if shared.is_empty() {
        out.push(Expr { kind: ExprKind::Or(list), ..like });
        return;
    }
    let mut left = Vec::new();
    let mut whole = true;
    for b in list.into_vec() {
        let own = split(b).into_iter().filter(|c| !shared.iter().any(|s| s.same(c))).collect();
        match and(own, &like) {
            Some(b) => left.push(b),
            // this branch asks no more than what all share
            None => whole = false,
        }
    }
    out.extend(shared);
    if whole && left.len() > 1 {
        out.push(Expr { kind: ExprKind::Or(left.into()), ..like });
    } else if whole {
        out.extend(left);
    }
}

/// What a disjunction over several tables says about one of them; `own` tells the conditions that read it alone.
pub(crate) fn for_table(e: &Expr, own: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let ExprKind::Or(list) = &e.kind else { return None };
    let part = |b: &Expr| -> Option<Expr> {
        match &b.kind {
            ExprKind::And(l) => {
                let mine = l.iter().filter_map(|c| if own(c) { Some(c.clone()) } else { for_table(c, own) }).collect();
                and(mine, e)
            }
            _ if own(b) => Some(b.clone()),
            _ => for_table(b, own),
        }
    };
    let list: Vec<Expr> = list.iter().map(part).collect::<Option<_>>()?;
    Some(Expr { kind: ExprKind::Or(list.into()), ty: e.ty.clone(), coer: e.coer })
}
