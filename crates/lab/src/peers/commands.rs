//! How each server is made and started.

use super::{Level, Subject, Wanted};
use crate::args::Peer;
use crate::lab::Lab;
use crate::program;
use crate::{Result, failed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Longest time that making a data directory may take.
const INSTALL: Duration = Duration::from_secs(180);

/// A server that is to be started in a folder.
pub(super) struct Install<'a> {
    pub(super) lab: &'a Lab,
    pub(super) folder: &'a Path,
    pub(super) subject: &'a Subject,
}

impl Install<'_> {
    /// Makes the data directory, if there is none, and gives the command that starts the server.
    pub(super) fn ready(&self, wanted: &Wanted) -> Result<Command> {
        let mut c = match self.subject {
            Subject::Own => self.own(),
            Subject::Peer(Peer::MariaDb) => self.mariadb()?,
            Subject::Peer(Peer::MySql) => self.mysql()?,
            Subject::Peer(Peer::MySql55) => self.mysql55()?,
            Subject::Target(_) => return failed("a target runs already"),
        };
        let old = matches!(self.subject, Subject::Peer(Peer::MySql55));
        let log = match self.subject {
            Subject::Own | Subject::Peer(Peer::MySql) => "--innodb-redo-log-capacity=1G",
            Subject::Peer(Peer::MariaDb) => "--innodb-log-file-size=1G",
            // at most 4 GB in all its files, of which there are two
            _ => "--innodb-log-file-size=256M",
        };
        // its poll takes no more
        let connections = if old { wanted.connections.min(2000) } else { wanted.connections };
        let f = self.folder.display();
        c.args([
            format!("--datadir={f}/data"),
            format!("--socket={f}/run.sock"),
            format!("--pid-file={f}/data/run.pid"),
            format!("--innodb-buffer-pool-size={}M", wanted.pool_mb),
            format!("--max-connections={connections}"),
        ]);
        c.args(["--skip-networking", "--innodb-flush-log-at-trx-commit=1", "--innodb-flush-method=O_DIRECT", log]);
        c.args(level(wanted.level));
        Ok(c)
    }

    fn own(&self) -> Command {
        let mut c = Command::new(&self.lab.program);
        c.args(["serve", "--no-defaults", "--skip-log-bin"]);
        if sys::process::is_root() {
            c.arg("--user=root");
        }
        c
    }

    fn mariadb(&self) -> Result<Command> {
        let Some(server) = program::find(&["mariadbd"]) else {
            return failed("mariadbd is not installed (Debian: mariadb-server)");
        };
        let data = self.data()?;
        let user = self.user()?;
        if data.1 {
            let Some(install) = program::find(&["mariadb-install-db"]) else {
                return failed("mariadb-install-db is not installed (Debian: mariadb-server)");
            };
            let mut c = Command::new(install);
            c.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
            c.arg(format!("--datadir={}", data.0.display())).args(user.iter().map(|u| format!("--user={u}")));
            program::run(c, "mariadb-install-db", self.folder, &self.lab.stop, INSTALL)?;
        }
        let mut c = Command::new(server);
        c.arg("--no-defaults").args(user.iter().map(|u| format!("--user={u}")));
        c.args([format!("--tmpdir={}", self.folder.display()).as_str(), "--skip-log-bin", "--skip-name-resolve"]);
        Ok(c)
    }

    fn mysql(&self) -> Result<Command> {
        let base = || -> Result<Command> {
            let folder =
                self.lab.options.mysql.as_ref().map(|f| f.join("root")).filter(|f| f.join("usr/sbin/mysqld").is_file());
            if let Some(root) = folder {
                // as scripts/mysql-peer.sh fetches it: with the libraries that belong to it
                let mut c = Command::new(root.join("usr/lib64/ld-linux-x86-64.so.2"));
                c.arg("--library-path").arg(root.join("usr/lib/x86_64-linux-gnu")).arg(root.join("usr/sbin/mysqld"));
                let r = root.display();
                c.args([
                    "--no-defaults".to_owned(),
                    format!("--lc-messages-dir={r}/usr/share/mysql"),
                    format!("--character-sets-dir={r}/usr/share/mysql/charsets"),
                    format!("--plugin-dir={r}/usr/lib/mysql/plugin"),
                ]);
                return Ok(c);
            }
            let Some(server) = program::find(&["mysqld"]) else {
                return failed("there is no MySQL: scripts/mysql-peer.sh fetches one; --mysql=FOLDER says where it is");
            };
            let mut c = Command::new(server);
            c.arg("--no-defaults");
            Ok(c)
        };
        let data = self.folder.join("data");
        let mut start = base()?;
        let user = sys::process::is_root().then_some("--user=root");
        if !data.exists() {
            let mut c = base()?;
            c.arg("--initialize-insecure").arg(format!("--datadir={}", data.display())).args(user);
            program::run(c, "mysqld-initialize", self.folder, &self.lab.stop, INSTALL)?;
        }
        start.args(user).args(["--mysqlx=OFF", "--skip-log-bin", "--skip-name-resolve", "--secure-file-priv="]);
        Ok(start)
    }

    fn mysql55(&self) -> Result<Command> {
        let given = self.lab.options.mysql55.clone();
        let from = given.unwrap_or_else(|| {
            let home = std::env::var("HOME").unwrap_or_default();
            let name = "mysql-connector-mxj-db-files";
            PathBuf::from(home).join(format!(".m2/repository/mysql/{name}/5.0.12/{name}-5.0.12.jar"))
        });
        let unpacked = if from.is_dir() { from.clone() } else { self.folder.join("mysql55") };
        let binary = unpacked.join("5-5-9/Linux-x86_64/mysqld");
        if !binary.is_file() {
            if !from.is_file() {
                return failed(format!(
                    "there is no MySQL 5.5.9 ({}): `mvn dependency:get -Dartifact=mysql:mysql-connector-mxj-db-files:5.0.12` \
                     fetches it; --mysql55=PATH says where it is",
                    from.display()
                ));
            }
            self.unzip(&from, &["5-5-9/Linux-x86_64/*", "5-5-9/*.jar"], &unpacked)?;
        }
        make_executable(&binary)?;
        let data = self.data()?;
        if data.1 {
            self.unzip(&unpacked.join("5-5-9/share_dir.jar"), &[], &self.folder.join("base"))?;
            self.unzip(&unpacked.join("5-5-9/data_dir.jar"), &[], &data.0)?;
        }
        let user = self.user()?;
        if data.1
            && let Some(user) = &user
        {
            give(&data.0, user)?;
        }
        let mut c = Command::new(binary);
        c.arg("--no-defaults").args(user.iter().map(|u| format!("--user={u}")));
        c.arg(format!("--basedir={}/base", self.folder.display()));
        c.args(["--skip-grant-tables", "--skip-name-resolve"]);
        Ok(c)
    }

    /// The data directory, made if it was not there, and whether that was so.
    fn data(&self) -> Result<(PathBuf, bool)> {
        let data = self.folder.join("data");
        let fresh = !data.exists();
        if fresh {
            std::fs::create_dir(&data)?;
        }
        Ok((data, fresh))
    }

    /// As whom a server runs that root may not be: its folders are given to him.
    fn user(&self) -> Result<Option<String>> {
        if !sys::process::is_root() {
            return Ok(None);
        }
        let name = if sys::process::user_by_name("mysql").is_some() { "mysql" } else { "root" };
        for f in [self.folder.to_owned(), self.folder.join("data")] {
            own(&f, name)?;
        }
        Ok(Some(name.to_owned()))
    }

    fn unzip(&self, archive: &Path, what: &[&str], to: &Path) -> Result<()> {
        let mut c = Command::new("unzip");
        c.args(["-q", "-o"]).arg(archive).args(what).arg("-d").arg(to);
        program::run(c, "unzip", self.folder, &self.lab.stop, INSTALL).map(|_| ())
    }
}

