//! Which tables a statement's text changes, without running it: what a replica's filters are asked about.
//!
//! By the names in the text, as MySQL does: of UPDATE with several tables all of them, of a program that it calls none.
//! Tested: `tests/binlog/test_replica_operators.py`.

use crate::kernel::session::Session;
use base::SqlResult;
use bumpalo::Bump;
use parser::ast::{DeleteTarget, SetItem, Statement, TableName, TableRef};

/// What a statement changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Changed {
    /// It makes, changes or drops this schema.
    Database(String),
    /// Schemas and names of tables and views; none: something else than those.
    Tables(Vec<(String, String)>),
}

fn named<'a>(refs: &[TableRef<'a>], out: &mut Vec<TableName<'a>>) {
    for r in refs {
        match r {
            TableRef::Table(t) => out.push(t.name),
            TableRef::Join(j) => {
                named(std::slice::from_ref(&j.left), out);
                named(std::slice::from_ref(&j.right), out);
            }
            TableRef::Paren(list) => named(list, out),
            TableRef::Derived(_) | TableRef::JsonTable(_) => {}
        }
    }
}

fn tables<'a>(s: &Statement<'a>) -> Vec<TableName<'a>> {
    match s {
        Statement::CreateTable(c) => vec![c.table],
        Statement::AlterTable(a) => vec![a.table],
        Statement::DropTable(d) => d.tables.to_vec(),
        Statement::CreateIndex(c) => vec![c.table],
        Statement::DropIndex(d) => vec![d.table],
        Statement::TruncateTable(t) => vec![*t],
        Statement::RenameTable(pairs) => pairs.iter().flat_map(|(a, b)| [*a, *b]).collect(),
        Statement::CreateView(v) => vec![v.view],
        Statement::DropView(v) => v.views.to_vec(),
        Statement::TableAdmin(a) => a.tables.to_vec(),
        Statement::Insert(i) => vec![i.table],
        Statement::LoadData(l) => vec![l.table],
        Statement::Update(u) => {
            let mut out = Vec::new();
            named(u.tables, &mut out);
            out
        }
        Statement::Delete(d) => match &d.target {
            DeleteTarget::Single { table, .. } => vec![*table],
            DeleteTarget::Multi { tables, .. } => tables.to_vec(),
        },
        _ => Vec::new(),
    }
}

/// Whether it changes accounts.
fn is_of_accounts(s: &Statement<'_>) -> bool {
    match s {
        Statement::CreateUser(_) | Statement::AlterUser(_) | Statement::DropUser { .. } => true,
        Statement::RenameUser(_) | Statement::Grant(_) | Statement::Revoke(_) => true,
        Statement::CreateRole { .. } | Statement::DropRole { .. } | Statement::SetDefaultRole { .. } => true,
        Statement::Set(items) => items.iter().any(|i| matches!(i, SetItem::Password { .. })),
        _ => false,
    }
}

impl Session {
    /// Whether the statement with this text changes accounts.
    pub(crate) fn changes_accounts(&self, text: &[u8]) -> bool {
        let mut lexed = parser::Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, text, 0);
        let arena = Bump::new();
        parser::parse(&arena, text, &mut lexed).is_ok_and(|parsed| is_of_accounts(&parsed.statement))
    }

    /// The statement with this text has been done before a crash, all but its commit: only its event is missing, and
    /// what goes along with that.
    pub(crate) fn log_what_was_done(&mut self, text: &[u8]) -> SqlResult<()> {
        let mut lexed = parser::Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, text, 0);
        let arena = Bump::new();
        let parsed = parser::parse(&arena, text, &mut lexed)?;
        self.begin_logged(&parsed.statement, text);
        self.end_logged(true)
    }

    /// What the statement with this text would change.
    ///
    /// # Errors
    /// Of its syntax.
    pub(crate) fn changed_by(&self, text: &[u8]) -> SqlResult<Changed> {
        let mut lexed = parser::Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, text, 0);
        let arena = Bump::new();
        let parsed = parser::parse(&arena, text, &mut lexed)?;
        let current = self.env.schema.as_deref().unwrap_or_default();
        Ok(match parsed.statement {
            Statement::CreateDatabase(c) => Changed::Database(c.name.to_owned()),
            Statement::AlterDatabase(a) => Changed::Database(a.name.unwrap_or(current).to_owned()),
            Statement::DropDatabase { name, .. } => Changed::Database(name.to_owned()),
            s => {
                let full = |t: TableName<'_>| (t.schema.unwrap_or(current).to_owned(), t.name.to_owned());
                Changed::Tables(tables(&s).into_iter().map(full).collect())
            }
        })
    }
}
