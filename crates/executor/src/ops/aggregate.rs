//! GROUP BY and aggregate functions.
//!
//! Groups are kept in the order of their first row (which is also the output order); with an input ordered by the group
//! expressions only one group is kept at a time. What passes `tmp_table_size` goes to a temporary file ([`spilled`]).

mod rollup;
mod shared_arguments;
mod spilled;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use hashbrown::{HashMap, HashSet};
use planner::expr::{AggCall, AggFunc, Expr, ExprKind};
use probe::held::Held;
use value::compare::order_same_type;
use value::{ConvCtx, Decimal, OwnedValue, TypeKind, Value, convert};

use shared_arguments::Repeated;

use super::Op;
use crate::eval::Cx;
use crate::eval::{eval, numbers};
use crate::rows::slot::{room, room_for_copy};
use crate::rows::{keys, tuple};

/// State of one aggregate in one group.
pub(super) enum Acc {
    Count(i64),
    SumInt(i128, bool),
    SumDecimal(Decimal, bool),
    SumDouble(f64, bool),
    Avg {
        decimal: Decimal,
        double: f64,
        n: i64,
    },
    Best(OwnedValue),
    Bits(u64),
    /// BIT_AND and its like on binary strings; `None`: no value yet.
    Bytes(Option<Vec<u8>>),
    /// Count, mean, sum of squared differences (Welford).
    Var {
        n: u64,
        mean: f64,
        m2: f64,
    },
    /// GROUP_CONCAT.
    Concat(super::group_concat::ConcatAcc),
    /// JSON_ARRAYAGG, JSON_OBJECTAGG.
    Json(super::json_agg::JsonAcc),
}

pub(super) struct Group {
    /// Group values and carried values of the first row, as a tuple in output positions.
    head: Vec<u8>,
    /// Group expressions that are not rolled up.
    live: usize,
    accs: Vec<Acc>,
    seen: Vec<Option<HashSet<Box<[u8]>, foldhash::fast::RandomState>>>,
}

/// See the module.
pub struct AggOp<'e> {
    input: Op<'e>,
    slot: u16,
    group: &'e [Expr],
    aggs: &'e [AggCall],
    repeated: Repeated,
    carry: &'e [Expr],
    streaming: bool,
    rollup: bool,
    groups: Vec<Group>,
    index: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
    at: usize,
    /// Group expressions may have another value each time, or an effect.
    moving: bool,
    /// Where they may: their values in the present row, which a new group keeps.
    values: Vec<OwnedValue>,
    kept: usize,
    /// For performance_schema: the same.
    held: Held,
    /// Slots of the input.
    slots: Vec<u16>,
    late: spilled::Late,
    current: Option<(Vec<u8>, Group)>,
    finished: bool,
    arena: Bump,
}

impl<'e> AggOp<'e> {
    /// From its parts; the input with its slots.
    pub fn new(
        input: (Op<'e>, Vec<u16>),
        slot: u16,
        group: &'e [Expr],
        aggs: &'e [AggCall],
        carry: &'e [Expr],
        streaming: bool,
        rollup: bool,
    ) -> Self {
        AggOp {
            input: input.0,
            slots: input.1,
            late: spilled::Late::default(),
            slot,
            group,
            aggs,
            repeated: Repeated::new(aggs),
            carry,
            streaming,
            rollup,
            groups: Vec::new(),
            index: HashMap::default(),
            at: 0,
            moving: group.iter().any(moves),
            values: Vec::new(),
            kept: 0,
            held: Held::default(),
            current: None,
            finished: false,
            arena: Bump::new(),
        }
    }

    fn new_group(&self, cx: &mut Cx<'e>, empty: bool, live: usize) -> SqlResult<Group> {
        let n = self.group.len() + self.carry.len();
        let mut head = Vec::new();
        let at = tuple::begin(n, &mut head);
        for (i, e) in self.group.iter().chain(self.carry).enumerate() {
            let rolled = i >= live && i < self.group.len();
            let v = match self.values.get(i) {
                _ if empty || rolled => Value::Null,
                Some(v) => v.as_value(),
                None => eval(e, cx, &self.arena)?,
            };
            room_for_copy(v)?;
            tuple::put(at, n, i, v, &mut head);
        }
        Ok(Group {
            head,
            live,
            accs: self.aggs.iter().map(start).collect(),
            seen: self.aggs.iter().map(|a| a.distinct.then(HashSet::default)).collect(),
        })
    }

    fn key(&mut self, cx: &mut Cx<'e>, out: &mut Vec<u8>) -> SqlResult<()> {
        out.clear();
        self.values.clear();
        for e in self.group {
            let v = eval(e, cx, &self.arena)?;
            room_for_copy(v)?;
            keys::put(v, &e.ty, false, out);
            if self.moving {
                self.values.push(v.to_owned());
            }
        }
        Ok(())
    }

    /// Starts from the beginning; without an ordered input reads it all.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.kept = 0;
        self.held.clear();
        self.groups.clear();
        self.index.clear();
        self.at = 0;
        self.current = None;
        self.finished = false;
        self.late = spilled::Late::new(cx);
        self.input.open(cx)?;
        if self.rollup {
            return self.open_rollup(cx);
        }
        if self.streaming {
            return Ok(());
        }
        if self.group.is_empty() {
            return self.open_single(cx);
        }
        let mut key = Vec::new();
        while self.input.next(cx)? {
            self.arena.reset();
            self.key(cx, &mut key)?;
            let n = match self.index.get(key.as_slice()) {
                Some(n) => *n,
                None if !self.moving && self.late.is_full(self.kept) => {
                    self.late.keep_row(&key, self.group.len(), &self.slots, cx)?;
                    cx.tick()?;
                    continue;
                }
                None => self.add_group(&key, self.group.len(), cx)?,
            };
            self.add_row(n, cx)?;
            cx.tick()?;
        }
        self.index.clear();
        self.finish_distinct(cx)?;
        self.late_groups(cx)
    }

