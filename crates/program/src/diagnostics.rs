//! SIGNAL, RESIGNAL and GET DIAGNOSTICS in programs (manual, "Condition Handling"). Outside of programs:
//! `session/src/statements/diagnostics.rs`, with the same rules for items.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{ConditionItem, StatementItem};
use value::{CollationId, Level, OwnedValue, SqlType, convert};

use crate::code::{Raise, Target, Wanted};
use crate::conditions::Condition;
use crate::host::{Evaluated, Host};
use crate::run::Run;

/// Whether the class of an SQLSTATE is one that the standard keeps to itself.
fn standard(sqlstate: &[u8; 5]) -> bool {
    matches!(sqlstate, [b'0'..=b'4' | b'A'..=b'H', ..])
}

/// Which items a condition of the server's has beside number, text and SQLSTATE.
const ORIGINS: [ConditionItem; 2] = [ConditionItem::ClassOrigin, ConditionItem::SubclassOrigin];

/// One of these items of a condition of the server's; others are empty.
fn origin(sqlstate: [u8; 5], item: ConditionItem) -> &'static str {
    let standard = match item {
        ConditionItem::ClassOrigin => standard(&sqlstate),
        ConditionItem::SubclassOrigin => standard(&sqlstate) || sqlstate.ends_with(b"000"),
        _ => return "",
    };
    if standard { "ISO 9075" } else { "MySQL" }
}

fn text(s: &str) -> Evaluated {
    let ty = SqlType::varchar(s.chars().count() as u32, CollationId::UTF8MB3_GENERAL_CI);
    (OwnedValue::Str(s.as_bytes().into()), ty)
}

impl Condition {
    /// An item, as GET DIAGNOSTICS gives it.
    pub fn item(&self, item: ConditionItem) -> Evaluated {
        let state = String::from_utf8_lossy(&self.sqlstate).into_owned();
        let given = self.items.as_ref().and_then(|l| l.iter().find(|i| i.0 == item));
        match (item, given) {
            (ConditionItem::MysqlErrno, _) => (OwnedValue::UInt(self.code.into()), SqlType::bigint_unsigned()),
            (ConditionItem::MessageText, _) => text(&self.message),
            (ConditionItem::ReturnedSqlstate, _) => text(&state),
            (_, Some((_, given))) => text(given),
            _ if self.items.is_some() => text(""),
            (item, None) => text(origin(self.sqlstate, item)),
        }
    }
}

/// Characters an item may have.
fn room(item: ConditionItem) -> usize {
    if item == ConditionItem::MessageText { 128 } else { 64 }
}

