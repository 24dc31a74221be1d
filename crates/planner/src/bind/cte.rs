//! WITH: common table expressions come in sight, and their names become queries in FROM.
//!
//! What cannot be merged is computed once, however often it is named (manual, "Optimizing Derived Tables, View References, and Common Table
//! Expressions with Merging or Materialization"): each reference is bound and planned for itself, since what its columns are depends on nothing
//! around it, and [`Shared`] tells the executor that they stand for the same rows. No condition moves into one that is named more than once; a
//! reference into which one did move would have rows of its own.
//!
//! Tested: `tests/sql/golden/cte_once.sql`, `tests/sql/derived_random.py`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;

use super::Binder;
use super::merge::Source;
use super::recursive::{REFERENCE, references};
use crate::plan::Shared;

/// A common table expression in sight.
#[derive(Clone, Copy)]
pub(crate) struct CteDef<'a> {
    pub(crate) name: &'a str,
    pub(crate) columns: &'a [&'a str],
    pub(crate) query: &'a ast::QueryExpr<'a>,
    pub(crate) recursive: bool,
    /// So many blocks enclose the query that has the WITH clause: their columns are in sight.
    pub(crate) depth: usize,
    /// Its number in the statement.
    pub(crate) id: u32,
    /// It is named more than once: as in MySQL, no condition moves into it.
    pub(crate) many: bool,
}

impl<'a> Binder<'a, '_> {
    /// Brings the tables of a WITH clause of `whole` in sight: 1066 for a name given twice.
    pub(super) fn push_ctes(&mut self, with: Option<&ast::With<'a>>, whole: &dyn std::fmt::Debug) -> SqlResult<()> {
        let Some(w) = with else { return Ok(()) };
        let depth = self.scopes.len();
        let mut names = hashbrown::HashSet::new();
        let many = self.named_often(w, whole);
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
                recursive: w.recursive,
                depth,
                id: self.st.ctes - 1,
                many,
            });
        }
        Ok(())
    }

    /// Which tables of a WITH clause `whole` names more than once, counting what others name that are named more than once themselves.
    fn named_often(&self, w: &ast::With<'a>, whole: &dyn std::fmt::Debug) -> Vec<bool> {
        // its definition and a reference: one that is named once stands in the text no oftener
        let words = words(self.sql);
        let text = |name: &str| !name.bytes().all(is_word) || words.get(name.as_bytes()).is_some_and(|n| *n > 2);
        let mut often: Vec<bool> = w.ctes.iter().map(|c| text(c.name)).collect();
        if !often.contains(&true) {
            return often;
        }
        let mut all = named(whole);
        for (c, often) in w.ctes.iter().zip(&mut often).rev() {
            if !*often {
                continue;
            }
            let inside = named(c.query);
            let name = format!("{:?}", c.name);
            let count = |of: &Names| of.get(&name).copied().unwrap_or(0);
            let own = if w.recursive { count(&inside) } else { 0 };
            *often = count(&all) > own + 1;
            if *often {
                inside.into_iter().for_each(|(name, n)| *all.entry(name).or_default() += n);
            }
        }
        often
    }

    /// A reference of a common table expression, which has this place among those in sight.
    pub(super) fn cte(&mut self, at: usize, cte: CteDef<'a>, alias: &str) -> SqlResult<Source> {
        // see `derived`
        let merge = self.wants_merge(alias) && !self.st.locking;
        let recursive = cte.recursive && references(cte.query, cte.name) > 0;
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

type Names = hashbrown::HashMap<String, usize>;

/// How often a part of a query names each unqualified table (read off the tree's printed form, where names stand in quotes).
fn named(q: &dyn std::fmt::Debug) -> Names {
    let text = format!("{q:?}");
    let mut out = Names::new();
    for (at, _) in text.match_indices(REFERENCE) {
        let quoted = text.get(at + REFERENCE.len()..).unwrap_or_default();
        let mut escaped = true;
        let end = quoted.char_indices().find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        if let Some(name) = end.and_then(|(end, _)| quoted.get(..=end)) {
            *out.entry(name.to_owned()).or_default() += 1;
        }
    }
    out
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

/// How often each word stands in a text.
fn words(sql: &[u8]) -> hashbrown::HashMap<&[u8], usize> {
    let mut out = hashbrown::HashMap::new();
    for word in sql.split(|b| !is_word(*b)).filter(|w| !w.is_empty()) {
        *out.entry(word).or_default() += 1;
    }
    out
}
