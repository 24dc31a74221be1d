//! What a stored program has declared while it is read: the names that its blocks know.
//!
//! MySQL decides while it parses what a name means, and says at once what is wrong with it (1308 to 1338), so this
//! belongs to the grammar. A name is looked for in the innermost block first. A handler's body sees its block's
//! variables, conditions and cursors but not the labels around it. Belongs to one [`super::Parser`]; no locks.

use super::{Fail, PResult, Parser};
use crate::ast::{
    ColumnRef, ConditionValue, CursorDecl, Events, ExprKind, LocalRef, NamedRoutine, NamedTable, ProgramKind, SetItem,
    SetValue, Slot, SlotKind, Span, TriggerEvent,
};
use crate::lexer::Tk;
use base::ErrorCode;

/// A program that is being read.
pub(super) struct ProgramScope<'a> {
    pub(super) kind: ProgramKind,
    /// Of a trigger: event, and whether it is an AFTER trigger.
    pub(super) trigger: Option<(TriggerEvent, bool)>,
    pub(super) slots: Vec<Slot<'a>>,
    pub(super) cursors: Vec<CursorDecl<'a>>,
    pub(super) blocks: Vec<Block<'a>>,
    pub(super) labels: u32,
    pub(super) has_return: bool,
    pub(super) tables: Vec<NamedTable<'a>>,
    pub(super) routines: Vec<NamedRoutine<'a>>,
    /// What is done to tables that are named now.
    pub(super) events: Events,
}

/// Names of a block, of a loop's label, or of a handler's body.
#[derive(Default)]
pub(super) struct Block<'a> {
    pub(super) variables: Vec<(&'a str, u32)>,
    pub(super) conditions: Vec<(&'a str, ConditionValue)>,
    pub(super) cursors: Vec<(&'a str, u32)>,
    pub(super) label: Option<Label<'a>>,
    /// Labels outside are not seen.
    pub(super) handler: bool,
    /// What the block has handlers for.
    pub(super) handled: Vec<ConditionValue>,
}

#[derive(Clone, Copy)]
pub(super) struct Label<'a> {
    pub(super) name: &'a str,
    pub(super) number: u32,
    pub(super) is_loop: bool,
}

/// Whether two names of a program are one.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || (!a.is_ascii() && a.to_lowercase() == b.to_lowercase())
}

impl<'a> ProgramScope<'a> {
    pub(super) fn new(kind: ProgramKind) -> Box<ProgramScope<'a>> {
        Box::new(ProgramScope {
            kind,
            trigger: None,
            slots: Vec::new(),
            cursors: Vec::new(),
            blocks: vec![Block::default()],
            labels: 0,
            has_return: false,
            tables: Vec::new(),
            routines: Vec::new(),
            events: Events::NONE,
        })
    }

    fn variable(&self, name: &str) -> Option<u32> {
        let named = |b: &Block<'a>| b.variables.iter().rev().find(|v| same(v.0, name)).map(|v| v.1);
        self.blocks.iter().rev().find_map(named)
    }

    pub(super) fn condition(&self, name: &str) -> Option<ConditionValue> {
        let named = |b: &Block<'a>| b.conditions.iter().find(|c| same(c.0, name)).map(|c| c.1);
        self.blocks.iter().rev().find_map(named)
    }

    fn cursor(&self, name: &str) -> Option<u32> {
        let named = |b: &Block<'a>| b.cursors.iter().find(|c| same(c.0, name)).map(|c| c.1);
        self.blocks.iter().rev().find_map(named)
    }

    pub(super) fn label(&self, name: &str) -> Option<Label<'a>> {
        for b in self.blocks.iter().rev() {
            if let Some(l) = b.label.filter(|l| same(l.name, name)) {
                return Some(l);
            }
            if b.handler {
                return None;
            }
        }
        None
    }

    /// A new place.
    pub(super) fn slot(&mut self, name: &'a str, kind: SlotKind<'a>) -> u32 {
        self.slots.push(Slot { name, kind, read: false, set: false });
        (self.slots.len() - 1) as u32
    }

    /// The place of a column of NEW or OLD.
    fn row_slot(&mut self, new: bool, name: &'a str, set: bool) -> u32 {
        let same_row = |s: &Slot<'a>| match s.kind {
            SlotKind::New => new,
            SlotKind::Old => !new,
            _ => false,
        };
        let at = match self.slots.iter().position(|s| same_row(s) && same(s.name, name)) {
            Some(at) => at as u32,
            None => self.slot(name, if new { SlotKind::New } else { SlotKind::Old }),
        };
        if let Some(s) = self.slots.get_mut(at as usize) {
            s.set |= set;
            s.read |= !set;
        }
        at
    }
}

