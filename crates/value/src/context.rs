//! What a conversion needs to know besides its operand, and where its warnings go.
//!
//! One [`ConvCtx`] lives per statement. `strict` is set by the statement's executor: true for INSERT/UPDATE/... under
//! STRICT_TRANS_TABLES or STRICT_ALL_TABLES without IGNORE; false while a SELECT is evaluated.

use base::{ErrorCode, SqlError, SqlResult};

use crate::temporal::parse::OddDelimiter;
use crate::temporal::{DateTime, TimeZone};

/// sql_mode as a bit set with MySQL's bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct SqlMode(pub u64);

#[allow(missing_docs)]
impl SqlMode {
    pub const REAL_AS_FLOAT: SqlMode = SqlMode(1);
    pub const PIPES_AS_CONCAT: SqlMode = SqlMode(1 << 1);
    pub const ANSI_QUOTES: SqlMode = SqlMode(1 << 2);
    pub const IGNORE_SPACE: SqlMode = SqlMode(1 << 3);
    pub const ONLY_FULL_GROUP_BY: SqlMode = SqlMode(1 << 5);
    pub const NO_UNSIGNED_SUBTRACTION: SqlMode = SqlMode(1 << 6);
    pub const NO_DIR_IN_CREATE: SqlMode = SqlMode(1 << 7);
    pub const ANSI: SqlMode = SqlMode(1 << 18);
    pub const NO_AUTO_VALUE_ON_ZERO: SqlMode = SqlMode(1 << 19);
    pub const NO_BACKSLASH_ESCAPES: SqlMode = SqlMode(1 << 20);
    pub const STRICT_TRANS_TABLES: SqlMode = SqlMode(1 << 21);
    pub const STRICT_ALL_TABLES: SqlMode = SqlMode(1 << 22);
    pub const NO_ZERO_IN_DATE: SqlMode = SqlMode(1 << 23);
    pub const NO_ZERO_DATE: SqlMode = SqlMode(1 << 24);
    pub const ALLOW_INVALID_DATES: SqlMode = SqlMode(1 << 25);
    pub const ERROR_FOR_DIVISION_BY_ZERO: SqlMode = SqlMode(1 << 26);
    pub const TRADITIONAL: SqlMode = SqlMode(1 << 27);
    pub const HIGH_NOT_PRECEDENCE: SqlMode = SqlMode(1 << 29);
    pub const NO_ENGINE_SUBSTITUTION: SqlMode = SqlMode(1 << 30);
    pub const PAD_CHAR_TO_FULL_LENGTH: SqlMode = SqlMode(1 << 31);
    pub const TIME_TRUNCATE_FRACTIONAL: SqlMode = SqlMode(1 << 32);
    /// The default of MySQL 8.4.
    pub const DEFAULT: SqlMode = SqlMode(
        Self::ONLY_FULL_GROUP_BY.0
            | Self::STRICT_TRANS_TABLES.0
            | Self::NO_ZERO_IN_DATE.0
            | Self::NO_ZERO_DATE.0
            | Self::ERROR_FOR_DIVISION_BY_ZERO.0
            | Self::NO_ENGINE_SUBSTITUTION.0,
    );

    /// Whether all bits of `other` are set.
    #[inline]
    pub const fn has(self, other: SqlMode) -> bool {
        self.0 & other.0 == other.0
    }
    /// STRICT_TRANS_TABLES or STRICT_ALL_TABLES.
    #[inline]
    pub const fn is_strict(self) -> bool {
        self.0 & (Self::STRICT_TRANS_TABLES.0 | Self::STRICT_ALL_TABLES.0) != 0
    }
}

impl std::ops::BitOr for SqlMode {
    type Output = SqlMode;
    fn bitor(self, o: SqlMode) -> SqlMode {
        SqlMode(self.0 | o.0)
    }
}

/// Level column of SHOW WARNINGS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Level {
    Note,
    Warning,
    Error,
}

/// One row of SHOW WARNINGS.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Level.
    pub level: Level,
    /// MySQL's number.
    pub code: u16,
    /// Text.
    pub message: String,
}

