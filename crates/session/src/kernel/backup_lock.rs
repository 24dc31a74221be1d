//! LOCK INSTANCE FOR BACKUP: a metadata lock of its own namespace, S for who takes a backup, until UNLOCK INSTANCE or
//! the end of the session. DDL and account statements take IX for their length and wait. Tested:
//! `tests/sql/golden/show_forms.sql`, `tests/clients/test_states.py`.

use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use mdl::{Duration, MdlKey, MdlType, Namespace};

impl Session {
    /// LOCK INSTANCE FOR BACKUP: 1227 without BACKUP_ADMIN.
    pub(crate) fn lock_instance(&mut self) -> SqlResult<()> {
        self.require_held("BACKUP_ADMIN")?;
        let deadline = self.ddl_deadline();
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::BackupLock));
        self.env.mdl.acquire(MdlKey::backup(), MdlType::S, Duration::Explicit, deadline)?;
        Ok(())
    }

    /// UNLOCK INSTANCE; without a lock it does nothing.
    pub(crate) fn unlock_instance(&mut self) -> SqlResult<()> {
        self.require_held("BACKUP_ADMIN")?;
        self.env.mdl.release_explicit(|ns| matches!(ns, Namespace::BackupLock));
        Ok(())
    }

    /// Does what takes files of the binary log away: 4085 while anybody, this session, too, has the lock, since a
    /// backup copies these files.
    pub(crate) fn purging<T>(&mut self, purge: impl FnOnce(&mut Session) -> SqlResult<T>) -> SqlResult<T> {
        let refused = || SqlError::new(ErrorCode::CANNOT_PURGE_BINLOG_WITH_BACKUP_LOCK, &[]);
        if self.env.mdl.owns(MdlKey::backup(), MdlType::S) {
            return Err(refused());
        }
        let lock = self.env.mdl.try_acquire(MdlKey::backup(), MdlType::Ix, Duration::Explicit);
        let lock = lock.map_err(|_| refused())?;
        let done = purge(self);
        self.env.mdl.release(lock);
        done
    }
}
