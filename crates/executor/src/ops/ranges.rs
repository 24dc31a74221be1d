//! Key ranges: the values of an access path, converted to the columns' types and encoded.
//!
//! A value that no row of the column's type can equal (5.5 for an INT, a date with a time for a DATE, a number out of range) is not an
//! error: it lies between or beyond keys, and bounds are moved accordingly.

use std::ops::Bound;

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use planner::plan::{Access, Body, PartCond};
use storage::StorageError;
use storage::row::{KeyEncoder, prefix_successor};
use storage::table::Table;
use value::{DateTime, OwnedValue, SqlType, TypeKind, Value, convert, json};

use crate::eval::Cx;
use crate::eval::{eval, is_no_date};

/// Where a value lies among the values of a column's type.
enum Place<'a> {
    /// It is one.
    At(Value<'a>),
    /// Above this one and below the next.
    After(Value<'a>),
    /// Below all.
    Below,
    /// Above all.
    Above,
    /// NULL.
    Null,
    /// Cannot say: no bound.
    Unknown,
}

/// A range of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Lower end (prefix semantics of `KeyRange`).
    pub lower: Bound<Vec<u8>>,
    /// Upper end.
    pub upper: Bound<Vec<u8>>,
    /// A full key of a unique index: at most one row.
    pub point: bool,
}

/// First key of the range as plain bytes.
fn start(r: &Range) -> Vec<u8> {
    match &r.lower {
        Bound::Unbounded => Vec::new(),
        Bound::Included(k) => k.clone(),
        Bound::Excluded(k) => {
            let mut k = k.clone();
            if prefix_successor(&mut k) { k } else { vec![0xff; k.len() + 8] }
        }
    }
}

/// End of the range (exclusive); `None` = unbounded.
fn end(r: &Range) -> Option<Vec<u8>> {
    match &r.upper {
        Bound::Unbounded => None,
        Bound::Excluded(k) => Some(k.clone()),
        Bound::Included(k) => {
            let mut k = k.clone();
            prefix_successor(&mut k).then_some(k)
        }
    }
}

/// A constant that an index is looked up by. UPDATE and DELETE of one table read it before they change anything, as
/// MySQL's range optimizer does: where it is NULL nothing can be found, and what it has warned of stays a warning in
/// strict mode (`WHERE id = 1 / 0`; asked of MySQL 9.7, golden `programs_beside`).
fn sought<'a>(e: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let plain = matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_)) || !cx.env.conv.strict;
    let of_one = match &cx.plan.body {
        _ if plain => false,
        Body::Update(u) => !u.multi,
        Body::Delete(d) => !d.multi,
        _ => false,
    };
    if !of_one {
        return eval(e, cx, arena);
    }
    let before = cx.env.conv.warned();
    cx.env.conv.strict = false;
    let v = eval(e, cx, arena);
    cx.env.conv.strict = true;
    let v = v?;
    if !v.is_null() {
        cx.env.fail_of_warnings(before.shown())?;
    }
    Ok(v)
}

/// Encoded full key for [`Access::Point`]; `None`: no row can match.
pub fn point_key(
    key: &[Expr],
    table: &Table,
    index: usize,
    cx: &mut Cx<'_>,
    arena: &Bump,
    out: &mut Vec<u8>,
) -> SqlResult<bool> {
    let Some(ix) = table.def.indexes.get(index) else { return Ok(false) };
    let Some(enc) = table.key_encoder(index) else { return Ok(false) };
    out.clear();
    for (i, (e, part)) in key.iter().zip(&ix.parts).enumerate() {
        let Some(col) = table.def.columns.get(part.column as usize) else { return Ok(false) };
        let v = sought(e, cx, arena)?;
        if is_cut(e, cx) {
            return Ok(false);
        }
        // the usual case needs no conversion
        let v = match (v, col.ty.kind) {
            (Value::Int(_), k) if k.is_integer() => v,
            _ => match place_equal(v, e, &col.ty, cx, arena)? {
                Place::At(v) => v,
                Place::Unknown => match whole(v, &e.ty, &col.ty, cx) {
                    Some(v) => v,
                    None => return Ok(false),
                },
                _ => return Ok(false),
            },
        };
        match enc.encode_part(i, v, out) {
            Ok(()) => {}
            Err(storage::row::RowError::OutOfRange) => return Ok(false),
            Err(e) => return Err(StorageError::from(e).into()),
        }
    }
    Ok(true)
}

