//! Expressions: operators with their parentheses, conditions, subqueries.
//!
//! Every operator but a plain call has parentheses, so the text says the tree whatever the precedence. Where MySQL writes
//! a condition (WHERE, ON, HAVING, operands of AND, OR, XOR) a value that is no condition becomes `(0 <> value)`.

use super::query::unsigned;
use super::{Name, Printer};
use crate::ast::{
    AggFunc, BinaryOp, ColumnRef, Expr, ExprKind, IsTest, LitValue, Literal, QueryExpr, SysVar, UnaryOp, VarScope,
};

pub(super) fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::IntDiv => "DIV",
        BinaryOp::Mod => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "=",
        BinaryOp::NullSafeEq => "<=>",
        BinaryOp::Ne => "<>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Xor => "xor",
        BinaryOp::SoundsLike | BinaryOp::Concat => "",
    }
}

/// The comparison that is true where this one is false.
fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}

/// Functions whose value is a truth value in MySQL's sense.
const TRUTH: [&str; 12] = [
    "isnull",
    "regexp_like",
    "json_valid",
    "json_contains",
    "json_contains_path",
    "json_overlaps",
    "json_schema_valid",
    "st_contains",
    "st_within",
    "st_intersects",
    "is_uuid",
    "gtid_subset",
];

/// Whether the value is a condition by itself.
fn is_condition(e: &Expr<'_>) -> bool {
    match &e.unparen().kind {
        ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Is { .. }
        | ExprKind::Between { .. }
        | ExprKind::InList { .. }
        | ExprKind::InSubquery { .. }
        | ExprKind::Like { .. }
        | ExprKind::Regexp { .. }
        | ExprKind::MemberOf { .. }
        | ExprKind::Exists(_)
        | ExprKind::Quantified { .. } => true,
        ExprKind::Unary { op, .. } => *op == UnaryOp::Not,
        ExprKind::Binary { op, .. } => op.is_comparison() || matches!(op, BinaryOp::Xor | BinaryOp::SoundsLike),
        ExprKind::Literal(Literal { value: LitValue::Bool(_), .. }) => true,
        ExprKind::Func(f) => f.schema.is_none() && TRUTH.contains(&f.name),
        _ => false,
    }
}

/// The word between conditions of an AND (otherwise an OR), or between their opposites.
fn joined(and: bool, not: bool) -> &'static str {
    if and != not { " and " } else { " or " }
}

/// The condition inside of parentheses and NOTs, and whether its opposite is meant.
fn positive<'e, 'a>(e: &'e Expr<'a>, not: bool) -> (&'e Expr<'a>, bool) {
    match &e.unparen().kind {
        ExprKind::Unary { op: UnaryOp::Not, expr } => positive(expr, !not),
        _ => (e.unparen(), not),
    }
}

impl Printer<'_, '_> {
    /// A condition: `(0 <> value)` for a value that is none.
    pub(super) fn condition(&mut self, e: &Expr<'_>) {
        if is_condition(e) {
            self.expr(e);
        } else {
            self.put("(0 <> ");
            self.operand_of(e);
            self.put(")");
        }
    }

    /// A condition that is an operand.
    fn condition_operand(&mut self, e: &Expr<'_>) {
        if is_condition(e) { self.operand_of(e) } else { self.condition(e) }
    }

    /// An operand: what prints without parentheses of its own gets them.
    pub(super) fn operand_of(&mut self, e: &Expr<'_>) {
        if matches!(unsigned(e).kind, ExprKind::InSubquery { .. } | ExprKind::AssignUserVar { .. }) {
            self.put("(");
            self.expr(e);
            self.put(")");
        } else {
            self.expr(e);
        }
    }

    fn binary(&mut self, left: &Expr<'_>, op: &str, right: &Expr<'_>) {
        self.put("(");
        self.operand_of(left);
        self.put(" ");
        self.put(op);
        self.put(" ");
        self.operand_of(right);
        self.put(")");
    }

