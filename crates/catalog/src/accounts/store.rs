//! Where accounts are kept between starts.
//!
//! [`FileStore`] has `accounts.json` in the data directory: all accounts as one document, written by temporary file, sync and rename, and
//! behind it a line for each statement that changed some of them since, appended and synced ([`journal`]). A crash leaves the old or the new
//! contents: a line that was cut off was never acknowledged and is dropped at the next start. When the lines have grown longer than the
//! document, the whole is written anew. A file without lines is what older versions wrote.

use super::mark::{Mark, Marks};
use super::place::Proof;
use super::{
    Account, AuthPlugin, Change, DYNAMIC, HourlyLimits, PasswordPolicy, Privileges, Privs, Proxy, TablePrivileges,
    TlsRequirement, journal,
};
use base::{ErrorCode, SqlError, SqlResult};
use parser::secrets::Hidden;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use sys::file::{Dir, File, OpenMode};

/// Persistence of accounts.
pub trait AccountStore: Send {
    /// All accounts; `None` where nothing was ever stored.
    fn load(&mut self) -> SqlResult<Option<Vec<Account>>>;
    /// Makes these the accounts, durably, all or nothing.
    fn save(&mut self, accounts: &[Arc<Account>]) -> SqlResult<()>;
    /// Makes `all` the accounts, durably, all or nothing; `changes` is what differs from before. A mark
    /// ([`super::mark`]) replaces the last one of its channel.
    fn apply(&mut self, changes: &[Change], all: &[Arc<Account>], mark: Option<&Mark>) -> SqlResult<()> {
        let _ = (changes, mark);
        self.save(all)
    }
    /// The last marks.
    fn marks(&self) -> Marks {
        Marks::new()
    }
    /// As [`AccountStore::apply`], of a statement that has been if `proof` is found; `before`: the accounts before.
    fn apply_logged(
        &mut self,
        changes: &[Change],
        (before, all): (&[Arc<Account>], &[Arc<Account>]),
        proof: &Proof,
    ) -> SqlResult<()> {
        let _ = (before, proof);
        self.apply(changes, all, None)
    }
    /// The proof of the last change, if it has one.
    fn unsure(&self) -> Option<Proof> {
        None
    }
    /// The change with that proof has not been: the accounts without it.
    fn take_back(&mut self) -> SqlResult<Vec<Account>> {
        Ok(self.load()?.unwrap_or_default())
    }
    /// The proof of the last change means nothing any more.
    fn settle(&mut self, all: &[Arc<Account>]) -> SqlResult<()> {
        let _ = all;
        Ok(())
    }
    /// There is no mark of this channel, or of any, any more.
    fn forget_marks(&mut self, channel: Option<&str>, all: &[Arc<Account>]) -> SqlResult<()> {
        let _ = (channel, all);
        Ok(())
    }
}

/// For tests: forgets at the end.
#[derive(Default)]
pub struct MemoryStore(Option<Vec<Account>>);

impl AccountStore for MemoryStore {
    fn load(&mut self) -> SqlResult<Option<Vec<Account>>> {
        Ok(self.0.clone())
    }
    fn save(&mut self, accounts: &[Arc<Account>]) -> SqlResult<()> {
        self.0 = Some(accounts.iter().map(|a| Account::clone(a)).collect());
        Ok(())
    }
}

/// Lines that are shorter than this in all are never a reason to write everything.
const FEW: u64 = 64 * 1024;

/// A JSON file with a journal behind it.
pub struct FileStore {
    path: PathBuf,
    /// Open for appending: the file, the length of its document, and its whole length. None: the next change writes everything.
    open: Option<(File, u64, u64)>,
    /// The last marks that are in it.
    marks: Marks,
    /// Where the last line begins, if it has a proof, and that.
    placed: Option<(Proof, u64)>,
}