    /// One group for all rows.
    fn open_single(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        while self.input.next(cx)? {
            self.arena.reset();
            if self.groups.is_empty() {
                let g = self.new_group(cx, false, 0)?;
                self.groups.push(g);
            }
            self.add_row(0, cx)?;
            cx.tick()?;
        }
        if self.groups.is_empty() {
            let g = self.new_group(cx, true, 0)?;
            self.groups.push(g);
        }
        self.finish_distinct(cx)
    }

    /// A group for a key that is new; its number.
    fn add_group(&mut self, key: &[u8], live: usize, cx: &mut Cx<'e>) -> SqlResult<u32> {
        let g = self.new_group(cx, false, live)?;
        room(key.len())?;
        let size = key.len() + g.head.len() + 96 + g.accs.len() * 64;
        self.kept += size;
        self.held.set(self.kept);
        cx.keep(size)?;
        self.groups.push(g);
        let n = (self.groups.len() - 1) as u32;
        self.index.insert(key.into(), n);
        Ok(n)
    }

    /// The present row into a group.
    fn add_row(&mut self, n: u32, cx: &mut Cx<'e>) -> SqlResult<()> {
        let Some(g) = self.groups.get_mut(n as usize) else { return Ok(()) };
        self.late.full |= self.kept > self.late.memory;
        self.kept += update(g, n, (self.aggs, &self.repeated), &mut self.late, cx, &self.arena)?;
        self.held.set(self.kept);
        Ok(())
    }

    /// Next group.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        if self.streaming {
            return self.next_streaming(cx);
        }
        let Some(g) = self.groups.get_mut(self.at) else { return self.late.next(self.slot, cx) };
        self.at += 1;
        emit(g, self.slot, self.group.len(), self.carry.len(), self.aggs, self.rollup, cx)?;
        Ok(true)
    }

    fn next_streaming(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        if self.finished {
            return Ok(false);
        }
        let mut key = Vec::new();
        loop {
            if !self.input.next(cx)? {
                self.finished = true;
                return match self.current.take() {
                    Some((_, g)) => self.emit_streamed(g, cx),
                    None => Ok(false),
                };
            }
            self.arena.reset();
            self.key(cx, &mut key)?;
            cx.tick()?;
            if let Some((k, g)) = &mut self.current
                && *k == key
            {
                self.late.full |= self.kept > self.late.memory;
                self.kept += update(g, 0, (self.aggs, &self.repeated), &mut self.late, cx, &self.arena)?;
                self.held.set(self.kept);
                continue;
            }
            // the old group's values do not read the slots, which hold the new group's first row
            let done = self.current.take();
            let fresh = self.new_group(cx, false, self.group.len())?;
            if let Some((_, g)) = done {
                self.emit_streamed(g, cx)?;
                self.start_streamed(&key, fresh, cx)?;
                return Ok(true);
            }
            self.start_streamed(&key, fresh, cx)?;
        }
    }

    /// The present row begins a group.
    fn start_streamed(&mut self, key: &[u8], mut g: Group, cx: &mut Cx<'e>) -> SqlResult<()> {
        self.kept += update(&mut g, 0, (self.aggs, &self.repeated), &mut self.late, cx, &self.arena)?;
        self.held.set(self.kept);
        self.current = Some((key.to_vec(), g));
        Ok(())
    }

    /// A group that is complete, into the slot.
    fn emit_streamed(&mut self, g: Group, cx: &mut Cx<'e>) -> SqlResult<bool> {
        self.groups.push(g);
        self.finish_distinct(cx)?;
        cx.memory = cx.memory.saturating_sub(self.kept);
        self.kept = 0;
        self.held.clear();
        self.late.full = false;
        if let Some(mut g) = self.groups.pop() {
            emit(&mut g, self.slot, self.group.len(), self.carry.len(), self.aggs, false, cx)?;
        }
        Ok(true)
    }
}

