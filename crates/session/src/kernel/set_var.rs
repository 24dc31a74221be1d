//! The hint SET_VAR: session variables that have other values for one statement.
//!
//! They are set before the statement is planned and set back when it has run, whatever happened. What cannot be set so
//! is a warning and the statement runs without it, as in MySQL: 3637 for a variable that is not hintable, 3128 for one
//! that does not exist, the error of SET for a bad value. Plans of such statements are not kept in the plan cache.
//! Statements of programs have theirs set in the same way (`programs/call.rs`, `inner.rs`), but for the time limit,
//! which programs do not have.
//!
//! Tested: goldens `hints`, `programs_hints`.

use crate::kernel::session::Session;
use base::SqlError;
use catalog::sysvar::{Raw, SetValue, Var, convert};
use executor::Env;
use std::time::Duration;
use value::{Level, Warning};

/// Variables that the manual calls hintable and that are set for the session alone here.
const HINTABLE: &[&str] = &[
    "auto_increment_increment",
    "auto_increment_offset",
    "big_tables",
    "bulk_insert_buffer_size",
    "default_tmp_storage_engine",
    "div_precision_increment",
    "end_markers_in_json",
    "eq_range_index_dive_limit",
    "explain_format",
    "foreign_key_checks",
    "group_concat_max_len",
    "internal_tmp_mem_storage_engine",
    "join_buffer_size",
    "lock_wait_timeout",
    "innodb_lock_wait_timeout",
    "max_error_count",
    "max_execution_time",
    "max_heap_table_size",
    "max_join_size",
    "max_length_for_sort_data",
    "max_points_in_geometry",
    "max_seeks_for_key",
    "max_sort_length",
    "optimizer_prune_level",
    "optimizer_search_depth",
    "optimizer_switch",
    "optimizer_max_subgraph_pairs",
    "range_alloc_block_size",
    "range_optimizer_max_mem_size",
    "read_buffer_size",
    "read_rnd_buffer_size",
    "secondary_engine_cost_threshold",
    "select_into_buffer_size",
    "select_into_disk_sync",
    "sort_buffer_size",
    "sql_big_selects",
    "sql_buffer_result",
    "sql_mode",
    "sql_require_primary_key",
    "sql_safe_updates",
    "sql_select_limit",
    "time_zone",
    "tmp_table_size",
    "transaction_alloc_block_size",
    "transaction_prealloc_size",
    "unique_checks",
    "updatable_views_with_limit",
    "use_secondary_engine",
    "windowing_use_high_precision",
];

/// Variables that hints have set, with the values that they had before.
#[must_use]
pub(crate) struct Hinted(Vec<(Var, Raw)>);

impl Hinted {
    /// Sets them.
    pub(crate) fn set(vars: &[(String, String)], env: &mut Env) -> Hinted {
        let mut saved: Vec<(Var, Raw)> = Vec::new();
        for (name, value) in vars {
            if let Err((code, message)) = set_one(name, value, &mut saved, env) {
                env.conv.warnings.push(Warning { level: Level::Warning, code, message });
                env.conv.warning_count += 1;
            }
        }
        apply(&saved, env);
        Hinted(saved)
    }

    /// The same in a program, where what is wrong with them was told when it was created.
    pub(crate) fn set_silently(vars: &[(String, String)], env: &mut Env) -> Hinted {
        let (told, count) = (std::mem::take(&mut env.conv.warnings), env.conv.warning_count);
        let hinted = Hinted::set(vars, env);
        (env.conv.warnings, env.conv.warning_count) = (told, count);
        hinted
    }

    /// Sets them back.
    pub(crate) fn set_back(self, env: &mut Env) {
        for (var, raw) in self.0.iter().rev() {
            env.vars.store(*var, raw.clone());
        }
        apply(&self.0, env);
    }
}

fn set_one(name: &str, value: &str, saved: &mut Vec<(Var, Raw)>, env: &mut Env) -> Result<(), (u16, String)> {
    let failed = |e: SqlError| (e.code(), e.message().to_owned());
    let var = Var::find(name).map_err(|_| (3128, format!("Unresolved name '{name}' for SET_VAR hint")))?;
    if !HINTABLE.contains(&name) {
        return Err((3637, format!("Variable '{name}' cannot be set using SET_VAR hint.")));
    }
    if saved.iter().any(|s| s.0 == var) {
        return Err((3126, format!("Hint SET_VAR({name}={value})  is ignored as conflicting/duplicated")));
    }
    let current = env.vars.raw(var);
    let given = match (value.parse::<i64>(), value.parse::<u64>()) {
        (Ok(n), _) => SetValue::Int(n),
        (_, Ok(n)) => SetValue::UInt(n),
        _ => value.parse::<f64>().map_or(SetValue::Text(value), SetValue::Double),
    };
    let checked = convert(var, given, &current, env.vars.sql_mode()).map_err(failed)?;
    if var == Var::time_zone
        && let Raw::Text(Some(tz)) = &checked.raw
    {
        value::TimeZone::by_name(tz).map_err(failed)?;
    }
    if let Some(w) = checked.warning {
        env.conv.push(Level::Warning, w);
    }
    saved.push((var, current));
    env.vars.store(var, checked.raw);
    Ok(())
}

/// What is read from the variables only when a statement begins.
fn apply(changed: &[(Var, Raw)], env: &mut Env) {
    for (var, _) in changed {
        match *var {
            Var::sql_mode => env.conv.sql_mode = env.vars.sql_mode(),
            Var::time_zone => {
                let name = env.vars.text(Var::time_zone).cloned();
                let zone = value::TimeZone::by_name(name.as_deref().unwrap_or("SYSTEM"));
                env.conv.time_zone = zone.unwrap_or(value::TimeZone::UTC);
            }
            Var::max_error_count => env.conv.max_warnings = env.vars.num(Var::max_error_count) as usize,
            Var::innodb_lock_wait_timeout => {
                let seconds = env.vars.num(Var::innodb_lock_wait_timeout);
                env.trx.set_lock_wait_timeout(Duration::from_secs(seconds));
            }
            _ => {}
        }
    }
}

impl Session {
    /// Runs something while variables have the values of SET_VAR.
    pub(crate) fn with_hinted<T>(
        &mut self,
        vars: &[(String, String)],
        f: impl FnOnce(&mut Session) -> base::SqlResult<T>,
    ) -> base::SqlResult<T> {
        let hinted = Hinted::set(vars, &mut self.env);
        self.running.set_var = true;
        let ms = self.env.vars.num(Var::max_execution_time);
        if ms > 0 && hinted.0.iter().any(|(v, _)| *v == Var::max_execution_time) {
            self.sched.limit_statement(Duration::from_millis(ms));
        }
        let done = f(self);
        hinted.set_back(&mut self.env);
        self.running.set_var = false;
        done
    }
}
