//! Statements about a replica: CHANGE REPLICATION SOURCE, START REPLICA, STOP REPLICA, RESET REPLICA.

/// The value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceValue<'a> {
    Text(&'a [u8]),
    /// As it is written: digits, perhaps a point, an exponent.
    Number(&'a str),
    /// `ON`, `OFF`, `STREAM` ..., in capitals.
    Word(&'a str),
    /// An account: user and host as they are written.
    Account(&'a str, &'a str),
    Null,
    /// `IGNORE_SERVER_IDS = (1, 2)`
    Numbers(&'a [u64]),
}

/// `NAME = value`; the name in capitals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceOption<'a> {
    pub name: &'static str,
    pub value: SourceValue<'a>,
}

/// Which threads a statement is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplicaThreads {
    pub receiver: bool,
    pub applier: bool,
}

/// The first file of the binary log behind RESET BINARY LOGS AND GTIDS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstLog {
    /// The lowest that is above all that are there.
    Free,
    /// TO this number.
    Number(u64),
}

/// RESET REPLICA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResetReplica<'a> {
    pub all: bool,
    pub channel: Option<&'a [u8]>,
}

/// What a filter names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterList<'a> {
    Names(&'a [&'a str]),
    /// Schema and table, or a schema and what it becomes.
    Pairs(&'a [(&'a str, &'a str)]),
    /// `schema.table` with wildcards.
    Patterns(&'a [&'a [u8]]),
}

/// `REPLICATE_DO_DB = (a, b)`; the name in capitals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterRule<'a> {
    pub name: &'static str,
    pub list: FilterList<'a>,
}

/// The statement.
#[derive(Clone, Copy, Debug)]
pub enum ReplicaStatement<'a> {
    Change {
        options: &'a [SourceOption<'a>],
    },
    Filter {
        rules: &'a [FilterRule<'a>],
    },
    Start {
        threads: ReplicaThreads,
        until: &'a [SourceOption<'a>],
        /// USER, PASSWORD, DEFAULT_AUTH, PLUGIN_DIR
        login: &'a [SourceOption<'a>],
    },
    Stop {
        threads: ReplicaThreads,
    },
}
