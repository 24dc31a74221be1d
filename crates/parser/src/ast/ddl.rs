//! Tables, columns, keys, partitions, indexes, databases, views.
#![allow(missing_docs)] // see ast/mod.rs

use super::{Account, Expr, QueryExpr, Span, TableName};

#[derive(Clone, Copy, Debug)]
pub struct CreateTable<'a> {
    pub temporary: bool,
    pub if_not_exists: bool,
    pub table: TableName<'a>,
    /// `LIKE t`: nothing else is set.
    pub like: Option<TableName<'a>>,
    pub elements: &'a [TableElement<'a>],
    pub options: &'a [TableOption<'a>],
    pub partition: Option<&'a PartitionBy<'a>>,
    /// What to do with duplicates of the SELECT.
    pub on_duplicate: OnDuplicate,
    pub select: Option<&'a QueryExpr<'a>>,
}

impl CreateTable<'_> {
    /// START TRANSACTION: rows follow in the same transaction.
    pub fn starts_transaction(&self) -> bool {
        self.options.iter().any(|o| matches!(o, TableOption::StartTransaction))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDuplicate {
    Error,
    Ignore,
    Replace,
}

#[derive(Clone, Copy, Debug)]
pub enum TableElement<'a> {
    Column(&'a ColumnDef<'a>),
    Index(&'a IndexDef<'a>),
    ForeignKey(&'a ForeignKey<'a>),
    Check(CheckDef<'a>),
}

#[derive(Clone, Copy, Debug)]
pub struct ColumnDef<'a> {
    pub span: Span,
    pub name: &'a str,
    pub ty: DataType<'a>,
    /// In the order written.
    pub attributes: &'a [ColumnAttr<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum ColumnAttr<'a> {
    Null,
    NotNull,
    /// DEFAULT literal, `DEFAULT (expr)` (then `ExprKind::Paren`) or `DEFAULT NOW(n)`.
    Default(Expr<'a>),
    /// `ON UPDATE CURRENT_TIMESTAMP(n)`: fractional digits.
    OnUpdateNow(u32),
    AutoIncrement,
    /// `[PRIMARY] KEY`
    PrimaryKey,
    Unique,
    Comment(&'a [u8]),
    Collate(&'a str),
    Generated {
        expr: &'a Expr<'a>,
        stored: bool,
    },
    Check(CheckDef<'a>),
    /// Inline `REFERENCES t(c)`: MySQL parses and ignores it.
    References(&'a References<'a>),
    Visible(bool),
    ColumnFormat(&'a str),
    Storage(&'a str),
    EngineAttribute(&'a [u8]),
    SecondaryEngineAttribute(&'a [u8]),
    Srid(u64),
    /// SERIAL DEFAULT VALUE = NOT NULL AUTO_INCREMENT UNIQUE
    SerialDefaultValue,
    NotSecondary,
}

#[derive(Clone, Copy, Debug)]
pub struct CheckDef<'a> {
    pub name: Option<&'a str>,
    pub expr: &'a Expr<'a>,
    pub enforced: bool,
}

/// A column type as written.
#[derive(Clone, Copy, Debug)]
pub struct DataType<'a> {
    pub span: Span,
    pub kind: TypeName,
    /// `(n)` of the type: length, display width, precision or fractional digits of a temporal type.
    pub length: Option<u64>,
    /// second number of `(m, d)`
    pub decimals: Option<u32>,
    pub unsigned: bool,
    pub zerofill: bool,
    /// Lower case; "binary" for `CHARACTER SET binary`; ASCII is "latin1", UNICODE "ucs2", NATIONAL "utf8mb3".
    pub charset: Option<&'a str>,
    /// Only inside JSON_TABLE; elsewhere it is [`ColumnAttr::Collate`].
    pub collation: Option<&'a str>,
    /// The BINARY attribute: the `_bin` collation of the character set.
    pub binary: bool,
    /// `BYTE` attribute: charset binary.
    pub byte: bool,
    /// ENUM and SET members.
    pub values: &'a [&'a [u8]],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeName {
    TinyInt,
    SmallInt,
    MediumInt,
    Int,
    BigInt,
    /// BOOL, BOOLEAN: TINYINT(1)
    Bool,
    /// SERIAL: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE
    Serial,
    Decimal,
    Float,
    Double,
    /// REAL: DOUBLE, or FLOAT under REAL_AS_FLOAT
    Real,
    Bit,
    Date,
    Time,
    DateTime,
    Timestamp,
    Year,
    Char,
    VarChar,
    Binary,
    VarBinary,
    TinyText,
    /// TEXT(n): the smallest text type that holds n characters
    Text,
    MediumText,
    LongText,
    TinyBlob,
    Blob,
    MediumBlob,
    LongBlob,
    Enum,
    Set,
    Json,
    Geometry,
    Point,
    LineString,
    Polygon,
    MultiPoint,
    MultiLineString,
    MultiPolygon,
    GeometryCollection,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexKind {
    Primary,
    Unique,
    Plain,
    Fulltext,
    Spatial,
}

#[derive(Clone, Copy, Debug)]
pub struct IndexDef<'a> {
    pub kind: IndexKind,
    pub name: Option<&'a str>,
    /// `CONSTRAINT name` before PRIMARY KEY / UNIQUE.
    pub constraint: Option<&'a str>,
    pub parts: &'a [KeyPart<'a>],
    pub options: &'a [IndexOption<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct KeyPart<'a> {
    pub target: KeyTarget<'a>,
    pub desc: bool,
    /// ASC or DESC was written.
    pub ordered: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum KeyTarget<'a> {
    Column { name: &'a str, length: Option<u64> },
    Expr(&'a Expr<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum IndexOption<'a> {
    /// USING BTREE, HASH, RTREE: lower case
    Using(&'a str),
    KeyBlockSize(u64),
    Comment(&'a [u8]),
    WithParser(&'a str),
    Visible(bool),
    EngineAttribute(&'a [u8]),
    SecondaryEngineAttribute(&'a [u8]),
}

#[derive(Clone, Copy, Debug)]
pub struct ForeignKey<'a> {
    /// `CONSTRAINT name`, otherwise
    pub constraint: Option<&'a str>,
    /// `FOREIGN KEY name (..)`
    pub index_name: Option<&'a str>,
    pub columns: &'a [KeyPart<'a>],
    pub references: References<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct References<'a> {
    pub table: TableName<'a>,
    pub columns: &'a [KeyPart<'a>],
    /// MATCH FULL | PARTIAL | SIMPLE
    pub match_kind: Option<&'a str>,
    pub on_delete: Option<RefAction>,
    pub on_update: Option<RefAction>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefAction {
    Restrict,
    Cascade,
    SetNull,
    NoAction,
    SetDefault,
}

#[derive(Clone, Copy, Debug)]
pub enum TableOption<'a> {
    Engine(&'a str),
    AutoIncrement(u64),
    AvgRowLength(u64),
    /// DEFAULT CHARACTER SET; "default" possible
    Charset(&'a str),
    Collate(&'a str),
    Checksum(u64),
    Comment(&'a [u8]),
    Compression(&'a [u8]),
    Connection(&'a [u8]),
    DataDirectory(&'a [u8]),
    IndexDirectory(&'a [u8]),
    DelayKeyWrite(u64),
    Encryption(&'a [u8]),
    InsertMethod(&'a str),
    KeyBlockSize(u64),
    MaxRows(u64),
    MinRows(u64),
    /// `None` = DEFAULT, for this and the following
    PackKeys(Option<u64>),
    Password(&'a [u8]),
    /// lower case
    RowFormat(&'a str),
    StatsAutoRecalc(Option<u64>),
    StatsPersistent(Option<u64>),
    StatsSamplePages(Option<u64>),
    Tablespace(&'a str),
    Storage(&'a str),
    Union(&'a [TableName<'a>]),
    SecondaryEngine(Option<&'a str>),
    EngineAttribute(&'a [u8]),
    SecondaryEngineAttribute(&'a [u8]),
    AutoextendSize(u64),
    StartTransaction,
}

#[derive(Clone, Copy, Debug)]
pub struct PartitionBy<'a> {
    pub span: Span,
    pub method: PartitionMethod<'a>,
    pub partitions: Option<u64>,
    pub subpartition: Option<(PartitionMethod<'a>, Option<u64>)>,
    pub definitions: &'a [PartitionDef<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum PartitionMethod<'a> {
    Hash { linear: bool, expr: &'a Expr<'a> },
    Key { linear: bool, algorithm: Option<u64>, columns: &'a [&'a str] },
    Range(&'a Expr<'a>),
    RangeColumns(&'a [&'a str]),
    List(&'a Expr<'a>),
    ListColumns(&'a [&'a str]),
}

#[derive(Clone, Copy, Debug)]
pub struct PartitionDef<'a> {
    pub name: &'a str,
    pub values: PartitionValues<'a>,
    pub options: &'a [TableOption<'a>],
    pub subpartitions: &'a [(&'a str, &'a [TableOption<'a>])],
}

#[derive(Clone, Copy, Debug)]
pub enum PartitionValues<'a> {
    None,
    /// `None` in a slot is MAXVALUE.
    LessThan(&'a [Option<Expr<'a>>]),
    /// Rows; single-column lists have rows of one.
    In(&'a [&'a [Option<Expr<'a>>]]),
}

#[derive(Clone, Copy, Debug)]
pub struct AlterTable<'a> {
    pub table: TableName<'a>,
    pub actions: &'a [AlterAction<'a>],
    pub algorithm: Option<&'a str>,
    pub lock: Option<&'a str>,
    /// WITH VALIDATION = true, WITHOUT VALIDATION = false
    pub validation: Option<bool>,
}

#[derive(Clone, Copy, Debug)]
pub enum AlterAction<'a> {
    AddColumn {
        column: &'a ColumnDef<'a>,
        position: ColumnPosition<'a>,
    },
    /// `ADD (c1 .., c2 .., KEY ..)`
    AddElements(&'a [TableElement<'a>]),
    AddIndex(&'a IndexDef<'a>),
    AddForeignKey(&'a ForeignKey<'a>),
    AddCheck(CheckDef<'a>),
    DropColumn(&'a str),
    DropPrimaryKey,
    DropIndex(&'a str),
    DropForeignKey(&'a str),
    DropCheck(&'a str),
    DropConstraint(&'a str),
    ChangeColumn {
        old: &'a str,
        column: &'a ColumnDef<'a>,
        position: ColumnPosition<'a>,
    },
    ModifyColumn {
        column: &'a ColumnDef<'a>,
        position: ColumnPosition<'a>,
    },
    SetDefault {
        column: &'a str,
        value: Expr<'a>,
    },
    DropDefault(&'a str),
    SetColumnVisible {
        column: &'a str,
        visible: bool,
    },
    SetIndexVisible {
        index: &'a str,
        visible: bool,
    },
    SetCheckEnforced {
        /// ALTER CONSTRAINT, otherwise ALTER CHECK.
        constraint: bool,
        name: &'a str,
        enforced: bool,
    },
    RenameTable(TableName<'a>),
    RenameColumn {
        old: &'a str,
        new: &'a str,
    },
    RenameIndex {
        old: &'a str,
        new: &'a str,
    },
    ConvertCharset {
        charset: Option<&'a str>,
        collation: Option<&'a str>,
    },
    OrderBy(&'a [&'a str]),
    EnableKeys,
    DisableKeys,
    Force,
    DiscardTablespace,
    ImportTablespace,
    Option(TableOption<'a>),
    PartitionBy(&'a PartitionBy<'a>),
    RemovePartitioning,
    AddPartitions {
        definitions: &'a [PartitionDef<'a>],
        count: Option<u64>,
    },
    DropPartitions(&'a [&'a str]),
    /// Empty = ALL, for this and the following.
    TruncatePartitions(&'a [&'a str]),
    CoalescePartitions(u64),
    ReorganizePartitions {
        names: &'a [&'a str],
        into: &'a [PartitionDef<'a>],
    },
    ExchangePartition {
        name: &'a str,
        table: TableName<'a>,
        validation: Option<bool>,
    },
    AnalyzePartitions(&'a [&'a str]),
    CheckPartitions(&'a [&'a str]),
    OptimizePartitions(&'a [&'a str]),
    RepairPartitions(&'a [&'a str]),
    RebuildPartitions(&'a [&'a str]),
    DiscardPartitions(&'a [&'a str]),
    ImportPartitions(&'a [&'a str]),
    SecondaryLoad,
    SecondaryUnload,
}

#[derive(Clone, Copy, Debug)]
pub enum ColumnPosition<'a> {
    Default,
    First,
    After(&'a str),
}

#[derive(Clone, Copy, Debug)]
pub struct DropTable<'a> {
    pub temporary: bool,
    pub if_exists: bool,
    pub tables: &'a [TableName<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct CreateIndex<'a> {
    pub table: TableName<'a>,
    pub index: IndexDef<'a>,
    pub algorithm: Option<&'a str>,
    pub lock: Option<&'a str>,
}

#[derive(Clone, Copy, Debug)]
pub struct DropIndex<'a> {
    pub table: TableName<'a>,
    pub name: &'a str,
    pub algorithm: Option<&'a str>,
    pub lock: Option<&'a str>,
}

#[derive(Clone, Copy, Debug)]
pub struct CreateDatabase<'a> {
    pub if_not_exists: bool,
    pub name: &'a str,
    pub options: &'a [DatabaseOption<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct AlterDatabase<'a> {
    /// `None`: the current database.
    pub name: Option<&'a str>,
    pub options: &'a [DatabaseOption<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum DatabaseOption<'a> {
    Charset(&'a str),
    Collate(&'a str),
    Encryption(&'a [u8]),
    /// `None` = DEFAULT
    ReadOnly(Option<bool>),
}

/// CREATE [OR REPLACE] VIEW and ALTER VIEW.
#[derive(Clone, Copy, Debug)]
pub struct CreateView<'a> {
    pub or_replace: bool,
    pub alter: bool,
    /// MERGE, TEMPTABLE, UNDEFINED: lower case
    pub algorithm: Option<&'a str>,
    pub definer: Option<Account<'a>>,
    /// SQL SECURITY INVOKER (true) or DEFINER; `None`: not written.
    pub security_invoker: Option<bool>,
    pub view: TableName<'a>,
    pub columns: &'a [&'a str],
    pub query: &'a QueryExpr<'a>,
    pub check_option: Option<CheckOption>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckOption {
    Local,
    Cascaded,
}

#[derive(Clone, Copy, Debug)]
pub struct DropView<'a> {
    pub if_exists: bool,
    pub views: &'a [TableName<'a>],
}
