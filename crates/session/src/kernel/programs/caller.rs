//! What belongs to the statement that calls a function or trigger, put aside while the program runs and put back
//! whatever happens (`docs/nested-statements.md`): its warnings, row number, insert ids, counts, sequences of RAND(n),
//! further errors, and what is strict around it. Tested: `kernel/nested_tests.rs`, golden `programs_nested`.

use base::{SqlError, TableId};
use executor::Env;
use executor::env::{Counts, InsertIds};
use executor::strictness::Strictness;
use program::Condition;
use value::{Level, Warning};

/// What is the caller's while a program runs.
pub(crate) struct Caller {
    warnings: Vec<Warning>,
    warning_count: u64,
    row: u64,
    insert_ids: InsertIds,
    counts: Counts,
    rand_states: hashbrown::HashMap<usize, (u32, u32)>,
    further: Vec<(Level, SqlError)>,
    strictness: Strictness,
    beside: Vec<TableId>,
}

impl Caller {
    /// Takes it away: the program begins with nothing of it but numbers.
    pub(crate) fn save(env: &mut Env) -> Caller {
        Caller {
            warnings: std::mem::take(&mut env.conv.warnings),
            warning_count: std::mem::take(&mut env.conv.warning_count),
            row: env.conv.row,
            insert_ids: env.insert_ids,
            counts: env.counts,
            rand_states: std::mem::take(&mut env.rand.states),
            further: std::mem::take(&mut env.statement.further),
            strictness: env.statement.strictness,
            beside: std::mem::take(&mut env.statement.beside),
        }
    }

    /// What it has warned of, for a program that may ask.
    pub(crate) fn seen(&self, code: &program::code::Code) -> Vec<Condition> {
        match self.warnings.is_empty() || !code.asks_conditions() {
            true => Vec::new(),
            false => self.warnings.iter().map(Condition::of_warning).collect(),
        }
    }

    /// Puts it back.
    pub(crate) fn restore(self, env: &mut Env) {
        (env.conv.warnings, env.conv.warning_count) = (self.warnings, self.warning_count);
        env.conv.row = self.row;
        // `SET insert_id` is for whoever takes a value first, maybe a trigger
        let taken = std::mem::replace(&mut env.insert_ids, self.insert_ids).taken;
        if env.insert_ids.taken == 0 && taken != 0 {
            (env.insert_ids.taken, env.insert_ids.wanted) = (taken, 0);
        }
        env.counts = self.counts;
        env.rand.states = self.rand_states;
        // those of the error on its way stay
        if !self.further.is_empty() {
            env.statement.further.splice(0..0, self.further);
        }
        (env.statement.strictness, env.statement.beside) = (self.strictness, self.beside);
    }
}
