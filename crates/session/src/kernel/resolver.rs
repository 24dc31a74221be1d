//! The planner's view of a session: names, definitions, statistics, settings.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::{Kind, Var};
use executor::Env;
use executor::gate::{Gate, Inside, MayKnow};
use planner::expr::VarScope;
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use storage::dict::{Relation, TableDef};
use value::{CollationId, SqlMode, SqlType};

/// 1109 for a table of information_schema that does not exist.
pub(crate) fn unknown_virtual(schema: &str, name: &str) -> SqlError {
    let what = format!("Unknown table '{}' in {}", name.to_uppercase(), schema.to_lowercase());
    SqlError::with_message(ErrorCode::UNKNOWN_TABLE, what)
}

/// Borrowed from the session while a statement is planned.
pub(crate) struct SessionResolver<'e>(pub(crate) &'e Env);

impl Resolver for SessionResolver<'_> {
    fn local(&self, slot: u32) -> Option<SqlType> {
        self.0.statement.slots.get(slot as usize).cloned()
    }

    fn table(&self, schema: &str, name: &str, wish: &Wish<'_>) -> SqlResult<Resolved> {
        if let Some(v) = super::computed::computed(self.0, schema, name) {
            if v.guarded() {
                Gate::new(self.0).admit(&v.def().schema, &v.def().name, wish)?;
            }
            return Ok(Resolved::Virtual(v));
        }
        if views::VIRTUAL_SCHEMAS.iter().any(|s| s.eq_ignore_ascii_case(schema)) {
            if schema.eq_ignore_ascii_case("performance_schema") {
                Gate::new(self.0).admit(schema, name, wish)?;
                return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]));
            }
            return Err(unknown_virtual(schema, name));
        }
        if let (None, Some(own)) = (wish.via, self.0.temp.named(schema, name)) {
            return Ok(Resolved::Base(own.def.clone()));
        }
        match self.0.shared_relation(Gate::new(self.0).admitted(schema, name, wish)?) {
            Some(Relation::Table(t)) => Ok(Resolved::Base(t)),
            Some(Relation::View(v)) => Ok(Resolved::View(v)),
            None if self.0.shared.engine.dict().schema(schema).is_none() => {
                base::names::short(schema)?;
                Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]))
            }
            None => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
        }
    }

    fn stored_function(
        &self,
        schema: Option<&str>,
        name: &str,
    ) -> SqlResult<Option<std::sync::Arc<storage::dict::ProgramDefinition>>> {
        let env = self.0;
        let Some(schema) = schema.or(env.schema.as_deref()) else { return Ok(None) };
        Ok(env.program(storage::dict::ProgramKind::Function, schema, name, Inside::Program))
    }

    fn behind(&self, schema: &str, name: &str) -> Option<std::sync::Arc<TableDef>> {
        if let Some(v) = super::computed::computed(self.0, schema, name) {
            return Some(v.def().clone());
        }
        match self.0.shared_relation(MayKnow::inside(schema, name, Inside::Behind)) {
            Some(Relation::Table(t)) => Some(t),
            _ => None,
        }
    }

    fn hidden_function(&self, schema: &str, name: &str) -> Option<SqlError> {
        let account = &self.0.security.account;
        if account.privileges.on_routine(schema, name, true).has(Privs::EXECUTE) {
            return None;
        }
        let full = format!("{schema}.{name}");
        Some(SqlError::new(ErrorCode::PROCACCESS_DENIED_ERROR, &[&"execute", &account.user, &account.host, &full]))
    }

    fn hidden_column(&self, schema: &str, table: &str, column: &str, update: bool) -> Option<SqlError> {
        let p = if update { Privs::UPDATE } else { Privs::SELECT };
        if self.0.security.account.privileges.on_table(schema, table).has(p) {
            return None;
        }
        let what = if update { "UPDATE" } else { "SELECT" };
        let (user, host) = self.0.security.refused();
        Some(SqlError::new(ErrorCode::COLUMNACCESS_DENIED_ERROR, &[&what, &user, &host, &column, &table]))
    }

    fn names_hidden(&self) -> bool {
        self.0.statement.names_hidden
    }

    fn user(&self) -> (&str, &str) {
        self.0.security.refused()
    }

    fn account(&self) -> (&str, &str) {
        (&self.0.security.account.user, &self.0.security.account.host)
    }

    fn current_schema(&self) -> Option<&str> {
        self.0.schema.as_deref()
    }

    fn stats(&self, table: &TableDef) -> TableStats {
        let opened = self.0.open_table(table).ok().and_then(Result::ok);
        let Some(t) = opened else { return TableStats { rows: 1.0, rec_per_key: Vec::new(), pages: 1.0 } };
        let rows = (t.row_estimate() as f64).max(1.0);
        let per_key = |i: usize| {
            let parts = table.indexes.get(i).map_or(0, |x| x.parts.len());
            let entries = (t.entry_estimate(i) as f64).max(1.0);
            (1..=parts).map(|n| (entries / (t.cardinality(i, n) as f64).max(1.0)).max(1.0)).collect()
        };
        TableStats {
            rows,
            rec_per_key: (0..table.indexes.len()).map(per_key).collect(),
            pages: (t.size_bytes().0 as f64 / 16_384.0).max(1.0),
        }
    }

    fn sql_mode(&self) -> SqlMode {
        self.0.vars.sql_mode()
    }

    fn connection_collation(&self) -> CollationId {
        self.0.vars.collation(Var::collation_connection)
    }

    fn client_collation(&self) -> CollationId {
        crate::text::text_collation(self.0)
    }

    fn client_charset(&self) -> value::Charset {
        self.0.vars.collation(Var::character_set_client).charset()
    }

    fn results_collation(&self) -> CollationId {
        // NULL or binary: no conversion, every column tells its own collation (Connector/J sets NULL and decodes by that)
        match self.0.vars.collation(Var::character_set_results) {
            CollationId(0) => CollationId::BINARY,
            c => c,
        }
    }

    fn system_variable(&self, scope: VarScope, name: &str) -> SqlResult<SqlType> {
        let v = Var::find(&name.to_ascii_lowercase())?;
        match scope {
            VarScope::Global => v.check_read(true)?,
            VarScope::Session => v.check_read(false)?,
            VarScope::Default => {}
        }
        Ok(match v.def().kind {
            Kind::Bool => SqlType { length: 1, ..SqlType::bigint() },
            Kind::UInt(..) => SqlType { length: 21, ..SqlType::bigint_unsigned() },
            Kind::Int(..) => SqlType { length: 21, ..SqlType::bigint() },
            Kind::Double(..) => {
                let mut t = SqlType::double();
                t.decimals = 6;
                t
            }
            // as many characters of the system's set as a VARCHAR has room for
            _ => SqlType::varchar(65_535 / 3, CollationId::UTF8MB3_GENERAL_CI).nullable(true),
        })
    }

    fn user_variable(&self, name: &str) -> Option<SqlType> {
        self.0.user_vars.get(name).map(|v| v.ty.clone())
    }

    fn locks_reads(&self) -> bool {
        crate::kernel::run::locks_reads(self.0)
    }

    fn select_limit(&self) -> u64 {
        self.0.vars.num(Var::sql_select_limit)
    }

    fn setting(&self, name: &str) -> u64 {
        Var::by_name(name)
            .map_or(0, |v| if v.def().in_session() { self.0.vars.num(v) } else { self.0.shared.globals.num(v) })
    }
}
