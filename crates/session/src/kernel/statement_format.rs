//! `binlog_format` of a session. STATEMENT: changes go into the binary log as their text, for tools that want a replica
//! to compute something anew (pt-table-checksum). MIXED: so do those whose text means the same everywhere.
//!
//! INSERT, REPLACE, UPDATE and DELETE that a client sends, prepared or not, are logged so, with what else the text
//! needs (`executor::rows::binlog::as_text`); rows that their triggers and functions change belong to them. What may do
//! something else on a replica is a note 1592, with MySQL's reasons, and its rows are logged under MIXED. Under
//! STATEMENT what would not mean the same on a replica is refused by name: statements in stored programs, and such as
//! use temporary tables, which the log does not know. READ COMMITTED: 1665, as in MySQL. LOAD DATA and CREATE TABLE ...
//! SELECT leave rows as ever, and so does what functions change that SELECT calls. Locks: a change locks what it reads
//! (`planner::plan::Reads`), so that its text has the same effect at its place in the log.
//!
//! Tested: `tests/binlog/test_statement_format.py`, with MySQL's answers and events.

use super::programs::closure;
use super::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use executor::binlog::AsText;
use planner::plan::{Body, InsertSource, OnDuplicate, Plan};
use storage::txn::Isolation;
use value::{Level, OwnedValue, SqlType};

/// Values of `binlog_format`.
const MIXED: u64 = 0;
const STATEMENT: u64 = 1;

/// MySQL's reasons why a statement may do something else on a replica, in the order in which it tells them.
#[rustfmt::skip]
const REASONS: [&str; 15] = [
    "The statement is unsafe because it uses a LIMIT clause. This is unsafe because the set of rows included cannot be predicted.",
    "The statement is unsafe because it uses the general log, slow query log, or performance_schema table(s). This is unsafe because system tables may differ on replicas.",
    "Statement is unsafe because it invokes a trigger or a stored function that inserts into an AUTO_INCREMENT column. Inserted values cannot be logged correctly.",
    "Statement is unsafe because it uses a system variable that may have a different value on the replica.",
    "Statement is unsafe because it uses a system function that may return a different value on the replica.",
    "INSERT IGNORE... SELECT is unsafe because the order in which rows are retrieved by the SELECT determines which (if any) rows are ignored. This order cannot be predicted and may differ on source and the replica.",
    "INSERT... SELECT... ON DUPLICATE KEY UPDATE is unsafe because the order in which rows are retrieved by the SELECT determines which (if any) rows are updated. This order cannot be predicted and may differ on source and the replica.",
    "Statements writing to a table with an auto-increment column after selecting from another table are unsafe because the order in which rows are retrieved determines what (if any) rows will be written. This order cannot be predicted and may differ on source and the replica.",
    "REPLACE... SELECT is unsafe because the order in which rows are retrieved by the SELECT determines which (if any) rows are replaced. This order cannot be predicted and may differ on source and the replica.",
    "UPDATE IGNORE is unsafe because the order in which rows are updated determines which (if any) rows are ignored. This order cannot be predicted and may differ on source and the replica.",
    "INSERT... ON DUPLICATE KEY UPDATE  on a table with more than one UNIQUE KEY is unsafe",
    "Statement is unsafe because it uses SKIP LOCKED. The set of inserted values is non-deterministic.",
    "Statement is unsafe because it uses NOWAIT. Whether the command will succeed or fail is not deterministic.",
    "Statement is unsafe because it is being used inside a XA transaction. Concurrent XA transactions may deadlock on replicas when replicated using statements.",
    "The statement is unsafe because it updates a table depending on ACL table read operation. As storage engine row locks are skipped for ACL table, it may not have same effect on source and replica.",
];
/// Their bits.
const LIMIT: u32 = 1;
const SYSTEM_TABLE: u32 = 1 << 1;
const AUTO_INCREMENT_INSIDE: u32 = 1 << 2;
const VARIABLE: u32 = 1 << 3;
const FUNCTION: u32 = 1 << 4;
const IGNORE_SELECT: u32 = 1 << 5;
const SELECT_UPDATE: u32 = 1 << 6;
const AUTO_INCREMENT: u32 = 1 << 7;
const REPLACE_SELECT: u32 = 1 << 8;
const UPDATE_IGNORE: u32 = 1 << 9;
const TWO_KEYS: u32 = 1 << 10;
const SKIP_LOCKED: u32 = 1 << 11;
const NOWAIT: u32 = 1 << 12;
const XA: u32 = 1 << 13;
const ACCOUNTS: u32 = 1 << 14;

