//! The server's keys at start: TLS files and the RSA pair, made at the first start if nobody has named any.
//!
//! **Rule: nothing is written over, and no set is mended.** Files are made only if no option names one of the set and none of the set exists (manual,
//! "Creating SSL and RSA Certificates and Keys using MySQL"). Anything else that does not work is a warning which names the file that failed,
//! and the server runs without. How a crash is survived that comes while they are made: `wire::keys`. Tested:
//! `tests/clients/test_key_files.py`.

use crate::log;
use catalog::server_keys::ServerKeys;
use catalog::sysvar::{GlobalVars, Var};
use std::path::Path;
use std::sync::Arc;
use wire::{RsaKey, TlsFiles};

/// Where the certificates are.
pub fn tls_files(dir: &Path, globals: &GlobalVars) -> TlsFiles {
    let at = |v: Var| dir.join(globals.string(v));
    let resume = globals.bool(Var::ssl_session_cache_mode);
    let ca_named = is_named(globals, &[Var::ssl_ca]);
    TlsFiles { ca: at(Var::ssl_ca), ca_named, cert: at(Var::ssl_cert), key: at(Var::ssl_key), resume }
}

fn is_named(globals: &GlobalVars, vars: &[Var]) -> bool {
    vars.iter().any(|v| globals.origin(*v).source != "COMPILED")
}

/// TLS configuration. `None` (with a warning) when there are no usable files.
pub fn tls(dir: &Path, globals: &GlobalVars) -> Option<Arc<wire::TlsConfig>> {
    let files = tls_files(dir, globals);
    if globals.bool(Var::auto_generate_certs) && !is_named(globals, &[Var::ssl_ca, Var::ssl_cert, Var::ssl_key]) {
        let hostname = globals.string(Var::hostname);
        if let Err(e) = files.create_if_none(&hostname) {
            log::warning(10_069, &format!("Failed to create TLS certificates: {e}"));
        }
    }
    match files.load() {
        Ok(config) => {
            let ca = globals.string(Var::ssl_ca);
            if files.ca.exists() {
                log::warning(10_068, &format!("CA certificate {ca} is self signed."));
            } else {
                log::warning(
                    10_068,
                    &format!("CA certificate {ca} does not exist: no client's certificate can be checked."),
                );
            }
            Some(config)
        }
        Err(e) => {
            log::warning(10_069, &format!("Failed to set up TLS, connections are not encrypted: {e}"));
            None
        }
    }
}

/// Tells status variables of the keys that are used.
pub fn show(shown: &ServerKeys, dir: &Path, globals: &GlobalVars, tls: bool, rsa: Option<&RsaKey>) {
    shown.set_validity(tls_files(dir, globals).validity().filter(|_| tls));
    if let Some(k) = rsa {
        shown.set_rsa_public(&k.public_pem);
    }
}

/// The RSA pair of caching_sha2_password.
pub fn rsa(dir: &Path, globals: &GlobalVars) -> Option<RsaKey> {
    let paths = [Var::caching_sha2_password_private_key_path, Var::caching_sha2_password_public_key_path];
    let [private, public] = paths.map(|v| dir.join(globals.string(v)));
    let create = globals.bool(Var::caching_sha2_password_auto_generate_rsa_keys) && !is_named(globals, &paths);
    match RsaKey::open(&private, &public, create) {
        Ok(k) => Some(k),
        Err(e) => {
            log::warning(10_284, &format!("No RSA keys for caching_sha2_password: {e}"));
            None
        }
    }
}
