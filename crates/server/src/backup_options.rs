//! Options of `evenkeel backup` and `evenkeel restore`: as MySQL's clients write them.

use backup::{Error, Result};
use std::collections::BTreeMap;

/// Options of `evenkeel backup`. `=`: takes a value.
pub const BACKUP: [&str; 15] = [
    "to=",
    "incremental-from=",
    "compress=",
    "compress-level=",
    "nice=",
    "host=",
    "port=",
    "user=",
    "password=",
    "socket=",
    "ssl-ca=",
    "ssl",
    "get-server-public-key",
    "quiet",
    "help",
];
/// Options of `evenkeel restore`.
pub const RESTORE: [&str; 10] = [
    "datadir=",
    "to=",
    "binlog-dir=",
    "to-time=",
    "to-gtid=",
    "to-position=",
    "verify",
    "without-settings",
    "quiet",
    "help",
];

/// The help of `evenkeel backup`.
pub const BACKUP_HELP: &str = "\
Usage: evenkeel backup --to=FOLDER [OPTIONS]    a backup of a running server, without a lock
  --to=FOLDER|-            a folder that is new or empty; -: the standard output
  --incremental-from=DIR   only what has changed since that backup
  --compress=zstd|none     (zstd), --compress-level=1 (1 to 19)
  --nice=N                 how far it stands back behind others on its machine (19; 0: not at all)
  -h, --host=NAME  -P, --port=N  -S, --socket=FILE  -u, --user=NAME   as of mysql
  --password=TEXT          or the variable MYSQL_PWD
  --ssl, --ssl-ca=FILE     encrypt; with a CA the server's certificate must be of it and name the host
  --get-server-public-key  ask for the key that encrypts the password
  --quiet
The account needs BACKUP_ADMIN. A password on the command line is seen by others on the machine: prefer MYSQL_PWD.
";

/// The help of `evenkeel restore`.
pub const RESTORE_HELP: &str = "\
Usage: evenkeel restore BACKUP... --datadir=FOLDER [OPTIONS]    a data directory out of a backup
  BACKUP...                a folder, a file with a stream, or - for the standard input; of a chain all, oldest first
  --datadir=FOLDER         new or empty; afterwards: evenkeel serve --datadir=FOLDER
  --verify                 only look whether all of it is there and undamaged
  --without-settings       leave out what SET PERSIST has set
  --quiet
Forward from there, along the binary log that the server wrote after the backup:
  --binlog-dir=FOLDER      where its files are; without an option below all of them are applied
  --to-time='YYYY-MM-DD hh:mm:ss'   up to the first change of that second (time zone of this machine, or +00:00 behind it)
  --to-gtid=SET            up to the last transaction of the set, with it
  --to-position=FILE:N     up to that position
";

/// What was given.
#[derive(Debug, Default)]
pub struct Arguments {
    given: BTreeMap<String, String>,
    /// What is no option.
    pub rest: Vec<String>,
}

/// One-letter options of MySQL's clients.
const SHORT: [(char, &str); 5] = [('h', "host"), ('P', "port"), ('u', "user"), ('S', "socket"), ('p', "password")];

/// Reads them.
pub fn read(args: &[String], known: &[&str]) -> std::result::Result<Arguments, String> {
    let mut out = Arguments::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let (name, mut value) = if let Some(long) = arg.strip_prefix("--") {
            match long.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (long.to_owned(), None),
            }
        } else if arg.len() > 1 && arg.starts_with('-') {
            let mut chars = arg.chars().skip(1);
            let letter = chars.next().unwrap_or_default();
            let name = SHORT.iter().find(|(c, _)| *c == letter).ok_or_else(|| format!("unknown option '{arg}'"))?.1;
            let value: String = chars.collect();
            (name.to_owned(), (!value.is_empty()).then_some(value))
        } else {
            out.rest.push(arg.clone());
            continue;
        };
        let takes = known.contains(&format!("{name}=").as_str());
        if !takes && !known.contains(&name.as_str()) {
            return Err(format!("unknown option '{arg}'"));
        }
        if takes && value.is_none() {
            value = Some(rest.next().ok_or_else(|| format!("option '{arg}' needs a value"))?.clone());
        }
        if !takes && value.is_some() {
            return Err(format!("option '--{name}' takes no value"));
        }
        out.given.insert(name, value.unwrap_or_default());
    }
    Ok(out)
}

impl Arguments {
    /// Whether an option was given.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Its value.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.given.get(name).map(String::as_str)
    }

    /// Its value as a number.
    ///
    /// # Errors
    /// `Refused`: it is none.
    pub fn number(&self, name: &str) -> Result<Option<u64>> {
        let text = self.value(name);
        let wrong = |t: &str| Error::Refused(format!("--{name}: '{t}' is no number"));
        text.map(|t| t.parse().map_err(|_| wrong(t))).transpose()
    }

    /// The password: as it was given, or of the variable MYSQL_PWD.
    pub fn password(&self) -> String {
        self.value("password").map_or_else(|| std::env::var("MYSQL_PWD").unwrap_or_default(), str::to_owned)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn as_mysqls_clients() {
        let args = |text: &str| read(&text.split(' ').map(str::to_owned).collect::<Vec<_>>(), &BACKUP);
        let a = args("-uroot -P 3307 --to=x --socket /tmp/s --quiet - more").unwrap();
        assert_eq!(a.value("user"), Some("root"));
        assert_eq!(a.number("port").unwrap(), Some(3307));
        assert_eq!(
            (a.value("to"), a.value("socket"), a.has("quiet"), a.has("ssl")),
            (Some("x"), Some("/tmp/s"), true, false)
        );
        assert_eq!(a.rest, ["-", "more"]);
        for wrong in ["--nothing", "--quiet=1", "--to", "-x", "-u"] {
            assert!(args(wrong).is_err(), "{wrong}");
        }
        assert!(args("--port=x").unwrap().number("port").is_err());
    }
}
