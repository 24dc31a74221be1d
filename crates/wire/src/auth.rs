//! Authentication: which account, which plugin, does the client know the password.
//!
//! Exchanges (payloads after the client's first answer):
//! * another plugin than the client guessed: server `0xfe plugin\0 scramble\0`, client its answer;
//! * caching_sha2_password, password in the cache: server `01 03`, done;
//! * not in the cache: server `01 04`; the client then sends the password in clear when TLS or a Unix socket protects it, else `02` for the
//!   server's RSA key (server: `01` + PEM) and the password XORed with the scramble and encrypted with it.
//!
//! An unknown user goes through the same exchange with an account that no password opens, so that user names cannot be found out.

use crate::channel::{Channel, NetError};
use crate::handshake::{self, Response};
use crate::keys::RsaKey;
use base::{ErrorCode, SqlError};
use catalog::accounts::password::{check_native, check_sha2_fast, check_sha2_full, sha2_cache_entry};
use catalog::accounts::{Account, AuthPlugin, ClientAddr};
use catalog::client::Capabilities;
use hashbrown::HashMap;
use parking_lot::RwLock;
use std::sync::Arc;
use std::time::Duration;

/// Fast-path entries of caching_sha2_password: (user, host) to (authentication string they belong to, SHA256(SHA256(password))).
/// Lives as long as the server; an entry dies by itself when the account's password changes.
#[derive(Default)]
pub struct PasswordCache(RwLock<HashMap<(String, String), [Entry; 2]>>);

/// An authentication string and what is remembered of its password.
type Entry = Option<(String, [u8; 32])>;

impl PasswordCache {
    /// What is remembered of the account's password and of the retained one.
    fn get(&self, a: &Account) -> [Option<[u8; 32]>; 2] {
        let map = self.0.read();
        let Some(entries) = map.get(&(a.user.clone(), a.host.clone())) else { return [None; 2] };
        let valid = |e: &Entry| {
            e.as_ref().filter(|(auth, _)| *auth == *a.auth_string || *auth == *a.password.retained).map(|e| e.1)
        };
        entries.each_ref().map(valid)
    }
    fn put(&self, a: &Account, auth_string: &str, password: &[u8]) {
        let entry = Some((auth_string.to_owned(), sha2_cache_entry(password)));
        let mut map = self.0.write();
        let entries = map.entry((a.user.clone(), a.host.clone())).or_default();
        let second = usize::from(auth_string != *a.auth_string);
        if let Some(e) = entries.get_mut(second) {
            *e = entry;
        }
    }
    /// FLUSH PRIVILEGES.
    pub fn clear(&self) {
        self.0.write().clear();
    }
}

/// Why authentication did not succeed.
#[derive(Debug)]
pub enum AuthError {
    /// Tell the client.
    Refused(SqlError),
    /// The connection broke.
    Net(NetError),
}

impl From<NetError> for AuthError {
    fn from(e: NetError) -> AuthError {
        AuthError::Net(e)
    }
}
impl From<SqlError> for AuthError {
    fn from(e: SqlError) -> AuthError {
        AuthError::Refused(e)
    }
}

/// What authentication needs besides the client.
pub struct AuthContext<'a> {
    /// Cache of the fast path.
    pub cache: &'a PasswordCache,
    /// RSA pair, if there is one.
    pub rsa: Option<&'a RsaKey>,
    /// Where the client is.
    pub addr: &'a ClientAddr,
    /// Longest wait for a packet.
    pub timeout: Duration,
}

/// Error 1045 as MySQL words it.
fn denied(user: &str, addr: &ClientAddr, with_password: bool) -> SqlError {
    let using = if with_password { "YES" } else { "NO" };
    probe::inc(probe::Counter::AccessDeniedErrors);
    SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&user, &addr.host_name(), &using])
}

/// An account that cannot be opened, for user names that do not exist.
fn decoy() -> Account {
    let mut a = Account::new("", "");
    *a.auth_string = format!("$A$005${}{}", ".".repeat(20), ".".repeat(43));
    a
}

