//! `evenkeel backup` and `evenkeel restore` (docs/backup.md).
//!
//! `backup` is a client: it logs in, asks for a backup (COM_CLONE) and keeps its blocks in a folder or writes them to
//! the standard output. `restore` reads one or a chain of them, verifies every block, and makes a data directory. What
//! fails is said in one line on the standard error, and the exit code is 1 (2: wrong arguments). A folder that was not
//! completed is no backup, and a data directory that was not completed is started by no server.
//! Tested: `tests/backup`.

use crate::backup_options::{self, Arguments};
use crate::forward::{self, Log};
use backup::block::{Block, Codec, Order};
use backup::forward::Plan;
use backup::keep::{Folder, Keeper, Stream};
use backup::manifest::Request;
use backup::read::{Reader, manifest};
use backup::restore::{Chain, Restore};
use backup::{Begin, End, Error, Kind};
use replica::{Client, Failed, Settings};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use value::TimeZone;
use value::temporal::format::format_datetime;

/// How long the server may be silent.
const PATIENCE: Duration = Duration::from_secs(600);

/// Runs `evenkeel backup`; the process's exit code.
pub fn backup(args: &[String]) -> u8 {
    run(args, backup_options::BACKUP_HELP, &backup_options::BACKUP, take)
}

/// Runs `evenkeel restore`; the process's exit code.
pub fn restore(args: &[String]) -> u8 {
    run(args, backup_options::RESTORE_HELP, &backup_options::RESTORE, put_back)
}

fn run(args: &[String], help: &str, known: &[&str], work: fn(&Arguments) -> Result<(), Error>) -> u8 {
    let args = match backup_options::read(args, known) {
        Ok(a) if a.has("help") => {
            print!("{help}");
            return 0;
        }
        Ok(a) => a,
        Err(e) => {
            eprintln!("evenkeel: {e}\n{help}");
            return 2;
        }
    };
    match work(&args) {
        Ok(()) => 0,
        Err(e) => {
            eprintln!("evenkeel: {e}");
            1
        }
    }
}

fn refused(text: impl Into<String>) -> Error {
    Error::Refused(text.into())
}

/// Says how far it is, on a terminal only.
struct Progress {
    shown: bool,
    all: u64,
    done: u64,
    last: Instant,
    what: &'static str,
}

impl Progress {
    fn new(quiet: bool, what: &'static str) -> Progress {
        let shown = !quiet && std::io::stderr().is_terminal();
        Progress { shown, all: 0, done: 0, last: Instant::now(), what }
    }

    fn block(&mut self, b: &Block) {
        match b.kind {
            Kind::Begin => self.all += Begin::parse(&b.bytes, "").map_or(0, |b| b.bytes),
            Kind::Pages => self.done += b.bytes.len() as u64,
            _ => {}
        }
        self.show();
    }

    fn show(&mut self) {
        if self.shown && self.last.elapsed() > Duration::from_millis(200) {
            self.last = Instant::now();
            let (pct, mib) = (self.done.saturating_mul(100) / self.all.max(1), self.done >> 20);
            let bar: String = (0..40).map(|i| if i * 100 < pct * 40 { '#' } else { '.' }).collect();
            eprint!("\r{}: [{bar}] {:3} % {mib} MiB", self.what, pct.min(100));
        }
    }

    fn end(&self) {
        if self.shown {
            eprint!("\r{:80}\r", "");
        }
    }
}

fn connect(args: &Arguments) -> Result<Client, Error> {
    let s = Settings {
        host: args.value("host").unwrap_or("127.0.0.1").to_owned(),
        port: args.number("port")?.unwrap_or(3306) as u16,
        user: args.value("user").map_or_else(|| std::env::var("USER").unwrap_or_else(|_| "root".into()), str::to_owned),
        password: args.password(),
        ssl: args.has("ssl") || args.value("ssl-ca").is_some(),
        ssl_ca: args.value("ssl-ca").unwrap_or_default().to_owned(),
        ssl_verify: args.value("ssl-ca").is_some(),
        get_public_key: args.has("get-server-public-key"),
        ..Settings::default()
    };
    let connected = match (args.value("socket"), args.value("host")) {
        (Some(path), None | Some("localhost")) => Client::connect_local(Path::new(path), &s, PATIENCE),
        _ => Client::connect(&s, PATIENCE),
    };
    connected.map_err(|e| refused(format!("ERROR {}: {}", e.code, e.text)))
}

