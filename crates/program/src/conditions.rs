//! Conditions, the areas that hold them, and which handler is for which (manual, "Condition Handling").
//!
//! Of the handlers of a block the most special one is taken: for a number before for an SQLSTATE before for a class; a
//! block without one leaves it to the block around it. A handler's own body stands outside of its block's handlers.

use base::{ErrorCode, SqlError};
use parser::ast::{ConditionItem, ConditionValue};
use value::{Level, Warning};

use crate::code::{Address, Code, Scope};

/// A row of a diagnostics area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Error, warning or note.
    pub level: Level,
    /// MySQL's number.
    pub code: u16,
    /// SQLSTATE.
    pub sqlstate: [u8; 5],
    /// Text.
    pub message: String,
    /// Raised by SIGNAL: what that gave it beside. `None`: the server raised it.
    pub items: Option<Vec<(ConditionItem, String)>>,
}

impl Condition {
    /// Of an error.
    pub fn of_error(e: &SqlError, items: Option<Vec<(ConditionItem, String)>>) -> Condition {
        Condition {
            level: Level::Error,
            code: e.code(),
            sqlstate: *e.sqlstate(),
            message: e.message().to_owned(),
            items,
        }
    }

    /// Of a warning of the server's.
    pub fn of_warning(w: &Warning) -> Condition {
        let state = ErrorCode::from_number(w.code).map_or("HY000", |c| c.sqlstate());
        let sqlstate = <[u8; 5]>::try_from(state.as_bytes()).unwrap_or(*b"HY000");
        Condition { level: w.level, code: w.code, sqlstate, message: w.message.clone(), items: None }
    }

    /// As a row of SHOW WARNINGS.
    pub fn row(&self) -> Warning {
        Warning { level: self.level, code: self.code, message: self.message.clone() }
    }

    fn matches(&self, c: ConditionValue) -> Option<u8> {
        match c {
            ConditionValue::Code(n) if n == self.code => Some(3),
            ConditionValue::Sqlstate(s) if s == self.sqlstate => Some(2),
            ConditionValue::Warning if self.sqlstate.starts_with(b"01") || self.level == Level::Warning => Some(1),
            ConditionValue::NotFound if self.sqlstate.starts_with(b"02") => Some(1),
            ConditionValue::Exception if self.level == Level::Error && !is_no_exception(&self.sqlstate) => Some(1),
            _ => None,
        }
    }
}

/// Classes 00, 01 and 02.
fn is_no_exception(sqlstate: &[u8; 5]) -> bool {
    matches!(sqlstate, [b'0', b'0'..=b'2', ..])
}

/// The most special handler of a block.
fn of_scope(s: &Scope, c: &Condition) -> Option<Address> {
    let mut best: Option<(u8, Address)> = None;
    for h in &s.handlers {
        let rank = h.conditions.iter().filter_map(|v| c.matches(*v)).max();
        if let Some(rank) = rank
            && best.is_none_or(|b| rank > b.0)
        {
            best = Some((rank, h.body));
        }
    }
    best.map(|b| b.1)
}

/// The handler that takes a condition raised by the step at `at`: where its body begins.
pub fn handler(code: &Code, at: Address, c: &Condition) -> Option<Address> {
    let takes = |s: u32| code.scopes.get(s as usize).is_some_and(|s| of_scope(s, c).is_some());
    if code.declaring.iter().any(|(from, to, scope)| (*from..*to).contains(&at) && takes(*scope)) {
        return None;
    }
    let mut scope = code.scope_of.get(at as usize).copied().flatten();
    while let Some(s) = scope.and_then(|n| code.scopes.get(n as usize)) {
        if let Some(body) = of_scope(s, c) {
            return Some(body);
        }
        scope = s.outer;
    }
    None
}

