//! From keys as written to [`IndexDef`]s: names, limits, order.
//!
//! MySQL sorts a table's keys when it is created: the primary key first, then unique keys without nullable parts, then the
//! other unique ones, then the rest; within a group as written. SHOW CREATE TABLE shows that order.

use super::columns::{check_name, short_comment};
use base::{ErrorCode, IndexId, PageNo, SqlError, SqlResult};
use parser::ast::{self, IndexOption, KeyTarget};
use storage::dict::{ColumnDef, FulltextDef, IndexDef, IndexKind, IndexPart, TableDef};
use value::{SqlType, TypeKind};

/// InnoDB's limits: parts per key, keys per table, bytes per key.
const MAX_PARTS: usize = 16;
const MAX_KEYS: usize = 64;
const MAX_KEY_BYTES: u64 = 3072;

/// One key before it is named.
#[derive(Debug, Clone)]
pub struct KeySpec {
    /// Kind.
    pub kind: IndexKind,
    /// Name if given.
    pub name: Option<String>,
    /// (column name, prefix length, desc).
    pub parts: Vec<(String, Option<u64>, bool)>,
    /// `COMMENT`.
    pub comment: String,
    /// `VISIBLE`.
    pub visible: bool,
    /// Made by the server for a foreign key: dropped silently when another key serves.
    pub implied: bool,
    /// `USING BTREE` was written.
    pub using_btree: bool,
    /// Functional parts: position, text of the expression, and the elements' type of CAST ... ARRAY; the part's column name is set by
    /// [`super::functional`].
    pub functional: Vec<(usize, String, Option<SqlType>)>,
    /// It is a FULLTEXT key.
    pub fulltext: Option<super::fulltext::Fulltext>,
}

impl KeySpec {
    /// A key on one whole column (column attributes `PRIMARY KEY`, `UNIQUE`).
    pub fn on_column(kind: IndexKind, column: &str) -> KeySpec {
        KeySpec {
            kind,
            name: None,
            parts: vec![(column.to_owned(), None, false)],
            comment: String::new(),
            visible: true,
            implied: false,
            using_btree: false,
            functional: Vec::new(),
            fulltext: None,
        }
    }

    /// A key as written. SPATIAL answers 1235.
    pub fn from_ast(ctx: &mut super::DdlContext<'_>, i: &ast::IndexDef<'_>) -> SqlResult<KeySpec> {
        super::functional::check_parts(i)?;
        let kind = match i.kind {
            ast::IndexKind::Primary => IndexKind::Primary,
            ast::IndexKind::Unique => IndexKind::Unique,
            ast::IndexKind::Plain | ast::IndexKind::Fulltext => IndexKind::Plain,
            ast::IndexKind::Spatial => return Err(SqlError::unsupported("SPATIAL indexes")),
        };
        let parts = i.parts.iter().map(|p| match p.target {
            KeyTarget::Column { name, length } => Ok((name.to_owned(), length, p.desc)),
            KeyTarget::Expr(_) => Ok((String::new(), None, p.desc)),
        });
        let arrays = super::functional::arrays(ctx, i)?;
        let functional = i.parts.iter().enumerate().zip(arrays).filter_map(|((n, p), array)| match p.target {
            KeyTarget::Expr(e) => Some((n, ctx.stored_text(e), array)),
            KeyTarget::Column { .. } => None,
        });
        let mut spec = KeySpec {
            kind,
            name: i.name.or(i.constraint).map(str::to_owned),
            parts: parts.collect::<SqlResult<_>>()?,
            comment: String::new(),
            visible: true,
            implied: false,
            using_btree: false,
            functional: functional.collect(),
            fulltext: None,
        };
        if i.kind == ast::IndexKind::Fulltext {
            spec.fulltext = Some(super::fulltext::options(ctx, i.options)?);
        }
        for o in i.options {
            match o {
                // how long it is is looked at when the index has its name
                IndexOption::Comment(b) => spec.comment = ctx.text(b),
                IndexOption::Visible(v) => spec.visible = *v,
                // every index is a B+tree, whatever USING says
                IndexOption::Using(how) => spec.using_btree = *how == "btree",
                IndexOption::KeyBlockSize(_) => {}
                IndexOption::WithParser(_) if spec.fulltext.is_some() => {}
                IndexOption::WithParser(_) => return Err(SqlError::unsupported("WITH PARSER")),
                IndexOption::EngineAttribute(b) => super::define::engine_attribute(b, true)?,
                IndexOption::SecondaryEngineAttribute(b) => super::define::engine_attribute(b, false)?,
            }
        }
        if i.options.iter().any(|o| matches!(o, IndexOption::Using("hash"))) && spec.fulltext.is_none() {
            ctx.note(ErrorCode::UNSUPPORTED_INDEX_ALGORITHM, &[&"HASH"]);
        }
        if kind == IndexKind::Primary && !spec.visible {
            return Err(SqlError::new(ErrorCode::PK_INDEX_CANT_BE_INVISIBLE, &[]));
        }
        Ok(spec)
    }
}

