//! Questions to a server, asked through the installed client `mysql` (or `mariadb`), whose batch output is read.
//!
//! Passwords stand in a file that only its owner can read, never on a command line.

use crate::args::Place;
use crate::program::{self, Folder, Running};
use crate::stop::Stop;
use crate::{Result, failed};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Longest time of a question.
const LONGEST: Duration = Duration::from_secs(120);

/// What a statement answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Option<String>>>,
}

impl Answer {
    /// The first column of the first row.
    pub(crate) fn one(&self) -> Option<&str> {
        self.rows.first()?.first()?.as_deref()
    }
}

/// How to speak to a server: its address and account, and the programs that do.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) place: Place,
    pub(crate) user: String,
    password: String,
    file: PathBuf,
    folder: PathBuf,
    mysql: PathBuf,
    dump: Option<PathBuf>,
    stop: Stop,
}

impl Client {
    /// A client for a server; its file lies in `folder`.
    pub(crate) fn new(place: Place, user: &str, password: &str, folder: &Folder, stop: &Stop) -> Result<Client> {
        let Some(mysql) = program::find(&["mysql", "mariadb"]) else {
            return failed("the client `mysql` is not installed (Debian: mariadb-client or default-mysql-client)");
        };
        let file = folder.path().join(format!("client-{:08x}.cnf", sys::process::random_u64() as u32));
        let quoted = |t: &str| format!("\"{}\"", t.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = format!("[client]\nuser={}\npassword={}\n", quoted(user), quoted(password));
        match &place {
            Place::Socket(path) => text += &format!("socket={}\n", quoted(&path.to_string_lossy())),
            Place::Port(host, port) => text += &format!("host={}\nport={port}\nprotocol=tcp\n", quoted(host)),
        }
        let mut f = std::fs::File::options().write(true).create_new(true).mode(0o600).open(&file)?;
        f.write_all(text.as_bytes())?;
        Ok(Client {
            place,
            user: user.to_owned(),
            password: password.to_owned(),
            file,
            folder: folder.path().to_owned(),
            mysql,
            dump: program::find(&["mysqldump", "mariadb-dump"]),
            stop: stop.clone(),
        })
    }

    /// Lines for a file of sysbench's options: who logs in, and where.
    pub(crate) fn sysbench(&self) -> String {
        let mut text = format!("mysql-user={}\n", self.user);
        if !self.password.is_empty() {
            text += &format!("mysql-password={}\n", self.password);
        }
        match &self.place {
            Place::Socket(path) => text + &format!("mysql-socket={}\n", path.display()),
            Place::Port(host, port) => text + &format!("mysql-host={host}\nmysql-port={port}\n"),
        }
    }

    /// Where files of its programs lie.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn command(&self, program: &PathBuf) -> Command {
        let mut c = Command::new(program);
        c.arg(format!("--defaults-file={}", self.file.display()));
        c
    }

    /// Runs a statement.
    pub(crate) fn query(&self, sql: &str) -> Result<Answer> {
        self.stop.check()?;
        let text = self.text(sql, LONGEST)?;
        Ok(parse(&text))
    }

    /// Drops a schema of the lab's, even when the lab is to stop.
    pub(crate) fn drop_schema(&self, schema: &str) {
        let last = Client { stop: Stop::default(), ..self.clone() };
        if last.query(&format!("DROP DATABASE IF EXISTS {schema}")).is_err() {
            eprintln!("evenkeel lab: the schema {schema} could not be dropped");
        }
    }

    /// Whether the server answers.
    pub(crate) fn answers(&self) -> bool {
        self.text("SELECT 1", Duration::from_secs(5)).is_ok()
    }

    fn text(&self, sql: &str, longest: Duration) -> Result<String> {
        let mut c = self.command(&self.mysql);
        c.args(["--batch", "--default-character-set=utf8mb4", "--connect-timeout=5", "-e", sql]);
        program::run(c, "mysql", &self.folder, &self.stop, longest)
    }

    /// Starts a client that reads all rows of a statement and forgets them.
    pub(crate) fn reads(&self, sql: &str) -> Result<Running> {
        let mut c = self.command(&self.mysql);
        c.args(["--batch", "--quick", "--skip-column-names", "-e", sql]);
        Running::start(c, "select", &self.folder, true)
    }

    /// Starts a dump of a table to nowhere.
    pub(crate) fn dumps(&self, schema: &str, table: &str) -> Result<Running> {
        let Some(dump) = &self.dump else {
            return failed("`mysqldump` is not installed (Debian: mariadb-client or default-mysql-client)");
        };
        let mut c = self.command(dump);
        c.args(["--skip-lock-tables", "--single-transaction", "--quick", schema, table]);
        Running::start(c, "mysqldump", &self.folder, true)
    }

    /// A status variable as a number.
    pub(crate) fn status(&self, name: &str) -> Option<f64> {
        let a = self.query(&format!("SHOW GLOBAL STATUS LIKE '{name}'")).ok()?;
        a.rows.first()?.get(1)?.as_deref()?.parse().ok()
    }
}

/// Batch output: a line of names, a line a row, columns between tabs.
fn parse(text: &str) -> Answer {
    let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let Some(head) = lines.next().filter(|h| !h.is_empty()) else { return Answer::default() };
    let columns = head.split('\t').map(unescape).collect();
    let cell = |c: &str| (c != "NULL").then(|| unescape(c));
    Answer { columns, rows: lines.map(|l| l.split('\t').map(cell).collect()).collect() }
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('0') => out.push('\0'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_output() {
        let a = parse("a\tb\n1\tx\\ty\\nz\\\\\nNULL\t\n");
        assert_eq!(a.columns, ["a", "b"]);
        assert_eq!(a.rows, [vec![Some("1".into()), Some("x\ty\nz\\".into())], vec![None, Some(String::new())]]);
        assert_eq!(a.one(), Some("1"));
        assert_eq!(parse(""), Answer::default());
    }
}
