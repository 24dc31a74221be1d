//! What `/metrics` reads, by the names of mysqld_exporter's collectors; its names of metrics and labels are used, so
//! that dashboards and alerts made for it work here.
//!
//! A collector is one statement and what becomes of its rows. [`global`] has SHOW GLOBAL STATUS and SHOW GLOBAL
//! VARIABLES, [`replica`] SHOW REPLICA STATUS, [`innodb`] what needs code of its own, [`tables`] everything that is a
//! table of columns and metrics.
//! Collectors whose rows grow with the number of user tables run only when they are asked for.

mod global;
mod innodb;
mod replica;
mod tables;

use crate::families::Families;
use crate::sql::{Row, named_rows};
use base::SqlResult;
use wire::Inside;

/// A source of metrics.
pub(crate) struct Collector {
    /// mysqld_exporter's name, as in `collect[]=`.
    pub(crate) name: &'static str,
    /// Whether it runs unless others are named.
    pub(crate) by_default: bool,
    /// The statement.
    sql: &'static str,
    rows: Rows,
}

enum Rows {
    Code(fn(&[Row], &mut Families)),
    /// With the names of the columns.
    Named(fn(&[String], &[Row], &mut Families)),
    Table(&'static tables::Table),
}

impl Collector {
    /// Reads and adds its metrics.
    ///
    /// # Errors
    /// The statement's: mostly that the account may not SELECT there. Nothing was added then.
    pub(crate) fn run(&self, session: &mut Inside, out: &mut Families) -> SqlResult<()> {
        let (names, rows) = named_rows(session, self.sql)?;
        match &self.rows {
            Rows::Code(f) => f(&rows, out),
            Rows::Named(f) => f(&names, &rows, out),
            Rows::Table(t) => t.add(&rows, out),
        }
        Ok(())
    }
}

/// All collectors, in the order in which they run.
pub(crate) fn all() -> impl Iterator<Item = &'static Collector> {
    global::COLLECTORS.iter().chain(replica::COLLECTORS).chain(innodb::COLLECTORS).chain(tables::COLLECTORS)
}

/// A column of a row; empty for NULL.
fn cell(row: &Row, i: usize) -> &str {
    row.get(i).and_then(Option::as_deref).unwrap_or("")
}

/// A column as a number.
fn number(row: &Row, i: usize) -> Option<f64> {
    cell(row, i).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::all;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let mut seen = HashSet::new();
        for c in all() {
            assert!(seen.insert(c.name), "{}", c.name);
        }
        assert!(all().filter(|c| c.by_default).count() >= 5);
    }
}
