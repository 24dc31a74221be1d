//! Opening an engine: first start, recovery, rollback of unfinished transactions, dictionary.
//!
//! The system page (page 1 of space 1) says that the first start was finished: `magic u64` at 64, then the root pages of
//! [`SYSTEM_INDEXES`], u32 each. It is written last. A first start that a crash cut short is done again from the start, which
//! is only allowed while no other tablespace exists.

use super::{Engine, EngineConfig, GUARDS, ID_RUN, SYSTEM_SPACE, Threads, threads};
use crate::btree::BTree;
use crate::buffer::PoolConfig;
use crate::dict::system::{FIRST_USER_ID, SYSTEM_INDEXES, system_tables};
use crate::dict::{Ddl, Dict};
use crate::error::{Result, StorageError};
use crate::file::FileSystem;
use crate::file::real::RealFs;
use crate::page::{PageOp, PageType};
use crate::redo::LogConfig;
use crate::rowlock::LockSys;
use crate::space::{self, Want};
use crate::store::{Store, StoreConfig};
use crate::table::Table;
use crate::table::rollback::undo_record;
use crate::txn::prepared::Recovered;
use crate::txn::{Durability, TrxShared, TrxSys};
use crate::undo::log::UndoCopy;
use crate::undo::pool::Unfinished;
use crate::undo::{Kind, UNDO_SPACE, UndoPool};
use base::{PageId, PageNo, TrxId, TrxNo};
use parking_lot::{Mutex, RwLock};
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::sync::{Arc, OnceLock};

const MAGIC: u64 = 0x314c_4545_4b4e_5645; // "EVNKEEL1"
const MAGIC_AT: u16 = 64;
const ROOTS_AT: u16 = 72;
const SYSTEM_PAGE: PageId = PageId::new(SYSTEM_SPACE, PageNo(1));
/// First transaction id of a new data directory.
const FIRST_ID: TrxId = TrxId(256);

type Roots = [PageNo; 3];

pub(super) fn open(config: EngineConfig) -> Result<Arc<Engine>> {
    let fs: Arc<dyn FileSystem> = match &config.file_system {
        Some(fs) => fs.clone(),
        None => Arc::new(RealFs::new(&config.data_dir, config.direct_io)?),
    };
    let flush_at_commit = match config.durability {
        Durability::Lazy => 0,
        Durability::Synced => 1,
        Durability::Written => 2,
    };
    let store_config = StoreConfig {
        pool: PoolConfig {
            bytes: config.buffer_pool_size,
            max_bytes: if config.file_system.is_none() { sys::usage::machine_memory() } else { 0 },
            doublewrite: config.doublewrite,
            ..PoolConfig::default()
        },
        log: LogConfig { capacity: config.redo_capacity, buffer: config.log_buffer, flush_at_commit },
        force_recovery: config.force_recovery,
        open_files: config.open_files,
    };
    crate::sort::clean(fs.as_ref())?;
    let (store, report) = Store::open(fs, &store_config)?;
    let store = Arc::new(store);
    let undo = UndoPool::new(store.clone());
    let roots = match read_system_page(&store)? {
        Some(roots) => roots,
        None => first_start(&store, &undo)?,
    };
    let next_id = undo.id_limit()?;
    let unfinished = undo.recover()?;
    let engine = Arc::new_cyclic(|me| Engine {
        me: me.clone(),
        store,
        undo,
        trx_sys: TrxSys::new(next_id, TrxNo(1)),
        locks: LockSys::new(),
        dict: OnceLock::new(),
        tables: RwLock::default(),
        sessions: Mutex::default(),
        unique_guards: (0..GUARDS).map(|_| Mutex::new(())).collect(),
        id_raise: Mutex::new(()),
        autoinc_mode: config.autoinc_mode,
        read_only: AtomicBool::new(config.read_only || config.force_recovery >= 4 || report.cut.is_some()),
        report,
        recovered: Mutex::default(),
        durability: AtomicU8::new(flush_at_commit),
        lock_wait_timeout: config.lock_wait_timeout,
        threads: Mutex::new(None),
        purger: Mutex::default(),
        stats: Default::default(),
        lag: Default::default(),
        uncommitted: Default::default(),
        print_ddl_logs: AtomicBool::new(false),
    });
    recover(&engine, roots, unfinished)?;
    if config.background {
        *engine.threads.lock() = Some(Threads {
            _store: engine.store.start_background()?,
            _purge: threads::EngineThread::purge(&engine, config.purge_threads > 0)?,
            _statistics: threads::EngineThread::statistics(&engine)?,
        });
    }
    Ok(engine)
}

