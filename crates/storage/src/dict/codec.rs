//! Definitions as bytes: what the dictionary's table stores in its `def` column.
//!
//! A struct is a list of fields `[tag u8][length u32 LE][bytes]`; a list of structs is a repeated tag. Unknown tags are
//! skipped, missing ones take their default, so a later version may add fields and old fixtures stay readable. The first
//! byte of a stored definition is [`FORMAT`]. Described in docs/format.md. Nothing here can panic on bad bytes: they
//! give [`Corrupt`].

use super::def::*;
use base::{IndexId, PageNo, SpaceId, TableId};
use std::sync::Arc;
use value::histogram::Histogram;
use value::{CollationId, Date, DateTime, Decimal, OwnedValue, SqlType, Time, TypeKind};

/// Version of the encoding.
pub const FORMAT: u8 = 1;

/// The bytes are not a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Corrupt;

type Result<T> = std::result::Result<T, Corrupt>;

/// Writes tagged fields.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Of a definition, which begins with the format.
    pub(crate) fn new() -> Writer {
        Writer(vec![FORMAT])
    }
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
    pub(crate) fn bytes(&mut self, tag: u8, b: &[u8]) {
        self.0.push(tag);
        self.0.extend_from_slice(&(b.len() as u32).to_le_bytes());
        self.0.extend_from_slice(b);
    }
    pub(crate) fn num(&mut self, tag: u8, v: u64) {
        let b = v.to_le_bytes();
        let n = 8 - v.leading_zeros() as usize / 8;
        self.bytes(tag, b.get(..n).unwrap_or(&b));
    }
    pub(crate) fn flag(&mut self, tag: u8, v: bool) {
        if v {
            self.num(tag, 1);
        }
    }
    pub(crate) fn str(&mut self, tag: u8, s: &str) {
        if !s.is_empty() {
            self.bytes(tag, s.as_bytes());
        }
    }
    pub(crate) fn nested(&mut self, tag: u8, f: impl FnOnce(&mut Writer)) {
        let mut w = Writer::default();
        f(&mut w);
        self.bytes(tag, &w.0);
    }
}

/// Iterates over tagged fields.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn next(&mut self) -> Result<Option<(u8, &'a [u8])>> {
        let Some((&tag, rest)) = self.0.split_first() else { return Ok(None) };
        let (len, rest) = rest.split_first_chunk::<4>().ok_or(Corrupt)?;
        let (body, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(Corrupt)?;
        self.0 = rest;
        Ok(Some((tag, body)))
    }
}

pub(crate) fn num(b: &[u8]) -> Result<u64> {
    let mut w = [0; 8];
    w.get_mut(..b.len()).ok_or(Corrupt)?.copy_from_slice(b);
    Ok(u64::from_le_bytes(w))
}

pub(crate) fn text(b: &[u8]) -> Result<String> {
    String::from_utf8(b.to_vec()).map_err(|_| Corrupt)
}

pub(super) fn pair(b: &[u8]) -> Result<(String, String)> {
    let (mut k, mut v) = Default::default();
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => k = text(body)?,
            2 => v = text(body)?,
            _ => {}
        }
    }
    Ok((k, v))
}

fn put_pair(w: &mut Writer, tag: u8, k: &str, v: &str) {
    w.nested(tag, |w| {
        w.str(1, k);
        w.str(2, v);
    });
}

fn put_value(w: &mut Writer, tag: u8, v: &OwnedValue) {
    w.nested(tag, |w| match v {
        OwnedValue::Null => w.num(1, 0),
        OwnedValue::Int(v) => w.num(2, *v as u64),
        OwnedValue::UInt(v) => w.num(3, *v),
        OwnedValue::Double(v) => w.num(4, v.to_bits()),
        OwnedValue::Decimal(d) => w.bytes(5, d.to_string().as_bytes()),
        OwnedValue::Str(s) => w.bytes(6, s),
        OwnedValue::Date(d) => w.num(7, d.0 as u64),
        OwnedValue::DateTime(d) => w.num(8, d.0),
        OwnedValue::Time(t) => w.num(9, t.0 as u64),
        OwnedValue::Json(d) => w.bytes(10, d),
    });
}

