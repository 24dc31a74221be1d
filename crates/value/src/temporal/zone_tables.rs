//! Named time zones from the tables `mysql.time_zone*`.
//!
//! **The rule:** the tables are read when the server starts. A name that they have then (and that does not count leap seconds) means what they say, until
//! the server ends; every other name means what the built-in tz data says. So one name never has two meanings within one run of the server.
//!
//! State: set once, at the start, before there are sessions; read without locks. A zone is made from its rows at its first use, by way of the TZif format
//! (RFC 8536). Tested: below and by `tests/clients/test_time_zone_tables.py`.

use std::collections::HashMap;
use std::sync::OnceLock;

/// One zone as the tables have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// `time_zone_transition_type`: id, seconds east of UTC, summer time, abbreviation; in the order of ids.
    pub types: Vec<(u32, i32, bool, String)>,
    /// `time_zone_transition`: seconds since 1970 and the id of the type that begins then; in the order of time.
    pub transitions: Vec<(i64, u32)>,
}

struct Zone {
    rows: Rows,
    made: OnceLock<Option<jiff::tz::TimeZone>>,
}

static ZONES: OnceLock<HashMap<String, Zone>> = OnceLock::new();

/// Takes what the tables have, by name. Only the first call counts.
pub fn set(zones: impl IntoIterator<Item = (String, Rows)>) {
    let all = zones.into_iter().map(|(name, rows)| (name.to_ascii_lowercase(), Zone { rows, made: OnceLock::new() }));
    let _ = ZONES.set(all.collect());
}

/// The zone of this name if the tables have it. Rows that make no zone are as if there were none.
pub(super) fn find(name: &str) -> Option<jiff::tz::TimeZone> {
    let zone = ZONES.get()?.get(&name.to_ascii_lowercase())?;
    zone.made.get_or_init(|| make(name, &zone.rows)).clone()
}

fn make(name: &str, rows: &Rows) -> Option<jiff::tz::TimeZone> {
    jiff::tz::TimeZone::tzif(name, &tzif(rows)?).ok()
}

/// The rows in TZif format, version 2, without a rule for the time after the last transition.
fn tzif(rows: &Rows) -> Option<Vec<u8>> {
    let index = |id: u32| rows.types.iter().position(|t| t.0 == id).and_then(|i| u8::try_from(i).ok());
    let mut names: Vec<u8> = Vec::new();
    let mut types: Vec<u8> = Vec::new();
    for (_, offset, summer, abbreviation) in &rows.types {
        let at = u8::try_from(names.len()).ok()?;
        names.extend(abbreviation.bytes().filter(|b| b.is_ascii_graphic()));
        names.push(0);
        types.extend(offset.to_be_bytes());
        types.extend([u8::from(*summer), at]);
    }
    let count = u32::try_from(rows.types.len()).ok().filter(|n| (1..=255).contains(n))?;
    let header = |transitions: u32, types: u32, names: u32| {
        let mut h = b"TZif2".to_vec();
        h.extend([0; 15]);
        for n in [0, 0, 0, transitions, types, names] {
            h.extend(n.to_be_bytes());
        }
        h
    };
    // the block of version 1 has to be there and is not read
    let mut out = header(0, 1, 1);
    out.extend([0; 7]);
    out.extend(header(u32::try_from(rows.transitions.len()).ok()?, count, u32::try_from(names.len()).ok()?));
    for (time, _) in &rows.transitions {
        out.extend(time.to_be_bytes());
    }
    for (_, id) in &rows.transitions {
        out.push(index(*id)?);
    }
    out.extend(types);
    out.extend(names);
    out.extend(b"\n\n");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        let types = vec![(0, 0, false, "LMT".into()), (3, 3600, false, "AAT".into()), (4, 7200, true, "AAST".into())];
        Rows { types, transitions: vec![(0, 3), (1_000_000, 4), (2_000_000, 3)] }
    }

    #[test]
    fn rows_become_a_zone() {
        let z = make("Test/Here", &rows()).unwrap();
        for (at, offset, name) in [
            (-1, 0, "LMT"),
            (0, 3600, "AAT"),
            (1_000_000, 7200, "AAST"),
            (1_999_999, 7200, "AAST"),
            (1 << 40, 3600, "AAT"),
        ] {
            let t = jiff::Timestamp::from_second(at.min(200_000_000_000)).unwrap();
            let info = z.to_offset_info(t);
            assert_eq!((info.offset().seconds(), info.abbreviation()), (offset, name), "{at}");
        }
    }

    #[test]
    fn rows_that_make_none() {
        assert!(make("x", &Rows::default()).is_none());
        let unknown = Rows { transitions: vec![(0, 9)], ..rows() };
        assert!(make("x", &unknown).is_none());
        let backwards = Rows { transitions: vec![(5, 3), (1, 4)], ..rows() };
        let _ = make("x", &backwards);
    }
}
