//! Preparing, executing and giving up a statement, as performance_schema tells of it: by the text of the statement that
//! it is about, and a digest of that with the verb before it (`EXECUTE SELECT ?`), as in MySQL; whether a command of
//! the protocol did it or PREPARE, EXECUTE and DEALLOCATE.
//!
//! Tested: `tests/clients/test_statement_events.py`.

use crate::logs::SessionLog;
use crate::logs::measures::Begun;
use crate::results::outcome::Outcome;
use base::SqlResult;
use executor::Env;
use probe::instruments::Instrument as Kind;
use std::sync::Arc;

/// What is done with the other statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    Prepare = 1,
    Execute = 2,
    Deallocate = 3,
}

impl Verb {
    /// What it adds to the key of the other's tokens.
    pub(crate) const fn key(self) -> u128 {
        (self as u128) << 64
    }

    /// The digest's text, from that of the other.
    pub(crate) fn digest(self, text: &str) -> String {
        let verb = match self {
            Verb::Prepare => "PREPARE",
            Verb::Execute => "EXECUTE",
            Verb::Deallocate => "DEALLOCATE",
        };
        format!("{verb} {text}")
    }
}

/// A statement about another one.
pub(crate) struct Named {
    /// What it counts as.
    pub(crate) kind: Kind,
    pub(crate) verb: Verb,
    /// The other one's text, and the key of its tokens.
    pub(crate) text: Arc<[u8]>,
    pub(crate) tokens: u128,
}

impl Named {
    fn lexed(&self, env: &Env) -> parser::Lexed {
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(&self.text, 0, crate::text::lexer_mode(env));
        lexed
    }

    /// The digest's text.
    pub(super) fn digest(&self, env: &Env) -> String {
        self.verb.digest(&parser::digest::digest_text(&self.text, &mut self.lexed(env)))
    }
}

impl SessionLog {
    /// One about another statement has ended.
    #[cold]
    pub(super) fn ended_named(
        &mut self,
        env: &Env,
        mut begun: Begun,
        named: Named,
        result: (&SqlResult<Outcome>, u64),
    ) {
        begun.key = self.key_of_named(env, &named);
        self.without_secrets = false;
        self.ended(env, &begun, Some(named.kind), &named.text, result, || named.digest(env));
    }

    /// The key of its digest, with the default schema of its beginning.
    pub(super) fn key_of_named(&self, env: &Env, named: &Named) -> u128 {
        let schema = if self.instrument.in_schema { self.instrument.schema.1 } else { 0 };
        let key = named.tokens ^ schema ^ named.verb.key();
        // one that could not be prepared nobody has asked for its tokens yet
        if named.tokens == 0 { key ^ named.lexed(env).key() } else { key }
    }
}
