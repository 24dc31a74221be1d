//! Query expressions: SELECT, VALUES, TABLE, set operations, FROM, windows.
#![allow(missing_docs)] // see ast/mod.rs

use super::{DataType, Expr, IntervalUnit, JsonOn, Span, TableName};

/// `[WITH ..] body [ORDER BY ..] [LIMIT ..] [INTO ..] [locking]`.
///
/// ORDER BY and LIMIT of a plain `SELECT ... ORDER BY ... LIMIT` are here, not in [`Select`]; a parenthesised operand of
/// a set operation with an ORDER BY or LIMIT of its own is [`QueryBody::Paren`].
#[derive(Clone, Copy, Debug)]
pub struct QueryExpr<'a> {
    pub span: Span,
    pub with: Option<&'a With<'a>>,
    pub body: QueryBody<'a>,
    pub order_by: &'a [OrderItem<'a>],
    pub limit: Option<&'a Limit<'a>>,
    pub into: Option<&'a Into<'a>>,
    pub locking: &'a [Locking<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum QueryBody<'a> {
    Select(&'a Select<'a>),
    /// `VALUES ROW(..), ROW(..)`; columns are column_0, column_1, ...
    Values(&'a [&'a [Expr<'a>]]),
    /// `TABLE t`
    Table(TableName<'a>),
    SetOp(&'a SetOp<'a>),
    Paren(&'a QueryExpr<'a>),
}

/// `first op1 b1 op2 b2 ...`, left-associative. INTERSECT binds closer: `a UNION b INTERSECT c` has `b INTERSECT c` as
/// the operand of the UNION.
#[derive(Clone, Copy, Debug)]
pub struct SetOp<'a> {
    pub first: QueryBody<'a>,
    pub rest: &'a [SetOpTerm<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct SetOpTerm<'a> {
    pub op: SetOpKind,
    /// ALL; otherwise DISTINCT (written or not).
    pub all: bool,
    pub body: QueryBody<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOpKind {
    Union,
    Except,
    Intersect,
}

#[derive(Clone, Copy, Debug)]
pub struct With<'a> {
    pub recursive: bool,
    pub ctes: &'a [Cte<'a>],
    /// Every table that is read by a name without a schema, in the clause and in what it belongs to, in the order of the text.
    pub reads: &'a [Read<'a>],
}

/// A table's name without a schema in FROM, and its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a> {
    pub at: u32,
    pub name: &'a str,
}

impl<'a> With<'a> {
    /// The names within a part of the text.
    pub fn reads_within(&self, part: Span) -> &'a [Read<'a>] {
        let from = self.reads.partition_point(|r| r.at < part.start);
        let to = self.reads.partition_point(|r| r.at < part.end);
        self.reads.get(from..to).unwrap_or_default()
    }

    /// How often a part of the text names a table.
    pub fn count(&self, part: Span, name: &str) -> usize {
        self.reads_within(part).iter().filter(|r| r.name == name).count()
    }
}

impl QueryExpr<'_> {
    /// Where it stands in the text, its WITH clause included.
    pub fn whole(&self) -> Span {
        let first = self.with.and_then(|w| w.ctes.first());
        Span { start: first.map_or(self.span.start, |c| c.query.whole().start), end: self.span.end }
    }
}

impl QueryBody<'_> {
    /// Where it stands in the text.
    pub fn span(&self) -> Span {
        match self {
            QueryBody::Select(s) => s.span,
            QueryBody::Values(rows) => {
                let mut all = rows.iter().flat_map(|r| r.iter());
                let first = all.next().map_or(Span::new(0, 0), |e| e.span);
                Span { start: first.start, end: all.last().map_or(first.end, |e| e.span.end) }
            }
            QueryBody::Table(t) => t.span,
            QueryBody::Paren(q) => q.whole(),
            QueryBody::SetOp(op) => {
                let first = op.first.span();
                Span { start: first.start, end: op.rest.last().map_or(first.end, |t| t.body.span().end) }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Cte<'a> {
    pub name: &'a str,
    pub columns: &'a [&'a str],
    pub query: &'a QueryExpr<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct Select<'a> {
    pub span: Span,
    pub options: SelectOptions,
    /// Text between `/*+` and `*/` directly after SELECT.
    pub hints: Option<&'a [u8]>,
    pub items: &'a [SelectItem<'a>],
    /// Comma list; empty when there is no FROM, or FROM DUAL.
    pub from: &'a [TableRef<'a>],
    pub where_clause: Option<&'a Expr<'a>>,
    pub group_by: &'a [OrderItem<'a>],
    pub rollup: bool,
    pub having: Option<&'a Expr<'a>>,
    pub windows: &'a [(&'a str, WindowSpec<'a>)],
    /// Only MySQL's hypergraph optimizer runs it (6037).
    pub qualify: Option<&'a Expr<'a>>,
    /// CUBE or TABLESAMPLE, which only secondary engines run (3889).
    pub secondary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SelectOptions {
    pub distinct: bool,
    pub straight_join: bool,
    pub high_priority: bool,
    pub small_result: bool,
    pub big_result: bool,
    pub buffer_result: bool,
    pub no_cache: bool,
    pub calc_found_rows: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum SelectItem<'a> {
    /// `*`
    Wildcard(Span),
    /// `t.*`, `db.t.*`
    TableWildcard { span: Span, schema: Option<&'a str>, table: &'a str },
    /// Without an alias the column's name is the text of `expr.span` (for a plain column: the column's own name).
    Expr { expr: Expr<'a>, alias: Option<&'a str> },
}

