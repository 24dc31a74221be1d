//! The dictionary through the engine's public interface: DDL is atomic, survives restarts, leaves no files behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use base::{IndexId, PageNo, SpaceId, TableId};
use std::path::Path;
use std::sync::Arc;
use storage::dict::*;
use storage::engine::{Engine, EngineConfig};
use storage::table::{Direction, Inserted, KeyRange, OnDuplicate, ReadMode, TableCursor};
use value::{CollationId, SqlType, Value};

fn open(dir: &Path) -> Arc<Engine> {
    let mut c = EngineConfig::new(dir);
    c.buffer_pool_size = 16 << 20;
    c.redo_capacity = 16 << 20;
    Engine::open(c).unwrap()
}

fn column(name: &str, ty: SqlType) -> ColumnDef {
    ColumnDef::new(name, ty)
}

fn index(name: &str, kind: IndexKind, column: u16) -> IndexDef {
    IndexDef {
        id: IndexId(0),
        name: name.into(),
        kind,
        parts: vec![IndexPart { column, prefix: 0, desc: false }],
        root: PageNo::NONE,
        visible: true,
        comment: String::new(),
        implied: false,
        using_btree: false,
    }
}

fn table(name: &str) -> TableDef {
    TableDef {
        id: TableId(0),
        version: 0,
        schema: "d".into(),
        name: name.into(),
        space: SpaceId(0),
        columns: vec![
            column("id", SqlType::bigint().nullable(false)),
            column("v", SqlType::varchar(100, CollationId(255)).nullable(true)),
        ],
        indexes: vec![index("PRIMARY", IndexKind::Primary, 0), index("v", IndexKind::Plain, 1)],
        foreign_keys: vec![],
        referenced_by: vec![],
        triggers: vec![],
        checks: vec![],
        collation: CollationId(255),
        comment: String::new(),
        options: vec![],
        auto_increment: 0,
        created: 1,
        fulltext: Vec::new(),
        former: Vec::new(),
        discarded: false,
    }
}

fn create(e: &Arc<Engine>, name: &str) {
    let mut ddl = Ddl::begin(e, 1).unwrap();
    let def = ddl.create_files(table(name)).unwrap();
    ddl.add_table(def).unwrap();
    ddl.commit().unwrap();
}

fn files(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("#spaces")).map_or(0, |d| d.count())
}

fn fill(e: &Arc<Engine>, name: &str, rows: std::ops::Range<i64>) {
    let t = e.dict().open_table(e, "d", name).unwrap().unwrap();
    let mut trx = e.new_trx(7).unwrap();
    trx.start();
    for i in rows {
        let text = format!("value {i}");
        let row = [Value::Int(i), Value::Str(text.as_bytes())];
        assert_eq!(trx.insert(&t, &row, OnDuplicate::Error).unwrap(), Inserted::Done);
    }
    trx.commit().unwrap();
}

fn count(e: &Arc<Engine>, name: &str, index: usize) -> usize {
    let t = e.dict().open_table(e, "d", name).unwrap().unwrap();
    let mut trx = e.new_trx(8).unwrap();
    let mut c = TableCursor::open(&t, index, ReadMode::Consistent, false);
    c.seek(&mut trx, KeyRange::ALL, Direction::Forward).unwrap();
    let mut n = 0;
    while c.next(&mut trx).unwrap().is_some() {
        n += 1;
    }
    drop(c);
    trx.commit().unwrap();
    n
}