impl<H: Host> Run<'_, H> {
    /// SIGNAL and RESIGNAL: the area that a warning leaves.
    ///
    /// # Errors
    /// What is raised; 1645, 1231, 1648.
    pub(crate) fn raise(&mut self, r: &Raise) -> SqlResult<Vec<Condition>> {
        let mut behind = Vec::new();
        let (mut area, mut c) = match (r.again, r.sqlstate) {
            (false, state) => (Vec::new(), new_condition(state.unwrap_or(*b"45000"))),
            (true, state) => {
                let Some((mut area, which)) = self.handled_area().cloned() else {
                    return Err(self.without_handler());
                };
                // a new condition stands behind the handler's; without one it is changed in place
                let handled = match state {
                    Some(_) => area.get(which).cloned(),
                    None => {
                        behind = area.split_off(area.len().min(which + 1));
                        area.pop()
                    }
                };
                let Some(mut c) = handled else {
                    return Err(self.without_handler());
                };
                if let Some(state) = state {
                    // it keeps the text
                    let new = new_condition(state);
                    (c.code, c.level, c.sqlstate) = (new.code, new.level, new.sqlstate);
                    c.items.get_or_insert_default();
                    // there is room for it: the oldest go
                    let room = self.host().env().conv.max_warnings.saturating_sub(1);
                    area.drain(..area.len().saturating_sub(room));
                }
                (area, c)
            }
        };
        let given = self.give_items(r, &mut c);
        if r.again {
            self.keep_raised(r.sqlstate.is_some(), &c, given.as_ref().err());
        }
        given?;
        // what the items have warned of
        area.append(&mut self.taken_warnings());
        if c.level != Level::Error {
            if !r.again {
                // it has succeeded
                self.host().env().counts.row_count = 0;
            }
            area.push(c);
            area.append(&mut behind);
            return Ok(area);
        }
        let further = behind.into_iter().map(|c| (c.level, SqlError::signalled(c.code, c.sqlstate, c.message)));
        self.host.env().statement.further.extend(further);
        let areas = self.areas();
        (areas.raised, areas.ahead) = (c.items, area);
        Err(SqlError::signalled(c.code, c.sqlstate, c.message))
    }

    /// RESIGNAL changes what its handler has put aside: the condition itself, also by the items before one that is
    /// wrong; a new one is there beside it from then on.
    fn keep_raised(&mut self, new: bool, c: &Condition, failed: Option<&SqlError>) {
        let outside = self.outside();
        let areas = self.areas();
        let Some((area, which)) = areas.stacked.get_mut(outside..).and_then(<[_]>::last_mut) else { return };
        match area.get_mut(*which) {
            Some(handled) if !new => handled.clone_from(c),
            _ if failed.is_some() => {}
            _ => area.push(c.clone()),
        }
        if let Some(e) = failed {
            // what is wrong with an item stands behind what the handler is for, and stays there
            areas.ahead.clone_from(area);
            area.push(Condition::of_error(e, None));
        }
    }

    /// SET item = value.
    fn give_items(&mut self, r: &Raise, c: &mut Condition) -> SqlResult<()> {
        for (item, n) in &r.items {
            let (v, ty) = self.value(*n)?;
            match item {
                ConditionItem::MysqlErrno => c.code = self.number(&v, &ty)?,
                ConditionItem::MessageText => c.message = self.item_text(*item, &v, &ty)?,
                _ => {
                    let given = self.item_text(*item, &v, &ty)?;
                    let sqlstate = c.sqlstate;
                    let origins = || ORIGINS.map(|i| (i, origin(sqlstate, i).to_owned())).to_vec();
                    let items = c.items.get_or_insert_with(origins);
                    items.retain(|i| i.0 != *item);
                    items.push((*item, given));
                }
            }
        }
        Ok(())
    }

    /// 1645, which stands behind what the statement before has left.
    fn without_handler(&mut self) -> SqlError {
        let areas = self.areas();
        areas.ahead.clone_from(&areas.present);
        SqlError::new(ErrorCode::RESIGNAL_WITHOUT_ACTIVE_HANDLER, &[])
    }

    /// MYSQL_ERRNO: 1 to 65535, else 1231.
    fn number(&mut self, v: &OwnedValue, ty: &SqlType) -> SqlResult<u16> {
        let n = signalled_number(v, ty);
        match u16::try_from(n).ok().filter(|n| *n > 0) {
            Some(n) => Ok(n),
            None => {
                let what = [ConditionItem::MysqlErrno.name().to_owned(), shown(v, ty)];
                let [item, value] = &what;
                Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[item, value]))
            }
        }
    }

    /// A text item: 1231 for NULL; what is too long is 1648 in strict mode, else cut with warning 1647.
    fn item_text(&mut self, item: ConditionItem, v: &OwnedValue, ty: &SqlType) -> SqlResult<String> {
        let shown = shown(v, ty);
        if v.as_value().is_null() {
            return Err(SqlError::new(ErrorCode::WRONG_VALUE_FOR_VAR, &[&item.name(), &shown]));
        }
        if shown.chars().count() <= room(item) {
            return Ok(shown);
        }
        let env = self.host().env();
        if env.vars.sql_mode().is_strict() {
            return Err(SqlError::new(ErrorCode::COND_ITEM_TOO_LONG, &[&item.name()]));
        }
        env.conv.push(Level::Warning, SqlError::new(ErrorCode::WARN_COND_ITEM_TRUNCATED, &[&item.name()]));
        Ok(shown.chars().take(room(item)).collect())
    }

    /// A target takes what fits of an item, and nothing is said of the rest.
    fn give(&mut self, target: &Target, v: OwnedValue, from: &SqlType) -> SqlResult<()> {
        match target {
            Target::Slot(slot) => self.give_silently(*slot, v.as_value(), from),
            Target::User(_) => self.assign_to(target, v.as_value(), from),
        }
    }

    /// GET DIAGNOSTICS; of a condition that is not there: 1758 is added to the area, and the statement succeeds.
    pub(crate) fn diagnostics(&mut self, stacked: bool, wanted: &Wanted) -> SqlResult<()> {
        let area: Vec<Condition> = match stacked {
            true => match self.handled_area() {
                Some((area, _)) => area.clone(),
                None => return Err(SqlError::new(ErrorCode::GET_STACKED_DA_WITHOUT_ACTIVE_HANDLER, &[])),
            },
            false => self.areas().present.clone(),
        };
        match wanted {
            Wanted::Statement(list) => {
                let count = self.host().env().counts.row_count;
                for (target, item) in list {
                    let (v, ty) = match item {
                        StatementItem::Number => (OwnedValue::UInt(area.len() as u64), SqlType::bigint_unsigned()),
                        StatementItem::RowCount => (OwnedValue::Int(count), SqlType::bigint()),
                    };
                    self.give(target, v, &ty)?;
                }
            }
            Wanted::Condition(n, list) => {
                let (v, ty) = self.value(*n)?;
                let number =
                    (!v.as_value().is_null()).then(|| convert::to_i64(v.as_value(), &ty, &mut Default::default()));
                let at = number.and_then(|n| usize::try_from(n).ok()).and_then(|n| n.checked_sub(1));
                let Some(c) = at.and_then(|n| area.get(n)) else {
                    let e = SqlError::new(ErrorCode::DA_INVALID_CONDITION_NUMBER, &[]);
                    self.areas().present.push(Condition::of_error(&e, None));
                    self.host().env().counts.row_count = -1;
                    self.host.told(self.areas);
                    return Ok(());
                };
                for (target, item) in list {
                    let (v, ty) = c.item(*item);
                    self.give(target, v, &ty)?;
                }
            }
        }
        Ok(())
    }
}

