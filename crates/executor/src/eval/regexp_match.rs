//! Searches with a [`Program`]: tries, and goes back to the last choice when it gets no further, as ICU does and
//! with its limits.
//!
//! A state that can be gone back to is a copy of all registers, as in ICU, so `regexp_stack_limit` bounds what it
//! bounds there; each 10,000 states are
//! one unit of `regexp_time_limit`. The interrupt is asked at least that often, and once per `STRIDE` bytes that
//! were looked at.

use base::{ErrorCode, SqlError, SqlResult};
use fancy_regex::Assertion;

use super::regexp_lines::is_terminator;
use super::regexp_program::{Counted, Program, Step};
use super::regexp_set::Set;

/// States of one unit of `regexp_time_limit`.
const UNIT: u32 = 10_000;
/// Bytes looked at between two questions whether the statement has been killed: some milliseconds.
const STRIDE: usize = 4 << 20;
/// A place that has not been reached.
const NONE: usize = usize::MAX;
/// What a state has besides the registers: the step and the place.
const HEAD: usize = 2;

/// Words of states without a limit: 1 GiB.
const MOST: usize = 128 << 20;

/// What bounds a search.
pub(super) struct Limits<'i> {
    /// `regexp_time_limit` and `regexp_stack_limit`; 0: none.
    pub time: u64,
    pub stack: u64,
    /// An error if the statement has been killed.
    pub interrupt: &'i mut dyn FnMut() -> SqlResult<()>,
}

/// One call's searches in one text.
pub(super) struct Search<'p, 't, 'i> {
    program: &'p Program,
    text: &'t str,
    limits: Limits<'i>,
    registers: Vec<usize>,
    /// States, each of `HEAD` and the registers.
    stack: Vec<usize>,
    /// Words it may have.
    room: usize,
    until_tick: u32,
    units: u64,
    work: usize,
}

fn overflow() -> SqlError {
    SqlError::new(ErrorCode::REGEXP_STACK_OVERFLOW, &[])
}

impl<'p, 't, 'i> Search<'p, 't, 'i> {
    pub fn new(program: &'p Program, text: &'t str, limits: Limits<'i>) -> SqlResult<Self> {
        // ICU takes a fourth of the bytes for the number of its words of 8, and the state at the beginning counts;
        // it keeps no places of the
        // whole match in a state
        let words = HEAD + program.registers;
        let room = match limits.stack {
            0 => MOST,
            n => match usize::try_from(n / 4).unwrap_or(usize::MAX) / (words - 2) {
                0 => return Err(overflow()),
                states => (states - 1).saturating_mul(words).min(MOST),
            },
        };
        let registers = vec![NONE; program.registers];
        Ok(Search { program, text, limits, registers, stack: Vec::new(), room, until_tick: UNIT, units: 0, work: 0 })
    }

