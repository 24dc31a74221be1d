//! Slots, expressions and statements of a program that runs: from numbers to values.

use std::cell::RefCell;
use std::rc::Rc;

use base::{ErrorCode, SqlError, SqlResult};
use executor::{Env, FirstRow, UserVar, Wanted};
use parser::ast::{Expr, Statement};
use value::{Level, OwnedValue, SqlType, Value, convert};

use crate::code::{Kind, Target};
use crate::compile::{Trees, compile};
use crate::cursor::Rows;
use crate::host::{Evaluated, Host, Place};
use crate::run::{Run, lost};
use crate::store::{left, store, store_as};

impl<'r, H: Host> Run<'r, H> {
    pub(crate) fn put(&mut self, slot: u32, v: OwnedValue) {
        if let Some(s) = self.slots.get_mut(slot as usize) {
            *s = v;
        }
        if !self.unit.rows.is_empty() && self.unit.rows.iter().any(|r| r.0 == slot && r.1) {
            self.assigned.push(slot);
        }
    }

    /// Gives a slot a value, converted.
    pub(crate) fn assign(&mut self, slot: u32, v: Value<'_>, from: &SqlType) -> SqlResult<()> {
        let types = self.unit.types.borrow().clone();
        let (Some(to), Some(s)) = (types.get(slot as usize), self.unit.code.slots.get(slot as usize)) else {
            return Err(SqlError::unsupported("a slot of a program"));
        };
        let stored = store(v, from, to, &s.name, self.host.env());
        let kept = match &stored {
            Ok(v) => Some(v.clone()),
            Err(e) => left(v, (from, to), e, s.row.is_some(), self.host.env()),
        };
        if let Some(v) = kept {
            self.put(slot, v);
        }
        stored.map(drop)
    }

    /// Whether a slot is a column of NEW or OLD.
    pub(crate) fn is_column(&self, slot: u32) -> bool {
        self.unit.code.slots.get(slot as usize).is_some_and(|s| s.row.is_some())
    }

    /// A slot takes what fits of a value, and nothing is said of the rest.
    pub(crate) fn give_silently(&mut self, slot: u32, v: Value<'_>, from: &SqlType) -> SqlResult<()> {
        let types = self.unit.types.borrow().clone();
        let Some(to) = types.get(slot as usize) else { return Ok(()) };
        let env = self.host.env();
        let said = (std::mem::take(&mut env.conv.warnings), env.conv.warning_count);
        let stored = store_as(v, (from, to), "", false, env);
        (env.conv.warnings, env.conv.warning_count) = said;
        self.put(slot, stored?);
        Ok(())
    }

    /// Gives a slot or a user variable a value.
    pub(crate) fn assign_to(&mut self, target: &Target, v: Value<'_>, from: &SqlType) -> SqlResult<()> {
        match target {
            Target::Slot(slot) => self.assign(*slot, v, from),
            Target::User(name) => {
                self.host.env().user_vars.insert(name.clone(), UserVar::new(v.to_owned(), from.clone()));
                Ok(())
            }
        }
    }

    // ---- expressions and statements