impl FileStore {
    /// A store in this file, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> FileStore {
        FileStore { path: path.into(), open: None, marks: Marks::new(), placed: None }
    }
    fn error(&self, what: &str, e: &dyn std::fmt::Display) -> SqlError {
        SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("{what} '{}': {e}", self.path.display()))
    }

    /// Appends a line and syncs it. After a failure nobody knows what the file holds: it is cut back, and written anew at the next change.
    fn append(&mut self, line: &[u8]) -> SqlResult<()> {
        let Some((file, document, len)) = self.open.take() else {
            return Err(self.error("cannot write", &"not open"));
        };
        let wrote = file.write_at(line, len).and_then(|()| file.sync_data());
        match wrote {
            Ok(()) => {
                self.placed = None;
                self.open = Some((file, document, len + line.len() as u64));
                Ok(())
            }
            Err(e) => {
                let _ = file.set_len(len).and_then(|()| file.sync_data());
                Err(self.error("cannot write", &e))
            }
        }
    }

    /// Whether a line may be appended: the file is the one that was opened, as long as it was left, and its lines are not too many.
    fn appendable(&self, more: u64) -> bool {
        let Some((file, document, len)) = &self.open else { return false };
        let same = std::fs::metadata(&self.path).is_ok_and(|m| {
            use std::os::unix::fs::MetadataExt;
            m.len() == *len && file.inode().is_ok_and(|i| i == m.ino())
        });
        same && len + more - document <= FEW.max(*document)
    }
}

impl AccountStore for FileStore {
    fn load(&mut self) -> SqlResult<Option<Vec<Account>>> {
        let text = match std::fs::read(&self.path) {
            Ok(t) => t,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(self.error("cannot read", &e)),
        };
        let damaged = |e: &dyn std::fmt::Display| self.error("damaged account file", e);
        let (root, document) = journal::document(&text).map_err(|e| damaged(&e))?;
        let list = root.get("accounts").and_then(Value::as_array);
        let list = list.ok_or_else(|| damaged(&"no list of accounts"))?;
        let accounts =
            list.iter().map(|v| from_json(v).ok_or_else(|| damaged(&format_args!("the account {:?}", v.get("user")))));
        let mut accounts = accounts.collect::<SqlResult<Vec<Account>>>()?;
        let lines = journal::lines(text.get(document..).unwrap_or_default()).map_err(|e| damaged(&e))?;
        let mut found: Marks = string(&root, "mark").map(|m| (String::new(), m)).into_iter().collect();
        for (channel, mark) in root.get("marks").and_then(Value::as_object).into_iter().flatten() {
            found.extend(mark.as_str().map(|m| (channel.clone(), m.to_owned())));
        }
        for change in &lines.changes {
            if Proof::from_json(change).is_some() {
                continue;
            }
            if let Some(mark) = string(change, "mark") {
                found.insert(string(change, "channel").unwrap_or_default(), mark);
                continue;
            }
            let done = change_from_json(change).map(|c| journal::replay(&mut accounts, c));
            done.ok_or_else(|| damaged(&"a change that is none"))?;
        }
        self.marks = found;
        let (start, first) = lines.last;
        let proof = lines.changes.get(first..).and_then(|last| last.iter().find_map(Proof::from_json));
        self.placed = proof.map(|p| (p, (document + start) as u64));
        // what was cut off goes, or the next line would stand behind it
        let whole = (document + lines.len) as u64;
        let opened = File::open(&self.path, OpenMode::ReadWrite).and_then(|f| {
            if whole < text.len() as u64 {
                f.set_len(whole)?;
                f.sync_all()?;
            }
            Ok(f)
        });
        // a directory that cannot be written can still be read; the next change says what is wrong
        self.open = opened.ok().filter(|_| lines.appendable).map(|f| (f, document as u64, whole));
        if root.get("version").and_then(Value::as_u64).is_some_and(|v| v < 2) {
            accounts.iter_mut().for_each(upgrade);
            // a line behind the old document would make the next start upgrade again what was taken away since
            self.open = None;
        }
        Ok(Some(accounts))
    }

