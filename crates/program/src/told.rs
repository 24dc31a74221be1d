//! What performance_schema is told of a program's steps: which instruction is which of MySQL's (`statement/sp/...`),
//! and with what text.
//!
//! MySQL's list of instructions is a little longer than ours: what declares cursors and handlers, and what ends their
//! blocks, stands with a neighbour ([`Told::also`]). Its optimizer leaves jumps to the next instruction out and lets
//! jumps to jumps go on at once: [`mark_jumps`], [`Run::begin_event`]. Tested: `tests/clients/test_program_events.py`.

use std::sync::Arc;

use base::SqlError;
use parser::secrets::Shown;
use probe::objects::Kind;
use probe::programs::{Slot as Sums, Step};
use probe::steps::{Caller, Ended};
use storage::dict::ProgramKind;
use value::SqlMode;

use crate::code::{Address, Instruction, Slot};
use crate::host::Host;
use crate::run::Run;

/// What an instruction is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Told {
    /// `None`: MySQL has none for it, or it belongs to the one before.
    pub step: Option<Step>,
    /// The statement's text.
    pub span: Option<parser::Span>,
    /// What MySQL has before it, and how often.
    pub also: Vec<(Step, u16)>,
}

impl Told {
    /// Whether it is a jump and nothing else: one that is reached by a jump is none for MySQL.
    fn is_jump(&self) -> bool {
        self.step == Some(Step::Jump) && self.also.is_empty()
    }

    /// Of an instruction.
    pub(crate) fn of(i: &Instruction, slots: &[Slot]) -> Told {
        let step = match i {
            Instruction::Set(slot, _) | Instruction::Clear(slot) => {
                let new = slots.get(*slot as usize).is_some_and(|s| s.row == Some(true));
                if new { Step::SetTriggerField } else { Step::Set }
            }
            Instruction::Keep(..) => Step::SetCase,
            Instruction::Unless(..) => Step::JumpIfNot,
            Instruction::Jump(_) => Step::Jump,
            Instruction::Return(_) => Step::Return,
            Instruction::Open(_) => Step::CursorOpen,
            Instruction::Fetch(..) => Step::CursorFetch,
            Instruction::Close(_) => Step::CursorClose,
            Instruction::EndHandler(_) => Step::HandlerReturn,
            Instruction::NoCase => Step::Error,
            Instruction::Leave(_) => return Told::default(),
            _ => Step::Statement,
        };
        Told { step: Some(step), ..Told::default() }
    }
}

/// Jumps that end at the next instruction are none for MySQL.
pub(crate) fn mark_jumps(code: &[Instruction], told: &mut [Told]) {
    for at in 0..code.len() {
        let Some(Instruction::Jump(to)) = code.get(at) else { continue };
        let mut end = *to;
        for _ in 0..code.len() {
            match (code.get(end as usize), told.get(end as usize)) {
                (Some(Instruction::Jump(next)), Some(t)) if t.is_jump() => end = *next,
                _ => break,
            }
        }
        if let Some(t) = told.get_mut(at).filter(|t| t.step == Some(Step::Jump) && end as usize == at + 1) {
            t.step = None;
        }
    }
}

