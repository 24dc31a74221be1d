//! ALTER TABLE, CREATE INDEX: the phases of a statement that builds something from the rows while others use the table.
//!
//! 1. Under the exclusive metadata lock, when nobody has uncommitted changes: changes are recorded from now on, a snapshot is taken,
//!    and the lock becomes one that lets others read ([`Sharing::Readers`]) or also write ([`Sharing::Writers`]).
//! 2. The new index trees or the new tablespace are built from that snapshot.
//! 3. Passes bring what is built from one snapshot to the next, for the rows whose change was recorded ([`storage::table::Recording`]).
//! 4. The lock becomes exclusive again (1205 after `lock_wait_timeout`), and the last pass ends with the rows of now.
//!
//! Who may go on meanwhile follows the manual, "Online DDL Operations", and the LOCK clause. The table stays exclusive under LOCK TABLES. A
//! failure anywhere leaves the old table; what was built goes by the DDL log.
//!
//! A row is found again in a new table by its primary key, by its hidden row id, which it keeps, or, where the table gets another primary
//! key, by the key that its version of the earlier snapshot has there ([`Copier::key_of`]).
//!
//! Foreign keys need nothing more: a cascade is a change like any other, of a transaction that has the metadata lock of the child
//! (`session::kernel::foreign_key_tables`), and DDL on a relative that would replace this table's definition needs the exclusive lock on it.
//!
//! Tested by `tests/sql/test_online_ddl.py` and `test_online_ddl_family.py` (writers beside every kind of change; KILL; crashes) and `storage/src/engine/tests/online.rs`.

use super::algorithm::Way;
use super::alter::Draft;
use super::copy::{Copier, Keys, load_error, opened};
use super::{DdlContext, storage_error};
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use std::sync::Arc;
use storage::dict::TableDef;
use storage::table::{BuildOptions, ReadMode, Recording, Table, TableCursor};
use storage::txn::Trx;
use value::Value;

/// What others may do while the statement builds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Nothing.
    Exclusive,
    /// Read.
    Readers,
    /// Read and write.
    Writers,
}

/// Passes before the exclusive lock is asked for, and the number of changed rows that is few enough for it.
const MAX_PASSES: usize = 20;
const FEW: usize = 500;

/// What the statement can let others do.
pub(super) fn sharing(d: &Draft<'_>, way: Way, algorithm: Option<&str>, lock: Option<&str>) -> Sharing {
    let is = |clause: Option<&str>, what: &str| clause.is_some_and(|c| c.eq_ignore_ascii_case(what));
    if d.old.is_temporary() || is(lock, "exclusive") {
        return Sharing::Exclusive;
    }
    let shared = is(lock, "shared") || is(algorithm, "copy") || matches!(way, Way::InplaceShared(_) | Way::Copy(_));
    if shared { Sharing::Readers } else { Sharing::Writers }
}

/// What is built, and how a changed row gets into it.
pub(super) enum Built<'b> {
    /// Indexes at these positions of the definition to come, in the same tablespace.
    Indexes(&'b Arc<Table>, &'b [usize]),
    /// A new table.
    Rows(&'b mut Copier, &'b Arc<Table>),
}

/// A statement between its first and last phase.
pub(super) struct Online {
    from: Arc<Table>,
    sharing: Sharing,
    recording: Option<Recording>,
    /// What is built has the rows of this transaction's snapshot.
    reader: Trx,
}

impl Online {
    /// The first phase. The session has the exclusive metadata lock.
    pub(super) fn begin(ctx: &mut DdlContext<'_>, old: &TableDef, sharing: Sharing) -> SqlResult<Online> {
        let from = opened(ctx, old)?;
        let limit = ctx.locks.env().shared.globals.num(Var::innodb_online_alter_log_max_size) as usize;
        let recording = (sharing == Sharing::Writers).then(|| from.record_changes(limit));
        let reader = snapshot(ctx)?;
        let lowered = sharing != Sharing::Exclusive && ctx.locks.table_shared(&old.schema, &old.name, sharing);
        let sharing = if lowered { sharing } else { Sharing::Exclusive };
        Ok(Online { from, sharing, recording, reader })
    }

    /// The second phase for indexes: their trees are filled.
    pub(super) fn build_indexes(
        &mut self,
        ctx: &mut DdlContext<'_>,
        new: &Arc<Table>,
        fresh: &[usize],
    ) -> SqlResult<()> {
        let memory = super::copy::sort_memory(ctx);
        let opts = BuildOptions { memory, interrupted: ctx.interrupted };
        let done = ctx.engine.build_indexes_at(&mut self.reader, &self.from, new, fresh, opts);
        done.map(drop).map_err(|e| load_error(ctx, new, e))
    }

