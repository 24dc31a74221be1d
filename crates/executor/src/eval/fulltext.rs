//! MATCH ... AGAINST.
//!
//! The first value of a search in an execution counts the documents of every word of the query, in the statement's
//! snapshot (the transaction's own changes included): with the words that are kept of the table ([`kept`]), or by
//! reading the table once (twice WITH QUERY EXPANSION: first to find the documents whose words are added). From then on
//! the rank of a row is computed from the values of its columns, or looked up by the row's key if a scan has asked for
//! the rows that the search finds: docs/decisions/0018-fulltext.md. What is kept for the execution is the query with
//! its words, and those rows' places; the words that an expansion adds count against the statement's memory (3170).

mod kept;

use std::collections::HashSet;
use std::ops::Bound;
use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::{CmpOp, ExprKind, SlotId};
use planner::plan::Match;
use planner::search::Demand;
use storage::dict::{FulltextDef, Stopwords, TableDef};
use storage::table::{Direction, KeyRange, ReadMode, Row, Table, TableCursor};
use value::fulltext::{Analyzer, Document, Language, Query, STOPWORDS};
use value::{Charset, SqlType, Value, charset};

use super::{Args, text_of};
use crate::eval::{Cx, eval};
use crate::rows::slot::RowState;
pub(crate) use kept::Hits;
use kept::Kept;

/// What two searches must share to have the same numbers: table and index, language, expansion, text.
type Identity = (u16, u16, Language, bool, Option<Vec<u8>>);

/// A search of an execution.
#[derive(Debug)]
struct Search {
    identity: Identity,
    /// None: AGAINST (NULL), which finds nothing.
    query: Option<Query>,
    doc: Document,
    /// Where it was counted.
    kept: Option<Kept>,
    hits: Option<Rc<Hits>>,
}

/// The searches of an execution so far.
#[derive(Debug, Default)]
pub struct Searches {
    list: Vec<Search>,
    /// By the plan's number.
    at: Vec<Option<usize>>,
    /// Slots whose rows come from consistent reads, with a search of which the hits are known.
    by_key: Vec<(SlotId, usize)>,
}

pub(super) fn call<'a>(n: u16, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let known = cx.memo.searches.at.get(n as usize).copied().flatten();
    let at = match known {
        Some(at) => at,
        None => prepare(n, a, cx)?,
    };
    if let Some(rank) = known_rank(n, at, a, cx) {
        return Ok(Value::Double(f64::from(rank)));
    }
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

/// The rank of a row in a slot that has its rows from a scan that asked for [`hits`].
fn known_rank(n: u16, at: usize, a: &Args<'_>, cx: &Cx<'_>) -> Option<f32> {
    let slot = cx.plan.matches.get(n as usize)?.slot;
    if !cx.memo.searches.by_key.contains(&(slot, at)) {
        return None;
    }
    // behind a sort or groups the columns are those of another slot
    let own = |e: &planner::expr::Expr| matches!(e.kind, ExprKind::Column { slot: s, .. } if s == slot);
    let row = cx.slots.get(slot as usize).filter(|s| matches!(s.state, RowState::Table | RowState::Covered))?;
    let hits = cx.memo.searches.list.get(at)?.hits.as_ref()?;
    a.list.get(1).is_some_and(own).then(|| hits.rank(&row.key))
}

