//! Aggregate functions.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, ExprKind as A, LitValue};
use value::{SqlMode, SqlType, TypeKind};

use super::super::scope::Clause;
use super::super::{Binder, add_agg, unsupported};
use super::member_text;
use crate::expr::{AggCall, AggFunc, Coercibility, Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::types;

/// What the arguments of an aggregate name, in their subqueries too but not in the arguments of aggregates there: those are values of the
/// block that they belong to.
#[derive(Default)]
pub(crate) struct Below {
    /// The tables whose columns are named.
    pub(crate) slots: Vec<SlotId>,
    /// The innermost enclosing block (of those around the aggregate and its own) that an aggregate in a subquery belongs to.
    aggs: Option<u16>,
    /// How many blocks there are, the aggregate's own included.
    depth: usize,
}

impl<'a> Binder<'a, '_> {
    pub(super) fn aggregate(&mut self, g: &ast::Aggregate<'a>) -> SqlResult<Expr> {
        use ast::AggFunc as G;
        let func = match g.func {
            G::Count if g.args.is_empty() => AggFunc::CountStar,
            G::Count => AggFunc::Count,
            G::Sum => AggFunc::Sum,
            G::Avg => AggFunc::Avg,
            G::Min => AggFunc::Min,
            G::Max => AggFunc::Max,
            G::BitAnd => AggFunc::BitAnd,
            G::BitOr => AggFunc::BitOr,
            G::BitXor => AggFunc::BitXor,
            G::StddevPop => AggFunc::StddevPop,
            G::StddevSamp => AggFunc::StddevSamp,
            G::VarPop => AggFunc::VarPop,
            G::VarSamp => AggFunc::VarSamp,
            G::GroupConcat => AggFunc::GroupConcat,
            G::AnyValue => AggFunc::AnyValue,
            G::JsonArrayagg => AggFunc::JsonArrayagg,
            G::JsonObjectagg => AggFunc::JsonObjectagg,
            G::StCollect => return unsupported("ST_COLLECT"),
        };
        if let Some(over) = &g.over {
            return self.window_aggregate(g, func, over);
        }
        let scope = self.scope()?;
        let was_in = std::mem::replace(&mut scope.in_agg, true);
        let clause = scope.clause.replace(Clause::Fields);
        let upper = matches!(clause, Some(Clause::Having | Clause::Order));
        let named = scope.names_items;
        scope.names_items |= upper;
        self.below.push(Below { depth: self.scopes.len(), ..Default::default() });
        let mut bound = self.agg_args(g);
        let refused = bound.as_ref().is_err_and(|e| e.is(ErrorCode::INVALID_GROUP_FUNC_USE));
        let grouping = |e: &Expr| e.any(&mut |x| matches!(x.kind, ExprKind::Call(FuncId::Grouping, _)));
        let of_groups = func == AggFunc::AnyValue
            && !was_in
            && (refused || bound.as_ref().is_ok_and(|(args, _)| args.iter().any(grouping)));
        if of_groups && refused {
            // a function of aggregates: it is no aggregate of them
            self.scope()?.in_agg = false;
            bound = self.agg_args(g);
        }
        let below = self.below.pop().unwrap_or_default();
        let scope = self.scope()?;
        scope.in_agg = was_in;
        scope.names_items = named;
        scope.clause = clause;
        let (mut args, order) = bound?;
        if of_groups && let Some(mut arg) = args.pop() {
            self.any_columns(&mut arg)?;
            return Ok(member_text(arg));
        }
        let mut args = self.narrow_args(func, args);
        if func == AggFunc::AnyValue {
            args = args.into_iter().map(member_text).collect();
        }
        let block = match (self.aggregating_block(&args, &order, &below), args.first()) {
            // no aggregate but a function of its argument, with leave to be any of the group's (manual, "Miscellaneous Functions")
            (Err(_), Some(arg)) if func == AggFunc::AnyValue => return Ok(arg.clone()),
            (block, _) => block?,
        };
        if let Some(b) = self.below.last_mut().filter(|b| block < b.depth) {
            b.aggs = b.aggs.max(Some(block as u16));
        }
        let (ty, coer) = self.agg_type(func, &args)?;
        // MySQL finds what is equal by sorting it
        let json = args.iter().any(|a| a.ty.kind == TypeKind::Json);
        let sorted = func == AggFunc::GroupConcat && g.distinct && order.is_empty() && !json;
        let order = if sorted { args.iter().map(|a| (a.clone(), false)).collect() } else { order };
        let separator = g.separator.unwrap_or(b",");
        let separator = match ty.is_character() && !ty.charset().is_utf8() {
            true => value::charset::client::literal(value::Charset::Utf8mb4, ty.charset(), separator).into(),
            false => separator.into(),
        };
        let distinct = g.distinct && !matches!(func, AggFunc::Min | AggFunc::Max | AggFunc::AnyValue);
        let call = AggCall { func, distinct, args: args.into(), order: order.into(), separator, ty: ty.clone() };
        let scope = self.scopes.get_mut(block).ok_or_else(|| SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[]))?;
        let n = add_agg(&mut scope.aggs, call);
        self.scopes.iter_mut().skip(block + 1).for_each(|s| s.correlated = true);
        Ok(Expr { kind: ExprKind::Agg { block: block as u16, n }, ty, coer })
    }

    /// The block's columns outside of aggregates become ANY_VALUE() of themselves.
    fn any_columns(&mut self, e: &mut Expr) -> SqlResult<()> {
        let block = self.scopes.len().saturating_sub(1);
        let scope = self.scope()?;
        let own: Vec<SlotId> = scope.own_slots().collect();
        replace_columns(e, &own, block as u16, &mut scope.aggs);
        Ok(())
    }

    /// The query block that an aggregate with these arguments belongs to: the innermost whose columns it names, in subqueries of the
    /// arguments too, if aggregates may stand where its subquery stands, else the present one. 1111 where that is no place for an aggregate
    /// either.
    fn aggregating_block(&self, args: &[Expr], order: &[(Expr, bool)], below: &Below) -> SqlResult<usize> {
        let last = self.scopes.len().saturating_sub(1);
        let block_of = |slot: SlotId| self.scopes.iter().rposition(|s| s.own_slots().any(|o| o == slot));
        let mut inmost: Option<usize> = below.slots.iter().filter_map(|s| block_of(*s)).max();
        // an aggregate of an enclosing block is a value for the blocks below that one
        let value = |block: u16| (block as usize + 1).min(last);
        inmost = inmost.max(below.aggs.map(value));
        for a in args.iter().chain(order.iter().map(|(e, _)| e)) {
            a.walk(&mut |e| {
                let depth = match e.kind {
                    ExprKind::Column { slot, .. } => block_of(slot),
                    ExprKind::Agg { block, .. } => Some(value(block)),
                    _ => None,
                };
                inmost = inmost.max(depth);
            });
        }
        let allowed = |d: usize| self.scopes.get(d).is_some_and(|s| s.agg_ok);
        let mut at = None;
        if inmost != Some(last) && (inmost.is_some() || !allowed(last)) {
            // the innermost enclosing block that takes aggregates, but that of the arguments before all others
            at = (inmost.map_or(0, |d| d + 1)..last).rev().find(|d| allowed(*d));
            at = inmost.filter(|d| allowed(*d)).or(at);
            if at.is_none() && inmost.is_some() && self.mode.has(SqlMode::ANSI) {
                return Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[]));
            }
        }
        let at = at.or(Some(last).filter(|d| allowed(*d)));
        // not within the arguments of another aggregate of that block
        match at.filter(|d| self.scopes.get(*d).is_some_and(|s| !s.in_agg)) {
            Some(d) => Ok(d),
            None => Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[])),
        }
    }

    #[allow(clippy::type_complexity)]
    pub(crate) fn agg_args(&mut self, g: &ast::Aggregate<'a>) -> SqlResult<(Vec<Expr>, Vec<(Expr, bool)>)> {
        use ast::AggFunc as G;
        // hexadecimal and bit literals are numbers there
        let numbers = matches!(
            g.func,
            G::Sum | G::Avg | G::BitAnd | G::BitOr | G::BitXor | G::StddevPop | G::StddevSamp | G::VarPop | G::VarSamp
        );
        let bind = |b: &mut Self, x| {
            if numbers { b.numeric_operand(x).map(super::temporal_text::number) } else { b.scalar(x) }
        };
        let mut args = g.args.iter().map(|x| bind(self, x)).collect::<SqlResult<Vec<_>>>()?;
        if matches!(g.func, G::Sum | G::Avg) {
            args.iter_mut().for_each(|e| self.derive_as(e, &SqlType::double().nullable(true)));
        }
        // ORDER BY 1 sorts by what was written, not by its text in the result's character set
        let by_position = g.order_by.iter().any(|o| matches!(o.expr.unparen().kind, A::Literal(_)));
        let written = if by_position { args.clone() } else { Vec::new() };
        if matches!(g.func, ast::AggFunc::JsonArrayagg | ast::AggFunc::JsonObjectagg) {
            // the last argument becomes a JSON value
            if let (Some(e), Some(w)) = (args.pop(), g.args.last()) {
                args.push(self.json_operand(w, e));
            }
        }
        if g.func == ast::AggFunc::GroupConcat {
            // it keeps what it reads from rows in a table
            let read = |e: &Expr| e.any(&mut |x| matches!(x.kind, ExprKind::Column { .. }));
            let kept = args.iter_mut().filter(|e| e.ty.kind == TypeKind::Decimal && read(e));
            kept.for_each(|e| e.ty.own_digits = false);
            let refs: Vec<&Expr> = args.iter().collect();
            let (c, _) = self.concat_collation(&refs)?;
            // numbers are ASCII
            let text = |e: Expr| match e.ty.is_character() || c.charset().has_ascii() {
                // bytes stay as they are
                true if e.ty.kind.is_binary_string() => e,
                true => self.in_charset(e, c),
                false => {
                    let ty = types::string_type(types::text_chars(&e.ty), c).nullable(e.ty.nullable);
                    Expr { coer: e.coer, ty, kind: ExprKind::Cast(Box::new(e)) }
                }
            };
            args = args.into_iter().map(text).collect();
        }
        let mut order = Vec::new();
        for o in g.order_by {
            let e = match o.expr.unparen().kind {
                A::Literal(l) => match l.value {
                    LitValue::Int(n) => written
                        .get((n as usize).wrapping_sub(1))
                        .cloned()
                        .ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&n, &"order clause"]))?,
                    _ => continue,
                },
                _ => self.scalar(&o.expr)?,
            };
            order.push((e, o.desc));
        }
        Ok((args, order))
    }

    /// The collation of GROUP_CONCAT: of numbers alone that of the connection, of NULL alone binary.
    fn concat_collation(&self, args: &[&Expr]) -> SqlResult<(value::CollationId, Coercibility)> {
        let (c, k) = types::result_collation(args, &self.tcx, "group_concat")?;
        Ok(match self.tcx.wide {
            _ if args.iter().all(|e| e.ty.kind == TypeKind::Null) => (value::CollationId::BINARY, k),
            Some(wide) if k == Coercibility::Numeric => (wide, k),
            _ => (c, k),
        })
    }

    /// Aggregates that look into strings get them in utf8mb4.
    pub(in crate::bind) fn narrow_args(&self, func: AggFunc, args: Vec<Expr>) -> Vec<Expr> {
        use AggFunc as A;
        let any = matches!(func, A::CountStar | A::Count | A::Min | A::Max | A::AnyValue | A::GroupConcat);
        if any { args } else { args.into_iter().map(|a| self.narrow(a)).collect() }
    }

    pub(crate) fn agg_type(&self, func: AggFunc, args: &[Expr]) -> SqlResult<(SqlType, Coercibility)> {
        let a = args.first().map(|e| e.ty.clone()).unwrap_or_else(SqlType::bigint);
        // NULL is summed up as text is, not as what it is among numbers
        let null = a.kind == TypeKind::Null;
        let class = if null { types::NumClass::Double } else { types::num_class(&a) };
        let column = args.first().is_some_and(|e| matches!(e.kind, ExprKind::Column { .. }));
        let fixed = (a.kind.is_float() && a.decimals < value::types::NOT_FIXED_DEC || null && !column).then_some(&a);
        let (int, scale) = types::decimal_parts(&a);
        let num = Coercibility::Numeric;
        Ok(match func {
            AggFunc::CountStar | AggFunc::Count => (types::longlong(21).nullable(false), num),
            AggFunc::Sum => match class {
                types::NumClass::Double => (double_like(fixed, 0), num),
                _ => (types::decimal_type(int as u32 + 22, scale as u32), num),
            },
            AggFunc::Avg => match class {
                types::NumClass::Double => (double_like(fixed, self.tcx.div_increment), num),
                _ => (
                    // as many more digits as decimals
                    types::decimal_type(int as u32, scale as u32 + self.tcx.div_increment as u32),
                    num,
                ),
            },
            AggFunc::StddevPop | AggFunc::StddevSamp | AggFunc::VarPop | AggFunc::VarSamp => (SqlType::double(), num),
            AggFunc::BitAnd | AggFunc::BitOr | AggFunc::BitXor => {
                let literal = args.first().is_some_and(|e| matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_)));
                if a.kind.is_binary_string() && !literal {
                    if a.max_bytes() > 511 {
                        return Err(SqlError::new(ErrorCode::INVALID_BITWISE_AGGREGATE_OPERANDS_SIZE, &[]));
                    }
                    let t = types::string_type(a.max_bytes(), value::CollationId::BINARY).nullable(false);
                    return Ok((t, Coercibility::Implicit));
                }
                let mut t = SqlType::bigint_unsigned().nullable(false);
                t.length = 21;
                (t, num)
            }
            AggFunc::Min | AggFunc::Max | AggFunc::AnyValue => {
                // only a column pads with zeros
                let mut t = a.nullable(true);
                t.zerofill = false;
                t.own_digits = t.kind == TypeKind::Year;
                (t, args.first().map_or(num, |e| e.coer))
            }
            AggFunc::JsonArrayagg | AggFunc::JsonObjectagg => (crate::bind::json::json_type(), Coercibility::Implicit),
            AggFunc::GroupConcat => {
                let refs: Vec<&Expr> = args.iter().collect();
                let (c, k) = self.concat_collation(&refs)?;
                // the setting counts bytes, and the type as many characters as could be in them
                let max = self.r.setting("group_concat_max_len").max(4);
                (types::string_type(max / u64::from(c.charset().min_len()), c).nullable(true), k)
            }
        })
    }
}

