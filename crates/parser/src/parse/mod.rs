//! Recursive descent over the tokens; precedence climbing for expressions.
//!
//! One function per rule of MySQL's grammar, one file per family. Rules of access: a [`Parser`] lives for one statement;
//! nothing recurses without [`Parser::enter`], which measures how much of the thread's stack is in use since the start
//! and fails cleanly at [`STACK_BUDGET`], so that the parser fits a stack of 1 MiB in every build
//! (the least that a thread for connections has: `sched::stack::SLACK`). No rule backtracks
//! except select items without an alias that contain literals (read twice, the second time without lifting).
//!
//! No locks. Tested in `crates/parser/tests`.

mod account;
mod admin;
mod alter;
mod body;
mod column;
mod ddl;
mod declare;
pub(crate) mod deprecated;
mod diagnostics;
mod dml;
mod event;
mod expr;
mod from;
mod func;
mod func_agg;
mod func_cast;
mod func_json;
mod func_text;
mod func_time;
mod not_functions;
mod partition;
mod program_scope;
mod query;
mod refused;
mod replica;
mod routine;
mod set;
mod show;
mod statement;
mod table;
mod txn;
mod types;
mod window;

pub(crate) use self::deprecated::Remark;
pub(crate) use self::not_functions::names_no_function;
use crate::Parsed;
use crate::ast::{Read, Span, TableName};
use crate::lexer::{Kw, Lexed, LiteralToken, Mode, Tk, Token};
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use bumpalo::collections::Vec as BVec;

/// Bytes of stack that one statement may use.
pub(crate) const STACK_BUDGET: usize = 640 * 1024;