    fn trees(&mut self) -> SqlResult<Rc<Trees<'r>>> {
        if let Some(t) = &self.trees {
            return Ok(t.clone());
        }
        let body = self.host.parse(self.arena, &self.unit.source)?;
        let trees = Rc::new(compile(self.arena, &body).1);
        self.trees = Some(trees.clone());
        Ok(trees)
    }

    fn tree_of_expression(&mut self, n: u32) -> SqlResult<Expr<'r>> {
        let trees = self.trees()?;
        trees.expressions.get(n as usize).copied().ok_or_else(lost)
    }

    pub(crate) fn tree_of_statement(&mut self, n: u32) -> SqlResult<Statement<'r>> {
        let trees = self.trees()?;
        trees.statements.get(n as usize).copied().ok_or_else(lost)
    }

    pub(crate) fn with_value(
        &mut self,
        n: u32,
        f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
    ) -> SqlResult<()> {
        let unit = self.unit;
        let kept = unit.expressions.get(n as usize).ok_or_else(lost)?;
        let types = unit.types.borrow().clone();
        let place = Place { source: &unit.source, types: &types, values: &self.slots, span: None };
        if self.host.evaluate(place, kept, None, f)? {
            return Ok(());
        }
        let tree = self.tree_of_expression(n)?;
        let place = Place { source: &unit.source, types: &types, values: &self.slots, span: None };
        self.host.evaluate(place, kept, Some(&tree), f).map(drop)
    }

    /// Value and type of an expression.
    pub(crate) fn value(&mut self, n: u32) -> SqlResult<Evaluated> {
        let mut out = (OwnedValue::Null, SqlType::bigint());
        self.with_value(n, &mut |v, ty, _| {
            out = (v.to_owned(), ty.clone());
            Ok(())
        })?;
        Ok(out)
    }

    /// The same; in strict mode around the program what it has warned of is the statement's error.
    pub(crate) fn checked_value(&mut self, n: u32) -> SqlResult<Evaluated> {
        let mut out = (OwnedValue::Null, SqlType::bigint());
        self.with_value(n, &mut |v, ty, env| {
            out = (v.to_owned(), ty.clone());
            fail_around(env)
        })?;
        Ok(out)
    }

    /// SET: a slot gets an expression's value. One whose evaluation fails leaves NULL.
    pub(crate) fn set(&mut self, slot: u32, n: u32) -> SqlResult<()> {
        let unit = self.unit;
        let types = unit.types.borrow().clone();
        let (Some(to), Some(s)) = (types.get(slot as usize), unit.code.slots.get(slot as usize)) else {
            return Err(lost());
        };
        let mut out = Some(OwnedValue::Null);
        let outer = self.host.env().begin_assignment();
        let done = self.with_value(n, &mut |v, from, env| {
            match strict_error(env).and_then(|()| store(v, from, to, &s.name, env)) {
                Ok(stored) => out = Some(stored),
                Err(e) => {
                    out = left(v, (from, to), &e, s.row.is_some(), env);
                    return Err(e);
                }
            }
            Ok(())
        });
        self.host.env().statement.strictness = outer;
        if let Some(v) = out {
            self.put(slot, v);
        }
        done
    }

    pub(crate) fn truth(&mut self, n: u32) -> SqlResult<bool> {
        let mut holds = false;
        self.with_value(n, &mut |v, ty, env| {
            holds = match v {
                Value::Null => false,
                Value::Int(n) => n != 0,
                Value::UInt(n) => n != 0,
                v => convert::to_f64(v, ty, &mut env.conv) != 0.0,
            };
            fail_around(env)
        })?;
        Ok(holds)
    }

    pub(crate) fn statement(&mut self, n: u32, kind: Kind) -> SqlResult<()> {
        let unit = self.unit;
        let kept = unit.statements.get(n as usize).ok_or_else(lost)?;
        let span = unit.code.spans.get(n as usize).copied();
        let types = unit.types.borrow().clone();
        if kind == Kind::Planned {
            let place = Place { source: &unit.source, types: &types, values: &self.slots, span };
            if self.host.statement(place, kept, kind, None)? {
                return Ok(());
            }
        }
        let tree = self.tree_of_statement(n)?;
        let place = Place { source: &unit.source, types: &types, values: &self.slots, span };
        self.host.statement(place, kept, kind, Some(&tree)).map(drop)
    }

    fn query(
        &mut self,
        n: u32,
        begin: &mut dyn FnMut(&[SqlType]) -> SqlResult<()>,
        wanted: &mut Wanted<'_>,
    ) -> SqlResult<()> {
        let unit = self.unit;
        let kept = unit.statements.get(n as usize).ok_or_else(lost)?;
        let span = unit.code.spans.get(n as usize).copied();
        let types = unit.types.borrow().clone();
        let place = Place { source: &unit.source, types: &types, values: &self.slots, span };
        if self.host.query(place, kept, None, begin, wanted)? {
            return Ok(());
        }
        let tree = self.tree_of_statement(n)?;
        let place = Place { source: &unit.source, types: &types, values: &self.slots, span };
        self.host.query(place, kept, Some(&tree), begin, wanted).map(drop)
    }

    /// SELECT ... INTO: 1222 for another number of columns, 1172 for more than one row (the first one is assigned all
    /// the same), warning 1329 for none. Strict is the assignment to a slot, so only what evaluates its item: not the
    /// search for the row (`SELECT id INTO v FROM t WHERE id = 1 / 0`), not what goes to a user variable.
    pub(crate) fn into(&mut self, n: u32, targets: &[Target]) -> SqlResult<()> {
        let mut row = FirstRow::default();
        let assigns = targets.iter().any(|t| matches!(t, Target::Slot(_))) && self.host.env().assigns_strictly();
        self.host.env().statement.strictness.into_variables = assigns;
        let types = RefCell::new(Vec::new());
        let unit = self.unit;
        let to = unit.types.borrow().clone();
        let takes = |n: usize, before: usize, v: Value<'_>, env: &mut Env| {
            let Some(Target::Slot(slot)) = targets.get(n) else { return Ok(v.to_owned()) };
            if assigns {
                env.fail_of_warnings(before)?;
            }
            let at = *slot as usize;
            match (types.borrow().get(n), to.get(at), unit.code.slots.get(at)) {
                (Some(from), Some(to), Some(s)) => store_as(v, (from, to), &s.name, assigns, env),
                _ => Err(lost()),
            }
        };
        let read = self.query(
            n,
            &mut |t| {
                *types.borrow_mut() = t.to_vec();
                match t.len() == targets.len() {
                    true => Ok(()),
                    false => Err(SqlError::new(ErrorCode::WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[])),
                }
            },
            &mut Wanted::First(&mut row, &takes),
        );
        self.host.env().statement.strictness.into_variables = false;
        fail_around(self.host.env())?;
        for ((target, v), ty) in targets.iter().zip(&row.values).zip(types.borrow().iter()) {
            match target {
                Target::Slot(slot) => self.put(*slot, v.clone()),
                Target::User(_) => self.assign_to(target, v.as_value(), ty)?,
            }
        }
        if row.failed
            && let Some(Target::Slot(slot)) = targets.get(row.values.len())
        {
            self.put(*slot, OwnedValue::Null);
        }
        read?;
        let env = self.host.env();
        env.counts.row_count = row.found as i64;
        if row.found == 0 {
            env.conv.push(Level::Warning, SqlError::new(ErrorCode::SP_FETCH_NO_DATA, &[]));
        }
        Ok(())
    }

    pub(crate) fn open(&mut self, c: u32) -> SqlResult<()> {
        if self.cursors.get(c as usize).is_some_and(Option::is_some) {
            return Err(SqlError::new(ErrorCode::SP_CURSOR_ALREADY_OPEN, &[]));
        }
        let rows = std::cell::RefCell::new(Rows::new(self.host.env()));
        let row_count = self.host.env().counts.row_count;
        self.query(
            self.unit.code.cursor_statement(c),
            &mut |types| {
                rows.borrow_mut().types = types.into();
                Ok(())
            },
            &mut Wanted::Each(&mut |row| rows.borrow_mut().push(row).map(|()| true)),
        )?;
        self.host.env().counts.row_count = row_count;
        fail_around(self.host.env())?;
        if let Some(at) = self.cursors.get_mut(c as usize) {
            *at = Some(rows.into_inner());
        }
        Ok(())
    }

    pub(crate) fn fetch(&mut self, c: u32, into: &[u32]) -> SqlResult<()> {
        let Some(Some(mut rows)) = self.cursors.get_mut(c as usize).map(Option::take) else {
            return Err(SqlError::new(ErrorCode::SP_CURSOR_NOT_OPEN, &[]));
        };
        let types = rows.types.clone();
        let done = match types.len() == into.len() {
            false => Err(SqlError::new(ErrorCode::SP_WRONG_NO_OF_FETCH_ARGS, &[])),
            true => rows.fetch(&mut |n, v| match (into.get(n), types.get(n)) {
                (Some(slot), Some(ty)) => {
                    // a cursor's rows are those of a temporary table
                    self.host.env().conv.copied = true;
                    let stored = self.assign(*slot, v, ty);
                    self.host.env().conv.copied = false;
                    stored
                }
                _ => Ok(()),
            }),
        };
        if let Some(at) = self.cursors.get_mut(c as usize) {
            *at = Some(rows);
        }
        done
    }
}

/// In strict mode what an expression has warned of is an error of the assignment that it is for.
pub(crate) fn strict_error(env: &mut Env) -> SqlResult<()> {
    match env.conv.warnings.is_empty() || !env.vars.sql_mode().is_strict() {
        true => Ok(()),
        false => env.fail_of_warnings(0),
    }
}

/// The same where the strictness is that of what is around the program.
pub(crate) fn fail_around(env: &mut Env) -> SqlResult<()> {
    match env.conv.warnings.is_empty() || !env.is_strict_around() {
        true => Ok(()),
        false => env.fail_of_warnings(0),
    }
}