/// Warnings of expressions that are errors of a change in strict mode. (What is assigned to a column fails where it is assigned:
/// [`ConvCtx::fail_or_warn`].)
pub const STRICT_ERRORS: [ErrorCode; 10] = [
    ErrorCode::TRUNCATED_WRONG_VALUE,
    ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD,
    ErrorCode::WRONG_VALUE_FOR_TYPE,
    ErrorCode::WARN_DATA_OUT_OF_RANGE,
    ErrorCode::DATETIME_FUNCTION_OVERFLOW,
    ErrorCode::CUT_VALUE_GROUP_CONCAT,
    ErrorCode::INVALID_ARGUMENT_FOR_LOGARITHM,
    ErrorCode::NUMERIC_JSON_VALUE_OUT_OF_RANGE,
    ErrorCode::INVALID_JSON_VALUE_FOR_CAST,
    ErrorCode::WARN_ALLOWED_PACKET_OVERFLOWED,
];

/// A moment in the warnings of a statement: [`ConvCtx::warned`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warned {
    shown: usize,
    count: u64,
}

impl Warned {
    /// How many warnings were kept then.
    pub fn shown(self) -> usize {
        self.shown
    }
    /// How many there had been in all.
    pub fn count(self) -> u64 {
        self.count
    }
}

/// Modes, time zone and warnings of one statement.
#[derive(Clone, Debug)]
pub struct ConvCtx {
    /// Session's sql_mode.
    pub sql_mode: SqlMode,
    /// Bad data is an error rather than a warning.
    pub strict: bool,
    /// Bad data is warned of in the words of strict mode (1406 for text that is too long, not 1265): the mode is
    /// strict and nobody wrote IGNORE, but the statement is of a kind that does not fail so (DO). Set and taken back
    /// around one conversion.
    pub lenient: bool,
    /// Session's time zone.
    pub time_zone: TimeZone,
    /// The statement's time in the session's zone: the date used when a TIME becomes a DATETIME.
    /// Zero: [`ConvCtx::now_us`] says it.
    pub now: DateTime,
    /// The same as microseconds since 1970 in UTC, which costs a statement nothing to set.
    pub now_us: i64,
    /// The row that messages about a value name, from 1: of the result, or of the rows that are written.
    pub row: u64,
    /// Warnings so far, at most `max_warnings`.
    pub warnings: Vec<Warning>,
    /// All warnings, also those beyond the limit.
    pub warning_count: u64,
    /// max_error_count.
    pub max_warnings: usize,
    /// What is stored next is the value of a column or of a program's variable, as it is. MySQL copies such a one
    /// from VARCHAR to VARCHAR, and says 1265, also of blanks, where it says 1406 of any other text that is too long.
    /// Set and taken back around one conversion.
    pub copied: bool,
}

impl Default for ConvCtx {
    fn default() -> ConvCtx {
        ConvCtx::new(SqlMode::DEFAULT)
    }
}

