//! ROUTINES, PARAMETERS, TRIGGERS and EVENTS: stored programs as information_schema and SHOW show them.
//!
//! Who may know of a program, and who of its body, is the gate's rule ([`executor::gate::programs`]). Texts are kept in
//! the character set of the client that wrote them and shown in UTF-8; an event's times are in the event's own time
//! zone.
//!
//! Tested: golden `program_show`, `tests/access`.

use super::column_types::{INTERVAL, ROUTINE, SQL_MODES};
use super::columns::type_columns;
use super::{Hints, NULL, Row, SessionView, Spec, T, datetime, passes, s, u};
use crate::create::{column_type, type_name};
use base::SqlResult;
use catalog::sysvar::{Raw, Var, option_text};
use executor::gate::programs::{Sees, sees};
use std::sync::Arc;
use storage::dict::{EventOf, EventStatus, ProgramDefinition, ProgramKind, Schedule};
use value::{OwnedValue, SqlType};

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "ROUTINES",
        columns: &[
            ("SPECIFIC_NAME", T::S(64), false),
            ("ROUTINE_CATALOG", T::Bin(64), false),
            ("ROUTINE_SCHEMA", T::Bin(64), false),
            ("ROUTINE_NAME", T::S(64), false),
            ("ROUTINE_TYPE", ROUTINE, false),
            ("DATA_TYPE", T::Text, true),
            ("CHARACTER_MAXIMUM_LENGTH", T::I, true),
            ("CHARACTER_OCTET_LENGTH", T::I, true),
            ("NUMERIC_PRECISION", T::UInt, true),
            ("NUMERIC_SCALE", T::UInt, true),
            ("DATETIME_PRECISION", T::UInt, true),
            ("CHARACTER_SET_NAME", T::S(64), true),
            ("COLLATION_NAME", T::S(64), true),
            ("DTD_IDENTIFIER", T::Text, true),
            ("ROUTINE_BODY", T::Word(8), false),
            ("ROUTINE_DEFINITION", T::Text, true),
            ("EXTERNAL_NAME", T::Nothing, true),
            ("EXTERNAL_LANGUAGE", T::Or(&T::Bin(64), "SQL"), false),
            ("PARAMETER_STYLE", T::Word(3), false),
            ("IS_DETERMINISTIC", T::Word(3), false),
            ("SQL_DATA_ACCESS", T::Enum(&["CONTAINS SQL", "NO SQL", "READS SQL DATA", "MODIFIES SQL DATA"]), false),
            ("SQL_PATH", T::Nothing, true),
            ("SECURITY_TYPE", T::Enum(&["DEFAULT", "INVOKER", "DEFINER"]), false),
            ("CREATED", T::Stamp(0), false),
            ("LAST_ALTERED", T::Stamp(0), false),
            ("SQL_MODE", SQL_MODES, false),
            ("ROUTINE_COMMENT", T::Short, false),
            ("DEFINER", T::Bin(288), false),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
            ("DATABASE_COLLATION", T::S(64), false),
        ],
        rows: routines,
    },
    Spec {
        schema: IS,
        name: "PARAMETERS",
        columns: &[
            ("SPECIFIC_CATALOG", T::Bin(64), false),
            ("SPECIFIC_SCHEMA", T::Bin(64), false),
            ("SPECIFIC_NAME", T::S(64), false),
            ("ORDINAL_POSITION", T::Or(&T::U, "0"), false),
            ("PARAMETER_MODE", T::Bin(5), true),
            ("PARAMETER_NAME", T::S(64), true),
            ("DATA_TYPE", T::Text, true),
            ("CHARACTER_MAXIMUM_LENGTH", T::I, true),
            ("CHARACTER_OCTET_LENGTH", T::I, true),
            ("NUMERIC_PRECISION", T::UInt, true),
            ("NUMERIC_SCALE", T::I, true),
            ("DATETIME_PRECISION", T::UInt, true),
            ("CHARACTER_SET_NAME", T::S(64), true),
            ("COLLATION_NAME", T::S(64), true),
            ("DTD_IDENTIFIER", T::Medium, false),
            ("ROUTINE_TYPE", ROUTINE, false),
        ],
        rows: parameters,
    },
    Spec {
        schema: IS,
        name: "TRIGGERS",
        columns: &[
            ("TRIGGER_CATALOG", T::Bin(64), false),
            ("TRIGGER_SCHEMA", T::Bin(64), false),
            ("TRIGGER_NAME", T::S(64), false),
            ("EVENT_MANIPULATION", T::Enum(&["INSERT", "UPDATE", "DELETE"]), false),
            ("EVENT_OBJECT_CATALOG", T::Bin(64), false),
            ("EVENT_OBJECT_SCHEMA", T::Bin(64), false),
            ("EVENT_OBJECT_TABLE", T::Bin(64), false),
            ("ACTION_ORDER", T::UInt, false),
            ("ACTION_CONDITION", T::Nothing, true),
            ("ACTION_STATEMENT", T::Text, false),
            ("ACTION_ORIENTATION", T::Word(3), false),
            ("ACTION_TIMING", T::Enum(&["BEFORE", "AFTER"]), false),
            ("ACTION_REFERENCE_OLD_TABLE", T::Nothing, true),
            ("ACTION_REFERENCE_NEW_TABLE", T::Nothing, true),
            ("ACTION_REFERENCE_OLD_ROW", T::Word(3), false),
            ("ACTION_REFERENCE_NEW_ROW", T::Word(3), false),
            ("CREATED", T::Stamp(2), false),
            ("SQL_MODE", SQL_MODES, false),
            ("DEFINER", T::Bin(288), false),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
            ("DATABASE_COLLATION", T::S(64), false),
        ],
        rows: triggers,
    },
    Spec {
        schema: IS,
        name: "EVENTS",
        columns: &[
            ("EVENT_CATALOG", T::Bin(64), false),
            ("EVENT_SCHEMA", T::Bin(64), false),
            ("EVENT_NAME", T::S(64), false),
            ("DEFINER", T::Bin(288), false),
            ("TIME_ZONE", T::Bin(64), false),
            ("EVENT_BODY", T::Word(3), false),
            ("EVENT_DEFINITION", T::Text, false),
            ("EVENT_TYPE", T::Word(9), false),
            ("EXECUTE_AT", T::Time, true),
            ("INTERVAL_VALUE", T::S(256), true),
            ("INTERVAL_FIELD", INTERVAL, true),
            ("SQL_MODE", SQL_MODES, false),
            ("STARTS", T::Time, true),
            ("ENDS", T::Time, true),
            ("STATUS", T::Or(&T::Bin(21), ""), false),
            ("ON_COMPLETION", T::Word(12), false),
            ("CREATED", T::Stamp(0), false),
            ("LAST_ALTERED", T::Stamp(0), false),
            ("LAST_EXECUTED", T::Time, true),
            ("EVENT_COMMENT", T::Bin(2048), false),
            ("ORIGINATOR", T::UInt, false),
            ("CHARACTER_SET_CLIENT", T::S(64), false),
            ("COLLATION_CONNECTION", T::S(64), false),
            ("DATABASE_COLLATION", T::S(64), false),
        ],
        rows: events,
    },
];

