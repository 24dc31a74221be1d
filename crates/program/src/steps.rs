//! One step of a program.

use base::{ErrorCode, SqlError, SqlResult};
use executor::UserVar;
use executor::strictness::Class;
use value::{OwnedValue, SqlType};

use crate::code::{Address, Instruction, Kind};
use crate::conditions::handler;
use crate::host::Host;
use crate::run::{Next, Run, store};
use crate::values::{fail_around, strict_error};

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
                let (v, ty) = self.value(*n)?;
                fail_around(self.host.env())?;
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
            Instruction::EndHandler(to) => {
                self.areas.stacked.pop();
                self.areas.leave_what_is_new();
                self.host.told(self.areas);
                let back = self.active.pop().map_or(at + 1, |a| a.back);
                Ok(Next::At(to.unwrap_or(back)))
            }
            Instruction::NoCase => Err(SqlError::new(ErrorCode::SP_CASE_NOT_FOUND, &[])),
            sql => self.statement_step(at, sql),
        }
    }

    /// SET of a variable of the program.
    fn set_slot(&mut self, at: Address, slot: u32, n: u32) -> SqlResult<Next> {
        // what fails leaves NULL
        let v = self.converted(slot, n);
        self.put(slot, v.as_ref().map_or(OwnedValue::Null, Clone::clone));
        v?;
        Ok(Next::At(self.warned(at, true)))
    }

    /// SET @name.
    fn set_user(&mut self, at: Address, name: &str, n: u32) -> SqlResult<Next> {
        let (v, ty) = self.value(n)?;
        fail_around(self.host.env())?;
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
        let value = self.value(n);
        self.host.env().statement.strictness = outer;
        let (v, from) = value?;
        strict_error(self.host.env())?;
        let v = store(v.as_value(), &from, &ty, self.call, self.host.env())?;
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
        let found =
            self.areas.present.iter().enumerate().rev().find_map(|(n, c)| Some((n, handler(&self.unit.code, at, c)?)));
        match found {
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
