//! `--initialize`: a data directory whose root has a random password that must be changed; `--initialize-insecure`: one without.
//!
//! Both refuse a folder that has files. The password stands in the error log and nowhere else; statements other than ALTER USER are refused until it has
//! been changed. It is set before the first start counts as complete: a crash leaves a directory that `--initialize` refuses and a start completes with
//! whatever account file it left. Tested: `tests/clients/test_first_start.py`.

use crate::log;
use crate::run::Failure;
use catalog::accounts::{Accounts, hash_password};

/// Characters of the password, one of each kind at least.
const LENGTH: usize = 12;
const KINDS: [&[u8]; 4] =
    [b"abcdefghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"0123456789", b"+-*/=<>!?.,:;_#%&"];

/// Refuses a folder with files in it, in mysqld's words.
pub fn check_empty(path: &str) -> Result<(), Failure> {
    if !crate::datadir::has_files(path) {
        return Ok(());
    }
    log::error(10_457, "--initialize specified but the data directory has files in it. Aborting.");
    let text = format!(
        "The designated data directory {path} is unusable. You can remove all files that the server added to it."
    );
    Err(Failure::new(13_236, text))
}

/// A fair number below `n`.
fn below(n: usize) -> std::io::Result<usize> {
    let fair = 256 - 256 % n;
    loop {
        let mut b = [0u8; 1];
        sys::process::random_bytes(&mut b)?;
        let [b] = b.map(usize::from);
        if b < fair {
            return Ok(b % n);
        }
    }
}

fn password() -> std::io::Result<String> {
    let all = KINDS.concat();
    let mut out = Vec::with_capacity(LENGTH);
    for kind in KINDS.into_iter().chain(std::iter::repeat(all.as_slice())).take(LENGTH) {
        out.extend(kind.get(below(kind.len())?));
    }
    for i in (1..out.len()).rev() {
        out.swap(i, below(i + 1)?);
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Gives root@localhost its first password, or says that it has none.
pub fn set_password(accounts: &Accounts, insecure: bool, rounds: u32) -> Result<(), String> {
    if insecure {
        let text = "root@localhost is created with an empty password ! Please consider switching off the --initialize-insecure option.";
        log::warning(10_453, text);
        return Ok(());
    }
    let new = password().map_err(|e| format!("no random bytes: {e}"))?;
    let set = accounts.update("ALTER USER", "root", "localhost", |a| {
        *a.auth_string = hash_password(a.plugin, new.as_bytes(), rounds)?;
        a.expired = true;
        Ok(())
    });
    set.map_err(|e| format!("cannot set root's password: {}", e.message()))?;
    log::told(10_454, &format!("A temporary password is generated for root@localhost: {new}"));
    Ok(())
}

/// A first start without `--initialize`: root has no password.
pub fn tell_of_open_root(socket: Option<&str>) {
    let client = socket.map_or("mysql -u root".to_owned(), |s| format!("mysql -u root -S {s}"));
    let text = format!(
        "root@localhost is created with an empty password: whoever can reach this server from this machine can do anything. Set one: \
         {client} -e \"ALTER USER root@localhost IDENTIFIED BY '...'\""
    );
    log::warning(10_453, &text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_have_every_kind_and_differ() {
        let (a, b) = (password().unwrap(), password().unwrap());
        assert_ne!(a, b);
        for p in [a, b] {
            assert_eq!(p.len(), LENGTH);
            assert!(KINDS.iter().all(|k| p.bytes().any(|c| k.contains(&c))), "{p}");
        }
    }
}
