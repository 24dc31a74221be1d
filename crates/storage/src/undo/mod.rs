//! Undo logs.

pub mod record;

/// A transaction's undo slot.
#[derive(Debug)]
pub struct UndoLog {}
