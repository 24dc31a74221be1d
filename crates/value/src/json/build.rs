//! [`Dom`], a JSON value that is built or changed, and its encoding.

use std::borrow::Cow;

use base::{ErrorCode, SqlError, SqlResult};

use super::doc::{self, Kind, Ref, Wide};
use crate::decimal::{Decimal, encode_binary};
use crate::temporal::{Date, DateTime, Time};

/// A tree; borrowed strings and [`Dom::Part`] point into documents or texts that outlive it.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Dom<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    Decimal(Decimal),
    /// UTF-8.
    Str(Cow<'a, [u8]>),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    /// MySQL's type number and raw bytes.
    Opaque(u8, Cow<'a, [u8]>),
    Array(Vec<Dom<'a>>),
    /// Sorted by key; made with [`Dom::object`] or [`Dom::put`].
    Object(Vec<(Cow<'a, [u8]>, Dom<'a>)>),
    /// A value of an encoded document, not taken apart.
    Part(Ref<'a>),
}

/// A document of another server's without the gaps that it may have; `None`: it is none.
pub fn without_gaps(document: &[u8]) -> Option<Vec<u8>> {
    let mut root = Dom::Part(Ref::open_loose(document).ok()?);
    root.expand_all();
    let mut out = Vec::with_capacity(document.len());
    root.encode(&mut out).ok()?;
    Some(out)
}

impl<'a> Dom<'a> {
    /// Takes all levels apart.
    fn expand_all(&mut self) {
        self.expand();
        match self {
            Dom::Array(v) => v.iter_mut().for_each(Dom::expand_all),
            Dom::Object(v) => v.iter_mut().for_each(|m| m.1.expand_all()),
            _ => {}
        }
    }

    /// A string.
    pub fn str(s: &'a [u8]) -> Dom<'a> {
        Dom::Str(Cow::Borrowed(s))
    }

    /// An object of members in any order; of equal keys the last one counts.
    pub fn object(mut members: Vec<(Cow<'a, [u8]>, Dom<'a>)>) -> Dom<'a> {
        if !members.is_sorted_by(|a, b| super::order::compare_keys(&a.0, &b.0).is_lt()) {
            members.sort_by(|a, b| super::order::compare_keys(&a.0, &b.0));
            // stable: the last of equal keys is the last in the run
            members.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    std::mem::swap(later, kept);
                }
                same
            });
        }
        Dom::Object(members)
    }

    /// Takes one level of a container apart.
    pub fn expand(&mut self) {
        let Dom::Part(r) = *self else { return };
        *self = match r.kind() {
            Kind::Array => Dom::Array(r.elements().map(Dom::Part).collect()),
            Kind::Object => Dom::Object(r.members().map(|(k, v)| (Cow::Borrowed(k), Dom::Part(v))).collect()),
            Kind::Null => Dom::Null,
            Kind::Bool(b) => Dom::Bool(b),
            Kind::Int(n) => Dom::Int(n),
            Kind::UInt(n) => Dom::UInt(n),
            Kind::Double(f) => Dom::Double(f),
            Kind::Decimal(d) => Dom::Decimal(d),
            Kind::Str(s) => Dom::str(s),
            Kind::Date(d) => Dom::Date(d),
            Kind::Time(t) => Dom::Time(t),
            Kind::DateTime(d) => Dom::DateTime(d),
            Kind::Opaque(t, b) => Dom::Opaque(t, Cow::Borrowed(b)),
        };
    }

    /// Whether this is an array.
    pub fn is_array(&self) -> bool {
        match self {
            Dom::Array(_) => true,
            Dom::Part(r) => r.is_array(),
            _ => false,
        }
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        match self {
            Dom::Object(_) => true,
            Dom::Part(r) => r.is_object(),
            _ => false,
        }
    }

    /// Whether this is the null literal.
    pub fn is_null(&self) -> bool {
        match self {
            Dom::Null => true,
            Dom::Part(r) => r.is_null(),
            _ => false,
        }
    }

    /// The elements, if it is an array.
    pub fn elements_mut(&mut self) -> Option<&mut Vec<Dom<'a>>> {
        self.expand();
        if let Dom::Array(v) = self { Some(v) } else { None }
    }

    /// The members, if it is an object.
    pub fn members_mut(&mut self) -> Option<&mut Vec<(Cow<'a, [u8]>, Dom<'a>)>> {
        self.expand();
        if let Dom::Object(v) = self { Some(v) } else { None }
    }

    /// Sets a member of an object (does nothing to another value).
    pub fn put(&mut self, key: Cow<'a, [u8]>, value: Dom<'a>) {
        let Some(m) = self.members_mut() else { return };
        match m.binary_search_by(|(k, _)| super::order::compare_keys(k, &key)) {
            Ok(i) => {
                if let Some(slot) = m.get_mut(i) {
                    slot.1 = value;
                }
            }
            Err(i) => m.insert(i, (key, value)),
        }
    }

    /// Levels of nesting.
    pub fn depth(&self) -> usize {
        match self {
            Dom::Array(v) => 1 + v.iter().map(Dom::depth).max().unwrap_or(0),
            Dom::Object(v) => 1 + v.iter().map(|m| m.1.depth()).max().unwrap_or(0),
            Dom::Part(r) => r.depth(),
            _ => 1,
        }
    }

    /// Appends the document. Errors: 3157 (nested too deep), 3151 (key too long), 3150 (too big).
    pub fn encode(&self, out: &mut Vec<u8>) -> SqlResult<()> {
        let mut plan = Vec::new();
        measure(self, 1, &mut plan)?;
        out.push(type_of(self, &mut plan.iter()));
        write(self, &mut plan.iter(), out);
        Ok(())
    }

    /// The document.
    pub fn to_document(&self) -> SqlResult<Vec<u8>> {
        let mut out = Vec::with_capacity(64);
        self.encode(&mut out)?;
        Ok(out)
    }
}