#[test]
fn ddl_survives_a_restart_and_leaves_no_files() {
    let dir = std::env::temp_dir().join(format!("ek-dict-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let before;
    {
        let e = open(&dir);
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.create_schema("d", CollationId(255)).unwrap();
        ddl.commit().unwrap();
        before = files(&dir);
        create(&e, "a");
        create(&e, "b");
        fill(&e, "a", 0..3000);
        // rolled back: nothing stays
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        let def = ddl.create_files(table("c")).unwrap();
        ddl.add_table(def).unwrap();
        ddl.rollback().unwrap();
        assert!(e.dict().relation("d", "c").is_none());
        assert_eq!(files(&dir), before + 2);
        // a name that is taken
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        let def = ddl.create_files(table("a")).unwrap();
        assert!(ddl.add_table(def).is_err());
        drop(ddl);
        assert_eq!(files(&dir), before + 2);
        // drop
        let Some(Relation::Table(b)) = e.dict().relation("d", "b") else { panic!() };
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.drop_table(&b).unwrap();
        ddl.commit().unwrap();
        assert_eq!(files(&dir), before + 1);
        e.shutdown(true).unwrap();
    }
    {
        let e = open(&dir);
        assert!(e.dict().relation("d", "b").is_none());
        assert_eq!(count(&e, "a", 0), 3000);
        assert_eq!(count(&e, "a", 1), 3000);
        // rename, then truncate by replacement
        let Some(Relation::Table(a)) = e.dict().relation("d", "a") else { panic!() };
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.replace_table(&a, TableDef { name: "z".into(), ..TableDef::clone(&a) }).unwrap();
        ddl.commit().unwrap();
        assert_eq!(count(&e, "z", 0), 3000);
        let Some(Relation::Table(z)) = e.dict().relation("d", "z") else { panic!() };
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        let empty = ddl.create_files(TableDef::clone(&z)).unwrap();
        ddl.replace_table(&z, empty).unwrap();
        ddl.commit().unwrap();
        assert_eq!(count(&e, "z", 0), 0);
        fill(&e, "z", 0..10);
        assert_eq!(count(&e, "z", 1), 10);
        assert_eq!(files(&dir), before + 1);
        e.shutdown(true).unwrap();
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

fn relation(e: &Arc<Engine>, name: &str) -> Arc<TableDef> {
    match e.dict().relation("d", name) {
        Some(Relation::Table(t)) => t,
        _ => panic!("no table {name}"),
    }
}

#[test]
fn parents_know_their_children_whatever_happens_to_either() {
    let dir = std::env::temp_dir().join(format!("ek-dict-fk-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let children = |e: &Arc<Engine>, name: &str| -> Vec<String> {
        relation(e, name).referenced_by.iter().map(|r| format!("{}.{}", r.child.1, r.key.name)).collect()
    };
    {
        let e = open(&dir);
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.create_schema("d", CollationId(255)).unwrap();
        ddl.commit().unwrap();
        create(&e, "p");
        let (first, opened) = (relation(&e, "p").version, e.dict().open_table(&e, "d", "p").unwrap().unwrap());
        let mut child = table("c");
        child.foreign_keys.push(ForeignKeyDef {
            name: "fk".into(),
            columns: vec![0],
            parent: ("d".into(), "p".into()),
            parent_columns: vec!["id".into()],
            on_delete: FkAction::Cascade,
            on_update: FkAction::NoAction,
        });
        // rolled back: the parent hears nothing of it
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        let def = ddl.create_files(child.clone()).unwrap();
        ddl.add_table(def).unwrap();
        ddl.rollback().unwrap();
        assert_eq!(relation(&e, "p").version, first);
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        let def = ddl.create_files(child).unwrap();
        ddl.add_table(def).unwrap();
        ddl.commit().unwrap();
        // the parent is another one for plans, and the one that was open is obsolete
        assert_eq!(children(&e, "p"), ["c.fk"]);
        assert!(relation(&e, "p").version > first);
        assert!(opened.is_obsolete());
        e.shutdown(true).unwrap();
    }
    {
        let e = open(&dir);
        assert_eq!(children(&e, "p"), ["c.fk"]);
        // a new version differs from every version that was loaded
        let c = relation(&e, "c");
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.replace_table(&c, TableDef { name: "renamed".into(), ..TableDef::clone(&c) }).unwrap();
        ddl.commit().unwrap();
        assert_eq!(children(&e, "p"), ["renamed.fk"]);
        assert!(relation(&e, "renamed").version > c.version);
        // the parent goes and comes again: found by name
        let p = relation(&e, "p");
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.drop_table(&p).unwrap();
        ddl.commit().unwrap();
        create(&e, "p");
        assert_eq!(children(&e, "p"), ["renamed.fk"]);
        let c = relation(&e, "renamed");
        let mut ddl = Ddl::begin(&e, 1).unwrap();
        ddl.replace_table(&c, TableDef { foreign_keys: vec![], ..TableDef::clone(&c) }).unwrap();
        ddl.commit().unwrap();
        assert!(children(&e, "p").is_empty());
        e.shutdown(true).unwrap();
    }
    let _ = std::fs::remove_dir_all(&dir);
}
