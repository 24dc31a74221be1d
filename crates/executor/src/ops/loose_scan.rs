//! Loose index scan: reading only the first row of each group of an index (manual, "GROUP BY Optimization").
//!
//! Tested: `tests/sql/golden/loose_scan.sql`.

use std::ops::Bound;

use base::SqlResult;
use bumpalo::Bump;
use planner::plan::Scan;
use storage::StorageError;
use storage::table::{Row, Table};

use super::ranges::Range;

/// Narrows the range of a loose index scan to what lies behind the group of this row.
pub(super) fn skip(s: &Scan, t: &Table, row: &Row<'_>, arena: &Bump, range: &mut Range) -> SqlResult<()> {
    let index = s.index as usize;
    let (Some(ix), Some(enc)) = (t.def.indexes.get(index), t.key_encoder(index)) else { return Ok(()) };
    let mut group = Vec::with_capacity(32);
    for (i, p) in ix.parts.iter().take(s.loose as usize).enumerate() {
        let v = row.column(p.column as usize, arena)?;
        enc.encode_part(i, v, &mut group).map_err(StorageError::from)?;
    }
    if s.reverse {
        range.upper = Bound::Excluded(group);
    } else {
        range.lower = Bound::Excluded(group);
    }
    Ok(())
}
