//! What SET PERSIST and SET PERSIST_ONLY keep between starts: `mysqld-auto.cnf` in the data directory.
//!
//! The file is JSON with the names MySQL 8.4 writes (manual, "Persisted System Variables"). It is read once, behind all options
//! ([`Persisted::open`]), and written whole by temporary file and rename: a crash leaves the old or the new contents. The mutex is a
//! leaf. Tested: `tests/clients/test_settings.py`.

use super::values::option_text;
use super::{Raw, Var};
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the file in the data directory.
pub const FILE: &str = "mysqld-auto.cnf";
/// The three parts of the file.
const PARTS: [&str; 3] = ["mysql_static_variables", "mysql_dynamic_variables", "mysql_dynamic_parse_early_variables"];

/// One variable's persisted value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// As an option file would give it.
    pub value: String,
    /// When, in microseconds since 1970.
    pub timestamp: u64,
    /// Who.
    pub user: String,
    /// From where.
    pub host: String,
}

#[derive(Default)]
struct Inner {
    path: Option<PathBuf>,
    all: BTreeMap<String, Entry>,
}

/// The persisted variables.
#[derive(Default)]
pub struct Persisted(Mutex<Inner>);

/// Variables that SET PERSIST refuses: they belong to this data directory or to one start.
const NEVER: &[&str] = &[
    "admin_address",
    "admin_port",
    "auto_generate_certs",
    "basedir",
    "bind_address",
    "caching_sha2_password_auto_generate_rsa_keys",
    "caching_sha2_password_private_key_path",
    "caching_sha2_password_public_key_path",
    "character_set_system",
    "character_sets_dir",
    "core_file",
    "create_admin_listener_thread",
    "datadir",
    "ft_stopword_file",
    "gtid_executed",
    "gtid_owned",
    "have_compress",
    "have_dynamic_loading",
    "have_geometry",
    "have_profiling",
    "have_query_cache",
    "have_rtree_keys",
    "have_statement_timeout",
    "have_symlink",
    "hostname",
    "init_file",
    "innodb_buffer_pool_load_at_startup",
    "innodb_data_file_path",
    "innodb_data_home_dir",
    "innodb_dedicated_server",
    "innodb_directories",
    "innodb_doublewrite",
    "innodb_force_load_corrupted",
    "innodb_log_group_home_dir",
    "innodb_page_size",
    "innodb_read_only",
    "innodb_temp_data_file_path",
    "innodb_temp_tablespaces_dir",
    "innodb_undo_directory",
    "innodb_version",
    "keyring_operations",
    "large_files_support",
    "large_page_size",
    "large_pages",
    "lc_messages_dir",
    "license",
    "locked_in_memory",
    "log_bin",
    "log_bin_basename",
    "log_bin_index",
    "log_error",
    "lower_case_file_system",
    "lower_case_table_names",
    "persist_only_admin_x509_subject",
    "persist_sensitive_variables_in_plaintext",
    "persisted_globals_load",
    "pid_file",
    "plugin_dir",
    "port",
    "protocol_version",
    "relay_log",
    "relay_log_basename",
    "relay_log_index",
    "replica_load_tmpdir",
    "secure_file_priv",
    "server_uuid",
    "sha256_password_auto_generate_rsa_keys",
    "sha256_password_private_key_path",
    "sha256_password_public_key_path",
    "skip_external_locking",
    "skip_networking",
    "socket",
    "system_time_zone",
    "tls_certificates_enforced_validation",
    "tmpdir",
    "version",
    "version_comment",
    "version_compile_machine",
    "version_compile_os",
    "version_compile_zlib",
];

/// Those that can be set while the server runs.
const DYNAMIC_NEVER: &[&str] = &["gtid_purged", "restrict_fk_on_non_standard_key"];

/// 1238 for a variable that cannot be persisted.
pub fn check(v: Var) -> SqlResult<()> {
    let dynamic = DYNAMIC_NEVER.contains(&v.name());
    if dynamic || NEVER.contains(&v.name()) {
        let what = if dynamic { "a non persistent variable" } else { "a non persistent read only variable" };
        let text = format!("Variable '{}' is {what}", v.name());
        return Err(SqlError::with_message(ErrorCode::INCORRECT_GLOBAL_LOCAL_VAR, text));
    }
    Ok(())
}

