//! Folders and files that options name: told of at the start, as mysqld does, and never one of the data directory's own files.
//!
//! `tmpdir` and `secure_file_priv` must exist. Logs, the pid file, the socket and the pool's list are written to whatever name they are given: a
//! name that belongs to the data directory's own files would destroy them. Tested: `tests/clients/test_first_start.py`.

use crate::log;
use crate::run::Failure;
use catalog::sysvar::{GlobalVars, Var, is_log_name, is_own_file};
use std::path::Path;

/// Checks them all. Nothing has been written yet apart from the lock.
pub fn check(dir: &Path, globals: &GlobalVars) -> Result<(), Failure> {
    let io = |e: &std::io::Error| {
        let text = e.to_string();
        format!("(OS errno {} - {})", e.raw_os_error().unwrap_or(0), text.split(" (os").next().unwrap_or_default())
    };
    for folder in globals.string(Var::tmpdir).split(':').filter(|f| !f.is_empty()) {
        match std::fs::metadata(folder) {
            Ok(m) if m.is_dir() => {}
            Ok(_) => return Err(Failure::new(10_000, format!("tmpdir: '{folder}' is not a directory"))),
            Err(e) => return Err(Failure::new(10_000, format!("tmpdir: Can't get stat of '{folder}' {}", io(&e)))),
        }
        // a file without a name: it is gone at once
        if let Err(e) = sys::file::File::temporary(Path::new(folder)) {
            return Err(Failure::new(10_000, format!("tmpdir: Can't create a file in '{folder}' {}", io(&e))));
        }
    }
    match globals.text(Var::secure_file_priv) {
        None => {}
        Some(folder) if folder.is_empty() => log::warning(
            10_097,
            "Insecure configuration for --secure-file-priv: Current value does not restrict location of generated files. Consider setting it to a valid, non-empty path.",
        ),
        Some(folder) if Path::new(&*folder).is_dir() => {}
        Some(folder) => {
            let text = format!(
                "Failed to access directory for --secure-file-priv. Please make sure that directory exists and is accessible by MySQL Server. Supplied value : {folder}"
            );
            return Err(Failure::new(10_095, text));
        }
    }
    warn_of_places(dir, globals);
    for v in [
        Var::log_error,
        Var::general_log_file,
        Var::slow_query_log_file,
        Var::pid_file,
        Var::socket,
        Var::innodb_buffer_pool_filename,
    ] {
        let name = globals.string(v);
        if matches!(v, Var::general_log_file | Var::slow_query_log_file) && !is_log_name(&name) {
            // MySQL's number and words
            return Err(Failure::new(10_157, format!("Invalid value for --{}: {name}", v.name())));
        }
        if !name.is_empty() && is_own_file(dir, &name) {
            let option = v.name().replace('_', "-");
            let text = format!(
                "option '{option}': '{name}' is one of the data directory's own files and would be overwritten"
            );
            return Err(Failure::new(10_000, text));
        }
    }
    Ok(())
}

/// Folders that mysqld would spread its files over. Here they all lie in the data directory: who has named another disk
/// must hear that nothing is there.
fn warn_of_places(dir: &Path, globals: &GlobalVars) {
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let places = [
        Var::innodb_data_home_dir,
        Var::innodb_log_group_home_dir,
        Var::innodb_undo_directory,
        Var::innodb_temp_tablespaces_dir,
    ];
    for v in places {
        let name = globals.string(v);
        let place = dir.join(&name);
        let inside = place.starts_with(dir) || place.canonicalize().is_ok_and(|p| p.starts_with(&real));
        if !name.is_empty() && !inside {
            let text =
                format!("option '{}' has no effect: these files lie in the data directory, not in '{name}'", v.name());
            log::warning(10_000, &text);
        }
    }
}
