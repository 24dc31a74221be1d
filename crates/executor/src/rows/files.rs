//! Which files statements may read and write: `secure_file_priv` and the FILE privilege.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::sysvar::{Var, VarValue};
use std::path::{Component, Path, PathBuf};

use crate::rows::env::Env;

/// The file a statement names: relative names start in the default database's folder of the data directory.
///
/// # Errors
/// 1045 (to write: 1227) without the FILE privilege, 1290 outside `secure_file_priv` or where that is NULL.
pub fn allowed(env: &Env, name: &[u8], write: bool) -> SqlResult<PathBuf> {
    if !env.security.account.privileges.has_global(Privs::FILE) {
        if write {
            return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"FILE"]));
        }
        let (user, host) = env.security.refused();
        let password = if env.security.account.auth_string.is_empty() { "NO" } else { "YES" };
        return Err(SqlError::new(ErrorCode::ACCESS_DENIED_ERROR, &[&user, &host, &password]));
    }
    let refused = || SqlError::new(ErrorCode::OPTION_PREVENTS_STATEMENT, &[&"--secure-file-priv"]);
    let name = String::from_utf8_lossy(name);
    let named = Path::new(name.as_ref());
    let path = if named.is_absolute() {
        named.to_owned()
    } else {
        let data = PathBuf::from(env.shared.globals.string(Var::datadir));
        // a bare name belongs to the default database, one with folders to the data directory
        match env.schema.as_deref().filter(|_| named.components().count() == 1) {
            Some(db) => data.join(db).join(named),
            None => data.join(named),
        }
    };
    let root = match env.shared.globals.get(Var::secure_file_priv) {
        VarValue::Null => return Err(refused()),
        v => v.show(),
    };
    if root.is_empty() {
        return Ok(path);
    }
    // links in the existing part are followed; the last component may not exist yet
    let real = std::fs::canonicalize(&path).ok().or_else(|| {
        let folder = std::fs::canonicalize(path.parent()?).ok()?;
        Some(folder.join(path.file_name()?))
    });
    let real = real.unwrap_or_else(|| path.clone());
    if real.components().any(|c| c == Component::ParentDir) {
        return Err(refused());
    }
    let root = std::fs::canonicalize(root.as_str()).unwrap_or_else(|_| PathBuf::from(root.as_str()));
    if real.starts_with(&root) { Ok(path) } else { Err(refused()) }
}

/// An error of the operating system as MySQL's file functions report it: `13` for a file that cannot be looked at, `1` for one that cannot be
/// made, `2` and `3` for failing reads and writes.
pub fn os_error(code: ErrorCode, path: &Path, e: &std::io::Error) -> SqlError {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    SqlError::new(code, &[&path.display(), &e.raw_os_error().unwrap_or(0), &text])
}
