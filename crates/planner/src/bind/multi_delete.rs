//! Targets of a multiple-table DELETE: found among the names of its FROM clause before any table is opened (1109, 1066), as written: table
//! names and aliases are compared with their case.
//!
//! Tested: `tests/sql/golden/dml.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{self, TableRef};

/// A table of a FROM clause.
struct Listed<'a> {
    schema: Option<&'a str>,
    name: &'a str,
    /// It goes by an alias, or has no schema.
    alias: bool,
}

fn list<'a>(from: &[TableRef<'a>], out: &mut Vec<Listed<'a>>) {
    let alias = |name| Listed { schema: None, name, alias: true };
    for t in from {
        match t {
            TableRef::Table(f) => out.push(match f.alias {
                Some(a) => alias(a),
                None => Listed { schema: f.name.schema, name: f.name.name, alias: false },
            }),
            TableRef::Derived(d) => out.push(alias(d.alias)),
            TableRef::JsonTable(j) => out.push(alias(j.alias)),
            TableRef::Join(j) => list(&[j.left, j.right], out),
            TableRef::Paren(inner) => list(inner, out),
        }
    }
}

/// The targets as the tables' scope has them: the schema of those without alias, and the name. 1066 for one named twice, 1109 for one that
/// FROM does not have. `default`: the session's schema.
pub(super) fn targets(
    targets: &[ast::TableName<'_>],
    from: &[TableRef<'_>],
    default: Option<&str>,
) -> SqlResult<Vec<(Option<String>, String)>> {
    for (n, t) in targets.iter().enumerate() {
        let same = |o: &ast::TableName<'_>| o.name == t.name && o.schema.or(default) == t.schema.or(default);
        if targets.iter().take(n).any(same) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&t.name]));
        }
    }
    let mut have = Vec::new();
    list(from, &mut have);
    let mut out = Vec::with_capacity(targets.len());
    for t in targets {
        let found = have.iter().find(|h| {
            h.name == t.name && if h.alias { t.schema.is_none() } else { h.schema.or(default) == t.schema.or(default) }
        });
        let Some(h) = found else {
            return Err(SqlError::new(ErrorCode::UNKNOWN_TABLE, &[&t.name, &"MULTI DELETE"]));
        };
        let schema = if h.alias { None } else { t.schema.or(default).map(str::to_owned) };
        out.push((schema, t.name.to_owned()));
    }
    Ok(out)
}
