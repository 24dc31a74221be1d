//! HANDLER OPEN, READ, CLOSE: the tables a session has opened by name, and the places it reads them from.
//!
//! A READ is planned as a SELECT of all columns with its condition, so that names, privileges and result columns are
//! those of a query; the rows come through [`executor::handler`]. Between the statements the handler's own lock is held
//! ([`Open::lock`]), those of a READ are given back. A table that was dropped since OPEN, or that the session itself has
//! changed, is unknown (1109), as it is in MySQL. Tested by `tests/sql/golden/handler.sql`,
//! `tests/clients/test_metadata_locks.py`.

use crate::kernel::handlers::Open;
use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::client::ResultSink;
use executor::handler::{From, Place, Read};
use mdl::{Duration, MdlKey, MdlType};
use parser::ast::{BinaryOp, Expr, Handler, HandlerAction, HandlerPosition, Limit};
use planner::Request;
use planner::expr::CmpOp;
use std::sync::Arc;
use storage::dict::TableDef;
use value::OwnedValue;

fn unknown(name: &str) -> SqlError {
    SqlError::new(ErrorCode::UNKNOWN_TABLE, &[&name, &"HANDLER"])
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

impl Session {
    /// Runs a HANDLER statement.
    pub(crate) fn handler(&mut self, sql: &[u8], h: &Handler<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        match h.action {
            HandlerAction::Open { alias } => {
                let schema = self.schema_of(&h.table);
                if schema.is_empty() {
                    return Err(SqlError::new(ErrorCode::NO_DB_ERROR, &[]));
                }
                if !self.tables.locked.is_empty() {
                    return Err(SqlError::new(ErrorCode::LOCK_OR_ACTIVE_TRANSACTION, &[]));
                }
                self.open_handler(schema, h.table.name, alias.unwrap_or(h.table.name))
            }
            HandlerAction::Close => {
                let at = self.find_handler(h.table.name)?;
                self.close_handler(at);
                Ok(Outcome::ok())
            }
            HandlerAction::Read { index, position, where_clause, limit } => {
                let at = self.find_handler(h.table.name)?;
                let (skip, limit) = self.handler_limit(sql, limit)?;
                let (from, values) = match position {
                    HandlerPosition::First => (From::First, 0),
                    HandlerPosition::Next => (From::Next, 0),
                    HandlerPosition::Prev => (From::Prev, 0),
                    HandlerPosition::Last => (From::Last, 0),
                    HandlerPosition::Key(op, list) => {
                        (From::Key(comparison(op)?, self.scalars(sql, list)?), list.len())
                    }
                };
                let read = Read { index: 0, from, skip, limit };
                self.read_handler(sql, at, read, index, values, where_clause, out)
            }
        }
    }

    fn find_handler(&self, alias: &str) -> SqlResult<usize> {
        self.tables.handlers.iter().position(|o| o.alias.eq_ignore_ascii_case(alias)).ok_or_else(|| unknown(alias))
    }

    fn open_handler(&mut self, schema: String, name: &str, alias: &str) -> SqlResult<Outcome> {
        if self.tables.handlers.iter().any(|o| o.alias.eq_ignore_ascii_case(alias)) {
            return Err(SqlError::new(ErrorCode::NONUNIQ_TABLE, &[&alias]));
        }
        let text = format!("SELECT * FROM {}.{}", quoted(&schema), quoted(name));
        let before = self.env.mdl.savepoint();
        let plan = self.lock_handler(&text)?;
        let def = match plan.plan.tables.first() {
            Some(t) if plan.plan.views.is_empty() => t.def.clone(),
            _ => return Err(SqlError::new(ErrorCode::WRONG_OBJECT, &[&schema, &name, &"BASE TABLE"])),
        };
        let lock = match def.is_temporary() {
            true => None,
            // granted at once: what the plan has locked stands against the same
            false => {
                let key = MdlKey::table(&def.schema, &def.name);
                Some(self.env.mdl.acquire(&key, MdlType::S, Duration::Explicit, self.deadline())?)
            }
        };
        self.env.mdl.rollback_to(before);
        self.statement_succeeded()?;
        self.tables.handlers.push(Open {
            alias: alias.to_owned(),
            schema,
            name: name.to_owned(),
            id: def.id,
            version: def.version,
            place: Place::default(),
            lock,
        });
        Ok(Outcome::ok())
    }

    /// LIMIT's offset and count; one row without it.
    fn handler_limit(&mut self, sql: &[u8], limit: Option<&Limit<'_>>) -> SqlResult<(u64, u64)> {
        let Some(l) = limit else { return Ok((0, 1)) };
        let mut number = |e: &Expr<'_>| -> SqlResult<u64> {
            let v = self.scalars(sql, std::slice::from_ref(e))?;
            Ok(match v.first() {
                Some((OwnedValue::UInt(n), _)) => *n,
                Some((OwnedValue::Int(n), _)) => u64::try_from(*n).unwrap_or(0),
                _ => 0,
            })
        };
        let skip = l.offset.as_ref().map(&mut number).transpose()?.unwrap_or(0);
        Ok((skip, number(&l.count)?))
    }

    #[allow(clippy::too_many_arguments)]
    fn read_handler(
        &mut self,
        sql: &[u8],
        at: usize,
        mut read: Read,
        index: Option<&str>,
        values: usize,
        condition: Option<&Expr<'_>>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let before = self.env.mdl.savepoint();
        let gave_way = self.lock_read(at)?;
        let Some(open) = self.tables.handlers.get_mut(at) else { return Err(unknown("")) };
        let (alias, id, version) = (open.alias.clone(), open.id, open.version);
        let mut place = open.place.clone();
        let table = format!("{}.{}", quoted(&open.schema), quoted(&open.name));
        let plain = format!("SELECT * FROM {table}");
        let gone = |e: SqlError| if e.is(ErrorCode::NO_SUCH_TABLE) { unknown(&alias) } else { e };
        let def = self.lock_handler(&plain).map_err(gone)?.plan.tables.first().map(|t| t.def.clone());
        let Some(def) = def.filter(|d| d.id == id && (d.version == version || gave_way)) else {
            self.close_handler(at);
            self.statement_succeeded()?;
            return Err(unknown(&alias));
        };
        if def.version != version {
            place = Place::default();
        }
        read.index = key_number(&def, index, values, &alias)?;
        let ignored: Vec<String> =
            def.indexes.iter().filter(|i| !i.parts.is_empty()).map(|i| quoted(&i.name)).collect();
        let hint = if ignored.is_empty() { String::new() } else { format!(" IGNORE INDEX ({})", ignored.join(", ")) };
        let mut text = format!("SELECT * FROM {table} AS {}{hint}", quoted(&alias));
        if let Some(c) = condition {
            text.push_str(" WHERE ");
            text.push_str(&String::from_utf8_lossy(c.span.text(sql)));
        }
        let plan = self.lock_handler(&text)?;
        let cleared = plan.cleared(&self.env)?;
        let start = self.env.trx.begin_statement();
        match executor::handler::read(cleared, &read, &mut place, &mut self.env, out) {
            Ok(()) => {
                self.env.mdl.rollback_to(before);
                self.statement_succeeded()?;
                if let Some(open) = self.tables.handlers.get_mut(at) {
                    (open.place, open.version) = (place, def.version);
                }
                Ok(Outcome::rows())
            }
            Err(e) => {
                self.statement_failed(Some(start), &e);
                Err(e)
            }
        }
    }

    /// The locks of a READ: its handler's own, if it has given way (true then), and that of the reading, which goes
    /// before those who wait for the handler's.
    fn lock_read(&mut self, at: usize) -> SqlResult<bool> {
        let deadline = self.deadline();
        let Some(open) = self.tables.handlers.get_mut(at) else { return Ok(false) };
        if self.env.temp.find(&open.schema, &open.name).is_some() {
            return Ok(false);
        }
        let key = MdlKey::table(&open.schema, &open.name);
        let gave_way = open.lock.is_none();
        if gave_way {
            open.lock = Some(self.env.mdl.acquire(&key, MdlType::S, Duration::Explicit, deadline)?);
        }
        self.env.mdl.acquire_ahead(&key, MdlType::Sr, Duration::Transaction, deadline)?;
        Ok(gave_way)
    }

    /// Plans a SELECT under the metadata locks of its tables.
    fn lock_handler(&mut self, text: &str) -> SqlResult<CachedPlan> {
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, crate::text::lexer_mode(&self.env));
        let arena = Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        self.ready(|s| {
            let resolver = SessionResolver(&s.env);
            let plan = planner::plan_handler(&parsed.statement, &Request::plain(text.as_bytes(), &resolver))?;
            Ok(CachedPlan::new(plan, &s.env))
        })
    }
}

