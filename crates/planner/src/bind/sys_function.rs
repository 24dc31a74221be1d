//! Functions of the schema `sys`: called as `sys.NAME(...)`, or by name alone where `sys` is the default schema.
//!
//! They look like stored functions to whoever calls them (SQL SECURITY INVOKER): EXECUTE is needed (1370; noted
//! in [`Notes::routines`](crate::plan::Notes), asked for by the gate), a wrong number of arguments is 1318, a
//! table's expressions may not contain them, their texts are utf8mb4_0900_ai_ci. What a function reads of tables is a
//! subquery of its own behind the arguments ([`Lookup`]): it is bound like one that was written, so the gate asks for
//! its tables too, and is evaluated once in a statement. Bodies: `executor::eval::sys_schema`. Source: manual, "sys
//! Schema Stored Functions". Tested: `tests/sql/golden/sys_functions.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast;
use value::CollationId;

use super::{Binder, Scope};
use crate::expr::Expr;
use crate::func::FuncId;
use crate::plan::RoutineUse;

/// What a function is given besides its arguments.
#[derive(Clone, Copy)]
enum Lookup {
    /// A user variable.
    Variable(&'static str),
    /// The value of a query.
    Query(&'static str),
}

use Lookup::{Query, Variable};

const CONFIG: Lookup = Query("SELECT JSON_OBJECTAGG(LOWER(variable), value) FROM sys.sys_config");
const ACTORS: Lookup =
    Query("SELECT JSON_ARRAYAGG(JSON_ARRAY(host, user, enabled)) FROM performance_schema.setup_actors");
const CONSUMERS: Lookup = Query("SELECT JSON_OBJECTAGG(name, enabled) FROM performance_schema.setup_consumers");
const ACCOUNTS: Lookup = Query(
    "SELECT JSON_OBJECTAGG(thread_id, IF(type = 'FOREGROUND', CONCAT(processlist_user, '@', processlist_host), \
     'BACKGROUND')) FROM performance_schema.threads",
);
const INSTRUMENTED: Lookup = Query(
    "SELECT JSON_OBJECTAGG(processlist_id, instrumented) FROM performance_schema.threads \
     WHERE processlist_id IS NOT NULL",
);
const TRANSACTIONS: Lookup = Query(include_str!("sys_texts/transactions.sql"));
const STACK: Lookup = Query(include_str!("sys_texts/stack.sql"));
const TRUNCATE_LEN: Lookup = Variable("sys.statement_truncate_len");
const MAX_LENGTH: Lookup = Variable("sys.ps_thread_trx_info.max_length");

/// A function.
struct Function {
    name: &'static str,
    /// How many arguments it takes.
    count: usize,
    id: FuncId,
    /// What it is given besides.
    lookups: &'static [Lookup],
}

const fn row(name: &'static str, count: usize, id: FuncId, lookups: &'static [Lookup]) -> Function {
    Function { name, count, id, lookups }
}

const FUNCTIONS: &[Function] = &[
    row("extract_schema_from_file_name", 1, FuncId::SysFileSchema, &[]),
    row("extract_table_from_file_name", 1, FuncId::SysFileTable, &[]),
    row("format_bytes", 1, FuncId::SysFormatBytes, &[]),
    row("format_path", 1, FuncId::SysFormatPath, &[]),
    row("format_statement", 1, FuncId::SysFormatStatement, &[TRUNCATE_LEN, CONFIG]),
    row("format_time", 1, FuncId::SysFormatTime, &[]),
    row("list_add", 2, FuncId::SysListAdd, &[]),
    row("list_drop", 2, FuncId::SysListDrop, &[]),
    row("ps_is_account_enabled", 2, FuncId::SysAccountEnabled, &[ACTORS]),
    row("ps_is_consumer_enabled", 1, FuncId::SysConsumerEnabled, &[CONSUMERS]),
    row("ps_is_instrument_default_enabled", 1, FuncId::SysInstrumentEnabled, &[]),
    row("ps_is_instrument_default_timed", 1, FuncId::SysInstrumentTimed, &[]),
    row("ps_is_thread_instrumented", 1, FuncId::SysThreadInstrumented, &[INSTRUMENTED]),
    row("ps_thread_account", 1, FuncId::SysThreadAccount, &[ACCOUNTS]),
    row("ps_thread_id", 1, FuncId::SysThreadId, &[]),
    row("ps_thread_stack", 2, FuncId::SysThreadStack, &[STACK]),
    row("ps_thread_trx_info", 1, FuncId::SysThreadTransactions, &[TRANSACTIONS, MAX_LENGTH, CONFIG]),
    row("quote_identifier", 1, FuncId::SysQuoteIdentifier, &[]),
    row("sys_get_config", 2, FuncId::SysConfig, &[CONFIG]),
    row("version_major", 0, FuncId::SysVersion(0), &[]),
    row("version_minor", 0, FuncId::SysVersion(1), &[]),
    row("version_patch", 0, FuncId::SysVersion(2), &[]),
];

const SCHEMA: &str = "sys";

impl<'a> Binder<'a, '_> {
    /// A call of a function of `sys`; `None`: the name means none of these.
    pub(super) fn sys_function(&mut self, f: &ast::FuncCall<'a>) -> SqlResult<Option<Expr>> {
        let own = self.view_schema.as_deref().or_else(|| self.r.current_schema());
        if f.schema.or(own) != Some(SCHEMA) {
            return Ok(None);
        }
        let Some(&Function { name, count, id, lookups }) = FUNCTIONS.iter().find(|r| r.name == f.name) else {
            return Ok(None);
        };
        let full = format!("{SCHEMA}.{name}");
        // the caller says which kind of expression may not have it
        if self.st.table_expr {
            return Err(SqlError::new(ErrorCode::SP_DOES_NOT_EXIST, &[&"FUNCTION", &full]));
        }
        if f.args.len() != count {
            let n = f.args.len();
            return Err(SqlError::new(ErrorCode::SP_WRONG_NO_OF_ARGS, &[&"FUNCTION", &full, &count, &n]));
        }
        let via = self.st.via.clone();
        let used = RoutineUse { schema: SCHEMA.to_owned(), name: name.to_owned(), via };
        if !self.draft.notes.routines.contains(&used) {
            self.draft.notes.routines.push(used);
        }
        let mut args = Vec::with_capacity(count + lookups.len());
        for x in f.args {
            let bound = self.scalar(x)?;
            args.push(self.in_charset(bound, CollationId::UTF8MB4_0900_AI_CI));
        }
        for l in lookups {
            args.push(match l {
                Variable(name) => self.user_variable(name),
                Query(text) => self.looked_up(text)?,
            });
        }
        self.call(id, args).map(Some)
    }

    /// The value of a query of our own.
    fn looked_up(&mut self, sql: &'static str) -> SqlResult<Expr> {
        let arena = bumpalo::Bump::new();
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
        let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed)?;
        let ast::Statement::Query(q) = parsed.statement else { return Err(SqlError::unsupported("this text")) };
        let mut inner = self.for_text(sql.as_bytes(), SCHEMA);
        inner.scopes.push(Scope::default());
        let bound = inner.subquery_value(q);
        inner.scopes.pop();
        self.resume(inner);
        bound
    }
}
