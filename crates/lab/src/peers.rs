//! Servers: this program, others that the lab starts, and targets that run already.
//!
//! A server that the lab starts has a folder of its own, listens on a socket in it only, has no password, and ends with
//! its [`Server`]: by SIGTERM, and after a while by force. All get the same pool, redo log and `O_DIRECT`; apart from
//! that each one's defaults count.

mod commands;

use crate::args::{Options, Peer, Place, Target};
use crate::client::Client;
use crate::groups::Group;
use crate::lab::Lab;
use crate::program::{self, Folder, Running};
use crate::stop::Stop;
use crate::sysbench::Sysbench;
use crate::{Result, failed};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a server may take to answer for the first time, and to end.
const PATIENCE: Duration = Duration::from_secs(120);
/// The schema that the lab makes.
pub(crate) const SCHEMA: &str = "evenkeel_lab";

/// Which server.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Subject {
    Own,
    Peer(Peer),
    Target(Target),
}

impl Subject {
    pub(crate) fn name(&self) -> &str {
        match self {
            Subject::Own => "evenkeel",
            Subject::Peer(p) => p.name(),
            Subject::Target(t) => &t.name,
        }
    }

    /// All that a run asks for, in the order of reports.
    pub(crate) fn all(options: &Options) -> Vec<Subject> {
        let own = options.own.then_some(Subject::Own);
        let peers = options.peers.iter().map(|p| Subject::Peer(*p));
        own.into_iter().chain(peers).chain(options.targets.iter().cloned().map(Subject::Target)).collect()
    }
}

/// How much Performance Schema records: the article's levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Whatever the server does by itself.
    Untold,
    Off,
    None,
    Tables,
    Statements,
    Default,
    Everything,
}

/// What an experiment wants of a server.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) pool_mb: u64,
    pub(crate) connections: u32,
    /// Data on /dev/shm.
    pub(crate) in_memory: bool,
    pub(crate) level: Level,
}

/// A server under test. Fields end in their order: the process, its control group, its folder.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) client: Client,
    pub(crate) sysbench: Sysbench,
    /// Its process, if that is on this machine.
    pub(crate) pid: Option<u32>,
    /// The group that it is in.
    pub(crate) group: Option<Group>,
    running: Option<Running>,
    folder: Option<Folder>,
    subject: Subject,
    pub(crate) version: String,
    /// Schemas that were made.
    schemas: Vec<&'static str>,
    stop: Stop,
}

impl Server {
    /// Starts a server, or finds the target.
    pub(crate) fn start(lab: &mut Lab, subject: &Subject, wanted: &Wanted) -> Result<Server> {
        lab.stop.check()?;
        let mut server = match subject {
            Subject::Target(t) => {
                let client = Client::new(t.place.clone(), &t.user, &t.password, &lab.folder, &lab.stop)?;
                Server::of(lab, subject, client)?
            }
            _ => {
                let memory = Path::new("/dev/shm");
                let parent = if wanted.in_memory && memory.is_dir() { memory } else { lab.options.temp.as_path() };
                let folder = Folder::new(parent)?;
                let place = Place::Socket(folder.path().join("run.sock"));
                let client = Client::new(place, "root", "", &lab.folder, &lab.stop)?;
                let mut server = Server::of(lab, subject, client)?;
                server.folder = Some(folder);
                server.begin(lab, wanted)?;
                server
            }
        };
        let version = server.client.query("SELECT CONCAT(VERSION(), ' ', @@version_comment)")?;
        let version = version.one().unwrap_or_default().to_owned();
        lab.outcome.server(subject.name(), &version);
        server.version = version;
        if let Subject::Target(t) = subject {
            server.pid = local_pid(&server.client, &t.place);
        }
        Ok(server)
    }