    /// AND or OR of conditions; `not`: of their opposites.
    fn chain(&mut self, list: &[Expr<'_>], word: &str, not: bool) {
        self.put("(");
        // AND of ANDs is one list in MySQL
        let mut first = true;
        self.chain_items(list, word, not, &mut first);
        self.put(")");
    }

    fn chain_items(&mut self, list: &[Expr<'_>], word: &str, not: bool, first: &mut bool) {
        for e in list {
            let (inner, not) = positive(e, not);
            match inner.kind {
                ExprKind::And(list) if word == joined(true, not) => self.chain_items(list, word, not, first),
                ExprKind::Or(list) if word == joined(false, not) => self.chain_items(list, word, not, first),
                _ => {
                    if !*first {
                        self.put(word);
                    }
                    *first = false;
                    if not { self.not(inner) } else { self.condition(inner) }
                }
            }
        }
    }

    /// The opposite of a condition: MySQL turns the condition itself around where it can.
    fn not(&mut self, e: &Expr<'_>) {
        match &e.unparen().kind {
            ExprKind::Binary { op: BinaryOp::SoundsLike, left, right } => self.sounds(left, " <> ", right),
            ExprKind::Binary { op: BinaryOp::Xor, left, right } => {
                self.put("(");
                self.not(left);
                self.put(" xor ");
                self.condition(right);
                self.put(")");
            }
            ExprKind::Binary { op, left, right } if let Some(n) = negated(*op) => self.binary(left, operator(n), right),
            ExprKind::Unary { op: UnaryOp::Not, expr } => self.condition(expr),
            ExprKind::And(list) => self.chain(list, joined(true, true), true),
            ExprKind::Or(list) => self.chain(list, joined(false, true), true),
            ExprKind::Is { expr, test, negated } => self.is_test(expr, *test, !negated),
            ExprKind::Between { expr, low, high, negated } => self.between(expr, low, high, !negated),
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, !negated),
            ExprKind::InSubquery { expr, query, negated: true } => self.in_subquery(expr, query, false),
            ExprKind::Like { expr, pattern, escape, negated } => self.like(expr, pattern, *escape, !negated),
            ExprKind::Regexp { expr, pattern, negated } => self.regexp(expr, pattern, !negated),
            ExprKind::Func(f) if f.schema.is_none() && f.name == "isnull" && f.args.len() == 1 => {
                if let [x] = f.args {
                    self.is_test(x, IsTest::Null, true);
                }
            }
            ExprKind::Exists(q) => {
                self.put("(not exists(");
                self.subquery(q);
                self.put("))");
            }
            _ if is_condition(e) => {
                self.put("(not(");
                self.expr(e);
                self.put("))");
            }
            _ => {
                self.put("(0 = ");
                self.operand_of(e);
                self.put(")");
            }
        }
    }

    fn sounds(&mut self, left: &Expr<'_>, sign: &str, right: &Expr<'_>) {
        self.put("(soundex(");
        self.expr(left);
        self.put(")");
        self.put(sign);
        self.put("soundex(");
        self.expr(right);
        self.put("))");
    }

    fn is_test(&mut self, e: &Expr<'_>, test: IsTest, negated: bool) {
        self.put("(");
        match test {
            IsTest::True | IsTest::False => self.condition_operand(e),
            IsTest::Null | IsTest::Unknown => self.operand_of(e),
        }
        self.put(if negated { " is not " } else { " is " });
        self.put(match test {
            IsTest::Null | IsTest::Unknown => "null",
            IsTest::True => "true",
            IsTest::False => "false",
        });
        self.put(")");
    }

    fn between(&mut self, e: &Expr<'_>, low: &Expr<'_>, high: &Expr<'_>, negated: bool) {
        self.put("(");
        self.operand_of(e);
        self.put(if negated { " not between " } else { " between " });
        self.operand_of(low);
        self.put(" and ");
        self.operand_of(high);
        self.put(")");
    }

    fn in_list(&mut self, e: &Expr<'_>, list: &[Expr<'_>], negated: bool) {
        // one member: an equality (ISO SQL 2003, note 184)
        if let [one] = list {
            return self.binary(e, if negated { "<>" } else { "=" }, one);
        }
        self.put("(");
        self.operand_of(e);
        self.put(if negated { " not in (" } else { " in (" });
        self.list(list);
        self.put("))");
    }

    fn in_subquery(&mut self, e: &Expr<'_>, query: &QueryExpr<'_>, negated: bool) {
        self.operand_of(e);
        self.put(if negated { " not in (" } else { " in (" });
        self.subquery(query);
        self.put(")");
    }

    fn like(&mut self, e: &Expr<'_>, pattern: &Expr<'_>, escape: Option<&Expr<'_>>, negated: bool) {
        let (open, close) = if negated { ("(not((", ")))") } else { ("(", ")") };
        self.put(open);
        self.operand_of(e);
        self.put(" like ");
        self.operand_of(pattern);
        if let Some(x) = escape {
            self.put(" escape ");
            self.operand_of(x);
        }
        self.put(close);
    }

    fn regexp(&mut self, e: &Expr<'_>, pattern: &Expr<'_>, negated: bool) {
        self.put(if negated { "(not(regexp_like(" } else { "regexp_like(" });
        self.list(&[*e, *pattern]);
        self.put(if negated { ")))" } else { ")" });
    }

