//! Expressions that belong to a table (defaults, generated columns, checks) outside of a plan for it: what cascades and ALTER TABLE
//! evaluate. DML statements have them bound in their own plans ([`planner::plan::TableExprs`]).
//!
//! [`Stored`] is bound once for a definition; [`Stored::context`] makes the execution state. Rows handed in and out are in stored form
//! (TIMESTAMP in UTC); expressions see them in the session's time zone.

use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::VarScope;
use planner::plan::TableExprs;
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use storage::dict::TableDef;
use value::{CollationId, DateTime, SqlMode, SqlType, TypeKind, Value};

use crate::dml::Nulls;
use crate::eval::Cx;
use crate::gate::Expressions;
use crate::rows::env::Env;

/// The planner's surroundings for expressions that name no table but their own.
pub(crate) struct EnvResolver<'e>(pub(crate) &'e Env);

impl Resolver for EnvResolver<'_> {
    fn table(&self, schema: &str, name: &str, _: &Wish<'_>) -> SqlResult<Resolved> {
        Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]))
    }
    fn current_schema(&self) -> Option<&str> {
        self.0.schema.as_deref()
    }
    fn stats(&self, _: &TableDef) -> TableStats {
        TableStats::default()
    }
    fn sql_mode(&self) -> SqlMode {
        self.0.vars.sql_mode()
    }
    fn connection_collation(&self) -> CollationId {
        // what a table's expressions answer does not depend on whose set has no ASCII
        let c = self.0.vars.collation(Var::collation_connection);
        if c.charset().is_wide() { planner::nearest(c) } else { c }
    }
    fn client_charset(&self) -> value::Charset {
        self.0.vars.collation(Var::character_set_client).charset()
    }
    fn results_collation(&self) -> CollationId {
        self.0.vars.collation(Var::collation_connection)
    }
    fn system_variable(&self, _: VarScope, name: &str) -> SqlResult<SqlType> {
        Err(SqlError::new(ErrorCode::UNKNOWN_SYSTEM_VARIABLE, &[&name]))
    }
    fn user_variable(&self, _: &str) -> Option<SqlType> {
        None
    }
    fn setting(&self, name: &str) -> u64 {
        Var::by_name(name)
            .map_or(0, |v| if v.def().in_session() { self.0.vars.num(v) } else { self.0.shared.globals.num(v) })
    }
}

/// A table's expressions, bound.
#[derive(Debug)]
pub struct Stored {
    plan: Expressions,
    /// The expressions; their row is slot 0.
    pub exprs: TableExprs,
    def: Arc<TableDef>,
}

impl Stored {
    /// Binds them. Errors as the statement that defined them would give (unknown columns: 1054).
    pub fn new(def: &Arc<TableDef>, env: &Env) -> SqlResult<Stored> {
        let (plan, exprs) = planner::plan_stored(def, &EnvResolver(env))?;
        Ok(Stored { plan: Expressions::new(plan)?, exprs, def: def.clone() })
    }

    /// Execution state for rows of the table.
    pub fn context<'e>(&'e self, env: &'e mut Env) -> Cx<'e> {
        crate::ops::context(self.plan.cleared(), &[], Vec::new(), env)
    }