fn comparison(op: BinaryOp) -> SqlResult<CmpOp> {
    Ok(match op {
        BinaryOp::Eq => CmpOp::Eq,
        BinaryOp::Ge => CmpOp::Ge,
        BinaryOp::Gt => CmpOp::Gt,
        BinaryOp::Le => CmpOp::Le,
        BinaryOp::Lt => CmpOp::Lt,
        _ => return Err(SqlError::unsupported("this comparison in HANDLER")),
    })
}

/// The index that a READ names: 1176 when there is none, 1070 for more values than it has parts.
fn key_number(def: &Arc<TableDef>, index: Option<&str>, values: usize, alias: &str) -> SqlResult<usize> {
    let Some(name) = index else { return Ok(0) };
    let at = def
        .indexes
        .iter()
        .position(|i| !i.parts.is_empty() && i.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| SqlError::new(ErrorCode::KEY_DOES_NOT_EXITS, &[&name, &alias]))?;
    if def.is_multi_valued(at) {
        return Err(SqlError::unsupported("HANDLER READ of a multi-valued index"));
    }
    let parts = def.indexes.get(at).map_or(0, |i| i.parts.len());
    if values > parts {
        return Err(SqlError::new(ErrorCode::TOO_MANY_KEY_PARTS, &[&parts]));
    }
    Ok(at)
}
