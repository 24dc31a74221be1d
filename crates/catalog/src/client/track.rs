//! Session state changes carried by OK packets (CLIENT_SESSION_TRACK).
//!
//! A session collects them here while a statement runs and passes them in [`super::OkInfo::state`]; `wire` sends them only
//! to clients that asked, then the session clears them. The encoding is the protocol's.

use super::row::put_lenenc_str;

/// Collected changes of one statement.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct StateChanges {
    entries: Vec<u8>,
    /// [`StateChanges::state_change`] has been noted.
    changed: bool,
}

impl StateChanges {
    /// A system variable in `session_track_system_variables` got this value.
    pub fn system_variable(&mut self, name: &[u8], value: &[u8]) {
        let mut b = Vec::with_capacity(name.len() + value.len() + 4);
        put_lenenc_str(&mut b, name);
        put_lenenc_str(&mut b, value);
        self.entry(0, &b);
    }
    /// The default database changed (`session_track_schema`).
    pub fn schema(&mut self, name: &[u8]) {
        let mut b = Vec::with_capacity(name.len() + 2);
        put_lenenc_str(&mut b, name);
        self.entry(1, &b);
    }
    /// Something in the session's state changed (`session_track_state_change`); noted once for each statement.
    pub fn state_change(&mut self) {
        if !std::mem::replace(&mut self.changed, true) {
            self.entry(2, &[1, b'1']);
        }
    }
    /// GTIDs, as text (`session_track_gtids`).
    pub fn gtids(&mut self, set: &[u8]) {
        // 0: the one encoding there is
        let mut b = vec![0];
        put_lenenc_str(&mut b, set);
        self.entry(3, &b);
    }
    /// Characteristics of the transaction, as SQL (`session_track_transaction_info`).
    pub fn transaction_characteristics(&mut self, sql: &[u8]) {
        let mut b = Vec::with_capacity(sql.len() + 2);
        put_lenenc_str(&mut b, sql);
        self.entry(4, &b);
    }
    /// State of the transaction, eight characters (`session_track_transaction_info`).
    pub fn transaction_state(&mut self, state: &[u8; 8]) {
        let mut b = Vec::with_capacity(9);
        put_lenenc_str(&mut b, state);
        self.entry(5, &b);
    }
    fn entry(&mut self, ty: u8, data: &[u8]) {
        self.entries.push(ty);
        put_lenenc_str(&mut self.entries, data);
    }
    /// Encoded entries; empty = nothing changed.
    pub fn bytes(&self) -> &[u8] {
        &self.entries
    }
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.changed = false;
    }
}
