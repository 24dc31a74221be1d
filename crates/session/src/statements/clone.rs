//! CLONE, and the command by which a backup is sent (COM_CLONE; docs/backup.md).
//!
//! The body of the command is a [`backup::manifest::Request`]. The answer is a packet for each block, a zero byte
//! before it, and EOF. What is not such a request comes from a recipient of MySQL, whose data Evenkeel cannot give.
//!
//! CLONE INSTANCE logs in at the donor ([`crate::kernel::replica::Replication::donate`]) and takes the same blocks.
//! Without DATA DIRECTORY the clone is made beside this server's data, and takes its place in a restart
//! ([`backup::replace`]); without a supervisor the server stops and says 3707. What the others on this server changed
//! meanwhile goes with the old data.
//!
//! CLONE LOCAL and COM_CLONE want BACKUP_ADMIN. They read without locks; a folder that was not completed is removed.
//! Tested: `tests/backup`.

use crate::kernel::clones::Run;
use crate::kernel::replica::Donor;
use crate::kernel::session::Session;
use backup::block::{Codec, Order};
use backup::manifest::Request;
use backup::replace;
use backup::restore::{FILES, Made, Restore};
use backup::take::{Source, take};
use backup::taken;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::PacketSink;
use catalog::sysvar::Var;
use parser::ast::{CloneData, CloneInstance};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use storage::file::FileSystem;
use storage::file::real::RealFs;

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
                self.clone_folder(to, "LOCAL INSTANCE", Session::clone_into)
            }
            CloneData::Instance(c) => {
                self.require_held("CLONE_ADMIN")?;
                let donor = self.donor(c)?;
                self.commit_transaction()?;
                let source = format!("{}:{}", donor.host, donor.port);
                match c.to {
                    Some(to) => self.clone_folder(to, &source, |me, path, run| me.clone_from_donor(&donor, path, run)),
                    None => self.clone_in_place(&donor, source),
                }
            }
        }
    }

    /// Makes a data directory in a folder that is not there yet; if that fails the folder goes.
    fn clone_folder(
        &self,
        to: &[u8],
        source: &str,
        make: impl FnOnce(&Session, &Path, &Run) -> SqlResult<Made>,
    ) -> SqlResult<()> {
        let text = String::from_utf8_lossy(to);
        let path = Path::new(text.as_ref());
        if !path.is_absolute() || text.contains('\0') {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&"path", &text]));
        }
        if path.symlink_metadata().is_ok() {
            return Err(SqlError::new(ErrorCode::DB_CREATE_EXISTS, &[&text]));
        }
        let shown = format!("{}/", text.trim_end_matches('/'));
        let run = self.server.clones.begin(self.env.client.connection.id(), source.to_owned(), shown)?;
        let done = make(self, path, &run).and_then(|made| {
            let end = made.end.clone();
            made.complete().map_err(sql).map(|()| end)
        });
        if done.is_err() {
            let _ = std::fs::remove_dir_all(path);
        }
        run.end(&done);
        done.map(drop)
    }

    /// Makes a clone beside this server's data, and restarts so that it takes the data's place.
    fn clone_in_place(&mut self, donor: &Donor, source: String) -> SqlResult<()> {
        let connection = self.env.client.connection.id();
        let run = self.server.clones.begin(connection, source, "LOCAL INSTANCE".to_owned())?;
        let datadir = PathBuf::from(&*self.env.shared.globals.string(Var::datadir));
        let done = self.clone_beside(donor, &datadir, &run);
        if let Err(e) = done {
            replace::abandon(&datadir);
            run.end(&Err(e.clone()));
            return Err(e);
        }
        let restarted = self.restart();
        if restarted.is_err() {
            // it stops all the same: whoever starts it finds the new data
            self.client.shuts_down = true;
        }
        self.env.client.connection.end_after_answer();
        restarted
    }

    /// From here on a start puts the clone in the data's place.
    fn clone_beside(&self, donor: &Donor, datadir: &Path, run: &Run) -> SqlResult<()> {
        let globals = &self.env.shared.globals;
        let made = self.clone_from_donor(donor, &replace::begin(datadir).map_err(sql)?, run)?;
        if made.begin.server_uuid == *globals.string(Var::server_uuid) {
            return Err(SqlError::new(ErrorCode::CLONE_LOOPBACK, &[]));
        }
        let (here, there) = (globals.num(Var::lower_case_table_names) == 1, made.begin.folded);
        if here != there {
            let values: [u8; 2] = [there.into(), here.into()];
            return Err(SqlError::new(ErrorCode::CLONE_CONFIG, &[&"lower_case_table_names", &values[0], &values[1]]));
        }
        let end = made.end.clone();
        made.complete().map_err(sql)?;
        let mut indexes = vec![globals.string(Var::relay_log_index).to_string()];
        let fs = RealFs::new(datadir, false)?;
        indexes.extend(binlog::log::Log::was_there(&fs)?.map(|names| fs.whole_name(&names.index)));
        replace::commit(datadir, &indexes, &run.restarts(&end)).map_err(sql)
    }

    /// RESTART: the server stops, and its supervisor starts it again.
    ///
    /// # Errors
    /// 3707: it has none.
    pub(super) fn restart(&mut self) -> SqlResult<()> {
        if !sys::process::is_supervised() {
            let why = "mysqld is not managed by supervisor process";
            return Err(SqlError::new(ErrorCode::RESTART_SERVER_FAILED, &[&why]));
        }
        self.server.restarts.store(true, Ordering::Release);
        self.client.shuts_down = true;
        Ok(())
    }

    fn clone_into(&self, path: &Path, run: &Run) -> SqlResult<Made> {
        let mut restore = Restore::create(path).map_err(sql)?;
        let mut block = |b: backup::Block| {
            sched::check_interrupt().map_err(backup::Error::Sql)?;
            run.block(&b, 0);
            restore.block(&b)
        };
        take(&self.backup_source(), None, &mut block).map_err(sql)?;
        run.copied();
        restore.finish(false).map_err(sql)
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

    fn clone_from_donor(&self, donor: &Donor, path: &Path, run: &Run) -> SqlResult<Made> {
        let replication = self.server.replica.get().ok_or_else(|| SqlError::unsupported("CLONE INSTANCE"))?;
        let mut restore = Restore::create(path).map_err(sql)?;
        let (mut order, from) = (Order::default(), "what the donor sends");
        replication.donate(donor, &Request::default().to_bytes(), &mut |bytes| {
            sched::check_interrupt()?;
            let block = backup::Block::parse(bytes, from).map_err(sql)?;
            order.check(&block, from).map_err(sql)?;
            run.block(&block, bytes.len());
            restore.block(&block).map_err(sql)
        })?;
        run.copied();
        restore.finish(false).map_err(sql)
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
        let datadir = PathBuf::from(&*self.env.shared.globals.string(Var::datadir));
        if let Some((base, checkpoint)) = &asked.since
            && !taken::knows(&datadir, base, *checkpoint)
        {
            return Err(donor(
                &"the backup to build on was not taken of this data: it is of another server, or this one has been put \
                  back from a copy, a backup or a clone since; take a whole backup",
            ));
        }
        let since = asked.since.as_ref().map(|(base, lsn)| (base.as_str(), *lsn));
        let mut begin = None;
        let mut block = |b: backup::Block| {
            sched::check_interrupt().map_err(backup::Error::Sql)?;
            match (b.kind, &begin) {
                (backup::Kind::Begin, _) => begin = Some(backup::Begin::parse(&b.bytes, "the first block")?),
                (backup::Kind::End, Some(begin)) => taken::keep(&datadir, begin),
                _ => {}
            }
            out.packet(&[&[0], &b.encode(Codec::None)?]).map_err(backup::Error::Sql)
        };
        take(&self.backup_source(), since, &mut block).map_err(sql)?;
        out.end()?;
        out.flush()
    }
}