/// What SIGNAL raises where nothing else is said.
fn new_condition(sqlstate: [u8; 5]) -> Condition {
    let code = match &sqlstate {
        [b'0', b'1', ..] => ErrorCode::SIGNAL_WARN,
        [b'0', b'2', ..] => ErrorCode::SIGNAL_NOT_FOUND,
        _ => ErrorCode::SIGNAL_EXCEPTION,
    };
    Condition {
        level: if code == ErrorCode::SIGNAL_WARN { Level::Warning } else { Level::Error },
        code: code.number(),
        sqlstate,
        message: code.text().to_owned(),
        items: Some(Vec::new()),
    }
}

/// The number that an item is given; a hexadecimal or binary literal is one.
pub fn signalled_number(v: &OwnedValue, ty: &SqlType) -> i64 {
    match v {
        OwnedValue::Null => 0,
        OwnedValue::Str(bytes) if ty.unsigned && ty.kind.is_string() => {
            bytes.iter().fold(0i64, |n, b| n.saturating_mul(256).saturating_add(i64::from(*b)))
        }
        _ => convert::to_i64(v.as_value(), ty, &mut Default::default()),
    }
}

/// A value as UTF-8, NULL as that word.
fn shown(v: &OwnedValue, ty: &SqlType) -> String {
    if v.as_value().is_null() {
        return "NULL".to_owned();
    }
    let mut bytes = Vec::new();
    convert::to_text(v.as_value(), ty, &mut bytes);
    match ty.collation.charset() {
        set if !ty.is_character() || set.takes_utf8() => String::from_utf8_lossy(&bytes).into(),
        _ => String::from_utf8_lossy(&planner::decode_name(ty.collation.0, &bytes)).into(),
    }
}
