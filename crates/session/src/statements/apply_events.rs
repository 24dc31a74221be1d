//! BINLOG: applies events of a binary log that `mysqlbinlog` has written as text.
//!
//! A format description comes first; then TABLE_MAP and rows. Each row becomes a change of its table by a statement of
//! its own (`INSERT`, `UPDATE ... LIMIT 1`, `DELETE ... LIMIT 1`) with the values of its images, inside the
//! transaction that BEGIN has opened, or one for the whole BINLOG statement: so constraints, foreign keys, generated
//! columns and the log of this server are as for any change. Triggers do not fire: what they did is in the log
//! already. A row is found by the primary key where its image has it, otherwise by all its columns. A row that is not
//! there is 1032, one that is there already 1062, unless `rbr_exec_mode` is IDEMPOTENT. Text columns are compared by
//! bytes.
//!
//! Crash: as any transaction. Tested: `tests/clients/test_replay.py`.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::collector::Collector;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::event::{Event, EventType, Header};
use binlog::rows::{self, Columns, Image, Rows};
use binlog::table_map::TableMap;
use binlog::{FormatDescription, WireType};
use bumpalo::Bump;
use catalog::accounts::Privs;
use catalog::sysvar::{Raw, Var};
use executor::gate::Gate;
use parser::ast::{BinlogText, StartTransaction};
use planner::Request;
use std::sync::Arc;
use storage::dict::{ColumnDef, IndexKind, Relation, TableDef};
use value::{OwnedValue, SqlMode, SqlType, TimeZone, TypeKind};
use views::create::quote;

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

/// What a kind of change does with the images.
enum Change {
    Insert,
    Update,
    Delete,
}

/// A table that rows go to.
struct Target {
    def: Arc<TableDef>,
    /// Columns of the definition, in the order of the event's.
    columns: Vec<ColumnDef>,
}

impl Target {
    fn column(&self, place: usize) -> Option<&ColumnDef> {
        self.columns.get(place)
    }

    fn name(&self) -> String {
        format!("{}.{}", quote(&self.def.schema), quote(&self.def.name))
    }

    /// Places of the image by which a row is found.
    fn key(&self, image: &Columns) -> Vec<usize> {
        let has = |name: &str| self.columns.iter().position(|c| c.name == name).filter(|i| image.has(*i));
        let primary = self.def.indexes.iter().find(|i| i.kind == IndexKind::Primary);
        let key = primary.and_then(|i| {
            let whole = i.parts.iter().all(|p| p.prefix == 0);
            let names = i.parts.iter().map(|p| self.def.columns.get(usize::from(p.column)).map(|c| c.name.as_str()));
            whole.then(|| names.map(|n| has(n?)).collect::<Option<Vec<usize>>>())?
        });
        key.unwrap_or_else(|| image.iter().filter(|i| self.column(*i).is_some()).collect())
    }

    /// Places of the image whose values are assigned.
    fn assigned(&self, image: &Columns) -> Vec<usize> {
        image.iter().filter(|i| self.column(*i).is_some_and(|c| c.generated.is_none())).collect()
    }

    fn condition(&self, key: &[usize]) -> String {
        let one = |i: &usize| {
            let Some(c) = self.column(*i) else { return String::new() };
            let name = quote(&c.name);
            match c.ty.kind.is_string() && !c.ty.kind.is_binary_string() && c.ty.kind != TypeKind::Json {
                _ if !c.ty.nullable => format!("{name} = ?"),
                true => format!("BINARY {name} <=> BINARY ?"),
                false => format!("{name} <=> ?"),
            }
        };
        key.iter().map(one).collect::<Vec<_>>().join(" AND ")
    }
}

/// Type of the parameter that stands for a column's value.
fn parameter_type(ty: &SqlType) -> SqlType {
    let plain = match ty.kind {
        TypeKind::Timestamp => SqlType::temporal(TypeKind::DateTime, ty.decimals),
        TypeKind::Year => SqlType::bigint(),
        TypeKind::Enum | TypeKind::Set | TypeKind::Bit => SqlType::bigint_unsigned(),
        TypeKind::Float => SqlType::double(),
        _ => ty.clone(),
    };
    plain.nullable(true)
}

/// What is restored when rows have been applied.
struct Before {
    zone: TimeZone,
    mode: SqlMode,
    vars: [(Var, u64); 2],
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
                EventType::PartialUpdateRows => return Err(SqlError::unsupported("BINLOG of partial JSON updates")),
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
            if kind == EventType::TableMap {
                let map = TableMap::read(event.body).map_err(|_| syntax())?;
                self.applier.maps.insert(map.id, map);
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
        let target = self.target_of(&map)?;
        let before = self.enter_applier(flags);
        let done = self.apply_rows(kind, &target, rows);
        self.leave_applier(before);
        if flags & rows::STMT_END != 0 {
            self.applier.maps.clear();
        }
        done
    }

