//! One step of a program.

use base::{ErrorCode, SqlError, SqlResult};
use executor::UserVar;
use executor::strictness::Class;
use value::{OwnedValue, SqlType};

use crate::code::{Address, Instruction, Kind, names_counts};
use crate::host::Host;
use crate::run::Run;
use crate::store::store;
use crate::values::strict_error;

/// Where a program goes on behind a step.
pub(crate) enum Next {
    At(Address),
    Returned(OwnedValue),
    Over,
}

/// What kind of statement an instruction is for what is strict around it; `None`: that of whoever calls the program.
fn class(i: &Instruction) -> Option<Class> {
    Some(match i {
        Instruction::Fetch(..) => return None,
        Instruction::Evaluate(_) | Instruction::Raise(_) | Instruction::Diagnostics(..) => Class::Lenient,
        Instruction::Unless(..) | Instruction::Keep(..) | Instruction::Return(_) | Instruction::Call(_) => Class::Other,
        _ => Class::Query,
    })
}

impl<H: Host> Run<'_, H> {
    pub(crate) fn step(&mut self, at: Address) -> SqlResult<Next> {
        let unit = self.unit;
        let Some(i) = unit.code.instructions.get(at as usize) else { return Ok(Next::Over) };
        let called_by = self.called_by;
        if unit.counts {
            self.count_conditions(at, i);
        }
        let env = self.host.env();
        // LAST_INSERT_ID() is what the statements before have made, also in what is no statement with a plan
        env.insert_ids.at_start = env.insert_ids.next;
        let strictness = &mut env.statement.strictness;
        (strictness.class, strictness.into_variables) = (class(i).unwrap_or(called_by), false);
        match i {
            Instruction::Set(slot, n) => self.set_slot(at, *slot, *n),
            Instruction::Clear(slot) => {
                self.put(*slot, OwnedValue::Null);
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Keep(slot, n) => {
                let (v, ty) = self.checked_value(*n)?;
                unit.retype(*slot, &ty);
                self.put(*slot, v);
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::SetUser(name, n) => self.set_user(at, name, *n),
            Instruction::Evaluate(n) => {
                self.value(*n)?;
                self.host.env().counts.row_count = 0;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Unless(n, to) => {
                self.host.step()?;
                let (holds, next) = (self.truth(*n)?, self.warned(at, true));
                Ok(Next::At(if next == at + 1 && !holds { *to } else { next }))
            }
            Instruction::Jump(to) => {
                if *to <= at {
                    self.host.step()?;
                }
                Ok(Next::At(*to))
            }
            Instruction::Return(n) => self.return_value(at, *n),
            Instruction::Leave(list) => {
                for c in list {
                    if let Some(c) = self.cursors.get_mut(*c as usize) {
                        *c = None;
                    }
                }
                Ok(Next::At(at + 1))
            }
            Instruction::Raise(r) => {
                let area = self.raise(r)?;
                Ok(Next::At(self.left(at, area)))
            }
            Instruction::Diagnostics(stacked, wanted) => {
                self.diagnostics(*stacked, wanted)?;
                Ok(Next::At(at + 1))
            }
            Instruction::EndHandler(to) => Ok(Next::At(self.end_handler(at, *to))),
            Instruction::NoCase => {
                // what the last of its conditions has warned of stands before the error
                self.areas.ahead = std::mem::take(&mut self.areas.present);
                Err(SqlError::new(ErrorCode::SP_CASE_NOT_FOUND, &[]))
            }
            sql => self.statement_step(at, sql),
        }
    }

    /// The area is what the handler has left; behind the statement that raised its condition, or at `to`.
    fn end_handler(&mut self, at: Address, to: Option<Address>) -> Address {
        self.areas.stacked.pop();
        self.areas.leave_what_is_new();
        self.host.told(self.areas);
        let Some(ended) = self.active.pop() else { return to.unwrap_or(at + 1) };
        self.areas.counted = ended.counted;
        to.unwrap_or(ended.back)
    }

    /// What the step reads as `@@warning_count`: a statement the conditions that the one before has left; an expression
    /// of the program, which begins with an empty area, what was there for the last statement that asked.
    fn count_conditions(&mut self, at: Address, i: &Instruction) {
        let expression = matches!(
            i,
            Instruction::Set(..)
                | Instruction::Keep(..)
                | Instruction::Unless(..)
                | Instruction::Return(_)
                | Instruction::Raise(_)
                | Instruction::Open(_)
        );
        let present = self.areas.counts();
        let span = self.unit.code.told.get(at as usize).and_then(|t| t.span);
        let text = span.and_then(|s| self.unit.source.get(s.start as usize..s.end as usize));
        if !expression && text.is_some_and(names_counts) {
            self.areas.counted = present;
        }
        self.host.env().counts.conditions = if expression { self.areas.counted } else { present };
    }

    /// SET of a variable of the program.
    fn set_slot(&mut self, at: Address, slot: u32, n: u32) -> SqlResult<Next> {
        self.set(slot, n)?;
        Ok(Next::At(self.warned(at, true)))
    }

    /// SET @name.
    fn set_user(&mut self, at: Address, name: &str, n: u32) -> SqlResult<Next> {
        let (v, ty) = self.checked_value(n)?;
        base::memory::check()?;
        self.host.env().counts.row_count = 0;
        self.host.env().user_vars.insert(name.into(), UserVar::new(v, ty));
        Ok(Next::At(self.warned(at, true)))
    }

    /// RETURN: the value in the function's type.
    fn return_value(&mut self, at: Address, n: u32) -> SqlResult<Next> {
        let ty = self.unit.definition.result.clone().unwrap_or(SqlType::bigint());
        // one that fails, and is handled, has returned NULL
        self.returned = true;
        let outer = self.host.env().begin_assignment();
        let (mut v, call) = (OwnedValue::Null, self.call);
        let stored = self.with_value(n, &mut |value, from, env| {
            strict_error(env)?;
            v = store(value, from, &ty, call, env)?;
            Ok(())
        });
        self.host.env().statement.strictness = outer;
        stored?;
        // what is left of a function's warnings are those of its value
        let next = self.warned(at, true);
        Ok(if next == at + 1 { Next::Returned(v) } else { Next::At(next) })
    }

    /// A step that runs a statement.
    fn statement_step(&mut self, at: Address, i: &Instruction) -> SqlResult<Next> {
        self.host.step()?;
        match i {
            Instruction::Statement(n, kind) => {
                self.statement(*n, *kind)?;
                Ok(Next::At(if *kind == Kind::Keeps { at + 1 } else { self.warned(at, true) }))
            }
            Instruction::Into(n, targets) => {
                self.into(*n, targets)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Call(n) => {
                self.call(*n)?;
                // the OK of a CALL has no count below 0
                let counts = &mut self.host.env().counts;
                counts.row_count = counts.row_count.max(0);
                Ok(Next::At(self.warned_by_call(at)))
            }
            Instruction::Open(c) => {
                self.open(*c)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Fetch(c, into) => {
                self.fetch(*c, into)?;
                Ok(Next::At(self.warned(at, true)))
            }
            Instruction::Close(c) => match self.cursors.get_mut(*c as usize).and_then(Option::take) {
                Some(_) => Ok(Next::At(self.warned(at, true))),
                None => Err(SqlError::new(ErrorCode::SP_CURSOR_NOT_OPEN, &[])),
            },
            _ => Ok(Next::At(at + 1)),
        }
    }

    /// What a procedure has left in the area is the area of its CALL.
    fn warned_by_call(&mut self, at: Address) -> Address {
        match self.handler_among(at, &self.areas.present) {
            Some((n, body)) => {
                let area = self.areas.present.clone();
                self.enter(at, n, area);
                body
            }
            None => {
                self.host.told(self.areas);
                at + 1
            }
        }
    }
}
