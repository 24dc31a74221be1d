//! The compiled form of a program.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use base::SqlError;
use parser::ast::{ConditionItem, ConditionValue, Events, StatementItem};
use value::{OwnedValue, SqlType};

use crate::told::Told;

/// Number of an expression or a statement of the program's text.
pub type Number = u32;

/// A place in [`Code::instructions`].
pub type Address = u32;

/// Where a value goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A slot of the program.
    Slot(u32),
    /// A user variable, in lower case.
    User(Box<str>),
}

/// What SIGNAL and RESIGNAL raise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raise {
    /// RESIGNAL.
    pub again: bool,
    /// `None`: the condition that the handler is for.
    pub sqlstate: Option<[u8; 5]>,
    /// SET item = expression.
    pub items: Vec<(ConditionItem, Number)>,
}

/// GET DIAGNOSTICS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Of the statement.
    Statement(Vec<(Target, StatementItem)>),
    /// Of the condition with this number.
    Condition(Number, Vec<(Target, ConditionItem)>),
}

/// What a statement needs of its host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It has a plan: SELECT, INSERT, UPDATE, DELETE.
    Planned,
    /// It leaves the diagnostics area of the one before alone (SHOW WARNINGS).
    Keeps,
    /// Everything else.
    Other,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// A slot becomes the value of an expression, converted to the slot's type.
    Set(u32, Number),
    /// A slot becomes NULL.
    Clear(u32),
    /// A slot without a declared type takes an expression's value and type.
    Keep(u32, Number),
    /// A user variable becomes the value of an expression.
    SetUser(Box<str>, Number),
    /// DO: evaluated and forgotten.
    Evaluate(Number),
    /// Goes on there unless the expression is true.
    Unless(Number, Address),
    /// Goes on there.
    Jump(Address),
    /// Runs a statement; its rows go to the client.
    Statement(Number, Kind),
    /// Runs a query whose one row goes into these.
    Into(Number, Vec<Target>),
    /// CALL.
    Call(Number),
    /// RETURN.
    Return(Number),
    /// OPEN.
    Open(u32),
    /// FETCH.
    Fetch(u32, Vec<u32>),
    /// CLOSE.
    Close(u32),
    /// A block ends: its cursors are closed.
    Leave(Box<[u32]>),
    /// SIGNAL, RESIGNAL.
    Raise(Box<Raise>),
    /// GET [STACKED] DIAGNOSTICS.
    Diagnostics(bool, Box<Wanted>),
    /// The end of a handler: behind the statement that raised the condition (CONTINUE), or there (EXIT).
    EndHandler(Option<Address>),
    /// 1339.
    NoCase,
}

/// A handler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handler {
    /// What it is for.
    pub conditions: Vec<ConditionValue>,
    /// Where its body begins.
    pub body: Address,
}

/// The handlers that a block declares, around its statements.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scope {
    /// The block around it.
    pub outer: Option<u32>,
    /// In the order of their declaration.
    pub handlers: Vec<Handler>,
}

/// A slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// As errors name it.
    pub name: String,
    /// Of NEW (`Some(true)`) or OLD (`Some(false)`).
    pub row: Option<bool>,
    /// Of those: an expression reads it; SET gives it a value.
    pub used: (bool, bool),
}

/// A compiled program.
#[derive(Debug)]
pub struct Code {
    /// Declarations of blocks: from there, up to there, and the scope of the block's own handlers, which do not stand
    /// yet but keep those around the block from what they would take.
    pub declaring: Vec<(Address, Address, u32)>,
    /// Conditions and operands of IF, CASE and loops, by their addresses, with the end of their statement.
    pub behind: Vec<(Address, Address)>,
    /// Its slots: the parameters first.
    pub slots: Vec<Slot>,
    /// Their number.
    pub parameters: usize,
    /// Steps.
    pub instructions: Vec<Instruction>,
    /// What performance_schema is told of each step.
    pub told: Vec<Told>,
    /// The scope of each step.
    pub scope_of: Vec<Option<u32>>,
    /// Scopes of handlers.
    pub scopes: Vec<Scope>,
    /// Number of expressions.
    pub expressions: usize,
    /// Number of statements.
    pub statements: usize,
    /// Number of cursors. The query of cursor `n` is statement [`Code::cursor_statement`].
    pub cursors: usize,
    /// Number of the statement that is the first cursor's query.
    pub first_cursor: Number,
    /// Where each statement stands in the text.
    pub spans: Vec<parser::Span>,
    /// Tables that it names: schema, name, what it may do to them.
    pub tables: Vec<(Option<String>, String, Events)>,
    /// Routines that it calls: whether it is a function, schema, name.
    pub routines: Vec<(bool, Option<String>, String)>,
    /// Why a function, and why a trigger, must not call it.
    pub refused: [Option<SqlError>; 2],
}

