//! WITH: common table expressions come in sight, and their names become queries in FROM.
//!
//! What cannot be merged is computed once, however often it is named (manual, "Optimizing Derived Tables, View References, and Common Table
//! Expressions with Merging or Materialization"): each reference is bound and planned for itself, since what its columns are depends on nothing
//! around it, and [`Shared`] tells the executor that they stand for the same rows. No condition moves into one that is named more than once; a
//! reference into which one did move would have rows of its own.
//!
//! Tested: `tests/sql/golden/cte_once.sql`, `tests/sql/derived_random.py`.

use base::{ErrorCode, SqlError, SqlResult};
use hashbrown::HashMap;
use parser::ast;

use super::Binder;
use super::merge_derived::Source;
use crate::plan::Shared;

/// A common table expression in sight.
#[derive(Clone, Copy)]
pub(crate) struct CteDef<'a> {
    pub(crate) name: &'a str,
    pub(crate) columns: &'a [&'a str],
    pub(crate) query: &'a ast::QueryExpr<'a>,
    pub(crate) with: &'a ast::With<'a>,
    pub(crate) recursive: bool,
    /// So many blocks enclose the query that has the WITH clause: their columns are in sight.
    pub(crate) depth: usize,
    /// Its number in the statement.
    pub(crate) id: u32,
    /// It is named more than once: as in MySQL, no condition moves into it.
    pub(crate) many: bool,
}

impl<'a> Binder<'a, '_> {
    /// Brings the tables of a WITH clause in sight: 1066 for a name given twice.
    pub(super) fn push_ctes(&mut self, with: Option<&'a ast::With<'a>>) -> SqlResult<()> {
        let Some(w) = with else { return Ok(()) };
        let depth = self.scopes.len();
        let mut names = hashbrown::HashSet::new();
        let many = named_often(w);
        for (c, many) in w.ctes.iter().zip(many) {
            // names of tables: their case counts
            if !names.insert(c.name) {
                return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&c.name]));
            }
            self.st.ctes += 1;
            self.ctes.push(CteDef {
                name: c.name,
                columns: c.columns,
                query: c.query,
                with: w,
                recursive: w.recursive,
                depth,
                id: self.st.ctes - 1,
                many,
            });
        }
        Ok(())
    }

    /// A reference of a common table expression, which has this place among those in sight.
    pub(super) fn cte(&mut self, at: usize, cte: CteDef<'a>, alias: &str) -> SqlResult<Source> {
        // see `derived`
        let merge = self.wants_merge(alias) && !self.st.locking;
        let recursive = cte.recursive && cte.with.count(cte.query.whole(), cte.name) > 0;
        let hidden = self.ctes.split_off(at + usize::from(recursive));
        // the blocks between the WITH clause and the name are not in sight, those around it are
        let mut between = self.scopes.split_off(cte.depth.min(self.scopes.len()));
        self.st.in_cte += 1;
        let bound = if recursive {
            self.st.asked = None;
            self.with_own_rows(|b| b.recursive_cte(at, cte)).map(|b| Source::Planned(Box::new(b)))
        } else {
            self.source(cte.query, merge)
        };
        self.st.in_cte -= 1;
        self.st.receptive &= !recursive;
        if bound.as_ref().is_ok_and(Source::correlated) {
            between.iter_mut().for_each(|s| s.correlated = true);
        }
        self.scopes.append(&mut between);
        self.ctes.extend(hidden);
        bound
    }

    /// What the references of a common table expression have in common, unless the next one is asked for some of its rows only.
    pub(super) fn shared(&self, cte: CteDef<'a>) -> Option<Box<Shared>> {
        self.st.asked.is_none().then(|| Box::new(Shared { id: cte.id, name: cte.name.into() }))
    }
}

/// Which of its tables are named more than once, counting what others name that are named more than once themselves.
fn named_often(w: &ast::With<'_>) -> Vec<bool> {
    let mut all: HashMap<&str, usize> = HashMap::new();
    w.reads.iter().for_each(|r| *all.entry(r.name).or_default() += 1);
    let mut often = vec![false; w.ctes.len()];
    for (c, often) in w.ctes.iter().zip(&mut often).rev() {
        let count = all.get(c.name).copied().unwrap_or(0);
        if count < 2 {
            continue;
        }
        let inside = w.reads_within(c.query.whole());
        let own = if w.recursive { inside.iter().filter(|r| r.name == c.name).count() } else { 0 };
        *often = count > own + 1;
        if *often {
            inside.iter().for_each(|r| *all.entry(r.name).or_default() += 1);
        }
    }
    often
}
