//! Arithmetic, bit and logical operators.

use base::SqlResult;
use parser::ast::{self, BinaryOp, ExprKind as A, LitValue, UnaryOp};
use value::{OwnedValue, SqlType};

use super::super::{Binder, unsupported};
use super::*;
use crate::expr::{CmpOp, Coercibility, Expr, ExprKind};
use crate::func::FuncId;

impl<'a> Binder<'a, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, expr: &ast::Expr<'a>) -> SqlResult<Expr> {
        match op {
            // nothing at all, of a row too
            UnaryOp::Plus => self.expr(expr),
            UnaryOp::Not => {
                let mut x = self.scalar(expr)?;
                self.derive_truth(&mut x);
                self.warn_json_condition(&x);
                let nullable = x.ty.nullable;
                Ok(boolean(opposite(x), nullable))
            }
            UnaryOp::BitNot => {
                let x = self.numeric_operand(expr)?;
                let ty = bytes_type(&[&x]);
                let e = self.call(FuncId::BitNot, vec![x])?;
                Ok(Expr { ty: ty.unwrap_or(e.ty), ..e })
            }
            UnaryOp::Neg => {
                // -9223372036854775808 is a BIGINT; what lies below it, and its own negation, are DECIMAL
                if let A::Literal(l) = expr.unparen().kind
                    && let LitValue::Int(n) = l.value
                    && n >= 1 << 63
                {
                    let pin = std::mem::replace(&mut self.pinning, true);
                    let pinned = self.literal(l);
                    self.pinning = pin;
                    pinned?;
                    return Ok(if n == 1 << 63 { Expr::int(i64::MIN) } else { decimal_const(-i128::from(n)) });
                }
                let x = self.numeric_operand(expr)?;
                if let ExprKind::Const(OwnedValue::Int(i64::MIN)) = x.kind {
                    return Ok(decimal_const(1 << 63));
                }
                // minus of a binary string is that of a DOUBLE
                let x = match is_hex(expr) {
                    true => Expr {
                        ty: SqlType { decimals: 0, ..SqlType::double().nullable(false) },
                        kind: ExprKind::Cast(Box::new(x)),
                        coer: Coercibility::Numeric,
                    },
                    false => x,
                };
                self.call(FuncId::Neg, vec![x])
            }
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &ast::Expr<'a>, right: &ast::Expr<'a>) -> SqlResult<Expr> {
        if let Some(c) = cmp_op(op) {
            let (l, r) = match (is_hex(left), is_hex(right)) {
                (false, true) => {
                    let l = self.row_operand(left)?;
                    let r = if l.ty.kind.is_numeric() { self.numeric_operand(right)? } else { self.expr(right)? };
                    (l, r)
                }
                (true, false) => {
                    let r = self.row_operand(right)?;
                    let l = if r.ty.kind.is_numeric() { self.numeric_operand(left)? } else { self.expr(left)? };
                    (l, r)
                }
                _ => (self.row_operand(left)?, self.row_operand(right)?),
            };
            let (l, r) = self.json_comparison(left, right, l, r);
            return self.compare(c, l, r);
        }
        let f = match op {
            BinaryOp::Add => FuncId::Add,
            BinaryOp::Sub => FuncId::Sub,
            BinaryOp::Mul => FuncId::Mul,
            BinaryOp::Div => FuncId::Div,
            BinaryOp::IntDiv => FuncId::IntDiv,
            BinaryOp::Mod => FuncId::Mod,
            BinaryOp::BitAnd => FuncId::BitAnd,
            BinaryOp::BitOr => FuncId::BitOr,
            BinaryOp::BitXor => FuncId::BitXor,
            BinaryOp::Shl => FuncId::Shl,
            BinaryOp::Shr => FuncId::Shr,
            BinaryOp::Concat => FuncId::Concat,
            BinaryOp::Xor => {
                let (mut l, mut r) = (self.scalar(left)?, self.scalar(right)?);
                for x in [&mut l, &mut r] {
                    self.derive_truth(x);
                    self.warn_json_condition(x);
                }
                let nullable = l.ty.nullable || r.ty.nullable;
                return Ok(boolean(ExprKind::Xor(Box::new([l, r])), nullable));
            }
            BinaryOp::SoundsLike => {
                let l = self.scalar(left)?;
                let r = self.scalar(right)?;
                let (l, r) = (self.call(FuncId::Soundex, vec![l])?, self.call(FuncId::Soundex, vec![r])?);
                return self.compare(CmpOp::Eq, l, r);
            }
            _ => return unsupported("operator"),
        };
        if f == FuncId::Concat {
            let args = vec![self.scalar(left)?, self.scalar(right)?];
            return self.call(f, args);
        }
        if matches!(f, FuncId::BitAnd | FuncId::BitOr | FuncId::BitXor | FuncId::Shl | FuncId::Shr) {
            return self.bit_operation(f, left, right);
        }
        let (l, r) = (self.numeric_operand(left)?, self.numeric_operand(right)?);
        self.call(f, vec![l, r])
    }

    /// `& | ^ << >>`: on binary strings where both operands are (of a shift, the left one) and at least one of them is no hexadecimal, bit or
    /// NULL literal; else on BIGINT UNSIGNED (manual, "Bit Functions and Operators").
    fn bit_operation(&mut self, f: FuncId, left: &ast::Expr<'a>, right: &ast::Expr<'a>) -> SqlResult<Expr> {
        let open = |e: &ast::Expr<'_>| {
            matches!(e.unparen().kind, A::Literal(l) if matches!(l.value,
                LitValue::Hex { charset: None, .. } | LitValue::Bit { charset: None, .. } | LitValue::Null))
        };
        let shift = matches!(f, FuncId::Shl | FuncId::Shr);
        let l = if open(left) { None } else { Some(self.scalar(left)?) };
        let r = if shift || open(right) { None } else { Some(self.scalar(right)?) };
        let bytes = |e: &Option<Expr>| e.as_ref().is_some_and(|e| e.ty.kind.is_binary_string());
        let binary = match (bytes(&l), bytes(&r)) {
            (true, _) if shift => true,
            (true, true) => true,
            (true, false) => r.is_none(),
            (false, true) => l.is_none(),
            (false, false) => false,
        };
        let l = match l {
            Some(l) => l,
            None if binary => self.scalar(left)?,
            None => self.numeric_operand(left)?,
        };
        let r = match r {
            Some(r) => r,
            None if binary && !shift => self.scalar(right)?,
            None => self.numeric_operand(right)?,
        };
        let ty = if shift { bytes_type(&[&l]) } else { bytes_type(&[&l, &r]) };
        let e = self.call(f, vec![l, r])?;
        Ok(if binary { Expr { ty: ty.unwrap_or(e.ty), ..e } } else { e })
    }

    pub(super) fn logic(&mut self, list: &[ast::Expr<'a>], and: bool) -> SqlResult<Expr> {
        let shared = if and { Vec::new() } else { self.shared_conjuncts(list) };
        let outside = if shared.is_empty() { None } else { Some(std::mem::replace(&mut self.shared, shared)) };
        let items = list.iter().map(|x| self.conjunct(x, and)).collect::<SqlResult<Vec<_>>>();
        if let Some(outside) = outside {
            self.shared = outside;
        }
        let items = items?;
        let nullable = items.iter().any(|e| e.ty.nullable);
        let mut flat = Vec::with_capacity(items.len());
        for mut e in items {
            self.derive_truth(&mut e);
            self.warn_json_condition(&e);
            match (and, e.kind) {
                (true, ExprKind::And(l)) => flat.extend(l),
                (false, ExprKind::Or(l)) => flat.extend(l),
                (_, kind) => flat.push(Expr { kind, ty: e.ty, coer: e.coer }),
            }
        }
        let kind = if and { ExprKind::And(flat.into()) } else { ExprKind::Or(flat.into()) };
        Ok(boolean(kind, nullable))
    }

    /// The texts of the conjuncts with literals that stand in every branch of a disjunction. Their literals are pinned: as parameters,
    /// each with its own number, what the branches share would not be seen ([`crate::block::disjunction`]).
    fn shared_conjuncts(&self, branches: &[ast::Expr<'a>]) -> Vec<&'a [u8]> {
        let conjuncts = |e: &ast::Expr<'a>| match e.unparen().kind {
            A::And(list) => list,
            _ => &[],
        };
        let sql = self.sql;
        let text = |e: &ast::Expr<'a>| e.unparen().span.text(sql);
        let Some((first, rest)) = branches.split_first().filter(|_| self.lift && !self.pinning) else {
            return Vec::new();
        };
        let everywhere = |t: &[u8]| rest.iter().all(|b| conjuncts(b).iter().any(|c| text(c) == t));
        conjuncts(first).iter().map(text).filter(|t| everywhere(t)).collect()
    }

    /// A part of AND or OR.
    fn conjunct(&mut self, e: &ast::Expr<'a>, and: bool) -> SqlResult<Expr> {
        if !and || self.shared.is_empty() || !self.shared.contains(&e.unparen().span.text(self.sql)) {
            return self.scalar(e);
        }
        let pinning = std::mem::replace(&mut self.pinning, true);
        let bound = self.scalar(e);
        self.pinning = pinning;
        bound
    }
}

/// VARBINARY as long as these operands, if one of them is a binary string.
fn bytes_type(operands: &[&Expr]) -> Option<SqlType> {
    let binary: Vec<&&Expr> = operands.iter().filter(|e| e.ty.kind.is_binary_string()).collect();
    let length = binary.iter().map(|e| e.ty.length).max()?;
    Some(types::string_type(length.into(), value::CollationId::BINARY).nullable(operands.iter().any(|e| e.ty.nullable)))
}

/// A DECIMAL constant without a fraction.
fn decimal_const(n: i128) -> Expr {
    let d = value::Decimal::from_i128(n, 0);
    let ty = SqlType::decimal(d.precision(), 0).nullable(false);
    Expr { kind: ExprKind::Const(OwnedValue::Decimal(Box::new(d))), ty, coer: Coercibility::Ignorable }
}

/// A hexadecimal or bit literal.
fn is_hex(e: &ast::Expr<'_>) -> bool {
    matches!(e.unparen().kind, A::Literal(l) if matches!(l.value, LitValue::Hex { .. } | LitValue::Bit { .. }))
}

/// NOT of a condition: the opposite comparison where there is one, which an index can serve. NULL stays NULL in all of them.
fn opposite(x: Expr) -> ExprKind {
    match x.kind {
        ExprKind::Compare { op, args, cmp } => match op.negate() {
            Some(op) => ExprKind::Compare { op, args, cmp },
            None => ExprKind::Not(Box::new(Expr { kind: ExprKind::Compare { op, args, cmp }, ty: x.ty, coer: x.coer })),
        },
        ExprKind::Between { negated, args, cmp } => ExprKind::Between { negated: !negated, args, cmp },
        ExprKind::InList { negated, left, list, cmp } => ExprKind::InList { negated: !negated, left, list, cmp },
        kind => ExprKind::Not(Box::new(Expr { kind, ty: x.ty, coer: x.coer })),
    }
}