    fn save(&mut self, accounts: &[Arc<Account>]) -> SqlResult<()> {
        (self.open, self.placed) = (None, None);
        let list: Vec<Value> = accounts.iter().map(|a| to_json(a)).collect();
        let mut root = json!({ "version": 2, "accounts": list });
        if let Some(root) = root.as_object_mut() {
            let mut named = self.marks.clone();
            if let Some(mark) = named.remove("") {
                root.insert("mark".to_owned(), json!(mark));
            }
            if !named.is_empty() {
                root.insert("marks".to_owned(), json!(named));
            }
        }
        let text = serde_json::to_vec_pretty(&root);
        let mut text = text.map_err(|e| self.error("cannot write", &e))?;
        text.push(b'\n');
        Dir::write_atomic(&self.path, &text).map_err(|e| self.error("cannot write", &e))?;
        let len = text.len() as u64;
        self.open = File::open(&self.path, OpenMode::ReadWrite).ok().map(|f| (f, len, len));
        Ok(())
    }

    fn apply(&mut self, changes: &[Change], all: &[Arc<Account>], mark: Option<&Mark>) -> SqlResult<()> {
        let mut list: Vec<Value> = changes.iter().map(change_to_json).collect();
        list.extend(mark.map(|m| match m.channel.as_str() {
            "" => json!({ "mark": m.text }),
            channel => json!({ "mark": m.text, "channel": channel }),
        }));
        let line = journal::line(&Value::Array(list)).map_err(|e| self.error("cannot write", &e))?;
        let before = self.marks.clone();
        if let Some(mark) = mark {
            self.marks.insert(mark.channel.clone(), mark.text.clone());
        }
        let done = if self.appendable(line.len() as u64) { self.append(&line) } else { self.save(all) };
        if done.is_err() {
            self.marks = before;
        }
        done
    }

    fn apply_logged(
        &mut self,
        changes: &[Change],
        (before, all): (&[Arc<Account>], &[Arc<Account>]),
        proof: &Proof,
    ) -> SqlResult<()> {
        let list = changes.iter().map(change_to_json).chain([proof.to_json()]);
        let line = journal::line(&Value::Array(list.collect())).map_err(|e| self.error("cannot write", &e))?;
        if !self.appendable(line.len() as u64) {
            self.save(before)?;
        }
        let Some((_, _, at)) = self.open.as_ref().filter(|_| self.appendable(line.len() as u64)) else {
            // longer than everything else: whole or not at all, but not to be taken back
            return self.save(all);
        };
        let at = *at;
        self.append(&line)?;
        self.placed = Some((proof.clone(), at));
        Ok(())
    }

    fn unsure(&self) -> Option<Proof> {
        self.placed.as_ref().map(|(proof, _)| proof.clone())
    }

    fn take_back(&mut self) -> SqlResult<Vec<Account>> {
        if let Some((_, at)) = self.placed.take() {
            let cut = File::open(&self.path, OpenMode::ReadWrite).and_then(|f| {
                f.set_len(at)?;
                f.sync_all()
            });
            cut.map_err(|e| self.error("cannot write", &e))?;
        }
        Ok(self.load()?.unwrap_or_default())
    }

    fn settle(&mut self, all: &[Arc<Account>]) -> SqlResult<()> {
        if self.placed.is_some() { self.save(all) } else { Ok(()) }
    }

    fn marks(&self) -> Marks {
        self.marks.clone()
    }

    fn forget_marks(&mut self, channel: Option<&str>, all: &[Arc<Account>]) -> SqlResult<()> {
        let before = self.marks.len();
        self.marks.retain(|c, _| channel.is_some_and(|gone| gone != c));
        if self.marks.len() == before { Ok(()) } else { self.save(all) }
    }
}

