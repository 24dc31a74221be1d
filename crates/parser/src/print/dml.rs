//! INSERT, REPLACE, UPDATE and DELETE as EXPLAIN's note shows them.
//!
//! Names whose meaning nobody noted (columns that INSERT fills) are those of the table that is changed. Tested in `tests/sql/golden/explain.sql`.

use super::{Name, Printer, Resolution, Style};
use crate::ast::*;

/// The canonical text of a statement that changes rows; `None` for others. `schema`: where tables are that were named without.
pub fn dml(s: &Statement<'_>, names: &Resolution, schema: &str) -> Option<String> {
    let mut p = Printer::new(names, Style { select_ids: true, ..Style::default() });
    match s {
        Statement::Insert(i) => p.insert(i, schema),
        Statement::Update(u) => p.update(u),
        Statement::Delete(d) => p.delete(d, schema),
        _ => return None,
    }
    Some(p.out)
}

impl Printer<'_, '_> {
    fn changed_hints(&mut self, hints: Option<&[u8]>) {
        if let Some(h) = hints {
            self.put("/*+ ");
            self.put(String::from_utf8_lossy(h).trim());
            self.put(" */ ");
        }
    }

    fn target(&mut self, t: &TableName<'_>, schema: &str, column: Option<&str>) {
        let own = t.schema.unwrap_or(schema);
        let name = |column: &str, table| Name { schema: Some(own.to_owned()), table, column: column.to_owned() };
        match column {
            Some(c) => self.name(&name(c, Some(t.name.to_owned()))),
            None => self.name(&name(t.name, None)),
        }
    }

    fn assigned(&mut self, list: &[Assignment<'_>], of: Option<(&TableName<'_>, &str)>) {
        self.comma(list, |p, a| {
            match of {
                Some((t, schema)) => p.target(t, schema, Some(a.column.column)),
                None => p.column(&a.column),
            }
            p.put(" = ");
            p.expr(&a.value);
        });
    }

    fn bounded(&mut self, order: &[OrderItem<'_>], limit: Option<&Limit<'_>>) {
        self.order_by(order);
        if let Some(l) = limit {
            self.put(" limit ");
            self.expr(&l.count);
        }
    }

    fn insert(&mut self, i: &Insert<'_>, schema: &str) {
        self.put(if i.replace { "replace " } else { "insert " });
        self.changed_hints(i.hints);
        self.put(if i.ignore { "ignore into " } else { "into " });
        self.target(&i.table, schema, None);
        if !i.columns.is_empty() {
            self.put(" (");
            self.comma(i.columns, |p, c| p.target(&i.table, schema, Some(c.column)));
            self.put(")");
        }
        match i.source {
            InsertSource::Values(rows) => {
                self.blocks += 1;
                self.put(" values ");
                self.comma(rows, |p, r| {
                    p.put("(");
                    p.comma(r, |p, e| p.expr(e));
                    p.put(")");
                });
            }
            InsertSource::Query(q) => {
                self.put(" ");
                self.query(q);
            }
        }
        if !i.on_duplicate.is_empty() {
            self.put(" on duplicate key update ");
            self.assigned(i.on_duplicate, Some((&i.table, schema)));
        }
    }

    fn update(&mut self, u: &Update<'_>) {
        self.blocks += 1;
        if let Some(w) = u.with {
            self.with(w);
        }
        self.put("update ");
        self.changed_hints(u.hints);
        if u.ignore {
            self.put("ignore ");
        }
        let mut parts = self.flat_tables(u.tables);
        self.put(" set ");
        self.assigned(u.assignments, None);
        self.flat_where(u.where_clause, &mut parts);
        self.bounded(u.order_by, u.limit);
    }

    fn delete(&mut self, d: &Delete<'_>, schema: &str) {
        self.blocks += 1;
        if let Some(w) = d.with {
            self.with(w);
        }
        self.put("delete ");
        self.changed_hints(d.hints);
        if d.quick {
            self.put("quick ");
        }
        if d.ignore {
            self.put("ignore ");
        }
        match d.target {
            DeleteTarget::Single { table, alias, .. } => {
                self.put("from ");
                self.target(&table, schema, None);
                if let Some(a) = alias {
                    self.put(" ");
                    self.ident(a);
                }
                self.tables_where(&[], d.where_clause);
            }
            DeleteTarget::Multi { tables, from } => {
                for (i, t) in tables.iter().enumerate() {
                    self.put(if i > 0 { ", " } else { "" });
                    self.target(t, schema, None);
                }
                self.put(" from ");
                self.tables_where(from, d.where_clause);
            }
        }
        self.bounded(d.order_by, d.limit);
    }
}
