//! The interpreter.
//!
//! [`Run`] is one program that runs: its slots, its open cursors, the handlers that are active. A step that fails, or
//! leaves a warning, looks for a handler around it (`conditions.rs`); the handler's body runs in the same frame, with the
//! condition's area put aside, and goes back behind the step or to the end of its block. What no handler takes ends the
//! program and is the error of the CALL, the function or the trigger, where the caller's handlers are asked.
//!
//! Trees are needed only where something has no plan yet: the text is parsed once then for the whole run.

use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use executor::{Env, UserVar};
use parser::ast::{Call, Expr, ExprKind, ParameterMode, Statement};
use storage::dict::ProgramDefinition;
use value::{Level, OwnedValue, SqlType, Value, convert};

use crate::code::{Address, Instruction, Kind, Target, Unit};
use crate::compile::{Trees, compile};
use crate::conditions::{Areas, Condition, handler};
use crate::cursor::Rows;
use crate::host::{Evaluated, Host, Place};

/// A compiled program of the dictionary.
pub type Program<P> = Unit<Arc<ProgramDefinition>, P>;

/// What a parameter of CALL is given.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its value and type.
    pub value: Evaluated,
    /// Where an OUT or INOUT parameter's value goes.
    pub target: Option<Target>,
}

/// A handler that runs.
struct Active {
    /// Behind the step that raised its condition.
    back: Address,
}

/// A program that runs.
pub struct Run<'r, H: Host> {
    unit: &'r Program<H::Plan>,
    host: &'r mut H,
    areas: &'r mut Areas,
    arena: &'r Bump,
    trees: Option<Rc<Trees<'r>>>,
    slots: Vec<OwnedValue>,
    cursors: Vec<Option<Rows>>,
    active: Vec<Active>,
    /// Areas put aside before it began.
    outside: usize,
    /// A function's call as it is written.
    call: &'r str,
}

/// Stores a value in a place of a program. Warnings and errors name it as MySQL names it: a column of row 1.
///
/// # Errors
/// Those of the conversion.
pub fn store(v: Value<'_>, from: &SqlType, to: &SqlType, name: &str, env: &mut Env) -> SqlResult<OwnedValue> {
    match v {
        Value::Null => return Ok(OwnedValue::Null),
        Value::Int(n) if to.kind == value::TypeKind::BigInt && !to.unsigned => return Ok(OwnedValue::Int(n)),
        Value::Int(n) if to.kind == value::TypeKind::Int && !to.unsigned && i32::try_from(n).is_ok() => {
            return Ok(OwnedValue::Int(n));
        }
        _ => {}
    }
    let arena = Bump::new();
    let strict = std::mem::replace(&mut env.conv.strict, env.vars.sql_mode().is_strict());
    let stored = convert::convert_for_column(v, from, to, &mut env.conv, name, 1, &arena).map(|v| v.to_owned());
    env.conv.strict = strict;
    stored
}

/// Runs a procedure with these arguments; what its OUT parameters have at the end, in the order of the parameters.
///
/// # Errors
/// Those that no handler takes.
pub fn procedure<H: Host>(
    unit: &Program<H::Plan>,
    arguments: &[Argument],
    host: &mut H,
    areas: &mut Areas,
) -> SqlResult<Vec<Option<Evaluated>>> {
    let definition = unit.definition.clone();
    host.within(&definition, &mut |host| {
        let arena = Bump::new();
        let mut run = Run::new(unit, host, areas, &arena);
        for (n, a) in arguments.iter().enumerate() {
            if unit.definition.parameters.get(n).is_some_and(|p| p.mode != storage::dict::ParameterMode::Out) {
                run.assign(n as u32, a.value.0.as_value(), &a.value.1)?;
            }
        }
        run.go()?;
        let types = unit.types.borrow().clone();
        let out = unit.definition.parameters.iter().enumerate().map(|(n, p)| {
            let value = run.slots.get(n).cloned().unwrap_or_default();
            let ty = types.get(n).cloned()?;
            (p.mode != storage::dict::ParameterMode::In).then_some((value, ty))
        });
        Ok(out.collect())
    })
}