/// Checks the client's proof for `account` (`None`: there is no such account). `scramble` is the one the client has answered.
pub fn authenticate(
    channel: &mut Channel,
    cx: &AuthContext<'_>,
    account: Option<&Arc<Account>>,
    response: &Response,
    scramble: &[u8; 20],
) -> Result<(), AuthError> {
    let none = Account::clone(&decoy());
    let a = account.map_or(&none, |a| a);
    if !a.plugin.is_enabled() {
        return Err(a.plugin.not_loaded().into());
    }
    let mut scramble = *scramble;
    let default = if response.capabilities.has(Capabilities::PLUGIN_AUTH) { "" } else { AuthPlugin::Native.name() };
    let used = response.plugin.as_deref().unwrap_or(default);
    let mut reply = response.auth.clone();
    // a client that does not know the greeting's plugin names the one that it falls back on, and waits to be asked by
    // that: MariaDB's replicas do
    let unasked = reply.is_empty() && response.plugin.as_deref().is_some_and(|p| p != AuthPlugin::CachingSha2.name());
    if used != a.plugin.name() || unasked {
        if !response.capabilities.has(Capabilities::PLUGIN_AUTH) {
            return Err(SqlError::new(ErrorCode::NOT_SUPPORTED_AUTH_MODE, &[]).into());
        }
        scramble = handshake::scramble().map_err(NetError::Io)?;
        let at = channel.begin();
        channel.out.push(0xfe);
        channel.out.extend_from_slice(a.plugin.name().as_bytes());
        channel.out.push(0);
        channel.out.extend_from_slice(&scramble);
        channel.out.push(0);
        channel.end(at);
        reply = exchange(channel, cx)?;
    }
    let with_password = !(reply.is_empty() || reply == [0]);
    let ok = if a.auth_string.is_empty() {
        !with_password
    } else if !with_password {
        false
    } else {
        match a.plugin {
            AuthPlugin::Native => passwords(a).any(|p| check_native(&scramble, &reply, p)),
            AuthPlugin::CachingSha2 => caching_sha2(channel, cx, a, &reply, &scramble)?,
        }
    };
    if ok && account.is_some() { Ok(()) } else { Err(denied(&response.user, cx.addr, with_password).into()) }
}

/// Checks a password that is there in clear (`None`: there is no such account, for which it takes as long).
pub(crate) fn authenticate_clear(
    cache: &PasswordCache,
    addr: &ClientAddr,
    account: Option<&Account>,
    user: &str,
    password: &[u8],
) -> Result<(), AuthError> {
    let none = decoy();
    let a = account.unwrap_or(&none);
    if !a.plugin.is_enabled() {
        return Err(a.plugin.not_loaded().into());
    }
    let known = || {
        let entry = sha2_cache_entry(password);
        a.plugin == AuthPlugin::CachingSha2 && cache.get(a).iter().flatten().any(|cached| constant_eq(cached, &entry))
    };
    let ok = if a.auth_string.is_empty() || password.is_empty() {
        a.auth_string.is_empty() && password.is_empty()
    } else if known() {
        true
    } else {
        let found = passwords(a).find(|auth| catalog::accounts::password::matches(a.plugin, password, auth));
        if let (Some(auth), AuthPlugin::CachingSha2) = (found, a.plugin) {
            cache.put(a, auth, password);
        }
        found.is_some()
    };
    if ok && account.is_some() { Ok(()) } else { Err(denied(user, addr, !password.is_empty()).into()) }
}

fn constant_eq(a: &[u8], b: &[u8]) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(a, b).is_ok()
}

/// Sends what is buffered and waits for the client's next packet.
fn exchange(channel: &mut Channel, cx: &AuthContext<'_>) -> Result<Vec<u8>, AuthError> {
    channel.flush()?;
    let packet = channel.read_packet(cx.timeout, cx.timeout)?;
    let payload = packet.payload().to_vec();
    channel.recycle(packet);
    Ok(payload)
}

fn caching_sha2(
    channel: &mut Channel,
    cx: &AuthContext<'_>,
    a: &Account,
    reply: &[u8],
    scramble: &[u8; 20],
) -> Result<bool, AuthError> {
    if cx.cache.get(a).iter().flatten().any(|cached| check_sha2_fast(scramble, reply, cached)) {
        channel.put(&[1, 3]);
        return Ok(true);
    }
    channel.put(&[1, 4]);
    let mut answer = exchange(channel, cx)?;
    if !channel.transport.is_secure() {
        let Some(rsa) = cx.rsa else { return Ok(false) };
        if answer == [2] {
            let at = channel.begin();
            channel.out.push(1);
            channel.out.extend_from_slice(rsa.public_pem.as_bytes());
            channel.end(at);
            answer = exchange(channel, cx)?;
        }
        let Some(mut plain) = rsa.decrypt(&answer) else { return Ok(false) };
        plain.iter_mut().zip(scramble.iter().cycle()).for_each(|(p, s)| *p ^= s);
        answer = plain;
    }
    let password = answer.strip_suffix(&[0]).unwrap_or(&answer);
    let found = passwords(a).find(|auth| check_sha2_full(password, auth));
    if let Some(auth) = found {
        cx.cache.put(a, auth, password);
    }
    Ok(found.is_some())
}

/// The authentication strings of an account that has a password: the present one, and the retained one.
fn passwords(a: &Account) -> impl Iterator<Item = &str> {
    [a.auth_string.as_str(), a.password.retained.as_str()].into_iter().filter(|p| !p.is_empty())
}
