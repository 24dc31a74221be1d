//! SIGNAL, RESIGNAL, GET DIAGNOSTICS.
#![allow(missing_docs)] // see ast/mod.rs

use super::Expr;

/// SIGNAL and RESIGNAL.
#[derive(Clone, Copy, Debug)]
pub struct Signal<'a> {
    /// RESIGNAL
    pub again: bool,
    pub raises: Raises<'a>,
    pub items: &'a [(ConditionItem, Expr<'a>)],
}

/// What a SIGNAL raises.
#[derive(Clone, Copy, Debug)]
pub enum Raises<'a> {
    /// RESIGNAL without a condition
    Same,
    Sqlstate(&'a [u8]),
    /// A condition that a stored program declares.
    Named(&'a str),
}

/// GET [CURRENT | STACKED] DIAGNOSTICS.
#[derive(Clone, Copy, Debug)]
pub struct GetDiagnostics<'a> {
    pub stacked: bool,
    pub wanted: Wanted<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    Statement(&'a [(DiagnosticTarget<'a>, StatementItem)]),
    Condition { number: Expr<'a>, items: &'a [(DiagnosticTarget<'a>, ConditionItem)] },
}

#[derive(Clone, Copy, Debug)]
pub enum DiagnosticTarget<'a> {
    UserVar(&'a str),
    /// A variable or parameter of a stored program; without a slot where there is none of that name (1327).
    Local {
        name: &'a str,
        slot: Option<u32>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatementItem {
    Number,
    RowCount,
}

/// An item of a condition; [`ConditionItem::name`] is as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionItem {
    ClassOrigin,
    SubclassOrigin,
    ConstraintCatalog,
    ConstraintSchema,
    ConstraintName,
    CatalogName,
    SchemaName,
    TableName,
    ColumnName,
    CursorName,
    MessageText,
    MysqlErrno,
    /// Only GET DIAGNOSTICS knows it.
    ReturnedSqlstate,
}

impl ConditionItem {
    /// Those that SIGNAL sets, all but RETURNED_SQLSTATE.
    pub const SET: [ConditionItem; 12] = [
        ConditionItem::ClassOrigin,
        ConditionItem::SubclassOrigin,
        ConditionItem::ConstraintCatalog,
        ConditionItem::ConstraintSchema,
        ConditionItem::ConstraintName,
        ConditionItem::CatalogName,
        ConditionItem::SchemaName,
        ConditionItem::TableName,
        ConditionItem::ColumnName,
        ConditionItem::CursorName,
        ConditionItem::MessageText,
        ConditionItem::MysqlErrno,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ConditionItem::ClassOrigin => "CLASS_ORIGIN",
            ConditionItem::SubclassOrigin => "SUBCLASS_ORIGIN",
            ConditionItem::ConstraintCatalog => "CONSTRAINT_CATALOG",
            ConditionItem::ConstraintSchema => "CONSTRAINT_SCHEMA",
            ConditionItem::ConstraintName => "CONSTRAINT_NAME",
            ConditionItem::CatalogName => "CATALOG_NAME",
            ConditionItem::SchemaName => "SCHEMA_NAME",
            ConditionItem::TableName => "TABLE_NAME",
            ConditionItem::ColumnName => "COLUMN_NAME",
            ConditionItem::CursorName => "CURSOR_NAME",
            ConditionItem::MessageText => "MESSAGE_TEXT",
            ConditionItem::MysqlErrno => "MYSQL_ERRNO",
            ConditionItem::ReturnedSqlstate => "RETURNED_SQLSTATE",
        }
    }
}
