//! Buffers that a statement fills and leaves behind for the next one: its thread's, not its session's. A thread that serves a thousand sessions in turn has
//! its own in the nearest caches; theirs would be met cold.
//!
//! Whoever needs one takes it and puts it back when it is done; a statement that runs inside another one finds an empty one meanwhile, and one that
//! fails may leave it to be made anew. What a large statement has made of one is not kept: a thread that waits for its client would hold it for hours.

use parser::Lexed;
use std::cell::Cell;
use value::OwnedValue;

/// Texts longer than this leave no tokens behind.
const TEXT: usize = 64 << 10;
/// Literals, likewise.
const LITERALS: usize = 1024;

/// Puts the tokens of `sql` back.
pub(crate) fn give_lexed(lexed: Lexed, sql: &[u8]) {
    if sql.len() <= TEXT {
        LEXED.set(lexed);
    }
}

/// Puts the literals back, whose values nobody needs any more.
pub(crate) fn give_params(mut params: Vec<OwnedValue>) {
    params.clear();
    if params.capacity() <= LITERALS {
        PARAMS.set(params);
    }
}

thread_local! {
    /// Tokens of a text.
    pub(crate) static LEXED: Cell<Lexed> = Cell::default();
    /// Literals of a text statement.
    pub(crate) static PARAMS: Cell<Vec<OwnedValue>> = const { Cell::new(Vec::new()) };
}
