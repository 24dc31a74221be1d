//! SHOW and DESCRIBE: queries over virtual tables (`views::show`), and those that are no query.

mod absent;
mod accounts;
mod column_names;
mod create;
mod engine;
mod identifier_quotes;
mod programs;

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use catalog::sysvar::{Raw, Var};
use executor::gate::Gate;
use parser::ast::{Limit, Show, TableName};
use storage::dict::Relation;
use value::{CollationId, Level};

impl Session {
    /// A statement of a client with another character set, in UTF-8: the queries that SHOW becomes are UTF-8.
    fn show_decoded(&mut self, sql: &[u8], out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let vars = [Var::character_set_client, Var::collation_connection];
        let old = vars.map(|v| self.env.vars.num(v));
        for v in vars {
            self.env.vars.store(v, Raw::Num(u64::from(CollationId::UTF8MB4_0900_AI_CI.0)));
        }
        let arena = bumpalo::Bump::new();
        let mut lexed = parser::Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, sql, 0);
        let done = parser::parse(&arena, sql, &mut lexed).and_then(|p| self.dispatch_counted(sql, &p.statement, out));
        for (v, n) in vars.into_iter().zip(old) {
            self.env.vars.store(v, Raw::Num(n));
        }
        done
    }

    /// SHOW.
    pub(crate) fn show(&mut self, sql: &[u8], show: &Show<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let client = crate::text::text_collation(&self.env);
        if !sql.is_ascii() && !client.charset().takes_utf8() {
            return self.show_decoded(&planner::decode_name(client.0, sql), out);
        }
        if matches!(show, Show::Databases(_)) && self.env.shared.globals.bool(Var::skip_show_database) {
            self.require(Privs::SHOW_DATABASES, "SHOW DATABASES")?;
        }
        let schema = self.env.schema.clone();
        if let Some((db, table)) = views::show::target(show, schema.as_deref())? {
            self.check_target(show, &db, table.as_deref())?;
        }
        let open = self.open_tables(show);
        if let views::show::Answer::Query(q) = views::show::rewrite(show, sql, schema.as_deref(), &open)? {
            return self.show_query(show, &q, out);
        }
        let table = match show {
            Show::Warnings(limit) => return self.show_diagnostics(*limit, false, out),
            Show::Errors(limit) => return self.show_diagnostics(*limit, true, out),
            show => self.show_table(show)?,
        };
        table.send(self.env.vars.collation(Var::character_set_results), out)?;
        self.statement_succeeded()?;
        let keep_diagnostics = matches!(show, Show::CountWarnings | Show::CountErrors);
        if keep_diagnostics {
            self.env.counts.found_rows = 1;
        }
        Ok(Outcome { keep_diagnostics, ..Outcome::rows() })
    }

    /// What a SHOW is about exists, and the account may be told of it.
    fn check_target(&mut self, show: &Show<'_>, db: &str, table: Option<&str>) -> SqlResult<()> {
        if matches!(show, Show::Events { .. }) {
            // events are shown to whoever may make them, wherever that is; whether there is such a schema is not asked
            self.require_on_schema(Privs::EVENT, db)?;
            if self.env.shared.engine.dict().schema(db).is_none() {
                return Ok(());
            }
        }
        // whether a table is there is told to anybody, what is in it is not
        if let (Show::Columns { .. } | Show::Indexes { .. }, Some(name)) = (show, table) {
            self.check_there(db, Some(name))?;
            self.check_seen(db, name)?;
            if matches!(show, Show::Columns { .. }) {
                self.check_view_opens(db, name)?;
            }
        }
        self.check_visible(db, table)
    }

    /// A SHOW that is a query over virtual tables.
    fn show_query(&mut self, show: &Show<'_>, query: &str, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        self.check_branch_active()?;
        self.env.statement.shows_temporary =
            !self.env.temp.is_empty() && matches!(show, Show::Columns { .. } | Show::Indexes { .. });
        // `sql_select_limit` is for these too, but for the processes
        let charset = self.env.vars.collation(Var::character_set_results).charset();
        let mut out = column_names::ShowNames::new(show, charset, out);
        let o = self.run_inner(query, matches!(show, Show::Processlist { .. }), &mut out);
        self.env.statement.shows_temporary = false;
        let o = o?;
        self.statement_succeeded()?;
        Ok(o)
    }

    /// A SHOW that is no query and sends its rows as a table.
    fn show_table(&mut self, show: &Show<'_>) -> SqlResult<Table> {
        match show {
            Show::CountWarnings => Ok(one_number("@@session.warning_count", self.env.counts.conditions.0)),
            Show::CountErrors => Ok(one_number("@@session.error_count", self.env.counts.conditions.1)),
            Show::CreateTable(t) => self.show_create_table(t),
            Show::CreateView(t) => self.show_create_of_view(t),
            Show::CreateDatabase { if_not_exists, name } => self.show_create_database(name, *if_not_exists),
            Show::Grants { user, using } => self.show_grants(user.as_ref(), using),
            Show::CreateUser(a) => self.show_create_user(a),
            Show::Privileges => Ok(crate::accounts::privilege_list::table()),
            Show::Engine { name, what } => self.show_engine(*name, *what),
            Show::CreateProcedure(_)
            | Show::CreateFunction(_)
            | Show::CreateTrigger(_)
            | Show::CreateEvent(_)
            | Show::ProcedureCode(_)
            | Show::FunctionCode(_) => self.show_program(show),
            Show::BinaryLogs => self.show_binary_logs(),
            Show::BinaryLogStatus => self.show_binary_log_status(),
            Show::BinlogEvents { log, from, limit } => self.show_binlog_events(*log, *from, *limit),
            Show::RelaylogEvents { log, from, limit, channel } => {
                self.show_relaylog_events((*log, *channel), *from, *limit)
            }
            Show::Replicas => self.show_replicas(),
            Show::ReplicaStatus { channel } => self.show_replica_status(*channel),
            _ => self.show_absent(show),
        }
    }

    /// The schema, and the table if one is named, exist and may be seen: 1049, 1146, 1044.
    fn check_visible(&self, db: &str, table: Option<&str>) -> SqlResult<()> {
        self.check_there(db, None)?;
        // a table's own privileges were looked at before
        if table.is_none() && !is_information_schema(db) && !self.env.security.account.privileges.can_see_database(db) {
            return Err(self.database_denied(db));
        }
        self.check_there(db, table)
    }

    /// The schema, and the table if one is named, exist: 1049, 1146, 1109.
    fn check_there(&self, db: &str, table: Option<&str>) -> SqlResult<()> {
        if !is_virtual(db) && self.env.shared.engine.dict().schema(db).is_none() {
            return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&db]));
        }
        let Some(name) = table else { return Ok(()) };
        let there = views::virtual_table(db, name).is_some() || self.env.identity(db, name).is_some();
        if there {
            return Ok(());
        }
        if db.eq_ignore_ascii_case("information_schema") {
            return Err(crate::kernel::resolver::unknown_virtual(db, name));
        }
        Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&db, &name]))
    }

    /// 1142 unless the columns of the table may be looked at.
    pub(crate) fn check_seen(&self, db: &str, table: &str) -> SqlResult<()> {
        let open = is_virtual(db) || self.env.temp.find(db, table).is_some();
        if open || self.env.security.account.privileges.can_see_columns(db, table) {
            return Ok(());
        }
        Err(self.table_denied(Privs::SELECT, table))
    }

    /// The tables that SHOW OPEN TABLES shows: those whose columns the account may know.
    fn open_tables(&self, show: &Show<'_>) -> Vec<(String, String)> {
        let Show::OpenTables { schema, .. } = show else { return Vec::new() };
        let dict = self.env.shared.engine.dict();
        let mut out = Vec::new();
        for s in dict.schemas().iter().filter(|s| schema.is_none_or(|n| n == s.name)) {
            for r in Gate::new(&self.env).seen_in(&s.name) {
                if let Relation::Table(t) = r {
                    out.push((t.schema.clone(), t.name.clone()));
                }
            }
        }
        out
    }

    /// SHOW COLUMNS opens a view as a query does: 1356 where its definer may not read what it is made of.
    fn check_view_opens(&mut self, db: &str, name: &str) -> SqlResult<()> {
        // that it may be seen has been asked: what is left is computed, or the session's own
        let Some(may) = Gate::new(&self.env).sees(db, name) else { return Ok(()) };
        let Some(Relation::View(v)) = self.env.relation(may) else { return Ok(()) };
        if views::schema::views::property(&v, "SECURITY") == "INVOKER" {
            return Ok(());
        }
        let text = format!("SELECT * FROM {}.{}", views::create::quote(&v.schema), views::create::quote(&v.name));
        match self.plan_text(&text) {
            Err(e) if e.is(ErrorCode::VIEW_INVALID) => Err(e),
            _ => Ok(()),
        }
    }

    /// DESCRIBE t [column | 'pattern'].
    pub(crate) fn describe(
        &mut self,
        sql: &[u8],
        table: &TableName<'_>,
        column: Option<&[u8]>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let filter = match column {
            Some(p) => parser::ast::ShowFilter::Like(p),
            None => parser::ast::ShowFilter::None,
        };
        self.show(sql, &Show::Columns { extended: false, full: false, table: *table, filter }, out)
    }

    fn show_diagnostics(
        &mut self,
        limit: Option<&Limit<'_>>,
        errors_only: bool,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let (skip, take) = match limit {
            Some(l) => literal_limit(l)?,
            None => (0, usize::MAX),
        };
        let mut t = Table::new(columns::WARNINGS);
        let rows = self.diagnostics.rows.iter().filter(|w| !errors_only || w.level == Level::Error);
        for w in rows.skip(skip).take(take) {
            let level = match w.level {
                Level::Note => "Note",
                Level::Warning => "Warning",
                Level::Error => "Error",
            };
            t.push(vec![level.into(), Cell::UInt(u64::from(w.code)), w.message.clone().into()]);
        }
        t.send(self.env.vars.collation(Var::character_set_results), out)?;
        Ok(Outcome { keep_diagnostics: true, ..Outcome::rows() })
    }
}

fn one_number(name: &str, n: u64) -> Table {
    let mut t = Table::new(&[(name, Kind::UInt)]);
    t.push(vec![n.into()]);
    t
}

/// LIMIT of SHOW WARNINGS: literals only.
pub(super) fn literal_limit(l: &Limit<'_>) -> SqlResult<(usize, usize)> {
    let number = |e: &parser::ast::Expr<'_>| match e.kind {
        parser::ExprKind::Literal(parser::ast::Literal { value: parser::ast::LitValue::Int(n), .. }) => Ok(*n as usize),
        _ => Err(SqlError::unsupported("LIMIT of SHOW with an expression")),
    };
    Ok((l.offset.as_ref().map(number).transpose()?.unwrap_or(0), number(&l.count)?))
}

fn is_information_schema(schema: &str) -> bool {
    schema.eq_ignore_ascii_case("information_schema")
}

fn is_virtual(schema: &str) -> bool {
    views::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(schema))
}
