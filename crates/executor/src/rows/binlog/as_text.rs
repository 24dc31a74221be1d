//! Changes that are logged as their text (`binlog_format`), and what such a text needs besides: values of user
//! variables, LAST_INSERT_ID(), the first AUTO_INCREMENT value, the seeds of RAND().
//!
//! Which statements these are is the session's affair (`session::kernel::statement_format`). While one runs, its rows
//! and those of its triggers and functions are not logged ([`super::Binlog::on`]), and what a program on the way reads
//! of the session is noted here at its first reading.

use super::around::Around;
use super::settings::{self, Kind};
use super::{Binlog, CHECKSUM_ROOM};
use crate::rows::env::Env;
use crate::rows::user_vars::{UserVar, UserVars};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::statement::{self, Intvar, UserValue};
use catalog::sysvar::Var;
use value::{CollationId, OwnedValue};

/// A change that is logged as its text.
#[derive(Debug, Default)]
pub struct AsText {
    /// The text.
    pub text: Box<[u8]>,
    /// Seeds of RAND() as it began.
    pub seeds: (u32, u32),
    /// LAST_INSERT_ID(), if it asks for it.
    pub last_id: Option<u64>,
    /// Why its programs may do something else on a replica: bits whose meaning is the session's affair.
    pub reasons_inside: u32,
    /// User variables that it reads, with their values as it began.
    user_vars: Vec<(Box<str>, Option<UserVar>)>,
}

impl AsText {
    /// A change with this text, which begins with these seeds.
    pub fn new(text: Box<[u8]>, seeds: (u32, u32)) -> AsText {
        AsText { text, seeds, ..AsText::default() }
    }

    /// It reads this variable, which has this value now.
    pub fn reads(&mut self, name: &str, vars: &UserVars) {
        if !self.user_vars.iter().any(|(n, _)| **n == *name) {
            self.user_vars.push((name.into(), vars.get(name).cloned()));
        }
    }
}

impl Binlog {
    /// The text of the statement that begins, or `None` where its rows are wanted.
    pub fn set_own_text(&mut self, text: Option<&[u8]>) {
        self.own_text = text.map(Into::into);
    }

    /// That, for the one who logs it.
    pub fn take_own_text(&mut self) -> Option<Box<[u8]>> {
        self.own_text.take()
    }

    /// A change begins that is logged so.
    pub fn begin_as_text(&mut self, of: AsText) {
        self.as_text = Some(Box::new(of));
    }

    /// It is over.
    pub fn end_as_text(&mut self) -> Option<Box<AsText>> {
        self.as_text.take()
    }

    /// A statement of one of its programs runs, for which `reasons` are known.
    pub fn note_inside(&mut self, reasons: impl FnOnce() -> u32) {
        if let Some(t) = &mut self.as_text {
            t.reasons_inside |= reasons();
        }
    }

    /// A user variable is read.
    #[inline]
    pub fn note_user_var(&mut self, name: &str, vars: &UserVars) {
        if let Some(t) = &mut self.as_text {
            t.reads(name, vars);
        }
    }

    /// LAST_INSERT_ID() is read.
    #[inline]
    pub fn note_last_id(&mut self, id: u64) {
        if let Some(t) = &mut self.as_text {
            t.last_id.get_or_insert(id);
        }
    }
}

/// The value as an event has it: kind, collation and bytes.
fn value_of(v: &UserVar, numbers: CollationId) -> Option<(u8, CollationId, Vec<u8>)> {
    Some(match &v.value {
        OwnedValue::Null => return None,
        OwnedValue::Double(d) => (1, numbers, d.to_le_bytes().to_vec()),
        OwnedValue::Int(n) => (2, numbers, n.to_le_bytes().to_vec()),
        OwnedValue::UInt(n) => (2, numbers, n.to_le_bytes().to_vec()),
        OwnedValue::Decimal(d) => {
            let (precision, scale) = (d.precision(), d.scale());
            let mut bytes = vec![precision, scale];
            let _ = value::decimal::encode_binary(d, precision, scale, &mut bytes);
            (4, numbers, bytes)
        }
        OwnedValue::Str(s) => (0, v.ty.collation, s.to_vec()),
        // there are none: a variable holds their text
        other => {
            let mut text = Vec::new();
            value::convert::to_text(other.as_value(), &v.ty, &mut text);
            (0, v.ty.collation, text)
        }
    })
}

impl Env {
    /// Appends a change as its text to the transaction's events.
    ///
    /// # Errors
    /// 1197 above `max_binlog_cache_size`; 3.
    pub fn log_as_text(&mut self, of: &AsText) -> SqlResult<()> {
        let (b, around) = self.binlog_and_around();
        b.log_as_text(&around, of)
    }
}

impl Binlog {
    fn log_as_text(&mut self, around: &Around<'_>, of: &AsText) -> SqlResult<()> {
        if self.cache.is_empty() {
            self.begin_transaction(around);
        } else {
            self.end_statement();
            self.settle(self.limits.memory)?;
            if self.cache.len() > self.limits.all {
                return Err(SqlError::new(ErrorCode::TRANS_CACHE_FULL, &[]));
            }
        }
        let stamp = settings::stamp(around);
        let out = self.cache.end();
        if let Some(n) = of.last_id {
            statement::intvar(Intvar::LastInsertId(n), stamp, CHECKSUM_ROOM, out);
        }
        if around.insert_ids.taken > 0 {
            statement::intvar(Intvar::InsertId(around.insert_ids.taken), stamp, CHECKSUM_ROOM, out);
        }
        if of.seeds != around.rand.seeds {
            let (a, b) = of.seeds;
            statement::rand((u64::from(a), u64::from(b)), stamp, CHECKSUM_ROOM, out);
        }
        let numbers = CollationId(around.vars.num(Var::collation_connection) as u16);
        for (name, var) in &of.user_vars {
            let value = var.as_ref().and_then(|v| value_of(v, numbers));
            let value = value.as_ref().map(|(kind, collation, bytes)| UserValue {
                kind: *kind,
                collation: u32::from(collation.0),
                bytes,
                unsigned: var.as_ref().is_some_and(|v| matches!(v.value, OwnedValue::UInt(_))),
            });
            statement::user_var(&statement::UserVar { name: name.as_bytes(), value }, stamp, CHECKSUM_ROOM, out);
        }
        let s = settings::Statement { kind: Kind::Change, text: &of.text, schemas: &[], xid: 0 };
        settings::query(around, &s, out);
        self.has_text = true;
        self.keys.add_unknown();
        Ok(())
    }
}
