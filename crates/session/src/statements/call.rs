//! CALL as a statement of a client: its arguments, the procedure, what OUT parameters have afterwards.
//!
//! Tested: goldens `programs_*`.

use crate::kernel::diagnostics::Signalled;
use crate::kernel::programs::call::CallHost;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::ResultSink;
use executor::UserVar;
use parser::ast::{Call, Expr, ExprKind};
use program::code::Target;
use program::run::{Argument, check_arguments, procedure, target_of};
use program::{Areas, Host};
use storage::dict::ParameterMode;
use value::OwnedValue;

impl Session {
    /// CALL.
    pub(crate) fn call(&mut self, sql: &[u8], c: &Call<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let mut host = CallHost::new(self, out);
        let unit = host.procedure(c)?;
        check_arguments(&unit.definition, c)?;
        let mut arguments = Vec::new();
        for (n, (e, p)) in c.args.iter().zip(&unit.definition.parameters).enumerate() {
            let (is_out, target) = (p.mode != ParameterMode::In, target_of(e));
            if is_out && target.is_none() && !matches!(e.kind, ExprKind::Param(_)) {
                let name = format!("{}.{}", unit.definition.schema, unit.definition.name);
                return Err(SqlError::new(ErrorCode::SP_NOT_VAR_ARG, &[&(n + 1), &name]));
            }
            let value = match p.mode {
                ParameterMode::Out => (OwnedValue::Null, p.ty.clone()),
                _ => host.session.argument(sql, e)?,
            };
            arguments.push(Argument { value, target });
        }
        host.session.statement_succeeded()?;
        let mut areas = Areas::default();
        host.session.env.conv.warnings.clear();
        host.session.env.conv.warning_count = 0;
        let done = procedure(&unit, &arguments, &mut host, &mut areas);
        host.out.more_follows(false);
        let env = &mut host.session.env;
        env.conv.warnings = areas.present.iter().map(program::Condition::row).collect();
        env.conv.warning_count = env.conv.warnings.len() as u64;
        let last = areas.raised.take().or_else(|| areas.present.last().and_then(|c| c.items.clone()));
        let values = match done {
            Ok(v) => v,
            Err(e) => {
                if let Some(items) = last {
                    self.diagnostics.raised = Some(Box::new(Signalled { sqlstate: *e.sqlstate(), items }));
                }
                return Err(e);
            }
        };
        for (a, v) in arguments.iter().zip(values) {
            if let (Some(Target::User(name)), Some((v, ty))) = (&a.target, v) {
                self.env.user_vars.insert(name.clone(), UserVar::new(v, ty));
            }
        }
        let n = self.env.counts.row_count;
        Ok(Outcome { affected: n.max(0) as u64, row_count: n, ..Outcome::ok() })
    }

    fn argument(&mut self, sql: &[u8], e: &Expr<'_>) -> SqlResult<program::Evaluated> {
        let values = self.scalars(sql, std::slice::from_ref(e))?;
        values.into_iter().next().ok_or_else(|| SqlError::unsupported("this argument"))
    }
}