impl ConvCtx {
    /// A context with `strict` off, UTC, no current time.
    pub fn new(sql_mode: SqlMode) -> ConvCtx {
        ConvCtx {
            sql_mode,
            strict: false,
            lenient: false,
            time_zone: TimeZone::UTC,
            now: DateTime::ZERO,
            now_us: 0,
            row: 1,
            warnings: Vec::new(),
            warning_count: 0,
            max_warnings: 1024,
            copied: false,
        }
    }
    /// The statement's time in the session's zone.
    #[cold]
    pub fn current(&self) -> DateTime {
        if self.now.is_zero() {
            self.time_zone.from_unix(self.now_us.div_euclid(1_000_000), self.now_us.rem_euclid(1_000_000) as u32)
        } else {
            self.now
        }
    }
    /// Adds a warning with the code's text.
    #[cold]
    pub fn warn(&mut self, code: ErrorCode, args: &[&dyn std::fmt::Display]) {
        self.push(Level::Warning, SqlError::new(code, args));
    }
    /// Adds a note with the code's text.
    #[cold]
    pub fn note(&mut self, code: ErrorCode, args: &[&dyn std::fmt::Display]) {
        self.push(Level::Note, SqlError::new(code, args));
    }
    /// Adds any error as a row of the given level.
    #[cold]
    pub fn push(&mut self, level: Level, e: SqlError) {
        self.warning_count += 1;
        // one that makes a change fail is kept beyond max_error_count, which may be 0
        let fails = || self.strict && level == Level::Warning && STRICT_ERRORS.iter().any(|c| c.number() == e.code());
        if self.warnings.len() < self.max_warnings || (self.warnings.len() == self.max_warnings && fails()) {
            self.warnings.push(Warning { level, code: e.code(), message: e.message().to_string() });
        }
    }
    /// Whether what is said of bad data is worded as in strict mode.
    pub fn is_worded_strictly(&self) -> bool {
        self.strict || self.lenient
    }
    /// An error when strict, otherwise a warning.
    #[cold]
    pub fn fail_or_warn(&mut self, code: ErrorCode, args: &[&dyn std::fmt::Display]) -> SqlResult<()> {
        let e = SqlError::new(code, args);
        if self.strict {
            Err(e)
        } else {
            self.push(Level::Warning, e);
            Ok(())
        }
    }
    /// 1292 "Truncated incorrect `what` value: '`text`'" as a warning.
    #[cold]
    pub fn truncated_wrong_value(&mut self, what: &str, text: &[u8]) {
        let shown = printable(text);
        self.warn(ErrorCode::TRUNCATED_WRONG_VALUE, &[&what, &shown]);
    }
    /// How much has been warned about so far.
    #[inline]
    pub fn warned(&self) -> Warned {
        Warned { shown: self.warnings.len(), count: self.warning_count }
    }
    /// Takes back what has been warned about since.
    pub fn forget_since(&mut self, mark: Warned) {
        self.warnings.truncate(mark.shown);
        self.warning_count = mark.count;
    }
    /// The first of the warnings from the `from`th on that is an error of a change in strict mode ([`STRICT_ERRORS`]),
    /// and its place among all.
    pub fn strict_error_since(&self, from: usize) -> Option<(usize, SqlError)> {
        self.warnings.iter().enumerate().skip(from).find_map(|(at, w)| {
            let code = *STRICT_ERRORS.iter().find(|c| w.level == Level::Warning && c.number() == w.code)?;
            Some((at, SqlError::with_message(code, w.message.clone())))
        })
    }
    /// In strict mode a value that an expression could not convert is an error of the whole change, wherever it stands
    /// (`WHERE text = 0` too; manual, "Strict SQL Mode"). What was warned of from there on is forgotten: a change ends
    /// at its first error. The first `from` warnings do not count.
    pub fn take_strict_error(&mut self, from: usize) -> Option<SqlError> {
        let (at, e) = self.strict_error_since(from)?;
        self.warning_count -= self.warnings.len().saturating_sub(at) as u64;
        self.warnings.truncate(at);
        Some(e)
    }
    /// 4095 or 4096 for a deprecated delimiter of a date or time in `text`, of which 39 bytes are shown.
    #[cold]
    pub fn odd_delimiter(&mut self, odd: OddDelimiter, text: &[u8]) {
        let text = String::from_utf8_lossy(text.get(..39).unwrap_or(text));
        let seen = match odd.seen {
            b'\n' => "\\n".to_owned(),
            b'\t' => "\\t".to_owned(),
            0x0c => "\\f".to_owned(),
            b'\r' => "\\r".to_owned(),
            0x0b => "\\v".to_owned(),
            c => char::from(c).to_string(),
        };
        match odd.standard {
            Some(s) => {
                self.warn(
                    ErrorCode::WARN_DEPRECATED_DATETIME_DELIMITER,
                    &[&seen, &odd.at, &text, &self.row.clone(), &s],
                );
            }
            None => {
                self.warn(
                    ErrorCode::WARN_DEPRECATED_SUPERFLUOUS_DELIMITER,
                    &[&seen, &odd.at, &text, &self.row.clone()],
                );
            }
        }
    }
    /// 1365 "Division by 0": what a division operator calls; does nothing unless the mode asks for it.
    #[cold]
    pub fn division_by_zero(&mut self) -> SqlResult<()> {
        if !self.sql_mode.has(SqlMode::ERROR_FOR_DIVISION_BY_ZERO) {
            return Ok(());
        }
        self.fail_or_warn(ErrorCode::DIVISION_BY_ZERO, &[])
    }
}

/// Bytes as MySQL shows them in messages: valid UTF-8 kept, other bytes as `\xHH`, cut at 128 bytes.
pub fn printable(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if out.len() + c.len_utf8() > 128 {
                return out;
            }
            if (c as u32) < 0x20 || c as u32 == 0x7f {
                out.push_str(&format!("\\x{:02X}", c as u32));
            } else {
                out.push(c);
            }
        }
        for b in chunk.invalid() {
            if out.len() + 4 > 128 {
                return out;
            }
            out.push_str(&format!("\\x{b:02X}"));
        }
    }
    out
}
