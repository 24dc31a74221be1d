//! Automata that can be interrupted, for what would keep the library busy for long without asking anybody: a long
//! text, or a pattern with so many states that even a short one takes a while.
//!
//! The place of a match is found by two lazily made DFAs (one forwards for its end, one backwards for its beginning)
//! that are moved byte by byte here; groups by following all threads of the NFA through the match (Pike). Both take
//! time in proportion to the text, and ask the interrupt every few milliseconds: each byte counts as many steps as
//! making a state of the DFA can cost.
//!
//! Tested: `regexp_long_tests.rs` (against the library's own search), `tests/clients/test_regexp_kill.py`.

use base::SqlResult;
use fancy_regex::{Assertion, Expr};
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{NFA, State, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};

use super::regexp_engine::Groups;

/// Bytes times states that the library may search on its own: some ten milliseconds.
const ALONE: usize = 8 << 20;
/// Texts up to here are always the library's.
const SHORT: usize = 512;
/// Steps between two questions whether the statement has been killed.
const STRIDE: usize = 2 << 20;
/// Bytes of memory for states of a lazy DFA.
const CACHE: usize = 4 << 20;

type Interrupt<'i> = &'i mut dyn FnMut() -> SqlResult<()>;

/// The automata of one pattern.
pub(super) struct Long {
    nfa: NFA,
    forward: DFA,
    backward: DFA,
    /// Bytes between two questions.
    stride: usize,
}

/// Working memory of the searches in one text.
pub(super) struct Memory {
    forward: Cache,
    backward: Cache,
    /// The threads of one place and of the next, and the slots of the thread being followed.
    threads: [Threads; 2],
    fresh: Vec<usize>,
}

/// Whether these automata can search for a pattern, if they do not become too large.
pub(super) fn can(pattern: &str) -> bool {
    Expr::parse_tree(pattern).is_ok_and(|t| regular(&t.expr))
}

/// Whether an expression has nothing but what an automaton can do by itself.
fn regular(e: &Expr) -> bool {
    match e {
        Expr::Empty | Expr::Any { .. } | Expr::Literal { .. } | Expr::Delegate { .. } => true,
        Expr::Assertion(a) => matches!(
            a,
            Assertion::StartText | Assertion::EndText | Assertion::StartLine { .. } | Assertion::EndLine { .. }
        ),
        Expr::Concat(all) | Expr::Alt(all) => all.iter().all(regular),
        Expr::Group(e) => regular(e),
        // groups inside are the library's to count
        Expr::Repeat { hi: 0, .. } => false,
        // an empty text repeated has no spelling
        Expr::Repeat { child, .. } => !matches!(**child, Expr::Empty) && regular(child),
        _ => false,
    }
}

impl Long {
    /// `None`: the pattern is none for these automata, or they become too large.
    pub fn new(pattern: &str) -> Option<Long> {
        let tree = Expr::parse_tree(pattern).ok()?;
        if !regular(&tree.expr) {
            return None;
        }
        let mut text = String::with_capacity(pattern.len() * 2);
        tree.expr.to_str(&mut text, 0);
        let limits = NFA::config().nfa_size_limit(Some(10 << 20));
        let nfa = NFA::compiler().configure(limits.clone()).build(&text).ok()?;
        let reverse = limits.reverse(true).which_captures(WhichCaptures::None);
        let reversed = NFA::compiler().configure(reverse).build(&text).ok()?;
        let config = DFA::config().cache_capacity(CACHE).skip_cache_capacity_check(true);
        let forward = DFA::builder().configure(config.clone()).build_from_nfa(nfa.clone()).ok()?;
        let all = config.match_kind(MatchKind::All);
        let backward = DFA::builder().configure(all).build_from_nfa(reversed).ok()?;
        let stride = (STRIDE / nfa.states().len().max(1)).clamp(16, 1 << 18);
        Some(Long { nfa, forward, backward, stride })
    }

    /// Whether these automata search in so many bytes, and not the library.
    pub fn wanted(&self, bytes: usize) -> bool {
        bytes.saturating_mul(self.nfa.states().len()) > ALONE
    }

    pub fn memory(&self) -> Memory {
        let (states, slots) = (self.nfa.states().len(), self.nfa.group_info().slot_len());
        Memory {
            forward: self.forward.create_cache(),
            backward: self.backward.create_cache(),
            threads: [Threads::new(states, slots), Threads::new(states, slots)],
            fresh: vec![NONE; slots],
        }
    }

