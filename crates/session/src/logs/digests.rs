//! The digest of a statement that has ended: its key, where it counts, and the text that stands for it.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

use crate::logs::SessionLog;
use crate::logs::measures::{Begun, Instrument};
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlResult};
use probe::statements::{self, Slot};
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
        let Some(schema) = schema else {
            self.in_schema = false;
            return 0;
        };
        self.in_schema = true;
        if !self.schema.0.as_ref().is_some_and(|s| Arc::ptr_eq(s, schema)) {
            let mut h = foldhash::fast::FixedState::with_seed(1).build_hasher();
            h.write(schema.as_bytes());
            self.schema = (Some(schema.clone()), u128::from(h.finish()) << 64 | u128::from(h.finish()));
        }
        self.schema.1
    }
}

/// Digests that a session finds without its thread's slots.
const RECENT: usize = 8;

/// What entries of statements have in common ([`crate::logs::entries`]), besides their key and digest.
#[derive(Default)]
pub(super) struct Shape {
    /// [`probe::events::StatementEvent::shape`]; 0: no statement of this digest has left one yet.
    pub(super) number: u64,
    /// The number of [`Instrument::kind`], and as [`Instrument::by_command`].
    pub(super) kind: u16,
    pub(super) by_command: bool,
    /// They have sent rows.
    pub(super) rows: bool,
    /// The transactions that they were by themselves ([`probe::events::OwnTransaction::mark`]).
    pub(super) own: u32,
    /// The default schema at their ends, where that need not be the one of their beginnings, which the key says.
    pub(super) schema: Option<Box<Option<Arc<str>>>>,
}

/// A digest's key, its number, and how the last statement of it ended: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Known {
    key: u128,
    digest: u64,
    /// [`statements::epoch`] when it was met.
    epoch: u64,
    shape: Shape,
}

const _: () = assert!(size_of::<Known>() == 64);

/// Those that it has met last, by the low bits of their keys.
#[derive(Default)]
pub(super) struct Recent {
    known: [Known; RECENT],
}

impl Recent {
    #[inline(always)]
    fn of(&self, key: u128) -> Option<&Known> {
        self.known.get(key as usize % RECENT).filter(|k| k.key == key && k.epoch == statements::epoch())
    }

    /// The shape that the last statement of this key has left, if its digest is known.
    #[inline(always)]
    pub(super) fn shape(&self, key: u128) -> Option<&Shape> {
        Some(&self.of(key)?.shape)
    }

    /// It has left another one. False: its digest is not known.
    pub(super) fn set_shape(&mut self, key: u128, shape: Shape) -> bool {
        let is_known = self.of(key).is_some();
        if is_known && let Some(k) = self.known.get_mut(key as usize % RECENT) {
            k.shape = shape;
        }
        is_known
    }
}

impl SessionLog {
    /// The number of the statement's digest, which is known from here on; 0: it has none.
    #[inline(always)]
    pub(super) fn digest_of(
        &mut self,
        begun: &Begun,
        result: &SqlResult<Outcome>,
        digest: impl FnOnce() -> String,
    ) -> u64 {
        match self.instrument.recent.of(begun.key) {
            Some(known) => known.digest,
            None => self.meet_digest(begun, result, digest),
        }
    }

    #[inline(never)]
    fn meet_digest(&mut self, begun: &Begun, result: &SqlResult<Outcome>, digest: impl FnOnce() -> String) -> u64 {
        let epoch = statements::epoch();
        let known = statements::mine(|m| m.find(begun.key).map(|slot| slot.digest().id));
        let id = known.or_else(|| self.new_slot(begun, result, digest).map(|slot| slot.digest().id)).unwrap_or(0);
        if id != 0
            && let Some(r) = self.instrument.recent.known.get_mut(begun.key as usize % RECENT)
        {
            *r = Known { key: begun.key, digest: id, epoch, shape: Shape::default() };
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
        let schema = self.instrument.schema.0.as_deref().filter(|_| self.instrument.in_schema);
        Some(statements::mine(|m| m.enter(begun.key, schema, make)))
    }
}