/// Whether the account may know that there is this program.
pub(super) fn may_know(v: &SessionView, p: &ProgramDefinition) -> bool {
    sees(&v.account, p) != Sees::Nothing
}

/// Programs of these kinds whose schema and name pass the hints on those columns, with what the account may know.
fn visible(
    v: &SessionView,
    hints: Hints<'_>,
    (schema, name): (u16, u16),
    kinds: &[ProgramKind],
) -> Vec<(Arc<ProgramDefinition>, Sees)> {
    let mut out = Vec::new();
    for d in v.engine.dict().schemas().iter().filter(|d| passes(hints, schema, &d.name)) {
        let mut all = v.engine.dict().programs(&d.name);
        if d.name == crate::sys::SYS {
            all.extend(crate::sys::routines::routines(v.started as i64 * 1_000_000));
        }
        for p in all {
            if kinds.contains(&p.kind) && passes(hints, name, &p.name) {
                match sees(&v.account, &p) {
                    Sees::Nothing => {}
                    seen => out.push((p, seen)),
                }
            }
        }
    }
    out
}

/// A program's text in UTF-8. Of a client whose character set hides ASCII it is kept as it is read
/// ([`value::charset::client`]).
pub fn text(p: &ProgramDefinition, bytes: &[u8]) -> String {
    let client = p.client.charset();
    let sent = value::charset::client::depart(client, bytes);
    let converted = planner::from_client(&sent, client, value::Charset::Utf8mb4);
    String::from_utf8_lossy(converted.as_deref().unwrap_or(&sent)).into_owned()
}