    /// The first match from a place on: where it begins and ends. `any`: only whether there is one (its end then says
    /// nothing).
    pub fn find(
        &self,
        m: &mut Memory,
        text: &str,
        start: usize,
        any: bool,
        interrupt: Interrupt<'_>,
    ) -> SqlResult<Option<(usize, usize)>> {
        let Some(end) = self.end(m, text, start, any, interrupt)? else { return Ok(None) };
        if any {
            return Ok(Some((start, end)));
        }
        Ok(self.begin(m, text, (start, end), interrupt)?.map(|begin| (begin, end)))
    }

    /// Where the first match ends. A DFA tells of a match one byte late.
    fn end(
        &self,
        m: &mut Memory,
        text: &str,
        start: usize,
        any: bool,
        interrupt: Interrupt<'_>,
    ) -> SqlResult<Option<usize>> {
        let (dfa, cache) = (&self.forward, &mut m.forward);
        let input = Input::new(text).range(start..).anchored(Anchored::No);
        let Ok(mut state) = dfa.start_state_forward(cache, &input) else { return Ok(None) };
        let (mut at, mut last) = (start, None);
        for piece in text.as_bytes().get(start..).unwrap_or_default().chunks(self.stride) {
            interrupt()?;
            for byte in piece {
                state = next(dfa, cache, state, *byte);
                if state.is_tagged() {
                    if state.is_match() {
                        last = Some(at);
                        if any {
                            return Ok(last);
                        }
                    } else if state.is_dead() {
                        return Ok(last);
                    }
                }
                at += 1;
            }
        }
        let ended = dfa.next_eoi_state(cache, state).is_ok_and(|s| s.is_match());
        Ok(if ended { Some(text.len()) } else { last })
    }

    /// Where the match begins that ends there: as far in front as possible.
    fn begin(
        &self,
        m: &mut Memory,
        text: &str,
        (start, end): (usize, usize),
        interrupt: Interrupt<'_>,
    ) -> SqlResult<Option<usize>> {
        let (dfa, cache) = (&self.backward, &mut m.backward);
        let input = Input::new(text).range(start..end).anchored(Anchored::Yes);
        let Ok(mut state) = dfa.start_state_reverse(cache, &input) else { return Ok(None) };
        let (mut at, mut last) = (end, None);
        for piece in text.as_bytes().get(start..end).unwrap_or_default().rchunks(self.stride) {
            interrupt()?;
            for byte in piece.iter().rev() {
                state = next(dfa, cache, state, *byte);
                if state.is_tagged() {
                    if state.is_match() {
                        last = Some(at);
                    } else if state.is_dead() {
                        return Ok(last);
                    }
                }
                at -= 1;
            }
        }
        let before = start.checked_sub(1).and_then(|b| text.as_bytes().get(b));
        let ended = match before {
            Some(byte) => next(dfa, cache, state, *byte).is_match(),
            None => dfa.next_eoi_state(cache, state).is_ok_and(|s| s.is_match()),
        };
        Ok(if ended { Some(start) } else { last })
    }

    /// The groups of a match whose place is known.
    pub fn groups(
        &self,
        m: &mut Memory,
        text: &str,
        place: (usize, usize),
        interrupt: Interrupt<'_>,
    ) -> SqlResult<Groups> {
        let [now, then] = &mut m.threads;
        let (fresh, mut left) = (&mut m.fresh, self.stride);
        let mut found: Option<Vec<usize>> = None;
        now.clear();
        fresh.fill(NONE);
        self.follow(now, text, self.nfa.start_anchored(), fresh, place.0);
        for at in place.0..=place.1 {
            left -= 1;
            if left == 0 {
                left = self.stride;
                interrupt()?;
            }
            for n in 0..now.list.len() {
                let Some(id) = now.list.get(n).copied() else { break };
                if let State::Match { .. } = self.nfa.state(id) {
                    // a thread behind this one is worth less
                    found = Some(now.slots(id).to_vec());
                    break;
                }
                if at < place.1
                    && let Some(to) = self.step(id, text.as_bytes(), at)
                {
                    fresh.copy_from_slice(now.slots(id));
                    self.follow(then, text, to, fresh, at + 1);
                }
            }
            std::mem::swap(now, then);
            then.clear();
        }
        let found = found.unwrap_or_default();
        let mut groups: Groups = found
            .chunks_exact(2)
            .map(|g| match g {
                [from, to] if *from != NONE && *to != NONE => Some((*from, *to)),
                _ => None,
            })
            .collect();
        if let Some(whole) = groups.first_mut() {
            *whole = Some(place);
        }
        Ok(groups)
    }

