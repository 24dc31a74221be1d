//! The command line of `evenkeel lab`.

use std::path::PathBuf;

pub(crate) const HELP: &str = "\
Usage: evenkeel lab EXPERIMENT... [OPTIONS]   measures servers as four articles about MySQL did
       evenkeel lab resume FOLDER             goes on with a run that was stopped
       evenkeel lab report FOLDER             makes tables and page anew from what was measured

Experiments:
  connections      point selects by more and more connections
  quota            updates under a CPU quota of a control group
  side-load        a hot table in memory beside mysqldump and SELECT * of a large one
  instrumentation  what Performance Schema costs, level by level
  all              these four

Servers (this one is always among them, unless --without-own):
  --peer=NAME      start another server as well: mariadb, mysql, mysql55 (several: commas, or the option again)
  --target=NAME=URL  measure a server that runs: mysql://USER[:PASSWORD]@HOST[:PORT], or the path of its socket. The
                   lab makes a schema evenkeel_lab there and drops it. Better than in the URL is a password in the
                   environment: EVENKEEL_LAB_PASSWORD
  --without-own    leave out this server
  --mysql=FOLDER   where mysql is: what scripts/mysql-peer.sh fetched (else EVENKEEL_MYSQL, else mysqld in the PATH)
  --mysql55=PATH   where mysql55 is: mysql-connector-mxj-db-files-5.0.12.jar, or the folder of its unpacked content
                   (else EVENKEEL_MYSQL55, else the jar in ~/.m2)

How much:
  --quick          small and short: all experiments in less than ten minutes; the report says so
  --rounds=N       measurements of each kind          --seconds=N   length of one
  --rows=N         rows of a table                    --threads=LIST  connections (connections, instrumentation)

Where:
  --out=FOLDER     for result.json and report.html (default: evenkeel-lab)
  --temp=FOLDER    for the servers' data (default: TMPDIR, else /tmp)
Needed: sysbench, and of MariaDB's or MySQL's clients mysql and mysqldump. Control groups need root.";

/// The experiments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Connections,
    Quota,
    SideLoad,
    Instrumentation,
}

impl Which {
    pub(crate) const ALL: [Which; 4] = [Which::Connections, Which::Quota, Which::SideLoad, Which::Instrumentation];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Which::Connections => "connections",
            Which::Quota => "quota",
            Which::SideLoad => "side-load",
            Which::Instrumentation => "instrumentation",
        }
    }
}

/// Servers that the lab can start beside its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    MariaDb,
    MySql,
    MySql55,
}

impl Peer {
    const ALL: [Peer; 3] = [Peer::MariaDb, Peer::MySql, Peer::MySql55];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Peer::MariaDb => "mariadb",
            Peer::MySql => "mysql",
            Peer::MySql55 => "mysql55",
        }
    }
}

/// How to reach a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Socket(PathBuf),
    Port(String, u16),
}

/// A server that runs already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) user: String,
    pub(crate) password: String,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Options {
    pub(crate) experiments: Vec<Which>,
    pub(crate) own: bool,
    pub(crate) peers: Vec<Peer>,
    pub(crate) targets: Vec<Target>,
    pub(crate) quick: bool,
    pub(crate) rounds: Option<u32>,
    pub(crate) seconds: Option<u32>,
    pub(crate) rows: Option<u64>,
    pub(crate) threads: Option<Vec<u32>>,
    pub(crate) out: PathBuf,
    pub(crate) temp: PathBuf,
    pub(crate) mysql: Option<PathBuf>,
    pub(crate) mysql55: Option<PathBuf>,
    /// What was written on the command line, without passwords: for the report, and for [`Wish::Run`] again.
    pub(crate) written: Vec<String>,
    pub(crate) resume: bool,
}

#[derive(PartialEq, Debug)]
pub(crate) enum Wish {
    Help,
    Run(Box<Options>),
    Report(PathBuf),
}

type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads the arguments behind `lab`. `env` gives variables of the environment.
pub(crate) fn parse(arguments: &[String], env: Env<'_>) -> Result<Wish, String> {
    if arguments.is_empty() {
        return Err("say which experiment: connections, quota, side-load, instrumentation, or all".into());
    }
    if arguments.iter().any(|a| a == "--help" || a == "-?" || a == "-h" || a == "help") {
        return Ok(Wish::Help);
    }
    match arguments {
        [what] if what == "resume" || what == "report" => return Err(format!("{what} of which folder?")),
        [what, folder] if what == "report" => return Ok(Wish::Report(folder.into())),
        [what, folder] if what == "resume" => {
            let written = crate::outcome::written(&PathBuf::from(folder)).map_err(|e| match e {
                crate::Trouble::Failed(text) => text,
                crate::Trouble::Stopped => String::new(),
            })?;
            let mut options = run(&written, env)?;
            options.out = folder.into();
            options.resume = true;
            return Ok(Wish::Run(Box::new(options)));
        }
        _ => {}
    }
    run(arguments, env).map(|o| Wish::Run(Box::new(o)))
}

