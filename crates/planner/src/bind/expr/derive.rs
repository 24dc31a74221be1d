//! Types of parameters. A `?` gets its type when the statement is prepared, from what it stands beside (manual, "PREPARE Statement"): the other
//! operand of a comparison or of arithmetic, the other results of COALESCE, IFNULL, IF, CASE, GREATEST and LEAST. Where they are all parameters, what
//! stands around them decides; arithmetic around which nothing does is DOUBLE. Arguments of functions that take numbers, dates or times have the type
//! that the function wants ([`wanted`]). A value of another kind has its own type (the statement is planned again); a text is converted to the
//! parameter's type, which the session does before each execution.

use value::{SqlType, TypeKind};

use super::super::Binder;
use super::super::scope::Clause;
use crate::expr::{Expr, ExprKind};
use crate::func::{FuncId, Unit};
use crate::types;

impl Binder<'_, '_> {
    /// Gives the parameters among the operands the type that the others have together.
    pub(crate) fn derive(&mut self, operands: &mut [&mut Expr]) {
        if self.param_types.is_empty() || !operands.iter().any(|e| self.is_open(e)) {
            return;
        }
        let known: Vec<&Expr> = operands.iter().filter(|e| !self.is_open(e)).map(|e| &**e).collect();
        let Ok((ty, _)) = types::unify(&known, &self.tcx, "?") else { return };
        let Some(ty) = parameter_type(&ty) else { return };
        for e in operands {
            if self.is_open(e) {
                self.settle(e, &ty, false);
            }
        }
    }

    /// The parameters among the arguments of a function; those of arithmetic are numbers.
    pub(crate) fn derive_arguments(&mut self, f: FuncId, args: &mut [Expr]) {
        if self.param_types.is_empty() {
            return;
        }
        if !is_transparent(f) {
            for (i, e) in args.iter_mut().enumerate() {
                if let Some(ty) = wanted(f, i) {
                    self.derive_as(e, &ty);
                }
            }
            return;
        }
        let mut operands: Vec<&mut Expr> = args.iter_mut().skip(usize::from(f == FuncId::If)).collect();
        if !is_arithmetic(f) {
            self.derive(&mut operands);
            if f == FuncId::If
                && let Some(condition) = args.first_mut()
            {
                self.derive_truth(condition);
            }
            return;
        }
        if operands.iter().all(|e| self.is_open(e)) {
            for e in operands {
                self.settle(e, &SqlType::double().nullable(true), true);
            }
        } else if !operands.iter().any(|e| e.ty.kind.is_temporal() && !self.is_open(e)) {
            self.derive(&mut operands);
        } else {
            self.beside_times(args);
        }
    }

    /// A parameter beside a date in arithmetic is an integer, beside a time or datetime a number with six digits behind the point.
    fn beside_times(&self, args: &mut [Expr]) {
        let time = |e: &&Expr| e.ty.kind.is_temporal() && !self.is_sent(e);
        let Some(kind) = args.iter().find(time).map(|e| e.ty.kind) else { return };
        let ty = if kind == TypeKind::Date { SqlType::bigint() } else { SqlType::decimal(31, 6) }.nullable(true);
        for e in args {
            if self.is_sent(e) && e.ty.kind != TypeKind::Null {
                let (coer, sent) = (e.coer, std::mem::replace(e, Expr::null()));
                *e = Expr { kind: ExprKind::Cast(Box::new(sent)), ty: ty.clone(), coer };
            }
        }
    }

    /// Gives a parameter about which nothing has decided the type that its place wants.
    pub(crate) fn derive_as(&mut self, e: &mut Expr, ty: &SqlType) {
        if !self.param_types.is_empty() && self.is_open(e) {
            self.settle(e, ty, false);
        }
    }

    /// A select list is bound: nothing outside of it decides about its parameters any more.
    pub(crate) fn close(&mut self, items: &[Expr]) {
        if self.param_types.is_empty() {
            return;
        }
        let closed = &mut self.st.closed;
        for e in items {
            e.walk(&mut |x| {
                if let ExprKind::Param(i) = x.kind {
                    closed.insert(i);
                }
            });
        }
    }