/// Resolves, checks, names and sorts keys. `columns` become NOT NULL where the primary key needs it. `existing` names are
/// taken (ALTER TABLE ADD KEY). Ids and roots are left unset. FULLTEXT keys go to the end of `fulltext`.
pub fn define_keys(
    specs: &[KeySpec],
    columns: &mut [ColumnDef],
    existing: &[IndexDef],
    fulltext: &mut Vec<FulltextDef>,
) -> SqlResult<Vec<IndexDef>> {
    let primaries = specs.iter().filter(|s| s.kind == IndexKind::Primary).count()
        + existing.iter().filter(|i| i.kind == IndexKind::Primary).count();
    if primaries > 1 {
        return Err(SqlError::new(ErrorCode::MULTIPLE_PRI_KEY, &[]));
    }
    // the hidden clustered index is none of those that a table may have
    let present = existing.iter().filter(|i| i.name != "GEN_CLUST_INDEX").count();
    if specs.len() + present + fulltext.len() > MAX_KEYS {
        return Err(SqlError::new(ErrorCode::TOO_MANY_KEYS, &[&MAX_KEYS]));
    }
    let mut out: Vec<IndexDef> = Vec::with_capacity(specs.len());
    for s in specs {
        let taken = existing.iter().chain(&out).map(|i| &i.name).chain(fulltext.iter().map(|i| &i.name));
        if let Some(f) = &s.fulltext {
            let mut key = super::fulltext::define(s, f, columns)?;
            key.name = key_name(s, columns, key.columns.first(), taken)?;
            fulltext.push(key);
            continue;
        }
        // the name comes first: 1061 before what is wrong with the columns
        let first = s.parts.first().map(|(name, ..)| column_named(columns, name));
        let name = match first.transpose() {
            Err(e) if s.name.is_none() => return Err(e),
            first => key_name(s, columns, first.ok().flatten().map(|c| c as u16).as_ref(), taken)?,
        };
        let parts = define_parts(s, columns)?;
        out.push(IndexDef {
            id: IndexId(0),
            name,
            kind: s.kind,
            parts,
            root: PageNo::NONE,
            visible: s.visible,
            comment: s.comment.clone(),
            implied: s.implied,
            using_btree: s.using_btree,
        });
    }
    Ok(out)
}

/// Comments of indexes that are too long: 1688.
pub fn limit_comments(ctx: &mut super::DdlContext<'_>, def: &mut TableDef) -> SqlResult<()> {
    let of_indexes = def.indexes.iter_mut().map(|i| (&i.name, &mut i.comment));
    for (name, comment) in of_indexes.chain(def.fulltext.iter_mut().map(|i| (&i.name, &mut i.comment))) {
        *comment = short_comment(ctx, std::mem::take(comment), 1024, name, ErrorCode::TOO_LONG_INDEX_COMMENT)?;
    }
    Ok(())
}

/// Whether a column is a part of some index.
pub(super) fn indexed(def: &TableDef, column: usize) -> bool {
    def.indexes.iter().any(|i| i.parts.iter().any(|p| p.column as usize == column))
}

/// MySQL's order of keys: the primary one, UNIQUE ones that cannot be NULL, other UNIQUE ones, the rest; of UNIQUE ones those of whole columns
/// first, then those without virtual columns; stable.
pub fn sort_keys(keys: &mut [IndexDef], columns: &[ColumnDef]) {
    let column = |p: &IndexPart| columns.get(p.column as usize);
    let nullable = |i: &IndexDef| i.parts.iter().any(|p| column(p).is_some_and(|c| c.ty.nullable));
    let computed =
        |i: &IndexDef| i.parts.iter().any(|p| column(p).and_then(|c| c.generated.as_ref()).is_some_and(|g| !g.stored));
    keys.sort_by_key(|i| {
        let class = match i.kind {
            IndexKind::Primary => 0,
            _ if i.name == "GEN_CLUST_INDEX" => 0,
            IndexKind::Unique if !nullable(i) => 1,
            IndexKind::Unique => 2,
            IndexKind::Plain => 3,
        };
        (class, class < 3 && i.parts.iter().any(|p| p.prefix > 0), computed(i))
    });
}

fn column_named(columns: &[ColumnDef], name: &str) -> SqlResult<usize> {
    columns
        .iter()
        .position(|c| c.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| SqlError::new(ErrorCode::KEY_COLUMN_DOES_NOT_EXITS, &[&name]))
}

fn define_parts(s: &KeySpec, columns: &mut [ColumnDef]) -> SqlResult<Vec<IndexPart>> {
    if s.parts.len() > MAX_PARTS {
        return Err(SqlError::new(ErrorCode::TOO_MANY_KEY_PARTS, &[&MAX_PARTS]));
    }
    let mut out: Vec<IndexPart> = Vec::with_capacity(s.parts.len());
    let mut bytes = 0;
    for (name, length, desc) in &s.parts {
        let at = column_named(columns, name)?;
        if out.iter().any(|p| p.column as usize == at) {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[name]));
        }
        let Some(column) = columns.get_mut(at) else { continue };
        if s.kind == IndexKind::Primary {
            if matches!(column.default, storage::dict::ColumnDefault::Value(value::OwnedValue::Null)) {
                column.default = storage::dict::ColumnDefault::None;
            }
            column.ty.nullable = false;
        }
        let (prefix, part_bytes) = part_length(column, *length, s.kind)?;
        bytes += part_bytes;
        if part_bytes > MAX_KEY_BYTES || bytes > MAX_KEY_BYTES {
            return Err(SqlError::new(ErrorCode::TOO_LONG_KEY, &[&MAX_KEY_BYTES]));
        }
        out.push(IndexPart { column: at as u16, prefix, desc: *desc });
    }
    Ok(out)
}

