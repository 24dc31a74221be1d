//! HANDLER ... READ: rows of one index in its order, from a place that the session remembers between statements.
//!
//! The place is the key of the index entry that was read last, not a row number: rows that were inserted or deleted around it since are
//! seen as they are now (manual, "HANDLER Statement": no consistent read). The session holds the table's metadata lock only while
//! a READ runs. Tested by `tests/sql/golden/handler.sql`.

use std::ops::Bound;

use base::{SqlError, SqlResult};
use bumpalo::Bump;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use planner::expr::{CmpOp, Expr};
use planner::plan::{Body, Node, Scan};
use storage::StorageError;
use storage::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use value::{OwnedValue, SqlType};

use crate::eval::Cx;
use crate::eval::{eval, truth};
use crate::gate::Cleared;
use crate::ops::ranges::{self, KeyPrefix};
use crate::rows::env::Env;
use crate::rows::output::Writer;

/// Where a READ begins.
#[derive(Clone, Debug)]
pub enum From {
    /// At the index's first entry.
    First,
    /// At its last one, going backwards.
    Last,
    /// Behind the place.
    Next,
    /// Before the place, going backwards.
    Prev,
    /// At a key prefix.
    Key(CmpOp, Vec<(OwnedValue, SqlType)>),
}

/// What the last READ left: the index and the key of its entry.
#[derive(Clone, Debug, Default)]
pub struct Place {
    at: Option<(usize, Vec<u8>)>,
}

/// One READ.
#[derive(Clone, Debug)]
pub struct Read {
    /// Index of the table (0 = clustered).
    pub index: usize,
    /// Where it begins.
    pub from: From,
    /// Rows that are left out.
    pub skip: u64,
    /// Rows that are sent.
    pub limit: u64,
}

/// The scan of `SELECT * FROM t WHERE ..` that carries slot, columns and condition; `None`: no row can pass.
fn source(node: &Node) -> SqlResult<Option<(&Scan, Option<&Expr>)>> {
    match node {
        Node::Empty => Ok(None),
        Node::Scan(s) if matches!(s.access, planner::plan::Access::Full) => Ok(Some((s, s.filter.as_ref()))),
        Node::Filter { input, cond, .. } => match input.as_ref() {
            Node::Scan(s) if s.filter.is_none() && matches!(s.access, planner::plan::Access::Full) => {
                Ok(Some((s, Some(cond))))
            }
            _ => Err(SqlError::unsupported("HANDLER READ with this condition")),
        },
        Node::Limit { input, .. } => source(input),
        _ => Err(SqlError::unsupported("HANDLER READ with this condition")),
    }
}

/// Runs a READ; `plan` is `SELECT *` with the READ's condition, without an index. Sends the rows and moves the place.
///
/// # Errors
/// Those of the condition, of the storage engine and of the client.
pub fn read(
    cleared: Cleared<'_>,
    read: &Read,
    place: &mut Place,
    env: &mut Env,
    out: &mut dyn ResultSink,
) -> SqlResult<()> {
    let plan = cleared.plan();
    let Body::Select(q) = &plan.body else { return Err(SqlError::unsupported("HANDLER READ")) };
    let tables = crate::ops::select::open_tables(cleared, env)?;
    let results = env.vars.collation(Var::character_set_results);
    let mut w = Writer::new(plan.column_types.iter(), results, out.format());
    let mut cx = super::context(cleared, &[], tables, env);
    crate::ops::early_constants::read(&mut cx)?;
    out.begin(&plan.columns)?;
    let Some((scan, filter)) = source(&q.root)? else { return Ok(()) };
    let Some(table) = cx.tables.get(scan.table as usize).cloned() else { return Ok(()) };
    let Some((lower, upper, direction)) = bounds(&table, read, place, &mut cx)? else { return Ok(()) };
    let mut cursor = TableCursor::open(&table, read.index, ReadMode::Consistent, false).counted(true);
    let range = KeyRange { lower: as_slice(&lower), upper: as_slice(&upper) };
    cursor.seek(&mut cx.env.trx, range, direction)?;
    let all: Vec<u16> = (0..table.def.columns.len() as u16).collect();
    let (mut skip, mut sent) = (read.skip, 0);
    let mut arena = Bump::new();
    while sent < read.limit {
        let Some(row) = cursor.next(&mut cx.env.trx)? else { break };
        place.at = Some((read.index, entry_key(&table, read.index, &row, &arena)?));
        cx.slot(scan.slot)?.set_row(&row, &all, &arena)?;
        let passes = match filter {
            None => true,
            Some(f) => truth(f, &mut cx, &arena)? == Some(true),
        };
        if passes && skip > 0 {
            skip -= 1;
        } else if passes {
            let buf = out.row();
            let at = w.begin(buf);
            for (i, e) in q.items.iter().enumerate() {
                match eval(e, &mut cx, &arena) {
                    Ok(v) => w.put(at, i, v, buf),
                    Err(e) => {
                        out.abandon_row();
                        return Err(e);
                    }
                }
            }
            out.end_row()?;
            sent += 1;
        }
        arena.reset();
        cx.tick()?;
    }
    Ok(())
}