    /// The second phase for a new table. Returns the number of rows.
    pub(super) fn copy(&mut self, ctx: &mut DdlContext<'_>, copier: &mut Copier) -> SqlResult<u64> {
        copier.copy(ctx, &self.from, &mut self.reader)
    }

    /// The third and fourth phase.
    pub(super) fn catch_up(&mut self, ctx: &mut DdlContext<'_>, mut built: Built<'_>) -> SqlResult<()> {
        if self.sharing == Sharing::Exclusive {
            return Ok(());
        }
        let _at = probe::stage::enter(match built {
            Built::Indexes(..) => probe::Stage::AlterLogApply,
            Built::Rows(..) => probe::Stage::AlterLogApplyTable,
        });
        if self.sharing == Sharing::Writers {
            for _ in 0..MAX_PASSES {
                if self.pass(ctx, &mut built)? <= FEW {
                    break;
                }
            }
        }
        let (schema, name) = (self.from.def.schema.clone(), self.from.def.name.clone());
        ctx.locks.table_unshared(&schema, &name)?;
        // another definition would have come without the changes that were noted here
        if self.from.is_obsolete() {
            return Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]));
        }
        if self.sharing == Sharing::Writers {
            self.pass(ctx, &mut built)?;
        }
        Ok(())
    }

    /// Brings what is built to a new snapshot; how many rows that were.
    fn pass(&mut self, ctx: &mut DdlContext<'_>, built: &mut Built<'_>) -> SqlResult<usize> {
        let mut now = snapshot(ctx)?;
        let Some(recording) = &self.recording else { return Ok(0) };
        let too_many = || SqlError::new(ErrorCode::INNODB_ONLINE_LOG_TOO_BIG, &[&self.from.def.name]);
        let keys = recording.take().ok_or_else(too_many)?;
        // all old versions go before new ones come: rows may have exchanged the values of a unique key
        let mut before = TableCursor::open(&self.from, 0, ReadMode::Consistent, false);
        for key in &keys {
            check(ctx)?;
            match built {
                Built::Indexes(new, fresh) => {
                    let arena = Bump::new();
                    if let Some(row) = before.point(&mut self.reader, key).map_err(storage_error)? {
                        let values = all_columns(&row, new.def.columns.len(), &arena)?;
                        ctx.engine.remove_built_entries(new, fresh, key, &values).map_err(storage_error)?;
                    }
                }
                Built::Rows(copier, target) if copier.keys() == Keys::Converted => {
                    if let Some(row) = before.point(&mut self.reader, key).map_err(storage_error)? {
                        let key = copier.key_of(ctx, &row)?;
                        ctx.engine.remove_built_row(target, &key).map_err(storage_error)?;
                    }
                }
                Built::Rows(_, target) => ctx.engine.remove_built_row(target, key).map_err(storage_error)?,
            }
        }
        let mut after = TableCursor::open(&self.from, 0, ReadMode::Consistent, false);
        for key in &keys {
            check(ctx)?;
            let arena = Bump::new();
            if let Some(row) = after.point(&mut now, key).map_err(storage_error)? {
                let (done, table) = match built {
                    Built::Indexes(new, fresh) => {
                        let values = all_columns(&row, new.def.columns.len(), &arena)?;
                        (ctx.engine.add_built_entries(new, fresh, key, &values), *new)
                    }
                    Built::Rows(copier, target) => {
                        let values = copier.row(ctx, &row, &arena)?;
                        (ctx.engine.add_built_row(target, &values, key), *target)
                    }
                };
                done.map_err(|e| load_error(ctx, table, e))?;
            }
            if !now.sees_newest(&self.from, key).map_err(storage_error)? {
                recording.keep(key);
            }
        }
        let old = std::mem::replace(&mut self.reader, now);
        drop(old);
        Ok(keys.len())
    }
}

fn snapshot(ctx: &DdlContext<'_>) -> SqlResult<Trx> {
    let mut trx = ctx.engine.new_trx(ctx.session_id).map_err(storage_error)?;
    trx.start_with_snapshot();
    Ok(trx)
}

fn check(ctx: &DdlContext<'_>) -> SqlResult<()> {
    if (ctx.interrupted)() { Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[])) } else { Ok(()) }
}

fn all_columns<'a>(row: &storage::table::Row<'a>, n: usize, arena: &'a Bump) -> SqlResult<Vec<Value<'a>>> {
    (0..n).map(|c| row.column(c, arena)).collect::<Result<_, _>>().map_err(storage_error)
}
