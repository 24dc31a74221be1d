//! SQL statements of a body: which instruction each is.

use parser::ast::{
    DiagnosticTarget, Into, IntoVar, QueryExpr, Raises, SetItem, SetValue, Show, Statement, Wanted as WantedTree,
};

use crate::code::{Instruction, Kind, Raise, Target, Wanted};
use crate::compile::Compiler;

impl<'a> Compiler<'a> {
    pub(crate) fn sql(&mut self, s: &'a Statement<'a>, span: parser::Span) {
        match s {
            Statement::Set(items)
                if items.iter().any(|i| matches!(i, SetItem::Local { .. } | SetItem::UserVar { .. })) =>
            {
                self.set(items, span);
            }
            // of several expressions it is one statement with all their tables, and ends with the first that fails
            Statement::Do([e]) => {
                let n = self.expression(e);
                self.emit(Instruction::Evaluate(n));
            }
            Statement::Call(_) => {
                let n = self.number(*s, span);
                self.emit(Instruction::Call(n));
            }
            Statement::Signal(r) => {
                let items = r.items.iter().map(|(i, e)| (*i, self.expression(e))).collect();
                let sqlstate = match r.raises {
                    Raises::Sqlstate(s) => <[u8; 5]>::try_from(s).ok(),
                    Raises::Same | Raises::Named(_) => None,
                };
                self.emit(Instruction::Raise(Box::new(Raise { again: r.again, sqlstate, items })));
            }
            Statement::GetDiagnostics(g) => {
                let wanted = match g.wanted {
                    WantedTree::Statement(list) => {
                        Wanted::Statement(list.iter().map(|(t, i)| (diagnostic_target(t), *i)).collect())
                    }
                    WantedTree::Condition { number, items } => {
                        let n = self.expression(&number);
                        Wanted::Condition(n, items.iter().map(|(t, i)| (diagnostic_target(t), *i)).collect())
                    }
                };
                self.emit(Instruction::Diagnostics(g.stacked, Box::new(wanted)));
            }
            Statement::Query(q) => {
                let vars = matches!(q.into, Some(Into::Vars(_)));
                // what takes the row is the program
                let plain: &QueryExpr<'a> = self.arena.alloc(QueryExpr { into: None, ..**q });
                let n = self.number(if vars { Statement::Query(plain) } else { *s }, span);
                let into = match q.into {
                    Some(Into::Vars(list)) => Some(list.iter().map(into_target).collect()),
                    _ => None,
                };
                match into {
                    Some(list) => self.emit(Instruction::Into(n, list)),
                    None if q.into.is_some() => self.emit(Instruction::Statement(n, Kind::Other)),
                    None => self.emit(Instruction::Statement(n, Kind::Planned)),
                };
            }
            Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => {
                let n = self.number(*s, span);
                self.emit(Instruction::Statement(n, Kind::Planned));
            }
            Statement::Show(Show::Warnings(_) | Show::Errors(_) | Show::CountWarnings | Show::CountErrors) => {
                let n = self.number(*s, span);
                self.emit(Instruction::Statement(n, Kind::Keeps));
            }
            _ => {
                let n = self.number(*s, span);
                self.emit(Instruction::Statement(n, Kind::Other));
            }
        }
    }

    /// SET with variables of the program: one after the other. What they do not concern stays a statement of its own.
    fn set(&mut self, items: &'a [SetItem<'a>], span: parser::Span) {
        let mut end = None;
        for item in items {
            // each is a statement of its own, from SET or the comma
            let from = end.unwrap_or(span.start);
            end = match item {
                SetItem::Local { value: SetValue::Expr(e), .. } => Some(e.span.end),
                SetItem::UserVar { value, .. } => Some(value.span.end),
                _ => None,
            };
            self.text = Some(Some(parser::Span::new(from, end.unwrap_or(span.end))));
            match item {
                SetItem::Local { slot, value: SetValue::Expr(e) } => {
                    let n = self.expression(e);
                    self.emit(Instruction::Set(*slot, n));
                }
                SetItem::Local { slot, value: SetValue::Default } => drop(self.emit(Instruction::Clear(*slot))),
                SetItem::UserVar { name, value } => {
                    let n = self.expression(value);
                    self.emit(Instruction::SetUser(name.to_lowercase().into(), n));
                }
                other => {
                    let n = self.number(Statement::Set(std::slice::from_ref(other)), span);
                    self.emit(Instruction::Statement(n, Kind::Other));
                }
            }
        }
    }
}

fn into_target(v: &IntoVar<'_>) -> Target {
    match v {
        IntoVar::User(name) => Target::User(name.to_lowercase().into()),
        IntoVar::Local { slot, .. } => Target::Slot(slot.unwrap_or(u32::MAX)),
    }
}

fn diagnostic_target(t: &DiagnosticTarget<'_>) -> Target {
    match t {
        DiagnosticTarget::UserVar(name) => Target::User(name.to_lowercase().into()),
        DiagnosticTarget::Local { slot, .. } => Target::Slot(slot.unwrap_or(u32::MAX)),
    }
}
