//! JSON_TABLE: rows from a document.
//!
//! The row path finds the values that rows are made of. A NESTED PATH gives a row for each value it finds, joined to its outer row;
//! sibling nested paths do so one after the other, the columns of the others being NULL; where none finds anything, the outer
//! row stands alone.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::plan::{JsonCell, JsonDefault, JsonLevel, JsonTable};
use value::json::{Dom, Ref, convert as conv};
use value::{SqlType, TypeKind, Value};

use crate::eval::Cx;
use crate::eval::eval;
use crate::eval::json::{document_of, single};
use crate::rows::tuple;

struct Fill<'o> {
    bytes: &'o mut Vec<u8>,
    ends: &'o mut Vec<usize>,
    types: &'o [(String, SqlType)],
}

/// Appends the rows as tuples; no row for NULL. Errors 3141, 3146 (no JSON), and those of the columns.
pub(super) fn fill(t: &JsonTable, bytes: &mut Vec<u8>, ends: &mut Vec<usize>, cx: &mut Cx<'_>) -> SqlResult<()> {
    let arena = Bump::new();
    let v = eval(&t.doc, cx, &arena)?;
    let Some(d) = document_of(v, &t.doc.ty, 0, "json_table", &arena)? else { return Ok(()) };
    let mut row = vec![Value::Null; t.columns.len()];
    let mut f = Fill { bytes, ends, types: &t.columns };
    f.level(&t.root, Ref::trusted(d), &mut row, cx, &arena)?;
    Ok(())
}

impl Fill<'_> {
    /// Rows of one level below `from`; how many there were.
    fn level<'a>(
        &mut self,
        l: &'a JsonLevel,
        from: Ref<'a>,
        row: &mut Vec<Value<'a>>,
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<usize> {
        let mut found = Vec::new();
        from.find(&l.path, false, &mut found)?;
        for (n, r) in found.iter().enumerate() {
            cx.tick()?;
            for (i, cell) in &l.cells {
                let Some((name, ty)) = self.types.get(*i as usize) else { continue };
                let v = match cell {
                    JsonCell::Ordinality => Value::UInt(n as u64 + 1),
                    JsonCell::Exists(p) => {
                        let exists = r.at(p).is_some();
                        convert(&Dom::Int(i64::from(exists)), name, ty, cx, arena)?
                    }
                    JsonCell::Value(p, empty, error) => {
                        cell_value(*r, p, (empty, error), (name.as_str(), ty), cx, arena)?
                    }
                };
                if let Some(to) = row.get_mut(*i as usize) {
                    *to = v;
                }
            }
            let mut nested = 0;
            for inner in &l.nested {
                nested += self.level(inner, *r, row, cx, arena)?;
                clear(inner, row);
            }
            if nested == 0 {
                let before = self.bytes.len();
                tuple::encode(row, self.bytes);
                self.ends.push(self.bytes.len());
                cx.keep(self.bytes.len() - before)?;
            }
        }
        clear(l, row);
        Ok(found.len())
    }
}

/// Sets the columns of a level and of those nested in it to NULL.
fn clear(l: &JsonLevel, row: &mut [Value<'_>]) {
    for (i, _) in &l.cells {
        if let Some(to) = row.get_mut(*i as usize) {
            *to = Value::Null;
        }
    }
    l.nested.iter().for_each(|n| clear(n, row));
}

fn convert<'a>(d: &Dom<'_>, name: &str, ty: &SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match conv::to_value(d, arena)? {
        Value::Json(d) => single::coerce(Ref::trusted(d), ty, name, true, cx, arena),
        v => Ok(v),
    }
}

fn cell_value<'a>(
    r: Ref<'a>,
    path: &value::json::Path,
    (empty, error): (&'a JsonDefault, &'a JsonDefault),
    (name, ty): (&str, &SqlType),
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let mut found = Vec::new();
    r.find(path, false, &mut found)?;
    let default = |d: &'a [u8], cx: &mut Cx<'_>| single::coerce(Ref::trusted(d), ty, name, true, cx, arena);
    let got = match found.as_slice() {
        [] => {
            return match empty {
                JsonDefault::Null => Ok(Value::Null),
                JsonDefault::Error => Err(SqlError::new(ErrorCode::MISSING_JSON_TABLE_VALUE, &[&name])),
                JsonDefault::Value(d) => default(d, cx),
            };
        }
        [one] => single::coerce(*one, ty, name, true, cx, arena),
        several if ty.kind == TypeKind::Json => {
            conv::to_value(&Dom::Array(several.iter().map(|r| Dom::Part(*r)).collect()), arena)
        }
        _ => Err(SqlError::new(ErrorCode::WRONG_JSON_TABLE_VALUE, &[&name])),
    };
    match (got, error) {
        (Ok(v), _) => Ok(v),
        (Err(e), JsonDefault::Error) => Err(e),
        (Err(_), JsonDefault::Null) => Ok(Value::Null),
        (Err(_), JsonDefault::Value(d)) => default(d, cx),
    }
}