fn get_value(b: &[u8]) -> Result<OwnedValue> {
    let (tag, body) = Reader(b).next()?.ok_or(Corrupt)?;
    Ok(match tag {
        1 => OwnedValue::Null,
        2 => OwnedValue::Int(num(body)? as i64),
        3 => OwnedValue::UInt(num(body)?),
        4 => OwnedValue::Double(f64::from_bits(num(body)?)),
        5 => OwnedValue::Decimal(Box::new(Decimal::parse(body).ok_or(Corrupt)?)),
        6 => OwnedValue::Str(body.into()),
        7 => OwnedValue::Date(Date(num(body)? as u32)),
        8 => OwnedValue::DateTime(DateTime(num(body)?)),
        9 => OwnedValue::Time(Time(num(body)? as i64)),
        10 => OwnedValue::Json(value::json::Ref::open(body).map(|_| body.into()).map_err(|_| Corrupt)?),
        _ => return Err(Corrupt),
    })
}

pub(super) fn put_type(w: &mut Writer, tag: u8, t: &SqlType) {
    w.nested(tag, |w| {
        w.num(1, t.kind as u64);
        w.flag(2, t.unsigned);
        w.flag(3, t.zerofill);
        w.flag(4, t.nullable);
        w.num(5, t.decimals as u64);
        w.num(6, t.length as u64);
        w.num(7, t.collation.0 as u64);
        if let Some(members) = &t.members {
            w.flag(8, true);
            members.iter().for_each(|m| w.bytes(9, m));
        }
    });
}

pub(super) fn get_type(b: &[u8]) -> Result<SqlType> {
    let mut t = SqlType::new(TypeKind::Null).nullable(false);
    let mut members: Option<Vec<Box<[u8]>>> = None;
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => t.kind = TypeKind::from_u8(num(body)? as u8).ok_or(Corrupt)?,
            2 => t.unsigned = true,
            3 => t.zerofill = true,
            4 => t.nullable = true,
            5 => t.decimals = num(body)? as u8,
            6 => t.length = num(body)? as u32,
            7 => t.collation = CollationId(num(body)? as u16),
            8 => drop(members.get_or_insert_default()),
            9 => members.get_or_insert_default().push(body.into()),
            _ => {}
        }
    }
    t.members = members.map(Into::into);
    Ok(t)
}

fn put_column(w: &mut Writer, tag: u8, c: &ColumnDef) {
    w.nested(tag, |w| {
        w.str(1, &c.name);
        put_type(w, 2, &c.ty);
        match &c.default {
            ColumnDefault::None => {}
            ColumnDefault::Value(v) => put_value(w, 3, v),
            ColumnDefault::Moment { utc, text } => {
                put_value(w, 3, &OwnedValue::DateTime(*text));
                put_value(w, 15, &OwnedValue::DateTime(*utc));
            }
            ColumnDefault::Now => w.flag(4, true),
            ColumnDefault::Expr(e) => w.bytes(5, e.as_bytes()),
        }
        w.flag(6, c.on_update_now);
        w.flag(7, c.auto_increment);
        w.flag(8, c.invisible);
        if let Some(g) = &c.generated {
            w.bytes(9, g.expr.as_bytes());
            w.flag(10, g.stored);
        }
        w.str(11, &c.comment);
        // what cannot be encoded is no histogram
        if let Some(Ok(h)) = c.histogram.as_ref().map(|h| h.to_document()) {
            w.bytes(12, &h);
        }
        w.flag(13, c.charset_written);
        c.elements.iter().for_each(|t| put_type(w, 14, t));
    });
}

fn get_column(b: &[u8]) -> Result<ColumnDef> {
    let mut c = ColumnDef::new("", SqlType::new(TypeKind::Null));
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => c.name = text(body)?,
            2 => c.ty = get_type(body)?,
            3 => c.default = ColumnDefault::Value(get_value(body)?),
            4 => c.default = ColumnDefault::Now,
            5 => c.default = ColumnDefault::Expr(text(body)?),
            6 => c.on_update_now = true,
            7 => c.auto_increment = true,
            8 => c.invisible = true,
            9 => c.generated = Some(Generated { expr: text(body)?, stored: false }),
            10 => c.generated.as_mut().ok_or(Corrupt)?.stored = true,
            11 => c.comment = text(body)?,
            12 => c.histogram = Some(get_histogram(body)?),
            13 => c.charset_written = true,
            14 => c.elements = Some(get_type(body)?),
            15 => match (&c.default, get_value(body)?) {
                (ColumnDefault::Value(OwnedValue::DateTime(text)), OwnedValue::DateTime(utc)) => {
                    c.default = ColumnDefault::Moment { utc, text: *text };
                }
                _ => return Err(Corrupt),
            },
            _ => {}
        }
    }
    Ok(c)
}

