//! Options: the command line and option files, into [`GlobalVars`].
//!
//! Names are those of the system variables (with `-` or `_`), with mysqld's prefixes (`skip-`, `disable-`, `enable-`, `loose-`), and the options of
//! [`others`] that are no variables. Option files come first in MySQL's order, then the command line; the last one wins. What only prints (`--help`,
//! `--version`, `--print-defaults`) comes before anything is judged. Then everything that is wrong is told at once: unknown options with file, line and what
//! may have been meant. Nothing here touches the data directory.
//!
//! Tested: `tests.rs`, `tests/clients/test_option_files.py`.

mod addresses;
mod binary_log;
mod command_line;
mod file;
mod help;
mod near;
mod others;
mod recorded;
#[cfg(test)]
mod tests;

pub use addresses::{Place, listen_addresses};
pub use binary_log::BinaryLog;
use catalog::sysvar::{Flags, GlobalVars, Kind, Raw, Scope, Var, from_option};
use others::{Meaning, Takes};
use recorded::{Recorded, Wrong};
use std::collections::BTreeMap;
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
    /// Print help with all variables and their values.
    VerboseHelp,
    /// Print the version.
    Version,
    /// Print the arguments with those of option files.
    PrintDefaults,
    /// Say whether the options are right.
    ValidateConfig,
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
    /// `--daemonize`.
    pub daemonize: bool,
    /// `--skip-grant-tables`.
    pub skip_grants: bool,
    /// `--metrics-port`, `--metrics-bind`.
    pub metrics: Place,
    /// `--dashboard-port`, `--dashboard-bind`.
    pub dashboard: Place,
    /// What performance_schema records.
    pub recorded: Recorded,
    /// The binary log.
    pub binary_log: BinaryLog,
    /// `--mysql-native-password`, where it is given.
    pub native_password: Option<bool>,
    /// Warnings for the log.
    pub warnings: Vec<String>,
    /// What is wrong. The server does not start with any.
    pub problems: Vec<Problem>,
    /// Options that are no variables, as given.
    given: BTreeMap<String, String>,
}

/// Something wrong with the options: MySQL's number in the error log, and the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Number, MY-000067 for an unknown variable.
    pub code: u32,
    /// What is wrong, where, and what to do.
    pub text: String,
}

impl Problem {
    fn new(code: u32, text: impl Into<String>) -> Problem {
        Problem { code, text: text.into() }
    }
    fn missing(name: &str) -> Problem {
        Problem::new(10_000, format!("option '--{name}' requires an argument"))
    }
}

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

const COMMAND_LINE: &str = "the command line";

/// Reads option files and the command line (without the program's name and `serve`).
pub fn load(args: &[String]) -> Options {
    let mut o = Options {
        action: Action::Serve,
        globals: GlobalVars::new(),
        arguments: Vec::new(),
        tls: true,
        user: None,
        daemonize: false,
        skip_grants: false,
        native_password: None,
        metrics: Place::default(),
        dashboard: Place::default(),
        recorded: Recorded::default(),
        binary_log: BinaryLog::default(),
        warnings: Vec::new(),
        problems: Vec::new(),
        given: BTreeMap::new(),
    };
    recorded::defaults(&o.globals);
    let files = match command_line::option_files(args) {
        Ok(f) => f,
        Err(e) => {
            o.problems.push(e);
            return o;
        }
    };
    let own = command_line::settings(&files.rest, &mut o.problems);
    o.action = action(&own, files.print);
    if matches!(o.action, Action::Version | Action::Help) {
        return o;
    }
    let mut settings = Vec::new();
    for (path, must_exist) in &files.list {
        let mut reader =
            file::Reader { suffix: files.suffix.as_deref(), out: &mut settings, warnings: &mut o.warnings };
        if let Err(e) = reader.read(path, *must_exist) {
            o.problems.push(Problem::new(10_000, e));
        }
    }
    o.arguments = settings.iter().map(Setting::argument).collect();
    o.arguments.extend(files.rest.iter().cloned());
    settings.extend(own);
    for s in &settings {
        if let Err(e) = apply(&mut o, s) {
            o.problems.push(e);
        }
    }
    o.problems.extend(binary_log::contradiction(&o.globals).map(|why| Problem::new(1779, why)));
    o
}

