//! What a session keeps of a statement that has ended ([`StatementEvent`]), laid out so that a statement writes to few
//! cache lines. Tested by `tests/clients/test_statement_events.py`, `test_alike_statements.py`.

use crate::history::Event;
use crate::instruments::Instrument;
use crate::kept::OwnTransaction;
use crate::programs::Program;
use crate::statements::One;
use std::sync::Arc;

/// Bytes of MESSAGE_TEXT.
const MESSAGE: usize = 128;

/// Bytes of a text that stand in the statement's entry: with the measures they fill three cache lines.
const NEAR: usize = 66;

/// A statement that has ended.
///
/// What a statement writes that is like one before it stands in the first two cache lines, and behind it, from there
/// into the third, a short text. With many sessions in turn an entry has gone from the caches when it is used again,
/// and each line of it is a miss.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct StatementEvent {
    /// Measures.
    pub one: One,
    /// Begin on `sys::clock::now_ns`'s scale; the end follows from the measures.
    began: u64,
    /// Its number in the session, and that of the last event in it.
    pub events: [u64; 2],
    /// The number of the transaction that it was by itself ([`Kept::next_statement`]); 0: none.
    own_event: u64,
    /// The number of the event that it is in.
    within: u64,
    /// What it has in common with others of its session; 0: nobody has looked ([`Recorder::new_shape`]).
    pub shape: u64,
    /// What `within` is.
    nesting: u8,
    marks: u8,
    /// Length of the text in `near`; [`IS_FAR`]: it is in `far`.
    near_len: u8,
    /// It has times.
    timed: bool,
    /// Text without secrets, cut, if it is short.
    near: [u8; NEAR],
    /// What it counts for and has not been counted for ([`crate::counting`]).
    pub counts: u8,
    /// It has sent rows: its end has no SQLSTATE.
    pub result_set: bool,
    /// Error number; 0 = none.
    pub error: u16,
    /// [`Instrument::number`].
    pub instrument: u32,
    /// [`crate::statements::Digest::id`]; 0 = none.
    pub digest: u64,
    /// The key of its digest.
    pub key: u128,
    /// Connection id.
    pub thread: u64,
    /// Default schema at its end.
    pub schema: Option<Arc<str>>,
    /// How deep: 0 is a client's.
    pub level: u32,
    /// What else there is to say of the transaction that it was by itself ([`OwnTransaction::mark`]).
    own_mark: u32,
    /// The program that it is a step of.
    pub program: Option<Arc<Program>>,
    /// The text if it is longer than what has room in `near`.
    far: Vec<u8>,
    /// What the client was told.
    pub message: String,
}

const IS_FAR: u8 = u8::MAX;

impl Default for StatementEvent {
    fn default() -> StatementEvent {
        StatementEvent {
            one: One::default(),
            began: 0,
            events: [0; 2],
            own_event: 0,
            within: 0,
            shape: 0,
            nesting: IN_NONE,
            marks: 0,
            near_len: 0,
            timed: false,
            near: [0; NEAR],
            counts: 0,
            result_set: false,
            error: 0,
            instrument: 0,
            digest: 0,
            key: 0,
            thread: 0,
            schema: None,
            level: 0,
            own_mark: 0,
            program: None,
            far: Vec::new(),
            message: String::new(),
        }
    }
}

const IN_NONE: u8 = 0;
const IN_TRANSACTION: u8 = 1;
const IN_STATEMENT: u8 = 2;

/// The event that another one is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Nesting {
    /// In none.
    #[default]
    None,
    /// In a transaction; 0: in none.
    Transaction(u64),
    /// In a statement.
    Statement(u64),
}

impl Event for StatementEvent {
    #[inline(always)]
    fn marks(&mut self) -> &mut u8 {
        &mut self.marks
    }
    fn marked(&self) -> u8 {
        self.marks
    }
    fn number(&self) -> (u64, u64) {
        let [event, _] = self.events;
        (self.thread, event)
    }
    fn ended(&self) -> u64 {
        self.times().map_or(0, |t| t.1)
    }
}

impl StatementEvent {
    /// Bytes that hang at it.
    pub fn hanging(&self) -> usize {
        self.far.capacity() + self.message.capacity() + self.one.hanging()
    }

