//! Values of system variables that SET refuses beyond their type: lists, names and folders that mean nothing (1231).
//!
//! Asked once per assignment, before anything changes. Tested: below and by golden `system_variables`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::{Raw, Var};
use executor::Env;
use executor::gate::{Inside, MayKnow};
use std::path::Path;

/// Whether the value, which is of the variable's type, may be given to it. `shown`: as it was written.
pub(crate) fn check(env: &mut Env, var: Var, raw: &Raw, shown: &str) -> SqlResult<()> {
    let refused = || Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&var.name(), &shown]));
    let text = match raw {
        Raw::Text(Some(t)) => Some(&**t),
        _ => None,
    };
    crate::variables::metrics::check(env, var, raw, shown)?;
    crate::variables::gtids::check(env, var, raw)?;
    let fits = match var {
        // DISABLED is for the start alone, and nothing else after it
        Var::event_scheduler if env.shared.globals.num(var) == 2 => {
            let option = "--event-scheduler=DISABLED or --skip-grant-tables";
            return Err(SqlError::new(ErrorCode::OPTION_PREVENTS_STATEMENT, &[&option]));
        }
        Var::event_scheduler => *raw != Raw::Num(2),
        Var::log_output | Var::protocol_compression_algorithms => *raw != Raw::Num(0),
        Var::log_error_suppression_list => text.is_none_or(|t| list_of_errors(env, t)),
        Var::log_error_services => text.is_none_or(|t| services(env, t)),
        Var::ft_boolean_syntax => text.is_some_and(boolean_syntax),
        // they would be written over
        Var::general_log_file | Var::slow_query_log_file | Var::innodb_buffer_pool_filename => {
            let folder = env.shared.globals.string(Var::datadir);
            let folder = Path::new(&folder);
            let own = |t| catalog::sysvar::is_own_file(folder, t);
            let list = var == Var::innodb_buffer_pool_filename;
            text.is_none_or(|t| !own(t) && (list || can_be_log(folder, t)))
        }
        Var::clone_valid_donor_list if !text.is_none_or(donors) => {
            let text = "Invalid Format. Please enter \"<hostname1>:<port1>,...\"' with no extra space";
            return Err(SqlError::new(ErrorCode::CLONE_SYS_CONFIG, &[&text]));
        }
        // before whether it is there: who may not name files learns nothing of them
        Var::innodb_tmpdir if !env.security.account.privileges.has_global(Privs::FILE) => {
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"FILE"]));
        }
        Var::innodb_tmpdir => {
            let datadir = env.shared.globals.string(Var::datadir);
            text.is_none_or(|t| temporary_folder(Path::new(&datadir), t))
        }
        Var::innodb_redo_log_archive_dirs => text.is_none_or(archive_dirs),
        Var::session_track_system_variables => {
            for name in text.unwrap_or_default().split(',').map(str::trim) {
                if !name.is_empty() && name != "*" && Var::find(&name.to_ascii_lowercase()).is_err() {
                    let text = format!("{name} is not a valid system variable and will be ignored.");
                    let warning = SqlError::with_message(ErrorCode::WRONG_VALUE_FOR_VAR, text);
                    env.conv.push(value::Level::Warning, warning);
                }
            }
            true
        }
        _ => true,
    };
    if fits { Ok(()) } else { refused() }
}

/// Whether a query log can be written to the file `name`, seen from the data directory: a file that may be there
/// already, in a folder that is.
fn can_be_log(datadir: &Path, name: &str) -> bool {
    let path = datadir.join(name);
    let folder = || path.parent().is_some_and(Path::is_dir);
    let there = match std::fs::metadata(&path) {
        Ok(m) => m.is_file(),
        Err(_) => folder(),
    };
    !name.is_empty() && catalog::sysvar::is_log_name(name) && there
}

/// Whether temporary files may lie in this folder: anywhere but in the data directory.
fn temporary_folder(datadir: &Path, name: &str) -> bool {
    let real = |p: &Path| p.canonicalize().ok();
    let folder = Path::new(name);
    folder.is_dir() && real(folder).zip(real(datadir)).is_some_and(|(f, d)| !f.starts_with(d))
}

/// `clone_valid_donor_list`: nothing, or each with its port.
fn donors(text: &str) -> bool {
    let one = |d: &str| {
        let port = d.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
        port.is_some_and(|p| p.parse::<u16>().is_ok()) && !d.contains(char::is_whitespace)
    };
    text.is_empty() || text.split(',').all(one)
}

/// `log_error_suppression_list`; what is in it that is no error is told.
fn list_of_errors(env: &mut Env, text: &str) -> bool {
    let wrong = text.split(',').map(str::trim).find(|n| !error_list(n));
    if let Some(n) = wrong {
        let args: [&dyn std::fmt::Display; 2] = [&Var::log_error_suppression_list.name(), &n];
        env.conv.push(value::Level::Warning, SqlError::new(ErrorCode::CANT_SET_ERROR_SUPPRESSION_LIST, &args));
    }
    wrong.is_none()
}

