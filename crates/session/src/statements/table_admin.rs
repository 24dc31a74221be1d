//! The maintenance statements: CHECK, ANALYZE, OPTIMIZE, REPAIR and CHECKSUM TABLE. One row per table and message.
//!
//! A table is looked at under a shared metadata lock that is given back before the next one; OPTIMIZE is ALTER TABLE
//! ... FORCE with its locks. Tested: golden `checksum`, `statement_checks`, `tests/clients/test_gate.py`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use executor::gate::{Gate, MayKnow};
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{self, AdminKind, TableAdmin, TableName};
use value::TimeZone;

impl Session {
    /// CHECK TABLE and its siblings: one row per table.
    pub(crate) fn table_admin(
        &mut self,
        sql: &[u8],
        a: &TableAdmin<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        if let Some(h) = &a.histogram {
            return self.histogram_statement(a, h, out);
        }
        let named = |t: &parser::ast::TableName<'_>| (self.schema_of(t), t.name.to_owned());
        for (n, t) in a.tables.iter().enumerate() {
            if a.tables.iter().take(n).any(|o| named(o) == named(t)) {
                return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&t.name]));
            }
        }
        self.commit_transaction()?;
        if a.kind == AdminKind::Checksum {
            return self.checksum_tables(a, out);
        }
        let unlogged = a.kind == AdminKind::Optimize && a.local;
        if unlogged && !self.env.security.account.privileges.holds_dynamic("OPTIMIZE_LOCAL_TABLE") {
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"OPTIMIZE_LOCAL_TABLE"]));
        }
        let schema = self.env.schema.as_deref();
        let is_temporary =
            |n: &TableName<'_>| n.schema.or(schema).is_some_and(|schema| self.env.temp.find(schema, n.name).is_some());
        if matches!(a.kind, AdminKind::Analyze | AdminKind::Optimize) && !a.tables.iter().all(is_temporary) {
            // what is logged would be a transaction of this server
            self.check_read_only()?;
        }
        let op = match a.kind {
            AdminKind::Check => "check",
            AdminKind::Analyze => "analyze",
            AdminKind::Optimize => "optimize",
            _ => "repair",
        };
        let mut t = Table::new(columns::MAINTENANCE);
        for name in a.tables {
            let schema = name.schema.or(self.env.schema.as_deref());
            let schema = schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?.to_owned();
            let shown = format!("{schema}.{}", name.name);
            for (kind, text) in self.maintain_named(sql, a, unlogged, &TableName { schema: Some(&schema), ..*name })? {
                t.push(vec![shown.clone().into(), op.into(), kind.into(), text.into()]);
            }
        }
        t.send(self.env.vars.collation(catalog::sysvar::Var::character_set_results), out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }

    /// Whether the account may have a table looked through or made anew: 1142, 1044. OPTIMIZE LOCAL asks for nothing on
    /// the table.
    fn may_maintain<'n>(
        &self,
        kind: AdminKind,
        unlogged: bool,
        schema: &'n str,
        name: &'n str,
    ) -> SqlResult<MayKnow<'n>> {
        let gate = Gate::new(&self.env);
        let known = match kind {
            // whatever is granted on the table itself will do
            AdminKind::Check => gate.is_granted(schema, name).or_else(|| gate.own(schema, name)),
            AdminKind::Analyze => gate.own(schema, name),
            _ => None,
        };
        match (known, kind) {
            (Some(may), _) => Ok(may),
            (None, AdminKind::Check) => gate.holds(Privs::SELECT, schema, name),
            _ if schema.eq_ignore_ascii_case("information_schema") => Err(self.database_denied(schema)),
            _ if unlogged => gate.holds(Privs::NONE, schema, name),
            _ => gate.holds(Privs::SELECT.with(Privs::INSERT), schema, name),
        }
    }

    /// One table of CHECK TABLE and its siblings: kinds and texts of its rows. Its schema is named.
    fn maintain_named(
        &mut self,
        sql: &[u8],
        a: &TableAdmin<'_>,
        unlogged: bool,
        table: &TableName<'_>,
    ) -> SqlResult<Vec<(&'static str, String)>> {
        let (schema, name) = (table.schema.unwrap_or_default(), table.name);
        let may = self.may_maintain(a.kind, unlogged, schema, name)?;
        let changes = matches!(a.kind, AdminKind::Optimize | AdminKind::Repair);
        if let Err(e) = self.check_looked_at(schema, name, changes) {
            return Ok(vec![("Error", e.message().to_owned()), ("status", "Operation failed".into())]);
        }
        if let Some(storage::dict::Relation::View(view)) = self.env.relation(may) {
            return Ok(self.maintain_view(a.kind, &view));
        }
        if a.kind == AdminKind::Optimize && self.env.open_named(may).is_ok_and(|t| t.is_some()) {
            return Ok(self.rebuild(sql, table, may, unlogged));
        }
        let deadline = self.ddl_deadline();
        self.env.mdl.acquire(&MdlKey::table(schema, name), MdlType::Sr, Duration::Transaction, deadline)?;
        let rows = self.maintain(a.kind, may);
        self.env.mdl.release_transaction();
        if a.kind == AdminKind::Analyze {
            let done = self.renew_histograms(may);
            self.env.mdl.release_transaction();
            done?;
        }
        Ok(rows)
    }

    /// OPTIMIZE TABLE: ALTER TABLE ... FORCE, then ANALYZE.
    fn rebuild(
        &mut self,
        sql: &[u8],
        table: &TableName<'_>,
        may: MayKnow<'_>,
        unlogged: bool,
    ) -> Vec<(&'static str, String)> {
        let note = ("note", "Table does not support optimize, doing recreate + analyze instead".to_owned());
        let alter = ast::AlterTable {
            table: *table,
            actions: &[ast::AlterAction::Force],
            algorithm: None,
            lock: None,
            validation: None,
        };
        let done = self.check_global_read_lock().and_then(|()| {
            let statement = ast::Statement::AlterTable(&alter);
            let cleared = Gate::new(&self.env).rebuild(&statement, unlogged)?;
            self.with_ddl(sql, |ctx| executor::ddl::execute(ctx, cleared)).0
        });
        self.env.mdl.release_transaction();
        let engine = self.env.shared.engine.clone();
        let done = done.and_then(|_| match self.env.open_named(may)? {
            Some(t) => engine.analyze_table(&t).map_err(SqlError::from),
            None => Ok(()),
        });
        match done {
            Ok(()) => vec![note, ("status", "OK".into())],
            Err(e) => vec![note, ("error", e.message().to_owned()), ("status", "Operation failed".into())],
        }
    }

    /// CHECKSUM TABLE: NULL and an error in the diagnostics for a table that does not exist; NULL with QUICK.
    fn checksum_tables(&mut self, a: &TableAdmin<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let mut t = Table::new(columns::CHECKSUM);
        let quick = a.options.iter().any(|o| o.eq_ignore_ascii_case("quick"));
        for name in a.tables {
            let schema = name.schema.or(self.env.schema.as_deref());
            let schema = schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?.to_owned();
            let shown = format!("{schema}.{}", name.name);
            // before whether it is there
            let gate = Gate::new(&self.env);
            let may = match gate.own(&schema, name.name) {
                Some(own) => own,
                None => gate.holds(Privs::SELECT, &schema, name.name)?,
            };
            if let Err(e) = self.check_looked_at(&schema, name.name, false) {
                self.env.conv.push(value::Level::Error, e);
                t.push(vec![shown.into(), Cell::Null]);
                continue;
            }
            let sum = match self.env.relation(may) {
                Some(storage::dict::Relation::Table(def)) => {
                    if quick {
                        None
                    } else {
                        match self.checksum_table(&def) {
                            Err(e) if e.is(ErrorCode::TABLESPACE_DISCARDED) => {
                                self.env.conv.push(value::Level::Error, e);
                                Some(0)
                            }
                            sum => Some(sum?),
                        }
                    }
                }
                other => {
                    let e = match other {
                        Some(_) => SqlError::new(ErrorCode::WRONG_OBJECT, &[&schema, &name.name, &"BASE TABLE"]),
                        None => SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name.name]),
                    };
                    self.env.conv.push(value::Level::Error, e);
                    None
                }
            };
            t.push(vec![shown.into(), sum.map_or(Cell::Null, |n| Cell::UInt(u64::from(n)))]);
        }
        t.send(self.env.vars.collation(catalog::sysvar::Var::character_set_results), out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }

    fn checksum_table(&mut self, def: &storage::dict::TableDef) -> SqlResult<u32> {
        let columns: Vec<String> = def.columns.iter().map(|c| views::create::quote(&c.name)).collect();
        let (schema, name) = (views::create::quote(&def.schema), views::create::quote(&def.name));
        let text = format!("SELECT {} FROM {schema}.{name}", columns.join(","));
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, parser::Mode::default());
        let arena = bumpalo::Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        let plan = self.ready(|s| {
            s.env.statement.names_hidden = true;
            let plan = planner::plan(
                &parsed.statement,
                &planner::Request::plain(text.as_bytes(), &crate::kernel::resolver::SessionResolver(&s.env)),
            );
            s.env.statement.names_hidden = false;
            Ok(crate::kernel::plans::CachedPlan::new(plan?, &s.env))
        })?;
        let cleared = plan.cleared(&self.env)?;
        // TIMESTAMPs as they are kept
        let zone = std::mem::replace(&mut self.env.conv.time_zone, TimeZone::UTC);
        let found = self.env.counts.found_rows;
        let sum = executor::checksum(cleared, def, &mut self.env);
        (self.env.conv.time_zone, self.env.counts.found_rows) = (zone, found);
        sum
    }

    /// CHECK TABLE of a view says whether it can be used; its siblings take tables only.
    fn maintain_view(&self, kind: AdminKind, view: &storage::dict::ViewDef) -> Vec<(&'static str, String)> {
        if kind != AdminKind::Check {
            let text = format!("'{}.{}' is not BASE TABLE", view.schema, view.name);
            return vec![("Error", text), ("status", "Operation failed".into())];
        }
        let name = format!("{}.{}", views::create::quote(&view.schema), views::create::quote(&view.name));
        match self.plan_text(&format!("SELECT * FROM {name}")) {
            Ok(_) => vec![("status", "OK".into())],
            // that who asks may not read the view itself is no fault of the view
            Err(e) if is_denied(&e) => {
                let invoker = views::schema::views::property(view, "SECURITY") == "INVOKER";
                match self.plan_text(&view.select) {
                    Err(e) if invoker => vec![("Error", e.message().to_owned()), ("error", "Corrupt".into())],
                    _ => vec![("status", "OK".into())],
                }
            }
            Err(e) => {
                // what the view itself answers hides what is missing; who may not read there is not told of it
                let missing = self.plan_text(&view.select).err();
                let missing = missing.filter(|m| m.message() != e.message() && !is_denied(m));
                let missing = missing.map(|m| ("Error", m.message().to_owned()));
                missing.into_iter().chain([("Error", e.message().to_owned()), ("error", "Corrupt".into())]).collect()
            }
        }
    }

    fn maintain(&mut self, kind: AdminKind, may: MayKnow<'_>) -> Vec<(&'static str, String)> {
        let (schema, name) = may.name();
        let engine = self.env.shared.engine.clone();
        let table = match self.env.open_named(may) {
            Ok(Some(t)) => t,
            Ok(None) if kind == AdminKind::Check && views::virtual_table(schema, name).is_some() => {
                return vec![("note", "The storage engine for the table doesn't support check".into())];
            }
            Ok(None) if self.env.shared.engine.dict().schema(schema).is_none() => {
                return vec![("Error", format!("Unknown database '{schema}'")), ("error", "Corrupt".into())];
            }
            Ok(None) => {
                return vec![
                    ("Error", format!("Table '{schema}.{name}' doesn't exist")),
                    ("status", "Operation failed".into()),
                ];
            }
            Err(e) => return vec![("error", e.to_string()), ("status", "Operation failed".into())],
        };
        if let Some(said) = discarded(kind, &table) {
            return said;
        }
        match kind {
            AdminKind::Check => match engine.check_table(&table) {
                Ok(problems) if problems.is_empty() => vec![("status", "OK".into())],
                Ok(problems) => {
                    problems.into_iter().map(|p| ("error", p)).chain([("error", "Corrupt".to_owned())]).collect()
                }
                Err(e) => vec![("error", e.to_string()), ("error", "Corrupt".into())],
            },
            AdminKind::Analyze => match engine.analyze_table(&table) {
                Ok(()) => vec![("status", "OK".into())],
                Err(e) => vec![("error", e.to_string()), ("status", "Operation failed".into())],
            },
            _ => vec![("note", "The storage engine for the table doesn't support repair".into())],
        }
    }
}

fn is_denied(e: &SqlError) -> bool {
    e.is(ErrorCode::TABLEACCESS_DENIED_ERROR) || e.is(ErrorCode::COLUMNACCESS_DENIED_ERROR)
}

/// What is said of a table whose rows were discarded.
fn discarded(kind: AdminKind, table: &storage::table::Table) -> Option<Vec<(&'static str, String)>> {
    let text = SqlError::from(table.has_tablespace().err()?).message().to_owned();
    match kind {
        AdminKind::Check => Some(vec![("Error", text), ("error", "Corrupt".to_owned())]),
        AdminKind::Analyze => {
            Some(vec![("Warning", format!("InnoDB: {text}")), ("status", "Operation failed".to_owned())])
        }
        _ => None,
    }
}
