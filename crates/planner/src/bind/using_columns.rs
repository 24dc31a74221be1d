//! The columns of one side of a join with USING or NATURAL, of which those that both sides have are taken out by their names.
//!
//! Found by name in a table and only marked, so that joins of many wide tables are not compared column by column. Tested in
//! `tests/clients/test_planning.py`.

use hashbrown::HashMap;

use base::{ErrorCode, SqlError, SqlResult};

use super::Scope;

/// A table of the scope and a column of it.
type Column = (usize, usize);

/// See the module.
pub(super) struct Common<'v> {
    columns: &'v [Column],
    taken: Vec<bool>,
    /// Places of the columns of a name in lower case.
    places: HashMap<String, Vec<usize>>,
}

impl<'v> Common<'v> {
    pub(super) fn new(scope: &Scope, columns: &'v [Column]) -> Common<'v> {
        let mut places: HashMap<String, Vec<usize>> = HashMap::with_capacity(columns.len());
        for (n, &(t, i)) in columns.iter().enumerate() {
            if let Some(c) = scope.tables.get(t).and_then(|t| t.columns.get(i)) {
                places.entry(c.name.to_lowercase()).or_default().push(n);
            }
        }
        Common { columns, taken: vec![false; columns.len()], places }
    }

    /// Takes out the column of a name: 1054 if there is none, 1052 if there are several.
    pub(super) fn take(&mut self, name: &str) -> SqlResult<Column> {
        let found = match self.places.remove(&name.to_lowercase()).as_deref() {
            Some([one]) => *one,
            None | Some([]) => return Err(SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &"from clause"])),
            Some(_) => return Err(SqlError::new(ErrorCode::NON_UNIQ_ERROR, &[&name, &"from clause"])),
        };
        if let Some(t) = self.taken.get_mut(found) {
            *t = true;
        }
        self.columns
            .get(found)
            .copied()
            .ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &"from clause"]))
    }

    /// The columns that are left, in their order.
    pub(super) fn rest(&self) -> impl Iterator<Item = Column> {
        self.those(false)
    }

    /// The columns that were taken out, in their order.
    pub(super) fn taken(&self) -> impl Iterator<Item = Column> {
        self.those(true)
    }

    fn those(&self, taken: bool) -> impl Iterator<Item = Column> {
        self.columns.iter().zip(&self.taken).filter(move |(_, t)| **t == taken).map(|(c, _)| *c)
    }
}
