//! Expressions of whole numbers, evaluated without the executor: what counts loops and walks indexes.
//!
//! Only slots that hold an integer, integer literals, `+ - * DIV %`, comparisons, AND, OR, NOT. Whatever else turns up
//! when one is evaluated (NULL, an unsigned value, an overflow, a division by zero) gives `None`: the executor then
//! evaluates the expression as a whole, with its errors and warnings, so nothing here has an effect. Tested below.

use planner::expr::{CmpOp, Expr, ExprKind};
use planner::func::FuncId;
use value::{OwnedValue, TypeKind};

/// Nodes deeper than this are left to the executor.
const DEEP: u32 = 32;

/// An expression of whole numbers.
#[derive(Debug)]
pub enum Quick {
    /// A literal.
    Constant(i64),
    /// A slot.
    Slot(u32),
    /// Arithmetic.
    Arithmetic(Op, Box<[Quick; 2]>),
    /// A comparison: 0 or 1.
    Compare(CmpOp, Box<[Quick; 2]>),
    /// AND: 0 or 1.
    And(Vec<Quick>),
    /// OR.
    Or(Vec<Quick>),
    /// NOT.
    Not(Box<Quick>),
}

/// Arithmetic of two whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

impl Quick {
    /// The quick form of an expression, if it has one that is worth it.
    pub fn of(e: &Expr) -> Option<Quick> {
        Quick::node(e, DEEP)
    }

    fn node(e: &Expr, deep: u32) -> Option<Quick> {
        let deep = deep.checked_sub(1)?;
        let integer = |e: &Expr| e.ty.kind.is_integer() && !e.ty.unsigned;
        let pair = |a: &Expr, b: &Expr| Some(Box::new([Quick::node(a, deep)?, Quick::node(b, deep)?]));
        match &e.kind {
            ExprKind::Const(OwnedValue::Int(n)) => Some(Quick::Constant(*n)),
            ExprKind::Param(slot) if integer(e) => Some(Quick::Slot(*slot)),
            ExprKind::Call(f, args) if e.ty.kind == TypeKind::BigInt && !e.ty.unsigned => {
                let op = match f {
                    FuncId::Add => Op::Add,
                    FuncId::Sub => Op::Sub,
                    FuncId::Mul => Op::Mul,
                    FuncId::IntDiv => Op::Div,
                    FuncId::Mod => Op::Mod,
                    _ => return None,
                };
                let [a, b] = args.as_ref() else { return None };
                Some(Quick::Arithmetic(op, pair(a, b)?))
            }
            ExprKind::Compare { op, args, .. } if *op != CmpOp::NullSafeEq => {
                let [a, b] = args.as_ref();
                // both are whole numbers as they are, so that is how they compare
                (integer(a) && integer(b)).then(|| Some(Quick::Compare(*op, pair(a, b)?))).flatten()
            }
            ExprKind::And(list) => Some(Quick::And(list.iter().map(|x| Quick::node(x, deep)).collect::<Option<_>>()?)),
            ExprKind::Or(list) => Some(Quick::Or(list.iter().map(|x| Quick::node(x, deep)).collect::<Option<_>>()?)),
            ExprKind::Not(x) => Some(Quick::Not(Box::new(Quick::node(x, deep)?))),
            _ => None,
        }
    }

    /// Its value; `None`: the executor is asked.
    #[inline]
    pub fn value(&self, slots: &[OwnedValue]) -> Option<i64> {
        match self {
            Quick::Constant(n) => Some(*n),
            Quick::Slot(s) => match slots.get(*s as usize) {
                Some(OwnedValue::Int(n)) => Some(*n),
                _ => None,
            },
            Quick::Arithmetic(op, ab) => {
                let [a, b] = ab.as_ref();
                let (a, b) = (a.value(slots)?, b.value(slots)?);
                match op {
                    Op::Add => a.checked_add(b),
                    Op::Sub => a.checked_sub(b),
                    Op::Mul => a.checked_mul(b),
                    Op::Div => a.checked_div(b),
                    Op::Mod => a.checked_rem(b),
                }
            }
            Quick::Compare(op, ab) => {
                let [a, b] = ab.as_ref();
                let (a, b) = (a.value(slots)?, b.value(slots)?);
                Some(i64::from(match op {
                    CmpOp::Eq => a == b,
                    CmpOp::Ne => a != b,
                    CmpOp::Lt => a < b,
                    CmpOp::Le => a <= b,
                    CmpOp::Gt => a > b,
                    CmpOp::Ge => a >= b,
                    CmpOp::NullSafeEq => return None,
                }))
            }
            Quick::And(list) => {
                for q in list {
                    if q.value(slots)? == 0 {
                        return Some(0);
                    }
                }
                Some(1)
            }
            Quick::Or(list) => {
                for q in list {
                    if q.value(slots)? != 0 {
                        return Some(1);
                    }
                }
                Some(0)
            }
            Quick::Not(q) => Some(i64::from(q.value(slots)? == 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_whole_number_is_left_alone() {
        let slot = |n| Box::new([Quick::Slot(n), Quick::Constant(2)]);
        let slots = [OwnedValue::Int(5), OwnedValue::Null, OwnedValue::UInt(7), OwnedValue::Int(i64::MAX)];
        assert_eq!(Quick::Arithmetic(Op::Mul, slot(0)).value(&slots), Some(10));
        assert_eq!(Quick::Arithmetic(Op::Mod, slot(0)).value(&slots), Some(1));
        assert_eq!(Quick::Arithmetic(Op::Add, slot(1)).value(&slots), None, "NULL");
        assert_eq!(Quick::Arithmetic(Op::Add, slot(2)).value(&slots), None, "unsigned");
        assert_eq!(Quick::Arithmetic(Op::Add, slot(3)).value(&slots), None, "overflow");
        assert_eq!(Quick::Arithmetic(Op::Add, slot(9)).value(&slots), None, "no such slot");
        let zero = Box::new([Quick::Constant(1), Quick::Constant(0)]);
        assert_eq!(Quick::Arithmetic(Op::Div, zero).value(&slots), None, "division by zero");
        assert_eq!(Quick::Compare(CmpOp::Gt, slot(0)).value(&slots), Some(1));
        let both = vec![Quick::Compare(CmpOp::Gt, slot(0)), Quick::Compare(CmpOp::Lt, slot(0))];
        assert_eq!(Quick::And(both).value(&slots), Some(0));
    }
}
