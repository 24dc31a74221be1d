//! The interpreter.
//!
//! [`Run`] is one program that runs: its slots, its open cursors, the handlers that are active. A step that fails, or
//! leaves a warning, looks for a handler around it (`conditions.rs`); the handler's body runs in the same frame, with
//! the condition's area put aside, and goes back behind the step or to the end of its block. What no handler takes ends
//! the program and is the error of the CALL, the function or the trigger, where the caller's handlers are asked.
//! Trees are needed only where something has no plan yet: the text is parsed once then for the whole run.

use std::rc::Rc;
use std::sync::Arc;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use executor::Env;
use executor::strictness::Class;
use storage::dict::ProgramDefinition;
use value::{Level, OwnedValue};

use crate::code::{Address, Target, Unit};
use crate::compile::Trees;
use crate::conditions::{Areas, Condition, handler, put_before};
use crate::cursor::Rows;
use crate::host::{Evaluated, Host};
use crate::steps::Next;
use crate::store::store_as;

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
pub(crate) struct Active {
    /// Behind the step that raised its condition.
    pub(crate) back: Address,
    /// [`Areas::counted`] of the program or handler around it.
    pub(crate) counted: (u64, u64),
}

/// A program that runs.
pub struct Run<'r, H: Host> {
    pub(crate) unit: &'r Program<H::Plan>,
    pub(crate) host: &'r mut H,
    pub(crate) areas: &'r mut Areas,
    pub(crate) arena: &'r Bump,
    pub(crate) trees: Option<Rc<Trees<'r>>>,
    pub(crate) slots: Vec<OwnedValue>,
    pub(crate) cursors: Vec<Option<Rows>>,
    pub(crate) active: Vec<Active>,
    /// Areas put aside before it began.
    outside: usize,
    /// A function's call as it is written.
    pub(crate) call: &'r str,
    /// A RETURN was begun.
    pub(crate) returned: bool,
    /// What kind of statement has called it: FETCH, which is none of its own, is as strict as that.
    pub(crate) called_by: Class,
    /// Slots of NEW that have got a value.
    pub(crate) assigned: Vec<u32>,
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
    let values = arguments.iter().zip(&definition.parameters);
    let values = values.map(|(a, p)| (p.mode != storage::dict::ParameterMode::Out).then_some(&a.value));
    let (values, said) = given(unit, values, host)?;
    within(&definition, host, areas, said, &mut |host, areas| {
        let arena = Bump::new();
        let mut run = Run::new(unit, host, areas, &arena);
        run.begin_with(&values);
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
    let (values, said) = given(unit, arguments.iter().map(Some), host)?;
    within(&definition, host, areas, said, &mut |host, areas| {
        let arena = Bump::new();
        let mut run = Run::new(unit, host, areas, &arena);
        run.call = call;
        run.begin_with(&values);
        match run.go()? {
            Some(v) => Ok(v),
            None => {
                // it stands behind what the last statement has left
                let areas = &mut *run.areas;
                areas.ahead = areas.present.get(areas.from_before..).unwrap_or_default().to_vec();
                Err(SqlError::new(ErrorCode::SP_NORETURNEND, &[&unit.definition.name]))
            }
        }
    })
}

/// Runs a trigger or an event. `slots`: values of NEW and OLD in the places that the program has for them; those of NEW
/// afterwards. Which of NEW it has given a value comes back.
///
/// # Errors
/// Those that no handler takes.
pub fn trigger<H: Host>(
    unit: &Program<H::Plan>,
    slots: &mut Vec<OwnedValue>,
    host: &mut H,
    areas: &mut Areas,
) -> SqlResult<Vec<u32>> {
    let definition = unit.definition.clone();
    host.told(areas);
    areas.begin_with_seen();
    host.within(&definition, &mut |host| {
        let arena = Bump::new();
        let mut run = Run::new(unit, host, areas, &arena);
        std::mem::swap(&mut run.slots, slots);
        let done = run.go();
        std::mem::swap(&mut run.slots, slots);
        done.map(|_| run.assigned)
    })
}

/// Arguments in the types of their parameters, under the caller's settings; and what that has warned of.
fn given<'a, H: Host>(
    unit: &Program<H::Plan>,
    arguments: impl Iterator<Item = Option<&'a Evaluated>>,
    host: &mut H,
) -> SqlResult<(Vec<OwnedValue>, Vec<Condition>)> {
    let types = unit.types.borrow().clone();
    let mut out = Vec::new();
    let strict = host.env().assigns_strictly();
    let before = host.env().conv.warnings.len();
    for ((a, to), slot) in arguments.zip(types.iter()).zip(&unit.code.slots) {
        out.push(match a {
            Some((v, from)) => store_as(v.as_value(), (from, to), &slot.name, strict, host.env())?,
            None => OwnedValue::Null,
        });
    }
    // INSERT IGNORE warns of its own row at the end, but no program begins with what is an error to whoever waits
    if host.env().is_strict_around() {
        host.env().fail_of_warnings(before)?;
    }
    Ok((out, taken_warnings(host.env())))
}

