//! Conditions of the form `column op value` that an index can serve.

use value::compare::{Comparator, ComparisonKind};
use value::{SqlType, TypeKind};

use crate::expr::{CmpOp, Expr, ExprKind, SlotId};
use crate::func::FuncId;

/// What is known about a column.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Eq {
        value: Expr,
        null_safe: bool,
    },
    In(Vec<Expr>),
    Low(Expr, bool),
    High(Expr, bool),
    Between(Expr, Expr),
    NotNull,
    /// None of these values.
    NotIn(Vec<Expr>),
    Like {
        pattern: Expr,
        escape: u32,
    },
}

/// `column test`, and whether an index that serves it makes checking the condition again superfluous.
#[derive(Clone, Debug)]
pub(crate) struct Sarg {
    pub(crate) column: u16,
    pub(crate) test: Test,
    pub(crate) exact: bool,
}

/// Whether the order of the column's keys agrees with the comparison; `Some(true)` when key equality is exactly the comparison.
fn key_order(column: &SqlType, value: &SqlType, kind: ComparisonKind) -> Option<bool> {
    match kind {
        ComparisonKind::Int => {
            let plain = column.kind.is_integer() || column.kind == TypeKind::Year || column.kind == TypeKind::Bit;
            let value_ok = value.kind.is_integer() || value.kind == TypeKind::Null || value.kind == TypeKind::Year;
            plain.then_some(value_ok && column.kind != TypeKind::Year)
        }
        ComparisonKind::Decimal => (column.kind == TypeKind::Decimal || column.kind.is_integer()).then_some(false),
        // what is near enough is equal
        ComparisonKind::Double if Comparator::with_kind(kind, column, value).within > 0.0 => None,
        ComparisonKind::Double => match column.kind {
            TypeKind::Double | TypeKind::Year => Some(false),
            k if k.is_integer() => Some(false),
            _ => None,
        },
        ComparisonKind::String(c) => (column.kind.is_string() && column.collation == c && value.kind.is_string())
            .then_some(!column.kind.is_lob()),
        ComparisonKind::DateTime => column.kind.has_date().then_some(false),
        ComparisonKind::Time => (column.kind == TypeKind::Time).then_some(false),
        // keys are not in the order of JSON values
        ComparisonKind::Json => None,
    }
}

/// The same for equality alone: an ENUM's keys are the numbers of its members, where each text is that of one number.
/// Its comparison stays.
fn key_equal(column: &SqlType, value: &SqlType, kind: ComparisonKind) -> Option<bool> {
    match kind {
        ComparisonKind::String(c) if column.kind == TypeKind::Enum => {
            let alike = column.collation == c && value.kind.is_string() && value.collation.charset() == c.charset();
            (alike && has_one_number_each(column)).then_some(false)
        }
        _ => key_order(column, value, kind),
    }
}

/// Members that are looked at: to know of more costs more than an index on so few rows each may save.
const MOST_MEMBERS: usize = 1_000;

/// Whether no two members, and none and the empty text of the error value 0, are equal: without strict mode a column
/// may have such.
fn has_one_number_each(column: &SqlType) -> bool {
    let Some(members) = column.members.as_ref().filter(|m| m.len() <= MOST_MEMBERS) else { return false };
    let collation = column.collation.get();
    let mut sorted: Vec<&[u8]> = members.iter().map(|m| &**m).chain([&b""[..]]).collect();
    sorted.sort_unstable_by(|a, b| collation.compare(a, b));
    sorted.iter().zip(sorted.iter().skip(1)).all(|(a, b)| collation.compare(a, b).is_ne())
}

/// `x = v` of two rows' members, where `x` is a column of `slot`. Not exact: the row's comparison says more than one member's.
fn member(x: &Expr, v: &Expr, kind: ComparisonKind, slot: SlotId, known: &dyn Fn(&Expr) -> bool) -> Option<Sarg> {
    let ExprKind::Column { slot: s, column } = x.kind else { return None };
    if s != slot || !known(v) {
        return None;
    }
    key_equal(&x.ty, &v.ty, kind)?;
    Some(Sarg { column, test: Test::Eq { value: v.clone(), null_safe: false }, exact: false })
}

/// All conditions a conjunct puts on single columns of `slot`: one, or several of `(a, b) = (1, 2)`.
pub(crate) fn sargs(e: &Expr, slot: SlotId, known: &dyn Fn(&Expr) -> bool) -> Vec<Sarg> {
    match &e.kind {
        ExprKind::CompareRow { op: CmpOp::Eq, left, right, cmp } => {
            let pairs = left.iter().zip(right.iter()).zip(cmp.iter());
            pairs
                .filter_map(|((a, b), c)| {
                    member(a, b, c.kind, slot, known).or_else(|| member(b, a, c.kind, slot, known))
                })
                .collect()
        }
        ExprKind::Call(FuncId::InElements, _) => elements(e, slot, known),
        _ => sarg(e, slot, known).into_iter().collect(),
    }
}