/// The rows of a slot that a condition demands, all of which come from consistent reads of the table. `None`: the table
/// has to be read (also where the search fails: it fails for the first row then, if there is one).
pub(crate) fn hits(d: &Demand<'_>, slot: SlotId, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<Option<Rc<Hits>>> {
    if let Some((op, e)) = d.bound {
        let bound = match eval(e, cx, arena)? {
            Value::Int(n) => n as f64,
            Value::UInt(n) => n as f64,
            Value::Double(d) => d,
            Value::Decimal(d) => d.to_f64(),
            _ => return Ok(None),
        };
        let zero_passes = match op {
            CmpOp::Gt => 0.0 > bound,
            CmpOp::Ge => 0.0 >= bound,
            CmpOp::Lt => 0.0 < bound,
            CmpOp::Le => 0.0 <= bound,
            CmpOp::Ne => bound != 0.0,
            CmpOp::Eq | CmpOp::NullSafeEq => bound == 0.0,
        };
        if zero_passes {
            return Ok(None);
        }
    }
    let ExprKind::Call(_, list) = &d.call.kind else { return Ok(None) };
    let known = cx.memo.searches.at.get(d.n as usize).copied().flatten();
    let at = match known {
        Some(at) => at,
        None => match prepare(d.n, &Args { list, arena, ty: &d.call.ty }, cx) {
            Ok(at) => at,
            Err(e) if e.is(ErrorCode::PARSE_ERROR) => return Ok(None),
            Err(e) => return Err(e),
        },
    };
    let Some(mut search) = cx.memo.searches.list.get_mut(at).map(|s| (s.query.take(), s.kept.take())) else {
        return Ok(None);
    };
    let mut made = Ok(None);
    let have = cx.memo.searches.list.get(at).and_then(|s| s.hits.clone());
    if have.is_none()
        && let (Some(query), Some(kept)) = (&mut search.0, &search.1)
    {
        made = Hits::new(query, kept, cx);
    }
    let Some(s) = cx.memo.searches.list.get_mut(at) else { return Ok(None) };
    (s.query, s.kept) = search;
    if let Some(hits) = made? {
        s.hits = Some(Rc::new(hits));
    }
    let hits = s.hits.clone();
    if hits.is_some() && !cx.memo.searches.by_key.contains(&(slot, at)) {
        cx.memo.searches.by_key.push((slot, at));
    }
    Ok(hits)
}

/// How the texts of an index become words.
fn analyzer(index: &FulltextDef, def: &TableDef, cx: &Cx<'_>) -> Option<Analyzer> {
    let column = index.columns.first().and_then(|c| def.columns.get(*c as usize))?;
    let var = |v: Var| cx.env.shared.globals.num(v) as usize;
    let sizes = (var(Var::innodb_ft_min_token_size), var(Var::innodb_ft_max_token_size));
    let ngram = (!index.parser.is_empty()).then(|| var(Var::ngram_token_size));
    Some(match &index.stopwords {
        Stopwords::Default => Analyzer::new(column.ty.collation, sizes, ngram, STOPWORDS),
        Stopwords::List(l) => Analyzer::new(column.ty.collation, sizes, ngram, l.iter().map(String::as_str)),
    })
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
            let (query, kept) = match &identity.4 {
                None => (None, None),
                Some(text) => {
                    let analyzer = analyzer(index, &def, cx).ok_or_else(missing)?;
                    let query = Query::new(analyzer, m.language, text)
                        .map_err(|e| SqlError::with_message(ErrorCode::PARSE_ERROR, e.0))?;
                    let (query, kept) = counted(query, m, &index.columns, cx)?;
                    (Some(query), kept)
                }
            };
            cx.memo.searches.list.push(Search { identity, query, doc: Document::default(), kept, hits: None });
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
fn counted(mut query: Query, m: &Match, columns: &[u16], cx: &mut Cx<'_>) -> SqlResult<(Query, Option<Kept>)> {
    let table = m.table;
    if !m.expansion
        && let Some(kept) = kept::counted(&mut query, table, m.index, cx)?
    {
        return Ok((query, Some(kept)));
    }
    let mut doc = Document::default();
    if m.expansion {
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
    Ok((query, None))
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
        let texts = texts_of(&row, columns, &table, &arena)?;
        f(&texts, cx)?;
        cx.tick()?;
    }
}

type Texts<'a> = smallvec::SmallVec<[Option<&'a [u8]>; 4]>;

/// The columns' texts of a row.
fn texts_of<'a>(row: &Row<'a>, columns: &[u16], table: &Arc<Table>, arena: &'a Bump) -> SqlResult<Texts<'a>> {
    let mut texts = Texts::new();
    for c in columns {
        let v = row.column(*c as usize, arena)?;
        let ty = table.def.columns.get(*c as usize).map(|c| &c.ty);
        texts.push(ty.and_then(|ty| text_of(v, ty, arena)));
    }
    Ok(texts)
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
