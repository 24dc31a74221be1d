//! INNODB_BUFFER_PAGE, INNODB_BUFFER_PAGE_LRU, INNODB_CACHED_INDEXES: what lies in the buffer pool; INNODB_TEMP_TABLE_INFO: the temporary
//! tables of all sessions. They need PROCESS (1227).
//!
//! The pool has one instance, no adaptive hash index, no compressed pages, no clock of freed pages, and pages of a dropped table leave it at
//! once: those columns are constant.
//! LRU_POSITION counts from the page that is replaced next, as InnoDB's does. A page of the dictionary or of an index that was dropped
//! names no table. Tested in `tests/sql/golden/buffer_pages.sql`.

use super::innodb_tables::check_process;
use super::perf::locks::{Objects, objects};
use super::{Column, Columns, Hints, NULL, Row, SessionView, Spec, T, joined, look, s, u};
use base::SqlResult;
use std::collections::BTreeMap;
use storage::buffer::{PageContent, PageInfo};
use storage::page::PageType;

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec { schema: IS, name: "INNODB_BUFFER_PAGE", columns: BUFFER_PAGE, rows: buffer_page },
    Spec { schema: IS, name: "INNODB_BUFFER_PAGE_LRU", columns: BUFFER_PAGE_LRU, rows: buffer_page_lru },
    Spec {
        schema: IS,
        name: "INNODB_CACHED_INDEXES",
        columns: &[("SPACE_ID", T::UInt, false), ("INDEX_ID", T::U, false), ("N_CACHED_PAGES", T::U, false)],
        rows: cached_indexes,
    },
    Spec {
        schema: IS,
        name: "INNODB_TEMP_TABLE_INFO",
        columns: &[
            ("TABLE_ID", T::U, false),
            ("NAME", T::S(64), true),
            ("N_COLS", T::UInt, false),
            ("SPACE", T::UInt, false),
        ],
        rows: temporary,
    },
];

const BUFFER_PAGE: Columns = &joined::<21>(&[
    &[("POOL_ID", T::U, false), ("BLOCK_ID", T::U, false)],
    &OF_PAGE,
    &[("PAGE_STATE", T::S(64), true)],
    &PLACE_IN_POOL,
    &[("IS_STALE", T::S(3), true)],
]);
const BUFFER_PAGE_LRU: Columns = &joined::<20>(&[
    &[("POOL_ID", T::U, false), ("LRU_POSITION", T::U, false)],
    &OF_PAGE,
    &[("COMPRESSED", T::S(3), true)],
    &PLACE_IN_POOL,
]);
const OF_PAGE: [Column; 14] = [
    ("SPACE", T::U, false),
    ("PAGE_NUMBER", T::U, false),
    ("PAGE_TYPE", T::S(64), true),
    ("FLUSH_TYPE", T::U, false),
    ("FIX_COUNT", T::U, false),
    ("IS_HASHED", T::S(3), true),
    ("NEWEST_MODIFICATION", T::U, false),
    ("OLDEST_MODIFICATION", T::U, false),
    ("ACCESS_TIME", T::U, false),
    ("TABLE_NAME", T::S(1024), true),
    ("INDEX_NAME", T::S(1024), true),
    ("NUMBER_RECORDS", T::U, false),
    ("DATA_SIZE", T::U, false),
    ("COMPRESSED_SIZE", T::U, false),
];
const PLACE_IN_POOL: [Column; 3] =
    [("IO_FIX", T::S(64), true), ("IS_OLD", T::S(3), true), ("FREE_PAGE_CLOCK", T::U, false)];

/// InnoDB's name of what a page is for.
fn type_name(kind: PageType) -> &'static str {
    match kind {
        PageType::Free => "ALLOCATED",
        PageType::SpaceHeader => "FILE_SPACE_HEADER",
        PageType::Index => "INDEX",
        PageType::Overflow => "LOB_DATA",
        PageType::Undo => "UNDO_LOG",
        PageType::UndoSlot => "RSEG_ARRAY",
        PageType::System => "SYSTEM",
    }
}

