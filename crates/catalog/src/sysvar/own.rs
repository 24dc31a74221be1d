//! Names of the data directory's own files: what a log, a pid file or a list must not be written to.

use std::path::Path;

/// Whether `name`, seen from the data directory, is one of the files that the server lives on.
pub fn is_own_file(datadir: &Path, name: &str) -> bool {
    let path = datadir.join(name);
    let Ok(root) = datadir.canonicalize() else { return false };
    // by way of links or `..` too; a folder that does not exist yet has neither
    let folder =
        path.parent().map(|p| p.canonicalize().unwrap_or_else(|_| root.join(p.strip_prefix(datadir).unwrap_or(p))));
    let Some(inside) = folder.as_ref().and_then(|f| f.strip_prefix(&root).ok()) else { return false };
    let file = path.file_name().unwrap_or_default();
    let first = inside.components().next().map_or(file, |c| c.as_os_str()).to_string_lossy();
    let first = first.strip_suffix(".tmp").unwrap_or(&first);
    ["accounts.json", "auto.cnf", "mysqld-auto.cnf"].contains(&first)
        || first.starts_with('#')
        || first.starts_with("evenkeel.")
        || first.ends_with(".pem")
        || first.ends_with(".ibd")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_known_by_any_path() {
        let dir = std::env::temp_dir().join(format!("ek-own-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("#spaces")).unwrap();
        let own = |n: &str| is_own_file(&dir, n);
        for n in [
            "accounts.json",
            "auto.cnf",
            "./accounts.json",
            "#spaces/00000001.ibd",
            "#spaces/../auto.cnf",
            "ca.pem",
            "mysqld-auto.cnf.tmp",
            "#tmp/x",
        ] {
            assert!(own(n), "{n}");
        }
        assert!(own(dir.join("accounts.json").to_str().unwrap()));
        for n in [
            "host.log",
            "ib_buffer_pool",
            "run.pid",
            "/tmp/accounts.json",
            "../accounts.json",
            "no/such/auto.cnf",
            "/no/such/auto.cnf",
        ] {
            assert!(!own(n), "{n}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
