//! Opening an engine: first start, recovery, rollback of unfinished transactions, dictionary.
//!
//! The system page (page 1 of space 1) says that the first start was finished: `magic u64` at 64, then the root pages of
//! [`SYSTEM_INDEXES`], u32 each. It is written last. A first start that a crash cut short is done again from the start, which
//! is only allowed while no other tablespace exists. Each start adds a gap of the log to it ([`Gap`]: u32 number at 96, pairs of u64 from 128 on,
//! the oldest go), and each clean end changes it: its own LSN says how far the log had come.
//!
//! A start that is refused changes nothing ([`examine`] comes before the first change): from the first change on the
//! good file, put back from a copy, would be older than the log.
//!
//! `innodb_force_recovery` (manual, "Forcing InnoDB Recovery"): from 1 on the engine only reads, and damage that can be stepped over is named and
//! stepped over; from 2 on there is no purge; from 3 on unfinished transactions are not rolled back (nobody sees what they did, their undo is
//! used); from 5 on undo is not looked at, and they count as committed. 4 is as 3, 6 as 5.

use super::{Engine, EngineConfig, GUARDS, ID_RUN, SYSTEM_SPACE, Threads, threads};
use crate::btree::BTree;
use crate::buffer::{Gap, PoolConfig};
use crate::dict::system::{SYSTEM_INDEXES, system_tables};
use crate::dict::{Ddl, Dict};
use crate::error::{Result, StorageError};
use crate::file::real::RealFs;
use crate::file::{FileSystem, Files};
use crate::page::{PageOp, PageType};
use crate::recovery::progress::{self, Step};
use crate::recovery::{self, RecoveryReport};
use crate::redo::{ForcedBy, LogConfig};
use crate::reserved::{BACKUP_DIR, FIRST_USER_ID, START_PAGES, SYSTEM_PAGE};
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
use base::{Lsn, PageId, PageNo, TrxId, TrxNo};
use parking_lot::{Mutex, RwLock};
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::sync::{Arc, OnceLock};

const MAGIC: u64 = 0x314c_4545_4b4e_5645; // "EVNKEEL1"
const MAGIC_AT: u16 = 64;
const ROOTS_AT: u16 = 72;
/// Number of gaps, and where they are.
const GAPS_AT: u16 = 96;
const GAP_LIST_AT: usize = 128;
const MAX_GAPS: usize = 500;
/// `innodb_force_recovery` from which on unfinished transactions stay as they are, and from which on undo is not looked at.
const NO_ROLLBACK: u8 = 3;
const NO_UNDO: u8 = 5;
/// First transaction id of a new data directory.
const FIRST_ID: TrxId = TrxId(256);

type Roots = [PageNo; 3];

pub(super) fn open(config: EngineConfig) -> Result<Arc<Engine>> {
    let fs: Arc<dyn FileSystem> = match &config.file_system {
        Some(fs) => fs.clone(),
        None => Arc::new(RealFs::new(&config.data_dir, config.direct_io)?),
    };
    let store_config = store_config(&config);
    let force = config.force_recovery;
    crate::sort::clean(fs.as_ref())?;
    crate::file::empty_dir(fs.as_ref(), BACKUP_DIR)?;
    let (store, mut report) = recovery::look(fs, &store_config)?;
    let store = examine(store, &report, force)?;
    let store = Arc::new(recovery::go_on(store, &store_config, &mut report)?);
    let undo = UndoPool::new(store.clone());
    let roots = match read_system_page(&store)? {
        Some(roots) => roots,
        None => first_start(&store, &undo)?,
    };
    note_gap(&store, &report, force)?;
    let (next_id, unfinished) = match force {
        // larger than any that rows have: they all count as committed
        NO_UNDO.. => (TrxId(1 << 46), Vec::new()),
        _ => (undo.id_limit()?, undo.recover()?),
    };
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
        forced: force > 0,
        read_only: AtomicBool::new(config.read_only || force > 0),
        foreign_key_error: Default::default(),
        report,
        recovered: Mutex::default(),
        durability: AtomicU8::new(store_config.log.flush_at_commit),
        always_synced: std::sync::atomic::AtomicBool::new(false),
        lock_wait_timeout: config.lock_wait_timeout,
        threads: Mutex::new(None),
        purger: Mutex::default(),
        exports: RwLock::default(),
        computer: Default::default(),
        stats: Default::default(),
        lag: Default::default(),
        uncommitted: Default::default(),
        print_ddl_logs: AtomicBool::new(false),
    });
    recover(&engine, roots, unfinished, force)?;
    if config.background {
        *engine.threads.lock() = Some(Threads {
            _store: engine.store.start_background()?,
            _purge: threads::EngineThread::purge(&engine, config.purge_threads > 0 && force < 2)?,
            _statistics: threads::EngineThread::statistics(&engine)?,
        });
    }
    Ok(engine)
}

