//! One run of an event, in a thread and a session of its own that acts as the definer.
//!
//! First the run is noted in the dictionary under the event's metadata lock (an event that was altered, disabled or
//! dropped meanwhile does not run); then the body runs as a procedure without parameters would, in the event's
//! schema and time zone; what it says goes to the error log. After its last run an event that is not to be preserved
//! is dropped. Rows of queries go nowhere. Tested: `tests/clients/test_events.py`.

use super::scheduler::{Due, say};
use crate::kernel::programs::call::CallHost;
use crate::kernel::programs::load;
use crate::kernel::server::Server;
use crate::kernel::session::Session;
use crate::results::collector::Collector;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Privileges, Privs};
use catalog::client::{Capabilities, Command, SessionContext};
use catalog::sysvar::{Raw, Var};
use executor::binlog::Kind;
use executor::gate::{self, Inside};
use std::sync::Arc;
use storage::dict::{Ddl, EventStatus, ProgramDefinition, ProgramKind};
use value::Level;

/// Starts the run.
pub(super) fn start(server: &Arc<Server>, due: Due) {
    let stack = server.globals.num(Var::thread_stack) as usize;
    let own = server.clone();
    let body = move || {
        sched::stack::begin(stack);
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&own, &due))).is_err() {
            probe::inc(probe::Counter::SessionPanics);
        }
    };
    let thread = std::thread::Builder::new().name("event_worker".into()).stack_size(stack + sched::stack::SLACK);
    if let Err(e) = thread.spawn(body) {
        say("Error", 10_249, &format!("Event Scheduler: Can't create a thread (errno= {e})"));
    }
}

/// An event whose time was over when the scheduler met it: disabled, or dropped, as one is after its last run. In a
/// session that may do everything, for its definer need not be there any more.
fn expire(server: &Arc<Server>, due: &Due) {
    let p = &due.definition;
    let mut context = context(server, p);
    context.account = ("event_scheduler".to_owned(), "localhost".to_owned());
    let id = context.conn.id();
    let mut account = Account::new("event_scheduler", "localhost");
    account.privileges = Privileges::all();
    let done = Session::with_account(server, context, Arc::new(account), true).and_then(|mut session| {
        let attached = session.sched.clone();
        let _attached = attached.attach();
        session.expire(due)
    });
    server.connections.unregister(id);
    // a server that only reads keeps it as it is
    if let Ok(true) = done {
        say("Note", 10_450, &format!("Event Scheduler: Dropping {}.{}", p.schema, p.name));
    }
}

fn context(server: &Server, p: &ProgramDefinition) -> SessionContext {
    let conn = server.connections.register(&p.definer.1);
    conn.set_who(&p.definer.0, &p.definer.1);
    conn.set_db(Some(&p.schema));
    SessionContext {
        conn,
        account: p.definer.clone(),
        user: "event_scheduler".to_owned(),
        host: "localhost".to_owned(),
        database: None,
        collation: p.connection.0,
        capabilities: Capabilities(Capabilities::MULTI_STATEMENTS),
        attributes: Vec::new(),
        tls: None,
        unix_socket: true,
    }
}

/// `[user@host][schema.event]`
fn tag(p: &ProgramDefinition, between: &str) -> String {
    format!("[{}@{}]{between}[{}.{}]", p.definer.0, p.definer.1, p.schema, p.name)
}

fn run(server: &Arc<Server>, due: &Due) {
    let p = &due.definition;
    if due.expired {
        return expire(server, due);
    }
    if due.last {
        let end = if p.event.as_ref().is_some_and(|e| e.preserve) { "" } else { "Dropping." };
        say("Note", 10_044, &format!("Event Scheduler: Last execution of {}.{}. {end}", p.schema, p.name));
    }
    let id = match server.accounts.get(&p.definer.0, &p.definer.1) {
        None => {
            let text = format!("Event Scheduler: {} execution failed, failed to authenticate the user.", tag(p, "."));
            say("Error", 10_447, &text);
            let e = SqlError::new(ErrorCode::NO_SUCH_USER, &[&p.definer.0, &p.definer.1]);
            tell(p, "Error", e.message());
            note_without_account(server, due);
            return;
        }
        Some(_) => {
            let context = context(server, p);
            let id = context.conn.id();
            let connection = context.conn.clone();
            match Session::open(server, context) {
                Ok(mut session) => {
                    let attached = session.sched.clone();
                    let _attached = attached.attach();
                    // the process list shows who it acts as
                    connection.set_who(&p.definer.0, &p.definer.1);
                    connection.served_by("event_worker");
                    session.run_event(due);
                }
                Err(e) => tell(p, "Error", e.message()),
            }
            id
        }
    };
    server.connections.unregister(id);
}

/// What an event says goes to the error log.
fn tell(p: &ProgramDefinition, label: &'static str, message: &str) {
    say(label, 10_045, &format!("Event Scheduler: {} {message}", tag(p, "")));
}

/// The run is noted although nobody runs it.
fn note_without_account(server: &Server, due: &Due) {
    let noted = Ddl::begin(&server.engine, 0).and_then(|mut ddl| {
        let d = &due.definition;
        let now = gate::programs::event(&server.engine, &d.schema, &d.name, Inside::Program);
        if let Some(now) = now.filter(|n| (n.id, n.version) == (due.definition.id, due.definition.version)) {
            ddl.keep_program(&now, noted(&now, due.last))?;
        }
        ddl.commit()
    });
    if noted.is_err() {
        say("Error", 10_046, &format!("Event Scheduler: {} could not be noted.", tag(&due.definition, ".")));
    }
}

