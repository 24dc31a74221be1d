//! INSERT, REPLACE, UPDATE, DELETE, LOAD DATA, CALL, HANDLER.
#![allow(missing_docs)] // see ast/mod.rs

use super::{ColumnRef, Expr, FileFormat, Limit, OrderItem, QueryExpr, Span, TableName, TableRef, With};

/// INSERT and REPLACE.
#[derive(Clone, Copy, Debug)]
pub struct Insert<'a> {
    pub replace: bool,
    pub priority: Priority,
    pub ignore: bool,
    pub hints: Option<&'a [u8]>,
    pub table: TableName<'a>,
    pub partitions: &'a [&'a str],
    /// Empty: all columns (`has_columns` is false) or `()` (true).
    pub columns: &'a [ColumnRef<'a>],
    pub has_columns: bool,
    pub source: InsertSource<'a>,
    /// `AS new(a, b)`.
    pub row_alias: Option<&'a str>,
    pub column_aliases: &'a [&'a str],
    pub on_duplicate: &'a [Assignment<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum InsertSource<'a> {
    /// Rows of VALUES, also of `SET a=1` (one row, names in `columns`). A value may be `ExprKind::Default(None)`.
    /// An empty row `()` means all defaults.
    Values(&'a [&'a [Expr<'a>]]),
    Query(&'a QueryExpr<'a>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    Normal,
    Low,
    High,
    Delayed,
    /// LOAD DATA only
    Concurrent,
}

/// `column = expr`; the value may be `ExprKind::Default(None)`.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'a> {
    pub column: ColumnRef<'a>,
    pub value: Expr<'a>,
}

/// Single table: `tables` is one [`TableRef::Table`]; otherwise multi-table.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    pub with: Option<&'a With<'a>>,
    pub low_priority: bool,
    pub ignore: bool,
    pub hints: Option<&'a [u8]>,
    pub tables: &'a [TableRef<'a>],
    pub assignments: &'a [Assignment<'a>],
    pub where_clause: Option<&'a Expr<'a>>,
    /// Not with several tables (error 1221 "Incorrect usage of UPDATE and ORDER BY" is the planner's).
    pub order_by: &'a [OrderItem<'a>],
    pub limit: Option<&'a Limit<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Delete<'a> {
    pub with: Option<&'a With<'a>>,
    pub low_priority: bool,
    pub quick: bool,
    pub ignore: bool,
    pub hints: Option<&'a [u8]>,
    pub target: DeleteTarget<'a>,
    pub where_clause: Option<&'a Expr<'a>>,
    pub order_by: &'a [OrderItem<'a>],
    pub limit: Option<&'a Limit<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub enum DeleteTarget<'a> {
    /// `DELETE FROM t [AS alias] [PARTITION (..)]`
    Single { table: TableName<'a>, alias: Option<&'a str>, partitions: &'a [&'a str] },
    /// `DELETE a, b FROM refs`, `DELETE FROM a, b USING refs`: names or aliases of tables in `from`.
    Multi { tables: &'a [TableName<'a>], from: &'a [TableRef<'a>] },
}

/// LOAD DATA and LOAD XML.
#[derive(Clone, Copy, Debug)]
pub struct LoadData<'a> {
    pub priority: Priority,
    pub local: bool,
    pub path: &'a [u8],
    pub replace: bool,
    pub ignore: bool,
    pub table: TableName<'a>,
    pub partitions: &'a [&'a str],
    pub charset: Option<&'a str>,
    pub format: FileFormat<'a>,
    pub ignore_lines: u64,
    pub targets: &'a [LoadTarget<'a>],
    pub assignments: &'a [Assignment<'a>],
    /// LOAD XML: the tag of a row (ROWS IDENTIFIED BY), without its brackets.
    pub xml: Option<&'a [u8]>,
}

#[derive(Clone, Copy, Debug)]
pub enum LoadTarget<'a> {
    Column(ColumnRef<'a>),
    UserVar(&'a str),
}

#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub span: Span,
    pub schema: Option<&'a str>,
    pub name: &'a str,
    pub args: &'a [Expr<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct Handler<'a> {
    pub table: TableName<'a>,
    pub action: HandlerAction<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum HandlerAction<'a> {
    Open {
        alias: Option<&'a str>,
    },
    Close,
    Read {
        index: Option<&'a str>,
        position: HandlerPosition<'a>,
        where_clause: Option<&'a Expr<'a>>,
        limit: Option<&'a Limit<'a>>,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum HandlerPosition<'a> {
    First,
    Next,
    Prev,
    Last,
    /// `= (..)`, `>= (..)`, ...
    Key(super::BinaryOp, &'a [Expr<'a>]),
}
