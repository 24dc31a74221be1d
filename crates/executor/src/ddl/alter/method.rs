//! How an ALTER TABLE is carried out: what the difference between the definitions needs ([`Method`]), and doing it.
//!
//! Crash in the middle: files and index trees that were made belong to the open [`Ddl`], whose rollback removes them.

use super::Draft;
use crate::ddl::copy::{Copier, Keys, check_rows, copy_rows};
use crate::ddl::instant::{formers, lacks, same_key, same_layout};
use crate::ddl::online::{Built, Online, Sharing, sharing};
use crate::ddl::{DdlContext, DdlResult, algorithm, fulltext, storage_error, temporary, transport};
use base::{ErrorCode, PageNo, SqlError, SqlResult};
use parser::ast::{self, AlterAction};
use std::sync::Arc;
use storage::dict::{Ddl, IndexDef, TableDef};
use storage::table::Table;

/// What the statement says of the way, and what its actions need.
pub(super) struct Order<'a> {
    /// The cheapest of MySQL's ways.
    pub(super) way: algorithm::Way,
    /// ALGORITHM and LOCK as written.
    pub(super) algorithm: Option<&'a str>,
    pub(super) lock: Option<&'a str>,
    /// The only action is RENAME.
    pub(super) only_renamed: bool,
}

impl Order<'_> {
    fn wants(&self, algorithm: &str) -> bool {
        self.algorithm.is_some_and(|a| a.eq_ignore_ascii_case(algorithm))
    }
}

/// Whether the rows are written anew whatever changes.
pub(super) fn rebuilds(a: &AlterAction<'_>) -> bool {
    matches!(a, AlterAction::Force | AlterAction::OrderBy(_) | AlterAction::Option(ast::TableOption::Engine(_)))
}

/// How the difference between the definitions is carried out.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// Only the dictionary, and rows stay as they are.
    Instant,
    /// The same, but columns come, go or move: rows written so far have another layout ([`super::instant`]).
    Columns,
    /// Some secondary indexes go.
    DropIndexes(Vec<PageNo>),
    /// Indexes at these positions of the new definition are built beside the old ones; some may go.
    AddIndexes { fresh: Vec<usize>, dropped: Vec<PageNo> },
    /// Copy the rows into a new tablespace.
    Rebuild,
}

fn method(d: &Draft<'_>) -> Method {
    let same = |o: &IndexDef, n: &IndexDef| same_key(o, n, &d.source);
    let kept = |i: &IndexDef| d.old.indexes.iter().any(|o| same(o, i));
    let clustered_kept = match (d.old.indexes.first(), d.new.indexes.first()) {
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    };
    if d.force || !clustered_kept {
        return Method::Rebuild;
    }
    let gone = |o: &&IndexDef| !d.new.indexes.iter().any(|i| same(o, i));
    let dropped: Vec<PageNo> = d.old.indexes.iter().filter(gone).map(|i| i.root).collect();
    let fresh: Vec<usize> = d.new.indexes.iter().enumerate().filter(|(_, i)| !kept(i)).map(|(n, _)| n).collect();
    if !same_layout(d) {
        return if fresh.is_empty() && dropped.is_empty() { Method::Columns } else { Method::Rebuild };
    }
    match (fresh.is_empty(), dropped.is_empty()) {
        (true, true) => Method::Instant,
        (true, false) => Method::DropIndexes(dropped),
        (false, _) if lacks(&d.new, &fresh) => Method::Rebuild,
        (false, _) => Method::AddIndexes { fresh, dropped },
    }
}

/// How the draft is carried out. The layouts that rows keep are put into it.
pub(super) fn choose(ctx: &mut DdlContext<'_>, d: &mut Draft<'_>, order: &Order<'_>) -> SqlResult<Method> {
    let mut m = method(d);
    if order.wants("copy") && !order.only_renamed {
        m = Method::Rebuild;
    }
    // MySQL copies, and says how many rows there were
    let counts = algorithm::counts(order.way);
    let retyped = || d.old.columns.iter().zip(&d.new.columns).any(|(o, n)| o.ty != n.ty);
    let several = || fulltext::way(d).is_some_and(algorithm::counts);
    if m == Method::Instant && counts && (retyped() || several()) {
        m = Method::Rebuild;
    }
    if matches!(m, Method::Columns | Method::Rebuild) {
        transport::refuse_discarded(&d.old)?;
    }
    if m == Method::Columns {
        let rewritten = order.wants("copy") || order.wants("inplace");
        let stay = if rewritten || counts || d.old.is_temporary() { None } else { formers(ctx, d)? };
        m = if stay.is_some() { Method::Instant } else { Method::Rebuild };
        d.new.former = stay.unwrap_or_default();
    }
    Ok(m)
}

