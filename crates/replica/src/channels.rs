//! The channels that there are, by their names. The one without a name is always there; the others come with CHANGE
//! REPLICATION SOURCE TO ... FOR CHANNEL and go with RESET REPLICA ALL (manual, "Replication Channels").
//!
//! Names are kept in small letters, as MySQL does. Files of a channel's relay log are called after it, as tables' files
//! are after tables (`storage::transport::names`): `relay-log-CHANNEL.000001`. Older versions wrote all letters beyond
//! ASCII as `@` and four hex digits; files with such names are used on.
//!
//! The map's lock is held for moments; who changes it holds the statements' mutex ([`crate::control`]). Tested: here,
//! `tests/binlog/test_replica_channels.py`.

use crate::shared::Shared;
use base::{ErrorCode, SqlError, SqlResult};
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use storage::transport::names::part_of_file_name;

/// Characters of a name.
const LONGEST: usize = 64;
/// As many as MySQL has.
const MOST: usize = 256;

/// See the module.
#[derive(Default)]
pub struct Channels(RwLock<BTreeMap<String, Arc<Shared>>>);

/// A name as it is kept.
pub fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// The name of a channel that does not exist yet, as it is kept. 3076 for what can be none, 3139 for those of group
/// replication.
pub fn new_name(given: &str) -> SqlResult<String> {
    let name = folded(given);
    not_of_groups(Some(given), "CHANGE REPLICATION SOURCE with the given parameters")?;
    // characters beyond the first plane are none of MySQL's identifiers
    let bad = |c: char| c.is_control() || u32::from(c) > 0xffff;
    if name.ends_with(' ') || name.chars().count() > LONGEST || name.chars().any(bad) {
        return Err(SqlError::new(ErrorCode::REPLICA_CHANNEL_NAME_INVALID_OR_TOO_LONG, &[]));
    }
    Ok(name)
}

/// 3139 for a channel of group replication: `what` is not for it.
pub fn not_of_groups(given: Option<&str>, what: &str) -> SqlResult<()> {
    let name = given.map(folded).unwrap_or_default();
    match name.starts_with("group_replication_") && matches!(name.get(18..), Some("applier" | "recovery")) {
        true => Err(SqlError::new(ErrorCode::REPLICA_CHANNEL_OPERATION_NOT_ALLOWED, &[&what, &name])),
        false => Ok(()),
    }
}

/// Its relay log's name, without the number, where that of the channel without a name is `base`.
pub fn relay_log(base: &str, name: &str) -> String {
    if name.is_empty() {
        return base.to_owned();
    }
    format!("{base}-{}", part_of_file_name(name))
}

/// The same in a folder: what was called otherwise by an older version keeps its name.
pub fn relay_log_in(folder: &Path, base: &str, name: &str) -> String {
    let before: String = name.chars().map(as_before).collect();
    let before = format!("{base}-{before}");
    match !name.is_empty() && folder.join(format!("{before}.index")).exists() {
        true => before,
        false => relay_log(base, name),
    }
}

/// A letter in the names of older versions.
fn as_before(c: char) -> String {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => c.to_string(),
        c => format!("@{:04x}", u32::from(c)),
    }
}

impl Channels {
    /// One with this name, which is written as it is kept.
    pub fn get(&self, name: &str) -> Option<Arc<Shared>> {
        self.0.read().get(name).cloned()
    }

    /// All, in the order of their names.
    pub fn all(&self) -> Vec<Arc<Shared>> {
        self.0.read().values().cloned().collect()
    }

    /// Those that FOR CHANNEL names: one, or all.
    ///
    /// # Errors
    /// 3074.
    pub fn named(&self, name: Option<&str>) -> SqlResult<Vec<Arc<Shared>>> {
        let Some(name) = name else { return Ok(self.all()) };
        let name = folded(name);
        let gone = || SqlError::new(ErrorCode::REPLICA_CHANNEL_DOES_NOT_EXIST, &[&name]);
        Ok(vec![self.get(&name).ok_or_else(gone)?])
    }

    /// The one that FOR CHANNEL names, or the only one that there is.
    ///
    /// # Errors
    /// 3074, 3079.
    pub fn only(&self, name: Option<&str>) -> SqlResult<Arc<Shared>> {
        match self.named(name)?.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(several()),
        }
    }

    /// 3080 where there are as many as there can be.
    pub fn check_room(&self) -> SqlResult<()> {
        match self.0.read().len() < MOST {
            true => Ok(()),
            false => Err(SqlError::new(ErrorCode::REPLICA_MAX_CHANNELS_EXCEEDED, &[])),
        }
    }

    pub fn add(&self, x: Arc<Shared>) {
        self.0.write().insert(x.channel.to_string(), x);
    }

    pub fn remove(&self, name: &str) {
        self.0.write().remove(name);
    }
}

/// 3079.
pub fn several() -> SqlError {
    SqlError::new(ErrorCode::REPLICA_MULTIPLE_CHANNELS_CMD, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(new_name("Ch-1").unwrap(), "ch-1");
        assert_eq!(new_name("ÉT").unwrap(), "ét");
        assert_eq!(new_name(" x").unwrap(), " x");
        assert_eq!(new_name(&"a".repeat(64)).unwrap().len(), 64);
        for bad in ["x ", "a\tb", "😀", &"é".repeat(65)] {
            let e = new_name(bad).unwrap_err();
            assert!(e.is(ErrorCode::REPLICA_CHANNEL_NAME_INVALID_OR_TOO_LONG), "{bad}");
        }
        assert!(
            new_name("Group_replication_applier").unwrap_err().is(ErrorCode::REPLICA_CHANNEL_OPERATION_NOT_ALLOWED)
        );
        assert!(new_name("group_replication_other").is_ok());
    }

    #[test]
    fn files() {
        // as MySQL calls them
        assert_eq!(relay_log("vm-relay-bin", ""), "vm-relay-bin");
        assert_eq!(relay_log("vm-relay-bin", "ch-1"), "vm-relay-bin-ch@002d1");
        for (name, file) in [
            ("a/b.c d_e", "a@002fb@002ec@0020d_e"),
            ("\u{e9}", "@0p"),
            (
                "\u{ff}\u{3b1}\u{436}\u{5d0}\u{d55c}\u{65e5}\u{3042}\u{20ac}\u{df}",
                "@1r@6l@m0@05d0@d55c@65e5@3042@20ac@1j",
            ),
            ("a-b/c.d e$@#\u{1c6}\u{1c6}\u{133}", "a@002db@002fc@002ed@0020e@0024@0040@0023@ob@ob@2x"),
            ("\u{1e41}\u{1e81}\u{2177}\u{24d0}\u{ff41}", "@sm@ko@n9@@a@a@"),
            ("con", "con"),
        ] {
            assert_eq!(relay_log("r", name), format!("r-{file}"), "{name}");
        }
        // what an older version has made is found, and only that
        let folder = std::env::temp_dir().join(format!("ek-channels-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(relay_log_in(&folder, "r", "\u{e9}-1"), "r-@0p@002d1");
        std::fs::write(folder.join("r-@00e9@002d1.index"), "").unwrap();
        assert_eq!(relay_log_in(&folder, "r", "\u{e9}-1"), "r-@00e9@002d1");
        assert_eq!(relay_log_in(&folder, "r", "\u{e9}"), "r-@0p");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
