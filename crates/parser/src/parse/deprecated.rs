//! What MySQL 8.4 calls deprecated where it is written: operators, functions, character sets, attributes of types. Each use is a warning of the
//! statement, in the order of the text (1287, 1681, 3719, 3720, 3778, 4079).
//!
//! The texts are kept in the arena; a select item that is read twice takes its notices back ([`Parser::rewind`]).

use super::Parser;
use crate::ast::{DataType, TypeName};
use base::ErrorCode;

/// A warning that the statement's text gives.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// Offset of the token behind it.
    pub(super) at: u32,
    /// Its number.
    pub code: ErrorCode,
    /// Its text.
    pub text: &'a str,
}

/// Character sets that will go away beside utf8mb3, and the prefix of their collations.
const OLD_SETS: [&str; 5] = ["ucs2", "macroman", "macce", "dec8", "hp8"];

const NATIONAL: &str = "NATIONAL/NCHAR/NVARCHAR implies the character set UTF8MB3, which will be replaced by UTF8MB4 in a future release. \
     Please consider using CHAR(x) CHARACTER SET UTF8MB4 in order to be unambiguous.";
const UTF8: &str = "'utf8' is currently an alias for the character set UTF8MB3, but will be an alias for UTF8MB4 in a future release. \
     Please consider using UTF8MB4 in order to be unambiguous.";
const ZEROFILL: &str = "The ZEROFILL attribute is deprecated and will be removed in a future release. Use the LPAD function to zero-pad numbers, \
     or store the formatted numbers in a CHAR column.";
const UNSIGNED: &str = "UNSIGNED for decimal and floating point data types is deprecated and support for it will be removed in a future release.";
const DIGITS: &str =
    "Specifying number of digits for floating point data types is deprecated and will be removed in a future release.";
const WIDTH: &str = "Integer display width is deprecated and will be removed in a future release.";

impl<'a> Parser<'a, '_> {
    #[inline(never)]
    pub(super) fn notice(&mut self, code: ErrorCode, text: &str) {
        let text = self.arena.alloc_str(text);
        self.notices.push(Notice { at: self.cur.start, code, text });
    }

    /// `old` should be written as `new`.
    #[inline(never)]
    pub(super) fn deprecated(&mut self, old: &str, new: &str) {
        let text = format!("{old} is deprecated and will be removed in a future release. Please use {new} instead");
        self.notice(ErrorCode::WARN_DEPRECATED_SYNTAX, &text);
    }

    #[inline(never)]
    pub(super) fn deprecated_sentence(&mut self, text: &str) {
        self.notice(ErrorCode::WARN_DEPRECATED_SYNTAX, text);
    }

    pub(super) fn deprecated_national(&mut self) {
        self.notice(ErrorCode::DEPRECATED_NATIONAL, NATIONAL);
    }

    /// A character set's name, lower case.
    pub(super) fn deprecated_charset(&mut self, name: &str) {
        if name == "utf8" {
            self.notice(ErrorCode::DEPRECATED_UTF8_ALIAS, UTF8);
        } else if name == "utf8mb3" || OLD_SETS.contains(&name) {
            self.deprecated(&format!("'{name}'"), "utf8mb4");
        }
    }

    /// A collation's name where a column, table, schema or connection gets it.
    pub(super) fn deprecated_collation(&mut self, name: &str) {
        let Some((set, _)) = name.split_once('_') else { return };
        let set = set.to_ascii_lowercase();
        let (code, set, new) = match set.as_str() {
            "utf8mb3" | "utf8" => (ErrorCode::DEPRECATED_UTF8MB3_COLLATION, "UTF8MB3".to_owned(), "UTF8MB4"),
            s if OLD_SETS.contains(&s) => (ErrorCode::DEPRECATED_COLLATION, set, "utf8mb4"),
            _ => return,
        };
        let text = format!(
            "'{name}' is a collation of the deprecated character set {set}. Please consider using {new} with an appropriate collation instead."
        );
        self.notice(code, &text);
    }

    pub(super) fn deprecated_binary_attribute(&mut self) {
        self.deprecated("'BINARY as attribute of a type'", "a CHARACTER SET clause with _bin collation");
    }

    /// Widths, ZEROFILL and UNSIGNED of a numeric type that has been read; `zerofill`, `unsigned`: the words were there.
    pub(super) fn deprecated_number(&mut self, t: &DataType<'a>, unsigned: bool) {
        use TypeName as T;
        let float = matches!(t.kind, T::Float | T::Double | T::Real);
        let say = |p: &mut Self, when: bool, text: &str| {
            if when {
                p.notice(ErrorCode::WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, text);
            }
        };
        say(self, float && t.decimals.is_some(), DIGITS);
        say(self, t.zerofill, ZEROFILL);
        if float || matches!(t.kind, T::Decimal) {
            say(self, unsigned, UNSIGNED);
        } else {
            say(self, t.length.is_some(), WIDTH);
        }
    }
}