    /// The first match from a place on: its groups' places (two each, the whole first; [`None`] is a group without
    /// one).
    pub fn from(&mut self, start: usize) -> SqlResult<Option<Vec<Option<(usize, usize)>>>> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        loop {
            if let Some(first) = &self.program.first {
                let rest = bytes.get(at..).unwrap_or(&[]);
                let Some(n) = rest.iter().position(|b| first.get(usize::from(*b)).is_some_and(|f| *f)) else {
                    return Ok(None);
                };
                at += n;
                self.worked(n)?;
            }
            if at > bytes.len() || self.program.anchored && at > 0 {
                return Ok(None);
            }
            self.registers.fill(NONE);
            self.stack.clear();
            if let Some(end) = self.at(at, start)? {
                let groups = self.registers.get(2..self.program.groups * 2).unwrap_or(&[]).chunks_exact(2);
                let places = groups.map(|g| match g {
                    [from, to] if *from != NONE && *to != NONE => Some((*from, *to)),
                    _ => None,
                });
                return Ok(Some(std::iter::once(Some((at, end))).chain(places).collect()));
            }
            self.worked(1)?;
            at += self.char_at(at).map_or(1, char::len_utf8);
        }
    }

    #[inline]
    fn char_at(&self, at: usize) -> Option<char> {
        match self.text.as_bytes().get(at)? {
            b if b.is_ascii() => Some(*b as char),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    fn char_before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    #[inline]
    fn worked(&mut self, n: usize) -> SqlResult<()> {
        self.work += n;
        if self.work < STRIDE {
            return Ok(());
        }
        self.work = 0;
        (self.limits.interrupt)()
    }

    /// Keeps a state to go back to.
    #[inline]
    fn push(&mut self, step: usize, at: usize) -> SqlResult<()> {
        if self.stack.len() + HEAD + self.registers.len() > self.room {
            return Err(overflow());
        }
        self.stack.extend_from_slice(&self.registers);
        self.stack.extend_from_slice(&[at, step]);
        self.count()
    }

    #[inline]
    fn count(&mut self) -> SqlResult<()> {
        self.until_tick -= 1;
        if self.until_tick > 0 { Ok(()) } else { self.tick() }
    }

    #[cold]
    fn tick(&mut self) -> SqlResult<()> {
        self.until_tick = UNIT;
        self.units += 1;
        if self.limits.time > 0 && self.units >= self.limits.time {
            return Err(SqlError::new(ErrorCode::REGEXP_TIME_OUT, &[]));
        }
        (self.limits.interrupt)()
    }

    /// Back to the last state: its step and place.
    #[inline]
    fn pop(&mut self) -> Option<(usize, usize)> {
        let step = self.stack.pop()?;
        let at = self.stack.pop()?;
        let from = self.stack.len().checked_sub(self.registers.len())?;
        self.registers.copy_from_slice(self.stack.get(from..)?);
        self.stack.truncate(from);
        Some((step, at))
    }

    #[inline]
    fn get(&self, register: usize) -> usize {
        self.registers.get(register).copied().unwrap_or(NONE)
    }

    #[inline]
    fn set(&mut self, register: usize, value: usize) {
        if let Some(r) = self.registers.get_mut(register) {
            *r = value;
        }
    }

    /// Where a match that begins at a place ends.
    fn at(&mut self, at: usize, start: usize) -> SqlResult<Option<usize>> {
        let program = self.program;
        let (mut step, mut at) = (0, at);
        loop {
            let next = match program.steps.get(step) {
                Some(Step::Match) => return Ok(Some(at)),
                Some(s) => self.step(s, step, at, start)?,
                None => None,
            };
            (step, at) = match next.or_else(|| self.pop()) {
                Some(next) => next,
                None => return Ok(None),
            };
        }
    }

    /// One step at a place: the next step and place, or `None` if it gets no further.
    #[inline]
    fn step(&mut self, s: &Step, step: usize, at: usize, start: usize) -> SqlResult<Option<(usize, usize)>> {
        let on = step + 1;
        Ok(match s {
            Step::Text(text) => {
                let rest = self.text.as_bytes().get(at..).unwrap_or(&[]);
                rest.starts_with(text).then_some((on, at + text.len()))
            }
            Step::One(set) => self.char_at(at).filter(|c| set.has(*c)).map(|c| (on, at + c.len_utf8())),
            Step::Run { set, least, at: r } => self.run(set, *least, *r, on, at)?,
            Step::Give(r) => {
                if at > self.get(*r)
                    && let Some(c) = self.char_before(at)
                {
                    self.push(step, at - c.len_utf8())?;
                }
                Some((on, at))
            }
            Step::Split(now, later) => {
                self.push(*later, at)?;
                Some((*now, at))
            }
            Step::Jump(to) => Some((*to, at)),
            Step::Place(r) => {
                self.set(*r, at);
                Some((on, at))
            }
            Step::Close { at: group, begun } => {
                self.set(*group, self.get(*begun));
                self.set(group + 1, at);
                Some((on, at))
            }
            Step::Stuck(r, out) => Some((if self.get(*r) == at { *out } else { on }, at)),
            Step::Rounds(r) => {
                self.set(*r, 0);
                self.set(r + 1, at);
                Some((on, at))
            }
            Step::Round(c) => self.round(c, on, at)?,
            Step::Assert(a) => self.holds(a, at).then_some((on, at)),
            Step::Begin => (at == start).then_some((on, at)),
            Step::Newline => match self.char_at(at) {
                Some('\r') if self.char_at(at + 1) == Some('\n') => Some((on, at + 2)),
                Some(c) if is_terminator(c) => Some((on, at + c.len_utf8())),
                _ => None,
            },
            Step::Again { group, fold } => self.again(*group, *fold, at)?.map(|at| (on, at)),
            Step::Fail | Step::Match => None,
            s => self.inside(s, step, at)?,
        })
    }

    /// The steps of look-around and of groups that keep their choices to themselves.
    fn inside(&mut self, s: &Step, step: usize, at: usize) -> SqlResult<Option<(usize, usize)>> {
        let on = step + 1;
        Ok(match s {
            Step::Keep(r) => {
                self.set(*r, self.stack.len());
                self.set(r + 1, at);
                Some((on, at))
            }
            Step::Kept { at: r, back } => {
                self.stack.truncate(self.get(*r));
                Some((on, if *back { self.get(r + 1) } else { at }))
            }
            Step::Refuse(r) => {
                self.stack.truncate(self.get(*r));
                None
            }
            Step::Back { at: r, from } => {
                self.set(r + 2, *from);
                Some((on, at))
            }
            Step::Behind { at: r, to } => {
                let n = self.get(r + 2);
                let mut before = self.text.get(..self.get(r + 1)).unwrap_or("").char_indices();
                let place = if n == 0 { Some(self.get(r + 1)) } else { before.nth_back(n - 1).map(|(i, _)| i) };
                if place.is_some() && n < *to {
                    self.set(r + 2, n + 1);
                    self.push(step, at)?;
                }
                place.map(|at| (on, at))
            }
            Step::Ends(r) => (at == self.get(r + 1)).then_some((on, at)),
            _ => None,
        })
    }

    /// As many characters of the set as there are; what [`Step::Give`] must not give back goes into the register.
    fn run(
        &mut self,
        set: &Set,
        least: usize,
        register: usize,
        on: usize,
        at: usize,
    ) -> SqlResult<Option<(usize, usize)>> {
        let mut end = at;
        let mut shortest = if least == 0 { at } else { NONE };
        while let Some(c) = self.char_at(end).filter(|c| set.has(*c)) {
            end += c.len_utf8();
            shortest = shortest.min(end);
        }
        self.worked(end - at)?;
        self.set(register, shortest);
        Ok((shortest != NONE).then_some((on, end)))
    }

    /// A round of a counted repetition has ended.
    fn round(&mut self, c: &Counted, on: usize, at: usize) -> SqlResult<Option<(usize, usize)>> {
        let done = self.get(c.at).saturating_add(1);
        self.set(c.at, done);
        if done >= c.to {
            return Ok(Some((on, at)));
        }
        if done < c.from {
            // may be very many that take nothing
            self.count()?;
            return Ok(Some((c.body, at)));
        }
        if c.to == usize::MAX {
            if self.get(c.at + 1) == at {
                return Ok(Some((on, at)));
            }
            self.set(c.at + 1, at);
        }
        let (now, later) = if c.greedy { (c.body, on) } else { (on, c.body) };
        self.push(later, at)?;
        Ok(Some((now, at)))
    }

    /// Where the text ends that a group has matched, repeated here.
    fn again(&mut self, group: usize, fold: bool, at: usize) -> SqlResult<Option<usize>> {
        let (from, to) = (self.get(group * 2), self.get(group * 2 + 1));
        let Some(seen) = self.text.get(from..to) else { return Ok(None) };
        let Some(rest) = self.text.get(at..) else { return Ok(None) };
        self.worked(seen.len())?;
        if !fold {
            return Ok(rest.starts_with(seen).then_some(at + seen.len()));
        }
        let mut chars = rest.chars();
        for c in seen.chars() {
            match chars.next() {
                Some(d) if c == d || c.to_lowercase().eq(d.to_lowercase()) || c.to_uppercase().eq(d.to_uppercase()) => {
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(self.text.len() - chars.as_str().len()))
    }

    fn holds(&self, a: &Assertion, at: usize) -> bool {
        let word = |c: Option<char>| c.is_some_and(|c| regex_syntax::try_is_word_character(c).unwrap_or(false));
        let (before, after) = (self.char_before(at), self.char_at(at));
        let last = |n: usize| at + n == self.text.len();
        match a {
            Assertion::StartText => at == 0,
            Assertion::EndText => after.is_none(),
            Assertion::EndTextIgnoreTrailingNewlines { .. } => match after {
                None => true,
                Some('\r') if self.char_at(at + 1) == Some('\n') => last(2),
                Some(c) => is_terminator(c) && last(c.len_utf8()),
            },
            Assertion::StartLine { crlf } => match before {
                Some('\r') => *crlf && after != Some('\n'),
                c => matches!(c, None | Some('\n')),
            },
            Assertion::StartLineOniguruma { .. } => at == 0 || before == Some('\n') && after.is_some(),
            Assertion::EndLine { crlf } => match after {
                Some('\n') => !crlf || before != Some('\r'),
                Some('\r') => *crlf,
                c => c.is_none(),
            },
            Assertion::LeftWordBoundary => !word(before) && word(after),
            Assertion::LeftWordHalfBoundary => !word(before),
            Assertion::RightWordBoundary => word(before) && !word(after),
            Assertion::RightWordHalfBoundary => !word(after),
            Assertion::WordBoundary => word(before) != word(after),
            Assertion::NotWordBoundary => word(before) == word(after),
        }
    }
}
