//! What goes wrong with a backup.

use base::SqlError;
use std::fmt;
use storage::StorageError;

/// Result with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// See the module.
#[derive(Debug)]
pub enum Error {
    /// Of the engine that is read or made.
    Engine(StorageError),
    /// Of a file of the backup.
    Io {
        /// Which file.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Something in a backup is not what was written.
    Damaged {
        /// The file of the backup.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// What was asked for cannot be done.
    Refused(String),
    /// Whoever gets the blocks wants no more.
    Sql(SqlError),
}

impl Error {
    /// An error of the operating system.
    pub fn io(file: impl fmt::Display, error: std::io::Error) -> Error {
        Error::Io { file: file.to_string(), error }
    }

    /// See [`Error::Damaged`].
    pub fn damaged(file: impl fmt::Display, why: impl fmt::Display) -> Error {
        Error::Damaged { file: file.to_string(), why: why.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Engine(e) => e.fmt(f),
            Error::Io { file, error } => write!(f, "'{file}': {error}"),
            Error::Damaged { file, why } => write!(f, "the backup is damaged: '{file}': {why}"),
            Error::Refused(why) => f.write_str(why),
            Error::Sql(e) => f.write_str(e.message()),
        }
    }
}

impl std::error::Error for Error {}

impl From<StorageError> for Error {
    fn from(e: StorageError) -> Error {
        Error::Engine(e)
    }
}
