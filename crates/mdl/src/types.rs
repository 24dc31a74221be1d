//! Lock types, durations and the two matrices.
//!
//! Objects (tables, routines ...; + compatible), a request against granted locks:
//!
//! ```text
//!          S  SH SR SW SWLP SU SRO SNW SNRW X
//!   S      +  +  +  +  +    +  +   +   +    -
//!   SH     +  +  +  +  +    +  +   +   +    -
//!   SR     +  +  +  +  +    +  +   +   -    -
//!   SW     +  +  +  +  +    +  -   -   -    -
//!   SWLP   +  +  +  +  +    +  -   -   -    -
//!   SU     +  +  +  +  +    -  +   -   -    -
//!   SRO    +  +  +  -  -    +  +   +   -    -
//!   SNW    +  +  +  -  -    -  +   -   -    -
//!   SNRW   +  +  -  -  -    -  -   -   -    -
//!   X      -  -  -  -  -    -  -   -   -    -
//! ```
//! A request against waiting ones (- = queues behind it):
//!
//! ```text
//!          S  SH SR SW SWLP SU SRO SNW SNRW X
//!   S      +  +  +  +  +    +  +   +   +    -
//!   SH     +  +  +  +  +    +  +   +   +    +
//!   SR     +  +  +  +  +    +  +   +   -    -
//!   SW     +  +  +  +  +    +  +   -   -    -
//!   SWLP   +  +  +  +  +    +  -   -   -    -
//!   SU     +  +  +  +  +    +  +   +   +    -
//!   SRO    +  +  +  -  +    +  +   +   -    -
//!   SNW    +  +  +  +  +    +  +   +   +    -
//!   SNRW   +  +  +  +  +    +  +   +   +    -
//!   X      +  +  +  +  +    +  +   +   +    +
//! ```
//! Scopes (GLOBAL, SCHEMA, COMMIT, BACKUP_LOCK ...) know IX, S and X: IX goes with IX, S with S, X with nothing; waiting S and X keep out
//! IX, waiting X keeps out S.

/// Lock types. Scopes use `Ix`, `S`, `X`; objects all but `Ix`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MdlType {
    /// INTENTION_EXCLUSIVE: something below this scope will be changed.
    Ix = 0,
    /// SHARED: metadata only (a scope: keeps changes below it out).
    S = 1,
    /// SHARED_HIGH_PRIO: as SHARED, but does not queue behind a waiting X (information_schema).
    Sh = 2,
    /// SHARED_READ: reads rows (SELECT).
    Sr = 3,
    /// SHARED_WRITE: changes rows (INSERT, UPDATE, DELETE, SELECT FOR UPDATE).
    Sw = 4,
    /// SHARED_WRITE_LOW_PRIO: LOW_PRIORITY changes.
    Swlp = 5,
    /// SHARED_UPGRADABLE: first phase of ALTER TABLE; can become SNW or X.
    Su = 6,
    /// SHARED_READ_ONLY: LOCK TABLES ... READ.
    Sro = 7,
    /// SHARED_NO_WRITE: ALTER TABLE while it copies.
    Snw = 8,
    /// SHARED_NO_READ_WRITE: LOCK TABLES ... WRITE.
    Snrw = 9,
    /// EXCLUSIVE: the definition changes.
    X = 10,
}

/// Number of types.
pub(crate) const TYPES: usize = 11;

/// Set of types, bit = discriminant.
pub(crate) type TypeSet = u16;

const fn set(types: &[MdlType]) -> TypeSet {
    let (mut s, mut rest) = (0, types);
    while let [t, tail @ ..] = rest {
        s |= 1 << *t as u16;
        rest = tail;
    }
    s
}

impl MdlType {
    /// All, weakest first.
    pub const ALL: [MdlType; TYPES] = {
        use MdlType::*;
        [Ix, S, Sh, Sr, Sw, Swlp, Su, Sro, Snw, Snrw, X]
    };

    pub(crate) fn from_u8(v: u8) -> Option<MdlType> {
        MdlType::ALL.get(usize::from(v)).copied()
    }
    pub(crate) const fn bit(self) -> TypeSet {
        1 << self as u16
    }

