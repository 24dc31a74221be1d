//! SET: all items are evaluated and checked first, then stored, so a statement with a bad item changes nothing.

use crate::accounts::passwords::NewPassword;
use crate::kernel::prepared::assigned;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::{Account, Privs, hash_password};
use catalog::client::Capabilities;
use catalog::sysvar::{Kind, Origin, Raw, SetScope, SetValue, Var, VarValue, convert, privileged};
use executor::UserVar;
use parser::ast::{self, ExprKind, SetItem, VarScope};
use std::sync::Arc;
use value::{Charset, CollationId, OwnedValue, SqlMode, SqlType};

/// Variables of MyISAM's named key caches (`hot.key_buffer_size`): there are none here.
const KEY_CACHE: [&str; 4] =
    ["key_buffer_size", "key_cache_block_size", "key_cache_division_limit", "key_cache_age_threshold"];

/// A checked assignment.
enum Change {
    Variable {
        scope: SetScope,
        var: Var,
        raw: Raw,
        shown: String,
    },
    User(Box<str>, UserVar),
    /// Computed variables: state of the session.
    Timestamp(Option<i64>),
    LastInsertId(u64),
    InsertId(u64),
    RandSeed(bool, u32),
    PseudoThread(u64),
    Ignored,
}

/// A value as variables take it.
fn given(value: &VarValue) -> SetValue<'_> {
    match value {
        VarValue::Null => SetValue::Null,
        VarValue::Bool(b) => SetValue::Int(i64::from(*b)),
        VarValue::Int(v) => SetValue::Int(*v),
        VarValue::UInt(v) => SetValue::UInt(*v),
        VarValue::Double(v) => SetValue::Double(*v),
        VarValue::Str(s) => SetValue::Text(s),
    }
}

