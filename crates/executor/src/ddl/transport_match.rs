//! Whether the definition that comes with an imported tablespace is the table's: MySQL's texts for the first
//! difference.
//!
//! Rows are bytes in the order of the columns and by their types, so those must be the same: count, names, places,
//! types with length, character set and NULL, members of ENUM and SET, expressions of generated columns. Indexes are
//! built anew; they must be the same in names and columns because somebody who finds them different has taken the
//! wrong file. That one is UNIQUE here and not there is no difference, as in MySQL: building it finds duplicates.
//! Defaults, comments, visibility, foreign keys, checks, full-text indexes and options are no part of rows. Pure
//! code; tested below.

use storage::dict::{ColumnDef, IndexDef, TableDef};
use value::SqlType;

/// InnoDB's own columns, which MySQL's text counts.
const SYSTEM_COLUMNS: usize = 3;

/// The first difference of the table (`own`) from what the file has.
pub(super) fn mismatch(own: &TableDef, file: &TableDef) -> Option<String> {
    columns(own, file).or_else(|| indexes(own, file))
}

fn columns(own: &TableDef, file: &TableDef) -> Option<String> {
    let (here, there) = (own.columns.len() + SYSTEM_COLUMNS, file.columns.len() + SYSTEM_COLUMNS);
    if here != there {
        return Some(format!(
            "Number of columns don't match, table has {here} columns but the tablespace meta-data file has {there} columns"
        ));
    }
    own.columns.iter().enumerate().find_map(|(n, c)| {
        let Some(at) = file.columns.iter().position(|f| f.name == c.name) else {
            return Some(format!("Column {} not found in tablespace.", c.name));
        };
        if at != n {
            return Some(format!(
                "Column {} ordinal value mismatch, it's at {n} in the table and {at} in the tablespace meta-data file",
                c.name
            ));
        }
        let what = column(c, file.columns.get(at)?)?;
        Some(format!("Column {} {what} mismatch.", c.name))
    })
}

fn column(own: &ColumnDef, file: &ColumnDef) -> Option<&'static str> {
    let ty = |a: &SqlType, b: &SqlType| {
        // how a number is shown is no matter of rows
        let shown = a.kind.is_integer();
        let mut same = b.clone();
        same.zerofill = a.zerofill;
        if shown {
            same.length = a.length;
        }
        if same == *a {
            return None;
        }
        same.length = a.length;
        if same == *a {
            return Some("length");
        }
        same.members.clone_from(&a.members);
        Some(if same == *a { "ENUM or SET members" } else { "precise type" })
    };
    if let Some(what) = ty(&own.ty, &file.ty) {
        return Some(what);
    }
    match (&own.elements, &file.elements) {
        (None, None) => {}
        (Some(a), Some(b)) if ty(a, b).is_none() => {}
        _ => return Some("array element type"),
    }
    (own.generated != file.generated).then_some("generation expression")
}

fn indexes(own: &TableDef, file: &TableDef) -> Option<String> {
    let (here, there) = (own.indexes.len(), file.indexes.len());
    if here != there {
        return Some(format!(
            "Number of indexes don't match, table has {here} indexes but the tablespace meta-data file has {there} indexes"
        ));
    }
    own.indexes.iter().enumerate().find_map(|(n, i)| {
        let found = file.indexes.iter().position(|f| f.name == i.name);
        let Some(f) = found.filter(|at| (*at == 0) == (n == 0)).and_then(|at| file.indexes.get(at)) else {
            return Some(format!("Index {} not found in tablespace meta-data file.", i.name));
        };
        index(own, i, f)
    })
}

fn index(own: &TableDef, i: &IndexDef, f: &IndexDef) -> Option<String> {
    let (here, there) = (i.parts.len(), f.parts.len());
    if here != there {
        return Some(format!("Index field count {here} doesn't match tablespace metadata file value {there}"));
    }
    i.parts.iter().zip(&f.parts).find_map(|(p, q)| {
        let name = own.columns.get(usize::from(p.column)).map_or("", |c| c.name.as_str());
        let order = |desc| if desc { "descending" } else { "ascending" };
        if p.column != q.column {
            return Some(format!("Index {} field {name} doesn't match the tablespace metadata file", i.name));
        }
        if p.prefix != q.prefix {
            return Some(format!(
                "Index {} field {name} prefix len {} doesn't match metadata file value {}",
                i.name, p.prefix, q.prefix
            ));
        }
        (p.desc != q.desc).then(|| {
            let (a, b) = (order(p.desc), order(q.desc));
            format!("Index {} field {name} is {a} which does not match metadata file which is {b}", i.name)
        })
    })
}
