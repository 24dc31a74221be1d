//! Passwords that the server makes: `IDENTIFIED BY RANDOM PASSWORD`, `SET PASSWORD ... TO RANDOM`.
//!
//! They are told once, as the result of the statement, and kept nowhere but as the account's hash. What a statement has made stands in
//! [`Session::generated`] until its answer. Tested: `tests/clients/test_random_password.py`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::ResultSink;
use catalog::sysvar::Var;

/// What passwords are made of: printable, without quotes and backslash.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#%&()*+,-./:;<=>?@[]^_{|}~";

impl Session {
    /// A password of `generated_random_password_length` characters.
    pub(crate) fn random_password(&self) -> SqlResult<String> {
        let length = self.env.vars.num(Var::generated_random_password_length) as usize;
        // bytes beyond the last whole multiple would make some letters more frequent
        let fair = 256 - 256 % LETTERS.len();
        let mut password = String::with_capacity(length);
        let mut bytes = [0; 64];
        while password.len() < length {
            sys::process::random_bytes(&mut bytes)
                .map_err(|e| SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("no random bytes: {e}")))?;
            let fitting = bytes.iter().filter(|b| usize::from(**b) < fair);
            let letters = fitting.filter_map(|b| LETTERS.get(usize::from(*b) % LETTERS.len()));
            password.extend(letters.take(length - password.len()).map(|b| char::from(*b)));
        }
        Ok(password)
    }

    /// The passwords that the statement has made are its result.
    pub(crate) fn tell_generated(&mut self, done: SqlResult<()>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let made = std::mem::take(&mut self.running.made_passwords);
        done?;
        if made.is_empty() {
            return Ok(Outcome::ok());
        }
        let mut table = Table::new(columns::GENERATED_PASSWORDS);
        for g in made {
            table.push(vec![g.user.into(), g.host.into(), g.password.0.into(), Cell::UInt(1)]);
        }
        table.send(self.env.vars.collation(Var::character_set_results), out)?;
        Ok(Outcome::rows())
    }
}
