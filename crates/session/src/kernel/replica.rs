//! What statements ask of the threads that receive and apply a source's changes. Those stand above this crate (crate
//! `replica`); the server is given them before its first session.

use base::{SqlError, SqlResult};
use catalog::sysvar::Var;
pub use executor::env::SourceWait;

/// Value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Setting {
    /// A string.
    Text(String),
    /// As it was written.
    Number(String),
    /// `ON`.
    Word(String),
    /// An account: user and host.
    Account(String, String),
    /// NULL.
    Null,
    /// A list of numbers.
    Numbers(Vec<u64>),
}

/// An option's name, in capitals, and its value.
pub type Given = (&'static str, Setting);

/// Which threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// Receives (IO_THREAD).
    pub receiver: bool,
    /// Applies (SQL_THREAD).
    pub applier: bool,
}

/// A value of SHOW REPLICA STATUS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// NULL.
    Null,
    /// A number.
    Number(u64),
    /// Text.
    Text(String),
}

/// A row of SHOW REPLICA STATUS.
pub type ShownRow = Vec<(&'static str, Shown)>;

/// What a statement that has succeeded is told.
pub type Remark = (value::Level, SqlError);

/// FOR CHANNEL; `None`: it was not said, and means all channels, or the only one.
pub type Channel<'a> = Option<&'a str>;

/// START REPLICA.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Which threads.
    pub threads: Threads,
    /// UNTIL.
    pub until: Vec<Given>,
    /// USER and PASSWORD.
    pub login: Vec<Given>,
    /// The statement came over a connection that is not encrypted.
    pub plain: bool,
}

/// Takes an event and the place where it begins; false: it wants no more.
pub type EachEvent<'e> = dyn FnMut(u64, &[u8]) -> SqlResult<bool> + 'e;

/// Gets a block of a backup, as it came.
pub type EachBlock<'a> = dyn FnMut(&[u8]) -> SqlResult<()> + 'a;

/// The server that CLONE INSTANCE copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Donor {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Who logs in there.
    pub user: String,
    /// With which password.
    pub password: String,
    /// Whether the connection is encrypted; `None`: if the donor can.
    pub ssl: Option<bool>,
}

/// Receives and applies the changes of a source. Notes and warnings of a statement that has succeeded are returned.
pub trait Replication: views::ToldTables + SourceWait {
    /// CHANGE REPLICATION SOURCE TO.
    ///
    /// # Errors
    /// What MySQL says of them; what is not built is refused by name. A channel with a name is made by this, 3076 where
    /// it cannot be one; 3079 where there are several and none is named.
    fn change(&self, options: &[Given], channel: Channel<'_>) -> SqlResult<Vec<Remark>>;

    /// Whether SET GLOBAL may set a variable beside the channels, `to` a number, if it is one (`None`: the default).
    /// The warnings of it.
    ///
    /// # Errors
    /// 3017, 3111.
    fn check_global(&self, var: Var, to: Option<u64>) -> SqlResult<Vec<SqlError>>;

    /// START REPLICA.
    ///
    /// # Errors
    /// 1200 without a source, 3074 without such a channel.
    fn start(&self, how: &Start, channel: Channel<'_>) -> SqlResult<Vec<SqlError>>;

    /// STOP REPLICA: returns when the threads have ended.
    ///
    /// # Errors
    /// 3074; without a source a note says that the threads are stopped.
    fn stop(&self, threads: Threads, channel: Channel<'_>) -> SqlResult<Vec<SqlError>>;

    /// RESET REPLICA; `all`: there is no source any more.
    ///
    /// # Errors
    /// 3081 while a thread runs, 3074.
    fn reset(&self, all: bool, channel: Channel<'_>) -> SqlResult<()>;

    /// CHANGE REPLICATION FILTER: names in capitals, and what the rule lists.
    ///
    /// # Errors
    /// 3085 while the applier runs, 3067, 3074.
    fn filter(&self, rules: &[(&'static str, Vec<String>)], channel: Channel<'_>) -> SqlResult<()>;

    /// Lends the events of a file of the relay log, the first where none is named, with the place where each begins,
    /// until `each` says false. The file's name; `None`: there is none.
    ///
    /// # Errors
    /// Of `each`, of reading the file.
    fn relay_events(&self, file: &str, each: &mut EachEvent<'_>, channel: Channel<'_>) -> SqlResult<Option<String>>;

    /// FLUSH RELAY LOGS: another file follows.
    ///
    /// # Errors
    /// 3074, of the files.
    fn flush_logs(&self, channel: Channel<'_>) -> SqlResult<()>;

    /// Whether a source is named, in any channel where none is named here.
    ///
    /// # Errors
    /// 3074.
    fn has_source(&self, channel: Channel<'_>) -> SqlResult<bool>;

    /// Logs in at another server and lends the blocks of the backup that the request asks it for (COM_CLONE).
    ///
    /// # Errors
    /// 3862: it cannot be reached, refuses, or is no Evenkeel server; of `each`.
    fn donate(&self, donor: &Donor, request: &[u8], each: &mut EachBlock<'_>) -> SqlResult<()>;

    /// Status variables: names and values.
    fn status_variables(&self) -> Vec<(&'static str, String)>;

    /// SHOW REPLICA STATUS by its columns' names, a row for each channel that has a source; what is not named is empty.
    ///
    /// # Errors
    /// 3074.
    fn status(&self, channel: Channel<'_>) -> SqlResult<Vec<ShownRow>>;
}
