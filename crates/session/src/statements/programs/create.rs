//! CREATE PROCEDURE and CREATE FUNCTION; the way of CREATE TRIGGER and CREATE EVENT up to what is their own.
//!
//! Who makes a routine and has neither EXECUTE nor ALTER ROUTINE on it gets them (`automatic_sp_privileges`), just
//! before the routine is there: after a crash in between they are taken back ([`super::routine_grants`]).

use super::binlog_rules::Rules;
use super::{built_in, texts, types};
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::gate::Inside;
use parser::ast::{Characteristics, CreateProgram, DataAccess as Access, ProgramKind as Kind};
use std::sync::Arc;
use storage::dict::{DataAccess, Ddl, ProgramDefinition, ProgramKind};

impl Session {
    /// CREATE of a stored program.
    pub(crate) fn create_program(&mut self, sql: &[u8], c: &CreateProgram<'_>) -> SqlResult<()> {
        let schema = self.schema_of_program(&c.name)?;
        base::names::short(c.name.name)?;
        program::check(c, &format!("{schema}.{}", c.name.name))?;
        self.begin_program_ddl()?;
        let done = match c.kind {
            Kind::Procedure => self.create_routine(sql, c, ProgramKind::Procedure, &schema),
            Kind::Function => self.create_routine(sql, c, ProgramKind::Function, &schema),
            Kind::Trigger => self.create_trigger(sql, c, &schema),
            Kind::Event => self.create_event(sql, c, &schema),
        };
        self.end_definition(done)
    }

    /// 1418 and 1419.
    pub(super) fn check_binlog_rules(&self, p: &ProgramDefinition) -> SqlResult<()> {
        let globals = &self.env.shared.globals;
        // what this server's own log has was allowed when it was made
        let trust = globals.bool(Var::log_bin_trust_function_creators) || self.applier.own_past;
        let log = globals.bool(Var::log_bin);
        let privileged = self.env.security.account.privileges.has_global(Privs::SUPER);
        Rules { log, trust, privileged }.allow(p)
    }

    /// Who a new program runs as.
    pub(super) fn program_definer(&mut self, a: Option<&parser::ast::Account<'_>>) -> SqlResult<(String, String)> {
        match a {
            Some(a) => self.named_definer(a),
            None => {
                let own = &self.env.security.account;
                Ok((own.user.clone(), own.host.clone()))
            }
        }
    }

    fn create_routine(&mut self, sql: &[u8], c: &CreateProgram<'_>, kind: ProgramKind, schema: &str) -> SqlResult<()> {
        let (function, name) = (kind == ProgramKind::Function, c.name.name);
        self.require_on_schema(Privs::CREATE_ROUTINE, schema)?;
        // a keyword is taken for one, whatever it is
        let keyword = parser::lexer::Kw::lookup(name.as_bytes()) != parser::lexer::Kw::NOT_A_KEYWORD;
        if function && (keyword || planner::func::is_native(name)) {
            self.program_note(SqlError::new(ErrorCode::NATIVE_FCT_NAME_COLLISION, &[&name]));
        }
        let definer = self.program_definer(c.definer.as_ref())?;
        self.no_locked_tables()?;
        self.program_schema_there(schema)?;
        self.lock_program(kind, schema, name)?;
        self.program_schema_there(schema)?;
        let mut p = self.program_settings(kind, schema, name);
        self.log_program(sql, c, &definer);
        p.definer = definer;
        self.apply_characteristics(&mut p, &c.characteristics);
        (p.parameters, p.result) = self.program_types(sql, c, p.database)?;
        p.returns = p.result.as_ref().map(types::returns).unwrap_or_default();
        p.params = c.parameters_span.text(sql).to_vec();
        p.body = texts::body(sql, &c.body, false);
        if let Some(old) = self.env.program(kind, schema, name, Inside::Program).filter(|p| p.is_builtin()) {
            // a dump of another server has it, too: ours stays, and is told of
            self.env.conv.push(value::Level::Warning, built_in(&old));
            return Ok(());
        }
        if self.env.program_identity(kind, schema, name).is_some() {
            let e = SqlError::new(ErrorCode::SP_ALREADY_EXISTS, &[&kind.name(), &name]);
            if !c.if_not_exists {
                return Err(e);
            }
            self.program_note(e);
            return Ok(());
        }
        self.check_binlog_rules(&p)?;
        let p = self.compiles(p)?;
        let creator = self.creator_without((schema, name, function), &p.definer);
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        let id = ddl.create_program(p)?;
        match creator {
            Some(creator) => self.commit_with_grant((ddl, id), (schema, name, function), creator),
            None => self.commit_logged(ddl),
        }
    }

    /// The program, which can be compiled.
    pub(super) fn compiles(&mut self, p: ProgramDefinition) -> SqlResult<ProgramDefinition> {
        let p = Arc::new(p);
        // what the statement has said already stays
        let said = (std::mem::take(&mut self.env.conv.warnings), self.env.conv.warning_count);
        let done = crate::kernel::programs::load::check(&mut self.env, &p);
        (self.env.conv.warnings, self.env.conv.warning_count) = said;
        for w in done? {
            self.env.conv.warnings.push(w);
            self.env.conv.warning_count += 1;
        }
        Ok(Arc::unwrap_or_clone(p))
    }

    /// What was written between parameters and body.
    pub(super) fn apply_characteristics(&self, p: &mut ProgramDefinition, c: &Characteristics<'_>) {
        if let Some(comment) = c.comment {
            p.comment = self.program_text(comment);
        }
        p.deterministic = c.deterministic.unwrap_or(p.deterministic);
        p.invoker = c.security_invoker.unwrap_or(p.invoker);
        p.access = match c.data_access {
            None => p.access,
            Some(Access::ContainsSql) => DataAccess::ContainsSql,
            Some(Access::NoSql) => DataAccess::NoSql,
            Some(Access::ReadsSqlData) => DataAccess::ReadsSqlData,
            Some(Access::ModifiesSqlData) => DataAccess::ModifiesSqlData,
        };
    }
}
