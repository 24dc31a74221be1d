//! INNODB_TABLESPACES, INNODB_TABLESPACES_BRIEF, INNODB_DATAFILES, FILES, INNODB_TABLESTATS, INNODB_BUFFER_POOL_STATS, and InnoDB's tables of what
//! Evenkeel has none of: compressed pages, temporary tablespaces of sessions, full-text auxiliary tables (`innodb_ft_aux_table` is
//! not there). They need PROCESS (1227). A table has a tablespace of its own, which is named as the table is.
//!
//! Rates of INNODB_BUFFER_POOL_STATS are since the start of the server. Tested in `tests/sql/golden/system_tables.sql`.

use super::tables::base_tables;
use super::{Columns, Hints, NULL, Row, SessionView, Spec, T, datetime, i, none, s, u};
use base::SqlResult;
use probe::{Counter, global};
use storage::dict::TableDef;
use value::OwnedValue;

const IS: &str = "information_schema";
const PAGE: u64 = 16384;

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "INNODB_TABLESPACES",
        columns: &[
            ("SPACE", T::UInt, false),
            ("NAME", T::S(655), false),
            ("FLAG", T::UInt, false),
            ("ROW_FORMAT", T::S(22), true),
            ("PAGE_SIZE", T::UInt, false),
            ("ZIP_PAGE_SIZE", T::UInt, false),
            ("SPACE_TYPE", T::S(10), true),
            ("FS_BLOCK_SIZE", T::UInt, false),
            ("FILE_SIZE", T::U, false),
            ("ALLOCATED_SIZE", T::U, false),
            ("AUTOEXTEND_SIZE", T::U, false),
            ("SERVER_VERSION", T::S(10), true),
            ("SPACE_VERSION", T::UInt, false),
            ("ENCRYPTION", T::S(1), true),
            ("STATE", T::S(10), true),
        ],
        rows: tablespaces,
    },
    Spec {
        schema: IS,
        name: "INNODB_TABLESPACES_BRIEF",
        columns: &[
            ("SPACE", T::Bytes(256), true),
            ("NAME", T::Bin(268), false),
            ("PATH", T::Bin(512), false),
            ("FLAG", T::Bytes(256), true),
            ("SPACE_TYPE", T::Word(7), false),
        ],
        rows: brief,
    },
    Spec {
        schema: IS,
        name: "INNODB_DATAFILES",
        columns: &[("SPACE", T::Bytes(256), true), ("PATH", T::Bin(512), false)],
        rows: datafiles,
    },
    Spec { schema: IS, name: "FILES", columns: FILES, rows: files },
    Spec {
        schema: IS,
        name: "INNODB_TABLESTATS",
        columns: &[
            ("TABLE_ID", T::U, false),
            ("NAME", T::S(193), false),
            ("STATS_INITIALIZED", T::S(193), false),
            ("NUM_ROWS", T::U, false),
            ("CLUST_INDEX_SIZE", T::U, false),
            ("OTHER_INDEX_SIZE", T::U, false),
            ("MODIFIED_COUNTER", T::U, false),
            ("AUTOINC", T::U, false),
            ("REF_COUNT", T::Int, false),
        ],
        rows: stats,
    },
    Spec { schema: IS, name: "INNODB_BUFFER_POOL_STATS", columns: POOL, rows: pool },
    Spec { schema: IS, name: "INNODB_CMP", columns: CMP, rows: compressed },
    Spec { schema: IS, name: "INNODB_CMP_RESET", columns: CMP, rows: compressed },
    Spec { schema: IS, name: "INNODB_CMPMEM", columns: CMPMEM, rows: compressed },
    Spec { schema: IS, name: "INNODB_CMPMEM_RESET", columns: CMPMEM, rows: compressed },
    Spec { schema: IS, name: "INNODB_CMP_PER_INDEX", columns: CMP_PER_INDEX, rows: none },
    Spec { schema: IS, name: "INNODB_CMP_PER_INDEX_RESET", columns: CMP_PER_INDEX, rows: none },
    Spec {
        schema: IS,
        name: "INNODB_SESSION_TEMP_TABLESPACES",
        columns: &[
            ("ID", T::UInt, false),
            ("SPACE", T::UInt, false),
            ("PATH", T::S(4001), false),
            ("SIZE", T::U, false),
            ("STATE", T::S(192), false),
            ("PURPOSE", T::S(192), false),
        ],
        rows: none,
    },
    Spec { schema: IS, name: "INNODB_FT_BEING_DELETED", columns: &[("DOC_ID", T::U, false)], rows: none },
    Spec { schema: IS, name: "INNODB_FT_DELETED", columns: &[("DOC_ID", T::U, false)], rows: none },
    Spec {
        schema: IS,
        name: "INNODB_FT_CONFIG",
        columns: &[("KEY", T::S(193), false), ("VALUE", T::S(193), false)],
        rows: none,
    },
    Spec { schema: IS, name: "INNODB_FT_INDEX_CACHE", columns: FT_INDEX, rows: none },
    Spec { schema: IS, name: "INNODB_FT_INDEX_TABLE", columns: FT_INDEX, rows: none },
];

