//! Statements without a plan in a program: SET of system variables, CREATE TEMPORARY TABLE, SAVEPOINT and their like.
//!
//! They are written for a [`Session`]. Under CALL there is one ([`with_slots`]). In the middle of another statement the
//! session is lent to the executor, and what is left of it is its environment: a second session is put around that for
//! the length of the statement ([`Around`]). It has nothing of its own but its savepoints (each function or trigger has
//! its own level of them): the transaction, the tables, the locks and the account are in the environment, and a
//! transaction that is lent is ended by nobody (`TxnState::lent`, 1422).
//!
//! One thread uses both; no locks. Tested: golden `programs_nested`.

use crate::kernel::session::Session;
use crate::results::collector::Collector;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use executor::Env;
use parser::Parsed;
use parser::ast::Statement;
use program::host::Place;

/// Runs `f` while statements without a plan see a program's variables: as the parameters that they are planned with.
pub(crate) fn with_slots<T>(session: &mut Session, place: &Place<'_>, f: impl FnOnce(&mut Session) -> T) -> T {
    let values = place.values.iter().cloned().zip(place.types.iter().cloned()).collect();
    let types = std::mem::replace(&mut session.env.statement.slots, place.types.to_vec());
    let arguments = std::mem::replace(&mut session.running.arguments, values);
    let done = f(session);
    session.running.arguments = arguments;
    session.env.statement.slots = types;
    done
}

/// A statement of a program's text, as if it had been parsed alone.
pub(crate) fn parsed<'a>(place: &Place<'_>, statement: &Statement<'a>) -> Parsed<'a> {
    Parsed {
        statement: *statement,
        end: place.source.len(),
        params: place.values.len() as u32,
        first_param: 0,
        depth: 0,
        fixed: &[],
        remarks: &[],
    }
}

/// A session put around an environment in the middle of a statement.
pub(crate) struct Around(Box<Session>);

impl Around {
    /// `session`: one that belongs to nobody.
    pub(crate) fn new(session: Box<Session>) -> Around {
        Around(session)
    }

    /// What it was made of, without what a program has left in it.
    pub(crate) fn into_session(mut self) -> Box<Session> {
        self.0.forget_savepoints();
        self.0
    }

    /// Runs a statement.
    ///
    /// # Errors
    /// Those of the statement; 1137 for dropping a temporary table that a calling statement uses.
    pub(crate) fn run(&mut self, env: &mut Env, place: &Place<'_>, statement: &Statement<'_>) -> SqlResult<Outcome> {
        may_drop(statement, env)?;
        let session = &mut *self.0;
        session.enter_lent(env);
        if matches!(statement, Statement::SetRole(_)) {
            session.log_in_as_present();
        }
        let done = with_slots(session, place, |s| {
            let parsed = parsed(place, statement);
            let mut nowhere = Collector::default();
            match s.server.unplanned.instead(s, place.source, &parsed) {
                Some(done) => done,
                None => s.run_unplanned(place.source, &parser::Lexed::new(), &parsed, &mut nowhere),
            }
        });
        session.leave_lent(env);
        if matches!(statement, Statement::Set(_)) {
            env.statement.settings_changed = true;
        }
        done
    }
}

/// 1137 for a temporary table that a calling statement uses.
fn may_drop(statement: &Statement<'_>, env: &Env) -> SqlResult<()> {
    let Statement::DropTable(d) = statement else { return Ok(()) };
    for t in d.tables {
        let schema = t.schema.or(env.schema.as_deref()).unwrap_or("");
        let Some(own) = env.temp.find(schema, t.name) else { continue };
        if env.kernel.programs.iter().any(|p| p.used.contains(&own.def.id)) {
            return Err(SqlError::new(ErrorCode::CANT_REOPEN_TABLE, &[&t.name]));
        }
    }
    Ok(())
}

impl Session {
    /// Takes the environment of a session whose statement runs; its own waits meanwhile in its place.
    fn enter_lent(&mut self, env: &mut Env) {
        std::mem::swap(&mut self.env, env);
        let connection = self.env.client.connection.clone();
        if let Some(s) = connection.sched.lock().clone() {
            self.sched = s;
        }
        (self.txn.lent, self.txn.explicit) = (true, true);
        self.txn.read_only = self.env.trx.refuses_changes(false);
    }

    /// Whose roles SET ROLE changes: of the account that the program runs as.
    fn log_in_as_present(&mut self) {
        let a = &self.env.security.account;
        if let Some(own) = self.server.accounts.get(&a.user, &a.host) {
            self.identity.login = own;
        }
    }

    fn leave_lent(&mut self, env: &mut Env) {
        std::mem::swap(&mut self.env, env);
    }
}