/// `evenkeel backup`.
fn take(args: &Arguments) -> Result<(), Error> {
    let to =
        args.value("to").ok_or_else(|| refused("where to? Write --to=FOLDER, or --to=- for the standard output"))?;
    let codec = match args.value("compress").unwrap_or("zstd") {
        "none" => Codec::None,
        "zstd" => Codec::Zstd(args.number("compress-level")?.unwrap_or(1).clamp(1, 19) as i32),
        other => return Err(refused(format!("--compress is none or zstd, not '{other}'"))),
    };
    let mut request = Request::default();
    if let Some(base) = args.value("incremental-from") {
        let base = manifest(Path::new(base))?.begin;
        request.since = Some((base.id, base.start.checkpoint));
    }
    if to == "-" && std::io::stdout().is_terminal() {
        return Err(refused("the standard output is a terminal: a backup is not text"));
    }
    if to != "-" {
        Folder::unused(Path::new(to))?;
    }
    // compressing is what a backup costs; where the server is on the same machine its clients come first
    sys::process::stand_back(args.number("nice")?.unwrap_or(19).min(19) as u8);
    let failed = |e: Failed| refused(format!("ERROR {}: {}", e.code, e.text));
    let mut client = connect(args)?;
    let version = client.value("SELECT @@version_comment").map_err(failed)?.unwrap_or_default();
    if !version.contains("Evenkeel") {
        return Err(refused(format!("this is no Evenkeel server ({version}): its own tools make its backups")));
    }
    client.clone_data(&request.to_bytes()).map_err(failed)?;
    let mut progress = Progress::new(args.has("quiet"), "backup");
    // made once the server sends: what it refuses leaves no folder in the way of the next attempt
    let mut first = Some(client.block().map_err(failed)?);
    let mut keeper: Box<dyn Keeper> = match to {
        "-" => Box::new(Stream::new(std::io::stdout().lock(), "standard output", codec)),
        folder => Box::new(Folder::create(Path::new(folder), codec)?),
    };
    let (mut order, mut end) = (Order::default(), None);
    while let Some(bytes) = first.take().map_or_else(|| client.block().map_err(failed), Ok)? {
        let block = Block::parse(&bytes, "the server's answer")?;
        order.check(&block, "the server's answer")?;
        if block.kind == Kind::End {
            end = Some(End::parse(&block.bytes, "the server's answer")?);
        }
        keeper.keep(&block)?;
        progress.block(&block);
    }
    progress.end();
    let end = end.ok_or_else(|| refused("the server has ended the backup before its end"))?;
    let bytes = keeper.finish()?;
    if !args.has("quiet") {
        let mut out = std::io::stderr().lock();
        let _ = writeln!(
            out,
            "backup complete: {} MiB read, {} MiB kept, {}",
            progress.done >> 20,
            bytes >> 20,
            state(&end)
        );
    }
    Ok(())
}

/// What state a backup holds, in words.
fn state(end: &End) -> String {
    let mut text = format!("state at LSN {}", end.end.0);
    if !end.log_file.is_empty() {
        text.push_str(&format!(", binary log {}:{}", end.log_file, end.log_position));
    }
    if !end.executed.is_empty() {
        text.push_str(&format!(", gtid_executed {}", end.executed));
    }
    text
}

