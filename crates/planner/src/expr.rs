//! Bound expressions: names resolved, types derived, functions chosen.
//!
//! An [`Expr`] is owned by its plan and shared by all executions; nothing in it changes while it is evaluated. Columns are
//! addressed by *slot*: every table, derived table and materialised intermediate result of a statement has one slot in the
//! executor's row context, numbered over the whole statement, so a correlated subquery simply reads slots of the outer
//! block. Evaluation is `executor::eval`.

use std::sync::Arc;

use value::compare::Comparator;
use value::{OwnedValue, SqlType};

use crate::func::FuncId;

/// Index of a row slot of the statement.
pub type SlotId = u16;

/// MySQL's coercibility of a string (manual, "Collation Coercibility in Expressions"): lower wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Coercibility {
    Explicit = 0,
    None = 1,
    Implicit = 2,
    SysConst = 3,
    Coercible = 4,
    Numeric = 5,
    Ignorable = 6,
}

/// Coercibility of the cast of a constant string that is compared with a DATE: text that is no date is error 1525 there. (No
/// other cast to a temporal type has it.)
pub const DATE_CONSTANT: Coercibility = Coercibility::Ignorable;
/// The same for a DATETIME.
pub const DATETIME_CONSTANT: Coercibility = Coercibility::Coercible;
/// The same for a TIMESTAMP.
pub const TIMESTAMP_CONSTANT: Coercibility = Coercibility::SysConst;
/// In BETWEEN, a list of IN and CASE text that is no date is '0000-00-00' with a warning instead.
pub const LISTED_DATE: Coercibility = Coercibility::Explicit;
/// The same for a DATETIME or TIMESTAMP.
pub const LISTED_DATETIME: Coercibility = Coercibility::None;

/// What the cast of a constant string with this coercibility must be (1525), as the error calls it.
pub fn date_name(c: Coercibility) -> Option<&'static str> {
    match c {
        DATE_CONSTANT => Some("DATE"),
        DATETIME_CONSTANT => Some("DATETIME"),
        TIMESTAMP_CONSTANT => Some("TIMESTAMP"),
        _ => None,
    }
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Static type of the result.
    pub ty: SqlType,
    /// For strings: how strongly the collation is held.
    pub coer: Coercibility,
}

/// Scope of a system variable reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum VarScope {
    /// `@@x`: the session's value if there is one, else the global one.
    Default,
    Session,
    Global,
}

