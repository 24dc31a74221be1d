//! Names of what can be locked.

use latch::{Mutex, classes};
use probe::Stage;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

/// What kind of thing a name belongs to (performance_schema's OBJECT_TYPE).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Namespace {
    Global,
    BackupLock,
    Tablespace,
    Schema,
    Table,
    Function,
    Procedure,
    Trigger,
    Event,
    Commit,
    UserLevelLock,
    AclCache,
    ForeignKey,
    CheckConstraint,
}

impl Namespace {
    /// As performance_schema writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Namespace::Global => "GLOBAL",
            Namespace::BackupLock => "BACKUP LOCK",
            Namespace::Tablespace => "TABLESPACE",
            Namespace::Schema => "SCHEMA",
            Namespace::Table => "TABLE",
            Namespace::Function => "FUNCTION",
            Namespace::Procedure => "PROCEDURE",
            Namespace::Trigger => "TRIGGER",
            Namespace::Event => "EVENT",
            Namespace::Commit => "COMMIT",
            Namespace::UserLevelLock => "USER LEVEL LOCK",
            Namespace::AclCache => "ACL_CACHE",
            Namespace::ForeignKey => "FOREIGN KEY",
            Namespace::CheckConstraint => "CHECK CONSTRAINT",
        }
    }
    /// What a session is at that waits for such a lock.
    pub const fn wait_stage(self) -> Stage {
        match self {
            Namespace::Global => Stage::WaitingGlobalReadLock,
            Namespace::BackupLock => Stage::WaitingBackupLock,
            Namespace::Tablespace => Stage::WaitingTablespace,
            Namespace::Schema => Stage::WaitingSchema,
            Namespace::Table => Stage::WaitingTable,
            Namespace::Function => Stage::WaitingFunction,
            Namespace::Procedure => Stage::WaitingProcedure,
            Namespace::Trigger => Stage::WaitingTrigger,
            Namespace::Event => Stage::WaitingEvent,
            Namespace::Commit => Stage::WaitingCommitLock,
            Namespace::UserLevelLock => Stage::UserLock,
            Namespace::AclCache => Stage::WaitingAclCache,
            Namespace::ForeignKey => Stage::WaitingForeignKey,
            Namespace::CheckConstraint => Stage::WaitingCheckConstraint,
        }
    }
    /// Whether locks of it are scopes (IX, S, X) and not objects.
    pub const fn is_scoped(self) -> bool {
        matches!(
            self,
            Namespace::Global | Namespace::BackupLock | Namespace::Tablespace | Namespace::Schema | Namespace::Commit
        )
    }
    /// Whether weak locks of it go into slots. User-level locks are only ever exclusive.
    pub(crate) const fn has_weak(self) -> bool {
        !matches!(self, Namespace::UserLevelLock)
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Name {
    pub(crate) namespace: Namespace,
    pub(crate) db: Box<str>,
    pub(crate) object: Box<str>,
}

/// A name with its hash. Make it once per object and keep it: making it costs an allocation and a hash, using it neither.
#[derive(Debug)]
pub struct MdlKey {
    name: Arc<Name>,
    hash: u64,
    /// The name's, here as well: every acquisition asks for it.
    namespace: Namespace,
    /// Epoch in which the name was put into [`NAMES`].
    known: AtomicU32,
}

impl Clone for MdlKey {
    fn clone(&self) -> MdlKey {
        MdlKey {
            name: self.name.clone(),
            hash: self.hash,
            namespace: self.namespace,
            known: AtomicU32::new(self.known.load(Ordering::Relaxed)),
        }
    }
}

impl PartialEq for MdlKey {
    fn eq(&self, o: &MdlKey) -> bool {
        self.name == o.name
    }
}
impl Eq for MdlKey {}
impl PartialOrd for MdlKey {
    fn partial_cmp(&self, o: &MdlKey) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for MdlKey {
    /// Namespace, schema, name: the order in which DDL takes several locks so as not to run into itself.
    fn cmp(&self, o: &MdlKey) -> std::cmp::Ordering {
        self.name.cmp(&o.name)
    }
}

impl MdlKey {
    /// Any name. Case must be as the server compares it (the caller folds it where names are not case-sensitive).
    pub fn new(namespace: Namespace, db: &str, object: &str) -> MdlKey {
        static SEED: OnceLock<RandomState> = OnceLock::new();
        let h = SEED.get_or_init(RandomState::new).hash_one((namespace as u8, db, object)) & !crate::fast::META;
        let hash = if h == 0 { 1 << 8 } else { h }; // 0 is the empty slot
        let name = Arc::new(Name { namespace, db: db.into(), object: object.into() });
        MdlKey { name, hash, namespace, known: AtomicU32::new(0) }
    }
    /// A table or view.
    pub fn table(db: &str, table: &str) -> MdlKey {
        MdlKey::new(Namespace::Table, db, table)
    }
    /// A schema as a scope.
    pub fn schema(db: &str) -> MdlKey {
        MdlKey::new(Namespace::Schema, db, "")
    }
    /// The scope of everything (FLUSH TABLES WITH READ LOCK takes S, every change IX).
    pub fn global() -> &'static MdlKey {
        static KEY: LazyLock<MdlKey> = LazyLock::new(|| MdlKey::new(Namespace::Global, "", ""));
        &KEY
    }
    /// The scope of commits.
    pub fn commit() -> &'static MdlKey {
        static KEY: LazyLock<MdlKey> = LazyLock::new(|| MdlKey::new(Namespace::Commit, "", ""));
        &KEY
    }
    /// The scope of LOCK INSTANCE FOR BACKUP.
    pub fn backup() -> &'static MdlKey {
        static KEY: LazyLock<MdlKey> = LazyLock::new(|| MdlKey::new(Namespace::BackupLock, "", ""));
        &KEY
    }
    /// The accounts: one statement changes them at a time.
    pub fn accounts() -> &'static MdlKey {
        static KEY: LazyLock<MdlKey> = LazyLock::new(|| MdlKey::new(Namespace::AclCache, "", ""));
        &KEY
    }
    /// A GET_LOCK name; these are not case-sensitive.
    pub fn user_lock(name: &str) -> MdlKey {
        MdlKey::new(Namespace::UserLevelLock, "", &name.to_lowercase())
    }
    /// Its namespace.
    pub fn namespace(&self) -> Namespace {
        self.namespace
    }
    /// Schema name or empty.
    pub fn db(&self) -> &str {
        &self.name.db
    }
    /// Object name or empty.
    pub fn object(&self) -> &str {
        &self.name.object
    }
    /// The upper 56 bits identify the name in this process; the lower 8 are 0.
    pub fn hash(&self) -> u64 {
        self.hash
    }
    pub(crate) fn name(&self) -> &Arc<Name> {
        &self.name
    }
    /// Makes sure that listings can turn the hash in a slot back into this name. One read of a rarely written word.
    #[inline]
    pub(crate) fn make_known(&self) {
        let epoch = EPOCH.load(Ordering::Relaxed);
        if self.known.load(Ordering::Relaxed) != epoch {
            self.make_known_slow();
        }
    }
    #[cold]
    fn make_known_slow(&self) {
        let names = NAMES.get_or_init(|| Mutex::new(&classes::PROBE, HashMap::new()));
        let mut names = names.lock();
        if names.len() >= MOST_NAMES {
            // Forget all; names in use come back with their next acquisition. Until then listings lack them.
            names.clear();
            EPOCH.fetch_add(1, Ordering::Relaxed);
        }
        names.insert(self.hash, self.name.clone());
        self.known.store(EPOCH.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

const MOST_NAMES: usize = 100_000;
static EPOCH: AtomicU32 = AtomicU32::new(1);
static NAMES: OnceLock<Mutex<HashMap<u64, Arc<Name>>>> = OnceLock::new();

/// The name of a hash found in a slot.
pub(crate) fn name_of(hash: u64) -> Option<Arc<Name>> {
    NAMES.get()?.lock().get(&(hash & !crate::fast::META)).cloned()
}

/// The name of a lock that is held, for the table; an empty one if it has been forgotten, which only listings show.
pub(crate) fn name_or_unnamed(hash: u64, namespace: Namespace) -> Arc<Name> {
    name_of(hash).unwrap_or_else(|| Arc::new(Name { namespace, db: "".into(), object: "".into() }))
}
