//! Stored programs in the dictionary, through the engine's public interface: found in any case, with their tables,
//! across restarts, and gone with what they belong to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use base::{PageNo, SpaceId, TableId};
use std::path::Path;
use std::sync::Arc;
use storage::dict::*;
use storage::engine::{Engine, EngineConfig};
use value::{CollationId, SqlType};

fn open(dir: &Path) -> Arc<Engine> {
    let mut c = EngineConfig::new(dir);
    c.buffer_pool_size = 16 << 20;
    c.redo_capacity = 16 << 20;
    Engine::open(c).unwrap()
}

fn table(name: &str) -> TableDef {
    let key = IndexDef {
        name: "PRIMARY".into(),
        kind: IndexKind::Primary,
        parts: vec![IndexPart { column: 0, prefix: 0, desc: false }],
        root: PageNo::NONE,
        ..hidden_index()
    };
    TableDef {
        id: TableId(0),
        version: 0,
        schema: "d".into(),
        name: name.into(),
        space: SpaceId(0),
        columns: vec![ColumnDef::new("id", SqlType::bigint().nullable(false))],
        indexes: vec![key],
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

/// One statement of data definition.
fn ddl<T>(e: &Arc<Engine>, f: impl FnOnce(&mut Ddl) -> T) -> T {
    let mut ddl = Ddl::begin(e, 1).unwrap();
    let out = f(&mut ddl);
    ddl.commit().unwrap();
    out
}

fn make(e: &Arc<Engine>, name: &str) -> Arc<TableDef> {
    ddl(e, |d| {
        let def = d.create_files(table(name)).unwrap();
        d.add_table(def).unwrap();
    });
    found(e, name)
}

fn found(e: &Arc<Engine>, name: &str) -> Arc<TableDef> {
    match e.dict().relation("d", name) {
        Some(Relation::Table(t)) => t,
        _ => panic!("{name}"),
    }
}

fn trigger(t: &TableDef, name: &str, before: bool, event: TriggerEvent, order: u32) -> ProgramDefinition {
    let mut p = ProgramDefinition::new(ProgramKind::Trigger, "d", name);
    p.trigger = Some(TriggerOf { table_id: t.id, table: t.name.clone(), before, event, order });
    p
}

fn names(t: &TableDef) -> Vec<&str> {
    t.triggers.iter().map(|p| p.name.as_str()).collect()
}

fn fresh(what: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("ek-programs-{what}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[test]
fn programs_are_found_in_any_case_and_survive_a_restart() {
    let dir = fresh("names");
    {
        let e = open(&dir);
        ddl(&e, |d| d.create_schema("d", CollationId(255)).unwrap());
        for kind in [ProgramKind::Procedure, ProgramKind::Function] {
            let mut p = ProgramDefinition::new(kind, "d", "Both");
            p.body = b"select '\xff'".to_vec();
            ddl(&e, |d| d.create_program(p.clone()).unwrap());
            assert!(Ddl::begin(&e, 1).unwrap().create_program(ProgramDefinition { name: "BOTH".into(), ..p }).is_err());
        }
        // rolled back: nothing stays
        let mut undone = Ddl::begin(&e, 1).unwrap();
        undone.create_program(ProgramDefinition::new(ProgramKind::Procedure, "d", "undone")).unwrap();
        undone.rollback().unwrap();
        let old = e.dict().program(ProgramKind::Procedure, "d", "BOTH").unwrap();
        let (before, all) = (e.dict().programs_version(), e.dict().version());
        ddl(&e, |d| d.replace_program(&old, ProgramDefinition { comment: "new".into(), ..(*old).clone() }).unwrap());
        assert!(e.dict().programs_version() > before && e.dict().version() > all);
        let new = e.dict().program(ProgramKind::Procedure, "d", "both").unwrap();
        assert!(new.version > old.version && new.id == old.id);
        e.shutdown(true).unwrap();
    }
    let e = open(&dir);
    let p = e.dict().program(ProgramKind::Procedure, "d", "boTh").unwrap();
    assert_eq!((p.name.as_str(), p.comment.as_str(), p.body.as_slice()), ("Both", "new", &b"select '\xff'"[..]));
    assert_eq!(e.dict().programs("d").len(), 2);
    assert!(e.dict().program(ProgramKind::Event, "d", "both").is_none());
    ddl(&e, |d| {
        let s = e.dict().schema("d").unwrap();
        d.drop_schema(&s).unwrap();
    });
    ddl(&e, |d| d.create_schema("d", CollationId(255)).unwrap());
    assert!(e.dict().programs("d").is_empty());
    // the names are free again
    ddl(&e, |d| d.create_program(ProgramDefinition::new(ProgramKind::Procedure, "d", "both")).unwrap());
    e.shutdown(true).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn triggers_follow_their_table() {
    let dir = fresh("triggers");
    {
        let e = open(&dir);
        ddl(&e, |d| d.create_schema("d", CollationId(255)).unwrap());
        let (t, other) = (make(&e, "t"), make(&e, "other"));
        ddl(&e, |d| d.create_program(trigger(&t, "Second", true, TriggerEvent::Insert, 2)).unwrap());
        ddl(&e, |d| d.create_program(trigger(&t, "first", true, TriggerEvent::Insert, 1)).unwrap());
        ddl(&e, |d| d.create_program(trigger(&t, "after", false, TriggerEvent::Insert, 1)).unwrap());
        let now = found(&e, "t");
        assert_eq!(names(&now), ["first", "Second", "after"]);
        assert!(now.version > t.version);
        assert_eq!(found(&e, "other").version, other.version);
        // another name, the same triggers, which know it
        ddl(&e, |d| d.replace_table(&now, TableDef { name: "u".into(), ..(*now).clone() }).unwrap());
        let now = found(&e, "u");
        assert_eq!(names(&now), ["first", "Second", "after"]);
        assert!(now.triggers.iter().all(|p| p.trigger.as_ref().unwrap().table == "u"));
        assert_eq!(e.dict().program(ProgramKind::Trigger, "d", "AFTER").unwrap().trigger.as_ref().unwrap().table, "u");
        // a copy of the definition has none
        let copy = ddl(&e, |d| {
            let def = d.create_files(TableDef { id: TableId(0), name: "copy".into(), ..(*now).clone() }).unwrap();
            d.add_table(def).unwrap();
            found
        })(&e, "copy");
        assert!(copy.triggers.is_empty());
        e.shutdown(true).unwrap();
    }
    {
        let e = open(&dir);
        let u = found(&e, "u");
        assert_eq!(names(&u), ["first", "Second", "after"]);
        assert_eq!(u.triggers[0].trigger.as_ref().unwrap().table, "u");
        let first = u.triggers[0].clone();
        ddl(&e, |d| d.drop_program(&first).unwrap());
        let u = found(&e, "u");
        assert_eq!(names(&u), ["Second", "after"]);
        ddl(&e, |d| d.drop_table(&u).unwrap());
        assert!(e.dict().programs("d").is_empty());
        let t = make(&e, "t");
        ddl(&e, |d| d.create_program(trigger(&t, "after", false, TriggerEvent::Insert, 1)).unwrap());
        e.shutdown(true).unwrap();
    }
    // a server that knows no triggers drops the table alone
    {
        let e = open(&dir);
        let t = found(&e, "t");
        ddl(&e, |d| d.drop_object(t.id.0).unwrap());
        e.shutdown(true).unwrap();
    }
    for _ in 0..2 {
        let e = open(&dir);
        assert!(e.dict().programs("d").is_empty());
        e.shutdown(true).unwrap();
    }
    let e = open(&dir);
    let t = make(&e, "t");
    ddl(&e, |d| d.create_program(trigger(&t, "after", false, TriggerEvent::Insert, 1)).unwrap());
    e.shutdown(true).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
}
