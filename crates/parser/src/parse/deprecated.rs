//! Deprecated syntax: what MySQL warns about when it reads a statement.
//!
//! The warnings belong to the text of a statement, so they come again each time a statement with a plan in the cache runs, but for a
//! prepared statement only when it is prepared. MySQL makes some of them after it has read the whole statement (functions, `||`);
//! these stand behind the others. The texts are those of MySQL 8.4's message file as the manual quotes them.
//!
//! Tested: golden `deprecated`.

use super::Parser;
use crate::ast::{DataType, TypeName};
use base::{ErrorCode, SqlError};

/// A warning that the text of a statement deserves.
#[derive(Clone, Copy, Debug)]
pub struct Remark<'a> {
    /// Its number.
    pub code: ErrorCode,
    /// Its text.
    pub text: &'a str,
}

/// `'WHAT' is deprecated ... Please use INSTEAD instead`
macro_rules! instead {
    ($what:literal, $instead:literal) => {
        concat!(
            "'",
            $what,
            "' is deprecated and will be removed in a future release. Please use ",
            $instead,
            " instead"
        )
    };
}

macro_rules! removed {
    ($what:literal) => {
        concat!($what, " is deprecated and will be removed in a future release.")
    };
}

/// Kinds of deprecated syntax without a name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Old {
    BinaryExpr,
    InnerInto,
    EmptyAfterError,
    BinaryAttribute,
    Ascii,
    Unicode,
    National,
    AmpAmp,
    Bang,
    PipePipe,
    SetVariable,
    CalcFoundRows,
    FoundRows,
    NoCache,
    Processlist,
    Super,
    ValuesOnDuplicate,
    Values,
    IntegerWidth,
    Zerofill,
    UnsignedReal,
    RealDigits,
    YearFour,
    UnsignedYear,
    Dollar,
    Profiles,
}

impl Old {
    fn remark(self) -> Remark<'static> {
        let text = match self {
            Old::BinaryExpr => instead!("BINARY expr", "CAST"),
            Old::BinaryAttribute => {
                instead!("BINARY as attribute of a type", "a CHARACTER SET clause with _bin collation")
            }
            Old::Ascii => instead!("ASCII", "CHARACTER SET charset_name"),
            Old::Unicode => instead!("UNICODE", "CHARACTER SET charset_name"),
            Old::National => {
                return Remark { code: ErrorCode::DEPRECATED_NATIONAL, text: ErrorCode::DEPRECATED_NATIONAL.text() };
            }
            Old::AmpAmp => instead!("&&", "AND"),
            Old::Bang => instead!("!", "NOT"),
            Old::PipePipe => instead!("|| as a synonym for OR", "OR"),
            Old::SetVariable => concat!(
                removed!("Setting user variables within expressions"),
                " Consider alternatives: 'SET variable=expression, ...', or 'SELECT expression(s) INTO variables(s)'."
            ),
            Old::CalcFoundRows => {
                concat!(removed!("SQL_CALC_FOUND_ROWS"), " Consider using two separate queries instead.")
            }
            Old::FoundRows => concat!(removed!("FOUND_ROWS()"), " Consider using COUNT(*) instead."),
            Old::Processlist => instead!("INFORMATION_SCHEMA.PROCESSLIST", "performance_schema.processlist"),
            Old::Super => "The SUPER privilege identifier is deprecated",
            Old::ValuesOnDuplicate => instead!(
                "VALUES function",
                "an alias (INSERT INTO ... VALUES (...) AS alias) and replace VALUES(col) in the ON DUPLICATE KEY UPDATE clause with alias.col"
            ),
            Old::YearFour => instead!("YEAR(4)", "YEAR"),
            Old::Profiles => instead!("SHOW PROFILES", "Performance Schema"),
            Old::NoCache => return no_replacement(removed!("'SQL_NO_CACHE'")),
            Old::Values => return no_replacement(removed!("'VALUES function'")),
            Old::IntegerWidth => return no_replacement(removed!("Integer display width")),
            Old::Zerofill => {
                return no_replacement(concat!(
                    removed!("The ZEROFILL attribute"),
                    " Use the LPAD function to zero-pad numbers, or store the formatted numbers in a CHAR column."
                ));
            }
            Old::UnsignedReal => {
                return no_replacement(
                    "UNSIGNED for decimal and floating point data types is deprecated and support for it will be removed in a future release.",
                );
            }
            Old::RealDigits => {
                return no_replacement(removed!("Specifying number of digits for floating point data types"));
            }
            Old::UnsignedYear => {
                return no_replacement(
                    "UNSIGNED for the YEAR data type is deprecated and support for it will be removed in a future release.",
                );
            }
            Old::EmptyAfterError => {
                "Specifying an ON EMPTY clause after the ON ERROR clause in a JSON_TABLE column definition is deprecated syntax \
                 and will be removed in a future release. Specify ON EMPTY before ON ERROR instead."
            }
            Old::InnerInto => {
                let code = ErrorCode::WARN_DEPRECATED_INNER_INTO;
                return Remark { code, text: code.text() };
            }
            Old::Dollar => return no_replacement(removed!("'$ as the first character of an unquoted identifier'")),
        };
        Remark { code: ErrorCode::WARN_DEPRECATED_SYNTAX, text }
    }

    /// Told after the whole statement has been read.
    fn is_late(self) -> bool {
        matches!(self, Old::FoundRows | Old::ValuesOnDuplicate | Old::Values | Old::PipePipe)
    }
}