impl Code {
    /// Whether it asks for conditions, so that those of who calls it are to be seen.
    pub fn asks_conditions(&self) -> bool {
        self.instructions.iter().any(|i| matches!(i, Instruction::Diagnostics(..)))
    }

    /// Where a CONTINUE handler of what the step at `at` raised goes on.
    pub fn behind(&self, at: Address) -> Address {
        let found = self.behind.binary_search_by_key(&at, |b| b.0).ok();
        found.and_then(|n| self.behind.get(n)).map_or(at + 1, |b| b.1)
    }

    /// The statement that is a cursor's query.
    pub fn cursor_statement(&self, cursor: u32) -> Number {
        self.first_cursor + cursor
    }
}

/// A plan that is kept, with the key of what it was made under.
pub type Kept<P> = RefCell<Option<(u128, Rc<P>)>>;

/// A program as a thread has it: its definition, its code, and the plans made so far.
pub struct Unit<D, P> {
    /// Whose it is.
    pub definition: D,
    /// Text that spans refer to.
    pub source: Rc<[u8]>,
    /// What it does.
    pub code: Code,
    /// Types of the slots. Those without a declared type follow what is kept in them.
    pub types: RefCell<Rc<[SqlType]>>,
    /// Plans of expressions.
    pub expressions: Vec<Kept<P>>,
    /// Plans of statements.
    pub statements: Vec<Kept<P>>,
    /// Values of the slots when it begins.
    pub empty: Vec<OwnedValue>,
    /// Of a trigger: slots of NEW (`true`) and OLD with the columns that they are.
    pub rows: Vec<(u32, bool, u16)>,
    /// What may be seen of the statements' texts, by step.
    pub texts: Vec<OnceCell<Arc<[u8]>>>,
    /// What it has taken of memory.
    pub footprint: OnceCell<probe::programs::Footprint>,
    /// What this thread has counted of it.
    pub sums: RefCell<Option<Arc<probe::programs::Slot>>>,
    /// How often it runs now.
    pub active: Cell<u32>,
    /// Its text names `@@warning_count` or `@@error_count`.
    pub counts: bool,
}

/// Whether a text names the variables that count conditions.
pub fn names_counts(text: &[u8]) -> bool {
    let names = |name: &[u8]| text.windows(name.len()).any(|w| w.eq_ignore_ascii_case(name));
    names(b"warning_count") || names(b"error_count")
}

impl<D, P> Unit<D, P> {
    /// Nothing planned yet.
    pub fn new(definition: D, source: Rc<[u8]>, code: Code, types: Vec<SqlType>) -> Unit<D, P> {
        let kept = |n: usize| (0..n).map(|_| RefCell::new(None)).collect();
        Unit {
            definition,
            types: RefCell::new(types.into()),
            expressions: kept(code.expressions),
            statements: kept(code.statements),
            empty: vec![OwnedValue::Null; code.slots.len()],
            rows: Vec::new(),
            texts: code.instructions.iter().map(|_| OnceCell::new()).collect(),
            footprint: OnceCell::new(),
            sums: RefCell::new(None),
            active: Cell::new(0),
            counts: names_counts(&source),
            source,
            code,
        }
    }

    /// A slot takes another type: plans that were made for the one before are forgotten.
    pub fn retype(&self, slot: u32, ty: &SqlType) {
        let same = self.types.borrow().get(slot as usize).is_some_and(|t| t == ty);
        if same {
            return;
        }
        let mut types: Vec<SqlType> = self.types.borrow().to_vec();
        if let Some(t) = types.get_mut(slot as usize) {
            *t = ty.clone();
        }
        *self.types.borrow_mut() = types.into();
        self.expressions.iter().for_each(|e| *e.borrow_mut() = None);
    }
}