/// `log_error_services`; what is wrong about it is told, and that nothing is logged.
fn services(env: &mut Env, text: &str) -> bool {
    let name = Var::log_error_services.name();
    let told = match catalog::sysvar::log_services(text) {
        Ok(all) if all.is_empty() => SqlError::new(ErrorCode::EMPTY_PIPELINE_FOR_ERROR_LOG_SERVICE, &[&name]),
        Ok(_) => return true,
        Err(at) => SqlError::new(ErrorCode::CANT_SET_ERROR_LOG_SERVICE, &[&name, &at]),
    };
    let empty = told.is(ErrorCode::EMPTY_PIPELINE_FOR_ERROR_LOG_SERVICE);
    env.conv.push(value::Level::Warning, told);
    empty
}

/// Whether the account may read the table of this name, written as `schema/table`: full-text indexes are made with its words.
pub(crate) fn may_read(env: &Env, table: &str) -> bool {
    let Some((schema, name)) = table.split_once('/') else { return false };
    env.security.account.privileges.on_table(schema, name).has(Privs::SELECT)
}

/// Whether there is a table of this name, written as `schema/table`, with a FULLTEXT index.
pub(crate) fn has_fulltext(env: &Env, table: &str) -> bool {
    let Some((schema, name)) = table.split_once('/') else { return false };
    match env.shared_relation(MayKnow::inside(schema, name, Inside::Setting)) {
        Some(storage::dict::Relation::Table(def)) => !def.fulltext.is_empty(),
        _ => false,
    }
}

/// What one of two variables that bound each other gets: warnings 1210 say what is changed. The other one is lowered where MySQL does that.
pub(crate) fn fit_couple(env: &mut Env, var: Var, raw: Raw) -> Raw {
    use Var::{innodb_io_capacity as io, innodb_io_capacity_max as io_max};
    use Var::{innodb_max_dirty_pages_pct as dirty, innodb_max_dirty_pages_pct_lwm as low};
    let Raw::Num(n) = raw else { return raw };
    let (other, not) = match var {
        Var::innodb_io_capacity => (io_max, "higher"),
        Var::innodb_io_capacity_max => (io, "lower"),
        Var::innodb_max_dirty_pages_pct => (low, "lower"),
        Var::innodb_max_dirty_pages_pct_lwm => (dirty, "higher"),
        _ => return raw,
    };
    let bound = env.shared.globals.num(other);
    let (a, b) =
        if matches!(var, dirty | low) { (f64::from_bits(n), f64::from_bits(bound)) } else { (n as f64, bound as f64) };
    if if not == "higher" { a <= b } else { a >= b } {
        return raw;
    }
    let mut warn = |text: String| {
        let warning = SqlError::with_message(ErrorCode::WRONG_ARGUMENTS, text);
        env.conv.push(value::Level::Warning, warning);
    };
    // MySQL's words have one name without its s
    let name = var.name().replace("dirty_pages_pct_lwm", "dirty_page_pct_lwm");
    warn(format!("{} cannot be set {not} than {}.", var.name(), other.name()));
    match var {
        Var::innodb_max_dirty_pages_pct => {
            warn(format!("Lowering innodb_max_dirty_page_pct_lwm to {a:.6}"));
            env.shared.globals.store(low, Raw::Num(n));
            raw
        }
        Var::innodb_max_dirty_pages_pct_lwm => {
            warn(format!("Setting {name} to {b:.6}"));
            Raw::Num(bound)
        }
        _ => {
            warn(format!("Setting {name} to {bound}"));
            Raw::Num(bound)
        }
    }
}

/// Numbers and names of errors, separated by commas.
fn error_list(t: &str) -> bool {
    let number = |n: &str| n.len() <= 6 && !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let symbol = |n: &str| n.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let one = |n: &str| match n.strip_prefix("MY-") {
        Some(rest) => number(rest),
        None => number(n) || n.starts_with("ER_") && symbol(n) || n.starts_with("WARN_") && symbol(n),
    };
    t.is_empty() || t.split(',').map(str::trim).all(one)
}

/// Fourteen different characters that are neither letters nor digits; the two quotes may be the same. One of the first two is a space.
fn boolean_syntax(t: &str) -> bool {
    let b = t.as_bytes();
    let plain = b.iter().all(|c| c.is_ascii() && !c.is_ascii_alphanumeric());
    let twice = |(i, c): (usize, &u8)| b.iter().take(i).position(|d| d == c).is_some_and(|j| (i, j) != (11, 10));
    b.len() == 14 && plain && b.iter().take(2).any(|c| *c == b' ') && !b.iter().enumerate().any(twice)
}

/// `label:folder;label:folder`, or nothing.
fn archive_dirs(t: &str) -> bool {
    t.is_empty() || t.split(';').all(|part| part.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        for (t, good) in [
            ("+ -><()~*:\"\"&|", true),
            (" +-><()~*:\"\"&|", true),
            ("+ -><()~*:&|\"\"", false),
            ("+ -><()~*:\"\"&+", false),
            ("+x-><()~*:\"\"&|", false),
            ("+!-><()~*:\"\"&|", false),
            ("", false),
        ] {
            assert_eq!(boolean_syntax(t), good, "{t}");
        }
        assert!(
            error_list("") && error_list("MY-010914, ER_DUP_KEY,1062") && !error_list("nonsense") && !error_list("ON")
        );
        assert!(archive_dirs("") && archive_dirs("a:/tmp;b:/var") && !archive_dirs("/tmp"));
    }
}
