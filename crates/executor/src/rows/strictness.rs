//! Whose strictness makes warnings errors, where statements run inside statements.
//!
//! Strict mode belongs to whoever waits for a value: to a change (INSERT, UPDATE, DELETE) without IGNORE, and to the
//! assignment of a value to a program's variable, parameter or result. It reaches into all that is done on the way, so
//! into functions and triggers, as far as the statements there are of a kind that can fail so and their own sql_mode is
//! strict: `INSERT IGNORE` in the trigger of a strict UPDATE fails (1264), and so does `SELECT 1 / 0 INTO @a` in a
//! function that `SET v = f()` calls, but neither where SELECT calls the function (asked of MySQL 9.7).
//!
//! Kept in [`StatementState`](super::env::StatementState): whoever raises it puts back what was there, so it needs no
//! beginning. Tested: golden `programs_strictness`.

use base::{ErrorCode, SqlError, SqlResult};
use value::context::STRICT_ERRORS;
use value::{Level, Warning};

use super::env::Env;

/// What a change without IGNORE does not warn of, but fails with.
const OF_COLUMNS: [ErrorCode; 6] = [
    ErrorCode::BAD_NULL_ERROR,
    ErrorCode::NO_DEFAULT_FOR_FIELD,
    ErrorCode::NO_DEFAULT_FOR_VIEW_FIELD,
    ErrorCode::DATA_TOO_LONG,
    ErrorCode::WARN_DATA_TRUNCATED,
    ErrorCode::DIVISION_BY_ZERO,
];

/// What waits for the value of a statement, somewhere around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Around {
    /// Nothing strict.
    #[default]
    Nothing,
    /// A strict change: it does not make queries and SET fail.
    Change,
    /// A strict assignment to what belongs to a program.
    Assignment,
}

/// What kind of statement runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Class {
    /// SELECT, SET.
    #[default]
    Query,
    /// A change, CALL, a condition of IF and loops.
    Other,
    /// A change with IGNORE: its own assignments are not strict.
    Ignoring,
    /// DO, SIGNAL, GET DIAGNOSTICS: never strict.
    Lenient,
}

/// Strictness of the statement that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strictness {
    /// What is around it.
    pub around: Around,
    /// What it is.
    pub class: Class,
    /// Its select list goes into variables of a program: functions that it calls stand in an assignment.
    pub into_variables: bool,
    /// The outermost of what says how strict to be is a change with IGNORE: for the changes with IGNORE inside of it
    /// NULL in a NOT NULL column (1048) stays a warning, whatever stands between.
    pub ignored_first: bool,
}

impl Strictness {
    fn reaches(self) -> bool {
        match self.class {
            Class::Lenient => false,
            Class::Query => self.around == Around::Assignment,
            Class::Other | Class::Ignoring => self.around != Around::Nothing,
        }
    }

    /// That of a function which the statement calls.
    pub fn of_called(self) -> Strictness {
        let around = if self.into_variables { Around::Assignment } else { self.around };
        Strictness { around, into_variables: false, ..self }
    }
}

impl Env {
    /// Whether what is around the statement makes its warnings errors.
    pub fn is_strict_around(&self) -> bool {
        self.statement.strictness.reaches() && self.vars.sql_mode().is_strict()
    }

    /// Whether the statement's assignments to parameters and variables are strict.
    pub fn assigns_strictly(&self) -> bool {
        let never = matches!(self.statement.strictness.class, Class::Ignoring | Class::Lenient);
        !never && self.vars.sql_mode().is_strict()
    }

    /// Whether its assignments to parameters and variables are warned of in strict mode's words, although they do not
    /// fail: with IGNORE the words are the others.
    pub fn warns_strictly(&self) -> bool {
        self.statement.strictness.class == Class::Lenient && self.vars.sql_mode().is_strict()
    }

    /// Says that what is evaluated from now on is for an assignment; what was before, to be put back.
    #[must_use]
    pub fn begin_assignment(&mut self) -> Strictness {
        let before = self.statement.strictness;
        if self.assigns_strictly() {
            self.statement.strictness.around = Around::Assignment;
        }
        before
    }

    /// Asked before a trigger or function begins: a change with IGNORE has warned of what is an error to whoever waits.
    ///
    /// # Errors
    /// The first of it.
    pub fn fail_before_program(&mut self) -> SqlResult<()> {
        let ignores = self.statement.strictness.class == Class::Ignoring;
        match ignores && !self.conv.warnings.is_empty() && self.is_strict_around() {
            true => self.fail_of_warnings(0),
            false => Ok(()),
        }
    }

    /// What has been warned of from the `from`th warning on is an error, if it is of the kind that strict mode makes
    /// one.
    ///
    /// # Errors
    /// The first of them.
    pub fn fail_of_warnings(&mut self, from: usize) -> SqlResult<()> {
        let now = self.statement.strictness;
        let nulls_stay = now.class == Class::Ignoring && now.ignored_first;
        let fails = |w: &Warning| {
            if nulls_stay && w.code == ErrorCode::BAD_NULL_ERROR.number() {
                return None;
            }
            let mut codes = STRICT_ERRORS.iter().chain(&OF_COLUMNS);
            codes.find(|c| w.level == Level::Warning && c.number() == w.code)
        };
        let mut warnings = self.conv.warnings.iter().enumerate().skip(from);
        let found = warnings.find_map(|(at, w)| Some((at, SqlError::with_message(*fails(w)?, w.message.clone()))));
        let Some((at, e)) = found else { return Ok(()) };
        let gone = self.conv.warnings.len().saturating_sub(at) as u64;
        self.conv.warnings.truncate(at);
        self.conv.warning_count = self.conv.warning_count.saturating_sub(gone);
        Err(e)
    }
}