/// Version 1 was written by servers whose GRANT ALL ON *.* gave no dynamic privileges: who has SUPER gets them, as with
/// an upgrade of MySQL (manual, "Migrating Accounts from SUPER to Dynamic Privileges"). Without SYSTEM_USER anybody who
/// has CREATE USER could change such administrators.
fn upgrade(a: &mut Account) {
    let p = &mut a.privileges;
    if p.global.has(Privs::SUPER) {
        let grantable = p.global.has(Privs::GRANT_OPTION);
        for name in DYNAMIC {
            p.dynamic.entry((*name).to_owned()).or_insert(grantable);
        }
    }
}

fn change_to_json(c: &Change) -> Value {
    match c {
        Change::Set(a) => to_json(a),
        Change::Gone(user, host) => json!({ "gone": [user, host] }),
    }
}

fn change_from_json(v: &Value) -> Option<Change> {
    let Some(gone) = v.get("gone") else { return Some(Change::Set(Arc::new(from_json(v)?))) };
    Some(Change::Gone(gone.get(0)?.as_str()?.to_owned(), gone.get(1)?.as_str()?.to_owned()))
}

fn to_json(a: &Account) -> Value {
    let p = &a.privileges;
    let bits = |x: &Privs| x.names().collect::<Vec<_>>();
    let tables = p.tables.iter().map(|((d, t), x)| {
        let cols: Map<String, Value> = x.columns.iter().map(|(c, p)| (c.clone(), json!(bits(p)))).collect();
        json!({ "db": d, "table": t, "privileges": bits(&x.table), "columns": cols })
    });
    let routines =
        p.routines.iter().map(|((d, n, f), x)| json!({ "db": d, "name": n, "function": f, "privileges": bits(x) }));
    json!({
        "user": a.user, "host": a.host, "plugin": a.plugin.name(), "authentication_string": a.auth_string.0,
        "locked": a.locked, "expired": a.expired, "require": a.require.kind(), "certificate": a.require.attributes(),
        "max_user_connections": a.max_user_connections, "attribute": a.attribute,
        "limits": [a.limits.queries, a.limits.updates, a.limits.connections], "password": policy_to_json(&a.password),
        "global": bits(&p.global), "dynamic": p.dynamic,
        "databases": p.databases.iter().map(|(d, x)| (d.clone(), json!(bits(x)))).collect::<Map<_, _>>(),
        "tables": tables.collect::<Vec<_>>(), "routines": routines.collect::<Vec<_>>(),
        "roles": p.roles.iter().map(|((u, h), admin)| json!([u, h, admin])).collect::<Vec<_>>(),
        "default_roles": p.default_roles.iter().map(|(u, h)| json!([u, h])).collect::<Vec<_>>(),
        "restrictions": p.restrictions.iter().map(|(d, x)| (d.clone(), json!(bits(x)))).collect::<Map<_, _>>(),
        "proxies": p.proxies.iter().map(|((u, h), x)| json!([u, h, x.grantable, x.grantor])).collect::<Vec<_>>(),
    })
}

fn policy_to_json(p: &PasswordPolicy) -> Value {
    json!({
        "changed": p.changed, "lifetime": p.lifetime, "retained": p.retained.0, "history": p.history, "reuse_days": p.reuse_days,
        "require_current": p.require_current, "failed_attempts": p.failed_attempts, "lock_days": p.lock_days,
        "former": p.former.iter().map(|(at, hash)| json!([at, hash.0])).collect::<Vec<_>>(),
    })
}