    /// Puts the values of generated columns, and of expression defaults listed in `missing`, into a row and checks it: 3819.
    /// `cx` is [`Stored::context`]'s; `n` is the row's number for messages; `nulls` counts without strict mode.
    pub(crate) fn complete<'a>(
        &'a self,
        row: &mut [Value<'a>],
        missing: &[u16],
        (n, nulls): (u64, Nulls),
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<()> {
        let zone = cx.env.conv.time_zone.clone();
        let mut moments: smallvec::SmallVec<[(usize, DateTime); 4]> = smallvec::SmallVec::new();
        for (i, (v, c)) in row.iter().zip(&self.def.columns).enumerate() {
            match *v {
                Value::DateTime(d) if c.ty.kind == TypeKind::Timestamp => moments.push((i, d)),
                _ => {}
            }
        }
        self.timestamps(row, |d| zone.utc_to_local(d));
        let computing = crate::dml::Computing { stored: &self.exprs, def: &self.def, slot: 0, n, nulls };
        computing.complete(row, missing, cx, arena)?;
        self.timestamps(row, |d| zone.local_to_utc(d));
        // what shows the same time stays the moment it was, also in the hour that autumn repeats
        for (i, was) in moments {
            if let Some(Value::DateTime(d)) = row.get_mut(i)
                && *d != was
                && zone.utc_to_local(*d) == zone.utc_to_local(was)
            {
                *d = was;
            }
        }
        Ok(())
    }

    fn timestamps(&self, row: &mut [Value<'_>], f: impl Fn(DateTime) -> DateTime) {
        for (v, c) in row.iter_mut().zip(&self.def.columns) {
            match v {
                Value::DateTime(d) if c.ty.kind == TypeKind::Timestamp && !d.is_zero() => *d = f(*d),
                _ => {}
            }
        }
    }
}

/// The VIRTUAL columns that rows written before an instant ADD COLUMN lack ([`storage::table::computed`]).
#[derive(Debug)]
pub struct Lacking(Stored);

impl Lacking {
    /// Binds the definition's generated columns. Errors as [`Stored::new`].
    pub fn new(def: &TableDef, env: &Env) -> SqlResult<Lacking> {
        let mut bare = TableDef::clone(def);
        bare.checks.clear();
        Stored::new(&Arc::new(bare), env).map(Lacking)
    }

    /// Puts these columns into the row, as [`storage::table::computed::ComputedColumns::compute`] says. Warnings are lost.
    pub fn compute<'a>(
        &'a self,
        columns: &[u16],
        row: &mut [Value<'a>],
        env: &mut Env,
        arena: &'a Bump,
    ) -> Result<(), (u16, SqlError)> {
        env.conv.strict = false;
        let mut cx = self.0.context(env);
        let (mut done, def) = (Ok(()), &*self.0.def);
        // expressions see a TIMESTAMP in the session's zone
        let zone = cx.env.conv.time_zone.clone();
        let mut local = row.to_vec();
        self.0.timestamps(&mut local, |d| zone.utc_to_local(d));
        for (c, e) in self.0.exprs.generated.iter().filter(|(c, _)| columns.contains(c)) {
            let v = cx
                .slot(0)
                .map(|s| s.set_values(&local))
                .and_then(|()| crate::dml::lenient_value(e, def, *c, &mut cx, arena));
            match v {
                Ok(v) => local.iter_mut().skip(*c as usize).take(1).for_each(|to| *to = v),
                Err(e) => {
                    done = Err((*c, e));
                    break;
                }
            }
        }
        drop(cx);
        self.0.timestamps(&mut local, |d| zone.local_to_utc(d));
        for c in columns.iter().map(|c| *c as usize) {
            if let (Some(to), Some(v)) = (row.get_mut(c), local.get(c)) {
                *to = *v;
            }
        }
        env.conv.warnings.clear();
        env.conv.warning_count = 0;
        done
    }
}

/// Evaluates the generated columns of a row of another table than the running plan's.
pub(crate) fn generate<'a>(
    def: &Arc<TableDef>,
    row: &mut [Value<'a>],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<()> {
    if !def.columns.iter().any(|c| c.generated.is_some()) {
        return Ok(());
    }
    let mut bare = TableDef::clone(def);
    bare.checks.clear();
    let stored = Stored::new(&Arc::new(bare), cx.env)?;
    let inner_arena = Bump::new();
    let mut inner_row: Vec<Value<'_>> = row.to_vec();
    {
        let mut inner = stored.context(cx.env);
        stored.complete(&mut inner_row, &[], (1, Nulls::Refused), &mut inner, &inner_arena)?;
    }
    for (to, v) in row.iter_mut().zip(&inner_row) {
        *to = v.copy_into(arena);
    }
    Ok(())
}