/// Runs a function with these arguments: its value. `call`: how errors of its value name it.
///
/// # Errors
/// 1321 for one that ends without RETURN; those that no handler takes.
pub fn function<H: Host>(
    unit: &Program<H::Plan>,
    arguments: &[Evaluated],
    call: &str,
    host: &mut H,
    areas: &mut Areas,
) -> SqlResult<OwnedValue> {
    let definition = unit.definition.clone();
    host.within(&definition, &mut |host| {
        let arena = Bump::new();
        let mut run = Run::new(unit, host, areas, &arena);
        run.call = call;
        for (n, (v, ty)) in arguments.iter().enumerate() {
            run.assign(n as u32, v.as_value(), ty)?;
        }
        match run.go()? {
            Some(v) => Ok(v),
            None => Err(SqlError::new(ErrorCode::SP_NORETURNEND, &[&unit.definition.name])),
        }
    })
}

/// Runs a trigger or an event. `slots`: values of NEW and OLD in the places that the program has for them; those of NEW
/// afterwards.
///
/// # Errors
/// Those that no handler takes.
pub fn trigger<H: Host>(
    unit: &Program<H::Plan>,
    slots: &mut Vec<OwnedValue>,
    host: &mut H,
    areas: &mut Areas,
) -> SqlResult<()> {
    let definition = unit.definition.clone();
    host.within(&definition, &mut |host| {
        let arena = Bump::new();
        let mut run = Run::new(unit, host, areas, &arena);
        std::mem::swap(&mut run.slots, slots);
        let done = run.go();
        std::mem::swap(&mut run.slots, slots);
        done.map(drop)
    })
}

impl<P> Drop for Running<'_, P> {
    fn drop(&mut self) {
        self.0.active.set(self.0.active.get().saturating_sub(1));
    }
}

/// Counts a program as running.
struct Running<'r, P>(&'r Program<P>);

