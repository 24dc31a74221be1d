//! Definitions of schemas, tables, columns and indexes as the dictionary stores them: plain data without handles.
//!
//! A [`TableDef`] is immutable once published; DDL makes a new one with a higher `version`. [`super::codec`] turns it into
//! the tagged byte form that is a column of the dictionary's own table.

use base::{IndexId, PageNo, SpaceId, TableId};
use std::sync::Arc;
use value::temporal::{DateTime, TimeZone};
use value::{OwnedValue, SqlType};

/// What a column gets when a statement gives it no value.
#[derive(Clone, Debug)]
pub enum ColumnDefault {
    /// `NOT NULL` without `DEFAULT`: error 1364 in strict mode, the type's implicit default otherwise.
    None,
    /// A constant, already converted to the column's type; `DEFAULT NULL` is `OwnedValue::Null`. A TIMESTAMP is one that has no moment (the zero
    /// date), or that a server wrote which kept no moments: a time of the session that uses it.
    Value(OwnedValue),
    /// A constant of a TIMESTAMP: statements get the moment as a time of their session.
    Moment {
        /// In UTC, as rows hold it.
        utc: DateTime,
        /// As a time of the session that last defined the table: what information_schema shows.
        text: DateTime,
    },
    /// `CURRENT_TIMESTAMP(fsp)`.
    Now,
    /// `DEFAULT (expr)`: the expression's text as `SHOW CREATE TABLE` prints it.
    Expr(String),
}

impl ColumnDefault {
    /// The moment becomes a time in `zone`: what sessions there see, and what DDL in one of them leaves in the dictionary.
    pub fn show_in(&mut self, zone: &TimeZone) {
        if let ColumnDefault::Moment { utc, text } = self {
            *text = zone.utc_to_local(*utc);
        }
    }
}

/// A generated column's expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Text of the expression, without the outer parentheses.
    pub expr: String,
    /// `STORED` (true) or `VIRTUAL`.
    pub stored: bool,
}

/// One column.
#[derive(Clone, Debug)]
pub struct ColumnDef {
    /// Name as written; compared without regard to case.
    pub name: String,
    /// Type with length, scale, charset and nullability.
    pub ty: SqlType,
    /// Default.
    pub default: ColumnDefault,
    /// `ON UPDATE CURRENT_TIMESTAMP`.
    pub on_update_now: bool,
    /// `AUTO_INCREMENT`.
    pub auto_increment: bool,
    /// `INVISIBLE`.
    pub invisible: bool,
    /// The character set or collation was written with the column: SHOW CREATE TABLE prints both.
    pub charset_written: bool,
    /// Generated column.
    pub generated: Option<Generated>,
    /// `COMMENT`.
    pub comment: String,
    /// Made by ANALYZE TABLE ... UPDATE HISTOGRAM.
    pub histogram: Option<Arc<value::histogram::Histogram>>,
    /// The column holds JSON arrays, for a multi-valued index: the type of their elements, which are in the order of their keys, each once
    /// ([`crate::table::multi`]).
    pub elements: Option<SqlType>,
}

impl ColumnDef {
    /// A visible column without default, generation or comment.
    pub fn new(name: impl Into<String>, ty: SqlType) -> ColumnDef {
        ColumnDef {
            name: name.into(),
            ty,
            default: ColumnDefault::None,
            on_update_now: false,
            auto_increment: false,
            invisible: false,
            charset_written: false,
            generated: None,
            comment: String::new(),
            histogram: None,
            elements: None,
        }
    }

    /// A column that only a functional key part needs: no statement can name it. MySQL's naming.
    pub fn is_hidden(&self) -> bool {
        self.generated.is_some() && self.name.starts_with("!hidden!")
    }

    /// The index whose functional key part the column is (`!hidden!index!part!n`).
    pub fn index_of_expression(&self) -> Option<&str> {
        // the index's own name may have exclamation marks
        let rest = self.name.strip_prefix("!hidden!")?;
        let (rest, _) = rest.rsplit_once('!')?;
        rest.rsplit_once('!').map(|(index, _)| index)
    }
}

