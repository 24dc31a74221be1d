//! CALL as a statement of a client: its arguments, the procedure, what OUT parameters have afterwards.
//!
//! Tested: goldens `programs_*`.

use crate::kernel::diagnostics::Signalled;
use crate::kernel::plans::CachedPlan;
use crate::kernel::programs::call::CallHost;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult, TableId};
use catalog::client::{Capabilities, EndRows, ResultMeta, ResultSink, StatusFlags};
use catalog::sysvar::{Raw, Var};
use executor::UserVar;
use executor::strictness::{Class, Strictness};
use parser::ast::{Call, Expr, ExprKind};
use planner::Request;
use planner::resolve::Resolver;
use program::calls::{check_arguments, read_at_first, target_of, user_types};
use program::code::Target;
use program::run::{Argument, procedure};
use program::{Areas, Host};
use std::sync::Arc;
use storage::dict::{ParameterMode, ProgramDefinition};
use value::{Level, OwnedValue, SqlType};

impl Session {
    /// CALL.
    pub(crate) fn call(&mut self, sql: &[u8], c: &Call<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        // before the routine is looked up
        let beside = self.tables_beside(sql, c.args)?;
        self.env.statement.strictness = Strictness { class: Class::Other, ..Strictness::default() };
        let mut host = CallHost::new(self, out);
        let unit = host.procedure(c)?;
        check_arguments(&unit.definition, c)?;
        host.session.env.statement.beside = beside;
        let arguments = host.session.arguments(sql, c, &unit.definition);
        host.session.env.statement.beside.clear();
        let arguments = arguments?;
        host.session.statement_succeeded()?;
        let mut areas = Areas::default();
        host.session.env.conv.warnings.clear();
        host.session.env.conv.warning_count = 0;
        // what the statement before has left is gone
        host.told(&areas);
        let told = host.session.log.instrument.put_aside();
        let outer = std::mem::replace(&mut host.session.running.calls, true);
        // not for a procedure's queries, whatever it is; what the procedure sets ends with it
        let limit = host.session.env.vars.num(Var::sql_select_limit);
        host.session.env.vars.store(Var::sql_select_limit, Raw::Num(u64::MAX));
        let done = procedure(&unit, &arguments, &mut host, &mut areas);
        host.session.env.vars.store(Var::sql_select_limit, Raw::Num(limit));
        host.session.running.calls = outer;
        host.session.env.statement.strictness = Strictness::default();
        host.session.log.instrument.take_up(told);
        host.out.more_follows(false);
        let env = &mut host.session.env;
        env.conv.warnings = areas.present.iter().map(program::Condition::row).collect();
        env.conv.warning_count = env.conv.warnings.len() as u64;
        if done.is_ok() {
            self.leave_dropped_schema(&unit.definition.schema);
        }
        let last = areas.present.last();
        // what SIGNAL gave the error, or the warning that is left
        let (sqlstate, raised) = match &done {
            Err(e) => (Some(*e.sqlstate()), areas.raised.take()),
            Ok(_) => (last.map(|c| c.sqlstate), None),
        };
        let items = raised.or_else(|| last.and_then(|c| c.items.clone()));
        self.diagnostics.raised = sqlstate.zip(items).map(|(sqlstate, items)| Box::new(Signalled { sqlstate, items }));
        let values = done?;
        let n = self.env.counts.row_count;
        let mut row = Vec::new();
        for ((a, v), p) in arguments.iter().zip(values).zip(&unit.definition.parameters) {
            match (&a.target, v) {
                (Some(Target::User(name)), Some((v, ty))) => {
                    self.env.user_vars.insert(name.clone(), UserVar::new(v, ty));
                }
                (None, Some(v)) => row.push((p.name.as_str(), v)),
                _ => {}
            }
        }
        if !row.is_empty() && self.client.capabilities.has(Capabilities::PS_MULTI_RESULTS) {
            self.send_out_parameters(&unit.definition, &row, out)?;
        }
        Ok(Outcome { affected: n.max(0) as u64, row_count: n.max(0), ..Outcome::ok() })
    }