/// Makes the files and index trees that the new definition needs, with the rows in them. Gives the definition with their places, and
/// the number of rows where MySQL reports it: rebuilds that it does in place report none.
pub(super) fn carry_out(
    ctx: &mut DdlContext<'_>,
    ddl: &mut Ddl,
    d: &Draft<'_>,
    method: Method,
    order: &Order<'_>,
) -> SqlResult<(TableDef, u64)> {
    let old = &d.old;
    let mut new = d.new.clone();
    let mut share = sharing(d, order.way, order.algorithm, order.lock);
    match method {
        Method::Instant | Method::Columns => {}
        Method::DropIndexes(roots) => drop_trees(ddl, old, roots)?,
        Method::AddIndexes { fresh, dropped } => {
            drop_trees(ddl, old, dropped)?;
            for n in &fresh {
                let (id, root) = ddl.create_index_tree(old.space).map_err(storage_error)?;
                if let Some(i) = new.indexes.get_mut(*n) {
                    (i.id, i.root) = (id, root);
                }
            }
            let target = Arc::new(Table::new(ctx.engine, Arc::new(new.clone())));
            let mut online = Online::begin(ctx, old, share)?;
            online.build_indexes(ctx, &target, &fresh)?;
            online.catch_up(ctx, Built::Indexes(&target, &fresh))?;
        }
        Method::Rebuild => {
            new = ddl.create_files(new).map_err(storage_error)?;
            // it has the old table's id, by which rollback and purge must go on finding that one
            let target = Arc::new(Table::new(ctx.engine, Arc::new(new.clone())));
            let mut copier =
                Copier::new(ctx, old, &target, &d.source, order.wants("copy") || algorithm::counts(order.way))?;
            if share == Sharing::Writers && copier.keys() == Keys::Fresh {
                share = Sharing::Readers;
            }
            let mut online = Online::begin(ctx, old, share)?;
            let rows = online.copy(ctx, &mut copier)?;
            online.catch_up(ctx, Built::Rows(&mut copier, &target))?;
            copier.finish(ctx);
            // nobody takes values now
            new.auto_increment = kept_counter(ctx, d)?;
            if order.wants("copy") || algorithm::counts(order.way) {
                return Ok((new, rows));
            }
        }
    }
    Ok((new, 0))
}

fn drop_trees(ddl: &mut Ddl, old: &TableDef, roots: Vec<PageNo>) -> SqlResult<()> {
    roots.into_iter().try_for_each(|root| ddl.drop_index_tree(old.space, root).map_err(storage_error))
}

/// What AUTO_INCREMENT goes on from in the table that is built anew: the old table's counter, rows or not, unless the statement gives another
/// or the column is not the old one. The rows themselves may lead further.
fn kept_counter(ctx: &DdlContext<'_>, d: &Draft<'_>) -> SqlResult<u64> {
    let (before, now) = (d.old.auto_increment_column(), d.new.auto_increment_column());
    let stays = now.is_some_and(|n| before.is_some() && d.source.get(n).copied().flatten() == before);
    if d.counter_given || !stays {
        return Ok(d.new.auto_increment);
    }
    let counter = opened(ctx, d)?.map(|t| t.autoinc_value(ctx.engine)).transpose().map_err(storage_error)?;
    Ok(d.new.auto_increment.max(counter.flatten().unwrap_or(0)))
}

/// AUTO_INCREMENT = n of a table that keeps its rows may go back, as far as there are none. The session has the exclusive metadata lock.
pub(super) fn set_back_counter(ctx: &DdlContext<'_>, d: &Draft<'_>) -> SqlResult<()> {
    if d.counter_given
        && let Some(t) = opened(ctx, d)?
    {
        t.set_back_autoinc(ctx.engine, d.new.auto_increment).map_err(storage_error)?;
    }
    Ok(())
}

/// The table as it is.
fn opened(ctx: &DdlContext<'_>, d: &Draft<'_>) -> SqlResult<Option<Arc<Table>>> {
    match ctx.temp.find(&d.old.schema, &d.old.name) {
        Some(t) => Ok(Some(t.clone())),
        None => ctx.dict().open_table(ctx.engine, &d.old.schema, &d.old.name).map_err(storage_error),
    }
}

/// ALTER TABLE of a temporary table: everything but changes of the definition alone copies the rows. It has no foreign keys: 1215.
pub(super) fn alter_temporary(
    ctx: &mut DdlContext<'_>,
    d: Draft,
    method: &Method,
    renamed: bool,
) -> SqlResult<DdlResult> {
    fulltext::check_temporary(&d.new)?;
    if !d.new.foreign_keys.is_empty() {
        return Err(SqlError::new(ErrorCode::CANNOT_ADD_FOREIGN, &[]));
    }
    // MySQL copies it even to rename it
    if *method == Method::Instant && !renamed && d.verify.is_empty() {
        set_back_counter(ctx, &d)?;
        temporary::redefine(ctx, &d.old, d.new)?;
        let warnings = ctx.warnings.len();
        let info = format!("Records: 0  Duplicates: 0  Warnings: {warnings}");
        return Ok(DdlResult { info, ..DdlResult::default() });
    }
    let mut def = d.new.clone();
    def.auto_increment = kept_counter(ctx, &d)?;
    let new = storage::dict::TempTable::create(ctx.engine, ctx.session_id, def).map_err(storage_error)?;
    let copied = copy_rows(ctx, &d.old, &new.table, &d.source).and_then(|n| {
        if !d.verify.is_empty() {
            check_rows(ctx, &new.table.def, &d.verify)?;
        }
        Ok(n)
    });
    let affected = match copied {
        Ok(n) => n,
        Err(e) => {
            let _ = new.remove(ctx.engine);
            return Err(e);
        }
    };
    temporary::replace(ctx, &d.old, new)?;
    let info = format!("Records: {affected}  Duplicates: 0  Warnings: {}", ctx.warnings_given());
    Ok(DdlResult { affected, info, ..DdlResult::default() })
}