const CMP: Columns = &[
    ("page_size", T::Int, false),
    ("compress_ops", T::Int, false),
    ("compress_ops_ok", T::Int, false),
    ("compress_time", T::Int, false),
    ("uncompress_ops", T::Int, false),
    ("uncompress_time", T::Int, false),
];
const CMPMEM: Columns = &[
    ("page_size", T::Int, false),
    ("buffer_pool_instance", T::Int, false),
    ("pages_used", T::Int, false),
    ("pages_free", T::Int, false),
    ("relocation_ops", T::I, false),
    ("relocation_time", T::Int, false),
];
const CMP_PER_INDEX: Columns = &[
    ("database_name", T::S(192), false),
    ("table_name", T::S(192), false),
    ("index_name", T::S(192), false),
    ("compress_ops", T::Int, false),
    ("compress_ops_ok", T::Int, false),
    ("compress_time", T::Int, false),
    ("uncompress_ops", T::Int, false),
    ("uncompress_time", T::Int, false),
];
const FT_INDEX: Columns = &[
    ("WORD", T::S(337), false),
    ("FIRST_DOC_ID", T::U, false),
    ("LAST_DOC_ID", T::U, false),
    ("DOC_COUNT", T::U, false),
    ("DOC_ID", T::U, false),
    ("POSITION", T::U, false),
];

const FILES: Columns = &[
    ("FILE_ID", T::I, true),
    ("FILE_NAME", T::Short, true),
    ("FILE_TYPE", T::S(256), true),
    ("TABLESPACE_NAME", T::Bin(268), false),
    ("TABLE_CATALOG", T::Word(0), false),
    ("TABLE_SCHEMA", T::Nothing, true),
    ("TABLE_NAME", T::Nothing, true),
    ("LOGFILE_GROUP_NAME", T::S(256), true),
    ("LOGFILE_GROUP_NUMBER", T::I, true),
    ("ENGINE", T::S(64), false),
    ("FULLTEXT_KEYS", T::Nothing, true),
    ("DELETED_ROWS", T::Nothing, true),
    ("UPDATE_COUNT", T::Nothing, true),
    ("FREE_EXTENTS", T::I, true),
    ("TOTAL_EXTENTS", T::I, true),
    ("EXTENT_SIZE", T::I, true),
    ("INITIAL_SIZE", T::I, true),
    ("MAXIMUM_SIZE", T::I, true),
    ("AUTOEXTEND_SIZE", T::I, true),
    ("CREATION_TIME", T::Nothing, true),
    ("LAST_UPDATE_TIME", T::Nothing, true),
    ("LAST_ACCESS_TIME", T::Nothing, true),
    ("RECOVER_TIME", T::Nothing, true),
    ("TRANSACTION_COUNTER", T::Nothing, true),
    ("VERSION", T::I, true),
    ("ROW_FORMAT", T::S(256), true),
    ("TABLE_ROWS", T::Nothing, true),
    ("AVG_ROW_LENGTH", T::Nothing, true),
    ("DATA_LENGTH", T::Nothing, true),
    ("MAX_DATA_LENGTH", T::Nothing, true),
    ("INDEX_LENGTH", T::Nothing, true),
    ("DATA_FREE", T::I, true),
    ("CREATE_TIME", T::Nothing, true),
    ("UPDATE_TIME", T::Nothing, true),
    ("CHECK_TIME", T::Nothing, true),
    ("CHECKSUM", T::Nothing, true),
    ("STATUS", T::S(256), true),
    ("EXTRA", T::S(256), true),
];