/// Whether an expression may have another value when it is evaluated again in the same row, or an effect.
fn moves(e: &Expr) -> bool {
    e.any(&mut |x| match &x.kind {
        ExprKind::Call(f, _) => !f.is_deterministic(),
        ExprKind::AssignUserVar(..) => true,
        _ => false,
    })
}

/// State of an aggregate over no row.
pub(super) fn start(a: &AggCall) -> Acc {
    let ty = a.args.first().map(|e| &e.ty);
    let int = ty.is_some_and(|t| t.kind.is_integer());
    match a.func {
        AggFunc::CountStar | AggFunc::Count => Acc::Count(0),
        AggFunc::Sum if a.ty.kind.is_float() => Acc::SumDouble(0.0, false),
        AggFunc::Sum if int => Acc::SumInt(0, false),
        AggFunc::Sum => Acc::SumDecimal(Decimal::ZERO, false),
        AggFunc::Avg => Acc::Avg { decimal: Decimal::ZERO, double: 0.0, n: 0 },
        AggFunc::Min | AggFunc::Max | AggFunc::AnyValue => Acc::Best(OwnedValue::Null),
        AggFunc::BitAnd | AggFunc::BitOr | AggFunc::BitXor if a.ty.kind.is_binary_string() => Acc::Bytes(None),
        AggFunc::BitAnd => Acc::Bits(u64::MAX),
        AggFunc::BitOr | AggFunc::BitXor => Acc::Bits(0),
        AggFunc::StddevPop | AggFunc::StddevSamp | AggFunc::VarPop | AggFunc::VarSamp => {
            Acc::Var { n: 0, mean: 0.0, m2: 0.0 }
        }
        AggFunc::JsonArrayagg | AggFunc::JsonObjectagg => Acc::Json(Default::default()),
        AggFunc::GroupConcat => Acc::Concat(Default::default()),
    }
}