    /// performance_schema's LOCK_TYPE.
    pub const fn name(self) -> &'static str {
        match self {
            MdlType::Ix => "INTENTION_EXCLUSIVE",
            MdlType::S => "SHARED",
            MdlType::Sh => "SHARED_HIGH_PRIO",
            MdlType::Sr => "SHARED_READ",
            MdlType::Sw => "SHARED_WRITE",
            MdlType::Swlp => "SHARED_WRITE_LOW_PRIO",
            MdlType::Su => "SHARED_UPGRADABLE",
            MdlType::Sro => "SHARED_READ_ONLY",
            MdlType::Snw => "SHARED_NO_WRITE",
            MdlType::Snrw => "SHARED_NO_READ_WRITE",
            MdlType::X => "EXCLUSIVE",
        }
    }

    /// Granted types of others that this request must wait for.
    pub(crate) const fn blocked_by_granted(self, scoped: bool) -> TypeSet {
        use MdlType::*;
        if scoped {
            return match self {
                Ix => set(&[S, X]),
                S => set(&[Ix, X]),
                _ => set(&[Ix, S, X]),
            };
        }
        match self {
            S | Sh | Ix => set(&[X]),
            Sr => set(&[Snrw, X]),
            Sw | Swlp => set(&[Sro, Snw, Snrw, X]),
            Su => set(&[Su, Snw, Snrw, X]),
            Sro => set(&[Sw, Swlp, Snrw, X]),
            Snw => set(&[Sw, Swlp, Su, Snw, Snrw, X]),
            Snrw => set(&[Sr, Sw, Swlp, Su, Sro, Snw, Snrw, X]),
            X => set(&[S, Sh, Sr, Sw, Swlp, Su, Sro, Snw, Snrw, X]),
        }
    }

    /// Waiting types of others that this request queues behind.
    pub(crate) const fn blocked_by_waiting(self, scoped: bool) -> TypeSet {
        use MdlType::*;
        if scoped {
            return match self {
                Ix => set(&[S, X]),
                S => set(&[X]),
                _ => 0,
            };
        }
        match self {
            S | Su | Snw | Snrw | Ix => set(&[X]),
            Sh | X => 0,
            Sr => set(&[Snrw, X]),
            Sw => set(&[Snw, Snrw, X]),
            Swlp => set(&[Sro, Snw, Snrw, X]),
            Sro => set(&[Sw, Snrw, X]),
        }
    }

    /// Waiting types whose grants `max_write_lock_count` counts (a scope: X): each is preferred to weaker requests.
    pub(crate) const fn hogs(scoped: bool) -> TypeSet {
        if scoped { set(&[MdlType::X]) } else { set(&[MdlType::Snw, MdlType::Snrw, MdlType::X]) }
    }

    /// Whether holding `self` is as good as holding `other`.
    pub(crate) const fn covers(self, other: MdlType, scoped: bool) -> bool {
        let (a, b) = (self.blocked_by_granted(scoped), other.blocked_by_granted(scoped));
        a & b == b
    }

    /// Whether the session may grant it to itself in a slot: types that never conflict with each other.
    pub(crate) const fn is_weak(self, scoped: bool) -> bool {
        if scoped {
            matches!(self, MdlType::Ix)
        } else {
            matches!(self, MdlType::S | MdlType::Sh | MdlType::Sr | MdlType::Sw)
        }
    }

    /// Whether it conflicts with a weak type, so that slots must be swept.
    pub(crate) const fn is_strong(self, scoped: bool) -> bool {
        if scoped {
            matches!(self, MdlType::S | MdlType::X)
        } else {
            matches!(self, MdlType::Sro | MdlType::Snw | MdlType::Snrw | MdlType::X)
        }
    }
}

/// When a lock ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Duration {
    /// At the end of the statement (or of the transaction, if that comes first).
    Statement = 0,
    /// At the end of the transaction.
    Transaction = 1,
    /// When released by name: GET_LOCK, HANDLER, FLUSH TABLES WITH READ LOCK.
    Explicit = 2,
    /// When LOCK TABLES ends, whatever statements and transactions do meanwhile; performance_schema shows it as MySQL
    /// does, where that is a transaction's end.
    Tables = 3,
    /// The same of a scope, which MySQL takes for a statement that lasts as long.
    TablesScope = 4,
}

impl Duration {
    pub(crate) fn from_u8(v: u8) -> Duration {
        match v {
            0 => Duration::Statement,
            1 => Duration::Transaction,
            3 => Duration::Tables,
            4 => Duration::TablesScope,
            _ => Duration::Explicit,
        }
    }
    /// Whether it outlives statements and transactions.
    pub(crate) const fn is_lasting(self) -> bool {
        !matches!(self, Duration::Statement | Duration::Transaction)
    }
    /// performance_schema's LOCK_DURATION.
    pub const fn name(self) -> &'static str {
        match self {
            Duration::Statement | Duration::TablesScope => "STATEMENT",
            Duration::Transaction | Duration::Tables => "TRANSACTION",
            Duration::Explicit => "EXPLICIT",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets above against the drawings in this file's head, which were taken from the documentation.
    #[test]
    fn sets_agree_with_the_drawings() {
        let text = include_str!("types.rs");
        let mut tables = text.split("//! ```text\n").skip(1).map(|t| t.split("//! ```").next().unwrap());
        for which in 0..2 {
            let rows: Vec<Vec<&str>> =
                tables.next().unwrap().lines().skip(1).map(|l| l[3..].split_whitespace().collect()).collect();
            assert_eq!(rows.len(), 10);
            for (row, request) in rows.iter().zip(&MdlType::ALL[1..]) {
                let blocked =
                    if which == 0 { request.blocked_by_granted(false) } else { request.blocked_by_waiting(false) };
                for (cell, other) in row[1..].iter().zip(&MdlType::ALL[1..]) {
                    assert_eq!(blocked & other.bit() != 0, *cell == "-", "{which}: {request:?} against {other:?}");
                }
            }
        }
    }

    #[test]
    fn granted_matrix_is_symmetric_and_weak_types_agree() {
        for scoped in [false, true] {
            let types = MdlType::ALL.iter().filter(|t| !scoped || matches!(t, MdlType::Ix | MdlType::S | MdlType::X));
            let types: Vec<_> = types.filter(|t| scoped || **t != MdlType::Ix).collect();
            for a in &types {
                for b in &types {
                    let ab = a.blocked_by_granted(scoped) & b.bit() != 0;
                    assert_eq!(ab, b.blocked_by_granted(scoped) & a.bit() != 0, "{a:?} {b:?}");
                    assert!(!(ab && a.is_weak(scoped) && b.is_weak(scoped)), "weak {a:?} {b:?} must agree");
                    assert!(!ab || !a.is_weak(scoped) || b.is_strong(scoped), "{b:?} blocks weak {a:?} and must sweep");
                }
            }
        }
        let covers = |a: MdlType, b| a.covers(b, false);
        assert!(MdlType::ALL[1..].iter().all(|t| covers(MdlType::X, *t)));
        assert!(covers(MdlType::Sw, MdlType::Sr) && !covers(MdlType::Sr, MdlType::Sw));
        assert!(covers(MdlType::Snw, MdlType::Sr) && !covers(MdlType::Su, MdlType::Sw));
    }
}