impl<H: Host> Run<'_, H> {
    /// The program begins.
    pub(crate) fn enter_events(&mut self) -> Caller {
        let unit = self.unit;
        let slot = || {
            let mut kept = unit.sums.borrow_mut();
            if !kept.as_ref().is_some_and(|s: &Arc<Sums>| s.is_good()) {
                let d = &unit.definition;
                let kind = match d.kind {
                    ProgramKind::Procedure => Kind::Procedure,
                    ProgramKind::Function => Kind::Function,
                    ProgramKind::Trigger => Kind::Trigger,
                    ProgramKind::Event => Kind::Event,
                };
                *kept = probe::programs::slot(kind, &d.schema, &d.name);
            }
            kept.clone()
        };
        let env = self.host.env();
        let now = env.clock.now_us.max(0) as u64;
        let r = &env.client.connection.activity.recorder;
        env.kernel.steps.enter(r, slot, env.schema.as_ref(), now)
    }

    /// It has ended.
    pub(crate) fn leave_events(&mut self, caller: Caller) {
        let env = self.host.env();
        env.kernel.steps.leave(&env.client.connection.activity.recorder, caller);
    }

    /// What may be seen of the text of a statement.
    fn shown(&mut self, at: Address, span: parser::Span) -> Option<Arc<[u8]>> {
        let unit = self.unit;
        let escapes = !self.host.env().vars.sql_mode().has(SqlMode::NO_BACKSLASH_ESCAPES);
        let text = unit.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        let made = || {
            let text = Shown::of(text.trim_ascii(), escapes);
            match text.bytes().strip_prefix(b",") {
                // one of several that SET assigns
                Some(item) => [b"SET ".as_slice(), item.trim_ascii()].concat().into(),
                None => text.bytes().into(),
            }
        };
        Some(unit.texts.get(at as usize)?.get_or_init(made).clone())
    }

    /// Whether the step is the end of a CONTINUE handler: what it goes back to is reached anew.
    pub(crate) fn goes_back(&self, at: Address) -> bool {
        matches!(self.unit.code.instructions.get(at as usize), Some(Instruction::EndHandler(None)))
    }

    /// A step begins. `jumped`: the one before has jumped here.
    #[inline]
    pub(crate) fn begin_event(&mut self, at: Address, jumped: bool) {
        let Some(told) = self.unit.code.told.get(at as usize) else { return };
        if told.step.is_some() && !(jumped && told.is_jump()) || !told.also.is_empty() {
            self.begin_told(at, told);
        }
    }

    fn begin_told(&mut self, at: Address, told: &Told) {
        let text = told.span.and_then(|s| self.shown(at, s));
        let env = self.host.env();
        let r = &env.client.connection.activity.recorder;
        for (step, n) in &told.also {
            env.kernel.steps.also(r, *step, *n);
        }
        match told.step {
            Some(step @ (Step::Statement | Step::CursorOpen)) => {
                env.kernel.steps.begin_statement(r, step, text.as_ref());
            }
            Some(step) => env.kernel.steps.begin(r, step),
            None => {}
        }
    }

    /// A condition has come up, and a handler has taken it or not.
    pub(crate) fn tell_condition(&mut self, code: u16, handled: bool) {
        let env = self.host.env();
        env.kernel.steps.condition(&env.client.connection.activity.recorder, code, handled);
    }

    /// It has ended.
    #[inline]
    pub(crate) fn end_event(&mut self, at: Address, error: Option<&SqlError>) {
        let Some(Told { step: Some(step), span, .. }) = self.unit.code.told.get(at as usize) else { return };
        let env = self.host.env();
        let r = &env.client.connection.activity.recorder;
        if error.is_some() {
            env.kernel.steps.slow(r);
        }
        if !env.kernel.steps.is_slow() {
            env.kernel.steps.end(r);
            return;
        }
        self.end_slow_event(at, *step, span.is_some(), error);
    }

    fn end_slow_event(&mut self, at: Address, step: Step, text: bool, error: Option<&SqlError>) {
        let text = if text { self.unit.texts.get(at as usize).and_then(|t| t.get()).cloned() } else { None };
        let present = self.areas.present.len() as u64;
        let counts = matches!(
            self.unit.code.instructions.get(at as usize),
            Some(Instruction::Statement(..) | Instruction::Into(..) | Instruction::Call(_) | Instruction::SetUser(..))
        );
        let env = self.host.env();
        let counts = counts && error.is_none();
        let rows = match env.counts.row_count {
            _ if !counts => [0; 2],
            n if n < 0 => [0, env.counts.rows_sent],
            n => [n as u64, 0],
        };
        let warnings = if error.is_some() { env.conv.warning_count } else { present };
        let ended = Ended {
            rows,
            warnings: if step == Step::Statement { warnings } else { 0 },
            error: error.map(|e| (e.code(), e.message())),
            result_set: counts && env.counts.row_count < 0,
        };
        env.kernel.steps.end_slow(&env.client.connection.activity.recorder, text.as_ref(), &ended);
    }
}
