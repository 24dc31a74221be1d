//! The texts of `--help` and of `--verbose --help`: the second ends with MySQL's table of variables and their values, which scripts read
//! (docker-library's takes `datadir` and `socket` from it).
//!
//! Pure. Tested: `tests.rs` beside this file, `tests/clients/test_option_files.py`.

use super::others::{self, Takes};
use catalog::sysvar::{Flags, GlobalVars, Kind, Raw, Var, VarValue};
use std::collections::BTreeMap;
use std::path::Path;

/// The text of `--help`.
pub fn short(program: &str) -> String {
    format!(
        "Starts the Evenkeel database server.\n\nUsage: {program} [OPTIONS]\n\n\
         Option files, in this order: /etc/my.cnf /etc/mysql/my.cnf $MYSQL_HOME/my.cnf ~/.my.cnf\n\
         Groups that are read: [mysqld] [server] [mysqld-8.4] [evenkeel]\n\
         These options can only come first:\n\
         --no-defaults             Read no option file\n\
         --defaults-file=#         Read only this option file\n\
         --defaults-extra-file=#   Read this file after the global ones\n\
         --defaults-group-suffix=# Read also groups with this suffix\n\n\
         For all options and their values: {program} --verbose --help\n"
    )
}

/// The text of `--verbose --help` with the values that the options give.
pub fn verbose(program: &str, globals: &GlobalVars, given: &BTreeMap<String, String>) -> String {
    let mut out = short(program);
    out.push('\n');
    for o in others::TABLE.iter().filter(|o| !o.doc.is_empty()) {
        let value = match o.takes {
            Takes::Switch => "",
            Takes::Value => "=#",
            Takes::Maybe => "[=#]",
        };
        out.push_str(&format!("  {:<54} {}\n", format!("--{}{value}", o.name), o.doc));
    }
    for v in Var::all().filter(|v| v.def().flags.has(Flags::OPT)) {
        let d = v.def();
        let shown = format!("--{}{}", d.name.replace('_', "-"), if d.kind == Kind::Bool { "[=ON|OFF]" } else { "=#" });
        out.push_str(&format!("  {shown:<54} {}\n", d.doc));
    }
    out.push_str("\nVariables (--variable-name=value)\n");
    out.push_str(&format!("{:<60} Value (after reading options)\n", "and boolean options {FALSE|TRUE}"));
    out.push_str(&format!("{} {}\n", "-".repeat(60), "-".repeat(13)));
    for (name, value) in table(globals, given) {
        out.push_str(&format!("{name:<60} {value}\n"));
    }
    out.push_str(
        "\nTo see what values a running server is using, type\n'mysqladmin variables' instead of 'mysqld --verbose --help'.\n",
    );
    out
}

fn table(globals: &GlobalVars, given: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for o in others::TABLE.iter().filter(|o| !o.name.ends_with('*') && !o.shown.is_empty()) {
        let value = given.get(o.name).map_or(o.shown, |v| v.as_str());
        rows.insert(o.name.to_owned(), value.to_owned());
    }
    for v in Var::all().filter(|v| v.def().flags.has(Flags::OPT)) {
        let value = match globals.get(v) {
            VarValue::Bool(b) => if b { "TRUE" } else { "FALSE" }.to_owned(),
            // a word there, which scripts look for
            VarValue::Null if v == Var::secure_file_priv => "NULL".to_owned(),
            VarValue::Null => "(No default value)".to_owned(),
            VarValue::Double(d) => format!("{d}"),
            other => other.show(),
        };
        rows.insert(v.name().replace('_', "-"), value);
    }
    rows
}

/// Fills in what a start would: the data directory as a whole path, and the files whose names follow from it.
pub fn complete(globals: &GlobalVars) {
    let text = |v: Var, s: &str| globals.store(v, Raw::Text(Some(s.into())));
    let given = globals.string(Var::datadir);
    let dir = std::path::absolute(&given).unwrap_or_else(|_| Path::new(&given).to_path_buf());
    text(Var::datadir, &format!("{}/", dir.display().to_string().trim_end_matches('/')));
    let host = sys::process::hostname();
    for (v, suffix) in
        [(Var::pid_file, ".pid"), (Var::general_log_file, ".log"), (Var::slow_query_log_file, "-slow.log")]
    {
        if globals.string(v).is_empty() {
            text(v, &dir.join(format!("{host}{suffix}")).to_string_lossy());
        }
    }
}
