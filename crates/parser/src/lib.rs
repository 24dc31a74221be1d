//! MySQL 8.4's lexer, statement digest and grammar: bytes in, arena syntax tree out.
//!
//! What it is: [`Lexed`] holds the tokens of one statement, the 128-bit key of its plan and its literals; one pass over
//! the bytes makes it, so a statement whose plan is cached is never parsed. [`parse`] turns tokens into an
//! [`ast::Statement`] in a `bumpalo` arena.
//!
//! ```text
//! let mut lexed = Lexed::new();                   // one per session, keeps its buffers
//! lexed.tokenize(sql, start_offset, mode);        // never fails; bad bytes become a token that the parser rejects
//! if let Some(plan) = cache.get(lexed.key()) { .. lexed.literals() .. }
//! let parsed = parse(&bump, sql, &mut lexed)?;    // 1064, 1065
//! next statement starts at parsed.end
//! ```
//!
//! Rules of access: no locks, no globals, nothing survives a crash because nothing is written. Errors are
//! [`base::SqlError`] because every failure here is one a client sees (1064, 1065, 1235 is left to the session through
//! [`ast::Statement::Unsupported`]). Tested: `tests/`, and unit tests beside each module.

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

/// A statement and what the caller has to know about it.
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
    /// Height of the highest expression tree (left-deep chains count). A recursive walker must refuse (error 1436)
    /// what its stack cannot bear; the parser itself takes any height that comes from chains.
    pub depth: u32,
    /// Ordinals of literals that are part of the plan: a cached plan may be used only when these have the same text.
    /// Ascending. All others appear in exactly one [`ast::Literal`] with that `lit`.
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
