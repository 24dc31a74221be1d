//! SET GLOBAL innodb_monitor_enable, _disable, _reset and _reset_all: they act on the metrics of INNODB_METRICS (`views::metrics`).
//!
//! The variable shows the metric or module named last; a pattern leaves it as it was. Tested: golden `innodb_metrics`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{GlobalVars, Raw, Var};
use executor::Env;
use storage::engine::Engine;
use views::metrics::{Change, Target};

/// What setting the variable does to metrics.
fn change_of(var: Var) -> Option<Change> {
    Some(match var {
        Var::innodb_monitor_enable => Change::Enable,
        Var::innodb_monitor_disable => Change::Disable,
        Var::innodb_monitor_reset => Change::Reset,
        Var::innodb_monitor_reset_all => Change::ResetAll,
        _ => return None,
    })
}

/// What the start's innodb_monitor_enable asks for: names between `;`, `,` or spaces; one that is none is passed over.
pub(crate) fn at_start(engine: &Engine, globals: &GlobalVars) {
    let Raw::Text(Some(list)) = globals.raw(Var::innodb_monitor_enable) else { return };
    for name in list.split([';', ',', ' ']).filter(|n| !n.is_empty()) {
        if let Some(target) = views::metrics::find(name) {
            views::metrics::apply(engine, 0, &target, Change::Enable);
        }
    }
}

/// Whether the variable may be given the value: 1231 for what names nothing, 1235 for what nothing counts here.
pub(crate) fn check(env: &mut Env, var: Var, raw: &Raw, shown: &str) -> SqlResult<()> {
    let Some(change) = change_of(var) else { return Ok(()) };
    let target = match raw {
        Raw::Text(Some(name)) => views::metrics::find(name),
        _ => None,
    };
    let shown = if *raw == Raw::Text(None) { "NULL" } else { shown };
    let refused = || SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&var.name(), &shown]);
    let target = target.ok_or_else(refused)?;
    if target == Target::Nothing {
        warn_no_default(env, var);
    } else if change == Change::Enable && !views::metrics::is_counted(&target) {
        return Err(SqlError::unsupported(format_args!("{} = {shown}", var.name())));
    }
    Ok(())
}

/// There is no default: MySQL says so in a warning and forgets the name.
pub(crate) fn warn_no_default(env: &mut Env, var: Var) {
    if change_of(var).is_some() {
        let text = "Default value is not defined for this set option. Please specify correct counter or module name.";
        let warning = SqlError::with_message(ErrorCode::NO_DEFAULT, text.to_owned());
        env.conv.push(value::Level::Warning, warning);
    }
}

/// Acts on the metrics; what the variable is to hold then.
pub(crate) fn apply(env: &mut Env, var: Var, raw: Raw) -> Raw {
    let (Some(change), Raw::Text(Some(name))) = (change_of(var), &raw) else { return raw };
    let Some(target) = views::metrics::find(name) else { return raw };
    let uptime = env.clock.server_start.elapsed().as_secs();
    let shown = match target {
        Target::Nothing => Raw::Text(None),
        // what is on already is not named either
        Target::One(name) if change != Change::Enable || !views::metrics::is_on(name) => Raw::Text(Some(name.into())),
        _ => env.shared.globals.raw(var),
    };
    views::metrics::apply(&env.shared.engine, uptime, &target, change);
    shown
}