/// Adds the current row to a group; bytes newly kept.
fn update(
    g: &mut Group,
    number: u32,
    (aggs, repeated): (&[AggCall], &Repeated),
    late: &mut spilled::Late,
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<usize> {
    let mut kept = 0;
    // the first arguments so far
    let mut firsts = smallvec::SmallVec::<[Value<'_>; 8]>::new();
    for (i, ((a, acc), seen)) in aggs.iter().zip(&mut g.accs).zip(&mut g.seen).enumerate() {
        if let Acc::Count(n) = acc
            && a.func == AggFunc::CountStar
        {
            *n += 1;
            if repeated.any() {
                firsts.push(Value::Null);
            }
            continue;
        }
        let mut values = smallvec::SmallVec::<[Value<'_>; 4]>::new();
        let mut null = false;
        if let Some(v) = repeated.earlier(i).and_then(|n| firsts.get(n)) {
            null = v.is_null();
            values.push(*v);
        } else {
            for e in a.args.iter() {
                let v = argument(a, e, cx, arena)?;
                null |= v.is_null();
                values.push(v);
            }
        }
        if repeated.any() {
            firsts.push(values.first().copied().unwrap_or(Value::Null));
        }
        if null && !matches!(a.func, AggFunc::AnyValue | AggFunc::JsonArrayagg | AggFunc::JsonObjectagg) {
            continue;
        }
        if let Some(set) = seen {
            number_of_text(a, &mut values, &mut cx.env.conv);
            let mut k = Vec::new();
            for (v, e) in values.iter().zip(a.args.iter()) {
                keys::put(*v, &e.ty, false, &mut k);
            }
            if set.contains(k.as_slice()) {
                continue;
            }
            if late.full && spilled::can_wait(a) {
                late.keep_value((number, i as u32), &k, &values, cx)?;
                continue;
            }
            kept += k.len() + 48;
            cx.keep(k.len() + 48)?;
            set.insert(k.into());
        }
        let (Some(v), Some(e)) = (values.first().copied(), a.args.first()) else { continue };
        kept += add(a, acc, v, e, &values, cx, arena)?;
    }
    Ok(kept)
}

/// Value of an argument: of those that want a number the operand that is one.
#[inline]
pub(super) fn argument<'a>(a: &AggCall, e: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match a.func {
        _ if !numbers::is_delegated(e) || a.ty.kind.is_string() => eval(e, cx, arena),
        AggFunc::Sum | AggFunc::Avg | AggFunc::BitAnd | AggFunc::BitOr | AggFunc::BitXor => {
            numbers::operand(e, cx, arena)
        }
        AggFunc::StddevPop | AggFunc::StddevSamp | AggFunc::VarPop | AggFunc::VarSamp => numbers::operand(e, cx, arena),
        _ => eval(e, cx, arena),
    }
}

/// SUM and AVG of DISTINCT texts take the different numbers ('1' and '1.0' are one), and say nothing about a text that is none.
fn number_of_text(a: &AggCall, values: &mut [Value<'_>], conv: &mut ConvCtx) {
    if let (AggFunc::Sum | AggFunc::Avg, [v @ Value::Str(_)]) = (a.func, values)
        && let Some(e) = a.args.first()
        && a.ty.kind.is_float()
    {
        let before = conv.warned();
        *v = Value::Double(convert::to_f64(*v, &e.ty, conv));
        conv.forget_since(before);
    }
}

/// Adds a row's values, of which none is NULL; bytes newly kept.
pub(super) fn add(
    a: &AggCall,
    acc: &mut Acc,
    v: Value<'_>,
    e: &Expr,
    values: &[Value<'_>],
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<usize> {
    let overflow = || SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"DECIMAL", &"sum()"]);
    match acc {
        Acc::Json(j) => return j.add(a, values, cx, arena),
        Acc::Count(n) => *n += 1,
        Acc::SumInt(s, any) => {
            *s += match v {
                Value::Int(n) => n as i128,
                Value::UInt(n) => n as i128,
                v => numbers::read_whole(e, cx, |conv| convert::to_i64(v, &e.ty, conv)) as i128,
            };
            *any = true;
        }
        Acc::SumDecimal(s, any) => {
            let d = numbers::decimal(v, e, cx);
            *s = s.add(&d).map_err(|_| overflow())?;
            *any = true;
        }
        Acc::SumDouble(s, any) => {
            *s += numbers::read(e, cx, |conv| convert::to_f64(v, &e.ty, conv));
            *any = true;
        }
        Acc::Avg { decimal, double, n } => {
            *n += 1;
            if a.ty.kind == TypeKind::Decimal {
                let d = numbers::decimal(v, e, cx);
                *decimal = decimal.add(&d).map_err(|_| overflow())?;
            } else {
                *double += numbers::read(e, cx, |conv| convert::to_f64(v, &e.ty, conv));
            }
        }
        Acc::Best(best) => {
            let better = match best.as_value() {
                Value::Null => true,
                b => match a.func {
                    AggFunc::Min => order(v, b, e).is_lt(),
                    AggFunc::Max => order(v, b, e).is_gt(),
                    _ => false,
                },
            };
            if better {
                *best = v.to_owned();
            }
        }
        Acc::Bits(b) => {
            let n = match v {
                Value::UInt(n) => n,
                Value::Int(n) => n as u64,
                v => numbers::read_whole(e, cx, |conv| convert::to_i64(v, &e.ty, conv)) as u64,
            };
            match a.func {
                AggFunc::BitAnd => *b &= n,
                AggFunc::BitOr => *b |= n,
                _ => *b ^= n,
            }
        }
        Acc::Bytes(sum) => {
            let Value::Str(s) = v else { return Ok(0) };
            match sum {
                None => {
                    *sum = Some(s.to_vec());
                    cx.keep(s.len() + 32)?;
                    return Ok(s.len() + 32);
                }
                Some(b) => crate::eval::bitbytes::accumulate(a.func, b, s)?,
            }
        }
        Acc::Var { n, mean, m2 } => {
            let x = numbers::read(e, cx, |conv| convert::to_f64(v, &e.ty, conv));
            *n += 1;
            let d = x - *mean;
            *mean += d / *n as f64;
            *m2 += d * (x - *mean);
        }
        Acc::Concat(c) => return c.add(a, values, cx, arena),
    }
    Ok(0)
}

/// 1690 for an aggregate that no DOUBLE holds.
fn too_large(a: &AggCall, cx: &Cx<'_>) -> SqlError {
    let args: Vec<String> = a.args.iter().map(|e| planner::error_expr::expression(e, cx.plan, cx.params)).collect();
    let name = match a.func {
        AggFunc::StddevPop => "std",
        AggFunc::VarPop => "variance",
        f => f.name(),
    };
    SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"DOUBLE", &format!("{name}({})", args.join(","))])
}