/// The definition after a run; after the last one it is disabled.
fn noted(p: &ProgramDefinition, last: bool) -> ProgramDefinition {
    let mut new = p.clone();
    if let Some(e) = &mut new.event {
        e.last_executed = Some(executor::env::wall_clock_us().div_euclid(1_000_000));
        if last {
            e.status = EventStatus::Disabled;
        }
    }
    new
}

impl Session {
    /// Whether the event was dropped.
    fn expire(&mut self, due: &Due) -> SqlResult<bool> {
        self.env.client.connection.begin_command(Command::Connect);
        self.env.begin_statement();
        self.check_read_only()?;
        if due.definition.event.as_ref().is_some_and(|e| !e.preserve) {
            return self.drop_expired(due);
        }
        let done = match self.still_due(due) {
            Ok(Some(now)) => {
                let mut new = ProgramDefinition::clone(&now);
                new.event.iter_mut().for_each(|e| e.status = EventStatus::Disabled);
                self.keep_program(&now, new)
            }
            other => other.map(drop),
        };
        self.env.mdl.release_transaction();
        done.map(|()| false)
    }

    fn run_event(&mut self, due: &Due) {
        let p = &due.definition;
        let connection = self.env.client.connection.clone();
        connection.begin_command(Command::Connect);
        self.env.begin_statement();
        match self.note_run(due) {
            Ok(true) => {}
            Ok(false) => return,
            // a server that only reads runs it all the same
            Err(e) if e.is(ErrorCode::OPTION_PREVENTS_STATEMENT) => {}
            Err(e) => return tell(p, "Error", e.message()),
        }
        if !self.env.security.account.privileges.on_database(&p.schema).has(Privs::EVENT) {
            let text = "execution failed, user no longer has EVENT privilege.";
            say("Error", 10_448, &format!("Event Scheduler: {} {text}", tag(p, ".")));
            tell(p, "Error", self.database_denied(&p.schema).message());
            return;
        }
        // what the process list shows between the body's statements
        connection.set_text(&parser::secrets::Shown::of(&p.body, true));
        let begun = self.log.measure(&self.env, 0);
        let done = self.run_event_body(p);
        self.log.event_ran(&self.env, begun, &done);
        if let Err(e) = done {
            tell(p, "Error", e.message());
            say("Note", 10_046, &format!("Event Scheduler: {} event execution failed.", tag(p, ".")));
        }
        for w in std::mem::take(&mut self.env.conv.warnings) {
            match w.level {
                Level::Warning => tell(p, "Warning", &w.message),
                Level::Note => tell(p, "Note", &w.message),
                Level::Error => {}
            }
        }
        if due.last && p.event.as_ref().is_some_and(|e| !e.preserve) {
            say("Note", 10_450, &format!("Event Scheduler: Dropping {}.{}", p.schema, p.name));
            if let Err(e) = self.drop_expired(due) {
                tell(p, "Error", e.message());
            }
        }
    }

    /// The event as it is in the dictionary, under its exclusive lock, if it is still the one that is due.
    fn still_due(&mut self, due: &Due) -> SqlResult<Option<Arc<ProgramDefinition>>> {
        let p = &due.definition;
        self.lock_program(ProgramKind::Event, &p.schema, &p.name)?;
        let now = self.env.program(ProgramKind::Event, &p.schema, &p.name, Inside::Program);
        Ok(now.filter(|n| (n.id, n.version) == (p.id, p.version)))
    }

    /// Notes the run; `false`: the event has changed.
    fn note_run(&mut self, due: &Due) -> SqlResult<bool> {
        self.check_read_only()?;
        let now = self.still_due(due);
        let done = match now {
            Ok(Some(now)) => self.keep_program(&now, noted(&now, due.last)).map(|()| true),
            Ok(None) => Ok(false),
            Err(e) => Err(e),
        };
        self.env.mdl.release_transaction();
        done
    }

    fn keep_program(&mut self, old: &ProgramDefinition, new: ProgramDefinition) -> SqlResult<()> {
        let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
        ddl.keep_program(old, new)?;
        Ok(ddl.commit()?)
    }

    /// Whether it was still there.
    fn drop_expired(&mut self, due: &Due) -> SqlResult<bool> {
        self.commit_for_ddl()?;
        let now = self.still_due(due);
        let done = now.and_then(|now| match now {
            Some(now) => {
                let mut ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
                ddl.drop_program(&now)?;
                let quote = views::create::quote;
                let text = format!("DROP EVENT {}.{}", quote(&now.schema), quote(&now.name));
                self.env.binlog.begin_text(Kind::Definition, text.as_bytes(), vec![now.schema.clone()]);
                self.commit_logged(ddl).map(|()| true)
            }
            None => Ok(false),
        });
        self.env.mdl.release_transaction();
        done
    }

    fn run_event_body(&mut self, p: &Arc<ProgramDefinition>) -> SqlResult<()> {
        let zone = p.event.as_ref().map_or("SYSTEM", |e| e.time_zone.as_str());
        self.env.vars.store(Var::time_zone, Raw::Text(Some(zone.into())));
        self.apply_settings();
        self.use_schema(&p.schema)?;
        let mut rows = Collector::default();
        let unit = load::load(&mut self.env, p)?;
        let mut areas = program::Areas::default();
        let mut host = CallHost::new(self, &mut rows);
        let done = program::run::procedure(&unit, &[], &mut host, &mut areas).map(drop);
        self.env.conv.warnings = areas.present.iter().map(program::Condition::row).collect();
        let ended = match &done {
            Ok(()) => self.statement_succeeded(),
            Err(_) => Ok(()),
        };
        done.and(ended)
    }
}
