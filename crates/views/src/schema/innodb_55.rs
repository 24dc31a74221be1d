//! What Percona's servers of MySQL 5.5 called the dictionary's tables and what lies in the pool: INNODB_SYS_TABLES,
//! INNODB_SYS_INDEXES, INNODB_BUFFER_POOL_PAGES, INNODB_BUFFER_POOL_PAGES_INDEX. Queries in articles of that time run
//! as
//! printed. MySQL has none of them. They need PROCESS (1227).
//!
//! ACCESS_TIME is when the page was first touched, in milliseconds since the pool was made; LRU_POSITION counts from
//! the page
//! that is replaced next. Tested: `tests/clients/test_innodb_status.py`.

use super::innodb_tables::{base_tables, check_process, index_type};
use super::{Hints, Row, SessionView, Spec, T, i, look, s, u};
use base::SqlResult;
use storage::buffer::PageInfo;
use storage::page::PageType;

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "INNODB_SYS_TABLES",
        columns: &[
            ("TABLE_ID", T::U, false),
            ("SCHEMA", T::S(193), false),
            ("NAME", T::S(193), false),
            ("FLAG", T::Int, false),
            ("N_COLS", T::Int, false),
            ("SPACE", T::Int, false),
        ],
        rows: tables,
    },
    Spec {
        schema: IS,
        name: "INNODB_SYS_INDEXES",
        columns: &[
            ("INDEX_ID", T::U, false),
            ("NAME", T::S(193), false),
            ("TABLE_ID", T::U, false),
            ("TYPE", T::Int, false),
            ("N_FIELDS", T::Int, false),
            ("PAGE_NO", T::Int, false),
            ("SPACE", T::Int, false),
        ],
        rows: indexes,
    },
    Spec {
        schema: IS,
        name: "INNODB_BUFFER_POOL_PAGES",
        columns: &[
            ("PAGE_TYPE", T::S(64), true),
            ("SPACE_ID", T::U, false),
            ("PAGE_NO", T::U, false),
            ("LRU_POSITION", T::U, false),
            ("FIX_COUNT", T::U, false),
            ("FLUSH_TYPE", T::U, false),
        ],
        rows: pages,
    },
    Spec {
        schema: IS,
        name: "INNODB_BUFFER_POOL_PAGES_INDEX",
        columns: &[
            ("INDEX_ID", T::U, false),
            ("SPACE_ID", T::U, false),
            ("PAGE_NO", T::U, false),
            ("N_RECS", T::U, false),
            ("DATA_SIZE", T::U, false),
            ("HASHED", T::U, false),
            ("ACCESS_TIME", T::U, false),
            ("MODIFIED", T::U, false),
            ("DIRTY", T::U, false),
            ("OLD", T::U, false),
            ("LRU_POSITION", T::U, false),
            ("FIX_COUNT", T::U, false),
            ("FLUSH_TYPE", T::U, false),
        ],
        rows: index_pages,
    },
];

/// Columns of these tables and of MySQL's own that name a row each: a query that groups by one may show the others.
pub(super) const UNIQUE: &[(&str, &[u16])] =
    &[("INNODB_SYS_TABLES", &[0]), ("INNODB_SYS_INDEXES", &[0]), ("INNODB_TABLES", &[0]), ("INNODB_INDEXES", &[0])];

fn tables(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |t: &storage::dict::TableDef| {
        // InnoDB counts DB_ROW_ID, DB_TRX_ID and DB_ROLL_PTR; 33 is DYNAMIC
        let numbers = [i(33), i(t.columns.len() as i64 + 3), i(i64::from(t.space.0))];
        [u(t.id.0), s(&t.schema), s(&t.name)].into_iter().chain(numbers).collect()
    };
    Ok(base_tables(v)?.iter().map(|t| row(t)).collect())
}

fn indexes(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for t in base_tables(v)? {
        for (n, x) in t.indexes.iter().enumerate() {
            let (kind, parts) = (index_type(n, x), x.parts.len() as i64);
            let at = [i(i64::from(x.root.0)), i(i64::from(t.space.0))];
            let mut row = vec![u(x.id.0), s(&x.name), u(t.id.0), i(kind as i64), i(parts)];
            row.extend(at);
            out.push(row);
        }
    }
    Ok(out)
}

/// The pages in the pool with their place in the order of replacement and whether they are old.
fn in_pool(v: &SessionView, mut f: impl FnMut(&PageInfo, usize, bool)) -> SqlResult<()> {
    check_process(v)?;
    let pool = v.engine.store().pool();
    let old = pool.old_frames();
    for (at, frame) in pool.replacement_order().into_iter().enumerate() {
        look(at)?;
        if let Some(page) = pool.page_info(frame) {
            f(&page, at, old.contains(&frame));
        }
    }
    Ok(())
}

fn place(p: &PageInfo) -> [value::OwnedValue; 2] {
    [u(u64::from(p.id.space.0)), u(u64::from(p.id.page.0))]
}

/// LRU_POSITION, FIX_COUNT, FLUSH_TYPE.
fn state(p: &PageInfo, at: usize) -> [value::OwnedValue; 3] {
    [u(at as u64), u(p.holders), u(u64::from(p.flushing))]
}

fn pages(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    in_pool(v, |p, at, _| {
        let name = p.content.map_or("unknown", |c| match c.kind {
            PageType::Free => "allocated",
            PageType::SpaceHeader => "fsp_hdr",
            PageType::Index => "index",
            PageType::Overflow => "blob",
            PageType::Undo => "undo_log",
            PageType::UndoSlot => "inode",
            PageType::System => "sys",
        });
        let mut row = vec![s(name)];
        row.extend(place(p));
        row.extend(state(p, at));
        out.push(row);
    })?;
    Ok(out)
}

fn index_pages(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    in_pool(v, |p, at, old| {
        let Some(c) = p.content.filter(|c| c.kind == PageType::Index) else { return };
        let dirty = p.oldest_modification.0 != 0;
        let mut row = vec![u(c.index.0)];
        row.extend(place(p));
        row.extend([u(u64::from(c.records)), u(u64::from(c.data)), u(0), u(u64::from(p.first_touch))]);
        row.extend([u(u64::from(c.lsn.0 != 0)), u(u64::from(dirty)), u(u64::from(old))]);
        row.extend(state(p, at));
        out.push(row);
    })?;
    Ok(out)
}
