//! Searching for a compiled pattern: its engines, matches one after the other, and replacement texts.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use fancy_regex::Regex;
use std::sync::OnceLock;

use super::regexp_long::{self, Long, Memory};
use super::regexp_match::{Limits, Search};
use super::regexp_program::Program;
use crate::eval::Cx;

/// What searches for a pattern.
pub(super) enum Engine {
    Automaton(Box<Automaton>),
    Steps(Program),
}

/// The library's automata, and others that can be interrupted.
pub(super) struct Automaton {
    pub re: Regex,
    /// As the library compiled it.
    pub pattern: String,
    /// Made when a long text comes for the first time.
    pub long: OnceLock<Option<Long>>,
}

impl Automaton {
    /// What searches in so many bytes, if the library would take long.
    fn long(&self, bytes: usize) -> Option<&Long> {
        if !regexp_long::long(bytes) {
            return None;
        }
        self.long.get_or_init(|| Long::new(&self.pattern)).as_ref().filter(|l| l.wanted(bytes))
    }
}

/// Bytes that are searched between two questions whether the statement has been killed: some milliseconds.
const STRIDE: usize = 1 << 20;

/// A compiled pattern, and the numbers of its groups that have names.
pub(super) struct Pattern {
    pub engine: Engine,
    pub names: Vec<(String, usize)>,
    pub groups: usize,
}

/// `regexp_time_limit` and `regexp_stack_limit`.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub time: u64,
    pub stack: u64,
}

impl Bounds {
    pub fn new(cx: &Cx<'_>) -> Bounds {
        let globals = &cx.env.shared.globals;
        Bounds { time: globals.num(Var::regexp_time_limit), stack: globals.num(Var::regexp_stack_limit) }
    }

    /// Whether somebody wants less than the defaults: then every pattern is searched for in a way that can be
    /// counted.
    pub fn lowered(self) -> bool {
        (1..32).contains(&self.time) || (1..8_000_000).contains(&self.stack)
    }
}

/// Where a match and its groups are.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

/// Matches of a pattern in a text, one after the other.
pub(super) enum Matches<'r, 't, 'i> {
    Automaton { re: &'r Regex, text: &'t str, interrupt: &'i mut dyn FnMut() -> SqlResult<()>, work: usize },
    Long { automata: &'r Long, memory: Box<Memory>, text: &'t str, interrupt: &'i mut dyn FnMut() -> SqlResult<()> },
    Steps(Search<'r, 't, 'i>),
}

impl<'r, 't, 'i> Matches<'r, 't, 'i> {
    pub fn new(
        pattern: &'r Pattern,
        text: &'t str,
        bounds: Bounds,
        interrupt: &'i mut dyn FnMut() -> SqlResult<()>,
    ) -> SqlResult<Self> {
        Ok(match &pattern.engine {
            Engine::Automaton(a) => match a.long(text.len()) {
                Some(automata) => Matches::Long { automata, memory: Box::new(automata.memory()), text, interrupt },
                None => Matches::Automaton { re: &a.re, text, interrupt, work: 0 },
            },
            Engine::Steps(program) => Matches::Steps(Search::new(
                program,
                text,
                Limits { time: bounds.time, stack: bounds.stack, interrupt },
            )?),
        })
    }

    /// Whether there is a match.
    pub fn any(&mut self) -> SqlResult<bool> {
        match self {
            Matches::Steps(search) => Ok(search.from(0)?.is_some()),
            Matches::Automaton { re, text, .. } => re.is_match(text).map_err(failed),
            Matches::Long { automata, memory, text, interrupt } => {
                Ok(automata.find(memory, text, 0, true, interrupt)?.is_some())
            }
        }
    }

    /// The first match from a place on.
    pub fn from(&mut self, start: usize, groups: bool) -> SqlResult<Option<Groups>> {
        match self {
            Matches::Steps(search) => search.from(start),
            Matches::Long { automata, memory, text, interrupt } => {
                let Some(place) = automata.find(memory, text, start, false, interrupt)? else { return Ok(None) };
                Ok(Some(if groups { automata.groups(memory, text, place, interrupt)? } else { vec![Some(place)] }))
            }
            Matches::Automaton { re, text, interrupt, work } => {
                // a search for a place may look at all that is left
                *work += text.len().saturating_sub(start).max(256);
                if *work > STRIDE {
                    *work = 0;
                    interrupt()?;
                }
                if !groups {
                    let m = re.find_from_pos(*text, start).map_err(failed)?;
                    return Ok(m.map(|m| vec![Some((m.start(), m.end()))]));
                }
                let m = re.captures_from_pos(*text, start).map_err(failed)?;
                Ok(m.map(|m| m.iter().map(|g| g.map(|g| (g.start(), g.end()))).collect()))
            }
        }
    }
}

/// Where the search for the next match begins: behind this one, and at least a character further.
pub(super) fn behind(text: &str, (start, end): (usize, usize)) -> usize {
    if end > start { end } else { end + text.get(end..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8) }
}

/// An automaton that gave up.
fn failed(_: fancy_regex::Error) -> SqlError {
    SqlError::new(ErrorCode::REGEXP_TIME_OUT, &[])
}

/// Appends a replacement: `$1`, `${name}`; a backslash takes what follows as it is (ICU, `appendReplacement`).
pub(super) fn expand(
    pattern: &Pattern,
    template: &str,
    text: &str,
    groups: &Groups,
    out: &mut String,
) -> SqlResult<()> {
    let invalid = || SqlError::new(ErrorCode::REGEXP_INVALID_CAPTURE_GROUP_NAME, &[]);
    let mut rest = template.chars();
    while let Some(c) = rest.next() {
        if c == '\\' {
            out.extend(rest.next());
            continue;
        }
        if c != '$' {
            out.push(c);
            continue;
        }
        let name = rest.as_str();
        let group = if let Some((name, tail)) = name.strip_prefix('{').and_then(|n| n.split_once('}')) {
            rest = tail.chars();
            pattern.names.iter().find(|(n, _)| n == name).map(|(_, i)| *i).ok_or_else(invalid)?
        } else {
            let mut group = rest.next().and_then(|c| c.to_digit(10)).ok_or_else(invalid)? as usize;
            if group >= pattern.groups {
                return Err(SqlError::new(ErrorCode::REGEXP_INDEX_OUTOFBOUNDS_ERROR, &[]));
            }
            // as many digits as make the number of a group
            while let Some(d) = rest.clone().next().and_then(|c| c.to_digit(10)) {
                let longer = group * 10 + d as usize;
                if longer >= pattern.groups {
                    break;
                }
                group = longer;
                rest.next();
            }
            group
        };
        let place = groups.get(group).copied().flatten();
        out.push_str(place.and_then(|(from, to)| text.get(from..to)).unwrap_or(""));
    }
    Ok(())
}