/// The names of its sql_mode.
pub fn sql_mode(p: &ProgramDefinition) -> String {
    option_text(Var::sql_mode, &Raw::Num(p.sql_mode))
}

/// `character_set_client`, `collation_connection` and the schema's collation.
pub fn collations(p: &ProgramDefinition) -> [&'static str; 3] {
    [p.client.charset().name(), p.connection.get().name, p.database.get().name]
}

fn moment(v: &SessionView, us: i64) -> OwnedValue {
    datetime(v, us.max(0) as u64 / 1_000_000)
}

const ROUTINES: [ProgramKind; 2] = [ProgramKind::Procedure, ProgramKind::Function];

/// What ROUTINES and PARAMETERS say of a type: as COLUMNS, but that no scale is 0 where there is a precision.
fn described(ty: &SqlType) -> [OwnedValue; 7] {
    let [chars, bytes, precision, scale, fsp, charset, collation] = type_columns(ty, false);
    let scale = match (&precision, scale) {
        (OwnedValue::UInt(_), OwnedValue::Null) => u(0),
        (_, scale) => scale,
    };
    [chars, bytes, precision, scale, fsp, charset, collation]
}

fn routines(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(p, seen): (Arc<ProgramDefinition>, Sees)| {
        let mut row = vec![s(&p.name), s("def"), s(&p.schema), s(&p.name), s(p.kind.name())];
        match &p.result {
            Some(t) => {
                row.push(s(type_name(t.kind)));
                row.extend(described(t));
                row.push(s(column_type(t)));
            }
            None => {
                row.push(s(""));
                row.extend(std::iter::repeat_n(NULL, 8));
            }
        }
        row.push(s("SQL"));
        row.push(if seen == Sees::Everything { s(text(&p, &p.body)) } else { NULL });
        row.extend([NULL, s("SQL"), s("SQL"), s(if p.deterministic { "YES" } else { "NO" }), s(p.access.name()), NULL]);
        row.push(s(if p.invoker { "INVOKER" } else { "DEFINER" }));
        row.extend([moment(v, p.created), moment(v, p.altered), s(sql_mode(&p)), s(&p.comment), s(p.definer_text())]);
        row.extend(collations(&p).map(s));
        row
    };
    Ok(visible(v, hints, (2, 3), &ROUTINES).into_iter().map(row).collect())
}

fn parameters(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for (p, _) in visible(v, hints, (1, 2), &ROUTINES) {
        let result = p.result.iter().map(|t| (0, None, t));
        let own = p.parameters.iter().enumerate().map(|(i, x)| (i as u64 + 1, Some(x), &x.ty));
        for (n, parameter, ty) in result.chain(own) {
            let mut row = vec![s("def"), s(&p.schema), s(&p.name), u(n)];
            row.push(parameter.map_or(NULL, |x| s(x.mode.name())));
            row.push(parameter.map_or(NULL, |x| s(&x.name)));
            row.push(s(type_name(ty.kind)));
            row.extend(described(ty));
            row.extend([s(column_type(ty)), s(p.kind.name())]);
            out.push(row);
        }
    }
    Ok(out)
}

