//! The digest of a statement that has ended: its key, where it counts, and the text that stands for it.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

use crate::logs::SessionLog;
use crate::logs::measures::{Begun, Instrument};
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use catalog::sysvar::Var;
use executor::Env;
use probe::statements::{self, One, Slot};
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// The first bytes of a text, whole characters.
fn cut(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

impl Instrument {
    /// What a default schema adds to the key of a statement's tokens: that makes the key of its digest.
    #[inline]
    pub(super) fn key_of(&mut self, schema: Option<&Arc<str>>) -> u128 {
        let Some(schema) = schema else { return 0 };
        if !self.schema.0.as_ref().is_some_and(|s| Arc::ptr_eq(s, schema)) {
            let mut h = foldhash::fast::FixedState::with_seed(1).build_hasher();
            h.write(schema.as_bytes());
            self.schema = (Some(schema.clone()), u128::from(h.finish()) << 64 | u128::from(h.finish()));
        }
        self.schema.1
    }
}

impl SessionLog {
    /// Counts for the statement's digest, whose number it returns; 0: it has none.
    #[inline(always)]
    pub(super) fn record_digest(
        &mut self,
        env: &Env,
        begun: &Begun,
        (sql, one): (&[u8], &One),
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) -> u64 {
        let age = env.shared.globals.num(Var::performance_schema_max_digest_sample_age).saturating_mul(1_000_000);
        let count = |slot: &Arc<Slot>| (slot.digest().id, slot.record(one, age).then(|| slot.clone()));
        let known = statements::mine(|m| m.find(begun.key).map(count));
        let (id, sample) = known.unwrap_or_else(|| {
            let slot = self.new_slot(begun, result, digest);
            (slot.as_ref().map_or(0, |s| s.digest().id), slot.filter(|slot| slot.record(one, age)))
        });
        if let Some(slot) = sample {
            let text = crate::text::showable(env, crate::text::trimmed(sql));
            let text = text.bytes();
            slot.digest().sample(text.get(..self.instrument.max_text).unwrap_or(text), one);
        }
        id
    }

    /// The slot of a statement that the thread has not met; none for what was no statement.
    #[cold]
    fn new_slot(
        &mut self,
        begun: &Begun,
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) -> Option<Arc<Slot>> {
        let unparsed = [ErrorCode::PARSE_ERROR, ErrorCode::EMPTY_QUERY];
        if result.as_ref().is_err_and(|e| unparsed.into_iter().any(|c| e.is(c))) {
            return None;
        }
        let limit = self.instrument.max_digest;
        let make = || {
            let mut text = digest();
            if text.len() > limit {
                text = format!("{}...", cut(&text, limit));
            }
            (catalog::digest::hex(&text), text)
        };
        let schema = self.instrument.schema.0.as_deref().filter(|_| begun.in_schema);
        Some(statements::mine(|m| m.enter(begun.key, schema, make)))
    }
}