#[derive(Clone, Copy, Debug)]
pub enum TableRef<'a> {
    Table(&'a TableFactor<'a>),
    Derived(&'a Derived<'a>),
    JsonTable(&'a JsonTable<'a>),
    Join(&'a Join<'a>),
    /// `(a, b)`, `(a JOIN b ..)`: one or more, comma means cross join inside.
    Paren(&'a [TableRef<'a>]),
}

#[derive(Clone, Copy, Debug)]
pub struct TableFactor<'a> {
    pub name: TableName<'a>,
    pub partitions: &'a [&'a str],
    pub alias: Option<&'a str>,
    pub hints: &'a [IndexHint<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct Derived<'a> {
    pub span: Span,
    pub lateral: bool,
    pub query: &'a QueryExpr<'a>,
    /// Always there in MySQL, except where the grammar itself lets it out (then empty).
    pub alias: &'a str,
    pub columns: &'a [&'a str],
}

#[derive(Clone, Copy, Debug)]
pub struct Join<'a> {
    pub span: Span,
    pub kind: JoinKind,
    pub natural: bool,
    pub left: TableRef<'a>,
    pub right: TableRef<'a>,
    pub condition: JoinCondition<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinKind {
    /// JOIN, INNER JOIN, CROSS JOIN: the same thing in MySQL.
    Inner,
    Straight,
    Left,
    Right,
}

#[derive(Clone, Copy, Debug)]
pub enum JoinCondition<'a> {
    None,
    On(&'a Expr<'a>),
    Using(&'a [&'a str]),
}

#[derive(Clone, Copy, Debug)]
pub struct IndexHint<'a> {
    pub kind: IndexHintKind,
    pub scope: IndexHintScope,
    /// Empty only for `USE INDEX ()`. The primary key is "PRIMARY".
    pub indexes: &'a [&'a str],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexHintKind {
    Use,
    Ignore,
    Force,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexHintScope {
    All,
    Join,
    OrderBy,
    GroupBy,
}

#[derive(Clone, Copy, Debug)]
pub struct OrderItem<'a> {
    /// An integer literal here is a position in the select list and is never lifted.
    pub expr: Expr<'a>,
    pub desc: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    /// Literal (lifted), `?` or a stored program's variable.
    pub count: Expr<'a>,
    pub offset: Option<Expr<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub enum Into<'a> {
    Outfile { path: &'a [u8], charset: Option<&'a str>, format: FileFormat<'a> },
    Dumpfile(&'a [u8]),
    Vars(&'a [IntoVar<'a>]),
}

#[derive(Clone, Copy, Debug)]
pub enum IntoVar<'a> {
    User(&'a str),
    /// A local variable of a stored program; without a slot where there is none of that name (1327).
    Local {
        name: &'a str,
        slot: Option<u32>,
    },
}

/// FIELDS and LINES clauses of LOAD DATA and INTO OUTFILE; `None` = MySQL's default.
#[derive(Clone, Copy, Default, Debug)]
pub struct FileFormat<'a> {
    pub fields_terminated: Option<&'a [u8]>,
    pub enclosed: Option<&'a [u8]>,
    pub optionally_enclosed: bool,
    pub escaped: Option<&'a [u8]>,
    pub lines_starting: Option<&'a [u8]>,
    pub lines_terminated: Option<&'a [u8]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Locking<'a> {
    pub strength: LockStrength,
    pub of: &'a [TableName<'a>],
    pub wait: LockWait,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockStrength {
    Update,
    /// FOR SHARE and LOCK IN SHARE MODE.
    Share,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockWait {
    Wait,
    NoWait,
    SkipLocked,
}

/// `OVER name` or `OVER (spec)`.
#[derive(Clone, Copy, Debug)]
pub enum WindowRef<'a> {
    Named(&'a str),
    Spec(&'a WindowSpec<'a>),
}

#[derive(Clone, Copy, Debug)]
pub struct WindowSpec<'a> {
    pub base: Option<&'a str>,
    pub partition_by: &'a [Expr<'a>],
    pub order_by: &'a [OrderItem<'a>],
    pub frame: Option<&'a Frame<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    pub unit: FrameUnit,
    pub start: FrameBound<'a>,
    /// CURRENT ROW when not written.
    pub end: FrameBound<'a>,
    pub exclude: Option<FrameExclude>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameUnit {
    Rows,
    Range,
    Groups,
}

#[derive(Clone, Copy, Debug)]
pub enum FrameBound<'a> {
    UnboundedPreceding,
    UnboundedFollowing,
    CurrentRow,
    Preceding(FrameOffset<'a>),
    Following(FrameOffset<'a>),
}

#[derive(Clone, Copy, Debug)]
pub struct FrameOffset<'a> {
    pub value: &'a Expr<'a>,
    /// `INTERVAL value unit`
    pub unit: Option<IntervalUnit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameExclude {
    CurrentRow,
    Group,
    Ties,
    NoOthers,
}

#[derive(Clone, Copy, Debug)]
pub struct JsonTable<'a> {
    pub span: Span,
    pub doc: Expr<'a>,
    pub path: &'a [u8],
    pub columns: &'a [JsonColumn<'a>],
    pub alias: &'a str,
}

#[derive(Clone, Copy, Debug)]
pub enum JsonColumn<'a> {
    Ordinality(&'a str),
    Value {
        name: &'a str,
        ty: DataType<'a>,
        /// EXISTS PATH
        exists: bool,
        path: &'a [u8],
        on_empty: Option<JsonOn<'a>>,
        on_error: Option<JsonOn<'a>>,
    },
    Nested {
        path: &'a [u8],
        columns: &'a [JsonColumn<'a>],
    },
}