/// Kind of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexKind {
    /// The clustered primary key.
    Primary,
    /// Unique secondary index.
    Unique,
    /// Plain secondary index.
    Plain,
}

/// One part of an index key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexPart {
    /// Position of the column in [`TableDef::columns`].
    pub column: u16,
    /// Prefix length: characters for character types, bytes for binary ones; 0 = whole column.
    pub prefix: u16,
    /// `DESC`.
    pub desc: bool,
}

/// One index. `indexes[0]` of a table is always the clustered one (a hidden one if there is no primary key).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexDef {
    /// Id, never reused.
    pub id: IndexId,
    /// Name; `PRIMARY` for the primary key, `GEN_CLUST_INDEX` for the hidden one.
    pub name: String,
    /// Kind; the hidden clustered index is `Plain` with no parts.
    pub kind: IndexKind,
    /// Key parts as declared (the clustered key that follows in a secondary index is implied).
    pub parts: Vec<IndexPart>,
    /// Root page in the table's space.
    pub root: PageNo,
    /// `VISIBLE`; invisible indexes are maintained but not chosen.
    pub visible: bool,
    /// `COMMENT`.
    pub comment: String,
    /// Made by the server because a foreign key needed it: goes silently when another index serves.
    pub implied: bool,
    /// `USING BTREE` was written: every index is one, but SHOW CREATE TABLE repeats it.
    pub using_btree: bool,
}

impl IndexDef {
    /// Primary or unique.
    pub fn unique(&self) -> bool {
        self.kind != IndexKind::Plain
    }

    /// The part of a multi-valued index that has one entry for each element; `None` for all other indexes. A row with an empty array
    /// has no entry and one with several elements several, so such an index serves equality on this part and nothing else.
    pub fn array_part(&self, columns: &[ColumnDef]) -> Option<usize> {
        self.parts.iter().position(|p| columns.get(p.column as usize).is_some_and(|c| c.elements.is_some()))
    }
}

/// A FULLTEXT index. It has no tree: what MATCH needs is read from the rows (docs/decisions/0018-fulltext.md), so whatever walks
/// [`TableDef::indexes`] never meets one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FulltextDef {
    /// Name, unique among all indexes of the table.
    pub name: String,
    /// Positions of the columns.
    pub columns: Vec<u16>,
    /// `WITH PARSER`; empty: the built-in one.
    pub parser: String,
    /// `VISIBLE`; MATCH does not find an invisible one.
    pub visible: bool,
    /// `COMMENT`.
    pub comment: String,
    /// Words that it leaves out, as the session that made it wanted (`innodb_ft_enable_stopword` and the tables of stopwords).
    pub stopwords: Stopwords,
}

/// Stopwords of a FULLTEXT index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopwords {
    /// The built-in list.
    Default,
    /// These: none, or those that a table had.
    List(Vec<String>),
}

/// `FOREIGN KEY` action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FkAction {
    NoAction,
    Restrict,
    Cascade,
    SetNull,
    SetDefault,
}

/// A foreign key of the child table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignKeyDef {
    /// Constraint name.
    pub name: String,
    /// Child columns.
    pub columns: Vec<u16>,
    /// Parent schema and table.
    pub parent: (String, String),
    /// Parent columns by name.
    pub parent_columns: Vec<String>,
    /// `ON DELETE`.
    pub on_delete: FkAction,
    /// `ON UPDATE`.
    pub on_update: FkAction,
}

/// A foreign key as its parent sees it. Never stored: the dictionary's maps derive it from the children's definitions, so the
/// two sides cannot disagree ([`super::Dict`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferencedBy {
    /// Schema and name of the child.
    pub child: (String, String),
    /// The child's definition of it, without the positions of the child's columns.
    pub key: ForeignKeyDef,
}

/// A `CHECK` constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckDef {
    /// Constraint name.
    pub name: String,
    /// Text of the expression.
    pub expr: String,
    /// `ENFORCED`.
    pub enforced: bool,
}

