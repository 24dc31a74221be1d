//! Text that a date function made (DATE_ADD, ADDTIME ... of text), where a number or a time is needed.
//!
//! Such text is a date or time as a number too: `('2020-01-01' + INTERVAL 1 DAY) + 0` is 20200102 (manual, "Date Calculations" and "Conversion
//! Between Date and Time Types"), while other text is the number it begins with. [`adapt`] is called for every bound expression and puts
//! [`FuncId::TemporalNumber`] around operands of that kind; CAST ... AS SIGNED and UNSIGNED read the text. The same holds for GREATEST and LEAST of
//! dates and text, which are dates as a number ([`dates`]), and IF and CASE have the number of the result that they choose ([`chosen`]). Where a TIME is needed, text of DATE_ADD is a date with a time, not the time its
//! digits would be: `MINUTE('2020-01-01' + INTERVAL 1 DAY)` is 0. Tested in golden `temporal_text`.

use value::SqlType;
use value::compare::{Comparator, ComparisonKind};

use crate::expr::{Coercibility, Expr, ExprKind as K};
use crate::func::FuncId as F;
use value::TypeKind;

/// Whether the expression is such text.
fn is(e: &Expr) -> bool {
    let made =
        matches!(e.kind, K::Call(F::DateAdd(_) | F::DateSub(_) | F::TimestampAdd(_) | F::AddTime | F::SubTime, _));
    made && e.ty.kind.is_string()
}

/// Text of DATE_ADD and its kin, which is always a date, with a time or without one.
fn is_date(e: &Expr) -> bool {
    matches!(e.kind, K::Call(F::DateAdd(_) | F::DateSub(_) | F::TimestampAdd(_), _)) && e.ty.kind.is_string()
}

/// Whether the expression is GREATEST or LEAST of text and something with a date.
fn is_extreme(e: &Expr) -> bool {
    let K::Call(F::Greatest | F::Least, args) = &e.kind else { return false };
    e.ty.kind.is_string() && args.iter().any(|x| operand(x).ty.kind.has_date())
}

/// An operand as it was before it became text.
fn operand(e: &Expr) -> &Expr {
    match &e.kind {
        K::Cast(x) if x.ty.kind.is_temporal() => x,
        _ => e,
    }
}

/// GREATEST and LEAST of dates and text with all operands as dates: DATE where no operand has a time, else DATETIME.
fn dates(e: Expr) -> Expr {
    let K::Call(f, args) = e.kind else { return e };
    let args: Vec<Expr> = args
        .into_iter()
        .map(|x| match x.kind {
            K::Cast(inner) if inner.ty.kind.is_temporal() => *inner,
            kind => Expr { kind, ..x },
        })
        .collect();
    let timed = args.iter().any(|x| x.ty.kind.is_temporal() && x.ty.kind != TypeKind::Date);
    let mut ty = if timed { SqlType::temporal(TypeKind::DateTime, 6) } else { SqlType::new(TypeKind::Date) };
    ty.nullable = true;
    let args = args.into_iter().map(|x| cast(x, &ty)).collect();
    Expr { kind: K::Call(f, args), ty, coer: Coercibility::Numeric }
}

/// Whether the expression is text that IF or CASE chooses among texts and dates or times.
fn is_choice(e: &Expr) -> bool {
    let time = |x: &Expr| operand(x).ty.kind.is_temporal();
    e.ty.kind.is_string()
        && match &e.kind {
            K::Call(F::If, args) => args.iter().skip(1).any(time),
            K::Case { branches, otherwise, .. } => {
                branches.iter().any(|b| time(&b.1)) || otherwise.as_deref().is_some_and(time)
            }
            _ => false,
        }
}

/// IF and CASE with every result as the number that it is by itself.
fn chosen(e: Expr) -> Expr {
    let ty = SqlType::double().nullable(e.ty.nullable);
    let one = |x: Expr| match x.kind {
        K::Cast(inner) if inner.ty.kind.is_temporal() => cast(*inner, &ty),
        kind => cast(number(Expr { kind, ..x }), &ty),
    };
    let kind = match e.kind {
        K::Call(f, args) => {
            let results = args.into_iter().enumerate().map(|(i, x)| if i == 0 { x } else { one(x) });
            K::Call(f, results.collect())
        }
        K::Case { operand, branches, cmp, otherwise } => K::Case {
            operand,
            branches: branches.into_iter().map(|(w, t)| (w, one(t))).collect(),
            cmp,
            otherwise: otherwise.map(|x| Box::new(one(*x))),
        },
        kind => kind,
    };
    Expr { kind, ty, coer: Coercibility::Numeric }
}

/// CAST to a type; NULL stays NULL.
fn cast(e: Expr, ty: &SqlType) -> Expr {
    Expr { coer: Coercibility::Numeric, ty: ty.clone().nullable(true), kind: K::Cast(Box::new(e)) }
}

/// The number that stands for such text; other expressions as they are.
pub(in crate::bind) fn number(e: Expr) -> Expr {
    if is_choice(&e) {
        return chosen(e);
    }
    let e = match (is(&e), is_extreme(&e)) {
        (true, _) => e,
        (_, true) => dates(e),
        _ => return e,
    };
    let ty = SqlType::double().nullable(e.ty.nullable);
    Expr { kind: K::Call(F::TemporalNumber, Box::new([e])), ty, coer: Coercibility::Numeric }
}

fn in_place(e: &mut Expr) {
    if is(e) || is_extreme(e) || is_choice(e) {
        *e = number(std::mem::replace(e, Expr::null()));
    }
}

/// A DATETIME instead of text that is a date.
fn dated(e: &mut Expr) {
    if is_date(e) {
        *e = cast(std::mem::replace(e, Expr::null()), &SqlType::temporal(TypeKind::DateTime, 6));
    }
}