/// Whether a text that was sent for an integer begins with another one than it is rounded to (`1.5x`). MySQL compares rows with the one and looks the
/// other up in an index, so that no row is equal to it there.
fn is_cut(e: &Expr, cx: &Cx<'_>) -> bool {
    let ExprKind::Param(i) = e.kind else { return false };
    let text = |v: &OwnedValue| matches!(v, OwnedValue::Str(s) if value::convert::rounds_up(s));
    e.ty.kind.is_integer() && cx.params.get(i as usize).is_some_and(text)
}

/// All ranges of an access path in key order, without overlaps. `None`: the index cannot tell, because what is looked for in a multi-valued
/// one has no keys there; the whole table must be read.
pub fn ranges(
    access: &Access,
    table: &Table,
    index: usize,
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<Option<Vec<Range>>> {
    let alternatives = match access {
        Access::Full => return Ok(Some(vec![Range::ALL])),
        Access::Point(_) | Access::Merge { .. } => return Ok(Some(Vec::new())),
        Access::Ranges(a) => a,
    };
    let mut out = Vec::new();
    for conds in alternatives {
        let mut b = Builder { table, index, out: &mut out, all: false };
        b.part(conds, 0, Vec::new(), cx, arena)?;
        if b.all {
            return Ok(None);
        }
    }
    if out.len() < 2 {
        return Ok(Some(out));
    }
    let mut keyed: Vec<(Vec<u8>, Option<Vec<u8>>, Range)> =
        out.into_iter().map(|r| (start(&r), end(&r), r)).filter(|(s, e, _)| e.as_ref().is_none_or(|e| s < e)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    let mut merged: Vec<(Vec<u8>, Option<Vec<u8>>, Range)> = Vec::with_capacity(keyed.len());
    for (s, e, r) in keyed {
        if let Some((ls, le, lr)) = merged.last_mut()
            && le.as_ref().is_none_or(|le| s < *le)
        {
            if *lr == r {
                continue;
            }
            let longer = match (&e, &le) {
                (None, _) => true,
                (_, None) => false,
                (Some(a), Some(b)) => a > b,
            };
            if longer {
                *le = e;
            }
            *lr = Range {
                lower: Bound::Included(ls.clone()),
                upper: le.clone().map_or(Bound::Unbounded, Bound::Excluded),
                point: false,
            };
            continue;
        }
        merged.push((s, e, r));
    }
    Ok(Some(merged.into_iter().map(|m| m.2).collect()))
}

/// The ranges of a skip scan for the values of `prefix`, the key of the parts before the condition.
pub fn of_group(
    conds: &[PartCond],
    prefix: &[u8],
    (table, index): (&Table, usize),
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<Vec<Range>> {
    let mut out = Vec::new();
    let n = conds.iter().rposition(|c| matches!(c, PartCond::Any)).map_or(0, |i| i + 1);
    let mut b = Builder { table, index, out: &mut out, all: false };
    b.part(conds.get(n..).unwrap_or(&[]), n, prefix.to_vec(), cx, arena)?;
    out.iter_mut().for_each(|r| r.point = false);
    Ok(out)
}

struct Builder<'b> {
    table: &'b Table,
    index: usize,
    out: &'b mut Vec<Range>,
    /// The index cannot tell: see [`ranges`].
    all: bool,
}

impl Builder<'_> {
    fn encoder(&self) -> Option<&KeyEncoder> {
        self.table.key_encoder(self.index)
    }

    fn part(&mut self, conds: &[PartCond], n: usize, prefix: Vec<u8>, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<()> {
        let Some(ix) = self.table.def.indexes.get(self.index) else { return Ok(()) };
        let Some((cond, rest)) = conds.split_first() else {
            let point = n == ix.parts.len() && ix.unique() && ix.parts.iter().all(|p| p.prefix == 0);
            let r = Range { lower: Bound::Included(prefix.clone()), upper: Bound::Included(prefix), point };
            self.out.push(r);
            return Ok(());
        };
        let Some(part) = ix.parts.get(n) else { return Ok(()) };
        let Some(col) = self.table.def.columns.get(part.column as usize) else { return Ok(()) };
        let ty = &col.ty;
        if let Some(elements) = &col.elements {
            return self.elements((cond, rest), n, prefix, elements, cx, arena);
        }
        match cond {
            PartCond::Eq { value, null_safe } => self.equal((value, *null_safe), (ty, rest), n, prefix, cx, arena),
            PartCond::In(list) => self.any_of(list, (ty, rest), n, &prefix, cx, arena),
            // whatever the parts before have: [`of_group`] reads less
            PartCond::Any if prefix.is_empty() => {
                self.out.push(Range::ALL);
                Ok(())
            }
            PartCond::Any => {
                self.all_of(&prefix);
                Ok(())
            }
            PartCond::NotNull => self.bounds(n, prefix, None, None, ty, part.desc),
            PartCond::NotIn(list) => self.gaps(n, prefix, list, (ty, part.desc), cx, arena),
            PartCond::Like { pattern, escape } => self.like(n, prefix, pattern, *escape, cx, arena),
            PartCond::Range { low, high } => {
                let Some((low, high)) = ends(low.as_ref(), high.as_ref(), ty, cx, arena)? else { return Ok(()) };
                self.bounds(n, prefix, low, high, ty, part.desc)
            }
        }
    }

    /// `column = value` or `column <=> value`; `rest` are the conditions on the parts behind it.
    fn equal(
        &mut self,
        (value, null_safe): (&Expr, bool),
        (ty, rest): (&SqlType, &[PartCond]),
        n: usize,
        prefix: Vec<u8>,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        let v = sought(value, cx, arena)?;
        if is_cut(value, cx) || is_no_date(value, cx) {
            return Ok(());
        }
        if v.is_null() {
            if !null_safe || !ty.nullable {
                return Ok(());
            }
            let mut key = prefix;
            self.encode(n, Value::Null, &mut key)?;
            let at = self.out.len();
            self.part(rest, n + 1, key, cx, arena)?;
            self.out.iter_mut().skip(at).for_each(|r| r.point = false);
            return Ok(());
        }
        match place_equal(v, value, ty, cx, arena)? {
            Place::At(v) => {
                let mut key = prefix;
                if self.encode(n, v, &mut key)? { self.part(rest, n + 1, key, cx, arena) } else { Ok(()) }
            }
            Place::Unknown => {
                self.all_of(&prefix);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// `column IN (list)`.
    fn any_of(
        &mut self,
        list: &[Expr],
        (ty, rest): (&SqlType, &[PartCond]),
        n: usize,
        prefix: &[u8],
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        for e in list {
            let v = eval(e, cx, arena)?;
            if is_cut(e, cx) {
                continue;
            }
            match place(v, &e.ty, ty, cx, arena) {
                Place::At(v) => {
                    let mut key = prefix.to_vec();
                    if self.encode(n, v, &mut key)? {
                        self.part(rest, n + 1, key, cx, arena)?;
                    }
                }
                // text of a large number: whatever the prefix has is read
                Place::Unknown => self.all_of(prefix),
                _ => {}
            }
        }
        Ok(())
    }

    /// Everything that the parts so far have.
    fn all_of(&mut self, prefix: &[u8]) {
        let (lower, upper) = (Bound::Included(prefix.to_vec()), Bound::Included(prefix.to_vec()));
        self.out.push(Range { lower, upper, point: false });
    }

    /// The part of a multi-valued index: one key for `v MEMBER OF`, one for each scalar of a document otherwise. A scalar that cannot be an
    /// element is in no row's array.
    fn elements(
        &mut self,
        (cond, rest): (&PartCond, &[PartCond]),
        n: usize,
        prefix: Vec<u8>,
        ty: &SqlType,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        // text that is no JSON fails in the condition, which names its function: for each row as without the index
        let doc = match cond {
            PartCond::Eq { value, .. } => match eval(value, cx, arena)? {
                Value::Null => return Ok(()),
                v => json::convert::from_sql(v, &value.ty).and_then(|d| d.to_document()),
            },
            PartCond::In(list) => {
                let Some(value) = list.first() else { return Ok(()) };
                let v = eval(value, cx, arena)?;
                match crate::eval::json::document_of(v, &value.ty, 1, "json_contains", arena) {
                    Ok(None) => return Ok(()),
                    Ok(Some(d)) => Ok(d.to_vec()),
                    Err(e) => Err(e),
                }
            }
            _ => {
                self.all = true;
                return Ok(());
            }
        };
        let Ok(doc) = doc else {
            self.all = true;
            return Ok(());
        };
        let root = json::Ref::trusted(&doc);
        let several = root.is_array() && matches!(cond, PartCond::In(_));
        let scalars: Vec<json::Ref<'_>> = if several { root.elements().collect() } else { vec![root] };
        // every array contains the empty one, and text of numbers is not unique
        let text = |r: &json::Ref<'_>| r.as_str().is_some() || !r.is_scalar();
        if scalars.is_empty() || (ty.kind.is_string() && !scalars.iter().all(text)) {
            self.all = true;
            return Ok(());
        }
        for r in scalars {
            let Ok(e) = json::multi::element(r, ty, &mut cx.env.conv) else { continue };
            let mut key = prefix.clone();
            if json::multi::with_value(&e.value, |v| self.encode(n, v, &mut key))? {
                self.part(rest, n + 1, key, cx, arena)?;
            }
        }
        Ok(())
    }

    /// Appends part `n`; `false` when no row can have the value.
    fn encode(&self, n: usize, v: Value<'_>, key: &mut Vec<u8>) -> SqlResult<bool> {
        let Some(enc) = self.encoder() else { return Ok(false) };
        match enc.encode_part(n, v, key) {
            Ok(()) => Ok(true),
            Err(storage::row::RowError::OutOfRange) => Ok(false),
            Err(e) => Err(StorageError::from(e).into()),
        }
    }

    /// The ranges around values that no row may have. What is no key leaves nothing out; with a NULL no row matches.
    fn gaps(
        &mut self,
        n: usize,
        prefix: Vec<u8>,
        list: &[Expr],
        (ty, desc): (&SqlType, bool),
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        let mut keys: Vec<Vec<u8>> = Vec::with_capacity(list.len());
        for e in list {
            let v = eval(e, cx, arena)?;
            if v.is_null() {
                return Ok(());
            }
            // a text that is no date, or that integers and index read differently, is left to the comparison
            if is_cut(e, cx) || is_no_date(e, cx) {
                continue;
            }
            if let Place::At(v) = place_equal(v, e, ty, cx, arena)? {
                let mut key = prefix.clone();
                if self.encode(n, v, &mut key)? {
                    keys.push(key);
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let whole = if prefix.is_empty() { Bound::Unbounded } else { Bound::Included(prefix.clone()) };
        let nulls = match ty.nullable {
            true => {
                let mut key = prefix;
                self.encode(n, Value::Null, &mut key)?;
                Bound::Excluded(key)
            }
            false => whole.clone(),
        };
        let (mut lower, last) = if desc { (whole, nulls) } else { (nulls, whole) };
        for key in keys {
            let next = Bound::Excluded(key.clone());
            self.out.push(Range { lower, upper: Bound::Excluded(key), point: false });
            lower = next;
        }
        self.out.push(Range { lower, upper: last, point: false });
        Ok(())
    }

    /// Pushes `prefix + (low, high)`; NULLs are outside.
    fn bounds(
        &mut self,
        n: usize,
        prefix: Vec<u8>,
        low: Option<(Value<'_>, bool)>,
        high: Option<(Value<'_>, bool)>,
        ty: &SqlType,
        desc: bool,
    ) -> SqlResult<()> {
        let whole = |p: &Vec<u8>| if p.is_empty() { Bound::Unbounded } else { Bound::Included(p.clone()) };
        let bound = |b: Option<(Value<'_>, bool)>, is_low: bool| -> SqlResult<Option<Bound<Vec<u8>>>> {
            let mut key = prefix.clone();
            match b {
                Some((v, inc)) => {
                    if !self.encode(n, v, &mut key)? {
                        return Ok(Some(whole(&prefix)));
                    }
                    Ok(Some(if inc { Bound::Included(key) } else { Bound::Excluded(key) }))
                }
                None if is_low && ty.nullable => {
                    self.encode(n, Value::Null, &mut key)?;
                    Ok(Some(Bound::Excluded(key)))
                }
                None => Ok(Some(whole(&prefix))),
            }
        };
        let (Some(lo), Some(hi)) = (bound(low, true)?, bound(high, false)?) else { return Ok(()) };
        let (lower, upper) = if desc { (hi, lo) } else { (lo, hi) };
        self.out.push(Range { lower, upper, point: false });
        Ok(())
    }

    fn like(
        &mut self,
        n: usize,
        prefix: Vec<u8>,
        pattern: &Expr,
        escape: u32,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        let whole = |p: Vec<u8>| {
            let b = if p.is_empty() { Bound::Unbounded } else { Bound::Included(p) };
            Range { lower: b.clone(), upper: b, point: false }
        };
        let Value::Str(p) = eval(pattern, cx, arena)? else {
            // NULL matches nothing
            return Ok(());
        };
        // the pattern is in the column's character set
        let collation = pattern.ty.collation.get();
        let mut mark = Vec::new();
        if escape != 0 {
            collation.charset.encode(escape, &mut mark);
        }
        let (literal, _) = collation.like_prefix(p, &mark);
        let mut key = prefix.clone();
        let ok = !literal.is_empty() && self.encoder().is_some_and(|e| e.encode_like_prefix(n, &literal, &mut key));
        if !ok {
            self.out.push(whole(prefix));
            return Ok(());
        }
        let mut end = key.clone();
        let upper = if prefix_successor(&mut end) { Bound::Excluded(end) } else { Bound::Unbounded };
        self.out.push(Range { lower: Bound::Included(key), upper, point: false });
        Ok(())
    }
}

/// A bound of a range of values, and whether it belongs to the range; `None`: there is no bound on this side.
type End<'a> = Option<(Value<'a>, bool)>;

/// The bounds of `low <(=) column <(=) high` as values of the column's type; `None`: no value lies between them.
fn ends<'a>(
    low: Option<&'a (Expr, bool)>,
    high: Option<&'a (Expr, bool)>,
    ty: &SqlType,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Option<(End<'a>, End<'a>)>> {
    let low = match low {
        None => None,
        Some((e, inc)) => {
            let v = sought(e, cx, arena)?;
            match place(v, &e.ty, ty, cx, arena) {
                Place::At(v) => Some((v, *inc && !is_cut(e, cx))),
                Place::After(v) => Some((v, false)),
                Place::Below | Place::Unknown => None,
                Place::Above | Place::Null => return Ok(None),
            }
        }
    };
    let high = match high {
        None => None,
        Some((e, inc)) => {
            let v = sought(e, cx, arena)?;
            match place(v, &e.ty, ty, cx, arena) {
                Place::At(v) => Some((v, *inc)),
                Place::After(v) => Some((v, true)),
                Place::Above | Place::Unknown => None,
                Place::Below | Place::Null => return Ok(None),
            }
        }
    };
    Ok(Some((low, high)))
}

/// Places `v`, the value of `e`, for an equality: a TIMESTAMP column looks another one up by its moment, as MySQL copies the one's bytes into the
/// other's key.
fn place_equal<'a>(v: Value<'a>, e: &Expr, to: &SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Place<'a>> {
    let exact = to.kind == TypeKind::Timestamp && e.ty.decimals <= to.decimals;
    Ok(match if exact { crate::eval::moment(e, cx, arena)? } else { None } {
        Some(d) => Place::At(Value::DateTime(d)),
        None => place(v, &e.ty, to, cx, arena),
    })
}

/// Places `v` (of type `from`) among the values of a column of type `to`. Of TEXT and BLOB nothing is said ([`crate::eval::numbers`]).
fn place<'a>(v: Value<'a>, from: &SqlType, to: &SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> Place<'a> {
    let before = cx.env.conv.warned();
    let at = placed(v, from, to, cx, arena);
    if from.kind.is_lob() {
        cx.env.conv.forget_since(before);
    }
    at
}

fn placed<'a>(v: Value<'a>, from: &SqlType, to: &SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> Place<'a> {
    if v.is_null() {
        return Place::Null;
    }
    match to.kind {
        k if k.is_integer() || matches!(k, TypeKind::Year | TypeKind::Bit) => integer(v, from, to, cx),
        TypeKind::Double => {
            let d = convert::to_f64(v, from, &mut cx.env.conv);
            Place::At(Value::Double(d))
        }
        TypeKind::Decimal => {
            let d = convert::to_decimal(v, from, &mut cx.env.conv);
            let limit = value::Decimal::max_value(to.length as u8, to.decimals, false);
            if d > limit {
                return Place::Above;
            }
            if d < limit.neg() {
                return Place::Below;
            }
            let t = floor_to(&d, to.decimals);
            let exact = t == d;
            let t = Value::Decimal(arena.alloc(t));
            if exact { Place::At(t) } else { Place::After(t) }
        }
        TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp => temporal(v, from, to, cx),
        TypeKind::Time => {
            // the comparison decides about text that is no time, and rounds it
            let t = match v {
                Value::Str(_) => match convert::stored_time(v, from, to.decimals, &cx.env.conv) {
                    Some(t) => t,
                    None => return Place::Unknown,
                },
                v => convert::to_time(v, from, &mut cx.env.conv).unwrap_or_default(),
            };
            let cut = value::temporal::parse::truncate_time(t, to.decimals);
            if cut == t || t.is_negative() { Place::At(Value::Time(cut)) } else { Place::After(Value::Time(cut)) }
        }
        k if k.is_string() => match v {
            Value::Str(_) => Place::At(v),
            _ => Place::Unknown,
        },
        // the planner asks only where one number at most has the text
        TypeKind::Enum => match v {
            Value::Str(text) => member(text, to),
            _ => Place::Unknown,
        },
        _ => Place::Unknown,
    }
}

/// The number of an ENUM's member with this text; 0 for the empty one.
fn member<'a>(text: &[u8], to: &SqlType) -> Place<'a> {
    let collation = to.collation.get();
    let same = |m: &[u8]| collation.compare(m, text).is_eq();
    if same(b"") {
        return Place::At(Value::UInt(0));
    }
    let at = to.members.iter().flat_map(|m| m.iter()).position(|m| same(m));
    at.map_or(Place::Above, |at| Place::At(Value::UInt(at as u64 + 1)))
}

/// Text that an integer column is compared with as an integer, however large.
fn whole<'a>(v: Value<'_>, from: &SqlType, to: &SqlType, cx: &mut Cx<'_>) -> Option<Value<'a>> {
    if !to.kind.is_integer() {
        return None;
    }
    let n = value::compare::whole(v, from, to, &mut cx.env.conv)?;
    i64::try_from(n).map(Value::Int).or_else(|_| u64::try_from(n).map(Value::UInt)).ok()
}

/// Largest value of the scale that is not above `d`.
fn floor_to(d: &value::Decimal, scale: u8) -> value::Decimal {
    let t = d.truncate(scale as i32);
    if d.is_negative() && t != *d {
        let unit = value::Decimal::from_i128(1, scale);
        return t.sub(&unit).unwrap_or(t);
    }
    t
}

fn integer<'a>(v: Value<'a>, from: &SqlType, to: &SqlType, cx: &mut Cx<'_>) -> Place<'a> {
    let (min, max) = to.int_range();
    let mut after = false;
    let n: i128 = match v {
        Value::Int(n) => n as i128,
        Value::UInt(n) => n as i128,
        Value::Decimal(d) => {
            let f = floor_to(d, 0);
            after = f != *d;
            match f.to_i128() {
                Some(n) => n,
                None => return if d.is_negative() { Place::Below } else { Place::Above },
            }
        }
        v => {
            let d = convert::to_f64(v, from, &mut cx.env.conv);
            if d.abs() > 9.0e15 {
                return Place::Unknown;
            }
            let f = d.floor();
            after = f != d;
            f as i128
        }
    };
    if n < min {
        return Place::Below;
    }
    if n > max {
        return Place::Above;
    }
    let unsigned = to.unsigned || matches!(to.kind, TypeKind::Year | TypeKind::Bit);
    let v = if unsigned { Value::UInt(n as u64) } else { Value::Int(n as i64) };
    if to.kind == TypeKind::Year && n != 0 && n <= 1900 {
        return Place::Unknown;
    }
    if after { Place::After(v) } else { Place::At(v) }
}

fn temporal<'a>(v: Value<'a>, from: &SqlType, to: &SqlType, cx: &mut Cx<'_>) -> Place<'a> {
    let before = cx.env.conv.warned();
    let d = convert::to_datetime(v, from, &mut cx.env.conv);
    let number = matches!(v, Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_));
    if d.is_none() && number {
        // compared as a number then
        cx.env.conv.forget_since(before);
        return Place::Unknown;
    }
    let Some(d) = d.or(from.kind.is_string().then_some(DateTime::ZERO)) else { return Place::Null };
    if to.kind == TypeKind::Date {
        let date = Value::Date(d.date());
        // a number is stored into the column first, and loses its time
        return if number || d.time().0 == 0 { Place::At(date) } else { Place::After(date) };
    }
    let d = match number {
        true => value::temporal::parse::round_datetime(d, 0, to.decimals).unwrap_or(d),
        false => d,
    };
    let cut = value::temporal::parse::truncate_datetime(d, to.decimals);
    let mut out = cut;
    if to.kind == TypeKind::Timestamp && !cut.is_zero() {
        if cut.date().has_zero_part() {
            return Place::Unknown;
        }
        out = cx.env.conv.time_zone.local_to_utc(cut);
        let first = DateTime::new(1970, 1, 1, 0, 0, 1, 0);
        let last = DateTime::new(2038, 1, 19, 3, 14, 7, 999_999);
        if out < first {
            return Place::Below;
        }
        if out > last {
            return Place::Above;
        }
    }
    if cut == d { Place::At(Value::DateTime(out)) } else { Place::After(Value::DateTime(out)) }
}

impl Range {
    /// First key and end (exclusive; `None`: the index's).
    pub fn ends(&self) -> (Vec<u8>, Option<Vec<u8>>) {
        (start(self), end(self))
    }

    /// The whole index.
    pub const ALL: Range = Range { lower: Bound::Unbounded, upper: Bound::Unbounded, point: false };

    /// Borrowed form for a cursor.
    pub fn key_range(&self) -> storage::table::KeyRange<'_> {
        fn b(b: &Bound<Vec<u8>>) -> Bound<&[u8]> {
            match b {
                Bound::Included(k) => Bound::Included(k),
                Bound::Excluded(k) => Bound::Excluded(k),
                Bound::Unbounded => Bound::Unbounded,
            }
        }
        storage::table::KeyRange { lower: b(&self.lower), upper: b(&self.upper) }
    }
}

/// A prefix of an index's parts for HANDLER.
pub(crate) enum KeyPrefix {
    /// These values.
    At(Vec<u8>),
    /// Between this key and the next one of the index: the last value is none of the column's type.
    After(Vec<u8>),
    /// No key can be compared with the values.
    None,
}

/// Encodes the values of a prefix of an index's parts.
pub(crate) fn key_prefix(
    values: &[(value::OwnedValue, SqlType)],
    table: &Table,
    index: usize,
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<KeyPrefix> {
    let mut key = Vec::new();
    let (Some(ix), Some(enc)) = (table.def.indexes.get(index), table.key_encoder(index)) else {
        return Ok(KeyPrefix::None);
    };
    for (i, ((v, ty), part)) in values.iter().zip(&ix.parts).enumerate() {
        let Some(col) = table.def.columns.get(part.column as usize) else { return Ok(KeyPrefix::None) };
        let v = v.as_value().copy_into(arena);
        let (v, exact) = match place(v, ty, &col.ty, cx, arena) {
            Place::At(v) => (v, true),
            Place::After(v) => (v, false),
            Place::Null if col.ty.nullable => (Value::Null, true),
            _ => return Ok(KeyPrefix::None),
        };
        match enc.encode_part(i, v, &mut key) {
            Ok(()) => {}
            Err(storage::row::RowError::OutOfRange) => return Ok(KeyPrefix::None),
            Err(e) => return Err(StorageError::from(e).into()),
        }
        if !exact {
            return Ok(KeyPrefix::After(key));
        }
    }
    Ok(KeyPrefix::At(key))
}