    /// Whether nothing has decided about an expression's type yet: a parameter, or a function that only passes parameters on.
    fn is_open(&self, e: &Expr) -> bool {
        let unsettled = |i: &u32| self.st.unsettled.contains(i);
        match &e.kind {
            ExprKind::Param(i) => (e.ty.kind == TypeKind::Null || unsettled(i)) && !self.st.closed.contains(i),
            ExprKind::Call(f, args) if is_transparent(*f) => {
                let from = usize::from(*f == FuncId::If);
                args.len() > from && args.iter().skip(from).all(|a| self.is_open(a))
            }
            ExprKind::Case { branches, otherwise, .. } => {
                branches.iter().all(|b| self.is_open(&b.1)) && otherwise.as_ref().is_none_or(|o| self.is_open(o))
            }
            _ => false,
        }
    }

    /// A value for a column.
    pub(in crate::bind) fn note_assigned(&mut self, e: &Expr, ty: &SqlType) {
        if let ExprKind::Param(i) = e.kind
            && self.is_open(e)
            && let Some(ty) = parameter_type(ty)
        {
            self.draft.notes.assigned.push((i, ty));
        }
    }

    /// A condition: a parameter is an integer there.
    pub(crate) fn derive_truth(&mut self, e: &mut Expr) {
        self.derive_as(e, &SqlType::bigint().nullable(true));
        self.note_early(e);
    }

    /// Notes a parameter that is compared with a column or the rows of a subquery.
    pub(super) fn note_compared(&mut self, l: &Expr, r: &Expr) {
        for (e, beside) in [(l, r), (r, l)] {
            if matches!(beside.kind, ExprKind::Column { .. } | ExprKind::Subquery(..)) {
                self.note_early(e);
            }
        }
    }

    /// Notes a parameter of a condition whose value is read before rows are: a text that is no number then fails a change of no rows too.
    pub(super) fn note_early(&mut self, e: &Expr) {
        if let ExprKind::Param(i) = e.kind
            && !self.param_types.is_empty()
            && matches!(self.clause(), Clause::Where | Clause::On | Clause::Having)
            && !self.draft.notes.early.contains(&i)
        {
            self.draft.notes.early.push(i);
        }
    }

    /// A parameter that takes what comes, and is not text where nothing says so: of LIMIT and of a window's frame.
    pub(crate) fn derive_count(&mut self, e: &Expr) {
        if let ExprKind::Param(i) = e.kind
            && !self.param_types.is_empty()
        {
            self.note(i, &SqlType::varchar(64, value::CollationId::BINARY));
        }
    }

    /// A parameter that counts rows of a window.
    pub(crate) fn derive_rows(&mut self, e: &Expr) {
        self.derive_count(e);
        if let ExprKind::Param(i) = e.kind
            && !self.param_types.is_empty()
        {
            self.draft.notes.counts.push(i);
        }
    }

    fn note(&mut self, i: u32, ty: &SqlType) {
        let derived = &mut self.draft.notes.derived;
        if derived.len() <= i as usize {
            derived.resize(self.param_types.len().max(i as usize + 1), SqlType::new(TypeKind::Null));
        }
        if let Some(d) = derived.get_mut(i as usize) {
            *d = ty.clone();
        }
    }

    /// Gives the parameters of an open expression a type; `weak`: until something around them has another.
    fn settle(&mut self, e: &mut Expr, ty: &SqlType, weak: bool) {
        match &mut e.kind {
            ExprKind::Param(i) => {
                let i = *i;
                self.note(i, ty);
                e.ty = ty.clone();
                if weak {
                    self.st.unsettled.insert(i);
                } else {
                    self.st.unsettled.remove(&i);
                }
            }
            ExprKind::Call(f, args) => {
                for a in args.iter_mut().skip(usize::from(*f == FuncId::If)) {
                    self.settle(a, ty, weak);
                }
                if !is_arithmetic(*f) {
                    e.ty = ty.clone();
                }
            }
            ExprKind::Case { branches, otherwise, .. } => {
                for (_, then) in branches.iter_mut() {
                    self.settle(then, ty, weak);
                }
                if let Some(o) = otherwise {
                    self.settle(o, ty, weak);
                }
                e.ty = ty.clone();
            }
            _ => {}
        }
    }
}

