//! [`Trx::lock_reference`]: is there a row with these leading key columns? The question a foreign key's check asks.
//!
//! Locks as InnoDB's: the first live record found is locked S without the gap before it, records that are delete-marked on the way
//! next-key, and where there is none the gap in which it would be, so that nobody can put it in before this transaction ends.
//! READ COMMITTED and below lock records only. Only the index asked is locked, not the clustered record behind a secondary
//! entry: who changes the row has to change this entry too, and waits there.
//!
//! The request is made under the leaf's latch; a wait happens without it, and the same place is looked at again afterwards.
//! Nothing here changes a page. Tested in `engine/tests/foreign.rs`.

use crate::dict::KeyField;
use crate::error::Result;
use crate::mvcc;
use crate::row::RowError;
use crate::rowlock::{Acquired, LockKind, LockMode, RecKey, WaitPolicy, WaitTicket};
use crate::table::Table;
use crate::table::secondary::{entry_deleted, entry_trx};
use crate::txn::{Isolation, Trx};
use std::sync::Arc;
use value::Value;

impl Table {
    /// Appends the beginning of an index's keys whose first `count` columns are given, none of them NULL: those that it
    /// declares, then those of the primary key that it has not ([`crate::dict::TableDef::index_for_reference`]).
    ///
    /// # Errors
    /// As [`crate::row::KeyEncoder::encode_part`].
    pub fn encode_reference<'v>(
        &self,
        index: usize,
        count: usize,
        value: impl Fn(usize) -> Value<'v>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), RowError> {
        let encoder = |n: usize| self.key_encoder(n).ok_or(RowError::WrongType);
        for (field, n) in self.def.key_fields(index, count) {
            match field {
                KeyField::Declared(part) => encoder(index)?.encode_part(part, value(n), out)?,
                KeyField::Primary(part) => encoder(0)?.encode_part(part, value(n), out)?,
            }
        }
        Ok(())
    }
}

enum Look {
    Found,
    Absent,
    /// A record that does not count; go on behind it.
    Next(Vec<u8>),
    Wait(WaitTicket),
}

impl Trx {
    /// Whether index `n` of the table has a live record whose key begins with `prefix` (whole encoded parts), locked S if so.
    ///
    /// # Errors
    /// Lock waits (`LockWaitTimeout`, `Deadlock`), `Interrupted`, I/O, corruption.
    pub fn lock_reference(&mut self, table: &Arc<Table>, n: usize, prefix: &[u8]) -> Result<bool> {
        self.check_killed()?;
        self.ensure_begun();
        self.intention_even_without_rows(table, LockMode::IS)?;
        let tree = table.tree(n)?;
        let index = table.index(n)?.id;
        let engine = self.engine.clone();
        let rc = self.isolation() <= Isolation::ReadCommitted;
        let mut from = prefix.to_vec();
        loop {
            let look = tree.next_at(engine.store.pool(), &from, |rec| match rec {
                Some((key, payload)) if key.starts_with(prefix) => {
                    let (writer, deleted) = match n {
                        0 => (mvcc::trx_id(payload), mvcc::is_deleted(payload)),
                        _ => (entry_trx(payload), entry_deleted(payload)),
                    };
                    if rc && deleted && (writer == self.id || !self.engine.trx_sys.is_active(writer)) {
                        return Look::Next(key.to_vec());
                    }
                    let kind = if deleted && !rc { LockKind::NextKey } else { LockKind::Record };
                    match self.request_written(index, key, writer, LockMode::S, kind, WaitPolicy::Wait) {
                        Acquired::Wait(t) => Look::Wait(t),
                        _ if deleted => Look::Next(key.to_vec()),
                        _ => Look::Found,
                    }
                }
                other => {
                    if !rc {
                        let key = other.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k));
                        let kind = if key == RecKey::Supremum { LockKind::NextKey } else { LockKind::Gap };
                        // gap locks wait for nobody
                        let _ = self.request(index, key, LockMode::S, kind, WaitPolicy::NoWait);
                    }
                    Look::Absent
                }
            })?;
            match look {
                Look::Found => return Ok(true),
                Look::Absent => return Ok(false),
                Look::Next(key) => {
                    from = key;
                    from.push(0);
                }
                Look::Wait(t) => self.wait_for(t)?,
            }
        }
    }
}
