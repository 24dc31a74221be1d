//! socket_instances, socket_summary_by_event_name, socket_summary_by_instance ([`probe::sockets`]).
//!
//! The instruments are off unless asked for, as in MySQL, so that the sums are 0. Reads have no time. Tested:
//! `tests/clients/test_socket_events.py`.

use super::super::{Hints, NULL, Row, SessionView, Spec, i, s, u};
use super::io_columns::{SOCKET_BY_INSTANCE, SOCKET_INSTANCES};
use super::sums::{Column, tail};
use super::transactions::times;
use super::{PS, is_on};
use base::SqlResult;
use probe::files::FileTotals;
use probe::sockets::{Kind, SocketRow};
use value::OwnedValue;

/// Those of `socket_summary_by_instance` without its place.
const BY_EVENT_NAME: [Column; 23] = {
    let mut all: [Column; 23] = tail(SOCKET_BY_INSTANCE);
    all[0] = SOCKET_BY_INSTANCE[0];
    all
};

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "socket_instances", columns: SOCKET_INSTANCES, rows: instances },
    Spec { schema: PS, name: "socket_summary_by_event_name", columns: &BY_EVENT_NAME, rows: by_event_name },
    Spec { schema: PS, name: "socket_summary_by_instance", columns: SOCKET_BY_INSTANCE, rows: by_instance },
];

fn instances(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { probe::sockets::all() } else { Vec::new() };
    let row = |k: &SocketRow| {
        let client = k.thread.and_then(|id| v.connections.get(id));
        let idle = client.is_some_and(|c| c.row().command == "Sleep");
        let state = if idle { "IDLE" } else { "ACTIVE" };
        vec![
            s(k.kind.instrument().name()),
            u(k.address as u64),
            k.thread.map_or(NULL, u),
            i(i64::from(k.fd)),
            s(&k.at.0),
            i(i64::from(k.at.1)),
            s(state),
        ]
    };
    Ok(all.iter().map(row).collect())
}

/// From COUNT_STAR on.
fn operations(t: &FileTotals) -> Vec<OwnedValue> {
    let [read, write, misc] = t.times.each_ref().map(times);
    let [bytes_read, bytes_written] = t.bytes.map(u);
    let all = times(&t.all());
    all.into_iter().chain(read).chain([bytes_read]).chain(write).chain([bytes_written]).chain(misc).collect()
}

fn by_event_name(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = Kind::ALL.iter().filter(|_| is_on(v));
    let row = |k: &Kind| {
        let mut row = vec![s(k.instrument().name())];
        row.extend(operations(&probe::sockets::totals(*k)));
        row
    };
    Ok(all.map(row).collect())
}

fn by_instance(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { probe::sockets::all() } else { Vec::new() };
    let row = |k: &SocketRow| {
        let mut row = vec![s(k.kind.instrument().name()), u(k.address as u64)];
        row.extend(operations(&k.totals));
        row
    };
    Ok(all.iter().map(row).collect())
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str) -> bool {
    match table {
        "socket_summary_by_event_name" => probe::sockets::reset(false),
        "socket_summary_by_instance" => probe::sockets::reset(true),
        _ => return false,
    }
    true
}
