//! Constants that MySQL reads while it prepares a statement, so that what it says of them comes before any row is read,
//! of empty tables too.
//!
//! Beside a column of dates or times a constant is stored into the column ("Incorrect date value: 'x' for column 'd' at
//! row 1"); a text beside a date must be one (1525). The constants of a list of IN are all read then, and text beside a
//! number column in a condition. Who says it: `executor::ops::early_constants`, at the beginning of every execution;
//! what reads the constants later says it no more.

use value::SqlType;
use value::compare::ComparisonKind;

use crate::expr::Expr;

/// A constant that is read before any row.
#[derive(Clone, Debug)]
pub struct EarlyConstant {
    /// The constant; text beside a date with the cast to one.
    pub value: Expr,
    /// Type of what it is compared with.
    pub beside: SqlType,
    /// The column that it is compared with; `None`: another expression.
    pub column: Option<Box<str>>,
    /// What is done with it.
    pub role: EarlyRole,
}

/// What is done with a constant that is read early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EarlyRole {
    /// It is compared with a date or time by an operator or BETWEEN.
    Compared,
    /// It is a member of a list of IN.
    Listed,
    /// It is compared with a number in this domain by an operator in a condition, which MySQL looks at when it
    /// optimises.
    Folded(ComparisonKind),
    /// It is not read early at all, but what is said of it names the column.
    Named,
}