/// Digits before the point of a sum that is shown with a fixed number of decimals.
const DOUBLE_DIGITS: u32 = 17;

/// DOUBLE with the decimals of an argument that has a fixed number of them (FLOAT(M,D), DOUBLE(M,D), NULL that is no
/// column) and `more` of them; else without a fixed number.
fn double_like(fixed: Option<&SqlType>, more: u8) -> SqlType {
    let mut t = SqlType::double();
    if let Some(a) = fixed {
        t.decimals = a.decimals.saturating_add(more).min(value::types::NOT_FIXED_DEC);
        if t.decimals < value::types::NOT_FIXED_DEC {
            t.length = DOUBLE_DIGITS + u32::from(t.decimals);
        }
    }
    t
}

fn replace_columns(e: &mut Expr, own: &[SlotId], block: u16, aggs: &mut Vec<AggCall>) {
    match e.kind {
        ExprKind::Agg { .. } | ExprKind::Call(FuncId::Grouping, _) => {}
        ExprKind::Column { slot, .. } if own.contains(&slot) => {
            let (ty, coer) = (e.ty.clone(), e.coer);
            let args = Box::new([std::mem::replace(e, Expr::null())]);
            let func = AggFunc::AnyValue;
            let call = AggCall {
                func,
                distinct: false,
                args,
                order: Box::new([]),
                separator: (&b","[..]).into(),
                ty: ty.clone(),
            };
            *e = Expr { kind: ExprKind::Agg { block, n: add_agg(aggs, call) }, ty, coer };
        }
        _ => e.children_mut(&mut |c| replace_columns(c, own, block, aggs)),
    }
}