    /// The table that a map names: its columns must be of the types of the event's (1677).
    fn target_of(&self, map: &TableMap) -> SqlResult<Target> {
        let [schema, name] = [&map.schema, &map.table].map(|n| String::from_utf8_lossy(n).into_owned());
        let may = Gate::new(&self.env).sees(&schema, &name);
        let Some(Relation::Table(def)) = may.and_then(|may| self.env.relation(may)) else {
            return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name]));
        };
        let columns: Vec<ColumnDef> = def.columns.iter().filter(|c| !c.is_hidden()).cloned().collect();
        for (n, (theirs, ours)) in map.columns.iter().zip(&columns).enumerate() {
            let wire = WireType::of(&ours.ty);
            if std::mem::discriminant(&wire) != std::mem::discriminant(&theirs.wire) {
                let (from, to) = (format!("{:?}", theirs.wire), format!("{wire:?}"));
                return Err(SqlError::new(ErrorCode::REPLICA_CONVERSION_FAILED, &[&n, &schema, &name, &from, &to]));
            }
        }
        Ok(Target { def, columns })
    }

    /// Values are as they were stored: TIMESTAMP in UTC, and whatever sql_mode would refuse.
    fn enter_applier(&mut self, flags: u16) -> Before {
        let env = &mut self.env;
        let vars = [Var::sql_mode, Var::foreign_key_checks].map(|v| (v, env.vars.num(v)));
        let before = Before { zone: env.conv.time_zone.clone(), mode: env.conv.sql_mode, vars };
        let mode = SqlMode::NO_AUTO_VALUE_ON_ZERO;
        env.vars.store(Var::sql_mode, Raw::Num(mode.0));
        env.conv.sql_mode = mode;
        env.conv.time_zone = TimeZone::UTC;
        if flags & rows::NO_FOREIGN_KEY_CHECKS != 0 {
            env.vars.store(Var::foreign_key_checks, Raw::Num(0));
        }
        env.kernel.applies_rows = true;
        before
    }

    fn leave_applier(&mut self, before: Before) {
        let env = &mut self.env;
        (env.conv.time_zone, env.conv.sql_mode) = (before.zone, before.mode);
        before.vars.into_iter().for_each(|(v, n)| env.vars.store(v, Raw::Num(n)));
        env.kernel.applies_rows = false;
    }

    fn apply_rows(&mut self, kind: EventType, target: &Target, rows: Rows<'_>) -> SqlResult<()> {
        let idempotent = self.env.vars.num(Var::rbr_exec_mode) == 1;
        let (key, first) = (target.key(&rows.before), target.assigned(&rows.before));
        let second = rows.after.as_ref().map(|a| target.assigned(a)).unwrap_or_default();
        let names = |places: &[usize], suffix: &str| {
            let name = |i: &usize| target.column(*i).map(|c| format!("{}{suffix}", quote(&c.name))).unwrap_or_default();
            places.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        let (change, text) = match kind {
            EventType::WriteRows => {
                let verb = if idempotent { "REPLACE" } else { "INSERT" };
                let values = vec!["?"; first.len()].join(", ");
                let text = format!("{verb} INTO {} ({}) VALUES ({values})", target.name(), names(&first, ""));
                (Change::Insert, text)
            }
            EventType::UpdateRows => {
                let set = names(&second, " = ?");
                let text = format!("UPDATE {} SET {set} WHERE {} LIMIT 1", target.name(), target.condition(&key));
                (Change::Update, text)
            }
            _ => {
                let text = format!("DELETE FROM {} WHERE {} LIMIT 1", target.name(), target.condition(&key));
                (Change::Delete, text)
            }
        };
        let places: Vec<usize> = match change {
            Change::Insert => first,
            Change::Update => second.iter().chain(&key).copied().collect(),
            Change::Delete => key.clone(),
        };
        let types = places.iter().filter_map(|i| target.column(*i)).map(|c| parameter_type(&c.ty)).collect::<Vec<_>>();
        let mut plan = self.plan_row(&text, &types)?;
        for row in rows {
            let (before, after) = row.map_err(|_| syntax())?;
            let of = |image: &Image, places: &[usize]| -> Vec<OwnedValue> {
                let value = |p: &usize| image.iter().find(|(i, _)| i == p).map(|(_, v)| v.clone()).unwrap_or_default();
                places.iter().map(value).collect()
            };
            let values = match (&change, &after) {
                (Change::Update, Some(after)) => {
                    let mut values = of(after, &second);
                    values.extend(of(&before, &key));
                    values
                }
                _ => of(&before, &places),
            };
            let outcome = loop {
                sched::check_interrupt()?;
                match self.run_cached(&plan, &values, &mut Collector::default())? {
                    Some(outcome) => break outcome,
                    None => plan = self.plan_row(&text, &types)?,
                }
            };
            let found = match change {
                Change::Insert => true,
                Change::Update => !outcome.info.starts_with("Rows matched: 0 "),
                Change::Delete => outcome.affected > 0,
            };
            if !found && !idempotent {
                return Err(SqlError::new(ErrorCode::KEY_NOT_FOUND, &[&target.def.name]));
            }
        }
        Ok(())
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