/// One backup of the command line.
fn reader(from: &str) -> Result<Reader, Error> {
    match from {
        "-" => Ok(Reader::stream(Box::new(std::io::stdin()), "standard input")),
        path if Path::new(path).is_file() => {
            let file = std::fs::File::open(path).map_err(|e| Error::io(path, e))?;
            Ok(Reader::stream(Box::new(std::io::BufReader::new(file)), path))
        }
        folder => Reader::folder(Path::new(folder)),
    }
}

/// `evenkeel restore`.
fn put_back(args: &Arguments) -> Result<(), Error> {
    if args.rest.is_empty() {
        return Err(refused(
            "which backup? Write its folder, or - for the standard input; of a chain all folders, oldest first",
        ));
    }
    let log = forward::point(args)?.map(|point| Log::open(args, point)).transpose()?;
    // of folders it is known before anything is made
    if args.rest.iter().all(|from| from != "-" && !Path::new(from).is_file()) {
        Chain::of_folders(&args.rest.iter().map(Path::new).collect::<Vec<_>>())?;
    }
    let last = args.rest.last().map(Path::new).filter(|p| p.is_dir());
    if let (Some(log), Some(folder)) = (&log, last) {
        log.plan(&manifest(folder)?.end)?;
    }
    let to = args.value("datadir").or(args.value("to"));
    let mut restore = match (to, args.has("verify")) {
        (_, true) => None,
        (Some(to), false) => Some(Restore::create(Path::new(to))?),
        (None, false) => {
            return Err(refused("where to? Write --datadir=FOLDER, or --verify to look at the backup only"));
        }
    };
    let mut progress = Progress::new(args.has("quiet"), if restore.is_some() { "restore" } else { "verify" });
    let (mut end, mut chain) = (None, Chain::default());
    for from in &args.rest {
        let mut reader = reader(from)?;
        while let Some(block) = reader.next()? {
            progress.block(&block);
            if block.kind == Kind::End {
                end = Some(End::parse(&block.bytes, from)?);
            }
            match &mut restore {
                Some(r) => r.block(&block)?,
                None => chain.look(&block, from)?,
            }
        }
    }
    let Some(end) = end else { return Err(Error::damaged("ends.ekb", "the backup has no end")) };
    let plan = log.as_ref().map(|log| log.plan(&end)).transpose()?;
    let restored = restore.map(|r| r.finish(!args.has("without-settings"))).transpose()?;
    progress.end();
    let mut said = Vec::new();
    let done = restored.is_some();
    if let Some(made) = restored {
        if let (Some(log), Some(plan)) = (&log, &plan) {
            let mut progress = Progress::new(args.has("quiet"), "apply");
            progress.all = plan.parts.iter().map(|p| p.to - p.from).sum();
            said = log.apply(&made, Path::new(to.unwrap_or_default()), plan, &mut |bytes| {
                progress.done += bytes;
                progress.show();
            })?;
            progress.end();
        }
        made.complete()?;
    }
    if !args.has("quiet") {
        let what = if done { "restore complete" } else { "the backup is whole" };
        if plan.as_ref().is_some_and(|p| p.unfinished) {
            said.push(backup::forward::NOT_CLOSED.to_owned());
        }
        eprintln!("{what}: {}{}", state(&end), plan.map_or(String::new(), |p| applied(&p, done)));
        said.iter().for_each(|text| eprintln!("note: {text}"));
    }
    Ok(())
}

/// What was, or would be, applied behind the backup, in words.
fn applied(plan: &Plan, done: bool) -> String {
    let n = plan.transactions;
    let mut text =
        format!("; {n} transactions of the binary log {}", if done { "applied" } else { "are to be applied" });
    if plan.last_time > 0 {
        let mut time = Vec::new();
        format_datetime(TimeZone::Offset(0).from_unix(i64::from(plan.last_time), 0), 0, &mut time);
        text.push_str(&format!(", the last of {} UTC", String::from_utf8_lossy(&time)));
    }
    if plan.short {
        text.push_str(" (the log ends before that time)");
    }
    if !plan.executed.is_empty() {
        text.push_str(&format!(", gtid_executed {}", plan.executed).replace('\n', ""));
    }
    text
}
