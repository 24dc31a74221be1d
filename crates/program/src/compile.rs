//! From the tree of a program to its code.
//!
//! One walk in the order of the text. It numbers expressions and statements; walking again over the same text gives the
//! same numbers, so the trees can be had back when one of them has to be planned ([`Trees`]). Names are resolved by the
//! parser; labels become addresses here.

use bumpalo::Bump;
use parser::ast::{
    Arm, BinaryOp, Block, Body, BodyKind, BodyStatement, ConditionValue, Expr, ExprKind, HandlerDecl, LocalRef,
    SlotKind, Statement,
};
use probe::programs::Step;

use crate::code::{Address, Code, Handler, Instruction, Number, Scope, Slot};
use crate::told::{Told, mark_jumps};

/// Expressions and statements of a program by their numbers.
#[derive(Default)]
pub struct Trees<'a> {
    /// Expressions.
    pub expressions: Vec<Expr<'a>>,
    /// Statements, then the queries of the cursors.
    pub statements: Vec<Statement<'a>>,
    spans: Vec<parser::Span>,
}

pub(crate) struct Compiler<'a> {
    pub(crate) arena: &'a Bump,
    trees: Trees<'a>,
    slots: Vec<Slot>,
    out: Vec<Instruction>,
    told: Vec<Told>,
    /// What the next instruction has before it, for performance_schema.
    also: Vec<(Step, u16)>,
    /// Text of the statement that is compiled, until it has an instruction that stands for it.
    pub(crate) text: Option<Option<parser::Span>>,
    scope_of: Vec<Option<u32>>,
    scopes: Vec<Scope>,
    scope: Option<u32>,
    /// By label: where ITERATE goes, jumps of LEAVE that wait for the end.
    labels: Vec<(Address, Vec<Address>)>,
    /// Cursors of the blocks around what is compiled, with the label of the block and whether it has handlers,
    /// innermost last.
    open_blocks: Vec<(u32, Box<[u32]>, bool)>,
    behind: Vec<(Address, Address)>,
    declaring: Vec<(Address, Address, u32)>,
}

/// The code of a program's body, and its trees. `arena`: that of the tree.
pub fn compile<'a>(arena: &'a Bump, body: &Body<'a>) -> (Code, Trees<'a>) {
    let slots = body.slots.iter().map(|s| Slot {
        name: s.name.to_owned(),
        used: (s.read, s.set),
        row: match s.kind {
            SlotKind::New => Some(true),
            SlotKind::Old => Some(false),
            SlotKind::Parameter(_) | SlotKind::Variable(_) => None,
        },
    });
    let parameters = body.slots.iter().filter(|s| matches!(s.kind, SlotKind::Parameter(_))).count();
    let mut c = Compiler {
        arena,
        trees: Trees::default(),
        slots: slots.collect(),
        out: Vec::new(),
        told: Vec::new(),
        also: Vec::new(),
        text: None,
        scope_of: Vec::new(),
        scopes: Vec::new(),
        scope: None,
        labels: vec![(0, Vec::new()); body.labels as usize],
        open_blocks: Vec::new(),
        behind: Vec::new(),
        declaring: Vec::new(),
    };
    c.statement(&body.statement);
    let first_cursor = c.trees.statements.len() as Number;
    for cursor in body.cursors {
        c.trees.statements.push(Statement::Query(cursor.query));
        c.trees.spans.push(cursor.span);
    }
    mark_jumps(&c.out, &mut c.told);
    if !c.also.is_empty() {
        // the end of the outermost block
        c.told.push(Told { also: c.also, ..Told::default() });
    }
    c.behind.sort_unstable();
    let code = Code {
        behind: c.behind,
        declaring: c.declaring,
        told: c.told,
        slots: c.slots,
        parameters,
        instructions: c.out,
        scope_of: c.scope_of,
        scopes: c.scopes,
        expressions: c.trees.expressions.len(),
        statements: c.trees.statements.len(),
        cursors: body.cursors.len(),
        first_cursor,
        spans: std::mem::take(&mut c.trees.spans),
        tables: body.tables.iter().map(|t| (t.schema.map(str::to_owned), t.name.to_owned(), t.events)).collect(),
        routines: body
            .routines
            .iter()
            .filter(|r| !r.function || r.schema.is_some() || !planner::func::is_native(r.name))
            .map(|r| (r.function, r.schema.map(str::to_owned), r.name.to_owned()))
            .collect(),
        refused: crate::check::refused_when_nested(&body.statement),
    };
    (code, c.trees)
}

impl<'a> Compiler<'a> {
    pub(crate) fn emit(&mut self, i: Instruction) -> Address {
        let mut told = Told { also: std::mem::take(&mut self.also), ..Told::of(&i, &self.slots) };
        // a statement that several instructions do is one
        if let (Some(text), Some(Step::Statement)) = (&mut self.text, told.step) {
            match text.take() {
                Some(span) => told.span = Some(span),
                None => told.step = None,
            }
        }
        self.told.push(told);
        self.out.push(i);
        self.scope_of.push(self.scope);
        (self.out.len() - 1) as Address
    }

