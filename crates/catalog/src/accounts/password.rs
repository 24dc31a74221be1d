//! Password hashes of `mysql_native_password` and `caching_sha2_password`.
//!
//! Native: `*` + 40 hex digits of SHA1(SHA1(password)). Caching SHA2: `$A$` + rounds/1000 in three hex digits + `$` + 20 bytes of salt + 43
//! characters, the digest of SHA-256 crypt (Drepper, "Unix crypt using SHA-256 and SHA-512") over the password with that salt.

use aws_lc_rs::digest;
use base::{ErrorCode, SqlError, SqlResult};
use std::sync::atomic::{AtomicBool, Ordering};

/// An authentication plugin Evenkeel has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthPlugin {
    /// `mysql_native_password`.
    Native,
    /// `caching_sha2_password`, the default.
    CachingSha2,
}

/// `mysql_native_password`: off as in MySQL 8.4 until a start says otherwise.
static NATIVE: AtomicBool = AtomicBool::new(false);

/// Lets accounts of `mysql_native_password` be made and used, or not.
pub fn enable_native(on: bool) {
    NATIVE.store(on, Ordering::Relaxed);
}

impl AuthPlugin {
    /// Name on the wire and in `mysql.user`.
    pub const fn name(self) -> &'static str {
        match self {
            AuthPlugin::Native => "mysql_native_password",
            AuthPlugin::CachingSha2 => "caching_sha2_password",
        }
    }
    /// The plugin with this name.
    pub fn by_name(name: &str) -> Option<AuthPlugin> {
        [AuthPlugin::Native, AuthPlugin::CachingSha2].into_iter().find(|p| p.name().eq_ignore_ascii_case(name))
    }
    /// Whether accounts of this plugin can be made and used: `mysql_native_password` only where [`enable_native`] said so.
    pub fn is_enabled(self) -> bool {
        self == AuthPlugin::CachingSha2 || NATIVE.load(Ordering::Relaxed)
    }
    /// Error 1524.
    pub fn not_loaded(self) -> SqlError {
        SqlError::with_message(ErrorCode::PLUGIN_IS_NOT_LOADED, format!("Plugin '{}' is not loaded", self.name()))
    }
    /// Whether `IDENTIFIED WITH plugin AS '...'` has a form this plugin can use.
    pub fn accepts(self, auth_string: &str) -> bool {
        auth_string.is_empty()
            || match self {
                AuthPlugin::Native => native_stage2(auth_string).is_some(),
                AuthPlugin::CachingSha2 => parse_sha2(auth_string.as_bytes()).is_some(),
            }
    }
}

/// SHA-1.
pub fn sha1(parts: &[&[u8]]) -> [u8; 20] {
    let mut c = digest::Context::new(&digest::SHA1_FOR_LEGACY_USE_ONLY);
    parts.iter().for_each(|p| c.update(p));
    let mut out = [0; 20];
    out.iter_mut().zip(c.finish().as_ref()).for_each(|(o, b)| *o = *b);
    out
}

/// SHA-256.
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut c = digest::Context::new(&digest::SHA256);
    parts.iter().for_each(|p| c.update(p));
    let mut out = [0; 32];
    out.iter_mut().zip(c.finish().as_ref()).for_each(|(o, b)| *o = *b);
    out
}

/// The `authentication_string` for a new password; empty for an empty one. `rounds` is `caching_sha2_password_digest_rounds`.
pub fn hash_password(plugin: AuthPlugin, password: &[u8], rounds: u32) -> SqlResult<String> {
    if password.is_empty() {
        return Ok(String::new());
    }
    match plugin {
        AuthPlugin::Native => {
            let hash = sha1(&[&sha1(&[password])]);
            let mut s = String::from("*");
            for b in hash {
                s.push_str(&format!("{b:02X}"));
            }
            Ok(s)
        }
        AuthPlugin::CachingSha2 => {
            let mut salt = [0u8; 20];
            sys::process::random_bytes(&mut salt)
                .map_err(|e| SqlError::with_message(base::ErrorCode::UNKNOWN_ERROR, format!("no random bytes: {e}")))?;
            // Printable, without '$' and NUL, so that the string survives dumps.
            let alphabet = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
            for b in &mut salt {
                *b = alphabet.get(usize::from(*b & 63)).copied().unwrap_or(b'.');
            }
            let rounds = (rounds / 1000).clamp(5, 4095);
            let mut out = format!("$A${rounds:03X}$");
            out.push_str(&String::from_utf8_lossy(&salt));
            out.push_str(&sha256_crypt(password, &salt, rounds * 1000));
            Ok(out)
        }
    }
}