    pub(super) fn list(&mut self, list: &[Expr<'_>]) {
        self.comma(list, |p, e| p.expr(e));
    }

    pub(super) fn column(&mut self, c: &ColumnRef<'_>) {
        if self.style.stored.is_some() {
            self.ident(c.column);
            return;
        }
        match self.names.columns.get(&c.span.start).cloned() {
            Some(n) => self.name(&n),
            None => {
                let owned = |s: Option<&str>| s.map(str::to_owned);
                self.name(&Name { schema: owned(c.schema), table: owned(c.table), column: c.column.to_owned() });
            }
        }
    }

    /// An expression.
    pub(super) fn expr(&mut self, e: &Expr<'_>) {
        match &e.kind {
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Literal(l) => self.literal(&l.value),
            ExprKind::Column(c) => self.column(c),
            ExprKind::Local(l) => self.ident(l.name),
            ExprKind::Param(_) => self.put("?"),
            ExprKind::UserVar(n) => {
                self.put("(");
                self.user_var(n);
                self.put(")");
            }
            ExprKind::AssignUserVar { name, value } => {
                self.put("(");
                self.user_var(name);
                self.put(":=");
                self.expr(value);
                self.put(")");
            }
            ExprKind::SysVar(v) => self.sys_var(v),
            ExprKind::Unary { op, expr } => self.unary(*op, expr),
            ExprKind::Binary { op: BinaryOp::Concat, left, right } => {
                self.put("concat(");
                self.list(&[**left, **right]);
                self.put(")");
            }
            ExprKind::Binary { op: BinaryOp::SoundsLike, left, right } => self.sounds(left, " = ", right),
            ExprKind::Binary { op: BinaryOp::Xor, left, right } => {
                self.put("(");
                self.condition(left);
                self.put(" xor ");
                self.condition(right);
                self.put(")");
            }
            ExprKind::Binary { op, left, right } => self.binary(left, operator(*op), right),
            ExprKind::And(list) => self.chain(list, joined(true, false), false),
            ExprKind::Or(list) => self.chain(list, joined(false, false), false),
            ExprKind::Is { expr, test, negated } => self.is_test(expr, *test, *negated),
            ExprKind::Between { expr, low, high, negated } => self.between(expr, low, high, *negated),
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            ExprKind::InSubquery { expr, query, negated } => self.in_subquery(expr, query, *negated),
            ExprKind::Like { expr, pattern, escape, negated } => self.like(expr, pattern, *escape, *negated),
            ExprKind::Regexp { expr, pattern, negated } => self.regexp(expr, pattern, *negated),
            ExprKind::MemberOf { expr, array } => {
                self.expr(expr);
                self.put(" member of (");
                self.expr(array);
                self.put(")");
            }
            ExprKind::Row(list) => {
                self.put("(");
                self.list(list);
                self.put(")");
            }
            ExprKind::Subquery(q) => {
                self.put("(");
                self.subquery(q);
                self.put(")");
            }
            ExprKind::Exists(q) => {
                self.put("exists(");
                self.subquery(q);
                self.put(")");
            }
            ExprKind::Quantified { op, all, left, query } => {
                self.put("(");
                self.operand_of(left);
                self.put(" ");
                self.put(operator(*op));
                self.put(if *all { " all (" } else { " any (" });
                self.subquery(query);
                self.put("))");
            }
            _ => self.function(e),
        }
    }

    fn unary(&mut self, op: UnaryOp, e: &Expr<'_>) {
        match op {
            UnaryOp::Not => self.not(e),
            UnaryOp::Plus => self.expr(e),
            UnaryOp::BitNot => {
                self.put("~(");
                self.expr(e);
                self.put(")");
            }
            UnaryOp::Neg => {
                self.put("-(");
                self.expr(e);
                self.put(")");
            }
        }
    }

    fn sys_var(&mut self, v: &SysVar<'_>) {
        self.put("@@");
        self.put(match v.scope {
            VarScope::Default => "",
            VarScope::Session => "session.",
            VarScope::Global => "global.",
            VarScope::Persist => "persist.",
            VarScope::PersistOnly => "persist_only.",
        });
        if let Some(b) = v.name.base {
            self.ident(b);
            self.put(".");
        }
        self.ident(v.name.name);
    }

    pub(super) fn aggregate_name(f: AggFunc) -> &'static str {
        match f {
            AggFunc::Count => "count",
            AggFunc::Sum => "sum",
            AggFunc::Avg => "avg",
            AggFunc::Min => "min",
            AggFunc::Max => "max",
            AggFunc::BitAnd => "bit_and",
            AggFunc::BitOr => "bit_or",
            AggFunc::BitXor => "bit_xor",
            AggFunc::StddevPop => "std",
            AggFunc::StddevSamp => "stddev_samp",
            AggFunc::VarPop => "variance",
            AggFunc::VarSamp => "var_samp",
            AggFunc::GroupConcat => "group_concat",
            AggFunc::JsonArrayagg => "json_arrayagg",
            AggFunc::JsonObjectagg => "json_objectagg",
            AggFunc::AnyValue => "any_value",
            AggFunc::StCollect => "st_collect",
        }
    }
}
