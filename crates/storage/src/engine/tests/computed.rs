//! VIRTUAL columns that rows from before lack ([`crate::table::computed`]): here `v` = k * 10 and `w` = length of the long column, failing where k is 13.

use super::support::*;
use crate::dict::{Ddl, FormerRow, Generated, TableDef};
use crate::engine::Engine;
use crate::error::StorageError;
use crate::file::sim::SimFs;
use crate::table::computed::{ColumnComputer, ComputedColumns};
use crate::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use base::{ErrorCode, SqlError};
use bumpalo::Bump;
use std::sync::Arc;
use value::{SqlType, Value};

struct Rule;

impl ColumnComputer for Rule {
    fn bind(&self, _: &Arc<TableDef>) -> Result<Box<dyn ComputedColumns>, SqlError> {
        Ok(Box::new(Rule))
    }
}

impl ComputedColumns for Rule {
    fn compute<'a>(&'a self, columns: &[u16], row: &mut [Value<'a>], _: &'a Bump) -> Result<(), (u16, SqlError)> {
        for c in columns {
            row[*c as usize] = match (*c, row[1], row[4]) {
                (5, Value::Int(13), _) => {
                    return Err((5, SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"BIGINT", &"v"])));
                }
                (5, Value::Int(k), _) => Value::Int(k * 10),
                (6, _, Value::Str(b)) => Value::Int(b.len() as i64),
                (6, ..) => Value::Null,
                other => panic!("{other:?}"),
            };
        }
        Ok(())
    }
}

/// The table gets `v` and `w` without its rows being touched.
fn add_columns(e: &Arc<Engine>, name: &str) -> Arc<Table> {
    let old = table(e, name).def.clone();
    let mut new = (*old).clone();
    let stored = new.columns.iter().enumerate().map(|(i, c)| (c.ty.clone(), Some(i as u16))).collect();
    new.former = vec![FormerRow { stored, computed: vec![5, 6], ..Default::default() }];
    for name in ["v", "w"] {
        let mut c = column(name, SqlType::bigint().nullable(true));
        c.generated = Some(Generated { expr: name.into(), stored: false });
        new.columns.push(c);
    }
    let mut ddl = Ddl::begin(e, 1).unwrap();
    ddl.replace_table(&old, new).unwrap();
    ddl.commit().unwrap();
    table(e, name)
}

fn computed(t: &mut crate::txn::Trx, tab: &Arc<Table>) -> Vec<(i64, Option<i64>, Option<i64>)> {
    let mut c = TableCursor::open(tab, 0, ReadMode::Consistent, false);
    c.seek(t, KeyRange::ALL, Direction::Forward).unwrap();
    let mut all = Vec::new();
    while let Some(row) = c.next(t).unwrap() {
        all.push((get_i64(&row, 0).unwrap(), get_i64(&row, 5), get_i64(&row, 6)));
    }
    all
}

fn start(fs: &Arc<SimFs>) -> Arc<Engine> {
    let e = open(fs);
    e.set_column_computer(Box::new(Rule));
    e
}

#[test]
fn rows_from_before_are_read_and_changed() {
    let fs = Arc::new(SimFs::new());
    let e = start(&fs);
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    let big = vec![7u8; 60_000];
    for i in 1..=4 {
        insert_blob(&mut t, &tab, &r(i, i, None, "x"), (i % 2 == 0).then_some(big.as_slice())).unwrap();
    }
    t.commit().unwrap();
    drop(tab);
    let tab = add_columns(&e, "a");
    let first = [(1, Some(10), None), (2, Some(20), Some(60_000)), (3, Some(30), None), (4, Some(40), Some(60_000))];
    assert_eq!(computed(&mut t, &tab), first);
    t.commit().unwrap();
    // an old snapshot, a change taken back, a change that stays, of a row with and without the long column
    let mut reader = e.new_trx(2).unwrap();
    reader.start_with_snapshot();
    update(&mut t, &tab, 1, &[(3, Value::Str(b"taken back"))]).unwrap();
    t.rollback().unwrap();
    update(&mut t, &tab, 2, &[(3, Value::Str(b"stays"))]).unwrap();
    // the SQL layer gives generated columns that change with the others
    update(&mut t, &tab, 3, &[(1, Value::Int(33)), (5, Value::Int(330))]).unwrap();
    update(&mut t, &tab, 4, &[(0, Value::Int(40))]).unwrap();
    t.commit().unwrap();
    assert_eq!(computed(&mut reader, &tab), first);
    reader.commit().unwrap();
    let now = [(1, Some(10), None), (2, Some(20), Some(60_000)), (3, Some(330), None), (40, Some(40), Some(60_000))];
    assert_eq!(computed(&mut t, &tab), now);
    t.commit().unwrap();
    drain_purge(&e);
    check(&e, &tab);
    // an unfinished change of a row from before, rolled back by recovery without computing anything
    update(&mut t, &tab, 1, &[(1, Value::Int(5)), (5, Value::Int(50))]).unwrap();
    e.wait_durable(e.store().log().current_lsn()).unwrap();
    std::mem::forget(t);
    drop(tab);
    fs.crash(11);
    let e = start(&fs);
    let tab = table(&e, "a");
    let mut t = e.new_trx(1).unwrap();
    assert_eq!(computed(&mut t, &tab), now);
    t.commit().unwrap();
    check(&e, &tab);
}

#[test]
fn what_fails_is_told_to_those_who_want_it() {
    let fs = Arc::new(SimFs::new());
    let e = start(&fs);
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    insert(&mut t, &tab, &r(1, 13, None, "x")).unwrap();
    insert(&mut t, &tab, &r(2, 2, None, "y")).unwrap();
    t.commit().unwrap();
    drop(tab);
    let tab = add_columns(&e, "a");
    let mut reads = |wanted: &[u16], id: i64| {
        let mut c = TableCursor::open(&tab, 0, ReadMode::Consistent, false).wanting(wanted);
        c.point(&mut t, &key(&tab, id)).map(|row| row.map(|row| get_i64(&row, 1)))
    };
    assert_eq!(reads(&[0, 1], 1).unwrap(), Some(Some(13)));
    assert!(matches!(reads(&[0, 5], 1), Err(StorageError::Expression(_))));
    // it stands behind the one that failed
    assert!(matches!(reads(&[6], 1), Err(StorageError::Expression(_))));
    assert_eq!(reads(&[0, 5], 2).unwrap(), Some(Some(2)));
    t.commit().unwrap();
    // writing the row needs it
    let changed = t.update(&tab, &key(&tab, 1), &[(3, Value::Str(b"z"))]);
    assert!(matches!(changed, Err(StorageError::Expression(_))), "{changed:?}");
    t.rollback().unwrap();
    check(&e, &tab);
}
