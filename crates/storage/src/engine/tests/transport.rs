//! Exported files: still while they are exported, and whatever is done to them before an import.

use super::support::*;
use crate::dict::{Ddl, TableDef};
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::file::{FileKind, FileSystem, OpenMode};
use crate::page::{PAGE_SIZE, PageBuf, PageType};
use crate::table::{BuildOptions, ReadMode, Table};
use crate::transport::{Absent, Export, Source, clean};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers that look like chance.
struct Rng(u64);

impl Rng {
    fn within(&mut self, from: usize, to: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + (self.0 >> 24) as usize % (to - from)
    }
}

fn bytes(fs: &dyn FileSystem, name: &str) -> Vec<u8> {
    let f = fs.open(name, OpenMode::ReadOnly, FileKind::Log).unwrap();
    let mut b = vec![0; f.len().unwrap() as usize];
    f.read_at(0, &mut b).unwrap();
    b
}

fn put(fs: &dyn FileSystem, name: &str, b: &[u8]) {
    fs.open(name, OpenMode::Truncate, FileKind::Log).unwrap().write_at(0, b).unwrap();
}

/// A table with long columns, deleted rows and several levels.
fn filled(e: &Arc<Engine>, rows: i64) -> Arc<Table> {
    let t = create(e, standard("t"));
    let mut trx = e.new_trx(1).unwrap();
    trx.start();
    for i in 0..rows {
        let blob = vec![b'b'; if i % 40 == 0 { 40_000 } else { 10 }];
        insert_blob(&mut trx, &t, &r(i, i % 7, Some(-i), &"s".repeat(150)), Some(&blob)).unwrap();
    }
    trx.commit().unwrap();
    t
}

fn export(e: &Arc<Engine>, t: &Arc<Table>) -> (Vec<u8>, Vec<u8>) {
    let fs = e.store().files().fs().clone();
    let _export = Export::begin(e, std::slice::from_ref(t), "test").unwrap();
    (bytes(fs.as_ref(), "t/t.ibd"), bytes(fs.as_ref(), "t/t.cfg"))
}

/// Loads the files into a table that goes again; how many rows it had.
fn import(e: &Arc<Engine>, (ibd, cfg): (&[u8], &[u8])) -> Result<u64> {
    let fs = e.store().files().fs().clone();
    put(fs.as_ref(), "t/u.ibd", ibd);
    put(fs.as_ref(), "t/u.cfg", cfg);
    let def = standard("u");
    let source = Source::find(e, &def).map_err(|a| match a {
        Absent::Unfit(e) => e,
        other => panic!("{other:?}"),
    })?;
    let mut ddl = Ddl::begin(e, 1).unwrap();
    let def = ddl.create_files(def).unwrap();
    let target = Arc::new(Table::new(e, Arc::new(def)));
    let loaded = source.load(e, &target, BuildOptions { memory: 1 << 20, interrupted: &|| false });
    if loaded.is_ok() {
        check(e, &target);
    }
    ddl.rollback().unwrap();
    loaded
}

#[test]
fn purge_and_writers_of_other_tables_leave_it_alone() {
    let (fs, e) = engine();
    let t = filled(&e, 600);
    let other = create(&e, standard("other"));
    let mut trx = e.new_trx(1).unwrap();
    trx.start();
    (0..600).filter(|i| i % 3 == 0).for_each(|i| assert!(delete(&mut trx, &t, i).unwrap()));
    trx.commit().unwrap();
    let held = Export::begin(&e, std::slice::from_ref(&t), "test").unwrap();
    let before = (bytes(fs.as_ref(), "t/t.ibd"), bytes(fs.as_ref(), "t/t.cfg"));
    trx.start();
    (0..600).for_each(|i| drop(insert(&mut trx, &other, &r(i, i, Some(i), "x")).unwrap()));
    trx.commit().unwrap();
    while e.purge_batch().unwrap() > 0 {}
    e.store().flush_and_checkpoint().unwrap();
    assert!(bytes(fs.as_ref(), "t/t.ibd") == before.0);
    drop(held);
    assert!(!fs.exists("t/t.ibd") && !fs.exists("t/t.cfg"));
    let mut purged = 0;
    loop {
        match e.purge_batch().unwrap() {
            0 => break,
            n => purged += n,
        }
    }
    assert!(purged > 0);
    assert_eq!(import(&e, (&before.0, &before.1)).unwrap(), 400);
    // a copy from after purge belongs to another .cfg file
    e.store().flush_and_checkpoint().unwrap();
    let (later, _) = export(&e, &t);
    assert!(matches!(import(&e, (&later, &before.1)), Err(StorageError::Foreign { .. })) || later == before.0);
}

