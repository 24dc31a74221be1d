//! CLONE, and the command by which a backup is sent (COM_CLONE; docs/backup.md).
//!
//! The body of the command is a [`backup::manifest::Request`]. The answer is a packet for each block, a zero byte
//! before it, and EOF. What is not such a request comes from a recipient of MySQL, whose data Evenkeel cannot give.
//!
//! CLONE INSTANCE logs in at the donor ([`crate::kernel::replica::Replication::donate`]) and takes the same blocks; in
//! the place of this server's own data it is refused by name.
//!
//! CLONE LOCAL and COM_CLONE want BACKUP_ADMIN. They read without locks; a folder that was not completed is removed.
//! Tested: `tests/backup`.

use crate::kernel::replica::Donor;
use crate::kernel::session::Session;
use backup::block::{Codec, Order};
use backup::manifest::Request;
use backup::restore::{FILES, Made, Restore};
use backup::take::{Source, take};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::PacketSink;
use catalog::sysvar::Var;
use parser::ast::{CloneData, CloneInstance};
use std::path::{Path, PathBuf};

/// What a client gets of an error.
fn sql(e: backup::Error) -> SqlError {
    match e {
        backup::Error::Sql(e) => e,
        backup::Error::Engine(e) => e.into(),
        e => donor(&e),
    }
}

/// 3862.
fn donor(why: &dyn std::fmt::Display) -> SqlError {
    SqlError::new(ErrorCode::CLONE_DONOR, &[why])
}

impl Session {
    /// CLONE.
    pub(super) fn clone_data(&mut self, c: &CloneData<'_>) -> SqlResult<()> {
        match c {
            CloneData::Local { to } => {
                self.require_held("BACKUP_ADMIN")?;
                self.commit_transaction()?;
                self.clone_folder(to, Session::clone_into)
            }
            CloneData::Instance(c) => {
                self.require_held("CLONE_ADMIN")?;
                let donor = self.donor(c)?;
                let Some(to) = c.to else {
                    return Err(SqlError::unsupported("CLONE INSTANCE without DATA DIRECTORY"));
                };
                self.commit_transaction()?;
                self.clone_folder(to, |me, path| me.clone_from_donor(&donor, path))
            }
        }
    }

    /// Makes a data directory in a folder that is not there yet; if that fails the folder goes.
    fn clone_folder(&self, to: &[u8], make: impl FnOnce(&Session, &Path) -> SqlResult<()>) -> SqlResult<()> {
        let text = String::from_utf8_lossy(to);
        let path = Path::new(text.as_ref());
        if !path.is_absolute() || text.contains('\0') {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&"path", &text]));
        }
        if path.symlink_metadata().is_ok() {
            return Err(SqlError::new(ErrorCode::DB_CREATE_EXISTS, &[&text]));
        }
        let done = make(self, path);
        if done.is_err() {
            let _ = std::fs::remove_dir_all(path);
        }
        done
    }

    fn clone_into(&self, path: &Path) -> SqlResult<()> {
        let mut restore = Restore::create(path).map_err(sql)?;
        let mut block = |b: backup::Block| {
            sched::check_interrupt().map_err(backup::Error::Sql)?;
            restore.block(&b)
        };
        take(&self.backup_source(), None, &mut block).map_err(sql)?;
        restore.finish(false).and_then(Made::complete).map_err(sql)
    }

    /// The server that the statement names, if `clone_valid_donor_list` has it.
    fn donor(&self, c: &CloneInstance<'_>) -> SqlResult<Donor> {
        let host = c.host.unwrap_or("%");
        let name = format!("{host}:{}", c.port);
        let list = self.env.shared.globals.string(Var::clone_valid_donor_list);
        if !list.split(',').any(|d| d.eq_ignore_ascii_case(&name)) {
            let text = format!("{name} is not found in clone_valid_donor_list: {list}");
            return Err(SqlError::new(ErrorCode::CLONE_SYS_CONFIG, &[&text]));
        }
        Ok(Donor {
            host: host.to_owned(),
            port: u16::try_from(c.port).unwrap_or_default(),
            user: c.user.to_owned(),
            password: String::from_utf8_lossy(c.password).into_owned(),
            ssl: c.ssl,
        })
    }

    fn clone_from_donor(&self, donor: &Donor, path: &Path) -> SqlResult<()> {
        let replication = self.server.replica.get().ok_or_else(|| SqlError::unsupported("CLONE INSTANCE"))?;
        let mut restore = Restore::create(path).map_err(sql)?;
        let (mut order, from) = (Order::default(), "what the donor sends");
        replication.donate(donor, &Request::default().to_bytes(), &mut |bytes| {
            sched::check_interrupt()?;
            let block = backup::Block::parse(bytes, from).map_err(sql)?;
            order.check(&block, from).map_err(sql)?;
            restore.block(&block).map_err(sql)
        })?;
        restore.finish(false).and_then(Made::complete).map_err(sql)
    }

    /// What a backup of this server reads.
    fn backup_source(&self) -> Source<'_> {
        let globals = &self.env.shared.globals;
        let folder = PathBuf::from(&*globals.string(Var::datadir));
        Source {
            engine: &self.server.engine,
            log: self.server.source.log(),
            files: FILES.iter().map(|n| (*n, folder.join(n))).collect(),
            server_uuid: globals.string(Var::server_uuid).to_string(),
            version: globals.string(Var::version).to_string(),
            folded: globals.num(Var::lower_case_table_names) == 1,
        }
    }

    /// COM_CLONE.
    pub(crate) fn send_backup(&mut self, body: &[u8], out: &mut dyn PacketSink) -> SqlResult<()> {
        self.require_held("BACKUP_ADMIN")?;
        let asked = Request::parse(body).ok_or_else(|| {
            donor(&"the recipient is no Evenkeel server, or of another version; a MySQL server cannot clone this one")
        })?;
        self.commit_transaction()?;
        let since = asked.since.as_ref().map(|(base, lsn)| (base.as_str(), *lsn));
        let mut block = |b: backup::Block| {
            sched::check_interrupt().map_err(backup::Error::Sql)?;
            out.packet(&[&[0], &b.encode(Codec::None)?]).map_err(backup::Error::Sql)
        };
        take(&self.backup_source(), since, &mut block).map_err(sql)?;
        out.end()?;
        out.flush()
    }
}
