//! [`ShownValues`]: copies of a session's variables for who reads performance_schema's user_variables_by_thread and variables_by_thread.
//!
//! Written by the session when it sets a variable; the locks are its own until somebody reads those tables. Tested: `tests/clients/test_mysql_tables.py`.

use catalog::connections::SessionValues;
use catalog::sysvar::SessionVars;
use executor::env::ShownUserVars;
use executor::{Env, UserVar};
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
        let text = |(name, var): (&Box<str>, &UserVar)| {
            let mut text = Vec::new();
            let value = var.value.as_value();
            if value.is_null() {
                return (name.to_string(), None);
            }
            value::convert::to_text(value, &var.ty, &mut text);
            (name.to_string(), Some(text))
        };
        let mut all: Vec<_> = self.user.lock().unwrap_or_else(PoisonError::into_inner).iter().map(text).collect();
        all.sort();
        all
    }

    fn variables(&self) -> SessionVars {
        self.vars.lock().clone()
    }
}