fn triggers(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(p, _): (Arc<ProgramDefinition>, Sees)| {
        let t = p.trigger.as_ref()?;
        let mut row = vec![s("def"), s(&p.schema), s(&p.name), s(t.event.name()), s("def"), s(&p.schema), s(&t.table)];
        row.extend([u(u64::from(t.order)), NULL, s(text(&p, &p.body)), s("ROW")]);
        row.extend([s(if t.before { "BEFORE" } else { "AFTER" }), NULL, NULL, s("OLD"), s("NEW")]);
        row.extend([fine(v, p.created), s(sql_mode(&p)), s(p.definer_text())]);
        row.extend(collations(&p).map(s));
        Some(row)
    };
    let mut all = visible(v, hints, (1, 2), &[ProgramKind::Trigger]);
    // tools that dump them make them anew in this order, and then they run in it again
    all.sort_by_cached_key(|(p, _)| {
        let t = p.trigger.as_ref().map(|t| (t.table.clone(), t.event.name(), !t.before, t.order));
        (p.schema.clone(), t)
    });
    Ok(all.into_iter().filter_map(row).collect())
}

/// With hundredths of a second.
fn fine(v: &SessionView, us: i64) -> OwnedValue {
    let us = us.max(0);
    OwnedValue::DateTime(v.time_zone.from_unix(us / 1_000_000, (us % 1_000_000 / 10_000 * 10_000) as u32))
}

/// A second in the event's time zone.
pub fn event_time(e: &EventOf, at: i64) -> value::DateTime {
    value::TimeZone::by_name(&e.time_zone).unwrap_or(value::TimeZone::UTC).from_unix(at, 0)
}

/// A date and time with so many digits of a fraction.
pub fn shown(at: value::DateTime, digits: u8) -> String {
    let mut out = Vec::new();
    value::temporal::format::format_datetime(at, digits, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The number of EVERY as it was written: those of compound units are texts.
pub fn interval_text(interval: i64, unit: &str) -> String {
    let n = interval;
    match unit {
        "YEAR_MONTH" => format!("'{}-{}'", n / 12, n % 12),
        "DAY_HOUR" => format!("'{} {}'", n / 24, n % 24),
        "DAY_MINUTE" => format!("'{} {}:{}'", n / 1440, n % 1440 / 60, n % 60),
        "HOUR_MINUTE" => format!("'{}:{}'", n / 60, n % 60),
        "DAY_SECOND" => format!("'{} {}:{}:{}'", n / 86_400, n % 86_400 / 3600, n % 3600 / 60, n % 60),
        "HOUR_SECOND" => format!("'{}:{}:{}'", n / 3600, n % 3600 / 60, n % 60),
        "MINUTE_SECOND" => format!("'{}:{}'", n / 60, n % 60),
        _ => n.to_string(),
    }
}

/// As STATUS shows it.
fn status(e: &EventOf) -> &'static str {
    match e.status {
        EventStatus::Enabled => "ENABLED",
        EventStatus::Disabled => "DISABLED",
        EventStatus::ReplicaSideDisabled => "REPLICA_SIDE_DISABLED",
    }
}

fn events(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(p, _): (Arc<ProgramDefinition>, Sees)| {
        let e = p.event.as_ref()?;
        let at = |t: i64| OwnedValue::DateTime(event_time(e, t));
        let mut row = vec![s("def"), s(&p.schema), s(&p.name), s(p.definer_text()), s(&e.time_zone), s("SQL")];
        row.push(s(text(&p, &p.body)));
        let (starts, ends) = match &e.schedule {
            Schedule::At(t) => {
                row.extend([s("ONE TIME"), at(*t), NULL, NULL]);
                (NULL, NULL)
            }
            Schedule::Every { interval, unit, starts, ends } => {
                row.extend([s("RECURRING"), NULL, s(interval_text(*interval, unit)), s(unit)]);
                (at(*starts), ends.map_or(NULL, at))
            }
        };
        row.extend([s(sql_mode(&p)), starts, ends, s(status(e))]);
        row.push(s(if e.preserve { "PRESERVE" } else { "NOT PRESERVE" }));
        row.extend([moment(v, p.created), moment(v, p.altered), e.last_executed.map_or(NULL, at)]);
        row.extend([s(&p.comment), u(e.originator)]);
        row.extend(collations(&p).map(s));
        Some(row)
    };
    Ok(visible(v, hints, (1, 2), &[ProgramKind::Event]).into_iter().filter_map(row).collect())
}