/// Size and width of one container, in the order they are visited.
struct Measure {
    size: usize,
    wide: bool,
}

pub(super) fn too_big() -> SqlError {
    SqlError::new(ErrorCode::JSON_VALUE_TOO_BIG, &[])
}

fn too_deep() -> SqlError {
    SqlError::new(ErrorCode::JSON_DOCUMENT_TOO_DEEP, &[])
}

/// Bytes of a value outside its entry; containers are noted in `plan`.
fn measure(d: &Dom<'_>, depth: usize, plan: &mut Vec<Measure>) -> SqlResult<usize> {
    base::interrupt::worked(32)?;
    let (n, object) = match d {
        Dom::Array(v) => (v.len(), false),
        Dom::Object(v) => (v.len(), true),
        Dom::Part(r) if !r.is_scalar() => {
            if depth + r.depth() - 1 > super::MAX_DEPTH {
                return Err(too_deep());
            }
            return Ok(r.data.len());
        }
        d => return Ok(scalar_size(d)),
    };
    if depth > super::MAX_DEPTH {
        return Err(too_deep());
    }
    let at = plan.len();
    plan.push(Measure { size: 0, wide: false });
    // bytes that are there in both widths; scalars that only large containers inline
    let (mut fixed, mut only_small) = (0usize, 0usize);
    let mut child = |c: &Dom<'_>, plan: &mut Vec<Measure>| -> SqlResult<()> {
        let size = measure(c, depth + 1, plan)?;
        match scalar_type(c) {
            Some(t) if Wide(false).inlines(t) => {}
            Some(t) if Wide(true).inlines(t) => only_small += size,
            _ => fixed += size,
        }
        Ok(())
    };
    match d {
        Dom::Array(v) => v.iter().try_for_each(|c| child(c, plan))?,
        Dom::Object(v) => v.iter().try_for_each(|m| child(&m.1, plan))?,
        _ => {}
    }
    if let Dom::Object(v) = d {
        for (k, _) in v {
            if k.len() > super::MAX_KEY {
                return Err(SqlError::new(ErrorCode::JSON_KEY_TOO_BIG, &[]));
            }
            fixed += k.len();
        }
    }
    let header = |w: usize| 2 * w + n * (1 + w + if object { w + 2 } else { 0 });
    let small = header(2) + fixed + only_small;
    let m = if small <= u16::MAX as usize && n <= u16::MAX as usize {
        Measure { size: small, wide: false }
    } else {
        Measure { size: header(4) + fixed, wide: true }
    };
    if m.size > (u32::MAX / 2) as usize {
        return Err(too_big());
    }
    let size = m.size;
    if let Some(slot) = plan.get_mut(at) {
        *slot = m;
    }
    Ok(size)
}

