//! Checks and converts what SET, an option file or the command line asks for.
//!
//! Errors as MySQL's: 1193 unknown variable, 1238 read only, 1228/1229 wrong scope, 1231 wrong value, 1232 wrong type, 1235 for what
//! Evenkeel cannot do. Numbers out of range are clamped with warning 1292 (an error 1231 under STRICT_ALL_TABLES).

use super::def::{Def, Flags, Kind, Scope};
use super::deprecated::newer_name;
use super::table::Var;
use super::values::Raw;
use base::{ErrorCode, SqlError, SqlResult};
use value::{Charset, SqlMode};

/// Whose value SET changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetScope {
    /// SET x, SET SESSION x, SET LOCAL x.
    Session,
    /// SET GLOBAL x.
    Global,
    /// SET PERSIST x.
    Persist,
    /// SET PERSIST_ONLY x.
    PersistOnly,
}

/// The right side of SET, evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SetValue<'a> {
    /// NULL.
    Null,
    /// Signed integer.
    Int(i64),
    /// Unsigned integer.
    UInt(u64),
    /// DECIMAL or floating point.
    Double(f64),
    /// Text, or a bare word such as `ON`.
    Text(&'a str),
}

impl SetValue<'_> {
    fn show(&self) -> String {
        match self {
            SetValue::Null => "NULL".to_owned(),
            SetValue::Int(v) => v.to_string(),
            SetValue::UInt(v) => v.to_string(),
            SetValue::Double(v) => {
                let mut out = Vec::new();
                value::number::format_f64(*v, &mut out);
                String::from_utf8_lossy(&out).into_owned()
            }
            SetValue::Text(s) => (*s).to_owned(),
        }
    }
}

/// A converted value.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// What to store.
    pub raw: Raw,
    /// The text of warning 1292 if the value had to be adjusted.
    pub warning: Option<SqlError>,
}

impl Var {
    /// The variable with this name; underscores only, any case. Error 1193.
    pub fn find(name: &str) -> SqlResult<Var> {
        Var::by_name(name).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_SYSTEM_VARIABLE, &[&name]))
    }

    /// Whether SET may change the variable in this scope: 1238, 1228, 1229.
    pub fn check_scope(self, scope: SetScope) -> SqlResult<()> {
        let d = self.def();
        if !d.is_dynamic() && scope != SetScope::PersistOnly {
            return Err(SqlError::new(ErrorCode::INCORRECT_GLOBAL_LOCAL_VAR, &[&d.name, &"read only"]));
        }
        match (scope, d.scope) {
            (SetScope::Session, Scope::Global) => Err(SqlError::new(ErrorCode::GLOBAL_VARIABLE, &[&d.name])),
            (SetScope::Session, _) => Ok(()),
            (_, Scope::Session) => Err(SqlError::new(ErrorCode::LOCAL_VARIABLE, &[&d.name])),
            _ => Ok(()),
        }
    }

    /// Whether SET may change a value of the right type in this scope: 1621.
    pub fn check_session(self, scope: SetScope) -> SqlResult<()> {
        let d = self.def();
        if scope == SetScope::Session && d.flags.has(Flags::SESSION_READ_ONLY) {
            return Err(SqlError::new(ErrorCode::VARIABLE_IS_READONLY, &[&"SESSION", &d.name, &"GLOBAL"]));
        }
        Ok(())
    }

    /// Whether `@@GLOBAL.x` / `@@SESSION.x` may be read: 1238.
    pub fn check_read(self, global: bool) -> SqlResult<()> {
        let d = self.def();
        match (global, d.scope) {
            (true, Scope::Session) => Err(SqlError::new(ErrorCode::INCORRECT_GLOBAL_LOCAL_VAR, &[&d.name, &"SESSION"])),
            (false, Scope::Global) => Err(SqlError::new(ErrorCode::INCORRECT_GLOBAL_LOCAL_VAR, &[&d.name, &"GLOBAL"])),
            _ => Ok(()),
        }
    }
}

impl Var {
    /// Whether `SET x = DEFAULT` means nothing: what belongs to the next statement, and a fact.
    pub fn has_no_default(self) -> bool {
        use Var as V;
        matches!(self, V::identity | V::insert_id | V::last_insert_id | V::rand_seed1 | V::rand_seed2 | V::gtid_purged)
    }
}

