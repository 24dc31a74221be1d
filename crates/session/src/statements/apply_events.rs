//! BINLOG: applies events of a binary log that `mysqlbinlog` has written as text.
//!
//! A format description comes first; then TABLE_MAP and rows. Each row becomes a change of its table by a statement of
//! its own (`INSERT`, `UPDATE ... LIMIT 1`, `DELETE ... LIMIT 1`) with the values of its images, inside the
//! transaction that BEGIN has opened, or one for the whole BINLOG statement: so constraints, foreign keys, generated
//! columns and the log of this server are as for any change. These statements' plans are kept
//! ([`crate::kernel::row_plans`]). Triggers do not fire: what they did is in the log
//! already. A row is found by the primary key where its image has it, otherwise by all its columns. JSON columns that
//! come as differences are made whole first, with the image before or, where that has no such column, the row itself.
//! A row that is not there is 1032, one that is there already 1062, unless `rbr_exec_mode` is IDEMPOTENT. Text columns
//! are compared by bytes.
//!
//! What the account may not change is refused before ([`crate::kernel::row_gate`]). In an applier's session the
//! statements then run with the server's rights: it takes no SELECT to find a row that may be changed, nor anything on
//! tables that foreign keys lead to, as in MySQL.
//!
//! Crash: as any transaction. Tested: `tests/clients/test_replay.py`.

use crate::kernel::identity::Lent;
use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::row_conversions::Allowed;
use crate::kernel::row_gate::RowGate;
use crate::kernel::row_plans::{AS_STORED, Change, RowPlan, Target};
use crate::kernel::session::Session;
use crate::results::collector::Collector;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::FormatDescription;
use binlog::event::{Event, EventType, Header};
use binlog::rows::{self, Image, Row, Rows};
use binlog::table_map::TableMap;
use bumpalo::Bump;
use catalog::accounts::Privs;
use catalog::sysvar::{Raw, Var};
use executor::gate::Gate;
use parser::ast::{BinlogText, StartTransaction};
use planner::Request;
use std::sync::Arc;
use storage::dict::{Relation, TableDef};
use value::{OwnedValue, SqlMode, SqlType, TimeZone};

/// Who may.
const PRIVILEGES: [&str; 2] = ["BINLOG_ADMIN", "REPLICATION_APPLIER"];

fn syntax() -> SqlError {
    SqlError::new(ErrorCode::SYNTAX_ERROR, &[])
}

/// Base64 of several pieces, each with its own end.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    let mut out = Vec::new();
    let mut rest = digits.as_slice();
    while !rest.is_empty() {
        let pad = rest.iter().position(|b| *b == b'=').unwrap_or(rest.len());
        let after = rest.get(pad..)?.iter().take_while(|b| **b == b'=').count();
        let (piece, next) = rest.split_at_checked(pad + after)?;
        out.extend(value::base64::decode(piece)?);
        rest = next;
    }
    Some(out)
}

/// What is restored when rows have been applied.
struct Before {
    lent: Option<Lent>,
    zone: TimeZone,
    mode: SqlMode,
    vars: [(Var, u64); 4],
}

