//! CREATE VIEW and ALTER VIEW, SHOW CREATE VIEW.
//!
//! The view's name is locked exclusively, then the tables and views it reads are locked shared; under these locks its query
//! is bound and printed ([`planner::view::compile`]) and stored by one [`Ddl`]: a crash leaves the view as it was before or
//! as it is after.

use crate::accounts::rules::Act;
use crate::kernel::ddl::DdlLockContext;
use crate::kernel::locks::Locked;
use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::Table;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::ddl::DdlLocks;
use parser::ast::{CheckOption, CreateView, TableName};
use planner::Request;
use planner::view::Compiled;
use std::sync::Arc;
use storage::dict::{Ddl, Relation, ViewDef};
use value::{Level, SqlMode};

impl Session {
    /// CREATE [OR REPLACE] VIEW, ALTER VIEW.
    pub(crate) fn create_view(&mut self, sql: &[u8], v: &CreateView<'_>) -> SqlResult<Outcome> {
        self.commit_transaction()?;
        self.check_read_only()?;
        if !self.tables.locked.is_empty() {
            return Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[]));
        }
        let done = self.create_view_locked(sql, v);
        self.end_definition(done).map(|()| Outcome::ok())
    }

    fn create_view_locked(&mut self, sql: &[u8], v: &CreateView<'_>) -> SqlResult<()> {
        let (schema, name) = self.view_name(&v.view)?;
        let need = if v.or_replace || v.alter { Privs::CREATE_VIEW.with(Privs::DROP) } else { Privs::CREATE_VIEW };
        let may = self.require_on_table(need, &schema, &name)?;
        let deadline = self.ddl_deadline();
        let mut locks = DdlLockContext { env: &mut self.env, deadline, exclusive: Vec::new() };
        locks.schema_intention(&schema)?;
        locks.table_exclusive(&schema, &name)?;
        // not before: it may have been dropped while its locks were waited for
        if self.env.shared.engine.dict().schema(&schema).is_none() {
            return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]));
        }
        let old = match self.env.shared_relation(may) {
            Some(Relation::Table(_)) if v.or_replace || v.alter => {
                return Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[&schema, &name, &"VIEW"]));
            }
            Some(r @ Relation::View(_)) if v.or_replace || v.alter => {
                executor::ddl::changeable(&r)?;
                let Relation::View(w) = r else { return Err(SqlError::unsupported("this view")) };
                Some(w)
            }
            // a dump of another server has it, too
            Some(r) if let Err(e) = executor::ddl::changeable(&r) => {
                self.env.conv.push(Level::Warning, e);
                return Ok(());
            }
            None if v.alter => return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
            Some(_) | None => None,
        };
        let taken = old.is_none() && self.env.shared_identity(&schema, &name).is_some();
        let compiled = self.compile_view(sql, v, &schema, &name)?;
        // what is wrong with the query is told first
        if taken {
            return Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&name]));
        }
        let def = self.view_definition(v, schema, name, old.as_deref(), &compiled)?;
        self.log_view(sql, v, &def);
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        match old {
            Some(w) => ddl.replace_view(&w, def)?,
            None => ddl.create_view(def)?,
        }
        self.commit_logged(ddl)?;
        Ok(())
    }

    fn view_name(&self, t: &TableName<'_>) -> SqlResult<(String, String)> {
        let schema = t.schema.or(self.env.schema.as_deref());
        let schema = schema.ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))?;
        if executor::ddl::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(schema)) {
            return Err(self.database_denied(schema));
        }
        executor::ddl::columns::check_name(t.name, ErrorCode::WRONG_TABLE_NAME)?;
        Ok((schema.to_owned(), t.name.to_owned()))
    }

    /// Binds the query under locks on what it reads.
    fn compile_view(&mut self, sql: &[u8], v: &CreateView<'_>, schema: &str, name: &str) -> SqlResult<Compiled> {
        for _ in 0..8 {
            let resolver = SessionResolver(&self.env);
            let rq = Request::plain(sql, &resolver);
            let (compiled, plan) = planner::view::compile(v, &rq)?;
            let itself = |s: &str, n: &str| s == schema && n == name;
            if plan.views.iter().any(|w| itself(&w.def.schema, &w.def.name)) {
                return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]));
            }
            let plan = CachedPlan::new(plan, &self.env);
            plan.cleared(&self.env)?;
            if self.lock_plan(&plan)? == Locked::Current {
                return Ok(compiled);
            }
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    /// Who the view runs as: the account that is named, `kept` of a view that is altered, else whoever makes it. 1227 for
    /// another account.
    fn view_definer(&mut self, v: &CreateView<'_>, kept: Option<String>) -> SqlResult<String> {
        let own = format!("{}@{}", self.env.security.account.user, self.env.security.account.host);
        match &v.definer {
            Some(a) => {
                let (user, host) = self.named_definer(a)?;
                Ok(format!("{user}@{host}"))
            }
            None => match kept {
                // it goes on to read as that account
                Some(other) if other != own => {
                    let (user, host) = other.rsplit_once('@').unwrap_or((other.as_str(), ""));
                    self.require_dynamic("SET_ANY_DEFINER", "SUPER or SET_ANY_DEFINER")?;
                    self.may(&Act::Define(&[(user.to_owned(), host.to_owned())]))?;
                    Ok(other)
                }
                _ => Ok(own),
            },
        }
    }

    /// Algorithm, definer and the other properties: 1354 (warning), 1368, 1227, 1449 (note).
    fn view_definition(
        &mut self,
        v: &CreateView<'_>,
        schema: String,
        name: String,
        old: Option<&ViewDef>,
        compiled: &Compiled,
    ) -> SqlResult<ViewDef> {
        let kept = |what: &str| old.filter(|_| v.alter).map(|o| views::schema::views::property(o, what).to_owned());
        let mut algorithm = match v.algorithm {
            Some(a) if a != "undefined" => a.to_uppercase(),
            _ => kept("ALGORITHM").unwrap_or_else(|| "UNDEFINED".into()),
        };
        if algorithm == "MERGE" && !compiled.mergeable {
            algorithm = "UNDEFINED".into();
            let e = SqlError::new(ErrorCode::WARN_VIEW_MERGE, &[]);
            self.env.conv.push(Level::Warning, e);
        }
        let updatable = compiled.updatable && algorithm != "TEMPTABLE";
        if v.check_option.is_some() && !updatable {
            return Err(SqlError::new(ErrorCode::VIEW_NONUPD_CHECK, &[&schema, &name]));
        }
        let definer = self.view_definer(v, kept("DEFINER"))?;
        let security = match v.security_invoker {
            Some(true) => "INVOKER".to_owned(),
            Some(false) => "DEFINER".to_owned(),
            None => kept("SECURITY").unwrap_or_else(|| "DEFINER".into()),
        };
        let mut options = vec![
            ("ALGORITHM".to_owned(), algorithm),
            ("DEFINER".to_owned(), definer),
            ("SECURITY".to_owned(), security),
            ("CLIENT".to_owned(), self.env.vars.collation(Var::character_set_client).charset().name().to_owned()),
            ("COLLATION".to_owned(), self.env.vars.collation(Var::collation_connection).0.to_string()),
            ("CREATED".to_owned(), (self.env.clock.now_us.max(0) / 1_000_000).to_string()),
        ];
        if updatable {
            options.push(("UPDATABLE".to_owned(), "1".to_owned()));
        }
        if let Some(c) = v.check_option {
            let kind = if c == CheckOption::Local { "LOCAL" } else { "CASCADED" };
            options.push(("CHECK".to_owned(), kind.to_owned()));
        }
        Ok(ViewDef {
            id: 0,
            version: 0,
            schema,
            name,
            select: compiled.select.clone(),
            options,
            columns: v.columns.iter().map(|c| (*c).to_owned()).collect(),
        })
    }

    /// SHOW CREATE VIEW, and SHOW CREATE TABLE of a view.
    pub(crate) fn show_create_view(&self, v: &Arc<ViewDef>) -> SqlResult<Table> {
        let p = &self.env.security.account.privileges;
        let by_column = p.tables.get(&(v.schema.clone(), v.name.clone()));
        if !by_column.is_some_and(|t| t.columns.values().any(|c| c.has(Privs::SELECT))) {
            self.require_on_table(Privs::SELECT, &v.schema, &v.name)?;
        }
        self.require_on_table(Privs::SHOW_VIEW, &v.schema, &v.name)?;
        let mut out = Table::new(columns::CREATE_VIEW);
        let mode = self.env.vars.sql_mode();
        let quote = if mode.has(SqlMode::ANSI_QUOTES) { '"' } else { '`' };
        let text = views::create_view::create_view(v, self.env.schema.as_deref(), quote, mode.has(SqlMode::ANSI))?;
        let collation = views::schema::views::collation(v).get().name;
        let client = views::schema::views::property(v, "CLIENT");
        out.push(vec![v.name.clone().into(), text.into(), client.into(), collation.into()]);
        Ok(out)
    }
}