/// The compiled-in default.
pub fn default_of(d: &Def) -> Raw {
    from_option(d, d.default).unwrap_or(if d.kind.is_text() { Raw::Text(None) } else { Raw::Num(0) })
}

/// Converts the right side of SET for `var`. `current` is the value now, which is all a `FIXED` variable accepts and the base for
/// `optimizer_switch='x=off'`.
pub fn convert(var: Var, value: SetValue<'_>, current: &Raw, sql_mode: SqlMode) -> SqlResult<Checked> {
    let d = var.def();
    let mut checked = convert_kind(d, value, current, sql_mode)?;
    if var == Var::sql_mode
        && let Raw::Num(n) = checked.raw
    {
        checked.raw = Raw::Num(expand_sql_mode(n));
    }
    if var == Var::lc_time_names
        && let Raw::Text(Some(name)) = &checked.raw
    {
        let known = value::temporal::locale::Locale::by_name(name);
        known.ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_LOCALE, &[name]))?;
    }
    if var == Var::lc_messages
        && let Raw::Text(Some(name)) = &checked.raw
    {
        let known = value::temporal::locale::Locale::by_name(name);
        known.ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_LOCALE, &[name]))?;
        // there are messages in English only: said once, by the statement that asks for others
        if checked.raw != *current && !name.get(..3).is_some_and(|p| p.eq_ignore_ascii_case("en_")) {
            let text = format!("Messages are in English only: lc_messages = {name} changes none (docs/compat.md)");
            checked.warning = Some(SqlError::with_message(ErrorCode::NOT_SUPPORTED_YET, text));
        }
    }
    if var == Var::gtid_purged
        && let Raw::Text(Some(set)) = &checked.raw
        && !super::gtid::is_set(set.strip_prefix('+').unwrap_or(set))
    {
        return Err(wrong_value(d, set));
    }
    if var == Var::time_zone
        && let Raw::Text(Some(z)) = &checked.raw
    {
        value::TimeZone::by_name(z)?;
    }
    if d.flags.has(Flags::FIXED) && checked.raw != *current {
        return Err(SqlError::unsupported(format_args!("{} = {}", d.name, value.show())));
    }
    Ok(checked)
}

fn wrong_value(d: &Def, v: &dyn std::fmt::Display) -> SqlError {
    SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&d.name, v])
}

/// A part of a list that is none: MySQL names the variable by its newer name then.
fn wrong_part(d: &Def, part: &str) -> SqlError {
    SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&newer_name(d.name), &part])
}

fn convert_kind(d: &Def, value: SetValue<'_>, current: &Raw, sql_mode: SqlMode) -> SqlResult<Checked> {
    let wrong_type = || SqlError::new(ErrorCode::WRONG_TYPE_FOR_VAR, &[&d.name]);
    let wrong = || wrong_value(d, &value.show());
    let plain = |n: u64| Ok(Checked { raw: Raw::Num(n), warning: None });
    let is_engine = d.name.starts_with("default_") && d.name.ends_with("_storage_engine");
    match d.kind {
        Kind::Bool => match value {
            SetValue::Int(0) | SetValue::UInt(0) => plain(0),
            SetValue::Int(1) | SetValue::UInt(1) => plain(1),
            SetValue::Text(s) => plain(u64::from(bool_word(s).ok_or_else(wrong)?)),
            SetValue::Double(_) => Err(wrong_type()),
            _ => Err(wrong()),
        },
        Kind::UInt(..) | Kind::Int(..) | Kind::Double(..) => convert_number(d, value, sql_mode),
        Kind::Enum(names) => match value {
            SetValue::Text(s) if is_engine => {
                plain(index_of(names, s).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_STORAGE_ENGINE, &[&s]))?)
            }
            SetValue::Text(s) => plain(index_of(names, s).ok_or_else(wrong)?),
            // a text in MySQL
            SetValue::Int(_) | SetValue::UInt(_) if is_engine => Err(wrong_type()),
            SetValue::Int(v) if v >= 0 && (v as u64) < names.len() as u64 => plain(v as u64),
            SetValue::UInt(v) if v < names.len() as u64 => plain(v),
            SetValue::Double(_) => Err(wrong_type()),
            _ => Err(wrong()),
        },
        Kind::Set(names) => match value {
            SetValue::Text(s) => plain(parse_set(names, s).map_err(|bad| wrong_part(d, &bad))?),
            // a text in MySQL
            SetValue::Int(_) | SetValue::UInt(_) if d.name == "protocol_compression_algorithms" => Err(wrong_type()),
            SetValue::Int(v) if v >= 0 && names.len() < 64 && (v as u64) >> names.len() == 0 => plain(v as u64),
            SetValue::UInt(v) if names.len() < 64 && v >> names.len() == 0 => plain(v),
            SetValue::Double(_) => Err(wrong_type()),
            _ => Err(wrong()),
        },
        Kind::FlagSet(names) => match value {
            SetValue::Text(s) => {
                let now = if let Raw::Num(n) = current { *n } else { 0 };
                plain(parse_flag_set(d, names, s, now).ok_or_else(wrong)?)
            }
            SetValue::Double(_) => Err(wrong_type()),
            _ => Err(wrong()),
        },
        Kind::Charset | Kind::Collation => convert_collation(d, value),
        Kind::Str(nullable) => match value {
            SetValue::Text(s) => Ok(Checked { raw: Raw::Text(Some(s.into())), warning: None }),
            SetValue::Null if nullable => Ok(Checked { raw: Raw::Text(None), warning: None }),
            SetValue::Null => Err(wrong()),
            SetValue::Int(n) if d.name.starts_with("lc_") => {
                let name = u64::try_from(n).ok().and_then(value::temporal::locale::name_of);
                let name = name.ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_LOCALE, &[&n]))?;
                Ok(Checked { raw: Raw::Text(Some(name.into())), warning: None })
            }
            _ => Err(wrong_type()),
        },
    }
}