/// What a condition on the elements of an expression says about the columns of multi-valued indexes: equality with one value (MEMBER OF), or with
/// one of a document's (the executor takes it apart). Never exact, because the index has converted elements.
fn elements(e: &Expr, slot: SlotId, known: &dyn Fn(&Expr) -> bool) -> Vec<Sarg> {
    let (mut out, mut e) = (Vec::new(), e);
    while let ExprKind::Call(FuncId::InElements, args) = &e.kind
        && let [condition, column, value] = args.as_ref()
    {
        e = condition;
        let mut one = e;
        while let ExprKind::Call(FuncId::InElements, args) = &one.kind
            && let Some(first) = args.first()
        {
            one = first;
        }
        let ExprKind::Column { slot: s, column } = column.kind else { continue };
        if s != slot || !known(value) {
            continue;
        }
        let test = match &one.kind {
            ExprKind::Call(FuncId::JsonMemberOf, _) => Test::Eq { value: value.clone(), null_safe: false },
            _ => Test::In(vec![value.clone()]),
        };
        out.push(Sarg { column, test, exact: false });
    }
    out
}

/// The branches of a conjunct that is a disjunction, each with the conditions it puts on single columns: `a OR b`, and
/// `(a, b) IN ((1, 2), (3, 4))`.
pub(crate) fn branches(e: &Expr, slot: SlotId, known: &dyn Fn(&Expr) -> bool) -> Option<Vec<Vec<Sarg>>> {
    match &e.kind {
        ExprKind::Or(list) => {
            let branch = |b: &Expr| match &b.kind {
                ExprKind::And(l) => l.iter().flat_map(|c| sargs(c, slot, known)).collect(),
                _ => sargs(b, slot, known),
            };
            Some(list.iter().map(branch).collect())
        }
        ExprKind::InList { negated: false, left, list, cmp } if left.len() > 1 => {
            let rows = list.chunks(left.len()).zip(cmp.chunks(left.len()));
            let row = |(values, cmps): (&[Expr], &[value::compare::Comparator])| {
                let members = left.iter().zip(values).zip(cmps);
                members.filter_map(|((x, v), c)| member(x, v, c.kind, slot, known)).collect()
            };
            Some(rows.map(row).collect())
        }
        ExprKind::Between { negated: true, args, cmp } => {
            let [x, lo, hi] = args.as_ref();
            let [c1, c2] = cmp.as_ref();
            let ExprKind::Column { slot: s, column } = x.kind else { return None };
            if s != slot || !known(lo) || !known(hi) {
                return None;
            }
            key_order(&x.ty, &lo.ty, c1.kind).and(key_order(&x.ty, &hi.ty, c2.kind))?;
            let side = |test| vec![Sarg { column, test, exact: false }];
            Some(vec![side(Test::High(lo.clone(), false)), side(Test::Low(hi.clone(), false))])
        }
        ExprKind::CompareRow { op, left, right, cmp } => lexicographic(*op, left, right, cmp, slot, known),
        _ => None,
    }
}

/// `(a, b) > (1, 2)` is `a > 1 OR a = 1 AND b > 2`: a branch for each member, as far as they are columns. What a row's comparison makes of
/// NULLs is not repeated: its branches only say where rows can be.
fn lexicographic(
    op: CmpOp,
    left: &[Expr],
    right: &[Expr],
    cmp: &[Comparator],
    slot: SlotId,
    known: &dyn Fn(&Expr) -> bool,
) -> Option<Vec<Vec<Sarg>>> {
    let greater = match op {
        CmpOp::Gt | CmpOp::Ge => true,
        CmpOp::Lt | CmpOp::Le => false,
        _ => return None,
    };
    let inclusive = matches!(op, CmpOp::Ge | CmpOp::Le);
    let (mut out, mut equal): (Vec<Vec<Sarg>>, Vec<Sarg>) = (Vec::new(), Vec::new());
    let last = left.len().checked_sub(1)?;
    for (i, ((x, v), c)) in left.iter().zip(right).zip(cmp).enumerate() {
        // the members of an ENUM are in the order of their numbers
        let ordered = x.ty.kind != TypeKind::Enum;
        let Some(same) = member(x, v, c.kind, slot, known).filter(|_| ordered) else {
            // the members before it being equal is all that can be said of the rest
            if equal.is_empty() {
                return None;
            }
            out.push(equal);
            return Some(out);
        };
        let end = inclusive && i == last;
        let test = if greater { Test::Low(v.clone(), end) } else { Test::High(v.clone(), end) };
        let mut branch = equal.clone();
        branch.push(Sarg { column: same.column, test, exact: false });
        out.push(branch);
        equal.push(same);
    }
    Some(out)
}

