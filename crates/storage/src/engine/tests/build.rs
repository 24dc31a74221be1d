//! Index builds and bulk loads: what is built says the same as what is inserted; nothing is left after a failure or a crash.

use super::support::*;
use crate::dict::{Ddl, IndexDef, IndexKind, TableDef};
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::table::{BuildOptions, Direction, ReadMode, Table, TableLoader};
use std::sync::Arc;
use value::Value;

const ON: BuildOptions<'static> = BuildOptions { memory: 1 << 20, interrupted: &|| false };

fn row(i: i64) -> R {
    r(i, (i * 7919) % 97, if i % 5 == 0 { None } else { Some(i * 3) }, &format!("text {}", (i * 31) % 1000))
}

/// The standard table with its primary key only.
fn bare(name: &str) -> TableDef {
    let mut d = standard(name);
    d.indexes.truncate(1);
    d
}

fn fill(e: &Arc<Engine>, t: &Arc<Table>, ids: impl Iterator<Item = i64>) {
    let mut trx = e.new_trx(1).unwrap();
    let blob = vec![7u8; 30_000];
    for i in ids {
        insert_blob(&mut trx, t, &row(i), (i % 100 == 1).then_some(blob.as_slice())).unwrap();
        if i % 500 == 0 {
            trx.commit().unwrap();
        }
    }
    trx.commit().unwrap();
}

/// CREATE INDEX as the executor does it.
fn add_indexes(e: &Arc<Engine>, name: &str, which: &[IndexDef], opts: BuildOptions<'_>) -> Result<()> {
    let old = table(e, name).def.clone();
    let mut new = TableDef::clone(&old);
    let mut ddl = Ddl::begin(e, 1)?;
    let mut fresh = Vec::new();
    for i in which {
        let (id, root) = ddl.create_index_tree(old.space)?;
        fresh.push(new.indexes.len());
        new.indexes.push(IndexDef { id, root, ..i.clone() });
    }
    let unpublished = Table::new(e, Arc::new(new.clone()));
    e.build_indexes(&unpublished, &fresh, opts)?;
    ddl.replace_table(&old, new)?;
    ddl.commit()
}

fn used(e: &Engine, t: &Table) -> u64 {
    crate::space::usage(e.store.pool(), t.def.space).unwrap().0
}

#[test]
fn built_indexes_equal_inserted_ones() {
    let (fs, e) = engine();
    let a = create(&e, standard("a"));
    let b = create(&e, bare("b"));
    for t in [&a, &b] {
        fill(&e, t, 0..6000);
        let mut trx = e.new_trx(1).unwrap();
        for i in (0..6000).step_by(7) {
            delete(&mut trx, t, i).unwrap();
        }
        update(&mut trx, t, 1, &[(1, Value::Int(-1))]).unwrap();
        trx.commit().unwrap();
    }
    let indexes = standard("b").indexes.split_off(1);
    // too little memory for anything but runs
    add_indexes(&e, "b", &indexes, BuildOptions { memory: 1, ..ON }).unwrap();
    let b = table(&e, "b");
    check(&e, &b);
    let mut trx = e.new_trx(1).unwrap();
    for n in 0..4 {
        let read = |t: &Arc<Table>, trx: &mut _| scan(trx, t, n, ReadMode::Consistent, Direction::Forward).unwrap();
        let (x, y) = (read(&a, &mut trx), read(&b, &mut trx));
        assert_eq!(x.len(), 6000 - 858);
        assert!(x == y, "index {n}");
    }
    trx.commit().unwrap();
    // the new indexes take part in everything
    fill(&e, &b, 10_000..10_500);
    for i in 5000..5500 {
        delete(&mut trx, &b, i).unwrap();
    }
    trx.commit().unwrap();
    drain_purge(&e);
    check(&e, &b);
    drop((a, b, trx));
    drop(e);
    fs.crash(5);
    let e = open(&fs);
    check(&e, &table(&e, "b"));
}

#[test]
fn older_snapshots_are_refused() {
    let (_fs, e) = engine();
    let t = create(&e, bare("b"));
    create(&e, bare("other"));
    fill(&e, &t, 0..10);
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    let mut trx = e.new_trx(1).unwrap();
    delete(&mut trx, &t, 3).unwrap();
    trx.commit().unwrap();
    add_indexes(&e, "b", &[index("k", IndexKind::Plain, &[1])], ON).unwrap();
    let t = table(&e, "b");
    assert_eq!(scan(&mut old, &t, 1, ReadMode::Consistent, Direction::Forward), Err(StorageError::TableDefChanged));
    assert_eq!(all(&mut old, &table(&e, "other")).len(), 0);
    old.commit().unwrap();
    assert_eq!(all(&mut old, &t).len(), 9);
}

