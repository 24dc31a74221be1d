//! The data directory: created at first start, one process at a time, its identity (`auto.cnf`: the UUID, and how names are kept), keys, accounts.
//!
//! A crash during the first start leaves a directory without `auto.cnf` or with some keys missing; the next start completes it.

use crate::log;
use catalog::sysvar::{GlobalVars, Raw, Var};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sys::file::{Dir, LockError, LockFile};
use wire::{RsaKey, TlsFiles};

/// An opened data directory; dropping it releases the lock.
pub struct DataDir {
    /// Absolute path.
    pub path: PathBuf,
    /// Whether this start created it.
    pub is_new: bool,
    _lock: LockFile,
}

/// Creates the directory if need be and takes its lock. The message for a second server names the process that holds it.
pub fn open(path: &str) -> Result<DataDir, String> {
    let path = Path::new(path);
    let fail = |e: &dyn std::fmt::Display| format!("Can't use data directory '{}': {e}", path.display());
    let is_new = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            Dir::create(path).map_err(|e| fail(&e))?;
            true
        }
        Err(e) => return Err(fail(&e)),
    };
    let path = fs::canonicalize(path).map_err(|e| fail(&e))?;
    let lock = match LockFile::acquire(&path.join("evenkeel.lock")) {
        Ok(l) => l,
        Err(LockError::HeldBy(pid)) => {
            let who = pid.map_or("another process".to_owned(), |p| format!("process {p}"));
            return Err(format!(
                "Data directory '{}' is in use by {who}; is a server already running?",
                path.display()
            ));
        }
        Err(e) => return Err(fail(&e)),
    };
    if !is_new && !path.join("auto.cnf").exists() && path.join("mysql.ibd").exists() {
        return Err(fail(&"it belongs to a MySQL server; Evenkeel cannot read its files"));
    }
    Ok(DataDir { path, is_new, _lock: lock })
}

/// The server's UUID, from `auto.cnf`, which is created when missing. It also says whether names are kept in lower case: what the first
/// start had stays (manual, "Identifier Case Sensitivity"), as names that exist could not be found otherwise.
pub fn identity(dir: &Path, folded: bool) -> Result<String, String> {
    let file = dir.join("auto.cnf");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let value = |key: &str| text.lines().find_map(|l| l.trim().strip_prefix(key)).map(|v| v.trim().to_owned());
    if let Some(uuid) = value("server-uuid=") {
        let before = value("lower_case_table_names=").is_some_and(|v| v == "1");
        if before != folded {
            let (now, before) = (u8::from(folded), u8::from(before));
            return Err(format!(
                "Different lower_case_table_names settings for server ('{now}') and data dictionary ('{before}')."
            ));
        }
        return Ok(uuid);
    }
    let mut b = [0u8; 16];
    sys::process::random_bytes(&mut b).map_err(|e| format!("no random bytes: {e}"))?;
    let n = u128::from_be_bytes(b) & !(0xf << 76) | 4 << 76;
    let n = n & !(3 << 62) | 2 << 62;
    let hex = format!("{n:032x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    let uuid = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
    let names = if folded { "lower_case_table_names=1\n" } else { "" };
    Dir::write_atomic(&file, format!("[auto]\nserver-uuid={uuid}\n{names}").as_bytes())
        .map_err(|e| format!("cannot write '{}': {e}", file.display()))?;
    Ok(uuid)
}

/// Where the certificates are.
pub fn tls_files(dir: &Path, globals: &GlobalVars) -> TlsFiles {
    let at = |v: Var| dir.join(globals.string(v));
    let resume = globals.bool(Var::ssl_session_cache_mode);
    TlsFiles { ca: at(Var::ssl_ca), cert: at(Var::ssl_cert), key: at(Var::ssl_key), resume }
}

/// TLS configuration; created at first start when `auto_generate_certs` allows. `None` (with a warning) when there are no usable files.
pub fn tls(dir: &Path, globals: &GlobalVars) -> Option<Arc<wire::TlsConfig>> {
    let files = tls_files(dir, globals);
    if !files.cert.exists() && globals.bool(Var::auto_generate_certs) {
        let hostname = globals.string(Var::hostname);
        if let Err(e) = files.create(&hostname) {
            log::warning(10_069, &format!("Failed to create TLS certificates: {e}"));
        }
    }
    match files.load() {
        Ok(config) => {
            log::warning(10_068, &format!("CA certificate {} is self signed.", globals.string(Var::ssl_ca)));
            Some(config)
        }
        Err(e) => {
            log::warning(10_069, &format!("Failed to set up TLS because of '{}': {e}", files.cert.display()));
            None
        }
    }
}

/// The RSA pair of caching_sha2_password.
pub fn rsa(dir: &Path, globals: &GlobalVars) -> Option<RsaKey> {
    let at = |v: Var| dir.join(globals.string(v));
    let (private, public) =
        (at(Var::caching_sha2_password_private_key_path), at(Var::caching_sha2_password_public_key_path));
    let create = globals.bool(Var::caching_sha2_password_auto_generate_rsa_keys);
    match RsaKey::open(&private, &public, create) {
        Ok(k) => Some(k),
        Err(e) => {
            log::warning(11_078, &format!("RSA private key '{}' not usable: {e}", private.display()));
            None
        }
    }
}

/// Facts about this machine and directory into the variables that show them.
pub fn fill_facts(dir: &DataDir, globals: &GlobalVars) -> Result<(), String> {
    let text = |v: Var, s: &str| globals.store(v, Raw::Text(Some(s.into())));
    text(Var::datadir, &format!("{}/", dir.path.display()));
    text(Var::hostname, &sys::process::hostname());
    text(Var::version, crate::VERSION);
    text(Var::version_comment, crate::VERSION_COMMENT);
    text(Var::version_compile_machine, std::env::consts::ARCH);
    if globals.num(Var::lower_case_table_names) == 2 {
        // MySQL does the same on such file systems
        log::warning(
            10_159,
            "lower_case_table_names was set to 2, even though your the file system is case sensitive. Now setting lower_case_table_names to 0 to avoid future problems.",
        );
        globals.store(Var::lower_case_table_names, Raw::Num(0));
    }
    let folded = globals.num(Var::lower_case_table_names) == 1;
    base::names::set_folded(folded);
    text(Var::server_uuid, &identity(&dir.path, folded)?);
    let host = globals.string(Var::hostname);
    let default = |v: Var, suffix: &str| {
        if globals.string(v).is_empty() {
            text(v, &dir.path.join(format!("{host}{suffix}")).to_string_lossy());
        }
    };
    default(Var::pid_file, ".pid");
    default(Var::general_log_file, ".log");
    default(Var::slow_query_log_file, "-slow.log");
    let now = (sys::clock::wall_micros() / 1_000_000) as i64;
    text(Var::system_time_zone, &value::TimeZone::system_abbreviation(now));
    Ok(())
}
