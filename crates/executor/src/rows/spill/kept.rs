//! [`KeptRows`]: the rows of a program's cursor, a copy of what its query gave when it was opened.
//!
//! In memory up to `tmp_table_size` (and `temptable_max_ram` for all tables of the server), behind that in a temporary
//! file. They are read once, forwards. One thread; the file has no name, so nothing is left behind by a crash.
//! Tested: below, `tests/clients/test_program_limits.py`.

use base::SqlResult;
use bumpalo::Bump;
use catalog::sysvar::Var;
use value::Value;

use super::tuples::{Cursor, Tuples};
use super::{Room, TempFile};
use crate::rows::env::Env;
use crate::rows::tuple;

/// See the module.
#[derive(Debug)]
pub struct KeptRows {
    rows: Tuples,
    space: Space,
    place: Cursor,
    next: usize,
}

/// What the rows may take, as the session's variables say when the query begins: while it runs nobody can ask.
#[derive(Debug)]
struct Space {
    memory: usize,
    ram: u64,
    dirs: String,
}

impl Room for Space {
    fn file(&self) -> SqlResult<TempFile> {
        TempFile::create_in_any(&self.dirs, probe::files::FileUse::Temporary)
    }
    fn ram(&self) -> u64 {
        self.ram
    }
    fn check(&self) -> SqlResult<()> {
        sched::check_interrupt()
    }
}

impl KeptRows {
    /// No rows yet.
    pub fn new(env: &Env) -> KeptRows {
        let globals = &env.shared.globals;
        let memory = usize::try_from(env.vars.num(Var::tmp_table_size)).unwrap_or(usize::MAX);
        KeptRows::with(Space { memory, ram: globals.num(Var::temptable_max_ram), dirs: globals.string(Var::tmpdir) })
    }

    fn with(space: Space) -> KeptRows {
        KeptRows { rows: Tuples::default(), space, place: Cursor::default(), next: 0 }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// 4081, 4082 for a session that holds too much; those of the temporary file.
    pub fn push(&mut self, row: &[Value<'_>]) -> SqlResult<()> {
        base::memory::check()?;
        tuple::encode(row, self.rows.begin());
        self.rows.end(self.space.memory, &self.space)
    }

    /// The next row's `width` values for `f`. `None`: there is none.
    ///
    /// # Errors
    /// 2: the file cannot be read; those of `f`.
    pub fn next<T>(
        &mut self,
        width: usize,
        arena: &Bump,
        f: impl FnOnce(&mut dyn Iterator<Item = Value<'_>>) -> SqlResult<T>,
    ) -> SqlResult<Option<T>> {
        let Some(row) = self.rows.get(self.next, &mut self.place)? else { return Ok(None) };
        self.next += 1;
        f(&mut (0..width).map(|i| tuple::get(row, width, i, arena))).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_order_wherever_they_lie() {
        for memory in [0, 5000, usize::MAX] {
            let mut kept = KeptRows::with(Space { memory, ram: u64::MAX, dirs: "/tmp".to_owned() });
            let text = vec![b'x'; 700];
            for i in 0..3000i64 {
                let long = Value::Str(text.get(..(i % 700) as usize).unwrap());
                kept.push(&[Value::Int(i), Value::Null, long]).unwrap();
            }
            assert!(memory == usize::MAX || kept.rows.size() < 200_000, "the others are in a file");
            let arena = Bump::new();
            for i in 0..3000i64 {
                let seen =
                    kept.next(3, &arena, |row| Ok(row.map(|v| v.to_owned()).collect::<Vec<_>>())).unwrap().unwrap();
                assert!(matches!(seen.first().map(|v| v.as_value()), Some(Value::Int(n)) if n == i));
                assert!(seen.get(1).unwrap().as_value().is_null());
                assert_eq!(seen.len(), 3);
            }
            assert!(kept.next(3, &arena, |_| Ok(())).unwrap().is_none());
            assert!(kept.next(3, &arena, |_| Ok(())).unwrap().is_none(), "and stays at the end");
        }
    }
}
