//! What an applier's session is given beside the texts of statements: values that come before one (INTVAR, RAND,
//! USER_VAR), and the file of LOAD DATA.
//!
//! None of it becomes SQL text: whoever chose a variable's name at the source chose no statement here, whatever the
//! character set of the client is that a text is read in. A file lies in `replica_load_tmpdir`, without a name, until
//! its statement is over or another transaction begins; after a crash nothing is left of it, and the transaction comes
//! again with its blocks.
//!
//! One thread uses it. Tested: `tests/binlog/test_load_as_text.py`, `tests/binlog/test_statement_format.py`.

use super::applier::ApplierSession;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::statement::{Intvar, UserValue};
use catalog::sysvar::{Raw, Var};
use executor::{TempFile, UserVar};
use probe::files::FileUse;
use value::{CollationId, OwnedValue, SqlType};

impl ApplierSession {
    /// LAST_INSERT_ID(), or the first AUTO_INCREMENT value, of the next statement.
    ///
    /// # Errors
    /// None of its own.
    pub fn take_insert_id(&mut self, v: Intvar) -> SqlResult<()> {
        self.within(|s| {
            match v {
                Intvar::LastInsertId(n) => s.env.insert_ids.next = n,
                Intvar::InsertId(n) => s.env.insert_ids.wanted = n,
            }
            Ok(())
        })
    }

    /// Seeds of RAND() in the next statement.
    ///
    /// # Errors
    /// None of its own.
    pub fn take_seeds(&mut self, (a, b): (u64, u64)) -> SqlResult<()> {
        self.within(|s| {
            s.env.rand.seeds = (a as u32, b as u32);
            Ok(())
        })
    }

    /// A user variable that the next statement reads.
    ///
    /// # Errors
    /// 1300 for a text that is none of its character set; of other bytes that are no value.
    pub fn take_user_var(&mut self, v: &binlog::statement::UserVar<'_>) -> SqlResult<()> {
        self.within(|s| {
            let var = v.value.as_ref().map_or_else(|| Ok(null()), of_event)?;
            let name = String::from_utf8_lossy(v.name).to_lowercase();
            s.env.user_vars.insert(name.into(), var);
            base::memory::check()
        })
    }

    /// A block of the file with this number; `first`: it begins with it.
    ///
    /// # Errors
    /// Of the file.
    pub fn take_block(&mut self, file: u32, block: &[u8], first: bool) -> SqlResult<()> {
        let s = &mut self.0;
        if first {
            let dir = s.env.shared.globals.string(Var::replica_load_tmpdir);
            s.applier.files.insert(file, TempFile::create_in(&dir, FileUse::Load)?);
        }
        match s.applier.files.get_mut(&file) {
            Some(f) => f.append(block).map(drop),
            None => Err(malformed("a block of a file that has not begun")),
        }
    }

    /// The file is not needed.
    pub fn forget_file(&mut self, file: u32) {
        self.0.applier.files.remove(&file);
    }

    /// Runs LOAD DATA with that file, whatever the text calls it. `charset`: number of the source's
    /// `collation_database`, in which a file is where the statement does not say.
    ///
    /// # Errors
    /// The statement's.
    pub fn load(&mut self, file: u32, text: &[u8], charset: Option<u16>) -> SqlResult<()> {
        let f = self.0.applier.files.remove(&file);
        let f = f.ok_or_else(|| malformed("LOAD DATA with a file that has not begun"))?;
        self.0.applier.loads = Some(f);
        let before = self.0.env.vars.num(Var::collation_database);
        if let Some(id) = charset.filter(|id| CollationId(*id).is_known()) {
            self.0.env.vars.store(Var::collation_database, Raw::Num(u64::from(id)));
        }
        let done = self.statement(text);
        self.0.env.vars.store(Var::collation_database, Raw::Num(before));
        self.0.applier.loads = None;
        done
    }
}

fn malformed(what: &'static str) -> SqlError {
    SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("Relay log read failure: {}", binlog::Malformed(what)))
}

fn null() -> UserVar {
    UserVar::new(OwnedValue::Null, SqlType::varchar(0, CollationId::BINARY))
}

/// The value of a USER_VAR.
fn of_event(v: &UserValue<'_>) -> SqlResult<UserVar> {
    let eight = || v.bytes.as_array().copied().ok_or_else(|| malformed("a user variable whose number has not 8 bytes"));
    let (value, ty) = match (v.kind, v.bytes) {
        (0, bytes) => {
            let id = u16::try_from(v.collation).map(CollationId).ok().filter(|c| c.is_known());
            let collation = id.unwrap_or(CollationId::BINARY);
            let charset = collation.charset();
            if let Some((_, shown)) = charset.ill_formed(bytes) {
                return Err(SqlError::new(ErrorCode::INVALID_CHARACTER_STRING, &[&charset.name(), &shown]));
            }
            let chars = u32::try_from(charset.char_count(bytes)).unwrap_or(u32::MAX);
            (OwnedValue::Str(bytes.into()), SqlType::varchar(chars, collation))
        }
        (1, _) => (OwnedValue::Double(f64::from_le_bytes(eight()?)), SqlType::double()),
        (2, _) if v.unsigned => (OwnedValue::UInt(u64::from_le_bytes(eight()?)), SqlType::bigint_unsigned()),
        (2, _) => (OwnedValue::Int(i64::from_le_bytes(eight()?)), SqlType::bigint()),
        (4, [precision, scale, bytes @ ..]) => {
            let d = value::decimal::decode_binary(bytes, *precision, *scale);
            let d = d.ok_or_else(|| malformed("a user variable that is no DECIMAL"))?;
            (OwnedValue::Decimal(Box::new(d)), SqlType::decimal(*precision, *scale))
        }
        _ => return Err(malformed("a user variable of an unknown type")),
    };
    Ok(UserVar::new(value, ty))
}
