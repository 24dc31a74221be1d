//! [`ShownValues`]: copies of a session's variables for who reads performance_schema's user_variables_by_thread and
//! variables_by_thread.
//!
//! Written by the session when it sets a variable; the locks are its own until somebody reads those tables. Tested:
//! `tests/clients/test_mysql_tables.py`.

use catalog::connections::SessionValues;
use catalog::sysvar::SessionVars;
use executor::Env;
use executor::user_vars::ShownUserVars;
use parking_lot::Mutex;
use std::sync::PoisonError;

/// See the module.
pub(crate) struct ShownValues {
    user: ShownUserVars,
    vars: Mutex<SessionVars>,
}

impl ShownValues {
    pub(crate) fn new(env: &Env) -> ShownValues {
        ShownValues { user: env.user_vars.shown().clone(), vars: Mutex::new(env.vars.clone()) }
    }

    /// The session has set system variables.
    pub(crate) fn store(&self, vars: &SessionVars) {
        self.vars.lock().clone_from(vars);
    }
}

impl SessionValues for ShownValues {
    fn user_variables(&self) -> Vec<(String, Option<Vec<u8>>)> {
        let shown = self.user.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::with_capacity(shown.len());
        for (name, var) in shown.iter() {
            let value = var.value.as_value();
            let mut text = Vec::new();
            value::convert::to_text(value, &var.ty, &mut text);
            all.push((name.to_string(), (!value.is_null()).then_some(text)));
        }
        drop(shown);
        all.sort();
        all
    }

    fn variables(&self) -> SessionVars {
        self.vars.lock().clone()
    }
}
