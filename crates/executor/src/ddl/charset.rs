//! CHARACTER SET and COLLATE among the options of a table or a database, read one after the other as MySQL's grammar does: a second
//! character set must be the first one (1302), a collation must belong to the character set that is chosen so far, be it by CHARACTER SET
//! or by another COLLATE (1253), and a character set leaves the collation that was named before it. No state outlives the statement.
//! Tested by the golden file `definition_errors`.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{DatabaseOption, TableOption};
use value::collation::by_name as collation_by_name;
use value::{Charset, CollationId};

/// What has been read so far.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    id: Option<CollationId>,
    /// By COLLATE.
    named: bool,
    /// `default_collation_for_utf8mb4`
    utf8mb4: CollationId,
}

/// The collation of a character set alone; `utf8mb4`: that of utf8mb4.
pub(super) fn default_of(charset: Charset, utf8mb4: CollationId) -> CollationId {
    if charset == Charset::Utf8mb4 { utf8mb4 } else { charset.default_collation() }
}

impl Chosen {
    /// Nothing yet.
    pub(super) fn none(utf8mb4: CollationId) -> Self {
        Chosen { id: None, named: false, utf8mb4 }
    }

    /// CHARACTER SET. Errors 1115, 1302.
    pub(super) fn charset(&mut self, name: &str) -> SqlResult<()> {
        let new = Charset::by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&name]))?;
        if let Some(old) = self.id.map(|i| i.charset()).filter(|o| *o != new) {
            let say = |c: Charset| format!("CHARACTER SET {}", c.name());
            return Err(SqlError::new(ErrorCode::CONFLICTING_DECLARATIONS, &[&say(old), &say(new)]));
        }
        if !self.named {
            self.id = Some(default_of(new, self.utf8mb4));
        }
        Ok(())
    }

    /// COLLATE. Errors 1273, 1253.
    pub(super) fn collate(&mut self, name: &str) -> SqlResult<()> {
        let new = collation_by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&name]))?;
        if let Some(old) = self.id.map(|i| i.charset()).filter(|o| *o != new.charset) {
            return Err(SqlError::new(ErrorCode::COLLATION_CHARSET_MISMATCH, &[&new.name, &old.name()]));
        }
        (self.id, self.named) = (Some(new.id), true);
        Ok(())
    }

    /// An option of a table; those that are about something else are left.
    pub(super) fn table_option(&mut self, o: &TableOption<'_>) -> SqlResult<()> {
        match o {
            TableOption::Charset(name) => self.charset(name),
            TableOption::Collate(name) => self.collate(name),
            _ => Ok(()),
        }
    }

    /// CONVERT TO CHARACTER SET of ALTER TABLE; without a character set it is DEFAULT, which names none.
    pub(super) fn convert(&mut self, charset: Option<&str>, collation: Option<&str>) -> SqlResult<()> {
        charset.map_or(Ok(()), |c| self.charset(c))?;
        collation.map_or(Ok(()), |c| self.collate(c))
    }

    /// The options of a database.
    pub(super) fn database(options: &[DatabaseOption<'_>], utf8mb4: CollationId) -> SqlResult<Self> {
        let mut out = Self::none(utf8mb4);
        for o in options {
            match o {
                DatabaseOption::Charset(name) => out.charset(name)?,
                DatabaseOption::Collate(name) => out.collate(name)?,
                DatabaseOption::Encryption(_) | DatabaseOption::ReadOnly(_) => {}
            }
        }
        Ok(out)
    }

    /// What is chosen; `None` when no option names a character set or collation.
    pub(super) fn collation(self) -> Option<CollationId> {
        self.id
    }
}