/// A number: what is out of range is cut to it, with a warning, or refused in strict mode.
fn convert_number(d: &Def, value: SetValue<'_>, sql_mode: SqlMode) -> SqlResult<Checked> {
    let wrong_type = || SqlError::new(ErrorCode::WRONG_TYPE_FOR_VAR, &[&d.name]);
    match d.kind {
        Kind::UInt(min, max, block) => {
            let (asked, clamped) = match value {
                SetValue::Int(v) if v < 0 => (0, min),
                SetValue::Int(v) => (v as u64, (v as u64).clamp(min, max)),
                SetValue::UInt(v) => (v, v.clamp(min, max)),
                _ => return Err(wrong_type()),
            };
            let rounded = if block > 1 { (clamped - clamped % block).max(min) } else { clamped };
            let bad = rounded != asked || matches!(value, SetValue::Int(v) if v < 0);
            adjusted(d, &value, Raw::Num(rounded), bad, sql_mode)
        }
        Kind::Int(min, max) => {
            let clamped = match value {
                SetValue::Int(v) => v.clamp(min, max),
                SetValue::UInt(v) => i64::try_from(v).unwrap_or(i64::MAX).clamp(min, max),
                _ => return Err(wrong_type()),
            };
            let bad = match value {
                SetValue::Int(v) => v != clamped,
                SetValue::UInt(v) => i64::try_from(v) != Ok(clamped),
                _ => false,
            };
            adjusted(d, &value, Raw::Num(clamped as u64), bad, sql_mode)
        }
        Kind::Double(min, max) => {
            let v = match value {
                SetValue::Int(v) => v as f64,
                SetValue::UInt(v) => v as f64,
                SetValue::Double(v) => v,
                _ => return Err(wrong_type()),
            };
            let clamped = v.clamp(min, max);
            adjusted(d, &value, Raw::Num(clamped.to_bits()), clamped != v, sql_mode)
        }
        _ => Err(wrong_type()),
    }
}

/// A character set, which is kept as its default collation, or a collation; by name or by number.
fn convert_collation(d: &Def, value: SetValue<'_>) -> SqlResult<Checked> {
    let wrong_type = || SqlError::new(ErrorCode::WRONG_TYPE_FOR_VAR, &[&d.name]);
    let wrong = || wrong_value(d, &value.show());
    let plain = |n: u64| Ok(Checked { raw: Raw::Num(n), warning: None });
    match d.kind {
        Kind::Charset => match value {
            SetValue::Text(s) => {
                let c = Charset::by_name(s).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&s]))?;
                check_wide(d.name, c.default_collation().0)?;
                plain(u64::from(c.default_collation().0))
            }
            SetValue::Null if d.default == "NULL" || d.name == "character_set_results" => plain(0),
            SetValue::Null => Err(wrong()),
            SetValue::Int(n) => plain(collation_by_number(d.name, n)?),
            _ => Err(wrong_type()),
        },
        Kind::Collation => match value {
            SetValue::Text(s) => {
                let id = collation_by_name(s)?;
                check_wide(d.name, id)?;
                plain(u64::from(id))
            }
            SetValue::Null => Err(wrong()),
            SetValue::Int(n) => plain(collation_by_number(d.name, n)?),
            _ => Err(wrong_type()),
        },
        _ => Err(wrong_type()),
    }
}

