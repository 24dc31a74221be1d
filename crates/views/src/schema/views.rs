//! VIEWS, VIEW_TABLE_USAGE, VIEW_ROUTINE_USAGE, and what COLUMNS and TABLES show of views.
//!
//! A view's columns are not stored: they are what binding its text gives now ([`planner::view::describe`]), so ALTER TABLE
//! of a base table shows. [`SessionView`] is the planner's resolver for that; it knows no statistics.

use super::column_types::NO_YES;
use super::{Hints, NULL, Row, SessionView, Spec, T, passes, s};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use planner::expr::VarScope;
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use planner::view::Described;
use std::sync::Arc;
use storage::dict::{Relation, TableDef, ViewDef};
use value::{CollationId, OwnedValue, SqlMode, SqlType};

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: "information_schema",
        name: "VIEWS",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("VIEW_DEFINITION", T::Text, true),
            ("CHECK_OPTION", T::Enum(&["NONE", "LOCAL", "CASCADED"]), true),
            ("IS_UPDATABLE", NO_YES, true),
            ("DEFINER", T::Bin(288), true),
            ("SECURITY_TYPE", T::Bin(7), true),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
        ],
        rows: views,
    },
    Spec {
        schema: "information_schema",
        name: "VIEW_TABLE_USAGE",
        columns: &[
            ("VIEW_CATALOG", T::Bin(64), false),
            ("VIEW_SCHEMA", T::Bin(64), false),
            ("VIEW_NAME", T::Bin(64), false),
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
        ],
        rows: table_usage,
    },
    Spec {
        schema: "information_schema",
        name: "VIEW_ROUTINE_USAGE",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("SPECIFIC_CATALOG", T::Bin(64), false),
            ("SPECIFIC_SCHEMA", T::Bin(64), false),
            ("SPECIFIC_NAME", T::S(64), false),
        ],
        rows: routine_usage,
    },
];

/// A property of a view as it is stored: `ALGORITHM`, `DEFINER`, `SECURITY`, `CHECK`, `CLIENT`, `COLLATION`, `UPDATABLE`.
pub fn property<'v>(v: &'v ViewDef, name: &str) -> &'v str {
    v.options.iter().find(|o| o.0 == name).map_or("", |o| o.1.as_str())
}

/// The view's collation_connection.
pub fn collation(v: &ViewDef) -> CollationId {
    property(v, "COLLATION").parse().map_or(CollationId(255), CollationId)
}

impl Resolver for SessionView {
    fn table(&self, schema: &str, name: &str, _: &Wish<'_>) -> SqlResult<Resolved> {
        if let Some(v) = super::virtual_table(schema, name) {
            return Ok(Resolved::Virtual(v));
        }
        match self.engine.dict().relation(schema, name) {
            Some(Relation::Table(t)) => Ok(Resolved::Base(t)),
            Some(Relation::View(v)) => Ok(Resolved::View(v)),
            None => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
        }
    }
    fn behind(&self, schema: &str, name: &str) -> Option<std::sync::Arc<TableDef>> {
        if let Some(v) = super::virtual_table(schema, name) {
            return Some(v.def().clone());
        }
        match self.engine.dict().relation(schema, name) {
            Some(Relation::Table(t)) => Some(t),
            _ => None,
        }
    }
    fn stored_function(
        &self,
        schema: Option<&str>,
        name: &str,
    ) -> SqlResult<Option<Arc<storage::dict::ProgramDefinition>>> {
        let found = |s| self.engine.dict().program(storage::dict::ProgramKind::Function, s, name);
        Ok(schema.and_then(found))
    }
    fn current_schema(&self) -> Option<&str> {
        None
    }
    fn stats(&self, _: &TableDef) -> TableStats {
        TableStats { rows: 1000.0, rec_per_key: Vec::new(), pages: 10.0 }
    }
    fn sql_mode(&self) -> SqlMode {
        self.vars.sql_mode()
    }
    fn connection_collation(&self) -> CollationId {
        self.vars.collation(Var::collation_connection)
    }
    fn results_collation(&self) -> CollationId {
        CollationId(255)
    }
    fn system_variable(&self, _: VarScope, name: &str) -> SqlResult<SqlType> {
        Err(SqlError::new(ErrorCode::UNKNOWN_SYSTEM_VARIABLE, &[&name]))
    }
    fn user_variable(&self, _: &str) -> Option<SqlType> {
        None
    }
    fn setting(&self, name: &str) -> u64 {
        Var::by_name(name).map_or(0, |v| if v.def().in_session() { self.vars.num(v) } else { self.globals.num(v) })
    }
}