fn int_type(n: i64) -> u8 {
    if i16::try_from(n).is_ok() {
        doc::INT16
    } else if i32::try_from(n).is_ok() {
        doc::INT32
    } else {
        doc::INT64
    }
}

fn uint_type(n: u64) -> u8 {
    if u16::try_from(n).is_ok() {
        doc::UINT16
    } else if u32::try_from(n).is_ok() {
        doc::UINT32
    } else {
        doc::UINT64
    }
}

/// Type of a scalar; `None` for containers.
fn scalar_type(d: &Dom<'_>) -> Option<u8> {
    Some(match d {
        Dom::Null | Dom::Bool(_) => doc::LITERAL,
        Dom::Int(n) => int_type(*n),
        Dom::UInt(n) => uint_type(*n),
        Dom::Double(_) => doc::DOUBLE,
        Dom::Str(_) => doc::STRING,
        Dom::Decimal(_) | Dom::Date(_) | Dom::Time(_) | Dom::DateTime(_) | Dom::Opaque(..) => doc::OPAQUE,
        Dom::Part(r) if r.is_scalar() => r.ty,
        Dom::Part(_) | Dom::Array(_) | Dom::Object(_) => return None,
    })
}

fn var_size(n: usize) -> usize {
    (1..5).find(|k| n >> (7 * k) == 0).unwrap_or(5)
}

fn scalar_size(d: &Dom<'_>) -> usize {
    match d {
        Dom::Null | Dom::Bool(_) => 1,
        Dom::Int(_) | Dom::UInt(_) => match scalar_type(d) {
            Some(doc::INT16 | doc::UINT16) => 2,
            Some(doc::INT32 | doc::UINT32) => 4,
            _ => 8,
        },
        Dom::Double(_) => 8,
        Dom::Str(s) => var_size(s.len()) + s.len(),
        Dom::Date(_) | Dom::Time(_) | Dom::DateTime(_) => 10,
        Dom::Decimal(d) => {
            let n = 2 + crate::decimal::binary_size(precision(d), d.scale());
            1 + var_size(n) + n
        }
        Dom::Opaque(_, b) => 1 + var_size(b.len()) + b.len(),
        Dom::Part(r) => r.data.len(),
        Dom::Array(_) | Dom::Object(_) => 0,
    }
}

fn precision(d: &Decimal) -> u8 {
    d.precision().max(d.scale()).min(crate::decimal::MAX_PRECISION)
}

fn type_of<'m>(d: &Dom<'_>, plan: &mut (impl Iterator<Item = &'m Measure> + Clone)) -> u8 {
    let wide = |p: &mut dyn Iterator<Item = &'m Measure>| p.next().is_some_and(|m| m.wide);
    match d {
        Dom::Array(_) => doc::SMALL_ARRAY + u8::from(wide(&mut plan.clone())),
        Dom::Object(_) => doc::SMALL_OBJECT + u8::from(wide(&mut plan.clone())),
        Dom::Part(r) => r.ty,
        d => scalar_type(d).unwrap_or(doc::LITERAL),
    }
}

