//! `--user`: who the server runs as. Settled before the first file is made, so that all of them belong to that user.
//!
//! As in mysqld: root needs the option (and `--user=root` if it means it); somebody else may name only itself, or is told that it has no effect.
//! Tested: `tests/clients/test_first_start.py`.

use crate::log;
use crate::run::Failure;

/// Becomes the user. `initialize`: mysqld then does not ask root for the option.
pub fn settle(user: Option<&str>, initialize: bool) -> Result<(), Failure> {
    use sys::process::{become_user, effective_uid, is_root, user_by_name};
    match user.filter(|u| !u.is_empty()) {
        None if is_root() && !initialize => Err(Failure::new(
            10_123,
            "Fatal error: the server does not run as root unless it is told to, because every file it reads or writes for a client would \
             then be root's to read or write. Name an account of its own with --user=NAME (it must be able to write the data directory), or \
             --user=root if that is what you want",
        )),
        None => Ok(()),
        Some(name) if !is_root() => {
            if user_by_name(name).map(|u| u.uid) != Some(effective_uid()) {
                log::warning(10_122, "One can only use the --user switch if running as root");
            }
            Ok(())
        }
        Some("root") => Ok(()),
        Some(name) => {
            let fatal = || {
                let text =
                    format!("Fatal error: Can't change to run as user '{name}' ;  Please check that the user exists!");
                Failure::new(10_124, text)
            };
            let to = user_by_name(name).ok_or_else(fatal)?;
            become_user(name, to)
                .map_err(|e| Failure::new(10_124, format!("Fatal error: Can't change to run as user '{name}': {e}")))
        }
    }
}
