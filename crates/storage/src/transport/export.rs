//! FLUSH TABLES ... FOR EXPORT: tables' files under names of their own, complete and still.
//!
//! [`Export::begin`], with the session's metadata locks held (no writer, no DDL):
//! 1. The tablespaces are put on the engine's list ([`Engine::exports`](crate::engine::Engine)). Purge and the clean-up
//!    after DDL change pages without metadata locks; both hold the list for reading while they work, so that they have
//!    ended when this has it for writing, and leave the listed spaces alone from then on. As in InnoDB purge stops
//!    altogether meanwhile, not only for these tables: undo is given back in order.
//! 2. The log is made durable, the tablespaces' dirty pages are written, their files synced. From then on nothing
//!    changes them.
//! 3. `<table>.ibd` becomes a second name of the file, and `<table>.cfg` is written.
//!
//! Dropping it removes both files, and then purge goes on: UNLOCK TABLES, or the session's end. A crash leaves them;
//! [`clean`] at the next start removes what is provably ours: a name of the table's own file, and a `.cfg` that names
//! that file.

use super::cfg::Cfg;
use super::names::Pair;
use crate::dict::{Relation, TableDef};
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::file::{FileKind, Files, OpenMode};
use crate::page::PAGE_SIZE;
use crate::redo::ForcedBy;
use crate::table::Table;
use base::SpaceId;
use std::sync::Arc;

/// An export under way; dropping it ends it.
pub struct Export {
    engine: Arc<Engine>,
    spaces: Vec<SpaceId>,
    made: Vec<String>,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Export({:?})", self.spaces)
    }
}

impl Export {
    /// Begins. No table may be discarded, and the caller keeps writers and DDL away from them.
    ///
    /// # Errors
    /// I/O errors; then nothing is left. `link` fails where the name is taken.
    pub fn begin(engine: &Arc<Engine>, tables: &[Arc<Table>], version: &str) -> Result<Export> {
        let spaces: Vec<SpaceId> = tables.iter().map(|t| t.def.space).collect();
        engine.exports.write().extend_from_slice(&spaces);
        let mut export = Export { engine: engine.clone(), spaces, made: Vec::new() };
        let store = engine.store();
        store.log().flush_to(store.log().current_lsn(), ForcedBy::Explicit)?;
        for t in tables {
            store.pool().flush_space(t.def.space)?;
            store.files().get(t.def.space)?.sync_data()?;
        }
        tables.iter().try_for_each(|t| export.make(t, version))?;
        Ok(export)
    }

    fn make(&mut self, table: &Table, version: &str) -> Result<()> {
        let (engine, def) = (self.engine.clone(), &table.def);
        let files = engine.store().files();
        let fs = files.fs();
        let (pair, own) = (Pair::of(&def.schema, &def.name), Files::name_of(def.space));
        let cfg = Cfg {
            page_size: PAGE_SIZE as u32,
            version: version.to_owned(),
            space: def.space,
            bytes: files.size(def.space)?,
            newest: engine.store().log().current_lsn(),
            counter: table.autoinc_value(&engine)?.unwrap_or(0),
            file: fs.number(&own).unwrap_or_default(),
            def: shown(def),
        };
        fs.create_dir(&pair.folder)?;
        fs.link(&own, &pair.ibd)?;
        self.made.push(pair.ibd);
        let file = fs.open(&pair.cfg, OpenMode::Truncate, FileKind::Log)?;
        self.made.push(pair.cfg);
        file.write_at(0, &cfg.to_bytes())?;
        file.sync_data()
    }
}

/// The definition as far as it is about rows.
fn shown(def: &TableDef) -> TableDef {
    let mut def = def.clone();
    def.columns.iter_mut().for_each(|c| c.histogram = None);
    (def.foreign_keys, def.checks) = Default::default();
    def
}

impl Drop for Export {
    fn drop(&mut self) {
        let fs = self.engine.store().files().fs();
        for name in self.made.drain(..) {
            // the next start removes what is left
            let _ = fs.remove(&name);
        }
        let mut all = self.engine.exports.write();
        for s in &self.spaces {
            if let Some(at) = all.iter().position(|x| x == s) {
                all.swap_remove(at);
            }
        }
    }
}

/// Removes what exports of a server that crashed have left. At the start, before clients come.
///
/// # Errors
/// I/O errors.
pub fn clean(engine: &Engine) -> Result<()> {
    let fs = engine.store().files().fs();
    for schema in engine.dict().schemas() {
        let folder = Pair::of(&schema.name, "").folder;
        if fs.list(&folder)?.is_empty() {
            continue;
        }
        for r in engine.dict().relations(&schema.name) {
            let Relation::Table(def) = r else { continue };
            let pair = Pair::of(&def.schema, &def.name);
            let Some(own) = fs.number(&Files::name_of(def.space)) else { continue };
            if fs.number(&pair.ibd) == Some(own) {
                fs.remove(&pair.ibd)?;
            }
            match Cfg::read(fs.as_ref(), &pair.cfg) {
                Ok(cfg) if cfg.space == def.space && cfg.file == own => fs.remove(&pair.cfg)?,
                // somebody's, for an import to come
                Ok(_) | Err(StorageError::Foreign { .. }) => {}
                Err(e) if e.is_file_missing() => {}
                Err(e) => return Err(e),
            }
        }
    }
    Ok(())
}
