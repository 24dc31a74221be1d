//! The virtual schemas: which tables there are, and how their rows are made.

mod absent;
mod accounts;
mod charsets;
mod column_types;
mod columns;
mod constraints;
mod extensions;
mod grants;
mod histograms;
mod innodb;
mod innodb_55;
mod innodb_pages;
mod innodb_spaces;
mod innodb_tables;
mod keywords;
mod mysql_columns;
mod mysql_tables;
mod own;
pub mod perf;
pub mod programs;
mod roles;
mod server;
mod statistics;
mod tables;
pub mod views;

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Accounts};
use catalog::connections::{Connection, Connections};
use catalog::sysvar::{GlobalVars, SessionVars};
pub(crate) use column_types::T;
use column_types::{coded, coded_columns, column};
use planner::resolve::VirtualTable;
use std::sync::{Arc, OnceLock};
use storage::dict::TableDef;
use storage::engine::Engine;
use value::{CollationId, OwnedValue};

/// The schemas whose tables are computed.
pub const VIRTUAL_SCHEMAS: [&str; 2] = ["information_schema", "performance_schema"];

/// What the asking session shows to a virtual table. Made when such a table is read.
pub struct SessionView {
    /// Columns of the table that are read; `None`: all. What an unread column has is of no meaning.
    pub read: Option<Box<[u16]>>,
    /// The engine.
    pub engine: Arc<Engine>,
    /// Metadata locks.
    pub mdl: Arc<mdl::MdlManager>,
    /// The session's time zone.
    pub time_zone: value::TimeZone,
    /// Global variables.
    pub globals: Arc<GlobalVars>,
    /// The session's variables.
    pub vars: SessionVars,
    /// Connections.
    pub connections: Arc<Connections>,
    /// The asking one.
    pub connection: Arc<Connection>,
    /// Accounts.
    pub accounts: Arc<Accounts>,
    /// The account the session acts as.
    pub account: Arc<Account>,
    /// Its active roles.
    pub active_roles: Vec<(String, String)>,
    /// Session status counters as (name, value).
    pub session_status: Vec<(&'static str, i64)>,
    /// Status variables of the session that are no counters: name, value.
    pub session_texts: Vec<(&'static str, String)>,
    /// Status variables of the server that are no counters: name, value.
    pub server_texts: Vec<(&'static str, String)>,
    /// Values of computed session variables (`warning_count`, `last_insert_id`, ...): name, value.
    pub computed: Vec<(&'static str, String)>,
    /// Seconds since the server started.
    pub uptime: u64,
    /// When that was, seconds since 1970.
    pub started: u64,
    /// The session's temporary tables, where they are to be shown.
    pub temporary: Vec<Arc<storage::dict::TableDef>>,
    /// Plans that are kept for all sessions: how many, and their bytes.
    pub kept_plans: (u64, u64),
    /// Prepared statements of all sessions.
    pub prepared_statements: u64,
    /// The replica's threads.
    pub replication: Option<Arc<dyn perf::replication::ToldTables>>,
    /// The last clone.
    pub clones: Arc<dyn perf::replication::ToldTables>,
    /// The session's OPTIMIZER_TRACE.
    pub traces: Vec<executor::traces::OptimizerTrace>,
}

impl SessionView {
    /// Whether any of these columns of the table whose rows are being made is read.
    pub(crate) fn reads(&self, any: &[u16]) -> bool {
        self.read.as_ref().is_none_or(|read| any.iter().any(|c| read.contains(c)))
    }
}

/// A row.
pub(crate) type Row = Vec<OwnedValue>;
/// Equality conditions on columns that need not be honoured.
pub(crate) type Hints<'h> = &'h [(u16, OwnedValue)];
type RowsFn = fn(&SessionView, Hints<'_>) -> SqlResult<Vec<Row>>;

/// A column of a table: name, type, whether NULL is allowed.
pub(crate) type Column = (&'static str, T, bool);
/// Columns of a table.
pub(crate) type Columns = &'static [Column];

/// Lists of columns one behind the other; `N` is their number.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
pub(crate) const fn joined<const N: usize>(lists: &[&[Column]]) -> [Column; N] {
    let mut all = [lists[0][0]; N];
    let (mut n, mut list) = (0, 0);
    while list < lists.len() {
        let mut column = 0;
        while column < lists[list].len() {
            all[n] = lists[list][column];
            (n, column) = (n + 1, column + 1);
        }
        list += 1;
    }
    assert!(n == N);
    all
}

/// One virtual table.
pub(crate) struct Spec {
    pub(crate) schema: &'static str,
    pub(crate) name: &'static str,
    pub(crate) columns: Columns,
    pub(crate) rows: RowsFn,
}

struct Virtual {
    def: Arc<TableDef>,
    rows: RowsFn,
    /// The column that names the table which a row is about, where the rows function looks at it first.
    by_table: Option<u16>,
    /// Columns that name a row each.
    unique: &'static [u16],
    /// Its ENUM and SET columns.
    coded: Vec<(usize, T)>,
}

impl std::fmt::Debug for Virtual {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.def.schema, self.def.name)
    }
}

impl VirtualTable for Virtual {
    fn def(&self) -> &Arc<TableDef> {
        &self.def
    }
    fn guarded(&self) -> bool {
        perf::is_guarded(&self.def.schema, &self.def.name)
    }
    fn finds(&self, column: u16) -> bool {
        self.by_table == Some(column)
    }
    fn unique(&self) -> &[u16] {
        self.unique
    }
}

/// All rows of a virtual table as the session may see them, or at least those that satisfy `hints` (column = value).
///
/// # Errors
/// 1142 for a table that the account may not read, 1146 for one that is not virtual; those of making the rows.
pub fn rows(def: &Arc<TableDef>, view: &SessionView, hints: &[(u16, OwnedValue)]) -> SqlResult<Vec<Vec<OwnedValue>>> {
    let Some(table) = all().iter().find(|t| Arc::ptr_eq(&t.def, def)) else {
        return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&def.schema, &def.name]));
    };
    perf::check_access(view, &def.schema, &def.name)?;
    if def.schema == perf::PS {
        // its tables are locked as such, as in MySQL; InnoDB's and information_schema's are not
        probe::inc(probe::Counter::TableLocksImmediate);
    }
    let mut rows = (table.rows)(view, hints)?;
    for &(at, t) in &table.coded {
        for value in rows.iter_mut().filter_map(|row| row.get_mut(at)) {
            *value = coded(t, std::mem::take(value));
        }
    }
    Ok(rows)
}

/// Between rows of a long list: KILL, time and memory limits.
pub(crate) fn look(rows: usize) -> SqlResult<()> {
    if rows.is_multiple_of(256) {
        sched::check_interrupt()?;
        base::memory::check()?;
    }
    Ok(())
}

fn build(s: &Spec) -> Arc<Virtual> {
    let def = TableDef {
        id: base::TableId(0),
        version: 1,
        schema: s.schema.to_owned(),
        name: s.name.to_owned(),
        space: base::SpaceId(0),
        columns: s.columns.iter().map(|(n, t, null)| column(s.schema, s.name, n, *t, *null)).collect(),
        indexes: Vec::new(),
        foreign_keys: Vec::new(),
        referenced_by: Vec::new(),
        triggers: Vec::new(),
        checks: Vec::new(),
        collation: CollationId(33),
        comment: String::new(),
        options: Vec::new(),
        auto_increment: 0,
        created: 0,
        fulltext: Vec::new(),
        former: Vec::new(),
        discarded: false,
    };
    let by_table =
        tables::TABLE_NAMES.iter().find(|(name, _)| s.schema == tables::IS && *name == s.name).map(|(_, c)| *c);
    let unique = innodb_55::UNIQUE.iter().find(|(name, _)| s.schema == tables::IS && *name == s.name).map(|(_, c)| *c);
    let (unique, coded) = (unique.unwrap_or_default(), coded_columns(s.columns));
    Arc::new(Virtual { def: Arc::new(def), rows: s.rows, by_table, unique, coded })
}

fn all() -> &'static [Arc<Virtual>] {
    static ALL: OnceLock<Vec<Arc<Virtual>>> = OnceLock::new();
    ALL.get_or_init(|| {
        // in the order that information_schema.TABLES shows them in
        let relations = [tables::TABLES, columns::TABLES, statistics::TABLES, constraints::TABLES];
        let relations = relations.into_iter().chain([programs::TABLES, tables::PARTITIONS, histograms::TABLES]);
        let lists = [views::TABLES, charsets::TABLES, accounts::TABLES, server::TABLES, innodb::TABLES];
        let more = [innodb_tables::TABLES, grants::TABLES, roles::TABLES];
        let perf = [perf::threads::TABLES, perf::statements::TABLES, perf::locks::TABLES, perf::setup::TABLES];
        let perf = perf.into_iter().chain([
            perf::server::TABLES,
            perf::absent::TABLES,
            perf::compression::TABLES,
            perf::sums::TABLES,
        ]);
        let perf = perf.chain([
            perf::switches::TABLES,
            perf::transactions::TABLES,
            perf::phases::TABLES,
            perf::errors::TABLES,
            perf::files::TABLES,
            perf::memory::TABLES,
            perf::programs::TABLES,
            perf::replication::TABLES,
            perf::clone::TABLES,
            perf::sockets::TABLES,
            perf::table_io::TABLES,
            perf::variables::TABLES,
        ]);
        let beside = [extensions::TABLES, absent::TABLES, innodb_spaces::TABLES, innodb_pages::TABLES];
        let beside = beside.into_iter().chain([innodb_55::TABLES, own::TABLES, mysql_tables::TABLES]);
        relations.chain(lists).chain(more).chain(perf).chain(beside).flatten().map(build).collect()
    })
}