fn collation_by_name(s: &str) -> SqlResult<u16> {
    value::collation::by_name(s).map(|c| c.id.0).ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&s]))
}

/// No client has ucs2, utf16, utf16le or utf32 (1231).
fn check_wide(name: &str, id: u16) -> SqlResult<()> {
    let cs = value::CollationId(id).charset();
    if name == "character_set_client" && cs.is_wide() {
        return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&name, &cs.name()]));
    }
    Ok(())
}

fn collation_by_number(name: &str, n: i64) -> SqlResult<u64> {
    match u16::try_from(n) {
        Ok(id) if value::CollationId(id).is_known() => {
            check_wide(name, id)?;
            Ok(u64::from(id))
        }
        _ => Err(SqlError::new(ErrorCode::UNKNOWN_COLLATION, &[&n])),
    }
}

fn adjusted(d: &Def, value: &SetValue<'_>, raw: Raw, bad: bool, sql_mode: SqlMode) -> SqlResult<Checked> {
    if bad && sql_mode.has(SqlMode::STRICT_ALL_TABLES) {
        return Err(wrong_value(d, &value.show()));
    }
    let warning = bad.then(|| SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE, &[&newer_name(d.name), &value.show()]));
    Ok(Checked { raw, warning })
}

/// ON and OFF: no other words are values of SET, TRUE and FALSE without quotes being numbers.
fn bool_word(s: &str) -> Option<bool> {
    match s.to_ascii_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn index_of(names: &[&str], s: &str) -> Option<u64> {
    names.iter().position(|n| !n.is_empty() && n.eq_ignore_ascii_case(s)).map(|i| i as u64)
}

/// Comma-separated names to a bit map; the first unknown one is the error.
pub(super) fn parse_set(names: &[&str], s: &str) -> Result<u64, String> {
    let mut bits = 0;
    for part in s.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        bits |= 1u64 << index_of(names, part).ok_or_else(|| part.to_owned())?;
    }
    Ok(bits)
}

/// Inverse of [`parse_set`].
pub(super) fn set_text(names: &[&str], bits: u64) -> String {
    let on = names.iter().enumerate().filter(|(i, n)| bits >> i & 1 == 1 && !n.is_empty());
    on.map(|(_, n)| *n).collect::<Vec<_>>().join(",")
}

fn parse_flag_set(d: &Def, names: &[&str], s: &str, current: u64) -> Option<u64> {
    let default = parse_flag_default(names, d.default);
    let mut bits = current;
    for part in s.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        if part.eq_ignore_ascii_case("default") {
            bits = default;
            continue;
        }
        let (name, value) = part.split_once('=')?;
        let bit = 1u64 << index_of(names, name.trim())?;
        match value.trim().to_ascii_lowercase().as_str() {
            "on" => bits |= bit,
            "off" => bits &= !bit,
            "default" => bits = bits & !bit | default & bit,
            _ => return None,
        }
    }
    Some(bits)
}

/// A flag set's default is written as the names that are off.
fn parse_flag_default(names: &[&str], off: &str) -> u64 {
    let all = (1u64 << names.len()) - 1;
    all & !parse_set(names, off).unwrap_or(0)
}

/// `a=on,b=off,...`.
pub(super) fn flag_set_text(names: &[&str], bits: u64) -> String {
    let one = |(i, n): (usize, &&str)| format!("{n}={}", if bits >> i & 1 == 1 { "on" } else { "off" });
    names.iter().enumerate().map(one).collect::<Vec<_>>().join(",")
}