fn get_histogram(b: &[u8]) -> Result<Arc<Histogram>> {
    let doc = value::json::Ref::open(b).map_err(|_| Corrupt)?;
    Histogram::from_document(doc, None).map(Arc::new).map_err(|_| Corrupt)
}

fn put_index(w: &mut Writer, tag: u8, i: &IndexDef) {
    w.nested(tag, |w| {
        w.num(1, i.id.0);
        w.str(2, &i.name);
        let kind = match i.kind {
            IndexKind::Primary => 1,
            IndexKind::Unique => 2,
            IndexKind::Plain => 3,
        };
        w.num(3, kind);
        for p in &i.parts {
            w.num(4, p.column as u64 | (p.prefix as u64) << 16 | (p.desc as u64) << 32);
        }
        w.num(5, i.root.0 as u64);
        w.flag(6, !i.visible);
        w.str(7, &i.comment);
        w.flag(8, i.implied);
        w.flag(9, i.using_btree);
    });
}

fn get_index(b: &[u8]) -> Result<IndexDef> {
    let mut i = IndexDef {
        id: IndexId(0),
        name: String::new(),
        kind: IndexKind::Plain,
        parts: Vec::new(),
        root: PageNo::NONE,
        visible: true,
        comment: String::new(),
        implied: false,
        using_btree: false,
    };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => i.id = IndexId(num(body)?),
            2 => i.name = text(body)?,
            3 => {
                i.kind = match num(body)? {
                    1 => IndexKind::Primary,
                    2 => IndexKind::Unique,
                    3 => IndexKind::Plain,
                    _ => return Err(Corrupt),
                }
            }
            4 => {
                let v = num(body)?;
                i.parts.push(IndexPart { column: v as u16, prefix: (v >> 16) as u16, desc: v >> 32 & 1 == 1 });
            }
            5 => i.root = PageNo(num(body)? as u32),
            6 => i.visible = false,
            7 => i.comment = text(body)?,
            8 => i.implied = true,
            9 => i.using_btree = true,
            _ => {}
        }
    }
    Ok(i)
}

fn put_fulltext(w: &mut Writer, tag: u8, i: &FulltextDef) {
    w.nested(tag, |w| {
        w.str(1, &i.name);
        i.columns.iter().for_each(|c| w.num(2, u64::from(*c)));
        w.str(3, &i.parser);
        w.flag(4, !i.visible);
        w.str(5, &i.comment);
        if let Stopwords::List(words) = &i.stopwords {
            w.flag(6, true);
            words.iter().for_each(|s| w.bytes(7, s.as_bytes()));
        }
    });
}

fn get_fulltext(b: &[u8]) -> Result<FulltextDef> {
    let mut i = FulltextDef {
        name: String::new(),
        columns: Vec::new(),
        parser: String::new(),
        visible: true,
        comment: String::new(),
        stopwords: Stopwords::Default,
    };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => i.name = text(body)?,
            2 => i.columns.push(u16::try_from(num(body)?).map_err(|_| Corrupt)?),
            3 => i.parser = text(body)?,
            4 => i.visible = false,
            5 => i.comment = text(body)?,
            6 => i.stopwords = Stopwords::List(Vec::new()),
            7 => match &mut i.stopwords {
                Stopwords::List(words) => words.push(text(body)?),
                Stopwords::Default => return Err(Corrupt),
            },
            _ => {}
        }
    }
    Ok(i)
}

const ACTIONS: [FkAction; 5] =
    [FkAction::NoAction, FkAction::Restrict, FkAction::Cascade, FkAction::SetNull, FkAction::SetDefault];

fn get_action(b: &[u8]) -> Result<FkAction> {
    ACTIONS.get(num(b)? as usize).copied().ok_or(Corrupt)
}

