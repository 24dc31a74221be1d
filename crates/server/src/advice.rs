//! What to do when a start fails for a reason that everybody meets once.
//!
//! Pure texts. Tested: `tests/clients/test_first_hour.py`.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// A port that cannot be listened on.
pub fn port(port: u16, e: &Error) -> String {
    let other = if port == 3307 { 3308 } else { 3307 };
    match e.kind() {
        ErrorKind::AddrInUse => {
            format!(
                "Another server listens there: stop it, or take another port (--port={other}; make run PORT={other})"
            )
        }
        ErrorKind::PermissionDenied if port < 1024 => format!(
            "Ports below 1024 are for root or for a program with the capability CAP_NET_BIND_SERVICE: take another port (--port={other}; make run PORT={other})"
        ),
        ErrorKind::AddrNotAvailable => {
            "No network interface of this machine has that address: see --bind-address".to_owned()
        }
        _ => "See --bind-address and --port".to_owned(),
    }
}

/// A socket file that cannot be made.
pub fn socket(path: &Path, e: &Error) -> String {
    let folder = path.parent().unwrap_or(path).display();
    match e.kind() {
        ErrorKind::NotFound => {
            format!(
                "There is no folder '{folder}': create it, or name another file (--socket=/tmp/evenkeel.sock; make run SOCKET=/tmp/evenkeel.sock)"
            )
        }
        ErrorKind::PermissionDenied => {
            format!(
                "This user may not write into '{folder}': name another file (--socket=/tmp/evenkeel.sock; make run SOCKET=/tmp/evenkeel.sock)"
            )
        }
        ErrorKind::InvalidInput => "A socket's path has at most 107 bytes: name a shorter one (--socket)".to_owned(),
        _ => "See --socket".to_owned(),
    }
}

/// What to add to the reason of a failed start: a full disk is named with what it needs.
pub fn start(reason: &str, dir: &Path, is_new: bool) -> Option<String> {
    if !["No space left on device", "os error 28", " is full"].iter().any(|w| reason.contains(w)) {
        return None;
    }
    let new = if is_new {
        " The data directory is not complete: remove it before the next try, or use another (--datadir; make run DATADIR=...)."
    } else {
        ""
    };
    // a file elsewhere, such as one of the binary log
    let file = reason.split('\'').map(Path::new).find(|p| p.is_absolute());
    let dir = file.and_then(Path::parent).unwrap_or(dir);
    Some(format!("The disk of '{}' is full: make room and start again.{new}", dir.display()))
}