/// Roots of the dictionary's trees; `None`: there was no complete first start.
fn read_system_page(store: &Store) -> Result<Option<Roots>> {
    if !store.files().exists(SYSTEM_SPACE) {
        return Ok(None);
    }
    let others = store.files().spaces()?.iter().any(|s| u64::from(s.0) >= FIRST_USER_ID);
    match store.pool().read(SYSTEM_PAGE) {
        Ok(page) if page.u64_at(MAGIC_AT as usize) == MAGIC => {
            let root = |i: usize| PageNo(page.u32_at(ROOTS_AT as usize + 4 * i));
            Ok(Some([root(0), root(1), root(2)]))
        }
        Err(e) if others => Err(e),
        Ok(_) if others => Err(StorageError::CorruptPage { page: SYSTEM_PAGE, why: "not the system page" }),
        _ => Ok(None),
    }
}

fn first_start(store: &Store, undo: &UndoPool) -> Result<Roots> {
    for space in [SYSTEM_SPACE, UNDO_SPACE] {
        if store.files().exists(space) {
            store.drop_space(space)?;
        }
        store.create_space(space)?;
        let mut mtr = store.mtr()?;
        space::create(&mut mtr, space)?;
        mtr.commit();
    }
    let mut mtr = store.mtr()?;
    let want = Want { owner: 1, near: PageNo(0), small: true };
    let (page, x) = space::alloc_page(&mut mtr, SYSTEM_SPACE, want)?;
    mtr.apply(x, PageOp::Init { ty: PageType::System, level: 0, index_id: 0 })?;
    mtr.commit();
    if page != SYSTEM_PAGE.page {
        return Err(StorageError::CorruptPage { page: SYSTEM_PAGE, why: "system page not at its place" });
    }
    let mut roots = [PageNo::NONE; 3];
    for (root, index) in roots.iter_mut().zip(SYSTEM_INDEXES) {
        let mut mtr = store.mtr()?;
        *root = BTree::create(&mut mtr, SYSTEM_SPACE, index)?.root;
        mtr.commit();
    }
    undo.create(FIRST_ID)?;
    store.flush_and_checkpoint()?;
    let mut bytes = MAGIC.to_le_bytes().to_vec();
    roots.iter().for_each(|r| bytes.extend_from_slice(&r.0.to_le_bytes()));
    let mut mtr = store.mtr()?;
    let x = mtr.x(SYSTEM_PAGE)?;
    mtr.apply(x, PageOp::Patch { offset: MAGIC_AT, bytes: &bytes })?;
    mtr.commit();
    store.flush_and_checkpoint()?;
    Ok(roots)
}

fn recover(engine: &Arc<Engine>, roots: Roots, unfinished: Vec<Unfinished>) -> Result<()> {
    // ids that the unfinished transactions and this start use
    let limit = TrxId(engine.trx_sys.next_id().0 + ID_RUN);
    engine.undo.raise_id_limit(limit)?;
    engine.trx_sys.raise_limit(limit);
    let mut lost = Vec::new();
    for u in unfinished {
        let shared = Arc::new(TrxShared::new(0, engine.locks.new_owner()));
        engine.trx_sys.adopt(&shared, u.id);
        match u.prepared {
            Some(xid) => {
                shared.owner().begin(u.id.0);
                engine.recovered.lock().push(Recovered { xid, id: u.id, log: u.log, shared });
            }
            None => lost.push((shared, u)),
        }
    }
    let defs = system_tables(roots).map(Arc::new);
    let system_ids = defs.clone().map(|d| d.id);
    let [objects, log] = defs;
    let (objects, log) = (Table::open(engine, objects)?, Table::open(engine, log)?);
    for (shared, u) in &lost {
        roll_back(engine, shared, u, |t| system_ids.contains(&t))?;
    }
    let mut trx = engine.new_trx(0)?;
    let dict = Dict::load(&mut trx, objects, log)?;
    trx.commit()?;
    drop(trx);
    let _ = engine.dict.set(dict);
    for (shared, mut u) in lost {
        roll_back(engine, &shared, &u, |_| true)?;
        let (_, end) = u.log.finish(&engine.undo, Kind::RolledBack, u.id)?;
        let no = engine.trx_sys.end(u.id);
        engine.undo.enqueue(&u.log, no, end);
        engine.undo.release(u.log);
    }
    Ddl::replay_log(engine)
}

fn roll_back(
    engine: &Engine,
    shared: &Arc<TrxShared>,
    u: &Unfinished,
    which: impl Fn(base::TableId) -> bool,
) -> Result<()> {
    let (mut before, mut copy) = (None, UndoCopy::default());
    while let Some(pos) = u.log.newest(&engine.undo, before, 0, u.id, &mut copy)? {
        if let Some(rec) = copy.record().filter(|r| which(r.table)) {
            undo_record(engine, shared.owner(), u.id, pos, &rec)?;
        }
        before = Some(pos);
    }
    Ok(())
}
