//! SIGNAL, RESIGNAL and GET DIAGNOSTICS outside of stored programs (manual, "Condition Handling").
//!
//! A condition is a row of the session's diagnostics area: number, level and text. The other items are empty but for what a SIGNAL gave its one,
//! which is the area's last row then ([`Signalled`]); SQLSTATE and origins follow from the number. Without stored programs there are no
//! handlers: RESIGNAL is always 1645, the stacked area 3004. Tested: `tests/sql/golden/diagnostics.sql`.

use base::{ErrorCode, SqlError, SqlResult};
use executor::UserVar;
use parser::ast::{ConditionItem, DiagnosticTarget, Expr, GetDiagnostics, Raises, Signal, StatementItem, Wanted};
use value::{CollationId, Level, OwnedValue, SqlMode, SqlType, convert};

use crate::kernel::diagnostics::{Diagnostics, Held, Signalled};
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;

impl Diagnostics {
    /// An item of the condition at this place.
    fn item(&self, at: usize, item: ConditionItem) -> Option<(OwnedValue, SqlType)> {
        let row = self.rows.get(at)?;
        let own = self.signalled.as_ref().filter(|s| s.0 == at).map(|s| &s.1);
        let state = match own {
            Some(s) => String::from_utf8_lossy(&s.sqlstate).into_owned(),
            None => ErrorCode::from_number(row.code).map_or("HY000", |c| c.sqlstate()).to_owned(),
        };
        let given = own.and_then(|s| s.items.iter().find(|i| i.0 == item));
        Some(match (item, given) {
            (ConditionItem::MysqlErrno, _) => (OwnedValue::UInt(row.code.into()), SqlType::bigint_unsigned()),
            (ConditionItem::MessageText, _) => text(&row.message),
            (ConditionItem::ReturnedSqlstate, _) => text(&state),
            (_, Some((_, given))) => text(given),
            _ if own.is_some() => text(""),
            (ConditionItem::ClassOrigin, None) => text(origin(standard(&state))),
            (ConditionItem::SubclassOrigin, None) => text(origin(standard(&state) || state.ends_with("000"))),
            _ => text(""),
        })
    }
}

/// Whether the class of an SQLSTATE is one that the standard keeps to itself.
fn standard(sqlstate: &str) -> bool {
    sqlstate.starts_with(|c: char| matches!(c, '0'..='4' | 'A'..='H'))
}

fn origin(standard: bool) -> &'static str {
    if standard { "ISO 9075" } else { "MySQL" }
}

fn text(s: &str) -> (OwnedValue, SqlType) {
    let ty = SqlType::varchar(s.chars().count() as u32, CollationId::UTF8MB3_GENERAL_CI);
    (OwnedValue::Str(s.as_bytes().into()), ty)
}

/// Characters an item may have.
fn room(item: ConditionItem) -> usize {
    if item == ConditionItem::MessageText { 128 } else { 64 }
}

/// The bytes of a valid SQLSTATE for SIGNAL: five digits and capitals, and not of the class of success. 1407.
fn valid_sqlstate(given: &[u8]) -> SqlResult<[u8; 5]> {
    let right = |s: &[u8; 5]| s.iter().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()) && !s.starts_with(b"00");
    match <[u8; 5]>::try_from(given) {
        Ok(s) if right(&s) => Ok(s),
        _ => Err(SqlError::new(ErrorCode::SP_BAD_SQLSTATE, &[&String::from_utf8_lossy(given)])),
    }
}

impl Session {
    /// SIGNAL and RESIGNAL: an error, or with an SQLSTATE of class 01 a warning.
    pub(crate) fn signal(&mut self, sql: &[u8], s: &Signal<'_>) -> SqlResult<Outcome> {
        for (n, (item, _)) in s.items.iter().enumerate() {
            if s.items.iter().take(n).any(|i| i.0 == *item) {
                return Err(SqlError::new(ErrorCode::DUP_SIGNAL_SET, &[&item.name()]));
            }
        }
        let sqlstate = match s.raises {
            Raises::Named(name) => return Err(SqlError::new(ErrorCode::SP_COND_MISMATCH, &[&name])),
            Raises::Sqlstate(given) => Some(valid_sqlstate(given)?),
            Raises::Same => None,
        };
        let (Some(sqlstate), false) = (sqlstate, s.again) else {
            self.diagnostics.held = Held::Rows;
            return Err(SqlError::new(ErrorCode::RESIGNAL_WITHOUT_ACTIVE_HANDLER, &[]));
        };
        let default = match &sqlstate {
            [b'0', b'1', ..] => ErrorCode::SIGNAL_WARN,
            [b'0', b'2', ..] => ErrorCode::SIGNAL_NOT_FOUND,
            _ => ErrorCode::SIGNAL_EXCEPTION,
        };
        let (mut code, mut message) = (default.number(), default.text().to_owned());
        let exprs: Vec<Expr<'_>> = s.items.iter().map(|i| i.1).collect();
        let values = self.scalars(sql, &exprs)?;
        let mut items = Vec::new();
        for ((item, _), (value, ty)) in s.items.iter().zip(&values) {
            match item {
                ConditionItem::MysqlErrno => code = self.signalled_number(value, ty)?,
                ConditionItem::MessageText => message = self.signalled_text(*item, value, ty)?,
                _ => items.push((*item, self.signalled_text(*item, value, ty)?)),
            }
        }
        self.diagnostics.raised = Some(Box::new(Signalled { sqlstate, items }));
        if default != ErrorCode::SIGNAL_WARN {
            return Err(SqlError::signalled(code, sqlstate, message));
        }
        self.env.conv.push(Level::Warning, SqlError::signalled(code, sqlstate, message));
        Ok(Outcome::ok())
    }