fn nothing(env: Env<'_>) -> Options {
    let path = |name: &str| env(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    Options {
        experiments: Vec::new(),
        own: true,
        peers: Vec::new(),
        targets: Vec::new(),
        quick: false,
        rounds: None,
        seconds: None,
        rows: None,
        threads: None,
        out: "evenkeel-lab".into(),
        temp: path("TMPDIR").unwrap_or_else(|| "/tmp".into()),
        mysql: path("EVENKEEL_MYSQL"),
        mysql55: path("EVENKEEL_MYSQL55"),
        written: Vec::new(),
        resume: false,
    }
}

fn run(arguments: &[String], env: Env<'_>) -> Result<Options, String> {
    let mut o = nothing(env);
    let mut rest = arguments.iter();
    while let Some(a) = rest.next() {
        let Some(option) = a.strip_prefix("--") else {
            let named = Which::ALL.iter().find(|w| w.name() == a);
            match named {
                Some(w) if !o.experiments.contains(w) => o.experiments.push(*w),
                Some(_) => {}
                None if a == "all" => o.experiments = Which::ALL.to_vec(),
                None => return Err(format!("there is no experiment '{a}'")),
            }
            o.written.push(a.clone());
            continue;
        };
        let (name, mut value) = match option.split_once('=') {
            Some((n, v)) => (n, Some(v.to_owned())),
            None => (option, None),
        };
        if name == "quick" || name == "without-own" {
            if value.is_some() {
                return Err(format!("--{name} takes no value"));
            }
            if name == "quick" {
                o.quick = true
            } else {
                o.own = false
            }
            o.written.push(a.clone());
            continue;
        }
        value = value.or_else(|| rest.next().cloned());
        let Some(value) = value.filter(|v| !v.is_empty()) else { return Err(format!("--{name} wants a value")) };
        let kept = option_of(&mut o, name, &value, env)?;
        o.written.push(format!("--{name}={kept}"));
    }
    if o.experiments.is_empty() {
        return Err("say which experiment: connections, quota, side-load, instrumentation, or all".into());
    }
    if !o.own && o.peers.is_empty() && o.targets.is_empty() {
        return Err("--without-own leaves no server: name one with --peer or --target".into());
    }
    Ok(o)
}

/// Takes one option in; its value as it may be kept.
fn option_of(o: &mut Options, name: &str, value: &str, env: Env<'_>) -> Result<String, String> {
    match name {
        "peer" => {
            for one in value.split(',') {
                let peer = Peer::ALL.into_iter().find(|p| p.name() == one);
                let peer = peer.ok_or_else(|| format!("--peer={one}: known are mariadb, mysql, mysql55"))?;
                if !o.peers.contains(&peer) {
                    o.peers.push(peer);
                }
            }
        }
        "target" => {
            let (target, kept) = target(value, env)?;
            let taken = |n: &str| n == "evenkeel" || Peer::ALL.iter().any(|p| p.name() == n);
            if taken(&target.name) || o.targets.iter().any(|t| t.name == target.name) {
                return Err(format!("--target={kept}: the name is taken"));
            }
            o.targets.push(target);
            return Ok(kept);
        }
        "rounds" => o.rounds = Some(number(name, value, 1, 1000)? as u32),
        "seconds" => o.seconds = Some(number(name, value, 1, 3600)? as u32),
        "rows" => o.rows = Some(number(name, value, 100, 1_000_000_000)?),
        "threads" => {
            let each = value.split(',').map(|v| number(name, v, 1, 20_000).map(|n| n as u32));
            let mut all = each.collect::<Result<Vec<u32>, String>>()?;
            all.sort_unstable();
            all.dedup();
            o.threads = Some(all);
        }
        "out" => o.out = value.into(),
        "temp" => o.temp = value.into(),
        "mysql" => o.mysql = Some(value.into()),
        "mysql55" => o.mysql55 = Some(value.into()),
        _ => return Err(format!("there is no option --{name}")),
    }
    Ok(value.to_owned())
}

fn number(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let n = value.parse::<u64>().ok().filter(|n| (least..=most).contains(n));
    n.ok_or_else(|| format!("--{name}={value}: a number from {least} to {most} is wanted"))
}

/// `NAME=URL`: the target, and the text without its password.
fn target(text: &str, env: Env<'_>) -> Result<(Target, String), String> {
    let wrong =
        |why: &str| Err(format!("--target: {why}; NAME=mysql://USER@HOST:PORT or NAME=/path/of/socket is wanted"));
    let Some((name, url)) = text.split_once('=') else { return wrong("there is no name") };
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.is_empty() || !name.chars().all(plain) || name.len() > 30 {
        return wrong("a name has letters, digits, '.', '-', '_'");
    }
    let of_env = || env("EVENKEEL_LAB_PASSWORD").unwrap_or_default();
    if url.starts_with('/') {
        let place = Place::Socket(url.into());
        let target = Target { name: name.into(), place, user: "root".into(), password: of_env() };
        return Ok((target, text.to_owned()));
    }
    let Some(rest) = url.strip_prefix("mysql://") else { return wrong("the address is neither a URL nor a path") };
    let (who, host) = rest.rsplit_once('@').unwrap_or(("root", rest));
    let (user, password) = match who.split_once(':') {
        Some((u, p)) => (unescape(u), unescape(p)),
        None => (unescape(who), of_env()),
    };
    let shown = who.split(':').next().unwrap_or_default();
    let host = host.trim_end_matches('/');
    let place = if host.starts_with('/') || host.starts_with("%2F") {
        Place::Socket(unescape(host).into())
    } else {
        // [::1]:3306, host:3306, host
        let (h, port) = match host.rsplit_once(':') {
            Some((h, p)) if !p.contains(']') => (h, p.parse::<u16>().ok()),
            _ => (host, Some(3306)),
        };
        let Some(port) = port else { return wrong("the port is no number") };
        Place::Port(h.trim_matches(['[', ']']).to_owned(), port)
    };
    if user.is_empty() || place == Place::Port(String::new(), 3306) {
        return wrong("user or host is missing");
    }
    Ok((Target { name: name.into(), place, user, password }, format!("{name}=mysql://{shown}@{host}")))
}

/// %XX of a URL.
fn unescape(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(b) = bytes.next() {
        let two: Option<u8> = if b == b'%' {
            let hex: Vec<u8> = bytes.clone().take(2).collect();
            std::str::from_utf8(&hex).ok().filter(|h| h.len() == 2).and_then(|h| u8::from_str_radix(h, 16).ok())
        } else {
            None
        };
        match two {
            Some(v) => {
                out.push(v);
                bytes.nth(1);
            }
            None => out.push(b),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Result<Wish, String> {
        let all: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        parse(&all, &|name| (name == "EVENKEEL_LAB_PASSWORD").then(|| "of env".into()))
    }

    fn options(text: &str) -> Options {
        match given(text) {
            Ok(Wish::Run(o)) => *o,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn experiments_and_sizes() {
        let o = options("quota connections quota --quick --rounds=2 --seconds 5 --threads=8,1,8 --rows=1000");
        assert_eq!(o.experiments, [Which::Quota, Which::Connections]);
        assert_eq!((o.quick, o.rounds, o.seconds, o.rows), (true, Some(2), Some(5), Some(1000)));
        assert_eq!(o.threads, Some(vec![1, 8]));
        assert_eq!(options("all").experiments, Which::ALL);
        let o = options("side-load --without-own --peer=mariadb,mysql --peer mysql55 --out=/x --temp=/y --mysql=/z");
        assert_eq!((o.own, o.peers, o.out), (false, Peer::ALL.to_vec(), "/x".into()));
        assert_eq!(given("all --help"), Ok(Wish::Help));
        assert_eq!(given("report /x"), Ok(Wish::Report("/x".into())));
    }

    #[test]
    fn targets() {
        let t = |text: &str| options(&format!("all --target={text}")).targets.remove(0);
        let port = |h: &str, p| Place::Port(h.into(), p);
        assert_eq!(t("a=mysql://root@db1:3307").place, port("db1", 3307));
        assert_eq!(t("a=mysql://db1").place, port("db1", 3306));
        assert_eq!(t("a=mysql://u@[::1]:5").place, port("::1", 5));
        assert_eq!(t("a=mysql://u@[::1]").place, port("::1", 3306));
        assert_eq!(t("a=/run/x.sock").place, Place::Socket("/run/x.sock".into()));
        let both = |t: Target| (t.user, t.password);
        assert_eq!(both(t("a=mysql://me:p%40%3aw@h")), ("me".into(), "p@:w".into()));
        assert_eq!(both(t("a=mysql://me@h")), ("me".into(), "of env".into()));
    }

    #[test]
    fn what_is_kept_has_no_password_and_means_the_same() {
        let o = options("connections --target=a=mysql://me:secret@h:1 --quick --peer mysql");
        assert_eq!(o.written, ["connections", "--target=a=mysql://me@h:1", "--quick", "--peer=mysql"]);
        let again = options(&o.written.join(" "));
        assert_eq!((again.peers, again.quick), (o.peers, o.quick));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, word) in [
            ("", "which experiment"),
            ("--quick", "which experiment"),
            ("speed", "'speed'"),
            ("all --fast", "--fast"),
            ("all --peer=oracle", "oracle"),
            ("all --rounds=0", "--rounds=0"),
            ("all --threads=1,x", "--threads=x"),
            ("all --seconds", "--seconds"),
            ("all --quick=1", "--quick"),
            ("all --without-own", "no server"),
            ("all --target=mysql://h", "no name"),
            ("all --target=a=h:1", "neither"),
            ("all --target=a=mysql://h:x", "port"),
            ("all --target=mysql=/x", "taken"),
            ("resume", "which folder"),
            ("resume /nothing/here", "/nothing/here"),
        ] {
            let got = given(text);
            assert!(matches!(&got, Err(e) if e.contains(word)), "{text}: {got:?}");
        }
    }
}