impl Session {
    /// BINLOG.
    pub(in crate::statements) fn binlog_statement(&mut self, text: &BinlogText<'_>) -> SqlResult<()> {
        let p = &self.env.security.account.privileges;
        if !p.has_global(Privs::SUPER) && !PRIVILEGES.iter().any(|d| p.holds_dynamic(d)) {
            let which = "SUPER, BINLOG_ADMIN or REPLICATION_APPLIER";
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&which]));
        }
        let text = match text {
            BinlogText::Text(t) => t.to_vec(),
            BinlogText::Halves(a, b) => {
                let mut whole = Vec::new();
                for name in [a, b] {
                    match self.env.user_vars.get(name.to_lowercase().as_str()).map(|v| &v.value) {
                        Some(OwnedValue::Str(s)) => whole.extend_from_slice(s),
                        _ => return Err(SqlError::new(ErrorCode::WRONG_TYPE_FOR_VAR, &[name])),
                    }
                }
                whole
            }
        };
        let bytes = decoded(&text).ok_or_else(|| SqlError::new(ErrorCode::BASE64_DECODE_ERROR, &[]))?;
        if bytes.is_empty() {
            return Err(syntax());
        }
        let own = !self.in_transaction() && self.autocommit();
        if own {
            self.begin(&StartTransaction { consistent_snapshot: false, access: None })?;
        }
        let done = self.apply_events(&bytes);
        match (own, &done) {
            (true, Ok(())) => self.commit_transaction()?,
            (true, Err(_)) => self.rollback_transaction()?,
            _ => {}
        }
        done
    }

    /// Applies a format description, TABLE_MAPs and rows, inside a transaction.
    pub(crate) fn apply_events(&mut self, bytes: &[u8]) -> SqlResult<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let header = Header::read(rest).map_err(|_| syntax())?;
            let (event, next) = rest.split_at_checked(header.size as usize).ok_or_else(syntax)?;
            rest = next;
            let kind = EventType::from_u8(header.kind).ok_or_else(syntax)?;
            let name = match kind {
                EventType::FormatDescription => {
                    let format = FormatDescription::read(event).map_err(|_| syntax())?;
                    self.applier.checksum = Some(format.checksum);
                    self.applier.maps.clear();
                    continue;
                }
                EventType::TableMap => "Table_map",
                EventType::WriteRows => "Write_rows",
                EventType::UpdateRows => "Update_rows",
                EventType::DeleteRows => "Delete_rows",
                EventType::PartialUpdateRows => "Update_rows_partial",
                other => {
                    let shown = format!("{other:?}");
                    return Err(SqlError::new(
                        ErrorCode::ONLY_FD_AND_RBR_EVENTS_ALLOWED_IN_BINLOG_STATEMENT,
                        &[&shown],
                    ));
                }
            };
            let missing = || SqlError::new(ErrorCode::NO_FORMAT_DESCRIPTION_EVENT_BEFORE_BINLOG_STATEMENT, &[&name]);
            let checksum = self.applier.checksum.ok_or_else(missing)?;
            let event = Event::read(event, checksum).map_err(|_| syntax())?;
            if kind != EventType::TableMap && kind != EventType::WriteRows {
                self.check_filling_command()?;
            }
            if kind == EventType::TableMap {
                let map = TableMap::read(event.body).map_err(|_| syntax())?;
                self.applier.maps.insert(map.id, Arc::new(map));
            } else {
                self.apply_rows_event(kind, event.body)?;
            }
        }
        Ok(())
    }

    fn apply_rows_event(&mut self, kind: EventType, body: &[u8]) -> SqlResult<()> {
        let id = rows::read_table_id(body).map_err(|_| syntax())?;
        let map = self.applier.maps.get(&id).cloned().ok_or_else(syntax)?;
        let rows = Rows::read(kind, body, &map).map_err(|_| syntax())?;
        let flags = rows.flags;
        let idempotent = self.env.vars.num(Var::rbr_exec_mode) == 1;
        let columns = RowGate::ask(&self.env, &map, kind, idempotent)?;
        let def = self.table_of(&map)?;
        let key = (id, kind as u8, idempotent);
        let allowed = Allowed::of(self.env.shared.globals.num(Var::replica_type_conversions));
        let mut plan = match self.applier.plans.take(key, (&map, &rows), (&def, allowed)) {
            Some(plan) => plan,
            None => RowPlan::new(kind, map.clone(), Target::of(&map, def, allowed)?, &rows, idempotent),
        };
        let before = self.enter_applier(flags);
        let done = self.apply_rows(&mut plan, rows, idempotent, columns.as_ref());
        self.leave_applier(before);
        if done.is_ok() {
            self.applier.plans.keep(key, plan);
        }
        if flags & rows::STMT_END != 0 {
            self.applier.maps.clear();
        }
        done
    }

    /// The table that a map names.
    fn table_of(&self, map: &TableMap) -> SqlResult<Arc<TableDef>> {
        let [schema, name] = [&map.schema, &map.table].map(|n| String::from_utf8_lossy(n));
        let gate = Gate::new(&self.env);
        let changes = Privs::INSERT.with(Privs::UPDATE).with(Privs::DELETE);
        let may = gate.sees(&schema, &name).or_else(|| gate.holds_any(changes, &schema, &name));
        match may.and_then(|may| self.env.relation(may)) {
            Some(Relation::Table(def)) => Ok(def),
            _ => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
        }
    }

    /// Values are as they were stored: TIMESTAMP in UTC, and whatever sql_mode would refuse. The event alone says
    /// whether foreign keys act. The session's own setting does not count: an applier's is that of the last statement
    /// in the log, which may have been a definition with checks off.
    fn enter_applier(&mut self, flags: u16) -> Before {
        let lent = self.lend_rights();
        let env = &mut self.env;
        let mode = AS_STORED;
        let checks = flags & rows::NO_FOREIGN_KEY_CHECKS == 0;
        let here = [
            (Var::sql_mode, mode.0),
            (Var::foreign_key_checks, u64::from(checks)),
            // a value that is there is followed by the next one, whatever this server hands out to its own clients
            (Var::auto_increment_increment, 1),
            (Var::auto_increment_offset, 1),
        ];
        let vars = here.map(|(v, _)| (v, env.vars.num(v)));
        let before = Before { lent, zone: env.conv.time_zone.clone(), mode: env.conv.sql_mode, vars };
        here.into_iter().for_each(|(v, n)| env.vars.store(v, Raw::Num(n)));
        env.conv.sql_mode = mode;
        env.conv.time_zone = TimeZone::UTC;
        env.kernel.applies_rows = true;
        before
    }

    fn leave_applier(&mut self, before: Before) {
        let env = &mut self.env;
        (env.conv.time_zone, env.conv.sql_mode) = (before.zone, before.mode);
        before.vars.into_iter().for_each(|(v, n)| env.vars.store(v, Raw::Num(n)));
        env.kernel.applies_rows = false;
        self.return_rights(before.lent);
    }

    fn apply_rows(
        &mut self,
        plan: &mut RowPlan,
        rows: Rows<'_>,
        idempotent: bool,
        columns: Option<&RowGate>,
    ) -> SqlResult<()> {
        for row in rows {
            let mut row = row.map_err(|_| syntax())?;
            columns.map_or(Ok(()), |c| c.check(&plan.target, &row))?;
            if !row.diffs.is_empty() {
                match self.fill_differences(plan, &mut row) {
                    Ok(()) => {}
                    Err(e) if self.applier.skips.has(&e) || (idempotent && e.is(ErrorCode::KEY_NOT_FOUND)) => continue,
                    Err(e) => return Err(e),
                }
            }
            let values = plan.values(row.before, row.after)?;
            let outcome = loop {
                sched::check_interrupt()?;
                let ready = match plan.plan.take() {
                    Some(ready) => ready,
                    None => self.plan_row(&plan.text, &plan.types)?,
                };
                let ran = self.run_cached(&ready, &values, &mut Collector::default());
                if let Ok(None) = ran {
                    continue;
                }
                plan.plan = Some(ready);
                match ran {
                    Ok(outcome) => break outcome,
                    Err(e) if self.applier.skips.has(&e) => break None,
                    Err(e) => return Err(e),
                }
            };
            let Some(outcome) = outcome else { continue };
            let found = match plan.change {
                Change::Insert => true,
                Change::Update => !outcome.info.starts_with("Rows matched: 0 "),
                Change::Delete => outcome.affected > 0,
            };
            if !found && !idempotent {
                let e = SqlError::new(ErrorCode::KEY_NOT_FOUND, &[&plan.target.def.name]);
                if !self.applier.skips.has(&e) {
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    /// Puts documents in the place of differences: those of the image before, or where that has none the row's own,
    /// with the differences.
    fn fill_differences(&mut self, plan: &mut RowPlan, row: &mut Row) -> SqlResult<()> {
        for (place, diffs) in std::mem::take(&mut row.diffs) {
            let known = row.before.iter().find(|(i, _)| *i == place).map(|(_, v)| v.clone());
            let old = match known {
                Some(v) => v,
                None => self.stored_value(plan, &row.before, place)?,
            };
            let new = match &old {
                OwnedValue::Json(d) => value::json::diff::apply(d, &diffs),
                _ => None,
            };
            let Some(new) = new else {
                let name = plan.target.columns.get(place).map_or("", |c| c.name.as_str());
                return Err(SqlError::new(ErrorCode::COULD_NOT_APPLY_JSON_DIFF, &[&plan.target.def.name, &name]));
            };
            if let Some((_, v)) = row.after.iter_mut().flatten().find(|(i, _)| *i == place) {
                *v = OwnedValue::Json(new.into());
            }
        }
        Ok(())
    }

    /// The value of a column of the row with this image before, which is locked. 1032: there is no such row.
    fn stored_value(&mut self, plan: &RowPlan, before: &Image, place: usize) -> SqlResult<OwnedValue> {
        let missing = || SqlError::new(ErrorCode::KEY_NOT_FOUND, &[&plan.target.def.name]);
        let (text, types, values) = plan.reading(before, place).ok_or_else(missing)?;
        let mut found = None;
        loop {
            let ready = self.plan_row(&text, &types)?;
            let read = self.run_bracketed(&ready, |s, cleared| {
                executor::each_value_row(cleared, &values, &mut s.env, &mut |row| {
                    found = row.first().map(|v| v.to_owned());
                    Ok(false)
                })?;
                Ok(Outcome::rows())
            })?;
            if read.is_some() {
                return found.ok_or_else(missing);
            }
        }
    }

    fn plan_row(&mut self, text: &str, types: &[SqlType]) -> SqlResult<CachedPlan> {
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(text.as_bytes(), 0, parser::Mode::default());
        let arena = Bump::new();
        let parsed = parser::parse(&arena, text.as_bytes(), &mut lexed)?;
        self.ready(|s| {
            let resolver = SessionResolver(&s.env);
            let plan = planner::plan(&parsed.statement, &Request::plain(text.as_bytes(), &resolver).with(types))?;
            Ok(CachedPlan::new(plan, &s.env))
        })
    }
}