    fn of(lab: &Lab, subject: &Subject, client: Client) -> Result<Server> {
        Ok(Server {
            name: subject.name().to_owned(),
            sysbench: Sysbench::new(&client, &lab.folder, &lab.stop)?,
            client,
            pid: None,
            group: None,
            running: None,
            folder: None,
            subject: subject.clone(),
            version: String::new(),
            schemas: Vec::new(),
            stop: lab.stop.clone(),
        })
    }

    /// Whether it is Evenkeel.
    pub(crate) fn is_own(&self) -> bool {
        self.subject == Subject::Own || self.version.contains("Evenkeel")
    }

    /// Whether it is a MySQL 5, which today's mysqldump does not know.
    pub(crate) fn is_old(&self) -> bool {
        self.version.starts_with("5.")
    }

    /// The folder of its data.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(Folder::path)
    }

    fn begin(&mut self, lab: &Lab, wanted: &Wanted) -> Result<()> {
        let Some(folder) = self.folder.as_ref().map(Folder::path) else { return failed("the server has no folder") };
        let install = commands::Install { lab, folder, subject: &self.subject };
        let command = install.ready(wanted)?;
        let mut running = Running::start(command, self.subject.name(), folder, false)?;
        self.pid = Some(running.pid());
        let began = Instant::now();
        while !self.client.answers() {
            lab.stop.check()?;
            if running.ended()?.is_some() || began.elapsed() > PATIENCE {
                return failed(format!("{} does not start:\n{}", self.name, running.tail()));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        self.running = Some(running);
        Ok(())
    }

    /// Ends it and starts it again on its data, perhaps with other options. A target is left alone.
    pub(crate) fn again(&mut self, lab: &Lab, wanted: &Wanted) -> Result<()> {
        if let Some(mut r) = self.running.take() {
            r.end(&self.stop, PATIENCE);
            self.begin(lab, wanted)?;
        }
        Ok(())
    }

    /// Makes the lab's schema. On a target it must not be there yet: it is dropped in the end.
    pub(crate) fn make_schema(&mut self) -> Result<()> {
        self.make_second_schema(SCHEMA)
    }

    /// Makes one more schema, as [`Server::make_schema`].
    pub(crate) fn make_second_schema(&mut self, name: &'static str) -> Result<()> {
        // `_` is not a wildcard here
        let has = self.client.query(&format!("SHOW DATABASES WHERE `Database` = '{name}'"))?;
        if !has.rows.is_empty() {
            return failed(format!("{} has a schema {name} already, which the lab would drop", self.name));
        }
        self.client.query(&format!("CREATE DATABASE {name}"))?;
        self.schemas.push(name);
        Ok(())
    }

    /// Processor seconds used so far; `None` where its process is not known.
    pub(crate) fn cpu(&self) -> Option<f64> {
        program::cpu_seconds(self.pid?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        match &mut self.running {
            Some(r) => r.end(&self.stop, PATIENCE),
            // its data go even when somebody has asked the lab to stop
            None if matches!(self.subject, Subject::Target(_)) => {
                self.schemas.iter().for_each(|s| self.client.drop_schema(s))
            }
            None => {}
        }
        self.running = None;
        self.group = None;
    }
}

/// The process of a target on this machine: its pid file says it, and it is one that takes such a socket or port.
fn local_pid(client: &Client, place: &Place) -> Option<u32> {
    if !matches!(place, Place::Socket(_)) && !matches!(place, Place::Port(h, _) if h == "localhost" || h == "127.0.0.1")
    {
        return None;
    }
    let file = client.query("SELECT @@pid_file, @@datadir").ok()?;
    let row = file.rows.first()?;
    let (file, data) = (row.first()?.as_deref()?, row.get(1)?.as_deref()?);
    let pid: u32 = std::fs::read_to_string(PathBuf::from(data).join(file)).ok()?.trim().parse().ok()?;
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    ["mysqld", "mariadbd", "evenkeel", "main", "ld-linux-x86-64"].contains(&name.trim()).then_some(pid)
}
