//! Which changes a replica applies: `replicate-do-db` and its kin, by options and CHANGE REPLICATION FILTER (manual,
//! "How Servers Evaluate Replication Filtering Rules").
//!
//! First the schema's rules are asked, then the table's. Rows are asked by their table, statements by the default
//! schema and the tables that they name. A transaction of which nothing is left is applied empty: its GTID counts.
//!
//! What CHANGE REPLICATION FILTER says holds until the server stops, as in MySQL. Tested: here and
//! `tests/binlog/test_replica_operators.py`.

use crate::channels::folded;
use base::{ErrorCode, SqlError, SqlResult};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The rules' names, in the order in which they are shown.
const NAMES: [&str; 7] = [
    "REPLICATE_DO_DB",
    "REPLICATE_IGNORE_DB",
    "REPLICATE_DO_TABLE",
    "REPLICATE_IGNORE_TABLE",
    "REPLICATE_WILD_DO_TABLE",
    "REPLICATE_WILD_IGNORE_TABLE",
    "REPLICATE_REWRITE_DB",
];

/// How often a rule has decided something, of all that have it from the same statement. It is no part of what it says.
#[derive(Clone, Debug, Default)]
pub struct Hits(Arc<AtomicU64>);

impl Hits {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Hits {
    fn eq(&self, _: &Hits) -> bool {
        true
    }
}

impl Eq for Hits {}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// As it is shown: `a`, `a.t`, `(from,to)`.
    pub list: Vec<String>,
    pub by_option: bool,
    /// Of this channel only.
    pub by_channel: bool,
    /// Microseconds since 1970.
    pub since: u64,
    pub hits: Hits,
}

impl Rule {
    /// As performance_schema calls who has made it.
    pub fn configured_by(&self) -> &'static str {
        match (self.by_option, self.by_channel) {
            (true, false) => "STARTUP_OPTIONS",
            (true, true) => "STARTUP_OPTIONS_FOR_CHANNEL",
            (false, false) => "CHANGE_REPLICATION_FILTER",
            (false, true) => "CHANGE_REPLICATION_FILTER_FOR_CHANNEL",
        }
    }
}

/// All rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters(BTreeMap<&'static str, Rule>);

/// `%`, `_`, and `\` before what stands for itself.
fn like(text: &[u8], pattern: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'%', rest @ ..] => (0..=text.len()).any(|n| like(text.get(n..).unwrap_or_default(), rest)),
        [b'_', rest @ ..] => text.split_first().is_some_and(|(_, t)| like(t, rest)),
        [b'\\', c, rest @ ..] | [c, rest @ ..] => {
            text.split_first().is_some_and(|(t, more)| t == c && like(more, rest))
        }
    }
}

impl Filters {
    /// Of options: their names (`replicate-do-db`) and values, one for each time that they were given. A value may
    /// begin with a channel's name and a colon; `channel`: only such ones count, otherwise only others.
    pub fn of_options(options: &[(String, String)], channel: Option<&str>) -> Filters {
        let mut f = Filters::default();
        let of_channel = channel.is_some();
        for (name, value) in options {
            let name = name.to_uppercase().replace('-', "_");
            let Some(name) = NAMES.iter().find(|n| **n == name) else { continue };
            let (of, value) = value.split_once(':').map_or((None, value.as_str()), |(c, v)| (Some(folded(c)), v));
            if of.as_deref() != channel {
                continue;
            }
            let value = match value.split_once("->") {
                Some((from, to)) if *name == "REPLICATE_REWRITE_DB" => format!("({},{})", from.trim(), to.trim()),
                _ => value.to_owned(),
            };
            let since = sys::clock::wall_micros();
            let new =
                || Rule { list: Vec::new(), by_option: true, by_channel: of_channel, since, hits: Hits::default() };
            f.0.entry(name).or_insert_with(new).list.push(value);
        }
        f
    }