    /// MYSQL_ERRNO of a SIGNAL: 1 to 65535, else 1231.
    fn signalled_number(&mut self, value: &OwnedValue, ty: &SqlType) -> SqlResult<u16> {
        let n = program::signalled_number(value, ty);
        match u16::try_from(n).ok().filter(|n| *n > 0) {
            Some(n) => Ok(n),
            None => Err(SqlError::new(
                ErrorCode::WRONG_VALUE_FOR_VAR,
                &[&ConditionItem::MysqlErrno.name(), &self.shown(value, ty)],
            )),
        }
    }

    /// A text item of a SIGNAL: 1231 for NULL; what is too long is 1648 in strict mode, else cut with warning 1647.
    fn signalled_text(&mut self, item: ConditionItem, value: &OwnedValue, ty: &SqlType) -> SqlResult<String> {
        let shown = self.shown(value, ty);
        if value.as_value().is_null() {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&item.name(), &shown]));
        }
        if shown.chars().count() <= room(item) {
            return Ok(shown);
        }
        let mode = self.env.vars.sql_mode();
        if mode.has(SqlMode::STRICT_TRANS_TABLES) || mode.has(SqlMode::STRICT_ALL_TABLES) {
            return Err(SqlError::new(ErrorCode::COND_ITEM_TOO_LONG, &[&item.name()]));
        }
        self.env.conv.push(Level::Warning, SqlError::new(ErrorCode::WARN_COND_ITEM_TRUNCATED, &[&item.name()]));
        Ok(shown.chars().take(room(item)).collect())
    }

    /// A value as UTF-8, NULL as that word.
    fn shown(&self, value: &OwnedValue, ty: &SqlType) -> String {
        if value.as_value().is_null() {
            return "NULL".to_owned();
        }
        let mut bytes = Vec::new();
        convert::to_text(value.as_value(), ty, &mut bytes);
        match ty.collation.charset() {
            set if !ty.is_character() || set.takes_utf8() => String::from_utf8_lossy(&bytes).into(),
            _ => String::from_utf8_lossy(&planner::decode_name(ty.collation.0, &bytes)).into(),
        }
    }

    /// GET DIAGNOSTICS. What is wrong with the condition's number is added to the area, and the statement succeeds.
    pub(crate) fn get_diagnostics(&mut self, sql: &[u8], g: &GetDiagnostics<'_>) -> SqlResult<Outcome> {
        let done = Outcome { keep_diagnostics: true, row_count: self.env.counts.row_count, ..Outcome::ok() };
        let targets: Vec<DiagnosticTarget<'_>> = match g.wanted {
            Wanted::Statement(list) => list.iter().map(|i| i.0).collect(),
            Wanted::Condition { items, .. } => items.iter().map(|i| i.0).collect(),
        };
        let local = |t: &DiagnosticTarget<'_>| match t {
            DiagnosticTarget::Local { name, .. } => Some((*name).to_owned()),
            DiagnosticTarget::UserVar(_) => None,
        };
        if let Some(name) = targets.iter().find_map(local) {
            return Err(SqlError::new(ErrorCode::SP_UNDECLARED_VAR, &[&name]));
        }
        if g.stacked {
            self.diagnostics.held = Held::All;
            return Err(SqlError::new(ErrorCode::GET_STACKED_DA_WITHOUT_ACTIVE_HANDLER, &[]));
        }
        let values: Vec<(OwnedValue, SqlType)> = match g.wanted {
            Wanted::Statement(list) => list.iter().map(|i| self.statement_item(i.1)).collect(),
            Wanted::Condition { number, items } => {
                let found = self.scalars(sql, &[number]).and_then(|v| {
                    let mut quiet = value::ConvCtx::default();
                    let number = v.first().filter(|(v, _)| !v.as_value().is_null());
                    let number = number.map(|(v, t)| convert::to_i64(v.as_value(), t, &mut quiet));
                    let at = number.and_then(|n| usize::try_from(n).ok()).and_then(|n| n.checked_sub(1));
                    let read = |at: usize| items.iter().map(|i| self.diagnostics.item(at, i.1)).collect();
                    let read: Option<Vec<(OwnedValue, SqlType)>> = at.and_then(read);
                    read.ok_or_else(|| SqlError::new(ErrorCode::DA_INVALID_CONDITION_NUMBER, &[]))
                });
                match found {
                    Ok(values) => values,
                    Err(e) => {
                        self.diagnostics.add(value::Level::Error, &e, self.env.conv.max_warnings);
                        self.env.counts.conditions = (self.diagnostics.count, self.diagnostics.errors);
                        return Ok(Outcome { counts_warnings: true, ..done });
                    }
                }
            }
        };
        for (target, (value, ty)) in targets.iter().zip(values) {
            if let DiagnosticTarget::UserVar(name) = target {
                self.env.user_vars.insert(name.to_lowercase().into(), UserVar::new(value, ty));
            }
        }
        Ok(done)
    }

    fn statement_item(&self, item: StatementItem) -> (OwnedValue, SqlType) {
        match item {
            StatementItem::Number => (OwnedValue::UInt(self.diagnostics.rows.len() as u64), SqlType::bigint_unsigned()),
            StatementItem::RowCount => (OwnedValue::Int(self.env.counts.row_count), SqlType::bigint()),
        }
    }
}
