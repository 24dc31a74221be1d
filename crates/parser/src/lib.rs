//! The lexer and the grammar of MySQL 8.4. The bytes of a statement become a syntax tree.
//!
//! Two steps. One pass over the bytes makes [`Lexed`]: the statement's tokens, its literals, and a 128-bit key
//! under which the plan cache keeps the statement's plan. Only if there is no such plan does [`parse`] make the
//! syntax tree, an [`ast::Statement`] in a `bumpalo` arena.
//!
//! ```text
//! let mut lexed = Lexed::new();                   // one per session, keeps its buffers
//! lexed.tokenize(sql, start_offset, mode);        // never fails; bad bytes become a token that the parser rejects
//! if let Some(plan) = cache.get(lexed.key()) { .. lexed.literals() .. }
//! let parsed = parse(&bump, sql, &mut lexed)?;    // 1064, 1065
//! next statement starts at parsed.end
//! ```
//!
//! The parser takes no locks, keeps no state between statements and writes nothing. Its errors are
//! [`base::SqlError`], because a client sees each of them: 1064 (syntax), 1065 (empty statement). What MySQL's
//! grammar has but Evenkeel does not support is no error here: it becomes [`ast::Statement::Unsupported`], and the
//! session answers 1235. Tested: `tests/`, and unit tests beside each module.

pub mod ast;
pub mod digest;
pub mod lexer;
mod parse;
pub mod print;
pub mod secrets;

pub use ast::{Expr, ExprKind, Span, Statement};
pub use lexer::{Decode, Lexed, LiteralKind, LiteralToken, Mode, VERSION_ID, keywords};

pub use parse::deprecated::{Remark, charset_remark, collation_remark};

use base::SqlResult;
use bumpalo::Bump;

/// What [`parse`] returns: the statement, and what its caller needs to know besides.
#[derive(Clone, Copy, Debug)]
pub struct Parsed<'a> {
    /// The statement.
    pub statement: Statement<'a>,
    /// Offset in the text after this statement and its `;`; equal to the text's length when nothing but white space
    /// and comments follows.
    pub end: usize,
    /// Number of `?`. Outside of PREPARE (and COM_STMT_PREPARE) MySQL has no `?`: answer [`syntax_error`] at
    /// `first_param` when this is not 0.
    pub params: u32,
    /// Offset of the first `?`.
    pub first_param: u32,
    /// Height of the highest expression tree. `1+1+1+...` nests to the left and counts with each operator: the
    /// parser reads it in a loop and takes any length, but code that walks the tree by recursion must refuse (error
    /// 1436) what its stack cannot bear.
    pub depth: u32,
    /// Ordinals, ascending, of the literals whose text is part of the plan, such as the 2 of `ORDER BY 2`: a cached
    /// plan fits only a statement in which they are the same. Each other literal is in the tree once, as the
    /// [`ast::Literal`] with this ordinal as `lit`.
    pub fixed: &'a [u32],
    /// Warnings about deprecated syntax, in the order in which MySQL gives them.
    pub remarks: &'a [Remark<'a>],
}

/// Parses the statement that `lexed` holds the tokens of. `sql` is the text that was tokenized.
///
/// Errors: 1064 with MySQL's text, 1065 for a statement without tokens, 1436 for nesting beyond the stack's limit, 1300
/// for identifiers that are not UTF-8.
pub fn parse<'a>(arena: &'a Bump, sql: &[u8], lexed: &mut Lexed) -> SqlResult<Parsed<'a>> {
    parse::run(arena, sql, lexed)
}

/// Error 1064 at byte `at` of `sql`, whose statement starts at byte `start` (for the line number).
pub fn syntax_error(sql: &[u8], start: usize, at: usize) -> base::SqlError {
    parse::syntax_error(sql, start, at)
}