impl<'a> Parser<'a, '_> {
    /// Notes a table that a statement of a program names.
    #[inline]
    pub(super) fn note_table(&mut self, schema: Option<&'a str>, name: &'a str) {
        if let Some(p) = &mut self.program {
            let events = p.events;
            p.tables.push(NamedTable { schema, name, events });
        }
    }

    /// From here on a statement of a program names what it changes (of several tables in a join: maybe), or, with
    /// [`Events::NONE`], no more.
    pub(super) fn changing(&mut self, events: Events) {
        if let Some(p) = &mut self.program {
            p.events = events;
        }
    }

    /// What is done besides to the table that was named as number `at` ([`Parser::named_tables`]).
    pub(super) fn changing_too(&mut self, at: usize, events: Events) {
        if let Some(t) = self.program.as_mut().and_then(|p| p.tables.get_mut(at)) {
            t.events = t.events.and(events);
        }
    }

    /// How many tables a program's statements have named.
    pub(super) fn named_tables(&self) -> usize {
        self.program.as_ref().map_or(0, |p| p.tables.len())
    }

    /// Notes a call of a program.
    #[inline]
    pub(super) fn note_routine(&mut self, function: bool, schema: Option<&'a str>, name: &'a str) {
        if let Some(p) = &mut self.program {
            p.routines.push(NamedRoutine { function, schema, name });
        }
    }

    /// The innermost block of the program.
    pub(super) fn block(&mut self) -> Option<&mut Block<'a>> {
        self.program.as_mut().and_then(|p| p.blocks.last_mut())
    }

    pub(super) fn push_block(&mut self, block: Block<'a>) {
        if let Some(p) = &mut self.program {
            p.blocks.push(block);
        }
    }

    pub(super) fn pop_block(&mut self) {
        if let Some(p) = &mut self.program {
            p.blocks.pop();
        }
    }

    /// 1453 for a clause of SET whose word is a variable's name, too.
    pub(super) fn not_shadowed(&self, word: &'static str) -> PResult<()> {
        match self.local_slot(word) {
            Some(_) => Err(Fail::Words(ErrorCode::SP_BAD_VAR_SHADOW, word)),
            None => Ok(()),
        }
    }

    /// The slot of a variable of this name.
    pub(super) fn local_slot(&self, name: &str) -> Option<u32> {
        self.program.as_ref().and_then(|p| p.variable(name))
    }

    /// Whether the variable of this name has a type of whole numbers, as LIMIT wants it.
    pub(super) fn is_whole_number(&self, name: &str) -> bool {
        use crate::ast::TypeName as T;
        let slot = self.program.as_ref().and_then(|p| p.slots.get(p.variable(name)? as usize));
        let ty = slot.and_then(|s| match s.kind {
            SlotKind::Parameter(t) | SlotKind::Variable(t) => Some(t.ty.kind),
            SlotKind::New | SlotKind::Old => None,
        });
        matches!(ty, Some(T::TinyInt | T::SmallInt | T::MediumInt | T::Int | T::BigInt | T::Bool | T::Serial))
    }

    /// What this name means where a column may stand: a variable of the program comes before a column.
    #[inline]
    pub(super) fn local(&self, name: &'a str, span: Span) -> Option<ExprKind<'a>> {
        let slot = self.local_slot(name)?;
        Some(ExprKind::Local(self.alloc(LocalRef { span, slot, name })))
    }

    /// NEW.x and OLD.x in a trigger. 1363 where the event has no such row.
    pub(super) fn row_column(&mut self, c: &ColumnRef<'a>, set: bool) -> PResult<Option<(u32, bool)>> {
        let Some((event, _)) = self.program.as_ref().and_then(|p| p.trigger) else { return Ok(None) };
        let Some(row) = c.table.filter(|_| c.schema.is_none()) else { return Ok(None) };
        let new = match row {
            _ if row.eq_ignore_ascii_case("NEW") => true,
            _ if row.eq_ignore_ascii_case("OLD") => false,
            _ => return Ok(None),
        };
        let missing = |row, on| Err(Fail::TwoWords(ErrorCode::TRG_NO_SUCH_ROW_IN_TRG, row, on));
        match (event, new) {
            (TriggerEvent::Insert, false) => return missing("OLD", "on INSERT"),
            (TriggerEvent::Delete, true) => return missing("NEW", "on DELETE"),
            _ => {}
        }
        Ok(self.program.as_mut().map(|p| (p.row_slot(new, c.column, set), new)))
    }

    /// A column's name as an expression, which may be a variable's or one of NEW or OLD.
    pub(super) fn column_or_local(&mut self, c: ColumnRef<'a>) -> PResult<ExprKind<'a>> {
        if self.program.is_some() {
            if c.table.is_none()
                && let Some(kind) = self.local(c.column, c.span)
            {
                self.variables += 1;
                return Ok(kind);
            }
            if let Some((slot, new)) = self.row_column(&c, false)? {
                let row = if new { "NEW." } else { "OLD." };
                let name = self.arena.alloc_str(&format!("{row}{}", c.column));
                return Ok(ExprKind::Local(self.alloc(LocalRef { span: c.span, slot, name })));
            }
        }
        Ok(ExprKind::Column(self.alloc(c)))
    }

    /// `SET name = ` where the name is a variable of the program or a column of NEW; `None`: it is something else.
    pub(super) fn set_local(&mut self) -> PResult<Option<SetItem<'a>>> {
        if self.program.is_none() || !self.is_ident() {
            return Ok(None);
        }
        let start = self.pos;
        let name = self.ident()?;
        let slot = if self.accept(Tk::Dot) {
            let span = Span::new(self.cur.start, self.cur.end);
            let column = ColumnRef { span, schema: None, table: Some(name), column: self.ident_after_dot()? };
            let trigger = self.program.as_ref().and_then(|p| p.trigger);
            // OLD is never changed, whether the event has it or not
            if trigger.is_some() && name.eq_ignore_ascii_case("OLD") {
                return Err(Fail::TwoWords(ErrorCode::TRG_CANT_CHANGE_ROW, "OLD", ""));
            }
            match self.row_column(&column, true)? {
                Some(_) if trigger.is_some_and(|t| t.1) => {
                    return Err(Fail::TwoWords(ErrorCode::TRG_CANT_CHANGE_ROW, "NEW", "after "));
                }
                found => found.map(|f| f.0),
            }
        } else {
            self.local_slot(name)
        };
        let Some(slot) = slot else {
            self.rewind(start);
            return Ok(None);
        };
        self.assign_op()?;
        let value = match self.kw() {
            crate::lexer::Kw::DEFAULT if self.peek(1).kind != Tk::LParen => {
                self.advance();
                SetValue::Default
            }
            _ => SetValue::Expr(self.expr()?),
        };
        Ok(Some(SetItem::Local { slot, value }))
    }

    /// A variable that gets a value: of the program, which must have it (1327).
    pub(super) fn target(&mut self) -> PResult<u32> {
        let at = self.cur.start;
        let name = self.ident()?;
        self.local_slot(name).ok_or(Fail::Name(ErrorCode::SP_UNDECLARED_VAR, at))
    }

    /// The number of a cursor (1324).
    pub(super) fn cursor_name(&mut self) -> PResult<u32> {
        let at = self.cur.start;
        let name = self.ident()?;
        let found = self.program.as_ref().and_then(|p| p.cursor(name));
        found.ok_or(Fail::Name(ErrorCode::SP_CURSOR_MISMATCH, at))
    }

    /// A condition of a SIGNAL or RESIGNAL by its name: its SQLSTATE. 1319, 1646.
    pub(super) fn signalled_condition(&mut self, at: u32, name: &str) -> PResult<Option<[u8; 5]>> {
        let Some(p) = &self.program else { return Ok(None) };
        match p.condition(name) {
            Some(ConditionValue::Sqlstate(s)) => Ok(Some(s)),
            Some(_) => Err(Fail::Words(ErrorCode::SIGNAL_BAD_CONDITION_TYPE, "")),
            None => Err(Fail::Name(ErrorCode::SP_COND_MISMATCH, at)),
        }
    }
}
