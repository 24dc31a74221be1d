//! CREATE EVENT and ALTER EVENT.
//!
//! A schedule is evaluated when it is written. An event whose time is over is not made (a note, 1588) or, with ON
//! COMPLETION PRESERVE, made disabled (1544, unless the statement itself says so); ALTER EVENT refuses what would be
//! over (1589). Who alters an event becomes its definer.

use super::{event_times, texts};
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::Var;
use executor::gate::Inside;
use parser::ast::{self, AlterEvent, CreateProgram, EventStatus as Written};
use storage::dict::{Ddl, EventOf, EventStatus, ProgramDefinition, ProgramKind, Schedule};
use value::Level;

fn status_of(s: Written) -> EventStatus {
    match s {
        Written::Enable => EventStatus::Enabled,
        Written::Disable => EventStatus::Disabled,
        Written::DisableOnReplica => EventStatus::ReplicaSideDisabled,
    }
}

impl Session {
    /// An event that comes from a source runs there, and not here.
    fn arriving(&self, status: EventStatus) -> EventStatus {
        match status {
            EventStatus::Enabled if self.env.binlog.origin().is_some() && !self.applier.own_past => {
                EventStatus::ReplicaSideDisabled
            }
            other => other,
        }
    }

    pub(super) fn create_event(&mut self, sql: &[u8], c: &CreateProgram<'_>, schema: &str) -> SqlResult<()> {
        let Some(head) = c.event else { return Err(SqlError::unsupported("an event without a schedule")) };
        let name = c.name.name;
        let definer = self.program_definer(c.definer.as_ref())?;
        self.require_on_schema(Privs::EVENT, schema)?;
        self.no_locked_tables()?;
        self.program_schema_there(schema)?;
        let schedule = self.schedule(sql, &head.schedule)?;
        let preserve = head.preserve.unwrap_or(false);
        let over = self.is_over(&schedule);
        if over && !preserve {
            self.program_note(SqlError::new(ErrorCode::EVENT_CANNOT_CREATE_IN_THE_PAST, &[]));
            return Ok(());
        }
        self.lock_program(ProgramKind::Event, schema, name)?;
        self.program_schema_there(schema)?;
        self.log_program(sql, c, &definer);
        if self.env.program_identity(ProgramKind::Event, schema, name).is_some() {
            let e = SqlError::new(ErrorCode::EVENT_ALREADY_EXISTS, &[&name]);
            if !c.if_not_exists {
                return Err(e);
            }
            self.program_note(e);
            return Ok(());
        }
        let mut p = self.program_settings(ProgramKind::Event, schema, name);
        p.definer = definer;
        if let Some(comment) = head.comment {
            p.comment = self.event_comment(comment)?;
        }
        p.body = texts::body(sql, &c.body, true);
        let mut status = head.status.map_or(EventStatus::Enabled, status_of);
        if over && status == EventStatus::Enabled {
            status = EventStatus::Disabled;
            self.program_note(SqlError::new(ErrorCode::EVENT_EXEC_TIME_IN_THE_PAST, &[]));
        }
        let status = self.arriving(status);
        let originator = self.env.shared.globals.num(Var::server_id);
        let time_zone = self.event_zone();
        p.event = Some(EventOf { schedule, status, preserve, time_zone, last_executed: None, originator });
        let p = self.compiles(p)?;
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.create_program(p)?;
        self.commit_logged(ddl)?;
        self.server.events.wake();
        Ok(())
    }

    /// ALTER EVENT.
    pub(crate) fn alter_event(&mut self, sql: &[u8], a: &AlterEvent<'_>) -> SqlResult<()> {
        let schema = self.schema_of_program(&a.name)?;
        self.begin_program_ddl()?;
        let done = self.alter_stored_event(sql, &schema, a);
        self.end_definition(done)
    }

    fn alter_stored_event(&mut self, sql: &[u8], schema: &str, a: &AlterEvent<'_>) -> SqlResult<()> {
        let name = a.name.name;
        self.require_on_schema(Privs::EVENT, schema)?;
        let to = match &a.rename {
            Some(t) => Some(self.new_event_name(schema, name, t)?),
            None => None,
        };
        let definer = self.program_definer(a.definer.as_ref())?;
        self.no_locked_tables()?;
        let written = a.schedule.as_ref().map(|s| self.schedule(sql, s)).transpose()?;
        self.lock_program(ProgramKind::Event, schema, name)?;
        if let Some((s, n)) = &to {
            self.lock_program(ProgramKind::Event, s, n)?;
        }
        // the new name is asked for first
        if let Some((s, n)) = &to {
            let itself = s == schema && storage::dict::programs::folded(n) == storage::dict::programs::folded(name);
            if !itself && self.env.program_identity(ProgramKind::Event, s, n).is_some() {
                return Err(SqlError::new(ErrorCode::EVENT_ALREADY_EXISTS, &[n]));
            }
        }
        let Some(old) = self.env.program(ProgramKind::Event, schema, name, Inside::Program) else {
            return Err(SqlError::new(ErrorCode::EVENT_DOES_NOT_EXIST, &[&name]));
        };
        self.may_touch_definer(&old)?;
        let mut new = ProgramDefinition::clone(&old);
        self.alter_definition(sql, a, written, &mut new)?;
        new.definer = definer;
        if let Some((s, n)) = to {
            (new.schema, new.name) = (s, n);
        }
        let new = self.compiles(new)?;
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.replace_program(&old, new)?;
        self.commit_logged(ddl)?;
        self.server.events.wake();
        Ok(())
    }

