//! Where transactions begin and end in a stream of events.
//!
//! A transaction begins with GTID or ANONYMOUS_GTID (MySQL 5.7 and later write one before each). It ends with XID,
//! XA_PREPARE, QUERY with COMMIT or ROLLBACK, TRANSACTION_PAYLOAD, or with the QUERY that is all of it (DDL).

use crate::EventType;
use crate::query::Query;

/// What an event is for its transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The first.
    Begins,
    /// Neither first nor last, or of no transaction.
    Inside,
    /// The last.
    Ends,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum At {
    #[default]
    Outside,
    /// Behind GTID.
    Named,
    /// Behind BEGIN.
    Open,
}

/// Follows a stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Boundary(At);

/// Whether QUERY with this text opens a transaction that an event of its own ends.
pub fn opens(text: &[u8]) -> bool {
    text == b"BEGIN" || text.starts_with(b"XA START") || creates_and_fills(text)
}

/// `CREATE TABLE ... START TRANSACTION`: rows follow (CREATE TABLE ... SELECT).
pub fn creates_and_fills(text: &[u8]) -> bool {
    text.starts_with(b"CREATE") && text.ends_with(b"START TRANSACTION")
}

impl Boundary {
    /// Between transactions.
    pub fn is_outside(self) -> bool {
        self.0 == At::Outside
    }

    /// The next event. `flags` are its header's.
    pub fn step(&mut self, kind: EventType, flags: u16, body: &[u8]) -> Step {
        let (to, step) = match kind {
            EventType::Gtid | EventType::AnonymousGtid | EventType::GtidTagged => (At::Named, Step::Begins),
            EventType::Xid | EventType::XaPrepare | EventType::TransactionPayload => (At::Outside, Step::Ends),
            EventType::Query => {
                let text = Query::read(flags, body).map_or(&b""[..], |q| q.text);
                match (self.0, text) {
                    (_, b"COMMIT" | b"ROLLBACK") => (At::Outside, Step::Ends),
                    (_, text) if opens(text) => (At::Open, Step::Inside),
                    (At::Open, _) => (At::Open, Step::Inside),
                    _ => (At::Outside, Step::Ends),
                }
            }
            EventType::ExecuteLoadQuery if self.0 == At::Named => (At::Outside, Step::Ends),
            _ => (self.0, Step::Inside),
        };
        self.0 = to;
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Query { text, ..Query::default() }.write(crate::Stamp::default(), false, &mut out);
        out.split_off(crate::event::HEADER_LEN)
    }

    #[test]
    fn transactions() {
        let mut b = Boundary::default();
        let mut steps = |list: &[(EventType, &[u8])]| -> Vec<Step> {
            list.iter().map(|(k, text)| b.step(*k, 0, &query(text))).collect()
        };
        use EventType::{Gtid, Query as Q, WriteRows, Xid};
        use Step::{Begins, Ends, Inside};
        assert_eq!(steps(&[(Gtid, b""), (Q, b"BEGIN"), (WriteRows, b""), (Xid, b"")]), [Begins, Inside, Inside, Ends]);
        assert_eq!(steps(&[(Gtid, b""), (Q, b"CREATE TABLE t (a INT)")]), [Begins, Ends]);
        let fills = b"CREATE TABLE `t` (`a` int) START TRANSACTION";
        assert_eq!(steps(&[(Gtid, b""), (Q, fills), (WriteRows, b""), (Xid, b"")]), [Begins, Inside, Inside, Ends]);
        assert_eq!(
            steps(&[(Gtid, b""), (Q, b"BEGIN"), (Q, b"INSERT"), (Q, b"COMMIT")]),
            [Begins, Inside, Inside, Ends]
        );
        assert_eq!(steps(&[(Gtid, b""), (Q, b"XA COMMIT X'61',X'',1")]), [Begins, Ends]);
    }
}
