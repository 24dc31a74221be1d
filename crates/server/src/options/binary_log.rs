//! Options of the binary log that are no variables. Tested with the other options.

/// What was given.
#[derive(Clone, Debug, Default)]
pub struct BinaryLog {
    /// `log-bin`.
    pub on: bool,
    /// Its value: name of the files.
    pub name: Option<String>,
    /// `log-bin-index`.
    pub index: Option<String>,
    /// `binlog-do-db`.
    pub do_db: Vec<String>,
    /// `binlog-ignore-db`.
    pub ignore_db: Vec<String>,
}

impl BinaryLog {
    /// Takes one; `plain`: it was written without a prefix such as `skip-`, which gives a value that is no name.
    pub(super) fn take(&mut self, name: &str, value: Option<&str>, plain: bool, on: bool) {
        let text = value.filter(|v| !v.is_empty()).map(str::to_owned);
        match name {
            "log-bin" => {
                self.on = plain || on;
                self.name = text.filter(|_| plain);
            }
            "log-bin-index" => self.index = text,
            "binlog-do-db" => self.do_db.extend(text),
            "binlog-ignore-db" => self.ignore_db.extend(text),
            _ => {}
        }
    }
}
