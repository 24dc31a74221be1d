//! [`Outcome`]: how a statement ended, for the packet that ends its answer and for `ROW_COUNT()`.

/// How a statement ended, for the OK packet.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Rows were sent: the answer ends with an end-of-rows packet.
    pub(crate) rows: bool,
    pub(crate) affected: u64,
    pub(crate) last_insert_id: u64,
    pub(crate) info: String,
    /// ROW_COUNT() afterwards.
    pub(crate) row_count: i64,
    /// The statement leaves the diagnostics area of the one before alone (SHOW WARNINGS).
    pub(crate) keep_diagnostics: bool,
    /// ... but has added to it, and the client is told the number.
    pub(crate) counts_warnings: bool,
    /// COMMIT RELEASE, SHUTDOWN: the connection ends.
    pub(crate) disconnect: bool,
}

impl Outcome {
    /// Rows were sent.
    pub(crate) fn rows() -> Outcome {
        Outcome { rows: true, row_count: -1, ..Outcome::default() }
    }
    /// Nothing to tell.
    pub(crate) fn ok() -> Outcome {
        Outcome::default()
    }
}
