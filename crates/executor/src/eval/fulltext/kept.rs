//! Searches with the words that are kept of a table (`storage::table::Words`): what is counted without reading the
//! table, and the rows found, by clustered key.

use std::cell::Cell;
use std::sync::Arc;

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use storage::table::{ReadMode, Table, TableCursor, Words};
use value::fulltext::{Document, InvertedBuilder, Query};

use super::{analyzer, texts_of};
use crate::eval::Cx;

/// Rows found by a search that are kept, at most: where there are more the table is read.
const MOST: usize = 4 << 20;

/// The documents of a search.
#[derive(Debug)]
pub(super) struct Kept {
    words: Arc<Words>,
    /// Documents whose rows somebody has changed since: ascending.
    gone: Vec<u32>,
    /// Such rows as this statement sees them, by clustered key.
    own: Vec<(Box<[u8]>, Document)>,
}

/// Counts for a query the documents of a table as the statement sees it, if words of it are kept or can be: `None` if
/// they are not.
pub(super) fn counted(query: &mut Query, table: u16, n: u16, cx: &mut Cx<'_>) -> SqlResult<Option<Kept>> {
    let Some(t) = cx.tables.get(table as usize).cloned() else { return Ok(None) };
    let usable = match t.kept_words(n as usize, &mut cx.env.trx) {
        Some(u) => u,
        None => {
            let g = &cx.env.shared.globals;
            let limit = g.num(Var::innodb_ft_total_cache_size).min(g.num(Var::innodb_buffer_pool_size) / 2);
            let Some(index) = t.def.fulltext.get(n as usize) else { return Ok(None) };
            let Some(a) = analyzer(index, &t.def, cx) else { return Ok(None) };
            let builder = || InvertedBuilder::new(a, index.columns.len());
            t.make_words(n as usize, &mut cx.env.trx, builder, limit as usize)?;
            match t.kept_words(n as usize, &mut cx.env.trx) {
                Some(u) => u,
                None => return Ok(None),
            }
        }
    };
    let (words, changed) = usable;
    let gone: Vec<u32> = changed.iter().filter_map(|k| words.find(k)).collect();
    let own = read_own(query, &t, n, changed, cx)?;
    query.count_all(&words.index, &gone);
    query.finish(u64::from(words.index.documents()) - gone.len() as u64 + own.len() as u64);
    base::memory::check()?;
    Ok(Some(Kept { words, gone, own }))
}

/// Reads and counts the rows with these keys.
fn read_own(
    query: &mut Query,
    t: &Arc<Table>,
    n: u16,
    keys: Vec<Box<[u8]>>,
    cx: &mut Cx<'_>,
) -> SqlResult<Vec<(Box<[u8]>, Document)>> {
    let columns = t.def.fulltext.get(n as usize).map_or(&[][..], |i| i.columns.as_slice());
    let mut cursor = TableCursor::open(t, 0, ReadMode::Consistent, false).wanting(columns);
    let (mut arena, mut own) = (Bump::new(), Vec::new());
    for key in keys {
        arena.reset();
        cx.tick()?;
        let Some(row) = cursor.point(&mut cx.env.trx, &key)? else { continue };
        let texts = texts_of(&row, columns, t, &arena)?;
        let mut doc = Document::default();
        query.read(&mut doc, texts.into_iter());
        query.count(&doc);
        own.push((key, doc));
    }
    Ok(own)
}

/// A row found.
#[derive(Clone, Copy, Debug)]
struct Hit {
    /// Place in the kept words, or in the statement's own documents.
    at: u32,
    own: bool,
    rank: f32,
}

/// The rows that a search finds, in the order of their clustered keys, with their ranks.
#[derive(Debug)]
pub struct Hits {
    words: Arc<Words>,
    own: Vec<Box<[u8]>>,
    list: Vec<Hit>,
    /// The last one asked for: rows mostly come in order.
    near: Cell<usize>,
}

impl Hits {
    /// `None`: too many.
    pub(super) fn new(query: &Query, kept: &Kept, cx: &mut Cx<'_>) -> SqlResult<Option<Hits>> {
        let mut found: Vec<Hit> = Vec::new();
        let mut stopped = Ok(());
        query.rank_all(&kept.words.index, &kept.gone, &mut |n, rank| {
            found.push(Hit { at: n, own: false, rank });
            stopped = cx.tick();
            stopped.is_ok() && found.len() <= MOST
        });
        stopped?;
        if found.len() > MOST {
            return Ok(None);
        }
        base::memory::check()?;
        let mut h = Hits {
            words: kept.words.clone(),
            own: kept.own.iter().map(|o| o.0.clone()).collect(),
            list: found,
            near: Cell::new(0),
        };
        let before = h.list.len();
        for (i, (_, doc)) in kept.own.iter().enumerate() {
            h.list.extend(query.rank(doc).map(|rank| Hit { at: i as u32, own: true, rank }));
        }
        if h.list.len() > before {
            let mut list = std::mem::take(&mut h.list);
            list.sort_by(|a, b| h.key_of(a).cmp(h.key_of(b)));
            h.list = list;
        }
        Ok(Some(h))
    }

    fn key_of(&self, h: &Hit) -> &[u8] {
        if h.own { self.own.get(h.at as usize).map_or(&[], |k| k) } else { self.words.key(h.at) }
    }

    /// Rows found.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Rows of the table, roughly.
    pub fn rows(&self) -> usize {
        self.words.index.documents() as usize
    }

    /// Clustered key of row `i`, which is the next one whose rank is asked for; `None` behind the last one.
    pub fn key(&self, i: usize) -> Option<&[u8]> {
        self.near.set(i);
        self.list.get(i).map(|h| self.key_of(h))
    }

    /// Rank of the row with this clustered key: 0 if it is not found.
    pub(super) fn rank(&self, key: &[u8]) -> f32 {
        let near = self.list.get(self.near.get());
        if let Some(h) = near.filter(|h| self.key_of(h) == key) {
            return h.rank;
        }
        match self.list.binary_search_by(|h| self.key_of(h).cmp(key)) {
            Ok(i) => {
                self.near.set(i);
                self.list.get(i).map_or(0.0, |h| h.rank)
            }
            Err(_) => 0.0,
        }
    }
}
