//! [`Around`]: what events say of a session, borrowed beside the [`Binlog`] that they are appended to.

use super::Binlog;
use crate::rows::env::{Client, Clock, Env, InsertIds, Rand, SecurityContext, Shared};
use catalog::sysvar::SessionVars;
use std::sync::Arc;

/// The session's parts of these names.
#[derive(Clone, Copy)]
pub(crate) struct Around<'e> {
    pub(super) shared: &'e Shared,
    pub(super) vars: &'e SessionVars,
    pub(super) clock: &'e Clock,
    pub(super) client: &'e Client,
    pub(super) security: &'e SecurityContext,
    pub(super) schema: &'e Option<Arc<str>>,
    pub(super) insert_ids: &'e InsertIds,
    pub(super) rand: &'e Rand,
    /// `server_id` of the server whose changes it applies.
    pub(super) origin: Option<u32>,
}

impl Env {
    /// The binary log's part of the session, and what its events say of the others.
    #[inline]
    pub(crate) fn binlog_and_around(&mut self) -> (&mut Binlog, Around<'_>) {
        let origin = self.binlog.origin();
        let around = Around {
            shared: &self.shared,
            vars: &self.vars,
            clock: &self.clock,
            client: &self.client,
            security: &self.security,
            schema: &self.schema,
            insert_ids: &self.insert_ids,
            rand: &self.rand,
            origin,
        };
        (&mut self.binlog, around)
    }
}
