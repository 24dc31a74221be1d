//! Index builds and rebuilds beside writers ([`crate::table::online`]), single steps.

use super::support::*;
use crate::error::StorageError;
use crate::table::{BuildOptions, Direction, ReadMode, Table, TableCursor};
use std::sync::Arc;
use value::Value;

const ON: BuildOptions<'static> = BuildOptions { memory: 1 << 20, interrupted: &|| false };

fn row(i: i64) -> R {
    r(i, i % 7, Some(i * 3), &format!("text {}", i % 10))
}

#[test]
fn keys_of_changes_are_noted_while_somebody_wants_them() {
    let (_fs, e) = engine();
    let t = create(&e, standard("t"));
    let mut trx = e.new_trx(1).unwrap();
    insert(&mut trx, &t, &row(1)).unwrap();
    let rec = t.record_changes(1 << 20);
    insert(&mut trx, &t, &row(2)).unwrap();
    update(&mut trx, &t, 1, &[(1, Value::Int(5))]).unwrap();
    trx.commit().unwrap();
    delete(&mut trx, &t, 2).unwrap();
    assert_eq!(rec.take().unwrap().len(), 2);
    assert_eq!(rec.take().unwrap().len(), 0);
    let mut reader = e.new_trx(2).unwrap();
    reader.start_with_snapshot();
    assert!(reader.sees_newest(&t, &key(&t, 1)).unwrap(), "committed");
    assert!(!reader.sees_newest(&t, &key(&t, 2)).unwrap(), "a delete under way");
    assert!(reader.sees_newest(&t, &key(&t, 3)).unwrap(), "never there");
    rec.keep(&key(&t, 2));
    trx.rollback().unwrap();
    assert_eq!(rec.take().unwrap().len(), 1);
    drop(rec);
    delete(&mut trx, &t, 1).unwrap();
    trx.commit().unwrap();
    // more than memory for them
    let rec = t.record_changes(100);
    for i in 10..20 {
        insert(&mut trx, &t, &row(i)).unwrap();
    }
    trx.commit().unwrap();
    assert!(rec.take().is_none());
}

/// The entries of index `n` of a table that only the test knows equal those that the rows have.
#[test]
fn a_build_follows_the_rows() {
    let (_fs, e) = engine();
    let t = create(&e, standard("t"));
    let mut trx = e.new_trx(1).unwrap();
    for i in 0..500 {
        insert(&mut trx, &t, &row(i)).unwrap();
    }
    trx.commit().unwrap();
    // the same indexes again beside the table's own, in its space
    let mut def = crate::dict::TableDef::clone(&t.def);
    let fresh: Vec<usize> = (1..def.indexes.len()).collect();
    for (n, i) in def.indexes.iter_mut().enumerate().skip(1) {
        i.id = base::IndexId(9000 + n as u64);
        i.root = crate::dict::Physical::create_tree(&*e, t.def.space, i.id).unwrap();
    }
    let built = Arc::new(Table::new(&e, Arc::new(def)));
    let rec = t.record_changes(1 << 20);
    let mut before = e.new_trx(2).unwrap();
    before.start_with_snapshot();
    for i in (0..500).step_by(3) {
        update(&mut trx, &t, i, &[(1, Value::Int(1000 + i))]).unwrap();
    }
    assert_eq!(e.build_indexes_at(&mut before, &t, &built, &fresh, ON).unwrap(), 500);
    for i in (0..500).step_by(5) {
        delete(&mut trx, &t, i).unwrap();
    }
    trx.commit().unwrap();
    let mut after = e.new_trx(3).unwrap();
    after.start_with_snapshot();
    let (mut old, mut new) = (cursor(&t), cursor(&t));
    let keys = rec.take().unwrap();
    for key in &keys {
        let arena = bumpalo::Bump::new();
        let row = old.point(&mut before, key).unwrap().unwrap();
        let values: Vec<Value<'_>> = (0..built.def.columns.len()).map(|c| row.column(c, &arena).unwrap()).collect();
        e.remove_built_entries(&built, &fresh, key, &values).unwrap();
    }
    for key in &keys {
        let arena = bumpalo::Bump::new();
        if let Some(row) = new.point(&mut after, key).unwrap() {
            let values: Vec<Value<'_>> = (0..built.def.columns.len()).map(|c| row.column(c, &arena).unwrap()).collect();
            e.add_built_entries(&built, &fresh, key, &values).unwrap();
        }
    }
    let mut reader = e.new_trx(4).unwrap();
    for n in fresh {
        let read = |t: &Arc<Table>, trx: &mut _| scan(trx, t, n, ReadMode::Consistent, Direction::Forward).unwrap();
        assert_eq!(read(&built, &mut reader), read(&t, &mut reader), "index {n}");
    }
}