    /// The default schema is gone if the procedure, which is of the schema `own`, has dropped it.
    fn leave_dropped_schema(&mut self, own: &str) {
        let Some(schema) = self.env.schema.clone() else { return };
        let is_virtual = views::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(&schema));
        if is_virtual || self.env.shared.engine.dict().schema(&schema).is_some() {
            return;
        }
        self.env.schema = None;
        if *schema != *own {
            self.env.conv.push(Level::Note, SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]));
        }
    }

    /// Tables that expressions of one statement read, which are planned one by one; they are ready then.
    pub(crate) fn tables_beside(&mut self, sql: &[u8], list: &[Expr<'_>]) -> SqlResult<Vec<TableId>> {
        let mut tables = Vec::new();
        for e in list.iter().filter(|e| crate::kernel::statement_kinds::names_tables(e)) {
            let (types, _) = self.parameters();
            let one = std::slice::from_ref(e);
            let plan = self.ready(|s| {
                let resolver = SessionResolver(&s.env);
                let plan = planner::plan_scalars(one, &Request::plain(sql, &resolver).with(&types))?;
                Ok(CachedPlan::new(plan, &s.env))
            })?;
            tables.extend(plan.plan.tables.iter().map(|t| t.def.id));
        }
        Ok(tables)
    }

    /// The row of the OUT parameters of a prepared CALL, as a result of its own (manual, "Prepared CALL Statement
    /// Support").
    fn send_out_parameters(
        &mut self,
        of: &ProgramDefinition,
        row: &[(&str, program::Evaluated)],
        out: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let names: Vec<String> = row.iter().map(|(n, _)| format!("? AS `{}`", n.replace('`', "``"))).collect();
        let sql = format!("SELECT {}", names.join(", "));
        let (values, types): (Vec<_>, Vec<_>) = row.iter().map(|(_, v)| v.clone()).unzip();
        let (arena, mut lexed) = (bumpalo::Bump::new(), parser::Lexed::new());
        lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
        let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed)?;
        let mut plan = planner::plan(
            &parsed.statement,
            &Request::plain(sql.as_bytes(), &SessionResolver(&self.env)).with(&types),
        )?;
        let results = SessionResolver(&self.env).results_collation();
        let told = |(n, ty): (&(&str, program::Evaluated), &SqlType)| {
            planner::meta::out_parameter(&of.schema, &of.name, n.0, ty, results)
        };
        let told = row.iter().zip(&types).map(told).collect();
        plan.columns = Arc::new(ResultMeta::in_charset(told, results.charset()));
        let plan = CachedPlan::new(plan, &self.env);
        out.more_follows(true);
        out.out_parameters(true);
        let sent = executor::select(plan.cleared(&self.env)?, &values, &mut self.env, out);
        out.out_parameters(false);
        out.more_follows(false);
        sent?;
        let status = self.status_flags().with(StatusFlags::MORE_RESULTS | StatusFlags::PS_OUT_PARAMS);
        out.end_rows(&EndRows { status, warnings: 0, state: &[] })
    }

    /// Values of the arguments, each fit for its parameter.
    fn arguments(&mut self, sql: &[u8], c: &Call<'_>, d: &ProgramDefinition) -> SqlResult<Vec<Argument>> {
        let mut arguments = Vec::new();
        let using = self.running.using.clone();
        let at_first = user_types(c, &self.env);
        for (n, (e, p)) in c.args.iter().zip(&d.parameters).enumerate() {
            let is_out = p.mode != ParameterMode::In;
            let target = match e.kind {
                ExprKind::Param(n) => using.get(n as usize).map(|name| Target::User(name.clone())),
                _ => target_of(e),
            };
            if is_out && target.is_none() && !matches!(e.kind, ExprKind::Param(_)) {
                let name = format!("{}.{}", d.schema, d.name);
                return Err(SqlError::new(ErrorCode::SP_NOT_VAR_ARG, &[&(n + 1), &name]));
            }
            let value = match p.mode {
                ParameterMode::Out => (OwnedValue::Null, p.ty.clone()),
                _ => read_at_first(self.argument(sql, e)?, at_first.get(n), &mut self.env)?,
            };
            program::store::fits(&value, p, &mut self.env)?;
            arguments.push(Argument { value, target });
        }
        Ok(arguments)
    }

    fn argument(&mut self, sql: &[u8], e: &Expr<'_>) -> SqlResult<program::Evaluated> {
        let outer = self.env.begin_assignment();
        let before = self.env.conv.warnings.len();
        let values = self.scalars(sql, std::slice::from_ref(e));
        self.env.statement.strictness = outer;
        let values = values?;
        if self.env.assigns_strictly() {
            self.env.fail_of_warnings(before)?;
        }
        values.into_iter().next().ok_or_else(|| SqlError::unsupported("this argument"))
    }
}
