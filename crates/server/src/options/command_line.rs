//! The command line: which option files to read, and its own settings.
//!
//! Source: MySQL 8.4 manual, "Command-Line Options that Affect Option-File Handling" and "Using Options on the Command Line".

use super::{COMMAND_LINE, Problem, Setting, requires_value};
use std::path::PathBuf;

/// Short forms: (letter, long name).
const SHORT: &[(char, &str)] = &[
    ('P', "port"),
    ('h', "datadir"),
    ('b', "basedir"),
    ('t', "tmpdir"),
    ('u', "user"),
    ('V', "version"),
    ('?', "help"),
    ('v', "verbose"),
    ('C', "character-set-server"),
];

/// Option files and what they are read for.
#[derive(Default)]
pub struct Files {
    /// Path, and whether it must exist.
    pub list: Vec<(PathBuf, bool)>,
    /// Suffix of further groups.
    pub suffix: Option<String>,
    /// `--print-defaults`.
    pub print: bool,
    /// The other arguments.
    pub rest: Vec<String>,
}

/// `--no-defaults`, `--defaults-file`, `--defaults-extra-file` and `--defaults-group-suffix` must come first.
pub fn option_files(args: &[String]) -> Result<Files, Problem> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let server_home = std::env::var_os("MYSQL_HOME").map(PathBuf::from);
    let mut files = vec![(PathBuf::from("/etc/my.cnf"), false), (PathBuf::from("/etc/mysql/my.cnf"), false)];
    files.extend(server_home.map(|h| (h.join("my.cnf"), false)));
    let mut extra = None;
    let mut last: Vec<(PathBuf, bool)> = home.iter().map(|h| (h.join(".my.cnf"), false)).collect();
    let mut out = Files { suffix: std::env::var("MYSQL_GROUP_SUFFIX").ok(), ..Files::default() };
    let mut it = args.iter().peekable();
    let mut first = true;
    while let Some(a) = it.next() {
        let (name, value) = match a.split_once('=') {
            Some((n, v)) => (n.replace('_', "-"), Some(v.to_owned())),
            None => (a.replace('_', "-"), None),
        };
        let mut needed = || {
            value.clone().or_else(|| it.next().cloned()).ok_or_else(|| Problem::missing(name.trim_start_matches('-')))
        };
        match name.as_str() {
            "--no-defaults" if first => (files, last) = (Vec::new(), Vec::new()),
            "--defaults-file" if first => {
                files = vec![(PathBuf::from(needed()?), true)];
                last = Vec::new();
            }
            "--defaults-extra-file" if first => extra = Some((PathBuf::from(needed()?), true)),
            "--defaults-group-suffix" if first => out.suffix = Some(needed()?),
            // logins of client programs
            "--no-login-paths" if first => {}
            "--login-path" if first => drop(needed()?),
            "--print-defaults" => out.print = true,
            "--no-defaults" | "--defaults-file" | "--defaults-extra-file" | "--defaults-group-suffix" => {
                return Err(Problem::new(10_000, format!("option '{name}' must be the first on the command line")));
            }
            _ => {
                first = false;
                out.rest.push(a.clone());
            }
        }
    }
    files.extend(extra);
    files.extend(last);
    out.list = files;
    Ok(out)
}

/// Splits the command line into settings. A value may be the next argument where one is required.
pub fn settings(args: &[String], problems: &mut Vec<Problem>) -> Vec<Setting> {
    let mut out = Vec::new();
    let mut it = args.iter().peekable();
    while let Some(a) = it.next() {
        let (name, mut value) = if let Some(long) = a.strip_prefix("--") {
            match long.split_once('=') {
                Some((n, v)) => (n.to_owned(), Some(v.to_owned())),
                None => (long.to_owned(), None),
            }
        } else if let Some(short) = a.strip_prefix('-').filter(|s| !s.is_empty()) {
            let letter = short.chars().next().unwrap_or(' ');
            let Some((_, name)) = SHORT.iter().find(|(c, _)| *c == letter) else {
                problems.push(Problem::new(68, format!("unknown option '-{letter}'")));
                continue;
            };
            let attached = short.get(letter.len_utf8()..).filter(|v| !v.is_empty()).map(str::to_owned);
            ((*name).to_owned(), attached)
        } else {
            problems.push(Problem::new(10_000, format!("Too many arguments (first extra is '{a}').")));
            return out;
        };
        if value.is_none() && requires_value(&name) {
            value = it.next().cloned();
            if value.is_none() {
                problems.push(Problem::missing(&name));
                continue;
            }
        }
        out.push(Setting { name, value, source: COMMAND_LINE.to_owned() });
    }
    out
}
