//! Buffers that a statement fills and leaves behind for the next one: its thread's, not its session's. A thread that serves a thousand sessions in turn has
//! its own in the nearest caches; theirs would be met cold.
//!
//! Whoever needs one takes it and puts it back when it is done; a statement that runs inside another one finds an empty one meanwhile, and one that
//! fails may leave it to be made anew.

use parser::Lexed;
use probe::statements::One;
use std::cell::Cell;
use value::OwnedValue;

thread_local! {
    /// Tokens of a text.
    pub(crate) static LEXED: Cell<Lexed> = Cell::default();
    /// Measures of the statement that ends; they follow one another, so there is no other one meanwhile.
    pub(crate) static ONE: Cell<Option<Box<One>>> = const { Cell::new(None) };
    /// Literals of a text statement.
    pub(crate) static PARAMS: Cell<Vec<OwnedValue>> = const { Cell::new(Vec::new()) };
}