/// ANSI and TRADITIONAL stand for several modes.
fn expand_sql_mode(mut bits: u64) -> u64 {
    if bits & SqlMode::ANSI.0 != 0 {
        bits |= SqlMode::REAL_AS_FLOAT.0 | SqlMode::PIPES_AS_CONCAT.0 | SqlMode::ANSI_QUOTES.0;
        bits |= SqlMode::IGNORE_SPACE.0 | SqlMode::ONLY_FULL_GROUP_BY.0;
    }
    if bits & SqlMode::TRADITIONAL.0 != 0 {
        bits |= SqlMode::STRICT_TRANS_TABLES.0 | SqlMode::STRICT_ALL_TABLES.0 | SqlMode::NO_ZERO_IN_DATE.0;
        bits |= SqlMode::NO_ZERO_DATE.0 | SqlMode::ERROR_FOR_DIVISION_BY_ZERO.0 | SqlMode::NO_ENGINE_SUBSTITUTION.0;
    }
    bits
}

/// A number with an optional K, M, G, T, P or E suffix, as options write sizes. `None` if it is none.
pub fn parse_size(s: &str) -> Option<i128> {
    let s = s.trim();
    let (digits, shift) = match s.as_bytes().last()?.to_ascii_lowercase() {
        b'k' => (s.get(..s.len() - 1)?, 10),
        b'm' => (s.get(..s.len() - 1)?, 20),
        b'g' => (s.get(..s.len() - 1)?, 30),
        b't' => (s.get(..s.len() - 1)?, 40),
        b'p' => (s.get(..s.len() - 1)?, 50),
        b'e' => (s.get(..s.len() - 1)?, 60),
        _ => (s, 0),
    };
    let n: i128 = if let Some(hex) = digits.strip_prefix("0x") {
        i128::from_str_radix(hex, 16).ok()?
    } else {
        digits.parse().ok()?
    };
    n.checked_mul(1i128 << shift)
}

/// A number out of its range, as mysqld tells of it: `option 'port': unsigned value 99999 adjusted to 65535.`
pub fn out_of_range(d: &Def, text: &str) -> Option<String> {
    let given = parse_size(text)?;
    let (kind, taken) = match (d.kind, from_option(d, text).ok()?) {
        (Kind::UInt(..), Raw::Num(n)) => ("unsigned", i128::from(n)),
        (Kind::Int(..), Raw::Num(n)) => ("signed", i128::from(n as i64)),
        _ => return None,
    };
    // a plugin's options are written with dashes
    let name = if d.name.starts_with("innodb_") { d.name.replace('_', "-") } else { d.name.to_owned() };
    (given != taken).then(|| format!("option '{name}': {kind} value {given} adjusted to {taken}."))
}

