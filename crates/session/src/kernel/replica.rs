//! What statements ask of the threads that receive and apply a source's changes. Those stand above this crate (crate
//! `replica`); the server is given them before its first session.

use base::{SqlError, SqlResult};

/// Value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Setting {
    /// A string.
    Text(String),
    /// As it was written.
    Number(String),
    /// `ON`, an account's name.
    Word(String),
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

/// Receives and applies the changes of a source. Notes and warnings of a statement that has succeeded are returned.
pub trait Replication: Send + Sync {
    /// CHANGE REPLICATION SOURCE TO.
    ///
    /// # Errors
    /// What MySQL says of them; what is not built is refused by name.
    fn change(&self, options: &[Given]) -> SqlResult<Vec<SqlError>>;

    /// START REPLICA.
    ///
    /// # Errors
    /// 1200 without a source.
    fn start(&self, threads: Threads, until: &[Given], login: &[Given]) -> SqlResult<Vec<SqlError>>;

    /// STOP REPLICA: returns when the threads have ended.
    ///
    /// # Errors
    /// None today; without a source a note says that the threads are stopped.
    fn stop(&self, threads: Threads) -> SqlResult<Vec<SqlError>>;

    /// RESET REPLICA; `all`: there is no source any more.
    ///
    /// # Errors
    /// 3081 while a thread runs.
    fn reset(&self, all: bool) -> SqlResult<()>;

    /// SHOW REPLICA STATUS by its columns' names; what is not named is empty. `None`: no source was named.
    fn status(&self) -> Option<Vec<(&'static str, Shown)>>;
}