/// What the command line asks for; printing comes first. Option files cannot ask for it.
fn action(own: &[Setting], print_defaults: bool) -> Action {
    let asked = |name: &str| own.iter().any(|s| normalize(&s.name).0 == name && is_on(s.value.as_deref()));
    let table = [
        (print_defaults, Action::PrintDefaults),
        (asked("version"), Action::Version),
        (asked("help") && asked("verbose"), Action::VerboseHelp),
        (asked("help"), Action::Help),
        (asked("validate-config"), Action::ValidateConfig),
        (asked("initialize-insecure"), Action::InitializeInsecure),
        (asked("initialize"), Action::Initialize),
    ];
    table.into_iter().find(|(hit, _)| *hit).map_or(Action::Serve, |(_, a)| a)
}

impl Setting {
    fn argument(&self) -> String {
        match &self.value {
            Some(v) => format!("--{}={v}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

/// Dashes for underscores, lower case, without `loose-`; the flag says whether it had that.
fn normalize(name: &str) -> (String, bool) {
    let n = name.to_ascii_lowercase().replace('_', "-");
    match n.strip_prefix("loose-") {
        Some(rest) => (rest.to_owned(), true),
        None => (n, false),
    }
}

fn is_on(value: Option<&str>) -> bool {
    !value.is_some_and(|v| ["0", "off", "false", "no"].iter().any(|n| n.eq_ignore_ascii_case(v)))
}

fn variable(name: &str) -> Option<Var> {
    Var::by_name(&name.replace('-', "_")).filter(|v| v.def().flags.has(Flags::OPT))
}

fn requires_value(name: &str) -> bool {
    let (name, _) = normalize(name);
    match variable(&name) {
        // log_error alone means a default file name in mysqld; here it has to be named.
        Some(v) => v.def().kind != Kind::Bool && v != Var::event_scheduler,
        None => others::find(&name).is_some_and(|o| o.takes == Takes::Value),
    }
}

fn apply(o: &mut Options, s: &Setting) -> Result<(), Problem> {
    let (name, loose) = normalize(&s.name);
    let value = s.value.as_deref();
    if let Some(v) = variable(&name) {
        return set(o, v, value.unwrap_or(""), s, loose);
    }
    if let Some(done) = apply_other(o, &name, value, s, loose) {
        return done;
    }
    for (prefix, on) in [("skip-", "0"), ("disable-", "0"), ("enable-", "1")] {
        if let Some(rest) = name.strip_prefix(prefix) {
            // `--skip-x=0` turns x on (manual, "Program Option Modifiers"); of words the first is off
            let on = if (value == Some("0")) == (on == "0") { "1" } else { "0" };
            if let Some(v) = variable(rest).filter(|v| matches!(v.def().kind, Kind::Bool | Kind::Enum(_))) {
                return set(o, v, on, s, loose);
            }
            if let Some(done) = others::find(rest).and_then(|_| apply_other(o, rest, Some(on), s, loose)) {
                return done;
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
    let hint = near::hint(&name);
    Err(match value {
        Some(v) => Problem::new(67, format!("unknown variable '{}={v}' ({}){hint}", s.name, s.source)),
        None => Problem::new(68, format!("unknown option '--{}' ({}){hint}", s.name, s.source)),
    })
}

/// An option that is no variable; `None`: there is no such option either.
fn apply_other(
    o: &mut Options,
    name: &str,
    value: Option<&str>,
    s: &Setting,
    loose: bool,
) -> Option<Result<(), Problem>> {
    let other = others::find(name)?;
    let on = is_on(value);
    o.given.insert(name.to_owned(), value.unwrap_or(if other.takes == Takes::Switch { "TRUE" } else { "" }).to_owned());
    let written = s.argument();
    Some(match other.meaning {
        Meaning::Nothing => Ok(()),
        Meaning::NoEffect(why) => {
            if on {
                o.warnings.push(format!("option '{written}' ({}) has no effect: {why}", s.source));
            }
            Ok(())
        }
        Meaning::Protects(_) if !on => Ok(()),
        Meaning::Protects(what) if loose => {
            o.warnings.push(format!("option '{written}' ({}) is ignored: there is not {what}", s.source));
            Ok(())
        }
        Meaning::Protects(what) => Err(Problem::new(
            10_000,
            format!(
                "option '{written}' ({}): Evenkeel does not have {what}, and would start without it. Remove the option, or write \
                 'loose-{name}' to start all the same",
                s.source
            ),
        )),
        Meaning::Acts => act(o, name, value, s, loose),
    })
}

fn act(o: &mut Options, name: &str, value: Option<&str>, s: &Setting, loose: bool) -> Result<(), Problem> {
    let on = is_on(value);
    let refuse = |why: &str| Err(Problem::new(10_000, format!("option '{}' ({}): {why}", s.argument(), s.source)));
    match name {
        "daemonize" => o.daemonize = on,
        "skip-grant-tables" => {
            o.skip_grants = on;
            if on {
                // nobody is asked for a password: nobody from elsewhere
                o.globals.store(Var::skip_networking, Raw::Num(1));
            }
        }
        "metrics-bind" | "metrics-port" | "dashboard-bind" | "dashboard-port" => {
            let place = if name.starts_with("metrics") { &mut o.metrics } else { &mut o.dashboard };
            if let Err(why) = place.take(name, value.unwrap_or_default()) {
                return refuse(why);
            }
        }
        "mysql-native-password" => o.native_password = Some(on),
        "ssl" => o.tls = on,
        "user" => o.user = value.map(str::to_owned),
        "default-time-zone" => {
            let zone = value.unwrap_or_default();
            if let Err(e) = value::TimeZone::by_name(zone) {
                return refuse(e.message());
            }
            o.globals.store(Var::time_zone, Raw::Text(Some(zone.into())));
        }
        "plugin-load" | "plugin-load-add" | "early-plugin-load" => match others::plugins(value.unwrap_or_default()) {
            Ok(said) => o.warnings.extend(said.into_iter().map(|w| format!("{w} ({})", s.source))),
            Err(e) if loose => o.warnings.push(format!("{e} ({})", s.source)),
            Err(e) => return refuse(&e),
        },
        _ if name.contains("log-bin") || name.starts_with("binlog-") || name.starts_with("replicate-") => {
            o.binary_log.take(name, value, normalize(&s.name).0 == name, on);
        }
        _ if name.starts_with("performance-schema-") => match o.recorded.take(name, value, on) {
            Ok(()) | Err(Wrong::Another) => {}
            Err(Wrong::Value) => {
                let (name, source) = (s.argument(), &s.source);
                o.warnings.push(format!("option '{name}' ({source}): neither ON, OFF nor COUNTED; ignored"));
            }
            Err(Wrong::Consumer) => return refuse("there is no such consumer"),
        },
        "sysdate-is-now" if on => return refuse("SYSDATE() is the time of its call, which is not supported to change"),
        // the actions
        _ => {}
    }
    Ok(())
}

fn set(o: &mut Options, v: Var, text: &str, s: &Setting, loose: bool) -> Result<(), Problem> {
    let d = v.def();
    let wrong = |e: String| Problem::new(10_000, format!("{e} ({})", s.source));
    // alone it means ON, as in MySQL
    let text = if s.value.is_none() && text.is_empty() && v == Var::event_scheduler { "ON" } else { text };
    if s.value.is_none() && text.is_empty() && d.kind != Kind::Bool {
        return Err(wrong(format!("option '--{}' requires an argument", s.name)));
    }
    let spaceless: String;
    let text = if v == Var::authentication_policy {
        spaceless = text.split_whitespace().collect();
        &spaceless
    } else {
        text
    };
    let raw = from_option(d, text).map_err(wrong)?;
    o.warnings.extend(catalog::sysvar::out_of_range(d, text));
    if d.flags.has(Flags::FIXED) && raw != o.globals.raw(v) {
        let nothing = others::MEANS_NOTHING.iter().find(|(name, _)| *name == d.name).map(|(_, why)| *why);
        if let Some(why) = nothing.or(loose.then_some("it is not supported")) {
            o.warnings.push(format!("option '{}' ({}) has no effect: {why}", s.argument(), s.source));
            return Ok(());
        }
        return Err(wrong(format!("option '--{}={text}': Evenkeel supports only {}", d.name, o.globals.get(v).show())));
    }
    if let Some(why) = recorded::is_not_built(v, &raw, probe::instruments::BUILT) {
        let said = format!("option '{}' ({}): {why}", s.argument(), s.source);
        o.warnings.extend(loose.then(|| said.clone()));
        return if loose { Ok(()) } else { Err(Problem::new(10_000, said)) };
    }
    if v == Var::bind_address {
        listen_addresses(text, 0).map_err(wrong)?;
    }
    if v == Var::lc_messages && !text.get(..3).is_some_and(|p| p.eq_ignore_ascii_case("en_")) {
        o.warnings.push(format!("lc_messages={text} ({}): messages are in English only", s.source));
    }
    if d.scope != Scope::Session {
        o.globals.store(v, raw);
        o.globals.note(v, file::origin(&s.source));
    }
    Ok(())
}

/// A path option relative to the data directory.
pub fn in_datadir(datadir: &Path, path: &str) -> PathBuf {
    datadir.join(path)
}

/// The text of `--help` or `--verbose --help`.
pub fn help_text(o: &Options, program: &str) -> String {
    if o.action == Action::Help {
        return help::short(program);
    }
    help::complete(&o.globals);
    help::verbose(program, &o.globals, &o.given)
}