/// Functions whose arguments take the type of the others.
fn is_transparent(f: FuncId) -> bool {
    let results = matches!(f, FuncId::If | FuncId::IfNull | FuncId::Coalesce | FuncId::Greatest | FuncId::Least);
    results || is_arithmetic(f)
}

fn is_arithmetic(f: FuncId) -> bool {
    matches!(f, FuncId::Add | FuncId::Sub | FuncId::Mul | FuncId::Div | FuncId::IntDiv | FuncId::Mod | FuncId::Neg)
}

/// The type of a parameter as this argument of a function, where the function and not its other arguments decides.
fn wanted(f: FuncId, argument: usize) -> Option<SqlType> {
    use FuncId as F;
    let ty = match (f, argument) {
        (F::Abs | F::Floor | F::Ceil, 0) => SqlType::double(),
        (F::Round | F::Truncate | F::SecToTime | F::FromUnixtime, 0) | (F::MakeTime, 2) => SqlType::decimal(65, 30),
        (F::DateAdd(u) | F::DateSub(u) | F::TimestampAdd(u), 1) if u == Unit::Second => SqlType::decimal(65, 30),
        (F::DateAdd(u) | F::DateSub(u) | F::TimestampAdd(u), 1) if !u.is_compound() => SqlType::bigint(),
        // a date alone stays one where nothing but days is added
        (F::DateAdd(u) | F::DateSub(u) | F::TimestampAdd(u), 0) if is_of_days(u) => {
            SqlType::temporal(TypeKind::Date, 0)
        }
        (F::DateAdd(_) | F::DateSub(_) | F::TimestampAdd(_), 0) => SqlType::temporal(TypeKind::DateTime, 6),
        (F::ConvertTz | F::UnixTimestamp | F::Timestamp, 0) => SqlType::temporal(TypeKind::DateTime, 6),
        (F::AddTime | F::SubTime, _) => SqlType::temporal(TypeKind::Time, 6),
        (F::Left | F::Right | F::Repeat | F::Lpad | F::Rpad | F::Format | F::Round | F::Truncate, 1) => {
            SqlType::bigint()
        }
        (F::Substring | F::Insert, 1 | 2) | (F::SubstringIndex | F::Locate, 2) => SqlType::bigint(),
        (F::Space | F::Elt | F::MakeSet | F::InetNtoa | F::LastInsertId, 0) => SqlType::bigint(),
        (F::MakeDate | F::PeriodAdd | F::PeriodDiff | F::MakeTime, 0 | 1) | (F::Char, _) => SqlType::bigint(),
        _ => return None,
    };
    Some(ty.nullable(true))
}

fn is_of_days(u: Unit) -> bool {
    matches!(u, Unit::Day | Unit::Week | Unit::Month | Unit::Quarter | Unit::Year | Unit::YearMonth)
}

/// The type of a parameter beside this one: as wide as there is. A text is as it comes.
fn parameter_type(ty: &SqlType) -> Option<SqlType> {
    Some(
        match ty.kind {
            k if k.is_integer() && ty.unsigned => SqlType::bigint_unsigned(),
            k if k.is_integer() => SqlType::bigint(),
            TypeKind::Year | TypeKind::Bit => ty.clone(),
            TypeKind::Decimal => SqlType::decimal(65, 30),
            TypeKind::Float | TypeKind::Double => SqlType::double(),
            TypeKind::DateTime | TypeKind::Timestamp => SqlType::temporal(TypeKind::DateTime, 6),
            TypeKind::Time => SqlType::temporal(TypeKind::Time, 6),
            TypeKind::Date => SqlType::temporal(TypeKind::Date, 0),
            _ => return None,
        }
        .nullable(true),
    )
}
