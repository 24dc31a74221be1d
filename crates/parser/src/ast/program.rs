//! Stored programs: procedures, functions, triggers and events, their heads and their bodies.
//!
//! A body is resolved as it is read: a name that a block declares is a number here. Variables, parameters and the
//! columns of NEW and OLD have *slots* (a variable's reference is [`super::ExprKind::Local`]), labels and cursors
//! numbers, the names of conditions are replaced by what they stand for. So nobody behind the parser looks names of
//! programs up.
#![allow(missing_docs)] // see ast/mod.rs

use super::{Account, DataType, Expr, ProgramKind, QueryExpr, Span, Statement, TableName};

/// CREATE PROCEDURE, FUNCTION, TRIGGER, EVENT.
#[derive(Clone, Copy, Debug)]
pub struct CreateProgram<'a> {
    pub kind: ProgramKind,
    pub definer: Option<Account<'a>>,
    pub if_not_exists: bool,
    pub name: TableName<'a>,
    pub parameters: &'a [Parameter<'a>],
    /// The text between the parentheses of the parameters.
    pub parameters_span: Span,
    /// What a function returns.
    pub returns: Option<VariableType<'a>>,
    pub characteristics: Characteristics<'a>,
    pub trigger: Option<&'a TriggerHead<'a>>,
    pub event: Option<&'a EventHead<'a>>,
    pub body: Body<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter<'a> {
    pub mode: ParameterMode,
    pub name: &'a str,
    pub ty: VariableType<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterMode {
    In,
    Out,
    InOut,
}

/// Type of a parameter, a variable or a function's result.
#[derive(Clone, Copy, Debug)]
pub struct VariableType<'a> {
    /// The whole type with its attributes, as written.
    pub span: Span,
    pub ty: DataType<'a>,
    pub collation: Option<&'a str>,
}

/// What is written between the parameters and the body; `None`: not written.
#[derive(Clone, Copy, Default, Debug)]
pub struct Characteristics<'a> {
    pub comment: Option<&'a [u8]>,
    pub deterministic: Option<bool>,
    pub data_access: Option<DataAccess>,
    pub security_invoker: Option<bool>,
    /// LANGUAGE SQL was written.
    pub language_sql: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataAccess {
    ContainsSql,
    NoSql,
    ReadsSqlData,
    ModifiesSqlData,
}

#[derive(Clone, Copy, Debug)]
pub struct TriggerHead<'a> {
    pub after: bool,
    pub event: TriggerEvent,
    pub table: TableName<'a>,
    pub order: Option<TriggerOrder<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TriggerEvent {
    Insert,
    Update,
    Delete,
}

/// What a statement may do to a table: which of its triggers may fire. `INSERT ... ON DUPLICATE KEY UPDATE` inserts and
/// updates, REPLACE inserts and deletes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Events(u8);

impl Events {
    pub const NONE: Events = Events(0);
    pub const INSERT: Events = Events(1 << TriggerEvent::Insert as u8);
    pub const UPDATE: Events = Events(1 << TriggerEvent::Update as u8);
    pub const DELETE: Events = Events(1 << TriggerEvent::Delete as u8);
    pub const ALL: Events = Events::INSERT.and(Events::UPDATE).and(Events::DELETE);

    /// Both.
    pub const fn and(self, other: Events) -> Events {
        Events(self.0 | other.0)
    }
    /// Whether nothing is changed.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
    /// Whether they have one in common.
    pub const fn meets(self, other: Events) -> bool {
        self.0 & other.0 != 0
    }
}

/// FOLLOWS or PRECEDES another trigger.
#[derive(Clone, Copy, Debug)]
pub struct TriggerOrder<'a> {
    pub precedes: bool,
    pub other: &'a str,
}

#[derive(Clone, Copy, Debug)]
pub struct EventHead<'a> {
    pub schedule: Schedule<'a>,
    /// ON COMPLETION [NOT] PRESERVE
    pub preserve: Option<bool>,
    pub status: Option<EventStatus>,
    pub comment: Option<&'a [u8]>,
}

#[derive(Clone, Copy, Debug)]
pub enum Schedule<'a> {
    At(Expr<'a>),
    Every { value: Expr<'a>, unit: base::IntervalUnit, starts: Option<Expr<'a>>, ends: Option<Expr<'a>> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventStatus {
    Enable,
    Disable,
    /// DISABLE ON REPLICA
    DisableOnReplica,
}

/// ALTER PROCEDURE, ALTER FUNCTION.
#[derive(Clone, Copy, Debug)]
pub struct AlterRoutine<'a> {
    pub kind: ProgramKind,
    pub name: TableName<'a>,
    pub characteristics: Characteristics<'a>,
}

/// ALTER EVENT: what is written.
#[derive(Clone, Copy, Debug)]
pub struct AlterEvent<'a> {
    pub definer: Option<Account<'a>>,
    pub name: TableName<'a>,
    pub schedule: Option<Schedule<'a>>,
    pub preserve: Option<bool>,
    pub rename: Option<TableName<'a>>,
    pub status: Option<EventStatus>,
    pub comment: Option<&'a [u8]>,
    pub body: Option<Body<'a>>,
}

