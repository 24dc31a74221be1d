//! `setup_objects`: of which tables and stored programs events are recorded.
//!
//! The row that names the object decides, then the one of its whole schema, then the one of all (manual, "Pre-Filtering
//! by Object"); without any the object is not recorded. Who keeps an answer for an object asks [`version`] whether it
//! is still good. Lock: the list's, cold. Tested below and by `tests/clients/test_setup_tables.py`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// OBJECT_TYPE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Kind {
    Event,
    Function,
    Procedure,
    Table,
    Trigger,
}

impl Kind {
    /// All, in the order of the column's values.
    pub const ALL: [Kind; 5] = [Kind::Event, Kind::Function, Kind::Procedure, Kind::Table, Kind::Trigger];

    /// MySQL's word.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Event => "EVENT",
            Kind::Function => "FUNCTION",
            Kind::Procedure => "PROCEDURE",
            Kind::Table => "TABLE",
            Kind::Trigger => "TRIGGER",
        }
    }

    /// Of a word in any case, or of a value's number, from 1.
    pub fn of(word: &[u8]) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.word().as_bytes().eq_ignore_ascii_case(word))
    }
}

/// A row of setup_objects; `%` is any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// OBJECT_TYPE.
    pub kind: Kind,
    /// OBJECT_SCHEMA and OBJECT_NAME.
    pub names: [String; 2],
    /// Whether events are recorded, and whether with times.
    pub enabled: bool,
    /// See `enabled`.
    pub timed: bool,
}

static RULES: Mutex<Option<Vec<Rule>>> = Mutex::new(None);
static VERSION: AtomicU64 = AtomicU64::new(1);

/// Raised by every change.
#[inline]
pub fn version() -> u64 {
    VERSION.load(Relaxed)
}

/// Looks at the rows.
pub fn rules<R>(f: impl FnOnce(&[Rule]) -> R) -> R {
    change_quietly(|all| f(all))
}

/// Changes the rows.
pub fn change<R>(f: impl FnOnce(&mut Vec<Rule>) -> R) -> R {
    let done = change_quietly(f);
    VERSION.fetch_add(1, Relaxed);
    crate::tables::ask_anew();
    done
}

fn change_quietly<R>(f: impl FnOnce(&mut Vec<Rule>) -> R) -> R {
    let mut all = RULES.lock().unwrap_or_else(|e| e.into_inner());
    f(all.get_or_insert_with(|| {
        let schemas = [("mysql", false), ("performance_schema", false), ("information_schema", false), ("%", true)];
        let rule = |kind, (schema, on): (&str, bool)| Rule {
            kind,
            names: [schema.to_owned(), "%".to_owned()],
            enabled: on,
            timed: on,
        };
        Kind::ALL.into_iter().flat_map(|k| schemas.map(|s| rule(k, s))).collect()
    }))
}

/// Whether events of an object are recorded, and whether with times.
pub fn decided(kind: Kind, schema: &str, name: &str) -> (bool, bool) {
    rules(|all| {
        let of = |s: &str, n: &str| all.iter().find(|r| r.kind == kind && r.names == [s, n]);
        let rule = of(schema, name).or_else(|| of(schema, "%")).or_else(|| of("%", "%"));
        rule.map_or((false, false), |r| (r.enabled, r.enabled && r.timed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_row_decides() {
        assert_eq!(decided(Kind::Table, "mysql", "user"), (false, false));
        assert_eq!(decided(Kind::Table, "shop", "t"), (true, true));
        let before = version();
        let rule = |s: &str, n: &str, enabled, timed| Rule {
            kind: Kind::Table,
            names: [s, n].map(str::to_owned),
            enabled,
            timed,
        };
        change(|all| all.extend([rule("shop", "%", true, false), rule("shop", "hidden", false, true)]));
        assert!(version() > before);
        let of = |n| decided(Kind::Table, "shop", n);
        assert_eq!([of("t"), of("hidden")], [(true, false), (false, false)]);
        assert_eq!(decided(Kind::Trigger, "shop", "hidden"), (true, true));
        change(|all| all.truncate(20));
    }
}
