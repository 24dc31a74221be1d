//! Where accounts are kept between starts.
//!
//! [`FileStore`] writes `accounts.json` in the data directory by temporary file, sync and rename: a crash leaves the old or the new
//! contents. A store in the engine's dictionary implements the same trait.

use super::{
    Account, AuthPlugin, HourlyLimits, PasswordPolicy, Privileges, Privs, Proxy, TablePrivileges, TlsRequirement,
};
use base::{ErrorCode, SqlError, SqlResult};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Persistence of accounts.
pub trait AccountStore: Send {
    /// All accounts; `None` where nothing was ever stored.
    fn load(&mut self) -> SqlResult<Option<Vec<Account>>>;
    /// Makes these the accounts, durably, all or nothing.
    fn save(&mut self, accounts: &[Account]) -> SqlResult<()>;
}

/// For tests: forgets at the end.
#[derive(Default)]
pub struct MemoryStore(Option<Vec<Account>>);

impl AccountStore for MemoryStore {
    fn load(&mut self) -> SqlResult<Option<Vec<Account>>> {
        Ok(self.0.clone())
    }
    fn save(&mut self, accounts: &[Account]) -> SqlResult<()> {
        self.0 = Some(accounts.to_vec());
        Ok(())
    }
}

/// A JSON file.
pub struct FileStore(PathBuf);

impl FileStore {
    /// A store in this file, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> FileStore {
        FileStore(path.into())
    }
    fn error(&self, what: &str, e: &dyn std::fmt::Display) -> SqlError {
        SqlError::with_message(ErrorCode::UNKNOWN_ERROR, format!("{what} '{}': {e}", self.0.display()))
    }
}

impl AccountStore for FileStore {
    fn load(&mut self) -> SqlResult<Option<Vec<Account>>> {
        let text = match std::fs::read(&self.0) {
            Ok(t) => t,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(self.error("cannot read", &e)),
        };
        let root: Value = serde_json::from_slice(&text).map_err(|e| self.error("damaged account file", &e))?;
        let list = root.get("accounts").and_then(Value::as_array);
        let list = list.ok_or_else(|| self.error("damaged account file", &"no list of accounts"))?;
        let account = |(i, v)| {
            from_json(v).ok_or_else(|| self.error("damaged account file", &format!("account {i} of the list")))
        };
        list.iter().enumerate().map(account).collect::<SqlResult<_>>().map(Some)
    }

    fn save(&mut self, accounts: &[Account]) -> SqlResult<()> {
        let list: Vec<Value> = accounts.iter().map(to_json).collect();
        let text = serde_json::to_vec_pretty(&json!({ "version": 1, "accounts": list }));
        let text = text.map_err(|e| self.error("cannot write", &e))?;
        sys::file::Dir::write_atomic(&self.0, &text).map_err(|e| self.error("cannot write", &e))
    }
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
        "user": a.user, "host": a.host, "plugin": a.plugin.name(), "authentication_string": a.auth_string,
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
        "changed": p.changed, "lifetime": p.lifetime, "retained": p.retained, "history": p.history, "reuse_days": p.reuse_days,
        "require_current": p.require_current, "failed_attempts": p.failed_attempts, "lock_days": p.lock_days, "former": p.former,
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
    let former = list(v, "former").map(|f| Some((f.get(0)?.as_i64()?, f.get(1)?.as_str()?.to_owned())));
    Some(PasswordPolicy {
        changed: number(v, "changed")?,
        lifetime: number(v, "lifetime")?,
        retained: string(v, "retained")?,
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
        auth_string: string(v, "authentication_string")?,
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
    use super::*;

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
            retained: "r".into(),
            history: Some(7),
            reuse_days: Some(8),
            require_current: Some(false),
            former: vec![(9, "x".into())],
            failed_attempts: 10,
            lock_days: Some(-1),
        };
        let mut s = FileStore::new(&path);
        assert!(s.load().unwrap().is_none());
        s.save(std::slice::from_ref(&a)).unwrap();
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
}
