//! Who has logged in: sessions of the database behind random cookies.
//!
//! A login holds one session, which counts as a connection of its account and ends like one: by KILL, by logging out,
//! after [`IDLE`] without a request, and at the server's end. Rights are the session's own, so what is revoked is gone
//! at the next request.
//!
//! Locks: the map's, and a session's, never both.

use crate::http::Peer;
use crate::sql;
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::{Inside, Visitor, WireServer};

/// Logins at once.
const MOST: usize = 16;
/// The page asks every second: who says nothing for so long has closed it.
const IDLE: Duration = Duration::from_secs(60);
/// Milliseconds that a statement may take.
const LONGEST: u32 = 5_000;

/// One login.
pub(super) struct Login {
    token: String,
    /// What changes must bring.
    change: String,
    session: Mutex<Option<Inside>>,
    used: Mutex<Instant>,
}

impl Login {
    /// Calls `f` with the session; `None`: it has ended.
    pub(super) fn with<T>(&self, f: impl FnOnce(&mut Inside) -> T) -> Option<T> {
        let mut session = self.session.lock();
        if session.as_ref().is_some_and(Inside::ended) {
            *session = None;
        }
        session.as_mut().map(f)
    }

    /// The token that changes must bring.
    pub(super) fn change(&self) -> &str {
        &self.change
    }

    pub(super) fn is_token(&self, given: &[u8]) -> bool {
        same(self.change.as_bytes(), given)
    }
}

/// All logins by their cookies.
#[derive(Default)]
pub(super) struct Logins(Mutex<HashMap<String, Arc<Login>>>);

impl Logins {
    /// Logs an account in: the cookie, and the token for changes.
    ///
    /// # Errors
    /// Those of a client's login; 1040 if there are too many logins.
    pub(super) fn log_in(
        &self,
        server: &Arc<WireServer>,
        peer: &Peer,
        user: &str,
        password: &str,
    ) -> SqlResult<(String, String)> {
        let (Some(token), Some(change)) = (random(), random()) else {
            return Err(SqlError::new(ErrorCode::UNKNOWN_ERROR, &[]));
        };
        let mut session = server.log_in_inside(Visitor {
            user,
            password: password.as_bytes(),
            addr: peer.addr(),
            host_port: peer.host_port(),
            tls: peer.tls.clone(),
            program: "dashboard",
        })?;
        sql::rows(&mut session, &format!("SET SESSION max_execution_time = {LONGEST}, lock_wait_timeout = 1"))?;
        let used = Mutex::new(Instant::now());
        let session = Mutex::new(Some(session));
        let login = Arc::new(Login { token: token.clone(), change: change.clone(), session, used });
        let mut all = self.0.lock();
        if all.len() >= MOST {
            return Err(SqlError::new(ErrorCode::CON_COUNT_ERROR, &[]));
        }
        all.insert(token.clone(), login);
        Ok((token, change))
    }

    /// The login of a cookie.
    pub(super) fn find(&self, token: &str) -> Option<Arc<Login>> {
        let login = self.0.lock().get(token).cloned()?;
        *login.used.lock() = Instant::now();
        Some(login)
    }

    /// Logs out.
    pub(super) fn forget(&self, login: &Login) {
        let gone = self.0.lock().remove(&login.token);
        drop(gone);
    }

    /// Ends what nobody uses any more.
    pub(super) fn sweep(&self) {
        let mut gone = Vec::new();
        self.0.lock().retain(|_, l| {
            let keep = l.used.lock().elapsed() < IDLE;
            if !keep {
                gone.push(l.clone());
            }
            keep
        });
        // sessions end without the map's lock
        drop(gone);
    }
}

/// 256 random bits as text.
fn random() -> Option<String> {
    let mut bytes = [0u8; 32];
    aws_lc_rs::rand::fill(&mut bytes).ok()?;
    Some(base::hex::encode(&bytes))
}

fn same(a: &[u8], b: &[u8]) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(a, b).is_ok()
}