impl<'r, H: Host> Run<'r, H> {
    /// A program that has not begun.
    fn new(unit: &'r Program<H::Plan>, host: &'r mut H, areas: &'r mut Areas, arena: &'r Bump) -> Run<'r, H> {
        let outside = areas.stacked.len();
        Run {
            unit,
            host,
            arena,
            trees: None,
            slots: unit.empty.clone(),
            cursors: (0..unit.code.cursors).map(|_| None).collect(),
            active: Vec::new(),
            outside,
            areas,
            call: "",
        }
    }

    /// Runs it: what RETURN gives.
    fn go(&mut self) -> SqlResult<Option<OwnedValue>> {
        sched::stack::check()?;
        self.unit.active.set(self.unit.active.get() + 1);
        let _running = Running(self.unit);
        let mut at: Address = 0;
        let done = loop {
            match self.step(at) {
                Ok(Next::At(next)) => at = next,
                Ok(Next::Returned(v)) => break Ok(Some(v)),
                Ok(Next::Over) => break Ok(None),
                Err(e) => match self.handled(at, &e) {
                    Some(next) => at = next,
                    None => break Err(e),
                },
            }
        };
        // handlers that RETURN or an error has left
        self.areas.stacked.truncate(self.outside);
        done
    }

    /// The handler of an error: its area is put aside.
    fn handled(&mut self, at: Address, e: &SqlError) -> Option<Address> {
        let warnings = self.taken_warnings();
        let condition = self.areas.condition(e);
        let body = match self.host.may_handle(e) {
            true => handler(&self.unit.code, at, &condition),
            false => None,
        };
        let Some(body) = body else {
            // the items go on with the error
            self.areas.raised = condition.items;
            self.areas.present = warnings;
            return None;
        };
        let mut area = warnings;
        area.push(condition);
        self.enter(at, area.len() - 1, area);
        Some(body)
    }

    fn enter(&mut self, at: Address, which: usize, area: Vec<Condition>) {
        self.areas.stacked.push((area.clone(), which));
        self.areas.present = area;
        self.host.env().counts.row_count = -1;
        self.active.push(Active { back: at + 1 });
        self.host.told(self.areas);
    }

    /// Warnings of the step that has ended.
    fn taken_warnings(&mut self) -> Vec<Condition> {
        let env = self.host.env();
        let notes = env.vars.bool(catalog::sysvar::Var::sql_notes);
        let list = std::mem::take(&mut env.conv.warnings);
        env.conv.warning_count = 0;
        list.iter().filter(|w| notes || w.level != Level::Note).map(Condition::of_warning).collect()
    }

    /// Behind a step that has succeeded: its warnings are the area, and may have a handler.
    fn warned(&mut self, at: Address, replaces: bool) -> Address {
        if self.host.env().conv.warnings.is_empty() {
            if replaces && !self.areas.present.is_empty() {
                self.areas.present.clear();
                self.host.told(self.areas);
            }
            return at + 1;
        }
        let mut area = self.taken_warnings();
        if let Some(items) = self.areas.raised.take()
            && let Some(c) = area.last_mut()
        {
            c.items = Some(items);
        }
        let found = area.iter().enumerate().rev().find_map(|(n, c)| Some((n, handler(&self.unit.code, at, c)?)));
        match found {
            Some((n, body)) => {
                self.enter(at, n, area);
                body
            }
            None => {
                self.areas.present = area;
                self.host.told(self.areas);
                at + 1
            }
        }
    }

    fn step(&mut self, at: Address) -> SqlResult<Next> {
        let unit = self.unit;
        let Some(i) = unit.code.instructions.get(at as usize) else { return Ok(Next::Over) };
        match i {
            Instruction::Set(slot, n) => {
                // what fails leaves NULL
                let v = self.converted(*slot, *n);
                self.put(*slot, v.as_ref().map_or(OwnedValue::Null, Clone::clone));
                v?;
                Ok(Next::At(self.warned(at, false)))
            }
            Instruction::Clear(slot) => {
                self.put(*slot, OwnedValue::Null);
                Ok(Next::At(at + 1))
            }
            Instruction::Keep(slot, n) => {
                let (v, ty) = self.value(*n)?;
                unit.retype(*slot, &ty);
                self.put(*slot, v);
                Ok(Next::At(self.warned(at, false)))
            }
            Instruction::SetUser(name, n) => {
                let (v, ty) = self.value(*n)?;
                base::memory::check()?;
                self.host.env().user_vars.insert(name.clone(), UserVar::new(v, ty));
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Evaluate(n) => {
                self.value(*n)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Unless(n, to) => {
                self.host.step()?;
                let (holds, next) = (self.truth(*n)?, self.warned(at, false));
                Ok(Next::At(if next == at + 1 && !holds { *to } else { next }))
            }
            Instruction::Jump(to) => {
                if *to <= at {
                    self.host.step()?;
                }
                Ok(Next::At(*to))
            }
            Instruction::Statement(n, kind) => {
                self.host.step()?;
                self.statement(*n, *kind)?;
                Ok(Next::At(if *kind == Kind::Keeps { at + 1 } else { self.warned(at, true) }))
            }
            Instruction::Into(n, targets) => {
                self.host.step()?;
                self.into(*n, targets)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Call(n) => {
                self.host.step()?;
                self.call(*n)?;
                Ok(Next::At(self.warned_by_call(at)))
            }
            Instruction::Return(n) => {
                let ty = unit.definition.result.clone().unwrap_or(SqlType::bigint());
                let (v, from) = self.value(*n)?;
                let v = store(v.as_value(), &from, &ty, self.call, self.host.env())?;
                let next = self.warned(at, false);
                Ok(if next == at + 1 { Next::Returned(v) } else { Next::At(next) })
            }
            Instruction::Open(c) => {
                self.host.step()?;
                self.open(*c)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Fetch(c, into) => {
                self.host.step()?;
                self.fetch(*c, into)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Close(c) => match self.cursors.get_mut(*c as usize).and_then(Option::take) {
                Some(_) => Ok(Next::At(self.warned(at, true))),
                None => Err(SqlError::new(ErrorCode::SP_CURSOR_NOT_OPEN, &[])),
            },
            Instruction::Leave(list) => {
                for c in list {
                    if let Some(c) = self.cursors.get_mut(*c as usize) {
                        *c = None;
                    }
                }
                Ok(Next::At(at + 1))
            }
            Instruction::Raise(r) => {
                self.raise(r)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Diagnostics(stacked, wanted) => {
                self.diagnostics(*stacked, wanted)?;
                Ok(Next::At(at + 1))
            }
            Instruction::EndHandler(to) => {
                self.areas.stacked.pop();
                self.areas.present.clear();
                self.host.told(self.areas);
                let back = self.active.pop().map_or(at + 1, |a| a.back);
                Ok(Next::At(to.unwrap_or(back)))
            }
            Instruction::NoCase => Err(SqlError::new(ErrorCode::SP_CASE_NOT_FOUND, &[])),
        }
    }

    /// What a procedure has left in the area is the area of its CALL.
    fn warned_by_call(&mut self, at: Address) -> Address {
        let found =
            self.areas.present.iter().enumerate().rev().find_map(|(n, c)| Some((n, handler(&self.unit.code, at, c)?)));
        match found {
            Some((n, body)) => {
                let area = self.areas.present.clone();
                self.enter(at, n, area);
                body
            }
            None => at + 1,
        }
    }

    // ---- slots

    fn put(&mut self, slot: u32, v: OwnedValue) {
        if let Some(s) = self.slots.get_mut(slot as usize) {
            *s = v;
        }
    }

    /// Gives a slot a value, converted.
    pub(crate) fn assign(&mut self, slot: u32, v: Value<'_>, from: &SqlType) -> SqlResult<()> {
        let types = self.unit.types.borrow().clone();
        let (Some(to), Some(s)) = (types.get(slot as usize), self.unit.code.slots.get(slot as usize)) else {
            return Err(SqlError::unsupported("a slot of a program"));
        };
        let v = store(v, from, to, &s.name, self.host.env())?;
        self.put(slot, v);
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

    fn tree_of_statement(&mut self, n: u32) -> SqlResult<Statement<'r>> {
        let trees = self.trees()?;
        trees.statements.get(n as usize).copied().ok_or_else(lost)
    }

    fn with_value(
        &mut self,
        n: u32,
        f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
    ) -> SqlResult<()> {
        let unit = self.unit;
        let kept = unit.expressions.get(n as usize).ok_or_else(lost)?;
        let types = unit.types.borrow().clone();
        let place = Place { source: &unit.source, types: &types, values: &self.slots };
        if self.host.evaluate(place, kept, None, f)? {
            return Ok(());
        }
        let tree = self.tree_of_expression(n)?;
        let place = Place { source: &unit.source, types: &types, values: &self.slots };
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

    fn converted(&mut self, slot: u32, n: u32) -> SqlResult<OwnedValue> {
        let unit = self.unit;
        let types = unit.types.borrow().clone();
        let (Some(to), Some(s)) = (types.get(slot as usize), unit.code.slots.get(slot as usize)) else {
            return Err(lost());
        };
        let mut out = OwnedValue::Null;
        self.with_value(n, &mut |v, from, env| {
            // in strict mode what the expression warned of is an error of the assignment
            if !env.conv.warnings.is_empty()
                && env.vars.sql_mode().is_strict()
                && let Some(e) = env.conv.take_strict_error(0)
            {
                return Err(e);
            }
            out = store(v, from, to, &s.name, env)?;
            Ok(())
        })?;
        Ok(out)
    }

    fn truth(&mut self, n: u32) -> SqlResult<bool> {
        let mut holds = false;
        self.with_value(n, &mut |v, ty, env| {
            holds = match v {
                Value::Null => false,
                Value::Int(n) => n != 0,
                Value::UInt(n) => n != 0,
                v => convert::to_f64(v, ty, &mut env.conv) != 0.0,
            };
            Ok(())
        })?;
        Ok(holds)
    }

    fn statement(&mut self, n: u32, kind: Kind) -> SqlResult<()> {
        let unit = self.unit;
        let kept = unit.statements.get(n as usize).ok_or_else(lost)?;
        let types = unit.types.borrow().clone();
        if kind == Kind::Planned {
            let place = Place { source: &unit.source, types: &types, values: &self.slots };
            if self.host.statement(place, kept, kind, None)? {
                return Ok(());
            }
        }
        let tree = self.tree_of_statement(n)?;
        let place = Place { source: &unit.source, types: &types, values: &self.slots };
        self.host.statement(place, kept, kind, Some(&tree)).map(drop)
    }

    fn query(
        &mut self,
        n: u32,
        begin: &mut dyn FnMut(&[SqlType]) -> SqlResult<()>,
        f: &mut dyn FnMut(&[Value<'_>]) -> SqlResult<bool>,
    ) -> SqlResult<()> {
        let unit = self.unit;
        let kept = unit.statements.get(n as usize).ok_or_else(lost)?;
        let types = unit.types.borrow().clone();
        let place = Place { source: &unit.source, types: &types, values: &self.slots };
        if self.host.query(place, kept, None, begin, f)? {
            return Ok(());
        }
        let tree = self.tree_of_statement(n)?;
        let place = Place { source: &unit.source, types: &types, values: &self.slots };
        self.host.query(place, kept, Some(&tree), begin, f).map(drop)
    }

    /// SELECT ... INTO: 1222 for another number of columns, 1172 for more than one row (the first one is assigned all
    /// the same), warning 1329 for none.
    fn into(&mut self, n: u32, targets: &[Target]) -> SqlResult<()> {
        let (mut types, mut row): (Vec<SqlType>, Vec<OwnedValue>) = (Vec::new(), Vec::new());
        let mut rows = 0u64;
        let read = self.query(
            n,
            &mut |t| {
                types = t.to_vec();
                match types.len() == targets.len() {
                    true => Ok(()),
                    false => Err(SqlError::new(ErrorCode::WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[])),
                }
            },
            &mut |values| {
                rows += 1;
                if rows > 1 {
                    return Err(SqlError::new(ErrorCode::TOO_MANY_ROWS, &[]));
                }
                row = values.iter().map(Value::to_owned).collect();
                Ok(true)
            },
        );
        for ((target, v), ty) in targets.iter().zip(&row).zip(&types) {
            self.assign_to(target, v.as_value(), ty)?;
        }
        read?;
        let env = self.host.env();
        env.counts.row_count = rows as i64;
        if rows == 0 {
            env.conv.push(Level::Warning, SqlError::new(ErrorCode::SP_FETCH_NO_DATA, &[]));
        }
        Ok(())
    }

    fn open(&mut self, c: u32) -> SqlResult<()> {
        if self.cursors.get(c as usize).is_some_and(Option::is_some) {
            return Err(SqlError::new(ErrorCode::SP_CURSOR_ALREADY_OPEN, &[]));
        }
        let rows = std::cell::RefCell::new(Rows::default());
        self.query(
            self.unit.code.cursor_statement(c),
            &mut |types| {
                *rows.borrow_mut() = Rows::new(types);
                Ok(())
            },
            &mut |row| rows.borrow_mut().push(row).map(|()| true),
        )?;
        if let Some(at) = self.cursors.get_mut(c as usize) {
            *at = Some(rows.into_inner());
        }
        Ok(())
    }

    fn fetch(&mut self, c: u32, into: &[u32]) -> SqlResult<()> {
        let Some(Some(mut rows)) = self.cursors.get_mut(c as usize).map(Option::take) else {
            return Err(SqlError::new(ErrorCode::SP_CURSOR_NOT_OPEN, &[]));
        };
        let types = rows.types.clone();
        let done = match types.len() == into.len() {
            false => Err(SqlError::new(ErrorCode::SP_WRONG_NO_OF_FETCH_ARGS, &[])),
            true => rows.fetch().and_then(|row| {
                into.iter().zip(row).zip(types.iter()).try_for_each(|((s, v), ty)| self.assign(*s, v.as_value(), ty))
            }),
        };
        if let Some(at) = self.cursors.get_mut(c as usize) {
            *at = Some(rows);
        }
        done
    }

    // ---- CALL

    fn call(&mut self, n: u32) -> SqlResult<()> {
        let Statement::Call(call) = self.tree_of_statement(n)? else { return Err(lost()) };
        let unit = self.host.procedure(call)?;
        let mut arguments = Vec::new();
        for (i, (e, p)) in call.args.iter().zip(&unit.definition.parameters).enumerate() {
            let out = p.mode != storage::dict::ParameterMode::In;
            let target = target_of(e);
            let target = match target {
                Some(Target::Slot(s)) if out && !self.may_change(s) => None,
                t => t,
            };
            if out && target.is_none() {
                let name = format!("{}.{}", unit.definition.schema, unit.definition.name);
                return Err(SqlError::new(ErrorCode::SP_NOT_VAR_ARG, &[&(i + 1), &name]));
            }
            let value = match p.mode {
                storage::dict::ParameterMode::Out => (OwnedValue::Null, p.ty.clone()),
                _ => self.argument(e)?,
            };
            arguments.push(Argument { value, target });
        }
        check_arguments(&unit.definition, call)?;
        let out = procedure(&unit, &arguments, self.host, self.areas)?;
        for (a, value) in arguments.iter().zip(out) {
            if let (Some(target), Some((v, ty))) = (&a.target, value) {
                self.assign_to(target, v.as_value(), &ty)?;
            }
        }
        Ok(())
    }

    /// OLD is never changed, NEW only before the row is.
    fn may_change(&self, slot: u32) -> bool {
        match self.unit.code.slots.get(slot as usize).and_then(|s| s.row) {
            None => true,
            Some(new) => new && self.unit.definition.trigger.as_ref().is_some_and(|t| t.before),
        }
    }

    fn argument(&mut self, e: &Expr<'_>) -> SqlResult<Evaluated> {
        let unit = self.unit;
        let types = unit.types.borrow().clone();
        if let ExprKind::Local(l) = e.kind {
            let at = l.slot as usize;
            if let (Some(v), Some(ty)) = (self.slots.get(at), types.get(at)) {
                return Ok((v.clone(), ty.clone()));
            }
        }
        let place = Place { source: &unit.source, types: &types, values: &self.slots };
        let kept = std::cell::RefCell::new(None);
        let mut out = (OwnedValue::Null, SqlType::bigint());
        self.host.evaluate(place, &kept, Some(e), &mut |v, ty, _| {
            out = (v.to_owned(), ty.clone());
            Ok(())
        })?;
        Ok(out)
    }

    // ---- for `diagnostics.rs`

    pub(crate) fn host(&mut self) -> &mut H {
        self.host
    }

    pub(crate) fn areas(&mut self) -> &mut Areas {
        self.areas
    }

    /// The areas that this program's own handlers have put aside, and those of the programs that called it.
    pub(crate) fn handled_area(&self) -> Option<&(Vec<Condition>, usize)> {
        self.areas.stacked.last()
    }
}

/// 1318 for another number of arguments.
///
/// # Errors
/// 1318.
pub fn check_arguments(d: &ProgramDefinition, call: &Call<'_>) -> SqlResult<()> {
    if d.parameters.len() == call.args.len() {
        return Ok(());
    }
    let name = format!("{}.{}", d.schema, d.name);
    let code = ErrorCode::SP_WRONG_NO_OF_ARGS;
    Err(SqlError::new(code, &[&d.kind.name(), &name, &d.parameters.len(), &call.args.len()]))
}

/// What may take the value of an OUT parameter.
pub fn target_of(e: &Expr<'_>) -> Option<Target> {
    match e.unparen().kind {
        ExprKind::UserVar(name) => Some(Target::User(name.to_lowercase().into())),
        ExprKind::Local(l) => Some(Target::Slot(l.slot)),
        _ => None,
    }
}

/// Whether a parameter takes a value.
pub const fn takes(mode: ParameterMode) -> bool {
    !matches!(mode, ParameterMode::Out)
}

#[cold]
fn lost() -> SqlError {
    SqlError::unsupported("a program whose text has changed while it runs")
}

enum Next {
    At(Address),
    Returned(OwnedValue),
    Over,
}
