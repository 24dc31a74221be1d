//! Indexes as checks of foreign keys see them: the entries of a secondary index end with the primary key, and InnoDB
//! counts its columns (`dict_foreign_find_index`). `KEY (a)` of a table with the primary key `id` serves a foreign key
//! that refers to `(a, id)`, and one of the columns `(a, id)` is checked through it if it is the first.
//!
//! Which index it is decides what is locked, and, where a row meets its own cascade, which of its entries are gone.
//! A table without a primary key has a hidden one, which nobody can refer to (InnoDB takes the first UNIQUE key of NOT
//! NULL columns in its place). Tested: `engine/tests/foreign.rs`, `tests/sql/golden/foreign_primary.sql`.

use super::{IndexPart, TableDef};

/// Where a part of an index entry's key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyField {
    /// Declared part of the index.
    Declared(usize),
    /// Part of the primary key, which follows.
    Primary(usize),
}

impl TableDef {
    /// The first index whose entries begin with these whole columns in this order, with every row in it.
    pub fn index_for_reference(&self, columns: &[u16]) -> Option<usize> {
        (0..self.indexes.len()).find(|n| {
            let Some(i) = self.indexes.get(*n).filter(|i| i.array_part(&self.columns).is_none()) else { return false };
            let parts = i.parts.iter().chain(self.beyond(*n).map(|(_, p)| p));
            let fits = parts.zip(columns).all(|(p, c)| p.column == *c && p.prefix == 0);
            fits && self.fields(*n) >= columns.len()
        })
    }

    /// How many columns entries of index number `n` have.
    fn fields(&self, n: usize) -> usize {
        self.indexes.get(n).map_or(0, |i| i.parts.len()) + self.beyond(n).count()
    }

    /// The parts of the primary key, by number, that index number `n` does not have whole.
    fn beyond(&self, n: usize) -> impl Iterator<Item = (usize, &IndexPart)> {
        let declared = self.indexes.get(n).map_or(&[][..], |i| &i.parts);
        let primary = if n == 0 { None } else { self.primary_key() };
        let has = move |p: &IndexPart| declared.iter().any(|d| d.column == p.column && d.prefix == 0);
        primary.unwrap_or_default().iter().enumerate().filter(move |(_, p)| !has(p))
    }

    /// What the key of an entry of index number `n` begins with, whose first `count` columns are given: each of its
    /// parts with the number of its column among them. A column that is in the index and in the primary key comes
    /// twice.
    pub(crate) fn key_fields(&self, n: usize, count: usize) -> impl Iterator<Item = (KeyField, usize)> {
        let declared = self.indexes.get(n).map_or(&[][..], |i| &i.parts);
        let own = (0..declared.len().min(count)).map(|p| (KeyField::Declared(p), p));
        let primary = self.primary_key().unwrap_or_default().iter().enumerate();
        let behind = primary.scan(declared.len(), move |next, (j, p)| {
            if *next >= count {
                return None;
            }
            let again = declared.iter().position(|d| d.column == p.column && d.prefix == 0);
            let at = again.unwrap_or(*next);
            *next += usize::from(again.is_none());
            Some((KeyField::Primary(j), at))
        });
        own.chain(behind)
    }
}
