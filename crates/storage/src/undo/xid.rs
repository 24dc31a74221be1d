//! [`Xid`]: which transaction of a distributed one this is, as the header of its undo log keeps it.

/// Identifier of a transaction branch; both parts have at most 64 bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Xid {
    /// 1 unless said otherwise.
    pub format_id: u64,
    /// Global transaction.
    pub gtrid: Vec<u8>,
    /// Branch.
    pub bqual: Vec<u8>,
}