impl Session {
    /// SET.
    pub(crate) fn set(&mut self, sql: &[u8], items: &[SetItem<'_>]) -> SqlResult<()> {
        let mut changes = Vec::with_capacity(items.len());
        // a program's items are statements of their own
        if items.len() > 1 && !self.running.calls && !self.txn.lent {
            let list: Vec<ast::Expr<'_>> = items.iter().filter_map(assigned).collect();
            // what is wrong is said when its item's turn comes
            self.env.statement.beside = self.tables_beside(sql, &list).unwrap_or_default();
        }
        let checked = items.iter().try_for_each(|item| self.check_item(sql, item, &mut changes));
        self.env.statement.beside.clear();
        checked?;
        let system = changes.iter().any(|c| matches!(c, Change::Variable { .. }));
        for c in changes {
            self.apply(c)?;
        }
        self.statement_succeeded()?;
        if system {
            self.apply_settings();
        }
        Ok(())
    }

    fn check_item(&mut self, sql: &[u8], item: &SetItem<'_>, out: &mut Vec<Change>) -> SqlResult<()> {
        match item {
            // the interpreter of programs sets them
            SetItem::Local { .. } => Err(SqlError::unsupported("a program's variable outside of a program")),
            SetItem::UserVar { name, value } => {
                if name.is_empty() || name.ends_with(' ') || name.chars().count() > 64 {
                    return Err(SqlError::new(ErrorCode::ILLEGAL_USER_VAR, &[&name]));
                }
                let (value, ty) = self.one_value(sql, value)?;
                out.push(Change::User(name.to_lowercase().into(), UserVar::new(value, ty)));
                base::memory::check()?;
                Ok(())
            }
            SetItem::Var { scope, name, value } => {
                if let Some(base) = name.base {
                    if KEY_CACHE.iter().any(|v| name.name.eq_ignore_ascii_case(v)) {
                        return Err(SqlError::unsupported("key caches"));
                    }
                    let whole = format!("{base}.{}", name.name);
                    return Err(SqlError::new(ErrorCode::UNKNOWN_SYSTEM_VARIABLE, &[&whole]));
                }
                self.check_variable(sql, *scope, name.name, value, out)
            }
            SetItem::Names { charset, collation } => self.check_names(*charset, *collation, out),
            SetItem::CharacterSet(charset) => {
                let client = match charset {
                    Some(c) => named_charset(c)?.default_collation().0,
                    None => self.env.shared.globals.num(Var::character_set_client) as u16,
                };
                let database = self.env.vars.num(Var::collation_database) as u16;
                for (v, id) in [
                    (Var::character_set_client, client),
                    (Var::character_set_results, client),
                    (Var::collation_connection, database),
                ] {
                    out.push(session_number(v, u64::from(id)));
                }
                Ok(())
            }
            SetItem::Password { user, password, replace, retain_current } => {
                let how = (replace.map(|r| r.0), *retain_current);
                let Some(password) = password else {
                    let password = self.random_password()?;
                    let (user, host) = self.set_password(user.as_ref(), password.as_bytes(), how)?;
                    self.running.made_passwords.push(crate::kernel::identity::Generated {
                        user,
                        host,
                        password: parser::secrets::Hidden(password),
                    });
                    return Ok(());
                };
                self.set_password(user.as_ref(), password, how).map(|_| ())
            }
        }
    }

    fn one_value(&mut self, sql: &[u8], e: &ast::Expr<'_>) -> SqlResult<(OwnedValue, SqlType)> {
        let mut all = self.scalars(sql, std::slice::from_ref(e))?;
        all.pop().ok_or_else(|| SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"SET"]))
    }

    /// The privileges that the variable asks for: 1227, 3630.
    fn may_set_variable(&self, scope: SetScope, var: Var) -> SqlResult<()> {
        if scope != SetScope::Session {
            self.may_set_global(scope == SetScope::PersistOnly)?;
            if let Some(name) = privileged::global(var) {
                self.require_dynamic(name, &format!("SUPER or {name}"))?;
            }
            if var == Var::mandatory_roles {
                self.may_set_mandatory()?;
            }
            Ok(())
        } else {
            self.may_set_session(var)
        }
    }

    /// 1227 unless the account may set the session's value of a variable.
    pub(crate) fn may_set_session(&self, var: Var) -> SqlResult<()> {
        let Some(needed) = privileged::session(var) else { return Ok(()) };
        let p = &self.env.security.account.privileges;
        let named = needed.any.iter().any(|n| p.holds_dynamic(n));
        match named || needed.or_super && p.has_global(Privs::SUPER) {
            true => Ok(()),
            false => Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&needed.shown])),
        }
    }

    /// What a value may not be, before it is converted to the variable's type.
    fn check_value(&mut self, scope: SetScope, var: Var, value: &VarValue) -> SqlResult<()> {
        if var == Var::mandatory_roles
            && let VarValue::Str(list) = value
            && catalog::accounts::roles::parse_list(list).is_none()
        {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&var.name(), list]));
        }
        if var == Var::mandatory_roles
            && let VarValue::Str(list) = value
        {
            self.may_be_mandatory(list)?;
        }
        // what a full-text index consists of cannot be shown (1235); of what has none MySQL says 1231
        if var == Var::innodb_ft_aux_table
            && scope != SetScope::Session
            && let VarValue::Str(table) = value
            && !crate::variables::refused::has_fulltext(&self.env, table)
        {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&var.name(), table]));
        }
        if self.txn.lent && scope == SetScope::Session {
            let log = match var {
                Var::sql_log_bin => Some(ErrorCode::STORED_FUNCTION_PREVENTS_SWITCH_SQL_LOG_BIN),
                Var::binlog_format => Some(ErrorCode::STORED_FUNCTION_PREVENTS_SWITCH_BINLOG_FORMAT),
                _ => None,
            };
            if let Some(code) = log {
                return Err(SqlError::new(code, &[]));
            }
        }
        if var == Var::sql_log_bin && self.in_transaction() {
            return Err(SqlError::new(ErrorCode::CANT_MODIFY_SQL_LOG_BIN, &[]));
        }
        Ok(())
    }

    /// SET var = DEFAULT: the global value, or for that the one that the server has without options. `name`: as it was
    /// written.
    fn change_to_default(&mut self, scope: SetScope, var: Var, name: &str) -> SqlResult<Change> {
        var.check_session(scope)?;
        if var.has_no_default() {
            return Err(SqlError::new(ErrorCode::NO_DEFAULT, &[&name]));
        }
        let globals = &self.env.shared.globals;
        let raw = if scope == SetScope::Session {
            globals.raw(var)
        } else {
            globals.default_of(var).map_err(|_| SqlError::new(ErrorCode::NO_DEFAULT, &[&name]))?
        };
        if self.is_computed(var) {
            return self.computed(var, None);
        }
        crate::variables::metrics::warn_no_default(&mut self.env, var);
        Ok(Change::Variable { scope, var, shown: String::new(), raw })
    }

    fn check_variable(
        &mut self,
        sql: &[u8],
        scope: VarScope,
        name: &str,
        value: &ast::SetValue<'_>,
        out: &mut Vec<Change>,
    ) -> SqlResult<()> {
        let named = Var::find(&name.to_ascii_lowercase().replace('-', "_"))?;
        let var = catalog::sysvar::deprecated::newer(named);
        let scope = match scope {
            VarScope::Default | VarScope::Session => SetScope::Session,
            VarScope::Global => SetScope::Global,
            VarScope::Persist => SetScope::Persist,
            VarScope::PersistOnly => SetScope::PersistOnly,
        };
        named.check_scope(scope)?;
        if scope == SetScope::PersistOnly {
            catalog::sysvar::persist::check(var)?;
        }
        self.may_set_variable(scope, var)?;
        self.may_set_gtids(var, scope == SetScope::Session)?;
        if var == Var::binlog_format && scope == SetScope::Session {
            self.may_set_format()?;
        }
        if matches!(scope, SetScope::Persist | SetScope::PersistOnly) {
            catalog::sysvar::persist::check(var)?;
        }
        let value = match value {
            ast::SetValue::Default => {
                self.warn_deprecated(named, false);
                self.check_with_replica(scope, var, None)?;
                out.push(self.change_to_default(scope, var, name)?);
                return Ok(());
            }
            ast::SetValue::Expr(e) => self.bare_or_value(sql, e)?,
        };
        self.check_value(scope, var, &value)?;
        if self.is_computed(var) {
            out.push(self.computed(var, Some(&value))?);
            return Ok(());
        }
        let current =
            if scope == SetScope::Session { self.env.vars.raw(var) } else { self.env.shared.globals.raw(var) };
        let checked = convert(named, given(&value), &current, self.env.vars.sql_mode())?;
        var.check_session(scope)?;
        self.warn_deprecated(named, checked.raw == Raw::Num(0));
        if let Some(w) = checked.warning {
            self.env.conv.push(value::Level::Warning, w);
        }
        crate::variables::refused::check(&mut self.env, var, &checked.raw, &value.show())?;
        self.check_with_replica(scope, var, Some(&checked.raw))?;
        self.remark_setting(var, &value, &checked.raw);
        if var == Var::time_zone
            && let Raw::Text(Some(tz)) = &checked.raw
        {
            value::TimeZone::by_name(tz)?;
        }
        if matches!(var, Var::innodb_ft_user_stopword_table | Var::innodb_ft_server_stopword_table)
            && let Raw::Text(Some(table)) = &checked.raw
            && (executor::ddl::fulltext::stopword_table(&self.env.shared.engine, table).is_none()
                || !crate::variables::refused::may_read(&self.env, table))
        {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&var.name(), table]));
        }
        let raw = crate::variables::refused::fit_couple(&mut self.env, var, checked.raw);
        out.push(Change::Variable { scope, var, raw, shown: value.show() });
        Ok(())
    }

    fn warn_deprecated(&mut self, var: Var, off: bool) {
        if let Some(w) = catalog::sysvar::deprecated::set_deprecation(var.name(), off) {
            self.env.conv.push(value::Level::Warning, w);
        }
    }

    /// Warnings about settings that are deprecated.
    fn remark_setting(&mut self, var: Var, value: &VarValue, raw: &Raw) {
        let name = match value {
            VarValue::Str(s) => s.to_ascii_lowercase(),
            _ => String::new(),
        };
        if var == Var::binlog_row_value_options && *raw != Raw::Num(0) {
            return self.remark_partial_json();
        }
        let conv = &mut self.env.conv;
        let remark = match var {
            Var::sql_mode => {
                let Raw::Num(mode) = raw else { return };
                let mode = SqlMode(*mode);
                let merged = [SqlMode::NO_ZERO_DATE, SqlMode::NO_ZERO_IN_DATE, SqlMode::ERROR_FOR_DIVISION_BY_ZERO];
                let strict = mode.has(SqlMode::STRICT_TRANS_TABLES) || mode.has(SqlMode::STRICT_ALL_TABLES);
                if merged.iter().any(|m| mode.has(*m) != strict) {
                    conv.warn(ErrorCode::SQL_MODE_MERGED, &[]);
                }
                if mode.has(SqlMode::PAD_CHAR_TO_FULL_LENGTH) {
                    conv.warn(ErrorCode::WARN_DEPRECATED_SQLMODE, &[&"PAD_CHAR_TO_FULL_LENGTH"]);
                }
                None
            }
            Var::character_set_client
            | Var::character_set_connection
            | Var::character_set_results
            | Var::character_set_server
            | Var::character_set_filesystem => parser::charset_remark(&name),
            Var::collation_connection | Var::collation_server => parser::collation_remark(&name),
            Var::character_set_database | Var::collation_database => {
                let text =
                    format!("Updating '{}' is deprecated. It will be made read-only in a future release.", var.name());
                Some((ErrorCode::WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, text))
            }
            _ => None,
        };
        if let Some((code, text)) = remark {
            conv.push(value::Level::Warning, SqlError::with_message(code, text));
        }
    }

    /// 3647: images before have whole values.
    fn remark_partial_json(&mut self) {
        let image = self.env.vars.get(Var::binlog_row_image, &self.env.shared.globals).show();
        if image == "FULL" {
            let code = ErrorCode::WARN_BINLOG_PARTIAL_UPDATES_SUGGESTS_PARTIAL_IMAGES;
            self.env.conv.warn(code, &[&format!("binlog_row_image={image}"), &"PARTIAL_JSON"]);
        }
    }

    /// `SET x = word` means the word, `SET x = expr` its value.
    fn bare_or_value(&mut self, sql: &[u8], e: &ast::Expr<'_>) -> SqlResult<VarValue> {
        if let ExprKind::Column(c) = e.kind
            && c.table.is_none()
            && c.schema.is_none()
        {
            return Ok(VarValue::Str(Arc::from(c.column)));
        }
        let (v, ty) = self.one_value(sql, e)?;
        Ok(match v {
            OwnedValue::Null => VarValue::Null,
            OwnedValue::Int(v) => VarValue::Int(v),
            OwnedValue::UInt(v) => VarValue::UInt(v),
            OwnedValue::Double(v) => VarValue::Double(v),
            OwnedValue::Decimal(d) => VarValue::Double(d.to_f64()),
            // variables hold UTF-8
            OwnedValue::Str(b) => VarValue::Str(match ty.charset() {
                cs if !ty.is_character() || cs.takes_utf8() => String::from_utf8_lossy(&b).into(),
                _ => String::from_utf8_lossy(&planner::decode_name(ty.collation.0, &b)).into(),
            }),
            _ => return Err(SqlError::new(ErrorCode::WRONG_TYPE_FOR_VAR, &[&"temporal value"])),
        })
    }

    fn is_computed(&self, var: Var) -> bool {
        var.def().flags.has(catalog::sysvar::Flags::COMPUTED)
    }

    fn computed(&self, var: Var, value: Option<&VarValue>) -> SqlResult<Change> {
        let number = match value {
            None => 0.0,
            Some(VarValue::Int(v)) => *v as f64,
            Some(VarValue::UInt(v)) => *v as f64,
            Some(VarValue::Double(v)) => *v,
            Some(_) => return Err(SqlError::new(ErrorCode::WRONG_TYPE_FOR_VAR, &[&var.name()])),
        };
        Ok(match var {
            Var::timestamp if number == 0.0 => Change::Timestamp(None),
            Var::timestamp => Change::Timestamp(Some((number * 1e6).round() as i64)),
            Var::last_insert_id | Var::identity => Change::LastInsertId(number as u64),
            Var::insert_id => Change::InsertId(number as u64),
            Var::rand_seed1 => Change::RandSeed(true, number as u32),
            Var::rand_seed2 => Change::RandSeed(false, number as u32),
            Var::pseudo_thread_id => Change::PseudoThread(number as u64),
            _ => Change::Ignored,
        })
    }

    fn check_names(&mut self, charset: Option<&str>, collation: Option<&str>, out: &mut Vec<Change>) -> SqlResult<()> {
        let cs = match charset {
            Some(c) => named_charset(c)?,
            None => CollationId(self.env.shared.globals.num(Var::character_set_client) as u16).charset(),
        };
        let connection = match collation {
            Some(name) => {
                let c = value::collation::by_name(name)
                    .ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&name]))?;
                if c.charset != cs {
                    return Err(SqlError::new(ErrorCode::COLLATION_CHARSET_MISMATCH, &[&c.name, &cs.name()]));
                }
                c.id
            }
            None => cs.default_collation(),
        };
        // all three keep the collation: it is what column definitions of results name
        for v in [Var::character_set_client, Var::character_set_results, Var::collation_connection] {
            out.push(session_number(v, u64::from(connection.0)));
        }
        Ok(())
    }

    /// The session's own value.
    fn apply_session(&mut self, var: Var, raw: Raw, shown: String) -> SqlResult<()> {
        // SET autocommit = 1 commits what is open
        if var == Var::autocommit && raw == Raw::Num(1) && !self.autocommit() {
            self.commit_transaction()?;
        }
        if var == Var::resultset_metadata
            && raw == Raw::Num(0)
            && !self.client.capabilities.has(Capabilities::OPTIONAL_RESULTSET_METADATA)
        {
            return Err(SqlError::new(ErrorCode::CLIENT_DOES_NOT_SUPPORT, &[&"optional metadata transfer"]));
        }
        if var == Var::max_join_size {
            // another value than the default arms the check
            self.env.vars.store(Var::sql_big_selects, Raw::Num(u64::from(raw == Raw::Num(u64::MAX))));
        }
        // the tracker reports switches as ON and OFF whatever they were set with
        let shown = match (var.def().kind, &raw) {
            (Kind::Bool, Raw::Num(n)) => if *n == 0 { "OFF" } else { "ON" }.to_owned(),
            _ => shown,
        };
        if let (Var::collation_connection, Raw::Num(id)) = (var, &raw) {
            // the two are one setting here; clients watch the character set
            let name = CollationId(*id as u16).charset().name();
            self.track_variable("character_set_connection", name);
        }
        self.env.vars.store(var, raw);
        if matches!(var, Var::optimizer_trace_offset | Var::optimizer_trace_limit) {
            self.env.traces.reset();
        }
        self.track_variable(var.name(), &shown);
        Ok(())
    }

    /// Everybody's value, kept for later starts too with `persist`.
    fn apply_global(&mut self, persist: bool, var: Var, raw: Raw) -> SqlResult<()> {
        if let (Var::partial_revokes, Raw::Num(n)) = (var, &raw) {
            if *n == 0 && self.server.accounts.table().any_restricted() {
                return Err(SqlError::new(ErrorCode::PARTIAL_REVOKES_EXIST, &[]));
            }
            catalog::accounts::set_exact_names(*n != 0);
        }
        if persist {
            self.persist(var, &raw)?;
        }
        if let Raw::Num(n) = raw {
            self.apply_to_binary_log(var, n)?;
            crate::variables::engine::apply(&self.server.engine, &self.env.shared.globals, var, n)?;
            if var == Var::max_write_lock_count {
                self.server.mdl.set_write_limit(n);
            }
        }
        match (var, &raw) {
            (Var::super_read_only, Raw::Num(1)) => self.env.shared.globals.store(Var::read_only, Raw::Num(1)),
            (Var::read_only, Raw::Num(0)) => self.env.shared.globals.store(Var::super_read_only, Raw::Num(0)),
            _ => {}
        }
        let raw = crate::variables::metrics::apply(&mut self.env, var, raw);
        let raw = self.server.pool_list_request(var, raw);
        self.env.shared.globals.store(var, raw);
        if var == Var::event_scheduler {
            self.server.switch_events();
        }
        if var.name().starts_with("rpl_semi_sync_source_") {
            self.apply_semi_sync();
        }
        self.server.computing.forget();
        let num = |v| self.env.shared.globals.num(v);
        if matches!(var, Var::max_allowed_packet | Var::net_buffer_length)
            && num(Var::max_allowed_packet) < num(Var::net_buffer_length)
        {
            let names = (Var::max_allowed_packet.name(), Var::net_buffer_length.name());
            let e = SqlError::new(ErrorCode::WARN_OPTION_BELOW_LIMIT, &[&names.0, &names.1]);
            self.env.conv.push(value::Level::Warning, e);
        }
        let (user, host) = self.env.security.user.clone();
        let time_us = sys::clock::wall_micros();
        self.env.shared.globals.note(var, Origin { source: "DYNAMIC", path: String::new(), time_us, user, host });
        Ok(())
    }

    fn apply(&mut self, c: Change) -> SqlResult<()> {
        match c {
            Change::Variable { scope: SetScope::Session, var, raw, shown } => {
                self.apply_session(var, raw, shown)?;
                if var == Var::gtid_next {
                    self.apply_gtid_next()?;
                }
            }
            Change::Variable { scope: SetScope::Global, var: Var::gtid_purged, raw, .. } => self.add_purged(&raw)?,
            Change::Variable { scope: SetScope::PersistOnly, var, raw, .. } => self.persist(var, &raw)?,
            Change::Variable { scope, var, raw, .. } => {
                if var != Var::gtid_mode {
                    return self.apply_global(scope == SetScope::Persist, var, raw);
                }
                let before = self.env.shared.globals.num(var);
                self.lock_out_commits()?;
                self.apply_global(scope == SetScope::Persist, var, raw)?;
                if self.env.shared.globals.num(var) != before {
                    self.begin_next_log_file()?;
                }
            }
            Change::User(name, v) => {
                self.env.user_vars.insert(name, v);
                self.track_state();
            }
            Change::Timestamp(t) => self.env.clock.fixed_us = t,
            Change::LastInsertId(n) => self.env.insert_ids.next = n,
            Change::InsertId(n) => self.env.insert_ids.wanted = n,
            Change::PseudoThread(n) => {
                self.env.vars.store(Var::pseudo_thread_id, Raw::Num(n));
                self.env.own_temporary_tables();
            }
            Change::RandSeed(true, n) => self.env.rand.seeds.0 = n,
            Change::RandSeed(false, n) => self.env.rand.seeds.1 = n,
            Change::Ignored => {}
        }
        Ok(())
    }

    fn persist(&self, var: Var, raw: &Raw) -> SqlResult<()> {
        let (user, host) = &self.env.security.user;
        self.env.shared.globals.persisted.put(var, raw, user, host, self.env.clock.now_us.max(0) as u64)
    }

    /// RESET PERSIST: 3615 for a variable that is not there, a warning with IF EXISTS.
    pub(crate) fn reset_persist(&mut self, if_exists: bool, name: Option<&str>) -> SqlResult<()> {
        self.may_set_global(false)?;
        let name = name.map(str::to_ascii_lowercase);
        if !self.env.shared.globals.persisted.forget(name.as_deref())?
            && let Some(n) = &name
        {
            let missing = SqlError::new(ErrorCode::VAR_DOES_NOT_EXIST, &[n]);
            if !if_exists {
                return Err(missing);
            }
            self.env.conv.push(value::Level::Warning, missing);
        }
        self.statement_succeeded()
    }

    /// SET PASSWORD; `how`: REPLACE 'current', and RETAIN CURRENT PASSWORD.
    fn set_password(
        &mut self,
        user: Option<&ast::Account<'_>>,
        plain: &[u8],
        how: (Option<&[u8]>, bool),
    ) -> SqlResult<(String, String)> {
        self.check_read_only()?;
        self.check_grants_count()?;
        let (user, host) = match user {
            Some(a) => self.account_name(a),
            None => (self.env.security.account.user.clone(), self.env.security.account.host.clone()),
        };
        let own = user == self.env.security.account.user && host == self.env.security.account.host;
        if !own {
            self.may(&crate::accounts::rules::Act::SetPassword(&(user.clone(), host.clone())))?;
        } else if how.1 {
            self.may_keep_two_passwords()?;
        }
        if self.server.accounts.get(&user, &host).is_none() {
            return Err(SqlError::new(ErrorCode::PASSWORD_NO_MATCH, &[]));
        }
        // it may stand in a transaction, whose own locks stay
        let before = self.env.mdl.savepoint();
        self.lock_accounts().inspect_err(|_| self.env.mdl.rollback_to(before))?;
        let rounds = self.env.shared.globals.num(Var::caching_sha2_password_digest_rounds) as u32;
        let place = self.log_place()?;
        let this = &*self;
        let change = |a: &mut Account| {
            this.check_replaced(a, own, how.0)?;
            let auth_string = hash_password(a.plugin, plain, rounds)?;
            this.set_new_password(a, NewPassword { plugin: a.plugin, auth_string, plain: Some(plain), retain: how.1 })
        };
        let done = catalog::accounts::place::within(place, || {
            this.server.accounts.update("SET PASSWORD", &user, &host, change)
        });
        if done.is_ok() {
            self.identity.sandbox &= !own;
            self.log_password(&user, &host, how.1);
        }
        let logged = self.end_logged(done.is_ok());
        self.env.mdl.rollback_to(before);
        done.and(logged)?;
        Ok((user, host))
    }
}

fn named_charset(name: &str) -> SqlResult<Charset> {
    let c = Charset::by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&name]))?;
    if c.is_wide() {
        return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&"character_set_client", &c.name()]));
    }
    Ok(c)
}

fn session_number(var: Var, n: u64) -> Change {
    Change::Variable {
        scope: SetScope::Session,
        var,
        raw: Raw::Num(n),
        shown: CollationId(n as u16).charset().name().into(),
    }
}