    /// Begin and end on `sys::clock::now_ns`'s scale; `None` without times.
    pub fn times(&self) -> Option<(u64, u64)> {
        self.timed.then(|| (self.began, self.began.saturating_add(self.one.ns)))
    }

    /// Sets when it began, if it has times; the end is as many nanoseconds later as its measures say.
    #[inline(always)]
    pub fn set_begin(&mut self, began: Option<u64>) {
        (self.timed, self.began) = (began.is_some(), began.unwrap_or(0));
    }

    /// The event that it is in.
    pub fn nesting(&self) -> Nesting {
        match self.nesting {
            IN_TRANSACTION => Nesting::Transaction(self.within),
            IN_STATEMENT => Nesting::Statement(self.within),
            _ => Nesting::None,
        }
    }

    /// Sets it.
    #[inline(always)]
    pub fn set_nesting(&mut self, nesting: Nesting) {
        (self.nesting, self.within) = match nesting {
            Nesting::None => (IN_NONE, 0),
            Nesting::Transaction(n) => (IN_TRANSACTION, n),
            Nesting::Statement(n) => (IN_STATEMENT, n),
        };
    }

    /// Text without secrets, cut.
    pub fn text(&self) -> &[u8] {
        self.near.get(..usize::from(self.near_len)).unwrap_or(&self.far)
    }

    /// Sets it.
    #[inline(always)]
    pub fn set_text(&mut self, text: &[u8]) {
        let Some(near) = self.near.get_mut(..text.len()) else { return self.set_far(text) };
        near.copy_from_slice(text);
        self.near_len = text.len() as u8;
    }

    #[inline(never)]
    fn set_far(&mut self, text: &[u8]) {
        self.near_len = IS_FAR;
        self.far.clear();
        self.far.extend_from_slice(text);
    }

    /// The transaction that it was by itself.
    pub(crate) fn own(&self) -> OwnTransaction {
        OwnTransaction { event: self.own_event, mark: self.own_mark }
    }

    /// Sets it.
    pub(crate) fn set_own(&mut self, own: OwnTransaction) {
        (self.own_event, self.own_mark) = (own.event, own.mark);
    }

    /// The same where all but its number is as it was.
    #[inline(always)]
    pub(crate) fn set_own_event(&mut self, own: OwnTransaction) {
        self.own_event = own.event;
    }

    /// Sets the message, cut to whole characters.
    pub fn set_message(&mut self, text: &str) {
        self.message.clear();
        if text.is_empty() {
            return;
        }
        self.message.push_str(text.get(..text.floor_char_boundary(MESSAGE)).unwrap_or_default());
    }

    /// Its kind's name.
    pub fn name(&self) -> &'static str {
        Instrument::of(self.instrument).unwrap_or(Instrument::QUERY).name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_statement_writes_stands_in_two_lines() {
        assert_eq!((size_of::<StatementEvent>(), size_of::<One>()), (320, 72));
        assert!(std::mem::offset_of!(StatementEvent, near) <= 128);
        assert_eq!(std::mem::offset_of!(StatementEvent, near) + NEAR, 190);
    }

    #[test]
    fn texts_are_near_or_far() {
        let mut e = StatementEvent::default();
        for n in [0, 1, NEAR, NEAR + 1, 300, NEAR - 1, 0] {
            let text = vec![b'x'; n];
            e.set_text(&text);
            assert_eq!(e.text(), text);
        }
    }

    #[test]
    fn times_and_nesting() {
        let mut e = StatementEvent::default();
        e.one.begin(5, 1);
        assert_eq!((e.times(), e.nesting()), (None, Nesting::None));
        e.set_begin(Some(7));
        assert_eq!(e.times(), Some((7, 12)));
        for n in [Nesting::Transaction(3), Nesting::Statement(0), Nesting::None] {
            e.set_nesting(n);
            assert_eq!(e.nesting(), n);
        }
    }

    #[test]
    fn a_message_is_cut() {
        let mut e = StatementEvent::default();
        e.set_message(&"é".repeat(100));
        assert_eq!(e.message, "é".repeat(64));
    }
}
