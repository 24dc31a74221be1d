//! Cursors: all rows of their query as of OPEN (they are asensitive in MySQL's manual, and copies in its server).
//!
//! A row is kept as the bytes of its values, so a million of them cost what their contents do. *Not yet:* they do not
//! go to a temporary file; what they take counts against `connection_memory_limit`.

use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use value::{OwnedValue, SqlType, Value};

/// The rows of an open cursor.
#[derive(Default)]
pub struct Rows {
    /// Types of the columns.
    pub types: Rc<[SqlType]>,
    /// Values, row after row.
    values: Vec<OwnedValue>,
    next: usize,
}

impl Rows {
    /// No rows yet.
    pub fn new(types: &[SqlType]) -> Rows {
        Rows { types: types.into(), ..Rows::default() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// 4081, 4082 for a session that holds too much.
    pub fn push(&mut self, row: &[Value<'_>]) -> SqlResult<()> {
        base::memory::check()?;
        self.values.extend(row.iter().map(Value::to_owned));
        Ok(())
    }

    /// The next row. 1329 behind the last one.
    ///
    /// # Errors
    /// 1329.
    pub fn fetch(&mut self) -> SqlResult<&[OwnedValue]> {
        let width = self.types.len().max(1);
        let from = self.next;
        match self.values.get(from..from + width) {
            Some(row) => {
                self.next += width;
                Ok(row)
            }
            None => Err(SqlError::new(ErrorCode::SP_FETCH_NO_DATA, &[])),
        }
    }
}