    /// A channel's, and what it does not say as all have it.
    pub fn over(mut self, global: &Filters) -> Filters {
        for (name, rule) in &global.0 {
            self.0.entry(name).or_insert_with(|| Rule { hits: Hits::default(), ..rule.clone() });
        }
        self
    }

    /// With these rules of CHANGE REPLICATION FILTER, of one channel or of all; an empty list takes a rule away.
    ///
    /// # Errors
    /// 3067 for a pattern without a point.
    pub fn changed(&self, rules: &[(&'static str, Vec<String>)], by_channel: bool) -> SqlResult<Filters> {
        let mut f = self.clone();
        for (name, list) in rules {
            if name.contains("WILD") && list.iter().any(|p| !p.contains('.')) {
                return Err(SqlError::new(ErrorCode::INVALID_RPL_WILD_TABLE_FILTER_PATTERN, &[]));
            }
            let since = sys::clock::wall_micros();
            let rule = Rule { list: list.clone(), by_option: false, by_channel, since, hits: Hits::default() };
            match list.is_empty() {
                true => f.0.remove(name),
                false => f.0.insert(name, rule),
            };
        }
        Ok(f)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules that there are.
    pub fn rules(&self) -> impl Iterator<Item = (&'static str, &Rule)> {
        NAMES.iter().filter_map(|n| self.0.get_key_value(n)).map(|(n, r)| (*n, r))
    }

    /// A rule's list as SHOW REPLICA STATUS has it.
    pub fn shown(&self, name: &str) -> String {
        self.list(name).join(",")
    }

    /// Counts a rule that `applies`.
    fn decides(&self, name: &str, applies: bool) -> bool {
        if applies && let Some(rule) = self.0.get(name) {
            rule.hits.add();
        }
        applies
    }

    fn list(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], |r| &r.list)
    }

    /// What a schema of the source is called here.
    pub fn rewritten<'s>(&'s self, schema: &'s str) -> &'s str {
        let pairs = self.list("REPLICATE_REWRITE_DB").iter();
        let mut pairs = pairs.filter_map(|p| p.strip_prefix('(')?.strip_suffix(')')?.split_once(','));
        let found = pairs.find(|(from, _)| *from == schema);
        self.decides("REPLICATE_REWRITE_DB", found.is_some());
        found.map_or(schema, |(_, to)| to)
    }

    /// Whether changes of a schema are applied, or statements with this default schema; without one they are.
    pub fn takes_schema(&self, schema: &str) -> bool {
        let (only, not) = (self.list("REPLICATE_DO_DB"), self.list("REPLICATE_IGNORE_DB"));
        let has = |list: &[String]| list.iter().any(|s| s == schema);
        schema.is_empty()
            || match only.is_empty() {
                true => !self.decides("REPLICATE_IGNORE_DB", has(not)),
                false => self.decides("REPLICATE_DO_DB", has(only)),
            }
    }

    /// Whether a statement that makes, changes or drops this schema is applied.
    pub fn takes_database(&self, schema: &str) -> bool {
        let name = format!("{schema}.");
        let wild = |rule| self.decides(rule, self.list(rule).iter().any(|p| like(name.as_bytes(), p.as_bytes())));
        self.takes_schema(schema)
            && (wild("REPLICATE_WILD_DO_TABLE")
                || !wild("REPLICATE_WILD_IGNORE_TABLE") && self.list("REPLICATE_WILD_DO_TABLE").is_empty())
    }

    /// Whether what changes these tables is applied: the first of them that a rule names decides.
    pub fn takes_tables<'t>(&self, tables: impl IntoIterator<Item = (&'t str, &'t str)>) -> bool {
        for (schema, table) in tables {
            let name = format!("{schema}.{table}");
            let has = |rule| self.decides(rule, self.list(rule).contains(&name));
            let wild = |rule| self.decides(rule, self.list(rule).iter().any(|p| like(name.as_bytes(), p.as_bytes())));
            if has("REPLICATE_DO_TABLE") {
                return true;
            }
            if has("REPLICATE_IGNORE_TABLE") {
                return false;
            }
            if wild("REPLICATE_WILD_DO_TABLE") {
                return true;
            }
            if wild("REPLICATE_WILD_IGNORE_TABLE") {
                return false;
            }
        }
        self.list("REPLICATE_DO_TABLE").is_empty() && self.list("REPLICATE_WILD_DO_TABLE").is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rules: &[(&'static str, &[&str])]) -> Filters {
        let rules: Vec<_> = rules.iter().map(|(n, l)| (*n, l.iter().map(|s| (*s).to_owned()).collect())).collect();
        Filters::default().changed(&rules, false).unwrap()
    }

    #[test]
    fn schemas() {
        let f = of(&[("REPLICATE_DO_DB", &["a"])]);
        assert!(f.takes_schema("a") && !f.takes_schema("b") && f.takes_schema(""));
        let f = of(&[("REPLICATE_IGNORE_DB", &["a"])]);
        assert!(!f.takes_schema("a") && f.takes_schema("b"));
        let f = of(&[("REPLICATE_WILD_DO_TABLE", &["a%.%"])]);
        assert!(f.takes_database("ab") && !f.takes_database("b"));
        let f = of(&[("REPLICATE_WILD_IGNORE_TABLE", &["a.%"]), ("REPLICATE_REWRITE_DB", &["(x,y)"])]);
        assert!(!f.takes_database("a") && f.takes_database("b"));
        assert_eq!((f.rewritten("x"), f.rewritten("z")), ("y", "z"));
    }

    #[test]
    fn tables() {
        let f = of(&[("REPLICATE_DO_TABLE", &["a.t"]), ("REPLICATE_WILD_IGNORE_TABLE", &["b.%"])]);
        assert!(f.takes_tables([("a", "t")]) && !f.takes_tables([("a", "u")]));
        assert!(f.takes_tables([("c", "x"), ("a", "t")]) && !f.takes_tables([("b", "x"), ("a", "t")]));
        let f = of(&[("REPLICATE_WILD_IGNORE_TABLE", &[r"a\_b.t_"])]);
        assert!(!f.takes_tables([("a_b", "t1")]) && f.takes_tables([("axb", "t1")]) && f.takes_tables([("a_b", "t")]));
    }

    #[test]
    fn given() {
        let pair = |n: &str, v: &str| (n.to_owned(), v.to_owned());
        let given = [
            pair("replicate-do-db", "a"),
            pair("replicate-do-db", "b"),
            pair("replicate-rewrite-db", "x->y"),
            pair("replicate-do-db", "Two:c"),
            pair("replicate-rewrite-db", "two:x->z"),
        ];
        let of_two = Filters::of_options(&given, Some("two"));
        let f = Filters::of_options(&given, None);
        assert_eq!((f.shown("REPLICATE_DO_DB"), f.rewritten("x")), ("a,b".to_owned(), "y"));
        let f = f
            .changed(&[("REPLICATE_DO_DB", Vec::new()), ("REPLICATE_IGNORE_DB", vec!["i".to_owned()])], false)
            .unwrap();
        // a channel's own rule, or that of all
        let two = of_two.over(&f);
        assert_eq!((two.shown("REPLICATE_DO_DB"), two.rewritten("x")), ("c".to_owned(), "z"));
        let by: Vec<_> = two.rules().map(|(_, r)| r.configured_by()).collect();
        assert_eq!(by, ["STARTUP_OPTIONS_FOR_CHANNEL", "CHANGE_REPLICATION_FILTER", "STARTUP_OPTIONS_FOR_CHANNEL"]);
        let f = f.changed(&[("REPLICATE_IGNORE_DB", Vec::new())], false).unwrap();
        assert_eq!(f.rules().map(|(n, r)| (n, r.by_option)).collect::<Vec<_>>(), [("REPLICATE_REWRITE_DB", true)]);
        assert!(f.changed(&[("REPLICATE_WILD_DO_TABLE", vec!["a".to_owned()])], true).is_err());
    }
}
