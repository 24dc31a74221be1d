//! Character sets: validation, decoding, conversion, counting.
//!
//! A [`Charset`] is a small enum; everything about it is table-driven so that another 8-bit set is one table more.

/// A character set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Charset {
    Binary = 0,
    Ascii = 1,
    Latin1 = 2,
    Utf8mb3 = 3,
    Utf8mb4 = 4,
}

impl Charset {
    /// All sets.
    pub const ALL: [Charset; 5] =
        [Charset::Binary, Charset::Ascii, Charset::Latin1, Charset::Utf8mb3, Charset::Utf8mb4];

    /// MySQL's name.
    pub const fn name(self) -> &'static str {
        match self {
            Charset::Binary => "binary",
            Charset::Ascii => "ascii",
            Charset::Latin1 => "latin1",
            Charset::Utf8mb3 => "utf8mb3",
            Charset::Utf8mb4 => "utf8mb4",
        }
    }
    /// By name, any case; `utf8` is utf8mb3.
    pub fn by_name(name: &str) -> Option<Charset> {
        if name.eq_ignore_ascii_case("utf8") {
            return Some(Charset::Utf8mb3);
        }
        Charset::ALL.into_iter().find(|c| c.name().eq_ignore_ascii_case(name))
    }
    /// Description column of SHOW CHARACTER SET.
    pub const fn description(self) -> &'static str {
        match self {
            Charset::Binary => "Binary pseudo charset",
            Charset::Ascii => "US ASCII",
            Charset::Latin1 => "cp1252 West European",
            Charset::Utf8mb3 => "UTF-8 Unicode",
            Charset::Utf8mb4 => "UTF-8 Unicode",
        }
    }
    /// Bytes of the longest character.
    pub const fn max_len(self) -> u8 {
        match self {
            Charset::Binary | Charset::Ascii | Charset::Latin1 => 1,
            Charset::Utf8mb3 => 3,
            Charset::Utf8mb4 => 4,
        }
    }
    /// One byte per character.
    pub const fn is_single_byte(self) -> bool {
        self.max_len() == 1
    }
    /// utf8mb3 or utf8mb4.
    pub const fn is_utf8(self) -> bool {
        matches!(self, Charset::Utf8mb3 | Charset::Utf8mb4)
    }
    /// Default collation.
    pub const fn default_collation(self) -> crate::CollationId {
        use crate::CollationId as C;
        match self {
            Charset::Binary => C::BINARY,
            Charset::Ascii => C::ASCII_GENERAL_CI,
            Charset::Latin1 => C::LATIN1_SWEDISH_CI,
            Charset::Utf8mb3 => C::UTF8MB3_GENERAL_CI,
            Charset::Utf8mb4 => C::UTF8MB4_0900_AI_CI,
        }
    }
    /// The `_bin` collation.
    pub const fn bin_collation(self) -> crate::CollationId {
        use crate::CollationId as C;
        match self {
            Charset::Binary => C::BINARY,
            Charset::Ascii => C::ASCII_BIN,
            Charset::Latin1 => C::LATIN1_BIN,
            Charset::Utf8mb3 => C::UTF8MB3_BIN,
            Charset::Utf8mb4 => C::UTF8MB4_BIN,
        }
    }
}
