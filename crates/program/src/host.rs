//! What the interpreter asks of whoever it runs for.

use std::rc::Rc;
use std::sync::Arc;

use base::{SqlError, SqlResult, TableId};
use bumpalo::Bump;
use executor::{Env, Wanted};
use parser::ast::{Body, Call, Expr, Statement};
use storage::dict::ProgramDefinition;
use value::{OwnedValue, SqlType, Value};

use crate::code::{Kept, Kind, Unit};
use crate::conditions::Areas;

/// A value with the type that its expression has.
pub type Evaluated = (OwnedValue, SqlType);

/// Text and types under which an expression or a statement of a program is planned.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    /// The program's text.
    pub source: &'p [u8],
    /// Types of its slots.
    pub types: &'p [SqlType],
    /// Values of its slots.
    pub values: &'p [OwnedValue],
    /// Where the statement stands in the text; of an expression its tree says it.
    pub span: Option<parser::Span>,
}

/// What runs the statements of a program. `docs/programs.md` says what differs between CALL and functions.
pub trait Host {
    /// A plan of an expression or a statement.
    type Plan;

    /// The session as the executor sees it.
    fn env(&mut self) -> &mut Env;

    /// The program that CALL names, compiled, for who may run it; its metadata lock is taken.
    ///
    /// # Errors
    /// 1046, 1305, 1370; 1456 for one that runs already beyond `max_sp_recursion_depth`; those of compiling it.
    fn procedure(&mut self, call: &Call<'_>) -> SqlResult<Rc<Unit<Arc<ProgramDefinition>, Self::Plan>>>;

    /// Runs `body` in the context that a program was created with (sql_mode, character sets, schema, account) and puts
    /// the caller's back.
    ///
    /// # Errors
    /// 1449; those of the body.
    fn within<T>(
        &mut self,
        definition: &Arc<ProgramDefinition>,
        body: &mut dyn FnMut(&mut Self) -> SqlResult<T>,
    ) -> SqlResult<T>;

    /// The body of a program, read again from its text (in the context it was created with).
    ///
    /// # Errors
    /// Those of the parser.
    fn parse<'a>(&mut self, arena: &'a Bump, source: &[u8]) -> SqlResult<Body<'a>>;

    /// Value of an expression, through `f`, which gets it as it is, with its type. `false`: there is no plan that is
    /// good, and nothing was done; with its tree one is made. The same below.
    ///
    /// # Errors
    /// Those of planning it and of evaluating it, and of `f`.
    fn evaluate(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Self::Plan>,
        tree: Option<&Expr<'_>>,
        f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
    ) -> SqlResult<bool>;

    /// Tables that expressions read which are one statement but are planned one by one.
    ///
    /// # Errors
    /// Those of planning them.
    fn tables_of(&mut self, place: Place<'_>, list: &[Expr<'_>]) -> SqlResult<Vec<TableId>>;

    /// The expressions that are evaluated until [`Host::end_list`] are one statement. `tables`: those that they read.
    fn begin_list(&mut self, tables: Vec<TableId>) {
        self.env().statement.beside = tables;
    }

    /// The statement has ended, with an error or without: what its functions have written is undone with it.
    ///
    /// # Errors
    /// Those of ending it.
    fn end_list(&mut self, _failed: Option<&SqlError>) -> SqlResult<()> {
        self.env().statement.beside.clear();
        Ok(())
    }

    /// Runs a statement; rows of a query go to the client.
    ///
    /// # Errors
    /// 1415 where there is no client to send rows to; those of the statement.
    fn statement(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Self::Plan>,
        kind: Kind,
        tree: Option<&Statement<'_>>,
    ) -> SqlResult<bool>;

    /// Runs a query whose rows the program takes: `begin` gets the types of its columns.
    ///
    /// # Errors
    /// Those of the statement, of `begin` and of how its rows are wanted.
    fn query(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Self::Plan>,
        tree: Option<&Statement<'_>>,
        begin: &mut dyn FnMut(&[SqlType]) -> SqlResult<()>,
        wanted: &mut Wanted<'_>,
    ) -> SqlResult<bool>;

    /// Whether a handler may take an error: not when the statement is told to stop, nor inside another statement one
    /// that took the transaction with it.
    fn may_handle(&self, e: &SqlError) -> bool;

    /// A handler takes an error: rows that were under way to the client end here.
    ///
    /// # Errors
    /// Those of the connection.
    fn handled(&mut self) -> SqlResult<()> {
        Ok(())
    }

    /// The present diagnostics area has changed: SHOW WARNINGS and `@@warning_count` tell of it.
    fn told(&mut self, areas: &Areas);

    /// A step begins, or a loop comes round.
    ///
    /// # Errors
    /// 1317, 3024.
    fn step(&mut self) -> SqlResult<()>;
}