fn bit(on: bool, of: u32) -> u32 {
    if on { of } else { 0 }
}

/// Why a statement may do something else on a replica, apart from the programs that it calls: bits.
fn reasons(plan: &Plan) -> u32 {
    let (notes, facts) = (&plan.notes, &plan.notes.logging);
    let counts = |t: &&planner::plan::TableUse| t.write && t.def.auto_increment_column().is_some();
    let of_server = |v: &planner::plan::VirtualUse| {
        v.def.schema == "performance_schema"
            || v.def.schema == "mysql" && matches!(&*v.def.name, "general_log" | "slow_log")
    };
    let found = bit(facts.limit, LIMIT)
        | bit(plan.virtuals.iter().any(of_server), SYSTEM_TABLE)
        | bit(facts.system_variable, VARIABLE)
        | bit(notes.unsafe_statement, FUNCTION)
        | bit(plan.tables.len() > 1 && plan.tables.iter().any(|t| counts(&t)), AUTO_INCREMENT)
        | bit(facts.skip_locked, SKIP_LOCKED)
        | bit(facts.nowait, NOWAIT)
        | bit(notes.grant_tables > 0, ACCOUNTS);
    found
        | match &plan.body {
            Body::Insert(i) => {
                let def = plan.tables.get(i.table as usize).map(|t| &t.def);
                let uniques = def.map_or(0, |d| d.indexes.iter().filter(|i| i.unique() && !i.parts.is_empty()).count());
                let selects = matches!(i.source, InsertSource::Select(_));
                match i.on_duplicate {
                    OnDuplicate::Replace => bit(selects, REPLACE_SELECT),
                    OnDuplicate::Ignore => bit(selects, IGNORE_SELECT),
                    OnDuplicate::Update => bit(selects, SELECT_UPDATE) | bit(!selects && uniques > 1, TWO_KEYS),
                    OnDuplicate::Error => bit(selects && i.ignore, IGNORE_SELECT),
                }
            }
            Body::Update(u) => bit(u.ignore, UPDATE_IGNORE),
            Body::Select(_) | Body::Delete(_) => 0,
        }
}

/// The same of a statement in a function or trigger.
pub(crate) fn reasons_inside(plan: &Plan) -> u32 {
    let table = match &plan.body {
        Body::Insert(i) => plan.tables.get(i.table as usize),
        _ => None,
    };
    let counts = table.is_some_and(|t| t.def.auto_increment_column().is_some());
    reasons(plan) & (LIMIT | SYSTEM_TABLE | VARIABLE | FUNCTION) | bit(counts, AUTO_INCREMENT_INSIDE)
}

fn refused(what: &str) -> SqlError {
    SqlError::unsupported(format!("binlog_format=STATEMENT {what}"))
}

/// What a prepared statement is as a text: values in place of its `?`. `None`: a value is no literal.
fn with_values(sql: &[u8], mode: parser::Mode, values: &[(OwnedValue, SqlType)]) -> Option<Vec<u8>> {
    if values.is_empty() {
        return Some(sql.to_vec());
    }
    let mut lexed = parser::Lexed::new();
    lexed.tokenize(sql, 0, mode);
    let (mut out, mut from, mut values) = (Vec::with_capacity(sql.len() + 64), 0, values.iter());
    for mark in lexed.question_marks() {
        out.extend_from_slice(sql.get(from..mark.start)?);
        literal(values.next()?, &mut out);
        from = mark.end;
    }
    out.extend_from_slice(sql.get(from..)?);
    values.next().is_none().then_some(out)
}

/// A value as a literal that is the same under every `sql_mode` and `character_set_client`.
fn literal((value, ty): &(OwnedValue, SqlType), out: &mut Vec<u8>) {
    match value {
        OwnedValue::Null => out.extend_from_slice(b"NULL"),
        OwnedValue::Int(_) | OwnedValue::UInt(_) | OwnedValue::Decimal(_) => {
            value::convert::to_text(value.as_value(), ty, out);
        }
        OwnedValue::Double(d) => out.extend_from_slice(format!("{d:e}").as_bytes()),
        _ => {
            let mut text = Vec::new();
            value::convert::to_text(value.as_value(), ty, &mut text);
            let charset = if ty.kind.is_temporal() { "utf8mb4" } else { ty.collation.charset().name() };
            out.extend_from_slice(format!("_{charset} ").as_bytes());
            out.extend_from_slice(crate::logs::general::hex(&text).as_bytes());
        }
    }
}

