//! The built-in definitions of the dictionary's own tables. Their index roots are kept by the engine in the system page.

use super::def::*;
use crate::reserved::SYSTEM_SPACE;
use base::{IndexId, PageNo, TableId};
use value::{CollationId, SqlType, TypeKind};

/// Indexes whose trees the engine creates at first start, in this order; the roots come back to [`system_tables`] in it.
pub const SYSTEM_INDEXES: [IndexId; 3] = [IndexId(1), IndexId(2), IndexId(3)];

fn column(name: &str, ty: SqlType) -> ColumnDef {
    ColumnDef::new(name, ty.nullable(false))
}

fn index(id: IndexId, name: &str, kind: IndexKind, columns: &[u16], root: PageNo) -> IndexDef {
    let parts = columns.iter().map(|&column| IndexPart { column, prefix: 0, desc: false }).collect();
    IndexDef { id, name: name.into(), kind, parts, root, ..super::hidden_index() }
}

fn table(id: u64, name: &str, columns: Vec<ColumnDef>, indexes: Vec<IndexDef>) -> TableDef {
    TableDef {
        id: TableId(id),
        version: 1,
        schema: "mysql".into(),
        name: name.into(),
        space: SYSTEM_SPACE,
        columns,
        indexes,
        foreign_keys: Vec::new(),
        referenced_by: Vec::new(),
        triggers: Vec::new(),
        checks: Vec::new(),
        collation: CollationId::BINARY,
        comment: String::new(),
        options: Vec::new(),
        auto_increment: 0,
        created: 0,
        fulltext: Vec::new(),
        former: Vec::new(),
        discarded: false,
    }
}

fn unsigned(kind: TypeKind) -> SqlType {
    let mut t = SqlType::new(kind);
    t.unsigned = true;
    t
}

/// `mysql.dd_objects` and `mysql.ddl_log` with the given roots of [`SYSTEM_INDEXES`].
pub fn system_tables(roots: [PageNo; 3]) -> [TableDef; 2] {
    let [objects_root, names_root, log_root] = roots;
    let [objects_index, names_index, log_index] = SYSTEM_INDEXES;
    let name = SqlType::varchar(256, CollationId::BINARY);
    let objects = table(
        1,
        "dd_objects",
        vec![
            column("id", unsigned(TypeKind::BigInt)),
            column("class", unsigned(TypeKind::TinyInt)),
            column("kind", unsigned(TypeKind::TinyInt)),
            column("parent", name.clone()),
            column("name", name),
            column("def", SqlType::new(TypeKind::LongBlob)),
        ],
        vec![
            index(objects_index, "PRIMARY", IndexKind::Primary, &[0], objects_root),
            index(names_index, "name", IndexKind::Unique, &[1, 3, 4], names_root),
        ],
    );
    let log = table(
        2,
        "ddl_log",
        vec![
            column("id", unsigned(TypeKind::BigInt)),
            column("op", unsigned(TypeKind::TinyInt)),
            column("space", unsigned(TypeKind::Int)),
            column("page", unsigned(TypeKind::Int)),
        ],
        vec![index(log_index, "PRIMARY", IndexKind::Primary, &[0], log_root)],
    );
    [objects, log]
}