// ---- bodies

/// What a program does.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// From the first token of the statement to the last.
    pub span: Span,
    /// Where the head ends: only comments stand between it and `span`.
    pub head_end: u32,
    pub statement: BodyStatement<'a>,
    /// What the program has places for: its parameters first, in their order.
    pub slots: &'a [Slot<'a>],
    pub cursors: &'a [CursorDecl<'a>],
    /// Number of labels (named or not).
    pub labels: u32,
    /// A RETURN was read.
    pub has_return: bool,
    /// What its statements name as tables, each time.
    pub tables: &'a [NamedTable<'a>],
    /// Functions and procedures that it calls by name, the server's own functions too.
    pub routines: &'a [NamedRoutine<'a>],
}

/// A table that a statement of a body names. (A common table expression's name is one, too.)
#[derive(Clone, Copy, Debug)]
pub struct NamedTable<'a> {
    pub schema: Option<&'a str>,
    pub name: &'a str,
    /// What INSERT, UPDATE and DELETE that name it may do to it.
    pub events: Events,
}

/// A function or procedure that a body calls.
#[derive(Clone, Copy, Debug)]
pub struct NamedRoutine<'a> {
    pub function: bool,
    pub schema: Option<&'a str>,
    pub name: &'a str,
}

/// One place for a value.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    pub name: &'a str,
    pub kind: SlotKind<'a>,
    /// Of NEW and OLD: some expression reads it, SET gives it a value.
    pub read: bool,
    pub set: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum SlotKind<'a> {
    Parameter(VariableType<'a>),
    Variable(VariableType<'a>),
    /// NEW.name of a trigger
    New,
    /// OLD.name of a trigger
    Old,
}

/// A cursor's declaration; its number is its place in [`Body::cursors`].
#[derive(Clone, Copy, Debug)]
pub struct CursorDecl<'a> {
    pub name: &'a str,
    pub query: &'a QueryExpr<'a>,
    pub span: Span,
}

/// A reference to a slot in an expression.
#[derive(Clone, Copy, Debug)]
pub struct LocalRef<'a> {
    pub span: Span,
    pub slot: u32,
    /// As written; of NEW and OLD with that word.
    pub name: &'a str,
}

#[derive(Clone, Copy, Debug)]
pub struct BodyStatement<'a> {
    pub span: Span,
    pub kind: BodyKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum BodyKind<'a> {
    Block(&'a Block<'a>),
    If {
        arms: &'a [Arm<'a>],
        otherwise: &'a [BodyStatement<'a>],
    },
    /// `operand` `None`: the arms are conditions. `otherwise` `None`: no match is error 1339.
    Case {
        operand: Option<&'a Expr<'a>>,
        arms: &'a [Arm<'a>],
        otherwise: Option<&'a [BodyStatement<'a>]>,
    },
    Loop {
        label: u32,
        body: &'a [BodyStatement<'a>],
    },
    While {
        label: u32,
        condition: &'a Expr<'a>,
        body: &'a [BodyStatement<'a>],
    },
    Repeat {
        label: u32,
        body: &'a [BodyStatement<'a>],
        until: &'a Expr<'a>,
    },
    Leave(u32),
    Iterate(u32),
    Return(&'a Expr<'a>),
    /// Cursor's number.
    Open(u32),
    Close(u32),
    /// Cursor's number and the slots that a row goes to.
    Fetch {
        cursor: u32,
        into: &'a [u32],
    },
    /// Everything else. Inside, variables are [`super::ExprKind::Local`].
    Sql(&'a Statement<'a>),
}

/// IF, ELSEIF or WHEN with its statements.
#[derive(Clone, Copy, Debug)]
pub struct Arm<'a> {
    pub when: Expr<'a>,
    pub then: &'a [BodyStatement<'a>],
}

/// BEGIN ... END.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    pub label: u32,
    pub variables: &'a [VariableDecl<'a>],
    /// Numbers of the cursors that it declares: closed where it ends.
    pub cursors: &'a [u32],
    pub handlers: &'a [HandlerDecl<'a>],
    pub statements: &'a [BodyStatement<'a>],
}

/// `DECLARE a, b type [DEFAULT expr]`: one for each name. Set to the value, or NULL, whenever the block is entered.
#[derive(Clone, Copy, Debug)]
pub struct VariableDecl<'a> {
    pub slot: u32,
    pub default: Option<&'a Expr<'a>>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct HandlerDecl<'a> {
    /// CONTINUE; otherwise EXIT.
    pub goes_on: bool,
    pub conditions: &'a [ConditionValue],
    pub body: BodyStatement<'a>,
    pub span: Span,
}

/// What a handler is for, and what a declared condition stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionValue {
    Code(u16),
    Sqlstate([u8; 5]),
    /// SQLWARNING
    Warning,
    /// NOT FOUND
    NotFound,
    /// SQLEXCEPTION
    Exception,
}