/// The diagnostics areas of the programs of a statement: the present one, and those that handlers have put aside.
#[derive(Default, Debug)]
pub struct Areas {
    /// What the statement before has left.
    pub present: Vec<Condition>,
    /// So many of them, in front, were there when the handler or the program that runs began.
    pub from_before: usize,
    /// What the statement that calls the function or trigger has warned of so far: its area begins with them.
    pub seen: Vec<Condition>,
    /// What stands before the error that is on its way: a RESIGNAL's, a procedure's.
    pub ahead: Vec<Condition>,
    /// What handlers were entered with, the innermost last: its conditions, and which of them it was.
    pub stacked: Vec<(Vec<Condition>, usize)>,
    /// What SIGNAL gave the error that is on its way.
    pub raised: Option<Vec<(ConditionItem, String)>>,
    /// Conditions, and errors among them, as the last statement of the program or handler found them that names
    /// `@@warning_count` or `@@error_count`. That is what a program's own expressions read there.
    pub counted: (u64, u64),
}

/// Puts `list`, which mostly is empty, in front.
pub(crate) fn put_before(present: &mut Vec<Condition>, mut list: Vec<Condition>) {
    if !list.is_empty() {
        list.append(present);
        *present = list;
    }
}

impl Areas {
    /// A statement has left these.
    pub fn replace(&mut self, list: Vec<Condition>) {
        (self.present, self.from_before) = (list, 0);
    }

    /// What a handler or a program leaves: conditions that are new since it began.
    pub fn leave_what_is_new(&mut self) {
        let old = std::mem::take(&mut self.from_before).min(self.present.len());
        self.present.drain(..old);
    }

    /// Puts what the calling statement has warned of in front.
    pub fn begin_with_seen(&mut self) {
        self.from_before += self.seen.len();
        put_before(&mut self.present, std::mem::take(&mut self.seen));
    }

    /// Present conditions, and errors among them.
    pub fn counts(&self) -> (u64, u64) {
        let errors = self.present.iter().filter(|c| c.level == Level::Error).count();
        (self.present.len() as u64, errors as u64)
    }

    /// Items of the error that is on its way.
    pub fn condition(&mut self, e: &SqlError) -> Condition {
        Condition::of_error(e, self.raised.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Handler;

    fn error(code: ErrorCode) -> Condition {
        Condition::of_error(&SqlError::new(code, &[]), None)
    }

    fn code(scopes: Vec<Scope>) -> Code {
        Code {
            declaring: vec![],
            behind: vec![],
            slots: vec![],
            parameters: 0,
            instructions: vec![],
            told: vec![],
            scope_of: vec![Some(scopes.len() as u32 - 1), None],
            scopes,
            expressions: 0,
            statements: 0,
            cursors: 0,
            first_cursor: 0,
            spans: vec![],
            tables: vec![],
            routines: vec![],
            refused: [None, None],
        }
    }

    #[test]
    fn the_most_special_of_the_innermost_block() {
        let h = |c: ConditionValue, body| Handler { conditions: vec![c], body };
        let inner = vec![
            h(ConditionValue::Exception, 1),
            h(ConditionValue::Sqlstate(*b"42S02"), 2),
            h(ConditionValue::Code(1051), 3),
        ];
        let outer =
            vec![h(ConditionValue::Code(1146), 4), h(ConditionValue::NotFound, 5), h(ConditionValue::Warning, 6)];
        let code = code(vec![Scope { outer: None, handlers: outer }, Scope { outer: Some(0), handlers: inner }]);
        assert_eq!(
            handler(&code, 0, &error(ErrorCode::NO_SUCH_TABLE)),
            Some(2),
            "not the outer block's, however special"
        );
        assert_eq!(handler(&code, 0, &error(ErrorCode::BAD_TABLE_ERROR)), Some(3));
        assert_eq!(handler(&code, 0, &error(ErrorCode::DUP_ENTRY)), Some(1));
        assert_eq!(handler(&code, 0, &error(ErrorCode::SP_FETCH_NO_DATA)), Some(5), "02 is no exception");
        let w = Condition { level: Level::Warning, ..error(ErrorCode::SP_FETCH_NO_DATA) };
        assert_eq!(handler(&code, 0, &w), Some(5), "NOT FOUND stands before SQLWARNING");
        let w = Condition { level: Level::Warning, ..error(ErrorCode::DUP_ENTRY) };
        assert_eq!(handler(&code, 0, &w), Some(6), "a warning is no exception");
        assert_eq!(handler(&code, 1, &error(ErrorCode::DUP_ENTRY)), None);
    }
}
