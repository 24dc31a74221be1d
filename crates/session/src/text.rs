//! How a session reads the text of statements: the lexer's modes, the client's character set, and what of a text may be
//! shown.
//!
//! Everything follows from the session's variables; nothing is locked or kept. Tested: golden `client_charset`,
//! `tests/clients/test_secrets.py`.

use base::{ErrorCode, SqlError};
use bumpalo::Bump;
use catalog::sysvar::Var;
use executor::Env;
use parser::Mode;
use parser::secrets::Shown;
use value::{CollationId, SqlMode};

/// A client's text without white space around it and `;` behind it: as MySQL keeps it, and as messages show it. What
/// follows a statement's semicolon then is another statement, be it a comment alone. A zero byte at the end is C's
/// (mysqlslap sends it).
pub(crate) fn trimmed(sql: &[u8]) -> &[u8] {
    let sql = sql.strip_suffix(b"\0").unwrap_or(sql);
    let mut text = sql.trim_ascii_start();
    while let Some((last, rest)) = text.split_last()
        && (*last == b';' || last.is_ascii_whitespace())
    {
        text = rest;
    }
    text
}

/// The lexer's view of sql_mode.
pub(crate) fn lexer_mode(env: &Env) -> Mode {
    let m = env.vars.sql_mode();
    Mode {
        ansi_quotes: m.has(SqlMode::ANSI_QUOTES),
        no_backslash_escapes: m.has(SqlMode::NO_BACKSLASH_ESCAPES),
        pipes_as_concat: m.has(SqlMode::PIPES_AS_CONCAT),
        ignore_space: m.has(SqlMode::IGNORE_SPACE),
        high_not_precedence: m.has(SqlMode::HIGH_NOT_PRECEDENCE),
    }
}

/// Tokens of a statement as the client sent it.
pub(crate) fn tokenize(env: &Env, lexed: &mut parser::Lexed, sql: &[u8], start: usize) {
    let client = text_collation(env);
    let utf8 = client.charset().takes_utf8();
    lexed.set_names((!utf8).then_some((client.0, planner::decode_name)));
    lexed.tokenize(sql, start, lexer_mode(env));
}

/// `character_set_client`, or utf8mb4 where statements became that when they arrived (`Session::arrived`).
pub(crate) fn text_collation(env: &Env) -> CollationId {
    let client = env.vars.collation(Var::character_set_client);
    if client.charset().hides_ascii() { CollationId::UTF8MB4_0900_AI_CI } else { client }
}

/// A statement's text as it is read: in utf8mb4 where the client's character set hides ASCII.
pub(crate) fn arrived<'s>(env: &Env, sql: &'s [u8]) -> std::borrow::Cow<'s, [u8]> {
    let set = env.vars.collation(Var::character_set_client).charset();
    let escapes = set.hides_ascii() && !env.vars.sql_mode().has(SqlMode::NO_BACKSLASH_ESCAPES);
    value::charset::client::arrive(set, sql, escapes)
}

/// An error of the parser, whose text quotes the statement: of a client of another character set it is made anew from
/// the statement in UTF-8.
pub(crate) fn told_in_utf8(env: &Env, e: SqlError, sql: &[u8], lexed: &parser::Lexed) -> SqlError {
    let client = env.vars.collation(Var::character_set_client);
    if sql.is_ascii() || client.charset().takes_utf8() || !e.is(ErrorCode::PARSE_ERROR) {
        return e;
    }
    let text = planner::decode_name(client.0, sql.get(lexed.start()..).unwrap_or(sql));
    let arena = Bump::new();
    let mut again = parser::Lexed::new();
    again.tokenize(&text, 0, lexed.mode());
    parser::parse(&arena, &text, &mut again).err().unwrap_or(e)
}

/// What a client wrote between quotes, in UTF-8.
pub(crate) fn in_utf8(env: &Env, bytes: &[u8]) -> String {
    let converted = planner::from_client(bytes, text_collation(env).charset(), value::Charset::Utf8mb4);
    String::from_utf8_lossy(converted.as_deref().unwrap_or(bytes)).into_owned()
}

/// Whether a backslash in a literal escapes.
pub(crate) fn escapes(env: &Env) -> bool {
    !env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES)
}

/// What of a statement's text may be seen: in the process list, in performance_schema, in logs.
#[inline]
pub(crate) fn showable<'t>(env: &Env, sql: &'t [u8]) -> Shown<'t> {
    Shown::of(sql, escapes(env))
}