/// MIN and MAX compare ENUM and SET as strings.
pub(super) fn order(a: Value<'_>, b: Value<'_>, e: &Expr) -> std::cmp::Ordering {
    if matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set) {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        convert::to_text(a, &e.ty, &mut x);
        convert::to_text(b, &e.ty, &mut y);
        return e.ty.collation.get().compare(&x, &y);
    }
    order_same_type(a, b, &e.ty)
}

/// Writes the group's tuple: group values, aggregates, with ROLLUP the number of live group values, carried values.
fn emit(
    g: &mut Group,
    slot: u16,
    groups: usize,
    carried: usize,
    aggs: &[AggCall],
    rollup: bool,
    cx: &mut Cx<'_>,
) -> SqlResult<()> {
    let arena = Bump::new();
    let n = groups + aggs.len() + usize::from(rollup) + carried;
    let mut out = Vec::with_capacity(g.head.len() + aggs.len() * 16);
    let at = tuple::begin(n, &mut out);
    let head = |i: usize| tuple::get(&g.head, groups + carried, i, &arena);
    let mut i = 0;
    for c in 0..groups {
        tuple::put(at, n, i, head(c), &mut out);
        i += 1;
    }
    for (a, acc) in aggs.iter().zip(&mut g.accs) {
        let v = finish(a, acc, cx, &arena)?;
        tuple::put(at, n, i, v, &mut out);
        i += 1;
    }
    if rollup {
        tuple::put(at, n, i, Value::Int(g.live as i64), &mut out);
        i += 1;
    }
    for c in 0..carried {
        tuple::put(at, n, i, head(groups + c), &mut out);
        i += 1;
    }
    cx.slot(slot)?.set_tuple(&out);
    Ok(())
}

/// The aggregate's value. The state stays as it is, but for GROUP_CONCAT.
pub(super) fn finish<'a>(a: &AggCall, acc: &mut Acc, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let decimal = |d: Decimal| Value::Decimal(arena.alloc(d));
    Ok(match acc {
        Acc::Count(n) => Value::Int(*n),
        Acc::SumInt(_, false) | Acc::SumDecimal(_, false) | Acc::SumDouble(_, false) => Value::Null,
        Acc::SumInt(s, _) => decimal(Decimal::from_i128(*s, 0)),
        Acc::SumDecimal(s, _) => decimal(s.round(a.ty.decimals as i32)),
        Acc::SumDouble(s, _) => Value::Double(*s),
        Acc::Avg { n: 0, .. } => Value::Null,
        Acc::Avg { decimal: d, n, .. } if a.ty.kind == TypeKind::Decimal => {
            // more digits than are shown: comparisons and arithmetic see them, as with a division
            let count = Decimal::from_i64(*n);
            let increment = cx.env.vars.num(catalog::sysvar::Var::div_precision_increment).min(30) as u8;
            // a sum with a DECIMAL(65,30), which is what a parameter is, has all the digits that there are
            let wanted = a.ty.decimals.saturating_sub(d.scale());
            let digits = if wanted > increment { wanted.saturating_add(1) } else { increment };
            match d.div(&count, digits) {
                Ok(Some(r)) if wanted > increment => decimal(r.round(a.ty.decimals.into())),
                Ok(Some(r)) => decimal(r),
                _ => Value::Null,
            }
        }
        Acc::Avg { double, n, .. } => Value::Double(*double / *n as f64),
        Acc::Json(j) => j.finish(a, arena)?,
        Acc::Best(v) => v.as_value().copy_into(arena),
        Acc::Bits(b) => Value::UInt(*b),
        Acc::Bytes(Some(b)) => Value::Str(arena.alloc_slice_copy(b)),
        Acc::Bytes(None) => {
            let neutral = if a.func == AggFunc::BitAnd { 0xff } else { 0 };
            Value::Str(arena.alloc_slice_fill_copy(a.ty.length as usize, neutral))
        }
        Acc::Var { n, m2, .. } => {
            let sample = matches!(a.func, AggFunc::StddevSamp | AggFunc::VarSamp);
            let d = if sample { n.saturating_sub(1) } else { *n };
            if d == 0 {
                return Ok(Value::Null);
            }
            let var = *m2 / d as f64;
            if !var.is_finite() {
                return Err(too_large(a, cx));
            }
            let root = matches!(a.func, AggFunc::StddevPop | AggFunc::StddevSamp);
            Value::Double(if root { var.sqrt() } else { var })
        }
        Acc::Concat(c) => c.finish(a, cx, arena),
    })
}
