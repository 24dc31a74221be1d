//! The optimizer trace of a session: which statements are traced and what of it the account may see.
//!
//! With `optimizer_trace='enabled=on'` a query or change is planned for its text alone, as EXPLAIN does it: its
//! literals stay, no plan
//! is taken from the cache or put there. What was told goes into the session's [`executor::traces::Traces`]. Of a
//! statement that uses
//! a view without SHOW VIEW, or a table without SELECT on the whole of it, nothing is told but its text (manual,
//! "Privilege Checking").
//! A statement that reads OPTIMIZER_TRACE is not traced. EXECUTE is not: its plan was made by PREPARE.
//!
//! Tested: `tests/clients/test_optimizer_trace.py`.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::run::{as_warning, stale_forever};
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::SqlResult;
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use executor::gate::Gate;
use executor::traces::OptimizerTrace;
use parser::Parsed;
use parser::ast::Statement;
use planner::Request;
use planner::plan::Plan;
use planner::trace::Options;

/// Bits of `optimizer_trace` and of `optimizer_trace_features`.
const ENABLED: u64 = 1;
const ONE_LINE: u64 = 2;
const GREEDY_SEARCH: u64 = 1;
const RANGE_OPTIMIZER: u64 = 2;

/// Of a statement that could not be planned.
const NOTHING: &str = "{\n  \"steps\": [\n  ]\n}";

/// A canonical text without the default schema before names, as the trace has it.
fn unqualified(text: &str, schema: &str) -> String {
    let prefix = format!("`{}`.", schema.replace('`', "``"));
    let (mut out, mut rest, mut quote) = (String::with_capacity(text.len()), text, None);
    while let Some(c) = rest.chars().next() {
        if quote.is_none()
            && let Some(behind) = rest.strip_prefix(&prefix)
        {
            rest = behind;
            continue;
        }
        match quote {
            Some(q) if q == c => quote = None,
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            _ => {}
        }
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or("");
    }
    out
}

impl Session {
    /// Whether the session's statements are traced. One load.
    #[inline]
    pub(crate) fn traces(&self) -> bool {
        self.env.vars.num(Var::optimizer_trace) & ENABLED != 0
    }

    /// Plans and runs a query or change with its trace.
    pub(crate) fn trace_and_run(
        &mut self,
        sql: &[u8],
        lexed: &parser::Lexed,
        parsed: &Parsed<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let shown = sql.get(lexed.start()..parsed.end).unwrap_or(sql);
        // a table may change between planning and locking
        for _ in 0..8 {
            self.start_trace(sql);
            let plan = self.plan_counted(&[], |resolver, counted| {
                planner::plan(&parsed.statement, &Request { counted, ..Request::plain(sql, resolver) })
            });
            let trace = self.finish_trace(sql, shown, &parsed.statement, plan.as_ref().ok(), true);
            let plan = match plan {
                Ok(mut p) => {
                    p.notes.warnings.splice(0..0, parsed.remarks.iter().map(as_warning));
                    CachedPlan::new(p, &self.env)
                }
                Err(e) => {
                    self.keep_trace(trace);
                    return Err(self.not_planned(parsed, e));
                }
            };
            match self.run_cached(&plan, &[], out) {
                Ok(None) => {}
                done => {
                    self.keep_trace(trace);
                    return done.map(Option::unwrap_or_default);
                }
            }
        }
        Err(stale_forever())
    }

    /// Begins the trace of a statement that is planned next.
    pub(crate) fn start_trace(&self, sql: &[u8]) {
        let (on, features) =
            (self.env.vars.num(Var::optimizer_trace), self.env.vars.num(Var::optimizer_trace_features));
        let options = Options {
            one_line: on & ONE_LINE != 0,
            greedy_search: features & GREEDY_SEARCH != 0,
            range_optimizer: features & RANGE_OPTIMIZER != 0,
        };
        planner::start_trace(options, sql);
    }

    /// Ends it, before the plan runs. `plan`: what was made; `None`: planning failed, and nothing is told, as nobody
    /// knows yet what of it the account may see. `shown`: the statement's own text.
    pub(crate) fn finish_trace(
        &self,
        sql: &[u8],
        shown: &[u8],
        statement: &Statement<'_>,
        plan: Option<&Plan>,
        ran: bool,
    ) -> Option<OptimizerTrace> {
        let verb = match statement {
            Statement::Update(_) => "update_preparation",
            Statement::Delete(_) => "delete_preparation",
            Statement::Insert(_) => "insert_preparation",
            _ => "join_preparation",
        };
        // the canonical text is bound anew, which is nothing to be told of
        let told = planner::trace::finish()?;
        let expanded = plan.and_then(|_| self.expanded(sql, statement).ok().flatten());
        let trace = told.json(expanded.as_deref(), verb, ran);
        let trace = if plan.is_some() { trace } else { NOTHING.to_owned() };
        let sees = plan.is_none_or(|p| self.sees_trace(p));
        let query = crate::text::showable(&self.env, crate::text::trimmed(shown));
        let query = String::from_utf8_lossy(query.bytes()).into_owned();
        let trace = if sees { trace } else { String::new() };
        Some(OptimizerTrace { query, trace, missing_bytes: 0, insufficient_privileges: !sees })
    }

    /// The statement has run: its trace is there for the next.
    pub(crate) fn keep_trace(&mut self, trace: Option<OptimizerTrace>) {
        if let Some(t) = trace {
            self.env.traces.push(t, &self.env.vars);
        }
    }

    /// The statement's canonical text.
    fn expanded(&self, sql: &[u8], s: &Statement<'_>) -> SqlResult<Option<String>> {
        let resolver = SessionResolver(&self.env);
        let request = Request::plain(sql, &resolver);
        let schema = self.env.schema.as_deref().unwrap_or_default();
        let text = match s {
            Statement::Query(q) => planner::view::canonical(q, &request).map(Some)?,
            s => planner::view::canonical_dml(s, &request, schema)?,
        };
        Ok(text.map(|t| unqualified(&t, schema)))
    }

    /// Whether the account may see what the optimizer says of everything the plan uses.
    fn sees_trace(&self, plan: &Plan) -> bool {
        let p = &self.env.security.account.privileges;
        let reads = |s: &str, n: &str| p.on_table(s, n).has(Privs::SELECT);
        Gate::new(&self.env).sees_below(plan)
            && plan.tables.iter().filter(|t| !t.def.is_temporary()).all(|t| reads(&t.def.schema, &t.def.name))
            && plan.views.iter().all(|v| reads(&v.def.schema, &v.def.name))
    }
}

#[cfg(test)]
mod tests {
    use super::unqualified;

    #[test]
    fn only_names_lose_their_schema() {
        let text = "select `d`.`t`.`a` AS `a`,'`d`.' AS `x` from (`d`.`t` join `e`.`d`)";
        assert_eq!(unqualified(text, "d"), "select `t`.`a` AS `a`,'`d`.' AS `x` from (`t` join `e`.`d`)");
        assert_eq!(unqualified(text, ""), text);
    }
}
