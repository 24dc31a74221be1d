//! Undo logs.

/// A transaction's undo slot.
#[derive(Debug)]
pub struct UndoLog {}