/// Why a statement was refused.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fail {
    /// 1064 at this offset.
    Syntax(u32),
    /// The same with a text of its own.
    Says(&'static str, u32),
    /// The same: LIMIT of the program's variable at this offset, which is no whole number.
    NotInteger(u32),
    /// 1221 for these two.
    Usage(&'static str, &'static str),
    /// 1235 for this feature.
    Unsupported(&'static str),
    /// 1436.
    Deep(usize),
    /// 4082, 4081.
    Memory,
    /// 1300 for this part of the text.
    Utf8(Span),
    /// Another error whose text has at most one place, filled with the span's text.
    Other(ErrorCode, Span),
    /// The same, filled with the name that the token at this offset says.
    Name(ErrorCode, u32),
    /// The same, filled with these words.
    Words(ErrorCode, &'static str),
    /// Filled with these two.
    TwoWords(ErrorCode, &'static str, &'static str),
    /// Filled with a word and the name that the token at this offset says.
    WordAndName(ErrorCode, &'static str, u32),
    /// 1470: the name at this offset, for what it is too long, and the longest.
    TooLong(u32, &'static str, u32),
}

/// Said of a number with a point or beyond 64 bits where a whole one has to stand.
const ONLY_INTEGERS: &str = "Only integers allowed as number here";

pub(crate) type PResult<T> = Result<T, Fail>;

const EOF: Token = Token { start: 0, end: 0, lit: u32::MAX, kw: Kw::NOT_A_KEYWORD, kind: Tk::Eof };

pub(crate) struct Parser<'a, 's> {
    arena: &'a Bump,
    sql: &'s [u8],
    tokens: &'s [Token],
    literals: &'s [LiteralToken],
    lexed: &'s Lexed,
    mode: Mode,
    pos: usize,
    /// The token at `pos`.
    cur: Token,
    params: u32,
    /// Height of the expressions read so far in the current expression.
    height: u32,
    /// Above 0: literals stay in the plan.
    no_lift: u32,
    lifted: BVec<'a, bool>,
    /// Deprecated syntax read so far, and what is told behind that.
    remarks: BVec<'a, Remark<'a>>,
    late: BVec<'a, Remark<'a>>,
    /// Within ON DUPLICATE KEY UPDATE.
    on_duplicate: bool,
    /// Where the grammar takes expressions without subqueries (HANDLER, partitions).
    no_subquery: bool,
    /// Within a stored program, where names may be variables.
    in_program: bool,
    /// What that has declared.
    program: Option<Box<program_scope::ProgramScope<'a>>>,
    /// INTO clauses read so far.
    intos: u32,
    /// Variables and parameters read so far that a view may not have (1351).
    variables: u32,
    /// Where the INTO stands that ended the last query expression (only the statement's own may end so).
    last_into: Option<u32>,
    /// What is wrong with a statement whose grammar is right: the first of such errors.
    later: Option<Fail>,
    /// What MySQL's grammar finds wrong while it reads: it is told in the place of a syntax error that stands behind it. Where the syntax is right, the
    /// planner or the session says it, in its own order.
    noticed: Option<Fail>,
    /// The query block asks for what only a secondary engine does.
    secondary: bool,
    stack_base: usize,
    /// A WITH clause was met: tables that are read are noted in `table_reads`.
    reads_wanted: bool,
    table_reads: BVec<'a, Read<'a>>,
}

#[inline(always)]
fn stack_here() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(std::hint::black_box(&marker)) as usize
}

pub(crate) fn run<'a>(arena: &'a Bump, sql: &[u8], lexed: &mut Lexed) -> SqlResult<Parsed<'a>> {
    lexed.resolve(sql);
    let lexed = &*lexed;
    if lexed.is_empty() {
        let end = lexed.end();
        if let Some(semicolon) = lexed.tokens().last().map(|t| t.start as usize).filter(|at| *at < end) {
            // it ends a statement, and there is none
            return Err(syntax_error(sql, lexed.start(), semicolon));
        }
        if lexed.has_comment() {
            return Ok(Parsed {
                statement: crate::ast::Statement::Empty,
                end,
                params: 0,
                first_param: 0,
                depth: 0,
                fixed: &[],
                remarks: &[],
            });
        }
        return Err(SqlError::new(ErrorCode::EMPTY_QUERY, &[]));
    }
    let mut lifted = BVec::new_in(arena);
    lifted.resize(lexed.literals().len(), false);
    let mut p = Parser {
        arena,
        sql,
        tokens: lexed.tokens(),
        literals: lexed.literals(),
        lexed,
        mode: lexed.mode(),
        pos: 0,
        cur: lexed.tokens().first().copied().unwrap_or(EOF),
        params: 0,
        height: 0,
        no_lift: 0,
        lifted,
        remarks: BVec::new_in(arena),
        late: BVec::new_in(arena),
        on_duplicate: false,
        no_subquery: false,
        in_program: false,
        program: None,
        intos: 0,
        variables: 0,
        last_into: None,
        later: None,
        noticed: None,
        secondary: false,
        stack_base: stack_here(),
        reads_wanted: false,
        table_reads: BVec::new_in(arena),
    };
    let statement = match p.whole_statement() {
        Ok(s) => s,
        Err(fail) => {
            let noticed = p.noticed.filter(|_| matches!(fail, Fail::Syntax(_) | Fail::Says(..)));
            return Err(p.error(noticed.unwrap_or(fail), lexed.start()));
        }
    };
    let end = if p.cur.kind == Tk::Semi { p.cur.end as usize } else { lexed.end() };
    let seen = p.tokens.get(p.pos).map_or(u32::MAX, |t| t.start);
    let fixed = BVec::from_iter_in(
        p.lifted
            .iter()
            .enumerate()
            .filter(|(i, l)| !**l && p.literals.get(*i).is_some_and(|t| t.start < seen))
            .map(|(i, _)| i as u32),
        arena,
    );
    let params = if p.params == 0 { &[] } else { p.tokens };
    let first_param = params.iter().find(|t| t.kind == Tk::Param).map_or(0, |t| t.start);
    let Parser { mut remarks, late, .. } = p;
    remarks.extend(late);
    Ok(Parsed {
        statement,
        end,
        params: p.params,
        first_param,
        depth: p.height,
        fixed: fixed.into_bump_slice(),
        remarks: remarks.into_bump_slice(),
    })
}

/// See [`crate::syntax_error`].
pub(crate) fn syntax_error(sql: &[u8], start: usize, at: usize) -> SqlError {
    let general = "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for \
                   the right syntax to use";
    parse_error(general, sql, start, at)
}

fn parse_error(text: &str, sql: &[u8], start: usize, at: usize) -> SqlError {
    let at = at.min(sql.len());
    let near = sql.get(at..).unwrap_or(&[]);
    // MySQL prints it as a C string, and at most 80 bytes (of which it may send the beginning of a character)
    let end = memchr::memchr(0, near).unwrap_or(near.len());
    let near = String::from_utf8_lossy(near.get(..end).unwrap_or(near));
    let near = near.get(..near.floor_char_boundary(80)).unwrap_or(&near);
    let line = 1 + memchr::memchr_iter(b'\n', sql.get(start..at).unwrap_or(&[])).count();
    SqlError::new(ErrorCode::PARSE_ERROR, &[&text, &near, &line])
}

impl<'a, 's> Parser<'a, 's> {
    fn error(&self, fail: Fail, statement_start: usize) -> SqlError {
        let text = |span: Span| String::from_utf8_lossy(span.text(self.sql)).into_owned();
        match fail {
            Fail::Syntax(at) => syntax_error(self.sql, statement_start, at as usize),
            Fail::Says(text, at) => parse_error(text, self.sql, statement_start, at as usize),
            Fail::NotInteger(at) => {
                let text = format!("The variable \"{}\" has a non-integer based type", self.name_at(at));
                parse_error(&text, self.sql, statement_start, at as usize)
            }
            Fail::Usage(one, other) => SqlError::new(ErrorCode::WRONG_USAGE, &[&one, &other]),
            Fail::Unsupported(feature) => SqlError::unsupported(feature),
            Fail::Deep(used) => SqlError::new(ErrorCode::STACK_OVERRUN_NEED_MORE, &[&used, &STACK_BUDGET, &(used + 1)]),
            Fail::Memory => base::memory::check().err().unwrap_or_else(|| SqlError::new(ErrorCode::OUTOFMEMORY, &[&0])),
            Fail::Utf8(span) => SqlError::new(ErrorCode::INVALID_CHARACTER_STRING, &[&"utf8mb4", &text(span)]),
            Fail::Other(ErrorCode::VIEW_SELECT_CLAUSE, _) => SqlError::new(ErrorCode::VIEW_SELECT_CLAUSE, &[&"INTO"]),
            Fail::Other(ErrorCode::TOO_MANY_TABLES, _) => SqlError::new(ErrorCode::TOO_MANY_TABLES, &[&61]),
            Fail::Other(code @ ErrorCode::ILLEGAL_VALUE_FOR_TYPE, span) => {
                SqlError::new(code, &[&"double", &text(span)])
            }
            Fail::Other(code, span) => SqlError::new(code, &[&text(span)]),
            Fail::Name(code, at) => SqlError::new(code, &[&self.name_at(at)]),
            Fail::Words(code, words) => SqlError::new(code, &[&words]),
            Fail::TwoWords(code, one, other) => SqlError::new(code, &[&one, &other]),
            Fail::WordAndName(code, word, at) => SqlError::new(code, &[&word, &self.name_at(at)]),
            Fail::TooLong(at, what, most) => {
                let name = self.name_at(at);
                // MySQL shows no more of it
                let shown = name.get(..name.floor_char_boundary(70)).unwrap_or(name);
                SqlError::new(ErrorCode::WRONG_STRING_LENGTH, &[&shown, &what, &most])
            }
        }
    }

    /// What the token at this offset says without its quotes.
    fn name_at(&self, at: u32) -> &'a str {
        let Some(t) = self.tokens.iter().find(|t| t.start == at).copied() else { return "" };
        match t.kind {
            Tk::Str => std::str::from_utf8(self.token_bytes(t)).unwrap_or_default(),
            _ => self.unquote(t).unwrap_or_default(),
        }
    }

    // ---- tokens

    #[inline(always)]
    fn advance(&mut self) {
        self.pos += 1;
        self.cur = match self.tokens.get(self.pos) {
            Some(t) => *t,
            None => self.tokens.last().copied().unwrap_or(EOF),
        };
    }

    #[inline]
    fn peek(&self, n: usize) -> Token {
        self.tokens.get(self.pos + n).or(self.tokens.last()).copied().unwrap_or(EOF)
    }

    #[inline(always)]
    fn kw(&self) -> Kw {
        self.cur.kw
    }

    #[inline(always)]
    fn is(&self, kind: Tk) -> bool {
        self.cur.kind == kind
    }

    #[inline(always)]
    fn is_kw(&self, kw: Kw) -> bool {
        self.cur.kw == kw
    }

    fn is_kws(&self, kws: &[Kw]) -> bool {
        kws.iter().enumerate().all(|(i, &k)| self.peek(i).kw == k)
    }

    #[inline]
    fn accept(&mut self, kind: Tk) -> bool {
        let hit = self.cur.kind == kind;
        if hit {
            self.advance();
        }
        hit
    }

    #[inline]
    fn accept_kw(&mut self, kw: Kw) -> bool {
        let hit = self.cur.kw == kw;
        if hit {
            self.advance();
        }
        hit
    }

    /// All of them in this order, or nothing.
    fn accept_kws(&mut self, kws: &[Kw]) -> bool {
        let hit = self.is_kws(kws);
        if hit {
            for _ in kws {
                self.advance();
            }
        }
        hit
    }

    #[inline]
    fn expect(&mut self, kind: Tk) -> PResult<()> {
        if self.accept(kind) { Ok(()) } else { self.fail() }
    }

    #[inline]
    fn expect_kw(&mut self, kw: Kw) -> PResult<()> {
        if self.accept_kw(kw) { Ok(()) } else { self.fail() }
    }

    fn expect_kws(&mut self, kws: &[Kw]) -> PResult<()> {
        kws.iter().try_for_each(|&k| self.expect_kw(k))
    }

    /// See [`Parser::noticed`].
    fn notice(&mut self, fail: Fail) {
        self.noticed.get_or_insert(fail);
    }

    /// Syntax error at the current token.
    #[cold]
    fn fail<T>(&self) -> PResult<T> {
        Err(Fail::Syntax(self.cur.start))
    }

    /// Statement has ended (also at `;` inside a stored program's text).
    fn at_end(&self) -> bool {
        matches!(self.cur.kind, Tk::Eof | Tk::Semi)
    }

    #[inline]
    fn prev_end(&self) -> u32 {
        self.pos.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(0, |t| t.end)
    }

    #[inline]
    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.prev_end().max(start) }
    }

    fn rewind(&mut self, pos: usize) {
        self.pos = pos;
        self.cur = self.tokens.get(pos).copied().unwrap_or(EOF);
        // what is read again is noted again
        while self.table_reads.last().is_some_and(|r| r.at >= self.cur.start) {
            self.table_reads.pop();
        }
    }

    fn text(&self, t: Token) -> &'s [u8] {
        self.sql.get(t.start as usize..t.end as usize).unwrap_or(&[])
    }

    /// Fails when the stack in use is beyond the budget, or the statement may hold no more memory.
    #[inline(always)]
    fn enter(&self) -> PResult<()> {
        let used = self.stack_base.abs_diff(stack_here());
        if used > STACK_BUDGET {
            return Err(Fail::Deep(used));
        }
        base::memory::check().map_err(|_| Fail::Memory)
    }

    // ---- memory

    #[inline(always)]
    fn alloc<T: Copy>(&self, v: T) -> &'a T {
        self.arena.alloc(v)
    }

    fn list<T>(&self) -> BVec<'a, T> {
        BVec::new_in(self.arena)
    }

    /// `item, item, ...`
    fn comma_list<T: Copy>(&mut self, mut item: impl FnMut(&mut Self) -> PResult<T>) -> PResult<&'a [T]> {
        let first = item(self)?;
        if !self.is(Tk::Comma) {
            return Ok(std::slice::from_ref(self.alloc(first)));
        }
        let mut out = BVec::with_capacity_in(4, self.arena);
        out.push(first);
        while self.accept(Tk::Comma) {
            out.push(item(self)?);
        }
        Ok(out.into_bump_slice())
    }

    /// `( item, ... )`
    fn paren_list<T: Copy>(&mut self, item: impl FnMut(&mut Self) -> PResult<T>) -> PResult<&'a [T]> {
        self.expect(Tk::LParen)?;
        let out = self.comma_list(item)?;
        self.expect(Tk::RParen)?;
        Ok(out)
    }

    // ---- names

    fn utf8(&self, bytes: &[u8], t: Token) -> PResult<&'a str> {
        let owned: &'a [u8] = match self.lexed.decoded_name(bytes) {
            Some(decoded) => self.arena.alloc_slice_copy(&decoded),
            None => self.arena.alloc_slice_copy(bytes),
        };
        std::str::from_utf8(owned).map_err(|_| Fail::Utf8(Span::new(t.start, t.end)))
    }

    /// Lower-case copy of ASCII letters.
    fn lower(&self, t: Token) -> PResult<&'a str> {
        let owned = match self.lexed.decoded_name(self.text(t)) {
            Some(decoded) => self.arena.alloc_slice_copy(&decoded),
            None => self.arena.alloc_slice_copy(self.text(t)),
        };
        owned.make_ascii_lowercase();
        std::str::from_utf8(owned).map_err(|_| Fail::Utf8(Span::new(t.start, t.end)))
    }

    fn unquote(&self, t: Token) -> PResult<&'a str> {
        let text = self.text(t);
        match t.kind {
            Tk::Backtick | Tk::DoubleQuoted => {
                let quote = text.first().copied().unwrap_or(b'`');
                let body = text.get(1..text.len().saturating_sub(1)).unwrap_or(&[]);
                if memchr::memchr(quote, body).is_none() {
                    return self.utf8(body, t);
                }
                let mut out = Vec::with_capacity(body.len());
                let mut bytes = body.iter();
                while let Some(&b) = bytes.next() {
                    if b == quote {
                        bytes.next();
                    }
                    out.push(b);
                }
                self.utf8(&out, t)
            }
            _ => self.utf8(text, t),
        }
    }

    /// Whether a built-in function's name stands here, directly before its `(`.
    fn is_function_word(&self, t: Token, next: Token) -> bool {
        !matches!(t.kw, Kw::ADDDATE | Kw::SUBDATE | Kw::SESSION_USER | Kw::SYSTEM_USER) && self.calls(t, next)
    }

    /// The same with the four that may stand before a parenthesis as names too.
    fn calls(&self, t: Token, next: Token) -> bool {
        t.kw.is_function_word() && next.kind == Tk::LParen && (self.mode.ignore_space || next.start == t.end)
    }

    fn token_is_ident(&self, t: Token, next: Token) -> bool {
        match t.kind {
            Tk::Word => t.kw == Kw::NOT_A_KEYWORD || (!t.kw.is_reserved() && !self.is_function_word(t, next)),
            Tk::Ident | Tk::Backtick | Tk::DoubleQuoted => true,
            _ => false,
        }
    }

    #[inline]
    fn is_ident(&self) -> bool {
        self.token_is_ident(self.cur, self.peek(1))
    }

    #[inline]
    fn ident(&mut self) -> PResult<&'a str> {
        let t = self.cur;
        if t.kind == Tk::Word && t.kw == Kw::NOT_A_KEYWORD {
            let s = self.utf8(self.text(t), t)?;
            if s.starts_with('$') {
                self.old(deprecated::Old::Dollar);
            }
            self.advance();
            return Ok(s);
        }
        if !self.is_ident() {
            return self.fail();
        }
        let s = self.unquote(self.cur)?;
        self.advance();
        Ok(s)
    }

    /// After a point any word is a name.
    fn ident_after_dot(&mut self) -> PResult<&'a str> {
        self.ident()
    }

    /// An identifier, or a string in its place (aliases, charset names, host names).
    fn ident_or_text(&mut self) -> PResult<&'a str> {
        if self.is(Tk::Str) {
            let t = self.cur;
            let bytes = self.string()?;
            return self.utf8(bytes, t);
        }
        self.ident()
    }

    fn ident_list(&mut self) -> PResult<&'a [&'a str]> {
        self.paren_list(|p| p.ident())
    }

    /// Notes a table in FROM for the statement's WITH clauses.
    fn reads(&mut self, name: &TableName<'a>) {
        if self.reads_wanted && name.schema.is_none() {
            self.table_reads.push(Read { at: name.span.start, name: name.name });
        }
    }

    /// The name of a schema, a table, an alias or a common table expression.
    fn relation_ident(&mut self) -> PResult<&'a str> {
        let name = self.ident()?;
        Ok(self.folded(name))
    }

    /// In lower case where such names are kept so.
    fn folded(&self, name: &'a str) -> &'a str {
        match base::names::fold(name) {
            std::borrow::Cow::Borrowed(_) => name,
            std::borrow::Cow::Owned(folded) => self.arena.alloc_str(&folded),
        }
    }

    /// `t`, `db.t`, `.t`
    fn table_name(&mut self) -> PResult<TableName<'a>> {
        let start = self.cur.start;
        if self.accept(Tk::Dot) {
            let name = self.relation_ident()?;
            if name.is_empty() {
                return Err(Fail::Other(ErrorCode::WRONG_TABLE_NAME, Span { start, end: start }));
            }
            return Ok(TableName { span: self.span_from(start), schema: None, name });
        }
        let first = self.relation_ident()?;
        let (schema, name) = if self.accept(Tk::Dot) { (Some(first), self.relation_ident()?) } else { (None, first) };
        if schema.is_some() {
            self.check_schema(first, start, false)?;
        }
        // an alias or a column's heading may be empty, a table's name not
        let here = Span { start, end: start };
        if schema == Some("") {
            return Err(Fail::Other(ErrorCode::WRONG_DB_NAME, here));
        }
        if name.is_empty() {
            return Err(Fail::Other(ErrorCode::WRONG_TABLE_NAME, here));
        }
        if self.in_program {
            self.note_table(schema, name);
        }
        Ok(TableName { span: self.span_from(start), schema, name })
    }

    /// 1102 for a schema's name that is empty or ends in a space: at once, or when nothing else is wrong.
    fn check_schema(&mut self, name: &str, at: u32, at_once: bool) -> PResult<()> {
        if name.is_empty() || name.ends_with(' ') {
            let fail = Fail::Name(ErrorCode::WRONG_DB_NAME, at);
            if at_once {
                return Err(fail);
            }
            self.later.get_or_insert(fail);
        }
        Ok(())
    }

    // ---- strings and numbers that are not expressions

    /// A quoted string (no concatenation).
    fn string(&mut self) -> PResult<&'a [u8]> {
        if !self.is(Tk::Str) {
            return self.fail();
        }
        let v = self.token_bytes(self.cur);
        self.advance();
        Ok(v)
    }

    fn token_bytes(&self, t: Token) -> &'a [u8] {
        use crate::ast::LitValue;
        let Some(l) = self.literals.get(t.lit as usize) else { return &[] };
        match crate::lexer::literal_value(self.arena, self.sql, l, self.mode.no_backslash_escapes) {
            LitValue::Str { bytes, .. } | LitValue::Hex { bytes, .. } | LitValue::Bit { bytes, .. } => bytes,
            _ => &[],
        }
    }

    /// A string, hex or bit literal as bytes.
    fn string_or_hex(&mut self) -> PResult<&'a [u8]> {
        if !matches!(self.cur.kind, Tk::Str | Tk::Hex | Tk::Bit) {
            return self.fail();
        }
        let v = self.token_bytes(self.cur);
        self.advance();
        Ok(v)
    }

    /// An unsigned integer, also as hex; beyond 64 bits, with a point or exponent where `real` allows it: saturated, otherwise an error of its own.
    fn number(&mut self, real: bool) -> PResult<u64> {
        let t = self.cur;
        let v = match t.kind {
            Tk::Int => match std::str::from_utf8(self.text(t)).ok().and_then(|s| s.parse().ok()) {
                Some(n) => n,
                None if real => u64::MAX,
                None => return Err(Fail::Says(ONLY_INTEGERS, t.start)),
            },
            Tk::Hex => self
                .token_bytes(t)
                .iter()
                .try_fold(0u64, |v, &b| v.checked_mul(256)?.checked_add(u64::from(b)))
                .unwrap_or(u64::MAX),
            Tk::Decimal | Tk::Float if real => {
                std::str::from_utf8(self.text(t)).ok().and_then(|s| s.parse::<f64>().ok()).unwrap_or(0.0) as u64
            }
            Tk::Decimal | Tk::Float => return Err(Fail::Says(ONLY_INTEGERS, t.start)),
            _ => return self.fail(),
        };
        self.advance();
        Ok(v)
    }

    fn accept_eq(&mut self) -> bool {
        self.accept(Tk::Eq)
    }

    /// `=` or `:=`
    fn assign_op(&mut self) -> PResult<()> {
        if self.accept(Tk::Eq) || self.accept(Tk::Assign) { Ok(()) } else { self.fail() }
    }
}