fn cursor(t: &Arc<Table>) -> TableCursor {
    TableCursor::open(t, 0, ReadMode::Consistent, false)
}

#[test]
fn rows_of_an_unpublished_table_come_and_go() {
    let (_fs, e) = engine();
    let t = create(&e, standard("t"));
    let blob = vec![9u8; 40_000];
    let add = |i: i64| {
        let text = format!("text {}", i % 10);
        let values =
            [Value::Int(i), Value::Int(i % 7), Value::Int(i * 3), Value::Str(text.as_bytes()), Value::Str(&blob)];
        e.add_built_row(&t, &values, &[])
    };
    (0..300).for_each(|i| add(i).unwrap());
    assert!(matches!(add(7), Err(StorageError::DuplicateKey { index: 0, .. })));
    check(&e, &t);
    for i in 0..300 {
        e.remove_built_row(&t, &key(&t, i)).unwrap();
        e.remove_built_row(&t, &key(&t, i)).unwrap();
    }
    check(&e, &t);
    let mut reader = e.new_trx(4).unwrap();
    assert!(scan(&mut reader, &t, 0, ReadMode::Consistent, Direction::Forward).unwrap().is_empty());
}

/// Long columns that an update or delete let go wait in the undo log for purge. A rebuild that comes first has the table's id and other
/// pages: they must not be taken for those.
#[test]
fn purge_after_a_rebuild_leaves_the_new_long_columns() {
    let (fs, e) = engine();
    let t = create(&e, standard("t"));
    let mut trx = e.new_trx(1).unwrap();
    for i in 0..20 {
        insert_blob(&mut trx, &t, &row(i), Some(&[1; 30_000])).unwrap();
    }
    trx.commit().unwrap();
    // a snapshot keeps purge from what follows
    let mut old = e.new_trx(2).unwrap();
    old.start_with_snapshot();
    for i in 0..20 {
        update(&mut trx, &t, i, &[(4, Value::Str(&[2; 30_000]))]).unwrap();
    }
    trx.commit().unwrap();
    let mut ddl = crate::dict::Ddl::begin(&e, 1).unwrap();
    let new = ddl.create_files(crate::dict::TableDef::clone(&t.def)).unwrap();
    let target = Arc::new(Table::new(&e, Arc::new(new.clone())));
    let mut loader = crate::table::TableLoader::new(&e, &target, true, ON).unwrap();
    let mut reader = e.new_trx(3).unwrap();
    let mut rows = cursor(&t);
    rows.seek(&mut reader, crate::table::KeyRange::ALL, Direction::Forward).unwrap();
    while let Some(row) = rows.next(&mut reader).unwrap() {
        let arena = bumpalo::Bump::new();
        let values: Vec<Value<'_>> = (0..new.columns.len()).map(|c| row.column(c, &arena).unwrap()).collect();
        loader.add(&values, None).unwrap();
    }
    loader.finish().unwrap();
    ddl.replace_table(&t.def, new).unwrap();
    ddl.commit().unwrap();
    drop((old, t, target, rows));
    drain_purge(&e);
    let long_columns = |e: &Arc<crate::engine::Engine>| {
        let t = table(e, "t");
        check(e, &t);
        let mut trx = e.new_trx(4).unwrap();
        let mut rows = cursor(&t);
        rows.seek(&mut trx, crate::table::KeyRange::ALL, Direction::Forward).unwrap();
        let mut n = 0;
        while let Some(row) = rows.next(&mut trx).unwrap() {
            let arena = bumpalo::Bump::new();
            assert!(matches!(row.column(4, &arena).unwrap(), Value::Str(b) if b == [2; 30_000]));
            n += 1;
        }
        n
    };
    assert_eq!(long_columns(&e), 20);
    drop((trx, reader));
    drop(e);
    fs.crash(3);
    assert_eq!(long_columns(&open(&fs)), 20);
}
