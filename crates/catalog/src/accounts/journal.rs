//! The file of the accounts as bytes: a JSON document, and lines behind it.
//!
//! A line is one statement: the CRC-32 of its JSON as 8 hex digits, a space, the JSON (an array of accounts as they are now, or of
//! `{"gone": [user, host]}`), a line feed. Only the last line can be a line that was never acknowledged: a power cut leaves it short, or with
//! zeros where its end, or all of it, never reached the disk. Anything else that does not fit its checksum is damage, and nothing is read
//! then. Pure code. Tested in `store.rs`.

use super::{Account, Change};
use serde_json::Value;
use std::sync::Arc;

/// The document at the beginning, and where the lines begin. A file of an older version ends with the document.
pub(super) fn document(text: &[u8]) -> Result<(Value, usize), String> {
    let mut all = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    let root = match all.next() {
        Some(v) => v.map_err(|e| e.to_string())?,
        None => return Err("it is empty".into()),
    };
    let end = all.byte_offset();
    let feed = usize::from(text.get(end) == Some(&b'\n'));
    Ok((root, end + feed))
}

/// What the lines say.
pub(super) struct Lines {
    pub(super) changes: Vec<Value>,
    /// Where the last line begins, and how many changes come before it.
    pub(super) last: (usize, usize),
    /// Length of the lines that are whole.
    pub(super) len: usize,
    /// Whether another line can follow.
    pub(super) appendable: bool,
}

/// Reads what stands behind the document.
pub(super) fn lines(text: &[u8]) -> Result<Lines, String> {
    let mut out = Lines { changes: Vec::new(), last: (0, 0), len: 0, appendable: true };
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.iter().position(|b| *b == b'\n');
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        match (end, checked(line)) {
            (Some(end), Some(json)) => {
                let changes: Value = serde_json::from_slice(json).map_err(|e| e.to_string())?;
                let Value::Array(list) = changes else { return Err("a line that is no list of changes".into()) };
                out.last = (out.len, out.changes.len());
                out.changes.extend(list);
                out.len += end + 1;
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            // the end of the last line did not reach the disk
            (None, _) => return Ok(out),
            (Some(end), None) if rest.len() == end + 1 && line.contains(&0) => return Ok(out),
            (Some(_), None) => return Err("a line whose checksum is wrong".into()),
        }
    }
    Ok(out)
}

/// The JSON of a line whose checksum is right.
fn checked(line: &[u8]) -> Option<&[u8]> {
    let (sum, json) = line.split_at_checked(9)?;
    let sum = std::str::from_utf8(sum.strip_suffix(b" ")?).ok()?;
    (u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(json)).then_some(json)
}

/// The line of a statement.
pub(super) fn line(changes: &Value) -> serde_json::Result<Vec<u8>> {
    let json = serde_json::to_vec(changes)?;
    let mut out = format!("{:08x} ", crc32fast::hash(&json)).into_bytes();
    out.extend_from_slice(&json);
    out.push(b'\n');
    Ok(out)
}

/// Does to the accounts what a line says.
pub(super) fn replay(all: &mut Vec<Account>, change: Change) {
    match change {
        Change::Gone(user, host) => all.retain(|a| !a.is_named(&user, &host)),
        Change::Set(new) => {
            let new = Arc::unwrap_or_clone(new);
            match all.iter_mut().find(|a| a.is_named(&new.user, &new.host)) {
                Some(a) => *a = new,
                None => all.push(new),
            }
        }
    }
}