/// A TIME instead of text that is a date.
fn timed(e: &mut Expr) {
    if is_date(e) {
        dated(e);
        *e = cast(std::mem::replace(e, Expr::null()), &SqlType::temporal(TypeKind::Time, 6));
    }
}

/// Functions that take a time.
fn takes_time(f: F) -> bool {
    match f {
        F::Extract(u) => !u.is_date_unit(),
        F::Hour | F::Minute | F::Second | F::MicrosecondFn | F::TimeToSec | F::Time | F::TimeFormat => true,
        F::AddTime | F::SubTime | F::TimeDiff | F::Timestamp => true,
        _ => false,
    }
}

/// Functions and operators that take numbers.
pub(super) fn numeric(f: F) -> bool {
    matches!(
        f,
        F::Add
            | F::Sub
            | F::Mul
            | F::Div
            | F::IntDiv
            | F::Mod
            | F::Neg
            | F::BitAnd
            | F::BitOr
            | F::BitXor
            | F::BitNot
            | F::Shl
            | F::Shr
            | F::BitCount
            | F::Abs
            | F::Ceil
            | F::Floor
            | F::Round
            | F::Truncate
            | F::Sign
            | F::Sqrt
            | F::Pow
            | F::Exp
            | F::Ln
            | F::Log
            | F::Log2
            | F::Log10
            | F::Sin
            | F::Cos
            | F::Tan
            | F::Cot
            | F::Asin
            | F::Acos
            | F::Atan
            | F::Atan2
            | F::Radians
            | F::Degrees
            | F::Format
            | F::Interval
    )
}

/// One comparison: both sides as numbers if it is made in DOUBLE, as times if it is one of times.
fn compared(l: &mut Expr, r: &mut Expr, cmp: &mut Comparator) {
    let some = |p: fn(&Expr) -> bool| p(l) || p(r);
    match cmp.kind {
        ComparisonKind::Double if some(is) || some(is_extreme) || some(is_choice) => {
            in_place(l);
            in_place(r);
        }
        ComparisonKind::Time if some(is_date) => {
            timed(l);
            timed(r);
        }
        _ => return,
    }
    let constant = cmp.constant.clone();
    *cmp = Comparator::with_kind(cmp.kind, &l.ty, &r.ty);
    cmp.constant = constant;
}

/// `x BETWEEN lo AND hi`: all three as numbers or as times.
fn between(args: &mut [Expr; 3], cmp: &mut [Comparator; 2]) {
    let all = |k: ComparisonKind| cmp.iter().all(|c| c.kind == k);
    let kind = if all(ComparisonKind::Double) {
        args.iter_mut().for_each(in_place);
        ComparisonKind::Double
    } else if all(ComparisonKind::Time) {
        args.iter_mut().for_each(timed);
        ComparisonKind::Time
    } else {
        return;
    };
    let [x, lo, hi] = args;
    *cmp = [lo, hi].map(|o| Comparator::with_kind(kind, &x.ty, &o.ty));
}

/// `left IN (list)` of single values: those that are compared as numbers or as times.
fn in_list(left: &mut Expr, list: &mut [Expr], cmp: &mut [Comparator]) {
    for (kind, change) in
        [(ComparisonKind::Double, in_place as fn(&mut Expr)), (ComparisonKind::Time, timed as fn(&mut Expr))]
    {
        if cmp.iter().all(|c| c.kind == kind) {
            change(left);
        }
        for (o, c) in list.iter_mut().zip(cmp.iter_mut()).filter(|(_, c)| c.kind == kind) {
            change(o);
            let constant = c.constant.clone();
            *c = Comparator::with_kind(kind, &left.ty, &o.ty);
            c.constant = constant;
        }
    }
}

/// The expression with operands of that kind as numbers, where it takes numbers or truth values, and as times where it takes times.
pub(super) fn adapt(mut e: Expr) -> Expr {
    let mut some = false;
    e.children(&mut |c| some |= is(c) || is_extreme(c) || is_choice(c));
    if !some {
        return e;
    }
    match &mut e.kind {
        K::Call(f, args) if numeric(*f) => args.iter_mut().for_each(in_place),
        K::Call(f, args) if takes_time(*f) => args.iter_mut().for_each(dated),
        K::Not(x) | K::IsTruth(x, ..) => in_place(x),
        K::And(list) | K::Or(list) => list.iter_mut().for_each(in_place),
        K::Xor(args) => args.iter_mut().for_each(in_place),
        K::Call(F::If, args) => args.iter_mut().take(1).for_each(in_place),
        K::Cast(x) if matches!(e.ty.kind, TypeKind::Decimal | TypeKind::Float | TypeKind::Double) => in_place(x),
        K::Cast(x) if e.ty.kind == TypeKind::BigInt && is_extreme(x) => in_place(x),
        K::Cast(x) if e.ty.kind == TypeKind::Time => dated(x),
        K::Compare { args, cmp, .. } => {
            let [l, r] = args.as_mut();
            compared(l, r, cmp);
        }
        K::Between { args, cmp, .. } => between(args, cmp),
        K::InList { left, list, cmp, .. } => {
            if let [left] = left.as_mut() {
                in_list(left, list, cmp);
            }
        }
        K::CompareRow { left, right, cmp, .. } => {
            for ((l, r), c) in left.iter_mut().zip(right.iter_mut()).zip(cmp.iter_mut()) {
                compared(l, r, c);
            }
        }
        K::Case { operand: None, branches, .. } => branches.iter_mut().for_each(|(when, _)| in_place(when)),
        _ => {}
    }
    e
}
