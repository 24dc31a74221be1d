//! information_schema: KEY_COLUMN_USAGE, TABLE_CONSTRAINTS, REFERENTIAL_CONSTRAINTS, CHECK_CONSTRAINTS. Read from the dictionary's
//! definitions; no locks. Tested in `tests/sql/golden/foreign_keys.sql` and `show.sql`.

use super::column_types::RULE;
use super::tables::{IS, hides_key, indexed_tables};
use super::{Hints, NULL, Row, SessionView, Spec, T, passes, s, u};
use crate::create::escaped;
use base::SqlResult;
use catalog::accounts::Privs;
use storage::dict::{FkAction, ForeignKeyDef, IndexKind, Relation, TableDef};
use value::{CollationId, OwnedValue};

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "KEY_COLUMN_USAGE",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), true),
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), true),
            ("ORDINAL_POSITION", T::Or(&T::UInt, "0"), false),
            ("POSITION_IN_UNIQUE_CONSTRAINT", T::UInt, true),
            ("REFERENCED_TABLE_SCHEMA", T::Bin(64), true),
            ("REFERENCED_TABLE_NAME", T::Bin(64), true),
            ("REFERENCED_COLUMN_NAME", T::Lower(64), true),
        ],
        rows: key_column_usage,
    },
    Spec {
        schema: IS,
        name: "TABLE_CONSTRAINTS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), true),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("CONSTRAINT_TYPE", T::Or(&T::Bin(11), ""), false),
            ("ENFORCED", T::Or(&T::Bin(3), ""), false),
        ],
        rows: table_constraints,
    },
    Spec {
        schema: IS,
        name: "REFERENTIAL_CONSTRAINTS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), true),
            ("UNIQUE_CONSTRAINT_CATALOG", T::Bin(64), false),
            ("UNIQUE_CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("UNIQUE_CONSTRAINT_NAME", T::Lower(64), true),
            ("MATCH_OPTION", T::Enum(&["NONE", "PARTIAL", "FULL"]), false),
            ("UPDATE_RULE", RULE, false),
            ("DELETE_RULE", RULE, false),
            ("TABLE_NAME", T::Bin(64), false),
            ("REFERENCED_TABLE_NAME", T::Bin(64), false),
        ],
        rows: referential_constraints,
    },
    Spec {
        schema: IS,
        name: "CHECK_CONSTRAINTS",
        columns: &[
            ("CONSTRAINT_CATALOG", T::Bin(64), false),
            ("CONSTRAINT_SCHEMA", T::Bin(64), false),
            ("CONSTRAINT_NAME", T::Lower(64), false),
            ("CHECK_CLAUSE", T::Text, false),
        ],
        rows: check_constraints,
    },
];

/// Hints on columns `schema` and `schema + 1` as hints on the columns of TABLES. CONSTRAINT_SCHEMA, column 1, is the table's schema too.
fn on_tables(hints: Hints<'_>, schema: u16) -> Vec<(u16, OwnedValue)> {
    let of = |c: u16| match c {
        1 => Some(1),
        c if c == schema || c == schema + 1 => Some(c + 1 - schema),
        _ => None,
    };
    hints.iter().filter_map(|(c, v)| Some((of(*c)?, v.clone()))).collect()
}

/// Foreign keys in the order in which MySQL shows them: that of its dictionary's index.
fn sorted(t: &TableDef) -> Vec<&ForeignKeyDef> {
    let mut keys: Vec<_> = t.foreign_keys.iter().collect();
    let order = CollationId::UTF8MB4_GENERAL_CI.get();
    keys.sort_by(|a, b| order.compare(a.name.as_bytes(), b.name.as_bytes()));
    keys
}

