//! SHOW and DESCRIBE: queries over virtual tables (`views::show`), and those that are no query.

mod absent;
mod column_names;
mod identifier_quotes;

use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Privs, TlsRequirement};
use catalog::client::ResultSink;
use catalog::sysvar::{Raw, Var};
use executor::gate::{Gate, MayKnow};
use parser::ast::{Limit, Show, TableName};
use planner::resolve::{Verb, Wish};
use std::fmt::Write as _;
use storage::dict::Relation;
use value::{CollationId, Level};
use views::create::Shown;

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
            // events are shown to whoever may make them, wherever that is
            if matches!(show, Show::Events { .. }) && !is_information_schema(&db) {
                self.require_on_schema(Privs::EVENT, &db)?;
            }
            // whether a table is there is told to anybody, what is in it is not
            if let (Show::Columns { .. } | Show::Indexes { .. }, Some(name)) = (show, &table) {
                self.check_there(&db, Some(name))?;
                self.check_seen(&db, name)?;
                if matches!(show, Show::Columns { .. }) {
                    self.check_view_opens(&db, name)?;
                }
            }
            if matches!(show, Show::Events { .. }) {
                self.require_on_schema(Privs::EVENT, &db)?;
            }
            // SHOW EVENTS does not ask for the schema
            let gone = matches!(show, Show::Events { .. }) && self.env.shared.engine.dict().schema(&db).is_none();
            if !gone {
                self.check_visible(&db, table.as_deref())?;
            }
        }
        let open = self.open_tables(show);
        if let views::show::Answer::Query(q) = views::show::rewrite(show, sql, schema.as_deref(), &open)? {
            self.check_branch_active()?;
            self.env.statement.shows_temporary =
                !self.env.temp.is_empty() && matches!(show, Show::Columns { .. } | Show::Indexes { .. });
            // `sql_select_limit` is for these too, but for the processes
            let charset = self.env.vars.collation(Var::character_set_results).charset();
            let mut out = column_names::ShowNames::new(show, charset, out);
            let o = self.run_inner(&q, matches!(show, Show::Processlist { .. }), &mut out);
            self.env.statement.shows_temporary = false;
            let o = o?;
            self.statement_succeeded()?;
            return Ok(o);
        }
        let table = match show {
            Show::Warnings(limit) => return self.show_diagnostics(*limit, false, out),
            Show::Errors(limit) => return self.show_diagnostics(*limit, true, out),
            Show::CountWarnings => one_number("@@session.warning_count", self.env.counts.conditions.0),
            Show::CountErrors => one_number("@@session.error_count", self.env.counts.conditions.1),
            // no build has it
            Show::ProcedureCode(_) | Show::FunctionCode(_) => {
                let what = "SHOW PROCEDURE|FUNCTION CODE";
                return Err(SqlError::new(ErrorCode::FEATURE_DISABLED, &[&what, &"--with-debug"]));
            }
            Show::CreateTable(t) => self.show_create_table(t)?,
            Show::CreateView(t) => self.show_create_of_view(t)?,
            Show::CreateDatabase { if_not_exists, name } => self.show_create_database(name, *if_not_exists)?,
            Show::Grants { user, using } => {
                let name = user.map(|a| self.account_name(&a));
                let own = (&self.env.security.account.user, &self.env.security.account.host);
                if name.as_ref().is_some_and(|(u, h)| (u, h) != own) {
                    self.require_on_table(Privs::SELECT, "mysql", "user")?;
                }
                let own = user.is_none_or(|a| matches!(a, parser::ast::Account::CurrentUser));
                crate::accounts::show_grants::table(&self.account_with_roles(name, own, using)?)
            }
            Show::CreateUser(a) => {
                let (u, h) = self.account_name(a);
                if !self.is_own(&(u.clone(), h.clone())) {
                    self.require_on_schema(Privs::SELECT, "mysql")?;
                }
                let missing =
                    || SqlError::new(ErrorCode::CANNOT_USER, &[&"SHOW CREATE USER", &format_args!("'{u}'@'{h}'")]);
                let as_hex = self.env.vars.bool(Var::print_identified_with_as_hex);
                let escapes = !self.env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES);
                create_user(&*self.server.accounts.get(&u, &h).ok_or_else(missing)?, as_hex, escapes)
            }
            Show::Privileges => crate::accounts::privilege_list::table(),
            Show::Profiles => {
                Table::new(&[("Query_ID", Kind::UInt), ("Duration", Kind::UInt), ("Query", Kind::Text(300))])
            }
            Show::BinaryLogs | Show::BinaryLogStatus => {
                if !self.env.security.account.privileges.has_global(Privs::REPLICATION_CLIENT) {
                    self.require(Privs::SUPER, "SUPER, REPLICATION CLIENT")?;
                }
                return Err(SqlError::with_message(ErrorCode::NO_BINARY_LOGGING, "You are not using binary logging"));
            }
            _ => self.show_more(show)?,
        };
        table.send(self.env.vars.collation(Var::character_set_results), out)?;
        self.statement_succeeded()?;
        let keep_diagnostics = matches!(show, Show::CountWarnings | Show::CountErrors);
        if keep_diagnostics {
            self.env.counts.found_rows = 1;
        }
        Ok(Outcome { keep_diagnostics, ..Outcome::rows() })
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

    /// 1142 unless something is granted on the table as a whole, whether it exists or not. Of a view the columns count too: `show_create_view` looks.
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
        let (user, host) = &self.env.security.user;
        SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&what, user, host, &table])
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
        let mut t = Table::new(&[("Level", Kind::Text(7)), ("Code", Kind::UInt), ("Message", Kind::Text(512))]);
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

    fn show_create_table(&mut self, t: &TableName<'_>) -> SqlResult<Table> {
        let (schema, name) = self.resolve(t)?;
        let may = self.check_shown(&schema, &name, "SHOW")?;
        self.check_visible(&schema, Some(&name)).map_err(|e| match e.is(ErrorCode::UNKNOWN_TABLE) {
            true => SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name.to_uppercase()]),
            false => e,
        })?;
        let mut out = Table::new(&[("Table", Kind::Text(64)), ("Create Table", Kind::Long)]);
        if let Some(v) = views::virtual_table(&schema, &name) {
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

    fn show_create_of_view(&mut self, t: &TableName<'_>) -> SqlResult<Table> {
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

    fn show_create_database(&self, name: &str, if_not_exists: bool) -> SqlResult<Table> {
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
        let mut t = Table::new(&[("Database", Kind::Text(64)), ("Create Database", Kind::Text(1024))]);
        t.push(vec![
            def.name.clone().into(),
            self.as_quoted(views::create::create_database(&def, if_not_exists)).into(),
        ]);
        Ok(t)
    }
}

fn one_number(name: &str, n: u64) -> Table {
    let mut t = Table::new(&[(name, Kind::UInt)]);
    t.push(vec![n.into()]);
    t
}

/// LIMIT of SHOW WARNINGS: literals only.
fn literal_limit(l: &Limit<'_>) -> SqlResult<(usize, usize)> {
    let number = |e: &parser::ast::Expr<'_>| match e.kind {
        parser::ExprKind::Literal(parser::ast::Literal { value: parser::ast::LitValue::Int(n), .. }) => Ok(*n as usize),
        _ => Err(SqlError::unsupported("LIMIT of SHOW with an expression")),
    };
    Ok((l.offset.as_ref().map(number).transpose()?.unwrap_or(0), number(&l.count)?))
}