/// Runs a program in its context. What its arguments have warned of is where its area begins, and stays in front.
fn within<H: Host, T>(
    definition: &Arc<ProgramDefinition>,
    host: &mut H,
    areas: &mut Areas,
    said: Vec<Condition>,
    body: &mut dyn FnMut(&mut H, &mut Areas) -> SqlResult<T>,
) -> SqlResult<T> {
    areas.from_before = said.len();
    areas.present.clone_from(&said);
    // @@warning_count of the program does not see what was before it, as GET DIAGNOSTICS does
    host.told(areas);
    areas.begin_with_seen();
    let done = host.within(definition, &mut |host| body(host, areas));
    areas.leave_what_is_new();
    if done.is_err() {
        put_before(&mut areas.ahead, said.clone());
    }
    put_before(&mut areas.present, said);
    done
}

/// Warnings of what has ended.
fn taken_warnings(env: &mut Env) -> Vec<Condition> {
    let notes = env.vars.bool(catalog::sysvar::Var::sql_notes);
    let list = std::mem::take(&mut env.conv.warnings);
    env.conv.warning_count = 0;
    list.iter().filter(|w| notes || w.level != Level::Note).map(Condition::of_warning).collect()
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
        let called_by = host.env().statement.strictness.class;
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
            returned: false,
            called_by,
            assigned: Vec::new(),
        }
    }

    fn begin_with(&mut self, values: &[OwnedValue]) {
        for (slot, v) in self.slots.iter_mut().zip(values) {
            slot.clone_from(v);
        }
    }

    /// Runs it: what RETURN gives.
    fn go(&mut self) -> SqlResult<Option<OwnedValue>> {
        sched::stack::check()?;
        self.unit.active.set(self.unit.active.get() + 1);
        let _running = Running(self.unit);
        let caller = self.enter_events();
        let counted = std::mem::take(&mut self.areas.counted);
        let (mut at, mut jumped): (Address, bool) = (0, false);
        let done = loop {
            self.begin_event(at, jumped);
            let ran = self.step(at);
            self.end_event(at, ran.as_ref().err());
            match ran {
                Ok(Next::At(next)) => (at, jumped) = (next, next != at + 1 && !self.goes_back(at)),
                Ok(Next::Returned(v)) => break Ok(Some(v)),
                Ok(Next::Over) => break Ok(self.returned.then_some(OwnedValue::Null)),
                Err(e) => match self.handled(at, &e) {
                    Some(next) => (at, jumped) = (next, false),
                    None => break Err(e),
                },
            }
        };
        self.leave_events(caller);
        self.areas.counted = counted;
        // handlers that RETURN or an error has left
        self.areas.stacked.truncate(self.outside);
        done
    }

    /// The handler of an error: its area is put aside.
    fn handled(&mut self, at: Address, e: &SqlError) -> Option<Address> {
        let mut area = std::mem::take(&mut self.areas.ahead);
        area.append(&mut self.taken_warnings());
        let of_called = self.host.env().statement.take_items(e);
        let mut condition = self.areas.condition(e);
        condition.items = condition.items.or(of_called);
        // what GET STACKED DIAGNOSTICS says of itself is for no handler
        let own = e.is(ErrorCode::GET_STACKED_DA_WITHOUT_ACTIVE_HANDLER);
        let body = match self.host.may_handle(e) && !own {
            true => handler(&self.unit.code, at, &condition),
            false => None,
        };
        let Some(body) = body else {
            // the items go on with the error
            self.areas.raised = condition.items;
            self.areas.ahead.clone_from(&area);
            self.areas.replace(area);
            return None;
        };
        // a connection that is gone is noticed by the next step
        let _ = self.host.handled();
        self.host.env().counts.row_count = -1;
        self.tell_condition(e.code(), true);
        let which = area.len();
        area.push(condition);
        let further = std::mem::take(&mut self.host.env().statement.further);
        area.extend(further.iter().map(|(level, e)| Condition { level: *level, ..Condition::of_error(e, None) }));
        self.enter(at, which, area);
        Some(body)
    }

    pub(crate) fn enter(&mut self, at: Address, which: usize, area: Vec<Condition>) {
        self.areas.stacked.push((area.clone(), which));
        (self.areas.present, self.areas.from_before) = (area.clone(), area.len());
        let counted = std::mem::take(&mut self.areas.counted);
        self.active.push(Active { back: self.unit.code.behind(at), counted });
        self.host.told(self.areas);
    }

    /// Warnings of the step that has ended.
    pub(crate) fn taken_warnings(&mut self) -> Vec<Condition> {
        taken_warnings(self.host.env())
    }

    /// Behind a step that has succeeded: its warnings are the area, and may have a handler.
    pub(crate) fn warned(&mut self, at: Address, replaces: bool) -> Address {
        if self.host.env().conv.warnings.is_empty() {
            if replaces && !self.areas.present.is_empty() {
                self.areas.replace(Vec::new());
                self.host.told(self.areas);
            }
            return at + 1;
        }
        let area = self.taken_warnings();
        self.left(at, area)
    }

    /// The handler behind a step that has succeeded: of the last warning or note that has one, never of an error.
    pub(crate) fn handler_among(&self, at: Address, area: &[Condition]) -> Option<(usize, Address)> {
        let asked = area.iter().enumerate().rev().filter(|(_, c)| c.level != Level::Error);
        asked.filter_map(|(n, c)| Some((n, handler(&self.unit.code, at, c)?))).next()
    }

    /// Behind a step that has left conditions, of which one may have a handler.
    pub(crate) fn left(&mut self, at: Address, area: Vec<Condition>) -> Address {
        let found = self.handler_among(at, &area);
        for (n, c) in area.iter().enumerate() {
            self.tell_condition(c.code, found.is_some_and(|f| f.0 == n));
        }
        match found {
            Some((n, body)) => {
                self.enter(at, n, area);
                body
            }
            None => {
                self.areas.replace(area);
                self.host.told(self.areas);
                at + 1
            }
        }
    }

    pub(crate) fn host(&mut self) -> &mut H {
        self.host
    }

    /// Areas that were put aside before it began.
    pub(crate) fn outside(&self) -> usize {
        self.outside
    }

    pub(crate) fn areas(&mut self) -> &mut Areas {
        self.areas
    }

    /// What the innermost handler of this program has put aside; those of programs that called it do not count.
    pub(crate) fn handled_area(&self) -> Option<&(Vec<Condition>, usize)> {
        self.areas.stacked.get(self.outside..).and_then(<[_]>::last)
    }
}

#[cold]
pub(crate) fn lost() -> SqlError {
    SqlError::unsupported("a program whose text has changed while it runs")
}
