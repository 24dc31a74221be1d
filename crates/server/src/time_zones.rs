//! Reads `mysql.time_zone*` when the server starts: `value::temporal::zone_tables` says which names they decide.
//!
//! Empty tables cost one query. Through SQL as root@localhost, as `init_file` does. Tested: `tests/clients/test_time_zone_tables.py`.

use crate::init_file::{self, Rows as Answer};
use base::SqlResult;
use catalog::client::SessionFactory;
use catalog::connections::Connections;
use catalog::sysvar::GlobalVars;
use std::collections::HashMap;
use value::temporal::zone_tables::{self, Rows};

const NAMES: &str = "SELECT n.Name, n.Time_zone_id FROM mysql.time_zone_name n JOIN mysql.time_zone z USING (Time_zone_id) WHERE z.Use_leap_seconds = 'N'";
const TYPES: &str = "SELECT Time_zone_id, Transition_type_id, `Offset`, Is_DST, Abbreviation FROM mysql.time_zone_transition_type ORDER BY 1, 2";
const TRANSITIONS: &str =
    "SELECT Time_zone_id, Transition_time, Transition_type_id FROM mysql.time_zone_transition ORDER BY 1, 2";

/// Reads them. Returns how many names they decide.
pub fn load(globals: &GlobalVars, connections: &Connections, sessions: &dyn SessionFactory) -> SqlResult<usize> {
    let conn = connections.register("localhost");
    let ask = |sql: &str| init_file::query(globals, &conn, sessions, sql.as_bytes());
    let done = read(ask);
    connections.unregister(conn.id());
    done
}

fn read(ask: impl Fn(&str) -> SqlResult<Answer>) -> SqlResult<usize> {
    let names = ask(NAMES)?;
    if names.is_empty() {
        return Ok(0);
    }
    let mut zones: HashMap<u32, Rows> = HashMap::new();
    for row in ask(TYPES)? {
        let [id, kind, offset, summer, abbreviation] = row.as_slice() else { continue };
        if let (Ok(id), Ok(kind), Ok(offset)) = (id.parse(), kind.parse(), offset.parse()) {
            zones.entry(id).or_default().types.push((kind, offset, summer != "0", abbreviation.clone()));
        }
    }
    for row in ask(TRANSITIONS)? {
        let [id, time, kind] = row.as_slice() else { continue };
        if let (Ok(id), Ok(time), Ok(kind)) = (id.parse::<u32>(), time.parse(), kind.parse())
            && let Some(zone) = zones.get_mut(&id)
        {
            zone.transitions.push((time, kind));
        }
    }
    let named = names.into_iter().filter_map(|row| {
        let [name, id] = row.as_slice() else { return None };
        Some((name.clone(), zones.get(&id.parse().ok()?)?.clone()))
    });
    let named: Vec<(String, Rows)> = named.collect();
    let count = named.len();
    zone_tables::set(named);
    Ok(count)
}