    /// RENAME TO: 1046, 1551 for the same name, 1044, 1049.
    fn new_event_name(&self, schema: &str, name: &str, to: &ast::TableName<'_>) -> SqlResult<(String, String)> {
        base::names::short(to.name)?;
        let new = self.schema_of_program(to)?;
        if new == schema && planner::same_name(to.name, name) {
            return Err(SqlError::new(ErrorCode::EVENT_SAME_NAME, &[]));
        }
        self.require_on_schema(Privs::EVENT, &new)?;
        self.program_schema_there(&new)?;
        Ok((new, to.name.to_owned()))
    }

    /// What is written takes the place of what was.
    fn alter_definition(
        &mut self,
        sql: &[u8],
        a: &AlterEvent<'_>,
        written: Option<Schedule>,
        new: &mut ProgramDefinition,
    ) -> SqlResult<()> {
        let settings = self.program_settings(ProgramKind::Event, &new.schema, &new.name);
        (new.client, new.connection, new.database) = (settings.client, settings.connection, settings.database);
        new.altered = settings.altered;
        if let Some(comment) = a.comment {
            new.comment = self.event_comment(comment)?;
        }
        if let Some(body) = &a.body {
            new.body = texts::body(sql, body, true);
            new.sql_mode = settings.sql_mode;
        }
        let zone = self.event_zone();
        let originator = self.env.shared.globals.num(Var::server_id);
        let Some(e) = &mut new.event else { return Ok(()) };
        e.originator = originator;
        e.preserve = a.preserve.unwrap_or(e.preserve);
        e.status = a.status.map_or(e.status, |s| self.arriving(status_of(s)));
        let Some(schedule) = written else { return Ok(()) };
        (e.time_zone, e.last_executed) = (zone, None);
        let over = self.is_over(&schedule);
        if over && !e.preserve {
            return Err(SqlError::new(ErrorCode::EVENT_CANNOT_ALTER_IN_THE_PAST, &[]));
        }
        if over && a.status.is_none_or(|s| status_of(s) == EventStatus::Enabled) {
            e.status = EventStatus::Disabled;
            self.env.conv.push(Level::Note, SqlError::new(ErrorCode::EVENT_EXEC_TIME_IN_THE_PAST, &[]));
        }
        e.schedule = schedule;
        Ok(())
    }

    /// COMMENT: 3507 for one that is too long.
    fn event_comment(&self, bytes: &[u8]) -> SqlResult<String> {
        let text = self.program_text(bytes);
        if text.chars().count() > 2048 {
            return Err(SqlError::new(ErrorCode::UNABLE_TO_UPDATE_DD_OBJECT, &[&"events"]));
        }
        Ok(text)
    }

    fn event_zone(&self) -> String {
        self.env.vars.text(Var::time_zone).map_or_else(|| "SYSTEM".to_owned(), |t| t.to_string())
    }

    /// When this statement began, in seconds since 1970.
    fn this_second(&self) -> i64 {
        self.env.clock.now_us.div_euclid(1_000_000)
    }

    /// Whether there will be no run any more.
    fn is_over(&self, s: &Schedule) -> bool {
        let last = match s {
            Schedule::At(at) => Some(*at),
            Schedule::Every { ends, .. } => *ends,
        };
        last.is_some_and(|t| t < self.this_second())
    }

    /// What a schedule says now: 1525, 1542, 1543.
    fn schedule(&mut self, sql: &[u8], s: &ast::Schedule<'_>) -> SqlResult<Schedule> {
        match s {
            ast::Schedule::At(e) => Ok(Schedule::At(self.event_second(sql, "AT", e)?)),
            ast::Schedule::Every { value, unit, starts, ends } => {
                let n = self.event_value(sql, value)?;
                let interval = event_times::interval(&n, *unit, &self.env.conv)?;
                let starts = match starts {
                    Some(e) => self.event_second(sql, "STARTS", e)?,
                    None => self.this_second(),
                };
                let ends = match ends {
                    Some(e) => Some(self.event_end(sql, e, starts)?),
                    None => None,
                };
                Ok(Schedule::Every { interval, unit: unit.name().to_ascii_uppercase(), starts, ends })
            }
        }
    }

    /// ENDS is after STARTS: 1543, also for what is no time.
    fn event_end(&mut self, sql: &[u8], e: &ast::Expr<'_>, starts: i64) -> SqlResult<i64> {
        let at = self.event_second(sql, "ENDS", e);
        let wrong = || SqlError::new(ErrorCode::EVENT_ENDS_BEFORE_STARTS, &[]);
        match at {
            Err(e) if e.is(ErrorCode::WRONG_VALUE) => Err(wrong()),
            Ok(at) if at <= starts => Err(wrong()),
            at => at,
        }
    }

    fn event_value(&mut self, sql: &[u8], e: &ast::Expr<'_>) -> SqlResult<(value::OwnedValue, value::SqlType)> {
        let calls = || {
            let resolver = SessionResolver(&self.env);
            let plan = planner::plan_scalars(std::slice::from_ref(e), &planner::Request::plain(sql, &resolver))?;
            SqlResult::Ok(!plan.functions.is_empty())
        };
        if crate::kernel::statement_kinds::names_tables(e) || calls()? {
            let what = "Event schedule expressions which contain subqueries or stored function calls";
            return Err(SqlError::new(ErrorCode::NOT_SUPPORTED_YET, &[&what]));
        }
        let mut values = self.scalars(sql, std::slice::from_ref(e))?;
        values.pop().ok_or_else(|| SqlError::unsupported("a schedule without a value"))
    }

    fn event_second(&mut self, sql: &[u8], what: &str, e: &ast::Expr<'_>) -> SqlResult<i64> {
        let v = self.event_value(sql, e)?;
        event_times::second(what, &v, self.env.time_zone(), &self.env.conv)
    }
}
