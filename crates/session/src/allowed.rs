//! Values of system variables that SET refuses beyond their type: lists, names and folders that mean nothing (1231).
//!
//! Asked once per assignment, before anything changes. Tested: below and by golden `system_variables`.

use crate::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{Raw, Var};

impl Session {
    /// Whether the value, which is of the variable's type, may be given to it. `shown`: as it was written.
    pub(crate) fn check_allowed(&mut self, var: Var, raw: &Raw, shown: &str) -> SqlResult<()> {
        let refused = || Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&var.name(), &shown]));
        let text = match raw {
            Raw::Text(Some(t)) => Some(&**t),
            _ => None,
        };
        let fits = match var {
            Var::log_output | Var::protocol_compression_algorithms => *raw != Raw::Num(0),
            Var::ft_boolean_syntax => text.is_some_and(boolean_syntax),
            Var::innodb_tmpdir => text.is_none_or(|t| std::path::Path::new(t).is_dir()),
            Var::innodb_redo_log_archive_dirs => text.is_none_or(archive_dirs),
            Var::session_track_system_variables => {
                for name in text.unwrap_or_default().split(',').map(str::trim) {
                    if !name.is_empty() && name != "*" && Var::find(&name.to_ascii_lowercase()).is_err() {
                        let text = format!("{name} is not a valid system variable and will be ignored.");
                        let warning = SqlError::with_message(ErrorCode::WRONG_VALUE_FOR_VAR, text);
                        self.env.conv.push(value::Level::Warning, warning);
                    }
                }
                true
            }
            _ => true,
        };
        if fits { Ok(()) } else { refused() }
    }
}

/// Fourteen different characters that are neither letters nor digits; the two quotes may be the same. One of the first two is a space.
fn boolean_syntax(t: &str) -> bool {
    let b = t.as_bytes();
    let plain = b.iter().all(|c| c.is_ascii() && !c.is_ascii_alphanumeric());
    let twice = |(i, c): (usize, &u8)| b.iter().take(i).position(|d| d == c).is_some_and(|j| (i, j) != (11, 10));
    b.len() == 14 && plain && b.iter().take(2).any(|c| *c == b' ') && !b.iter().enumerate().any(twice)
}

/// `label:folder;label:folder`, or nothing.
fn archive_dirs(t: &str) -> bool {
    t.is_empty() || t.split(';').all(|part| part.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        for (t, good) in [
            ("+ -><()~*:\"\"&|", true),
            (" +-><()~*:\"\"&|", true),
            ("+ -><()~*:&|\"\"", false),
            ("+ -><()~*:\"\"&+", false),
            ("+x-><()~*:\"\"&|", false),
            ("+!-><()~*:\"\"&|", false),
            ("", false),
        ] {
            assert_eq!(boolean_syntax(t), good, "{t}");
        }
        assert!(archive_dirs("") && archive_dirs("a:/tmp;b:/var") && !archive_dirs("/tmp"));
    }
}