fn no_replacement(text: &'static str) -> Remark<'static> {
    Remark { code: ErrorCode::WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, text }
}

/// The character sets that MySQL 8.4 calls deprecated, besides utf8mb3.
const OLD_SETS: [&str; 5] = ["ucs2", "macroman", "macce", "hp8", "dec8"];

/// What a character set's name (lower case) deserves.
pub fn charset_remark(name: &str) -> Option<(ErrorCode, String)> {
    match name {
        "utf8" => Some((ErrorCode::DEPRECATED_UTF8_ALIAS, ErrorCode::DEPRECATED_UTF8_ALIAS.text().to_owned())),
        "utf8mb3" => Some(old_set(name)),
        _ if OLD_SETS.contains(&name) => Some(old_set(name)),
        _ => None,
    }
}

fn old_set(name: &str) -> (ErrorCode, String) {
    filled(ErrorCode::WARN_DEPRECATED_SYNTAX, &[&name, &"utf8mb4"])
}

fn filled(code: ErrorCode, args: &[&dyn std::fmt::Display]) -> (ErrorCode, String) {
    (code, SqlError::new(code, args).message().to_owned())
}

/// What a collation's name (lower case) deserves.
pub fn collation_remark(name: &str) -> Option<(ErrorCode, String)> {
    let set = name.split('_').next().unwrap_or(name);
    match set {
        // an alias; the collation is told by its own name
        "utf8" => {
            let own = name.replacen("utf8", "utf8mb3", 1);
            Some(filled(ErrorCode::WARN_DEPRECATED_UTF8MB3_COLLATION, &[&own]))
        }
        "utf8mb3" => Some(filled(ErrorCode::WARN_DEPRECATED_UTF8MB3_COLLATION, &[&name])),
        _ if OLD_SETS.contains(&set) => Some(filled(ErrorCode::WARN_DEPRECATED_COLLATION, &[&name, &set, &"utf8mb4"])),
        _ => None,
    }
}

impl<'a> Parser<'a, '_> {
    #[cold]
    pub(super) fn old(&mut self, what: Old) {
        if what.is_late() {
            self.late.push(what.remark());
        } else {
            self.remarks.push(what.remark());
        }
    }

    fn made(&mut self, made: Option<(ErrorCode, String)>) {
        if let Some((code, text)) = made {
            self.remarks.push(Remark { code, text: self.arena.alloc_str(&text) });
        }
    }

    pub(super) fn old_charset(&mut self, name: &str) {
        self.made(charset_remark(name));
    }

    pub(super) fn old_collation(&mut self, name: &str) {
        self.made(collation_remark(name));
    }

    /// A function by its name.
    pub(super) fn old_function(&mut self, name: &str) {
        if name.eq_ignore_ascii_case("found_rows") {
            self.old(Old::FoundRows);
        }
    }

    /// A number's type; ZEROFILL was told where it stands. `unsigned`: the word itself.
    pub(super) fn old_number(&mut self, t: &DataType<'a>, unsigned: bool) {
        use TypeName as T;
        match t.kind {
            T::Year => {
                if t.length.is_some() {
                    self.old(Old::YearFour);
                }
                if unsigned && !t.zerofill {
                    self.old(Old::UnsignedYear);
                }
            }
            T::Decimal | T::Float | T::Double | T::Real => {
                if t.kind != T::Decimal && t.decimals.is_some() {
                    self.old(Old::RealDigits);
                }
                if unsigned {
                    self.old(Old::UnsignedReal);
                }
            }
            _ if t.length.is_some() => self.old(Old::IntegerWidth),
            _ => {}
        }
    }

    /// How many remarks there are, for [`Parser::forget_remarks`].
    pub(super) fn remarks_so_far(&self) -> (usize, usize) {
        (self.remarks.len(), self.late.len())
    }

    /// What was read since then is read again.
    pub(super) fn forget_remarks(&mut self, so_far: (usize, usize)) {
        self.remarks.truncate(so_far.0);
        self.late.truncate(so_far.1);
    }
}
