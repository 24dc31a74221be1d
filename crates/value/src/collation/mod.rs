//! Collations: comparison, sort keys, hashing, LIKE and searching.
//!
//! **Sort keys are an on-disk format** (index keys hold them): the weight tables and [`Collation::sort_key`] are frozen
//! once released; a changed rule needs a new collation id.

mod registry;

pub use registry::{COLLATIONS, by_name};

use crate::charset::Charset;

/// MySQL's numeric collation id (what the protocol and the dictionary carry).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct CollationId(pub u16);

#[allow(missing_docs)]
impl CollationId {
    pub const LATIN1_SWEDISH_CI: CollationId = CollationId(8);
    pub const ASCII_GENERAL_CI: CollationId = CollationId(11);
    pub const UTF8MB3_GENERAL_CI: CollationId = CollationId(33);
    pub const UTF8MB4_GENERAL_CI: CollationId = CollationId(45);
    pub const UTF8MB4_BIN: CollationId = CollationId(46);
    pub const LATIN1_BIN: CollationId = CollationId(47);
    pub const LATIN1_GENERAL_CI: CollationId = CollationId(48);
    pub const LATIN1_GENERAL_CS: CollationId = CollationId(49);
    pub const BINARY: CollationId = CollationId(63);
    pub const ASCII_BIN: CollationId = CollationId(65);
    pub const UTF8MB3_TOLOWER_CI: CollationId = CollationId(76);
    pub const UTF8MB3_BIN: CollationId = CollationId(83);
    pub const UTF8MB3_UNICODE_CI: CollationId = CollationId(192);
    pub const UTF8MB4_UNICODE_CI: CollationId = CollationId(224);
    pub const UTF8MB4_0900_AI_CI: CollationId = CollationId(255);
    pub const UTF8MB4_0900_AS_CS: CollationId = CollationId(278);
    pub const UTF8MB4_0900_AS_CI: CollationId = CollationId(305);
    pub const UTF8MB4_0900_BIN: CollationId = CollationId(309);

    /// The collation; unknown ids (never stored by this server) read as `binary`.
    #[inline]
    pub fn get(self) -> &'static Collation {
        registry::get(self)
    }
    /// Whether this server knows the id.
    pub fn is_known(self) -> bool {
        registry::get(self).id == self
    }
    /// Character set.
    #[inline]
    pub fn charset(self) -> Charset {
        self.get().charset
    }
    /// Name.
    pub fn name(self) -> &'static str {
        self.get().name
    }
}

/// How a collation compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Algorithm {
    /// By bytes.
    Bytes,
    /// One weight byte per byte.
    SimpleTable(&'static [u8; 256]),
    /// `utf8mb?_general_ci`: one 16-bit weight per character.
    GeneralCi,
    /// UCA 9.0.0 with this many levels (1 = ai_ci, 2 = as_ci, 3 = as_cs).
    Uca900 { levels: u8 },
    /// UCA 4.0.0 primary weights (`unicode_ci`).
    Uca400,
}

/// A collation.
#[derive(Debug)]
pub struct Collation {
    /// MySQL's id.
    pub id: CollationId,
    /// Name, for example `utf8mb4_0900_ai_ci`.
    pub name: &'static str,
    /// Character set.
    pub charset: Charset,
    /// PAD SPACE (trailing spaces do not count); false = NO PAD.
    pub pad_space: bool,
    /// Default of its character set.
    pub is_default: bool,
    /// Comparison.
    pub algorithm: Algorithm,
    /// Sortlen column of SHOW COLLATION.
    pub sortlen: u8,
}

impl Collation {
    /// Order of two strings in the collation's character set.
    pub fn compare(&self, a: &[u8], b: &[u8]) -> std::cmp::Ordering {
        a.cmp(b)
    }
    /// Appends bytes whose memcmp order is the collation's order. PAD SPACE: trailing spaces leave no trace.
    pub fn sort_key(&self, s: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(s);
    }
    /// Feeds a hasher so that equal strings hash equal.
    pub fn hash<H: std::hash::Hasher>(&self, s: &[u8], h: &mut H) {
        h.write(s);
    }
    /// Whether key bytes decode back to the string (binary and `_bin` NO PAD collations).
    pub fn is_reversible(&self) -> bool {
        matches!(self.algorithm, Algorithm::Bytes) && !self.pad_space
    }
}