/// What is missing (a file of an older version) is as for a new account; `None`: damaged.
fn policy_from_json(v: Option<&Value>) -> Option<PasswordPolicy> {
    let Some(v) = v else { return Some(PasswordPolicy::default()) };
    fn number<T: TryFrom<i64>>(v: &Value, key: &str) -> Option<Option<T>> {
        match v.get(key) {
            None | Some(Value::Null) => Some(None),
            Some(n) => T::try_from(n.as_i64()?).ok().map(Some),
        }
    }
    let former = list(v, "former").map(|f| Some((f.get(0)?.as_i64()?, Hidden(f.get(1)?.as_str()?.to_owned()))));
    Some(PasswordPolicy {
        changed: number(v, "changed")?,
        lifetime: number(v, "lifetime")?,
        retained: Hidden(string(v, "retained")?),
        history: number(v, "history")?,
        reuse_days: number(v, "reuse_days")?,
        require_current: v.get("require_current").and_then(Value::as_bool),
        former: former.collect::<Option<Vec<_>>>()?,
        failed_attempts: number(v, "failed_attempts")?.unwrap_or(0),
        lock_days: number(v, "lock_days")?,
    })
}

fn limits_from_json(v: &Value) -> Option<HourlyLimits> {
    let mut numbers = list(v, "limits").map(|n| n.as_u64().and_then(|n| u32::try_from(n).ok()));
    let mut next = || numbers.next().unwrap_or(Some(0));
    Some(HourlyLimits { queries: next()?, updates: next()?, connections: next()? })
}

/// An older version wrote `require_ssl`.
fn requirement(v: &Value) -> Option<TlsRequirement> {
    let Some(kind) = v.get("require") else {
        return Some(if flag(v, "require_ssl") { TlsRequirement::Ssl } else { TlsRequirement::None });
    };
    let mut texts = list(v, "certificate").map(|t| t.as_str().map(str::to_owned));
    let mut next = || texts.next().unwrap_or(Some(String::new()));
    TlsRequirement::from_parts(kind.as_str()?, [next()?, next()?, next()?])
}

fn string(v: &Value, key: &str) -> Option<String> {
    v.get(key)?.as_str().map(str::to_owned)
}

