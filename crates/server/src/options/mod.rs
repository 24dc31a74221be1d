//! Options: the command line and option files, into [`GlobalVars`].
//!
//! Names are those of the system variables (with `-` or `_`), with mysqld's prefixes (`skip-`, `disable-`, `enable-`, `loose-`) and a few
//! options that are no variables ([`EXTRA`]). Option files come first in MySQL's order, then the command line; the last one wins. An unknown
//! option is an error unless it is `loose-`.

mod file;
#[cfg(test)]
mod tests;

use catalog::sysvar::{Flags, GlobalVars, Kind, Origin, Raw, Scope, Var, from_option};
use std::path::{Path, PathBuf};

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Run.
    Serve,
    /// Create the data directory, with a random password of root, and end.
    Initialize,
    /// The same; root has no password.
    InitializeInsecure,
    /// Print help.
    Help,
    /// Print the version.
    Version,
    /// Print the arguments with those of option files.
    PrintDefaults,
}

/// Everything that was asked for.
pub struct Options {
    /// What to do.
    pub action: Action,
    /// Global variables with the options applied.
    pub globals: GlobalVars,
    /// All arguments, option files first.
    pub arguments: Vec<String>,
    /// `--ssl=0`.
    pub tls: bool,
    /// `--user`.
    pub user: Option<String>,
    /// Warnings for the log.
    pub warnings: Vec<String>,
}

/// Options that are no variables: (name, takes a value, help).
const EXTRA: &[(&str, bool, &str)] = &[
    ("console", false, "Write the error log to stderr"),
    ("daemonize", false, "Not supported: use a service manager"),
    ("default-time-zone", true, "Same as --time-zone"),
    ("help", false, "Print this help"),
    ("initialize", false, "Create the data directory and exit; root's first password is in the error log"),
    ("initialize-insecure", false, "Create the data directory and exit; root has no password"),
    ("log-bin", true, "Not supported yet; --skip-log-bin is accepted"),
    ("no-monitor", false, "Accepted: there is no monitor process"),
    ("print-defaults", false, "Print the arguments with those of option files and exit"),
    ("ssl", false, "Allow TLS (on by default)"),
    ("symbolic-links", false, "Accepted: there are none"),
    ("user", true, "The user to run as; needed when started by root"),
    ("verbose", false, "With --help: the same"),
    ("version", false, "Print the version and exit"),
];

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

/// One option before it is applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Name as written, without leading dashes.
    pub name: String,
    /// Value after `=`.
    pub value: Option<String>,
    /// Where it comes from, for messages.
    pub source: String,
}

/// Reads option files and the command line (without the program's name and `serve`).
pub fn load(args: &[String]) -> Result<Options, String> {
    let (files, rest) = option_files(args)?;
    let mut settings = Vec::new();
    for (path, must_exist) in files {
        file::read(&path, must_exist, &mut settings)?;
    }
    let mut arguments: Vec<String> = settings.iter().map(Setting::argument).collect();
    arguments.extend(rest.iter().cloned());
    settings.extend(parse_arguments(&rest)?);
    let mut o = Options {
        action: Action::Serve,
        globals: GlobalVars::new(),
        arguments,
        tls: true,
        user: None,
        warnings: Vec::new(),
    };
    for s in &settings {
        apply(&mut o, s)?;
    }
    Ok(o)
}