fn put_fk(w: &mut Writer, tag: u8, f: &ForeignKeyDef) {
    let action = |a: FkAction| ACTIONS.iter().position(|x| *x == a).unwrap_or(0) as u64;
    w.nested(tag, |w| {
        w.str(1, &f.name);
        f.columns.iter().for_each(|c| w.num(2, *c as u64));
        w.str(3, &f.parent.0);
        w.str(4, &f.parent.1);
        f.parent_columns.iter().for_each(|c| w.str(5, c));
        w.num(6, action(f.on_delete));
        w.num(7, action(f.on_update));
    });
}

fn get_fk(b: &[u8]) -> Result<ForeignKeyDef> {
    let mut f = ForeignKeyDef {
        name: String::new(),
        columns: Vec::new(),
        parent: Default::default(),
        parent_columns: Vec::new(),
        on_delete: FkAction::NoAction,
        on_update: FkAction::NoAction,
    };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => f.name = text(body)?,
            2 => f.columns.push(num(body)? as u16),
            3 => f.parent.0 = text(body)?,
            4 => f.parent.1 = text(body)?,
            5 => f.parent_columns.push(text(body)?),
            6 => f.on_delete = get_action(body)?,
            7 => f.on_update = get_action(body)?,
            _ => {}
        }
    }
    Ok(f)
}

/// A table definition as bytes.
pub fn encode_table(t: &TableDef) -> Vec<u8> {
    let mut w = Writer(vec![FORMAT]);
    w.num(1, t.id.0);
    w.num(2, t.version);
    w.str(3, &t.schema);
    w.str(4, &t.name);
    w.num(5, t.space.0 as u64);
    t.columns.iter().for_each(|c| put_column(&mut w, 6, c));
    t.indexes.iter().for_each(|i| put_index(&mut w, 7, i));
    t.foreign_keys.iter().for_each(|f| put_fk(&mut w, 8, f));
    for c in &t.checks {
        w.nested(9, |w| {
            w.str(1, &c.name);
            w.str(2, &c.expr);
            w.flag(3, c.enforced);
        });
    }
    w.num(10, t.collation.0 as u64);
    w.str(11, &t.comment);
    t.options.iter().for_each(|(k, v)| put_pair(&mut w, 12, k, v));
    w.num(13, t.auto_increment);
    w.num(14, t.created);
    t.former.iter().for_each(|f| put_former(&mut w, 15, f));
    t.fulltext.iter().for_each(|i| put_fulltext(&mut w, 16, i));
    w.flag(17, t.discarded);
    w.0
}

/// Columns in order, each a type and a flag with its position plus one; then filled values.
fn put_former(w: &mut Writer, tag: u8, f: &FormerRow) {
    w.nested(tag, |w| {
        for (ty, now) in &f.stored {
            w.nested(1, |w| {
                put_type(w, 1, ty);
                now.iter().for_each(|n| w.num(2, *n as u64));
            });
        }
        for (at, v) in &f.filled {
            w.nested(2, |w| {
                w.num(1, *at as u64);
                put_value(w, 2, v);
            });
        }
        f.computed.iter().for_each(|at| w.nested(3, |w| w.num(1, *at as u64)));
    });
}

fn get_former(b: &[u8]) -> Result<FormerRow> {
    let position = |b: &[u8]| u16::try_from(num(b)?).map_err(|_| Corrupt);
    let mut f = FormerRow::default();
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        let mut r = Reader(body);
        let (mut ty, mut now, mut at, mut value) = (None, None, None, None);
        while let Some((part, body)) = r.next()? {
            match (tag, part) {
                (1, 1) => ty = Some(get_type(body)?),
                (1, 2) => now = Some(position(body)?),
                (2 | 3, 1) => at = Some(position(body)?),
                (2, 2) => value = Some(get_value(body)?),
                _ => {}
            }
        }
        match tag {
            1 => f.stored.push((ty.ok_or(Corrupt)?, now)),
            2 => f.filled.push((at.ok_or(Corrupt)?, value.ok_or(Corrupt)?)),
            3 => f.computed.push(at.ok_or(Corrupt)?),
            _ => {}
        }
    }
    Ok(f)
}

