//! LOAD DATA that a source logs as text: its file in blocks, then the statement.
//!
//! ```text
//! BEGIN_LOAD_QUERY, APPEND_BLOCK = number of the file u32, a block of it
//! DELETE_FILE                    = number of the file u32: the statement failed
//! EXECUTE_LOAD_QUERY             = the first 13 bytes of a QUERY's body, number of the file u32, start u32, end u32,
//!                                  duplicates u8, the rest of a QUERY's body
//! ```
//! From `start` to `end` the text says where the client's file was; whoever applies it names the file that it has. This
//! server writes none of them: it logs the rows. Tested here and by `tests/binlog/test_load_as_text.py`.

use crate::le::Reader;
use crate::query::Query;
use crate::{Malformed, Result};

/// Bytes of a QUERY's body before its settings.
const QUERY_HEAD: usize = 13;

/// A block of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// Number of the file.
    pub file: u32,
    /// What comes next in it.
    pub bytes: &'a [u8],
}

/// Reads the body of BEGIN_LOAD_QUERY or APPEND_BLOCK; of DELETE_FILE, whose block is empty.
pub fn read_block(body: &[u8]) -> Result<Block<'_>> {
    let mut r = Reader(body);
    Ok(Block { file: r.u32()?, bytes: r.rest() })
}

/// What EXECUTE_LOAD_QUERY says beside its QUERY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecuteLoad {
    /// Number of the file.
    pub file: u32,
    name: (usize, usize),
    duplicates: &'static str,
    query: Vec<u8>,
}

impl ExecuteLoad {
    /// Reads the event's body.
    pub fn read(body: &[u8]) -> Result<ExecuteLoad> {
        let mut r = Reader(body);
        let head = r.bytes(QUERY_HEAD)?;
        let (file, start, end, duplicates) = (r.u32()?, r.u32()?, r.u32()?, r.u8()?);
        let duplicates = match duplicates {
            0 => "",
            1 => " IGNORE",
            2 => " REPLACE",
            _ => return Err(Malformed("LOAD DATA with an unknown way with duplicates")),
        };
        let query = [head, r.rest()].concat();
        Ok(ExecuteLoad { file, name: (start as usize, end as usize), duplicates, query })
    }

    /// The statement as it was at the source; `flags` are the header's.
    pub fn query(&self, flags: u16) -> Result<Query<'_>> {
        Query::read(flags, &self.query)
    }

    /// Its text with this file, whose name needs no quoting, in place of the client's.
    pub fn text(&self, q: &Query<'_>, name: &str) -> Result<Vec<u8>> {
        let (start, end) = self.name;
        let (Some(before), Some(after), true) = (q.text.get(..start), q.text.get(end..), start <= end) else {
            return Err(Malformed("LOAD DATA whose file's name is not in its text"));
        };
        let named = format!(" INFILE '{name}'{} INTO", self.duplicates);
        Ok([before.trim_ascii_end(), named.as_bytes(), after].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::HEADER_LEN;

    fn event(text: &[u8], name: (u32, u32), duplicates: u8) -> Vec<u8> {
        let mut q = Vec::new();
        Query { schema: b"d", text, ..Query::default() }.write(crate::Stamp::default(), false, &mut q);
        let mut body = q.split_off(HEADER_LEN);
        let rest = body.split_off(QUERY_HEAD);
        body.extend(7u32.to_le_bytes());
        body.extend(name.0.to_le_bytes());
        body.extend(name.1.to_le_bytes());
        body.push(duplicates);
        [body, rest].concat()
    }

    #[test]
    fn the_file_is_named_anew() {
        let text = b"LOAD DATA LOCAL INFILE 'it''s' INTO TABLE `t`";
        for (duplicates, wanted) in [
            (0, "LOAD DATA INFILE 'f' INTO TABLE `t`"),
            (1, "LOAD DATA INFILE 'f' IGNORE INTO TABLE `t`"),
            (2, "LOAD DATA INFILE 'f' REPLACE INTO TABLE `t`"),
        ] {
            let body = event(text, (10, 35), duplicates);
            let e = ExecuteLoad::read(&body).unwrap();
            let q = e.query(0).unwrap();
            assert_eq!((e.file, q.schema, q.text), (7, &b"d"[..], &text[..]));
            assert_eq!(String::from_utf8(e.text(&q, "f").unwrap()).unwrap(), wanted);
        }
    }

    #[test]
    fn what_is_no_such_event() {
        let text = b"LOAD DATA INFILE 'x' INTO TABLE t";
        assert!(ExecuteLoad::read(&event(text, (10, 20), 3)).is_err());
        for name in [(10, 99), (99, 99), (20, 10), (u32::MAX, u32::MAX)] {
            let e = ExecuteLoad::read(&event(text, name, 0)).unwrap();
            assert!(e.text(&e.query(0).unwrap(), "f").is_err(), "{name:?}");
        }
        let whole = event(text, (10, 20), 0);
        for n in 0..26 {
            assert!(ExecuteLoad::read(&whole[..n]).is_err(), "{n}");
        }
        assert!(read_block(&[1, 0, 0]).is_err());
        assert_eq!(read_block(&[1, 0, 0, 0, b'x']).unwrap(), Block { file: 1, bytes: b"x" });
    }
}