fn flag(v: &Value, key: &str) -> bool {
    v.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn privs(v: &Value) -> Option<Privs> {
    v.as_array()?.iter().try_fold(Privs::NONE, |p, n| Some(p.with(Privs::by_name(n.as_str()?)?)))
}

fn list<'a>(v: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    v.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn map<'a>(v: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    v.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn from_json(v: &Value) -> Option<Account> {
    let mut p = Privileges { global: privs(v.get("global")?)?, ..Privileges::default() };
    for (name, grant) in map(v, "dynamic") {
        p.dynamic.insert(name.clone(), grant.as_bool()?);
    }
    for (db, x) in map(v, "databases") {
        p.databases.insert(db.clone(), privs(x)?);
    }
    for (db, x) in map(v, "restrictions") {
        p.restrictions.insert(db.clone(), privs(x)?);
    }
    for x in list(v, "proxies") {
        let proxy = Proxy { grantable: x.get(2)?.as_bool()?, grantor: x.get(3)?.as_str()?.to_owned() };
        p.proxies.insert((x.get(0)?.as_str()?.to_owned(), x.get(1)?.as_str()?.to_owned()), proxy);
    }
    for t in list(v, "tables") {
        let mut columns = std::collections::BTreeMap::new();
        for (c, x) in map(t, "columns") {
            columns.insert(c.clone(), privs(x)?);
        }
        let table = privs(t.get("privileges")?)?;
        p.tables.insert((string(t, "db")?, string(t, "table")?), TablePrivileges { table, columns });
    }
    for r in list(v, "routines") {
        p.routines.insert((string(r, "db")?, string(r, "name")?, flag(r, "function")), privs(r.get("privileges")?)?);
    }
    for r in list(v, "roles") {
        let name = (r.get(0)?.as_str()?.to_owned(), r.get(1)?.as_str()?.to_owned());
        p.roles.insert(name, r.get(2)?.as_bool()?);
    }
    for r in list(v, "default_roles") {
        p.default_roles.insert((r.get(0)?.as_str()?.to_owned(), r.get(1)?.as_str()?.to_owned()));
    }
    Some(Account {
        user: string(v, "user")?,
        host: string(v, "host")?,
        plugin: AuthPlugin::by_name(v.get("plugin")?.as_str()?)?,
        auth_string: Hidden(string(v, "authentication_string")?),
        locked: flag(v, "locked"),
        expired: flag(v, "expired"),
        require: requirement(v)?,
        max_user_connections: v.get("max_user_connections")?.as_u64()?.try_into().ok()?,
        attribute: string(v, "attribute"),
        limits: limits_from_json(v)?,
        password: policy_from_json(v.get("password"))?,
        privileges: p,
    })
}

#[cfg(test)]
mod tests {
    use super::super::place::{LogPlace, OfRoutine};
    use super::*;

    #[test]
    fn administrators_of_version_1_get_dynamic_privileges_once() {
        let path = std::env::temp_dir().join(format!("evenkeel-accounts-1-{}.json", std::process::id()));
        let (mut boss, small) = (Account::new("boss", "%"), Account::new("small", "%"));
        boss.privileges.global = Privs::ALL.without(Privs::GRANT_OPTION);
        let list: Vec<Value> = [&boss, &small].iter().map(|a| to_json(a)).collect();
        std::fs::write(&path, serde_json::to_vec_pretty(&json!({ "version": 1, "accounts": list })).unwrap()).unwrap();
        let mut s = FileStore::new(&path);
        let mut loaded = s.load().unwrap().unwrap();
        assert_eq!(loaded[0].privileges.dynamic.get("SYSTEM_USER"), Some(&false));
        assert_eq!(loaded[0].privileges.dynamic.len(), DYNAMIC.len());
        assert!(loaded[1].privileges.dynamic.is_empty());
        // what is taken away now stays away
        loaded[0].privileges.dynamic.clear();
        let all: Vec<_> = loaded.iter().cloned().map(Arc::new).collect();
        s.apply(&[Change::Set(all[0].clone())], &all, None).unwrap();
        assert_eq!(FileStore::new(&path).load().unwrap(), Some(loaded));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn file_round_trip() {
        let path = std::env::temp_dir().join(format!("evenkeel-accounts-{}.json", std::process::id()));
        let mut a = Account::new("a'b", "10.%");
        a.privileges = Privileges::all();
        a.privileges.databases.insert("d%".into(), Privs::DB_ALL);
        a.privileges.restrict("mysql", Privs::INSERT);
        let t = TablePrivileges { table: Privs::SELECT, columns: [("c".into(), Privs::UPDATE)].into() };
        a.privileges.tables.insert(("d".into(), "t".into()), t);
        a.privileges.roles.insert(("r".into(), "%".into()), true);
        a.attribute = Some("{}".into());
        a.require = TlsRequirement::from_parts("SPECIFIED", ["s", "", "c"].map(str::to_owned)).unwrap();
        a.limits = HourlyLimits { queries: 1, updates: 2, connections: 3 };
        a.password = PasswordPolicy {
            changed: Some(5),
            lifetime: Some(6),
            retained: Hidden("r".into()),
            history: Some(7),
            reuse_days: Some(8),
            require_current: Some(false),
            former: vec![(9, Hidden("x".into()))],
            failed_attempts: 10,
            lock_days: Some(-1),
        };
        let mut s = FileStore::new(&path);
        assert!(s.load().unwrap().is_none());
        s.save(&[Arc::new(a.clone())]).unwrap();
        assert_eq!(s.load().unwrap(), Some(vec![a]));
        // as an older version wrote it
        let mut old: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let first = old["accounts"][0].as_object_mut().unwrap();
        first.remove("limits");
        first.remove("require");
        first.insert("require_ssl".into(), json!(true));
        first.remove("password");
        std::fs::write(&path, old.to_string()).unwrap();
        assert_eq!(s.load().unwrap().unwrap()[0].password, PasswordPolicy::default());
        assert_eq!(s.load().unwrap().unwrap()[0].require, TlsRequirement::Ssl);
        std::fs::write(&path, b"{").unwrap();
        assert!(s.load().is_err());
        std::fs::remove_file(&path).unwrap();
    }

    fn store(name: &str) -> (FileStore, PathBuf) {
        let path = std::env::temp_dir().join(format!("evenkeel-{name}-{}.json", std::process::id()));
        let _ = std::fs::remove_file(&path);
        (FileStore::new(&path), path)
    }

    fn names(s: &mut FileStore) -> Vec<String> {
        let mut all: Vec<String> = s.load().unwrap().unwrap().into_iter().map(|a| a.user).collect();
        all.sort();
        all
    }

    /// Adds one account as a statement does.
    fn add(s: &mut FileStore, all: &mut Vec<Arc<Account>>, user: &str) -> SqlResult<()> {
        let a = Arc::new(Account::new(user, "%"));
        all.push(a.clone());
        s.apply(&[Change::Set(a)], all, None)
    }

    #[test]
    fn a_mark_goes_with_its_change() {
        let (mut s, path) = store("mark");
        let mark = |channel: &str, text: &str| Mark { channel: channel.to_owned(), text: text.to_owned() };
        let marks =
            |list: &[(&str, &str)]| -> Marks { list.iter().map(|(c, m)| ((*c).to_owned(), (*m).to_owned())).collect() };
        let mut all = Vec::new();
        add(&mut s, &mut all, "a").unwrap();
        assert_eq!(s.marks(), marks(&[]));
        let before = std::fs::read(&path).unwrap();
        all.push(Arc::new(Account::new("b", "%")));
        s.apply(&[Change::Set(all[1].clone())], &all, Some(&mark("", "first"))).unwrap();
        let whole = std::fs::read(&path).unwrap();
        // the change is there with its mark, or neither is
        for cut in before.len()..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut s = FileStore::new(&path);
            assert_eq!((names(&mut s), s.marks()), (vec!["a".to_owned()], marks(&[])), "cut at {cut}");
        }
        std::fs::write(&path, &whole).unwrap();
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s), s.marks()), (vec!["a".to_owned(), "b".to_owned()], marks(&[("", "first")])));
        // changes without one leave it, and so does writing everything
        add(&mut s, &mut all, "c").unwrap();
        s.save(&all).unwrap();
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s).len(), s.marks()), (3, marks(&[("", "first")])));
        // each channel has its own, and loses its own
        for (channel, text) in [("two", "x"), ("", "second"), ("two", "y")] {
            s.apply(&[Change::Set(all[1].clone())], &all, Some(&mark(channel, text))).unwrap();
        }
        for _ in 0..2 {
            let mut s = FileStore::new(&path);
            assert_eq!((names(&mut s).len(), s.marks()), (3, marks(&[("", "second"), ("two", "y")])));
            s.save(&all).unwrap();
        }
        s.forget_marks(Some("two"), &all).unwrap();
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s).len(), s.marks()), (3, marks(&[("", "second")])));
        s.forget_marks(None, &all).unwrap();
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s).len(), s.marks()), (3, marks(&[])));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_last_change_can_be_taken_back() {
        let (mut s, path) = store("place");
        let mut all = Vec::new();
        add(&mut s, &mut all, "a").unwrap();
        let event = |at| Proof::Event(LogPlace { server: "u".into(), file: "bin.000001".into(), at });
        let place = |at: u64| match at % 3 {
            0 => Proof::Routine(OfRoutine {
                schema: "d".into(),
                name: format!("p{at}"),
                function: at.is_multiple_of(2),
                drops: at % 4 < 2,
                id: at,
            }),
            _ => event(at),
        };
        let logged = |s: &mut FileStore, all: &mut Vec<Arc<Account>>, user: &str, at| {
            let before = all.clone();
            all.push(Arc::new(Account::new(user, "%")));
            s.apply_logged(&[Change::Set(all[all.len() - 1].clone())], (&before, all), &place(at)).unwrap();
        };
        logged(&mut s, &mut all, "b", 4);
        logged(&mut s, &mut all, "c", 5);
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s).len(), s.unsure()), (3, Some(place(5))));
        let left: Vec<String> = s.take_back().unwrap().into_iter().map(|a| a.user).collect();
        assert_eq!(left, ["a", "b"]);
        // the one before is as unsure now, but nobody asks: the caller has found that the log ends before it
        let mut s = FileStore::new(&path);
        assert_eq!(names(&mut s), ["a", "b"]);
        all.pop();
        // a change without a place is never taken back, nor is one that RESET has settled
        add(&mut s, &mut all, "d").unwrap();
        assert_eq!(s.unsure(), None);
        logged(&mut s, &mut all, "e", 6);
        s.settle(&all).unwrap();
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s).len(), s.unsure()), (4, None));
        // where the whole is written anew the last change still is a line
        for n in 0..400 {
            logged(&mut s, &mut all, &format!("user{n}"), n);
            assert_eq!(s.unsure(), Some(place(n)));
        }
        let mut s = FileStore::new(&path);
        assert_eq!((names(&mut s).len(), s.unsure()), (404, Some(place(399))));
        assert_eq!(s.take_back().unwrap().len(), 403);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn changes_are_appended_and_found_again() {
        let (mut s, path) = store("journal");
        let mut all = Vec::new();
        add(&mut s, &mut all, "a").unwrap();
        let first = std::fs::read(&path).unwrap();
        add(&mut s, &mut all, "b").unwrap();
        let second = std::fs::read(&path).unwrap();
        assert!(second.starts_with(&first) && second.len() > first.len());
        let gone = [Change::Gone("a".into(), "%".into()), Change::Set(Arc::new(Account::new("c", "%")))];
        s.apply(&gone, &[], None).unwrap();
        let third = std::fs::read(&path).unwrap();
        assert_eq!(names(&mut s), ["b", "c"]);
        // wherever the last line was cut off, or never came: it was not acknowledged
        for cut in second.len()..third.len() {
            std::fs::write(&path, &third[..cut]).unwrap();
            assert_eq!(names(&mut s), ["a", "b"], "cut at {cut}");
            assert_eq!(std::fs::read(&path).unwrap(), second);
            let mut zeros = third[..cut].to_vec();
            zeros.resize(third.len(), 0);
            std::fs::write(&path, &zeros).unwrap();
            assert_eq!(names(&mut s), ["a", "b"], "zeros from {cut}");
        }
        // and what stands behind goes on from there
        let mut all = vec![Arc::new(Account::new("a", "%")), Arc::new(Account::new("b", "%"))];
        add(&mut s, &mut all, "d").unwrap();
        assert_eq!(names(&mut s), ["a", "b", "d"]);
        // a changed bit is no power cut
        for at in [first.len() + 3, second.len() - 3, second.len() + 20] {
            let mut bad = third.clone();
            bad[at] ^= 1;
            std::fs::write(&path, &bad).unwrap();
            assert!(s.load().is_err(), "bit at {at}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn many_changes_become_a_document_again_and_a_lost_file_comes_back() {
        let (mut s, path) = store("compact");
        let mut all = Vec::new();
        let mut longest = 0;
        for i in 0..300 {
            add(&mut s, &mut all, &format!("user{i}")).unwrap();
            longest = longest.max(std::fs::metadata(&path).unwrap().len());
        }
        assert_eq!(names(&mut s).len(), 300);
        s.save(&all).unwrap();
        let document = std::fs::metadata(&path).unwrap().len();
        assert!(longest <= 2 * document + FEW, "{longest} of {document}");
        // somebody took the file away, or put another there: the next change writes everything
        std::fs::remove_file(&path).unwrap();
        add(&mut s, &mut all, "later").unwrap();
        assert_eq!(names(&mut s).len(), 301);
        std::fs::write(&path, b"{}").unwrap();
        add(&mut s, &mut all, "last").unwrap();
        assert_eq!(names(&mut s).len(), 302);
        std::fs::remove_file(&path).unwrap();
    }
}