/// SPACE to COMPRESSED_SIZE, which both tables have.
fn described(page: &PageInfo, objects: &Objects) -> Row {
    let index = page.content.filter(|c| c.kind == PageType::Index).map(|c| c.index.0);
    let object = index.and_then(|id| objects.get(&(false, id)));
    let quoted = |name: &str| format!("`{}`", name.replace('`', "``"));
    let table = object.map_or(NULL, |(t, _)| s(format!("{}.{}", quoted(&t.schema), quoted(&t.name))));
    let index = object.and_then(|(t, n)| t.indexes.get((*n)?)).map_or(NULL, |x| s(&x.name));
    let number = |f: fn(&PageContent) -> u64| u(page.content.as_ref().map_or(0, f));
    vec![
        u(u64::from(page.id.space.0)),
        u(u64::from(page.id.page.0)),
        s(page.content.map_or("UNKNOWN", |c| type_name(c.kind))),
        u(u64::from(page.flushing)),
        u(page.holders),
        s("NO"),
        number(|c| c.lsn.0),
        u(page.oldest_modification.0),
        u(u64::from(page.first_touch)),
        table,
        index,
        number(|c| u64::from(c.records)),
        number(|c| u64::from(c.data)),
        u(0),
    ]
}

/// IO_FIX, IS_OLD, FREE_PAGE_CLOCK.
fn state(page: &PageInfo, old: bool) -> [value::OwnedValue; 3] {
    [s(if page.flushing { "IO_WRITE" } else { "IO_NONE" }), s(if old { "YES" } else { "NO" }), u(0)]
}

fn buffer_page(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    check_process(v)?;
    let (pool, objects) = (v.engine.store().pool(), objects(&v.engine));
    let (mut out, old) = (Vec::new(), pool.old_frames());
    for f in 0..pool.frame_count() as u32 {
        look(out.len())?;
        let mut row = vec![u(0), u(u64::from(f))];
        match pool.page_info(f) {
            Some(page) => {
                row.extend(described(&page, &objects));
                row.push(s("FILE_PAGE"));
                row.extend(state(&page, old.contains(&f)));
                row.push(s("NO"));
            }
            None => {
                row.extend([u(0), u(0), s("UNKNOWN"), u(0), u(0), s("NO"), u(0), u(0), u(0), NULL, NULL]);
                row.extend([u(0), u(0), u(0), s("NOT_USED"), s("IO_NONE"), s("NO"), u(0), s("NO")]);
            }
        }
        out.push(row);
    }
    Ok(out)
}

fn buffer_page_lru(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    check_process(v)?;
    let (pool, objects) = (v.engine.store().pool(), objects(&v.engine));
    let (mut out, old) = (Vec::new(), pool.old_frames());
    for f in pool.replacement_order() {
        look(out.len())?;
        let Some(page) = pool.page_info(f) else { continue };
        let mut row = vec![u(0), u(out.len() as u64)];
        row.extend(described(&page, &objects));
        row.push(s("NO"));
        row.extend(state(&page, old.contains(&f)));
        out.push(row);
    }
    Ok(out)
}

fn cached_indexes(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    check_process(v)?;
    let (pool, objects) = (v.engine.store().pool(), objects(&v.engine));
    let mut pages: BTreeMap<(u32, u64), u64> = BTreeMap::new();
    for f in 0..pool.frame_count() as u32 {
        look(f as usize)?;
        let Some(page) = pool.page_info(f) else { continue };
        let index = page.content.filter(|c| c.kind == PageType::Index).map(|c| c.index.0);
        if let Some(id) = index.filter(|id| objects.contains_key(&(false, *id))) {
            *pages.entry((page.id.space.0, id)).or_default() += 1;
        }
    }
    Ok(pages.into_iter().map(|((space, index), n)| vec![u(u64::from(space)), u(index), u(n)]).collect())
}

/// A temporary table has no name that all sessions know: NAME is made from the process and the tablespace.
fn temporary(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    check_process(v)?;
    let mut tables = v.engine.temporary_tables();
    tables.sort_by_key(|t| t.id.0);
    let row = |t: &storage::dict::TableDef| {
        let name = format!("#sql{:x}_{:x}", std::process::id(), t.space.0);
        // InnoDB counts DB_ROW_ID, DB_TRX_ID and DB_ROLL_PTR
        vec![u(t.id.0), s(name), u(t.columns.len() as u64 + 3), u(u64::from(t.space.0))]
    };
    Ok(tables.iter().map(|t| row(t)).collect())
}