fn get_check(b: &[u8]) -> Result<CheckDef> {
    let mut c = CheckDef { name: String::new(), expr: String::new(), enforced: false };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => c.name = text(body)?,
            2 => c.expr = text(body)?,
            3 => c.enforced = true,
            _ => {}
        }
    }
    Ok(c)
}

pub(super) fn versioned(b: &[u8]) -> Result<Reader<'_>> {
    match b.split_first() {
        Some((&FORMAT, rest)) => Ok(Reader(rest)),
        _ => Err(Corrupt),
    }
}

/// Inverse of [`encode_table`].
///
/// # Errors
/// [`Corrupt`] for bytes that are no table definition of this format.
pub fn decode_table(b: &[u8]) -> Result<TableDef> {
    let mut t = TableDef {
        id: TableId(0),
        version: 0,
        schema: String::new(),
        name: String::new(),
        space: SpaceId(0),
        columns: Vec::new(),
        indexes: Vec::new(),
        fulltext: Vec::new(),
        foreign_keys: Vec::new(),
        referenced_by: Vec::new(),
        triggers: Vec::new(),
        checks: Vec::new(),
        collation: CollationId(0),
        comment: String::new(),
        options: Vec::new(),
        auto_increment: 0,
        created: 0,
        former: Vec::new(),
        discarded: false,
    };
    let mut r = versioned(b)?;
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => t.id = TableId(num(body)?),
            2 => t.version = num(body)?,
            3 => t.schema = text(body)?,
            4 => t.name = text(body)?,
            5 => t.space = SpaceId(num(body)? as u32),
            6 => t.columns.push(get_column(body)?),
            7 => t.indexes.push(get_index(body)?),
            8 => t.foreign_keys.push(get_fk(body)?),
            9 => t.checks.push(get_check(body)?),
            10 => t.collation = CollationId(num(body)? as u16),
            11 => t.comment = text(body)?,
            12 => t.options.push(pair(body)?),
            13 => t.auto_increment = num(body)?,
            14 => t.created = num(body)?,
            15 => t.former.push(get_former(body)?),
            16 => t.fulltext.push(get_fulltext(body)?),
            17 => t.discarded = true,
            _ => {}
        }
    }
    Ok(t)
}

/// A schema definition as bytes.
pub fn encode_schema(s: &SchemaDef) -> Vec<u8> {
    let mut w = Writer(vec![FORMAT]);
    w.num(1, s.id);
    w.str(2, &s.name);
    w.num(3, s.collation.0 as u64);
    w.0
}

/// Inverse of [`encode_schema`].
///
/// # Errors
/// [`Corrupt`].
pub fn decode_schema(b: &[u8]) -> Result<SchemaDef> {
    let mut s = SchemaDef { id: 0, name: String::new(), collation: CollationId(0) };
    let mut r = versioned(b)?;
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => s.id = num(body)?,
            2 => s.name = text(body)?,
            3 => s.collation = CollationId(num(body)? as u16),
            _ => {}
        }
    }
    Ok(s)
}

/// A view definition as bytes.
pub fn encode_view(v: &ViewDef) -> Vec<u8> {
    let mut w = Writer(vec![FORMAT]);
    w.num(1, v.id);
    w.num(2, v.version);
    w.str(3, &v.schema);
    w.str(4, &v.name);
    w.str(5, &v.select);
    v.options.iter().for_each(|(k, v)| put_pair(&mut w, 6, k, v));
    v.columns.iter().for_each(|c| w.str(7, c));
    w.0
}

