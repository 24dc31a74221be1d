//! Options of the binary log that are no variables, and what must hold of those that are. Tested with the others.

use catalog::sysvar::{GlobalVars, Var};

/// What was given.
#[derive(Clone, Debug)]
pub struct BinaryLog {
    /// `log-bin`: it is on unless `skip-log-bin` says otherwise.
    pub on: bool,
    /// `log-bin` was given: without a value the files are called after the host then.
    pub asked: bool,
    /// Its value: name of the files.
    pub name: Option<String>,
    /// `log-bin-index`.
    pub index: Option<String>,
    /// `binlog-do-db`.
    pub do_db: Vec<String>,
    /// `binlog-ignore-db`.
    pub ignore_db: Vec<String>,
    /// `replicate-do-db` and the other filters of a replica: names and values.
    pub replicate: Vec<(String, String)>,
}

impl Default for BinaryLog {
    fn default() -> BinaryLog {
        BinaryLog {
            on: true,
            asked: false,
            name: None,
            index: None,
            do_db: Vec::new(),
            ignore_db: Vec::new(),
            replicate: Vec::new(),
        }
    }
}

impl BinaryLog {
    /// Takes one; `plain`: it was written without a prefix such as `skip-`, which gives a value that is no name.
    pub(super) fn take(&mut self, name: &str, value: Option<&str>, plain: bool, on: bool) {
        let text = value.filter(|v| !v.is_empty()).map(str::to_owned);
        match name {
            "log-bin" => {
                self.on = plain || on;
                self.asked = self.on;
                self.name = text.filter(|_| plain);
            }
            "log-bin-index" => self.index = text,
            "binlog-do-db" => self.do_db.extend(text),
            "binlog-ignore-db" => self.ignore_db.extend(text),
            _ if name.starts_with("replicate-") => self.replicate.extend(text.map(|v| (name.to_owned(), v))),
            _ => {}
        }
    }
}

/// What stops a start, as it stops SET GLOBAL gtid_mode: GTIDs without the refusal of statements that cannot have one.
pub(super) fn contradiction(globals: &GlobalVars) -> Option<&'static str> {
    let is = |v: Var, word: &str| globals.get(v).show() == word;
    (is(Var::gtid_mode, "ON") && !is(Var::enforce_gtid_consistency, "ON"))
        .then_some("GTID_MODE = ON requires ENFORCE_GTID_CONSISTENCY = ON.")
}
