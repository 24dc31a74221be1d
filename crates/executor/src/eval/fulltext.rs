//! MATCH ... AGAINST.
//!
//! The first value of a search in an execution reads its table once, in the statement's snapshot (the transaction's own changes
//! included), and counts the documents of every word of the query (twice WITH QUERY EXPANSION: first to find the documents whose words
//! are added). From then on the rank of a row is computed from the values of its columns: docs/decisions/0018-fulltext.md. What is
//! kept is the query with its words; the words that an expansion adds count against the statement's memory (3170).

use std::collections::HashSet;
use std::ops::Bound;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use storage::dict::Stopwords;
use storage::table::{Direction, KeyRange, ReadMode, TableCursor};
use value::fulltext::{Analyzer, Document, Language, Query, STOPWORDS};
use value::{Charset, SqlType, Value, charset};

use super::{Args, text_of};
use crate::eval::Cx;

/// What two searches must share to have the same numbers: table and index, language, expansion, text.
type Identity = (u16, u16, Language, bool, Option<Vec<u8>>);

/// A search of an execution.
#[derive(Debug)]
struct Search {
    identity: Identity,
    /// None: AGAINST (NULL), which finds nothing.
    query: Option<Query>,
    doc: Document,
}

/// The searches of an execution so far.
#[derive(Debug, Default)]
pub struct Searches {
    list: Vec<Search>,
    /// By the plan's number.
    at: Vec<Option<usize>>,
}

pub(super) fn call<'a>(n: u16, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let known = cx.memo.searches.at.get(n as usize).copied().flatten();
    let at = match known {
        Some(at) => at,
        None => prepare(n, a, cx)?,
    };
    let mut texts = bumpalo::collections::Vec::with_capacity_in(a.len(), a.arena);
    for i in 1..a.len() {
        texts.push(a.text(i, cx)?);
    }
    let Some(Search { query: Some(query), doc, .. }) = cx.memo.searches.list.get_mut(at) else {
        return Ok(Value::Double(0.0));
    };
    query.read(doc, texts.iter().copied());
    Ok(Value::Double(query.rank(doc).map_or(0.0, f64::from)))
}

/// Counts what a search needs; its place in the list.
#[cold]
fn prepare(n: u16, a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<usize> {
    let missing = || SqlError::unsupported("MATCH here");
    let m = cx.plan.matches.get(n as usize).ok_or_else(missing)?;
    let def = cx.tables.get(m.table as usize).map(|t| t.def.clone()).ok_or_else(missing)?;
    let index = def.fulltext.get(m.index as usize).ok_or_else(missing)?;
    let column = index.columns.first().and_then(|c| def.columns.get(*c as usize)).ok_or_else(missing)?;
    let text = a.text(0, cx)?.map(|t| in_charset(t, a.ty(0).ok(), column.ty.charset()));
    let identity = (m.table, m.index, m.language, m.expansion, text);
    let at = match cx.memo.searches.list.iter().position(|s| s.identity == identity) {
        Some(at) => at,
        None => {
            let query = match &identity.4 {
                None => None,
                Some(text) => {
                    let var = |v: Var| cx.env.shared.globals.num(v) as usize;
                    let sizes = (var(Var::innodb_ft_min_token_size), var(Var::innodb_ft_max_token_size));
                    let ngram = (!index.parser.is_empty()).then(|| var(Var::ngram_token_size));
                    let analyzer = match &index.stopwords {
                        Stopwords::Default => Analyzer::new(column.ty.collation, sizes, ngram, STOPWORDS),
                        Stopwords::List(l) => {
                            Analyzer::new(column.ty.collation, sizes, ngram, l.iter().map(String::as_str))
                        }
                    };
                    let query = Query::new(analyzer, m.language, text)
                        .map_err(|e| SqlError::with_message(ErrorCode::PARSE_ERROR, e.0))?;
                    Some(counted(query, m.table, &index.columns, m.expansion, cx)?)
                }
            };
            cx.memo.searches.list.push(Search { identity, query, doc: Document::default() });
            cx.memo.searches.list.len() - 1
        }
    };
    if cx.memo.searches.at.len() <= n as usize {
        cx.memo.searches.at.resize(n as usize + 1, None);
    }
    if let Some(place) = cx.memo.searches.at.get_mut(n as usize) {
        *place = Some(at);
    }
    Ok(at)
}

/// The query with the numbers of all documents.
fn counted(mut query: Query, table: u16, columns: &[u16], expansion: bool, cx: &mut Cx<'_>) -> SqlResult<Query> {
    let mut doc = Document::default();
    if expansion {
        let mut words = HashSet::new();
        each_document(table, columns, cx, &mut |texts, cx| {
            query.read(&mut doc, texts.iter().copied());
            if query.finds(&doc) { cx.keep(query.expand(texts.iter().copied(), &mut words)) } else { Ok(()) }
        })?;
        query.add_words(words);
    }
    let mut documents = 0;
    each_document(table, columns, cx, &mut |texts, _| {
        query.read(&mut doc, texts.iter().copied());
        query.count(&doc);
        documents += 1;
        Ok(())
    })?;
    query.finish(documents);
    Ok(query)
}

type EachDocument<'f> = &'f mut dyn FnMut(&[Option<&[u8]>], &mut Cx<'_>) -> SqlResult<()>;

/// Calls `f` with the columns' texts of every row of a table.
fn each_document(table: u16, columns: &[u16], cx: &mut Cx<'_>, f: EachDocument<'_>) -> SqlResult<()> {
    let Some(table) = cx.tables.get(table as usize).cloned() else { return Ok(()) };
    let mut cursor = TableCursor::open(&table, 0, ReadMode::Consistent, false);
    let all = KeyRange { lower: Bound::Unbounded, upper: Bound::Unbounded };
    cursor.seek(&mut cx.env.trx, all, Direction::Forward)?;
    let mut arena = Bump::new();
    loop {
        arena.reset();
        let Some(row) = cursor.next(&mut cx.env.trx)? else { return Ok(()) };
        let mut texts = Vec::with_capacity(columns.len());
        for c in columns {
            let v = row.column(*c as usize, &arena)?;
            let ty = table.def.columns.get(*c as usize).map(|c| &c.ty);
            texts.push(ty.and_then(|ty| text_of(v, ty, &arena)));
        }
        f(&texts, cx)?;
        cx.tick()?;
    }
}

/// A text in the columns' character set.
fn in_charset(text: &[u8], from: Option<&SqlType>, to: Charset) -> Vec<u8> {
    match from {
        Some(ty) if ty.is_character() && ty.charset() != to => {
            let mut out = Vec::with_capacity(text.len());
            charset::convert(text, ty.charset(), to, &mut out);
            out
        }
        _ => text.to_vec(),
    }
}