/// What rows look like that were written before an instant ADD or DROP COLUMN.
#[derive(Clone, Debug, Default)]
pub struct FormerRow {
    /// The columns those rows store, in their order: type, and position in [`TableDef::columns`] (`None`: dropped since).
    pub stored: Vec<(SqlType, Option<u16>)>,
    /// What they have in columns added since, by position; not there: NULL.
    pub filled: Vec<(u16, OwnedValue)>,
    /// VIRTUAL columns added since, by position, ascending: computed when such a row is read ([`crate::table::computed`]). No index has them.
    pub computed: Vec<u16>,
}

/// The column of a generated invisible primary key.
pub const GENERATED_KEY: &str = "my_row_id";

/// A base table.
#[derive(Clone, Debug)]
pub struct TableDef {
    /// Id, never reused.
    pub id: TableId,
    /// Rises with every DDL on the table; plans remember it.
    pub version: u64,
    /// Schema name.
    pub schema: String,
    /// Table name, as it is kept ([`base::names`]).
    pub name: String,
    /// The table's tablespace.
    pub space: SpaceId,
    /// Columns in order.
    pub columns: Vec<ColumnDef>,
    /// Indexes, the clustered one first.
    pub indexes: Vec<IndexDef>,
    /// FULLTEXT indexes in the order in which they were made.
    pub fulltext: Vec<FulltextDef>,
    /// Foreign keys of which this table is the child.
    pub foreign_keys: Vec<ForeignKeyDef>,
    /// Foreign keys of which this table is the parent, in order of child and name.
    pub referenced_by: Vec<ReferencedBy>,
    /// Triggers in the order of event, time and ACTION_ORDER; derived, as `referenced_by` is.
    pub triggers: Vec<Arc<super::ProgramDefinition>>,
    /// Check constraints.
    pub checks: Vec<CheckDef>,
    /// Default collation id.
    pub collation: value::CollationId,
    /// `COMMENT`.
    pub comment: String,
    /// Other options to be printed by `SHOW CREATE TABLE`, as (name, value) in upper case, for example (`ROW_FORMAT`, `DYNAMIC`).
    pub options: Vec<(String, String)>,
    /// `AUTO_INCREMENT` given at creation, 0 if none: a lower bound for the counter.
    pub auto_increment: u64,
    /// Creation time, seconds since 1970.
    pub created: u64,
    /// Layouts of rows that were not rewritten by instant changes, by the version byte in the row; rows written now have the version
    /// `former.len()`. Empty again when the table is rebuilt.
    pub former: Vec<FormerRow>,
    /// ALTER TABLE ... DISCARD TABLESPACE has taken its rows away: what needs rows answers 1814 until IMPORT
    /// TABLESPACE brings others. Its tablespace is an empty one.
    pub discarded: bool,
}

impl TableDef {
    /// Whether the clustered index is the hidden one: there is no primary key.
    pub fn has_no_key(&self) -> bool {
        self.indexes.first().is_none_or(|i| i.kind != IndexKind::Primary)
    }