const POOL: Columns = &[
    ("POOL_ID", T::U, false),
    ("POOL_SIZE", T::U, false),
    ("FREE_BUFFERS", T::U, false),
    ("DATABASE_PAGES", T::U, false),
    ("OLD_DATABASE_PAGES", T::U, false),
    ("MODIFIED_DATABASE_PAGES", T::U, false),
    ("PENDING_DECOMPRESS", T::U, false),
    ("PENDING_READS", T::U, false),
    ("PENDING_FLUSH_LRU", T::U, false),
    ("PENDING_FLUSH_LIST", T::U, false),
    ("PAGES_MADE_YOUNG", T::U, false),
    ("PAGES_NOT_MADE_YOUNG", T::U, false),
    ("PAGES_MADE_YOUNG_RATE", T::Float, false),
    ("PAGES_MADE_NOT_YOUNG_RATE", T::Float, false),
    ("NUMBER_PAGES_READ", T::U, false),
    ("NUMBER_PAGES_CREATED", T::U, false),
    ("NUMBER_PAGES_WRITTEN", T::U, false),
    ("PAGES_READ_RATE", T::Float, false),
    ("PAGES_CREATE_RATE", T::Float, false),
    ("PAGES_WRITTEN_RATE", T::Float, false),
    ("NUMBER_PAGES_GET", T::U, false),
    ("HIT_RATE", T::U, false),
    ("YOUNG_MAKE_PER_THOUSAND_GETS", T::U, false),
    ("NOT_YOUNG_MAKE_PER_THOUSAND_GETS", T::U, false),
    ("NUMBER_PAGES_READ_AHEAD", T::U, false),
    ("NUMBER_READ_AHEAD_EVICTED", T::U, false),
    ("READ_AHEAD_RATE", T::Float, false),
    ("READ_AHEAD_EVICTED_RATE", T::Float, false),
    ("LRU_IO_TOTAL", T::U, false),
    ("LRU_IO_CURRENT", T::U, false),
    ("UNCOMPRESS_TOTAL", T::U, false),
    ("UNCOMPRESS_CURRENT", T::U, false),
];

fn name(t: &TableDef) -> OwnedValue {
    s(format!("{}/{}", t.schema, t.name))
}

fn path(t: &TableDef) -> String {
    format!("./{}", storage::file::Files::name_of(t.space))
}

/// Size of the file and what is allocated of it, bytes.
fn sizes(v: &SessionView, t: &TableDef) -> (u64, u64) {
    let file = std::path::Path::new(&v.globals.string(catalog::sysvar::Var::datadir))
        .join(storage::file::Files::name_of(t.space));
    let meta = std::fs::metadata(file).ok();
    let blocks = |m: &std::fs::Metadata| std::os::unix::fs::MetadataExt::blocks(m) * 512;
    meta.map_or((0, 0), |m| (m.len(), blocks(&m)))
}

fn tablespaces(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    // FILE_SIZE, ALLOCATED_SIZE
    let looks = v.reads(&[8, 9]);
    let row = |t: &TableDef| {
        let (size, allocated) = if looks { sizes(v, t) } else { (0, 0) };
        vec![
            u(u64::from(t.space.0)),
            name(t),
            u(16417),
            s("Dynamic"),
            u(PAGE),
            u(0),
            s("Single"),
            u(4096),
            u(size),
            u(allocated),
            u(0),
            s("8.4.0"),
            u(1),
            s("N"),
            s(if t.discarded { "discarded" } else { "normal" }),
        ]
    };
    Ok(base_tables(v, &[]).iter().map(|t| row(t)).collect())
}

fn brief(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |t: &TableDef| vec![s(t.space.0.to_string()), name(t), s(path(t)), s("16417"), s("Single")];
    Ok(base_tables(v, &[]).iter().map(|t| row(t)).collect())
}

fn datafiles(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(base_tables(v, &[]).iter().map(|t| vec![s(t.space.0.to_string()), s(path(t))]).collect())
}