    fn here(&self) -> Address {
        self.out.len() as Address
    }

    pub(crate) fn expression(&mut self, e: &Expr<'a>) -> Number {
        self.trees.expressions.push(*e);
        (self.trees.expressions.len() - 1) as Number
    }

    pub(crate) fn number(&mut self, s: Statement<'a>, span: parser::Span) -> Number {
        self.trees.statements.push(s);
        self.trees.spans.push(span);
        (self.trees.statements.len() - 1) as Number
    }

    /// The jump at `at` goes to what comes next.
    fn land(&mut self, at: Address) {
        let here = self.here();
        match self.out.get_mut(at as usize) {
            Some(Instruction::Jump(to) | Instruction::Unless(_, to)) => *to = here,
            Some(Instruction::EndHandler(to)) => *to = Some(here),
            _ => {}
        }
    }

    fn statements(&mut self, list: &[BodyStatement<'a>]) {
        list.iter().for_each(|s| self.statement(s));
    }

    fn begin_label(&mut self, label: u32) {
        let here = self.here();
        if let Some(l) = self.labels.get_mut(label as usize) {
            l.0 = here;
        }
    }

    fn end_label(&mut self, label: u32) {
        let waiting = self.labels.get_mut(label as usize).map(|l| std::mem::take(&mut l.1)).unwrap_or_default();
        waiting.into_iter().for_each(|at| self.land(at));
    }

    fn statement(&mut self, s: &BodyStatement<'a>) {
        match &s.kind {
            BodyKind::Block(b) => self.block(b),
            BodyKind::If { arms, otherwise } => self.arms(arms, None, |c| c.statements(otherwise)),
            BodyKind::Case { operand, arms, otherwise } => self.case(*operand, arms, *otherwise),
            BodyKind::Loop { label, body } => self.repeat(*label, None, body, None),
            BodyKind::While { label, condition, body } => self.repeat(*label, Some(condition), body, None),
            BodyKind::Repeat { label, body, until } => self.repeat(*label, None, body, Some(until)),
            BodyKind::Leave(label) => {
                self.close_cursors(*label, true);
                let at = self.emit(Instruction::Jump(0));
                if let Some(l) = self.labels.get_mut(*label as usize) {
                    l.1.push(at);
                }
            }
            BodyKind::Iterate(label) => {
                self.close_cursors(*label, false);
                let to = self.labels.get(*label as usize).map_or(0, |l| l.0);
                self.emit(Instruction::Jump(to));
            }
            BodyKind::Return(e) => {
                let n = self.expression(e);
                self.emit(Instruction::Return(n));
            }
            BodyKind::Open(n) => drop(self.emit(Instruction::Open(*n))),
            BodyKind::Close(n) => drop(self.emit(Instruction::Close(*n))),
            BodyKind::Fetch { cursor, into } => drop(self.emit(Instruction::Fetch(*cursor, into.to_vec()))),
            BodyKind::Sql(statement) => {
                self.text = Some(Some(s.span));
                self.sql(statement, s.span);
                self.text = None;
            }
        }
    }

    /// LEAVE and ITERATE end the blocks inside of what they name.
    fn close_cursors(&mut self, label: u32, itself: bool) {
        let mut closed: Vec<u32> = Vec::new();
        // how many steps end handlers and cursors: one for the blocks inside, one for the block itself, whose handlers
        // end behind it if it has no cursors
        let (mut handlers, mut cursors) = ([false; 2], [false; 2]);
        for (block, list, has_handlers) in self.open_blocks.iter().rev() {
            if *block < label || (*block == label && !itself) {
                break;
            }
            closed.extend(list.iter());
            let own = usize::from(*block == label);
            let ends_here = own == 0 || !list.is_empty();
            handlers.get_mut(own).into_iter().for_each(|h| *h |= *has_handlers && ends_here);
            cursors.get_mut(own).into_iter().for_each(|c| *c |= !list.is_empty());
            if *block == label {
                break;
            }
        }
        let times = |of: [bool; 2]| of.into_iter().map(u16::from).sum::<u16>();
        if times(handlers) > 0 {
            self.also.push((Step::HandlerPop, times(handlers)));
        }
        if !closed.is_empty() {
            self.also.push((Step::CursorPop, times(cursors)));
            self.emit(Instruction::Leave(closed.into()));
        }
    }

    fn block(&mut self, b: &Block<'a>) {
        self.begin_label(b.label);
        let declared = self.here();
        for v in b.variables {
            match v.default {
                Some(e) => {
                    let n = self.expression(e);
                    self.emit(Instruction::Set(v.slot, n));
                }
                None => drop(self.emit(Instruction::Clear(v.slot))),
            }
        }
        if !b.cursors.is_empty() {
            // one that an EXIT handler of a block around it left open
            self.also.push((Step::CursorPush, b.cursors.len() as u16));
            self.emit(Instruction::Leave(b.cursors.into()));
        }
        self.open_blocks.push((b.label, b.cursors.into(), !b.handlers.is_empty()));
        let outer = self.scope;
        let mut exits = Vec::new();
        if !b.handlers.is_empty() {
            let end = self.here();
            exits = self.handlers(b.handlers);
            self.declaring.extend(self.scope.map(|s| (declared, end, s)));
        }
        self.statements(b.statements);
        self.scope = outer;
        self.open_blocks.pop();
        // handlers that leave the block end its cursors, too
        exits.into_iter().for_each(|at| self.land(at));
        if !b.handlers.is_empty() {
            self.also.push((Step::HandlerPop, 1));
        }
        if !b.cursors.is_empty() {
            self.also.push((Step::CursorPop, 1));
            self.emit(Instruction::Leave(b.cursors.into()));
        }
        self.end_label(b.label);
    }

    /// The bodies of a block's handlers, jumped over; ends of those that leave the block. What follows is inside their
    /// scope; they themselves are not.
    fn handlers(&mut self, list: &[HandlerDecl<'a>]) -> Vec<Address> {
        let mut exits = Vec::new();
        self.also.push((Step::HandlerPush, list.len() as u16));
        let over = self.emit(Instruction::Jump(0));
        self.told.last_mut().into_iter().for_each(|t| t.step = None);
        let mut scope = Scope { outer: self.scope, handlers: Vec::new() };
        for h in list {
            let conditions: Vec<ConditionValue> = h.conditions.to_vec();
            scope.handlers.push(Handler { conditions, body: self.here() });
            self.statement(&h.body);
            let end = self.emit(Instruction::EndHandler(None));
            if !h.goes_on {
                exits.push(end);
            }
        }
        self.land(over);
        self.scopes.push(scope);
        self.scope = Some((self.scopes.len() - 1) as u32);
        exits
    }

    /// Conditions with what follows them, the first that holds.
    fn arms(&mut self, arms: &[Arm<'a>], operand: Option<&Expr<'a>>, otherwise: impl FnOnce(&mut Self)) {
        let (mut ends, mut asked) = (Vec::new(), Vec::new());
        for a in arms {
            let when = operand.map_or(a.when, |o| self.equal(o, &a.when));
            let n = self.expression(&when);
            let next = self.emit(Instruction::Unless(n, 0));
            asked.push(next);
            self.statements(a.then);
            ends.push(self.emit(Instruction::Jump(0)));
            self.land(next);
        }
        otherwise(self);
        ends.into_iter().for_each(|at| self.land(at));
        asked.into_iter().for_each(|at| self.goes_on_here(at));
    }

    /// A CONTINUE handler of a condition that could not be evaluated goes on behind the whole statement.
    fn goes_on_here(&mut self, at: Address) {
        let here = self.here();
        self.behind.push((at, here));
    }

    fn case(&mut self, operand: Option<&Expr<'a>>, arms: &[Arm<'a>], otherwise: Option<&[BodyStatement<'a>]>) {
        let begin = self.here();
        let operand = operand.map(|e| self.kept(e));
        self.arms(arms, operand.as_ref(), |c| match otherwise {
            Some(list) => c.statements(list),
            None => drop(c.emit(Instruction::NoCase)),
        });
        if matches!(self.out.get(begin as usize), Some(Instruction::Keep(..))) {
            self.goes_on_here(begin);
        }
    }

    /// An expression that is evaluated once: a slot takes its value, unless it is one already.
    fn kept(&mut self, e: &Expr<'a>) -> Expr<'a> {
        if matches!(e.unparen().kind, ExprKind::Local(_)) {
            self.also.push((Step::SetCase, 1));
            return *e;
        }
        let slot = self.slots.len() as u32;
        self.slots.push(Slot { name: String::new(), row: None, used: (false, false) });
        let n = self.expression(e);
        self.emit(Instruction::Keep(slot, n));
        let local: &LocalRef<'a> = self.arena.alloc(LocalRef { span: e.span, slot, name: "" });
        Expr { span: e.span, kind: ExprKind::Local(local) }
    }

    fn equal(&self, left: &Expr<'a>, right: &Expr<'a>) -> Expr<'a> {
        let (left, right): (&Expr<'a>, &Expr<'a>) = (self.arena.alloc(*left), self.arena.alloc(*right));
        Expr { span: right.span, kind: ExprKind::Binary { op: BinaryOp::Eq, left, right } }
    }

    fn repeat(
        &mut self,
        label: u32,
        condition: Option<&Expr<'a>>,
        body: &[BodyStatement<'a>],
        until: Option<&Expr<'a>>,
    ) {
        if !self.also.is_empty() {
            // what comes round again has nothing of the block before it
            self.emit(Instruction::Leave([].into()));
        }
        self.begin_label(label);
        let begin = self.here();
        let out = condition.map(|e| {
            let n = self.expression(e);
            self.emit(Instruction::Unless(n, 0))
        });
        self.statements(body);
        let last = match until {
            Some(e) => {
                let n = self.expression(e);
                self.emit(Instruction::Unless(n, begin))
            }
            None => self.emit(Instruction::Jump(begin)),
        };
        for at in out.into_iter().chain(until.is_some().then_some(last)) {
            self.goes_on_here(at);
        }
        out.into_iter().for_each(|at| self.land(at));
        self.end_label(label);
    }
}