#[test]
fn damage_of_every_kind_of_page_is_an_error_that_names_it() {
    let (_fs, e) = engine();
    let t = filled(&e, 400);
    let (ibd, cfg) = export(&e, &t);
    assert_eq!(import(&e, (&ibd, &cfg)).unwrap(), 400);
    let mut rng = Rng(11);
    let mut found: BTreeMap<u8, usize> = BTreeMap::new();
    for n in 0..ibd.len() / PAGE_SIZE {
        let mut b = ibd.clone();
        b[n * PAGE_SIZE + rng.within(0, PAGE_SIZE)] ^= 1 << rng.within(0, 8);
        match import(&e, (&b, &cfg)) {
            // pages of secondary indexes, and such as no row needs
            Ok(rows) => assert_eq!(rows, 400),
            Err(StorageError::Foreign { page, why, .. }) => {
                assert_eq!((page.map(|p| p.0 as usize), why), (Some(n), "checksum mismatch"));
                *found.entry(ibd[n * PAGE_SIZE + 12]).or_default() += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    for kind in [PageType::SpaceHeader, PageType::Index, PageType::Overflow] {
        assert!(found.contains_key(&(kind as u8)), "{kind:?}: {found:?}");
    }
}

#[test]
fn a_hostile_file_with_right_checksums_does_no_harm() {
    let (_fs, e) = engine();
    let t = filled(&e, 400);
    let (ibd, cfg) = export(&e, &t);
    let mut rng = Rng(12);
    let (mut refused, mut taken) = (0, 0);
    let mut page = PageBuf::zeroed();
    for _ in 0..if cfg!(debug_assertions) { 600 } else { 3000 } {
        let n = rng.within(0, ibd.len() / PAGE_SIZE);
        page.bytes_mut().copy_from_slice(&ibd[n * PAGE_SIZE..(n + 1) * PAGE_SIZE]);
        if page.is_zero() {
            continue;
        }
        for _ in 0..rng.within(1, 3) {
            let at = match rng.within(0, 3) {
                0 => rng.within(12, 64),
                1 => rng.within(64, 400),
                _ => rng.within(12, PAGE_SIZE - 4),
            };
            let some: [u8; 4] = match rng.within(0, 4) {
                0 => [0xff; 4],
                1 => [0; 4],
                2 => (rng.within(0, 80) as u32).to_le_bytes(),
                _ => (rng.within(0, 1 << 32) as u32).to_le_bytes(),
            };
            page.bytes_mut()[at..at + 4].copy_from_slice(&some);
        }
        page.seal();
        let mut b = ibd.clone();
        b[n * PAGE_SIZE..(n + 1) * PAGE_SIZE].copy_from_slice(page.bytes());
        match import(&e, (&b, &cfg)) {
            Ok(_) => taken += 1,
            Err(StorageError::Foreign { .. } | StorageError::DuplicateKey { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused > 30 && taken > 30, "{refused} {taken}");
}

#[test]
fn what_a_crash_leaves_is_removed_and_nothing_else() {
    let (fs, e) = engine();
    let t = filled(&e, 50);
    let held = Export::begin(&e, std::slice::from_ref(&t), "test").unwrap();
    let (ibd, cfg) = (bytes(fs.as_ref(), "t/t.ibd"), bytes(fs.as_ref(), "t/t.cfg"));
    // the name is taken
    assert!(matches!(
        Export::begin(&e, std::slice::from_ref(&t), "test"),
        Err(StorageError::Io { op: "link", errno: 17, .. })
    ));
    std::mem::forget(held);
    put(fs.as_ref(), "t/u.ibd", &ibd);
    put(fs.as_ref(), "t/u.cfg", &cfg);
    create(&e, TableDef { discarded: true, ..standard("u") });
    clean(&e).unwrap();
    assert!(!fs.exists("t/t.ibd") && !fs.exists("t/t.cfg") && fs.exists("t/u.ibd") && fs.exists("t/u.cfg"));
}

#[test]
fn a_discarded_table_has_no_rows_for_anybody() {
    let (fs, e) = engine();
    create(&e, TableDef { discarded: true, ..standard("u") });
    e.shutdown(true).unwrap();
    drop(e);
    let e = open(&fs);
    let u = table(&e, "u");
    let mut trx = e.new_trx(1).unwrap();
    trx.start();
    let gone = |r: Result<()>| assert!(matches!(r, Err(StorageError::Discarded { .. })), "{r:?}");
    for mode in [ReadMode::Consistent, ReadMode::Source, ReadMode::FOR_UPDATE] {
        gone(point(&mut trx, &u, 1, mode).map(drop));
        gone(scan(&mut trx, &u, 1, mode, crate::table::Direction::Backward).map(drop));
    }
    gone(insert(&mut trx, &u, &r(1, 1, None, "x")).map(drop));
    trx.rollback().unwrap();
}