impl Session {
    /// Whether `SET SESSION binlog_format` is allowed now.
    pub(crate) fn may_set_format(&self) -> SqlResult<()> {
        if !self.env.temp.is_empty() {
            return Err(SqlError::new(ErrorCode::TEMP_TABLE_PREVENTS_SWITCH_SESSION_BINLOG_FORMAT, &[]));
        }
        if self.in_transaction() {
            return Err(SqlError::new(ErrorCode::INSIDE_TRANSACTION_PREVENTS_SWITCH_BINLOG_FORMAT, &[]));
        }
        Ok(())
    }

    fn format(&self) -> u64 {
        self.env.vars.num(Var::binlog_format)
    }

    /// A statement begins: its text, where the log may want it.
    #[inline]
    pub(crate) fn note_own_text(&mut self, text: &[u8]) {
        if self.env.binlog.on() {
            let wanted = matches!(self.format(), MIXED | STATEMENT);
            self.env.binlog.set_own_text(wanted.then(|| crate::text::trimmed(text)));
        }
    }

    /// The same of a prepared statement.
    pub(crate) fn note_own_statement(&mut self, sql: &[u8], values: &[(OwnedValue, SqlType)]) {
        if self.env.binlog.on() && matches!(self.format(), MIXED | STATEMENT) {
            let text = with_values(sql, crate::text::lexer_mode(&self.env), values);
            self.env.binlog.set_own_text(text.as_deref().map(crate::text::trimmed));
        }
    }

    /// A change is about to run. One that is logged as its text gives the bits of [`reasons`]: its rows are not logged
    /// until [`Session::end_as_text`].
    #[inline]
    pub(crate) fn begin_as_text(&mut self, plan: &Plan) -> SqlResult<Option<u32>> {
        if !self.env.binlog.on() || !matches!(self.format(), MIXED | STATEMENT) {
            return Ok(None);
        }
        self.choose(plan)
    }

    #[cold]
    fn choose(&mut self, plan: &Plan) -> SqlResult<Option<u32>> {
        let (text, always) = (self.env.binlog.take_own_text(), self.format() == STATEMENT);
        if matches!(self.env.trx.isolation(), Isolation::ReadCommitted | Isolation::ReadUncommitted) {
            let e = SqlError::new(ErrorCode::BINLOG_STMT_MODE_AND_ROW_ENGINE, &[]);
            return if always { Err(e) } else { Ok(None) };
        }
        if !plan.tables.iter().any(|t| t.write && !t.def.is_temporary())
            || !executor::binlog::wants(&self.env, self.env.schema.as_deref())
        {
            return Ok(None);
        }
        let text = text.filter(|_| !self.running.calls);
        let temporary = plan.tables.iter().any(|t| t.def.is_temporary());
        let reasons = reasons(plan) | bit(self.txn.xa.is_some(), XA);
        let facts = &plan.notes.logging;
        if !always && (reasons > 0 || temporary || facts.connection_id || closure::reaches(plan)) {
            return Ok(None);
        }
        let Some(text) = text else {
            return if always { Err(refused("in a stored program")) } else { Ok(None) };
        };
        if temporary {
            return Err(refused("with a temporary table"));
        }
        let mut of = AsText::new(text, self.env.rand.seeds);
        let asks = facts.last_insert_id || self.env.vars.bool(Var::sql_auto_is_null);
        of.last_id = asks.then_some(self.env.insert_ids.at_start);
        for name in &facts.user_vars {
            of.reads(name, &self.env.user_vars);
        }
        self.env.binlog.begin_as_text(of);
        Ok(Some(reasons))
    }

    /// It is over: if it is done its text is logged, and the client is told why that may do something else elsewhere.
    pub(crate) fn end_as_text<T>(&mut self, reasons: Option<u32>, done: SqlResult<T>) -> SqlResult<T> {
        let Some(reasons) = reasons else { return done };
        let of = self.env.binlog.end_as_text();
        let done = done?;
        let Some(of) = of else { return Ok(done) };
        self.env.log_as_text(&of)?;
        let reasons = reasons | of.reasons_inside | bit(of.seeds != self.env.rand.seeds, FUNCTION);
        for (_, why) in REASONS.iter().enumerate().filter(|(i, _)| reasons >> i & 1 == 1) {
            self.env.conv.push(Level::Note, SqlError::new(ErrorCode::BINLOG_UNSAFE_STATEMENT, &[why]));
        }
        Ok(done)
    }
}