/// How a subquery is used.
#[derive(Clone, Debug)]
pub enum SubqueryUse {
    /// Value of the single row's single column; 1242 if there are more rows.
    Scalar,
    /// This column of the single row: a member of the row that the subquery is in a comparison of rows.
    Column(u16),
    /// EXISTS (negated by an outer NOT).
    Exists,
    /// `left IN (subquery)`, three-valued; comparators are one per column.
    In {
        /// Left operands (one, or the members of a row).
        left: Box<[Expr]>,
        /// Comparators left/column.
        cmp: Box<[Comparator]>,
    },
    /// `left op ANY/ALL (subquery)`.
    Quantified {
        /// Left operand.
        left: Box<Expr>,
        /// Comparison.
        op: CmpOp,
        /// ALL (true) or ANY (false).
        all: bool,
        /// Comparator.
        cmp: Box<Comparator>,
    },
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<=>`
    NullSafeEq,
}

impl CmpOp {
    /// The operator with its sides exchanged.
    pub fn flip(self) -> CmpOp {
        match self {
            CmpOp::Lt => CmpOp::Gt,
            CmpOp::Le => CmpOp::Ge,
            CmpOp::Gt => CmpOp::Lt,
            CmpOp::Ge => CmpOp::Le,
            o => o,
        }
    }
    /// The opposite (under two-valued logic); `<=>` has none.
    pub fn negate(self) -> Option<CmpOp> {
        Some(match self {
            CmpOp::Eq => CmpOp::Ne,
            CmpOp::Ne => CmpOp::Eq,
            CmpOp::Lt => CmpOp::Ge,
            CmpOp::Le => CmpOp::Gt,
            CmpOp::Gt => CmpOp::Le,
            CmpOp::Ge => CmpOp::Lt,
            CmpOp::NullSafeEq => return None,
        })
    }
    /// As written in SQL.
    pub fn symbol(self) -> &'static str {
        match self {
            CmpOp::Eq => "=",
            CmpOp::Ne => "<>",
            CmpOp::Lt => "<",
            CmpOp::Le => "<=",
            CmpOp::Gt => ">",
            CmpOp::Ge => ">=",
            CmpOp::NullSafeEq => "<=>",
        }
    }
    /// Whether an ordering satisfies the operator.
    #[inline]
    pub fn holds(self, o: std::cmp::Ordering) -> bool {
        match self {
            CmpOp::Eq | CmpOp::NullSafeEq => o.is_eq(),
            CmpOp::Ne => o.is_ne(),
            CmpOp::Lt => o.is_lt(),
            CmpOp::Le => o.is_le(),
            CmpOp::Gt => o.is_gt(),
            CmpOp::Ge => o.is_ge(),
        }
    }
}

/// Kinds of expression nodes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant fixed in the plan.
    Const(OwnedValue),
    /// A literal lifted out of the statement, or a `?`: index into the execution's parameters.
    Param(u32),
    /// A column of a slot's current row.
    Column {
        /// Row slot.
        slot: SlotId,
        /// Position in the slot's row.
        column: u16,
    },
    /// Result of an aggregate; the planner replaces it by a column of the group slot of the query block it belongs to.
    Agg {
        /// How deep that block is nested: an aggregate in a subquery may belong to an enclosing block.
        block: u16,
        /// Number in the block.
        n: u16,
    },
    /// Result of a window function of the enclosing block; the planner replaces it by a column of the window node's slot.
    Win(u16),
    /// `@name` (lower case).
    UserVar(Box<str>),
    /// `@name := value`.
    AssignUserVar(Box<str>, Box<Expr>),
    /// `@@name`.
    SysVar(VarScope, Box<str>),
    /// Comparison with a comparator chosen from the static types.
    Compare {
        /// Operator.
        op: CmpOp,
        /// `[left, right]`.
        args: Box<[Expr; 2]>,
        /// How they compare.
        cmp: Box<Comparator>,
    },
    /// Row comparison `(a,b) op (c,d)`.
    CompareRow {
        /// Operator.
        op: CmpOp,
        /// Left members.
        left: Box<[Expr]>,
        /// Right members.
        right: Box<[Expr]>,
        /// One per member.
        cmp: Box<[Comparator]>,
    },
    /// `x [NOT] BETWEEN low AND high`.
    Between {
        /// NOT.
        negated: bool,
        /// `[x, low, high]`.
        args: Box<[Expr; 3]>,
        /// `[x/low, x/high]`.
        cmp: Box<[Comparator; 2]>,
    },
    /// `x [NOT] IN (list)`.
    InList {
        /// NOT.
        negated: bool,
        /// x (several for a row).
        left: Box<[Expr]>,
        /// `left.len()` expressions per element, concatenated.
        list: Box<[Expr]>,
        /// One per member of `list`.
        cmp: Box<[Comparator]>,
    },
    /// AND of all (at least two).
    And(Box<[Expr]>),
    /// OR of all (at least two).
    Or(Box<[Expr]>),
    /// NOT.
    Not(Box<Expr>),
    /// XOR.
    Xor(Box<[Expr; 2]>),
    /// `x IS [NOT] NULL`.
    IsNull(Box<Expr>, bool),
    /// `x IS [NOT] TRUE|FALSE`: (x, wanted truth value, negated).
    IsTruth(Box<Expr>, bool, bool),
    /// `a [NOT] LIKE pattern ESCAPE c`: `[a, pattern]`, escape (`None`: none), negated, collation.
    Like {
        /// `[subject, pattern]`.
        args: Box<[Expr; 2]>,
        /// Escape character's code point; 0 = none.
        escape: u32,
        /// NOT.
        negated: bool,
        /// Collation of the comparison.
        collation: value::CollationId,
    },
    /// CASE: operand comparators present for the simple form.
    Case {
        /// Operand of the simple form.
        operand: Option<Box<Expr>>,
        /// (when, then) pairs.
        branches: Box<[(Expr, Expr)]>,
        /// Comparators operand/when of the simple form.
        cmp: Box<[Comparator]>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// CAST or implicit conversion to `ty`.
    Cast(Box<Expr>),
    /// Function call.
    Call(FuncId, Box<[Expr]>),
    /// Subquery (index into [`crate::plan::Plan::subqueries`]).
    Subquery(u16, SubqueryUse),
    /// Value of the column that the INSERT would have stored: `VALUES(c)` in ON DUPLICATE KEY UPDATE.
    InsertedValue(u16),
    /// Evaluated once per execution and remembered under this number (constant sub-expressions with calls or casts).
    Once(u32, Box<Expr>),
    /// A row `(a, b)`; only below comparisons, where the binder takes it apart.
    Row(Box<[Expr]>),
    /// DEFAULT (INSERT VALUES and assignments only).
    DefaultValue,
}

impl ExprKind {
    /// Whether its form alone says that its value is a truth value; calls and subqueries are the caller's to judge.
    pub fn is_condition(&self) -> bool {
        matches!(
            self,
            ExprKind::Compare { .. }
                | ExprKind::CompareRow { .. }
                | ExprKind::Between { .. }
                | ExprKind::InList { .. }
                | ExprKind::And(_)
                | ExprKind::Or(_)
                | ExprKind::Not(_)
                | ExprKind::Xor(_)
                | ExprKind::IsNull(..)
                | ExprKind::IsTruth(..)
                | ExprKind::Like { .. }
        )
    }
}

/// Calls `$f` on each direct child of a kind of expression: of `&ExprKind` with `iter`, of `&mut ExprKind` with
/// `iter_mut`.
macro_rules! each_child {
    ($kind:expr, $f:ident, $iter:ident) => {
        match $kind {
            ExprKind::Const(_)
            | ExprKind::Param(_)
            | ExprKind::Column { .. }
            | ExprKind::Agg { .. }
            | ExprKind::Win(_)
            | ExprKind::UserVar(_)
            | ExprKind::SysVar(..)
            | ExprKind::InsertedValue(_)
            | ExprKind::DefaultValue => {}
            ExprKind::AssignUserVar(_, e)
            | ExprKind::Not(e)
            | ExprKind::IsNull(e, _)
            | ExprKind::IsTruth(e, ..)
            | ExprKind::Cast(e)
            | ExprKind::Once(_, e) => $f(e),
            ExprKind::Compare { args, .. } | ExprKind::Like { args, .. } | ExprKind::Xor(args) => {
                args.$iter().for_each($f)
            }
            ExprKind::Between { args, .. } => args.$iter().for_each($f),
            ExprKind::CompareRow { left, right, .. } => left.$iter().chain(right.$iter()).for_each($f),
            ExprKind::InList { left, list, .. } => left.$iter().chain(list.$iter()).for_each($f),
            ExprKind::And(a) | ExprKind::Or(a) | ExprKind::Call(_, a) | ExprKind::Row(a) => a.$iter().for_each($f),
            ExprKind::Case { operand, branches, otherwise, .. } => {
                operand.$iter().for_each(|o| $f(o));
                for (w, t) in branches.$iter() {
                    $f(w);
                    $f(t);
                }
                otherwise.$iter().for_each(|o| $f(o));
            }
            ExprKind::Subquery(_, u) => match u {
                SubqueryUse::In { left, .. } => left.$iter().for_each($f),
                SubqueryUse::Quantified { left, .. } => $f(left),
                _ => {}
            },
        }
    };
}

impl Expr {
    /// A constant of a type.
    pub fn constant(v: OwnedValue, ty: SqlType) -> Expr {
        Expr { kind: ExprKind::Const(v), ty, coer: Coercibility::Coercible }
    }
    /// NULL.
    pub fn null() -> Expr {
        Expr {
            kind: ExprKind::Const(OwnedValue::Null),
            ty: SqlType::new(value::TypeKind::Null),
            coer: Coercibility::Ignorable,
        }
    }
    /// An integer constant.
    pub fn int(v: i64) -> Expr {
        let mut ty = SqlType::bigint().nullable(false);
        ty.length = v.to_string().len() as u32;
        Expr { kind: ExprKind::Const(OwnedValue::Int(v)), ty, coer: Coercibility::Ignorable }
    }
    /// A column reference.
    pub fn column(slot: SlotId, column: u16, ty: SqlType) -> Expr {
        Expr { kind: ExprKind::Column { slot, column }, ty: ty.settled(), coer: Coercibility::Implicit }
    }
    /// Calls `f` on this node and all below it (not into subqueries).
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        f(self);
        self.children(&mut |c| c.walk(f));
    }
    /// Number of nodes, without those of subqueries.
    pub fn nodes(&self) -> usize {
        let mut n = 0;
        self.walk(&mut |_| n += 1);
        n
    }
    /// Calls `f` on each direct child.
    pub fn children<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        each_child!(&self.kind, f, iter)
    }
    /// Calls `f` on each direct child for changing it.
    pub fn children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        each_child!(&mut self.kind, f, iter_mut)
    }
    /// Whether it reads a parameter, which a literal of a shared plan is too.
    pub fn has_param(&self) -> bool {
        self.any(&mut |x| matches!(x.kind, ExprKind::Param(_)))
    }
    /// Whether some node satisfies `p`.
    pub fn any(&self, p: &mut dyn FnMut(&Expr) -> bool) -> bool {
        if p(self) {
            return true;
        }
        let mut found = false;
        self.children(&mut |c| found = found || c.any(p));
        found
    }
    /// Whether two expressions are the same by structure, and one's value serves for the other.
    pub fn same(&self, o: &Expr) -> bool {
        self.matches(o, false)
    }
    /// Whether two expressions are the same by structure. Calls that may give another value each time count as the
    /// same: where GROUP BY and ORDER BY write what the select list has they mean that item, as in MySQL.
    pub fn alike(&self, o: &Expr) -> bool {
        self.matches(o, true)
    }
    /// `moving`: a call is the same as another one whose value may differ.
    fn matches(&self, o: &Expr, moving: bool) -> bool {
        use ExprKind as K;
        let one = |a: &Expr, b: &Expr| a.matches(b, moving);
        let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| one(x, y));
        match (&self.kind, &o.kind) {
            (K::Const(a), K::Const(b)) => format!("{a:?}") == format!("{b:?}"),
            (K::Param(a), K::Param(b)) => a == b,
            (K::Column { slot: a, column: b }, K::Column { slot: c, column: d }) => a == c && b == d,
            (K::Agg { block: a, n: b }, K::Agg { block: c, n: d }) => a == c && b == d,
            (K::Win(a), K::Win(b)) => a == b,
            (K::UserVar(a), K::UserVar(b)) => a == b,
            (K::Subquery(a, SubqueryUse::Scalar), K::Subquery(b, SubqueryUse::Scalar))
            | (K::Subquery(a, SubqueryUse::Exists), K::Subquery(b, SubqueryUse::Exists)) => a == b,
            (K::Subquery(a, SubqueryUse::Column(i)), K::Subquery(b, SubqueryUse::Column(j))) => a == b && i == j,
            // what belongs to one subquery was written once
            (K::Subquery(a, SubqueryUse::In { left: l, .. }), K::Subquery(b, SubqueryUse::In { left: r, .. })) => {
                a == b && all(l, r)
            }
            (
                K::Subquery(a, SubqueryUse::Quantified { left: l, op: x, all: n, .. }),
                K::Subquery(b, SubqueryUse::Quantified { left: r, op: y, all: m, .. }),
            ) => a == b && x == y && n == m && one(l, r),
            (K::SysVar(a, b), K::SysVar(c, d)) => a == c && b == d,
            (K::Once(_, a), K::Once(_, b)) => one(a, b),
            (K::Call(f, a), K::Call(g, b)) => f == g && (moving || f.is_deterministic()) && all(a, b),
            (K::AssignUserVar(a, x), K::AssignUserVar(b, y)) => moving && a == b && one(x, y),
            (K::Cast(a), K::Cast(b)) => self.ty == o.ty && one(a, b),
            (K::Not(a), K::Not(b)) => one(a, b),
            (K::And(a), K::And(b)) | (K::Or(a), K::Or(b)) | (K::Row(a), K::Row(b)) => all(a, b),
            (K::Xor(a), K::Xor(b)) => all(&a[..], &b[..]),
            (K::IsNull(a, x), K::IsNull(b, y)) => x == y && one(a, b),
            (K::IsTruth(a, x, n), K::IsTruth(b, y, m)) => x == y && n == m && one(a, b),
            (K::Compare { op: x, args: a, .. }, K::Compare { op: y, args: b, .. }) => x == y && all(&a[..], &b[..]),
            (K::Between { negated: x, args: a, .. }, K::Between { negated: y, args: b, .. }) => {
                x == y && all(&a[..], &b[..])
            }
            (K::InList { negated: x, left: a, list: c, .. }, K::InList { negated: y, left: b, list: d, .. }) => {
                x == y && all(a, b) && all(c, d)
            }
            (K::Like { args: a, escape: x, negated: n, .. }, K::Like { args: b, escape: y, negated: m, .. }) => {
                x == y && n == m && all(&a[..], &b[..])
            }
            (
                K::Case { operand: a, branches: b, otherwise: c, .. },
                K::Case { operand: d, branches: e, otherwise: f, .. },
            ) => {
                let opt = |x: &Option<Box<Expr>>, y: &Option<Box<Expr>>| match (x, y) {
                    (None, None) => true,
                    (Some(x), Some(y)) => one(x, y),
                    _ => false,
                };
                opt(a, d)
                    && opt(c, f)
                    && b.len() == e.len()
                    && b.iter().zip(e.iter()).all(|(x, y)| one(&x.0, &y.0) && one(&x.1, &y.1))
            }
            _ => false,
        }
    }
    /// Whether the value is fixed for one execution of the statement: no columns, aggregates, variables assigned,
    /// subqueries or functions such as RAND.
    pub fn is_const(&self) -> bool {
        !self.any(&mut |e| e.varies(|_| true))
    }

    /// Whether this node, apart from its operands, may have another value later in one execution; `repeated` says it of
    /// a subquery, by its number in the plan.
    pub fn varies(&self, repeated: impl Fn(u16) -> bool) -> bool {
        match &self.kind {
            ExprKind::Column { .. }
            | ExprKind::Agg { .. }
            | ExprKind::Win(_)
            | ExprKind::AssignUserVar(..)
            | ExprKind::UserVar(_)
            | ExprKind::InsertedValue(_)
            | ExprKind::DefaultValue
            | ExprKind::Row(_) => true,
            ExprKind::Subquery(id, _) => repeated(*id),
            ExprKind::Call(f, _) => !f.is_deterministic(),
            _ => false,
        }
    }
}

/// Aggregate functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AggFunc {
    /// COUNT(*)
    CountStar,
    Count,
    Sum,
    Avg,
    Min,
    Max,
    GroupConcat,
    /// STD, STDDEV, STDDEV_POP
    StddevPop,
    StddevSamp,
    VarPop,
    VarSamp,
    BitAnd,
    BitOr,
    BitXor,
    AnyValue,
    JsonArrayagg,
    JsonObjectagg,
}

impl AggFunc {
    /// Name as in messages (MySQL's `func_name`).
    pub fn name(self) -> &'static str {
        match self {
            AggFunc::CountStar | AggFunc::Count => "count",
            AggFunc::Sum => "sum",
            AggFunc::Avg => "avg",
            AggFunc::Min => "min",
            AggFunc::Max => "max",
            AggFunc::GroupConcat => "group_concat",
            AggFunc::JsonArrayagg => "json_arrayagg",
            AggFunc::JsonObjectagg => "json_objectagg",
            AggFunc::StddevPop => "std",
            AggFunc::StddevSamp => "stddev_samp",
            AggFunc::VarPop => "variance",
            AggFunc::VarSamp => "var_samp",
            AggFunc::BitAnd => "bit_and",
            AggFunc::BitOr => "bit_or",
            AggFunc::BitXor => "bit_xor",
            AggFunc::AnyValue => "any_value",
        }
    }
}

/// An aggregate call of a query block.
#[derive(Clone, Debug)]
pub struct AggCall {
    /// Function.
    pub func: AggFunc,
    /// DISTINCT.
    pub distinct: bool,
    /// Arguments (several for COUNT(DISTINCT a,b) and GROUP_CONCAT).
    pub args: Box<[Expr]>,
    /// GROUP_CONCAT's ORDER BY: (expression, descending).
    pub order: Box<[(Expr, bool)]>,
    /// GROUP_CONCAT's SEPARATOR in the result's character set.
    pub separator: Box<[u8]>,
    /// Result type.
    pub ty: SqlType,
}

/// Shared list of expressions.
pub type ExprList = Arc<[Expr]>;
