//! SHOW CREATE TABLE, VIEW and DATABASE: definitions as text (`views::create`), after the privileges that MySQL asks
//! for. The definition is that of the moment; no lock is taken. Tested: golden `show`, `show_forms`,
//! `tests/clients/test_gate.py`.

use super::{identifier_quotes, is_information_schema, is_virtual};
use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::table::Table;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::gate::{Gate, MayKnow};
use parser::ast::TableName;
use planner::resolve::{Verb, Wish};
use storage::dict::Relation;
use value::CollationId;
use views::create::Shown;

impl Session {
    /// 1142 unless something is granted on the table as a whole, whether it exists or not. Of a view the columns count
    /// too: `show_create_view` looks.
    /// `None`: a computed table, which has no definition of its own.
    fn check_shown<'n>(&self, db: &'n str, table: &'n str, what: &str) -> SqlResult<Option<MayKnow<'n>>> {
        let (p, gate) = (&self.env.security.account.privileges, Gate::new(&self.env));
        // of performance_schema only what may be read there, or changed, is shown
        match db.to_ascii_lowercase().as_str() {
            "information_schema" => return Ok(None),
            "performance_schema" => {
                let changes = table.starts_with("setup_") || table == "threads";
                let may = p.on_table(db, table);
                if !(views::schema::perf::open_to_all(table)
                    || may.has(Privs::SELECT)
                    || changes && may.has(Privs::UPDATE))
                {
                    return Err(self.what_denied(what, table));
                }
                return Ok(None);
            }
            _ => {}
        }
        let view = |_: &MayKnow<'_>| self.env.identity(db, table).is_some_and(|i| i.is_view);
        let may = gate.own(db, table).or_else(|| gate.holds_any(Privs::TABLE_ALL, db, table));
        let may = may.or_else(|| gate.is_granted(db, table).filter(view));
        may.map(Some).ok_or_else(|| self.what_denied(what, table))
    }

    fn what_denied(&self, what: &str, table: &str) -> SqlError {
        let (user, host) = self.env.security.refused();
        SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&what, &user, &host, &table])
    }

    fn resolve(&self, t: &TableName<'_>) -> SqlResult<(String, String)> {
        let schema = t.schema.or(self.env.schema.as_deref());
        let schema = schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?;
        Ok((schema.to_owned(), t.name.to_owned()))
    }

    /// As `sql_quote_show_create` and ANSI_QUOTES want it.
    fn as_quoted(&self, text: String) -> String {
        let quoted = self.env.vars.bool(Var::sql_quote_show_create);
        let text = if quoted { text } else { identifier_quotes::unquoted(&text) };
        if self.env.vars.sql_mode().has(value::SqlMode::ANSI_QUOTES) { identifier_quotes::ansi(&text) } else { text }
    }

    pub(super) fn show_create_table(&mut self, t: &TableName<'_>) -> SqlResult<Table> {
        let (schema, name) = self.resolve(t)?;
        let may = self.check_shown(&schema, &name, "SHOW")?;
        self.check_visible(&schema, Some(&name)).map_err(|e| match e.is(ErrorCode::UNKNOWN_TABLE) {
            true => SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name.to_uppercase()]),
            false => e,
        })?;
        let mut out = Table::new(columns::CREATE_TABLE);
        if let Some(v) = crate::kernel::computed::computed(&self.env, &schema, &name) {
            out.push(vec![
                v.def().name.clone().into(),
                self.as_quoted(views::create::create_table(
                    v.def(),
                    0,
                    Shown { generated_key: true, ..Shown::default() },
                ))
                .into(),
            ]);
            return Ok(out);
        }
        self.check_looked_at(&schema, &name, false)?;
        let Some(may) = may else { return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])) };
        match self.env.relation(may) {
            Some(Relation::Table(mut def)) => {
                let zone = self.env.time_zone();
                std::sync::Arc::make_mut(&mut def).columns.iter_mut().for_each(|c| c.default.show_in(zone));
                let opened = self.env.open_named(may)?;
                let next = match opened {
                    Some(o) => o.autoinc_value(&self.env.shared.engine)?.unwrap_or(0),
                    None => 0,
                };
                let all = self.env.vars.bool(Var::show_gipk_in_create_table_and_information_schema);
                let format = self.env.vars.bool(Var::show_create_table_verbosity);
                let ansi = self.env.vars.sql_mode().has(value::SqlMode::ANSI);
                let shown = Shown { generated_key: all, format, ansi };
                let text = self.as_quoted(views::create::create_table(&def, next, shown));
                out.push(vec![name.into(), text.into()]);
                Ok(out)
            }
            Some(Relation::View(v)) => self.show_create_view(&v),
            None => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
        }
    }

    pub(super) fn show_create_of_view(&mut self, t: &TableName<'_>) -> SqlResult<Table> {
        let (schema, name) = self.resolve(t)?;
        // SELECT on it or on a column comes before whether it is there
        let select = Wish { verb: Verb::Select, via: None };
        let may = match is_virtual(&schema) {
            true => None,
            false => Some(Gate::new(&self.env).admitted(&schema, &name, &select)?),
        };
        self.check_visible(&schema, Some(&name))?;
        self.check_looked_at(&schema, &name, false)?;
        match may.and_then(|m| self.env.shared_relation(m)) {
            Some(Relation::View(v)) => self.show_create_view(&v),
            _ => Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[&schema, &name, &"VIEW"])),
        }
    }

    pub(super) fn show_create_database(&self, name: &str, if_not_exists: bool) -> SqlResult<Table> {
        let def = self.env.shared.engine.dict().schema(name);
        if !self.env.security.account.privileges.can_use_database(name) {
            // it names the client, as MySQL does here
            let (user, host) = &self.env.security.user;
            return Err(SqlError::new(ErrorCode::DBACCESS_DENIED_ERROR, &[user, host, &name]));
        }
        let def = match def {
            None if is_virtual(name) => {
                let id = if is_information_schema(name) { CollationId(33) } else { CollationId::UTF8MB4_0900_AI_CI };
                std::sync::Arc::new(storage::dict::SchemaDef { id: 0, name: name.to_ascii_lowercase(), collation: id })
            }
            d => d.ok_or_else(|| SqlError::new(ErrorCode::BAD_DB_ERROR, &[&name]))?,
        };
        let mut t = Table::new(columns::CREATE_DATABASE);
        t.push(vec![
            def.name.clone().into(),
            self.as_quoted(views::create::create_database(&def, if_not_exists)).into(),
        ]);
        Ok(t)
    }
}