impl Setting {
    fn argument(&self) -> String {
        match &self.value {
            Some(v) => format!("--{}={v}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

/// `--no-defaults`, `--defaults-file`, `--defaults-extra-file` must come first; returns the files and the other arguments.
fn option_files(args: &[String]) -> Result<(Vec<(PathBuf, bool)>, Vec<String>), String> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let mut files = vec![(PathBuf::from("/etc/my.cnf"), false), (PathBuf::from("/etc/mysql/my.cnf"), false)];
    let mut extra = None;
    let mut last: Vec<(PathBuf, bool)> = home.iter().map(|h| (h.join(".my.cnf"), false)).collect();
    let mut rest = Vec::new();
    let mut it = args.iter().peekable();
    let mut first = true;
    while let Some(a) = it.next() {
        let dashed = a.replace('_', "-");
        let (name, value) = match a.split_once('=') {
            Some((_, v)) => (dashed.split('=').next().unwrap_or_default().to_owned(), Some(v.to_owned())),
            None => (dashed, None),
        };
        let mut needed =
            || value.clone().or_else(|| it.next().cloned()).ok_or(format!("option '{name}' requires an argument"));
        match name.as_str() {
            "--no-defaults" if first => (files, last) = (Vec::new(), Vec::new()),
            "--defaults-file" if first => {
                files = vec![(PathBuf::from(needed()?), true)];
                last = Vec::new();
            }
            "--defaults-extra-file" if first => extra = Some((PathBuf::from(needed()?), true)),
            "--no-defaults" | "--defaults-file" | "--defaults-extra-file" => {
                return Err(format!("option '{name}' must be the first on the command line"));
            }
            _ => {
                first = false;
                rest.push(a.clone());
            }
        }
    }
    files.extend(extra);
    files.extend(last);
    Ok((files, rest))
}

const COMMAND_LINE: &str = "the command line";

/// Splits the command line into settings. A value may be the next argument where one is required.
fn parse_arguments(args: &[String]) -> Result<Vec<Setting>, String> {
    let source = || COMMAND_LINE.to_owned();
    let mut out = Vec::new();
    let mut it = args.iter().peekable();
    while let Some(a) = it.next() {
        if let Some(long) = a.strip_prefix("--") {
            let (name, mut value) = match long.split_once('=') {
                Some((n, v)) => (n.to_owned(), Some(v.to_owned())),
                None => (long.to_owned(), None),
            };
            if value.is_none() && requires_value(&name) {
                let next = it.next().ok_or(format!("option '--{name}' requires an argument"))?;
                value = Some(next.clone());
            }
            out.push(Setting { name, value, source: source() });
        } else if let Some(short) = a.strip_prefix('-').filter(|s| !s.is_empty()) {
            let letter = short.chars().next().unwrap_or(' ');
            let (_, name) = SHORT.iter().find(|(c, _)| *c == letter).ok_or(format!("unknown option '-{letter}'"))?;
            let attached = short.get(letter.len_utf8()..).filter(|v| !v.is_empty()).map(str::to_owned);
            let value = match attached {
                None if requires_value(name) => {
                    Some(it.next().cloned().ok_or(format!("option '-{letter}' requires an argument"))?)
                }
                v => v,
            };
            out.push(Setting { name: (*name).to_owned(), value, source: source() });
        } else {
            return Err(format!("Too many arguments (first extra is '{a}')."));
        }
    }
    Ok(out)
}

/// Dashes for underscores, lower case, without `loose-`; the flag says whether it had that.
fn normalize(name: &str) -> (String, bool) {
    let n = name.to_ascii_lowercase().replace('_', "-");
    match n.strip_prefix("loose-") {
        Some(rest) => (rest.to_owned(), true),
        None => (n, false),
    }
}

fn variable(name: &str) -> Option<Var> {
    Var::by_name(&name.replace('-', "_")).filter(|v| v.def().flags.has(Flags::OPT))
}

fn requires_value(name: &str) -> bool {
    let (name, _) = normalize(name);
    match variable(&name) {
        // log_error alone means a default file name in mysqld; here it has to be named.
        Some(v) => v.def().kind != Kind::Bool,
        None => EXTRA.iter().any(|(n, value, _)| *n == name && *value && *n != "log-bin"),
    }
}

fn apply(o: &mut Options, s: &Setting) -> Result<(), String> {
    let (name, loose) = normalize(&s.name);
    let value = s.value.as_deref();
    if apply_extra(o, &name, value)? {
        return Ok(());
    }
    if let Some(v) = variable(&name) {
        return set(o, v, value.unwrap_or(""), s);
    }
    for (prefix, on) in [("skip-", "0"), ("disable-", "0"), ("enable-", "1")] {
        if let Some(rest) = name.strip_prefix(prefix) {
            if let Some(v) = variable(rest).filter(|v| v.def().kind == Kind::Bool) {
                return set(o, v, on, s);
            }
            if matches!(rest, "log-bin" | "symbolic-links" | "mysqlx") {
                return Ok(());
            }
            if rest == "ssl" {
                o.tls = on == "1";
                return Ok(());
            }
        }
    }
    if let Some(v) = name.strip_prefix("maximum-").and_then(variable) {
        o.warnings.push(format!("--maximum-{} is not enforced", v.name()));
        return Ok(());
    }
    if loose {
        o.warnings.push(format!("unknown option '--loose-{name}' is ignored"));
        return Ok(());
    }
    let given = match value {
        Some(v) => format!("--{}={v}", s.name),
        None => format!("--{}", s.name),
    };
    Err(format!("unknown variable or option '{given}' (from {})", s.source))
}

fn apply_extra(o: &mut Options, name: &str, value: Option<&str>) -> Result<bool, String> {
    let on = !matches!(value, Some("0" | "off" | "OFF" | "false" | "FALSE"));
    match name {
        "help" | "verbose" if on => {
            if name == "help" {
                o.action = Action::Help;
            }
        }
        "version" => o.action = Action::Version,
        "print-defaults" => o.action = Action::PrintDefaults,
        "initialize" if on => o.action = Action::Initialize,
        "initialize-insecure" if on => o.action = Action::InitializeInsecure,
        "console" | "no-monitor" | "symbolic-links" => {}
        "ssl" => o.tls = on,
        "user" => o.user = value.map(str::to_owned),
        "default-time-zone" => {
            let zone = value.unwrap_or_default();
            value::TimeZone::by_name(zone).map_err(|e| e.message().to_owned())?;
            o.globals.store(Var::time_zone, Raw::Text(Some(zone.into())));
        }
        "mysqlx" if !on => {}
        "log-bin" if !on => {}
        "log-bin" | "daemonize" | "skip-grant-tables" | "mysqlx" => {
            return Err(format!("option '--{name}' is not supported by this version of Evenkeel"));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn set(o: &mut Options, v: Var, text: &str, s: &Setting) -> Result<(), String> {
    let d = v.def();
    let raw = from_option(d, text)?;
    o.warnings.extend(catalog::sysvar::out_of_range(d, text));
    if d.flags.has(Flags::FIXED) && raw != o.globals.raw(v) {
        return Err(format!(
            "option '--{}={text}': this version of Evenkeel supports only {}",
            d.name,
            o.globals.get(v).show()
        ));
    }
    if v == Var::bind_address {
        listen_addresses(text, 0)?;
    }
    if d.scope != Scope::Session {
        o.globals.store(v, raw);
        o.globals.note(v, origin(&s.source));
    }
    Ok(())
}

/// Where a setting comes from, as variables_info says it: a file without the number of the line.
fn origin(source: &str) -> Origin {
    let source = source.rsplit_once(':').map_or(source, |(file, _)| file);
    let kind = match source {
        COMMAND_LINE => return Origin { source: "COMMAND_LINE", ..Origin::default() },
        file if file.starts_with("/etc/") => "GLOBAL",
        file if file.ends_with("/.my.cnf") => "USER",
        _ => "EXPLICIT",
    };
    Origin { source: kind, path: source.to_owned(), ..Origin::default() }
}

/// The socket addresses of `bind_address`: `*`, addresses, `localhost`, comma separated.
pub fn listen_addresses(list: &str, port: u16) -> Result<Vec<std::net::SocketAddr>, String> {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    let mut out = Vec::new();
    for part in list.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let ip = match part {
            "*" | "::" => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
            "localhost" => IpAddr::V4(Ipv4Addr::LOCALHOST),
            p => {
                p.parse().map_err(|_| format!("bind-address: '{p}' is not an IP address (names are not looked up)"))?
            }
        };
        out.push(SocketAddr::new(ip, port));
    }
    Ok(out)
}

/// A path option relative to the data directory.
pub fn in_datadir(datadir: &Path, path: &str) -> PathBuf {
    datadir.join(path)
}

/// The text of `--help`: every option with its default.
pub fn help_text() -> String {
    let g = GlobalVars::new();
    let mut out = String::from(
        "Usage: evenkeel serve [OPTIONS]\n\nOption files: /etc/my.cnf /etc/mysql/my.cnf ~/.my.cnf, groups [mysqld] [server] [evenkeel]\n\
         --no-defaults           Read no option file (first argument)\n\
         --defaults-file=#       Read only this option file (first argument)\n\
         --defaults-extra-file=# Read this file after the global ones (first argument)\n\n",
    );
    for (name, value, doc) in EXTRA {
        let name = format!("--{name}{}", if *value { "=#" } else { "" });
        out.push_str(&format!("{name:<56} {doc}\n"));
    }
    out.push_str("\nVariables (default in parentheses); --skip-NAME turns a switch off, sizes take K, M, G, T:\n");
    for v in Var::all().filter(|v| v.def().flags.has(Flags::OPT)) {
        let d = v.def();
        let name = d.name.replace('_', "-");
        let shown = format!("--{name}{}", if d.kind == Kind::Bool { "[=ON|OFF]" } else { "=#" });
        out.push_str(&format!("{shown:<56} {} ({})\n", d.doc, g.get(v).show()));
    }
    out
}
