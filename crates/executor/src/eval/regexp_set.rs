//! Sets of characters in the programs of regular expressions.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, HirKind};

use super::regexp_program::NoProgram;

/// A set of characters: those of ASCII as bits, the others as ranges in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    ascii: u128,
    ranges: Box<[(char, char)]>,
}

impl Set {
    pub fn of(ranges: impl Iterator<Item = (char, char)>) -> Set {
        let mut set = Set::default();
        let mut others = Vec::new();
        for (from, to) in ranges {
            for b in from as u32..=(to as u32).min(127) {
                set.ascii |= 1 << b;
            }
            if to > '\x7f' {
                others.push((from.max('\u{80}'), to));
            }
        }
        others.sort_unstable();
        set.ranges = others.into();
        set
    }

    /// All but these.
    pub fn but(none: &[char]) -> Set {
        let mut from = '\0';
        let mut ranges = Vec::new();
        for c in none {
            if let Some(before) = (from..*c).next_back() {
                ranges.push((from, before));
            }
            from = (*c..=char::MAX).nth(1).unwrap_or(char::MAX);
        }
        ranges.push((from, char::MAX));
        Set::of(ranges.into_iter())
    }

    /// Whether it has more than ASCII.
    pub fn is_wide(&self) -> bool {
        !self.ranges.is_empty()
    }

    #[inline]
    pub fn has(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii >> (c as u32) & 1 == 1;
        }
        let at = self.ranges.partition_point(|(_, to)| *to < c);
        self.ranges.get(at).is_some_and(|(from, _)| *from <= c)
    }
}

/// The set that a class or a character means.
pub(super) fn class(text: &str, fold: bool) -> Result<Set, NoProgram> {
    let hir = ParserBuilder::new().case_insensitive(fold).build().parse(text).map_err(|_| NoProgram::Unknown)?;
    match hir.kind() {
        HirKind::Class(Class::Unicode(c)) => Ok(Set::of(c.iter().map(|r| (r.start(), r.end())))),
        HirKind::Class(Class::Bytes(c)) => Ok(Set::of(c.iter().map(|r| (r.start() as char, r.end() as char)))),
        HirKind::Literal(l) => {
            let mut chars = std::str::from_utf8(&l.0).map_err(|_| NoProgram::Unknown)?.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Ok(Set::of([(c, c)].into_iter())),
                _ => Err(NoProgram::Unknown),
            }
        }
        _ => Err(NoProgram::Unknown),
    }
}