/// What the view is now; 1356.
pub(crate) fn describe(v: &SessionView, view: &Arc<ViewDef>) -> SqlResult<Described> {
    planner::view::describe(view, v)
}

/// Views that pass the hints on schema (column 1) and name (column 2).
fn visible(v: &SessionView, hints: Hints<'_>) -> Vec<Arc<ViewDef>> {
    let mut out = Vec::new();
    for schema in v.engine.dict().schemas() {
        if !passes(hints, 1, &schema.name) {
            continue;
        }
        for r in v.engine.dict().relations_where(&schema.name, |name| passes(hints, 2, name)) {
            if let Relation::View(w) = r
                && v.account.privileges.can_see_table(&schema.name, &w.name)
            {
                out.push(w);
            }
        }
    }
    out
}

/// Whether the account may know of what a view is made: SELECT and SHOW VIEW on it.
fn may_define(v: &SessionView, w: &ViewDef) -> bool {
    v.account.privileges.on_table(&w.schema, &w.name).has(Privs::SELECT.with(Privs::SHOW_VIEW))
}

/// What VIEW_DEFINITION shows: a stored view's text is MySQL's canonical one, a built-in one's is as it was written.
fn shown_text(w: &ViewDef) -> OwnedValue {
    if !w.is_builtin() {
        return s(&w.select);
    }
    let arena = bumpalo::Bump::new();
    let mut lexed = parser::Lexed::new();
    lexed.tokenize(w.select.as_bytes(), 0, parser::Mode::default());
    match parser::parse(&arena, w.select.as_bytes(), &mut lexed).map(|p| p.statement) {
        Ok(parser::ast::Statement::Query(q)) => {
            s(parser::print::query(q, &parser::print::Resolution::default(), parser::print::Style::default()))
        }
        _ => s(&w.select),
    }
}

fn views(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |w: Arc<ViewDef>| {
        let may = may_define(v, &w) || property(&w, "DEFINER") == format!("{}@{}", v.account.user, v.account.host);
        let check = property(&w, "CHECK");
        vec![
            s("def"),
            s(&w.schema),
            s(&w.name),
            if may { shown_text(&w) } else { s("") },
            s(if check.is_empty() { "NONE" } else { check }),
            s(if property(&w, "UPDATABLE") == "1" { "YES" } else { "NO" }),
            s(property(&w, "DEFINER")),
            s(property(&w, "SECURITY")),
            s(property(&w, "CLIENT")),
            s(collation(&w).get().name),
        ]
    };
    Ok(visible(v, hints).into_iter().map(row).collect())
}

fn table_usage(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out: Vec<Row> = Vec::new();
    for w in visible(v, hints).into_iter().filter(|w| may_define(v, w)) {
        let Ok(d) = describe(v, &w) else { continue };
        let mut uses: Vec<(String, String)> = d.uses.into_iter().map(|u| (u.schema, u.name)).collect();
        // and only of those that it knows of
        uses.retain(|(schema, table)| v.account.privileges.can_see_table(schema, table));
        uses.sort();
        uses.dedup();
        for (schema, table) in uses {
            out.push(vec![s("def"), s(&w.schema), s(&w.name), s("def"), s(schema), s(table)]);
        }
    }
    Ok(out)
}

/// The stored functions that views call, as their texts name them; of those of views in them these tell.
fn routine_usage(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out: Vec<Row> = Vec::new();
    for w in visible(v, hints).into_iter().filter(|w| may_define(v, w)) {
        let Ok(d) = describe(v, &w) else { continue };
        let known = d.called.into_iter().filter(|(p, _)| super::programs::may_know(v, p));
        let mut called: Vec<(String, String)> = known.map(|(p, name)| (p.schema.clone(), name)).collect();
        called.sort();
        called.dedup_by(|a, b| a.0 == b.0 && a.1.eq_ignore_ascii_case(&b.1));
        for (schema, name) in called {
            out.push(vec![s("def"), s(&w.schema), s(&w.name), s("def"), s(schema), s(name)]);
        }
    }
    Ok(out)
}

/// A TABLES row of a view.
pub(super) fn table_row(v: &SessionView, w: &Arc<ViewDef>, comment: bool) -> Row {
    let comment = match (comment && !w.is_builtin()).then(|| describe(v, w)).transpose() {
        Ok(_) => "VIEW".to_owned(),
        Err(e) => e.message().to_owned(),
    };
    let mut row = vec![s("def"), s(&w.schema), s(&w.name), s("VIEW")];
    row.extend(std::iter::repeat_n(NULL, 10));
    row.push(super::tables::created(v, property(w, "CREATED").parse().unwrap_or(0)));
    row.extend(std::iter::repeat_n(OwnedValue::Null, 5));
    row.push(s(comment));
    row
}
