//! JSON_ARRAYAGG and JSON_OBJECTAGG: the documents of a group are kept and put together at its end.

use std::borrow::Cow;

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::{AggCall, AggFunc};
use value::Value;
use value::json::{Dom, Ref, convert as conv};

use crate::eval::Cx;
use crate::eval::json::key;

/// Keys (JSON_OBJECTAGG) and documents in the order of the rows.
#[derive(Default)]
pub(super) struct JsonAcc {
    keys: Vec<Box<[u8]>>,
    documents: Vec<Box<[u8]>>,
}

impl JsonAcc {
    /// Adds a row; the bytes kept. Error 3158 for a key that is NULL.
    pub(super) fn add(&mut self, a: &AggCall, values: &[Value<'_>], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<usize> {
        let mut size = 48;
        let types = a.args.iter().map(|e| &e.ty);
        let mut pairs = values.iter().zip(types);
        if a.func == AggFunc::JsonObjectagg
            && let Some((k, ty)) = pairs.next()
        {
            let k = key(k.copy_into(arena), ty, arena)?;
            size += k.len();
            self.keys.push(k.as_ref().into());
        }
        if let Some((v, ty)) = pairs.next() {
            let d = conv::from_sql(*v, ty)?.to_document()?;
            size += d.len();
            self.documents.push(d.into());
        }
        cx.keep(size)?;
        Ok(size)
    }

    /// The document; NULL for no rows.
    pub(super) fn finish<'a>(&mut self, a: &AggCall, arena: &'a Bump) -> SqlResult<Value<'a>> {
        if self.documents.is_empty() {
            return Ok(Value::Null);
        }
        let parts = self.documents.iter().map(|d| Dom::Part(Ref::trusted(d)));
        let d = match a.func {
            AggFunc::JsonObjectagg => Dom::object(self.keys.iter().map(|k| Cow::Borrowed(&**k)).zip(parts).collect()),
            _ => Dom::Array(parts.collect()),
        };
        conv::to_value(&d, arena)
    }
}