/// SHA1(SHA1(password)) out of `*HEX`.
pub fn native_stage2(auth_string: &str) -> Option<[u8; 20]> {
    let hex = auth_string.strip_prefix('*').filter(|h| h.len() == 40 && h.is_ascii())?;
    let mut out = [0u8; 20];
    for (o, pair) in out.iter_mut().zip(hex.as_bytes().chunks(2)) {
        *o = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(out)
}

/// Whether a client's answer to the scramble proves it knows a password with this hash.
pub fn check_native(scramble: &[u8], reply: &[u8], auth_string: &str) -> bool {
    let Some(stage2) = native_stage2(auth_string) else { return false };
    if reply.len() != 20 {
        return false;
    }
    let mask = sha1(&[scramble, &stage2]);
    let mut stage1 = [0u8; 20];
    for (o, (r, m)) in stage1.iter_mut().zip(reply.iter().zip(mask)) {
        *o = r ^ m;
    }
    constant_time_eq(&sha1(&[&stage1]), &stage2)
}

/// What the server remembers after a full authentication: SHA256(SHA256(password)).
pub fn sha2_cache_entry(password: &[u8]) -> [u8; 32] {
    sha256(&[&sha256(&[password])])
}

/// Fast path of caching_sha2_password: the client sends SHA256(password) XOR SHA256(SHA256(SHA256(password)) + scramble).
pub fn check_sha2_fast(scramble: &[u8], reply: &[u8], cached: &[u8; 32]) -> bool {
    if reply.len() != 32 {
        return false;
    }
    let mask = sha256(&[cached, scramble]);
    let mut stage1 = [0u8; 32];
    for (o, (r, m)) in stage1.iter_mut().zip(reply.iter().zip(mask)) {
        *o = r ^ m;
    }
    constant_time_eq(&sha256(&[&stage1]), cached)
}

/// (rounds, salt, digest).
fn parse_sha2(s: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let rest = s.strip_prefix(b"$A$")?;
    let (rounds, rest) = rest.split_at_checked(3)?;
    let rounds = u32::from_str_radix(std::str::from_utf8(rounds).ok()?, 16).ok()?;
    let (salt, digest) = rest.strip_prefix(b"$")?.split_at_checked(20)?;
    (digest.len() == 43 && rounds > 0).then_some((rounds * 1000, salt, digest))
}

/// Full check of caching_sha2_password with the plain password.
pub fn check_sha2_full(password: &[u8], auth_string: &str) -> bool {
    let Some((rounds, salt, digest)) = parse_sha2(auth_string.as_bytes()) else { return false };
    password.len() <= 256 && constant_time_eq(sha256_crypt(password, salt, rounds).as_bytes(), digest)
}

/// Whether a password is the one of an authentication string.
pub fn matches(plugin: AuthPlugin, password: &[u8], auth_string: &str) -> bool {
    match plugin {
        _ if password.is_empty() || auth_string.is_empty() => password.is_empty() && auth_string.is_empty(),
        AuthPlugin::Native => {
            native_stage2(auth_string).is_some_and(|s| constant_time_eq(&sha1(&[&sha1(&[password])]), &s))
        }
        AuthPlugin::CachingSha2 => check_sha2_full(password, auth_string),
    }
}

fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    aws_lc_rs::constant_time::verify_slices_are_equal(a, b).is_ok()
}

/// `data` repeated to `len` bytes.
fn stretch(data: &[u8], len: usize) -> Vec<u8> {
    data.iter().copied().cycle().take(len).collect()
}

