//! Multi-valued indexes: one entry for each element of an array (docs/decisions/0024-multi-valued-indexes.md).
//!
//! One part of such an index is a hidden column that holds a JSON array whose elements have the index's type already, sorted, each once
//! ([`crate::dict::ColumnDef::elements`]). A row has an entry for every element, `[parts with the element][clustered key]`; none for an
//! empty array, one with NULL where the column is NULL. For locks, undo, purge and old snapshots each is an entry like any other
//! ([`super::secondary`]): it is wanted as long as a version of the row that somebody may see has its element. What changes between two
//! versions of a row is found by comparing the two sets of keys ([`super::write::Entries`]).
//!
//! A row may be met once for each element, or not at all, so a cursor is of use only on ranges in which the element is fixed. Entries have no
//! payload but the system bytes, and no read is an index-only one.
//!
//! Tested: `engine/tests/multi.rs`, `engine/tests/crash.rs` (with arrays), `tests/sql/test_multi_valued.py`.
//! Pure code. Tests: `engine/tests/multi.rs`, the crash test of `engine/tests/crash.rs`.

use crate::error::Result;
use crate::row::RowError;
use crate::table::Table;
use std::cmp::Ordering;
use value::Value;
use value::json::{Kind, Ref};

type Done<R> = std::result::Result<R, RowError>;

/// Calls `f` with the value of an element.
fn with_element<R>(e: Ref<'_>, f: &mut dyn FnMut(Value<'_>) -> Done<R>) -> Done<R> {
    match e.kind() {
        Kind::Int(n) => f(Value::Int(n)),
        Kind::UInt(n) => f(Value::UInt(n)),
        Kind::Decimal(d) => f(Value::Decimal(&d)),
        Kind::Str(s) | Kind::Opaque(_, s) => f(Value::Str(s)),
        Kind::Date(d) => f(Value::Date(d)),
        Kind::Time(t) => f(Value::Time(t)),
        Kind::DateTime(d) => f(Value::DateTime(d)),
        Kind::Null | Kind::Bool(_) | Kind::Double(_) | Kind::Array | Kind::Object => Err(RowError::WrongType),
    }
}

/// The array in the column; `None`: NULL.
fn array_of(v: Value<'_>) -> Done<Option<Ref<'_>>> {
    match v {
        Value::Null => Ok(None),
        Value::Json(doc) => Some(Ref::trusted(doc)).filter(|d| d.is_array()).map(Some).ok_or(RowError::WrongType),
        _ => Err(RowError::WrongType),
    }
}

/// What all entries of a row share, and its array.
struct Around<'v> {
    head: Vec<u8>,
    tail: Vec<u8>,
    array: Option<Ref<'v>>,
}

impl Table {
    fn around<'v>(&self, n: usize, value: &dyn Fn(u16) -> Result<Value<'v>>) -> Result<Around<'v>> {
        let info = self.index(n)?;
        let at = info.array.unwrap_or(0);
        let mut a = Around { head: Vec::new(), tail: Vec::new(), array: None };
        for (i, &c) in info.columns.iter().enumerate() {
            let v = value(c)?;
            match i.cmp(&at) {
                Ordering::Less => info.encoder.encode_part(i, v, &mut a.head),
                Ordering::Equal => array_of(v).map(|d| a.array = d),
                Ordering::Greater => info.encoder.encode_part(i, v, &mut a.tail),
            }
            .map_err(|e| self.bad(e))?;
        }
        Ok(a)
    }

    /// Keys of all entries that a row has in multi-valued index `n`: sorted, each once.
    pub(crate) fn element_keys(&self, n: usize, row: &[Value<'_>], clustered: &[u8]) -> Result<Vec<Vec<u8>>> {
        let info = self.index(n)?;
        let at = info.array.unwrap_or(0);
        let around = self.around(n, &|c| Ok(row.get(c as usize).copied().unwrap_or_default()))?;
        let mut out = Vec::with_capacity(around.array.map_or(1, Ref::len));
        let mut push = |v: Value<'_>| {
            let mut key = around.head.clone();
            info.encoder.encode_part(at, v, &mut key)?;
            key.extend_from_slice(&around.tail);
            key.extend_from_slice(clustered);
            out.push(key);
            Ok(())
        };
        match around.array {
            None => push(Value::Null),
            Some(a) => a.elements().try_for_each(|e| with_element(e, &mut push)),
        }
        .map_err(|e| self.bad(e))?;
        out.sort_unstable();
        out.dedup();
        Ok(out)
    }

    /// Whether `parts` are those of one of the row's entries in multi-valued index `n`. Elements are in the order of their keys, so this looks
    /// at a few of them only: it is asked for each entry of a row.
    pub(crate) fn has_element<'v>(
        &self,
        n: usize,
        value: &dyn Fn(u16) -> Result<Value<'v>>,
        parts: &[u8],
    ) -> Result<bool> {
        let info = self.index(n)?;
        let at = info.array.unwrap_or(0);
        let around = self.around(n, value)?;
        let element = parts.strip_prefix(around.head.as_slice()).and_then(|p| p.strip_suffix(around.tail.as_slice()));
        let Some(element) = element else { return Ok(false) };
        let mut key = Vec::with_capacity(element.len());
        let mut order = |v: Value<'_>| {
            key.clear();
            info.encoder.encode_part(at, v, &mut key)?;
            Ok(key.as_slice().cmp(element))
        };
        let Some(array) = around.array else {
            return order(Value::Null).map(Ordering::is_eq).map_err(|e| self.bad(e));
        };
        let (mut low, mut high) = (0, array.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(e) = array.element(middle) else { return Err(self.bad(RowError::Corrupt)) };
            match with_element(e, &mut order).map_err(|e| self.bad(e))? {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(true),
            }
        }
        Ok(false)
    }
}
