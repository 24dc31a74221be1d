//! Cursors: all rows of their query as of OPEN (they are asensitive in MySQL's manual, and copies in its server), so
//! what the loop changes is not seen in it.

use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use executor::Env;
use executor::kept::KeptRows;
use value::{SqlType, Value};

/// The rows of an open cursor.
pub struct Rows {
    /// Types of the columns.
    pub types: Rc<[SqlType]>,
    kept: KeptRows,
    arena: Bump,
}

impl Rows {
    /// No rows yet. The types are told when the query begins.
    pub fn new(env: &Env) -> Rows {
        Rows { types: Rc::default(), kept: KeptRows::new(env), arena: Bump::new() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// 4081, 4082 for a session that holds too much; those of a temporary file.
    pub fn push(&mut self, row: &[Value<'_>]) -> SqlResult<()> {
        self.kept.push(row)
    }

    /// Gives the values of the next row to `f`, each with its number.
    ///
    /// # Errors
    /// 1329 behind the last one; those of `f`.
    pub fn fetch(&mut self, f: &mut dyn FnMut(usize, Value<'_>) -> SqlResult<()>) -> SqlResult<()> {
        self.arena.reset();
        let width = self.types.len();
        let row = self.kept.next(width, &self.arena, |row| row.enumerate().try_for_each(|(n, v)| f(n, v)))?;
        row.ok_or_else(|| SqlError::new(ErrorCode::SP_FETCH_NO_DATA, &[]))
    }
}
