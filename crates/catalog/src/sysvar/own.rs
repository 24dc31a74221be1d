//! Names of the data directory's own files: what a log, a pid file or a list must not be written to.

use std::path::Path;

/// Whether a log may have this name: option files are not written with what clients sent (whoever may name the general
/// log could else write settings for the next start). Another file by which a link or `..` leads there is the file
/// system's to refuse.
pub fn is_log_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !name.ends_with(".cnf") && !name.ends_with(".ini")
}

/// Whether `name`, seen from the data directory, is one of the files that the server lives on; in any folder what is
/// named as files of the binary log and the relay log are.
pub fn is_own_file(datadir: &Path, name: &str) -> bool {
    let path = datadir.join(name);
    let numbered = |e: &str| e == "index" || e.len() >= 6 && e.bytes().all(|b| b.is_ascii_digit());
    if path.extension().is_some_and(|e| numbered(&e.to_string_lossy())) {
        return true;
    }
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
            "bin.000001",
            "/elsewhere/bin.index",
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
            "host.log.1",
        ] {
            assert!(!own(n), "{n}");
        }
        for (n, good) in
            [("a.log", true), ("cnf", true), ("a.cnf.log", true), ("my.cnf", false), ("/etc/MY.Ini", false)]
        {
            assert_eq!(is_log_name(n), good, "{n}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