fn make_executable(binary: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(binary)?.permissions().mode();
    if mode & 0o111 == 0o111 { Ok(()) } else { Ok(std::fs::set_permissions(binary, PermissionsExt::from_mode(0o755))?) }
}

fn own(path: &Path, name: &str) -> Result<()> {
    let Some(user) = sys::process::user_by_name(name) else { return Ok(()) };
    Ok(std::os::unix::fs::chown(path, Some(user.uid), Some(user.gid))?)
}

/// Gives a folder and all in it to a user.
fn give(folder: &Path, name: &str) -> Result<()> {
    own(folder, name)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { give(&entry.path(), name)? } else { own(&entry.path(), name)? }
    }
    Ok(())
}

/// Consumers of 8.4; `--loose-`: older servers lack some.
const CONSUMERS: [&str; 15] = [
    "events-stages-current",
    "events-stages-history",
    "events-stages-history-long",
    "events-statements-cpu",
    "events-statements-current",
    "events-statements-history",
    "events-statements-history-long",
    "events-transactions-current",
    "events-transactions-history",
    "events-transactions-history-long",
    "events-waits-current",
    "events-waits-history",
    "events-waits-history-long",
    "statements-digest",
    "global-instrumentation",
];
const THREADS: &str = "thread-instrumentation";

/// Options that make a level, as the article defines it.
pub(super) fn level(level: Level) -> Vec<String> {
    let instrument = |text: &str| format!("--performance-schema-instrument={text}");
    let on = "--performance-schema=ON".to_owned();
    let consumers = |wanted: &dyn Fn(&str) -> bool| {
        let state = |c: &str| if wanted(c) { "ON" } else { "OFF" };
        let all = CONSUMERS.into_iter().chain([THREADS]);
        all.map(|c| format!("--loose-performance-schema-consumer-{c}={}", state(c))).collect::<Vec<_>>()
    };
    let base = |c: &str| c == THREADS || c == "global-instrumentation";
    let (instruments, consumers) = match level {
        Level::Untold => return Vec::new(),
        Level::Off => return vec!["--performance-schema=OFF".into()],
        Level::Default => return vec![on],
        Level::None => (vec!["%=OFF"], consumers(&|_| false)),
        Level::Tables => (vec!["%=OFF", "wait/%/table/%=ON", "wait/io/file/%=ON"], consumers(&base)),
        Level::Statements => (vec!["%=OFF", "statement/%=ON"], consumers(&|c| base(c) || c == "statements-digest")),
        Level::Everything => (vec!["%=ON"], consumers(&|_| true)),
    };
    let instruments = instruments.into_iter().map(instrument);
    std::iter::once(on).chain(instruments).chain(consumers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        assert!(level(Level::Untold).is_empty());
        assert_eq!(level(Level::Off), ["--performance-schema=OFF"]);
        let on = |l: Level| level(l).iter().filter(|o| o.ends_with("=ON") && o.contains("consumer")).count();
        let levels = [Level::None, Level::Tables, Level::Statements, Level::Everything];
        assert_eq!(levels.map(on), [0, 2, 3, 16]);
        assert!(level(Level::Tables).contains(&"--performance-schema-instrument=wait/io/file/%=ON".to_owned()));
    }
}