impl Persisted {
    /// Reads the file, which need not exist. The error says what is wrong with it.
    pub fn open(&self, datadir: &Path) -> Result<(), String> {
        let path = datadir.join(FILE);
        let mut inner = self.0.lock();
        inner.path = Some(path.clone());
        let text = match std::fs::read(&path) {
            Ok(t) => t,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(format!("cannot read '{}': {e}", path.display())),
        };
        let root: Value = serde_json::from_slice(&text).map_err(|e| format!("damaged '{}': {e}", path.display()))?;
        for part in PARTS {
            for (name, v) in root.get(part).and_then(Value::as_object).into_iter().flatten() {
                let meta = v.get("Metadata");
                let field = |k: &str| meta.and_then(|m| m.get(k)).and_then(Value::as_str).unwrap_or("").to_owned();
                let Some(value) = v.get("Value").and_then(Value::as_str) else { continue };
                let timestamp = meta.and_then(|m| m.get("Timestamp")).and_then(Value::as_u64).unwrap_or(0);
                let entry = Entry { value: value.to_owned(), timestamp, user: field("User"), host: field("Host") };
                inner.all.insert(name.clone(), entry);
            }
        }
        Ok(())
    }

    /// All of them by name.
    pub fn all(&self) -> BTreeMap<String, Entry> {
        self.0.lock().all.clone()
    }

    /// Keeps a value.
    pub fn put(&self, v: Var, raw: &Raw, user: &str, host: &str, now_us: u64) -> SqlResult<()> {
        let entry =
            Entry { value: option_text(v, raw), timestamp: now_us, user: user.to_owned(), host: host.to_owned() };
        let mut inner = self.0.lock();
        let before = inner.all.insert(v.name().to_owned(), entry);
        inner.save().inspect_err(|_| {
            match before {
                Some(e) => inner.all.insert(v.name().to_owned(), e),
                None => inner.all.remove(v.name()),
            };
        })
    }

    /// Forgets one (`None`: all). `false`: it was not there.
    pub fn forget(&self, name: Option<&str>) -> SqlResult<bool> {
        let mut inner = self.0.lock();
        let found = match name {
            Some(n) => inner.all.remove(n).is_some(),
            None => {
                inner.all.clear();
                true
            }
        };
        if found {
            inner.save()?;
        }
        Ok(found)
    }
}

impl Inner {
    fn save(&self) -> SqlResult<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let part = |dynamic: bool| {
            let of = |name: &str| Var::by_name(name).is_some_and(|v| v.def().is_dynamic()) == dynamic;
            let one = |(name, e): (&String, &Entry)| {
                let meta = json!({ "Timestamp": e.timestamp, "User": e.user, "Host": e.host });
                (name.clone(), json!({ "Value": e.value, "Metadata": meta }))
            };
            Value::Object(self.all.iter().filter(|(n, _)| of(n)).map(one).collect())
        };
        let root =
            json!({ "Version": 2, "mysql_static_variables": part(false), "mysql_dynamic_variables": part(true) });
        let failed = |e: &dyn std::fmt::Display| {
            let text = format!("cannot write '{}': {e}", path.display());
            SqlError::with_message(ErrorCode::UNKNOWN_ERROR, text)
        };
        let text = serde_json::to_vec(&root).map_err(|e| failed(&e))?;
        sys::file::Dir::write_atomic(path, &text).map_err(|e| failed(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let dir = std::env::temp_dir().join(format!("ek-persist-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let p = Persisted::default();
        p.open(&dir).unwrap();
        p.put(Var::max_connections, &Raw::Num(77), "root", "localhost", 5).unwrap();
        p.put(Var::back_log, &Raw::Num(9), "root", "localhost", 6).unwrap();
        p.put(Var::init_connect, &Raw::Text(Some("SET @a = 'b'".into())), "u", "h", 7).unwrap();
        let again = Persisted::default();
        again.open(&dir).unwrap();
        assert_eq!(again.all(), p.all());
        assert_eq!(again.all().get("max_connections").map(|e| e.value.as_str()), Some("77"));
        assert!(again.forget(Some("back_log")).unwrap() && !again.forget(Some("back_log")).unwrap());
        let third = Persisted::default();
        third.open(&dir).unwrap();
        assert_eq!(third.all().len(), 2);
        std::fs::write(dir.join(FILE), b"{").unwrap();
        assert!(Persisted::default().open(&dir).is_err());
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(check(Var::datadir).is_err() && check(Var::back_log).is_ok());
    }
}