pub(super) fn put_var(mut n: usize, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends a scalar and returns its type.
pub(super) fn write_scalar(d: &Dom<'_>, out: &mut Vec<u8>) -> u8 {
    write(d, &mut [].iter(), out);
    scalar_type(d).unwrap_or(doc::LITERAL)
}

/// Appends a value (not its type).
fn write<'m>(d: &Dom<'_>, plan: &mut (impl Iterator<Item = &'m Measure> + Clone), out: &mut Vec<u8>) {
    let opaque8 = |ty: u8, v: u64, out: &mut Vec<u8>| {
        out.extend_from_slice(&[ty, 8]);
        out.extend_from_slice(&v.to_le_bytes());
    };
    match d {
        Dom::Null => out.push(0),
        Dom::Bool(b) => out.push(if *b { 1 } else { 2 }),
        Dom::Int(n) => out.extend(n.to_le_bytes().iter().take(scalar_size(d))),
        Dom::UInt(n) => out.extend(n.to_le_bytes().iter().take(scalar_size(d))),
        Dom::Double(f) => out.extend_from_slice(&f.to_le_bytes()),
        Dom::Str(s) => {
            put_var(s.len(), out);
            out.extend_from_slice(s);
        }
        Dom::Date(v) => opaque8(doc::TYPE_DATE, v.to_datetime().0, out),
        Dom::Time(v) => opaque8(doc::TYPE_TIME, v.0 as u64, out),
        Dom::DateTime(v) => opaque8(doc::TYPE_DATETIME, v.0, out),
        Dom::Decimal(v) => {
            let (p, s) = (precision(v), v.scale());
            out.push(doc::TYPE_DECIMAL);
            put_var(2 + crate::decimal::binary_size(p, s), out);
            out.extend_from_slice(&[p, s]);
            if let Err(limit) = encode_binary(v, p, s, out) {
                let _ = encode_binary(&limit, p, s, out);
            }
        }
        Dom::Opaque(t, b) => {
            out.push(*t);
            put_var(b.len(), out);
            out.extend_from_slice(b);
        }
        Dom::Part(r) => out.extend_from_slice(r.data),
        Dom::Array(v) => {
            let Some(m) = plan.next() else { return };
            write_container(m, &[], v.iter(), v.len(), plan, out);
        }
        Dom::Object(v) => {
            let Some(m) = plan.next() else { return };
            let keys: Vec<&[u8]> = v.iter().map(|m| m.0.as_ref()).collect();
            write_container(m, &keys, v.iter().map(|m| &m.1), v.len(), plan, out);
        }
    }
}

fn set(out: &mut [u8], at: usize, v: usize, bytes: usize) {
    if let (Some(to), Some(from)) = (out.get_mut(at..at + bytes), v.to_le_bytes().get(..bytes)) {
        to.copy_from_slice(from);
    }
}

fn write_container<'d, 'x: 'd, 'm>(
    m: &Measure,
    keys: &[&[u8]],
    values: impl Iterator<Item = &'d Dom<'x>>,
    n: usize,
    plan: &mut (impl Iterator<Item = &'m Measure> + Clone),
    out: &mut Vec<u8>,
) {
    let wide = Wide(m.wide);
    let w = wide.bytes();
    let start = out.len();
    let key_entries = keys.len() * (w + 2);
    out.resize(start + 2 * w + key_entries + n * (1 + w), 0);
    set(out, start, n, w);
    set(out, start + w, m.size, w);
    for (i, k) in keys.iter().enumerate() {
        let (at, entry) = (out.len() - start, start + 2 * w + i * (w + 2));
        set(out, entry, at, w);
        set(out, entry + w, k.len(), 2);
        out.extend_from_slice(k);
    }
    for (i, v) in values.enumerate() {
        let entry = start + 2 * w + key_entries + i * (1 + w);
        let ty = type_of(v, plan);
        set(out, entry, ty as usize, 1);
        let at = out.len();
        if wide.inlines(ty) {
            write(v, plan, out);
            let inlined = out.get(at..).map_or(0, |b| b.iter().rev().fold(0usize, |n, x| n << 8 | usize::from(*x)));
            out.truncate(at);
            set(out, entry + 1, inlined, w);
        } else {
            set(out, entry + 1, at - start, w);
            write(v, plan, out);
        }
    }
}