#[test]
fn failures_leave_nothing() {
    let (_fs, e) = engine();
    let t = create(&e, bare("b"));
    fill(&e, &t, 0..3000);
    let before = used(&e, &t);
    // k is not unique; u is, and its NULLs do not matter
    let err = add_indexes(&e, "b", &[index("k", IndexKind::Unique, &[1])], ON).unwrap_err();
    let StorageError::DuplicateKey { index: 1, key } = err else { panic!("{err:?}") };
    // 0 and 97 have the same k
    assert_eq!(key, super::support::key(&t, 97));
    let killed = BuildOptions { interrupted: &|| true, ..ON };
    let err = add_indexes(&e, "b", &[index("k", IndexKind::Plain, &[1])], killed).unwrap_err();
    assert_eq!(err, StorageError::Interrupted);
    assert_eq!(used(&e, &t), before);
    add_indexes(&e, "b", &[index("u", IndexKind::Unique, &[2])], ON).unwrap();
    check(&e, &table(&e, "b"));
}

#[test]
fn a_crash_during_the_build_leaves_nothing() {
    let mut cut_short = 0;
    for cut in (10..420).step_by(40) {
        let (fs, e) = engine();
        let t = create(&e, bare("b"));
        fill(&e, &t, 0..3000);
        let before = used(&e, &t);
        e.store.flush_and_checkpoint().unwrap();
        fs.power_cut_after(cut);
        let flushed = std::cell::Cell::new(0);
        let flush = || {
            // so that the cut falls into the middle of the build, with some of it in the files
            flushed.set(flushed.get() + 1);
            let log = e.store.log();
            let _ = log.flush_to(log.current_lsn(), crate::redo::ForcedBy::Explicit);
            let _ = e.store.pool().flush_all();
            false
        };
        let opts = BuildOptions { interrupted: &flush, ..ON };
        let done = add_indexes(&e, "b", &standard("b").indexes.split_off(1), opts);
        drop(t);
        drop(e);
        fs.crash(cut);
        let e = open(&fs);
        let t = table(&e, "b");
        check(&e, &t);
        cut_short += done.is_err() as u32;
        if done.is_ok() {
            assert_eq!(t.def.indexes.len(), 4);
        } else if t.def.indexes.len() == 1 {
            // a root that was made but not logged yet may leak
            assert!(used(&e, &t) <= before + 1, "{} pages, {before} before, cut {cut}", used(&e, &t));
        }
        add_or_keep(&e);
    }
    assert!(cut_short >= 3, "only {cut_short}");
}

/// After the crash the table can be used and indexed.
fn add_or_keep(e: &Arc<Engine>) {
    if table(e, "b").def.indexes.len() == 1 {
        add_indexes(e, "b", &standard("b").indexes.split_off(1), ON).unwrap();
    }
    let t = table(e, "b");
    fill(e, &t, 20_000..20_100);
    check(e, &t);
}

fn load(e: &Arc<Engine>, name: &str, ids: impl Iterator<Item = i64>, in_order: bool) -> Result<Arc<Table>> {
    let mut ddl = Ddl::begin(e, 1)?;
    let new = ddl.create_files(standard(name))?;
    let t = ddl.open_unpublished(&new)?;
    let mut loader = TableLoader::new(e, &t, in_order, BuildOptions { memory: 100 << 10, ..ON })?;
    let blob = vec![9u8; 20_000];
    for i in ids {
        let x = row(i);
        let u = x.2.map_or(Value::Null, Value::Int);
        let b = if i % 50 == 0 { Value::Str(&blob) } else { Value::Null };
        loader.add(&[Value::Int(x.0), Value::Int(x.1), u, Value::Str(x.3.as_bytes()), b], None)?;
    }
    loader.finish()?;
    ddl.add_table(new)?;
    ddl.commit()?;
    Ok(table(e, name))
}

#[test]
fn loaded_tables_equal_inserted_ones() {
    let (fs, e) = engine();
    let a = create(&e, standard("a"));
    fill(&e, &a, 0..4000);
    let b = load(&e, "b", 0..4000, true).unwrap();
    let c = load(&e, "c", (0..4000).map(|i| (i * 1237) % 4000), false).unwrap();
    let mut trx = e.new_trx(1).unwrap();
    let want = all(&mut trx, &a);
    for t in [&b, &c] {
        check(&e, t);
        assert!(all(&mut trx, t) == want);
        update(&mut trx, t, 17, &[(3, Value::Str(b"new"))]).unwrap();
        delete(&mut trx, t, 18).unwrap();
        trx.rollback().unwrap();
        delete(&mut trx, t, 50).unwrap();
        trx.commit().unwrap();
        drain_purge(&e);
        check(&e, t);
    }
    for (in_order, name) in [(true, "d"), (false, "e")] {
        let err = load(&e, name, [1, 2, 2, 3].into_iter(), in_order).unwrap_err();
        assert_eq!(err, StorageError::DuplicateKey { index: 0, key: key(&a, 2) });
        assert!(e.dict().relation("t", name).is_none());
    }
    drop((a, b, c, trx));
    drop(e);
    fs.crash(9);
    let e = open(&fs);
    for name in ["a", "b", "c"] {
        check(&e, &table(&e, name));
    }
}