/// A virtual table by name; both names compare without case.
pub fn virtual_table(schema: &str, name: &str) -> Option<Arc<dyn VirtualTable>> {
    let hit =
        |t: &&Arc<Virtual>| t.def().schema.eq_ignore_ascii_case(schema) && t.def().name.eq_ignore_ascii_case(name);
    all().iter().find(hit).map(|t| t.clone() as Arc<dyn VirtualTable>)
}

/// All tables of a virtual schema.
pub fn virtual_schema_tables(schema: &str) -> Vec<Arc<dyn VirtualTable>> {
    let own = all().iter().filter(|t| t.def.schema.eq_ignore_ascii_case(schema));
    own.map(|t| t.clone() as Arc<dyn VirtualTable>).collect()
}

// ---- small constructors for rows -------------------------------------------------------------------------------------

pub(crate) fn s(v: impl AsRef<str>) -> OwnedValue {
    OwnedValue::Str(v.as_ref().as_bytes().into())
}
pub(crate) fn u(v: u64) -> OwnedValue {
    OwnedValue::UInt(v)
}
pub(crate) fn i(v: i64) -> OwnedValue {
    OwnedValue::Int(v)
}
/// A JSON document by its text; NULL where it is none.
pub(crate) fn json(text: &str) -> OwnedValue {
    match value::json::parse_document(text.as_bytes()) {
        Ok(Ok(document)) => OwnedValue::Json(document.into()),
        _ => NULL,
    }
}
pub(crate) const NULL: OwnedValue = OwnedValue::Null;

