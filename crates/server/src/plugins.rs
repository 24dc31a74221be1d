//! Plugins of authentication: whether accounts of `mysql_native_password` can log in.
//!
//! As in MySQL 8.4 they cannot unless `--mysql-native-password=ON` says so. One difference (docs/decisions/0036): a data directory that has such accounts and
//! a start that says nothing: they go on, with a warning, since whoever wrote no option has not asked to lock out users. Tested:
//! `tests/clients/test_start_options.py`.

use crate::log;
use catalog::accounts::{Accounts, AuthPlugin, enable_native};

/// Decides it for this start. `asked`: the option, where it is given.
pub fn settle(asked: Option<bool>, accounts: &Accounts) {
    let table = accounts.table();
    let old: Vec<String> = table.iter().filter(|a| a.plugin == AuthPlugin::Native).map(|a| a.quoted()).collect();
    enable_native(asked.unwrap_or(!old.is_empty()));
    if old.is_empty() {
        return;
    }
    let all = old.join(", ");
    match asked {
        Some(true) => {}
        Some(false) => log::warning(10_000, &format!("mysql_native_password=OFF: these accounts cannot log in: {all}")),
        None => log::warning(
            10_000,
            &format!(
                "mysql_native_password is deprecated and off in MySQL 8.4; it stays on because of these accounts: {all}. Change them (ALTER USER ... IDENTIFIED \
                 WITH caching_sha2_password BY ...) or start with --mysql-native-password=ON"
            ),
        ),
    }
}
