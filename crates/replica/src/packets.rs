//! Fields of the source's packets, its errors, and answers to its questions for a password.

use catalog::accounts::password::{sha1, sha256};

/// What went wrong: MySQL's number of it and its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// MySQL's number.
    pub code: u32,
    /// Its text.
    pub text: String,
}

impl Failed {
    /// With this number and text.
    pub fn new(code: u32, text: impl Into<String>) -> Failed {
        Failed { code, text: text.into() }
    }
}

/// A packet that is not what it should be.
pub fn malformed() -> Failed {
    Failed::new(2027, "Malformed packet")
}

/// Reads a packet's fields.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Failed> {
        let (head, rest) = self.0.split_at_checked(n).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(head)
    }
    pub fn uint(&mut self, n: usize) -> Result<u64, Failed> {
        Ok(self.take(n)?.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
    }
    pub fn until_nul(&mut self) -> Result<&'a [u8], Failed> {
        let n = self.0.iter().position(|b| *b == 0).unwrap_or(self.0.len());
        let s = self.take(n)?;
        self.0 = self.0.get(1..).unwrap_or_default();
        Ok(s)
    }
    /// A length-encoded string; `None`: NULL.
    pub fn text(&mut self) -> Result<Option<&'a [u8]>, Failed> {
        let n = match self.uint(1)? {
            0xfb => return Ok(None),
            0xfc => self.uint(2)?,
            0xfd => self.uint(3)?,
            0xfe => self.uint(8)?,
            n => n,
        };
        self.take(usize::try_from(n).map_err(|_| malformed())?).map(Some)
    }
}

/// The error that an ERR packet tells of.
pub fn told(packet: &[u8]) -> Failed {
    let mut f = Fields(packet.get(1..).unwrap_or_default());
    let code = f.uint(2).unwrap_or(0) as u32;
    let text = match f.0 {
        [b'#', _, _, _, _, _, text @ ..] => text,
        text => text,
    };
    Failed::new(code, String::from_utf8_lossy(text))
}

/// A plugin's answer to a scramble; `None`: a plugin that is not known.
pub fn reply(plugin: &[u8], password: &[u8], scramble: &[u8]) -> Option<Vec<u8>> {
    if password.is_empty() && matches!(plugin, b"caching_sha2_password" | b"mysql_native_password") {
        return Some(Vec::new());
    }
    let xor = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| a ^ b).collect();
    match plugin {
        b"caching_sha2_password" => {
            let once = sha256(&[password]);
            let twice = sha256(&[&once]);
            Some(xor(&once, &sha256(&[&twice, scramble])))
        }
        b"mysql_native_password" => {
            let once = sha1(&[password]);
            let twice = sha1(&[&once]);
            Some(xor(&once, &sha1(&[scramble, &twice])))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::accounts::password::{check_sha2_fast, sha2_cache_entry};

    #[test]
    fn answers_that_a_server_accepts() {
        let scramble = [7u8; 20];
        let answer = reply(b"caching_sha2_password", b"secret", &scramble).unwrap();
        assert!(check_sha2_fast(&scramble, &answer, &sha2_cache_entry(b"secret")));
        assert!(!check_sha2_fast(&scramble, &answer, &sha2_cache_entry(b"other")));
        assert_eq!(reply(b"mysql_native_password", b"", &scramble), Some(Vec::new()));
        assert_eq!(reply(b"authentication_ldap", b"x", &scramble), None);
        assert_eq!(told(b"\xff\xd4\x04#HY000text"), Failed::new(1236, "text"));
    }
}