/// The text a hint asks a column to equal.
pub(crate) fn hint<'h>(hints: Hints<'h>, column: u16) -> Option<&'h str> {
    hints.iter().find(|(c, _)| *c == column).and_then(|(_, v)| match v {
        OwnedValue::Str(b) => std::str::from_utf8(b).ok(),
        _ => None,
    })
}

/// Whether a name passes the hint on a column. The condition is checked again, so more may pass: all names that some collation of names
/// (`utf8mb3_bin`, `utf8mb3_tolower_ci`; both pad with spaces) has for equal.
pub(crate) fn passes(hints: Hints<'_>, column: u16, name: &str) -> bool {
    hint(hints, column).is_none_or(|h| {
        let plain = h.is_ascii() && !h.ends_with(' ');
        let lower = || CollationId::UTF8MB3_TOLOWER_CI.get().compare(h.as_bytes(), name.as_bytes()).is_eq();
        h.eq_ignore_ascii_case(name) || !plain && lower()
    })
}

/// A schema's name as it is kept: those of virtual schemas are known in any case.
pub(crate) fn schema_name(name: &str) -> &str {
    VIRTUAL_SCHEMAS.iter().find(|v| v.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

/// Seconds since 1970 as a date and time in the session's time zone.
pub(crate) fn datetime(v: &SessionView, unix: u64) -> OwnedValue {
    if unix == 0 {
        return NULL;
    }
    OwnedValue::DateTime(v.time_zone.from_unix(unix as i64, 0))
}

/// No rows: the feature does not exist here.
pub(crate) fn none(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(Vec::new())
}