pub(super) fn key_column_usage(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for t in indexed_tables(v, &on_tables(hints, 4)) {
        let may = |column: &str| {
            let granted = v.account.privileges.on_column(&t.schema, &t.name, column);
            t.is_temporary() || !granted.and(Privs::COLUMN_ALL).is_none()
        };
        let row = |constraint: &str, column: &str, seq: usize| {
            let head = [s("def"), s(&t.schema), s(constraint), s("def"), s(&t.schema), s(&t.name), s(column)];
            let mut row = Vec::from(head);
            row.push(u(seq as u64 + 1));
            row
        };
        for i in t.indexes.iter().skip(usize::from(hides_key(v, &t))).filter(|i| i.unique()) {
            for (seq, p) in i.parts.iter().enumerate() {
                let Some(c) = t.columns.get(p.column as usize).filter(|c| !c.is_hidden() && may(&c.name)) else {
                    continue;
                };
                let mut row = row(&i.name, &c.name, seq);
                row.extend([NULL, NULL, NULL, NULL]);
                out.push(row);
            }
        }
        for k in sorted(&t) {
            for (seq, (c, parent)) in k.columns.iter().zip(&k.parent_columns).enumerate() {
                let Some(c) = t.columns.get(*c as usize).filter(|c| may(&c.name)) else { continue };
                let mut row = row(&k.name, &c.name, seq);
                row.extend([u(seq as u64 + 1), s(&k.parent.0), s(&k.parent.1), s(parent)]);
                out.push(row);
            }
        }
    }
    Ok(out)
}

pub(super) fn table_constraints(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for t in indexed_tables(v, &on_tables(hints, 3)) {
        let row = |name: &str, kind: &str, enforced: &str| {
            vec![s("def"), s(&t.schema), s(name), s(&t.schema), s(&t.name), s(kind), s(enforced)]
        };
        for i in t.indexes.iter().skip(usize::from(hides_key(v, &t))).filter(|i| i.unique()) {
            let kind = if i.kind == IndexKind::Primary { "PRIMARY KEY" } else { "UNIQUE" };
            out.push(row(&i.name, kind, "YES"));
        }
        for k in sorted(&t) {
            out.push(row(&k.name, "FOREIGN KEY", "YES"));
        }
        for c in &t.checks {
            out.push(row(&c.name, "CHECK", if c.enforced { "YES" } else { "NO" }));
        }
    }
    Ok(out)
}

fn rule(a: FkAction) -> &'static str {
    match a {
        FkAction::NoAction => "NO ACTION",
        FkAction::Restrict => "RESTRICT",
        FkAction::Cascade => "CASCADE",
        FkAction::SetNull => "SET NULL",
        FkAction::SetDefault => "SET DEFAULT",
    }
}

pub(super) fn referential_constraints(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    // CONSTRAINT_SCHEMA and TABLE_NAME are the child's
    let column = |c: u16| match c {
        1 => Some(1),
        9 => Some(2),
        _ => None,
    };
    let tables: Vec<(u16, OwnedValue)> = hints.iter().filter_map(|(c, v)| Some((column(*c)?, v.clone()))).collect();
    for t in indexed_tables(v, &tables) {
        for k in sorted(&t).into_iter().filter(|k| passes(hints, 2, &k.name)) {
            let parent = match v.engine.dict().relation(&k.parent.0, &k.parent.1) {
                Some(Relation::Table(p)) => Some(p),
                _ => None,
            };
            let unique = parent.and_then(|p| {
                let columns = p.positions(&k.parent_columns)?;
                let fits = |i: &&storage::dict::IndexDef| {
                    i.unique()
                        && i.parts.len() == columns.len()
                        && i.parts.iter().zip(&columns).all(|(p, c)| p.column == *c)
                };
                // one whose columns come first, before those of the primary key
                let begins = || {
                    let i = p.indexes.get(p.index_for_reference(&columns)?)?;
                    (i.unique() && i.parts.len() < columns.len()).then_some(i)
                };
                p.indexes.iter().find(fits).or_else(begins).map(|i| s(&i.name))
            });
            out.push(vec![
                s("def"),
                s(&t.schema),
                s(&k.name),
                s("def"),
                s(&k.parent.0),
                unique.unwrap_or(NULL),
                s("NONE"),
                s(rule(k.on_update)),
                s(rule(k.on_delete)),
                s(&t.name),
                s(&k.parent.1),
            ]);
        }
    }
    Ok(out)
}

pub(super) fn check_constraints(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |t: &TableDef, name: &str, expr: &str| vec![s("def"), s(&t.schema), s(name), s(escaped(expr))];
    let tables = indexed_tables(v, &[]);
    Ok(tables.iter().flat_map(|t| t.checks.iter().map(|c| row(t, &c.name, &c.expr))).collect())
}