/// The files of tables; extents are of 1 MB.
fn files(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    const EXTENT: u64 = 1 << 20;
    if !v.account.privileges.has_global(catalog::accounts::Privs::PROCESS) {
        return Err(base::SqlError::new(base::ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"PROCESS"]));
    }
    // TOTAL_EXTENTS
    let looks = v.reads(&[14]);
    let row = |t: &TableDef| {
        let size = if looks { sizes(v, t).0 } else { 0 };
        let mut row =
            vec![i(i64::from(t.space.0)), s(path(t)), s("TABLESPACE"), name(t), s(""), NULL, NULL, NULL, NULL];
        row.extend([s("InnoDB"), NULL, NULL, NULL, NULL, i((size / EXTENT) as i64), i(EXTENT as i64)]);
        row.extend([NULL, NULL, NULL, datetime(v, t.created)]);
        row.resize(FILES.len() - 2, NULL);
        row.extend([s("NORMAL"), NULL]);
        row
    };
    Ok(base_tables(v, &[]).iter().map(|t| row(t)).collect())
}

/// The sizes that compressed pages can have; there are none. Also by instance of the buffer pool, which is one.
fn compressed(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok([1024, 2048, 4096, 8192, 16384].map(|size| [i(size), i(0), i(0), i(0), i(0), i(0)].to_vec()).to_vec())
}

/// Tables with storage, whoever may see them.
pub(super) fn persistent_tables(v: &SessionView) -> Vec<std::sync::Arc<TableDef>> {
    let dict = v.engine.dict();
    let of = |s: &std::sync::Arc<storage::dict::SchemaDef>| dict.relations(&s.name);
    let base = |r| match r {
        storage::dict::Relation::Table(t) => Some(t),
        storage::dict::Relation::View(_) => None,
    };
    dict.schemas().iter().flat_map(of).filter_map(base).collect()
}

fn stats(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    // NUM_ROWS to OTHER_INDEX_SIZE, AUTOINC
    let opens = v.reads(&[3, 4, 5, 7]);
    for t in base_tables(v, &[]) {
        if !opens {
            let row = [u(t.id.0), name(&t), s("Initialized")];
            out.push(row.into_iter().chain([0; 5].map(u)).chain([i(0)]).collect());
            continue;
        }
        let Some(o) = v.engine.dict().open_table(&v.engine, &t.schema, &t.name).ok().flatten() else { continue };
        let (data, index) = o.size_bytes();
        let next = o.autoinc_value(&v.engine).ok().flatten().unwrap_or(0);
        let row = [u(t.id.0), name(&t), s("Initialized"), u(o.row_estimate()), u(data / PAGE), u(index / PAGE)];
        out.push(row.into_iter().chain([u(0), u(next), i(0)]).collect());
    }
    Ok(out)
}

fn pool(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let p = v.engine.status().pool;
    let rate = |n: u64| OwnedValue::Double(n as f64 / v.uptime.max(1) as f64);
    let (young, old) =
        (global(Counter::InnodbBufferPoolPagesMadeYoung), global(Counter::InnodbBufferPoolPagesMadeNotYoung));
    let [read, created, written] =
        [Counter::InnodbPagesRead, Counter::InnodbPagesCreated, Counter::InnodbPagesWritten].map(global);
    let (gets, misses) = (global(Counter::InnodbBufferPoolReadRequests), global(Counter::InnodbBufferPoolReads));
    let (ahead, evicted) =
        (global(Counter::InnodbBufferPoolReadAhead), global(Counter::InnodbBufferPoolReadAheadEvicted));
    let thousand = |n: u64| u(n.saturating_mul(1000).checked_div(gets).unwrap_or(0));
    let mut row: Row = [0, p.frames, p.free, p.frames - p.free.min(p.frames), p.old, p.dirty, 0, 0, 0, 0]
        .into_iter()
        .map(|n| u(n as u64))
        .collect();
    row.extend([u(young), u(old), rate(young), rate(old), u(read), u(created), u(written)]);
    row.extend([rate(read), rate(created), rate(written), u(gets), thousand(gets.saturating_sub(misses))]);
    row.extend([thousand(young), thousand(old), u(ahead), u(evicted), rate(ahead), rate(evicted)]);
    row.extend([u(0), u(0), u(0), u(0)]);
    Ok(vec![row])
}