/// The parts of a key that was there before, after its columns have changed: `lengths` are what it would be written with now. The same errors
/// as for a new key.
pub fn redefine_parts(i: &IndexDef, lengths: &[Option<u64>], columns: &mut [ColumnDef]) -> SqlResult<Vec<IndexPart>> {
    let named = |(p, length): (&IndexPart, &Option<u64>)| {
        let name = columns.get(usize::from(p.column)).map_or_else(String::new, |c| c.name.clone());
        (name, *length, p.desc)
    };
    let spec = KeySpec {
        parts: i.parts.iter().zip(lengths).map(named).collect(),
        kind: i.kind,
        ..KeySpec::on_column(i.kind, "")
    };
    define_parts(&spec, columns)
}

/// Prefix length to store (0 = whole column) and the part's length in bytes as MySQL counts it.
fn part_length(c: &ColumnDef, length: Option<u64>, kind: IndexKind) -> SqlResult<(u16, u64)> {
    let wrong_prefix = || SqlError::new(ErrorCode::WRONG_SUB_KEY, &[]);
    if let Some(elements) = &c.elements {
        return Ok((0, u64::from(planner::explain::key_bytes(elements, 0)).max(8)));
    }
    if c.ty.kind == TypeKind::Json {
        return Err(SqlError::new(ErrorCode::JSON_USED_AS_KEY, &[&c.name]));
    }
    if c.generated.as_ref().is_some_and(|g| !g.stored) && kind == IndexKind::Primary {
        let what = "Defining a virtual generated column as primary key";
        return Err(SqlError::new(ErrorCode::UNSUPPORTED_ACTION_ON_GENERATED_COLUMN, &[&what]));
    }
    let width = if c.ty.is_character() { u64::from(c.ty.charset().max_len()) } else { 1 };
    if c.ty.kind.is_lob() {
        let n = length.ok_or_else(|| SqlError::new(ErrorCode::BLOB_KEY_WITHOUT_LENGTH, &[&c.name]))?;
        if n == 0 {
            return Err(SqlError::new(ErrorCode::KEY_PART_0, &[&c.name]));
        }
        return Ok((
            u16::try_from(n).map_err(|_| SqlError::new(ErrorCode::TOO_LONG_KEY, &[&MAX_KEY_BYTES]))?,
            n * width,
        ));
    }
    if c.ty.kind.is_string() {
        let whole = u64::from(c.ty.length);
        if whole == 0 {
            return Err(SqlError::new(ErrorCode::WRONG_KEY_COLUMN, &[&c.name]));
        }
        return match length {
            Some(0) => Err(SqlError::new(ErrorCode::KEY_PART_0, &[&c.name])),
            Some(n) if n > whole => Err(wrong_prefix()),
            Some(n) if n < whole => Ok((n as u16, n * width)),
            _ => Ok((0, whole * width)),
        };
    }
    if length.is_some() {
        return Err(wrong_prefix());
    }
    let odd_bits = c.ty.kind == TypeKind::Bit && !c.ty.length.is_multiple_of(8);
    Ok((0, super::size_limits::column_bytes(c) + u64::from(odd_bits)))
}

fn key_name<'i>(
    s: &KeySpec,
    columns: &[ColumnDef],
    first: Option<&u16>,
    taken: impl Iterator<Item = &'i String> + Clone,
) -> SqlResult<String> {
    let is_taken = |n: &str| taken.clone().any(|i| i.eq_ignore_ascii_case(n));
    if s.kind == IndexKind::Primary {
        return Ok("PRIMARY".into());
    }
    if let Some(n) = &s.name {
        check_name(n, ErrorCode::WRONG_NAME_FOR_INDEX)?;
        if n.eq_ignore_ascii_case("PRIMARY") || n.eq_ignore_ascii_case("GEN_CLUST_INDEX") {
            return Err(SqlError::new(ErrorCode::WRONG_NAME_FOR_INDEX, &[n]));
        }
        if is_taken(n) {
            return Err(SqlError::new(ErrorCode::DUP_KEYNAME, &[n]));
        }
        return Ok(n.clone());
    }
    let first = first.and_then(|c| columns.get(*c as usize)).map_or("key", |c| c.name.as_str());
    if !is_taken(first) && !first.eq_ignore_ascii_case("PRIMARY") {
        return Ok(first.to_owned());
    }
    (2..)
        .map(|n| format!("{first}_{n}"))
        .find(|n| !is_taken(n))
        .ok_or_else(|| SqlError::new(ErrorCode::DUP_KEYNAME, &[&first]))
}