/// Converts an option's text. Numbers are clamped as mysqld does; the error is the text for the log.
pub fn from_option(d: &Def, text: &str) -> Result<Raw, String> {
    let bad = || format!("option '{}': value '{text}' is not valid", d.name.replace('_', "-"));
    match d.kind {
        Kind::Bool => match text.to_ascii_lowercase().as_str() {
            "" | "on" | "true" | "1" | "yes" => Ok(Raw::Num(1)),
            "off" | "false" | "0" | "no" => Ok(Raw::Num(0)),
            _ => Err(bad()),
        },
        Kind::UInt(min, max, block) => {
            let n = parse_size(text).ok_or_else(bad)?.clamp(i128::from(min), i128::from(max)) as u64;
            Ok(Raw::Num(if block > 1 { (n - n % block).max(min) } else { n }))
        }
        Kind::Int(min, max) => {
            Ok(Raw::Num(parse_size(text).ok_or_else(bad)?.clamp(i128::from(min), i128::from(max)) as i64 as u64))
        }
        Kind::Double(min, max) => {
            Ok(Raw::Num(text.trim().parse::<f64>().map_err(|_| bad())?.clamp(min, max).to_bits()))
        }
        Kind::Enum(names) => {
            // once a switch: its old words are still written
            let text = match (d.name, text.to_ascii_lowercase().as_str()) {
                ("innodb_doublewrite", "true") => "ON",
                ("innodb_doublewrite", "false") => "OFF",
                _ => text,
            };
            let by_number = || text.parse::<usize>().ok().filter(|n| *n < names.len()).map(|n| n as u64);
            index_of(names, text).or_else(by_number).map(Raw::Num).ok_or_else(bad)
        }
        Kind::Set(names) => {
            let bits = parse_set(names, text).map_err(|part| format!("{} ({part})", bad()))?;
            Ok(Raw::Num(if d.name == "sql_mode" { expand_sql_mode(bits) } else { bits }))
        }
        Kind::FlagSet(names) if text == d.default => Ok(Raw::Num(parse_flag_default(names, text))),
        Kind::FlagSet(names) => {
            parse_flag_set(d, names, text, parse_flag_default(names, d.default)).map(Raw::Num).ok_or_else(bad)
        }
        Kind::Charset if text == "NULL" => Ok(Raw::Num(0)),
        Kind::Charset => Charset::by_name(text)
            .filter(|c| !c.is_wide() || d.name != "character_set_client")
            .map(|c| Raw::Num(u64::from(c.default_collation().0)))
            .ok_or_else(bad),
        Kind::Collation => collation_by_name(text).map(|id| Raw::Num(u64::from(id))).map_err(|_| bad()),
        Kind::Str(true) if text == "NULL" => Ok(Raw::Text(None)),
        Kind::Str(_) => Ok(Raw::Text(Some(text.into()))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GlobalVars, SessionVars, VarValue};
    use super::*;

    fn set(v: Var, x: SetValue<'_>) -> SqlResult<Checked> {
        convert(v, x, &default_of(v.def()), SqlMode::DEFAULT)
    }

    #[test]
    fn every_default_converts() {
        for v in Var::all() {
            let d = v.def();
            assert!(from_option(d, d.default).is_ok(), "{}: {}", d.name, d.default);
            assert_eq!(Var::by_name(d.name), Some(v), "{} not found: table must be sorted", d.name);
        }
    }

    #[test]
    fn errors_are_mysqls() {
        assert_eq!(Var::find("nix").unwrap_err().code(), 1193);
        assert_eq!(Var::version.check_scope(SetScope::Global).unwrap_err().code(), 1238);
        assert_eq!(Var::max_connections.check_scope(SetScope::Session).unwrap_err().code(), 1229);
        assert_eq!(Var::timestamp.check_scope(SetScope::Global).unwrap_err().code(), 1228);
        assert_eq!(set(Var::sql_mode, SetValue::Text("STRICT_TRANS_TABLES,FOO")).unwrap_err().code(), 1231);
        assert_eq!(set(Var::max_connections, SetValue::Text("many")).unwrap_err().code(), 1232);
        assert_eq!(set(Var::autocommit, SetValue::Int(2)).unwrap_err().code(), 1231);
        assert_eq!(set(Var::character_set_client, SetValue::Text("klingon")).unwrap_err().code(), 1115);
        let c = set(Var::max_connections, SetValue::Int(0)).unwrap();
        assert_eq!(c.raw, Raw::Num(1));
        assert_eq!(c.warning.unwrap().message(), "Truncated incorrect max_connections value: '0'");
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("1K"), Some(1024));
        assert_eq!(parse_size("2g"), Some(2 << 30));
        assert_eq!(parse_size("x"), None);
        assert_eq!(parse_size(""), None);
        assert_eq!(parse_size("é"), None);
    }

    #[test]
    fn sessions_follow_globals_and_couples_stay_together() {
        let g = GlobalVars::new();
        let mut s = SessionVars::new(&g);
        assert_eq!(s.sql_mode(), SqlMode::DEFAULT);
        let c = set(Var::collation_connection, SetValue::Text("latin1_bin")).unwrap();
        s.store(Var::collation_connection, c.raw);
        assert_eq!(s.get(Var::character_set_connection, &g), VarValue::Str("latin1".into()));
        assert_eq!(s.get(Var::collation_connection, &g), VarValue::Str("latin1_bin".into()));
        s.reset(&g);
        assert_eq!(s.get(Var::collation_connection, &g), VarValue::Str("utf8mb4_0900_ai_ci".into()));
        let c = set(Var::optimizer_switch, SetValue::Text("mrr=off")).unwrap();
        assert_ne!(c.raw, default_of(Var::optimizer_switch.def()));
    }

    #[test]
    fn traditional_expands() {
        let c = set(Var::sql_mode, SetValue::Text("TRADITIONAL")).unwrap();
        let Raw::Num(n) = c.raw else { panic!() };
        assert!(SqlMode(n).has(SqlMode::STRICT_ALL_TABLES));
    }
}