fn as_slice(b: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    match b {
        Bound::Included(k) => Bound::Included(k),
        Bound::Excluded(k) => Bound::Excluded(k),
        Bound::Unbounded => Bound::Unbounded,
    }
}

type Bounds = (Bound<Vec<u8>>, Bound<Vec<u8>>, Direction);

/// The range that a READ goes through; `None`: nothing is in it.
fn bounds(table: &Table, read: &Read, place: &Place, cx: &mut Cx<'_>) -> SqlResult<Option<Bounds>> {
    use Bound::{Excluded, Included, Unbounded};
    let (forward, backward) = (Direction::Forward, Direction::Backward);
    // another index than the last READ's: there is no place in it
    let at = place.at.as_ref().filter(|(index, _)| *index == read.index).map(|(_, key)| key.clone());
    Ok(Some(match (&read.from, at) {
        (From::First, _) | (From::Next, None) => (Unbounded, Unbounded, forward),
        (From::Last, _) | (From::Prev, None) => (Unbounded, Unbounded, backward),
        (From::Next, Some(k)) => (Excluded(k), Unbounded, forward),
        (From::Prev, Some(k)) => (Unbounded, Excluded(k), backward),
        (From::Key(op, values), _) => {
            let arena = Bump::new();
            let (key, exact) = match ranges::key_prefix(values, table, read.index, cx, &arena)? {
                KeyPrefix::At(k) => (k, true),
                KeyPrefix::After(k) => (k, false),
                KeyPrefix::None => return Ok(None),
            };
            match (op, exact) {
                (CmpOp::Eq, true) => (Included(key.clone()), Included(key), forward),
                (CmpOp::Ge, true) => (Included(key), Unbounded, forward),
                (CmpOp::Gt | CmpOp::Ge, _) => (Excluded(key), Unbounded, forward),
                (CmpOp::Lt, true) => (Unbounded, Excluded(key), backward),
                (CmpOp::Le | CmpOp::Lt, _) => (Unbounded, Included(key), backward),
                _ => return Ok(None),
            }
        }
    }))
}

/// The key of the index entry of a row.
fn entry_key(table: &Table, index: usize, row: &storage::table::Row<'_>, arena: &Bump) -> SqlResult<Vec<u8>> {
    let mut key = Vec::new();
    if index > 0
        && let (Some(enc), Some(ix)) = (table.key_encoder(index), table.def.indexes.get(index))
    {
        for (i, part) in ix.parts.iter().enumerate() {
            let v = row.column(part.column as usize, arena)?;
            enc.encode_part(i, v, &mut key).map_err(StorageError::from)?;
        }
    }
    key.extend_from_slice(row.key());
    Ok(key)
}