/// Inverse of [`encode_view`].
///
/// # Errors
/// [`Corrupt`].
pub fn decode_view(b: &[u8]) -> Result<ViewDef> {
    let mut v = ViewDef {
        id: 0,
        version: 0,
        schema: String::new(),
        name: String::new(),
        select: String::new(),
        options: Vec::new(),
        columns: Vec::new(),
    };
    let mut r = versioned(b)?;
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => v.id = num(body)?,
            2 => v.version = num(body)?,
            3 => v.schema = text(body)?,
            4 => v.name = text(body)?,
            5 => v.select = text(body)?,
            6 => v.options.push(pair(body)?),
            7 => v.columns.push(text(body)?),
            _ => {}
        }
    }
    Ok(v)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TableDef {
        let mut ty = SqlType::varchar(40, CollationId(255)).nullable(true);
        ty.members = None;
        let column = |name: &str, default| ColumnDef {
            name: name.into(),
            ty: ty.clone(),
            default,
            on_update_now: false,
            auto_increment: name == "id",
            invisible: false,
            charset_written: true,
            generated: None,
            comment: "c".into(),
            histogram: None,
            elements: (name == "b").then(|| SqlType::bigint().nullable(true)),
        };
        TableDef {
            id: TableId(77),
            version: 3,
            schema: "test".into(),
            name: "t1".into(),
            space: SpaceId(9),
            columns: vec![
                column("id", ColumnDefault::None),
                column("a", ColumnDefault::Value(OwnedValue::Str(b"x\xff"[..].into()))),
                column("b", ColumnDefault::Value(OwnedValue::Null)),
                column("d", ColumnDefault::Value(OwnedValue::Decimal(Box::new(Decimal::from_i64(-12))))),
                column("e", ColumnDefault::Now),
                column("f", ColumnDefault::Expr("uuid()".into())),
                column("g", moment()),
            ],
            indexes: vec![IndexDef {
                id: IndexId(5),
                name: "PRIMARY".into(),
                kind: IndexKind::Primary,
                parts: vec![IndexPart { column: 0, prefix: 10, desc: true }],
                root: PageNo(4),
                visible: true,
                comment: String::new(),
                implied: true,
                using_btree: true,
            }],
            fulltext: vec![FulltextDef {
                name: "ft".into(),
                columns: vec![1, 300],
                parser: "ngram".into(),
                visible: false,
                comment: "c".into(),
                stopwords: Stopwords::List(vec!["die".into()]),
            }],
            foreign_keys: vec![ForeignKeyDef {
                name: "fk".into(),
                columns: vec![1, 2],
                parent: ("test".into(), "p".into()),
                parent_columns: vec!["x".into(), "y".into()],
                on_delete: FkAction::Cascade,
                on_update: FkAction::SetNull,
            }],
            referenced_by: vec![],
            triggers: vec![],
            checks: vec![CheckDef { name: "chk".into(), expr: "`a` > 1".into(), enforced: true }],
            collation: CollationId(255),
            comment: String::new(),
            options: vec![("ROW_FORMAT".into(), "DYNAMIC".into())],
            auto_increment: 1 << 40,
            created: 1_700_000_000,
            former: vec![FormerRow {
                stored: vec![(SqlType::bigint(), Some(0)), (SqlType::new(TypeKind::Date), None)],
                filled: vec![(1, OwnedValue::Str(b"x".as_slice().into())), (2, OwnedValue::Null)],
                computed: vec![3, 5],
            }],
            discarded: true,
        }
    }

    fn moment() -> ColumnDefault {
        let at = |hour| value::DateTime::new(2024, 5, 6, hour, 0, 0, 0);
        ColumnDefault::Moment { utc: at(10), text: at(12) }
    }

    /// Entries from before moments were kept have the text alone, and a server from then reads the text of those of today.
    #[test]
    fn a_default_without_its_moment_stays_a_text() {
        let mut t = sample();
        let ColumnDefault::Moment { text, .. } = moment() else { panic!() };
        let column = t.columns.last_mut().unwrap();
        column.default = ColumnDefault::Value(OwnedValue::DateTime(text));
        let old = encode_table(&t);
        let back = decode_table(&old).unwrap();
        let kept = &back.columns.last().unwrap().default;
        assert!(matches!(kept, ColumnDefault::Value(OwnedValue::DateTime(t)) if *t == text));
        assert!(encode_table(&sample()).len() > old.len());
    }

    #[test]
    fn a_table_comes_back_as_it_was() {
        let t = sample();
        let back = decode_table(&encode_table(&t)).unwrap();
        assert_eq!(format!("{t:?}"), format!("{back:?}"));
    }

    #[test]
    fn cut_and_flipped_bytes_never_panic() {
        let bytes = encode_table(&sample());
        for n in 0..bytes.len() {
            let _ = decode_table(&bytes[..n]);
            let mut b = bytes.clone();
            b[n] ^= 0x55;
            let _ = decode_table(&b);
        }
        assert!(decode_table(&[]).is_err());
        assert!(decode_table(&[FORMAT + 1]).is_err());
    }
}