    /// Position of a column by name, ignoring case.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(name) || c.name.to_lowercase() == name.to_lowercase())
    }

    /// Position of a column that statements can name.
    pub fn named_column(&self, name: &str) -> Option<usize> {
        self.column(name).filter(|at| self.columns.get(*at).is_some_and(|c| !c.is_hidden()))
    }

    /// Position of an index by name, ignoring case.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.indexes.iter().position(|i| i.name.eq_ignore_ascii_case(name))
    }

    /// Position of a FULLTEXT index by name, ignoring case.
    pub fn fulltext(&self, name: &str) -> Option<usize> {
        self.fulltext.iter().position(|i| i.name.eq_ignore_ascii_case(name))
    }

    /// The declared primary key's parts; `None` when the clustered index is the hidden one.
    pub fn primary_key(&self) -> Option<&[IndexPart]> {
        self.indexes.first().filter(|i| i.kind == IndexKind::Primary).map(|i| i.parts.as_slice())
    }

    /// Number of the index that MySQL shows as the primary key: that, or the first UNIQUE one of whole columns that cannot be NULL (manual,
    /// "SHOW COLUMNS"). Rows are not clustered by it for that.
    pub fn candidate_key(&self) -> Option<usize> {
        let whole = |p: &IndexPart| {
            self.columns.get(usize::from(p.column)).is_some_and(|c| {
                p.prefix == 0 && !c.ty.nullable && c.elements.is_none() && c.generated.as_ref().is_none_or(|g| g.stored)
            })
        };
        match self.primary_key() {
            Some(_) => Some(0),
            None => self.indexes.iter().position(|i| i.kind == IndexKind::Unique && i.parts.iter().all(whole)),
        }
    }

    /// The first index whose leading parts are these whole columns in this order, with every row in it: what a foreign
    /// key's own columns need. (Checks go through [`TableDef::index_for_reference`].)
    pub fn index_leading_with(&self, columns: &[u16]) -> Option<usize> {
        self.indexes_leading_with(columns).next()
    }

    /// All of them.
    pub fn indexes_leading_with<'t>(&'t self, columns: &'t [u16]) -> impl Iterator<Item = usize> + 't {
        let leads = move |i: &IndexDef| {
            i.parts.len() >= columns.len()
                && i.parts.iter().zip(columns).all(|(p, c)| p.column == *c && p.prefix == 0)
                && i.array_part(&self.columns).is_none()
        };
        self.indexes.iter().enumerate().filter(move |(_, i)| leads(i)).map(|(n, _)| n)
    }

    /// Whether index number `index` is a multi-valued one ([`IndexDef::array_part`]).
    pub fn is_multi_valued(&self, index: usize) -> bool {
        self.indexes.get(index).is_some_and(|i| i.array_part(&self.columns).is_some())
    }

    /// Positions of columns by name; `None` if one is missing.
    pub fn positions(&self, names: &[String]) -> Option<Vec<u16>> {
        names.iter().map(|n| self.column(n).map(|c| c as u16)).collect()
    }

    /// Whether the primary key is one that `sql_generate_invisible_primary_key` makes. It is known by name, place and type alone, so one
    /// that was written out like that counts too (manual, "Generated Invisible Primary Keys").
    pub fn has_generated_key(&self) -> bool {
        let fits = |c: &ColumnDef| {
            c.name.eq_ignore_ascii_case(GENERATED_KEY)
                && (c.ty.kind, c.ty.unsigned) == (value::TypeKind::BigInt, true)
                && c.auto_increment
                && c.invisible
        };
        let alone = |k: &[IndexPart]| k.len() == 1 && k.iter().all(|p| p.column == 0);
        self.columns.first().is_some_and(fits) && self.primary_key().is_some_and(alone)
    }

    /// Position of the `AUTO_INCREMENT` column.
    pub fn auto_increment_column(&self) -> Option<usize> {
        self.columns.iter().position(|c| c.auto_increment)
    }

    /// Whether `new` has the same rows and counts the same column.
    pub(crate) fn counts_as(&self, new: &TableDef) -> bool {
        let counted = |t: &TableDef| t.columns.iter().find(|c| c.auto_increment).map(|c| c.name.clone());
        self.space == new.space && counted(self).is_some_and(|c| counted(new).as_ref() == Some(&c))
    }
}

/// A schema (database).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaDef {
    /// Object id.
    pub id: u64,
    /// Name.
    pub name: String,
    /// Default collation id.
    pub collation: value::CollationId,
}

/// A view: its text and what is needed to print and parse it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewDef {
    /// Object id.
    pub id: u64,
    /// Rises with `ALTER VIEW` / `CREATE OR REPLACE`.
    pub version: u64,
    /// Schema name.
    pub schema: String,
    /// View name.
    pub name: String,
    /// `AS` text.
    pub select: String,
    /// Other properties (DEFINER, SQL SECURITY, ALGORITHM, CHECK OPTION, charset at creation) as (name, value).
    pub options: Vec<(String, String)>,
    /// Column names if given.
    pub columns: Vec<String>,
}

/// What a name in a schema denotes.
#[derive(Clone, Debug)]
pub enum Relation {
    /// A base table.
    Table(Arc<TableDef>),
    /// A view.
    View(Arc<ViewDef>),
}
