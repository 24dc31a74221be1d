//! The texts of SHOW CREATE PROCEDURE, FUNCTION, TRIGGER and EVENT: heads in MySQL's spelling and order, parameters and
//! bodies as they were written.
//!
//! How names are quoted is the caller's business ([`Quote`]). Tested: golden `program_show`,
//! `tests/clients/test_program_dumps.py`.

use crate::create::literal;
use crate::schema::programs::{event_time, interval_text, shown, text};
use storage::dict::{DataAccess, EventStatus, ProgramDefinition, Schedule};

/// A name as it is to stand in the text.
pub type Quote<'q> = &'q dyn Fn(&str) -> String;

/// `CREATE DEFINER=`u`@`h` KIND `name``.
fn head(p: &ProgramDefinition, id: Quote<'_>) -> String {
    format!("CREATE DEFINER={}@{} {} {}", id(&p.definer.0), id(&p.definer.1), p.kind.name(), id(&p.name))
}

/// A procedure or function.
pub fn routine(p: &ProgramDefinition, id: Quote<'_>) -> String {
    let mut out = format!("{}({})", head(p, id), text(p, &p.params));
    if !p.returns.is_empty() {
        out.push_str(" RETURNS ");
        out.push_str(&p.returns);
    }
    out.push('\n');
    let mut line = |what: &str| out.push_str(&format!("    {what}\n"));
    if p.access != DataAccess::ContainsSql {
        line(p.access.name());
    }
    if p.deterministic {
        line("DETERMINISTIC");
    }
    if p.invoker {
        line("SQL SECURITY INVOKER");
    }
    if !p.comment.is_empty() {
        line(&format!("COMMENT {}", literal(&p.comment)));
    }
    out.push_str(&text(p, &p.body));
    out
}

/// A trigger.
pub fn trigger(p: &ProgramDefinition, id: Quote<'_>) -> String {
    let Some(t) = &p.trigger else { return String::new() };
    let when = if t.before { "BEFORE" } else { "AFTER" };
    let table = id(&t.table);
    format!("{} {when} {} ON {table} FOR EACH ROW {}", head(p, id), t.event.name(), text(p, &p.body))
}

/// An event.
pub fn event(p: &ProgramDefinition, id: Quote<'_>) -> String {
    let Some(e) = &p.event else { return String::new() };
    let at = |t: i64| format!("'{}'", shown(event_time(e, t), 0));
    let schedule = match &e.schedule {
        Schedule::At(t) => format!("AT {}", at(*t)),
        Schedule::Every { interval, unit, starts, ends } => {
            let ends = ends.map(|t| format!(" ENDS {}", at(t))).unwrap_or_default();
            format!("EVERY {} {unit} STARTS {}{ends}", interval_text(*interval, unit), at(*starts))
        }
    };
    let status = match e.status {
        EventStatus::Enabled => "ENABLE",
        EventStatus::Disabled => "DISABLE",
        EventStatus::ReplicaSideDisabled => "DISABLE ON REPLICA",
    };
    let preserve = if e.preserve { "" } else { "NOT " };
    let comment = if p.comment.is_empty() { String::new() } else { format!(" COMMENT {}", literal(&p.comment)) };
    let body = text(p, &p.body);
    format!("{} ON SCHEDULE {schedule} ON COMPLETION {preserve}PRESERVE {status}{comment} DO {body}", head(p, id))
}