/// Reads a conjunct as a condition on one column of `slot`; `known` says whether an expression can be evaluated before the scan opens.
pub(crate) fn sarg(e: &Expr, slot: SlotId, known: &dyn Fn(&Expr) -> bool) -> Option<Sarg> {
    let col = |x: &Expr| match x.kind {
        ExprKind::Column { slot: s, column } if s == slot => Some(column),
        _ => None,
    };
    match &e.kind {
        ExprKind::Compare { op, args, cmp } => {
            let [a, b] = args.as_ref();
            let (c, cty, v, op) = match (col(a), col(b)) {
                (Some(c), _) if known(b) => (c, &a.ty, b, *op),
                (_, Some(c)) if known(a) => (c, &b.ty, a, op.flip()),
                _ => return None,
            };
            let exact = match op {
                CmpOp::Eq | CmpOp::NullSafeEq | CmpOp::Ne => key_equal(cty, &v.ty, cmp.kind)?,
                _ => key_order(cty, &v.ty, cmp.kind)?,
            };
            let test = match op {
                CmpOp::Eq => Test::Eq { value: v.clone(), null_safe: false },
                CmpOp::NullSafeEq => Test::Eq { value: v.clone(), null_safe: true },
                CmpOp::Lt => Test::High(v.clone(), false),
                CmpOp::Le => Test::High(v.clone(), true),
                CmpOp::Gt => Test::Low(v.clone(), false),
                CmpOp::Ge => Test::Low(v.clone(), true),
                CmpOp::Ne => Test::NotIn(vec![v.clone()]),
            };
            // a range reads what lies between the values; whether it is equal to one says the comparison
            Some(Sarg { column: c, exact: exact && op != CmpOp::Ne, test })
        }
        ExprKind::Between { negated: false, args, cmp } => {
            let [x, lo, hi] = args.as_ref();
            let [c1, c2] = cmp.as_ref();
            let c = col(x).filter(|_| known(lo) && known(hi))?;
            let exact = key_order(&x.ty, &lo.ty, c1.kind)? & key_order(&x.ty, &hi.ty, c2.kind)?;
            Some(Sarg { column: c, test: Test::Between(lo.clone(), hi.clone()), exact })
        }
        ExprKind::InList { negated, left, list, cmp } => {
            let [x] = left.as_ref() else { return None };
            let c = col(x)?;
            let mut exact = true;
            for (v, k) in list.iter().zip(cmp.iter()) {
                if !known(v) {
                    return None;
                }
                exact &= key_equal(&x.ty, &v.ty, k.kind)?;
            }
            if *negated {
                return Some(Sarg { column: c, test: Test::NotIn(list.to_vec()), exact: false });
            }
            Some(Sarg { column: c, test: Test::In(list.to_vec()), exact })
        }
        ExprKind::IsNull(x, false) => {
            let c = col(x)?;
            let v = Expr::null();
            Some(Sarg { column: c, test: Test::Eq { value: v, null_safe: true }, exact: true })
        }
        ExprKind::IsNull(x, true) => Some(Sarg { column: col(x)?, test: Test::NotNull, exact: false }),
        ExprKind::Or(list) => one_of(list, slot, known),
        ExprKind::Like { args, escape, negated: false, collation } => {
            let [x, p] = args.as_ref();
            let c = col(x).filter(|_| known(p) && x.ty.kind.is_string() && x.ty.collation == *collation)?;
            Some(Sarg { column: c, test: Test::Like { pattern: p.clone(), escape: *escape }, exact: false })
        }
        _ => None,
    }
}

/// `a = 1 OR a = 2 OR a IN (3, 4)` is `a IN (1, 2, 3, 4)`. The disjunction is checked again.
fn one_of(list: &[Expr], slot: SlotId, known: &dyn Fn(&Expr) -> bool) -> Option<Sarg> {
    let (mut of, mut values) = (None, Vec::with_capacity(list.len()));
    for branch in list {
        let s = sarg(branch, slot, known)?;
        if of.is_some_and(|c| c != s.column) {
            return None;
        }
        of = Some(s.column);
        match s.test {
            Test::Eq { value, null_safe: false } => values.push(value),
            Test::In(more) => values.extend(more),
            _ => return None,
        }
    }
    Some(Sarg { column: of?, test: Test::In(values), exact: false })
}