/// The 43 characters of SHA-256 crypt.
fn sha256_crypt(key: &[u8], salt: &[u8], rounds: u32) -> String {
    let b = sha256(&[key, salt, key]);
    let mut a = Vec::with_capacity(key.len() * 2 + 64);
    a.extend_from_slice(key);
    a.extend_from_slice(salt);
    a.extend(stretch(&b, key.len()));
    let mut n = key.len();
    while n > 0 {
        a.extend_from_slice(if n & 1 == 1 { &b } else { key });
        n >>= 1;
    }
    let a = sha256(&[&a]);
    let p = stretch(&sha256(&[&key.repeat(key.len())]), key.len());
    let s = stretch(&sha256(&[&salt.repeat(16 + usize::from(a[0]))]), salt.len());
    let mut c = a;
    for i in 0..rounds {
        let odd = i & 1 == 1;
        let first: &[u8] = if odd { &p } else { &c };
        let mid_s: &[u8] = if i % 3 != 0 { &s } else { &[] };
        let mid_p: &[u8] = if i % 7 != 0 { &p } else { &[] };
        let last: &[u8] = if odd { &c } else { &p };
        c = sha256(&[first, mid_s, mid_p, last]);
    }
    encode_crypt(&c)
}

/// crypt's own base 64 with its byte order.
fn encode_crypt(c: &[u8; 32]) -> String {
    const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = String::with_capacity(43);
    let mut put = |b2: u8, b1: u8, b0: u8, n: usize| {
        let mut w = u32::from(b2) << 16 | u32::from(b1) << 8 | u32::from(b0);
        for _ in 0..n {
            out.push(ALPHABET.get((w & 63) as usize).copied().map_or('.', char::from));
            w >>= 6;
        }
    };
    let at = |i: usize| c.get(i).copied().unwrap_or(0);
    let (mut x, mut y, mut z) = (0, 10, 20);
    for _ in 0..10 {
        put(at(x), at(y), at(z), 4);
        (x, y, z) = (z + 1, x + 1, y + 1);
    }
    put(0, at(31), at(30), 3);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha_crypt_known_answer() {
        // `openssl passwd -5 -salt saltstring`, and with `rounds=10000$saltstringsaltst`.
        assert_eq!(sha256_crypt(b"Hello world!", b"saltstring", 5000), "5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5");
        assert_eq!(
            sha256_crypt(b"Hello world!", b"saltstringsaltst", 10000),
            "3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA"
        );
    }

    #[test]
    fn native_known_answer() {
        let h = hash_password(AuthPlugin::Native, b"password", 5000).unwrap();
        assert_eq!(h, "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19");
        let scramble = *b"01234567890123456789";
        let stage1 = sha1(&[b"password"]);
        let mask = sha1(&[&scramble, &sha1(&[&stage1])]);
        let reply: Vec<u8> = stage1.iter().zip(mask).map(|(a, b)| a ^ b).collect();
        assert!(check_native(&scramble, &reply, &h));
        assert!(!check_native(b"x1234567890123456789", &reply, &h) && !check_native(&scramble, &reply[1..], &h));
    }

    #[test]
    fn sha2_both_paths() {
        let h = hash_password(AuthPlugin::CachingSha2, b"s3cret", 5000).unwrap();
        assert_eq!(h.len(), 70);
        assert!(AuthPlugin::CachingSha2.accepts(&h) && !AuthPlugin::CachingSha2.accepts("$A$005$x"));
        assert!(check_sha2_full(b"s3cret", &h) && !check_sha2_full(b"S3cret", &h));
        let cached = sha2_cache_entry(b"s3cret");
        let scramble = *b"01234567890123456789";
        let stage1 = sha256(&[b"s3cret"]);
        let mask = sha256(&[&cached, &scramble]);
        let reply: Vec<u8> = stage1.iter().zip(mask).map(|(a, b)| a ^ b).collect();
        assert!(check_sha2_fast(&scramble, &reply, &cached));
        assert!(!check_sha2_fast(b"x1234567890123456789", &reply, &cached));
    }
}