    fn step(&self, id: StateID, text: &[u8], at: usize) -> Option<StateID> {
        match self.nfa.state(id) {
            State::ByteRange { trans } => trans.matches(text, at).then_some(trans.next),
            State::Sparse(s) => s.matches(text, at),
            State::Dense(d) => d.matches(text, at),
            _ => None,
        }
    }

    /// Adds what a state leads to without a byte, the most wanted first.
    fn follow(&self, threads: &mut Threads, text: &str, from: StateID, slots: &mut [usize], at: usize) {
        threads.todo.push(Todo::State(from));
        while let Some(todo) = threads.todo.pop() {
            let mut id = match todo {
                Todo::State(id) => id,
                Todo::Slot(slot, was) => {
                    if let Some(s) = slots.get_mut(slot) {
                        *s = was;
                    }
                    continue;
                }
            };
            while threads.add(id) {
                id = match self.nfa.state(id) {
                    State::Look { look, next } => {
                        if !self.nfa.look_matcher().matches(*look, text.as_bytes(), at) {
                            break;
                        }
                        *next
                    }
                    State::Union { alternates } => {
                        let Some((first, rest)) = alternates.split_first() else { break };
                        threads.todo.extend(rest.iter().rev().map(|id| Todo::State(*id)));
                        *first
                    }
                    State::BinaryUnion { alt1, alt2 } => {
                        threads.todo.push(Todo::State(*alt2));
                        *alt1
                    }
                    State::Capture { next, slot, .. } => {
                        if let Some(s) = slots.get_mut(slot.as_usize()) {
                            threads.todo.push(Todo::Slot(slot.as_usize(), *s));
                            *s = at;
                        }
                        *next
                    }
                    State::Fail => break,
                    State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) | State::Match { .. } => {
                        threads.keep(id, slots);
                        break;
                    }
                };
            }
        }
    }
}

/// A cache that is never given up has an answer for every byte.
#[inline]
fn next(dfa: &DFA, cache: &mut Cache, state: LazyStateID, byte: u8) -> LazyStateID {
    dfa.next_state(cache, state, byte).unwrap_or(state)
}

/// A place that has not been reached.
const NONE: usize = usize::MAX;

enum Todo {
    State(StateID),
    /// A slot gets back what it was.
    Slot(usize, usize),
}

/// The threads at one place of the text, the most wanted first.
struct Threads {
    list: Vec<StateID>,
    /// States that have been met at this place.
    met: Vec<bool>,
    /// What to forget for the next place.
    marked: Vec<StateID>,
    slots: Vec<usize>,
    each: usize,
    todo: Vec<Todo>,
}

impl Threads {
    fn new(states: usize, each: usize) -> Threads {
        let slots = vec![NONE; states * each];
        Threads { list: Vec::new(), met: vec![false; states], marked: Vec::new(), slots, each, todo: Vec::new() }
    }

    fn add(&mut self, id: StateID) -> bool {
        match self.met.get_mut(id.as_usize()) {
            Some(m) if !*m => {
                *m = true;
                self.marked.push(id);
                true
            }
            _ => false,
        }
    }

    fn keep(&mut self, id: StateID, slots: &[usize]) {
        self.list.push(id);
        let at = id.as_usize() * self.each;
        if let Some(own) = self.slots.get_mut(at..at + self.each) {
            own.copy_from_slice(slots);
        }
    }

    fn slots(&self, id: StateID) -> &[usize] {
        let at = id.as_usize() * self.each;
        self.slots.get(at..at + self.each).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.list.clear();
        for id in self.marked.drain(..) {
            if let Some(m) = self.met.get_mut(id.as_usize()) {
                *m = false;
            }
        }
    }
}

/// Whether a text may be one for these automata at all.
pub(super) fn long(bytes: usize) -> bool {
    bytes > SHORT
}

#[cfg(test)]
impl Long {
    /// Asks after so many bytes.
    pub fn striding(mut self, stride: usize) -> Long {
        self.stride = stride;
        self
    }
}
