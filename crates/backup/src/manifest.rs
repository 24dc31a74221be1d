//! What the first and the last block say, as JSON.

use crate::error::{Error, Result};
use base::Lsn;
use serde_json::{Map, Value, json};
use storage::backup::Start;

/// Version of what is written.
const FORMAT: u64 = 1;

/// The first block: which backup this is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Begin {
    /// The backup's own number: 32 hex digits.
    pub id: String,
    /// The backup on which this one builds; empty: none.
    pub base: String,
    /// Where the recovery of what is restored starts.
    pub start: Start,
    /// Pages whose LSN is not beyond this were left out.
    pub since: Lsn,
    /// The server that was read.
    pub server_uuid: String,
    /// Its version.
    pub version: String,
    /// Names are kept in lower case.
    pub folded: bool,
    /// When it began, seconds since 1970.
    pub time: u64,
    /// Bytes of the tablespaces' files.
    pub bytes: u64,
}

/// The last block: what state this is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct End {
    /// Recovery ends here.
    pub end: Lsn,
    /// File of the binary log; empty: there was none.
    pub log_file: String,
    /// Position in it.
    pub log_position: u64,
    /// `gtid_executed`.
    pub executed: String,
    /// When, seconds since 1970.
    pub time: u64,
}

/// What is asked of a server (COM_CLONE): `{"evenkeel": 1}`, and for what has changed since another backup `base`, its
/// number, and `since`, its checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// The backup on which the new one is to build, and where that one's recovery starts.
    pub since: Option<(String, Lsn)>,
}

impl Request {
    /// As JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        let all = match &self.since {
            None => json!({"evenkeel": FORMAT}),
            Some((base, since)) => json!({"evenkeel": FORMAT, "base": base, "since": since.0}),
        };
        all.to_string().into_bytes()
    }

    /// `None`: it is of another server, or of another version.
    pub fn parse(bytes: &[u8]) -> Option<Request> {
        let all: Value = serde_json::from_slice(bytes).ok()?;
        if all.get("evenkeel").and_then(Value::as_u64) != Some(FORMAT) {
            return None;
        }
        let base = all.get("base").and_then(Value::as_str).unwrap_or_default();
        let since = all.get("since").and_then(Value::as_u64).unwrap_or_default();
        Some(Request { since: (!base.is_empty()).then(|| (base.to_owned(), Lsn(since))) })
    }
}

fn object(bytes: &[u8], what: &str) -> Result<Map<String, Value>> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(o)) => Ok(o),
        _ => Err(Error::damaged(what, "not a description of a backup")),
    }
}

fn number(o: &Map<String, Value>, name: &str, what: &str) -> Result<u64> {
    o.get(name).and_then(Value::as_u64).ok_or_else(|| Error::damaged(what, format!("no number '{name}'")))
}

fn text(o: &Map<String, Value>, name: &str, what: &str) -> Result<String> {
    let text = o.get(name).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| Error::damaged(what, format!("no text '{name}'")))
}

impl Begin {
    /// As JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        json!({
            "format": FORMAT, "id": self.id, "base": self.base, "checkpoint": self.start.checkpoint.0,
            "run": self.start.run.0, "since": self.since.0, "server_uuid": self.server_uuid, "version": self.version,
            "lower_case_table_names": u64::from(self.folded), "time": self.time, "bytes": self.bytes,
        })
        .to_string()
        .into_bytes()
    }

    /// # Errors
    /// `Damaged`; `Refused`: a later version.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Begin> {
        let o = object(bytes, file)?;
        if number(&o, "format", file)? != FORMAT {
            return Err(Error::Refused(format!("'{file}' is a backup of another version of Evenkeel")));
        }
        let lsn = |name| number(&o, name, file).map(Lsn);
        Ok(Begin {
            id: text(&o, "id", file)?,
            base: text(&o, "base", file)?,
            start: Start { checkpoint: lsn("checkpoint")?, run: lsn("run")? },
            since: lsn("since")?,
            server_uuid: text(&o, "server_uuid", file)?,
            version: text(&o, "version", file)?,
            folded: number(&o, "lower_case_table_names", file)? == 1,
            time: number(&o, "time", file)?,
            bytes: number(&o, "bytes", file)?,
        })
    }
}

impl End {
    /// As JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        json!({
            "end": self.end.0, "binlog_file": self.log_file, "binlog_position": self.log_position,
            "gtid_executed": self.executed, "time": self.time,
        })
        .to_string()
        .into_bytes()
    }

    /// # Errors
    /// `Damaged`.
    pub fn parse(bytes: &[u8], file: &str) -> Result<End> {
        let o = object(bytes, file)?;
        Ok(End {
            end: Lsn(number(&o, "end", file)?),
            log_file: text(&o, "binlog_file", file)?,
            log_position: number(&o, "binlog_position", file)?,
            executed: text(&o, "gtid_executed", file)?,
            time: number(&o, "time", file)?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn back_and_forth() {
        let begin = Begin {
            id: "a".into(),
            base: String::new(),
            start: Start { checkpoint: Lsn(1 << 62), run: Lsn(3) },
            since: Lsn(4),
            server_uuid: "u".into(),
            version: "8.4".into(),
            folded: true,
            time: 5,
            bytes: 6,
        };
        assert_eq!(Begin::parse(&begin.to_bytes(), "x").unwrap(), begin);
        let end = End { end: Lsn(7), log_file: "bin.000001".into(), log_position: 8, executed: "g".into(), time: 9 };
        assert_eq!(End::parse(&end.to_bytes(), "x").unwrap(), end);
        for since in [None, Some(("a".to_owned(), Lsn(1 << 62)))] {
            let request = Request { since };
            assert_eq!(Request::parse(&request.to_bytes()), Some(request));
        }
        assert_eq!(Request::parse(b""), None);
        for wrong in ["", "[]", "{}", "{\"format\": 1}", "{\"format\": 2}"] {
            assert!(Begin::parse(wrong.as_bytes(), "x").is_err(), "{wrong}");
        }
    }
}