/// What of the configuration is the store's.
fn store_config(config: &EngineConfig) -> StoreConfig {
    let flush_at_commit = match config.durability {
        Durability::Lazy => 0,
        Durability::Synced => 1,
        Durability::Written => 2,
    };
    StoreConfig {
        pool: PoolConfig {
            bytes: config.buffer_pool_size,
            max_bytes: if config.file_system.is_none() { sys::usage::machine_memory() } else { 0 },
            doublewrite: config.doublewrite,
            ..PoolConfig::default()
        },
        log: LogConfig { capacity: config.redo_capacity, buffer: config.log_buffer, flush_at_commit },
        force_recovery: config.force_recovery,
        open_files: config.open_files,
        sink: config.sink.clone(),
    }
}

/// Roots of the dictionary's trees; `None`: there was no complete first start.
fn read_system_page(store: &Store) -> Result<Option<Roots>> {
    let others = store.files().spaces()?.iter().any(|s| u64::from(s.0) >= FIRST_USER_ID);
    for space in [SYSTEM_SPACE, UNDO_SPACE] {
        if !store.files().exists(space) {
            return if others { Err(StorageError::missing(space)) } else { Ok(None) };
        }
    }
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

/// Reads what the engine cannot do without: the whole dictionary, the undo directory, and what the transactions that
/// have not ended have left there. Damage refuses the start here.
fn examine(store: Store, report: &RecoveryReport, force: u8) -> Result<Store> {
    let store = Arc::new(store);
    if let Some(roots) = read_system_page(&store)? {
        check_age(&store, report, force)?;
        if force == 0 {
            for page in (0..space::end_of_use(store.pool(), SYSTEM_SPACE)?).map(PageNo) {
                if space::is_allocated(store.pool(), SYSTEM_SPACE, page)? {
                    store.pool().read(PageId::new(SYSTEM_SPACE, page))?;
                }
            }
            for (root, index) in roots.into_iter().zip(SYSTEM_INDEXES) {
                BTree { space: SYSTEM_SPACE, root, index }.check(store.pool())?;
            }
        }
        if force < NO_UNDO {
            let undo = UndoPool::new(store.clone());
            undo.id_limit()?;
            for u in undo.recover()?.iter().filter(|_| force < NO_ROLLBACK) {
                let (mut before, mut copy) = (None, UndoCopy::default());
                while let Some(pos) = u.log.newest(&undo, before, 0, u.id, &mut copy)? {
                    before = Some(pos);
                }
            }
        }
    }
    Arc::into_inner(store).ok_or(StorageError::NotFound)
}

/// Every start changes the system page and the first page of the undo directory in its first mini-transaction ([`note_gap`]) and writes both to their files. The
/// log knows the last start that has done so: a file in which that page is older is an older copy of the file. (Looked at before the log is replayed, too:
/// `recovery::newer`. This is for pages that had to be repaired.)
fn check_age(store: &Store, report: &RecoveryReport, force: u8) -> Result<()> {
    for page in START_PAGES.into_iter().filter(|p| force < NO_UNDO || p.space != UNDO_SPACE) {
        let lsn = store.pool().read(page)?.lsn();
        if lsn < report.run && force == 0 {
            return Err(StorageError::stale(page, lsn, report.run));
        }
    }
    Ok(())
}

/// Adds the gap that this start has left in the log to those in the system page, which all pages are compared with from now on. Done before anything
/// else is logged, so that no page can be of this start unless the gap is known.
fn note_gap(store: &Store, report: &RecoveryReport, force: u8) -> Result<()> {
    let mut mtr = store.mtr()?;
    if force < NO_UNDO {
        UndoPool::touch(&mut mtr)?;
    }
    let x = mtr.x(SYSTEM_PAGE)?;
    let page = mtr.page(x);
    let stored = (page.u32_at(GAPS_AT as usize) as usize).min(MAX_GAPS);
    let gap = |i: usize| (Lsn(page.u64_at(GAP_LIST_AT + 16 * i)), Lsn(page.u64_at(GAP_LIST_AT + 16 * i + 8)));
    let mut gaps: Vec<Gap> = (0..stored).map(gap).collect();
    if report.start > report.end {
        gaps.push((report.end, report.start));
    }
    let gaps = gaps.split_off(gaps.len().saturating_sub(MAX_GAPS));
    let mut bytes = (gaps.len() as u32).to_le_bytes().to_vec();
    bytes.resize(GAP_LIST_AT - GAPS_AT as usize, 0);
    for (end, start) in &gaps {
        bytes.extend_from_slice(&end.0.to_le_bytes());
        bytes.extend_from_slice(&start.0.to_le_bytes());
    }
    mtr.apply(x, PageOp::Patch { offset: GAPS_AT, bytes: &bytes })?;
    let lsn = mtr.commit();
    store.log().flush_to(lsn, ForcedBy::Explicit)?;
    if force < NO_UNDO {
        // both pages are in their files before the first checkpoint that says so
        store.pool().flush_all()?;
        store.log().file().set_run(report.start);
        store.checkpoint()?;
    }
    store.pool().past.set_gaps(gaps);
    Ok(())
}

/// A clean end: the system page gets the newest LSN.
pub(super) fn note_end(store: &Store) -> Result<()> {
    let mut mtr = store.mtr()?;
    let x = mtr.x(SYSTEM_PAGE)?;
    let n = mtr.page(x).u32_at(GAPS_AT as usize);
    mtr.apply(x, PageOp::Patch { offset: GAPS_AT, bytes: &n.to_le_bytes() })?;
    mtr.commit();
    Ok(())
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

fn recover(engine: &Arc<Engine>, roots: Roots, unfinished: Vec<Unfinished>, force: u8) -> Result<()> {
    // ids that the unfinished transactions and this start use
    let limit = TrxId(engine.trx_sys.next_id().0 + ID_RUN);
    if force < NO_UNDO {
        engine.undo.raise_id_limit(limit)?;
    }
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
    if force >= NO_ROLLBACK {
        // they go on for ever: what they did is seen by nobody, and this engine only reads
        std::mem::take(&mut lost).into_iter().for_each(std::mem::forget);
    }
    for (shared, u) in &lost {
        roll_back(engine, shared, u, |t| system_ids.contains(&t))?;
    }
    let mut trx = engine.new_trx(0)?;
    let dict = Dict::load(&mut trx, objects, log)?;
    trx.commit()?;
    drop(trx);
    let _ = engine.dict.set(dict);
    if force >= NO_ROLLBACK {
        return Ok(());
    }
    progress::begin(Step::RollBack, lost.len() as u64);
    for (n, (shared, mut u)) in (0..).zip(lost) {
        progress::done(n);
        roll_back(engine, &shared, &u, |_| true)?;
        let (_, end) = u.log.finish(&engine.undo, Kind::RolledBack, u.id)?;
        let no = engine.trx_sys.end(u.id);
        engine.undo.enqueue(&u.log, no, end);
        engine.undo.release(u.log);
    }
    progress::begin(Step::None, 0);
    if force == 0 {
        Ddl::replay_log(engine)?;
        Ddl::remove_orphans(engine)?;
    }
    inventory(engine)
}

/// Names tables whose file is gone, and files that are no table's.
fn inventory(engine: &Arc<Engine>) -> Result<()> {
    let mut files: std::collections::BTreeSet<_> = engine.store.files().spaces()?.into_iter().collect();
    let dict = engine.dict();
    for relation in dict.schemas().iter().flat_map(|s| dict.relations(&s.name)) {
        let crate::dict::Relation::Table(t) = relation else { continue };
        if !files.remove(&t.space) && t.space != SYSTEM_SPACE {
            let text = format!(
                "Table {}.{}: its file '{}' is missing. Statements that use the table fail. Restore the whole data directory from a backup, or drop \
                 the table",
                t.schema,
                t.name,
                Files::name_of(t.space)
            );
            probe::errorlog::say("ERROR", "InnoDB", 12_216, &text);
        }
    }
    for space in files.into_iter().filter(|s| u64::from(s.0) >= FIRST_USER_ID) {
        let name = Files::name_of(space);
        let text = format!("File '{name}' belongs to no table that the dictionary knows; it is left as it is");
        probe::errorlog::say("Warning", "InnoDB", 12_224, &text);
    }
    Ok(())
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