/// What stands behind REQUIRE.
fn required(a: &Account) -> String {
    match &a.require {
        TlsRequirement::None => "NONE".to_owned(),
        TlsRequirement::Ssl => "SSL".to_owned(),
        TlsRequirement::X509 => "X509".to_owned(),
        r @ TlsRequirement::Specified { .. } => {
            let parts = ["SUBJECT", "ISSUER", "CIPHER"].into_iter().zip(r.attributes()).filter(|(_, t)| !t.is_empty());
            let text =
                parts.map(|(word, t)| format!("{word} {}", views::create::literal(t))).collect::<Vec<_>>().join(" ");
            if text.is_empty() { "SUBJECT ''".to_owned() } else { text }
        }
    }
}

/// A password's hash as a text, or with `print_identified_with_as_hex` in digits.
fn shown_hash(hash: &str, as_hex: bool) -> String {
    if !as_hex {
        return views::create::literal(hash);
    }
    hash.bytes().fold("0x".to_owned(), |mut out, b| {
        let _ = write!(out, "{b:02X}");
        out
    })
}

/// SHOW CREATE USER; `escapes`: a backslash in a text is one that escapes.
fn create_user(a: &Account, as_hex: bool, escapes: bool) -> Table {
    let as_hex = as_hex && a.plugin.name() == "caching_sha2_password";
    let name = format!("CREATE USER for {}@{}", a.user, a.host);
    let mut t = Table::new(&[(&name, Kind::Text(1024))]);
    let hash =
        if a.auth_string.is_empty() { String::new() } else { format!(" AS {}", shown_hash(&a.auth_string, as_hex)) };
    let roles: Vec<String> = a.privileges.default_roles.iter().map(catalog::accounts::roles::quoted).collect();
    let roles = if roles.is_empty() { String::new() } else { format!(" DEFAULT ROLE {}", roles.join(",")) };
    t.push(vec![
        format!(
            "CREATE USER `{}`@`{}` IDENTIFIED WITH '{}'{hash}{roles} REQUIRE {}{}",
            a.user,
            a.host,
            a.plugin.name(),
            required(a),
            crate::accounts::passwords::shown(a, escapes)
        )
        .into(),
    ]);
    t
}

fn is_information_schema(schema: &str) -> bool {
    schema.eq_ignore_ascii_case("information_schema")
}

fn is_virtual(schema: &str) -> bool {
    views::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(schema))
}
